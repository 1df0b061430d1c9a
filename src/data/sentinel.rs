//! Find numbers that stand for a missing value: 999 and its kin, which lie far from all other values, and −1, −999 and their kin
//! among values that are not negative.

use ndarray::ArrayView1;

/// Sizes of numbers that often stand for a missing value.
const SENTINELS: [f64; 5] = [99.0, 999.0, 9999.0, 99_999.0, 999_999.0];
/// The number that stands for a missing value where nothing is negative.
const MINUS_ONE: f64 = -1.0;
/// One of so many rows or more has it: fewer may be what was measured.
const ROWS_OF_MINUS_ONE: usize = 20;

/// Numbers that probably stand for a missing value.
pub(super) struct Suspects {
    /// The numbers.
    pub found: Vec<f64>,
    /// The smallest and the largest other number; `None` where there is none.
    pub ends: Option<(f64, f64)>,
}

/// Whether a number probably stands for missing values among these.
pub(super) fn stands_for_missing(number: f64, values: ArrayView1<f64>) -> bool {
    let present: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let far = far(&present).found;
    far.contains(&number) || negative(&present, &far).is_some_and(|negative| negative.found.contains(&number))
}

/// Those of several rows that often stand for a missing value, and that are farther from all other values than these
/// are from each other.
pub(super) fn far(present: &[f64]) -> Suspects {
    let all = SENTINELS.into_iter().flat_map(|size| [-size, size]);
    let mut found: Vec<f64> = all.filter(|sentinel| count(present, *sentinel) > 1).collect();
    // One that is no sentinel is a value that the others have to be far from.
    loop {
        let others = || present.iter().copied().filter(|value| !found.contains(value));
        let ends = others().reduce(f64::min).zip(others().reduce(f64::max));
        let Some((low, high)) = ends else { return Suspects { found: Vec::new(), ends } };
        let is_far = |end: &f64| (end - low).abs().min((end - high).abs()) > high - low;
        let far: Vec<f64> = found.iter().copied().filter(is_far).collect();
        if far.len() == found.len() {
            return Suspects { found, ends };
        }
        found = far;
    }
}

/// Those of −1, −99, −999 and their kin among values of which the others but for `far` are not negative and not all 0 or 1: −1, 0 and 1 are
/// signs. The ends are those of the others.
pub(super) fn negative(present: &[f64], far: &[f64]) -> Option<Suspects> {
    let is_often = |number: &f64| {
        let rows = count(present, *number);
        if *number == MINUS_ONE { rows > 1 && rows * ROWS_OF_MINUS_ONE >= present.len() } else { rows > 0 }
    };
    let all = std::iter::once(MINUS_ONE).chain(SENTINELS.into_iter().map(|size| -size));
    let found: Vec<f64> = all.filter(|number| !far.contains(number)).filter(is_often).collect();
    let others = || present.iter().copied().filter(|value| !found.contains(value) && !far.contains(value));
    let (low, high) = others().reduce(f64::min).zip(others().reduce(f64::max))?;
    (!found.is_empty() && low >= 0.0 && high > 1.0).then_some(Suspects { found, ends: Some((low, high)) })
}

/// How many values are this number.
pub(super) fn count(present: &[f64], number: f64) -> usize {
    present.iter().filter(|value| **value == number).count()
}
