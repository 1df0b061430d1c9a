//! Keep the Markdown of a page short: what few readers need, and what does not fit, becomes files
//! beside it.

use std::collections::BTreeSet;

use super::errata::with_errata;
use super::escape::escape;
use super::markdown;
use crate::document::Document;
use crate::grid::{Grid, counted};
use crate::section::{Block, Claimed, Page, slug};
use crate::words::page as words;

/// Most bytes of a page in Markdown.
pub(super) const LARGEST: usize = 20_000;

/// What becomes a file.
enum Step {
    /// The part in this place.
    Part(usize),
    /// The notes on the protocol and on the tables that are files.
    Notes,
}

/// The page as its Markdown shows it, and the files to which this leads. Long and folded tables are
/// always files, `tables/NAME-01-TITLE.csv`. While the rest is longer than [`LARGEST`], more parts
/// are: the tables but the first, beginning with the last; then the notes, the tables with printed
/// numbers, the claims, and the first table.
pub(super) fn short(name: &str, page: &Page) -> (Page, Vec<Document>) {
    let mut apart = BTreeSet::new();
    let (mut tables, mut claims) = (Vec::new(), Vec::new());
    for (at, block) in page.blocks.iter().enumerate() {
        match block {
            Block::Table(_, section) if section.grid.rows.is_empty() => {}
            Block::Table(place, _) if place.is_apart() => {
                apart.insert(at);
            }
            Block::Table(..) => tables.push(at),
            Block::Claims(_) => claims.push(at),
            _ => {}
        }
    }
    let is_printed = |at: &usize| {
        page.blocks[*at].section().is_some_and(|section| section.grid.looks().next().is_some())
    };
    let (printed, others): (Vec<usize>, Vec<usize>) =
        tables.iter().skip(1).rev().partition(|at| is_printed(at));
    let last = printed.into_iter().chain(claims).chain(tables.first().copied());
    let mut steps =
        others.into_iter().map(Step::Part).chain([Step::Notes]).chain(last.map(Step::Part));
    let mut notes = false;
    loop {
        let (short, files) = divided(name, page, &apart, notes);
        let step = if markdown::page(&short).len() <= LARGEST { None } else { steps.next() };
        match step {
            Some(Step::Part(at)) => {
                apart.insert(at);
            }
            Some(Step::Notes) => notes = true,
            None => return (short, files),
        }
    }
}

/// The page without the parts in these places, with links to them as files; where `notes`, its
/// notes are a file, too.
fn divided(name: &str, page: &Page, apart: &BTreeSet<usize>, notes: bool) -> (Page, Vec<Document>) {
    let mut short = Page::new(page.title.clone());
    let (mut list, mut files, mut notes_apart) = (String::new(), Vec::new(), String::new());
    let mut add = |title: &str, grid: &Grid, note: &str| {
        let file = format!("tables/{name}-{:02}-{}.csv", files.len() + 1, slug(title));
        let note = if note.is_empty() {
            String::new()
        } else {
            format!(". {}", with_errata(note, "", escape))
        };
        list +=
            &format!("- [{}]({file}), {}{note}\n", escape(title), counted(grid.rows.len(), "row"));
        files.push(Document::new(file, grid.csv()));
    };
    for (at, block) in page.blocks.iter().enumerate() {
        match block {
            Block::Table(_, section) if apart.contains(&at) => {
                if notes && !section.note.is_empty() {
                    notes_apart += &format!(
                        "\n## {}\n\n{}\n",
                        escape(&section.title),
                        with_errata(&section.note, "../", escape)
                    );
                }
                add(&section.title, &section.grid, if notes { "" } else { &section.note });
            }
            Block::Claims(all) if apart.contains(&at) => add("Claims", &of_claims(all), ""),
            Block::Notes(source) if notes => {
                notes_apart.insert_str(
                    0,
                    &format!("\n{}\n", with_errata(source.trim(), "../", str::to_owned)),
                );
            }
            other => short.blocks.push(other.clone()),
        }
    }
    if !notes_apart.is_empty() {
        let file = format!("tables/{name}-notes.md");
        list += &format!("\n{}\n", words::notes_beside(name, &file));
        let title = escape(&page.title);
        files.push(Document::new(file, format!("# {title}: notes\n{notes_apart}")));
    }
    if !list.is_empty() {
        short.blocks.push(Block::Markdown(format!("## More tables\n\n{list}")));
    }
    (short, files)
}

/// Claims as a table.
fn of_claims(all: &[Claimed]) -> Grid {
    let mut grid =
        Grid::new(&["Claim", "Words", "Read as", "Our runs", "Printed numbers", "What they show"]);
    let row = |claim: &Claimed| {
        let Claimed { id, text, own, printed, note, .. } = claim.clone();
        let reading = match &claim.other_reading {
            Some(_) => format!("{}: {}", claim.read_as(), claim.reading),
            None => claim.reading.clone(),
        };
        vec![id, text, reading, own.as_str().into(), printed.as_str().into(), note]
    };
    grid.extend(all.iter().map(row));
    grid
}
