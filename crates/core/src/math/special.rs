//! Evaluate the normal and Student-t distributions to near full precision.
//!
//! References: Abramowitz & Stegun (1964), 26.7 (Student's t through the incomplete beta function);
//! Hill (1970), *Algorithm 395*, CACM 13, 617-619 (Student's t at many degrees of freedom).

use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

use statrs::function::beta::beta_reg;
use statrs::function::erf::erfc_inv;
use statrs::function::gamma::ln_gamma;

use super::erf::erfc;
use super::root::increasing_root;

/// ln √(2π).
pub const LN_SQRT_2PI: f64 = 0.918_938_533_204_672_7;

/// 1/√π.
pub const FRAC_1_SQRT_PI: f64 = 0.564_189_583_547_756_3;

/// Above this many degrees of freedom Hill's expansion is as exact as the continued fraction, which
/// becomes slow.
const HILL_FROM: f64 = 500.0;

/// Standard normal density φ(z).
#[inline]
pub fn normal_density(z: f64) -> f64 {
    (-0.5 * z * z - LN_SQRT_2PI).exp()
}

/// Standard normal distribution function Φ(z), with relative precision in the lower tail.
#[inline]
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * erfc(-z * FRAC_1_SQRT_2)
}

/// Standard normal quantile Φ⁻¹(p); infinite at 0 and 1.
#[inline]
pub fn normal_quantile(p: f64) -> f64 {
    -SQRT_2 * erfc_inv(2.0 * p)
}

/// ln[Γ(x + ½) / Γ(x)] for x > 0, without the cancellation of two large logarithms.
#[inline]
pub fn ln_gamma_half_step(x: f64) -> f64 {
    if x < 50.0 {
        return ln_gamma(x + 0.5) - ln_gamma(x);
    }
    let r = 1.0 / (x * x);
    0.5 * x.ln() - (1.0 / 8.0 - r * (1.0 / 192.0 - r / 640.0)) / x
}

/// Log density of Student's t with `nu` > 0 degrees of freedom at `t`.
#[inline]
pub fn student_t_log_density(t: f64, nu: f64) -> f64 {
    ln_gamma_half_step(0.5 * nu) - 0.5 * (nu * PI).ln() - 0.5 * (nu + 1.0) * (t * t / nu).ln_1p()
}

/// Distribution function of Student's t with `nu` > 0 degrees of freedom at `t`.
pub fn student_t_cdf(t: f64, nu: f64) -> f64 {
    if t.is_nan() || t.is_infinite() {
        return normal_cdf(t);
    }
    let square = t * t;
    if nu > HILL_FROM {
        let a = nu - 0.5;
        let b = 48.0 * a * a;
        let y = a * (square / nu).ln_1p();
        let top = (((-0.4 * y - 3.3) * y - 24.0) * y - 85.5) / (0.8 * y * y + 100.0 + b);
        let z = ((top + y + 3.0) / b + 1.0) * y.sqrt();
        return normal_cdf(z.copysign(t));
    }
    // Each branch keeps the argument of the incomplete beta function below ½, where 1 − x loses
    // nothing.
    let lower = if square <= nu {
        0.5 - 0.5 * beta_reg(0.5, 0.5 * nu, square / (nu + square))
    } else {
        0.5 * beta_reg(0.5 * nu, 0.5, nu / (nu + square))
    };
    if t < 0.0 { lower } else { 1.0 - lower }
}

/// ln P(`low` ≤ T < `high`) for Student's t with `nu` > 0 degrees of freedom; −∞ for an empty
/// interval, NaN for NaN.
pub fn student_t_ln_probability(low: f64, high: f64, nu: f64) -> f64 {
    if low.is_nan() || high.is_nan() {
        return f64::NAN;
    }
    if low >= high {
        return f64::NEG_INFINITY;
    }
    let (width, middle) = (high - low, 0.5 * (low + high));
    // A difference of two distribution functions would cancel; Simpson's rule is exact to rounding.
    if width * (1.0 + middle.abs()) < 1e-3 * nu.sqrt().min(1.0) {
        let centre = student_t_log_density(middle, nu);
        let relative = |t: f64| (student_t_log_density(t, nu) - centre).exp();
        return centre + width.ln() + ((relative(low) + 4.0 + relative(high)) / 6.0).ln();
    }
    // The lower tail is the one whose probabilities are relatively precise.
    let (low, high) = if low + high > 0.0 { (-high, -low) } else { (low, high) };
    (student_t_cdf(high, nu) - student_t_cdf(low, nu)).max(0.0).ln()
}

/// Quantile of Student's t with `nu` > 0 degrees of freedom at probability `p`; infinite at 0 and
/// 1.
pub fn student_t_quantile(p: f64, nu: f64) -> f64 {
    let normal = normal_quantile(p);
    if !normal.is_finite() || p == 0.5 {
        return normal;
    }
    // The t distribution is symmetric with heavier tails than the normal: search its lower half,
    // further out.
    let tail = p.min(1.0 - p);
    let high = -normal.abs();
    let mut low = 2.0 * high - 1.0;
    while student_t_cdf(low, nu) > tail && low.is_finite() {
        low *= 2.0;
    }
    let f = |t: f64| (student_t_cdf(t, nu) - tail, student_t_log_density(t, nu).exp());
    increasing_root(low, 0.0_f64.min(high * 0.5), high, f).copysign(normal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_1_PI;

    #[test]
    fn normal_agrees_with_tabulated_values() {
        // Abramowitz & Stegun, tables 26.1 and 26.2.
        assert!((normal_cdf(1.0) - 0.841_344_746_068_542_9).abs() < 1e-15);
        assert!((normal_cdf(-6.0) / 9.865_876_450_377_012e-10 - 1.0).abs() < 1e-12);
        assert!((normal_quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-14);
        assert!((normal_density(0.0) - 0.398_942_280_401_432_7).abs() < 1e-16);
        assert!((LN_SQRT_2PI - 0.5 * (2.0 * PI).ln()).abs() < 1e-15);
        assert!((FRAC_1_SQRT_PI - PI.sqrt().recip()).abs() < 1e-16);
    }

    #[test]
    fn student_t_has_the_closed_forms_of_one_two_and_four_degrees() {
        for t in [-30.0, -2.5, -0.3, -1e-9, 0.0, 1e-9, 0.7, 1.0, 4.0, 1e6_f64] {
            let one = 0.5 + t.atan() * FRAC_1_PI;
            let two = 0.5 + t / (2.0 * (2.0 + t * t).sqrt());
            let s = t / (4.0 + t * t).sqrt();
            let four = 0.5 + 0.75 * s * (1.0 - s * s / 3.0);
            for (nu, exact) in [(1.0, one), (2.0, two), (4.0, four)] {
                let found = student_t_cdf(t, nu);
                assert!((found - exact).abs() < 1e-14, "nu {nu}, t {t}: {found} against {exact}");
            }
        }
    }

    #[test]
    fn student_t_cdf_is_the_integral_of_its_density_on_both_sides_of_the_expansion() {
        for nu in [3.3, 499.0, 501.0, 1e5] {
            let steps = 4000_i32;
            let width = 2.0 / f64::from(steps);
            // Simpson's rule from 0 to 2.
            let integral: f64 = (0..=steps)
                .map(|i| {
                    let weight =
                        if i == 0 || i == steps { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
                    weight * student_t_log_density(width * f64::from(i), nu).exp()
                })
                .sum::<f64>()
                * width
                / 3.0;
            assert!((student_t_cdf(2.0, nu) - 0.5 - integral).abs() < 1e-12, "nu {nu}");
        }
    }

    #[test]
    fn student_t_quantile_inverts_the_distribution_function() {
        for nu in [0.5, 1.0, 2.7, 30.0, 800.0, 1e8] {
            for p in [1e-6, 0.025, 0.3, 0.499_999, 0.5, 0.8, 0.999] {
                let t = student_t_quantile(p, nu);
                assert!((student_t_cdf(t, nu) - p).abs() < 1e-13, "nu {nu}, p {p}: {t}");
            }
        }
        assert!((student_t_quantile(0.975, 10.0) - 2.228_138_851_986_273_5).abs() < 1e-12);
        assert!((student_t_quantile(0.975, 1e12) - normal_quantile(0.975)).abs() < 1e-9);
    }

    #[test]
    fn student_t_probability_of_an_interval_has_the_closed_form_of_cauchy() {
        // P(low ≤ T < high) = atan((high − low) / (1 + low high)) / π for ends on one side of zero.
        let cells = [(0.5_f64, 0.9_f64), (2.0, 2.0 + 1e-9), (5.0, 5.1), (1e4, 3e4), (0.0, 4e-4)];
        for (low, high) in cells {
            let expected = (((high - low) / (1.0 + low * high)).atan() * FRAC_1_PI).ln();
            for found in [
                student_t_ln_probability(low, high, 1.0),
                student_t_ln_probability(-high, -low, 1.0),
            ] {
                assert!(
                    (found - expected).abs() < 1e-11 * (1.0 + expected.abs()),
                    "{low} {high}: {found} {expected}"
                );
            }
        }
        assert!((student_t_ln_probability(-1.0, 1.0, 1.0) + std::f64::consts::LN_2).abs() < 1e-14);
        assert_eq!(student_t_ln_probability(1.0, 1.0, 3.0), f64::NEG_INFINITY);
        assert!(student_t_ln_probability(1.0, f64::NAN, 3.0).is_nan());
    }

    #[test]
    fn gamma_half_step_is_continuous_and_exact_at_one_half() {
        assert!((ln_gamma_half_step(0.5) + PI.sqrt().ln()).abs() < 1e-14);
        let direct = ln_gamma(80.5) - ln_gamma(80.0);
        assert!((ln_gamma_half_step(80.0) - direct).abs() < 1e-12);
    }
}
