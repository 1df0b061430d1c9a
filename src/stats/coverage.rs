//! Judge the coverage of intervals: exact binomial intervals, corrected for the number of coverages that are judged
//! together.
//!
//! Test rows count as independent draws. References: Clopper & Pearson (1934), Biometrika 26(4); Holm (1979), Scand. J.
//! Statist. 6.

use statrs::distribution::{Beta, Binomial, ContinuousCDF, DiscreteCDF};

use super::holm_levels;
use super::paired::ALPHA;

/// A coverage this near to its level is as stated.
pub const BAND: f64 = 0.02;

/// Added to the band's ends, so that rounding moves no share across them.
const ROUNDING: f64 = 1e-12;

/// How a coverage relates to the levels within [`BAND`] of the stated one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It lies in the band.
    AsStated,
    /// Its interval lies below the band: the intervals are too narrow.
    TooLow,
    /// Its interval lies above the band: the intervals are wider than necessary.
    TooHigh,
    /// It lies outside the band and its interval does not: there are too few rows to tell.
    CannotTell,
}

impl Kept {
    /// The words of a table about a coverage of so many rows.
    pub fn words(self, rows: usize) -> String {
        match self {
            Self::AsStated => "as stated".into(),
            Self::TooLow => "too low".into(),
            Self::TooHigh => "too high".into(),
            Self::CannotTell => format!("cannot tell ({rows} rows)"),
        }
    }
}

/// What a coverage is judged to be among others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// How it relates to the level.
    pub kept: Kept,
    /// The interval by which it is judged; `None` where it cannot be computed.
    pub interval: Option<(f64, f64)>,
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
        self.interval_at(ALPHA)
    }

    /// The interval that misses the probability of being covered with probability at most `alpha`.
    fn interval_at(self, alpha: f64) -> Option<(f64, f64)> {
        clopper_pearson(self.covered as f64, self.rows as f64, alpha)
    }

    /// Whether intervals of this level cover as many rows as they state, by the 95 % interval of the coverage alone.
    pub fn against(self, level: f64) -> Kept {
        self.judged_by(self.interval(), level)
    }

    /// The same by this interval.
    pub fn judged_by(self, interval: Option<(f64, f64)>, level: f64) -> Kept {
        let (below, above) = band(level);
        match interval {
            Some((_, high)) if high < below => Kept::TooLow,
            Some((low, _)) if low > above => Kept::TooHigh,
            _ if (below..=above).contains(&self.share()) => Kept::AsStated,
            _ => Kept::CannotTell,
        }
    }

    /// Two-sided p-value of the test that the probability of being covered lies in the band of `level`: twice the
    /// smaller tail beyond the nearer end. The interval of 1 − α lies outside the band exactly where it is below α.
    fn p_value(self, level: f64) -> Option<f64> {
        let (below, above) = band(level);
        let (rows, k) = (self.rows as u64, self.covered as u64);
        let at_most = Binomial::new(below.max(0.0), rows).ok()?.cdf(k);
        let more_than = Binomial::new(above.min(1.0), rows).ok()?;
        let at_least = if k == 0 { 1.0 } else { more_than.sf(k - 1) };
        Some((2.0 * at_most.min(at_least)).min(1.0))
    }
}

/// The Clopper-Pearson interval of a probability after `covered` of `rows`, which need not be whole numbers.
pub(super) fn clopper_pearson(covered: f64, rows: f64, alpha: f64) -> Option<(f64, f64)> {
    let missed = rows - covered;
    let low = match covered > 0.0 {
        true => Beta::new(covered, missed + 1.0).ok()?.inverse_cdf(alpha / 2.0),
        false => 0.0,
    };
    let high = match missed > 0.0 {
        true => Beta::new(covered + 1.0, missed).ok()?.inverse_cdf(1.0 - alpha / 2.0),
        false => 1.0,
    };
    Some((low, high))
}

/// The ends of the band about a level.
fn band(level: f64) -> (f64, f64) {
    (level - BAND - ROUNDING, level + BAND + ROUNDING)
}

/// Judges several coverages, of methods or of groups of rows, each by an interval of which Holm's procedure chooses the
/// level: where all lie in the band, any of these intervals lies outside it with probability at most 5 %.
pub fn judge(coverages: &[Coverage], level: f64) -> Vec<Judged> {
    let p: Vec<f64> = coverages.iter().map(|coverage| coverage.p_value(level).unwrap_or(1.0)).collect();
    let judged = |(coverage, alpha): (&Coverage, f64)| {
        let interval = coverage.interval_at(alpha);
        Judged { kept: coverage.judged_by(interval, level), interval }
    };
    coverages.iter().zip(holm_levels(&p, ALPHA)).map(judged).collect()
}

/// The rule of [`judge`] for a note below a table. `level` is in words; `several` names what is judged together.
pub fn rule(level: &str, several: &str) -> String {
    format!(
        "As stated within {} points of {level}, too low or too high where the 95 % interval lies outside that band; \
         else there are too few rows to tell. Intervals are exact (Clopper & Pearson), count rows as independent, and \
         are widened for the number of {several} (Holm).",
        100.0 * BAND
    )
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
        for (rows, level) in [(20_usize, 0.9), (94, 0.9), (1000, 0.9), (94, 0.99), (94, 0.01)] {
            let (below, above) = band(level);
            for covered in 0..=rows {
                let coverage = Coverage { covered, rows };
                let (low, high) = coverage.interval().unwrap();
                let outside = high < below || low > above;
                assert_eq!(coverage.p_value(level).unwrap() < 0.05, outside, "{covered} of {rows} at {level}");
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
    fn several_coverages_are_judged_together() {
        let judged = |covered: &[usize]| -> Vec<Kept> {
            let coverages: Vec<Coverage> = covered.iter().map(|&covered| Coverage { covered, rows: 100 }).collect();
            judge(&coverages, 0.9).into_iter().map(|judged| judged.kept).collect()
        };
        // Alone, 80 of 100 has p = 2 P(X ≤ 80 | 0.88) = 0.029; 81 has 0.056 and 79 has 0.015 (sums of binomial terms).
        assert_eq!(judged(&[80]), [Kept::TooLow]);
        assert_eq!(judged(&[81]), [Kept::CannotTell]);
        // 99 has p = 2 P(X ≥ 99 | 0.92) = 0.0046 and goes first; then the others are tested at 2.5 %.
        assert_eq!(judged(&[80, 90, 99]), [Kept::CannotTell, Kept::AsStated, Kept::TooHigh]);
        assert_eq!(judged(&[79, 90, 99]), [Kept::TooLow, Kept::AsStated, Kept::TooHigh]);
    }

    #[test]
    fn one_coverage_alone_is_judged_by_its_own_interval() {
        let few = Coverage { covered: 15, rows: 20 };
        let [judged] = judge(&[few], 0.9)[..] else { panic!("one") };
        assert_eq!((judged.kept, judged.interval), (few.against(0.9), few.interval()));
        assert_eq!(judged.kept.words(20), "cannot tell (20 rows)");
        let [first, _] = judge(&[few, Coverage { covered: 90, rows: 100 }], 0.9)[..] else { panic!("two") };
        let ((low, high), (wider_low, wider_high)) = (few.interval().unwrap(), first.interval.unwrap());
        assert!(wider_low < low && high < wider_high, "of two it is wider");
    }
}
