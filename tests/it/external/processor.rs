//! The processor time of a method's processes is that of its trial.

use std::fs;
use std::path::Path;

use super::super::command::{Dir, Limited};
use super::{DESCRIPTION, MOMENTS, script};

/// About a second of work in a child process.
const WORK: &str = "awk 'BEGIN { while (i < 40000000) i++ }'";

/// The seconds that the children of a shell have used, by its own `times`.
fn of_children(times: &Path) -> f64 {
    let text = fs::read_to_string(times).unwrap();
    let seconds = |time: &str| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').unwrap();
        60.0 * minutes.parse::<f64>().unwrap() + seconds.parse::<f64>().unwrap()
    };
    text.lines().nth(1).unwrap_or_else(|| panic!("{text}")).split_whitespace().map(seconds).sum()
}

/// The processor time of each trial of a run with this script, the smallest first.
fn of_trials(dir: &Dir, text: &str) -> Vec<f64> {
    dir.write("method.sh", text);
    let mut run =
        dir.command("run dtb-figure-2 --profile smoke --splits 2 --jobs 1 --methods external");
    let ended = run.args(["--with", "sh method.sh"]).ended();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let all = dir.provenances("store");
    let seconds = |bytes: &Vec<u8>| {
        let stored: serde_json::Value = serde_json::from_slice(bytes).unwrap();
        stored["body"]["fit_cpu_seconds"].as_f64().unwrap_or_else(|| panic!("{stored}"))
    };
    let mut all: Vec<f64> = all.values().map(seconds).collect();
    all.sort_by(f64::total_cmp);
    all
}

#[cfg(target_os = "linux")]
#[test]
fn the_time_of_a_process_that_the_method_has_lost_sight_of_counts() {
    let dir = Dir::new();
    let times = dir.path("times");
    // The parent of the working shell ends at once, so that the supervisor adopts it.
    let lost = format!(
        "(setsid sh -c \"{}; times > {}; touch done\" &)\nwhile [ ! -e done ]; do sleep 0.05; \
         done\n{MOMENTS}",
        WORK.replace('"', "\\\""),
        times.display()
    );
    let all = of_trials(&dir, &script(DESCRIPTION, &lost));
    let burned = of_children(&times);
    assert!(burned > 0.2, "{burned}");
    assert!(
        all.iter().all(|seconds| *seconds > 0.5 * burned && *seconds < 5.0 * burned),
        "{all:?}, {burned}"
    );
    assert!(
        all.iter().any(|seconds| *seconds > burned - 0.05),
        "one of them has written the times: {all:?}, {burned}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn the_start_of_a_server_counts_for_its_first_request_only() {
    let dir = Dir::new();
    let times = dir.path("times");
    let text = format!(
        r#"#!/bin/sh
case "$1" in
describe) echo '{{"contract": 1, "name": "server", "deterministic": true, "server": true, "arrays": "csv"}}' ;;
serve)
  {WORK}
  times > {}
  while read -r line; do
    folder=$(printf '%s' "$line" | sed 's/.*"folder":"\([^"]*\)".*/\1/')
    cut -d, -f1 "$folder/X_test.csv" > "$folder/mean.csv"
    sed 's/.*/1/' "$folder/X_test.csv" > "$folder/variance.csv"
    echo '{{"contract": 1, "form": "gaussian", "mean": "mean.csv", "variance": "variance.csv"}}'
  done ;;
esac
"#,
        times.display()
    );
    let all = of_trials(&dir, &text);
    let burned = of_children(&times);
    assert!(burned > 0.2, "{burned}");
    let [second, first] = all[..] else { panic!("two trials: {all:?}") };
    assert!(
        first > burned - 0.05 && second < 0.5 * burned,
        "{first} and {second}, {burned} at the start"
    );
}
