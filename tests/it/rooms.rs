//! Check the structure of the source: which room may import which, how long a file may be, and how files may be named.

use std::collections::BTreeMap;
use std::path::Path;

use super::command::files;

/// The rooms from the ground up: a room may import those before it.
const ROOMS: [&str; 17] = [
    "kinds",
    "system",
    "math",
    "data",
    "predictive",
    "metrics",
    "stats",
    "plot",
    "side_tables",
    "methods",
    "protocols",
    "benchmark",
    "runner",
    "evidence",
    "judgement",
    "report",
    "cli",
];

/// Longest file, in lines.
const LIMIT: usize = 400;

fn sources() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let all = files(&root).into_iter();
    all.map(|(path, bytes)| (path.replace('\\', "/"), String::from_utf8(bytes).unwrap())).collect()
}

/// `runner` for `runner/run.rs`, `benchmark` for `benchmark.rs`.
fn room(path: &str) -> &str {
    let first = path.split('/').next().unwrap();
    first.strip_suffix(".rs").unwrap_or(first)
}

fn height(room: &str) -> Option<usize> {
    ROOMS.iter().position(|known| *known == room)
}

/// Every room that a text names after `crate::`; a group `crate::{a, b::c}` names several.
fn named(text: &str) -> Vec<String> {
    let name = |text: &str| text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
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
    let mut arrows = 0;
    let mut wrong = Vec::new();
    for (path, text) in sources().iter().filter(|(path, _)| !["lib.rs", "main.rs"].contains(&path.as_str())) {
        let own = height(room(path)).unwrap_or_else(|| panic!("{path} lies in no room of the list"));
        for other in named(text) {
            arrows += 1;
            match height(&other) {
                Some(other_height) if other_height <= own => {}
                _ => wrong.push(format!("{path} names crate::{other}")),
            }
        }
    }
    assert!(wrong.is_empty(), "arrows that run the wrong way:\n{}", wrong.join("\n"));
    assert!(arrows > 100, "only {arrows} arrows were read");
}

#[test]
fn imports_are_read_in_every_form() {
    let text =
        "use crate::data::Table; use crate::{math, methods::{Request, Fit}, report::x};\n let a = crate::cli::main();";
    assert_eq!(named(text), ["data", "math", "methods", "report", "cli"]);
}

#[test]
fn the_library_lists_its_rooms_from_the_ground_up() {
    let text = &sources()["lib.rs"];
    let listed: Vec<&str> = text
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'))
        .collect();
    assert_eq!(listed, ROOMS);
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
            assert!(!["utils", "util", "common", "helpers", "misc"].contains(&word), "{path}: `{word}` names no idea");
        }
    }
}

#[test]
fn numbers_and_reports_read_no_clock() {
    // Clocks are read where wall times are measured and shown, never where numbers are made.
    for (path, text) in sources() {
        if ["math", "predictive", "metrics", "report"].contains(&room(&path)) {
            assert!(!text.contains("SystemTime") && !text.contains("Instant::now"), "{path} reads a clock");
        }
    }
}
