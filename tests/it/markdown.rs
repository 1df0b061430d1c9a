//! Check Markdown pages: that each is short, and that every link leads to a file and to a place in
//! it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::command::{Dir, files};
use super::mocks;

/// Largest page in bytes. The errata of a paper are its source, not a page.
const LARGEST: usize = 20_000;

/// Largest index in bytes: it has a line for each benchmark.
const LARGEST_INDEX: usize = 25_000;

pub fn events(text: &str) -> impl Iterator<Item = Event<'_>> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}

/// The values of an attribute in a piece of HTML.
fn attributes(html: &str, name: &str) -> Vec<String> {
    let start = format!(" {name}=\"");
    html.split(&start)
        .skip(1)
        .filter_map(|rest| rest.split_once('"'))
        .map(|(value, _)| value.to_owned())
        .collect()
}

/// Where the links and pictures of a page lead.
pub fn links(text: &str) -> Vec<String> {
    let address = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            vec![dest_url.to_string()]
        }
        Event::Html(html) | Event::InlineHtml(html) => {
            [attributes(&html, "href"), attributes(&html, "src")].concat()
        }
        _ => Vec::new(),
    };
    events(text).flat_map(address).collect()
}

/// Where links into a page may lead: its explicit anchors, and its headings by GitHub's rule. By
/// this a heading is in small letters, without other characters than letters, digits, `-` and `_`,
/// with `-` in place of blanks, and with a number where a heading before it is the same.
fn anchors(text: &str) -> BTreeSet<String> {
    let (mut found, mut counts) = (BTreeSet::new(), BTreeMap::new());
    let mut heading: Option<String> = None;
    for event in events(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let words = heading.take().unwrap_or_default().to_lowercase();
                let kept = words.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
                let slug: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
                let count = counts.entry(slug.clone()).or_insert(0_usize);
                found.insert(if *count == 0 { slug } else { format!("{slug}-{count}") });
                *count += 1;
            }
            Event::Text(words) | Event::Code(words) => {
                heading.iter_mut().for_each(|heading| *heading += &words)
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                found.extend([attributes(&html, "id"), attributes(&html, "name")].concat());
            }
            _ => {}
        }
    }
    found
}

/// Checks that every link of a page below a folder leads to a file and to a place in it.
fn check_links(folder: &Path, name: &str, text: &str) -> usize {
    let page = folder.join(name);
    let links: Vec<String> = links(text).into_iter().filter(|link| !is_outside(link)).collect();
    for link in &links {
        let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
        let target = if file.is_empty() { page.clone() } else { page.with_file_name(file) };
        assert!(target.exists(), "{name} leads to {link}, which is not there");
        let is_there = || anchors(&fs::read_to_string(&target).unwrap()).contains(anchor);
        assert!(anchor.is_empty() || is_there(), "{name} leads to {link}, which has no such part");
    }
    links.len()
}

/// Whether a link leads to another place than this folder.
fn is_outside(link: &str) -> bool {
    ["https://", "http://", "mailto:"].iter().any(|start| link.starts_with(start))
}

fn largest(name: &str) -> usize {
    if name == "index.md" { LARGEST_INDEX } else { LARGEST }
}

/// Checks every Markdown page below a folder.
pub fn check_all(folder: &Path) {
    for (name, bytes) in files(folder).into_iter().filter(|(name, _)| name.ends_with(".md")) {
        let text = String::from_utf8(bytes).unwrap();
        assert!(
            text.len() <= largest(&name) || name.starts_with("errata/"),
            "{name} has {} bytes",
            text.len()
        );
        check_links(folder, &name, &text);
    }
}

#[test]
fn every_link_of_the_committed_reports_leads_somewhere() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports");
    let mut count = 0;
    for (name, bytes) in files(&folder).into_iter().filter(|(name, _)| name.ends_with(".md")) {
        count += check_links(&folder, &name, &String::from_utf8(bytes).unwrap());
    }
    assert!(count > 300, "{count}");
}

#[test]
fn every_committed_table_and_figure_is_on_a_page() {
    let all = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("reports"));
    let last = |path: &str| {
        path.split('#').next().and_then(|file| file.rsplit('/').next()).unwrap_or("").to_owned()
    };
    let pages = all.iter().filter(|(name, _)| name.ends_with(".md"));
    let linked: BTreeSet<String> = pages
        .flat_map(|(_, text)| links(std::str::from_utf8(text).unwrap()))
        .map(|link| last(&link))
        .collect();
    let shown = all.keys().filter(|name| name.starts_with("tables/") || name.ends_with(".svg"));
    let orphans: Vec<&String> = shown.filter(|name| !linked.contains(&last(name))).collect();
    assert!(linked.len() > 300 && orphans.is_empty(), "left from older runs: {orphans:?}");
}

#[test]
fn every_committed_page_is_short() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports");
    let pages =
        files(&folder).into_iter().filter(|(name, _)| name.ends_with(".md") && !name.contains('/'));
    let pages: Vec<(String, usize)> = pages.map(|(name, bytes)| (name, bytes.len())).collect();
    assert!(pages.len() > 30 && pages.iter().any(|(name, _)| name == "index.md"), "{pages:?}");
    let large: Vec<&(String, usize)> =
        pages.iter().filter(|(name, bytes)| *bytes > largest(name)).collect();
    assert!(large.is_empty(), "{large:?}");
}

/// Markup and links where people write names.
const INJECTED: &str = "<b>1</b>[x](https://x.example)![y](y.png)`z`|<!--";

/// Asserts that a page has no markup, links and pictures of [`INJECTED`], but its words.
fn assert_plain(name: &str, text: &str) {
    let html = |event: &Event| matches!(event, Event::Html(_) | Event::InlineHtml(_));
    assert!(!events(text).any(|event| html(&event)), "{name} has markup: {text}");
    let links = links(text);
    assert!(
        links.iter().all(|link| !link.contains("x.example") && !link.contains("y.png")),
        "{name}: {links:?}"
    );
    let words = |event| match event {
        Event::Text(words) => Some(words.to_string()),
        _ => None,
    };
    let words: String = events(text).filter_map(words).collect();
    assert!(words.contains(INJECTED), "{name}: {words}");
}

#[test]
fn markup_in_a_benchmark_file_stays_text() {
    let dir = Dir::new();
    let mut text = mocks::benchmark(&mocks::answering(2, 0), 2);
    for (key, name) in [
        ("title", "Mocks"),
        ("heading", "Data"),
        ("heading", "answer 1"),
        ("heading", "CRPS"),
        ("artefact", "Table 0"),
    ] {
        let stated = format!("{key} = \"{name}\"");
        assert!(text.contains(&stated), "{stated}");
        text = text.replace(&stated, &format!("{key} = \"{INJECTED}\""));
    }
    text += &format!(
        "[[figures]]\nkind = \"calibration\"\nfile = \"drawn\"\ntitle = \"{INJECTED}\"\n\
         panels = [{{ title = \"{INJECTED}\", labels = {{ mock = \"answer 0\" }} }}]\n\
         [[claims]]\nid = \"{INJECTED}\"\ntext = \"{INJECTED}\"\nreading = \"{INJECTED}\"\n\
         statement = {{ kind = \"lower\", terms = [{{ metric = \"crps\" }}], quantifier = \"all\" \
         }}\n\
         [contrast]\nlabel = \"mock\"\ntest = \"answer 0\"\nreference = \"answer 1\"\n"
    );
    dir.write("mocks.toml", &text);
    dir.run("run mocks.toml").code(0);
    let page = fs::read_to_string(dir.path("out/mocks.md")).unwrap();
    assert_plain("mocks.md", &page);
    assert!(
        events(&page).any(|event| matches!(event, Event::Start(Tag::Image { .. }))),
        "the figure is shown: {page}"
    );
}

#[test]
fn markup_in_names_of_columns_stays_text() {
    let dir = Dir::new();
    let line = |i: usize| {
        format!("{},{},{}\n", i * 37 % 80, ["<b>a</b>", "b"][i % 2], i * 37 % 80 + i % 7)
    };
    let rows: String = (0..80).map(line).collect();
    dir.write("my.csv", &format!("<i>x</i>,{INJECTED}2,{INJECTED}\n{rows}"));
    for words in ["try my.csv --methods linear-gaussian --figures tried", "audit my.csv"] {
        let ended = dir.run(&format!("{words} --target {INJECTED}"));
        assert_plain(words, &ended.out);
    }
}

/// Hand-written pages outside `docs/`.
const PAGES: [&str; 6] = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "data/README.md",
    "python/README.md",
    "python/uqbench/skills/uqbench-add-method/SKILL.md",
];

#[test]
fn every_link_of_the_documentation_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let of_docs = files(&root.join("docs")).into_keys().filter(|name| name.ends_with(".md"));
    let mut count = 0;
    for name in of_docs.map(|name| format!("docs/{name}")).chain(PAGES.map(str::to_owned)) {
        count += check_links(root, &name, &fs::read_to_string(root.join(&name)).unwrap());
    }
    assert!(count > 50, "{count}");
}

#[test]
fn headings_have_the_anchors_of_github() {
    let text = "# A `b`, c – d\n\n## Two words\n\n## Two words\n\n<a id=\"own\"></a>\n\n<a \
                name=\"old\"></a> é_1\n";
    let expected = ["a-b-c--d", "old", "own", "two-words", "two-words-1"].map(str::to_owned);
    assert_eq!(anchors(text), BTreeSet::from(expected));
    let found = links("[a](b.md#c) ![d](e.svg)\n\n<img src=\"f.png\">\n\n`[g](h)`\n");
    assert_eq!(found, ["b.md#c", "e.svg", "f.png"]);
}
