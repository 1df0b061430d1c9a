//! Find quantiles of mixtures, row by row: safeguarded Newton steps, each over lanes of components.
//!
//! For each quantile q, |F(q) − level| is at most 1e-15 (rounding of the sum F) plus what two
//! roundings of q change, f(q) |q| 2⁻⁵¹; in the lower tail the rounding of F is relative to the
//! level. Components whose weight is below [`NEGLIGIBLE`] are left out: k of them change F by less
//! than k/5 roundings (2⁻⁵³) of the level or of its distance from one.
//!
//! Lanes are components of one row, so that a row's result does not depend on other rows, rows do
//! not wait for each other, and components that are left out cost nothing. Most rows are near few
//! components.

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use super::{Mixture, weight_row};
use crate::math::root::increasing_root;
use crate::math::special::{LN_SQRT_2PI, normal_quantile};
use crate::math::vectorised::normal::normal_cdf_and_kernel;
use crate::math::vectorised::sum;

/// Number of components that are processed together.
const LANES: usize = 8;

/// Components are left out whose weight is below this fraction of the level and of its distance
/// from one.
const NEGLIGIBLE: f64 = 0.1 * f64::EPSILON;

/// Largest error of F relative to the level: the rounding of the sum.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The quantiles at `level` of these rows; `None` for a level outside (0, 1), or where a quantile
/// is not finite.
pub(super) fn of_rows(mixture: &Mixture, rows: Range<usize>, level: f64) -> Option<Vec<f64>> {
    let z = normal_quantile(level);
    if !(level > 0.0 && level < 1.0 && z.is_finite()) {
        return None;
    }
    Arch::new().dispatch(Search { mixture, rows, level, z })
}

/// One number of each of [`LANES`] components.
type Lane = [f64; LANES];

/// A group of components; those that fill up the last group have weight 0.
struct Group {
    weight: Lane,
    mean: Lane,
    sd: Lane,
    /// Weight times the density at the component's mean; 0 for an atom.
    peak: Lane,
}

impl Group {
    const EMPTY: Self =
        Self { weight: [0.0; LANES], mean: [0.0; LANES], sd: [1.0; LANES], peak: [0.0; LANES] };
}

/// The search over all rows. A type rather than a closure, so that it is compiled for the
/// processor's own instructions.
struct Search<'a> {
    mixture: &'a Mixture,
    rows: Range<usize>,
    level: f64,
    /// The standard normal quantile at `level`.
    z: f64,
}

impl WithSimd for Search<'_> {
    type Output = Option<Vec<f64>>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        let Self { mixture, rows, level, z } = self;
        let negligible = NEGLIGIBLE * level.min(1.0 - level);
        let mut groups = Vec::new();
        let mut found = Vec::with_capacity(rows.len());
        for i in rows {
            let (low, high, start) = gather(mixture, i, z, negligible, &mut groups)?;
            found.push(if low == high {
                low
            } else {
                increasing_root(low, high, start, |x| {
                    let (value, slope) = distribution(&groups, x);
                    let off = value - level;
                    // Below rounding, Newton steps would follow the noise of the sum and not
                    // converge.
                    (if off.abs() <= ROUNDING * level { 0.0 } else { off }, slope)
                })
            });
        }
        Some(found)
    }
}

/// Fills `groups` with the components of row `i` that are not negligible. Returns the smallest and
/// the largest of their own quantiles, between which the mixture's lies, and their mean; `None`
/// where a number is not finite.
#[inline(always)]
fn gather(
    mixture: &Mixture,
    i: usize,
    z: f64,
    negligible: f64,
    groups: &mut Vec<Group>,
) -> Option<(f64, f64, f64)> {
    let peak = (-LN_SQRT_2PI).exp();
    let (weights, means, variances) =
        (weight_row(&mixture.weights, i), mixture.means.row(i), mixture.variances.row(i));
    let (mut low, mut high, mut start, mut filled) = (f64::INFINITY, f64::NEG_INFINITY, 0.0, LANES);
    groups.clear();
    for ((&weight, &mean), &variance) in weights.iter().zip(&means).zip(&variances) {
        if weight < negligible {
            continue;
        }
        let sd = variance.sqrt();
        let q = mean + sd * z;
        if !(q.is_finite() && weight.is_finite()) {
            return None;
        }
        (low, high) = (low.min(q), high.max(q));
        start += weight * q;
        if filled == LANES {
            groups.push(Group::EMPTY);
            filled = 0;
        }
        if let Some(group) = groups.last_mut() {
            group.weight[filled] = weight;
            group.mean[filled] = mean;
            group.sd[filled] = sd;
            group.peak[filled] = if sd > 0.0 { weight * peak / sd } else { 0.0 };
        }
        filled += 1;
    }
    (low <= high).then_some((low, high, start))
}

/// F(x) and the density f(x).
#[inline(always)]
fn distribution(groups: &[Group], x: f64) -> (f64, f64) {
    let (mut value, mut slope) = ([0.0; LANES], [0.0; LANES]);
    for Group { weight, mean, sd, peak } in groups {
        for b in 0..LANES {
            // An atom has z = ±∞ beside it and NaN on it, which counts as +∞: its weight is part of
            // F there.
            let (cdf, kernel) = normal_cdf_and_kernel((x - mean[b]) / sd[b]);
            value[b] += weight[b] * cdf;
            slope[b] += peak[b] * kernel;
        }
    }
    (sum(&value), sum(&slope))
}

#[cfg(test)]
mod tests;
