//! Regress by an exact Gaussian process whose parameters make the training targets most probable.
//!
//! y = f(x) + ε, f ~ GP(0, k), ε ~ N(0, σ_n²). Target and features are standardised on the training rows, so that a mean of zero
//! is the training target's mean; it is not learnt. Type-II maximum likelihood by L-BFGS over the logarithms of the kernel's
//! parameters and of σ_n² (Rasmussen and Williams, 2006, Eqs. 5.8 and 5.9), from several starts, each of which is followed for
//! `exploration_steps` on at most `exploration_rows`, the same for all; the two that leave all rows most probable are followed to their
//! ends on all rows. The answer is normal with mean E f and variance var f + σ_n²: epistemic is var f, aleatoric σ_n².
//!
//! A density runs to the noise floor where rows repeat exactly; whether it did is in the artefacts. That maximum is far from all others, so that
//! one more start, rough and nearly without noise, looks for it where two rows are equal in every feature.
//!
//! # References
//! C. E. Rasmussen, C. K. I. Williams: *Gaussian Processes for Machine Learning*, MIT Press, 2006.

mod fitted;
mod search;

use serde::{Deserialize, Serialize};

use super::kernels::{Composition, Shape};
use super::process::Posterior;
use super::space::Space;
use crate::data::Table;
use crate::math::lbfgs::{Minimum, Settings};
use crate::math::random::draw_without_replacement;
use crate::methods::scales::Scales;
use crate::methods::{Context, FitError, Fitted, Method, ParameterError};
pub(super) use fitted::FittedProcess;
use fitted::Trained;
use search::{Observations, RANGES};

const ID: &str = "exact-gp";

/// Rows at most: memory grows with their square, time with their cube.
const MOST_ROWS: usize = 5000;

/// Starts that are followed to their ends.
const FINALISTS: usize = 2;

/// A search ends where the gradient of ln p(y) by the logarithms of the parameters is below this.
const GRADIENT_TOLERANCE: f64 = 1e-4;

/// Parameters of the exact Gaussian process.
///
/// | name | default | range | meaning |
/// | --- | --- | --- | --- |
/// | `kernel` | `"rbf"` | `"rbf"`, `"matern-12"`, `"matern-32"`, `"matern-52"`, `"rational-quadratic"`, `{ sum = [..] }`, `{ product = [..] }` | with a length scale for each feature |
/// | `noise_floor` | 1e-6 | above 0, to 1 | smallest noise variance, in units of the training target's variance |
/// | `restarts` | 5 | 0 to 100 | starts drawn at random, besides the first |
/// | `exploration_steps` | 10 | 1 to 10000 | L-BFGS steps for which a start is followed before they are compared |
/// | `exploration_rows` | 512 | 2 to 5000 | rows, drawn without replacement, on which starts are followed before they are compared |
/// | `steps` | 200 | 1 to 10000 | L-BFGS steps at most from one start |
/// | `tolerance` | 1e-4 | 0 to 1 | a search ends when a step gains less than this in ln p(y) |
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExactGpParameters {
    /// The kernel.
    pub kernel: Composition,
    /// Smallest noise variance, in units of the training target's variance.
    pub noise_floor: f64,
    /// Starts drawn at random.
    pub restarts: usize,
    /// L-BFGS steps for which a start is followed before they are compared.
    pub exploration_steps: usize,
    /// Rows on which starts are followed before they are compared.
    pub exploration_rows: usize,
    /// L-BFGS steps at most.
    pub steps: usize,
    /// Gain in ln p(y) below which a search ends.
    pub tolerance: f64,
}

impl Default for ExactGpParameters {
    fn default() -> Self {
        Self {
            kernel: Composition::Shape(Shape::Rbf),
            noise_floor: 1e-6,
            restarts: 5,
            exploration_steps: 10,
            exploration_rows: 512,
            steps: 200,
            tolerance: 1e-4,
        }
    }
}

/// The exact Gaussian process as a method.
#[derive(Clone, Debug)]
pub struct ExactGp {
    parameters: ExactGpParameters,
}

impl ExactGp {
    /// The method with these parameters.
    ///
    /// # Errors
    /// [`ParameterError`] for a parameter out of its range.
    pub fn new(parameters: ExactGpParameters) -> Result<Self, ParameterError> {
        let ExactGpParameters { kernel, noise_floor, restarts, exploration_steps, exploration_rows, steps, tolerance } =
            &parameters;
        let complete = kernel.is_complete();
        ParameterError::check(complete, "kernel", "a sum or product without parts", "at least one part in each")?;
        let floor_holds = *noise_floor > 0.0 && *noise_floor <= 1.0;
        ParameterError::check(floor_holds, "noise_floor", noise_floor, "a number above 0, at most 1")?;
        ParameterError::check(*restarts <= 100, "restarts", restarts, "a whole number from 0 to 100")?;
        let rows_hold = (2..=MOST_ROWS).contains(exploration_rows);
        ParameterError::check(rows_hold, "exploration_rows", exploration_rows, "a whole number from 2 to 5000")?;
        for (name, count) in [("exploration_steps", exploration_steps), ("steps", steps)] {
            ParameterError::check((1..=10_000).contains(count), name, count, "a whole number from 1 to 10000")?;
        }
        ParameterError::check((0.0..=1.0).contains(tolerance), "tolerance", tolerance, "a number from 0 to 1")?;
        Ok(Self { parameters })
    }

    /// The fit, for models that build on it.
    ///
    /// # Errors
    /// As [`Method::fit`].
    pub(super) fn fit_process(&self, train: &Table, context: &Context) -> Result<FittedProcess, FitError> {
        context.checkpoint()?;
        refuse_many(train)?;
        let scales = Scales::new(ID, train)?;
        let all = Observations::new(&scales, train);
        let space = Space::new(self.parameters.kernel.kernel(all.inputs), &RANGES, self.parameters.noise_floor);
        let searched = self.search(&space, &all, context)?;
        let (kernel, noise) = space.read(searched.point());
        let posterior = Posterior::new(kernel, noise, all.points(), &all.targets, context.par())?;
        Ok(FittedProcess::new(posterior, Trained { scales, space, searched }))
    }

    /// Follows every start for some steps on some rows, and the best of them to their ends on all rows.
    fn search(&self, space: &Space, all: &Observations, context: &Context) -> Result<Searched, FitError> {
        let ExactGpParameters { restarts, exploration_steps, exploration_rows, steps, tolerance, .. } = self.parameters;
        let settings = |steps: usize| Settings {
            iterations: steps,
            evaluations: steps.saturating_mul(3),
            gradient_tolerance: GRADIENT_TOLERANCE,
            value_tolerance: tolerance,
            ..Settings::default()
        };
        let n = all.targets.len();
        let mut likelihood = all.likelihood(context.par());
        let mut attempts = Vec::with_capacity(restarts + 1 + FINALISTS);
        let mut explored: Vec<(f64, usize, Vec<f64>)> = Vec::with_capacity(restarts + 1);
        if restarts == 0 {
            explored.push((0.0, 0, space.first_start()));
        } else {
            let few = all.select(&draw_without_replacement(n, exploration_rows, &mut context.stream("exploration", 0)));
            let mut part = few.likelihood(context.par());
            for start in 0..=restarts + usize::from(all.has_twins()) {
                let from = match start {
                    0 => space.first_start(),
                    _ if start > restarts => space.rough_start(),
                    _ => space.drawn_start(&mut context.stream("start", start as u64)),
                };
                let settings = settings(exploration_steps.min(steps));
                let found = space.maximise(&mut part, &from, &settings, || context.checkpoint())?;
                if let Some(found) = &found {
                    explored.push((space.negative(&mut likelihood, &found.point), start, found.point.clone()));
                }
                attempts.push(Attempt { start, rows: few.targets.len(), found });
            }
            // NaN, where all rows together have no Cholesky factor, comes last.
            explored.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        let mut decided: Option<(usize, Minimum)> = None;
        for (_, start, from) in explored.into_iter().take(FINALISTS) {
            let found = space.maximise(&mut likelihood, &from, &settings(steps), || context.checkpoint())?;
            if let Some(found) =
                found.as_ref().filter(|new| decided.as_ref().is_none_or(|(_, old)| new.value < old.value))
            {
                decided = Some((attempts.len(), found.clone()));
            }
            attempts.push(Attempt { start, rows: n, found });
        }
        let (place, best) = decided.ok_or_else(|| {
            FitError::Diverged(format!(
                "{ID}: the likelihood of the {n} training rows is no number at any of the {} starts; rows may be twins, \
                 or the noise floor too low",
                restarts + 1
            ))
        })?;
        Ok(Searched { attempts, place, best })
    }
}

/// One start followed to its end.
struct Attempt {
    start: usize,
    rows: usize,
    /// `None` where the likelihood was undefined at the start.
    found: Option<Minimum>,
}

/// All searches of a fit.
struct Searched {
    attempts: Vec<Attempt>,
    /// The place of the one that decides.
    place: usize,
    best: Minimum,
}

impl Searched {
    /// The logarithms of the parameters.
    fn point(&self) -> &[f64] {
        &self.best.point
    }
}

impl Method for ExactGp {
    fn id(&self) -> &'static str {
        ID
    }

    fn version(&self) -> u32 {
        2
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!(self.parameters)
    }

    fn is_deterministic(&self) -> bool {
        self.parameters.restarts == 0
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        Ok(Box::new(self.fit_process(train, context)?))
    }
}

/// # Errors
/// [`FitError::Unsupported`] for more rows than a factorisation should be tried on.
fn refuse_many(table: &Table) -> Result<(), FitError> {
    if table.rows() > MOST_ROWS {
        let found = table.rows();
        let text = format!("{ID} takes at most {MOST_ROWS} training rows, found {found}; a sparse process takes more");
        return Err(FitError::Unsupported(text));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
