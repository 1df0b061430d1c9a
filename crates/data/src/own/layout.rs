//! Find the separator, the comment lines and the header of a text table.

mod separators;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::error::{OwnError, SHOWN, shape};
use super::finding::{Finding, Topic};
use super::metadata;
use separators::{SEPARATORS, Separators, separators};

use uq_core::names::counted;
use uq_core::printable::printable;

/// Lines that begin so above the header are comments, and so are those below it with another number
/// of cells, or with text where all rows have numbers.
pub(super) const MARKS: [char; 2] = ['#', '%'];
/// Most lines of a title above the header.
const MOST_TITLES: usize = 20;

/// Where a table begins in a text, and what stands between its cells.
pub(super) struct Layout<'a> {
    /// The text, with tabs in place of blanks where blanks separate cells.
    pub text: Cow<'a, str>,
    /// Byte at which the header's line begins, or an empty line above it.
    pub start: usize,
    pub separator: char,
    /// Number of comment lines above the header.
    pub comments: usize,
    /// What else stands above the header.
    pub above: Option<Finding>,
}

impl<'a> Layout<'a> {
    /// A separator may be asked for. A first line such as `sep=;` names it, too, as Excel has it.
    /// Else the lines decide. Lines above the header that begin with a mark are comments. Lines of
    /// one cell above the header are a title. Where nothing else separates cells, blanks do.
    pub fn of(file: &str, text: Cow<'a, str>, asked: Option<char>) -> Self {
        let named = named_separator(&text);
        let first = named.map_or(0, |(end, _)| end);
        let above =
            named.map(|_| Finding::note(format!("{file}: the first line names the separator")));
        let known = asked.or(named.map(|(_, separator)| separator));
        let separators = Separators::of(&text, first_row(&text, first));
        let separator_at = |start: usize| known.unwrap_or_else(|| separators.at(start));
        let (start, separator, comments) = below_comments(&text, first, separator_at);
        let is_between_blanks = match asked {
            Some(asked) => asked == ' ',
            None => {
                known.is_none()
                    && separators.fitting(start).is_none()
                    && is_between_blanks(&text[start..])
            }
        };
        if is_between_blanks {
            let text = Cow::Owned(text[..start].to_owned() + &tabbed(&text[start..]));
            return Self { text, start, separator: ' ', comments, above };
        }
        if let Some((below, separator, titles)) =
            below_title(&text, start, separator_at).filter(|_| named.is_none())
        {
            let lines = counted(titles, "line");
            let above =
                Finding::note(format!("{file}: {lines} of one cell above the header left out"));
            return Self { text, start: below, separator, comments, above: Some(above) };
        }
        if let Some((below, separator, lines)) = below_metadata(&text, start, separator_at) {
            let lines = counted(lines, "line");
            let finding = Finding::note(format!("{file}: {lines} above the header left out"))
                .about(Topic::Sheet, [] as [&str; 0]);
            return Self { text, start: below, separator, comments, above: Some(finding) };
        }
        Self { text, start, separator, comments, above }
    }
}

/// Where the header stands below lines that say something of the table, from a byte on, its
/// separator, and the number of these lines.
fn below_metadata(
    text: &str,
    start: usize,
    separator_at: impl Fn(usize) -> char,
) -> Option<(usize, char, usize)> {
    let mut end = start;
    let lines = text[start..].split('\n').map(|line| {
        end += line.len() + 1;
        (end - line.len() - 1, line.trim_end_matches('\r'))
    });
    let lines: Vec<(usize, &str)> =
        lines.take(metadata::MOST_LINES + 1 + metadata::LOOKED_AT).collect();
    let is_whole = |(_, line): &(usize, &str)| line.matches('"').count().is_multiple_of(2);
    let mut tried = Vec::new();
    for (place, _) in lines.iter().filter(|(_, line)| is_row(line)) {
        let separator = separator_at(*place);
        if tried.contains(&separator) {
            continue;
        }
        tried.push(separator);
        let divided: Vec<Vec<&str>> =
            lines.iter().map(|(_, line)| cells_of(line, separator)).collect();
        let found = metadata::header_below(&divided)
            .filter(|header| lines[..=*header].iter().all(is_whole));
        if let Some(header) = found.filter(|header| separator_at(lines[*header].0) == separator) {
            return Some((lines[header].0, separator, header));
        }
    }
    None
}

/// Where the first line stands, from a byte on, that is no comment.
fn first_row(text: &str, start: usize) -> usize {
    let mut end = start;
    let mut lines = text[start..].split(['\n', '\r']).map(|line| {
        end += line.len() + 1;
        (end - line.len() - 1, line)
    });
    lines.find(|(_, line)| is_row(line)).map_or(start, |(place, _)| place)
}

/// Whether a line is neither empty nor a comment.
fn is_row(line: &str) -> bool {
    !line.trim().is_empty() && !line.trim_start().starts_with(MARKS)
}

/// The separator that a first line such as `sep=;` names, and where that line ends.
fn named_separator(text: &str) -> Option<(usize, char)> {
    let line = text.split(['\n', '\r']).next()?;
    let named = line.trim_matches([' ', '"']);
    let mut named = named
        .get(..4)
        .filter(|word| word.eq_ignore_ascii_case("sep="))
        .and(named.get(4..))?
        .chars();
    let separator = named.next().unwrap_or('\t');
    (named.next().is_none() && SEPARATORS.contains(&separator)).then_some((line.len(), separator))
}

/// Where the header stands below comments, from a byte on, the separator there, and the number of
/// comments. A line that begins with a mark is the header if it has as many cells as the first line
/// that does not, and the line below it looks like data.
fn below_comments(
    text: &str,
    start: usize,
    separator_at: impl Fn(usize) -> char,
) -> (usize, char, usize) {
    let (mut start, mut separator, mut comments) = (start, separator_at(start), 0);
    let place = first_row(text, start);
    let row = text[place..].split(['\n', '\r']).next().unwrap_or_default();
    if !is_row(row) {
        return (start, separator, comments);
    }
    let is_one_cell = separators(row, separator_at(place)) == 0;
    loop {
        let rest = &text[start..];
        let body = rest.trim_start();
        let line = body.split(['\n', '\r']).next().unwrap_or_default();
        let count = separators(line, separator);
        let next = body[line.len()..].split(['\n', '\r']).find(|line| !line.trim().is_empty());
        let is_header = count == separators(row, separator)
            && (count > 0 || is_one_cell)
            && next.is_some_and(|next| looks_like_data(next, separator));
        if !line.starts_with(MARKS) || is_header {
            return (start, separator, comments);
        }
        start += rest.len() - body.len() + line.len();
        separator = separator_at(start);
        comments += 1;
    }
}

/// Where the header stands below lines of a title, from a byte on, its separator, and the number of
/// these lines; `None` where there is no title or where that is not certain. The header is the
/// first line with as many cells as the line below it, or one fewer; a line of the title has one
/// cell.
fn below_title(
    text: &str,
    start: usize,
    separator_at: impl Fn(usize) -> char,
) -> Option<(usize, char, usize)> {
    let mut end = start;
    let lines = text[start..].split(['\n', '\r']).map(|line| {
        end += line.len() + 1;
        (end - line.len() - 1, line)
    });
    let lines: Vec<(usize, &str)> =
        lines.filter(|(_, line)| !line.trim().is_empty()).take(MOST_TITLES + 2).collect();
    let is_whole = |line: &str| line.matches('"').count().is_multiple_of(2);
    let fits = |pair: &[(usize, &str)]| {
        let [(place, line), (_, next)] = pair else { return false };
        let separator = separator_at(*place);
        let (count, below) = (separators(line, separator), separators(next, separator));
        count > 0 && (below == count || below == count + 1) && is_whole(line)
    };
    let titles = lines.windows(2).position(fits).filter(|titles| *titles > 0)?;
    let (place, header) = lines[titles];
    let separator = separator_at(place);
    let is_title = |line: &str| {
        is_whole(line) && (line.starts_with(MARKS) || separators(line, separator) == 0)
    };
    let has_names = header
        .split(separator)
        .any(|cell| !cell.trim().is_empty() && cell.trim().parse::<f64>().is_err());
    (has_names && lines[..titles].iter().all(|(_, line)| is_title(line)))
        .then_some((place, separator, titles))
}

/// The cells of a line, none of an empty one.
fn cells_of(line: &str, separator: char) -> Vec<&str> {
    if line.trim().is_empty() {
        return Vec::new();
    }
    let mut quoted = false;
    let is_end = |c: char| {
        quoted ^= c == '"';
        !quoted && c == separator
    };
    line.split(is_end).map(|cell| cell.trim_matches([' ', '"'])).collect()
}

/// Whether blanks separate the cells, where no other separator divides header and lines alike: the
/// line below the header has as many words, or one more. Where another separator stands in the
/// header it is part of a name, if all lines have as many words.
fn is_between_blanks(text: &str) -> bool {
    let is_row = |line: &&str| !line.trim().is_empty() && !line.starts_with(MARKS);
    let mut lines = text.split(['\n', '\r']).filter(is_row);
    let (Some(header), Some(next)) = (lines.next(), lines.next()) else { return false };
    let words = |line: &str| separators(&tabbed(line.trim()), '\t') + 1;
    let has_other = SEPARATORS.iter().any(|separator| separators(header, *separator) > 0);
    let is_inside = |word: &str| !word.starts_with(SEPARATORS) && !word.ends_with(SEPARATORS);
    let are_names = || {
        let mut all = [next].into_iter().chain(lines.take(MOST_TITLES));
        header.split_whitespace().all(is_inside) && all.all(|line| words(line) == words(header))
    };
    let is_like = words(next) == words(header) || words(next) == words(header) + 1;
    words(header) > 1 && if has_other { are_names() } else { is_like }
}

/// The text with a tab in place of blanks between cells. Blanks inside quotation marks stay.
fn tabbed(text: &str) -> String {
    let (mut quoted, mut is_between, mut is_first) = (false, false, true);
    let mut tabbed = String::with_capacity(text.len());
    for c in text.chars() {
        quoted ^= c == '"';
        match c {
            ' ' if !quoted => is_between = !is_first,
            '\n' | '\r' if !quoted => {
                tabbed.push(c);
                (is_between, is_first) = (false, true);
            }
            _ => {
                if is_between {
                    tabbed.push('\t');
                }
                tabbed.push(c);
                (is_between, is_first) = (false, false);
            }
        }
    }
    tabbed
}

/// Whether some cell of a line begins as a number does.
fn looks_like_data(line: &str, separator: char) -> bool {
    let begins = |c: char| c.is_ascii_digit() || matches!(c, '-' | '.');
    line.split(separator).any(|cell| cell.trim_start_matches([' ', '\t', '"']).starts_with(begins))
}

/// The names of the columns.
pub(super) struct Header {
    /// Each of them once.
    pub names: Vec<String>,
    /// Which columns have a name that an earlier column has, and how they are called instead.
    pub renamed: Option<Finding>,
    /// Repeated names as an error, for files whose columns are known by their names alone.
    pub repeated: Option<OwnError>,
}

pub(super) fn header(file: &str, record: &csv::StringRecord) -> Result<Header, OwnError> {
    if record.iter().all(|cell| cell.parse::<f64>().is_ok()) {
        return Err(shape(
            file,
            "only numbers in the first line",
            "a header: a line with the names of the columns",
        ));
    }
    let name = |(j, cell): (usize, &str)| {
        if cell.is_empty() { format!("column {}", j + 1) } else { cell.to_owned() }
    };
    let given: Vec<String> = record.iter().enumerate().map(name).collect();
    let mut taken: HashSet<String> = given.iter().cloned().collect();
    // The place of a name's first column, and the number of its columns so far.
    let mut seen: HashMap<&str, (usize, usize)> = HashMap::with_capacity(given.len());
    let (mut names, mut renamed, mut repeated) =
        (Vec::with_capacity(given.len()), Vec::new(), None);
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
            found: format!(
                "this name as column {} and as column {} of the header",
                *first + 1,
                j + 1
            ),
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
    let renamed = (!renamed.is_empty()).then(|| {
        Finding::warning(format!("{file}: a name occurs more than once in the header: {told}"))
    });
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

    /// The line of the text that follows this position. A record's position is where the reader
    /// continued, which may be before empty lines or between the two bytes of a line end.
    pub fn of(&mut self, place: usize) -> u64 {
        let place = place.clamp(self.counted, self.text.len());
        let ends =
            self.text[place..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let part = &self.text[self.counted..place + ends];
        let is_end =
            |i: usize| part[i] == b'\n' || (part[i] == b'\r' && part.get(i + 1) != Some(&b'\n'));
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
        let Layout { start, separator, comments, .. } = Layout::of("f", text.into(), None);
        (start, separator, comments)
    }

    #[test]
    fn lines_above_the_header_are_comments_unless_they_are_the_header() {
        assert_eq!(layout("# made by hand\n\n#2; 3\nx,y\n1,2\n"), (21, ',', 2));
        assert_eq!(layout("#x,y\n1,2\n"), (0, ',', 0), "a header may begin with the mark");
        assert_eq!(layout("#x;y\n1,5;2\n"), (0, ';', 0));
        assert_eq!(layout("# a\r\nx|y\r\n"), (3, '|', 1));
        assert_eq!(layout("#x,y\nred,-1\n"), (0, ',', 0));
        assert_eq!(
            layout("# by hand, in May\nx,y\n1,2\n"),
            (17, ',', 1),
            "names stand below it, no data"
        );
        assert_eq!(layout("# a, b\n#x,y\n\n\"1\",2\n"), (6, ',', 1));
        assert_eq!(layout("# only\n# comments\n"), (0, ',', 0));
        assert_eq!(layout("% by hand\nx,y\n1,2\n"), (9, ',', 1));
        assert_eq!(layout("% of men,y\n1,2\n"), (0, ',', 0));
    }

    #[test]
    fn a_title_and_a_named_separator_stand_above_the_header() {
        assert_eq!(layout("sep=;\na,b;c\n1,5;2\n"), (5, ';', 0));
        assert_eq!(layout("\"SEP=|\"\r\n# by hand\r\na|b\r\n1|2\r\n").1, '|');
        assert_eq!(layout("sep=;;\na,b\n1,2\n"), (7, ',', 0), "that names none");
        assert_eq!(layout("Export of May\na,b\n1,2\n"), (14, ',', 0));
        assert_eq!(layout("Export of May 3, 2024\n\nall rows\r\na;b\r\n1,5;2\r\n"), (33, ';', 0));
        assert_eq!(
            layout("a,b,c\n1,2\n3,4\n"),
            (0, ',', 0),
            "a header has the separator, and is no title"
        );
        assert_eq!(layout("x\n1,5\n2,5\n"), (0, ',', 0), "numbers are no header");
        assert_eq!(layout("\"a\nb\",c\n1,2\n"), (0, ',', 0), "a name of two lines");
    }

    #[test]
    fn a_separator_that_is_asked_for_is_taken() {
        let asked = |text: &'static str, separator: char| {
            let Layout { start, separator, text, .. } =
                Layout::of("f", text.into(), Some(separator));
            (start, separator, text.into_owned())
        };
        assert_eq!(asked("a,b\n1,5;2\n", ';'), (0, ';', "a,b\n1,5;2\n".into()));
        assert_eq!(asked("sep=,\na;b\n1,5;2\n", ';').1, ';');
        assert_eq!(asked("a,b c\n1,5 2\n", ' ').2, "a,b\tc\n1,5\t2\n");
    }

    #[test]
    fn blanks_separate_where_nothing_else_does() {
        let text = |text: &'static str| Layout::of("f", text.into(), None).text.into_owned();
        assert_eq!(text("a  b\n 1 2 \n"), "a\tb\n1\t2\n");
        assert_eq!(
            text("# by hand, in May\n\"a b\" c\n\"r 1\"  1,5 2\n"),
            "# by hand, in May\n\"a b\"\tc\n\"r 1\"\t1,5\t2\n"
        );
        assert_eq!(layout("a b\n1 2\n"), (0, ' ', 0));
        assert_eq!(layout("total weight\n1.5\n"), (0, ',', 0));
        assert_eq!(layout("a b,c\n1 2,3\n"), (0, ',', 0));
        assert_eq!(layout("Wind,10m Power,kW\n1.5 2.5\n1.7 2.7\n"), (0, ' ', 0), "commas in names");
        assert_eq!(layout("a, b\n1; 2\n"), (0, ',', 0), "a comma that ends a word is none");
    }
}
