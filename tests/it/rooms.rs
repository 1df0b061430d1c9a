//! Check the structure of the source: which room may import which, how long a file may be, and how
//! files may be named.

use std::collections::BTreeMap;
use std::path::Path;

use super::command::files;

/// Folders of one crate from the ground up: a file may import those of folders before its own.
/// Between crates cargo sees to it.
const ROOMS: [(&str, &[&str]); 4] = [
    ("core", &["math", "predictive", "metrics", "stats"]),
    ("methods", &["side_tables", "parameter", "engine", "registry"]),
    (
        "run",
        &[
            "kinds",
            "external",
            "oracle",
            "registry",
            "protocols",
            "benchmark",
            "candidates",
            "runner",
            "league",
        ],
    ),
    ("judge", &["evidence", "judgement", "figures"]),
];

/// Longest file, in lines.
const LIMIT: usize = 480;

/// Every source file of every crate by its path.
pub fn sources() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = BTreeMap::new();
    for folder in ["src", "crates"] {
        for (path, bytes) in files(&root.join(folder)) {
            let path = format!("{folder}/{}", path.replace('\\', "/"));
            if path.ends_with(".rs") && (folder == "src" || path.contains("/src/")) {
                all.insert(path, String::from_utf8(bytes).unwrap());
            }
        }
    }
    all
}

/// `store` for `crates/run/src/store/pack.rs`, `benchmark` for `crates/run/src/benchmark.rs`.
fn room(path: &str) -> &str {
    let inside = path.split_once("/src/").map_or(path, |(_, rest)| rest);
    let first = inside.split('/').next().unwrap();
    first.strip_suffix(".rs").unwrap_or(first)
}

/// Every room that a text names after `crate::`; a group `crate::{a, b::c}` names several.
fn named(text: &str) -> Vec<String> {
    let name = |text: &str| {
        text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
    };
    let after = text.split("crate::").skip(1);
    after
        .flat_map(|rest| match rest.strip_prefix('{') {
            Some(group) => {
                let mut depth = 0;
                let inner: String = group
                    .chars()
                    .take_while(|c| {
                        depth += i32::from(*c == '{') - i32::from(*c == '}');
                        depth >= 0
                    })
                    .collect();
                let mut depth = 0;
                let top: String = inner
                    .chars()
                    .filter(|c| {
                        depth += i32::from(*c == '{') - i32::from(*c == '}');
                        depth == 0
                    })
                    .collect();
                top.split(',').map(name).collect()
            }
            None => vec![name(rest)],
        })
        .collect()
}

#[test]
fn no_room_imports_one_below_it() {
    let sources = sources();
    let (mut arrows, mut wrong) = (0, Vec::new());
    for (krate, rooms) in ROOMS {
        let height = |room: &str| rooms.iter().position(|known| *known == room);
        let folder = format!("crates/{krate}/src/");
        for (path, text) in sources.iter().filter(|(path, _)| path.starts_with(&folder)) {
            let Some(own) = height(room(path)) else { continue };
            for other in named(text.split("#[cfg(test)]").next().unwrap()) {
                arrows += 1;
                if height(&other).is_some_and(|other| other > own) {
                    wrong.push(format!("{path} names crate::{other}"));
                }
            }
        }
        let are_there = |room: &&&str| sources.contains_key(&format!("{folder}{room}.rs"));
        assert_eq!(
            rooms.iter().filter(are_there).count(),
            rooms.len(),
            "{krate} has other folders"
        );
    }
    assert!(wrong.is_empty(), "arrows that run the wrong way:\n{}", wrong.join("\n"));
    assert!(arrows > 100, "only {arrows} arrows were read");
}

#[test]
fn imports_are_read_in_every_form() {
    let text = "use crate::data::Table; use crate::{math, methods::{Request, Fit}, report::x};\n \
                let a = crate::cli::main();";
    assert_eq!(named(text), ["data", "math", "methods", "report", "cli"]);
}

#[test]
fn files_are_short_and_have_a_specific_name() {
    let mut sources = sources();
    let tests = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")).into_iter();
    for (path, bytes) in tests.filter(|(path, _)| path.ends_with(".rs")) {
        sources.insert(format!("tests/{path}"), String::from_utf8(bytes).unwrap());
    }
    for (path, text) in &sources {
        let lines = text.lines().count();
        assert!(lines <= LIMIT, "{path} has {lines} lines: divide it");
        let name = Path::new(path).file_stem().unwrap().to_str().unwrap();
        let folders = path.split('/').chain([name]);
        for word in folders {
            assert!(
                !["utils", "util", "common", "helpers", "misc"].contains(&word),
                "{path}: `{word}` names no idea"
            );
        }
    }
}

#[test]
fn numbers_and_reports_read_no_clock() {
    // Clocks are read where wall times are measured and shown, never where numbers are made.
    for (path, text) in sources() {
        if ["crates/core/", "crates/math/", "crates/judge/", "crates/report/"]
            .iter()
            .any(|one| path.starts_with(one))
        {
            assert!(
                !text.contains("SystemTime") && !text.contains("Instant::now"),
                "{path} reads a clock"
            );
        }
    }
}

/// Texts of library crates that name an option or a command of the command line and reach no user
/// as an error: the part of the path, the text, and why it may.
const NAMING: [(&str, &str, &str); 6] = [
    (
        "run/src/runner/store/format.rs",
        "`uqbench store check`",
        "a line in a store's folder, for people who find it",
    ),
    (
        "judge/src/judgement/baseline.rs",
        "`uqbench check --against`",
        "the first line of a baseline's file",
    ),
    ("judge/src/evidence/own_predictions/", "--form", "a note on a page of scores"),
    ("judge/src/evidence/own_predictions/", "--train-rows", "notes on a page of scores"),
    ("system/src/supervise/supervisor.rs", "--here", "the argument of the process that it starts"),
    ("report/src/", "", "pages, whose readers may run commands"),
];

/// The string literals of the code before the tests of a file, without comments.
fn literals(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = lines.collect::<Vec<_>>().join("\n").replace("'\"'", "").replace("b\"", "\"");
    let (mut all, mut inside, mut escaped) = (Vec::new(), None::<String>, false);
    for c in code.chars() {
        match (&mut inside, c) {
            (Some(literal), c) if escaped || c != '"' => {
                escaped = c == '\\' && !escaped;
                literal.push(c);
            }
            (Some(_), _) => all.extend(inside.take()),
            (None, '"') => inside = Some(String::new()),
            (None, _) => {}
        }
    }
    all
}

/// The option or the command of the command line that a text names: `--word`, or `uqbench word` in
/// backticks.
fn names_option(text: &str) -> bool {
    let begins = |rest: &str| rest.starts_with(|c: char| c.is_ascii_lowercase());
    text.split("--").skip(1).any(begins) || text.split("`uqbench ").skip(1).any(begins)
}

#[test]
fn libraries_word_no_option() {
    let mut used = [false; NAMING.len()];
    let (mut read, mut wrong) = (0, Vec::new());
    for (path, text) in sources() {
        if !path.starts_with("crates/") || path.contains("/tests") {
            continue;
        }
        for literal in literals(&text) {
            read += 1;
            if !names_option(&literal) {
                continue;
            }
            let is_it = |(part, word, _): &(&str, &str, &str)| {
                path.contains(part) && literal.contains(word)
            };
            match NAMING.iter().position(is_it) {
                Some(known) => used[known] = true,
                None => wrong.push(format!("{path}: {literal}")),
            }
        }
    }
    assert!(wrong.is_empty(), "src/cli/wording.rs alone names options:\n{}", wrong.join("\n"));
    assert!(read > 5000 && used == [true; NAMING.len()], "{read} texts were read; {used:?}");
}

#[test]
fn texts_are_read_without_comments_and_tests() {
    let text = "// \"--a\"\nlet a = (\"b \\\" --c\", 'x', \"d\");\n#[cfg(test)]\nlet e = \"--f\";";
    assert_eq!(literals(text), ["b \\\" --c", "d"]);
    assert!(
        names_option("by --drop x")
            && names_option("`uqbench list` shows")
            && !names_option("a -- b, uqbench ran")
    );
}

#[test]
fn pages_are_written_from_the_report_alone() {
    for (path, text) in sources().iter().filter(|(path, _)| path.starts_with("crates/report/")) {
        for reader in ["runner::store", "evidence::Evidence"] {
            assert!(!text.contains(reader), "{path} names {reader}: only judge reads the store");
        }
    }
}
