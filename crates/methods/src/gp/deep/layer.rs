//! Propagate rows through one layer: independent Gaussian processes with one kernel and one set of
//! inducing inputs.
//!
//! With z̃ = z / ℓ and h̃ = h / ℓ, r(a, b) = exp(−½ |a − b|²), R = r(z̃, z̃) + ε I = L Lᵀ and A =
//! L⁻¹ r(z̃, h̃):
//!
//! ```text
//! μ_d = s mᵀ_d A                                                                        (1)
//! v_d = s² (1 + w − Σ_m A_m² + Σ_j (S_dᵀ A)_j²)                                         (2)
//! KL_d = ½ (|m_d|² + |S_d|² − M − Σ_i ln S_d,ii²)                                        (3)
//! ```
//!
//! for whitened q(v_d) = N(m_d, S_d S_dᵀ), S_d lower triangular, s² the signal's variance, w the
//! share of white noise.
//!
//! The factors S_d are kept in blocks of columns: block k holds the rows from its first column on
//! of all outputs side by side. One product for each block then serves all outputs, with few
//! operations above the diagonal.

use std::ops::Range;

use faer::linalg::triangular_inverse::invert_lower_triangular;
use faer::{Accum, MatMut, MatRef, Par};
use serde::{Deserialize, Serialize};

use super::elementwise::{add_squares, convert, correlate};
use crate::FitError;
use crate::gp::jitter::{Scratch, factorise};
use crate::state::require;
use uq_math::matrix_product::{Factor, Real, multiply};

/// The mean function of a layer's processes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum MeanFunction {
    /// Nothing.
    Zero,
    /// Its inputs.
    Identity,
    /// A projection of its inputs: inputs × outputs, row-major.
    Linear(Vec<f64>),
}

/// Columns of the factors S_d, of all outputs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Block {
    /// The first column, and the first row that is kept.
    pub first: usize,
    /// Columns for each output.
    pub width: usize,
    /// Where it begins among the parameters.
    pub at: usize,
}

/// The shape of a layer, and where its parameters are: ln ℓ, ln s², inducing inputs (M × inputs), m
/// (M × outputs), S.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Layer {
    pub inputs: usize,
    pub outputs: usize,
    /// Inducing inputs M.
    pub points: usize,
    pub mean: MeanFunction,
    /// White noise w as a share of the signal's variance.
    pub white: f64,
    /// ε.
    pub jitter: f64,
    pub blocks: Vec<Block>,
    at: usize,
    end: usize,
}

/// Rows of a product that are enough for full speed.
const WIDE: usize = 96;

/// Smallest number of columns of a block.
const NARROW: usize = 20;

impl Layer {
    /// A layer whose parameters begin at `at`.
    pub fn new(
        (inputs, outputs): (usize, usize),
        points: usize,
        mean: MeanFunction,
        noise: (f64, f64),
        at: usize,
    ) -> Self {
        let (white, jitter) = noise;
        let mut end = at + inputs + 1 + points * (inputs + outputs);
        let width = WIDE.div_ceil(outputs).max(NARROW);
        let mut blocks = Vec::new();
        let mut first = 0;
        while first < points {
            let width = width.min(points - first);
            blocks.push(Block { first, width, at: end });
            end += (points - first) * outputs * width;
            first += width;
        }
        Self { inputs, outputs, points, mean, white, jitter, blocks, at, end }
    }

    /// Checks a layer that was read: it has the `inputs`, and its parameters lie from place `at` to
    /// at most `end`.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, inputs: usize, at: usize, end: usize) -> Result<(), String> {
        let Self { outputs, points, .. } = *self;
        let count = || {
            let of_points = points.checked_mul(self.inputs.checked_add(outputs)?)?;
            // The blocks hold no less than the triangles of all outputs.
            let triangles = points.checked_mul(points)?.checked_mul(outputs)? / 2;
            at.checked_add(self.inputs)?.checked_add(of_points)?.checked_add(triangles)
        };
        let room = count().is_some_and(|count| count <= end) && outputs > 0 && points > 0;
        require(room && self.inputs == inputs && self.at == at, "a layer of another shape")?;
        let known =
            Self::new((inputs, outputs), points, MeanFunction::Zero, (self.white, self.jitter), at);
        let mean = match &self.mean {
            MeanFunction::Zero => true,
            MeanFunction::Identity => outputs == inputs,
            MeanFunction::Linear(projection) => projection.len() == inputs * outputs,
        };
        require(
            mean && self.blocks == known.blocks && self.end == known.end,
            "a layer of another shape",
        )
    }

    /// Where the parameters end.
    pub fn end(&self) -> usize {
        self.end
    }

    pub fn ln_scales(&self) -> Range<usize> {
        self.at..self.at + self.inputs
    }

    pub fn ln_variance(&self) -> usize {
        self.at + self.inputs
    }

    pub fn inducing(&self) -> Range<usize> {
        let from = self.at + self.inputs + 1;
        from..from + self.points * self.inputs
    }

    pub fn means(&self) -> Range<usize> {
        let from = self.inducing().end;
        from..from + self.points * self.outputs
    }

    /// Where the parameters of all blocks are.
    pub fn all_factors(&self) -> Range<usize> {
        self.means().end..self.end
    }

    /// Where a block's parameters are among those of all blocks: (M − first) × (outputs · width),
    /// row-major.
    pub fn factors(&self, block: &Block) -> Range<usize> {
        let from = block.at - self.all_factors().start;
        from..from + (self.points - block.first) * self.outputs * block.width
    }

    /// Visits the entries on and above the diagonal in a block: place among the parameters, and
    /// whether it is on the diagonal.
    pub fn visit_triangle(&self, block: &Block, mut visit: impl FnMut(usize, bool)) {
        for row in 0..block.width {
            for output in 0..self.outputs {
                for column in row..block.width {
                    visit(
                        block.at + (row * self.outputs + output) * block.width + column,
                        row == column,
                    );
                }
            }
        }
    }

    /// Eq. (3), summed over the outputs; with `gradient` its gradient is added.
    pub fn divergence(&self, theta: &[f64], gradient: Option<&mut [f64]>) -> f64 {
        let variational = self.means().start..self.end;
        let mut twice = theta[variational.clone()].iter().map(|x| x * x).sum::<f64>();
        twice -= (self.points * self.outputs) as f64;
        for block in &self.blocks {
            self.visit_triangle(block, |place, diagonal| {
                if diagonal {
                    twice -= (theta[place] * theta[place]).ln();
                }
            });
        }
        if let Some(gradient) = gradient {
            for (to, x) in gradient[variational.clone()].iter_mut().zip(&theta[variational]) {
                *to += x;
            }
            for block in &self.blocks {
                self.visit_triangle(block, |place, diagonal| {
                    if diagonal {
                        gradient[place] -= 1.0 / theta[place];
                    } else {
                        // It is no parameter: S is lower triangular.
                        gradient[place] = 0.0;
                    }
                });
            }
        }
        0.5 * twice
    }
}

/// The results of one layer for one chunk of rows. What is stored as `T` takes part in the products
/// with the factors S_d, the largest ones of a step.
pub(super) struct LayerWork<T> {
    /// Scaled inducing inputs z̃, M × inputs, and their transpose.
    pub points: Vec<f64>,
    pub points_transposed: Vec<f64>,
    /// R, M × M.
    pub correlations: Vec<f64>,
    /// L, column-major.
    factor: Vec<f64>,
    /// L⁻¹, M × M: jitter keeps it well-conditioned, and products with it are several times as fast
    /// as solving.
    pub inverse: Vec<f64>,
    /// The jitter that L needed.
    pub jitter: f64,
    /// Scaled inputs h̃, inputs × B.
    pub scaled: Vec<f64>,
    /// r(z̃, h̃), M × B.
    pub cross: Vec<f64>,
    /// A, M × B.
    pub white: Vec<f64>,
    /// A once more.
    pub white_factor: Vec<T>,
    /// The factors S_d, block by block as among the parameters, and the gradient by them, summed
    /// over the rows of the batch.
    pub factors: Vec<T>,
    pub factors_bar: Vec<T>,
    /// S_dᵀ A, block by block: (outputs · width) × B.
    pub spread: Vec<T>,
    /// μ, outputs × B, without the mean function.
    pub means: Vec<f64>,
    /// −Ā Aᵀ, summed over the rows of the batch, M × M.
    pub outer: Vec<f64>,
    /// v, outputs × B.
    pub variances: Vec<f64>,
    /// Standard normal draws, outputs × B.
    pub draws: Vec<f64>,
    /// Drawn outputs, or in the last layer means, with the mean function, outputs × B.
    pub drawn: Vec<f64>,
    scratch: Scratch,
}

impl<T: Real> LayerWork<T> {
    /// Room for chunks of at most `columns` rows.
    pub fn new(layer: &Layer, columns: usize) -> Self {
        let (m, d, outputs) = (layer.points, layer.inputs, layer.outputs);
        let room = |rows: usize| vec![0.0; rows * columns];
        let wide_room = |count: usize| vec![T::from_f64(0.0); count];
        let factors = layer.all_factors().len();
        Self {
            points: vec![0.0; m * d],
            points_transposed: vec![0.0; m * d],
            correlations: vec![0.0; m * m],
            factor: vec![0.0; m * m],
            inverse: vec![0.0; m * m],
            jitter: layer.jitter,
            scaled: room(d),
            cross: room(m),
            white: room(m),
            white_factor: wide_room(m * columns),
            factors: wide_room(factors),
            factors_bar: wide_room(factors),
            spread: wide_room(m * outputs * columns),
            means: room(outputs),
            outer: vec![0.0; m * m],
            variances: room(outputs),
            draws: room(outputs),
            drawn: room(outputs),
            scratch: Scratch::default(),
        }
    }
}

impl Layer {
    /// Computes what does not depend on the batch: scaled inducing inputs, their correlations, L
    /// and its inverse. The sums over rows begin anew.
    ///
    /// # Errors
    /// [`FitError::Diverged`] where R has no Cholesky factor on any rung of the ladder of
    /// [`jitter`](crate::gp::jitter).
    pub fn prepare<T: Real>(&self, theta: &[f64], work: &mut LayerWork<T>) -> Result<(), FitError> {
        let (m, d) = (self.points, self.inputs);
        let scales = &theta[self.ln_scales()];
        let points = work.points.chunks_exact_mut(d).zip(theta[self.inducing()].chunks_exact(d));
        for (row, (to, from)) in points.enumerate() {
            for (k, ((to, from), ln_scale)) in to.iter_mut().zip(from).zip(scales).enumerate() {
                *to = from * (-ln_scale).exp();
                work.points_transposed[k * m + row] = *to;
            }
        }
        correlate(&work.points, &work.points_transposed, m, &mut work.correlations);
        work.correlations.iter_mut().step_by(m + 1).for_each(|diagonal| *diagonal += self.jitter);
        let factored =
            factorise(&work.correlations, m, &mut work.factor, &mut work.scratch, Par::Seq)?;
        work.jitter = self.jitter + factored.jitter;
        work.outer.fill(0.0);
        work.factors_bar.fill(T::from_f64(0.0));
        convert(&theta[self.all_factors()], &mut work.factors);
        let lower = MatRef::from_column_major_slice(&work.factor, m, m);
        invert_lower_triangular(
            MatMut::from_row_major_slice_mut(&mut work.inverse, m, m),
            lower,
            Par::Seq,
        );
        Ok(())
    }

    /// Computes μ, v and the outputs' means for `inputs` (inputs × `columns`), after
    /// [`Self::prepare`].
    pub fn propagate<T: Real>(
        &self,
        theta: &[f64],
        inputs: &[f64],
        columns: usize,
        work: &mut LayerWork<T>,
    ) {
        let (m, outputs) = (self.points, self.outputs);
        let variance = theta[self.ln_variance()].exp();
        let scales = theta[self.ln_scales()].iter();
        let scaled = work.scaled.chunks_exact_mut(columns).zip(inputs.chunks_exact(columns));
        for ((to, from), ln_scale) in scaled.zip(scales) {
            let inverse = (-ln_scale).exp();
            to.iter_mut().zip(from).for_each(|(to, from)| *to = from * inverse);
        }
        let cross = &mut work.cross[..m * columns];
        correlate(&work.points, &work.scaled[..self.inputs * columns], columns, cross);
        let white = &mut work.white[..m * columns];
        let inverse = Factor::new(&work.inverse, m, m);
        multiply(white, Accum::Replace, inverse, Factor::new(cross, m, columns), 1.0);
        let white = Factor::new(white, m, columns);
        let own = Factor::new(&theta[self.means()], m, outputs).transpose();
        // (1)
        multiply(&mut work.means[..outputs * columns], Accum::Replace, own, white, variance.sqrt());

        let (first, others) = work.variances[..outputs * columns].split_at_mut(columns);
        first.fill(variance * (1.0 + self.white));
        add_squares(white.values, -variance, first);
        others.chunks_exact_mut(columns).for_each(|other| other.copy_from_slice(first));
        let white_factor = &mut work.white_factor[..m * columns];
        convert(white.values, white_factor);
        for block in &self.blocks {
            let rows = m - block.first;
            let wide = outputs * block.width;
            let spread = &mut work.spread[outputs * block.first * columns..][..wide * columns];
            let factors = Factor::new(&work.factors[self.factors(block)], rows, wide).transpose();
            let below = Factor::new(&white_factor[block.first * columns..], rows, columns);
            multiply(spread, Accum::Replace, factors, below, T::from_f64(1.0));
            let each = spread.chunks_exact(block.width * columns);
            for (spread, sums) in each.zip(work.variances.chunks_exact_mut(columns)) {
                add_squares(spread, variance, sums); // (2)
            }
        }
        let drawn = &mut work.drawn[..outputs * columns];
        drawn.copy_from_slice(&work.means[..outputs * columns]);
        match &self.mean {
            MeanFunction::Zero => {}
            MeanFunction::Identity => {
                drawn.iter_mut().zip(inputs).for_each(|(to, from)| *to += from)
            }
            MeanFunction::Linear(projection) => {
                let projection = Factor::new(projection, self.inputs, outputs).transpose();
                multiply(
                    drawn,
                    Accum::Add,
                    projection,
                    Factor::new(inputs, self.inputs, columns),
                    1.0,
                );
            }
        }
    }

    /// Adds √v ∘ draws to the outputs' means, after [`Self::propagate`].
    pub fn draw<T>(&self, columns: usize, work: &mut LayerWork<T>) {
        let noise = work.variances[..self.outputs * columns].iter().zip(&work.draws);
        for (to, (variance, draw)) in work.drawn.iter_mut().zip(noise) {
            *to += variance.sqrt() * draw;
        }
    }
}
