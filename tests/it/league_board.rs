//! The page of a board: with a method of the user's among its own, and beside its twin that is
//! divided at random.

use super::command::{Dir, Ended, Limited};
use super::external::{DESCRIPTION, MOMENTS, script};

/// A board of Yacht with one method and the predictors to compare with.
fn board(id: &str, protocol: &str, league: &str) -> String {
    format!(
        r#"
id = "{id}"
title = "Small"
protocol = {protocol}
anchors = true
datasets = [{{ key = "yacht", heading = "Yacht" }}]
metrics = [{{ id = "crps", heading = "CRPS" }}]
methods = [{{ id = "tree", columns = [{{ heading = "Tree", labels = {{ method = "tree", kind = "model" }} }}] }}]
[league]
board = "{id}"
reference = "unconditional-quantiles"
loss = "crps"
{league}
[profiles.full]
splits = 2
"#
    )
}

const RUN: &str = "run --profile full --store store --cache cache";

const SHOW: &str = "league small.toml --from store --offline --cache cache";

#[test]
fn a_method_of_the_users_has_a_rank_and_runs_alone() {
    let dir = Dir::new();
    dir.write("small.toml", &board("small", "\"standard\"", ""));
    dir.run(&format!("{RUN} small.toml")).code(0);
    dir.write("mine.sh", &script(DESCRIPTION, MOMENTS));
    let mut command = dir.command(&format!("{SHOW} --trials mine"));
    let ended = command.args(["--with", "sh mine.sh"]).ended();
    let page = Ended::of("league --with", ended).code(0).out;
    let mine = page.lines().find(|line| line.starts_with("| mine")).unwrap_or_default();
    assert!(mine.contains('%') && !mine.contains("claimed"), "{page}");
    assert!(page.contains("all 10 trials have ended"), "{page}");
    let trials = |store: &str| dir.provenances(store).len();
    assert_eq!((trials("store"), trials("mine")), (8, 2), "those of the method alone ran");
    dir.run(&format!("{SHOW} --trials mine")).code(2).says("--with");
}

#[test]
fn a_board_beside_its_twin_says_what_the_random_division_hides() {
    let dir = Dir::new();
    let twin = "random_twin = \"random.toml\"\ncontrols = [\"linear-gaussian\"]";
    let rolling = "{ rolling-origin = { start = 0.5, folds = 2 } }";
    let shuffled = "{ rolling-origin = { start = 0.5, folds = 2, shuffled = true } }";
    dir.write(
        "small.toml",
        &board("small", rolling, &format!("{twin}\ndetrended = \"flat.toml\"")),
    );
    dir.write("random.toml", &board("random", shuffled, ""));
    dir.write("flat.toml", &board("flat", rolling, ""));
    dir.run(&format!("{RUN} small.toml")).code(0);
    dir.run(SHOW).code(2).says("league of flat: expected a key `random_twin`");
    dir.write("flat.toml", &board("flat", rolling, twin));
    dir.run(SHOW).code(0).prints("the benchmark random, of which no trial has run");
    dir.run(&format!("{RUN} random.toml")).code(0);
    let page = dir.run(SHOW).code(0).prints("Of the controls Linear Gaussian loses").out;
    assert!(page.contains("What a random division hides: the same datasets"), "{page}");
    assert!(page.contains("median over 1 dataset of the median over 1 method"), "{page}");
    // The board `flat` has the trials of `small`: no trend was removed here.
    assert!(page.contains("Without the linear trend of their targets the same datasets"), "{page}");
    assert!(page.contains("Loss without trend (points)"), "{page}");
    let numbers = dir.path("uqbench-report/league/small-board-division.csv");
    let numbers = std::fs::read_to_string(numbers).unwrap();
    let head = "method,control,dataset,detrended,skill_at_random,skill_here\n";
    assert!(numbers.starts_with(head), "{numbers}");
    let (with, without): (Vec<&str>, Vec<&str>) =
        numbers.lines().skip(1).partition(|line| line.contains(",false,0."));
    assert_eq!((with.len(), without.len()), (2, 2), "{numbers}");
}

#[test]
fn a_part_of_a_board_is_told_and_compared_with_no_twin() {
    let dir = Dir::new();
    let twin = "random_twin = \"random.toml\"";
    dir.write("small.toml", &board("small", "\"standard\"", twin));
    dir.run(&format!("{RUN} small.toml --splits 3")).code(0);
    dir.write("mine.sh", &script(DESCRIPTION, MOMENTS));
    let mut command = dir.command(&format!("{SHOW} --trials mine --splits 3 --datasets yacht"));
    let ended = command.args(["--with", "sh mine.sh"]).ended();
    let page = Ended::of("league --with", ended).code(0).out;
    assert!(page.contains("A part of the board: the first 3 splits of Yacht."), "{page}");
    assert!(page.contains("all 15 trials have ended"), "{page}");
    assert_eq!(dir.provenances("mine").len(), 3);
}
