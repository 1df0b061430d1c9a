//! Say what the marks of failed repetitions mean, and how many there are.

use crate::grid::counted;
use crate::words::signs::{DROPPED, IMPUTED, Sign};
use uqbench_judge::evidence::imputation::Imputation;

/// What the marks in a table mean.
pub fn legend(rule: &Imputation) -> String {
    let dropped = format!("{}k: k failed repetitions were dropped", DROPPED.sign);
    let imputed = |score: &str| {
        format!(
            "{}k: k failed repetitions have {score} on the same split; {dropped}.",
            IMPUTED.sign
        )
    };
    match rule {
        Imputation::Drop => format!("{dropped}."),
        Imputation::Worst => imputed("the worst score of any method"),
        Imputation::Method(name) => imputed(&format!("the score of {name}")),
    }
}

/// How many failed repetitions a table imputes and drops, for one whose cells are not marked one by
/// one; empty where none failed.
pub fn marks(imputed: usize, dropped: usize) -> String {
    let mark = |sign: &Sign, count: usize, what: &str| {
        let were = if count == 1 { "was" } else { "were" };
        if count > 0 {
            format!(" {} {} {were} {what}.", sign.sign, counted(count, "failed repetition"))
        } else {
            String::new()
        }
    };
    mark(&IMPUTED, imputed, "imputed") + &mark(&DROPPED, dropped, "dropped")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_explains_its_marks() {
        insta::assert_snapshot!(legend(&Imputation::Drop), @"†k: k failed repetitions were dropped.");
        insta::assert_snapshot!(legend(&Imputation::Worst), @"¶k: k failed repetitions have the worst score of any method on the same split; †k: k failed repetitions were dropped.");
        insta::assert_snapshot!(legend(&Imputation::Method("DT".into())), @"¶k: k failed repetitions have the score of DT on the same split; †k: k failed repetitions were dropped.");
    }

    #[test]
    fn failed_repetitions_are_counted_by_what_became_of_them() {
        assert_eq!(marks(0, 0), "");
        insta::assert_snapshot!(marks(1, 2).trim_start(), @"¶ 1 failed repetition was imputed. † 2 failed repetitions were dropped.");
    }
}
