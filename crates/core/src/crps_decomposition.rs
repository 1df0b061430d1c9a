//! Decompose the mean CRPS into miscalibration, discrimination and uncertainty.
//!
//! ```text
//! CRPS = MCB − DSC + UNC
//! UNC = the CRPS of the outcomes' own distribution as every forecast
//! MCB = CRPS − R,   DSC = UNC − R,   R = the CRPS of the recalibrated forecasts
//! ```
//!
//! Recalibrated forecasts are the isotonic distributional regression of the outcomes on the
//! forecasts: of all distributions that increase with the forecasts, those of the smallest CRPS. MCB
//! is what the forecasts lack in comparison with them, DSC what they gain over no forecast at all.
//! Neither is negative where the forecasts increase as their order says and the CRPS is that of the
//! distribution: the fair CRPS of few draws is smaller, so that MCB may fall below zero with it.
//!
//! A forecast is at least another one if all of its quantiles are. Normal distributions of different
//! variance cross somewhere, so that none of them would be comparable. So forecasts are compared at
//! the [`SUMMARY_LEVELS`], from 0.5 % to 99.5 %, as far as their form defines quantiles there. Where
//! few pairs of rows are comparable, recalibration is free to follow the outcomes: MCB is then near
//! the whole CRPS and says little. [`CrpsDecomposition::comparable`] states the share of pairs.
//!
//! Recalibration is fitted and scored on the same rows, so that MCB is above zero for calibrated
//! forecasts, too. [`OrderedForecasts::calibrated`] says by how much: the MCB of outcomes that are
//! drawn from the forecasts.
//!
//! Rows that are not all comparable are recalibrated by [`PartialOrder`], whose cost grows with a
//! power of the number of rows. More than [`MOST_ROWS`] of them are divided at random into parts
//! of equal size, and the parts are recalibrated apart.
//!
//! *Reference:* S. Arnold, E.-M. Walz, J. Ziegel, T. Gneiting (2024), *Decompositions of the mean
//! continuous ranked probability score*, Electronic Journal of Statistics 18, 4992-5044.

use ndarray::{Array1, Array2, ArrayView1};
use rand::RngExt;

use crate::math::random::{Streams, permutation};
use crate::predictive::{Predictive, SUMMARY_LEVELS};
use crate::stats::isotonic::IsotonicDistributions;
use crate::stats::partial_order::PartialOrder;

/// Most rows that are recalibrated together where they are not all comparable.
pub const MOST_ROWS: usize = 500;

/// How many sets of outcomes are drawn from the forecasts.
pub const DRAWS: usize = 20;

/// Fewest levels at which forecasts are compared.
const FEWEST_LEVELS: usize = 3;

/// The parts of a mean CRPS, in the target's units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrpsDecomposition {
    /// The mean CRPS.
    pub crps: f64,
    /// MCB: what recalibrated forecasts gain.
    pub miscalibration: f64,
    /// DSC: what recalibrated forecasts gain over the outcomes' own distribution.
    pub discrimination: f64,
    /// UNC: the CRPS of the outcomes' own distribution.
    pub uncertainty: f64,
    /// Share of the pairs of rows that are comparable.
    pub comparable: f64,
}

/// The miscalibration of sets of outcomes that are drawn from the forecasts, in the target's units:
/// what calibrated forecasts would have.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibrated(pub [f64; DRAWS]);

impl Calibrated {
    /// The mean of all sets.
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / DRAWS as f64
    }

    /// The largest of all sets: calibrated forecasts exceed it with probability 1/21.
    pub fn largest(&self) -> f64 {
        self.0.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }
}

/// The forecasts of some rows, and which of them are at least others.
pub struct OrderedForecasts<'a> {
    predictive: &'a Predictive,
    /// The outermost levels at which all forecasts have quantiles.
    levels: (f64, f64),
    parts: Vec<OrderedPart>,
}

/// Rows that are recalibrated together.
struct OrderedPart {
    rows: Vec<usize>,
    order: Order,
}

/// Which rows of a part are at most which others.
enum Order {
    /// All are comparable: the place of each, equal for equal forecasts.
    Total(Vec<f64>),
    Partial(PartialOrder),
}

impl<'a> OrderedForecasts<'a> {
    /// Compares the forecasts. `None` without a row, and where they do not all have quantiles at
    /// three of the levels.
    pub fn new(predictive: &'a Predictive) -> Option<Self> {
        let distribution = predictive.distribution();
        let (levels, columns): (Vec<f64>, Vec<Array1<f64>>) = SUMMARY_LEVELS
            .iter()
            .filter_map(|&level| Some((level, distribution.quantiles(level)?)))
            .unzip();
        let levels = (*levels.first()?, *levels.get(FEWEST_LEVELS - 1).and(levels.last())?);
        let n = predictive.len();
        let quantiles = Array2::from_shape_fn((n, columns.len()), |(i, level)| columns[level][i]);
        let every: Vec<usize> = (0..n).collect();
        let parts = match places(&quantiles, &every) {
            _ if n == 0 => return None,
            Some(places) => vec![OrderedPart { rows: every, order: Order::Total(places) }],
            None => divide(n).into_iter().map(|rows| OrderedPart::new(&quantiles, rows)).collect(),
        };
        Some(Self { predictive, levels, parts })
    }

    /// Decomposes the mean CRPS of these outcomes (n). `None` where an outcome is not finite or a
    /// CRPS is undefined.
    ///
    /// # Panics
    /// If there is not one outcome for each forecast.
    pub fn decompose(&self, y: ArrayView1<f64>) -> Option<CrpsDecomposition> {
        let n = self.predictive.len();
        assert_eq!(y.len(), n, "a decomposition needs one outcome for each forecast");
        if !y.iter().all(|y| y.is_finite()) {
            return None;
        }
        let distribution = self.predictive.distribution();
        let sum =
            y.iter().enumerate().map(|(i, &y)| distribution.crps(i, y)).sum::<Option<f64>>()?;
        let crps = sum / n as f64;
        // Parts count by their rows.
        let (mut recalibrated, mut uncertainty, mut comparable) = (0.0, 0.0, 0.0);
        for part in &self.parts {
            let outcomes: Vec<f64> = part.rows.iter().map(|&row| y[row]).collect();
            let share = part.rows.len() as f64 / n as f64;
            recalibrated += share * part.recalibrated(&outcomes)?;
            uncertainty += share * mean_crps_of_outcomes(&outcomes)?;
            comparable += share * part.comparable();
        }
        Some(CrpsDecomposition {
            crps,
            miscalibration: crps - recalibrated,
            discrimination: uncertainty - recalibrated,
            uncertainty,
            comparable,
        })
    }

    /// The miscalibration of outcomes that are drawn from the forecasts, each row on its own. A form
    /// without tails puts their probability on its outermost quantiles. `None` where a CRPS is
    /// undefined.
    pub fn calibrated(&self, streams: &Streams) -> Option<Calibrated> {
        let distribution = self.predictive.distribution();
        let mut all = [0.0; DRAWS];
        for (draw, miscalibration) in all.iter_mut().enumerate() {
            let mut rng = streams.stream("draw", draw as u64);
            let outcome = |row: usize| {
                let level = rng.random::<f64>();
                distribution.quantile(row, level).or_else(|| {
                    distribution.quantile(row, level.clamp(self.levels.0, self.levels.1))
                })
            };
            let y = (0..self.predictive.len()).map(outcome).collect::<Option<Array1<f64>>>()?;
            *miscalibration = self.decompose(y.view())?.miscalibration;
        }
        Some(Calibrated(all))
    }

    /// How many parts of the rows are recalibrated apart.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }
}

impl OrderedPart {
    fn new(quantiles: &Array2<f64>, rows: Vec<usize>) -> Self {
        let order = match places(quantiles, &rows) {
            Some(places) => Order::Total(places),
            None => Order::Partial(PartialOrder::new(rows.len(), |i, j| {
                is_at_most(quantiles, rows[i], rows[j])
            })),
        };
        Self { rows, order }
    }

    /// The mean CRPS of the recalibrated forecasts.
    fn recalibrated(&self, outcomes: &[f64]) -> Option<f64> {
        match &self.order {
            Order::Total(places) => {
                Some(IsotonicDistributions::new(places, outcomes)?.fitted_crps())
            }
            Order::Partial(order) => Some(order.fitted_crps(outcomes)),
        }
    }

    fn comparable(&self) -> f64 {
        match &self.order {
            Order::Total(_) => 1.0,
            Order::Partial(order) => order.comparable_pairs(),
        }
    }
}

/// The mean CRPS of the outcomes' own distribution as the forecast of each: that of a regression on
/// one number.
fn mean_crps_of_outcomes(outcomes: &[f64]) -> Option<f64> {
    Some(IsotonicDistributions::new(&vec![0.0; outcomes.len()], outcomes)?.fitted_crps())
}

/// Whether no quantile of row i exceeds that of row j.
fn is_at_most(quantiles: &Array2<f64>, i: usize, j: usize) -> bool {
    quantiles.row(i).iter().zip(quantiles.row(j)).all(|(i, j)| i <= j)
}

/// The place of each of these rows among the others, equal for equal forecasts; `None` where two of
/// them are not comparable.
fn places(quantiles: &Array2<f64>, rows: &[usize]) -> Option<Vec<f64>> {
    let mut ascending: Vec<usize> = (0..rows.len()).collect();
    // If all are comparable, one with the smaller sum is the smaller one.
    let sums: Vec<f64> = rows.iter().map(|&row| quantiles.row(row).sum()).collect();
    ascending.sort_unstable_by(|&a, &b| sums[a].total_cmp(&sums[b]).then(a.cmp(&b)));
    let mut places = vec![0.0; rows.len()];
    for pair in ascending.windows(2) {
        let (lower, upper) = (rows[pair[0]], rows[pair[1]]);
        if is_at_most(quantiles, lower, upper) {
            let is_equal = is_at_most(quantiles, upper, lower);
            places[pair[1]] = places[pair[0]] + f64::from(u8::from(!is_equal));
        } else {
            return None;
        }
    }
    Some(places)
}

/// The rows 0 to n − 1 in the fewest parts of at most [`MOST_ROWS`], at random.
fn divide(n: usize) -> Vec<Vec<usize>> {
    let parts = n.div_ceil(MOST_ROWS).max(1);
    let rows = match parts {
        1 => (0..n).collect(),
        _ => permutation(n, &mut Streams::new(0, "parts of forecasts").stream("rows", 0)),
    };
    (0..parts).map(|part| rows[part * n / parts..(part + 1) * n / parts].to_vec()).collect()
}

#[cfg(test)]
mod tests;
