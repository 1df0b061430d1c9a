//! Repeat splits with other seeds: the same rows, other draws, and numbers that only the table of
//! variances contains.

use std::fs;

use uq_methods::CancelToken;
use uqbench_data::Library;
use uqbench_run::benchmark::{Benchmark, Profile};
use uqbench_run::runner::execute::{Executor, InProcess, Job};
use uqbench_run::runner::key::TrialSpec;
use uqbench_run::runner::layout::decode;
use uqbench_run::runner::plan::{Filter, Plan, plan};
use uqbench_run::runner::record::TrialRecord;

use super::command::{Dir, files};
use super::determinism::no_sources;

const SEEDS: &str = "seeds = { count = 3, splits = 2 }\n";

/// Trees weighed by DTB, as a main row and as a variant, a tree that draws nothing, and the
/// anchors, on a main dataset and on a variant: 11 experiments of 3 splits, one of which the
/// profiles `quick` and `full` repeat with two other seeds.
fn benchmark() -> String {
    let dtb = |learners: usize| {
        format!(
            "[[methods]]\nid = \"dtb\"\n\
             parameters = {{ uq_set = \"shared\", bins = 5, learners = [{{ id = \"tree\", count = \
             {learners}, parameters = {{ max_depth = 3 }} }}] }}\n\
             columns = [{{ reading = \"game\", heading = \"Game {learners}\" }}, {{ reading = \
             \"uniform\", heading = \"Uniform {learners}\" }}]\n"
        )
    };
    format!(
        "id = \"seeds\"\npaper = \"none\"\nartefact = \"Table 0\"\ntitle = \
         \"Seeds\"\nprotocol_source = \"printed\"\n\
         protocol = {{ holdout = {{ test = {{ fraction = 0.2 }} }} }}\nanchors = true\n\
         datasets = [{{ key = \"motorcycle-94\", heading = \"Data\" }}, {{ key = \"yacht\", \
         heading = \"Other\", variant = \"other data\" }}]\n\
         metrics = [{{ id = \"rmse\", heading = \"RMSE\" }}]\n\
         {}[[methods]]\nid = \"tree\"\ncolumns = [{{ heading = \"Tree\" }}]\n{}variant = \"five\"\n\
         [profiles.smoke]\nsplits = 3\n[profiles.quick]\nsplits = \
         3\n{SEEDS}[profiles.full]\nsplits = 3\n{SEEDS}",
        dtb(3),
        dtb(5),
    )
}

/// The plan of a benchmark file.
fn planned(text: &str) -> Plan {
    let benchmark = Benchmark::parse("seeds", text).unwrap();
    plan(&[benchmark], Profile::Quick, &Filter::default()).unwrap().remove(0)
}

/// Runs one trial here.
fn run(spec: &TrialSpec) -> TrialRecord {
    let library = Library::new(no_sources());
    InProcess::new(&library, 1).execute(&Job::new(spec.clone()), &CancelToken::default()).unwrap()
}

/// The rows of the table of variances, each of them its cells.
fn variances(page: &str) -> Vec<Vec<&str>> {
    let section = page.split("## Variance over splits and over seeds\n").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

#[test]
fn other_seeds_are_run_and_counted_and_only_the_table_of_variances_uses_them() {
    let dir = Dir::new();
    dir.write("seeds.toml", &benchmark());
    let ended = dir.run("run seeds.toml").code(0);
    assert_eq!(ended.counts(), [37, 37, 0, 37]);
    assert!(ended.out.contains("; 37 of 37 "), "{}", ended.out);
    assert!(dir.run("status seeds.toml").code(0).out.contains("|       37 |       37 |"));

    let page = dir.page("out/seeds.md");
    let rows = variances(&page);
    let names: Vec<[&str; 3]> = rows.iter().map(|row| [row[0], row[1], row[6]]).collect();
    assert_eq!(
        names[..3],
        [["Data", "Game 3", "2 × 3"], ["Data", "Uniform 3", "2 × 3"], ["Data", "Tree", "2 × 1"]]
    );
    assert_eq!(
        rows.len(),
        3 + 3,
        "and the anchors; neither a variant of the method nor one of the data"
    );
    assert!(
        rows[0][4].parse::<f64>().unwrap() > 0.0 && rows[0][5].ends_with(" %"),
        "{:?}",
        rows[0]
    );
    assert!(rows[2][4].parse::<f64>().is_err(), "it draws nothing: {:?}", rows[2]);
    insta::assert_snapshot!(rows[2][4..6].join(" | "), @"none: draws nothing | –");

    // Without them everything else is the same.
    let csv = fs::read(dir.path("out/seeds.csv")).unwrap();
    dir.write("seeds.toml", &benchmark().replace(SEEDS, ""));
    let ended = dir.run("run seeds.toml").code(0);
    assert_eq!(ended.counts(), [33, 33, 33, 0]);
    assert!(fs::read(dir.path("out/seeds.csv")).unwrap() == csv);
    let without = dir.page("out/seeds.md");
    let (before, after) = page.split_once("## Variance over splits and over seeds").unwrap();
    let after = after.split_once("\n## ").unwrap().1;
    assert_eq!(format!("{before}## {after}").replace("37 of 37 ", "33 of 33 "), without);
}

#[test]
fn a_run_continues_with_other_seeds_and_reuses_them() {
    let dir = Dir::new();
    dir.write("seeds.toml", &benchmark());
    let smoke = dir.run("run seeds.toml --profile smoke").code(0);
    assert_eq!(smoke.counts(), [33, 33, 0, 33]);
    let part = dir.run("report seeds.toml").code(3);
    assert!(part.counts() == [33, 37, 33, 0, 4] && part.last().ends_with("4 not run"), "{part:?}");
    let page = dir.page("out/seeds.md");
    assert_eq!(variances(&page)[0][3..], ["–", "–", "–", "0 × 3"], "no split has all seeds");
    let quick = dir.run("run seeds.toml").code(0);
    assert_eq!(quick.counts(), [37, 37, 33, 4]);
    let again = dir.run("run seeds.toml").code(0);
    assert_eq!(again.counts(), [37, 37, 37, 0]);
    dir.run("run seeds.toml --isolation thread --store threads").code(0);
    assert!(dir.kept("store") == dir.kept("threads"));

    // Only a split with all of its seeds counts.
    let all = files(&dir.path("store/trials"));
    let of_other_seed = |text: &[u8]| String::from_utf8_lossy(text).contains("\"seed\": 1");
    let (result, _) = all
        .iter()
        .find(|(name, text)| name.ends_with("result.json") && of_other_seed(text))
        .unwrap();
    fs::remove_dir_all(dir.path("store/trials").join(result).parent().unwrap()).unwrap();
    dir.run("report seeds.toml").code(3);
    let page = dir.page("out/seeds.md");
    assert_eq!(variances(&page)[0][3..], ["–", "–", "–", "1 × 3"]);
    let repaired = dir.run("run seeds.toml").code(0);
    assert_eq!(repaired.counts(), [37, 37, 36, 1]);
}

#[test]
fn filters_of_the_command_line_also_apply_to_other_seeds() {
    let dir = Dir::new();
    dir.write("seeds.toml", &benchmark());
    for (options, expected) in [
        ("--splits 1", 11), // one split has no variance over splits to compare with
        ("--splits 2", 22 + 4),
        ("--methods tree", 6),
        ("--methods dtb", 9 + 4),
        ("--datasets yacht", 15),
        ("--datasets motorcycle-94 --methods dtb", 6 + 4),
    ] {
        let ended = dir.run(&format!("run seeds.toml {options}")).code(0);
        assert_eq!(ended.counts()[..2], [expected; 2], "{options}");
    }
}

#[test]
fn another_seed_fits_the_same_rows_by_other_draws() {
    let plan = planned(&benchmark());
    let reseeded = &plan.reseeded[0];
    let own = plan
        .experiments
        .iter()
        .find(|e| e.method == reseeded.method && e.dataset == reseeded.dataset)
        .unwrap();
    let [zero, one, two] = [own.spec(1), reseeded.spec(1), plan.reseeded[1].spec(1)];
    assert_eq!([zero.seed, one.seed, two.seed], [0, 1, 2]);
    let records = [&zero, &one, &two].map(run);
    let rows = records
        .each_ref()
        .map(|record| decode(&record.result.layout, &record.files["rows.parquet"]).unwrap());
    for other in &rows[1..] {
        assert_eq!(rows[0].y, other.y, "the same test rows");
        assert_ne!(rows[0].readings, other.readings, "other draws of the method");
    }
    assert_eq!(records[0].result.train_rows, records[1].result.train_rows);
    assert_ne!(rows[1].readings, rows[2].readings);
}

#[test]
fn deterministic_methods_draw_nothing() {
    let methods = "[[methods]]\nid = \"polynomial\"\ncolumns = [{ heading = \"Polynomial\" }]\n\
                   [[methods]]\nid = \"tree\"\nparameters = { features = 1 }\ncolumns = [{ heading \
                   = \"Drawn features\" }]\n\
                   [profiles.smoke]";
    let plan = planned(&benchmark().replace("[profiles.smoke]", methods));
    let (quiet, drawing): (Vec<_>, Vec<_>) = plan.experiments.iter().partition(|e| e.deterministic);
    let names = |all: &[&uqbench_run::runner::plan::Experiment]| -> Vec<String> {
        all.iter().filter(|e| e.dataset == 0).map(|e| e.method.columns[0].heading.clone()).collect()
    };
    let expected = [
        "Tree",
        "Polynomial",
        "Unconditional Gaussian",
        "Unconditional quantiles",
        "Linear Gaussian",
    ];
    assert_eq!(names(&quiet), expected);
    assert_eq!(names(&drawing), ["Game 3", "Game 5", "Drawn features"]);
    for experiment in quiet {
        let spec = experiment.spec(0);
        let other = TrialSpec { seed: 1, ..spec.clone() };
        assert_ne!(spec.key(), other.key());
        assert!(run(&spec).files == run(&other).files, "{} draws", spec.method);
    }
}
