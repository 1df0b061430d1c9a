//! State the parameters: the noise, the kernel, and whether realisations are drawn.

use serde::{Deserialize, Serialize};

use super::choice::Family;
use super::expansion::Expansion;
use crate::ParameterError;
use crate::gp::exact::ExactGpParameters;
use crate::gp::kernels::{Composition, Kernel};
use crate::parameter::{Group, Parameters, Words, above, parameters};
use uq_math::orthogonal::Orthogonal;

parameters! {
    /// Parameters of Wiener kernel regression.
    #[derive(Clone, Debug, PartialEq)]
    pub struct WienerRegressionParameters {
        /// Family of the noise, its form matched to the training rows, or the noise itself.
        noise: NoiseSetting = NoiseSetting::Chosen, in NoiseSetting::WORDS;
        /// The kernel, and how its parameters and ρ² are found.
        process: ExactGpParameters = ExactGpParameters::default(), in Group;
        /// Kernel and ρ² in the data's units; needs known noise.
        fixed: Option<Fixed> = None, in Words("{ variance, length_scales, ridge } of numbers above \
                                               0, or null");
        /// Side tables for a figure of one feature: the number of draws of Ŷ, and the place of its
        /// distribution.
        realisations: Option<Realisations> = None, in Words("{ draws, at } with 1 to 100000 draws, \
                                                             or null");
    }
}

/// How the noise is determined.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoiseSetting {
    /// The family under which the training rows' residuals are most probable.
    #[default]
    Chosen,
    /// Normal.
    Gaussian,
    /// Gamma, or gamma reflected.
    Gamma,
    /// Uniform.
    Uniform,
    /// Beta.
    Beta,
    /// This noise.
    Known(Noise),
}

impl NoiseSetting {
    /// The choices.
    const WORDS: Words = Words(
        "\"chosen\", \"gaussian\", \"gamma\", \"uniform\", \"beta\" or { known = .. }, a noise of \
         finite, positive variance",
    );

    /// The family that is given.
    pub(super) fn family(&self) -> Option<Family> {
        match self {
            Self::Gaussian => Some(Family::Gaussian),
            Self::Gamma => Some(Family::Gamma),
            Self::Uniform => Some(Family::Uniform),
            Self::Beta => Some(Family::Beta),
            Self::Chosen | Self::Known(_) => None,
        }
    }
}

/// A known noise, in the target's units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Noise {
    /// Normal.
    Gaussian {
        /// Mean.
        mean: f64,
        /// Standard deviation, above 0.
        deviation: f64,
    },
    /// Gamma, mean shape · scale.
    Gamma {
        /// Shape, above 0.
        shape: f64,
        /// Scale; a negative one reflects at 0.
        scale: f64,
    },
    /// Uniform.
    Uniform {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// Beta on an interval.
    Beta {
        /// First shape, above 0.
        alpha: f64,
        /// Second shape, above 0.
        beta: f64,
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// Any finite chaos expansion.
    Expansion {
        /// The polynomials of the germ.
        germ: Orthogonal,
        /// m_0, m_1, ….
        coefficients: Vec<f64>,
    },
}

impl Noise {
    /// As coefficients.
    pub fn expansion(&self) -> Expansion {
        match self {
            Self::Gaussian { mean, deviation } => Expansion::gaussian(*mean, *deviation),
            Self::Gamma { shape, scale } => Expansion::gamma(*shape, *scale),
            Self::Uniform { low, high } => Expansion::uniform(*low, *high),
            Self::Beta { alpha, beta, low, high } => Expansion::beta(*alpha, *beta, *low, *high),
            Self::Expansion { germ, coefficients } => Expansion::new(*germ, coefficients.clone()),
        }
    }

    fn check(&self) -> Result<(), ParameterError> {
        if let Self::Expansion { coefficients, .. } = self {
            let count = coefficients.len();
            ParameterError::check(
                (2..=20).contains(&count),
                "noise.coefficients",
                count,
                "2 to 20 coefficients",
            )?;
        }
        let expansion = self.expansion();
        let germ = expansion.germ();
        ParameterError::check(
            germ.is_defined(),
            "noise",
            format!("{germ:?}"),
            "shapes above 0, finite",
        )?;
        let variance = expansion.variance();
        let fine = expansion.coefficients().iter().all(|m| m.is_finite())
            && variance.is_finite()
            && variance > 0.0;
        let expected = "a noise of finite, positive variance; without noise a prediction of y \
                        would be a point";
        ParameterError::check(fine, "noise", format!("of variance {variance}"), expected)
    }
}

parameters! {
    /// A kernel of one part and a ridge, in the data's units.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Fixed {
        /// Variance k(x, x) = σ_f².
        variance: f64, in above(0.0);
        /// Length scale of each feature.
        length_scales: Vec<f64>, in above(0.0);
        /// Ridge ρ².
        ridge: f64, in above(0.0);
    }
}

impl Fixed {
    /// The kernel.
    pub(super) fn kernel(&self, shape: &Composition) -> Kernel {
        let mut kernel = shape.kernel(self.length_scales.len());
        let mut logarithms = kernel.log_parameters();
        logarithms[0] = self.variance.ln();
        for (to, length) in logarithms[1..].iter_mut().zip(&self.length_scales) {
            *to = length.ln();
        }
        kernel.set_log_parameters(&logarithms);
        kernel
    }
}

parameters! {
    /// Draws for a figure.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Realisations {
        /// Number of draws.
        draws: usize, in 1..=100_000;
        /// The place of the distribution that is drawn.
        at: f64, in ..;
    }
}

impl WienerRegressionParameters {
    /// Checks the rules between the parameters, and the settings that are given as a whole.
    ///
    /// # Errors
    /// [`ParameterError`].
    pub(super) fn check_together(&self) -> Result<(), ParameterError> {
        let known = matches!(self.noise, NoiseSetting::Known(_));
        let both = "both a `fixed` kernel and a `known` noise, or neither: the search finds a \
                    noise variance of its own";
        ParameterError::check(
            known == self.fixed.is_some(),
            "fixed",
            if known { "missing" } else { "given" },
            both,
        )?;
        if let NoiseSetting::Known(noise) = &self.noise {
            noise.check()?;
        }
        if let Some(fixed) = &self.fixed {
            let single = matches!(self.process.kernel, Composition::Shape(_));
            ParameterError::check(
                single,
                "process.kernel",
                "a sum or product",
                "one shape where `fixed` is given",
            )?;
            fixed.check().map_err(|error| error.within("fixed"))?;
        }
        if let Some(realisations) = &self.realisations {
            realisations.check().map_err(|error| error.within("realisations"))?;
        }
        Ok(())
    }
}
