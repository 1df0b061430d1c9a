//! Show at a glance how far our numbers lie from the printed ones: the figure of a table that has none of its own.

use super::document::Document;
use super::drawings::{DrawingError, Drawn};
use crate::plot::{Agreement, AgreementKind, AgreementPanel, AgreementPoint};
use uq_core::stats::digits::{NONE, number};
use uqbench_judge::judgement::{NumberLine, Scorecard, Verdict};
use uqbench_run::benchmark::report_files::Beside;

/// The figure of the printed numbers of the main reading; `None` where no two numbers are compared.
///
/// # Errors
/// [`DrawingError::Figure`] where it cannot be drawn.
pub fn drawn(card: &Scorecard) -> Result<Option<Drawn>, DrawingError> {
    let mut drawing = Agreement { title: TITLE.into(), lanes: Vec::new(), panels: Vec::new() };
    for metric in &card.plan.benchmark.metrics {
        let mut points = Vec::new();
        for line in card.numbers.iter().filter(|line| line.metric.id == metric.id) {
            let Some((name, distance, kind)) = compared(card, line) else { continue };
            let known = drawing.lanes.iter().position(|lane| *lane == name);
            let lane = known.unwrap_or_else(|| {
                drawing.lanes.push(name);
                drawing.lanes.len() - 1
            });
            let words = words(card, line, &drawing.lanes[lane]);
            points.push(AgreementPoint { lane, distance, kind, words });
        }
        if !points.is_empty() {
            drawing.panels.push(AgreementPanel { label: metric.heading.clone(), points });
        }
    }
    if drawing.panels.is_empty() {
        return Ok(None);
    }
    let file = Beside::Agreement.name(&card.plan.benchmark.id);
    let document =
        Document::figure(&file, &drawing).map_err(|source| DrawingError::Figure { file: file.clone(), source })?;
    Ok(Some(Drawn { file, title: TITLE.into(), document }))
}

const TITLE: &str = "Our numbers beside the printed ones, a point for each dataset";

/// Dataset, column, both numbers, h, δ, the number of repetitions and the verdict.
fn words(card: &Scorecard, line: &NumberLine, column: &str) -> String {
    let dataset = line.column.map_or("", |id| &card.plan.column(id).0.heading);
    let own = line.own.as_ref().map_or_else(String::new, |own| format!("{}, n = {}", number(own.mean, own.sd), own.n));
    let judged = line.judgement.as_ref().map_or_else(String::new, |judgement| {
        let [half, tolerance] = [judgement.half_width, Some(judgement.tolerance)]
            .map(|one| one.map_or_else(|| NONE.into(), |one| number(one, Some(one))));
        format!("; h = {half}, δ = {tolerance}")
    });
    format!("{dataset}, {column}: printed {}, ours {own}{judged}: {}", line.printed.value, line.verdict)
}

/// The column of a number of the main reading, its distance from the printed one in tolerances, and what came out.
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
        Verdict::Compatible | Verdict::Inconclusive | Verdict::TooFew => AgreementKind::Undecided,
        Verdict::DiffersBetter | Verdict::DiffersWorse | Verdict::Differs | Verdict::Excluded(_) => {
            AgreementKind::Differ
        }
        Verdict::Flag { .. } | Verdict::NoneHere | Verdict::Word(_) | Verdict::NotRun(_) => return None,
    };
    distance.is_finite().then_some((name, distance, kind))
}
