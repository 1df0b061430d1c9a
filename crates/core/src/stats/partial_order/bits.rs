//! Rows of bits, 64 at a time.

/// A matrix of bits.
#[derive(Clone, Debug)]
pub(super) struct BitRows {
    words: Vec<u64>,
    per_row: usize,
}

impl BitRows {
    /// No bit is set.
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        let per_row = columns.div_ceil(64);
        Self { words: vec![0; rows * per_row], per_row }
    }

    pub(super) fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.per_row..(row + 1) * self.per_row]
    }

    pub(super) fn set(&mut self, row: usize, column: usize) {
        self.words[row * self.per_row + column / 64] |= 1 << (column % 64);
    }

    pub(super) fn clear(&mut self, row: usize, column: usize) {
        self.words[row * self.per_row + column / 64] &= !(1 << (column % 64));
    }

    pub(super) fn is_set(&self, row: usize, column: usize) -> bool {
        self.words[row * self.per_row + column / 64] >> (column % 64) & 1 == 1
    }
}

/// A set of whole numbers.
#[derive(Clone, Debug)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// The empty set of numbers below `count`.
    pub(super) fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    pub(super) fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    pub(super) fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    pub(super) fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Adds the members of a row.
    pub(super) fn add(&mut self, row: &[u64]) {
        self.0.iter_mut().zip(row).for_each(|(word, other)| *word |= other);
    }

    /// Removes the members of another set.
    pub(super) fn subtract(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
    }

    /// Adds the members of another set.
    pub(super) fn unite(&mut self, other: &Self) {
        self.add(&other.0);
    }

    /// The smallest member that is at least `from` and in the row.
    pub(super) fn next_in(&self, row: &[u64], from: usize) -> Option<usize> {
        let mut at = from / 64;
        let mut mask = u64::MAX << (from % 64);
        while at < self.0.len() {
            let word = self.0[at] & row[at] & mask;
            if word != 0 {
                return Some(at * 64 + word.trailing_zeros() as usize);
            }
            (at, mask) = (at + 1, u64::MAX);
        }
        None
    }

    /// The members, ascending.
    pub(super) fn members(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        })
    }
}
