//! Tables with known conditional quantiles, for tests.

use ndarray::{Array1, Array2, ArrayView2};
use rand::RngExt;

use crate::{Context, Fitted, Method, Reading, Request};
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_core::math::special::normal_quantile;
use uq_core::predictive::Predictive;

pub(super) fn context(index: u64) -> Context {
    Context::new(Streams::new(index, "boosting"))
}

/// Mean and standard deviation at x: a step in the first feature, and a spread that grows with the
/// second.
pub(super) fn truth(x: &[f64]) -> (f64, f64) {
    (if x[0] > 0.4 { 3.0 } else { 0.0 }, 0.5 + x[1])
}

/// Normal targets of the known mean and spread; the third feature says nothing.
pub(super) fn normal_table(rows: usize, index: u64) -> Table {
    let mut rng = context(index).stream("data", 0);
    let features = Array2::from_shape_simple_fn((rows, 3), || rng.random::<f64>());
    let target: Array1<f64> = features
        .rows()
        .into_iter()
        .map(|x| {
            let (mean, spread) = truth(&x.to_vec());
            mean + spread * normal_quantile(rng.random_range(1e-9..1.0 - 1e-9))
        })
        .collect();
    Table::unnamed(features, target)
}

pub(super) fn fit(method: &dyn Method, train: &Table) -> Box<dyn Fitted> {
    method.fit(train, &context(1)).unwrap()
}

pub(super) fn predict(fitted: &dyn Fitted, features: ArrayView2<f64>) -> Predictive {
    let predictive =
        fitted.predict(&Reading::MAIN, features, &Request::default(), &context(1)).unwrap();
    assert_eq!(predictive.validate(), Ok(()));
    predictive
}
