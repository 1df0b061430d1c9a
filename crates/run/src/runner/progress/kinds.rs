//! Learn from the first items of a kind how much work the others are, where nobody has measured it.

use std::collections::BTreeMap;

/// What items are alike in: a method on a dataset.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    /// The method's name.
    pub method: String,
    /// The dataset.
    pub dataset: String,
}

/// The kinds whose work has to be learned.
#[derive(Debug, Default)]
pub(super) struct Kinds(BTreeMap<Kind, Learned>);

/// What is known of a kind.
#[derive(Debug, Default)]
struct Learned {
    /// Number of items that have not ended.
    left: u64,
    /// Expected seconds of each of them.
    each: f64,
    /// Number and seconds of those that have ended.
    ended: u64,
    seconds: f64,
}

impl Kinds {
    /// One more item of a kind, which is guessed to take `guess` seconds.
    pub fn expect(&mut self, kind: &Kind, guess: f64) {
        let known = self.0.entry(kind.clone()).or_default();
        known.left += 1;
        known.each = guess;
    }

    /// What an item of a kind is expected to take in seconds; `None` for a kind of which none is
    /// expected.
    pub fn each(&self, kind: &Kind) -> Option<f64> {
        self.0.get(kind).map(|known| known.each)
    }

    /// An item of a kind has ended after `seconds` seconds. Returns by how much the work that is
    /// left has grown. Kinds of the same method on other datasets take its mean, until one of their
    /// own has ended.
    pub fn end(&mut self, kind: &Kind, seconds: f64) -> f64 {
        let before = self.left();
        if let Some(known) = self.0.get_mut(kind) {
            known.left = known.left.saturating_sub(1);
            known.ended += 1;
            known.seconds += seconds;
            known.each = known.seconds / known.ended as f64;
        }
        let of_method = || {
            self.0.iter().filter(|(other, _)| other.method == kind.method).map(|(_, known)| known)
        };
        let (ended, all) = (
            of_method().map(|known| known.ended).sum::<u64>(),
            of_method().map(|k| k.seconds).sum::<f64>(),
        );
        let of_method = self
            .0
            .iter_mut()
            .filter(|(other, known)| other.method == kind.method && known.ended == 0);
        of_method.for_each(|(_, known)| known.each = all / ended.max(1) as f64);
        self.left() - before
    }

    fn left(&self) -> f64 {
        self.0.values().map(|known| known.left as f64 * known.each).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(method: &str, dataset: &str) -> Kind {
        Kind { method: method.into(), dataset: dataset.into() }
    }

    #[test]
    fn the_first_items_tell_what_the_others_take() {
        let mut kinds = Kinds::default();
        let (slow, other, quick) = (kind("slow", "a"), kind("slow", "b"), kind("quick", "a"));
        for one in [&slow, &slow, &slow, &other, &quick] {
            kinds.expect(one, 10.0);
        }
        // Two more of the kind and one on another dataset take 100 s instead of 10 s, and one item
        // less is left.
        assert_eq!(kinds.end(&slow, 100.0), 3.0 * 90.0 - 10.0);
        assert_eq!(
            [&slow, &other, &quick].map(|one| kinds.each(one)),
            [Some(100.0), Some(100.0), Some(10.0)]
        );
        kinds.end(&other, 20.0);
        assert_eq!(
            [&slow, &other].map(|one| kinds.each(one)),
            [Some(100.0), Some(20.0)],
            "each by its own"
        );
        kinds.end(&slow, 50.0);
        assert_eq!(kinds.each(&slow), Some(75.0));
        assert_eq!(kinds.each(&kind("unknown", "a")), None);
        assert_eq!(kinds.end(&kind("unknown", "a"), 5.0), 0.0);
    }
}
