//! Divide rows by shuffled k-fold cross-validation: each repeat tests every row once.

use super::{Split, SplitError};
use uq_core::math::bins::near_equal_bins;
use uq_core::math::random::{Rng, permutation};

/// Fold `fold` of `folds` near-equal folds of `n` shuffled rows, larger folds first.
///
/// All folds of a repeat need the same stream from its start, so that their test rows are the parts
/// of one permutation.
///
/// # Errors
/// [`SplitError::TooFewForFolds`] where a fold would be empty or hold all rows;
/// [`SplitError::NoSuchSplit`] for a `fold` that is not below `folds`.
pub fn k_fold(n: usize, folds: u64, fold: u64, rng: &mut Rng) -> Result<Split, SplitError> {
    if folds < 2 || folds > n as u64 {
        return Err(SplitError::TooFewForFolds { rows: n, folds });
    }
    let bins = near_equal_bins(n, folds as usize);
    let Some(bin) = usize::try_from(fold).ok().and_then(|fold| bins.get(fold)) else {
        return Err(SplitError::NoSuchSplit {
            what: format!("{folds} folds"),
            split: fold,
            count: folds,
        });
    };
    let mut train = permutation(n, rng);
    let test = train.drain(bin.clone()).collect();
    Ok(Split { train, test })
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_whole;
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
    use rand::SeedableRng;

    proptest! {
        #[test]
        fn every_row_is_tested_once(n in 2usize..200, folds in 2u64..12, seed: u64) {
            let fold = |fold| k_fold(n, folds, fold, &mut Rng::seed_from_u64(seed));
            if folds > n as u64 {
                prop_assert_eq!(fold(0), Err(SplitError::TooFewForFolds { rows: n, folds }));
                return Ok(());
            }
            let mut tested = Vec::new();
            for index in 0..folds {
                let split = fold(index).unwrap();
                assert_whole(&split, n);
                prop_assert!(split.test.len().abs_diff(n / folds as usize) <= 1);
                tested.extend(split.test);
            }
            prop_assert!(n < 20 || !tested.is_sorted(), "rows are shuffled");
            tested.sort_unstable();
            prop_assert_eq!(tested, (0..n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn folds_that_cannot_be_are_refused() {
        let fold = |folds, fold| {
            k_fold(10, folds, fold, &mut Rng::seed_from_u64(1)).unwrap_err().to_string()
        };
        assert_eq!(
            fold(1, 0),
            "10 rows cannot be divided into 1 folds, expected 2 or more folds of 1 or more rows"
        );
        assert!(fold(11, 0).starts_with("10 rows cannot be divided into 11 folds"));
        assert_eq!(fold(5, 5), "5 folds: 5 in all, numbered from 0, but split 5 was asked for");
    }
}
