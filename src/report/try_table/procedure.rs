//! Judge what the whole procedure covers, choice included, at rows that have chosen nothing.
//!
//! Rows that choose a method also make its coverage look good. Where the rows of each fold, which have not chosen the method that
//! predicts them, are covered too rarely, the coverage of the recommended method is no promise.

use crate::runner::try_table::Evaluation;
use crate::stats::coverage::{Coverage, Kept};

use super::choice::{Rated, choice, estimated};
use super::summary::summed;
use super::words::{in_words, percent_of, stated};

/// The coverage, judged by the rule of the methods; `None` where some folds choose no method.
pub(super) fn judged(evaluation: &Evaluation) -> Option<(Coverage, Kept)> {
    let coverage = estimated(evaluation)?;
    Some((coverage, coverage.against(evaluation.bounds.level)))
}

/// What is estimated of the whole procedure, in sentences.
pub(super) fn in_all(evaluation: &Evaluation) -> String {
    match judged(evaluation) {
        Some((coverage, kept)) => format!(
            "Coverage of the whole procedure, choice included: {}: {}. For each fold the method was chosen on the other \
             folds alone.",
            in_words(coverage),
            kept.words(coverage.rows)
        ),
        None => "Coverage of the whole procedure, choice included: not known, because for some fold the other folds \
                 recommend no method."
            .into(),
    }
}

/// The warning that the whole procedure covers too few rows, whatever the recommended method covers. `None` where that is not so, and
/// where no method is recommended.
pub fn warning_of_procedure(evaluation: &Evaluation) -> Option<String> {
    let all = summed(evaluation);
    let chosen = choice(&Rated::all(&all)).ok()?.chosen;
    let (coverage, _) = judged(evaluation).filter(|(_, kept)| *kept == Kept::TooLow)?;
    let (of_chosen, _) = chosen.summed.coverage?;
    Some(format!(
        "the {} of the whole procedure, choice included, cover only {} of the rows, which have chosen nothing: too few. Expect so \
         much of new rows, and not the {} of `{}`, which was chosen by the same rows.",
        stated(evaluation.bounds),
        in_words(coverage),
        percent_of(of_chosen.share()),
        chosen.id()
    ))
}
