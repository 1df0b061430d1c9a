//! Say in how many comparisons a statement must hold.

use serde::Deserialize;

/// In how many comparisons a statement must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantifier {
    /// In every one.
    All,
    /// In all but an eighth, rounded up, and in more than half: seven of eight, ten of twelve,
    /// three of four.
    NearlyAll,
    /// In more than half.
    Most,
}

impl Quantifier {
    /// The smallest number of comparisons that satisfies it, of `total`.
    pub fn needed(self, total: usize) -> usize {
        match self {
            Self::All => total,
            Self::NearlyAll => (total - total.div_ceil(8).min(total)).max(Self::Most.needed(total)),
            Self::Most => total / 2 + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantifiers_count() {
        let needed = |q: Quantifier| [12, 8, 4, 2, 1].map(|n| q.needed(n));
        assert_eq!(needed(Quantifier::All), [12, 8, 4, 2, 1]);
        assert_eq!(needed(Quantifier::NearlyAll), [10, 7, 3, 2, 1]);
        assert_eq!(needed(Quantifier::Most), [7, 5, 3, 2, 1]);
    }
}
