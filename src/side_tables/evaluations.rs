//! State at which values an optimisation arrived, evaluation by evaluation.

use super::table::table;

table! {
    /// One row for each evaluation of the objective, the starting points first.
    pub struct Evaluations {
        /// Its number after the start, from 1; 0 for a starting point.
        evaluation: Vec<f64>,
        /// The value; NaN where the objective is undefined.
        value: Vec<f64>,
        /// The largest constraint, which is at most 0 at a feasible point; NaN where there are no constraints.
        constraint: Vec<f64>,
        /// The acquisition's score of the point, in the units of the fit; NaN where no model was asked.
        score: Vec<f64>,
        /// Whether the entropy itself prefers the same candidate as its lower bound (1 or 0); NaN where that was not asked.
        agrees: Vec<f64>,
    }
}

impl Evaluations {
    /// The table's name for an acquisition.
    pub fn by(acquisition: impl std::fmt::Display) -> String {
        format!("evaluations@{acquisition}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_stored;
    use super::*;

    #[test]
    fn evaluations_have_their_columns() {
        let evaluations = Evaluations {
            evaluation: vec![0.0, 1.0],
            value: vec![2.5, 3.0],
            constraint: vec![0.5, -0.5],
            score: vec![0.0, 4.0],
            agrees: vec![0.0, 1.0],
        };
        let text = concat!(
            r#"{"name":"evaluations@ucb-2","columns":[["evaluation",[0.0,1.0]],["value",[2.5,3.0]],"#,
            r#"["constraint",[0.5,-0.5]],["score",[0.0,4.0]],["agrees",[0.0,1.0]]]}"#
        );
        assert_stored(
            &evaluations,
            &evaluations.to_table(Evaluations::by("ucb-2")),
            Evaluations::from_table,
            text,
            &[],
        );
    }
}
