//! Numbers without bounds are refused where they are read, with the limit in the error; large
//! inputs take time in proportion to their size.

use std::time::{Duration, Instant};

use crate::command::{Dir, Limited, wait_until};
use crate::mocks;

#[test]
fn numbers_out_of_range_are_refused_with_the_limit() {
    let dir = Dir::new();
    let good = mocks::benchmark(&mocks::answering(1, 0), 1);
    let huge = "9223372036854775807";
    let cases = [
        (
            "\"rmse\"",
            "\"max-fold-mse(folds=4294967296)\"".to_owned(),
            "folds is '4294967296', expected a whole number from 1 to 100000",
        ),
        (
            "\"rmse\"",
            format!("\"max-fold-mse(folds={huge})\""),
            "expected a whole number from 1 to 100000",
        ),
        (
            "\"rmse\"",
            format!("\"coverage-by-width(groups={huge})\""),
            "expected a whole number from 1 to 100000",
        ),
        ("splits = 1", format!("splits = {huge}"), "splits, expected at most 100000"),
        ("splits = 1", format!("splits = 1\nseeds = {{ count = {huge}, splits = 2 }}"), "seeds"),
        (
            "{ holdout = { test = { fraction = 0.2 } } }",
            format!("{{ k-fold = {{ folds = {huge} }} }}"),
            "expected at most 100000 of both",
        ),
        (
            "{ holdout = { test = { fraction = 0.2 } } }",
            format!("{{ k-fold = {{ folds = 2, repeats = {huge} }} }}"),
            "expected at most 100000 of both",
        ),
        (
            "{ holdout = { test = { fraction = 0.2 } } }",
            format!("{{ active-learning = {{ start = {huge}, added = 1 }} }}"),
            "expected 1 to 100000 of both",
        ),
        (
            "metrics =",
            format!("ask = {{ samples = {huge} }}\nmetrics ="),
            "samples, expected 1 to 1000000",
        ),
        (
            "metrics =",
            "limits = { memory = \"64 MiB\" }\nmetrics =".to_owned(),
            "expected 256 MiB to 16384 GiB",
        ),
        (
            "metrics =",
            "limits = { wall = \"1000 h\" }\nmetrics =".to_owned(),
            "expected 1 s to 720 h",
        ),
    ];
    for (from, to, expected) in cases {
        assert!(good.contains(from), "{from}");
        dir.write("mine.toml", &good.replace(from, &to));
        let start = Instant::now();
        let ended = dir.run("run mine.toml").code(1).says(expected);
        assert!(ended.out.is_empty() && !ended.err.contains("panicked"), "{to}: {ended:?}");
        assert!(start.elapsed() < Duration::from_secs(20), "{to}");
    }
    dir.write("mine.toml", &good);
    for words in [
        "--timeout 18446744073709551615",
        "--timeout 2592001",
        "--splits 100001",
        "--memory 18446744073709551615",
    ] {
        dir.run(&format!("run mine.toml {words}")).code(2).says("is not in ");
    }
    dir.run("run mine.toml --timeout 2592000").code(0);
    dir.run("run mine.toml --timeout 2592000 --isolation thread").code(0);
}

#[test]
fn a_table_of_a_hundred_thousand_columns_is_read_in_proportion() {
    let dir = Dir::new();
    let columns: Vec<String> = (0..100_000).map(|j| format!("column-{j}")).collect();
    let mut text = columns.join(",") + "\n";
    for row in 0..25_u64 {
        let cell = |j: u64| ((row * 7919 + j * 104_729) % 1009).to_string();
        text += &((0..100_000).map(cell).collect::<Vec<_>>().join(",") + "\n");
    }
    dir.write("wide.csv", &text);
    let start = Instant::now();
    // Everything is read and checked before the other header of the new rows is reported.
    dir.write("new.csv", "a,b\n1,2\n");
    dir.run("try --verbose wide.csv --target column-0 --predict new.csv --out pred.csv")
        .code(1)
        .says("no such column");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    // Repeated names get numbers. Comparing every name with every other one would take five minutes
    // here.
    let header: Vec<String> =
        (0..400_000).map(|j| format!("column-{}", if j == 399_999 { 7 } else { j })).collect();
    dir.write("twice.csv", &(header.join(",") + "\n1\n"));
    let start = Instant::now();
    dir.run("try --verbose twice.csv --target column-0")
        .code(1)
        .says("line 2: found 1 cell, expected 400000");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn try_reports_its_expected_time_and_soon_its_progress() {
    let dir = Dir::new();
    let header: Vec<String> = (0..3000).map(|j| format!("x{j}")).chain(["y".into()]).collect();
    let mut text = header.join(",") + "\n";
    for row in 0..60_u64 {
        let cell = |j: u64| (((row + 3) * (j + 5) * 7919 + row * row * 31) % 10_007).to_string();
        text += &((0..3001).map(cell).collect::<Vec<_>>().join(",") + "\n");
    }
    dir.write("wide.csv", &text);
    let err = std::fs::File::create(dir.path("err")).unwrap();
    let start = Instant::now();
    let mut child = dir
        .command("try --verbose wide.csv --target y")
        .stderr(err)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let said = |part: &str| std::fs::read_to_string(dir.path("err")).unwrap().contains(part);
    wait_until(
        || {
            said("fits of 48 rows and 3000 features, expected to take about ")
                || child.try_wait().unwrap().is_some()
        },
        "the cost",
    );
    wait_until(
        || said("try: 0/") || said(" fits, about ") || child.try_wait().unwrap().is_some(),
        "progress",
    );
    let told = start.elapsed();
    let is_over = child.try_wait().unwrap().is_some();
    let _ = child.kill();
    child.ended();
    assert!(
        said("expected to take about "),
        "{}",
        std::fs::read_to_string(dir.path("err")).unwrap()
    );
    assert!(is_over || told < Duration::from_secs(30), "{told:?}");
}

#[test]
fn what_is_no_regular_file_is_refused_before_it_is_read() {
    use std::os::unix::fs::symlink;
    let dir = super::stored();
    let record = super::first(&dir.path("store"), "result.json");
    std::fs::rename(&record, dir.path("aside")).unwrap();
    let start = Instant::now();
    let mut endings = Vec::new();
    symlink("/dev/zero", &record).unwrap();
    endings.push(dir.run("store check --store store").code(3));
    endings.push(dir.run("report mocks.toml").code(3));
    std::fs::remove_file(&record).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&record).status().unwrap().success());
    endings.push(dir.run("store check --store store").code(3));
    std::fs::remove_file(&record).unwrap();
    // A file that claims to have a terabyte is damaged, and is not read.
    std::fs::File::create(&record).unwrap().set_len(1 << 40).unwrap();
    endings.push(dir.run("store check --store store").code(3));
    std::fs::remove_file(&record).unwrap();
    std::fs::rename(dir.path("aside"), &record).unwrap();
    dir.run("store check --store store").code(0);
    for bad in ["link", "pipe"] {
        let marker = dir.path("store/uqbench-store.toml");
        std::fs::remove_file(&marker).unwrap();
        match bad {
            "link" => symlink("/dev/zero", &marker).unwrap(),
            _ => assert!(
                std::process::Command::new("mkfifo").arg(&marker).status().unwrap().success()
            ),
        }
        endings.push(dir.run("status mocks.toml").code(1));
    }
    std::fs::create_dir_all(dir.path("mirror/motorcycle")).unwrap();
    symlink("/dev/zero", dir.path("mirror/motorcycle/mcycle.csv")).unwrap();
    let mirror = dir.path("mirror").display().to_string();
    endings.push(dir.run(&format!("data fetch motorcycle --mirror {mirror}")).code(1));
    assert!(start.elapsed() < Duration::from_secs(120), "{:?}", start.elapsed());
    for ended in endings {
        assert!(!ended.err.contains("panicked"), "{ended:?}");
    }
}

#[test]
fn a_file_of_separators_is_refused_by_its_size() {
    let dir = Dir::new();
    std::fs::write(dir.path("empty.csv"), b",\n".repeat(20_000_000)).unwrap();
    let start = Instant::now();
    dir.run("audit empty.csv --target y").code(1);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn the_id_of_a_benchmark_is_no_name_of_another_page() {
    let dir = Dir::new();
    for id in ["index", "scorecard", "trial-0123456789abcdef"] {
        let text = mocks::benchmark(&mocks::answering(1, 0), 1);
        dir.write("mine.toml", &text.replace("id = \"mocks\"", &format!("id = \"{id}\"")));
        dir.run("run mine.toml").code(1);
        assert!(!dir.path("out").exists(), "{id}");
    }
}

#[test]
fn notes_of_a_benchmark_file_show_tags_of_html_as_text() {
    let dir = Dir::new();
    let text = mocks::benchmark(&mocks::answering(1, 0), 1);
    let notes = "notes = \"\"\"\n<script>alert(1)</script>\n\nA *word*, `a < b`, 1 < 2 and <img \
                 src=x onerror=y> <https://a.example>.\n\"\"\"\n";
    dir.write("mine.toml", &text.replacen("datasets =", &format!("{notes}datasets ="), 1));
    dir.run("run mine.toml").code(0);
    let page = std::fs::read_to_string(dir.path("out/mocks.md")).unwrap();
    assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
    for kept in ["alert(1)", "*word*", "`a < b`", "1 < 2", "<https://a.example>"] {
        assert!(page.contains(kept), "{kept} is not in {page}");
    }
}
