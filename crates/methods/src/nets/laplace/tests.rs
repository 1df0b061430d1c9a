//! The Laplace approximation against Bayesian linear regression, finite differences and limits.

use ndarray::{Array2, array};
use rand::RngExt;

use super::super::fixtures::Fixture;
use super::*;
use crate::Method;
use uq_core::math::random::Streams;

const FIXTURE: Fixture = Fixture("laplace");

fn settings(epochs: usize, rounds: usize) -> LaplaceParameters {
    let LaplaceParameters { training, .. } = LaplaceParameters::default();
    LaplaceParameters {
        rounds,
        training: TrainingSettings { epochs, ..training },
        ..LaplaceParameters::default()
    }
}

/// n rows of d uniform features.
fn features(n: usize, d: usize, index: u64) -> Array2<f64> {
    let mut rng = Streams::new(4, "laplace").stream("features", index);
    Array2::from_shape_simple_fn((n, d), || rng.random_range(-1.5..1.5))
}

fn network(hidden: &[usize], activation: Activation, d: usize) -> (Mlp, Vec<f64>) {
    let net = Mlp::new(&[&[d], hidden, &[1]].concat(), activation);
    let mut parameters = vec![0.0; net.end()];
    net.draw_start(
        Start::FanIn,
        &mut parameters,
        &mut Streams::new(4, "laplace").stream("start", 0),
    );
    (net, parameters)
}

/// The inverse of a positive definite matrix and the logarithm of its determinant, by elimination.
fn inverse(matrix: &Array2<f64>) -> (Array2<f64>, f64) {
    let (p, mut left) = (matrix.nrows(), matrix.clone());
    let (mut right, mut ln_determinant) = (Array2::<f64>::eye(p), 0.0);
    for k in 0..p {
        let pivot = left[(k, k)];
        ln_determinant += pivot.ln();
        left.row_mut(k).mapv_inplace(|a| a / pivot);
        right.row_mut(k).mapv_inplace(|a| a / pivot);
        for i in (0..p).filter(|&i| i != k) {
            let factor = left[(i, k)];
            let (of_left, of_right) = (left.row(k).to_owned(), right.row(k).to_owned());
            left.row_mut(i).scaled_add(-factor, &of_left);
            right.row_mut(i).scaled_add(-factor, &of_right);
        }
    }
    (right, ln_determinant)
}

#[test]
fn slopes_are_finite_differences() {
    let x = features(5, 3, 0);
    for (hidden, activation) in [
        (vec![], Activation::Tanh),
        (vec![6], Activation::Tanh),
        (vec![6], Activation::Softplus),
        (vec![4, 5], Activation::Sigmoid),
    ] {
        let (net, parameters) = network(&hidden, activation, 3);
        for last_alone in [false, true] {
            let slopes = Slopes::new(&net, last_alone);
            let (places, found) = (slopes.places(), slopes.at(&parameters, x.view()));
            let columns = places.len();
            assert_eq!((found.len(), places.end), (5 * columns, net.end()));
            for (column, place) in places.enumerate() {
                let moved = |step: f64| {
                    let mut moved = parameters.clone();
                    moved[place] += step;
                    net.predict(&moved, x.view())
                };
                let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                for i in 0..5 {
                    let difference = found[i * columns + column] - slope[(i, 0)];
                    assert!(
                        difference.abs() < 1e-8,
                        "{hidden:?}, weight {place}, row {i}: {difference}"
                    );
                }
            }
        }
    }
}

/// Given the features of the last layer, everything is Bayesian linear regression on them.
#[test]
fn the_last_layer_is_bayesian_linear_regression_on_its_inputs() {
    let (x, new) = (features(20, 2, 1), features(4, 2, 2));
    let (net, mut parameters) = network(&[5], Activation::Tanh, 2);
    let slopes = Slopes::new(&net, true);
    let inputs = |x: ArrayView2<f64>| {
        let all = Array2::from_shape_vec((x.nrows(), 6), slopes.at(&parameters, x)).unwrap();
        assert!(all.column(5).iter().all(|one| *one == 1.0), "the bias");
        all
    };
    let (design, at) = (inputs(x.view()), inputs(new.view()));
    let y = x.column(0).mapv(|x| (2.0 * x).sin() + 0.1 * (17.0 * x).cos());
    let strengths = PriorAndNoise { prior: 0.7, noise: 0.03 };
    // The posterior, from its textbook formula.
    let precision =
        design.t().dot(&design) / strengths.noise + strengths.prior * &Array2::<f64>::eye(6);
    let (covariance, _) = inverse(&precision);
    let mean = covariance.dot(&design.t().dot(&y)) / strengths.noise;
    parameters[slopes.places()].copy_from_slice(mean.as_slice().unwrap());
    let moments =
        second_moments(&slopes, &parameters, x.view(), || Ok::<(), FitError>(())).unwrap();
    let posterior = Posterior::new(&moments).unwrap();
    let found = posterior.variances(&slopes.at(&parameters, new.view()), strengths);
    for (i, variance) in found.iter().enumerate() {
        let expected = at.row(i).dot(&covariance.dot(&at.row(i)));
        assert!((variance / expected - 1.0).abs() < 1e-9, "{variance} against {expected}");
        let expected = at.row(i).dot(&mean);
        assert!((net.predict(&parameters, new.view())[(i, 0)] - expected).abs() < 1e-12);
    }
    // The evidence is the density of y ~ N(0, σ² I + Φ Φᵀ / δ).
    let errors = &y - &design.dot(&mean);
    let misfit = Misfit { rows: 20, squares: errors.dot(&errors), weights: mean.dot(&mean) };
    let marginal =
        strengths.noise * &Array2::<f64>::eye(20) + design.dot(&design.t()) / strengths.prior;
    let (inverse, ln_determinant) = inverse(&marginal);
    let expected = -0.5
        * (20.0 * (2.0 * std::f64::consts::PI).ln() + ln_determinant + y.dot(&inverse.dot(&y)));
    let found = posterior.ln_evidence(&misfit, strengths);
    assert!((found - expected).abs() < 1e-8, "{found} against {expected}");
}

#[test]
fn the_updates_end_where_the_evidence_has_its_maximum() {
    let x = features(40, 3, 3);
    let (net, parameters) = network(&[4], Activation::Tanh, 3);
    let slopes = Slopes::new(&net, false);
    let moments =
        second_moments(&slopes, &parameters, x.view(), || Ok::<(), FitError>(())).unwrap();
    let posterior = Posterior::new(&moments).unwrap();
    let weights = parameters.iter().map(|w| w * w).sum();
    let misfit = Misfit { rows: 40, squares: 3.0, weights };
    let best = posterior.reestimated(&misfit, PriorAndNoise { prior: 1.0, noise: 1.0 }, 1e-9);
    let at = |prior: f64, noise: f64| {
        posterior.ln_evidence(
            &misfit,
            PriorAndNoise { prior: best.prior * prior, noise: best.noise * noise },
        )
    };
    for (prior, noise) in [(1.001, 1.0), (0.999, 1.0), (1.0, 1.001), (1.0, 0.999)] {
        assert!(
            at(prior, noise) < at(1.0, 1.0),
            "{prior}, {noise}: {} against {}",
            at(prior, noise),
            at(1.0, 1.0)
        );
    }
    // Determined weights: all of them without a prior, none with a strong one.
    let determined = |prior: f64| posterior.determined(PriorAndNoise { prior, ..best });
    assert!(determined(1e12) < 1e-6 && determined(1e-300) > 3.9);
    // A strong prior leaves no epistemic variance, a weak one leaves that of its directions.
    let slopes = slopes.at(&parameters, x.select(Axis(0), &[0]).view());
    assert!(posterior.variances(&slopes, PriorAndNoise { prior: 1e12, ..best })[0] < 1e-9);
    let [weak, weaker] =
        [1e-3, 1e-4].map(|prior| posterior.variances(&slopes, PriorAndNoise { prior, ..best })[0]);
    assert!(weaker >= weak && weak > 0.0, "{weaker} and {weak}");
}

/// Without a hidden layer the whole method is Bayesian linear regression with its own δ and σ².
#[test]
fn without_a_hidden_layer_a_fit_is_bayesian_linear_regression() {
    let mut rng = FIXTURE.context().stream("rows", 0);
    let x = features(60, 2, 4);
    let target = x
        .rows()
        .into_iter()
        .map(|x| 3.0 + 2.0 * x[0] - x[1] + rng.random_range(-1.0..1.0))
        .collect();
    let table = Table::unnamed(x.clone(), target);
    let linear = LaplaceParameters { hidden: 0, ..settings(400, 6) };
    let fitted = FIXTURE.fit(Laplace::new(linear), &table).unwrap();
    let evidence = &fitted.side_tables()[1];
    let last = |name: &str| *evidence.column(name).unwrap().last().unwrap();
    let (prior, noise) = (last("prior_precision"), last("noise_variance"));
    let (scales, x, y) = standardise(ID, &table, &FIXTURE.context()).unwrap();
    let design = ndarray::concatenate![Axis(1), x, Array2::ones((60, 1))];
    let (covariance, _) =
        inverse(&(design.t().dot(&design) / noise + prior * &Array2::<f64>::eye(3)));
    let mean = covariance.dot(&design.t().dot(&y.column(0))) / noise;
    let predictive = FIXTURE.predict(&*fitted, table.features.view());
    let (means, variances) = (predictive.means().unwrap(), predictive.variances().unwrap());
    let (shift, scale) = (scales.target.shift, scales.target.scale);
    for (i, row) in design.rows().into_iter().enumerate() {
        let expected = shift + scale * row.dot(&mean);
        assert!((means[i] - expected).abs() < 1e-3 * scale, "{} against {expected}", means[i]);
        let expected = scale * scale * (noise + row.dot(&covariance.dot(&row)));
        assert!(
            (variances[i] / expected - 1.0).abs() < 1e-9,
            "{} against {expected}",
            variances[i]
        );
    }
    // Its noise is that of the rows: uniform within ±1.
    assert!((noise * scale * scale * 3.0 - 1.0).abs() < 0.3, "{}", noise * scale * scale);
}

#[test]
fn the_epistemic_variance_grows_away_from_the_rows() {
    let table = FIXTURE.rows(150, 0, |x| (2.0 * x).sin(), |_| 0.1);
    let fitted = FIXTURE.fit(Laplace::new(settings(100, 2)), &table).unwrap();
    let split = FIXTURE.predict(&*fitted, array![[0.0], [4.0]].view()).split.unwrap();
    let (aleatoric, epistemic) = (split.aleatoric.unwrap(), split.epistemic.unwrap());
    assert_eq!(aleatoric[0], aleatoric[1]);
    assert!(epistemic[1] > 10.0 * epistemic[0], "{epistemic}");
    assert!((aleatoric[0].sqrt() / 0.1 - 1.0).abs() < 0.5, "{}", aleatoric[0].sqrt());
    let last = LaplaceParameters { weights: LaplaceWeights::LastLayer, ..settings(5, 1) };
    let split = FIXTURE.answer(Laplace::new(last), &table, array![[0.0]].view()).split.unwrap();
    assert!(split.epistemic.unwrap()[0] > 0.0);
}

#[test]
fn the_weights_with_a_posterior_are_bounded() {
    let weights = |parameters: LaplaceParameters, d: usize, rows: usize| {
        let net = Mlp::new(&[d, parameters.hidden, 1], parameters.activation);
        parameters.slopes(&net, rows).map(|slopes| slopes.places().len())
    };
    let default = LaplaceParameters::default();
    assert_eq!(weights(default, 10, 500), Ok(601));
    assert_eq!(weights(default, 10, 50_000), Ok(51), "too many rows");
    assert_eq!(weights(default, 90, 500), Ok(51), "too many weights");
    let all = LaplaceParameters { weights: LaplaceWeights::All, ..default };
    assert_eq!(weights(all, 10, 50_000), Ok(601));
    let expected = "laplace takes at most 3000 weights with a posterior, found 4601; take fewer \
                    hidden units, or `weights = \"last-layer\"`";
    assert_eq!(weights(all, 90, 500), Err(FitError::Unsupported(expected.into())));
}

#[test]
fn difficult_tables_train_or_give_a_reason() {
    let table = FIXTURE.noisy_line(30, |_| 1.0);
    let first = FIXTURE.answer(Laplace::new(settings(5, 2)), &table, table.features.view());
    assert_eq!(FIXTURE.answer(Laplace::new(settings(5, 2)), &table, table.features.view()), first);
    FIXTURE.assert_needs_no_varying_feature(Laplace::new(settings(20, 2)));
    FIXTURE.assert_needs_a_varying_target(Laplace::new(settings(1, 1)));
    FIXTURE.assert_refuses(
        Laplace::new(settings(1, 1)),
        &table.select(&[0]),
        "at least 2 training rows, found 1",
    );
    let mut hole = table.clone();
    hole.target[3] = f64::NAN;
    FIXTURE.assert_refuses(Laplace::new(settings(1, 1)), &hole, "found NaN in training row 3");
    let two = FIXTURE.answer(
        Laplace::new(settings(20, 2)),
        &table.select(&[0, 1]),
        table.features.view(),
    );
    assert_eq!(two.validate(), Ok(()));
    let fitted = FIXTURE.fit(Laplace::new(settings(1, 1)), &table).unwrap();
    FIXTURE.assert_refuses_other_questions(&*fitted, 2);
}

#[test]
fn faults_are_named() {
    let mut parameters = settings(1, 1);
    parameters.training.l2 = 0.1;
    let error = Laplace::new(parameters).unwrap_err().to_string();
    assert_eq!(error, "parameter `training.l2` is 0.1, expected 0, because the prior is the decay");
    let mut parameters = settings(1, 1);
    parameters.training.validation = 0.1;
    assert!(Laplace::new(parameters).unwrap_err().to_string().contains("because all rows train"));
    super::super::fixtures::assert_keeps_what_a_file_leaves_out(
        |parameters: &mut LaplaceParameters| &mut parameters.training,
    );
}

#[test]
fn golden_fit_guards_the_version() {
    assert_eq!(Laplace::new(settings(4, 2)).unwrap().version(), 1);
    let golden = [
        0.364_922_949_392_640_9,
        2.277_747_943_257_69,
        1.851_839_825_334_285,
        1.793_517_692_614_003_5,
    ];
    FIXTURE.assert_golden(Laplace::new(settings(4, 2)), golden, 1e-7);
}
