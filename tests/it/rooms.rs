//! Check the structure of the source: which room may import which, how long a file may be, and how files may be named.

use std::collections::BTreeMap;
use std::path::Path;

use super::command::files;

/// Folders of one crate from the ground up: a file may import those of folders before its own. Between crates cargo sees to it.
const ROOMS: [(&str, &[&str]); 4] = [
    ("core", &["math", "predictive", "metrics", "stats"]),
    ("methods", &["side_tables", "parameter", "engine", "registry"]),
    ("run", &["kinds", "external", "oracle", "registry", "protocols", "benchmark", "candidates", "runner"]),
    ("judge", &["evidence", "judgement", "figures"]),
];

/// Longest file, in lines.
const LIMIT: usize = 400;

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
        assert_eq!(rooms.iter().filter(are_there).count(), rooms.len(), "{krate} has other folders");
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
        if ["crates/core/", "crates/math/", "crates/judge/", "crates/report/"].iter().any(|one| path.starts_with(one)) {
            assert!(!text.contains("SystemTime") && !text.contains("Instant::now"), "{path} reads a clock");
        }
    }
}
