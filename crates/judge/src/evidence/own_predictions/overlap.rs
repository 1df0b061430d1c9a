//! Tell from the labels of tested rows how far the training sets of several test sets overlap.
//!
//! Of one cross-validation the k test sets are the table, each row once, and a training set is the
//! rest of it: there is one test row for k − 1 training rows. Where rows are tested more than once
//! (random splits, bootstraps, a repeated cross-validation), a training set is still what its test
//! set leaves of the table, if the table is known: all of its rows are tested at least once. A row
//! is known by its label, or, without labels, by its outcome, where outcomes recur between test
//! sets much more often than within them.
//!
//! *Reference:* the number of rows that no test set has: Chao (1987), Biometrics 43, 783-791,
//! equation 12.

use std::collections::{HashMap, HashSet};

use super::part::{Part, cells, is_same_outcome};
use uqbench_data::own::{Finding, Topic};

/// Recurring outcomes know rows where pairs of equal ones between test sets are this many times as
/// frequent as chance makes them.
const BEYOND_CHANCE: f64 = 5.0;

/// Pairs of equal outcomes for each tested row, at the least, where each row is tested about twice.
const SHOWN: f64 = 0.5;

/// A table is known where fewer rows than this are expected that no test set has.
const UNSEEN: f64 = 0.5;

/// What the size of training sets is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// There is one test set.
    OneSet,
    /// It is stated: by an option, or by the column `train_rows`.
    Stated,
    /// Each row is tested once, or no row is known: the folds of one cross-validation.
    CrossValidation,
    /// Rows are tested more than once, and every row of the table is: what a test set leaves of
    /// them.
    Rest,
    /// Rows are tested more than once, and some probably never: at least what a test set leaves of
    /// those that are.
    AtLeastRest,
    /// Every test set has all rows.
    Unknown,
}

/// How far training sets overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// Test rows for each training row; 0 for one test set.
    pub test_to_train: f64,
    /// What that is taken from.
    pub basis: Basis,
    /// Number of tested rows, over all test sets.
    pub tested: usize,
    /// Number of distinct rows among them; all where none is known.
    pub distinct: usize,
}

/// Numbers of training rows that are stated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TrainRows {
    /// Mean over the test sets, by an option.
    pub mean: Option<u64>,
    /// Of the first test set, by the column `train_rows`.
    pub of_first: Option<f64>,
}

impl Overlap {
    /// The overlap of test sets of rows with these identities. A row that a test set has several
    /// times counts once there.
    pub(super) fn new(splits: &[Part], identities: &[usize], stated: TrainRows) -> Self {
        let sets: Vec<HashSet<usize>> = splits
            .iter()
            .map(|split| split.rows.iter().map(|&row| identities[row]).collect())
            .collect();
        let mut times = vec![0; identities.iter().max().map_or(0, |most| most + 1)];
        sets.iter().flatten().for_each(|&row| times[row] += 1);
        let (tested, distinct, count) =
            (times.iter().sum::<usize>(), times.len(), sets.len() as f64);
        let test = tested as f64 / count;
        let train = distinct as f64 - test;
        let first = sets.first().map_or(0, HashSet::len) as f64;
        let (test_to_train, basis) = match stated {
            _ if sets.len() < 2 => (0.0, Basis::OneSet),
            TrainRows { mean: Some(train), .. } => (test / train as f64, Basis::Stated),
            TrainRows { of_first: Some(train), .. } => (first / train, Basis::Stated),
            _ if distinct == tested => (1.0 / (count - 1.0), Basis::CrossValidation),
            _ if train < 0.5 => (1.0, Basis::Unknown),
            _ if is_whole(&times, sets.len()) => (test / train, Basis::Rest),
            _ => (test / train, Basis::AtLeastRest),
        };
        Self { test_to_train, basis, tested, distinct }
    }

    /// A warning where the size of training sets has to be stated.
    pub fn finding(&self, file: &str) -> Option<Finding> {
        let Self { tested, distinct, test_to_train, basis } = self;
        let assumed = match basis {
            Basis::OneSet | Basis::Stated | Basis::CrossValidation | Basis::Rest => return None,
            Basis::AtLeastRest => format!(
                "Some rows of the table are probably in no test set, so that the size of the \
                 training sets is not known. Intervals assume that a training set is all other \
                 tested rows ({test_to_train:.3} test rows for each training row), and may be too \
                 wide"
            ),
            Basis::Unknown => "Every test set has all rows, so that the size of the training sets \
                               is not known. Intervals assume as many training rows as test rows"
                .into(),
        };
        Some(
            Finding::warning(format!(
                "{file}: {distinct} rows are tested {tested} times in all, so that the test sets \
                 are no cross-validation. {assumed}. --train-rows N states the mean number of \
                 training rows"
            ))
            .about(Topic::Overlap, ["split"]),
        )
    }
}

/// Whether the rows that are tested are probably all rows of the table: each is tested equally
/// often, or almost none is expected that is not.
fn is_whole(times: &[usize], sets: usize) -> bool {
    if times.iter().all(|time| *time == times[0]) {
        return true;
    }
    let count = |wanted: usize| times.iter().filter(|time| **time == wanted).count() as f64;
    let (once, twice, sets) = (count(1), count(2), sets as f64);
    let unseen = if twice > 0.0 { once * once / (2.0 * twice) } else { once * (once - 1.0) / 2.0 };
    (sets - 1.0) / sets * unseen < UNSEEN
}

/// Rows by their labels, numbered from 0; `None` where rows of one label have different outcomes:
/// the label is no row's, such as a number within the test set.
pub(super) fn by_labels(labels: &[&str], y: &[f64]) -> Option<Vec<usize>> {
    let mut known: HashMap<&str, (usize, f64)> = HashMap::new();
    let mut identities = Vec::with_capacity(y.len());
    for (label, y) in labels.iter().zip(y) {
        let next = known.len();
        let (number, first) = *known.entry(label).or_insert((next, *y));
        identities.push(is_same_outcome(first, *y).then_some(number)?);
    }
    Some(identities)
}

/// What outcomes say of rows that are tested in several test sets.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Recurrence {
    /// Outcomes recur beyond chance: the number of each row among the distinct ones, n.
    Known(Vec<usize>),
    /// They do not recur.
    Never,
    /// Too many outcomes are equal by chance for rows that are tested again to show.
    Unknown,
}

/// Rows by their outcomes, numbered from 0, where outcomes recur between test sets beyond chance.
/// The j-th row of one outcome in a test set is the j-th of that outcome in any other.
pub(super) fn by_outcomes(splits: &[Part], y: &[f64]) -> Recurrence {
    if splits.len() < 2 {
        return Recurrence::Never;
    }
    let pairs = |count: usize| count as f64 * (count as f64 - 1.0) / 2.0;
    let mut of_split: HashMap<(usize, u64), usize> = HashMap::new();
    let mut of_all: HashMap<u64, usize> = HashMap::new();
    let mut known: HashMap<(u64, usize), usize> = HashMap::new();
    let mut identities = vec![0; y.len()];
    for (split, part) in splits.iter().enumerate() {
        for &row in &part.rows {
            let outcome = y[row].to_bits();
            let occurrence = of_split.entry((split, outcome)).or_default();
            let next = known.len();
            identities[row] = *known.entry((outcome, *occurrence)).or_insert(next);
            *occurrence += 1;
            *of_all.entry(outcome).or_default() += 1;
        }
    }
    let within: f64 = of_split.values().map(|count| pairs(*count)).sum();
    let between = of_all.values().map(|count| pairs(*count)).sum::<f64>() - within;
    let all_within: f64 = splits.iter().map(|split| pairs(split.rows.len())).sum();
    let all_between = pairs(y.len()) - all_within;
    // Of outcomes on a grid, that many pairs are equal where all cells are equally frequent.
    let of_grid = expected_on_grid(y);
    let hidden = BEYOND_CHANCE * ((within + 1.0) * all_between / all_within).max(of_grid);
    if all_within > 0.0 && between > hidden {
        Recurrence::Known(identities)
    } else if between > 0.0 && hidden >= SHOWN * y.len() as f64 {
        Recurrence::Unknown
    } else {
        Recurrence::Never
    }
}

/// Expected pairs of equal outcomes among rows on a grid of rounded values; 0 without one.
fn expected_on_grid(y: &[f64]) -> f64 {
    cells(y).map_or(0.0, |cells| (y.len() as f64).powi(2) / (2.0 * cells))
}
