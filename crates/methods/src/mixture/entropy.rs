//! Bound the differential entropy of a normal mixture of one variable, H = −∫ p ln p, which has no
//! closed form.
//!
//! ```text
//! pairwise:            −Σ_i π_i ln Σ_j π_j N(μ_i | μ_j, σ_i² + σ_j²)          (19)   ≤ H
//! component average:   Σ_k π_k (ln 2π + ln σ_k² + 1) / 2                      (20)   ≤ H
//! component average + weights' entropy −Σ π ln π                                     ≥ H
//! moment-matched normal: ½ ln(2πe Var y)                                             ≥ H
//! ```
//!
//! *Departures from the paper:* Theorem 1 calls Eq. (20) an upper bound. It is the entropy of y
//! given its component, so a *lower* bound, equal to H only where all components are the same. The
//! proof takes −E ln N(y | μ_k, σ_k²) over the whole mixture for the entropy of component k, which
//! is that expectation over component k only. Where components lie far apart, Eq. (19) even exceeds
//! Eq. (20), by Σ −π ln π − ½(1 − ln 2). Two correct upper bounds stand beside it.
//!
//! # References
//! M. F. Huber, T. Bailey, H. Durrant-Whyte, U. D. Hanebeck: *On entropy approximation for Gaussian
//! mixture random vectors*, MFI 2008 (Eq. 19 and the upper bound with the weights' entropy). T. M.
//! Cover, J. A. Thomas: *Elements of Information Theory*, 2nd ed., Wiley, 2006, Theorems 2.7.3 and
//! 8.6.5.

use std::f64::consts::PI;

use uq_core::predictive::{Distribution, Mixture};

/// Bounds of a mixture's entropy at one point, in nats; −∞ where a component has variance zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EntropyBounds {
    /// Eq. (19): a lower bound.
    pub pairwise: f64,
    /// Eq. (20): a lower bound, printed as an upper one.
    pub component_average: f64,
    /// Eq. (20) and the entropy of the weights: an upper bound.
    pub with_weights: f64,
    /// The entropy of the normal distribution of the same variance: an upper bound.
    pub moment_matched: f64,
}

impl EntropyBounds {
    /// The bounds at point `i` of `mixture`; `None` where its variance is undefined.
    pub fn bound(mixture: &Mixture, i: usize) -> Option<Self> {
        let row = if mixture.weights.nrows() == 1 { 0 } else { i };
        let k = mixture.means.ncols();
        let components = || {
            (0..k)
                .map(|c| {
                    (mixture.weights[(row, c)], mixture.means[(i, c)], mixture.variances[(i, c)])
                })
                .filter(|c| c.0 > 0.0)
        };
        let component_average =
            components().map(|(w, _, v)| w * 0.5 * ((2.0 * PI).ln() + v.ln() + 1.0)).sum::<f64>();
        let of_weights = -components().map(|(w, _, _)| w * w.ln()).sum::<f64>();
        let moment_matched = 0.5 * ((2.0 * PI).ln() + mixture.variance(i)?.ln() + 1.0);
        Some(Self {
            pairwise: mixture.pairwise_entropy(i),
            component_average,
            with_weights: component_average + of_weights,
            moment_matched,
        })
    }

    /// The larger one of the lower bounds.
    pub fn lower(&self) -> f64 {
        self.pairwise.max(self.component_average)
    }

    /// The smaller one of the upper bounds.
    pub fn upper(&self) -> f64 {
        self.with_weights.min(self.moment_matched)
    }
}
