//! Integrate the CRPS where the distribution function is piecewise linear, and where the
//! distribution is symmetric.

/// The part of ∫ (F(x) − 1{y ≤ x})² dx on [`low`, `high`], where F rises linearly from `below` to
/// `above`.
pub(super) fn crps_piece(low: f64, high: f64, below: f64, above: f64, y: f64) -> f64 {
    // ∫ of the square of a line over an interval: its length × (a² + ab + b²)/3.
    let square = |length: f64, a: f64, b: f64| length * (a * a + a * b + b * b) / 3.0;
    if y <= low {
        square(high - low, 1.0 - below, 1.0 - above)
    } else if y >= high {
        square(high - low, below, above)
    } else {
        let at_y = below + (above - below) * (y - low) / (high - low);
        square(y - low, below, at_y) + square(high - y, 1.0 - at_y, 1.0 - above)
    }
}

/// The part outside the support [`first`, `last`], where F is zero or one: the distance of y from
/// the support.
pub(super) fn crps_outside(first: f64, last: f64, y: f64) -> f64 {
    (first - y).max(0.0) + (y - last).max(0.0)
}

/// ∫ (F(x) − 1{y ≤ x})² dx over `low` ≤ x ≤ `high` for a distribution that is symmetric about zero,
/// given G(x), the integral of F² up to x; y lies within. As 1 − F(x) = F(−x), the integral of (1 −
/// F)² from y to `high` is G(−y) − G(−high).
pub(super) fn crps_symmetric(y: f64, low: f64, high: f64, g: impl Fn(f64) -> f64) -> f64 {
    let g = |x: f64| if x == f64::NEG_INFINITY { 0.0 } else { g(x) };
    // Rounding must not make a far tail negative; NaN stays NaN.
    let sum = g(y) - g(low) + (g(-y) - g(-high));
    if sum < 0.0 { 0.0 } else { sum }
}
