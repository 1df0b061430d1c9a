//! Train parameters by Adam on minibatches, and stop by the loss of a validation part of the
//! training rows.
//!
//! The rows are split once into a training and a validation part. Each epoch shuffles the training
//! part and cuts it into ⌈n / batch⌉ batches of nearly equal size. After each epoch the mean loss
//! over the validation part is measured; the parameters of its smallest value are kept, and
//! training ends when it has not fallen for `patience` epochs. Without a validation part all epochs
//! are run and the last parameters kept. The rows of the validation part are never trained on.
//!
//! A loss or a parameter that is not finite restarts training from the same start with a tenth of
//! the step size, at most `restarts` times.

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::{Adam, AdamSettings, Schedule};
use crate::engine::restarts::{NotFinite, with_smaller_steps};
use crate::engine::rows::at_least;
use crate::parameter::{Group, is_default, parameters};
use crate::{Context, FitError, SideTable};
use uq_core::math::random::{draw_without_replacement, shuffle_prefix};
use uq_math::autodiff::{Tape, Var};

/// Rows of the validation part whose loss is computed at once.
const VALIDATION_BLOCK: usize = 512;

parameters! {
    /// Settings of a training run.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct TrainingSettings {
        /// Largest number of passes over the training part.
        epochs: usize = 400, in 1..=1_000_000;
        /// Largest number of rows in a minibatch.
        batch: usize = 64, in 1..=1_000_000;
        /// Share of the training rows in the validation part; at least one row unless 0.
        validation: f64 = 0.1, in 0.0..=0.9;
        /// Epochs without a smaller validation loss after which training ends.
        patience: usize = 40, in 1..=1_000_000;
        /// Restarts with a tenth of the step size where numbers are not finite.
        restarts: usize = 3, in 0..=10;
        /// Step size over the epochs.
        schedule: Schedule = Schedule::Constant, in Schedule::ALLOWED;
        /// Adam's settings.
        adam: AdamSettings = AdamSettings { learning_rate: 0.01, ..AdamSettings::default() }, in Group;
        /// Weight decay through the gradient, to which this times θ is added (PyTorch's
        /// `weight_decay`); losses leave it out.
        l2: f64 = 0.0, in 0.0..=1e6, added "is_default";
    }
}

/// The rows of the training part and of the validation part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Rows of the training part.
    pub training: Vec<usize>,
    /// Rows of the validation part.
    pub validation: Vec<usize>,
}

impl Parts {
    /// Draws a `share` of the rows `0..rows` as the validation part, from the stream `validation`.
    /// It has at least one row unless the share is 0, and leaves at least one row for the training
    /// part.
    pub fn draw(rows: usize, share: f64, context: &Context) -> Self {
        let wanted = (share * rows as f64).round() as usize;
        let count = wanted.max(usize::from(share > 0.0)).min(rows.saturating_sub(1));
        let mut training =
            draw_without_replacement(rows, rows, &mut context.stream("validation", 0));
        let mut validation = training.split_off(rows - count);
        // In the order of the table, so that only the choice is random.
        training.sort_unstable();
        validation.sort_unstable();
        Self { training, validation }
    }
}

/// The part that a batch is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The training part: the loss is differentiated.
    Training,
    /// The validation part: the loss is only measured.
    Validation,
}

/// The rows whose mean loss is requested.
pub struct Batch<'a> {
    /// Rows of the table.
    pub rows: &'a [usize],
    /// The part of these rows.
    pub part: Part,
    /// Rows of the training part: the N of a prior's share 1/N in a mean loss.
    pub training_rows: usize,
    /// The epoch, from 0.
    pub epoch: usize,
    /// Noise of this batch. In validation it is the same in every epoch.
    pub rng: &'a mut ChaCha8Rng,
}

/// The result of training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trained {
    /// The parameters that were kept.
    pub parameters: Vec<f64>,
    /// The epoch that they are of, from 0.
    pub epoch: usize,
    /// Number of restarts with a smaller step.
    pub restarts: usize,
    /// Mean loss over the training part in each epoch, during training.
    pub training_losses: Vec<f64>,
    /// Mean loss over the validation part after each epoch; empty without one.
    pub validation_losses: Vec<f64>,
}

impl Trained {
    /// The validation loss of the parameters that were kept; `None` without a validation part.
    pub fn validation_loss(&self) -> Option<f64> {
        self.validation_losses.get(self.epoch).copied()
    }

    /// The losses of each epoch, and which one was kept, as a table named `name` (usually `trace`).
    pub fn side_table(&self, name: &str) -> SideTable {
        let epochs = 0..self.training_losses.len();
        let mut columns = vec![
            ("epoch".into(), epochs.clone().map(|e| e as f64).collect()),
            ("training_loss".into(), self.training_losses.clone()),
        ];
        if !self.validation_losses.is_empty() {
            columns.push(("validation_loss".into(), self.validation_losses.clone()));
        }
        columns.push((
            "kept".into(),
            epochs.clone().map(|e| f64::from(u8::from(e == self.epoch))).collect(),
        ));
        columns.push(("restarts".into(), epochs.map(|_| self.restarts as f64).collect()));
        SideTable { name: name.into(), columns }
    }
}

/// Minimises the mean of `loss` over the training part from `start` on. `loss` puts the mean loss
/// (1 × 1) of a batch on the tape.
///
/// Random numbers come from the streams `batches`, `noise` and `validation noise` of `context`.
///
/// # Errors
/// [`FitError::Diverged`] where a number is not finite in every attempt; [`FitError::Unsupported`]
/// without rows; [`FitError::Cancelled`] and [`FitError::TimedOut`] at the next batch.
pub fn train(
    settings: &TrainingSettings,
    parts: &Parts,
    start: &[f64],
    context: &Context,
    mut loss: impl FnMut(&mut Tape, &[f64], &mut Batch) -> Var,
) -> Result<Trained, FitError> {
    let mut tape = Tape::new();
    descend(settings, parts, start, context, |parameters, batch, gradient| {
        tape.reset();
        let result = loss(&mut tape, parameters, batch);
        if batch.part == Part::Training {
            tape.backward(result, gradient);
        }
        tape.scalar(result)
    })
}

/// [`train`] without a tape: `slope` returns the mean loss of a batch, and writes its derivatives
/// to the last slice if the batch is of the training part.
///
/// # Errors
/// As [`train`].
pub fn descend(
    settings: &TrainingSettings,
    parts: &Parts,
    start: &[f64],
    context: &Context,
    mut slope: impl FnMut(&[f64], &mut Batch, &mut [f64]) -> f64,
) -> Result<Trained, FitError> {
    at_least("a network", 1, parts.training.len())?;
    let (trained, restarts) = with_smaller_steps(settings.restarts, "learning_rate", |factor| {
        attempt(settings, parts, start, factor, context, &mut slope)
    })?;
    Ok(Trained { restarts, ..trained })
}

fn attempt(
    settings: &TrainingSettings,
    parts: &Parts,
    start: &[f64],
    factor: f64,
    context: &Context,
    slope: &mut impl FnMut(&[f64], &mut Batch, &mut [f64]) -> f64,
) -> Result<Result<Trained, NotFinite>, FitError> {
    let lost =
        |epoch: usize| NotFinite(format!("the training loss is not finite in epoch {epoch}"));
    let mut parameters = start.to_vec();
    let mut gradient = vec![0.0; start.len()];
    let mut adam = Adam::new(settings.adam, start.len());
    let mut order = parts.training.clone();
    let training_rows = order.len();
    let batches = training_rows.div_ceil(settings.batch);
    let mut kept = (start.to_vec(), 0, f64::INFINITY);
    let (mut training_losses, mut validation_losses) = (Vec::new(), Vec::new());
    for epoch in 0..settings.epochs {
        shuffle_prefix(&mut order, training_rows, &mut context.stream("batches", epoch as u64));
        let mut rng = context.stream("noise", epoch as u64);
        let step = factor * settings.schedule.factor(epoch, settings.epochs);
        let mut total = 0.0;
        for b in 0..batches {
            context.checkpoint()?;
            let rows = &order[b * training_rows / batches..(b + 1) * training_rows / batches];
            let batch =
                &mut Batch { rows, part: Part::Training, training_rows, epoch, rng: &mut rng };
            let value = slope(&parameters, batch, &mut gradient);
            if !value.is_finite() {
                return Ok(Err(lost(epoch)));
            }
            total += value * rows.len() as f64;
            if settings.l2 > 0.0 {
                gradient
                    .iter_mut()
                    .zip(&parameters)
                    .for_each(|(slope, theta)| *slope += settings.l2 * theta);
            }
            adam.step(&mut parameters, &gradient, step);
        }
        if !parameters.iter().all(|p| p.is_finite()) {
            return Ok(Err(lost(epoch)));
        }
        training_losses.push(total / training_rows as f64);
        if parts.validation.is_empty() {
            kept.1 = epoch;
            continue;
        }
        let mut rng = context.stream("validation noise", 0);
        let mut total = 0.0;
        for rows in parts.validation.chunks(VALIDATION_BLOCK) {
            context.checkpoint()?;
            let batch =
                &mut Batch { rows, part: Part::Validation, training_rows, epoch, rng: &mut rng };
            total += slope(&parameters, batch, &mut gradient) * rows.len() as f64;
        }
        let mean = total / parts.validation.len() as f64;
        if !mean.is_finite() {
            return Ok(Err(lost(epoch)));
        }
        validation_losses.push(mean);
        if mean < kept.2 {
            kept.0.copy_from_slice(&parameters);
            (kept.1, kept.2) = (epoch, mean);
        } else if epoch - kept.1 >= settings.patience {
            break;
        }
    }
    if parts.validation.is_empty() {
        kept.0 = parameters;
    }
    Ok(Ok(Trained {
        parameters: kept.0,
        epoch: kept.1,
        restarts: 0,
        training_losses,
        validation_losses,
    }))
}

#[cfg(test)]
mod tests;
