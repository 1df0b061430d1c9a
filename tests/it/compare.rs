//! `uqbench compare`, on real data.

use std::fs;
use std::path::Path;

use uqbench_run::runner::record::{RESULT, ROWS, TrialRecord, TrialResult, unseal};
use uqbench_run::runner::store::Store;

use crate::command::{Dir, files};
use crate::pages::in_latex;
use crate::wording::{counts, headings, line, paragraph, shape};

/// Two trees and the anchors on four bundled datasets, one of them with a whole-numbered target.
const FIELD: &str = r#"
    id = "field"
    paper = "none"
    artefact = "Table 0"
    title = "A field of methods"
    protocol_source = "printed"
    protocol = { holdout = { test = { fraction = 0.1 } } }
    anchors = true
    datasets = [
      { key = "boston", heading = "Boston" }, { key = "yacht", heading = "Yacht" },
      { key = "wine-red", heading = "Wine" }, { key = "motorcycle-94", heading = "Motorcycle" },
    ]
    methods = [
      { id = "tree", parameters = { max_depth = 3 }, columns = [{ heading = "Shallow", labels = { method = "shallow" } }] },
      { id = "tree", parameters = { max_depth = 8 }, columns = [{ heading = "Deep", labels = { method = "deep" } }] },
      { id = "mock", parameters = { behaviour = "diverge" }, columns = [{ heading = "Mock", labels = { method = "mock" } }] },
    ]
    metrics = [{ id = "rmse", heading = "RMSE" }]
    [profiles.smoke]
    splits = 4
    [profiles.quick]
    splits = 4
    [profiles.full]
    splits = 4
"#;

fn field() -> Dir {
    let dir = Dir::new();
    dir.write("field.toml", FIELD);
    dir.run("run field.toml").code(0);
    dir
}

/// The method that the others are compared with.
fn reference(page: &str) -> &str {
    let line = line(page, &["Reference: "]);
    line.split("Reference: ").nth(1).unwrap().split('.').next().unwrap()
}

/// How many methods the title counts.
fn methods(page: &str) -> u64 {
    counts(page.lines().next().unwrap())[0]
}

fn text(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn all_methods_are_compared_in_every_format() {
    let dir = field();
    let printed =
        dir.run("compare --benchmarks field.toml --metrics rmse,crps,log-likelihood").code(0).out;
    let page = text(dir.path("out/comparison.md"));
    assert_eq!(printed, page);
    assert_eq!(methods(&page), 6);
    assert_eq!(reference(&page), "Unconditional Gaussian");
    insta::assert_snapshot!(headings(&page), @"
    # Comparison of 6 methods
    ## RMSE
    ## RMSE: skill against the anchors
    ## RMSE against Unconditional Gaussian
    ## RMSE: with the worst score for failed repetitions
    ## RMSE: mean ranks
    ## RMSE: signed-rank pairs
    ## CRPS
    ## CRPS: skill against the anchors
    ## More tables
    - [CRPS against Unconditional Gaussian
    - [CRPS: with the worst score for failed repetitions
    - [CRPS: mean ranks
    - [CRPS: signed-rank pairs
    - [Log-likelihood
    - [Log-likelihood against Unconditional Gaussian
    - [Log-likelihood: with the worst score for failed repetitions
    - [Log-likelihood: signed-rank pairs
    - [Datasets
    ");
    let against = paragraph(&page, &["RMSE ", "Unconditional Gaussian", "(on "]);
    assert!(against.contains("Linear Gaussian (on 3 of 4 "), "{against}");
    let first = paragraph(&page, &["RMSE: ", "mean rank"]);
    assert!(first.starts_with("RMSE: Shallow "), "{first}");
    let undefined = paragraph(&page, &["RMSE ", ": Mock."]);
    let discrete = paragraph(&page, &["Wine ", "Log-likelihood."]);
    let least = paragraph(&page, &["0.12", "10 pairs"]);
    let test = paragraph(&page, &["Nemenyi", "5 %", "N = ", "k = "]);
    let reading = page.trim_end().lines().rev().find(|line| line.contains("Skill: ")).unwrap();
    insta::assert_snapshot!(shape(against), @"RMSE against Unconditional Gaussian: significantly better: Linear Gaussian (on # of # datasets), Shallow (on # of # datasets) and Deep (on # of # datasets); equivalent: Unconditional quantiles (on # of # datasets).");
    insta::assert_snapshot!(shape(first), @"RMSE: Shallow has the best mean rank over # datasets (#.#); not significantly behind: Unconditional Gaussian, Deep and Linear Gaussian.");
    insta::assert_snapshot!(shape(undefined), @"RMSE is not defined or not given for: Mock. They are not ranked by it.");
    insta::assert_snapshot!(shape(discrete), @"The target of Wine is discrete and has no density: not ranked by Log-likelihood. The discretised log score can rank it.");
    insta::assert_snapshot!(shape(least), @"By the signed-rank test no difference between methods on # datasets can be significant at α = #.#: the p-value cannot fall below #.#, which Holm's correction for # pairs makes #; at least # datasets are needed.");
    insta::assert_snapshot!(shape(test), @r"Rank # is best; ties share their mean rank; N = # datasets (Boston; Yacht; Wine; Motorcycle), k = # methods. Friedman's χ², corrected for ties: #.# (p = #.#); Iman and Davenport's F: #.# (p \< #.#). Nemenyi's critical difference at # %: #.#. † # failed repetitions were dropped.");
    insta::assert_snapshot!(reading, @"How to read this. –: not defined or not run. Skill: 1 − mean loss / anchor's mean loss (Murphy 1988), for log scores the gain in nat; 0 is no better than the anchor.");
    // The failures of the mock are marked beside every table of means.
    let mock = page.lines().find(|line| line.starts_with("| Boston ")).unwrap();
    assert!(mock.contains("– †4"), "{mock}");
    let tex = text(dir.path("out/comparison.tex"));
    assert!(tex.contains("{pdf/comparison-rmse-ranks}"));
    assert!(in_latex(&dir.path("out"), "comparison").contains("\\toprule"));
    // A long page has its last tables in files.
    let tables = page.matches("\n## ").count() - page.matches("\n## More tables\n").count()
        + page.matches("](tables/").count();
    assert_eq!(tex.matches("\\input{tables/").count(), tables, "the same tables");
    let rows: serde_json::Value =
        serde_json::from_str(&text(dir.path("out/comparison.json"))).unwrap();
    let written = files(&dir.path("out"));
    for figure in ["comparison-rmse-ranks", "comparison-rmse-gains", "comparison-crps-ranks"] {
        assert!(
            written.contains_key(&format!("{figure}.svg"))
                && !written.contains_key(&format!("{figure}.png"))
        );
    }

    // Every mean is that of the report.
    dir.run("report field.toml").code(0);
    let mut report = csv::Reader::from_path(dir.path("out/field.csv")).unwrap();
    let mut found = 0;
    for row in report.records().map(Result::unwrap).filter(|row| !row[7].is_empty()) {
        let heading = match &row[2] {
            "shallow" => "Shallow",
            "deep" => "Deep",
            "unconditional-gaussian" => "Unconditional Gaussian",
            _ => continue,
        };
        let same = |r: &&serde_json::Value| {
            r["metric"] == "rmse" && r["dataset"] == row[0] && r["method"] == heading
        };
        let ours = rows.as_array().unwrap().iter().find(same).unwrap()["mean"].as_f64().unwrap();
        assert!((ours - row[7].parse::<f64>().unwrap()).abs() < 1e-12 * ours);
        found += 1;
    }
    assert_eq!(found, 12);
}

#[test]
fn two_methods_are_compared_against_the_first() {
    let dir = field();
    let page = dir.run("compare shallow deep --benchmarks field.toml --metrics rmse").code(0).out;
    insta::assert_snapshot!(headings(&page), @"
    # Comparison of Shallow and Deep
    ## RMSE
    ## RMSE: skill against the anchors
    ## RMSE against Shallow
    ## RMSE: signed-rank pairs
    ## Datasets
    ");
    let title = page.lines().next().unwrap();
    assert!(title.find("Shallow") < title.find("Deep"), "{title}");
    assert_eq!(reference(&page), "Shallow");
    assert!(!page.contains("Nemenyi"), "two methods have no table of mean ranks: {page}");
    let again = dir.run("compare deep shallow --benchmarks field.toml --metrics rmse").code(0).out;
    let gain = |page: &str| {
        let table = page.split("## RMSE against").nth(1).unwrap();
        let row = table.lines().find(|line| line.starts_with("| Boston ")).unwrap();
        row.split('|').nth(4).unwrap().trim().parse::<f64>().unwrap()
    };
    assert_eq!(gain(&page), -gain(&again), "gains are antisymmetric");
}

#[test]
fn failures_count_as_the_rule_says_and_are_marked() {
    let dir = field();
    let mean = |rule: &str| {
        let words =
            format!("compare shallow mock --benchmarks field.toml --metrics rmse --impute {rule}");
        let page = dir.run(&words).code(0).out;
        let row = page.lines().find(|line| line.starts_with("| Boston ")).unwrap().to_owned();
        let cell = |index: usize| row.split('|').nth(index).unwrap().trim().to_owned();
        (cell(2), cell(3), page)
    };
    let (shallow, mock, _) = mean("drop");
    assert_eq!(mock, "– †4");
    let (_, worst, page) = mean("worst");
    assert!(
        worst.ends_with(" ¶4") && worst != format!("{shallow} ¶4"),
        "the worst of all, compared or not: {worst}"
    );
    insta::assert_snapshot!(paragraph(&page, &["¶k: "]), @"Mean ± standard deviation over repetitions (n of N where some have no score); better: lower. ¶k: k failed repetitions have the worst score of any method on the same split; †k: k failed repetitions were dropped.");
    assert!(page.contains("none: mostly imputed"), "imputed scores decide nothing: {page}");
    insta::assert_snapshot!(shape(paragraph(&page, &["¶ 16 "])), @"Share of the anchor's mean loss that the method saves, or gain in nat, over the splits that both have (n of N where others have more). ¶ # failed repetitions were imputed.");
    let (_, anchor, page) = mean("linear-gaussian");
    assert!(anchor.ends_with(" ¶4") && anchor != worst, "{anchor}");
    insta::assert_snapshot!(paragraph(&page, &["Reference: ", "linear-gaussian"]), @"Reference: Shallow. A gain is positive where a method is better than the reference. Failed repetitions: given the score of linear-gaussian where it has one, else dropped.");
}

#[test]
fn metrics_of_one_name_keep_their_own_figures() {
    let dir = field();
    dir.run(
        "compare shallow deep --benchmarks field.toml --metrics \
         pinball(level=0.1),pinball(level=0.9),pinball(level=0.9)",
    )
    .code(0);
    let page = text(dir.path("out/comparison.md"));
    for file in ["comparison-pinball-level-0-1-gains.svg", "comparison-pinball-level-0-9-gains.svg"]
    {
        assert_eq!(page.matches(&format!("({file})")).count(), 1, "{file}: {page}");
        assert!(dir.path("out").join(file).exists());
    }
}

#[test]
fn columns_of_one_heading_but_other_parameters_are_two_methods() {
    let dir = field();
    let other =
        FIELD.replace("id = \"field\"", "id = \"other\"").replace("max_depth = 3", "max_depth = 1");
    dir.write("other.toml", &other);
    dir.run("run other.toml").code(0);
    let page = dir.run("compare --benchmarks field.toml,other.toml --metrics rmse").code(0).out;
    assert!(methods(&page) == 7 && page.contains("Shallow (other)"), "{page}");
}

#[test]
fn rows_of_one_column_are_one_method_and_headings_of_the_same_fits_too() {
    let dir = Dir::new();
    let shallow = r#"{ id = "tree", parameters = { max_depth = 3 }, columns"#;
    let here = |depth: u8, datasets: &str| {
        let shallow = shallow
            .replace('3', &depth.to_string())
            .replace(", columns", &format!(", datasets = [{datasets}], columns"));
        format!(
            "{shallow} = [{{ heading = \"Shallow\", labels = {{ method = \"shallow\" }} }}] }},"
        )
    };
    let rows = here(3, "\"boston\", \"wine-red\", \"motorcycle-94\"") + &here(1, "\"yacht\"");
    let whole = format!(
        "{shallow} = [{{ heading = \"Shallow\", labels = {{ method = \"shallow\" }} }}] }},"
    );
    assert!(FIELD.contains(&whole), "the field has changed");
    dir.write("field.toml", &FIELD.replace(&whole, &rows));
    let other = FIELD
        .replace("id = \"field\"", "id = \"other\"")
        .replace("\"Shallow\"", "\"Three levels\"");
    dir.write("other.toml", &other);
    dir.run("run field.toml other.toml").code(0);
    let page = dir.run("compare --benchmarks field.toml,other.toml --metrics rmse").code(0).out;
    assert_eq!(methods(&page), 6, "{page}");
    insta::assert_snapshot!(paragraph(&page, &["Yacht: ", "Three levels", " other"]), @"Yacht: Three levels of other has other settings than the column of this name that is compared here.");
}

#[test]
fn no_interval_is_given_where_splits_are_not_random() {
    let dir = Dir::new();
    let gap = FIELD
        .replace(
            "{ holdout = { test = { fraction = 0.1 } } }",
            "{ gap = { feature = \"alcohol\", share = 0.2 } }",
        )
        .replace(
            "{ key = \"boston\", heading = \"Boston\" }, { key = \"yacht\", heading = \"Yacht\" },",
            "",
        )
        .replace("{ key = \"motorcycle-94\", heading = \"Motorcycle\" },", "");
    dir.write("field.toml", &gap);
    dir.run("run field.toml").code(0);
    let page = dir.run("compare shallow deep --benchmarks field.toml --metrics rmse").code(0).out;
    assert!(
        page.contains("none: splits not random")
            && page.contains("| gap feature alcohol, share 0.2 |"),
        "{page}"
    );
}

#[test]
fn a_method_that_is_named_alone_is_compared_with_all_others() {
    let dir = field();
    let compared = |words: &str| {
        let words = format!("compare {words} --benchmarks field.toml --metrics rmse");
        dir.run(&words).code(0).out
    };
    let alone = compared("shallow");
    assert_eq!(reference(&alone), "Shallow");
    assert_eq!(methods(&alone), methods(&compared("")), "as many as without a name");
}

#[test]
fn invalid_comparisons_are_refused_with_a_reason() {
    let dir = field();
    let of = |words: &str| dir.run(&format!("compare {words} --benchmarks field.toml"));
    of("shalow deep").code(2).says("did you mean `Shallow`?");
    of("tree deep").code(2).says("no method `tree`"); // two columns are trees
    of("deep deep").code(1).says("named twice");
    of("deep shallow --impute nobody").code(2).says("no method `nobody`");
    of("deep store").code(2).says("is a store");
    of("deep shallow --metrics rmsee").code(2).says("did you mean `rmse`?");
    of("deep shallow --metrics ,").code(2).says("at least one metric");
    of("deep shallow --rope 2").code(2).says("below 1");
    of("deep shallow --store nowhere").code(1).says("not a store");
}

/// Copies a store with the trials of `Shallow` as if an earlier version of `Deep` had given them.
fn earlier_version(dir: &Dir, from: &str, to: &str) {
    let (old, new) =
        (Store::open(dir.path(to)).unwrap(), Store::open_existing(dir.path(from)).unwrap());
    let all: Vec<TrialResult> = new
        .keys()
        .unwrap()
        .iter()
        .map(|key| unseal(&fs::read(new.folder(key).join(RESULT)).unwrap()).unwrap())
        .filter(|result: &TrialResult| !result.files.is_empty())
        .collect();
    let depth = |result: &TrialResult| result.spec.parameters["max_depth"].as_u64();
    for result in &all {
        let give = |result: &TrialResult, rows_of: &TrialResult| {
            let mut spec = result.spec.clone();
            spec.method_version = 0;
            let rows = new.file(rows_of, ROWS).unwrap();
            let (layout, files) = (rows_of.layout.clone(), rows_of.files.clone());
            let provenance = new.provenance(&result.key).unwrap().unwrap();
            let result = TrialResult { key: spec.key(), spec, layout, files, ..result.clone() };
            old.keep(&TrialRecord { result, files: [(ROWS.to_owned(), rows)].into(), provenance })
                .unwrap();
        };
        let place = |other: &TrialResult| (other.spec.dataset.clone(), other.spec.split);
        match depth(result) {
            Some(8) => {
                let shallow =
                    all.iter().find(|o| depth(o) == Some(3) && place(o) == place(result)).unwrap();
                if !result.files.contains_key("artefacts.json")
                    && !shallow.files.contains_key("artefacts.json")
                {
                    give(result, shallow);
                }
            }
            _ if !result.files.contains_key("artefacts.json") => give(result, result),
            _ => {}
        }
    }
}

#[test]
fn two_stores_are_compared_whatever_the_versions_of_their_methods() {
    let dir = field();
    earlier_version(&dir, "store", "older");
    let page = dir.run("compare older store --benchmarks field.toml --metrics rmse").code(0).out;
    let title = page.lines().next().unwrap();
    assert!(title.find("older") < title.rfind("store"), "{title}");
    insta::assert_snapshot!(title, @"# Comparison of two stores: older and store");
    let summary = page.lines().find(|line| line.starts_with("| RMSE ")).unwrap();
    let counts: Vec<usize> =
        summary.split('|').filter_map(|cell| cell.trim().parse().ok()).collect();
    assert_eq!(counts.len(), 8, "{summary}");
    assert_eq!(counts[7], 12, "all but the deep tree are the same on three datasets: {summary}");
    assert_eq!(counts.iter().sum::<usize>(), 15, "{summary}");
    insta::assert_snapshot!(headings(&page), @"
    # Comparison of two stores: older and store
    ## Summary
    ## Versions
    ## What differs
    ");
    let changed = page.split("## What differs").nth(1).unwrap();
    assert_eq!(changed.lines().filter(|line| line.contains("| Deep ")).count(), 3, "{changed}");
    assert!(dir.path("out/stores.tex").exists() && dir.path("out/stores-gains.svg").exists());
    // A store is not compared with itself, but with a copy of it.
    dir.run("compare store store --benchmarks field.toml --metrics rmse").code(1);
    fs::create_dir(dir.path("copies")).unwrap();
    dir.run("store merge store --into copies/store").code(0);
    let same =
        dir.run("compare store copies/store --benchmarks field.toml --metrics rmse").code(0).out;
    insta::assert_snapshot!(same.lines().next().unwrap(), @"# Comparison of two stores: store (first) and store (second)");
    assert!(!same.contains("## What differs"), "{same}");
    drop(Store::open(dir.path("empty")).unwrap());
    dir.run("compare empty store").code(1).says("no finished trial of the same experiment");
}

#[test]
fn a_pack_compares_as_its_store() {
    let dir = field();
    dir.run("store pack store field.pack field.toml").code(0);
    let compared = |from: &str, out: &str| {
        let words = format!(
            "compare --benchmarks field.toml --metrics rmse,crps,log-likelihood --from {from} \
             --out {out}"
        );
        dir.run(&words).code(0).out
    };
    assert_eq!(compared("field.pack", "packed"), compared("store", "stored"));
    assert!(files(&dir.path("packed")) == files(&dir.path("stored")));
}

#[test]
fn a_comparison_counts_the_files_that_it_writes_and_names_a_page_that_is_there() {
    let dir = Dir::new();
    dir.run("run dtb-table-1 --profile smoke --datasets california --splits 3").code(0);
    let compare = "compare --profile smoke --benchmarks dtb-table-1 --metrics crps --out";
    for (out, formats, page) in [
        ("all", "", Some("site/comparison.html")),
        ("text", "--formats md,csv", Some("comparison.md")),
        ("table", "--formats csv", None),
    ] {
        let ended = dir.run(&format!("{compare} {out} {formats}")).code(0);
        let told = ended.err.lines().last().unwrap();
        let count = files(&dir.path(out)).len() as u64;
        assert!(counts(told)[0] == count && told.contains(out), "{count} files: {told}");
        assert_eq!(told.contains("file://"), page.is_some(), "{told}");
        let page = page.map(|page| format!("{out}/{page}"));
        assert!(
            page.is_none_or(|page| told.ends_with(&page) && dir.path(&page).exists()),
            "{told}"
        );
    }
    let report = "report dtb-table-1 --profile smoke --datasets california --splits 3 --formats \
                  csv --out tables";
    assert!(dir.run(report).err.lines().last().unwrap().contains("/tables ("));
}

#[test]
fn a_comparison_says_what_the_crps_is_made_of_where_it_is_asked() {
    let dir = field();
    let page = dir
        .run("compare Shallow Deep --benchmarks field.toml --metrics crps --decompose")
        .code(0)
        .out;
    let first = page.lines().find(|line| line.starts_with("## ")).unwrap();
    assert_eq!(first, "## What the CRPS is made of");
    let mut numbers = csv::Reader::from_path(dir.path("out/comparison.csv")).unwrap();
    let mut mean = std::collections::BTreeMap::new();
    for row in numbers.records().map(Result::unwrap) {
        let key = [&row[0], &row[1], &row[2]].map(str::to_owned);
        mean.insert(key, row[4].parse::<f64>().unwrap());
    }
    let mut checked = 0;
    for dataset in ["boston", "yacht", "wine-red", "motorcycle-94"] {
        for method in ["Shallow", "Deep"] {
            let of = |metric: &str| mean[&[metric, dataset, method].map(str::to_owned)];
            let part = |part: &str| of(&format!("crps-part(part={part})"));
            let sum = part("miscalibration") - part("discrimination") + part("uncertainty");
            assert!((sum - of("crps")).abs() < 1e-12, "{dataset} {method}");
            // A tree predicts points: what is drawn from a point is the point, and all are comparable.
            assert_eq!((part("calibrated"), part("comparable")), (0.0, 1.0));
            checked += 1;
        }
    }
    assert_eq!(checked, 8);
    let page = dir.run("compare Shallow Deep --benchmarks field.toml --metrics crps").code(0).out;
    assert!(!page.contains("made of"));
}
