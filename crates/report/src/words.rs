//! Put a report into words: titles, cells and notes of its tables, findings, remarks on numbers, marks
//! and their meanings, and what is missing.
//!
//! A changed sentence changes a file here and snapshots. The site and the formats say where each
//! sentence stands.

pub mod audit_table;
mod cells;
pub mod claims;
pub mod committed;
pub mod comparison;
pub mod decomposed;
pub mod dropped;
pub mod errata;
pub mod excluded;
pub mod explain;
pub mod field;
pub mod figures;
pub mod findings;
pub mod first_screen;
pub mod gate;
pub mod glossary;
pub mod index;
pub mod league;
pub mod looks;
pub mod map;
pub mod missing;
pub mod notable;
mod notes;
pub mod own_papers;
pub mod page;
pub mod provenance;
pub mod ranks;
pub mod remarks;
pub mod rerun;
mod rows;
pub mod run_line;
pub mod score;
pub mod selection;
pub mod settings;
pub mod signs;
pub mod site;
pub mod summary;
mod titles;
pub mod trial;
pub(crate) mod try_table;
pub mod versions;
pub mod watch;

use super::grid::{Cell, Grid};
use super::section::{Block, Place, Section};
use cells::cell;
use notes::note;
pub use rows::{degenerate, lack, overflow};
pub use titles::level_title;
use titles::title;
use uqbench_judge::judgement::Scorecard;
use uqbench_judge::report::{About, Table};

/// Most tables of curves that a Markdown page shows, by whole metrics; those of further metrics are
/// files beside it.
const MOST_CURVES: usize = 8;

/// The tables of a page in their order. `card` has the verdicts on the printed numbers beside
/// scores.
pub fn blocks(tables: &[Table], card: &Scorecard) -> Vec<Block> {
    tables.iter().map(|table| Block::Table(place(tables, table), section(table, card))).collect()
}

/// Whether a table is an overview that comes before those by metric.
pub fn is_overview(table: &Table) -> bool {
    matches!(table.about, About::Gains { .. } | About::Area { .. } | About::Batches)
}

/// Whether a table shows the scores by one metric.
pub fn is_by_metric(table: &Table) -> bool {
    matches!(table.about, About::Scores { .. } | About::Curves { .. })
}

/// Where a page shows one of its tables.
fn place(tables: &[Table], table: &Table) -> Place {
    match &table.about {
        About::Scores { .. }
        | About::Parts
        | About::Gains { .. }
        | About::Area { .. }
        | About::Areas { .. } => Place::Shown,
        About::Curves { of_variants: true, .. } | About::Optimised { of_variants: true, .. } => {
            Place::Variants
        }
        About::Variants { .. } => Place::Variants,
        About::Curves { metric, .. } => {
            if curves_through(tables, metric) > MOST_CURVES {
                Place::Long
            } else {
                Place::Shown
            }
        }
        About::Optimised { .. } => Place::Shown,
        About::Batches | About::Incomplete => Place::Diagnosis,
        _ => Place::Folded,
    }
}

/// Number of tables of curves up to the last one by this metric; those of variants do not count.
fn curves_through(tables: &[Table], metric: &str) -> usize {
    let of_curves = |table: &Table| match &table.about {
        About::Curves { metric, of_variants: false, .. } => Some(metric.clone()),
        _ => None,
    };
    let last = tables.iter().rposition(|table| of_curves(table).as_deref() == Some(metric));
    tables.iter().take(last.map_or(0, |last| last + 1)).filter_map(of_curves).count()
}

/// A table in words. `card` has the verdicts on the printed numbers beside its scores.
fn section(table: &Table, card: &Scorecard) -> Section {
    let head = table.head.iter().map(|heading| heading.text.clone()).collect();
    let numeric = table.head.iter().map(|heading| heading.numeric).collect();
    let is_link = !matches!(table.about, About::Curves { of_variants: true, .. });
    let shown = |one| {
        let cell = cell(one, card);
        // Pages of many curves stay small: main tables alone lead to trials.
        Cell { lead: cell.lead.filter(|_| is_link), ..cell }
    };
    let rows = table.rows.iter().map(|row| row.iter().map(shown).collect()).collect();
    let places = table.head.iter().map(|heading| heading.place).collect();
    let grid = Grid { head, numeric, places, rows };
    Section { title: title(&table.about), grid, note: note(table) }
}
