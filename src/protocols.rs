//! Protocols: how one repetition of an experiment uses a method.
//!
//! [`Protocol`] says which rows are fitted and which are tested. [`run`] takes a table or a simulated problem and a
//! method, and goes through the steps: select, split, scale, fit, predict, and convert back to the units of the scores.
//! It returns an [`Observed`], which the runner scores and stores. Start with [`run`]; `rows.rs` divides the rows.

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
    /// The same folds in every repetition, those of scikit-learn's `KFold(folds, shuffle=True, random_state=seed)`:
    /// split repeat × folds + fold. One repetition is one whole cross-validation, and its score is the average over the
    /// folds. Repetitions differ only in the method's random numbers.
    NumpyKFold {
        /// Number of folds, k.
        folds: u64,
        /// Seed of NumPy's `RandomState`.
        seed: u32,
    },
    /// Every row is a training row and a test row, for figures. With one feature the method also predicts on a grid,
    /// stored as the side table `grid@READING`. Scores are those of training rows.
    WholeData,
    /// A simulated problem's training rows are a pool. Some are known at the start, and each acquisition function adds
    /// others with fixed hyperparameters. Each acquisition function is a reading.
    ActiveLearning {
        /// Rows that are known at the start, drawn at random.
        start: usize,
        /// Rows that are added, one by one.
        added: usize,
    },
    /// One random split per repetition that keeps rows of equal features on one side.
    Grouped {
        /// How large the test part is, as nearly as the groups allow.
        test: TestSize,
    },
    /// K-fold cross-validation that keeps rows of equal features on one side: repetition repeat × folds + fold.
    GroupedKFold {
        /// Number of folds, k.
        folds: u64,
        /// How often the rows are shuffled and divided anew.
        #[serde(default = "once")]
        repeats: u64,
    },
    /// The test rows lie in an interval of one feature: the middle one, then others.
    Gap {
        /// The feature's name.
        feature: String,
        /// The share of rows inside the interval.
        share: f64,
    },
    /// The test rows lie at one end of one feature's range.
    Tail {
        /// The feature's name.
        feature: String,
        /// The share of rows at that end.
        share: f64,
        /// Which end.
        end: End,
    },
    /// A part of the training rows of another protocol's repetition, held out at random. Where that protocol keeps rows
    /// of equal features on one side, so does this one. The other protocol's test rows are not used. Planned by a
    /// benchmark's `[validation]`.
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

    /// Number of different repetitions; `None` where it is unlimited. A dataset may have fewer.
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

    /// Whether its scores compare methods on unseen rows of a dataset. `false` for protocols that only serve figures or
    /// simulated problems.
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

    /// The protocol that divides all rows: itself, or for [`Protocol::Validation`] the protocol whose training rows it
    /// divides.
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
    /// This number of rows, drawn once per dataset and root seed, the same for every method and split.
    Random(usize),
}

/// The units of the scores. Part of the trial's key.
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
    /// The units of the scores.
    pub score_units: ScoreUnits,
    /// The request to the fitted method.
    pub request: &'a Request,
    /// Number of the repetition.
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

/// The result of one repetition.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// Test rows' feature in the data's own units, for problems with one feature: a figure's axis.
    pub x: Option<Array1<f64>>,
    /// Test rows' target, in the units of the scores.
    pub y: Array1<f64>,
    /// Further facts about the test rows: their regions, which the training rows' features define, and their true noise
    /// in the units of the scores.
    pub facts: RowFacts,
    /// One predictive distribution for each reading, in the units of the scores.
    pub readings: Vec<(Reading, Predictive)>,
    /// The fit's side tables; for problems with one feature also the training rows, as `training`.
    pub side_tables: Vec<SideTable>,
    /// Number of training rows.
    pub train_rows: usize,
    /// Smallest and largest target over the whole dataset, in the units of the scores.
    pub target_range: Option<(f64, f64)>,
    /// Distance between neighbouring values of a discrete or rounded target, in the units of the scores.
    pub target_resolution: Option<f64>,
    /// Wall time of the fit.
    pub fit_time: Duration,
    /// Processor time of the fit in this thread, where the operating system reports it.
    pub fit_cpu: Option<Duration>,
    /// Wall time of all predictions.
    pub predict_time: Duration,
    /// Processor time of each reading's prediction and of its central 95 % interval at each test row; present only
    /// where several readings share no work.
    pub interval_cpu: BTreeMap<Reading, Duration>,
}

/// Runs one repetition: select → split → scale → fit → predict → units of the scores.
///
/// # Errors
/// [`FitError`] from the method; [`FitError::Unsupported`] where the protocol cannot divide the rows, and
/// [`FitError::Diverged`] where a method returns an invalid distribution.
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

/// Checks that a reading is a valid distribution at each row.
fn check_answer(reading: &Reading, predictive: &Predictive, rows: usize) -> Result<(), FitError> {
    predictive.validate().map_err(|error| FitError::Diverged(format!("reading {reading}: {error}")))?;
    if predictive.len() == rows {
        return Ok(());
    }
    Err(FitError::Diverged(format!("reading {reading}: {} predictions for {rows} rows", predictive.len())))
}
