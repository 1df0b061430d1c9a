//! Fit and predict by a process outside of this program.
//!
//! A fit keeps the training rows. A prediction is one request: the process fits the training rows
//! and predicts the test rows. So all wall time counts as that of the prediction, and the processor
//! time of the method's processes as that of the fit. The test rows are sent in random order, so
//! that a method cannot use the order of the rows by accident.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ndarray::{ArrayView2, Axis};
use rand::RngExt;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::answer::Reader;
use super::arrays::{write_matrix, write_vector};
use super::contract::{CONTRACT, ColumnFacts, Description, Question, Response, read_response};
use super::host::Host;
use super::program::{Program, Timed};
use uq_core::Table;
use uq_core::math::random::permutation;
use uq_core::predictive::Predictive;
use uq_methods::engine::{question, rows};
use uq_methods::entry::Entry;
use uq_methods::levels::with_grid;
use uq_methods::parameter::Parameter;
use uq_methods::{Context, Facts, FitError, Fitted, Method, Reading, Request, SideTable};

/// Its name in the registry.
pub const ID: &str = "external";
/// Raised whenever the same response would give other numbers.
const VERSION: u32 = 1;

/// All that the numbers of an external method depend on. Where its files are is not part of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExternalParameters {
    /// Its name in tables.
    pub name: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// The SHA-256 of each file that it consists of, by name.
    pub files: BTreeMap<String, String>,
    /// Settings, which every request contains.
    pub settings: Map<String, Value>,
    /// What the method says of itself.
    pub description: Description,
}

impl ExternalParameters {
    /// The names under which a store keeps the description of this method.
    pub fn identities(&self) -> Identities {
        Identities::of(&self.name, &self.command, &self.files, &self.settings)
    }
}

/// The names under which a store keeps the description of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identities {
    /// Of the method with these files and settings.
    pub exact: String,
    /// Of the last method with this name and command.
    pub loose: String,
}

impl Identities {
    pub(super) fn of(
        name: &str,
        command: &[String],
        files: &BTreeMap<String, String>,
        settings: &Map<String, Value>,
    ) -> Self {
        let exact = json!([name, command, files, settings]).to_string();
        Self { exact, loose: json!([name, command]).to_string() }
    }
}

/// A method outside of this program.
#[derive(Clone, Debug, PartialEq)]
pub struct External {
    parameters: ExternalParameters,
}

impl External {
    /// Its entry in the registry.
    pub const ENTRY: Entry = Entry {
        id: ID,
        title: "a method in another language, which runs as a process (docs/do/external-methods.md)",
        tried: None,
        parameters: described,
        build: |given, _| {
            if given.get("description").is_none() {
                return Err(
                    "it has no defaults: a benchmark file or a command line states its command \
                     (docs/do/external-methods.md)"
                        .into(),
                );
            }
            let parameters =
                ExternalParameters::deserialize(given).map_err(|error| error.to_string())?;
            Ok(Box::new(Self { parameters }))
        },
    };

    /// The method with these parameters.
    pub fn new(parameters: ExternalParameters) -> Self {
        Self { parameters }
    }
}

/// The parameters as a benchmark file states them.
fn described() -> Vec<Parameter> {
    let with_default = |mut parameter: Parameter, value: Value| {
        parameter.value = Some(value);
        parameter
    };
    vec![
        Parameter::required("name", "a text", "Name of its column."),
        Parameter::required("command", "a list of texts", "Program and arguments."),
        with_default(
            Parameter::required(
                "files",
                "names of files beside the benchmark file",
                "All files that it consists of.",
            ),
            json!([]),
        ),
        with_default(
            Parameter::required(
                "settings",
                "a table",
                "What every request contains as its settings.",
            ),
            json!({}),
        ),
    ]
}

impl Method for External {
    fn id(&self) -> &'static str {
        ID
    }

    fn version(&self) -> u32 {
        VERSION
    }

    fn parameters(&self) -> Value {
        json!(self.parameters)
    }

    /// It may predict targets: forests of other packages do.
    fn facts(&self) -> Facts {
        let Description { deterministic, tolerance, .. } = self.parameters.description;
        Facts { deterministic, tolerance, predicts_targets: true, ..Facts::default() }
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        rows::at_least(ID, 1, train.rows())?;
        rows::finite(ID, train)?;
        // Below 2³¹, because R takes no larger seed.
        let seed = context.stream("external", 0).random::<u32>() >> 1;
        Ok(Box::new(FittedExternal {
            parameters: self.parameters.clone(),
            train: train.clone(),
            seed,
            tables: Mutex::default(),
            processor_time: Mutex::new(Some(Duration::ZERO)),
        }))
    }
}

struct FittedExternal {
    parameters: ExternalParameters,
    train: Table,
    seed: u32,
    /// The side tables of the last prediction.
    tables: Mutex<Vec<SideTable>>,
    /// Processor time of all requests so far; `None` where the operating system does not tell.
    processor_time: Mutex<Option<Duration>>,
}

impl Fitted for FittedExternal {
    fn predict(
        &self,
        reading: &Reading,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        question::main_only(ID, reading)?;
        question::columns(ID, self.train.columns(), features)?;
        rows::finite_features(ID, "test row", features)?;
        let host = context.host().ok_or_else(|| {
            FitError::Crashed(
                "an external method needs a host, which `Context::hosted` sets".into(),
            )
        })?;
        let order = permutation(features.nrows(), &mut context.stream("order", 0));
        let ((predictive, tables), spent) = ask(
            &self.parameters,
            host,
            &self.train,
            features,
            &Asked::new(&order, self.seed, request),
            context,
        )?;
        *self.tables.lock().unwrap_or_else(PoisonError::into_inner) = tables;
        let mut all = self.processor_time.lock().unwrap_or_else(PoisonError::into_inner);
        *all = all.zip(spent).map(|(all, spent)| all + spent);
        drop(all);
        question::valid(&self.parameters.name, predictive)
    }

    fn processor_time_elsewhere(&self) -> Option<Duration> {
        *self.processor_time.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn side_tables(&self) -> Vec<SideTable> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What is asked besides the rows.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The order in which the test rows are sent.
    pub order: &'a [usize],
    /// Seed of all random numbers.
    pub seed: u32,
    /// What is requested of a fit.
    pub request: &'a Request,
    /// Version of the contract.
    pub contract: u32,
    /// Further fields of the request.
    pub further: &'a [(&'a str, Value)],
}

impl<'a> Asked<'a> {
    /// By this version of the contract, without further fields.
    pub fn new(order: &'a [usize], seed: u32, request: &'a Request) -> Self {
        Self { order, seed, request, contract: CONTRACT, further: &[] }
    }
}

/// One request: a fit of `train`, and a prediction at each row of `features` (m × d), in their
/// order, with the side tables; and the processor time of the method's processes. The numbers of
/// the prediction are not checked.
///
/// # Errors
/// [`FitError::Crashed`] where the process fails or its response does not follow the contract; what
/// the method responds; [`FitError::OutOfMemory`], [`FitError::TimedOut`], [`FitError::Cancelled`].
pub fn ask(
    parameters: &ExternalParameters,
    host: &Host,
    train: &Table,
    features: ArrayView2<f64>,
    asked: &Asked,
    context: &Context,
) -> Result<Timed<(Predictive, Vec<SideTable>)>, FitError> {
    let ExternalParameters { name, command, files, settings, description } = parameters;
    let program = Program { name, command, files, host };
    let Asked { order, seed, request, contract, further } = *asked;
    let levels = with_grid(ID, &request.quantile_levels)?;
    let arrays = description.arrays;
    let write = |folder: &Path| {
        write_matrix(folder, "X_train", train.features.view(), arrays)?;
        write_vector(folder, "y_train", train.target.view(), arrays)?;
        write_matrix(folder, "X_test", features.select(Axis(0), order).view(), arrays)?;
        Ok(Question {
            contract,
            folder: folder.display().to_string(),
            arrays,
            seed,
            threads: 1,
            limits: host.bounds,
            train_rows: train.rows(),
            test_rows: order.len(),
            columns: ColumnFacts::of(train),
            target: train.target_name.clone(),
            levels: levels.clone(),
            samples: request.samples,
            split: request.split,
            settings: settings.clone(),
            further: further
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.clone()))
                .collect(),
        })
    };
    let read = |folder: &Path, text: &str| {
        let wrong = |why: String| program.crashed(&format!("its response: {why}"));
        match read_response(text).map_err(wrong)? {
            Response::Answer(answer) => {
                Reader { folder, order, levels: &levels }.read(*answer).map_err(wrong)
            }
            Response::Unsupported(why) => Err(FitError::Unsupported(format!("{name}: {why}"))),
            Response::Diverged(why) => Err(FitError::Diverged(format!("{name}: {why}"))),
            Response::Unavailable(why) => Err(FitError::Unavailable(format!("{name}: {why}"))),
        }
    };
    match description.server {
        true => program.run_served(&write, &read, context),
        false => program.run_once(&write, &read, context),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::external::contract::ColumnKind;
    use crate::registry;
    use ndarray::array;
    use uq_core::math::random::Streams;

    fn parameters() -> Value {
        json!({
            "name": "mine", "command": ["python3", "mine.py"], "files": { "mine.py": "ab12" }, "settings": { "depth": 3 },
            "description": { "contract": 1, "name": "mine", "versions": { "python": "3.11" }, "deterministic": true,
                             "server": false, "arrays": "npy" },
        })
    }

    #[test]
    fn parameters_read_back_the_same_and_all_of_them_are_in_the_key() {
        let method = registry::build(ID, &parameters()).unwrap();
        assert_eq!(method.parameters(), parameters());
        assert!(method.facts().deterministic);
        let mut upgraded = parameters();
        upgraded["description"]["versions"]["python"] = "3.12".into();
        assert_ne!(registry::build(ID, &upgraded).unwrap().parameters(), parameters());
    }

    #[test]
    fn it_is_not_built_without_a_description_and_not_run_without_a_host() {
        let message = registry::build(ID, &json!({ "name": "a", "command": ["b"] }))
            .err()
            .unwrap()
            .to_string();
        assert!(
            message.contains("a benchmark file or a command line states its command"),
            "{message}"
        );
        let part = json!({ "method": { "id": ID, "parameters": parameters() } });
        let message = registry::build("validated", &part).err().unwrap().to_string();
        assert!(
            message.contains("an external method cannot be part of another method"),
            "{message}"
        );
        let context = Context::new(Streams::new(1, "t"));
        let train = Table::unnamed(array![[0.0], [1.0]], array![0.0, 1.0]);
        let fitted = registry::build(ID, &parameters()).unwrap().fit(&train, &context).unwrap();
        let found =
            fitted.predict(&Reading::MAIN, train.features.view(), &Request::default(), &context);
        assert!(matches!(found, Err(FitError::Crashed(why)) if why.contains("needs a host")));
    }

    #[test]
    fn kinds_of_columns_follow_their_distinct_values() {
        let features = array![[1.0, 0.0, 0.1], [1.0, 1.0, 0.2], [1.0, 0.0, 0.3]];
        let kinds: Vec<ColumnKind> =
            ColumnFacts::of(&Table::unnamed(features, array![1.0, 2.0, 3.0]))
                .into_iter()
                .map(|column| column.kind)
                .collect();
        assert_eq!(kinds, [ColumnKind::Constant, ColumnKind::Binary, ColumnKind::Numeric]);
    }
}
