//! Show Markdown on a terminal: paragraphs and tables as wide as the window, and no marks but the backticks of code.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, Width};
use pulldown_cmark::{Alignment, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::clean;

/// Blanks between two columns of a table.
const GAP: u16 = 2;

/// Markdown as text in a window of so many characters. A table that is too wide although its cells are broken at blanks is as wide
/// as its longest words need.
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
            Event::Text(part) | Event::Html(part) | Event::InlineHtml(part) => self.words.extend(clean(&part)),
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
        let mut table = unframed(self.width);
        match self.depth {
            0 => table.add_row([words]),
            depth => table.add_row([format!("{}-", "  ".repeat(depth - 1)), words]),
        };
        set_gap(&mut table, 1);
        if let (1.., Some(bullets)) = (self.depth, table.column_mut(0)) {
            bullets.set_constraint(ColumnConstraint::ContentWidth);
        }
        self.text += &(table.trim_fmt() + "\n");
    }

    /// A line without words, unless a list goes on.
    fn end_part(&mut self) {
        if self.depth == 0 {
            self.text.push('\n');
        }
    }
}

/// A table without lines but the one below its headings.
fn table(rows: &[Vec<String>], alignments: &[Alignment], width: u16) -> String {
    let mut table = unframed(width);
    table.style_mut().header_separator = LineStyle::none().fill('-');
    let mut each = rows.iter();
    each.next().into_iter().for_each(|head| {
        table.set_header(head);
    });
    each.for_each(|row| {
        table.add_row(row);
    });
    set_gap(&mut table, GAP);
    let longest = |j: usize| {
        let words = rows.iter().filter_map(|row| row.get(j)).flat_map(|cell| cell.split_whitespace());
        u16::try_from(words.map(|word| word.chars().count()).max().unwrap_or(0)).unwrap_or(u16::MAX)
    };
    for (j, column) in table.column_iter_mut().enumerate() {
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(longest(j))));
        if alignments.get(j) == Some(&Alignment::Right) {
            column.set_cell_alignment(CellAlignment::Right);
        }
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
    use crate::report::export::page_in_markdown;
    use crate::report::grid::Grid;
    use crate::report::section::{Block, Page, Section};

    #[test]
    fn a_page_is_as_wide_as_the_window_and_has_no_marks() {
        let mut page = Page::new("y of a_b.csv");
        page.text("12 rows | 3 features, which are not many.");
        page.blocks.push(Block::Markdown(
            "**Recommended: `linear-gaussian`.**\n\n- Its intervals cover 91 % of \\|x\\|, as stated.\n- [Why](a.md).\n".into(),
        ));
        let mut grid = Grid::new(&["Method", "#CRPS", "Finding"]);
        grid.rows = vec![
            vec!["linear-gaussian".into(), "2.55".into(), "a word and one more and another one".into()],
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

Method            CRPS  Finding
---------------------------------------
linear-gaussian   2.55  a word and
                        one more and
                        another one
stack             12.5  x|y of `z`

Lower is better.

";
        let markdown = page_in_markdown(&page);
        assert_eq!(for_terminal(&markdown, 38), expected);
        let narrow = for_terminal(&markdown, 10);
        assert!(narrow.contains("linear-gaussian") && narrow.contains("12.5"), "no number is broken: {narrow}");
    }

    #[test]
    fn a_control_character_does_not_reach_the_terminal() {
        let text = for_terminal("# a\u{1b}[31m\n\n`b\u{7}`\n\n| c\u{1b} |\n| - |\n| d |\n", 80);
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    }
}
