//! Neural networks of dense layers, trained by gradients from
//! [`math::autodiff`](uq_math::autodiff).

#[cfg(feature = "hmc")]
mod bnn_hmc;
mod bnn_vi;
mod combined;
mod deep_ensemble;
#[cfg(test)]
mod fixtures;
mod gather;
mod gaussian_network;
mod laplace;
mod mc_dropout;
mod mean_variance;
mod members;
mod mixture_density;
mod mlp;
mod mse_ensemble;
mod overlay;
mod pbp;
mod precision;
mod references;
mod schedule;
mod sqr;
mod training;
mod variance;

#[cfg(feature = "hmc")]
pub use bnn_hmc::{BnnHmc, BnnHmcParameters};
pub use bnn_vi::{BnnVi, BnnViParameters};
pub use combined::{Combined, CombinedParameters, LocalityUnits};
pub use deep_ensemble::{DeepEnsemble, DeepEnsembleParameters};
pub use laplace::{Laplace, LaplaceParameters, LaplaceWeights};
pub use mc_dropout::{McDropout, McDropoutParameters};
pub use mean_variance::{MeanVariance, MeanVarianceParameters};
pub use mixture_density::{MixtureDensity, MixtureDensityParameters};
pub use mlp::{Layer, Mlp, Start};
pub use mse_ensemble::{MseEnsemble, MseEnsembleParameters};
pub use pbp::{Pbp, PbpParameters};
pub use references::PUBLICATIONS;
pub use schedule::Schedule;
pub use sqr::{Sqr, SqrParameters};
pub use training::{Batch, Part, Parts, Trained, TrainingSettings, descend, train};
pub use uq_math::adam::{Adam, AdamSettings};
