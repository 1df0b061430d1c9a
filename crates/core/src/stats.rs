//! Statistics over repetitions and datasets: numbers in, numbers out; no benchmark, no store, no
//! text.
//!
//! One sample: [`summary`]. Two samples: [`difference`] and [`correlation`]. Two methods on the
//! same splits: [`paired`], and [`corrected`] for overlapping training sets. Several hypotheses:
//! [`holm`]. Methods over datasets: [`ranks`], [`signed_rank`], [`rank_sets`] with [`clustered`]
//! datasets, and [`power`], which reports in advance that a design cannot find a difference. A
//! sample of trials that ran again: [`hypergeometric`]. A method against a reference: [`skill`]. Splits and seeds:
//! [`variance_components`]. Calibration: [`pit`], [`reliability`], [`coverage`], and [`clusters`]
//! for rows that depend on each other, [`slab`] where it is worst, [`evidence`] that it no longer
//! holds. A number as against before: [`drift`]. A score of one test set: [`jackknife`]. Curves: [`loess`],
//! and [`isotonic`] for a distribution that increases with a number, [`partial_order`] where rows
//! are not all comparable. How many digits of a number to print: [`digits`]. Distributions come from `math`. Reports and
//! their evidence call these functions. Start with [`summary`] and [`paired`].

mod binomial;
pub mod clustered;
pub mod clusters;
pub mod corrected;
pub mod correlation;
pub mod coverage;
pub mod difference;
pub mod digits;
pub mod drift;
pub mod evidence;
pub mod holm;
pub mod hypergeometric;
pub mod isotonic;
pub mod jackknife;
pub mod loess;
pub mod median;
pub mod order;
pub mod paired;
pub mod partial_order;
pub mod pit;
pub mod power;
pub mod rank_sets;
pub mod ranks;
pub mod reliability;
pub mod rounding;
pub mod signed_rank;
pub mod skill;
pub mod slab;
pub mod summary;
pub mod variance_components;

pub use holm::{holm_adjusted, holm_levels};
pub use loess::local_regression;
pub use pit::{Pit, PitCounts, STEPS};
pub use reliability::{Counts, Reliability};
pub use summary::{Summary, t_quantile};
