//! Judge that no other point of a curve scores better than a recommended one, dataset by dataset,
//! on our runs.
//!
//! Points are compared with the recommended one by their loss
//! ([`uq_core::metrics::Direction::loss`]), paired over repetitions. The claim fails where another
//! point is significantly better, with Holm's correction over the claim's comparisons on all
//! datasets together. The absence of a significant difference does not prove equality: it holds
//! only where each other point is shown to be better by less than the tolerance δ of a verdict,
//! which is ours, at most. For this Student's 95 % interval of each difference lies below δ: an
//! intersection-union test, which needs no correction (Berger, *Multiparameter hypothesis testing
//! and acceptance sampling*, Technometrics 24, 1982). The note also reports what the recommendation
//! loses against the best mean.

use super::curves::{columns_of, curve_on};
use super::kind::{Finding, JudgeClaim};
use super::note::{Estimate, Note, Rivals};
use super::outcome::Judged;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uq_core::stats::paired::{ALPHA, Comparison, compare, paired};
use uqbench_run::benchmark::claims::Unbeaten;

impl JudgeClaim for Unbeaten {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        self.recommended
            .keys()
            .flat_map(|key| columns_of(curve_on(results, key, &self.labels)))
            .collect()
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let (results, direction) = (&evidence.results, self.metric.direction());
        let losses = |series: &Series| -> Vec<Option<f64>> {
            series
                .values(&self.metric)
                .into_iter()
                .map(|value| value.map(|v| direction.loss(v)))
                .collect()
        };
        let curves = results.plan.benchmark.datasets.iter().filter_map(|row| {
            let recommended = *self.recommended.get(&row.key)?;
            let points = curve_on(results, &row.key, &self.labels);
            let own = points.iter().find(|(x, _)| *x == recommended).map(|(_, series)| series);
            let tolerance = own.and_then(|series| {
                Some(self.metric.tolerance(series.summary(&self.metric)?.mean, series.test_rows()?))
            });
            let points = points.iter().map(|(x, series)| (*x, losses(series))).collect();
            Some(Curve {
                dataset: row.heading.clone(),
                recommended,
                tolerance: tolerance.unwrap_or(0.0),
                points,
            })
        });
        Ok(judged(&curves.collect::<Vec<_>>()))
    }
}

/// One dataset's curve: the loss of each repetition at every point.
struct Curve {
    /// Name of the dataset.
    dataset: String,
    /// The recommended point.
    recommended: f64,
    /// How much better another point may be and count as equal.
    tolerance: f64,
    /// Points: x, and the loss of each repetition.
    points: Vec<(f64, Vec<Option<f64>>)>,
}

impl Curve {
    /// The losses of the recommended point less those of each other one, paired over repetitions,
    /// with the other's x.
    fn behind(&self) -> Vec<(f64, Vec<f64>)> {
        let own = self
            .points
            .iter()
            .find(|(x, _)| *x == self.recommended)
            .map(|(_, losses)| losses.as_slice());
        let rivals = self.points.iter().filter(|(x, _)| *x != self.recommended);
        rivals.map(|(x, rival)| (*x, paired(own.unwrap_or_default(), rival))).collect()
    }
}

/// Compares the rivals of a dataset, each with its x, its differences and their test.
fn compare_rivals(
    curve: &Curve,
    behind: &[(f64, Vec<f64>)],
    tests: &[Option<Comparison>],
) -> Rivals {
    let known: Vec<(f64, Comparison)> =
        behind.iter().zip(tests).filter_map(|((x, _), test)| Some((*x, (*test)?))).collect();
    let is_better = |(_, c): &&(f64, Comparison)| c.significant && c.summary.mean > 0.0;
    let is_equal = |c: &Comparison| {
        c.summary.half_width(ALPHA).is_some_and(|h| c.summary.mean + h < curve.tolerance)
    };
    let in_the_mean = |(_, differences): &&(f64, Vec<f64>)| differences.iter().sum::<f64>() > 0.0;
    let best = known.iter().max_by(|a, b| a.1.summary.mean.total_cmp(&b.1.summary.mean));
    let loss = |Comparison { summary, alpha, .. }: &Comparison| Estimate {
        mean: summary.mean,
        half_width: summary.half_width(*alpha),
    };
    Rivals {
        dataset: curve.dataset.clone(),
        recommended: curve.recommended,
        all: behind.len(),
        empty: behind.iter().filter(|(_, differences)| differences.is_empty()).count(),
        tested: known.len(),
        better_in_the_mean: behind.iter().filter(in_the_mean).count(),
        better: known.iter().filter(is_better).map(|(x, _)| *x).collect(),
        equal: known.iter().filter(|(_, c)| is_equal(c)).count(),
        tolerance: curve.tolerance,
        best: best.map(|(x, c)| (*x, loss(c))),
    }
}

/// The claim fails if another point is significantly better. It holds if each is shown to be better
/// by less than the tolerance.
fn judged(curves: &[Curve]) -> Finding {
    let behind: Vec<Vec<(f64, Vec<f64>)>> = curves.iter().map(Curve::behind).collect();
    let family: Vec<Vec<f64>> =
        behind.iter().flatten().map(|(_, differences)| differences.clone()).collect();
    let mut tests = compare(&family).into_iter();
    let found: Vec<Rivals> = curves
        .iter()
        .zip(&behind)
        .map(|(curve, behind)| {
            compare_rivals(curve, behind, &tests.by_ref().take(behind.len()).collect::<Vec<_>>())
        })
        .collect();
    let are_equal = |rivals: &Rivals| rivals.all > 0 && rivals.equal == rivals.all;
    let judged = match () {
        () if found.iter().any(|rivals| !rivals.better.is_empty()) => Judged::Fails,
        () if !found.is_empty() && found.iter().all(are_equal) => Judged::Holds,
        () => Judged::Undecided,
    };
    let n = family.iter().map(Vec::len).filter(|n| *n > 0).min().unwrap_or(0);
    Finding { judged, note: Note::Unbeaten { datasets: found, comparisons: family.len() }, n }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten repetitions of mean `mean`, which differ by the same whole numbers for every point but
    /// for `wobble`.
    fn losses(mean: f64, wobble: f64) -> Vec<Option<f64>> {
        (0..10)
            .map(|i| Some(mean + f64::from(i) + wobble * if i % 2 == 0 { 1.0 } else { -1.0 }))
            .collect()
    }

    fn curve(dataset: &str, recommended: f64, points: Vec<(f64, Vec<Option<f64>>)>) -> Curve {
        Curve { dataset: dataset.into(), recommended, tolerance: 0.5, points }
    }

    /// What each dataset shows.
    fn rivals(found: Finding) -> Vec<Rivals> {
        let Note::Unbeaten { datasets, .. } = found.note else { panic!("it is another note") };
        datasets
    }

    #[test]
    fn no_significant_difference_is_no_proof_of_equality() {
        // At 3: mean 0.05 lower, by ±1 each time: t = 0.05 / (1.054 / √10) = 0.15, and the half
        // width is t(0.975, 9) 1.054/√10 = 0.754.
        let points = |wobble| {
            vec![(3.0, losses(0.95, wobble)), (5.0, losses(1.0, 0.0)), (7.0, losses(2.0, 0.1))]
        };
        let found = judged(&[curve("A", 5.0, points(1.0))]);
        assert_eq!((found.judged, found.n), (Judged::Undecided, 10), "0.05 + 0.754 is above 0.5");
        let all = rivals(found);
        assert_eq!((all[0].dataset.as_str(), all[0].recommended), ("A", 5.0));
        assert_eq!((all[0].all, all[0].tested, all[0].equal), (2, 2, 1));
        assert!(all[0].better.is_empty(), "{all:?}");
        // By ±0.1: the interval ends at 0.05 + 0.075, below the tolerance; t is 1.5 and not
        // significant.
        let found = judged(&[curve("A", 5.0, points(0.1))]);
        assert_eq!(found.judged, Judged::Holds, "{found:?}");
        let all = rivals(found);
        assert_eq!((all[0].all, all[0].equal), (2, 2));
        assert_eq!(all[0].best.map(|(x, _)| x), Some(3.0), "{all:?}");
    }

    #[test]
    fn one_dataset_where_it_is_beaten_is_enough_to_fail() {
        let good = curve("A", 5.0, vec![(3.0, losses(2.0, 0.1)), (5.0, losses(1.0, 0.0))]);
        let beaten = curve(
            "B",
            8.0,
            vec![(5.0, losses(0.0, 0.1)), (8.0, losses(1.0, 0.0)), (9.0, losses(0.5, 0.1))],
        );
        let found = judged(&[good, beaten]);
        assert_eq!((found.judged, found.n), (Judged::Fails, 10));
        // Differences 1 ± 0.1: sd 0.1·√(10/9) = 0.10541, and the smallest of three p-values, or one
        // of equal ones, at 5 % over 3, 2 or 1: the half width at 0.05/3, t(0.99167, 9) = 2.9333,
        // is 0.0978.
        let all = rivals(found);
        let [good, beaten] = &all[..] else { panic!("{all:?}") };
        assert_eq!((good.dataset.as_str(), beaten.dataset.as_str()), ("A", "B"));
        assert!(good.better.is_empty(), "{good:?}");
        assert_eq!((&beaten.better[..], beaten.recommended), (&[5.0, 9.0][..], 8.0));
        let (at, Estimate { mean, half_width }) = beaten.best.unwrap();
        assert_eq!(at, 5.0);
        assert!((mean - 1.0).abs() < 1e-12, "{mean}");
        assert!((0.08..0.1).contains(&half_width.unwrap()), "{half_width:?}");
    }

    #[test]
    fn what_was_not_run_leaves_it_undecided_but_cannot_hide_a_defeat() {
        let unrun = (9.0, vec![None; 10]);
        let open =
            curve("A", 5.0, vec![(5.0, losses(1.0, 0.0)), (7.0, losses(2.0, 0.1)), unrun.clone()]);
        let found = judged(&[open]);
        assert_eq!((found.judged, found.n), (Judged::Undecided, 10));
        let all = rivals(found);
        assert_eq!((all[0].empty, all[0].all), (1, 2));
        let beaten = curve("A", 5.0, vec![(5.0, losses(1.0, 0.0)), (7.0, losses(0.0, 0.1)), unrun]);
        assert_eq!(judged(&[beaten]).judged, Judged::Fails);
        let alone = curve("A", 5.0, vec![(7.0, losses(0.0, 0.1))]);
        let [alone, none] = [judged(&[alone]), judged(&[])].map(|found| found.judged);
        assert_eq!((alone, none), (Judged::Undecided, Judged::Undecided));
        let empty = judged(&[curve("A", 5.0, vec![])]);
        assert_eq!((empty.judged, empty.n), (Judged::Undecided, 0));
        let once = curve("A", 5.0, vec![(5.0, vec![Some(1.0)]), (7.0, vec![Some(0.5)])]);
        let found = judged(&[once]);
        assert_eq!((found.judged, found.n), (Judged::Undecided, 1));
        let all = rivals(found);
        assert_eq!((all[0].better_in_the_mean, all[0].all, all[0].tested), (1, 1, 0));
    }
}
