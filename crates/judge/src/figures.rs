//! Gather what the figures of a benchmark show, as plain numbers and words: one file a kind of
//! figure, with its data and how they are taken from stored trials.
//!
//! [`figures`] gathers the figures that a benchmark file asks for, and [`agreement`] makes the
//! figure of a table that has none of its own. A [`Figure`] can be written as JSON and read again.
//! Nothing here draws: `report` makes pictures of them. Start with [`Figure`], then `bars.rs`.

mod agreement;
mod bands;
mod bars;
mod boxes;
mod calibration;
mod differences;
mod gather;
mod held_out;
mod histograms;
mod hyper_functions;
mod in_json;
mod learning;
mod learning_panels;
mod mixtures;
mod pooled;
mod quantile_reliability;
mod ranks;
mod realisations;
mod skill_dots;
mod standings;
mod sweep;
mod tables;
mod tubes;
mod variances;
mod watched;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::evidence::EvidenceError;
use crate::evidence::results::Results;
use gather::Gather;
use uqbench_run::benchmark::Figure as Asked;
use uqbench_run::runner::store::Store;

pub use agreement::{Agreement, AgreementKind, AgreementPanel, AgreementPoint, agreement};
pub use bands::{BandPanel, Bands};
pub use bars::{Bar, Bars, BarsPanel};
pub use boxes::{BoxOf, Boxes, BoxesPanel};
pub use calibration::{Calibration, CalibrationPanel};
pub use differences::{DifferencePanel, DifferenceRow, Differences, Interval, Measured};
pub use held_out::{GroupKind, HeldOut, HeldOutGroup, HeldOutRow};
pub use histograms::{HistogramPanel, Histograms};
pub use hyper_functions::{HyperFunctions, HyperPanel};
pub use learning::{Learning, LearningCurve};
pub use learning_panels::{LearningPanel, LearningPanels};
pub use mixtures::{Component, DEVIATIONS, MixtureRow, Mixtures, Moments, Slice};
pub use quantile_reliability::{QuantileReliability, ReliabilityPanel};
pub use ranks::Ranks;
pub use realisations::{RealisationRow, Realisations};
pub use skill_dots::{Dot, SkillDots};
pub use standings::{Standings, StandingsPanel, StandingsRow};
pub use sweep::{Sweep, SweepPanel, SweepSeries};
pub use tubes::{TubePanel, Tubes};
pub use variances::{VariancePanel, Variances};
pub use watched::{Watched, WatchedPeriod};

/// What a figure shows, one kind of drawing a line. Several kinds of a benchmark file may share
/// one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Figure {
    /// Our numbers beside the printed ones.
    Agreement(Agreement),
    /// Predictions with one standard deviation on either side.
    Bands(Bands),
    /// Means in groups of bars.
    Bars(Bars),
    /// Values over repetitions in boxes.
    Boxes(Boxes),
    /// Histograms of the probability integral transform, and reliability curves.
    Calibration(Calibration),
    /// Paired differences in their intervals.
    Differences(Differences),
    /// Distributions of values.
    Histograms(Histograms),
    /// Gaussian processes with their hyper-functions.
    HyperFunctions(HyperFunctions),
    /// Curves of a sequential protocol.
    Learning(Learning),
    /// Learning curves in rows of panels.
    LearningPanels(LearningPanels),
    /// Gaussian mixtures of x and y.
    Mixtures(Mixtures),
    /// Reliability of quantiles level by level.
    QuantileReliability(QuantileReliability),
    /// Mean ranks with their critical difference.
    Ranks(Ranks),
    /// Realisations of random functions.
    Realisations(Realisations),
    /// Skill about a line at zero.
    SkillDots(SkillDots),
    /// Metrics against a parameter.
    Sweep(Sweep),
    /// Kernel regressions in three tubes.
    Tubes(Tubes),
    /// Stated variances beside the true ones.
    Variances(Variances),
}

/// A figure of a benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedFigure {
    /// Name of its file, without ending.
    pub file: String,
    /// Its caption.
    pub title: String,
    /// What it shows.
    pub figure: Figure,
}

/// The figures that a benchmark file asks for, in its order, each with its numbers or with what
/// keeps them from being read. A figure without any finished trial is left out.
pub fn figures(results: &Results, store: &Store) -> Vec<Result<NamedFigure, EvidenceError>> {
    let one = |asked: &Asked| -> Result<Option<NamedFigure>, EvidenceError> {
        let (file, title) = (asked.kind().file().to_owned(), asked.kind().title().to_owned());
        let found = of_kind(asked).gather(results, store)?;
        Ok(found.map(|figure| NamedFigure { file, title, figure }))
    };
    let all: Vec<Result<Option<NamedFigure>, EvidenceError>> =
        results.plan.benchmark.figures.par_iter().map(one).collect();
    all.into_iter().filter_map(Result::transpose).collect()
}

/// How a figure is gathered, one line for each kind.
fn of_kind(asked: &Asked) -> &dyn Gather {
    match asked {
        Asked::TestBand(kind) => kind,
        Asked::CurveBand(kind) => kind,
        Asked::Sweep(kind) => kind,
        Asked::Histogram(kind) => kind,
        Asked::Calibration(kind) => kind,
        Asked::QuantileReliability(kind) => kind,
        Asked::Mixture(kind) => kind,
        Asked::HyperFunctions(kind) => kind,
        Asked::Tubes(kind) => kind,
        Asked::Realisations(kind) => kind,
        Asked::Learning(kind) => kind,
        Asked::LearningPanels(kind) => kind,
        Asked::Contrast(kind) => kind,
        Asked::Bars(kind) => kind,
        Asked::Boxes(kind) => kind,
        Asked::Variances(kind) => kind,
        Asked::Skill(kind) => kind,
    }
}

#[cfg(test)]
mod tests;
