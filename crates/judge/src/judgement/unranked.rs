//! Find pairs of numbers that differ and of which neither is better.
//!
//! A narrower interval is better only where it covers: its coverage may lie below its level by the
//! tolerance of a coverage and no more. A log density of a discrete target ranks nothing, because a
//! density made of spikes on its values has no bound (`reports/errata/jcm.md`, 24).

use uq_core::metrics::{MetricId, Picp};
use uqbench_data::Manifest;

/// Why neither of two numbers that differ is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unranked {
    /// The narrower intervals cover too little.
    LowCoverage {
        /// Whether ours are the narrower ones.
        ours: bool,
        /// Their coverage; `None` where it is not known, or not printed.
        coverage: Option<f64>,
        /// The level of the intervals.
        level: f64,
    },
    /// The numbers are log densities of a discrete target: one of whole numbers, or of few values.
    Discrete,
}

/// Why neither of two numbers that differ is better, although the metric's direction prefers ours
/// (`is_ours`) or the printed one; `None` where the preferred one is better. The two functions
/// return our mean and the printed number of a coverage, for the same column.
pub fn unranked(
    is_ours: bool,
    metric: &MetricId,
    dataset: &str,
    ours: impl Fn(&MetricId) -> Option<f64>,
    printed: impl Fn(&MetricId) -> Option<f64>,
) -> Option<Unranked> {
    if metric.is_density() && Manifest::is_discrete(dataset) {
        return Some(Unranked::Discrete);
    }
    let level = metric.width_of()?;
    let picp = MetricId::Picp(Picp { level });
    let coverage = if is_ours { ours(&picp) } else { printed(&picp) };
    let covers = coverage.is_some_and(|found| found >= level - picp.tolerance(level, 1.0));
    (!covers).then_some(Unranked::LowCoverage { ours: is_ours, coverage, level })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The coverages of our narrower intervals and of the printed ones, as functions of the metric
    /// that is asked for.
    fn of_width(
        is_ours: bool,
        metric: &str,
        ours: Option<f64>,
        printed: Option<f64>,
    ) -> Option<Unranked> {
        let at_80 = |asked: &MetricId| assert_eq!(*asked, MetricId::Picp(Picp { level: 0.8 }));
        let metric = metric.parse().unwrap();
        let coverage = |found: Option<f64>| move |asked: &MetricId| found.inspect(|_| at_80(asked));
        unranked(is_ours, &metric, "boston", coverage(ours), coverage(printed))
    }

    #[test]
    fn the_narrower_intervals_are_better_only_where_they_cover() {
        let (better, worse) = (true, false);
        let low = |ours, coverage| Some(Unranked::LowCoverage { ours, coverage, level: 0.8 });
        for metric in ["mpiw(level=0.8)", "mpiw-range(level=0.8)"] {
            let of = |is_ours, ours, printed| of_width(is_ours, metric, ours, printed);
            // 0.78 is the level less the tolerance of a coverage.
            assert_eq!(of(better, Some(0.78), Some(0.1)), None);
            assert_eq!(
                of(better, Some(0.99), None),
                None,
                "a higher coverage is no fault of a narrower interval"
            );
            assert_eq!(of(better, Some(0.77), Some(0.8)), low(true, Some(0.77)));
            assert_eq!(of(worse, Some(0.1), Some(0.78)), None);
            assert_eq!(
                of(worse, Some(0.8), Some(0.77)),
                low(false, Some(0.77)),
                "the printed ones are narrower"
            );
            assert_eq!(of(better, None, Some(0.8)), low(true, None));
            assert_eq!(
                of(worse, Some(0.8), None),
                low(false, None),
                "the paper prints no coverage"
            );
        }
        assert_eq!(of_width(better, "rmse", Some(0.1), Some(0.1)), None);
    }

    #[test]
    fn log_densities_of_discrete_targets_rank_nothing() {
        let of = |is_ours: bool, metric: &str, dataset: &str| {
            unranked(is_ours, &metric.parse().unwrap(), dataset, |_| None, |_| None)
        };
        for is_ours in [true, false] {
            assert_eq!(of(is_ours, "log-likelihood", "wine-red"), Some(Unranked::Discrete));
            assert_eq!(of(is_ours, "nlpd", "wine-red"), Some(Unranked::Discrete));
            assert_eq!(
                of(is_ours, "log-likelihood", "naval"),
                Some(Unranked::Discrete),
                "51 values"
            );
            assert_eq!(of(is_ours, "rmse", "wine-red"), None);
            assert_eq!(of(is_ours, "discretised-log-score", "wine-red"), None);
            assert_eq!(of(is_ours, "log-likelihood", "boston"), None, "a resolution of 0.1");
            assert_eq!(of(is_ours, "log-likelihood", "simulated:jcm-even"), None);
        }
    }
}
