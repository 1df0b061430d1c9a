//! Decide a claim on many intervals together: Student's at 5 %, divided by the number of
//! comparisons (Bonferroni).

use super::kind::Finding;
use super::note::Note;
use super::outcome::Judged;

/// The finding for fewer than two repetitions with a number at every point, of which there is no
/// interval.
pub fn few(n: usize) -> Finding {
    Finding::undecided(Note::FewRepetitions, n)
}

/// The claim holds if all intervals are inside, and fails if one is outside.
pub fn count(inside: usize, outside: usize, total: usize) -> Judged {
    match () {
        () if outside > 0 => Judged::Fails,
        () if inside == total => Judged::Holds,
        () => Judged::Undecided,
    }
}
