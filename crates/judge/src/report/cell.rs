//! Hold the cells of a report's tables: numbers, and why there is none.

use serde::Serialize;

use super::real;
use crate::evidence::Series;
use crate::evidence::unconverged::Count;
use crate::judgement::leaders::AgainstBest;
use uq_core::stats::Summary;
use uqbench_run::runner::key::TrialKey;

/// A cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "cell", rename_all = "kebab-case")]
pub enum Cell {
    /// Words, such as the name of a dataset.
    Text {
        /// The words; may be empty.
        text: String,
    },
    /// A number.
    Number(Number),
    /// The score of a column on a dataset, beside the printed number.
    Score(Box<Score>),
    /// What a learning curve gains over that of random rows.
    Gain(Gain),
    /// A mean over splits, of which some have the score of another method.
    Imputed(Imputed),
    /// A printed number for which the benchmark file has no method.
    Printed {
        /// The number as it is printed.
        value: String,
        /// Its place in the report's list of judged numbers.
        line: Option<usize>,
    },
    /// No number.
    Empty {
        /// Why, in words; empty where its place in the table says it.
        reason: String,
    },
}

/// A number, and how it is written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Number {
    /// The number.
    #[serde(serialize_with = "real::serialize")]
    pub value: f64,
    /// Its standard deviation or standard error, as the note of the table says.
    #[serde(serialize_with = "real::option::serialize")]
    pub spread: Option<f64>,
    /// How it is written.
    pub form: Form,
    /// The first trial behind it.
    pub first_trial: Option<FirstTrial>,
}

/// What a learning curve gains over that of random rows after the same first fit.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Gain {
    /// Mean gain of the area, positive where the curve is better; `None` for random rows
    /// themselves.
    pub mean: Option<f64>,
    /// Its corrected standard error; `None` for one repetition.
    pub error: Option<f64>,
    /// The smallest gain that this design would find significant on its own.
    pub detectable: Option<f64>,
    /// p-value of the gain.
    pub p: Option<f64>,
    /// The first trial behind it.
    pub first_trial: Option<FirstTrial>,
}

/// A mean over splits of which some failed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Imputed {
    /// Mean, standard deviation and number of splits.
    #[serde(serialize_with = "summary")]
    pub summary: Option<Summary>,
    /// Failed splits that have the score of another method.
    pub imputed: usize,
}

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// With its spread, and as many digits as that needs.
    Spread,
    /// With as many digits as an uncertainty of this size needs; with four significant digits
    /// without one.
    Digits(Option<f64>),
    /// With a fixed number of decimals.
    Decimals(u8),
    /// In per cent, with this number of decimals, without the sign.
    Hundredths(u8),
    /// In per cent without decimals, with the sign.
    Percent,
    /// All its digits: a count, a level or an abscissa.
    Exact,
    /// A p-value.
    PValue,
    /// An estimate that may be infinite, or so large that it is written with a power of ten.
    Estimate,
    /// A factor, which may be infinite.
    Factor,
    /// A count of this total: `3 of 10`.
    Of(usize),
    /// A root mean square, with the share of its square that is bias.
    WithShare(Option<f64>),
}

/// The score of a column on a dataset over its repetitions.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    /// Mean, standard deviation and number of the repetitions that have a score.
    #[serde(serialize_with = "summary")]
    pub summary: Option<Summary>,
    /// Number of repetitions that are expected to have one.
    pub expected: usize,
    /// The largest such number in its row.
    pub most: usize,
    /// The median, where one repetition alone decides the spread.
    #[serde(serialize_with = "real::option::serialize")]
    pub median: Option<f64>,
    /// Whether its difference from the reference column is significant.
    pub significant: bool,
    /// How it stands against the best mean of its row; `None` where that is not known.
    pub against_best: Option<AgainstBest>,
    /// Fits that had not converged, where fits report it.
    pub unconverged: Option<Count>,
    /// Whether the coverage of validation rows misses its level.
    pub misses_coverage: bool,
    /// The printed number.
    pub printed: Option<String>,
    /// Its place in the report's list of judged numbers.
    pub line: Option<usize>,
    /// Why there is no score, in words; empty where there is one.
    pub reason: String,
    /// The first trial behind it.
    pub first_trial: Option<FirstTrial>,
}

/// The first of the trials behind a number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FirstTrial {
    /// Its key.
    pub key: TrialKey,
    /// How many trials are behind the number.
    pub of: usize,
}

impl FirstTrial {
    /// The first of a column's finished trials.
    pub fn of(series: &Series) -> Option<Self> {
        let key = series.first_finished()?.key.clone();
        Some(Self { key, of: series.finished().count() })
    }
}

impl Cell {
    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// No number, as its place in the table says.
    pub fn empty() -> Self {
        Self::Empty { reason: String::new() }
    }

    /// A number written in this form; no number for `None`.
    pub fn number(value: Option<f64>, form: Form) -> Self {
        value.map_or_else(Self::empty, |value| {
            Self::Number(Number { value, spread: None, form, first_trial: None })
        })
    }

    /// A number with its spread; no number for `None`.
    pub fn spread(value: Option<f64>, spread: Option<f64>) -> Self {
        let number =
            |value| Self::Number(Number { value, spread, form: Form::Spread, first_trial: None });
        value.map_or_else(Self::empty, number)
    }

    /// A count.
    pub fn count(count: usize) -> Self {
        Self::number(Some(count as f64), Form::Exact)
    }

    /// The same number, of which this is the first trial.
    #[must_use]
    pub fn of_trial(self, first_trial: Option<FirstTrial>) -> Self {
        match self {
            Self::Number(number) => Self::Number(Number { first_trial, ..number }),
            Self::Gain(gain) => Self::Gain(Gain { first_trial, ..gain }),
            other => other,
        }
    }
}

impl Score {
    /// The score of a column by a metric, without what stands beside it in a table.
    pub fn of(
        series: &Series,
        summary: Option<Summary>,
        most: usize,
        unconverged: Option<Count>,
    ) -> Self {
        Self {
            summary,
            expected: series.expected(),
            most,
            median: None,
            significant: false,
            against_best: None,
            unconverged: unconverged.filter(|_| summary.is_some()),
            misses_coverage: false,
            printed: None,
            line: None,
            reason: if summary.is_some() { String::new() } else { series.why_none() },
            first_trial: FirstTrial::of(series),
        }
    }
}

/// Writes a summary.
pub(super) fn summary<S: serde::Serializer>(
    summary: &Option<Summary>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Written {
        #[serde(serialize_with = "real::serialize")]
        mean: f64,
        #[serde(serialize_with = "real::option::serialize")]
        sd: Option<f64>,
        n: usize,
    }
    summary.map(|Summary { mean, sd, n }| Written { mean, sd, n }).serialize(serializer)
}
