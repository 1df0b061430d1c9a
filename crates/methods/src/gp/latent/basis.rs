//! Write the process on the grid as a sum of few functions: a pivoted Cholesky factor of its
//! kernel.
//!
//! K = φφᵀ on the G nodes is positive semidefinite. Its rank is 2J at most, and in practice far
//! less, because its functions are smooth. Ψ (G × r) with K ≈ ΨΨᵀ is the projection of the features
//! on the r nodes that the pivots choose. On the grid, weights of r functions then replace those of
//! 2J features. The prior variance of f, 1, falls by less than the tolerance at any node.
//!
//! Reference: S. Fine, K. Scheinberg: *Efficient SVM training using low-rank kernel
//! representations*, JMLR 2, 2001, Section 4.

use serde::{Deserialize, Serialize};

use super::features::GridKernel;

/// Ψᵀ: r functions, each at the G nodes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Basis {
    /// r × G, row by row.
    pub values: Vec<f64>,
    /// r.
    pub rank: usize,
    /// Remaining prior variance at each node.
    rest: Vec<f64>,
}

impl Basis {
    /// Decomposes the kernel on `nodes` nodes until at most `tolerance` of the prior variance is
    /// left at each.
    pub fn decompose(&mut self, kernel: &GridKernel, nodes: usize, tolerance: f64) {
        let Self { values, rank, rest } = self;
        values.clear();
        rest.clear();
        rest.resize(nodes, 1.0);
        *rank = 0;
        while *rank < nodes {
            let pivot = (1..nodes).fold(0, |best, g| if rest[g] > rest[best] { g } else { best });
            let left = rest[pivot];
            // NaN ends it too.
            if left.is_nan() || left <= tolerance {
                return;
            }
            values.resize((*rank + 1) * nodes, 0.0);
            let (before, new) = values.split_at_mut(*rank * nodes);
            kernel.column(pivot, new);
            for function in before.chunks_exact(nodes) {
                let weight = function[pivot];
                new.iter_mut().zip(function).for_each(|(new, old)| *new -= weight * old);
            }
            let root = left.sqrt();
            for (new, rest) in new.iter_mut().zip(&mut *rest) {
                *new /= root;
                *rest -= *new * *new;
            }
            *rank += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gp::latent::features::RandomFeatures;
    use crate::gp::latent::grid::NodeGrid;
    use rand::SeedableRng;
    use uq_core::math::random::Rng;

    #[test]
    fn the_product_is_the_kernel_to_the_tolerance_and_the_rank_is_small() {
        let grid = NodeGrid::new(2, 15);
        let nodes = grid.len();
        for (count, length_scale, most) in [(3, 2.0, 6), (200, 4.0, 50), (200, 0.3, nodes)] {
            let (mut kernel, mut basis) = (GridKernel::default(), Basis::default());
            RandomFeatures::draw(count, &mut Rng::seed_from_u64(2)).on_grid(
                &grid,
                length_scale,
                &mut kernel,
            );
            basis.decompose(&kernel, nodes, 1e-8);
            assert!(basis.rank <= most, "{count} {length_scale}: {}", basis.rank);
            let mut column = vec![0.0; nodes];
            for g in 0..nodes {
                kernel.column(g, &mut column);
                for (h, expected) in column.iter().enumerate() {
                    let found: f64 = (0..basis.rank)
                        .map(|k| basis.values[k * nodes + g] * basis.values[k * nodes + h])
                        .sum();
                    assert!(
                        (found - expected).abs() < 1.1e-8,
                        "{g} {h}: {found} against {expected}"
                    );
                }
            }
        }
    }
}
