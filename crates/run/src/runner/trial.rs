//! Run one trial: data, method, protocol, and the bytes that are stored.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use super::key::{SCHEMA, TrialKey, TrialSpec};
use super::layout::{self, EncodeError, Layout};
use super::numbers::numbers_sha256;
use super::outcome::{Failure, Outcome};
use super::record::{
    FileStamp, Machine, Provenance, ROWS, SIDE_TABLES, TrialRecord, TrialResult, now, seal,
};
use crate::external::Host;
use crate::protocols::{self, Journal, Observed, Protocol, Repetition, Setting, Source};
use crate::registry;
use crate::registry::own_build;
use uq_core::{CancelToken, Table};
use uq_methods::{Context, FitError};
use uqbench_data::objectives::Objective;
use uqbench_data::own::OwnDataset;
use uqbench_data::simulated::Simulated;
use uqbench_data::{DataError, Library, Manifest};
use uqbench_system::processor_time::{since, thread_cpu};

/// Where a trial's table is.
#[derive(Clone, Copy)]
pub struct Data<'a> {
    /// The pinned datasets.
    pub library: &'a Library,
    /// The user's file, of a dataset that is one.
    pub own: Option<&'a OwnDataset>,
}

impl Data<'_> {
    fn table(self, spec: &TrialSpec) -> Result<Arc<Table>, Failure> {
        if let Some(own) = self.own {
            return self
                .library
                .own_table(own)
                .map_err(|error| Failure::BadData(error.to_string()));
        }
        let dataset = Manifest::shipped().and_then(|manifest| manifest.get(&spec.dataset));
        dataset.and_then(|dataset| self.library.load(dataset)).map_err(as_failure)
    }
}

/// Runs one trial to its end; an external method runs on `host`. A sequential protocol keeps its
/// steps in `steps`.
///
/// # Errors
/// [`Failure`] where it did not finish: stopped, out of time, no data, something that the method
/// needs is not at hand, or a fault of the harness.
pub fn run(
    spec: &TrialSpec,
    data: Data,
    host: Option<Arc<Host>>,
    cancel: &CancelToken,
    deadline: Option<Instant>,
    steps: Option<&dyn Journal>,
) -> Result<TrialRecord, Failure> {
    let started = now();
    let crashed = |message: String| Failure::Crashed(message);
    if (spec.schema, spec.protocol_version) != (SCHEMA, Protocol::VERSION) {
        return Err(crashed("the trial was planned by another version of this program".into()));
    }
    let method = registry::build(&spec.method, &spec.parameters)
        .map_err(|error| crashed(error.to_string()))?;
    if method.version() != spec.method_version {
        return Err(crashed(format!("method `{}` has another version than planned", spec.method)));
    }
    let streams = spec.method_streams();
    let context = Context::new(streams).stopping(cancel.clone(), deadline).hosted(host);
    let setting = Setting {
        protocol: &spec.protocol,
        repetition: Repetition {
            dataset: &spec.dataset,
            rows: spec.rows,
            split: spec.split,
            streams: spec.data_streams(),
        },
        scaling: spec.scaling,
        score_units: spec.score_units,
        request: &spec.ask,
    };
    let timed = |source| {
        let (start, before) = (Instant::now(), thread_cpu());
        let observed = protocols::run_keeping(&setting, source, method.as_ref(), &context, steps);
        (observed, start.elapsed(), since(before))
    };
    let (observed, time, cpu) = if let Some(problem) = Simulated::get(&spec.dataset) {
        timed(Source::Simulated(problem))
    } else if let Some(objective) = Objective::get(&spec.dataset) {
        timed(Source::Objective(&objective.load(data.library).map_err(as_failure)?))
    } else {
        timed(Source::Table(&*data.table(spec)?))
    };
    let key = spec.key();
    // What has no predictions has spent its time on fits.
    let mut provenance = Provenance {
        machine: Machine::here(),
        started,
        fit_seconds: time.as_secs_f64(),
        fit_cpu_seconds: cpu.map(|time| time.as_secs_f64()),
        build: own_build(&spec.method, &spec.parameters),
        ..Provenance::default()
    };
    match observed {
        Ok(observed) => {
            provenance.fit_seconds = observed.fit_time.as_secs_f64();
            provenance.fit_cpu_seconds = observed.fit_cpu.map(|time| time.as_secs_f64());
            provenance.predict_cpu_seconds = observed.predict_cpu.map(|time| time.as_secs_f64());
            provenance.steps_cpu_seconds = observed.steps_cpu.map(|time| time.as_secs_f64());
            let interval_cpu = observed.interval_cpu.iter();
            provenance.interval_cpu_seconds =
                interval_cpu.map(|(r, time)| (r.clone(), time.as_secs_f64())).collect();
            provenance.predict_seconds = observed.predict_time.as_secs_f64();
            finished(spec, key, observed, provenance)
        }
        Err(FitError::Cancelled) => Err(Failure::Cancelled),
        Err(FitError::TimedOut) => Err(Failure::TimedOut),
        Err(FitError::OutOfMemory) => Err(Failure::OutOfMemory),
        Err(FitError::Crashed(why)) => Err(Failure::Crashed(why)),
        Err(FitError::Lost(why)) => Err(Failure::Lost(why)),
        Err(FitError::Unavailable(why)) => Err(Failure::MethodUnavailable(why)),
        Err(FitError::Unsupported(why)) => {
            Ok(without_rows(spec, key, Outcome::Unsupported(why), provenance))
        }
        Err(FitError::NoneCovers(why)) => {
            Ok(without_rows(spec, key, Outcome::NoneCovers(why), provenance))
        }
        Err(error) => Ok(without_rows(spec, key, Outcome::Diverged(error.to_string()), provenance)),
    }
}

/// Why a dataset is unavailable or differs from the pinned bytes; `None` if its bytes are available
/// and verified.
pub fn data_failure(dataset: &str, library: &Library) -> Option<Failure> {
    if Simulated::get(dataset).is_some() {
        return None;
    }
    if let Some(objective) = Objective::get(dataset) {
        return objective.load(library).err().map(as_failure);
    }
    let found = Manifest::shipped()
        .and_then(|manifest| manifest.get(dataset))
        .and_then(|found| library.prepare(found));
    found.err().map(as_failure)
}

fn as_failure(error: DataError) -> Failure {
    let message = error.to_string();
    if error.is_unavailable() { Failure::Unavailable(message) } else { Failure::BadData(message) }
}

fn finished(
    spec: &TrialSpec,
    key: TrialKey,
    observed: Observed,
    provenance: Provenance,
) -> Result<TrialRecord, Failure> {
    let written =
        |error: String| Failure::Crashed(format!("the predictions cannot be written: {error}"));
    let (layout, rows) = match layout::encode(&observed) {
        Ok(encoded) => encoded,
        Err(invalid @ EncodeError::Invalid { .. }) => {
            return Ok(without_rows(spec, key, Outcome::Diverged(invalid.to_string()), provenance));
        }
        Err(EncodeError::Unwritable(why)) => return Err(written(why)),
    };
    let mut files = BTreeMap::from([(ROWS.to_owned(), rows)]);
    if !observed.side_tables.is_empty() {
        let text = seal(&observed.side_tables).map_err(|error| written(error.to_string()))?;
        files.insert(SIDE_TABLES.to_owned(), text.into_bytes());
    }
    let result = TrialResult {
        key,
        spec: spec.clone(),
        outcome: Outcome::Ok,
        train_rows: observed.train_rows,
        test_rows: observed.y.len(),
        target_range: observed.target_range,
        target_resolution: observed.target_resolution,
        layout,
        files: files.iter().map(|(name, bytes)| (name.clone(), FileStamp::of(bytes))).collect(),
    };
    let numbers = numbers_sha256(&result, &files).map_err(written)?;
    Ok(TrialRecord {
        result,
        files,
        provenance: Provenance { numbers_sha256: Some(numbers), ..provenance },
    })
}

fn without_rows(
    spec: &TrialSpec,
    key: TrialKey,
    outcome: Outcome,
    provenance: Provenance,
) -> TrialRecord {
    let result = TrialResult {
        key,
        spec: spec.clone(),
        outcome,
        train_rows: 0,
        test_rows: 0,
        target_range: None,
        target_resolution: None,
        layout: Layout::default(),
        files: BTreeMap::new(),
    };
    TrialRecord { result, files: BTreeMap::new(), provenance }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::runner::key::tests::mock_spec;
    use uqbench_data::SourceOptions;

    #[test]
    fn a_trial_without_predictions_tells_what_it_has_cost() {
        let library = Library::new(SourceOptions { offline: true, ..SourceOptions::default() });
        let run = |spec: &TrialSpec| {
            let data = Data { library: &library, own: None };
            super::run(spec, data, None, &CancelToken::default(), None, None).unwrap()
        };
        let record = run(&mock_spec(json!({ "behaviour": "diverge" }), 0));
        assert!(
            matches!(record.result.outcome, Outcome::Diverged(_)),
            "{:?}",
            record.result.outcome
        );
        assert!(record.provenance.fit_seconds > 0.0);
        assert_eq!(record.provenance.fit_cpu_seconds.is_some(), cfg!(unix));
    }
}
