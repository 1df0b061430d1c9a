//! Find what a reader of a method's row should know.

use super::summary::Summed;
use uqbench_run::runner::try_table::Tried;

/// What became of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate<'a> {
    /// It failed, for this reason.
    Failed(&'a str),
    /// Its intervals have no width.
    Points,
    /// This theorem guarantees its coverage.
    Guaranteed(&'a str),
    /// Nothing that its row does not show.
    Shown,
}

/// What became of this method.
pub(super) fn fate<'a>(method: &Summed<'a>) -> Fate<'a> {
    let tried: &'a Tried = method.tried;
    match (&tried.folds, &tried.guaranteed) {
        (Err(why), _) => Fate::Failed(why),
        (Ok(_), _) if method.width == Some(0.0) => Fate::Points,
        (Ok(_), Some(guarantee)) => Fate::Guaranteed(&guarantee.theorem),
        (Ok(_), None) => Fate::Shown,
    }
}
