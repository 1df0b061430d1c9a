//! Compute the ellipses of a mixture's components, the bands of its moments, and what its densities
//! say in words.

use crate::plot::axis::{coordinate, significant};
use crate::plot::tip::known;
use uqbench_judge::figures::{Component, DEVIATIONS, Moments, Slice};

/// Corners of an ellipse.
const CORNERS: usize = 72;

/// The ellipse of [`DEVIATIONS`] standard deviations, closed: mean + 2 L (cos t, sin t) with the
/// covariance's Cholesky factor L.
pub(in crate::plot) fn ellipse(component: &Component) -> impl Iterator<Item = (f64, f64)> + use<> {
    let ((x, y), (xx, xy, yy)) = (component.mean, component.covariance);
    let along = xx.sqrt();
    let across = xy / along;
    let rest = (yy - across * across).max(0.0).sqrt();
    (0..=CORNERS).map(move |i| {
        let (sin, cos) = (std::f64::consts::TAU * i as f64 / CORNERS as f64).sin_cos();
        (x + DEVIATIONS * along * cos, y + DEVIATIONS * (across * cos + rest * sin))
    })
}

/// The ends of mean ± 2 of these standard deviations.
pub(super) fn band(moments: &Moments, sd: &[f64]) -> (Vec<f64>, Vec<f64>) {
    ends(&moments.mean, sd)
}

/// The ends of truth ± 2 standard deviations of its noise.
pub(super) fn noise_band(moments: &Moments) -> Option<(Vec<f64>, Vec<f64>)> {
    Some(ends(moments.truth.as_ref()?, moments.noise.as_ref()?))
}

/// The numbers at a point; `part` is what the smaller spread is called.
pub(super) fn words(moments: &Moments, i: usize, part: &str) -> String {
    let [mean, sd, within] =
        [&moments.mean, &moments.sd, &moments.within].map(|all| significant(all[i]));
    let truth = known("truth", moments.truth.as_deref(), i)
        + &known("sd of its noise", moments.noise.as_deref(), i);
    format!("mean, {}: {mean}, sd {sd} in total, {within} {part}{truth}", coordinate(moments.x[i]))
}

/// The y of the largest density, and the numbers of the slice.
pub(super) fn highest(slice: &Slice) -> Option<(f64, String)> {
    let (&y, &density) = slice.y.iter().zip(&slice.density).max_by(|a, b| a.1.total_cmp(b.1))?;
    let truth = slice.truth.map_or_else(String::new, |ends| {
        let [low, middle, high] = ends.map(significant);
        format!(", truth {middle}, from {low} to {high}")
    });
    let (x, peak) = (coordinate(slice.x), significant(density));
    Some((y, format!("density at {x}: peak {peak} at {}{truth}", coordinate(y))))
}

fn ends(middle: &[f64], sd: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let end = |sign: f64| middle.iter().zip(sd).map(|(m, sd)| m + sign * DEVIATIONS * sd).collect();
    (end(-1.0), end(1.0))
}
