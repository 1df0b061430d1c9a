//! Let acquisition functions choose which rows of a dataset are added to the training set, and fit
//! anew after each batch.
//!
//! The rows are divided at random into start, pool and test set. A model of the start is fitted,
//! which all acquisitions share. Then each acquisition adds a batch of the pool, the method is
//! fitted to all known rows, and so on. Features and target are scaled by the known rows of each
//! step. The trial has one reading for each acquisition and step, such as `entropy@3`: the
//! prediction of the test rows after the third addition, in the target's units.
//!
//! The fit of a step draws from streams that depend on the step alone. Two acquisitions that know
//! the same rows therefore make the same fit, and differences between them come from the rows.
//!
//! Reference: Ji et al., *Joint and Condition Modeling for High-Dimensional Aleatoric and Epistemic
//! Uncertainty Quantification*, Section 5.4.

use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};

use super::answers::{Fit, Observation};
use super::kind::{ProtocolKind, Usage};
use super::repetition::Repetition;
use super::sequential::{Acquisition, Campaign, Ground, Pool, Step, readings_of};
use super::units::in_target_units;
use uq_core::Table;
use uq_core::math::random::permutation;
use uq_core::predictive::{Form, Predictive, Summary};
use uq_core::scaling::{Scaler, Scaling};
use uq_methods::side_tables::{Batches, Chosen};
use uq_methods::{FitError, Reading, SideTable};
use uqbench_data::splits::{Split, SplitError};

/// Most additions.
const MOST_STEPS: usize = 1000;

/// A form with more numbers a row is kept as a summary without quantiles and CRPS, because a trial
/// has one prediction for each step: of a mixture of a thousand passes these two would cost more
/// than its training.
const EXACT: usize = 16;

/// Acquisition functions add rows of a pool in batches, and each step fits all known rows anew.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolLearning {
    /// Pairs of a number of rows and a share, in ascending order: a table of at least this number
    /// of rows, but fewer than in the next pair, starts with this share of its rows.
    pub start: Vec<(usize, f64)>,
    /// Share of the rows that are test rows.
    pub test: f64,
    /// Share of the pool at the start that a step adds.
    pub batch: f64,
    /// Number of additions.
    pub steps: usize,
    /// The acquisitions. A benchmark states them in the rows of its methods.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acquire: Vec<Acquisition>,
}

/// The rows of one repetition, each part in ascending order.
struct Division {
    start: Vec<usize>,
    pool: Vec<usize>,
    test: Vec<usize>,
}

impl PoolLearning {
    /// Divides `n` rows at random.
    fn division(&self, n: usize, repetition: &Repetition) -> Result<Division, SplitError> {
        let share = self.start.iter().rev().find(|(least, _)| n >= *least).map(|(_, share)| *share);
        let count = |share: f64| (share * n as f64).round() as usize;
        let (start, test) = (count(share.unwrap_or(0.0)), count(self.test));
        if start == 0 || test == 0 || start + test >= n {
            return Err(SplitError::TooFewRows { rows: n });
        }
        let order = permutation(n, &mut repetition.streams.stream("split", repetition.split));
        let part = |rows: &[usize]| {
            let mut rows = rows.to_vec();
            rows.sort_unstable();
            rows
        };
        let (start, test) = (&order[..start], &order[n - test..]);
        let pool = &order[start.len()..n - test.len()];
        Ok(Division { start: part(start), pool: part(pool), test: part(test) })
    }
}

impl ProtocolKind for PoolLearning {
    fn compares_methods(&self) -> bool {
        false
    }

    fn kept_steps(&self) -> usize {
        self.acquire.len() * (self.steps + 1)
    }

    fn readings(&self, _: Vec<Reading>) -> Vec<Reading> {
        readings_of(&self.acquire, self.steps)
    }

    fn check(&self, _: &Usage) -> Result<(), String> {
        let is_share = |share: f64| share > 0.0 && share < 1.0;
        if self.start.is_empty() || !self.start.is_sorted_by(|a, b| a.0 < b.0) {
            return Err(
                "`start` of pool learning needs pairs of a number of rows and a share, in \
                 ascending order"
                    .into(),
            );
        }
        if let Some((rows, share)) =
            self.start.iter().find(|(_, share)| !is_share(*share) || share + self.test >= 1.0)
        {
            return Err(format!(
                "pool learning starts with the share {share} from {rows} rows on, expected a \
                 number between 0 and 1 that leaves a pool beside the test share {}",
                self.test
            ));
        }
        for (name, share) in [("test", self.test), ("batch", self.batch)] {
            if !is_share(share) {
                return Err(format!(
                    "`{name}` of pool learning is {share}, expected a number between 0 and 1"
                ));
            }
        }
        if self.steps == 0 || self.steps > MOST_STEPS {
            return Err(format!(
                "pool learning has {} steps, expected 1 to {MOST_STEPS}",
                self.steps
            ));
        }
        if !self.acquire.is_empty() {
            return Err("`acquire` belongs to the rows of `methods`, not to the protocol".into());
        }
        Ok(())
    }

    /// The training rows are those of the start.
    fn divide(&self, repetition: &Repetition, all: &Table) -> Result<Split, SplitError> {
        let Division { start, test, .. } = self.division(all.rows(), repetition)?;
        Ok(Split { train: start, test })
    }

    fn observe(&self, fit: &Fit) -> Result<Observation, FitError> {
        if fit.scaling == Scaling::AllRows {
            let why = "pool learning cannot scale by all rows, because the targets of the pool are \
                       unknown; use `train-rows`";
            return Err(FitError::Unsupported(why.into()));
        }
        let campaign = Campaign::new(fit, self.steps)?;
        let reading = campaign.reading;
        let (all, test) = (&fit.rows.all, &fit.rows.test);
        let division = self
            .division(all.rows(), fit.repetition)
            .map_err(|e| FitError::Unsupported(e.to_string()))?;
        let batch = ((self.batch * division.pool.len() as f64).round() as usize).max(1);
        let ground = Pool {
            rows: all,
            start: &division.start,
            open: &division.pool,
            batch,
            fit: &|known, step| {
                // In the table's order, so that a fit does not depend on the order in which its
                // rows became known.
                let mut known = known.to_vec();
                known.sort_unstable();
                let train = all.select(&known);
                let scaler = Scaler::new(fit.scaling, &train, &train);
                Ok((
                    fit.method.fit(&scaler.apply(&train), &fit.context.child("fit", step))?,
                    scaler,
                ))
            },
            keep: &|predictive, scaler| {
                Ok(kept(
                    in_target_units(
                        &predictive,
                        fit.method,
                        reading,
                        scaler,
                        &all.target.to_vec(),
                    )?,
                    test,
                ))
            },
            campaign,
        };
        let mut observation = Observation { in_target_units: true, ..Observation::default() };
        let features = fit.scaler.apply(all).features;
        for &acquisition in &self.acquire {
            let steps = ground.follow(acquisition)?;
            observation.side_tables.extend(tables(
                acquisition,
                &steps,
                division.start.len(),
                features.view(),
            ));
            let readings = steps.into_iter().enumerate();
            observation
                .readings
                .extend(readings.map(|(number, step)| (acquisition.reading(number), step.at_test)));
        }
        Ok(observation)
    }
}

/// A prediction of the test rows in the target's units; a large form as its summary.
fn kept(back: Predictive, test: &Table) -> Predictive {
    let numbers = match &back.form {
        Form::Gaussian(_) | Form::StudentT(_) | Form::Summary(_) => 0,
        Form::Mixture(mixture) => 2 * mixture.means.ncols(),
        Form::Atoms(atoms) => atoms.values.ncols(),
        Form::Quantiles(quantiles) => quantiles.values.ncols(),
        Form::Samples(samples) => samples.values.ncols(),
        Form::Piecewise(piecewise) => 2 * piecewise.masses.ncols(),
        Form::Smoothed(smoothed) => smoothed.values.ncols(),
    };
    if numbers <= EXACT {
        return back;
    }
    let summary = Summary::at_outcomes(&back.form, test.target.view(), test.target_resolution);
    Predictive { form: Form::Summary(Box::new(summary)), ..back }
}

/// What the steps of an acquisition chose, and how far apart the rows of each batch lie.
fn tables(
    by: Acquisition,
    steps: &[Step],
    start: usize,
    features: ArrayView2<f64>,
) -> [SideTable; 2] {
    let (mut chosen, mut batches) = (Chosen::default(), Batches::default());
    let mut known = start;
    for (number, step) in steps.iter().enumerate().filter(|(_, step)| !step.next.rows.is_empty()) {
        let rows = &step.next.rows;
        known += rows.len();
        chosen.step.extend(rows.iter().map(|_| (number + 1) as f64));
        chosen.row.extend(rows.iter().map(|&row| row as f64));
        chosen.score.extend(&step.next.scores);
        batches.known.push(known as f64);
        batches.distance.push(apart(rows, features));
    }
    [chosen.to_table(Chosen::by(&by.to_string())), batches.to_table(Batches::by(&by.to_string()))]
}

/// Mean over the rows of the distance to the nearest other one; NaN for fewer than two.
fn apart(rows: &[usize], features: ArrayView2<f64>) -> f64 {
    let distance = |a: usize, b: usize| {
        let squares =
            features.row(a).iter().zip(features.row(b)).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
        squares.sqrt()
    };
    let nearest = |&row: &usize| {
        let others = rows.iter().filter(|&&other| other != row);
        others.map(|&other| distance(row, other)).fold(f64::INFINITY, f64::min)
    };
    if rows.len() < 2 {
        return f64::NAN;
    }
    rows.iter().map(nearest).sum::<f64>() / rows.len() as f64
}

#[cfg(test)]
mod tests;
