//! Check that a split is compared with its truth from the store alone: an oracle is right, a
//! constant has no skill, and a missing part has no number.

use std::fs;

use serde_json::Value;
use uqbench_judge::judgement::findings::{Decomposed, Finding};
use uqbench_report::words::findings::sentence;

use super::command::Dir;
use super::mocks::in_every_profile;
use super::wording::{elements, shape};

const BENCHMARK: &str = r#"
id = "split"
paper = "none"
artefact = "Table 0"
title = "Oracles"
decomposition = true
protocol_source = "printed"
protocol = "demonstration"
datasets = [
  { key = "simulated:decomposition-heteroscedastic@1", heading = "One", scaling = "none" },
  { key = "simulated:decomposition-heteroscedastic@4", heading = "Four", scaling = "none" },
]
metrics = [{ id = "truth-mse", heading = "Error" }]
[[methods]]
id = "oracle"
columns = [{ heading = "Oracle", labels = { method = "oracle" } }]
[[methods]]
id = "oracle"
parameters = { level = true }
columns = [{ heading = "Level", labels = { method = "level" } }]
[[methods]]
id = "dtb"
parameters = { learners = [{ id = "tree", count = 3 }] }
columns = [{ reading = "game", heading = "DTB", labels = { method = "dtb" } }]
[[methods]]
id = "unconditional-gaussian"
columns = [{ heading = "Anchor", labels = { method = "anchor" } }]
[[figures]]
kind = "variances"
file = "curves"
title = "Curves"
rows = [{ title = "Oracle", labels = { method = "oracle" } }, { title = "DTB", labels = { method = "dtb" } }]
datasets = [{ title = "One", dataset = "simulated:decomposition-heteroscedastic@1" }]
[[figures]]
kind = "skill"
file = "skill"
title = "Skill"
rows = [{ title = "Oracle", labels = { method = "oracle" } }, { title = "DTB", labels = { method = "dtb" } }]
groups = [{ title = "Noise", datasets = ["simulated:decomposition-heteroscedastic@1", "simulated:decomposition-heteroscedastic@4"] }]
lanes = ["1", "4"]
"#;

/// The cells of the table under a heading of the page, heads first.
fn table(page: &str, heading: &str) -> Vec<Vec<String>> {
    let after = page
        .split(&format!("## {heading}\n"))
        .nth(1)
        .unwrap_or_else(|| panic!("no {heading}: {page}"));
    let lines =
        after.lines().skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty());
    let cells =
        |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    lines.filter(|line| !line.starts_with("| -")).map(cells).collect()
}

/// The first number of a cell.
fn number(cell: &str) -> f64 {
    cell.split(' ').next().unwrap().parse().unwrap_or_else(|_| panic!("{cell}"))
}

#[test]
fn an_oracle_is_right_a_constant_has_no_skill_and_a_missing_part_no_number() {
    let dir = Dir::new();
    dir.write("split.toml", &in_every_profile(BENCHMARK, 3));
    dir.run("run split.toml").code(0);
    let page = dir.page("out/split.md");
    for part in ["Aleatoric", "Epistemic", "Predictive"] {
        let of = |score: &str| table(&page, &format!("{part} variance: {score}"));
        for (score, oracle) in [
            ("level", 0.0),
            ("unevenness", 0.0),
            ("rank over regions", 1.0),
            ("skill against the best constant", 1.0),
        ] {
            for row in &of(score)[1..] {
                assert!((number(&row[1]) - oracle).abs() < 1e-6, "{part} {score}: {row:?}");
            }
        }
        // A constant has no order, so its column is not in the table of ranks.
        assert!(!of("rank over regions")[0].contains(&"Level".to_owned()));
        for row in &of("skill against the best constant")[1..] {
            assert!(number(&row[2]).abs() < 1e-6, "{part}: {row:?}");
        }
        let methods = &of("level")[0];
        let has = |method: &str| methods.contains(&method.to_owned());
        // DTB states the error of its mean alone, the anchor the whole variance.
        assert_eq!(
            (has("DTB"), has("Anchor")),
            (part == "Epistemic", part == "Predictive"),
            "{part}: {methods:?}"
        );
    }
    let overview = table(&page, "Are the parts of the variance true?");
    let row = |method: &str| overview.iter().find(|row| row[0] == method).unwrap()[1..].to_vec();
    assert_eq!(row("Oracle"), ["2 of 2", "1.00"].repeat(3));
    assert_eq!(row("Level"), ["0 of 2", "1.00"].repeat(3));
    assert_eq!(
        (&row("DTB")[..2], &row("DTB")[4..]),
        (&["–".to_owned(), "–".to_owned()][..], &["–".to_owned(), "–".to_owned()][..])
    );
    let errors = table(&page, "Error of the mean, and the share of the bias");
    assert!(
        errors[1][1].ends_with("(100 %)"),
        "the oracle's error is the same in every replicate: {errors:?}"
    );
    let scores = fs::read_to_string(dir.path("out/split-scores.csv")).unwrap();
    assert!(
        scores.starts_with("dataset,method,part,replicates,score,value,standard_error\n"),
        "{scores}"
    );
    let regions = fs::read_to_string(dir.path("out/split-regions.csv")).unwrap();
    assert_eq!(
        regions.lines().count(),
        1 + 2 * 4 * 16,
        "a row for each dataset, method and region"
    );
    for file in ["curves.svg", "skill.svg"] {
        assert!(dir.path("out").join(file).exists(), "{file}");
    }
}

#[test]
fn the_first_screen_tells_whose_variance_is_far_from_the_truth() {
    let dir = Dir::new();
    let told = |own: &str| -> (Option<Decomposed>, Vec<String>) {
        let own = format!("decomposition = true\nown = {{ method = [\"{own}\"] }}");
        dir.write(
            "split.toml",
            &in_every_profile(BENCHMARK.replace("decomposition = true", &own), 10),
        );
        dir.run("run split.toml").code(0);
        let report = fs::read_to_string(dir.path("out/split-report.json")).unwrap();
        let report: Value = serde_json::from_str(&report).unwrap();
        let all: Vec<Finding> = serde_json::from_value(report["findings"].clone()).unwrap();
        let found = all.into_iter().find_map(|finding| match finding {
            Finding::Decomposed(found) => Some(found),
            _ => None,
        });
        let index = fs::read_to_string(dir.path("out/site/index.html")).unwrap();
        (found, elements(&index, "section.findings li"))
    };
    // Ten small ensembles of trees state far less than the error of their mean; an oracle states
    // the truth.
    let ((of_trees, lines), (of_oracle, _)) = (told("dtb"), told("oracle"));
    let of_trees = of_trees.unwrap();
    assert_eq!((&*of_trees.dataset, &*of_trees.own), ("One", "DTB"));
    assert!((of_trees.level.exp() - 0.1361).abs() < 5e-5, "{of_trees:?}");
    let said = sentence(&Finding::Decomposed(of_trees)).what;
    let shown = lines.iter().find(|line| line.contains(&said));
    let shown = shown.unwrap_or_else(|| panic!("{said}: {lines:?}"));
    insta::assert_snapshot!(shape(shown), @"▼ against the benchmark's own method: none, Table # On One DTB states an epistemic variance that is #.# times the true one. # % interval #.# to #.# (# training sets). Of # stated variances, by method, dataset and part, # are significantly too small and # too large.");
    assert_eq!(of_oracle, None);
}
