//! Write pages and tables in the formats that readers use: one file for each format.
//!
//! A page becomes Markdown and LaTeX, the table of all its numbers CSV and JSON. To add a format, write a file with one
//! function beside these, and call it in [`documents`].

mod csv;
mod json;
mod latex;
mod markdown;
#[cfg(test)]
mod tests;

pub use markdown::{escape, section};

use super::document::Document;
use super::grid::{Grid, counted};
use super::section::{Block, Page};

/// A page in Markdown alone.
pub fn page_in_markdown(page: &Page) -> String {
    markdown::page(page)
}

/// A page and its numbers in every format: `name.md`, `name.tex`, `name.csv`, `name.json`. The tables that few readers need are
/// files of their own, to which the Markdown leads: it stays short.
pub fn documents(name: &str, page: &Page, numbers: &Grid) -> Vec<Document> {
    let (short, mut tables) = folded(name, page);
    let mut all = vec![
        Document::new(format!("{name}.md"), markdown::page(&short)),
        Document::new(format!("{name}.tex"), latex::page(page)),
        Document::new(format!("{name}.csv"), numbers.csv()),
        Document::new(format!("{name}.json"), numbers.json()),
    ];
    all.append(&mut tables);
    all
}

/// The page with links in place of its folded tables, and these tables as `tables/name-title.csv`.
fn folded(name: &str, page: &Page) -> (Page, Vec<Document>) {
    let mut short = Page::new(page.title.clone());
    let (mut list, mut tables) = (String::new(), Vec::new());
    for block in &page.blocks {
        match block {
            Block::Long(section) | Block::Details(section) if !section.grid.rows.is_empty() => {
                let file = format!("tables/{name}-{:02}-{}.csv", tables.len() + 1, slug(&section.title));
                let rows = counted(section.grid.rows.len(), "row");
                let note = if section.note.is_empty() { String::new() } else { format!(". {}", escape(&section.note)) };
                list += &format!("- [{}]({file}), {rows}{note}\n", escape(&section.title));
                tables.push(Document::new(file, section.grid.csv()));
            }
            other => short.blocks.push(other.clone()),
        }
    }
    if !tables.is_empty() {
        short.blocks.push(Block::Markdown(format!("## More tables\n\n{list}")));
    }
    (short, tables)
}

/// A title as part of a file's name: letters and digits, joined by dashes.
fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.take(8).collect::<Vec<_>>().join("-").to_lowercase()
}

/// Text without control characters.
fn clean(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter(|c| !c.is_control())
}
