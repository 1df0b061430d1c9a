//! Factorise the latent kernels at the shared inducing inputs, all functions at once, and pull a
//! gradient back through it.
//!
//! ```text
//! K_h = v_h exp(−|x̄_i − x̄_j|² / (2 ℓ_h²)) + jitter I = L Lᵀ,   z̄_h − μ_h = L γ_h
//! K_h⁻¹ (z̄_h − μ_h) = a,   Lᵀ a = γ_h                                      (the last factor of 5)
//! ```
//!
//! With ā = ∂/∂a: γ̄ = L⁻¹ ā, L̄ = −a γ̄ᵀ in the lower triangle, and K̄ from L̄ by Smith's reverse
//! of the factorisation. Up to [`WIDTH`] functions are computed together, so that each scalar
//! operation of these small triangles acts on all of them.
//!
//! # References
//! S. P. Smith: *Differentiation of the Cholesky algorithm*, Journal of Computational and Graphical
//! Statistics 4, 1995.

use super::tiles::{Lane, SIDE, place};
use uq_core::math::vectorised::exp;

/// Functions that are computed together.
pub(super) const WIDTH: usize = 4;

/// One number of each of [`WIDTH`] functions.
pub(super) type Group = [f64; WIDTH];

/// Room for one group of functions over M inducing inputs; places without a function have v = 1, ℓ
/// = 1 and γ = 0.
#[derive(Clone, Debug)]
pub(super) struct InducingGroup {
    /// v_h.
    pub variance: Group,
    /// 1/(2 ℓ_h²).
    pub decay: Group,
    /// γ_h, M.
    pub white: Vec<Group>,
    /// a, M.
    pub coefficients: Vec<Group>,
    /// K_h without jitter, lower triangle.
    kernel: Vec<Group>,
    /// L, lower triangle.
    factor: Vec<Group>,
    /// L̄, then K̄, lower triangle.
    slope: Vec<Group>,
}

/// A group's derivatives.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupSlopes {
    /// By ln v_h.
    pub variance: Group,
    /// By ln ℓ_h.
    pub length_scale: Group,
}

impl InducingGroup {
    /// Room for `m` inducing inputs.
    pub fn new(m: usize) -> Self {
        let room = |count| vec![[0.0; WIDTH]; count];
        let triangle = place(m, 0);
        Self {
            variance: [1.0; WIDTH],
            decay: [0.5; WIDTH],
            white: room(m),
            coefficients: room(m),
            kernel: room(triangle),
            factor: room(triangle),
            slope: room(triangle),
        }
    }

    /// L and a, for inputs whose squared distances are `squares` (lower triangle).
    #[inline(always)]
    pub fn solve(&mut self, squares: &[f64], jitter: f64) {
        let m = self.white.len();
        for (kernel, square) in self.kernel.iter_mut().zip(squares) {
            let mut value = self.decay;
            value
                .iter_mut()
                .zip(&self.variance)
                .for_each(|(k, variance)| *k = variance * exp(-square * *k));
            *kernel = value;
        }
        for i in 0..m {
            let (above, rest) = self.factor.split_at_mut(place(i, 0));
            let row = &mut rest[..=i];
            for j in 0..=i {
                let mut value = self.kernel[place(i, j)];
                let other = if i == j { &row[..j] } else { &above[place(j, 0)..place(j, j)] };
                for (a, b) in row.iter().zip(other) {
                    for h in 0..WIDTH {
                        value[h] -= a[h] * b[h];
                    }
                }
                for h in 0..WIDTH {
                    value[h] = if i == j {
                        (value[h] + jitter).sqrt()
                    } else {
                        value[h] / above[place(j, j)][h]
                    };
                }
                row[j] = value;
            }
        }
        self.coefficients.copy_from_slice(&self.white);
        for i in (0..m).rev() {
            let row = &self.factor[place(i, 0)..=place(i, i)];
            let (open, known) = self.coefficients.split_at_mut(i);
            for h in 0..WIDTH {
                known[0][h] /= row[i][h];
            }
            for (a, l) in open.iter_mut().zip(row) {
                for h in 0..WIDTH {
                    a[h] -= l[h] * known[0][h];
                }
            }
        }
    }

    /// Turns k(X̄, X) of the first function (M × `count` lanes) into L⁻¹ k(X̄, X).
    pub fn whiten(&self, k: &mut [Lane], count: usize) {
        for i in 0..self.white.len() {
            let row = &self.factor[place(i, 0)..=place(i, i)];
            let (known, open) = k.split_at_mut(i * count);
            for (l, known) in row.iter().zip(known.chunks_exact(count)) {
                for (to, from) in open.iter_mut().zip(known) {
                    for c in 0..SIDE {
                        to[c] -= l[0] * from[c];
                    }
                }
            }
            for lane in &mut open[..count] {
                lane.iter_mut().for_each(|value| *value /= row[i][0]);
            }
        }
    }

    /// Pulls ā back: turns it into γ̄, adds the derivatives by the inducing inputs (M × D) to
    /// `inputs_slope`, and returns those of the latent kernel.
    #[inline(always)]
    pub fn pull_back(
        &mut self,
        bar: &mut [Group],
        inputs: &[f64],
        dims: usize,
        inputs_slope: &mut [f64],
    ) -> GroupSlopes {
        let m = self.white.len();
        for i in 0..m {
            let row = &self.factor[place(i, 0)..=place(i, i)];
            let (known, open) = bar.split_at_mut(i);
            for (l, known) in row.iter().zip(known) {
                for h in 0..WIDTH {
                    open[0][h] -= l[h] * known[h];
                }
            }
            for h in 0..WIDTH {
                open[0][h] /= row[i][h];
            }
        }
        for i in 0..m {
            let (a, row) = (self.coefficients[i], &mut self.slope[place(i, 0)..=place(i, i)]);
            for (slope, bar) in row.iter_mut().zip(bar.iter()) {
                for h in 0..WIDTH {
                    slope[h] = -a[h] * bar[h];
                }
            }
        }
        self.reverse_factorisation(m);
        let mut slopes = GroupSlopes { variance: [0.0; WIDTH], length_scale: [0.0; WIDTH] };
        for i in 0..m {
            for j in 0..=i {
                let (x, y) = (&inputs[i * dims..(i + 1) * dims], &inputs[j * dims..(j + 1) * dims]);
                let (mut square, mut pull) = (0.0, 0.0);
                for d in 0..dims {
                    square += (x[d] - y[d]) * (x[d] - y[d]);
                }
                let (slope, kernel) = (&self.slope[place(i, j)], &self.kernel[place(i, j)]);
                for h in 0..WIDTH {
                    let weight = slope[h] * kernel[h];
                    slopes.variance[h] += weight;
                    slopes.length_scale[h] += 2.0 * self.decay[h] * weight * square;
                    pull -= 2.0 * self.decay[h] * weight;
                }
                for d in 0..dims {
                    let change = pull * (x[d] - y[d]);
                    inputs_slope[i * dims + d] += change;
                    inputs_slope[j * dims + d] -= change;
                }
            }
        }
        slopes
    }

    /// Smith's reverse: L̄ becomes K̄; an entry off the diagonal also counts for its mirror image.
    #[inline(always)]
    fn reverse_factorisation(&mut self, m: usize) {
        let factor = &self.factor;
        for i in (0..m).rev() {
            let (above, rest) = self.slope.split_at_mut(place(i, 0));
            let row = &mut rest[..=i];
            let own = &factor[place(i, 0)..=place(i, i)];
            for h in 0..WIDTH {
                row[i][h] *= 0.5 / own[i][h];
            }
            let last = row[i];
            for k in 0..i {
                for h in 0..WIDTH {
                    row[k][h] -= 2.0 * last[h] * own[k][h];
                }
            }
            for j in (0..i).rev() {
                let (other, other_slope) =
                    (&factor[place(j, 0)..=place(j, j)], &mut above[place(j, 0)..=place(j, j)]);
                for h in 0..WIDTH {
                    row[j][h] /= other[j][h];
                    other_slope[j][h] -= row[j][h] * own[j][h];
                }
                let value = row[j];
                for k in 0..j {
                    for h in 0..WIDTH {
                        row[k][h] -= value[h] * other[k][h];
                        other_slope[k][h] -= value[h] * own[k][h];
                    }
                }
            }
        }
    }
}
