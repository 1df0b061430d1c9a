//! Tabulate curves: a metric against what a benchmark varies, named as in the figure that draws them.

use super::dropped::part_of;
use super::grid::{Cell, Grid, Lead};
use super::marks::Marks;
use super::section::Section;
use super::trial::first_of;
use uq_core::stats::digits::{NONE, abscissa, mean_and_spread};
use uqbench_judge::evidence::results::repetitions;
use uqbench_judge::evidence::unconverged::Unconverged;
use uqbench_judge::evidence::{Evidence, Series};
use uqbench_run::benchmark::figures::{Figure, LearningPanels, Panel, Sweep};
use uqbench_run::benchmark::{ACQUISITION, DatasetRow, MetricRow};

/// Most points of a curve that a page shows; the last one is shown besides.
const MOST_POINTS: usize = 25;

/// The curves of one dataset.
pub struct Curves {
    /// Those that the paper or a figure shows.
    pub main: Section,
    /// Those of other variants of the methods, if there are any.
    pub variants: Option<Section>,
}

/// The curves of each dataset with a score of this metric.
pub fn curves(evidence: &Evidence, metric: &MetricRow) -> Vec<Curves> {
    let Evidence { results, unconverged, .. } = evidence;
    let all = results.series();
    let names = Names::of(&results.plan.benchmark.figures, metric);
    let of_dataset = |dataset: &DatasetRow| {
        let own: Vec<Series> = all.iter().filter(|s| s.dataset.key == dataset.key).copied().collect();
        let title = if own.len() < all.len() { format!(", {}", dataset.heading) } else { String::new() };
        let scored = own.iter().any(|s| s.summary(&metric.id).is_some());
        let table =
            |of: &[Series], what| section(of, metric, metric.heading.clone() + &title + what, &names, unconverged);
        let (main, variants): (Vec<Series>, Vec<Series>) = own.iter().copied().partition(|s| names.is_main(s));
        scored.then(|| match (main.is_empty(), variants.is_empty()) {
            (false, false) => {
                let mut folded = table(&variants, ", variants");
                // Pages of many curves stay small: main tables alone lead to trials.
                folded.grid.rows.iter_mut().flatten().for_each(|cell| cell.lead = None);
                Curves { main: table(&main, ""), variants: Some(folded) }
            }
            _ => Curves { main: table(&own, ""), variants: None },
        })
    };
    results.plan.benchmark.datasets.iter().filter_map(of_dataset).collect()
}

/// Rows are the points of a curve, columns are its series.
fn section(all: &[Series], metric: &MetricRow, title: String, names: &Names, unconverged: &Unconverged) -> Section {
    let mut points: Vec<f64> = all.iter().filter_map(|s| s.column.x).collect();
    points.sort_by(f64::total_cmp);
    points.dedup();
    let most = all.iter().filter(|s| s.column.x.is_some()).map(Series::expected).max().unwrap_or(0);
    let every = points.len().div_ceil(MOST_POINTS);
    let last = points.len().saturating_sub(1);
    let shown = points.iter().enumerate().filter(|(i, _)| i % every == 0 || *i == last).map(|(_, x)| *x);
    let mut columns: Vec<String> = Vec::new();
    for name in all.iter().filter(|s| s.column.x.is_some()).map(|s| names.curve(s)) {
        if !columns.contains(&name) {
            columns.push(name);
        }
    }
    let head: Vec<String> = std::iter::once(names.abscissa)
        .chain(columns.iter().map(String::as_str))
        .map(|name| format!("#{name}"))
        .collect();
    let mut grid = Grid::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
    let mut marks = Marks::new(unconverged);
    for x in shown {
        let at = |name: &String| all.iter().find(|s| s.column.x == Some(x) && names.curve(s) == *name);
        let mut cell = |series: &Series| {
            let summary = series.summary(&metric.id);
            mean_and_spread(summary.map(|m| m.mean), summary.and_then(|m| m.sd))
                + &part_of(summary.map_or(0, |m| m.n), most)
                + &marks.mark(series, &metric.id)
        };
        let cells = columns.iter().map(|name| match at(name) {
            Some(series) => Cell::leading(cell(series), first_of(series).map(Lead::Trial)),
            None => NONE.into(),
        });
        grid.push(std::iter::once(abscissa(x).into()).chain(cells));
    }
    let n = repetitions(all, &metric.id);
    let left_out =
        if every > 1 { format!(" One point of {every} is shown; the CSV file has all.") } else { String::new() };
    let note = format!("Mean ± standard deviation over {n}{}.{left_out}", marks.note());
    Section { title, grid, note }
}

/// The headings of curves and of their abscissa.
struct Names<'a> {
    abscissa: &'a str,
    curves: &'a [Panel],
}

impl<'a> Names<'a> {
    /// The headings in the figure of this metric along an abscissa, or in another such figure of the benchmark.
    fn of(figures: &'a [Figure], metric: &MetricRow) -> Self {
        let along = |figure: &'a Figure| match figure {
            Figure::Sweep(Sweep { x_label, series, .. }) => Some((figure, x_label.as_str(), series.as_slice())),
            Figure::LearningPanels(LearningPanels { x_label, series, control, .. }) if control.is_empty() => {
                Some((figure, x_label.as_str(), series.as_slice()))
            }
            _ => None,
        };
        let mut all = figures.iter().filter_map(along);
        let first = all.clone().next();
        let drawn = all.find(|(figure, ..)| figure.kind().metrics().contains(&metric.id)).or(first);
        let (abscissa, curves) = drawn.map_or(("x", &[][..]), |(_, x_label, series)| (x_label, series));
        Self { abscissa, curves }
    }

    /// Whether a figure draws the curve, or it is no variant of a method.
    fn is_main(&self, series: &Series) -> bool {
        series.method.variant.is_none() || self.drawn(series).is_some()
    }

    fn drawn(&self, series: &Series) -> Option<&Panel> {
        self.curves.iter().find(|panel| series.is_column(&panel.labels, panel.dataset.as_deref()))
    }

    /// The name in the figure. For a column that is not drawn: its labels and its variant.
    fn curve(&self, series: &Series) -> String {
        self.drawn(series).map_or_else(|| labelled(series), |panel| panel.title.clone())
    }
}

fn labelled(series: &Series) -> String {
    // Each step of an acquisition is a column, headed "METHOD, ACQUISITION, 3 added".
    if let Some((curve, _)) =
        series.column.heading.rsplit_once(", ").filter(|_| series.column.labels.contains_key(ACQUISITION))
    {
        return std::iter::once(curve).chain(series.variant()).collect::<Vec<_>>().join(", ");
    }
    let labels: Vec<String> = series.column.labels.iter().map(|(label, value)| format!("{label} {value}")).collect();
    labels.into_iter().chain(series.variant().map(str::to_owned)).collect::<Vec<_>>().join(", ")
}
