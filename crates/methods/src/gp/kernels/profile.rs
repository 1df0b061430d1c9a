//! State what makes a kernel stationary: its correlation, and the slope of its logarithm.

/// A correlation as a function of the squared scaled distance s.
pub(super) trait Profile: Copy {
    /// k(s) with k(0) = 1.
    fn correlation(self, s: f64) -> f64;

    /// ∂ln k/∂s; 0 at s = 0 where it does not exist.
    fn slope(self, s: f64) -> f64;

    /// ∂ln k/∂ln α.
    #[inline(always)]
    fn by_alpha(self, _: f64) -> f64 {
        0.0
    }
}
