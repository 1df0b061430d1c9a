//! Write pages and tables in the formats that readers use: one file for each format.
//!
//! A page becomes Markdown and LaTeX, the table of all its numbers CSV and JSON. To add a format,
//! write a file with one function beside these, and add its line to [`FORMATS`].

mod csv;
mod errata;
mod escape;
mod json;
pub(crate) mod latex;
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

/// A format of the files of a report.
#[derive(Debug)]
pub struct Format {
    /// How the names of its files end.
    pub ending: &'static str,
    /// What its files are.
    pub about: &'static str,
    /// What it makes of a page.
    made: Made,
}

/// What a format makes of a page.
#[derive(Debug)]
enum Made {
    /// The page, with long tables as files beside it.
    ShortPage(fn(&Page) -> String),
    /// The whole page, and the files that it includes, from the page's name.
    Parts(fn(&str, &Page) -> Vec<Document>),
    /// All numbers of the page, a row each.
    Numbers(fn(&Grid) -> Vec<u8>),
    /// The publications behind the page, where it has some.
    References,
    /// Nothing: figures are drawn, and the site is written, elsewhere.
    Nothing,
}

/// Every format.
pub static FORMATS: [Format; 7] = [
    Format { ending: "md", about: "Pages in Markdown", made: Made::ShortPage(markdown::page) },
    Format {
        ending: "csv",
        about: "Tables as comma-separated values",
        made: Made::Numbers(Grid::csv),
    },
    Format {
        ending: "json",
        about: "All numbers of a page as JSON",
        made: Made::Numbers(|grid| grid.json().into_bytes()),
    },
    Format {
        ending: "tex",
        about: "Tables in LaTeX, each to be included by \\input",
        made: Made::Parts(latex::documents),
    },
    Format {
        ending: "bib",
        about: "BibTeX of what a table or figure uses",
        made: Made::References,
    },
    Format { ending: "svg", about: "Figures", made: Made::Nothing },
    Format { ending: "html", about: "The site", made: Made::Nothing },
];

impl Format {
    /// The formats that have a file `NAME.ENDING` for each page.
    pub fn of_pages() -> impl Iterator<Item = &'static Format> {
        let has_page = |made: &Made| !matches!(made, Made::Nothing | Made::References);
        FORMATS.iter().filter(move |format| has_page(&format.made))
    }

    /// Whether a file of this name is of the format.
    pub fn has(&self, name: &str) -> bool {
        name.strip_suffix(self.ending).is_some_and(|stem| stem.ends_with('.'))
    }
}

/// A page in Markdown alone.
pub fn page_in_markdown(page: &Page) -> String {
    markdown::page(page)
}

/// A page and its numbers in every format, `name.md` and so on, and the files to which the Markdown
/// leads.
pub fn documents(name: &str, page: &Page, numbers: &Grid) -> Vec<Document> {
    let (short, tables) = short::short(name, page);
    let documents = |format: &Format| {
        let file = format!("{name}.{}", format.ending);
        match format.made {
            Made::ShortPage(write) => {
                vec![Document::new(file, write(&short)).lacking(page.not_shown())]
            }
            Made::Parts(write) => write(name, page),
            Made::Numbers(write) => vec![Document::new(file, write(numbers))],
            Made::References if page.references.is_empty() => Vec::new(),
            Made::References => vec![Document::new(file, page.references.as_str())],
            Made::Nothing => Vec::new(),
        }
    };
    FORMATS.iter().flat_map(documents).chain(tables).collect()
}

/// Text without control characters, and without those that change the direction of writing.
pub(super) fn clean(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter(|c| !c.is_control() && !turns(*c))
}
