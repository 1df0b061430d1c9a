//! Judge that no other point of a curve scores better than a recommended one, dataset by dataset, on our runs.
//!
//! Points are compared with the recommended one by their loss ([`crate::metrics::Direction::loss`]), paired over
//! repetitions, with Holm's correction over the claim's comparisons on all datasets together. The absence of a
//! significant difference does not prove equality. The note therefore reports what the recommendation loses against the
//! best mean.

use super::curves::{columns_of, curve_on};
use super::kind::{Finding, JudgeClaim};
use super::outcome::Judged;
use crate::benchmark::claims::Unbeaten;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use crate::stats::digits::number;
use crate::stats::paired::{compare, paired};

impl JudgeClaim for Unbeaten {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        self.recommended.keys().flat_map(|key| columns_of(curve_on(results, key, &self.labels))).collect()
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let (results, direction) = (&evidence.results, self.metric.direction());
        let losses = |series: &Series| -> Vec<Option<f64>> {
            series.values(&self.metric).into_iter().map(|value| value.map(|v| direction.loss(v))).collect()
        };
        let curves = results.plan.benchmark.datasets.iter().filter_map(|row| {
            let points = curve_on(results, &row.key, &self.labels);
            let points = points.iter().map(|(x, series)| (*x, losses(series))).collect();
            Some(Curve { dataset: row.heading.clone(), recommended: *self.recommended.get(&row.key)?, points })
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
    /// Points: x, and the loss of each repetition.
    points: Vec<(f64, Vec<Option<f64>>)>,
}

/// The claim fails if another point is significantly better. It holds if none is and all were compared.
fn judged(curves: &[Curve]) -> Finding {
    let mut family = Vec::new();
    for Curve { recommended, points, .. } in curves {
        let losses = |wanted: f64| points.iter().find(|(x, _)| *x == wanted).map(|(_, losses)| losses.as_slice());
        let own = losses(*recommended).unwrap_or_default();
        let rivals = points.iter().filter(|(x, _)| x != recommended);
        family.extend(rivals.map(|(_, rival)| paired(own, rival)));
    }
    let mut compared = compare(&family).into_iter();
    let (mut notes, mut beaten, mut missing, mut least) = (Vec::new(), false, false, None::<usize>);
    for Curve { dataset, recommended, points } in curves {
        let rivals = points.iter().map(|(x, _)| *x).filter(|x| x != recommended);
        let found: Vec<_> = rivals.zip(compared.by_ref()).collect();
        let known: Vec<_> = found.iter().filter_map(|(x, c)| Some((*x, (*c)?))).collect();
        missing |= known.len() < found.len() || found.is_empty();
        least = known.iter().map(|(_, c)| c.summary.n).chain(least).min();
        let better: Vec<String> =
            known.iter().filter(|(_, c)| c.significant && c.summary.mean > 0.0).map(|(x, _)| x.to_string()).collect();
        beaten |= !better.is_empty();
        let mut note = match (found.len(), better.len()) {
            (0, _) => format!("{dataset}: not run"),
            (rivals, 0) => format!("{dataset}: none of {rivals} significantly better than {recommended}"),
            _ => format!("{dataset}: {} significantly better than {recommended}", better.join(", ")),
        };
        if known.len() < found.len() {
            note += &format!(", {} of {} without numbers to compare", found.len() - known.len(), found.len());
        }
        let best = known.iter().max_by(|a, b| a.1.summary.mean.total_cmp(&b.1.summary.mean));
        note += &match best {
            Some((x, c)) if c.summary.mean > 0.0 => {
                let half_width = c.summary.half_width(c.alpha);
                let spread = half_width.map(|h| format!(" ± {}", number(h, half_width))).unwrap_or_default();
                format!(", which loses {}{spread} against the best mean, at {x}", number(c.summary.mean, half_width))
            }
            Some(_) => ", which has the best mean".into(),
            None => String::new(),
        };
        notes.push(note);
    }
    let judged = match (beaten, missing || curves.is_empty()) {
        (true, _) => Judged::Fails,
        (false, true) => Judged::Undecided,
        (false, false) => Judged::Holds,
    };
    (judged, format!("{} (paired, Holm 5 % over {} comparisons)", notes.join("; "), family.len()), least.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten repetitions of mean `mean`, which differ by the same whole numbers for every point but for `wobble`.
    fn losses(mean: f64, wobble: f64) -> Vec<Option<f64>> {
        (0..10).map(|i| Some(mean + f64::from(i) + wobble * if i % 2 == 0 { 1.0 } else { -1.0 })).collect()
    }

    fn curve(dataset: &str, recommended: f64, points: Vec<(f64, Vec<Option<f64>>)>) -> Curve {
        Curve { dataset: dataset.into(), recommended, points }
    }

    #[test]
    fn a_point_that_is_only_better_by_noise_does_not_beat_it() {
        // At 3: mean 0.05 lower, by ±1 each time: t = 0.05 / (1.054 / √10) = 0.15.
        let near = curve("A", 5.0, vec![(3.0, losses(0.95, 1.0)), (5.0, losses(1.0, 0.0)), (7.0, losses(2.0, 0.1))]);
        let (found, note, n) = judged(&[near]);
        assert_eq!((found, n), (Judged::Holds, 10));
        assert!(note.starts_with("A: none of 2 significantly better than 5, which loses 0.05 ± "), "{note}");
        assert!(note.ends_with(" against the best mean, at 3 (paired, Holm 5 % over 2 comparisons)"), "{note}");
    }

    #[test]
    fn one_dataset_where_it_is_beaten_is_enough_to_fail() {
        let good = curve("A", 5.0, vec![(3.0, losses(2.0, 0.1)), (5.0, losses(1.0, 0.0))]);
        let beaten = curve("B", 8.0, vec![(5.0, losses(0.0, 0.1)), (8.0, losses(1.0, 0.0)), (9.0, losses(0.5, 0.1))]);
        let (found, note, n) = judged(&[good, beaten]);
        assert_eq!((found, n), (Judged::Fails, 10));
        // Differences 1 ± 0.1: sd 0.1·√(10/9) = 0.10541, and the smallest of three p-values, or one of equal ones, at 5 %
        // over 3, 2 or 1: the half width at 0.05/3, t(0.99167, 9) = 2.9333, is 0.0978.
        assert!(
            note.starts_with("A: none of 1 significantly better than 5, which has the best mean; B: 5, 9 signif"),
            "{note}"
        );
        assert!(note.contains("loses 1.0") && note.contains("best mean, at 5 ("), "{note}");
    }

    #[test]
    fn what_was_not_run_leaves_it_undecided_but_cannot_hide_a_defeat() {
        let unrun = (9.0, vec![None; 10]);
        let open = curve("A", 5.0, vec![(5.0, losses(1.0, 0.0)), (7.0, losses(2.0, 0.1)), unrun.clone()]);
        let (found, note, n) = judged(&[open]);
        assert_eq!((found, n), (Judged::Undecided, 10));
        assert!(note.contains("none of 2 significantly better than 5, 1 of 2 without numbers to compare"), "{note}");
        let beaten = curve("A", 5.0, vec![(5.0, losses(1.0, 0.0)), (7.0, losses(0.0, 0.1)), unrun]);
        assert_eq!(judged(&[beaten]).0, Judged::Fails);
        let alone = curve("A", 5.0, vec![(7.0, losses(0.0, 0.1))]);
        assert_eq!((judged(&[alone]).0, judged(&[]).0), (Judged::Undecided, Judged::Undecided));
        let (found, note, n) = judged(&[curve("A", 5.0, vec![])]);
        assert_eq!(
            (found, note.as_str(), n),
            (Judged::Undecided, "A: not run (paired, Holm 5 % over 0 comparisons)", 0)
        );
    }
}
