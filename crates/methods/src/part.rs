//! Build the methods that another method names in its parameters.

use serde::Deserialize;
use serde_json::{Value, json};

use super::Method;
use super::entry::Build;

/// What [`take_method`] reads, in words.
pub(super) const NAMED: &str = "{ id, parameters } of a method";

/// A method that another one names in its parameters; error messages call it by `role`.
///
/// # Errors
/// In words: those of `build`, or another version than `version`, which a resolved description
/// states.
pub(super) fn build_part(
    role: &str,
    id: &str,
    parameters: &Value,
    version: Option<u32>,
    build: &Build,
) -> Result<Box<dyn Method>, String> {
    let method = build(id, parameters)?;
    match version.filter(|&v| v != method.version()) {
        Some(expected) => {
            Err(format!("{role} `{id}` has version {}, expected {expected}", method.version()))
        }
        None => Ok(method),
    }
}

/// A method as another one names it, resolved: `{ id, version, parameters }`.
pub(super) fn describe_part(method: &dyn Method) -> Value {
    json!({ "id": method.id(), "version": method.version(), "parameters": method.parameters() })
}

/// A method as it is named.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    id: String,
    #[serde(default)]
    parameters: Value,
    /// Part of a resolved description; checked, so that an old trial is not run with a newer
    /// method.
    version: Option<u32>,
}

/// Takes out of the parameters the method that they name as `method = { id, parameters }`.
///
/// # Errors
/// As [`build_part`], and where no method is named.
pub(super) fn take_method(
    role: &str,
    own: &mut Value,
    build: &Build,
) -> Result<Box<dyn Method>, String> {
    let Named { id, parameters, version } =
        serde_json::from_value(take(own, "method")).map_err(|error| format!("method: {error}"))?;
    build_part(role, &id, &parameters, version, build)
}

/// Takes out of the parameters the methods that they name as `methods = [{ id, parameters }, …]`.
///
/// # Errors
/// As [`build_part`], and where it is no such list.
pub(super) fn take_methods(own: &mut Value, build: &Build) -> Result<Vec<Box<dyn Method>>, String> {
    let given = own.as_object_mut().and_then(|map| map.remove("methods")).unwrap_or(Value::Null);
    let named: Vec<Named> =
        serde_json::from_value(given).map_err(|error| format!("methods: {error}"))?;
    named
        .into_iter()
        .map(|Named { id, parameters, version }| {
            build_part("member", &id, &parameters, version, build)
        })
        .collect()
}

/// Takes one parameter out of the others; an empty object where it is not given.
pub(super) fn take(own: &mut Value, name: &str) -> Value {
    own.as_object_mut()
        .and_then(|map| map.remove(name))
        .unwrap_or(Value::Object(Default::default()))
}
