//! Protocols: how one repetition of an experiment uses a method.
//!
//! [`Protocol`] says which rows are fitted and which are tested. [`run`] takes a table or a simulated problem and a
//! method, and goes through the steps: select, split, scale, fit, predict, and convert back to the units of the scores.
//! It returns what was [`Observed`], which the runner scores and stores. Start with [`run`]; `rows.rs` holds the
//! divisions.

mod active_learning;
mod answers;
mod new_rows;
mod rows;
#[cfg(test)]
mod tests;
mod whole;

pub use active_learning::Acquisition;
pub use new_rows::predict_new_rows;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use ndarray::Array1;
use serde::{Deserialize, Serialize};

use crate::data::Table;
use crate::data::regions::Regions;
use crate::data::scaling::{Scaler, Scaling};
use crate::data::simulated::Simulated;
use crate::data::splits::{End, STANDARD_SPLITS, TestSize};
use crate::math::random::Streams;
use crate::methods::{Context, FitError, Method, Reading, Request, SideTable};
use crate::metrics::RowFacts;
use crate::predictive::Predictive;

/// How one repetition of an experiment goes. Part of the trial's key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Protocol {
    /// One random split into training and test rows per repetition.
    Holdout {
        /// How large the test part is.
        test: TestSize,
    },
    /// The training rows and the test grid of a simulated problem, drawn anew per repetition.
    Demonstration,
    /// The standard 90/10 splits of the Bayesian-network literature, as they were published.
    Standard,
    /// Shuffled k-fold cross-validation: repetition repeat × folds + fold.
    KFold {
        /// Number of folds, k.
        folds: u64,
        /// How often the rows are shuffled and divided anew.
        #[serde(default = "once")]
        repeats: u64,
    },
    /// The same few folds over and over, those of scikit-learn's `KFold(folds, shuffle=True, random_state=seed)`: split repeat ×
    /// folds + fold. One repetition is one whole cross-validation, its score the average over the folds; repetitions differ in what
    /// the method draws alone.
    NumpyKFold {
        /// Number of folds, k.
        folds: u64,
        /// Seed of NumPy's `RandomState`.
        seed: u32,
    },
    /// Every row is fitted, and answered for: what a figure shows. With one feature a grid is answered for too, as the table
    /// `grid@READING`. Scores are those of rows that were seen.
    WholeData,
    /// A simulated problem's training rows are a pool: some are known at the start, and each acquisition function adds others, the
    /// hyperparameters kept. Its readings are the acquisition functions'.
    ActiveLearning {
        /// Rows that are known at the start, drawn at random.
        start: usize,
        /// Rows that are added, one by one.
        added: usize,
    },
    /// One random split per repetition that leaves rows of equal features on one side.
    Grouped {
        /// How large the test part is, as nearly as the groups allow.
        test: TestSize,
    },
    /// K-fold cross-validation that leaves rows of equal features on one side: repetition repeat × folds + fold.
    GroupedKFold {
        /// Number of folds, k.
        folds: u64,
        /// How often the rows are shuffled and divided anew.
        #[serde(default = "once")]
        repeats: u64,
    },
    /// Train away from an interval of one feature: the middle one, then others.
    Gap {
        /// The feature's name.
        feature: String,
        /// The share of rows inside the interval.
        share: f64,
    },
    /// Train away from an end of one feature.
    Tail {
        /// The feature's name.
        feature: String,
        /// The share of rows at that end.
        share: f64,
        /// Which end.
        end: End,
    },
    /// A part of the training rows of another protocol's repetition, held out at random (where that keeps twins together,
    /// so does this); its test rows have no part. Planned by a benchmark's `[validation]`.
    Validation {
        /// The protocol whose training rows are divided.
        of: Box<Self>,
        /// The share of them that is held out.
        fraction: f64,
    },
}

fn once() -> u64 {
    1
}

impl Protocol {
    /// Raised whenever the same input would give other rows.
    pub const VERSION: u32 = 1;

    /// Number of repetitions that differ; `None` where there is no end of them. A dataset may have fewer.
    pub fn repetitions(&self) -> Option<u64> {
        match self {
            Self::Holdout { .. }
            | Self::Demonstration
            | Self::WholeData
            | Self::ActiveLearning { .. }
            | Self::NumpyKFold { .. }
            | Self::Grouped { .. }
            | Self::Gap { .. } => None,
            Self::Standard => Some(STANDARD_SPLITS),
            Self::KFold { folds, repeats } | Self::GroupedKFold { folds, repeats } => {
                Some(folds.saturating_mul(*repeats))
            }
            Self::Tail { .. } => Some(1),
            Self::Validation { of, .. } => of.repetitions(),
        }
    }

    /// Number of splits that make up one repetition, whose scores are averaged: the folds of a whole cross-validation, or 1.
    pub fn splits_a_repetition(&self) -> u64 {
        match self {
            Self::NumpyKFold { folds, .. } => (*folds).max(1),
            Self::Validation { of, .. } => of.splits_a_repetition(),
            _ => 1,
        }
    }

    /// Whether its scores compare methods on rows of a dataset that they have not seen: not where a figure or one problem is shown.
    pub fn compares_methods(&self) -> bool {
        !matches!(self.outer(), Self::Demonstration | Self::WholeData | Self::ActiveLearning { .. })
    }

    /// The readings of a trial of a method that offers `own`.
    pub fn readings(&self, own: Vec<Reading>) -> Vec<Reading> {
        match self {
            Self::ActiveLearning { .. } => Acquisition::ALL.map(Acquisition::reading).into(),
            _ => own,
        }
    }

    /// The protocol that divides all rows: itself, or the one whose training rows are divided again.
    pub fn outer(&self) -> &Self {
        match self {
            Self::Validation { of, .. } => of.outer(),
            _ => self,
        }
    }
}

/// Which rows of a dataset take part. Part of the trial's key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowSubset {
    /// Every row.
    #[default]
    All,
    /// So many rows, drawn once per dataset and root seed, the same for every method and split.
    Random(usize),
}

/// In which units scores are. Part of the trial's key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScoreUnits {
    /// The target's own units.
    #[default]
    Target,
    /// The units after scaling.
    Scaled,
}

/// One repetition of an experiment, without its data and its method.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting<'a> {
    /// How the repetition goes.
    pub protocol: &'a Protocol,
    /// Key of the dataset: some have splits of their own.
    pub dataset: &'a str,
    /// Which rows take part.
    pub rows: RowSubset,
    /// What is done to features and target before the fit.
    pub scaling: Scaling,
    /// In which units scores are.
    pub score_units: ScoreUnits,
    /// What is asked of the fitted method.
    pub request: &'a Request,
    /// Which repetition.
    pub split: u64,
    /// Streams that depend on the dataset, never on the method, so that all methods see the same rows.
    pub data_streams: Streams,
}

/// Where the rows of an experiment come from.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A pinned dataset.
    Table(&'a Table),
    /// A simulated problem.
    Simulated(&'a Simulated),
}

/// What one repetition gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// Test rows' feature in the data's own units, for problems with one feature: a figure's axis.
    pub x: Option<Array1<f64>>,
    /// Test rows' target, in the units of the scores.
    pub y: Array1<f64>,
    /// What is known of the test rows besides: their regions, which the training rows' features make, and their true noise
    /// in the units of the scores.
    pub facts: RowFacts,
    /// One predictive distribution a reading, in the units of the scores.
    pub readings: Vec<(Reading, Predictive)>,
    /// What the fit left behind; for problems with one feature also the training rows, as `training`.
    pub side_tables: Vec<SideTable>,
    /// Number of training rows.
    pub train_rows: usize,
    /// Smallest and largest target over the whole dataset, in the units of the scores.
    pub target_range: Option<(f64, f64)>,
    /// Distance of neighbouring values of a discrete or rounded target, in the units of the scores.
    pub target_resolution: Option<f64>,
    /// Wall time of the fit.
    pub fit_time: Duration,
    /// Processor time of the fit in this thread, where the system tells.
    pub fit_cpu: Option<Duration>,
    /// Wall time of all predictions.
    pub predict_time: Duration,
    /// Processor time of each reading's prediction and of its central 95 % interval at each test row; only where several
    /// readings share no work.
    pub interval_cpu: BTreeMap<Reading, Duration>,
}

/// Runs one repetition: select → split → scale → fit → predict → units of the scores.
///
/// # Errors
/// [`FitError`] from the method; [`FitError::Unsupported`] where the protocol cannot divide the rows, or a method
/// answers with something that is no distribution ([`FitError::Diverged`]).
pub fn run(setting: &Setting, source: Source, method: &dyn Method, context: &Context) -> Result<Observed, FitError> {
    let rows::Rows { train, test, noise, truth, all } = rows::rows(setting, source)?;
    let scaler = Scaler::new(setting.scaling, &train, &all);
    let (scaled_train, scaled_test) = (scaler.apply(&train), scaler.apply(&test));

    let (start, before) = (Instant::now(), answers::thread_cpu());
    let fitted = method.fit(&scaled_train, &context.child("fit", 0))?;
    let fit_time = start.elapsed();
    let fit_cpu = answers::thread_cpu().zip(before).map(|(now, before)| now.saturating_sub(before));

    let predict = context.child("predict", 0);
    let (mut readings, mut side_tables) = (Vec::new(), fitted.side_tables());
    let (mut predict_time, mut interval_cpu) = (Duration::ZERO, BTreeMap::new());
    if let Protocol::ActiveLearning { start, added } = *setting.protocol {
        let start = active_learning::first_rows(all.rows(), start, &setting.data_streams, setting.split);
        let (pool, test, scaler, truth) = (&all, &test, &scaler, truth.as_ref());
        let campaign = active_learning::Campaign { pool, start: &start, added, test, truth, scaler };
        let (found, tables) = active_learning::run(fitted.as_ref(), &campaign, setting.request, &predict)?;
        readings = found;
        side_tables.extend(tables);
    } else {
        let names = method.readings();
        let found = answers::answers(fitted.as_ref(), &names, scaled_test.features.view(), setting.request, &predict)?;
        (predict_time, interval_cpu) = (found.time, found.interval_cpu);
        side_tables.extend(fitted.side_tables_at(scaled_test.features.view(), setting.request, &predict)?);
        if *setting.protocol == Protocol::WholeData {
            let tables = whole::tables(fitted.as_ref(), &names, (&train, &scaler), setting.request, &predict)?;
            side_tables.extend(tables);
        }
        for (reading, predictive) in names.into_iter().zip(found.predictives) {
            check_answer(&reading, &predictive, test.rows())?;
            readings.push((reading, predictive));
        }
    }

    let (shift, scale) = scaler.target_back();
    let region = Some(Regions::fit(train.features.view()).of(test.features.view()));
    let (y, noise, truth, target_range, target_resolution) = match setting.score_units {
        ScoreUnits::Scaled => {
            let range = all.target_range().map(|(low, high)| ((low - shift) / scale, (high - shift) / scale));
            let truth = truth.map(|truth| (truth - shift) / scale);
            (scaled_test.target, noise.map(|noise| noise / scale), truth, range, scaled_test.target_resolution)
        }
        ScoreUnits::Target => {
            if (shift, scale) != (0.0, 1.0) {
                for (reading, predictive) in &mut readings {
                    let back = predictive.affine(shift, scale);
                    *predictive = back.map_err(|e| FitError::Diverged(format!("reading {reading}: {e}")))?;
                }
            }
            (test.target.clone(), noise, truth, all.target_range(), test.target_resolution)
        }
    };
    let x = (test.columns() == 1).then(|| test.features.column(0).to_owned());
    let train_rows = train.rows();
    if train.columns() == 1 {
        let columns = [("x", train.features.column(0).to_vec()), ("y", train.target.to_vec())];
        side_tables.push(SideTable {
            name: "training".into(),
            columns: columns.map(|(name, values)| (name.into(), values)).into(),
        });
    }
    Ok(Observed {
        x,
        y,
        facts: RowFacts { region, noise, truth },
        readings,
        side_tables,
        train_rows,
        target_range,
        target_resolution,
        fit_time,
        fit_cpu,
        predict_time,
        interval_cpu,
    })
}

/// Refuses an answer that is no distribution at each row.
fn check_answer(reading: &Reading, predictive: &Predictive, rows: usize) -> Result<(), FitError> {
    predictive.validate().map_err(|error| FitError::Diverged(format!("reading {reading}: {error}")))?;
    if predictive.len() == rows {
        return Ok(());
    }
    Err(FitError::Diverged(format!("reading {reading}: {} predictions for {rows} rows", predictive.len())))
}
