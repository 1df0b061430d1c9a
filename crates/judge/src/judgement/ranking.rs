//! Rank methods across datasets: mean ranks on complete blocks, Friedman's test, signed-rank tests
//! of pairs.
//!
//! A dataset is one observation. Scores have no common unit over datasets, so only their order
//! within a dataset counts. Source: Demšar (2006), Statistical comparisons of classifiers over
//! multiple data sets, JMLR 7, 1-30.

use crate::evidence::field::Block;
use crate::evidence::losses::Losses;
use uq_core::metrics::Direction;
use uq_core::stats::holm_adjusted;
use uq_core::stats::paired::ALPHA;
use uq_core::stats::ranks::{Friedman, critical_difference, friedman};
use uq_core::stats::signed_rank::{SignedRank, signed_rank};

/// The comparison over all datasets under one metric.
pub struct Ranking<'a> {
    /// The ranked entrants, by index, k of them: those with a score on any dataset.
    pub entrants: Vec<usize>,
    /// Entrants without a score on any dataset, by index.
    pub undefined: Vec<usize>,
    /// Headings of the datasets on which every ranked entrant has a score, n of them.
    pub complete: Vec<&'a str>,
    /// Headings of the others.
    pub incomplete: Vec<&'a str>,
    /// Headings of datasets that have the numbers of another one: a dataset is one observation.
    pub same: Vec<&'a str>,
    /// The tests; `None` for fewer than two entrants or datasets.
    pub tests: Option<RankTests>,
}

/// The tests of one ranking.
pub struct RankTests {
    /// Mean ranks, and whether they differ at all.
    pub friedman: Friedman,
    /// Nemenyi's critical difference of mean ranks at [`ALPHA`].
    pub critical_difference: f64,
    /// Every pair of ranked entrants.
    pub pairs: Vec<PairTest>,
}

impl RankTests {
    /// Whether the test over all methods, Iman and Davenport's, rejects that they rank alike. Where
    /// it does not, no pair of mean ranks is told apart.
    pub fn rejects(&self) -> bool {
        self.friedman.p_f < ALPHA
    }

    /// Whether two mean ranks differ significantly.
    pub fn separates(&self, a: f64, b: f64) -> bool {
        self.rejects() && (a - b).abs() >= self.critical_difference
    }
}

/// The signed-rank test of two ranked entrants, given by their positions among them.
pub struct PairTest {
    /// The first entrant.
    pub a: usize,
    /// The second entrant.
    pub b: usize,
    /// Number of datasets on which the first is better.
    pub better: usize,
    /// Number of datasets on which it is worse.
    pub worse: usize,
    /// The test; `None` where all mean losses are equal.
    pub test: Option<SignedRank>,
    /// Its p-value, Holm-adjusted over all tests of the ranking.
    pub adjusted: Option<f64>,
}

/// Ranks the entrants over the datasets on which all of them have a score.
pub fn ranking<'a>(losses: &Losses<'a>) -> Ranking<'a> {
    let entrants = losses.defined();
    let undefined =
        (0..losses.field.entrants.len()).filter(|entrant| !entrants.contains(entrant)).collect();
    let (mut blocks, mut complete, mut incomplete) = (Vec::new(), Vec::new(), Vec::new());
    let is_counted = |block: &Block| {
        let first = block.same_as.as_ref();
        !first.is_some_and(|first| losses.blocks.iter().any(|(other, _)| other.heading == *first))
    };
    let same = losses
        .blocks
        .iter()
        .filter(|(block, _)| !is_counted(block))
        .map(|(block, _)| block.heading.as_str());
    let same = same.collect();
    for (block, scores) in losses.blocks.iter().filter(|(block, _)| is_counted(block)) {
        match losses.common_means(scores, &entrants) {
            Some(means) => {
                blocks.push(means);
                complete.push(block.heading.as_str());
            }
            None => incomplete.push(block.heading.as_str()),
        }
    }
    let tests = friedman(&blocks, Direction::Lower).map(|friedman| RankTests {
        friedman,
        critical_difference: critical_difference(entrants.len(), blocks.len(), ALPHA),
        pairs: pairs(&blocks, entrants.len()),
    });
    Ranking { entrants, undefined, complete, incomplete, same, tests }
}

/// Signed-rank tests of all pairs of k entrants, Holm-corrected.
fn pairs(blocks: &[Vec<f64>], k: usize) -> Vec<PairTest> {
    let mut tests = Vec::new();
    for a in 0..k {
        for b in a + 1..k {
            let gains: Vec<f64> =
                blocks.iter().map(|means| ranked_gain(means[b] - means[a])).collect();
            let count = |sign: f64| gains.iter().filter(|gain| **gain * sign > 0.0).count();
            let (better, worse) = (count(1.0), count(-1.0));
            tests.push(PairTest { a, b, better, worse, test: signed_rank(&gains), adjusted: None });
        }
    }
    let p: Vec<f64> =
        tests.iter().filter_map(|pair| pair.test.as_ref().map(|test| test.p)).collect();
    let tested = tests.iter_mut().filter(|pair| pair.test.is_some());
    tested.zip(holm_adjusted(&p)).for_each(|(pair, adjusted)| pair.adjusted = Some(adjusted));
    tests
}

/// A gain that has a rank: an infinite one is the largest, and two infinite losses are equal.
fn ranked_gain(gain: f64) -> f64 {
    if gain.is_nan() { 0.0 } else { gain.clamp(f64::MIN, f64::MAX) }
}
