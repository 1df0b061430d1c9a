//! Decompose the mean CRPS of each method into miscalibration, discrimination and uncertainty.

use rayon::prelude::*;

use super::evaluation::exactness;
use super::pairing::{OwnPredictions, Predictor};
use super::part::Part;
use uq_core::crps_decomposition::{Calibrated, CrpsDecomposition, DRAWS, OrderedForecasts};
use uq_core::math::random::Streams;
use uq_core::metrics::{Crps, MetricId};
use uq_core::predictive::Exactness;

/// The decomposition of one method's mean CRPS.
#[derive(Clone, Debug, PartialEq)]
pub struct Decomposed {
    /// Each part's mean over the test sets.
    pub mean: CrpsDecomposition,
    /// The parts in each test set.
    pub by_split: Vec<CrpsDecomposition>,
    /// The miscalibration that calibrated forecasts would have, mean over the test sets. `None` for a
    /// form that cannot be drawn from.
    pub calibrated: Option<Calibrated>,
    /// Largest number of parts of a test set whose rows are recalibrated apart.
    pub most_parts: usize,
}

/// The decomposition of one test set.
struct OfSplit {
    decomposition: CrpsDecomposition,
    calibrated: Option<Calibrated>,
    parts: usize,
}

/// Decomposes the mean CRPS of each method: `None` where its form does not define a CRPS or three
/// quantiles.
pub fn decompose(predictions: &OwnPredictions) -> Vec<Option<Decomposed>> {
    let each = |method: &Predictor| {
        // Ends of an interval say nothing of the distribution elsewhere.
        if exactness(method, &MetricId::Crps(Crps)) == Exactness::Undefined {
            return None;
        }
        let of_splits = predictions
            .splits
            .par_iter()
            .enumerate()
            .map(|(number, split)| decompose_split(predictions, method, number, split))
            .collect::<Option<Vec<OfSplit>>>()?;
        summarise(&of_splits)
    };
    predictions.methods.iter().map(each).collect()
}

fn decompose_split(
    predictions: &OwnPredictions,
    method: &Predictor,
    number: usize,
    split: &Part,
) -> Option<OfSplit> {
    let predictive = method.predictive.select(&split.rows);
    let y: ndarray::Array1<f64> = split.rows.iter().map(|&row| predictions.y[row]).collect();
    let forecasts = OrderedForecasts::new(&predictive)?;
    Some(OfSplit {
        decomposition: forecasts.decompose(y.view())?,
        // Test sets have draws of their own.
        calibrated: forecasts
            .calibrated(&Streams::new(number as u64, "outcomes drawn from forecasts")),
        parts: forecasts.parts(),
    })
}

/// The means over the test sets; `None` without a test set.
fn summarise(of_splits: &[OfSplit]) -> Option<Decomposed> {
    let count = of_splits.len() as f64;
    let mean = |part: fn(&CrpsDecomposition) -> f64| {
        of_splits.iter().map(|split| part(&split.decomposition)).sum::<f64>() / count
    };
    let calibrated: Option<Vec<&Calibrated>> =
        of_splits.iter().map(|split| split.calibrated.as_ref()).collect();
    let mean_draw = |all: &[&Calibrated], draw: usize| {
        all.iter().map(|calibrated| calibrated.0[draw]).sum::<f64>() / count
    };
    Some(Decomposed {
        mean: CrpsDecomposition {
            crps: mean(|split| split.crps),
            miscalibration: mean(|split| split.miscalibration),
            discrimination: mean(|split| split.discrimination),
            uncertainty: mean(|split| split.uncertainty),
            comparable: mean(|split| split.comparable),
        },
        by_split: of_splits.iter().map(|split| split.decomposition).collect(),
        calibrated: calibrated.map(|all| {
            Calibrated(std::array::from_fn::<f64, DRAWS, _>(|draw| mean_draw(&all, draw)))
        }),
        most_parts: of_splits.iter().map(|split| split.parts).max()?,
    })
}
