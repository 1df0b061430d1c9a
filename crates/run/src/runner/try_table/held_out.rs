//! Name the folds whose rows a fit has not seen, and say which rows it has.

use std::collections::HashSet;
use std::ops::Range;

use super::Problem;
use super::division::repetition;
use uqbench_data::splits::Split;

/// Folds of one division into folds, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct HeldOut {
    /// Which division, from 0.
    pub division: usize,
    /// The bit of each fold.
    folds: u32,
}

impl HeldOut {
    /// One fold.
    pub fn fold(division: usize, fold: usize) -> Self {
        Self { division, folds: 1 << fold }
    }

    /// These folds and this one.
    #[must_use]
    pub fn and(self, fold: usize) -> Self {
        Self { folds: self.folds | 1 << fold, ..self }
    }

    /// Every set of `size` of the `folds` folds of a division.
    pub fn sets(division: usize, folds: usize, size: u32) -> impl Iterator<Item = Self> {
        (0..1_u32 << folds)
            .filter(move |set| set.count_ones() == size)
            .map(move |folds| Self { division, folds })
    }

    /// Whether a fold is among them.
    pub fn has(self, fold: usize) -> bool {
        self.folds & 1 << fold != 0
    }

    /// The folds, ascending.
    pub fn folds(self) -> impl Iterator<Item = usize> {
        (0..u32::BITS as usize).filter(move |fold| self.has(*fold))
    }

    /// Number of folds.
    pub fn size(self) -> usize {
        self.folds.count_ones() as usize
    }

    /// A number of its own.
    pub fn number(self) -> u64 {
        ((self.division as u64) << u32::BITS) + u64::from(self.folds)
    }
}

/// The rows of every fold of every division.
pub(super) struct Divided {
    folds: usize,
    splits: Vec<Split>,
}

impl Divided {
    /// The folds of this problem.
    ///
    /// # Errors
    /// Why its rows cannot be divided so, in words.
    pub fn new(problem: &Problem) -> Result<Self, String> {
        let protocol = problem.division.protocol(problem.folding);
        let divide =
            |fit: u64| protocol.kind().divide(&repetition(problem.seed, fit), problem.table);
        let splits = (0..problem.folding.fits()).map(divide).collect::<Result<_, _>>();
        let splits = splits.map_err(|error| error.to_string())?;
        Ok(Self { folds: problem.folding.folds as usize, splits })
    }

    /// Number of folds of a division.
    pub fn folds(&self) -> usize {
        self.folds
    }

    /// Training and test rows of a fold.
    fn fold(&self, division: usize, fold: usize) -> &Split {
        &self.splits[division * self.folds + fold]
    }

    /// The rows that are tested in a fold.
    pub fn tested(&self, division: usize, fold: usize) -> &[usize] {
        &self.fold(division, fold).test
    }

    /// The rows of a fit that has not seen these folds: its training rows, and the held-out ones,
    /// fold by fold.
    pub fn split(&self, held_out: HeldOut) -> Split {
        let HeldOut { division, .. } = held_out;
        let mut folds = held_out.folds();
        let Some(first) = folds.next() else {
            return Split { train: Vec::new(), test: Vec::new() };
        };
        let Split { mut train, mut test } = self.fold(division, first).clone();
        folds.for_each(|fold| test.extend(self.tested(division, fold)));
        let is_out: HashSet<usize> = test.iter().copied().collect();
        train.retain(|row| !is_out.contains(row));
        Split { train, test }
    }

    /// Where the rows of a fold are among the held-out rows of a fit.
    pub fn place(&self, held_out: HeldOut, fold: usize) -> Range<usize> {
        let rows = |fold| self.tested(held_out.division, fold).len();
        let start: usize = held_out.folds().take_while(|other| *other < fold).map(rows).sum();
        start..start + rows(fold)
    }
}
