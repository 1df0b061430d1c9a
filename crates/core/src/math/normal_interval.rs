//! Evaluate the log probability of an interval under the standard normal distribution, without
//! underflow or cancellation.
//!
//! Reference: Abramowitz & Stegun (1964), 26.2.12 (asymptotic expansion of the normal tail).

use super::special::{LN_SQRT_2PI, normal_cdf};

/// Below this product of the interval's width and 1 + |its middle|, an expansion about the middle
/// is exact to rounding.
const NARROW: f64 = 1e-3;

/// From this distance on the asymptotic expansion of the tail is exact to rounding.
const FAR: f64 = 30.0;

/// ln P(`low` ≤ Z < `high`) for standard normal Z; −∞ for an empty interval, NaN if an end is NaN.
pub fn normal_ln_probability(low: f64, high: f64) -> f64 {
    if low.is_nan() || high.is_nan() {
        return f64::NAN;
    }
    if low >= high {
        return f64::NEG_INFINITY;
    }
    // The lower tail is the one whose probabilities are relatively precise.
    let (low, high) = if low + high > 0.0 { (-high, -low) } else { (low, high) };
    let (width, middle) = (high - low, 0.5 * (low + high));
    if width * (1.0 + middle.abs()) < NARROW {
        return width.ln() - 0.5 * middle * middle - LN_SQRT_2PI
            + (middle * middle - 1.0) * width * width / 24.0;
    }
    if high > -FAR {
        return (normal_cdf(high) - normal_cdf(low)).ln();
    }
    let (near, far) = (-high, -low);
    let ratio = 0.5 * (far - near) * (far + near) + (far / near).ln() + tail_series(near)
        - tail_series(far);
    -0.5 * near * near - LN_SQRT_2PI - near.ln() + tail_series(near) + (-(-ratio).exp_m1()).ln()
}

/// ln of 1 − 1/t² + 3/t⁴ − 15/t⁶ + 105/t⁸ − 945/t¹⁰, by which the tail P(Z > t) differs from
/// φ(t)/t.
fn tail_series(t: f64) -> f64 {
    let r = 1.0 / (t * t);
    (-r * (1.0 - r * (3.0 - r * (15.0 - r * (105.0 - r * 945.0))))).ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simpson's rule on the density relative to that of the end nearer to zero.
    fn by_quadrature(low: f64, high: f64) -> f64 {
        let nearest = if low > 0.0 { low } else { high.min(0.0) };
        // Beyond 60/|nearest| the tail is negligible.
        let reach = 60.0 / nearest.abs().max(1.0);
        let (low, high) = (low.max(nearest - reach), high.min(nearest + reach));
        let steps = 20_000_u32;
        let width = (high - low) / f64::from(steps);
        let sum: f64 = (0..=steps)
            .map(|i| {
                let z = low + width * f64::from(i);
                let weight = if i == 0 || i == steps { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
                weight * (-0.5 * (z - nearest) * (z + nearest)).exp()
            })
            .sum();
        (sum * width / 3.0).ln() - 0.5 * nearest * nearest - LN_SQRT_2PI
    }

    #[test]
    fn agrees_with_quadrature_in_every_branch_and_on_both_sides() {
        for (low, high) in [
            (-1.0, 1.0),
            (-0.3, 2.5),
            (0.2, 0.200_1),
            (1.0, 1.002),
            (4.0, 4.000_19),
            (4.0, 4.000_21),
            (9.0, 9.5),
            (29.9, 31.0),
            (30.1, 30.2),
            (60.0, 61.0),
            (60.0, 60.000_01),
            (200.0, 1000.0),
        ] {
            let expected = by_quadrature(low, high);
            for found in [normal_ln_probability(low, high), normal_ln_probability(-high, -low)] {
                assert!(
                    (found - expected).abs() < 1e-11 * (1.0 + expected.abs()),
                    "{low} {high}: {found} {expected}"
                );
            }
        }
    }

    #[test]
    fn ends_are_allowed_to_be_infinite_and_must_be_in_order() {
        let all = normal_ln_probability(f64::NEG_INFINITY, f64::INFINITY);
        assert!(all.abs() < 1e-15);
        assert!((normal_ln_probability(0.0, f64::INFINITY) + std::f64::consts::LN_2).abs() < 1e-15);
        let tail = normal_ln_probability(40.0, f64::INFINITY);
        // mpmath.log(mpmath.ncdf(-40))
        assert!((tail + 804.608_442_013_753_9).abs() < 1e-10, "{tail}");
        assert_eq!(normal_ln_probability(1.0, 1.0), f64::NEG_INFINITY);
        assert_eq!(normal_ln_probability(2.0, 1.0), f64::NEG_INFINITY);
        assert!(normal_ln_probability(f64::NAN, 1.0).is_nan());
    }
}
