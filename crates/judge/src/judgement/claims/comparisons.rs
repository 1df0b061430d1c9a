//! Count the comparisons in which one side is lower: on our runs by paired tests, on printed
//! numbers by their values.

use super::kind::{Finding, Printed};
use super::note::{Counts, Note, Order, PrintedCounts, PrintedNote, Uncounted};
use super::outcome::Judged;
use crate::evidence::Series;
use crate::judgement::verdict::FEWEST;
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

    /// Those that count for neither side: their narrower intervals cover too little, or they have
    /// no difference.
    pub fn uncounted(&self) -> Uncounted {
        Uncounted { short: self.short, unrun: self.unrun, empty: self.empty }
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

/// Comparisons of our runs, counted, and whether the claim on them holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// Whether it holds.
    pub judged: Judged,
    /// The comparisons.
    pub counts: Counts,
    /// Number of repetitions.
    pub n: usize,
}

impl From<Decided> for Finding {
    fn from(Decided { judged, counts, n }: Decided) -> Self {
        Self { judged, note: Note::Counted(counts), n }
    }
}

/// Counts the comparisons whose differences lie below zero and above it; `order` is what the claim
/// says of the former. A comparison that was not run counts for neither side, and one of a single
/// repetition is significant on neither. Where those of enough repetitions decide by themselves,
/// whatever the others show, the number of repetitions is theirs.
pub fn count_lower(family: &Family<Vec<f64>>, quantifier: Quantifier, order: Order) -> Decided {
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
    let counts = Counts {
        order,
        total,
        ran: family.differences.len(),
        in_the_mean: family.lower_in_the_mean(),
        // One repetition of each has a mean, and no test.
        significant: (!found.is_empty()).then(|| count(&found)),
        uncounted: family.uncounted(),
        clearest: clearest(&found),
        needed,
        idle: if decided { too_few } else { 0 },
    };
    Decided { judged, counts, n }
}

/// The difference that is largest in units of its standard error, with the half width of its
/// interval.
fn clearest(found: &[Comparison]) -> Option<(f64, f64)> {
    let of = |c: &Comparison| {
        Some((c.summary.mean, c.summary.standard_error()?, c.summary.half_width(c.alpha)?))
    };
    let all = found.iter().filter_map(of).filter(|(_, error, _)| *error > 0.0);
    all.max_by(|(a, error, _), (b, other, _)| (a / error).abs().total_cmp(&(b / other).abs()))
        .map(|(mean, _, half)| (mean, half))
}

/// Counts printed differences below zero; `order` is what the claim says of them.
pub fn count_printed(family: &Family<f64>, quantifier: Quantifier, order: Order) -> Printed {
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
    let counts = PrintedCounts { order, below, ties, short: family.short, total, needed };
    Printed { judged, note: PrintedNote::Counted(counts) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `n` differences that are significantly negative or positive, by the sign of `mean`.
    fn differences(mean: f64, n: usize) -> Vec<f64> {
        (0..n).map(|i| mean + 0.01 * mean.abs() * (i % 3) as f64).collect()
    }

    fn judged(family: &[Vec<f64>], quantifier: Quantifier) -> (Judged, usize) {
        let decided = count_lower(&family.to_vec().into(), quantifier, Order::Lower);
        (decided.judged, decided.n)
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
        let idle = |family: Vec<Vec<f64>>| {
            count_lower(&family.into(), Quantifier::Most, Order::Lower).counts.idle
        };
        assert_eq!(idle(vec![low.clone(), low.clone(), few_high]), 1);
        assert_eq!(idle(vec![low.clone(), low.clone(), low.clone()]), 0);
        assert_eq!(idle(vec![low, high, few_low]), 0, "it may change it");
    }

    #[test]
    fn comparisons_in_which_the_narrower_intervals_cover_too_little_count_for_neither_side() {
        let of = |differences: Vec<Vec<f64>>, short| {
            count_lower(
                &Family { differences, short, ..Family::default() },
                Quantifier::Most,
                Order::Better,
            )
        };
        let [low, high] = [-1.0, 1.0].map(|mean| differences(mean, 10));
        assert_eq!(of(vec![high.clone(), high.clone(), low.clone()], 0).judged, Judged::Fails);
        let Decided { judged, counts, .. } = of(vec![high.clone(), low.clone()], 1);
        assert_eq!(judged, Judged::Undecided, "one of each, and one of neither");
        assert_eq!(counts.uncounted, Uncounted { short: 1, ..Uncounted::default() });
        assert_eq!((counts.total, counts.significant), (3, Some((1, 1))));
        assert_eq!((counts.in_the_mean, counts.clearest.is_some()), (1, true));
        assert_eq!(
            of(vec![low.clone(), low], 1).judged,
            Judged::Holds,
            "two of three whatever the third one is"
        );
        let printed = |differences: Vec<f64>, short| {
            count_printed(
                &Family { differences, short, ..Family::default() },
                Quantifier::Most,
                Order::Better,
            )
        };
        assert_eq!(printed(vec![-1.0, 1.0], 1).judged, Judged::Undecided);
        assert_eq!(printed(vec![1.0, 1.0], 1).judged, Judged::Fails);
        let (order, below, ties, short, total, needed) = (Order::Better, 2, 0, 1, 3, 2);
        let counts = PrintedCounts { order, below, ties, short, total, needed };
        let expected = Printed { judged: Judged::Holds, note: PrintedNote::Counted(counts) };
        assert_eq!(printed(vec![-1.0, -1.0], 1), expected);
    }

    #[test]
    fn all_of_a_family_fail_with_the_first_that_does_not_hold() {
        let family = [differences(-1.0, 10), differences(1.0, 10), differences(-1.0, 2)];
        let unrun = Family { unrun: 1, ..Family::from(family.to_vec()) };
        let found = count_lower(&unrun, Quantifier::All, Order::Lower);
        assert_eq!((found.judged, found.n), (Judged::Fails, 10));
        assert_eq!(judged(&family[..1], Quantifier::All), (Judged::Holds, 10));
        assert_eq!(judged(&[], Quantifier::All), (Judged::Undecided, 0));
    }

    #[test]
    fn one_repetition_has_a_mean_and_decides_nothing() {
        let once = Family::from(vec![vec![-1.0], vec![-2.0], vec![0.5]]);
        let all = |family: &Family<Vec<f64>>| count_lower(family, Quantifier::All, Order::Better);
        let Decided { judged, counts, n } = all(&once);
        assert_eq!((judged, n, once.fewest()), (Judged::Undecided, 1, 1));
        assert_eq!((counts.in_the_mean, counts.ran, counts.significant), (2, 3, None));
        assert_eq!(counts.uncounted, Uncounted::default());
        let unrun = Family { unrun: 2, ..Family::from(vec![vec![-1.0]]) };
        assert_eq!((unrun.total(), all(&unrun).counts.uncounted.unrun), (3, 2));
        let none = Family { unrun: 2, ..Family::default() };
        assert_eq!((all(&none).n, all(&none).counts.ran, none.total()), (0, 0, 2));
        // One repetition beside ten: the ten decide where they do so whatever the one shows.
        let mixed = Family::from(vec![differences(1.0, 10), vec![-1.0]]);
        assert_eq!((all(&mixed).judged, all(&mixed).n), (Judged::Fails, 10));
        let mixed = Family::from(vec![differences(-1.0, 10), vec![-1.0]]);
        assert_eq!(all(&mixed).n, 1);
    }
}
