//! Texts for users, kept as snapshots in `tests/snapshots`: help, lists, descriptions, errors, and
//! the smoke profile's pages.
//!
//! Review a change of them with `cargo insta review` before you accept it.

use std::collections::BTreeMap;
use std::fs;

use super::command::{Dir, files};
use super::{markdown, mocks};

/// Compares a text with the snapshot of this name.
fn snapshot(name: &str, text: &str) {
    insta::with_settings!({
        snapshot_path => "../snapshots",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, { insta::assert_snapshot!(name, text) });
}

/// Without what depends on the machine: the test's folder, the processor's name.
fn neutral(dir: &Dir, text: &str) -> String {
    text.replace(dir.path("").to_string_lossy().trim_end_matches('/'), "[folder]")
}

#[test]
fn help_of_every_subcommand() {
    let dir = Dir::new();
    let all = [
        "",
        "reproduce",
        "run",
        "report",
        "rerun",
        "compare",
        "check",
        "try",
        "predict",
        "score",
        "list",
        "method",
        "audit",
        "method check",
        "new",
        "plan",
        "submit",
        "status",
        "show",
        "cite",
        "dev",
        "dev costs",
        "dev gc",
        "dev index",
        "dev stale",
        "store",
        "store check",
        "store pack",
        "store merge",
        "export",
        "data",
        "data fetch",
        "data verify",
        "data describe",
        "data export",
    ];
    for words in all {
        let help = dir.run(&format!("{words} --help")).code(0).out;
        let name = if words.is_empty() { "uqbench".into() } else { words.replace(' ', "-") };
        snapshot(&format!("help-{name}"), &help);
    }
}

/// The lines that start so, with one space where a table has many: a new dataset changes neither.
fn lines_of(starts: [&str; 3], table: &str) -> String {
    let chosen = table.lines().filter(|line| starts.iter().any(|start| line.starts_with(start)));
    let squeezed = chosen.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    squeezed.collect::<Vec<_>>().join("\n")
}

#[test]
fn lists_and_descriptions() {
    let dir = Dir::new();
    for kind in ["benchmarks", "methods", "metrics"] {
        snapshot(&format!("list-{kind}"), &dir.run(&format!("list {kind}")).code(0).out);
    }
    for name in ["exact-gp", "mc-dropout", "dtb", "linear-gaussian"] {
        snapshot(
            &format!("list-methods-{name}"),
            &dir.run(&format!("list methods {name}")).code(0).out,
        );
    }
    let datasets = dir.run("list datasets").code(0).out;
    snapshot("list-datasets", &lines_of(["| Key", "| boston ", "| simulated:step "], &datasets));
    let datasets = neutral(&dir, &dir.run("data list").code(0).out);
    snapshot("data-list", &lines_of(["key ", "boston ", "kin40k "], &datasets));
    for key in ["boston", "wine-red", "yacht", "motorcycle-94", "nonstat2d"] {
        snapshot(
            &format!("data-describe-{key}"),
            &dir.run(&format!("data describe {key}")).code(0).out,
        );
    }
}

/// A call that is wrong in one way, and its error.
fn error(dir: &Dir, words: &str) -> String {
    let ended = dir.run(words);
    assert_ne!(ended.code, Some(0), "{words}");
    let said: String = ended
        .err
        .lines()
        .filter(|line| !line.starts_with("trials: "))
        .map(|line| format!("{line}\n"))
        .collect();
    format!(
        "$ uqbench {words}\n{}[exit code {}]\n\n",
        neutral(dir, &said),
        ended.code.unwrap_or(-1)
    )
}

#[test]
fn errors_of_usage() {
    let dir = Dir::new();
    dir.write("good.toml", &mocks::benchmark(&mocks::answering(1, 0), 1));
    let all = [
        "rnu",
        "reprodce",
        "run",
        "run dtb-tabel-1",
        "run good.toml good.toml",
        "run --plan nowhere.json",
        "run good.toml --plan plan.json",
        "run --shard 1/2",
        "plan good.toml --shards 2",
        "plan good.toml --shards 0 --out plan.json",
        "submit nowhere.json",
        "run dtb-table-1 --splits 0",
        "run dtb-table-1 --jobs 0",
        "run dtb-table-1 --profile quik",
        "run dtb-table-1 --timeout 0",
        "run dtb-table-1 --memory 64",
        "run dtb-table-1 --isolation thread --memory 512",
        "run dtb-table-1 --methods linear-gausian",
        "run dtb-table-1 --datasets californa",
        "report good.toml",
        "status good.toml",
        "data describe yatch",
        "list colours",
        "compare a b --metrics rmsee",
        "check --against nowhere.toml",
        "store check --store nowhere",
    ];
    snapshot("errors-of-usage", &all.map(|words| error(&dir, words)).concat());
}

#[test]
fn errors_of_benchmark_files() {
    let dir = Dir::new();
    let good = mocks::benchmark(&mocks::answering(1, 0), 1);
    let holdout = "{ holdout = { test = { fraction = 0.2 } } }";
    let changes = [
        ("id = \"rmse\"", "id = \"rsme\""),
        ("id = \"rmse\"", "id = \"picp(level=95)\""),
        ("id = \"rmse\"", "id = \"max-fold-mse(folds=0)\""),
        ("\"motorcycle-94\"", "\"motorcycle-49\""),
        ("id = \"mock\"", "id = \"mok\""),
        ("tag = 0", "tga = 0"),
        ("tag = 0", "tag = -1"),
        ("[profiles.full]", "[profiles.fulll]"),
        ("heading = \"Data\"", "heading = \"Data\", colour = 1"),
        ("id = \"mocks\"", "id = \"../mocks\""),
        (holdout, "{ k-fold = { folds = 1 } }"),
        (holdout, "{ holdout = { test = { fraction = 2 } } }"),
        (holdout, "{ tail = { feature = \"t\", share = 0.2, end = \"low\" } }"),
        ("splits = 1", "splits = 9223372036854775807"),
        ("metrics =", "limits = { wall = \"1 day\" }\nmetrics ="),
        ("title = ", "titel = "),
    ];
    let mut all = String::new();
    for (from, to) in changes {
        assert!(good.contains(from), "{from}");
        dir.write("mine.toml", &good.replacen(from, to, 1));
        all +=
            &format!("{} -> {}\n{}", from, to.replace('\n', " / "), error(&dir, "run mine.toml"));
    }
    snapshot("errors-of-benchmark-files", &all);
}

#[test]
fn errors_of_own_tables() {
    let dir = Dir::new();
    let rows = |row: &dyn Fn(usize) -> String| (0..30).map(row).collect::<Vec<_>>().join("\n");
    let good = format!("a,b,y\n{}\n", rows(&|i| format!("{i},{},{}", i * i % 7, i * 3 % 11)));
    let files = [
        ("empty", String::new()),
        ("header-alone", "a,b,y\n".into()),
        ("no-header", rows(&|i| format!("{i},2,3"))),
        ("ragged", good.replacen("\n3,", "\n3,7,", 1)),
        ("half-the-targets", format!("a,y\n{}\n", rows(&|i| format!("{i},{}", ["", "7"][i % 2])))),
        ("names-alone", format!("a,y\n{}\n", rows(&|i| format!("name {i},{i}")))),
        (
            "decimal-comma",
            format!("a;y\n{}\n", rows(&|i| format!("{i},5{};{i}", ["", " m"][i / 29]))),
        ),
        ("typing-error", good.replacen("\n3,2,9", "\n3,2x,9", 1)),
        ("infinite", good.replacen("\n3,2,9", "\n3,1e999,9", 1)),
        ("constant-target", format!("a,y\n{}\n", rows(&|i| format!("{i},5")))),
        ("few-rows", "a,y\n1,2\n2,3\n".into()),
    ];
    let mut all = String::new();
    for (name, text) in files {
        dir.write(&format!("{name}.csv"), &text);
        all += &error(&dir, &format!("try {name}.csv --target y"));
    }
    dir.write("good.csv", &good);
    all += &error(&dir, "try good.csv --target z");
    all += &error(&dir, "try good.csv --target y --drop y");
    all += &error(&dir, "try nowhere.csv --target y");
    snapshot("errors-of-own-tables", &all);
}

/// Of a page: its head, its tables except those of costs, settings and remarks, and how often each
/// verdict occurs.
fn digest(name: &str, page: &str) -> String {
    let mut kept: Vec<String> = page.lines().take(3).map(str::to_owned).collect();
    let (mut counts, mut section, mut is_number) =
        (BTreeMap::<String, usize>::new(), String::new(), false);
    let costs = name.starts_with("jcm-cost");
    for line in page.lines().skip(3) {
        if let Some(title) = line.strip_prefix("## ") {
            section = title.to_owned();
            is_number = ![
                "Verdicts",
                "Claims",
                "How quiet",
                "Every number",
                "More tables",
                "Settings",
                "Trials",
                "Notes",
            ]
            .iter()
            .any(|word| title.starts_with(word));
            if is_number {
                kept.push(format!("\n{line}"));
            }
        } else if line.starts_with('|') && section == "Verdicts" {
            let word =
                line.trim_end_matches('|').rsplit('|').map(str::trim).find(|cell| is_verdict(cell));
            *counts.entry(word.unwrap_or("other").to_owned()).or_default() += 1;
        } else if section == "Claims"
            && (line.starts_with("- **") || line.starts_with(" - our runs"))
        {
            kept.push(line.split("**: ").next().unwrap_or(line).to_owned());
        } else if line.starts_with('|') && is_number {
            kept.push(if costs {
                mask(line)
            } else {
                line.split('|').map(str::trim).collect::<Vec<_>>().join(" | ")
            });
        }
    }
    counts.remove("other");
    format!("{}\n\nVerdicts: {counts:?}\n", kept.join("\n"))
}

fn is_verdict(cell: &str) -> bool {
    [
        "reproduced",
        "compatible",
        "inconclusive",
        "close",
        "differs",
        "impossible",
        "implausible",
        "none",
        "not ",
        "too few repetitions",
    ]
    .iter()
    .any(|word| cell.starts_with(word))
}

/// A line whose numbers are those of the machine.
fn mask(line: &str) -> String {
    let shape: String = line.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    let words: Vec<&str> = shape
        .split_whitespace()
        .filter(|word| !word.contains('0') && !word.contains("--"))
        .collect();
    words.join(" ")
}

#[test]
fn pages_of_the_smoke_profile() {
    let dir = Dir::new();
    let ended = dir.run("reproduce --profile smoke");
    assert!(ended.code == Some(0), "{ended:?}");
    let pages: Vec<String> =
        files(&dir.path("out")).into_keys().filter(|name| name.ends_with(".md")).collect();
    assert!(pages.len() > 20);
    markdown::check_all(&dir.path("out"));
    for page in pages {
        let name = page.trim_end_matches(".md");
        if !["index", "errata", "provenance"].contains(&name) && !name.starts_with("errata/") {
            snapshot(&format!("smoke-{name}"), &digest(name, &dir.page(&format!("out/{page}"))));
        }
    }
    let scorecard = fs::read_to_string(dir.path("out/scorecard.csv")).unwrap();
    snapshot("smoke-scorecard-columns", scorecard.lines().next().unwrap());
}
