//! List every method, and build one from its name and its parameters.

use std::sync::Arc;

use serde_json::Value;
use thiserror::Error;

#[cfg(feature = "adapters")]
use super::adapters::linfa::{LinfaElasticNet, LinfaForest, LinfaTree};
#[cfg(feature = "adapters")]
use super::adapters::smartcore::{SmartcoreExtraTrees, SmartcoreForest, SmartcoreTree};
use super::advice::{Advice, advice};
use super::anchors::{LinearGaussian, UnconditionalGaussian, UnconditionalQuantiles};
use super::boosting::{BoostingQuantiles, NgBoost};
use super::conformal::{
    AdaptiveConformal, ConformalDistribution, ConformalisedQuantiles, CvPlus, IsotonicDistribution,
    SplitConformal,
};
use super::gp::{
    DeepGp, ExactGp, NonstationaryGp, RffGplvm, SparseGp, StochasticSparseGp, WienerRegression,
};
use super::mixture::{GmmRegression, Jcm, JcmValidated, RandomMixtures};
use super::mock::Mock;
#[cfg(feature = "hmc")]
use super::nets::BnnHmc;
use super::nets::{
    BnnVi, Combined, DeepEnsemble, Laplace, McDropout, MeanVariance, MixtureDensity, MseEnsemble,
    Pbp, Sqr,
};
use super::polynomial::Polynomial;
use super::ridge::Ridge;
use super::stack::Stack;
use super::trees::forest::{DistributionalForest, QuantileForest, QuantileForestValidated};
use super::trees::{Cart, Dtb};
use super::validated::Validated;
use super::{Build, Entry, Method};

/// Every method with a name, in the order of simplicity: of two that are equally good, the earlier
/// one is to be preferred. The first ones, named `unconditional-…`, ignore the features.
pub const METHODS: &[&Entry] = &[
    &UnconditionalGaussian::ENTRY,
    &UnconditionalQuantiles::ENTRY,
    &LinearGaussian::ENTRY,
    &Ridge::ENTRY,
    #[cfg(feature = "adapters")]
    &LinfaElasticNet::ENTRY,
    &Polynomial::ENTRY,
    &Cart::ENTRY,
    #[cfg(feature = "adapters")]
    &SmartcoreTree::ENTRY,
    #[cfg(feature = "adapters")]
    &SmartcoreForest::ENTRY,
    #[cfg(feature = "adapters")]
    &SmartcoreExtraTrees::ENTRY,
    #[cfg(feature = "adapters")]
    &LinfaTree::ENTRY,
    #[cfg(feature = "adapters")]
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
    &IsotonicDistribution::ENTRY,
    &GmmRegression::ENTRY,
    &Jcm::ENTRY,
    &JcmValidated::ENTRY,
    &MeanVariance::ENTRY,
    &DeepEnsemble::ENTRY,
    &MseEnsemble::ENTRY,
    &McDropout::ENTRY,
    &Sqr::ENTRY,
    &Laplace::ENTRY,
    #[cfg(feature = "hmc")]
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

/// Methods by name: those of this crate, and those that a program adds.
///
/// ```
/// use uq_methods::registry::Registry;
///
/// let registry = Registry::default();
/// let method = registry.build("linear-gaussian", &serde_json::Value::Null)?;
/// assert_eq!(method.id(), "linear-gaussian");
/// # Ok::<(), uq_methods::registry::RegistryError>(())
/// ```
#[derive(Clone)]
pub struct Registry {
    entries: Vec<&'static Entry>,
    /// Entries that no other method can contain.
    whole: Vec<&'static Entry>,
}

impl Default for Registry {
    /// The methods of this crate, [`METHODS`].
    fn default() -> Self {
        Self { entries: METHODS.to_vec(), whole: Vec::new() }
    }
}

impl Registry {
    /// The same registry with one method more, the last in the order of simplicity.
    ///
    /// # Errors
    /// [`RegistryError::Taken`].
    pub fn with(mut self, entry: &'static Entry) -> Result<Self, RegistryError> {
        self.refuse_taken(entry)?;
        self.entries.push(entry);
        Ok(self)
    }

    /// The same registry with one method more, which no other method can contain and
    /// [`Registry::methods`] does not list.
    ///
    /// # Errors
    /// [`RegistryError::Taken`].
    pub fn with_whole(mut self, entry: &'static Entry) -> Result<Self, RegistryError> {
        self.refuse_taken(entry)?;
        self.whole.push(entry);
        Ok(self)
    }

    fn refuse_taken(&self, entry: &Entry) -> Result<(), RegistryError> {
        match self.all().any(|known| known.id == entry.id) {
            true => Err(RegistryError::Taken { name: entry.id.into() }),
            false => Ok(()),
        }
    }

    /// The methods in the order of simplicity.
    pub fn methods(&self) -> &[&'static Entry] {
        &self.entries
    }

    fn all(&self) -> impl Iterator<Item = &'static Entry> + Clone {
        self.entries.iter().chain(&self.whole).copied()
    }

    /// The method of this name.
    ///
    /// # Errors
    /// [`RegistryError::Unknown`].
    pub fn entry(&self, id: &str) -> Result<&'static Entry, RegistryError> {
        let unknown = || RegistryError::Unknown {
            name: id.into(),
            advice: advice(id, self.all().map(|entry| entry.id)),
        };
        self.all().find(|entry| entry.id == id).ok_or_else(unknown)
    }

    /// The method of this name with these parameters; `null` stands for none given.
    ///
    /// # Errors
    /// [`RegistryError`] for an unknown name, an unknown parameter, or a value out of range.
    pub fn build(&self, id: &str, parameters: &Value) -> Result<Box<dyn Method>, RegistryError> {
        // A method may build others later, in its fit.
        let known = self.clone();
        let part = move |id: &str, parameters: &Value| match known
            .whole
            .iter()
            .any(|entry| entry.id == id)
        {
            true => Err(format!("an {id} method cannot be part of another method")),
            false => known.build(id, parameters).map_err(|error| error.to_string()),
        };
        let build: Build = Arc::new(part);
        (self.entry(id)?.build)(parameters, &build)
            .map_err(|message| RegistryError::Parameters { method: id.into(), message })
    }
}

/// The method of this crate of this name with these parameters; `null` stands for none given.
///
/// # Errors
/// [`RegistryError`] for an unknown name, an unknown parameter, or a value out of range.
pub fn build(id: &str, parameters: &Value) -> Result<Box<dyn Method>, RegistryError> {
    Registry::default().build(id, parameters)
}

/// Why a method could not be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RegistryError {
    /// No method has this name.
    #[error("there is no method `{name}`{advice}")]
    Unknown {
        /// The requested name.
        name: String,
        /// Which method may be meant, as the end of a clause.
        advice: Advice,
    },
    /// A name is empty, perhaps behind what is put around a method.
    #[error("{}", describe_unnamed(prefix))]
    Unnamed {
        /// What stands before it, such as `calibrated-`; may be empty.
        prefix: String,
    },
    /// A method of this name is known already.
    #[error("a method `{name}` is known already: give yours another name")]
    Taken {
        /// The name.
        name: String,
    },
    /// Methods are added after one was asked for.
    #[error("methods of a program's own are added before any method is asked for")]
    Late,
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

fn describe_unnamed(prefix: &str) -> String {
    match prefix {
        "" => "the name of a method is empty: is there a comma too many?".into(),
        prefix => format!(
            "`{prefix}` needs the name of a method behind it, such as `{prefix}linear-gaussian`"
        ),
    }
}

#[cfg(test)]
mod tests;
