//! Follow the misses of a bound along scores in time, and say where the bound stands after the last
//! one.

use super::super::{rank, rank_above};

/// Q̂ of the quantile of this level after errors in time; `times` are the rows of each time. `None`
/// where it is infinite for any level α_t.
pub(super) fn shift(level: f64, errors: Vec<f64>, times: &[usize], gamma: f64) -> Option<f64> {
    let upper = |errors| bound(errors, times, 1.0 - level, gamma);
    let lower = |errors: Vec<f64>| {
        Some(-bound(errors.iter().map(|error| -error).collect(), times, level, gamma)?)
    };
    if level > 0.5 {
        upper(errors)
    } else if level < 0.5 {
        lower(errors)
    } else {
        Some(0.5 * (lower(errors.clone())? + upper(errors)?))
    }
}

/// Q̂(1 − α_{T+1}) of scores in time, the largest score at most; `None` where Q̂(1 − α) is
/// infinite.
fn bound(mut scores: Vec<f64>, times: &[usize], alpha: f64, gamma: f64) -> Option<f64> {
    let n = scores.len();
    if rank(1.0 - alpha, n) > n {
        return None;
    }
    let place = rank_above(1.0 - followed(&scores, times, alpha, gamma), n).min(n) - 1;
    Some(*scores.select_nth_unstable_by(place, f64::total_cmp).1)
}

/// α_{T+1}: the level after the last of these scores in time.
pub(super) fn followed(scores: &[f64], times: &[usize], alpha: f64, gamma: f64) -> f64 {
    let mut earlier = Earlier::new(scores);
    let (mut level, mut known) = (alpha, 0);
    for &rows in times {
        let now = known..known + rows;
        if rank(1.0 - alpha, known) <= known {
            // S_t exceeds the k-th smallest score before it where k or more of these are smaller;
            // none exceeds a k that is beyond them, and every one exceeds a k of zero.
            let k = rank(1.0 - level, known);
            let missed = now.clone().filter(|&row| earlier.smaller(row) >= k).count();
            level += gamma * (rows as f64 * alpha - missed as f64); // (2)
        }
        now.for_each(|row| earlier.add(row));
        known += rows;
    }
    level
}

/// The scores that are known so far: a Fenwick tree over the ranks of all.
struct Earlier {
    /// Of each row the number of smaller scores.
    ranks: Vec<usize>,
    /// At i ≥ 1 the number of known scores whose ranks are the (i & −i) ones below i.
    counts: Vec<usize>,
}

impl Earlier {
    fn new(scores: &[f64]) -> Self {
        let mut sorted = scores.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let rank = |score: &f64| sorted.partition_point(|other| other < score);
        Self { ranks: scores.iter().map(rank).collect(), counts: vec![0; scores.len() + 1] }
    }

    fn add(&mut self, row: usize) {
        let mut i = self.ranks[row] + 1;
        while i < self.counts.len() {
            self.counts[i] += 1;
            i += i & i.wrapping_neg();
        }
    }

    /// How many known scores are smaller than that of this row.
    fn smaller(&self, row: usize) -> usize {
        let (mut i, mut sum) = (self.ranks[row], 0);
        while i > 0 {
            sum += self.counts[i];
            i &= i - 1;
        }
        sum
    }
}
