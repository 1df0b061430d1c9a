//! Numbers that stand for missing values, and honest ones beside them.

use super::*;

fn found(values: impl Iterator<Item = f64>) -> Vec<f64> {
    Tally::of(values).suspects().iter().map(|suspect| suspect.number).collect()
}

/// 200 rows of which every ninth has the number, among values that these are.
fn beside(number: f64, value: impl Fn(usize) -> f64) -> Vec<f64> {
    found((0..200).map(|i| if i % 9 == 0 { number } else { value(i * 77 % 199) }))
}

fn evenly(low: f64, high: f64) -> impl Fn(usize) -> f64 {
    move |i| low + ((high - low) * i as f64 / 199.0 * 10.0).round() / 10.0
}

#[test]
fn a_repeated_number_far_from_all_others_is_suspected() {
    for number in
        [-200.0, -999.0, 9999.0, 1e20, 9.969_21e36, -32_768.0, 65_535.0, -99.9, 777.0, -500.0]
    {
        assert_eq!(beside(number, evenly(0.2, 40.0)), [number], "{number}");
    }
    // A fill value in single precision, and a value nobody knows.
    assert_eq!(beside(f64::from(9.969_21e36_f32), evenly(950.0, 1050.0)).len(), 1);
    assert_eq!(beside(123_456.0, evenly(-20.0, 40.0)), [123_456.0]);
    let both =
        |i: usize| [-999.0, 9999.0].get(i % 9).copied().unwrap_or((i * 11 % 40) as f64 + 0.5);
    assert_eq!(found((0..200).map(both)), [-999.0, 9999.0]);
    assert_eq!(beside(99.0, |i| (i % 61) as f64), [99.0], "an age");
}

#[test]
fn a_zero_that_cannot_be_is_suspected() {
    for (low, high) in [(980.0, 1040.0), (60.0, 99.0), (-95.0, -50.0)] {
        assert_eq!(beside(0.0, evenly(low, high)), [0.0], "{low} to {high}");
    }
    for (low, high) in [(0.1, 30.0), (1.0, 80.0), (10.0, 360.0)] {
        assert_eq!(beside(0.0, evenly(low, high)), [0.0; 0], "{low} to {high}");
    }
}

#[test]
fn negative_codes_among_other_values_are_suspected() {
    assert_eq!(beside(-200.0, evenly(40.0, 1400.0)), [-200.0]);
    assert_eq!(beside(-1.0, evenly(18.0, 60.0)), [-1.0]);
    assert_eq!(beside(-9.0, |i| 1.0 + (i % 5) as f64), [-9.0]);
    let survey = |i: usize| [-9.0, -8.0, -1.0].get(i % 17).copied().unwrap_or(1.0 + (i % 5) as f64);
    assert_eq!(found((0..200).map(survey)), [-9.0, -8.0, -1.0]);
    assert_eq!(beside(-1.0, |i| (i % 40) as f64), [-1.0]);
}

#[test]
fn one_row_of_a_known_number_and_codes_of_surveys_are_suspected() {
    let once = |number: f64| {
        found((0..200).map(|i| if i == 9 { number } else { (i * 77 % 199) as f64 / 4.0 - 15.0 }))
    };
    for number in [-200.0, -9999.0, 9999.0, 999.0, 1e20, f64::from(f32::MAX)] {
        assert_eq!(once(number), [number], "{number}");
    }
    assert_eq!(once(512.0), [0.0; 0], "an outlier that no program writes");
    for code in [77.0, 88.0, 97.0, 98.0, 99.0, 888.0] {
        assert_eq!(beside(code, |i| 1.0 + (i % 5) as f64), [code], "{code}");
    }
    assert_eq!(beside(88.0, |i| (i % 61) as f64), [0.0; 0], "a large number of a count");
    assert_eq!(beside(98.0, |i| [0.5, 1.0, 2.0][i % 3]), [0.0; 0], "doses");
}

#[test]
fn a_zero_in_few_rows_and_a_minus_one_far_below_are_suspected() {
    let few = |number: f64, value: &dyn Fn(usize) -> f64| {
        found((0..300).map(|i| if i % 60 == 7 { number } else { value(i * 77 % 199) }))
    };
    // Glucose, a blood pressure, an income, a probability.
    let glucose = |i: usize| {
        let share = 0.02 + 0.96 * i as f64 / 198.0;
        (121.0 + 18.6 * (share / (1.0 - share)).ln()).round()
    };
    assert_eq!(few(0.0, &glucose), [0.0]);
    let pressure = |i: usize| (72.0 + 7.0 * ((i as f64 + 0.5) / (198.5 - i as f64)).ln()).round();
    assert_eq!(few(0.0, &pressure), [0.0]);
    assert_eq!(few(-1.0, &|i| 1500.0 + 31.0 * i as f64), [-1.0]);
    assert_eq!(few(-1.0, &|i| i as f64 / 199.0), [-1.0]);
    assert_eq!(
        few(0.0, &|i| (i as f64 / 30.0).exp().round()),
        [0.0; 0],
        "incomes, some of them none"
    );
    assert_eq!(few(-1.0, &|i| (i % 30) as f64), [0.0; 0], "a temperature");
    assert_eq!(few(-1.0, &|i| (i % 21) as f64 / 10.0 - 1.0), [0.0; 0], "a correlation");
}

#[test]
fn a_least_or_largest_value_next_to_the_others_is_none() {
    let quiet = |value: &dyn Fn(usize) -> f64| assert_eq!(found((0..200).map(value)), [0.0; 0]);
    quiet(&|i| if i % 3 == 0 { 0.0 } else { (i * 77 % 199) as f64 / 10.0 }); // rain
    quiet(&|i| (i % 6) as f64); // grades
    quiet(&|i| (i % 5) as f64 - 1.0); // a scale from −1
    quiet(&|i| [-3.0, 0.0, 2.0, 4.0, 7.0, 10.0, 12.0][i % 7]); // Danish grades
    quiet(&|i| (i as f64).min(150.0)); // a cap
    quiet(&|i| if i % 4 == 0 { 100.0 } else { (i * 77 % 199) as f64 / 2.0 }); // per cent
    quiet(&|i| if i % 4 == 0 { 1.0 } else { (i * 77 % 199) as f64 / 200.0 });
    quiet(&|i| 2_f64.powi((i % 11) as i32)); // levels of a factor
    quiet(&|i| [0.0, 100.0, 110.0, 120.0][i % 4]); // doses
    // gusts, often none
    quiet(&|i| if i % 4 == 0 { 0.0 } else { 16.0 + (i * 77 % 199) as f64 / 20.0 });
    quiet(&|i| if i < 4 { 9e8 } else { 1e8 + (i / 4) as f64 }); // names of groups
    quiet(&|i| (i % 2) as f64 * 99.0 + (i % 3) as f64 * 33.0);
    quiet(&|i| (i * 77 % 36) as f64 - 3.0); // temperatures
    quiet(&|i| if i == 9 { 5000.0 } else { (i * 77 % 199) as f64 }); // one outlier
    quiet(&|i| if i < 2 { 777.0 } else { (i * 77 % 199) as f64 });
    quiet(&|i| ((i * 77 % 199) as f64 / 20.0).exp().round());
}

#[test]
fn a_number_of_several_columns_needs_less_in_each() {
    let tally = |number: f64, rows: usize, value: &dyn Fn(usize) -> f64| {
        Tally::of((0..200).map(|i| if i < rows { number } else { value(i * 77 % 199) }))
    };
    let signal = tally(100.0, 20, &|i| -104.0 + (i % 105) as f64);
    assert_eq!(signal.suspects(), []);
    assert_eq!(signal.shareable().collect::<Vec<_>>(), [100.0]);
    assert_eq!(
        signal.shared(100.0).map(|suspect| (suspect.rows, suspect.others)),
        Some((20, (-104.0, 0.0)))
    );
    // Once only, but elsewhere it is known.
    assert!(tally(-200.0, 1, &|i| 40.0 + 7.0 * i as f64).shared(-200.0).is_some());
    assert!(tally(88.0, 2, &|i| 1.0 + (i % 5) as f64).shareable().eq([88.0]));
    let percent = tally(100.0, 20, &|i| i as f64 / 2.0);
    assert!(percent.shareable().next().is_none() && percent.shared(100.0).is_none());
    assert!(tally(0.0, 90, &|i| 30.0 + i as f64).shareable().next().is_none());
}
