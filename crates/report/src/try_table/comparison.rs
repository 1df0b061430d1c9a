//! Write a comparison for other programs: recommendation, methods, kinds of rows, and the scores of
//! every fold, as JSON.
//!
//! docs/look-up/files.md describes the keys. Nothing in it differs between runs. JSON has no
//! infinity: an infinite number is text, such as `"-inf"`.

use serde::Serialize;
use serde_json::{Map, Value};

use uq_core::metrics::{Crps, MetricId, Rmse};
use uq_core::predictive::Side;
use uq_core::printable::printable;
use uq_core::stats::coverage::{Coverage, Judged};
use uqbench_run::runner::try_table::{
    Aborted, Cause, Evaluation, LeftOut, Slab, Tried, interval_metrics,
};

use super::estimate::{About, ChosenBy, Estimate};
use super::headline::{warning_of_stop, warnings as of_comparison};
use super::kinds::{KindOfRow, kinds};
use super::numbers::numbers;
use super::procedure::estimate;
use super::recommend::recommend;
use super::summary::{Summed, summed};
use crate::words::try_table::slab::place;

/// Raised where a reader of older files would misread this one.
pub(super) const FORMAT: u32 = 2;

/// Longest warning, in characters.
const SHOWN: usize = 600;

#[derive(Serialize)]
struct Comparison<'a> {
    format: u32,
    level: f64,
    side: Side,
    recommendation: Recommended,
    procedure: Option<Procedure>,
    methods: Vec<Compared<'a>>,
    left_out: &'a [LeftOut],
    aborted: Option<Stopped<'a>>,
    kinds: Vec<Kind>,
    slab: Option<Sought>,
    warnings: Vec<String>,
    folds: Value,
}

/// The recommended method, or null; and why, in sentences.
#[derive(Serialize)]
struct Recommended {
    method: Option<String>,
    reasons: Vec<String>,
}

/// A coverage with its interval.
#[derive(Serialize)]
struct Estimated {
    rows: usize,
    coverage: f64,
    interval: Option<(f64, f64)>,
}

/// The coverage of the whole procedure, choice included.
#[derive(Serialize)]
struct Procedure {
    #[serde(flatten)]
    coverage: Estimated,
    judged: String,
    about: &'static str,
    chosen_by: &'static str,
}

/// What has stopped the comparison, and what it has not compared.
#[derive(Serialize)]
struct Stopped<'a> {
    cause: &'static str,
    unfinished: Vec<Undone<'a>>,
}

/// A method that had not finished every fold.
#[derive(Serialize)]
struct Undone<'a> {
    method: &'a str,
    finished: usize,
    fits: usize,
}

/// A method over all folds.
#[derive(Serialize)]
struct Compared<'a> {
    method: &'a str,
    settings: &'a str,
    failure: Option<String>,
    coverage: Option<Estimated>,
    judged: Option<String>,
    guaranteed: Option<f64>,
    theorem: Option<&'a str>,
    scores: Map<String, Value>,
}

/// The coverage of the recommended method in a kind of rows.
#[derive(Serialize)]
struct Kind {
    kind: String,
    #[serde(flatten)]
    coverage: Estimated,
    judged: String,
    width: Option<f64>,
}

/// The slab of the features in which the recommended method covers rows most rarely.
#[derive(Serialize)]
struct Sought {
    slab: String,
    searched: Estimated,
    /// Of the same search where coverage is even.
    even: (f64, f64),
    tested: Estimated,
    judged: String,
}

/// The comparison as JSON; `warnings` are those on the table.
///
/// # Errors
/// serde's, which no comparison causes.
pub fn comparison(
    evaluation: &Evaluation,
    warnings: &[String],
) -> Result<String, serde_json::Error> {
    let recommended = recommend(evaluation);
    let (reasons, of_method) = (recommended.reasons_in_words(), recommended.warnings_in_words());
    let method = recommended.method;
    let chosen = evaluation.methods.iter().find(|tried| Some(&*tried.id) == method.as_deref());
    let of_evaluation =
        warning_of_stop(evaluation).into_iter().chain(of_comparison(chosen, evaluation));
    let of_table = warnings.iter().map(|warning| printable(warning, SHOWN));
    let comparison = Comparison {
        format: FORMAT,
        level: evaluation.bounds.level,
        side: evaluation.bounds.side,
        procedure: chosen.and_then(|_| estimate(evaluation)).map(procedure),
        methods: summed(evaluation).iter().map(|method| compared(method, evaluation)).collect(),
        left_out: &evaluation.left_out,
        aborted: evaluation.aborted.as_ref().map(stopped),
        kinds: chosen
            .map(|tried| kinds(tried, evaluation))
            .unwrap_or_default()
            .into_iter()
            .map(kind)
            .collect(),
        slab: evaluation.slab.as_ref().map(|slab| sought(slab, evaluation.bounds.level)),
        warnings: of_evaluation.chain(of_table).chain(of_method).collect(),
        recommendation: Recommended { method, reasons },
        folds: serde_json::from_str(&numbers(evaluation).json())?,
    };
    Ok(serde_json::to_string_pretty(&comparison)? + "\n")
}

fn procedure(Estimate { coverage, interval, kept, about, chosen_by }: Estimate) -> Procedure {
    Procedure {
        coverage: of(coverage, interval),
        judged: kept.words(coverage.rows),
        about: match about {
            About::ThisModel => "this model",
            About::TrainingSets => "an average over training sets",
        },
        chosen_by: match chosen_by {
            ChosenBy::TrainingRows => "training rows",
            ChosenBy::OtherFolds => "other folds",
        },
    }
}

fn of(coverage: Coverage, interval: Option<(f64, f64)>) -> Estimated {
    Estimated { rows: coverage.rows, coverage: coverage.share(), interval }
}

fn stopped(Aborted { cause, unfinished }: &Aborted) -> Stopped<'_> {
    let undone =
        unfinished.iter().map(|of| Undone { method: &of.id, finished: of.finished, fits: of.fits });
    Stopped {
        cause: match cause {
            Cause::User => "user",
            Cause::Deadline => "deadline",
            Cause::Budget => "budget",
        },
        unfinished: undone.collect(),
    }
}

fn kind(kind: KindOfRow) -> Kind {
    let KindOfRow { name, coverage, judged: Judged { kept, interval }, width, .. } = kind;
    Kind { kind: name, coverage: of(coverage, interval), judged: kept.words(coverage.rows), width }
}

fn sought(slab: &Slab, level: f64) -> Sought {
    let estimated = |coverage: Coverage| of(coverage, coverage.interval());
    Sought {
        slab: place(&slab.place),
        searched: Estimated { interval: None, ..estimated(slab.searched) },
        even: slab.even,
        tested: estimated(slab.tested),
        judged: slab.tested.against(level).words(slab.tested.rows),
    }
}

fn compared<'a>(method: &Summed<'a>, evaluation: &Evaluation) -> Compared<'a> {
    let Tried { id, settings, guaranteed, folds } = method.tried;
    let guaranteed = guaranteed.as_ref().filter(|_| folds.is_ok());
    Compared {
        method: id,
        settings,
        failure: folds.as_ref().err().cloned(),
        coverage: method.coverage.map(|(coverage, _)| of(coverage, coverage.interval())),
        judged: method.coverage.map(|(coverage, kept)| kept.words(coverage.rows)),
        guaranteed: guaranteed.map(|guaranteed| guaranteed.least),
        theorem: guaranteed.map(|guaranteed| guaranteed.theorem.as_str()),
        scores: scores(method, evaluation),
    }
}

/// Mean scores over the test rows by the names of `uqbench list metrics`; null where undefined.
fn scores(method: &Summed, evaluation: &Evaluation) -> Map<String, Value> {
    let [coverage, width, interval_score] = interval_metrics(evaluation.bounds);
    let all = [
        (coverage, method.coverage.map(|(coverage, _)| coverage.share())),
        (width, method.width),
        (interval_score, method.interval_score),
        (MetricId::Crps(Crps), method.crps()),
        (MetricId::Rmse(Rmse), method.rmse),
    ];
    let log_score = evaluation.log_score.map(|metric| (metric, method.log_score));
    all.into_iter()
        .chain(log_score)
        .map(|(metric, score)| (metric.to_string(), json(score)))
        .collect()
}

fn json(score: Option<f64>) -> Value {
    match score {
        None => Value::Null,
        Some(score) if score.is_finite() => score.into(),
        Some(score) => score.to_string().into(),
    }
}
