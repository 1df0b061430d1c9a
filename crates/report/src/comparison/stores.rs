//! Write the comparison of two stores: the same experiments, run by two versions of the program or
//! on two machines.

use std::collections::{BTreeMap, BTreeSet};

use super::methods::CompareError;
use crate::document::Document;
use crate::export::documents;
use crate::grid::Grid;
use crate::section::{Block, Page, Section};
use crate::site::single;
use crate::words::comparison::stores as words;
use uq_core::metrics::{Direction, MetricId};
use uq_core::stats::digits::{NONE, number};
use uqbench_judge::evidence::contents::Contents;
use uqbench_judge::figures::{DifferencePanel, DifferenceRow, Differences, Interval, Measured};
use uqbench_judge::judgement::change::Change;
use uqbench_judge::judgement::stores::{Opponents, Row, opponents, rows};
use uqbench_run::benchmark::report_files;
use uqbench_run::external;
use uqbench_run::runner::plan::Plan;
use uqbench_run::runner::record::TrialResult;

/// Name of the page and of its figure.
const NAME: &str = report_files::STORES;
/// Most rows of the figure.
const MOST_ROWS: usize = 40;

/// What was read of one store.
pub struct StoreSide<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its finished trials, scored by the metrics of the comparison.
    pub contents: Contents,
    /// Sentences on its damaged trials, each with a blank before it.
    pub damage: String,
}

/// Two stores, or one whose newest versions are compared with those before them.
pub struct TwoStores<'a> {
    /// The earlier one.
    pub old: StoreSide<'a>,
    /// The later one.
    pub new: StoreSide<'a>,
    /// Whether they are one and the same.
    pub is_one: bool,
}

/// Compares two stores by these metrics; `plans` give experiments the names that they have in
/// tables.
///
/// # Errors
/// [`CompareError`] where they have no experiment in common.
pub fn render(
    TwoStores { old: a, new: b, is_one }: &TwoStores,
    plans: &[Plan],
    metrics: &[MetricId],
) -> Result<Vec<Document>, CompareError> {
    let (old, new) = (&a.contents, &b.contents);
    let opponents = opponents(old, new, *is_one);
    let rows = rows(&opponents, plans, metrics);
    if rows.is_empty() && *is_one {
        return Err(CompareError::Nothing(format!(
            "{} is one store, which has no method in two versions: nothing is compared with itself",
            a.name
        )));
    }
    let compared =
        Compared { rows: &rows, opponents: &opponents, trials: [old.trials(), new.trials()] };
    page(&compared, [a, b])
}

/// What two stores have in common.
struct Compared<'a> {
    rows: &'a [Row],
    opponents: &'a BTreeMap<&'a str, Opponents<'a>>,
    /// Numbers of finished trials of each.
    trials: [usize; 2],
}

fn page(compared: &Compared, sides: [&StoreSide; 2]) -> Result<Vec<Document>, CompareError> {
    let names = sides.map(|side| side.name);
    let rows = compared.rows;
    if rows.is_empty() {
        let [a, b] = names;
        return Err(CompareError::Nothing(format!(
            "{a} and {b} have no finished trial of the same experiment in common"
        )));
    }
    let mut page = Page::new(words::title(names));
    page.name_metrics(metrics_of(rows));
    page.text(words::counts(names, compared.counts()));
    for StoreSide { name, damage: line, .. } in sides {
        if !line.is_empty() {
            page.text(format!("{name}:{line}"));
        }
    }
    page.section(summary(rows));
    compared.versions(names).into_iter().for_each(|section| page.section(section));
    let mut figures = Vec::new();
    if let Some(figure) = figure(rows, names) {
        page.draw(&mut figures, format!("{NAME}-gains"), &figure);
    }
    page.blocks.extend(changed(rows, names).map(Block::shown));
    let of_site = single::alone(NAME, &page, &figures);
    Ok(documents(NAME, &page, &numbers(rows)).into_iter().chain([of_site]).chain(figures).collect())
}

impl Compared<'_> {
    /// How many trials are compared, and how many of these pairs are one and the same trial.
    fn counts(&self) -> words::Counts {
        let pairs = self.opponents.values().flat_map(|Opponents { old, new }| {
            old.trials
                .iter()
                .filter_map(|(repetition, (old, _))| Some((old, &new.trials.get(repetition)?.0)))
        });
        let (mut common, mut same) = (0, 0);
        for (old, new) in pairs {
            common += 1;
            same += usize::from(old.key == new.key);
        }
        words::Counts { finished: self.trials, common, same }
    }

    /// The methods of which two versions are compared, with these.
    fn versions(&self, names: [&str; 2]) -> Option<Section> {
        let [a, b] = names.map(|name| format!("{name}: compared"));
        let (mut grid, mut rows) = (Grid::new(&["Method", &a, &b]), BTreeSet::new());
        for Opponents { old, new } in
            self.opponents.values().filter(|pair| pair.old.version != pair.new.version)
        {
            let method = |result: &TrialResult| {
                let name = result.spec.parameters["name"]
                    .as_str()
                    .filter(|_| result.spec.method == external::ID);
                name.unwrap_or(&result.spec.method).to_owned()
            };
            let name =
                new.trials.values().next().map_or_else(String::new, |(result, _)| method(result));
            let row = vec![name, old.version.words.clone(), new.version.words.clone()];
            rows.insert(row);
        }
        grid.extend(rows);
        let note = words::VERSIONS.into();
        (!grid.rows.is_empty()).then(|| Section { title: "Versions".into(), grid, note })
    }
}

/// The metrics of the rows, in their order.
fn metrics_of(rows: &[Row]) -> Vec<MetricId> {
    let mut metrics: Vec<MetricId> = Vec::new();
    for row in rows {
        if !metrics.contains(&row.metric) {
            metrics.push(row.metric);
        }
    }
    metrics
}

fn summary(rows: &[Row]) -> Section {
    let mut head = vec!["Metric".to_owned()];
    head.extend(Change::ALL.iter().map(|change| format!("#{}", change.word())));
    let mut grid = Grid::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
    for metric in metrics_of(rows) {
        let count = |change: &Change| {
            rows.iter()
                .filter(|row| row.metric == metric && row.judged.change == *change)
                .count()
                .to_string()
        };
        grid.push(std::iter::once(metric.label()).chain(Change::ALL.iter().map(count)));
    }
    Section { title: "Summary".into(), grid, note: words::summary() }
}

/// The columns that are not the same, worst first.
fn changed(rows: &[Row], names: [&str; 2]) -> Option<Section> {
    let mut differing: Vec<&Row> =
        rows.iter().filter(|row| row.judged.change != Change::Same).collect();
    differing.sort_by_key(|row| row.judged.change);
    let [a, b] = names.map(|name| format!("#{name}"));
    let mut grid =
        Grid::new(&["Change", "Dataset", "Method", "Metric", "#n", &a, &b, "#Gain", "#Interval"]);
    for row in &differing {
        let mean = |scores: &[Option<f64>]| {
            let given: Vec<f64> = scores.iter().flatten().copied().collect();
            if given.is_empty() {
                NONE.into()
            } else {
                number(given.iter().sum::<f64>() / given.len() as f64, None)
            }
        };
        let gain = row.judged.gain;
        let digits =
            |value: f64| number(value, gain.and_then(|gain| gain.summary.standard_error()));
        let interval =
            gain.and_then(|gain| Some((gain.summary.mean, gain.summary.half_width(gain.alpha)?)));
        grid.push(vec![
            row.judged.change.word().into(),
            row.name.dataset.clone(),
            row.name.method.clone(),
            row.metric.label(),
            row.judged.n.to_string(),
            mean(&row.pair.old),
            mean(&row.pair.new),
            gain.map_or(NONE.into(), |gain| digits(gain.summary.mean)),
            interval.map_or(NONE.into(), |(mean, half)| {
                format!("{} to {}", digits(mean - half), digits(mean + half))
            }),
        ]);
    }
    (!differing.is_empty()).then(|| Section {
        title: "What differs".into(),
        grid,
        note: words::CHANGED.into(),
    })
}

/// Losses before less losses after, as in the table, in panels by unit: in per cent of what they
/// were, in nat, in distance from the aim.
fn figure(rows: &[Row], names: [&str; 2]) -> Option<Differences> {
    let mut differing: Vec<&Row> = rows.iter().filter(|row| row.judged.gain.is_some()).collect();
    differing.sort_by_key(|row| row.judged.change);
    let panel = |wanted: fn(Direction) -> bool| {
        let mut of_unit = differing.iter().filter(|row| wanted(row.metric.direction())).peekable();
        let label = words::gain_axis(of_unit.peek()?.metric.direction());
        let drawn: Vec<DifferenceRow> =
            of_unit.take(MOST_ROWS).filter_map(|row| drawn(row)).collect();
        let drawable = drawn.iter().any(|row| row.difference.is_some());
        drawable.then(|| DifferencePanel { label: label.into(), rows: drawn })
    };
    let panels: Vec<DifferencePanel> = [
        panel(|direction| direction == Direction::Lower),
        panel(|direction| direction == Direction::Higher),
        panel(|direction| matches!(direction, Direction::Target(_))),
    ]
    .into_iter()
    .flatten()
    .collect();
    let [a, b] = names;
    (!panels.is_empty()).then(|| Differences {
        title: words::gains_title(names, MOST_ROWS),
        test: b.into(),
        reference: a.into(),
        measured: Measured::Gains,
        panels,
    })
}

fn drawn(row: &Row) -> Option<DifferenceRow> {
    let gain = row.judged.gain?;
    let losses: Vec<f64> =
        row.pair.old.iter().flatten().map(|&score| row.metric.direction().loss(score)).collect();
    let share = row.metric.direction() == Direction::Lower;
    let factor =
        if share { 100.0 / (losses.iter().sum::<f64>() / losses.len() as f64).abs() } else { 1.0 };
    let (gained, half) =
        (factor * gain.summary.mean, factor * gain.summary.half_width(gain.alpha)?);
    Some(DifferenceRow {
        name: format!("{}: {}, {}", row.name.dataset, row.name.method, row.metric.label()),
        difference: Interval::finite(gained, gained - half, gained + half),
        marked: gain.significant,
    })
}

fn numbers(rows: &[Row]) -> Grid {
    let mut grid = Grid::new(&["change", "dataset", "method", "metric", "#n", "before", "after"]);
    let joined = |scores: &[Option<f64>]| {
        scores
            .iter()
            .map(|s| s.map(|v| v.to_string()).unwrap_or_default())
            .collect::<Vec<_>>()
            .join(" ")
    };
    grid.extend(rows.iter().map(|row| {
        vec![
            row.judged.change.word().into(),
            row.name.dataset.clone(),
            row.name.method.clone(),
            row.metric.to_string(),
            row.judged.n.to_string(),
            joined(&row.pair.old),
            joined(&row.pair.new),
        ]
    }));
    grid
}
