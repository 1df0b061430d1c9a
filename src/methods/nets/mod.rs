//! Neural networks of dense layers, trained by gradients from [`math::autodiff`](crate::math::autodiff).

mod answer;
mod bnn_vi;
mod combined;
mod deep_ensemble;
mod gaussian_network;
mod mc_dropout;
mod mean_variance;
mod mixture_density;
mod mlp;
mod overlay;
mod pbp;
mod schedule;
mod sqr;
mod training;

pub use crate::math::adam::{Adam, AdamSettings};
pub use bnn_vi::{BnnVi, BnnViParameters};
pub use combined::{Combined, CombinedParameters, LocalityUnits};
pub use deep_ensemble::{DeepEnsemble, DeepEnsembleParameters};
pub use mc_dropout::{McDropout, McDropoutParameters};
pub use mean_variance::{MeanVariance, MeanVarianceParameters};
pub use mixture_density::{MixtureDensity, MixtureDensityParameters};
pub use mlp::{Layer, Mlp};
pub use pbp::{Pbp, PbpParameters};
pub use schedule::Schedule;
pub use sqr::{Sqr, SqrParameters};
pub use training::{Batch, Part, Parts, Trained, TrainingSettings, train};

/// A table of 50 rows and 3 features whose values are computed without random numbers.
#[cfg(test)]
fn golden_table() -> crate::data::Table {
    use ndarray::{Array1, Array2};
    let features = Array2::from_shape_fn((50, 3), |(i, j)| ((i * (7 + 4 * j) + j) % 17) as f64 / 4.0 - 2.0);
    let target = Array1::from_shape_fn(50, |i| 3.0 + 2.0 * features[(i, 0)] + ((i * 13) % 11) as f64 / 8.0);
    crate::data::Table::unnamed(features, target)
}
