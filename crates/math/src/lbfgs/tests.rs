use std::convert::Infallible;

use super::*;

const FREE: [Interval; 2] = [Interval::LINE; 2];

fn rosenbrock(x: &[f64], gradient: &mut [f64]) -> Result<f64, Infallible> {
    let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
    gradient[0] = -2.0 * a - 400.0 * x[0] * b;
    gradient[1] = 200.0 * b;
    Ok(a * a + 100.0 * b * b)
}

fn tight() -> Settings {
    Settings { gradient_tolerance: 1e-9, value_tolerance: 0.0, ..Settings::default() }
}

#[test]
fn rosenbrocks_function_is_minimised() {
    let found = minimise(rosenbrock, &[-1.2, 1.0], &FREE, &tight()).unwrap();
    assert_eq!(found.stop, Stop::Gradient);
    assert!(found.value < 1e-16 && found.iterations < 60 && found.evaluations < 90, "{found:?}");
    assert!((found.point[0] - 1.0).abs() < 1e-8 && (found.point[1] - 1.0).abs() < 1e-8);
    assert_eq!(found, minimise(rosenbrock, &[-1.2, 1.0], &FREE, &tight()).unwrap());
}

#[test]
fn a_continued_search_equals_an_uninterrupted_one() {
    for memory in [1, 3, 5, 10] {
        let settings = Settings { memory, ..tight() };
        let whole = minimise(rosenbrock, &[-1.2, 1.0], &FREE, &settings).unwrap();
        let mut search = Search::new(&[-1.2, 1.0], &FREE);
        let mut steps = 0;
        for stop in [7, 8, 9] {
            let found =
                search.go_on(rosenbrock, &Settings { iterations: stop, ..settings }).unwrap();
            assert_eq!(
                (found.iterations, found.stop, &found.point),
                (stop, Stop::Exhausted, &search.point())
            );
            steps += stop;
        }
        let last = search.go_on(rosenbrock, &settings).unwrap();
        assert_eq!(
            (&last.point, last.stop, steps + last.iterations),
            (&whole.point, whole.stop, whole.iterations)
        );
    }
}

#[test]
fn a_continued_search_stays_at_its_bound() {
    let bounds = [(0.5, 3.0), (-4.0, 4.0)].map(|(low, high)| Interval::between(low, high).unwrap());
    let mut search = Search::new(&[2.0, -3.0], &bounds);
    let settings = Settings { gradient_tolerance: 1e-6, ..tight() };
    let end = search.go_on(quadratic, &settings).unwrap();
    let again = search.go_on(quadratic, &settings).unwrap();
    assert_eq!((&again.point, again.value, again.evaluations), (&end.point, end.value, 1));
    assert!((end.point[0] - 0.5).abs() < 1e-9);
}

#[test]
fn a_search_continued_on_another_function_reaches_its_minimum() {
    let mut search = Search::new(&[-1.2, 1.0], &FREE);
    search.go_on(rosenbrock, &tight()).unwrap();
    let moved = |x: &[f64], gradient: &mut [f64]| {
        let value = rosenbrock(&[3.0 - x[1], x[0] - 2.0], gradient)?;
        gradient.swap(0, 1);
        gradient[1] = -gradient[1];
        Ok::<_, Infallible>(value)
    };
    let found = search.go_on(moved, &tight()).unwrap();
    assert!(found.value < 1e-16 && (found.point[0] - 3.0).abs() < 1e-7, "{found:?}");
}

/// ½ Σ c_i (x_i − i)².
fn quadratic(x: &[f64], gradient: &mut [f64]) -> Result<f64, Infallible> {
    let mut value = 0.0;
    for (i, (x, slope)) in x.iter().zip(gradient).enumerate() {
        let (c, off) = (10_f64.powi(i as i32), x - i as f64);
        *slope = c * off;
        value += 0.5 * c * off * off;
    }
    Ok(value)
}

#[test]
fn a_quadratic_is_solved_and_each_point_is_evaluated_once() {
    let mut points: Vec<Vec<f64>> = Vec::new();
    let counted = |x: &[f64], gradient: &mut [f64]| {
        assert!(!points.iter().any(|known| known == x), "evaluated twice: {x:?}");
        points.push(x.to_vec());
        quadratic(x, gradient)
    };
    let found = minimise(counted, &[9.0; 4], &[Interval::LINE; 4], &tight()).unwrap();
    assert!(found.gradient_norm < 1e-9 && found.value < 1e-18);
    assert!(found.point.iter().enumerate().all(|(i, x)| (x - i as f64).abs() < 1e-9));
    assert_eq!(found.evaluations, points.len());
}

#[test]
fn a_minimum_beyond_the_box_is_found_on_its_face() {
    // The centre is (0, 1, 2): the first coordinate is held at 0.5, the last at 1.5.
    let bounds = [(0.5, 3.0), (-4.0, 4.0), (-1.0, 1.5)]
        .map(|(low, high)| Interval::between(low, high).unwrap());
    let settings = Settings { gradient_tolerance: 1e-6, ..tight() };
    let found = minimise(quadratic, &[2.0, -3.0, 1.5], &bounds, &settings).unwrap();
    for (x, expected) in found.point.iter().zip([0.5, 1.0, 1.5]) {
        assert!((x - expected).abs() < 1e-7, "{found:?}");
    }
    assert_eq!(found.stop, Stop::Gradient);
    assert!(
        bounds[0].is_active(found.point[0], 1e-6) && !bounds[1].is_active(found.point[1], 1e-6)
    );
}

/// x − ln x + y², undefined for x ≤ 0 and for y > 2; its minimum is 1 at (1, 0).
fn with_a_wall(x: &[f64], gradient: &mut [f64]) -> Result<f64, Infallible> {
    if x[1] > 2.0 {
        gradient.fill(f64::NAN);
        return Ok(f64::INFINITY);
    }
    gradient[0] = 1.0 - 1.0 / x[0];
    gradient[1] = 2.0 * x[1];
    Ok(x[0] - x[0].ln() + x[1] * x[1])
}

#[test]
fn undefined_regions_are_avoided() {
    for start in [[1e-9, 1.9], [30.0, -50.0], [3.0, 2.0]] {
        for longest_trial in [1.0, 1e6] {
            let settings = Settings { longest_trial, ..tight() };
            let found = minimise(with_a_wall, &start, &FREE, &settings).unwrap();
            assert!((found.value - 1.0).abs() < 1e-12, "{start:?}: {found:?}");
            assert!((found.point[0] - 1.0).abs() < 1e-6 && found.point[1].abs() < 1e-6);
        }
    }
}

#[test]
fn an_undefined_start_and_an_error_of_the_function_are_returned() {
    let start = minimise(with_a_wall, &[1.0, 3.0], &FREE, &tight());
    assert_eq!(
        start,
        Err(LbfgsError::UndefinedStart { point: vec![1.0, 3.0], value: f64::INFINITY })
    );
    let mut calls = 0;
    let stopping = |x: &[f64], gradient: &mut [f64]| {
        calls += 1;
        if calls == 5 { Err("enough") } else { Ok(rosenbrock(x, gradient).unwrap_or(0.0)) }
    };
    assert_eq!(
        minimise(stopping, &[-1.2, 1.0], &FREE, &tight()),
        Err(LbfgsError::Stopped("enough"))
    );
    assert_eq!(calls, 5);
}

#[test]
fn caps_on_steps_and_evaluations_hold_and_the_best_point_is_returned() {
    for (iterations, evaluations) in [(3, 400), (200, 7), (1, 1)] {
        let settings = Settings { iterations, evaluations, ..tight() };
        let mut lowest = f64::INFINITY;
        let watched = |x: &[f64], gradient: &mut [f64]| {
            let value = rosenbrock(x, gradient)?;
            lowest = lowest.min(value);
            Ok::<_, Infallible>(value)
        };
        let found = minimise(watched, &[-1.2, 1.0], &FREE, &settings).unwrap();
        assert_eq!((found.stop, found.value), (Stop::Exhausted, lowest));
        assert!(found.iterations <= iterations && found.evaluations <= evaluations, "{found:?}");
    }
}

#[test]
fn a_small_gain_ends_the_search() {
    let settings =
        Settings { gradient_tolerance: 0.0, value_tolerance: 1e-3, ..Settings::default() };
    let found = minimise(quadratic, &[9.0; 4], &[Interval::LINE; 4], &settings).unwrap();
    assert_eq!(found.stop, Stop::Value);
    assert!(found.value < 1e-2);
}

#[test]
fn a_search_at_a_kink_ends_without_descent_at_the_lowest_point() {
    let kink = |x: &[f64], gradient: &mut [f64]| {
        gradient[0] = x[0].signum();
        Ok::<_, Infallible>(x[0].abs())
    };
    let found = minimise(kink, &[3.0], &[Interval::LINE], &tight()).unwrap();
    assert!(found.value < 1e-6, "{found:?}");
}
