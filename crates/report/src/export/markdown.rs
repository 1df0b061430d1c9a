//! Write Markdown, padded so that the source is readable too.

use super::errata::{errata_about, with_errata};
use super::escape::{escape, without_html};
use crate::grid::{Cell, Grid, Lead};
use crate::section::{Block, Claimed, Page, Place, Section};
use crate::words::looks::LOOKS;
use crate::words::page as words;

/// Characters up to which columns are padded. Longer cells stay as they are.
const WIDEST: usize = 200;

impl Grid {
    /// The table in Markdown.
    pub fn markdown(&self) -> String {
        let head: Vec<String> = self.head.iter().map(|text| escape(text)).collect();
        let rows = self.rows.iter().map(|row| row.iter().map(cell).collect());
        let cells: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
        let width = |j: usize| {
            cells.iter().map(|row| row.get(j).map_or(0, |c| c.chars().count())).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(|j| width(j).clamp(3, WIDEST)).collect();
        let line = |row: &Vec<String>| {
            let padded = widths.iter().enumerate().map(|(j, &w)| {
                let cell = row.get(j).map_or("", String::as_str);
                if self.numeric[j] { format!(" {cell:>w$} |") } else { format!(" {cell:<w$} |") }
            });
            format!("|{}\n", padded.collect::<String>())
        };
        let rule = widths.iter().zip(&self.numeric).map(|(w, &numeric)| {
            let dashes = "-".repeat(w - 1);
            format!(" {dashes}{} |", if numeric { ':' } else { '-' })
        });
        let head = format!("{}|{}\n", line(&cells[0]), rule.collect::<String>());
        cells[1..].iter().fold(head, |text, row| text + &line(row))
    }
}

/// The text of a cell with the page that it leads to, or the symbol of the verdict that it shows.
fn cell(Cell { text, lead, .. }: &Cell) -> String {
    match lead {
        Some(Lead::Page(page)) => format!("[{}]({page})", escape(text)),
        Some(Lead::Printed { look: Some(look), .. }) => format!("{} {}", escape(text), look.symbol),
        _ => escape(text),
    }
}

/// A whole page.
pub(super) fn page(page: &Page) -> String {
    let mut text = format!("# {}\n", escape(&page.title));
    for block in &page.blocks {
        text.push('\n');
        text += &match block {
            Block::Text(paragraph) => format!("{}\n", escape(paragraph)),
            Block::Markdown(source) => format!("{}\n", source.trim()),
            Block::Notes(source) => {
                format!(
                    "## {}\n\n{}\n",
                    words::NOTES,
                    with_errata(&without_html(source.trim()), "", str::to_owned)
                )
            }
            Block::Errata(all) => errata_about(all),
            Block::Figure { file, title, .. } => format!("![{}]({file}.svg)\n", escape(title)),
            Block::Table(Place::Untitled, table) => table.grid.markdown(),
            Block::Table(_, table) => section(table),
            Block::Claims(all) => claims(all),
        };
    }
    text
}

/// Claims as a list.
fn claims(all: &[Claimed]) -> String {
    let one = |claim: &Claimed| {
        let lead = if claim.reading.is_empty() {
            String::new()
        } else {
            format!(" — {}: ", escape(&claim.read_as()))
        };
        format!(
            "- **{}**: “{}”{lead}{}\n  - our runs: **{}**; printed numbers: **{}**\n  - {}\n",
            escape(&claim.id),
            escape(&claim.text),
            with_errata(&claim.reading, "", escape),
            claim.own.as_str(),
            claim.printed.as_str(),
            escape(&claim.note)
        )
    };
    format!("## Claims\n\n{}", all.iter().map(one).collect::<String>())
}

/// One titled table.
pub fn section(Section { title, grid, note }: &Section) -> String {
    let mut note = if note.is_empty() {
        String::new()
    } else {
        format!("\n{}\n", with_errata(note, "", escape))
    };
    let shown = LOOKS.iter().filter(|look| grid.looks().any(|of| of == *look));
    let meanings: Vec<String> =
        shown.map(|look| format!("{} {}", look.symbol, escape(look.word))).collect();
    if !meanings.is_empty() {
        note += &format!("\n{}\n", words::symbols(&meanings, grid.has_unmarked()));
    }
    format!("## {}\n\n{}{note}", escape(title), grid.markdown())
}
