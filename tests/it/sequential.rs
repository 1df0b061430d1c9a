//! A sequential trial is killed, or reaches its limit, and goes on after its last step.

use std::fs;

use rustix::process::Signal;
use uqbench_run::runner::store::Store;

use super::command::{Dir, files, wait_until};
use super::mocks;
use super::wording::{line, shape};

/// One trial of eleven fits, each of which sleeps: the first, and five additions by each of two
/// acquisitions.
fn benchmark(sleep_ms: u64) -> String {
    mocks::in_every_profile(
        format!(
            "id = \"steps\"\npaper = \"none\"\nartefact = \"Table 0\"\ntitle = \
             \"Steps\"\nprotocol_source = \"printed\"\n\
             protocol = {{ pool-learning = {{ start = [[0, 0.2]], test = 0.2, batch = 0.1, steps = \
             5 }} }}\n\
             datasets = [{{ key = \"motorcycle-94\", heading = \"Data\" }}]\n\
             metrics = [{{ id = \"rmse\", heading = \"RMSE\" }}]\n\
             [[methods]]\nid = \"mock\"\nparameters = {{ sleep_ms = {sleep_ms} }}\nacquire = \
             [\"gsx\", \"random\"]\n\
             columns = [{{ heading = \"Mock\", labels = {{ method = \"mock\" }} }}]\n"
        ),
        1,
    )
}

fn steps(dir: &Dir) -> usize {
    let folder = dir.path("store/steps");
    if folder.exists() {
        files(&folder).keys().filter(|name| name.ends_with(".step")).count()
    } else {
        0
    }
}

#[test]
fn a_killed_sequential_trial_goes_on_with_the_same_bytes() {
    let dir = Dir::new();
    dir.write("steps.toml", &benchmark(100));
    dir.run("run steps.toml --store whole").code(0);
    let started = dir.start("run steps.toml --jobs 1");
    wait_until(|| steps(&dir) >= 4, "steps are kept");
    started.signal(Signal::KILL);
    assert_eq!(started.end().code, None, "it ended by the signal");
    assert!(steps(&dir) < 12);
    let before = steps(&dir);
    let kept = dir.run("store gc --remove --store store").code(0);
    insta::assert_snapshot!(line(&kept.out, &["steps of 1 "]), @"kept: the steps of 1 unfinished trial, from which a run goes on");
    assert_eq!(steps(&dir), before);
    // A pack, and a store that is joined, have no steps, and say so.
    assert_eq!(Store::with_steps(&[Store::open_existing(dir.path("store")).unwrap()]).unwrap(), 1);
    for words in ["store pack store whole.pack", "store merge store --into joined"] {
        dir.run(words).code(0).says("steps of 1 ");
    }
    dir.run("store pack whole whole.pack").code(0);
    assert_eq!(Store::with_steps(&[Store::open_existing(dir.path("whole")).unwrap()]).unwrap(), 0);
    let unfinished = files(&dir.path("store/steps"));
    dir.run("run steps.toml --jobs 1").code(0);
    assert!(dir.kept("store") == dir.kept("whole"));
    assert_eq!(steps(&dir), 0, "the steps of a finished trial are removed");
    // As if the run had been killed before it removed them.
    for (name, bytes) in &unfinished {
        let path = dir.path("store/steps").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let removed = dir.run("store gc --remove --store store").code(0);
    insta::assert_snapshot!(shape(line(&removed.out, &["steps of 1 "])), @"removed # of # trial (those of other versions), # files about absent or finished trials, # kept page of benchmarks that do not come with this program and the steps of # finished trial, #.# MB");
    assert_eq!(steps(&dir), 0);
    assert!(dir.kept("store") == dir.kept("whole"));
}

#[test]
fn a_sequential_trial_that_reaches_its_limit_goes_on_when_it_is_run_again() {
    let dir = Dir::new();
    // Eleven fits take more than the limit, so that no single attempt can finish.
    dir.write("steps.toml", &benchmark(300));
    let first = dir.run("run steps.toml --timeout 2");
    assert_eq!(first.code, Some(3), "{}", first.last());
    let mut attempts = 1;
    while dir.run("run steps.toml --timeout 2").code != Some(0) {
        attempts += 1;
        assert!(attempts < 20, "the trial does not go on");
    }
}
