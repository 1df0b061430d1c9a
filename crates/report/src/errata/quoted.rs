//! Hold the numbers that errata quote against the committed run that they come from.
//!
//! `tests/data/quoted-numbers.csv` has a line for each number: the item, its words with the number
//! in braces, and where the number is in the committed CSV files. A later run that moves a number
//! fails the test until the words say the new one.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::with_errata;
use uq_core::stats::Summary;
use uq_core::stats::paired::ALPHA;
use uqbench_run::benchmark::papers::errata;

/// A number that an item quotes.
#[derive(Debug, Deserialize)]
struct Quoted {
    /// Anchor of the item, or key of the paper whose file has the words outside of any item.
    place: String,
    /// The words, with the number in braces.
    words: String,
    /// Name of the CSV file of the run, without ending.
    run: String,
    dataset: String,
    column: String,
    variant: String,
    x: String,
    metric: String,
    statistic: Statistic,
    /// Variant of the same column that is subtracted, repetition by repetition; only for statistics
    /// of a change.
    against: String,
    /// What the number in the file is multiplied by: 100 for a share in per cent.
    times: f64,
}

/// What is told of a column's repetitions.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Statistic {
    Mean,
    Sd,
    StandardError,
    HalfWidth,
    Median,
    Lowest,
    Highest,
    Repetitions,
    Change,
    SdOfChange,
    POfChange,
}

impl Statistic {
    fn is_of_change(self) -> bool {
        matches!(self, Self::Change | Self::SdOfChange | Self::POfChange)
    }

    fn of(self, values: &[f64]) -> Option<f64> {
        let summary = Summary::from_values(values)?;
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        match self {
            Self::Mean | Self::Change => Some(summary.mean),
            Self::Sd | Self::SdOfChange => summary.sd,
            Self::StandardError => summary.standard_error(),
            Self::HalfWidth => summary.half_width(ALPHA),
            Self::POfChange => summary.p_value(),
            Self::Median => Some((sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]) / 2.0),
            Self::Lowest => sorted.first().copied(),
            Self::Highest => sorted.last().copied(),
            Self::Repetitions => Some(values.len() as f64),
        }
    }
}

/// The CSV files of committed runs, each read once.
struct Runs(HashMap<String, Vec<HashMap<String, String>>>);

impl Runs {
    fn rows(&mut self, run: &str) -> &[HashMap<String, String>] {
        self.0.entry(run.to_owned()).or_insert_with(|| {
            let mut reader =
                csv::Reader::from_path(root().join("reports").join(format!("{run}.csv"))).unwrap();
            reader.deserialize().map(Result::unwrap).collect()
        })
    }

    /// The numbers of the repetitions of the one column that is named so.
    fn repetitions(&mut self, quoted: &Quoted, variant: &str) -> Vec<Option<f64>> {
        let Quoted { run, dataset, column, x, metric, .. } = quoted;
        let wanted = [("dataset", dataset), ("column", column), ("x", x), ("metric", metric)];
        let is_it = |row: &&HashMap<String, String>| {
            row["variant"] == variant && wanted.iter().all(|(name, value)| row[*name] == **value)
        };
        let found: Vec<_> = self.rows(run).iter().filter(is_it).collect();
        assert_eq!(found.len(), 1, "{quoted:?}: the run has as many such columns");
        found[0]["repetitions"].split(' ').map(|number| number.parse().ok()).collect()
    }

    fn number(&mut self, quoted: &Quoted) -> f64 {
        let mut values = self.repetitions(quoted, &quoted.variant);
        if quoted.statistic.is_of_change() {
            let others = self.repetitions(quoted, &quoted.against);
            let shared = values.len().min(others.len());
            values.truncate(shared);
            values = values.iter().zip(others).map(|(own, other)| Some((*own)? - other?)).collect();
        }
        let values: Vec<f64> = values.into_iter().flatten().collect();
        quoted.times
            * quoted.statistic.of(&values).unwrap_or_else(|| panic!("{quoted:?}: no such number"))
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The number between braces, and the number of its decimals.
fn printed(quoted: &Quoted) -> (f64, i32) {
    let number =
        quoted.words.split_once('{').and_then(|(_, rest)| Some(rest.split_once('}')?.0)).unwrap();
    let spelled = [("three", 3.0), ("five", 5.0), ("ten", 10.0)];
    if let Some((_, value)) = spelled.iter().find(|(word, _)| *word == number) {
        return (*value, 0);
    }
    let decimals = number.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
    (number.replace('−', "-").trim_start_matches('+').parse().unwrap(), decimals)
}

/// The words at a place, in one line.
fn text(place: &str) -> String {
    let item = errata().iter().find(|one| one.anchor() == place).map(|one| one.line.clone());
    let file = || with_errata().find(|paper| paper.key == place).map(|paper| &paper.errata_text);
    let whole = || file().map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    item.or_else(whole).unwrap_or_else(|| panic!("{place}: no item"))
}

fn all() -> Vec<Quoted> {
    let bytes = fs::read(root().join("tests/data/quoted-numbers.csv")).unwrap();
    csv::Reader::from_reader(bytes.as_slice()).deserialize().map(Result::unwrap).collect()
}

#[test]
fn numbers_that_errata_quote_are_those_of_the_committed_run() {
    let (all, mut runs, mut wrong) = (all(), Runs(HashMap::new()), Vec::new());
    for quoted in &all {
        let (value, decimals) = printed(quoted);
        let found = runs.number(quoted);
        if (found - value).abs() > 0.5 * 10_f64.powi(-decimals) * (1.0 + 1e-9) {
            wrong.push(format!("{}: “{}”, and the run has {found}", quoted.place, quoted.words));
        }
        let words = quoted.words.replace(['{', '}'], "");
        if !text(&quoted.place).contains(&words) {
            wrong.push(format!("{}: has no words “{words}”", quoted.place));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
    assert!(all.len() > 300, "{}", all.len());
}
