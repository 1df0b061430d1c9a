//! Test rows by models of the rows before them.

use super::{Split, SplitError};
use uq_core::dependence::blocks;
use uq_core::{Dependence, Table};

/// Split `fold` of `folds`, in time: the first `start` of the rows is known from the beginning, the
/// others are `folds` blocks of similar size, and block `fold` is tested by all rows before it.
/// Rows of one period are in one block. A table that states no periods is in the order of time,
/// each row a period.
///
/// # Errors
/// [`SplitError::TooFewForFolds`] where a block would be empty; [`SplitError::NoSuchSplit`] for a
/// `fold` that is not below `folds`.
pub fn rolling_origin(
    table: &Table,
    start: f64,
    folds: u64,
    fold: u64,
) -> Result<Split, SplitError> {
    let n = table.rows();
    if fold >= folds {
        return Err(SplitError::NoSuchSplit {
            what: format!("{folds} blocks"),
            split: fold,
            count: folds,
        });
    }
    let periods = match &table.dependence {
        Dependence::Periods(periods) => periods.clone(),
        Dependence::Unknown | Dependence::Groups(_) => (0..n).collect(),
    };
    let wanted = (start * n as f64).round() as usize;
    // The first period boundary at or after the wanted row.
    let first = (wanted.max(1)..n).find(|row| periods[*row] != periods[row - 1]).unwrap_or(n);
    let tested = blocks(&periods[first..], folds as usize);
    if tested.len() < folds as usize {
        return Err(SplitError::TooFewForFolds { rows: tested.len(), folds });
    }
    let block: Vec<usize> = tested[fold as usize].iter().map(|row| first + row).collect();
    let train = (0..block[0]).collect();
    Ok(Split { train, test: block })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, Array2};

    fn table(periods: Dependence, n: usize) -> Table {
        Table { dependence: periods, ..Table::unnamed(Array2::zeros((n, 1)), Array1::zeros(n)) }
    }

    #[test]
    fn each_block_is_tested_by_all_rows_before_it() {
        let table = table(Dependence::Unknown, 20);
        for fold in 0..5 {
            let split = rolling_origin(&table, 0.5, 5, fold).unwrap();
            let start = 10 + 2 * fold as usize;
            assert_eq!(split.train, (0..start).collect::<Vec<_>>());
            assert_eq!(split.test, [start, start + 1]);
        }
    }

    #[test]
    fn a_period_is_never_on_both_sides() {
        let periods = vec![0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 3];
        let table = table(Dependence::Periods(periods), 12);
        let split = |fold| rolling_origin(&table, 0.4, 2, fold).unwrap();
        assert_eq!((split(0).train.len(), split(0).test), (6, vec![6, 7]));
        assert_eq!((split(1).train.len(), split(1).test), (8, vec![8, 9, 10, 11]));
        assert_eq!(
            rolling_origin(&table, 0.4, 3, 0),
            Err(SplitError::TooFewForFolds { rows: 2, folds: 3 })
        );
        assert!(matches!(
            rolling_origin(&table, 0.4, 2, 2),
            Err(SplitError::NoSuchSplit { split: 2, count: 2, .. })
        ));
    }
}
