//! Check how baselines are judged by their own papers, and ranked, on artificial scores of
//! `baselines-standard`.

use std::collections::BTreeMap;
use std::fs;

use ndarray::Array1;
use serde_json::Value;
use uq_core::predictive::{Form, Gaussian, Predictive};
use uq_methods::Reading;
use uqbench_judge::judgement::findings::{Finding, Ranked, Unfaithful};
use uqbench_report::words::findings::sentence;
use uqbench_run::benchmark::{Benchmark, Profile, find};
use uqbench_run::protocols::Observed;
use uqbench_run::runner::layout::{self, Layout};
use uqbench_run::runner::outcome::Outcome;
use uqbench_run::runner::plan::{Experiment, Filter, plan};
use uqbench_run::runner::record::{FileStamp, Provenance, ROWS, TrialRecord, TrialResult};
use uqbench_run::runner::store::Store;

use super::command::Dir;
use super::wording::{element, elements, paragraph};

const BENCHMARK: &str = "baselines-standard";
/// Heading of the table of numbers.
const NUMBERS: &str = "Baselines beside their own papers";
/// The experiment that is named for the numbers of 2018.
const TEN: &str = "variant “program of 2016, ten times the epochs”";
const DATASETS: [&str; 3] = ["boston", "yacht", "concrete"];

/// Number of artificial test rows, and of training rows.
const ROWS_OF: (usize, usize) = (20, 180);

/// A repetition whose test rows all miss their target, 0, by `rmse`, with this as the standard
/// deviation too.
fn observed(rmse: f64) -> Observed {
    let (rows, train_rows) = ROWS_OF;
    let form = Form::Gaussian(Gaussian {
        mean: Array1::from_elem(rows, rmse),
        variance: Array1::from_elem(rows, rmse * rmse),
    });
    Observed {
        x: None,
        y: Array1::zeros(rows),
        facts: Default::default(),
        readings: ["main", "normal"]
            .map(|name| (Reading::new(name), Predictive::new(form.clone())))
            .into(),
        side_tables: Vec::new(),
        parts: Vec::new(),
        train_rows,
        target_range: Some((-100.0, 100.0)),
        target_resolution: None,
        fit_time: Default::default(),
        fit_cpu: None,
        steps_cpu: None,
        predict_time: Default::default(),
        predict_cpu: None,
        interval_cpu: BTreeMap::new(),
    }
}

/// A repetition with this RMSE, or one that the method refused.
fn record(experiment: &Experiment, split: u64, rmse: Option<f64>) -> TrialRecord {
    let (spec, key) = (experiment.spec(split), experiment.key(split));
    let (outcome, layout, files) = match rmse {
        Some(rmse) => {
            let (layout, rows) = layout::encode(&observed(rmse)).unwrap();
            (Outcome::Ok, layout, BTreeMap::from([(ROWS.to_owned(), rows)]))
        }
        None => (Outcome::Unsupported("too many rows".into()), Layout::default(), BTreeMap::new()),
    };
    let result = TrialResult {
        key,
        spec,
        outcome,
        train_rows: ROWS_OF.1,
        test_rows: ROWS_OF.0,
        target_range: Some((-100.0, 100.0)),
        target_resolution: None,
        layout,
        files: files.iter().map(|(name, bytes)| (name.clone(), FileStamp::of(bytes))).collect(),
    };
    TrialRecord { result, files, provenance: Provenance::default() }
}

/// The authors' RMSE of each split, for a column with published ones; the printed RMSE elsewhere.
fn printed(benchmark: &Benchmark, experiment: &Experiment, split: u64) -> f64 {
    let (published, dataset) = (&benchmark.printed, &benchmark.datasets[experiment.dataset]);
    let cell = published.cell(dataset.printed_name(), "rmse", &experiment.method.columns[0].labels);
    let Some(cell) = cell else { return 5.0 };
    cell.splits.get(split as usize).copied().unwrap_or_else(|| cell.number().unwrap())
}

/// Whether an experiment is of this method, in its variant or not.
fn is_of(experiment: &Experiment, id: &str, variant: bool) -> bool {
    experiment.method.id == id && experiment.method.variant.is_some() == variant
}

/// Stores artificial trials of these methods, and returns the folder and the page, with each run of
/// blanks made one.
fn reported(
    methods: &str,
    rmse: impl Fn(&Benchmark, &Experiment, u64) -> Option<f64>,
) -> (Dir, String) {
    let (dir, benchmark) = (Dir::new(), find(BENCHMARK).unwrap());
    let filter = Filter {
        datasets: DATASETS.map(String::from).to_vec(),
        methods: methods.split(',').map(String::from).collect(),
        splits: None,
    };
    let plans = plan(std::slice::from_ref(&benchmark), Profile::Full, &filter).unwrap();
    let store = Store::open(dir.path("store")).unwrap();
    // The row of the mixture has the trials of the ensemble's own row.
    let own =
        |experiment: &&Experiment| experiment.method.variant.as_deref() != Some("its mixture");
    for experiment in plans[0].experiments.iter().filter(own) {
        for split in 0..experiment.splits {
            store.keep(&record(experiment, split, rmse(&benchmark, experiment, split))).unwrap();
        }
    }
    drop(store);
    let chosen = format!("--profile full --datasets {} --methods {methods}", DATASETS.join(","));
    dir.run(&format!("report {BENCHMARK} {chosen}")).code(0);
    let page = text(&dir, BENCHMARK);
    (dir, page)
}

fn text(dir: &Dir, name: &str) -> String {
    let page = fs::read_to_string(dir.path(&format!("out/{name}.md"))).unwrap();
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let page = page.lines().map(words).collect::<Vec<_>>().join("\n");
    // A long page has its largest tables as files.
    let link = page.split(&format!("[{NUMBERS}](")).nth(1).and_then(|rest| rest.split(')').next());
    let Some(file) = link.filter(|_| !page.contains(&format!("## {NUMBERS}\n"))) else {
        return page;
    };
    let mut rows = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_path(dir.path(&format!("out/{file}")))
        .unwrap();
    let mut lines: Vec<String> = rows
        .records()
        .map(|row| format!("| {} |", row.unwrap().iter().collect::<Vec<_>>().join(" | ")))
        .collect();
    lines.insert(1, "| --- |".into());
    format!("{page}\n\n## {NUMBERS}\n\n{}\n", lines.join("\n"))
}

/// The table under a heading.
fn table<'a>(page: &'a str, heading: &str) -> Vec<Vec<&'a str>> {
    let after = page
        .split(&format!("## {heading}\n"))
        .nth(1)
        .unwrap_or_else(|| panic!("no {heading}: {page}"));
    let lines = after
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'));
    lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// Column `wanted` of the lines of the table of numbers that start so.
fn of_lines<'a>(page: &'a str, start: &[&str], wanted: &str) -> Vec<&'a str> {
    let all = table(page, NUMBERS);
    let place = all[0].iter().position(|head| *head == wanted).unwrap();
    all[2..].iter().filter(|line| line.starts_with(start)).map(|line| line[place]).collect()
}

#[test]
fn scores_are_paired_where_they_have_the_order_of_the_authors() {
    let (_dir, page) = reported("mc-dropout", |benchmark, experiment, split| {
        let rmse = |split: u64| printed(benchmark, experiment, split);
        // The variant has the splits in the opposite order on Concrete.
        let reversed = is_of(experiment, "mc-dropout", true)
            && benchmark.datasets[experiment.dataset].key == "concrete";
        Some(1.01 * rmse(if reversed { experiment.splits - 1 - split } else { split }))
    });
    let orders = table(&page, "Order of the splits");
    assert_eq!(orders[0], ["Column", "Variant", "Boston", "Concrete", "Yacht", "Test"], "{page}");
    assert_eq!(orders[2], ["MC-Dropout", "", "1.000", "1.000", "1.000", "paired"]);
    assert_eq!(orders[3][..3], ["MC-Dropout, program of 2016", "program of 2016", "1.000"]);
    assert_eq!(orders[3][4..], ["1.000", "Welch"], "{page}");
    // A hundredth worse in each split: paired, the interval is narrow.
    let main = ["2018", "MC-Dropout", ""];
    let rmse = |dataset: &str, wanted: &str| {
        of_lines(&page, &[main[0], main[1], main[2], dataset, "RMSE"], wanted)[0]
    };
    for dataset in ["Boston", "Yacht", "Concrete"] {
        assert_eq!(
            ["Test", "Word", "Experiment", "n"].map(|wanted| rmse(dataset, wanted)),
            ["paired", "faithful", "", "20"],
            "{page}"
        );
        assert!(rmse(dataset, "g").starts_with('-'), "{page}");
    }
    // The margin is a tenth of the authors' mean, 2.9036, not of the printed 2.90.
    assert_eq!(rmse("Boston", "m"), "0.29");
    // By Welch's test the same shift is undecided on Boston: the spread over splits is that of two
    // lists.
    let variant = of_lines(
        &page,
        &["2016", "MC-Dropout, program of 2016", "program of 2016", "Boston", "RMSE"],
        "Word",
    );
    assert_eq!(variant, ["inconclusive"], "{page}");
    let counts = table(&page, "Baselines beside their own papers: counts");
    let heads = [
        "Paper",
        "Variant",
        "faithful",
        "weak",
        "suspiciously good",
        "differs",
        "inconclusive",
        "too few repetitions",
    ];
    assert_eq!(counts[0], heads);
    let papers: Vec<&str> = counts[2..].iter().map(|row| row[0]).collect();
    assert_eq!(papers, ["2016", "2016", "2016, ten times the epochs", "2018", "2018"], "{page}");
    let sum = |row: &Vec<&str>| {
        row[2..].iter().map(|count| count.parse::<usize>().unwrap()).sum::<usize>()
    };
    assert!(counts[2..].iter().all(|row| sum(row) == 6), "{page}");
}

#[test]
fn a_number_that_is_not_met_names_its_experiment() {
    let (dir, page) = reported("mc-dropout,deep-ensemble,tree", |benchmark, experiment, split| {
        let dataset = benchmark.datasets[experiment.dataset].key.as_str();
        let wave = 1.0 + 0.01 * (split % 5) as f64;
        let factor = match (experiment.method.id.as_str(), dataset) {
            ("tree", "concrete") => return None,
            ("mc-dropout", "boston") => 0.5,
            ("mc-dropout", "concrete") => 1.5,
            ("deep-ensemble", "boston") => 4.0,
            _ => 1.0,
        };
        Some(factor * wave * printed(benchmark, experiment, split))
    });
    let cell = |paper: &str, column: &str, dataset: &str, wanted: &str| {
        of_lines(&page, &[paper, column, "", dataset, "RMSE"], wanted)[0].to_owned()
    };
    let words = |paper, column, dataset| {
        ["Word", "Experiment"].map(|wanted| cell(paper, column, dataset, wanted))
    };
    assert_eq!(words("2018", "MC-Dropout", "Boston"), ["suspiciously good", TEN], "{page}");
    assert_eq!(words("2018", "MC-Dropout", "Concrete"), ["weak", TEN], "{page}");
    let [word, experiment] = words("2017", "Deep ensemble", "Boston");
    assert_eq!(
        (word.as_str(), experiment.as_str()),
        ("weak", "variant “the paper's step”"),
        "{page}"
    );
    let variant = ["2017", "Deep ensemble, the paper's step", "the paper's step", "Boston", "RMSE"];
    assert_eq!(
        of_lines(&page, &variant, "Experiment"),
        ["errata.md, Baselines 10"],
        "a variant is no experiment about itself: {page}"
    );
    // 6.03 ± 0.58: faithful if that is a standard deviation, undecided if it is a standard error.
    assert_eq!(
        words("2017", "Deep ensemble", "Concrete"),
        ["inconclusive (standard deviation: faithful, standard error: inconclusive)", ""],
        "{page}"
    );
    assert!(
        cell("2017", "Deep ensemble", "Concrete", "h").contains(" / "),
        "both readings are shown: {page}"
    );
    // The ordinary verdicts judge by both readings too; the index has them.
    dir.run("report --profile full").code(3);
    let scorecard = fs::read_to_string(dir.path("out/scorecard.csv")).unwrap();
    let row = scorecard
        .lines()
        .find(|line| line.contains(",concrete,\"deep-ensemble, 2017\",,rmse,"))
        .unwrap();
    let site = fs::read_to_string(dir.path("out/site/baselines-standard.html")).unwrap();
    assert!(
        !site.contains("glossary.html#mark-m"),
        "m is the margin there, and our mean in the glossary"
    );
    assert!(
        ["standard deviation", "standard error", "inconclusive"]
            .iter()
            .all(|kind| row.contains(kind)),
        "{row}"
    );
    ranks_are_on_a_page_of_their_own(&dir, &page);
}

#[test]
fn a_finding_says_where_our_version_is_not_that_of_its_paper() {
    let told = |factor: f64| -> (Option<Unfaithful>, Vec<String>) {
        let (dir, _) = reported("deep-ensemble", |benchmark, experiment, split| {
            let is_altered = benchmark.datasets[experiment.dataset].key == "boston"
                && experiment.method.variant.is_none();
            let wave = 1.0 + 0.01 * (split % 5) as f64;
            Some(
                if is_altered { factor } else { 1.0 }
                    * wave
                    * printed(benchmark, experiment, split),
            )
        });
        let found = findings(&dir).into_iter().find_map(|finding| match finding {
            Finding::Unfaithful(found) => Some(found),
            _ => None,
        });
        (found, index_of(&dir))
    };
    let (worse, met, better) = (told(4.0), told(1.0), told(0.25));
    let shown = |(found, lines): (Option<Unfaithful>, Vec<String>)| {
        let found = found.unwrap();
        assert_eq!((&*found.dataset, &*found.column), ("Boston", "Deep ensemble"));
        let said = sentence(&Finding::Unfaithful(found.clone())).what;
        let line = lines.into_iter().find(|line| line.contains(&said));
        (found, line.unwrap_or_else(|| panic!("the index does not say: {said}")))
    };
    let ((worse, of_worse), (better, of_better)) = (shown(worse), shown(better));
    // The RMSE rises by 308 %, and the log-likelihood by 1.170 nat.
    assert!(worse.is_share && (worse.relative.abs() - 3.08).abs() < 0.005, "{worse:?}");
    assert_eq!((worse.metric.to_string(), worse.gain < 0.0), ("rmse".to_owned(), true));
    assert!(!better.is_share && (better.relative - 1.17).abs() < 5e-4, "{better:?}");
    assert_eq!(better.metric.to_string(), "log-likelihood");
    insta::assert_snapshot!(of_worse, @"▼ against the paper's own method, or our version of a method: Baselines, Standard splits On Boston the RMSE of our Deep ensemble is 308 % higher than its paper prints (2017). The difference is 10.1 ± 3.0 (simultaneous 95 % interval, 20 repetitions); up to 0.3280 would count as faithful. All numbers of main columns: 3 weak, 3 inconclusive. Experiment: variant “the paper's step”.");
    insta::assert_snapshot!(of_better, @"▼ against the paper's own method, or our version of a method: Baselines, Standard splits On Boston the log-likelihood of our Deep ensemble is 1.170 higher than its paper prints (2017). The difference is 1.17 ± 0.74 (simultaneous 95 % interval, 20 repetitions); up to 0.1000 would count as faithful. All numbers of main columns: 1 weak, 1 suspiciously good, 4 inconclusive. Experiment: variant “the paper's step”.");
    assert_eq!(met.0, None);
}

/// The findings of the report.
fn findings(dir: &Dir) -> Vec<Finding> {
    let report = fs::read_to_string(dir.path("out/baselines-standard-report.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    serde_json::from_value(report["findings"].clone()).unwrap()
}

/// The findings that the index shows, in words.
fn index_of(dir: &Dir) -> Vec<String> {
    elements(&fs::read_to_string(dir.path("out/site/index.html")).unwrap(), "section.findings li")
}

/// The tree refuses Concrete, where it gets the worst score of each split.
fn ranks_are_on_a_page_of_their_own(dir: &Dir, page: &str) {
    assert!(page.contains("[baselines-standard-ranks.md](baselines-standard-ranks.md)"), "{page}");
    let ranks = text(dir, "baselines-standard-ranks");
    let means = table(&ranks, "RMSE: mean ranks");
    // Boston: 1.45, 13.12, 5 times the wave; Yacht: 0.67, 1.58, 5; Concrete: 7.24, 6.03 and the
    // worst.
    assert_eq!(
        means[2..].iter().map(|row| row[0]).collect::<Vec<_>>(),
        ["MC-Dropout", "Deep ensemble", "CART"],
        "{ranks}"
    );
    assert_eq!(means[4][1], "2.667", "2, 3 and 3: {ranks}");
    let report = fs::read_to_string(dir.path("out/baselines-standard-report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let by_rmse = &report["ranks"][0];
    assert_eq!((&by_rmse["metric"], &by_rmse["failures"]), (&"rmse".into(), &"worst".into()));
    let methods = by_rmse["methods"].as_array().unwrap();
    let tree = methods.iter().find(|method| method["method"] == "CART").unwrap();
    assert!((tree["mean_rank"].as_f64().unwrap() - 8.0 / 3.0).abs() < 1e-12, "{tree}");
    assert_eq!(by_rmse["pairs"].as_array().unwrap().len(), 3, "{by_rmse}");
    // The five repetitions that CART refuses are imputed.
    for part in ["N = 3 ", "¶ 5 ", "Nemenyi"] {
        assert!(ranks.contains(part), "{part}: {ranks}");
    }
    insta::assert_snapshot!(paragraph(&ranks, &["3 methods"]), @"Profile full; 3 methods. Failed repetitions, refusals among them: given the worst score of any method on the same split.");
    let power = table(&ranks, "RMSE: detectable differences");
    assert_eq!(power[2][..3], ["Boston", "20", "3"], "{ranks}");
    assert_eq!(
        power[3][..3],
        ["Concrete", "20", "1"],
        "a method whose scores are imputed counts in no pair: {ranks}"
    );
    assert!(dir.path("out/baselines-standard-ranks-rmse.svg").exists());
    assert!(dir.path("out/baselines-standard-ranks.csv").exists());
    let site = |name: &str| fs::read_to_string(dir.path(&format!("out/site/{name}.html"))).unwrap();
    assert!(
        site(BENCHMARK).contains("href=\"baselines-standard-ranks.html\""),
        "the page of the benchmark leads there"
    );
    let above = "<nav aria-label=\"Pages above\"><a href=\"index.html\">Report</a> › <a \
                 href=\"baselines-standard.html\">";
    assert!(site("baselines-standard-ranks").contains(above), "and it leads back");
    // The findings rank by the benchmark's rule.
    let is_ranked = |finding: &&Finding| matches!(finding, Finding::Ranked(_));
    let all = findings(dir);
    let ranked = all.iter().find(is_ranked).unwrap();
    let Finding::Ranked(Ranked { best, best_rank, methods, datasets, failures_are_worst, .. }) =
        ranked
    else {
        panic!("{ranked:?}")
    };
    assert_eq!((&**best, *methods, *datasets), ("MC-Dropout", 3, 3));
    assert!((best_rank - 4.0 / 3.0).abs() < 1e-12 && *failures_are_worst, "{ranked:?}");
    let said = sentence(ranked);
    let is_said = |line: &String| line.contains(&said.what) && line.contains(&said.evidence);
    let shown = index_of(dir).into_iter().find(is_said).unwrap();
    insta::assert_snapshot!(shown, @"● neither for nor against it: Baselines, Standard splits By RMSE MC-Dropout ranks first of 3 methods over 3 datasets; no other method is significantly behind. Its mean rank is 1.3. No difference between the methods is shown (Friedman's test over 3 datasets: p = 0.309). A failed repetition has the worst score of any method.");
    let index = fs::read_to_string(dir.path("out/site/index.html")).unwrap();
    insta::assert_snapshot!(element(&index, "p.best", &["MC-Dropout"]), @"Which method did best? No clear winner in these tables: most other methods are not significantly behind the first. First by mean rank are MC-Dropout in Baselines Standard splits (1.3 of 3 by RMSE on 3 datasets). No table here ranks the methods of DTB, JCM, NSGP, Wiener, GPLVM, Kompa et al., EasyUQ, Foong et al. and nnuncert.");
}

#[test]
fn protein_has_five_splits() {
    let benchmark = find(BENCHMARK).unwrap();
    // Methods that are not judged run on as many splits as Protein has.
    for (method, splits) in [("deep-ensemble", 20), ("tree", 5)] {
        let filter = Filter { methods: vec![method.into()], ..Filter::default() };
        let plans = plan(std::slice::from_ref(&benchmark), Profile::Full, &filter).unwrap();
        for experiment in
            plans[0].experiments.iter().filter(|experiment| experiment.method.variant.is_none())
        {
            let expected =
                if benchmark.datasets[experiment.dataset].key == "protein" { 5 } else { splits };
            assert_eq!(experiment.splits, expected, "{method}");
        }
        assert!(plans[0].experiments.len() >= 9, "{method} runs on every dataset");
    }
}
