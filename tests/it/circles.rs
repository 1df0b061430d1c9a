//! No circle of files: of two files that import each other, neither can be read first.
//!
//! Imports between a file and those in its own folder below it are not counted, because they are
//! parts of one idea.

use std::collections::{BTreeMap, BTreeSet};

use super::rooms::sources;

type Module = Vec<String>;

/// The source files of every crate by their modules, without tests.
fn crates() -> BTreeMap<String, BTreeMap<Module, String>> {
    let mut all: BTreeMap<String, BTreeMap<Module, String>> = BTreeMap::new();
    for (path, text) in sources() {
        let (krate, inside) = path.split_once("src/").unwrap();
        let module: Module =
            inside.strip_suffix(".rs").unwrap().split('/').map(str::to_owned).collect();
        let is_test = module.iter().any(|part| part == "tests");
        if !is_test && !["lib", "main"].contains(&module[0].as_str()) {
            let own = text.split("#[cfg(test)]\nmod tests").next().unwrap().to_owned();
            all.entry(krate.to_owned()).or_default().insert(module, own);
        }
    }
    all
}

/// The paths of a `use` tree, with groups expanded.
fn paths(tree: &str) -> Vec<Module> {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let name = tree.split(" as ").next().unwrap();
        return vec![
            name.split("::")
                .map(|part| part.trim().to_owned())
                .filter(|part| !part.is_empty())
                .collect(),
        ];
    };
    let prefix: Module = tree[..open]
        .split("::")
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect();
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
    for statement in
        text.split("use ").skip(1).filter_map(|rest| rest.split_once(';')).map(|(tree, _)| tree)
    {
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

/// Files that lie on a circle: files that import none of the remaining ones are removed until none
/// can be.
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
    let (mut arrows, mut left) = (0, Vec::new());
    for (krate, all) in crates() {
        let own: BTreeMap<Module, BTreeSet<Module>> =
            all.iter().map(|(module, text)| (module.clone(), named(module, text, &all))).collect();
        arrows += own.values().map(BTreeSet::len).sum::<usize>();
        left.extend(
            on_circles(&own).into_iter().map(|module| format!("{krate}{}", module.join("::"))),
        );
    }
    assert!(arrows > 700, "hardly any import was read");
    assert!(left.is_empty(), "on a circle, or importing one: {}", left.join(", "));
}

#[test]
fn imports_are_expanded_and_circles_are_found() {
    let flat = |tree: &str| paths(tree).iter().map(|path| path.join("::")).collect::<Vec<_>>();
    assert_eq!(
        flat("crate::{a::{self, B}, c as d}"),
        ["crate::a::self", "crate::a::B", "crate::c"]
    );
    assert_eq!(flat("super::x::Y"), ["super::x::Y"]);
    let module = |name: &str| vec![name.to_owned()];
    let arrow = |from: &str, to: &[&str]| (module(from), to.iter().map(|to| module(to)).collect());
    let arrows =
        [arrow("a", &["b"]), arrow("b", &["c"]), arrow("c", &["b"]), arrow("d", &[])].into();
    assert_eq!(on_circles(&arrows), [module("a"), module("b"), module("c")].into());
}
