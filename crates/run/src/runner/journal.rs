//! Keep the steps of an unfinished trial in a folder, one file for each.
//!
//! A file is a line with the SHA-256 of what follows, a line of JSON with the layout and the chosen
//! rows, and the predictions as Parquet. All numbers keep their bits, so that a trial that goes on
//! gives the bytes of one that was not stopped. A file that is cut or changed counts as absent, and
//! its step is computed again.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::layout::{self, EncodeError, Layout};
use crate::protocols::{Choice, Journal, Step};
use uq_core::Table;
use uq_methods::Reading;
use uqbench_system::Disk;
use uqbench_system::disk::{Durability, read_whole};
use uqbench_system::files::random_digits;
use uqbench_system::hash::sha256;

/// The folder of one unfinished trial.
#[derive(Debug)]
pub struct Steps {
    disk: Arc<dyn Disk>,
    folder: PathBuf,
}

/// What a file holds besides the predictions.
#[derive(Serialize, Deserialize)]
struct Head {
    layout: Layout,
    rows: Vec<usize>,
    /// The bits of the scores: JSON has no number for infinity.
    scores: Vec<u64>,
    /// The bits of the point's coordinates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    point: Vec<u64>,
}

impl Steps {
    /// The steps in this folder, which need not exist.
    pub fn new(disk: Arc<dyn Disk>, folder: PathBuf) -> Self {
        Self { disk, folder }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Number of steps that are kept.
    pub fn count(&self) -> usize {
        let names = self.disk.list(&self.folder).unwrap_or_default();
        names.iter().filter(|name| name.to_string_lossy().ends_with(ENDING)).count()
    }

    /// Removes all steps, because the trial is finished or its steps are of no use.
    ///
    /// # Errors
    /// The operating system's error.
    pub fn remove(&self) -> io::Result<()> {
        let absent = |error: &io::Error| error.kind() == ErrorKind::NotFound;
        let names = match self.disk.list(&self.folder) {
            Err(error) if absent(&error) => return Ok(()),
            names => names?,
        };
        let own = |name: &&std::ffi::OsString| name.to_string_lossy().contains(ENDING);
        for name in names.iter().filter(own) {
            match self.disk.remove_file(&self.folder.join(name)) {
                Err(error) if !absent(&error) => return Err(error),
                _ => {}
            }
        }
        match self.disk.remove_folder(&self.folder) {
            // Another run of the same trial may still write there.
            Err(error) if !absent(&error) && error.kind() != ErrorKind::DirectoryNotEmpty => {
                Err(error)
            }
            _ => Ok(()),
        }
    }

    fn path(&self, reading: &Reading) -> PathBuf {
        self.folder.join(format!("{reading}{ENDING}"))
    }
}

/// Most bytes of a step.
const LARGEST_STEP: u64 = 1 << 30;

/// The ending of a file; one that is being written has a further ending.
const ENDING: &str = ".step";

impl Journal for Steps {
    fn read(&self, reading: &Reading) -> Option<Step> {
        decode(&read_whole(self.disk.as_ref(), &self.path(reading), LARGEST_STEP).ok()?)
    }

    /// Written under another name and renamed, so that a killed run leaves no half of a step.
    fn keep(&self, reading: &Reading, step: &Step, test: &Table) -> Result<(), String> {
        let path = self.path(reading);
        let named = |error: io::Error| format!("{}: {error}", path.display());
        let bytes = match encode(reading, step, test) {
            // What is no distribution ends the trial; a run that goes on repeats the step.
            Err(EncodeError::Invalid { .. }) => return Ok(()),
            encoded => encoded.map_err(|error| error.to_string())?,
        };
        let partial = path.with_extension(format!("step.{}", random_digits()));
        self.disk.create_folders(&self.folder).map_err(named)?;
        self.disk.write_new(&partial, &bytes, Durability::Cached).map_err(named)?;
        self.disk.rename(&partial, &path).map_err(named)
    }
}

fn encode(reading: &Reading, step: &Step, test: &Table) -> Result<Vec<u8>, EncodeError> {
    let (layout, predictions) = layout::encode_one(reading, &step.at_test, test)?;
    let bits = |numbers: &[f64]| numbers.iter().map(|number| number.to_bits()).collect();
    let (scores, point) = (bits(&step.next.scores), bits(&step.next.point));
    let head = Head { layout, rows: step.next.rows.clone(), scores, point };
    let mut body =
        serde_json::to_vec(&head).map_err(|error| EncodeError::Unwritable(error.to_string()))?;
    body.push(b'\n');
    body.extend(predictions);
    Ok([sha256(&body).as_bytes(), b"\n", &body].concat())
}

/// `None` where the bytes are not those of a whole step.
fn decode(bytes: &[u8]) -> Option<Step> {
    let split = |bytes: &'_ [u8]| bytes.iter().position(|byte| *byte == b'\n');
    let end = split(bytes)?;
    let (sum, body) = (&bytes[..end], &bytes[end + 1..]);
    if sha256(body).as_bytes() != sum {
        return None;
    }
    let end = split(body)?;
    let head: Head = serde_json::from_slice(&body[..end]).ok()?;
    let decoded = layout::decode(&head.layout, &body[end + 1..]).ok()?;
    let rows = decoded.y.len();
    let (_, at_test) = decoded.checked(rows).ok()?.readings.pop()?;
    let numbers = |bits: &[u64]| bits.iter().map(|bits| f64::from_bits(*bits)).collect();
    let (scores, point) = (numbers(&head.scores), numbers(&head.point));
    Some(Step { at_test, next: Choice { rows: head.rows, scores, point } })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::protocols::{Acquisition, PoolLearning, Protocol};
    use crate::runner::key::TrialSpec;
    use crate::runner::key::tests::mock_spec;
    use crate::runner::record::TrialRecord;
    use crate::runner::trial::{self, Data};
    use uq_core::CancelToken;
    use uqbench_data::{Library, SourceOptions};
    use uqbench_system::RealDisk;

    /// A sequential trial of ten fits after the first on the bundled motorcycle data.
    fn spec() -> TrialSpec {
        let acquire = vec![Acquisition::Total, Acquisition::Random(1)];
        let pool = PoolLearning { start: vec![(0, 0.2)], test: 0.2, batch: 0.1, steps: 5, acquire };
        let method = crate::registry::build("linear-gaussian", &json!({})).unwrap();
        TrialSpec {
            method: "linear-gaussian".into(),
            method_version: method.version(),
            parameters: method.parameters().into(),
            protocol: Protocol::PoolLearning(pool),
            scaling: uq_core::scaling::Scaling::TrainRows,
            ..mock_spec(json!({}), 0)
        }
    }

    fn data(library: &Library) -> Data<'_> {
        Data { library, own: None }
    }

    fn run(steps: Option<&dyn Journal>) -> TrialRecord {
        let library = Library::new(SourceOptions { offline: true, ..SourceOptions::default() });
        trial::run(&spec(), data(&library), None, &CancelToken::default(), None, steps).unwrap()
    }

    #[test]
    fn a_trial_that_goes_on_after_some_steps_gives_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let steps = Steps::new(Arc::new(RealDisk), folder.path().join("steps"));
        let whole = run(None);
        let same = |other: TrialRecord| {
            assert!((other.result, other.files) == (whole.result.clone(), whole.files.clone()))
        };
        same(run(Some(&steps)));
        assert_eq!(steps.count(), 12);
        // Some steps are lost, one is cut, one has a changed byte, and one was being written.
        for name in ["total@2", "total@3", "random@5"] {
            std::fs::remove_file(steps.path(&Reading::new(name))).unwrap();
        }
        for (name, keep, flip) in [("total@0", 100, 0), ("random@1", usize::MAX, 1)] {
            let path = steps.path(&Reading::new(name));
            let mut bytes = std::fs::read(&path).unwrap();
            bytes.truncate(keep.min(bytes.len()));
            *bytes.last_mut().unwrap() ^= flip;
            std::fs::write(&path, bytes).unwrap();
        }
        std::fs::write(steps.folder().join("total@2.step.0123"), "half").unwrap();
        assert_eq!(steps.count(), 9);
        same(run(Some(&steps)));
        assert_eq!(steps.count(), 12);
        steps.remove().unwrap();
        assert!(!steps.folder().exists());
        steps.remove().unwrap();
    }

    #[test]
    fn steps_are_read_and_not_computed_again() {
        let folder = tempfile::tempdir().unwrap();
        let steps = Steps::new(Arc::new(RealDisk), folder.path().join("steps"));
        run(Some(&steps));
        let (first, name) =
            (steps.read(&Reading::new("total@0")).unwrap(), Reading::new("total@5"));
        let table =
            |n: usize| Table::unnamed(ndarray::Array2::zeros((n, 1)), ndarray::Array1::zeros(n));
        steps.keep(&name, &first, &table(first.at_test.len())).unwrap();
        let other = run(Some(&steps));
        let decoded = layout::decode(&other.result.layout, &other.files["rows.parquet"]).unwrap();
        let last = decoded.readings.iter().find(|(reading, _)| *reading == name).unwrap();
        assert_eq!(last.1, first.at_test, "the step in the folder counts");
    }

    #[test]
    fn a_step_that_cannot_be_kept_ends_the_attempt_with_its_path() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("steps"), "a file where a folder should be").unwrap();
        let steps = Steps::new(Arc::new(RealDisk), folder.path().join("steps"));
        let library = Library::new(SourceOptions { offline: true, ..SourceOptions::default() });
        let failure =
            trial::run(&spec(), data(&library), None, &CancelToken::default(), None, Some(&steps))
                .unwrap_err();
        let message = failure.message();
        assert!(
            message.contains("step total@0 cannot be kept") && message.contains("total@0.step"),
            "{message}"
        );
    }

    #[test]
    fn trials_that_differ_in_their_acquisitions_share_the_first_fit() {
        let of = |acquire: &[Acquisition]| {
            let own = spec();
            TrialSpec { protocol: own.protocol.acquiring(acquire, false), ..own }
        };
        let (one, other) = (of(&[Acquisition::Total]), of(&[Acquisition::Gsx]));
        assert_ne!(one.key(), other.key());
        assert_eq!(
            (one.method_streams(), one.data_streams()),
            (other.method_streams(), other.data_streams())
        );
    }
}
