//! Train and test on points of an objective, drawn anew per repetition.
//!
//! The training points are the first of a scrambled Sobol sequence, as those of an optimisation
//! are; the test points are uniform on the unit cube. Points at which the objective has no finite
//! value are left out.

use ndarray::Array2;
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::kind::{ProtocolKind, TestRows, Usage, wrong_source};
use super::repetition::{Repetition, Rows, Source};
use super::sequential::Evaluated;
use uq_math::sobol::{MOST_POINTS, Sobol};
use uq_methods::FitError;

/// Training and test points of an objective.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectiveSample {
    /// Training points.
    pub train: usize,
    /// Test points.
    pub test: usize,
}

impl ProtocolKind for ObjectiveSample {
    fn test_rows(&self) -> TestRows {
        TestRows::New
    }

    fn compares_methods(&self) -> bool {
        false
    }

    fn check(&self, _: &Usage) -> Result<(), String> {
        let range = 2..=MOST_POINTS;
        if range.contains(&self.train) && range.contains(&self.test) {
            return Ok(());
        }
        Err(format!(
            "a sample of an objective has {} training and {} test points, expected 2 to \
             {MOST_POINTS} of both",
            self.train, self.test
        ))
    }

    fn rows(&self, repetition: &Repetition, source: Source) -> Result<Rows, FitError> {
        let Source::Objective(problem) = source else { return Err(wrong_source()) };
        let Repetition { streams, split, .. } = repetition;
        let instance = problem.instance(&mut streams.stream("optimum", *split));
        let inputs = problem.objective.inputs;
        let points = Sobol::new(&mut streams.stream("start", *split)).points(0, self.train, inputs);
        let mut rng = streams.stream("test", *split);
        let tested = Array2::from_shape_simple_fn((self.test, inputs), || rng.random::<f64>());
        let evaluate = |point: &[f64]| instance.evaluate(point);
        let (train, test) =
            (Evaluated::at(points, &evaluate).table(), Evaluated::at(tested, &evaluate).table());
        if train.rows() < 2 || test.rows() < 2 {
            let why = "the objective has fewer than two finite values among the training points, \
                       or among the test points";
            return Err(FitError::Diverged(why.into()));
        }
        Ok(Rows { all: train.clone(), train, test, noise: None, truth: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocols::RowSubset;
    use uq_core::math::random::Streams;
    use uqbench_data::objectives::Objective;
    use uqbench_data::{Library, SourceOptions};

    #[test]
    fn points_of_the_objective_are_drawn_anew() {
        let library = Library::new(SourceOptions { offline: true, ..SourceOptions::default() });
        let problem = Objective::get("objective:stybtang-50").unwrap().load(&library).unwrap();
        let rows = |split| {
            let streams = Streams::new(1, "rows");
            let repetition = Repetition { dataset: "toy", rows: RowSubset::All, split, streams };
            ObjectiveSample { train: 80, test: 500 }
                .rows(&repetition, Source::Objective(&problem))
                .unwrap()
        };
        let (one, other) = (rows(0), rows(1));
        assert_eq!((one.train.rows(), one.test.rows(), one.train.columns()), (80, 500, 50));
        assert_ne!(one.train, other.train);
        let x = one.test.features.row(7).mapv(|z| 10.0 * z - 5.0);
        let expected = -0.5 * x.iter().map(|x| x.powi(4) - 16.0 * x * x + 5.0 * x).sum::<f64>();
        assert!((one.test.target[7] - expected).abs() < 1e-9);
    }
}
