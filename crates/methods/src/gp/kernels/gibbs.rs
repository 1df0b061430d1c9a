//! Correlate points whose length scales differ from place to place: Gibbs' kernel.
//!
//! k(x, x') = ∏_d √(2 ℓ_d ℓ'_d / q_d) · exp(−Σ_d (x_d − x'_d)²/q_d), q_d = ℓ_d² + ℓ'_d², where ℓ_d
//! = ℓ_d(x) is any positive function of the whole x, given by its values at the points. With a
//! constant ℓ it is the RBF kernel.
//!
//! *Departures from the paper:* Eq. (3) of the NSGP paper has one factor √(2ℓℓ'/(ℓ² + ℓ'²))
//! whatever the number of features, which is indefinite from two features on
//! (`reports/errata/nsgp.md`); Gibbs has one for each feature.
//!
//! # References
//! M. N. Gibbs: *Bayesian Gaussian Processes for Regression and Classification*, PhD thesis,
//! Cambridge, 1997, Eq. (3.24). C. Paciorek, M. Schervish: *Nonstationary covariance functions for
//! Gaussian process regression*, NIPS 16, 2003.

use super::Points;

/// Points with the length scales there.
#[derive(Clone, Copy, Debug)]
pub struct Scaled<'a> {
    points: Points<'a>,
    length_scales: &'a [f64],
}

impl<'a> Scaled<'a> {
    /// Points (n × d) with ℓ_d at each of them (n × d, row by row).
    ///
    /// # Panics
    /// If there are not as many length scales.
    pub fn new(points: Points<'a>, length_scales: &'a [f64]) -> Self {
        assert_eq!(
            points.values().len(),
            length_scales.len(),
            "a length scale for each point and feature"
        );
        Self { points, length_scales }
    }

    fn row(&self, i: usize) -> (&'a [f64], &'a [f64]) {
        let d = self.points.columns();
        (self.points.row(i), &self.length_scales[i * d..][..d])
    }
}

/// Where derivatives are added, each n × d; `None` where one is not wanted.
#[derive(Debug, Default)]
pub struct Derivatives<'a> {
    /// By the coordinates of the points, at fixed length scales.
    pub points: Option<&'a mut [f64]>,
    /// By the logarithms of the length scales.
    pub ln_length_scales: Option<&'a mut [f64]>,
}

/// k between two points.
fn correlation((x, l): (&[f64], &[f64]), (y, m): (&[f64], &[f64])) -> f64 {
    let (mut product, mut exponent) = (1.0, 0.0);
    for ((x, l), (y, m)) in x.iter().zip(l).zip(y.iter().zip(m)) {
        // Divided by the larger scale, so that nothing overflows.
        let (large, ratio) = (l.max(*m), l.min(*m) / l.max(*m));
        let q = 1.0 + ratio * ratio;
        product *= 2.0 * ratio / q;
        exponent += ((x - y) / large).powi(2) / q;
    }
    product.sqrt() * (-exponent).exp()
}

/// Writes the correlations between `a` and `b` (n × m).
///
/// # Panics
/// If shapes do not fit.
pub fn matrix(a: Scaled, b: Scaled, to: &mut [f64]) {
    let (n, m) = (a.points.rows(), b.points.rows());
    assert_eq!(
        (to.len(), a.points.columns()),
        (n * m, b.points.columns()),
        "a matrix has a number for each pair"
    );
    for i in 0..n {
        for (j, k) in to[i * m..][..m].iter_mut().enumerate() {
            *k = correlation(a.row(i), b.row(j));
        }
    }
}

/// Adds the derivatives of a number L with ∂L/∂K = `dk` (n × m), where `k` is what [`matrix`] wrote
/// for `a` and `b`.
///
/// For a K(a, a) whose arguments move together pass `a` twice, a symmetric `dk` and `d_a` alone,
/// and double what is added.
///
/// # Panics
/// If shapes do not fit.
pub fn pull_back(
    a: Scaled,
    b: Scaled,
    k: &[f64],
    dk: &[f64],
    d_a: &mut Derivatives,
    d_b: &mut Derivatives,
) {
    let (n, m, d) = (a.points.rows(), b.points.rows(), a.points.columns());
    for i in 0..n {
        let (x, l) = a.row(i);
        for j in 0..m {
            let w = dk[i * m + j] * k[i * m + j];
            let (y, m) = b.row(j);
            for f in 0..d {
                let (l, m, difference) = (l[f] * l[f], m[f] * m[f], x[f] - y[f]);
                let q = l + m;
                // ∂ln k/∂x = −2 (x − x')/q; ∂ln k/∂ln ℓ = ½ − ℓ²/q + 2 (x − x')² ℓ²/q².
                let moved = w * 2.0 * difference / q;
                let bent = 2.0 * (difference / q).powi(2);
                add(&mut d_a.points, i * d + f, -moved);
                add(&mut d_b.points, j * d + f, moved);
                add(&mut d_a.ln_length_scales, i * d + f, w * (0.5 - l / q + bent * l));
                add(&mut d_b.ln_length_scales, j * d + f, w * (0.5 - m / q + bent * m));
            }
        }
    }
}

#[inline]
fn add(to: &mut Option<&mut [f64]>, at: usize, value: f64) {
    if let Some(to) = to {
        to[at] += value;
    }
}

#[cfg(test)]
mod tests;
