//! Score predictions that one already has: those of a stored run have the scores of their trials.

use std::collections::BTreeMap;
use std::fs;

use super::command::{Dir, files};
use super::mocks;

/// A CSV file as rows by column.
fn table(dir: &Dir, name: &str) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(dir.path(name)).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let head: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let row = |row: csv::StringRecord| head.iter().cloned().zip(row.iter().map(str::to_owned)).collect();
    reader.records().map(|record| row(record.unwrap())).collect()
}

fn exported() -> Dir {
    let dir = Dir::new();
    let methods = "[[methods]]\nid = \"linear-gaussian\"\ncolumns = [{ heading = \"Linear\", labels = { m = \"l\" } }]\n\
         [[methods]]\nid = \"unconditional-gaussian\"\ncolumns = [{ heading = \"Constant\", labels = { m = \"c\" } }]\n";
    let head = mocks::benchmark(&[], 3);
    let head = &head[..head.find("[profiles").unwrap()];
    dir.write("own.toml", &mocks::in_every_profile(format!("{head}{methods}"), 3));
    dir.run("run own.toml").code(0);
    dir.run("export store predictions.csv own.toml --predictions").code(0);
    dir
}

#[test]
fn exported_predictions_have_the_scores_of_their_trials() {
    let dir = exported();
    dir.run("export store scores.csv own.toml").code(0);
    let ended = dir.run("score predictions.csv --form gaussian --level 0.95 --png").code(0);
    assert!(ended.out.starts_with("# Scores of predictions.csv\n"), "{}", ended.out);
    let drawn = files(&dir.path("uqbench-report/score"));
    for name in ["score-reliability.png", "score-calibration.svg", "score-crps-gains.svg"] {
        assert!(drawn.contains_key(name), "{name} in {:?}", drawn.keys());
    }
    let names = BTreeMap::from([("Linear", "linear-gaussian"), ("Constant", "unconditional-gaussian")]);
    let stored = table(&dir, "scores.csv");
    let mut compared = 0;
    for row in table(&dir, "uqbench-report/score/score.csv").iter().filter(|row| !row["split"].is_empty()) {
        let id = names[row["method"].as_str()];
        let is_same = |other: &&BTreeMap<String, String>| {
            other["method"] == id && other["split"] == row["split"] && other["metric"] == row["metric"]
        };
        let Some(trial) = stored.iter().find(is_same) else { continue };
        let [found, expected] = [row, trial].map(|row| row["score"].parse::<f64>().unwrap());
        // The exported standard deviation is the root of the stored variance, which rounds.
        assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{row:?}: {expected}");
        compared += 1;
    }
    // Two methods, three splits, four standard metrics.
    assert_eq!(compared, 24);
}

/// The cells of a method's row in the table of a page that begins so, but for the name of the dataset.
fn cells_of(page: &str, section: &str, method: &str) -> Vec<String> {
    let section =
        page.split("\n## ").find(|part| part.starts_with(section)).unwrap_or_else(|| panic!("{section} in\n{page}"));
    let cells = |line: &str| line.split('|').skip(2).map(|cell| cell.trim().to_owned()).collect::<Vec<String>>();
    section.lines().map(cells).find(|cells| cells.first().is_some_and(|cell| cell == method)).unwrap()
}

#[test]
fn scored_exports_are_compared_as_the_stored_trials_are() {
    let dir = exported();
    let compared =
        dir.run("compare Linear Constant --benchmarks own.toml --metrics crps,rmse --out compared").code(0).out;
    let scored = dir.run("score predictions.csv --form gaussian --level 0.95").code(0);
    assert!(!scored.err.contains("warning: "), "{}", scored.err);
    for section in ["CRPS against Linear", "RMSE against Linear"] {
        let [expected, found] = [&compared, &scored.out].map(|page| cells_of(page, section, "Constant"));
        assert_eq!(found, expected, "{section}");
    }
}

#[test]
fn what_is_odd_about_a_file_is_told_and_ends_well() {
    let dir = Dir::new();
    let rows: Vec<String> = (0..40).map(|i| format!("{},{i},1\n", f64::from(i).sqrt())).collect();
    let file = |name: &str, head: &str, rows: &str| dir.write(name, &format!("{head}\n{rows}"));
    file("once.csv", "y,mean,sd", &rows.concat());
    file("twice.csv", "y,mean,sd", &rows.concat().repeat(2));
    assert!(!dir.run("score once.csv").code(0).err.contains("warning: "));
    assert!(dir.run("score twice.csv").code(0).err.contains("warning: twice.csv"));
    file("ends.csv", "y,lower,upper,mean,sd", "1.5,-inf,inf,0,1\n2.25,0,Infinity,0,1\n3.125,,4,0,1\n0.5,0,1,0,1\n");
    let ended = dir.run("score ends.csv --level 0.9").code(0);
    assert!(ended.err.contains("warning: ends.csv") && ended.err.contains("note: ends.csv"), "{}", ended.err);
    let found = table(&dir, "uqbench-report/score/score.csv");
    let of = |metric: &str| {
        found.iter().find(|row| row["metric"] == metric).map(|row| (row["rows"].as_str(), row["score"].as_str()))
    };
    assert_eq!(of("picp(level=0.9)"), Some(("3", "1")));
    assert_eq!(of("mpiw(level=0.9)"), Some(("3", "inf")));
    assert_eq!((of("pinball(level=0.95)"), of("crps")), (Some(("3", "inf")), None));
    let page = fs::read_to_string(dir.path("uqbench-report/score/score.md")).unwrap();
    assert!(!page.contains("\\`"), "{page}");
    for name in ["score.md", "score.csv", "score.json", "score.tex"] {
        let text = fs::read_to_string(dir.path(&format!("uqbench-report/score/{name}"))).unwrap();
        for word in ["best-value", "simple-regret", "Simple regret", "Best value", "Variance, mean"] {
            assert!(!text.contains(word), "{word} in {name}");
        }
    }
}

#[test]
fn parquet_and_csv_have_the_same_scores() {
    let dir = exported();
    dir.run("export store predictions.parquet own.toml --predictions").code(0);
    let numbers = |file: &str| {
        dir.run(&format!("score {file} --form quantiles --out {file}-out")).code(0);
        fs::read_to_string(dir.path(&format!("{file}-out/score.csv"))).unwrap()
    };
    assert_eq!(numbers("predictions.csv"), numbers("predictions.parquet"));
}

#[test]
fn wrong_files_end_with_an_error() {
    let dir = Dir::new();
    dir.write("a.csv", "y,mean,sd\n1,0,1\n2,0,-1\n");
    dir.run("score a.csv")
        .code(1)
        .says("error: a.csv, line 3, column \"sd\": found -1, expected a standard deviation above 0");
    dir.run("score a.csv --y price").code(2).says("error: --y: a.csv has no column \"price\"");
    let rows: String = (0..20).map(|i| format!("{i},{i}.5,1\n")).collect();
    dir.write("noted.csv", &format!("# by hand\ny,mean,sd\n{rows}"));
    dir.run("score noted.csv").code(0).says("note: noted.csv: 1 comment line that begins with # or % left out");
    dir.run("score absent.csv").code(1).says("error: absent.csv: cannot be read");
    dir.write("b.csv", "y,lower,upper\n1,0,1\n");
    dir.run("score b.csv").code(1).says("--level 0.9 for 90 %");
    dir.run("score b.csv --level 90").code(2).says("expected a number between 0 and 1");
    dir.run("score").code(2);
    dir.write("c.parquet", "PAR1 and no more");
    dir.run("score c.parquet").code(1).says("a Parquet file that cannot be read");
}
