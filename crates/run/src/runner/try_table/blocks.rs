//! Divide the rows before each block in time once more.

use super::division::{Division, repetition};
use super::{Folding, Problem};
use uq_core::Table;

/// Fewest training rows of a fold that are divided once more.
pub(super) const FEWEST_ROWS: usize = 40;

/// Into how many blocks the rows before a block in time are divided.
const BLOCKS: u64 = 3;

/// The training rows of each block in time. `None` where those of one cannot be divided once more.
pub(super) fn tables_before_blocks(problem: &Problem) -> Option<Vec<Table>> {
    let protocol = problem.division.protocol(problem.folding);
    let of_block = |fold: u64| {
        let split = protocol.kind().divide(&repetition(problem.seed, fold), problem.table).ok()?;
        let table = problem.table.select(&split.train);
        (table.rows() >= FEWEST_ROWS && Division::of(&table).is_ok()).then_some(table)
    };
    (0..problem.folding.folds).map(of_block).collect()
}

/// The comparison on the rows before each block.
pub(super) fn problems_before_blocks<'a>(
    problem: &Problem<'a>,
    tables: &'a [Table],
) -> Option<Vec<Problem<'a>>> {
    let within = |(fold, table): (usize, &'a Table)| {
        Some(Problem {
            table,
            division: Division::of(table).ok()?,
            folding: Folding { folds: BLOCKS, repeats: 1 },
            seed: problem.seed.wrapping_add(1 + fold as u64),
            categories: &[],
            stated: None,
            ..*problem
        })
    };
    tables.iter().enumerate().map(within).collect()
}
