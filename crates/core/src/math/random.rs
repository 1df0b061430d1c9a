//! Derive independent, value-stable random streams by hashing, so that no result depends on the
//! order of work.
//!
//! A stream is named by its purpose (root seed, trial, purpose, index), never by the time of the
//! request. The same name gives the same numbers at any thread count, in any order and in any
//! subset of trials.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

use super::special::normal_quantile;

/// The generator of every stream: ChaCha with 8 rounds, whose values stay the same in every version
/// of its crate.
pub type Rng = ChaCha8Rng;

/// A family of streams with a common root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streams([u8; 32]);

impl Streams {
    /// The family of one root seed and one name (a trial's key, a dataset's split).
    pub fn new(root_seed: u64, name: &str) -> Self {
        Self(digest(&root_seed.to_le_bytes(), name, 0))
    }

    /// The stream for the `index`-th use of `purpose`.
    pub fn stream(&self, purpose: &str, index: u64) -> Rng {
        Rng::from_seed(digest(&self.0, purpose, index))
    }

    /// The sub-family for the `index`-th member of `purpose`: a combinator gives one to each of its
    /// members.
    pub fn child(&self, purpose: &str, index: u64) -> Self {
        Self(digest(&self.0, purpose, index))
    }
}

/// SHA-256 of length-prefixed parts, so that different names never give the same input.
fn digest(root: &[u8], purpose: &str, index: u64) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in [root, purpose.as_bytes(), &index.to_le_bytes()] {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// One draw from the standard normal distribution, by inversion.
pub fn standard_normal(rng: &mut Rng) -> f64 {
    // The level is the middle of one of 2⁵³ cells, because the quantiles at 0 and 1 are infinite.
    let cell = (rng.random::<u64>() >> 11) as f64;
    normal_quantile((cell + 0.5) / (1_u64 << 53) as f64)
}

/// A uniformly random permutation of `0..n` (Fisher-Yates).
pub fn permutation(n: usize, rng: &mut Rng) -> Vec<usize> {
    draw_without_replacement(n, n, rng)
}

/// `count` distinct members of `0..n` in random order: a Fisher-Yates shuffle stopped after `count`
/// steps.
///
/// `count` is limited to `n`.
pub fn draw_without_replacement(n: usize, count: usize, rng: &mut Rng) -> Vec<usize> {
    let count = count.min(n);
    let mut items: Vec<usize> = (0..n).collect();
    shuffle_prefix(&mut items, count, rng);
    items.truncate(count);
    items
}

/// Puts a uniformly random choice of `count` items, in random order, before all others.
///
/// `count` is limited to the number of items. Draws are 64-bit on every platform, so that the
/// values do not depend on the width of `usize`.
pub fn shuffle_prefix<T>(items: &mut [T], count: usize, rng: &mut Rng) {
    let n = items.len() as u64;
    for i in 0..count.min(items.len()) {
        let j = rng.random_range(i as u64..n) as usize;
        items.swap(i, j);
    }
}

#[cfg(test)]
mod tests {
    use super::{Rng, Streams, draw_without_replacement};
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
    use rand::{RngExt, SeedableRng};

    #[test]
    fn every_part_of_a_name_changes_the_stream() {
        let first = |s: Streams, purpose: &str, index| s.stream(purpose, index).random::<u64>();
        let base = Streams::new(1, "trial");
        let all = [
            first(base, "tree", 0),
            first(base, "tree", 1),
            first(base, "game", 0),
            first(Streams::new(2, "trial"), "tree", 0),
            first(Streams::new(1, "trial2"), "tree", 0),
            first(base.child("tree", 0), "tree", 0),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|b| a != b), "stream {i} equals another one");
        }
        assert_eq!(first(base, "tree", 0), all[0], "the same name gives the same numbers");
    }

    proptest! {
        #[test]
        fn draws_are_distinct_and_in_range(n in 0usize..200, count in 0usize..250, seed: u64) {
            let drawn = draw_without_replacement(n, count, &mut Rng::seed_from_u64(seed));
            prop_assert_eq!(drawn.len(), count.min(n));
            let mut sorted = drawn.clone();
            sorted.sort_unstable();
            sorted.dedup();
            prop_assert_eq!(sorted.len(), drawn.len());
            prop_assert!(drawn.iter().all(|&i| i < n));
        }
    }

    #[test]
    fn every_member_is_drawn_equally_often() {
        let mut rng = Rng::seed_from_u64(7);
        let mut counts = [0_u32; 10];
        for _ in 0..20_000 {
            for i in draw_without_replacement(10, 3, &mut rng) {
                counts[i] += 1;
            }
        }
        // Binomial(20000, 0.3) has standard deviation 65; five of them are exceeded once in a
        // million seeds.
        assert!(counts.iter().all(|&c| (5_675..=6_325).contains(&c)), "{counts:?}");
    }
}
