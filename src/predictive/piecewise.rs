//! Integrate the CRPS where the distribution function is piecewise linear.

/// The part of ∫ (F(x) − 1{y ≤ x})² dx on [`low`, `high`], where F rises linearly from `below` to `above`.
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

/// The part outside the support [`first`, `last`], where F is zero or one: the distance of y from the support.
pub(super) fn crps_outside(first: f64, last: f64, y: f64) -> f64 {
    (first - y).max(0.0) + (y - last).max(0.0)
}
