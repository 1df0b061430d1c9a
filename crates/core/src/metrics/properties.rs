//! State what is known of a metric before anything is scored.

use super::{Direction, SkillKind};
use crate::predictive::{Exactness, Form, Quantity};

/// What is known of a metric, with its parameters, before anything is scored.
#[derive(Clone, Debug, PartialEq)]
pub struct Properties {
    /// The name without parameters, as a benchmark file has it.
    pub name: &'static str,
    /// The heading of a table's column or a figure's axis.
    pub label: String,
    /// Which scores are better.
    pub direction: Direction,
    /// The unit of the score.
    pub unit: Unit,
    /// The quantities of the predictive distribution that the score needs: it is as exact as they
    /// are.
    pub quantities: Vec<Quantity>,
    /// The kind of its skill; `None` where it has none: a coverage, a width, a cost, a sum over the
    /// rows.
    pub skill: Option<SkillKind>,
    /// How close a mean is to a printed value that it agrees with.
    pub tolerance: Tolerance,
    /// Formula and literature.
    pub definition: &'static str,
}

impl Properties {
    /// Whether the score of a form is exact, approximate (and how) or undefined.
    pub fn exactness(&self, form: &Form) -> Exactness {
        let each = self.quantities.iter().map(|&quantity| form.distribution().exactness(quantity));
        each.fold(Exactness::Exact, Exactness::and)
    }
}

/// The unit of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// None: a share, a ratio.
    None,
    /// The target's.
    Target,
    /// The square of the target's.
    TargetSquared,
    /// This one, whatever the target's is.
    Fixed(&'static str),
}

impl Unit {
    /// As text, given the target's: `m²`, `(m/s)²`; empty where there is none.
    pub fn resolve(self, target_unit: &str) -> String {
        match (self, target_unit) {
            (Self::None, _) | (Self::TargetSquared, "") => String::new(),
            (Self::Target, unit) => unit.into(),
            (Self::TargetSquared, simple) if simple.chars().all(char::is_alphabetic) => {
                format!("{simple}²")
            }
            (Self::TargetSquared, compound) => format!("({compound})²"),
            (Self::Fixed(unit), _) => unit.into(),
        }
    }
}

/// The tolerance δ, in units of the score, within which a mean is close to a value that a paper
/// prints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// The rules of verdicts (`docs/understand/verdicts.md`) name none: δ is 0.
    None,
    /// This number.
    Fixed(f64),
    /// This share of the printed value.
    Share(f64),
    /// This number for each row of a test set: of a sum over the rows.
    PerRow(f64),
}

impl Tolerance {
    /// δ for the value `printed` of test sets of `rows` rows.
    pub fn margin(self, printed: f64, rows: f64) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Fixed(number) => number,
            Self::Share(share) => share * printed.abs(),
            Self::PerRow(number) => number * rows,
        }
    }
}
