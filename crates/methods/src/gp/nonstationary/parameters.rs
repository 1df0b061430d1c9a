//! Hold the parameters of the non-stationary Gaussian process.

use serde::{Deserialize, Serialize};

use super::priors::PriorMeasure;
use crate::parameter::{Choices, ParameterError, above, is_default, parameters};

parameters! {
    /// Parameters of the (ℓ, σ, ω)-GP. A function that is switched off is a learned constant: the
    /// three switches make the paper's eight ablations.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct NonstationaryGpParameters {
        /// Whether the length scale ℓ depends on the input.
        length_scale: bool = true, in Choices;
        /// Whether the signal σ depends on the input.
        signal: bool = true, in Choices;
        /// Whether the noise ω depends on the input.
        noise: bool = true, in Choices;
        /// The places of the hyper-functions' learned values: inducing inputs, or every training
        /// row under latent kernels that are fixed (Heinonen et al.).
        latent_values: LatentValues = LatentValues::Inducing, in Choices;
        /// Inducing inputs M, drawn uniformly in the range of the training rows and learned.
        inducing: usize = 20, in 1..=500;
        /// Length scale ℓ_h of values at every row, in the inputs' units.
        latent_length_scale: f64 = 0.7, in above(0.0);
        /// Variance v_h of values at every row.
        latent_variance: f64 = 1.0, in above(0.0);
        /// Starts, of which the best objective is kept.
        restarts: usize = 10, in 1..=1000;
        /// Distribution of starts: `prior` draws ℓ_h and v_h from their priors, and all else but
        /// the inducing inputs from N(0, 1); `normal` draws the logarithms of those two from
        /// N(0, 1) too.
        start: Start = Start::Prior, in Choices;
        /// Number of steps of Adam from each start.
        steps: usize = 1000, in 0..=1_000_000;
        /// Step size of Adam in the first attempt from a start.
        learning_rate: f64 = 0.05, in above(0.0).to(1.0);
        /// Further attempts from a start, each with a tenth of the step size, after one that was
        /// not finite or ended above its start.
        retries: usize = 3, in 0..=10;
        /// What is added to the diagonals of K and of the latent kernels, a variance.
        jitter: f64 = 1e-4, in 0.0..=1.0;
        /// The place where σ is evaluated: x, as in the text, or x divided by the length scale, as
        /// in the authors' program.
        signal_at: SignalAt = SignalAt::Inputs, in Choices, added "is_default";
        /// What the third function is: ω, as in the text, or ω², as in the authors' code.
        noise_is: NoiseIs = NoiseIs::Deviation, in Choices;
        /// Whether ℓ_h has the prior Gamma(5, 1).
        prior_on_length_scales: bool = true, in Choices;
        /// Whether v_h has the prior Gamma(½, 1).
        prior_on_variances: bool = true, in Choices;
        /// Whether γ_h has the prior N(0, 1).
        prior_on_values: bool = true, in Choices;
        /// Of which variable the priors of ℓ_h and v_h are densities.
        prior_measure: PriorMeasure = PriorMeasure::Logarithm, in Choices;
        /// Whether target and features are standardised on the training rows, whatever the protocol
        /// does.
        standardise: bool = true, in Choices;
    }
}

/// The places of the hyper-functions' learned values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LatentValues {
    /// At M inducing inputs, which are learned as the latent kernels are.
    #[default]
    Inducing,
    /// At every training row, under latent kernels that are fixed.
    EveryRow,
}

/// The distribution of a start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// ℓ_h and v_h are drawn from their priors, all other parameters but the inducing inputs from
    /// N(0, 1), positive ones on the log scale: the priors where there are any, as the text says.
    #[default]
    Prior,
    /// The same, but ℓ_h and v_h are drawn from N(0, 1) on the log scale too.
    Normal,
}

/// The place where the signal σ is evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SignalAt {
    /// At x: Eq. (3).
    #[default]
    #[serde(rename = "x")]
    Inputs,
    /// At x/ℓ̄ and x'/ℓ̄, ℓ̄² = (ℓ(x)² + ℓ(x')²)/2: in the authors' program. Where ℓ varies, K need
    /// not be positive definite.
    #[serde(rename = "x/length-scale")]
    ScaledInputs,
}

/// What the third function is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoiseIs {
    /// ω, a standard deviation.
    #[default]
    Deviation,
    /// ω², a variance.
    Variance,
}

impl NoiseIs {
    /// The noise's variance is this power of the function.
    pub(super) fn power(self) -> f64 {
        match self {
            Self::Deviation => 2.0,
            Self::Variance => 1.0,
        }
    }
}

impl NonstationaryGpParameters {
    /// # Errors
    /// [`ParameterError`] where values at every row, whose kernels are computed once, meet inputs
    /// that move with ℓ.
    pub(super) fn check_signal(&self) -> Result<(), ParameterError> {
        let holds =
            self.signal_at == SignalAt::Inputs || self.latent_values == LatentValues::Inducing;
        let expected = "\"x\" where `latent_values` is \"every-row\"";
        ParameterError::check(holds, "signal_at", "\"x/length-scale\"", expected)
    }
    /// What an error about K adds where K need not be positive definite; empty elsewhere.
    pub(super) fn indefinite(&self) -> &'static str {
        if self.signal_at == SignalAt::ScaledInputs && self.signal && self.length_scale {
            "; with `signal_at` = \"x/length-scale\" and a length scale that depends on the input \
             the matrix need not be a covariance: set `signal_at` = \"x\", or `length_scale` = \
             false"
        } else {
            ""
        }
    }
}
