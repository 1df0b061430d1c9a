//! How an experiment uses a method: which rows it fits, which rows it answers for, in which scale.

use std::time::{Duration, Instant};

use ndarray::Array1;
use serde::{Deserialize, Serialize};

use crate::data::Table;
use crate::data::scaling::{Scaler, Scaling};
use crate::data::simulated::Simulated;
use crate::data::splits::{self, TestSize};
use crate::math::random::{Streams, draw_without_replacement};
use crate::methods::{Artefact, Ask, Context, FitError, Method, Reading};
use crate::predictive::Predictive;

/// How one repetition of an experiment goes. Part of the trial's key.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Protocol {
    /// One random split into training and test rows per repetition.
    Holdout {
        /// How large the test part is.
        test: TestSize,
    },
    /// The training rows and the test grid of a simulated problem, drawn anew per repetition.
    Demonstration,
}

impl Protocol {
    /// Raised whenever the same input would give other rows.
    pub const VERSION: u32 = 1;
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
    pub protocol: Protocol,
    /// Which rows take part.
    pub rows: RowSubset,
    /// What is done to features and target before the fit.
    pub scaling: Scaling,
    /// In which units scores are.
    pub score_units: ScoreUnits,
    /// What is asked of the fitted method.
    pub ask: &'a Ask,
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
    /// One predictive distribution a reading, in the units of the scores.
    pub readings: Vec<(Reading, Predictive)>,
    /// What the fit left behind; for problems with one feature also the training rows, as `training`.
    pub artefacts: Vec<Artefact>,
    /// Number of training rows.
    pub train_rows: usize,
    /// Smallest and largest target over the whole dataset, in the units of the scores.
    pub target_range: Option<(f64, f64)>,
    /// Distance of neighbouring values of a discrete or rounded target, in the units of the scores.
    pub target_resolution: Option<f64>,
    /// Wall time of the fit.
    pub fit_time: Duration,
    /// Wall time of all predictions.
    pub predict_time: Duration,
}

/// Runs one repetition: select → split → scale → fit → predict → units of the scores.
///
/// # Errors
/// [`FitError`] from the method; [`FitError::Unsupported`] where the protocol cannot divide the rows, or a method
/// answers with something that is no distribution ([`FitError::Diverged`]).
pub fn run(setting: &Setting, source: Source, method: &dyn Method, context: &Context) -> Result<Observed, FitError> {
    let Rows { train, test, all } = rows(setting, source)?;
    let scaler = Scaler::new(setting.scaling, &train, &all);
    let (scaled_train, scaled_test) = (scaler.apply(&train), scaler.apply(&test));

    let start = Instant::now();
    let fitted = method.fit(&scaled_train, &context.child("fit", 0))?;
    let fit_time = start.elapsed();

    let start = Instant::now();
    let names = method.readings();
    let answers = fitted.predict_all(&names, scaled_test.features.view(), setting.ask, &context.child("predict", 0))?;
    let predict_time = start.elapsed();
    let mut readings = Vec::with_capacity(names.len());
    for (reading, predictive) in names.into_iter().zip(answers) {
        predictive.validate().map_err(|error| FitError::Diverged(format!("reading {reading}: {error}")))?;
        if predictive.len() != test.rows() {
            let (found, expected) = (predictive.len(), test.rows());
            return Err(FitError::Diverged(format!("reading {reading}: {found} predictions for {expected} rows")));
        }
        readings.push((reading, predictive));
    }

    let (shift, scale) = scaler.target_back();
    let (y, target_range, target_resolution) = match setting.score_units {
        ScoreUnits::Scaled => {
            let range = all.target_range().map(|(low, high)| ((low - shift) / scale, (high - shift) / scale));
            (scaled_test.target, range, scaled_test.target_resolution)
        }
        ScoreUnits::Target => {
            if (shift, scale) != (0.0, 1.0) {
                for (reading, predictive) in &mut readings {
                    let back = predictive.affine(shift, scale);
                    *predictive = back.map_err(|e| FitError::Diverged(format!("reading {reading}: {e}")))?;
                }
            }
            (test.target.clone(), all.target_range(), test.target_resolution)
        }
    };
    let x = (test.columns() == 1).then(|| test.features.column(0).to_owned());
    let (mut artefacts, train_rows) = (fitted.artefacts(), train.rows());
    if train.columns() == 1 {
        let columns = [("x", train.features.column(0).to_vec()), ("y", train.target.to_vec())];
        artefacts.push(Artefact {
            name: "training".into(),
            columns: columns.map(|(name, values)| (name.into(), values)).into(),
        });
    }
    Ok(Observed { x, y, readings, artefacts, train_rows, target_range, target_resolution, fit_time, predict_time })
}

/// Training rows, test rows, and every row that takes part.
struct Rows {
    train: Table,
    test: Table,
    all: Table,
}

fn rows(setting: &Setting, source: Source) -> Result<Rows, FitError> {
    match (setting.protocol, source) {
        (Protocol::Holdout { test }, Source::Table(table)) => {
            let all = match setting.rows {
                RowSubset::All => table.clone(),
                RowSubset::Random(count) => {
                    let mut rng = setting.data_streams.stream("rows", 0);
                    table.select(&draw_without_replacement(table.rows(), count, &mut rng))
                }
            };
            let mut rng = setting.data_streams.stream("split", setting.split);
            let split = splits::random(all.rows(), test, &mut rng).ok_or_else(|| {
                FitError::Unsupported(format!("{} rows cannot be split into training and test rows", all.rows()))
            })?;
            Ok(Rows { train: all.select(&split.train), test: all.select(&split.test), all })
        }
        (Protocol::Demonstration, Source::Simulated(problem)) => {
            let drawn = problem.draw(&mut setting.data_streams.stream("draw", setting.split));
            Ok(Rows { all: drawn.test.clone(), train: drawn.train, test: drawn.test })
        }
        (Protocol::Holdout { .. }, Source::Simulated(_)) | (Protocol::Demonstration, Source::Table(_)) => {
            Err(FitError::Unsupported("a pinned dataset wants `holdout`, a simulated problem `demonstration`".into()))
        }
    }
}
