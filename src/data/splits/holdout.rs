//! Divide rows into training and test rows.

use serde::{Deserialize, Serialize};

use crate::math::random::{Rng, permutation};

/// How large the test part of a random split is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestSize {
    /// A share of all rows; training rows are the rounded rest.
    Fraction(f64),
    /// A number of rows.
    Rows(usize),
}

/// Indices of training and test rows into one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Training rows, in random order.
    pub train: Vec<usize>,
    /// Test rows, in random order.
    pub test: Vec<usize>,
}

/// A uniformly random split of `n` rows; `None` where it would leave one side empty.
pub fn random(n: usize, test: TestSize, rng: &mut Rng) -> Option<Split> {
    let train_rows = match test {
        TestSize::Fraction(fraction) => ((1.0 - fraction) * n as f64).round() as usize,
        TestSize::Rows(rows) => n.checked_sub(rows)?,
    };
    if train_rows == 0 || train_rows >= n {
        return None;
    }
    let mut train = permutation(n, rng);
    let test = train.split_off(train_rows);
    Some(Split { train, test })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
    use rand::SeedableRng;

    #[test]
    fn sizes_are_those_of_the_papers() {
        let split = random(20_640, TestSize::Fraction(0.2), &mut Rng::seed_from_u64(1)).unwrap();
        assert_eq!((split.train.len(), split.test.len()), (16_512, 4_128));
        let split = random(20_640, TestSize::Rows(104), &mut Rng::seed_from_u64(1)).unwrap();
        assert_eq!(split.train.len(), 13_759 + 6_777, "DTB, Example 1");
        assert_eq!(random(1, TestSize::Fraction(0.2), &mut Rng::seed_from_u64(1)), None);
        assert_eq!(random(3, TestSize::Rows(5), &mut Rng::seed_from_u64(1)), None);
    }

    proptest! {
        #[test]
        fn every_row_is_on_exactly_one_side(n in 2usize..300, fraction in 0.01f64..0.99, seed: u64) {
            if let Some(split) = random(n, TestSize::Fraction(fraction), &mut Rng::seed_from_u64(seed)) {
                let mut all: Vec<usize> = split.train.iter().chain(&split.test).copied().collect();
                all.sort_unstable();
                prop_assert_eq!(all, (0..n).collect::<Vec<_>>());
                prop_assert!(!split.train.is_empty() && !split.test.is_empty());
            }
        }
    }
}
