//! Write a metric: the score of Dawid and Sebastiani, which judges the predictive mean and variance
//! alone.
//!
//! Run it with `cargo run --release --example own_metric`. To enter the tables, put it into
//! `crates/core/src/metrics` and add its line to the list (CONTRIBUTING.md).

use std::error::Error;

use ndarray::{Array2, ArrayView1};
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_core::metrics::{
    Crps, Direction, Metric, Properties, ScoreContext, Tolerance, Unit, mean_over_rows,
};
use uq_core::predictive::{Predictive, Quantity};
use uq_methods::{Context, Reading, Request, registry};

/// Mean Dawid-Sebastiani score.
struct DawidSebastiani;

impl Metric for DawidSebastiani {
    fn properties(&self) -> Properties {
        Properties {
            name: "dawid-sebastiani",
            label: "Dawid-Sebastiani score".into(),
            direction: Direction::Lower,
            unit: Unit::None,
            quantities: vec![Quantity::Mean, Quantity::Variance],
            skill: None,
            tolerance: Tolerance::None,
            definition: "mean (y - m)^2 / s^2 + 2 ln s, m and s the predictive mean and standard \
                         deviation. Dawid & Sebastiani (1999), Ann. Stat. 27; Gneiting & Raftery \
                         (2007), JASA 102, eq. (27).",
        }
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |row, y| {
            let variance = predictive.distribution().variance(row)?;
            Some((y - predictive.distribution().mean(row)?).powi(2) / variance + variance.ln())
        })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let features = Array2::from_shape_fn((60, 1), |(row, _)| row as f64 / 10.0);
    let target = features.column(0).mapv(|x| x.sin() + 0.1 * (40.0 * x).sin());
    let table = Table::unnamed(features, target);
    let (train, test): (Vec<usize>, Vec<usize>) = (0..table.rows()).partition(|row| row % 2 == 0);
    let (train, test) = (table.select(&train), table.select(&test));

    let method = registry::build("linear-gaussian", &serde_json::json!({}))?;
    let context = Context::new(Streams::new(1, "example"));
    let fitted = method.fit(&train, &context)?;
    let predictive =
        fitted.predict(&Reading::MAIN, test.features.view(), &Request::default(), &context)?;
    for metric in [&DawidSebastiani as &dyn Metric, &Crps] {
        let score = metric.score(&predictive, test.target.view(), &ScoreContext::default());
        println!(
            "{}: {:.3} ({} is better)",
            metric.label(),
            score.ok_or("this score is undefined")?,
            metric.direction()
        );
    }
    Ok(())
}
