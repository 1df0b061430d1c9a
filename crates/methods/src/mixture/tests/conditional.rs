//! The conditional mixture and its readings.

use ndarray::{Array1, Array2, Axis, array};
use proptest::prelude::{ProptestConfig, prop_assert, proptest};

use super::{context, mixtures, random_mixture, rows};
use crate::mixture::{GaussianMixture, monte_carlo_quantiles, within_and_between};
use uq_core::math::special::{normal_density, normal_quantile};
use uq_core::predictive::{Distribution, Form, Mixture, Predictive};
use uq_math::least_squares::LeastSquares;

/// Rows of z, n × (m − 1), within ±4.
fn given(m: usize) -> Array2<f64> {
    Array2::from_shape_fn((7, m - 1), |(i, j)| ((i * 5 + j * 3) % 9) as f64 - 4.0)
}

#[test]
fn one_component_is_least_squares_with_normal_noise() {
    let rows = rows(200, 4, 3);
    let mixture =
        GaussianMixture::start(rows.view(), 1, 0.0, &mut context().stream("start", 0)).unwrap();
    let z = rows.select(Axis(1), &[1, 2, 3]);
    let line = LeastSquares::fit(z.view(), rows.column(0), faer::Par::Seq).unwrap();
    let conditional = mixture.conditional(z.view());
    for i in 0..200 {
        assert!((conditional.means[(i, 0)] - line.predict(z.row(i))).abs() < 1e-11);
        let variance = line.residual_sum_of_squares / 200.0;
        assert!((conditional.variances[(i, 0)] / variance - 1.0).abs() < 1e-11, "divisor n");
        assert_eq!(conditional.weights[(i, 0)], 1.0);
    }
}

#[test]
fn two_components_have_the_values_worked_by_hand() {
    // Σ = [[2, 1], [1, 1]] and [[1, 0], [0, 4]], means (0, 0) and (5, 2), weights ½; z = 0.
    let mixture = GaussianMixture::new(
        array![0.5, 0.5],
        array![[0.0, 0.0], [5.0, 2.0]],
        vec![array![[2.0, 1.0], [1.0, 1.0]], array![[1.0, 0.0], [0.0, 4.0]]],
    )
    .unwrap();
    let found = mixture.conditional(array![[0.0], [1.0]].view());
    // N(0 | 0, 1) : N(0 | 2, 4) = 1 : ½ e^{−½}; at z = 1: e^{−½} : ½ e^{−⅛}.
    let (a, b) = (0.5 * (-0.5_f64).exp(), 0.5 * (-0.125_f64).exp() / (-0.5_f64).exp());
    let expected = array![[1.0 / (1.0 + a), a / (1.0 + a)], [1.0 / (1.0 + b), b / (1.0 + b)]];
    assert!((&found.weights - &expected).iter().all(|e| e.abs() < 1e-15), "{}", found.weights);
    assert!((&found.means - &array![[0.0, 5.0], [1.0, 5.0]]).iter().all(|e| e.abs() < 1e-15));
    assert!((&found.variances - &array![[1.0, 1.0], [1.0, 1.0]]).iter().all(|e| e.abs() < 1e-15));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_conditional_density_is_the_joint_one_over_the_marginal_one(mixture in mixtures()) {
        let m = mixture.columns();
        let z = given(m);
        let conditional = mixture.conditional(z.view());
        prop_assert!(Predictive::new(Form::Mixture(conditional.clone())).validate().is_ok());
        let marginal = if m == 1 {
            Array1::zeros(7)
        } else {
            let columns: Vec<usize> = (1..m).collect();
            let part = |c: &Array2<f64>| c.select(Axis(0), &columns).select(Axis(1), &columns);
            let covariances = mixture.covariances.iter().map(part).collect();
            let means = mixture.means.select(Axis(1), &columns);
            GaussianMixture::new(mixture.weights.clone(), means, covariances)
                .unwrap()
                .log_density(z.view())
        };
        for y in [-3.0, 0.1, 2.0] {
            let y_column = Array2::from_elem((7, 1), y);
            let joint = mixture.log_density(
                ndarray::concatenate(Axis(1), &[y_column.view(), z.view()]).unwrap().view(),
            );
            for i in 0..7 {
                let expected = joint[i] - marginal[i];
                let found = conditional.log_density(i, y).unwrap();
                prop_assert!(
                    (found - expected).abs() < 1e-8 * (1.0 + joint[i].abs()),
                    "{found} against {expected}"
                );
            }
        }
    }

    #[test]
    fn the_conditional_density_integrates_to_one_and_has_the_moments_of_equations_14_and_15(
        mixture in mixtures(),
    ) {
        let conditional = mixture.conditional(given(mixture.columns()).view());
        let split = within_and_between(&conditional);
        let (aleatoric, epistemic) = (split.aleatoric.unwrap(), split.epistemic.unwrap());
        for i in 0..7 {
            let (w, mu, s) = (
                conditional.weights.row(i),
                conditional.means.row(i),
                conditional.variances.row(i),
            );
            let sd = s.iter().fold(0.0_f64, |a, v| a.max(v.sqrt()));
            let low = mu.iter().fold(f64::INFINITY, |a, &b| a.min(b)) - 10.0 * sd;
            let high = mu.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b)) + 10.0 * sd;
            // The trapezoidal rule converges faster than any power for such functions.
            let smallest = s.iter().fold(f64::INFINITY, |a, v| a.min(v.sqrt()));
            let steps = ((high - low) / (0.4 * smallest)).ceil();
            let width = (high - low) / steps;
            let density =
                |j: usize| conditional.log_density(i, low + width * j as f64).unwrap().exp();
            let integral: f64 = (0..=steps as usize).map(density).sum::<f64>() * width;
            prop_assert!((integral - 1.0).abs() < 1e-9, "{integral}");
            let mean: f64 = w.dot(&mu); // (14)
            let variance = w.dot(&s) + w.dot(&mu.mapv(|x| x * x)) - mean.powi(2); // (15)
            prop_assert!((conditional.mean(i).unwrap() - mean).abs() < 1e-12 * (1.0 + mean.abs()));
            let size = 1.0 + mu.dot(&mu);
            prop_assert!((conditional.variance(i).unwrap() - variance).abs() < 1e-12 * size);
            prop_assert!((aleatoric[i] + epistemic[i] - variance).abs() < 1e-12 * size);
            prop_assert!((aleatoric[i] - w.dot(&s)).abs() < 1e-12 * size && epistemic[i] >= 0.0);
        }
    }
}

#[test]
fn far_from_all_rows_the_weights_still_sum_to_one() {
    let mixture = random_mixture(4, 3, 5);
    let conditional = mixture.conditional(array![[1e8, -1e9], [-1e140, 1e3]].view());
    for i in 0..2 {
        assert!((conditional.weights.row(i).sum() - 1.0).abs() < 1e-15, "{}", conditional.weights);
    }
    let lost = mixture.conditional(array![[f64::NAN, 0.0], [1e200, 0.0]].view());
    let error = Predictive::new(Form::Mixture(lost)).validate().unwrap_err();
    assert!(error.to_string().contains('0'), "names the row: {error}");
}

/// Two components, neither symmetric nor unimodal.
fn bimodal(n: usize) -> Mixture {
    Mixture {
        weights: array![[0.3, 0.7]],
        means: Array2::from_shape_fn((n, 2), |(_, c)| [-1.0, 2.0][c]),
        variances: Array2::from_shape_fn((n, 2), |(_, c)| [0.25, 1.0][c]),
    }
}

/// The asymptotic standard deviation of an empirical quantile, √(q(1 − q)/S) / p(x_q) (van der
/// Vaart, *Asymptotic Statistics*, Corollary 21.5).
#[test]
fn monte_carlo_quantiles_have_the_standard_error_of_their_closed_form() {
    let points = 400;
    let mixture = bimodal(points);
    let levels = [0.1, 0.5, 0.9];
    for draws in [100, 1000] {
        let found = monte_carlo_quantiles(&mixture, &levels, draws, |i| {
            context().stream("draws", i as u64)
        });
        assert_eq!(found.validate(), Ok(()));
        for (l, &level) in levels.iter().enumerate() {
            let exact = mixture.quantile(0, level).unwrap();
            let density = mixture.log_density(0, exact).unwrap().exp();
            let expected = (level * (1.0 - level) / draws as f64).sqrt() / density;
            let errors = found.values.column(l).mapv(|q| (q - exact).powi(2));
            let ratio = (errors.sum() / points as f64).sqrt() / expected;
            // 400 squares: relative standard deviation 3.5 %; the remaining error is that of the
            // asymptotic formula.
            assert!(
                (ratio - 1.0).abs() < 0.2,
                "{draws} draws, level {level}: {ratio} of the closed form"
            );
        }
    }
}

/// The k-th of S draws from F lies at F ~ Beta(k, S − k + 1), whatever F is (David & Nagaraja,
/// *Order Statistics*, eq. 2.1.5).
#[test]
fn monte_carlo_quantiles_are_distributed_as_order_statistics() {
    for (draws, points) in [(100, 4000), (1000, 2000), (10_000, 400)] {
        let mixture = bimodal(points);
        let levels = [0.025, 0.975];
        let found = monte_carlo_quantiles(&mixture, &levels, draws, |i| {
            context().stream("draws", i as u64)
        });
        for (l, level) in levels.iter().enumerate() {
            let (k, s, n) = ((level * draws as f64).ceil(), draws as f64, points as f64);
            let mean = k / (s + 1.0);
            let variance = k * (s - k + 1.0) / ((s + 1.0).powi(2) * (s + 2.0));
            let at: Array1<f64> =
                found.values.column(l).iter().map(|&q| mixture.cdf(0, q).unwrap()).collect();
            let off = (at.mean().unwrap() - mean) / (variance / n).sqrt();
            assert!(
                off.abs() < 5.0,
                "{draws} draws, level {level}: the mean is off by {off} standard errors"
            );
            // The kurtosis of these Beta distributions is below 6: five standard errors of a sample
            // variance.
            let ratio = at.var(1.0) / variance;
            assert!(
                (ratio - 1.0).abs() < 5.0 * (5.0 / n).sqrt(),
                "{draws} draws, level {level}: {ratio} of the variance"
            );
        }
    }
}

#[test]
fn monte_carlo_draws_of_a_point_do_not_depend_on_the_others() {
    let stream = |i: usize| context().stream("draws", i as u64);
    let levels = [0.025, 0.975];
    let (few, many) = (bimodal(2), bimodal(9));
    let few = monte_carlo_quantiles(&few, &levels, 50, stream);
    let many = monte_carlo_quantiles(&many, &levels, 50, stream);
    assert!(few.values.iter().eq(many.values.iter().take(4)));
    // One component: the middle draw of many is near the mean, the outer ones near ±1.96.
    let normal = Mixture { weights: array![[1.0]], means: array![[3.0]], variances: array![[4.0]] };
    let found = monte_carlo_quantiles(&normal, &levels, 100_000, stream);
    let sd = (0.025_f64 * 0.975 / 1e5).sqrt() / normal_density(1.96) * 2.0;
    for (found, level) in found.values.iter().zip(levels) {
        assert!((found - 3.0 - 2.0 * normal_quantile(level)).abs() < 5.0 * sd, "{found}");
    }
}
