//! Read the ends of intervals, which may be infinite: such an interval is scored as far as its
//! finite ends and what lies in it go.
//!
//! Conformal intervals are infinite where too few rows calibrate them. They cover every outcome on
//! their side, and their width is infinite.

use ndarray::Array2;

use super::columns::Columns;
use uq_core::metrics::MetricId;
use uq_core::predictive::{Form, Predictive, Quantiles};
use uqbench_data::own::OwnError;

/// The ends of n intervals.
#[derive(Clone, Debug)]
pub(in crate::evidence) struct Ends {
    /// Lower and upper ends, each n; infinite ones included, and any number where one is missing.
    ends: [Vec<f64>; 2],
    /// Whether both ends of a row are there, n.
    pub is_known: Vec<bool>,
}

/// Which ends of n intervals are infinite: the lower and the upper ones, each n.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Infinite {
    lower: Vec<bool>,
    upper: Vec<bool>,
}

impl Ends {
    /// The ends in the columns at these positions, the lower one first. An empty cell is a missing
    /// end.
    ///
    /// # Errors
    /// [`OwnError::Cell`] for text, for an upper end below the lower one, and for an end that is
    /// infinite on the wrong side.
    pub fn read(columns: &dyn Columns, places: [usize; 2]) -> Result<Self, OwnError> {
        let (lower, upper) = (columns.ends(places[0])?, columns.ends(places[1])?);
        let is_known = lower
            .iter()
            .zip(&upper)
            .map(|(lower, upper)| lower.is_some() && upper.is_some())
            .collect();
        for (row, (lower, upper)) in lower.iter().zip(&upper).enumerate() {
            if *lower == Some(f64::INFINITY) {
                return Err(columns.wrong(
                    row,
                    places[0],
                    "an infinite lower end".into(),
                    "a number, or -inf where there is no lower end",
                ));
            }
            if *upper == Some(f64::NEG_INFINITY) {
                return Err(columns.wrong(
                    row,
                    places[1],
                    "-inf as an upper end".into(),
                    "a number, or inf where there is no upper end",
                ));
            }
            if let (Some(lower), Some(upper)) = (lower, upper)
                && upper < lower
            {
                let found = format!("{upper}, below {lower} in the column \"lower\"");
                return Err(columns.wrong(
                    row,
                    places[1],
                    found,
                    "an upper end at or above the lower one",
                ));
            }
        }
        let numbers =
            |column: Vec<Option<f64>>| column.into_iter().map(|end| end.unwrap_or(0.0)).collect();
        Ok(Self { ends: [numbers(lower), numbers(upper)], is_known })
    }

    /// The quantiles of these levels at the ends. A number beyond all outcomes and ends stands for
    /// an infinite end, so that it covers what an infinite one covers, and is wider than all
    /// others; [`Infinite::score`] gives the scores that it changes.
    pub fn predictive(&self, levels: [f64; 2], y: &[f64]) -> Predictive {
        let all = self.ends.iter().flatten().chain(y).copied().filter(|number| number.is_finite());
        let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
            (low.min(number), high.max(number))
        });
        let far = 2.0 * (high - low) + 1.0;
        let end = |(row, side): (usize, usize)| self.ends[side][row].clamp(low - far, high + far);
        let values = Array2::from_shape_fn((self.is_known.len(), 2), end);
        Predictive::new(Form::Quantiles(Quantiles { levels: levels.to_vec(), values }))
    }

    /// Which ends are infinite; `None` where none is.
    pub fn infinite(&self) -> Option<Infinite> {
        let [lower, upper] = [0, 1]
            .map(|side| self.ends[side].iter().map(|end| end.is_infinite()).collect::<Vec<_>>());
        lower.iter().chain(&upper).any(|end| *end).then_some(Infinite { lower, upper })
    }
}

impl Infinite {
    /// Those of these rows.
    pub(super) fn select(&self, rows: &[usize]) -> Self {
        let pick = |all: &[bool]| rows.iter().map(|&row| all[row]).collect();
        Self { lower: pick(&self.lower), upper: pick(&self.upper) }
    }

    /// The score of these rows by a metric, given that of the numbers that stand for infinite ends:
    /// infinite where it grows without bound as an end does.
    pub(super) fn score(&self, metric: &MetricId, rows: &[usize], score: f64) -> f64 {
        let [lower, upper] =
            [&self.lower, &self.upper].map(|ends| rows.iter().any(|&row| ends[row]));
        let is_infinite = match metric {
            MetricId::Mpiw(_) | MetricId::MpiwRange(_) | MetricId::IntervalScore(_) => {
                lower || upper
            }
            MetricId::Pinball(pinball) if pinball.level < 0.5 => lower,
            MetricId::Pinball(_) => upper,
            _ => false,
        };
        if is_infinite { f64::INFINITY } else { score }
    }
}
