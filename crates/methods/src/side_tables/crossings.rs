//! State how often quantiles at neighbouring levels are in the wrong order.

use super::table::table;

table! {
    /// Pairs of neighbouring levels, one row for each.
    pub struct Crossings {
        /// The lower level.
        level: Vec<f64>,
        /// The next level.
        next_level: Vec<f64>,
        /// Share of the rows whose quantiles at both are in the wrong order before they are sorted.
        share_of_rows: Vec<f64>,
    }
}

impl Crossings {
    /// The table of the training rows of the validation part, or of all training rows where there
    /// is none.
    pub const TRAINING: &str = "crossings";

    /// The table of the rows that a trial predicts.
    pub const PREDICTED: &str = "predicted-crossings";
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_stored;
    use super::*;

    #[test]
    fn crossings_are_stored_as_they_always_were() {
        let (level, next_level) = (vec![0.1, 0.5], vec![0.5, 0.9]);
        let crossings = Crossings { level, next_level, share_of_rows: vec![0.0, 0.25] };
        let text = concat!(
            r#"{"name":"predicted-crossings","columns":[["level",[0.1,0.5]],["next_level",[0.5,0.9]],"#,
            r#"["share_of_rows",[0.0,0.25]]]}"#
        );
        assert_stored(
            &crossings,
            &crossings.to_table(Crossings::PREDICTED),
            Crossings::from_table,
            text,
            &[],
        );
    }
}
