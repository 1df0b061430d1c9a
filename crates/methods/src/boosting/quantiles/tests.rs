use super::*;
use crate::boosting::fixtures::{context, fit, normal_table, predict, truth};
use crate::golden::{assert_golden, golden_table};
use crate::{Method, Reading};
use ndarray::{Array1, array};
use proptest::prelude::{prop, prop_assert, proptest};
use uq_core::math::special::normal_quantile;

fn method(parameters: BoostingQuantilesParameters) -> BoostingQuantiles {
    BoostingQuantiles::new(parameters).unwrap()
}

fn few_rounds(most: usize) -> BoostingQuantilesParameters {
    let rounds = Rounds { most, ..Rounds::default() };
    BoostingQuantilesParameters { rounds, ..BoostingQuantilesParameters::default() }
}

#[test]
fn known_conditional_quantiles_are_found() {
    let (train, test) = (normal_table(4000, 1), normal_table(400, 2));
    let predictive = predict(&*fit(&method(few_rounds(200)), &train), test.features.view());
    for level in [0.05, 0.25, 0.5, 0.75, 0.95] {
        let mut error = 0.0;
        for (i, x) in test.features.rows().into_iter().enumerate() {
            let (mean, spread) = truth(&x.to_vec());
            let expected = mean + spread * normal_quantile(level);
            error +=
                (predictive.distribution().quantile(i, level).unwrap() - expected).abs() / 400.0;
        }
        // Spreads lie from 0.5 to 1.5; quantiles that ignore the features err by 1.3 on average.
        assert!(error < 0.3, "{level}: {error}");
    }
}

#[test]
fn no_quantiles_cross_on_many_rows() {
    let train = normal_table(600, 3);
    let many = normal_table(100_000, 4);
    let predictive = predict(&*fit(&method(few_rounds(60)), &train), many.features.view());
    // `predict` has checked the order of each row.
    assert_eq!(predictive.len(), 100_000);
}

/// Sorting the quantiles of a row never increases the sum of their pinball losses.
#[test]
fn a_held_out_loss_decreases_from_that_of_the_plain_quantiles() {
    let fitted = fit(&method(few_rounds(200)), &normal_table(2000, 5));
    let tables = fitted.side_tables();
    let losses = &tables[0].columns[1].1;
    let best = losses.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(
        tables[0].name == "held-out-loss" && losses.len() > 50 && best < 0.7 * losses[0],
        "{} to {best}",
        losses[0]
    );
}

#[test]
fn rows_too_few_to_split_are_predicted_by_their_quantiles() {
    let train = Table::unnamed(array![[1.0], [2.0], [3.0]], array![4.0, 8.0, 6.0]);
    let predictive = predict(&*fit(&method(few_rounds(10)), &train), array![[9.0]].view());
    // Places τ (n + 1): 0.25 lies at the first of three, 0.5 at the second, 0.6 at 2.4.
    for (level, expected) in [(0.25, 4.0), (0.5, 6.0), (0.6, 6.8), (0.005, 4.0), (0.995, 8.0)] {
        let found = predictive.distribution().quantile(0, level).unwrap();
        assert!((found - expected).abs() < 1e-12, "{level}: {found}");
    }
    let one = Table::unnamed(array![[1.0]], array![5.0]);
    let given = BoostingQuantilesParameters { min_leaf: 1, ..few_rounds(10) };
    let predictive = predict(&*fit(&method(given), &one), array![[9.0]].view());
    assert_eq!(predictive.interval(0, 0.9), Some((5.0, 5.0)));
}

#[test]
fn a_constant_target_is_predicted_everywhere() {
    let train = Table::unnamed(normal_table(100, 6).features, Array1::from_elem(100, 0.1));
    let predictive = predict(&*fit(&method(few_rounds(50)), &train), train.features.view());
    assert!((0..100).all(|i| predictive.interval(i, 0.99) == Some((0.1, 0.1))));
}

#[test]
fn a_constant_feature_and_no_feature_change_nothing() {
    let train = normal_table(300, 7);
    let targets = |features: Array2<f64>| {
        let given = Rounds { features: 1.0, most: 30, ..Rounds::default() };
        let fitted = fit(
            &method(BoostingQuantilesParameters { rounds: given, ..few_rounds(30) }),
            &Table::unnamed(features.clone(), train.target.clone()),
        );
        predict(&*fitted, features.view())
    };
    let wider =
        ndarray::concatenate![ndarray::Axis(1), train.features, Array2::from_elem((300, 1), 7.0)];
    assert_eq!(targets(wider), targets(train.features.clone()));
    let none = targets(Array2::zeros((300, 0)));
    assert_eq!(none.interval(0, 0.9), none.interval(299, 0.9));
}

#[test]
fn missing_values_take_the_side_that_fits() {
    // Missing values have the high target; the feature itself is split by targets 0 and 1.
    let x = |i: usize| if i.is_multiple_of(3) { f64::NAN } else { (i % 3) as f64 };
    let features = Array2::from_shape_fn((300, 1), |(i, _)| x(i));
    let noise = |i: usize| (i * 7919 % 300) as f64 / 3000.0;
    let target = Array1::from_shape_fn(300, |i| {
        noise(i) + if x(i).is_nan() { 5.0 } else { f64::from(x(i) > 1.5) }
    });
    let given = BoostingQuantilesParameters { rate: 0.5, ..few_rounds(30) };
    let predictive = predict(
        &*fit(&method(given), &Table::unnamed(features, target)),
        array![[f64::NAN], [1.0], [2.0]].view(),
    );
    for (i, expected) in [5.05, 0.05, 1.05].into_iter().enumerate() {
        let median = predictive.distribution().quantile(i, 0.5).unwrap();
        assert!((median - expected).abs() < 0.05, "{i}: {median}");
    }
}

/// Rounds draw from streams of their own, so that neither the threads nor other fits change them.
#[test]
fn threads_change_no_byte() {
    let (train, test) = (normal_table(300, 8), normal_table(20, 9));
    let fitted = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| predict(&*fit(&method(few_rounds(20)), &train), test.features.view()))
    };
    let [one, four] = [1, 4].map(fitted);
    assert_eq!(one, four);
    let other = method(few_rounds(20)).fit(&train, &context(2)).unwrap();
    assert_ne!(predict(&*other, test.features.view()), one);
}

proptest! {
    #[test]
    fn quantiles_are_those_of_the_sorted_numbers(
        numbers in prop::collection::vec(-50_i32..50, 1..60),
        level in 0.001_f64..0.999,
    ) {
        let mut moved: Vec<f64> = numbers.iter().map(|&x| f64::from(x)).collect();
        let found = quantile(&mut moved, level);
        moved.sort_by(f64::total_cmp);
        let place = level * (moved.len() + 1) as f64;
        let at = |k: f64| moved[(k.max(1.0) as usize).min(moved.len()) - 1];
        let expected = at(place.floor())
            + (place - place.floor()) * (at(place.floor() + 1.0) - at(place.floor()));
        let expected = if place < 1.0 { moved[0] } else { expected };
        prop_assert!((found - expected).abs() < 1e-9, "{} {}", found, expected);
    }
}

#[test]
fn splits_look_at_levels_spread_over_the_list() {
    assert_eq!(structure(25).collect::<Vec<_>>(), [1, 4, 7, 10, 14, 17, 20, 23]);
    assert_eq!(structure(3).collect::<Vec<_>>(), [0, 1, 2]);
}

#[test]
fn faults_are_named() {
    let given = BoostingQuantilesParameters { levels: vec![0.5, 0.2], ..few_rounds(1) };
    let words = BoostingQuantiles::new(given).err().unwrap().to_string();
    assert!(words.contains("expected one or more increasing numbers between 0 and 1"), "{words}");
    let train = normal_table(30, 10);
    let given = BoostingQuantilesParameters { levels: vec![0.1, 0.9], ..few_rounds(1) };
    let fitted = fit(&method(given), &train);
    let words = fitted
        .predict(&Reading::MAIN, train.features.view(), &Request::default(), &context(1))
        .unwrap_err();
    let expected = "unsupported: boosting-quantiles: asked for the quantile at 0.025, expected a \
                    level from 0.1 to 0.9; name it in `levels`";
    assert_eq!(words.to_string(), expected);
    let hole = Table { target: Array1::from_elem(30, f64::NAN), ..train.clone() };
    let words = method(few_rounds(1)).fit(&hole, &context(1)).err().unwrap().to_string();
    assert!(words.contains("needs a finite target, found NaN in training row 0"), "{words}");
    let words =
        method(few_rounds(1)).fit(&train.select(&[]), &context(1)).err().unwrap().to_string();
    assert!(words.contains("needs at least 1 training row, found 0"), "{words}");
}

/// A fit whose numbers change must raise [`Method::version`].
#[test]
fn the_version_stands_for_these_numbers() {
    const GOLDEN: [f64; 4] =
        [-0.9124183525333448, 3.492762029883264, 0.4357954523534241, 4.03456449097085];
    let method = method(BoostingQuantilesParameters { min_leaf: 5, ..few_rounds(20) });
    assert_eq!(method.version(), 3);
    let predictive = predict(&*fit(&method, &golden_table()), golden_table().features.view());
    let (low, high) = predictive.interval(0, 0.9).unwrap();
    let (least, most) = predictive.interval(49, 0.9).unwrap();
    assert_golden([low, high, least, most], GOLDEN, 1e-9);
}
