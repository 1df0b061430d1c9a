//! State the rows of one feature that a fit was given.

use super::table::table;

table! {
    /// Rows of one feature, in the data's units.
    pub struct Points {
        /// The feature.
        x: Vec<f64>,
        /// The target.
        y: Vec<f64>,
    }
}

impl Points {
    /// The table of the training rows.
    pub const TRAINING: &str = "training";

    /// The table of the rows that active learning added for a reading.
    pub fn acquired(reading: &str) -> String {
        format!("acquired@{reading}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_stored;
    use super::*;

    #[test]
    fn points_are_stored_as_they_always_were() {
        let points = Points { x: vec![1.0, 2.5], y: vec![-1.0, 0.0] };
        let text = r#"{"name":"training","columns":[["x",[1.0,2.5]],["y",[-1.0,0.0]]]}"#;
        assert_stored(&points, &points.to_table(Points::TRAINING), Points::from_table, text, &[]);
        assert_eq!(Points::acquired("total"), "acquired@total");
    }
}
