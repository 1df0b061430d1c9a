//! Tabulate scores: as the paper has them, against what a benchmark varies, and those of variants.

use super::cell::{Cell, Score};
use super::table::{About, Table};
use crate::evidence::differences::differences;
use crate::evidence::results::repetitions;
use crate::evidence::validation::flag;
use crate::evidence::{Evidence, Series};
use crate::judgement::leaders::Leaders;
use crate::judgement::numbers::{cell_of, printed_cell};
use crate::judgement::{NumberLine, Scorecard};
use uq_core::metrics::Direction;
use uq_core::stats::summary::median_beside_lone;
use uqbench_run::benchmark::{MetricRow, PrintedColumn};

/// Whether a column belongs into the paper's table: it is no variant and no point of a curve.
pub(super) fn is_main_column(series: &Series) -> bool {
    series.method.variant.is_none() && series.column.x.is_none()
}

/// Rows are datasets, columns are methods, as in the paper: our mean beside the printed number.
pub(super) fn scores(evidence: &Evidence, card: &Scorecard, metric: &MetricRow) -> Table {
    let Evidence { results, published, .. } = evidence;
    let series = results.series();
    let differences = differences(results, &metric.id);
    let leaders = Leaders::find(results, metric.id);
    let columns = main_columns(&series);
    // Without a printed number of this metric such a column would be empty.
    let has_numbers = |column: &&PrintedColumn| {
        published
            .cells
            .iter()
            .any(|c| c.labels == column.labels && metric.published.as_ref() == Some(&c.metric))
    };
    let unbuilt: Vec<&PrintedColumn> =
        results.plan.benchmark.printed_columns.iter().filter(has_numbers).collect();
    let numbers =
        unbuilt.iter().map(|c| &c.heading).chain(columns.iter().map(|c| &c.column.heading));
    let about = About::Scores {
        metric: metric.heading.clone(),
        repetitions: repetitions(&series, &metric.id),
        has_printed: published
            .cells
            .iter()
            .any(|cell| metric.published.as_ref() == Some(&cell.metric)),
        has_unbuilt: !unbuilt.is_empty(),
        significant: (!differences.is_empty()).then(|| {
            (differences.iter().filter(|d| d.comparison.significant).count(), differences.len())
        }),
        validation: results.plan.benchmark.validation,
    };
    let head =
        std::iter::once("Dataset".to_owned()).chain(numbers.map(|heading| format!("#{heading}")));
    let mut table = Table::new(about, head);
    for dataset in &results.plan.benchmark.datasets {
        let of_dataset: Vec<&Series> =
            series.iter().filter(|s| s.dataset.key == dataset.key).collect();
        if of_dataset.is_empty() {
            continue;
        }
        let most = most_repetitions(&of_dataset);
        let printed = unbuilt.iter().map(|column| {
            let Some(cell) = printed_cell(published, dataset, &column.labels, metric) else {
                return Cell::empty();
            };
            let line = place(card, |line| line.column.is_none() && line.printed == *cell);
            Cell::Printed { value: cell.value.clone(), line }
        });
        let own = columns.iter().map(|column| {
            let found = of_dataset.iter().find(|s| s.column == column.column && is_main_column(s));
            let Some(series) = found else { return Cell::empty() };
            let values: Vec<f64> = series.values(&metric.id).into_iter().flatten().collect();
            let is_same =
                |other: &Series| other.column == series.column && other.dataset == series.dataset;
            Cell::Score(Box::new(Score {
                median: median_beside_lone(&values),
                significant: differences
                    .iter()
                    .any(|d| d.comparison.significant && is_same(&d.test)),
                against_best: leaders.against_best(&dataset.key, &column.column.heading),
                misses_coverage: flag(results, series).is_some_and(|flag| flag.none),
                printed: cell_of(published, series, metric).map(|cell| cell.value.clone()),
                line: place(card, |line| {
                    line.column == Some(series.id) && line.metric.id == metric.id
                }),
                ..score(evidence, series, metric, most)
            }))
        });
        table.push(std::iter::once(Cell::text(&dataset.heading)).chain(printed).chain(own));
    }
    let places = places(&table.rows, metric.id.direction());
    table.head.iter_mut().zip(places).for_each(|(heading, place)| heading.place = place);
    table
}

/// The place of each column by its mean rank over the rows, from 1; columns with equal mean ranks
/// have one place. A column without a mean in a row is last there. The first column names the rows.
fn places(rows: &[Vec<Cell>], direction: Direction) -> Vec<Option<usize>> {
    let loss = |cell: &Cell| match cell {
        Cell::Score(score) => score.summary.map(|summary| direction.loss(summary.mean)),
        _ => None,
    };
    let losses: Vec<Vec<Option<f64>>> =
        rows.iter().map(|row| row.iter().map(loss).collect()).collect();
    let columns = rows.first().map_or(0, Vec::len);
    let rank = |row: &Vec<Option<f64>>, column: usize| match row[column] {
        Some(own) => row.iter().flatten().filter(|&&other| other < own).count(),
        None => columns,
    };
    let summed = |column: usize| losses.iter().map(|row| rank(row, column)).sum::<usize>();
    let ranks: Vec<usize> = (1..columns).map(summed).collect();
    let place = |own: &usize| ranks.iter().filter(|&other| other < own).count() + 1;
    std::iter::once(None).chain(ranks.iter().map(|own| Some(place(own)))).collect()
}

/// The columns of the paper's table, each once.
fn main_columns<'s, 'a>(series: &'s [Series<'a>]) -> Vec<&'s Series<'a>> {
    let mut columns: Vec<&Series> = Vec::new();
    for one in series.iter().filter(|s| is_main_column(s)) {
        if !columns.iter().any(|c| c.column == one.column) {
            columns.push(one);
        }
    }
    columns
}

/// The largest number of repetitions that a main column of one dataset is to have.
fn most_repetitions(of_dataset: &[&Series]) -> usize {
    of_dataset.iter().filter(|s| is_main_column(s)).map(|s| s.expected()).max().unwrap_or(0)
}

/// The place in the scorecard of the printed number that fits.
fn place(card: &Scorecard, fits: impl Fn(&NumberLine) -> bool) -> Option<usize> {
    card.numbers.iter().position(fits)
}

/// The score of a column in a row whose columns have at most `most` repetitions.
pub(super) fn score(
    evidence: &Evidence,
    series: &Series,
    metric: &MetricRow,
    most: usize,
) -> Score {
    let summary = series.summary(&metric.id);
    Score::of(series, summary, most, evidence.unconverged.count(series))
}

/// One table for each metric without printed numbers: one row for each variant of a column, one
/// column for each dataset. None where no variant has a score.
pub(super) fn of_variants(evidence: &Evidence) -> Vec<Table> {
    let metrics =
        evidence.results.plan.benchmark.metrics.iter().filter(|metric| metric.published.is_none());
    metrics.filter_map(|metric| of_variants_by(evidence, metric)).collect()
}

fn of_variants_by(evidence: &Evidence, metric: &MetricRow) -> Option<Table> {
    let results = &evidence.results;
    let all = results.series();
    let has_score = |s: &&Series| s.column.x.is_none() && s.summary(&metric.id).is_some();
    let scored: Vec<&Series> =
        all.iter().filter(|s| s.method.variant.is_some()).filter(has_score).collect();
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
    let datasets: Vec<_> =
        results.plan.benchmark.datasets.iter().filter(|d| has_any(&d.key)).collect();
    let names = datasets.iter().map(|dataset| format!("#{}", dataset.heading));
    let head = ["Column", "Variant"].map(str::to_owned).into_iter().chain(names);
    let mut table = Table::new(About::Variants { metric: metric.heading.clone() }, head);
    for kind in kinds {
        let cells = datasets.iter().map(|dataset| {
            let found = scored.iter().find(|s| s.dataset.key == dataset.key && of(s) == kind);
            let score = found.map(|s| score(evidence, s, metric, most(&dataset.key)));
            score.map_or_else(Cell::empty, |score| Cell::Score(Box::new(score)))
        });
        table.push([Cell::text(&kind.0), Cell::text(&kind.1)].into_iter().chain(cells));
    }
    table.filled()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::stats::Summary;

    /// A row with the name of a dataset and these means.
    fn row(means: &[Option<f64>]) -> Vec<Cell> {
        let cell = |mean: &Option<f64>| {
            let summary = mean.and_then(|mean| Summary::from_values(&[mean]));
            Cell::Score(Box::new(Score { summary, ..Score::default() }))
        };
        std::iter::once(Cell::text("Boston")).chain(means.iter().map(cell)).collect()
    }

    #[test]
    fn columns_have_places_by_their_mean_rank() {
        let [low, middle, high] = [Some(1.0), Some(2.0), Some(3.0)];
        let rows = [row(&[low, high, middle, None]), row(&[middle, low, low, None])];
        let places = |direction| places(&rows, direction);
        assert_eq!(places(Direction::Lower), [None, Some(2), Some(2), Some(1), Some(4)]);
        assert_eq!(places(Direction::Higher), [None, Some(2), Some(1), Some(2), Some(4)]);
        assert_eq!(super::places(&[], Direction::Lower), [None]);
    }
}
