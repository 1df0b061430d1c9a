//! Read the numbers that a paper prints, with digits as strings, so that the last printed digit is
//! known.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

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

/// One printed number.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The paper's dataset.
    pub dataset: String,
    /// The paper's metric.
    pub metric: String,
    /// Further labels that identify it: method, strength, level …
    pub labels: BTreeMap<String, String>,
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

/// A column that the paper prints and that no method here computes yet.
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
        let decimals = self.value.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        10_f64.powi(-i32::try_from(decimals).unwrap_or(0))
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

    /// Finds a number that is not finite, one that an `earlier` cell has, and scores of splits that
    /// are not those behind it.
    fn check(&self, earlier: &[Self]) -> Result<(), String> {
        if self.number().is_some_and(|v| !v.is_finite()) {
            return Err(format!(
                "`{}` is not a number ({} {:?})",
                self.value, self.dataset, self.labels
            ));
        }
        let key = |cell: &Self| (cell.dataset.clone(), cell.metric.clone(), cell.labels.clone());
        if earlier.iter().any(|other| key(other) == key(self)) {
            return Err(format!(
                "printed twice: {} {} {:?}",
                self.dataset, self.metric, self.labels
            ));
        }
        self.check_splits()
    }

    /// Finds scores of splits that are not those behind the printed number.
    fn check_splits(&self) -> Result<(), String> {
        let (splits, place) =
            (&self.splits, || format!("{} {} {:?}", self.dataset, self.metric, self.labels));
        if splits.is_empty() {
            return Ok(());
        }
        if self.count != Some(splits.len() as u64) {
            return Err(format!(
                "{}: {} `splits`, but `count` is {:?}",
                place(),
                splits.len(),
                self.count
            ));
        }
        let mean = splits.iter().sum::<f64>() / splits.len() as f64;
        // Some authors cut digits off instead of rounding.
        match self.number() {
            Some(v) if (mean - v).abs() < self.last_digit() => Ok(()),
            _ => Err(format!(
                "{}: the mean of `splits` is {mean}, expected the printed {}",
                place(),
                self.value
            )),
        }
    }
}

impl Published {
    /// Reads a file of printed numbers, and of hints in the same form: every text field that is not
    /// named here is a label.
    ///
    /// # Errors
    /// A message that names the invalid entry.
    pub fn parse(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct File {
            published: Vec<Entry>,
            #[serde(default)]
            hint: Vec<Entry>,
            hint_source: Option<String>,
        }
        #[derive(Deserialize)]
        struct Entry {
            dataset: String,
            metric: String,
            value: String,
            spread: Option<String>,
            spread_kind: SpreadKind,
            count: Option<u64>,
            #[serde(default)]
            splits: Vec<f64>,
            #[serde(flatten)]
            labels: BTreeMap<String, String>,
        }
        let of_entry = |entry: Entry| {
            let Entry { dataset, metric, value, spread, spread_kind, count, splits, labels } =
                entry;
            Cell { dataset, metric, labels, value, spread, spread_kind, count, splits }
        };
        let File { published, hint, hint_source } =
            toml::from_str(text).map_err(|error| error.to_string())?;
        let hints: Vec<Cell> = hint.into_iter().map(of_entry).collect();
        if !hints.is_empty() && hint_source.is_none() {
            return Err("there are hints, but no `hint_source` says where they are from".into());
        }
        let mut cells: Vec<Cell> = Vec::with_capacity(published.len());
        for cell in published.into_iter().map(of_entry) {
            cell.check(&cells)?;
            cells.push(cell);
        }
        for (at, hint) in hints.iter().enumerate() {
            hint.check(&cells)?;
            hint.check(&hints[..at])?;
        }
        Ok(Self { cells, hints, hint_source })
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: &str) -> String {
        format!(
            "[[published]]\ndataset = \"d\"\nmethod = \"m\"\nmetric = \"rmse\"\nvalue = \
             \"{value}\"\nspread_kind = \"none\"\n"
        )
    }

    #[test]
    fn digits_give_the_last_unit() {
        let unit = |value| Published::parse(&entry(value)).unwrap().cells[0].last_digit();
        assert_eq!((unit("2.40"), unit("17"), unit("-1.234")), (0.01, 1.0, 0.001));
        let none = Published::parse(&entry("none")).unwrap();
        assert!(none.cells[0].number().is_none() && none.cells[0].is_none());
    }

    #[test]
    fn damaged_files_are_refused() {
        assert!(Published::parse(&entry("NaN")).unwrap_err().contains("not a number"));
        assert!(
            Published::parse(&(entry("1") + &entry("2"))).unwrap_err().contains("printed twice")
        );
        assert!(Published::parse("[[published]]\ndataset = 3").is_err());
    }

    #[test]
    fn a_hint_has_a_source_and_is_no_printed_number() {
        let hint = entry("0.61").replace("published", "hint");
        let other = hint.replace("method = \"m\"", "method = \"n\"");
        let read =
            Published::parse(&format!("hint_source = \"a reprint\"\n{}{other}", entry("0.60")))
                .unwrap();
        assert_eq!(
            (read.cells.len(), read.hints.len(), read.hints[0].value.as_str()),
            (1, 1, "0.61")
        );
        let message = |text: &str| Published::parse(text).unwrap_err();
        assert!(message(&format!("{}{other}", entry("0.60"))).contains("no `hint_source`"));
        let both = format!("hint_source = \"a reprint\"\n{}{hint}", entry("0.60"));
        assert!(message(&both).contains("printed twice"));
    }

    #[test]
    fn scores_of_splits_must_be_those_behind_the_number() {
        let with = |rest: &str| Published::parse(&format!("{}{rest}\n", entry("0.50")));
        let read = with("count = 2\nsplits = [0.4, 0.619]").unwrap();
        assert_eq!(
            read.cells[0].splits,
            [0.4, 0.619],
            "a mean of 0.5095 may have been cut to 0.50"
        );
        let message = |rest: &str| with(rest).unwrap_err();
        assert!(
            message("count = 2\nsplits = [0.4, 0.62]").contains("the mean of `splits` is 0.51")
        );
        assert!(
            message("count = 3\nsplits = [0.5, 0.5]")
                .contains("2 `splits`, but `count` is Some(3)")
        );
        assert!(message("splits = [0.5]").contains("`count` is None"));
        assert!(message("count = 1\nsplits = [nan]").contains("NaN"));
    }

    #[test]
    fn a_spread_of_unsaid_kind_is_read_as_both() {
        let text = entry("0.50").replace("\"none\"", "\"sd-presumably\"");
        let cell = &Published::parse(&format!("{text}spread = \"0.20\"\n")).unwrap().cells[0];
        assert_eq!(cell.spread_kind.as_str(), "sd-presumably");
        let errors: Vec<f64> = cell
            .spread_kind
            .readings()
            .iter()
            .map(|kind| cell.standard_error(*kind, 9.0, 16))
            .collect();
        assert_eq!(errors, [0.05, 0.2]);
        assert_eq!(
            cell.standard_error(SpreadKind::Unknown, 0.4, 16),
            0.1,
            "our own standard deviation"
        );
        assert_eq!(
            (cell.repetitions(7), Cell { count: Some(5), ..cell.clone() }.repetitions(7)),
            (7, 5)
        );
    }
}
