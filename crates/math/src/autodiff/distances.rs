//! Measure squared distances of rows, and turn them into stationary kernels.

use faer::Accum;
use faer::traits::pulp::{Arch, Simd, WithSimd};

use super::op::{Op, Var};
use super::tape::{Operands, Tape};
use crate::matrix_product::{Factor, multiply};

impl Tape {
    /// Σ_d (a_id − b_jd)² / ℓ_d² of each row of a (n × d) and of b (m × d), with a length scale ℓ
    /// (1 × d) for each column: n × m.
    ///
    /// Exactly zero for equal rows, because differences are squared and no products are subtracted.
    pub fn squared_distances(&mut self, a: Var, b: Var, length_scales: Var) -> Var {
        let ((n, d), (m, other)) = (self.shape(a), self.shape(b));
        assert_eq!(
            (d, (1, d)),
            (other, self.shape(length_scales)),
            "rows of {d} columns, and as many length scales"
        );
        let op = Op::SquaredDistances(a, b, length_scales);
        let (var, node) = self.push(op, (n, m), d * m, &[a, b, length_scales]);
        let (rows, columns, scales) = (node.value(a), node.value(b), node.value(length_scales));
        let turned = node.extra;
        for (k, scale) in scales.iter().enumerate() {
            for j in 0..m {
                turned[k * m + j] = columns[j * d + k] / scale;
            }
        }
        Arch::new().dispatch(Distances { rows, scales, turned, out: node.out, m });
        var
    }
}

struct Distances<'a> {
    rows: &'a [f64],
    scales: &'a [f64],
    /// b in length scales, d × m.
    turned: &'a [f64],
    out: &'a mut [f64],
    m: usize,
}

impl WithSimd for Distances<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { rows, scales, turned, out, m } = self;
        out.fill(0.0);
        let d = scales.len();
        for (i, out) in out.chunks_exact_mut(m.max(1)).enumerate() {
            for (k, scale) in scales.iter().enumerate() {
                let x = rows[i * d + k] / scale;
                for (out, y) in out.iter_mut().zip(&turned[k * m..]) {
                    *out += (x - y) * (x - y);
                }
            }
        }
    }
}

/// With G the gradient by the distances, r and c its row and column sums:
/// ā_ik += 2 (a_ik r_i − (G b)_ik) / ℓ_k², b̄_jk += 2 (b_jk c_j − (Gᵀ a)_jk) / ℓ_k²,
/// ℓ̄_k −= 2 Σ_ij G_ij (a_ik − b_jk)² / ℓ_k³.
pub(super) fn backward(
    own: &[f64],
    (a, b, length_scales): (Var, Var, Var),
    operands: &mut Operands,
) {
    let ((n, d), m) = (operands.shape(a), operands.shape(b).0);
    let (x, y, scales) = (operands.value(a), operands.value(b), operands.value(length_scales));
    let mut work = std::mem::take(operands.workspace);
    work.resize(((n.max(m)) * d).max(1), 0.0);
    let g = Factor::new(own, n, m);
    // Rows of the first matrix against all of the second one.
    for (var, rows, others, g) in [(a, (x, n), (y, m), g), (b, (y, m), (x, n), g.transpose())] {
        let Some(gradient) = operands.gradient(var) else { continue };
        let products = &mut work[..rows.1 * d];
        multiply(products, Accum::Replace, g, Factor::new(others.0, others.1, d), 1.0);
        for i in 0..rows.1 {
            let total: f64 = if g.transposed {
                own[i..].iter().step_by(m).sum()
            } else {
                own[i * m..][..m].iter().sum()
            };
            for (k, scale) in scales.iter().enumerate() {
                let place = i * d + k;
                gradient[place] +=
                    2.0 * (rows.0[place] * total - products[place]) / (scale * scale);
            }
        }
    }
    if let Some(gradient) = operands.gradient(length_scales) {
        // b by columns, so that the inner loop runs over neighbours.
        work.resize((m * d).max(1), 0.0);
        for k in 0..d {
            for j in 0..m {
                work[k * m + j] = y[j * d + k];
            }
        }
        Arch::new().dispatch(ByScales {
            own,
            rows: x,
            turned: &work[..m * d],
            scales,
            gradient,
            m,
        });
    }
    *operands.workspace = work;
}

struct ByScales<'a> {
    own: &'a [f64],
    rows: &'a [f64],
    turned: &'a [f64],
    scales: &'a [f64],
    gradient: &'a mut [f64],
    m: usize,
}

/// Number of partial sums, so that they fill the processor's vectors.
const LANES: usize = 8;

impl WithSimd for ByScales<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { own, rows, turned, scales, gradient, m } = self;
        let d = scales.len();
        for (k, scale) in scales.iter().enumerate() {
            let column = &turned[k * m..][..m];
            let mut lanes = [0.0; LANES];
            let mut rest = 0.0;
            for (i, own) in own.chunks_exact(m.max(1)).enumerate() {
                let x = rows[i * d + k];
                let (own, column) = (own.chunks_exact(LANES), column.chunks_exact(LANES));
                for (g, y) in own.remainder().iter().zip(column.remainder()) {
                    rest += g * ((x - y) * (x - y));
                }
                for (g, y) in own.zip(column) {
                    for b in 0..LANES {
                        lanes[b] += g[b] * ((x - y[b]) * (x - y[b]));
                    }
                }
            }
            gradient[k] -= 2.0 * (lanes.iter().sum::<f64>() + rest) / (scale * scale * scale);
        }
    }
}
