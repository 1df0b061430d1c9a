//! Write and read the content of a model file: a fit, or the rows of a table.

use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};

use crate::protocols::KeptFit;
use uq_core::{Dependence, Table};
use uqbench_data::own::{Encoding, Ranges};

/// What predicts.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A fit of a method of this program.
    Fit(FittedModel),
    /// The rows that an external method is fitted on, in their order. A missing number is NaN.
    Rows(Table),
}

/// A fit, and what is told of new rows by the rows that it is of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedModel {
    /// Number of rows that it is fitted on.
    pub rows: usize,
    /// The ranges of their features.
    pub ranges: Ranges,
    /// The fit.
    pub fit: KeptFit,
}

/// Which of both the content is; of rows all but their numbers.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Kind {
    Fit,
    Rows { rows: u64, columns: u64, resolution: Option<f64>, dependence: Dependence },
}

impl Content {
    /// Number of rows that the method is fitted on.
    pub fn rows(&self) -> usize {
        match self {
            Self::Fit(model) => model.rows,
            Self::Rows(table) => table.rows(),
        }
    }

    /// Number of their features.
    pub fn columns(&self) -> usize {
        match self {
            Self::Fit(model) => model.fit.columns(),
            Self::Rows(table) => table.columns(),
        }
    }

    /// The ranges of their features.
    pub fn ranges(&self) -> Ranges {
        match self {
            Self::Fit(model) => model.ranges.clone(),
            Self::Rows(table) => Ranges::of(table.features.view()),
        }
    }

    /// Which of both it is.
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Fit(_) => Kind::Fit,
            Self::Rows(table) => Kind::Rows {
                rows: table.rows() as u64,
                columns: table.columns() as u64,
                resolution: table.target_resolution,
                dependence: table.dependence.clone(),
            },
        }
    }

    /// Its bytes. Of rows they are the features row by row (n × d), then the targets (n), eight
    /// little-endian bytes each.
    ///
    /// # Errors
    /// Why it cannot be written, in words.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, String> {
        match self {
            Self::Fit(model) => postcard::to_allocvec(model).map_err(|error| error.to_string()),
            Self::Rows(table) => Ok(table
                .features
                .iter()
                .chain(&table.target)
                .flat_map(|number| number.to_le_bytes())
                .collect()),
        }
    }

    /// The content of these bytes, for features of this encoding.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub(super) fn read(kind: Kind, bytes: &[u8], encoding: &Encoding) -> Result<Self, String> {
        let names = encoding.feature_names();
        match kind {
            Kind::Fit => {
                let (model, rest) = postcard::take_from_bytes::<FittedModel>(bytes)
                    .map_err(|error| error.to_string())?;
                model.fit.check()?;
                let found = [model.fit.columns(), model.ranges.columns()];
                if !rest.is_empty() || found != [names.len(); 2] || names.is_empty() {
                    return Err(format!(
                        "a fit of {found:?} features, its columns have {}",
                        names.len()
                    ));
                }
                Ok(Self::Fit(model))
            }
            Kind::Rows { rows, columns, resolution, dependence } => {
                if names.len() as u64 != columns || rows == 0 || columns == 0 {
                    return Err(format!(
                        "{rows} rows of {columns} features, its columns have {}",
                        names.len()
                    ));
                }
                let (features, target) = numbers(bytes, rows, columns)?;
                let labelled = match &dependence {
                    Dependence::Unknown => true,
                    Dependence::Groups(of_rows) => of_rows.len() as u64 == rows,
                    Dependence::Periods(of_rows) => {
                        of_rows.len() as u64 == rows && of_rows.is_sorted()
                    }
                };
                if !labelled || resolution.is_some_and(|step| !(step.is_finite() && step > 0.0)) {
                    return Err("groups, times or a resolution that no table has".into());
                }
                Ok(Self::Rows(Table {
                    features,
                    target,
                    feature_units: vec![String::new(); names.len()],
                    feature_names: names,
                    target_name: encoding.target().to_owned(),
                    target_unit: String::new(),
                    target_resolution: resolution,
                    dependence,
                }))
            }
        }
    }
}

/// Features (n × d) and targets (n).
fn numbers(bytes: &[u8], rows: u64, columns: u64) -> Result<(Array2<f64>, Array1<f64>), String> {
    let expected = columns.checked_add(1).and_then(|width| width.checked_mul(rows)?.checked_mul(8));
    if expected != Some(bytes.len() as u64) {
        return Err(format!("{} bytes of numbers, expected those of {rows} rows", bytes.len()));
    }
    let of = |eight: &[u8]| eight.try_into().map(f64::from_le_bytes).unwrap_or(f64::NAN);
    let numbers: Vec<f64> = bytes.chunks_exact(8).map(of).collect();
    let (features, target) = numbers.split_at((rows * columns) as usize);
    if features.iter().any(|x| x.is_infinite()) || target.iter().any(|y| !y.is_finite()) {
        return Err("a number that is not finite".into());
    }
    let shape = (rows as usize, columns as usize);
    let features =
        Array2::from_shape_vec(shape, features.to_vec()).map_err(|error| error.to_string())?;
    Ok((features, Array1::from(target.to_vec())))
}
