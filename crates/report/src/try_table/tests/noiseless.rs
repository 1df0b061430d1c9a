//! A target that is predicted without an error is told.

use super::*;

#[test]
fn an_error_of_a_millionth_is_told_and_a_small_one_is_not() {
    let with = |crps: f64| {
        let methods = vec![
            tried("unconditional-gaussian", 90, ANCHOR),
            tried("linear-gaussian", 90, [crps; 5]),
        ];
        warning_of_noiseless(&evaluation(methods))
    };
    assert!(with(1e-9).is_some_and(|warning| warning.contains("linear-gaussian")));
    assert_eq!(with(1e-4), None);
    let alone = evaluation(vec![tried("linear-gaussian", 90, [1e-9; 5])]);
    assert_eq!(warning_of_noiseless(&alone), None, "there is nothing to compare with");
}
