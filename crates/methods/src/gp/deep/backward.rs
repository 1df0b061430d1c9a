//! Carry a loss's gradient back through one layer.
//!
//! With μ̄, v̄ the gradients by (1) and (2) of [`layer`](super::layer) and T_d = S_dᵀ A, g_d = 2 s²
//! v̄_d:
//!
//! ```text
//! S̄_d = A (g_d ∘ T_d)ᵀ,  m̄_d = s A μ̄_dᵀ                                                (1)
//! Ā = Σ_d [S_d (g_d ∘ T_d) + s m_d μ̄_d] − A ∘ Σ_d g_d                                    (2)
//! r̄(z̃, h̃) = L⁻ᵀ Ā,   R̄ = −L⁻ᵀ Φ(Ā Aᵀ) L⁻¹, symmetrised                                   (3)
//! ```
//!
//! S̄_d, m̄_d and Ā Aᵀ are sums over the rows: chunks of rows add to them, and R̄ follows once,
//! from the last sum.
//!
//! Φ takes the lower triangle and halves its diagonal: (3) is Murray's Eq. (8) with L̄ = −tril(L⁻ᵀ
//! Ā Aᵀ), and Φ(Lᵀ L̄) = −Φ(Ā Aᵀ) because the lower triangle of Lᵀ X takes from X its lower
//! triangle alone.
//!
//! # References
//! I. Murray: *Differentiation of the Cholesky decomposition*, arXiv:1602.07527, 2016.

use faer::Accum;

use super::elementwise::{convert, multiply_and_sum, scale_rows};
use super::layer::{Layer, LayerWork, MeanFunction};
use uq_math::matrix_product::{Factor, Real, multiply};

/// Memory of the way back, shared by all layers.
pub(super) struct BackwardWork<T> {
    /// g, outputs × B, and its sum over the outputs, B.
    weights: Vec<T>,
    total: Vec<T>,
    /// The first part of Ā in (2), then Ā, M × B.
    white_factor: Vec<T>,
    white: Vec<f64>,
    /// L⁻ᵀ Φ(−Ā Aᵀ), M × M.
    between: Vec<f64>,
    /// The gradient by r(z̃, h̃), then times r(z̃, h̃): M × B.
    cross: Vec<f64>,
    /// Row sums (M), column sums (B or M).
    rows: Vec<f64>,
    columns: Vec<f64>,
    /// Gradients by z̃ (M × inputs) and h̃ (inputs × B).
    points: Vec<f64>,
    inputs: Vec<f64>,
}

impl<T: Real> BackwardWork<T> {
    /// Room for any of the layers.
    pub fn new(layers: &[Layer], columns: usize) -> Self {
        let most = |of: fn(&Layer) -> usize| vec![0.0; layers.iter().map(of).max().unwrap_or(0)];
        let largest = |of: fn(&Layer) -> usize| layers.iter().map(of).max().unwrap_or(0) * columns;
        let wide = |of: fn(&Layer) -> usize| vec![0.0; largest(of)];
        let factor = |of: fn(&Layer) -> usize| vec![T::from_f64(0.0); largest(of)];
        Self {
            weights: factor(|layer| layer.outputs),
            total: vec![T::from_f64(0.0); columns],
            white_factor: factor(|layer| layer.points),
            white: wide(|layer| layer.points),
            between: most(|layer| layer.points * layer.points),
            cross: wide(|layer| layer.points),
            rows: most(|layer| layer.points),
            columns: vec![
                0.0;
                columns.max(layers.iter().map(|layer| layer.points).max().unwrap_or(0))
            ],
            points: most(|layer| layer.points * layer.inputs),
            inputs: wide(|layer| layer.inputs),
        }
    }
}

impl Layer {
    /// Adds to the layer's part of `gradient` the gradient by its parameters, but for the parts of
    /// R and of the factors S ([`Self::finish_backward`]), and overwrites `inputs_bar` (inputs × B)
    /// with that by its inputs, from the gradients by its outputs' means and variances (outputs ×
    /// B), after `propagate`. Entries above the diagonals of the factors S are unspecified.
    pub fn backward<T: Real>(
        &self,
        theta: &[f64],
        (means_bar, variances_bar): (&[f64], &[f64]),
        work: &mut LayerWork<T>,
        back: &mut BackwardWork<T>,
        (gradient, inputs_bar): (&mut [f64], &mut [f64]),
    ) {
        let (m, d, outputs) = (self.points, self.inputs, self.outputs);
        let columns = means_bar.len() / outputs;
        let variance = theta[self.ln_variance()].exp();
        let sd = variance.sqrt();
        let pair =
            |of: &[f64], bar: &[f64]| of.iter().zip(bar).map(|(x, bar)| x * bar).sum::<f64>();
        gradient[self.ln_variance()] +=
            pair(&work.variances, variances_bar) + 0.5 * pair(&work.means, means_bar);

        back.total[..columns].fill(T::from_f64(0.0));
        let each = back.weights.chunks_exact_mut(columns).zip(variances_bar.chunks_exact(columns));
        for (weights, bar) in each {
            for ((weight, bar), total) in weights.iter_mut().zip(bar).zip(&mut back.total) {
                *weight = T::from_f64(2.0 * variance * bar);
                *total -= *weight;
            }
        }
        let factor_bar = &mut back.white_factor[..m * columns];
        factor_bar.copy_from_slice(&work.white_factor[..m * columns]);
        scale_rows(factor_bar, &back.total[..columns]);
        for block in &self.blocks {
            let (rows, wide) = (m - block.first, outputs * block.width);
            let spread = &mut work.spread[outputs * block.first * columns..][..wide * columns];
            let each = spread.chunks_exact_mut(block.width * columns);
            for (spread, weights) in each.zip(back.weights.chunks_exact(columns)) {
                scale_rows(spread, weights);
            }
            let spread = Factor::new(spread, wide, columns);
            let below =
                Factor::new(&work.white_factor[block.first * columns..m * columns], rows, columns);
            let own = self.factors(block);
            multiply(
                &mut work.factors_bar[own.clone()],
                Accum::Add,
                below,
                spread.transpose(),
                T::from_f64(1.0),
            ); // (1)
            let factors = Factor::new(&work.factors[own], rows, wide);
            multiply(
                &mut factor_bar[block.first * columns..],
                Accum::Add,
                factors,
                spread,
                T::from_f64(1.0),
            ); // (2)
        }
        let white_bar = &mut back.white[..m * columns];
        convert(factor_bar, white_bar);
        let white = Factor::new(&work.white[..m * columns], m, columns);
        let bar = Factor::new(means_bar, outputs, columns);
        multiply(&mut gradient[self.means()], Accum::Add, white, bar.transpose(), sd); // (1)
        // (2)
        multiply(white_bar, Accum::Add, Factor::new(&theta[self.means()], m, outputs), bar, sd);

        let white_bar = Factor::new(white_bar, m, columns);
        multiply(&mut work.outer, Accum::Add, white_bar, white.transpose(), -1.0);
        let inverse = Factor::new(&work.inverse, m, m);
        multiply(
            &mut back.cross[..m * columns],
            Accum::Replace,
            inverse.transpose(),
            white_bar,
            1.0,
        ); // (3)
        self.cross_backward(columns, work, back);
        self.points_backward(theta, work, back, gradient);

        // By the mean function, and by h = h̃ ℓ, which falls where ln ℓ rises.
        match &self.mean {
            MeanFunction::Zero => inputs_bar.fill(0.0),
            MeanFunction::Identity => inputs_bar.copy_from_slice(means_bar),
            MeanFunction::Linear(projection) => {
                multiply(inputs_bar, Accum::Replace, Factor::new(projection, d, outputs), bar, 1.0);
            }
        }
        for k in 0..d {
            let ln_scale = theta[self.ln_scales().start + k];
            let inverse = (-ln_scale).exp();
            let own = k * columns..(k + 1) * columns;
            gradient[self.ln_scales().start + k] -=
                pair(&work.scaled[own.clone()], &back.inputs[own.clone()]);
            inputs_bar[own.clone()]
                .iter_mut()
                .zip(&back.inputs[own])
                .for_each(|(to, bar)| *to += bar * inverse);
        }
    }

    /// Adds what [`Self::backward`] has summed over all chunks since [`Self::prepare`]: the
    /// factors' part of the gradient, and R's.
    pub fn finish_backward<T: Real>(
        &self,
        theta: &[f64],
        work: &mut LayerWork<T>,
        back: &mut BackwardWork<T>,
        gradient: &mut [f64],
    ) {
        let factors_bar = gradient[self.all_factors()].iter_mut().zip(&work.factors_bar);
        factors_bar.for_each(|(to, bar)| *to += bar.to_f64());
        let (m, d) = (self.points, self.inputs);
        let square = &mut work.outer;
        for row in 0..m {
            square[row * m + row] *= 0.5;
            square[row * m + row + 1..(row + 1) * m].fill(0.0);
        }
        let inverse = Factor::new(&work.inverse, m, m);
        let between = &mut back.between[..m * m];
        multiply(between, Accum::Replace, inverse.transpose(), Factor::new(square, m, m), 1.0);
        multiply(square, Accum::Replace, Factor::new(between, m, m), inverse, 1.0); // (3)

        // R's two arguments are the same points: the weights of a pair are those of both its
        // places.
        let (rows, sums) = (&mut back.rows[..m], &mut back.columns[..m]);
        rows.fill(0.0);
        sums.fill(0.0);
        multiply_and_sum(square, &work.correlations, rows, sums);
        let (weights, points) = (Factor::new(square, m, m), Factor::new(&work.points, m, d));
        let points_bar = &mut back.points[..m * d];
        multiply(points_bar, Accum::Replace, weights, points, 1.0);
        multiply(points_bar, Accum::Add, weights.transpose(), points, 1.0);
        for (row, bar) in points_bar.chunks_exact_mut(d).enumerate() {
            let total = rows[row] + sums[row];
            bar.iter_mut().zip(&work.points[row * d..]).for_each(|(bar, z)| *bar -= total * z);
        }
        self.points_backward(theta, work, back, gradient);
    }

    /// Adds the gradients by z and by ln ℓ that follow from that by z̃ = z / ℓ.
    fn points_backward<T>(
        &self,
        theta: &[f64],
        work: &LayerWork<T>,
        back: &BackwardWork<T>,
        gradient: &mut [f64],
    ) {
        let (m, d) = (self.points, self.inputs);
        for k in 0..d {
            let inverse = (-theta[self.ln_scales().start + k]).exp();
            for row in 0..m {
                let bar = back.points[row * d + k];
                gradient[self.inducing().start + row * d + k] += bar * inverse;
                gradient[self.ln_scales().start + k] -= bar * work.points[row * d + k];
            }
        }
    }

    /// From the gradient by r(z̃, h̃) (in `cross`) to those by z̃ and h̃: for r = exp(−½ |a − b|²),
    /// ∂r/∂a = −r (a − b).
    fn cross_backward<T>(&self, columns: usize, work: &LayerWork<T>, back: &mut BackwardWork<T>) {
        let (m, d) = (self.points, self.inputs);
        let (points_bar, inputs_bar) = (&mut back.points[..m * d], &mut back.inputs[..d * columns]);
        let points = Factor::new(&work.points, m, d);

        let (cross, rows, sums) =
            (&mut back.cross[..m * columns], &mut back.rows[..m], &mut back.columns[..columns]);
        rows.fill(0.0);
        sums.fill(0.0);
        multiply_and_sum(cross, &work.cross[..m * columns], rows, sums);
        let weights = Factor::new(cross, m, columns);
        let scaled = Factor::new(&work.scaled[..d * columns], d, columns);
        multiply(points_bar, Accum::Replace, weights, scaled.transpose(), 1.0);
        multiply(inputs_bar, Accum::Replace, points.transpose(), weights, 1.0);
        let each = inputs_bar.chunks_exact_mut(columns).zip(scaled.values.chunks_exact(columns));
        for (bar, inputs) in each {
            for ((bar, h), sum) in bar.iter_mut().zip(inputs).zip(&*sums) {
                *bar -= sum * h;
            }
        }

        for (row, bar) in points_bar.chunks_exact_mut(d).enumerate() {
            bar.iter_mut().zip(&work.points[row * d..]).for_each(|(bar, z)| *bar -= rows[row] * z);
        }
    }
}
