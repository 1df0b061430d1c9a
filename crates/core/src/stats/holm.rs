//! Correct p-values and levels for the number of hypotheses, by Holm.

/// The level at which Holm's step-down procedure tests each hypothesis, given their p-values and
/// the level of the family: hypothesis i is rejected exactly when `p[i] <= levels[i]`.
///
/// Hypotheses after the first that is not rejected are tested at its level, so that an interval of
/// that level excludes zero exactly when its hypothesis is rejected. Source: Holm (1979), Scand. J.
/// Statist. 6, 65-70.
pub fn holm_levels(p: &[f64], alpha: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut levels = vec![0.0; p.len()];
    let mut stopped = None;
    for (rank, &i) in order.iter().enumerate() {
        let level = alpha / (p.len() - rank) as f64;
        levels[i] = stopped.unwrap_or(level);
        if p[i] > level {
            stopped.get_or_insert(level);
        }
    }
    levels
}

/// Holm's adjusted p-values: hypothesis i is rejected at the level α of the family exactly when
/// `adjusted[i] <= α`.
///
/// The r-th smallest of m p-values is multiplied by m − r + 1, and no hypothesis gets less than one
/// with a smaller p-value; at most 1. Source: Holm (1979), Scand. J. Statist. 6, 65-70.
pub fn holm_adjusted(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut adjusted = vec![0.0; p.len()];
    let mut largest = 0.0_f64;
    for (rank, &i) in order.iter().enumerate() {
        largest = largest.max(p[i] * (p.len() - rank) as f64).min(1.0);
        adjusted[i] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert_eq, proptest};

    #[test]
    fn holm_steps_down() {
        // Holm's rule by hand at 5 %: 0.01 <= 0.05/4, 0.015 <= 0.05/3, 0.03 > 0.05/2: stop.
        let p = [0.03, 0.01, 0.04, 0.015];
        let rejected: Vec<bool> =
            p.iter().zip(holm_levels(&p, 0.05)).map(|(p, level)| *p <= level).collect();
        assert_eq!(rejected, [false, true, false, true]);
    }

    #[test]
    fn holm_adjusts_by_hand() {
        // Sorted: 4 × 0.01, 3 × 0.015, 2 × 0.03, 1 × 0.04 held up at 0.06.
        let adjusted = holm_adjusted(&[0.03, 0.01, 0.04, 0.015]);
        for (found, expected) in adjusted.iter().zip([0.06, 0.04, 0.06, 0.045]) {
            assert!((found - expected).abs() < 1e-15, "{adjusted:?}");
        }
        assert_eq!(holm_adjusted(&[0.7, 0.6]), [1.0, 1.0]);
        assert!(holm_adjusted(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn holm_equals_its_adjusted_p_values(p in proptest::collection::vec(0.0f64..0.1, 1..12)) {
            let adjusted = holm_adjusted(&p);
            let levels = holm_levels(&p, 0.05);
            for i in 0..p.len() {
                // Products and quotients round differently right at the level.
                if (adjusted[i] - 0.05).abs() > 1e-12 {
                    prop_assert_eq!(p[i] <= levels[i], adjusted[i] <= 0.05);
                }
            }
        }
    }
}
