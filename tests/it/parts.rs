//! Commands that take a part of a store count what they leave out, and packs are held against what
//! they say.

use std::collections::BTreeMap;
use std::fs;

use sha2::{Digest, Sha256};
use uqbench_run::benchmark::{Benchmark, Profile, find, shipped};
use uqbench_run::runner::left_out::{LeftOut, Reason};
use uqbench_run::runner::plan::{Filter, plan};
use uqbench_run::runner::store::Store;

use super::command::{Dir, files};
use super::mocks;

/// A benchmark of two mocks with one split in `smoke` and `quick`, and three in `full`, whose full
/// profile has run.
fn ran() -> Dir {
    let dir = Dir::new();
    let text = mocks::benchmark(&mocks::answering(2, 0), 1);
    dir.write(
        "own.toml",
        &text.replace("[profiles.full]\nsplits = 1", "[profiles.full]\nsplits = 3"),
    );
    dir.run("run own.toml --profile full").code(0);
    dir
}

fn trials(store: &std::path::Path) -> usize {
    Store::open_existing(store).unwrap().keys_with_failures().unwrap().len()
}

#[test]
fn a_pack_without_a_choice_holds_the_whole_store() {
    let dir = ran();
    // Failures belong to it, too, and benchmarks that the program does not know.
    dir.write("bad.toml", &mocks::benchmark(&[mocks::one("panic")], 1));
    dir.run("run bad.toml").code(3);
    assert_eq!(trials(&dir.path("store")), 7);
    dir.run("store pack store all.pack").code(0);
    dir.run("store merge all.pack --into again").code(0);
    assert_eq!(trials(&dir.path("again")), 7);
    assert!(dir.kept("again") == dir.kept("store"), "with all predictions");
    dir.run("report own.toml --profile full --from all.pack --out packed").code(0);
    dir.run("report own.toml --profile full --out stored").code(0);
    assert!(files(&dir.path("packed")) == files(&dir.path("stored")));
}

/// What plans of a benchmark under a profile leave out of the store.
fn left_out(dir: &Dir, benchmark: &Benchmark, profile: Profile) -> BTreeMap<Reason, usize> {
    let plans = plan(std::slice::from_ref(benchmark), profile, &Filter::default()).unwrap();
    let store = Store::open_existing(dir.path("store")).unwrap();
    let stored: Vec<_> = store.keys_with_failures().unwrap().into_iter().collect();
    LeftOut::count(&store, &stored, &plans, shipped().unwrap()).unwrap().reasons
}

#[test]
fn what_a_choice_leaves_out_is_counted_by_benchmark_profile_and_reason() {
    let dir = ran();
    dir.run("run own.toml --splits 5").code(0);
    dir.run("run dtb-figure-3 --profile smoke").code(0);
    for words in [
        "own.toml",
        "own.toml --whole",
        "own.toml --profile full",
        "dtb-figure-3 --profile smoke",
        "--profile smoke",
    ] {
        dir.run(&format!("store pack store part.pack {words}")).code(3);
        assert!(dir.path("part.pack").is_file(), "what was chosen is written");
    }
    let own = find(dir.path("own.toml").to_str().unwrap()).unwrap();
    let (benchmark, shipped) = (|| "mocks".to_owned(), || "dtb-figure-3".to_owned());
    let of_shipped = (
        Reason::NotChosen { benchmark: shipped(), profile: Profile::Smoke },
        trials(&dir.path("store")) - 10,
    );
    let more = (Reason::MoreSplits { benchmark: benchmark() }, 4);
    let full = (Reason::NotChosen { benchmark: benchmark(), profile: Profile::Full }, 4);
    let quick = left_out(&dir, &own, Profile::Quick);
    assert_eq!(quick, BTreeMap::from([of_shipped.clone(), more.clone(), full]));
    assert_eq!(left_out(&dir, &own, Profile::Full), BTreeMap::from([of_shipped, more]));
    // Where its file is not named nobody knows the benchmark.
    let others = left_out(&dir, &find("dtb-figure-2").unwrap(), Profile::Full);
    let unknown = |reason: &&Reason| matches!(reason, Reason::UnknownBenchmark { method, .. } if method == "mock");
    assert_eq!(
        others.iter().filter(|(reason, _)| unknown(reason)).map(|(_, count)| count).sum::<usize>(),
        10
    );
}

#[test]
fn a_choice_that_leaves_nothing_out_is_done() {
    let dir = ran();
    dir.run("store pack store full.pack own.toml --profile full").code(0);
    dir.run("store pack store whole.pack own.toml --profile full --whole").code(0);
    for pack in ["full.pack", "whole.pack"] {
        dir.run(&format!("store merge {pack} --into from-{pack}-store")).code(0);
        assert_eq!(trials(&dir.path(&format!("from-{pack}-store"))), 6);
    }
}

/// One trial of a pack: its key, and its files by name.
type Trial = (String, Vec<(String, Vec<u8>)>);

fn unpacked(pack: &[u8]) -> Vec<Trial> {
    let content = pack.splitn(3, |byte| *byte == b'\n').last().unwrap();
    let all = zstd::decode_all(content).unwrap();
    let (mut rest, mut trials) = (&all[..], Vec::new());
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap();
        let head: serde_json::Value = serde_json::from_slice(&rest[..end]).unwrap();
        rest = &rest[end + 1..];
        let mut found = Vec::new();
        for file in head["files"].as_array().unwrap() {
            let (body, after) = rest.split_at(usize::try_from(file[1].as_u64().unwrap()).unwrap());
            found.push((file[0].as_str().unwrap().to_owned(), body.to_vec()));
            rest = after;
        }
        trials.push((head["key"].as_str().unwrap().to_owned(), found));
    }
    trials
}

/// A pack of these trials, with a right checksum.
fn packed(trials: &[Trial]) -> Vec<u8> {
    let mut content = Vec::new();
    for (key, files) in trials {
        let lengths: Vec<_> = files.iter().map(|(name, body)| (name, body.len())).collect();
        content.extend(
            format!("{}\n", serde_json::json!({ "key": key, "files": lengths })).into_bytes(),
        );
        files.iter().for_each(|(_, body)| content.extend(body));
    }
    let content = zstd::encode_all(&content[..], 1).unwrap();
    let hash: String = Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
    [format!("uqbench-pack 2\n{hash}\n").as_bytes(), &content].concat()
}

/// Every root mean square error in a cache of scores becomes 0.001.
fn falsified(trials: &mut [Trial]) {
    for (name, body) in
        trials.iter_mut().flat_map(|(_, files)| files).filter(|(name, _)| name == "scores.json")
    {
        let mut cache: serde_json::Value = serde_json::from_slice(body).unwrap();
        for scores in cache["scores"].as_object_mut().unwrap().values_mut() {
            assert!(scores["rmse@1"].as_f64().unwrap() > 0.01, "{name}");
            scores["rmse@1"] = 0.001.into();
        }
        *body = serde_json::to_vec(&cache).unwrap();
    }
}

/// The mean root mean square errors of a report from this pack.
fn errors(dir: &Dir, pack: &str) -> Vec<f64> {
    dir.run(&format!("report own.toml --profile full --from {pack} --out of-{pack} --formats csv"))
        .code(0);
    let mut reader = csv::Reader::from_path(dir.path(&format!("of-{pack}/mocks.csv"))).unwrap();
    let head = reader.headers().unwrap().clone();
    let at = |name: &str| {
        head.iter()
            .position(|own| own.eq_ignore_ascii_case(name))
            .unwrap_or_else(|| panic!("{head:?}"))
    };
    let (metric, mean) = (at("metric"), at("mean"));
    let rows = reader.records().map(Result::unwrap);
    rows.filter(|row| &row[metric] == "rmse").map(|row| row[mean].parse().unwrap()).collect()
}

#[test]
fn scores_of_a_pack_are_held_against_its_predictions_in_any_order() {
    let dir = ran();
    dir.run("store pack store true.pack").code(0);
    let mut trials = unpacked(&fs::read(dir.path("true.pack")).unwrap());
    fs::write(dir.path("same.pack"), packed(&trials)).unwrap();
    falsified(&mut trials);
    fs::write(dir.path("false.pack"), packed(&trials)).unwrap();
    dir.run("store check --store same.pack").code(0);
    dir.run("store check --store false.pack").code(3);
    // Pages show the scores of the predictions.
    assert_eq!(errors(&dir, "false.pack"), errors(&dir, "true.pack"));
    for (at, sources) in
        ["false.pack true.pack", "true.pack false.pack", "false.pack"].iter().enumerate()
    {
        dir.run(&format!("store merge {sources} --into joined-{at}")).code(1);
        assert!(!dir.path(&format!("joined-{at}")).exists(), "{sources}");
    }
    dir.run("store merge same.pack true.pack --into joined").code(0);
    // Without predictions nobody can tell which is right, and both orders say that they differ.
    let without = |trials: &[Trial]| -> Vec<Trial> {
        let but_rows = |files: &[(String, Vec<u8>)]| {
            files.iter().filter(|(name, _)| name != "rows.parquet").cloned().collect()
        };
        trials.iter().map(|(key, files)| (key.clone(), but_rows(files))).collect()
    };
    fs::write(dir.path("bare-false.pack"), packed(&without(&trials))).unwrap();
    let honest = unpacked(&fs::read(dir.path("true.pack")).unwrap());
    fs::write(dir.path("bare-true.pack"), packed(&without(&honest))).unwrap();
    for (at, sources) in
        ["bare-false.pack bare-true.pack", "bare-true.pack bare-false.pack"].iter().enumerate()
    {
        dir.run(&format!("store merge {sources} --into bare-{at}")).code(1);
    }
    dir.run("store merge bare-true.pack store --into bare").code(0);
}

#[test]
fn one_trial_twice_in_a_pack_is_refused_where_the_two_differ() {
    let dir = ran();
    dir.run("store pack store true.pack").code(0);
    let mut trials = unpacked(&fs::read(dir.path("true.pack")).unwrap());
    trials.push(trials[0].clone());
    fs::write(dir.path("twice.pack"), packed(&trials)).unwrap();
    dir.run("store check --store twice.pack").code(0);
    let last = trials.len() - 1;
    falsified(&mut trials[last..]);
    fs::write(dir.path("two.pack"), packed(&trials)).unwrap();
    dir.run("store check --store two.pack").code(1);
}

#[test]
fn a_pack_that_claims_far_more_than_its_bytes_is_refused_at_once() {
    let dir = Dir::new();
    let key = "ab".repeat(32);
    let files = vec![("rows.parquet".to_owned(), vec![0; 600 << 20])];
    let bomb = packed(&[(key, files)]);
    assert!(bomb.len() < 1 << 20);
    fs::write(dir.path("bomb.pack"), bomb).unwrap();
    dir.run("store check --store bomb.pack").code(1);
}
