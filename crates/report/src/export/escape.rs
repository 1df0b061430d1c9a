//! Write words so that Markdown shows them as they are.

use std::collections::BTreeSet;

use pulldown_cmark::{Event, Options, Parser};

use super::clean;

/// Text without control characters and with Markdown's own marks escaped where they would break a
/// table, or make a link of a title.
pub fn escape(text: &str) -> String {
    let text: Vec<char> = clean(text).collect();
    let of_links = brackets_of_links(&text);
    let mut out = String::new();
    for (at, c) in text.iter().enumerate() {
        if r"|<`*$\".contains(*c) || of_links.contains(&at) {
            out.push('\\');
        }
        out.push(*c);
    }
    out
}

/// Prose with markup whose tags of HTML are shown as they are written: a benchmark file may come
/// from anybody. Code keeps its marks.
pub fn without_html(source: &str) -> String {
    let mut out = source.to_owned();
    let tags = Parser::new_ext(source, Options::ENABLE_TABLES).into_offset_iter();
    let is_html = |event: &Event| matches!(event, Event::Html(_) | Event::InlineHtml(_));
    let places: Vec<_> = tags.filter(|(event, _)| is_html(event)).map(|(_, place)| place).collect();
    for place in places.into_iter().rev() {
        let shown =
            source.get(place.clone()).unwrap_or_default().replace('<', "&lt;").replace('>', "&gt;");
        out.replace_range(place, &shown);
    }
    out
}

/// The brackets about the words of what looks like links. Others stay as they are, such as those of
/// an interval.
fn brackets_of_links(text: &[char]) -> BTreeSet<usize> {
    let (mut open, mut found) = (Vec::new(), BTreeSet::new());
    for (at, c) in text.iter().enumerate() {
        match c {
            '[' => open.push(at),
            ']' => {
                let opened = open.pop();
                if matches!(text.get(at + 1), Some('(' | '[')) {
                    found.extend(opened.into_iter().chain([at]));
                }
            }
            _ => {}
        }
    }
    found
}
