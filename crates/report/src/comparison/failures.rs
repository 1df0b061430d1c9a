//! Mark failed repetitions in tables.

use crate::grid::counted;
use crate::words::signs::{DROPPED, IMPUTED, Sign};
use uqbench_judge::evidence::imputation::{Imputation, Imputed};
use uqbench_judge::evidence::losses::Losses;

/// The mark of a method's cell: `¶2` for two imputed repetitions, `†2` for two dropped ones.
pub fn mark(scores: &Imputed, method: usize) -> String {
    let part = |sign: &Sign, count: usize| {
        if count > 0 { format!(" {}{count}", sign.sign) } else { String::new() }
    };
    let (failed, imputed) = (scores.failed[method], scores.imputed[method]);
    part(&IMPUTED, imputed) + &part(&DROPPED, failed - imputed)
}

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

/// A sentence on failed repetitions, for tables whose cells are not marked one by one.
pub fn marks(losses: &Losses) -> String {
    let count = |of: fn(&Imputed) -> &Vec<usize>| {
        losses.blocks.iter().flat_map(|(_, scores)| of(scores)).sum::<usize>()
    };
    let (failed, imputed) = (count(|scores| &scores.failed), count(|scores| &scores.imputed));
    let mark = |sign: &Sign, count: usize, what: &str| {
        let were = if count == 1 { "was" } else { "were" };
        if count > 0 {
            format!(" {} {} {were} {what}.", sign.sign, counted(count, "failed repetition"))
        } else {
            String::new()
        }
    };
    mark(&IMPUTED, imputed, "imputed") + &mark(&DROPPED, failed - imputed, "dropped")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imputed_and_dropped_repetitions_are_counted_in_their_marks() {
        let scores =
            Imputed { scores: vec![Vec::new(); 3], failed: vec![2, 2, 0], imputed: vec![1, 0, 0] };
        assert_eq!([0, 1, 2].map(|method| mark(&scores, method)), [" ¶1 †1", " †2", ""]);
    }
}
