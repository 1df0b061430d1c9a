//! Means over different splits: marked in every format, compared on the splits that all have; and
//! splits that do not exist.

use std::fs;

use uqbench_run::benchmark::{Profile, find};
use uqbench_run::runner::plan::{Filter, plan};

use super::command::Dir;
use super::mocks::in_every_profile;
use super::pages::in_latex;
use super::wording::headings;

/// A method that is cut to two splits beside one that has all eight.
const CUT: &str = r#"
id = "own"
title = "Own"
protocol = { k-fold = { folds = 8 } }
datasets = [{ key = "motorcycle-94", heading = "D" }]
metrics = [{ id = "rmse", heading = "RMSE" }]
methods = [
  { id = "linear-gaussian", columns = [{ heading = "Full" }] },
  { id = "tree", splits = 2, columns = [{ heading = "Cut" }] },
]
"#;

/// The cells of the first row of a Markdown page that starts so.
fn cells(page: &str, start: &str) -> Vec<String> {
    let row = page
        .lines()
        .find(|line| line.starts_with(start))
        .unwrap_or_else(|| panic!("{start}: {page}"));
    row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
}

#[test]
fn a_mean_over_fewer_splits_than_its_neighbours_is_marked_in_every_format() {
    let dir = Dir::new();
    dir.write("own.toml", &in_every_profile(CUT, 8));
    dir.run("run own.toml").code(0);
    let row = cells(&fs::read_to_string(dir.path("out/own.md")).unwrap(), "| D ");
    assert!(row[2].ends_with("(2 of 8)") && !row[1].contains("of 8"), "{row:?}");
    let page = fs::read_to_string(dir.path("out/site/own.html")).unwrap();
    for text in [page, in_latex(&dir.path("out"), "own")] {
        assert!(text.contains("(2 of 8)"), "{text}");
    }
    // The numbers of every column are in the CSV file.
    let mut file = csv::Reader::from_path(dir.path("out/own.csv")).unwrap();
    let head = file.headers().unwrap().clone();
    let n = head.iter().position(|name| name == "n").unwrap();
    let counts: Vec<String> = file.records().map(|row| row.unwrap()[n].to_owned()).collect();
    assert_eq!(counts, ["8", "2"]);
    // On common splits both have the same number, and the cut one has its own mean.
    let page = dir.page("out/own.md");
    insta::assert_snapshot!(headings(&page), @"
    # Own
    ## RMSE
    ## Methods as run
    ## Every number
    ## More tables
    ## RMSE: on common splits
    ## Trials to look at
    ");
    let common = page.split("common splits").nth(1).unwrap();
    let common = cells(common, "| D ");
    assert!(
        common[3] == row[2].trim_end_matches(" (2 of 8)") && common[2] != row[1],
        "{common:?} {row:?}"
    );
    let compared = dir.run("compare Full Cut --benchmarks own.toml --metrics rmse").code(0).out;
    assert!(cells(&compared, "| D ")[2].ends_with("(2 of 8)"));
}

#[test]
fn columns_of_the_same_splits_are_not_marked() {
    let dir = Dir::new();
    dir.write("own.toml", &in_every_profile(CUT.replace(" splits = 2,", ""), 4));
    dir.run("run own.toml").code(0);
    let page = dir.page("out/own.md");
    assert!(!page.contains(" of 4)") && !page.contains("common splits"), "{page}");
    // Nor after a run of fewer splits, which all columns have.
    dir.run("run own.toml --splits 3 --out fewer").code(0);
    let row = cells(&fs::read_to_string(dir.path("fewer/own.md")).unwrap(), "| D ");
    assert!(row.iter().all(|cell| !cell.contains(" of ")), "all columns have three: {row:?}");
    // A column of a run that is not finished is.
    dir.run("run own.toml --splits 2 --store part --methods tree --out part").code(0);
    dir.run("run own.toml --store part --methods linear-gaussian --out part").code(0);
    dir.run("report own.toml --store part --out part").code(3);
    let row = cells(&fs::read_to_string(dir.path("part/own.md")).unwrap(), "| D ");
    assert!(row[2].contains("(2 of 4)") && !row[1].contains("of 4"), "{row:?}");
}

/// The splits that a plan has of each dataset where a command line asks for `asked` of them.
fn planned(protocol: &str, dataset: &str, asked: u64) -> (Vec<u64>, Option<u64>) {
    let dir = Dir::new();
    let text = CUT
        .replace("{ k-fold = { folds = 8 } }", protocol)
        .replace("motorcycle-94", dataset)
        .replace(" splits = 2,", "");
    dir.write("own.toml", &in_every_profile(text, 1));
    let benchmark = find(dir.path("own.toml").to_str().unwrap()).unwrap();
    let filter = Filter { splits: Some(asked), ..Filter::default() };
    let plan = plan(&[benchmark], Profile::Quick, &filter).unwrap().remove(0);
    (plan.experiments.iter().map(|experiment| experiment.splits).collect(), plan.most_splits())
}

#[test]
fn no_more_splits_are_planned_than_there_are() {
    for (protocol, dataset, most) in [
        ("{ k-fold = { folds = 3 } }", "yacht", 3),
        ("{ k-fold = { folds = 3, repeats = 2 } }", "yacht", 6),
        ("{ grouped-k-fold = { folds = 3 } }", "wine-red", 3),
        ("{ rolling-origin = { start = 0.5, folds = 4 } }", "yacht", 4),
        ("\"standard\"", "yacht", 20),
        ("\"standard\"", "protein", 5),
        ("{ tail = { feature = \"alcohol\", share = 0.1, end = \"high\" } }", "wine-red", 1),
    ] {
        assert_eq!(planned(protocol, dataset, 50), (vec![most; 2], Some(most)), "{protocol}");
        assert_eq!(planned(protocol, dataset, most), (vec![most; 2], None), "{protocol}");
    }
    for protocol in [
        "{ holdout = { test = { fraction = 0.2 } } }",
        "{ grouped = { test = { fraction = 0.2 } } }",
    ] {
        assert_eq!(planned(protocol, "yacht", 50), (vec![50; 2], None), "{protocol}");
    }
}

#[test]
fn more_splits_than_there_are_is_told_with_their_number() {
    let dir = Dir::new();
    dir.write(
        "own.toml",
        &in_every_profile(CUT.replace("folds = 8", "folds = 3").replace(" splits = 2,", ""), 3),
    );
    let number =
        |text: &str| text.lines().any(|line| line.contains("--splits 50") && line.contains(" 3 "));
    let ended = dir.run("run own.toml --splits 50").code(0);
    assert!(
        number(&ended.err) && ended.last().starts_with("6 of 6 "),
        "{} {}",
        ended.err,
        ended.last()
    );
    for words in [
        "plan own.toml --splits 50 --store store",
        "compare --benchmarks own.toml --splits 50 --metrics rmse",
    ] {
        assert!(number(&dir.run(words).code(0).err), "{words}");
    }
    assert!(!dir.run("run own.toml --splits 3").code(0).err.contains("warning"));
}
