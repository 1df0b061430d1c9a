//! Lay a grid over the latent space, for the variational posterior of each latent point.

use serde::{Deserialize, Serialize};

/// Half the width of the grid, in standard deviations of the prior of x: one latent point in 16 000
/// lies further out along an axis.
const REACH: f64 = 4.0;

/// The nodes of a regular grid over the latent space, with the prior of x on them.
///
/// Sums over nodes stand for integrals over x: of a normal density with standard deviation s at a
/// spacing h the error is of the order of exp(−2π² s²/h²), below 1e-4 for s = 0.7 h.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeGrid {
    /// Nodes along the first axis, and along the second (1 in a latent space of one dimension).
    pub axes: [usize; 2],
    /// Distance of neighbours.
    pub spacing: f64,
    /// ln p(x) at each node, normalised over the nodes: x ~ N(0, I).
    pub log_prior: Vec<f64>,
}

impl NodeGrid {
    /// `nodes` of them along each of 1 or 2 `dimensions`, from −4 to 4.
    pub fn new(dimensions: usize, nodes: usize) -> Self {
        let axes = [nodes, if dimensions > 1 { nodes } else { 1 }];
        let spacing = 2.0 * REACH / (nodes.max(2) - 1) as f64;
        let mut grid = Self { axes, spacing, log_prior: Vec::new() };
        let exponents: Vec<f64> = (0..grid.len())
            .map(|g| -0.5 * grid.node(g).map(|x| x * x).iter().sum::<f64>())
            .collect();
        let total = exponents.iter().map(|e| e.exp()).sum::<f64>().ln();
        grid.log_prior = exponents.into_iter().map(|e| e - total).collect();
        grid
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.axes[0] * self.axes[1]
    }

    /// Whether it has no node: never true.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The coordinates of a node; the second is 0 in a latent space of one dimension.
    pub fn node(&self, g: usize) -> [f64; 2] {
        let along =
            |place: usize, nodes: usize| (place as f64 - 0.5 * (nodes - 1) as f64) * self.spacing;
        [along(g / self.axes[1], self.axes[0]), along(g % self.axes[1], self.axes[1])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prior_on_the_nodes_has_the_moments_of_the_normal_distribution() {
        for (dimensions, nodes) in [(1, 17), (2, 21)] {
            let grid = NodeGrid::new(dimensions, nodes);
            assert_eq!(grid.len(), nodes.pow(dimensions as u32));
            let moment = |power: i32| -> f64 {
                (0..grid.len()).map(|g| grid.log_prior[g].exp() * grid.node(g)[0].powi(power)).sum()
            };
            // Of N(0, 1) cut at ±4: mean 0, and weight, variance and fourth moment 1, 1 and 3 less
            // the part beyond.
            assert!((moment(0) - 1.0).abs() < 1e-12 && moment(1).abs() < 1e-12);
            assert!(
                (moment(2) - 1.0).abs() < 2e-3 && (moment(4) - 3.0).abs() < 3e-2,
                "{} {}",
                moment(2),
                moment(4)
            );
        }
        assert_eq!(
            (NodeGrid::new(2, 5).node(0), NodeGrid::new(2, 5).node(7)),
            ([-4.0, -4.0], [-2.0, 0.0])
        );
        assert_eq!(NodeGrid::new(1, 5).node(4), [4.0, 0.0]);
    }
}
