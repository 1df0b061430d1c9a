//! Mixture regression on ordinary and on degenerate tables.

use ndarray::{Array2, Axis, array};
use rand::RngExt;
use sha2::{Digest, Sha256};

use super::*;
use crate::anchors::LinearGaussian;
use crate::{Method, Reading};
use uq_core::math::random::Streams;
use uq_core::math::special::{normal_cdf, normal_quantile};
use uqbench_data::simulated::Simulated;
use uqbench_data::{Library, Manifest, SourceOptions};

fn context() -> Context {
    Context::new(Streams::new(1, ID))
}

fn gmm(components: Option<usize>) -> GmmRegression {
    GmmRegression::new(GmmRegressionParameters { components, ..GmmRegressionParameters::default() })
        .unwrap()
}

fn predict(
    method: &dyn Method,
    train: &Table,
    at: ArrayView2<f64>,
) -> Result<Predictive, FitError> {
    method.fit(train, &context())?.predict(&Reading::MAIN, at, &Request::default(), &context())
}

fn refusal(components: Option<usize>, train: &Table) -> String {
    match predict(&gmm(components), train, train.features.view()) {
        Err(error @ (FitError::Unsupported(_) | FitError::Singular(_))) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

/// Mean log density of the test rows.
fn log_score(method: &dyn Method, train: &Table, test: &Table) -> f64 {
    let predictive = predict(method, train, test.features.view()).unwrap();
    let score = |i| predictive.distribution().log_density(i, test.target[i]).unwrap();
    (0..test.rows()).map(score).sum::<f64>() / test.rows() as f64
}

fn bundled(key: &str) -> Table {
    let library = Library::new(SourceOptions { offline: true, ..SourceOptions::default() });
    library.load(Manifest::shipped().unwrap().get(key).unwrap()).unwrap().as_ref().clone()
}

/// 50 rows and 2 features without ties.
fn small() -> Table {
    let mut rng = context().stream("data", 0);
    let features = Array2::from_shape_simple_fn((50, 2), || rng.random::<f64>());
    let target =
        features.rows().into_iter().map(|x| (3.0 * x[0]).sin() + x[1] + 0.3 * rng.random::<f64>());
    Table::unnamed(features.clone(), target.collect())
}

#[test]
fn one_component_predicts_as_least_squares() {
    let table = small();
    let found = predict(&gmm(Some(1)), &table, table.features.view()).unwrap();
    let linear = predict(&LinearGaussian::default(), &table, table.features.view()).unwrap();
    for (a, b) in found.means().unwrap().iter().zip(&linear.means().unwrap()) {
        assert!((a - b).abs() < 1e-11, "{a} against {b}");
    }
    // Divisor n instead of n − 3, and no uncertainty of the coefficients.
    let aleatoric = linear.split.unwrap().aleatoric.unwrap();
    for (a, b) in found.variances().unwrap().iter().zip(&aleatoric) {
        assert!((a - b * 47.0 / 50.0).abs() < 1e-11, "{a} against {b}");
    }
    assert!(found.split.unwrap().epistemic.unwrap().iter().all(|v| v.abs() < 1e-20));
}

#[test]
fn growing_noise_is_distinguished_from_constant_noise() {
    let drawn = Simulated::get("simulated:heteroscedastic-sine")
        .unwrap()
        .draw(&mut context().stream("sine", 0));
    let gain = log_score(&gmm(Some(4)), &drawn.train, &drawn.test)
        - log_score(&LinearGaussian::default(), &drawn.train, &drawn.test);
    assert!(gain > 0.1, "{gain}");
}

#[test]
fn the_yacht_is_predicted_better_than_by_a_line() {
    let table = bundled("yacht");
    let (test, train): (Vec<usize>, Vec<usize>) = (0..table.rows()).partition(|i| i % 5 == 0);
    let (train, test) = (table.select(&train), table.select(&test));
    let gain = log_score(&gmm(Some(3)), &train, &test)
        - log_score(&LinearGaussian::default(), &train, &test);
    assert!(gain > 0.5, "{gain}");
}

#[test]
fn boston_has_a_valid_prediction_at_every_row() {
    let table = bundled("boston");
    let predictive = predict(&gmm(None), &table, table.features.view()).unwrap();
    assert_eq!(predictive.validate(), Ok(()));
}

#[test]
fn units_and_constant_features_change_nothing() {
    let table = small();
    let reference = predict(&gmm(Some(3)), &table, table.features.view()).unwrap();
    let mut features = table.features.clone();
    // Powers of two: exact in floating point.
    features.column_mut(0).mapv_inplace(|x| x * 2.0_f64.powi(40));
    features.push_column(Array1::from_elem(50, 7e12).view()).unwrap();
    let other = Table::unnamed(features.clone(), &table.target * 2.0_f64.powi(-30));
    let found = predict(&gmm(Some(3)), &other, features.view())
        .unwrap()
        .affine(0.0, 2.0_f64.powi(30))
        .unwrap();
    assert_eq!(found.validate(), Ok(()));
    for (a, b) in found.means().unwrap().iter().zip(&reference.means().unwrap()) {
        assert!((a - b).abs() < 1e-9, "{a} against {b}");
    }
}

#[test]
fn degenerate_tables_give_a_finite_fit_or_an_error() {
    let sound = |table: &Table, k| {
        let predictive = predict(&gmm(Some(k)), table, table.features.view()).unwrap();
        assert_eq!(predictive.validate(), Ok(()));
    };
    sound(&Table::unnamed(array![[0.0], [1.0], [1.0], [0.0]], array![1.0, 3.0, 3.0, 1.0]), 1);
    let repeated = small().select(&(0..200).map(|i| i % 10).collect::<Vec<_>>());
    sound(&repeated, 8);
    sound(&Table::unnamed(Array2::zeros((20, 3)), Array1::range(0.0, 20.0, 1.0)), 2);
    sound(&Table::unnamed(Array2::zeros((20, 0)), Array1::range(0.0, 20.0, 1.0)), 2);
    let two_values =
        Table { target: small().features.column(0).mapv(|x| f64::from(x > 0.5)), ..small() };
    sound(&two_values, 4);
    let huge = Table {
        features: &small().features * 1e12 + 3e12,
        target: &small().target * -1e12,
        ..small()
    };
    sound(&huge, 5);
    let collinear = Table {
        features: ndarray::concatenate(Axis(1), &[small().features.view(); 3]).unwrap(),
        ..small()
    };
    sound(&collinear, 3);

    assert!(refusal(Some(11), &repeated).contains("found 10"));
    assert!(refusal(Some(1), &small().select(&[4])).contains("at least 2 training rows, found 1"));
    assert!(refusal(Some(1), &small().select(&[])).contains("found 0"));
    let flat = Table { target: Array1::from_elem(50, 2.5), ..small() };
    assert!(refusal(Some(2), &flat).contains("a target that varies, found 2.5"));
    let mut holed = small();
    holed.features[(3, 1)] = f64::NAN;
    assert!(refusal(Some(2), &holed).contains("found NaN in training row 3, feature 1"));
    let mut open = small();
    open.target[9] = f64::INFINITY;
    assert!(refusal(Some(2), &open).contains("found inf in training row 9"));
    let parameters = GmmRegressionParameters {
        components: Some(2),
        covariance_floor: 0.0,
        ..Default::default()
    };
    let error =
        predict(&GmmRegression::new(parameters).unwrap(), &collinear, collinear.features.view())
            .unwrap_err();
    assert!(error.to_string().contains("raise the covariance floor"), "{error}");
}

/// n normal rows of d features, whose sum is the target's mean; the noise has variance 1.
fn normal_rows(n: usize, d: usize, index: u64) -> Table {
    let mut rng = context().stream("normal", index);
    let mut normal = || normal_quantile(rng.random_range(1e-12..1.0));
    let features = Array2::from_shape_simple_fn((n, d), &mut normal);
    let target = features.sum_axis(Axis(1)).mapv(|mean| mean + normal());
    Table::unnamed(features, target)
}

/// The mean coverage of 90 % intervals at new rows, by a mixture of this many components that is
/// fitted without its check.
fn coverage(n: usize, d: usize, components: usize, fits: u64) -> f64 {
    let of = |index: u64| {
        let (train, test) = (normal_rows(n, d, 2 * index), normal_rows(200, d, 2 * index + 1));
        let scales = Scales::new(ID, &train).unwrap();
        let mut rng = context().stream("start", index);
        let mut mixture =
            GaussianMixture::start(scales.joint(&train).view(), components, 1e-6, &mut rng)
                .unwrap();
        let settings = EmSettings { max_steps: 200, tolerance: 1e-6, floor: 1e-6 };
        mixture.fit(scales.joint(&train).view(), &settings, &context()).unwrap();
        let standardised = mixture.conditional(scales.standardised(test.features.view()).view());
        let predictive =
            scales.in_target_units(ID, &Predictive::new(Form::Mixture(standardised))).unwrap();
        let covered = |&i: &usize| {
            let (lower, upper) = predictive.interval(i, 0.9).unwrap();
            (lower..=upper).contains(&test.target[i])
        };
        (0..200).filter(covered).count() as f64 / 200.0
    };
    (0..fits).map(of).sum::<f64>() / fits as f64
}

#[test]
fn intervals_shrink_by_the_columns_share_of_the_rows() {
    let d = 20;
    for rows_a_column in [2, 4, 8] {
        let gamma = 1.0 / rows_a_column as f64;
        let expected = 2.0 * normal_cdf(1.644_853_6 * (1.0 - gamma)) - 1.0;
        let found = coverage(rows_a_column * (d + 1), d, 1, 40);
        assert!(
            (found - expected).abs() < 0.03,
            "{rows_a_column} rows a column: {found} against {expected}"
        );
    }
    // With fewer rows than columns hardly a row is covered; of components with as many rows as
    // columns some lose their rows to others.
    assert!(coverage(d, d, 1, 10) < 0.02);
    let several = coverage(8 * (d + 1), d, 8, 10);
    assert!(several < 0.6, "{several}");
}

#[test]
fn too_few_rows_for_the_columns_are_refused_with_what_to_do() {
    let wide = normal_rows(100, 60, 0);
    let expected = "unsupported: gmm-regression fits a full covariance of target and 60 features \
                    in each of 8 components, for which its intervals need at least 976 training \
                    rows, found 100; take fewer features, or a method for many columns, such as \
                    `ridge` or `jcm`, which projects them";
    assert_eq!(refusal(None, &wide), expected);
    let said = refusal(Some(5), &normal_rows(49, 4, 0));
    assert!(
        said.contains("at least 50 training rows, found 49; set `components` to at most 4"),
        "{said}"
    );
    // Constant features do not count.
    let constant = Table {
        features: ndarray::concatenate![Axis(1), small().features, Array2::ones((50, 40))],
        ..small()
    };
    assert!(predict(&gmm(None), &constant, constant.features.view()).is_ok());
    assert!(predict(&gmm(Some(5)), &normal_rows(50, 4, 0), Array2::zeros((1, 4)).view()).is_ok());
}

#[test]
fn invalid_requests_are_refused_by_mixture_regression() {
    let table = small();
    let fitted = gmm(Some(2)).fit(&table, &context()).unwrap();
    let ask = |reading: &Reading, at: ArrayView2<f64>| {
        fitted.predict(reading, at, &Request::default(), &context())
    };
    let error = ask(&Reading::new("game"), table.features.view()).unwrap_err();
    assert!(error.to_string().contains("asked for 'game'"));
    let error = ask(&Reading::MAIN, Array2::zeros((1, 5)).view()).unwrap_err();
    assert!(error.to_string().contains("fitted on 2 features, asked to predict from 5"));
    let error = ask(&Reading::MAIN, array![[0.5, 0.5], [f64::NAN, 0.0]].view()).unwrap_err();
    assert!(matches!(&error, FitError::Diverged(message) if message.contains("row 1")), "{error}");
    let log = &fitted.side_tables()[0];
    let steps = log.column("log_likelihood").unwrap();
    assert!(steps.len() > 1 && steps.windows(2).all(|pair| pair[1] > pair[0] - 1e-12));
}

#[test]
fn parameters_out_of_range_are_named() {
    let message = |p| GmmRegression::new(p).unwrap_err().to_string();
    let default = GmmRegressionParameters::default;
    assert!(
        message(GmmRegressionParameters { components: Some(0), ..default() })
            .starts_with("parameter `components` is 0")
    );
    assert!(
        message(GmmRegressionParameters { covariance_floor: -1e-9, ..default() })
            .contains("`covariance_floor`")
    );
    assert!(message(GmmRegressionParameters { steps: 0, ..default() }).contains("`steps`"));
    assert!(
        message(GmmRegressionParameters { tolerance: f64::NAN, ..default() })
            .contains("`tolerance`")
    );
}

/// A fit whose numbers change must raise [`Method::version`].
#[test]
fn the_version_stands_for_these_numbers() {
    let table = small();
    let predictive = predict(&gmm(Some(3)), &table, table.features.view()).unwrap();
    let mut hash = Sha256::new();
    for (mean, variance) in predictive.means().unwrap().iter().zip(&predictive.variances().unwrap())
    {
        // Many steps of sums: processors may differ beyond these digits.
        hash.update(format!("{mean:.6e} {variance:.6e}"));
    }
    let digest: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(
        (gmm(Some(3)).version(), digest.as_str()),
        (1, "29da2fe5919967b6ae9e50f9c81dd4a60e1c50500dc2fb30bdd0cddf36f30a93")
    );
}

#[test]
fn the_components_of_one_feature_are_left_in_the_units_of_the_rows() {
    let mut rng = context().stream("data", 0);
    let x: Vec<f64> = (0..200).map(|_| 50.0 + 20.0 * rng.random::<f64>()).collect();
    let y: Vec<f64> = x.iter().map(|x| 1e3 - 3.0 * x + 5.0 * rng.random::<f64>()).collect();
    let table =
        Table::unnamed(Array2::from_shape_fn((200, 1), |(i, _)| x[i]), Array1::from(y.clone()));
    let side_tables = gmm(Some(1)).fit(&table, &context()).unwrap().side_tables();
    let found = |name: &str| {
        side_tables.iter().find(|a| a.name == "components").unwrap().column(name).unwrap()[0]
    };
    // One component has the moments of the rows.
    let mean = |of: &dyn Fn(usize) -> f64| (0..200).map(of).sum::<f64>() / 200.0;
    let (mx, my) = (mean(&|i| x[i]), mean(&|i| y[i]));
    for (name, expected) in [
        ("weight", 1.0),
        ("mean_y", my),
        ("mean_z1", mx),
        ("covariance_y_y", mean(&|i| (y[i] - my).powi(2))),
        ("covariance_z1_y", mean(&|i| (x[i] - mx) * (y[i] - my))),
        ("covariance_z1_z1", mean(&|i| (x[i] - mx).powi(2))),
    ] {
        assert!(
            (found(name) / expected - 1.0).abs() < 1e-9,
            "{name}: {} against {expected}",
            found(name)
        );
    }
    let many = gmm(Some(1)).fit(&small(), &context()).unwrap().side_tables();
    assert_eq!(many.len(), 1, "of two features no figure is drawn");
}
