//! Take the ranks of a board's entrants with the ranks that they may have.

use serde::{Deserialize, Serialize};

use crate::judgement::league::Table;
use uq_core::stats::rank_sets::RankSet;

/// Ranks with their simultaneous confidence sets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standings {
    /// Title of the figure.
    pub title: String,
    /// A note for the reader; may be empty.
    pub note: String,
    /// One panel for each table, one below the other.
    pub panels: Vec<StandingsPanel>,
}

/// The entrants of one table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StandingsPanel {
    /// What they are.
    pub label: String,
    /// The entrants, the first one at the top.
    pub rows: Vec<StandingsRow>,
}

/// One entrant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StandingsRow {
    /// Its name.
    pub name: String,
    /// Its skill in words.
    pub skill: String,
    /// Its rank.
    pub rank: usize,
    /// The best and the worst rank that it may have on the same datasets, where that is known.
    pub these: Option<(usize, usize)>,
    /// The best and the worst rank that it may have on other datasets.
    pub others: (usize, usize),
    /// Whether the first one is shown to be better: on the same datasets, where that is known, or
    /// else on others.
    pub is_behind: bool,
}

fn ends(set: RankSet) -> (usize, usize) {
    (set.best, set.worst)
}

impl StandingsPanel {
    /// The ranked entrants of a table; `written` puts a skill into words.
    pub fn of(table: &Table, label: &str, written: impl Fn(f64) -> String) -> Self {
        let rows = table.ranked.iter().filter_map(|standing| {
            let rank = standing.rank?;
            Some(StandingsRow {
                name: standing.heading.clone(),
                skill: written(standing.skill),
                rank: rank.rank,
                these: rank.these.map(|sure| ends(sure.set)),
                others: ends(rank.others.set),
                is_behind: rank.these.unwrap_or(rank.others).is_behind_leader,
            })
        });
        Self { label: label.into(), rows: rows.collect() }
    }
}
