//! Let one trial misbehave in every way, and check that the others do not change.

use std::fs;

use super::command::{Dir, Ended, Started, attempts, wait_until};
use super::faults::workers::{processes_of, workers_of};
use super::mocks;

/// Runs three working mocks with and without a bad one: the others' bytes are the same. Returns the
/// run with it.
#[track_caller]
fn beside(dir: &Dir, behaviour: &'static str, options: &str) -> Ended {
    let mut all = mocks::answering(3, 0);
    dir.write("good.toml", &mocks::benchmark(&all, 2));
    // It sleeps so that its memory is seen before it crashes.
    all.insert(1, mocks::Mock { behaviour, sleep_ms: 100, tag: 0 });
    dir.write("mocks.toml", &mocks::benchmark(&all, 2));
    dir.run(&format!("run good.toml --store good {options}")).code(0);
    let ended = dir.run(&format!("run mocks.toml {options}"));
    let (good, with_bad) = (dir.kept("good"), dir.kept("store"));
    assert!(!good.is_empty());
    for (name, bytes) in &good {
        assert!(with_bad.get(name) == Some(bytes), "{behaviour} changed {name}");
    }
    ended
}

/// The last line counts these trials, of which two ended with this word.
#[track_caller]
fn assert_tally(ended: &Ended, counts: [u64; 5], word: &str) {
    assert!(
        ended.counts() == counts && ended.last().ends_with(&format!("2 {word}")),
        "{}",
        ended.last()
    );
}

/// A failure is reported, ends with code 3, leaves nothing in the store, and is tried again.
#[track_caller]
fn assert_failure(dir: &Dir, ended: Ended, options: &str, word: &str, note: &str) {
    let ended = ended.code(3).says(note);
    assert_tally(&ended, [6, 8, 0, 6, 2], word);
    assert!(dir.kept("store") == dir.kept("good"));
    assert_page_tells(dir, word);
    assert_attempts_tell(dir, word, !options.contains("thread"));
    let status = dir.run("status mocks.toml").code(3);
    assert!(status.out.contains(&format!("2 {word}")), "{}", status.out);
    let again = dir.run(&format!("run mocks.toml {options}")).code(3);
    assert_tally(&again, [6, 8, 6, 0, 2], word);
}

/// The store has of each failed trial where, when and how long it ran, and of one in a process of
/// its own the memory.
#[track_caller]
fn assert_attempts_tell(dir: &Dir, word: &str, has_process: bool) {
    let attempts = attempts(&dir.path("store"));
    assert_eq!(attempts.len(), 2);
    for attempt in attempts.into_values() {
        let run = attempt.run.expect("it ran");
        assert_eq!(attempt.failure.word(), word);
        assert!(
            run.started > 1_000_000_000 && run.machine.program.starts_with("uqbench "),
            "{run:?}"
        );
        assert!(
            run.seconds.unwrap() > 0.0 && run.beside.is_some() && run.limits.is_some(),
            "{run:?}"
        );
        if cfg!(target_os = "linux") {
            assert!(run.machine.host.is_some(), "{run:?}");
            assert_eq!(
                run.peak_memory.is_some_and(|bytes| bytes > 1 << 20),
                has_process,
                "{run:?}"
            );
        }
    }
}

/// An outcome is reported, ends with code 0, is kept, and is not run again.
#[track_caller]
fn assert_outcome(dir: &Dir, ended: Ended, word: &str) {
    let ended = ended.code(0);
    assert_tally(&ended, [8, 8, 0, 8, 2], word);
    assert_page_tells(dir, word);
    let again = dir.run("run mocks.toml").code(0);
    assert_tally(&again, [8, 8, 8, 0, 2], word);
}

/// The page lists only the bad mock, with the word for its end.
#[track_caller]
fn assert_page_tells(dir: &Dir, word: &str) {
    let page = dir.page("out/mocks.md");
    let (_, section) =
        page.split_once("## Repetitions without predictions\n\n").expect("the page tells");
    let rows: Vec<&str> = section.lines().skip(2).take_while(|line| !line.is_empty()).collect();
    assert_eq!(rows.len(), 1, "{section}");
    assert!(rows[0].contains("| Data ") && rows[0].contains(&format!("| 2 {word}")), "{section}");
}

#[test]
fn a_panic_stays_in_its_trial() {
    for options in ["--isolation thread", ""] {
        let dir = Dir::new();
        let ended = beside(&dir, "panic", options);
        assert_failure(
            &dir,
            ended,
            options,
            "crashed",
            "crashed: panicked: the mock panics as told",
        );
    }
}

#[test]
fn an_abort_stays_in_its_process() {
    let (dir, options) = (Dir::new(), "");
    let ended = beside(&dir, "abort", options);
    assert_failure(&dir, ended, options, "crashed", "crashed: the process ended with signal: 6");
}

#[test]
fn a_hang_is_ended_with_its_process() {
    let (dir, options) = (Dir::new(), "--timeout 2");
    let ended = beside(&dir, "hang", options);
    assert_failure(&dir, ended, options, "timed out", "timed out");
    assert_eq!(processes_of(&dir), Vec::new(), "processes are still running");
    for attempt in attempts(&dir.path("store")).into_values() {
        let run = attempt.run.unwrap();
        assert!(run.seconds.unwrap() >= 2.0 && run.limits.unwrap().seconds == Some(2), "{run:?}");
    }
}

#[test]
fn a_trial_that_allocates_without_end_is_ended_at_its_limit() {
    let (dir, options) = (Dir::new(), "--memory 512");
    let ended = beside(&dir, "hoard", options);
    assert_failure(&dir, ended, options, "out of memory", "out of memory");
}

#[test]
fn a_sleeping_trial_is_timed_out_at_its_checkpoints() {
    let dir = Dir::new();
    let mut all = mocks::answering(2, 0);
    all.push(mocks::Mock { behaviour: "answer", sleep_ms: 3_600_000, tag: 9 });
    dir.write("mocks.toml", &mocks::benchmark(&all, 1));
    let ended = dir.run("run mocks.toml --timeout 1").code(3);
    assert_eq!(ended.counts(), [2, 3, 0, 2, 1]);
    assert!(ended.last().ends_with("1 timed out"), "{}", ended.last());
}

#[test]
fn divergence_is_an_outcome() {
    for (behaviour, options) in [("diverge", ""), ("nan", ""), ("nan", "--isolation thread")] {
        let dir = Dir::new();
        let ended = beside(&dir, behaviour, options);
        assert_outcome(&dir, ended, "diverged");
    }
}

#[test]
fn a_refusal_is_an_outcome() {
    let dir = Dir::new();
    let ended = beside(&dir, "unsupported", "");
    assert_outcome(&dir, ended, "unsupported");
}

#[test]
fn a_failure_is_forgotten_once_the_trial_finishes() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(1, 1500), 1));
    dir.run("run mocks.toml --timeout 1").code(3);
    assert!(dir.run("status mocks.toml").code(3).out.contains("1 timed out"));
    dir.run("run mocks.toml").code(0);
    assert_eq!(fs::read_dir(dir.path("store/failures")).unwrap().count(), 0);
    dir.run("status mocks.toml").code(0);
}

/// A run whose only trial hangs in its process.
fn hanging() -> (Dir, Started) {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&[mocks::one("hang")], 1));
    let started = dir.start("run mocks.toml");
    wait_until(|| !workers_of(&dir).is_empty(), "a child");
    (dir, started)
}

#[test]
fn a_running_child_is_seen_by_the_search_for_processes() {
    // Without this test, the search above could look for the wrong name and never find anything.
    if !fs::exists("/proc/self/cmdline").unwrap() {
        return;
    }
    let (dir, started) = hanging();
    started.signal(rustix::process::Signal::INT);
    started.end().code(130);
    assert_eq!(processes_of(&dir), Vec::new());
}

#[test]
fn a_hanging_child_does_not_outlive_a_killed_parent() {
    if !fs::exists("/proc/self/cmdline").unwrap() {
        return;
    }
    let (dir, started) = hanging();
    started.signal(rustix::process::Signal::KILL);
    assert_eq!(started.end().code, None);
    wait_until(|| processes_of(&dir).is_empty(), "the child ends");
}

#[test]
fn a_panel_whose_metric_is_undefined_everywhere_is_left_out() {
    for (options, drawn) in [("--isolation thread", false), ("", true)] {
        let dir = Dir::new();
        dir.run(&format!("run jcm-cost --profile smoke {options}")).code(0);
        let figure = fs::read_to_string(dir.path("out/jcm-cost.svg")).unwrap();
        assert_eq!(figure.contains("Peak memory"), drawn, "{options}");
        assert!(figure.contains("Processor time of the fit"), "{options}");
    }
}
