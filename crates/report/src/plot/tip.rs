//! Tell at a place of a figure what it shows there.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::axis::significant;
use super::scene::FINE;

/// Words about what a figure shows at a place. They are not part of its file; a page shows them at
/// the pointer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tip {
    /// The place, in the units of the SVG's view box.
    pub at: (i32, i32),
    /// What is there, one thing a line.
    pub words: String,
}

impl Tip {
    /// Radius within which the words are shown, in the units of the SVG's view box.
    pub const REACH: i32 = 7 * FINE as i32;

    /// Largest number of tips along one curve.
    pub(super) const MOST: usize = 60;

    /// Largest number of tips in a figure. Each takes some 150 bytes of a page, which loads as one
    /// file.
    const MOST_TOGETHER: usize = 1500;

    /// Words at a place in logical pixels.
    pub(super) fn new((x, y): (f64, f64), words: String) -> Self {
        Self { at: ((x * FINE).round() as i32, (y * FINE).round() as i32), words }
    }

    /// The tips of a figure. Those of one place become one, because the pointer reaches only the
    /// last of them. Of too many some are kept, in the order of drawing, so that each curve keeps
    /// its share.
    pub(super) fn of_figure(tips: &[Self]) -> Vec<Self> {
        let mut numbers: BTreeMap<(i32, i32), usize> = BTreeMap::new();
        let mut places: Vec<Self> = Vec::new();
        for tip in tips {
            let number = *numbers.entry(tip.at).or_insert(places.len());
            match places.get_mut(number) {
                Some(place) if place.words.lines().any(|line| line == tip.words) => {}
                Some(place) => place.words = format!("{}\n{}", place.words, tip.words),
                None => places.push(tip.clone()),
            }
        }
        evenly(places.len(), Self::MOST_TOGETHER).map(|number| places[number].clone()).collect()
    }
}

/// Which points of a curve of `points` points have a tip: all, or evenly spread ones.
pub(super) fn spread(points: usize) -> impl Iterator<Item = usize> {
    evenly(points, Tip::MOST)
}

/// The number of a column at a point, after a comma and the column's name; nothing where there is
/// no such column.
pub(super) fn known(name: &str, column: Option<&[f64]>, point: usize) -> String {
    column.map_or_else(String::new, |column| format!(", {name} {}", significant(column[point])))
}

/// At most `most` of the numbers from 0 to `count` − 1, from the first on and at one distance.
fn evenly(count: usize, most: usize) -> impl Iterator<Item = usize> {
    (0..count).step_by(count.div_ceil(most).max(1))
}

#[cfg(test)]
mod tests {
    use super::{Tip, spread};

    #[test]
    fn every_point_of_a_short_curve_has_a_tip_and_a_long_one_is_thinned_evenly() {
        assert_eq!(spread(0).count(), 0);
        assert_eq!(spread(60).collect::<Vec<_>>(), (0..60).collect::<Vec<_>>());
        assert_eq!(spread(61).collect::<Vec<_>>(), (0..=60).step_by(2).collect::<Vec<_>>());
        for points in [100, 256, 401, 100_000] {
            let count = spread(points).count();
            assert!((31..=60).contains(&count), "{count} of {points}");
        }
    }

    #[test]
    fn tips_of_one_place_are_one_and_of_too_many_each_curve_keeps_its_share() {
        let tip = |x: usize, words: &str| Tip::new((x as f64, 0.0), words.into());
        let found = Tip::of_figure(&[tip(0, "a"), tip(1, "b"), tip(0, "c"), tip(0, "a")]);
        assert_eq!(found, [tip(0, "a\nc"), tip(1, "b")]);
        let curve =
            |number: usize| (0..60).map(move |i| tip(100 * number + i, &number.to_string()));
        let found = Tip::of_figure(&(0..50).flat_map(curve).collect::<Vec<_>>());
        assert_eq!(found.len(), 1500);
        assert!(
            (0..50).all(|number| found
                .iter()
                .filter(|tip| tip.words == number.to_string())
                .count()
                == 30)
        );
    }
}
