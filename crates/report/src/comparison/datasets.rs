//! Compare methods on each dataset: means, skill against the anchors, and corrected paired
//! differences.

use serde_json::Value;

use super::failures::{mark, marks};
use super::{Terms, first_trial};
use crate::grid::{Cell, Grid, Lead};
use crate::section::Section;
use crate::skill::written;
use crate::words::comparison::datasets as words;
use crate::words::dropped::part_of;
use uq_core::stats::Summary;
use uq_core::stats::digits::{NONE, mean_and_spread, number, p_value};
use uq_core::stats::paired::ALPHA;
use uq_core::stats::skill::skill;
use uqbench_judge::evidence::field::Field;
use uqbench_judge::evidence::imputation::{Imputation, Imputed};
use uqbench_judge::evidence::losses::Losses;
use uqbench_judge::judgement::duels::Duel;

/// Each dataset's protocol and units, in the words of a benchmark file.
pub fn settings(field: &Field) -> Section {
    let mut grid = Grid::new(&[
        "Dataset",
        "#Test by training rows",
        "Protocol",
        "Rows",
        "Scaling",
        "Units of the scores",
    ]);
    grid.extend(field.blocks.iter().map(|block| {
        let of_dataset = [block.heading.clone(), format!("{:.3}", block.test_to_train)];
        of_dataset.into_iter().chain(block.setting().iter().map(in_words)).collect::<Vec<_>>()
    }));
    Section { title: "Datasets".into(), grid, note: String::new() }
}

/// A value without the marks of its notation: `{"holdout": {"test": {"fraction": 0.2}}}` is
/// "holdout test fraction 0.2".
fn in_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(parts) => {
            let parts: Vec<String> =
                parts.iter().map(|(name, part)| format!("{name} {}", in_words(part))).collect();
            parts.join(", ")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => value.to_string(),
    }
}

/// Mean ± standard deviation of every method on every dataset.
pub fn means(losses: &Losses, rule: &Imputation) -> Section {
    let mut head = vec!["Dataset".to_owned()];
    head.extend(losses.field.entrants.iter().map(|e| format!("#{}", e.heading)));
    let mut grid = Grid::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
    let cell = |scores: &Imputed, entrant: usize| {
        let given: Vec<f64> = scores.scores[entrant].iter().flatten().copied().collect();
        let text = match Summary::from_values(&given) {
            Some(summary) => mean_and_spread(Some(summary.mean), summary.sd),
            // A log score of an outcome with probability zero.
            None if !given.is_empty() => {
                number(given.iter().sum::<f64>() / given.len() as f64, None)
            }
            None => NONE.into(),
        };
        let repetitions = scores.scores[entrant].len();
        text + &part_of(given.len(), repetitions) + &mark(scores, entrant)
    };
    for (block, scores) in &losses.blocks {
        let cell = |entrant| {
            Cell::leading(cell(scores, entrant), first_trial(block, entrant).map(Lead::Trial))
        };
        let cells = (0..losses.field.entrants.len()).map(cell);
        grid.push(std::iter::once(block.heading.as_str().into()).chain(cells));
    }
    let marked =
        losses.blocks.iter().any(|(_, scores)| scores.failed.iter().any(|&failed| failed > 0));
    let note = words::means(losses.metric.direction(), marked.then_some(rule));
    Section { title: losses.metric.label(), grid, note }
}

/// Means on the datasets on which a method failed, with the worst score of any method in place of
/// each failed repetition. A mean that leaves failures out is one over other splits than those
/// beside it. `None` where no method failed.
pub fn failures_as_worst(field: &Field, all: &Field, metric: usize) -> Option<Section> {
    let mut losses = Losses::new(field, all, metric, &Imputation::Worst);
    losses.blocks.retain(|(_, scores)| scores.imputed.iter().any(|&imputed| imputed > 0));
    let section = (!losses.blocks.is_empty()).then(|| means(&losses, &Imputation::Worst))?;
    Some(Section { title: words::with_worst_scores(&section.title), ..section })
}

/// The duels as a table.
pub fn differences(losses: &Losses, duels: &[Duel], terms: &Terms) -> Option<Section> {
    let heading = |entrant: usize| losses.field.entrants[entrant].heading.clone();
    let mut grid = Grid::new(&[
        "Dataset",
        "Method",
        "#n",
        "#Gain",
        "#Interval",
        "#p (Holm)",
        "#Equal within ±",
        "#P(better)",
        "#P(equivalent)",
        "#P(worse)",
        "Decision",
        "#Smallest detectable",
    ]);
    for duel in duels {
        let marks = mark(duel.scores, 0) + &mark(duel.scores, duel.entrant);
        let mut row =
            vec![duel.block.heading.clone(), heading(duel.entrant) + &marks, duel.n.to_string()];
        row.extend(match &duel.gain {
            Some(gain) => {
                let half = gain.half_width(duel.alpha);
                let [worse, equivalent, better] = gain.probabilities(duel.region);
                let digits = |value: f64| number(value, Some(gain.scale.max(f64::MIN_POSITIVE)));
                vec![
                    digits(gain.summary.mean),
                    format!(
                        "{} to {}",
                        digits(gain.summary.mean - half),
                        digits(gain.summary.mean + half)
                    ),
                    p_value(duel.p),
                    digits(duel.region),
                    format!("{better:.2}"),
                    format!("{equivalent:.2}"),
                    format!("{worse:.2}"),
                    duel.decision().map_or(NONE, words::decision).into(),
                    digits(gain.detectable(ALPHA)),
                ]
            }
            None => {
                let mut cells = vec![NONE.to_owned(); 9];
                cells[0] = if duel.mean.is_nan() { NONE.into() } else { number(duel.mean, None) };
                cells[7] = words::no_decision(duel.why_none);
                cells
            }
        });
        grid.push_of_trials(row, first_trial(duel.block, duel.entrant));
    }
    let reference = heading(0);
    let compared = duels.iter().filter(|duel| duel.gain.is_some()).count();
    let note = words::differences(compared, losses.metric.direction(), terms.rope, &marks(losses));
    (!duels.is_empty()).then(|| Section {
        title: format!("{} against {reference}", losses.metric.label()),
        grid,
        note,
    })
}

/// Skill of every method against the anchors (indices into the field's entrants), on the
/// repetitions that both have.
pub fn skills(losses: &Losses, anchors: &[usize]) -> Option<Section> {
    let (kind, entrants) = (losses.metric.skill()?, &losses.field.entrants);
    let others: Vec<usize> =
        (0..entrants.len()).filter(|entrant| !anchors.contains(entrant)).collect();
    let mut head = vec!["Dataset".to_owned(), "Anchor".to_owned()];
    head.extend(others.iter().map(|&entrant| format!("#{}", entrants[entrant].heading)));
    let mut grid = Grid::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
    for (block, scores) in &losses.blocks {
        for &anchor in anchors {
            let of = |entrant: usize| skill(kind, &scores.scores[entrant], &scores.scores[anchor]);
            let found: Vec<_> = others.iter().map(|&entrant| of(entrant)).collect();
            let counts: Vec<usize> = others
                .iter()
                .map(|&entrant| losses.common(scores, &[entrant, anchor]).len())
                .collect();
            let most = counts.iter().copied().max().unwrap_or(0);
            if found.iter().any(Option::is_some) {
                let cells =
                    found.into_iter().zip(counts).zip(&others).map(|((skill, n), &entrant)| {
                        let text =
                            skill.map_or(NONE.into(), |skill| written(skill) + &part_of(n, most));
                        Cell::leading(text, first_trial(block, entrant).map(Lead::Trial))
                    });
                let names =
                    [&block.heading, &entrants[anchor].heading].map(|name| name.as_str().into());
                grid.push(names.into_iter().chain(cells));
            }
        }
    }
    let note = words::skill(&marks(losses));
    (!grid.rows.is_empty()).then(|| Section {
        title: words::skill_title(losses.metric),
        grid,
        note,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_protocol_is_written_without_the_marks_of_its_notation() {
        for (value, words) in [
            (json!("standard"), "standard"),
            (json!({"fixed": 0.01}), "fixed 0.01"),
            (json!({"holdout": {"test": {"fraction": 0.2}}}), "holdout test fraction 0.2"),
            (json!({"numpy-k-fold": {"folds": 5, "seed": 0}}), "numpy-k-fold folds 5, seed 0"),
            (json!({"start": [[0, 0.2], [5000, 0.1]]}), "start [[0,0.2],[5000,0.1]]"),
        ] {
            assert_eq!(in_words(&value), words);
        }
    }
}
