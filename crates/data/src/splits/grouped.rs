//! Divide rows at random and keep exact twins together: one split, or folds that test every row
//! once.
//!
//! Twins are rows that are equal in every feature; the target does not count, because a training
//! row is informative about a test row of the same features with another target. Where a table
//! states its groups, they are kept together instead.

use std::collections::HashMap;

use super::{Split, SplitError, TestSize};
use uq_core::dependence::{balanced, members};
use uq_core::math::ordered_bits::ordered_bits;
use uq_core::math::random::{Rng, shuffle_prefix};
use uq_core::{Dependence, Table};
use uq_math::divisor::greatest_common_divisor;

/// A random split in which twins are on one side.
///
/// Groups of twins are shuffled; the test rows are those of the shortest prefix of groups with a
/// subset that has exactly the requested number of rows. If there is none, they are the groups
/// whose number of rows is closest to it (the smaller of two). Without twins this is a uniformly
/// random split.
///
/// # Errors
/// [`SplitError::TooFewRows`] where one side would be empty, [`SplitError::AllTwins`] where there
/// is one group only.
pub fn grouped(table: &Table, test: TestSize, rng: &mut Rng) -> Result<Split, SplitError> {
    let n = table.rows();
    let wanted = test.among(n)?;
    let mut groups = groups(table);
    let all = groups.len();
    shuffle_prefix(&mut groups, all, rng);
    let sizes: Vec<usize> = groups.iter().map(Vec::len).collect();
    let tested = closest_sum(&sizes, wanted).ok_or(SplitError::AllTwins { rows: n })?;
    let mut split = Split { train: Vec::new(), test: Vec::new() };
    for (group, tested) in groups.into_iter().zip(tested) {
        let side = if tested { &mut split.test } else { &mut split.train };
        side.extend(group);
    }
    Ok(split)
}

/// Fold `fold` of `folds` folds in which twins are together and whose sizes are similar, as
/// [`balanced`] assigns them.
///
/// All folds of a repeat need the same stream from its start, so that every row is tested once.
///
/// # Errors
/// [`SplitError::TooFewForFolds`] where there are fewer groups than folds or fewer than two folds;
/// [`SplitError::NoSuchSplit`] for a `fold` that is not below `folds`.
pub fn grouped_k_fold(
    table: &Table,
    folds: u64,
    fold: u64,
    rng: &mut Rng,
) -> Result<Split, SplitError> {
    let groups = groups(table);
    let all = groups.len();
    if folds < 2 || folds > all as u64 {
        return Err(SplitError::TooFewForFolds { rows: all, folds });
    }
    if fold >= folds {
        return Err(SplitError::NoSuchSplit {
            what: format!("{folds} folds"),
            split: fold,
            count: folds,
        });
    }
    let mut split = Split { train: Vec::new(), test: Vec::new() };
    for (place, group) in balanced(groups, folds as usize, rng) {
        let side = if place as u64 == fold { &mut split.test } else { &mut split.train };
        side.extend(group);
    }
    Ok(split)
}

/// Number of rows with distinct features: rows of equal features count once.
pub fn distinct_rows(table: &Table) -> usize {
    twins(table).len()
}

/// Whether most of the groups of rows with equal features differ in their targets, as repeated
/// measurements do and copies do not. Not where no two rows have equal features.
pub fn are_measured_again(table: &Table) -> bool {
    let groups: Vec<Vec<usize>> =
        twins(table).into_iter().filter(|group| group.len() > 1).collect();
    let differs =
        |group: &&Vec<usize>| group.iter().any(|row| table.target[*row] != table.target[group[0]]);
    2 * groups.iter().filter(differs).count() > groups.len()
}

/// How often a table holds every row, target included: the largest number that divides how often
/// each row occurs.
pub fn copies(table: &Table) -> u64 {
    let mut counts: HashMap<Vec<u64>, u64> = HashMap::with_capacity(table.rows());
    for (features, target) in table.features.rows().into_iter().zip(&table.target) {
        let key: Vec<u64> =
            features.iter().chain([target]).map(|value| ordered_bits(*value)).collect();
        *counts.entry(key).or_default() += 1;
    }
    counts.into_values().fold(0, greatest_common_divisor)
}

/// For each row the place of its group among those that the table states, and otherwise among those
/// of equal features.
pub fn clusters(table: &Table) -> Vec<usize> {
    let mut clusters = vec![0; table.rows()];
    for (place, rows) in groups(table).into_iter().enumerate() {
        rows.into_iter().for_each(|row| clusters[row] = place);
    }
    clusters
}

/// The rows that belong together: those of a group that the table states, and otherwise twins.
fn groups(table: &Table) -> Vec<Vec<usize>> {
    match &table.dependence {
        Dependence::Groups(groups) => members(groups),
        Dependence::Unknown | Dependence::Periods(_) => twins(table),
    }
}

/// Rows of equal features, in the order of their first rows.
fn twins(table: &Table) -> Vec<Vec<usize>> {
    let mut places: HashMap<Vec<u64>, usize> = HashMap::with_capacity(table.rows());
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (row, features) in table.features.rows().into_iter().enumerate() {
        let key: Vec<u64> = features.iter().map(|value| ordered_bits(*value)).collect();
        let place = *places.entry(key).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups
}

/// A choice of items whose sizes add up to `wanted`, or as close to it as possible. It contains at
/// least one item and not all. `None` for fewer than two items.
///
/// Dynamic programming over sums: `last[s]` is the item with which sum s was first reached. The
/// items of a sum are found backwards from it, in decreasing order.
fn closest_sum(sizes: &[usize], wanted: usize) -> Option<Vec<bool>> {
    let total: usize = sizes.iter().sum();
    if sizes.len() < 2 {
        return None;
    }
    // The nearest sum is not larger: a sum that exceeds `wanted` by more than one item still
    // exceeds it without that item.
    let wanted = wanted.clamp(1, total - 1);
    let limit = (wanted + sizes.iter().max()?).min(total - 1);
    let mut last: Vec<Option<usize>> = vec![None; limit + 1];
    let mut largest = 0;
    for (item, &size) in sizes.iter().enumerate() {
        largest = (largest + size).min(limit);
        for sum in (size..=largest).rev() {
            if last[sum].is_none() && (sum == size || last[sum - size].is_some()) {
                last[sum] = Some(item);
            }
        }
        if last[wanted].is_some() {
            break;
        }
    }
    let nearest = (1..=limit)
        .filter(|&sum| last[sum].is_some())
        .min_by_key(|sum| (sum.abs_diff(wanted), *sum))?;
    let mut taken = vec![false; sizes.len()];
    let mut sum = nearest;
    while let Some(item) = last[sum] {
        taken[item] = true;
        sum -= sizes[item];
    }
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_whole;
    use super::*;
    use ndarray::{Array1, Array2};
    use proptest::collection::vec;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
    use rand::SeedableRng;

    /// A table of one feature with these values; targets all differ.
    fn table(values: &[f64]) -> Table {
        let n = values.len();
        Table::unnamed(
            Array2::from_shape_vec((n, 1), values.to_vec()).unwrap(),
            Array1::from_iter((0..n).map(|i| i as f64)),
        )
    }

    /// The nearest sum of any choice of items that is neither none nor all, by trying them all.
    fn nearest_by_force(sizes: &[usize], wanted: usize) -> Option<usize> {
        let choices = 1..(1_usize << sizes.len()) - 1;
        let sum = |choice: usize| {
            (0..sizes.len()).filter(|i| choice >> i & 1 == 1).map(|i| sizes[i]).sum::<usize>()
        };
        choices.map(sum).min_by_key(|sum| (sum.abs_diff(wanted), *sum))
    }

    proptest! {
        #[test]
        fn twins_stay_together(
            values in vec(0u8..30, 2..120),
            fraction in 0.05f64..0.95,
            seed: u64,
        ) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let table = table(&values);
            let split =
                || grouped(&table, TestSize::Fraction(fraction), &mut Rng::seed_from_u64(seed));
            prop_assert_eq!(split(), split());
            if let Ok(split) = split() {
                assert_whole(&split, values.len());
                prop_assert!(
                    split
                        .test
                        .iter()
                        .all(|&t| split.train.iter().all(|&row| values[row] != values[t]))
                );
            }
        }

        #[test]
        fn folds_test_every_row_once_and_keep_twins_together(
            values in vec(0u8..40, 8..120),
            folds in 2u64..7,
            seed: u64,
        ) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let table = table(&values);
            let fold = |fold| grouped_k_fold(&table, folds, fold, &mut Rng::seed_from_u64(seed));
            let groups = distinct_rows(&table);
            if folds > groups as u64 {
                prop_assert_eq!(fold(0), Err(SplitError::TooFewForFolds { rows: groups, folds }));
                return Ok(());
            }
            let largest = values
                .iter()
                .map(|value| values.iter().filter(|other| *other == value).count())
                .max()
                .unwrap();
            let mut tested = Vec::new();
            for index in 0..folds {
                let split = fold(index).unwrap();
                assert_whole(&split, values.len());
                prop_assert!(
                    split
                        .test
                        .iter()
                        .all(|&t| split.train.iter().all(|&row| values[row] != values[t]))
                );
                // No fold is longer than the mean by more than a group, for its last group came
                // when it was shortest.
                prop_assert!(
                    split.test.len() as u64 <= values.len() as u64 / folds + largest as u64
                );
                tested.extend(split.test);
            }
            tested.sort_unstable();
            prop_assert_eq!(tested, (0..values.len()).collect::<Vec<_>>());
        }

        #[test]
        fn the_nearest_sum_is_found(sizes in vec(1usize..9, 1..9), share in 0.0f64..1.0) {
            let total: usize = sizes.iter().sum();
            let wanted = ((share * total as f64) as usize).clamp(1, total.max(2) - 1);
            let found = closest_sum(&sizes, wanted).map(|taken| {
                sizes
                    .iter()
                    .zip(taken)
                    .filter(|(_, taken)| *taken)
                    .map(|(size, _)| size)
                    .sum::<usize>()
            });
            prop_assert_eq!(found, nearest_by_force(&sizes, wanted));
        }

        #[test]
        fn without_twins_the_size_is_exact(n in 2usize..150, rows in 1usize..149, seed: u64) {
            let values: Vec<f64> = (0..n).map(|i| i as f64).collect();
            if let Ok(split) =
                grouped(&table(&values), TestSize::Rows(rows), &mut Rng::seed_from_u64(seed))
            {
                prop_assert_eq!(split.test.len(), rows);
            }
        }
    }

    #[test]
    fn copies_of_a_whole_table_are_counted() {
        let of = |values: &[f64], targets: &[f64]| {
            let n = values.len();
            let features = Array2::from_shape_vec((n, 1), values.to_vec()).unwrap();
            copies(&Table::unnamed(features, Array1::from(targets.to_vec())))
        };
        assert_eq!(of(&[1.0, 2.0, 1.0, 2.0], &[3.0, 4.0, 3.0, 4.0]), 2);
        assert_eq!(of(&[1.0, 2.0, 1.0, 2.0], &[3.0, 4.0, 3.0, 5.0]), 1, "measured again");
        assert_eq!(of(&[1.0; 6], &[1.0, 2.0, 2.0, 2.0, 2.0, 1.0]), 2, "rows occur 2 and 4 times");
    }

    #[test]
    fn copies_of_rows_are_told_from_repeated_measurements() {
        let of = |rows: &[(f64, f64)]| {
            let features = Array2::from_shape_fn((rows.len(), 1), |(i, _)| rows[i].0);
            are_measured_again(&Table::unnamed(features, rows.iter().map(|row| row.1).collect()))
        };
        assert!(of(&[(1.0, 5.0), (1.0, 6.0), (2.0, 7.0)]));
        assert!(!of(&[(1.0, 5.0), (1.0, 5.0), (2.0, 7.0)]));
        assert!(
            !of(&[(1.0, 5.0), (1.0, 6.0), (2.0, 7.0), (2.0, 7.0)]),
            "half of the groups are not most of them"
        );
        assert!(of(&[
            (1.0, 5.0),
            (1.0, 5.0),
            (1.0, 6.0),
            (2.0, 7.0),
            (2.0, 8.0),
            (3.0, 9.0),
            (3.0, 9.0)
        ]));
        assert!(!of(&[(1.0, 5.0), (2.0, 6.0)]));
    }

    #[test]
    fn both_zeros_are_twins_whatever_their_targets() {
        let groups = twins(&table(&[1.0, 0.0, 2.0, -0.0, 1.0]));
        assert_eq!(groups, [vec![0, 4], vec![1, 3], vec![2]]);
    }

    #[test]
    fn folds_that_cannot_be_are_refused() {
        let fold = |folds, fold| {
            grouped_k_fold(&table(&[1.0, 1.0, 2.0]), folds, fold, &mut Rng::seed_from_u64(1))
        };
        assert_eq!(fold(3, 0), Err(SplitError::TooFewForFolds { rows: 2, folds: 3 }));
        assert_eq!(fold(1, 0), Err(SplitError::TooFewForFolds { rows: 2, folds: 1 }));
        assert!(matches!(fold(2, 2), Err(SplitError::NoSuchSplit { split: 2, count: 2, .. })));
        assert_eq!(fold(2, 0).unwrap().test, [0, 1], "the larger group comes first");
    }

    #[test]
    fn one_group_cannot_be_split() {
        let message =
            grouped(&table(&[3.0; 8]), TestSize::Fraction(0.5), &mut Rng::seed_from_u64(1))
                .unwrap_err();
        assert!(message.to_string().starts_with("all 8 rows are twins"), "{message}");
    }
}
