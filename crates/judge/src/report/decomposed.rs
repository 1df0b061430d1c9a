//! Tabulate the scores of the parts of the variance, methods by datasets.

use super::cell::{Cell, FirstTrial, Form, Number};
use super::table::{About, PartScore, Table};
use crate::evidence::Results;
use crate::evidence::decomposition::{Column, Estimate, PARTS, Scores};

impl PartScore {
    /// Every score that has a table, in the order of the page.
    const ALL: [Self; 4] = [Self::Skill, Self::Level, Self::Unevenness, Self::Rank];

    fn estimate(self, scores: &Scores) -> Option<Estimate> {
        match self {
            Self::Skill => scores.skill,
            Self::Level => scores.level,
            Self::Unevenness => scores.unevenness,
            Self::Rank => scores.rank,
        }
    }
}

/// Below it a score is zero up to rounding.
const ROUNDING: f64 = 1e-12;

/// A column with the scores of its three parts.
type Scored<'c, 'a> = (&'c Column<'a>, [Option<Scores>; 3]);

/// The tables of a benchmark's columns; none where there is no column.
pub(super) fn decomposed(results: &Results, columns: &[Column]) -> Vec<Table> {
    if columns.is_empty() {
        return Vec::new();
    }
    let scored: Vec<Scored> = columns
        .iter()
        .map(|column| (column, PARTS.map(|part| column.replicates.scores(part))))
        .collect();
    let mut all = vec![overview(&scored)];
    for (place, part) in PARTS.into_iter().enumerate() {
        all.extend(PartScore::ALL.iter().filter_map(|&score| {
            let cell =
                |(_, scores): &Scored| Some(estimated(score.estimate(scores[place].as_ref()?)?));
            by_dataset(results, &scored, About::Part { part, score }, cell)
        }));
    }
    all.extend(by_dataset(results, &scored, About::ErrorParts, |(column, _)| {
        let parts = column.replicates.error_parts();
        let share = parts.squared_bias.map(|bias| (bias / parts.mean_square).max(0.0));
        Some(Cell::number(Some(parts.mean_square.sqrt()), Form::WithShare(share)))
    }));
    all
}

/// Headings of all columns in the order of their first appearance.
fn headings(scored: &[Scored]) -> Vec<String> {
    let mut headings: Vec<String> = Vec::new();
    for (column, _) in scored {
        let name = column.series.name();
        if !headings.contains(&name) {
            headings.push(name);
        }
    }
    headings
}

/// One row for each dataset, one column for each method; methods without any cell are left out.
/// `None` where no method is left.
fn by_dataset(
    results: &Results,
    scored: &[Scored],
    about: About,
    cell: impl Fn(&Scored) -> Option<Cell>,
) -> Option<Table> {
    let cells: Vec<(&Column, String, Cell)> =
        scored.iter().filter_map(|one| Some((one.0, one.0.series.name(), cell(one)?))).collect();
    let headings: Vec<String> = headings(scored)
        .into_iter()
        .filter(|heading| cells.iter().any(|(_, name, _)| name == heading))
        .collect();
    let head = std::iter::once("Dataset".to_owned())
        .chain(headings.iter().map(|heading| format!("#{heading}")));
    let mut table = Table::new(about, head);
    for dataset in &results.plan.benchmark.datasets {
        let of_dataset = |(column, ..): &&(&Column, _, _)| column.series.dataset.key == dataset.key;
        let own: Vec<_> = headings
            .iter()
            .map(|heading| cells.iter().filter(of_dataset).find(|(_, name, _)| name == heading))
            .collect();
        if own.iter().all(Option::is_none) {
            continue;
        }
        let row = own.into_iter().map(|own| match own {
            Some((column, _, cell)) => cell.clone().of_trial(FirstTrial::of(&column.series)),
            None => Cell::empty(),
        });
        table.push(std::iter::once(Cell::text(&dataset.heading)).chain(row));
    }
    table.filled()
}

/// A score with its standard error. A zero up to rounding is zero.
fn estimated(estimate: Estimate) -> Cell {
    let rounded = |v: f64| if v.abs() < ROUNDING { 0.0 } else { v };
    let (value, spread) = (rounded(estimate.value), estimate.standard_error.map(rounded));
    Cell::Number(Number { value, spread, form: Form::Estimate, first_trial: None })
}

/// One row for each method: on how many datasets it beats the best constant, and by what factor its
/// level is wrong.
fn overview(scored: &[Scored]) -> Table {
    let of_part = PARTS.iter().flat_map(|part| {
        let part = part.as_str();
        [format!("#{part}: beats the constant on"), format!("#{part}: level off by a factor")]
    });
    let mut table = Table::new(About::Parts, std::iter::once("Method".to_owned()).chain(of_part));
    for heading in headings(scored) {
        let own = || scored.iter().filter(|(column, _)| column.series.name() == heading);
        let cells = (0..PARTS.len()).flat_map(|place| {
            let skills: Vec<Estimate> =
                own().filter_map(|(_, scores)| scores[place]?.skill).collect();
            let better = |skill: &&Estimate| {
                skill.standard_error.is_some_and(|error| skill.value > (2.0 * error).max(ROUNDING))
            };
            let won = (!skills.is_empty()).then(|| skills.iter().filter(better).count() as f64);
            let levels = own().filter_map(|(_, scores)| Some(scores[place]?.level?.value.abs()));
            let factor = upper_median(levels.collect()).map(f64::exp);
            [Cell::number(won, Form::Of(skills.len())), Cell::number(factor, Form::Factor)]
        });
        table.push(std::iter::once(Cell::text(&heading)).chain(cells));
    }
    table
}

/// The larger middle one.
fn upper_median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
