//! Hold which rows of a pool are known and which are open.

/// Rows of a table that are known, and those that may be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Known rows: those of the start, then each that was added, in order.
    pub known: Vec<usize>,
    /// Open rows, in ascending order.
    pub open: Vec<usize>,
}

impl State {
    /// The state before the first step.
    pub fn new(known: &[usize], open: &[usize]) -> Self {
        let mut open = open.to_vec();
        open.sort_unstable();
        Self { known: known.to_vec(), open }
    }

    /// Makes open rows known. Rows that are not open are left out.
    pub fn add(&mut self, rows: &[usize]) {
        for row in rows {
            if let Ok(place) = self.open.binary_search(row) {
                self.open.remove(place);
                self.known.push(*row);
            }
        }
    }
}
