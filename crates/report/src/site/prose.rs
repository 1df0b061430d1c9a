//! Turn hand-written Markdown into HTML that can neither run a script nor lead out of the report.

use maud::{Markup, PreEscaped};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

use crate::export::Format;

/// The HTML of prose. Raw HTML stays text. A link to a file of the report is kept; any other link
/// becomes its words.
pub fn prose(source: &str) -> Markup {
    let mut dropped = Vec::new();
    let events = Parser::new_ext(source, Options::ENABLE_TABLES).map(|event| match event {
        Event::Html(raw) | Event::InlineHtml(raw) => Event::Text(raw),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let inner = local(&dest_url);
            dropped.push(inner.is_none());
            match inner {
                Some(address) => {
                    Event::Start(Tag::Link { link_type, dest_url: address.into(), title, id })
                }
                None => Event::Text(CowStr::Borrowed("")),
            }
        }
        Event::End(TagEnd::Link) if dropped.pop().unwrap_or(false) => {
            Event::Text(CowStr::Borrowed(""))
        }
        // An image would be a request of the page.
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => {
            Event::Text(CowStr::Borrowed(""))
        }
        // The page has its own first and second headings.
        Event::Start(Tag::Heading { .. }) => Event::Start(Tag::Heading {
            level: pulldown_cmark::HeadingLevel::H3,
            id: None,
            classes: Vec::new(),
            attrs: Vec::new(),
        }),
        Event::End(TagEnd::Heading(_)) => {
            Event::End(TagEnd::Heading(pulldown_cmark::HeadingLevel::H3))
        }
        other => other,
    });
    let mut text = String::new();
    html::push_html(&mut text, events);
    PreEscaped(accessible(&text))
}

/// The HTML of the parser, whose tables do not scroll and whose headings of columns do not say that
/// they are. Text has no tag, because the parser escapes it.
fn accessible(text: &str) -> String {
    text.replace(
        "<table>",
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>",
    )
    .replace("</table>", "</table></div>")
    .replace("<th></th>", "<td></td>")
    .replace("<th>", "<th scope=\"col\">")
    .replace("<th style", "<th scope=\"col\" style")
}

/// The address, from a page of the site, of a page or a file beside the Markdown pages, or of an
/// item on a page of errata; `None` for any other address.
fn local(address: &str) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if let Some((page, anchor)) = address.split_once(".html#") {
        let is_item = page.starts_with("errata-") && page.chars().chain(anchor.chars()).all(plain);
        return is_item.then(|| address.to_owned());
    }
    let name = address.strip_prefix("./").unwrap_or(address);
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    let is_file = name.chars().all(plain) && !name.starts_with('.');
    match ending.filter(|_| is_file)? {
        // The site has each Markdown page of the report.
        "md" => name.strip_suffix(".md").map(|page| format!("{page}.html")),
        ending if Format::of_pages().any(|format| format.ending == ending) => {
            Some(format!("../{name}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_runs_nothing_and_leads_nowhere_else() {
        let text = |source: &str| prose(source).into_string();
        assert_eq!(text("a **b** `c`"), "<p>a <strong>b</strong> <code>c</code></p>\n");
        assert!(!text("<script>alert(1)</script>").contains("<script"));
        assert!(text("x <b onclick=1>y</b>").contains("&lt;b onclick=1&gt;"));
        assert_eq!(text("[words](javascript:alert(1))"), "<p>words</p>\n");
        assert_eq!(text("[words](https://example.org/a.csv)"), "<p>words</p>\n");
        assert_eq!(text("![words](https://example.org/a.png)"), "<p>words</p>\n");
        assert_eq!(text("[numbers](a-b.csv)"), "<p><a href=\"../a-b.csv\">numbers</a></p>\n");
        assert_eq!(text("[words](../../a.csv)"), "<p>words</p>\n");
        assert_eq!(text("[ranks](a-b.md)"), "<p><a href=\"a-b.html\">ranks</a></p>\n");
        assert_eq!(
            text("[6](errata-jcm.html#jcm-6)"),
            "<p><a href=\"errata-jcm.html#jcm-6\">6</a></p>\n"
        );
        assert_eq!(text("[6](errata-jcm.html#a/../b)"), "<p>6</p>\n");
        assert_eq!(text("[6](https://example.org/errata-x.html#a)"), "<p>6</p>\n");
        let table = text("|  | b |\n| - | -: |\n| 1 | <th> |\n");
        assert!(
            table.contains("<td></td><th scope=\"col\" style=\"text-align: right\">b</th>"),
            "{table}"
        );
        assert!(
            table.starts_with("<div class=\"scroll\"") && table.contains("&lt;th&gt;"),
            "{table}"
        );
    }
}
