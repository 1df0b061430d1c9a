//! Define what is exchanged with a method outside of this program: its description, a request, a
//! response.
//!
//! `docs/do/external-methods.md` describes the same for the authors of methods.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use uq_core::Table;

/// Version of the contract. It is raised whenever a method that was written for the last one would
/// fail.
pub const CONTRACT: u32 = 1;

/// File of a request.
pub const REQUEST_FILE: &str = "request.json";
/// File of its response.
pub const RESPONSE_FILE: &str = "response.json";

/// What a method says of itself: the last line that `COMMAND describe` writes to standard output.
/// It is part of a trial's key, so that another version of a package means another trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// Version of the contract for which it is written.
    pub contract: u32,
    /// Its name.
    pub name: String,
    /// Versions of interpreter and packages by name.
    #[serde(default)]
    pub versions: BTreeMap<String, String>,
    /// Whether another seed would give the same numbers.
    #[serde(default)]
    pub deterministic: bool,
    /// Whether `COMMAND serve` answers requests one after the other.
    #[serde(default)]
    pub server: bool,
    /// The format of the arrays that it reads.
    #[serde(default)]
    pub arrays: Arrays,
    /// SHA-256 by name of the code that it has loaded from elsewhere than its named files, and that
    /// no version tells. Left out where there is none, so that the keys of trials without it do not
    /// change.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub code: BTreeMap<String, String>,
    /// The largest relative difference of a score that another processor or version of a library
    /// may make. Left out where the same bits are promised, so that the keys of trials without it
    /// do not change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
}

impl Description {
    /// What a method of this name says of itself as long as it has said nothing.
    pub fn unknown(name: &str) -> Self {
        Self {
            contract: CONTRACT,
            name: name.into(),
            versions: BTreeMap::new(),
            deterministic: false,
            server: false,
            arrays: Arrays::default(),
            code: BTreeMap::new(),
            tolerance: None,
        }
    }
}

/// The format of the arrays of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arrays {
    /// NumPy's format, little-endian doubles.
    #[default]
    Npy,
    /// Comma-separated text without a header, a row a line.
    Csv,
}

impl Arrays {
    /// The ending of such a file.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Npy => "npy",
            Self::Csv => "csv",
        }
    }
}

/// A request: one fit, and one prediction of the test rows. The training rows and the features of
/// the test rows are in files beside it, `X_train` (n × d), `y_train` (n) and `X_test` (m × d).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Question {
    /// Version of the contract.
    pub contract: u32,
    /// Absolute path of the folder with the arrays.
    pub folder: String,
    /// The format and the ending of the arrays.
    pub arrays: Arrays,
    /// Seed of all random numbers, below 2³¹.
    pub seed: u32,
    /// Number of threads to use.
    pub threads: usize,
    /// Limits, which are enforced.
    pub limits: Bounds,
    /// Number of training rows, n.
    pub train_rows: usize,
    /// Number of test rows, m.
    pub test_rows: usize,
    /// The d features.
    pub columns: Vec<ColumnFacts>,
    /// Name of the target.
    pub target: String,
    /// Increasing probability levels at which quantiles are wanted, if the method predicts
    /// quantiles.
    pub levels: Vec<f64>,
    /// Wanted number of draws, if the method can only be sampled.
    pub samples: usize,
    /// Whether aleatoric and epistemic variances are wanted, if the method defines them.
    pub split: bool,
    /// The settings of the benchmark file.
    pub settings: Map<String, Value>,
    /// Further fields, which a method has to ignore. There are some in a check only.
    #[serde(flatten)]
    pub further: Map<String, Value>,
}

/// Limits of one trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Wall time in seconds, with the start of the process.
    pub seconds: Option<u64>,
    /// Memory of all processes in bytes.
    pub memory: Option<u64>,
    /// Number of processes at a time.
    pub processes: usize,
}

/// A feature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ColumnFacts {
    /// Its name.
    pub name: String,
    /// Its kind, by the training rows.
    pub kind: ColumnKind,
}

impl ColumnFacts {
    /// Name and kind of each feature of a table.
    pub fn of(table: &Table) -> Vec<Self> {
        let kind = |j: usize| {
            let mut distinct = BTreeSet::new();
            for value in table.features.column(j) {
                distinct.insert(value.to_bits());
                if distinct.len() > 2 {
                    return ColumnKind::Numeric;
                }
            }
            if distinct.len() == 2 { ColumnKind::Binary } else { ColumnKind::Constant }
        };
        let names = table.feature_names.iter().enumerate();
        names.map(|(j, name)| Self { name: name.clone(), kind: kind(j) }).collect()
    }
}

/// The kind of a feature, by the number of its distinct values in the training rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColumnKind {
    /// One value.
    Constant,
    /// Two values, as an encoded category has.
    Binary,
    /// More values.
    Numeric,
}

/// A response.
#[derive(Clone, Debug, PartialEq)]
pub enum Response {
    /// A predictive distribution at each test row.
    Answer(Box<Answer>),
    /// The method does not handle this problem.
    Unsupported(String),
    /// Its computation did not converge, or gave numbers that are not finite.
    Diverged(String),
    /// What the method needs is not at hand, such as weights that have a licence of their own.
    Unavailable(String),
}

/// A predictive distribution at each of the m test rows, in the order of `X_test`.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The form and its arrays.
    pub form: FormAnswer,
    /// Aleatoric variances, m.
    pub aleatoric: Option<Numbers>,
    /// Epistemic variances, m.
    pub epistemic: Option<Numbers>,
    /// Small tables that are stored with the trial, by name: columns of equal length by name.
    pub tables: BTreeMap<String, BTreeMap<String, Numbers>>,
}

/// A form with its arrays.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "form", rename_all = "kebab-case", deny_unknown_fields)]
pub enum FormAnswer {
    /// Normal distributions.
    Gaussian {
        /// Means, m.
        mean: Numbers,
        /// Variances, m.
        variance: Numbers,
    },
    /// Distributions of location + scale·t.
    StudentT {
        /// Locations, m.
        location: Numbers,
        /// Scales, m.
        scale: Numbers,
        /// Degrees of freedom, m.
        degrees_of_freedom: Numbers,
    },
    /// Mixtures of k normal distributions.
    Mixture {
        /// Weights, m × k, or k where all rows share them.
        weights: Numbers,
        /// Means, m × k.
        means: Numbers,
        /// Variances, m × k.
        variances: Numbers,
    },
    /// Quantiles.
    Quantiles {
        /// Increasing levels, L; those of the request where they are absent.
        #[serde(default)]
        levels: Option<Vec<f64>>,
        /// Quantiles, m × L.
        values: Numbers,
    },
    /// Draws.
    Samples {
        /// Draws, m × S.
        values: Numbers,
    },
    /// Weighted points.
    Atoms {
        /// Points, m × k.
        values: Numbers,
        /// Weights, m × k, or k where all rows share them.
        weights: Numbers,
    },
    /// Densities that are constant between edges, with exponential tails.
    Piecewise {
        /// Increasing edges, m × (k + 1), or k + 1 where all rows share them.
        edges: Numbers,
        /// Probabilities between the edges, m × k, or k where all rows share them.
        masses: Numbers,
        /// Probability and scale of the lower tail, then of the upper one: m × 4, or 4 where all
        /// rows share them; absent, there is none.
        #[serde(default)]
        tails: Option<Numbers>,
    },
}

/// An array in a response: the name of a file beside it, or the numbers themselves. `null` stands
/// for a number that is not finite, because JSON has none.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Numbers {
    /// A file whose name ends in `.npy` or `.csv`.
    File(String),
    /// One number a row.
    Vector(Vec<Option<f64>>),
    /// Several numbers a row.
    Matrix(Vec<Vec<Option<f64>>>),
}

/// Reads a description.
///
/// # Errors
/// What is wrong with it.
pub fn read_description(line: &str) -> Result<Description, String> {
    let value = of_this_contract(line)?;
    let description: Description =
        serde_json::from_value(value.into()).map_err(|error| error.to_string())?;
    match description.tolerance.filter(|tolerance| !(0.0..1.0).contains(tolerance)) {
        Some(wrong) => Err(format!(
            "its tolerance is {wrong}, expected a relative difference of at least 0 and below 1"
        )),
        None => Ok(description),
    }
}

/// Whether a description states its code, and be it that there is none: a method that does so has
/// looked.
pub fn states_code(line: &str) -> bool {
    of_this_contract(line).is_ok_and(|fields| fields.get("code").is_some_and(Value::is_object))
}

/// Reads a response.
///
/// # Errors
/// What is wrong with it.
pub fn read_response(text: &str) -> Result<Response, String> {
    let mut fields = of_this_contract(text)?;
    fields.remove("contract");
    let wrong = |error: serde_json::Error| error.to_string();
    if let Some(error) = fields.remove("error") {
        let message =
            fields.remove("message").and_then(|message| message.as_str().map(str::to_owned));
        let message = message.unwrap_or_else(|| "the method gave no reason".into());
        return match error.as_str() {
            Some("unsupported") => Ok(Response::Unsupported(message)),
            Some("diverged") => Ok(Response::Diverged(message)),
            Some("unavailable") => Ok(Response::Unavailable(message)),
            _ => Err(format!(
                "the error is {error}, expected \"unsupported\", \"diverged\" or \"unavailable\""
            )),
        };
    }
    let mut take = |name: &str| fields.remove(name).filter(|value| !value.is_null());
    let mut variance =
        |name: &str| take(name).map(serde_json::from_value).transpose().map_err(wrong);
    let (aleatoric, epistemic) = (variance("aleatoric")?, variance("epistemic")?);
    let tables =
        take("tables").map_or(Ok(BTreeMap::new()), serde_json::from_value).map_err(wrong)?;
    let form = serde_json::from_value(fields.into()).map_err(wrong)?;
    Ok(Response::Answer(Box::new(Answer { form, aleatoric, epistemic, tables })))
}

/// The first characters of a text, for a message.
fn start(text: &str) -> String {
    let start: String = text.chars().take(60).collect();
    if start.is_empty() {
        "empty".into()
    } else {
        format!("{start:?}{}", if start == text { "" } else { " and more" })
    }
}

/// The fields of a JSON object of this version of the contract.
fn of_this_contract(text: &str) -> Result<Map<String, Value>, String> {
    let hint = match text.contains("NaN") || text.contains("Infinity") {
        true => {
            "; JSON has no NaN and no Infinity: write null, or respond with the error \"diverged\""
        }
        false => "",
    };
    let fields: Map<String, Value> = serde_json::from_str(text)
        .map_err(|error| format!("it is no JSON object: {error}{hint}; it is {}", start(text)))?;
    match fields.get("contract").and_then(Value::as_u64) {
        Some(found) if found == u64::from(CONTRACT) => Ok(fields),
        Some(found) => {
            Err(format!("it follows version {found} of the contract, expected version {CONTRACT}"))
        }
        None => Err(format!("it has no \"contract\": {CONTRACT}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_has_defaults_and_refuses_what_it_does_not_know() {
        let found = read_description(r#"{"contract": 1, "name": "mine"}"#).unwrap();
        assert_eq!((found.arrays, found.server, found.deterministic), (Arrays::Npy, false, false));
        let again: Description = serde_json::from_value(serde_json::json!(found)).unwrap();
        assert_eq!(again, found);
        for (text, expected) in [
            (
                r#"{"contract": 0, "name": "mine"}"#,
                "it follows version 0 of the contract, expected version 1",
            ),
            (r#"{"name": "mine"}"#, "it has no \"contract\": 1"),
            (
                r#"{"contract": 1, "name": "mine", "determinstic": true}"#,
                "unknown field `determinstic`",
            ),
            ("hello", "it is no JSON object"),
        ] {
            let message = read_description(text).unwrap_err();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn every_form_is_read_and_a_misspelt_array_is_named() {
        let read = |rest: &str| read_response(&format!("{{\"contract\": 1, {rest}}}"));
        for rest in [
            r#""form": "gaussian", "mean": [1, 2], "variance": "v.npy""#,
            r#""form": "student-t", "location": [1], "scale": [1], "degrees_of_freedom": [3]"#,
            r#""form": "mixture", "weights": [0.5, 0.5], "means": [[1, 2]], "variances": [[1, 2]]"#,
            r#""form": "quantiles", "values": [[1, 2]]"#,
            r#""form": "samples", "values": [[1, 2]], "aleatoric": [1], "epistemic": null"#,
            r#""form": "atoms", "values": [[1, 2]], "weights": [0.5, 0.5], "tables": {"t": {"a": [1, null]}}"#,
            r#""form": "piecewise", "edges": [0, 1, 2], "masses": [[0.5, 0.5]]"#,
        ] {
            assert!(matches!(read(rest), Ok(Response::Answer(_))), "{rest}: {:?}", read(rest));
        }
        assert_eq!(
            read(r#""error": "diverged", "message": "m""#),
            Ok(Response::Diverged("m".into()))
        );
        assert_eq!(
            read(r#""error": "unsupported", "message": "m""#),
            Ok(Response::Unsupported("m".into()))
        );
        assert_eq!(
            read(r#""error": "unavailable", "message": "m""#),
            Ok(Response::Unavailable("m".into()))
        );
        for (rest, expected) in [
            (r#""form": "gaussian", "mean": [1], "sd": [1]"#, "unknown field `sd`"),
            (r#""form": "normal", "mean": [1]"#, "unknown variant `normal`"),
            (r#""form": "gaussian", "mean": [1]"#, "missing field `variance`"),
            (r#""form": "gaussian", "mean": [NaN], "variance": [1]"#, "JSON has no NaN"),
            (r#""error": "oops""#, "expected \"unsupported\", \"diverged\" or \"unavailable\""),
        ] {
            let message = read(rest).unwrap_err();
            assert!(message.contains(expected), "{rest}: {message}");
        }
    }
}
