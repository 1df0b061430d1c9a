//! Check the pages of a site by themselves: that each is whole and asks for nothing, and that every
//! link leads somewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use scraper::{ElementRef, Html, Selector};

use super::command::files;
use super::markdown;

/// Largest page in bytes.
const LARGEST: usize = 1_500_000;

/// The pages of a site by their names; `out` is the folder of the report.
pub fn pages(out: &Path) -> BTreeMap<String, String> {
    let all = files(&out.join("site")).into_iter();
    all.map(|(name, bytes)| (name, String::from_utf8(bytes).unwrap())).collect()
}

/// A page in LaTeX: the document with the tables that it includes in their places.
pub fn in_latex(out: &Path, name: &str) -> String {
    let read = |file: &str| std::fs::read_to_string(out.join(format!("{file}.tex"))).unwrap();
    let line = |line: &str| match line.strip_prefix("\\input{") {
        Some(file) => read(file.trim_end_matches('}')),
        None => format!("{line}\n"),
    };
    read(name).lines().map(line).collect()
}

/// The elements that a selector finds.
pub fn select<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

/// The values of an attribute of all elements that a selector finds.
fn attributes(page: &Html, selector: &str, name: &str) -> Vec<String> {
    select(page, selector)
        .into_iter()
        .filter_map(|element| element.attr(name).map(str::to_owned))
        .collect()
}

/// The visible words of a page, with single blanks.
pub fn words(page: &str) -> String {
    let page = Html::parse_document(page);
    let main = select(&page, "main")[0];
    main.text().collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of the command that a trial's page states to run it again.
pub fn command_of(page: &str) -> Vec<String> {
    shlex::split(stated_command(&words(page))).unwrap()
}

/// The command in a text that runs a trial again.
pub fn stated_command(text: &str) -> &str {
    let (begin, end) = ("uqbench run ", "--store again");
    let found = text.find(end).and_then(|at| Some((text[..at].rfind(begin)?, at + end.len())));
    let (from, to) = found.unwrap_or_else(|| panic!("no command: {text}"));
    &text[from..to]
}

/// Addresses of files that a browser loads with a page, or sends something to. Parts of a drawing
/// may name each other.
fn loaded(page: &Html) -> Vec<String> {
    let all = ["src", "srcset", "data", "poster", "action"].into_iter();
    let mut found: Vec<String> =
        all.flat_map(|name| attributes(page, &format!("[{name}]"), name)).collect();
    // The reader of HTML takes `xlink:href` of a drawing for `href` in a namespace of its own.
    let drawn = select(page, "image, use, feImage").into_iter();
    let references = drawn
        .flat_map(|element| element.value().attrs().filter(|(name, _)| name.ends_with("href")));
    found.extend(
        references
            .map(|(_, address)| address.to_owned())
            .filter(|address| !address.starts_with('#')),
    );
    found
}

/// Whether an address makes a browser ask a network.
fn is_outside(address: &str) -> bool {
    address.contains("//") || address.starts_with("http") || address.starts_with("javascript")
}

/// Checks one page by itself; returns its links.
pub fn check(name: &str, text: &str) -> Vec<String> {
    assert!(text.len() <= LARGEST, "{name} has {} bytes", text.len());
    let page = Html::parse_document(text);
    assert!(page.errors.is_empty(), "{name} is not well-formed: {:?}", page.errors);
    assert_eq!(loaded(&page), [""; 0], "{name} loads files");
    assert_eq!(attributes(&page, "link", "href"), ["data:,"], "{name}: only the empty icon");
    let styles = select(&page, "style").into_iter().map(|style| style.inner_html());
    let inline = attributes(&page, "[style]", "style").into_iter();
    for style in styles.chain(inline) {
        assert!(
            !style.contains("@import") && !style.contains("url("),
            "{name}: a style loads a file"
        );
    }
    let count = |selector: &str| select(&page, selector).len();
    assert_eq!(
        [count("h1"), count("main"), count("script"), count("html[lang]")],
        [1; 4],
        "{name}"
    );
    assert_eq!(
        count("th:not([scope])"),
        0,
        "{name}: a heading of a table does not say what it heads"
    );
    assert_eq!(count("iframe, object, embed, base, form, meta[http-equiv]"), 0, "{name}");
    let ids = attributes(&page, "[id]", "id");
    assert_eq!(
        ids.iter().collect::<BTreeSet<_>>().len(),
        ids.len(),
        "{name}: two elements share an id"
    );
    let links = attributes(&page, "a[href]", "href");
    assert!(links.iter().all(|link| !is_outside(link)), "{name}: a link leaves the report");
    links
}

/// Checks every page, and that every link leads to a file and an element of it.
pub fn check_all(out: &Path) {
    let pages = pages(out);
    assert!(!pages.is_empty(), "{} has no site", out.display());
    let of_page =
        |text: &String| attributes(&Html::parse_document(text), "[id]", "id").into_iter().collect();
    let ids: BTreeMap<&String, BTreeSet<String>> =
        pages.iter().map(|(name, text)| (name, of_page(text))).collect();
    for (name, text) in &pages {
        for link in check(name, text) {
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            if let Some(beside) = file.strip_prefix("../") {
                assert!(out.join(beside).is_file(), "{name} leads to {link}, which is not there");
                continue;
            }
            let file = if file.is_empty() { name } else { &file.to_owned() };
            let target = ids
                .get(file)
                .unwrap_or_else(|| panic!("{name} leads to {link}, which is not there"));
            assert!(
                anchor.is_empty() || target.contains(anchor),
                "{name} leads to {link}, which has no such part"
            );
        }
    }
}

#[test]
fn files_that_a_page_loads_are_found() {
    let page = Html::parse_document(
        "<img src=\"a.png\"><form action=\"b\"></form><a href=\"c.html\">c</a><svg><image \
         href=\"d.png\"/><use xlink:href=\"e.svg#f\"/><use href=\"#g\"/><filter><feImage \
         href=\"h.png\"/></filter><a href=\"i\">i</a></svg>",
    );
    assert_eq!(loaded(&page), ["a.png", "b", "d.png", "e.svg#f", "h.png"]);
}

/// `UQBENCH_REPORT=FOLDER cargo test --test it -- --ignored pages::` checks the report in that
/// folder.
#[test]
#[ignore = "needs the folder of a report in UQBENCH_REPORT"]
fn every_page_of_a_folder() {
    let folder =
        std::env::var_os("UQBENCH_REPORT").expect("UQBENCH_REPORT is the folder of a report");
    check_all(Path::new(&folder));
    markdown::check_all(Path::new(&folder));
}
