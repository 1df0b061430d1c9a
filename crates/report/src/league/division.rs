//! Write what a random division of the datasets of a board hides.

use crate::grid::Grid;
use crate::long_table::{LongTable, Values};
use crate::section::Section;
use crate::words::league::division as words;
use crate::words::league::percent;
use uqbench_judge::judgement::league::{Division, Skills};

/// What each method loses.
pub(super) fn by_method(division: &Division) -> Section {
    let mut grid = Grid::new(&["Method", "#At random", "#Here", "#Loss (points)", "#Lost on"]);
    for one in &division.entrants {
        let control = if one.is_control { " (control)" } else { "" };
        grid.push([
            format!("{}{control}", one.heading),
            percent(one.skills.random),
            percent(one.skills.honest),
            words::points_within(&one.loss),
            format!("{} of {}", one.loss.lost, one.loss.datasets),
        ]);
    }
    Section { title: words::TITLE.into(), grid, note: words::NOTE.into() }
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

/// The skills of each method on each dataset under both divisions.
pub(super) fn every_number(division: &Division) -> LongTable {
    let pairs = || {
        division.entrants.iter().flat_map(|one| {
            one.by_dataset.iter().zip(&division.datasets).map(move |found| (one, found))
        })
    };
    let number = |value: fn(&Skills) -> f64| {
        Values::Number(pairs().map(|(_, (skills, _))| Some(value(skills))).collect())
    };
    let columns = [
        ("method", Values::Text(pairs().map(|(one, _)| Some(one.heading.clone())).collect())),
        ("control", Values::Flag(pairs().map(|(one, _)| one.is_control).collect())),
        ("dataset", Values::Text(pairs().map(|(_, (_, of))| Some(of.heading.clone())).collect())),
        ("skill_at_random", number(|skills| skills.random)),
        ("skill_here", number(|skills| skills.honest)),
    ];
    let columns = columns.map(|(name, values)| (name.to_owned(), values));
    LongTable::of_columns(pairs().count(), columns.into())
}
