//! Write a method: the nearest training rows' mean and variance, as a normal distribution.
//!
//! Run it with `cargo run --release --example own_method`. To enter the tables, put it into
//! `crates/methods/src` and add its line to the registry (CONTRIBUTING.md).

use std::error::Error;

use ndarray::{Array1, Array2, ArrayView2};
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_core::predictive::{Form, Gaussian, Predictive};
use uq_methods::{Context, FitError, Fitted, Method, Reading, Request};

/// The k nearest rows.
struct Nearest {
    k: usize,
}

struct FittedNearest {
    k: usize,
    train: Table,
}

impl Method for Nearest {
    fn id(&self) -> &'static str {
        "nearest"
    }

    fn version(&self) -> u32 {
        1
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!({ "k": self.k })
    }

    fn fit(&self, train: &Table, _: &Context) -> Result<Box<dyn Fitted>, FitError> {
        if train.rows() < self.k {
            return Err(FitError::Unsupported(format!(
                "nearest needs {} training rows, found {}",
                self.k,
                train.rows()
            )));
        }
        Ok(Box::new(FittedNearest { k: self.k, train: train.clone() }))
    }
}

impl Fitted for FittedNearest {
    fn predict(
        &self,
        _: &Reading,
        features: ArrayView2<f64>,
        _: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let (mut mean, mut variance) = (Vec::new(), Vec::new());
        for point in features.rows() {
            // A run asks it to stop here when its time is up.
            context.checkpoint()?;
            let distance =
                |row: usize| (&self.train.features.row(row) - &point).mapv(|x| x * x).sum();
            let mut rows: Vec<usize> = (0..self.train.rows()).collect();
            rows.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)));
            let near: Array1<f64> =
                rows[..self.k].iter().map(|&row| self.train.target[row]).collect();
            mean.push(near.mean().unwrap_or(f64::NAN));
            variance.push(near.var(1.0));
        }
        Ok(Predictive::new(Form::Gaussian(Gaussian {
            mean: mean.into(),
            variance: variance.into(),
        })))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let features = Array2::from_shape_fn((60, 1), |(row, _)| row as f64 / 10.0);
    let target = features.column(0).mapv(f64::sin);
    let context = Context::new(Streams::new(1, "example"));
    let fitted = Nearest { k: 5 }.fit(&Table::unnamed(features, target), &context)?;
    let new = Array2::from_elem((1, 1), 1.55);
    let predictive = fitted.predict(&Reading::MAIN, new.view(), &Request::default(), &context)?;
    predictive.validate()?;
    let (low, high) = predictive.interval(0, 0.9).ok_or("a normal distribution has quantiles")?;
    println!(
        "at x = 1.55, where sin x = {:.4}: 90 % interval {low:.4} to {high:.4}",
        1.55_f64.sin()
    );
    Ok(())
}
