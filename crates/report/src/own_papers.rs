//! Tabulate how baselines compare with their own papers: counts of words, every number, and which
//! scores are paired.

use std::collections::BTreeMap;

use super::grid::{Grid, counted};
use super::section::{Block, Place, Section};
use uq_core::stats::digits::{NONE, number};
use uqbench_judge::judgement::fidelity::{Fidelity, Reading};
use uqbench_judge::judgement::originals::{Hint, OriginalLine, Originals};
use uqbench_run::benchmark::SpreadKind;
use uqbench_run::runner::plan::{ColumnId, Plan};

/// Title of the table of words.
pub const COUNTS: &str = "Baselines beside their own papers: counts";

/// Title of the table that says which columns are paired.
pub const ORDER: &str = "Order of the splits";

/// Title of the table of numbers that judge nothing.
pub const HINTS: &str = "Hints, not judged";

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
    let note = format!("These numbers judge nothing. {}", source.unwrap_or_default());
    (!grid.rows.is_empty()).then(|| Section { title: HINTS.into(), grid, note })
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
    let not_run = match originals.not_run {
        0 => String::new(),
        count => format!(
            " {} fewer than two finite repetitions of ours, and no word.",
            counted_have(count)
        ),
    };
    let note = format!(
        "Our version of a method beside the numbers of its own paper. Faithful: the interval of \
         the difference lies within the margin m. Weak: ours is worse by more than m. Suspiciously \
         good: ours is better by more than m. Differs: farther than m by a metric that ranks \
         nothing here. Inconclusive: the interval contains an end of the margin. The intervals of \
         one paper are Holm-corrected together at 5 %.{not_run}"
    );
    Section { title: COUNTS.into(), grid, note }
}

fn counted_have(count: usize) -> String {
    format!("{} {}", counted(count, "printed number"), if count == 1 { "has" } else { "have" })
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
    let decide = match first.correlations.get(..pairing.datasets.len()) {
        Some(those) if !pairing.shown.is_empty() => {
            let names: Vec<&str> = those.iter().map(|(dataset, _)| dataset.as_str()).collect();
            format!("each of those on {}", names.join(" and "))
        }
        _ => "each of these correlations".into(),
    };
    let note = format!(
        "Correlation of our {} with the authors\' over splits. Losses are paired by split where \
         {decide} exceeds {}: then both have the same splits in the same order. –: no scores on \
         common splits.",
        pairing.metric.label(),
        pairing.above
    );
    Some(Section { title: ORDER.into(), grid, note })
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
    let power = match judged.count() {
        0 => String::new(),
        count => format!(
            " {wide} of {count} numbers have h above m: no difference, however small, would make \
             them faithful."
        ),
    };
    let note = format!(
        "g: the printed loss less ours, positive where ours is better; h: half width of its \
         interval, with half a printed digit; m: the larger of the tolerance δ and one printed \
         digit. Two values of h and two words are those of a spread read as a standard deviation \
         and as a standard error; a word stands only where both agree. Experiment: what separates \
         the causes of a number that is not met.{power}"
    );
    Section { title: "Baselines beside their own papers".into(), grid, note }
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
