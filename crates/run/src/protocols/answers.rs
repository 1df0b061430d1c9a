//! Predict the test rows by each of a fit's readings, and measure the time of each.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use ndarray::ArrayView2;

use super::repetition::{Repetition, Rows, Source};
use super::sequential::Journal;
use uq_core::Table;
use uq_core::predictive::{Predictive, central_levels};
use uq_core::scaling::{Scaler, Scaling};
use uq_methods::{Context, FitError, Fitted, Method, Reading, Request, SideTable};
use uqbench_system::processor_time::{since, thread_cpu};

/// Level of the interval whose quantiles are part of a reading's cost, because some forms compute
/// quantiles only on request.
const LEVEL: f64 = 0.95;

/// A fit of the training rows, with all that a protocol needs to observe it.
pub struct Fit<'a> {
    /// The fit, in the units after scaling.
    pub fitted: &'a dyn Fitted,
    /// The method, for a protocol that fits other rows too.
    pub method: &'a dyn Method,
    /// The method's readings.
    pub readings: &'a [Reading],
    /// The repetition.
    pub repetition: &'a Repetition<'a>,
    /// Where its rows come from.
    pub source: Source<'a>,
    /// Its rows, in the data's units.
    pub rows: &'a Rows,
    /// What is done to features and target before a fit.
    pub scaling: Scaling,
    /// Converts between the data's units and the fit's units.
    pub scaler: &'a Scaler,
    /// The test rows in the fit's units.
    pub scaled_test: &'a Table,
    /// What is requested of the fit.
    pub request: &'a Request,
    /// Streams, and the sign to stop.
    pub context: &'a Context,
    /// Where the steps of a sequential protocol are kept.
    pub journal: Option<&'a dyn Journal>,
}

/// What a protocol observes of a fit.
#[derive(Default)]
pub struct Observation {
    /// A prediction of the test rows for each reading, in the fit's units.
    pub readings: Vec<(Reading, Predictive)>,
    /// Whether the predictions are in the target's units instead, because several fits made them.
    pub in_target_units: bool,
    /// Side tables of the prediction.
    pub side_tables: Vec<SideTable>,
    /// Wall time of all predictions, without the intervals.
    pub predict_time: Duration,
    /// Processor time of the same in this thread, where the operating system reports it.
    pub predict_cpu: Option<Duration>,
    /// As [`Observed::interval_cpu`](super::Observed::interval_cpu).
    pub interval_cpu: BTreeMap<Reading, Duration>,
}

impl Fit<'_> {
    /// The prediction of the test rows by each reading, and the side tables at these rows.
    ///
    /// # Errors
    /// [`FitError`] from the method; [`FitError::Diverged`] where it returns an invalid
    /// distribution.
    pub fn at_test_rows(&self) -> Result<Observation, FitError> {
        let features = self.scaled_test.features.view();
        let found = answers(self.fitted, self.readings, features, self.request, self.context)?;
        let side_tables = self.fitted.side_tables_at(features, self.request, self.context)?;
        let Answers { predictives, time: predict_time, cpu: predict_cpu, interval_cpu } = found;
        let readings: Vec<_> = self.readings.iter().cloned().zip(predictives).collect();
        readings
            .iter()
            .try_for_each(|(reading, answer)| check_answer(reading, answer, features.nrows()))?;
        Ok(Observation {
            readings,
            side_tables,
            predict_time,
            predict_cpu,
            interval_cpu,
            ..Observation::default()
        })
    }
}

/// Checks that a reading is a valid distribution at each row.
pub(super) fn check_answer(
    reading: &Reading,
    predictive: &Predictive,
    rows: usize,
) -> Result<(), FitError> {
    predictive
        .validate()
        .map_err(|error| FitError::Diverged(format!("reading {reading}: {error}")))?;
    if predictive.len() == rows {
        return Ok(());
    }
    Err(FitError::Diverged(format!(
        "reading {reading}: {} predictions for {rows} rows",
        predictive.len()
    )))
}

/// The predictions of a fit.
pub(super) struct Answers {
    /// One predictive distribution for each reading.
    pub predictives: Vec<Predictive>,
    /// Wall time of all predictions, without the intervals.
    pub time: Duration,
    /// Processor time of the same in this thread.
    pub cpu: Option<Duration>,
    /// Processor time of each reading's prediction and of its central 95 % interval at each row,
    /// where it can be measured separately.
    pub interval_cpu: BTreeMap<Reading, Duration>,
}

/// The predictions of all readings. Their times are measured separately where several readings
/// share no work.
///
/// # Errors
/// As [`Fitted::predict_all`].
pub(super) fn answers(
    fitted: &dyn Fitted,
    readings: &[Reading],
    features: ArrayView2<f64>,
    request: &Request,
    context: &Context,
) -> Result<Answers, FitError> {
    let mut interval_cpu = BTreeMap::new();
    if readings.len() < 2 || fitted.readings_share_work() {
        let (start, before) = (Instant::now(), thread_cpu());
        let predictives = fitted.predict_all(readings, features, request, context)?;
        return Ok(Answers {
            predictives,
            time: start.elapsed(),
            cpu: since(before),
            interval_cpu,
        });
    }
    let (mut predictives, mut time) = (Vec::with_capacity(readings.len()), Duration::ZERO);
    let mut cpu = Some(Duration::ZERO);
    for reading in readings {
        let (start, before) = (Instant::now(), thread_cpu());
        let predictive = fitted.predict(reading, features, request, context)?;
        time += start.elapsed();
        cpu = cpu.zip(since(before)).map(|(all, one)| all + one);
        let (lower, upper) = central_levels(LEVEL);
        let both = [lower, upper].map(|level| predictive.distribution().quantiles(level));
        if both.iter().all(Option::is_some)
            && let Some(spent) = since(before)
        {
            interval_cpu.insert(reading.clone(), spent);
        }
        predictives.push(predictive);
    }
    Ok(Answers { predictives, time, cpu, interval_cpu })
}
