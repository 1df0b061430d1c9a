//! Find new rows outside the range of the training rows.

use ndarray::Array2;

use super::error::SHOWN;
use crate::data::{Table, printable};

/// Largest number of features that are named.
const NAMED: usize = 5;

/// A sentence on the new rows (n × d, the table's features) with a feature outside the range of the table's rows, if
/// there are any. Scores on the table do not apply to them.
pub fn beyond(table: &Table, features: &Array2<f64>) -> Option<String> {
    let is_beyond = |j: usize| {
        let seen = table.features.column(j);
        let low = seen.iter().copied().fold(f64::INFINITY, f64::min);
        let high = seen.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        move |x: f64| x < low || x > high
    };
    let mut outside = vec![false; features.nrows()];
    let mut named = Vec::new();
    for j in 0..table.columns() {
        let is_beyond = is_beyond(j);
        let mut count = 0;
        for (row, _) in features.column(j).iter().enumerate().filter(|(_, x)| is_beyond(**x)) {
            outside[row] = true;
            count += 1;
        }
        if count > 0 {
            named.push(format!("\"{}\" {count}", printable(&table.feature_names[j], SHOWN)));
        }
    }
    let rows = outside.iter().filter(|outside| **outside).count();
    if rows == 0 {
        return None;
    }
    let more = if named.len() > NAMED { ", …" } else { "" };
    named.truncate(NAMED);
    Some(format!(
        "{rows} of {} new rows lie outside the range of the table's rows ({}{more}): their intervals rest on no data",
        features.nrows(),
        named.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, array};

    #[test]
    fn rows_beyond_the_range_of_any_feature_are_counted_once() {
        let table = Table::unnamed(array![[0.0, 5.0], [1.0, 7.0]], Array1::zeros(2));
        assert_eq!(beyond(&table, &array![[0.0, 7.0], [0.5, 6.0]]), None, "the ends belong to the range");
        let found = beyond(&table, &array![[-0.1, 8.0], [2.0, 5.0], [0.5, 6.0]]).unwrap();
        assert!(found.starts_with("2 of 3 new rows lie outside") && found.contains("(\"x1\" 2, \"x2\" 1)"), "{found}");
    }
}
