//! Say how far the runs behind a claim have come: whether they ran at all, and whether they are
//! enough to decide.

use serde::{Deserialize, Serialize};

use crate::evidence::Series;
use crate::judgement::verdict::FEWEST;

/// How far the runs behind a claim have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Extent {
    /// No trial of its columns has run.
    NotRun,
    /// Trials have run, and no repetition has every number that the claim needs.
    NoNumber,
    /// Trials have run in this number of repetitions, fewer than ten.
    TooFew(usize),
    /// Ten repetitions or more.
    Enough,
}

impl Extent {
    /// Of a claim about these columns, which `n` repetitions decide.
    pub(super) fn of(columns: &[Series], n: usize) -> Self {
        match n {
            0 if columns.iter().any(Series::has_run) => Self::NoNumber,
            0 => Self::NotRun,
            few if few < FEWEST => Self::TooFew(few),
            _ => Self::Enough,
        }
    }
}
