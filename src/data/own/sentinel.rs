//! Find numbers that stand for a missing value: −999 and its kin, which lie far from all other values, and −1 among
//! values that are not negative.

use ndarray::ArrayView1;

use super::finding::Finding;

/// Sizes of numbers that often stand for a missing value.
const SENTINELS: [f64; 5] = [99.0, 999.0, 9999.0, 99_999.0, 999_999.0];
/// The number that stands for a missing value where nothing is negative.
const MINUS_ONE: f64 = -1.0;
/// One of so many rows or more has it: fewer may be what was measured.
const ROWS_OF_MINUS_ONE: usize = 20;

/// Sentences on such numbers; `what` names the column.
pub(super) fn sentinels(what: &str, values: ArrayView1<f64>) -> Vec<Finding> {
    let present: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let Far { found, ends } = far(&present);
    let told = ends.filter(|_| !found.is_empty()).map(|ends| of_far(what, &present, &found, ends));
    told.into_iter().chain(minus_one(what, &present, &found)).collect()
}

/// Numbers that lie far from all others.
struct Far {
    found: Vec<f64>,
    /// The smallest and the largest other number; `None` where there is none.
    ends: Option<(f64, f64)>,
}

/// Those of several rows that often stand for a missing value, and that are farther from all other values than these
/// are from each other.
fn far(present: &[f64]) -> Far {
    let all = SENTINELS.into_iter().flat_map(|size| [-size, size]);
    let mut found: Vec<f64> = all.filter(|sentinel| count(present, *sentinel) > 1).collect();
    // One that is no sentinel is a value that the others have to be far from.
    loop {
        let others = || present.iter().copied().filter(|value| !found.contains(value));
        let ends = others().reduce(f64::min).zip(others().reduce(f64::max));
        let Some((low, high)) = ends else { return Far { found: Vec::new(), ends } };
        let is_far = |end: &f64| (end - low).abs().min((end - high).abs()) > high - low;
        let far: Vec<f64> = found.iter().copied().filter(is_far).collect();
        if far.len() == found.len() {
            return Far { found, ends };
        }
        found = far;
    }
}

fn of_far(what: &str, present: &[f64], found: &[f64], (low, high): (f64, f64)) -> Finding {
    let each: Vec<String> = found.iter().map(|end| format!("{end} in {} rows", count(present, *end))).collect();
    let (it, cells) = if each.len() == 1 {
        ("it stands for a missing value", "cell")
    } else {
        ("they stand for missing values", "cells")
    };
    Finding::warning(format!(
        "{what} is {}, far from all other values ({low} to {high}): if {it}, leave the {cells} empty",
        each.join(" and ")
    ))
}

/// The same for −1, of values of which the others but for `far` are not negative and not all 0 or 1: −1, 0 and 1 are
/// signs.
fn minus_one(what: &str, present: &[f64], far: &[f64]) -> Option<Finding> {
    let rows = count(present, MINUS_ONE);
    let others = || present.iter().copied().filter(|value| *value != MINUS_ONE && !far.contains(value));
    let (low, high) = others().reduce(f64::min).zip(others().reduce(f64::max))?;
    (rows > 1 && rows * ROWS_OF_MINUS_ONE >= present.len() && low >= 0.0 && high > 1.0).then(|| {
        Finding::warning(format!(
            "{what} is -1 in {rows} rows, and no other value is negative ({low} to {high}): if it stands for a missing \
             value, leave the cell empty"
        ))
    })
}

fn count(present: &[f64], number: f64) -> usize {
    present.iter().filter(|value| **value == number).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array1;

    /// What is told of 40 rows of a feature.
    fn told(feature: impl Fn(usize) -> f64) -> String {
        let found = sentinels("the feature \"x1\"", Array1::from_iter((0..40).map(feature)).view());
        found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn numbers_that_stand_for_missing_values_are_told() {
        let text = told(|i| if i % 9 == 0 { -999.0 } else { ((i * 11) % 40) as f64 + 0.5 });
        assert!(text.contains("\"x1\" is -999 in 5 rows, far from all other values (1.5 to 39.5)"), "{text}");
        let both = told(|i| match i % 9 {
            0 => -999.0,
            1 => 9999.0,
            _ => ((i * 11) % 40) as f64 + 0.5,
        });
        assert!(both.contains("\"x1\" is -999 in 5 rows and 9999 in 5 rows, far from all other values"), "{both}");
        assert!(both.ends_with("if they stand for missing values, leave the cells empty"), "{both}");
        let income = told(|i| if i % 15 == 0 { 999_999.0 } else { 1000.0 + (i * 37 % 40) as f64 * 200.0 });
        assert!(income.contains("\"x1\" is 999999 in 3 rows, far from all other values (1200 to 8800)"), "{income}");
        assert_eq!(told(|i| if i % 9 == 0 { 99.0 } else { ((i * 11) % 40) as f64 * 2.5 }), "", "99 lies near 97.5");
        assert_eq!(told(|i| if i == 9 { -999.0 } else { ((i * 11) % 40) as f64 + 0.5 }), "", "one row is an outlier");
    }

    #[test]
    fn minus_one_is_told_where_nothing_else_is_negative() {
        let age = |i: usize| if i.is_multiple_of(12) { -1.0 } else { 18.0 + (i * 11 % 40) as f64 };
        assert_eq!(
            told(age),
            "warning: the feature \"x1\" is -1 in 4 rows, and no other value is negative (19 to 57): if it stands for \
             a missing value, leave the cell empty"
        );
        let beside = told(|i| if i % 12 == 5 { -999.0 } else { age(i) });
        assert!(beside.contains("is -999 in 3 rows") && beside.contains("is -1 in 4 rows"), "{beside}");
        assert_eq!(told(|i| [-1.0, 0.0, 1.0][i % 3]), "", "signs");
        assert_eq!(told(|i| if i == 3 { -1.0 } else { i as f64 }), "", "one row");
        assert_eq!(told(|i| if i % 12 == 0 { -1.0 } else { i as f64 - 3.0 }), "", "others are negative");
        assert_eq!(told(|i| if i % 12 == 0 { -1.0 } else { f64::NAN }), "", "it is the only value");
    }
}
