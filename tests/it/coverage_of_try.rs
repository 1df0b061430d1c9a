//! Simulate tables, and count how often the interval that `try` states for the coverage of a model
//! contains it.
//!
//! The coverage is that of the delivered model, fitted on all rows of the table, at many new rows
//! of the same kind.

use std::env;

use ndarray::{Array1, Array2};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::Value;
use uq_core::math::random::Streams;
use uq_core::predictive::{Bounds, Side};
use uq_core::{Dependence, Table};
use uq_math::normal_draws::fill_standard_normal;
use uqbench_report::try_table::{comparison, recommend};
use uqbench_run::candidates::{Candidate, candidates};
use uqbench_run::runner::progress::Progress;
use uqbench_run::runner::try_table::{
    Division, Folding, Problem, Question, Stop, evaluate, fit, predict,
};

/// New rows at which the coverage of a model is counted: its standard error is 0.003 at most, a
/// tenth of the widths of intervals.
const NEW_ROWS: usize = 10_000;

const BOUNDS: Bounds = Bounds { level: 0.9, side: Side::Both };

/// What varies around the regression line.
#[derive(Clone, Copy)]
enum Noise {
    /// Normal of constant variance.
    Constant,
    /// Normal, of a standard deviation that grows with the first feature.
    Growing,
}

/// A kind of tables.
#[derive(Clone, Copy)]
struct Scenario {
    name: &'static str,
    rows: usize,
    /// Rows of each group, and the share of the noise's variance that they have in common; one row
    /// is no group.
    group: (usize, f64),
    noise: Noise,
    methods: &'static [&'static str],
    /// Whether methods are chosen on the training rows of each fold alone.
    inside: bool,
}

const CHEAP: &[&str] =
    &["linear-gaussian", "ridge", "calibrated-linear-gaussian", "calibrated-ridge", "tree"];

const SCENARIOS: [Scenario; 8] = [
    Scenario {
        name: "one method, constant noise",
        rows: 100,
        group: (1, 0.0),
        noise: Noise::Constant,
        methods: &["linear-gaussian"],
        inside: false,
    },
    Scenario {
        name: "one method, constant noise",
        rows: 400,
        group: (1, 0.0),
        noise: Noise::Constant,
        methods: &["linear-gaussian"],
        inside: true,
    },
    Scenario {
        name: "one calibrated method, growing noise",
        rows: 200,
        group: (1, 0.0),
        noise: Noise::Growing,
        methods: &["calibrated-linear-gaussian"],
        inside: false,
    },
    Scenario {
        name: "method chosen on the other folds",
        rows: 150,
        group: (1, 0.0),
        noise: Noise::Growing,
        methods: CHEAP,
        inside: false,
    },
    Scenario {
        name: "method chosen on training rows alone",
        rows: 150,
        group: (1, 0.0),
        noise: Noise::Growing,
        methods: CHEAP,
        inside: true,
    },
    Scenario {
        name: "40 groups",
        rows: 400,
        group: (10, 0.3),
        noise: Noise::Constant,
        methods: &["linear-gaussian"],
        inside: false,
    },
    Scenario {
        name: "100 groups, more alike",
        rows: 500,
        group: (5, 0.6),
        noise: Noise::Constant,
        methods: &["linear-gaussian"],
        inside: false,
    },
    Scenario {
        name: "40 groups, method chosen on training rows alone",
        rows: 200,
        group: (5, 0.3),
        noise: Noise::Growing,
        methods: CHEAP,
        inside: true,
    },
];

/// What one simulated table gives.
struct Replication {
    /// Covered share of the tested rows.
    estimated: f64,
    /// Covered share of new rows.
    actual: f64,
    interval: (f64, f64),
    about: String,
}

impl Scenario {
    /// A table of `rows` rows and three features, of which two matter.
    fn table(self, rows: usize, streams: &Streams) -> Table {
        let normal = |purpose: &str, count: usize| {
            let mut draws = vec![0.0; count];
            fill_standard_normal(&mut draws, &mut streams.stream(purpose, 0));
            draws
        };
        let (of_group, shared) = self.group;
        let (x, own, common) =
            (normal("x", 3 * rows), normal("own", rows), normal("common", rows.div_ceil(of_group)));
        let features = Array2::from_shape_fn((rows, 3), |(i, j)| x[3 * i + j]);
        let target = Array1::from_shape_fn(rows, |i| {
            let scale = match self.noise {
                Noise::Constant => 1.0,
                Noise::Growing => 0.3 + features[[i, 0]].abs(),
            };
            let noise = shared.sqrt() * common[i / of_group] + (1.0 - shared).sqrt() * own[i];
            features[[i, 0]] + 0.5 * features[[i, 1]] + scale * noise
        });
        let table = Table::unnamed(features, target);
        match of_group {
            1 => table,
            _ => Table {
                dependence: Dependence::Groups((0..rows).map(|i| i / of_group).collect()),
                ..table
            },
        }
    }

    fn replicate(
        self,
        index: u64,
        candidates: &[Candidate],
        pool: &ThreadPool,
    ) -> Option<Replication> {
        let streams = Streams::new(index, self.name).child("rows", self.rows as u64);
        let table = self.table(self.rows, &streams);
        let problem = Problem {
            table: &table,
            division: Division::of(&table).unwrap(),
            folding: Folding { repeats: 2, ..Folding::of(&table) },
            discrete: false,
            bounds: BOUNDS,
            seed: 1 + index,
            categories: &[],
            stated: None,
        };
        let (stop, progress) = (Stop::never(), Progress::hidden());
        let evaluation = evaluate(problem, candidates, self.inside, pool, &stop, &progress);
        assert_eq!(evaluation.inside.len(), if self.inside { 5 } else { 0 });
        let stated: Value = serde_json::from_str(&comparison(&evaluation, &[]).unwrap()).unwrap();
        let procedure = stated["procedure"].as_object()?;
        let chosen = recommend(&evaluation).method?;
        let chosen = candidates.iter().find(|candidate| candidate.id == chosen)?;
        let fit = fit(&table, problem.seed, chosen, &stop).ok()?;
        let new = self.table(NEW_ROWS, &streams.child("new", 0));
        let question = Question { bounds: BOUNDS, rows: self.rows, seed: problem.seed };
        let predictive = predict(&fit, question, chosen, &new.features).ok()?;
        let covers = |i: &usize| {
            BOUNDS
                .interval(&predictive, *i)
                .is_some_and(|(low, high)| (low..=high).contains(&new.target[*i]))
        };
        let interval = &procedure["interval"];
        Some(Replication {
            estimated: procedure["coverage"].as_f64()?,
            actual: (0..NEW_ROWS).filter(covers).count() as f64 / NEW_ROWS as f64,
            interval: (interval[0].as_f64()?, interval[1].as_f64()?),
            about: procedure["about"].as_str()?.to_owned(),
        })
    }

    /// The tables of which `try` recommends a method.
    fn simulate(self, count: u64) -> Vec<Replication> {
        let names: Vec<String> = self.methods.iter().map(|name| (*name).to_owned()).collect();
        let candidates = candidates(&names).unwrap();
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        (0..count).filter_map(|index| self.replicate(index, &candidates, &pool)).collect()
    }
}

fn contained(all: &[Replication]) -> f64 {
    let inside = |one: &&Replication| (one.interval.0..=one.interval.1).contains(&one.actual);
    all.iter().filter(inside).count() as f64 / all.len() as f64
}

#[test]
fn the_interval_of_a_coverage_contains_that_of_the_model() {
    let found = SCENARIOS[0].simulate(60);
    assert!(found.len() >= 55 && found.iter().all(|one| one.about == "this model"));
    // Of 60 intervals that contain it with probability 0.92, 49 or fewer do in one case of 300.
    assert!(contained(&found) >= 50.0 / 60.0, "{}", contained(&found));
}

#[test]
fn few_groups_have_no_interval_about_the_model() {
    let few = Scenario { rows: 150, ..SCENARIOS[5] };
    let found = few.simulate(3);
    assert!(!found.is_empty() && found.iter().all(|one| one.about != "this model"));
}

/// `just coverage-of-try N` prints the table of docs/understand/coverage-of-try.md.
#[test]
#[ignore = "runs as long as UQBENCH_REPLICATIONS asks for"]
fn simulated_tables_by_scenario() {
    let count =
        env::var("UQBENCH_REPLICATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(500);
    println!("| Tables | Rows | Groups | Replications | Contained | Estimated | Actual | Bias |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut wrong = Vec::new();
    for scenario in SCENARIOS {
        let found = scenario.simulate(count);
        let mean =
            |of: fn(&Replication) -> f64| found.iter().map(of).sum::<f64>() / found.len() as f64;
        let (estimated, actual, share) =
            (mean(|one| one.estimated), mean(|one| one.actual), contained(&found));
        let groups = match scenario.group.0 {
            1 => "–".to_owned(),
            rows => (scenario.rows / rows).to_string(),
        };
        println!(
            "| {} | {} | {groups} | {} | {share:.3} | {estimated:.4} | {actual:.4} | {:+.4} |",
            scenario.name,
            scenario.rows,
            found.len(),
            estimated - actual
        );
        if !(0.92..=0.98).contains(&share) {
            wrong.push((scenario.name, scenario.rows, share));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
