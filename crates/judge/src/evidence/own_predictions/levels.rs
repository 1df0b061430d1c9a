//! Levels as they are written, without the rounding of floating point.

use uq_core::predictive::central_levels;

/// Decimals beyond which a level is rounding: 1 − 2 · 0.05 is not 0.9 in floating point, nor 0.5 −
/// 0.5 · 0.9 0.05.
const DECIMALS: f64 = 1e10;

/// The levels of both ends of a central interval, as they are written: those of 0.9 are 0.05 and
/// 0.95.
pub(in crate::evidence) fn central(level: f64) -> (f64, f64) {
    let (lower, upper) = central_levels(level);
    (rounded(lower), rounded(upper))
}

/// A level without the rounding of floating point; one that is nearer to 0 or 1 stays as it is.
pub(super) fn rounded(level: f64) -> f64 {
    let rounded = (level * DECIMALS).round() / DECIMALS;
    if rounded > 0.0 && rounded < 1.0 && (rounded - level).abs() < 1e-12 { rounded } else { level }
}
