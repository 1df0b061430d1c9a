//! Processes stay within their limits, and nothing of them is left.

use std::fs;
use std::sync::atomic::Ordering;

use uq_methods::FitError;

use super::super::command::{Limited, wait_until};
use super::{Asked, DESCRIPTION, MOMENTS, is_running, script};

/// Folders of temporary files that belong to a test with this mark.
fn folders_with(mark: &str) -> usize {
    let all =
        fs::read_dir(std::env::temp_dir()).unwrap().filter_map(|entry| Some(entry.ok()?.path()));
    all.filter(|path| path.join(mark).exists()).count()
}

#[test]
fn a_gigabyte_on_standard_error_is_read_and_its_end_is_shown() {
    let text = script(
        DESCRIPTION,
        "head -c 1000000000 /dev/zero | tr '\\0' 'x' >&2\necho >&2\necho the last words >&2\nexit \
         3",
    );
    let message = Asked::script(&text).error();
    assert!(message.contains("exit status: 3") && message.ends_with("the last words"), "{message}");
    assert!(message.chars().count() < 2000);
}

#[test]
fn a_grandchild_that_is_left_behind_is_ended_even_in_a_session_of_its_own() {
    let text =
        script(DESCRIPTION, &format!("setsid sleep 3611 > /dev/null 2>&1 &\nsleep 0.3\n{MOMENTS}"));
    let mut asked = Asked::script(&text);
    asked.predict().unwrap();
    assert_eq!(asked.host.as_ref().unwrap().left.load(Ordering::Relaxed), 1);
    assert!(!is_running(&["sleep", "3611"]));
}

#[test]
fn two_hundred_processes_are_too_many() {
    let text =
        script(DESCRIPTION, "i=0; while [ $i -lt 200 ]; do sleep 3612 & i=$((i + 1)); done; wait");
    let message = Asked::script(&text).error();
    assert!(message.contains("processes at a time, expected at most 100"), "{message}");
    assert!(!is_running(&["sleep", "3612"]));
}

#[test]
fn memory_of_all_processes_together_is_limited_and_address_space_is_not() {
    // Each process holds about 60 MB, and no one of them the limit.
    let hold = "head -c 60000000 /dev/zero | tail -c 60000000 | (sleep 3615; cat) > /dev/null &\n";
    let mut asked = Asked::script(&script(DESCRIPTION, &format!("{}wait", hold.repeat(4))));
    asked.memory = Some(128 << 20);
    assert_eq!(asked.predict(), Err(FitError::OutOfMemory));
    assert!(!is_running(&["sleep", "3615"]));
    let mut modest = Asked::script(&script(
        DESCRIPTION,
        &format!("[ $(ulimit -v) = unlimited ] || exit 7\n{MOMENTS}"),
    ));
    modest.memory = Some(128 << 20);
    modest.predict().unwrap();
}

#[test]
fn a_method_that_never_returns_is_ended_at_its_time_with_its_folder() {
    let mark = "mark-of-a-method-that-never-returns";
    let mut asked = Asked::script(&script(DESCRIPTION, &format!("touch {mark}\nsleep 3613")));
    asked.seconds = 2;
    assert_eq!(asked.predict(), Err(FitError::TimedOut));
    assert!(!is_running(&["sleep", "3613"]));
    assert_eq!(folders_with(mark), 0);
}

#[test]
fn a_killed_run_leaves_neither_processes_nor_folders() {
    let dir = super::super::command::Dir::new();
    let mark = "mark-of-a-killed-run";
    dir.write("method.sh", &script(DESCRIPTION, &format!("touch {mark}\nsleep 3616")));
    let mut command = dir.command("run dtb-figure-2 --profile smoke --methods external");
    let mut child = command
        .args(["--with", "sh method.sh"])
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    wait_until(|| is_running(&["sleep", "3616"]), "the method runs");
    assert!(folders_with(mark) > 0);
    child.kill().unwrap();
    child.ended();
    wait_until(|| !is_running(&["sleep", "3616"]) && folders_with(mark) == 0, "the method ends");
}

#[test]
fn the_process_sees_no_test_target() {
    let dir = super::super::command::Dir::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let seen = elsewhere.path().join("seen");
    // The method says where it is, and what it has: files, arguments, variables, open files,
    // folders of its parents.
    let look = format!(
        "{{ pwd; ls -R .; echo \"$@\"; env; cat request.json; ls -l /proc/$$/fd; p=$$; while [ \
         \"$p\" -gt 1 ]; do readlink /proc/$p/cwd; tr '\\0' ' ' < /proc/$p/cmdline; p=$(awk \
         '/^PPid/ {{ print $2 }}' /proc/$p/status); done; }} >> {} 2>&1\n{MOMENTS}",
        seen.display()
    );
    dir.write("look.sh", &script(DESCRIPTION, &look));
    let table: String = (0..40).map(|i| format!("{i},{}.7531\n", 1000 + i)).collect();
    dir.write("table.csv", &format!("a,target\n{table}"));
    let ended = dir
        .command("try --verbose table.csv --target target --methods linear-gaussian")
        .args(["--with", "sh look.sh"])
        .ended();
    assert!(ended.status.success());
    let seen = fs::read_to_string(&seen).unwrap();
    assert!(
        seen.contains("X_test.csv")
            && seen.contains("OMP_NUM_THREADS=1")
            && seen.contains("\"threads\":1"),
        "{seen}"
    );
    let folder = dir.path("").to_string_lossy().trim_end_matches('/').to_owned();
    for hidden in [".7531", "y_test", "table.csv", "\nPWD=/", "UQBENCH_", &folder] {
        // The shell itself sets PWD to the method's own folder.
        let found = seen
            .lines()
            .filter(|line| line.contains(hidden.trim_start()) && !line.contains("/uqbench-"));
        assert_eq!(found.collect::<Vec<_>>(), [""; 0], "{hidden}");
    }
}
