//! `uqbench method`: templates pass the check, and a method that does not follow the contract fails
//! it.

use std::fs;

use super::super::command::Dir;
use super::{DESCRIPTION, MOMENTS, has, script};

#[test]
fn the_python_template_passes_the_check_and_is_never_overwritten() {
    let dir = Dir::new();
    dir.run("new mine.py").code(0).prints("uqbench method check python3 mine.py");
    dir.run("method new mine.py").code(1).says("mine.py cannot be written");
    dir.run("new mine.txt").code(2).says("for a benchmark, in .py or .R for a method");
    if !has("python3", "the_python_template_passes_the_check_and_is_never_overwritten") {
        return;
    }
    let ended = dir.run("method check python3 mine.py").code(0);
    let expected = [
        "passed  it describes itself: `nearest rows`, python 3.",
        "passed  code outside of its named files: ",
        "passed  a prediction of each row, finite, quantiles in order: atoms, 12 rows",
        "passed  the same seed gives the same numbers",
        "passed  it says whether it is deterministic: yes",
        "passed  a row's prediction does not depend on the other test rows",
        "passed  with a target in a unit 1000 times smaller",
        "passed  with a target 1000 times as large plus 20000",
        "passed  the order of the training rows",
        "passed  one test row",
        "passed  one training row",
        "passed  a constant column",
        "passed  a constant target",
        "passed  an unknown field of a request is ignored",
        "passed  a request of another contract is refused",
        "passed  it uses one thread, as it is asked: ",
        "passed  its limits are obeyed: it ",
        "passed  it leaves no process behind",
        "`mine` follows the contract.",
    ];
    for (line, expected) in ended.out.lines().zip(expected) {
        assert!(line.starts_with(expected), "{line}\nexpected: {expected}");
    }
    assert_eq!(ended.out.lines().count(), expected.len(), "{}", ended.out);
}

#[test]
fn a_standard_deviation_in_place_of_the_variance_is_noted() {
    if !has("python3", "a_standard_deviation_in_place_of_the_variance_is_noted") {
        return;
    }
    let dir = Dir::new();
    let answers = |power: &str| {
        format!(
            "import json, sys\n\
             if sys.argv[1] == 'describe':\n    \
             print(json.dumps({{'contract': 1, 'name': 'flat', 'versions': {{'flat': '1'}}, \
             'deterministic': True, 'arrays': 'csv'}}))\n\
             else:\n    \
             request = json.load(open('request.json'))\n    \
             assert request['contract'] == 1\n    \
             y = [float(line) for line in open(request['folder'] + '/y_train.csv')]\n    \
             rows, mean = request['test_rows'], sum(y) / len(y)\n    \
             variance = sum((v - mean) ** 2 for v in y) / len(y)\n    \
             answer = {{'contract': 1, 'form': 'gaussian', 'mean': [mean] * rows, 'variance': \
             [variance ** {power}] * rows}}\n    \
             json.dump(answer, open('response.json', 'w'))\n"
        )
    };
    let verdict_of = |text: &str, what: &str| {
        dir.write("flat.py", text);
        let ended = dir.run("method check python3 flat.py").code(0);
        let line = ended
            .out
            .lines()
            .find(|line| line.contains(what))
            .unwrap_or_else(|| panic!("{}", ended.out));
        line.split(' ').next().unwrap_or_default().to_owned()
    };
    for (power, verdict) in [("0.5", "note"), ("0", "note"), ("1", "passed")] {
        assert_eq!(verdict_of(&answers(power), "in a unit 1000 times smaller"), verdict, "{power}");
    }
    // Means that were standardised and not turned back, or without the target's mean or unit.
    for (mean, verdict) in [
        ("mean", "passed"),
        ("0.0", "note"),
        ("(y[0] - mean) / (variance + 1e-9) ** 0.5", "note"),
        ("(y[0] - mean)", "note"),
        ("mean + (y[0] - mean) / (variance + 1e-9) ** 0.5", "note"),
        ("y[0]", "passed"),
    ] {
        let text = answers("1").replace("'mean': [mean]", &format!("'mean': [{mean}]"));
        assert_eq!(verdict_of(&text, "1000 times as large plus 20000"), verdict, "{mean}");
    }
}

#[test]
fn a_method_that_breaks_the_contract_fails_with_what_is_wrong() {
    let dir = Dir::new();
    // It is not deterministic although it says so, ignores the contract's version, and leaves a
    // process behind.
    let noise = "awk 'BEGIN { srand() }' ; sed \"s/.*/$$/\" X_test.csv > variance.csv\n";
    let wrong = format!("{}\n{noise}sleep 3617 > /dev/null 2>&1 &\n", MOMENTS.trim());
    dir.write("bad.sh", &script(DESCRIPTION, &wrong));
    let ended = dir.run("method check sh bad.sh").code(1);
    for part in [
        "note    the same seed gives the same numbers: no",
        "FAILED  it says whether it is deterministic: yes, but another seed gives other numbers",
        "FAILED  a request of another contract is refused: it answered a request with \
         \"contract\": 999",
        "FAILED  it leaves no process behind",
    ] {
        assert!(ended.out.contains(part), "{part} is not in\n{}", ended.out);
    }
    ended.says("error: `bad` does not follow the contract: 3 of ");
    dir.write(
        "large.sh",
        &script(
            DESCRIPTION,
            "head -c 90000000 /dev/zero | tail -c 90000000 | (sleep 2; cat) > /dev/null",
        ),
    );
    let ended = dir.run("method check --memory 32 sh large.sh").code(1);
    ended.prints("FAILED  a prediction of each row, finite, quantiles in order: out of memory");
    dir.write("mute.sh", "exit 1\n");
    dir.run("method check sh mute.sh")
        .code(1)
        .prints("FAILED  it describes itself: external method `mute`");
    dir.run("method check no-such-program").code(1).prints("cannot be started");
    // A row that depends on the others, and a constant target that crashes the method.
    let whole = "cp X_test.csv x; n=$(wc -l < X_test.csv); sed \"s/.*/$n/\" x > mean.csv; sed \
                 's/.*/1/' x > variance.csv\n\
                 [ $(sort -u y_train.csv | wc -l) -gt 1 ] || [ $(wc -l < y_train.csv) = 1 ] || \
                 exit 5\n\
                 grep -q '\"contract\":1,' request.json || exit 6\n\
                 echo '{\"contract\": 1, \"form\": \"gaussian\", \"mean\": \"mean.csv\", \
                 \"variance\": \"variance.csv\"}' > response.json";
    dir.write("whole.sh", &script(DESCRIPTION, whole));
    let ended = dir.run("method check sh whole.sh").code(1);
    assert!(
        ended
            .out
            .contains("note    a row's prediction does not depend on the other test rows: it does"),
        "{}",
        ended.out
    );
    assert!(ended.out.contains(
        "FAILED  a constant target: external method `whole`: the process ended with exit status: 5"
    ));
    assert!(
        ended.out.contains("passed  a request of another contract is refused"),
        "{}",
        ended.out
    );
}

/// A method that serves: a normal distribution whose mean is the number in `$shift`, which `DRIFT`
/// may change after a request.
const SERVER: &str = r#"#!/bin/sh
answer() {
  sed "s/.*/$shift/" "$1/X_test.csv" > "$1/mean.csv"
  sed 's/.*/1/' "$1/X_test.csv" > "$1/variance.csv"
  case "$2" in
  *'"contract":1,'*) echo '{"contract": 1, "form": "gaussian", "mean": "mean.csv", "variance": "variance.csv"}' ;;
  *) echo '{"contract": 1, "error": "unsupported", "message": "another contract"}' ;;
  esac
}
shift=0
case "$1" in
describe) echo '{"contract": 1, "name": "s", "versions": {"sh": "1"}, "deterministic": true, "server": true, "arrays": "csv"}' ;;
run) answer . "$(cat request.json)" > response.json ;;
serve)
  BEFORE
  while read -r line; do
    answer "$(printf '%s' "$line" | sed 's/.*"folder":"\([^"]*\)".*/\1/')" "$line"
    DRIFT
  done ;;
esac
"#;

#[test]
fn a_server_whose_answers_are_not_those_of_a_single_run_is_named() {
    let dir = Dir::new();
    let what = "a server gives the numbers of a single run, also after other requests";
    for (before, drift, code, expected) in [
        (":", ":", 0, format!("passed  {what}")),
        (
            ":",
            "shift=$((shift + 1))",
            1,
            format!("FAILED  {what}: its answer after another request has other numbers"),
        ),
        ("shift=1", ":", 1, format!("FAILED  {what}: its first answer has other numbers")),
    ] {
        dir.write("served.sh", &SERVER.replace("BEFORE", before).replace("DRIFT", drift));
        let ended = dir.run("method check sh served.sh").code(code);
        assert!(
            ended.out.lines().any(|line| line == expected),
            "{expected} is not in\n{}",
            ended.out
        );
        assert_eq!(
            ended.out.matches("FAILED").count(),
            usize::from(code == 1),
            "nothing else is wrong\n{}",
            ended.out
        );
    }
}

#[test]
fn the_r_template_passes_the_check() {
    if !has("Rscript", "the_r_template_passes_the_check") {
        return;
    }
    let dir = Dir::new();
    dir.run("method new mine.R").code(0);
    dir.run("method check Rscript mine.R").code(0).prints("`mine` follows the contract.");
}

#[test]
fn the_templates_are_short_and_commented() {
    let dir = Dir::new();
    for name in ["mine.py", "mine.R"] {
        dir.run(&format!("method new {name}")).code(0);
        let text = fs::read_to_string(dir.path(name)).unwrap();
        assert!(
            text.lines().count() <= 15 && text.contains("put your own method here"),
            "{name}\n{text}"
        );
    }
}
