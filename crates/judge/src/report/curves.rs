//! Tabulate curves: a metric against what a benchmark varies, named as in the figure that draws
//! them.

use super::cell::{Cell, Form};
use super::scores::score;
use super::table::{About, Table};
use crate::evidence::results::repetitions;
use crate::evidence::{Evidence, Series};
use uqbench_run::benchmark::figures::{Figure, LearningPanels, Panel, Sweep};
use uqbench_run::benchmark::{ACQUISITION, DatasetRow, MetricRow};

/// Most points of a curve that a table shows; the last one is shown besides.
const MOST_POINTS: usize = 25;

/// The curves of each dataset with a score of this metric: those that the paper or a figure shows,
/// then those of variants.
pub(super) fn curves(evidence: &Evidence, metric: &MetricRow) -> Vec<Table> {
    let results = &evidence.results;
    let all = results.series();
    let names = Names::of(&results.plan.benchmark.figures, metric);
    let of_dataset = |dataset: &DatasetRow| {
        let own: Vec<Series> =
            all.iter().filter(|s| s.dataset.key == dataset.key).copied().collect();
        let scored = own.iter().any(|s| s.summary(&metric.id).is_some());
        let heading = (own.len() < all.len()).then(|| dataset.heading.clone());
        let (main, variants): (Vec<Series>, Vec<Series>) =
            own.iter().copied().partition(|s| names.is_main(s));
        let parts = match (main.is_empty(), variants.is_empty()) {
            (false, false) => vec![(main, false), (variants, true)],
            _ => vec![(own, false)],
        };
        let parts = parts.into_iter().filter(move |_| scored);
        parts
            .map(|(of, of_variants)| {
                table(evidence, &of, metric, &names, (heading.clone(), of_variants))
            })
            .collect()
    };
    results
        .plan
        .benchmark
        .datasets
        .iter()
        .flat_map(|dataset| -> Vec<Table> { of_dataset(dataset) })
        .collect()
}

/// Rows are the points of a curve, columns are its series.
fn table(
    evidence: &Evidence,
    all: &[Series],
    metric: &MetricRow,
    names: &Names,
    (dataset, of_variants): (Option<String>, bool),
) -> Table {
    let mut points: Vec<f64> = all.iter().filter_map(|s| s.column.x).collect();
    points.sort_by(f64::total_cmp);
    points.dedup();
    let on_curve = || all.iter().filter(|s| s.column.x.is_some());
    let most = on_curve().map(Series::expected).max().unwrap_or(0);
    let every = points.len().div_ceil(MOST_POINTS);
    let last = points.len().saturating_sub(1);
    let shown =
        points.iter().enumerate().filter(|(i, _)| i % every == 0 || *i == last).map(|(_, x)| *x);
    let mut columns: Vec<String> = Vec::new();
    for name in on_curve().map(|s| names.curve(s)) {
        if !columns.contains(&name) {
            columns.push(name);
        }
    }
    let repetitions = repetitions(all, &metric.id);
    let about =
        About::Curves { metric: metric.heading.clone(), dataset, of_variants, repetitions, every };
    let head = std::iter::once(names.abscissa).chain(columns.iter().map(String::as_str));
    let mut table = Table::new(about, head.map(|name| format!("#{name}")));
    for x in shown {
        let cells = columns.iter().map(|name| {
            let found = all.iter().find(|s| s.column.x == Some(x) && names.curve(s) == *name);
            found.map_or_else(Cell::empty, |series| {
                Cell::Score(Box::new(score(evidence, series, metric, most)))
            })
        });
        table.push(std::iter::once(Cell::number(Some(x), Form::Exact)).chain(cells));
    }
    table
}

/// The headings of curves and of their abscissa.
struct Names<'a> {
    abscissa: &'a str,
    curves: &'a [Panel],
}

impl<'a> Names<'a> {
    /// The headings in the figure of this metric along an abscissa, or in another such figure of
    /// the benchmark.
    fn of(figures: &'a [Figure], metric: &MetricRow) -> Self {
        let along = |figure: &'a Figure| match figure {
            Figure::Sweep(Sweep { x_label, series, .. }) => {
                Some((figure, x_label.as_str(), series.as_slice()))
            }
            Figure::LearningPanels(LearningPanels { x_label, series, control, .. })
                if control.is_empty() =>
            {
                Some((figure, x_label.as_str(), series.as_slice()))
            }
            _ => None,
        };
        let mut all = figures.iter().filter_map(along);
        let first = all.clone().next();
        let drawn = all.find(|(figure, ..)| figure.kind().metrics().contains(&metric.id)).or(first);
        let (abscissa, curves) =
            drawn.map_or(("x", &[][..]), |(_, x_label, series)| (x_label, series));
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
    if let Some((curve, _)) = series
        .column
        .heading
        .rsplit_once(", ")
        .filter(|_| series.column.labels.contains_key(ACQUISITION))
    {
        return std::iter::once(curve).chain(series.variant()).collect::<Vec<_>>().join(", ");
    }
    let labels: Vec<String> =
        series.column.labels.iter().map(|(label, value)| format!("{label} {value}")).collect();
    labels.into_iter().chain(series.variant().map(str::to_owned)).collect::<Vec<_>>().join(", ")
}
