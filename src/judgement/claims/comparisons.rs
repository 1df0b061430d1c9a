//! Count the comparisons in which one side is lower: on our runs by paired tests, on printed numbers by their values.

use super::kind::{Finding, Printed};
use super::outcome::Judged;
use crate::benchmark::Quantifier;
use crate::stats::paired::compare;

/// Counts the comparisons whose differences test − reference lie below zero and above it; `words` are the words for
/// lower and higher.
pub fn count_lower(family: &[Vec<f64>], quantifier: Quantifier, words: [&str; 2]) -> Finding {
    let found: Vec<_> = compare(family).into_iter().flatten().collect();
    let n = found.iter().map(|c| c.summary.n).min().unwrap_or(0);
    let below = found.iter().filter(|c| c.significant && c.summary.mean < 0.0).count();
    let above = found.iter().filter(|c| c.significant && c.summary.mean > 0.0).count();
    let means = found.iter().filter(|c| c.summary.mean < 0.0).count();
    // A comparison that was not run counts for neither side.
    let total = family.len();
    let needed = quantifier.needed(total);
    let judged = match total {
        0 => Judged::Undecided,
        _ if below >= needed => Judged::Holds,
        _ if total - above < needed => Judged::Fails,
        _ => Judged::Undecided,
    };
    let [low, high] = words;
    let unrun = total - found.len();
    let unrun = if unrun > 0 { format!(", {unrun} not run") } else { String::new() };
    let note = format!(
        "of {total} comparisons {below} significantly {low}, {above} significantly {high} (paired, Holm 5 %), {means} \
         {low} in the mean{unrun}; {needed} needed"
    );
    (judged, note, n)
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
