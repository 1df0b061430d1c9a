//! Use the command line as users, scripts and pipes do.

use std::fs;
use std::process::Stdio;

use super::command::{Dir, Ended, Limited};
use super::mocks;

#[test]
fn help_of_every_subcommand_shows_an_example() {
    let dir = Dir::new();
    let all = ["", "reproduce", "run", "report", "data", "list", "status", "store", "try"];
    let data = [
        "plan",
        "submit",
        "costs",
        "show",
        "cite",
        "data list",
        "data fetch",
        "data verify",
        "data describe",
        "data export",
        "store check",
    ];
    for words in all.iter().chain(&data) {
        let help = dir.run(&format!("{words} --help")).code(0);
        let has_example = ["Example: uqbench", "Examples:\n  uqbench"]
            .iter()
            .any(|start| help.out.contains(start));
        assert!(has_example, "{words}:\n{}", help.out);
        assert_eq!(help.err, "");
        assert!(
            help.out.lines().all(|line| line.chars().count() <= 100),
            "{words}: a line is too long"
        );
    }
    let listed = dir.run("--help").out;
    for words in &all[1..] {
        assert!(listed.contains(&format!("\n  {words} ")), "{words} is not listed");
    }
    assert!(!listed.contains("\n  worker "), "the command of worker processes is not listed");
}

#[test]
fn wrong_usage_ends_with_2() {
    let dir = Dir::new();
    let wrong = [
        "",
        "rnu",
        "run",
        "run dtb-table-1 --splits 0",
        "run dtb-table-1 --jobs 0",
        "run dtb-table-1 --profile quik",
        "run dtb-table-1 --isolation box",
        "run dtb-table-1 --timeout never",
        "list colours",
        "data",
        "data describe",
    ];
    for words in wrong {
        let ended = dir.run(words).code(2);
        assert!(
            ended.err.contains("Usage: ") || ended.err.contains("--help"),
            "{words}:\n{}",
            ended.err
        );
        assert_eq!(ended.out, "", "{words}");
    }
    dir.run("run dtb-table-1 --profile quik").says("quick");
    dir.run("reprodce").code(2).says("reproduce");
    dir.run("run dtb-table-1 --isolation thread --memory 512").code(2).says("--isolation process");
    dir.run("run dtb-table-1 dtb-table-1").code(2).says("two benchmarks have the id `dtb-table-1`");
}

#[test]
fn unknown_names_suggest_the_nearest() {
    let dir = Dir::new();
    dir.run("run dtb-tabel-1").code(2).says("did you mean `dtb-table-1`?");
    dir.run("status dtb-tabel-1").code(2).says("did you mean `dtb-table-1`?");
    dir.run("report dtb-tabel-1").code(2).says("did you mean `dtb-table-1`?");
    dir.run("run dtb-table-1 --methods linear-gausian")
        .code(2)
        .says("did you mean `linear-gaussian`?");
    dir.run("run dtb-table-1 --methods xgboost")
        .code(2)
        .says("but `boosting-quantiles` is of its kind, and --with runs");
    dir.run("run dtb-table-1 --datasets californa").code(2).says("did you mean `california`?");
    dir.run("data describe yatch").code(2).says("yacht");
    dir.write(
        "mocks.toml",
        &mocks::benchmark(&mocks::answering(1, 0), 1).replace("\"mock\"", "\"mok\""),
    );
    dir.run("run mocks.toml").code(1).says("did you mean `mock`?").says("benchmark mocks");
    dir.write("mocks.toml", &mocks::on("motorcycle-49", &mocks::answering(1, 0), 1));
    dir.run("run mocks.toml").code(1).says("motorcycle-94");
}

#[test]
fn a_benchmark_file_that_is_wrong_is_named_in_one_error() {
    let dir = Dir::new();
    let good = mocks::benchmark(&mocks::answering(1, 0), 1);
    let wrong = [
        ("title = ", "expected"),
        ("", "6 mistakes"),
        ("", "`protocol`: missing; add this key"),
        (&good.replace("tag = 0", "tga = 0"), "tga"),
        (&good.replace("id = \"rmse\"", "id = \"rsme\""), "did you mean `rmse`?"),
        (&good.replace("[profiles.full]", "[profiles.fulll]"), "fulll"),
        (&good.replace("heading = \"Data\"", "heading = \"Data\", colour = 1"), "colour"),
        (&good.replace("behaviour = \"answer\"", "behaviour = \"dance\""), "dance"),
    ];
    for (text, part) in wrong {
        dir.write("mine.toml", text);
        let ended = dir.run("run mine.toml").code(1).says(part);
        assert!(
            ended.err.contains("mine.toml") || ended.err.contains("benchmark mocks"),
            "{}",
            ended.err
        );
        assert_eq!(ended.err.matches("error: ").count(), 1, "{}", ended.err);
        assert_eq!(ended.out, "");
    }
    dir.run("run nowhere.toml").code(1).says("nowhere.toml: cannot be read");
}

#[test]
fn every_kind_is_listed() {
    let dir = Dir::new();
    for (words, part) in [
        ("list", "dtb-table-1"),
        ("list benchmarks", "dtb-figure-4"),
        ("list methods", "linear-gaussian"),
        ("list metrics", "crps"),
        ("list datasets", "simulated:x-sin-x"),
        ("data list", "superconductivity"),
    ] {
        let ended = dir.run(words).code(0);
        assert!(
            ended.out.contains(part) && ended.err.is_empty(),
            "{words}:\n{}\n{}",
            ended.out,
            ended.err
        );
    }
    assert!(!dir.run("list methods").out.contains("mock"));
}

#[test]
fn the_parameters_of_every_method_are_listed() {
    let dir = Dir::new();
    for entry in uq_methods::registry::METHODS {
        let ended = dir.run(&format!("list methods {}", entry.id)).code(0);
        assert!(
            ended.out.starts_with(&format!("{}: {}\n", entry.id, entry.title)),
            "{}",
            ended.out
        );
        for parameter in (entry.parameters)() {
            assert!(
                ended.out.contains(&format!("\n| {} ", parameter.name)),
                "{}: {}",
                parameter.name,
                ended.out
            );
        }
    }
    dir.run("list methods exact-pg")
        .code(2)
        .says("there is no method `exact-pg`, did you mean `exact-gp`?");
    dir.run("list datasets yacht").code(2).says("uqbench list methods NAME");
}

#[test]
fn a_closed_pipe_is_success() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(1, 0), 1));
    let all = [
        "list methods",
        "list datasets",
        "data list",
        "run mocks.toml",
        "status mocks.toml",
        "report mocks.toml",
    ];
    for words in all {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = dir.command(words);
        let output = command.stdout(writer).stderr(Stdio::piped()).spawn().unwrap().ended();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{words}: {err}");
        assert!(!err.contains("error") && !err.contains("panicked"), "{words}: {err}");
    }
}

#[test]
fn results_go_to_standard_output_and_the_last_line_counts_trials() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(2, 0), 2));
    let ended = dir.run("run mocks.toml").code(0);
    assert!(ended.out.starts_with("# none · Table 0: Mocks\n"), "{}", ended.out);
    assert_eq!(ended.counts(), [4, 4, 0, 4]);
    insta::assert_snapshot!(ended.last(), @"4 of 4 expected trials finished (0 reused, 4 run)");
    assert!(ended.err.contains("mocks: wrote ") && !ended.err.contains("| Data"), "{}", ended.err);
    let page = fs::read_to_string(dir.path("out/mocks.md")).unwrap();
    assert!(ended.out.starts_with(&page));
}

#[test]
fn status_counts_and_report_runs_nothing() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(2, 0), 2));
    for words in ["status mocks.toml", "report mocks.toml"] {
        dir.run(words).code(1).says("is not a store");
        assert!(!dir.path("store").exists(), "{words} made a store");
    }
    dir.run("run mocks.toml --splits 1").code(0);
    let kept = dir.kept("store");
    let half = dir.run("report mocks.toml").code(3);
    assert!(half.counts() == [2, 4, 2, 0, 2] && half.last().ends_with("2 not run"), "{half:?}");
    assert!(dir.run("status mocks.toml").code(3).out.contains("2 not run"));
    dir.run("status mocks.toml --splits 1").code(0);
    assert_eq!(dir.run("report mocks.toml --splits 1").code(0).counts(), [2, 2, 2, 0]);
    assert!(dir.kept("store") == kept);
}

#[test]
fn data_that_no_source_has_fail_only_when_required() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::on("superconductivity", &mocks::answering(1, 0), 2));
    let ended = dir.run("run mocks.toml").code(0).says("superconductivity");
    let tally = |ended: &Ended| {
        assert_eq!(ended.counts(), [0, 2, 0, 0, 2]);
        assert!(ended.last().ends_with("2 unavailable"), "{ended:?}");
    };
    tally(&ended);
    assert!(ended.out.contains("unavailable"), "{}", ended.out);
    tally(&dir.run("run mocks.toml --require-data").code(3));
}
