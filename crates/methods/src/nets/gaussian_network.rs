//! Train one network whose two outputs are the mean and the variance of a normal distribution, by
//! maximum likelihood.
//!
//! μ is a linear output of the hidden units and σ² = softplus(r) + floor of another one. With an
//! [`Adversary`] the network also learns from each batch at rows that were moved to where its loss
//! is larger.
//!
//! With β > 0 training minimises the mean of ⌊σ^2β(x_i)⌋ (−ln N(y_i | μ(x_i), σ²(x_i))), where ⌊·⌋
//! counts as a constant in the gradient (the β-NLL). The likelihood alone (β = 0) weighs the mean's
//! error by 1/σ², so that rows that are predicted badly early are given a large variance and learnt
//! no more; with β = 1 the mean has the gradient of the squared error. The weights change with the
//! network, so that losses of two epochs cannot be compared: the validation part is scored by the
//! likelihood.
//!
//! # References
//! M. Seitzer, A. Tavakoli, D. Antic, G. Martius: *On the pitfalls of heteroscedastic uncertainty
//! estimation with probabilistic neural networks*, ICLR 2022, Eq. (5); they recommend β = 0.5. I.
//! J. Goodfellow, J. Shlens, C. Szegedy: *Explaining and harnessing adversarial examples*, ICLR
//! 2015, section 4.

use ndarray::{Array1, ArrayView2, Axis};
use serde::{Deserialize, Serialize};

use super::{Mlp, Part, Parts, Start, Trained, TrainingSettings, train};
use crate::{Context, FitError};
use uq_core::math::vectorised::softplus;
use uq_math::autodiff::{Activation, Tape, Var};

/// Shape and training of a network with a mean and a variance.
#[derive(Clone, Copy, Debug)]
pub(super) struct GaussianNetwork {
    /// Hidden units.
    pub hidden: usize,
    /// Of the hidden units.
    pub activation: Activation,
    /// How its weights are drawn.
    pub start: Start,
    /// Smallest variance.
    pub variance_floor: f64,
    /// β: the power of the variance by which rows are weighed in training.
    pub beta: f64,
    /// How far rows are moved for adversarial training, as a share of each feature's range; `None`
    /// without it.
    pub adversarial_step: Option<f64>,
    /// How it is trained.
    pub training: TrainingSettings,
}

impl GaussianNetwork {
    /// Trains on the rows of `features` (n × d) and `target` (n × 1), both standardised.
    ///
    /// # Errors
    /// As [`train`].
    pub fn fit(
        &self,
        features: ArrayView2<f64>,
        target: ArrayView2<f64>,
        context: &Context,
    ) -> Result<TrainedGaussian, FitError> {
        let Self { hidden, activation, start, variance_floor, beta, adversarial_step, training } =
            *self;
        let net = Mlp::new(&[features.ncols(), hidden, 2], activation);
        let mut drawn = vec![0.0; net.end()];
        net.draw_start(start, &mut drawn, &mut context.stream("start", 0));
        let parts = Parts::draw(features.nrows(), training.validation, context);
        let mut adversary = adversarial_step.map(|step| Adversary::new(features, step, net.end()));
        let mean_loss = |tape: &mut Tape, theta: &[f64], part: Part, input, target| {
            let outputs = net.forward(tape, theta, input);
            let (mean, raw) = (tape.columns(outputs, 0, 1), tape.columns(outputs, 1, 1));
            let mut loss = tape.gaussian_nll_softplus(mean, raw, variance_floor, target);
            if beta > 0.0 && part == Part::Training {
                loss = weighed(tape, loss, raw, variance_floor, beta);
            }
            tape.mean(loss)
        };
        let trained = train(&training, &parts, &drawn, context, |tape, theta, batch| {
            let input = tape.constant_rows(features, batch.rows);
            let y = tape.constant_rows(target, batch.rows);
            let loss = mean_loss(tape, theta, batch.part, input, y);
            let Some(adversary) = adversary.as_mut().filter(|_| batch.part == Part::Training)
            else {
                return loss;
            };
            let (rows, columns) = tape.shape(input);
            let moved = adversary.moved(tape.value(input), columns, |tape, input| {
                let y = tape.constant_rows(target, batch.rows);
                mean_loss(tape, theta, batch.part, input, y)
            });
            let input = tape.constant(rows, columns, moved);
            let second = mean_loss(tape, theta, batch.part, input, y);
            let both = tape.add(loss, second);
            tape.scale(both, 0.5)
        })?;
        Ok(TrainedGaussian { net, variance_floor, trained })
    }
}

/// Each loss (n × 1) times σ^2β, which is a constant in the gradient; σ² = softplus(raw) + floor.
fn weighed(tape: &mut Tape, losses: Var, raw: Var, floor: f64, beta: f64) -> Var {
    let weights: Vec<f64> =
        tape.value(raw).iter().map(|&raw| (softplus(raw) + floor).powf(beta)).collect();
    let weights = tape.constant(weights.len(), 1, &weights);
    tape.multiply(losses, weights)
}

/// A trained network.
#[derive(Serialize, Deserialize)]
pub(super) struct TrainedGaussian {
    net: Mlp,
    variance_floor: f64,
    /// The result of training.
    pub trained: Trained,
}

impl TrainedGaussian {
    /// Checks a network that was read: it has the `features`.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check_for(&self, features: usize) -> Result<(), String> {
        self.net.check(features, 2, self.trained.parameters.len())
    }

    /// Mean and variance at each row of the standardised `features`, in standardised units.
    pub fn moments(&self, features: ArrayView2<f64>) -> (Array1<f64>, Array1<f64>) {
        let outputs = self.net.predict(&self.trained.parameters, features);
        (
            outputs.column(0).to_owned(),
            outputs.column(1).mapv(|raw| softplus(raw) + self.variance_floor),
        )
    }
}

/// Moves rows to where the loss is larger: x' = x + ε sign ∂ℓ/∂x, the fast gradient sign method.
struct Adversary {
    /// ε of each feature.
    step: Vec<f64>,
    tape: Tape,
    /// The derivatives by the parameters, which are not used.
    unused: Vec<f64>,
    rows: Vec<f64>,
}

impl Adversary {
    /// ε = `part` of each feature's range; for a loss of this many parameters.
    fn new(features: ArrayView2<f64>, part: f64, parameters: usize) -> Self {
        let range = |column: ndarray::ArrayView1<f64>| {
            let largest = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            largest - column.iter().copied().fold(f64::INFINITY, f64::min)
        };
        let step = features.axis_iter(Axis(1)).map(|column| part * range(column)).collect();
        Self { step, tape: Tape::new(), unused: vec![0.0; parameters], rows: Vec::new() }
    }

    /// The moved `rows` (n × `columns`, row by row). A feature on which the loss does not depend at
    /// a row is not moved there.
    fn moved(
        &mut self,
        rows: &[f64],
        columns: usize,
        loss: impl FnOnce(&mut Tape, Var) -> Var,
    ) -> &[f64] {
        let Self { step, tape, unused, rows: moved } = self;
        moved.clear();
        moved.extend_from_slice(rows);
        tape.reset();
        let input = tape.variable(rows.len() / columns.max(1), columns, rows);
        let result = loss(tape, input);
        tape.backward(result, unused);
        for ((x, slope), step) in
            moved.iter_mut().zip(tape.gradient(input).unwrap_or(&[])).zip(step.iter().cycle())
        {
            if *slope != 0.0 {
                *x += step * slope.signum();
            }
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn rows_move_by_a_share_of_the_range_to_a_larger_loss() {
        // Ranges 4 and 10, of which a hundredth; the loss is the sum of x₁² and does not depend on
        // the second feature.
        let features = array![[-1.0, 0.0], [3.0, 10.0], [0.0, 5.0]];
        let mut adversary = Adversary::new(features.view(), 0.01, 0);
        let rows = [-1.0, 0.0, 3.0, 10.0, 0.0, 5.0];
        let moved = adversary.moved(&rows, 2, |tape, input| {
            let first = tape.columns(input, 0, 1);
            let square = tape.square(first);
            tape.sum(square)
        });
        assert_eq!(moved, [-1.04, 0.0, 3.04, 10.0, 0.0, 5.0]);
    }

    /// The losses (3 × 1) at means and raw variances (3 × 2), and the gradient of their sum,
    /// weighed by σ^2β.
    fn losses(values: &[f64], beta: f64) -> (Vec<f64>, Vec<f64>) {
        let mut tape = Tape::new();
        let outputs = tape.parameter(values, 0, 3, 2);
        let (mean, raw) = (tape.columns(outputs, 0, 1), tape.columns(outputs, 1, 1));
        let y = tape.constant(3, 1, &[0.4, -1.2, 2.5]);
        let each = tape.gaussian_nll_softplus(mean, raw, 0.01, y);
        let plain = tape.value(each).to_vec();
        let each = weighed(&mut tape, each, raw, 0.01, beta);
        let sum = tape.sum(each);
        let mut gradient = vec![0.0; 6];
        tape.backward(sum, &mut gradient);
        (plain, gradient)
    }

    #[test]
    fn the_weighed_losses_have_the_gradient_of_fixed_weights() {
        let values = [0.3, -1.0, 0.5, 1.0, -0.2, 0.7];
        for beta in [0.0, 0.5, 1.0] {
            let gradient = losses(&values, beta).1;
            let weight = |i: usize| (softplus(values[2 * i + 1]) + 0.01).powf(beta);
            let total =
                |values: &[f64]| (0..3).map(|i| weight(i) * losses(values, beta).0[i]).sum::<f64>();
            for place in 0..6 {
                let (mut above, mut below) = (values, values);
                above[place] += 1e-6;
                below[place] -= 1e-6;
                let slope = (total(&above) - total(&below)) / 2e-6;
                assert!(
                    (slope - gradient[place]).abs() < 1e-7 * (1.0 + slope.abs()),
                    "β {beta}, {place}: {slope}"
                );
            }
        }
        // With β = 1 the mean's gradient is that of half the squared error.
        let gradient = losses(&values, 1.0).1;
        for (i, y) in [0.4, -1.2, 2.5].into_iter().enumerate() {
            assert!((gradient[2 * i] - (values[2 * i] - y)).abs() < 1e-14);
        }
    }

    #[test]
    fn a_table_without_columns_is_not_moved() {
        let nothing = ndarray::Array2::<f64>::zeros((3, 0));
        let mut adversary = Adversary::new(nothing.view(), 0.01, 0);
        assert!(adversary.moved(&[], 0, |tape, _| tape.constant(1, 1, &[1.0])).is_empty());
    }
}
