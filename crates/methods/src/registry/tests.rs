use std::ops::Bound;

use super::*;
use crate::parameter::Range;

/// The method as it is tried, or with its defaults.
fn built(entry: &Entry) -> Box<dyn Method> {
    let given = || entry.tried.as_ref().map_or(Value::Null, |tried| (tried.parameters)());
    build(entry.id, &Value::Null)
        .or_else(|_| build(entry.id, &given()))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The place of a parameter: `training.epochs` is `/training/epochs`.
fn pointer(name: &str) -> String {
    format!("/{}", name.replace('.', "/"))
}

/// The parameters with another value of this one, whether or not they state it.
fn with(parameters: &Value, name: &str, value: Value) -> Value {
    let mut all = parameters.clone();
    let (group, own) = name.rsplit_once('.').unwrap_or(("", name));
    let group = if group.is_empty() { String::new() } else { pointer(group) };
    all.pointer_mut(&group).unwrap().as_object_mut().unwrap().insert(own.into(), value);
    all
}

/// Numbers just outside a range.
fn outside(range: &Range) -> Vec<f64> {
    let beyond = |end, step| match end {
        Bound::Included(x) => Some(x + step),
        Bound::Excluded(x) => Some(x),
        Bound::Unbounded => None,
    };
    [beyond(range.low, -1.0), beyond(range.high, 1.0)].into_iter().flatten().collect()
}

#[test]
fn every_entry_builds_its_method() {
    for entry in METHODS {
        assert_eq!(built(entry).id(), entry.id);
        assert_eq!(METHODS.iter().filter(|other| other.id == entry.id).count(), 1, "{}", entry.id);
        assert_eq!(
            entry.tried.is_none(),
            ["mock", "random-mixtures"].contains(&entry.id),
            "say how {} is tried",
            entry.id
        );
    }
}

#[test]
fn every_parameter_is_described_with_its_default() {
    for entry in METHODS {
        let (described, resolved) = ((entry.parameters)(), built(entry).parameters());
        for parameter in &described {
            let value = resolved.pointer(&pointer(&parameter.name));
            match (value, parameter.value.as_ref().filter(|default| !default.is_null())) {
                (Some(value), Some(default)) => {
                    assert_eq!(value, default, "{}: {}", entry.id, parameter.name)
                }
                // A parameter without a default is resolved to something else.
                (Some(_), None) => {}
                // One that was added later is left out at its default.
                (None, Some(default)) => {
                    let given = with(&resolved, &parameter.name, default.clone());
                    let again = build(entry.id, &given)
                        .unwrap_or_else(|error| panic!("{error}"))
                        .parameters();
                    assert_eq!(again, resolved, "{}: {}", entry.id, parameter.name);
                }
                (None, None) => panic!("{} has no parameter `{}`", entry.id, parameter.name),
            }
            assert!(
                parameter.meaning.ends_with('.') && !parameter.expected.is_empty(),
                "{parameter:?}"
            );
        }
        for name in resolved.as_object().unwrap().keys() {
            let is_own = |of: &str| of == name || of.starts_with(&format!("{name}."));
            assert!(
                described.iter().any(|p| is_own(&p.name)),
                "{}: `{name}` is not described",
                entry.id
            );
        }
    }
}

#[test]
fn numbers_out_of_range_are_refused_with_the_parameters_name() {
    let mut tried = 0;
    for entry in METHODS {
        let resolved = built(entry).parameters();
        for parameter in (entry.parameters)() {
            let Some(range) = &parameter.range else { continue };
            for number in outside(range) {
                let number = if number.fract() == 0.0 {
                    Value::from(number as i64)
                } else {
                    Value::from(number)
                };
                let is_list = parameter.value.as_ref().is_some_and(Value::is_array);
                let value =
                    if is_list { Value::from(vec![number.clone()]) } else { number.clone() };
                let given = with(&resolved, &parameter.name, value);
                let said = build(entry.id, &given)
                    .err()
                    .unwrap_or_else(|| panic!("{}: {parameter:?}", entry.id));
                // A type may hold no such number at all.
                let named = said.to_string().contains(&format!("`{}` is", parameter.name));
                assert!(named || said.to_string().contains("invalid value"), "{number}: {said}");
                tried += usize::from(named);
            }
        }
    }
    assert!(tried > 200, "only {tried} numbers were tried");
}
