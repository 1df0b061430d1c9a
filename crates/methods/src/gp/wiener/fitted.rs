//! Hold a fit, and predict a new y: the prediction of f and an independent draw of the noise.

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::ID;
use super::expansion::Expansion;
use super::mixture::NormalMixture;
use super::parameters::Realisations;
use super::regression::{Prediction, Regression};
use crate::engine::rows;
use crate::engine::scales::{Scale, Scales};
use crate::gp::exact::FittedProcess;
use crate::gp::kernels::Points;
use crate::gp::process::Posterior;
use crate::{Context, FitError};
use uq_core::predictive::{Form, Gaussian, Mixture};

/// Units of kernel and rows.
#[derive(Serialize, Deserialize)]
pub(super) enum Process {
    /// The data's units; `plain` is conditioned on y, `posterior` on y − m_0.
    Fixed { posterior: Posterior, plain: Posterior },
    /// Standardised units.
    Searched(FittedProcess),
}

/// The noise in the units of the process.
#[derive(Serialize, Deserialize)]
pub(super) struct Chosen {
    pub noise: Expansion,
    /// Of each family, where one was chosen.
    pub scores: Option<[f64; 4]>,
}

/// A fit.
#[derive(Serialize, Deserialize)]
pub(super) struct FittedRegression {
    /// Converts to the units of the process.
    pub scales: Scales,
    pub process: Process,
    pub chosen: Chosen,
    /// M − m_0.
    components: NormalMixture,
    pub realisations: Option<Realisations>,
}

impl FittedRegression {
    pub fn new(
        scales: Scales,
        process: Process,
        chosen: Chosen,
        realisations: Option<Realisations>,
    ) -> Self {
        let components = NormalMixture::of_noise(&chosen.noise);
        Self { scales, process, chosen, components, realisations }
    }

    /// Checks a fit that was read: its processes have the features that vary, and the noise has a
    /// mean and components.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check_parts(&self) -> Result<(), String> {
        let features = self.scales.varying.len();
        self.scales.check()?;
        self.posterior().check(features)?;
        self.plain().check(features)?;
        self.chosen.noise.check()?;
        self.components.check()
    }

    pub fn posterior(&self) -> &Posterior {
        match &self.process {
            Process::Fixed { posterior, .. } => posterior,
            Process::Searched(process) => process.posterior(),
        }
    }

    /// The prediction of the same process conditioned on y itself.
    pub fn plain(&self) -> &Posterior {
        match &self.process {
            Process::Fixed { plain, .. } => plain,
            Process::Searched(process) => process.posterior(),
        }
    }

    pub fn regression(&self) -> Regression<'_> {
        Regression { posterior: self.posterior(), noise: &self.chosen.noise }
    }

    /// Converts from the units of the process to those of the target.
    pub fn target(&self) -> Scale {
        self.scales.target
    }

    /// The features that vary, standardised, row by row, and their number.
    pub fn standardised(&self, features: ArrayView2<f64>) -> Result<(Vec<f64>, usize), FitError> {
        rows::finite_features(ID, "row", features)?;
        Ok((
            self.scales.checked(ID, features)?.iter().copied().collect(),
            self.scales.varying.len(),
        ))
    }

    /// A new y at each point, in the units of the process.
    pub fn answer(&self, predictions: &[Row], gap: bool) -> Form {
        let noise = &self.chosen.noise;
        let centre = noise.mean();
        let further = |row: &Row| if gap { row.gap } else { 0.0 };
        if noise.is_normal() {
            let variance = noise.variance();
            return Form::Gaussian(Gaussian {
                mean: predictions.iter().map(|row| row.cumulants[0] + centre).collect(),
                variance: predictions
                    .iter()
                    .map(|row| row.cumulants[1] + further(row) + variance)
                    .collect(),
            });
        }
        let sums: Vec<NormalMixture> = predictions
            .iter()
            .map(|row| {
                let [mean, variance, third, fourth] = row.cumulants;
                let sum =
                    NormalMixture::of_sum([mean + centre, variance + further(row), third, fourth]);
                self.components.plus(&sum)
            })
            .collect();
        // Rows whose sum is normal have half of the components.
        let k = sums.iter().map(|sum| sum.weights.len()).max().unwrap_or(0);
        let matrix = |part: fn(&NormalMixture) -> &[f64], fill: fn(&NormalMixture) -> f64| {
            Array2::from_shape_fn((sums.len(), k), |(i, c)| {
                part(&sums[i]).get(c).copied().unwrap_or(fill(&sums[i]))
            })
        };
        Form::Mixture(Mixture {
            weights: matrix(|sum| &sum.weights, |_| 0.0),
            means: matrix(|sum| &sum.means, |sum| sum.means[0]),
            variances: matrix(|sum| &sum.variances, |sum| sum.variances[0]),
        })
    }

    /// The quantities at each point that predictions need.
    pub fn rows(&self, features: ArrayView2<f64>, context: &Context) -> Result<Vec<Row>, FitError> {
        let (given, columns) = self.standardised(features)?;
        let points = Points::new(&given, features.nrows(), columns);
        let mut rows = Vec::with_capacity(features.nrows());
        let noise = &self.chosen.noise;
        let [_, second, third, fourth] = noise.cumulants();
        let each = |prediction: Prediction| {
            let Prediction { mean, epistemic, gap, noise_in_mean, weights } = prediction;
            let power = |r: i32| weights.iter().map(|a| (-a).powi(r)).sum::<f64>();
            debug_assert!(
                (noise_in_mean - second * power(2)).abs() <= 1e-9 * (1.0 + noise_in_mean)
            );
            rows.push(Row {
                cumulants: [mean, noise_in_mean, third * power(3), fourth * power(4)],
                epistemic,
                gap,
            });
        };
        self.regression().predict(points, || context.checkpoint(), each)?;
        Ok(rows)
    }
}

/// Cumulants of Ŷ at a point, and the variance that is not in it.
pub(super) struct Row {
    cumulants: [f64; 4],
    pub epistemic: f64,
    gap: f64,
}
