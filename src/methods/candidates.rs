//! Choose the methods that are tried on a table of one's own, from the simplest method on.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;

use super::Method;
use super::external::{External, ExternalParameters, Host};
use super::registry::{self, METHODS, RegistryError};

/// A method that is to be tried.
pub struct Candidate {
    /// Its name in the registry, or the name of an external method.
    pub id: Cow<'static, str>,
    /// Its parameters in words.
    pub settings: &'static str,
    /// The method.
    pub method: Box<dyn Method>,
    /// Approximate seconds of one fit with these numbers of rows and features; `None` where unknown.
    pub cost: Option<fn(f64, f64) -> f64>,
    /// Where an external method runs.
    pub host: Option<Arc<Host>>,
}

impl Candidate {
    /// An external method.
    pub fn external(parameters: ExternalParameters, host: Host) -> Self {
        Self {
            id: parameters.name.clone().into(),
            settings: "an external method",
            method: Box::new(External::new(parameters)),
            cost: None,
            host: Some(Arc::new(host)),
        }
    }

    /// Whether the method ignores the features.
    pub fn is_unconditional(id: &str) -> bool {
        id.starts_with("unconditional-")
    }
}

/// The methods of these names, or the default ones where none is named, in the order of simplicity. Methods that ignore
/// the features are always among them, because only they show what the features contribute.
///
/// # Errors
/// [`RegistryError::Unknown`] for a name that the registry does not have; [`RegistryError::Parameters`] where a method
/// cannot be built without parameters.
pub fn candidates(names: &[String]) -> Result<Vec<Candidate>, RegistryError> {
    let mut chosen = Vec::new();
    for entry in METHODS {
        let Some(tried) = &entry.tried else { continue };
        let named = if names.is_empty() { tried.unasked } else { names.iter().any(|name| name == entry.id) };
        if named || Candidate::is_unconditional(entry.id) {
            let method = registry::build(entry.id, &(tried.parameters)())?;
            let (id, settings, cost) = (entry.id.into(), tried.settings, Some(tried.cost));
            chosen.push(Candidate { id, settings, method, cost, host: None });
        }
    }
    for (place, name) in names.iter().enumerate() {
        if chosen.iter().any(|candidate| candidate.id == *name) || names[..place].contains(name) {
            continue;
        }
        let method = registry::build(name, &Value::Null)?;
        let id = method.id().into();
        chosen.push(Candidate { id, settings: "default parameters", method, cost: None, host: None });
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(names: &[&str]) -> Vec<Cow<'static, str>> {
        let names: Vec<String> = names.iter().map(|name| (*name).into()).collect();
        candidates(&names).unwrap().into_iter().map(|candidate| candidate.id).collect()
    }

    #[test]
    fn anchors_always_take_part_and_the_order_is_that_of_simplicity() {
        let anchors = ["unconditional-gaussian", "unconditional-quantiles"];
        assert_eq!(
            ids(&[]),
            [&anchors[..], &["linear-gaussian", "quantile-forest", "gmm-regression", "jcm", "dtb"]].concat()
        );
        assert_eq!(ids(&["dtb", "tree", "dtb"]), [&anchors[..], &["tree", "dtb"]].concat());
        let unknown = candidates(&["linear-gausian".into()]).err().map(|error| error.to_string()).unwrap();
        assert!(unknown.contains("did you mean `linear-gaussian`?"), "{unknown}");
    }
}
