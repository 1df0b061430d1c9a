//! Draw the calibration of every method: its quantiles, and its probability integral transform
//! (PIT).

use super::{NAME, Subject};
use crate::document::Document;
use crate::section::Page;
use crate::words::score::POOLED;
use uq_core::predictive::Form;
use uq_core::stats::{Counts, Pit, PitCounts, Reliability};
use uqbench_judge::evidence::own_predictions::{OwnForm, OwnPredictions, Predictor};
use uqbench_judge::figures::{
    Calibration, CalibrationPanel, QuantileReliability, ReliabilityPanel,
};

/// Number of equal steps between the levels of a form that defines all of them.
const STEPS: usize = 20;

/// Adds the figures to a page: reliability of all methods, PIT of those that state a whole
/// distribution.
pub fn draw_all(
    page: &mut Page,
    figures: &mut Vec<Document>,
    subject: &Subject,
    predictions: &OwnPredictions,
) {
    let title = format!("{} of {}", subject.target, subject.files);
    let reliability = QuantileReliability {
        title: format!("Reliability of quantiles: {title}"),
        notes: notes(predictions),
        panels: predictions
            .methods
            .iter()
            .filter_map(|method| reliability(predictions, method))
            .collect(),
    };
    if !reliability.panels.is_empty() {
        page.draw(figures, format!("{NAME}-reliability"), &reliability);
    }
    let pit = Calibration {
        title: format!("Calibration: {title}"),
        notes: notes(predictions),
        panels: predictions.methods.iter().filter_map(|method| pit(predictions, method)).collect(),
    };
    if !pit.panels.is_empty() {
        page.draw(figures, format!("{NAME}-calibration"), &pit);
    }
}

fn notes(predictions: &OwnPredictions) -> Vec<String> {
    let several = predictions.splits.len() > 1;
    several.then(|| POOLED.to_owned()).into_iter().collect()
}

fn reliability(predictions: &OwnPredictions, method: &Predictor) -> Option<ReliabilityPanel> {
    let levels: Vec<f64> = match &method.predictive.form {
        // At the ends of a distribution there is nothing to be told.
        Form::Quantiles(form) => {
            form.levels.iter().copied().filter(|level| *level > 0.0 && *level < 1.0).collect()
        }
        _ => (1..STEPS).map(|step| step as f64 / STEPS as f64).collect(),
    };
    let counts = Counts::count(&levels, &method.predictive, predictions.y.view())?;
    let reliability = Reliability::new(&levels, &[counts], predictions.distinct)?;
    Some(ReliabilityPanel { title: method.method.clone(), reliability })
}

fn pit(predictions: &OwnPredictions, method: &Predictor) -> Option<CalibrationPanel> {
    let is_whole = !matches!(method.form, OwnForm::Quantiles | OwnForm::Interval);
    let pairs = is_whole.then(|| method.predictive.transforms(predictions.y.view())).flatten()?;
    let pit = Pit::new(&[PitCounts::new(&pairs)?], predictions.distinct)?;
    Some(CalibrationPanel { title: method.method.clone(), pit })
}
