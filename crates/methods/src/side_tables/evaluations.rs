//! State at which values an optimisation arrived, evaluation by evaluation.

use super::table::table;
use uq_math::mixing::LARGEST_R_HAT;

table! {
    /// One row for each evaluation of the objective, the starting points first.
    pub struct Evaluations {
        /// Its number after the start, from 1; 0 for a starting point.
        evaluation: Vec<f64>,
        /// The value; NaN where the objective is undefined.
        value: Vec<f64>,
        /// The largest constraint, which is at most 0 at a feasible point; NaN where there are no
        /// constraints.
        constraint: Vec<f64>,
        /// The acquisition's score of the point, in the units of the fit; NaN where no model was
        /// asked.
        score: Vec<f64>,
        /// Whether the entropy itself prefers the same candidate as its lower bound (1 or 0); NaN
        /// where that was not asked.
        agrees: Vec<f64>,
        /// Share of the point's inputs that lie at a side of the cube, within 1 % of its length.
        at_sides: Vec<f64>,
        /// The largest split R-hat of the model that chose the point; NaN where it has no chains.
        r_hat: Vec<f64>,
    }
}

impl Evaluations {
    /// The table's name for an acquisition.
    pub fn by(acquisition: impl std::fmt::Display) -> String {
        format!("evaluations@{acquisition}")
    }

    /// Whether a model with chains chose a point.
    pub fn has_chains(&self) -> bool {
        self.r_hat.iter().any(|r_hat| !r_hat.is_nan())
    }

    /// The best value among the starting points and the first `evaluations` choices, without those
    /// of fits whose chains have not mixed; `None` where no value is finite.
    pub fn best_of_mixed(&self, evaluations: f64) -> Option<f64> {
        // A point that no chains have chosen has no R-hat.
        let mixed = |r_hat: f64| r_hat.is_nan() || r_hat <= LARGEST_R_HAT;
        let counted = self
            .evaluation
            .iter()
            .zip(&self.r_hat)
            .map(|(i, r_hat)| *i <= evaluations && mixed(*r_hat));
        let values =
            self.value.iter().zip(counted).filter(|(value, counted)| *counted && value.is_finite());
        values.map(|(value, _)| *value).reduce(f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_stored;
    use super::*;

    #[test]
    fn the_choice_of_a_fit_that_has_not_mixed_is_no_best_value() {
        let nan = f64::NAN;
        let all = Evaluations {
            evaluation: vec![0.0, 1.0, 2.0, 3.0, 4.0],
            value: vec![1.0, 5.0, 3.0, nan, 4.0],
            r_hat: vec![nan, 1.2, 1.01, 1.0, 1.05],
            ..Evaluations::default()
        };
        let best: Vec<Option<f64>> = (0..5).map(|i| all.best_of_mixed(f64::from(i))).collect();
        assert_eq!(best, [Some(1.0), Some(1.0), Some(3.0), Some(3.0), Some(4.0)]);
        assert!(
            all.has_chains()
                && !Evaluations { r_hat: vec![nan; 2], ..Evaluations::default() }.has_chains()
        );
        assert_eq!(Evaluations::default().best_of_mixed(1.0), None);
    }

    #[test]
    fn evaluations_have_their_columns() {
        let evaluations = Evaluations {
            evaluation: vec![0.0, 1.0],
            value: vec![2.5, 3.0],
            constraint: vec![0.5, -0.5],
            score: vec![0.0, 4.0],
            agrees: vec![0.0, 1.0],
            at_sides: vec![0.0, 0.75],
            r_hat: vec![0.0, 1.5],
        };
        let text = concat!(
            r#"{"name":"evaluations@ucb-2","columns":[["evaluation",[0.0,1.0]],["value",[2.5,3.0]],"#,
            r#"["constraint",[0.5,-0.5]],["score",[0.0,4.0]],["agrees",[0.0,1.0]],["at_sides",[0.0,0.75]],["r_hat",[0.0,1.5]]]}"#
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
