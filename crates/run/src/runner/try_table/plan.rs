//! Choose what is tried before the first fit, by what fits are expected to cost and by what so few
//! rows allow.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::cost::{expected, expected_alone, expected_inside};
use super::{Folding, Problem, fewest_training_rows, training_rows};
use crate::candidates::{
    ADAPTIVE, ALL, CALIBRATED, Candidate, IN_TIME, LINEAR, PANEL, POSITIVE, candidates,
};
use uq_core::Dependence;
use uq_core::metrics::percent;
use uq_methods::registry::RegistryError;

/// The method of the panel before which the plain one of [`POSITIVE`] is taken: it has a sixth of
/// the fits, and alone keeps to what the target can be.
const AFTER_POSITIVE: &str = "calibrated-ngboost";

/// Training rows for each coefficient below which ridge regression takes the place of least
/// squares, whose variance is then twice the noise or more. A stack fits four fifths of them, which
/// still are more than the coefficients.
const ROWS_OF_LEAST_SQUARES: f64 = 2.0;

/// A method that costs too much, and the cheaper one that is tried in its place where that still
/// fits.
const STAND_INS: [(&str, &str); 4] = [
    ("quantile-forest-validated", "quantile-forest"),
    ("boosting-quantiles", "quick-boosting-quantiles"),
    ("ngboost", "quick-ngboost"),
    ("deep-ensemble", "quick-deep-ensemble"),
];

/// What is tried.
pub struct Plan {
    /// In the order of simplicity.
    pub candidates: Vec<Candidate>,
    /// Into how many folds the rows are divided, and how often.
    pub folding: Folding,
    /// What the budget leaves out.
    pub left_out: Vec<LeftOut>,
    /// Whether methods are compared on the training rows of each fold alone, too, as the budget
    /// suffices for it.
    pub inside: bool,
}

/// A method that a budget leaves out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// Its name.
    pub method: String,
    /// Processor time that all its fits are expected to take, in seconds to a hundredth.
    pub seconds: f64,
}

impl LeftOut {
    /// A method that all fits of are expected to take too long.
    pub fn expected(candidate: &Candidate, problem: &Problem) -> Self {
        let seconds = expected_alone(problem, candidate).unwrap_or_default();
        Self { method: candidate.id.to_string(), seconds: (100.0 * seconds).round() / 100.0 }
    }
}

/// What is wanted, before its cost is known.
struct Wanted {
    names: Vec<String>,
    /// Names that stand for calibrated methods.
    uncalibrated: HashSet<String>,
    /// Why.
    because: String,
}

/// The methods of these names, or where none is named those of the [`PANEL`] that are made for a
/// table of this size, as far as `budget` seconds of processor time are expected to suffice for
/// them: each is taken, in order, that still fits. Nothing is measured and threads do not count, so
/// that the same table has the same plan on every machine. Rows are divided anew as often as leaves
/// no method out, down to the fewest times for the number of rows. Methods that ignore the features
/// are always taken, and of the panel one of [`LINEAR`], too. Those of [`POSITIVE`] join the panel where every target is above zero, the plain one before `AFTER_POSITIVE` and the
/// calibrated one at its end, those of [`IN_TIME`] where rows are in time and enough to calibrate
/// by half of them. One of `STAND_INS` is taken in place of a method of the panel that does not
/// fit. Where the rows of a fold are too few to calibrate the intervals that are asked for, methods
/// of the panel are tried without calibration.
///
/// # Errors
/// [`RegistryError`] where a method cannot be built.
pub fn plan(problem: &Problem, names: &[String], budget: f64) -> Result<Plan, RegistryError> {
    let with = |folding: Folding| {
        let problem = Problem { folding, ..*problem };
        let wanted = if names.is_empty() {
            of_panel(&problem)
        } else if names.iter().any(|name| name == ALL) {
            // All of them are no fewer than the panel of this table, of which some depend on the
            // table.
            named(&names.iter().cloned().chain(of_panel(&problem).names).collect::<Vec<_>>())?
        } else {
            named(names)?
        };
        Ok::<_, RegistryError>((affordable(&problem, &wanted, names.is_empty(), budget)?, wanted))
    };
    let most = Folding::of(problem.table);
    let fewest = most.with_fewest_repeats(problem.table);
    let (mut plan, mut wanted) = with(most)?;
    if !plan.left_out.is_empty() && fewest != most {
        (plan, wanted) = with(fewest)?;
    }
    for candidate in plan.candidates.iter_mut().filter(|of| wanted.uncalibrated.contains(&*of.id)) {
        candidate.settings = format!("{}; {}", candidate.settings, wanted.because).into();
    }
    Ok(plan)
}

/// The methods of these names, in the order of simplicity.
fn named(names: &[String]) -> Result<Wanted, RegistryError> {
    let names = candidates(names)?.into_iter().map(|candidate| candidate.id.into_owned()).collect();
    Ok(Wanted { names, uncalibrated: HashSet::new(), because: String::new() })
}

/// The methods of the panel that suit this table.
fn of_panel(problem: &Problem) -> Wanted {
    let (found, needed) =
        (fewest_training_rows(problem), Candidate::rows_to_calibrate(problem.bounds));
    let (mut names, mut uncalibrated) = (Vec::new(), HashSet::new());
    let is_positive = problem.table.target.iter().all(|y| *y > 0.0);
    let [plain, calibrated] = POSITIVE;
    let positive = |name: &str| (is_positive && name == AFTER_POSITIVE).then_some(plain);
    let panel = PANEL.into_iter().filter(|(_, most_rows)| problem.table.rows() <= *most_rows);
    let is_in_time = matches!(problem.table.dependence, Dependence::Periods(_));
    let adapts = is_in_time && found >= Candidate::rows_to_adapt(problem.bounds);
    let adaptive = |name: &str| {
        IN_TIME.into_iter().find(|(after, _)| adapts && *after == name).map(|(_, name)| name)
    };
    let panel = panel
        .flat_map(|(name, _)| [positive(name), Some(name), adaptive(name)].into_iter().flatten());
    for name in panel.chain(is_positive.then_some(calibrated)) {
        let name = suited(name, problem);
        let alone = Candidate::uncalibrated(name).filter(|_| found < needed);
        let name = alone.unwrap_or(name).to_owned();
        if !names.contains(&name) {
            uncalibrated.extend(alone.map(str::to_owned));
            names.push(name);
        }
    }
    let because = format!(
        "not calibrated, because its {} interval needs {needed} training rows or more, and a fold \
         has {found}",
        percent(problem.bounds.level)
    );
    Wanted { names, uncalibrated, because }
}

/// The method of the panel that is tried in this one's place on this table.
fn suited(name: &'static str, problem: &Problem) -> &'static str {
    let rows = training_rows(problem.table, problem.folding);
    let few = rows < ROWS_OF_LEAST_SQUARES * (problem.table.columns() + 1) as f64;
    match name {
        "linear-gaussian" if few => "ridge",
        "calibrated-linear-gaussian" if few => "calibrated-ridge",
        "adaptive-linear-gaussian" if few => "adaptive-ridge",
        _ => name,
    }
}

/// The cheaper method in place of this one, calibrated as it is.
fn stand_in(name: &str) -> Option<String> {
    let prefix =
        [CALIBRATED, ADAPTIVE].into_iter().find(|prefix| name.starts_with(prefix)).unwrap_or("");
    let (_, cheaper) = STAND_INS.iter().find(|(of, _)| *of == &name[prefix.len()..])?;
    Some(format!("{prefix}{cheaper}"))
}

/// What fits into the budget with the folds of this problem.
fn affordable(
    problem: &Problem,
    wanted: &Wanted,
    is_panel: bool,
    budget: f64,
) -> Result<Plan, RegistryError> {
    let seconds = |names: &[String]| {
        Ok::<_, RegistryError>(expected(problem, &candidates(names)?, false).seconds)
    };
    let (mut taken, mut left_out) = (Vec::new(), Vec::new());
    let fits = |taken: &[String], name: &str| {
        Ok::<_, RegistryError>(seconds(&[taken, &[name.to_owned()]].concat())? <= budget)
    };
    for name in &wanted.names {
        let is_sure =
            Candidate::is_unconditional(name) || is_panel && LINEAR.contains(&name.as_str());
        if is_sure || fits(&taken, name)? {
            taken.push(name.clone());
            continue;
        }
        left_out.push(LeftOut::expected(&Candidate::named(name)?, problem));
        if let Some(cheaper) = stand_in(name).filter(|_| is_panel)
            && fits(&taken, &cheaper)?
        {
            taken.push(cheaper);
        }
    }
    let candidates = candidates(&taken)?;
    let inside = is_affordable_inside(problem, &candidates, budget);
    Ok(Plan { candidates, folding: problem.folding, left_out, inside })
}

/// Whether the budget suffices for comparisons on the training rows of each fold, beside those of
/// all rows.
pub fn is_affordable_inside(problem: &Problem, candidates: &[Candidate], budget: f64) -> bool {
    let outside = expected(problem, candidates, false);
    let inside = expected_inside(problem, candidates);
    inside.is_some_and(|inside| outside.seconds + inside.seconds <= budget)
}

#[cfg(test)]
mod tests;
