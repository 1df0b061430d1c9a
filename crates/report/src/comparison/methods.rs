//! Write the comparison of methods: for each metric the means, skill, paired differences and mean
//! ranks.

use thiserror::Error;

use super::Terms;
use super::across::across;
use super::datasets::{differences, failures_as_worst, means, settings, skills};
use super::decomposed;
use super::summary::against_reference;
use crate::document::Document;
use crate::export::documents;
use crate::grid::Grid;
use crate::section::{Block, Page};
use crate::site::single;
use crate::words::comparison::methods as words;
use crate::words::comparison::summary::{against, leader};
use crate::words::field::left_out;
use uq_core::metrics::{Direction, MetricId};
use uq_core::names::{did_you_mean, nearest_name};
use uq_core::stats::digits::exact;
use uqbench_judge::evidence::field::Field;
use uqbench_judge::evidence::imputation::Imputation;
use uqbench_judge::evidence::losses::Losses;
use uqbench_judge::figures::{DifferencePanel, DifferenceRow, Differences, Interval, Measured};
use uqbench_judge::judgement::duels::{Duel, duels};
use uqbench_run::benchmark::report_files;
use uqbench_system::hash::sha256;

/// Name of the page and prefix of its figures.
pub const NAME: &str = report_files::COMPARISON;

/// Why methods cannot be compared.
#[derive(Debug, Error)]
pub enum CompareError {
    /// No method has this name.
    #[error(
        "no method `{name}` among the chosen benchmarks' columns{}; there are: {known}",
        did_you_mean(nearest)
    )]
    Unknown {
        /// The name.
        name: String,
        /// The most similar name.
        nearest: Option<String>,
        /// All of them.
        known: String,
    },
    /// There is no trial to compare.
    #[error("no chosen method has a finished trial in the store")]
    NoTrial,
    /// There is nothing to compare.
    #[error("{0}")]
    Nothing(String),
}

/// The comparison of the named entrants against the first of them. All are compared where none is
/// named, and with the one that is named alone. `decomposed` has the parts of the CRPS of the same
/// trials, where they were asked for.
///
/// # Errors
/// [`CompareError`] for an unknown name, fewer than two methods, or no finished trial.
pub fn render(
    all: &Field,
    decomposed: Option<&Field>,
    names: &[String],
    terms: &Terms,
) -> Result<Vec<Document>, CompareError> {
    let chosen = choose(all, names)?;
    if let Imputation::Method(name) = &terms.imputation {
        position(all, name)?;
    }
    let field = all.only(&chosen);
    let headings: Vec<&str> =
        field.entrants.iter().map(|entrant| entrant.heading.as_str()).collect();
    let mut page = Page::new(words::title(&headings));
    page.name_metrics(field.metrics.iter().copied());
    page.text(terms.origin.clone());
    page.text(words::terms(headings[0], &terms.imputation));
    left_out(&field.notes).into_iter().for_each(|note| page.text(note));
    let (mut figures, mut summary, top) = (Vec::new(), Vec::new(), page.blocks.len());
    let decomposed = decomposed.map(|parts| parts.only(&chosen));
    decomposed.iter().for_each(|parts| page.section(decomposed::section(parts)));
    let mut scored = false;
    // Skill needs the anchors, compared or not.
    let mut with_anchors = chosen.clone();
    with_anchors.extend(all.anchors().into_iter().filter(|anchor| !chosen.contains(anchor)));
    let beside = all.only(&with_anchors);
    for metric in 0..field.metrics.len() {
        let losses = Losses::new(&field, all, metric, &terms.imputation);
        if losses.defined().is_empty() {
            page.text(words::no_score(losses.metric));
            continue;
        }
        scored = true;
        page.section(means(&losses, &terms.imputation));
        let anchored = Losses::new(&beside, all, metric, &terms.imputation);
        if let Some(section) = skills(&anchored, &beside.anchors()) {
            page.section(section);
        }
        let duels = duels(&losses, terms.rope);
        summary.extend(against_reference(&losses, &duels).as_ref().map(against));
        if let Some(figure) = gains_figure(&losses, &duels) {
            page.draw(&mut figures, format!("{NAME}-{}-gains", slug(&losses.metric)), &figure);
        }
        if let Some(section) = differences(&losses, &duels, terms) {
            page.section(section);
        }
        if terms.imputation == Imputation::Drop {
            failures_as_worst(&field, all, metric)
                .into_iter()
                .for_each(|section| page.section(section));
        }
        let across = across(&losses);
        summary.extend(across.leader.as_ref().map(leader));
        if let Some(diagram) = across.diagram {
            page.draw(&mut figures, format!("{NAME}-{}-ranks", slug(&losses.metric)), &diagram);
        }
        across.ranks.into_iter().chain(across.pairs).for_each(|section| page.section(section));
        across.remarks.into_iter().for_each(|remark| page.text(remark));
    }
    if !scored {
        return Err(CompareError::NoTrial);
    }
    page.blocks.splice(top..top, summary.into_iter().map(Block::Text));
    page.section(settings(&field));
    words::READING.iter().for_each(|paragraph| page.text(*paragraph));
    let mut all_numbers = numbers(&field, all, &terms.imputation);
    let parts = decomposed.as_ref().map(|parts| numbers(parts, parts, &Imputation::Drop));
    parts.into_iter().for_each(|parts| all_numbers.extend(parts.rows));
    let mut all_documents = documents(NAME, &page, &all_numbers);
    all_documents.push(single::alone(NAME, &page, &figures));
    all_documents.extend(figures);
    Ok(all_documents)
}

/// A metric with its parameters as part of a file's name.
pub fn slug(metric: &MetricId) -> String {
    let text: String = metric
        .to_string()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    short_enough(text.trim_end_matches('-'))
}

/// A part of a file's name that is no longer than a file's name may be: where it is, its start and
/// a part of its hash.
fn short_enough(text: &str) -> String {
    const LONGEST: usize = 90;
    match text.get(..LONGEST - 9) {
        Some(start) if text.len() > LONGEST => {
            let hash = sha256(text.as_bytes());
            format!("{start}-{}", hash.get(..8).unwrap_or(&hash))
        }
        _ => text.into(),
    }
}

fn choose(all: &Field, names: &[String]) -> Result<Vec<usize>, CompareError> {
    let mut chosen = Vec::new();
    for name in names {
        let entrant = position(all, name)?;
        if chosen.contains(&entrant) {
            return Err(CompareError::Nothing(format!(
                "`{name}` is named twice: a method is not compared with itself"
            )));
        }
        chosen.push(entrant);
    }
    // One method is compared with all others; where none is named an anchor is.
    if names.len() < 2 {
        let everybody: Vec<usize> = (0..all.entrants.len()).collect();
        let present = all.only(&everybody).present();
        let anchor = || present.iter().copied().find(|entrant| all.anchors().contains(entrant));
        let reference = chosen.first().copied().or_else(anchor);
        let others = present.iter().copied().filter(|entrant| Some(*entrant) != reference);
        chosen = reference.into_iter().chain(others).collect();
    }
    if chosen.len() < 2 {
        let found = chosen.len();
        return Err(CompareError::Nothing(format!(
            "a comparison needs two methods, found {found}"
        )));
    }
    Ok(chosen)
}

fn position(all: &Field, name: &str) -> Result<usize, CompareError> {
    all.position(name).ok_or_else(|| {
        let headings = || all.entrants.iter().map(|entrant| entrant.heading.as_str());
        let nearest = nearest_name(name, headings());
        CompareError::Unknown {
            name: name.into(),
            nearest,
            known: headings().collect::<Vec<_>>().join("; "),
        }
    })
}

/// Gains over the reference as a forest plot, positive where a method is better, as in the table;
/// log scores and coverages in their own units, others in per cent. `None` where no difference has
/// an interval.
pub fn gains_figure(losses: &Losses, duels: &[Duel]) -> Option<Differences> {
    let entrants = &losses.field.entrants;
    let share = losses.metric.direction() == Direction::Lower;
    let rows: Vec<DifferenceRow> = duels
        .iter()
        .map(|duel| {
            let factor = if share { 100.0 / duel.reference_loss.abs() } else { 1.0 };
            let half = duel.gain.as_ref().map_or(f64::NAN, |gain| gain.half_width(duel.alpha));
            let (gain, half) = (factor * duel.mean, factor * half);
            DifferenceRow {
                name: if entrants.len() == 2 {
                    duel.block.heading.clone()
                } else {
                    format!("{}: {}", duel.block.heading, entrants[duel.entrant].heading)
                },
                difference: Interval::finite(gain, gain - half, gain + half),
                marked: duel.is_significant(),
            }
        })
        .collect();
    let reference = entrants[0].heading.clone();
    let test = if let [_, b] = &entrants[..] { b.heading.clone() } else { "method".into() };
    let label = words::gain_axis(losses.metric);
    let drawable = rows.iter().any(|row| row.difference.is_some());
    drawable.then(|| Differences {
        title: words::gains_title(losses.metric, &reference),
        test,
        reference,
        measured: Measured::Gains,
        panels: vec![DifferencePanel { label, rows }],
    })
}

/// Every score, one row for each metric, dataset and method.
pub fn numbers(field: &Field, all: &Field, rule: &Imputation) -> Grid {
    let mut grid = Grid::new(&[
        "metric",
        "dataset",
        "method",
        "#n",
        "#mean",
        "#failed",
        "#imputed",
        "repetitions",
    ]);
    for metric in 0..field.metrics.len() {
        let losses = Losses::new(field, all, metric, rule);
        for (block, scores) in &losses.blocks {
            for (entrant, values) in scores.scores.iter().enumerate() {
                let given: Vec<f64> = values.iter().flatten().copied().collect();
                let mean = given.iter().sum::<f64>() / given.len() as f64;
                grid.push(vec![
                    losses.metric.to_string(),
                    block.key.clone(),
                    field.entrants[entrant].heading.clone(),
                    given.len().to_string(),
                    exact((!given.is_empty()).then_some(mean)),
                    scores.failed[entrant].to_string(),
                    scores.imputed[entrant].to_string(),
                    values.iter().copied().map(exact).collect::<Vec<_>>().join(" "),
                ]);
            }
        }
    }
    grid
}
