//! Define the record of a finished trial, and seal it with a checksum.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::key::{TrialKey, TrialSpec};
use super::layout::Layout;
use super::outcome::{Failure, Outcome};
use uq_methods::Reading;
use uqbench_system::hash::sha256;
use uqbench_system::machine;
use uqbench_system::program::Program;

/// File of the sealed result.
pub const RESULT: &str = "result.json";
/// File of the predictions, one row for each test row.
pub const ROWS: &str = "rows.parquet";
/// File of the fit's side tables.
pub const SIDE_TABLES: &str = "artefacts.json";
/// File of host, times and versions: not part of the bytes that must be the same in every run.
pub const PROVENANCE: &str = "provenance.json";

/// The sealed part of a trial: the same bytes on every machine of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialResult {
    /// The trial's key.
    pub key: TrialKey,
    /// The trial's specification.
    pub spec: TrialSpec,
    /// The trial's outcome.
    pub outcome: Outcome,
    /// Number of training rows.
    pub train_rows: usize,
    /// Number of test rows.
    pub test_rows: usize,
    /// Smallest and largest target over the whole dataset, in the units of the scores.
    pub target_range: Option<(f64, f64)>,
    /// Distance between neighbouring values of a discrete or rounded target, in the units of the
    /// scores.
    ///
    /// Left out where there is none, so that the stored bytes of such trials do not change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_resolution: Option<f64>,
    /// How the columns of the rows form one predictive distribution for each reading.
    pub layout: Layout,
    /// Hash and size of the other files of the trial.
    pub files: BTreeMap<String, FileStamp>,
}

/// Hash and size of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStamp {
    /// SHA-256.
    pub sha256: String,
    /// Number of bytes.
    pub bytes: u64,
}

impl FileStamp {
    /// The stamp of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self { sha256: sha256(bytes), bytes: bytes.len() as u64 }
    }
}

/// The program and the machine that ran a trial.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Version of this program.
    pub program: String,
    /// Operating system and processor architecture.
    pub platform: String,
    /// Processor and number of its threads, where they are known.
    #[serde(default)]
    pub processor: Option<String>,
    /// Name of the host, where it is known.
    pub host: Option<String>,
}

impl Machine {
    /// This program, on this machine.
    pub fn here() -> Self {
        Self {
            program: Program::this().to_string(),
            platform: format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH),
            processor: machine::processor(),
            host: machine::host(),
        }
    }
}

/// The present time, in seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Where, when and how fast a trial ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The program and the machine. Their names stand beside the others in a stored file.
    #[serde(flatten)]
    pub machine: Machine,
    /// Start, in seconds since 1970.
    pub started: u64,
    /// Wall time of the fit, in seconds.
    pub fit_seconds: f64,
    /// Wall time of all predictions, in seconds.
    pub predict_seconds: f64,
    /// Processor time of the fit, in seconds, where the operating system reports it; absent from
    /// trials stored before it was measured. Of an external method it is that of all its processes,
    /// prediction included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fit_cpu_seconds: Option<f64>,
    /// Processor time of all predictions in the trial's thread, in seconds; absent as above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predict_cpu_seconds: Option<f64>,
    /// Processor time of the steps after the first fit of a sequential protocol, in seconds; of a
    /// trial that was interrupted, of those since it went on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps_cpu_seconds: Option<f64>,
    /// Processor time of each reading's prediction and central 95 % intervals, in seconds, where
    /// readings share no work.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub interval_cpu_seconds: BTreeMap<Reading, f64>,
    /// Largest resident memory of the trial's process during the trial, in bytes, where the
    /// operating system reports it. What the process held since earlier trials is included.
    pub peak_memory: Option<u64>,
    /// Other work during the trial; absent from trials stored before it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<Beside>,
    /// Limits of the trial; absent from trials stored before it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// SHA-256 of the trial's numbers, as [`numbers_sha256`](super::numbers::numbers_sha256)
    /// computes it: another version of the file format writes other bytes for them. Absent from
    /// trials stored before it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbers_sha256: Option<String>,
    /// The [`fingerprint`](uqbench_system::program::fingerprint) of the program, of a trial of a
    /// method that the program has added: whether its code has changed since, no version tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
}

/// Other work during a trial, so that its times are not mistaken for those of an idle machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Beside {
    /// Largest number of other trials of the same run at one time.
    pub trials: usize,
    /// The larger of the machine's average loads at the start and at the end, where the operating
    /// system reports them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<f64>,
}

/// Limits of one trial. They change no number of a trial that finishes, and are not part of the
/// key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
    /// Address space of its process in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

/// The complete record of a finished trial.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialRecord {
    /// The sealed part.
    pub result: TrialResult,
    /// The files whose hash and size `result` contains, by name.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Host, times, versions.
    pub provenance: Provenance,
}

/// The text before the checksum, between checksum and body, and after the body of a sealed text.
const SEAL: [&str; 3] = ["{\"checksum\":\"", "\",\"body\":", "}\n"];

/// Length of a checksum.
const CHECKSUM: usize = 64;

/// A value as JSON, with the SHA-256 of the body's bytes in front.
///
/// # Errors
/// If the value has no JSON form.
pub fn seal<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    let body = serde_json::to_string_pretty(value)?;
    let [before, between, after] = SEAL;
    Ok(format!("{before}{}{between}{body}{after}", sha256(body.as_bytes())))
}

/// The checksum that a sealed value has.
///
/// # Errors
/// If the value has no JSON form.
pub fn checksum<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    Ok(sha256(serde_json::to_string_pretty(value)?.as_bytes()))
}

/// A body with its seal: what [`open_seal`] opens.
pub fn sealed(body: &[u8]) -> Vec<u8> {
    let [before, between, after] = SEAL.map(str::as_bytes);
    [before, sha256(body).as_bytes(), between, body, after].concat()
}

/// The body of a sealed text whose checksum is right.
///
/// # Errors
/// A message that states what is damaged.
pub fn open_seal(text: &[u8]) -> Result<&[u8], String> {
    let [before, between, after] = SEAL.map(str::as_bytes);
    let parts =
        text.strip_prefix(before).and_then(|rest| rest.split_at_checked(CHECKSUM)).and_then(
            |(checksum, rest)| Some((checksum, rest.strip_prefix(between)?.strip_suffix(after)?)),
        );
    let (expected, body) = parts.ok_or("it is no sealed text, or is cut")?;
    let found = sha256(body);
    if found.as_bytes() != expected {
        return Err(format!("checksum {found}, expected {}", String::from_utf8_lossy(expected)));
    }
    Ok(body)
}

/// The value of a sealed text.
///
/// # Errors
/// A message that states what is damaged or has unexpected content.
pub fn unseal<T: DeserializeOwned>(text: &[u8]) -> Result<T, String> {
    serde_json::from_slice(open_seal(text)?).map_err(|error| format!("unexpected content: {error}"))
}

/// The head of a worker's answer: one line of JSON, followed by the bytes of the files in the order
/// of their names.
#[derive(Serialize, Deserialize)]
enum Answer {
    Finished { result: Box<TrialResult>, provenance: Box<Provenance> },
    Failed(Failure),
}

/// Longest line, and largest file, of an answer in bytes.
const LARGEST_ANSWER: u64 = 1 << 32;

/// Writes a trial's end to a pipe.
///
/// # Errors
/// If the pipe cannot be written.
pub fn write_answer(end: &Result<TrialRecord, Failure>, out: &mut dyn Write) -> io::Result<()> {
    let answer = match end {
        Ok(record) => Answer::Finished {
            result: Box::new(record.result.clone()),
            provenance: Box::new(record.provenance.clone()),
        },
        Err(failure) => Answer::Failed(failure.clone()),
    };
    let mut line = serde_json::to_vec(&answer)?;
    line.push(b'\n');
    out.write_all(&line)?;
    for bytes in end.iter().flat_map(|record| record.files.values()) {
        out.write_all(bytes)?;
    }
    out.flush()
}

/// Reads a trial's end from a worker's output; `None` at the end of the output.
///
/// # Errors
/// If the answer is cut short or invalid.
pub fn read_answer(from: &mut dyn BufRead) -> io::Result<Option<Result<TrialRecord, Failure>>> {
    let cut =
        || io::Error::new(io::ErrorKind::UnexpectedEof, "the worker ended without a whole answer");
    let mut line = Vec::new();
    from.take(LARGEST_ANSWER).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    match serde_json::from_slice(&line)? {
        Answer::Failed(failure) => Ok(Some(Err(failure))),
        Answer::Finished { result, provenance } => {
            let mut files = BTreeMap::new();
            for (name, stamp) in &result.files {
                let mut content = Vec::new();
                from.take(stamp.bytes.min(LARGEST_ANSWER)).read_to_end(&mut content)?;
                if FileStamp::of(&content) != *stamp {
                    return Err(cut());
                }
                files.insert(name.clone(), content);
            }
            Ok(Some(Ok(TrialRecord { result: *result, files, provenance: *provenance })))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    #[test]
    fn the_stored_form_of_provenance_stays() {
        let stored = r#"{"program":"uqbench 0","platform":"p","processor":null,"host":"h","started":7,"fit_seconds":1.5,"predict_seconds":0.1,"peak_memory":4096,"beside":{"trials":2}}"#;
        let read: Provenance = serde_json::from_str(stored).unwrap();
        assert_eq!((read.machine.host.as_deref(), read.started), (Some("h"), 7));
        assert_eq!(serde_json::to_string(&read).unwrap(), stored);
        // Older programs knew no processor.
        let older: Provenance =
            serde_json::from_str(&stored.replace(r#""processor":null,"#, "")).unwrap();
        assert_eq!(older, read);
    }

    proptest! {
        #[test]
        fn sealed_floats_read_back_bit_equal(
            bits in proptest::collection::vec(any::<u64>(), 1..20),
        ) {
            let values: Vec<f64> =
                bits.into_iter().map(f64::from_bits).filter(|v| v.is_finite()).collect();
            let back: Vec<f64> = unseal(seal(&values).unwrap().as_bytes()).unwrap();
            prop_assert_eq!(
                values.iter().map(|v| v.to_bits()).collect::<Vec<_>>(),
                back.iter().map(|v| v.to_bits()).collect::<Vec<_>>()
            );
        }

        #[test]
        fn a_flipped_byte_is_found(at in 0usize..200, flip in 1u8..=255) {
            let value = vec!["text".to_owned(), "more text".to_owned()];
            let mut text = seal(&value).unwrap().into_bytes();
            let at = at % text.len();
            text[at] ^= flip;
            prop_assert!(unseal::<Vec<String>>(&text).is_err());
        }

        #[test]
        fn a_cut_is_found(keep in 0usize..1000) {
            let text = seal(&vec![1.5; 20]).unwrap();
            let keep = keep % (text.len() - 1);
            prop_assert!(unseal::<Vec<f64>>(&text.as_bytes()[..keep]).is_err());
        }
    }
}
