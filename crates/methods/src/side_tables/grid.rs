//! State what a fit predicts on a grid of one feature.

use super::table::table;

table! {
    /// Predictions by x, in the data's units.
    pub struct Grid {
        /// The feature, ascending.
        x: Vec<f64>,
        /// The predicted mean.
        mean: Vec<f64>,
        /// The epistemic standard deviation.
        epistemic: Vec<f64>,
        /// The total standard deviation.
        total: Vec<f64>,
    }
}

impl Grid {
    /// The table of a reading.
    pub fn of(reading: &str) -> String {
        format!("grid@{reading}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_stored;
    use super::*;

    #[test]
    fn a_grid_is_stored_as_it_always_was() {
        let grid = Grid { x: vec![0.5], mean: vec![1.0], epistemic: vec![2.0], total: vec![3.0] };
        let text = r#"{"name":"grid@main","columns":[["x",[0.5]],["mean",[1.0]],["epistemic",[2.0]],["total",[3.0]]]}"#;
        assert_stored(&grid, &grid.to_table(Grid::of("main")), Grid::from_table, text, &[]);
    }
}
