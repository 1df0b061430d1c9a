//! Share what the tests of network methods need: a trial's context, tables whose noise is known, and invalid requests.

use ndarray::{Array1, Array2, ArrayView2, array};
use rand::RngExt;

use crate::data::Table;
use crate::math::random::Streams;
use crate::math::special::normal_quantile;
use crate::methods::{Context, FitError, Fitted, Method, ParameterError, Reading, Request};
use crate::predictive::Predictive;

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

    /// n rows of y = `mean`(x) + N(0, `sd`(x)²) for x from −2 to 2; `idle` more columns are irrelevant.
    pub fn rows(&self, n: usize, idle: usize, mean: impl Fn(f64) -> f64, sd: impl Fn(f64) -> f64) -> Table {
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

    /// Requests an unknown reading, and a prediction of rows with one feature more or less than the `features` of the
    /// fit, 1 or 2.
    pub fn assert_refuses_other_questions(&self, fitted: &dyn Fitted, features: usize) {
        let error = |reading: Reading, columns: usize| {
            let at = Array2::ones((1, columns));
            fitted.predict(&reading, at.view(), &Request::default(), &self.context()).unwrap_err().to_string()
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

/// 20 rows whose only feature is constant; the mean of their targets is 9.5.
pub(super) fn featureless() -> Table {
    Table::unnamed(Array2::zeros((20, 1)), Array1::range(0.0, 20.0, 1.0))
}

/// A fit to three rows of one target must return this error.
pub(super) fn assert_needs_a_varying_target(fit: impl Fn(&Table) -> Result<Box<dyn Fitted>, FitError>) {
    let constant = Table::unnamed(array![[1.0], [2.0], [3.0]], array![4.0, 4.0, 4.0]);
    let error = fit(&constant).err().unwrap();
    assert!(matches!(&error, FitError::Unsupported(why) if why.contains("a target that varies")), "{error}");
}

/// A table of 50 rows and 3 features whose values are computed without random numbers.
pub(super) fn golden_table() -> Table {
    let features = Array2::from_shape_fn((50, 3), |(i, j)| ((i * (7 + 4 * j) + j) % 17) as f64 / 4.0 - 2.0);
    let target = Array1::from_shape_fn(50, |i| 3.0 + 2.0 * features[(i, 0)] + ((i * 13) % 11) as f64 / 8.0);
    Table::unnamed(features, target)
}

/// Mean and variance of the first and the last row of the golden table, up to the order in which processors add up products.
pub(super) fn assert_golden(predictive: &Predictive, golden: [f64; 4], tolerance: f64) {
    let (means, variances) = (predictive.means().unwrap(), predictive.variances().unwrap());
    let found = [means[0], means[49], variances[0], variances[49]];
    for (place, (value, golden)) in found.into_iter().zip(golden).enumerate() {
        assert!((value / golden - 1.0).abs() < tolerance, "{found:?}, number {place}: raise the version");
    }
}
