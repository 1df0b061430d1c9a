//! Estimate how the distribution of an outcome depends on a single number under one assumption:
//! the larger the number, the larger the outcome in the usual stochastic order.
//!
//! Isotonic distributional regression: given pairs (x_i, y_i), the estimate at every threshold z is
//! the antitonic least-squares fit of the indicators 1{y_i ≤ z} to x,
//!
//! ```text
//! F(z | x_j) = min_{k ≤ j} max_{l ≥ j} (share of y ≤ z among the pairs with x_k ≤ x ≤ x_l)
//! ```
//!
//! which minimises the CRPS (and every other proper score that is a mixture of Brier scores) among
//! all distributions that increase with x, and has nothing to tune. Between two values of x it is
//! interpolated linearly, beyond the outermost ones it is constant.
//!
//! The fits of all thresholds follow from one another: when the indicator of one pair rises from 0
//! to 1, the part of its block up to it stays one block, only the rest of this block may fall
//! apart, and only blocks before it may join. So each pair costs the length of its block, usually a
//! power 2/3 of the number of pairs, where pooling from the start costs all of them.
//!
//! *References:* A. Henzi, J. F. Ziegel, T. Gneiting (2021), *Isotonic distributional regression*,
//! JRSS-B 83, 963-993; A. Henzi, A. Mösching, L. Dümbgen (2022), *Accelerating the
//! pool-adjacent-violators algorithm for isotonic distributional regression*, Methodology and
//! Computing in Applied Probability 24, 2633-2645.

use serde::{Deserialize, Serialize};

/// A distribution as points and their probabilities, in order of the points.
pub type WeightedPoints = Vec<(f64, f64)>;

/// Pairs of a number and an outcome, in the order in which the fit needs them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IsotonicDistributions {
    /// The distinct numbers x, ascending.
    xs: Vec<f64>,
    /// How many pairs have each of them.
    counts: Vec<u32>,
    /// The outcomes, ascending.
    outcomes: Vec<f64>,
    /// The place in `xs` of each outcome's number.
    places: Vec<u32>,
}

/// Neighbouring numbers x whose estimates are equal at a threshold.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The place of the first of them; the last is before the next block.
    start: usize,
    /// Pairs whose outcome is at most the threshold.
    below: u64,
    /// All pairs.
    total: u64,
}

impl Block {
    fn share(self) -> f64 {
        self.below as f64 / self.total as f64
    }

    /// Whether this block, which comes first, has a smaller share than the next one, or the same.
    fn joins(self, next: Self) -> bool {
        self.below * next.total <= next.below * self.total
    }
}

/// Where a new number lies: between the place `lower` and the next one, `share` of the way.
#[derive(Clone, Copy, Debug)]
struct Between {
    /// Its place in the list of new numbers.
    row: usize,
    lower: usize,
    share: f64,
}

impl IsotonicDistributions {
    /// Orders the pairs (x_i, y_i). `None` without a pair, where the lists differ in length, and
    /// where a number is not finite.
    pub fn new(x: &[f64], y: &[f64]) -> Option<Self> {
        let finite = x.iter().chain(y).all(|number| number.is_finite());
        if x.is_empty() || x.len() != y.len() || !finite || u32::try_from(x.len()).is_err() {
            return None;
        }
        let mut order: Vec<usize> = (0..x.len()).collect();
        order.sort_unstable_by(|&a, &b| x[a].total_cmp(&x[b]).then(a.cmp(&b)));
        let (mut xs, mut counts): (Vec<f64>, Vec<u32>) = (Vec::new(), Vec::new());
        let mut places = vec![0; x.len()];
        for row in order {
            // Both zeros are one number.
            if xs.last().is_none_or(|&last| x[row] > last) {
                xs.push(x[row]);
                counts.push(0);
            }
            let place = xs.len() - 1;
            counts[place] += 1;
            places[row] = place as u32;
        }
        let mut order: Vec<usize> = (0..y.len()).collect();
        order.sort_unstable_by(|&a, &b| y[a].total_cmp(&y[b]).then(places[a].cmp(&places[b])));
        let outcomes = order.iter().map(|&row| y[row]).collect();
        let places = order.iter().map(|&row| places[row]).collect();
        Some(Self { xs, counts, outcomes, places })
    }

    /// Checks what was read of a file: numbers ascend and every outcome has its number.
    pub fn is_valid(&self) -> bool {
        let ascend = |numbers: &[f64]| numbers.windows(2).all(|pair| pair[0] <= pair[1]);
        let mut counts = vec![0_u32; self.xs.len()];
        for &place in &self.places {
            match counts.get_mut(place as usize) {
                Some(count) => *count += 1,
                None => return false,
            }
        }
        let finite = self.xs.iter().chain(&self.outcomes).all(|number| number.is_finite());
        let matched = self.places.len() == self.outcomes.len() && counts == self.counts;
        let strictly = self.xs.windows(2).all(|pair| pair[0] < pair[1]);
        finite && matched && strictly && ascend(&self.outcomes) && !counts.contains(&0)
    }

    /// The outcomes, ascending.
    pub fn outcomes(&self) -> &[f64] {
        &self.outcomes
    }

    /// The distribution at each of these numbers, of outcomes with a positive probability. A number
    /// that is NaN gets no point.
    pub fn at(&self, numbers: &[f64]) -> Vec<WeightedPoints> {
        let mut between: Vec<Between> = numbers
            .iter()
            .enumerate()
            .filter(|(_, number)| !number.is_nan())
            .map(|(row, &number)| self.between(row, number))
            .collect();
        between.sort_by_key(|one| one.lower);
        let mut found = vec![Vec::new(); numbers.len()];
        let mut reached = vec![0.0; numbers.len()];
        let mut blocks = self.without_outcomes();
        let mut from = 0;
        while let Some(&threshold) = self.outcomes.get(from) {
            let upto = from + self.outcomes[from..].partition_point(|y| *y <= threshold);
            let mut changed = (self.xs.len(), 0);
            for &place in &self.places[from..upto] {
                let (first, end) = self.raise(&mut blocks, place as usize);
                changed = (changed.0.min(first), changed.1.max(end));
            }
            // A number between two places follows both of them.
            let first = between.partition_point(|one| one.lower + 1 < changed.0);
            for one in &between[first..] {
                if one.lower >= changed.1 {
                    break;
                }
                let share = interpolated(&blocks.kept, *one);
                if share > reached[one.row] {
                    found[one.row].push((threshold, share - reached[one.row]));
                    reached[one.row] = share;
                }
            }
            from = upto;
        }
        found
    }

    /// The mean CRPS of the distributions at the pairs' own numbers, scored by the pairs' own
    /// outcomes, in their units.
    pub fn fitted_crps(&self) -> f64 {
        let mut blocks = self.without_outcomes();
        let mut sum = 0.0;
        for (at, &place) in self.places.iter().enumerate() {
            self.raise(&mut blocks, place as usize);
            let gap = self.outcomes.get(at + 1).map_or(0.0, |next| next - self.outcomes[at]);
            if gap > 0.0 {
                // Of a block of share p each pair leaves (1 − p)² or p², in all p(1 − p) a pair.
                let squares = |block: &Block| block.below as f64 * (1.0 - block.share());
                sum += gap * blocks.kept.iter().map(squares).sum::<f64>();
            }
        }
        sum / self.outcomes.len() as f64
    }

    fn between(&self, row: usize, number: f64) -> Between {
        let above = self.xs.partition_point(|x| *x <= number);
        let Some(lower) = above.checked_sub(1) else {
            return Between { row, lower: 0, share: 0.0 };
        };
        let share = match self.xs.get(above) {
            Some(next) => (number - self.xs[lower]) / (next - self.xs[lower]),
            None => 0.0,
        };
        Between { row, lower, share }
    }

    /// One block: no outcome is at most a threshold below all of them.
    fn without_outcomes(&self) -> Blocks {
        let all = Block { start: 0, below: 0, total: self.outcomes.len() as u64 };
        Blocks { kept: vec![all], after: Vec::new(), below: vec![0; self.xs.len()] }
    }

    /// Lets one more outcome at this place be at most the threshold. Returns the first place whose
    /// estimate may have changed, and the one after the last.
    fn raise(&self, blocks: &mut Blocks, place: usize) -> (usize, usize) {
        let Blocks { kept, after, below } = blocks;
        below[place] += 1;
        let at = kept.partition_point(|block| block.start <= place) - 1;
        after.clear();
        after.extend(kept.drain(at + 1..));
        let end = after.first().map_or(self.xs.len(), |next| next.start);
        let start = kept.pop().map_or(0, |raised| raised.start);
        let sum = |numbers: &[u32]| numbers.iter().map(|&number| u64::from(number)).sum();
        let (head_below, head_total) =
            (sum(&below[start..=place]), sum(&self.counts[start..=place]));
        pool(kept, Block { start, below: head_below, total: head_total });
        let rest = below.iter().zip(&self.counts).enumerate().take(end).skip(place + 1);
        for (start, (&below, &total)) in rest {
            pool(kept, Block { start, below: u64::from(below), total: u64::from(total) });
        }
        // Blocks before the one that the head has joined are as they were.
        let joined = kept.partition_point(|block| block.start <= start).saturating_sub(1);
        let first = kept.get(joined).map_or(0, |block| block.start);
        kept.append(after);
        (first, end)
    }
}

/// The blocks of one threshold, and room for those that a step leaves alone.
struct Blocks {
    kept: Vec<Block>,
    after: Vec<Block>,
    /// Outcomes at each place that are at most the threshold.
    below: Vec<u32>,
}

/// Adds a block behind the others, and joins it with those before it whose share is not larger.
fn pool(blocks: &mut Vec<Block>, mut next: Block) {
    while let Some(&last) = blocks.last()
        && last.joins(next)
    {
        next = Block {
            start: last.start,
            below: last.below + next.below,
            total: last.total + next.total,
        };
        blocks.pop();
    }
    blocks.push(next);
}

/// The estimate at a number between two places.
fn interpolated(blocks: &[Block], between: Between) -> f64 {
    let at = blocks.partition_point(|block| block.start <= between.lower) - 1;
    let lower = blocks[at].share();
    if between.share == 0.0 {
        return lower;
    }
    let upper = match blocks.get(at + 1) {
        Some(next) if next.start == between.lower + 1 => next.share(),
        _ => return lower,
    };
    (1.0 - between.share) * lower + between.share * upper
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Pool-adjacent-violators at one threshold, from the start: the estimate at each distinct x.
    fn pooled(x: &[f64], y: &[f64], threshold: f64) -> Vec<(f64, f64)> {
        let mut order: Vec<usize> = (0..x.len()).collect();
        order.sort_by(|&a, &b| x[a].total_cmp(&x[b]));
        let mut groups: Vec<(Vec<f64>, f64, f64)> = Vec::new();
        for row in order {
            let indicator = f64::from(u8::from(y[row] <= threshold));
            match groups.last_mut().filter(|group| group.0.last() == Some(&x[row])) {
                Some(group) => (group.1, group.2) = (group.1 + indicator, group.2 + 1.0),
                None => groups.push((vec![x[row]], indicator, 1.0)),
            }
        }
        let mut stack: Vec<(Vec<f64>, f64, f64)> = Vec::new();
        for mut group in groups {
            while stack.last().is_some_and(|last| last.1 / last.2 < group.1 / group.2) {
                let last = stack.pop().unwrap();
                group = ([last.0, group.0].concat(), last.1 + group.1, last.2 + group.2);
            }
            stack.push(group);
        }
        stack
            .into_iter()
            .flat_map(|(xs, sum, count)| xs.into_iter().map(move |x| (x, sum / count)))
            .collect()
    }

    fn cdf(points: &[(f64, f64)], threshold: f64) -> f64 {
        points.iter().filter(|point| point.0 <= threshold).map(|point| point.1).sum()
    }

    proptest! {
        #[test]
        fn every_threshold_has_the_antitonic_fit(
            pairs in prop::collection::vec((0_i8..12, 0_i8..9), 1..40),
        ) {
            let (x, y): (Vec<f64>, Vec<f64>) =
                pairs.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).unzip();
            let fit = IsotonicDistributions::new(&x, &y).unwrap();
            prop_assert!(fit.is_valid());
            for threshold in &y {
                for (x, expected) in pooled(&x, &y, *threshold) {
                    let found = cdf(&fit.at(&[x])[0], *threshold);
                    prop_assert!((found - expected).abs() < 1e-12, "{found} {expected}");
                }
            }
            // Questions together or one by one make no difference.
            let asked = [3.5, -1.0, 20.0, 0.0, 7.25, 3.0];
            let together = fit.at(&asked);
            for (one, points) in asked.iter().zip(&together) {
                prop_assert_eq!(&fit.at(&[*one])[0], points);
                let total: f64 = points.iter().map(|point| point.1).sum();
                prop_assert!((total - 1.0).abs() < 1e-12);
                prop_assert!(points.iter().all(|point| point.1 > 0.0));
            }
        }
    }

    /// Twelve pairs with ties, by the max-min formula in fractions, outside of this program.
    #[test]
    fn the_estimate_is_that_of_the_formula() {
        let fit = IsotonicDistributions::new(
            &[1.0, 1.5, 1.5, 2.0, 2.5, 3.0, 3.0, 3.5, 4.0, 4.0, 5.0, 6.0],
            &[2.0, 1.0, 3.0, 1.0, 2.0, 4.0, 2.0, 3.0, 3.0, 5.5, 4.0, 7.0],
        )
        .unwrap();
        let thresholds = [1.0, 2.0, 3.0, 4.0, 5.5, 7.0];
        let expected = [
            [0.5, 1.0, 1.0, 1.0, 1.0, 1.0],
            [0.5, 0.75, 1.0, 1.0, 1.0, 1.0],
            [0.375, 0.75, 1.0, 1.0, 1.0, 1.0],
            [0.0, 0.0, 0.5, 2.0 / 3.0, 1.0, 1.0],
            [0.0, 0.0, 0.0, 1.0 / 6.0, 0.25, 1.0],
            [0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
        ];
        for (points, expected) in fit.at(&[0.25, 1.5, 2.125, 4.0, 5.75, 9.0]).iter().zip(&expected)
        {
            for (threshold, expected) in thresholds.iter().zip(expected) {
                assert!((cdf(points, *threshold) - expected).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn between_two_numbers_the_estimate_is_linear_and_beyond_them_constant() {
        let fit = IsotonicDistributions::new(&[0.0, 1.0], &[10.0, 20.0]).unwrap();
        assert_eq!(fit.at(&[-5.0, 0.0]), [vec![(10.0, 1.0)], vec![(10.0, 1.0)]]);
        assert_eq!(fit.at(&[1.0, 9.0]), [vec![(20.0, 1.0)], vec![(20.0, 1.0)]]);
        assert_eq!(fit.at(&[0.25])[0], [(10.0, 0.75), (20.0, 0.25)]);
    }

    #[test]
    fn outcomes_that_fall_with_the_number_are_pooled() {
        let fit = IsotonicDistributions::new(&[1.0, 2.0, 3.0], &[9.0, 5.0, 1.0]).unwrap();
        let third = 1.0 / 3.0;
        for points in fit.at(&[1.0, 2.0, 3.0]) {
            assert_eq!(points.iter().map(|point| point.0).collect::<Vec<f64>>(), [1.0, 5.0, 9.0]);
            assert!(points.iter().all(|point| (point.1 - third).abs() < 1e-15));
        }
    }

    #[test]
    fn what_is_no_table_of_pairs_is_refused() {
        assert_eq!(IsotonicDistributions::new(&[], &[]), None);
        assert_eq!(IsotonicDistributions::new(&[1.0], &[1.0, 2.0]), None);
        assert_eq!(IsotonicDistributions::new(&[f64::NAN], &[1.0]), None);
        assert_eq!(IsotonicDistributions::new(&[1.0], &[f64::INFINITY]), None);
        let fit = IsotonicDistributions::new(&[1.0, 2.0], &[1.0, 2.0]).unwrap();
        assert_eq!(fit.at(&[f64::NAN]), [vec![]]);
        let damaged = IsotonicDistributions { places: vec![0, 7], ..fit.clone() };
        assert!(!damaged.is_valid());
        assert!(!IsotonicDistributions { counts: vec![2, 0], ..fit }.is_valid());
    }
}
