//! Neural networks of dense layers, trained by gradients from [`math::autodiff`](crate::math::autodiff).

mod adam;
mod answer;
mod combined;
mod deep_ensemble;
mod gaussian_network;
mod mc_dropout;
mod mean_variance;
mod mixture_density;
mod mlp;
mod overlay;
mod training;

pub use adam::{Adam, AdamSettings, Schedule};
pub use combined::{Combined, CombinedParameters, LocalityUnits};
pub use deep_ensemble::{DeepEnsemble, DeepEnsembleParameters};
pub use mc_dropout::{McDropout, McDropoutParameters};
pub use mean_variance::{MeanVariance, MeanVarianceParameters};
pub use mixture_density::{MixtureDensity, MixtureDensityParameters};
pub use mlp::{Layer, Mlp};
pub use training::{Batch, Part, Parts, Trained, TrainingSettings, train};
