//! Mark failed repetitions in tables.

use crate::words::comparison::failures;
use crate::words::signs::{DROPPED, IMPUTED, Sign};
use uqbench_judge::evidence::imputation::Imputed;
use uqbench_judge::evidence::losses::Losses;

/// The mark of a method's cell: `¶2` for two imputed repetitions, `†2` for two dropped ones.
pub fn mark(scores: &Imputed, method: usize) -> String {
    let part = |sign: &Sign, count: usize| {
        if count > 0 { format!(" {}{count}", sign.sign) } else { String::new() }
    };
    let (failed, imputed) = (scores.failed[method], scores.imputed[method]);
    part(&IMPUTED, imputed) + &part(&DROPPED, failed - imputed)
}

/// A sentence on failed repetitions, for tables whose cells are not marked one by one.
pub fn marks(losses: &Losses) -> String {
    let count = |of: fn(&Imputed) -> &Vec<usize>| {
        losses.blocks.iter().flat_map(|(_, scores)| of(scores)).sum::<usize>()
    };
    let (failed, imputed) = (count(|scores| &scores.failed), count(|scores| &scores.imputed));
    failures::marks(imputed, failed - imputed)
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
