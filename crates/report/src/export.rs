//! Write pages and tables in the formats that readers use: one file for each format.
//!
//! A page becomes Markdown and LaTeX, the table of all its numbers CSV and JSON. To add a format, write a file with one
//! function beside these, and call it in [`documents`].

mod csv;
mod errata;
mod escape;
mod json;
mod latex;
mod markdown;
mod short;
mod terminal;
#[cfg(test)]
mod tests;

pub use escape::escape;
pub use markdown::section;
pub use terminal::for_terminal;

use super::document::Document;
use super::grid::Grid;
use super::section::Page;
use uq_core::printable::turns;

/// A page in Markdown alone.
pub fn page_in_markdown(page: &Page) -> String {
    markdown::page(page)
}

/// A page and its numbers in every format: `name.md`, `name.tex`, `name.csv`, `name.json`, and the files to which the
/// Markdown leads.
pub fn documents(name: &str, page: &Page, numbers: &Grid) -> Vec<Document> {
    let (short, mut tables) = short::short(name, page);
    let mut all = vec![
        Document::new(format!("{name}.md"), markdown::page(&short)).lacking(page.not_shown()),
        Document::new(format!("{name}.tex"), latex::page(page)),
        Document::new(format!("{name}.csv"), numbers.csv()),
        Document::new(format!("{name}.json"), numbers.json()),
    ];
    all.append(&mut tables);
    all
}

/// Text without control characters, and without those that change the direction of writing.
pub(super) fn clean(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter(|c| !c.is_control() && !turns(*c))
}
