//! Search along a line for a step that satisfies the strong Wolfe conditions. A step to an
//! undefined value counts as too long.
//!
//! *References:* Nocedal and Wright (2006), Algorithms 3.5 and 3.6; the cubic is their Eq. (3.59).

use argmin::core::{
    ArgminError, CostFunction, Error, Gradient, IterState, KV, LineSearch, Problem, Solver, State,
    TerminationReason, TerminationStatus,
};
use argmin_math::{ArgminDot, ArgminScaledAdd};

/// The fraction c₁ of the slope by which the value must fall.
const DECREASE: f64 = 1e-4;

/// The fraction c₂ of the slope that may remain.
const CURVATURE: f64 = 0.9;

/// Largest number of trials of one search.
const TRIALS: usize = 30;

/// Factor by which the step grows while the function still falls.
const EXPANSION: f64 = 4.0;

/// A trial keeps a distance of this fraction of the interval from both ends, so that the interval
/// shrinks.
const MARGIN: f64 = 0.1;

type Point = IterState<Vec<f64>, Vec<f64>, (), (), (), f64>;

/// The line search as argmin's L-BFGS uses it.
#[derive(Clone, Debug)]
pub(super) struct WolfeSearch {
    direction: Vec<f64>,
    first: f64,
    longest_trial: f64,
}

/// A trial: the step, and value and slope there.
#[derive(Clone, Copy, Debug)]
struct TrialPoint {
    step: f64,
    value: f64,
    slope: f64,
}

impl TrialPoint {
    fn is_finite(&self) -> bool {
        self.value.is_finite() && self.slope.is_finite()
    }
}

impl WolfeSearch {
    /// A search whose first trial moves no coordinate by more than `longest_trial`.
    pub(super) fn new(longest_trial: f64) -> Self {
        Self { direction: Vec::new(), first: 1.0, longest_trial }
    }

    /// A step with a lower value, if one is found; preferably the first that satisfies both
    /// conditions.
    fn search(
        &self,
        start: TrialPoint,
        mut at: impl FnMut(f64) -> Result<TrialPoint, Error>,
    ) -> Result<Option<TrialPoint>, Error> {
        let longest = self.direction.iter().fold(0.0_f64, |longest, x| longest.max(x.abs()));
        let mut step = self.first.min(self.longest_trial / longest);
        let (mut low, mut high): (TrialPoint, Option<TrialPoint>) = (start, None);
        for _ in 0..TRIALS {
            let trial = at(step)?;
            let enough = start.value + DECREASE * step * start.slope;
            if !trial.is_finite() || trial.value > enough || trial.value >= low.value {
                high = Some(trial);
            } else if trial.slope.abs() <= CURVATURE * start.slope.abs() {
                return Ok(Some(trial));
            } else {
                let beyond = high.map_or(f64::INFINITY, |high| high.step) - low.step;
                if trial.slope * beyond >= 0.0 {
                    high = Some(low);
                }
                low = trial;
            }
            step = match high {
                None => low.step * EXPANSION,
                Some(high) => between(low, high),
            };
            if step == low.step || !step.is_finite() {
                break;
            }
        }
        Ok((low.step > 0.0).then_some(low))
    }
}

/// The minimum of the cubic through two trials, kept away from them; a tenth of the way where one
/// is undefined.
fn between(low: TrialPoint, high: TrialPoint) -> f64 {
    let width = high.step - low.step;
    let part = if high.is_finite() {
        let d1 = low.slope + high.slope - 3.0 * (high.value - low.value) / width;
        let d2 = (d1 * d1 - low.slope * high.slope).sqrt().copysign(width);
        1.0 - (high.slope + d2 - d1) / (high.slope - low.slope + 2.0 * d2)
    } else {
        MARGIN
    };
    low.step + width * if part.is_nan() { 0.5 } else { part.clamp(MARGIN, 1.0 - MARGIN) }
}

impl LineSearch<Vec<f64>, f64> for WolfeSearch {
    fn search_direction(&mut self, direction: Vec<f64>) {
        self.direction = direction;
    }

    fn initial_step_length(&mut self, step: f64) -> Result<(), Error> {
        self.first = step;
        Ok(())
    }
}

fn refuse(text: &str) -> Error {
    ArgminError::ConditionViolated { text: text.into() }.into()
}

impl<O> Solver<O, Point> for WolfeSearch
where
    O: CostFunction<Param = Vec<f64>, Output = f64>
        + Gradient<Param = Vec<f64>, Gradient = Vec<f64>>,
{
    fn name(&self) -> &str {
        "strong Wolfe line search"
    }

    fn next_iter(
        &mut self,
        problem: &mut Problem<O>,
        mut state: Point,
    ) -> Result<(Point, Option<KV>), Error> {
        let (Some(origin), Some(gradient)) = (state.take_param(), state.take_gradient()) else {
            return Err(refuse("a line search needs a point and its gradient"));
        };
        let slope: f64 = self.direction.dot(&gradient);
        // NaN does not count as descent either.
        if !(slope < 0.0 && slope.is_finite()) {
            return Err(refuse("the direction does not lead downhill"));
        }
        let start = TrialPoint { step: 0.0, value: state.cost, slope };
        let found = self.search(start, |step| {
            let point = origin.scaled_add(&step, &self.direction);
            let value = problem.cost(&point)?;
            let slope = self.direction.dot(&problem.gradient(&point)?);
            Ok(TrialPoint { step, value, slope })
        })?;
        let Some(found) = found else { return Err(refuse("no step lowers the value")) };
        let point = origin.scaled_add(&found.step, &self.direction);
        let gradient = problem.gradient(&point)?;
        let state = state.param(point).cost(found.value).gradient(gradient);
        Ok((state.terminate_with(TerminationReason::SolverConverged), None))
    }

    fn terminate(&mut self, _: &Point) -> TerminationStatus {
        TerminationStatus::NotTerminated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(longest: f64, f: impl Fn(f64) -> (f64, f64)) -> Option<TrialPoint> {
        let mut search = WolfeSearch::new(longest);
        search.search_direction(vec![1.0]);
        let at = |step: f64| TrialPoint { step, value: f(step).0, slope: f(step).1 };
        search.search(at(0.0), |step| Ok(at(step))).unwrap()
    }

    #[test]
    fn the_step_satisfies_both_conditions_after_short_and_long_first_trials() {
        for longest in [1e-6, 1e-3, 1.0, 1e3] {
            // (t − 2)² + 0.1 sin 5t.
            let f = |t: f64| {
                ((t - 2.0).powi(2) + 0.1 * (5.0 * t).sin(), 2.0 * (t - 2.0) + 0.5 * (5.0 * t).cos())
            };
            let found = search(longest, f).unwrap();
            let (value, slope) = f(0.0);
            assert!(
                found.value <= value + DECREASE * found.step * slope
                    && found.slope.abs() <= CURVATURE * slope.abs()
            );
        }
    }

    #[test]
    fn undefined_steps_are_shortened_until_they_are_defined() {
        // −t, defined below 1e-4 only.
        let f = |t: f64| if t < 1e-4 { (-t, -1.0) } else { (f64::NAN, f64::NAN) };
        let found = search(1.0, f).unwrap();
        assert!(found.step > 0.0 && found.step < 1e-4 && found.value < 0.0);
    }

    #[test]
    fn a_function_that_only_rises_has_no_step() {
        assert!(search(1.0, |t| (t, -1.0)).is_none());
    }

    #[test]
    fn the_cubic_through_two_trials_has_the_minimum_of_its_closed_form() {
        // t³ − t has its minimum at 1/√3, and is its own interpolant.
        let at = |t: f64| TrialPoint { step: t, value: t.powi(3) - t, slope: 3.0 * t * t - 1.0 };
        let root = 1.0 / 3.0_f64.sqrt();
        assert!((between(at(0.2), at(1.0)) - root).abs() < 1e-12);
        assert!((between(at(1.0), at(0.2)) - root).abs() < 1e-12);
    }
}
