//! Remark that a printed baseline is weak.

use super::remark::Remark;
use super::verdict::Verdict;
use uq_core::metrics::MetricId;
use uq_core::stats::Summary;
use uqbench_run::benchmark::Cell;

/// The remark that a printed baseline is weak: the verdict is that ours is better, and the loss of
/// v exceeds that of m by more than δ + u/2. `None` for every other verdict.
pub fn weak_baseline(
    cell: &Cell,
    v: f64,
    own: &Summary,
    metric: &MetricId,
    verdict: &Verdict,
    tolerance: f64,
) -> Option<Remark> {
    let gain = metric.direction().loss(v) - metric.direction().loss(own.mean);
    // The loss of a coverage is its distance from the level, which may differ by less than the
    // coverages do.
    let weak = *verdict == Verdict::DiffersBetter && gain > tolerance + cell.last_digit() / 2.0;
    weak.then_some(Remark::Weak { gain, half_width: own.half_width(0.05)?, n: own.n })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::verdict::{Ours, judge};
    use std::collections::BTreeMap;
    use uqbench_run::benchmark::{Exclusion, Profile, SpreadKind};

    fn cell(value: &str) -> Cell {
        Cell {
            file: None,
            line: 1,
            dataset: "d".into(),
            metric: "m".into(),
            labels: BTreeMap::new(),
            stated: Default::default(),
            value: value.into(),
            spread: None,
            spread_kind: SpreadKind::None,
            count: Some(20),
            splits: Vec::new(),
        }
    }

    #[test]
    fn a_baseline_is_weak_where_ours_is_better_by_tolerance_and_interval() {
        let weak = |value: &str, mean: f64, sd: f64, metric: &str| {
            let (cell, metric) = (cell(value), metric.parse().unwrap());
            let (v, own) = (cell.number().unwrap(), Summary { mean, sd: Some(sd), n: 20 });
            let ours = Ours::unpaired(own);
            let (verdict, judgement) = judge(&cell, v, &ours, &metric, 50.0, Profile::Full);
            weak_baseline(&cell, v, &own, &metric, &verdict, judgement.tolerance)
        };
        // t(0.975, 19) = 2.093: half width 0.0094 for an sd of 0.02.
        let Some(Remark::Weak { gain, half_width, n }) = weak("0.50", 0.40, 0.02, "mse") else {
            panic!("a remark")
        };
        assert_eq!(((1e4 * gain).round(), (1e4 * half_width).round(), n), (1000.0, 94.0, 20));
        assert_eq!(weak("0.50", 0.60, 0.02, "mse"), None, "ours is worse");
        assert_eq!(weak("0.50", 0.446, 0.001, "mse"), None, "within δ + u/2 = 0.055");
        // For an sd of 0.2 the interval of our mean, 0.094 to either side, does not contain 0.50,
        // but that of the difference, h = 0.137, contains 0: the verdict is inconclusive.
        assert_eq!(weak("0.50", 0.39, 0.2, "mse"), None);
        assert!(weak("-2.50", -2.30, 0.1, "log-likelihood").is_some());
        assert_eq!(weak("-2.50", -2.70, 0.1, "log-likelihood"), None, "a higher one is better");
        assert!(weak("0.86", 0.95, 0.01, "picp(level=0.95)").is_some(), "nearer to its level");
        assert_eq!(weak("0.95", 0.99, 0.01, "picp(level=0.95)"), None, "farther from its level");
        assert_eq!(
            weak("0.90", 0.98, 0.01, "picp(level=0.95)"),
            None,
            "nearer to its level by 0.02 alone"
        );
    }

    #[test]
    fn no_baseline_is_weak_unless_the_verdict_says_that_ours_is_better() {
        let (cell, metric) = (cell("0.50"), "mse".parse().unwrap());
        let weak = |n, verdict: Option<Verdict>, profile| {
            let own = Summary { mean: 0.3, sd: Some(0.01), n };
            let (judged, judgement) =
                judge(&cell, 0.5, &Ours::unpaired(own), &metric, 50.0, profile);
            weak_baseline(
                &cell,
                0.5,
                &own,
                &metric,
                &verdict.unwrap_or(judged),
                judgement.tolerance,
            )
            .is_some()
        };
        assert!(weak(10, None, Profile::Full));
        assert!(!weak(9, None, Profile::Full));
        assert!(!weak(10, None, Profile::Quick));
        let others =
            [Verdict::Differs, Verdict::Inconclusive, Verdict::Excluded(Exclusion::Implausible)];
        assert!(others.into_iter().all(|verdict| !weak(10, Some(verdict), Profile::Full)));
    }
}
