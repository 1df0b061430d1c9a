//! No circle of files: of two files that import each other, neither can be read first.
//!
//! Imports between a file and those in its own folder below it are not counted, because they are parts of one idea.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::command::files;

type Module = Vec<String>;

/// Every source file by its module, without tests.
fn modules() -> BTreeMap<Module, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let named = files(&root).into_iter().filter_map(|(path, bytes)| {
        let path = path.strip_suffix(".rs")?;
        let mut module: Module = path.split('/').map(str::to_owned).collect();
        if module.last().is_some_and(|last| last == "mod") {
            module.pop();
        }
        let is_test = module.iter().any(|part| part == "tests");
        let skipped = is_test || ["lib", "main"].contains(&module[0].as_str());
        let text = String::from_utf8(bytes).unwrap();
        let own = text.split("#[cfg(test)]\nmod tests").next().unwrap().to_owned();
        (!skipped).then_some((module, own))
    });
    named.collect()
}

/// The paths of a `use` tree, with groups expanded.
fn paths(tree: &str) -> Vec<Module> {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let name = tree.split(" as ").next().unwrap();
        return vec![name.split("::").map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()];
    };
    let prefix: Module =
        tree[..open].split("::").map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect();
    let Some(close) = tree.rfind('}').filter(|close| *close > open) else { return Vec::new() };
    let inner = &tree[open + 1..close];
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, c) in inner.char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c == ',' && depth == 0 {
            parts.push(&inner[start..at]);
            start = at + 1;
        }
    }
    parts.push(&inner[start..]);
    let below = parts.into_iter().filter(|part| !part.trim().is_empty()).flat_map(paths);
    below.map(|path| prefix.iter().cloned().chain(path).collect()).collect()
}

/// The modules that a file names in its `use` lines.
fn named(own: &Module, text: &str, all: &BTreeMap<Module, String>) -> BTreeSet<Module> {
    let mut found = BTreeSet::new();
    for statement in text.split("use ").skip(1).filter_map(|rest| rest.split_once(';')).map(|(tree, _)| tree) {
        for path in paths(statement) {
            let Some(first) = path.first() else { continue };
            let mut absolute = match first.as_str() {
                "crate" => Vec::new(),
                "super" => own[..own.len() - 1].to_vec(),
                "self" => own.clone(),
                _ => continue,
            };
            for part in &path[1..] {
                match part.as_str() {
                    "super" => _ = absolute.pop(),
                    "self" => {}
                    name => absolute.push(name.to_owned()),
                }
            }
            while !absolute.is_empty() && !all.contains_key(&absolute) {
                absolute.pop();
            }
            let is_kin = absolute.starts_with(own) || own.starts_with(&absolute);
            if !absolute.is_empty() && !is_kin {
                found.insert(absolute);
            }
        }
    }
    found
}

/// Files that lie on a circle: files that import none of the remaining ones are removed until none can be.
fn on_circles(arrows: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<Module> {
    let mut left: BTreeSet<Module> = arrows.keys().cloned().collect();
    loop {
        let free = |module: &Module| arrows[module].iter().all(|other| !left.contains(other));
        let freed: Vec<Module> = left.iter().filter(|module| free(module)).cloned().collect();
        if freed.is_empty() {
            return left;
        }
        left.retain(|module| !freed.contains(module));
    }
}

#[test]
fn no_circle_of_files_is_left() {
    let all = modules();
    let arrows: BTreeMap<Module, BTreeSet<Module>> =
        all.iter().map(|(module, text)| (module.clone(), named(module, text, &all))).collect();
    assert!(arrows.values().map(BTreeSet::len).sum::<usize>() > 700, "hardly any import was read");
    let left: Vec<String> = on_circles(&arrows).into_iter().map(|module| module.join("::")).collect();
    assert!(left.is_empty(), "on a circle, or importing one: {}", left.join(", "));
}

#[test]
fn imports_are_expanded_and_circles_are_found() {
    let flat = |tree: &str| paths(tree).iter().map(|path| path.join("::")).collect::<Vec<_>>();
    assert_eq!(flat("crate::{a::{self, B}, c as d}"), ["crate::a::self", "crate::a::B", "crate::c"]);
    assert_eq!(flat("super::x::Y"), ["super::x::Y"]);
    let module = |name: &str| vec![name.to_owned()];
    let arrow = |from: &str, to: &[&str]| (module(from), to.iter().map(|to| module(to)).collect());
    let arrows = [arrow("a", &["b"]), arrow("b", &["c"]), arrow("c", &["b"]), arrow("d", &[])].into();
    assert_eq!(on_circles(&arrows), [module("a"), module("b"), module("c")].into());
}
