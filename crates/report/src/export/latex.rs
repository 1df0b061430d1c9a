//! Write LaTeX with `booktabs`: a document whose tables can be copied out whole.

use super::clean;
use crate::section::{Block, Page, Section};

const PREAMBLE: &str = "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{booktabs,graphicx}\n\
    \\usepackage[margin=2cm]{geometry}\n";

/// A character, then what LaTeX writes for it.
const SYMBOLS: &str = "\\\\textbackslash{} ~\\textasciitilde{} ^\\textasciicircum{} ±$\\pm$ −$-$ \
    –-- ×$\\times$ ≤$\\le$ ≥$\\ge$ δ$\\delta$ σ$\\sigma$ χ$\\chi$ ²$^2$ √$\\surd$ ·$\\cdot$ \
    →$\\to$ α$\\alpha$ τ$\\tau$ ∞$\\infty$ ³$^3$ †\\dag{} ‡\\ddag{} §\\S{} ¶\\P{} ≈$\\approx$ “`` \
    ”'' <$<$ >$>$ |$|$ [{[}";

/// A whole document; prose that has Markdown's markup is left to the Markdown page. Figures are
/// named without ending, so that LaTeX takes the PNG that `--png` writes.
pub(super) fn page(page: &Page) -> String {
    let parts = page.blocks.iter().filter_map(|block| match block {
        Block::Text(words) => Some(format!("{}\n\n", escape(words))),
        Block::Markdown(_) | Block::Notes(_) | Block::Errata(_) | Block::Claims(_) => None,
        Block::Figure { file, title } => Some(format!(
            "\\begin{{figure}}[htbp]\n\\centering\n\\includegraphics[width=\\linewidth]{{{file}}}\n\
             \\caption{{{}}}\n\\end{{figure}}\n\n",
            escape(title)
        )),
        Block::Table(_, section) => Some(table(section)),
    });
    let (title, body) = (escape(&page.title), parts.collect::<String>());
    format!("{PREAMBLE}\\begin{{document}}\n\\section*{{{title}}}\n\n{body}\\end{{document}}\n")
}

/// A floating table, shrunk where it is wider than the page.
fn table(Section { title, grid, note }: &Section) -> String {
    let columns: String =
        grid.numeric.iter().map(|&numeric| if numeric { 'r' } else { 'l' }).collect();
    let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
    let head = line(grid.head.iter().map(|heading| escape(heading)).collect());
    let rows: String = grid
        .rows
        .iter()
        .map(|row| line(row.iter().map(|cell| escape(&cell.text)).collect()))
        .collect();
    let caption = if note.is_empty() {
        escape(title)
    } else {
        format!("{}. {}", escape(title), escape(note))
    };
    format!(
        "\\begin{{table}}[htbp]\n\\centering\n\\caption{{{caption}}}\n\\resizebox{{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}}{{!}}{{%\n\\begin{{tabular}}{{{columns}}}\n\\toprule\n{}\\midrule\n{rows}\\bottomrule\n\
         \\end{{tabular}}}}\n\\end{{table}}\n\n",
        head
    )
}

/// Text without control characters, its special characters escaped, its symbols as commands of
/// LaTeX.
fn escape(text: &str) -> String {
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
