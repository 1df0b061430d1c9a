//! Judge what an optimisation finds by the best values at its end, and whether two criteria choose
//! alike.
//!
//! A reading is judged as [`super::better`] judges its comparisons: paired over repetitions, which
//! share their starting points and the seeds of their candidates, Holm-corrected within the
//! reading. The claim holds where most readings hold, and fails where most fail. Beside it stands
//! what a paper with five trials would have seen: of the subsets of five of our trials, the share
//! in which the mean under test is above that of every reference.

use std::collections::BTreeMap;

use super::comparisons::{Decided, Family, count_lower};
use super::kind::{Finding, JudgeClaim};
use super::note::{Note, Order};
use super::outcome::Judged;
use crate::evidence::optimised::{at_end, shares_of_same_choice};
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uq_core::math::random::{Streams, draw_without_replacement};
use uq_core::metrics::{BestValue, MetricId};
use uq_core::stats::Summary;
use uq_core::stats::paired::{ALPHA, paired};
use uqbench_run::benchmark::claims::{Contest, Optimised, Quantifier, SameChoice};
use uqbench_run::benchmark::{ACQUISITION, DatasetRow};

type Labels = BTreeMap<String, String>;

/// Trials of a paper, whose verdict is asked for.
const PRINTED_TRIALS: usize = 5;

/// Subsets that are drawn.
const SUBSETS: usize = 2000;

/// The best value at the end of each repetition; empty where it is not planned.
fn values(column: Option<&Series>) -> Vec<Option<f64>> {
    column.map(|series| series.values(&MetricId::BestValue(BestValue))).unwrap_or_default()
}

/// The datasets of the claim.
fn datasets<'a>(claim: &Optimised, results: &'a Results) -> Vec<&'a DatasetRow> {
    let selected =
        |row: &&DatasetRow| claim.datasets.is_empty() || claim.datasets.contains(&row.key);
    results
        .plan
        .benchmark
        .datasets
        .iter()
        .filter(|row| row.variant.is_none())
        .filter(selected)
        .collect()
}

/// The judgement on one reading.
fn judge(claim: &Optimised, results: &Results, contest: &Contest) -> Decided {
    let mut family = Family::default();
    for dataset in datasets(claim, results) {
        let test = at_end(results, dataset, &contest.test);
        for labels in &contest.references {
            let reference = at_end(results, dataset, labels);
            // The better value is the larger one.
            let differences = paired(&values(reference.as_ref()), &values(test.as_ref()));
            family.push_runs([test.as_ref(), reference.as_ref()], differences, false);
        }
    }
    count_lower(&family, claim.quantifier, Order::Better)
}

/// The datasets with the share of subsets of five trials in which the test of a reading would win.
fn wins_by_dataset(claim: &Optimised, results: &Results, contest: &Contest) -> Vec<(String, f64)> {
    let share = |dataset: &DatasetRow| {
        let all: Vec<_> = std::iter::once(&contest.test).chain(&contest.references).collect();
        let column = |labels: &Labels| values(at_end(results, dataset, labels).as_ref());
        let columns: Vec<_> = all.into_iter().map(column).collect();
        Some((dataset.heading.clone(), wins_of_five(&columns)?))
    };
    datasets(claim, results).into_iter().filter_map(share).collect()
}

/// Of subsets of five of the repetitions that all columns have, the share in which the first column
/// has the largest mean; `None` for five repetitions or fewer.
fn wins_of_five(columns: &[Vec<Option<f64>>]) -> Option<f64> {
    let repetitions = columns.iter().map(Vec::len).min()?;
    let complete = |i: usize| columns.iter().map(|column| column[i]).collect::<Option<Vec<f64>>>();
    let rows: Vec<Vec<f64>> = (0..repetitions).filter_map(complete).collect();
    if rows.len() <= PRINTED_TRIALS {
        return None;
    }
    let mut rng = Streams::new(0, "claims").stream("five trials", 0);
    let mut wins = 0_usize;
    for _ in 0..SUBSETS {
        let drawn = draw_without_replacement(rows.len(), PRINTED_TRIALS, &mut rng);
        let sum = |column: usize| drawn.iter().map(|&i| rows[i][column]).sum::<f64>();
        wins += usize::from((1..columns.len()).all(|other| sum(0) > sum(other)));
    }
    Some(wins as f64 / SUBSETS as f64)
}

/// The verdict on readings that are judged one by one: that of most of them.
fn of_most(found: &[Judged]) -> Judged {
    let count = |wanted: Judged| found.iter().filter(|judged| **judged == wanted).count();
    let needed = Quantifier::Most.needed(found.len());
    match () {
        () if count(Judged::Holds) >= needed => Judged::Holds,
        () if count(Judged::Fails) >= needed => Judged::Fails,
        () => Judged::Undecided,
    }
}

impl JudgeClaim for Optimised {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        let labels =
            || self.readings.iter().flat_map(|one| one.references.iter().chain([&one.test]));
        let mut found: Vec<Series<'a>> = Vec::new();
        for dataset in datasets(self, results) {
            for series in labels().filter_map(|labels| at_end(results, dataset, labels)) {
                if found.iter().all(|other| other.id != series.id) {
                    found.push(series);
                }
            }
        }
        found
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let results = &evidence.results;
        let found: Vec<Decided> =
            self.readings.iter().map(|one| judge(self, results, one)).collect();
        let judged: Vec<Judged> = found.iter().map(|one| one.judged).collect();
        let n = found.iter().map(|one| one.n).min().unwrap_or(0);
        let main = self.readings.first();
        let five = main.map(|main| wins_by_dataset(self, results, main)).unwrap_or_default();
        let each = self.readings.iter().zip(found);
        let readings = each.map(|(one, found)| (one.name.clone(), found.judged, found.counts));
        let note = Note::Optimised { readings: readings.collect(), five };
        Ok(Finding { judged: of_most(&judged), note, n })
    }
}

impl JudgeClaim for SameChoice {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        let main = results.plan.benchmark.datasets.iter().filter(|row| row.variant.is_none());
        main.filter_map(|dataset| at_end(results, dataset, &self.test)).collect()
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let by = self.test.get(ACQUISITION).map_or("", String::as_str);
        let mut shares = Vec::new();
        for series in self.columns(&evidence.results) {
            let found = shares_of_same_choice(&series, by, evidence.store)?;
            shares.push((series.dataset.heading.clone(), found));
        }
        Ok(judge_shares(&shares, self.at_least))
    }
}

/// Whether the mean share of every dataset reaches a bound, by Student intervals over repetitions.
fn judge_shares(shares: &[(String, Vec<f64>)], at_least: f64) -> Finding {
    let (mut judged, mut means) = (Judged::Holds, Vec::new());
    let mut n = usize::MAX;
    for (name, shares) in shares.iter().filter(|(_, shares)| !shares.is_empty()) {
        let Some(found) = Summary::from_values(shares) else { continue };
        let half = found.half_width(ALPHA).unwrap_or(f64::INFINITY);
        n = n.min(found.n);
        means.push((name.clone(), found.mean));
        judged = match judged {
            Judged::Fails => Judged::Fails,
            _ if found.mean + half < at_least => Judged::Fails,
            Judged::Holds if found.mean - half >= at_least => Judged::Holds,
            _ => Judged::Undecided,
        };
    }
    if means.is_empty() {
        return Finding::undecided(Note::NoChoice, 0);
    }
    Finding { judged, note: Note::SameChoice { shares: means, at_least }, n }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_readings_decide() {
        use Judged::{Fails, Holds, Undecided};
        for (found, expected) in [
            (vec![Holds, Holds, Holds, Fails], Holds),
            (vec![Holds, Holds, Fails, Fails], Undecided),
            (vec![Fails, Fails, Fails, Undecided], Fails),
            (vec![Undecided; 4], Undecided),
        ] {
            assert_eq!(of_most(&found), expected, "{found:?}");
        }
    }

    #[test]
    fn five_of_twenty_trials_say_what_their_distribution_says() {
        let column = |value: fn(usize) -> f64| (0..20).map(|i| Some(value(i))).collect::<Vec<_>>();
        let share = |test: fn(usize) -> f64, other: fn(usize) -> f64| {
            wins_of_five(&[column(test), column(other)]).unwrap()
        };
        assert_eq!(share(|i| i as f64 + 0.5, |i| i as f64), 1.0);
        assert_eq!(share(|i| i as f64, |i| i as f64), 0.0, "a tie is no win");
        // The test wins by 1 in half of the trials and loses by 1 in the others: it needs three of
        // five.
        let even = share(|i| (i % 2) as f64, |i| ((i + 1) % 2) as f64);
        assert!((even - 0.5).abs() < 0.05, "{even}");
        assert_eq!(wins_of_five(&[vec![Some(1.0); 5], vec![Some(0.0); 5]]), None, "too few");
    }

    #[test]
    fn shares_are_held_against_the_bound_on_every_dataset() {
        let of = |shares: &[f64]| vec![("A".to_owned(), shares.to_vec())];
        assert_eq!(judge_shares(&of(&[1.0, 1.0, 0.98]), 0.9).judged, Judged::Holds);
        assert_eq!(judge_shares(&of(&[0.5, 0.52, 0.48]), 0.9).judged, Judged::Fails);
        assert_eq!(judge_shares(&of(&[0.5, 1.0]), 0.9).judged, Judged::Undecided);
        let found = judge_shares(&[of(&[1.0, 1.0]), of(&[0.125, 0.125])].concat(), 0.9);
        let shares = vec![("A".to_owned(), 1.0), ("A".to_owned(), 0.125)];
        let note = Note::SameChoice { shares, at_least: 0.9 };
        assert_eq!(found, Finding { judged: Judged::Fails, note, n: 2 });
        assert_eq!(judge_shares(&of(&[]), 0.9), Finding::undecided(Note::NoChoice, 0));
    }
}
