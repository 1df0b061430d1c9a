//! Objectives at known points, at their optima, and against the points that experiments start from.

use super::*;
use crate::SourceOptions;
use uq_core::math::random::Streams;
use uq_math::sobol::Sobol;

fn problem(name: &str) -> Problem<'static> {
    let library = Library::new(SourceOptions { offline: true, ..SourceOptions::default() });
    Objective::get(&format!("{PREFIX}{name}")).unwrap().load(&library).unwrap()
}

fn value(name: &str, point: &[f64]) -> f64 {
    problem(name)
        .instance(&mut Streams::new(1, "objective").stream("optimum", 0))
        .evaluate(point)
        .value
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{found} against {expected}");
}

#[test]
fn formulas_have_their_values_at_known_points() {
    // Every input 1: −20 exp(−0.2) − e + 20 + e; every input 5: the cosine is 1 too.
    near(value("ackley-60", &[0.6; 60]), 20.0 * (-0.2_f64).exp() - 20.0);
    near(value("ackley-60", &[1.0; 60]), 20.0 * (-1.0_f64).exp() - 20.0);
    // Every input 0, 1 and 5.
    near(value("stybtang-50", &[0.5; 50]), 0.0);
    near(value("stybtang-50", &[0.6; 50]), 250.0);
    near(value("stybtang-50", &[1.0; 50]), -0.5 * 250.0 * 50.0);
    // Branin at (0, 0): 36 + 10 (1 − 1/8π) + 10.
    near(value("branin", &[1.0 / 3.0, 0.0]), -(56.0 - 10.0 / (8.0 * std::f64::consts::PI)));
}

#[test]
fn optima_have_the_stated_values_and_no_neighbour_is_better() {
    let pi = std::f64::consts::PI;
    let branin = [[-pi, 12.275], [pi, 2.275], [9.424_777_960_769_38, 2.475]];
    let branin = branin.map(|[x, y]| vec![(x + 5.0) / 15.0, y / 15.0]);
    let hartmann =
        vec![0.201_689_52, 0.150_010_69, 0.476_873_98, 0.275_332_43, 0.311_651_62, 0.657_300_54];
    let mut optima =
        vec![("ackley-60", vec![0.5; 60]), ("stybtang-50", vec![formulas::STYBTANG_AT; 50])];
    optima.extend(branin.into_iter().map(|at| ("branin", at)));
    optima.push(("hartmann-6", hartmann));
    for (name, at) in optima {
        let best = Objective::get(&format!("{PREFIX}{name}")).unwrap().best;
        let found = value(name, &at);
        assert!((found - best).abs() < 1e-6 * (1.0 + best.abs()), "{name}: {found} against {best}");
        for j in 0..at.len() {
            for step in [-1e-3, 1e-3] {
                let mut beside = at.clone();
                beside[j] += step;
                assert!(value(name, &beside) < found, "{name}, input {j}");
            }
        }
    }
}

#[test]
fn a_moved_optimum_differs_by_repetition_and_keeps_its_value() {
    let problem = problem("ackley-60-moved");
    let streams = Streams::new(1, "objective");
    let one = problem.instance(&mut streams.stream("optimum", 0));
    let other = problem.instance(&mut streams.stream("optimum", 1));
    let (at, elsewhere) = (one.optimum.clone().unwrap(), other.optimum.clone().unwrap());
    assert_ne!(at, elsewhere);
    assert!(at.iter().all(|x| (0.1..=0.9).contains(x)));
    assert!(one.evaluate(&at).value.abs() < 1e-12 && other.evaluate(&at).value < -1.0);
    // A step of one unit of x from the optimum costs the same wherever it lies.
    let beside: Vec<f64> = at.iter().map(|x| x + 0.1).collect();
    near(one.evaluate(&beside).value, 20.0 * (-0.2_f64).exp() - 20.0);
}

#[test]
fn no_scrambled_point_lies_at_an_optimum() {
    for name in ["ackley-60", "ackley-60-moved", "stybtang-50", "branin"] {
        let problem = problem(name);
        for seed in 0..20 {
            let streams = Streams::new(1, "objective");
            let instance = problem.instance(&mut streams.stream("optimum", seed));
            let points = Sobol::new(&mut streams.stream("points", seed)).points(
                0,
                1024,
                problem.objective.inputs,
            );
            for point in points.rows() {
                let best = instance.objective().best;
                let far = instance.optimum.as_ref().is_none_or(|at| {
                    point.iter().zip(at).map(|(x, at)| (x - at).powi(2)).sum::<f64>().sqrt() > 1e-3
                });
                assert!(
                    far && instance.evaluate(point.as_slice().unwrap()).value < best,
                    "{name}, seed {seed}"
                );
            }
        }
    }
}

#[test]
fn what_has_no_source_is_unavailable_and_says_why() {
    let library = Library::new(SourceOptions { offline: true, ..SourceOptions::default() });
    let error = Objective::get("objective:svm-388").unwrap().load(&library).unwrap_err();
    assert!(
        error.is_unavailable() && error.to_string().contains("slice_localization_data.csv"),
        "{error}"
    );
    assert!(Objective::get("ackley-60").is_none(), "the prefix is required");
}

#[test]
fn keys_differ_and_points_fit_the_generator() {
    let mut keys: Vec<&str> = ALL.iter().map(|one| one.key).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), ALL.len());
    let runnable = ALL.iter().filter(|one| !matches!(one.body, Body::Absent(_)));
    assert!(runnable.map(|one| one.inputs).all(|inputs| inputs <= uq_math::sobol::MOST_INPUTS));
}
