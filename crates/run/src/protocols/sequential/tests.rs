//! Sequences on toys: what is chosen, what is never seen, and that a stopped sequence goes on with
//! the same result.

use std::cell::RefCell;
use std::collections::BTreeMap;

use ndarray::{Array1, Array2, ArrayView2, array};

use super::rows::View;
use super::state::State;
use super::{Acquisition, Campaign, Choice, Ground, Journal, Pool, Step, StepReading};
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_core::predictive::{Form, Gaussian, Mixture, Predictive, Split};
use uq_core::scaling::{Scaler, Scaling};
use uq_methods::{Context, FitError, Fitted, Reading, Request};

/// Predicts the mean of its targets; Var[y|x] = 1 + x², Var[f|x] = 1/(1 + x²).
struct Bowl(f64);

impl Fitted for Bowl {
    fn predict(
        &self,
        _: &Reading,
        x: ArrayView2<f64>,
        _: &Request,
        _: &Context,
    ) -> Result<Predictive, FitError> {
        let variance = x.column(0).mapv(|x| 1.0 + x * x);
        let epistemic = Some(variance.mapv(f64::recip));
        let mean = Array1::from_elem(x.nrows(), self.0);
        let predictive = Predictive::new(Form::Gaussian(Gaussian { mean, variance }));
        Ok(predictive.with_split(Split { aleatoric: None, epistemic }))
    }
}

/// Rows at these places whose targets are their numbers.
fn pool(places: &[f64]) -> Table {
    let features = Array2::from_shape_fn((places.len(), 1), |(i, _)| places[i]);
    Table::unnamed(features, (0..places.len()).map(|i| i as f64).collect())
}

fn mean(table: &Table, rows: &[usize]) -> f64 {
    rows.iter().map(|&row| table.target[row]).sum::<f64>() / rows.len() as f64
}

/// All steps on a pool whose first row is known.
fn follow(
    table: &Table,
    by: Acquisition,
    (batch, steps): (usize, usize),
    journal: Option<&dyn Journal>,
) -> Result<Vec<Step>, FitError> {
    let scaler = Scaler::new(Scaling::None, table, table);
    let open: Vec<usize> = (1..table.rows()).collect();
    let ground = Pool {
        rows: table,
        start: &[0],
        open: &open,
        batch,
        fit: &|known, _| Ok((Box::new(Bowl(mean(table, known))), scaler.clone())),
        keep: &|predictive, _| Ok(predictive),
        campaign: Campaign {
            test: &pool(&[0.5]),
            steps,
            first: (&Bowl(table.target[0]), &scaler),
            reading: &Reading::MAIN,
            request: &Request::default(),
            streams: Streams::new(1, "rows"),
            context: &Context::new(Streams::new(1, "method")),
            journal,
        },
    };
    ground.follow(by)
}

fn chosen(steps: &[Step]) -> Vec<Vec<usize>> {
    steps.iter().map(|step| step.next.rows.clone()).collect()
}

const PLACES: [f64; 7] = [0.0, 3.0, -1.0, 2.0, -3.0, 1.0, 0.5];

#[test]
fn each_acquisition_chooses_the_rows_of_its_definition() {
    let of = |by| chosen(&follow(&pool(&PLACES), by, (2, 2), None).unwrap());
    // |x| = 3 twice, then 2, then 1 twice: of equal scores the first row.
    assert_eq!(of(Acquisition::Total), [vec![1, 4], vec![3, 2], vec![]]);
    assert_eq!(
        of(Acquisition::Entropy),
        of(Acquisition::Total),
        "the entropy of a normal rises with its variance"
    );
    assert_eq!(of(Acquisition::Epistemic), [vec![6, 2], vec![5, 3], vec![]]);
    // Known: 0. Furthest: 3 (of 3 and −3 the first), then −3; then of 2 and −1 and 1, all 1 away,
    // the first row.
    assert_eq!(of(Acquisition::Gsx), [vec![1, 4], vec![2, 3], vec![]]);
    let random = of(Acquisition::Random(1));
    assert_eq!((random[0].len(), random[1].len()), (2, 2));
    assert_eq!(random, of(Acquisition::Random(1)), "drawn from streams of the rows");
    assert_ne!(random, of(Acquisition::Random(2)), "another sequence");
}

#[test]
fn scores_are_kept_with_the_rows() {
    let steps = follow(&pool(&PLACES), Acquisition::Total, (2, 1), None).unwrap();
    assert_eq!(steps[0].next.scores, [10.0, 10.0]);
    let steps = follow(&pool(&PLACES), Acquisition::Gsx, (3, 1), None).unwrap();
    assert_eq!(
        steps[0].next.scores,
        [9.0, 9.0, 1.0],
        "squared distances at the moment of the choice"
    );
}

#[test]
fn no_acquisition_sees_a_target_of_the_pool() {
    let clean = pool(&PLACES);
    let all = [
        Acquisition::Total,
        Acquisition::Epistemic,
        Acquisition::Entropy,
        Acquisition::Gsx,
        Acquisition::Random(1),
    ];
    for by in all {
        let steps = follow(&clean, by, (1, 3), None).unwrap();
        let known: Vec<usize> = steps.iter().flat_map(|step| step.next.rows.clone()).collect();
        let mut poisoned = clean.clone();
        for row in (1..clean.rows()).filter(|row| !known.contains(row)) {
            poisoned.target[row] = f64::NAN;
        }
        assert_eq!(
            follow(&poisoned, by, (1, 3), None).unwrap(),
            steps,
            "{by}: rows that stay unknown"
        );
        // A row's target counts only after its choice.
        poisoned.target[known[0]] = 1e9;
        let changed = follow(&poisoned, by, (1, 3), None).unwrap();
        assert_eq!(changed[0], steps[0], "{by}: the step that chooses the row");
        assert_ne!(changed[1].at_test, steps[1].at_test, "{by}: the step that knows it");
    }
}

#[test]
fn a_pool_smaller_than_the_batch_is_taken_whole_and_then_nothing_changes() {
    for by in [Acquisition::Total, Acquisition::Gsx, Acquisition::Random(1)] {
        let steps = follow(&pool(&PLACES[..4]), by, (2, 4), None).unwrap();
        assert_eq!(
            chosen(&steps).iter().map(Vec::len).collect::<Vec<_>>(),
            [2, 1, 0, 0, 0],
            "{by}"
        );
        assert_eq!((&steps[2], &steps[3]), (&steps[3], &steps[4]), "{by}");
        // Every row is known: the mean of 0, 1, 2, 3.
        assert_eq!(steps[4].at_test.means().unwrap(), array![1.5], "{by}");
    }
}

#[test]
fn all_acquisitions_share_the_first_step() {
    let first = |by| follow(&pool(&PLACES), by, (2, 1), None).unwrap().swap_remove(0).at_test;
    for by in [Acquisition::Gsx, Acquisition::Epistemic, Acquisition::Random(3)] {
        assert_eq!(first(by), first(Acquisition::Total));
    }
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
fn a_stopped_sequence_goes_on_with_the_same_result() {
    let whole = follow(&pool(&PLACES), Acquisition::Random(1), (1, 4), None).unwrap();
    let memory = Memory { steps: RefCell::default(), room: 3 };
    let stopped = follow(&pool(&PLACES), Acquisition::Random(1), (1, 4), Some(&memory));
    assert_eq!(
        stopped,
        Err(FitError::Lost("step random@3 cannot be kept: the disk is full".into()))
    );
    let memory = Memory { room: 9, ..memory };
    assert_eq!(
        follow(&pool(&PLACES), Acquisition::Random(1), (1, 4), Some(&memory)).unwrap(),
        whole
    );
    assert_eq!(memory.steps.borrow().len(), 5);
    // A step that is kept is not computed again.
    memory.steps.borrow_mut().get_mut("random@1").unwrap().next =
        Choice { rows: vec![6], scores: vec![0.0], ..Choice::default() };
    let other = follow(&pool(&PLACES), Acquisition::Random(1), (1, 4), Some(&memory)).unwrap();
    assert_eq!(other[1].next.rows, [6]);
}

#[test]
fn what_a_method_does_not_define_is_refused_and_a_score_that_is_nan_diverges() {
    let features = array![[0.0], [1.0]];
    let context = Context::new(Streams::new(1, "method"));
    let choose = |by: Acquisition, predictive: &Predictive| {
        let view = View {
            features: features.view(),
            known: &[],
            open: &[0, 1],
            predict: &|_| Ok(predictive.clone()),
            streams: Streams::new(1, "rows"),
            step: 0,
            context: &context,
        };
        by.choose(&view, 1)
    };
    let gaussian =
        |variance| Predictive::new(Form::Gaussian(Gaussian { mean: array![0.0, 0.0], variance }));
    let refused =
        choose(Acquisition::Epistemic, &gaussian(array![1.0, 1.0])).unwrap_err().to_string();
    assert!(
        refused.contains("the acquisition `epistemic` needs an epistemic variance"),
        "{refused}"
    );
    let diverged =
        choose(Acquisition::Entropy, &gaussian(array![1.0, f64::NAN])).unwrap_err().to_string();
    assert!(diverged.contains("has no score of row 1"), "{diverged}");
    // Two components far apart have a larger bound (19) than one.
    let mixture = Mixture {
        weights: array![[0.5, 0.5], [1.0, 0.0]],
        means: array![[-3.0, 3.0], [0.0, 0.0]],
        variances: array![[1.0, 1.0], [1.0, 1.0]],
    };
    let found = choose(Acquisition::Entropy, &Predictive::new(Form::Mixture(mixture))).unwrap();
    // ½ ln 4π + ln 2, less what the other component adds, exp(−36/4).
    let expected = 0.5 * (4.0 * std::f64::consts::PI).ln() + 2_f64.ln() - (-9.0_f64).exp().ln_1p();
    assert_eq!(found.rows, [0]);
    assert!((found.scores[0] - expected).abs() < 1e-12, "{found:?} {expected}");
}

#[test]
fn names_are_read_again() {
    for name in [
        "total",
        "epistemic",
        "entropy",
        "gsx",
        "random",
        "random-2",
        "random-10",
        "pi",
        "ei",
        "ucb-2",
        "ucb-0.5",
        "entropy-ucb-0.125",
        "entropy-ucb-2-candidates",
        "pi-candidates",
        "sobol",
        "cma-es",
    ] {
        let by: Acquisition = name.parse().unwrap();
        assert_eq!(by.to_string(), name);
        assert_eq!(StepReading::of(&by.reading(7)), Some(StepReading { acquisition: by, step: 7 }));
    }
    for name in [
        "",
        "Total",
        "random-1",
        "random-02",
        "random-x",
        "ramdom",
        "ucb",
        "ucb-0",
        "ucb-2.0",
        "ucb-2-candidates-candidates",
        "sobol-candidates",
        "ucb-1.0001",
        "entropy-ucb--1",
    ] {
        assert!(
            name.parse::<Acquisition>().unwrap_err().contains("there is no acquisition"),
            "{name}"
        );
    }
    assert_eq!(StepReading::of(&Reading::MAIN), None);
}

#[test]
fn a_state_takes_open_rows_alone() {
    let mut state = State::new(&[4], &[3, 1, 2]);
    state.add(&[3, 4, 9]);
    assert_eq!(state, State { known: vec![4, 3], open: vec![1, 2] });
}
