//! Fetch, verify and describe data by the built program.

use std::{env, fs};

use uqbench_data::Manifest;
use uqbench_system::hash::sha256;

use super::command::{Dir, files};
use super::mocks;
use super::wording::{self, counts};

#[test]
fn bundled_data_are_verified_and_described() {
    let dir = Dir::new();
    let verified = dir.run("data verify yacht motorcycle-94").code(0);
    assert_eq!(verified.counts(), [2, 2, 0, 0], "ok, of all, unavailable, wrong");
    insta::assert_snapshot!(verified.last(), @"2 of 2 datasets ok, 0 unavailable, 0 wrong");
    let described = dir.run("data describe motorcycle-94").code(0);
    assert!(described.out.starts_with("motorcycle-94: "), "{}", described.out);
    assert!(
        described.out.contains("94 rows, 1 feature") && described.out.contains("(target)"),
        "{}",
        described.out
    );
    assert!(!dir.path("cache").exists(), "reading bundled data writes nothing");
}

#[test]
fn a_table_of_ones_own_is_described_by_its_columns() {
    let dir = Dir::new();
    let line = |i: usize| {
        format!(
            "{},{},{}\n",
            if i == 7 { String::new() } else { i.to_string() },
            ["a", "b"][i % 2],
            i / 2
        )
    };
    dir.write("my.csv", &format!("x,colour,price\n{}", (0..80).map(line).collect::<String>()));
    let ended = dir.run("data describe my.csv --target price").code(0);
    let words = |name: &str| {
        let line = ended
            .out
            .lines()
            .find(|line| line.starts_with(name))
            .unwrap_or_else(|| panic!("{name}: {}", ended.out));
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(ended.out.starts_with("my.csv: price\n"), "{}", ended.out);
    // Rows, features, and the columns that they are made of, of all columns.
    let sizes = ended.out.lines().nth(1).unwrap();
    assert_eq!(counts(sizes), [80, 3, 2, 3]);
    insta::assert_snapshot!(sizes, @"80 rows, 3 features made of 2 of 3 columns");
    assert_eq!(
        words("column"),
        ["column", "type", "missing", "min", "mean", "sd", "max", "levels"]
    );
    assert_eq!(words("x ")[1..4], ["number", "1", "0"]);
    assert_eq!(words("colour ")[1..], ["category", "0", "2:", "\"a\"", "40,", "\"b\"", "40"]);
    assert_eq!(words("price ")[1..5], ["number", "0", "0", "19.5"]);
    assert_eq!(words("price ").last().unwrap(), "(target)");
    assert!(ended.out.contains("\n40 distinct targets\n"), "{}", ended.out);
    insta::assert_snapshot!(wording::line(&ended.out, &["note: ", "\"x\""]), @r#"note: the column "x" is missing in 1 row: one more feature says where; boosted trees take it as missing, and every other fit, that of a stack among them, fills in the median of its training rows"#);
    let without = dir.run("data describe my.csv --target price --drop colour").code(0);
    assert_eq!(counts(without.out.lines().nth(1).unwrap()), [80, 2, 1, 3]);
    dir.run("data describe my.csv").code(2).says("my.csv is a file").says("--target COLUMN");
    dir.run("data describe my.csv --target prise").code(2).says("did you mean `price`?");
    dir.run("data describe nowhere.csv --target price").code(1).says("nowhere.csv");
    dir.run("data describe yacht --drop x").code(2).says("--target");
}

#[test]
fn a_named_dataset_that_no_source_has_is_a_failure() {
    let dir = Dir::new();
    let ended = dir.run("data fetch motorcycle").code(1);
    assert!(
        ended.out.contains("unavailable  motorcycle") || ended.out.contains("motorcycle"),
        "{}",
        ended.out
    );
    assert_eq!(ended.counts(), [0, 1, 1, 0]);
}

#[test]
fn wrong_bytes_name_both_hashes_and_no_trial_uses_them() {
    let dir = Dir::new();
    let file = &Manifest::shipped().unwrap().get("motorcycle").unwrap().files[0];
    fs::create_dir_all(dir.path("mirror/motorcycle")).unwrap();
    fs::write(dir.path("mirror/motorcycle").join(&file.name), "something else").unwrap();
    let found = sha256(b"something else");

    let fetched = dir.run("data fetch motorcycle --mirror mirror").code(1);
    assert!(fetched.out.contains(&file.sha256) && fetched.out.contains(&found), "{}", fetched.out);
    assert!(
        files(&dir.path("cache")).keys().all(|path| !path.ends_with(&file.name)),
        "wrong bytes are not kept"
    );

    dir.write("mocks.toml", &mocks::on("motorcycle", &mocks::answering(1, 0), 2));
    for isolation in ["thread", "process"] {
        let words = format!("run mocks.toml --mirror mirror --isolation {isolation}");
        let ended = dir.run(&words).code(3).says(&file.sha256).says(&found);
        assert_eq!(ended.counts(), [0, 2, 0, 0, 2]);
        assert!(ended.last().ends_with("2 bad data"), "{}", ended.last());
        assert!(dir.kept("store").is_empty());
    }
}

#[test]
fn four_processes_fetch_into_one_cache() {
    let Ok(mirror) = env::var("UQBENCH_MIRROR") else {
        println!("not tested: UQBENCH_MIRROR names no mirror");
        return;
    };
    let dir = Dir::new();
    let words = format!("data fetch motorcycle kin40k --mirror {mirror}");
    let all: Vec<_> = (0..4).map(|_| dir.start(&words)).collect();
    for started in all {
        assert_eq!(started.end().code(0).counts(), [2, 2, 0, 0]);
    }
    assert_eq!(dir.run("data verify motorcycle kin40k").code(0).counts(), [2, 2, 0, 0]);
    assert!(
        files(&dir.path("cache")).keys().all(|path| !path.contains("tmp")),
        "temporary files are left"
    );
}
