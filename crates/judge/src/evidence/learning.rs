//! Gather the learning curves of pool learning, and compare their areas.
//!
//! The area of a curve v_0, …, v_S over S additions is its mean height by the trapezoidal rule,
//!
//! ```text
//! A = (v_0/2 + v_1 + … + v_{S−1} + v_S/2) / S,
//! ```
//!
//! in the metric's own units. The gain of an acquisition is how much better its area is than the
//! mean area of the random sequences of the same method on the same split, which start from the
//! same fit. It is positive where the acquisition is better, whatever the metric's direction.

use crate::evidence::results::{Repetitions, Results, Series};
use uq_core::metrics::MetricId;
use uqbench_run::benchmark::{DatasetRow, MethodRow};
use uqbench_run::protocols::{Acquisition, StepReading};

/// The curves of one method on one dataset.
pub struct Learner<'a> {
    /// The dataset.
    pub dataset: &'a DatasetRow,
    /// The method.
    pub method: &'a MethodRow,
    /// The metric of its curves.
    pub metric: MetricId,
    /// One curve for each acquisition, in the order of the row.
    pub curves: Vec<Curve<'a>>,
    /// Number of test rows divided by the number of rows at the start.
    pub test_to_train: f64,
    /// Its repetitions.
    pub repetitions: &'a Repetitions<'a>,
}

/// The curve of one acquisition.
pub struct Curve<'a> {
    /// The acquisition.
    pub acquisition: Acquisition,
    /// The first of its columns: after no addition.
    pub first: Series<'a>,
    /// The area of each repetition; `None` where a step has no score.
    pub areas: Vec<Option<f64>>,
    /// The same of the losses: lower is better.
    losses: Vec<Option<f64>>,
}

/// The curves by this metric of every method that acquires, in the order of the plan.
pub fn learners<'a>(
    results: &'a Results,
    metric: &dyn Fn(&DatasetRow) -> MetricId,
) -> Vec<Learner<'a>> {
    let series = results.series();
    let of_experiment = |(experiment, repetitions): (usize, &'a Repetitions<'a>)| {
        let columns: Vec<Series<'a>> =
            series.iter().filter(|s| s.id.experiment == experiment).copied().collect();
        let method = &repetitions.experiment.method;
        let dataset = columns.first()?.dataset;
        let (acquire, metric) = (method.acquire.as_ref()?, metric(dataset));
        let curves = acquire.iter().filter_map(|by| Curve::of(*by, &columns, &metric)).collect();
        let trial = repetitions.finished().next();
        let test_to_train =
            trial.map_or(0.0, |trial| trial.test_rows as f64 / trial.train_rows.max(1) as f64);
        Some(Learner { dataset, method, metric, curves, test_to_train, repetitions })
    };
    results.experiments.iter().enumerate().filter_map(of_experiment).collect()
}

impl<'a> Curve<'a> {
    fn of(acquisition: Acquisition, columns: &[Series<'a>], metric: &MetricId) -> Option<Self> {
        let at = |series: &Series| {
            StepReading::of(&series.column.reading)
                .filter(|found| found.acquisition == acquisition)
                .map(|found| found.step)
        };
        let mut steps: Vec<(usize, Series<'a>)> =
            columns.iter().filter_map(|s| Some((at(s)?, *s))).collect();
        steps.sort_by_key(|(step, _)| *step);
        let first = steps.first()?.1;
        let values: Vec<Vec<Option<f64>>> =
            steps.iter().map(|(_, series)| series.values(metric)).collect();
        let curve =
            |split: usize| values.iter().map(|step| step[split]).collect::<Option<Vec<f64>>>();
        let curves: Vec<Option<Vec<f64>>> = (0..values[0].len()).map(curve).collect();
        let loss = |curve: &Vec<f64>| {
            area(&curve.iter().map(|v| metric.direction().loss(*v)).collect::<Vec<_>>())
        };
        let areas = curves.iter().map(|curve| area(curve.as_ref()?)).collect();
        let losses = curves.iter().map(|curve| loss(curve.as_ref()?)).collect();
        Some(Self { acquisition, first, areas, losses })
    }

    /// How much better this curve is than another one, repetition by repetition.
    pub fn better_than(&self, other: &Self) -> Vec<Option<f64>> {
        self.losses
            .iter()
            .zip(&other.losses)
            .map(|(own, other)| Some((*other)? - (*own)?))
            .collect()
    }
}

impl Learner<'_> {
    /// The gain of an acquisition over the mean of the random sequences, repetition by repetition;
    /// `None` where there is no random sequence.
    pub fn gain(&self, curve: &Curve) -> Option<Vec<Option<f64>>> {
        let gains: Vec<Vec<Option<f64>>> = self
            .curves
            .iter()
            .filter(|other| other.acquisition.is_random() && other.acquisition != curve.acquisition)
            .map(|random| curve.better_than(random))
            .collect();
        let first = gains.first()?;
        let mean = |split: usize| {
            let sum: f64 = gains.iter().map(|gain| gain[split]).sum::<Option<f64>>()?;
            Some(sum / gains.len() as f64)
        };
        Some((0..first.len()).map(mean).collect())
    }
}

/// The mean height of a curve; `None` for fewer than two points.
fn area(values: &[f64]) -> Option<f64> {
    let intervals = values.len().checked_sub(1).filter(|count| *count > 0)?;
    Some(values.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).sum::<f64>() / intervals as f64)
}

#[cfg(test)]
mod tests {
    use super::area;

    #[test]
    fn the_area_is_the_mean_height() {
        assert_eq!(area(&[2.0, 2.0, 2.0]), Some(2.0));
        assert_eq!(area(&[0.0, 1.0, 4.0]), Some((0.5 + 2.5) / 2.0));
        assert_eq!(area(&[1.0]), None);
        assert_eq!(area(&[0.0, f64::NEG_INFINITY]), Some(f64::NEG_INFINITY));
    }
}
