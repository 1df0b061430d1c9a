//! Take the splits of a board elsewhere, and bring predictions of them back: good ones have the
//! scores of a trial, and bad ones are named for what they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

#[cfg(unix)]
use super::command::Limited;
use super::command::{Dir, files};

/// Two splits of Yacht, one method, and the predictors to compare with.
const BOARD: &str = r#"
id = "small"
title = "Small"
protocol = "standard"
anchors = true
datasets = [{ key = "yacht", heading = "Yacht" }]
metrics = [
  { id = "crps", heading = "CRPS" },
  { id = "log-likelihood", heading = "Log-likelihood" },
  { id = "discretised-log-score", heading = "Discretised" },
  { id = "rmse", heading = "RMSE" },
  { id = "coverage-by-region(level=0.9)", heading = "By region" },
]
methods = [{ id = "tree", columns = [{ heading = "Tree", labels = { method = "tree", kind = "model" } }] }]
league = { board = "small", reference = "unconditional-quantiles", loss = "crps" }
[profiles.full]
splits = 2
"#;

const CARD: &str = r#"
board = "small"
name = "mine"
version = "1"
authors = ["A"]
licence = "CC0-1.0"
kind = "model"
searched = "nothing"
budget = "nothing"
hardware = "a processor"
data_seen = "unknown"
used_test_features = false
description = "d"
"#;

const ADD: &str =
    "league add p.csv card.toml --board small.toml --into entries --offline --cache cache";

/// A CSV file as rows by column.
fn rows(dir: &Dir, name: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(dir.path(name)).unwrap();
    let head: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let row =
        |row: csv::StringRecord| head.iter().cloned().zip(row.iter().map(str::to_owned)).collect();
    reader.records().map(|record| row(record.unwrap())).collect()
}

/// The predictions of the linear trials.
fn linear(dir: &Dir) -> Vec<BTreeMap<String, String>> {
    rows(dir, "trial.csv").into_iter().filter(|row| row["id"] == "linear-gaussian").collect()
}

/// Writes `p.csv` with these means and standard deviations, given the number of the row, its
/// outcome and the trial's own prediction.
fn predict(dir: &Dir, cells: impl Fn(usize, f64, &str) -> String) {
    let (mut text, mut next) = (String::from("dataset,split,row,mean,sd\n"), BTreeMap::new());
    for (number, row) in linear(dir).iter().enumerate() {
        let place = next.entry(row["split"].clone()).or_insert(0);
        let own = format!("{},{}", row["mean"], row["sd"]);
        let cells = cells(number, row["y"].parse().unwrap(), &own);
        text += &format!("yacht,{},{place},{cells}\n", row["split"]);
        *place += 1;
    }
    dir.write("p.csv", &text);
}

/// A folder with the board, the predictions of one of its methods as `p.csv`, and a card.
fn exported() -> Dir {
    exported_of(BOARD)
}

fn exported_of(board: &str) -> Dir {
    let dir = Dir::new();
    dir.write("small.toml", board);
    dir.write("card.toml", CARD);
    dir.run("run small.toml --profile full").code(0);
    dir.run("export store trial.csv small.toml --profile full --predictions").code(0);
    predict(&dir, |_, _, own| own.to_owned());
    dir
}

/// The only entry of the board.
fn entry(dir: &Dir) -> PathBuf {
    let mut all = fs::read_dir(dir.path("entries/small")).unwrap();
    let entry = all.next().unwrap().unwrap().path();
    assert!(all.next().is_none());
    entry
}

#[test]
fn predictions_of_a_trial_are_an_entry_with_the_scores_of_the_trial() {
    let dir = exported();
    let added = dir.run(ADD).code(0).prints("| Yacht |").prints("league small.toml --entries");
    assert!(added.err.is_empty(), "{}", added.err);
    let entry = entry(&dir);
    let name = entry.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("mine-1-") && name.len() == "mine-1-".len() + 12, "{name}");
    let there: Vec<String> = files(&entry).into_keys().collect();
    assert_eq!(there, ["card.toml", "entry.json", "predictions.parquet", "scores.csv"]);

    dir.run("export store scores.csv small.toml --profile full").code(0);
    let trials = rows(&dir, "scores.csv");
    let scores = format!("entries/small/{name}/scores.csv");
    let mut compared = 0;
    for row in rows(&dir, &scores) {
        let is_same = |trial: &&BTreeMap<String, String>| {
            trial["method"] == "linear-gaussian"
                && trial["split"] == row["split"]
                && trial["metric"] == row["metric"]
        };
        let trial = trials.iter().find(is_same).unwrap();
        let [found, expected] = [&row, trial].map(|row| row["score"].parse::<f64>().unwrap());
        // The exported standard deviation is the root of a variance, which rounds.
        assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{row:?} {trial:?}");
        compared += 1;
    }
    assert_eq!(compared, 10, "two splits and five metrics");
}

#[test]
fn a_board_shows_its_entries_and_names_those_that_it_leaves_out() {
    let dir = exported();
    dir.run(ADD).code(0);
    let show = "league small.toml --store store --entries entries --offline --cache cache";
    dir.run(show).code(0).prints("mine 1");
    // Nothing that is stored is believed: better scores in the file change nothing, and other
    // predictions than those of the record leave the entry out.
    let before = dir.run(show).out;
    fs::write(entry(&dir).join("scores.csv"), "dataset,split,metric,score\n").unwrap();
    assert_eq!(dir.run(show).code(0).out, before);
    let predictions = entry(&dir).join("predictions.parquet");
    fs::write(&predictions, fs::read(dir.path("p.csv")).unwrap()).unwrap();
    let ended = dir.run(show).code(0);
    let all = ended.out + &ended.err;
    assert!(all.contains("predictions.parquet: SHA-256 ") && all.contains("mine-1-"), "{all}");
}

#[test]
fn an_entry_of_few_quantiles_is_marked_as_approximated() {
    let dir = exported();
    let mark = |page: &str| {
        page.lines().filter(|line| line.starts_with('|') && line.contains("mine 1≈")).count()
    };
    let show = "league small.toml --store store --entries entries --offline --cache cache";
    dir.run(ADD).code(0);
    assert_eq!(mark(&dir.run(show).code(0).out), 0, "a normal distribution has a closed form");
    fs::remove_dir_all(dir.path("entries")).unwrap();
    predict(&dir, |_, _, own| {
        let (mean, sd) = own.split_once(',').unwrap();
        let [mean, sd] = [mean, sd].map(|cell| cell.parse::<f64>().unwrap());
        format!("{},{mean},{}", mean - 1.28 * sd, mean + 1.28 * sd)
    });
    let text = fs::read_to_string(dir.path("p.csv")).unwrap();
    dir.write("p.csv", &text.replacen("mean,sd", "q0.1,q0.5,q0.9", 1));
    dir.run(ADD).code(0).says("3 quantiles a row");
    let page = dir.run(show).code(0).out;
    assert!(mark(&page) > 0, "{page}");
}

#[test]
fn an_entry_of_a_part_needs_the_data_of_its_part_alone() {
    let free = "protocol = { holdout = { test = { fraction = 0.1 } } }";
    let board = BOARD.replace("protocol = \"standard\"", free);
    let dir = exported_of(&board);
    // Of this board one dataset is bundled, and one is at hand where a mirror is.
    let yacht = "{ key = \"yacht\", heading = \"Yacht\" }";
    let both = format!("{yacht}, {{ key = \"airfoil\", heading = \"Airfoil\" }}");
    let board = board.replace(yacht, &both);
    dir.write("small.toml", &board);
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/league-data.zip");
    let mirrored = |words: &str| {
        let words = words.replace("--cache cache", "--cache other-cache");
        dir.run(&format!("{words} --mirror {}", data.display()))
    };
    dir.run(ADD).code(1).says("airfoil");
    mirrored(ADD).code(1).says("dataset `airfoil`: ");
    let failed = "\n[[failed]]\ndataset = \"airfoil\"\nsplit = 0\nwhy = \"no memory\"\n\
                  [[failed]]\ndataset = \"airfoil\"\nsplit = 1\nwhy = \"no memory\"\n";
    let whole = CARD.replace("\"mine\"", "\"whole\"") + failed;
    dir.write("card.toml", &whole);
    mirrored(ADD).code(0);
    // The same predictions would be those of another entry.
    predict(&dir, |row, _, own| {
        let (mean, sd) = own.split_once(',').unwrap();
        format!("{},{sd}", mean.parse::<f64>().unwrap() + 0.01 * (row as f64).sin())
    });
    dir.write("card.toml", &(CARD.to_owned() + "part = true\n"));
    dir.run(ADD).code(0).prints("| Yacht |");
    let show = "league small.toml --store store --entries entries --offline --cache cache";
    let ended = dir.run(show).code(0);
    let all = ended.out + &ended.err;
    let left_out = all.lines().find(|line| line.contains("whole-1-")).unwrap();
    assert!(left_out.contains("airfoil"), "{left_out}");
    assert!(all.contains("mine 1"), "{all}");
    let page = mirrored(show).code(0).out;
    assert!(page.contains("whole 1") && page.contains("mine 1"), "{page}");
    // A dataset that the board does not have is told before any data are looked for.
    let text = fs::read_to_string(dir.path("p.csv")).unwrap();
    dir.write("p.csv", &text.replace("yacht,", "yatch,"));
    dir.run(ADD).code(1).says("did you mean `yacht`?");
}

#[test]
fn an_entry_is_never_changed_and_its_predictions_are_its_own() {
    let dir = exported();
    dir.run(ADD).code(0);
    let before = files(&dir.path("entries"));
    dir.run(ADD).code(0).prints("is there already");
    // In another order, and as Parquet, it is the same content.
    let text = fs::read_to_string(dir.path("p.csv")).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1..].reverse();
    dir.write("p.csv", &lines.join("\n"));
    dir.run(ADD).code(0).prints("is there already");
    let parquet = entry(&dir).join("predictions.parquet");
    let words = ADD.replace("p.csv", parquet.to_str().unwrap());
    dir.run(&words).code(0).prints("is there already");

    dir.write("card.toml", &CARD.replace("mine", "other"));
    dir.run(ADD).code(1).says("its predictions are those of the entry `mine 1`");
    dir.write("card.toml", CARD);
    predict(&dir, |row, y, _| format!("{},2", y + (row as f64).sin()));
    dir.run(ADD).code(1).says("state another `version`");
    assert_eq!(files(&dir.path("entries")), before);

    // One that is damaged is named, and stops no other.
    fs::write(entry(&dir).join("card.toml"), CARD.replace("CC0", "CC1")).unwrap();
    dir.write("card.toml", &CARD.replace("\"1\"", "\"2\""));
    dir.run(ADD).code(0).says("is left out: card.toml: SHA-256 ");
}

#[test]
fn bad_submissions_are_named_for_what_they_are() {
    let dir = exported();
    let honest = fs::read_to_string(dir.path("p.csv")).unwrap();
    let refused = |expected: &str| {
        dir.run(ADD).code(1).says("p.csv is refused: ").says(expected);
        assert!(!dir.path("entries").exists(), "{expected}");
    };
    predict(&dir, |_, y, _| format!("{y},0.01"));
    refused("These are test outcomes, not predictions. A leak to which noise was added cannot be");
    predict(&dir, |row, y, _| format!("{},0.1", (y + (row as f64).sin() - 10.5) / 15.1));
    refused("Factor and shift are those of a standardised target");
    let lines: Vec<&str> = honest.lines().collect();
    dir.write("p.csv", &[&lines[..4], &lines[6..]].concat().join("\n"));
    refused("dataset `yacht`, split 0: 2 of 31 rows are missing (3, 4)");
    dir.write("p.csv", &honest.replace("yacht,1,", "yacht,2,"));
    refused("dataset `yacht`, split 2: expected one of 0 to 1");
    dir.write("p.csv", &honest.replace("yacht", "boston"));
    refused("dataset `boston`: the board has none of this name");
    dir.write("p.csv", &honest.replacen(",mean,", ",means,", 1));
    refused("expected predictions beside `dataset`, `split` and `row`");
    dir.write("p.csv", &honest);
    dir.write("card.toml", &CARD.replace("small", "league-standard"));
    refused("card, `board`: found `league-standard`, expected `small`");
}

#[test]
fn hostile_files_are_refused() {
    let dir = exported();
    let hostile = CARD.replace("\"mine\"", "\"../../x\"").replace("\"d\"", "\"\\u001b[2J\"");
    dir.write("card.toml", &(hostile + "colour = \"red\"\n"));
    let ended = dir.run(ADD).code(1).says("3 mistakes").says("`name`: found \"../../x\"");
    assert!(ended.err.contains("U+001B") && !ended.err.contains('\u{1b}'), "{}", ended.err);
    dir.write("card.toml", CARD);
    for bomb in ["one-category", "one-text"] {
        let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        let path = data.join(format!("{bomb}.parquet"));
        // 600 rows with a text of a million letters, for a board of 62 rows.
        dir.run(&ADD.replace("p.csv", path.to_str().unwrap())).code(1).says("600 rows");
    }
    fs::write(dir.path("p.csv"), b"PAR1\xff\xff\xff\xff\xff\xff\xff\xffPAR1").unwrap();
    dir.run(ADD).code(1).says("p.csv: what it says of its columns takes more than");
    dir.write("p.csv", "");
    dir.run(ADD).code(1).says("p.csv: found no row below the header");
    fs::remove_file(dir.path("p.csv")).unwrap();
    dir.run(ADD).code(1).says("p.csv: it cannot be read");
    assert!(!dir.path("entries").exists());
}

#[test]
fn the_splits_of_a_board_are_written_whole_or_not_at_all() {
    let dir = Dir::new();
    let init = |words: &str| dir.run(&format!("league init {words} --offline --cache cache"));
    init("standard tasks --datasets yacht --splits 1")
        .code(0)
        .prints("wrote tasks: 1 dataset, 1 split");
    let there: Vec<String> = files(&dir.path("tasks")).into_keys().collect();
    assert_eq!(there.len(), 3 + 6, "{there:?}");
    let card = fs::read_to_string(dir.path("tasks/card.toml")).unwrap();
    assert!(card.contains("board = \"league-standard\"") && card.contains("\npart = true"));
    init("standard tasks --datasets yacht").code(1).says("it has files already");
    init("league-standrad other").code(2).says("`league-standard`");
    init("standard other --datasets yatch").code(2).says("did you mean `yacht`?");
    // No set of this board is bundled.
    init("modern other --datasets airfoil,saratoga")
        .code(1)
        .says("airfoil: ")
        .says("saratoga: ")
        .says("--mirror DIR")
        .says("--datasets chooses others");
    assert!(!dir.path("other").exists());
}

#[cfg(unix)]
#[test]
fn the_steps_of_the_workflow_take_an_entry_and_refuse_a_changed_one() {
    use std::os::unix::fs::symlink;
    use std::process::Command;
    let dir = exported();
    dir.run(ADD).code(0);
    fs::create_dir(dir.path("none")).unwrap();
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(".ci/league-check");
    let check = |old: &str, expected: &str| {
        let mut command = Command::new("bash");
        command.arg(&script).args(["entries", old]).current_dir(dir.path(""));
        command.env("UQBENCH", env!("CARGO_BIN_EXE_uqbench")).env("LEAGUE_BOARD", "small.toml");
        let ended = command.ended();
        let text = String::from_utf8([ended.stdout, ended.stderr].concat()).unwrap();
        assert!(text.contains(expected), "{expected} in\n{text}");
        assert_eq!(ended.status.success(), expected.starts_with("done"), "{text}");
    };
    check("none", "done: 1 new");
    check("absent", "done: 1 new");
    let entry = entry(&dir);
    let kept = dir.path("old/small").join(entry.file_name().unwrap());
    fs::create_dir_all(&kept).unwrap();
    for (name, bytes) in files(&entry) {
        fs::write(kept.join(name), bytes).unwrap();
    }
    check("old", "done: 0 new");
    // Somebody has changed what was there, or brings what is no entry.
    fs::write(entry.join("scores.csv"), "better").unwrap();
    check("old", "was changed or removed");
    symlink("/etc/hostname", dir.path("entries/small/link")).unwrap();
    check("none", "1 links or devices");
    fs::remove_file(dir.path("entries/small/link")).unwrap();
    fs::write(entry.join("run.sh"), "").unwrap();
    check("none", "1 names among the entries that no entry has");
    fs::remove_file(entry.join("run.sh")).unwrap();
    let renamed = entry.with_file_name("mine-2-000000000000");
    fs::rename(&entry, &renamed).unwrap();
    check("none", "is not the name that its content has");
    fs::write(renamed.join("predictions.parquet"), "PAR1").unwrap();
    check("none", "error: ");
}
