//! Write what a random division of the datasets of a board hides.

use crate::grid::Grid;
use crate::long_table::{LongTable, Values};
use crate::section::Section;
use crate::words::league::division as words;
use crate::words::league::percent;
use uqbench_judge::judgement::league::{Division, EntrantLoss, Skills};

/// What each method loses, and what it loses of targets without their trend where that is known.
pub(super) fn by_method(division: &Division, detrended: Option<&Division>) -> Section {
    let mut head = vec!["Method", "#At random", "#Here", "#Loss (points)", "#Lost on"];
    head.extend(detrended.map(|_| "#Loss without trend (points)"));
    let mut grid = Grid::new(&head);
    for one in &division.entrants {
        let control = if one.is_control { " (control)" } else { "" };
        let mut row = vec![
            format!("{}{control}", one.heading),
            percent(one.skills.random),
            percent(one.skills.honest),
            words::points_within(&one.loss),
            format!("{} of {}", one.loss.lost, one.loss.datasets),
        ];
        row.extend(detrended.map(|other| {
            let same = other.entrants.iter().find(|entrant| entrant.heading == one.heading);
            same.map_or_else(|| "–".into(), |entrant| words::points_within(&entrant.loss))
        }));
        grid.push(row);
    }
    let note = match detrended {
        Some(_) => format!("{} {}", words::NOTE, words::DETRENDED_NOTE),
        None => words::NOTE.into(),
    };
    Section { title: words::TITLE.into(), grid, note }
}

/// What is lost on each dataset.
pub(super) fn by_dataset(division: &Division) -> Section {
    let mut grid = Grid::new(&["Dataset", "#At random", "#Here", "#Loss (points)"]);
    for one in &division.datasets {
        grid.push([
            one.heading.clone(),
            percent(one.skills.random),
            percent(one.skills.honest),
            words::points(one.loss),
        ]);
    }
    Section { title: words::BY_DATASET.into(), grid, note: words::BY_DATASET_NOTE.into() }
}

/// The skills of each method on each dataset under both divisions; then those of targets without
/// their trend.
pub(super) fn every_number(division: &Division, detrended: Option<&Division>) -> LongTable {
    let divisions = [(false, Some(division)), (true, detrended)];
    let rows: Vec<Row> = divisions
        .into_iter()
        .filter_map(|(is_detrended, division)| Some((is_detrended, division?)))
        .flat_map(|(is_detrended, division)| {
            division.entrants.iter().flat_map(move |entrant| {
                let datasets = division.datasets.iter().map(|dataset| dataset.heading.as_str());
                let found = entrant.by_dataset.iter().zip(datasets);
                found.map(move |(skills, dataset)| Row { is_detrended, entrant, dataset, skills })
            })
        })
        .collect();
    let texts =
        |text: fn(&Row) -> String| Values::Text(rows.iter().map(|row| Some(text(row))).collect());
    let flags = |flag: fn(&Row) -> bool| Values::Flag(rows.iter().map(flag).collect());
    let numbers = |number: fn(&Skills) -> f64| {
        Values::Number(rows.iter().map(|row| Some(number(row.skills))).collect())
    };
    let columns = [
        ("method", texts(|row| row.entrant.heading.clone())),
        ("control", flags(|row| row.entrant.is_control)),
        ("dataset", texts(|row| row.dataset.to_owned())),
        ("detrended", flags(|row| row.is_detrended)),
        ("skill_at_random", numbers(|skills| skills.random)),
        ("skill_here", numbers(|skills| skills.honest)),
    ];
    let columns = columns.map(|(name, values)| (name.to_owned(), values));
    LongTable::of_columns(rows.len(), columns.into())
}

/// The skills of a method on a dataset.
struct Row<'a> {
    is_detrended: bool,
    entrant: &'a EntrantLoss,
    dataset: &'a str,
    skills: &'a Skills,
}
