//! Divide rows by one feature: the test rows lie in an interval or at one end of its range. Such
//! splits test the epistemic variance.
//!
//! Rows of equal value are on one side, so that a feature with many equal values has more test rows
//! than requested.

use serde::{Deserialize, Serialize};

use super::{Split, SplitError};
use uq_core::Table;
use uq_core::names::nearest_name;

/// An end of a feature's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The smallest values.
    Low,
    /// The largest values.
    High,
}

/// The test rows lie in an interval of `feature` with a `share` of the rows; the training rows lie
/// on both sides of it.
///
/// The gap of split 0 contains the middle rows by this feature. That of split k has the share
/// φ(k + 1) of all training rows below it, where φ is the van der Corput sequence: 1/2, 1/4, 3/4,
/// 1/8, 5/8, … Rows equal to an end of the gap belong to it.
///
/// # Errors
/// [`SplitError::UnknownFeature`], [`SplitError::TooFewRows`], and [`SplitError::NoSide`] where no
/// training rows are left below or above the gap.
pub fn gap(table: &Table, feature: &str, share: f64, split: u64) -> Result<Split, SplitError> {
    let (values, sorted) = column(table, feature)?;
    let gap_rows = share_of(share, values.len())?;
    // The bits of k + 1 in reverse order, after the binary point.
    let below = split.wrapping_add(1).reverse_bits() as f64 / 2_f64.powi(64);
    let start = (below * (values.len() - gap_rows) as f64).round() as usize;
    let (low, high) = (sorted[start], sorted[start + gap_rows - 1]);
    let beside = [("below", sorted[0] < low), ("above", sorted[sorted.len() - 1] > high)];
    if let Some((side, _)) = beside.into_iter().find(|(_, some)| !some) {
        return Err(SplitError::NoSide { feature: feature.to_owned(), split, low, high, side });
    }
    Ok(Split::where_tested(values.len(), |row| low <= values[row] && values[row] <= high))
}

/// The test rows are the `share` of the rows at one end of `feature`; all others are training rows.
/// Rows equal to the tail's innermost row belong to the tail.
///
/// # Errors
/// [`SplitError::UnknownFeature`], [`SplitError::TooFewRows`], [`SplitError::NoBody`] where no
/// training rows are left, and [`SplitError::NoSuchSplit`] for any split but 0, because nothing is
/// drawn and all splits would be the same.
pub fn tail(
    table: &Table,
    feature: &str,
    share: f64,
    end: End,
    split: u64,
) -> Result<Split, SplitError> {
    let (values, sorted) = column(table, feature)?;
    if split > 0 {
        return Err(SplitError::NoSuchSplit {
            what: format!("tail of `{feature}`"),
            split,
            count: 1,
        });
    }
    let n = values.len();
    let tail_rows = share_of(share, n)?;
    let cut = match end {
        End::Low => sorted[tail_rows - 1],
        End::High => sorted[n - tail_rows],
    };
    let split = Split::where_tested(n, |row| match end {
        End::Low => values[row] <= cut,
        End::High => values[row] >= cut,
    });
    if split.train.is_empty() {
        Err(SplitError::NoBody { feature: feature.to_owned(), cut })
    } else {
        Ok(split)
    }
}

/// The index of a feature.
///
/// # Errors
/// [`SplitError::UnknownFeature`] with all names and the most similar one.
pub fn known_feature<'a>(
    feature: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Result<usize, SplitError> {
    names.clone().position(|name| name == feature).ok_or_else(|| SplitError::UnknownFeature {
        feature: feature.to_owned(),
        nearest: nearest_name(feature, names.clone()),
        known: names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    })
}

/// A feature's values, row by row and sorted.
fn column(table: &Table, feature: &str) -> Result<(Vec<f64>, Vec<f64>), SplitError> {
    let place = known_feature(feature, table.feature_names.iter().map(String::as_str))?;
    let values = table.features.column(place).to_vec();
    let mut sorted = values.clone();
    sorted.sort_by(f64::total_cmp);
    Ok((values, sorted))
}

/// The rounded share of `n` rows; at least one row and not all.
fn share_of(share: f64, n: usize) -> Result<usize, SplitError> {
    let rows = (share * n as f64).round() as usize;
    if rows == 0 || rows >= n { Err(SplitError::TooFewRows { rows: n }) } else { Ok(rows) }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_whole;
    use super::*;
    use ndarray::{Array1, Array2};
    use proptest::collection::vec;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    /// A table whose second feature has these values.
    fn table(values: &[f64]) -> Table {
        let features =
            Array2::from_shape_fn(
                (values.len(), 2),
                |(row, j)| if j == 1 { values[row] } else { 0.0 },
            );
        Table::unnamed(features, Array1::zeros(values.len()))
    }

    fn of(split: &[usize], values: &[f64]) -> Vec<f64> {
        split.iter().map(|&row| values[row]).collect()
    }

    #[test]
    fn gaps_begin_in_the_middle_and_move() {
        let values: Vec<f64> = (0..10).rev().map(f64::from).collect();
        let tested = |split| {
            let mut tested = of(&gap(&table(&values), "x2", 0.2, split).unwrap().test, &values);
            tested.sort_by(f64::total_cmp);
            tested
        };
        assert_eq!(tested(0), [4.0, 5.0]);
        assert_eq!(tested(1), [2.0, 3.0]);
        assert_eq!(tested(2), [6.0, 7.0]);
        assert_eq!(tested(3), [1.0, 2.0]);
        assert_eq!(tested(4), [5.0, 6.0]);
    }

    #[test]
    fn tails_are_at_their_end() {
        let values = [3.0, 1.0, 2.0, 5.0, 4.0];
        let low = tail(&table(&values), "x2", 0.4, End::Low, 0).unwrap();
        assert_eq!(low, Split { train: vec![0, 3, 4], test: vec![1, 2] });
        let high = tail(&table(&values), "x2", 0.4, End::High, 0).unwrap();
        assert_eq!(high, Split { train: vec![0, 1, 2], test: vec![3, 4] });
    }

    #[test]
    fn what_leaves_no_training_rows_is_refused() {
        let two = table(&[0.0, 0.0, 1.0, 1.0]);
        let message = gap(&two, "x2", 0.25, 0).unwrap_err().to_string();
        assert!(message.contains("from 1 to 1, leaves no training rows above it"), "{message}");
        let message = tail(&table(&[2.0; 5]), "x2", 0.2, End::High, 0).unwrap_err().to_string();
        assert!(
            message.contains("leaves no training rows") && message.contains("cut at 2"),
            "{message}"
        );
        let message = tail(&two, "x2", 0.5, End::Low, 1).unwrap_err().to_string();
        assert!(
            message.ends_with("1 in all, numbered from 0, but split 1 was asked for"),
            "{message}"
        );
        assert_eq!(gap(&two, "x2", 0.01, 0), Err(SplitError::TooFewRows { rows: 4 }));
        let message = gap(&two, "x3", 0.5, 0).unwrap_err().to_string();
        assert!(
            message.starts_with("there is no feature `x3`") && message.ends_with("are `x1`, `x2`"),
            "{message}"
        );
    }

    proptest! {
        #[test]
        fn no_training_row_is_in_the_gap(
            values in vec(-9i8..9, 3..100),
            share in 0.01f64..0.99,
            split in 0u64..40,
        ) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            if let Ok(found) = gap(&table(&values), "x2", share, split) {
                assert_whole(&found, values.len());
                prop_assert!(found.test.len() >= (share * values.len() as f64).round() as usize);
                let tested = of(&found.test, &values);
                let low = tested.iter().copied().fold(f64::INFINITY, f64::min);
                let high = tested.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let trained = of(&found.train, &values);
                prop_assert!(trained.iter().all(|&value| value < low || value > high));
                prop_assert!(
                    trained.iter().any(|&value| value < low)
                        && trained.iter().any(|&value| value > high)
                );
            }
        }

        #[test]
        fn tails_lie_beyond_all_training_rows(
            values in vec(-1e6f64..1e6, 2..100),
            share in 0.01f64..0.99,
        ) {
            let mirrored: Vec<f64> = values.iter().map(|value| -value).collect();
            let low = tail(&table(&values), "x2", share, End::Low, 0);
            prop_assert_eq!(&low, &tail(&table(&mirrored), "x2", share, End::High, 0));
            if let Ok(low) = low {
                assert_whole(&low, values.len());
                prop_assert!(low.test.len() >= (share * values.len() as f64).round() as usize);
                let cut = of(&low.test, &values).into_iter().fold(f64::NEG_INFINITY, f64::max);
                prop_assert!(of(&low.train, &values).into_iter().all(|value| value > cut));
            }
        }
    }
}
