use ndarray::{Array1, Array2, ArrayView2, array};
use rand::RngExt;

use super::layout::Function;
use super::objective::Objective;
use super::tiles::{Panels, SIDE, add_product, invert, place, zeros};
use super::*;
use crate::{Method, Reading};
use uq_core::math::random::Streams;
use uq_core::math::special::{LN_SQRT_2PI, normal_quantile};

fn context() -> Context {
    Context::new(Streams::new(1, "nonstationary"))
}

fn uniform(n: usize, d: usize, purpose: &str) -> Array2<f64> {
    let mut rng = context().stream(purpose, (n * 10 + d) as u64);
    Array2::from_shape_simple_fn((n, d), || rng.random_range(-1.0..1.0))
}

/// The eight ablations.
fn ablations() -> impl Iterator<Item = NonstationaryGpParameters> {
    (0..8).map(|mask| NonstationaryGpParameters {
        length_scale: mask & 1 > 0,
        signal: mask & 2 > 0,
        noise: mask & 4 > 0,
        ..NonstationaryGpParameters::default()
    })
}

const STATIONARY: fn() -> NonstationaryGpParameters = || NonstationaryGpParameters {
    length_scale: false,
    signal: false,
    noise: false,
    ..Default::default()
};

/// Eleven rows in steps of quarters, fifths and eighths, from which the reference values were
/// computed.
fn eleven() -> Table {
    let x = Array2::from_shape_fn((11, 2), |(i, j)| {
        if j == 0 { ((i * 7) % 11) as f64 / 4.0 - 1.0 } else { ((i * 5) % 11) as f64 / 5.0 - 1.0 }
    });
    Table::unnamed(x, Array1::from_shape_fn(11, |i| ((i * 13) % 11) as f64 / 8.0 - 0.5))
}

#[test]
fn the_gradient_agrees_with_differences_in_every_parameter_of_every_ablation() {
    let variants = [
        (
            LatentValues::Inducing,
            NoiseIs::Deviation,
            PriorMeasure::Logarithm,
            true,
            SignalAt::Inputs,
        ),
        (LatentValues::Inducing, NoiseIs::Variance, PriorMeasure::Value, true, SignalAt::Inputs),
        (LatentValues::Inducing, NoiseIs::Deviation, PriorMeasure::Value, false, SignalAt::Inputs),
        (
            LatentValues::EveryRow,
            NoiseIs::Deviation,
            PriorMeasure::Logarithm,
            true,
            SignalAt::Inputs,
        ),
        (
            LatentValues::Inducing,
            NoiseIs::Variance,
            PriorMeasure::Logarithm,
            true,
            SignalAt::ScaledInputs,
        ),
    ];
    // Three inputs and five functions fill more than one group.
    for d in 1..=3 {
        let (x, y) = (uniform(13, d, "x"), uniform(13, 1, "y"));
        for (ablation, variant) in
            ablations().flat_map(|ablation| variants.map(|variant| (ablation, variant)))
        {
            let (latent_values, noise_is, prior_measure, prior, signal_at) = variant;
            let parameters = NonstationaryGpParameters {
                latent_values,
                noise_is,
                prior_measure,
                prior_on_length_scales: prior,
                prior_on_variances: prior,
                prior_on_values: prior,
                signal_at,
                inducing: 6,
                // K need not be positive definite with scaled inputs; a large diagonal makes it so.
                jitter: if signal_at == SignalAt::Inputs { 1e-3 } else { 3.0 },
                ..ablation
            };
            let layout = Layout::new(&parameters, 13, d);
            let mut objective =
                Objective::new(&parameters, &layout, x.view(), y.as_slice().unwrap());
            let mut theta = uniform(layout.len, 1, "theta").into_raw_vec_and_offset().0;
            objective.evaluate(&theta).unwrap();
            let gradient = objective.gradient.clone();
            let size = gradient.iter().map(|g| g * g).sum::<f64>().sqrt();
            let step = 1e-5;
            for i in 0..theta.len() {
                let here = theta[i];
                let mut at = |value: f64| {
                    theta[i] = value;
                    objective.evaluate(&theta).unwrap()
                };
                let difference = (at(here + step) - at(here - step)) / (2.0 * step);
                theta[i] = here;
                let error = (difference - gradient[i]).abs() / size;
                assert!(
                    error < 1e-6,
                    "{parameters:?}, {d} inputs, parameter {i}: {error:e}, {layout:?}"
                );
            }
        }
    }
}

#[test]
fn the_gradient_is_precise_with_almost_no_noise() {
    // σ = 40, ω = 0.002, ℓ = 0.8 and the jitter 1e-4: condition 1e9. Gradients of an objective by
    // Gauss–Jordan would be rounding errors here.
    let x = Array2::from_shape_fn((61, 1), |(i, _)| i as f64 / 20.0 - 1.5);
    let y: Vec<f64> = x.iter().map(|x| (3.0 * x).sin()).collect();
    let parameters = NonstationaryGpParameters { inducing: 6, ..Default::default() };
    let layout = Layout::new(&parameters, 61, 1);
    let mut theta =
        uniform(layout.len, 1, "theta").mapv(|value| 0.1 * value).into_raw_vec_and_offset().0;
    for (value, function) in [0.8_f64, 40.0, 0.002].into_iter().zip(&layout.functions) {
        let (Function::Constant(at) | Function::Latent { mean: at, .. }) = *function;
        theta[at] = value.ln();
    }
    let mut objective = Objective::new(&parameters, &layout, x.view(), &y);
    objective.evaluate(&theta).unwrap();
    let gradient = objective.gradient.clone();
    let square: f64 = gradient.iter().map(|g| g * g).sum();
    let step = 1e-5 / square.sqrt();
    let mut at = |step: f64| {
        let moved: Vec<f64> =
            theta.iter().zip(&gradient).map(|(theta, g)| theta + step * g).collect();
        objective.evaluate(&moved).unwrap()
    };
    let difference = (at(step) - at(-step)) / (2.0 * step);
    assert!((difference / square - 1.0).abs() < 1e-3, "{difference} against {square}");
}

/// Parameters of `layout` with m = 0.3, (ℓ_1, ℓ_2) = (0.7, 1.1), σ = 1.3, ω = 0.2; all others come
/// from `other`.
fn constants(layout: &Layout, other: f64) -> Vec<f64> {
    let mut theta = vec![other; layout.len];
    theta[layout::MEAN] = 0.3;
    for (value, function) in [0.7, 1.1, 1.3, 0.2].into_iter().zip(&layout.functions) {
        match *function {
            Function::Constant(at) => theta[at] = f64::ln(value),
            Function::Latent { mean, white, .. } => {
                theta[mean] = f64::ln(value);
                theta[white..white + layout.inducing].fill(0.0);
            }
        }
    }
    theta
}

/// scikit-learn 1.7.2: GaussianProcessRegressor(1.3² RBF([0.7, 1.1]), alpha = 0.2² + 1e-4), target
/// minus 0.3.
const NEGATIVE_LOG_LIKELIHOOD: f64 = 11.396_344_894_897_714;

#[test]
fn constant_functions_make_the_stationary_process_of_scikit_learn() {
    let table = eleven();
    let y = table.target.as_slice().unwrap();
    for ablation in ablations() {
        let parameters = NonstationaryGpParameters { inducing: 7, ..ablation };
        let layout = Layout::new(&parameters, 11, 2);
        let mut theta = constants(&layout, 0.4);
        let mut inputs = uniform(7, 2, "inducing").into_iter();
        if let Some(at) = layout.inputs {
            theta[at..at + 14].iter_mut().for_each(|x| *x = inputs.next().unwrap());
        }
        let found = Objective::new(&parameters, &layout, table.features.view(), y)
            .evaluate(&theta)
            .unwrap();
        // Each latent function: Gamma(5, 1) and Gamma(½, 1) as densities of the logarithms at 0.4,
        // seven zeros under N(0, 1).
        let x = f64::exp(0.4);
        let prior = (5.0 * 0.4 - x - f64::ln(24.0))
            + (0.5 * 0.4 - x - 0.5 * std::f64::consts::PI.ln())
            - 7.0 * LN_SQRT_2PI;
        let expected = NEGATIVE_LOG_LIKELIHOOD - layout.latent().count() as f64 * prior;
        assert!((found - expected).abs() < 1e-9, "{ablation:?}: {found} against {expected}");
        let model = Model { parameters, theta, inducing: inducing_inputs(&layout), layout };
        let posterior = Posterior::new(model, table.features.view(), table.target.view()).unwrap();
        let (mean, variance, noise) = posterior.predict(array![[0.1, -0.3], [2.0, 1.0]].view());
        // scikit-learn's predict(return_std=True) of the same process.
        for (found, expected) in
            mean.iter().zip([0.300_921_163_719_603_15, -0.164_942_432_593_145_84])
        {
            assert!((found - expected).abs() < 1e-10, "{found}");
        }
        for (found, expected) in
            variance.iter().zip([0.030_015_534_975_492_027, 1.010_352_466_172_028])
        {
            assert!((found - expected).abs() < 1e-10, "{found}");
        }
        assert!(noise.iter().all(|noise| (noise - 0.04).abs() < 1e-12));
    }
}

fn inducing_inputs(layout: &Layout) -> Array2<f64> {
    uniform(layout.inducing, layout.dims, "inducing")
}

#[test]
fn the_kernels_of_the_tiles_and_of_the_posterior_agree() {
    // Interpolation without noise, and the marginal likelihood by the posterior's residuals: both
    // use the same K.
    let (x, y) = (uniform(21, 2, "x"), uniform(21, 1, "y"));
    for signal_at in [SignalAt::Inputs, SignalAt::ScaledInputs] {
        let parameters = NonstationaryGpParameters { inducing: 5, signal_at, ..Default::default() };
        let layout = Layout::new(&parameters, 21, 2);
        let theta = uniform(layout.len, 1, "theta").into_raw_vec_and_offset().0;
        let value = |rows: usize| {
            let (x, _) = x.view().split_at(ndarray::Axis(0), rows);
            Objective::new(&parameters, &layout, x, &y.as_slice().unwrap()[..rows])
                .evaluate(&theta)
                .unwrap()
        };
        let at = layout.inputs.unwrap();
        let inducing = Array2::from_shape_vec((5, 2), theta[at..at + 10].to_vec()).unwrap();
        let model = Model { parameters, theta: theta.clone(), layout: layout.clone(), inducing };
        for n in [7, 8, 16, 20] {
            let (inputs, _) = x.view().split_at(ndarray::Axis(0), n);
            let (targets, _) = y.column(0).split_at(ndarray::Axis(0), n);
            let posterior = Posterior::new(model.clone(), inputs, targets);
            let row = x.select(ndarray::Axis(0), &[n]);
            let (mean, variance, noise) = posterior.unwrap().predict(row.view());
            let total = variance[0] + noise[0] + parameters.jitter;
            // p(y_1 … y_{n+1}) / p(y_1 … y_n) = p(y_{n+1} | y_1 … y_n).
            let log_density =
                -0.5 * (y[(n, 0)] - mean[0]).powi(2) / total - 0.5 * total.ln() - LN_SQRT_2PI;
            let difference = value(n) - value(n + 1);
            assert!(
                (difference - log_density).abs() < 1e-8,
                "{signal_at:?}, {n} rows: {difference} against {log_density}"
            );
        }
    }
}

#[test]
fn values_at_every_row_equal_inducing_values_at_the_rows() {
    let (x, y) = (uniform(10, 2, "x"), uniform(10, 1, "y"));
    let y = y.as_slice().unwrap();
    let every = NonstationaryGpParameters {
        latent_values: LatentValues::EveryRow,
        latent_length_scale: 0.8,
        latent_variance: 1.5,
        ..Default::default()
    };
    let inducing = NonstationaryGpParameters {
        inducing: 10,
        prior_on_length_scales: false,
        prior_on_variances: false,
        ..Default::default()
    };
    let (layout, other) = (Layout::new(&every, 10, 2), Layout::new(&inducing, 10, 2));
    let theta = uniform(layout.len, 1, "theta").into_raw_vec_and_offset().0;
    let mut twin = vec![theta[layout::MEAN]; other.len];
    let at = other.inputs.unwrap();
    twin[at..at + 20].iter_mut().zip(&x).for_each(|(to, x)| *to = *x);
    for (from, to) in layout.functions.iter().zip(&other.functions) {
        let (
            Function::Latent { mean, white, .. },
            Function::Latent { mean: to, kernel: Some(kernel), white: w },
        ) = (*from, *to)
        else {
            panic!("every function varies")
        };
        twin[to] = theta[mean];
        (twin[kernel.0], twin[kernel.1]) = (f64::ln(0.8), f64::ln(1.5));
        twin[w..w + 10].copy_from_slice(&theta[white..white + 10]);
    }
    let found = Objective::new(&every, &layout, x.view(), y).evaluate(&theta).unwrap();
    let expected = Objective::new(&inducing, &other, x.view(), y).evaluate(&twin).unwrap();
    assert!((found - expected).abs() < 1e-9 * expected.abs(), "{found} against {expected}");
}

#[test]
fn tiles_invert_matrices_of_every_size() {
    for count in 1..=4 {
        let n = count * SIDE;
        let a = uniform(n, n, "a");
        let matrix = a.dot(&a.t()) + Array2::<f64>::eye(n) * 0.1;
        let mut tiles = zeros(count);
        for ((i, j), &value) in matrix.indexed_iter().filter(|((i, j), _)| i / SIDE >= j / SIDE) {
            tiles[place(i / SIDE, j / SIDE)][i % SIDE][j % SIDE] = value;
        }
        let ln_determinant = invert(&mut tiles, &mut Panels::new(count)).unwrap();
        let factor =
            faer::Mat::from_fn(n, n, |i, j| matrix[(i, j)]).llt(faer::Side::Lower).unwrap();
        let expected: f64 = (0..n).map(|i| 2.0 * factor.L()[(i, i)].ln()).sum();
        assert!((ln_determinant - expected).abs() < 1e-9, "{ln_determinant} against {expected}");
        let x: Vec<[f64; SIDE]> =
            (0..count).map(|i| std::array::from_fn(|c| (i * SIDE + c) as f64)).collect();
        let mut product = vec![[0.0; SIDE]; count];
        add_product(&mut product, &tiles, &x);
        let solved = Array1::from_iter(product.into_iter().flatten());
        for (i, value) in matrix.dot(&solved).iter().enumerate() {
            assert!((value - i as f64).abs() < 1e-9, "{n} rows: {value} for {i}");
        }
        tiles[0][0][0] = f64::NAN;
        assert_eq!(invert(&mut tiles, &mut Panels::new(count)), None);
    }
}

#[test]
fn a_matrix_almost_without_noise_is_inverted_well_enough_for_a_trace() {
    // 40² exp(−½ d²) on a line in steps of 0.1, and 1e-4 on the diagonal: condition 5e8.
    let n = 15 * SIDE;
    let matrix = Array2::from_shape_fn((n, n), |(i, j)| {
        1600.0 * (-0.5 * (0.1 * (i as f64 - j as f64)).powi(2)).exp()
            + if i == j { 1e-4 } else { 0.0 }
    });
    let mut tiles = zeros(n / SIDE);
    for ((i, j), &value) in matrix.indexed_iter().filter(|((i, j), _)| i / SIDE >= j / SIDE) {
        tiles[place(i / SIDE, j / SIDE)][i % SIDE][j % SIDE] = value;
    }
    invert(&mut tiles, &mut Panels::new(n / SIDE)).unwrap();
    let inverse = |i: usize, j: usize| {
        tiles[place(i.max(j) / SIDE, i.min(j) / SIDE)][i.max(j) % SIDE][i.min(j) % SIDE]
    };
    // tr(A⁻¹ A) = n, as in the gradient by ln σ. Gauss–Jordan is wrong by more than a tenth here.
    let trace: f64 = matrix.indexed_iter().map(|((i, j), a)| a * inverse(i, j)).sum();
    assert!((trace - n as f64).abs() < 1e-3, "{trace} against {n}");
}

/// y = 20 + 3 sin 2x + N(0, (0.1 + 0.4 (x + 1))²) for x from −1 to 1, and an irrelevant column.
fn noisy_wave(n: usize) -> Table {
    let mut rng = context().stream("rows", 0);
    let x =
        Array2::from_shape_fn(
            (n, 2),
            |(i, j)| if j == 0 { 2.0 * i as f64 / n as f64 - 1.0 } else { 5.0 },
        );
    let mut normal = || normal_quantile(rng.random_range(1e-9..1.0));
    let y = x.column(0).mapv(|x| 20.0 + 3.0 * (2.0 * x).sin() + (0.1 + 0.4 * (x + 1.0)) * normal());
    Table::unnamed(x, y)
}

fn short(steps: usize, restarts: usize) -> NonstationaryGpParameters {
    NonstationaryGpParameters { steps, restarts, inducing: 8, ..Default::default() }
}

fn fit(parameters: NonstationaryGpParameters, table: &Table) -> Result<Box<dyn Fitted>, FitError> {
    NonstationaryGp::new(parameters).unwrap().fit(table, &context())
}

fn predict(fitted: &dyn Fitted, at: ArrayView2<f64>) -> Predictive {
    fitted.predict(&Reading::MAIN, at, &Request::default(), &context()).unwrap()
}

mod fits;
mod scaled_signal;
