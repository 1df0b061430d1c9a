//! Tabulate the scores of variants by metrics that the paper does not print. No verdict covers them, and no other table
//! shows them.

use super::dropped::part_of;
use super::grid::{Cell, Grid, Lead};
use super::marks::Marks;
use super::section::Section;
use super::trial::first_of;
use uq_core::stats::digits::{NONE, mean_and_spread};
use uqbench_judge::evidence::{Evidence, Series};
use uqbench_run::benchmark::MetricRow;

/// One table for each metric without printed numbers: one row for each variant of a column, one column for each
/// dataset. None where no variant has a score.
pub fn sections(evidence: &Evidence) -> Vec<Section> {
    let metrics = evidence.results.plan.benchmark.metrics.iter().filter(|metric| metric.published.is_none());
    metrics.filter_map(|metric| section(evidence, metric)).collect()
}

fn section(evidence: &Evidence, metric: &MetricRow) -> Option<Section> {
    let results = &evidence.results;
    let all = results.series();
    let has_score = |s: &&Series| s.column.x.is_none() && s.summary(&metric.id).is_some();
    let scored: Vec<&Series> = all.iter().filter(|s| s.method.variant.is_some()).filter(has_score).collect();
    // One column may have several variants, which share its heading.
    let of = |s: &Series| (s.column.heading.clone(), s.variant().unwrap_or_default().to_owned());
    let mut kinds: Vec<(String, String)> = Vec::new();
    for kind in scored.iter().map(|s| of(s)) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let most = |key: &str| {
        let of_dataset = scored.iter().filter(|s| s.dataset.key == key);
        of_dataset.map(|s| s.expected()).max().unwrap_or(0)
    };
    let has_any = |key: &str| scored.iter().any(|s| s.dataset.key == key);
    let datasets: Vec<_> = results.plan.benchmark.datasets.iter().filter(|d| has_any(&d.key)).collect();
    let names: Vec<String> = datasets.iter().map(|dataset| format!("#{}", dataset.heading)).collect();
    let head: Vec<&str> = ["Column", "Variant"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let mut grid = Grid::new(&head);
    let mut marks = Marks::new(&evidence.unconverged);
    for kind in kinds {
        let mut cells = vec![kind.0.as_str().into(), kind.1.as_str().into()];
        for dataset in &datasets {
            let found = scored.iter().find(|s| s.dataset.key == dataset.key && of(s) == kind);
            let mean = found.and_then(|s| Some((s, s.summary(&metric.id)?)));
            let cell = mean.map(|(s, m)| {
                mean_and_spread(Some(m.mean), m.sd) + &part_of(m.n, most(&dataset.key)) + &marks.mark(s, &metric.id)
            });
            let first = found.and_then(|s| first_of(s));
            cells.push(Cell::leading(cell.unwrap_or_else(|| NONE.into()), first.map(Lead::Trial)));
        }
        grid.push(cells);
    }
    let note = format!("Mean ± standard deviation; the paper prints no numbers to compare these with{}.", marks.note());
    (!grid.rows.is_empty()).then(|| Section { title: format!("{}: variants", metric.heading), grid, note })
}
