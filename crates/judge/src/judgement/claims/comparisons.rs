//! Count the comparisons in which one side is lower: on our runs by paired tests, on printed
//! numbers by their values.

use super::kind::{Finding, Printed};
use super::outcome::Judged;
use crate::evidence::Series;
use crate::judgement::verdict::FEWEST;
use uq_core::stats::digits::mean_and_spread;
use uq_core::stats::paired::{Comparison, compare};
use uqbench_run::benchmark::Quantifier;

/// Comparisons of a claim: differences test − reference over repetitions, or printed ones.
#[derive(Default)]
pub struct Family<D> {
    /// Those that may decide.
    pub differences: Vec<D>,
    /// Number of those in which the narrower intervals cover too little, so that they count for
    /// neither side.
    pub short: usize,
    /// Number of those of which a side has not run.
    pub unrun: usize,
    /// Number of those that ran and have no repetition with a number on both sides.
    pub empty: usize,
}

impl<D> Family<D> {
    /// Adds a comparison.
    pub fn push(&mut self, difference: D, is_short: bool) {
        if is_short {
            self.short += 1;
        } else {
            self.differences.push(difference);
        }
    }

    /// Number of all comparisons.
    pub fn total(&self) -> usize {
        self.differences.len() + self.short + self.unrun + self.empty
    }

    /// The words on those that count for neither side; empty where there are none.
    pub fn in_short(&self) -> String {
        match self.short {
            0 => String::new(),
            count => format!(", in {count} the narrower intervals cover too little"),
        }
    }

    /// The words on those without a difference: those that have not run, and those that have no
    /// number; empty where there are none.
    pub fn without(&self) -> String {
        let some = |count: usize, words: &str| {
            if count > 0 { format!(", {count} {words}") } else { String::new() }
        };
        some(self.unrun, "not run") + &some(self.empty, "without a common repetition")
    }
}

impl Family<Vec<f64>> {
    /// Adds a comparison of two columns: its differences over the repetitions that both have.
    pub fn push_runs(
        &mut self,
        [test, reference]: [Option<&Series>; 2],
        differences: Vec<f64>,
        is_short: bool,
    ) {
        let has_run = |side: Option<&Series>| side.is_some_and(Series::has_run);
        if !differences.is_empty() {
            self.push(differences, is_short);
        } else if has_run(test) && has_run(reference) {
            self.empty += 1;
        } else {
            self.unrun += 1;
        }
    }

    /// The fewest repetitions of a comparison that has any; 0 where none has.
    pub fn fewest(&self) -> usize {
        self.differences.iter().map(Vec::len).min().unwrap_or(0)
    }

    /// In how many comparisons the mean difference is below zero.
    pub fn lower_in_the_mean(&self) -> usize {
        self.differences.iter().filter(|all| all.iter().sum::<f64>() < 0.0).count()
    }
}

impl<D> From<Vec<D>> for Family<D> {
    fn from(differences: Vec<D>) -> Self {
        Self { differences, short: 0, unrun: 0, empty: 0 }
    }
}

/// Counts the comparisons whose differences lie below zero and above it; `words` are the words for
/// lower and higher. A comparison that was not run counts for neither side, and one of a single
/// repetition is significant on neither. Where those of enough repetitions decide by themselves,
/// whatever the others show, the number of repetitions is theirs.
pub fn count_lower(family: &Family<Vec<f64>>, quantifier: Quantifier, words: [&str; 2]) -> Finding {
    let found: Vec<_> = compare(&family.differences).into_iter().flatten().collect();
    let total = family.total();
    let needed = quantifier.needed(total);
    let count = |of: &[Comparison]| {
        let side =
            |sign: f64| of.iter().filter(|c| c.significant && sign * c.summary.mean > 0.0).count();
        (side(-1.0), side(1.0))
    };
    let judge = |(below, above): (usize, usize)| match total {
        0 => Judged::Undecided,
        _ if below >= needed => Judged::Holds,
        _ if total - above < needed => Judged::Fails,
        _ => Judged::Undecided,
    };
    let firm: Vec<Comparison> = found.iter().copied().filter(|c| c.summary.n >= FEWEST).collect();
    let too_few = family.differences.len() - firm.len();
    let decided = too_few > 0 && judge(count(&firm)) != Judged::Undecided;
    let (judged, n) = match firm.iter().map(|c| c.summary.n).min() {
        Some(fewest) if decided => (judge(count(&firm)), fewest),
        _ => (judge(count(&found)), family.fewest()),
    };
    let others = if decided {
        match too_few {
            1 => "; one comparison has fewer than ten repetitions, which cannot change it".into(),
            _ => format!(
                "; {too_few} comparisons have fewer than ten repetitions, which cannot change it"
            ),
        }
    } else {
        String::new()
    };
    let note = format!(
        "{}{}{}{}; the claim needs {needed}{others}",
        counted(family, &found, count(&found), words),
        family.in_short(),
        family.without(),
        clearest(&found, words)
    );
    (judged, note, n)
}

/// How many comparisons of a family lie on which side. One repetition of each has a mean, and no
/// test.
fn counted(
    family: &Family<Vec<f64>>,
    found: &[Comparison],
    (below, above): (usize, usize),
    [low, high]: [&str; 2],
) -> String {
    let (means, total) = (family.lower_in_the_mean(), family.total());
    match (family.differences.len(), found.len()) {
        (0, _) => format!("none of {total} comparisons has a number"),
        (ran, 0) => format!("{low} in the mean on {means} of {ran}"),
        _ => format!(
            "significantly {low} in {below} of {total} comparisons and significantly {high} in \
             {above} (paired, Holm 5 %), {low} in the mean in {means}"
        ),
    }
}

/// The difference that is largest in units of its standard error, with its interval; `words` are
/// the words for lower and higher.
fn clearest(found: &[Comparison], [low, high]: [&str; 2]) -> String {
    let of = |c: &Comparison| {
        Some((c.summary.mean, c.summary.standard_error()?, c.summary.half_width(c.alpha)?))
    };
    let all = found.iter().filter_map(of).filter(|(_, error, _)| *error > 0.0);
    match all.max_by(|(a, error, _), (b, other, _)| (a / error).abs().total_cmp(&(b / other).abs()))
    {
        Some((mean, _, half)) => {
            let word = if mean < 0.0 { low } else { high };
            format!(", the clearest by {} {word}", mean_and_spread(Some(mean.abs()), Some(half)))
        }
        None => String::new(),
    }
}

/// Counts printed differences below zero; `word` is the word for them.
pub fn count_printed(family: &Family<f64>, quantifier: Quantifier, word: &str) -> Printed {
    let differences = &family.differences;
    // Printed numbers are decimal fractions: a difference below a millionth is a tie.
    let below = differences.iter().filter(|d| **d < -1e-6).count();
    let ties = differences.iter().filter(|d| d.abs() <= 1e-6).count();
    let (total, needed) = (family.total(), quantifier.needed(family.total()));
    let judged = match below {
        _ if below >= needed => Judged::Holds,
        _ if below + family.short < needed => Judged::Fails,
        _ => Judged::Undecided,
    };
    (
        judged,
        format!(
            "by the printed numbers {word} in {below} of {total} comparisons{}{}; the claim needs \
             {needed}",
            if ties > 0 { format!(", equal in {ties}") } else { String::new() },
            family.in_short()
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `n` differences that are significantly negative or positive, by the sign of `mean`.
    fn differences(mean: f64, n: usize) -> Vec<f64> {
        (0..n).map(|i| mean + 0.01 * mean.abs() * (i % 3) as f64).collect()
    }

    fn judged(family: &[Vec<f64>], quantifier: Quantifier) -> (Judged, usize) {
        let (judged, _, n) = count_lower(&family.to_vec().into(), quantifier, ["lower", "higher"]);
        (judged, n)
    }

    #[test]
    fn comparisons_of_few_repetitions_decide_nothing_that_the_others_leave_open() {
        let [low, high] = [-1.0, 1.0].map(|mean| differences(mean, 10));
        let [few_low, few_high] = [-1.0, 1.0].map(|mean| differences(mean, 3));
        // Two of three are needed: the third one cannot change it, and its own number of
        // repetitions does not count.
        let most = |family: &[&Vec<f64>]| {
            judged(&family.iter().map(|one| (*one).clone()).collect::<Vec<_>>(), Quantifier::Most)
        };
        assert_eq!(most(&[&low, &low, &few_high]), (Judged::Holds, 10));
        assert_eq!(most(&[&high, &high, &few_low]), (Judged::Fails, 10));
        assert_eq!(
            most(&[&low, &high, &few_low]),
            (Judged::Holds, 3),
            "so far, by three repetitions"
        );
        assert_eq!(most(&[&few_low, &few_low, &few_low]), (Judged::Holds, 3));
        assert_eq!(most(&[&low, &low, &low]), (Judged::Holds, 10));
        let note = count_lower(
            &vec![low.clone(), low, few_high].into(),
            Quantifier::Most,
            ["lower", "higher"],
        )
        .1;
        assert!(note.ends_with("fewer than ten repetitions, which cannot change it"), "{note}");
    }

    #[test]
    fn comparisons_in_which_the_narrower_intervals_cover_too_little_count_for_neither_side() {
        let of = |differences: Vec<Vec<f64>>, short| {
            count_lower(
                &Family { differences, short, ..Family::default() },
                Quantifier::Most,
                ["better", "worse"],
            )
        };
        let [low, high] = [-1.0, 1.0].map(|mean| differences(mean, 10));
        assert_eq!(of(vec![high.clone(), high.clone(), low.clone()], 0).0, Judged::Fails);
        let (judged, note, _) = of(vec![high.clone(), low.clone()], 1);
        assert_eq!(judged, Judged::Undecided, "one of each, and one of neither");
        assert!(
            note.contains(
                "better in the mean in 1, in 1 the narrower intervals cover too little, the clearest"
            ),
            "{note}"
        );
        assert!(!note.contains("not run"), "{note}");
        assert_eq!(
            of(vec![low.clone(), low], 1).0,
            Judged::Holds,
            "two of three whatever the third one is"
        );
        let printed = |differences: Vec<f64>, short| {
            count_printed(
                &Family { differences, short, ..Family::default() },
                Quantifier::Most,
                "better",
            )
        };
        assert_eq!(printed(vec![-1.0, 1.0], 1).0, Judged::Undecided);
        assert_eq!(printed(vec![1.0, 1.0], 1).0, Judged::Fails);
        let expected = "by the printed numbers better in 2 of 3 comparisons, in 1 the narrower \
                        intervals cover too little; the claim needs 2";
        assert_eq!(printed(vec![-1.0, -1.0], 1), (Judged::Holds, expected.into()));
    }

    #[test]
    fn all_of_a_family_fail_with_the_first_that_does_not_hold() {
        let family = [differences(-1.0, 10), differences(1.0, 10), differences(-1.0, 2)];
        let unrun = Family { unrun: 1, ..Family::from(family.to_vec()) };
        let (found, _, n) = count_lower(&unrun, Quantifier::All, ["lower", "higher"]);
        assert_eq!((found, n), (Judged::Fails, 10));
        assert_eq!(judged(&family[..1], Quantifier::All), (Judged::Holds, 10));
        assert_eq!(judged(&[], Quantifier::All), (Judged::Undecided, 0));
    }

    #[test]
    fn one_repetition_has_a_mean_and_decides_nothing() {
        let once = Family::from(vec![vec![-1.0], vec![-2.0], vec![0.5]]);
        let (found, note, n) = count_lower(&once, Quantifier::All, ["better", "worse"]);
        assert_eq!(
            (found, n, once.fewest(), once.lower_in_the_mean()),
            (Judged::Undecided, 1, 1, 2)
        );
        assert!(note.contains("2 of 3") && !note.contains("not run"), "{note}");
        let unrun = Family { unrun: 2, ..Family::from(vec![vec![-1.0]]) };
        assert_eq!((unrun.total(), unrun.without().as_str()), (3, ", 2 not run"));
        let none = Family { unrun: 2, ..Family::default() };
        assert_eq!(
            (count_lower(&none, Quantifier::All, ["better", "worse"]).2, none.total()),
            (0, 2)
        );
        // One repetition beside ten: the ten decide where they do so whatever the one shows.
        let mixed = Family::from(vec![differences(1.0, 10), vec![-1.0]]);
        let (found, _, n) = count_lower(&mixed, Quantifier::All, ["better", "worse"]);
        assert_eq!((found, n), (Judged::Fails, 10));
        let mixed = Family::from(vec![differences(-1.0, 10), vec![-1.0]]);
        assert_eq!(count_lower(&mixed, Quantifier::All, ["better", "worse"]).2, 1);
    }
}
