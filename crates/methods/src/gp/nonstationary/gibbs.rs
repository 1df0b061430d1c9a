//! Evaluate the Gibbs kernel among the training rows in tiles, and pull a gradient back through it.
//!
//! ```text
//! K_ij = σ_i σ_j ∏_d √(2 ℓ_id ℓ_jd q_d) · exp(−Σ_d δ_d² q_d),  q_d = 1/(ℓ_id² + ℓ_jd²),  δ_d = x_id − x_jd  (3, corrected)
//! ∂ ln K_ij / ∂ ln σ_i = 1
//! ∂ ln K_ij / ∂ ln ℓ_id = ½ − ℓ_id² q_d (1 − 2 δ_d² q_d)
//! ```
//!
//! With the marginal likelihood's ∂(−ln p)/∂K = ½ (K⁻¹ − α αᵀ), where α = K⁻¹ (y − m), a row's
//! derivative is the sum over its pairs of (K⁻¹ − α αᵀ)_ij K_ij times the above.

use super::tiles::{Lane, SIDE, Tile, place};
use uq_core::math::vectorised::{exp, sum};

/// The kernel's data of the rows, lane by lane; rows beyond n have σ = 0, ℓ = 1 and noise 1.
#[derive(Clone, Debug)]
pub(super) struct RowFunctions {
    /// Lanes of rows.
    pub count: usize,
    /// Inputs x, input by input.
    pub inputs: Vec<Lane>,
    /// ℓ_d, input by input.
    pub length_scale: Vec<Lane>,
    /// σ.
    pub signal: Vec<Lane>,
    /// ω².
    pub noise: Vec<Lane>,
}

impl RowFunctions {
    fn dims(&self) -> usize {
        self.inputs.len() / self.count
    }
}

/// Derivatives by ln ℓ_d (input by input), ln σ and ω² of each row, lane by lane.
#[derive(Clone, Debug)]
pub(super) struct RowSlopes {
    pub length_scale: Vec<Lane>,
    pub signal: Vec<Lane>,
    pub noise: Vec<Lane>,
    /// Sums over a tile's rows, lane by lane: ln σ, then ln ℓ_d.
    rows: Vec<Tile>,
}

impl RowSlopes {
    /// Room for `count` lanes of rows and `dims` inputs.
    pub fn new(count: usize, dims: usize) -> Self {
        let lanes = |count| vec![[0.0; SIDE]; count];
        Self {
            length_scale: lanes(count * dims),
            signal: lanes(count),
            noise: lanes(count),
            rows: vec![[[0.0; SIDE]; SIDE]; 1 + dims],
        }
    }
}

/// Writes K of the rows, without noise, into the tiles of its lower triangle.
#[inline(always)]
pub(super) fn fill(tiles: &mut [Tile], rows: &RowFunctions) {
    let (count, dims) = (rows.count, rows.dims());
    for i in 0..count {
        for j in 0..=i {
            let tile = &mut tiles[place(i, j)];
            for (r, row) in tile.iter_mut().enumerate() {
                let (mut product, mut exponent) = ([1.0; SIDE], [0.0; SIDE]);
                for d in 0..dims {
                    let (x, l) =
                        (rows.inputs[d * count + i][r], rows.length_scale[d * count + i][r]);
                    let (xs, ls) = (&rows.inputs[d * count + j], &rows.length_scale[d * count + j]);
                    for c in 0..SIDE {
                        let q = 1.0 / (l * l + ls[c] * ls[c]);
                        product[c] *= 2.0 * l * ls[c] * q;
                        exponent[c] += (x - xs[c]) * (x - xs[c]) * q;
                    }
                }
                let (s, mut value) = (rows.signal[i][r], rows.signal[j]);
                for c in 0..SIDE {
                    value[c] *= s * product[c].sqrt() * exp(-exponent[c]); // (3)
                }
                *row = value;
            }
        }
    }
}

/// Adds ω² + `jitter` to the diagonal.
#[inline(always)]
pub(super) fn add_noise(tiles: &mut [Tile], noise: &[Lane], jitter: f64) {
    for (i, noise) in noise.iter().enumerate() {
        let tile = &mut tiles[place(i, i)];
        for r in 0..SIDE {
            tile[r][r] += noise[r] + jitter;
        }
    }
}

/// Pulls ½ (K⁻¹ − α αᵀ) back to the rows; `kernel` is without noise, `inverse` with it.
#[inline(always)]
pub(super) fn pull_back(
    slopes: &mut RowSlopes,
    kernel: &[Tile],
    inverse: &[Tile],
    alpha: &[Lane],
    functions: &RowFunctions,
) {
    let (count, dims) = (functions.count, functions.dims());
    slopes.length_scale.fill([0.0; SIDE]);
    slopes.signal.fill([0.0; SIDE]);
    for i in 0..count {
        slopes.rows.fill([[0.0; SIDE]; SIDE]);
        for j in 0..=i {
            let (k, inverse) = (&kernel[place(i, j)], &inverse[place(i, j)]);
            // A tile on the diagonal contains each of its pairs twice.
            let below = if i == j { 0.0 } else { 1.0 };
            for r in 0..SIDE {
                let mut weight = [0.0; SIDE];
                for c in 0..SIDE {
                    weight[c] = (inverse[r][c] - alpha[i][r] * alpha[j][c]) * k[r][c];
                    slopes.rows[0][r][c] += weight[c];
                    slopes.signal[j][c] += below * weight[c];
                }
                for d in 0..dims {
                    let (x, l) = (
                        functions.inputs[d * count + i][r],
                        functions.length_scale[d * count + i][r],
                    );
                    let (xs, ls) =
                        (&functions.inputs[d * count + j], &functions.length_scale[d * count + j]);
                    let (row, column) =
                        (&mut slopes.rows[1 + d][r], &mut slopes.length_scale[d * count + j]);
                    for c in 0..SIDE {
                        let q = 1.0 / (l * l + ls[c] * ls[c]);
                        let t = q * (1.0 - 2.0 * (x - xs[c]) * (x - xs[c]) * q);
                        row[c] += weight[c] * (0.5 - l * l * t);
                        column[c] += below * weight[c] * (0.5 - ls[c] * ls[c] * t);
                    }
                }
            }
        }
        let diagonal = &inverse[place(i, i)];
        for r in 0..SIDE {
            slopes.signal[i][r] += sum(&slopes.rows[0][r]);
            for d in 0..dims {
                slopes.length_scale[d * count + i][r] += sum(&slopes.rows[1 + d][r]);
            }
            slopes.noise[i][r] = 0.5 * (diagonal[r][r] - alpha[i][r] * alpha[i][r]);
        }
    }
}
