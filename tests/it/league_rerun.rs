//! Run code of somebody else on splits that are drawn after it was frozen: what it predicts is an
//! entry of its own tier, which anybody can repeat, and which nobody can change.

use std::fs;
use std::path::PathBuf;

use super::command::{Dir, Ended, files};
use super::external::{DESCRIPTION, MOMENTS, script};

/// A board of Yacht and one method.
const BOARD: &str = r#"
id = "small"
title = "Small"
protocol = "standard"
anchors = true
datasets = [{ key = "yacht", heading = "Yacht" }]
metrics = [{ id = "crps", heading = "CRPS" }, { id = "rmse", heading = "RMSE" }]
methods = [{ id = "tree", columns = [{ heading = "Tree", labels = { method = "tree", kind = "model" } }] }]
league = { board = "small", reference = "unconditional-quantiles", log_reference = "unconditional-gaussian", loss = "crps" }
[profiles.full]
splits = 2
"#;

const CODE: &str = r#"
board = "small"
name = "mine"
version = "1"
authors = ["A"]
licence = "MIT"
kind = "model"
searched = "nothing"
budget = "nothing"
command = "sh mine.sh"
files = ["mine.sh"]
data_seen = "unknown"
used_test_features = false
description = "A normal distribution."
"#;

const RERUN: &str = "league rerun mine/code.toml --board small.toml --beside tree --splits 2 \
                     --into entries --store store --offline --cache cache";

const SHOW: &str = "league small.toml --store store --entries entries --offline --cache cache";

/// A folder with the board and with code that runs these lines for a request.
fn with_code(run: &str) -> Dir {
    let dir = Dir::new();
    fs::create_dir(dir.path("mine")).unwrap();
    dir.write("small.toml", BOARD);
    dir.write("mine/code.toml", CODE);
    dir.write("mine/mine.sh", &script(DESCRIPTION, run));
    dir
}

#[track_caller]
fn rerun(dir: &Dir, more: &str) -> Ended {
    dir.run(&format!("{RERUN} --allow-external {more}"))
}

/// The entries of the board.
fn entries(dir: &Dir) -> Vec<PathBuf> {
    let all = fs::read_dir(dir.path("entries/small")).into_iter().flatten();
    let mut all: Vec<PathBuf> = all.map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

/// The seed of an entry.
fn seed(entry: &std::path::Path) -> String {
    let text = fs::read_to_string(entry.join("rerun.toml")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("seed = ")).unwrap();
    line.trim_matches('"').to_owned()
}

#[test]
fn code_runs_on_splits_of_a_drawn_seed_and_anybody_can_repeat_it() {
    let dir = with_code(MOMENTS);
    let ended = rerun(&dir, "--by B").code(0).prints("| Yacht").prints("Skill of Tree");
    let ended = ended.says("the code is frozen (SHA-256 ").says("was drawn after that");
    let [entry] = &entries(&dir)[..] else { panic!("{ended:?}") };
    let there: Vec<String> = files(entry).into_keys().collect();
    assert_eq!(there, ["code.toml", "rerun.toml", "scores.csv", "trials.pack"]);
    assert_eq!(fs::read_to_string(entry.join("code.toml")).unwrap(), CODE);
    let seed = seed(entry);
    let name = entry.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with(&format!("mine-1-rerun-{seed}-")), "{name}");

    // Elsewhere, with the seed: other bytes of the record, and the same scores.
    let elsewhere = with_code(MOMENTS);
    rerun(&elsewhere, &format!("--seed {seed}")).code(0).says("was given");
    let [repeated] = &entries(&elsewhere)[..] else { panic!("{seed}") };
    let scores = |entry: &PathBuf| fs::read_to_string(entry.join("scores.csv")).unwrap();
    assert_eq!(scores(repeated), scores(entry));
    // Four methods by two metrics on two splits, below a header.
    assert_eq!(scores(entry).lines().count(), 1 + 4 * 2 * 2, "{}", scores(entry));
    let record = fs::read_to_string(repeated.join("rerun.toml")).unwrap();
    assert!(record.contains("repeated = true") && !record.contains("by ="), "{record}");

    // Another seed divides the rows in another way.
    rerun(&dir, "--seed 1").code(0);
    let other = entries(&dir).into_iter().find(|other| other != entry).unwrap();
    let line = |text: String| text.lines().nth(1).unwrap().to_owned();
    assert_ne!(line(scores(&other)), line(scores(entry)));
}

#[test]
fn the_board_shows_reruns_apart_and_leaves_out_those_that_were_changed() {
    let dir = with_code(MOMENTS);
    dir.run("run small.toml --profile full").code(0);
    rerun(&dir, "--by B").code(0);
    let entry = entries(&dir).remove(0);
    let page = dir.run(SHOW).code(0).prints("Rerun entries").prints("mine 1").out;
    let (before, after) = page.split_once("## Rerun entries").unwrap();
    assert!(!before.contains("mine 1"), "it has no rank\n{before}");
    let row = after.lines().find(|line| line.contains("mine 1")).unwrap();
    for cell in ["model", "Tree ", " %", &seed(&entry), "| B "] {
        assert!(row.contains(cell), "{cell} in {row}");
    }
    // No file of it can be changed, one that nobody reads among them.
    for name in ["code.toml", "rerun.toml", "scores.csv", "trials.pack"] {
        let path = entry.join(name);
        let bytes = fs::read(&path).unwrap();
        let mut changed = bytes.clone();
        changed.extend(b"\n# x\n");
        fs::write(&path, changed).unwrap();
        let page = dir.run(SHOW).code(0).out;
        let why = match name {
            "rerun.toml" => "its folder has another name than its content".to_owned(),
            name => format!("{name}: SHA-256 "),
        };
        assert!(page.contains(&why) && !page.contains("Rerun entries"), "{name}\n{page}");
        fs::write(&path, bytes).unwrap();
    }
    dir.run(SHOW).code(0).prints("Rerun entries");
    // A claimed entry may have the same name, and is not mistaken for it.
    assert!(!dir.run(SHOW).out.contains("entry.json"));
}

#[test]
fn a_file_that_is_not_named_is_not_there() {
    let dir = with_code(&format!(". ./helper.sh || exit 7\n{MOMENTS}"));
    dir.write("mine/helper.sh", ":\n");
    let ended = rerun(&dir, "").code(1).says("it failed on all 2 splits");
    assert!(entries(&dir).is_empty(), "{ended:?}");
    dir.write("mine/code.toml", &CODE.replace("[\"mine.sh\"]", "[\"mine.sh\", \"helper.sh\"]"));
    rerun(&dir, "").code(0);
    // Of another folder it sees nothing, either.
    let script = script(DESCRIPTION, &format!("[ ! -e code.toml ] || exit 8\n{MOMENTS}"));
    dir.write("mine/mine.sh", &script);
    dir.write("mine/code.toml", &CODE.replace("\"1\"", "\"2\""));
    rerun(&dir, "").code(0);
}

#[test]
fn failed_splits_are_counted_and_have_the_loss_of_the_reference() {
    let dir = with_code("");
    let mark = dir.path("mark").display().to_string();
    let second = format!("[ -e {mark} ] && exit 7\n{MOMENTS}\ntouch {mark}");
    dir.write("mine/mine.sh", &script(DESCRIPTION, &second));
    let ended = rerun(&dir, "--jobs 1").code(3);
    let row = ended.out.lines().find(|line| line.contains("| Yacht")).unwrap();
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    assert_eq!((cells[2], cells[cells.len() - 2]), ("2", "1"), "{row}");
    assert_eq!(entries(&dir).len(), 1);
}

#[test]
fn nothing_is_written_where_something_is_wrong() {
    let dir = with_code(MOMENTS);
    let refused = |words: &str, code: i32, why: &str| {
        let ended = dir.run(&format!("{RERUN} {words}")).code(code);
        ended.says(why);
        assert!(entries(&dir).is_empty(), "{why}");
    };
    refused("", 1, "it runs the command `sh mine.sh` with your rights: read its files (mine.sh)");
    assert!(!dir.path("store").exists());
    let allowed = "--allow-external";
    refused(&format!("{allowed} --datasets yatch"), 2, "did you mean `yacht`?");
    let other = RERUN.replace("tree", "lasso");
    dir.run(&format!("{other} {allowed}")).code(2).says("`lasso`");
    let with = |from: &str, to: &str, why: &str| {
        assert!(CODE.contains(from), "{from}");
        dir.write("mine/code.toml", &CODE.replace(from, to));
        refused(allowed, 1, why);
        dir.write("mine/code.toml", CODE);
    };
    with("[\"mine.sh\"]", "[\"mine.sh\", \"gone\"]", "`gone` cannot be copied");
    with("[\"mine.sh\"]", "[\"../small.toml\"]", "expected a path below the folder");
    with("[\"mine.sh\"]", "[\"code.toml\"]", "the file `mine.sh`, which is not among `files`");
    with("\"small\"", "\"standard\"", "`board`: found `standard`, expected `small`");
    with("licence", "license", "did you mean `licence`?");
    with("sh mine.sh", "no-such-program mine.sh", "`no-such-program` cannot be started");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(dir.path("small.toml"), dir.path("mine/link")).unwrap();
        with("[\"mine.sh\"]", "[\"mine.sh\", \"link\"]", "it is a symbolic link");
    }
    // Code that changes its own files.
    let own = dir.path("mine/mine.sh").display().to_string();
    let changing = script(DESCRIPTION, &format!("{MOMENTS}\necho '# x' >> {own}"));
    dir.write("mine/mine.sh", &changing);
    refused(allowed, 1, "`mine.sh` has changed while its code ran");
    dir.write(
        "small.toml",
        &BOARD.replace("\"standard\"", "{ numpy-k-fold = { folds = 2, seed = 0 } }"),
    );
    refused(allowed, 1, "no seed changes how its rows are divided");
}

#[test]
fn a_file_to_fill_in_is_written_once() {
    let dir = Dir::new();
    dir.run("league rerun --example code.toml").code(0).prints("wrote code.toml");
    dir.run("league rerun --example code.toml").code(1).says("code.toml cannot be written");
    let ended = dir.run("league rerun code.toml").code(1).says("4 mistakes");
    assert!(ended.err.contains("`licence`: found an empty text"), "{}", ended.err);
}
