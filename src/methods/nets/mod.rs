//! Neural networks of dense layers, trained by gradients from [`math::autodiff`](crate::math::autodiff).

mod adam;
mod combined;
mod mean_variance;
mod mixture_density;
mod mlp;
mod training;

pub use adam::{Adam, AdamSettings, Schedule};
pub use combined::{Combined, CombinedParameters, LocalityUnits};
pub use mean_variance::{MeanVariance, MeanVarianceParameters};
pub use mixture_density::{MixtureDensity, MixtureDensityParameters};
pub use mlp::{Layer, Mlp};
pub use training::{Batch, Part, Parts, Trained, TrainingSettings, train};
