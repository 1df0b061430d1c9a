//! Find the separator, the comment lines and the header of a text table.

use std::collections::{HashMap, HashSet};

use super::error::{OwnError, SHOWN, shape};
use super::finding::Finding;
use crate::data::printable;

/// Where a table begins in a text, and what stands between its cells.
pub(super) struct Layout {
    /// Byte at which the header's line begins, or an empty line above it.
    pub start: usize,
    pub separator: char,
    /// Number of comment lines above the header.
    pub comments: usize,
}

impl Layout {
    /// Lines above the header that begin with `#` are comments. A line that begins with `#` is the header if it has as
    /// many cells as the first line that does not, and the line below it looks like data.
    pub fn of(text: &str) -> Self {
        let mut layout = Self { start: 0, separator: separator_of(text), comments: 0 };
        let is_row = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
        let Some(row) = text.split(['\n', '\r']).find(is_row) else { return layout };
        let is_one_cell = separators(row, separator_of(row)) == 0;
        loop {
            let rest = &text[layout.start..];
            let body = rest.trim_start();
            let line = body.split(['\n', '\r']).next().unwrap_or_default();
            let count = separators(line, layout.separator);
            let next = body[line.len()..].split(['\n', '\r']).find(|line| !line.trim().is_empty());
            let is_header = count == separators(row, layout.separator)
                && (count > 0 || is_one_cell)
                && next.is_some_and(|next| looks_like_data(next, layout.separator));
            if !line.starts_with('#') || is_header {
                return layout;
            }
            layout.start += rest.len() - body.len() + line.len();
            layout.separator = separator_of(&text[layout.start..]);
            layout.comments += 1;
        }
    }
}

/// Whether some cell of a line begins as a number does.
fn looks_like_data(line: &str, separator: char) -> bool {
    let begins = |c: char| c.is_ascii_digit() || matches!(c, '-' | '.');
    line.split(separator).any(|cell| cell.trim_start_matches([' ', '\t', '"']).starts_with(begins))
}

/// How often a separator occurs outside quotation marks.
fn separators(line: &str, separator: char) -> usize {
    let mut quoted = false;
    line.chars()
        .filter(|c| {
            quoted ^= *c == '"';
            !quoted && *c == separator
        })
        .count()
}

/// Whichever of comma, semicolon and tab the header has most of outside quotation marks; the first of them for a tie. A
/// header without any of them may have vertical bars.
fn separator_of(text: &str) -> char {
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

/// The names of the columns.
pub(super) struct Header {
    /// Each of them once.
    pub names: Vec<String>,
    /// Which columns have a name that an earlier column has, and how they are called instead.
    pub renamed: Option<Finding>,
    /// The same as an error, for files whose columns are known by their names alone.
    pub repeated: Option<OwnError>,
}

pub(super) fn header(file: &str, record: &csv::StringRecord) -> Result<Header, OwnError> {
    if record.iter().all(|cell| cell.parse::<f64>().is_ok()) {
        return Err(shape(file, "only numbers in the first line", "a header: a line with the names of the columns"));
    }
    let name = |(j, cell): (usize, &str)| if cell.is_empty() { format!("column {}", j + 1) } else { cell.to_owned() };
    let given: Vec<String> = record.iter().enumerate().map(name).collect();
    let mut taken: HashSet<String> = given.iter().cloned().collect();
    // The place of a name's first column, and the number of its columns so far.
    let mut seen: HashMap<&str, (usize, usize)> = HashMap::with_capacity(given.len());
    let (mut names, mut renamed, mut repeated) = (Vec::with_capacity(given.len()), Vec::new(), None);
    for (j, name) in given.iter().enumerate() {
        let (first, count) = seen.entry(name).or_insert((j, 0));
        *count += 1;
        if *count == 1 {
            names.push(name.clone());
            continue;
        }
        repeated.get_or_insert_with(|| OwnError::Column {
            file: file.into(),
            column: printable(name, SHOWN),
            found: format!("this name as column {} and as column {} of the header", *first + 1, j + 1),
            expected: "every name once".into(),
        });
        while !taken.insert(format!("{name} ({count})")) {
            *count += 1;
        }
        let unique = format!("{name} ({count})");
        renamed.push(format!("column {} is called \"{}\"", j + 1, printable(&unique, SHOWN)));
        names.push(unique);
    }
    let told = printable(&renamed.join(", "), 300);
    let renamed = (!renamed.is_empty())
        .then(|| Finding::warning(format!("{file}: a name occurs more than once in the header: {told}")));
    Ok(Header { names, renamed, repeated })
}

/// Counts lines up to increasing positions.
pub(super) struct Lines<'a> {
    text: &'a [u8],
    counted: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Self { text, counted: 0, line: 1 }
    }

    /// The line of the text that follows this position. A record's position is where the reader continued, which may be
    /// before empty lines or between the two bytes of a line end.
    pub fn of(&mut self, place: usize) -> u64 {
        let place = place.clamp(self.counted, self.text.len());
        let ends = self.text[place..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let part = &self.text[self.counted..place + ends];
        let is_end = |i: usize| part[i] == b'\n' || (part[i] == b'\r' && part.get(i + 1) != Some(&b'\n'));
        self.line += (0..part.len()).filter(|i| is_end(*i)).count() as u64;
        self.counted = place + ends;
        self.line
    }
}

/// The line at a position.
pub(super) fn line_of(text: &[u8], place: usize) -> u64 {
    Lines::new(text).of(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(text: &str) -> (usize, char, usize) {
        let Layout { start, separator, comments } = Layout::of(text);
        (start, separator, comments)
    }

    #[test]
    fn lines_above_the_header_are_comments_unless_they_are_the_header() {
        assert_eq!(layout("# made by hand\n\n#2; 3\nx,y\n1,2\n"), (21, ',', 2));
        assert_eq!(layout("#x,y\n1,2\n"), (0, ',', 0), "a header may begin with the mark");
        assert_eq!(layout("#x;y\n1,5;2\n"), (0, ';', 0));
        assert_eq!(layout("# a\r\nx|y\r\n"), (3, '|', 1));
        assert_eq!(layout("#x,y\nred,-1\n"), (0, ',', 0));
        assert_eq!(layout("# by hand, in May\nx,y\n1,2\n"), (17, ',', 1), "names stand below it, no data");
        assert_eq!(layout("# a, b\n#x,y\n\n\"1\",2\n"), (6, ',', 1));
        assert_eq!(layout("# only\n# comments\n"), (0, ',', 0));
    }

    #[test]
    fn vertical_bars_separate_only_where_nothing_else_does() {
        assert_eq!(separator_of("a|b\n1|2"), '|');
        assert_eq!(separator_of("a|b,c|d|e\n"), ',');
        assert_eq!(separator_of("\"a|b\"\n"), ',');
    }
}
