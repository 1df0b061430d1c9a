//! Choose what separates the cells of a text, by its lines.

use super::MARKS;
use crate::own::numeric::is_number;

/// What may stand between cells, but for blanks. Of two that fit equally well the first one is
/// chosen.
pub(super) const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];
/// Most lines that are looked at.
const MOST_LINES: usize = 200;
/// Most bytes that are looked at.
const MOST_BYTES: usize = 1 << 18;

/// Lines of a text, divided by each separator that may be meant.
pub(super) struct Separators<'a> {
    text: &'a str,
    /// In the order of [`SEPARATORS`].
    divided: Vec<Vec<Division>>,
}

/// A line, divided by one separator.
struct Division {
    /// Where the line begins.
    start: usize,
    cells: usize,
    /// How many of the cells are numbers, or missing.
    numbers: usize,
}

/// How well a separator fits a header and the lines below it; the larger the better.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Fit {
    /// The share of the lines that have as many cells as the header; one cell more counts half,
    /// because rows may have names.
    lines: f64,
    /// The share of their cells that are numbers, or missing.
    numbers: f64,
    /// Cells of the header.
    cells: usize,
}

impl<'a> Separators<'a> {
    /// Of a text whose rows begin at a byte.
    pub fn of(text: &'a str, rows: usize) -> Self {
        let divided = SEPARATORS.iter().map(|separator| divide(text, rows, *separator, MOST_LINES));
        Self { text, divided: divided.collect() }
    }

    /// The separator of a header that begins at a byte: the one that divides the lines below it as
    /// it divides the header, and makes most cells numbers; where none does, the one that the
    /// header has most of.
    pub fn at(&self, header: usize) -> char {
        self.fitting(header).unwrap_or_else(|| most_frequent(&self.text[header..]))
    }

    /// The separator that divides a header and some of the lines below it alike; `None` where none
    /// does.
    pub fn fitting(&self, header: usize) -> Option<char> {
        let header = header + self.text[header..].len() - self.text[header..].trim_start().len();
        let fits = SEPARATORS.iter().zip(&self.divided);
        let fits = fits.filter_map(|(separator, lines)| {
            Some((*separator, self.fit(header, *separator, lines)?))
        });
        // The first of equal ones.
        let best = fits.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map(|(separator, _)| separator)
    }

    /// How well a separator fits; `None` where it makes one cell of the header, or fits no line
    /// below.
    fn fit(&self, header: usize, separator: char, lines: &[Division]) -> Option<Fit> {
        let cells = divide(self.text, header, separator, 1).first()?.cells;
        let is_below = |line: &&Division| line.start > header && !self.is_marked(line.start);
        let below: Vec<&Division> = lines.iter().filter(is_below).collect();
        let same = below.iter().filter(|line| line.cells == cells).count();
        let alike = || below.iter().filter(|line| line.cells == cells || line.cells == cells + 1);
        let all: usize = alike().map(|line| line.cells).sum();
        if cells < 2 || all == 0 {
            return None;
        }
        let lines = (same as f64 + alike().count() as f64) / (2 * below.len()) as f64;
        let numbers = alike().map(|line| line.numbers).sum::<usize>() as f64 / all as f64;
        Some(Fit { lines, numbers, cells })
    }

    fn is_marked(&self, start: usize) -> bool {
        self.text[start..].starts_with(MARKS)
    }
}

/// At most `most` lines from the byte `start` on, divided as they will be read. The last one is
/// left out where the text is cut.
fn divide(text: &str, start: usize, separator: char, most: usize) -> Vec<Division> {
    let mut end = text.len().min(start.saturating_add(MOST_BYTES));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let part = &text[start..end];
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator as u8)
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(part.as_bytes());
    let mut record = csv::StringRecord::new();
    let mut lines = Vec::new();
    while lines.len() < most && reader.read_record(&mut record).is_ok_and(|is_read| is_read) {
        let at = record.position().map_or(0, |position| position.byte() as usize);
        let blanks = part[at..].len() - part[at..].trim_start().len();
        let numbers = record.iter().filter(|cell| is_number(cell)).count();
        lines.push(Division { start: start + at + blanks, cells: record.len(), numbers });
    }
    if end < text.len() && lines.len() < most && lines.len() > 1 {
        lines.pop();
    }
    lines
}

/// How often a separator occurs outside quotation marks.
pub(super) fn separators(line: &str, separator: char) -> usize {
    let mut quoted = false;
    line.chars()
        .filter(|c| {
            quoted ^= *c == '"';
            !quoted && *c == separator
        })
        .count()
}

/// Whichever of comma, semicolon and tab the header has most of outside quotation marks; the first
/// of them for a tie. A header without any of them may have vertical bars.
pub(super) fn most_frequent(text: &str) -> char {
    let mut quoted = false;
    let header: String = text
        .trim_start()
        .chars()
        .take_while(|c| {
            quoted ^= *c == '"';
            quoted || !matches!(c, '\n' | '\r')
        })
        .collect();
    let counts = [',', ';', '\t'].map(|separator| (separator, separators(&header, separator)));
    match counts.into_iter().rev().max_by_key(|(_, count)| *count) {
        Some((separator, count)) if count > 0 => separator,
        _ if separators(&header, '|') > 0 => '|',
        _ => ',',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(text: &str) -> char {
        Separators::of(text, 0).at(0)
    }

    #[test]
    fn the_lines_below_a_header_decide_what_separates() {
        for (text, expected) in [
            ("Wind, 10 m, m/s;Temp, C;Leistung, kW\n1,5;2,5;3,5\n2,5;3,5;4,5\n", ';'),
            ("Wind, 10 m, m/s\tPower, kW\n1.5\t2.5\n2.5\t3.5\n", '\t'),
            ("Wind; 10 m; m/s\tPower\n1.5\t2.5\n2.5\t3.5\n", '\t'),
            ("Wind, 10 m, m/s|Power, kW\n1.5|2.5\n", '|'),
            ("a|b|c;d\n1;2\n3;4\n", ';'),
            ("\"a;b;c;d\",e\n1,2\n", ','),
            // Every comma of the header has one in the rows, too.
            ("x, m;y, m\n1,5;2,5\n1,7;2,7\n", ';'),
            ("x, m\ty, m\n1,5\t2,5\n", '\t'),
            ("Name;Address, city;y\nBob;Main St 5, Berlin;3\nAda;Low St 2, Bonn;4\n", ';'),
            ("name,note\n\"Bob; Ada\",\"1;2\"\n\"Eve; Dan\",\"3;4\"\n", ','),
            ("a,b,c\n1,2,3\n", ','),
            ("a;b\n1,5;2,5\n", ';'),
        ] {
            assert_eq!(chosen(text), expected, "{text}");
        }
    }

    #[test]
    fn a_header_that_no_line_is_like_is_divided_by_what_it_has_most_of() {
        for (text, expected) in
            [("a,b,c\n1,2\n", ','), ("a;b;c,d\n", ';'), ("a\n1\n", ','), ("a|b\n", '|')]
        {
            assert_eq!(chosen(text), expected, "{text}");
        }
    }

    #[test]
    fn few_wrong_lines_change_nothing() {
        let lines: String = (0..40)
            .map(|i| if i == 7 { "1,2;3\n".into() } else { format!("{i},5;{i},7\n") })
            .collect();
        assert_eq!(chosen(&format!("a, m;b, s\n{lines}")), ';');
    }

    #[test]
    fn vertical_bars_separate_only_where_nothing_else_does() {
        assert_eq!(most_frequent("a|b\n1|2"), '|');
        assert_eq!(most_frequent("a|b,c|d|e\n"), ',');
        assert_eq!(most_frequent("\"a|b\"\n"), ',');
    }
}
