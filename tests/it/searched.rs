//! Check that a page and the scorecard show the settings that searches chose, and how often
//! predicted quantiles had to be sorted.

use super::command::Dir;
use super::mocks::in_every_profile;

const BENCHMARK: &str = r#"
id = "searched"
paper = "none"
artefact = "Table 0"
title = "A search"
protocol_source = "printed"
protocol = { holdout = { test = { fraction = 0.2 } } }
datasets = [{ key = "motorcycle-94", heading = "Data" }]
metrics = [{ id = "crps", heading = "CRPS" }]
[[methods]]
id = "validated"
columns = [{ heading = "SQR", labels = { method = "sqr" } }]
[methods.parameters]
method = { id = "sqr", parameters = { training = { epochs = 2 } } }
score = "crps"
grid = [
  { parameter = "hidden", values = [3, 5] },
  { parameter = "activation", values = ["relu"] },
]
[[methods]]
id = "sqr"
variant = "no search"
parameters = { hidden = 3, training = { epochs = 2 } }
columns = [{ heading = "SQR", labels = { method = "sqr" } }]
"#;

/// The table under a heading of the page.
fn table(page: &str, heading: &str) -> String {
    let after = page
        .split(&format!("## {heading}\n"))
        .nth(1)
        .unwrap_or_else(|| panic!("no {heading}: {page}"));
    after
        .lines()
        .skip_while(|line| line.is_empty())
        .take_while(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn chosen_settings_and_crossings_are_on_the_page() {
    let dir = Dir::new();
    dir.write("searched.toml", &in_every_profile(BENCHMARK, 4));
    dir.run("run searched.toml").code(0);
    let page = dir.page("out/searched.md");
    let variants = table(&page, "CRPS: variants");
    let cells = |line: &str| -> Vec<String> {
        line.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let lines: Vec<Vec<String>> = variants.lines().map(cells).collect();
    assert_eq!(lines.len(), 3, "the search itself is no variant: {variants}");
    assert_eq!(
        (&lines[0][1..4], &lines[2][1..3]),
        (
            &["Column", "Variant", "Data"].map(String::from)[..],
            &["SQR", "no search"].map(String::from)[..]
        )
    );
    let mean: f64 = lines[2][3].split_once(" ± ").unwrap().0.parse().unwrap();
    assert!(mean > 0.0, "{variants}");
    // Which of the two wins depends on the processor's last bit; that there are four choices does
    // not.
    let chosen = table(&page, "Settings chosen inside the training rows");
    let cell = chosen.lines().nth(2).unwrap().split('|').nth_back(1).unwrap().trim().to_owned();
    let counts = cell.split("; ").map(|point| {
        let (values, count) = point.trim_end_matches(')').split_once(" (").unwrap();
        assert!(["3, 0", "5, 0"].contains(&values), "{point}");
        count.parse::<usize>().unwrap()
    });
    assert_eq!(counts.sum::<usize>(), 4, "{cell}");
    let words =
        |line: &str| line.replace(&cell, "…").split_whitespace().collect::<Vec<_>>().join(" ");
    let shape = chosen
        .lines()
        .filter(|line| !line.contains("---"))
        .map(words)
        .collect::<Vec<_>>()
        .join("\n");
    insta::assert_snapshot!(shape, @r"
    | Dataset | Column | Variant | n | Settings | Chosen (how often) |
    | Data | SQR | | 4 | hidden, activation | … |
    ");
    let crossed = table(&page, "Quantiles in the wrong order before sorting");
    let anonymous =
        |line: &str| line.split('|').take(6).map(str::trim).collect::<Vec<_>>().join(" | ");
    let shape = crossed
        .lines()
        .filter(|line| !line.contains("---"))
        .map(anonymous)
        .collect::<Vec<_>>()
        .join("\n");
    insta::assert_snapshot!(shape, @r"
    | Dataset | Column | Variant | n | Pairs
    | Data | SQR |  | 4 | 58
    | Data | SQR | no search | 4 | 58
    ");
    for row in crossed.lines().skip(2) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (mean, most): (f64, f64) = (cells[6].parse().unwrap(), cells[7].parse().unwrap());
        assert!(0.0 <= mean && mean <= most && most <= 100.0, "{row}");
    }
}
