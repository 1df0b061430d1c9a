//! Regress by an exact Gaussian process whose parameters make the training targets most probable.
//!
//! y = f(x) + ε, f ~ GP(0, k), ε ~ N(0, σ_n²). Target and features are standardised on the training
//! rows, so that a mean of zero is the training target's mean; it is not learnt. Type-II maximum
//! likelihood by L-BFGS over the logarithms of the kernel's parameters and of σ_n² (Rasmussen and
//! Williams, 2006, Eqs. 5.8 and 5.9), from several starts. Each start is followed for
//! `exploration_steps` on at most `exploration_rows`, the same for all. The three with the highest
//! likelihood of all rows are followed on all rows for four steps more, and the best of them to its
//! end. Each search keeps its stored curvature. The prediction is normal with mean E f and variance
//! var f + σ_n²: epistemic is var f, aleatoric σ_n².
//!
//! Where rows repeat exactly, the noise may fall to its floor; the side tables report whether it
//! did. That maximum is far from all others. Where two rows are equal in every feature, one more
//! start, rough and nearly without noise, searches for it.
//!
//! With many features and few rows every length scale could be small, and the process would learn
//! nothing. `length_scale_prior` adds the prior ln ℓ_j ~ N(√2 + ½ ln d, 3) of Hvarfner, Hellsten
//! and Nardi (2024) for length scales in the units of the given features, which are meant to lie in
//! the unit cube: the parameters then make ln p(y) + ln p(ℓ) largest (MAP). The rough start is then
//! always tried besides the drawn ones, because the first one lies at the prior's mean, where a
//! function looks flat.
//!
//! # References
//! C. E. Rasmussen, C. K. I. Williams: *Gaussian Processes for Machine Learning*, MIT Press, 2006.
//! C. Hvarfner, E. O. Hellsten, L. Nardi: *Vanilla Bayesian optimization performs great in high
//! dimensions*, ICML 2024.

mod fitted;
mod search;

use serde::{Deserialize, Serialize};

use super::kernels::{Composition, Shape};
use super::process::{Likelihood, Posterior};
use super::space::Space;
use crate::engine::rows;
use crate::engine::scales::standardise;
use crate::engine::standardised::Standardised;
use crate::entry::{DEFAULTS, Tried};
use crate::parameter::{Choices, above, is_default, parameters};
use crate::{Configured, Context, Facts, FitError, Fitted, MethodParameters, Restored};
pub(super) use fitted::FittedProcess;
use fitted::Trained;
use search::{Observations, RANGES};
use uq_core::Table;
use uq_core::math::random::draw_without_replacement;
use uq_math::lbfgs::{Minimum, Search, Settings};

const ID: &str = "exact-gp";

/// Largest number of rows: memory grows with their square, time with their cube.
const MOST_ROWS: usize = 5000;

/// Starts that are compared on all rows.
const COMPARED: usize = 3;

/// L-BFGS steps on all rows before these starts are compared.
const COMPARED_STEPS: usize = 4;

/// Number of steps whose curvature is stored: as good as all, since a step costs n³ and few
/// parameters are searched.
const MEMORY: usize = 50;

/// A search ends where the gradient of ln p(y) by the logarithms of the parameters is below this.
const GRADIENT_TOLERANCE: f64 = 1e-4;

parameters! {
    /// Parameters of the exact Gaussian process.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ExactGpParameters {
        /// Kernel, with a length scale for each feature.
        kernel: Composition = Composition::Shape(Shape::Rbf), in Composition::COMPLETE;
        /// Smallest noise variance, in units of the training target's variance.
        noise_floor: f64 = 1e-6, in above(0.0).to(1.0);
        /// Starts drawn at random, besides the first.
        restarts: usize = 5, in 0..=100;
        /// L-BFGS steps for which a start is followed before the starts are compared.
        exploration_steps: usize = 10, in 1..=10_000;
        /// Rows, drawn without replacement, on which starts are followed before they are compared.
        exploration_rows: usize = 512, in 2..=MOST_ROWS;
        /// Largest number of L-BFGS steps of one search; the last search continues from the steps
        /// already taken.
        steps: usize = 200, in 1..=10_000;
        /// A search ends when a step gains less than this in ln p(y).
        tolerance: f64 = 1e-4, in 0.0..=1.0;
        /// Whether length scales have the prior that grows with the number of features, for
        /// features in the unit cube.
        length_scale_prior: bool = false, in Choices, added "is_default";
    }
}

/// The exact Gaussian process as a method.
pub type ExactGp = Configured<ExactGpParameters>;

impl ExactGpParameters {
    /// The fit, for models that build on it.
    ///
    /// # Errors
    /// As [`MethodParameters::fit`].
    pub(super) fn fit_process(
        &self,
        train: &Table,
        context: &Context,
    ) -> Result<Standardised<FittedProcess>, FitError> {
        refuse_many(train.rows())?;
        let (scales, x, y) = standardise(ID, train, context)?;
        let all = Observations::new(x, y);
        let space = Space::new(self.kernel.kernel(all.inputs), &RANGES, self.noise_floor);
        let space =
            if self.length_scale_prior { space.with_length_scale_prior(&scales) } else { space };
        let searched = self.search(&space, &all, context)?;
        let (kernel, noise) = space.read(searched.point());
        let posterior = Posterior::new(kernel, noise, all.points(), &all.targets, context.par())?;
        Ok(Standardised {
            scales,
            model: FittedProcess::new(posterior, Trained { space, searched }),
        })
    }

    /// Follows every start for some steps on some rows, the best of them for some more on all rows,
    /// and the best of these to its end.
    fn search(
        &self,
        space: &Space,
        all: &Observations,
        context: &Context,
    ) -> Result<Searched, FitError> {
        let ExactGpParameters { restarts, exploration_steps, exploration_rows, steps, .. } = *self;
        let n = all.targets.len();
        let mut likelihood = all.likelihood(context.par());
        let mut points = vec![space.first_start()];
        if restarts > 0 {
            points.extend(
                (1..=restarts)
                    .map(|start| space.drawn_start(&mut context.stream("start", start as u64))),
            );
            points
                .extend((all.has_twins() || self.length_scale_prior).then(|| space.rough_start()));
        }
        let starts = points.len();
        let mut attempts = Vec::with_capacity(starts + COMPARED + 1);
        let mut field: Vec<Contender> = points
            .iter()
            .enumerate()
            .map(|(start, point)| Contender::at(start, point, space))
            .collect();
        if restarts > 0 {
            let few = all.select(&draw_without_replacement(
                n,
                exploration_rows,
                &mut context.stream("exploration", 0),
            ));
            let explored = exploration_steps.min(steps);
            field = self.advance(
                field,
                space,
                &mut few.likelihood(context.par()),
                explored,
                &mut attempts,
                context,
            )?;
            for contender in &mut field {
                context.checkpoint()?;
                let (kernel, noise) = space.read(&contender.search.point());
                let penalty = space.penalty(&contender.search.point());
                contender.value = likelihood
                    .log_marginal(&kernel, noise)
                    .map_or(f64::NAN, |log_marginal| penalty - log_marginal);
            }
            rank(&mut field);
            field.truncate(COMPARED);
            field = self.advance(
                field,
                space,
                &mut likelihood,
                COMPARED_STEPS.min(steps),
                &mut attempts,
                context,
            )?;
            field.truncate(1);
        }
        self.advance(field, space, &mut likelihood, steps, &mut attempts, context)?;
        match attempts.last().and_then(|attempt| attempt.found.clone()) {
            Some(best) => Ok(Searched { attempts, best }),
            None => Err(FitError::Diverged(format!(
                "{ID}: the likelihood of the {n} training rows is undefined at all {starts} \
                 starts; rows may be equal, or the noise floor too low"
            ))),
        }
    }

    /// Follows each contender for at most `steps` on the likelihood's rows and ranks them. One
    /// without a likelihood is dropped.
    fn advance(
        &self,
        field: Vec<Contender>,
        space: &Space,
        likelihood: &mut Likelihood,
        steps: usize,
        attempts: &mut Vec<Attempt>,
        context: &Context,
    ) -> Result<Vec<Contender>, FitError> {
        let settings = Settings {
            iterations: steps,
            evaluations: steps.saturating_mul(3),
            gradient_tolerance: GRADIENT_TOLERANCE,
            value_tolerance: self.tolerance,
            memory: MEMORY,
            ..Settings::default()
        };
        let mut left = Vec::with_capacity(field.len());
        for mut contender in field {
            let start = contender.start;
            let found = space
                .maximise(likelihood, &mut contender.search, &settings, || context.checkpoint())?;
            if let Some(found) = &found {
                left.push(Contender { value: found.value, ..contender });
            }
            attempts.push(Attempt { start, rows: likelihood.rows(), found });
        }
        rank(&mut left);
        Ok(left)
    }
}

/// The state of one search.
struct Contender {
    start: usize,
    /// −ln p(y) at its point.
    value: f64,
    /// Over the logarithms of the parameters.
    search: Search,
}

impl Contender {
    fn at(start: usize, point: &[f64], space: &Space) -> Self {
        Self { start, value: f64::NAN, search: Search::new(point, &space.bounds) }
    }
}

/// The best first; a search without a likelihood comes last.
fn rank(field: &mut [Contender]) {
    let value = |contender: &Contender| {
        if contender.value.is_nan() { f64::INFINITY } else { contender.value }
    };
    field.sort_by(|a, b| value(a).total_cmp(&value(b)));
}

/// One start followed on some rows.
#[derive(Serialize, Deserialize)]
struct Attempt {
    start: usize,
    rows: usize,
    /// `None` where the likelihood was undefined at the start.
    found: Option<Minimum>,
}

/// All searches of a fit; the parameters are those of the last.
#[derive(Serialize, Deserialize)]
struct Searched {
    attempts: Vec<Attempt>,
    best: Minimum,
}

impl Searched {
    /// The logarithms of the parameters.
    fn point(&self) -> &[f64] {
        &self.best.point
    }
}

impl MethodParameters for ExactGpParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str = "exact Gaussian process, parameters by type-II maximum likelihood";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "Gaussian process with an RBF kernel and a length scale for each feature, six \
                   starts, at most 5000 rows",
        cost: |n, d| (1.7e-6 + 4e-8 * d) * n.min(5000.0).powi(2),
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 3;

    fn facts(&self) -> Facts {
        Facts { deterministic: self.restarts == 0, ..Facts::default() }
    }

    fn restore(&self, state: &[u8]) -> Restored {
        Standardised::<FittedProcess>::restored(state)
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        Ok(Box::new(self.fit_process(train, context)?))
    }
}

/// # Errors
/// [`FitError::Unsupported`] for more than [`MOST_ROWS`] rows.
fn refuse_many(found: usize) -> Result<(), FitError> {
    rows::at_most(ID, MOST_ROWS, found, "a sparse process takes more")
}

#[cfg(test)]
mod tests;
