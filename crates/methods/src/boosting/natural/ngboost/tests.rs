use super::*;
use crate::Method;
use crate::boosting::fixtures::{context, fit, normal_table, predict, truth};
use crate::golden::{assert_golden, first_and_last, golden_table};
use ndarray::array;
use serde_json::json;
use uq_core::math::special::normal_cdf;

fn method(distribution: Family, most: usize) -> NgBoost {
    let rounds = Rounds { most, ..ROUNDS };
    NgBoost::new(NgBoostParameters {
        distribution,
        rate: 0.05,
        rounds,
        ..NgBoostParameters::default()
    })
    .unwrap()
}

#[test]
fn known_means_and_spreads_are_found() {
    let (train, test) = (normal_table(4000, 1), normal_table(300, 2));
    let predictive = predict(&*fit(&method(Family::Normal, 120), &train), test.features.view());
    let (means, variances) = (predictive.means().unwrap(), predictive.variances().unwrap());
    let (mut off, mut ratio) = (0.0, 0.0);
    for (i, x) in test.features.rows().into_iter().enumerate() {
        let (mean, spread) = truth(&x.to_vec());
        off += (means[i] - mean).abs() / 300.0;
        ratio += (variances[i].sqrt() / spread).ln().abs() / 300.0;
    }
    // Predictions that ignore the features err by 1.4 in the mean, and by a factor of 1.9 in the
    // spread.
    assert!(off < 0.15 && ratio < 0.12, "{off} {ratio}");
}

/// One round, all rows, one split, by hand: targets 0, 0, 6, 6 and the two halves of a feature.
#[test]
fn one_round_is_that_by_hand() {
    let train = Table::unnamed(array![[0.0], [0.0], [1.0], [1.0]], array![0.0, 0.0, 6.0, 6.0]);
    let bins = Bins::new(train.features.view());
    let target = train.target.to_vec();
    let parameters = NgBoostParameters { rate: 0.1, ..NgBoostParameters::default() };
    let data = Data { bins: &bins, target: &target, parameters: &parameters };
    let mut ensemble = Ensemble::new(data, (0..4).collect(), Vec::new()).unwrap();
    // Mean 3, deviation 3: z = ∓1, natural gradients μ − y = ±3 and (1 − z²)/2 = 0.
    assert_eq!(ensemble.start, [3.0, 3.0_f64.ln()]);
    assert!(ensemble.round(&context(1)).unwrap());
    // The loss is that of μ = 3 ∓ 3ρ: less at ρ = 1, equal at ρ = 2, and so more at 4; the search
    // goes back to 1.
    let means: Vec<f64> = ensemble.theta.iter().map(|theta| theta[0]).collect();
    for (found, expected) in means.iter().zip([2.7, 2.7, 3.3, 3.3]) {
        assert!((found - expected).abs() < 1e-12, "{means:?}");
    }
}

/// Shifts and scales of the target change the prediction alike: steps are measured in the targets'
/// scale.
#[test]
fn units_of_the_target_do_not_matter() {
    let train = normal_table(300, 3);
    let other = Table { target: train.target.mapv(|y| 5000.0 + 1024.0 * y), ..train.clone() };
    let [plain, scaled] = [&train, &other]
        .map(|table| predict(&*fit(&method(Family::Normal, 30), table), train.features.view()));
    for i in 0..300 {
        let (low, high) = plain.interval(i, 0.9).unwrap();
        let (least, most) = scaled.interval(i, 0.9).unwrap();
        assert!(
            (least - 5000.0 - 1024.0 * low).abs() < 1e-3
                && (most - 5000.0 - 1024.0 * high).abs() < 1e-3,
            "row {i}"
        );
    }
}

#[test]
fn a_log_normal_target_has_the_quantiles_of_its_logarithm() {
    let train = normal_table(400, 4);
    let positive = Table { target: train.target.mapv(f64::exp), ..train.clone() };
    let normal = predict(&*fit(&method(Family::Normal, 30), &train), train.features.view());
    let log_normal =
        predict(&*fit(&method(Family::LogNormal, 30), &positive), train.features.view());
    for i in [0, 17, 399] {
        for level in [0.025, 0.5, 0.9] {
            let expected = normal.distribution().quantile(i, level).unwrap().exp();
            let found = log_normal.distribution().quantile(i, level).unwrap();
            assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
        }
    }
    let words = method(Family::LogNormal, 3).fit(&train, &context(1)).err().unwrap().to_string();
    assert!(
        words.contains("needs a target above zero for a log-normal distribution, found -"),
        "{words}"
    );
}

/// ln y ~ N(0, σ²): mean exp(σ²/2); with w = ln y/σ the CRPS is
/// y (2Φ(w) − 1) − 2 exp(σ²/2) (Φ(w − σ) + Φ(σ/√2) − 1). The quantiles in between are interpolated,
/// and the tails beyond the outermost ones are cut, which lowers the mean.
#[test]
fn a_log_normal_distribution_has_the_mean_and_the_crps_of_its_closed_forms() {
    for (sigma, of_mean, of_crps) in [(0.25_f64, 6e-4, 8e-4), (0.5, 3e-3, 1e-3), (1.0, 0.02, 2e-3)]
    {
        let start = [0.0, sigma.ln()];
        let (distribution, search) = (Family::LogNormal, Search::none());
        let model = FittedNgBoost {
            distribution,
            degrees_of_freedom: 3.0,
            start,
            steps: Vec::new(),
            search,
        };
        let found = model.answer(array![[0.0]].view(), &Request::default(), &context(1)).unwrap();
        let mean = (0.5 * sigma * sigma).exp();
        assert!((found.distribution().mean(0).unwrap() / mean - 1.0).abs() < of_mean, "{sigma}");
        for y in [0.6_f64, 1.0, 2.0] {
            let w = y.ln() / sigma;
            let tails = normal_cdf(w - sigma) + normal_cdf(sigma / std::f64::consts::SQRT_2) - 1.0;
            let crps = y * (2.0 * normal_cdf(w) - 1.0) - 2.0 * mean * tails;
            assert!(
                (found.distribution().crps(0, y).unwrap() / crps - 1.0).abs() < of_crps,
                "{sigma} {y}"
            );
        }
    }
}

/// One target of a hundred is far off: the t distribution's spread stays, the normal's grows.
#[test]
fn a_student_t_distribution_withstands_outliers() {
    let mut train = normal_table(1000, 5);
    train.target.iter_mut().step_by(100).for_each(|y| *y = 100.0);
    let width = |family| {
        let predictive = predict(&*fit(&method(family, 60), &train), train.features.view());
        (0..1000)
            .map(|i| predictive.interval(i, 0.5).map_or(f64::NAN, |(low, high)| high - low))
            .sum::<f64>()
            / 1000.0
    };
    let (student, normal) = (width(Family::StudentT), width(Family::Normal));
    // The true mean width is 1.35 on average.
    assert!((0.9..1.9).contains(&student) && normal > 2.0 * student, "{student} {normal}");
}

#[test]
fn missing_values_and_constant_features_are_taken() {
    let mut train = normal_table(300, 6);
    train.features.column_mut(1).fill(4.0);
    train.features.column_mut(2).iter_mut().step_by(2).for_each(|x| *x = f64::NAN);
    let predictive = predict(
        &*fit(&method(Family::Normal, 20), &train),
        array![[f64::NAN, 1.0, f64::NAN]].view(),
    );
    assert!(predictive.means().unwrap()[0].is_finite());
}

#[test]
fn missing_rounds_have_this_methods_defaults() {
    let read: NgBoostParameters =
        serde_json::from_value(json!({ "rounds": { "most": 7 } })).unwrap();
    assert_eq!(
        read,
        NgBoostParameters { rounds: Rounds { most: 7, ..ROUNDS }, ..NgBoostParameters::default() }
    );
    assert!(
        serde_json::from_value::<NgBoostParameters>(json!({ "rounds": { "least": 7 } })).is_err()
    );
}

#[test]
fn faults_are_named() {
    let constant =
        Table::unnamed(normal_table(20, 7).features, ndarray::Array1::from_elem(20, 2.0));
    let words = method(Family::Normal, 3).fit(&constant, &context(1)).err().unwrap().to_string();
    assert!(words.contains("ngboost needs a target that varies, found 2 in every row"), "{words}");
    let words = method(Family::Normal, 3)
        .fit(&constant.select(&[0, 1]), &context(1))
        .err()
        .unwrap()
        .to_string();
    assert!(words.contains("ngboost needs at least 3 training rows, found 2"), "{words}");
}

/// A fit whose numbers change must raise [`Method::version`].
#[test]
fn the_version_stands_for_these_numbers() {
    let method = method(Family::Normal, 20);
    assert_eq!(method.version(), 2);
    const GOLDEN: [f64; 4] =
        [-0.27448398351716013, 1.893384231412889, 3.4982440256158056, 1.3730241864458939];
    let predictive = predict(&*fit(&method, &golden_table()), golden_table().features.view());
    assert_golden(first_and_last(&predictive), GOLDEN, 1e-6);
}
