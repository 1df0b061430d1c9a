use super::*;
use crate::conformal::IsotonicDistribution;
use crate::trees::{Cart, CartParameters};
use crate::{Reading, registry};
use ndarray::array;
use rand::RngExt;
use serde_json::json;
use uq_core::math::random::Streams;
use uq_core::predictive::Distribution;

fn context(index: u64) -> Context {
    Context::new(Streams::new(index, "isotonic"))
}

/// Normal noise whose standard deviation grows along a line.
fn table(rows: usize, index: u64) -> Table {
    let mut rng = context(index).stream("data", 0);
    let features = Array2::from_shape_simple_fn((rows, 1), || rng.random::<f64>());
    let normal = |uniform: f64| uq_core::math::special::normal_quantile(uniform);
    let target: Array1<f64> = features
        .column(0)
        .iter()
        .map(|x| 2.0 * x + (0.1 + x) * normal(rng.random_range(1e-6..1.0)))
        .collect();
    Table::unnamed(features, target)
}

fn over(base: &str, given: &serde_json::Value) -> Box<dyn Method> {
    let mut parameters = given.clone();
    parameters["method"] = json!({ "id": base });
    registry::build("isotonic-distribution", &parameters).unwrap()
}

fn predict(method: &dyn Method, train: &Table, at: ArrayView2<f64>) -> Predictive {
    let fitted = method.fit(train, &context(7)).unwrap();
    let predictive = fitted.predict(&Reading::MAIN, at, &Request::default(), &context(8)).unwrap();
    assert_eq!(predictive.validate(), Ok(()));
    predictive
}

#[test]
fn the_distribution_is_that_of_the_targets_given_their_means() {
    // A line through four points: means 0.4, 1.8, 3.2 and 4.6, in the order of x.
    let train = Table::unnamed(array![[0.0], [1.0], [2.0], [3.0]], array![1.0, 0.0, 4.0, 5.0]);
    let found = predict(
        &*over("linear-gaussian", &json!({ "folds": 1 })),
        &train,
        array![[0.0], [0.5], [1.5], [9.0]].view(),
    );
    let Form::Atoms(atoms) = &found.form else { panic!("points are expected") };
    // The first two targets fall, and are pooled; halfway to the third one they share.
    for (y, expected) in [(0.0, 0.5), (0.5, 0.5), (1.0, 1.0)] {
        assert_eq!((atoms.cdf(0, y), atoms.cdf(1, y)), (Some(expected), Some(expected)));
    }
    for (y, expected) in [(0.0, 0.25), (1.0, 0.5), (3.9, 0.5), (4.0, 1.0)] {
        assert!((atoms.cdf(2, y).unwrap() - expected).abs() < 1e-12, "{y}");
    }
    assert_eq!((atoms.cdf(3, 4.9), atoms.cdf(3, 5.0)), (Some(0.0), Some(1.0)));
}

#[test]
fn distributions_increase_with_the_mean_and_adapt_to_the_noise() {
    let train = table(2000, 1);
    let at = array![[0.1], [0.3], [0.6], [0.9]];
    let found = predict(&*over("linear-gaussian", &json!({ "folds": 1 })), &train, at.view());
    for level in [0.1, 0.3, 0.5, 0.7, 0.9] {
        let quantiles = found.distribution().quantiles(level).unwrap();
        assert!(quantiles.windows(2).into_iter().all(|pair| pair[0] <= pair[1]), "{level}");
    }
    for (i, x) in at.column(0).iter().enumerate() {
        let (mean, sd) = (2.0 * x, 0.1 + x);
        let (low, high) = found.interval(i, 0.8).unwrap();
        // The median of some hundred rows about x.
        assert!((found.means().unwrap()[i] - mean).abs() < 0.25 * sd, "{x}");
        assert!((0.6..1.5).contains(&((high - low) / (2.0 * 1.2816 * sd))), "{x}: {low} {high}");
    }
}

#[test]
fn folds_make_the_distribution_as_wide_as_the_errors_of_unseen_rows() {
    // A tree that repeats its training rows: in-sample the targets lie on their means.
    let (train, test) = (table(600, 2), table(2000, 3));
    let coverage = |folds: usize| {
        let tree = Cart::new(CartParameters { min_leaf: 1, ..CartParameters::default() }).unwrap();
        let given = IsotonicDistributionParameters { folds, ..Default::default() };
        let method = IsotonicDistribution::new(given, Box::new(tree)).unwrap();
        let found = predict(&method, &train, test.features.view());
        let covered = |(i, y): (usize, &f64)| {
            let (low, high) = found.interval(i, 0.8).unwrap();
            (low..=high).contains(y)
        };
        test.target.iter().enumerate().filter(|one| covered(*one)).count() as f64 / 2000.0
    };
    let (seen, unseen) = (coverage(1), coverage(5));
    assert!(seen < 0.3, "{seen}");
    assert!((0.72..0.88).contains(&unseen), "{unseen}");
}

#[test]
fn a_smooth_distribution_has_a_density_and_the_same_points() {
    let train = table(300, 4);
    let at = table(50, 5);
    let points =
        predict(&*over("linear-gaussian", &json!({ "folds": 1 })), &train, at.features.view());
    let method = over("linear-gaussian", &json!({ "folds": 1, "smooth": true }));
    let smooth = predict(&*method, &train, at.features.view());
    let (Form::Atoms(atoms), Form::Smoothed(form)) = (&points.form, &smooth.form) else {
        panic!("points and smooth ones are expected")
    };
    assert_eq!((&atoms.values, &atoms.weights), (&form.values, &form.weights));
    let density = |i: usize| smooth.distribution().log_density(i, at.target[i]);
    let mean = (0..50).map(|i| density(i).unwrap()).sum::<f64>() / 50.0;
    // The truth's own log density: −½ ln 2πe − mean of ln σ, here −0.88.
    assert!((-1.15..-0.7).contains(&mean), "{mean}");
    let tables = method.fit(&train, &context(7)).unwrap().side_tables();
    assert_eq!(tables[0].column("bandwidth").unwrap().len(), 7);
}

#[test]
fn faults_are_named() {
    let error = |given: serde_json::Value| {
        let mut given = given;
        given["method"] = json!({ "id": "linear-gaussian" });
        registry::build("isotonic-distribution", &given).err().unwrap().to_string()
    };
    assert!(error(json!({ "folds": 0 })).contains("`folds` is 0"));
    assert!(error(json!({ "held_out": 1.0 })).contains("`held_out` is 1"));
    assert!(error(json!({ "degrees_of_freedom": [1.0] })).contains("`degrees_of_freedom`"));
    let one_value = Table::unnamed(array![[0.0], [1.0], [2.0], [3.0], [4.0]], Array1::ones(5));
    let smooth = over("unconditional-gaussian", &json!({ "folds": 1, "smooth": true }));
    let error = smooth.fit(&one_value, &context(1)).err().unwrap();
    assert_eq!(
        error,
        FitError::Unsupported("isotonic-distribution: a kernel needs targets that vary".into())
    );
    // Without a kernel one value is one point.
    let found = predict(
        &*over("unconditional-gaussian", &json!({ "folds": 1 })),
        &one_value,
        array![[9.0]].view(),
    );
    assert_eq!(found.means(), Some(array![1.0]));
    let mut missing = one_value.clone();
    missing.target[2] = f64::NAN;
    let plain = over("unconditional-gaussian", &json!({ "folds": 1 }));
    assert!(plain.fit(&missing, &context(1)).is_err());
}
