//! Run one repetition of an experiment.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use ndarray::Array1;
use serde::{Deserialize, Serialize};

use super::Protocol;
use super::answers::Fit;
use super::fit_tables::FitTables;
use super::repetition::{Repetition, Rows, Source};
use super::sequential::Journal;
use super::units::in_target_units;
use uq_core::Table;
use uq_core::metrics::{RowFacts, ScoreContext};
use uq_core::predictive::Predictive;
use uq_core::scaling::{Scaler, Scaling};
use uq_methods::side_tables::Points;
use uq_methods::{Context, FitError, Method, Reading, Request, SideTable};
use uqbench_data::regions::Regions;
use uqbench_system::processor_time::{since, thread_cpu};

/// The units of the scores. Part of the trial's key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScoreUnits {
    /// The target's own units.
    #[default]
    Target,
    /// The units after scaling.
    Scaled,
}

/// One repetition of an experiment, without its data and its method.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting<'a> {
    /// How the repetition goes.
    pub protocol: &'a Protocol,
    /// What its rows depend on.
    pub repetition: Repetition<'a>,
    /// What is done to features and target before the fit.
    pub scaling: Scaling,
    /// The units of the scores.
    pub score_units: ScoreUnits,
    /// The request to the fitted method.
    pub request: &'a Request,
}

/// The result of one repetition.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// Test rows' feature in the data's own units, for problems with one feature: a figure's axis.
    pub x: Option<Array1<f64>>,
    /// Test rows' target, in the units of the scores.
    pub y: Array1<f64>,
    /// Further facts about the test rows: their regions, which the training rows' features define,
    /// and their true noise in the units of the scores.
    pub facts: RowFacts,
    /// One predictive distribution for each reading, in the units of the scores.
    pub readings: Vec<(Reading, Predictive)>,
    /// The fit's side tables; for problems with one feature also the training rows, as `training`.
    pub side_tables: Vec<SideTable>,
    /// Side tables of the fits that the fit consists of, each with its method's name. They are not
    /// stored.
    pub parts: Vec<(&'static str, FitTables)>,
    /// Number of training rows.
    pub train_rows: usize,
    /// Smallest and largest target over the whole dataset, in the units of the scores.
    pub target_range: Option<(f64, f64)>,
    /// Distance between neighbouring values of a discrete or rounded target, in the units of the
    /// scores.
    pub target_resolution: Option<f64>,
    /// Wall time of the fit.
    pub fit_time: Duration,
    /// Processor time of the fit in this thread, and of all that other processes did for it,
    /// predictions included; where the operating system reports it.
    pub fit_cpu: Option<Duration>,
    /// Processor time of what follows the first fit of a sequential protocol in this thread: the
    /// fits and choices of its steps. Absent for other protocols. Steps that a journal had are not
    /// in it.
    pub steps_cpu: Option<Duration>,
    /// Wall time of all predictions.
    pub predict_time: Duration,
    /// Processor time of all predictions in this thread, where the operating system reports it.
    pub predict_cpu: Option<Duration>,
    /// Processor time of each reading's prediction and of its central 95 % interval at each test
    /// row; present only where several readings share no work.
    pub interval_cpu: BTreeMap<Reading, Duration>,
}

/// What the predictions of n test rows are scored against, in the units of the scores.
struct Scored {
    /// The targets, n.
    y: Array1<f64>,
    /// Standard deviations of the noise, n, where they are known.
    noise: Option<Array1<f64>>,
    /// Noise-free truth, n, where it is known.
    truth: Option<Array1<f64>>,
    /// Smallest and largest target over the whole dataset.
    target_range: Option<(f64, f64)>,
    /// Distance between neighbouring values of a discrete or rounded target.
    target_resolution: Option<f64>,
}

impl Scored {
    /// The test rows in the target's units.
    fn in_target_units(Rows { test, noise, truth, all, .. }: &Rows) -> Self {
        Self {
            y: test.target.clone(),
            noise: noise.clone(),
            truth: truth.clone(),
            target_range: all.target_range(),
            target_resolution: test.target_resolution,
        }
    }

    /// The test rows in the units of the fit: `scaled_test` is what `scaler` made of them.
    fn in_units_of_fit(
        Rows { noise, truth, all, .. }: &Rows,
        scaled_test: Table,
        scaler: &Scaler,
    ) -> Self {
        let (shift, scale) = scaler.target_back();
        Self {
            y: scaled_test.target,
            noise: noise.as_ref().map(|noise| noise / scale),
            truth: truth.as_ref().map(|truth| (truth - shift) / scale),
            target_range: all
                .target_range()
                .map(|(low, high)| ((low - shift) / scale, (high - shift) / scale)),
            target_resolution: scaled_test.target_resolution,
        }
    }
}

/// The outcomes of the test rows of a repetition, n, and what metrics need to know of them, in the
/// target's units: what the predictions of a trial are scored against.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcomes {
    /// The targets, n.
    pub y: Array1<f64>,
    /// What else is known of the rows. It has no costs.
    pub context: ScoreContext,
}

impl Outcomes {
    /// Those of the rows that a protocol has chosen from `source`.
    pub fn of(rows: Rows, source: Source) -> Self {
        let rows = rows.imputed(false);
        let Scored { y, noise, truth, target_range, target_resolution } =
            Scored::in_target_units(&rows);
        let facts = RowFacts {
            region: Some(regions(&rows.train, &rows.test)),
            noise,
            truth,
            density: density(source, &rows.test),
        };
        let x = only_feature(&rows.test);
        let context =
            ScoreContext { target_range, target_resolution, x, facts, ..ScoreContext::default() };
        Self { y, context }
    }
}

/// The region of each test row, among those of the training rows.
fn regions(train: &Table, test: &Table) -> Array1<f64> {
    Regions::fit(train.features.view()).of(test.features.view())
}

/// The only feature of a table that has one.
fn only_feature(test: &Table) -> Option<Array1<f64>> {
    (test.columns() == 1).then(|| test.features.column(0).to_owned())
}

/// The density of the training inputs at each test row, where a simulated problem states it.
fn density(source: Source, test: &Table) -> Option<Array1<f64>> {
    let Source::Simulated(problem) = source else { return None };
    test.features.rows().into_iter().map(|row| problem.density(row)).collect()
}

/// Runs one repetition: select → split → fill in missing features that the method does not take →
/// scale → fit → predict → units of the scores.
///
/// # Errors
/// [`FitError`] from the method; [`FitError::Unsupported`] where the protocol cannot divide the
/// rows, and [`FitError::Diverged`] where a method returns an invalid distribution.
pub fn run(
    setting: &Setting,
    source: Source,
    method: &dyn Method,
    context: &Context,
) -> Result<Observed, FitError> {
    run_keeping(setting, source, method, context, None)
}

/// As [`run`]. A sequential protocol keeps its steps in the journal, and goes on after those that
/// are there.
///
/// # Errors
/// As [`run`]; [`FitError::Lost`] where a step cannot be kept.
pub fn run_keeping(
    setting: &Setting,
    source: Source,
    method: &dyn Method,
    context: &Context,
    journal: Option<&dyn Journal>,
) -> Result<Observed, FitError> {
    let protocol = setting.protocol.kind();
    let rows = protocol.rows(&setting.repetition, source)?.imputed(method.facts().takes_missing);
    let scaler = Scaler::new(setting.scaling, &rows.train, &rows.all);
    let (scaled_train, scaled_test) = (scaler.apply(&rows.train), scaler.apply(&rows.test));

    let (start, before) = (Instant::now(), thread_cpu());
    let fitted = method.fit(&scaled_train, &context.child("fit", 0))?;
    let fit_time = start.elapsed();
    let in_thread = since(before);

    let before_steps = thread_cpu().filter(|_| protocol.kept_steps() > 0);
    let found = protocol.observe(&Fit {
        fitted: fitted.as_ref(),
        method,
        readings: &method.readings(),
        repetition: &setting.repetition,
        source,
        rows: &rows,
        scaling: setting.scaling,
        scaler: &scaler,
        scaled_test: &scaled_test,
        request: setting.request,
        context: &context.child("predict", 0),
        journal,
    })?;
    let steps_cpu = since(before_steps);
    let fit_cpu =
        in_thread.zip(fitted.processor_time_elsewhere()).map(|(here, elsewhere)| here + elsewhere);
    let FitTables { own: mut side_tables, parts } = FitTables::of(fitted.as_ref());
    side_tables.extend(found.side_tables);
    let mut readings = found.readings;

    let rows = rows.imputed(false);
    let in_units_of_fit = !found.in_target_units;
    let scored = match setting.score_units {
        ScoreUnits::Scaled if !in_units_of_fit => {
            let why = "this protocol fits several times, each time in units of its own: it scores \
                       in the target's units";
            return Err(FitError::Unsupported(why.into()));
        }
        ScoreUnits::Scaled => Scored::in_units_of_fit(&rows, scaled_test, &scaler),
        ScoreUnits::Target => Scored::in_target_units(&rows),
    };
    if setting.score_units == ScoreUnits::Target
        && in_units_of_fit
        && scaler.target_back() != (0.0, 1.0)
    {
        for (reading, predictive) in &mut readings {
            *predictive =
                in_target_units(predictive, method, reading, &scaler, &rows.train.target.to_vec())?;
        }
    }
    let Rows { train, test, .. } = rows;
    let region = Some(regions(&train, &test));
    let x = only_feature(&test);
    let train_rows = train.rows();
    if train.columns() == 1 {
        let points = Points { x: train.features.column(0).to_vec(), y: train.target.to_vec() };
        side_tables.push(points.to_table(Points::TRAINING));
    }
    Ok(Observed {
        x,
        y: scored.y,
        facts: RowFacts {
            region,
            noise: scored.noise,
            truth: scored.truth,
            density: density(source, &test),
        },
        readings,
        side_tables,
        parts,
        train_rows,
        target_range: scored.target_range,
        target_resolution: scored.target_resolution,
        fit_time,
        fit_cpu,
        steps_cpu,
        predict_time: found.predict_time,
        predict_cpu: found.predict_cpu,
        interval_cpu: found.interval_cpu,
    })
}
