//! Judge the coverage of intervals: exact binomial intervals, corrected for the number of coverages
//! that are judged together.
//!
//! Test rows count as independent draws. References: Clopper & Pearson (1934), Biometrika 26(4);
//! Holm (1979), Scand. J. Statist. 6; Berger (1982), Technometrics 24(4), on equivalence of
//! several.

use statrs::distribution::{Beta, Binomial, ContinuousCDF, DiscreteCDF};

use super::holm_levels;
use super::paired::ALPHA;

/// A coverage is near the level where all that its interval leaves possible is this near to it.
pub const BAND: f64 = 0.02;

/// Added to the band's ends, so that rounding moves no share across them.
const ROUNDING: f64 = 1e-12;

/// How a coverage relates to the levels within [`BAND`] of the stated one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Its whole 95 % interval lies in the band, which takes some 900 rows at 90 %.
    Near,
    /// Its interval lies below the band: the intervals are too narrow.
    TooLow,
    /// Its interval lies above the band: the intervals are wider than necessary.
    TooHigh,
    /// Its interval reaches both into the band and out of it: there are too few rows to tell.
    Unclear,
}

impl Kept {
    /// The words of a table about a coverage of `rows` rows.
    pub fn words(self, rows: usize) -> String {
        match self {
            Self::Near => "near the level".into(),
            Self::TooLow => "too low".into(),
            Self::TooHigh => "too high".into(),
            Self::Unclear => format!("unclear ({rows} rows)"),
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

    /// The Clopper-Pearson interval of the probability of being covered that misses it with
    /// probability at most 5 %.
    pub fn interval(self) -> Option<(f64, f64)> {
        self.interval_at(ALPHA)
    }

    /// The 95 % interval of `times` times fewer rows with the same covered share.
    pub fn interval_of_fewer(self, times: f64) -> Option<(f64, f64)> {
        clopper_pearson(self.covered as f64 / times, self.rows as f64 / times, ALPHA)
    }

    /// The interval that misses the probability of being covered with probability at most `alpha`.
    fn interval_at(self, alpha: f64) -> Option<(f64, f64)> {
        clopper_pearson(self.covered as f64, self.rows as f64, alpha)
    }

    /// Whether intervals of this level cover as many rows as they state, by the 95 % interval of
    /// the coverage alone.
    pub fn against(self, level: f64) -> Kept {
        self.judged_at(ALPHA, level).kept
    }

    /// Whether intervals of this level cover as many rows as they state, by this interval of the
    /// coverage alone.
    pub fn judged_by(self, interval: Option<(f64, f64)>, level: f64) -> Kept {
        let (below, above) = band(level);
        match interval {
            Some((low, high)) if low >= below && high <= above => Kept::Near,
            Some((_, high)) if high < below => Kept::TooLow,
            Some((low, _)) if low > above => Kept::TooHigh,
            _ => Kept::Unclear,
        }
    }

    /// The judgement whose error beside the band has probability at most `alpha`.
    ///
    /// That a coverage lies in the band is a statement of equivalence: its own 95 % interval
    /// decides. It needs no correction for others, because all of several are in the band where
    /// each is (Berger 1982). That it lies beside the band is found by chance among many, so that
    /// the interval of `alpha` decides.
    fn judged_at(self, alpha: f64, level: f64) -> Judged {
        let own = self.interval();
        if self.judged_by(own, level) == Kept::Near {
            return Judged { kept: Kept::Near, interval: own };
        }
        let interval = self.interval_at(alpha);
        let kept = match self.judged_by(interval, level) {
            Kept::Near => Kept::Unclear,
            kept => kept,
        };
        Judged { kept, interval }
    }

    /// Two-sided p-value of the test that the probability of being covered lies in the band of
    /// `level`: twice the smaller tail beyond the nearer end. The interval of 1 − α lies outside
    /// the band exactly where it is below α.
    fn p_value(self, level: f64) -> Option<f64> {
        let (below, above) = band(level);
        let (rows, k) = (self.rows as u64, self.covered as u64);
        let at_most = Binomial::new(below.max(0.0), rows).ok()?.cdf(k);
        let more_than = Binomial::new(above.min(1.0), rows).ok()?;
        let at_least = if k == 0 { 1.0 } else { more_than.sf(k - 1) };
        Some((2.0 * at_most.min(at_least)).min(1.0))
    }
}

/// The Clopper-Pearson interval of a probability after `covered` of `rows`, which need not be whole
/// numbers.
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

/// Judges several coverages, of methods or of groups of rows. One is near the level where its own
/// 95 % interval lies in the band, and else judged by an interval of which Holm's procedure chooses the
/// level: where all lie in the band, any of these intervals lies outside it with probability at
/// most 5 %.
pub fn judge(coverages: &[Coverage], level: f64) -> Vec<Judged> {
    let p: Vec<f64> =
        coverages.iter().map(|coverage| coverage.p_value(level).unwrap_or(1.0)).collect();
    coverages
        .iter()
        .zip(holm_levels(&p, ALPHA))
        .map(|(coverage, alpha)| coverage.judged_at(alpha, level))
        .collect()
}

/// The rule of [`judge`] for a note below a table. `level` is in words; `several` names what is
/// judged together.
pub fn rule(level: &str, several: &str) -> String {
    format!(
        "Near the level where the whole 95 % interval lies within {} points of {level}, too low or \
         too high where the interval lies outside that band; else there are too few rows to tell. \
         Intervals are exact (Clopper & Pearson) and count rows as independent. Those of coverages \
         that are not near the level are widened for the number of {several} (Holm).",
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
        // Closed forms at the ends: 1 − 0.025^(1/n); R's binom.test(4, 20) prints 0.05733 to
        // 0.43661.
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
                assert_eq!(
                    coverage.p_value(level).unwrap() < 0.05,
                    outside,
                    "{covered} of {rows} at {level}"
                );
            }
        }
    }

    #[test]
    fn as_stated_needs_an_interval_inside_the_band() {
        let of = |covered, rows| Coverage { covered, rows }.against(0.9);
        // The interval of 880 of 1000 is 0.858 to 0.899; of 1080 of 1200 it is 0.882 to 0.916.
        assert_eq!(
            (of(88, 100), of(880, 1000), of(1080, 1200)),
            (Kept::Unclear, Kept::Unclear, Kept::Near)
        );
        // The interval of 87 of 100 is 0.788 to 0.929; of 820 of 1000 it is 0.795 to 0.843; of 98
        // of 100 0.930 to 0.998.
        assert_eq!((of(87, 100), of(820, 1000)), (Kept::Unclear, Kept::TooLow));
        assert_eq!(
            (of(98, 100), of(95, 100), of(0, 3)),
            (Kept::TooHigh, Kept::Unclear, Kept::TooLow)
        );
        // Few rows tell nothing, even where all are covered; beyond 1 there is no coverage to
        // exclude.
        assert_eq!((of(11, 12), of(18, 20)), (Kept::Unclear, Kept::Unclear));
        let against = |covered, rows, level| Coverage { covered, rows }.against(level);
        assert_eq!((against(20, 20, 0.99), against(1000, 1000, 0.99)), (Kept::Unclear, Kept::Near));
        assert_eq!(
            (against(500, 1000, 0.5), against(5000, 10_000, 0.5)),
            (Kept::Unclear, Kept::Near)
        );
    }

    #[test]
    fn some_900_rows_are_needed_at_90_per_cent() {
        let can_be = |rows: usize| {
            (0..=rows).any(|covered| Coverage { covered, rows }.against(0.9) == Kept::Near)
        };
        assert_eq!([500, 800, 1000, 1100].map(can_be), [false, false, true, true]);
    }

    #[test]
    fn several_coverages_are_judged_together() {
        let judged = |covered: &[usize]| -> Vec<Kept> {
            let coverages: Vec<Coverage> =
                covered.iter().map(|&covered| Coverage { covered, rows: 100 }).collect();
            judge(&coverages, 0.9).into_iter().map(|judged| judged.kept).collect()
        };
        // Alone, 80 of 100 has p = 2 P(X ≤ 80 | 0.88) = 0.029; 81 has 0.056 and 79 has 0.015 (sums
        // of binomial terms).
        assert_eq!(judged(&[80]), [Kept::TooLow]);
        assert_eq!(judged(&[81]), [Kept::Unclear]);
        // 99 has p = 2 P(X ≥ 99 | 0.92) = 0.0046 and goes first; then the others are tested at 2.5
        // %.
        assert_eq!(judged(&[80, 90, 99]), [Kept::Unclear, Kept::Unclear, Kept::TooHigh]);
        assert_eq!(judged(&[79, 90, 99]), [Kept::TooLow, Kept::Unclear, Kept::TooHigh]);
    }

    #[test]
    fn a_large_group_is_as_stated_beside_a_small_one() {
        let [small, big] = judge(
            &[Coverage { covered: 11, rows: 12 }, Coverage { covered: 1080, rows: 1200 }],
            0.9,
        )[..] else {
            panic!("two")
        };
        assert_eq!((small.kept, big.kept), (Kept::Unclear, Kept::Near));
        let ((small_low, _), (low, high)) = (small.interval.unwrap(), big.interval.unwrap());
        assert!(
            small_low < 0.62 && low > 0.88 && high < 0.92,
            "the interval that is shown is the one that decides"
        );
    }

    #[test]
    fn one_coverage_alone_is_judged_by_its_own_interval() {
        let few = Coverage { covered: 15, rows: 20 };
        let [judged] = judge(&[few], 0.9)[..] else { panic!("one") };
        assert_eq!((judged.kept, judged.interval), (few.against(0.9), few.interval()));
        assert_eq!(judged.kept.words(20), "unclear (20 rows)");
        let [first, _] = judge(&[few, Coverage { covered: 90, rows: 100 }], 0.9)[..] else {
            panic!("two")
        };
        let ((low, high), (wider_low, wider_high)) =
            (few.interval().unwrap(), first.interval.unwrap());
        assert!(wider_low < low && high < wider_high, "of two it is wider");
    }
}
