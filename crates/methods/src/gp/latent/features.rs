//! Draw random Fourier features, and evaluate their kernel on a grid.
//!
//! ```text
//! κ(x, x') ≈ φ(x)ᵀ φ(x')                                                                      (14)
//! φ(x) = √(1/J) [cos ω_1ᵀx, sin ω_1ᵀx, …, cos ω_Jᵀx, sin ω_Jᵀx]ᵀ,   ω_j ~ N(0, I / ℓ²)        (15)
//! ```
//!
//! J counts the frequencies, so that there are 2J features; printed (15) has J features of J/2
//! frequencies under the root of 2/J, which is the same function of the number of frequencies.
//! Since cos a cos b + sin a sin b = cos(a − b), φ(x)ᵀφ(x') is the mean of cos ω_jᵀ(x − x'): on a
//! regular grid it depends on the distance of two nodes alone, and all of them cost two small
//! matrix products.

use faer::Accum;
use ndarray::{Array2, ArrayView2};

use super::grid::NodeGrid;
use uq_core::math::random::Rng;
use uq_math::matrix_product::{Factor, multiply};
use uq_math::normal_draws::fill_standard_normal;

/// Frequencies of the RBF kernel of length scale 1.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomFeatures {
    /// J × 2, row by row; in a latent space of one dimension the second coordinate is multiplied by
    /// zero.
    frequencies: Vec<f64>,
}

/// φ(x)ᵀφ(x') of every pair of nodes of a grid, by their distance.
#[derive(Clone, Debug, Default)]
pub struct GridKernel {
    axes: [usize; 2],
    /// By |i − i'| and |j − j'|: the kernel where both differences have one sign, and where they
    /// have different ones.
    signs: [Vec<f64>; 2],
    /// cos and sin of ω h k / ℓ along each axis: nodes × J.
    waves: [Vec<f64>; 4],
}

impl RandomFeatures {
    /// `count` frequencies, J, from the spectral density of the RBF kernel.
    pub fn draw(count: usize, rng: &mut Rng) -> Self {
        let mut frequencies = vec![0.0; 2 * count];
        fill_standard_normal(&mut frequencies, rng);
        Self { frequencies }
    }

    /// J.
    pub fn count(&self) -> usize {
        self.frequencies.len() / 2
    }

    /// φ at each row of `points` (n × 1 or 2), with the frequencies divided by `length_scale`: n ×
    /// 2J, Eq. (15).
    pub fn at(&self, points: ArrayView2<f64>, length_scale: f64) -> Array2<f64> {
        let root = (1.0 / self.count() as f64).sqrt();
        Array2::from_shape_fn((points.nrows(), 2 * self.count()), |(i, k)| {
            let frequency = &self.frequencies[k / 2 * 2..][..2];
            let angle =
                points.row(i).iter().zip(frequency).map(|(x, w)| x * w).sum::<f64>() / length_scale;
            root * if k % 2 == 0 { angle.cos() } else { angle.sin() } // (15)
        })
    }

    /// Evaluates the kernel of this length scale on all pairs of nodes.
    pub fn on_grid(&self, grid: &NodeGrid, length_scale: f64, kernel: &mut GridKernel) {
        let [first, second] = grid.axes;
        let j = self.count();
        kernel.axes = grid.axes;
        for (axis, nodes) in grid.axes.into_iter().enumerate() {
            let [cosines, sines] = &mut kernel.waves[2 * axis..2 * axis + 2] else { continue };
            cosines.resize(nodes * j, 0.0);
            sines.resize(nodes * j, 0.0);
            for (f, frequency) in self.frequencies.chunks_exact(2).enumerate() {
                // cos and sin of k θ by the addition theorems, from those of θ: an error of a few k
                // units in the last place.
                let (sine, cosine) = (frequency[axis] * grid.spacing / length_scale).sin_cos();
                let mut at = (1.0, 0.0);
                for k in 0..nodes {
                    (cosines[k * j + f], sines[k * j + f]) = at;
                    at = (at.0 * cosine - at.1 * sine, at.1 * cosine + at.0 * sine);
                }
            }
        }
        let [same, opposite] = &mut kernel.signs;
        same.resize(first * second, 0.0);
        opposite.resize(first * second, 0.0);
        let [c1, s1, c2, s2] = &kernel.waves;
        let (left, right) =
            (|v| Factor::new(v, first, j), |v| Factor::new(v, second, j).transpose());
        let mean = 1.0 / j as f64;
        // cos(a ± b) = cos a cos b ∓ sin a sin b.
        multiply(same, Accum::Replace, left(c1), right(c2), mean);
        opposite.copy_from_slice(same);
        multiply(same, Accum::Add, left(s1), right(s2), -mean);
        multiply(opposite, Accum::Add, left(s1), right(s2), mean);
    }
}

impl GridKernel {
    /// The kernel of node `g` with every node.
    pub fn column(&self, g: usize, to: &mut [f64]) {
        let [_, second] = self.axes;
        let (i, j) = (g / second, g % second);
        for (row, to) in to.chunks_exact_mut(second).enumerate() {
            let [same, opposite] = &self.signs;
            let at = row.abs_diff(i) * second;
            // Below j the differences of the columns are negative.
            let (below, above) = if row >= i { (opposite, same) } else { (same, opposite) };
            for (column, to) in to.iter_mut().enumerate() {
                *to = if column < j { below[at + j - column] } else { above[at + column - j] };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    fn nodes(grid: &NodeGrid, dimensions: usize) -> Array2<f64> {
        Array2::from_shape_fn((grid.len(), dimensions), |(g, axis)| grid.node(g)[axis])
    }

    #[test]
    fn the_kernel_on_the_grid_is_the_product_of_the_features() {
        for dimensions in [1, 2] {
            let grid = NodeGrid::new(dimensions, 7);
            let features = RandomFeatures::draw(9, &mut Rng::seed_from_u64(3));
            let phi = features.at(nodes(&grid, dimensions).view(), 1.3);
            assert_eq!(phi.dim(), (grid.len(), 18));
            let expected = phi.dot(&phi.t());
            let mut kernel = GridKernel::default();
            features.on_grid(&grid, 1.3, &mut kernel);
            let mut column = vec![0.0; grid.len()];
            for g in 0..grid.len() {
                kernel.column(g, &mut column);
                for (h, found) in column.iter().enumerate() {
                    assert!((found - expected[(g, h)]).abs() < 1e-13, "{g} {h}: {found}");
                }
                assert!((column[g] - 1.0).abs() < 1e-14, "κ(x, x) = 1");
            }
        }
    }

    #[test]
    fn the_kernel_becomes_the_rbf_kernel_as_frequencies_are_added() {
        let grid = NodeGrid::new(2, 9);
        let length_scale: f64 = 1.7;
        let worst = |count: usize| {
            let mut kernel = GridKernel::default();
            RandomFeatures::draw(count, &mut Rng::seed_from_u64(11)).on_grid(
                &grid,
                length_scale,
                &mut kernel,
            );
            let mut column = vec![0.0; grid.len()];
            kernel.column(0, &mut column);
            let square =
                |g: usize| (0..2).map(|k| (grid.node(g)[k] - grid.node(0)[k]).powi(2)).sum::<f64>();
            let error =
                |g: usize| (column[g] - (-0.5 * square(g) / length_scale.powi(2)).exp()).abs();
            (0..grid.len()).map(error).fold(0.0, f64::max)
        };
        // Each is a mean of J cosines: four standard errors, at most 4 √(½ / J), at the worst of 81
        // nodes.
        for count in [100, 10_000, 1_000_000] {
            assert!(worst(count) < 4.0 * (0.5 / count as f64).sqrt(), "{count}: {}", worst(count));
        }
    }
}
