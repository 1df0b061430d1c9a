//! Weigh the rows that a tree is grown on.

/// Weights of the rows: all one, or whole numbers.
pub(super) trait Weights {
    fn of(&self, row: usize) -> f64;
}

/// All one.
pub(super) struct Ones;

impl Weights for Ones {
    fn of(&self, _row: usize) -> f64 {
        1.0
    }
}

/// How often each row is there.
impl Weights for &[u32] {
    fn of(&self, row: usize) -> f64 {
        f64::from(self[row])
    }
}
