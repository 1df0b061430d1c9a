//! Pass measured times and memory through as scores.

use ndarray::ArrayView1;

use super::{Direction, Metric, ScoreContext, finite};
use crate::predictive::{Exactness, Form, Predictive};

/// Wall time of the fit.
pub(super) struct FitSeconds;

/// Wall time of the prediction.
pub(super) struct PredictSeconds;

/// Processor time of the fit.
pub(super) struct FitCpuSeconds;

/// Processor time of one reading's prediction and intervals.
pub(super) struct IntervalCpuSeconds;

/// Largest resident memory.
pub(super) struct PeakMemory;

/// Bytes of a mebibyte.
const MEBIBYTE: f64 = 1_048_576.0;

impl Metric for FitSeconds {
    fn direction(&self) -> Direction {
        Direction::Lower
    }

    fn label(&self) -> String {
        "Fit time".into()
    }

    fn unit(&self, _: &str) -> String {
        "s".into()
    }

    fn definition(&self) -> &'static str {
        "wall time of one fit in seconds, on the machine that the report names; not comparable between machines."
    }

    fn score(&self, _: &Predictive, _: ArrayView1<f64>, context: &ScoreContext) -> Option<f64> {
        context.fit_seconds.and_then(finite)
    }

    fn exactness(&self, _: &Form) -> Exactness {
        Exactness::Exact
    }
}

impl Metric for PredictSeconds {
    fn direction(&self) -> Direction {
        Direction::Lower
    }

    fn label(&self) -> String {
        "Prediction time".into()
    }

    fn unit(&self, _: &str) -> String {
        "s".into()
    }

    fn definition(&self) -> &'static str {
        "wall time of the prediction of all test rows in seconds, on the machine that the report names; not comparable \
         between machines."
    }

    fn score(&self, _: &Predictive, _: ArrayView1<f64>, context: &ScoreContext) -> Option<f64> {
        context.predict_seconds.and_then(finite)
    }

    fn exactness(&self, _: &Form) -> Exactness {
        Exactness::Exact
    }
}

impl Metric for FitCpuSeconds {
    fn direction(&self) -> Direction {
        Direction::Lower
    }

    fn label(&self) -> String {
        "Fit, processor time".into()
    }

    fn unit(&self, _: &str) -> String {
        "s".into()
    }

    fn definition(&self) -> &'static str {
        "processor time of one fit in seconds, in the trial's thread, on the machine that the report names; not comparable \
         between machines."
    }

    fn score(&self, _: &Predictive, _: ArrayView1<f64>, context: &ScoreContext) -> Option<f64> {
        context.fit_cpu_seconds.and_then(finite)
    }

    fn exactness(&self, _: &Form) -> Exactness {
        Exactness::Exact
    }
}

impl Metric for IntervalCpuSeconds {
    fn direction(&self) -> Direction {
        Direction::Lower
    }

    fn label(&self) -> String {
        "Intervals, processor time".into()
    }

    fn unit(&self, _: &str) -> String {
        "s".into()
    }

    fn definition(&self) -> &'static str {
        "processor time of one reading's prediction of all test rows and of its central 95 % interval at each, in seconds, on \
         the machine that the report names; undefined where a method has one reading, or readings that share work."
    }

    fn score(&self, _: &Predictive, _: ArrayView1<f64>, context: &ScoreContext) -> Option<f64> {
        context.interval_cpu_seconds.and_then(finite)
    }

    fn exactness(&self, _: &Form) -> Exactness {
        Exactness::Exact
    }
}

impl Metric for PeakMemory {
    fn direction(&self) -> Direction {
        Direction::Lower
    }

    fn label(&self) -> String {
        "Peak memory".into()
    }

    fn unit(&self, _: &str) -> String {
        "MiB".into()
    }

    fn definition(&self) -> &'static str {
        "largest resident memory of the trial's process by the trial's end, in MiB (2^20 bytes), program and data \
         included; undefined where it ran another trial before (isolation `thread`)."
    }

    fn score(&self, _: &Predictive, _: ArrayView1<f64>, context: &ScoreContext) -> Option<f64> {
        context.peak_memory.map(|bytes| bytes as f64 / MEBIBYTE)
    }

    fn exactness(&self, _: &Form) -> Exactness {
        Exactness::Exact
    }
}
