//! Show Markdown on a terminal: paragraphs and tables as wide as the window, and no marks but the
//! backticks of code.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, Width};
use pulldown_cmark::{Alignment, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::clean;

/// Blanks between two columns of a table.
const GAP: u16 = 2;

/// Markdown as text in a window of `width` characters.
pub fn for_terminal(markdown: &str, width: u16) -> String {
    let mut page = Text { width, ..Text::default() };
    Parser::new_ext(markdown, Options::ENABLE_TABLES).for_each(|event| page.take(event));
    page.text
}

/// What is written so far, and what is being read.
#[derive(Default)]
struct Text {
    width: u16,
    text: String,
    /// The words of the paragraph or the cell.
    words: String,
    /// How deep the list is.
    depth: usize,
    alignments: Vec<Alignment>,
    /// The rows of the table, headings first.
    rows: Vec<Vec<String>>,
}

impl Text {
    fn take(&mut self, event: Event) {
        match event {
            Event::Text(part) | Event::Html(part) | Event::InlineHtml(part) => {
                self.words.extend(clean(&part))
            }
            Event::Code(part) => self.words += &format!("`{}`", clean(&part).collect::<String>()),
            Event::SoftBreak | Event::HardBreak => self.words.push(' '),
            Event::Start(Tag::List(_)) => {
                self.end_paragraph();
                self.depth += 1;
            }
            Event::End(TagEnd::List(_)) => {
                self.depth = self.depth.saturating_sub(1);
                self.end_part();
            }
            Event::End(TagEnd::Item) => self.end_paragraph(),
            Event::End(TagEnd::Paragraph) => {
                self.end_paragraph();
                self.end_part();
            }
            Event::End(TagEnd::Heading(level)) => {
                let rule = if level == HeadingLevel::H1 { "=" } else { "-" };
                let rule = rule.repeat(self.words.chars().count().min(usize::from(self.width)));
                self.end_paragraph();
                self.text += &format!("{rule}\n\n");
            }
            Event::Start(Tag::Table(alignments)) => self.alignments = alignments,
            Event::Start(Tag::TableHead | Tag::TableRow) => self.rows.push(Vec::new()),
            Event::End(TagEnd::TableCell) => {
                let cell = std::mem::take(&mut self.words);
                self.rows.last_mut().into_iter().for_each(|row| row.push(cell.clone()));
            }
            Event::End(TagEnd::Table) => {
                let rows = std::mem::take(&mut self.rows);
                self.text += &table(&rows, &self.alignments, self.width);
                self.end_part();
            }
            _ => {}
        }
    }

    /// Writes the words as a paragraph, or as an item of a list.
    fn end_paragraph(&mut self) {
        let words = std::mem::take(&mut self.words);
        if words.trim().is_empty() {
            return;
        }
        self.text += &paragraph(&words, self.depth, self.width);
    }

    /// A line without words, unless a list goes on.
    fn end_part(&mut self) {
        if self.depth == 0 {
            self.text.push('\n');
        }
    }
}

/// A table without lines but the one below its headings, as wide as the window at most. Where its
/// longest words are too wide for that, each row is an item of a list.
fn table(rows: &[Vec<String>], alignments: &[Alignment], width: u16) -> String {
    let Some((head, rows)) = rows.split_first() else { return String::new() };
    let Some(widths) = widths(head, rows, usize::from(width)) else {
        return rows.iter().map(|row| paragraph(&record(head, row), 1, width)).collect();
    };
    let mut table = unframed(width);
    table.style_mut().header_separator = LineStyle::none().fill('-');
    table.set_header(head);
    table.add_rows(rows);
    set_gap(&mut table, GAP);
    for (j, column) in table.column_iter_mut().enumerate() {
        let width = widths.get(j).map_or(0, |wide| wide + usize::from(column.padding_width()));
        column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(
            u16::try_from(width).unwrap_or(u16::MAX),
        )));
        if alignments.get(j) == Some(&Alignment::Right) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt() + "\n"
}

/// The characters of each column: those of its longest word, and of what is left in the window a
/// share by its longest cell; `None` where the window is too narrow for the words.
fn widths(head: &[String], rows: &[Vec<String>], window: usize) -> Option<Vec<usize>> {
    let length = |text: &str| text.chars().count();
    let word = |text: &str| text.split_whitespace().map(length).max().unwrap_or(0);
    let most = |j: usize, of: &dyn Fn(&str) -> usize| {
        rows.iter()
            .filter_map(|row| row.get(j))
            .chain(head.get(j))
            .map(|cell| of(cell))
            .max()
            .unwrap_or(0)
    };
    let columns = 0..head.len();
    let least: Vec<usize> = columns.clone().map(|j| most(j, &word)).collect();
    let missing: Vec<usize> = columns.map(|j| most(j, &length) - least[j]).collect();
    let gaps = usize::from(GAP) * head.len().saturating_sub(1);
    let left = window.checked_sub(gaps + least.iter().sum::<usize>())?;
    let wanted: usize = missing.iter().sum();
    let share = |missing: usize| if wanted <= left { missing } else { left * missing / wanted };
    Some(least.iter().zip(missing).map(|(least, missing)| least + share(missing)).collect())
}

/// A row in words: its first cell, and the others behind their headings.
fn record(head: &[String], row: &[String]) -> String {
    let others = head.iter().zip(row).skip(1).map(|(heading, cell)| format!("{heading} {cell}"));
    let others: Vec<String> = others.collect();
    format!("{}: {}", row.first().map_or("", String::as_str), others.join("; "))
}

/// A paragraph, or an item of a list that is so deep.
fn paragraph(words: &str, depth: usize, width: u16) -> String {
    let mut table = unframed(width);
    match depth {
        0 => table.add_row([words]),
        depth => table.add_row([&format!("{}-", "  ".repeat(depth - 1)), words]),
    };
    set_gap(&mut table, 1);
    if let (1.., Some(bullets)) = (depth, table.column_mut(0)) {
        bullets.set_constraint(ColumnConstraint::ContentWidth);
    }
    table.trim_fmt() + "\n"
}

fn unframed(width: u16) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    table
}

/// Sets the blanks behind each column but the last one.
fn set_gap(table: &mut Table, gap: u16) {
    let last = table.column_count().saturating_sub(1);
    for (j, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if j == last { 0 } else { gap }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::page_in_markdown;
    use crate::grid::Grid;
    use crate::section::{Block, Page, Section};

    #[test]
    fn a_page_is_as_wide_as_the_window_and_has_no_marks() {
        let mut page = Page::new("y of a_b.csv");
        page.text("12 rows | 3 features, which are not many.");
        page.blocks.push(Block::Markdown(
            "**Recommended: `linear-gaussian`.**\n\n- Its intervals cover 91 % of \\|x\\|, as \
             stated.\n- [Why](a.md).\n"
                .into(),
        ));
        let mut grid = Grid::new(&["Method", "#CRPS", "Finding"]);
        grid.rows = vec![
            vec![
                "linear-gaussian".into(),
                "2.55".into(),
                "a word and one more and another one".into(),
            ],
            vec!["stack".into(), "12.5".into(), "x|y of `z`".into()],
        ];
        page.section(Section { title: "Methods".into(), grid, note: "Lower is better.".into() });
        let expected = "\
y of a_b.csv
============

12 rows | 3 features, which are not
many.

Recommended: `linear-gaussian`.

- Its intervals cover 91 % of |x|, as
  stated.
- Why.

Methods
-------

Method           CRPS  Finding
--------------------------------------
linear-gaussian  2.55  a word and one
                       more and
                       another one
stack            12.5  x|y of `z`

Lower is better.

";
        let markdown = page_in_markdown(&page);
        assert_eq!(for_terminal(&markdown, 38), expected);
        // Three gaps and longest words of 15, 4 and 7 characters.
        let narrow = for_terminal(&markdown, 29);
        assert!(narrow.contains("- linear-gaussian: CRPS 2.55;"), "{narrow}");
        assert!(narrow.contains("- stack: CRPS 12.5; Finding\n  x|y of `z`"), "{narrow}");
    }

    #[test]
    fn a_control_character_does_not_reach_the_terminal() {
        let text = for_terminal("# a\u{1b}[31m\n\n`b\u{7}`\n\n| c\u{1b} |\n| - |\n| d |\n", 80);
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    }
}
