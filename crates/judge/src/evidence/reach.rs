//! Compare a printed width with the best predictor in the store: how many outcomes an interval of
//! that width could cover.
//!
//! Let w be the printed mean width as a share of the target's range R, and m the means of the best
//! predictor here: the one of lowest mean RMSE over all repetitions, of any method and variant.
//! This choice favours the printed number. An interval m ± wR/2 covers a share of the test rows,
//! pooled over the repetitions. This is the coverage of *one* width for all rows. It is no upper
//! bound, because widths may differ between rows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::results::{Results, Series};
use super::trials::{EvidenceError, prediction};
use uq_core::metrics::{MetricId, MpiwRange, Picp, Rmse};
use uqbench_run::benchmark::{Benchmark, Cell, DatasetRow, Excluded, MetricRow, Published};
use uqbench_run::runner::derived::reduced;
use uqbench_run::runner::layout::Decoded;
use uqbench_run::runner::store::Store;

/// The coverage of constant intervals around the best predictor.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Reach {
    /// The best predictor's column, by its heading.
    pub best: String,
    /// Its mean RMSE over the repetitions.
    pub rmse: f64,
    /// The coverage that goes with the printed width.
    pub aim: f64,
    /// The coverage of one width.
    pub constant: Constant,
}

/// The coverage of intervals of one width around the mean.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Constant {
    /// Share of the test rows within an interval of the printed width.
    pub covered: f64,
    /// The same for the widest one that rounds to the printed digits.
    pub covered_at_most: f64,
    /// The smallest width that covers the aim, as a share of the range, rounded up to a multiple of
    /// 0.0002.
    pub needed: f64,
}

/// The metric that finds the best predictor; `None` where no printed width is excluded.
pub fn metrics(benchmark: &Benchmark) -> Option<MetricId> {
    (!benchmark.excluded.is_empty()).then_some(MetricId::Rmse(Rmse))
}

/// The coverage for each excluded number of a benchmark; `None` where the store does not have the
/// trials for it.
///
/// # Errors
/// [`EvidenceError`] where stored trials cannot be read.
pub fn reaches(
    results: &Results,
    published: &Published,
    store: &Store,
) -> Result<Vec<Option<Reach>>, EvidenceError> {
    let benchmark = &results.plan.benchmark;
    let one = |excluded: &Excluded| -> Result<Option<Reach>, EvidenceError> {
        let Some(Place { dataset, metric, cell }) = place(benchmark, published, excluded) else {
            return Ok(None);
        };
        let (MetricId::MpiwRange(MpiwRange { level }), Some(width)) = (metric.id, cell.number())
        else {
            return Ok(None);
        };
        let Some((best, rmse)) = best(results, dataset) else { return Ok(None) };
        let aim = coverage(benchmark, published, excluded, level);
        let constant = distances(&best, width, cell.last_digit(), store)?
            .and_then(|sets| Constant::of(&sets, aim));
        Ok(constant.map(|constant| Reach {
            best: best.column.heading.clone(),
            rmse,
            aim,
            constant,
        }))
    };
    benchmark.excluded.iter().map(one).collect()
}

/// The place of an excluded number in the table.
pub struct Place<'a> {
    /// The dataset.
    pub dataset: &'a DatasetRow,
    /// The metric.
    pub metric: &'a MetricRow,
    /// The printed number.
    pub cell: &'a Cell,
}

/// Finds the place of an excluded number; `None` where the benchmark does not print it.
pub fn place<'a>(
    benchmark: &'a Benchmark,
    published: &'a Published,
    excluded: &Excluded,
) -> Option<Place<'a>> {
    let main = |row: &&DatasetRow| row.variant.is_none() && row.printed_name() == excluded.dataset;
    let of_metric = |row: &&MetricRow| row.published.as_ref() == Some(&excluded.metric);
    Some(Place {
        dataset: benchmark.datasets.iter().find(main)?,
        metric: benchmark.metrics.iter().find(of_metric)?,
        cell: published.cell(&excluded.dataset, &excluded.metric, &excluded.labels)?,
    })
}

/// The column of lowest mean RMSE on a dataset, of those that have all repetitions.
fn best<'a>(results: &'a Results, dataset: &DatasetRow) -> Option<(Series<'a>, f64)> {
    let on = results.series().into_iter().filter(|series| series.dataset.key == dataset.key);
    let scored = on.filter_map(|series| {
        let summary = series.summary(&MetricId::Rmse(Rmse))?;
        (summary.n == series.expected()).then_some((series, summary.mean))
    });
    scored.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// The printed coverage that goes with a printed width; the level where none is printed.
fn coverage(benchmark: &Benchmark, published: &Published, excluded: &Excluded, level: f64) -> f64 {
    let name = benchmark.metrics.iter().find(|row| row.id == MetricId::Picp(Picp { level }));
    let cell = name.and_then(|row| {
        published.cell(&excluded.dataset, row.published.as_ref()?, &excluded.labels)
    });
    cell.and_then(Cell::number).unwrap_or(level)
}

/// Distances of outcomes from the predictive mean for each finished repetition of a column: of no
/// outcome where there is no mean or no range. `None` where a distance is not finite.
fn distances(
    series: &Series,
    width: f64,
    digit: f64,
    store: &Store,
) -> Result<Option<Vec<Distances>>, EvidenceError> {
    let reading = &series.column.reading;
    let name = format!("distances@1 of {reading} within {width} and its last digit {digit}");
    let mut all = Vec::new();
    for result in series.finished() {
        let of_trial = |decoded: &Decoded, _| -> Result<Option<Distances>, EvidenceError> {
            let means = prediction(decoded, reading, result)?.means();
            let (Some(means), Some((smallest, largest))) = (means, result.target_range) else {
                return Ok(Distances::new(&[], width, digit));
            };
            let shares =
                decoded.y.iter().zip(&means).map(|(y, m)| (y - m).abs() / (largest - smallest));
            Ok(Distances::new(&shares.collect::<Vec<f64>>(), width, digit))
        };
        all.extend(reduced(store, result, std::slice::from_ref(&name), of_trial)?);
    }
    Ok(all.into_iter().collect())
}

/// Distances of a test set's outcomes from the predictive mean, as shares of the target's range,
/// counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Distances {
    rows: usize,
    /// Outcomes within half the printed width.
    within: usize,
    /// Outcomes within half the widest one that rounds to the printed digits.
    within_at_most: usize,
    /// How many distances are each multiple of 1/[`STEPS`], rounded up.
    steps: BTreeMap<u64, usize>,
}

/// Steps in which distances are counted over the target's range.
const STEPS: f64 = 10_000.0;

impl Distances {
    /// `None` for a distance that is not finite.
    fn new(shares: &[f64], width: f64, digit: f64) -> Option<Self> {
        let within = |width: f64| shares.iter().filter(|share| **share <= width / 2.0).count();
        let mut steps = BTreeMap::new();
        for share in shares {
            *steps.entry((share * STEPS - 1e-9).ceil() as u64).or_default() +=
                share.is_finite().then_some(1)?;
        }
        Some(Self {
            rows: shares.len(),
            within: within(width),
            within_at_most: within(width + digit / 2.0),
            steps,
        })
    }
}

impl Constant {
    /// The coverage over all test sets. `None` for no outcome.
    fn of(sets: &[Distances], aim: f64) -> Option<Self> {
        let rows = sets.iter().map(|set| set.rows).sum::<usize>() as f64;
        let share =
            |count: fn(&Distances) -> usize| sets.iter().map(count).sum::<usize>() as f64 / rows;
        let mut steps: BTreeMap<u64, usize> = BTreeMap::new();
        sets.iter()
            .flat_map(|set| &set.steps)
            .for_each(|(step, count)| *steps.entry(*step).or_default() += count);
        let mut covered = 0;
        let enough = |(_, count): &(&u64, &usize)| {
            covered += **count;
            covered as f64 / rows >= aim
        };
        let (step, _) = steps.iter().find(enough).or(steps.last_key_value())?;
        let needed = 2.0 * *step as f64 / STEPS;
        Some(Self {
            covered: share(|set| set.within),
            covered_at_most: share(|set| set.within_at_most),
            needed,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_widths_by_hand() {
        // Residuals 0.01 to 0.10: half a width of 0.075 lies beyond the third of them, and half of
        // 0.085, the widest that rounds to it, beyond the fourth. The ninth is the first that
        // leaves no more than 15 % outside.
        let residuals: Vec<f64> = (1..=10).rev().map(|i| f64::from(i) / 100.0).collect();
        let of = |width, digit, aim| {
            let sets: Vec<Distances> =
                residuals.chunks(3).map(|set| Distances::new(set, width, digit).unwrap()).collect();
            Constant::of(&sets, aim).unwrap()
        };
        assert_eq!(
            of(0.075, 0.02, 0.85),
            Constant { covered: 0.3, covered_at_most: 0.4, needed: 0.18 }
        );
        assert_eq!(of(1.0, 0.1, 1.0), Constant { covered: 1.0, covered_at_most: 1.0, needed: 0.2 });
        assert_eq!(
            of(0.0, 0.01, 0.01),
            Constant { covered: 0.0, covered_at_most: 0.0, needed: 0.02 }
        );
    }

    #[test]
    fn normal_residuals_are_within_as_theory_says() {
        // Quantiles of |Z|/10: half a width of 0.2 holds erf(1/√2) = 0.682689, and 95 % need 2 ×
        // 1.959964/10.
        let n = 20_000;
        let levels = (0..n).map(|i| 0.5 + (f64::from(i) + 0.5) / f64::from(n) / 2.0);
        let residuals: Vec<f64> =
            levels.map(|p| uq_core::math::special::normal_quantile(p) / 10.0).collect();
        let found = Constant::of(&[Distances::new(&residuals, 0.2, 0.01).unwrap()], 0.95).unwrap();
        assert!((found.covered - 0.682_689).abs() < 1e-4, "{found:?}");
        assert!((found.needed - 0.391_993).abs() < 1e-4, "{found:?}");
    }

    #[test]
    fn without_residuals_nothing_is_said() {
        assert_eq!(Constant::of(&[], 0.95), None);
        assert_eq!(Constant::of(&[Distances::new(&[], 0.1, 0.01).unwrap()], 0.95), None);
        assert_eq!(Distances::new(&[0.1, f64::NAN], 0.1, 0.01), None);
    }
}
