//! Judge the coverage of intervals: exact binomial intervals and tests, corrected for the number of coverages.
//!
//! Test rows count as independent draws. References: Clopper & Pearson (1934), Biometrika 26(4); Holm (1979), Scand. J.
//! Statist. 6.

use statrs::distribution::{Beta, Binomial, ContinuousCDF, DiscreteCDF};

use super::holm_levels;
use super::paired::ALPHA;

/// How a coverage relates to its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// Not significantly different from the level.
    AsStated,
    /// Significantly below the level: the intervals are too narrow.
    TooLow,
    /// Significantly above the level: the intervals are wider than necessary.
    TooHigh,
}

impl Judged {
    /// The words of a table.
    pub fn words(self) -> &'static str {
        match self {
            Self::AsStated => "as stated",
            Self::TooLow => "too low",
            Self::TooHigh => "too high",
        }
    }
}

/// A coverage this near to its level is as stated.
pub const BAND: f64 = 0.02;

/// How a coverage relates to the levels within [`BAND`] of the stated one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It lies in the band.
    AsStated,
    /// Its 95 % interval lies below the band: the intervals are too narrow.
    TooLow,
    /// Its 95 % interval lies above the band: the intervals are wider than necessary.
    TooHigh,
    /// It lies outside the band and its 95 % interval does not: there are too few rows to tell.
    CannotTell,
}

/// Covered rows among all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Test rows in their interval.
    pub covered: usize,
    /// Test rows; at least one.
    pub rows: usize,
}

impl Coverage {
    /// Share of covered rows.
    pub fn share(self) -> f64 {
        self.covered as f64 / self.rows as f64
    }

    /// The Clopper-Pearson interval of the probability of being covered that misses it with probability at most 5 %.
    pub fn interval(self) -> Option<(f64, f64)> {
        let (k, n) = (self.covered as f64, self.rows as f64);
        let low = match self.covered {
            0 => 0.0,
            _ => Beta::new(k, n - k + 1.0).ok()?.inverse_cdf(ALPHA / 2.0),
        };
        let high = match self.rows - self.covered {
            0 => 1.0,
            _ => Beta::new(k + 1.0, n - k).ok()?.inverse_cdf(1.0 - ALPHA / 2.0),
        };
        Some((low, high))
    }

    /// Whether intervals of this level cover as many rows as they state.
    pub fn against(self, level: f64) -> Kept {
        // Rounding must not move a share across the band's end.
        let (below, above) = (level - BAND - 1e-12, level + BAND + 1e-12);
        match self.interval() {
            Some((_, high)) if high < below => Kept::TooLow,
            Some((low, _)) if low > above => Kept::TooHigh,
            _ if (below..=above).contains(&self.share()) => Kept::AsStated,
            _ => Kept::CannotTell,
        }
    }

    /// Two-sided p-value of the test that the probability of being covered is `level`: twice the smaller tail.
    fn p_value(self, level: f64) -> Option<f64> {
        let binomial = Binomial::new(level, self.rows as u64).ok()?;
        let k = self.covered as u64;
        let at_least = if k == 0 { 1.0 } else { binomial.sf(k - 1) };
        Some((2.0 * binomial.cdf(k).min(at_least)).min(1.0))
    }
}

/// Judges several coverages, of methods or of groups of rows, at 5 % for all of them together, by Holm's procedure.
pub fn judge(coverages: &[Coverage], level: f64) -> Vec<Judged> {
    let p: Vec<f64> = coverages.iter().map(|coverage| coverage.p_value(level).unwrap_or(1.0)).collect();
    let judged = |((coverage, p), allowed): ((&Coverage, &f64), f64)| match coverage.share() < level {
        _ if *p > allowed => Judged::AsStated,
        true => Judged::TooLow,
        false => Judged::TooHigh,
    };
    coverages.iter().zip(&p).zip(holm_levels(&p, ALPHA)).map(judged).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-4, "{found} against {expected}");
    }

    #[test]
    fn intervals_are_clopper_and_pearsons() {
        // Closed forms at the ends: 1 − 0.025^(1/n); R's binom.test(4, 20) prints 0.05733 to 0.43661.
        let (low, high) = Coverage { covered: 0, rows: 10 }.interval().unwrap();
        assert_eq!(low, 0.0);
        close(high, 1.0 - 0.025_f64.powf(0.1));
        let (low, high) = Coverage { covered: 10, rows: 10 }.interval().unwrap();
        close(low, 0.025_f64.powf(0.1));
        assert_eq!(high, 1.0);
        let (low, high) = Coverage { covered: 4, rows: 20 }.interval().unwrap();
        close(low, 0.05733);
        close(high, 0.43661);
    }

    #[test]
    fn the_test_is_the_intervals() {
        for rows in [20_usize, 94, 1000] {
            for covered in 0..=rows {
                let coverage = Coverage { covered, rows };
                let (low, high) = coverage.interval().unwrap();
                let outside = !(low..=high).contains(&0.9);
                assert_eq!(coverage.p_value(0.9).unwrap() < 0.05, outside, "{covered} of {rows}");
            }
        }
    }

    #[test]
    fn a_share_in_the_band_is_as_stated_and_few_rows_tell_nothing() {
        let of = |covered, rows| Coverage { covered, rows }.against(0.9);
        assert_eq!((of(88, 100), of(92, 100), of(880, 1000)), (Kept::AsStated, Kept::AsStated, Kept::AsStated));
        // The interval of 87 of 100 is 0.788 to 0.929; of 820 of 1000 it is 0.795 to 0.843; of 98 of 100 0.930 to 0.998.
        assert_eq!((of(87, 100), of(820, 1000)), (Kept::CannotTell, Kept::TooLow));
        assert_eq!((of(98, 100), of(95, 100), of(0, 3)), (Kept::TooHigh, Kept::CannotTell, Kept::TooLow));
        assert_eq!(Coverage { covered: 20, rows: 20 }.against(0.99), Kept::AsStated);
    }

    #[test]
    fn several_methods_are_judged_together() {
        let of = |covered| Coverage { covered, rows: 100 };
        // Alone, 84 of 100 at 0.9 has p = 2 P(X ≤ 84) = 0.080; 83 has 0.041 and 82 has 0.020 (sums of binomial terms).
        assert_eq!(judge(&[of(83)], 0.9), [Judged::TooLow]);
        assert_eq!(judge(&[of(84)], 0.9), [Judged::AsStated]);
        // 99 has p = 0.0006 and goes first; then 83 is tested at 2.5 %.
        assert_eq!(judge(&[of(83), of(90), of(99)], 0.9), [Judged::AsStated, Judged::AsStated, Judged::TooHigh]);
        assert_eq!(judge(&[of(82), of(90), of(99)], 0.9), [Judged::TooLow, Judged::AsStated, Judged::TooHigh]);
    }
}
