//! Show at a glance how far our numbers lie from the printed ones: the figure of a table that has
//! none of its own.

use serde::{Deserialize, Serialize};

use super::{Figure, NamedFigure};
use crate::judgement::{NumberLine, Scorecard, Verdict};
use uq_core::stats::digits::{NONE, number};
use uqbench_run::benchmark::report_files::Beside;

/// Our numbers beside the printed ones.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    /// Title of the figure.
    pub title: String,
    /// Names of the lanes, from above.
    pub lanes: Vec<String>,
    /// One panel for each metric, side by side.
    pub panels: Vec<AgreementPanel>,
    /// Numbers without a tolerance, which have no point: they are printed as 0, or the rules name
    /// none for their metric.
    #[serde(default)]
    pub without_tolerance: usize,
}

/// One metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgreementPanel {
    /// The metric.
    pub label: String,
    /// Its numbers.
    pub points: Vec<AgreementPoint>,
}

/// One number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgreementPoint {
    /// Place of its lane.
    pub lane: usize,
    /// Ours less the printed number, in tolerances.
    pub distance: f64,
    /// What came out.
    pub kind: AgreementKind,
    /// The two numbers, in words.
    pub words: String,
}

/// What a comparison of two numbers says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AgreementKind {
    /// They agree, or differ by no more than the tolerance.
    Agree,
    /// The run cannot tell.
    Undecided,
    /// Too few repetitions ran to judge them.
    TooFew,
    /// They differ.
    Differ,
}

const TITLE: &str = "Our numbers beside the printed ones, a point for each dataset";

/// The figure of the printed numbers of the main reading; `None` where no two numbers are compared.
pub fn agreement(card: &Scorecard) -> Option<NamedFigure> {
    let mut figure = Agreement { title: TITLE.into(), ..Agreement::default() };
    for metric in &card.plan.benchmark.metrics {
        let mut points = Vec::new();
        for line in card.numbers.iter().filter(|line| line.metric.id == metric.id) {
            let Some((name, distance, kind)) = compared(card, line) else { continue };
            if !distance.is_finite() {
                figure.without_tolerance += 1;
                continue;
            }
            let known = figure.lanes.iter().position(|lane| *lane == name);
            let lane = known.unwrap_or_else(|| {
                figure.lanes.push(name);
                figure.lanes.len() - 1
            });
            let words = words(card, line, &figure.lanes[lane]);
            points.push(AgreementPoint { lane, distance, kind, words });
        }
        if !points.is_empty() {
            figure.panels.push(AgreementPanel { label: metric.heading.clone(), points });
        }
    }
    let file = Beside::Agreement.name(&card.plan.benchmark.id);
    let is_any = !figure.panels.is_empty();
    is_any.then(|| NamedFigure { file, title: TITLE.into(), figure: Figure::Agreement(figure) })
}

/// Dataset, column, both numbers, h, δ, the number of repetitions and the verdict.
fn words(card: &Scorecard, line: &NumberLine, column: &str) -> String {
    let dataset = line.column.map_or("", |id| &card.plan.column(id).0.heading);
    let own = line
        .own
        .as_ref()
        .map_or_else(String::new, |own| format!("{}, n = {}", number(own.mean, own.sd), own.n));
    let judged = line.judgement.as_ref().map_or_else(String::new, |judgement| {
        let [half, tolerance] = [judgement.half_width, Some(judgement.tolerance)]
            .map(|one| one.map_or_else(|| NONE.into(), |one| number(one, Some(one))));
        format!("; h = {half}, δ = {tolerance}")
    });
    format!(
        "{dataset}, {column}: printed {}, ours {own}{judged}: {}",
        line.printed.value, line.verdict
    )
}

/// The column of a number of the main reading, its distance from the printed one in tolerances,
/// which is infinite without one, and what came out.
fn compared(card: &Scorecard, line: &NumberLine) -> Option<(String, f64, AgreementKind)> {
    let column = line.column?;
    let experiment = card.plan.experiments.get(column.experiment)?;
    let dataset = card.plan.benchmark.datasets.get(experiment.dataset)?;
    if experiment.method.variant.is_some() || dataset.variant.is_some() {
        return None;
    }
    let name = experiment.method.columns.get(column.column)?.heading.clone();
    let (printed, own) = (line.printed.value.parse::<f64>().ok()?, line.own.as_ref()?.mean);
    let distance = (own - printed) / line.judgement.as_ref()?.tolerance;
    let kind = match line.verdict {
        Verdict::Reproduced | Verdict::Close => AgreementKind::Agree,
        Verdict::Compatible | Verdict::Inconclusive => AgreementKind::Undecided,
        Verdict::TooFew => AgreementKind::TooFew,
        Verdict::DiffersBetter
        | Verdict::DiffersWorse
        | Verdict::Differs
        | Verdict::Excluded(_) => AgreementKind::Differ,
        Verdict::NotJudged
        | Verdict::Flag { .. }
        | Verdict::NoneHere
        | Verdict::Word(_)
        | Verdict::NotRun(_) => return None,
    };
    Some((name, distance, kind))
}
