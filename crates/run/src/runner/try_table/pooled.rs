//! Put a stack together from fits of its members that several stacks and folds share.

use std::collections::HashMap;

use ndarray::{Array2, Axis, Slice};

use super::chosen::settings_of_pool;
use super::comparison::{Comparison, Predicted, Prediction, Scored};
use super::held_out::HeldOut;
use super::request::request;
use super::stop::Failure;
use uq_core::math::random::Streams;
use uq_core::predictive::Predictive;
use uq_methods::stack::{Pooling, Stack, Unseen};
use uq_methods::{Context, FitError, Method};
use uqbench_data::imputation::Imputation;
use uqbench_system::survive;

/// A member that takes part in a stack.
struct Part<'a> {
    /// Its place among the members of the stack.
    place: usize,
    /// What it predicts in each part of the stack's training rows by a fit without it, n × levels.
    unseen: Array2<f64>,
    /// What its fit of all of them predicts.
    predicted: &'a Predicted,
    /// Wall time of all these fits.
    seconds: f64,
}

impl Comparison<'_> {
    /// The scores of a stack in a fold. Its training rows are those of the folds that are not held
    /// out, and weights and calibration come of its members' fits without each of these, too. A
    /// member of which one of the fits has failed takes no part.
    pub(super) fn pooled(
        &self,
        (stack, members): (&Stack, &[usize]),
        held_out: HeldOut,
        fold: usize,
    ) -> Scored {
        let train = self.divided.split(held_out).train;
        let places: HashMap<usize, usize> =
            train.iter().enumerate().map(|(place, row)| (*row, place)).collect();
        let others = || (0..self.divided.folds()).filter(|other| !held_out.has(*other));
        let sets: Vec<Vec<usize>> = others()
            .map(|other| self.divided.tested(held_out.division, other))
            .map(|rows| rows.iter().map(|row| places[row]).collect())
            .collect();
        let mut parts = Vec::new();
        let mut first = None;
        for (place, &member) in members.iter().enumerate() {
            let part = || {
                let predicted = self.predicted(member, held_out)?;
                let mut unseen = Array2::zeros((train.len(), predicted.quantiles.ncols()));
                let mut seconds = predicted.seconds;
                for (other, set) in others().zip(&sets) {
                    let without = held_out.and(other);
                    let found = self.predicted(member, without)?;
                    let rows = self.divided.place(without, other);
                    for (&row, quantiles) in set
                        .iter()
                        .zip(found.quantiles.slice_axis(Axis(0), Slice::from(rows)).rows())
                    {
                        unseen.row_mut(row).assign(&quantiles);
                    }
                    seconds += found.seconds;
                }
                Ok(Part { place, unseen, predicted, seconds })
            };
            match part() {
                Ok(part) => parts.push(part),
                Err(Failure::Stopped) => return Err(Failure::Stopped),
                Err(failure) => first = first.or(Some(failure)),
            }
        }
        if let Some(failure) = first.filter(|_| parts.is_empty()) {
            return Err(failure);
        }
        let tested = self.divided.tested(held_out.division, fold);
        let pool = Pool { stack, parts: &parts, sets: &sets };
        let predict = || self.predict_pool(&pool, &train, (held_out, fold));
        let (pooling, predictive) = survive(predict)
            .map_err(Failure::Failed)?
            .map_err(|error| Failure::Failed(error.to_string()))?;
        let of_parts = parts
            .iter()
            .map(|part| (stack.members()[part.place].id(), part.predicted.settings.as_slice()))
            .collect::<Vec<_>>();
        Ok(self.scores(&Prediction {
            predictive: &predictive,
            rows: tested,
            train_rows: train.len(),
            settings: settings_of_pool(pooling.table(), &of_parts),
            seconds: parts.iter().map(|part| part.seconds).sum(),
        }))
    }

    /// The pool of these members, fitted to the rows `train`, and its prediction of a fold.
    fn predict_pool(
        &self,
        pool: &Pool,
        train: &[usize],
        (held_out, fold): (HeldOut, usize),
    ) -> Result<(Pooling, Predictive), FitError> {
        let stack = pool.stack;
        // What a stopped run has finished is still compared.
        let context = Context::new(Streams::new(self.problem.seed, "try/pool"));
        let rows = self.divided.tested(held_out.division, fold);
        let mut table = self.problem.table.select(train);
        let mut features = self.problem.table.features.select(Axis(0), rows);
        let imputation = Imputation::by(&table.features, stack.facts().takes_missing);
        imputation.fill(&mut table.features);
        imputation.fill(&mut features);
        let unseen = Unseen {
            members: pool.parts.iter().map(|part| (part.place, &part.unseen)).collect(),
            sets: pool.sets,
        };
        let pooling = stack.pool(&unseen, &table, &context)?;
        let place = self.divided.place(held_out, fold);
        let of_fold = |part: &Part| {
            part.predicted.quantiles.slice_axis(Axis(0), Slice::from(place.clone())).to_owned()
        };
        let quantiles: Vec<Array2<f64>> = pool.parts.iter().map(of_fold).collect();
        let asked = request(self.problem.bounds, train.len(), stack).quantile_levels;
        let found = pooling.predict(
            &quantiles.iter().collect::<Vec<_>>(),
            features.view(),
            &asked,
            &context,
        )?;
        let found = match stack.facts().predicts_targets {
            true => found.on_outcomes(&table.target.to_vec()),
            false => found,
        };
        found.validate().map_err(|error| FitError::Diverged(format!("stack: {error}")))?;
        Ok((pooling, found))
    }
}

/// The members of a stack that take part, and the parts of its training rows.
struct Pool<'a> {
    stack: &'a Stack,
    parts: &'a [Part<'a>],
    sets: &'a [Vec<usize>],
}
