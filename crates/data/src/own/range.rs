//! Find new rows outside the range of the training rows.

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::error::SHOWN;
use uq_core::names::counted;
use uq_core::printable::printable;

/// Largest number of features that are named.
const NAMED: usize = 5;

/// The smallest and the largest number of each feature of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranges(Vec<(f64, f64)>);

impl Ranges {
    /// Of the features of a table, n × d. A missing number has no part in them.
    pub fn of(features: ArrayView2<f64>) -> Self {
        let range = |column: ndarray::ArrayView1<f64>| {
            let low = column.iter().copied().fold(f64::INFINITY, f64::min);
            (low, column.iter().copied().fold(f64::NEG_INFINITY, f64::max))
        };
        Self(features.columns().into_iter().map(range).collect())
    }

    /// Number of features.
    pub fn columns(&self) -> usize {
        self.0.len()
    }

    /// A sentence on the new rows (n × d, features of these `names`) with a feature outside its
    /// range, if there are any. Scores on the table do not apply to them.
    pub fn beyond(&self, names: &[String], features: &Array2<f64>) -> Option<String> {
        let mut outside = vec![false; features.nrows()];
        let mut named = Vec::new();
        for ((column, (low, high)), name) in features.columns().into_iter().zip(&self.0).zip(names)
        {
            let mut count = 0;
            for (row, _) in column.iter().enumerate().filter(|(_, x)| *x < low || *x > high) {
                outside[row] = true;
                count += 1;
            }
            if count > 0 {
                named.push(format!("\"{}\" {count}", printable(name, SHOWN)));
            }
        }
        let rows = outside.iter().filter(|outside| **outside).count();
        if rows == 0 {
            return None;
        }
        let more = if named.len() > NAMED { ", …" } else { "" };
        named.truncate(NAMED);
        let (lie, their) = if rows == 1 { ("lies", "its") } else { ("lie", "their") };
        Some(format!(
            "{rows} of {} {lie} outside the range of the table's rows ({}{more}): {their} \
             intervals rest on no data",
            counted(features.nrows(), "new row"),
            named.join(", ")
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn rows_beyond_the_range_of_any_feature_are_counted_once() {
        let ranges = Ranges::of(array![[0.0, 5.0], [1.0, 7.0], [f64::NAN, 6.0]].view());
        let names = ["x1".to_owned(), "x2".into()];
        assert_eq!(ranges.columns(), 2);
        assert_eq!(
            ranges.beyond(&names, &array![[0.0, 7.0], [0.5, 6.0]]),
            None,
            "the ends belong to the range"
        );
        let found = ranges.beyond(&names, &array![[-0.1, 8.0], [2.0, 5.0], [0.5, 6.0]]).unwrap();
        assert!(
            found.starts_with("2 of 3 new rows lie outside")
                && found.contains("(\"x1\" 2, \"x2\" 1)"),
            "{found}"
        );
        let one = ranges.beyond(&names, &array![[2.0, 5.0]]).unwrap();
        assert!(one.starts_with("1 of 1 new row lies outside"), "{one}");
    }
}
