//! Each trial runs in a process of its own by default, so that its faults cost only that trial.

use std::fs;

use rustix::process::{Pid, Signal, kill_process};

use crate::command::{Dir, Ended, wait_until};
use crate::mocks::{self, Mock};

/// Processes whose command line names this test's folder, with their command lines.
pub fn processes_of(dir: &Dir) -> Vec<(i32, String)> {
    let Ok(all) = fs::read_dir("/proc") else { return Vec::new() };
    let own = dir.path("").to_string_lossy().trim_end_matches('/').to_owned();
    let line = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.ok()?.path();
        let line =
            String::from_utf8_lossy(&fs::read(path.join("cmdline")).ok()?).replace('\0', " ");
        Some((path.file_name()?.to_str()?.parse().ok()?, line))
    };
    all.filter_map(line).filter(|(_, line)| line.contains(&own)).collect()
}

/// The workers among them.
pub fn workers_of(dir: &Dir) -> Vec<i32> {
    processes_of(dir)
        .into_iter()
        .filter(|(_, line)| line.contains(" worker "))
        .map(|(id, _)| id)
        .collect()
}

fn kill(process: i32, signal: Signal) {
    let _ = kill_process(Pid::from_raw(process).unwrap(), signal); // it may have ended by itself
}

/// Runs three working mocks with and without a bad one, by default settings: the others' bytes are
/// the same.
#[track_caller]
fn beside(behaviour: &'static str, options: &str) -> (Dir, Ended) {
    let dir = Dir::new();
    let mut all = mocks::answering(3, 0);
    dir.write("good.toml", &mocks::benchmark(&all, 2));
    all.insert(1, mocks::one(behaviour));
    dir.write("mocks.toml", &mocks::benchmark(&all, 2));
    dir.run("run good.toml --store good").code(0);
    let ended = dir.run(&format!("run mocks.toml {options}")).code(3);
    assert!(dir.kept("good") == dir.kept("store"), "{behaviour} changed another trial");
    assert!(
        ended.last().starts_with("6 of 8 expected trials finished (0 reused, 6 run), 2 "),
        "{}",
        ended.last()
    );
    (dir, ended)
}

#[test]
fn an_abort_an_exit_and_a_full_stack_are_recorded_by_default_and_resumed_past() {
    for (behaviour, note) in [
        ("abort", "crashed: the process ended with signal: 6"),
        ("exit", "crashed: the process ended with exit status: 0"),
        ("overflow", "crashed: the process ended with signal: 6"),
    ] {
        let (dir, ended) = beside(behaviour, "");
        ended.says(note).says("`mock` on motorcycle-94, split ").says("(and 1 more trial)");
        assert_eq!(fs::read_dir(dir.path("store/failures")).unwrap().count(), 2, "{behaviour}");
        let again = dir.run("run mocks.toml").code(3);
        assert_eq!(again.last(), "6 of 8 expected trials finished (6 reused, 0 run), 2 crashed");
    }
}

#[test]
fn a_panic_in_a_nested_pool_or_a_detached_task_stays_in_its_trial() {
    let (_, ended) = beside("panic-in-pool", "");
    ended.says("crashed: panicked: the mock panics in a pool as told");
    let (_, ended) = beside("panic-alone", "");
    ended.says("crashed: the process ended with signal: 6");
    let (_, ended) = beside("panic-in-pool", "--isolation thread");
    ended.says("crashed: panicked: the mock panics in a pool as told");
}

#[test]
fn a_hang_is_ended_at_the_limit_with_all_its_processes() {
    let (dir, ended) = beside("nest", "--timeout 1");
    assert!(ended.last().ends_with("2 timed out"), "{}", ended.last());
    assert_eq!(processes_of(&dir), Vec::new());
    // Processes that it started do not carry the folder's name, but belong to its process group.
    let sleeping = |line: &[u8]| line == b"sleep\x003600\x00";
    let all = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| fs::read(entry.ok()?.path().join("cmdline")).ok());
    assert_eq!(all.filter(|line| sleeping(line)).count(), 0, "a grandchild is left");
}

#[test]
fn limits_come_from_the_benchmark_or_the_machine_and_are_in_the_record_not_in_the_key() {
    let dir = Dir::new();
    let text = mocks::benchmark(&[mocks::answering(1, 0), vec![mocks::one("hang")]].concat(), 1);
    dir.write(
        "mocks.toml",
        &format!("limits = {{ wall = \"1 s\", memory = \"600 MiB\" }}\n{text}"),
    );
    let ended = dir
        .run("run mocks.toml --jobs 2")
        .code(3)
        .says("trials: 2 at a time, at most 1 h each, in worker processes with at most ");
    assert_eq!(ended.last(), "1 of 2 expected trials finished (0 reused, 1 run), 1 timed out");
    let record = |dir: &Dir| {
        String::from_utf8(dir.provenances("store").into_values().next().unwrap()).unwrap()
    };
    assert!(
        record(&dir).contains("\"seconds\": 1,") && record(&dir).contains("\"memory\": 629145600"),
        "{}",
        record(&dir)
    );
    dir.write("good.toml", &mocks::benchmark(&mocks::answering(1, 0), 1));
    let again = dir.run("run good.toml").code(0);
    assert_eq!(
        again.last(),
        "1 of 1 expected trials finished (1 reused, 0 run)",
        "limits are no part of the key"
    );

    let other = Dir::new();
    other.write("mocks.toml", &mocks::benchmark(&mocks::answering(1, 0), 1));
    other.run("run mocks.toml --jobs 1").code(0).says("an equal share of the free memory");
    let free = record(&other);
    assert!(free.contains("\"seconds\": 3600,") && free.contains("\"memory\": "), "{free}");
    let third = Dir::new();
    third.write("mocks.toml", &mocks::benchmark(&[mocks::one("hoard")], 1));
    let ended =
        third.run("run mocks.toml --memory 300").code(3).says("with at most 0.3 GiB, as requested");
    assert_eq!(ended.last(), "0 of 1 expected trials finished (0 reused, 0 run), 1 out of memory");
    third.run("run mocks.toml --memory 64").code(2).says("256..=16777216");
    third.run("run mocks.toml --memory 17592186044416").code(2).says("256..=16777216");
}

#[test]
fn the_smallest_allowed_memory_runs_a_trial() {
    let dir = Dir::new();
    dir.run("run dtb-figure-3 --profile smoke --memory 256").code(0);
}

#[test]
fn a_trial_whose_memory_is_scored_does_not_inherit_another_trials_peak() {
    let dir = Dir::new();
    let large = Mock { behaviour: "large", sleep_ms: 0, tag: 300 };
    let small = Mock { behaviour: "answer", sleep_ms: 0, tag: 1 };
    let text = mocks::benchmark(&[large, small], 1);
    let peak = text.replace(
        "{ id = \"crps\", heading = \"CRPS\" }",
        "{ id = \"peak-memory\", heading = \"MiB\" }",
    );
    dir.write("mocks.toml", &peak);
    dir.run("run mocks.toml --jobs 1").code(0);
    let csv = fs::read_to_string(dir.path("out/mocks.csv")).unwrap();
    let of = |column: &str| -> f64 {
        let line =
            csv.lines().find(|line| line.contains(column) && line.contains("peak-memory")).unwrap();
        line.rsplit(',').next().unwrap().parse().unwrap()
    };
    assert!(of("large 300") > 300.0 && of("answer 1") < 150.0, "{csv}");
    // Without such a metric trials share a worker, which forgets the peak before each.
    let plain = Dir::new();
    plain.write("mocks.toml", &text);
    plain.run("run mocks.toml --jobs 1").code(0);
    let of = |bytes: Vec<u8>| {
        let record: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        record["body"]["peak_memory"].as_f64().unwrap() / f64::from(1 << 20)
    };
    let mut peaks: Vec<f64> = plain.provenances("store").into_values().map(of).collect();
    peaks.sort_by(f64::total_cmp);
    assert!(peaks.len() == 2 && peaks[0] < 150.0 && peaks[1] > 300.0, "{peaks:?}");
}

#[test]
fn a_worker_that_is_killed_from_outside_is_no_fault_of_the_method() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(2, 1500), 1));
    for signal in [Signal::KILL, Signal::TERM] {
        let _ = fs::remove_dir_all(dir.path("store"));
        let started = dir.start("run mocks.toml --jobs 1");
        wait_until(|| !workers_of(&dir).is_empty(), "a worker");
        workers_of(&dir).into_iter().for_each(|id| kill(id, signal));
        let ended = started.end().code(0);
        let line = "2 of 2 expected trials finished (0 reused, 2 run), 1 repeated after failures \
                    of the machine";
        assert_eq!(ended.last(), line, "{}", ended.err);
    }
}

#[test]
fn a_worker_that_is_killed_again_and_again_is_lost_and_the_run_goes_on() {
    let dir = Dir::new();
    let long = Mock { behaviour: "answer", sleep_ms: 3_600_000, tag: 9 };
    dir.write("mocks.toml", &mocks::benchmark(&[vec![long], mocks::answering(1, 0)].concat(), 1));
    let mut started = dir.start("run mocks.toml --jobs 1");
    let mut killed = 0;
    while started.is_running() && killed < 4 {
        if let Some(id) = workers_of(&dir).first() {
            // By then it has read its trial: a worker that ends before is lost for another reason.
            std::thread::sleep(std::time::Duration::from_millis(200));
            kill(*id, Signal::KILL);
            wait_until(|| !workers_of(&dir).contains(id), "it ends");
            killed += 1;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let ended = started
        .end()
        .code(3)
        .says("lost: the process was ended by signal 9")
        .says("perhaps for lack of memory");
    assert_eq!(
        ended.last(),
        "1 of 2 expected trials finished (0 reused, 1 run), 1 lost, 3 repeated after failures of \
         the machine"
    );
}

#[test]
fn a_record_counts_the_trials_that_ran_beside_it() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(2, 400), 1));
    for (jobs, beside) in [(1, 0), (2, 1)] {
        let _ = fs::remove_dir_all(dir.path("store"));
        dir.run(&format!("run mocks.toml --jobs {jobs}")).code(0);
        for bytes in dir.provenances("store").into_values() {
            let text = String::from_utf8(bytes).unwrap();
            assert!(text.contains(&format!("\"trials\": {beside}")), "{jobs}: {text}");
            assert!(!fs::exists("/proc/loadavg").unwrap() || text.contains("\"load\": "), "{text}");
            assert!(
                !fs::exists("/proc/cpuinfo").unwrap() || text.contains("\"processor\": "),
                "{text}"
            );
        }
    }
}

#[test]
fn workers_are_reused_and_replaced_when_they_have_grown() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(30, 20), 1));
    let mut started = dir.start("run mocks.toml --jobs 1");
    let mut seen = std::collections::BTreeSet::new();
    while started.is_running() {
        seen.extend(workers_of(&dir));
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    started.end().code(0);
    assert!((1..=3).contains(&seen.len()), "30 trials took the workers {seen:?}");
}
