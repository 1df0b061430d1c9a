//! Say what is drawn: one file a kind of figure.

mod bars;
mod boxes;
mod calibration;
mod checks;
mod contrast;
mod curve_band;
mod histogram;
mod hyper_functions;
mod kind;
mod learning;
mod learning_panels;
mod mixture;
mod panel;
mod quantile_reliability;
mod realisations;
mod skill;
mod sweep;
mod test_band;
mod tubes;
mod variances;

use serde::Deserialize;

pub use bars::{Bars, BarsPanel};
pub use boxes::{Boxes, BoxesPanel};
pub use calibration::Calibration;
pub use contrast::Contrast;
pub use curve_band::CurveBand;
pub use histogram::Histogram;
pub use hyper_functions::HyperFunctions;
pub use kind::FigureKind;
pub use learning::Learning;
pub use learning_panels::{LearningPanel, LearningPanels};
pub use mixture::Mixture;
pub use panel::{MetricPanel, Panel, Reference};
pub use quantile_reliability::QuantileReliability;
pub use realisations::Realisations;
pub use skill::{DatasetGroup, Skill};
pub use sweep::Sweep;
pub use test_band::TestBand;
pub use tubes::{TubeReading, Tubes};
pub use variances::{DatasetPanel, Variances};

use crate::kinds::kinds;

kinds! {
    /// What is drawn, from stored trials alone.
    #[derive(Clone, Debug, PartialEq, Deserialize)]
    #[serde(tag = "kind", rename_all = "kebab-case")]
    pub enum Figure: FigureKind {
        /// Predictions at test rows beside the outcomes.
        TestBand(TestBand),
        /// Predictions of one feature beside the truth.
        CurveBand(CurveBand),
        /// Metrics against a parameter.
        Sweep(Sweep),
        /// The distribution of what fits left behind.
        Histogram(Histogram),
        /// Calibration by the probability integral transform.
        Calibration(Calibration),
        /// Reliability of quantiles level by level.
        QuantileReliability(QuantileReliability),
        /// Gaussian mixtures of x and y.
        Mixture(Mixture),
        /// Gaussian processes with their hyper-functions.
        HyperFunctions(HyperFunctions),
        /// Kernel regressions in three tubes.
        Tubes(Tubes),
        /// Realisations of a random function.
        Realisations(Realisations),
        /// What a sequential protocol recorded.
        Learning(Learning),
        /// See [`LearningPanels`].
        LearningPanels(LearningPanels),
        /// Paired differences of the contrast's columns.
        Contrast(Contrast),
        /// See [`Bars`].
        Bars(Bars),
        /// A metric over repetitions as boxes.
        Boxes(Boxes),
        /// Stated variances beside the true ones.
        Variances(Variances),
        /// The skill of every part of the variance.
        Skill(Skill),
    }
}
