//! Keep JSON that many trials have in common once in memory: a study has many trials and few
//! datasets and settings.

use std::collections::HashSet;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// A JSON value whose copies share one place in memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SharedValue(Arc<Value>);

impl From<Value> for SharedValue {
    fn from(value: Value) -> Self {
        Self(Arc::new(value))
    }
}

impl Deref for SharedValue {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0
    }
}

impl Serialize for SharedValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SharedValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::from)
    }
}

/// The distinct values that have been seen.
#[derive(Debug, Default)]
pub struct Seen(HashSet<SharedValue>);

impl Seen {
    /// Replaces a value by the first equal one.
    pub fn share(&mut self, value: &mut SharedValue) {
        match self.0.get(value) {
            Some(first) => *value = first.clone(),
            None => {
                self.0.insert(value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn equal_values_are_kept_once_and_others_stay_themselves() {
        let mut seen = Seen::default();
        let parsed = |text: &str| serde_json::from_str::<SharedValue>(text).unwrap();
        let (mut first, mut second, mut other) =
            (parsed(r#"{"a":1,"b":[2]}"#), parsed(r#"{"b":[2],"a":1}"#), parsed(r#"{"a":1}"#));
        [&mut first, &mut second, &mut other].into_iter().for_each(|value| seen.share(value));
        assert!(Arc::ptr_eq(&first.0, &second.0));
        assert!(!Arc::ptr_eq(&first.0, &other.0));
        assert_eq!((&*second, &*other), (&json!({ "a": 1, "b": [2] }), &json!({ "a": 1 })));
        assert_eq!(serde_json::to_value(&second).unwrap(), json!({ "a": 1, "b": [2] }));
    }
}
