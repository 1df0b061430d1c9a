//! Pass measured times and memory through as scores.

use ndarray::ArrayView1;

use super::{Direction, Metric, Properties, ScoreContext, Tolerance, Unit, finite};
use crate::predictive::Predictive;

/// Bytes of a mebibyte.
const MEBIBYTE: f64 = 1_048_576.0;

/// Declares a metric that is a measured number of the context. These metrics differ only in their
/// texts and in that number.
macro_rules! cost {
    ($(#[$doc:meta])* $metric:ident, $name:literal, $label:literal, $unit:literal, $measured:expr, $definition:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
        pub struct $metric;

        impl Metric for $metric {
            fn properties(&self) -> Properties {
                Properties {
                    name: $name,
                    label: $label.into(),
                    direction: Direction::Lower,
                    unit: Unit::Fixed($unit),
                    quantities: Vec::new(),
                    skill: None,
                    tolerance: Tolerance::None,
                    definition: $definition,
                }
            }

            fn score(&self, _: &Predictive, _: ArrayView1<f64>, context: &ScoreContext) -> Option<f64> {
                let measured: fn(&ScoreContext) -> Option<f64> = $measured;
                measured(context).and_then(finite)
            }

            fn is_cost(&self) -> bool {
                true
            }
        }
    };
}

cost!(
    /// Wall time of the fit.
    FitSeconds,
    "fit-seconds",
    "Fit time",
    "s",
    |context| context.fit_seconds,
    "wall time of one fit in seconds, on the machine that the report names; not comparable between \
     machines."
);

cost!(
    /// Wall time of the prediction.
    PredictSeconds,
    "predict-seconds",
    "Prediction time",
    "s",
    |context| context.predict_seconds,
    "wall time of the prediction of all test rows in seconds, on the machine that the report \
     names; not comparable between machines."
);

cost!(
    /// Processor time of the fit.
    FitCpuSeconds,
    "fit-cpu-seconds",
    "Fit, processor time",
    "s",
    |context| context.fit_cpu_seconds,
    "processor time of one fit in seconds, in the trial's thread, on the machine that the report \
     names; not comparable between machines. Of an external method it is that of all its \
     processes, with start and prediction."
);

cost!(
    /// Processor time of the prediction.
    PredictCpuSeconds,
    "predict-cpu-seconds",
    "Prediction, processor time",
    "s",
    |context| context.predict_cpu_seconds,
    "processor time of the prediction of all test rows in seconds, in the trial's thread, on the \
     machine that the report names; not comparable between machines. Of an external method it is \
     that of asking: its own is part of the fit's."
);

cost!(
    /// Processor time of one reading's prediction and intervals.
    IntervalCpuSeconds,
    "interval-cpu-seconds",
    "Intervals, processor time",
    "s",
    |context| context.interval_cpu_seconds,
    "processor time of one reading's prediction of all test rows and of its central 95 % interval \
     at each, in seconds, on the machine that the report names; undefined where a method has one \
     reading, or readings that share work."
);

cost!(
    /// Largest resident memory.
    PeakMemory,
    "peak-memory",
    "Peak memory",
    "MiB",
    |context| context.peak_memory.map(|bytes| bytes as f64 / MEBIBYTE),
    "largest resident memory of the trial's process by the trial's end, in MiB (2^20 bytes), \
     program and data included; undefined where it ran another trial before (isolation `thread`)."
);
