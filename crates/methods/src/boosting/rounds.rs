//! Choose the number of rounds by held-out training rows, and draw the rows and the features of
//! each round.

use rand::RngExt;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::parameter::{above, parameters};
use crate::side_tables::HeldOutLoss;
use crate::{Context, FitError, SideTable};
use uq_core::math::random::{Rng, draw_without_replacement};
use uq_core::{Dependence, Table};

parameters! {
    /// What each tree sees, and when boosting stops.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Rounds {
        /// Largest number of rounds.
        most: usize = 2000, in 1..=100_000;
        /// Rounds without a better score of the held-out rows after which boosting stops.
        patience: usize = 50, in 1..;
        /// Share of the training rows that are held out to choose the number of rounds. The result
        /// is fitted to all rows.
        held_out: f64 = 0.15, in above(0.0).below(1.0);
        /// Fewest rows that choose the number of rounds. Where one held-out share has fewer, so
        /// many further shares of other rows are held out in searches of their own, as far as the
        /// table has rows; their mean loss chooses.
        choosing_rows: usize = 500, in 1..;
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

    /// The mean loss of the held-out rows.
    fn loss(&self) -> f64;
}

/// What a search for the number of rounds has found.
#[derive(Serialize, Deserialize)]
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
        let round = (0..self.losses.len()).map(|round| round as f64).collect();
        HeldOutLoss { round, loss: self.losses.clone() }.to_table()
    }
}

impl Rounds {
    /// Boosts one ensemble for each division of the rows until the mean of their held-out losses
    /// has not decreased for `patience` rounds. An ensemble that no round changes keeps its loss.
    ///
    /// # Errors
    /// [`FitError`] when the run is stopped.
    pub(super) fn search<B: Boosting>(
        &self,
        mut ensembles: Vec<B>,
        context: &Context,
    ) -> Result<Search, FitError> {
        let contexts: Vec<Context> =
            (0..ensembles.len()).map(|k| context.child("search", k as u64)).collect();
        let mean =
            |ensembles: &[B]| ensembles.iter().map(B::loss).sum::<f64>() / ensembles.len() as f64;
        let mut best = mean(&ensembles);
        let mut found = Search { rounds: 0, losses: vec![best] };
        let mut changes = vec![true; ensembles.len()];
        for round in 1..=self.most {
            for ((ensemble, changes), context) in
                ensembles.iter_mut().zip(&mut changes).zip(&contexts)
            {
                *changes = *changes && ensemble.round(context)?;
            }
            if !changes.contains(&true) {
                break;
            }
            let loss = mean(&ensembles);
            found.losses.push(loss);
            if loss < best {
                (best, found.rounds) = (loss, round);
            }
            if round - found.rounds >= self.patience {
                break;
            }
        }
        Ok(found)
    }

    /// Number of held-out rows of one division of n ≥ 2 rows, and number of divisions.
    fn counts(&self, n: usize) -> (usize, usize) {
        let count = ((self.held_out * n as f64).round() as usize).clamp(1, n.max(2) - 1);
        (count, self.choosing_rows.div_ceil(count).clamp(1, (n / count).max(1)))
    }

    /// What a fit of n rows costs, in units of one search and one fit to all rows.
    pub(super) fn relative_cost(&self, n: f64) -> f64 {
        (1 + self.counts(n as usize).1) as f64 / 2.0
    }

    /// Divisions of n ≥ 2 rows: those that fit and those that choose the number of rounds, each
    /// ascending. No row is held out twice. They are drawn from the stream `("held-out-rows", 0)`;
    /// as whole groups, where the table states them, from one stream for each division, which then
    /// may share groups. A series has one division: its last rows.
    pub(super) fn divide(&self, train: &Table, context: &Context) -> Vec<(Vec<u32>, Vec<u32>)> {
        let n = train.rows();
        let (count, divisions) = self.counts(n);
        let divisions =
            if matches!(train.dependence, Dependence::Periods(_)) { 1 } else { divisions };
        let dependent =
            |k| train.dependence.held_out(count, &mut context.stream("held-out-rows", k));
        let held_out: Option<Vec<Vec<usize>>> = (0..divisions as u64).map(dependent).collect();
        let drawn = || {
            draw_without_replacement(n, count * divisions, &mut context.stream("held-out-rows", 0))
        };
        let held_out =
            held_out.unwrap_or_else(|| drawn().chunks(count).map(<[usize]>::to_vec).collect());
        let parts = |rows: Vec<usize>| {
            let mut is_out = vec![false; n];
            rows.into_iter().for_each(|i| is_out[i] = true);
            let (out, fit): (Vec<u32>, Vec<u32>) = (0..n as u32).partition(|&i| is_out[i as usize]);
            (fit, out)
        };
        held_out.into_iter().map(parts).collect()
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
pub(super) fn over<'de, D: Deserializer<'de>>(
    defaults: Rounds,
    deserializer: D,
) -> Result<Rounds, D::Error> {
    let given = Map::deserialize(deserializer)?;
    let mut all = serde_json::to_value(defaults).map_err(D::Error::custom)?;
    all.as_object_mut()
        .into_iter()
        .for_each(|all: &mut Map<String, Value>| all.extend(given.clone()));
    serde_json::from_value(all).map_err(D::Error::custom)
}

/// Draws `count` items without replacement; both parts keep the order (selection sampling). All
/// items need no draw.
fn draw(items: &[u32], count: usize, rng: &mut Rng) -> (Vec<u32>, Vec<u32>) {
    if count >= items.len() {
        return (items.to_vec(), Vec::new());
    }
    let (mut drawn, mut left) =
        (Vec::with_capacity(count), Vec::with_capacity(items.len() - count));
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
    use ndarray::{Array1, Array2};
    use rand::SeedableRng;
    use uq_core::math::random::Streams;

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
        // Binomial(20000, 0.3) has standard deviation 65; five of them are exceeded once in a
        // million seeds.
        assert!(counts.iter().all(|&c| (5_675..=6_325).contains(&c)), "{counts:?}");
        assert_eq!(draw(&items, 10, &mut rng), (items.clone(), vec![]));
    }

    fn table(n: usize, dependence: Dependence) -> Table {
        Table { dependence, ..Table::unnamed(Array2::zeros((n, 1)), Array1::zeros(n)) }
    }

    #[test]
    fn held_out_rows_are_shares_of_other_rows_until_enough_choose() {
        let context = Context::new(Streams::new(1, "rounds"));
        // A share is 15 %, of at least one row; 500 rows choose, or as many shares as the table
        // has.
        for (n, share, divisions) in
            [(2, 1, 2), (3, 1, 3), (100, 15, 6), (1000, 150, 4), (3333, 500, 1), (9000, 1350, 1)]
        {
            let found = Rounds::default().divide(&table(n, Dependence::Unknown), &context);
            assert_eq!(found.len(), divisions, "{n}");
            let mut held_out: Vec<u32> = found.iter().flat_map(|(_, out)| out.clone()).collect();
            held_out.sort_unstable();
            held_out.dedup();
            assert_eq!(held_out.len(), share * divisions, "{n}");
            for (fit, out) in found {
                assert_eq!((fit.len(), out.len()), (n - share, share));
                let mut all = [fit, out].concat();
                all.sort_unstable();
                assert_eq!(all, (0..n as u32).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn groups_stay_whole_and_a_series_holds_out_its_end_once() {
        let context = Context::new(Streams::new(1, "rounds"));
        let groups: Vec<usize> = (0..100).map(|row| row / 5).collect();
        let found = Rounds::default().divide(&table(100, Dependence::Groups(groups)), &context);
        assert_eq!(found.len(), 6);
        assert!(found.iter().all(|(_, out)| out.len() == 15
            && out.chunks(5).all(|five| five[0] % 5 == 0 && five[4] == five[0] + 4)));
        assert_ne!(found[0], found[1]);
        let series = Rounds::default()
            .divide(&table(100, Dependence::Periods((0..100).collect())), &context);
        assert_eq!(series, [((0..85).collect(), (85..100).collect())]);
    }

    /// Losses that are given, beginning before the first round; after the last one nothing changes.
    struct Given(&'static [f64], usize);

    impl Boosting for Given {
        fn round(&mut self, _: &Context) -> Result<bool, FitError> {
            let changes = self.1 + 1 < self.0.len();
            self.1 += usize::from(changes);
            Ok(changes)
        }

        fn loss(&self) -> f64 {
            self.0[self.1]
        }
    }

    #[test]
    fn the_lowest_mean_loss_chooses_and_patience_ends_the_search() {
        let context = Context::new(Streams::new(1, "rounds"));
        let rounds = |most, patience| Rounds { most, patience, ..Rounds::default() };
        let search = |rounds: Rounds| {
            let found = rounds
                .search(vec![Given(&[9.0, 5.0, 7.0, 1.0], 0), Given(&[9.0, 7.0], 0)], &context)
                .unwrap();
            (found.rounds, found.losses)
        };
        // Alone, the first has its lowest loss after three rounds and the second after one, which
        // then stays at 7.
        assert_eq!(search(rounds(10, 2)), (3, vec![9.0, 6.0, 7.0, 4.0]));
        assert_eq!(search(rounds(10, 1)), (1, vec![9.0, 6.0, 7.0]));
        assert_eq!(search(rounds(2, 5)), (1, vec![9.0, 6.0, 7.0]));
    }
}
