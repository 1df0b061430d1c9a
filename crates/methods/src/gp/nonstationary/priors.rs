//! State the priors of the latent Gaussian processes' parameters.
//!
//! ```text
//! ℓ_h ~ Gamma(5, 1),   v_h ~ Gamma(½, 1),   γ_h ~ N(0, I)                            (Section 2.2)
//! ```
//!
//! A density depends on the measure: of ℓ itself it is ℓ⁴ e^(−ℓ) / Γ(5), of ln ℓ it is ℓ⁵ e^(−ℓ) /
//! Γ(5). For v the first, v^(−½) e^(−v) / Γ(½), has no maximum: it grows without limit as v → 0,
//! where the hyper-function becomes a constant.

use serde::{Deserialize, Serialize};

use super::NonstationaryGpParameters;
use super::layout::{Function, Layout};
use uq_core::math::special::LN_SQRT_2PI;
use uq_core::math::vectorised::exp;

/// Shape of the prior of ℓ_h.
pub(super) const LENGTH_SCALE_SHAPE: usize = 5;

/// Shape of the prior of v_h.
pub(super) const VARIANCE_SHAPE: f64 = 0.5;

/// ln Γ(5) = ln 24.
const LN_GAMMA_5: f64 = 3.178_053_830_347_946;

/// ln Γ(½) = ½ ln π.
const LN_GAMMA_HALF: f64 = 0.572_364_942_924_700_1;

/// The variable whose density the priors of ℓ_h and v_h are in the objective.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PriorMeasure {
    /// The logarithms, which are optimised: the objective has a minimum.
    #[default]
    Logarithm,
    /// The parameters themselves: the objective has no minimum, because the density of v is
    /// infinite at 0.
    Value,
}

/// ln p of ln x under Gamma(shape, 1) and its derivative by ln x.
#[inline(always)]
fn gamma((shape, ln_gamma): (f64, f64), ln_x: f64, measure: PriorMeasure) -> (f64, f64) {
    let power = if measure == PriorMeasure::Logarithm { shape } else { shape - 1.0 };
    let x = exp(ln_x);
    (power * ln_x - x - ln_gamma, power - x)
}

/// ln p(φ) of (7); subtracts its derivatives from `gradient`.
#[inline(always)]
pub(super) fn add_log_prior(
    parameters: &NonstationaryGpParameters,
    layout: &Layout,
    theta: &[f64],
    gradient: &mut [f64],
) -> f64 {
    let mut total = 0.0;
    for (_, function) in layout.latent() {
        let Function::Latent { kernel, white, .. } = function else { continue };
        let kernel = kernel.map(|(length_scale, variance)| {
            [
                (
                    length_scale,
                    (LENGTH_SCALE_SHAPE as f64, LN_GAMMA_5),
                    parameters.prior_on_length_scales,
                ),
                (variance, (VARIANCE_SHAPE, LN_GAMMA_HALF), parameters.prior_on_variances),
            ]
        });
        for (at, prior, _) in kernel.into_iter().flatten().filter(|entry| entry.2) {
            let (ln_p, slope) = gamma(prior, theta[at], parameters.prior_measure);
            total += ln_p;
            gradient[at] -= slope;
        }
        if parameters.prior_on_values {
            let white = white..white + layout.inducing;
            for (gamma, slope) in theta[white.clone()].iter().zip(&mut gradient[white]) {
                total -= 0.5 * gamma * gamma + LN_SQRT_2PI;
                *slope += gamma;
            }
        }
    }
    total
}
