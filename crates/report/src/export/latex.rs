//! Write LaTeX with `booktabs`: a file for each table, which a paper includes by `\input`, and a
//! document that shows them all.

use super::clean;
use crate::document::Document;
use crate::grid::{Cell, Grid};
use crate::section::{Block, Page, Section, slug};
use crate::words::page::BEST;
use uqbench_judge::judgement::leaders::AgainstBest;

const PREAMBLE: &str = "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{booktabs,graphicx}\n\
    \\usepackage[margin=2cm]{geometry}\n";

/// A character, then what LaTeX writes for it.
const SYMBOLS: &str = "\\\\textbackslash{} ~\\textasciitilde{} ^\\textasciicircum{} ±$\\pm$ −$-$ \
    –-- ×$\\times$ ≤$\\le$ ≥$\\ge$ δ$\\delta$ σ$\\sigma$ χ$\\chi$ ²$^2$ √$\\surd$ ·$\\cdot$ \
    →$\\to$ α$\\alpha$ τ$\\tau$ ∞$\\infty$ ³$^3$ †\\dag{} ‡\\ddag{} §\\S{} ¶\\P{} ≈$\\approx$ “`` \
    ”'' <$<$ >$>$ |$|$ [{[}";

/// The document `NAME.tex`, and the tables that it includes, `tables/NAME-01-TITLE.tex`. Prose that
/// has Markdown's markup is left to the Markdown page. Figures are the PDFs that `--pdf` writes, in
/// a folder of their own: LaTeX writes `NAME.pdf` beside `NAME.tex`.
pub(super) fn documents(name: &str, page: &Page) -> Vec<Document> {
    let mut tables: Vec<Document> = Vec::new();
    let mut body = String::new();
    for block in &page.blocks {
        match block {
            Block::Text(words) => body += &format!("{}\n\n", escape(words)),
            Block::Markdown(_) | Block::Notes(_) | Block::Errata(_) | Block::Claims(_) => {}
            Block::Figure { file, title, .. } => {
                body += &format!(
                    "\\begin{{figure}}[htbp]\n\\centering\n\\includegraphics[width=\\linewidth]{{pdf/{file}}}\n\
                     \\caption{{{}}}\n\\label{{fig:{file}}}\n\\end{{figure}}\n\n",
                    escape(title)
                );
            }
            Block::Table(_, section) => {
                let label = format!("{name}-{:02}-{}", tables.len() + 1, slug(&section.title));
                body += &format!("\\input{{tables/{label}}}\n\n");
                let text = table(section, &label);
                tables.push(Document::new(format!("tables/{label}.tex"), text));
            }
        }
    }
    let references = if page.references.is_empty() {
        String::new()
    } else {
        format!("\\nocite{{*}}\n\\bibliographystyle{{plain}}\n\\bibliography{{{name}}}\n\n")
    };
    let title = escape(&page.title);
    let text = format!(
        "{PREAMBLE}\\begin{{document}}\n\\section*{{{title}}}\n\n{body}{references}\\end{{document}}\n"
    );
    tables.insert(0, Document::new(format!("{name}.tex"), text));
    tables
}

/// A floating table, shrunk where it is wider than the page.
fn table(Section { title, grid, note }: &Section, label: &str) -> String {
    let columns: String =
        grid.numeric.iter().map(|&numeric| if numeric { 'r' } else { 'l' }).collect();
    let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
    let head = line(grid.head.iter().map(|heading| escape(heading)).collect());
    let rows: String = grid.rows.iter().map(|row| line(row.iter().map(marked).collect())).collect();
    let notes = [note.as_str(), if has_marks(grid) { BEST } else { "" }];
    let notes = notes.iter().filter(|note| !note.is_empty()).map(|note| escape(note));
    let caption: Vec<String> =
        std::iter::once(format!("{}.", escape(title))).chain(notes).collect();
    format!(
        "% Needs \\usepackage{{booktabs,graphicx}}.\n\\begin{{table}}[htbp]\n\\centering\n\
         \\caption{{{}}}\n\\label{{tab:{label}}}\n\
         \\resizebox{{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}}{{!}}{{%\n\
         \\begin{{tabular}}{{{columns}}}\n\\toprule\n{head}\\midrule\n{rows}\\bottomrule\n\
         \\end{{tabular}}}}\n\\end{{table}}\n",
        caption.join(" ")
    )
}

/// Whether a number of the table is marked.
fn has_marks(grid: &Grid) -> bool {
    grid.cells()
        .any(|cell| matches!(cell.against_best, Some(AgainstBest::Best | AgainstBest::NotBehind)))
}

/// A cell, with its mark.
fn marked(Cell { text, against_best, .. }: &Cell) -> String {
    let text = escape(&with_minus(text));
    match against_best {
        Some(AgainstBest::Best) => format!("\\textbf{{\\boldmath {text}}}"),
        Some(AgainstBest::NotBehind) => format!("\\underline{{{text}}}"),
        Some(AgainstBest::Behind) | None => text,
    }
}

/// The text with a minus sign before each negative number.
fn with_minus(text: &str) -> String {
    let begins = |at: usize| at == 0 || text[..at].ends_with([' ', '(']);
    let is_sign =
        |at: usize| begins(at) && text[at + 1..].starts_with(|next: char| next.is_ascii_digit());
    let sign = |(at, c): (usize, char)| if c == '-' && is_sign(at) { '−' } else { c };
    text.char_indices().map(sign).collect()
}

/// Text without control characters, its special characters escaped, its symbols as commands of
/// LaTeX.
pub(crate) fn escape(text: &str) -> String {
    clean(text).map(symbol).collect()
}

fn symbol(c: char) -> String {
    if "#$%&_{}".contains(c) {
        return format!("\\{c}");
    }
    let known = SYMBOLS.split(' ').find_map(|pair| pair.strip_prefix(c));
    // Latin letters are in the fonts; LaTeX stops at others, so these are named.
    known.map_or_else(
        || if c <= 'ſ' { c.into() } else { format!("(U+{:04X})", u32::from(c)) },
        Into::into,
    )
}
