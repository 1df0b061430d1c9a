//! Divide rows at random once.

use super::{Split, SplitError, TestSize};
use uq_core::math::random::{Rng, permutation};

/// A uniformly random split of `n` rows.
///
/// # Errors
/// [`SplitError::TooFewRows`] where one side would be empty.
pub fn random(n: usize, test: TestSize, rng: &mut Rng) -> Result<Split, SplitError> {
    let test_rows = test.among(n)?;
    let mut train = permutation(n, rng);
    let test = train.split_off(n - test_rows);
    Ok(Split { train, test })
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_whole;
    use super::*;
    use proptest::prelude::proptest;
    use rand::SeedableRng;

    #[test]
    fn sizes_are_those_of_the_papers() {
        let split = random(20_640, TestSize::Fraction(0.2), &mut Rng::seed_from_u64(1)).unwrap();
        assert_eq!((split.train.len(), split.test.len()), (16_512, 4_128));
        let split = random(20_640, TestSize::Rows(104), &mut Rng::seed_from_u64(1)).unwrap();
        assert_eq!(split.train.len(), 13_759 + 6_777, "DTB, Example 1");
        let none = |n, test| {
            assert_eq!(
                random(n, test, &mut Rng::seed_from_u64(1)),
                Err(SplitError::TooFewRows { rows: n })
            )
        };
        none(1, TestSize::Fraction(0.2));
        none(3, TestSize::Rows(5));
        none(3, TestSize::Rows(0));
    }

    proptest! {
        #[test]
        fn every_row_is_on_exactly_one_side(
            n in 2usize..300,
            fraction in 0.01f64..0.99,
            seed: u64,
        ) {
            if let Ok(split) =
                random(n, TestSize::Fraction(fraction), &mut Rng::seed_from_u64(seed))
            {
                assert_whole(&split, n);
            }
        }
    }
}
