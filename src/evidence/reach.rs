//! Compare a printed width with the best predictor in the store: how many outcomes an interval of that width could
//! cover.
//!
//! Let w be the printed mean width as a share of the target's range R, and m the means of the best predictor here: the
//! one of lowest mean RMSE over all repetitions, of any method and variant. This choice favours the printed number. An
//! interval m ± wR/2 covers a share of the test rows, pooled over the repetitions. This is the coverage of *one* width
//! for all rows. It is no upper bound, because widths may differ between rows.

use super::results::{Results, Series};
use super::trials::{EvidenceError, decode, prediction};
use crate::benchmark::{Benchmark, Cell, DatasetRow, Excluded, MetricRow, Published};
use crate::metrics::{MetricId, MpiwRange, Picp, Rmse};
use crate::runner::store::Store;

/// The coverage of constant intervals around the best predictor.
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    /// Share of the test rows within an interval of the printed width.
    pub covered: f64,
    /// The same for the widest one that rounds to the printed digits.
    pub covered_at_most: f64,
    /// The smallest width that covers the aim, as a share of the range.
    pub needed: f64,
}

/// The metric that finds the best predictor; `None` where no printed width is excluded.
pub fn metrics(benchmark: &Benchmark) -> Option<MetricId> {
    (!benchmark.excluded.is_empty()).then_some(MetricId::Rmse(Rmse))
}

/// The coverage for each excluded number of a benchmark; `None` where the store does not have the trials for it.
///
/// # Errors
/// [`EvidenceError`] where stored trials cannot be read.
pub fn reaches(results: &Results, published: &Published, store: &Store) -> Result<Vec<Option<Reach>>, EvidenceError> {
    let benchmark = &results.plan.benchmark;
    let one = |excluded: &Excluded| -> Result<Option<Reach>, EvidenceError> {
        let Some(Place { dataset, metric, cell }) = place(benchmark, published, excluded) else { return Ok(None) };
        let (MetricId::MpiwRange(MpiwRange { level }), Some(width)) = (metric.id, cell.number()) else {
            return Ok(None);
        };
        let Some((best, rmse)) = best(results, dataset) else { return Ok(None) };
        let aim = coverage(benchmark, published, excluded, level);
        let constant = Constant::of(residuals(&best, store)?, width, cell.last_digit(), aim);
        Ok(constant.map(|constant| Reach { best: best.column.heading.clone(), rmse, aim, constant }))
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
pub fn place<'a>(benchmark: &'a Benchmark, published: &'a Published, excluded: &Excluded) -> Option<Place<'a>> {
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
    let cell = name.and_then(|row| published.cell(&excluded.dataset, row.published.as_ref()?, &excluded.labels));
    cell.and_then(Cell::number).unwrap_or(level)
}

/// Distances of outcomes from the predictive mean as shares of the target's range, over all repetitions of a column.
fn residuals(series: &Series, store: &Store) -> Result<Vec<f64>, EvidenceError> {
    let mut all = Vec::new();
    for result in series.finished() {
        let decoded = decode(result, store)?;
        let means = prediction(&decoded, &series.column.reading, result)?.means();
        let (Some(means), Some((smallest, largest))) = (means, result.target_range) else { continue };
        all.extend(decoded.y.iter().zip(&means).map(|(y, m)| (y - m).abs() / (largest - smallest)));
    }
    Ok(all)
}

impl Constant {
    /// The coverage for residuals that are shares of the range. `None` for no residual, or one that is not finite.
    fn of(mut residuals: Vec<f64>, width: f64, digit: f64, aim: f64) -> Option<Self> {
        if residuals.iter().any(|r| !r.is_finite()) {
            return None;
        }
        residuals.sort_by(f64::total_cmp);
        let n = residuals.len() as f64;
        let within = |width: f64| residuals.partition_point(|r| *r <= width / 2.0) as f64 / n;
        let needed = residuals.iter().zip(1_u32..).find(|(_, rank)| f64::from(*rank) / n >= aim);
        let needed = 2.0 * needed.map(|(r, _)| r).or(residuals.last())?;
        Some(Self { covered: within(width), covered_at_most: within(width + digit / 2.0), needed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_widths_by_hand() {
        // Residuals 0.01 to 0.10: half a width of 0.075 lies beyond the third of them, and half of 0.085, the widest that
        // rounds to it, beyond the fourth. The ninth is the first that leaves no more than 15 % outside.
        let residuals: Vec<f64> = (1..=10).rev().map(|i| f64::from(i) / 100.0).collect();
        let of = |width, digit, aim| Constant::of(residuals.clone(), width, digit, aim).unwrap();
        assert_eq!(of(0.075, 0.02, 0.85), Constant { covered: 0.3, covered_at_most: 0.4, needed: 0.18 });
        assert_eq!(of(1.0, 0.1, 1.0), Constant { covered: 1.0, covered_at_most: 1.0, needed: 0.2 });
        assert_eq!(of(0.0, 0.01, 0.01), Constant { covered: 0.0, covered_at_most: 0.0, needed: 0.02 });
    }

    #[test]
    fn normal_residuals_are_within_as_theory_says() {
        // Quantiles of |Z|/10: half a width of 0.2 holds erf(1/√2) = 0.682689, and 95 % need 2 × 1.959964/10.
        let n = 20_000;
        let levels = (0..n).map(|i| 0.5 + (f64::from(i) + 0.5) / f64::from(n) / 2.0);
        let residuals: Vec<f64> = levels.map(|p| crate::math::special::normal_quantile(p) / 10.0).collect();
        let found = Constant::of(residuals, 0.2, 0.01, 0.95).unwrap();
        assert!((found.covered - 0.682_689).abs() < 1e-4, "{found:?}");
        assert!((found.needed - 0.391_993).abs() < 1e-4, "{found:?}");
    }

    #[test]
    fn without_residuals_nothing_is_said() {
        assert_eq!(Constant::of(Vec::new(), 0.1, 0.01, 0.95), None);
        assert_eq!(Constant::of(vec![0.1, f64::NAN], 0.1, 0.01, 0.95), None);
    }
}
