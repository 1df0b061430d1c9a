mod bound;
mod gradient;
mod method;

use super::layer::Layer;
use super::network::{Batch, Network, NetworkWork};
use super::start::Start;
use super::*;
use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use uq_core::math::random::{Rng, Streams};
use uq_math::matrix_product::Real;

/// Rows x (n × d), targets and inducing points of a small problem.
struct Problem {
    x: Array2<f64>,
    y: Vec<f64>,
    z: Array2<f64>,
}

impl Problem {
    fn new(n: usize, d: usize, points: usize) -> Self {
        let mut rng = Rng::seed_from_u64(4);
        let x = Array2::from_shape_simple_fn((n, d), || rng.random_range(-1.7..1.7));
        let y = x
            .rows()
            .into_iter()
            .map(|row| f64::sin(2.0 * row[0]) + rng.random_range(-0.3..0.3))
            .collect();
        let z = Array2::from_shape_simple_fn((points, d), || rng.random_range(-1.7..1.7));
        Self { x, y, z }
    }

    /// A network whose parameters have all been moved away from the start.
    fn network(&self, layers: usize, width: usize) -> (Network, Vec<f64>) {
        let start = Start {
            layers,
            width,
            inner_variance: 0.04,
            inner_noise: 1e-3,
            noise: 0.2,
            noise_floor: 1e-3,
            jitter: 1e-6,
            ard: true,
        };
        let (network, mut theta) = start.build(self.x.view(), self.z.view()).unwrap();
        let mut rng = Rng::seed_from_u64(5);
        for place in parameters(&network) {
            theta[place] += rng.random_range(-0.15..0.15);
        }
        (network, theta)
    }

    /// Loss and gradient of these rows, with draws of this seed.
    fn loss(
        &self,
        network: &Network,
        theta: &[f64],
        rows: &[usize],
        share: f64,
        seed: u64,
    ) -> (f64, Vec<f64>) {
        self.loss_by_chunks(network, theta, (rows, share), rows.len(), seed)
    }

    /// The same, by chunks of at most `room` rows.
    fn loss_by_chunks(
        &self,
        network: &Network,
        theta: &[f64],
        (rows, share): (&[usize], f64),
        room: usize,
        seed: u64,
    ) -> (f64, Vec<f64>) {
        self.loss_in(network.work::<f64>(room), network, theta, (rows, share), seed)
    }

    /// The same, in the precision of this memory.
    fn loss_in<T: Real>(
        &self,
        mut work: NetworkWork<T>,
        network: &Network,
        theta: &[f64],
        (rows, share): (&[usize], f64),
        seed: u64,
    ) -> (f64, Vec<f64>) {
        let mut gradient = vec![0.0; theta.len()];
        let batch = Batch { x: self.x.view(), y: &self.y, rows, share };
        let rng = &mut Rng::seed_from_u64(seed);
        let loss = network.loss(theta, &batch, &mut work, &mut gradient, rng).unwrap();
        (loss, gradient)
    }
}

/// The places of `theta` that are parameters: all but those above the diagonals of the factors S.
fn parameters(network: &Network) -> Vec<usize> {
    let mut above = vec![false; network.end()];
    for layer in &network.layers {
        for block in &layer.blocks {
            layer.visit_triangle(block, |place, diagonal| above[place] = !diagonal);
        }
    }
    (0..above.len()).filter(|place| !above[*place]).collect()
}

/// The place of entry (i, j) of the factor S of an output; i ≥ j.
fn place(layer: &Layer, output: usize, i: usize, j: usize) -> usize {
    let block = layer
        .blocks
        .iter()
        .find(|block| (block.first..block.first + block.width).contains(&j))
        .unwrap();
    block.at + ((i - block.first) * layer.outputs + output) * block.width + j - block.first
}

/// The factor S of an output, M × M.
fn factor(layer: &Layer, theta: &[f64], output: usize) -> Array2<f64> {
    let m = layer.points;
    Array2::from_shape_fn(
        (m, m),
        |(i, j)| if i >= j { theta[place(layer, output, i, j)] } else { 0.0 },
    )
}

fn prepared(network: &Network, theta: &[f64], columns: usize) -> NetworkWork<f64> {
    let mut work = network.work(columns);
    network.prepare(theta, &mut work).unwrap();
    work
}

fn context() -> Context {
    Context::new(Streams::new(1, "deep-gp"))
}
