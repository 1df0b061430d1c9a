//! Mark the means that leave repetitions out, because these diverged, failed or have no score, and list the reasons.

use std::collections::BTreeSet;

use super::grid::Grid;
use super::section::Section;
use super::signs::DROPPED;
use uq_core::metrics::MetricId;
use uqbench_judge::evidence::results::{Results, Series};

/// How many repetitions the marked means of one table are based on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Repetitions in a mean, and those expected.
    counts: BTreeSet<(usize, usize)>,
}

impl Dropped {
    /// The mark of a column's mean; empty where it holds all repetitions, or where there is none.
    pub fn mark(&mut self, series: &Series, metric: &MetricId) -> &'static str {
        let n = series.summary(metric).map_or(0, |summary| summary.n);
        self.mark_count(n, series.expected())
    }

    fn mark_count(&mut self, n: usize, expected: usize) -> &'static str {
        if n == 0 || n >= expected {
            return "";
        }
        self.counts.insert((n, expected));
        DROPPED.sign
    }

    /// What the mark means, to be put at the end of a sentence; empty where nothing is marked.
    pub fn note(&self) -> String {
        if self.counts.is_empty() {
            return String::new();
        }
        let counts: Vec<String> = self.counts.iter().map(|(n, expected)| format!("{n} of {expected}")).collect();
        format!("; {} {} repetitions; the others were dropped", DROPPED.sign, counts.join(" or "))
    }
}

/// What a cell says of a mean over `n` of `all` splits, where another cell of its row, or the plan, has more: ` (2 of 8)`. Empty for
/// all of them, and where there is no mean.
pub fn part_of(n: usize, all: usize) -> String {
    if n > 0 && n < all { format!(" ({n} of {all})") } else { String::new() }
}

/// Title of the table of columns of which a repetition gave no predictions.
pub const INCOMPLETE: &str = "Repetitions without predictions";

/// The columns of which a repetition gave no predictions, and why.
pub fn incomplete(results: &Results) -> Option<Section> {
    let mut grid = Grid::new(&["Dataset", "Column", "Variant", "#Ok", "#Expected", "Others"]);
    let all = results.series();
    for dataset in &results.plan.benchmark.datasets {
        let own: Vec<&Series> = all.iter().filter(|series| std::ptr::eq(series.dataset, dataset)).collect();
        if let Some((count, word)) = one_reason(&own) {
            let columns = format!("all {} columns", own.len());
            let others = format!("{count} {word}");
            grid.push(vec![dataset.heading.clone(), columns, String::new(), "0".into(), count.to_string(), others]);
            continue;
        }
        for series in own {
            let (others, expected) = (series.not_ok(), series.repetitions.ends.len());
            if others.is_empty() {
                continue;
            }
            let words: Vec<String> = others.iter().map(|(word, count)| format!("{count} {word}")).collect();
            grid.push(vec![
                series.dataset.heading.clone(),
                series.column.heading.clone(),
                series.variant().unwrap_or_default().into(),
                (expected - others.values().sum::<usize>()).to_string(),
                expected.to_string(),
                words.join(", "),
            ]);
        }
    }
    let title = INCOMPLETE.into();
    (!grid.rows.is_empty()).then(|| Section { title, grid, note: String::new() })
}

/// The number of repetitions and the word, where several series of a dataset have no predictions for one and the same reason.
fn one_reason(own: &[&Series]) -> Option<(usize, &'static str)> {
    let mut all = (0, None);
    for series in own {
        let others = series.not_ok();
        let (&word, &count) = others.iter().next().filter(|_| others.len() == 1)?;
        if count < series.repetitions.ends.len() || all.1.is_some_and(|known| known != word) {
            return None;
        }
        all = (all.0 + count, Some(word));
    }
    (own.len() > 1).then_some((all.0, all.1?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_means_over_a_part_are_marked_and_explained() {
        let mut dropped = Dropped::default();
        assert_eq!([dropped.mark_count(5, 5), dropped.mark_count(0, 5)], ["", ""]);
        assert_eq!(dropped.note(), "");
        assert_eq!([dropped.mark_count(4, 5), dropped.mark_count(3, 5), dropped.mark_count(4, 5)], ["†"; 3]);
        assert_eq!(dropped.note(), "; † 3 of 5 or 4 of 5 repetitions; the others were dropped");
    }
}
