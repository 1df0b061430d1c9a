//! Count the comparisons in which one side is lower: on our runs by paired tests, on printed numbers by their values.

use super::kind::{Finding, Printed};
use super::outcome::Judged;
use crate::benchmark::Quantifier;
use crate::judgement::verdict::FEWEST;
use crate::stats::digits::mean_and_spread;
use crate::stats::paired::{Comparison, compare};

/// Counts the comparisons whose differences test − reference lie below zero and above it; `words` are the words for
/// lower and higher. A comparison that was not run counts for neither side. Where those of enough repetitions decide by
/// themselves, whatever the others show, the number of repetitions is theirs.
pub fn count_lower(family: &[Vec<f64>], quantifier: Quantifier, words: [&str; 2]) -> Finding {
    let found: Vec<_> = compare(family).into_iter().flatten().collect();
    let total = family.len();
    let needed = quantifier.needed(total);
    let count = |of: &[Comparison]| {
        let side = |sign: f64| of.iter().filter(|c| c.significant && sign * c.summary.mean > 0.0).count();
        (side(-1.0), side(1.0))
    };
    let judge = |(below, above): (usize, usize)| match total {
        0 => Judged::Undecided,
        _ if below >= needed => Judged::Holds,
        _ if total - above < needed => Judged::Fails,
        _ => Judged::Undecided,
    };
    let fewest = |of: &[Comparison]| of.iter().map(|c| c.summary.n).min().unwrap_or(0);
    let (firm, previews): (Vec<Comparison>, Vec<Comparison>) =
        found.iter().copied().partition(|c| c.summary.n >= FEWEST);
    let (below, above) = count(&found);
    let means = found.iter().filter(|c| c.summary.mean < 0.0).count();
    let decided = !previews.is_empty() && judge(count(&firm)) != Judged::Undecided;
    let (judged, n) =
        if decided { (judge(count(&firm)), fewest(&firm)) } else { (judge((below, above)), fewest(&found)) };
    let [low, high] = words;
    let unrun = total - found.len();
    let unrun = if unrun > 0 { format!(", {unrun} not run") } else { String::new() };
    let others = match previews.len() {
        few if decided => format!("; {few} of fewer than ten repetitions cannot change it"),
        _ => String::new(),
    };
    let note = format!(
        "of {total} comparisons {below} significantly {low}, {above} significantly {high} (paired, Holm 5 %), {means} \
         {low} in the mean{unrun}{}; {needed} needed{others}",
        clearest(&found, words)
    );
    (judged, note, n)
}

/// The difference that is largest in units of its standard error, with its interval; `words` are the words for lower and higher.
fn clearest(found: &[Comparison], [low, high]: [&str; 2]) -> String {
    let of = |c: &Comparison| Some((c.summary.mean, c.summary.standard_error()?, c.summary.half_width(c.alpha)?));
    let all = found.iter().filter_map(of).filter(|(_, error, _)| *error > 0.0);
    match all.max_by(|(a, error, _), (b, other, _)| (a / error).abs().total_cmp(&(b / other).abs())) {
        Some((mean, _, half)) => {
            let word = if mean < 0.0 { low } else { high };
            format!(", the clearest by {} {word}", mean_and_spread(Some(mean.abs()), Some(half)))
        }
        None => String::new(),
    }
}

/// Counts printed differences below zero; `word` is the word for them.
pub fn count_printed(differences: &[f64], quantifier: Quantifier, word: &str) -> Printed {
    // Printed numbers are decimal fractions: a difference below a millionth is a tie.
    let below = differences.iter().filter(|d| **d < -1e-6).count();
    let ties = differences.iter().filter(|d| d.abs() <= 1e-6).count();
    let (total, needed) = (differences.len(), quantifier.needed(differences.len()));
    let judged = if below >= needed { Judged::Holds } else { Judged::Fails };
    (judged, format!("printed: {below} of {total} {word}, {ties} tied; {needed} needed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `n` differences that are significantly negative or positive, by the sign of `mean`.
    fn differences(mean: f64, n: usize) -> Vec<f64> {
        (0..n).map(|i| mean + 0.01 * mean.abs() * (i % 3) as f64).collect()
    }

    fn judged(family: &[Vec<f64>], quantifier: Quantifier) -> (Judged, usize) {
        let (judged, _, n) = count_lower(family, quantifier, ["lower", "higher"]);
        (judged, n)
    }

    #[test]
    fn comparisons_of_few_repetitions_decide_nothing_that_the_others_leave_open() {
        let [low, high] = [-1.0, 1.0].map(|mean| differences(mean, 10));
        let [few_low, few_high] = [-1.0, 1.0].map(|mean| differences(mean, 3));
        // Two of three are needed: the third one cannot change it, and its own number of repetitions does not count.
        let most = |family: &[&Vec<f64>]| {
            judged(&family.iter().map(|one| (*one).clone()).collect::<Vec<_>>(), Quantifier::Most)
        };
        assert_eq!(most(&[&low, &low, &few_high]), (Judged::Holds, 10));
        assert_eq!(most(&[&high, &high, &few_low]), (Judged::Fails, 10));
        assert_eq!(most(&[&low, &high, &few_low]), (Judged::Holds, 3), "so far, by three repetitions");
        assert_eq!(most(&[&few_low, &few_low, &few_low]), (Judged::Holds, 3));
        assert_eq!(most(&[&low, &low, &low]), (Judged::Holds, 10));
        let note = count_lower(&[low.clone(), low, few_high], Quantifier::Most, ["lower", "higher"]).1;
        assert!(note.ends_with("2 needed; 1 of fewer than ten repetitions cannot change it"), "{note}");
    }

    #[test]
    fn all_of_a_family_fail_with_the_first_that_does_not_hold() {
        let family = [differences(-1.0, 10), differences(1.0, 10), Vec::new(), differences(-1.0, 2)];
        assert_eq!(judged(&family, Quantifier::All), (Judged::Fails, 10));
        assert_eq!(judged(&family[..1], Quantifier::All), (Judged::Holds, 10));
        assert_eq!(judged(&[], Quantifier::All), (Judged::Undecided, 0));
    }
}
