//! Decide how the rows of a table are divided into folds.
//!
//! In each repeat every row is tested once, by models that are fitted on the rows of the other
//! folds. Exact twins (rows of equal features) stay in one fold, unless they are frequent and
//! repeated measurements, which new rows will have too. They are where fewer than half of the rows
//! are distinct in their features and most groups of twins differ in their targets, unless the
//! table holds every row several times with its target, so that copies of rows do not stand on both
//! sides, also where one of them is missing.
//!
//! A table may state what its rows depend on. Groups then stay in one fold. Rows in time are tested
//! from past to future: the later half is as many blocks as folds, and each is tested once, by
//! models of all rows before it.

use thiserror::Error;

use super::Problem;
use super::folding::{FOLDS, Folding};
use crate::protocols::{GroupedKFold, KFold, Protocol, Repetition, RollingOrigin, RowSubset};
use uq_core::dependence::members;
use uq_core::math::random::Streams;
use uq_core::names::counted;
use uq_core::{Dependence, Table};
use uqbench_data::splits::{are_measured_again, copies, distinct_rows, rolling_origin};

/// Share of the rows in time that is known from the beginning.
const START: f64 = 0.5;

/// One fold of a division. Its rows depend on the seed and on no method, so that all methods see
/// the same ones.
pub(super) fn repetition(seed: u64, fold: u64) -> Repetition<'static> {
    Repetition {
        dataset: "",
        rows: RowSubset::All,
        split: fold,
        streams: Streams::new(seed, "try"),
    }
}

/// The fewest rows that a fold of this problem leaves to its fit.
pub fn fewest_training_rows(problem: &Problem) -> usize {
    let protocol = problem.division.protocol(problem.folding);
    let fits = 0..problem.folding.fits();
    // A division that fails is told by the fits.
    let divided = fits.filter_map(|fit| {
        protocol.kind().divide(&repetition(problem.seed, fit), problem.table).ok()
    });
    divided.map(|split| split.train.len()).min().unwrap_or(0)
}

/// Approximate number of rows that a fit has, on average over the folds.
pub fn training_rows(table: &Table, folding: Folding) -> f64 {
    let folds = folding.folds as f64;
    let share = match table.dependence {
        Dependence::Periods(_) => START + (1.0 - START) * (folds - 1.0) / (2.0 * folds),
        Dependence::Unknown | Dependence::Groups(_) => 1.0 - 1.0 / folds,
    };
    (table.rows() as f64 * share).round()
}

/// How rows are divided into folds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// Row by row: no two rows are equal in every feature.
    Rows,
    /// By groups of rows of equal features.
    Grouped {
        /// Number of rows that equal an earlier row in every feature.
        twins: usize,
    },
    /// Row by row, because so few rows have distinct features that equal rows count as repeated
    /// measurements.
    Repeated {
        /// Number of rows with distinct features.
        distinct: usize,
    },
    /// By groups that the table states.
    Groups {
        /// Their number.
        groups: usize,
    },
    /// Into blocks in time.
    Blocks {
        /// Number of rows before the first block.
        start: usize,
    },
}

/// Why the rows of a table cannot be divided into folds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DivisionError {
    /// There are too few groups.
    #[error(
        "found {}, expected {FOLDS} or more, because whole groups are left out, in {FOLDS} folds: \
         choose a column with more groups",
        counted(*.0, "group")
    )]
    FewGroups(usize),
    /// There are too few times.
    #[error(
        "found too few different times in the later half of the rows, expected {FOLDS} or more \
         with about equally many rows, because rows of one time stay in one of {FOLDS} blocks: \
         choose a column with finer times"
    )]
    FewTimes,
}

impl Division {
    /// How this table is divided.
    ///
    /// # Errors
    /// [`DivisionError`] where a table states too few groups or times for the folds.
    pub fn of(table: &Table) -> Result<Self, DivisionError> {
        match &table.dependence {
            Dependence::Unknown => Ok(Self::by_features(table)),
            Dependence::Groups(groups) => match members(groups).len() {
                few if (few as u64) < FOLDS => Err(DivisionError::FewGroups(few)),
                groups => Ok(Self::Groups { groups }),
            },
            Dependence::Periods(_) => match rolling_origin(table, START, FOLDS, 0) {
                Ok(split) => Ok(Self::Blocks { start: split.train.len() }),
                Err(_) => Err(DivisionError::FewTimes),
            },
        }
    }

    fn by_features(table: &Table) -> Self {
        let (rows, distinct) = (table.rows(), distinct_rows(table));
        // Fewer groups than folds cannot be divided.
        let are_few = (distinct as u64) < FOLDS;
        match distinct {
            all if all == rows => Self::Rows,
            few if 2 * few < rows
                && copies(table) == 1
                && (are_few || are_measured_again(table)) =>
            {
                Self::Repeated { distinct: few }
            }
            _ => Self::Grouped { twins: rows - distinct },
        }
    }

    /// Whether the table states what its rows depend on.
    pub fn is_stated(self) -> bool {
        matches!(self, Self::Groups { .. } | Self::Blocks { .. })
    }

    pub(super) fn protocol(self, Folding { folds, repeats }: Folding) -> Protocol {
        match self {
            Self::Rows | Self::Repeated { .. } => Protocol::KFold(KFold { folds, repeats }),
            Self::Grouped { .. } | Self::Groups { .. } => {
                Protocol::GroupedKFold(GroupedKFold { folds, repeats })
            }
            Self::Blocks { .. } => {
                Protocol::RollingOrigin(RollingOrigin { start: START, folds, shuffled: false })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, Array2};
    use uq_core::predictive::{Bounds, Side};

    #[test]
    fn twins_are_grouped_unless_they_are_the_rule() {
        let of = |values: &[f64], target: &dyn Fn(usize) -> usize| {
            let features = Array2::from_shape_vec((values.len(), 1), values.to_vec()).unwrap();
            let target = (0..values.len()).map(|row| target(row) as f64).collect();
            Division::of(&Table::unnamed(features, target)).unwrap()
        };
        assert_eq!(of(&[1.0, 2.0, 3.0], &|row| row), Division::Rows);
        assert_eq!(of(&[1.0, 2.0, 2.0, 3.0], &|row| row), Division::Grouped { twins: 1 });
        assert_eq!(of(&[1.0, 2.0, 2.0, 1.0, 1.0], &|row| row), Division::Repeated { distinct: 2 });
        let pasted = [1.0, 2.0, 1.0, 2.0, 1.0, 2.0];
        assert_eq!(
            of(&pasted, &|row| row % 2),
            Division::Grouped { twins: 4 },
            "pasted three times"
        );
        assert_eq!(
            of(&pasted[..5], &|row| row % 2),
            Division::Repeated { distinct: 2 },
            "too few groups for folds"
        );
        assert_eq!(
            of(&pasted, &|row| row),
            Division::Repeated { distinct: 2 },
            "measured three times"
        );
    }

    /// 60 rows of two features, pasted; `measured` moves the target of each copy.
    #[test]
    fn copies_stay_together_also_where_a_row_is_missing_and_repeated_measurements_do_not() {
        let of = |rows: usize, measured: bool| {
            let features =
                Array2::from_shape_fn((rows, 2), |(i, j)| ((i % 60) * [7, 11][j] % 61) as f64);
            let noise = |i: usize| if measured { (i * 37 % 101) as f64 / 50.0 } else { 0.0 };
            let target = (0..rows).map(|i| ((i % 60) * 13 % 59) as f64 + noise(i)).collect();
            Division::of(&Table::unnamed(features, target)).unwrap()
        };
        assert_eq!(of(60, false), Division::Rows);
        assert_eq!(of(179, false), Division::Grouped { twins: 119 });
        assert_eq!(of(180, false), Division::Grouped { twins: 120 });
        assert_eq!(of(120, false), Division::Grouped { twins: 60 });
        assert_eq!(of(119, false), Division::Grouped { twins: 59 });
        assert_eq!(
            (of(180, true), of(179, true)),
            (Division::Repeated { distinct: 60 }, Division::Repeated { distinct: 60 })
        );
        assert_eq!(of(119, true), Division::Grouped { twins: 59 }, "half of the rows are distinct");
    }

    #[test]
    fn what_the_table_states_divides_it_and_too_little_is_told() {
        let of = |dependence: Dependence| {
            let table =
                Table { dependence, ..Table::unnamed(Array2::zeros((40, 1)), Array1::zeros(40)) };
            let folding = Folding::of(&table);
            let rows = [folding, Folding { folds: 3, ..folding }]
                .map(|folding| training_rows(&table, folding));
            (folding.repeats, rows, Division::of(&table))
        };
        let groups = |count: usize| Dependence::Groups((0..40).map(|row| row % count).collect());
        assert_eq!(of(groups(5)), (4, [32.0, 27.0], Ok(Division::Groups { groups: 5 })));
        assert!(of(groups(1)).2 == Err(DivisionError::FewGroups(1)));
        let times = |rows: usize| Dependence::Periods((0..40).map(|row| row / rows).collect());
        assert_eq!(of(times(1)), (1, [28.0, 27.0], Ok(Division::Blocks { start: 20 })));
        assert!(of(times(10)).2.unwrap_err().to_string().contains("finer times"));
    }

    #[test]
    fn the_fewest_training_rows_are_those_of_the_largest_fold_or_of_the_first_block() {
        let fewest = |dependence: Dependence, folds: u64| {
            let features = Array2::from_shape_fn((42, 1), |(i, _)| i as f64);
            let table = &Table { dependence, ..Table::unnamed(features, Array1::zeros(42)) };
            fewest_training_rows(&Problem {
                table,
                division: Division::of(table).unwrap(),
                folding: Folding { folds, ..Folding::of(table) },
                discrete: false,
                bounds: Bounds { level: 0.9, side: Side::Both },
                seed: 1,
                categories: &[],
                stated: None,
            })
        };
        // Folds of 9 and of 8 rows, or of 14; one group has 22 rows.
        assert_eq!([5, 3].map(|folds| fewest(Dependence::Unknown, folds)), [33, 28]);
        assert_eq!(
            fewest(Dependence::Groups((0..42).map(|row| row.max(21) - 21).collect()), 5),
            20
        );
        assert_eq!(
            [5, 3].map(|folds| fewest(Dependence::Periods((0..42).collect()), folds)),
            [21, 21]
        );
    }
}
