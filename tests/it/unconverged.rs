//! Check that fits which ended too early are marked on a page in every format.

use std::fs;

use super::command::Dir;
use super::mocks::in_every_profile;
use super::pages::in_latex;
use super::wording::headings;

const BENCHMARK: &str = r#"
id = "cut-short"
paper = "none"
artefact = "Table 0"
title = "Two steps"
protocol_source = "printed"
protocol = { holdout = { test = { fraction = 0.2 } } }
datasets = [{ key = "motorcycle-94", heading = "Data" }]
metrics = [{ id = "crps", heading = "CRPS" }]
[[methods]]
id = "sparse-gp"
parameters = { points = 5, iterations = 2 }
columns = [{ heading = "Short", labels = { method = "short" } }]
[[methods]]
id = "exact-gp"
parameters = { restarts = 0 }
columns = [{ heading = "Long", labels = { method = "long" } }]
[[methods]]
id = "sparse-gp"
variant = "one step"
parameters = { points = 5, iterations = 1 }
columns = [{ heading = "Short", labels = { method = "short" } }]
"#;

/// Lines with the mark, each number made anonymous and blanks made one.
fn shape(text: &str) -> String {
    let kept = text.lines().filter(|line| line.contains('§') || line.contains("\\S{}"));
    let line = |line: &str| {
        let line: String = line.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
        line.split_whitespace().collect::<Vec<_>>().join(" ").replace("##", "#").replace("##", "#")
    };
    kept.map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn fits_that_ended_too_early_are_marked_in_every_format() {
    let dir = Dir::new();
    dir.write("short.toml", &in_every_profile(BENCHMARK, 3));
    dir.run("run short.toml").code(0);
    let read = |ending: &str| match ending {
        "md" => dir.page("out/cut-short.md"),
        "tex" => in_latex(&dir.path("out"), "cut-short"),
        "report.json" => fs::read_to_string(dir.path("out/cut-short-report.json")).unwrap(),
        _ => fs::read_to_string(dir.path(&format!("out/cut-short.{ending}"))).unwrap(),
    };
    insta::assert_snapshot!(shape(&read("md")), @r"
    | Data | #.# ± #.#§ | #.# ± #.# |
    Mean ± standard deviation over # repetitions; § training stopped at its step limit in # of # fits.
    | Short | one step | #.# ± #.#§ |
    Mean ± standard deviation; the paper prints no numbers to compare these with; § training stopped at its step limit in # of # fits.
    ");
    insta::assert_snapshot!(shape(&read("tex")), @r"
    \caption{CRPS. Mean $\pm$ standard deviation over # repetitions; \S{} training stopped at its step limit in # of # fits. Bold: the best mean of a row. Underlined: not significantly worse (paired over the splits, corrected for overlapping training sets, and by Holm over the row, at # \%).}
    Data & \underline{#.# $\pm$ #.#\S{}} & \textbf{\boldmath #.# $\pm$ #.#} \\
    \caption{CRPS: variants. Mean $\pm$ standard deviation; the paper prints no numbers to compare these with; \S{} training stopped at its step limit in # of # fits.}
    Short & one step & #.# $\pm$ #.#\S{} \\
    ");
    let csv = read("csv");
    let unconverged =
        csv.lines().next().unwrap().split(',').position(|name| name == "unconverged").unwrap();
    let cells: Vec<&str> =
        csv.lines().skip(1).map(|line| line.split(',').nth(unconverged).unwrap()).collect();
    assert_eq!(cells, ["3", "0", "3"]);
    let json: serde_json::Value = serde_json::from_str(&read("json")).unwrap();
    let cells: Vec<u64> =
        json.as_array().unwrap().iter().map(|row| row["unconverged"].as_u64().unwrap()).collect();
    assert_eq!(cells, [3, 0, 3]);
    let report: serde_json::Value = serde_json::from_str(&read("report.json")).unwrap();
    let about = |name: &str| {
        let tables = report["tables"].as_array().unwrap();
        tables.iter().filter(|table| table["about"]["about"] == name).count()
    };
    assert_eq!([about("learned-noise"), about("variants")], [1, 1]);
    insta::assert_snapshot!(headings(&read("md")), @"
    # none · Table 0: Two steps
    ## CRPS
    ## Methods as run
    ## Every number
    ## More tables
    ## CRPS: variants
    ## Learned noise of Gaussian processes
    ## Trials to look at
    ");
}
