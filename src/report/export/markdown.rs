//! Write Markdown, padded so that the source is readable too.

use super::clean;
use crate::report::grid::Grid;
use crate::report::section::{Block, Page, Section};

impl Grid {
    /// The table in Markdown.
    pub fn markdown(&self) -> String {
        let escaped = |row: &Vec<String>| row.iter().map(|cell| escape(cell)).collect::<Vec<_>>();
        let cells: Vec<Vec<String>> = std::iter::once(&self.head).chain(&self.rows).map(escaped).collect();
        let width = |j: usize| cells.iter().map(|row| row.get(j).map_or(0, |c| c.chars().count())).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.head.len()).map(|j| width(j).max(3)).collect();
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

/// A whole page.
pub(super) fn page(page: &Page) -> String {
    let mut text = format!("# {}\n", escape(&page.title));
    for block in &page.blocks {
        text.push('\n');
        text += &match block {
            Block::Text(words) => format!("{}\n", escape(words)),
            Block::Markdown(source) => format!("{}\n", source.trim()),
            Block::Figure { file, title } => format!("![{}]({file}.png)\n\n[{file}.svg]({file}.svg)\n", escape(title)),
            Block::Section(table) => section(table),
        };
    }
    text
}

/// One titled table.
pub fn section(Section { title, grid, note }: &Section) -> String {
    let note = if note.is_empty() { String::new() } else { format!("\n{}\n", escape(note)) };
    format!("## {}\n\n{}{note}", escape(title), grid.markdown())
}

/// Text without control characters and with Markdown's own marks escaped where they would break a table.
pub fn escape(text: &str) -> String {
    clean(text).fold(String::new(), |mut out, c| {
        if r"|<`*$\".contains(c) {
            out.push('\\');
        }
        out.push(c);
        out
    })
}
