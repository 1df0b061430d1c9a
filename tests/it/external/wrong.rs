//! Each wrong method has one clear message.

use super::{Asked, DESCRIPTION, responding, script};

#[track_caller]
fn refuses(mut asked: Asked, parts: &[&str]) {
    let message = asked.error();
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
    assert!(
        message.chars().count() < 2000,
        "the message is too long: {} characters",
        message.chars().count()
    );
}

#[test]
fn a_missing_interpreter_and_a_syntax_error() {
    let text = script(DESCRIPTION, "true");
    let missing = Asked::command(&["no-such-interpreter", "method.sh"], &text);
    refuses(
        missing,
        &[
            "external method `method`: the program `no-such-interpreter` cannot be started",
            "install it",
        ],
    );
    refuses(
        Asked::script("case in (\n"),
        &["external method `method`: the process ended with exit status: 2", "yntax error"],
    );
}

#[test]
fn a_description_that_is_none_or_of_an_older_contract() {
    refuses(Asked::script("echo hello\n"), &["its description: it is no JSON object"]);
    refuses(Asked::script("exit 0\n"), &["its description: it is no JSON object"]);
    let older = script(r#"{"contract": 0, "name": "old"}"#, "true");
    refuses(
        Asked::script(&older),
        &["its description: it follows version 0 of the contract, expected version 1"],
    );
    let older = responding(r#"{"contract": 0, "form": "samples", "values": [[1, 2]]}"#);
    refuses(
        Asked::script(&older),
        &["its response: it follows version 0 of the contract, expected version 1"],
    );
}

#[test]
fn wrong_shapes() {
    let response = r#"{"contract": 1, "form": "gaussian", "mean": [1, 2], "variance": [1, 2]}"#;
    refuses(
        Asked::script(&responding(response)),
        &["its response: `mean` has 2 rows, expected 5, one for each test row"],
    );
    let response = r#"{"contract": 1, "form": "quantiles", "levels": [0.1, 0.9], "values": [[1], [1], [1], [1], [1]]}"#;
    refuses(
        Asked::script(&responding(response)),
        &["its response: `values` has 1 columns, expected 2"],
    );
    refuses(
        Asked::script(&script(DESCRIPTION, "true")),
        &["it wrote no response.json that can be read"],
    );
    refuses(
        Asked::script(&script(DESCRIPTION, "exit 3")),
        &["the process ended with exit status: 3", "standard error is empty"],
    );
}

#[test]
fn numbers_that_are_not_finite_or_not_in_order() {
    let nan = r#"{"contract": 1, "form": "gaussian", "mean": [NaN, 1, 1, 1, 1], "variance": [1, 1, 1, 1, 1]}"#;
    refuses(
        Asked::script(&responding(nan)),
        &["its response: it is no JSON object", "JSON has no NaN"],
    );
    let null = nan.replace("NaN", "null");
    refuses(
        Asked::script(&responding(&null)),
        &[
            "diverged: method: predictive distribution: mean in row",
            "is NaN, expected a finite number",
        ],
    );
    let crossing = r#"{"contract": 1, "form": "quantiles", "levels": [0.1, 0.9], "values": [[2, 1], [2, 1], [2, 1], [2, 1], [2, 1]]}"#;
    refuses(
        Asked::script(&responding(crossing)),
        &["diverged: method: predictive distribution: quantiles cross in row 0"],
    );
    let negative = nan.replace("NaN", "1").replace("[1, 1, 1, 1, 1]", "[-1, -1, -1, -1, -1]");
    refuses(
        Asked::script(&responding(&negative)),
        &["diverged: method: predictive distribution: variance in row 0 is -1"],
    );
}

#[test]
fn errors_of_the_method_itself() {
    let of = |kind: &str| {
        responding(&format!(r#"{{"contract": 1, "error": "{kind}", "message": "too few rows"}}"#))
    };
    refuses(Asked::script(&of("unsupported")), &["unsupported: method: too few rows"]);
    refuses(Asked::script(&of("diverged")), &["diverged: method: too few rows"]);
    refuses(Asked::script(&of("unavailable")), &["unavailable: method: too few rows"]);
    refuses(
        Asked::script(&of("oops")),
        &["expected \"unsupported\", \"diverged\" or \"unavailable\""],
    );
}

#[test]
fn a_server_that_ends_or_writes_what_is_no_answer() {
    let server = |serve: &str| {
        let description = r#"{"contract": 1, "name": "server", "server": true, "arrays": "csv"}"#;
        format!("case $1 in describe) echo '{description}' ;; serve) {serve} ;; esac\n")
    };
    refuses(
        Asked::script(&server("read line; echo lost >&2; exit 4")),
        &["exit status: 4; the end of standard error: lost"],
    );
    refuses(Asked::script(&server("read line; exit 0")), &["the process ended without an answer"]);
    refuses(Asked::script(&server("echo welcome; sleep 3614")), &["\"welcome\""]);
    refuses(
        Asked::script(&server("read line; echo hello")),
        &["its response: it is no JSON object"],
    );
}
