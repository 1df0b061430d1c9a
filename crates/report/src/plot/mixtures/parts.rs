//! Hold the components, moments and densities of a fitted mixture at a few points.

use crate::plot::axis::{coordinate, significant};
use crate::plot::tip::known;

/// Standard deviations of ellipses and bands.
pub const DEVIATIONS: f64 = 2.0;

/// Corners of an ellipse.
const CORNERS: usize = 72;

/// A component of a mixture of (x, y).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Component {
    /// Its weight.
    pub weight: f64,
    /// Means of x and y.
    pub mean: (f64, f64),
    /// Variance of x, covariance, variance of y.
    pub covariance: (f64, f64, f64),
}

/// Moments of y given x at n points, in the order of x.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    /// The points, n.
    pub x: Vec<f64>,
    /// Conditional means, n.
    pub mean: Vec<f64>,
    /// Conditional standard deviations, n.
    pub sd: Vec<f64>,
    /// Roots of the variance within components, n.
    pub within: Vec<f64>,
    /// The noise-free truth, n, where it is known.
    pub truth: Option<Vec<f64>>,
    /// True standard deviation of the noise about it, n, where it is known.
    pub noise: Option<Vec<f64>>,
}

/// The density of y given one x.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    /// The value of x.
    pub x: f64,
    /// Values of y, ascending.
    pub y: Vec<f64>,
    /// Density at each.
    pub density: Vec<f64>,
    /// Lower end, middle and upper end of the truth's interval, where it is known.
    pub truth: Option<[f64; 3]>,
}

impl Component {
    /// The ellipse of [`DEVIATIONS`] standard deviations, closed: mean + 2 L (cos t, sin t) with the covariance's Cholesky
    /// factor L.
    pub(in crate::plot) fn ellipse(&self) -> impl Iterator<Item = (f64, f64)> + use<> {
        let ((x, y), (xx, xy, yy)) = (self.mean, self.covariance);
        let along = xx.sqrt();
        let across = xy / along;
        let rest = (yy - across * across).max(0.0).sqrt();
        (0..=CORNERS).map(move |i| {
            let (sin, cos) = (std::f64::consts::TAU * i as f64 / CORNERS as f64).sin_cos();
            (x + DEVIATIONS * along * cos, y + DEVIATIONS * (across * cos + rest * sin))
        })
    }
}

impl Moments {
    /// The ends of mean ± 2 of these standard deviations.
    pub(super) fn band(&self, sd: &[f64]) -> (Vec<f64>, Vec<f64>) {
        ends(&self.mean, sd)
    }

    /// The ends of truth ± 2 standard deviations of its noise.
    pub(super) fn noise_band(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        Some(ends(self.truth.as_ref()?, self.noise.as_ref()?))
    }

    /// The numbers at a point; `part` is what the smaller spread is called.
    pub(super) fn words(&self, i: usize, part: &str) -> String {
        let [mean, sd, within] = [&self.mean, &self.sd, &self.within].map(|all| significant(all[i]));
        let truth = known("truth", self.truth.as_deref(), i) + &known("sd of its noise", self.noise.as_deref(), i);
        format!("mean, {}: {mean}, sd {sd} in total, {within} {part}{truth}", coordinate(self.x[i]))
    }
}

impl Slice {
    /// The y of the largest density, and the numbers of the slice.
    pub(super) fn peak(&self) -> Option<(f64, String)> {
        let (&y, &density) = self.y.iter().zip(&self.density).max_by(|a, b| a.1.total_cmp(b.1))?;
        let truth = self.truth.map_or_else(String::new, |ends| {
            let [low, middle, high] = ends.map(significant);
            format!(", truth {middle}, from {low} to {high}")
        });
        let (x, peak) = (coordinate(self.x), significant(density));
        Some((y, format!("density at {x}: peak {peak} at {}{truth}", coordinate(y))))
    }
}

fn ends(middle: &[f64], sd: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let end = |sign: f64| middle.iter().zip(sd).map(|(m, sd)| m + sign * DEVIATIONS * sd).collect();
    (end(-1.0), end(1.0))
}
