//! Express the gradients of the pinball losses at many levels by one number of each row: the rank
//! of its target.
//!
//! The gradient of the pinball loss at level τ_k is 1{y ≤ q_k} − τ_k. With quantiles q_1 ≤ … ≤ q_K,
//! all K indicators follow from the rank of y, the number of quantiles below it, and the levels
//! cancel in the gain of a split. A row therefore adds one to one cell of a histogram, whatever K
//! is. Where quantiles cross, the rank is that among their rearrangement.

use super::grow::Response;

/// The rank of the target of each row among `levels` quantiles.
pub(super) struct Ranks {
    levels: usize,
    ranks: Vec<u8>,
}

impl Ranks {
    /// Counts, for each row of `target` (n), the `quantiles` (each n) below it; there are at most
    /// 255 of them.
    pub(super) fn new(target: &[f64], quantiles: &[&[f64]]) -> Self {
        let mut ranks = vec![0; target.len()];
        for quantile in quantiles {
            for ((rank, q), y) in ranks.iter_mut().zip(*quantile).zip(target) {
                *rank += u8::from(q < y);
            }
        }
        Self { levels: quantiles.len(), ranks }
    }
}

impl Response for Ranks {
    fn cells(&self) -> usize {
        self.levels + 1
    }

    fn fill(&self, rows: &[u32], codes: &[u8], histogram: &mut [f64]) {
        let cells = self.cells();
        for &row in rows {
            let row = row as usize;
            histogram[usize::from(codes[row]) * cells + usize::from(self.ranks[row])] += 1.0;
        }
        // Rows of at most each rank: those whose target is at most the quantile. The last sum
        // counts all.
        for bin in histogram.chunks_exact_mut(cells) {
            for k in 1..cells {
                bin[k] += bin[k - 1];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_counts_the_targets_at_most_each_quantile() {
        let target = [0.0, 1.0, 2.0, 3.0, 4.0];
        let (low, high) = ([1.0; 5], [3.5, 2.5, 0.5, 2.0, 3.0]);
        let ranks = Ranks::new(&target, &[&low, &high]);
        assert_eq!(ranks.ranks, [0, 0, 2, 2, 2]);
        let mut histogram = vec![0.0; 6];
        ranks.fill(&[0, 1, 3, 4], &[0, 1, 1, 1, 0], &mut histogram);
        // Bin 0 has rows 0 and 4, bin 1 rows 1 and 3: indicators 1{y ≤ low}, 1{y ≤ high}, and the
        // number of rows.
        assert_eq!(histogram, [1.0, 1.0, 2.0, 1.0, 1.0, 2.0]);
    }
}
