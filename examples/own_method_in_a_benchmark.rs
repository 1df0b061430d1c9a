//! Add a method to the whole command line: benchmarks, `try`, `compare` and all others name it as
//! they name the methods of this repository.
//!
//! Run it with `cargo run --release --example own_method_in_a_benchmark -- run
//! examples/nearest.toml --profile full`, or with `-- list methods`. A program of your own has this
//! `main`; docs/do/rust.md lists what it depends on.

use std::process::ExitCode;

use ndarray::{Array1, ArrayView2};
use serde::{Deserialize, Serialize};
use uq_core::Table;
use uq_core::predictive::{Form, Gaussian, Predictive, Split};
use uq_methods::entry::DEFAULTS;
use uq_methods::parameter::parameters;
use uq_methods::state::{read, write};
use uq_methods::{
    Configured, Context, Facts, FitError, Fitted, MethodParameters, Reading, Request, Restored,
    StateError, Tried,
};
use uqbench::cli::Program;

parameters! {
    /// Parameters of the method.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Nearest {
        /// Training rows that a prediction is made of.
        k: usize = 5, in 2..=1000;
    }
}

#[derive(Serialize, Deserialize)]
struct FittedNearest {
    k: usize,
    features: ndarray::Array2<f64>,
    target: Array1<f64>,
}

impl MethodParameters for Nearest {
    const ID: &'static str = "nearest";
    const TITLE: &'static str =
        "mean and variance of the nearest training rows, as a normal distribution";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "mean and variance of the 5 nearest rows",
        cost: |rows, features| 1e-8 * rows * features,
        parameters: DEFAULTS,
    });
    // Raise it with every change that changes a number: finished trials are reused.
    const VERSION: u32 = 1;

    fn facts(&self) -> Facts {
        Facts { deterministic: true, ..Facts::default() }
    }

    fn fit(&self, train: &Table, _: &Context) -> Result<Box<dyn Fitted>, FitError> {
        if train.rows() < self.k {
            let found = train.rows();
            return Err(FitError::Unsupported(format!(
                "nearest needs {} training rows, found {found}",
                self.k
            )));
        }
        let Table { features, target, .. } = train.clone();
        Ok(Box::new(FittedNearest { k: self.k, features, target }))
    }

    fn restore(&self, state: &[u8]) -> Restored {
        Ok(Box::new(read::<FittedNearest>(Self::ID, state)?))
    }
}

impl Fitted for FittedNearest {
    fn predict(
        &self,
        _: &Reading,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let (mut mean, mut noise) = (Vec::new(), Vec::new());
        for point in features.rows() {
            // A run asks it to stop here when its time is up.
            context.checkpoint()?;
            let distance = |row: usize| (&self.features.row(row) - &point).mapv(|x| x * x).sum();
            let mut rows: Vec<usize> = (0..self.target.len()).collect();
            rows.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)));
            let near: Array1<f64> = rows[..self.k].iter().map(|&row| self.target[row]).collect();
            mean.push(near.mean().unwrap_or(f64::NAN));
            // Equal targets have no variance, and a normal distribution needs one.
            noise.push(near.var(1.0).max(1e-12));
        }
        // The mean of k targets is uncertain by a k-th of the variance of one.
        let noise = Array1::from(noise);
        let epistemic = &noise / self.k as f64;
        let predictive = Predictive::new(Form::Gaussian(Gaussian {
            mean: mean.into(),
            variance: &noise + &epistemic,
        }));
        let split = Split { aleatoric: Some(noise), epistemic: Some(epistemic) };
        Ok(if request.split { predictive.with_split(split) } else { predictive })
    }

    fn state(&self) -> Result<Vec<u8>, StateError> {
        write(Nearest::ID, self)
    }
}

fn main() -> ExitCode {
    let program = Program { name: env!("CARGO_CRATE_NAME"), version: env!("CARGO_PKG_VERSION") };
    uqbench::cli::main_with(program, &[&Configured::<Nearest>::ENTRY])
}
