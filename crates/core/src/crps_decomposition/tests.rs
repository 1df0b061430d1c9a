use ndarray::{Array1, array};
use proptest::prelude::*;

use super::*;
use crate::math::random::Rng;
use crate::predictive::{Atoms, Form, Gaussian, Quantiles};
use rand::SeedableRng;

fn normal(mean: Array1<f64>, sd: Array1<f64>) -> Predictive {
    Predictive::new(Form::Gaussian(Gaussian { mean, variance: sd.mapv(|sd| sd * sd) }))
}

fn decompose(predictive: &Predictive, y: &[f64]) -> CrpsDecomposition {
    OrderedForecasts::new(predictive).unwrap().decompose(ArrayView1::from(y)).unwrap()
}

fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected}");
}

/// Six step functions that an isotonic regression has, and two sets of outcomes, decomposed by
/// another program with the max-min formula in fractions.
#[test]
fn the_parts_are_those_of_an_independent_program() {
    let thresholds = [1.0, 2.0, 3.0, 4.0, 5.5, 7.0];
    let cdf = [
        [0.5, 1.0, 1.0, 1.0, 1.0, 1.0],
        [0.5, 0.75, 1.0, 1.0, 1.0, 1.0],
        [0.375, 0.75, 1.0, 1.0, 1.0, 1.0],
        [0.0, 0.0, 0.5, 2.0 / 3.0, 1.0, 1.0],
        [0.0, 0.0, 0.0, 1.0 / 6.0, 0.25, 1.0],
        [0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
    ];
    let weights = Array2::from_shape_fn((6, 6), |(i, at)| {
        cdf[i][at] - if at == 0 { 0.0 } else { cdf[i][at - 1] }
    });
    let values = Array2::from_shape_fn((6, 6), |(_, at)| thresholds[at]);
    let predictive = Predictive::new(Form::Atoms(Atoms { values, weights }));
    for (outcomes, crps, miscalibration, discrimination, uncertainty) in [
        (
            [1.0, 3.0, 2.6, 6.0, 4.0, 10.0],
            1.3112847222222224,
            1.1112847222222224,
            1.3611111111111112,
            1.5611111111111111,
        ),
        (
            [3.0, 1.0, 4.5, 2.0, 7.0, 5.0],
            1.2196180555555556,
            0.677951388888889,
            0.5833333333333334,
            1.125,
        ),
    ] {
        let found = decompose(&predictive, &outcomes);
        assert_near(found.crps, crps, 1e-14);
        assert_near(found.miscalibration, miscalibration, 1e-14);
        assert_near(found.discrimination, discrimination, 1e-14);
        assert_near(found.uncertainty, uncertainty, 1e-14);
        assert_near(found.comparable, 1.0, 0.0);
    }
}

proptest! {
    #[test]
    fn the_parts_make_up_the_crps_and_none_is_negative(
        rows in prop::collection::vec((-3.0..3.0_f64, 0.1..4.0_f64, -9.0..9.0_f64), 1..40),
        shift in -5.0..5.0_f64,
        scale in 0.1..9.0_f64,
    ) {
        let n = rows.len();
        let mean: Array1<f64> = rows.iter().map(|row| row.0).collect();
        let sd: Array1<f64> = rows.iter().map(|row| row.1).collect();
        let y: Vec<f64> = rows.iter().map(|row| row.2).collect();
        let found = decompose(&normal(mean.clone(), sd.clone()), &y);
        let sum = found.miscalibration - found.discrimination + found.uncertainty;
        prop_assert!((sum - found.crps).abs() < 1e-12);
        prop_assert!(found.miscalibration > -1e-12 && found.discrimination > -1e-12);
        let differences: f64 = y.iter().flat_map(|a| y.iter().map(move |b| (a - b).abs())).sum();
        let expected = differences / (2 * n * n) as f64;
        prop_assert!((found.uncertainty - expected).abs() < 1e-12);
        // In another unit all parts are as large.
        let other = decompose(
            &normal(shift + scale * &mean, scale * &sd),
            &y.iter().map(|y| shift + scale * y).collect::<Vec<f64>>(),
        );
        prop_assert!((other.miscalibration - scale * found.miscalibration).abs() < 1e-9);
        prop_assert!((other.discrimination - scale * found.discrimination).abs() < 1e-9);
        prop_assert_eq!(other.comparable, found.comparable);
    }
}

#[test]
fn a_forecast_that_is_the_outcome_has_no_miscalibration() {
    let y: [f64; 4] = [3.0, -1.0, 7.0, 0.0];
    let values = Array2::from_shape_vec((4, 1), y.to_vec()).unwrap();
    let points = Predictive::new(Form::Atoms(Atoms { values, weights: array![[1.0]] }));
    let found = decompose(&points, &y);
    assert_eq!((found.crps, found.miscalibration), (0.0, 0.0));
    assert_eq!(found.discrimination, found.uncertainty);
}

#[test]
fn a_forecast_that_is_too_low_everywhere_discriminates_as_well() {
    let mean = array![0.0, 1.0, 2.0, 3.0, 4.0];
    let y = [0.4, 0.1, 2.2, 1.8, 5.0];
    let right = decompose(&normal(mean.clone(), Array1::ones(5)), &y);
    let low = decompose(&normal(mean - 6.0, Array1::ones(5)), &y);
    assert_near(low.discrimination, right.discrimination, 1e-14);
    assert_near(low.miscalibration - right.miscalibration, low.crps - right.crps, 1e-14);
}

#[test]
fn where_no_pair_is_comparable_all_is_miscalibration() {
    let found = decompose(&normal(Array1::zeros(3), array![1.0, 2.0, 3.0]), &[1.0, -4.0, 2.5]);
    assert_eq!(found.comparable, 0.0);
    assert_near(found.miscalibration, found.crps, 1e-15);
    assert_near(found.discrimination, found.uncertainty, 1e-15);
}

/// Outcomes of calibrated forecasts are as miscalibrated as draws from them, overconfident ones more.
#[test]
fn draws_say_how_miscalibrated_calibrated_forecasts_are() {
    let mut rng = Rng::seed_from_u64(7);
    let mut uniform = |from: f64, to: f64| from + (to - from) * rng.random::<f64>();
    let n = 120;
    let mean: Array1<f64> = (0..n).map(|_| uniform(-2.0, 2.0)).collect();
    let sd: Array1<f64> = (0..n).map(|_| uniform(0.7, 1.4)).collect();
    let truth = normal(mean.clone(), sd.clone());
    let y: Array1<f64> =
        (0..n).map(|row| truth.distribution().quantile(row, uniform(0.0, 1.0)).unwrap()).collect();
    let forecasts = OrderedForecasts::new(&truth).unwrap();
    let (found, calibrated) = (
        forecasts.decompose(y.view()).unwrap(),
        forecasts.calibrated(&Streams::new(1, "test")).unwrap(),
    );
    assert!(found.comparable > 0.3 && found.comparable < 1.0, "{found:?}");
    assert!(calibrated.mean() > 0.0 && calibrated.mean() < calibrated.largest());
    assert!(found.miscalibration < 1.05 * calibrated.largest(), "{found:?} {calibrated:?}");
    let narrow = normal(mean, sd / 5.0);
    let forecasts = OrderedForecasts::new(&narrow).unwrap();
    let (found, calibrated) = (
        forecasts.decompose(y.view()).unwrap(),
        forecasts.calibrated(&Streams::new(1, "test")).unwrap(),
    );
    assert!(found.miscalibration > 2.0 * calibrated.largest(), "{found:?} {calibrated:?}");
}

#[test]
fn many_rows_that_are_not_comparable_are_recalibrated_in_parts() {
    let n = MOST_ROWS + 1;
    let mean: Array1<f64> = (0..n).map(|row| (row % 17) as f64).collect();
    let sd: Array1<f64> = (0..n).map(|row| 1.0 + (row % 5) as f64).collect();
    let y: Vec<f64> = (0..n).map(|row| (row % 17) as f64 + (row % 3) as f64).collect();
    let predictive = normal(mean.clone(), sd);
    let forecasts = OrderedForecasts::new(&predictive).unwrap();
    assert_eq!(forecasts.parts(), 2);
    let found = forecasts.decompose(ArrayView1::from(&y)).unwrap();
    let sum = found.miscalibration - found.discrimination + found.uncertainty;
    assert_near(sum, found.crps, 1e-12);
    // Comparable forecasts need no parts.
    let one = normal(mean, Array1::ones(n));
    assert_eq!(OrderedForecasts::new(&one).unwrap().parts(), 1);
}

#[test]
fn what_cannot_be_compared_has_no_parts() {
    let values = array![[1.0, 2.0], [3.0, 4.0]];
    let ends = Form::Quantiles(Quantiles { levels: vec![0.05, 0.95], values });
    let predictive = Predictive::new(ends);
    // Between two levels quantiles are on a line: nineteen of the levels are there.
    assert!(OrderedForecasts::new(&predictive).is_some());
    let median = Form::Quantiles(Quantiles { levels: vec![0.5], values: array![[1.0], [2.0]] });
    assert!(OrderedForecasts::new(&Predictive::new(median)).is_none());
    let predictive = normal(array![0.0], array![1.0]);
    let forecasts = OrderedForecasts::new(&predictive).unwrap();
    assert_eq!(forecasts.decompose(array![f64::NAN].view()), None);
    // One row: recalibration is the outcome itself.
    let found = forecasts.decompose(array![2.0].view()).unwrap();
    assert_eq!((found.uncertainty, found.discrimination, found.comparable), (0.0, 0.0, 1.0));
}
