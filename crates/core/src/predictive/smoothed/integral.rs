//! Integrate the square of a smooth distribution function.
//!
//! The line is cut into pieces that are no longer than their distance from the nearest value, or
//! than the bandwidth: the density has no singularity within a circle about a piece that is several
//! times as large, and 8 Gauss-Legendre points are exact to some twelve digits. Beyond the outermost
//! pieces x = end ± T u/(1 − u) maps the rest of the line to 0 ≤ u < 1, in which heavy tails are
//! smooth, too.

use super::Kernel;
use crate::predictive::mixture::integral;

/// The tails begin at least this many bandwidths from the outermost value.
const TAIL: f64 = 16.0;

/// Pieces of a tail.
const TAIL_PIECES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Weighted values with a kernel, and where the line is cut.
pub(super) struct Line {
    /// Values and their weights.
    points: Vec<(f64, f64)>,
    bandwidth: f64,
    kernel: Kernel,
    /// Ascending.
    edges: Vec<f64>,
    first: f64,
    last: f64,
    /// T.
    tail: f64,
}

impl Line {
    /// `None` without a point.
    pub(super) fn new(points: Vec<(f64, f64)>, bandwidth: f64, kernel: Kernel) -> Option<Self> {
        let least = points.iter().map(|point| point.0).reduce(f64::min)?;
        let most = points.iter().map(|point| point.0).reduce(f64::max)?;
        let tail = (most - least).max(TAIL * bandwidth);
        let mut distances = vec![0.0];
        let mut distance = 0.5 * bandwidth;
        while distance < tail {
            distances.push(distance);
            distance *= 2.0;
        }
        let (first, last) = (least - tail, most + tail);
        let mut edges: Vec<f64> = points
            .iter()
            .flat_map(|point| distances.iter().flat_map(|by| [point.0 - by, point.0 + by]))
            .chain([first, last])
            .filter(|edge| (first..=last).contains(edge))
            .collect();
        edges.sort_unstable_by(f64::total_cmp);
        edges.dedup_by(|next, kept| *next - *kept <= 0.5 * bandwidth);
        Some(Self { points, bandwidth, kernel, edges, first, last, tail })
    }

    fn cdf(&self, x: f64) -> f64 {
        let below =
            |&(value, weight): &(f64, f64)| weight * self.kernel.cdf((x - value) / self.bandwidth);
        self.points.iter().map(below).sum()
    }

    /// 1 − F.
    fn survival(&self, x: f64) -> f64 {
        let above =
            |&(value, weight): &(f64, f64)| weight * self.kernel.cdf((value - x) / self.bandwidth);
        self.points.iter().map(above).sum()
    }

    /// ∫ F² over low ≤ x ≤ high, where `low` may be −∞ and `high` is finite, or both are infinite
    /// and equal.
    pub(super) fn square_between(&self, low: f64, high: f64) -> f64 {
        if low >= high {
            return 0.0;
        }
        let mut sum = 0.0;
        if low < self.first {
            let square = |distance: f64| self.cdf(self.first - distance).powi(2);
            let (near, far) = ((self.first - high).max(0.0), self.first - low);
            sum += self.tail_integral(near, far, square);
        }
        let (from, to) = (low.max(self.first), high.min(self.last));
        if from < to {
            let inner = self.edges.iter().copied().filter(|edge| from < *edge && *edge < to);
            let cuts: Vec<f64> = [from].into_iter().chain(inner).chain([to]).collect();
            sum += integral(&cuts, |x| self.cdf(x).powi(2));
        }
        if high > self.last {
            // F² = 1 − S (2 − S), S the survival function, which is small.
            let lost = |distance: f64| {
                let survival = self.survival(self.last + distance);
                survival * (2.0 - survival)
            };
            let (near, far) = ((low - self.last).max(0.0), high - self.last);
            sum += far - near - self.tail_integral(near, far, lost);
        }
        sum
    }

    /// The integral over distances from `near` to `far` beyond an end.
    fn tail_integral(&self, near: f64, far: f64, f: impl Fn(f64) -> f64) -> f64 {
        let mapped = |distance: f64| match distance.is_finite() {
            true => distance / (distance + self.tail),
            false => 1.0,
        };
        let (from, to) = (mapped(near), mapped(far));
        let inner = TAIL_PIECES.into_iter().filter(|cut| from < *cut && *cut < to);
        let cuts: Vec<f64> = [from].into_iter().chain(inner).chain([to]).collect();
        let jacobian = |u: f64| self.tail / (1.0 - u).powi(2);
        integral(&cuts, |u| f(self.tail * u / (1.0 - u)) * jacobian(u))
    }
}
