//! Write the page of a board of the league: who is best on what and how sure that is, then tables
//! of models and of systems, a figure of their ranks, and every number. Reruns have a table of their
//! own ([`result`] writes that of one).

mod division;
mod numbers;
mod rerun;
mod tables;
#[cfg(test)]
mod tests;

pub use numbers::scores;
pub use rerun::result;

use std::collections::BTreeMap;

use super::cite::bibtex;
use super::document::Document;
use super::export::documents;
use super::grid::Grid;
use super::long_table::LongTable;
use super::section::{Block, Page, Place, Section};
use super::site::single;
use super::words::field::left_out as field_notes;
use super::words::league::{self as words, left_out, notes, places};
use uq_core::metrics::MetricId;
use uqbench_judge::evidence::brought::EntrantKind;
use uqbench_judge::figures::{Standings, StandingsPanel};
use uqbench_judge::judgement;
use uqbench_judge::judgement::league::{
    Board, Division, OfKind, Rank, Standing, Table, WhyUnranked, kinds,
};
use uqbench_run::benchmark::report_files::Beside;
use uqbench_run::external;
use uqbench_run::league::Card;
use uqbench_run::runner::plan::Plan;

/// What a page says besides its numbers.
#[derive(Debug, Default)]
pub struct Subject {
    /// What part of the board was asked for; `None` for all of it.
    pub choice: Option<String>,
    /// Profile, store and machine, in words.
    pub origin: String,
    /// Why entries are left out, each named.
    pub damaged: Vec<String>,
    /// The cards of the entries that somebody brought, by key.
    pub cards: BTreeMap<String, Card>,
    /// Code that somebody else has run on splits of its own.
    pub reruns: Vec<Rerun>,
    /// What a random division hides, on a board that has a twin.
    pub twin: Option<Twin>,
    /// What a random division hides where the targets have no trend, on a board in time that names
    /// such a board.
    pub detrended: Option<Twin>,
}

/// The board with the same datasets, divided at random.
#[derive(Debug)]
pub enum Twin {
    /// What is lost from there to here.
    Compared(Division),
    /// It has no trials, or none in common.
    NoTrial {
        /// Its benchmark.
        benchmark: String,
    },
}

/// Code that somebody else has run on splits of its own.
#[derive(Clone, Debug)]
pub struct Rerun {
    /// What it has shown.
    pub shown: judgement::league::Rerun,
    /// The seed of its splits.
    pub seed: u64,
    /// Whether the seed was given, not drawn.
    pub is_repeated: bool,
    /// The day of the run.
    pub date: String,
    /// Who ran it, as they say.
    pub by: Option<String>,
}

/// Name of the page, without ending.
pub fn name(benchmark: &str) -> String {
    Beside::Board.name(benchmark)
}

/// The page with its numbers and its figure.
///
/// # Errors
/// The message of the library that writes the long table.
pub fn render(board: &Board, plan: &Plan, subject: &Subject) -> Result<Vec<Document>, String> {
    let name = name(&board.benchmark.id);
    let mut page = Page::new(board.benchmark.title.clone());
    page.name_metrics(board.field.metrics.iter().copied());
    subject.choice.iter().for_each(|choice| page.text(choice.clone()));
    for sentence in first_screen(board) {
        page.text(sentence);
    }
    subject.damaged.iter().for_each(|why| page.text(left_out::entry_left_out(why)));
    let division = compared(&mut page, subject.twin.as_ref(), words::division::finding);
    let detrended = compared(&mut page, subject.detrended.as_ref(), words::division::detrended);
    let mut figures = Vec::new();
    if let Some(figure) = figure(board) {
        page.draw(&mut figures, format!("{name}-ranks"), &figure);
    }
    for table in &board.tables {
        add(&mut page, Place::Shown, tables::ranks(board, table));
    }
    add(&mut page, Place::Shown, tables::claimed(board, &subject.cards));
    add(&mut page, Place::Shown, division.map(|division| division::by_method(division, detrended)));
    add(&mut page, Place::Folded, division.map(division::by_dataset));
    add(&mut page, Place::Shown, Some(rerun::entries(&subject.reruns)));
    for table in &board.tables {
        add(&mut page, Place::Shown, tables::by_dataset(board, table, &name));
        add(&mut page, Place::Folded, tables::by_kind(board, table));
        add(&mut page, Place::Folded, tables::against(table));
        add(&mut page, Place::Folded, tables::stability(table));
        add(&mut page, Place::Folded, tables::hanging(board, table));
    }
    add(&mut page, Place::Folded, tables::failures(board));
    add(&mut page, Place::Folded, Some(tables::datasets(board)));
    let heading = |at: usize| board.field.entrants[at].heading.as_str();
    let log_reference = log_reference(board).map(heading);
    let level = level(board);
    let has_interval =
        board.tables.iter().flat_map(|table| &table.ranked).any(|one| one.interval.is_some());
    notes::meanings(heading(board.reference), log_reference, &level, has_interval)
        .into_iter()
        .for_each(|paragraph| page.text(paragraph));
    page.text(subject.origin.clone());
    field_notes(&board.field.notes).into_iter().for_each(|note| page.text(note));
    if !board.benchmark.notes.is_empty() {
        page.blocks.push(Block::Notes(board.benchmark.notes.clone()));
    }
    page.blocks.push(Block::Markdown(words::every_number(&name, &board.benchmark.id)));
    page.references = bibtex(std::slice::from_ref(plan));
    let mut all = documents(&name, &page, &numbers::entrants(board));
    all.extend(long(&format!("{name}-scores"), &scores(board.field))?);
    if let Some(division) = division {
        all.extend(long(
            &format!("{name}-division"),
            &division::every_number(division, detrended),
        )?);
    }
    all.push(single::alone(&name, &page, &figures));
    all.extend(figures);
    Ok(all)
}

/// Says what a comparison with a twin found, or that there is none yet; returns what was found.
fn compared<'a>(
    page: &mut Page,
    twin: Option<&'a Twin>,
    finding: fn(&Division) -> String,
) -> Option<&'a Division> {
    match twin? {
        Twin::Compared(division) => {
            page.text(finding(division));
            Some(division)
        }
        Twin::NoTrial { benchmark } => {
            page.text(words::division::no_twin(benchmark));
            None
        }
    }
}

/// Adds a table that has rows.
fn add(page: &mut Page, place: Place, section: Option<Section>) {
    let section = section.filter(|section| !section.grid.rows.is_empty());
    page.blocks.extend(section.map(|section| Block::Table(place, section)));
}

/// A long table, as CSV and as Parquet.
fn long(name: &str, table: &LongTable) -> Result<[Document; 2], String> {
    Ok([
        Document::new(format!("{name}.csv"), table.csv()?),
        Document::new(format!("{name}.parquet"), table.parquet()?),
    ])
}

/// Who is best on what, how sure that is, and what was left out.
fn first_screen<'a>(board: &'a Board) -> Vec<String> {
    let ranked = |kind| board.table(kind).map_or(0, |table| table.ranked.len());
    let mut said = vec![words::extent(&words::Extent {
        board: &board.league.board,
        ranked: [ranked(EntrantKind::Model), ranked(EntrantKind::System)],
        datasets: board.datasets.len(),
        trials: board.trials(),
    })];
    for table in &board.tables {
        said.extend(leader(board, table));
    }
    let of_user = board.tables.iter().flat_map(|table| {
        let own = table.ranked.iter().filter(|one| is_users(board, one));
        own.map(move |one| own_place(board, table, one))
    });
    said.extend(of_user.flatten());
    said.extend(board.table(EntrantKind::Model).and_then(|models| best_by_kind(board, models)));
    let all = || board.tables.iter().flat_map(|table| &table.ranked);
    if all().any(|one| one.interval.is_none()) && all().all(|one| one.interval.is_none()) {
        said.push(places::no_interval(board.sources()));
    }
    let replaced = |one: &'a Standing| {
        let rank = one.rank.filter(Rank::hangs_on_failures)?;
        let Rank { with_worst, on_common, .. } = rank;
        Some(left_out::Replaced { name: &one.heading, with_worst, on_common })
    };
    let first: Vec<left_out::Replaced> =
        board.tables.iter().filter_map(|table| replaced(table.ranked.first()?)).collect();
    let hangs = |one: &&Standing| one.rank.is_some_and(|rank| rank.hangs_on_failures());
    said.push(left_out::hanging(&left_out::Hanging {
        splits: all().map(|one| one.failed.0).sum(),
        entrants: all().filter(|one| one.failed.0 > 0).count(),
        changed: all().filter(hangs).count(),
        first: &first,
    }));
    said.extend(left_out_by_reason(board));
    let uncounted: Vec<String> =
        board.uncounted.iter().map(|one| left_out::uncounted(one.heading, one.why)).collect();
    if !uncounted.is_empty() {
        said.push(left_out::all_uncounted(&uncounted));
    }
    let claimed: usize = board.tables.iter().map(|table| table.claimed.len()).sum();
    if claimed > 0 {
        said.push(left_out::brought(claimed));
    }
    said
}

/// Whether an entrant is a method of the user's, which the command line adds to the board.
fn is_users(board: &Board, one: &Standing) -> bool {
    let mut external = board.benchmark.methods.iter().filter(|row| row.id == external::ID);
    external.any(|row| row.columns.iter().any(|column| column.heading == one.heading))
}

/// Where a method of the user's stands; `None` without a rank.
fn own_place(board: &Board, table: &Table, one: &Standing) -> Option<String> {
    let rank = one.rank?;
    let at = table.ranked.iter().position(|other| other.entrant == one.entrant)?;
    let neighbour = |at: Option<usize>| at.and_then(|at| table.ranked.get(at));
    let name = |other: &'_ Standing| other.heading.clone();
    let on = |dataset: usize| {
        let better = |other: &&Standing| other.by_dataset[dataset] > one.by_dataset[dataset];
        (1 + table.ranked.iter().filter(better).count(), dataset)
    };
    let places: Vec<(usize, usize)> = (0..board.datasets.len()).map(on).collect();
    let placed = |place: Option<&(usize, usize)>| {
        place.map(|(rank, at)| (*rank, board.datasets[*at].block.heading.clone()))
    };
    Some(places::own_place(&places::OwnPlace {
        name: &one.heading,
        kind: table.kind,
        rank: rank.rank,
        entrants: table.ranked.len(),
        skill: one.skill,
        these: rank.these.map(|sure| sure.set),
        elsewhere: rank.others.set,
        before: neighbour(at.checked_sub(1)).map(name),
        after: neighbour(Some(at + 1)).map(name),
        best: placed(places.iter().min()),
        worst: placed(places.iter().max_by_key(|(rank, _)| *rank)),
    }))
}

/// Who has the most skill on each kind of dataset.
fn best_by_kind(board: &Board, table: &Table) -> Option<String> {
    let best = |of: &OfKind| {
        let skills = table.ranked.iter().map(|one| (one, one.skill_on(&of.datasets)));
        let first = skills.reduce(|best, next| if next.1 > best.1 { next } else { best });
        first.map(|(one, _)| words::kinds::on(of.kind, &one.heading, of.datasets.len()))
    };
    let best: Vec<String> = kinds(board).iter().filter_map(best).collect();
    (table.ranked.len() > 1 && !best.is_empty()).then(|| words::kinds::best(table.kind, &best))
}

/// Who has no rank, a sentence for each reason.
fn left_out_by_reason(board: &Board) -> Vec<String> {
    let mut by_reason: Vec<(&WhyUnranked, Vec<&str>)> = Vec::new();
    for one in board.tables.iter().flat_map(|table| &table.unranked) {
        match by_reason.iter_mut().find(|(why, _)| **why == one.why) {
            Some((_, entrants)) => entrants.push(&one.heading),
            None => by_reason.push((&one.why, vec![&one.heading])),
        }
    }
    let loss = board.league.loss.label();
    by_reason.iter().map(|(why, entrants)| left_out::left_out(entrants, why, &loss)).collect()
}

/// Who is first in a table, and how sure that is.
fn leader(board: &Board, table: &Table) -> Vec<String> {
    let Some((one, rank)) = table.ranked.first().and_then(|one| Some((one, one.rank?))) else {
        return Vec::new();
    };
    let near = |is_behind: fn(&Rank) -> bool| -> Vec<&str> {
        let others = table.ranked[1..].iter();
        let near = others.filter(|other| other.rank.is_some_and(|rank| !is_behind(&rank)));
        near.map(|other| other.heading.as_str()).collect()
    };
    let these = rank.these.map(|sure| {
        let is_behind = |rank: &Rank| rank.these.is_some_and(|sure| sure.is_behind_leader);
        (sure.set.worst, near(is_behind))
    });
    let elsewhere = (rank.others.set.worst, near(|rank| rank.others.is_behind_leader));
    vec![
        places::first(&places::First {
            kind: table.kind,
            name: &one.heading,
            skill: one.skill,
            interval: one.interval,
            loss: &board.league.loss.label(),
            datasets: board.datasets.len(),
        }),
        places::sure(&places::FirstRank {
            kind: table.kind,
            others: table.ranked.len() - 1,
            these,
            elsewhere,
        }),
    ]
}

/// The figure of ranks; `None` where no table has two entrants.
fn figure(board: &Board) -> Option<Standings> {
    let panels: Vec<StandingsPanel> = board
        .tables
        .iter()
        .filter(|table| table.ranked.len() > 1)
        .map(|table| StandingsPanel::of(table, words::heading(table.kind), words::percent))
        .collect();
    (!panels.is_empty()).then(|| Standings {
        title: words::figure_title(&board.league.board, &board.league.loss.label()),
        note: words::FIGURE_NOTE.into(),
        panels,
    })
}

/// Index of the reference of log scores.
fn log_reference(board: &Board) -> Option<usize> {
    let name = board.league.log_reference.as_ref()?;
    board.field.entrants.iter().position(|entrant| entrant.brought.is_none() && entrant.id == *name)
}

/// The level of the intervals whose coverage is shown.
fn level(board: &Board) -> String {
    let level = board.field.metrics.iter().find_map(|metric| match metric {
        MetricId::Picp(picp) => Some(picp.level),
        _ => None,
    });
    level.map_or_else(String::new, uq_core::metrics::percent)
}

/// A table whose headings are computed.
fn grid(head: &[String]) -> Grid {
    Grid::new(&head.iter().map(String::as_str).collect::<Vec<_>>())
}
