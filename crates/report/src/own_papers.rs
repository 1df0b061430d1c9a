//! Tabulate how baselines compare with their own papers: counts of words, every number, and which
//! scores are paired.

use std::collections::BTreeMap;

use super::grid::Grid;
use super::section::{Block, Place, Section};
use super::words::own_papers::{self as words, Order};
use uq_core::stats::digits::{NONE, number};
use uqbench_judge::judgement::fidelity::{Fidelity, Reading};
use uqbench_judge::judgement::originals::{Hint, OriginalLine, Originals};
use uqbench_run::benchmark::SpreadKind;
use uqbench_run::runner::plan::{ColumnId, Plan};

/// The tables of a benchmark that judges baselines by their own papers; none where no number has
/// repetitions of ours.
pub fn blocks(plan: &Plan, originals: &Originals) -> Vec<Block> {
    if originals.lines.is_empty() {
        return Vec::new();
    }
    let diagnoses =
        [Some(counts(plan, originals)), row_orders(plan, originals)].into_iter().flatten();
    let diagnoses = diagnoses.map(|section| Block::Table(Place::Diagnosis, section));
    diagnoses.chain([Block::shown(lines(plan, originals))]).collect()
}

/// Numbers that judge nothing beside ours, from this `source`; `None` where there is none.
pub fn hints(plan: &Plan, originals: &Originals, source: Option<&str>) -> Option<Section> {
    let mut grid = Grid::new(&[
        "Column",
        "Dataset",
        "Metric",
        "#Hint",
        "#Its standard error",
        "#Ours",
        "#Our standard error",
        "#n",
    ]);
    for Hint { column: id, metric, cell, own } in &originals.hints {
        let error =
            |error: Option<f64>| error.map_or(NONE.into(), |error| number(error, Some(error)));
        let printed = cell
            .spread
            .is_some()
            .then(|| cell.standard_error(cell.spread_kind, 0.0, cell.repetitions(own.n)));
        grid.push(vec![
            column(plan, *id).0,
            plan.column(*id).0.heading.clone(),
            metric.heading.clone(),
            cell.value.clone(),
            error(printed),
            number(own.mean, own.standard_error()),
            error(own.standard_error()),
            own.n.to_string(),
        ]);
    }
    let note = words::hints(source.unwrap_or_default());
    (!grid.rows.is_empty()).then(|| Section { title: words::HINTS.into(), grid, note })
}

/// Heading of a column, and its variant.
fn column(plan: &Plan, id: ColumnId) -> (String, String) {
    let (dataset, method, column) = plan.column(id);
    let variant = dataset.variant.as_ref().or(method.variant.as_ref());
    (column.heading.clone(), variant.cloned().unwrap_or_default())
}

/// How often each word occurs, by paper.
fn counts(plan: &Plan, originals: &Originals) -> Section {
    let mut head = vec!["Paper".to_owned(), "Variant".to_owned()];
    head.extend(Fidelity::ALL.iter().map(|word| format!("#{}", word.as_str())));
    let mut grid = Grid::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
    let mut by_paper: BTreeMap<(String, String), Vec<&OriginalLine>> = BTreeMap::new();
    for line in &originals.lines {
        let (_, variant) = column(plan, line.column);
        by_paper.entry((line.paper.clone(), variant)).or_default().push(line);
    }
    for ((paper, variant), lines) in by_paper {
        let of =
            |word: &Fidelity| lines.iter().filter(|line| line.word == *word).count().to_string();
        grid.push([vec![paper, variant], Fidelity::ALL.iter().map(of).collect()].concat());
    }
    Section { title: words::COUNTS.into(), grid, note: words::counts(originals.not_run) }
}

/// The correlations that decide which columns are paired; `None` where no authors' scores of splits
/// are known.
fn row_orders(plan: &Plan, originals: &Originals) -> Option<Section> {
    let first = &originals.row_orders.first()?.1;
    let mut head = vec!["Column".to_owned(), "Variant".to_owned()];
    head.extend(first.correlations.iter().map(|(dataset, _)| format!("#{dataset}")));
    head.push("Test".into());
    let mut grid = Grid::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
    for (id, order) in &originals.row_orders {
        let (heading, variant) = column(plan, *id);
        let shown = |(_, found): &(String, Option<f64>)| {
            found.map_or(NONE.into(), |found| format!("{found:.3}"))
        };
        let test = if order.is_same { "paired" } else { "Welch" };
        let cells = order.correlations.iter().map(shown);
        grid.push([heading, variant].into_iter().chain(cells).chain([test.to_owned()]));
    }
    let pairing = plan.benchmark.own_papers.as_ref().and_then(|rule| rule.pairing.as_ref())?;
    let deciding = match first.correlations.get(..pairing.datasets.len()) {
        Some(those) if !pairing.shown.is_empty() => those,
        _ => &[],
    };
    let datasets: Vec<&str> = deciding.iter().map(|(dataset, _)| dataset.as_str()).collect();
    let note =
        words::order(Order { metric: pairing.metric, datasets: &datasets, above: pairing.above });
    Some(Section { title: words::ORDER.into(), grid, note })
}

/// Every number with its interval.
fn lines(plan: &Plan, originals: &Originals) -> Section {
    let mut grid = Grid::new(&[
        "Paper",
        "Column",
        "Variant",
        "Dataset",
        "Metric",
        "#Printed",
        "#n",
        "Test",
        "#g",
        "#h",
        "#m",
        "Word",
        "Experiment",
    ]);
    for line in &originals.lines {
        let (heading, variant) = column(plan, line.column);
        let width = |value: f64| number(value, Some(value));
        let half_widths: Vec<String> =
            line.readings.iter().map(|reading| width(reading.half_width)).collect();
        grid.push(vec![
            line.paper.clone(),
            heading,
            variant,
            plan.column(line.column).0.heading.clone(),
            line.metric.heading.clone(),
            line.printed.value.clone(),
            line.n.to_string(),
            if line.paired { "paired" } else { "Welch" }.into(),
            number(line.gain, line.readings.first().map(|reading| reading.half_width)),
            if half_widths.is_empty() { NONE.into() } else { half_widths.join(" / ") },
            width(line.margin),
            word(line),
            line.cause.clone(),
        ]);
    }
    let judged = originals.lines.iter().filter(|line| !line.readings.is_empty());
    let wide = judged
        .clone()
        .filter(|line| line.readings.iter().any(|reading| reading.half_width > line.margin))
        .count();
    let note = words::numbers(wide, judged.count());
    Section { title: words::NUMBERS.into(), grid, note }
}

/// The word, and those of both readings where they differ.
fn word(line: &OriginalLine) -> String {
    let of = |reading: &Reading| {
        let kind =
            if reading.kind == SpreadKind::Se { "standard error" } else { "standard deviation" };
        format!("{kind}: {}", reading.word.as_str())
    };
    let differ = line.readings.iter().any(|reading| reading.word != line.word);
    let each = line.readings.iter().map(of).collect::<Vec<_>>().join(", ");
    if differ { format!("{} ({each})", line.word.as_str()) } else { line.word.as_str().into() }
}
