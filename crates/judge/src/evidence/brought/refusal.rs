//! Say why an entry is refused: what, where, and what was expected.

use std::error::Error;
use std::fmt;

use uq_core::names::{counted, did_you_mean};
use uqbench_data::own::OwnError;

/// What is said of a leak that a program finds: it finds the plain ones alone.
const NOISE: &str = "A leak to which noise was added cannot be detected";

/// Most reasons that are listed.
const MOST_REASONS: usize = 12;

/// Why an entry is refused.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// Its card is of another board.
    OtherBoard {
        /// The board that the card names.
        card: String,
        /// The board to which it was brought.
        board: String,
    },
    /// The card says of a split that is none, or twice of one, that it failed.
    WrongFailure {
        /// The dataset.
        dataset: String,
        /// The split.
        split: u64,
        /// What is wrong.
        why: String,
    },
    /// A file that cannot be read, or a cell that cannot be a prediction.
    Cell(OwnError),
    /// A dataset that the board does not have.
    UnknownDataset {
        /// Its name in the file.
        name: String,
        /// The most similar key.
        nearest: Option<String>,
        /// Number of its rows.
        rows: usize,
    },
    /// A split that the board does not have.
    UnknownSplit {
        /// The dataset.
        dataset: String,
        /// The split.
        split: f64,
        /// Number of splits.
        splits: u64,
    },
    /// Rows that the split does not have.
    UnknownRows {
        /// The dataset.
        dataset: String,
        /// The split.
        split: u64,
        /// The first of them.
        first: f64,
        /// Number of them.
        count: usize,
        /// Number of test rows of the split.
        rows: usize,
    },
    /// Rows that are there several times.
    Twice {
        /// The dataset.
        dataset: String,
        /// The split.
        split: u64,
        /// The first of them.
        first: usize,
        /// Number of surplus lines.
        count: usize,
    },
    /// Rows of a split that are not there.
    MissingRows {
        /// The dataset.
        dataset: String,
        /// The split.
        split: u64,
        /// The first of them.
        first: Vec<usize>,
        /// Number of them.
        count: usize,
        /// Number of test rows of the split.
        rows: usize,
    },
    /// Splits of a dataset of which no row is there.
    MissingSplits {
        /// The dataset.
        dataset: String,
        /// The splits.
        splits: Vec<u64>,
    },
    /// A split that has failed by the card, and has predictions.
    FailedWithRows {
        /// The dataset.
        dataset: String,
        /// The split.
        split: u64,
    },
    /// Predictions that are the outcomes.
    Leak {
        /// The dataset.
        dataset: String,
        /// What is equal to the outcomes: a column, or the mean or the median.
        what: String,
        /// Number of rows that were compared.
        rows: usize,
        /// Number of rows in which it is equal.
        equal: usize,
        /// Whether these are the rows whose outcome no training row has.
        are_new: bool,
    },
    /// Predictions that go along with the outcomes in other units.
    Units {
        /// The dataset.
        dataset: String,
        /// Share of the outcomes' variance that the predictions explain by least squares.
        explained: f64,
        /// Least squares: outcome = shift + factor · prediction.
        line: (f64, f64),
        /// Distance of the mean prediction from the mean outcome, in standard deviations.
        distance: f64,
        /// Whether factor and shift are those of a standardised target.
        is_standardised: bool,
    },
    /// Predictions that lie far from all outcomes.
    FarOff {
        /// The dataset.
        dataset: String,
        /// The median of the predicted centres.
        median: f64,
        /// Mean and standard deviation of the outcomes.
        outcomes: (f64, f64),
    },
    /// Another entry has the same predictions.
    SameAs {
        /// Its name and version.
        heading: String,
    },
    /// Another entry has the same name and version, and other content.
    Taken {
        /// Its name and version.
        heading: String,
    },
}

/// All reasons for which an entry is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusals(pub Vec<Refusal>);

impl From<OwnError> for Refusals {
    fn from(error: OwnError) -> Self {
        Self(vec![Refusal::Cell(error)])
    }
}

impl Error for Refusals {}

impl fmt::Display for Refusals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0[..] {
            [only] => write!(f, "{only}"),
            all => {
                let mut lines: Vec<String> =
                    all.iter().take(MOST_REASONS).map(ToString::to_string).collect();
                let hidden = all.len() - lines.len();
                lines.extend((hidden > 0).then(|| format!("and {hidden} more")));
                write!(f, "{} reasons\n  {}", all.len(), lines.join("\n  "))
            }
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherBoard { card, board } => write!(
                f,
                "card, `board`: found `{card}`, expected `{board}`: an entry belongs to the board \
                 whose splits it predicts"
            ),
            Self::WrongFailure { dataset, split, why } => {
                write!(f, "card, `failed`, dataset `{dataset}`, split {split}: {why}")
            }
            Self::Cell(error) => error.fmt(f),
            Self::UnknownDataset { name, nearest, rows } => write!(
                f,
                "dataset `{name}`: the board has none of this name{}; {} of the file name it",
                did_you_mean(nearest),
                counted(*rows, "row")
            ),
            Self::UnknownSplit { dataset, split, splits } => write!(
                f,
                "dataset `{dataset}`, split {split}: expected one of 0 to {}",
                splits.saturating_sub(1)
            ),
            Self::UnknownRows { dataset, split, first, count, rows } => {
                let others = others(*count);
                write!(
                    f,
                    "dataset `{dataset}`, split {split}, row {first}{others}: expected rows 0 to \
                     {}, the positions in `X_test`{}",
                    rows.saturating_sub(1),
                    if *count == 1 && *first == *rows as f64 { ", counted from 0" } else { "" }
                )
            }
            Self::Twice { dataset, split, first, count } => write!(
                f,
                "dataset `{dataset}`, split {split}, row {first}{}: found several predictions, \
                 expected one a row",
                others(*count)
            ),
            Self::MissingRows { dataset, split, first, count, rows } => {
                let named: Vec<String> = first.iter().map(usize::to_string).collect();
                let more = if first.len() < *count { ", …" } else { "" };
                write!(
                    f,
                    "dataset `{dataset}`, split {split}: {count} of {rows} rows are missing ({}{more}): \
                     expected a prediction of every row of `X_test`",
                    named.join(", ")
                )
            }
            Self::MissingSplits { dataset, splits } => {
                let named: Vec<String> = splits.iter().take(8).map(u64::to_string).collect();
                let more = if splits.len() > named.len() { ", …" } else { "" };
                write!(
                    f,
                    "dataset `{dataset}`: no row of {} ({}{more}): predict all rows, or say in the \
                     card why there is none: below `[[failed]]`, or by `part = true` for a part of \
                     the board, which is listed and never ranked",
                    counted(splits.len(), "split"),
                    named.join(", ")
                )
            }
            Self::FailedWithRows { dataset, split } => write!(
                f,
                "dataset `{dataset}`, split {split}: the card says that it failed, but the file \
                 has predictions: leave out one of both"
            ),
            Self::Leak { dataset, what, rows, equal, are_new } => {
                let of = match are_new {
                    true => {
                        "whose outcome no training row has; other rows tell such a number in \
                                 one of ten at most"
                    }
                    false => "of it: no rounded prediction is always right",
                };
                write!(
                    f,
                    "dataset `{dataset}`: {what} is exactly the outcome in {equal} of {rows} test \
                     rows {of}. These are test outcomes, not predictions. {NOISE}"
                )
            }
            Self::Units {
                dataset,
                explained,
                line: (shift, factor),
                distance,
                is_standardised,
            } => {
                write!(
                    f,
                    "dataset `{dataset}`: the predictions explain {:.0} % of the outcomes' variance, \
                     but not in the target's units: by least squares the outcome is {shift:.4} + \
                     {factor:.4} · the predicted centre, and the mean prediction lies {distance:.1} \
                     standard deviations from the mean outcome; expected a factor between 1/3 and \
                     3, and 2 standard deviations at most",
                    100.0 * explained
                )?;
                match is_standardised {
                    true => f.write_str(
                        ". Factor and shift are those of a standardised target: multiply means and \
                         standard deviations by the standard deviation of `y_train`, and add its \
                         mean to the means",
                    ),
                    false => Ok(()),
                }
            }
            Self::FarOff { dataset, median, outcomes: (mean, sd) } => write!(
                f,
                "dataset `{dataset}`: the median of the predicted centres is {median:.4}, more than \
                 two standard deviations from the outcomes (mean {mean:.4}, standard deviation \
                 {sd:.4}) and from those of the training rows: expected predictions in the unit of \
                 `y_train`"
            ),
            Self::SameAs { heading } => write!(
                f,
                "its predictions are those of the entry `{heading}`, number by number: an entry \
                 has predictions of its own; to correct the card of that entry before anybody has \
                 it, remove its folder first"
            ),
            Self::Taken { heading } => write!(
                f,
                "there is an entry `{heading}` with another content: entries are never changed; \
                 state another `version` in the card"
            ),
        }
    }
}

/// The end of what names the first of several.
fn others(count: usize) -> String {
    match count.saturating_sub(1) {
        0 => String::new(),
        others => format!(" (and {} more)", others),
    }
}
