//! Standard error that is full, closed or gone, and signals: trials continue.

use std::fs::{self, File};
use std::process::{Command, Stdio};

use rustix::process::Signal;

use crate::command::{Dir, Limited, wait_until};
use crate::mocks;

#[test]
fn standard_error_that_cannot_be_written_stops_nothing() {
    let dir = Dir::new();
    dir.write(
        "mocks.toml",
        &mocks::benchmark(&[mocks::answering(2, 0), vec![mocks::one("panic")]].concat(), 2),
    );
    let line = "4 of 6 expected trials finished (0 reused, 4 run), 2 crashed\n";
    let (reader, closed) = std::io::pipe().unwrap();
    drop(reader);
    let full = File::options().write(true).open("/dev/full").unwrap();
    for (name, err) in [("full", Stdio::from(full)), ("closed", closed.into())] {
        let mut command = dir.command(&format!("run mocks.toml --store {name}"));
        let output = command.stderr(err).stdout(Stdio::piped()).spawn().unwrap().ended();
        let out = String::from_utf8(output.stdout).unwrap();
        assert!(
            output.status.code() == Some(3) && out.ends_with(line),
            "{name}: {:?} {out}",
            output.status
        );
    }
    assert!(dir.kept("full") == dir.kept("closed") && !dir.kept("full").is_empty());
    // Both streams into a pipe that is closed after one line, as `2>&1 | head -1` does.
    let script = format!(
        "{} run mocks.toml --store piped --out out --cache cache --offline 2>&1 | head -1",
        env!("CARGO_BIN_EXE_uqbench")
    );
    let output = Command::new("sh").args(["-c", &script]).current_dir(dir.path("")).ended();
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 1);
    wait_until(|| dir.kept("piped") == dir.kept("full"), "the trials continue");
}

#[test]
fn an_ignored_hang_up_stays_ignored_and_any_other_stops_a_run() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(3, 700), 1));
    let program = env!("CARGO_BIN_EXE_uqbench");
    let words = "run mocks.toml --jobs 1 --out out --cache cache --offline --store";
    for (prefix, store, code, finished) in
        [("trap '' HUP; ", "ignored", 0, 3), ("", "heard", 130, 1)]
    {
        let script = format!("{prefix}exec {program} {words} {store}");
        let mut command = Command::new("sh");
        command
            .args(["-c", &script])
            .current_dir(dir.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        wait_until(|| dir.provenances(store).len() == 1, "the first trial finishes");
        let id = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
        rustix::process::kill_process(id, Signal::HUP).unwrap();
        let output = child.ended();
        assert_eq!(
            output.status.code(),
            Some(code),
            "{store}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert_eq!(dir.provenances(store).len(), finished, "{store}");
    }
}

#[test]
fn an_interrupt_counts_the_stored_trials_of_later_benchmarks() {
    let dir = Dir::new();
    let late =
        mocks::benchmark(&mocks::answering(2, 0), 3).replace("id = \"mocks\"", "id = \"late\"");
    dir.write("late.toml", &late);
    let hang = vec![mocks::Mock { behaviour: "answer", sleep_ms: 3_600_000, tag: 9 }];
    dir.write(
        "early.toml",
        &mocks::benchmark(&hang, 2).replace("id = \"mocks\"", "id = \"early\""),
    );
    dir.run("run late.toml --splits 2").code(0);
    let started = dir.start("run early.toml late.toml --jobs 1");
    wait_until(
        || fs::read_dir("/proc").is_ok() && !super::workers::workers_of(&dir).is_empty(),
        "the first trial starts",
    );
    started.signal(Signal::INT);
    let ended = started.end().code(130);
    assert_eq!(
        ended.last(),
        "interrupted: 4 of 8 expected trials finished (4 reused, 0 run), 4 cancelled; the same \
         command goes on from here"
    );
}

#[test]
fn a_lock_of_another_program_is_reported_and_waited_for() {
    let dir = super::stored();
    let lock = File::options().write(true).open(dir.path("store/lock")).unwrap();
    lock.lock().unwrap();
    let mut started = dir.start("status mocks.toml");
    std::thread::sleep(std::time::Duration::from_millis(3000));
    assert!(started.is_running());
    lock.unlock().unwrap();
    started.end().code(0).says("waiting for another program that has locked ").says("store/lock");
}

/// Run again by the test below in a shell that ignores interrupts; alone it does nothing.
#[test]
#[ignore = "part of another test"]
fn a_sleeping_run_ends_at_an_interrupt() {
    let dir = Dir::new();
    let sleeping = vec![mocks::Mock { behaviour: "answer", sleep_ms: 600_000, tag: 9 }];
    dir.write("mocks.toml", &mocks::benchmark(&sleeping, 1));
    let started = dir.start("run mocks.toml");
    wait_until(|| !super::workers::workers_of(&dir).is_empty(), "the trial starts");
    started.signal(Signal::INT);
    started.end().code(130);
}

#[test]
fn a_program_of_a_test_heeds_signals_that_its_shell_ignores() {
    let tests = std::env::current_exe().unwrap();
    let name = "faults::terminal::a_sleeping_run_ends_at_an_interrupt";
    let script =
        format!("trap '' INT HUP TERM; exec '{}' --exact {name} --ignored", tests.display());
    let output = Command::new("sh").args(["-c", &script]).ended();
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && out.contains("1 passed"), "{out}");
}
