//! The closed forms against dense formulas with the features themselves, and the bound against the
//! sum over all latent points.

use ndarray::{Array1, Array2};

use super::{context, normal};
use crate::gp::latent::RffGplvmParameters;
use crate::gp::latent::basis::Basis;
use crate::gp::latent::features::{GridKernel, RandomFeatures};
use crate::gp::latent::grid::NodeGrid;
use crate::gp::latent::training::{Climb, Problem, train};
use crate::gp::latent::weights::{Moments, Posterior, Ratios, Totals, Workspace, condition};

/// a⁻¹ b and ln |a| of a positive definite a, by elimination.
pub fn solve(a: &Array2<f64>, b: &Array2<f64>) -> (Array2<f64>, f64) {
    let (mut a, mut x, n) = (a.clone(), b.clone(), a.nrows());
    let mut log_determinant = 0.0;
    for k in 0..n {
        let pivot = a[(k, k)];
        log_determinant += pivot.ln();
        for i in (0..n).filter(|i| *i != k) {
            let factor = a[(i, k)] / pivot;
            (0..n).for_each(|j| a[(i, j)] -= factor * a[(k, j)]);
            (0..x.ncols()).for_each(|j| x[(i, j)] -= factor * x[(k, j)]);
        }
    }
    for k in 0..n {
        (0..x.ncols()).for_each(|j| x[(k, j)] /= a[(k, k)]);
    }
    (x, log_determinant)
}

/// ln N(y | 0, σ² (I + ΦΦᵀ / λ)).
fn dense_evidence(phi: &Array2<f64>, y: &Array1<f64>, ratio: f64, noise: f64) -> f64 {
    let n = y.len();
    let covariance = (Array2::eye(n) + phi.dot(&phi.t()) / ratio) * noise;
    let (solved, log_determinant) = solve(&covariance, &y.clone().insert_axis(ndarray::Axis(1)));
    -0.5 * (n as f64 * (2.0 * std::f64::consts::PI).ln()
        + log_determinant
        + y.dot(&solved.column(0)))
}

/// A grid, its features at all nodes, and its basis.
fn setting(
    dimensions: usize,
    nodes: usize,
    length_scale: f64,
) -> (NodeGrid, RandomFeatures, Array2<f64>, Basis) {
    let grid = NodeGrid::new(dimensions, nodes);
    let features = RandomFeatures::draw(5, &mut context().stream("frequencies", 0));
    let points = Array2::from_shape_fn((grid.len(), dimensions), |(g, axis)| grid.node(g)[axis]);
    let phi = features.at(points.view(), length_scale);
    let (mut kernel, mut basis) = (GridKernel::default(), Basis::default());
    features.on_grid(&grid, length_scale, &mut kernel);
    basis.decompose(&kernel, grid.len(), 1e-13);
    (grid, features, phi, basis)
}

/// Moments of rows whose latent points are these nodes.
fn moments_at(at: &[usize], y: &Array2<f64>, nodes: usize) -> Moments {
    let mut moments = Moments { weights: vec![0.0; nodes], targets: vec![0.0; y.ncols() * nodes] };
    for (&g, y) in at.iter().zip(y.rows()) {
        moments.weights[g] += 1.0;
        y.iter().enumerate().for_each(|(d, y)| moments.targets[d * nodes + g] += y);
    }
    moments
}

#[test]
fn the_weights_posterior_is_that_of_the_dense_formula_in_the_features() {
    let (grid, _, phi, basis) = setting(2, 9, 1.7);
    let (at, y) = ([3, 40, 41, 60, 12, 77, 40, 30, 52, 39, 20, 44], normal(12, 2, "outputs"));
    let squares: Vec<f64> = y.columns().into_iter().map(|y| y.dot(&y)).collect();
    let totals = Totals { rows: 12, squares: &squares, floor: 1e-9 };
    let moments = moments_at(&at, &y, grid.len());
    let (mut found, ratios) = (Posterior::default(), [0.3, 2.0]);
    condition(
        &basis,
        &moments,
        totals,
        Ratios::Given(&ratios),
        &mut Workspace::default(),
        &mut found,
    )
    .unwrap();
    let rows = phi.select(ndarray::Axis(0), &at);
    let mut evidence = 0.0;
    for (d, ratio) in ratios.into_iter().enumerate() {
        let y = y.column(d).to_owned();
        let a = rows.t().dot(&rows) + ratio * Array2::<f64>::eye(10);
        let theta =
            solve(&a, &rows.t().dot(&y).insert_axis(ndarray::Axis(1))).0.column(0).to_owned();
        let noise = (y.dot(&y) - rows.t().dot(&y).dot(&theta)) / 10.0;
        assert!((found.noise[d] / noise - 1.0).abs() < 1e-9, "{} against {noise}", found.noise[d]);
        let spread = solve(&a, &phi.t().to_owned()).0;
        for g in 0..grid.len() {
            let (mean, variance) =
                (phi.row(g).dot(&theta), noise * phi.row(g).dot(&spread.column(g)));
            assert!((found.mean[d * grid.len() + g] - mean).abs() < 1e-8, "mean at {g}");
            assert!(
                (found.variance[d * grid.len() + g] - variance).abs() < 1e-8,
                "variance at {g}"
            );
        }
        evidence += dense_evidence(&rows, &y, ratio, noise);
    }
    assert!((found.evidence - evidence).abs() < 1e-7, "{} against {evidence}", found.evidence);
}

#[test]
fn noise_and_its_ratio_to_the_signal_are_where_the_evidence_has_no_slope() {
    let (grid, _, phi, basis) = setting(2, 9, 1.7);
    let at: Vec<usize> = (0..60).map(|i| (i * 37) % 81).collect();
    let weights = normal(10, 1, "weights").column(0).to_owned();
    let rows = phi.select(ndarray::Axis(0), &at);
    let y = (rows.dot(&weights) + normal(60, 1, "noise").column(0).mapv(|e| 0.4 * e))
        .insert_axis(ndarray::Axis(1));
    let squares = [y.column(0).dot(&y.column(0))];
    let totals = Totals { rows: 60, squares: &squares, floor: 1e-9 };
    let moments = moments_at(&at, &y, grid.len());
    let mut found = Posterior::default();
    condition(&basis, &moments, totals, Ratios::Maximise, &mut Workspace::default(), &mut found)
        .unwrap();
    let evidence =
        |ratio: f64, noise: f64| dense_evidence(&rows, &y.column(0).to_owned(), ratio, noise);
    let (ratio, noise) = (found.ratio[0], found.noise[0]);
    assert!((found.evidence - evidence(ratio, noise)).abs() < 1e-7);
    assert!((noise - 0.16).abs() < 0.1, "{noise}");
    let step: f64 = 1e-3;
    let slopes = [
        evidence(ratio * step.exp(), noise) - evidence(ratio * (-step).exp(), noise),
        evidence(ratio, noise * step.exp()) - evidence(ratio, noise * (-step).exp()),
    ];
    assert!(slopes.iter().all(|slope| (slope / (2.0 * step)).abs() < 5e-3), "{slopes:?}");
}

#[test]
fn the_bound_is_below_the_evidence_summed_over_all_latent_points() {
    let grid = NodeGrid::new(1, 9);
    let features = RandomFeatures::draw(5, &mut context().stream("frequencies", 0));
    let y = ndarray::array![[1.0, 0.9], [-1.2, -0.8], [0.2, -0.1]];
    let squares: Vec<f64> = y.columns().into_iter().map(|y| y.dot(&y)).collect();
    let totals = Totals { rows: 3, squares: &squares, floor: 0.1 };
    let outputs: Vec<f64> = y.iter().copied().collect();
    let problem =
        Problem { grid: &grid, features: &features, outputs: &outputs, totals, tolerance: 1e-9 };
    let parameters =
        RffGplvmParameters { dimensions: 1, starts: 1, steps: 60, ..RffGplvmParameters::default() };
    let (_, climb): (usize, Climb) = train(&problem, &parameters, &context()).unwrap();
    assert!(climb.trace.windows(2).all(|pair| pair[1] >= pair[0] - 1e-7), "{:?}", climb.trace);
    let points = Array2::from_shape_fn((9, 1), |(g, _)| grid.node(g)[0]);
    let phi = features.at(points.view(), climb.length_scale);
    let mut sum = 0.0;
    for code in 0..729 {
        let at = [code % 9, code / 9 % 9, code / 81];
        let rows = phi.select(ndarray::Axis(0), &at);
        let prior: f64 = at.iter().map(|&g| grid.log_prior[g]).sum();
        let of = |d: usize| {
            dense_evidence(
                &rows,
                &y.column(d).to_owned(),
                climb.posterior.ratio[d],
                climb.posterior.noise[d],
            )
        };
        sum += (prior + of(0) + of(1)).exp();
    }
    let gap = sum.ln() - climb.bound();
    assert!((0.0..3.0).contains(&gap), "{} below {}", climb.bound(), sum.ln());
}
