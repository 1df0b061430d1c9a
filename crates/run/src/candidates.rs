//! Choose the methods that are tried on a table of one's own.

#[cfg(test)]
mod tests;
mod variants;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::external::{External, ExternalParameters, Host};
use crate::registry::{self, methods};
use uq_core::predictive::Bounds;
use uq_core::scaling::Scaling;
use uq_methods::Method;
use uq_methods::conformal::AdaptiveConformal;
use uq_methods::entry::Tried;
use uq_methods::registry::RegistryError;
use uq_methods::stack::Stack;
use variants::{VARIANTS, Variant};

pub use variants::{LOG_NORMAL, UNCALIBRATED_STACK};

/// Before a method's name: the method, calibrated by its errors at out-of-fold rows. It is a stack
/// of this method alone.
pub const CALIBRATED: &str = "calibrated-";

/// Before a method's name: adaptive conformal inference over the method.
pub const ADAPTIVE: &str = "adaptive-";

/// What stands for every method of the registry that is tried, and for all of [`PANEL`], some of
/// which are calibrated. What depends on the table, and what can be put around every method, has to
/// be named.
pub const ALL: &str = "all";

/// What is tried where no method is named, and up to how many rows. Where the time does not suffice
/// for all, the first ones are tried.
pub const PANEL: [(&str, usize); 10] = [
    ("unconditional-gaussian", usize::MAX),
    ("unconditional-quantiles", usize::MAX),
    ("linear-gaussian", usize::MAX),
    ("calibrated-linear-gaussian", usize::MAX),
    ("calibrated-boosting-quantiles", usize::MAX),
    ("stack", usize::MAX),
    ("calibrated-quantile-forest-validated", usize::MAX),
    ("calibrated-ngboost", usize::MAX),
    ("calibrated-deep-ensemble", usize::MAX),
    ("calibrated-exact-gp", 1000),
];

/// The simplest methods that use the features, the second one for few rows: of the panel one of
/// them is tried whatever the budget.
pub const LINEAR: [&str; 2] = ["linear-gaussian", "ridge"];

/// What is tried besides where rows are in time, each after this method of the panel: two cheap
/// ones, which tell whether levels that follow the misses help on this table.
pub const IN_TIME: [(&str, &str); 2] = [
    ("calibrated-linear-gaussian", "adaptive-linear-gaussian"),
    ("calibrated-boosting-quantiles", "adaptive-boosting-quantiles"),
];

/// What is tried besides where every target is above zero: plain, and calibrated.
pub const POSITIVE: [&str; 2] = [LOG_NORMAL, "calibrated-log-normal-ngboost"];

/// Approximate seconds of one fit with these numbers of rows and features.
pub type Cost = Arc<dyn Fn(f64, f64) -> f64 + Send + Sync>;

/// A method that is to be tried.
pub struct Candidate {
    /// Its name in the registry, with [`CALIBRATED`] or [`ADAPTIVE`] before it or not, or the name
    /// of an external method.
    pub id: Cow<'static, str>,
    /// Its parameters in words.
    pub settings: Cow<'static, str>,
    /// The method.
    pub method: Box<dyn Method>,
    /// Its cost; `None` where unknown.
    pub cost: Option<Cost>,
    /// The costs of the members of a stack, in its order; none of another method.
    pub members: Vec<Cost>,
    /// Where an external method runs.
    pub host: Option<Arc<Host>>,
    /// What is done to features and target before a fit.
    pub scaling: Scaling,
}

impl Candidate {
    /// An external method.
    pub fn external(parameters: ExternalParameters, host: Host) -> Self {
        Self {
            id: parameters.name.clone().into(),
            settings: "an external method".into(),
            method: Box::new(External::new(parameters)),
            cost: None,
            members: Vec::new(),
            host: Some(Arc::new(host)),
            scaling: Scaling::TrainRows,
        }
    }

    /// Whether its program runs outside of this one.
    pub fn is_external(&self) -> bool {
        self.host.is_some()
    }

    /// Whether the method ignores the features.
    pub fn is_unconditional(id: &str) -> bool {
        id.starts_with("unconditional-")
    }

    /// Whether it is compared whatever the budget: one that ignores the features, or a plain linear
    /// one.
    pub fn is_sure(&self) -> bool {
        Self::is_unconditional(&self.id) || LINEAR.contains(&&*self.id)
    }

    /// The method of a comparison that has ended, built from its parameters. `id` is its name
    /// there, and `method` that in the registry.
    ///
    /// # Errors
    /// [`RegistryError`] where the registry does not have it, or not with these parameters.
    pub fn saved(
        id: &str,
        settings: &str,
        method: &str,
        parameters: &Value,
    ) -> Result<Self, RegistryError> {
        let method = registry::build(method, parameters)?;
        let (cost, members, scaling) = match Self::named(id) {
            Ok(Self { cost, members, scaling, .. }) => (cost, members, scaling),
            Err(_) => (None, Vec::new(), Scaling::TrainRows),
        };
        let (id, settings) = (id.to_owned().into(), settings.to_owned().into());
        Ok(Self { id, settings, method, cost, members, host: None, scaling })
    }

    /// The method of this name, as it is tried.
    ///
    /// # Errors
    /// [`RegistryError::Unknown`] for a name that the registry does not have;
    /// [`RegistryError::Unnamed`] where none follows what is put around a method;
    /// [`RegistryError::Parameters`] where the method cannot be built without parameters.
    pub fn named(name: &str) -> Result<Self, RegistryError> {
        let (around, of) = Around::of(name);
        if of.is_empty() {
            return Err(RegistryError::Unnamed { prefix: name.to_owned() });
        }
        let Alone { id, parameters, settings, cost, scaling } = Alone::named(of)?;
        let part = json!({ "id": id, "parameters": parameters });
        let (method, words, seconds): (_, _, fn(f64, f64) -> f64) = match around {
            None => (registry::build(id, &parameters)?, "", |_, of_one| of_one),
            Some(Around::Calibrated) => (
                registry::build(Stack::ENTRY.id, &json!({ "methods": [part] }))?,
                "; calibrated by its errors at out-of-fold rows",
                Stack::seconds,
            ),
            Some(Around::Adaptive) => (
                registry::build(AdaptiveConformal::ENTRY.id, &json!({ "method": part }))?,
                "; moved by its errors on the later half of the rows, at levels that follow the \
                 misses there",
                |_, of_one| AdaptiveConformal::FITS * of_one,
            ),
        };
        let settings =
            if words.is_empty() { settings.into() } else { format!("{settings}{words}").into() };
        let members = match around {
            Some(Around::Calibrated) => cost.iter().cloned().collect(),
            None | Some(Around::Adaptive) => {
                method.stack().map(costs_of_members).unwrap_or_default()
            }
        };
        let cost = cost.map(|cost| Arc::new(move |n, d| seconds(n, cost(n, d))) as Cost);
        let id = name.to_owned().into();
        Ok(Self { id, settings, method, cost, members, host: None, scaling })
    }

    /// The candidate calibrated apart in each group of rows with equal values of these features,
    /// which are those of a column; `None` where it is not calibrated by its errors at out-of-fold
    /// rows.
    ///
    /// # Errors
    /// As [`Self::saved`].
    pub fn calibrated_by(
        &self,
        column: &str,
        places: &[usize],
    ) -> Result<Option<Self>, RegistryError> {
        let mut parameters = self.method.parameters();
        if self.method.id() != Stack::ENTRY.id || parameters["calibrated"] != true {
            return Ok(None);
        }
        parameters["groups"] = json!(places);
        let settings = format!(
            "{}, apart in each value of \"{column}\" with {} rows or more",
            self.settings,
            Stack::FEWEST_OF_A_GROUP
        );
        Self::saved(&self.id, &settings, Stack::ENTRY.id, &parameters).map(Some)
    }

    /// The name of what follows the misses in time in place of this method, which does not; `None`
    /// where it does.
    pub fn adaptive(name: &str) -> Option<String> {
        let (around, of) = Around::of(name);
        (around != Some(Around::Adaptive)).then(|| format!("{ADAPTIVE}{of}"))
    }

    /// The name of the same method without calibration; `None` where it is not calibrated.
    pub fn uncalibrated(name: &str) -> Option<&str> {
        if name == Stack::ENTRY.id {
            Some(UNCALIBRATED_STACK)
        } else {
            name.strip_prefix(CALIBRATED)
        }
    }

    /// The fewest training rows by which intervals are calibrated: of fewer errors none lies that
    /// far out.
    pub fn rows_to_calibrate(bounds: Bounds) -> usize {
        let (lower, _) = bounds.levels();
        Stack::fewest_rows(lower)
    }

    /// The fewest training rows of which the later half does.
    pub fn rows_to_adapt(bounds: Bounds) -> usize {
        2 * Self::rows_to_calibrate(bounds)
    }
}

/// The costs of a stack's members; none where one is unknown.
fn costs_of_members(stack: &Stack) -> Vec<Cost> {
    let cost = |member: &dyn Method| {
        let tried = registry::entry(member.id()).ok()?.tried.as_ref()?;
        Some(Arc::new(tried.cost) as Cost)
    };
    let costs = stack.members().iter().map(|member| cost(&**member));
    costs.collect::<Option<_>>().unwrap_or_default()
}

/// What is put around a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    Calibrated,
    Adaptive,
}

impl Around {
    /// What a name puts around a method, and the method's own name. A name of the registry is its
    /// own.
    fn of(name: &str) -> (Option<Self>, &str) {
        let after = |prefix, around| Some((Some(around), name.strip_prefix(prefix)?));
        let is_own = methods().iter().any(|entry| entry.id == name);
        let found = after(CALIBRATED, Self::Calibrated).or_else(|| after(ADAPTIVE, Self::Adaptive));
        found.filter(|_| !is_own).unwrap_or((None, name))
    }
}

/// A method that is not calibrated, as it is tried.
struct Alone {
    /// Its name in the registry.
    id: &'static str,
    parameters: Value,
    settings: &'static str,
    cost: Option<Cost>,
    scaling: Scaling,
}

impl Alone {
    /// The method of this name in the registry, or the variant of one.
    fn named(name: &str) -> Result<Self, RegistryError> {
        let variant = Variant::named(name);
        let entry = registry::entry(variant.map_or(name, |variant| variant.of))?;
        let tried = entry.tried.as_ref();
        let parameters = tried.map_or(Value::Null, |tried| (tried.parameters)());
        let cost = tried.map(|&Tried { cost, .. }| cost);
        Ok(match variant {
            None => Self {
                id: entry.id,
                parameters,
                settings: tried.map_or("default parameters", |tried| tried.settings),
                cost: cost.map(|cost| Arc::new(cost) as Cost),
                scaling: Scaling::TrainRows,
            },
            Some(variant) => Self {
                id: entry.id,
                parameters: variant.parameters(&parameters),
                settings: variant.settings,
                cost: cost.map(|cost| Arc::new(move |n, d| variant.share * cost(n, d)) as Cost),
                scaling: variant.scaling,
            },
        })
    }
}

/// The methods of these names ([`ALL`] stands for many) in the order of simplicity. Methods that
/// ignore the features are always among them, because only they show what the features contribute.
///
/// # Errors
/// [`RegistryError`] for a name that cannot be built; [`RegistryError::Several`] for all of them
/// where there are several.
pub fn candidates(names: &[String]) -> Result<Vec<Candidate>, RegistryError> {
    let distinct: BTreeSet<&str> =
        names.iter().map(String::as_str).filter(|name| *name != ALL).collect();
    let mut wrong: Vec<RegistryError> =
        distinct.iter().filter_map(|name| Candidate::named(name).err()).collect();
    if wrong.len() > 1 {
        return Err(RegistryError::Several(wrong));
    }
    wrong.pop().map_or(Ok(()), Err)?;
    let all = names.iter().any(|name| name == ALL);
    let mut chosen = Vec::new();
    for entry in methods().iter().filter(|entry| entry.tried.is_some()) {
        let is_of_panel = |of: &str| all && PANEL.iter().any(|(name, _)| *name == of);
        let is_named = |of: &str| is_of_panel(of) || names.iter().any(|name| name == of);
        if all || is_named(entry.id) || Candidate::is_unconditional(entry.id) {
            chosen.push(Candidate::named(entry.id)?);
        }
        let variants =
            VARIANTS.iter().filter(|variant| variant.of == entry.id).map(|variant| variant.name);
        let around = |of: &str| [CALIBRATED, ADAPTIVE].map(|prefix| format!("{prefix}{of}"));
        let further = variants.flat_map(|name| [name.to_owned()].into_iter().chain(around(name)));
        for name in around(entry.id).into_iter().chain(further).filter(|name| is_named(name)) {
            chosen.push(Candidate::named(&name)?);
        }
    }
    for name in names.iter().filter(|name| *name != ALL) {
        if chosen.iter().all(|candidate| candidate.id != *name) {
            chosen.push(Candidate::named(name)?);
        }
    }
    Ok(chosen)
}
