//! Predictive distributions, the scores that judge them, and the statistics that compare scores.
//!
//! A [`predictive::Predictive`] is a distribution in each row: normal, mixture, samples, quantiles
//! and others. A [`metrics::Metric`] scores it beside outcomes. [`stats`] says what differences of
//! scores mean. [`Table`] has the rows of a problem. Every random number comes from a stream of
//! [`math::random`] that is named by its purpose, so that no result depends on the order of work.
//!
//! The mean CRPS of two normal distributions beside what came out, and an interval:
//!
//! ```
//! use ndarray::array;
//! use uq_core::metrics::{Crps, Metric, ScoreContext};
//! use uq_core::predictive::{Form, Gaussian, Predictive};
//!
//! // Two rows: N(0, 1²) and N(1, 2²).
//! let predictive = Predictive::new(Form::Gaussian(Gaussian { mean: array![0.0, 1.0], variance: array![1.0, 4.0] }));
//! predictive.validate()?;
//! let outcomes = array![0.0, 1.0];
//!
//! // (√2 − 1)/√π times the standard deviation where the outcome is the mean.
//! let crps = Crps.score(&predictive, outcomes.view(), &ScoreContext::default()).ok_or("a normal distribution has a CRPS")?;
//! assert!((crps - 1.5 * 0.233695).abs() < 1e-6);
//!
//! let (low, high) = predictive.interval(0, 0.9).ok_or("a normal distribution has quantiles")?;
//! assert!((low + 1.644854).abs() < 1e-6 && (high - 1.644854).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cancel;
pub mod crps_decomposition;
pub mod dependence;
pub mod math;
pub mod metrics;
pub mod names;
pub mod predictive;
pub mod printable;
pub mod scaling;
pub mod stats;
mod table;

pub use cancel::CancelToken;
pub use dependence::Dependence;
pub use table::Table;
