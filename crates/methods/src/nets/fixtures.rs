//! Share what the tests of network methods need: a trial's context, tables whose noise is known,
//! and invalid requests.

use ndarray::{Array1, Array2, ArrayView2, array};
use rand::RngExt;
use serde_json::json;

use super::TrainingSettings;
use crate::golden::{assert_golden, first_and_last, golden_table};
use crate::{
    Context, FitError, Fitted, Method, MethodParameters, ParameterError, Reading, Request,
};
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_core::math::special::normal_quantile;
use uq_core::predictive::Predictive;

/// The trial of a method's tests, by the name of its streams.
pub(super) struct Fixture(pub &'static str);

impl Fixture {
    /// Its context.
    pub fn context(&self) -> Context {
        Context::new(Streams::new(1, self.0))
    }

    /// Fits a method whose parameters are valid.
    pub fn fit<M: Method>(
        &self,
        method: Result<M, ParameterError>,
        train: &Table,
    ) -> Result<Box<dyn Fitted>, FitError> {
        method.unwrap().fit(train, &self.context())
    }

    /// The prediction of the only reading.
    pub fn predict(&self, fitted: &dyn Fitted, at: ArrayView2<f64>) -> Predictive {
        fitted.predict(&Reading::MAIN, at, &Request::default(), &self.context()).unwrap()
    }

    /// The prediction of a fit that must succeed.
    pub fn answer<M: Method>(
        &self,
        method: Result<M, ParameterError>,
        train: &Table,
        at: ArrayView2<f64>,
    ) -> Predictive {
        self.predict(&*self.fit(method, train).unwrap(), at)
    }

    /// A fit to these rows must be refused, and say so in words with `why`.
    pub fn assert_refuses<M: Method>(
        &self,
        method: Result<M, ParameterError>,
        train: &Table,
        why: &str,
    ) {
        let error = self.fit(method, train).err().unwrap();
        assert!(matches!(&error, FitError::Unsupported(words) if words.contains(why)), "{error}");
    }

    /// A target that does not vary must be refused.
    pub fn assert_needs_a_varying_target<M: Method>(&self, method: Result<M, ParameterError>) {
        let constant = Table::unnamed(array![[1.0], [2.0], [3.0]], array![4.0, 4.0, 4.0]);
        self.assert_refuses(method, &constant, "a target that varies");
    }

    /// A fit to 20 rows whose only feature is constant must predict nearly the mean of their
    /// targets.
    pub fn assert_needs_no_varying_feature<M: Method>(&self, method: Result<M, ParameterError>) {
        let nothing = Table::unnamed(Array2::zeros((20, 1)), Array1::range(0.0, 20.0, 1.0));
        let mean = self.answer(method, &nothing, array![[0.0]].view()).means().unwrap()[0];
        assert!((mean - 9.5).abs() < 4.0, "without features that vary: {mean}");
    }

    /// Mean and variance of the first and the last row of the golden table must be these.
    pub fn assert_golden<M: Method>(
        &self,
        method: Result<M, ParameterError>,
        golden: [f64; 4],
        tolerance: f64,
    ) {
        let table = golden_table();
        let predictive = self.answer(method, &table, table.features.view());
        assert_golden(first_and_last(&predictive), golden, tolerance);
    }

    /// n rows of y = `mean`(x) + N(0, `sd`(x)²) for x from −2 to 2; `idle` more columns are
    /// irrelevant.
    pub fn rows(
        &self,
        n: usize,
        idle: usize,
        mean: impl Fn(f64) -> f64,
        sd: impl Fn(f64) -> f64,
    ) -> Table {
        let mut rng = self.context().stream("rows", 0);
        let x = |(_, j): (usize, usize)| if j == 0 { rng.random_range(-2.0..2.0) } else { 5.0 };
        let features = Array2::from_shape_fn((n, 1 + idle), x);
        let mut normal = || normal_quantile(rng.random_range(1e-9..1.0));
        let target = features.column(0).mapv(|x| mean(x) + sd(x) * normal());
        Table::unnamed(features, target)
    }

    /// [`Fixture::rows`] with one irrelevant column, and the mean 20 + 3 x.
    pub fn noisy_line(&self, n: usize, sd: impl Fn(f64) -> f64) -> Table {
        self.rows(n, 1, |x| 20.0 + 3.0 * x, sd)
    }

    /// Requests an unknown reading, and a prediction of rows with one feature more or less than the
    /// `features` of the fit, 1 or 2.
    pub fn assert_refuses_other_questions(&self, fitted: &dyn Fitted, features: usize) {
        let error = |reading: Reading, columns: usize| {
            let at = Array2::ones((1, columns));
            fitted
                .predict(&reading, at.view(), &Request::default(), &self.context())
                .unwrap_err()
                .to_string()
        };
        assert!(error(Reading::new("game"), features).contains("'main' only"));
        let other = 3 - features;
        let expected = format!("{features} features, asked to predict from {other}");
        assert!(error(Reading::MAIN, other).contains(&expected));
    }
}

/// The rows, of which the eighth is a million away.
pub(super) fn with_outlier(mut table: Table) -> Table {
    table.target[7] = 1e6;
    table.features[(7, 0)] = -1e6;
    table
}

/// A benchmark file may state some of the training settings: the others keep the method's defaults,
/// and an unknown one is refused.
pub(super) fn assert_keeps_what_a_file_leaves_out<P>(
    training: impl Fn(&mut P) -> &mut TrainingSettings,
) where
    P: MethodParameters + PartialEq + std::fmt::Debug,
{
    let read = |given: serde_json::Value| serde_json::from_value::<P>(given);
    let mut expected = P::default();
    training(&mut expected).epochs = 7;
    training(&mut expected).adam.beta1 = 0.5;
    assert_eq!(
        read(json!({ "training": { "epochs": 7, "adam": { "beta1": 0.5 } } })).unwrap(),
        expected
    );
    for fault in [json!({ "epoch": 7 }), json!({ "adam": { "rate": 7 } })] {
        let error = read(json!({ "training": fault })).unwrap_err().to_string();
        assert!(error.starts_with("unknown field"), "{error}");
    }
    assert_eq!(read(json!(P::default())).unwrap(), P::default());
}
