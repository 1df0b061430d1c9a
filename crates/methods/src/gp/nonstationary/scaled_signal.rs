//! Evaluate the signal at inputs that are divided by the length scale, as the authors' program
//! does, and pull a gradient back through it.
//!
//! ```text
//! K_ij = σ(x_i / ℓ̄_ij) σ(x_j / ℓ̄_ij) ρ_ij,   ℓ̄_ijd² = (ℓ_id² + ℓ_jd²) / 2                   (1)
//! ∂(−ln p)/∂ ln σ(x_i / ℓ̄_ij) = (K⁻¹ − α αᵀ)_ij K_ij,  ∂ ln ℓ̄_ijd / ∂ ln ℓ_id = ℓ_id² / (ℓ_id² + ℓ_jd²)  (2)
//! ```
//!
//! ρ is the kernel (3) without its signals. σ has a value for each ordered pair of rows. With a
//! constant ℓ it is σ(x/ℓ), a function of the row, and (1) is a kernel; where ℓ varies it need not
//! be one. The inducing inputs stay in the units of x.
//!
//! Source: patel-zeel/gpax at 74933a9, `gpax/stheno/kernels.py`, lines 50 to 75: the inputs are
//! divided by `l_avg` (58,
//! 59) or `lengthscale` (62) before the signal is predicted at them (70). Of that library only this
//!     state and 39f7cd3 have the parameters that the program of Table 1 names.

use super::gibbs::{RowFunctions, RowSlopes};
use super::latent::Latent;
use super::layout::Layout;
use super::tiles::{Lane, SIDE, Tile, place};
use uq_core::math::vectorised::{exp, sum};

/// Room for σ of all ordered pairs of rows (i, j): lane j / [`SIDE`] of row i is lane i · count + j
/// / [`SIDE`].
pub(super) struct ScaledSignal {
    /// σ alone.
    latent: Latent,
    /// Lanes of rows.
    count: usize,
    /// x_i / ℓ̄_ij, input by input.
    inputs: Vec<Lane>,
    /// The derivatives by them.
    by_inputs: Vec<Lane>,
    /// ln σ(x_i / ℓ̄_ij), then the derivatives by it.
    logs: Vec<Lane>,
}

impl ScaledSignal {
    /// Room for `count` lanes of rows.
    pub fn new(layout: &Layout, jitter: f64, count: usize) -> Self {
        let pairs = SIDE * count * count;
        let room = |lanes: usize| vec![[0.0; SIDE]; lanes];
        Self {
            latent: Latent::new(&layout.signal_alone(), jitter, None, pairs),
            count,
            inputs: room(layout.dims * pairs),
            by_inputs: room(layout.dims * pairs),
            logs: room(pairs),
        }
    }

    /// Turns ρ in the tiles into K (1).
    #[inline(always)]
    pub fn multiply(&mut self, theta: &[f64], functions: &RowFunctions, kernel: &mut [Tile]) {
        let count = self.count;
        for (d, inputs) in self.inputs.chunks_exact_mut(SIDE * count * count).enumerate() {
            let (x, scales) = (
                &functions.inputs[d * count..],
                &functions.length_scale[d * count..(d + 1) * count],
            );
            for (i, lanes) in inputs.chunks_exact_mut(count).enumerate() {
                let (x, l) = (x[i / SIDE][i % SIDE], scales[i / SIDE][i % SIDE]);
                for (to, others) in lanes.iter_mut().zip(scales) {
                    for c in 0..SIDE {
                        to[c] = x * (2.0 / (l * l + others[c] * others[c])).sqrt();
                    }
                }
            }
        }
        self.latent.evaluate(theta, &self.inputs, &mut self.logs);
        for i in 0..count {
            for j in 0..=i {
                for (r, row) in kernel[place(i, j)].iter_mut().enumerate() {
                    for (c, entry) in row.iter_mut().enumerate() {
                        let other = self.logs[(j * SIDE + c) * count + i][r];
                        *entry *= exp(self.logs[(i * SIDE + r) * count + j][c] + other);
                    }
                }
            }
        }
    }

    /// Adds to `gradient` the derivatives by σ's parameters and by the inducing inputs, and to
    /// `slopes` those by ln ℓ, at the point of the last [`ScaledSignal::multiply`]; the matrices
    /// are K without noise, the inverse with it, and α. The slopes by a signal of each row become
    /// zero.
    #[inline(always)]
    pub fn pull_back(
        &mut self,
        theta: &[f64],
        (kernel, inverse, alpha): (&[Tile], &[Tile], &[Lane]),
        functions: &RowFunctions,
        slopes: &mut RowSlopes,
        gradient: &mut [f64],
    ) {
        let count = self.count;
        for i in 0..count {
            for j in 0..=i {
                let (k, inverse) = (&kernel[place(i, j)], &inverse[place(i, j)]);
                for r in 0..SIDE {
                    for c in 0..SIDE {
                        let weight = (inverse[r][c] - alpha[i][r] * alpha[j][c]) * k[r][c]; // (2)
                        self.logs[(i * SIDE + r) * count + j][c] = weight;
                        self.logs[(j * SIDE + c) * count + i][r] = weight;
                    }
                }
            }
        }
        self.by_inputs.fill([0.0; SIDE]);
        self.latent.pull_back(theta, &self.inputs, &self.logs, gradient, Some(&mut self.by_inputs));
        let each = self
            .inputs
            .chunks_exact(SIDE * count * count)
            .zip(self.by_inputs.chunks_exact(SIDE * count * count));
        for (d, (inputs, by_inputs)) in each.enumerate() {
            let scales = &functions.length_scale[d * count..(d + 1) * count];
            let to = &mut slopes.length_scale[d * count..(d + 1) * count];
            for (i, (inputs, by_inputs)) in
                inputs.chunks_exact(count).zip(by_inputs.chunks_exact(count)).enumerate()
            {
                let l = scales[i / SIDE][i % SIDE];
                let mut own = [0.0; SIDE];
                let lanes = to.iter_mut().zip(scales).zip(inputs.iter().zip(by_inputs));
                for ((to, others), (inputs, by_inputs)) in lanes {
                    for c in 0..SIDE {
                        let square = others[c] * others[c];
                        let slope = inputs[c] * by_inputs[c] / (l * l + square);
                        own[c] += slope * l * l;
                        to[c] -= slope * square;
                    }
                }
                to[i / SIDE][i % SIDE] -= sum(&own);
            }
        }
        slopes.signal.fill([0.0; SIDE]);
    }
}
