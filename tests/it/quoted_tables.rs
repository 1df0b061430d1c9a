//! Hold the numbers that README, `docs/` and `reports/laboratory/` take from committed runs against
//! the committed files.
//!
//! Numbers that errata quote are held against them where errata are read
//! (`crates/report/src/errata/quoted.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::command::{Dir, Limited};

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn text(path: &str) -> String {
    fs::read_to_string(project(path)).unwrap()
}

/// A document in one line.
fn line(path: &str) -> String {
    text(path).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The rows of the first table whose heading starts so, cells without blanks around them.
fn table(text: &str, heading: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| {
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>()
    };
    let lines = text.lines().skip_while(|line| !cells(line).join(" | ").starts_with(heading));
    let rows: Vec<Vec<String>> =
        lines.take_while(|line| line.starts_with('|')).skip(2).map(cells).collect();
    assert!(!rows.is_empty(), "no table starts with {heading}");
    rows
}

/// The rows of a committed CSV file.
fn committed(path: &str) -> Vec<BTreeMap<String, String>> {
    csv::Reader::from_path(project(path)).unwrap().deserialize().map(Result::unwrap).collect()
}

/// A number as documents print it: with blanks between thousands, units and signs behind it.
fn number(cell: &str) -> f64 {
    let digits = cell.replace('−', "-").replace([' ', '+', '%', '*', '\\'], "");
    digits.parse().unwrap_or_else(|_| panic!("{cell:?} is no number"))
}

/// Whether a printed number is this one, rounded.
fn is_rounded(printed: &str, value: f64) -> bool {
    let decimals = printed.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
    (number(printed) - value).abs() <= 0.5 * 10_f64.powi(-decimals) * (1.0 + 1e-9)
}

/// Whole seconds as documents print them, with a blank between thousands from 10 000 on.
fn grouped(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    if whole < 10_000 { whole.to_string() } else { format!("{} {:03}", whole / 1000, whole % 1000) }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn the_verdicts_of_readme_and_of_the_walk_are_rows_of_the_report() {
    let all: Vec<Vec<String>> =
        csv::Reader::from_path(project("reports/tables/dtb-table-2-02-verdicts.csv"))
            .unwrap()
            .deserialize()
            .map(Result::unwrap)
            .collect();
    for (page, rows) in [("README.md", 4), ("docs/learn/reproduce.md", 1)] {
        let shown = table(&text(page), "Dataset | Column | Metric | Printed | Ours");
        assert_eq!(shown.len(), rows, "{page}");
        for row in shown {
            assert!(all.contains(&row), "{page}: {row:?}");
        }
    }
}

#[test]
fn the_caption_of_readme_says_by_how_much_the_game_lowers_the_loss() {
    let rows = committed("reports/dtb-table-2.csv");
    let rows: Vec<_> = rows
        .iter()
        .filter(|row| row["metric"].starts_with("max-fold-mse") && !row["mean"].is_empty())
        .collect();
    let mean = |dataset: &str, column: &str, variant: &str| -> f64 {
        let is_it = |row: &&&BTreeMap<_, String>| {
            (&*row["dataset"], &*row["column"], &*row["variant"]) == (dataset, column, variant)
        };
        rows.iter().find(is_it).unwrap()["mean"].parse().unwrap()
    };
    let of_game: Vec<_> = rows.iter().filter(|row| row["column"].starts_with("dt, weak")).collect();
    assert!(of_game.len() > 10);
    let shares = of_game.iter().map(|row| {
        let [dataset, column, variant] = ["dataset", "column", "variant"].map(|name| &*row[name]);
        100.0
            * (1.0
                - mean(dataset, column, variant)
                    / mean(dataset, &column.replacen("dt", "uniform", 1), variant))
    });
    let (lowest, highest) =
        shares.fold((f64::INFINITY, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
    let said = format!("by {lowest:.0} to {highest:.0} % for weak trees");
    assert!(line("README.md").contains(&said), "README.md lacks: {said}");
}

#[test]
fn the_ensemble_of_readme_is_that_of_the_report() {
    let is_it = |row: &&BTreeMap<String, String>| {
        ["boston", "deep-ensemble, 2017", "log-likelihood", ""]
            == ["dataset", "column", "metric", "variant"].map(|name| row[name].as_str())
    };
    let rows = committed("reports/baselines-standard.csv");
    let found: Vec<_> = rows.iter().filter(is_it).collect();
    assert_eq!(found.len(), 1);
    let [mean, sd] = ["mean", "sd"].map(|name| found[0][name].parse::<f64>().unwrap());
    let cell = format!("{mean:.2} ± {sd:.2} ({})", found[0]["published"]);
    assert_eq!(table(&text("README.md"), "Dataset | Deep ensemble")[0][1], cell);
}

#[test]
fn the_comparison_of_the_docs_is_what_the_command_prints_of_the_packs() {
    let dir = Dir::new();
    dir.run(&format!(
        "store merge {} --into store",
        project("reports/packs/dtb-table-1.pack").display()
    ))
    .code(0);
    let output = dir
        .command("compare --profile full --metrics rmse")
        .args(["Uniform, weak", "DT, weak"])
        .ended();
    let printed = String::from_utf8(output.stdout).unwrap();
    let rows = |text: &str| table(text, "Dataset | Method | n | Gain");
    let (ours, shown) = (rows(&printed), rows(&text("docs/understand/comparing.md")));
    assert_eq!(shown.len(), 3);
    for row in shown {
        assert!(ours.contains(&row), "{row:?} is not in\n{printed}");
    }
}

#[test]
fn the_costs_of_the_docs_are_sums_of_the_table_of_costs() {
    let costs = committed("benchmarks/costs.csv");
    let of = |benchmark: &str, method: Option<&str>| -> (usize, f64, f64) {
        let is_it = |row: &&BTreeMap<String, String>| {
            row["profile"] == "full"
                && row["benchmark"] == benchmark
                && method.is_none_or(|method| row["method"] == method)
        };
        costs.iter().filter(is_it).fold((0, 0.0, 0.0), |(trials, seconds, longest), row| {
            let of_row: usize = row["trials"].parse().unwrap();
            let [each, most] =
                ["seconds", "longest"].map(|name| row[name].parse::<f64>().unwrap_or(0.0));
            (trials + of_row, seconds + of_row as f64 * each, f64::max(longest, most))
        })
    };
    let mut all = 0.0;
    for row in table(
        &text("reports/laboratory/costs.md"),
        "full profile, as `benchmarks/costs.csv` has it",
    ) {
        let names = row[0].split('`').skip(1).step_by(2);
        let (trials, seconds) = names
            .map(|name| of(name, None))
            .fold((0, 0.0), |(n, s), (trials, seconds, _)| (n + trials, s + seconds));
        assert_eq!(number(&row[1]), trials as f64, "{row:?}");
        assert!(is_rounded(&row[2], seconds), "{row:?}: {seconds}");
        all += seconds;
    }
    let line = line("reports/laboratory/costs.md");
    let minutes = (all / 60.0) as u64;
    let words = format!(
        "sum to {} s, {} h {} min of",
        grouped((all / 100.0).round() * 100.0),
        minutes / 60,
        minutes % 60
    );
    assert!(line.contains(&words), "{words}");
    let (trials, baselines, _) = of("baselines-standard", None);
    let of_baselines = (baselines / 60.0).round() as u64 - 720;
    assert!(
        line.contains(&format!(
            "12 h {of_baselines} min of processor time for its {trials} trials"
        ))
    );
    // The page of the documentation has the two sums alone.
    let page = text("docs/understand/costs.md");
    let cell = |begin: &str| {
        let row = page.lines().find(|line| line.starts_with(&format!("| {begin}")));
        let row = row.unwrap_or_else(|| panic!("no row begins with {begin}"));
        row.split('|').nth(4).unwrap().trim().to_owned()
    };
    assert_eq!(cell("The papers in full"), format!("{} h {} min", minutes / 60, minutes % 60));
    let standard = format!("The standard splits in full, {trials} trials");
    assert_eq!(cell(&standard), format!("12 h {of_baselines} min"));
    for (benchmark, method, before) in [
        ("jcm-table-2", "deep-gp", "Of `jcm-table-2` DGP takes"),
        ("jcm-table-2", "sparse-gp", "SGP"),
        ("jcm-table-2", "mc-dropout", "MC-Dropout"),
        ("baselines-standard", "deep-gp", "DGP takes"),
        ("baselines-standard", "nonstationary-gp", "the non-stationary GP"),
        ("baselines-standard", "mc-dropout", "MC-Dropout"),
    ] {
        let words = format!("{before} {}", grouped(of(benchmark, Some(method)).1));
        assert!(line.contains(&words), "{words}");
    }
    let longest = ["jcm-table-2", "jcm-table-4", "jcm-figure-4"]
        .map(|name| format!("{:.0} s", of(name, None).2));
    assert!(longest.iter().all(|seconds| line.contains(&**seconds)), "{longest:?}");
}

/// The first number of a cell such as `1.89 / 2.07 (+9.9 % ± 16.5 %)`, the second one, and the
/// gain.
fn pair(cell: &str) -> [f64; 3] {
    let (numbers, gain) = cell.split_once(" (").unwrap_or((cell, "0 ±"));
    let (ours, theirs) = numbers.split_once(" / ").unwrap();
    [ours, theirs, gain.split_once('±').unwrap().0].map(number)
}

#[test]
fn what_is_said_of_peers_is_in_their_table() {
    let text = text("reports/laboratory/peers.md");
    let rows = table(&text, "Ours | Peer | Dataset | n | CRPS");
    let line = line("reports/laboratory/peers.md");
    assert!(line.contains(&format!("Of {} comparisons", rows.len())));
    let leaves = rows
        .iter()
        .filter(|row| ["Quantile forest", "Conformalised quantiles"].contains(&&*row[0]))
        .count();
    assert!(line.contains(&format!("{leaves} of these, those of Quantile forest")));
    let worse = rows.iter().filter(|row| row[8].contains("ours worse")).count();
    assert!(
        worse == 0
            && line.contains("ours is significantly worse by CRPS, RMSE or log-likelihood in none")
    );
    let of = |ours: &str| rows.iter().filter(|row| row[0] == ours).collect::<Vec<_>>();
    let gains: Vec<f64> = of("Boosting of quantiles").iter().map(|row| pair(&row[4])[2]).collect();
    assert_eq!(gains.len(), 8);
    let (low, high) = gains
        .iter()
        .fold((f64::INFINITY, 0.0_f64), |(low, high), gain| (low.min(*gain), high.max(*gain)));
    assert!(
        (low, high.round()) == (0.5, 20.0) && line.contains("below it on each, by 0.5 to 20 %"),
        "{low} {high}"
    );
    let natural: Vec<(&str, f64)> = of("NGBoost")
        .iter()
        .filter(|row| row[6] != "–")
        .map(|row| (&*row[2], pair(&row[6])[2]))
        .collect();
    let (near, far): (Vec<_>, Vec<_>) =
        natural.iter().partition(|(name, _)| ["kin8nm", "protein", "california"].contains(name));
    assert_eq!((near.len(), far.len()), (3, 4));
    assert!(
        near.iter().all(|(_, gain)| gain.abs() <= 0.005)
            && line.contains("both agree within 0.005 nat on Kin8nm, Protein and California")
    );
    let ends = far
        .iter()
        .fold((f64::INFINITY, 0.0_f64), |(low, high), (_, gain)| (low.min(*gain), high.max(*gain)));
    assert!(
        line.contains(&format!("ours is higher by {:.2} to {:.2} nat elsewhere", ends.0, ends.1)),
        "{ends:?}"
    );
    let small: Vec<[f64; 3]> = of("Boosting of quantiles")
        .iter()
        .filter(|row| ["boston", "concrete", "kin8nm"].contains(&&*row[2]))
        .map(|row| pair(&row[7]))
        .collect();
    let span = |which: usize| {
        small.iter().fold((1.0_f64, 0.0_f64), |(low, high), pair| {
            (low.min(pair[which]), high.max(pair[which]))
        })
    };
    let (ours, theirs) = (span(0), span(1));
    let words = format!(
        "cover {:.2} to {:.2} on Boston, Concrete and Kin8nm, where LightGBM's cover {:.2} to \
         {:.2}",
        ours.0, ours.1, theirs.0, theirs.1
    );
    assert!(line.contains(&words), "{words}");
}

/// The repetitions that a page says its tables are of, as `40 of 40 tables: repetition 1 of 40, …`;
/// `None` where it names none, so that they are of all.
fn repetitions(part: &str) -> Option<BTreeSet<String>> {
    let (said, _) = part.split_once(" tables: repetition ")?.1.split_once(" [")?;
    let number = |one: &str| one.split_whitespace().next().unwrap().to_owned();
    Some(said.split(", repetition ").map(number).collect())
}

/// The scores of a file of results, by table and method: the mean over repetitions of a column.
struct Results(BTreeMap<(String, String), Vec<BTreeMap<String, String>>>);

impl Results {
    fn read(path: &str, repetitions: Option<&BTreeSet<String>>) -> Self {
        let mut all = BTreeMap::<_, Vec<_>>::new();
        let is_of = |row: &BTreeMap<String, String>| {
            repetitions.is_none_or(|all| all.contains(&row["repetition"]))
        };
        for row in committed(path).into_iter().filter(is_of) {
            let table = format!("{} {}", row["package"], row["table"]);
            all.entry((table, row["method"].clone())).or_default().push(row);
        }
        Self(all)
    }

    fn tables(&self) -> BTreeSet<&String> {
        self.0.keys().map(|(table, _)| table).collect()
    }

    fn values(&self, table: &str, method: &str, column: &str) -> Vec<f64> {
        let rows = &self.0[&(table.to_owned(), method.to_owned())];
        rows.iter().filter_map(|row| row[column].parse().ok()).collect()
    }

    fn ratio(&self, table: &str, peer: &str, column: &str) -> f64 {
        let [ours, theirs] =
            ["uqbench try", peer].map(|method| mean(&self.values(table, method, column)));
        ours / theirs
    }
}

#[test]
fn ratios_to_peers_are_those_of_the_files_of_results() {
    let boosting = text("reports/laboratory/tables-boosting.md");
    let packages = text("reports/laboratory/package-tables.md");
    let after = |text: &str, part: &str| {
        text.split_once(part).unwrap_or_else(|| panic!("no part {part}")).1.to_owned()
    };
    let heading = "ours against | geometric mean of the ratios";
    let (score, of_packages) = (after(&boosting, "## Judged"), after(&packages, "## Judged"));
    let of_boosting = repetitions(&score);
    let crps = after(&score, "CRPS, by 19 quantiles");
    for (path, part, column, of_part) in [
        ("reports/laboratory/tables-boosting.csv", &score, "score", &of_boosting),
        ("reports/laboratory/tables-boosting.csv", &crps, "crps", &of_boosting),
        (
            "reports/laboratory/package-tables.csv",
            &of_packages,
            "score",
            &repetitions(&of_packages),
        ),
    ] {
        let results = Results::read(path, of_part.as_ref());
        for row in table(part, heading).iter().filter(|row| row[0] != "the best of each table") {
            let ratios: Vec<f64> = results
                .tables()
                .iter()
                .map(|table| results.ratio(table, &row[0], column))
                .collect();
            let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
            assert!(
                is_rounded(&row[1], mean(&logs).exp()),
                "{path} {column} {row:?}: {}",
                mean(&logs).exp()
            );
            let worst = ratios.iter().fold(0.0_f64, |worst, ratio| worst.max(*ratio));
            assert!(is_rounded(&row[4], worst), "{path} {row:?}: {worst}");
            assert_eq!(number(&row[5]), ratios.len() as f64, "{path} {row:?}");
        }
        for row in table(part, "method | mean coverage") {
            let coverage = |table: &&String| {
                let [covered, rows] = ["covered", "rows"]
                    .map(|column| results.values(table, &row[0], column).iter().sum::<f64>());
                covered / rows
            };
            let coverages: Vec<f64> = results.tables().iter().map(coverage).collect();
            assert!(is_rounded(&row[1], mean(&coverages)), "{path} {row:?}: {}", mean(&coverages));
            let seconds: f64 = results
                .tables()
                .iter()
                .flat_map(|table| results.values(table, &row[0], "seconds"))
                .sum();
            assert!(is_rounded(&row[4], seconds), "{path} {row:?}: {seconds}");
        }
    }
}
