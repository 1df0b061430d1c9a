//! Judge how fast methods learn from rows that they choose, by the areas of their learning curves.
//!
//! A gain is tested by the corrected resampled t-test ([`uq_core::stats::corrected`]), with the
//! share of test rows to rows at the start, Holm-corrected over all comparisons of the claim. Ranks
//! are those of mean areas over the repetitions that all curves of a dataset have. Their
//! uncertainty comes from a bootstrap over repetitions, jointly for all curves of a dataset, whose
//! deviations are widened by √(1 + n n₂/n₁): the same correction for n repetitions with n₂ test
//! rows and n₁ rows at the start.

use std::collections::BTreeMap;

use rand::RngExt;

use super::BOOTSTRAP;
use super::kind::{Finding, JudgeClaim};
use super::note::{Gains, Note, Ranks};
use super::outcome::Judged;
use crate::evidence::learning::{Curve, Learner, learners};
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uq_core::math::random::Streams;
use uq_core::stats::corrected::Corrected;
use uq_core::stats::holm::holm_levels;
use uq_core::stats::paired::ALPHA;
use uqbench_run::benchmark::claims::{
    CurveMetric, LearningGain, LearningRanked, LearningUndominated,
};

type Labels = BTreeMap<String, String>;

/// The main learners by the metric of a claim.
fn main_learners<'a>(results: &'a Results, curves: &CurveMetric) -> Vec<Learner<'a>> {
    let mut all = learners(results, &|dataset| curves.on(&dataset.key));
    all.retain(|learner| learner.dataset.variant.is_none() && learner.method.variant.is_none());
    all
}

/// The main datasets that have run: keys and headings.
fn datasets<'a>(learners: &[Learner<'a>]) -> Vec<(&'a str, &'a str)> {
    let mut found: Vec<(&str, &str)> = Vec::new();
    for learner in learners {
        let named = (learner.dataset.key.as_str(), learner.dataset.heading.as_str());
        if !found.contains(&named) {
            found.push(named);
        }
    }
    found
}

/// The curve with these labels on a dataset, and its learner.
fn select<'s, 'a>(
    learners: &'s [Learner<'a>],
    dataset: &str,
    labels: &Labels,
) -> Option<(&'s Learner<'a>, &'s Curve<'a>)> {
    let own = learners.iter().filter(|learner| learner.dataset.key == dataset);
    own.flat_map(|learner| learner.curves.iter().map(move |curve| (learner, curve)))
        .find(|(_, curve)| curve.first.has_labels(labels))
}

/// The first columns of the curves with these labels.
fn columns<'a>(results: &'a Results, curves: &CurveMetric, labels: &[&Labels]) -> Vec<Series<'a>> {
    let learners = main_learners(results, curves);
    let all = learners.iter().flat_map(|learner| learner.curves.iter().map(|curve| curve.first));
    all.filter(|series| labels.iter().any(|labels| series.has_labels(labels))).collect()
}

/// On one dataset: for each curve the area's loss in each repetition that all curves have, and
/// n₂/n₁.
struct Areas {
    name: String,
    /// Repetitions × curves; how much worse a curve is than the first one.
    losses: Vec<Vec<f64>>,
    test_to_train: f64,
}

impl Areas {
    /// Of the curves with these labels on each dataset; `None` where a curve has not run.
    fn collect(learners: &[Learner], labels: &[&Labels]) -> Option<Vec<Self>> {
        let of_dataset = |(key, heading): (&str, &str)| {
            let curves: Vec<_> =
                labels.iter().map(|labels| select(learners, key, labels)).collect::<Option<_>>()?;
            let (learner, first) = *curves.first()?;
            let behind: Vec<_> = curves.iter().map(|(_, curve)| first.better_than(curve)).collect();
            let repetition = |split: usize| {
                behind.iter().map(|curve| curve[split]).collect::<Option<Vec<f64>>>()
            };
            let losses = (0..behind.first()?.len()).filter_map(repetition).collect();
            Some(Self { name: heading.to_owned(), losses, test_to_train: learner.test_to_train })
        };
        datasets(learners).into_iter().map(of_dataset).collect()
    }

    /// Mean loss of each curve over these repetitions.
    fn means(&self, repetitions: &[usize]) -> Vec<f64> {
        let curves = self.losses.first().map_or(0, Vec::len);
        let mean = |curve: usize| {
            repetitions.iter().map(|&i| self.losses[i][curve]).sum::<f64>()
                / repetitions.len() as f64
        };
        (0..curves).map(mean).collect()
    }
}

/// Judges a statement on the mean losses of the curves on all datasets. `holds` gets them dataset
/// by dataset. The share of samples in which it holds is `None` where a dataset has one repetition,
/// because a bootstrap over it knows no uncertainty.
fn judge_means(
    areas: &[Areas],
    holds: &dyn Fn(&[Vec<f64>]) -> bool,
) -> (Judged, Option<f64>, Vec<Vec<f64>>) {
    let whole: Vec<Vec<f64>> =
        areas.iter().map(|one| one.means(&(0..one.losses.len()).collect::<Vec<_>>())).collect();
    if fewest(areas) < 2 {
        return (Judged::Undecided, None, whole);
    }
    let mut rng = Streams::new(0, "claims").stream("learned", 0);
    let mut count = 0_u64;
    for _ in 0..BOOTSTRAP {
        let mut drawn = Vec::with_capacity(areas.len());
        for (one, means) in areas.iter().zip(&whole) {
            let n = one.losses.len();
            let sample: Vec<usize> =
                (0..n).map(|_| rng.random_range(0..n as u64) as usize).collect();
            let widen = (1.0 + n as f64 * one.test_to_train).sqrt();
            drawn.push(
                one.means(&sample)
                    .iter()
                    .zip(means)
                    .map(|(drawn, mean)| mean + widen * (drawn - mean))
                    .collect(),
            );
        }
        count += u64::from(holds(&drawn));
    }
    let share = count as f64 / BOOTSTRAP as f64;
    let judged = match share {
        share if share >= 1.0 - ALPHA => Judged::Holds,
        share if share <= ALPHA => Judged::Fails,
        _ => Judged::Undecided,
    };
    (judged, Some(share), whole)
}

/// The rank of a curve by mean losses, from 1.
fn rank(means: &[f64], curve: usize) -> usize {
    1 + means.iter().filter(|other| **other < means[curve]).count()
}

/// Fewest repetitions of a dataset.
fn fewest(areas: &[Areas]) -> usize {
    areas.iter().map(|one| one.losses.len()).min().unwrap_or(0)
}

impl JudgeClaim for LearningRanked {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        columns(
            results,
            &self.curves,
            &std::iter::once(&self.test).chain(&self.references).collect::<Vec<_>>(),
        )
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let learners = main_learners(&evidence.results, &self.curves);
        let labels: Vec<&Labels> = std::iter::once(&self.test).chain(&self.references).collect();
        let areas = Areas::collect(&learners, &labels).filter(|areas| fewest(areas) > 0);
        let Some(areas) = areas else { return Ok(Finding::undecided(Note::NoArea, 0)) };
        let within =
            |means: &[Vec<f64>]| means.iter().filter(|means| rank(means, 0) <= self.rank).count();
        let (judged, share, whole) = judge_means(&areas, &|means| within(means) >= self.at_least);
        let each = areas.iter().zip(&whole);
        let ranks = Ranks {
            at_most: self.rank,
            within: within(&whole),
            needed: self.at_least,
            all: each.map(|(one, means)| (one.name.clone(), rank(means, 0))).collect(),
        };
        Ok(Finding { judged, note: Note::LearningRanked { ranks, share }, n: fewest(&areas) })
    }
}

impl JudgeClaim for LearningUndominated {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        columns(results, &self.curves, &self.among.iter().collect::<Vec<_>>())
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let learners = main_learners(&evidence.results, &self.curves);
        let areas = Areas::collect(&learners, &self.among.iter().collect::<Vec<_>>())
            .filter(|areas| fewest(areas) > 0);
        let Some(areas) = areas else { return Ok(Finding::undecided(Note::NoArea, 0)) };
        let best = |curve: usize, means: &[Vec<f64>]| {
            means.iter().filter(|means| rank(means, curve) == 1).count()
        };
        let most = |means: &[Vec<f64>]| {
            (0..self.among.len()).map(|curve| best(curve, means)).max().unwrap_or(0)
        };
        let (judged, share, whole) = judge_means(&areas, &|means| most(means) < means.len());
        let note = Note::LearningUndominated { best: most(&whole), datasets: areas.len(), share };
        Ok(Finding { judged, note, n: fewest(&areas) })
    }
}

impl JudgeClaim for LearningGain {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        columns(
            results,
            &self.curves,
            &std::iter::once(&self.test).chain(&self.references).collect::<Vec<_>>(),
        )
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let learners = main_learners(&evidence.results, &self.curves);
        let mut family = Vec::new();
        for (key, _) in datasets(&learners) {
            let gain = |labels: &Labels| {
                select(&learners, key, labels).and_then(|(learner, curve)| learner.gain(curve))
            };
            let ratio = select(&learners, key, &self.test)
                .map_or(0.0, |(learner, _)| learner.test_to_train);
            let own = gain(&self.test).unwrap_or_default();
            family.push((own.iter().flatten().copied().collect::<Vec<f64>>(), ratio));
            for reference in &self.references {
                let other = gain(reference).unwrap_or_default();
                let more =
                    own.iter().zip(&other).filter_map(|(own, other)| Some((*own)? - (*other)?));
                family.push((more.collect(), ratio));
            }
        }
        Ok(judge_gains(&family))
    }
}

/// Judges that every mean of these differences, each with its n₂/n₁, is above 0.
fn judge_gains(family: &[(Vec<f64>, f64)]) -> Finding {
    let tests: Vec<Corrected> =
        family.iter().filter_map(|(gains, ratio)| Corrected::compare(gains, *ratio)).collect();
    let p: Vec<f64> = tests.iter().map(Corrected::p_value).collect();
    let significant = |above: bool| {
        let decided = tests.iter().zip(p.iter().zip(holm_levels(&p, ALPHA)));
        decided
            .filter(|(test, (p, level))| **p <= *level && (test.summary.mean > 0.0) == above)
            .count()
    };
    let (above, below) = (significant(true), significant(false));
    let judged = match family.len() {
        0 => Judged::Undecided,
        _ if below > 0 => Judged::Fails,
        all if above == all => Judged::Holds,
        _ => Judged::Undecided,
    };
    let ran = || family.iter().map(|(gains, _)| gains).filter(|gains| !gains.is_empty());
    let gains = Gains {
        all: family.len(),
        ran: ran().count(),
        above_in_the_mean: ran().filter(|gains| gains.iter().sum::<f64>() > 0.0).count(),
        significant: (!tests.is_empty()).then_some((above, below)),
    };
    let n = ran().map(Vec::len).min().unwrap_or(0);
    Finding { judged, note: Note::LearningGain(gains), n }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten repetitions of curves at these levels, with a noise of this size that is the curve's
    /// own.
    fn areas(levels: &[f64], noise: f64, test_to_train: f64) -> Areas {
        let wobble = |i: usize, curve: usize| noise * (((i * (curve + 3)) % 7) as f64 - 3.0);
        let losses = (0..10)
            .map(|i| levels.iter().enumerate().map(|(c, level)| level + wobble(i, c)).collect())
            .collect();
        Areas { name: "A".into(), losses, test_to_train }
    }

    fn ranked(areas: &[Areas], least: usize) -> Judged {
        judge_means(areas, &|means| {
            means.iter().filter(|means| rank(means, 0) <= 2).count() >= least
        })
        .0
    }

    #[test]
    fn a_rank_holds_fails_or_is_open() {
        assert_eq!(ranked(&[areas(&[2.0, 1.0, 3.0], 0.001, 1.0)], 1), Judged::Holds);
        assert_eq!(ranked(&[areas(&[3.0, 1.0, 2.0], 0.001, 1.0)], 1), Judged::Fails);
        assert_eq!(ranked(&[areas(&[2.0, 1.0, 2.05], 0.3, 1.0)], 1), Judged::Undecided);
        let two = [areas(&[2.0, 1.0, 3.0], 0.001, 1.0), areas(&[3.0, 1.0, 2.0], 0.001, 1.0)];
        assert_eq!((ranked(&two, 1), ranked(&two, 2)), (Judged::Holds, Judged::Fails));
        let mut once = areas(&[2.0, 1.0, 3.0], 0.001, 1.0);
        once.losses.truncate(1);
        assert_eq!(ranked(&[once], 1), Judged::Undecided, "one repetition knows no uncertainty");
    }

    #[test]
    fn overlapping_splits_widen_the_bootstrap() {
        let share = |test_to_train| {
            let one = [areas(&[2.0, 1.0, 2.4], 0.15, test_to_train)];
            judge_means(&one, &|means| rank(&means[0], 0) <= 2).1.unwrap()
        };
        assert!(share(0.0) > share(1.0) && share(1.0) > 0.5, "{} {}", share(0.0), share(1.0));
    }

    #[test]
    fn gains_are_judged_together() {
        let about =
            |mean: f64| (0..10).map(|i| mean + 0.1 * (f64::from(i) - 4.5)).collect::<Vec<f64>>();
        let judged = |means: &[f64], ratio: f64| {
            judge_gains(&means.iter().map(|m| (about(*m), ratio)).collect::<Vec<_>>())
        };
        assert_eq!(judged(&[2.0, 3.0], 1.0).judged, Judged::Holds);
        assert_eq!(judged(&[2.0, -3.0], 1.0).judged, Judged::Fails);
        // By the plain test 0.5 is 5 standard errors; with as many test rows as rows at the start
        // it is 1.6.
        assert_eq!(
            (judged(&[0.5], 0.0).judged, judged(&[0.5], 1.0).judged),
            (Judged::Holds, Judged::Undecided)
        );
        let found = |all, ran, above_in_the_mean, significant, n| {
            let gains = Gains { all, ran, above_in_the_mean, significant };
            Finding::undecided(Note::LearningGain(gains), n)
        };
        assert_eq!(judge_gains(&[]), found(0, 0, 0, None, 0));
        let half = judge_gains(&[(about(2.0), 1.0), (vec![], 1.0)]);
        assert_eq!(half, found(2, 1, 1, Some((1, 0)), 10));
        let once = judge_gains(&[(vec![2.0], 1.0), (vec![3.0], 1.0)]);
        assert_eq!(once, found(2, 2, 2, None, 1));
    }
}
