//! Gather the features of a batch.

use ndarray::ArrayView2;

/// Appends the features of a row. A slice is copied at once, an iterator number by number.
#[inline]
pub fn append_row(to: &mut Vec<f64>, features: &ArrayView2<f64>, row: usize) {
    let row = features.row(row);
    match row.to_slice() {
        Some(values) => to.extend_from_slice(values),
        None => to.extend(row),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;

    #[test]
    fn rows_of_every_layout_are_the_same() {
        let table = Array2::from_shape_fn((3, 4), |(i, j)| (10 * i + j) as f64);
        let turned = table.t().as_standard_layout().into_owned();
        for view in [table.view(), turned.t()] {
            let mut row = vec![7.0];
            append_row(&mut row, &view, 2);
            assert_eq!(row, [7.0, 20.0, 21.0, 22.0, 23.0]);
        }
    }
}
