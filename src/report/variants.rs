//! Show what variants score by metrics of which the paper prints nothing: no verdict names them, so no other table does.

use super::grid::{Grid, mean_and_spread};
use super::marks::Marks;
use super::results::{Results, Series};
use super::section::Section;
use super::unconverged::Unconverged;
use crate::benchmark::MetricRow;

/// One table a metric without printed numbers: a row a dataset, a column a variant of a method. None where no variant has a
/// score.
pub fn sections(results: &Results, unconverged: &Unconverged) -> Vec<Section> {
    let metrics = results.plan.benchmark.metrics.iter().filter(|metric| metric.published.is_none());
    metrics.filter_map(|metric| section(results, metric, unconverged)).collect()
}

fn section(results: &Results, metric: &MetricRow, unconverged: &Unconverged) -> Option<Section> {
    let all = results.series();
    let has_score = |s: &&Series| s.column.x.is_none() && s.summary(&metric.id).is_some();
    let scored: Vec<&Series> = all.iter().filter(|s| s.method.variant.is_some()).filter(has_score).collect();
    let mut headings: Vec<&str> = Vec::new();
    for one in &scored {
        if !headings.contains(&one.column.heading.as_str()) {
            headings.push(&one.column.heading);
        }
    }
    let mut grid = Grid::new(&[&["Dataset"], headings.as_slice()].concat());
    grid.numeric[1..].fill(true);
    let mut marks = Marks::new(unconverged);
    for dataset in &results.plan.benchmark.datasets {
        let of_dataset: Vec<&&Series> = scored.iter().filter(|s| s.dataset.key == dataset.key).collect();
        if of_dataset.is_empty() {
            continue;
        }
        let cell = |heading: &&str| {
            let found = of_dataset.iter().find(|s| s.column.heading == **heading);
            let mean = found.and_then(|s| Some((s, s.summary(&metric.id)?)));
            mean.map_or("–".to_owned(), |(s, m)| mean_and_spread(Some(m.mean), m.sd) + &marks.mark(s, &metric.id))
        };
        let cells: Vec<String> = headings.iter().map(cell).collect();
        grid.rows.push([vec![dataset.heading.clone()], cells].concat());
    }
    let note = format!("Mean ± standard deviation; the paper prints nothing to judge these by{}.", marks.note());
    (!grid.rows.is_empty()).then(|| Section { title: format!("{}: variants", metric.heading), grid, note })
}
