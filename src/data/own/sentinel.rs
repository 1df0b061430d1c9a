//! Tell of numbers that probably stand for a missing value.

use ndarray::ArrayView1;

use super::finding::Finding;
use crate::data::sentinel::{Suspects, count, far, negative};

/// Sentences on such numbers; `what` names the column.
pub(super) fn sentinels(what: &str, values: ArrayView1<f64>) -> Vec<Finding> {
    let present: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let Suspects { found, ends } = far(&present);
    let told = ends.filter(|_| !found.is_empty()).map(|ends| of_far(what, &present, &found, ends));
    let negative = negative(&present, &found).map(|negative| of_negative(what, &present, &negative));
    told.into_iter().chain(negative).collect()
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

fn of_negative(what: &str, present: &[f64], Suspects { found, ends }: &Suspects) -> Finding {
    let rows = |number: &f64| match count(present, *number) {
        1 => format!("{number} in 1 row"),
        rows => format!("{number} in {rows} rows"),
    };
    let each: Vec<String> = found.iter().map(rows).collect();
    let range = ends.map_or_else(String::new, |(low, high)| format!(" ({low} to {high})"));
    Finding::warning(format!(
        "{what} is {}, and no other value is negative{range}: if it stands for a missing value, leave the cell empty",
        each.join(" and ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::sentinel::stands_for_missing;
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
        assert_eq!(told(|i| if i == 9 { 999.0 } else { ((i * 11) % 40) as f64 + 0.5 }), "", "one row is an outlier");
    }

    #[test]
    fn negative_numbers_are_told_where_nothing_else_is_negative() {
        let wide = |i: usize| if i % 12 == 5 { -999.0 } else { (i * 11 % 40) as f64 * 100.0 };
        assert!(told(wide).contains("is -999 in 3 rows, and no other value is negative (0 to 3800)"), "{}", told(wide));
        let once = told(|i| if i == 9 { -999.0 } else { (i * 11 % 40) as f64 + 0.5 });
        assert!(once.contains("is -999 in 1 row, and no other value is negative"), "{once}");
        let both = told(|i| if i == 9 { -99.0 } else { wide(i) });
        assert!(both.contains("is -99 in 1 row and -999 in 3 rows, and no other"), "{both}");
        assert_eq!(told(|i| if i == 9 { -99.0 } else { i as f64 - 90.0 }), "", "others are negative");
        let target = Array1::from_iter((0..40).map(wide));
        assert!(stands_for_missing(-999.0, target.view()) && !stands_for_missing(0.0, target.view()));

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
