//! Compute location, squared scale and degrees of freedom from three networks and the distance to
//! the inducing points.

use ndarray::{Array1, ArrayView1, ArrayView2};
use serde::{Deserialize, Serialize};

use super::super::{Mlp, Start};
use crate::state::require;
use uq_core::math::vectorised::{sigmoid, softplus};
use uq_core::predictive::StudentT;
use uq_math::autodiff::{Tape, Var};

/// −a/γ, for which ν(0) is 0.001: ln 999.
const THRESHOLD: f64 = 6.906_754_778_648_554;

/// The start of softplus⁻¹(γ), as in the authors' code.
const WIDTH_START: f64 = 1.5;

/// What is added to a squared share, so that far away the degrees of freedom stay below 2α · 10⁸:
/// such a Student's t is normal to eight digits.
const NORMAL: f64 = 1e-8;

/// The networks; their parameters are in one flat slice: μ, α, β, then softplus⁻¹(γ).
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Networks {
    pub mean: Mlp,
    shape: Mlp,
    rate: Mlp,
    smallest_shape: f64,
    smallest_rate: f64,
    /// η, in standardised units.
    prior_variance: f64,
}

/// Standardised rows and their distances to the inducing points.
pub(super) struct Rows {
    /// n × d.
    pub features: ndarray::Array2<f64>,
    /// n × 1.
    pub target: ndarray::Array2<f64>,
    /// δ, n.
    pub distances: Array1<f64>,
}

impl Networks {
    /// Networks like `mean`, one behind the other, with a variance of `prior_variance` far from the
    /// rows.
    pub fn new(mean: Mlp, smallest_shape: f64, smallest_rate: f64, prior_variance: f64) -> Self {
        let shape = mean.clone().starting_at(mean.end());
        let rate = mean.clone().starting_at(shape.end());
        Self { mean, shape, rate, smallest_shape, smallest_rate, prior_variance }
    }

    /// Checks networks that were read: they have the `features`, and as many parameters as belong
    /// to them.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, features: usize, parameters: usize) -> Result<(), String> {
        let all = parameters.checked_sub(1).ok_or("no parameter")?;
        [&self.mean, &self.shape, &self.rate]
            .into_iter()
            .try_for_each(|net| net.check(features, 1, all))?;
        require(self.parameters() == parameters, "parameters of other networks")
    }

    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        self.rate.end() + 1
    }

    /// Draws the start of the networks.
    pub fn draw_start(&self, how: Start, rng: &mut uq_core::math::random::Rng) -> Vec<f64> {
        let mut start = vec![0.0; self.parameters()];
        for net in [&self.mean, &self.shape, &self.rate] {
            net.draw_start(how, &mut start, rng);
        }
        start[self.rate.end()] = WIDTH_START;
        start
    }

    /// The negative log density of each row of `batch`, b × 1; Eqs. (1) to (4).
    pub fn losses(&self, tape: &mut Tape, parameters: &[f64], rows: &Rows, batch: &[usize]) -> Var {
        let input = tape.constant_rows(rows.features.view(), batch);
        let target = tape.constant_rows(rows.target.view(), batch);
        let distances = tape.constant_from(batch.len(), 1, |out| {
            for (to, &row) in out.iter_mut().zip(batch) {
                *to = rows.distances[row];
            }
        });
        let location = self.mean.forward(tape, parameters, input);
        let (shape, rate) = (
            self.shape.forward(tape, parameters, input),
            self.rate.forward(tape, parameters, input),
        );
        let (shape, rate) = (tape.softplus(shape), tape.softplus(rate));
        let (shape, rate) = (
            tape.affine(shape, 1.0, self.smallest_shape),
            tape.affine(rate, 1.0, self.smallest_rate),
        );
        let width = tape.parameter(parameters, self.rate.end(), 1, 1);
        let width = tape.softplus(width);
        let steps = tape.divide(distances, width);
        let steps = tape.affine(steps, 1.0, -THRESHOLD);
        let outside = tape.sigmoid(steps); // (3)
        let inside = tape.affine(outside, -1.0, 1.0);
        let own = tape.divide(rate, shape);
        let own = tape.multiply(inside, own);
        let prior = tape.scale(outside, self.prior_variance);
        let squared_scale = tape.add(own, prior); // (2)
        let share = tape.divide(own, squared_scale);
        let share = tape.square(share);
        let share = tape.affine(share, 1.0, NORMAL);
        let freedom = tape.divide(shape, share);
        let freedom = tape.scale(freedom, 2.0); // (4)
        tape.student_t_nll(location, squared_scale, freedom, target)
    }

    /// The prediction at rows of `features` (n × d) at `distances` δ from the inducing points,
    /// standardised; the same equations without a tape.
    pub fn predict(
        &self,
        parameters: &[f64],
        features: ArrayView2<f64>,
        distances: ArrayView1<f64>,
    ) -> StudentT {
        let column = |net: &Mlp| net.predict(parameters, features).column(0).to_owned();
        let location = column(&self.mean);
        let (shapes, rates) = (column(&self.shape), column(&self.rate));
        let width = self.width(parameters);
        let mut scale = Array1::zeros(location.len());
        let mut degrees_of_freedom = Array1::zeros(location.len());
        for (i, distance) in distances.iter().enumerate() {
            let (shape, rate) = (
                softplus(shapes[i]) + self.smallest_shape,
                softplus(rates[i]) + self.smallest_rate,
            );
            let outside = sigmoid(distance / width - THRESHOLD); // (3)
            let own = (1.0 - outside) * (rate / shape);
            let squared_scale = own + outside * self.prior_variance; // (2)
            let share = own / squared_scale;
            scale[i] = squared_scale.sqrt();
            degrees_of_freedom[i] = 2.0 * shape / (share * share + NORMAL); // (4)
        }
        StudentT { location, scale, degrees_of_freedom }
    }

    /// γ.
    pub fn width(&self, parameters: &[f64]) -> f64 {
        softplus(parameters[self.rate.end()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, array};
    use rand::SeedableRng;
    use uq_core::math::random::Rng;
    use uq_core::predictive::Distribution;
    use uq_math::autodiff::Activation;

    fn networks(smallest_shape: f64) -> (Networks, Vec<f64>) {
        let networks =
            Networks::new(Mlp::new(&[2, 6, 1], Activation::Relu), smallest_shape, 1e-6, 3.0);
        let start = networks.draw_start(Start::FanIn, &mut Rng::seed_from_u64(4));
        (networks, start)
    }

    #[test]
    fn near_the_rows_it_is_the_networks_and_far_away_the_prior() {
        let (networks, start) = networks(1.0);
        let features = array![[0.3, -0.4], [0.3, -0.4], [0.3, -0.4]];
        let found = networks.predict(&start, features.view(), array![0.0, 10.0, 1e6].view());
        let column = |net: &Mlp| net.predict(&start, features.view())[(0, 0)];
        let (alpha, beta) =
            (1.0 + softplus(column(&networks.shape)), softplus(column(&networks.rate)) + 1e-6);
        // ν(0) = 0.001 by the choice of a.
        assert!((found.scale[0].powi(2) - (0.999 * beta / alpha + 0.003)).abs() < 1e-14);
        assert!((found.degrees_of_freedom[0] / (2.0 * alpha) - 1.0).abs() < 0.03);
        // A Student's t of 2α degrees has the variance of the inverse-Gamma's mean, β / (α − 1).
        let pure = StudentT {
            location: array![0.0],
            scale: array![(beta / alpha).sqrt()],
            degrees_of_freedom: array![2.0 * alpha],
        };
        assert!((pure.variance(0).unwrap() / (beta / (alpha - 1.0)) - 1.0).abs() < 1e-12);
        assert!((found.variance(0).unwrap() / pure.variance(0).unwrap() - 1.0).abs() < 0.1);
        assert!((found.variance(2).unwrap() - 3.0).abs() < 1e-6, "{:?}", found.variance(2));
        assert!(
            found.degrees_of_freedom[2] > 1e8
                && found.degrees_of_freedom.iter().all(|f| f.is_finite())
        );
        assert!(
            found.scale[1] > found.scale[0].min(found.scale[2])
                && found.scale[1] < found.scale[0].max(found.scale[2])
        );
        assert!(found.location.iter().all(|m| *m == found.location[0]));
    }

    #[test]
    fn shape_and_rate_are_positive_for_any_networks() {
        let (networks, mut start) = networks(0.0);
        for at in [networks.shape.end() - 1, networks.rate.end() - 1] {
            start[at] = -700.0;
        }
        let found = networks.predict(&start, array![[0.0, 0.0]].view(), array![0.0].view());
        assert!(found.scale[0] > 0.0 && found.degrees_of_freedom[0] > 0.0, "{found:?}");
    }

    #[test]
    fn the_tapes_losses_are_the_predictions_densities_and_their_gradients_finite_differences() {
        let (networks, start) = networks(0.5);
        let rows = Rows {
            features: Array2::from_shape_fn((5, 2), |(i, j)| {
                ((i * 3 + j * 2) % 5) as f64 / 2.0 - 1.0
            }),
            target: array![[0.5], [-1.0], [2.0], [0.1], [0.0]],
            distances: array![0.0, 3.0, 9.0, 11.0, 20.0],
        };
        let batch = [4, 0, 2, 1];
        let mut tape = Tape::new();
        let mut total = |parameters: &[f64]| {
            tape.reset();
            let losses = networks.losses(&mut tape, parameters, &rows, &batch);
            let each = tape.value(losses).to_vec();
            let sum = tape.sum(losses);
            let mut gradient = vec![0.0; parameters.len()];
            tape.backward(sum, &mut gradient);
            (each, gradient)
        };
        let (each, gradient) = total(&start);
        let found = networks.predict(&start, rows.features.view(), rows.distances.view());
        for (loss, &row) in each.iter().zip(&batch) {
            let expected = -found.log_density(row, rows.target[(row, 0)]).unwrap();
            assert!((loss - expected).abs() < 1e-12, "{loss} against {expected}");
        }
        for at in 0..start.len() {
            let mut moved = start.clone();
            moved[at] = start[at] + 1e-6;
            let above: f64 = total(&moved).0.iter().sum();
            moved[at] = start[at] - 1e-6;
            let slope = (above - total(&moved).0.iter().sum::<f64>()) / 2e-6;
            assert!(
                (slope - gradient[at]).abs() < 1e-6 * (1.0 + slope.abs()),
                "{at}: {slope}, {}",
                gradient[at]
            );
        }
        assert!(gradient[start.len() - 1] != 0.0, "the width has a gradient");
    }
}
