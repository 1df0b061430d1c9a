//! Keep the plan of a comparison as a file, so that it can be repeated.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::cli::CliError;
use crate::data::Table;
use crate::data::own::DependenceColumn;
use crate::methods::candidates::Candidate;
use crate::predictive::{Bounds, Side};
use crate::report::document::Document;
use crate::runner::try_table::{FOLDS, Problem, repeats};

/// Whether an interval has both ends, as all had before plans stated it.
fn is_both(side: &Side) -> bool {
    *side == Side::Both
}

/// What was chosen before the first fit. The same plan and table give the same numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planned {
    rows: usize,
    features: usize,
    folds: u64,
    repeats: u64,
    /// Probability of the prediction intervals.
    level: f64,
    /// Which ends they have.
    #[serde(default, skip_serializing_if = "is_both")]
    side: Side,
    /// Seed of all random numbers.
    pub seed: u64,
    /// The methods without external ones.
    pub methods: Vec<String>,
    /// The column that says which rows depend on each other, if it was stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dependence: Option<DependenceColumn>,
}

impl Planned {
    /// What is to be done with this table.
    pub fn new(problem: &Problem, candidates: &[Candidate], dependence: Option<DependenceColumn>) -> Self {
        let own = candidates.iter().filter(|candidate| candidate.host.is_none());
        Self {
            rows: problem.table.rows(),
            features: problem.table.columns(),
            folds: FOLDS,
            repeats: repeats(problem.table),
            level: problem.bounds.level,
            side: problem.bounds.side,
            seed: problem.seed,
            methods: own.map(|candidate| candidate.id.to_string()).collect(),
            dependence,
        }
    }

    /// The plan of this file.
    ///
    /// # Errors
    /// [`CliError`] that names the file, where it cannot be read, or is no plan.
    pub fn read(path: &Path) -> Result<Self, CliError> {
        let wrong = |found: String| {
            let expected = "expected a plan that `uqbench try` has written beside its page, FILE-plan.json";
            CliError::Other(format!("--plan {}: {found}; {expected}", path.display()))
        };
        let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let plan: Self = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        plan.bounds().check().map_err(wrong)?;
        Ok(plan)
    }

    /// The intervals that were compared.
    pub fn bounds(&self) -> Bounds {
        Bounds { level: self.level, side: self.side }
    }

    /// Refuses a table of another size, and a plan that divides rows as this program does not.
    ///
    /// # Errors
    /// [`CliError`] with both numbers.
    pub fn check(&self, path: &Path, table: &Table) -> Result<(), CliError> {
        let [planned, found] = [
            [self.rows as u64, self.features as u64, self.folds, self.repeats],
            [table.rows() as u64, table.columns() as u64, FOLDS, repeats(table)],
        ];
        let names = ["rows", "features", "folds", "divisions into folds"];
        let Some(place) = (0..names.len()).find(|place| planned[*place] != found[*place]) else { return Ok(()) };
        Err(CliError::Other(format!(
            "--plan {}: found {} {}, expected {}, as this table has; plan it anew without --plan",
            path.display(),
            planned[place],
            names[place],
            found[place]
        )))
    }

    /// The plan as a file.
    pub fn document(&self, stem: &str) -> Result<Document, CliError> {
        let text = serde_json::to_string_pretty(self).map_err(|error| CliError::Other(error.to_string()))?;
        Ok(Document::new(format!("{stem}-plan.json"), text + "\n"))
    }
}
