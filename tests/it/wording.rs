//! Take out of a page, or of what the program tells, the line or the element whose words a snapshot
//! holds. It is found by facts, so that another sentence changes the snapshot alone.

use scraper::{ElementRef, Html};

use super::pages::select;

/// The first line of a text that has all of these facts, without blanks around it.
#[track_caller]
pub fn line<'t>(text: &'t str, facts: &[&str]) -> &'t str {
    let has_all = |line: &&str| facts.iter().all(|fact| line.contains(fact));
    text.lines().find(has_all).unwrap_or_else(|| panic!("no line has {facts:?}:\n{text}")).trim()
}

/// The first line of a page in Markdown that is no heading and no row of a table, and has all of
/// these facts.
#[track_caller]
pub fn paragraph<'t>(page: &'t str, facts: &[&str]) -> &'t str {
    let is_prose = |line: &&str| !line.starts_with(['#', '|', '!']);
    let has_all = |line: &&str| facts.iter().all(|fact| line.contains(fact));
    let found = page.lines().filter(is_prose).find(has_all);
    found.unwrap_or_else(|| panic!("no paragraph has {facts:?}:\n{page}")).trim()
}

/// The headings of a page in Markdown, and the titles of tables that it leads to.
pub fn headings(page: &str) -> String {
    let titles = page.lines().filter(|line| line.starts_with('#') || line.starts_with("- ["));
    titles.map(|line| line.split("](").next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// The words of the first element of a page that a selector finds and that has all of these facts,
/// with single blanks.
#[track_caller]
pub fn element(page: &str, selector: &str, facts: &[&str]) -> String {
    let all = elements(page, selector);
    let has_all = |words: &&String| facts.iter().all(|fact| words.contains(fact));
    let found = all.iter().find(has_all);
    found.unwrap_or_else(|| panic!("no {selector} has {facts:?}: {all:?}")).clone()
}

/// The words of all elements of a page that a selector finds, with single blanks.
pub fn elements(page: &str, selector: &str) -> Vec<String> {
    let words = |element: ElementRef| in_one_line(&element.text().collect::<Vec<_>>().join(" "));
    select(&Html::parse_document(page), selector).into_iter().map(words).collect()
}

/// A text with single blanks.
pub fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text with each number, and its width, replaced by a placeholder.
pub fn shape(text: &str) -> String {
    let mut shape = String::new();
    for c in text.chars() {
        let c = if c.is_ascii_digit() { '#' } else { c };
        if !(c == '#' && shape.ends_with('#')
            || c == '-' && shape.ends_with("--")
            || c == ' ' && shape.ends_with(' '))
        {
            shape.push(c);
        }
    }
    shape
}

/// The whole numbers of a text in their order; those of too many digits are the largest one.
pub fn counts(text: &str) -> Vec<u64> {
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    numbers.map(|digits| digits.parse().unwrap_or(u64::MAX)).collect()
}

#[test]
fn lines_and_numbers_are_found() {
    assert_eq!(line("a 1\n  b 2 c\n", &["2", "b"]), "b 2 c");
    let text = "# a 1\n\n| a 1 |\n\nb a 1\n\n- [c](d.csv)\n";
    assert_eq!(paragraph(text, &["a", "1"]), "b a 1");
    assert_eq!(headings(text), "# a 1\n- [c");
    assert_eq!(shape("0.25 and  17, ----"), "#.# and #, --");
    assert_eq!(counts("6 of 8 (0 reused), 2 more"), [6, 8, 0, 2]);
    let page = "<main><p>a <b>1</b></p><p>b  <i>2</i></p></main>";
    assert_eq!(element(page, "main p", &["b", "2"]), "b 2");
}
