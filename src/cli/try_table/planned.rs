//! Keep the plan of a comparison as a file, so that it can be repeated.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cli::CliError;
use uq_core::Table;
use uq_core::predictive::{Bounds, Side};
use uq_core::printable::printable;
use uqbench_data::own::DependenceColumn;
use uqbench_data::parsed_sha256;
use uqbench_report::document::Document;
use uqbench_run::candidates::Candidate;
use uqbench_run::runner::try_table::{Evaluation, Folding, LeftOut, Problem};
use uqbench_system::named_file::{read_named_text, read_regular_text};

/// Longest description of a method's settings, in characters.
const LONGEST_WORDS: usize = 600;

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
    /// SHA-256 of the table's numbers; plans of older programs do not state it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    folds: u64,
    repeats: u64,
    /// Processor time for which the methods were chosen, in seconds, where it has chosen them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<f64>,
    /// Probability of the prediction intervals.
    level: f64,
    /// Which ends they have.
    #[serde(default, skip_serializing_if = "is_both")]
    side: Side,
    /// Seed of all random numbers.
    pub seed: u64,
    /// The methods without external ones.
    pub methods: Vec<String>,
    /// The settings of each of them; plans of older programs do not state them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    settings: BTreeMap<String, Settings>,
    /// What the budget has left out; plans of older programs do not state it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOut>,
    /// Whether methods are compared on the training rows of each fold alone, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inside: bool,
    /// The column in each value of which methods are calibrated apart, if one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibrate_by: Option<String>,
    /// The column that says which rows depend on each other, if it was stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dependence: Option<DependenceColumn>,
}

/// The settings of a method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    /// In words.
    words: String,
    /// All parameters.
    parameters: Value,
}

impl Settings {
    fn of(candidate: &Candidate) -> Self {
        Self { words: candidate.settings.to_string(), parameters: candidate.method.parameters() }
    }
}

/// Most bytes of a plan.
const LARGEST: u64 = 1 << 28;

impl Planned {
    /// What is to be done with this table.
    pub fn new(
        problem: &Problem,
        (candidates, left_out): (&[Candidate], &[LeftOut]),
        budget: Option<f64>,
        dependence: Option<DependenceColumn>,
    ) -> Self {
        let own = || candidates.iter().filter(|candidate| !candidate.is_external());
        Self {
            rows: problem.table.rows(),
            features: problem.table.columns(),
            sha256: Some(parsed_sha256(problem.table)),
            folds: problem.folding.folds,
            repeats: problem.folding.repeats,
            budget,
            level: problem.bounds.level,
            side: problem.bounds.side,
            seed: problem.seed,
            methods: own().map(|candidate| candidate.id.to_string()).collect(),
            settings: own()
                .map(|candidate| (candidate.id.to_string(), Settings::of(candidate)))
                .collect(),
            left_out: left_out.to_vec(),
            inside: false,
            calibrate_by: None,
            dependence,
        }
    }

    /// The plan of this file.
    ///
    /// # Errors
    /// [`CliError`] that names the file, where it cannot be read, or is no plan.
    pub fn read(path: &Path) -> Result<Self, CliError> {
        let wrong = |found: String| {
            let expected =
                "expected a plan that `uqbench try` has written beside its page, FILE-plan.json";
            CliError::Other(format!("--plan {}: {found}; {expected}", path.display()))
        };
        let text = read_named_text(path, LARGEST).map_err(|error| wrong(error.to_string()))?;
        let plan: Self = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        plan.bounds().check().map_err(wrong)?;
        Ok(plan)
    }

    /// A note where this file holds the plan of other numbers, so that a comparison that is not
    /// this one is replaced.
    pub fn replacing(&self, path: &Path) -> Option<String> {
        let present: Self = serde_json::from_str(&read_regular_text(path, LARGEST).ok()?).ok()?;
        (present.sha256 != self.sha256).then(|| {
            format!(
                "note: {} is of another table or target, or of other rows or columns; this \
                 comparison replaces it and the page and numbers beside it; --figures DIR writes \
                 into another folder",
                path.display()
            )
        })
    }

    /// The intervals that were compared.
    pub fn bounds(&self) -> Bounds {
        Bounds { level: self.level, side: self.side }
    }

    /// Into how many folds the rows were divided, and how often.
    pub fn folding(&self) -> Folding {
        Folding { folds: self.folds, repeats: self.repeats }
    }

    /// What the budget had left out, but for what is tried now, because it predicts.
    pub fn left_out(&self, tried: &[Candidate]) -> Vec<LeftOut> {
        let is_tried = |of: &LeftOut| tried.iter().any(|candidate| *candidate.id == *of.method);
        self.left_out.iter().filter(|of| !is_tried(of)).cloned().collect()
    }

    /// The plan of what was done, where the budget was spent before the end: without the methods
    /// that had not finished, and with the comparisons on training rows alone only where they were
    /// made. The same plan then gives the same numbers on every machine.
    #[must_use]
    pub fn cut(mut self, evaluation: &Evaluation) -> Self {
        self.left_out = evaluation.left_out.clone();
        let finished = |id: &str| evaluation.methods.iter().any(|tried| tried.id == id);
        self.methods.retain(|method| finished(method));
        self.settings.retain(|method, _| finished(method));
        self.inside = !evaluation.inside.is_empty();
        self
    }

    /// Refuses another table, and a plan that divides rows as this program does not.
    ///
    /// # Errors
    /// [`CliError`] with what was planned and what was found.
    pub fn check(&self, path: &Path, table: &Table, file: &str) -> Result<(), CliError> {
        let wrong = |what: String| {
            let path = path.display();
            Err(CliError::Other(format!("--plan {path}: {what}; plan it anew without --plan")))
        };
        let [planned, found] = [[self.rows, self.features], [table.rows(), table.columns()]];
        let names = ["rows", "features"];
        if let Some(place) = (0..names.len()).find(|place| planned[*place] != found[*place]) {
            return wrong(format!(
                "found {} {}, expected {}, as this table has",
                planned[place], names[place], found[place]
            ));
        }
        if let Err(what) = self.folding().check(table) {
            return wrong(what);
        }
        let own = parsed_sha256(table);
        match &self.sha256 {
            Some(planned) if *planned != own => wrong(format!(
                "found the table with the SHA-256 {}, expected {own}, that of the numbers of {}: \
                 it is another table of the same size",
                printable(planned, 64),
                printable(file, 100)
            )),
            _ => Ok(()),
        }
    }

    /// The planned methods with the words for their settings.
    ///
    /// # Errors
    /// [`CliError`] for a method that has other parameters in this program.
    pub fn described(
        &self,
        path: &Path,
        mut candidates: Vec<Candidate>,
    ) -> Result<Vec<Candidate>, CliError> {
        for candidate in &mut candidates {
            let Some(Settings { words, parameters }) = self.settings.get(&*candidate.id) else {
                continue;
            };
            if *parameters != candidate.method.parameters() {
                return Err(CliError::Other(format!(
                    "--plan {}: `{}` has other settings in this program, so that its numbers would \
                     be others; plan it anew without --plan",
                    path.display(),
                    candidate.id
                )));
            }
            candidate.settings = printable(words, LONGEST_WORDS).into();
        }
        Ok(candidates)
    }

    /// The plan as a file.
    pub fn document(&self, stem: &str) -> Result<Document, CliError> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| CliError::Other(error.to_string()))?;
        Ok(Document::new(format!("{stem}-plan.json"), text + "\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, Array2};
    use uqbench_run::candidates::candidates;
    use uqbench_run::runner::try_table::Division;

    #[test]
    fn what_was_left_out_is_kept_to_the_last_digit_and_is_what_is_not_tried() {
        let table =
            Table::unnamed(Array2::from_shape_fn((50, 1), |(i, _)| i as f64), Array1::zeros(50));
        let problem = Problem {
            table: &table,
            division: Division::Rows,
            folding: Folding::of(&table),
            discrete: false,
            bounds: Bounds { level: 0.9, side: Side::Both },
            seed: 1,
            categories: &[],
            stated: None,
        };
        let tried = candidates(&[]).unwrap();
        let left_out = [("stack", 12.34), ("ngboost", 0.07)];
        let left_out = left_out.map(|(method, seconds)| LeftOut { method: method.into(), seconds });
        let plan = Planned::new(&problem, (&tried, &left_out), Some(1.0), None);
        let text = serde_json::to_string_pretty(&plan).unwrap();
        assert_eq!(serde_json::from_str::<Planned>(&text).unwrap(), plan);
        assert_eq!(plan.left_out(&tried), left_out);
        // One of them predicts, and is tried.
        assert_eq!(plan.left_out(&candidates(&["ngboost".into()]).unwrap()), left_out[..1]);
        let without = Planned::new(&problem, (&tried, &[]), None, None);
        assert!(!serde_json::to_string(&without).unwrap().contains("left_out"));
    }
}
