//! What has the place of a file and is none: in a store it is named, put aside and costs no more
//! than what it stands for; as a file of a user it is refused soon.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use uqbench_run::runner::record::{ROWS, open_seal, sealed};

use super::{first, stored};
use crate::command::{Dir, Ended, Limited, files};

/// What can have the place of a file.
const KINDS: [&str; 4] = ["folder", "pipe", "device", "huge"];

/// Puts one of them in the place of a file.
fn put(kind: &str, path: &Path) {
    let _ = fs::remove_file(path);
    match kind {
        "folder" => fs::create_dir(path).unwrap(),
        "pipe" => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
        "device" => symlink("/dev/zero", path).unwrap(),
        _ => File::create(path).unwrap().set_len(16 << 30).unwrap(),
    }
}

/// A file of the scores of a trial.
fn scores(dir: &Dir) -> String {
    let all = files(&dir.path("store/scores")).into_keys();
    format!("store/scores/{}", all.into_iter().find(|name| name.ends_with(".json")).unwrap())
}

#[test]
fn what_is_no_file_beside_trials_is_named_and_put_aside_and_stops_no_page() {
    let dir = stored();
    let whole = dir.kept("store");
    let provenance =
        first(&dir.path("store"), "provenance.json").strip_prefix(dir.path("")).unwrap().to_owned();
    for place in
        [scores(&dir), provenance.to_str().unwrap().to_owned(), "store/external.json".to_owned()]
    {
        for kind in KINDS {
            let before = fs::read(dir.path(&place)).ok();
            put(kind, &dir.path(&place));
            let named = dir.run("store check --store store").code(3);
            assert!(named.out.contains(&place), "{kind} at {place}: {named:?}");
            let repaired = dir.run("store check --repair --store store").code(0);
            assert!(repaired.out.contains(&place), "{kind} at {place}: {repaired:?}");
            dir.run("store check --store store").code(0);
            assert!(
                fs::symlink_metadata(dir.path(&place)).is_err() && dir.kept("store") == whole,
                "{kind} at {place}"
            );
            if !place.ends_with("external.json") {
                put(kind, &dir.path(&place));
                dir.run("report mocks.toml").code(0);
                dir.run("export store all.csv mocks.toml").code(0);
                dir.run("export store all.csv mocks.toml --predictions").code(0);
                dir.run("store check --repair --store store").code(0);
            }
            assert!(dir.kept("store") == whole);
            before.into_iter().for_each(|bytes| fs::write(dir.path(&place), bytes).unwrap());
        }
    }
    // The folder of several trials.
    let part = dir.path(&scores(&dir)).parent().unwrap().to_owned();
    fs::remove_dir_all(&part).unwrap();
    fs::write(&part, "").unwrap();
    dir.run("store check --store store").code(3);
    dir.run("store check --repair --store store").code(0);
    dir.run("report mocks.toml").code(0);
    assert!(dir.kept("store") == whole);
}

#[test]
fn what_is_no_file_of_a_trial_costs_its_own_cell() {
    let dir = stored();
    for name in [ROWS, "result.json"] {
        for kind in KINDS {
            let path = first(&dir.path("store"), name);
            let bytes = fs::read(&path).unwrap();
            put(kind, &path);
            let start = Instant::now();
            dir.run("report mocks.toml").code(3);
            let trials = fs::read_to_string(dir.path("out/mocks-trials.csv")).unwrap();
            let of = |word: &str| trials.lines().filter(|line| line.contains(word)).count();
            assert!(of(",damaged,") == 1 && of(",ok,") > 0, "{kind} at {name}: {trials}");
            dir.run("export store all.csv mocks.toml --predictions").code(3);
            assert!(fs::read_to_string(dir.path("all.csv")).unwrap().lines().count() > 10);
            dir.run("store check --store store").code(3);
            assert!(start.elapsed() < Duration::from_secs(100), "{kind} at {name}");
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir(&path));
            fs::write(&path, bytes).unwrap();
        }
    }
    dir.run("store check --store store").code(0);
}

#[test]
fn a_repair_moves_no_trial_because_of_cached_scores() {
    let dir = stored();
    let whole = files(&dir.path("store/trials"));
    let place = dir.path(&scores(&dir));
    let intact = fs::read(&place).unwrap();
    let mut forged: Value = serde_json::from_slice(open_seal(&intact).unwrap()).unwrap();
    let numbers = forged["scores"].as_object_mut().unwrap().values_mut();
    let mut changed = 0;
    for score in numbers.flat_map(|of_reading| of_reading.as_object_mut().unwrap().values_mut()) {
        *score = 1e-9.into();
        changed += 1;
    }
    assert!(changed > 0);
    let forged = sealed(&serde_json::to_vec(&forged).unwrap());
    for bytes in [forged, b"nothing".to_vec(), Vec::new(), intact[..intact.len() / 2].to_vec()] {
        fs::write(&place, bytes).unwrap();
        for words in ["store check --store store", "store check --repair --store store"] {
            dir.run(words).code(0);
        }
        assert!(files(&dir.path("store/trials")) == whole);
        assert_eq!(files(&dir.path("store/quarantine")).len(), 0);
    }
}

/// A table of a target and two features.
fn table() -> String {
    let row = |i: usize| format!("{},{},{}\n", (i * 37) % 101, (i * i) % 89, (i * 7 + i * i) % 97);
    format!("y,a,b\n{}", (0..40).map(row).collect::<String>())
}

#[test]
fn a_table_may_come_from_a_pipe_that_somebody_writes_to_and_from_no_other_endless_place() {
    let dir = Dir::new();
    dir.write("table.csv", &table());
    let whole = dir.run("audit table.csv --target y");
    let start = Instant::now();
    for kind in ["folder", "pipe", "device", "socket"] {
        let place = dir.path(&format!("{kind}.csv"));
        let _socket =
            (kind == "socket").then(|| std::os::unix::net::UnixListener::bind(&place).unwrap());
        if kind != "socket" {
            put(kind, &place);
        }
        dir.run(&format!("audit {kind}.csv --target y")).code(1);
        dir.run(&format!("score {kind}.csv")).code(1);
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    // The writer begins later, and is slow.
    let slow = "sleep 1; (head -n 20 table.csv; sleep 1; tail -n +21 table.csv) > pipe.csv";
    let writer = Command::new("sh").args(["-c", slow]).current_dir(dir.path("")).spawn().unwrap();
    let read = dir.run("audit pipe.csv --target y");
    assert!(writer.ended().status.success());
    assert_eq!(
        (read.code, read.out.replace("pipe.csv", "table.csv")),
        (whole.code, whole.out.clone())
    );
    // A pipe of a shell, and standard input.
    let program = env!("CARGO_BIN_EXE_uqbench");
    for line in [
        format!("{program} audit <(sleep 0.5; cat table.csv) --target y"),
        format!("{program} audit - --target y < table.csv"),
        format!("cat table.csv | {program} audit - --target y"),
        format!("cat table.csv | {program} audit /dev/stdin --target y"),
        format!("{program} audit /dev/stdin --target y < table.csv"),
    ] {
        let mut bash = Command::new("bash");
        let ended = bash.args(["-c", &line]).current_dir(dir.path("")).stdin(Stdio::null()).ended();
        assert_eq!(
            ended.status.code(),
            whole.code,
            "{line}: {}",
            String::from_utf8_lossy(&ended.stderr)
        );
    }
}

#[test]
fn no_other_file_of_a_user_is_waited_for() {
    let dir = Dir::new();
    dir.write("table.csv", &table());
    dir.run("try --verbose table.csv --target y --methods linear-gaussian --save good.model")
        .code(0);
    let start = Instant::now();
    let (mut refused, mut waits) = (Vec::<Ended>::new(), 0);
    for kind in ["folder", "pipe", "device"] {
        for name in ["b.toml", "base.toml", "p.json", "m.model", "s.pack", "plan.json"] {
            let place = dir.path(name);
            let _ = fs::remove_file(&place).or_else(|_| fs::remove_dir(&place));
            put(kind, &place);
        }
        for words in [
            "run b.toml",
            "check dtb-figure-2 --against base.toml --profile smoke",
            "try --verbose table.csv --target y --plan p.json",
            "predict m.model table.csv",
            "report dtb-figure-2 --from s.pack",
            "store merge s.pack --into both",
            "run --plan plan.json --shard 1",
            "status --plan plan.json",
        ] {
            refused.push(dir.run(words));
            waits += 1;
        }
    }
    for ended in refused {
        assert!(matches!(ended.code, Some(1 | 2)) && !ended.err.contains("panicked"), "{ended:?}");
    }
    assert!(start.elapsed() < Duration::from_secs(10 * waits), "{:?}", start.elapsed());
}

#[test]
fn a_file_of_a_method_is_regular_and_not_huge() {
    let dir = Dir::new();
    let method = "#!/bin/sh\necho '{\"contract\": 1, \"name\": \"mine\"}'\n";
    let benchmark = crate::mocks::benchmark(&crate::mocks::answering(1, 0), 1);
    let external = "[[methods]]\nid = \"external\"\nparameters = { name = \"mine\", command = \
                    [\"sh\", \"mine.sh\"], files = [\"mine.sh\", \"more\"] }\n\
                    columns = [{ reading = \"main\", heading = \"Mine\" }]\n";
    dir.write("own.toml", &benchmark.replacen("[[methods]]", &format!("{external}[[methods]]"), 1));
    dir.write("mine.sh", method);
    let start = Instant::now();
    for kind in ["pipe", "device", "huge"] {
        put(kind, &dir.path("more"));
        let ended = dir.run("run own.toml --allow-external").code(1);
        assert!(ended.err.contains("more"), "{kind}: {ended:?}");
        fs::remove_file(dir.path("more")).unwrap();
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}
