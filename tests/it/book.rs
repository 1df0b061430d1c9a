//! Hold the documentation together: the book and the index have every page, the page of commands is
//! what `--help` prints, the glossary has every metric, and examples use options that exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};

use super::command::{Dir, files};
use super::markdown::{events, links};

/// The shelves of the documentation.
const SHELVES: [&str; 4] = ["learn", "do", "look-up", "understand"];

/// Pages outside `docs` whose examples are checked, too.
const BESIDE: [&str; 3] = ["README.md", "CONTRIBUTING.md", "python/README.md"];

/// What the page of commands begins with.
const HEAD: &str = "# Commands\n\n`uqbench COMMAND --help` prints these texts. `just accept` \
                    writes this page from them, and a test holds it to them.\n\n\
                    | Command | What it does |\n| --- | --- |\n";

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn text(path: &str) -> String {
    fs::read_to_string(project(path)).unwrap()
}

/// A text in one line.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The pages of the documentation below `docs`, but for the list of the book's chapters.
fn pages() -> BTreeSet<String> {
    let all = files(&project("docs")).into_keys();
    all.filter(|name| name.ends_with(".md") && name != "SUMMARY.md").collect()
}

#[test]
fn the_book_has_every_page_once_and_the_index_leads_to_each() {
    let mut pages = pages();
    let listed = links(&text("docs/SUMMARY.md"));
    let once: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(once.len(), listed.len(), "a page is listed twice: {listed:?}");
    assert_eq!(once, pages, "docs/SUMMARY.md (left) is not what docs has (right)");
    let leads = links(&text("docs/README.md")).into_iter().filter(|link| !link.starts_with("../"));
    let indexed: BTreeSet<String> =
        leads.map(|link| link.split('#').next().unwrap_or_default().to_owned()).collect();
    pages.remove("README.md");
    assert_eq!(indexed, pages, "docs/README.md (left) is not what docs has (right)");
    for page in &pages {
        let shelf = page.split_once('/').map(|(shelf, _)| shelf);
        assert!(shelf.is_some_and(|shelf| SHELVES.contains(&shelf)), "{page} is on no shelf");
    }
}

/// What a command prints with `--help`, without blanks at the ends of lines.
fn help(dir: &Dir, words: &[String]) -> String {
    let out = dir.run(&format!("{} --help", words.join(" "))).code(0).out;
    out.trim_end().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// The commands that a text of `--help` lists.
fn listed(help: &str) -> Vec<String> {
    let lines = help.lines().take_while(|line| !["Arguments:", "Options:"].contains(line));
    let lines = lines.filter(|line| line.starts_with("  "));
    // Deeper lines go on with the sentence above them.
    let names = lines.filter(|line| !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Adds a command, and those below it, to the rows and to the texts of the page of commands.
fn add(dir: &Dir, words: &[String], rows: &mut String, texts: &mut String) {
    let help = help(dir, words);
    let name = format!("uqbench {}", words.join(" ")).trim_end().to_owned();
    if !words.is_empty() {
        let first = help.split("\n\n").next().unwrap_or_default().replace('\n', " ");
        *rows += &format!("| [`{name}`](#{}) | {first} |\n", name.replace(' ', "-"));
    }
    *texts += &format!("\n## `{name}`\n\n```text\n{help}\n```\n");
    for below in listed(&help) {
        let mut deeper = words.to_vec();
        deeper.push(below);
        add(dir, &deeper, rows, texts);
    }
}

#[test]
fn the_page_of_commands_is_what_help_prints() {
    let (mut rows, mut texts) = (String::new(), String::new());
    add(&Dir::new(), &[], &mut rows, &mut texts);
    let printed = format!("{HEAD}{rows}{texts}");
    let path = project("docs/look-up/commands.md");
    if std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always") {
        fs::write(&path, &printed).unwrap();
    }
    let stated = fs::read_to_string(&path).unwrap();
    let differing = stated.lines().zip(printed.lines()).find(|(stated, printed)| stated != printed);
    assert!(
        stated == printed,
        "docs/look-up/commands.md is not what `--help` prints, and `just accept` writes it anew: \
         {differing:?}"
    );
}

#[test]
fn the_glossary_has_every_metric_with_its_definition() {
    let glossary = in_one_line(&text("docs/look-up/glossary.md"));
    let list = Dir::new().run("list metrics").code(0).out;
    let rows: Vec<Vec<&str>> = list
        .lines()
        .filter(|line| line.starts_with('|'))
        .skip(2)
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    assert!(rows.len() > 30, "{list}");
    for row in rows {
        let entry = format!("(`{}`): {}", row[0], in_one_line(row[row.len() - 1]));
        assert!(glossary.contains(&entry), "docs/look-up/glossary.md lacks {entry}");
    }
}

#[test]
fn the_data_sheet_has_the_terms_and_the_origin_of_every_bundled_dataset() {
    let sheet = in_one_line(&text("docs/look-up/data.md"));
    let manifest: toml::Table = text("data-manifest.toml").parse().unwrap();
    let words = |of: &toml::Value, key: &str| of[key].as_str().unwrap().to_owned();
    let mut bundled = 0;
    for dataset in manifest["dataset"].as_array().unwrap() {
        let Some(bytes) = dataset.get("bundled") else { continue };
        bundled += 1;
        for fact in [
            format!("## {} ", words(dataset, "key")),
            format!("{} rows, ", dataset["rows"].as_integer().unwrap()),
            format!("**Licence**: {}. ", words(dataset, "licence")),
            format!("**Bundled bytes**: {}. ", words(bytes, "origin")),
            format!("**Cite**: {} ", words(dataset, "citation")),
        ] {
            assert!(sheet.contains(&in_one_line(&fact)), "docs/look-up/data.md lacks {fact}");
        }
    }
    assert_eq!(sheet.matches(" ## ").count(), bundled, "a section for each, and no other");
}

#[test]
fn files_for_citation_name_this_version_and_its_licences() {
    let version = env!("CARGO_PKG_VERSION");
    let cff = text("CITATION.cff");
    assert!(cff.contains(&format!("\nversion: {version}\n")), "{cff}");
    assert_eq!(env!("CARGO_PKG_LICENSE"), "MIT OR Apache-2.0");
    assert!(cff.contains("\n  - MIT\n  - Apache-2.0\n"), "{cff}");
    for file in ["codemeta.json", ".zenodo.json"] {
        let about: serde_json::Value = serde_json::from_str(&text(file)).unwrap();
        assert_eq!(about["version"], version, "{file}");
        assert!(about["license"].to_string().contains("Apache-2.0"), "{file}");
    }
    // `just address URL` writes all of them.
    let address = env!("CARGO_PKG_REPOSITORY");
    assert!(cff.contains(&format!("\nrepository-code: \"{address}\"\n")), "{cff}");
    let about: serde_json::Value = serde_json::from_str(&text("codemeta.json")).unwrap();
    assert_eq!(about["codeRepository"], address);
    let (_, path) = address.split_once("://").unwrap().1.split_once('/').unwrap();
    let uses = format!("uses: {path}@v{version}");
    for file in ["docs/do/gate.md", "examples/gate/.github/workflows/gate.yml"] {
        assert!(text(file).contains(&uses), "{file} lacks {uses}");
    }
}

/// The fenced blocks of code of a page: the language and the code of each.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut block: Option<(String, String)> = None;
    for event in events(page) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                block = Some((language.to_string(), String::new()));
            }
            Event::Text(code) => block.iter_mut().for_each(|(_, text)| text.push_str(&code)),
            Event::End(TagEnd::CodeBlock) => found.extend(block.take()),
            _ => {}
        }
    }
    found
}

/// The calls of the program in a block of code, as words without the program's name.
fn calls(language: &str, code: &str) -> Vec<Vec<String>> {
    let code = code.replace("\\\n", " ");
    let lines = code.lines().map(str::trim_start).filter(|line| match language {
        "sh" => true,
        // What is typed, among what is printed.
        "text" => line.starts_with("$ uqbench ") || line.starts_with("uqbench "),
        _ => false,
    });
    let call = |line: &str| {
        let words = shlex::split(line).unwrap_or_else(|| panic!("no line for a shell: {line}"));
        let name = if words.first().is_some_and(|word| word == "cargo") { "--" } else { "uqbench" };
        let start = words.iter().position(|word| word == name)? + 1;
        let ends = |word: &&String| !["|", ">", "&&", ";"].contains(&word.as_str());
        Some(words[start..].iter().take_while(ends).cloned().collect::<Vec<_>>())
    };
    lines.filter_map(call).collect()
}

/// The options that the page of commands has for each command.
fn options() -> BTreeMap<String, BTreeSet<String>> {
    let page = text("docs/look-up/commands.md");
    let commands = page.split("\n## `uqbench").skip(1);
    let is_of_option = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let found = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !is_of_option(c));
        words.filter(|word| word.starts_with("--")).map(str::to_owned).collect()
    };
    let named = commands.map(|text| {
        let (name, help) = text.split_once('`').unwrap();
        (name.trim().to_owned(), found(help))
    });
    named.collect()
}

#[test]
fn every_call_in_an_example_is_a_command_with_its_options() {
    let options = options();
    assert!(options.len() > 30, "{options:?}");
    let docs = pages().into_iter().filter(|name| name != "look-up/commands.md");
    let docs = docs.map(|name| format!("docs/{name}"));
    let mut count = 0;
    for page in docs.chain(BESIDE.map(str::to_owned)) {
        for (language, code) in blocks(&text(&page)) {
            for call in calls(&language, &code) {
                let named = |n: usize| call.get(..n).map(|words| words.join(" "));
                let known =
                    [2, 1].into_iter().filter_map(named).find(|it| options.contains_key(it));
                let known = known.unwrap_or_else(|| panic!("{page}: no command: {call:?}"));
                for word in call.iter().filter(|word| word.len() > 2 && word.starts_with("--")) {
                    let option = word.split('=').next().unwrap_or_default();
                    let is_there = options[&known].contains(option);
                    assert!(is_there, "{page}: `uqbench {known}` has no {option}");
                }
                count += 1;
            }
        }
    }
    assert!(count > 60, "{count}");
}

#[test]
fn calls_are_found_among_other_words() {
    assert_eq!(calls("sh", "uqbench data list  # all\nls\n"), [["data", "list"]]);
    assert_eq!(calls("sh", "cargo run --release -- reproduce\n"), [["reproduce"]]);
    assert_eq!(calls("sh", "uqbench try a.csv \\\n  --with \"x --y\" > b\n").concat().len(), 4);
    assert!(
        calls("text", "uqbench: error\n").is_empty() && calls("toml", "uqbench = 1\n").is_empty()
    );
}
