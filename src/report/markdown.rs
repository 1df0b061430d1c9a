//! Write Markdown and CSV tables from rows of text.

use std::fmt::Write;

/// A table of text, before it has a format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// Headings.
    pub head: Vec<String>,
    /// Whether a column holds numbers, which are set flush right.
    pub numeric: Vec<bool>,
    /// Rows.
    pub rows: Vec<Vec<String>>,
}

impl Grid {
    /// A table with these headings; a heading that starts with `#` marks a column of numbers.
    pub fn new(head: &[&str]) -> Self {
        let numeric = head.iter().map(|h| h.starts_with('#')).collect();
        Self { head: head.iter().map(|h| h.trim_start_matches('#').to_owned()).collect(), numeric, rows: Vec::new() }
    }

    /// The table in Markdown, columns padded so that the source is readable too.
    pub fn markdown(&self) -> String {
        let cells: Vec<Vec<String>> =
            std::iter::once(&self.head).chain(&self.rows).map(|r| r.iter().map(|c| escape(c)).collect()).collect();
        let columns = self.head.len();
        let width = |j: usize| cells.iter().map(|row| row.get(j).map_or(0, |c| c.chars().count())).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(|j| width(j).max(3)).collect();
        let mut text = String::new();
        for (i, row) in cells.iter().enumerate() {
            text.push('|');
            for (j, &w) in widths.iter().enumerate() {
                let cell = row.get(j).map_or("", String::as_str);
                // Writing to a string does not fail.
                let _ = if self.numeric[j] { write!(text, " {cell:>w$} |") } else { write!(text, " {cell:<w$} |") };
            }
            text.push('\n');
            if i == 0 {
                text.push('|');
                for (j, &w) in widths.iter().enumerate() {
                    let _ = write!(text, " {}{} |", "-".repeat(w - 1), if self.numeric[j] { ':' } else { '-' });
                }
                text.push('\n');
            }
        }
        text
    }

    /// The table in CSV.
    pub fn csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in std::iter::once(&self.head).chain(&self.rows) {
            let _ = writer.write_record(row.iter().map(|cell| unformula(cell))); // a vector takes every byte
        }
        writer.into_inner().unwrap_or_default()
    }
}

/// Text without control characters and with Markdown's own marks escaped where they would break a table.
pub fn escape(text: &str) -> String {
    let clean = text.chars().filter(|c| !c.is_control());
    clean.fold(String::new(), |mut out, c| {
        if matches!(c, '|' | '<' | '`') {
            out.push('\\');
        }
        out.push(c);
        out
    })
}

/// A CSV cell that no spreadsheet takes for a formula: numbers stay, other text that starts like one gets a quote.
fn unformula(cell: &str) -> String {
    let clean: String = cell.chars().filter(|c| !c.is_control()).collect();
    let risky = clean.starts_with(['=', '+', '-', '@']) && clean.parse::<f64>().is_err();
    if risky { format!("'{clean}") } else { clean }
}

/// A number with so many digits after the point as its spread deserves: two significant digits of the spread.
pub fn number(value: f64, spread: Option<f64>) -> String {
    let decimals = match spread {
        Some(s) if s > 0.0 && s.is_finite() => (1 - s.log10().floor() as i32).clamp(0, 6),
        _ if value == 0.0 || !value.is_finite() => 0,
        _ => (3 - value.abs().log10().floor() as i32).clamp(0, 6),
    };
    if value != 0.0 && value.abs() < 1e-4 {
        return format!("{value:.1e}");
    }
    format!("{value:.*}", usize::try_from(decimals).unwrap_or(0))
}

/// `mean ± spread`, or `–` where there is no number.
pub fn mean_and_spread(mean: Option<f64>, spread: Option<f64>) -> String {
    match (mean, spread) {
        (None, _) => "–".into(),
        (Some(m), None) => number(m, None),
        (Some(m), Some(s)) => format!("{} ± {}", number(m, spread), number(s, spread)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_aligned_and_escaped() {
        let mut grid = Grid::new(&["name", "#value"]);
        grid.rows.push(vec!["a|b\u{7}".into(), "1.5".into()]);
        insta::assert_snapshot!(grid.markdown(), @r"
        | name | value |
        | ---- | ----: |
        | a\|b |   1.5 |
        ");
    }

    #[test]
    fn csv_disarms_formulas_but_not_numbers() {
        let mut grid = Grid::new(&["a", "b", "c"]);
        grid.rows.push(vec!["=1+1".into(), "-2.5".into(), "x,\"y\"".into()]);
        assert_eq!(String::from_utf8(grid.csv()).unwrap(), "a,b,c\n'=1+1,-2.5,\"x,\"\"y\"\"\"\n");
    }

    #[test]
    fn digits_follow_the_spread() {
        assert_eq!(mean_and_spread(Some(0.53712), Some(0.0123)), "0.537 ± 0.012");
        assert_eq!(mean_and_spread(Some(32.25), Some(4.2)), "32.2 ± 4.2");
        assert_eq!(mean_and_spread(Some(1234.5), Some(120.0)), "1234 ± 120");
        assert_eq!(mean_and_spread(Some(0.53712), None), "0.5371");
        assert_eq!(mean_and_spread(None, None), "–");
        assert_eq!(number(f64::NEG_INFINITY, None), "-inf");
        assert_eq!(mean_and_spread(Some(0.000_001_2), Some(0.000_000_3)), "1.2e-6 ± 3.0e-7");
    }
}
