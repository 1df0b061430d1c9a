use serde_json::{Value, json};

use super::*;

fn read(evaluation: &Evaluation, warnings: &[String]) -> Value {
    serde_json::from_str(&comparison(evaluation, warnings).unwrap()).unwrap()
}

fn near(value: &Value, expected: f64) {
    assert!((value.as_f64().unwrap() - expected).abs() < 1e-12, "{value} against {expected}");
}

#[test]
fn a_comparison_is_read_back() {
    let folds = Err("too wide".into());
    let failed =
        Tried { id: "cv-plus".into(), settings: "CV+".into(), guaranteed: guarantee(0.8), folds };
    let mut linear = of_rows("linear-gaussian", 1.0, 2.0, |row| row < 270);
    linear.guaranteed = guarantee(0.85);
    linear.folds.as_mut().unwrap()[0].log_score = Some(f64::NEG_INFINITY);
    let reference = of_rows("unconditional-gaussian", 2.0, 4.0, |row| row % 10 > 0);
    let mut evaluation = evaluation(vec![reference, linear, failed]);
    evaluation.kinds = vec![RowGroup::new("colour=red", (0..300).step_by(2).collect())];
    let found = read(&evaluation, &["a column is constant".into()]);
    assert_eq!(
        (&found["format"], &found["level"], &found["side"]),
        (&json!(2), &json!(0.9), &json!("both"))
    );
    assert_eq!(found["recommendation"]["method"], "linear-gaussian");
    let recommended = recommend(&evaluation);
    let is_lowest =
        |reason: &Reason| matches!(reason, Reason::Lead(Lead::Best { has_lowest_crps: true, .. }));
    assert!(recommended.reasons.iter().any(is_lowest), "{:?}", recommended.reasons);
    assert_eq!(found["recommendation"]["reasons"], json!(recommended.reasons_in_words()));

    let methods = found["methods"].as_array().unwrap();
    let names: Vec<&str> =
        methods.iter().map(|method| method["method"].as_str().unwrap()).collect();
    assert_eq!(names, ["unconditional-gaussian", "linear-gaussian", "cv-plus"]);
    let linear = &methods[1];
    assert_eq!((&linear["failure"], &linear["guaranteed"]), (&Value::Null, &json!(0.85)));
    assert_eq!(
        (&linear["theorem"], &methods[0]["theorem"]),
        (&json!("Someone 2021, Theorem 4"), &Value::Null)
    );
    assert_eq!(
        (&linear["judged"], &linear["settings"]),
        (&json!("unclear (300 rows)"), &json!("as it is"))
    );
    assert_eq!(linear["coverage"]["rows"], 300);
    near(&linear["coverage"]["coverage"], 0.9);
    let ends = Coverage { covered: 270, rows: 300 }.interval().unwrap();
    near(&linear["coverage"]["interval"][0], ends.0);
    near(&linear["coverage"]["interval"][1], ends.1);
    near(&linear["scores"]["picp(level=0.9)"], 0.9);
    near(&linear["scores"]["crps"], 1.0);
    near(&linear["scores"]["rmse"], 2.0);
    assert_eq!(linear["scores"]["log-likelihood"], "-inf");
    assert_eq!(
        (&methods[2]["failure"], &methods[2]["guaranteed"]),
        (&json!("too wide"), &Value::Null)
    );
    assert_eq!(methods[2]["theorem"], Value::Null);
    assert_eq!(
        (&methods[2]["coverage"], &methods[2]["scores"]["crps"]),
        (&Value::Null, &Value::Null)
    );

    // Each fold is predicted by the linear method, which the other folds recommend.
    near(&found["procedure"]["coverage"], 0.9);
    assert_eq!(
        (&found["procedure"]["judged"], &found["procedure"]["rows"]),
        (&json!("unclear (300 rows)"), &json!(300))
    );
    assert_eq!((&found["aborted"], &found["left_out"]), (&Value::Null, &json!([])));
    let kinds = found["kinds"].as_array().unwrap();
    let low =
        kinds.iter().find(|kind| kind["kind"] == "largest third of the predicted means").unwrap();
    assert_eq!((&low["rows"], &low["judged"]), (&json!(100), &json!("too low")));
    near(&low["coverage"], 0.7);
    near(&low["width"], 2.0);
    assert!(kinds.iter().any(|kind| kind["kind"] == "colour=red" && kind["rows"] == 150));
    let [Warning::Kinds { low: kinds_too_low, .. }] = &recommended.warnings[..] else {
        panic!("{:?}", recommended.warnings)
    };
    assert_eq!(kinds_too_low[0].name, "largest third of the predicted means");
    let of_method = &recommended.warnings_in_words()[0];
    assert_eq!(found["warnings"], json!(["a column is constant", of_method]));
    let folds = found["folds"].as_array().unwrap();
    assert_eq!(folds.len(), 2 * 5 * 6);
    assert_eq!(
        folds[30],
        json!({ "method": "linear-gaussian", "repeat": 1, "fold": 1, "train_rows": 80, "test_rows": 60,
                "score": "picp(level=0.9)", "value": 0.9 })
    );
}

#[test]
fn no_recommendation_is_null_with_the_reason() {
    let evaluation = evaluation(vec![tried("linear-gaussian", 60, GOOD)]);
    let (found, recommended) = (read(&evaluation, &[]), recommend(&evaluation));
    assert_eq!(
        (&found["recommendation"]["method"], &found["procedure"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(recommended.reasons[0], Reason::AllTooFew { is_of_all: true });
    assert_eq!(found["recommendation"]["reasons"], json!(recommended.reasons_in_words()));
    assert_eq!((&found["kinds"], &found["warnings"]), (&json!([]), &json!([])));
    assert_eq!(found["methods"][0]["judged"], "too low");
}

#[test]
fn what_was_stopped_and_what_was_left_out_is_in_it_with_a_warning() {
    for (cause, word) in [(Cause::User, "user"), (Cause::Deadline, "deadline")] {
        let unfinished = vec![Unfinished { id: "stack".into(), finished: 7, fits: 10 }];
        let evaluation = Evaluation {
            aborted: Some(Aborted { cause, unfinished }),
            left_out: vec![LeftOut { method: "ngboost".into(), seconds: 12.25 }],
            ..evaluation(vec![tried("linear-gaussian", 90, GOOD)])
        };
        let found = read(&evaluation, &["a column is constant".into()]);
        let stopped = json!({ "cause": word, "unfinished": [{ "method": "stack", "finished": 7, "fits": 10 }] });
        assert_eq!(found["aborted"], stopped);
        assert_eq!(found["left_out"], json!([{ "method": "ngboost", "seconds": 12.25 }]));
        let warning = headline::warning_of_stop(&evaluation).unwrap();
        assert!(warning.contains("`stack`"), "{warning}");
        assert_eq!(found["warnings"], json!([warning, "a column is constant"]));
    }
}

#[test]
fn a_procedure_that_covers_too_few_rows_is_judged_and_warned_of() {
    let evaluation = evaluation(super::choice::overstated());
    let found = read(&evaluation, &[]);
    assert_eq!(found["recommendation"]["method"], "linear-gaussian");
    near(&found["procedure"]["coverage"], 0.72);
    assert_eq!(found["procedure"]["judged"], "too low");
    assert_eq!(found["warnings"][0], json!(warning_of_procedure(&evaluation).unwrap()));
}
