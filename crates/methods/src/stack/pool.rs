//! Pool distributions that are given by quantiles: F(y) = Σ_k w_k F_k(y).
//!
//! Between their levels the quantile functions are linear, and beyond the outermost ones the
//! probability lies on the outermost quantiles, as in
//! [`Quantiles`](uq_core::predictive::Quantiles). All distributions have the same levels.

use ndarray::{Array2, ArrayView1};

/// The distributions of all members at one row, and a place between their quantiles.
pub(super) struct Members<'a> {
    levels: &'a [f64],
    quantiles: Vec<ArrayView1<'a, f64>>,
    /// Every quantile of every member, and other points, ascending, each once.
    points: Vec<f64>,
}

impl<'a> Members<'a> {
    /// The members' distributions at row `row` of their quantiles, n × levels each; `extra` is one
    /// more point where functions of the distributions may bend.
    pub(super) fn at(
        levels: &'a [f64],
        quantiles: &'a [&'a Array2<f64>],
        row: usize,
        extra: Option<f64>,
    ) -> Self {
        let quantiles: Vec<_> = quantiles.iter().map(|of_member| of_member.row(row)).collect();
        let mut points: Vec<f64> = quantiles.iter().flatten().copied().chain(extra).collect();
        points.sort_unstable_by(f64::total_cmp);
        points.dedup();
        Self { levels, quantiles, points }
    }

    /// P(Y ≤ y) by a member, or P(Y < y), given how many of its quantiles count as lying below y.
    fn probability(&self, member: usize, below: usize, y: f64) -> f64 {
        let (p, q) = (self.levels, self.quantiles[member]);
        match below {
            0 => 0.0,
            all if all == p.len() => 1.0,
            l => p[l - 1] + (p[l] - p[l - 1]) * (y - q[l - 1]) / (q[l] - q[l - 1]),
        }
    }

    /// Visits the points in ascending order with P(Y < point) and P(Y ≤ point) by each member.
    fn walk(&self, mut visit: impl FnMut(f64, &[f64], &[f64])) {
        let members = self.quantiles.len();
        let (mut strictly, mut at_most) = (vec![0_usize; members], vec![0_usize; members]);
        let (mut before, mut after) = (vec![0.0; members], vec![0.0; members]);
        for &point in &self.points {
            for (k, q) in self.quantiles.iter().enumerate() {
                while strictly[k] < q.len() && q[strictly[k]] < point {
                    strictly[k] += 1;
                }
                at_most[k] = at_most[k].max(strictly[k]);
                while at_most[k] < q.len() && q[at_most[k]] <= point {
                    at_most[k] += 1;
                }
                before[k] = self.probability(k, strictly[k], point);
                after[k] = self.probability(k, at_most[k], point);
            }
            visit(point, &before, &after);
        }
    }

    /// The pool's quantiles at all levels: the smallest v with Σ w_k F_k(v) ≥ p.
    pub(super) fn pooled(&self, weights: &[f64], mut into: impl FnMut(usize, f64)) {
        let mix = |of: &[f64]| of.iter().zip(weights).map(|(f, w)| f * w).sum::<f64>();
        let (mut next, mut last) = (0, None::<(f64, f64)>);
        self.walk(|point, before, after| {
            let (before, after) = (mix(before), mix(after));
            while let Some(&p) = self.levels.get(next).filter(|&&p| p <= after) {
                let value = match last {
                    Some((from, low)) if p < before && before > low => {
                        from + (point - from) * (p - low) / (before - low)
                    }
                    _ => point,
                };
                into(next, value);
                next += 1;
            }
            last = Some((point, after));
        });
        // Weights sum to one but for rounding: the last levels may be missed by it.
        if let Some((point, _)) = last {
            (next..self.levels.len()).for_each(|level| into(level, point));
        }
    }

    /// Adds ∫ (F_k(x) − 1{y ≤ x}) (F_l(x) − 1{y ≤ x}) dx to `into` (members × members), whose value
    /// wᵀ G w is the CRPS of the pool with weights w. y has to be among the points.
    pub(super) fn add_crps(&self, y: f64, into: &mut Array2<f64>) {
        let members = self.quantiles.len();
        let mut start = vec![0.0; members];
        let mut last = None;
        self.walk(|point, before, after| {
            if let Some(from) = last {
                let outcome = f64::from(u8::from(y <= from));
                let width = (point - from) / 6.0;
                for k in 0..members {
                    let (ka, kb) = (start[k] - outcome, before[k] - outcome);
                    for l in 0..=k {
                        // The product of two linear functions, by Simpson's rule, which is exact.
                        let (la, lb) = (start[l] - outcome, before[l] - outcome);
                        let part = width * (2.0 * (ka * la + kb * lb) + ka * lb + kb * la);
                        into[(k, l)] += part;
                        if l < k {
                            into[(l, k)] += part;
                        }
                    }
                }
            }
            start.copy_from_slice(after);
            last = Some(point);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;
    use proptest::prelude::*;
    use uq_core::predictive::{Distribution, Quantiles};

    const LEVELS: [f64; 4] = [0.1, 0.4, 0.6, 0.95];

    fn pooled(members: &[&Array2<f64>], weights: &[f64]) -> Array2<f64> {
        let mut values = Array2::zeros((1, LEVELS.len()));
        Members::at(&LEVELS, members, 0, None)
            .pooled(weights, |level, value| values[(0, level)] = value);
        values
    }

    #[test]
    fn a_member_alone_is_the_pool() {
        let member = array![[-1.0, 0.5, 0.5, 3.0]];
        let other = array![[7.0, 8.0, 9.0, 9.5]];
        for found in [
            pooled(&[&member], &[1.0]),
            pooled(&[&member, &other], &[1.0, 0.0]),
            pooled(&[&member, &member], &[0.3, 0.7]),
        ] {
            assert!((found - &member).iter().all(|error| error.abs() < 1e-12));
        }
    }

    #[test]
    fn two_members_that_do_not_overlap_share_the_levels() {
        // F rises from 0 to 1/2 over the first one and from 1/2 to 1 over the second one. Level 0.4
        // of the pool is level 0.8 of the first, by interpolation between 0.6 at 2 and 0.95 at 3;
        // level 0.1 is its 0.2, and so on.
        let (low, high) = (array![[0.0, 1.0, 2.0, 3.0]], array![[10.0, 11.0, 12.0, 13.0]]);
        let found = pooled(&[&low, &high], &[0.5, 0.5]);
        let expected = [1.0 / 3.0, 2.0 + 0.2 / 0.35, 10.0 + 0.1 / 0.3, 12.0 + 0.3 / 0.35];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }

    fn quantiles() -> impl Strategy<Value = Array2<f64>> {
        prop::collection::vec(-5.0..5.0_f64, LEVELS.len()).prop_map(|mut values| {
            values.sort_unstable_by(f64::total_cmp);
            Array2::from_shape_vec((1, LEVELS.len()), values).unwrap()
        })
    }

    proptest! {
        /// P(Y ≤ v) by the members' own functions: at the pool's quantile it reaches the level,
        /// just below it does not.
        #[test]
        fn a_pooled_quantile_is_where_the_mean_probability_reaches_the_level(
            members in prop::collection::vec(quantiles(), 1..4),
            share in 0.0..1.0_f64,
        ) {
            let members: Vec<&Array2<f64>> = members.iter().collect();
            let weights: Vec<f64> = match members.len() {
                1 => vec![1.0],
                2 => vec![share, 1.0 - share],
                _ => vec![share, 0.5 * (1.0 - share), 0.5 * (1.0 - share)],
            };
            let own: Vec<Quantiles> = members
                .iter()
                .map(|values| Quantiles { levels: LEVELS.to_vec(), values: (*values).clone() })
                .collect();
            let at_most = |v: f64| {
                own.iter().zip(&weights).map(|(q, w)| w * q.cdf(0, v).unwrap()).sum::<f64>()
            };
            for (&value, level) in pooled(&members, &weights).iter().zip(LEVELS) {
                prop_assert!(at_most(value + 1e-9) >= level - 1e-9);
                prop_assert!(at_most(value - 1e-9) <= level + 1e-9);
            }
        }

        /// On the diagonal each member's own CRPS; off it the polarisation of the CRPS of the even
        /// pool.
        #[test]
        fn the_matrix_gives_the_crps(
            first in quantiles(),
            second in quantiles(),
            y in -7.0..7.0_f64,
        ) {
            let members = [&first, &second];
            let mut matrix = Array2::zeros((2, 2));
            Members::at(&LEVELS, &members, 0, Some(y)).add_crps(y, &mut matrix);
            let own = |values: &Array2<f64>| {
                Quantiles { levels: LEVELS.to_vec(), values: values.clone() }.crps(0, y).unwrap()
            };
            prop_assert!((matrix[(0, 0)] - own(&first)).abs() < 1e-12);
            prop_assert!((matrix[(1, 1)] - own(&second)).abs() < 1e-12);
            // ∫ (F₁ − 1)(F₂ − 1) by a fine sum of the members' distribution functions.
            let cdf = |values: &Array2<f64>, x: f64| {
                Quantiles { levels: LEVELS.to_vec(), values: values.clone() }.cdf(0, x).unwrap()
            };
            let step = 16.0 / 4000.0;
            let sum: f64 = (0..4000)
                .map(|i| -8.0 + (f64::from(i) + 0.5) * step)
                .map(|x| {
                    let outcome = f64::from(u8::from(y <= x));
                    (cdf(&first, x) - outcome) * (cdf(&second, x) - outcome) * step
                })
                .sum();
            prop_assert!((matrix[(0, 1)] - sum).abs() < 0.03, "{} {sum}", matrix[(0, 1)]);
            prop_assert_eq!(matrix[(0, 1)], matrix[(1, 0)]);
        }
    }
}
