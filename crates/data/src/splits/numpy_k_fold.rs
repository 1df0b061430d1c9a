//! Draw the folds of scikit-learn's shuffled `KFold` again, instead of storing them.
//!
//! The rows 0..n are shuffled by NumPy's `RandomState(seed)`, which is MT19937, and cut into
//! contiguous folds, the first n mod k of them one row longer; both sides of a split are in the
//! table's order.
//!
//! Reference: F. Pedregosa et al., "Scikit-learn: machine learning in Python", JMLR 12, 2011:
//! `KFold(k, shuffle=True, random_state=seed)`.

use super::{Split, SplitError};
use uq_core::math::bins::near_equal_bins;
use uq_math::mersenne_twister::MersenneTwister;

/// Fold `fold` of `KFold(folds, shuffle=True, random_state=seed)` over `n` rows.
///
/// # Errors
/// [`SplitError::TooFewForFolds`] where a fold would be empty or hold all rows;
/// [`SplitError::NoSuchSplit`] for a `fold` that is not below `folds`.
pub fn numpy_k_fold(n: usize, folds: u64, fold: u64, seed: u32) -> Result<Split, SplitError> {
    let few = SplitError::TooFewForFolds { rows: n, folds };
    let Some(rows) = u32::try_from(n).ok().filter(|_| folds >= 2 && folds <= n as u64) else {
        return Err(few);
    };
    let bins = near_equal_bins(n, folds as usize);
    let Some(bin) = usize::try_from(fold).ok().and_then(|fold| bins.get(fold)) else {
        return Err(SplitError::NoSuchSplit {
            what: format!("{folds} folds"),
            split: fold,
            count: folds,
        });
    };
    let shuffled = MersenneTwister::new(seed).permutation(rows);
    let mut tested = vec![false; n];
    shuffled[bin.clone()].iter().for_each(|&row| tested[row] = true);
    Ok(Split::where_tested(n, |row| tested[row]))
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_whole;
    use super::*;

    /// Number of rows, first three, last, and sum of row × place (from 1).
    type Fold = (usize, [usize; 3], usize, usize);

    /// Test rows of scikit-learn 1.7.2 `KFold(5, shuffle=True, random_state=0).split(range(n))`, n
    /// = 94, 101 and 151, the sizes of the NSGP paper's datasets.
    const FOLDS: [(usize, [Fold; 5]); 3] = [
        (
            94,
            [
                (19, [2, 7, 8], 93, 12117),
                (19, [3, 6, 18], 87, 12224),
                (19, [0, 4, 5], 85, 9299),
                (19, [1, 10, 14], 92, 12468),
                (18, [9, 12, 21], 90, 10529),
            ],
        ),
        (
            101,
            [
                (21, [2, 7, 8], 96, 14693),
                (20, [1, 3, 6], 100, 14557),
                (20, [0, 4, 5], 92, 9413),
                (20, [14, 19, 20], 99, 15764),
                (20, [9, 12, 21], 97, 14910),
            ],
        ),
        (
            151,
            [
                (31, [7, 8, 16], 137, 43887),
                (30, [2, 10, 18], 148, 52354),
                (30, [3, 6, 11], 150, 45621),
                (30, [0, 1, 4], 149, 41417),
                (30, [9, 19, 21], 146, 48278),
            ],
        ),
    ];

    #[test]
    fn folds_are_those_of_scikit_learn() {
        for (n, folds) in FOLDS {
            for (fold, (rows, first, last, sum)) in folds.into_iter().enumerate() {
                let split = numpy_k_fold(n, 5, fold as u64, 0).unwrap();
                assert_whole(&split, n);
                let test = &split.test;
                assert!(test.is_sorted() && split.train.is_sorted());
                assert_eq!(
                    (test.len(), &test[..3], test.last()),
                    (rows, &first[..], Some(&last)),
                    "{n} rows, fold {fold}"
                );
                assert_eq!(
                    test.iter().zip(1..).map(|(row, place)| row * place).sum::<usize>(),
                    sum,
                    "{n}, {fold}"
                );
            }
        }
        // The second fold of 94 rows in full.
        let second = [3, 6, 18, 24, 26, 27, 42, 43, 45, 48, 54, 55, 66, 74, 77, 82, 84, 86, 87];
        assert_eq!(numpy_k_fold(94, 5, 1, 0).unwrap().test, second);
    }

    #[test]
    fn folds_that_cannot_be_are_refused() {
        let fold = |n, folds, fold| numpy_k_fold(n, folds, fold, 0).unwrap_err().to_string();
        assert!(fold(10, 1, 0).starts_with("10 rows cannot be divided into 1 folds"));
        assert!(fold(10, 11, 0).starts_with("10 rows cannot be divided into 11 folds"));
        assert_eq!(fold(10, 5, 5), "5 folds: 5 in all, numbered from 0, but split 5 was asked for");
    }
}
