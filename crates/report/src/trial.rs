//! Show one trial: its specification, where and when it ran, its scores, its calibration and
//! residuals, and the command that runs it again. Of one that did not finish the error is shown in
//! place of scores.

use serde::Serialize;
use serde_json::Value;

use super::document::Document;
use super::grid::Grid;
use super::section::{Block, Page, Section};
use super::words::trial as words;
use crate::plot::Render;
use uq_core::stats::Pit;
use uq_core::stats::digits::number;
use uqbench_data::Manifest;
use uqbench_data::own::OwnDataset;
use uqbench_judge::evidence::portrait::{Portrait, Residuals};
use uqbench_judge::figures::{BandPanel, Bands, Calibration, CalibrationPanel};
use uqbench_judge::report::{FinishedTrial, TrialEnd, TrialReport, TrialScore};
use uqbench_run::benchmark::Origin;
use uqbench_run::runner::attempt::Run;
use uqbench_run::runner::key::{TrialKey, TrialSpec};
use uqbench_run::runner::outcome::Outcome;
use uqbench_run::runner::plan::{Experiment, Plan};
use uqbench_run::runner::record::{Machine, Provenance};
use uqbench_system::program::Program;

/// A planned trial: the benchmark that plans it, and which of its repetitions it is.
pub struct Place<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Heading of the method's first column, with its variant.
    pub column: String,
    /// Number of the repetition, from 0.
    pub split: u64,
}

/// Where the plans have a trial; `None` where none has it.
pub fn place<'a>(plans: &'a [Plan], key: &TrialKey) -> Option<Place<'a>> {
    plans.iter().find_map(|plan| {
        plan.all_experiments().find_map(|experiment| {
            let split = (0..experiment.splits).find(|&split| experiment.key(split) == *key)?;
            Some(Place::new(plan, experiment, split))
        })
    })
}

impl<'a> Place<'a> {
    /// Of a repetition of an experiment.
    pub fn new(plan: &'a Plan, Experiment { method, .. }: &Experiment, split: u64) -> Self {
        let heading =
            method.columns.first().map(|column| column.heading.as_str()).unwrap_or_default();
        let variant = method.variant.as_ref().map(|variant| format!(" ({variant})"));
        Self { plan, column: format!("{heading}{}", variant.unwrap_or_default()), split }
    }

    /// Says what the trial is.
    fn say_name(&self, page: &mut Page, dataset: &str) {
        page.text(words::name(&self.plan.benchmark, &self.column, dataset, self.split));
    }

    /// Says which command runs the trial again.
    fn say_command(&self, page: &mut Page, key: &TrialKey, dataset: &str) {
        page.text(words::command(&self.command(key, dataset)));
        if self.plan.benchmark.origin.names_files() {
            page.text(words::NAMES_OF_FILES);
        }
    }

    /// The command that runs the trial again, into another store, because a finished trial is not
    /// repeated.
    fn command(&self, key: &TrialKey, dataset: &str) -> String {
        let Plan { benchmark, profile, filter, .. } = self.plan;
        let Origin { file, with, names_commands } = &benchmark.origin;
        let name = file.as_ref().unwrap_or(&benchmark.id);
        let mut parts = vec![Program::this().name, "run", name, "--profile", profile.as_str()];
        // The profile alone may have neither the trial's dataset nor as many splits.
        if !filter.datasets.is_empty() {
            parts.extend(["--datasets", dataset]);
        }
        // Methods that were not chosen may have programs that are not there.
        let methods = filter.methods.join(",");
        if !methods.is_empty() {
            parts.extend(["--methods", &methods]);
        }
        let splits = filter.splits.map(|splits| splits.to_string());
        parts.extend(splits.iter().flat_map(|splits| ["--splits", splits]));
        parts.extend(with.iter().flat_map(|command| ["--with", command]));
        parts.extend(names_commands.then_some("--allow-external"));
        parts.extend(["--trial", key.short(), "--store", "again"]);
        // Words of a command line have no null character, which alone cannot be quoted.
        shlex::try_join(parts.iter().copied()).unwrap_or_else(|_| parts.join(" "))
    }
}

/// The page of a trial, and its figures.
pub fn page(
    TrialReport { key, spec, end }: &TrialReport,
    place: Option<&Place>,
) -> (Page, Vec<Document>) {
    let mut page = Page::new(format!("Trial {}", key.short()));
    match place {
        Some(place) => place.say_name(&mut page, &spec.dataset),
        None => page.text(words::UNPLANNED),
    }
    match end {
        TrialEnd::Finished(trial) => {
            if let Some(why) = trial.outcome.reason() {
                page.text(words::no_predictions(trial.outcome.word(), why));
            }
        }
        TrialEnd::Failed(attempt) => {
            page.text(words::unfinished(&attempt.failure.message()));
        }
    }
    if let Some(place) = place {
        place.say_command(&mut page, key, &spec.dataset);
    }
    let figures = match end {
        TrialEnd::Finished(trial) => finished(&mut page, key, spec, trial),
        TrialEnd::Failed(attempt) => {
            page.section(specification(key, spec, [], attempt.failure.word()));
            match &attempt.run {
                Some(run) => page.section(attempted(run)),
                None => page.text(words::ERROR_ALONE),
            }
            Vec::new()
        }
    };
    (page, figures)
}

/// Adds what is known of a finished trial; returns its figures.
fn finished(
    page: &mut Page,
    key: &TrialKey,
    spec: &TrialSpec,
    trial: &FinishedTrial,
) -> Vec<Document> {
    let mut figures = Vec::new();
    if trial.outcome == Outcome::Ok {
        page.section(scores(&trial.scores));
        match &trial.portraits {
            Some(portraits) => draw(page, &mut figures, key, portraits),
            None => page.text(words::NO_PREDICTIONS),
        }
    }
    let rows = [("Training rows", trial.train_rows), ("Test rows", trial.test_rows)];
    let rows = rows.map(|(name, count)| (name, count.to_string()));
    page.section(specification(key, spec, rows, trial.outcome.word()));
    page.blocks.extend(trial.provenance.as_ref().map(|found| Block::shown(provenance(found))));
    figures
}

/// Every score of every reading.
fn scores(all: &[TrialScore]) -> Section {
    let mut grid = Grid::new(&["Reading", "Metric", "#Score", "Better"]);
    grid.extend(all.iter().map(|TrialScore { reading, metric, score }| {
        [
            reading.clone(),
            format!("{} ({metric})", metric.label()),
            score.map_or_else(|| "–".into(), |score| number(score, None)),
            metric.direction().to_string(),
        ]
    }));
    Section { title: "Scores".into(), grid, note: words::SCORES.into() }
}

/// Adds the calibration and the residuals of the readings that have them.
fn draw(page: &mut Page, figures: &mut Vec<Document>, key: &TrialKey, portraits: &[Portrait]) {
    let key = key.short();
    let pit = |one: &Portrait| {
        let pit = Pit::new(&[one.pit.clone()?], one.rows)?;
        Some(CalibrationPanel { title: one.reading.clone(), pit })
    };
    let panels = portraits.iter().filter_map(pit).collect();
    let calibration =
        Calibration { title: format!("Calibration of trial {key}"), notes: Vec::new(), panels };
    let residuals = Bands {
        title: words::residuals_title(key),
        panels: portraits
            .iter()
            .filter_map(|one| Some(residuals(&one.reading, one.residuals.as_ref()?)))
            .collect(),
    };
    let drawings: [(&str, &dyn Render, bool); 2] = [
        ("calibration", &calibration, calibration.panels.is_empty()),
        ("residuals", &residuals, residuals.panels.is_empty()),
    ];
    for (name, drawing, _) in drawings.into_iter().filter(|(.., is_empty)| !is_empty) {
        page.draw(figures, format!("trial-{key}-{name}"), drawing);
    }
}

/// Residuals against the predicted mean.
fn residuals(reading: &str, drawn: &Residuals) -> BandPanel {
    let wide = |values: &[f32]| values.iter().map(|&value| f64::from(value)).collect::<Vec<_>>();
    let (mean, residual) = (wide(&drawn.mean), wide(&drawn.residual));
    BandPanel {
        title: words::residuals_panel(reading, drawn.every),
        x_label: "Predicted mean".into(),
        y_label: "Residual".into(),
        mean: vec![0.0; residual.len()],
        sd: wide(&drawn.sd),
        connected: false,
        truth: None,
        observed: Some((mean.clone(), residual)),
        x: mean,
    }
}

/// A part of a specification as JSON.
fn json(part: &impl Serialize) -> String {
    serde_json::to_string(part).unwrap_or_default()
}

/// A table of names and values.
fn listed(title: &str, rows: Vec<(&str, String)>) -> Section {
    let mut grid = Grid::new(&["What", "Value"]);
    grid.extend(rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]));
    Section { title: title.into(), grid, note: String::new() }
}

/// What a trial is, with numbers of its rows where they are known, and how it ended.
fn specification(
    key: &TrialKey,
    spec: &TrialSpec,
    counts: impl IntoIterator<Item = (&'static str, String)>,
    end: &str,
) -> Section {
    let hashes = data_hashes(&spec.dataset, &spec.definition);
    let mut rows = vec![
        ("Key", key.to_string()),
        ("Method", format!("{}, version {}", spec.method, spec.method_version)),
        ("Parameters", spec.parameters.to_string()),
        ("Dataset", spec.dataset.clone()),
        ("Protocol", json(&spec.protocol)),
        ("Rows", json(&spec.rows)),
        ("Scaling", json(&spec.scaling)),
        ("Units of the scores", json(&spec.score_units)),
        ("Split", spec.split.to_string()),
        ("Seed of the method", spec.seed.to_string()),
        ("Root seed", spec.root_seed.to_string()),
    ];
    // After the dataset.
    rows.splice(4..4, hashes.iter().map(|(what, hash)| (what.as_str(), hash.clone())));
    for row in counts {
        rows.push(row);
    }
    rows.push(("Outcome", end.into()));
    listed("Specification", rows)
}

/// What is hashed of a trial's data, and its SHA-256: each pinned file and the parsed numbers, or
/// the numbers of a table of one's own. Simulated data have none: they follow from the seeds.
fn data_hashes(dataset: &str, definition: &Value) -> Vec<(String, String)> {
    let text = |hash: &Value| hash.as_str().map(str::to_owned);
    let files = definition.get("files").and_then(Value::as_object).into_iter().flatten();
    let mut all: Vec<(String, String)> = files
        .filter_map(|(name, hash)| Some((format!("SHA-256 of {name}"), text(hash)?)))
        .collect();
    let known = Manifest::shipped().ok().and_then(|manifest| manifest.get(dataset).ok());
    // An entry of today with another definition is of other data.
    let pinned = known
        .filter(|known| known.definition() == *definition)
        .and_then(|known| known.parsed_sha256.clone());
    let own = OwnDataset::numbers_of(definition).map(str::to_owned);
    all.extend(pinned.or(own).map(|hash| ("SHA-256 of the parsed numbers".into(), hash)));
    all
}

fn provenance(found: &Provenance) -> Section {
    let rows = [
        ("Fit", Some(seconds(found.fit_seconds))),
        ("Predictions", Some(seconds(found.predict_seconds))),
        ("Processor time of the fit", found.fit_cpu_seconds.map(seconds)),
        (
            "Largest memory",
            Some(found.peak_memory.map_or_else(|| words::UNKNOWN_MEMORY.into(), mebibytes)),
        ),
    ];
    let mut rows = started_on(&found.machine, found.started, rows);
    rows.extend(
        found.steps_cpu_seconds.map(|time| ("Processor time of the steps after it", seconds(time))),
    );
    listed(words::RAN, rows)
}

/// Where an attempt ran that did not finish, and how long.
fn attempted(run: &Run) -> Section {
    let (limits, others) = (run.limits.unwrap_or_default(), run.beside);
    let rows = [
        ("Wall time until it ended", run.seconds.map(seconds)),
        ("Limit of wall time", limits.seconds.map(|limit| seconds(limit as f64))),
        ("Largest memory", run.peak_memory.map(|bytes| format!("at least {}", mebibytes(bytes)))),
        ("Limit of memory", limits.memory.map(mebibytes)),
        ("Other trials at the same time", others.map(|others| others.trials.to_string())),
        (
            "Load of the machine",
            others.and_then(|others| others.load).map(|load| number(load, None)),
        ),
    ];
    let mut section = listed(words::ATTEMPTED, started_on(&run.machine, run.started, rows));
    if run.seconds.is_none() {
        section.note = words::NOTHING_RUN.into();
    }
    section
}

/// The rows on the machine and the start, and then these.
fn started_on<const N: usize>(
    machine: &Machine,
    started: u64,
    rows: [(&'static str, Option<String>); N],
) -> Vec<(&'static str, String)> {
    let before = [
        ("Program", Some(machine.program.clone())),
        ("Platform", Some(machine.platform.clone())),
        ("Processor", machine.processor.clone()),
        ("Host", machine.host.clone()),
        ("Start, in seconds since 1970", Some(started.to_string())),
    ];
    before
        .into_iter()
        .chain(rows)
        .map(|(name, value)| (name, value.unwrap_or_else(|| "–".into())))
        .collect()
}

/// A time.
fn seconds(time: f64) -> String {
    format!("{} s", number(time, None))
}

/// A size of memory.
fn mebibytes(bytes: u64) -> String {
    format!("{:.0} MiB", bytes as f64 / f64::from(1 << 20))
}
