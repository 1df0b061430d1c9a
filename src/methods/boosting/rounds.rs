//! Choose the number of rounds by held-out training rows, and draw the rows and the features of each round.

use rand::RngExt;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::data::Table;
use crate::math::random::{Rng, draw_without_replacement};
use crate::methods::parameter::{above, parameters};
use crate::methods::{Context, FitError, SideTable};

parameters! {
    /// What each tree sees, and when boosting stops.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Rounds {
        /// Largest number of rounds.
        most: usize = 2000, in 1..=100_000;
        /// Rounds without a better score of the held-out rows after which boosting stops.
        patience: usize = 50, in 1..;
        /// Share of the training rows that are held out to choose the number of rounds. The result is fitted to all rows.
        held_out: f64 = 0.15, in above(0.0).below(1.0);
        /// Share of the rows that each round draws.
        rows: f64 = 0.8, in above(0.0).to(1.0);
        /// Share of the features that each round draws; at least one.
        features: f64 = 0.8, in above(0.0).to(1.0);
    }
}

/// An ensemble that grows round by round.
pub(super) trait Boosting {
    /// Adds a round. Returns whether further rounds could change the predictions.
    ///
    /// # Errors
    /// [`FitError`] when the run is stopped.
    fn round(&mut self, context: &Context) -> Result<bool, FitError>;

    /// Number of rounds so far.
    fn rounds(&self) -> usize;

    /// The mean loss of the held-out rows.
    fn loss(&self) -> f64;
}

/// What a search for the number of rounds has found.
pub(super) struct Search {
    /// The number of rounds of the lowest loss.
    pub(super) rounds: usize,
    /// The loss of the held-out rows after each round, beginning before the first.
    losses: Vec<f64>,
}

impl Search {
    /// No round.
    pub(super) fn none() -> Self {
        Self { rounds: 0, losses: Vec::new() }
    }

    /// The losses by round.
    pub(super) fn side_table(&self) -> SideTable {
        let rounds = (0..self.losses.len()).map(|round| round as f64).collect();
        let columns = vec![("round".into(), rounds), ("loss".into(), self.losses.clone())];
        SideTable { name: "held-out-loss".into(), columns }
    }
}

impl Rounds {
    /// Boosts until the held-out loss has not decreased for `patience` rounds.
    ///
    /// # Errors
    /// [`FitError`] when the run is stopped.
    pub(super) fn search(&self, mut ensemble: impl Boosting, context: &Context) -> Result<Search, FitError> {
        let mut best = ensemble.loss();
        let mut found = Search { rounds: 0, losses: vec![best] };
        while ensemble.rounds() < self.most && ensemble.rounds() - found.rounds < self.patience {
            if !ensemble.round(context)? {
                break;
            }
            let loss = ensemble.loss();
            found.losses.push(loss);
            if loss < best {
                (best, found.rounds) = (loss, ensemble.rounds());
            }
        }
        Ok(found)
    }

    /// Rows that fit and rows that choose the number of rounds, each ascending, of n ≥ 2: drawn from the stream
    /// `("held-out-rows", 0)`, as whole groups where the table states them; the last rows of a series.
    pub(super) fn divide(&self, train: &Table, context: &Context) -> (Vec<u32>, Vec<u32>) {
        let n = train.rows();
        let count = ((self.held_out * n as f64).round() as usize).clamp(1, n - 1);
        let stream = &mut context.stream("held-out-rows", 0);
        let dependent = train.dependence.held_out(count, stream);
        let mut is_out = vec![false; n];
        for i in dependent.unwrap_or_else(|| draw_without_replacement(n, count, stream)) {
            is_out[i] = true;
        }
        let (out, fit): (Vec<u32>, Vec<u32>) = (0..n as u32).partition(|&i| is_out[i as usize]);
        (fit, out)
    }

    /// The rows of a round and those left out, each ascending.
    pub(super) fn draw_rows(&self, rows: &[u32], rng: &mut Rng) -> (Vec<u32>, Vec<u32>) {
        draw(rows, ((self.rows * rows.len() as f64).round() as usize).max(1), rng)
    }

    /// The features of a round, ascending, of d ≥ 1.
    pub(super) fn draw_features(&self, d: usize, rng: &mut Rng) -> Vec<usize> {
        let all: Vec<u32> = (0..d as u32).collect();
        let (drawn, _) = draw(&all, ((self.features * d as f64).round() as usize).max(1), rng);
        drawn.into_iter().map(|feature| feature as usize).collect()
    }
}

/// The rounds that are given, and those of `defaults` where they are not.
///
/// # Errors
/// The deserializer's, for a parameter that does not exist or a value of another type.
pub(super) fn over<'de, D: Deserializer<'de>>(defaults: Rounds, deserializer: D) -> Result<Rounds, D::Error> {
    let given = Map::deserialize(deserializer)?;
    let mut all = serde_json::to_value(defaults).map_err(D::Error::custom)?;
    all.as_object_mut().into_iter().for_each(|all: &mut Map<String, Value>| all.extend(given.clone()));
    serde_json::from_value(all).map_err(D::Error::custom)
}

/// Draws `count` items without replacement; both parts keep the order (selection sampling). All items need no draw.
fn draw(items: &[u32], count: usize, rng: &mut Rng) -> (Vec<u32>, Vec<u32>) {
    if count >= items.len() {
        return (items.to_vec(), Vec::new());
    }
    let (mut drawn, mut left) = (Vec::with_capacity(count), Vec::with_capacity(items.len() - count));
    for (i, &item) in items.iter().enumerate() {
        let wanted = (count - drawn.len()) as u64;
        if rng.random_range(0..(items.len() - i) as u64) < wanted {
            drawn.push(item);
        } else {
            left.push(item);
        }
    }
    (drawn, left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Streams;
    use ndarray::{Array1, Array2};
    use rand::SeedableRng;

    #[test]
    fn every_item_is_drawn_equally_often_and_the_order_is_kept() {
        let mut rng = Rng::seed_from_u64(3);
        let items: Vec<u32> = (10..20).collect();
        let mut counts = [0_u32; 10];
        for _ in 0..20_000 {
            let (drawn, left) = draw(&items, 3, &mut rng);
            assert_eq!((drawn.len(), left.len()), (3, 7));
            assert!(drawn.is_sorted() && left.is_sorted());
            drawn.iter().for_each(|&item| counts[item as usize - 10] += 1);
        }
        // Binomial(20000, 0.3) has standard deviation 65; five of them are exceeded once in a million seeds.
        assert!(counts.iter().all(|&c| (5_675..=6_325).contains(&c)), "{counts:?}");
        assert_eq!(draw(&items, 10, &mut rng), (items.clone(), vec![]));
    }

    #[test]
    fn held_out_rows_are_a_share_of_at_least_one_row() {
        let context = Context::new(Streams::new(1, "rounds"));
        for (n, expected) in [(2, 1), (3, 1), (100, 15), (1000, 150)] {
            let train = Table::unnamed(Array2::zeros((n, 1)), Array1::zeros(n));
            let (fit, out) = Rounds::default().divide(&train, &context);
            assert_eq!((fit.len(), out.len()), (n - expected, expected));
            let mut all = [fit, out].concat();
            all.sort_unstable();
            assert_eq!(all, (0..n as u32).collect::<Vec<_>>());
        }
    }
}
