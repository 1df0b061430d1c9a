//! Build a method from its name and its parameters.

use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

use super::adapters::linfa::{
    LinfaElasticNet, LinfaElasticNetParameters, LinfaForest, LinfaForestParameters, LinfaTree, LinfaTreeParameters,
};
use super::adapters::smartcore::{
    SmartcoreExtraTrees, SmartcoreExtraTreesParameters, SmartcoreForest, SmartcoreForestParameters, SmartcoreTree,
    SmartcoreTreeParameters,
};
use super::anchors::{LinearGaussian, UnconditionalGaussian, UnconditionalQuantiles};
use super::conformal::{ConformalParameters, ConformalisedQuantiles, SplitConformal};
use super::gp::{
    DeepGp, DeepGpParameters, ExactGp, ExactGpParameters, NonstationaryGp, NonstationaryGpParameters, RffGplvm,
    RffGplvmParameters, SparseGp, SparseGpParameters, StochasticSparseGp, StochasticSparseGpParameters,
    WienerRegression, WienerRegressionParameters,
};
use super::mixture::{
    GmmRegression, GmmRegressionParameters, Jcm, JcmParameters, JcmValidated, JcmValidatedParameters,
};
use super::mock::Mock;
use super::nets::{
    BnnVi, BnnViParameters, Combined, CombinedParameters, DeepEnsemble, DeepEnsembleParameters, McDropout,
    McDropoutParameters, MeanVariance, MeanVarianceParameters, MixtureDensity, MixtureDensityParameters, Pbp,
    PbpParameters, Sqr, SqrParameters,
};
use super::polynomial::{Polynomial, PolynomialParameters};
use super::trees::dtb::{Dtb, DtbParameters, LearnerGroup};
use super::trees::forest::{
    QuantileForest, QuantileForestParameters, QuantileForestValidated, QuantileForestValidatedParameters,
};
use super::trees::{Cart, CartParameters};
use super::validated::{Build, Validated, ValidatedParameters};
use super::{Method, ParameterError};
use crate::data::{did_you_mean, nearest_name};

/// A method that can be built by name.
pub struct Entry {
    /// Its name.
    pub id: &'static str,
    /// One line on what it is.
    pub title: &'static str,
    build: fn(&Value) -> Result<Box<dyn Method>, String>,
}

/// Why a method could not be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RegistryError {
    /// No method has this name.
    #[error("there is no method `{name}`{}; `uqbench list methods` shows them all", did_you_mean(nearest))]
    Unknown {
        /// The name asked for.
        name: String,
        /// The most similar name.
        nearest: Option<String>,
    },
    /// The parameters do not fit.
    #[error("method `{method}`: {message}")]
    Parameters {
        /// The method.
        method: String,
        /// What is wrong with them.
        message: String,
    },
}

/// Every method with a name, anchors first.
pub fn entries() -> &'static [Entry] {
    &[
        Entry {
            id: "unconditional-gaussian",
            title: "anchor: the training target's mean and variance",
            build: |p| boxed(|()| Ok::<_, String>(UnconditionalGaussian), none(p)?),
        },
        Entry {
            id: "unconditional-quantiles",
            title: "anchor: the training target's quantiles",
            build: |p| boxed(|()| Ok::<_, String>(UnconditionalQuantiles), none(p)?),
        },
        Entry {
            id: "linear-gaussian",
            title: "anchor: ordinary least squares with Gaussian noise",
            build: |p| boxed(|()| Ok::<_, String>(LinearGaussian), none(p)?),
        },
        Entry {
            id: "tree",
            title: "exact CART regression tree",
            build: |p| boxed(Cart::new, read::<CartParameters>(p)?),
        },
        Entry {
            id: "smartcore-tree",
            title: "smartcore's regression tree",
            build: |p| boxed(SmartcoreTree::new, read::<SmartcoreTreeParameters>(p)?),
        },
        Entry {
            id: "smartcore-forest",
            title: "smartcore's random forest",
            build: |p| boxed(SmartcoreForest::new, read::<SmartcoreForestParameters>(p)?),
        },
        Entry {
            id: "smartcore-extra-trees",
            title: "smartcore's extremely randomised trees",
            build: |p| boxed(SmartcoreExtraTrees::new, read::<SmartcoreExtraTreesParameters>(p)?),
        },
        Entry {
            id: "linfa-elastic-net",
            title: "linfa's elastic net",
            build: |p| boxed(LinfaElasticNet::new, read::<LinfaElasticNetParameters>(p)?),
        },
        Entry {
            id: "linfa-tree",
            title: "linfa's decision tree: probabilities of a target of few values",
            build: |p| boxed(LinfaTree::new, read::<LinfaTreeParameters>(p)?),
        },
        Entry {
            id: "linfa-forest",
            title: "linfa's ensemble of decision trees: probabilities of a target of few values",
            build: |p| boxed(LinfaForest::new, read::<LinfaForestParameters>(p)?),
        },
        Entry {
            id: "quantile-forest",
            title: "quantile regression forest: weighted targets of the leaves",
            build: |p| boxed(QuantileForest::new, read::<QuantileForestParameters>(p)?),
        },
        Entry {
            id: "quantile-forest-validated",
            title: "quantile regression forest, settings chosen by the out-of-bag CRPS",
            build: |p| boxed(QuantileForestValidated::new, read::<QuantileForestValidatedParameters>(p)?),
        },
        Entry {
            id: "polynomial",
            title: "polynomial by least squares",
            build: |p| boxed(Polynomial::new, read::<PolynomialParameters>(p)?),
        },
        Entry {
            id: "gmm-regression",
            title: "conditional of a Gaussian mixture of target and features",
            build: |p| boxed(GmmRegression::new, read::<GmmRegressionParameters>(p)?),
        },
        Entry {
            id: "jcm",
            title: "joint and conditional modelling: Gaussian mixture of target and projected features",
            build: |p| boxed(Jcm::new, read::<JcmParameters>(p)?),
        },
        Entry {
            id: "jcm-validated",
            title: "joint and conditional modelling, settings validated inside the training rows",
            build: |p| boxed(JcmValidated::new, read::<JcmValidatedParameters>(p)?),
        },
        Entry {
            id: "mean-variance-network",
            title: "neural network with a mean and a variance at its output",
            build: |p| boxed(MeanVariance::new, read::<MeanVarianceParameters>(p)?),
        },
        Entry {
            id: "deep-ensemble",
            title: "equal mixture of neural networks with a mean and a variance",
            build: |p| boxed(DeepEnsemble::new, read::<DeepEnsembleParameters>(p)?),
        },
        Entry {
            id: "mc-dropout",
            title: "neural network whose units are dropped at random in many passes",
            build: |p| boxed(McDropout::new, read::<McDropoutParameters>(p)?),
        },
        Entry {
            id: "sqr",
            title: "simultaneous quantile regression: one neural network for all quantiles",
            build: |p| boxed(Sqr::new, read::<SqrParameters>(p)?),
        },
        Entry {
            id: "bnn-vi",
            title: "Bayesian neural network by mean-field variational inference",
            build: |p| boxed(BnnVi::new, read::<BnnViParameters>(p)?),
        },
        Entry {
            id: "pbp",
            title: "Bayesian neural network by probabilistic backpropagation",
            build: |p| boxed(Pbp::new, read::<PbpParameters>(p)?),
        },
        Entry {
            id: "exact-gp",
            title: "exact Gaussian process, parameters by type-II maximum likelihood",
            build: |p| boxed(ExactGp::new, read::<ExactGpParameters>(p)?),
        },
        Entry {
            id: "sparse-gp",
            title: "Gaussian process with inducing points: Titsias' collapsed bound",
            build: |p| boxed(SparseGp::new, read::<SparseGpParameters>(p)?),
        },
        Entry {
            id: "split-conformal",
            title: "split conformal prediction about any method's mean",
            build: |p| build_over(SplitConformal::new, p),
        },
        Entry {
            id: "conformalised-quantiles",
            title: "conformalised quantile regression over any method with quantiles",
            build: |p| build_over(ConformalisedQuantiles::new, p),
        },
        Entry {
            id: "combined",
            title: "mean and variance networks in turn on neighbouring rows, with a prior far from them",
            build: |p| boxed(Combined::new, read::<CombinedParameters>(p)?),
        },
        Entry {
            id: "mixture-density-network",
            title: "neural network with a normal mixture at its output",
            build: |p| boxed(MixtureDensity::new, read::<MixtureDensityParameters>(p)?),
        },
        Entry {
            id: "stochastic-sparse-gp",
            title: "sparse Gaussian process fitted to minibatches by stochastic variational inference",
            build: |p| boxed(StochasticSparseGp::new, read::<StochasticSparseGpParameters>(p)?),
        },
        Entry {
            id: "deep-gp",
            title: "deep Gaussian process by doubly stochastic variational inference",
            build: |p| boxed(DeepGp::new, read::<DeepGpParameters>(p)?),
        },
        Entry {
            id: "nonstationary-gp",
            title: "Gaussian process whose length scale, signal and noise depend on the input",
            build: |p| boxed(NonstationaryGp::new, read::<NonstationaryGpParameters>(p)?),
        },
        Entry {
            id: "rff-gplvm",
            title: "Gaussian process latent variable model on random features: target and features share latent inputs",
            build: |p| boxed(RffGplvm::new, read::<RffGplvmParameters>(p)?),
        },
        Entry {
            id: "wiener-kernel-regression",
            title: "kernel regression with noise of any finite variance as a polynomial chaos",
            build: |p| boxed(WienerRegression::new, read::<WienerRegressionParameters>(p)?),
        },
        Entry { id: "dtb", title: "decision-theoretic bootstrapping over any methods", build: build_dtb },
        Entry {
            id: "validated",
            title: "any method, settings validated inside the training rows",
            build: build_validated,
        },
        Entry {
            id: "mock",
            title: "misbehaves on demand, for tests",
            build: |p| boxed(Ok::<_, String>, read::<Mock>(p)?),
        },
    ]
}

/// The method of this name with these parameters; `null` stands for none given.
///
/// # Errors
/// [`RegistryError`] for an unknown name, an unknown parameter, or a value out of range.
pub fn build(id: &str, parameters: &Value) -> Result<Box<dyn Method>, RegistryError> {
    let entry = entries().iter().find(|entry| entry.id == id).ok_or_else(|| RegistryError::Unknown {
        name: id.into(),
        nearest: nearest_name(id, entries().iter().map(|e| e.id)),
    })?;
    (entry.build)(parameters).map_err(|message| RegistryError::Parameters { method: id.into(), message })
}

fn read<P: DeserializeOwned>(parameters: &Value) -> Result<P, String> {
    let given = if parameters.is_null() { Value::Object(Default::default()) } else { parameters.clone() };
    serde_json::from_value(given).map_err(|error| error.to_string())
}

fn none(parameters: &Value) -> Result<(), String> {
    match parameters {
        Value::Null => Ok(()),
        Value::Object(map) if map.is_empty() => Ok(()),
        other => Err(format!("takes no parameters, found {other}")),
    }
}

fn boxed<P, M: Method + 'static, E: std::fmt::Display>(
    new: impl FnOnce(P) -> Result<M, E>,
    parameters: P,
) -> Result<Box<dyn Method>, String> {
    new(parameters).map(|method| Box::new(method) as Box<dyn Method>).map_err(|error| error.to_string())
}

/// DTB names its learners in its parameters; each is built by name in turn.
fn build_dtb(parameters: &Value) -> Result<Box<dyn Method>, String> {
    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Learner {
        id: String,
        count: usize,
        #[serde(default)]
        parameters: Value,
        /// Part of a resolved description; checked, so that an old trial is not run with a newer learner.
        version: Option<u32>,
    }
    let mut own = parameters.clone();
    let learners = own.as_object_mut().and_then(|map| map.remove("learners")).unwrap_or(Value::Null);
    let learners: Vec<Learner> = serde_json::from_value(learners).map_err(|error| format!("learners: {error}"))?;
    let mut groups = Vec::with_capacity(learners.len());
    for Learner { id, count, parameters, version } in learners {
        let method = build_part("learner", &id, &parameters, version)?;
        groups.push(LearnerGroup { method, count });
    }
    boxed(|own| Dtb::new(own, groups), read::<DtbParameters>(&own)?)
}

/// A method that another one names in its parameters.
fn build_part(role: &str, id: &str, parameters: &Value, version: Option<u32>) -> Result<Box<dyn Method>, String> {
    let method = build(id, parameters).map_err(|error| error.to_string())?;
    match version.filter(|&v| v != method.version()) {
        Some(expected) => Err(format!("{role} `{id}` has version {}, expected {expected}", method.version())),
        None => Ok(method),
    }
}

/// Takes out of the parameters the method that they name as `method = { id, parameters }`.
fn take_method(role: &str, own: &mut Value) -> Result<Box<dyn Method>, String> {
    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Named {
        id: String,
        #[serde(default)]
        parameters: Value,
        /// Part of a resolved description, as with DTB's learners.
        version: Option<u32>,
    }
    let named = own.as_object_mut().and_then(|map| map.remove("method")).unwrap_or(Value::Object(Default::default()));
    let Named { id, parameters, version } =
        serde_json::from_value(named).map_err(|error| format!("method: {error}"))?;
    build_part(role, &id, &parameters, version)
}

/// A conformal method names its base in its parameters.
fn build_over<M: Method + 'static>(
    new: impl FnOnce(ConformalParameters, Box<dyn Method>) -> Result<M, ParameterError>,
    parameters: &Value,
) -> Result<Box<dyn Method>, String> {
    let mut own = parameters.clone();
    let base = take_method("base", &mut own)?;
    boxed(|own| new(own, base), read::<ConformalParameters>(&own)?)
}

/// A search names its method and its grid in its parameters.
fn build_validated(parameters: &Value) -> Result<Box<dyn Method>, String> {
    let mut own = parameters.clone();
    let method = take_method("method", &mut own)?;
    let grid = own.as_object_mut().and_then(|map| map.remove("grid")).unwrap_or(Value::Object(Default::default()));
    let again: Build = |id, parameters| build(id, parameters).map_err(|error| error.to_string());
    boxed(|own| Validated::new(own, &grid, method, again), read::<ValidatedParameters>(&own)?)
}
