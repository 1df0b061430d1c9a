//! A target that is predicted without an error is told.

use super::*;
use crate::try_table::noiseless::exact;

#[test]
fn an_error_of_a_millionth_is_told_and_a_small_one_is_not() {
    let with = |crps: f64| {
        let methods = vec![
            tried("unconditional-gaussian", 90, ANCHOR),
            tried("linear-gaussian", 90, [crps; 5]),
        ];
        evaluation(methods)
    };
    assert_eq!(exact(&with(1e-9)), ["linear-gaussian"]);
    assert!(warning_of_noiseless(&with(1e-9)).is_some());
    assert_eq!(warning_of_noiseless(&with(1e-4)), None);
    let alone = evaluation(vec![tried("linear-gaussian", 90, [1e-9; 5])]);
    assert_eq!(warning_of_noiseless(&alone), None, "there is nothing to compare with");
}
