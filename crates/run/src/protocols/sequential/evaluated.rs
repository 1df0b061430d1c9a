//! Hold the points at which a function was evaluated.

use ndarray::{Array1, Array2, ArrayView1, Axis};

use uq_core::Table;
use uqbench_data::objectives::Evaluation;

/// The points of the unit cube that were evaluated, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated {
    /// The points, n × d.
    pub points: Array2<f64>,
    /// The value at each, n; NaN where the function is undefined.
    pub values: Vec<f64>,
    /// The largest constraint at each, n; NaN where there are no constraints.
    pub constraints: Vec<f64>,
}

impl Evaluated {
    /// Evaluates these points (n × d).
    pub fn at(points: Array2<f64>, evaluate: &dyn Fn(&[f64]) -> Evaluation) -> Self {
        let mut all = Self {
            points: Array2::zeros((0, points.ncols())),
            values: Vec::new(),
            constraints: Vec::new(),
        };
        for point in points.rows() {
            all.add(&point.to_vec(), evaluate);
        }
        all
    }

    /// Evaluates one more point (d).
    ///
    /// # Panics
    /// If the point has another number of coordinates.
    pub fn add(&mut self, point: &[f64], evaluate: &dyn Fn(&[f64]) -> Evaluation) {
        let Evaluation { value, constraint } = evaluate(point);
        let pushed = self.points.push(Axis(0), ArrayView1::from(point));
        assert!(pushed.is_ok(), "a point has {} coordinates", self.points.ncols());
        self.values.push(if value.is_finite() { value } else { f64::NAN });
        self.constraints.push(constraint);
    }

    /// Place of the largest value, the first of equal ones; `None` where no value is a number.
    pub fn best(&self) -> Option<usize> {
        let better = |best: Option<usize>, i: usize| match best {
            Some(best) if self.values[i] <= self.values[best] || self.values[i].is_nan() => {
                Some(best)
            }
            None if self.values[i].is_nan() => None,
            _ => Some(i),
        };
        (0..self.values.len()).fold(None, better)
    }

    /// The points with a value, as rows of a table.
    pub fn table(&self) -> Table {
        let known: Vec<usize> =
            (0..self.values.len()).filter(|&i| !self.values[i].is_nan()).collect();
        let target: Array1<f64> = known.iter().map(|&i| self.values[i]).collect();
        Table::unnamed(self.points.select(Axis(0), &known), target)
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn undefined_values_are_kept_and_are_neither_best_nor_fitted() {
        let evaluate = |x: &[f64]| Evaluation {
            value: if x[0] > 0.5 { f64::NAN } else { x[0] },
            constraint: x[0] - 0.2,
        };
        let mut all = Evaluated::at(array![[0.9], [0.1], [0.4]], &evaluate);
        all.add(&[0.3], &evaluate);
        all.add(&[0.6], &evaluate);
        assert_eq!((all.values.len(), all.best()), (5, Some(2)));
        assert_eq!(
            (all.table().features, all.table().target),
            (array![[0.1], [0.4], [0.3]], array![0.1, 0.4, 0.3])
        );
        assert!((all.constraints[0] - 0.7).abs() < 1e-15);
        assert_eq!(Evaluated::at(array![[0.9]], &evaluate).best(), None);
        let infinite = |_: &[f64]| Evaluation { value: f64::INFINITY, constraint: f64::NAN };
        assert_eq!(Evaluated::at(array![[0.9]], &infinite).best(), None);
    }
}
