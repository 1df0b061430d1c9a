//! Decide a claim that many intervals must bear out together: Student's at 5 %, divided by the number of comparisons (Bonferroni).

use super::kind::Finding;
use super::outcome::Judged;

/// Too little was run.
pub fn few(n: usize) -> Finding {
    (Judged::Undecided, "too few repetitions with a number at every point".into(), n)
}

/// All must be inside; one outside refutes.
pub fn count(inside: usize, outside: usize, total: usize) -> Judged {
    match () {
        () if outside > 0 => Judged::Fails,
        () if inside == total => Judged::Holds,
        () => Judged::Undecided,
    }
}
