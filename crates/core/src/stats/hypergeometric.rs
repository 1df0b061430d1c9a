//! Bound how many of a population are faulty, from a sample without replacement.
//!
//! Of N things D are faulty; n are drawn at random without replacement, and X of these are faulty.
//! X is hypergeometric: P(X = k) = C(D, k) C(N − D, n − k) / C(N, n).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A sample of a population.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Size N of the population.
    pub population: usize,
    /// Number n ≤ N of those that were drawn.
    pub drawn: usize,
}

impl Sample {
    /// ln of the factor by which one more faulty thing than `faulty` lowers P(X = 0): ln((N − n −
    /// D)/(N − D)); −∞ where it is sure to be drawn.
    fn ln_step(self, faulty: usize) -> f64 {
        let Self { population, drawn } = self;
        match population.saturating_sub(drawn + faulty) {
            0 => f64::NEG_INFINITY,
            hidden => (hidden as f64 / (population - faulty) as f64).ln(),
        }
    }

    /// P(X ≤ `found`) where `faulty` of the population are.
    fn at_most(self, faulty: usize, found: usize) -> f64 {
        let Self { population, drawn } = self;
        let (sound, least) = (population - faulty, (drawn + faulty).saturating_sub(population));
        if found < least {
            return 0.0;
        }
        // ln C(a, b) as a sum; the counts of trials are small.
        let ln_choose = |a: usize, b: usize| {
            (0..b).map(|i| ((a - i) as f64 / (b - i) as f64).ln()).sum::<f64>()
        };
        let mut ln_mass = ln_choose(faulty, least) + ln_choose(sound, drawn - least)
            - ln_choose(population, drawn);
        let mut sum = 0.0;
        for k in least..=found.min(drawn.min(faulty)) {
            sum += ln_mass.exp();
            let (more, fewer) = ((faulty - k) * (drawn - k), (k + 1) * (sound + k + 1 - drawn));
            ln_mass += (more as f64 / fewer as f64).ln();
        }
        sum.min(1.0)
    }

    /// The upper end of the one-sided interval for D that contains it with this confidence, after
    /// `found` ≤ n faulty ones: the largest D with P(X ≤ found) > 1 − confidence. N where nothing
    /// was drawn.
    pub fn most_faulty(self, found: usize, confidence: f64) -> usize {
        let Self { population, drawn } = self;
        // P(X ≤ found) falls with D, and is 0 where fewer than n − found are sound.
        let (mut low, mut high) = (found.min(population), population - (drawn - found.min(drawn)));
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if self.at_most(middle, found) > 1.0 - confidence {
                low = middle
            } else {
                high = middle - 1
            }
        }
        low
    }

    /// The smallest D of which the sample finds one with this probability, whichever D are faulty;
    /// `None` where even all are not found.
    pub fn least_found(self, probability: f64) -> Option<usize> {
        let mut ln_unseen = 0.0;
        for faulty in 0..self.population {
            ln_unseen += self.ln_step(faulty);
            if ln_unseen <= (1.0 - probability).ln() {
                return Some(faulty + 1);
            }
        }
        None
    }
}

/// A stratum, ordered by what one more faulty thing costs in ln P(nothing is found): the cheapest
/// first.
struct Next {
    ln_step: f64,
    stratum: usize,
    faulty: usize,
}

impl PartialEq for Next {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Next {}

impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Next {
    fn cmp(&self, other: &Self) -> Ordering {
        self.ln_step.total_cmp(&other.ln_step).then(other.stratum.cmp(&self.stratum))
    }
}

/// After samples of these strata that found nothing faulty: the largest number of faulty things
/// over all strata, wherever they are, of which the samples would find none with a probability
/// above 1 − confidence. It is the upper end of an exact interval for that number, because the
/// rarest event is the same wherever they are. A stratum of which nothing was drawn may be faulty
/// as a whole.
pub fn most_unseen(strata: &[Sample], confidence: f64) -> usize {
    let next = |stratum: usize, faulty: usize| Next {
        ln_step: strata[stratum].ln_step(faulty),
        stratum,
        faulty,
    };
    let filled = (0..strata.len()).filter(|&stratum| strata[stratum].population > 0);
    // Each further faulty thing of a stratum costs more than the one before, so that the cheapest
    // one next gives the most of them.
    let mut open: BinaryHeap<Next> = filled.map(|stratum| next(stratum, 0)).collect();
    let (mut ln_unseen, mut all) = (0.0, 0);
    while let Some(Next { ln_step, stratum, faulty }) = open.pop() {
        ln_unseen += ln_step;
        if ln_unseen <= (1.0 - confidence).ln() {
            break;
        }
        all += 1;
        if faulty + 1 < strata[stratum].population {
            open.push(next(stratum, faulty + 1));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    use super::*;

    fn sample(population: usize, drawn: usize) -> Sample {
        Sample { population, drawn }
    }

    /// Pascal's triangle, exact for the small numbers of these tests.
    fn choose(n: usize, k: usize) -> f64 {
        if k > n { 0.0 } else { (0..k).fold(1.0, |all, i| all * (n - i) as f64 / (i + 1) as f64) }
    }

    fn by_sum(Sample { population, drawn }: Sample, faulty: usize, found: usize) -> f64 {
        let mass = |k| choose(faulty, k) * choose(population - faulty, drawn - k);
        (0..=found.min(drawn)).map(mass).sum::<f64>() / choose(population, drawn)
    }

    #[test]
    fn a_sample_of_59_finds_one_in_twenty_of_a_large_population() {
        // (0.95)^59 = 0.0485: the rule of three for 95 %.
        let large = sample(1_000_000, 59);
        assert_eq!(large.least_found(0.95).map(|faulty| (faulty as f64 / 1e4).round()), Some(5.0));
        assert_eq!(sample(10, 0).least_found(0.95), None);
        assert_eq!(sample(10, 10).least_found(0.95), Some(1));
    }

    #[test]
    fn bounds_at_the_ends() {
        assert_eq!(sample(10, 0).most_faulty(0, 0.95), 10, "nothing was drawn");
        assert_eq!(sample(10, 10).most_faulty(0, 0.95), 0, "all were drawn");
        assert_eq!(sample(10, 10).most_faulty(3, 0.95), 3);
        assert_eq!(sample(0, 0).most_faulty(0, 0.95), 0);
        // One of two drawn: one faulty of two is missed by half of the draws.
        assert_eq!((sample(2, 1).most_faulty(0, 0.95), sample(2, 1).most_faulty(1, 0.95)), (1, 2));
        assert_eq!(most_unseen(&[sample(7, 0), sample(5, 5)], 0.95), 7);
        assert_eq!(most_unseen(&[], 0.95), 0);
    }

    proptest! {
        #[test]
        fn probabilities_are_the_sums_of_the_distribution(
            n in 1usize..40,
            drawn in 0usize..40,
            faulty in 0usize..40,
            found in 0usize..40,
        ) {
            let (drawn, faulty) = (drawn.min(n), faulty.min(n));
            let of = sample(n, drawn);
            prop_assert!((of.at_most(faulty, found) - by_sum(of, faulty, found)).abs() < 1e-10);
        }

        #[test]
        fn a_bound_is_the_last_number_that_is_not_excluded(
            n in 1usize..40,
            drawn in 1usize..40,
            found in 0usize..4,
        ) {
            let drawn = drawn.min(n);
            let (of, found) = (sample(n, drawn), found.min(drawn));
            let by_search =
                (0..=n).filter(|&faulty| by_sum(of, faulty, found) > 0.05 + 1e-12).max().unwrap();
            prop_assert_eq!(of.most_faulty(found, 0.95), by_search.max(found));
        }

        /// All ways to place faulty things in two strata are tried.
        #[test]
        fn the_bound_over_strata_is_that_of_the_worst_place(
            a in 1usize..15,
            b in 1usize..15,
            m in 0usize..15,
            n in 0usize..15,
        ) {
            let strata = [sample(a, m.min(a)), sample(b, n.min(b))];
            let unseen = |d: usize, e: usize| by_sum(strata[0], d, 0) * by_sum(strata[1], e, 0);
            let worst = (0..=a)
                .flat_map(|d| (0..=b).map(move |e| (d, e)))
                .filter(|&(d, e)| unseen(d, e) > 0.05 + 1e-12);
            prop_assert_eq!(most_unseen(&strata, 0.95), worst.map(|(d, e)| d + e).max().unwrap());
        }

        #[test]
        fn one_stratum_has_the_bound_of_its_sample(n in 1usize..60, drawn in 0usize..60) {
            let of = sample(n, drawn.min(n));
            prop_assert_eq!(most_unseen(&[of], 0.95), of.most_faulty(0, 0.95));
        }
    }
}
