//! Tell a target that is a step function of a feature: a bin of it, or its rounding.

use std::collections::BTreeMap;

use uq_core::math::ordered_bits::ordered_bits;

/// Share of the rows that the steps have to give.
const SHARE: f64 = 0.98;
/// Most values of the target for each row: of more, ranks tell a copy.
const VALUES_OF_ROW: f64 = 0.2;
/// Natural logarithm of the number of tables in one of which chance gives such an order.
const RARE: f64 = 25.0;

/// The share of the rows in which the target never falls in the order of the feature, or never
/// rises; `None` where these are too few, or where chance may give them.
pub(super) fn by_steps(x: &[f64], y: &[f64]) -> Option<f64> {
    let falling: Vec<f64> = y.iter().map(|y| -y).collect();
    let rows = [y, &falling].map(|y| longest_rise(&sorted(x, y))).into_iter().max()?;
    let share = rows as f64 / x.len() as f64;
    let is_rare = || evidence(x, y) - (x.len() - rows) as f64 * (2.0 * x.len() as f64).ln() >= RARE;
    (share >= SHARE && is_rare()).then_some(share)
}

/// Targets in the order of the feature; where it is equal the largest first, so that at best equal
/// ones never fall.
fn sorted(x: &[f64], y: &[f64]) -> Vec<f64> {
    let mut rows: Vec<(f64, f64)> = x.iter().copied().zip(y.iter().copied()).collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    rows.into_iter().map(|(_, y)| y).collect()
}

/// The length of the longest part of a list that never falls.
fn longest_rise(values: &[f64]) -> usize {
    // The smallest last value of such a part of each length.
    let mut ends: Vec<f64> = Vec::new();
    for value in values {
        let place = ends.partition_point(|end| end <= value);
        match ends.get_mut(place) {
            Some(end) => *end = *value,
            None => ends.push(*value),
        }
    }
    ends.len()
}

/// The logarithm of the number of orders of the targets, one of each value of the feature; 0 where
/// the target has too many values.
fn evidence(x: &[f64], y: &[f64]) -> f64 {
    let values: BTreeMap<u64, f64> = x.iter().zip(y).map(|(x, y)| (ordered_bits(*x), *y)).collect();
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    values.values().for_each(|y| *counts.entry(ordered_bits(*y)).or_default() += 1);
    if counts.len() as f64 > VALUES_OF_ROW * values.len() as f64 {
        return 0.0;
    }
    let factorial = |n: usize| (2..=n).map(|i| (i as f64).ln()).sum::<f64>();
    factorial(values.len()) - counts.into_values().map(factorial).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_and_roundings_are_told_and_chance_is_not() {
        let x: Vec<f64> = (0..200).map(|i| f64::from(i * 77 % 200) + 0.25).collect();
        let of =
            |y: &dyn Fn(f64) -> f64| by_steps(&x, &x.iter().map(|x| y(*x)).collect::<Vec<_>>());
        assert_eq!(of(&|x| (x / 40.0).floor()), Some(1.0), "five bins");
        assert_eq!(of(&|x| -f64::from(u8::from(x > 130.0))), Some(1.0), "above a threshold");
        assert_eq!(
            of(&|x| if x < 2.0 { 9.0 } else { (x / 40.0).round() }),
            Some(0.99),
            "two wrong rows"
        );
        assert_eq!(of(&|x| f64::from(u8::from(x > 197.0))), None, "two rows of their own");
        assert_eq!(of(&|x| (x / 40.0 + (x * 7.7).sin()).floor()), None, "noise");
        assert_eq!(of(&|x| (x * 7.7).sin()), None);
        let few: Vec<f64> = x.iter().map(|x| (x / 50.0).floor()).collect();
        let y: Vec<f64> = few.iter().map(|x| f64::from(u8::from(*x > 1.0))).collect();
        assert_eq!(by_steps(&few, &y), None, "four values in two bins may be so by chance");
    }
}
