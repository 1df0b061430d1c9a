//! Report in one sentence that a design cannot find a significant difference, whatever the scores
//! are.

use super::ranks::critical_difference;
use super::signed_rank::smallest_p;

/// Above this number of datasets the smallest p-value is zero in floating-point numbers.
const MOST: usize = 1100;

/// Why Nemenyi's test cannot find a difference between any two of `methods` methods on `blocks`
/// datasets at level `alpha`; `None` if it can.
///
/// The mean ranks of k methods differ by at most k − 1, and by that much only if one is always best
/// and one always worst.
pub fn of_ranks(methods: usize, blocks: usize, alpha: f64) -> Option<String> {
    if methods < 2 {
        return Some("Ranks compare at least two methods.".into());
    }
    let farthest = (methods - 1) as f64;
    let critical = critical_difference(methods, blocks, alpha);
    if critical <= farthest {
        return None;
    }
    let design = format!("{methods} methods on {}", datasets(blocks));
    let reach = format!("mean ranks differ by at most {farthest}");
    // The critical difference falls with the root of the number of datasets.
    let needed = (critical_difference(methods, 1, alpha) / farthest).powi(2).ceil();
    let needed = needed.is_finite().then_some(needed as usize);
    let critical = if blocks == 0 {
        "there is none".into()
    } else {
        format!("the critical difference is {critical:.2}")
    };
    Some(sentence("Nemenyi's test", &design, alpha, &format!("{reach}, and {critical}"), needed))
}

/// Why the signed-rank test, Holm-corrected over `pairs` pairs of methods, cannot find a difference
/// on `blocks` datasets at level `alpha`; `None` if it can.
///
/// The smallest p-value that it reaches is 2/2ⁿ, and Holm's procedure stops unless the smallest of
/// m p-values is at most α/m.
pub fn of_pairs(pairs: usize, blocks: usize, alpha: f64) -> Option<String> {
    if pairs == 0 {
        return Some("There is no pair of methods to compare.".into());
    }
    let corrected = |n: usize| (pairs as f64 * smallest_p(n)).min(1.0);
    if corrected(blocks) <= alpha {
        return None;
    }
    let design = format!("methods on {}", datasets(blocks));
    let mut why = format!("the p-value cannot fall below {}", shown(smallest_p(blocks)));
    if pairs > 1 {
        why += &format!(
            ", which Holm's correction for {pairs} pairs makes {}",
            shown(corrected(blocks))
        );
    }
    let needed = (blocks..MOST).find(|&n| corrected(n) <= alpha);
    Some(sentence("the signed-rank test", &design, alpha, &why, needed))
}

fn sentence(test: &str, design: &str, alpha: f64, why: &str, needed: Option<usize>) -> String {
    let needed =
        needed.map_or_else(String::new, |n| format!("; at least {} are needed", datasets(n)));
    format!(
        "By {test} no difference between {design} can be significant at α = {alpha}: {why}{needed}."
    )
}

fn datasets(n: usize) -> String {
    if n == 1 { "1 dataset".into() } else { format!("{n} datasets") }
}

/// A probability of two significant digits.
fn shown(p: f64) -> String {
    let decimals = (1.0 - p.log10().floor()).clamp(1.0, 300.0) as usize;
    let text = format!("{p:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    /// The number before " dataset(s) are needed".
    fn needed(sentence: &str) -> usize {
        let (before, _) = sentence.split_once(" datasets are needed").unwrap();
        before.rsplit(' ').next().unwrap().parse().unwrap()
    }

    #[test]
    fn a_design_without_power_is_named_with_its_numbers() {
        // CD = 2.343 √(3 · 4 / (6 · 2)) = 2.34 > 2; with three datasets 1.91.
        assert_eq!(
            of_ranks(3, 2, 0.05).unwrap(),
            "By Nemenyi's test no difference between 3 methods on 2 datasets can be significant at \
             α = 0.05: mean ranks differ by at most 2, and the critical difference is 2.34; at \
             least 3 datasets are needed."
        );
        assert_eq!(of_ranks(3, 3, 0.05), None);
        // 2/2⁶ = 0.031 passes alone; ten pairs need 2/2ⁿ ≤ 0.005, so n = 9.
        assert_eq!(of_pairs(1, 6, 0.05), None);
        assert_eq!(
            of_pairs(10, 6, 0.05).unwrap(),
            "By the signed-rank test no difference between methods on 6 datasets can be \
             significant at α = 0.05: the p-value cannot fall below 0.031, which Holm's correction \
             for 10 pairs makes 0.31; at least 9 datasets are needed."
        );
        assert_eq!(
            of_pairs(1, 1, 0.05).unwrap(),
            "By the signed-rank test no difference between methods on 1 dataset can be significant \
             at α = 0.05: the p-value cannot fall below 1; at least 6 datasets are needed."
        );
    }

    #[test]
    fn designs_without_methods_or_datasets_have_a_reason() {
        assert_eq!(of_ranks(1, 9, 0.05).unwrap(), "Ranks compare at least two methods.");
        assert_eq!(of_pairs(0, 9, 0.05).unwrap(), "There is no pair of methods to compare.");
        let none = of_ranks(2, 0, 0.05).unwrap();
        assert!(none.contains("there is none; at least 4 datasets are needed"), "{none}");
        let impossible = of_ranks(3, 5, 0.0).unwrap();
        assert!(!impossible.contains("needed"), "{impossible}");
    }

    #[test]
    fn probabilities_have_two_digits() {
        assert_eq!(
            [1.0, 0.5, 0.03125, 0.000_003_81].map(shown),
            ["1", "0.5", "0.031", "0.0000038"]
        );
    }

    proptest! {
        #[test]
        fn the_stated_number_of_datasets_is_the_smallest_sufficient_one(
            methods in 2usize..25,
            pairs in 1usize..300,
            blocks in 0usize..4,
        ) {
            let ranks = |n: usize| of_ranks(methods, n, 0.05);
            let pairs = |n: usize| of_pairs(pairs, n, 0.05);
            let designs: [&dyn Fn(usize) -> Option<String>; 2] = [&ranks, &pairs];
            for design in designs {
                if let Some(sentence) = design(blocks) {
                    let n = needed(&sentence);
                    prop_assert_eq!(design(n), None);
                    prop_assert!(design(n - 1).is_some());
                }
            }
        }
    }
}
