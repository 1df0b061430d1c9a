//! Fit a method on half of a bundled dataset, read what it believes about the other half, and score
//! it.
//!
//! Run it with `cargo run --release --example fit_and_read`.

use std::error::Error;

use ndarray::Array1;
use uq_core::math::random::Streams;
use uq_core::metrics::{Crps, MetricId, Picp, ScoreContext};
use uq_methods::{Context, Reading, Request, registry};
use uqbench_data::{Library, Manifest, SourceOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let library = Library::new(SourceOptions { offline: true, ..SourceOptions::default() });
    let table = library.load(Manifest::shipped()?.get("yacht")?)?;
    let (train, test): (Vec<usize>, Vec<usize>) = (0..table.rows()).partition(|row| row % 2 == 0);
    let (train, test) = (table.select(&train), table.select(&test));

    let method = registry::build("quantile-forest", &serde_json::json!({ "trees": 200 }))?;
    // All randomness comes from named streams, so that the same names give the same numbers.
    let context = Context::new(Streams::new(1, "example"));
    let fitted = method.fit(&train, &context)?;
    let predictive =
        fitted.predict(&Reading::MAIN, test.features.view(), &Request::default(), &context)?;

    for row in 0..3 {
        let (low, high) = predictive.interval(row, 0.9).ok_or("this form has no quantiles")?;
        println!("row {row}: target {:.2}, 90 % interval {low:.2} to {high:.2}", test.target[row]);
    }
    let outcomes: &Array1<f64> = &test.target;
    for metric in [MetricId::Crps(Crps), MetricId::Picp(Picp { level: 0.9 })] {
        let score = metric.score(&predictive, outcomes.view(), &ScoreContext::default());
        println!("{metric}: {:.3}", score.ok_or("this score is undefined")?);
    }
    Ok(())
}
