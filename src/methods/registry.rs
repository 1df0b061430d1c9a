//! List every method, and build one from its name and its parameters.

use serde_json::Value;
use thiserror::Error;

use super::adapters::linfa::{LinfaElasticNet, LinfaForest, LinfaTree};
use super::adapters::smartcore::{SmartcoreExtraTrees, SmartcoreForest, SmartcoreTree};
use super::advice::advice;
use super::anchors::{LinearGaussian, UnconditionalGaussian, UnconditionalQuantiles};
use super::boosting::{BoostingQuantiles, NgBoost};
use super::conformal::{AdaptiveConformal, ConformalDistribution, ConformalisedQuantiles, CvPlus, SplitConformal};
use super::external::External;
use super::gp::{DeepGp, ExactGp, NonstationaryGp, RffGplvm, SparseGp, StochasticSparseGp, WienerRegression};
use super::mixture::{GmmRegression, Jcm, JcmValidated, RandomMixtures};
use super::mock::Mock;
use super::nets::{BnnHmc, BnnVi, Combined, DeepEnsemble, Laplace, McDropout, MeanVariance, MixtureDensity, Pbp, Sqr};
use super::polynomial::Polynomial;
use super::ridge::Ridge;
use super::stack::Stack;
use super::trees::forest::{DistributionalForest, QuantileForest, QuantileForestValidated};
use super::trees::{Cart, Dtb};
use super::validated::Validated;
use super::{Entry, Method};

/// Every method with a name, in the order of simplicity: of two that are equally good, the earlier one is to be preferred.
/// The first ones, named `unconditional-…`, ignore the features.
pub const METHODS: &[&Entry] = &[
    &UnconditionalGaussian::ENTRY,
    &UnconditionalQuantiles::ENTRY,
    &LinearGaussian::ENTRY,
    &Ridge::ENTRY,
    &LinfaElasticNet::ENTRY,
    &Polynomial::ENTRY,
    &Cart::ENTRY,
    &SmartcoreTree::ENTRY,
    &SmartcoreForest::ENTRY,
    &SmartcoreExtraTrees::ENTRY,
    &LinfaTree::ENTRY,
    &LinfaForest::ENTRY,
    &QuantileForest::ENTRY,
    &QuantileForestValidated::ENTRY,
    &DistributionalForest::ENTRY,
    &BoostingQuantiles::ENTRY,
    &NgBoost::ENTRY,
    &SplitConformal::ENTRY,
    &ConformalisedQuantiles::ENTRY,
    &CvPlus::ENTRY,
    &ConformalDistribution::ENTRY,
    &AdaptiveConformal::ENTRY,
    &GmmRegression::ENTRY,
    &Jcm::ENTRY,
    &JcmValidated::ENTRY,
    &MeanVariance::ENTRY,
    &DeepEnsemble::ENTRY,
    &McDropout::ENTRY,
    &Sqr::ENTRY,
    &Laplace::ENTRY,
    &BnnHmc::ENTRY,
    &BnnVi::ENTRY,
    &Pbp::ENTRY,
    &ExactGp::ENTRY,
    &SparseGp::ENTRY,
    &Validated::ENTRY,
    &Stack::ENTRY,
    &Combined::ENTRY,
    &MixtureDensity::ENTRY,
    &StochasticSparseGp::ENTRY,
    &DeepGp::ENTRY,
    &NonstationaryGp::ENTRY,
    &RffGplvm::ENTRY,
    &WienerRegression::ENTRY,
    &Dtb::ENTRY,
    &RandomMixtures::ENTRY,
    &Mock::ENTRY,
];

/// A method outside of this program. It has no defaults, and no other method can contain it.
pub const EXTERNAL: &Entry = &External::ENTRY;

/// Why a method could not be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RegistryError {
    /// No method has this name.
    #[error("there is no method `{name}`{advice}; `uqbench list methods` shows them all")]
    Unknown {
        /// The requested name.
        name: String,
        /// Which method may be meant, as the end of a clause.
        advice: String,
    },
    /// A name is empty, perhaps behind what is put around a method.
    #[error("{}", told_unnamed(prefix))]
    Unnamed {
        /// What stands before it, such as `calibrated-`; may be empty.
        prefix: String,
    },
    /// Several names are wrong, each in its way.
    #[error("{} names are wrong:\n  {}", .0.len(), .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n  "))]
    Several(Vec<Self>),
    /// The parameters do not fit.
    #[error("method `{method}`: {message}")]
    Parameters {
        /// The method.
        method: String,
        /// What is wrong with them.
        message: String,
    },
}

fn told_unnamed(prefix: &str) -> String {
    match prefix {
        "" => "the name of a method is empty: is there a comma too many?".into(),
        prefix => format!(
            "`{prefix}` needs the name of a method behind it, such as `{prefix}linear-gaussian`; `uqbench list \
             methods` shows them all"
        ),
    }
}

/// The method of this name.
///
/// # Errors
/// [`RegistryError::Unknown`].
pub fn entry(id: &str) -> Result<&'static Entry, RegistryError> {
    let all = || METHODS.iter().copied().chain([EXTERNAL]);
    all()
        .find(|entry| entry.id == id)
        .ok_or_else(|| RegistryError::Unknown { name: id.into(), advice: advice(id, all().map(|entry| entry.id)) })
}

/// The method of this name with these parameters; `null` stands for none given.
///
/// # Errors
/// [`RegistryError`] for an unknown name, an unknown parameter, or a value out of range.
pub fn build(id: &str, parameters: &Value) -> Result<Box<dyn Method>, RegistryError> {
    let inner = |id: &str, parameters: &Value| match id == EXTERNAL.id {
        true => Err("an external method cannot be part of another method".into()),
        false => build(id, parameters).map_err(|error| error.to_string()),
    };
    (entry(id)?.build)(parameters, inner).map_err(|message| RegistryError::Parameters { method: id.into(), message })
}

#[cfg(test)]
mod tests;
