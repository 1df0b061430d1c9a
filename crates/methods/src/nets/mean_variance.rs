//! Predict mean and variance by the outputs of one network, fitted by maximum likelihood.
//!
//! ```text
//! y ~ N(μ(x), σ²(x)),   loss = mean of  ½ ln 2π σ²(x_i) + (y_i − μ(x_i))² / 2 σ²(x_i)
//! ```
//!
//! (Nix & Weigend's cost function, which is the negative log-likelihood up to a constant.) μ is a
//! linear output of the hidden units and σ² = softplus(r) + floor of another one. Target and
//! features are standardised on the training rows, whatever the protocol does; a feature that is
//! constant in them is left out. All variance is aleatoric.
//!
//! With `beta` training weighs the rows by a power of their variance: the β-NLL of Seitzer et al.
//! (2022), of which `gaussian_network.rs` has the equation.
//!
//! *Departures:* Nix & Weigend give the variance hidden units of its own, squash it by an
//! exponential, and train by backpropagation in phases, the mean first; here both outputs share one
//! hidden layer as in the tables' other networks, the variance is a softplus with a floor, and Adam
//! trains both at once. Weights start as PyTorch draws them.
//!
//! # References
//! D. A. Nix, A. S. Weigend: *Estimating the mean and variance of the target probability
//! distribution*, ICNN 1994.

use ndarray::{Array1, ArrayView2};

use super::gaussian_network::{GaussianNetwork, TrainedGaussian};
use super::{Start, TrainingSettings};
use crate::engine::scales::{Scales, standardise};
use crate::engine::standardised::{Standardised, StandardisedModel};
use crate::entry::{DEFAULTS, Tried, layer};
use crate::parameter::{Choices, Group, above, is_default, parameters};
use crate::{
    Configured, Context, FitError, Fitted, MethodParameters, Request, Restored, SideTable,
};
use uq_core::Table;
use uq_core::predictive::{Form, Gaussian, Predictive, Split};
use uq_math::autodiff::Activation;

const ID: &str = "mean-variance-network";

parameters! {
    /// Parameters of the network.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct MeanVarianceParameters {
        /// Hidden units (the tables: 100 for protein).
        hidden: usize = 50, in 1..=10_000;
        /// Activation of the hidden units.
        activation: Activation = Activation::Relu, in Choices;
        /// How its weights are drawn before training.
        start: Start = Start::FanIn, in Choices;
        /// Smallest variance, in standardised units.
        variance_floor: f64 = 1e-6, in above(0.0).to(1.0);
        /// How it is trained.
        training: TrainingSettings = TrainingSettings::default(), in Group;
        /// β of the β-NLL: a row's loss in training is weighed by σ^2β. 0: the likelihood; Seitzer
        /// et al. recommend 0.5.
        beta: f64 = 0.0, in 0.0..=1.0, added "is_default";
    }
}

impl MeanVarianceParameters {
    fn network(&self) -> GaussianNetwork {
        let Self { hidden, activation, start, variance_floor, training, beta } = *self;
        GaussianNetwork {
            hidden,
            activation,
            start,
            variance_floor,
            beta,
            adversarial_step: None,
            training,
        }
    }
}

/// The mean-variance network as a method.
pub type MeanVariance = Configured<MeanVarianceParameters>;

impl MethodParameters for MeanVarianceParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str = "neural network with a mean and a variance at its output";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "network of 50 hidden units with a mean and a variance, stopped by a tenth of \
                   the training rows",
        // 2.9 ms with 100 rows of 4 features, 5.2 ms with 400 of 4.
        cost: |n, d| 1e-3 + 1.6e-5 * layer(n, d),
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 2;

    fn restore(&self, state: &[u8]) -> Restored {
        Standardised::<TrainedGaussian>::restored(state)
    }

    fn fit(&self, train_rows: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        let (scales, x, y) = standardise(ID, train_rows, context)?;
        let model = self.network().fit(x.view(), y.view(), context)?;
        Ok(Box::new(Standardised { scales, model }))
    }
}

impl StandardisedModel for TrainedGaussian {
    const ID: &'static str = ID;

    fn check(&self, features: usize) -> Result<(), String> {
        self.check_for(features)
    }

    fn answer(
        &self,
        x: ArrayView2<f64>,
        request: &Request,
        _: &Context,
    ) -> Result<Predictive, FitError> {
        let (mean, variance) = self.moments(x);
        let split = request.split.then(|| Split {
            aleatoric: Some(variance.clone()),
            epistemic: Some(Array1::zeros(variance.len())),
        });
        Ok(Predictive { form: Form::Gaussian(Gaussian { mean, variance }), split })
    }

    fn side_tables(&self, _: &Scales) -> Vec<SideTable> {
        vec![self.trained.side_table("trace")]
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{Fixture, with_outlier};
    use super::*;
    use crate::Method;
    use ndarray::{Array2, array};

    const FIXTURE: Fixture = Fixture("mean-variance");

    fn settings(epochs: usize) -> MeanVarianceParameters {
        let training = TrainingSettings { epochs, patience: epochs, ..TrainingSettings::default() };
        MeanVarianceParameters { training, ..MeanVarianceParameters::default() }
    }

    /// y = 20 + 3 x + N(0, (0.5 + 0.25 x²)²) for x from −2 to 2, and an irrelevant column.
    fn noisy_line(n: usize) -> Table {
        FIXTURE.noisy_line(n, |x| 0.5 + 0.25 * x * x)
    }

    #[test]
    fn the_noises_standard_deviation_is_recovered_where_it_varies() {
        let fitted = FIXTURE.fit(MeanVariance::new(settings(60)), &noisy_line(4000)).unwrap();
        let at =
            Array2::from_shape_fn((7, 2), |(i, j)| if j == 0 { 0.5 * i as f64 - 1.5 } else { 5.0 });
        let predictive = FIXTURE.predict(&*fitted, at.view());
        let (means, variances) = (predictive.means().unwrap(), predictive.variances().unwrap());
        for (i, x) in at.column(0).iter().enumerate() {
            let (mean, sd) = (20.0 + 3.0 * x, 0.5 + 0.25 * x * x);
            // With 4000 rows: a window of width 1 holds 1000, whose sd has a standard error of 2 %.
            assert!(
                (variances[i].sqrt() / sd - 1.0).abs() < 0.12,
                "x {x}: sd {} against {sd}",
                variances[i].sqrt()
            );
            assert!((means[i] - mean).abs() < 0.3 * sd, "x {x}: mean {} against {mean}", means[i]);
        }
        let split = predictive.split.unwrap();
        assert_eq!(split.aleatoric.unwrap(), variances);
        assert_eq!(split.epistemic.unwrap(), Array1::<f64>::zeros(7));
        let trace = &fitted.side_tables()[0];
        assert_eq!(
            (trace.name.as_str(), trace.column("validation_loss").unwrap().len()),
            ("trace", 60)
        );
    }

    #[test]
    fn the_power_of_the_variance_changes_the_fit_but_not_the_keys_of_earlier_trials() {
        let with = |beta: f64| MeanVariance::new(MeanVarianceParameters { beta, ..settings(5) });
        assert!(with(0.0).unwrap().parameters().get("beta").is_none());
        assert_eq!(with(0.5).unwrap().parameters()["beta"], 0.5);
        let table = noisy_line(100);
        let answer = |beta: f64| FIXTURE.answer(with(beta), &table, table.features.view());
        assert_ne!(answer(0.5), answer(0.0));
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes_in_any_unit() {
        let table = noisy_line(40);
        let first = FIXTURE.answer(MeanVariance::new(settings(5)), &table, table.features.view());
        assert_eq!(
            FIXTURE.answer(MeanVariance::new(settings(5)), &table, table.features.view()),
            first
        );
        // A power of two scales without rounding.
        let scaled = Table { target: &table.target * 1024.0, ..table.clone() };
        let found = FIXTURE.answer(MeanVariance::new(settings(5)), &scaled, table.features.view());
        for (a, b) in found.means().unwrap().iter().zip(first.means().unwrap()) {
            assert!((a / b / 1024.0 - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn difficult_tables_train_or_give_a_reason() {
        let at = array![[0.5, 5.0]];
        let ten = noisy_line(10);
        assert!(
            FIXTURE.answer(MeanVariance::new(settings(20)), &ten, at.view()).means().unwrap()[0]
                .is_finite()
        );
        let outlier = with_outlier(noisy_line(50));
        assert!(
            FIXTURE
                .answer(MeanVariance::new(settings(20)), &outlier, at.view())
                .variances()
                .unwrap()[0]
                > 0.0
        );
        FIXTURE.assert_needs_no_varying_feature(MeanVariance::new(settings(20)));
        FIXTURE.assert_needs_a_varying_target(MeanVariance::new(settings(1)));
    }

    #[test]
    fn faults_are_named() {
        let error =
            MeanVariance::new(MeanVarianceParameters { hidden: 0, ..settings(1) }).unwrap_err();
        assert_eq!(
            error.to_string(),
            "parameter `hidden` is 0, expected a whole number from 1 to 10000"
        );
        let error = MeanVariance::new(settings(0)).unwrap_err();
        assert!(error.to_string().starts_with("parameter `training.epochs` is 0"));
        let fitted = FIXTURE.fit(MeanVariance::new(settings(1)), &noisy_line(10)).unwrap();
        FIXTURE.assert_refuses_other_questions(&*fitted, 2);
    }

    #[test]
    fn golden_fit_guards_the_version() {
        let golden = [
            1.618_441_457_742_104_7,
            3.262_375_699_414_377,
            6.169_018_761_838_438,
            4.744_856_585_169_297,
        ];
        FIXTURE.assert_golden(MeanVariance::new(settings(4)), golden, 1e-8);
        let golden = [
            1.579_164_001_922_957_8,
            3.252_849_862_130_352,
            6.199_317_615_896_773,
            4.762_265_845_614_986,
        ];
        FIXTURE.assert_golden(
            MeanVariance::new(MeanVarianceParameters { beta: 0.5, ..settings(4) }),
            golden,
            1e-8,
        );
    }
}
