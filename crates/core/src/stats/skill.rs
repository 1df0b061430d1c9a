//! Express a method's score as skill against a reference method on the same repetitions.
//!
//! ```text
//! share = 1 − mean(S) / mean(S_ref)          scores whose perfect value is 0   (1)
//! nats  = mean(S) − mean(S_ref)              log scores                        (2)
//! ```
//!
//! (1) is a ratio of means, not a mean of ratios: comparisons by a proper score stay proper, and a
//! repetition with a small reference score does not dominate. A log score has no perfect value, and
//! its zero depends on the target's unit. Only the difference (2) has a meaning, and it does not
//! depend on the unit.
//!
//! *References:* Murphy (1988), *Skill scores based on the mean square error*, Monthly Weather
//! Review 116, 2417-2424; Gneiting & Raftery (2007), *Strictly proper scoring rules*, JASA 102,
//! 359-378, section 2.3.

use crate::metrics::SkillKind;

/// Skill against a reference; above zero is better than the reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Skill {
    /// The relative reduction of the reference's mean score, equation 1: 1 is perfect.
    Share(f64),
    /// The gain in mean log score, equation 2, in nat; infinite where one of the two gives an
    /// outcome probability zero.
    Nats(f64),
}

/// The skill of `scores` against `reference` over the repetitions that both have.
///
/// `None` for no repetition in common, or an undefined result: a reference that is perfect already,
/// or two infinite log scores.
pub fn skill(kind: SkillKind, scores: &[Option<f64>], reference: &[Option<f64>]) -> Option<Skill> {
    let pairs: Vec<(f64, f64)> =
        scores.iter().zip(reference).filter_map(|(s, r)| Some(((*s)?, (*r)?))).collect();
    if pairs.is_empty() {
        return None;
    }
    let n = pairs.len() as f64;
    let mean = pairs.iter().map(|(score, _)| score).sum::<f64>() / n;
    let mean_of_reference = pairs.iter().map(|(_, reference)| reference).sum::<f64>() / n;
    match kind {
        SkillKind::Share => {
            Some(1.0 - mean / mean_of_reference).filter(|share| share.is_finite()).map(Skill::Share)
        } // (1)
        SkillKind::Nats => {
            Some(mean - mean_of_reference).filter(|nats| !nats.is_nan()).map(Skill::Nats)
        } // (2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    fn all(scores: &[f64]) -> Vec<Option<f64>> {
        scores.iter().copied().map(Some).collect()
    }

    #[test]
    fn share_is_a_ratio_of_means_over_common_repetitions() {
        // Means 2 and 4 over the first and third repetition; the mean of the ratios gives 0.38.
        let found = skill(
            SkillKind::Share,
            &[Some(1.0), None, Some(3.0)],
            &[Some(1.25), Some(9.0), Some(6.75)],
        );
        assert_eq!(found, Some(Skill::Share(0.5)));
        let worse = skill(SkillKind::Share, &all(&[3.0]), &all(&[2.0]));
        assert_eq!(worse, Some(Skill::Share(-0.5)));
    }

    #[test]
    fn log_scores_are_subtracted() {
        let found = skill(SkillKind::Nats, &all(&[-1.0, -2.0]), &all(&[-1.5, -2.5]));
        assert_eq!(found, Some(Skill::Nats(0.5)));
        let worst = skill(SkillKind::Nats, &all(&[f64::NEG_INFINITY]), &all(&[-2.0]));
        assert_eq!(worst, Some(Skill::Nats(f64::NEG_INFINITY)));
        let both = skill(SkillKind::Nats, &all(&[f64::NEG_INFINITY]), &all(&[f64::NEG_INFINITY]));
        assert_eq!(both, None);
    }

    #[test]
    fn an_undefined_skill_is_absent() {
        assert_eq!(skill(SkillKind::Share, &[Some(1.0), None], &[None, Some(1.0)]), None);
        assert_eq!(
            skill(SkillKind::Share, &all(&[1.0]), &all(&[0.0])),
            None,
            "the reference is perfect"
        );
        assert_eq!(skill(SkillKind::Share, &all(&[0.0]), &all(&[0.0])), None);
    }

    proptest! {
        #[test]
        fn a_method_has_no_skill_against_itself(
            scores in proptest::collection::vec(0.001f64..1e3, 1..20),
        ) {
            let scores = all(&scores);
            prop_assert_eq!(skill(SkillKind::Share, &scores, &scores), Some(Skill::Share(0.0)));
            prop_assert_eq!(skill(SkillKind::Nats, &scores, &scores), Some(Skill::Nats(0.0)));
        }

        #[test]
        fn units_do_not_matter(
            pairs in proptest::collection::vec((0.1f64..1e2, 0.1f64..1e2), 1..20),
            scale in 0.01f64..100.0,
            shift in -50.0f64..50.0,
        ) {
            let change = |f: &dyn Fn(f64) -> f64, kind| {
                let (scores, reference): (Vec<_>, Vec<_>) =
                    pairs.iter().map(|(s, r)| (Some(f(*s)), Some(f(*r)))).unzip();
                match skill(kind, &scores, &reference) {
                    Some(Skill::Share(v) | Skill::Nats(v)) => v,
                    None => f64::NAN,
                }
            };
            let share = |factor: f64| change(&|v| factor * v, SkillKind::Share);
            prop_assert!((share(scale) - share(1.0)).abs() < 1e-9 * (1.0 + share(1.0).abs()));
            let nats = |by: f64| change(&|v| v + by, SkillKind::Nats);
            prop_assert!((nats(shift) - nats(0.0)).abs() < 1e-9);
        }
    }
}
