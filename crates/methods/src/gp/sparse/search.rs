//! Maximise the bound from a start, and choose the start.
//!
//! The bound has many maxima, in which features are switched on or off. With few points on some of
//! the rows it has fewer, and the high ones are wide, so that several starts can be compared for a
//! small part of the cost of one fit. But all points may explain what few points attribute to
//! noise, and the end of such a search may be a maximum that a search with all points does not
//! leave. The best ends and the first start itself are therefore compared once more, by some steps
//! with all points, still on some of the rows.

use ndarray::{Array2, Axis};
use serde::{Deserialize, Serialize};

use super::SparseGpParameters;
use super::bound::Bound;
use crate::gp::inducing::InducingStart;
use crate::gp::kernels::Points;
use crate::gp::space::Space;
use crate::{Context, FitError};
use uq_core::math::random::draw_without_replacement;
use uq_math::lbfgs::{Interval, LbfgsError, Minimum, Settings, minimise};

/// Largest number of inducing points with which starts are compared.
const FEW_POINTS: usize = 100;

/// Largest number of rows, drawn without replacement, on which starts are compared.
const FEW_ROWS: usize = 5000;

/// Steps of L-BFGS for which a start is followed with few points.
const FEW_STEPS: usize = 100;

/// Ends of searches with few points that are compared with all points.
const COMPARED: usize = 2;

/// Steps of L-BFGS with all points before these ends are compared.
const COMPARED_STEPS: usize = 20;

/// Standardised rows, n × d, and their targets.
pub(super) struct Rows {
    pub x: Array2<f64>,
    pub y: Vec<f64>,
}

impl Rows {
    pub fn points(&self) -> Points<'_> {
        Points::new(self.x.as_slice().unwrap_or(&[]), self.y.len(), self.x.ncols())
    }

    /// At most `count` of the rows, in their order.
    fn draw(&self, count: usize, context: &Context) -> Self {
        let mut rows =
            draw_without_replacement(self.y.len(), count, &mut context.stream("explored rows", 0));
        rows.sort_unstable();
        let x = self.x.select(Axis(0), &rows).as_standard_layout().into_owned();
        Self { x, y: rows.into_iter().map(|row| self.y[row]).collect() }
    }
}

/// The bound over the parameters that are free.
pub(super) struct Climb<'a> {
    pub bound: Bound<'a>,
    /// Logarithms of the kernel's parameters and of the noise, then the points, row by row.
    pub theta: Vec<f64>,
    /// How many of `theta` are learnt, from the first on.
    pub free: usize,
    /// F at each evaluation.
    pub trace: Vec<f64>,
}

impl<'a> Climb<'a> {
    /// From these logarithms and points; points that are all the rows stay in place.
    pub fn new(
        space: &Space,
        rows: &'a Rows,
        logarithms: &[f64],
        start: &InducingStart,
        jitter: f64,
    ) -> Self {
        let theta: Vec<f64> = logarithms.iter().chain(&start.points).copied().collect();
        let free = if start.every_row { logarithms.len() } else { theta.len() };
        let bound =
            Bound::new(space.kernel.clone(), rows.points(), &rows.y, start.points.nrows(), jitter);
        Self { bound, theta, free, trace: Vec::new() }
    }

    /// Raises F from `theta`, and sets `theta` to the highest point that was evaluated.
    ///
    /// # Errors
    /// As [`minimise`].
    pub fn raise(
        &mut self,
        space: &Space,
        settings: &Settings,
        context: &Context,
    ) -> Result<Minimum, LbfgsError<FitError>> {
        let mut limits = space.bounds.clone();
        limits.resize(self.free, Interval::LINE);
        let from = self.theta[..self.free].to_vec();
        let Self { bound, theta, free, trace } = self;
        let objective = |at: &[f64], gradient: &mut [f64]| {
            theta[..*free].copy_from_slice(at);
            let value = bound.evaluate(theta, Some(&mut *gradient), context)?;
            space.project(gradient);
            gradient.iter_mut().for_each(|slope| *slope = -*slope);
            trace.push(value);
            Ok(-value)
        };
        let minimum = minimise(objective, &from, &limits, settings)?;
        self.theta[..self.free].copy_from_slice(&minimum.point);
        Ok(minimum)
    }
}

/// L-BFGS on n rows: ends where a step gains less than `tolerance` nats a row.
pub(super) fn settings(iterations: usize, tolerance: f64, n: usize) -> Settings {
    Settings {
        iterations,
        evaluations: iterations + iterations / 4 + 20,
        gradient_tolerance: tolerance * n as f64,
        value_tolerance: tolerance * n as f64,
        ..Settings::default()
    }
}

/// The start of a fit.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Origin {
    /// Of the kernel's parameters and of the noise.
    pub logarithms: Vec<f64>,
    /// The number of the start that it comes from.
    pub start: usize,
    /// Whether it comes from a search with few points.
    pub searched: bool,
}

/// The space's first start where `restarts` is 0. Otherwise some steps with all points on some of
/// the rows start there and at the best ends of `restarts` + 1 searches with few points, and the
/// result is the one with the highest bound. Starts at which the bound is undefined are left out;
/// if none remains, the result is the first start.
///
/// # Errors
/// The errors that stop the work.
pub(super) fn explore(
    space: &Space,
    rows: &Rows,
    parameters: &SparseGpParameters,
    context: &Context,
) -> Result<Origin, FitError> {
    let first = Origin::at(space, 0, space.first_start());
    if parameters.restarts == 0 {
        return Ok(first);
    }
    let exploration =
        Exploration { space, rows: rows.draw(FEW_ROWS, context), parameters, context };
    let mut candidates = exploration.ends()?;
    candidates.truncate(COMPARED);
    candidates.insert(0, first.clone());
    Ok(exploration.highest(&candidates)?.unwrap_or(first))
}

impl Origin {
    /// A start, its noise moved off the floor: a search that begins at the floor may stay there.
    fn at(space: &Space, start: usize, mut logarithms: Vec<f64>) -> Self {
        if let Some(noise) = logarithms.last_mut() {
            *noise = noise.max((2.0 * space.noise_floor).ln());
        }
        Self { logarithms, start, searched: false }
    }
}

/// Short searches on some of the rows.
pub(super) struct Exploration<'a> {
    pub space: &'a Space,
    pub rows: Rows,
    pub parameters: &'a SparseGpParameters,
    pub context: &'a Context,
}

impl Exploration<'_> {
    /// The ends of the searches with few points, the highest bound first.
    fn ends(&self) -> Result<Vec<Origin>, FitError> {
        let Self { space, parameters, context, .. } = self;
        let points = self.placed(parameters.points.min(FEW_POINTS));
        let mut ends = Vec::with_capacity(parameters.restarts + 1);
        for start in 0..=parameters.restarts {
            let logarithms = match start {
                0 => space.first_start(),
                _ => space.drawn_start(&mut context.stream("start", start as u64)),
            };
            let from = Origin::at(space, start, logarithms);
            if let Some((value, end)) = self.raise(&from, &points, FEW_STEPS)? {
                ends.push((value, Origin { searched: true, ..end }));
            }
        }
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(ends.into_iter().map(|(_, end)| end).collect())
    }

    /// The end of some steps with all points from the candidate for which it is highest; `None`
    /// where the bound is undefined at all of them.
    ///
    /// # Errors
    /// The errors that stop the work.
    pub fn highest(&self, candidates: &[Origin]) -> Result<Option<Origin>, FitError> {
        let points = self.placed(self.parameters.points);
        let mut best: Option<(f64, Origin)> = None;
        for from in candidates {
            let raised = self.raise(from, &points, COMPARED_STEPS)?;
            if let Some(new) =
                raised.filter(|(value, _)| best.as_ref().is_none_or(|(least, _)| value < least))
            {
                best = Some(new);
            }
        }
        Ok(best.map(|(_, origin)| origin))
    }

    fn placed(&self, points: usize) -> InducingStart {
        let stream = &mut self.context.stream("explored points", points as u64);
        InducingStart::new(self.rows.x.view(), points, stream)
    }

    /// −F at the end of some steps, and that point; `None` where F is undefined.
    fn raise(
        &self,
        from: &Origin,
        points: &InducingStart,
        steps: usize,
    ) -> Result<Option<(f64, Origin)>, FitError> {
        let Self { space, rows, parameters: SparseGpParameters { tolerance, jitter, .. }, context } =
            self;
        let mut climb = Climb::new(space, rows, &from.logarithms, points, *jitter);
        match climb.raise(space, &settings(steps, *tolerance, rows.y.len()), context) {
            Ok(minimum) => {
                climb.theta.truncate(from.logarithms.len());
                Ok(Some((minimum.value, Origin { logarithms: climb.theta, ..*from })))
            }
            Err(LbfgsError::UndefinedStart { .. }) => Ok(None),
            Err(LbfgsError::Stopped(error)) => Err(error),
        }
    }
}
