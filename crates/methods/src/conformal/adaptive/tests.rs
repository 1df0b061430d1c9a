use super::bound::followed;
use super::*;
use crate::anchors::UnconditionalQuantiles;
use crate::conformal::outward;
use crate::registry;
use ndarray::{Array1, Array2};
use proptest::prelude::{prop, prop_assert, prop_assert_eq, proptest};
use rand::RngExt;
use serde_json::json;
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_core::math::special::normal_quantile;
use uq_core::predictive::{Bounds, Side};

fn context(index: u64) -> Context {
    Context::new(Streams::new(index, "adaptive"))
}

/// y = 2 x + sd(row) · N(0, 1).
fn series(rows: usize, index: u64, sd: impl Fn(usize) -> f64) -> Table {
    let mut rng = context(index).stream("data", 0);
    let features = Array2::from_shape_simple_fn((rows, 1), || rng.random::<f64>());
    let mut noise = || normal_quantile(rng.random_range(1e-9..1.0));
    let target = Array1::from_shape_fn(rows, |i| 2.0 * features[(i, 0)] + sd(i) * noise());
    Table::unnamed(features, target)
}

fn in_time(table: Table, times: impl Fn(usize) -> usize) -> Table {
    Table { dependence: Dependence::Periods((0..table.rows()).map(times).collect()), ..table }
}

fn linear(gamma: f64) -> Box<dyn Method> {
    registry::build(ID, &json!({ "method": { "id": "linear-gaussian" }, "gamma": gamma })).unwrap()
}

fn predict(
    method: &dyn Method,
    train: &Table,
    at: &Table,
    levels: &[f64],
) -> Result<Predictive, FitError> {
    let request = Request { quantile_levels: levels.to_vec(), ..Request::default() };
    let fitted = method.fit(train, &context(1))?;
    let predictive = fitted.predict(&Reading::MAIN, at.features.view(), &request, &context(1))?;
    assert_eq!(predictive.validate(), Ok(()));
    Ok(predictive)
}

/// Eq. (2) as it is written: err_t of each row after the first ones, and the level after the last
/// one.
fn literal(scores: &[f64], times: &[usize], alpha: f64, gamma: f64) -> (Vec<bool>, f64) {
    let (mut missed, mut level, mut known) = (Vec::new(), alpha, 0);
    for &rows in times {
        let mut earlier = scores[..known].to_vec();
        earlier.sort_by(f64::total_cmp);
        let place = |c: f64| (c * (known + 1) as f64 - 1e-9).ceil();
        let bound = |c: f64| match place(c) {
            none if none < 1.0 => f64::NEG_INFINITY,
            beyond if beyond > known as f64 => f64::INFINITY,
            k => earlier[k as usize - 1],
        };
        if bound(1.0 - alpha).is_finite() {
            let now: Vec<bool> = scores[known..known + rows]
                .iter()
                .map(|score| *score > bound(1.0 - level))
                .collect();
            level +=
                gamma * (rows as f64 * alpha - now.iter().filter(|missed| **missed).count() as f64);
            missed.extend(now);
        }
        known += rows;
    }
    (missed, level)
}

/// Splits rows into times of the wanted sizes; the rest is one more.
fn split(rows: usize, sizes: &[usize]) -> Vec<usize> {
    let mut times = Vec::new();
    for size in sizes {
        let left = rows - times.iter().sum::<usize>();
        times.push((*size).min(left));
    }
    times.push(rows - times.iter().sum::<usize>());
    times.retain(|size| *size > 0);
    times
}

/// At α = 1/2 and γ = 0.1 the first score is compared with none. 3 > 1 misses: 0.45; 2 against the
/// second of {1, 3}: 0.5; 4 against the second of {1, 2, 3} misses: 0.45; 5 against the third of
/// four misses: 0.4. Then 0.6 · 6 = 3.6, which is the fourth of five.
#[test]
fn a_short_sequence_is_that_of_hand() {
    let scores = [1.0, 3.0, 2.0, 4.0, 5.0];
    for (known, expected) in [(1, 0.5), (2, 0.45), (3, 0.5), (4, 0.45), (5, 0.4)] {
        let found = followed(&scores[..known], &vec![1; known], 0.5, 0.1);
        assert!((found - expected).abs() < 1e-12, "{known}: {found}");
    }
    // Of 2 and 4 at one time one misses the second of {1, 3}; then 5 misses.
    for (times, expected) in [(&[1, 1, 2][..], 0.45), (&[1, 1, 2, 1], 0.4), (&[5], 0.5)] {
        let found = followed(&scores[..times.iter().sum()], times, 0.5, 0.1);
        assert!((found - expected).abs() < 1e-12, "{times:?}: {found}");
    }
    let bound = |gamma: f64| shift(0.5 + 1e-12, scores.to_vec(), &[1; 5], gamma);
    assert_eq!((bound(0.0), bound(0.1)), (Some(3.0), Some(4.0)));
    assert_eq!(shift(0.5, scores.to_vec(), &[1; 5], 0.0), Some(3.0));
}

#[test]
fn a_level_beyond_zero_or_one_covers_or_misses_whatever_comes_and_the_widest_bound_is_finite() {
    // After one miss with γ = 1 the level is 0: the set is the whole line, and then the level is
    // 1/2 again.
    assert_eq!(
        [2, 3].map(|known| followed(&[1.0, 3.0, 1e9][..known], &[1, 1, 1][..known], 0.5, 1.0)),
        [0.0, 0.5]
    );
    assert_eq!(shift(0.5 + 1e-12, vec![1.0, 3.0], &[1, 1], 1.0), Some(3.0), "the largest score");
    // After one that is covered it is 1: the set is empty.
    assert_eq!(
        [2, 3].map(|known| followed(&[1.0, 0.0, -1e9][..known], &[1, 1, 1][..known], 0.5, 1.0)),
        [1.0, 0.5]
    );
    assert_eq!(shift(0.5 + 1e-12, vec![1.0, 0.0], &[1, 1], 1.0), Some(0.0), "the smallest score");
    assert_eq!(shift(0.75, vec![1.0, 2.0], &[1, 1], 0.1), None, "two scores tell no quartile");
}

proptest! {
    /// Gibbs and Candès 2021, Proposition 4.1, with rows of one time.
    #[test]
    fn misses_are_as_frequent_as_the_proposition_says(
        scores in prop::collection::vec(-20_i32..20, 2..300),
        growth in 0_i32..3,
        sizes in prop::collection::vec(1_usize..5, 0..200),
        alpha in 0.02_f64..0.98,
        gamma in 0.002_f64..1.0,
    ) {
        // Of a trend each row may miss by far more than those before.
        let scores: Vec<f64> = scores
            .iter()
            .enumerate()
            .map(|(i, score)| f64::from(score + growth * i as i32))
            .collect();
        let times = split(scores.len(), &sizes);
        let (missed, level) = literal(&scores, &times, alpha, gamma);
        prop_assert_eq!(followed(&scores, &times, alpha, gamma), level);
        if !missed.is_empty() {
            let (rows, most) =
                (missed.len() as f64, times.iter().max().copied().unwrap_or(1) as f64);
            let mean = missed.iter().filter(|missed| **missed).count() as f64 / rows;
            let least = (alpha.max(1.0 - alpha) + most * gamma) / (rows * gamma);
            prop_assert!((mean - alpha).abs() <= least + 1e-9, "{} of {}, {}", mean, alpha, least);
        }
    }

    #[test]
    fn without_steps_the_bounds_are_those_of_split_conformal_prediction(
        errors in prop::collection::vec(-9_i32..9, 1..60),
        level in 0.01_f64..0.99,
    ) {
        let errors: Vec<f64> = errors.into_iter().map(f64::from).collect();
        let times = vec![1; errors.len()];
        let mut sorted = errors.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        for level in [level, 0.5] {
            prop_assert_eq!(shift(level, errors.clone(), &times, 0.0), outward(&sorted, level));
        }
    }

    #[test]
    fn a_lower_bound_mirrors_an_upper_one(
        errors in prop::collection::vec(-9.0_f64..9.0, 1..90),
        level in 0.51_f64..0.99,
        gamma in 0.0_f64..0.2,
    ) {
        let times = vec![1; errors.len()];
        let mirrored = errors.iter().map(|error| -error).collect();
        let lower = shift(1.0 - level, mirrored, &times, gamma);
        prop_assert_eq!(shift(level, errors, &times, gamma), lower.map(|bound| -bound));
    }
}

/// Both halves are 1, …, 100, so that the fits of the earlier one and of all rows have the same
/// quantiles. Those plus the order statistics of the errors are the order statistics of the
/// targets: 0.1 · 101 rounds outwards to 10, 0.9 · 101 to 91.
#[test]
fn quantiles_of_all_rows_are_moved_by_the_errors_of_the_earlier_ones() {
    let target = Array1::from_shape_fn(200, |i| ((i * 37) % 100 + 1) as f64);
    let train = Table::unnamed(Array2::zeros((200, 1)), target);
    let given =
        AdaptiveConformalParameters { gamma: 0.0, ..AdaptiveConformalParameters::default() };
    let method =
        AdaptiveConformal::new(given, Box::new(UnconditionalQuantiles::default())).unwrap();
    assert_eq!(method.fit(&train, &context(1)).unwrap().parts()[0].0, "unconditional-quantiles");
    let (low, high) = predict(&method, &train, &train.select(&[0]), &[0.1, 0.9])
        .unwrap()
        .interval(0, 0.8)
        .unwrap();
    // Interpolation between 200 values gives another standard deviation than between 100 by 1e-5 of
    // it.
    assert!((low - 10.0).abs() < 1e-3 && (high - 91.0).abs() < 1e-3, "{low} {high}");
}

/// N(0, 1) noise throughout: the level of the request is kept, with steps and without.
#[test]
fn exchangeable_rows_are_covered_as_stated() {
    for gamma in [0.0, 0.005] {
        let (mut covered, mut of) = (0, 0);
        for index in 0..40 {
            let fresh = series(500, 1000 + index, |_| 1.0);
            let found =
                predict(&*linear(gamma), &series(300, index, |_| 1.0), &fresh, &[0.05, 0.95])
                    .unwrap();
            let holds = |i: &usize| {
                let (low, high) = found.interval(*i, 0.9).unwrap();
                (low..=high).contains(&fresh.target[*i])
            };
            covered += (0..500).filter(holds).count();
            of += 500;
        }
        let share = f64::from(covered as u32) / f64::from(of);
        assert!((share - 0.9).abs() < 0.015, "{gamma}: {share}");
    }
}

#[test]
fn noise_that_grows_at_the_end_widens_the_interval_and_noise_that_falls_narrows_it() {
    let width = |gamma: f64, early: f64| {
        let train = in_time(series(300, 7, |i| if i < 200 { early } else { 2.0 }), |i| i);
        let found = predict(&*linear(gamma), &train, &train.select(&[0]), &[0.05, 0.95]).unwrap();
        let (low, high) = found.interval(0, 0.9).unwrap();
        high - low
    };
    assert!(width(0.005, 0.5) > 1.1 * width(0.0, 0.5), "{} {}", width(0.005, 0.5), width(0.0, 0.5));
    assert!(
        width(0.005, 8.0) < 0.95 * width(0.0, 8.0),
        "{} {}",
        width(0.005, 8.0),
        width(0.0, 8.0)
    );
}

#[test]
fn rows_of_one_time_have_no_order_and_the_row_order_is_that_of_time_where_none_is_stated() {
    let table = series(120, 3, |i| 1.0 + i as f64 / 40.0);
    let at = table.select(&[0]);
    let ends = |table: &Table| {
        predict(&*linear(0.05), table, &at, &[0.05, 0.95]).unwrap().interval(0, 0.9).unwrap()
    };
    let near = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).abs() < 1e-9 && (a.1 - b.1).abs() < 1e-9;
    let whole = in_time(table.clone(), |i| i / 4);
    let swapped: Vec<usize> = (0..120).map(|i| i / 4 * 4 + 3 - i % 4).collect();
    assert!(near(ends(&whole), ends(&whole.select(&swapped))));
    assert_eq!(ends(&table), ends(&in_time(table.clone(), |i| i)));
    let reversed: Vec<usize> = (0..120).rev().collect();
    assert!(!near(ends(&table), ends(&table.select(&reversed))));
}

#[test]
fn few_rows_have_an_answer_or_an_error_that_says_what_is_needed() {
    let error = |rows: usize| {
        let table = series(rows, 3, |_| 1.0);
        predict(&*linear(0.005), &table, &table, &[0.05, 0.95]).err().map(|error| error.to_string())
    };
    assert!(
        error(36).unwrap().contains("with 18 calibration rows; expected at least 19 of them"),
        "{:?}",
        error(36)
    );
    assert_eq!(error(38), None);
    assert!(error(1).unwrap().contains("at least 2 training rows, found 1"), "{:?}", error(1));
    let table = series(38, 3, |_| 1.0);
    let Form::Quantiles(found) = predict(&*linear(0.005), &table, &table, &[0.95]).unwrap().form
    else {
        panic!("quantiles")
    };
    assert_eq!(
        (found.levels[0], found.levels[found.levels.len() - 1]),
        (0.06, 0.95),
        "what 19 rows can tell"
    );
    let groups =
        Table { dependence: Dependence::Groups((0..38).map(|i| i % 4).collect()), ..table.clone() };
    assert!(predict(&*linear(0.005), &groups, &table, &[0.1, 0.9]).is_ok());
}

#[test]
fn faults_are_named_and_the_method_is_told_whole() {
    let error = |given| registry::build(ID, &given).err().unwrap().to_string();
    let base = json!({ "id": "tree" });
    for (given, expected) in [
        (json!({}), "method: missing field `id`"),
        (
            json!({ "method": base, "gamma": -0.1 }),
            "parameter `gamma` is -0.1, expected a number from 0 to 1",
        ),
        (
            json!({ "method": base, "calibration": 1.0 }),
            "parameter `calibration` is 1, expected a number between",
        ),
    ] {
        assert!(error(given.clone()).contains(expected), "{}", error(given));
    }
    let method = registry::build(ID, &json!({ "method": base })).unwrap();
    assert_eq!(
        (&method.parameters()["gamma"], &method.parameters()["calibration"]),
        (&json!(0.005), &json!(0.5))
    );
    assert_eq!(
        registry::build(ID, &method.parameters()).unwrap().parameters(),
        method.parameters()
    );
    assert_eq!(
        [Side::Both, Side::Upper].map(|side| method.guarantee(Bounds { level: 0.9, side }, 100)),
        [None, None]
    );
}

/// A fit whose numbers change must raise [`Method::version`].
#[test]
fn the_version_stands_for_these_numbers() {
    let table = series(120, 5, |i| 1.0 + i as f64 / 60.0);
    let found = predict(&*linear(0.005), &table, &table, &[0.05, 0.95]).unwrap();
    assert_eq!(found, predict(&*linear(0.005), &table, &table, &[0.05, 0.95]).unwrap());
    let (low, high) = found.interval(7, 0.9).unwrap();
    let golden = (-6.008873170443897, 9.396982708804796);
    let near = (low - golden.0).abs() < 1e-9 && (high - golden.1).abs() < 1e-9;
    assert!(near && linear(0.005).version() == 2, "{low:?}, {high:?}: raise the version");
}
