//! Select the training rows and the test rows of a repetition.

use ndarray::Array1;

use super::{Protocol, RowSubset, Setting, Source, active_learning};
use crate::data::Table;
use crate::data::splits::{self, Split, SplitError, TestSize};
use crate::math::random::draw_without_replacement;
use crate::methods::FitError;

/// Training rows, test rows, and every row that takes part.
#[derive(Debug)]
pub(super) struct Rows {
    pub train: Table,
    pub test: Table,
    /// True standard deviation of the noise at the test rows, where it is known, in the target's own units.
    pub noise: Option<Array1<f64>>,
    /// Noise-free truth at the test rows, where it is known, in the target's own units.
    pub truth: Option<Array1<f64>>,
    pub all: Table,
}

/// Selects and divides the rows of one repetition.
///
/// # Errors
/// [`FitError::Unsupported`] where the protocol does not fit the source or cannot divide its rows.
pub(super) fn rows(setting: &Setting, source: Source) -> Result<Rows, FitError> {
    match (setting.protocol, source) {
        (Protocol::Demonstration, Source::Simulated(problem)) => {
            let drawn = problem.draw(&mut setting.data_streams.stream("draw", setting.split));
            let (noise, truth) = (drawn.noise, drawn.truth);
            Ok(Rows { all: drawn.test.clone(), train: drawn.train, test: drawn.test, noise, truth })
        }
        (Protocol::ActiveLearning { start, .. }, Source::Simulated(problem)) => {
            let drawn = problem.draw(&mut setting.data_streams.stream("draw", setting.split));
            let known = active_learning::first_rows(drawn.train.rows(), *start, &setting.data_streams, setting.split);
            let (noise, truth) = (drawn.noise, drawn.truth);
            Ok(Rows { train: drawn.train.select(&known), all: drawn.train, test: drawn.test, noise, truth })
        }
        (Protocol::WholeData, Source::Simulated(problem)) => {
            let all = problem.draw(&mut setting.data_streams.stream("draw", setting.split)).train;
            Ok(Rows { train: all.clone(), test: all.clone(), noise: None, truth: None, all })
        }
        (Protocol::Demonstration | Protocol::ActiveLearning { .. }, Source::Table(_)) | (_, Source::Simulated(_)) => {
            let why =
                "a simulated problem wants `demonstration` or `active-learning`, a pinned dataset any other protocol";
            Err(FitError::Unsupported(why.into()))
        }
        (_, Source::Table(table)) => {
            let all = match setting.rows {
                RowSubset::All => table.clone(),
                RowSubset::Random(count) => {
                    let mut rng = setting.data_streams.stream("rows", 0);
                    table.select(&draw_without_replacement(table.rows(), count, &mut rng))
                }
            };
            let split =
                divide(setting.protocol, setting, &all).map_err(|error| FitError::Unsupported(error.to_string()))?;
            let (train, test) = (all.select(&split.train), all.select(&split.test));
            Ok(Rows { train, test, noise: None, truth: None, all })
        }
    }
}

fn divide(protocol: &Protocol, setting: &Setting, all: &Table) -> Result<Split, SplitError> {
    let (n, index) = (all.rows(), setting.split);
    let rng = |index| setting.data_streams.stream("split", index);
    match protocol {
        Protocol::Holdout { test } => splits::random(n, *test, &mut rng(index)),
        // Refused above: these protocols divide no table.
        Protocol::Demonstration | Protocol::ActiveLearning { .. } => Err(SplitError::TooFewRows { rows: n }),
        Protocol::WholeData => Ok(Split { train: (0..n).collect(), test: (0..n).collect() }),
        Protocol::Standard => splits::standard(setting.dataset, n, index),
        Protocol::KFold { folds, repeats } => {
            let (repeat, fold) = fold_of(*folds, *repeats, index)?;
            splits::k_fold(n, *folds, fold, &mut rng(repeat))
        }
        Protocol::NumpyKFold { folds, seed } => splits::numpy_k_fold(n, *folds, index % (*folds).max(1), *seed),
        Protocol::GroupedKFold { folds, repeats } => {
            let (repeat, fold) = fold_of(*folds, *repeats, index)?;
            splits::grouped_k_fold(all, *folds, fold, &mut rng(repeat))
        }
        Protocol::Grouped { test } => splits::grouped(all, *test, &mut rng(index)),
        Protocol::Gap { feature, share } => splits::gap(all, feature, *share, index),
        Protocol::Tail { feature, share, end } => splits::tail(all, feature, *share, *end, index),
        Protocol::Validation { of, fraction } => {
            let Split { train, .. } = divide(of, setting, all)?;
            let (size, mut rng) = (TestSize::Fraction(*fraction), setting.data_streams.stream("validation", index));
            let inner = match **of {
                Protocol::Grouped { .. } | Protocol::GroupedKFold { .. } => {
                    splits::grouped(&all.select(&train), size, &mut rng)?
                }
                _ => splits::random(train.len(), size, &mut rng)?,
            };
            let rows = |inner: Vec<usize>| inner.into_iter().map(|row| train[row]).collect();
            Ok(Split { train: rows(inner.train), test: rows(inner.test) })
        }
    }
}

/// Repeat and fold of a repetition.
fn fold_of(folds: u64, repeats: u64, index: u64) -> Result<(u64, u64), SplitError> {
    let count = folds.saturating_mul(repeats);
    if index >= count {
        return Err(SplitError::NoSuchSplit { what: format!("{repeats} × {folds} folds"), split: index, count });
    }
    Ok((index / folds, index % folds))
}
