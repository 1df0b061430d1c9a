//! Let acquisitions choose points of the unit cube, at which a function is evaluated.
//!
//! All acquisitions and methods of a repetition share the starting points and the seeds of the
//! candidates of each step. An acquisition that asks a model scores the candidates. The best few
//! are then improved by L-BFGS inside the cube, with derivatives by finite differences, unless the
//! acquisition takes the best candidate. The best point of all is evaluated next. A value that is
//! not a number costs an evaluation, is not fitted, and is never the best.

use ndarray::{Array1, Array2, ArrayView1};
use rand::RngExt;

use super::super::answers::check_answer;
use super::acquisition::{Acquisition, Search};
use super::candidates::candidates;
use super::cma_es;
use super::criterion::{Criterion, entropy_agrees, largest};
use super::engine::{Campaign, Ground};
use super::evaluated::Evaluated;
use super::pool::Model;
use super::step::{Choice, Step};
use uq_core::Table;
use uq_core::predictive::{Atoms, Form, Predictive};
use uq_core::scaling::Scaler;
use uq_math::lbfgs::{self, Interval, LbfgsError};
use uq_math::sobol::Sobol;
use uq_methods::side_tables::Sampled;
use uq_methods::{Context, FitError, Fitted};
use uqbench_data::objectives::Evaluation;

/// Candidates that are improved.
const IMPROVED: usize = 4;

/// Steps of an improvement, and evaluations of the acquisition.
const STEPS: usize = 20;
const EVALUATIONS: usize = 30;

/// Step of a finite difference, in units of the cube's side.
const DIFFERENCE: f64 = 1e-6;

/// Fits the evaluated points at a step.
pub type FitPoints<'a> = dyn Fn(&Table, u64) -> Result<Model, FitError> + 'a;

/// A function on the unit cube, where it was evaluated first, and how its values are fitted.
pub struct Domain<'a> {
    /// The function.
    pub evaluate: &'a dyn Fn(&[f64]) -> Evaluation,
    /// The starting points.
    pub start: &'a Evaluated,
    /// The sequence that the starting points are the first points of.
    pub sobol: Sobol,
    /// Fits the known points of a later step, from 1.
    pub fit: &'a FitPoints<'a>,
    /// How steps are taken. The test row is the optimum.
    pub campaign: Campaign<'a>,
}

impl Ground for Domain<'_> {
    type State = Evaluated;

    fn campaign(&self) -> &Campaign<'_> {
        &self.campaign
    }

    fn start(&self) -> Evaluated {
        self.start.clone()
    }

    fn add(&self, state: &mut Evaluated, choice: &Choice) {
        if !choice.point.is_empty() {
            state.add(&choice.point, self.evaluate);
        }
    }

    /// The prediction is the best value so far, with certainty.
    fn step(
        &self,
        acquisition: Acquisition,
        state: &Evaluated,
        number: usize,
    ) -> Result<Step, FitError> {
        self.campaign.context.checkpoint()?;
        let best = state.best().ok_or_else(no_value)?;
        let (values, weights) =
            (Array2::from_elem((1, 1), state.values[best]), Array2::ones((1, 1)));
        let at_test = Predictive::new(Form::Atoms(Atoms { values, weights }));
        if number == self.campaign.steps {
            return Ok(Step { at_test, next: Choice::default() });
        }
        let (count, d) = (state.values.len(), state.points.ncols());
        let step = number as u64;
        let point = |point| Choice { point, scores: vec![f64::NAN; 3], ..Choice::default() };
        let next = match acquisition {
            Acquisition::Random(sequence) => {
                let mut rng =
                    self.campaign.streams.child("random", sequence.into()).stream("step", step);
                point((0..d).map(|_| rng.random::<f64>()).collect())
            }
            Acquisition::Sobol => point(self.sobol.points(count, 1, d).row(0).to_vec()),
            Acquisition::CmaEs => {
                let start = self.start.values.len();
                point(
                    cma_es::next_point(state, start, &self.campaign.streams.child("cma-es", 0))
                        .ok_or_else(no_value)?,
                )
            }
            Acquisition::Best(criterion, search) => {
                let fresh =
                    if number == 0 { None } else { Some((self.fit)(&state.table(), step)?) };
                let model = fresh
                    .as_ref()
                    .map_or(self.campaign.first, |(fitted, scaler)| (fitted.as_ref(), scaler));
                self.choose(criterion, search, model, state, step)?
            }
            Acquisition::Total
            | Acquisition::Epistemic
            | Acquisition::Entropy
            | Acquisition::Gsx => {
                return Err(FitError::Unsupported(format!(
                    "the acquisition `{acquisition}` chooses rows, not points"
                )));
            }
        };
        Ok(Step { at_test, next })
    }
}

impl Domain<'_> {
    /// The best point by a model's criterion.
    fn choose(
        &self,
        criterion: Criterion,
        search: Search,
        (fitted, scaler): (&dyn Fitted, &Scaler),
        state: &Evaluated,
        step: u64,
    ) -> Result<Choice, FitError> {
        let Campaign { reading, request, .. } = self.campaign;
        let context = self.campaign.context.child("step", step);
        let best = state.best().ok_or_else(no_value)?;
        let (shift, scale) = scaler.target_back();
        let known = (state.values[best] - shift) / scale;
        let predict = |points: Array2<f64>| -> Result<Predictive, FitError> {
            let rows = points.nrows();
            let scaled = scaler.apply(&Table::unnamed(points, Array1::zeros(rows)));
            let predictive = fitted.predict(reading, scaled.features.view(), request, &context)?;
            check_answer(reading, &predictive, rows)?;
            Ok(predictive)
        };
        let points =
            candidates(state.points.row(best), &self.campaign.streams.child("candidates", step));
        let predictive = predict(points.clone())?;
        let scores = criterion.scores_of_points(&predictive, known)?.to_vec();
        let agrees = if matches!(criterion, Criterion::EntropyUcb(_)) {
            entropy_agrees(&predictive)
        } else {
            f64::NAN
        };
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a])); // stable
        let first = largest(&scores);
        let (mut point, mut score) = (points.row(first).to_vec(), scores[first]);
        let improved = if search == Search::Improved { IMPROVED } else { 0 };
        for &start in order.iter().take(improved) {
            let of = |points: Array2<f64>| criterion.scores_of_points(&predict(points)?, known);
            if let Some((better, found)) = improve(points.row(start), &of, self.campaign.context)?
                && found > score
            {
                (point, score) = (better, found);
            }
        }
        Ok(Choice {
            point,
            scores: vec![score, agrees, largest_r_hat(fitted)],
            ..Choice::default()
        })
    }
}

/// R-hat of the chains behind a model; NaN where it has none.
fn largest_r_hat(fitted: &dyn Fitted) -> f64 {
    fitted
        .side_tables()
        .iter()
        .find_map(Sampled::from_table)
        .map_or(f64::NAN, |sampled| sampled.largest_r_hat)
}

/// A point with a larger score and this score, by L-BFGS from `start`; `None` where the score is
/// not finite there.
fn improve(
    start: ArrayView1<f64>,
    scores: &dyn Fn(Array2<f64>) -> Result<Array1<f64>, FitError>,
    context: &Context,
) -> Result<Option<(Vec<f64>, f64)>, FitError> {
    let bounds = vec![Interval::between(0.0, 1.0).unwrap_or(Interval::LINE); start.len()];
    let settings = lbfgs::Settings {
        iterations: STEPS,
        evaluations: EVALUATIONS,
        value_tolerance: 1e-9,
        longest_trial: 0.1,
        ..lbfgs::Settings::default()
    };
    let negative = |x: &[f64], gradient: &mut [f64]| -> Result<f64, FitError> {
        context.checkpoint()?;
        let found = scores(beside(ArrayView1::from(x)))?;
        for (j, slope) in gradient.iter_mut().enumerate() {
            *slope = -(found[j + 1] - found[0]) / offset(x[j]);
        }
        Ok(-found[0])
    };
    match lbfgs::minimise(negative, &start.to_vec(), &bounds, &settings) {
        Ok(found) => Ok(Some((found.point, -found.value))),
        Err(LbfgsError::UndefinedStart { .. }) => Ok(None),
        Err(LbfgsError::Stopped(error)) => Err(error),
    }
}

/// A point (row 0), and for each coordinate the point with it moved by [`offset`]: (1 + d) × d.
fn beside(x: ArrayView1<f64>) -> Array2<f64> {
    let at = |(i, j): (usize, usize)| if i == j + 1 { x[j] + offset(x[j]) } else { x[j] };
    Array2::from_shape_fn((1 + x.len(), x.len()), at)
}

/// The step of a finite difference, which stays inside the cube.
fn offset(x: f64) -> f64 {
    if x > 0.5 { -DIFFERENCE } else { DIFFERENCE }
}

fn no_value() -> FitError {
    FitError::Diverged(
        "the objective has no finite value at any starting point, so that there is nothing to fit"
            .into(),
    )
}
