//! `docs/look-up/reliability.md` has one promise for each fault, and names its tests.

use std::collections::BTreeSet;
use std::path::Path;

use crate::command::files;

/// Names of all tests in this repository.
fn tests() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut names = BTreeSet::new();
    for folder in ["src", "crates", "tests"] {
        for (path, bytes) in files(&root.join(folder)) {
            if !path.ends_with(".rs") {
                continue;
            }
            let text = String::from_utf8(bytes).unwrap();
            // Also in `proptest!`: every test has the attribute in the lines before its name.
            for part in text.split("#[test]").skip(1) {
                let name =
                    part.split_once("fn ").map_or("", |(_, rest)| rest.split('(').next().unwrap());
                names.insert(name.trim().to_owned());
            }
        }
    }
    names
}

#[test]
fn no_test_waits_for_a_program_without_a_limit() {
    let waits = [".output", ".wait_with_output"].map(|call| call.to_owned() + "()");
    let of_tests = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it"));
    for (path, bytes) in of_tests {
        let text = String::from_utf8(bytes).unwrap();
        for (line, text) in text.lines().enumerate() {
            assert!(
                !waits.iter().any(|wait| text.contains(wait)),
                "{path}, line {}: use `Limited::ended`",
                line + 1
            );
        }
    }
}

#[test]
fn every_fault_has_a_promise_and_every_named_test_exists() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/look-up/reliability.md");
    let text = std::fs::read_to_string(page).unwrap();
    let tests = tests();
    assert!(tests.len() > 900, "only {} tests were found", tests.len());
    let mut cases = Vec::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let Some(number) = cells.first().and_then(|cell| cell.parse::<usize>().ok()) else {
            continue;
        };
        let [_, fault, promise, state] = cells[..] else {
            panic!("case {number} has {} cells", cells.len())
        };
        assert!(!fault.is_empty() && promise.len() > 20, "case {number}");
        let named = state.strip_prefix("tested (").and_then(|rest| rest.strip_suffix(')'));
        let named = named.unwrap_or_else(|| panic!("case {number} is not tested: {state}"));
        for name in named.split(", ") {
            let name = name.trim_matches('`');
            assert!(tests.contains(name), "case {number} names `{name}`, which is no test");
        }
        cases.push(number);
    }
    assert_eq!(cases, (1..=56).collect::<Vec<_>>());
}
