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
use super::outcome::Judged;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uq_core::stats::digits::number;
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

/// What the rivals of one recommended point show.
struct Rivals {
    /// Points that are significantly better.
    better: Vec<String>,
    /// Whether each point is compared, and shown to be better by less than the tolerance.
    are_equal: bool,
    /// What they show, in words.
    note: String,
}

/// Compares the rivals of a dataset, each with its x, its differences and their test.
fn compare_rivals(
    curve: &Curve,
    behind: &[(f64, Vec<f64>)],
    tests: &[Option<Comparison>],
) -> Rivals {
    let Curve { dataset, recommended, tolerance, .. } = curve;
    let known: Vec<(f64, Comparison)> =
        behind.iter().zip(tests).filter_map(|((x, _), test)| Some((*x, (*test)?))).collect();
    let (all, empty) =
        (behind.len(), behind.iter().filter(|(_, differences)| differences.is_empty()).count());
    let is_better = |(_, c): &&(f64, Comparison)| c.significant && c.summary.mean > 0.0;
    let better: Vec<String> = known.iter().filter(is_better).map(|(x, _)| x.to_string()).collect();
    let is_equal = |c: &Comparison| {
        c.summary.half_width(ALPHA).is_some_and(|h| c.summary.mean + h < *tolerance)
    };
    let equal = known.iter().filter(|(_, c)| is_equal(c)).count();
    let mut note = match (all, known.len(), better.len()) {
        (0, ..) => format!("{dataset}: no point but {recommended}"),
        (_, 0, _) => {
            let lower = behind.iter().filter(|(_, all)| all.iter().sum::<f64>() > 0.0).count();
            format!("{dataset}: {lower} of {} better than {recommended} in the mean", all - empty)
        }
        (.., 0) => format!("{dataset}: none of {all} significantly better than {recommended}"),
        _ => format!("{dataset}: {} significantly better than {recommended}", better.join(", ")),
    };
    if empty > 0 && all > 0 {
        note += &format!(", {empty} of {all} without numbers to compare");
    }
    if !known.is_empty() {
        let tolerance = number(*tolerance, Some(*tolerance));
        note += &format!(", {equal} of {all} shown to be better by less than {tolerance}");
    }
    let best = known.iter().max_by(|a, b| a.1.summary.mean.total_cmp(&b.1.summary.mean));
    note += &match best {
        Some((x, c)) if c.summary.mean > 0.0 => {
            let half_width = c.summary.half_width(c.alpha);
            let spread =
                half_width.map(|h| format!(" ± {}", number(h, half_width))).unwrap_or_default();
            format!(
                "; it loses {}{spread} against the best mean, at {x}",
                number(c.summary.mean, half_width)
            )
        }
        Some(_) => "; it has the best mean".into(),
        None => String::new(),
    };
    Rivals { better, are_equal: all > 0 && equal == all, note }
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
    let judged = match () {
        () if found.iter().any(|rivals| !rivals.better.is_empty()) => Judged::Fails,
        () if !found.is_empty() && found.iter().all(|rivals| rivals.are_equal) => Judged::Holds,
        () => Judged::Undecided,
    };
    let notes: Vec<&str> = found.iter().map(|rivals| rivals.note.as_str()).collect();
    let n = family.iter().map(Vec::len).filter(|n| *n > 0).min().unwrap_or(0);
    (
        judged,
        format!(
            "{} (paired, Holm 5 % over {} comparisons; 95 % each)",
            notes.join("; "),
            family.len()
        ),
        n,
    )
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

    #[test]
    fn no_significant_difference_is_no_proof_of_equality() {
        // At 3: mean 0.05 lower, by ±1 each time: t = 0.05 / (1.054 / √10) = 0.15, and the half
        // width is t(0.975, 9) 1.054/√10 = 0.754.
        let points = |wobble| {
            vec![(3.0, losses(0.95, wobble)), (5.0, losses(1.0, 0.0)), (7.0, losses(2.0, 0.1))]
        };
        let (found, note, n) = judged(&[curve("A", 5.0, points(1.0))]);
        assert_eq!((found, n), (Judged::Undecided, 10), "0.05 + 0.754 is above 0.5");
        assert!(note.contains("none of 2 significantly better than 5, 1 of 2 shown"), "{note}");
        // By ±0.1: the interval ends at 0.05 + 0.075, below the tolerance; t is 1.5 and not
        // significant.
        let (found, note, _) = judged(&[curve("A", 5.0, points(0.1))]);
        assert_eq!(found, Judged::Holds, "{note}");
        assert!(note.contains("2 of 2 shown") && note.contains("best mean, at 3"), "{note}");
    }

    #[test]
    fn one_dataset_where_it_is_beaten_is_enough_to_fail() {
        let good = curve("A", 5.0, vec![(3.0, losses(2.0, 0.1)), (5.0, losses(1.0, 0.0))]);
        let beaten = curve(
            "B",
            8.0,
            vec![(5.0, losses(0.0, 0.1)), (8.0, losses(1.0, 0.0)), (9.0, losses(0.5, 0.1))],
        );
        let (found, note, n) = judged(&[good, beaten]);
        assert_eq!((found, n), (Judged::Fails, 10));
        // Differences 1 ± 0.1: sd 0.1·√(10/9) = 0.10541, and the smallest of three p-values, or one
        // of equal ones, at 5 % over 3, 2 or 1: the half width at 0.05/3, t(0.99167, 9) = 2.9333,
        // is 0.0978.
        assert!(note.contains("B: 5, 9 significantly better than 8"), "{note}");
        assert!(note.contains("loses 1.0") && note.contains("best mean, at 5 ("), "{note}");
    }

    #[test]
    fn what_was_not_run_leaves_it_undecided_but_cannot_hide_a_defeat() {
        let unrun = (9.0, vec![None; 10]);
        let open =
            curve("A", 5.0, vec![(5.0, losses(1.0, 0.0)), (7.0, losses(2.0, 0.1)), unrun.clone()]);
        let (found, note, n) = judged(&[open]);
        assert_eq!((found, n), (Judged::Undecided, 10));
        assert!(note.contains("1 of 2 without numbers to compare"), "{note}");
        let beaten = curve("A", 5.0, vec![(5.0, losses(1.0, 0.0)), (7.0, losses(0.0, 0.1)), unrun]);
        assert_eq!(judged(&[beaten]).0, Judged::Fails);
        let alone = curve("A", 5.0, vec![(7.0, losses(0.0, 0.1))]);
        assert_eq!((judged(&[alone]).0, judged(&[]).0), (Judged::Undecided, Judged::Undecided));
        let (found, _, n) = judged(&[curve("A", 5.0, vec![])]);
        assert_eq!((found, n), (Judged::Undecided, 0));
        let once = curve("A", 5.0, vec![(5.0, vec![Some(1.0)]), (7.0, vec![Some(0.5)])]);
        let (found, note, n) = judged(&[once]);
        assert_eq!((found, n), (Judged::Undecided, 1));
        assert!(note.contains("1 of 1 better than 5 in the mean"), "{note}");
    }
}
