//! Optimisation of small functions: what is found, what is shared, and what becomes of values that
//! are not numbers.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde_json::json;

use super::*;
use crate::protocols::{Journal, Observed, Protocol, RowSubset, ScoreUnits, Setting, run_keeping};
use crate::registry;
use uq_core::math::random::Streams;
use uq_core::scaling::Scaling;
use uq_methods::{Context, Request};
use uqbench_data::objectives::Objective;
use uqbench_data::{Library, SourceOptions};

fn named(names: &[&str]) -> Vec<Acquisition> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

/// One repetition of an optimisation by a method.
fn optimised(
    objective: &Objective,
    method: (&str, serde_json::Value),
    (start, evaluations, acquire): (usize, usize, &[&str]),
    split: u64,
    journal: Option<&dyn Journal>,
) -> Result<Observed, FitError> {
    let library = Library::new(SourceOptions { offline: true, ..SourceOptions::default() });
    let problem = objective.load(&library).unwrap();
    let protocol = Protocol::BayesianOptimisation(BayesianOptimisation {
        start,
        evaluations,
        acquire: named(acquire),
        refit: false,
    });
    let setting = Setting {
        protocol: &protocol,
        repetition: Repetition {
            dataset: "toy",
            rows: RowSubset::All,
            split,
            streams: Streams::new(1, "rows"),
        },
        scaling: Scaling::Target,
        score_units: ScoreUnits::Target,
        request: &Request::default(),
    };
    let context = Context::new(Streams::new(1, "method").child("split", split));
    let method = registry::build(method.0, &method.1).unwrap();
    run_keeping(&setting, Source::Objective(&problem), method.as_ref(), &context, journal)
}

fn gp() -> (&'static str, serde_json::Value) {
    ("exact-gp", json!({ "kernel": "matern-52", "restarts": 2, "length_scale_prior": true }))
}

/// The best value after each evaluation.
fn curve(found: &Observed, acquisition: &str, evaluations: usize) -> Vec<f64> {
    let by: Acquisition = acquisition.parse().unwrap();
    let at =
        |step| found.readings.iter().find(|(reading, _)| *reading == by.reading(step)).unwrap();
    (0..=evaluations).map(|step| at(step).1.means().unwrap()[0]).collect()
}

fn table(found: &Observed, acquisition: &str) -> Evaluations {
    let name = Evaluations::by(acquisition);
    Evaluations::from_table(found.side_tables.iter().find(|table| table.name == name).unwrap())
        .unwrap()
}

fn bowl(x: &[f64]) -> f64 {
    -x.iter().map(|x| (x - 0.37).powi(2)).sum::<f64>()
}

#[test]
fn every_acquisition_improves_on_the_start_that_all_share() {
    let objective = Objective::formula("bowl", 2, 0.0, bowl);
    let acquire = ["pi", "ei", "ucb-2", "entropy-ucb-2", "random", "sobol", "cma-es"];
    let found = optimised(&objective, gp(), (6, 8, &acquire), 0, None).unwrap();
    assert_eq!((found.train_rows, found.y.to_vec(), found.readings.len()), (6, vec![0.0], 7 * 9));
    for name in acquire {
        let (best, all) = (curve(&found, name, 8), table(&found, name));
        assert_eq!(best[0], curve(&found, "pi", 8)[0]);
        assert!(best.is_sorted() && all.value.len() == 14, "{name}");
        assert_eq!(all.value[..6], table(&found, "pi").value[..6]);
        assert_eq!(
            *best.last().unwrap(),
            all.value.iter().copied().fold(f64::NEG_INFINITY, f64::max)
        );
        assert_eq!((all.evaluation[5], all.evaluation[6], all.evaluation[13]), (0.0, 1.0, 8.0));
        assert!(name != "ei" || best[8] > -1e-4, "{name}: {best:?}");
        assert!(
            all.agrees.iter().all(|agrees| agrees.is_nan()),
            "a normal distribution has no mixture's entropy"
        );
    }
}

#[test]
fn expected_improvement_by_a_process_solves_branin() {
    let branin = Objective::get("objective:branin").unwrap();
    let mut regrets: Vec<f64> = (0..20)
        .map(|split| {
            let found = optimised(branin, gp(), (10, 20, &["ei"]), split, None).unwrap();
            branin.best - curve(&found, "ei", 20)[20]
        })
        .collect();
    regrets.sort_by(f64::total_cmp);
    let median = 0.5 * (regrets[9] + regrets[10]);
    assert!(median <= 1e-2, "{median}: {regrets:?}");
}

#[test]
fn expected_improvement_by_a_process_comes_near_hartmann() {
    let hartmann = Objective::get("objective:hartmann-6").unwrap();
    let mut regrets: Vec<f64> = (0..20)
        .map(|split| {
            let found = optimised(hartmann, gp(), (20, 40, &["ei"]), split, None).unwrap();
            hartmann.best - curve(&found, "ei", 40)[40]
        })
        .collect();
    regrets.sort_by(f64::total_cmp);
    let median = 0.5 * (regrets[9] + regrets[10]);
    assert!(median <= 0.15, "{median}: {regrets:?}");
}

#[test]
fn values_that_are_no_numbers_cost_evaluations_and_are_not_fitted() {
    let half = |x: &[f64]| if x[0] < 0.5 { f64::NAN } else { bowl(x) };
    let objective = Objective::formula("half", 2, 0.0, half);
    let found = optimised(&objective, gp(), (8, 6, &["ei", "random"]), 0, None).unwrap();
    assert_eq!(found.train_rows, 4, "half of eight points of a net");
    for name in ["ei", "random"] {
        let all = table(&found, name);
        assert_eq!(all.value.len(), 14);
        assert!(all.value.iter().filter(|value| value.is_nan()).count() >= 4, "{name}");
        assert!(curve(&found, name, 6).iter().all(|best| best.is_finite()), "{name}");
    }
}

#[test]
fn a_start_without_any_value_diverges_with_the_count() {
    let objective = Objective::formula("nowhere", 2, 0.0, |_| f64::NAN);
    let error = optimised(&objective, gp(), (8, 2, &["ei"]), 0, None).unwrap_err();
    assert!(
        matches!(&error, FitError::Diverged(why) if why.contains("0 of 8 starting points")),
        "{error}"
    );
}

#[test]
fn an_entropy_of_a_mixture_is_compared_with_its_bound_at_every_choice() {
    let objective = Objective::formula("bowl", 3, 0.0, bowl);
    let jcm = ("jcm", json!({ "components": 2, "dimension": 2, "epochs": 3 }));
    let found = optimised(&objective, jcm, (20, 3, &["entropy-ucb-2", "ucb-2"]), 0, None).unwrap();
    let all = table(&found, "entropy-ucb-2");
    assert!(
        all.agrees[..20].iter().all(|a| a.is_nan())
            && all.agrees[20..].iter().all(|a| *a == 0.0 || *a == 1.0)
    );
    assert!(table(&found, "ucb-2").agrees.iter().all(|agrees| agrees.is_nan()));
    assert!(all.score[20..].iter().all(|score| score.is_finite()));
}

#[test]
fn a_model_that_is_linear_sends_the_improved_points_to_the_sides_and_less_so_the_candidates() {
    let objective = Objective::formula("slope", 8, 8.0, |x| x.iter().sum());
    let linear = ("linear-gaussian", json!({}));
    let acquire = ["ucb-2", "ucb-2-candidates", "random"];
    let found = optimised(&objective, linear, (20, 3, &acquire), 0, None).unwrap();
    let [improved, candidates, random] = acquire.map(|name| table(&found, name));
    // The first step finds the corner at which a linear function is largest. Of uniform inputs 2 %
    // lie within 1 % of a side.
    assert!(improved.at_sides[20] == 1.0 && improved.value[20] > 7.95, "{}", improved.value[20]);
    assert!(random.at_sides.iter().sum::<f64>() / random.at_sides.len() as f64 <= 0.1);
    assert!(candidates.at_sides[20] < 1.0 && candidates.score[20] < improved.score[20]);
}

/// Keeps steps in memory, and refuses to keep more than `room`.
struct Memory {
    steps: RefCell<BTreeMap<String, Step>>,
    room: usize,
}

impl Journal for Memory {
    fn read(&self, reading: &Reading) -> Option<Step> {
        self.steps.borrow().get(reading.as_str()).cloned()
    }

    fn keep(&self, reading: &Reading, step: &Step, _: &Table) -> Result<(), String> {
        if self.steps.borrow().len() == self.room {
            return Err("the disk is full".into());
        }
        self.steps.borrow_mut().insert(reading.to_string(), step.clone());
        Ok(())
    }
}

#[test]
fn a_stopped_optimisation_goes_on_with_the_same_result() {
    let objective = Objective::formula("bowl", 2, 0.0, bowl);
    let run = |journal: Option<&dyn Journal>| {
        optimised(&objective, gp(), (6, 4, &["ei", "cma-es"]), 0, journal)
    };
    let whole = run(None).unwrap();
    let memory = Memory { steps: RefCell::default(), room: 3 };
    assert!(
        matches!(run(Some(&memory)), Err(FitError::Lost(why)) if why.contains("step ei@3 cannot be kept"))
    );
    let memory = Memory { room: 99, ..memory };
    let resumed = run(Some(&memory)).unwrap();
    // NaN is not equal to itself, so that the tables are compared as text.
    assert_eq!(resumed.readings, whole.readings);
    assert_eq!(format!("{:?}", resumed.side_tables), format!("{:?}", whole.side_tables));
}

#[test]
fn numbers_out_of_range_are_refused() {
    let usage = Usage { datasets: Vec::new(), rows: RowSubset::All, profiles: Vec::new() };
    let refused = |start, evaluations| {
        BayesianOptimisation { start, evaluations, acquire: Vec::new(), refit: false }
            .check(&usage)
            .unwrap_err()
    };
    assert!(
        refused(1, 5).contains("starts with 1 points")
            && refused(5, 0).contains("evaluates 0 more")
    );
    let with =
        BayesianOptimisation { start: 5, evaluations: 5, acquire: named(&["ei"]), refit: false };
    assert!(with.check(&usage).unwrap_err().contains("belongs to the rows of `methods`"));
}
