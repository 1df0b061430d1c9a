//! Put values that rounding has moved back on the outcomes that they are.
//!
//! A forest's quantiles are targets of its training rows. Where the target was standardised for the
//! fit, shift + scale · ((y − shift) / scale) is y only up to rounding, and an interval that should
//! end at y may end just before it. On a target with ties this decides whether every equal outcome
//! is covered, by the last digit of a fit's shift and scale.

use ndarray::Array2;

use super::{Form, Predictive};

/// Roundings of the largest outcome by which a value may have been moved: by the shift, the scale,
/// and both back.
const ROUNDINGS: f64 = 4.0;

impl Predictive {
    /// This prediction with each atom, quantile or draw that is one of the `outcomes` but for
    /// rounding (2⁻⁵⁰ of the largest outcome) replaced by it. Forms with a density are not changed.
    #[must_use]
    pub fn on_outcomes(mut self, outcomes: &[f64]) -> Self {
        let values = match &mut self.form {
            Form::Atoms(form) => &mut form.values,
            Form::Quantiles(form) => &mut form.values,
            Form::Samples(form) => &mut form.values,
            Form::Gaussian(_)
            | Form::StudentT(_)
            | Form::Mixture(_)
            | Form::Piecewise(_)
            | Form::Smoothed(_)
            | Form::Summary(_) => {
                return self;
            }
        };
        snap(values, outcomes);
        self
    }
}

fn snap(values: &mut Array2<f64>, outcomes: &[f64]) {
    let mut sorted: Vec<f64> = outcomes.iter().copied().filter(|y| y.is_finite()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.dedup();
    let largest = sorted.iter().fold(0.0_f64, |largest, y| largest.max(y.abs()));
    let slack = ROUNDINGS * f64::EPSILON * largest;
    for value in values {
        let place = sorted.partition_point(|y| y < value);
        let near = sorted[place.saturating_sub(1)..sorted.len().min(place + 1)].iter();
        let nearest =
            near.copied().min_by(|a, b| (a - *value).abs().total_cmp(&(b - *value).abs()));
        if let Some(outcome) = nearest.filter(|outcome| (outcome - *value).abs() <= slack) {
            *value = outcome;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predictive::{Atoms, Gaussian, Quantiles};
    use ndarray::array;

    #[test]
    fn values_that_were_scaled_and_scaled_back_are_outcomes_again() {
        let outcomes: Vec<f64> = (0..200).map(|i| f64::from(i) * 0.1 - 7.3).collect();
        let (shift, scale) = (2.345_678_9, 5.773_102_4);
        let back = Array2::from_shape_fn((1, 200), |(_, i)| {
            shift + scale * ((outcomes[i] - shift) / scale)
        });
        assert!((0..200).any(|i| back[(0, i)] != outcomes[i]), "rounding moves some");
        let weights = Array2::from_elem((1, 200), 0.005);
        let found =
            Predictive::new(Form::Atoms(Atoms { values: back, weights })).on_outcomes(&outcomes);
        let Form::Atoms(atoms) = &found.form else { panic!("atoms") };
        assert_eq!(atoms.values.row(0).to_vec(), outcomes);
        // Every outcome is then within the interval that ends at it.
        let (lower, upper) = found.interval(0, 0.9).unwrap();
        assert!(outcomes.contains(&lower) && outcomes.contains(&upper));
    }

    #[test]
    fn other_values_and_densities_stay() {
        let quantiles = Quantiles {
            levels: vec![0.25, 0.5, 0.75],
            values: array![[-1.0 - 1e-12, 0.3, 1.0 + 4e-16]],
        };
        let found = Predictive::new(Form::Quantiles(quantiles)).on_outcomes(&[1.0, f64::NAN, -1.0]);
        let Form::Quantiles(found) = found.form else { panic!("quantiles") };
        assert_eq!(found.values, array![[-1.0 - 1e-12, 0.3, 1.0]]);
        let nothing = Predictive::new(Form::Quantiles(found.clone())).on_outcomes(&[]);
        assert_eq!(nothing.form, Form::Quantiles(found));
        let normal = Predictive::new(Form::Gaussian(Gaussian {
            mean: array![1.0 + 1e-16],
            variance: array![1.0],
        }));
        assert_eq!(normal.clone().on_outcomes(&[1.0]), normal);
    }
}
