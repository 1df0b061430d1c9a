//! Compute losses of rows together with their derivatives.
//!
//! Every function here takes matrices of one shape and returns the loss of each element in that
//! shape: take [`Tape::mean`], or weight the rows first. The derivatives are computed with the
//! value and stored.

use std::f64::consts::PI;

use faer::traits::pulp::{Arch, Simd, WithSimd};
use statrs::function::gamma::digamma;

use super::op::{Op, Var};
use super::tape::{Operands, Tape};
use uq_core::math::special::{LN_SQRT_2PI, ln_gamma_half_step};
use uq_core::math::vectorised::{ln, sigmoid, softplus};

impl Tape {
    /// (y − m)².
    pub fn squared_error(&mut self, mean: Var, y: Var) -> Var {
        self.pointwise(SquaredError, [mean, y])
    }

    /// −ln N(y | m, v) = ½ ln(2π v) + (y − m)² / 2v.
    pub fn gaussian_nll(&mut self, mean: Var, variance: Var, y: Var) -> Var {
        self.pointwise(GaussianNll, [mean, variance, y])
    }

    /// −ln N(y | m, v) with v = softplus(r) + `floor`: a network's variance from an unbounded
    /// number.
    pub fn gaussian_nll_softplus(&mut self, mean: Var, raw: Var, floor: f64, y: Var) -> Var {
        self.pointwise(GaussianNllSoftplus { floor }, [mean, raw, y])
    }

    /// The pinball loss of q as the quantile of y at `level` τ: (y − q)(τ − 1{y < q}).
    pub fn pinball(&mut self, quantile: Var, level: Var, y: Var) -> Var {
        self.pointwise(Pinball, [quantile, level, y])
    }

    /// −ln of the density at y of Student's t with `freedom` ν > 0 degrees of freedom, a location m
    /// and a squared scale s².
    pub fn student_t_nll(
        &mut self,
        location: Var,
        squared_scale: Var,
        freedom: Var,
        y: Var,
    ) -> Var {
        self.pointwise(StudentTNll, [location, squared_scale, freedom, y])
    }

    fn pointwise<const K: usize, F: Pointwise<K>>(&mut self, function: F, inputs: [Var; K]) -> Var {
        let shape = self.shape(inputs[0]);
        assert!(
            inputs.iter().all(|x| self.shape(*x) == shape),
            "a loss takes matrices of one shape"
        );
        let op = Op::Pointwise(std::array::from_fn(|k| inputs.get(k).copied()));
        let count = shape.0 * shape.1;
        let (var, node) = self.push(op, shape, K * count, &inputs);
        let inputs = inputs.map(|x| node.value(x));
        Arch::new().dispatch(Each { function, inputs, out: node.out, derivatives: node.extra });
        var
    }
}

/// x̄_k += ȳ ∂f/∂x_k.
pub(super) fn backward(
    own: &[f64],
    derivatives: &[f64],
    inputs: &[Option<Var>; 4],
    operands: &mut Operands,
) {
    for (k, input) in inputs.iter().flatten().enumerate() {
        if let Some(gradient) = operands.gradient(*input) {
            for ((to, own), slope) in
                gradient.iter_mut().zip(own).zip(&derivatives[k * own.len()..])
            {
                *to += own * slope;
            }
        }
    }
}

/// A function of K numbers.
trait Pointwise<const K: usize>: Copy {
    /// Its value and its K derivatives.
    fn at(self, inputs: [f64; K]) -> (f64, [f64; K]);
}

struct Each<'a, F, const K: usize> {
    function: F,
    inputs: [&'a [f64]; K],
    out: &'a mut [f64],
    derivatives: &'a mut [f64],
}

/// Number of elements that are processed together.
const BLOCK: usize = 16;

impl<F: Pointwise<K>, const K: usize> WithSimd for Each<'_, F, K> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { function, inputs, out, derivatives } = self;
        let count = out.len();
        for first in (0..count).step_by(BLOCK) {
            let size = BLOCK.min(count - first);
            // Blocks are copied to arrays, so that the compiler needs no bounds checks and sees no
            // aliases.
            let mut block = [[1.0; BLOCK]; K];
            for (block, input) in block.iter_mut().zip(&inputs) {
                block[..size].copy_from_slice(&input[first..][..size]);
            }
            let (mut values, mut slopes) = ([0.0; BLOCK], [[0.0; BLOCK]; K]);
            for b in 0..BLOCK {
                let mut at = [0.0; K];
                for k in 0..K {
                    at[k] = block[k][b];
                }
                let (value, slope) = function.at(at);
                values[b] = value;
                for k in 0..K {
                    slopes[k][b] = slope[k];
                }
            }
            out[first..][..size].copy_from_slice(&values[..size]);
            for (k, slopes) in slopes.iter().enumerate() {
                derivatives[k * count + first..][..size].copy_from_slice(&slopes[..size]);
            }
        }
    }
}

#[derive(Clone, Copy)]
struct SquaredError;

impl Pointwise<2> for SquaredError {
    #[inline(always)]
    fn at(self, [mean, y]: [f64; 2]) -> (f64, [f64; 2]) {
        let e = y - mean;
        (e * e, [-2.0 * e, 2.0 * e])
    }
}

#[derive(Clone, Copy)]
struct GaussianNll;

impl Pointwise<3> for GaussianNll {
    #[inline(always)]
    fn at(self, [mean, variance, y]: [f64; 3]) -> (f64, [f64; 3]) {
        let precision = 1.0 / variance;
        let e = y - mean;
        let pull = e * precision;
        let value = LN_SQRT_2PI + 0.5 * (ln(variance) + e * pull);
        (value, [-pull, 0.5 * (precision - pull * pull), pull])
    }
}

#[derive(Clone, Copy)]
struct GaussianNllSoftplus {
    floor: f64,
}

impl Pointwise<3> for GaussianNllSoftplus {
    #[inline(always)]
    fn at(self, [mean, raw, y]: [f64; 3]) -> (f64, [f64; 3]) {
        let (value, [by_mean, by_variance, by_y]) =
            GaussianNll.at([mean, softplus(raw) + self.floor, y]);
        (value, [by_mean, by_variance * sigmoid(raw), by_y])
    }
}

#[derive(Clone, Copy)]
struct Pinball;

impl Pointwise<3> for Pinball {
    #[inline(always)]
    fn at(self, [quantile, level, y]: [f64; 3]) -> (f64, [f64; 3]) {
        let e = y - quantile;
        let slope = if e < 0.0 { level - 1.0 } else { level };
        (e * slope, [-slope, e, slope])
    }
}

#[derive(Clone, Copy)]
struct StudentTNll;

impl Pointwise<4> for StudentTNll {
    #[inline(always)]
    fn at(self, [location, square, nu, y]: [f64; 4]) -> (f64, [f64; 4]) {
        let e = y - location;
        // u = t²/ν.
        let u = e * e / (square * nu);
        let tail = u.ln_1p();
        let value =
            0.5 * (nu * PI * square).ln() - ln_gamma_half_step(0.5 * nu) + 0.5 * (nu + 1.0) * tail;
        // (ν + 1) / (1 + u), the weight of the row.
        let weight = (nu + 1.0) / (1.0 + u);
        let pull = weight * e / (square * nu);
        let by_square = 0.5 * (1.0 - weight * u) / square;
        let gammas = digamma(0.5 * (nu + 1.0)) - digamma(0.5 * nu);
        let by_nu = 0.5 * (1.0 / nu - gammas + tail - weight * u / nu);
        (value, [-pull, by_square, by_nu, pull])
    }
}
