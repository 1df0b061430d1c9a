//! Keep what later rows are compared with: scores of held-out rows and the distribution of each
//! feature, but no row.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::runner::try_table::{Evaluation, Tried};
use uq_core::Table;
use uq_core::math::random::{Streams, draw_without_replacement};
use uq_core::predictive::{IntervalOutcome, Recalibration, Side};
use uq_core::stats::drift::Histogram;
use uqbench_data::own::Encoding;
use uqbench_system::hash::sha256;

/// Most scores that are kept.
const MOST_SCORES: usize = 1000;
/// Scores farther from 0 are cut to this: JSON has no infinity.
const FARTHEST: f64 = 1e12;

/// A score as it is kept, with which one of a later row is compared.
pub fn kept_score(row: IntervalOutcome, side: Side) -> f64 {
    row.score(side).clamp(-FARTHEST, FARTHEST)
}

/// What later rows are compared with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// [`IntervalOutcome::score`] of rows, each by a fit that has not seen it, ascending: a random
    /// choice of at most 1000. Empty where the method has no intervals.
    pub scores: Vec<f64>,
    /// The distribution of each feature of the rows that the method is fitted on; none where an older
    /// program has saved the model.
    pub features: Vec<Histogram>,
}

/// How the intervals of a model were moved by outcomes, after its fit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recalibrated {
    /// The move of the fit's intervals.
    pub by: Recalibration,
    /// Fingerprints of the rows whose outcomes have moved them, ascending: they say nothing of the
    /// moved intervals.
    pub seen: Vec<u64>,
}

impl Reference {
    /// What is kept of a method's comparison on a table.
    pub fn new(table: &Table, evaluation: &Evaluation, tried: Option<&Tried>, seed: u64) -> Self {
        let side = evaluation.bounds.side;
        let rows = tried.into_iter().flat_map(|tried| tried.tested_rows(evaluation.folding));
        let scores = rows.map(|row| kept_score(row.interval_outcome(), side)).collect();
        let features = table.features.columns().into_iter();
        Self {
            scores: chosen(scores, seed),
            features: features.map(|column| Histogram::new(column.iter().copied())).collect(),
        }
    }

    /// What is kept after these rows, in the order of time, have moved the intervals: their scores
    /// against the moved intervals. With a half-life of n rows, a score is kept with a probability
    /// that halves with each n rows that follow it, as the weight of its row does.
    #[must_use]
    pub fn of_outcomes(
        &self,
        rows: &[IntervalOutcome],
        side: Side,
        half_life: Option<f64>,
        seed: u64,
    ) -> Self {
        let mut rng = Streams::new(seed, "reference").stream("weights", 0);
        let mut is_kept = |place: usize| {
            let later = (rows.len() - 1 - place) as f64;
            let chance: f64 = rng.random();
            half_life.is_none_or(|half_life| chance < (-later / half_life).exp2())
        };
        let places: Vec<usize> = (0..rows.len()).filter(|place| is_kept(*place)).collect();
        let scores = places.into_iter().map(|place| kept_score(rows[place], side)).collect();
        Self { scores: chosen(scores, seed), features: self.features.clone() }
    }

    /// Refuses numbers that no comparison has.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(super) fn check(&self, encoding: &Encoding) -> Result<(), String> {
        let is_score = |score: &f64| score.is_finite();
        if !self.scores.iter().all(is_score) || !self.scores.is_sorted() {
            return Err("scores that no comparison has".into());
        }
        // The distributions of an older model are unknown.
        if ![0, encoding.feature_names().len()].contains(&self.features.len()) {
            return Err(format!("distributions of {} features", self.features.len()));
        }
        self.features.iter().try_for_each(Histogram::check)
    }
}

impl Recalibrated {
    /// A name of the moved intervals, which their predictions carry: eight digits.
    pub fn name(&self) -> String {
        let Recalibration { lower, upper } = self.by;
        let text = format!("{:016x}{:016x}{:?}", lower.to_bits(), upper.to_bits(), self.seen);
        sha256(text.as_bytes()).chars().take(8).collect()
    }

    /// Refuses a move that no outcomes have made.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn check(&self, side: Side) -> Result<(), String> {
        let Recalibration { lower, upper } = self.by;
        let is_move = lower.is_finite() && upper.is_finite() && self.by.stretch(side) > 0.0;
        if is_move && self.seen.is_sorted() {
            Ok(())
        } else {
            Err("moved intervals without width".into())
        }
    }
}

/// At most [`MOST_SCORES`] of them, chosen at random, ascending and finite. A random choice of
/// exchangeable scores is exchangeable with later ones.
fn chosen(scores: Vec<f64>, seed: u64) -> Vec<f64> {
    let mut rng = Streams::new(seed, "reference").stream("scores", 0);
    let count = scores.len().min(MOST_SCORES);
    let places = draw_without_replacement(scores.len(), count, &mut rng);
    let mut kept: Vec<f64> =
        places.into_iter().map(|place| scores[place]).filter(|score| !score.is_nan()).collect();
    kept.sort_by(f64::total_cmp);
    kept
}
