//! Compare two columns on the same repetitions, and correct for the number of comparisons.
//!
//! The interval is Student's of the paired differences. It is an interval of the mean over random
//! splits of *these* data, as in the papers' tables, and repetitions are independent given the
//! data. It is no statement about new data of the same kind. For that, training sets overlap, and a
//! correction (Nadeau and Bengio, 2003) would widen the interval.

use super::holm::holm_levels;
use super::summary::Summary;

/// Probability of wrongly finding a difference, over all comparisons of one family.
pub const ALPHA: f64 = 0.05;

/// One comparison of a family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Differences test − reference, over repetitions.
    pub summary: Summary,
    /// Level of its interval, by Holm's procedure.
    pub alpha: f64,
    /// Whether that interval excludes zero.
    pub significant: bool,
}

/// Differences test − reference of the repetitions that both have.
pub fn paired(test: &[Option<f64>], reference: &[Option<f64>]) -> Vec<f64> {
    test.iter().zip(reference).filter_map(|(t, r)| Some((*t)? - (*r)?)).collect()
}

/// Compares a family of paired differences, Holm-corrected together. `None` for a comparison with
/// fewer than two repetitions, which is not part of the family.
pub fn compare(family: &[Vec<f64>]) -> Vec<Option<Comparison>> {
    let summaries: Vec<Option<Summary>> = family
        .iter()
        .map(|differences| Summary::from_values(differences).filter(|s| s.sd.is_some()))
        .collect();
    let p: Vec<f64> = summaries.iter().flatten().map(|s| s.p_value().unwrap_or(1.0)).collect();
    let mut levels = p.iter().zip(holm_levels(&p, ALPHA));
    summaries
        .into_iter()
        .map(|summary| {
            let summary = summary?;
            let (p, alpha) = levels.next()?;
            Some(Comparison { summary, alpha, significant: *p <= alpha })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_is_corrected_together_and_empty_members_do_not_count() {
        let shifted = |by: f64| (0..10).map(|i| by + f64::from(i % 3) - 1.0).collect::<Vec<_>>();
        let family = [shifted(-5.0), vec![1.0], shifted(0.1), Vec::new(), shifted(5.0)];
        let found = compare(&family);
        assert_eq!(
            found.iter().map(Option::is_some).collect::<Vec<_>>(),
            [true, false, true, false, true]
        );
        let significant: Vec<bool> = found.iter().flatten().map(|c| c.significant).collect();
        assert_eq!(significant, [true, false, true]);
        for comparison in found.iter().flatten() {
            let half_width = comparison.summary.half_width(comparison.alpha).unwrap();
            assert_eq!(
                comparison.summary.mean.abs() > half_width,
                comparison.significant,
                "interval and test agree"
            );
        }
    }

    #[test]
    fn only_repetitions_that_both_have_are_paired() {
        assert_eq!(paired(&[Some(3.0), None, Some(1.0)], &[Some(1.0), Some(2.0), None]), [2.0]);
    }
}
