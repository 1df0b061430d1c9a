//! Define the parts of a table: its datasets, methods, columns and metrics.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::path::PathBuf;

use serde::Deserialize;

use crate::external::Place;
use crate::protocols::{Acquisition, Protocol};
use uq_core::metrics::MetricId;
use uq_core::scaling::Scaling;
use uq_methods::Reading;
use uqbench_data::own::{CellRules, Censored, Charset, FileFormat, OwnDataset, Separator};

/// One dataset of a table.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatasetRow {
    /// Key in the data manifest (`california`, `california:raw`), or `simulated:…`; a name of the
    /// author's for a `file`, that of the file where it is left out.
    #[serde(default)]
    pub key: String,
    /// A table of the author's, as `uqbench try` reads it; relative to the folder of the benchmark
    /// file.
    pub file: Option<PathBuf>,
    /// The column of the file to predict.
    pub target: Option<String>,
    /// Columns of the file that are no features.
    #[serde(default)]
    pub drop: Vec<String>,
    /// Characters of the file.
    #[serde(default)]
    pub encoding: Charset,
    /// Values of the file that stand for missing ones: in every column, or as `COLUMN=VALUE` in
    /// one.
    #[serde(default)]
    pub na: Vec<String>,
    /// Columns of the file in which `NA` and the like is a level.
    #[serde(default)]
    pub level_na: Vec<String>,
    /// What is taken for a number of which a limit alone is known.
    #[serde(default)]
    pub censored: Censored,
    /// What stands between the cells of the file, where its lines do not show it.
    pub separator: Option<Separator>,
    /// The sheet of the file, if it is a workbook; the first one where it is left out.
    pub sheet: Option<String>,
    /// Whether columns of the file that number the rows are features.
    #[serde(default)]
    pub keep_index: bool,
    /// The file, once it has been read.
    #[serde(skip)]
    pub own: Option<OwnDataset>,
    /// Its name in printed cells; the key where absent.
    pub printed: Option<String>,
    /// Its name in our tables; that of the file where it is left out.
    #[serde(default)]
    pub heading: String,
    /// What is done to features and target.
    #[serde(default)]
    pub scaling: Scaling,
    /// Why this row is not the main reading of the paper (raw features, another target), if it is
    /// not.
    pub variant: Option<String>,
    /// Why the printed numbers were presumably computed on other rows or folds than ours, if they
    /// were. No printed baseline on this dataset is then called weak.
    pub other_data: Option<String>,
    /// Abscissa, where the dataset is a point of a curve.
    pub x: Option<f64>,
}

impl DatasetRow {
    /// How the cells of its file are read.
    pub fn rules(&self) -> CellRules {
        let (na, level_na) = (self.na.clone(), self.level_na.clone());
        CellRules { na, level_na, censored: self.censored, keep_index: self.keep_index }
    }

    /// How its file is read.
    pub fn format(&self) -> FileFormat {
        FileFormat { encoding: self.encoding, separator: self.separator, sheet: self.sheet.clone() }
    }

    /// Its name in printed cells.
    pub fn printed_name(&self) -> &str {
        self.printed.as_deref().unwrap_or(&self.key)
    }
}

/// One fitted method of a table and the columns that are read from it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MethodRow {
    /// Name in the registry.
    pub id: String,
    /// Parameters that differ from the method's defaults.
    #[serde(default)]
    pub parameters: serde_json::Value,
    /// Columns, one for each reading.
    pub columns: Vec<Column>,
    /// Why this row is not the main reading of the paper, if it is not.
    pub variant: Option<String>,
    /// Runs the row once for each value of one parameter, which becomes the columns' `x`.
    pub vary: Option<Vary>,
    /// The acquisitions by which pool learning adds rows. The row's only column is then replaced by
    /// one for each acquisition and step.
    pub acquire: Option<Vec<Acquisition>>,
    /// Whether a step of Bayesian optimisation refits the model of the starting points in place of
    /// a fit of its own.
    #[serde(default)]
    pub refit: bool,
    /// Keys of the datasets that the row is run on; absent means all.
    pub datasets: Option<Vec<String>>,
    /// Leaves the row out of a profile's repetitions with other seeds, where they would cost too
    /// much.
    #[serde(default)]
    pub one_seed: bool,
    /// Largest number of repetitions, the first ones, where a profile's would cost too much.
    pub splits: Option<NonZeroU64>,
    /// Where the files of an external method are, once they have been found.
    #[serde(skip)]
    pub place: Option<Place>,
}

impl MethodRow {
    /// One row for each value of the parameter that the row varies; the row itself where it varies
    /// none.
    pub(super) fn varied(self) -> Vec<Self> {
        let Some(Vary { parameter, values }) = self.vary.clone() else { return vec![self] };
        values.into_iter().map(|value| self.with(&parameter, value)).collect()
    }

    /// The row with this value of a parameter, which becomes the columns' `x`.
    fn with(&self, parameter: &str, value: f64) -> Self {
        let mut one = Self { vary: None, ..self.clone() };
        if !one.parameters.is_object() {
            one.parameters = serde_json::json!({});
        }
        // Whole values become integers, because a method's integer parameter does not accept 8.0.
        let whole = value.fract() == 0.0 && value.abs() < 1e15;
        one.parameters[parameter] = if whole { (value as i64).into() } else { value.into() };
        for column in &mut one.columns {
            column.x = Some(value);
            column.heading = format!("{} {value}", column.heading);
        }
        one
    }

    /// The benchmark's protocol with the row's acquisitions.
    pub fn protocol(&self, of: &Protocol) -> Protocol {
        self.acquire
            .as_ref()
            .map_or_else(|| of.clone(), |acquire| of.acquiring(acquire, self.refit))
    }

    /// The heading of the first column, which names the row; empty for a row without columns.
    pub fn heading(&self) -> &str {
        self.columns.first().map_or("", |column| &column.heading)
    }

    /// Whether the row is run on the dataset of this key.
    pub fn runs_on(&self, key: &str) -> bool {
        self.datasets.as_ref().is_none_or(|keys| keys.iter().any(|listed| listed == key))
    }
}

/// One parameter that takes several values.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vary {
    /// The parameter.
    pub parameter: String,
    /// Its values; whole ones are passed to the method as integers.
    pub values: Vec<f64>,
}

/// One column of a table, or one point of a curve.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// The reading of the fit.
    #[serde(default = "main_reading")]
    pub reading: Reading,
    /// Its heading in our tables.
    pub heading: String,
    /// The labels that printed cells carry besides dataset and metric.
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    /// Abscissa, where the column is a point of a curve.
    pub x: Option<f64>,
}

fn main_reading() -> Reading {
    Reading::MAIN
}

/// One metric of a table.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricRow {
    /// The metric.
    pub id: MetricId,
    /// Its name in printed cells.
    pub published: Option<String>,
    /// Whether the printed numbers are its negative, such as negative log-likelihoods: their signs
    /// are turned when they are read.
    #[serde(default)]
    pub negative: bool,
    /// Its heading.
    pub heading: String,
}

/// Two columns that differ in one label and are compared wherever all others agree.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contrast {
    /// The label in which they differ.
    pub label: String,
    /// Its value in the column under test.
    pub test: String,
    /// Its value in the reference column.
    pub reference: String,
    /// Names of the two in figures; their values where absent.
    pub names: Option<[String; 2]>,
}

impl Contrast {
    /// Names of test and reference in figures.
    pub fn names(&self) -> [String; 2] {
        self.names.clone().unwrap_or_else(|| [self.test.clone(), self.reference.clone()])
    }
}

/// Labels in one line, such as `dt, weak, shared`.
pub fn label_text(labels: &BTreeMap<String, String>) -> String {
    labels.values().cloned().collect::<Vec<_>>().join(", ")
}
