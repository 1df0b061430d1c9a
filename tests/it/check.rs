//! `uqbench check`: the gate on metrics, on real data.

use std::fs;

use crate::command::Dir;
use crate::mocks::in_every_profile;
use crate::wording::counts;

/// A tree and the anchors on yacht; `behaviour` is the mock's.
fn benchmark(behaviour: &str) -> String {
    let text = r#"
        id = "gate"
        paper = "none"
        artefact = "Table 0"
        title = "What the gate watches"
        protocol_source = "printed"
        protocol = { holdout = { test = { fraction = 0.2 } } }
        anchors = true
        datasets = [{ key = "yacht", heading = "Yacht" }]
        metrics = [{ id = "rmse", heading = "RMSE" }, { id = "fit-seconds", heading = "Time" }]
        methods = [
          { id = "tree", columns = [{ heading = "Tree", labels = { method = "tree" } }] },
          { id = "mock", parameters = { behaviour = "BEHAVIOUR" }, columns = [{ heading = "Mock", labels = { method = "mock" } }] },
        ]
    "#
    .replace("BEHAVIOUR", behaviour);
    in_every_profile(text, 5)
}

const CHECK: &str = "check gate.toml --against baseline.toml";

/// A blessed run.
fn blessed() -> Dir {
    let dir = Dir::new();
    dir.write("gate.toml", &benchmark("answer"));
    dir.run("run gate.toml --profile smoke").code(0);
    dir.run(CHECK).code(1).says("`--bless --reason TEXT` makes it");
    dir.run(&format!("{CHECK} --bless")).code(2).says("--reason");
    dir.run(&format!("{CHECK} --bless --reason first")).code(0);
    let file: toml::Table = toml::from_str(&dir.page("baseline.toml")).unwrap();
    assert_eq!(file["cells"].as_array().unwrap().len(), 20);
    dir
}

/// Multiplies the errors of one column in the baseline.
fn scale(dir: &Dir, column: &str, factor: f64) {
    let text = fs::read_to_string(dir.path("baseline.toml")).unwrap();
    let mut file: toml::Table = toml::from_str(&text).unwrap();
    for cell in file["cells"].as_array_mut().unwrap() {
        if cell["column"].as_str() == Some(column) && cell["metric"].as_str() == Some("rmse") {
            for score in cell["scores"].as_array_mut().unwrap() {
                *score = (score.as_float().unwrap() * factor).into();
            }
        }
    }
    dir.write("baseline.toml", &toml::to_string(&file).unwrap());
}

#[test]
fn a_pack_is_a_blessed_run() {
    let dir = Dir::new();
    dir.write("gate.toml", &benchmark("answer"));
    dir.run("run gate.toml --profile smoke").code(0);
    dir.run("store pack store blessed.pack gate.toml --profile smoke").code(0);
    let check = "check gate.toml --against blessed.pack";
    dir.run(check).code(0);
    dir.run("check dtb-figure-2 --against blessed.pack").code(1).says("--profile");
    dir.run(&format!("{check} --bless --reason new")).code(2).says("store pack");
    // A method with other parameters has other trials, which the pack does not have: four metrics
    // of five splits.
    dir.write("gate.toml", &benchmark("diverge"));
    dir.run("run gate.toml --profile smoke --store other").code(0);
    dir.run(&format!("{check} --store other")).code(3).says("20 scores");
}

#[test]
fn a_blessed_run_passes_its_own_gate() {
    let dir = blessed();
    let text = fs::read_to_string(dir.path("baseline.toml")).unwrap();
    assert!(text.contains("reason = \"first\"") && text.contains("profile = \"smoke\""), "{text}");
    assert!(!text.contains("fit-seconds"), "times belong to the machine: {text}");
    let end = dir.run(CHECK).code(0);
    assert_eq!(counts(&end.out), [20]);
    insta::assert_snapshot!(end.out, @"baseline.toml: 20 the same");
}

#[test]
fn worse_is_distinguished_from_numerically_different_and_from_better() {
    let dir = blessed();
    scale(&dir, "Tree", 1.0 - 1e-9);
    dir.run(CHECK).code(0).prints("1 numerically different, 19 the same");
    scale(&dir, "Tree", 0.5);
    let end = dir.run(CHECK).code(4);
    assert!(end.out.starts_with("## What got worse\n"), "{}", end.out);
    end.prints("| statistically worse | gate ").prints("1 statistically worse, 19 the same");
    scale(&dir, "Tree", 4.0);
    dir.run(CHECK).code(0).prints("1 statistically better");
    // The gate opens again with a reason, which the file keeps beside the first one.
    dir.run(&format!("{CHECK} --bless --reason second")).code(0);
    dir.run(CHECK).code(0).prints("20 the same");
    let text = fs::read_to_string(dir.path("baseline.toml")).unwrap();
    assert!(
        text.find("reason = \"first\"").unwrap() < text.find("reason = \"second\"").unwrap(),
        "{text}"
    );
    assert!(text.contains("changed = \"1 statistically better, 19 the same\""), "{text}");
}

#[test]
fn a_method_that_fails_now_is_lost() {
    let dir = blessed();
    dir.write("gate.toml", &benchmark("diverge"));
    dir.run("run gate.toml --profile smoke").code(0);
    dir.run(CHECK).code(4).prints("| lost ").prints("3 lost, 17 the same");
}

#[test]
fn a_repetition_that_was_not_run_is_missing_and_not_worse() {
    let dir = blessed();
    dir.run("run gate.toml --profile smoke --splits 3 --store part").code(0);
    let end = dir.run(&format!("{CHECK} --store part")).code(3);
    end.says("34 repetitions of the baseline are not in the store").prints("20 the same");
    dir.run(&format!("{CHECK} --store part --bless --reason part"))
        .code(1)
        .says("an incomplete run cannot be blessed");
    dir.run(CHECK).code(0);
}

#[test]
fn a_baseline_without_common_columns_is_refused() {
    let dir = blessed();
    let good = fs::read_to_string(dir.path("baseline.toml")).unwrap();
    // A column that the benchmark no longer has, and a baseline of other benchmarks.
    dir.write("baseline.toml", &good.replacen("column = \"Tree\"", "column = \"Old tree\"", 1));
    dir.run(CHECK).code(4).prints("1 lost,");
    dir.write("baseline.toml", &good.replace("benchmark = \"gate\"", "benchmark = \"old-gate\""));
    dir.run(CHECK).code(1).says("no column in common");
    dir.run("check --against baseline.toml").code(4).prints(" lost");
    let head = good.split("[[cells]]").next().unwrap();
    dir.write("baseline.toml", &head.replace("[[blessed]]", "cells = []\n[[blessed]]"));
    dir.run(CHECK).code(1).says("no column in common");
    dir.write("baseline.toml", &good);
    dir.run(&format!("{CHECK} --bless --reason=")).code(2).says("say why");
}

#[test]
fn one_repetition_beyond_the_tolerance_fails_the_check() {
    let dir = blessed();
    let text = fs::read_to_string(dir.path("baseline.toml")).unwrap();
    let mut file: toml::Table = toml::from_str(&text).unwrap();
    let is_error = |cell: &&mut toml::Value| {
        cell["column"].as_str() == Some("Tree") && cell["metric"].as_str() == Some("rmse")
    };
    let tree = file["cells"].as_array_mut().unwrap().iter_mut().find(is_error);
    let score = &mut tree.unwrap()["scores"].as_array_mut().unwrap()[2];
    *score = (score.as_float().unwrap() / 100.0).into();
    dir.write("baseline.toml", &toml::to_string(&file).unwrap());
    dir.run(CHECK).code(4).prints("| worse beyond the tolerance |");
}

#[test]
fn a_file_that_is_no_baseline_is_refused() {
    let dir = blessed();
    dir.run(&format!("{CHECK} --profile full"))
        .code(2)
        .says("holds scores of profile smoke, not full");
    let good = fs::read_to_string(dir.path("baseline.toml")).unwrap();
    dir.write("baseline.toml", &good.replace("metric = \"rmse\"", "metric = \"rmsee\""));
    dir.run(CHECK).code(1).says("baseline.toml is no baseline").says("did you mean `rmse`?");
    dir.write("baseline.toml", &good[..good.len() - 10]);
    dir.run(CHECK).code(1).says("is no baseline");
}

#[test]
fn a_pack_is_checked_as_its_store() {
    let dir = blessed();
    dir.run("store pack store gate.pack gate.toml --profile smoke").code(0);
    assert_eq!(
        dir.run(&format!("{CHECK} --from gate.pack")).code(0).out,
        dir.run(CHECK).code(0).out
    );
    scale(&dir, "Tree", 0.5);
    let worse = dir.run(&format!("{CHECK} --from gate.pack")).code(4);
    assert_eq!(worse.out, dir.run(CHECK).code(4).out);
    dir.run("store check --store gate.pack").code(0);
}

#[test]
fn chosen_metrics_alone_are_blessed_and_checked() {
    let dir = blessed();
    scale(&dir, "Tree", 0.5);
    dir.run(&format!("{CHECK} --metrics crps")).code(0);
    let end = dir.run(&format!("{CHECK} --metrics rmse")).code(4);
    assert!(!end.out.contains("crps"), "{}", end.out);
    let one = "check gate.toml --against one.toml --metrics rmse";
    dir.run(&format!("{one} --bless --reason first")).code(0);
    let file: toml::Table = toml::from_str(&dir.page("one.toml")).unwrap();
    let cells = file["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 5);
    assert!(cells.iter().all(|cell| cell["metric"].as_str() == Some("rmse")));
    dir.run(one).code(0);
    dir.run("check gate.toml --against one.toml --metrics nonsense").code(2);
}
