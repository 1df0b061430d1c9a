//! Keep a method for predictions of new rows as one sealed file, from which it is fitted anew.
//!
//! ```text
//! uqbench-model 1                       the format
//! 3f2a…                                 SHA-256 of all bytes that follow
//! Zstandard of:
//!   {"program":…,"method":…,"encoding":…}          one line: all but the numbers of the table
//!   features by rows (n × d), then targets (n)     eight little-endian bytes each
//! ```
//!
//! The file holds the rows of the table as numbers, not the fitted state of the method. A fit is a function of the rows, the
//! method with its version, and the seed, so that it gives the same predictions wherever it is made. This holds for every method,
//! however it is built.

use std::io::{self, BufRead, Read, Write};

use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;
use zstd::{Decoder, Encoder};

use super::file_format::{FileFormat, Unsealed};
use crate::data::own::{Dependent, Encoding};
use crate::data::{Dependence, Table};
use crate::methods::candidates::Candidate;
use crate::methods::external;
use crate::methods::registry::RegistryError;
use crate::predictive::Bounds;

/// Kind and format of model files.
const FILE: FileFormat = FileFormat { magic: "uqbench-model", format: 1 };
/// Level of compression: higher ones take long for numbers, which hardly compress.
const LEVEL: i32 = 9;
/// Most bytes of the line before the numbers: names of levels and groups, and the group of each row.
const LONGEST_HEAD: u64 = 1 << 28;
/// Most bytes of the numbers. A table of one's own has at most 512 MiB of text.
const MOST_NUMBERS: u64 = 1 << 32;

/// Version of this program.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// Why a model file cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// It is something else.
    #[error("this is no model file; expected one that `uqbench try --save FILE` has written")]
    Foreign,
    /// It was changed or cut.
    #[error("this model file is damaged: {0}; copy it again, or save it anew with `uqbench try --save FILE`")]
    Damaged(String),
    /// A newer program wrote it.
    #[error("this model file has format {found}, and uqbench {PROGRAM} reads up to {}: use a newer program", FILE.format)]
    Newer {
        /// Its format.
        found: u64,
    },
    /// An older program wrote it.
    #[error("the format of this model file is no longer read; save it anew with `uqbench try --save FILE`")]
    Older,
    /// This program's method has other numbers.
    #[error(
        "the model was saved by uqbench {program} with version {saved} of `{method}`, and uqbench {PROGRAM} has version {own}, whose \
         predictions are others: use uqbench {program}, or save it anew with `uqbench try --save FILE`"
    )]
    Version {
        /// The method.
        method: String,
        /// The version in the file.
        saved: u32,
        /// The version of this program.
        own: u32,
        /// The program that wrote the file.
        program: String,
    },
    /// This program cannot build the method.
    #[error(
        "the model was saved by uqbench {program}, and uqbench {PROGRAM} cannot build its method: {source}; use uqbench {program}, or \
         save it anew with `uqbench try --save FILE`"
    )]
    Method {
        /// The program that wrote the file.
        program: String,
        /// What is wrong.
        source: RegistryError,
    },
    /// It cannot be compressed.
    #[error("the model cannot be compressed: {0}")]
    Unwritable(String),
}

/// A method with its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedMethod {
    /// Its name in the comparison.
    pub id: String,
    /// Its parameters in words.
    pub settings: String,
    /// Its name in the registry.
    pub method: String,
    /// Its version.
    pub version: u32,
    /// All its parameters, those of methods inside it with their versions.
    pub parameters: Value,
}

impl SavedMethod {
    /// The method of a candidate.
    pub fn of(candidate: &Candidate) -> Self {
        Self {
            id: candidate.id.to_string(),
            settings: candidate.settings.to_string(),
            method: candidate.method.id().into(),
            version: candidate.method.version(),
            parameters: candidate.method.parameters(),
        }
    }

    /// The command of an external method, which no file can hold: it runs where its program is. `None` for a method of this
    /// program.
    pub fn command(&self) -> Option<String> {
        let words = self.parameters.get("command").filter(|_| self.method == external::ID)?.as_array()?;
        shlex::try_join(words.iter().filter_map(Value::as_str)).ok()
    }
}

/// What predicts new rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// All but the table.
    pub about: About,
    /// The rows that the method is fitted on, in their order. A missing number is NaN.
    pub table: Table,
}

/// What a model file says besides the rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// Version of the program that made it.
    pub program: String,
    /// Target and file of the table, as a heading.
    pub title: String,
    /// The method.
    pub method: SavedMethod,
    /// The intervals that were compared.
    pub bounds: Bounds,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Name of the column that identifies rows, if there is one.
    pub id: Option<String>,
    /// How columns become features.
    pub encoding: Encoding,
    /// What of the column that says which rows depend on each other is asked of new rows.
    pub dependent: Option<Dependent>,
    /// What the comparison says of the method, in sentences.
    pub promises: Vec<String>,
}

impl About {
    /// Version of this program, for a new model.
    pub const PROGRAM: &str = PROGRAM;
}

/// The line before the numbers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    about: About,
    rows: u64,
    columns: u64,
    resolution: Option<f64>,
    dependence: Dependence,
}

impl Model {
    /// The bytes of its file.
    ///
    /// # Errors
    /// [`ModelError::Unwritable`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, ModelError> {
        let Self { about, table } = self;
        let head = Head {
            about: about.clone(),
            rows: table.rows() as u64,
            columns: table.columns() as u64,
            resolution: table.target_resolution,
            dependence: table.dependence.clone(),
        };
        let unwritable = |error: io::Error| ModelError::Unwritable(error.to_string());
        let mut out = Encoder::new(Vec::new(), LEVEL).map_err(unwritable)?;
        serde_json::to_writer(&mut out, &head).map_err(|error| unwritable(error.into()))?;
        out.write_all(b"\n").map_err(unwritable)?;
        let numbers: Vec<u8> = table.features.iter().chain(&table.target).flat_map(|x| x.to_le_bytes()).collect();
        out.write_all(&numbers).map_err(unwritable)?;
        Ok(FILE.seal(&out.finish().map_err(unwritable)?))
    }

    /// The model of a file.
    ///
    /// # Errors
    /// [`ModelError`] for another file, a damaged one, and one of another format.
    pub fn parse(file: &[u8]) -> Result<Self, ModelError> {
        let content = FILE.open(file).map_err(|why| match why {
            Unsealed::Foreign => ModelError::Foreign,
            Unsealed::Damaged(why) => ModelError::Damaged(why.into()),
            Unsealed::Older => ModelError::Older,
            Unsealed::Newer(found) => ModelError::Newer { found },
        })?;
        Self::unpacked(content).map_err(|error| ModelError::Damaged(format!("its content: {error}")))
    }

    fn unpacked(content: &[u8]) -> io::Result<Self> {
        let wrong = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
        let mut from = io::BufReader::new(Decoder::new(content)?);
        let mut line = Vec::new();
        (&mut from).take(LONGEST_HEAD).read_until(b'\n', &mut line)?;
        let Head { about, rows, columns, resolution, dependence } = serde_json::from_slice(&line)?;
        about.bounds.check().and_then(|()| about.encoding.check()).map_err(wrong)?;
        about.dependent.iter().try_for_each(Dependent::check).map_err(wrong)?;
        let feature_names = about.encoding.feature_names();
        if feature_names.len() as u64 != columns || rows == 0 || columns == 0 {
            return Err(wrong(format!("{rows} rows of {columns} features, its columns have {}", feature_names.len())));
        }
        let all = columns.checked_add(1).and_then(|width| width.checked_mul(rows)?.checked_mul(8));
        let bytes =
            all.filter(|bytes| *bytes <= MOST_NUMBERS).ok_or_else(|| wrong(format!("{rows} rows are too many")))?;
        // Grows with what is there, not with what the head promises.
        let mut numbers = Vec::new();
        (&mut from).take(bytes + 1).read_to_end(&mut numbers)?;
        if numbers.len() as u64 != bytes {
            return Err(wrong(format!("{} bytes of numbers, its rows have {bytes}", numbers.len())));
        }
        let of = |eight: &[u8]| eight.try_into().map(f64::from_le_bytes).unwrap_or(f64::NAN);
        let numbers: Vec<f64> = numbers.chunks_exact(8).map(of).collect();
        let (features, target) = numbers.split_at((rows * columns) as usize);
        if features.iter().any(|x| x.is_infinite()) || target.iter().any(|y| !y.is_finite()) {
            return Err(wrong("a number that is not finite".into()));
        }
        let labelled = match &dependence {
            Dependence::Unknown => true,
            Dependence::Groups(of_rows) => of_rows.len() as u64 == rows,
            Dependence::Periods(of_rows) => of_rows.len() as u64 == rows && of_rows.is_sorted(),
        };
        if !labelled || resolution.is_some_and(|step| !(step.is_finite() && step > 0.0)) {
            return Err(wrong("groups, times or a resolution that no table has".into()));
        }
        let shape = (rows as usize, columns as usize);
        let table = Table {
            features: Array2::from_shape_vec(shape, features.to_vec()).map_err(|error| wrong(error.to_string()))?,
            target: Array1::from(target.to_vec()),
            feature_units: vec![String::new(); feature_names.len()],
            feature_names,
            target_name: about.encoding.target().to_owned(),
            target_unit: String::new(),
            target_resolution: resolution,
            dependence,
        };
        Ok(Self { about, table })
    }

    /// The method, for fits and predictions that are the same as in the comparison. An external one is given by its command.
    ///
    /// # Errors
    /// [`ModelError::Version`] and [`ModelError::Method`] where this program would give other numbers, or none.
    pub fn candidate(&self) -> Result<Candidate, ModelError> {
        let (saved, program) = (&self.about.method, &self.about.program);
        let unbuilt = |source| ModelError::Method { program: program.clone(), source };
        let candidate =
            Candidate::saved(&saved.id, &saved.settings, &saved.method, &saved.parameters).map_err(unbuilt)?;
        self.check_version(&candidate)?;
        Ok(candidate)
    }

    /// Refuses a method of another version.
    ///
    /// # Errors
    /// [`ModelError::Version`].
    pub fn check_version(&self, candidate: &Candidate) -> Result<(), ModelError> {
        let (saved, program) = (&self.about.method, self.about.program.clone());
        match candidate.method.version() {
            own if own == saved.version => Ok(()),
            own => Err(ModelError::Version { method: saved.method.clone(), saved: saved.version, own, program }),
        }
    }
}

#[cfg(test)]
mod tests;
