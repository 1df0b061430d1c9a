//! Hold the parameters of the non-stationary Gaussian process.

use serde::{Deserialize, Serialize};

use super::priors::PriorMeasure;
use crate::methods::ParameterError;

/// Parameters of the (ℓ, σ, ω)-GP. A function that is switched off is a learned constant: the three switches make the paper's eight
/// ablations.
///
/// | name | default | range | meaning |
/// | --- | --- | --- | --- |
/// | `length_scale` | true | | whether ℓ depends on the input |
/// | `signal` | true | | whether σ does |
/// | `noise` | true | | whether ω does |
/// | `latent_values` | inducing | `inducing`, `every-row` | where the hyper-functions' values stand that are learned: at inducing inputs, or at every training row under latent kernels that are fixed (Heinonen et al.) |
/// | `inducing` | 20 | 1 to 500 | inducing inputs M, drawn uniformly in the range of the training rows and learned |
/// | `latent_length_scale` | 0.7 | above 0 | ℓ_h where values stand at every row, in the inputs' units |
/// | `latent_variance` | 1 | above 0 | v_h where values stand at every row |
/// | `restarts` | 10 | 1 to 1000 | starts, of which the best objective is kept |
/// | `start` | prior | `prior`, `normal` | ℓ_h and v_h from their priors, all else but the inducing inputs from N(0, 1); or those two from N(0, 1) too, as logarithms |
/// | `steps` | 1000 | 0 to 1000000 | steps of Adam a start; never fewer |
/// | `learning_rate` | 0.05 | above 0, up to 1 | step size of Adam in the first attempt from a start |
/// | `retries` | 3 | 0 to 10 | further attempts from a start, each with a tenth of the step size, after one that left the numbers or ended above its start |
/// | `jitter` | 1e-4 | 0 to 1 | on the diagonals of K and of the latent kernels, a variance |
/// | `noise_is` | deviation | `deviation`, `variance` | what the third function is: ω, as in the text, or ω², as in the authors' code |
/// | `prior_on_length_scales` | true | | Gamma(5, 1) on ℓ_h |
/// | `prior_on_variances` | true | | Gamma(½, 1) on v_h |
/// | `prior_on_values` | true | | N(0, 1) on γ_h |
/// | `prior_measure` | logarithm | `logarithm`, `value` | of which variable the first two are densities |
/// | `standardise` | true | | whether target and features are standardised on the training rows, whatever the protocol does |
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NonstationaryGpParameters {
    /// Whether ℓ depends on the input.
    pub length_scale: bool,
    /// Whether σ depends on the input.
    pub signal: bool,
    /// Whether ω depends on the input.
    pub noise: bool,
    /// Where the hyper-functions' values stand.
    pub latent_values: LatentValues,
    /// Inducing inputs M.
    pub inducing: usize,
    /// ℓ_h where values stand at every row.
    pub latent_length_scale: f64,
    /// v_h where values stand at every row.
    pub latent_variance: f64,
    /// Starts.
    pub restarts: usize,
    /// Where they are.
    pub start: Start,
    /// Steps of Adam.
    pub steps: usize,
    /// Its step size in the first attempt.
    pub learning_rate: f64,
    /// Further attempts from a start.
    pub retries: usize,
    /// On the diagonals of K and of the latent kernels.
    pub jitter: f64,
    /// What the third function is.
    pub noise_is: NoiseIs,
    /// Gamma(5, 1) on ℓ_h.
    pub prior_on_length_scales: bool,
    /// Gamma(½, 1) on v_h.
    pub prior_on_variances: bool,
    /// N(0, 1) on γ_h.
    pub prior_on_values: bool,
    /// Of which variable the priors of ℓ_h and v_h are densities.
    pub prior_measure: PriorMeasure,
    /// Whether target and features are standardised.
    pub standardise: bool,
}

/// Where the values of the hyper-functions stand that are learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LatentValues {
    /// At M inducing inputs, which are learned as the latent kernels are.
    #[default]
    Inducing,
    /// At every training row, under latent kernels that are fixed.
    EveryRow,
}

/// Where a start is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// ℓ_h and v_h are drawn from their priors, all other parameters but the inducing inputs from N(0, 1), positive ones on the log
    /// scale: the priors where there are any, as the text says.
    #[default]
    Prior,
    /// The same, but ℓ_h and v_h are drawn from N(0, 1) on the log scale too.
    Normal,
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

impl Default for NonstationaryGpParameters {
    fn default() -> Self {
        Self {
            length_scale: true,
            signal: true,
            noise: true,
            latent_values: LatentValues::Inducing,
            inducing: 20,
            latent_length_scale: 0.7,
            latent_variance: 1.0,
            restarts: 10,
            start: Start::Prior,
            steps: 1000,
            learning_rate: 0.05,
            retries: 3,
            jitter: 1e-4,
            noise_is: NoiseIs::Deviation,
            prior_on_length_scales: true,
            prior_on_variances: true,
            prior_on_values: true,
            prior_measure: PriorMeasure::Logarithm,
            standardise: true,
        }
    }
}

impl NonstationaryGpParameters {
    /// Checks every parameter.
    ///
    /// # Errors
    /// [`ParameterError`] for a parameter out of its range.
    pub fn check(&self) -> Result<(), ParameterError> {
        let whole =
            |holds: bool, name: &str, value: usize, expected: &str| ParameterError::check(holds, name, value, expected);
        let number =
            |holds: bool, name: &str, value: f64, expected: &str| ParameterError::check(holds, name, value, expected);
        let positive = |x: f64| x > 0.0 && x.is_finite();
        whole((1..=500).contains(&self.inducing), "inducing", self.inducing, "a whole number from 1 to 500")?;
        let (length_scale, variance) = (self.latent_length_scale, self.latent_variance);
        number(positive(length_scale), "latent_length_scale", length_scale, "a number above 0")?;
        number(positive(variance), "latent_variance", variance, "a number above 0")?;
        whole((1..=1000).contains(&self.restarts), "restarts", self.restarts, "a whole number from 1 to 1000")?;
        whole(self.steps <= 1_000_000, "steps", self.steps, "a whole number from 0 to 1000000")?;
        whole(self.retries <= 10, "retries", self.retries, "a whole number from 0 to 10")?;
        let rate = self.learning_rate;
        number(rate > 0.0 && rate <= 1.0, "learning_rate", rate, "a number above 0, up to 1")?;
        number((0.0..=1.0).contains(&self.jitter), "jitter", self.jitter, "a number from 0 to 1")
    }
}
