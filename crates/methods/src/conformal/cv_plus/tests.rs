use super::*;
use crate::anchors::UnconditionalGaussian;
use crate::conformal::CvPlus;
use crate::trees::{Cart, CartParameters};
use crate::{Reading, registry};
use ndarray::{Array1, array};
use rand::RngExt;
use serde_json::json;
use uq_core::math::random::Streams;
use uq_core::predictive::Form;

fn context(index: u64) -> Context {
    Context::new(Streams::new(index, "cv-plus"))
}

/// Uniform noise about a line, wider to the right.
fn table(rows: usize, index: u64) -> Table {
    let mut rng = context(index).stream("data", 0);
    let features = Array2::from_shape_simple_fn((rows, 1), || rng.random::<f64>());
    let target: Array1<f64> =
        features.column(0).iter().map(|x| 2.0 * x + (0.1 + x) * rng.random::<f64>()).collect();
    Table::unnamed(features, target)
}

fn tree() -> Box<dyn Method> {
    Box::new(Cart::new(CartParameters { min_leaf: 3, ..CartParameters::default() }).unwrap())
}

fn mean() -> Box<dyn Method> {
    Box::new(UnconditionalGaussian::default())
}

fn method(folds: Folds, interval: Interval, base: Box<dyn Method>) -> CvPlus {
    CvPlus::new(CvPlusParameters { folds, interval, ..CvPlusParameters::default() }, base).unwrap()
}

fn predict(
    method: &CvPlus,
    train: &Table,
    at: &Table,
    levels: &[f64],
    index: u64,
) -> Result<Predictive, FitError> {
    let request = Request { quantile_levels: levels.to_vec(), ..Request::default() };
    let fitted = method.fit(train, &context(index))?;
    let predictive =
        fitted.predict(&Reading::MAIN, at.features.view(), &request, &context(index))?;
    assert_eq!(predictive.validate(), Ok(()));
    Ok(predictive)
}

/// The jackknife+ about the mean of four targets, by hand: without 0 the mean is 4 and the error 4,
/// and so on.
#[test]
fn the_jackknife_plus_is_that_by_hand() {
    let train = Table::unnamed(Array2::zeros((4, 1)), array![0.0, 2.0, 4.0, 6.0]);
    // μ₋ᵢ: 4, 10/3, 8/3, 2; R_i: 4, 4/3, 4/3, 4. Lower ends 0, 2, 4/3, −2; upper ends 8, 14/3, 4,
    // 6.
    let jackknife = method(Folds::Rows, Interval::CvPlus, mean());
    // n + 1 = 5: at 0.8 the first lower and the fourth upper end, at 0.6 the second and the third.
    let found = predict(&jackknife, &train, &train, &[0.1, 0.9, 0.2, 0.8, 0.5], 1).unwrap();
    for (level, (low, high)) in [(0.8, (-2.0, 8.0)), (0.6, (0.0, 6.0))] {
        let (lower, upper) = found.interval(2, level).unwrap();
        assert!(
            (lower - low).abs() < 1e-12 && (upper - high).abs() < 1e-12,
            "{level}: {lower} {upper}"
        );
    }
    assert!((found.distribution().quantile(0, 0.5).unwrap() - 3.0).abs() < 1e-12);
    // Intervals [0, 8], [2, 14/3], [4/3, 4], [−2, 6]: at 0.6 at least two must meet, at 0.8 one.
    let cross = method(Folds::Rows, Interval::PValue, mean());
    let found = predict(&cross, &train, &train, &[0.1, 0.9, 0.2, 0.8], 1).unwrap();
    for (level, (low, high)) in [(0.8, (-2.0, 8.0)), (0.6, (0.0, 6.0))] {
        let (lower, upper) = found.interval(2, level).unwrap();
        assert!(
            (lower - low).abs() < 1e-12 && (upper - high).abs() < 1e-12,
            "{level}: {lower} {upper}"
        );
    }
    // At 0.4 three must meet; CV+ takes the third lower and the second upper end. Here both are the
    // same.
    let lower = [-2.0, 0.0, 4.0 / 3.0, 2.0];
    let upper = [4.0, 14.0 / 3.0, 6.0, 8.0];
    assert_eq!(cross_conformal(&lower, &upper, 0.4), Some((4.0 / 3.0, 14.0 / 3.0)));
    assert_eq!(cv_plus(&lower, &upper, 0.4), Some((4.0 / 3.0, 14.0 / 3.0)));
    assert_eq!(
        (cv_plus(&lower, &upper, 0.81), cross_conformal(&lower, &upper, 0.81)),
        (None, None)
    );
}

/// CV+ has no less than 1 − 2α by its theorem, and here, where a fold hardly changes the base, 1 −
/// α. The bounds are those of binomials of 2000 draws at 1 − 1e-6.
#[test]
fn a_new_row_is_covered() {
    for (folds, interval, base) in [
        (Folds::Count(5), Interval::CvPlus, true),
        (Folds::Rows, Interval::CvPlus, false),
        (Folds::Count(5), Interval::PValue, true),
    ] {
        let method = method(folds, interval, if base { tree() } else { mean() });
        let mut covered = 0;
        for index in 0..2000 {
            let (train, new) = (table(30, 2 * index), table(1, 2 * index + 1));
            let predictive = predict(&method, &train, &new, &[0.05, 0.95], index).unwrap();
            let (lower, upper) = predictive.interval(0, 0.9).unwrap();
            covered += u32::from(lower <= new.target[0] && new.target[0] <= upper);
        }
        assert!((1731..1990).contains(&covered), "{folds:?} {interval:?}: {covered}");
    }
}

#[test]
fn intervals_are_nested_and_the_cross_conformal_one_lies_inside() {
    let (train, new) = (table(60, 1), table(40, 2));
    let levels = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95];
    let wide =
        predict(&method(Folds::Count(6), Interval::CvPlus, tree()), &train, &new, &levels, 3)
            .unwrap();
    let narrow =
        predict(&method(Folds::Count(6), Interval::PValue, tree()), &train, &new, &levels, 3)
            .unwrap();
    for i in 0..40 {
        // `validate` has checked that quantiles ascend, which nests the intervals.
        let ((low, high), (least, most)) =
            (wide.interval(i, 0.9).unwrap(), narrow.interval(i, 0.9).unwrap());
        assert!(low <= least && most <= high, "row {i}: [{least}, {most}] in [{low}, {high}]");
    }
    // [0, 1], [5, 6] and [5.5, 7]: two meet from 5.5 to 6 only. Two intervals that do not meet
    // leave an empty set.
    let (lower, upper) = ([0.0, 5.0, 5.5], [1.0, 6.0, 7.0]);
    assert_eq!(
        (cv_plus(&lower, &upper, 0.5), cross_conformal(&lower, &upper, 0.5)),
        (Some((5.0, 6.0)), Some((5.5, 6.0)))
    );
    assert_eq!(cross_conformal(&[0.0, 10.0], &[1.0, 11.0], 0.3), Some((5.5, 5.5)));
}

#[test]
fn equal_targets_give_one_point() {
    let train = Table::unnamed(Array2::zeros((30, 1)), Array1::from_elem(30, 4.0));
    for interval in [Interval::CvPlus, Interval::PValue] {
        let found =
            predict(&method(Folds::Count(3), interval, tree()), &train, &train, &[0.05, 0.95], 1)
                .unwrap();
        assert_eq!(found.interval(5, 0.9), Some((4.0, 4.0)), "{interval:?}");
    }
}

/// Errors in units of the base's spread: doubling the spread's unit changes nothing, and a wider
/// spread widens the interval.
#[test]
fn normalised_errors_follow_the_spread_of_the_base() {
    let forest = || registry::build("quantile-forest", &json!({ "trees": 60 })).unwrap();
    let train = table(300, 4);
    let new = Table::unnamed(array![[0.05], [0.95]], array![0.0, 0.0]);
    let ratio = |score| {
        let given =
            CvPlusParameters { folds: Folds::Count(4), score, ..CvPlusParameters::default() };
        let found = predict(&CvPlus::new(given, forest()).unwrap(), &train, &new, &[0.05, 0.95], 1)
            .unwrap();
        let width = |i| found.interval(i, 0.9).map_or(f64::NAN, |(low, high)| high - low);
        width(1) / width(0)
    };
    // The noise at 0.95 is seven times that at 0.05.
    let (plain, normalised) = (ratio(Score::Residual), ratio(Score::Normalised));
    assert!(plain < 1.5 && normalised > 2.5, "{plain} {normalised}");
}

#[test]
fn faults_are_named() {
    let few = table(8, 1);
    let given = method(Folds::Count(4), Interval::CvPlus, tree());
    let words = predict(&given, &few, &few, &[0.05, 0.95], 1).unwrap_err().to_string();
    assert!(
        words.contains("infinite with 8 calibration rows; expected at least 9 of them"),
        "{words}"
    );
    let words = predict(&given, &few.select(&[0]), &few, &[0.05, 0.95], 1).unwrap_err().to_string();
    assert!(words.contains("cv-plus needs at least 2 training rows, found 1"), "{words}");
}

#[test]
fn a_base_method_and_folds_are_named_in_the_parameters() {
    let given = json!({ "method": { "id": "tree" }, "folds": "rows", "interval": "p-value", "score": "normalised" });
    let method = registry::build("cv-plus", &given).unwrap();
    assert_eq!(method.parameters()["folds"], "rows");
    assert_eq!(
        registry::build("cv-plus", &method.parameters()).unwrap().parameters(),
        method.parameters()
    );
    let words = registry::build("cv-plus", &json!({ "method": { "id": "tree" }, "folds": 1 }))
        .err()
        .unwrap()
        .to_string();
    assert!(
        words.contains("parameter `folds` is 1, expected \"rows\" or a whole number of at least 2"),
        "{words}"
    );
}

/// A fit whose numbers change must raise [`Method::version`].
#[test]
fn the_version_stands_for_these_numbers() {
    let (method, train) = (method(Folds::Count(5), Interval::CvPlus, tree()), table(60, 5));
    let found = predict(&method, &train, &train, &Request::default().quantile_levels, 5).unwrap();
    assert!(matches!(found.form, Form::Quantiles(_)) && method.version() == 1);
    let (low, high) = found.interval(7, 0.9).unwrap();
    crate::golden::assert_golden([low, high], [1.8978052794795925, 2.8031158837985823], 1e-9);
}
