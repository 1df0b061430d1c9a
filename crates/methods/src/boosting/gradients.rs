//! Fit trees to one number of each row, such as a component of a gradient.

use super::grow::Response;

/// A number of each row.
pub(super) struct Gradients(pub(super) Vec<f64>);

impl Response for Gradients {
    fn cells(&self) -> usize {
        2
    }

    fn fill(&self, rows: &[u32], codes: &[u8], histogram: &mut [f64]) {
        for &row in rows {
            let cell = 2 * usize::from(codes[row as usize]);
            histogram[cell] += self.0[row as usize];
            histogram[cell + 1] += 1.0;
        }
    }
}
