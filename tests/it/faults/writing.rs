//! A full disk costs only the file being written; the run reports how far it came.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::SystemTime;

use rayon::ThreadPoolBuilder;
use uq_core::CancelToken;
use uqbench_data::Library;
use uqbench_run::benchmark::{Benchmark, Profile};
use uqbench_run::runner::costs::Costs;
use uqbench_run::runner::execute::InProcess;
use uqbench_run::runner::plan::{Filter, plan, trials};
use uqbench_run::runner::progress::Progress;
use uqbench_run::runner::record::Limits;
use uqbench_run::runner::run::{Runner, survey};
use uqbench_run::runner::store::{Store, StoreError};
use uqbench_run::runner::tally::Tally;
use uqbench_system::Patient;
use uqbench_system::files::{ABANDONED, is_own_host, write_whole};

use super::disk::{Call, EIO, ENOENT, ENOLCK, ENOSPC, ESTALE, Fault, Faulty};
use crate::command::{Dir, files, started};
use crate::determinism::no_sources;
use crate::mocks;

/// Runs six mock trials, one at a time, into a store on this disk.
fn run_on(disk: &Arc<Faulty>, root: &Path) -> (Tally, Option<StoreError>) {
    let benchmark =
        Benchmark::parse("mocks", &mocks::benchmark(&mocks::answering(6, 0), 1)).unwrap();
    let plans = plan(&[benchmark], Profile::Smoke, &Filter::default()).unwrap();
    let store = Store::open_on(disk.clone(), root).unwrap();
    let library = Library::new(no_sources());
    let executor = InProcess::new(&library, 1);
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let cancel = CancelToken::default();
    let (missing_data, fresh) = (HashMap::new(), HashSet::new());
    let costs = Costs::shipped().unwrap();
    let runner = Runner {
        store: &store,
        executor: &executor,
        pool: &pool,
        cancel: &cancel,
        missing_data,
        fresh,
        costs,
    };
    let surveyed = survey(trials(&plans), &store, &pool).unwrap();
    runner.run(&surveyed, |_| Limits::default(), &Progress::hidden())
}

#[test]
fn a_temporarily_full_disk_is_waited_for_and_not_attributed_to_a_method() {
    let (dir, disk) = (Dir::new(), Faulty::new());
    // Full at the second trial's rows, and at the fourth's scores.
    disk.set(Call::Write, "rows.parquet", Fault::Error(ENOSPC), 1);
    disk.set(Call::Write, "tmp/file-", Fault::Error(ENOSPC), 1);
    let (tally, error) = run_on(&disk, &dir.path("store"));
    assert!(error.is_none(), "{error:?}");
    assert_eq!((tally.ran, tally.retried, tally.unfinished()), (6, 2, 0));
    assert!(tally.to_string().ends_with("2 repeated after failures of the machine"), "{tally}");
    let healthy = run_on(&Faulty::new(), &dir.path("healthy"));
    assert_eq!(healthy.0.retried, 0);
    assert!(dir.kept("store") == dir.kept("healthy"));
    assert_eq!(fs::read_dir(dir.path("store/tmp")).unwrap().count(), 0);
}

#[test]
fn a_disk_that_stays_full_ends_the_run_with_its_counts_and_keeps_its_trials() {
    let (dir, disk) = (Dir::new(), Faulty::new());
    disk.set(Call::Write, "tmp", Fault::Late(std::time::Duration::ZERO), 0);
    let before = run_on(&disk, &dir.path("store"));
    assert_eq!(before.0.ran, 6);
    for path in
        files(&dir.path("store/trials")).keys().filter(|path| path.ends_with("result.json")).skip(2)
    {
        fs::remove_dir_all(dir.path("store/trials").join(path).parent().unwrap()).unwrap();
    }
    let kept = dir.kept("store");
    disk.set(Call::Write, "result.json", Fault::Error(ENOSPC), usize::MAX);
    let (tally, error) = run_on(&disk, &dir.path("store"));
    let error = error.unwrap().to_string();
    assert!(error.contains("is the folder writable and the disk not full?"), "{error}");
    assert_eq!((tally.reused, tally.ran, tally.failed("cancelled")), (2, 0, 4));
    assert!(dir.kept("store") == kept);
    assert_eq!(
        fs::read_dir(dir.path("store/tmp")).unwrap().count(),
        0,
        "nothing half-written is left"
    );
}

#[test]
fn a_stored_trial_counts_where_the_disk_has_no_room_for_its_scores() {
    let (dir, disk) = (Dir::new(), Faulty::new());
    disk.set(Call::Rename, "scores", Fault::Error(ENOSPC), usize::MAX);
    let (tally, error) = run_on(&disk, &dir.path("store"));
    assert!(error.unwrap().to_string().contains("is the folder writable and the disk not full?"));
    let trials = files(&dir.path("store/trials"))
        .keys()
        .filter(|path| path.ends_with("result.json"))
        .count();
    assert!(trials > 0 && trials < 6, "{trials}");
    assert_eq!((tally.ran, tally.failed("cancelled")), (trials, 6 - trials));
}

#[test]
fn a_process_killed_during_a_write_leaves_no_incomplete_trial() {
    let dir = Dir::new();
    assert_eq!(run_on(&Faulty::new(), &dir.path("whole")).0.ran, 6);
    for part in
        ["provenance.json", "result.json", "rows.parquet", "uqbench-store.toml", "tmp/file-"]
    {
        let (name, disk) = (format!("store-{}", part.replace('/', "-")), Faulty::new());
        if part != "uqbench-store.toml" {
            drop(Store::open(dir.path(&name)).unwrap());
        }
        disk.set(Call::Write, part, Fault::Torn, 1);
        if part == "uqbench-store.toml" {
            assert!(Store::open_on(disk, dir.path(&name)).is_err());
        } else {
            let (tally, error) = run_on(&disk, &dir.path(&name));
            assert!(
                matches!(&error, Some(StoreError::Write { source, .. }) if source.raw_os_error() == Some(EIO)),
                "{error:?}"
            );
            assert!(tally.ran <= 1, "{part}");
        }
        let (tally, error) = run_on(&Faulty::new(), &dir.path(&name));
        assert!(
            error.is_none() && tally.quarantined == 0 && tally.reused + tally.ran == 6,
            "{part}: {tally}"
        );
        assert!(dir.kept(&name) == dir.kept("whole"), "{part}");
        assert_eq!(fs::read_dir(dir.path(&name).join("tmp")).unwrap().count(), 0, "{part}");
    }
}

#[test]
fn a_full_file_system_loses_no_stored_trial() {
    let dir = Dir::new();
    fs::create_dir(dir.path("small")).unwrap();
    let mounted = started(
        Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=192k", "tmpfs"])
            .arg(dir.path("small")),
    );
    if !mounted.is_some_and(|output| output.status.success()) {
        println!("not tested: this user may mount nothing");
        return;
    }
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(20, 0), 2));
    let ended = dir.run("run mocks.toml --store small/store");
    let trials = files(&dir.path("small/store/trials"))
        .keys()
        .filter(|path| path.ends_with("result.json"))
        .count();
    let checked = dir.run("store check --store small/store");
    let small = dir.path("small");
    let unmounted = Command::new("umount").arg(&small).status().unwrap();
    assert!(unmounted.success());
    let ended = ended.code(1).says("error: ").says("the disk not full?");
    assert!(
        ended.out.starts_with(&format!(
            "stopped: {trials} of 40 expected trials finished (0 reused, {trials} run)"
        )),
        "{}",
        ended.out
    );
    assert!(trials > 0 && trials < 40, "{trials}");
    assert_eq!(
        checked.code(0).last(),
        format!(
            "{trials} intact, 0 damaged, 0 intact in quarantine, 0 damaged in quarantine, 0 not \
             read"
        )
    );
}

#[test]
fn stale_handles_of_a_network_file_system_lose_no_trial() {
    let (dir, disk) = (Dir::new(), Faulty::new());
    let (tally, error) = run_on(&disk, &dir.path("whole"));
    assert!(error.is_none() && tally.ran == 6);
    // Every call of a run finds a stale handle, in any of its files: a rename once before it is
    // done, and once after.
    let calls = [
        (Call::Write, "rows.parquet"),
        (Call::Write, "result.json"),
        (Call::Write, "tmp/file-"),
        (Call::Rename, "trials"),
        (Call::Rename, "scores"),
        (Call::Length, "result.json"),
        (Call::Kind, "trials"),
        (Call::List, "tmp"),
        (Call::List, "store"),
        (Call::Sync, "trials"),
        (Call::Sync, "tmp"),
        (Call::Create, "store"),
        (Call::Create, "tmp"),
        (Call::Create, "trials"),
        (Call::Create, "scores"),
        (Call::Create, "lock"),
        (Call::Remove, "failures"),
        (Call::Write, "uqbench-store.toml"),
        (Call::Rename, "uqbench-store.toml"),
        (Call::Modified, "scores"),
    ];
    for (number, (call, part)) in calls.into_iter().enumerate() {
        for (done, fault) in [("before", Fault::Error(ESTALE)), ("after", Fault::Lie(ESTALE))] {
            if matches!((call, fault), (Call::Write, Fault::Lie(_))) {
                continue; // a file that was written is written again under another name
            }
            let (name, disk) = (format!("{done}-{number}-store"), Faulty::new());
            disk.set(call, part, fault, 2);
            let (tally, error) = run_on(&disk, &dir.path(&name));
            assert!(error.is_none() && tally.ran == 6, "{call:?} {part} {done}: {tally} {error:?}");
            assert!(dir.kept(&name) == dir.kept("whole"), "{call:?} {part} {done}");
            assert_eq!(fs::read_dir(dir.path(&name).join("tmp")).unwrap().count(), 0, "{name}");
        }
    }
}

#[test]
fn a_page_or_a_plan_is_written_through_a_stale_handle() {
    for (call, part) in [(Call::Write, ".part"), (Call::Rename, "page.md"), (Call::Sync, "pages")] {
        for fault in [Fault::Error(ESTALE), Fault::Lie(ESTALE)] {
            if matches!((call, fault), (Call::Write, Fault::Lie(_))) {
                continue; // it is written again under another name
            }
            let (dir, disk) = (Dir::new(), Faulty::new());
            fs::create_dir(dir.path("pages")).unwrap();
            disk.set(call, part, fault, 1);
            write_whole(Patient::with(disk).as_ref(), &dir.path("pages/page.md"), b"whole")
                .unwrap();
            let left: Vec<_> = fs::read_dir(dir.path("pages"))
                .unwrap()
                .map(|entry| entry.unwrap().file_name())
                .collect();
            assert_eq!(left, ["page.md"], "{call:?} {fault:?}");
            assert_eq!(fs::read(dir.path("pages/page.md")).unwrap(), b"whole");
        }
    }
}

#[test]
fn a_stale_handle_while_a_damaged_trial_is_set_aside_or_stores_are_joined_is_passed_over() {
    let dir = Dir::new();
    run_on(&Faulty::new(), &dir.path("whole"));
    for (number, fault) in [Fault::Error(ESTALE), Fault::Lie(ESTALE)].into_iter().enumerate() {
        let (name, joined) = (format!("hurt-{number}"), format!("joined-{number}"));
        run_on(&Faulty::new(), &dir.path(&name));
        let hurt =
            files(&dir.path(&name)).into_keys().find(|path| path.ends_with("result.json")).unwrap();
        fs::write(dir.path(&name).join(hurt), "{").unwrap();
        let disk = Faulty::new();
        disk.set(Call::Rename, "quarantine", fault, 2);
        let (tally, error) = run_on(&disk, &dir.path(&name));
        assert!(
            error.is_none() && (tally.quarantined, tally.reused, tally.ran) == (1, 5, 1),
            "{fault:?}: {tally} {error:?}"
        );
        let sources = [Store::open_existing(dir.path("whole")).unwrap()];
        let disk = Faulty::new();
        for call in [Call::Rename, Call::Kind, Call::Create, Call::Sync] {
            disk.set(call, "", fault, 1);
        }
        Store::merge_on(disk, &sources, &dir.path(&joined)).unwrap();
        assert!(dir.kept(&joined) == dir.kept("whole"), "{fault:?}");
    }
}

#[test]
fn a_trial_that_another_host_stored_is_found_though_it_shows_late() {
    let dir = Dir::new();
    run_on(&Faulty::new(), &dir.path("store"));
    let before = dir.kept("store");
    let disk = Faulty::new();
    // The survey sees none of the trials, and neither do the first looks at the places that are
    // taken.
    for (path, _) in
        files(&dir.path("store")).into_iter().filter(|(path, _)| path.ends_with("result.json"))
    {
        let key =
            Path::new(&path).parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        disk.set(Call::Kind, key.leak(), Fault::Error(ENOENT), 3);
    }
    let (tally, error) = run_on(&disk, &dir.path("store"));
    assert!(error.is_none() && (tally.reused, tally.ran) == (0, 6), "{tally} {error:?}");
    assert!(dir.kept("store") == before);
    assert_eq!(fs::read_dir(dir.path("store/tmp")).unwrap().count(), 0);
}

#[test]
fn without_locks_nothing_is_swept_and_nothing_is_lost() {
    let dir = Dir::new();
    run_on(&Faulty::new(), &dir.path("whole"));
    let disk = Faulty::new();
    disk.set(Call::Lock, "", Fault::Error(ENOLCK), usize::MAX);
    let store = Store::open_on(disk.clone(), dir.path("store")).unwrap();
    let name = format!("file-{}", "0f".repeat(16));
    fs::write(dir.path("store/tmp").join(&name), "half").unwrap();
    let (tally, error) = run_on(&disk, &dir.path("store"));
    drop(store);
    assert!(error.is_none() && tally.ran == 6, "{tally} {error:?}");
    assert_eq!(
        fs::read_dir(dir.path("store/tmp")).unwrap().count(),
        1,
        "it may be another program's"
    );
    fs::remove_file(dir.path("store/tmp").join(name)).unwrap();
    assert!(dir.kept("store") == dir.kept("whole"));
}

#[test]
fn only_the_clock_of_the_disk_tells_what_another_host_has_abandoned() {
    let other = if is_own_host(&"0f".repeat(16)) { "1e" } else { "0f" }.repeat(16);
    let [young, old] = ["a", "b"].map(|first| format!("file-{first}{}", &other[1..]));
    // The clock of the disk is three hours before that of this machine, and three hours behind it.
    for ahead in [3 * 3600, -3 * 3600] {
        let (dir, disk) = (Dir::new(), Faulty::new());
        disk.set_clock(ahead);
        drop(Store::open_on(disk.clone(), dir.path("store")).unwrap());
        for name in [&young, &old] {
            fs::write(dir.path("store/tmp").join(name), "half").unwrap();
        }
        let written = SystemTime::now() - 2 * ABANDONED;
        File::options()
            .append(true)
            .open(dir.path("store/tmp").join(&old))
            .unwrap()
            .set_modified(written)
            .unwrap();
        drop(Store::open_on(disk, dir.path("store")).unwrap());
        let left: Vec<_> = fs::read_dir(dir.path("store/tmp"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(left, [young.as_str()], "{ahead}");
    }
}

#[test]
fn a_joined_store_is_on_the_disk_before_it_appears() {
    let dir = Dir::new();
    run_on(&Faulty::new(), &dir.path("a"));
    let sources = [Store::open_existing(dir.path("a")).unwrap()];
    let (disk, into) = (Faulty::new(), dir.path("joined"));
    Store::merge_on(disk.clone(), &sources, &into).unwrap();
    assert!(dir.kept("joined") == dir.kept("a"));
    let done = disk.done();
    let last =
        |call: Call, path: &Path| done.iter().rposition(|one| *one == (call, path.to_path_buf()));
    let appeared = last(Call::Rename, &into).unwrap();
    assert!(last(Call::Sync, into.parent().unwrap()).unwrap() > appeared);
    // Where it was written, before it was renamed.
    let marker = done
        .iter()
        .map(|(_, path)| path)
        .find(|path| path.ends_with("uqbench-store.toml"))
        .unwrap();
    let temporary = marker.parent().unwrap().to_path_buf();
    assert_eq!(temporary.parent(), into.parent());
    let mut below = vec![into.clone()];
    let mut checked = 0;
    while let Some(path) = below.pop() {
        let was = temporary.join(path.strip_prefix(&into).unwrap());
        let synced = last(Call::Sync, &was)
            .unwrap_or_else(|| panic!("{} is not synchronised", was.display()));
        assert!(synced < appeared);
        assert!(
            [Call::Write, Call::Rename]
                .iter()
                .all(|call| last(*call, &was).is_none_or(|at| at < synced))
        );
        if path.is_dir() {
            below.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        checked += 1;
    }
    assert!(checked > 6 * 5, "{checked} entries");
}

#[test]
fn a_merge_that_the_disk_refuses_leaves_nothing() {
    let dir = Dir::new();
    run_on(&Faulty::new(), &dir.path("a"));
    let sources = [Store::open_existing(dir.path("a")).unwrap()];
    let before = files(&dir.path(""));
    for (call, part, error) in [
        (Call::Write, "result.json", ENOSPC),
        (Call::Sync, "rows.parquet", EIO),
        (Call::Sync, "provenance.json", ENOSPC),
        (Call::Sync, "trials", EIO),
        (Call::List, "trials", EIO),
        (Call::Rename, "joined", EIO),
    ] {
        let disk = Faulty::new();
        disk.set(call, part, Fault::Error(error), 1);
        let end = Store::merge_on(disk, &sources, &dir.path("joined"));
        assert!(matches!(end, Err(StoreError::Write { .. })), "{call:?} {part}: {end:?}");
        assert!(files(&dir.path("")) == before, "{call:?} {part}");
        assert!(fs::read_dir(dir.path("")).unwrap().count() == 1, "{call:?} {part}");
    }
    Store::merge(&sources, &dir.path("joined")).unwrap();
}
