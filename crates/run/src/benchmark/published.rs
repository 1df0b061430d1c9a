//! Hold the numbers that a paper prints, with digits as strings, so that the last printed digit is
//! known.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::stated::Stated;
use uq_core::printable::printable;

/// The printed numbers of one table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Published {
    /// One entry for each printed number.
    pub cells: Vec<Cell>,
    /// Numbers that are shown beside ours and judge nothing, because no publication at hand
    /// confirms them.
    pub hints: Vec<Cell>,
    /// Where the hints are from.
    pub hint_source: Option<String>,
}

/// Names that papers give to negative log-likelihoods.
pub const NEGATIVE_LOG_LIKELIHOODS: [&str; 4] =
    ["nll", "nlpd", "negative_log_likelihood", "neg_ll"];

/// A metric's name as lists of names have it: lower-case, with underscores.
pub fn plain_name(metric: &str) -> String {
    metric.to_lowercase().replace([' ', '-'], "_")
}

/// One printed number.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The file that has it; `None` where it stands in the benchmark file.
    pub file: Option<Arc<str>>,
    /// Its line in that file, or its number in the list of the benchmark file, from 1.
    pub line: usize,
    /// The paper's dataset.
    pub dataset: String,
    /// The paper's metric.
    pub metric: String,
    /// Further labels that identify it: method, strength, level …
    pub labels: BTreeMap<String, String>,
    /// What its file says of how it was made.
    pub stated: Stated,
    /// The digits as printed; `none` where the paper prints a word instead of a number.
    pub value: String,
    /// The printed spread, digits as printed.
    pub spread: Option<String>,
    /// The kind of the printed spread.
    pub spread_kind: SpreadKind,
    /// The paper's number of repetitions.
    pub count: Option<u64>,
    /// The authors' own score of each split, in order; empty where they published none.
    pub splits: Vec<f64>,
}

/// The dataset, metric and column of a printed number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CellKey {
    dataset: String,
    metric: String,
    labels: BTreeMap<String, String>,
}

/// A column that the paper prints and for which the benchmark file has no method.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrintedColumn {
    /// Its heading in our tables.
    pub heading: String,
    /// The labels that its printed cells carry besides dataset and metric.
    pub labels: BTreeMap<String, String>,
}

/// A printed number that a theorem excludes, or that no predictor approaches.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Excluded {
    /// The paper's dataset.
    pub dataset: String,
    /// The paper's metric.
    pub metric: String,
    /// The printed cell's labels.
    pub labels: BTreeMap<String, String>,
    /// Whether a theorem excludes it.
    pub verdict: Exclusion,
    /// The theorem with its assumptions, or what the residuals would need.
    pub reason: String,
}

/// A printed number that contradicts another one, where it cannot be told which of them is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inconsistent {
    /// The paper's dataset.
    pub dataset: String,
    /// The paper's metric.
    pub metric: String,
    /// The printed cell's labels.
    pub labels: BTreeMap<String, String>,
    /// The other number, and why both cannot be right.
    pub reason: String,
}

/// Printed numbers that are shown and not judged, because agreement would say nothing of a method:
/// they are of other rows or of another quantity than ours, or of the rows alone.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unjudged {
    /// The paper's datasets; all where there is none.
    #[serde(default)]
    pub datasets: Vec<String>,
    /// The paper's metrics; all where there is none.
    #[serde(default)]
    pub metrics: Vec<String>,
    /// The printed cells' labels; all columns without them.
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    /// Why they are not judged.
    pub reason: String,
}

impl Unjudged {
    /// Whether this printed number is one of them.
    pub fn has(&self, cell: &Cell) -> bool {
        let is_any = |names: &[String], name| names.is_empty() || names.contains(name);
        is_any(&self.datasets, &cell.dataset)
            && is_any(&self.metrics, &cell.metric)
            && (self.labels.is_empty() || self.labels == cell.labels)
    }
}

/// Why a printed number cannot be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exclusion {
    /// A theorem excludes it given other printed numbers.
    Impossible,
    /// No theorem excludes it, but no predictor approaches it.
    Implausible,
}

/// The kind of a printed spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SpreadKind {
    /// Standard deviation over repetitions.
    Sd,
    /// Standard error of the mean.
    Se,
    /// The paper does not say; by their size the spreads are standard deviations.
    SdPresumably,
    /// The paper does not say.
    Unknown,
    /// No spread is printed.
    None,
}

impl SpreadKind {
    /// The names of all kinds.
    pub const NAMES: [&'static str; 5] = ["sd", "se", "sd-presumably", "unknown", "none"];

    /// The kind of this name.
    pub fn read(name: &str) -> Option<Self> {
        let all = [Self::Sd, Self::Se, Self::SdPresumably, Self::Unknown, Self::None];
        all.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sd => "sd",
            Self::Se => "se",
            Self::SdPresumably => "sd-presumably",
            Self::Unknown => "unknown",
            Self::None => "none",
        }
    }

    /// The kinds as which a spread of this kind is read: both that are possible where the paper
    /// does not say which.
    pub fn readings(self) -> &'static [Self] {
        match self {
            Self::Sd => &[Self::Sd],
            Self::Se => &[Self::Se],
            Self::SdPresumably => &[Self::Sd, Self::Se],
            Self::Unknown => &[Self::Unknown],
            Self::None => &[Self::None],
        }
    }
}

impl Cell {
    /// Its dataset, metric and column.
    pub(super) fn key(&self) -> CellKey {
        CellKey {
            dataset: self.dataset.clone(),
            metric: self.metric.clone(),
            labels: self.labels.clone(),
        }
    }

    /// The printed number; `None` where a word is printed.
    pub fn number(&self) -> Option<f64> {
        self.value.parse().ok()
    }

    /// Whether the paper prints `none`, its word for a model that does not reach the required
    /// coverage.
    pub fn is_none(&self) -> bool {
        self.value == "none"
    }

    /// One unit of the last printed digit: 0.01 for `2.40`, 1 for `17`.
    pub fn last_digit(&self) -> f64 {
        unit_of_last_digit(&self.value)
    }

    /// The printed spread as a number.
    pub fn spread_number(&self) -> Option<f64> {
        self.spread.as_ref()?.parse().ok()
    }

    /// Standard error of the printed mean of n repetitions, the spread being read as `kind`; that
    /// of the standard deviation `own` where the paper prints none.
    pub fn standard_error(&self, kind: SpreadKind, own: f64, n: usize) -> f64 {
        match (kind, self.spread_number()) {
            (SpreadKind::Se, Some(error)) => error,
            (SpreadKind::Sd, Some(sd)) => sd / (n as f64).sqrt(),
            _ => own / (n as f64).sqrt(),
        }
    }

    /// The paper's number of repetitions, or `own` where none is printed.
    pub fn repetitions(&self, own: usize) -> usize {
        self.count.and_then(|count| usize::try_from(count).ok()).unwrap_or(own)
    }

    /// Turns the sign of the number and of its splits.
    pub(super) fn turn(&mut self) {
        if self.number().is_some_and(|number| number != 0.0) {
            self.value = match self.value.strip_prefix('-') {
                Some(positive) => positive.to_owned(),
                None => format!("-{}", self.value.trim_start_matches('+')),
            };
        }
        self.splits.iter_mut().for_each(|split| *split = -*split);
    }

    /// Finds a number that is none, and scores of splits that are not those behind it.
    pub(super) fn check(&self) -> Result<(), String> {
        let is_number = self.number().is_some_and(f64::is_finite) || self.is_none();
        let is_spread = self.spread.is_none()
            || self.spread_number().is_some_and(|spread| spread.is_finite() && spread >= 0.0);
        for (text, is_right) in [(Some(&self.value), is_number), (self.spread.as_ref(), is_spread)]
        {
            if let Some(text) = text.filter(|_| !is_right) {
                let [what, expected] = match self.spread.as_ref() == Some(text) {
                    true => ["spread", "digits of a number from 0 on, such as 0.12"],
                    false => ["number", "digits as printed, such as 2.40, or the word none"],
                };
                let found = printable(text, 60);
                return Err(format!("`{found}` is not a {what}: expected {expected}"));
            }
        }
        self.check_splits()
    }

    /// Finds scores of splits that are not those behind the printed number.
    fn check_splits(&self) -> Result<(), String> {
        let splits = &self.splits;
        if splits.is_empty() {
            return Ok(());
        }
        if self.count != Some(splits.len() as u64) {
            let count = self.count.map_or_else(|| "not stated".into(), |count| count.to_string());
            return Err(format!("{} `splits`, but `count` is {count}", splits.len()));
        }
        let mean = splits.iter().sum::<f64>() / splits.len() as f64;
        // Some authors cut digits off instead of rounding.
        match self.number() {
            Some(v) if (mean - v).abs() < self.last_digit() => Ok(()),
            _ => {
                let value = &self.value;
                Err(format!("the mean of `splits` is {mean}, expected the printed {value}"))
            }
        }
    }
}

impl Published {
    /// The printed number of a dataset, metric and column.
    pub fn cell(
        &self,
        dataset: &str,
        metric: &str,
        labels: &BTreeMap<String, String>,
    ) -> Option<&Cell> {
        self.cells
            .iter()
            .find(|c| c.dataset == dataset && c.metric == metric && c.labels == *labels)
    }
}

/// One unit of the last digit of a number as it is printed: 0.01 for `2.40`, 10 for `1.2e2`.
pub fn unit_of_last_digit(text: &str) -> f64 {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let decimals = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let exponent = exponent.parse::<i32>().unwrap_or(0);
    10_f64.powi(exponent.saturating_sub(i32::try_from(decimals).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(value: &str) -> Cell {
        Cell {
            file: None,
            line: 1,
            dataset: "d".into(),
            metric: "rmse".into(),
            labels: BTreeMap::new(),
            stated: Stated::default(),
            value: value.into(),
            spread: None,
            spread_kind: SpreadKind::None,
            count: None,
            splits: Vec::new(),
        }
    }

    #[test]
    fn digits_give_the_last_unit() {
        let unit = |value| cell(value).last_digit();
        assert_eq!((unit("2.40"), unit("17"), unit("-1.234")), (0.01, 1.0, 0.001));
        assert_eq!((unit("1.2e2"), unit("3E-4")), (10.0, 1e-4));
        assert!(cell("none").number().is_none() && cell("none").is_none());
    }

    #[test]
    fn a_turned_number_keeps_its_digits() {
        let turned = |value: &str| {
            let mut one = Cell { splits: vec![0.5], ..cell(value) };
            one.turn();
            (one.value, one.splits[0])
        };
        assert_eq!(turned("2.40"), ("-2.40".into(), -0.5));
        assert_eq!(turned("-2.40"), ("2.40".into(), -0.5));
        assert_eq!((turned("0.00").0, turned("none").0), ("0.00".into(), "none".into()));
    }

    #[test]
    fn scores_of_splits_must_be_those_behind_the_number() {
        let with = |count, splits: &[f64]| Cell { count, splits: splits.to_vec(), ..cell("0.50") };
        // A mean of 0.5095 may have been cut to 0.50.
        assert_eq!(with(Some(2), &[0.4, 0.619]).check(), Ok(()));
        let message = |count, splits: &[f64]| with(count, splits).check().unwrap_err();
        assert!(message(Some(2), &[0.4, 0.62]).contains("the mean of `splits` is 0.51"));
        assert!(message(Some(3), &[0.5, 0.5]).contains("2 `splits`, but `count` is 3"));
        assert!(message(None, &[0.5]).contains("`count` is not stated"));
        assert!(message(Some(1), &[f64::NAN]).contains("NaN"));
    }

    #[test]
    fn a_spread_of_unsaid_kind_is_read_as_both() {
        let kind = SpreadKind::read("sd-presumably").unwrap();
        let cell = Cell { spread: Some("0.20".into()), spread_kind: kind, ..cell("0.50") };
        let errors: Vec<f64> = cell
            .spread_kind
            .readings()
            .iter()
            .map(|kind| cell.standard_error(*kind, 9.0, 16))
            .collect();
        assert_eq!(errors, [0.05, 0.2]);
        let own = cell.standard_error(SpreadKind::Unknown, 0.4, 16);
        assert_eq!(own, 0.1, "our own standard deviation");
        let counted = Cell { count: Some(5), ..cell.clone() };
        assert_eq!((cell.repetitions(7), counted.repetitions(7)), (7, 5));
        for name in SpreadKind::NAMES {
            assert_eq!(SpreadKind::read(name).map(SpreadKind::as_str), Some(name));
        }
        assert_eq!(SpreadKind::read("stdev"), None);
    }
}
