//! Write the comparison of methods: for each metric the means, skill, paired differences and mean
//! ranks.

use thiserror::Error;

use super::Terms;
use super::across::across;
use super::datasets::{differences, failures_as_worst, means, settings, skills};
use super::summary::against_reference;
use crate::document::Document;
use crate::export::documents;
use crate::grid::Grid;
use crate::section::{Block, Page};
use crate::site::single;
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

/// How to read the tables, at the end of the page.
const READING: [&str; 4] = [
    "How to read this. –: not defined or not run. Skill: 1 − mean loss / anchor's mean loss \
     (Murphy 1988), for log scores the gain in nat; 0 is no better than the anchor.",
    "Gain: mean loss of the reference less that of the method on the same splits; positive means \
     that the method is better. Interval and p: Student's, with the variance of Nadeau and Bengio \
     (2003) for overlapping training sets, (1/n + test/train) s², Holm-corrected at 5 % over the \
     comparisons of the table. They hold for new data of the kind, on one dataset each.",
    "Decision: better or worse where the corrected p is below 0.05; equivalent where the whole \
     interval lies inside the region of practical equivalence; both where both hold; else \
     undecided. The first sentences, the marks of the figures and the table follow this rule. \
     Scores that differ by no more than rounding are equal. P(better), P(equivalent), P(worse): \
     posterior of the correlated t-test (Corani and Benavoli 2015) that the gain lies above, \
     inside or below the region; it looks at one comparison alone, is not corrected for their \
     number, and decides nothing. Detectable: the smallest gain that this design would find \
     significant on its own.",
    "Across datasets (Demšar 2006) a dataset is one observation. Signed ranks: Wilcoxon's test of \
     the datasets' mean gains, equal means left out; W+ sums the ranks of the datasets on which \
     the first method is better. Mean ranks: only datasets on which every ranked method has a \
     score, by the splits that all of them have; methods whose mean ranks differ by less than the \
     critical difference are joined, and all are where the test over all methods (Iman and \
     Davenport) does not reject at 5 %.",
];

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
/// named, and with the one that is named alone.
///
/// # Errors
/// [`CompareError`] for an unknown name, fewer than two methods, or no finished trial.
pub fn render(all: &Field, names: &[String], terms: &Terms) -> Result<Vec<Document>, CompareError> {
    let chosen = choose(all, names)?;
    if let Imputation::Method(name) = &terms.imputation {
        position(all, name)?;
    }
    let field = all.only(&chosen);
    let reference = &field.entrants[0].heading;
    let mut page = Page::new(match &field.entrants[..] {
        [a, b] => format!("Comparison of {} and {}", a.heading, b.heading),
        _ => format!("Comparison of {} methods", field.entrants.len()),
    });
    page.name_metrics(field.metrics.iter().copied());
    page.text(terms.origin.clone());
    page.text(format!(
        "Reference: {reference}. A gain is positive where a method is better than the reference. \
         Failed repetitions: {}.",
        match &terms.imputation {
            Imputation::Drop => "dropped".into(),
            Imputation::Worst => "given the worst score on the same split".into(),
            Imputation::Method(name) => format!(
                "given the score of {name} where it has one, else \
                                                 dropped"
            ),
        }
    ));
    field.notes.iter().for_each(|note| page.text(note.clone()));
    let (mut figures, mut summary, top) = (Vec::new(), Vec::new(), page.blocks.len());
    let mut scored = false;
    // Skill needs the anchors, compared or not.
    let mut with_anchors = chosen.clone();
    with_anchors.extend(all.anchors().into_iter().filter(|anchor| !chosen.contains(anchor)));
    let beside = all.only(&with_anchors);
    for metric in 0..field.metrics.len() {
        let losses = Losses::new(&field, all, metric, &terms.imputation);
        if losses.defined().is_empty() {
            page.text(format!(
                "{}: no method has this score on any dataset.",
                losses.metric.label()
            ));
            continue;
        }
        scored = true;
        page.section(means(&losses, &terms.imputation));
        let anchored = Losses::new(&beside, all, metric, &terms.imputation);
        if let Some(section) = skills(&anchored, &beside.anchors()) {
            page.section(section);
        }
        let duels = duels(&losses, terms.rope);
        summary.extend(against_reference(&losses, &duels));
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
        summary.extend(across.leader);
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
    READING.iter().for_each(|words| page.text(*words));
    let mut all_documents = documents(NAME, &page, &numbers(&field, all, &terms.imputation));
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
    let label = match losses.metric.direction() {
        Direction::Lower => format!("Gain in {}, % of the reference's", losses.metric.label()),
        Direction::Higher => format!("Gain in {}", losses.metric.label()),
        Direction::Target(_) => {
            format!("Gain in the distance of {} from its aim", losses.metric.label())
        }
    };
    let drawable = rows.iter().any(|row| row.difference.is_some());
    drawable.then(|| Differences {
        title: format!("{} against {reference}: positive is better", losses.metric.label()),
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
