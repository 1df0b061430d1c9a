//! Let acquisition functions choose the points at which an objective is evaluated, to find its
//! maximum.
//!
//! The starting points are the first of a scrambled Sobol sequence of the repetition. A model of
//! them is fitted, which all acquisitions share. Then each acquisition chooses a point, the
//! objective is evaluated there, the method is fitted to all points anew, and so on. A method whose
//! fits are expensive refits the model of the starting points instead: never that of the step
//! before, so that a trial that was stopped needs no earlier model. The trial has one reading for
//! each acquisition and number of evaluations, such as `ucb-2@3`.
//!
//! The test set is one row, the maximum. The prediction is the best value so far, with certainty,
//! so that the absolute error of its mean is the simple regret. Points are in the unit cube; the
//! scaling `target` leaves them as they are.
//!
//! Starting points, candidates and random choices are drawn from streams that no method enters, and
//! the fit of a step from streams that depend on the step alone. Differences between methods and
//! acquisitions are therefore paired by repetition.
//!
//! Reference: Ji et al., *Joint and Condition Modeling for High-Dimensional Aleatoric and Epistemic
//! Uncertainty Quantification*, Sections 4.5 and 5.5.

use ndarray::{Array1, Array2, ArrayView1};
use serde::{Deserialize, Serialize};

use super::answers::{Fit, Observation};
use super::kind::{ProtocolKind, TestRows, Usage, wrong_source};
use super::repetition::{Repetition, Rows, Source};
use super::sequential::{Acquisition, Campaign, Domain, Evaluated, Ground, Step, readings_of};
use uq_core::Table;
use uq_core::scaling::Scaler;
use uq_math::sobol::{MOST_POINTS, Sobol};
use uq_methods::side_tables::Evaluations;
use uq_methods::{FitError, Reading};
use uqbench_data::objectives::{Evaluation, Instance, Problem};

/// How near an input at a side of the cube is to it: L-BFGS reaches a side in the limit only.
const SIDE: f64 = 0.01;

/// Most evaluations after the start.
const MOST_EVALUATIONS: usize = 1000;

/// Acquisition functions choose where an objective is evaluated, and each step fits all points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BayesianOptimisation {
    /// Starting points.
    pub start: usize,
    /// Evaluations after the start.
    pub evaluations: usize,
    /// The acquisitions. A benchmark states them in the rows of its methods.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acquire: Vec<Acquisition>,
    /// Whether a step refits the model of the starting points ([`uq_methods::Fitted::refit`]), in
    /// the scales of these, in place of a fit of its own. A benchmark states it in the rows of its
    /// methods.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refit: bool,
}

/// The function of a repetition and its starting points.
struct Begun<'a> {
    instance: Instance<'a>,
    sobol: Sobol,
    start: Evaluated,
}

impl BayesianOptimisation {
    fn begin<'a>(&self, repetition: &Repetition, problem: &'a Problem) -> Begun<'a> {
        let Repetition { streams, split, .. } = repetition;
        let instance = problem.instance(&mut streams.stream("optimum", *split));
        let sobol = Sobol::new(&mut streams.stream("start", *split));
        let points = sobol.points(0, self.start, problem.objective.inputs);
        let start = Evaluated::at(points, &|point| instance.evaluate(point));
        Begun { instance, sobol, start }
    }
}

impl ProtocolKind for BayesianOptimisation {
    fn test_rows(&self) -> TestRows {
        TestRows::New
    }

    fn compares_methods(&self) -> bool {
        false
    }

    fn kept_steps(&self) -> usize {
        self.acquire.len() * (self.evaluations + 1)
    }

    fn readings(&self, _: Vec<Reading>) -> Vec<Reading> {
        readings_of(&self.acquire, self.evaluations)
    }

    fn check(&self, _: &Usage) -> Result<(), String> {
        if self.start < 2
            || self.start > MOST_POINTS / 2
            || !(1..=MOST_EVALUATIONS).contains(&self.evaluations)
        {
            return Err(format!(
                "Bayesian optimisation starts with {} points and evaluates {} more, expected 2 to \
                 {} and 1 to {MOST_EVALUATIONS}",
                self.start,
                self.evaluations,
                MOST_POINTS / 2
            ));
        }
        for (name, is_given) in [("acquire", !self.acquire.is_empty()), ("refit", self.refit)] {
            if is_given {
                return Err(format!(
                    "`{name}` belongs to the rows of `methods`, not to the protocol"
                ));
            }
        }
        Ok(())
    }

    /// The training rows are the starting points with a value. The test row is the maximum, or the
    /// centre of the cube where its place is unknown.
    fn rows(&self, repetition: &Repetition, source: Source) -> Result<Rows, FitError> {
        let Source::Objective(problem) = source else { return Err(wrong_source()) };
        let Begun { instance, start, .. } = self.begin(repetition, problem);
        let train = start.table();
        if train.rows() < 2 {
            let found = train.rows();
            return Err(FitError::Diverged(format!(
                "the objective has a finite value at {found} of {} starting points, expected 2 or \
                 more",
                self.start
            )));
        }
        let inputs = problem.objective.inputs;
        let at = instance.optimum.unwrap_or_else(|| vec![0.5; inputs]);
        let features = Array2::from_shape_fn((1, inputs), |(_, j)| at[j]);
        let test = Table::unnamed(features, Array1::from_elem(1, problem.objective.best));
        Ok(Rows { all: train.clone(), train, test, noise: None, truth: None })
    }

    fn observe(&self, fit: &Fit) -> Result<Observation, FitError> {
        let Source::Objective(problem) = fit.source else { return Err(wrong_source()) };
        let campaign = Campaign::new(fit, self.evaluations)?;
        let Begun { instance, sobol, start } = self.begin(fit.repetition, problem);
        let evaluate = |point: &[f64]| instance.evaluate(point);
        let domain = Domain {
            evaluate: &evaluate,
            start: &start,
            sobol,
            fit: &|train, step| {
                if self.refit {
                    let refitted = fit
                        .fitted
                        .refit(&fit.scaler.apply(train), &fit.context.child("refit", step))?;
                    return Ok((refitted, fit.scaler.clone()));
                }
                let scaler = Scaler::new(fit.scaling, train, train);
                Ok((fit.method.fit(&scaler.apply(train), &fit.context.child("fit", step))?, scaler))
            },
            campaign,
        };
        let mut observation = Observation { in_target_units: true, ..Observation::default() };
        for &acquisition in &self.acquire {
            let steps = domain.follow(acquisition)?;
            observation.side_tables.push(
                evaluations(&steps, &start, &evaluate).to_table(Evaluations::by(acquisition)),
            );
            let readings = steps.into_iter().enumerate();
            observation
                .readings
                .extend(readings.map(|(number, step)| (acquisition.reading(number), step.at_test)));
        }
        Ok(observation)
    }
}

/// Every evaluation of an acquisition, the start included.
fn evaluations(
    steps: &[Step],
    start: &Evaluated,
    evaluate: &dyn Fn(&[f64]) -> Evaluation,
) -> Evaluations {
    let mut all = start.clone();
    let mut table = Evaluations::default();
    let chosen: Vec<_> =
        steps.iter().map(|step| &step.next).filter(|next| !next.is_empty()).collect();
    for next in &chosen {
        all.add(&next.point, evaluate);
    }
    let of_choice = |place: usize| {
        let start = std::iter::repeat_n(f64::NAN, start.values.len());
        start
            .chain(
                chosen.iter().map(move |next| next.scores.get(place).copied().unwrap_or(f64::NAN)),
            )
            .collect()
    };
    table.evaluation = (1..=all.values.len())
        .map(|i| i as f64 - start.values.len() as f64)
        .map(|i| i.max(0.0))
        .collect();
    (table.score, table.agrees) = (of_choice(0), of_choice(1));
    let at_sides = |point: ArrayView1<f64>| {
        point.iter().filter(|x| **x <= SIDE || **x >= 1.0 - SIDE).count() as f64
            / point.len() as f64
    };
    table.r_hat = of_choice(2);
    table.at_sides = all.points.rows().into_iter().map(at_sides).collect();
    (table.value, table.constraint) = (all.values, all.constraints);
    table
}

#[cfg(test)]
mod tests;
