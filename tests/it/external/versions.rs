//! Versions of external methods: in stores that are joined, in stores that go on, and in the gate.

use std::fs;

use uqbench_judge::evidence::versions::{SeveralVersions, several_versions};
use uqbench_run::benchmark::{Profile, find};
use uqbench_run::runner::plan::{Filter, plan};
use uqbench_run::runner::store::Store;

use super::super::command::{Dir, Ended, Limited};
use super::{DESCRIPTION, script};

const BENCHMARK: &str = r#"
id = "own"
title = "Own"
protocol = { k-fold = { folds = 5 } }
datasets = [{ key = "motorcycle-94", heading = "Motorcycle" }, { key = "yacht", heading = "Yacht" }]
metrics = [{ id = "crps", heading = "CRPS" }]
methods = [
  { id = "linear-gaussian", columns = [{ heading = "Linear" }] },
  { id = "external", parameters = { name = "Mine", command = ["sh", "mine.sh"], files = ["mine.sh"] }, columns = [{ heading = "Mine" }] },
]
[profiles.smoke]
splits = 2
[profiles.quick]
splits = 5
[profiles.full]
splits = 5
"#;

/// A script that predicts the training mean plus `$SHIFT`, with a variance that is `factor` times
/// too large. Its version is `$MINE`.
fn mine(factor: u32) -> String {
    let description = DESCRIPTION.replace("\"1\"", "\"'$MINE'\"");
    let moments = format!(
        "awk -v shift=\"${{SHIFT:-0}}\" 'NR == FNR {{ s += $1; q += $1 * $1; n++; next }}\n\
         {{ printf \"%.17g\\n\", s / n + shift > \"mean.csv\"; printf \"%.17g\\n\", {factor} * (q \
         / n - (s / n) ^ 2) > \"variance.csv\" }}' y_train.csv X_test.csv\n\
         echo '{{\"contract\": 1, \"form\": \"gaussian\", \"mean\": \"mean.csv\", \"variance\": \
         \"variance.csv\"}}' > response.json"
    );
    script(&description, &moments)
}

fn new() -> Dir {
    let dir = Dir::new();
    dir.write("own.toml", BENCHMARK);
    dir.write("mine.sh", &mine(1));
    dir
}

/// Runs the benchmark with this version of the method.
#[track_caller]
fn run(dir: &Dir, version: &str, words: &str) -> Ended {
    let words = format!("run own.toml --allow-external {words}");
    let shift = if version == "2.0" { "500" } else { "0" };
    let output = dir.command(&words).env("MINE", version).env("SHIFT", shift).ended();
    Ended::of(&words, output).code(0)
}

/// What the store says of the versions that it has.
fn several(dir: &Dir, store: &str) -> Vec<SeveralVersions> {
    let store = Store::open_existing(dir.path(store)).unwrap();
    let mut benchmark = find(dir.path("own.toml").to_str().unwrap()).unwrap();
    let described = |given: &_, place: &_| {
        let given: &uqbench_run::external::given::Given = given;
        store.external(given, given.hashes(place).ok()).unwrap().unwrap()
    };
    let all = vec![true; benchmark.methods.len()];
    benchmark
        .describe_external(&all, &mut |stated| Ok(described(stated.given, stated.place)))
        .unwrap();
    let plans = plan(&[benchmark], Profile::Quick, &Filter::default()).unwrap();
    several_versions(&plans, &store).unwrap()
}

fn row(page: &str, start: &str) -> Vec<String> {
    let line = page
        .lines()
        .find(|line| line.starts_with(start))
        .unwrap_or_else(|| panic!("{start}: {page}"));
    line.split('|').map(|cell| cell.trim().to_owned()).collect()
}

#[test]
fn the_order_of_a_merge_decides_nothing_and_both_versions_are_named() {
    let dir = new();
    run(&dir, "1.0", "--store A --splits 3");
    run(&dir, "2.0", "--store B");
    for (into, sources) in [("AB", "A B"), ("BA", "B A")] {
        dir.run(&format!("store merge {sources} --into {into}")).code(0);
    }
    let status = |store: &str| dir.run(&format!("status own.toml --store {store}")).code(0).out;
    assert_eq!(status("AB"), status("BA"));
    assert_eq!(
        row(&status("AB"), "| own ")[2..4],
        ["20", "20"],
        "the version that has all splits is shown"
    );
    for store in ["AB", "BA"] {
        let [found] = several(&dir, store).try_into().unwrap();
        let counts = [found.shown.trials, found.others[0].trials];
        assert!(found.method == "Mine" && found.others.len() == 1, "{found:?}");
        assert!(counts == [10, 6] || counts == [6, 10], "{found:?}");
        for (trials, version) in [(10, "sh 2.0"), (6, "sh 1.0")] {
            let of = [&found.shown, &found.others[0]]
                .into_iter()
                .find(|version| version.trials == trials)
                .unwrap();
            assert!(of.words.contains(version), "{of:?}");
        }
    }
    let compared = |store: &str| {
        let page = dir
            .run(&format!("compare --benchmarks own.toml --metrics crps --store {store}"))
            .code(0)
            .out;
        for version in ["sh 1.0", "sh 2.0"] {
            assert!(page.contains(version), "{page}");
        }
        fs::read(dir.path("out/comparison.csv")).unwrap()
    };
    assert!(compared("AB") == compared("BA"));
    for store in ["AB", "BA"] {
        let ended = dir.run(&format!("export {store} {store}.csv own.toml")).code(0);
        let ended = ended.says("sh 1.0").says("sh 2.0");
        let reported = dir
            .run(&format!("report own.toml --store {store} --out {store}-report"))
            .code(0)
            .says("sh 1.0");
        drop((ended, reported));
    }
    assert!(fs::read(dir.path("AB.csv")).unwrap() == fs::read(dir.path("BA.csv")).unwrap());
    // A store of one version says nothing of versions.
    assert_eq!(several(&dir, "B"), []);
    assert!(!status("B").contains("sh 2.0"));
}

#[test]
fn a_pack_of_chosen_methods_is_read_back_without_the_programs_of_the_others() {
    let dir = new();
    let text = BENCHMARK.replacen(
        "methods = [",
        "methods = [\n  { id = \"unconditional-gaussian\", columns = [{ heading = \"Constant\" }] \
         },",
        1,
    );
    dir.write("own.toml", &text.replace("\"mine.sh\"", "\"absent.sh\""));
    // A method that is not chosen needs neither its program nor a permission.
    let methods = "--methods linear-gaussian,unconditional-gaussian";
    dir.run(&format!("run own.toml {methods} --profile smoke --store s --out r")).code(0);
    dir.run("run own.toml --profile smoke --store s --out r2").code(1).says("--allow-external");
    dir.run("run own.toml --methods external --profile smoke --store s --out r2")
        .code(1)
        .says("--allow-external");
    dir.run(&format!("store pack s a.pack own.toml {methods} --profile smoke")).code(0);
    dir.run("store pack s b.pack own.toml --profile smoke").code(0);
    for store in ["s", "a.pack", "b.pack"] {
        let ended = dir
            .run(&format!("report own.toml --profile smoke --store {store} --out {store}-report"))
            .code(3);
        assert!(ended.last().contains("4 of 8") || ended.out.contains("8 of 12"), "{}", ended.out);
        let page = fs::read_to_string(dir.path(&format!("{store}-report/own.csv"))).unwrap();
        assert!(page.lines().any(|line| line.contains("Linear")), "{page}");
        let trials =
            fs::read_to_string(dir.path(&format!("{store}-report/own-trials.csv"))).unwrap();
        let of = |method: &str| trials.lines().filter(|line| line.contains(method)).count();
        assert_eq!((of(",external,"), of(",linear-gaussian,")), (4, 4), "{trials}");
        let missing = trials
            .lines()
            .filter(|line| line.contains(",external,") && line.contains("not in the store"));
        assert_eq!(missing.count(), 4, "{trials}");
        dir.run(&format!(
            "compare --benchmarks own.toml --profile smoke --metrics crps --store {store}"
        ))
        .code(0);
        dir.run(&format!("export {store} out.csv own.toml --profile smoke")).code(0);
        let key = trials
            .lines()
            .find(|line| line.contains(",linear-gaussian,"))
            .unwrap()
            .split(',')
            .next()
            .unwrap();
        dir.run(&format!("show {} own.toml --store {store}", &key[..16])).code(0);
    }
    // What will run needs a description, because it is part of the keys of trials.
    dir.run("plan own.toml --profile smoke --store s").code(1);
    dir.run(&format!("plan own.toml {methods} --profile smoke --store s")).code(0);
}

#[test]
fn of_two_complete_versions_the_newer_one_is_shown_and_a_changed_file_is_named() {
    let dir = new();
    run(&dir, "1.0", "--store A");
    std::thread::sleep(std::time::Duration::from_millis(1100));
    run(&dir, "2.0", "--store B");
    dir.run("store merge B A --into BA").code(0);
    let page =
        dir.run("compare Linear Mine --benchmarks own.toml --metrics crps --store BA").code(0).out;
    let alone =
        dir.run("compare Linear Mine --benchmarks own.toml --metrics crps --store B").code(0).out;
    assert_eq!(row(&page, "| Yacht "), row(&alone, "| Yacht "));
    // The file is the method: what its earlier text gave is not shown, and named.
    dir.write("mine.sh", &mine(100));
    let status = dir.run("status own.toml --store BA").code(3).out;
    assert_eq!(row(&status, "| own ")[2..4], ["20", "10"]);
    let [found] = several(&dir, "BA").try_into().unwrap();
    assert_eq!((found.shown.trials, found.others.len()), (0, 2));
}

/// The numbers of columns by kind of change, and the means of the method before and after on each
/// dataset.
fn changes(dir: &Dir, words: &str) -> (Vec<usize>, Vec<(f64, f64)>) {
    let page =
        dir.run(&format!("compare {words} --benchmarks own.toml --metrics crps")).code(0).out;
    let counts = row(&page, "| CRPS ").iter().filter_map(|cell| cell.parse().ok()).collect();
    let mean = |cell: &str| {
        let scores: Vec<f64> = cell.split(' ').map(|score| score.parse().unwrap()).collect();
        scores.iter().sum::<f64>() / scores.len() as f64
    };
    let mut file = csv::Reader::from_path(dir.path("out/stores.csv")).unwrap();
    let rows = file.records().map(Result::unwrap).filter(|row| &row[2] == "Mine");
    (counts, rows.map(|row| (mean(&row[5]), mean(&row[6]))).collect())
}

#[test]
fn a_changed_method_is_compared_with_what_it_was_in_a_store_that_went_on_and_in_a_fresh_one() {
    let dir = new();
    run(&dir, "1.0", "--store old");
    run(&dir, "1.0", "--store on");
    // A trial's start is known to the second.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    dir.write("mine.sh", &mine(100));
    run(&dir, "1.0", "--store on");
    run(&dir, "1.0", "--store fresh");
    for words in ["old on", "old fresh", "on on"] {
        let (counts, means) = changes(&dir, words);
        assert_eq!(counts[1] + counts[2], 2, "{words}: worse on both datasets, {counts:?}");
        assert_eq!(counts[7], if words == "on on" { 0 } else { 2 }, "{words}: {counts:?}");
        assert!(
            means.len() == 2 && means.iter().all(|(before, after)| *after > 2.0 * before),
            "{words}: {means:?}"
        );
    }
    // The other way around it got better.
    let (counts, _) = changes(&dir, "fresh old");
    assert_eq!((counts[1] + counts[2], counts[5] + counts[3]), (0, 2), "{counts:?}");
    dir.run("compare old old --benchmarks own.toml --metrics crps").code(1);
}

#[test]
fn a_comment_or_another_command_changes_nothing() {
    let dir = new();
    run(&dir, "1.0", "--store old");
    dir.write("mine.sh", &format!("{}\n# A comment.\n", mine(1)));
    run(&dir, "1.0", "--store fresh");
    assert_eq!(changes(&dir, "old fresh").0, [0, 0, 0, 0, 0, 0, 0, 4]);
    dir.write(
        "own.toml",
        &BENCHMARK.replace("[\"sh\", \"mine.sh\"]", "[\"sh\", \"-e\", \"mine.sh\"]"),
    );
    run(&dir, "1.1", "--store other");
    assert_eq!(changes(&dir, "old other").0, [0, 0, 0, 0, 0, 0, 0, 4]);
}

#[test]
fn the_gate_takes_a_method_of_the_command_line_and_a_part_of_the_methods_and_splits() {
    let dir = new();
    let text = BENCHMARK
        .lines()
        .filter(|line| !line.contains("\"external\""))
        .collect::<Vec<_>>()
        .join("\n");
    dir.write("own.toml", &text);
    let gate = |words: &str, more: &[&str]| {
        let output = dir.command(words).args(more).env("MINE", "1.0").ended();
        Ended::of(words, output)
    };
    let with = ["--with", "sh mine.sh"];
    gate("run own.toml --splits 3", &with).code(0);
    let check = "check own.toml --against base.toml --profile quick --splits 3";
    gate(&format!("{check} --bless --reason first"), &with).code(0);
    gate(check, &with).code(0);
    gate(&format!("{check} --methods linear-gaussian"), &[]).code(0);
    dir.write("mine.sh", &mine(100));
    gate("run own.toml --splits 3", &with).code(0);
    gate(check, &with).code(4);
    gate(&format!("{check} --methods linear-gaussian"), &[]).code(0);
    gate(
        "check own.toml --against base.toml --profile quick --splits 2 --methods linear-gaussian",
        &[],
    )
    .code(0);
    // Without the method its column is lost.
    gate(check, &[]).code(4);
}

#[test]
fn a_method_of_the_command_line_with_the_heading_of_another_column_is_refused() {
    let dir = new();
    dir.write("Linear.sh", &mine(1));
    let output = dir
        .command("run own.toml --allow-external")
        .args(["--with", "sh Linear.sh"])
        .env("MINE", "1")
        .ended();
    Ended::of("run own.toml --with", output).code(1).says("`Linear`");
}
