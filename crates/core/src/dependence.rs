//! State which rows of a table depend on each other, and divide them accordingly.

use std::cmp::Reverse;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::math::bins::near_equal_bins;
use crate::math::random::{Rng, permutation, shuffle_prefix};

/// Which rows depend on each other beyond their features.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dependence {
    /// None that is known: the rows count as exchangeable.
    #[default]
    Unknown,
    /// Rows of a group depend on each other: the group of each row. New rows belong to new groups.
    Groups(Vec<usize>),
    /// Rows that are near in time depend on each other: the period of each row, in ascending order.
    /// New rows come later.
    Periods(Vec<usize>),
}

impl Dependence {
    /// The dependence of these rows, in this order.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        let of = |all: &[usize]| rows.iter().map(|row| all[*row]).collect();
        match self {
            Self::Unknown => Self::Unknown,
            Self::Groups(groups) => Self::Groups(of(groups)),
            Self::Periods(periods) => Self::Periods(of(periods)),
        }
    }

    /// Divides `n` rows into `count` folds of similar size, or as many as there are rows, groups or
    /// periods where these are fewer. Rows are drawn at random; groups are drawn as a whole; folds
    /// of periods are blocks in time.
    pub fn folds(&self, n: usize, count: usize, rng: &mut Rng) -> Vec<Vec<usize>> {
        match self {
            Self::Unknown => {
                let drawn = permutation(n, rng);
                near_equal_bins(n, count.min(n))
                    .into_iter()
                    .map(|places| drawn[places].to_vec())
                    .collect()
            }
            Self::Groups(groups) => {
                let groups = members(groups);
                let mut folds = vec![Vec::new(); count.min(groups.len())];
                balanced(groups, count, rng)
                    .into_iter()
                    .for_each(|(fold, group)| folds[fold].extend(group));
                folds
            }
            Self::Periods(periods) => blocks(periods, count),
        }
    }

    /// About `count` rows that are held out, at least one and not all: whole groups in random
    /// order, or the last periods. `None` where the rows are exchangeable, and where there is only
    /// one group or period.
    pub fn held_out(&self, count: usize, rng: &mut Rng) -> Option<Vec<usize>> {
        match self {
            Self::Unknown => None,
            Self::Groups(groups) => {
                let mut members = members(groups);
                let all = members.len();
                shuffle_prefix(&mut members, all, rng);
                members.pop()?;
                let mut rows: Vec<usize> = Vec::new();
                for group in members {
                    if rows.is_empty() || rows.len() + group.len() / 2 < count {
                        rows.extend(group);
                    }
                }
                rows.sort_unstable();
                Some(rows).filter(|rows| !rows.is_empty())
            }
            Self::Periods(periods) => {
                let n = periods.len();
                let wanted = n.saturating_sub(count).clamp(1, n.max(2) - 1);
                let start = starts(periods)
                    .into_iter()
                    .filter(|start| *start > 0)
                    .min_by_key(|start| start.abs_diff(wanted))?;
                Some((start..n).collect())
            }
        }
    }
}

/// The rows of each group, in the order of their first rows.
pub fn members(groups: &[usize]) -> Vec<Vec<usize>> {
    let mut places = HashMap::new();
    let mut members: Vec<Vec<usize>> = Vec::new();
    for (row, group) in groups.iter().enumerate() {
        let place = *places.entry(*group).or_insert(members.len());
        if place == members.len() {
            members.push(Vec::new());
        }
        members[place].push(row);
    }
    members
}

/// The fold of each group, of at most `count`: groups are shuffled; then each, larger ones first,
/// goes to the fold with the fewest rows so far (the first of several).
pub fn balanced(
    mut groups: Vec<Vec<usize>>,
    count: usize,
    rng: &mut Rng,
) -> Vec<(usize, Vec<usize>)> {
    let all = groups.len();
    shuffle_prefix(&mut groups, all, rng);
    groups.sort_by_key(|group| Reverse(group.len()));
    let mut sizes = vec![0; count.min(all)];
    let assign = |group: Vec<usize>| {
        let smallest = (0..sizes.len()).min_by_key(|k| sizes[*k]).unwrap_or(0);
        sizes[smallest] += group.len();
        (smallest, group)
    };
    groups.into_iter().map(assign).collect()
}

/// At most `count` blocks of similar size of rows in time, each of whole periods.
pub fn blocks(periods: &[usize], count: usize) -> Vec<Vec<usize>> {
    let n = periods.len();
    let starts = starts(periods);
    let mut ends: Vec<usize> = near_equal_bins(n, count.min(starts.len()))
        .into_iter()
        .map(|bin| {
            starts
                .iter()
                .copied()
                .chain([n])
                .min_by_key(|start| start.abs_diff(bin.end))
                .unwrap_or(n)
        })
        .collect();
    ends.dedup();
    let begins = std::iter::once(0).chain(ends.iter().copied());
    begins
        .zip(&ends)
        .map(|(begin, end)| (begin..*end).collect::<Vec<_>>())
        .filter(|block| !block.is_empty())
        .collect()
}

/// The first row of each period.
fn starts(periods: &[usize]) -> Vec<usize> {
    (0..periods.len()).filter(|row| *row == 0 || periods[*row] != periods[row - 1]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    use proptest::collection::vec;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
    use rand::SeedableRng;

    fn rng(seed: u64) -> Rng {
        Rng::seed_from_u64(seed)
    }

    proptest! {
        #[test]
        fn folds_have_every_row_once_and_whole_groups(
            labels in vec(0usize..12, 1..80),
            count in 1usize..9,
            seed: u64,
        ) {
            let n = labels.len();
            let mut sorted = labels.clone();
            sorted.sort_unstable();
            for dependence in
                [Dependence::Unknown, Dependence::Groups(labels), Dependence::Periods(sorted)]
            {
                let folds = dependence.folds(n, count, &mut rng(seed));
                prop_assert!(
                    !folds.is_empty()
                        && folds.len() <= count
                        && folds.iter().all(|fold| !fold.is_empty())
                );
                let mut all = folds.concat();
                all.sort_unstable();
                prop_assert_eq!(all, (0..n).collect::<Vec<_>>());
                if let Dependence::Groups(labels) | Dependence::Periods(labels) = &dependence {
                    let of = |fold: &[usize]| {
                        fold.iter().map(|row| labels[*row]).collect::<HashSet<_>>()
                    };
                    prop_assert!(
                        folds
                            .iter()
                            .enumerate()
                            .all(|(i, a)| folds[..i].iter().all(|b| of(a).is_disjoint(&of(b))))
                    );
                }
            }
        }

        #[test]
        fn held_out_rows_are_whole_groups_and_the_last_periods(
            labels in vec(0usize..12, 1..80),
            count in 1usize..40,
            seed: u64,
        ) {
            let n = labels.len();
            let mut sorted = labels.clone();
            sorted.sort_unstable();
            let several = sorted[0] != sorted[n - 1];
            let found = Dependence::Periods(sorted.clone()).held_out(count, &mut rng(seed));
            prop_assert_eq!(found.is_some(), several);
            if let Some(rows) = found {
                prop_assert!(rows[0] > 0 && sorted[rows[0] - 1] < sorted[rows[0]]);
                prop_assert_eq!(rows.clone(), (rows[0]..n).collect::<Vec<_>>());
            }
            let found = Dependence::Groups(labels.clone()).held_out(count, &mut rng(seed));
            prop_assert_eq!(found.is_some(), several);
            if let Some(rows) = found {
                prop_assert!(rows.len() < n);
                let others = (0..n).filter(|row| !rows.contains(row));
                prop_assert!(
                    others
                        .into_iter()
                        .all(|other| rows.iter().all(|row| labels[*row] != labels[other]))
                );
            }
        }
    }

    #[test]
    fn blocks_never_divide_a_period() {
        assert_eq!(blocks(&[0, 0, 0, 1, 2, 3], 2), [vec![0, 1, 2], vec![3, 4, 5]]);
        assert_eq!(blocks(&[0, 0, 0, 0, 0, 1], 3), [vec![0, 1, 2, 3, 4], vec![5]]);
        assert_eq!(blocks(&[0, 1, 2, 3, 4, 5, 6], 3), [vec![0, 1, 2], vec![3, 4], vec![5, 6]]);
        assert!(blocks(&[], 3).is_empty());
    }

    #[test]
    fn a_share_of_equal_groups_is_met() {
        let groups = Dependence::Groups((0..100).map(|row| row / 5).collect());
        assert_eq!(groups.held_out(15, &mut rng(1)).map(|rows| rows.len()), Some(15));
        let series = Dependence::Periods((0..100).collect());
        assert_eq!(series.held_out(15, &mut rng(1)), Some((85..100).collect()));
        assert_eq!(series.select(&[3, 8]), Dependence::Periods(vec![3, 8]));
    }
}
