//! Request a fit's readings, and measure the time of each.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use ndarray::ArrayView2;

use crate::methods::{Context, FitError, Fitted, Reading, Request};
use crate::predictive::{Predictive, central_levels};

/// Level of the interval whose quantiles are part of a reading's cost, because some forms compute quantiles only on
/// request.
const LEVEL: f64 = 0.95;

/// The predictions of a fit.
pub(super) struct Answers {
    /// One predictive distribution for each reading.
    pub predictives: Vec<Predictive>,
    /// Wall time of all predictions, without the intervals.
    pub time: Duration,
    /// Processor time of each reading's prediction and of its central 95 % interval at each row, where it can be
    /// measured separately.
    pub interval_cpu: BTreeMap<Reading, Duration>,
}

/// The predictions of all readings. Their times are measured separately where several readings share no work.
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
        let start = Instant::now();
        let predictives = fitted.predict_all(readings, features, request, context)?;
        return Ok(Answers { predictives, time: start.elapsed(), interval_cpu });
    }
    let (mut predictives, mut time) = (Vec::with_capacity(readings.len()), Duration::ZERO);
    for reading in readings {
        let (start, before) = (Instant::now(), thread_cpu());
        let predictive = fitted.predict(reading, features, request, context)?;
        time += start.elapsed();
        let (lower, upper) = central_levels(LEVEL);
        let both = [lower, upper].map(|level| predictive.distribution().quantiles(level));
        if both.iter().all(Option::is_some)
            && let (Some(before), Some(after)) = (before, thread_cpu())
        {
            interval_cpu.insert(reading.clone(), after.saturating_sub(before));
        }
        predictives.push(predictive);
    }
    Ok(Answers { predictives, time, interval_cpu })
}

/// Processor time of this thread so far, where the operating system reports it.
pub(super) fn thread_cpu() -> Option<Duration> {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        let now = clock_gettime(ClockId::ThreadCPUTime);
        Some(Duration::new(u64::try_from(now.tv_sec).ok()?, u32::try_from(now.tv_nsec).ok()?))
    }
    #[cfg(not(unix))]
    None
}
