//! Choose the rows of a pool that are known next.
//!
//! ```text
//! total       argmax Var[y|x]                                     MacKay (1992)
//! epistemic   argmax Var[f|x], where the method defines it        MacKay (1992)
//! entropy     argmax H_l(y|x), a bound of the entropy of y        JCM, Eqs. (19) and (22)
//! gsx  argmax of the distance to the nearest known row  Yu & Kim (2010); Wu, Lin & Huang (2019), Section 3.1
//! random      uniformly at random
//! ```
//!
//! A batch of the first three is the rows of the largest scores; of equal scores the row that comes
//! first in the table is chosen. GSx chooses one row after the other, and each counts as known for
//! the next. Its distance is Euclidean in the features after scaling. GSx and random need no model:
//! they choose the same rows for every method.
//!
//! No acquisition receives a target of the pool.
//!
//! # References
//! D. J. C. MacKay: *Information-based objective functions for active data selection*, Neural
//! Computation 4, 1992. H. Yu, S. Kim: *Passive sampling for regression*, ICDM 2010. D. Wu, C.-T.
//! Lin, J. Huang: *Active learning for regression using greedy sampling*, Information Sciences 474,
//! 2019.

use std::cmp::Ordering;

use ndarray::{Array1, ArrayView2};

use super::acquisition::Acquisition;
use super::step::Choice;
use uq_core::math::random::{Streams, draw_without_replacement};
use uq_core::predictive::Predictive;
use uq_methods::{Context, FitError};

/// What an acquisition may see.
pub struct View<'a> {
    /// Features of all rows in the units of the fit, n × d.
    pub features: ArrayView2<'a, f64>,
    /// Rows that are known.
    pub known: &'a [usize],
    /// Rows that may be chosen, in ascending order.
    pub open: &'a [usize],
    /// Predicts features (m × d) by the model of the known rows.
    pub predict: &'a dyn Fn(ArrayView2<f64>) -> Result<Predictive, FitError>,
    /// Streams of this repetition, which no method enters.
    pub streams: Streams,
    /// Number of the step.
    pub step: u64,
    /// The sign to stop.
    pub context: &'a Context,
}

impl Acquisition {
    /// Chooses `count` open rows, or all where fewer are open.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] where the prediction has no such score, [`FitError::Diverged`]
    /// where a score is NaN; else as the prediction.
    pub fn choose(self, view: &View, count: usize) -> Result<Choice, FitError> {
        match self {
            Self::Random(sequence) => {
                let mut rng =
                    view.streams.child("random", sequence.into()).stream("step", view.step);
                let drawn = draw_without_replacement(view.open.len(), count, &mut rng);
                let scores = vec![0.0; drawn.len()];
                Ok(Choice {
                    rows: drawn.iter().map(|&i| view.open[i]).collect(),
                    scores,
                    ..Choice::default()
                })
            }
            Self::Gsx => spread_out(view, count),
            _ => {
                let features = view.features.select(ndarray::Axis(0), view.open);
                largest(self, &self.scores(&(view.predict)(features.view())?)?, view.open, count)
            }
        }
    }

    /// The scores that it maximises.
    fn scores(self, predictive: &Predictive) -> Result<Array1<f64>, FitError> {
        let (found, needed) = match self {
            Self::Epistemic => (
                predictive.split.as_ref().and_then(|split| split.epistemic.clone()),
                "an epistemic variance",
            ),
            Self::Entropy => (
                predictive.pairwise_entropies(),
                "a normal distribution or a mixture of normal ones",
            ),
            Self::Total => (predictive.variances(), "a variance"),
            _ => {
                let why = format!(
                    "the acquisition `{self}` chooses points of a domain and no rows of a dataset"
                );
                return Err(FitError::Unsupported(why));
            }
        };
        found.ok_or_else(|| {
            FitError::Unsupported(format!(
                "the acquisition `{self}` needs {needed}, and this method predicts none"
            ))
        })
    }
}

/// The open rows of the largest scores; of equal scores the first row.
fn largest(
    by: Acquisition,
    scores: &Array1<f64>,
    open: &[usize],
    count: usize,
) -> Result<Choice, FitError> {
    if let Some(place) = scores.iter().position(|score| score.is_nan()) {
        return Err(FitError::Diverged(format!(
            "the acquisition `{by}` has no score of row {}",
            open[place]
        )));
    }
    let mut order: Vec<usize> = (0..open.len()).collect();
    order.sort_by(|&a, &b| scores[b].partial_cmp(&scores[a]).unwrap_or(Ordering::Equal)); // stable
    order.truncate(count);
    let (rows, scores) = order.iter().map(|&i| (open[i], scores[i])).unzip();
    Ok(Choice { rows, scores, ..Choice::default() })
}

/// Greedy sampling in the input space. The scores are squared distances.
fn spread_out(view: &View, count: usize) -> Result<Choice, FitError> {
    let x = view.features.as_standard_layout();
    let squared = |a: usize, b: usize| {
        x.row(a).iter().zip(x.row(b)).map(|(a, b)| (a - b).powi(2)).sum::<f64>()
    };
    let mut nearest = Vec::with_capacity(view.open.len());
    for &row in view.open {
        view.context.checkpoint()?;
        nearest.push(
            view.known.iter().map(|&known| squared(row, known)).fold(f64::INFINITY, f64::min),
        );
    }
    let mut choice = Choice::default();
    for _ in 0..count.min(view.open.len()) {
        view.context.checkpoint()?;
        let best =
            (1..nearest.len()).fold(0, |best, i| if nearest[i] > nearest[best] { i } else { best });
        choice.rows.push(view.open[best]);
        choice.scores.push(nearest[best]);
        nearest[best] = f64::NEG_INFINITY; // it is not chosen again
        for (distance, &row) in nearest.iter_mut().zip(view.open) {
            *distance = distance.min(squared(row, view.open[best]));
        }
    }
    Ok(choice)
}
