//! Minimise a smooth function by L-BFGS, whose line search also handles points where the function
//! is undefined.
//!
//! The method is argmin's. The line search is our own, because argmin's stops at a value that is
//! not finite. Value and gradient are computed together, once for each point. Box bounds are
//! imposed by the substitution x = m + h sin((z − m)/h) (m the middle, h half the width of the
//! interval). The problem stays smooth: z is free, and a minimum at a bound is an ordinary minimum
//! in z. A start at a bound is moved off it, because the substitution is stationary there.
//!
//! # References
//! J. Nocedal, S. J. Wright: *Numerical Optimization*, 2nd edition, 2006, Algorithms 3.5, 3.6 and
//! 7.5. F. James, M. Roos: *MINUIT*, Computer Physics Communications 10, 343-367, 1975, for the
//! substitution.

mod interval;
mod line_search;

use std::cell::RefCell;

use serde::{Deserialize, Serialize};

use argmin::core::{
    ArgminError, CostFunction, Error, Executor, Gradient, State, TerminationReason,
    TerminationStatus,
};
use argmin::solver::quasinewton::LBFGS;
use thiserror::Error as ThisError;

pub use interval::Interval;
use line_search::WolfeSearch;

/// Stopping rules and the length of trial steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Largest number of steps, 1 or more.
    pub iterations: usize,
    /// Largest number of evaluations of the function, 1 or more.
    pub evaluations: usize,
    /// Stops where the gradient's Euclidean norm (in the free coordinates z) is below this.
    pub gradient_tolerance: f64,
    /// Stops where a step lowers the value by less than this (absolute: nats for a log-likelihood).
    pub value_tolerance: f64,
    /// Number of stored pairs of steps and gradient differences.
    pub memory: usize,
    /// The first trial of a line search moves no coordinate farther than this.
    pub longest_trial: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            iterations: 200,
            evaluations: 400,
            gradient_tolerance: 1e-5,
            value_tolerance: 1e-9,
            memory: 10,
            longest_trial: 1.0,
        }
    }
}

/// Why a minimisation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stop {
    /// The gradient is below the tolerance.
    Gradient,
    /// The last step lowered the value by less than the tolerance.
    Value,
    /// No line search finds a lower value, because of rounding or a kink.
    NoDescent,
    /// The allowed steps or evaluations are used up: not converged.
    Exhausted,
}

/// The lowest point that was evaluated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Minimum {
    /// The point, inside the bounds.
    pub point: Vec<f64>,
    /// The function's value there.
    pub value: f64,
    /// The gradient's Euclidean norm there, in the free coordinates: the slope across an active
    /// bound is not part of it.
    pub gradient_norm: f64,
    /// Steps taken.
    pub iterations: usize,
    /// Points at which the function was evaluated.
    pub evaluations: usize,
    /// Why it ended.
    pub stop: Stop,
}

/// Why a minimisation failed.
#[derive(Clone, Debug, PartialEq, ThisError)]
pub enum LbfgsError<E> {
    /// The value or the gradient is not finite at the start.
    #[error(
        "the function to be minimised is {value} at the start {point:?}, or its gradient is not \
         finite"
    )]
    UndefinedStart {
        /// The start, moved inside the bounds.
        point: Vec<f64>,
        /// The value there.
        value: f64,
    },
    /// The function returned an error, which stops the minimisation.
    #[error(transparent)]
    Stopped(E),
}

/// Minimises `function`, which writes its gradient and returns its value, from `start` inside
/// `bounds` (one for each coordinate).
///
/// A value or gradient that is not finite marks a step as too long; such a point is never returned.
/// The same input gives the same numbers.
///
/// # Errors
/// [`LbfgsError::UndefinedStart`]; [`LbfgsError::Stopped`] with the first error of `function`.
///
/// # Panics
/// If there is not one bound for each coordinate.
pub fn minimise<E>(
    function: impl FnMut(&[f64], &mut [f64]) -> Result<f64, E>,
    start: &[f64],
    bounds: &[Interval],
    settings: &Settings,
) -> Result<Minimum, LbfgsError<E>> {
    Search::new(start, bounds).go_on(function, settings)
}

type Solver = LBFGS<WolfeSearch, Vec<f64>, Vec<f64>, f64>;

/// A minimisation that can be stopped and continued: its point, and the curvature that it has
/// measured. The function may change between calls to a similar one of the same scale. `memory` and
/// `longest_trial` are those of the first call.
pub struct Search {
    bounds: Vec<Interval>,
    /// The point in free coordinates.
    at: Vec<f64>,
    /// The solver with its stored pairs, and the number of steps that it has taken.
    solver: Option<(Solver, u64)>,
}

impl Search {
    /// A search that begins at `start` inside `bounds`, one for each coordinate.
    ///
    /// # Panics
    /// If there is not one bound for each coordinate.
    pub fn new(start: &[f64], bounds: &[Interval]) -> Self {
        assert_eq!(start.len(), bounds.len(), "every coordinate has its bounds");
        let at = start.iter().zip(bounds).map(|(x, bound)| bound.free(*x)).collect();
        Self { bounds: bounds.to_vec(), at, solver: None }
    }

    /// The current point, inside the bounds.
    pub fn point(&self) -> Vec<f64> {
        inside(&self.bounds, &self.at)
    }

    /// Minimises `function` from the current point, as [`minimise`] does, and moves the search to
    /// the minimum. After an error the point is unchanged.
    ///
    /// # Errors
    /// As [`minimise`].
    pub fn go_on<E>(
        &mut self,
        function: impl FnMut(&[f64], &mut [f64]) -> Result<f64, E>,
        settings: &Settings,
    ) -> Result<Minimum, LbfgsError<E>> {
        let Self { bounds, at, solver } = self;
        let evaluations = settings.evaluations.max(1);
        let watched = RefCell::new(Watched {
            function,
            bounds,
            left: evaluations,
            best: None,
            last: None,
            error: None,
        });
        let first = watched.borrow_mut().evaluate(at);
        let first = match (first, watched.borrow_mut().error.take()) {
            (_, Some(error)) => return Err(LbfgsError::Stopped(error)),
            (Some(point), None) if point.is_finite() => point,
            (found, None) => {
                let value = found.map_or(f64::NAN, |point| point.value);
                return Err(LbfgsError::UndefinedStart { point: inside(bounds, at), value });
            }
        };
        let (mut from, mut iterations, mut stop) = (first, 0, Stop::Exhausted);
        while iterations < settings.iterations {
            let (before, remembered) = (from.value, solver.is_some());
            let (taken, ended) =
                descend(&watched, &from, settings, settings.iterations - iterations, solver);
            iterations += taken;
            let mut inner = watched.borrow_mut();
            if let Some(error) = inner.error.take() {
                return Err(LbfgsError::Stopped(error));
            }
            if let Some(best) = &inner.best {
                from = best.clone();
            }
            stop = if inner.left == 0 { Stop::Exhausted } else { ended };
            // Stored gradients can point uphill where rounding, an undefined region or another
            // function cut a line search short. They are dropped, and steepest descent is tried
            // once.
            if stop != Stop::NoDescent || !remembered && from.value >= before {
                break;
            }
            iterations += usize::from(taken == 0);
        }
        if norm(&from.gradient) < settings.gradient_tolerance {
            stop = Stop::Gradient;
        }
        let left = watched.borrow().left;
        let minimum = Minimum {
            point: inside(bounds, &from.at),
            value: from.value,
            gradient_norm: norm(&from.gradient),
            iterations,
            evaluations: evaluations - left,
            stop,
        };
        self.at = from.at;
        Ok(minimum)
    }
}

/// One run of argmin's L-BFGS that starts with the stored pairs of the last run. Returns the steps
/// taken and why it ended. Where no line search found a lower value, no pairs are stored.
fn descend<F, E>(
    watched: &RefCell<Watched<F, E>>,
    from: &Evaluated,
    settings: &Settings,
    iterations: usize,
    remembered: &mut Option<(Solver, u64)>,
) -> (usize, Stop)
where
    F: FnMut(&[f64], &mut [f64]) -> Result<f64, E>,
{
    let fresh =
        || (LBFGS::new(WolfeSearch::new(settings.longest_trial), settings.memory.max(1)), 0);
    let (solver, steps) = remembered.take().unwrap_or_else(fresh);
    // Tolerances of settings may be zero, never negative or NaN: argmin refuses those.
    let solver = solver
        .with_tolerance_grad(settings.gradient_tolerance.max(0.0))
        .and_then(|solver| solver.with_tolerance_cost(settings.value_tolerance.max(0.0)));
    let Ok(solver) = solver else { return (0, Stop::NoDescent) };
    let run = Executor::new(Problem(watched), solver)
        .configure(|mut state| {
            state = state.param(from.at.clone()).max_iters(steps + iterations as u64);
            if steps > 0 {
                // argmin drops a pair once its step count exceeds its memory, and at a later step
                // it does not evaluate the start.
                state.iter = steps;
                state = state.cost(from.value).gradient(from.gradient.clone());
            }
            state
        })
        .ctrlc(false)
        .timer(false)
        .run();
    let Ok(result) = run else { return (0, Stop::NoDescent) };
    let taken = result.state.get_iter() - steps;
    let stop = match result.state.get_termination_status() {
        TerminationStatus::Terminated(TerminationReason::SolverConverged) => Stop::Value,
        TerminationStatus::Terminated(TerminationReason::MaxItersReached) => Stop::Exhausted,
        _ => return (taken as usize, Stop::NoDescent),
    };
    *remembered = Some((result.solver, steps + taken));
    (taken as usize, stop)
}

/// The function at one point, in free coordinates.
#[derive(Clone, Debug)]
struct Evaluated {
    at: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
}

impl Evaluated {
    fn is_finite(&self) -> bool {
        self.value.is_finite() && self.gradient.iter().all(|slope| slope.is_finite())
    }
}

/// The function with the points at which it was evaluated.
struct Watched<'a, F, E> {
    function: F,
    bounds: &'a [Interval],
    left: usize,
    /// The lowest finite point.
    best: Option<Evaluated>,
    /// The point that was evaluated last.
    last: Option<Evaluated>,
    error: Option<E>,
}

impl<F, E> Watched<'_, F, E>
where
    F: FnMut(&[f64], &mut [f64]) -> Result<f64, E>,
{
    /// Value and gradient; `None` where the function stops the work or no evaluation is left.
    fn evaluate(&mut self, free: &[f64]) -> Option<Evaluated> {
        if let Some(known) =
            [&self.last, &self.best].into_iter().flatten().find(|known| known.at == free)
        {
            return Some(known.clone());
        }
        if self.left == 0 || self.error.is_some() {
            return None;
        }
        self.left -= 1;
        let mut gradient = vec![0.0; free.len()];
        match (self.function)(&inside(self.bounds, free), &mut gradient) {
            Ok(value) => {
                for ((slope, bound), z) in gradient.iter_mut().zip(self.bounds).zip(free) {
                    *slope *= bound.slope(*z);
                }
                let found = Evaluated { at: free.to_vec(), value, gradient };
                if found.is_finite() && self.best.as_ref().is_none_or(|best| value < best.value) {
                    self.best = Some(found.clone());
                }
                self.last = Some(found.clone());
                Some(found)
            }
            Err(error) => {
                self.error = Some(error);
                None
            }
        }
    }
}

/// The function as argmin sees it.
struct Problem<'a, 'b, F, E>(&'a RefCell<Watched<'b, F, E>>);

impl<F, E> Problem<'_, '_, F, E>
where
    F: FnMut(&[f64], &mut [f64]) -> Result<f64, E>,
{
    fn evaluate(&self, free: &[f64]) -> Result<Evaluated, Error> {
        let text = String::from("no further evaluation");
        self.0
            .borrow_mut()
            .evaluate(free)
            .ok_or_else(|| ArgminError::ConditionViolated { text }.into())
    }
}

impl<F, E> CostFunction for Problem<'_, '_, F, E>
where
    F: FnMut(&[f64], &mut [f64]) -> Result<f64, E>,
{
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, param: &Vec<f64>) -> Result<f64, Error> {
        Ok(self.evaluate(param)?.value)
    }
}

impl<F, E> Gradient for Problem<'_, '_, F, E>
where
    F: FnMut(&[f64], &mut [f64]) -> Result<f64, E>,
{
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, param: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(self.evaluate(param)?.gradient)
    }
}

fn inside(bounds: &[Interval], free: &[f64]) -> Vec<f64> {
    free.iter().zip(bounds).map(|(z, bound)| bound.bounded(*z)).collect()
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests;
