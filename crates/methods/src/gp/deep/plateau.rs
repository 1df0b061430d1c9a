//! Say whether a noisy bound still rises.
//!
//! A window's mean is the mean of the bound over a fixed number of steps. Through the last windows'
//! means m_i at times t_i, in thousands of steps, goes the least-squares line, whose slope b has
//! the standard error
//!
//! ```text
//! s² = Σ_i (m_i − m̄ − b (t_i − t̄))² / [(w − 2) Σ_i (t_i − t̄)²]                              (1)
//! ```
//!
//! The bound is level where |b| + 2 s is below a tolerance: it rises slowly, and may still rise.
//! Noise delays this decision. Noise rarely causes it where s is well below the tolerance; the
//! probability grows with the number of checks (with s equal to the tolerance and a slope of twice
//! that, one climb in ten). The formula takes the windows' errors as independent; parameters that
//! change slowly make s somewhat too small.

use serde::{Deserialize, Serialize};

/// Smallest number of windows that have a slope with an error.
pub(super) const FEWEST: usize = 3;

/// How the bound rises over its last windows, per thousand steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::gp) struct Slope {
    /// b.
    pub slope: f64,
    /// s.
    pub standard_error: f64,
}

impl Slope {
    /// The slope over all windows' means, each of `steps` steps; `None` for fewer than three.
    pub fn of(means: &[f64], steps: usize) -> Option<Self> {
        if means.len() < FEWEST {
            return None;
        }
        let count = means.len() as f64;
        let time = |i: usize| steps as f64 / 1000.0 * (i as f64 - 0.5 * (count - 1.0));
        let centre = means.iter().sum::<f64>() / count;
        let squares: f64 = (0..means.len()).map(|i| time(i).powi(2)).sum();
        let slope =
            means.iter().enumerate().map(|(i, m)| time(i) * (m - centre)).sum::<f64>() / squares;
        let rest: f64 =
            means.iter().enumerate().map(|(i, m)| (m - centre - slope * time(i)).powi(2)).sum();
        Some(Self { slope, standard_error: (rest / ((count - 2.0) * squares)).sqrt() }) // (1)
    }

    /// Whether the bound rises, or falls, by less than `tolerance` with two standard errors added.
    pub fn is_level(&self, tolerance: f64) -> bool {
        self.slope.abs() + 2.0 * self.standard_error < tolerance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_slope_and_no_error_and_a_worked_example_agrees() {
        let line: Vec<f64> = (0..8).map(|i| 3.0 + 0.25 * f64::from(i)).collect();
        let found = Slope::of(&line, 500).unwrap();
        assert!((found.slope - 0.5).abs() < 1e-14 && found.standard_error < 1e-14, "{found:?}");
        // Of 1, 2, 4, 4 at 0, 1, 2, 3: b = 1.1, residuals -0.1, -0.2, 0.7, -0.4 after the mean
        // 2.75; s² = 0.7 / (2 · 5).
        let found = Slope::of(&[1.0, 2.0, 4.0, 4.0], 1000).unwrap();
        assert!((found.slope - 1.1).abs() < 1e-14, "{found:?}");
        assert!((found.standard_error - (0.7_f64 / 10.0).sqrt()).abs() < 1e-14, "{found:?}");
        assert_eq!(Slope::of(&[1.0, 2.0], 1000), None);
    }

    #[test]
    fn a_rise_a_fall_and_noise_are_not_level() {
        let rising: Vec<f64> = (0..10).map(|i| 0.01 * f64::from(i)).collect();
        assert!(!Slope::of(&rising, 1000).unwrap().is_level(0.005));
        let falling: Vec<f64> = rising.iter().map(|m| -m).collect();
        assert!(!Slope::of(&falling, 1000).unwrap().is_level(0.005));
        let level: Vec<f64> = (0..10).map(|i| 0.002 * f64::from(i % 2)).collect();
        assert!(Slope::of(&level, 1000).unwrap().is_level(0.005));
        let noisy: Vec<f64> = level.iter().map(|m| 50.0 * m).collect();
        assert!(!Slope::of(&noisy, 1000).unwrap().is_level(0.005));
        assert!(!Slope::of(&[f64::NAN; 10], 1000).unwrap().is_level(0.005));
    }
}
