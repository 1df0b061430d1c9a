//! State which rows an acquisition added, and how diverse its batches are.

use super::table::table;

table! {
    /// One row for each row of the dataset that was added, in the order of the choice.
    pub struct Chosen {
        /// The addition, from 1.
        step: Vec<f64>,
        /// The row of the dataset, from 0.
        row: Vec<f64>,
        /// The score by which it was chosen, as the acquisition defines it; 0 where rows are drawn
        /// at random.
        score: Vec<f64>,
    }
}

impl Chosen {
    /// The table's name for an acquisition.
    pub fn by(acquisition: &str) -> String {
        format!("chosen@{acquisition}")
    }
}

table! {
    /// One row for each addition.
    pub struct Batches {
        /// Number of known rows after it.
        known: Vec<f64>,
        /// Mean distance of a row of the batch to the nearest other row of the batch, in the
        /// features scaled by the rows at the start; NaN for a batch of one row.
        distance: Vec<f64>,
    }
}

impl Batches {
    /// The table's name for an acquisition.
    pub fn by(acquisition: &str) -> String {
        format!("batches@{acquisition}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_stored;
    use super::*;

    #[test]
    fn choices_and_batches_have_their_columns() {
        let chosen = Chosen { step: vec![1.0, 1.0], row: vec![7.0, 3.0], score: vec![2.5, 2.0] };
        let text = r#"{"name":"chosen@gsx","columns":[["step",[1.0,1.0]],["row",[7.0,3.0]],["score",[2.5,2.0]]]}"#;
        assert_stored(&chosen, &chosen.to_table(Chosen::by("gsx")), Chosen::from_table, text, &[]);
        let batches = Batches { known: vec![12.0], distance: vec![0.5] };
        let text = r#"{"name":"batches@gsx","columns":[["known",[12.0]],["distance",[0.5]]]}"#;
        assert_stored(
            &batches,
            &batches.to_table(Batches::by("gsx")),
            Batches::from_table,
            text,
            &[],
        );
    }
}
