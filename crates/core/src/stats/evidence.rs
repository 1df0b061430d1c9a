//! Gather evidence row by row that predictions are no longer what they were: that intervals cover
//! too few rows, and that errors are larger than those by which they were made.
//!
//! Each evidence is the wealth of a gambler who begins with 1 and cannot expect to win while the
//! hypothesis holds. So it ever reaches 1/α with probability α at most, however many rows come and
//! whenever one looks (Ville 1939; Shafer 2021, JRSS A 184; Ramdas, Grünwald, Vovk & Shafer 2023,
//! Statistical Science 38). A fault may begin at any row: the share 1/(k(k + 1)) of the wealth is
//! bet from row k on, and the rest is kept.
//!
//! The interval of a coverage that holds at all rows at once is that of the beta-binomial mixture
//! (Robbins 1970, Ann. Math. Stat. 41; Howard, Ramdas, McAuliffe & Sekhon 2021, Ann. Stat. 49).

use rand::RngExt;
use statrs::function::beta::ln_beta;

use crate::math::random::Streams;

/// Probabilities of a miss that are bet on, as shares of the way from the hypothesis to 1.
const WORSE: [f64; 5] = [0.02, 0.05, 0.1, 0.25, 0.6];

/// Exponents of the bets on small p-values: ε p^(ε − 1) integrates to 1 (Vovk, Gammerman & Shafer
/// 2005, *Algorithmic Learning in a Random World*, 7.1).
const POWERS: [f64; 3] = [0.2, 0.5, 0.8];

/// Wealth above which no more is won, so that it stays a number.
const MOST: f64 = 1e200;

/// The wealth of one strategy, of which a share is bet from each row on.
#[derive(Clone, Copy, Debug)]
struct Wealth {
    /// What is at stake.
    open: f64,
    /// Number of rows.
    rows: f64,
}

impl Wealth {
    const NEW: Self = Self { open: 0.0, rows: 0.0 };

    /// Bets on a row that multiplies each stake by `factor`, whose expectation is at most 1.
    fn bet(&mut self, factor: f64) {
        self.rows += 1.0;
        let share = 1.0 / (self.rows * (self.rows + 1.0));
        self.open = ((self.open + share) * factor).min(MOST);
    }

    /// All of it: what is at stake, and the shares that are bet later, Σ_{k > n} 1/(k(k + 1)).
    fn all(self) -> f64 {
        self.open + 1.0 / (self.rows + 1.0)
    }
}

/// The mean wealth of strategies.
fn mean(all: &[Wealth]) -> f64 {
    all.iter().map(|wealth| wealth.all()).sum::<f64>() / all.len() as f64
}

/// The evidence after each row that rows are missed with a probability above `most`, in (0, 1), n.
/// The hypothesis is that each row is missed with a probability of at most `most`, given the rows
/// before it; nothing else is assumed of the rows.
pub fn evidence_of_misses(missed: impl IntoIterator<Item = bool>, most: f64) -> Vec<f64> {
    evidence_of_shares(missed.into_iter().map(|is_missed| f64::from(u8::from(is_missed))), most)
}

/// The evidence after each period that more than `most`, in (0, 1), of its rows are missed, n, from
/// the `shares` of the rows that were. The hypothesis is that the share is at most `most` in
/// expectation, given the periods before it: rows of one period may depend on each other.
pub fn evidence_of_shares(shares: impl IntoIterator<Item = f64>, most: f64) -> Vec<f64> {
    let mut all = [Wealth::NEW; WORSE.len()];
    let bet = |share: f64| {
        for (wealth, way) in all.iter_mut().zip(WORSE) {
            // Of a row that is missed p₁/m, else (1 − p₁)/(1 − m), where p₁ = m + way (1 − m).
            wealth.bet(1.0 + way * (share - most) / most);
        }
        mean(&all)
    };
    shares.into_iter().map(bet).collect()
}

/// The evidence after each row that its score is larger than exchangeable ones would be, n: that
/// errors have grown since the `calibration` scores. The p-value of a score is its rank among
/// these, those before it and itself, with ties in random order; p-values of exchangeable scores
/// are independent and uniform, so that the wealth is a conformal test martingale. Smaller scores
/// are no evidence: a model that was fitted on more rows makes smaller errors.
pub fn evidence_of_growth(calibration: &[f64], scores: &[f64], streams: &Streams) -> Vec<f64> {
    let mut places: Vec<f64> = calibration.iter().chain(scores).copied().collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let place = |score: f64| places.partition_point(|other| *other < score);
    let mut known = Counts::new(places.len());
    calibration.iter().for_each(|score| known.add(place(*score)));
    let mut all = [Wealth::NEW; POWERS.len()];
    let mut rows = calibration.len();
    let bet = |(row, score): (usize, &f64)| {
        let place = place(*score);
        let below = known.below(place);
        let up_to = known.below(place + 1);
        let chance: f64 = streams.stream("tie", row as u64).random();
        let above = (rows - up_to) as f64;
        let ties = (up_to - below + 1) as f64;
        // In (0, 1]: the score is one of its ties.
        let p = (above + (1.0 - chance) * ties) / (rows + 1) as f64;
        known.add(place);
        rows += 1;
        for (wealth, power) in all.iter_mut().zip(POWERS) {
            wealth.bet(power * p.powf(power - 1.0));
        }
        mean(&all)
    };
    scores.iter().enumerate().map(bet).collect()
}

/// Counts by place, of which sums over the first places take a time that grows with the logarithm of
/// their number (Fenwick 1994, Software: Practice and Experience 24).
struct Counts(Vec<usize>);

impl Counts {
    fn new(places: usize) -> Self {
        Self(vec![0; places + 1])
    }

    /// Adds one at a place, from 0.
    fn add(&mut self, place: usize) {
        let mut node = place + 1;
        while let Some(count) = self.0.get_mut(node) {
            *count += 1;
            node += node & node.wrapping_neg();
        }
    }

    /// How many are at the places before this one.
    fn below(&self, place: usize) -> usize {
        let (mut node, mut sum) = (place, 0);
        while node > 0 {
            sum += self.0[node];
            node &= node - 1;
        }
        sum
    }
}

/// The row, from 0, from which on bets against "missed with a probability of at most `most`" would
/// have won most: where misses have probably become more frequent. 0 where none would have won.
pub fn likely_start(missed: &[bool], most: f64) -> usize {
    let way = WORSE[3];
    let gain = |is_missed: bool| (1.0 + way * (f64::from(u8::from(is_missed)) - most) / most).ln();
    let (mut best, mut start, mut sum) = (0.0, 0, 0.0);
    for (row, is_missed) in missed.iter().enumerate().rev() {
        sum += gain(*is_missed);
        if sum > best {
            (best, start) = (sum, row);
        }
    }
    start
}

/// The first row, from 0, at which the evidence reaches 1/α.
pub fn first_alarm(evidence: &[f64], alpha: f64) -> Option<usize> {
    evidence.iter().position(|wealth| *wealth >= 1.0 / alpha)
}

/// The interval of the probability of being covered, after `covered` of `rows`: the intervals after
/// all numbers of rows contain a constant probability together with probability 1 − α. (0, 1)
/// before the first row.
pub fn interval_at_all_rows(covered: usize, rows: usize, alpha: f64) -> (f64, f64) {
    if rows == 0 {
        return (0.0, 1.0);
    }
    let k = covered as f64;
    let missed = (rows - covered) as f64;
    // ln of the mixture's wealth against p under Jeffreys' prior, less that at which p is refused.
    let excess = |p: f64| {
        let own = k * p.ln() + missed * (-p).ln_1p();
        ln_beta(k + 0.5, missed + 0.5) - ln_beta(0.5, 0.5) - own + alpha.ln()
    };
    let share = k / rows as f64;
    // The wealth falls towards the share of covered rows and rises beyond it.
    let end = |far: f64| {
        let (mut refused, mut kept) = (far, share);
        for _ in 0..60 {
            let middle = f64::midpoint(refused, kept);
            if excess(middle) > 0.0 { refused = middle } else { kept = middle }
        }
        kept
    };
    let low = if covered == 0 { 0.0 } else { end(0.0) };
    let high = if covered == rows { 1.0 } else { end(1.0) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::{Rng, standard_normal};

    const ALPHA: f64 = 0.05;
    /// Simulations of each law. Of 200 with 5 % false alarms at most, 19 or more occur in 0.3 %.
    const RUNS: u64 = 200;
    const FALSE_AT_MOST: usize = 18;

    /// How many runs raise an alarm, and the mean row of it.
    fn alarms(run: impl Fn(&mut Rng, &Streams) -> Vec<f64>) -> (usize, f64) {
        let first = |seed: u64| {
            let streams = Streams::new(seed, "evidence");
            first_alarm(&run(&mut streams.stream("rows", 0), &streams), ALPHA)
        };
        let rows: Vec<usize> = (0..RUNS).filter_map(first).collect();
        (rows.len(), rows.iter().sum::<usize>() as f64 / rows.len().max(1) as f64)
    }

    fn misses(rng: &mut Rng, probability: impl Fn(usize) -> f64, rows: usize) -> Vec<bool> {
        (0..rows).map(|row| rng.random::<f64>() < probability(row)).collect()
    }

    #[test]
    fn misses_as_allowed_raise_few_alarms_and_more_raise_one_soon() {
        let count_alarms = |probability: fn(usize) -> f64| {
            alarms(|rng, _| evidence_of_misses(misses(rng, probability, 2000), 0.12))
        };
        assert!(count_alarms(|_| 0.12).0 <= FALSE_AT_MOST, "{:?}", count_alarms(|_| 0.12));
        assert!(
            count_alarms(|_| 0.1).0 <= 4,
            "fewer misses than allowed: {:?}",
            count_alarms(|_| 0.1)
        );
        // A conditional probability that wanders below the bound breaks nothing.
        assert!(count_alarms(|row| if row / 50 % 2 == 0 { 0.12 } else { 0.02 }).0 <= FALSE_AT_MOST);
        let (found, row) = count_alarms(|row| if row < 1000 { 0.1 } else { 0.3 });
        assert!(found == RUNS as usize && row < 1150.0, "a jump: {found}, {row}");
        let (found, row) = count_alarms(|row| 0.1 + 0.2 * row as f64 / 2000.0);
        assert!(found == RUNS as usize && row < 1500.0, "a slow drift: {found}, {row}");
    }

    /// Errors of a day depend on each other: each row's is 0.95 of the last one's and a new one. Bets
    /// on rows lose their guarantee, and bets on days keep it.
    #[test]
    fn rows_that_depend_on_each_other_are_no_evidence_by_period() {
        let days = |rng: &mut Rng| {
            let day = |rng: &mut Rng| {
                let mut error = standard_normal(rng);
                let mut next = || {
                    let row = error;
                    error = 0.95 * error + (1.0f64 - 0.95 * 0.95).sqrt() * standard_normal(rng);
                    row.abs() > 1.645
                };
                (0..40).map(|_| next()).collect::<Vec<bool>>()
            };
            (0..100).map(|_| day(rng)).collect::<Vec<_>>()
        };
        let (by_row, _) =
            alarms(|rng, _| evidence_of_misses(days(rng).into_iter().flatten(), 0.12));
        let share = |day: &Vec<bool>| day.iter().filter(|missed| **missed).count() as f64 / 40.0;
        let (by_day, _) = alarms(|rng, _| evidence_of_shares(days(rng).iter().map(share), 0.12));
        assert!(by_day <= FALSE_AT_MOST, "{by_day}");
        assert!(by_row > 3 * FALSE_AT_MOST, "by row: {by_row}");
    }

    /// Scores of 300 and of 2000 later rows, the size of whose errors is `scale` of the row.
    fn growth(rng: &mut Rng, streams: &Streams, scale: impl Fn(usize) -> f64) -> Vec<f64> {
        let calibration: Vec<f64> = (0..300).map(|_| standard_normal(rng).abs()).collect();
        let scores: Vec<f64> =
            (0..2000).map(|row| scale(row) * standard_normal(rng).abs()).collect();
        evidence_of_growth(&calibration, &scores, streams)
    }

    #[test]
    fn exchangeable_scores_raise_few_alarms_and_larger_ones_raise_one_soon() {
        let count_alarms =
            |scale: fn(usize) -> f64| alarms(|rng, streams| growth(rng, streams, scale));
        assert!(count_alarms(|_| 1.0).0 <= FALSE_AT_MOST, "{:?}", count_alarms(|_| 1.0));
        assert!(count_alarms(|_| 0.8).0 <= 1, "smaller errors are no fault");
        let (found, row) = count_alarms(|row| if row < 500 { 1.0 } else { 2.0 });
        assert!(found == RUNS as usize && row < 600.0, "a jump: {found}, {row}");
        let (found, row) = count_alarms(|row| 1.0 + row as f64 / 2000.0);
        assert!(found > 190 && row < 1500.0, "a slow growth: {found}, {row}");
    }

    #[test]
    fn equal_scores_are_in_random_order_and_later_rows_change_nothing_before() {
        let (few, _) = alarms(|_, streams| evidence_of_growth(&[1.0; 50], &[1.0; 500], streams));
        assert!(few <= FALSE_AT_MOST, "{few}");
        let streams = Streams::new(3, "evidence");
        let scores: Vec<f64> = (0..100).map(|i| f64::from(i * 37 % 100)).collect();
        let all = evidence_of_growth(&[10.0, 20.0], &scores, &streams);
        assert_eq!(all[..60], evidence_of_growth(&[10.0, 20.0], &scores[..60], &streams));
        assert!(evidence_of_growth(&[], &[], &streams).is_empty());
    }

    #[test]
    fn wealth_is_what_its_definition_says() {
        // One row, missed: the share 1/2 is multiplied by p₁/m, and 1/2 is kept.
        let expected = WORSE.iter().map(|way| 0.5 * (0.1 + way * 0.9) / 0.1 + 0.5).sum::<f64>();
        let found = evidence_of_misses([true], 0.1);
        assert!((found[0] - expected / WORSE.len() as f64).abs() < 1e-12, "{found:?}");
        // 10 000 misses end at the cap, which is a number.
        let end = evidence_of_misses([true; 10_000], 0.1)[9_999];
        assert!((MOST / 10.0..=MOST).contains(&end), "{end}");
        assert_eq!(first_alarm(&[1.0, 19.9, 20.0, 3.0], ALPHA), Some(2));
        assert_eq!(first_alarm(&[1.0], ALPHA), None);
    }

    #[test]
    fn the_likely_start_is_near_the_jump() {
        let start = |seed: u64| {
            let mut rng = Streams::new(seed, "start").stream("rows", 0);
            likely_start(&misses(&mut rng, |row| if row < 500 { 0.1 } else { 0.4 }, 600), 0.1)
        };
        let starts: Vec<usize> = (0..100).map(start).collect();
        let near = starts.iter().filter(|start| start.abs_diff(500) <= 25).count();
        assert!(near >= 85, "{near}: {starts:?}");
        assert_eq!(likely_start(&[false; 40], 0.1), 0);
        assert_eq!(likely_start(&[], 0.1), 0);
    }

    #[test]
    fn intervals_at_all_rows_hold_together_and_are_wider_than_at_one() {
        let contains = |seed: u64| {
            let mut rng = Streams::new(seed, "interval").stream("rows", 0);
            let mut covered = 0;
            misses(&mut rng, |_| 0.9, 2000).iter().enumerate().all(|(row, is_covered)| {
                covered += usize::from(*is_covered);
                let (low, high) = interval_at_all_rows(covered, row + 1, ALPHA);
                low <= 0.9 && 0.9 <= high
            })
        };
        let missed = (0..RUNS).filter(|seed| !contains(*seed)).count();
        assert!(missed <= FALSE_AT_MOST, "{missed}");
        let (low, high) = interval_at_all_rows(450, 500, ALPHA);
        assert!(low < 0.8704 && high > 0.9249, "wider than binom.test's: {low} to {high}");
        assert!(low > 0.84 && high < 0.95, "{low} to {high}");
        assert_eq!(interval_at_all_rows(0, 0, ALPHA), (0.0, 1.0));
        let (low, high) = interval_at_all_rows(5, 5, ALPHA);
        assert!(low > 0.2 && low < 0.6 && high == 1.0, "{low}");
        assert_eq!(interval_at_all_rows(0, 5, ALPHA).0, 0.0);
    }
}
