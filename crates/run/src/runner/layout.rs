//! Write predictive distributions as columns of one Parquet file, and read them back bit-equal.
//!
//! A number that is the same at every row (the weights over DTB's models) is stored once, in the
//! layout. A column that occurs twice (the atoms of two readings of one fit) is written once. A
//! form of more than [`LIMIT`] numbers per row (atoms: [`ATOM_LIMIT`] atoms; pieces of a density:
//! as many) is stored as a summary and marked as lossy.

mod levels;
mod read;

use std::borrow::Cow;
use std::collections::HashMap;

use ndarray::{Array1, Array2, ArrayView1, Axis};
use polars_arrow::array::PrimitiveArray;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use self::read::{columns, decode};
use crate::protocols::Observed;
use uq_core::Table;
use uq_core::metrics::RowFacts;
use uq_core::predictive::{
    Atoms, Form, Gaussian, InvalidPredictive, Kernel, Kind, Mixture, Piecewise, Predictive,
    Quantiles, Samples, Smoothed, StudentT,
};
use uq_methods::Reading;
use uqbench_data::columns::Columns as Stored;

/// Largest number of numbers per row that is stored exactly.
pub const LIMIT: usize = 64;

/// Largest number of atoms, or of pieces of a density, per row that is stored exactly.
pub const ATOM_LIMIT: usize = 512;

/// How the columns of a file form one predictive distribution for each reading. A number is the
/// index of a column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    y: usize,
    x: Option<usize>,
    /// Left out where there is none, here and below, so that the stored bytes of trials without it
    /// do not change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    region: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    noise: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    truth: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    density: Option<usize>,
    readings: Vec<ReadingLayout>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ReadingLayout {
    reading: Reading,
    lossy: bool,
    form: FormLayout,
    aleatoric: Option<usize>,
    epistemic: Option<usize>,
    split: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum FormLayout {
    Gaussian { mean: usize, variance: usize },
    StudentT { location: usize, scale: usize, degrees_of_freedom: usize },
    Mixture { weights: Block, means: Block, variances: Block },
    Atoms { values: Block, weights: Block },
    Quantiles { levels: Vec<f64>, values: Block },
    Samples { values: Block },
    Piecewise { edges: Block, masses: Block, tails: Block },
    Smoothed { values: Block, weights: Block, bandwidth: usize, kernel: Kernel },
    Summary(SummaryLayout),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SummaryLayout {
    source: Kind,
    mean: Option<usize>,
    variance: Option<usize>,
    log_density: Option<usize>,
    cdf: Option<usize>,
    cdf_below: Option<usize>,
    crps: Option<usize>,
    /// The width of the outcomes' cells, and the column of their log probabilities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cells: Option<(f64, usize)>,
    quantiles: Option<(Vec<f64>, Block)>,
}

/// An n × k array: k columns, or k numbers that are the same at every row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Block {
    Columns(Vec<usize>),
    Shared(Vec<f64>),
}

/// Why predictions are not stored.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum EncodeError {
    /// They are no distribution in the units in which they are stored.
    #[error("reading {reading}: {source}")]
    Invalid {
        /// The reading.
        reading: Reading,
        /// What is wrong.
        source: InvalidPredictive,
    },
    /// The table cannot be written.
    #[error("{0}")]
    Unwritable(String),
}

/// The content of a trial's rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// Test rows' feature, for problems with one feature.
    pub x: Option<Array1<f64>>,
    /// Test rows' target.
    pub y: Array1<f64>,
    /// Further facts about the test rows; empty for trials that were stored before this field
    /// existed.
    pub facts: RowFacts,
    /// One predictive distribution for each reading.
    pub readings: Vec<(Reading, Predictive)>,
}

impl Decoded {
    /// Checks that there are `rows` test rows and that every reading is a valid predictive
    /// distribution at each of them. A record with a correct checksum may still have invalid
    /// content.
    ///
    /// # Errors
    /// A message that states what is wrong.
    pub fn checked(self, rows: usize) -> Result<Self, String> {
        let lengths = self
            .readings
            .iter()
            .map(|(reading, predictive)| (reading.to_string(), predictive.len()));
        for (what, found) in lengths.chain([("target".to_owned(), self.y.len())]) {
            if found != rows {
                return Err(format!("{what} has {found} rows, expected {rows}"));
            }
        }
        for (reading, predictive) in &self.readings {
            predictive.validate().map_err(|error| format!("reading {reading}: {error}"))?;
        }
        Ok(self)
    }
}

impl Layout {
    /// The readings, in the order of the method.
    pub fn readings(&self) -> impl Iterator<Item = &Reading> {
        self.readings.iter().map(|r| &r.reading)
    }

    /// Whether a reading has variances, of which one may be 0, and is stored with its distribution.
    pub fn may_have_point_masses(&self, reading: &Reading) -> bool {
        let found = self.readings.iter().find(|layout| layout.reading == *reading);
        found.is_some_and(|layout| {
            matches!(layout.form, FormLayout::Gaussian { .. } | FormLayout::Mixture { .. })
        })
    }

    /// Whether a reading is stored as a summary only.
    pub fn is_lossy(&self, reading: &Reading) -> bool {
        self.readings.iter().any(|r| r.reading == *reading && r.lossy)
    }
}

/// Distinct columns in the order of their first use.
#[derive(Default)]
struct Columns<'a> {
    columns: Vec<Cow<'a, [f64]>>,
    known: HashMap<Vec<u64>, usize>,
}

impl<'a> Columns<'a> {
    fn add(&mut self, values: ArrayView1<'a, f64>) -> usize {
        let bits: Vec<u64> = values.iter().map(|v| v.to_bits()).collect();
        let next = self.columns.len();
        let index = *self.known.entry(bits).or_insert(next);
        if index == next {
            self.columns
                .push(values.to_slice().map_or_else(|| Cow::Owned(values.to_vec()), Cow::Borrowed));
        }
        index
    }

    fn optional(&mut self, values: Option<&'a Array1<f64>>) -> Option<usize> {
        values.map(|values| self.add(values.view()))
    }

    fn block(&mut self, values: &'a Array2<f64>, rows: usize) -> Block {
        if values.nrows() == 1 && rows != 1 {
            return Block::Shared(values.iter().copied().collect());
        }
        Block::Columns(values.axis_iter(Axis(1)).map(|column| self.add(column)).collect())
    }

    fn form(&mut self, form: &'a Form, rows: usize) -> FormLayout {
        match form {
            Form::Gaussian(Gaussian { mean, variance }) => FormLayout::Gaussian {
                mean: self.add(mean.view()),
                variance: self.add(variance.view()),
            },
            Form::StudentT(StudentT { location, scale, degrees_of_freedom }) => {
                FormLayout::StudentT {
                    location: self.add(location.view()),
                    scale: self.add(scale.view()),
                    degrees_of_freedom: self.add(degrees_of_freedom.view()),
                }
            }
            Form::Mixture(Mixture { weights, means, variances }) => FormLayout::Mixture {
                weights: self.block(weights, rows),
                means: self.block(means, rows),
                variances: self.block(variances, rows),
            },
            Form::Atoms(Atoms { values, weights }) => FormLayout::Atoms {
                values: self.block(values, rows),
                weights: self.block(weights, rows),
            },
            Form::Quantiles(Quantiles { levels, values }) => {
                FormLayout::Quantiles { levels: levels.clone(), values: self.block(values, rows) }
            }
            Form::Samples(Samples { values }) => {
                FormLayout::Samples { values: self.block(values, rows) }
            }
            Form::Piecewise(Piecewise { edges, masses, tails }) => FormLayout::Piecewise {
                edges: self.block(edges, rows),
                masses: self.block(masses, rows),
                tails: self.block(tails, rows),
            },
            Form::Smoothed(Smoothed { values, weights, bandwidth, kernel }) => {
                FormLayout::Smoothed {
                    values: self.block(values, rows),
                    weights: self.block(weights, rows),
                    bandwidth: self.add(bandwidth.view()),
                    kernel: *kernel,
                }
            }
            Form::Summary(summary) => FormLayout::Summary(SummaryLayout {
                source: summary.source,
                mean: self.optional(summary.mean.as_ref()),
                variance: self.optional(summary.variance.as_ref()),
                log_density: self.optional(summary.log_density.as_ref()),
                cdf: self.optional(summary.cdf.as_ref()),
                cdf_below: self.optional(summary.cdf_below.as_ref()),
                crps: self.optional(summary.crps.as_ref()),
                cells: summary
                    .cells
                    .as_ref()
                    .map(|cells| (cells.width, self.add(cells.ln_probability.view()))),
                quantiles: summary
                    .quantiles
                    .as_ref()
                    .map(|q| (q.levels.clone(), self.block(&q.values, rows))),
            }),
        }
    }
}

/// Whether a form is small enough to be stored exactly.
fn is_small(form: &Form, rows: usize) -> bool {
    let per_row =
        |values: &Array2<f64>| if values.nrows() == 1 && rows != 1 { 0 } else { values.ncols() };
    match form {
        Form::Gaussian(_) | Form::StudentT(_) | Form::Summary(_) => true,
        Form::Mixture(m) => {
            per_row(&m.weights) + per_row(&m.means) + per_row(&m.variances) <= LIMIT
        }
        Form::Atoms(a) => a.values.ncols() <= ATOM_LIMIT,
        Form::Quantiles(q) => per_row(&q.values) <= LIMIT,
        Form::Samples(s) => per_row(&s.values) <= LIMIT,
        Form::Piecewise(p) => p.masses.ncols() <= ATOM_LIMIT,
        Form::Smoothed(s) => s.values.ncols() <= ATOM_LIMIT,
    }
}

/// The layout and the Parquet bytes of one prediction of the rows `test`.
///
/// # Errors
/// As [`encode`].
pub fn encode_one(
    reading: &Reading,
    predictive: &Predictive,
    test: &Table,
) -> Result<(Layout, Vec<u8>), EncodeError> {
    let readings = [(reading.clone(), predictive.clone())];
    encode_readings(&test.target, None, &RowFacts::default(), &readings, test.target_resolution)
}

/// The layout and the Parquet bytes of an observed repetition.
///
/// # Errors
/// [`EncodeError::Invalid`] for predictions that nobody could read again, such as a variance that
/// is too large in the units of the target; [`EncodeError::Unwritable`].
pub fn encode(observed: &Observed) -> Result<(Layout, Vec<u8>), EncodeError> {
    let Observed { y, x, facts, readings, target_resolution, .. } = observed;
    encode_readings(y, x.as_ref(), facts, readings, *target_resolution)
}

fn encode_readings(
    y: &Array1<f64>,
    x: Option<&Array1<f64>>,
    facts: &RowFacts,
    readings: &[(Reading, Predictive)],
    target_resolution: Option<f64>,
) -> Result<(Layout, Vec<u8>), EncodeError> {
    let rows = y.len();
    // Summaries are made first, because the columns borrow from them.
    let kept: Vec<(&Reading, bool, Cow<Predictive>)> = readings
        .iter()
        .map(|(reading, predictive)| match is_small(&predictive.form, rows) {
            true => (reading, predictive.form.is_lossy(), Cow::Borrowed(predictive)),
            false => {
                (reading, true, Cow::Owned(predictive.summarised(y.view(), target_resolution)))
            }
        })
        .collect();
    for (reading, _, predictive) in &kept {
        let invalid = |source| EncodeError::Invalid { reading: (*reading).clone(), source };
        predictive.validate().map_err(invalid)?;
    }
    let mut columns = Columns::default();
    let y = columns.add(y.view());
    let x = columns.optional(x);
    let region = columns.optional(facts.region.as_ref());
    let noise = columns.optional(facts.noise.as_ref());
    let truth = columns.optional(facts.truth.as_ref());
    let density = columns.optional(facts.density.as_ref());
    let mut readings = Vec::with_capacity(kept.len());
    for (reading, lossy, predictive) in &kept {
        let split = predictive.split.as_ref();
        readings.push(ReadingLayout {
            reading: (*reading).clone(),
            lossy: *lossy,
            form: columns.form(&predictive.form, rows),
            aleatoric: columns.optional(split.and_then(|s| s.aleatoric.as_ref())),
            epistemic: columns.optional(split.and_then(|s| s.epistemic.as_ref())),
            split: split.is_some(),
        });
    }
    let mut file = Stored::default();
    for (index, values) in columns.columns.into_iter().enumerate() {
        file.add(&name(index), PrimitiveArray::from_vec(values.into_owned()).boxed());
    }
    // Snappy compresses tables of leaf values well, and is ten times faster than reading them from
    // a disk.
    let bytes = file.to_parquet().map_err(|error| EncodeError::Unwritable(error.to_string()))?;
    Ok((Layout { y, x, region, noise, truth, density, readings }, bytes))
}

fn name(index: usize) -> String {
    format!("c{index}")
}

#[cfg(test)]
mod tests;
