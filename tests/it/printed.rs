//! Check how printed columns without a method are shown.

use std::fs;

use serde_json::Value;

use super::command::{Dir, files};
use super::mocks;
use super::wording::{paragraph, shape};

/// Mocks in the place of two printed columns of a shipped table.
fn table(printed_columns: &str, rest: &str) -> String {
    let labels = |method: &str| {
        format!("{{ method = \"{method}\", trees = \"weak\", uq_set = \"separate\" }}")
    };
    let mut text = mocks::benchmark(&mocks::answering(1, 0), 2);
    text = text.replace("heading = \"Data\"", "printed = \"california\", heading = \"Data\"");
    text = text
        .replace("id = \"rmse\", heading", "id = \"rmse\", published = \"overall_mse\", heading");
    text = text.replace("{ mock = \"answer 0\" }", &labels("dt"));
    let rest_of_labels = |method: &str| labels(method).trim_start_matches('{').to_owned();
    let number = |method: &str, value: &str| {
        format!(
            "  {{ dataset = \"california\", metric = \"overall_mse\", value = \"{value}\", count = \
             20,{},\n",
            rest_of_labels(method)
        )
    };
    let published = number("dt", "0.59") + &number("uniform", "0.54");
    text = text.replace(
        "[[methods]]",
        &format!("published = [\n{published}]\n{printed_columns}\n[[methods]]"),
    );
    (text + rest).replace("UNIFORM", &labels("uniform")).replace("DT", &labels("dt"))
}

const COLUMN: &str = "printed_columns = [{ heading = \"Uniform\", labels = UNIFORM }]";

/// The page with each run of blanks made one.
fn page(dir: &Dir, name: &str) -> String {
    dir.page(&format!("out/{name}.md"))
}

/// The benchmark's report as data.
fn report(dir: &Dir, name: &str) -> Value {
    let text = fs::read_to_string(dir.path(&format!("out/{name}-report.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The first line of a page that starts so.
fn line<'a>(page: &'a str, start: &str) -> &'a str {
    page.lines()
        .find(|line| line.starts_with(start))
        .unwrap_or_else(|| panic!("no line starts with {start}: {page}"))
}

#[test]
fn a_column_without_a_method_shows_its_printed_number_and_is_not_run() {
    let dir = Dir::new();
    let claim = "[[claims]]\nid = \"better\"\ntext = \"Better.\"\nstatement = { kind = \"better\", \
                 metric = \"rmse\", test = UNIFORM, references = [DT], quantifier = \"all\" }\n";
    dir.write("mocks.toml", &table(COLUMN, claim));
    dir.run("run mocks.toml").code(0);
    let page = page(&dir, "mocks");
    assert!(
        line(&page, "| Dataset | Uniform ").contains("| answer 0 "),
        "printed columns come first: {page}"
    );
    let row = line(&page, "| Data ");
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    assert_eq!(cells[2], "– (0.54)");
    assert!(cells[3].ends_with("(0.59)") && cells[3].contains('±'), "{row}");
    insta::assert_snapshot!(paragraph(&page, &["Mean ± ", ","]), @"Mean ± standard deviation over 2 repetitions; printed number in brackets, alone where the benchmark file has no method for it.");
    // The other metric has no printed numbers, so no such column either.
    assert!(
        !page.split("CRPS").nth(1).unwrap().lines().nth(2).unwrap().contains("Uniform"),
        "{page}"
    );
    let verdict = page
        .lines()
        .find(|line| line.contains("| Uniform ") && line.contains("printed only"))
        .unwrap();
    assert!(verdict.contains("| 0.54 ") && verdict.contains("not run (printed only)"), "{verdict}");
    // Printed 0.54 against 0.59; nothing to compare on our runs.
    let report = report(&dir, "mocks");
    let claim = &report["card"]["claims"][0];
    assert_eq!((&claim["ours"], &claim["printed"]), (&"undecided".into(), &"holds".into()));
    let shown = page.lines().skip_while(|line| !line.starts_with("- **better**")).take(3);
    let shown = shown.skip(1).map(str::trim).collect::<Vec<_>>().join("\n");
    assert!(shown.contains("1 of 1 ") && shown.contains("1 not run"), "{shown}");
    insta::assert_snapshot!(shown, @"
    - our runs: **undecided**; printed numbers: **holds**
    - no repetition has every number that it needs: none of 1 comparisons has a number, 1 not run; the claim needs 1; by the printed numbers better in 1 of 1 comparisons; the claim needs 1
    ");
    let csv = fs::read_to_string(dir.path("out/mocks.csv")).unwrap();
    let row = csv.lines().find(|line| line.contains("printed only")).unwrap();
    assert!(row.starts_with("motorcycle-94,,") && row.contains(",rmse,0.54,"), "{row}");
}

#[test]
fn a_printed_number_can_be_excluded_without_a_method() {
    let dir = Dir::new();
    let excluded = "[[excluded]]\ndataset = \"california\"\nmetric = \"overall_mse\"\nlabels = \
                    UNIFORM\n\
                    verdict = \"implausible\"\nreason = \"Nothing comes near it.\"\n";
    dir.write("mocks.toml", &table(COLUMN, excluded));
    dir.run("run mocks.toml").code(0);
    let page = page(&dir, "mocks");
    let verdict =
        page.lines().find(|line| line.contains("| Uniform ") && line.contains("| 0.54 ")).unwrap();
    assert!(verdict.contains("implausible"), "{verdict}");
}

/// A benchmark of two methods on one dataset in the place of printed columns, of which the second
/// is the paper's own, with ten splits.
fn judged(dataset: &str, printed: &[&str], metrics: &str, methods: [(&str, &str); 2]) -> String {
    let text = format!(
        "id = \"judged\"\npaper = \"none\"\nartefact = \"Table 0\"\ntitle = \"Judged\"\n\
         protocol_source = \"printed\"\nprotocol = {{ holdout = {{ test = {{ fraction = 0.2 }} }} \
         }}\n\
         {}own = {{ method = [\"{}\"] }}\ndatasets = [{dataset}]\n\
         metrics = [{metrics}]\n",
        mocks::printed(printed),
        methods[1].1
    );
    let row = |(id, label): (&str, &str)| {
        format!(
            "[[methods]]\nid = \"{id}\"\ncolumns = [{{ heading = \"{label}\", labels = {{ method = \
             \"{label}\" }} }}]\n"
        )
    };
    mocks::in_every_profile(text + &methods.map(row).concat(), 10)
}

/// The verdict on a column's number under the metric with this heading.
fn verdict(page: &str, column: &str, metric: &str) -> String {
    let row =
        page.lines().find(|line| line.starts_with(&format!("| Data | {column} | {metric} |")));
    row.unwrap().trim_end_matches([' ', '|']).rsplit('|').next().unwrap().trim().to_owned()
}

#[test]
fn a_width_of_nothing_is_not_better_than_a_printed_width() {
    let dir = Dir::new();
    let metrics = "{ id = \"mpiw-range(level=0.95)\", published = \"mpiw\", heading = \"Width\" }, \
                   { id = \"picp(level=0.95)\", published = \"picp\", heading = \"Coverage\" }";
    let dataset = "{ key = \"motorcycle-94\", printed = \"boston\", heading = \"Data\" }";
    // The mock predicts the mean alone: its intervals have the width 0 and cover nothing, where
    // 0.93 and 0.94 are printed. Those of a line through the motorcycle data are wider than the
    // printed 0.28, whose printed coverage is 0.94.
    let methods = [("mock", "quantile-forest"), ("linear-gaussian", "jcm-ls")];
    let printed = [
        "boston,quantile-forest,picp,0.94,0.02",
        "boston,quantile-forest,mpiw,0.93,0.00",
        "boston,jcm-ls,picp,0.94,0.04",
        "boston,jcm-ls,mpiw,0.28,0.03",
    ];
    dir.write("judged.toml", &judged(dataset, &printed, metrics, methods));
    dir.run("run judged.toml --profile full").code(0);
    let page = page(&dir, "judged");
    let of = |column, metric| verdict(&page, column, metric);
    assert_eq!(of("quantile-forest", "Width"), "differs");
    assert_eq!(of("quantile-forest", "Coverage"), "differs (worse)");
    assert_eq!(of("jcm-ls", "Width"), "differs (worse)");
    let why = paragraph(&page, &["“differs”", "Data, quantile-forest, Width (", "0.000"]);
    insta::assert_snapshot!(shape(why), @"Printed: the spread is a standard deviation (sd) or a standard error (se); one of unsaid kind is not used, and ours stands for it. h: half width of the # % interval of the difference, with half a printed digit; δ: tolerance. docs/understand/verdicts.md of uqbench says how to read a verdict. Neither number is better where the verdict is “differs”: Data, quantile-forest, Width (our narrower # % intervals have coverage #.#).");
    assert!(!page.contains(uqbench_report::words::remarks::WEAK), "{page}");
    assert_eq!(report(&dir, "judged")["card"]["judged"], 4);
    insta::assert_snapshot!(shape(paragraph(&page, &[" of 4 "])), @"# of # judged numbers agree with ours (reproduced or close), and # differ; for # the spreads are too large to tell (compatible or inconclusive). If the printed numbers of each row were shuffled among its columns, #.# would agree by chance.");
}

#[test]
fn a_log_density_of_whole_numbers_is_neither_better_nor_worse() {
    let dir = Dir::new();
    let metrics =
        "{ id = \"log-likelihood\", published = \"log_likelihood\", heading = \"Score\" }";
    let dataset = "{ key = \"wine-red\", heading = \"Data\" }";
    let methods = [("unconditional-gaussian", "sgp"), ("linear-gaussian", "jcm")];
    let printed =
        ["wine-red,sgp,log_likelihood,-0.93,0.01", "wine-red,jcm,log_likelihood,1.71,0.95"];
    dir.write("judged.toml", &judged(dataset, &printed, metrics, methods));
    dir.run("run judged.toml --profile full").code(0);
    let page = page(&dir, "judged");
    // Printed: −0.93 and 1.71. Ours are about −1.22, a constant normal density, and −1.00.
    assert_eq!(verdict(&page, "sgp", "Score"), "differs");
    assert_eq!(verdict(&page, "jcm", "Score"), "differs");
}

/// A number with which agreement would say nothing is shown, with the reason, and not counted.
#[test]
fn a_number_that_is_not_judged_is_shown_with_the_reason_and_not_counted() {
    let dir = Dir::new();
    let metrics = "{ id = \"rmse\", published = \"rmse\", heading = \"RMSE\" }";
    let dataset = "{ key = \"motorcycle-94\", heading = \"Data\" }";
    let methods = [("unconditional-gaussian", "sgp"), ("linear-gaussian", "jcm")];
    let printed = ["motorcycle-94,sgp,rmse,48.0,5.0", "motorcycle-94,jcm,rmse,46.0,5.0"];
    let text = judged(dataset, &printed, metrics, methods);
    let unjudged = "[[unjudged]]\nmetrics = [\"rmse\"]\nlabels = { method = \"sgp\" }\nreason = \
                    \"of other rows than ours\"\n[profiles";
    dir.write("judged.toml", &text.replacen("[profiles", unjudged, 1));
    dir.run("run judged.toml --profile full").code(0);
    let page = page(&dir, "judged");
    assert_eq!(verdict(&page, "sgp", "RMSE"), "not judged");
    assert_ne!(verdict(&page, "jcm", "RMSE"), "not judged");
    assert!(page.contains("(48.0) ◇") && page.contains("◇ not judged"), "{page}");
    let why = paragraph(&page, &["- sgp; RMSE", "other rows"]);
    assert_eq!(why, "- sgp; RMSE: of other rows than ours.");
    assert_eq!(report(&dir, "judged")["card"]["judged"], 1);
    let wrong = unjudged.replace("sgp", "gps");
    dir.write("judged.toml", &text.replacen("[profiles", &wrong, 1));
    let told = dir.run("run judged.toml --profile full").code(1).err;
    assert!(told.contains("unjudged: no printed number has this dataset, metric"), "{told}");
}

/// Where the authors' score of each split is printed and the splits are ours, what a split is like
/// plays no part in the verdict.
#[test]
fn scores_of_the_same_splits_are_paired_in_the_verdict() {
    let dir = Dir::new();
    let text = |printed: &str| {
        let head = mocks::benchmark(&[], 12);
        let head = &head[..head.find("[profiles").unwrap()];
        let head = head.replace("{ id = \"rmse\",", "{ id = \"rmse\", published = \"rmse\",");
        let method = "[[methods]]\nid = \"linear-gaussian\"\ncolumns = [{ heading = \"Linear\", \
                      labels = { method = \"linear\" } }]\n";
        mocks::in_every_profile(format!("{printed}{head}{method}"), 12)
    };
    dir.write("own.toml", &text(""));
    dir.run("run own.toml --profile full").code(0);
    let scores = report(&dir, "mocks")["scores"][0]["repetitions"].clone();
    let scores: Vec<f64> = serde_json::from_value(scores).unwrap();
    assert_eq!(scores.len(), 12);
    // Theirs are 1 % larger and smaller in turn.
    let theirs: Vec<f64> = (0..).zip(&scores).map(|(i, s)| s * [0.99, 1.01][i % 2]).collect();
    let mean = theirs.iter().sum::<f64>() / 12.0;
    let splits: Vec<String> = theirs.iter().map(f64::to_string).collect();
    let number = format!("{mean:.2},0.1,{}", splits.join(" "));
    dir.write(
        "printed.csv",
        &format!(
            "# spread_kind = se\n# count = 12\ndataset,method,metric,value,spread,splits\n\
             motorcycle-94,linear,rmse,{number}\n"
        ),
    );
    let verdict = |key: &str| {
        dir.write("own.toml", &text(&format!("published = \"printed.csv\"\n{key}")));
        dir.run("report own.toml --profile full").code(0);
        let found = report(&dir, "mocks");
        let number = &found["card"]["numbers"][0];
        (number["verdict"].as_str().unwrap().to_owned(), number["half_width"].as_f64().unwrap())
    };
    let ((_, alone), (word, paired)) = (verdict(""), verdict("same_splits = true\n"));
    assert_eq!(word, "reproduced");
    assert!(paired < alone / 3.0, "{paired} {alone}");
    let page = page(&dir, "mocks");
    assert!(page.contains("Where the authors published their score of each split"), "{page}");
    let says = |bytes: &Vec<u8>| {
        String::from_utf8_lossy(bytes).contains("paired with the authors' score of each split")
    };
    assert!(files(&dir.path("out")).values().any(says), "the note of the number says so");
}
