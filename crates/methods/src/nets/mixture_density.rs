//! Predict a mixture of normal distributions by the outputs of one network, fitted by maximum
//! likelihood.
//!
//! ```text
//! p(y | x) = Σ_k α_k(x) N(y | μ_k(x), σ_k²(x))                                  (Eq. 22 of Bishop)
//! α = softmax of outputs,  μ_k linear,  σ_k² = softplus(r_k) + floor            (Eqs. 25 to 27)
//! loss = mean of  −ln Σ_k exp[ln α_k(x_i) + ln N(y_i | μ_k(x_i), σ_k²(x_i))]    (Eq. 29)
//! ```
//!
//! Target and features are standardised on the training rows, whatever the protocol does; a feature
//! that is constant in them is left out. All variance is aleatoric.
//!
//! *Departures:* Bishop's σ_k is an exponential; here the variance is a softplus with a floor,
//! without which the likelihood of a component on one row has no bound. His hidden units are
//! hyperbolic tangents; here they are ReLU, as in the tables' other networks. He states no start;
//! here weights are drawn as He et al. do, and no table compares this network with printed numbers.
//! He minimises by quasi-Newton steps; here Adam is used on minibatches with early stopping. The
//! components' means start at the quantiles (k − ½)/K of the training target, so that they differ.
//!
//! # References
//! C. M. Bishop: *Mixture density networks*, report NCRG/94/004, Aston University, 1994.

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::{Mlp, Parts, Start, Trained, TrainingSettings, train};
use crate::engine::scales::{Scales, standardise};
use crate::engine::standardised::{Standardised, StandardisedModel};
use crate::entry::{DEFAULTS, Tried, layer};
use crate::parameter::{Choices, Group, above, parameters};
use crate::{
    Configured, Context, FitError, Fitted, MethodParameters, Request, Restored, SideTable,
};
use uq_core::Table;
use uq_core::math::vectorised::softplus;
use uq_core::predictive::{Form, Mixture, Predictive, Split};
use uq_math::autodiff::{Activation, Tape, Var};

const ID: &str = "mixture-density-network";

parameters! {
    /// Parameters of the network.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct MixtureDensityParameters {
        /// Normal distributions K of the mixture.
        components: usize = 3, in 1..=100;
        /// Hidden units (the tables: 100 for protein).
        hidden: usize = 50, in 1..=10_000;
        /// Activation of the hidden units.
        activation: Activation = Activation::Relu, in Choices;
        /// Smallest variance of a component, in standardised units.
        variance_floor: f64 = 1e-4, in above(0.0).to(1.0);
        /// How it is trained.
        training: TrainingSettings = TrainingSettings::default(), in Group;
    }
}

/// The mixture density network as a method.
pub type MixtureDensity = Configured<MixtureDensityParameters>;

impl MethodParameters for MixtureDensityParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str = "neural network with a normal mixture at its output";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "network of 50 hidden units with a mixture of 3, stopped by a tenth of the \
                   training rows",
        cost: |n, d| 3.5e-5 * layer(n, d),
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 1;

    fn restore(&self, state: &[u8]) -> Restored {
        Standardised::<MixtureModel>::restored(state)
    }

    fn fit(&self, train_rows: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        let MixtureDensityParameters {
            components,
            hidden,
            activation,
            variance_floor: floor,
            training,
        } = *self;
        let (scales, x, y) = standardise(ID, train_rows, context)?;
        let net = Mlp::new(&[x.ncols(), hidden, 3 * components], activation);
        let mut start = vec![0.0; net.end()];
        net.draw_start(Start::He, &mut start, &mut context.stream("start", 0));
        let mut sorted = y.iter().copied().collect::<Vec<f64>>();
        sorted.sort_by(f64::total_cmp);
        // The last biases: of softmax, means, variances.
        for (k, bias) in
            start[net.end() - 2 * components..net.end() - components].iter_mut().enumerate()
        {
            *bias = sorted[(2 * k + 1) * sorted.len() / (2 * components)];
        }
        let parts = Parts::draw(x.nrows(), training.validation, context);
        let trained = train(&training, &parts, &start, context, |tape, theta, batch| {
            let input = tape.constant_rows(x.view(), batch.rows);
            let outputs = net.forward(tape, theta, input);
            let loss = losses(tape, outputs, components, floor, y.view(), batch.rows);
            tape.mean(loss)
        })?;
        Ok(Box::new(Standardised {
            scales,
            model: MixtureModel { net, components, floor, trained },
        }))
    }
}

/// Eq. (29) of each of the `rows`, b × 1.
fn losses(
    tape: &mut Tape,
    outputs: Var,
    components: usize,
    floor: f64,
    y: ArrayView2<f64>,
    rows: &[usize],
) -> Var {
    let target = tape.constant_from(rows.len(), components, |out| {
        for (to, &row) in out.chunks_exact_mut(components).zip(rows) {
            to.fill(y[(row, 0)]);
        }
    });
    let logits = tape.columns(outputs, 0, components);
    let (means, raw) = (
        tape.columns(outputs, components, components),
        tape.columns(outputs, 2 * components, components),
    );
    let own = tape.gaussian_nll_softplus(means, raw, floor, target);
    let joint = tape.subtract(logits, own);
    let (joint, all) = (tape.log_sum_exp(joint), tape.log_sum_exp(logits));
    tape.subtract(all, joint)
}

/// A trained network.
#[derive(Serialize, Deserialize)]
struct MixtureModel {
    net: Mlp,
    components: usize,
    floor: f64,
    trained: Trained,
}

/// The mixture that the network's outputs (n × 3K) define.
fn mixture(outputs: &Array2<f64>, components: usize, floor: f64) -> Mixture {
    let n = outputs.nrows();
    let largest =
        |i: usize| (0..components).map(|k| outputs[(i, k)]).fold(f64::NEG_INFINITY, f64::max);
    let mut weights =
        Array2::from_shape_fn((n, components), |(i, k)| (outputs[(i, k)] - largest(i)).exp());
    for mut row in weights.rows_mut() {
        let total = row.sum();
        row /= total;
    }
    let means = Array2::from_shape_fn((n, components), |(i, k)| outputs[(i, components + k)]);
    let variances = Array2::from_shape_fn((n, components), |(i, k)| {
        softplus(outputs[(i, 2 * components + k)]) + floor
    });
    Mixture { weights, means, variances }
}

impl StandardisedModel for MixtureModel {
    const ID: &'static str = ID;

    fn check(&self, features: usize) -> Result<(), String> {
        let outputs = self.components.checked_mul(3).filter(|outputs| *outputs > 0);
        self.net.check(features, outputs.ok_or("no component")?, self.trained.parameters.len())
    }

    fn answer(
        &self,
        x: ArrayView2<f64>,
        request: &Request,
        _: &Context,
    ) -> Result<Predictive, FitError> {
        let outputs = self.net.predict(&self.trained.parameters, x);
        let form = Form::Mixture(mixture(&outputs, self.components, self.floor));
        let mut standardised = Predictive { form, split: None };
        if request.split {
            let aleatoric = standardised.variances();
            let epistemic = Some(ndarray::Array1::zeros(x.nrows()));
            standardised.split = Some(Split { aleatoric, epistemic });
        }
        Ok(standardised)
    }

    fn side_tables(&self, _: &Scales) -> Vec<SideTable> {
        vec![self.trained.side_table("trace")]
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{Fixture, with_outlier};
    use super::*;
    use crate::nets::Schedule;
    use ndarray::{Array1, array};
    use rand::RngExt;
    use uq_core::predictive::Distribution;

    const FIXTURE: Fixture = Fixture("mixture-density");

    fn settings(epochs: usize, components: usize) -> MixtureDensityParameters {
        let training = TrainingSettings { epochs, patience: epochs, ..TrainingSettings::default() };
        MixtureDensityParameters { components, training, ..MixtureDensityParameters::default() }
    }

    /// y = 10 ± (1 + x) + N(0, 0.2²), each sign equally often, for x from 0 to 2.
    fn fork(n: usize) -> Table {
        let mut rng = FIXTURE.context().stream("rows", 0);
        let features = Array2::from_shape_simple_fn((n, 1), || rng.random_range(0.0..2.0));
        let target = features.column(0).mapv(|x| {
            let sign = if rng.random::<bool>() { 1.0 } else { -1.0 };
            10.0 + sign * (1.0 + x)
                + 0.2 * uq_core::math::special::normal_quantile(rng.random_range(1e-9..1.0))
        });
        Table::unnamed(features, target)
    }

    #[test]
    fn both_branches_of_a_fork_are_learned() {
        // Steps that shrink, because the last ones of a constant size leave noise in the variances.
        let mut parameters = settings(100, 2);
        parameters.training.schedule = Schedule::Cosine;
        let fitted = FIXTURE.fit(MixtureDensity::new(parameters), &fork(3000)).unwrap();
        let at = array![[0.2], [1.0], [1.8]];
        let predictive = FIXTURE.predict(&*fitted, at.view());
        let Form::Mixture(found) = &predictive.form else { panic!("a mixture") };
        for (i, x) in at.column(0).iter().enumerate() {
            for (k, sign) in [-1.0, 1.0].into_iter().enumerate() {
                let mean = 10.0 + sign * (1.0 + x);
                assert!(
                    (found.means[(i, k)] - mean).abs() < 0.1,
                    "x {x}: {} against {mean}",
                    found.means[(i, k)]
                );
                assert!(
                    (found.variances[(i, k)].sqrt() / 0.2 - 1.0).abs() < 0.25,
                    "x {x}: {}",
                    found.variances[(i, k)]
                );
                assert!(
                    (found.weights[(i, k)] - 0.5).abs() < 0.12,
                    "x {x}: {}",
                    found.weights[(i, k)]
                );
            }
        }
        let split = predictive.split.clone().unwrap();
        for (part, variance) in split.aleatoric.unwrap().iter().zip(predictive.variances().unwrap())
        {
            assert!(
                (part / variance - 1.0).abs() < 1e-12,
                "all variance is aleatoric: {part} of {variance}"
            );
        }
        assert_eq!(split.epistemic.unwrap(), Array1::<f64>::zeros(3));
    }

    #[test]
    fn the_loss_is_the_mixtures_negative_log_density_and_its_gradient_finite_differences() {
        let outputs = array![
            [0.3, -1.0, 0.5, 1.0, -0.2, 0.7, -1.5],
            [2.0, 0.0, -0.4, 0.1, 0.6, 300.0, -40.0]
        ];
        let outputs = outputs.select(ndarray::Axis(1), &[0, 1, 2, 3, 4, 6]);
        let y = array![[0.4], [-1.2]];
        let found = mixture(&outputs, 2, 1e-4);
        let mut tape = Tape::new();
        let mut at = |values: &[f64]| {
            tape.reset();
            let outputs = tape.parameter(values, 0, 2, 6);
            let each = losses(&mut tape, outputs, 2, 1e-4, y.view(), &[0, 1]);
            let (each, sum) = (tape.value(each).to_vec(), tape.sum(each));
            let mut gradient = vec![0.0; 12];
            tape.backward(sum, &mut gradient);
            (each, gradient)
        };
        let values: Vec<f64> = outputs.iter().copied().collect();
        let (each, gradient) = at(&values);
        for (i, loss) in each.iter().enumerate() {
            let expected = -found.log_density(i, y[(i, 0)]).unwrap();
            assert!(
                (loss - expected).abs() < 1e-12 * (1.0 + expected.abs()),
                "{loss} against {expected}"
            );
        }
        for place in 0..12 {
            let mut moved = values.clone();
            moved[place] += 1e-6;
            let above: f64 = at(&moved).0.iter().sum();
            moved[place] -= 2e-6;
            let slope = (above - at(&moved).0.iter().sum::<f64>()) / 2e-6;
            assert!(
                (slope - gradient[place]).abs() < 1e-5 * (1.0 + slope.abs()),
                "{place}: {slope}"
            );
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes_and_difficult_tables_train_or_give_a_reason() {
        let table = fork(40);
        let first =
            FIXTURE.answer(MixtureDensity::new(settings(5, 3)), &table, table.features.view());
        assert_eq!(
            FIXTURE.answer(MixtureDensity::new(settings(5, 3)), &table, table.features.view()),
            first
        );
        let outlier = with_outlier(fork(50));
        let at = array![[0.5]];
        assert!(
            FIXTURE
                .answer(MixtureDensity::new(settings(20, 5)), &outlier, at.view())
                .variances()
                .unwrap()[0]
                > 0.0
        );
        // More components than rows.
        assert!(
            FIXTURE
                .answer(MixtureDensity::new(settings(5, 9)), &fork(4), at.view())
                .means()
                .unwrap()[0]
                .is_finite()
        );
        FIXTURE.assert_needs_a_varying_target(MixtureDensity::new(settings(1, 3)));
    }

    #[test]
    fn faults_are_named() {
        let error = MixtureDensity::new(settings(1, 0)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "parameter `components` is 0, expected a whole number from 1 to 100"
        );
        let fitted = FIXTURE.fit(MixtureDensity::new(settings(1, 2)), &fork(10)).unwrap();
        FIXTURE.assert_refuses_other_questions(&*fitted, 1);
    }

    #[test]
    fn golden_fit_guards_the_version() {
        let golden = [
            1.112_009_825_294_168_6,
            3.557_732_026_449_516_5,
            8.166_299_260_132_163,
            7.184_126_574_068_745,
        ];
        FIXTURE.assert_golden(MixtureDensity::new(settings(4, 3)), golden, 1e-8);
    }
}
