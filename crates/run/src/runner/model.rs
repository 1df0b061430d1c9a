//! Keep a fitted method for predictions of new rows as one sealed file.
//!
//! ```text
//! uqbench-model 3                       the format
//! 3f2a…                                 SHA-256 of all bytes that follow
//! Zstandard of:
//!   {"about":…,"content":…}           one line: what the file is, and of which kind its content is
//!   the fit, as postcard writes it, or the rows of the table as numbers
//! ```
//!
//! The fit is what the method itself consists of, with the ranges of the features and the scales of
//! the columns. The first line also has what later rows are compared with, and how outcomes have
//! moved the intervals since; format 2 had neither, and is still read. The rows of the table are kept only for a method outside of this program, which
//! cannot be kept otherwise: it is fitted anew.

mod content;
mod reference;

use std::io::{self, BufRead, Read, Write};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;
use zstd::{Decoder, Encoder};

use super::file_format::{FileFormat, Unsealed};
use crate::candidates::Candidate;
use crate::external;
use content::Kind;
pub use content::{Content, FittedModel};
pub use reference::{Recalibrated, Reference, kept_score};
use uq_core::predictive::Bounds;
use uq_methods::registry::RegistryError;
use uqbench_data::own::{Dependent, Encoding};
use uqbench_system::program::Program;

/// Kind and format of model files.
const FILE: FileFormat = FileFormat { magic: "uqbench-model", format: 3, oldest: 2 };
/// Level of compression: higher ones take long for numbers, which hardly compress.
const LEVEL: i32 = 9;
/// Most bytes of the line before the content: names of levels and groups, and the group of each
/// row.
const LONGEST_HEAD: u64 = 1 << 28;
/// Most bytes of the content. A table of one's own has at most 512 MiB of text.
const MOST_BYTES: u64 = 1 << 32;

/// Why a model file cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// It is something else.
    #[error("this is no model file")]
    Foreign,
    /// It was changed or cut.
    #[error("this model file is damaged: {0}; copy it again")]
    Damaged(String),
    /// A newer program wrote it.
    #[error("this model file has format {found}, and {} reads up to {}: use a newer \
             program", Program::this(), FILE.format)]
    Newer {
        /// Its format.
        found: u64,
    },
    /// An older program wrote it.
    #[error("the format of this model file is no longer read")]
    Older,
    /// This program's method has other numbers.
    #[error(
        "the model was saved by {program} with version {saved} of `{method}`, and {this} has \
         version {own}, whose predictions are others: use {program}",
        this = Program::this()
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
        "the model was saved by {program}, and {this} cannot build its method: {source}; use \
         {program}",
        this = Program::this()
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

    /// The command of an external method, which no file can hold: it runs where its program is.
    /// `None` for a method of this program.
    pub fn command(&self) -> Option<String> {
        let words =
            self.parameters.get("command").filter(|_| self.method == external::ID)?.as_array()?;
        shlex::try_join(words.iter().filter_map(Value::as_str)).ok()
    }
}

/// What predicts new rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// What it is.
    pub about: About,
    /// The fit, or the rows that an external method is fitted on.
    pub content: Content,
}

/// What a model file says besides its content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// Version of the program that made it.
    pub program: String,
    /// Build of the program, where the method is one that it has added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
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
    /// Whether no target of the table is negative.
    #[serde(default)]
    pub never_negative: bool,
    /// What the comparison says of the method, in sentences.
    pub promises: Vec<String>,
    /// What later rows are compared with; none in files of older programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<Reference>,
    /// How outcomes have moved the intervals since, if they have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recalibrated: Option<Recalibrated>,
}

/// The line before the content.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    about: About,
    content: Kind,
}

impl Model {
    /// The bytes of its file.
    ///
    /// # Errors
    /// [`ModelError::Unwritable`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, ModelError> {
        let unwritable = |error: io::Error| ModelError::Unwritable(error.to_string());
        let head = Head { about: self.about.clone(), content: self.content.kind() };
        let mut out = Encoder::new(Vec::new(), LEVEL).map_err(unwritable)?;
        serde_json::to_writer(&mut out, &head).map_err(|error| unwritable(error.into()))?;
        out.write_all(b"\n").map_err(unwritable)?;
        out.write_all(&self.content.bytes().map_err(ModelError::Unwritable)?)
            .map_err(unwritable)?;
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
        Self::unpacked(content)
            .map_err(|error| ModelError::Damaged(format!("its content: {error}")))
    }

    fn unpacked(content: &[u8]) -> io::Result<Self> {
        let wrong = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
        let mut from = io::BufReader::new(Decoder::new(content)?);
        let mut line = Vec::new();
        (&mut from).take(LONGEST_HEAD).read_until(b'\n', &mut line)?;
        let Head { about, content: kind } = serde_json::from_slice(&line)?;
        about.bounds.check().and_then(|()| about.encoding.check()).map_err(wrong)?;
        about.dependent.iter().try_for_each(Dependent::check).map_err(wrong)?;
        // Grows with what is there, not with what the head promises.
        let mut bytes = Vec::new();
        (&mut from).take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(wrong("more bytes than any model has".into()));
        }
        let content = Content::read(kind, &bytes, &about.encoding).map_err(wrong)?;
        let side = about.bounds.side;
        about.reference.iter().try_for_each(|of| of.check(&about.encoding)).map_err(wrong)?;
        about.recalibrated.iter().try_for_each(|of| of.check(side)).map_err(wrong)?;
        Ok(Self { about, content })
    }

    /// The method, for fits and predictions that are the same as in the comparison. An external one
    /// is given by its command.
    ///
    /// # Errors
    /// [`ModelError::Version`] and [`ModelError::Method`] where this program would give other
    /// numbers, or none.
    pub fn candidate(&self) -> Result<Candidate, ModelError> {
        let (saved, program) = (&self.about.method, &self.about.program);
        let unbuilt = |source| ModelError::Method { program: program.clone(), source };
        let candidate =
            Candidate::saved(&saved.id, &saved.settings, &saved.method, &saved.parameters)
                .map_err(unbuilt)?;
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
            own => Err(ModelError::Version {
                method: saved.method.clone(),
                saved: saved.version,
                own,
                program,
            }),
        }
    }
}

#[cfg(test)]
mod tests;
