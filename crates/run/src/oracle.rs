//! Know the truth of a simulated problem, so that tests of the benchmark `decomposition` have a
//! right answer.
//!
//! Its mean is off by a tenth of the noise's standard deviation σ(x), its aleatoric variance is
//! σ(x)² and its epistemic one σ(x)²/100. The features must not be scaled. Registered under
//! `oracle`, which `uqbench list` does not show.

use ndarray::{Array1, ArrayView2};
use uq_core::Table;
use uq_core::predictive::{Form, Gaussian, Predictive, Split};
use uq_methods::entry::{Entry, read};
use uq_methods::parameter::{Choices, defaults, parameters};
use uq_methods::{Context, FitError, Fitted, Method, Reading, Request};
use uqbench_data::simulated::{PREFIX, Simulated};

parameters! {
    /// The method and its parameters in one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Oracle {
        /// Whether both variances are averaged over the predicted rows.
        level: bool = false, in Choices;
    }
}

impl Oracle {
    /// Its entry in the registry.
    pub const ENTRY: Entry = Entry {
        id: "oracle",
        title: "knows the truth of a simulated problem, for tests",
        tried: None,
        parameters: defaults::<Self>,
        build: |given, _| Ok(Box::new(read::<Self>(given)?)),
    };
}

struct FittedOracle {
    problem: &'static Simulated,
    level: bool,
}

impl Method for Oracle {
    fn id(&self) -> &'static str {
        Self::ENTRY.id
    }

    fn version(&self) -> u32 {
        1
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!(self)
    }

    fn fit(&self, train: &Table, _: &Context) -> Result<Box<dyn Fitted>, FitError> {
        let key = format!("{PREFIX}decomposition-heteroscedastic@{}", train.columns());
        let unknown = || FitError::Unsupported(format!("the oracle knows no `{key}`"));
        let problem = Simulated::get(&key).ok_or_else(unknown)?;
        Ok(Box::new(FittedOracle { problem, level: self.level }))
    }
}

impl Fitted for FittedOracle {
    fn predict(
        &self,
        _: &Reading,
        x: ArrayView2<f64>,
        _: &Request,
        _: &Context,
    ) -> Result<Predictive, FitError> {
        let laws: Option<Vec<(f64, f64)>> =
            x.rows().into_iter().map(|x| self.problem.law(x)).collect();
        let laws = laws
            .ok_or_else(|| FitError::Unsupported("the oracle's problem has no known law".into()))?;
        let mean: Array1<f64> = laws.iter().map(|(mean, sd)| mean + 0.1 * sd).collect();
        let mut noise: Array1<f64> = laws.iter().map(|(_, sd)| sd * sd).collect();
        if self.level {
            let level = noise.mean().unwrap_or(f64::NAN);
            noise.fill(level);
        }
        let epistemic = &noise * 0.01;
        let variance = &noise * 1.01;
        let split = Split { aleatoric: Some(noise), epistemic: Some(epistemic) };
        Ok(Predictive::new(Form::Gaussian(Gaussian { mean, variance })).with_split(split))
    }
}
