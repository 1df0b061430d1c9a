//! Judge that one column is among the best ones, dataset by dataset and metric by metric.
//!
//! Scores are compared by their loss ([`uq_core::metrics::Direction::loss`]) and rounded to the
//! printed digit. Equal ones share a rank, so that the rank is one more than the number of distinct
//! better scores. On our runs the means over repetitions are ranked, and a bootstrap over the
//! repetitions of each column estimates the uncertainty of the ranks.

use std::collections::BTreeMap;

use rand::RngExt;

use super::BOOTSTRAP;
use super::kind::{Finding, JudgeClaim, Printed};
use super::note::{Note, PrintedNote, Ranks};
use super::outcome::Judged;
use super::sides::Sides;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uq_core::math::random::Streams;
use uq_core::stats::paired::ALPHA;
use uqbench_run::benchmark::Benchmark;
use uqbench_run::benchmark::claims::Ranked;

/// The two sides of the claim.
fn sides(claim: &Ranked) -> Sides<'_> {
    Sides { test: &claim.test, references: &claim.references, datasets: &[] }
}

impl JudgeClaim for Ranked {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        sides(self).columns(results)
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let results = &evidence.results;
        let (mut cells, mut names, columns) = (Vec::new(), Vec::new(), self.columns(results));
        for dataset in sides(self).datasets(&results.plan.benchmark) {
            for metric in &self.metrics {
                let losses = |labels: &BTreeMap<String, String>| -> Vec<f64> {
                    let column = columns
                        .iter()
                        .find(|s| s.dataset.key == dataset.key && s.has_labels(labels));
                    let values = column.map(|series| series.values(metric)).unwrap_or_default();
                    values
                        .into_iter()
                        .flatten()
                        .map(|value| metric.direction().loss(value))
                        .collect()
                };
                cells.push(
                    std::iter::once(&self.test)
                        .chain(&self.references)
                        .map(losses)
                        .collect::<Cell>(),
                );
                names.push(format!("{} {metric}", dataset.heading));
            }
        }
        Ok(judged(&cells, &names, self))
    }

    fn printed(&self, benchmark: &Benchmark) -> Option<Printed> {
        let published = &benchmark.printed;
        let (mut ranks, mut names) = (Vec::new(), Vec::new());
        for dataset in sides(self).datasets(benchmark) {
            for metric in &self.metrics {
                let name = benchmark
                    .metrics
                    .iter()
                    .find(|row| row.id == *metric)
                    .and_then(|row| row.published.as_ref());
                let loss = |labels: &BTreeMap<String, String>| {
                    let cell = published.cell(dataset.printed_name(), name?, labels)?;
                    cell.number().map(|number| metric.direction().loss(number))
                };
                let references: Vec<f64> = self.references.iter().filter_map(loss).collect();
                let Some(test) = loss(&self.test).filter(|_| !references.is_empty()) else {
                    continue;
                };
                ranks.push(rank_of(self, test, references));
                names.push(format!("{} {metric}", dataset.heading));
            }
        }
        if ranks.is_empty() {
            return None;
        }
        let judged = if enough(self, &ranks).1 { Judged::Holds } else { Judged::Fails };
        Some(Printed { judged, note: PrintedNote::Ranked(named(self, &names, &ranks)) })
    }
}

/// The rank of `test` among `references`, from 1.
fn rank_of(claim: &Ranked, test: f64, references: impl IntoIterator<Item = f64>) -> usize {
    let rounded = |loss: f64| (loss / claim.unit).round();
    let mut better: Vec<f64> =
        references.into_iter().map(rounded).filter(|loss| *loss < rounded(test)).collect();
    better.sort_by(f64::total_cmp);
    better.dedup();
    1 + better.len()
}

/// Number of cells whose rank is at most the claimed one, and whether they are enough.
fn enough(claim: &Ranked, ranks: &[usize]) -> (usize, bool) {
    let within = ranks.iter().filter(|rank| **rank <= claim.rank).count();
    (within, within >= claim.quantifier.needed(ranks.len()))
}

/// The printed or measured ranks, cell by cell.
fn named(claim: &Ranked, cells: &[String], ranks: &[usize]) -> Ranks {
    Ranks {
        at_most: claim.rank,
        within: enough(claim, ranks).0,
        needed: claim.quantifier.needed(ranks.len()),
        all: cells.iter().cloned().zip(ranks.iter().copied()).collect(),
    }
}

/// One cell: the losses of each column's repetitions, the one under test first.
type Cell = Vec<Vec<f64>>;

fn judged(cells: &[Cell], names: &[String], claim: &Ranked) -> Finding {
    let n = cells.iter().flatten().map(Vec::len).min().unwrap_or(0);
    if n == 0 {
        let without = cells.iter().flatten().filter(|losses| losses.is_empty()).count();
        let all = cells.iter().map(Vec::len).sum::<usize>();
        return Finding::undecided(Note::Scoreless { without, all }, 0);
    }
    let found = ranks(cells, claim, &mut |losses| losses.iter().sum::<f64>() / losses.len() as f64);
    let ranked = named(claim, names, &found);
    if n == 1 {
        // A bootstrap over one repetition knows no uncertainty.
        return Finding::undecided(Note::Ranked { ranks: ranked, share: None }, n);
    }
    let mut rng = Streams::new(0, "claims").stream("ranked", 0);
    let mut holds = 0_u64;
    for _ in 0..BOOTSTRAP {
        let mut resampled = |losses: &[f64]| {
            let draw = |_| losses[rng.random_range(0..losses.len() as u64) as usize];
            (0..losses.len()).map(draw).sum::<f64>() / losses.len() as f64
        };
        holds += u64::from(enough(claim, &ranks(cells, claim, &mut resampled)).1);
    }
    let share = holds as f64 / BOOTSTRAP as f64;
    let judged = match share {
        share if share >= 1.0 - ALPHA => Judged::Holds,
        share if share <= ALPHA => Judged::Fails,
        _ => Judged::Undecided,
    };
    Finding { judged, note: Note::Ranked { ranks: ranked, share: Some(share) }, n }
}

/// The rank of the column under test in each cell, by these means of the columns' losses.
fn ranks(cells: &[Cell], claim: &Ranked, mean: &mut dyn FnMut(&[f64]) -> f64) -> Vec<usize> {
    let mut rank = |cell: &Cell| {
        let means: Vec<f64> = cell.iter().map(|losses| mean(losses)).collect();
        rank_of(claim, means[0], means[1..].iter().copied())
    };
    cells.iter().map(&mut rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_run::benchmark::Quantifier;

    fn claim() -> Ranked {
        let (metrics, test, references) = (Vec::new(), BTreeMap::new(), Vec::new());
        Ranked { metrics, test, references, rank: 2, unit: 0.01, quantifier: Quantifier::All }
    }

    #[test]
    fn equal_scores_share_a_rank_and_the_next_one_has_the_next() {
        let rank_of =
            |test, references: &[f64]| rank_of(&claim(), test, references.iter().copied());
        assert_eq!(rank_of(0.45, &[0.44, 0.44, 0.44, 0.46]), 2);
        assert_eq!(rank_of(0.45, &[0.44, 0.43, 0.46]), 3);
        assert_eq!(rank_of(0.4502, &[0.4498]), 1, "the same two digits");
        assert_eq!(rank_of(-2.2, &[-2.18, 5.0]), 1);
    }

    #[test]
    fn a_rank_is_judged_as_surely_as_the_repetitions_tell() {
        let around = |mean: f64, reach: f64| {
            (0..10).map(|i| mean + reach * (f64::from(i) - 4.5)).collect::<Vec<_>>()
        };
        let verdict = |cell: Cell| judged(&[cell], &["a".into()], &claim());
        let second = verdict(vec![around(2.0, 0.01), around(1.0, 0.01), around(3.0, 0.01)]);
        let ranks = Ranks { at_most: 2, within: 1, needed: 1, all: vec![("a".to_owned(), 2)] };
        let note = Note::Ranked { ranks: ranks.clone(), share: Some(1.0) };
        assert_eq!(second, Finding { judged: Judged::Holds, note, n: 10 });
        assert_eq!(
            verdict(vec![around(2.0, 0.01), around(1.0, 0.01), around(1.5, 0.01)]).judged,
            Judged::Fails
        );
        assert_eq!(
            verdict(vec![around(2.0, 1.0), around(1.0, 0.01), around(2.0, 1.0)]).judged,
            Judged::Undecided
        );
        let none = verdict(vec![around(2.0, 1.0), vec![]]);
        assert_eq!(none, Finding::undecided(Note::Scoreless { without: 1, all: 2 }, 0));
        let once = verdict(vec![vec![2.0], vec![1.0], vec![3.0]]);
        assert_eq!(
            once,
            Finding::undecided(Note::Ranked { ranks, share: None }, 1),
            "one repetition knows no uncertainty"
        );
    }
}
