//! Define the values that a parameter may have: numbers of a range, names, a group of parameters,
//! or those that a function accepts.

use std::cell::Cell;

use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::{Serialize, forward_to_deserialize_any};
use serde_json::json;

use super::{Numbers, Parameter, Parameters, Range};

/// The values of type `T` that a parameter may have.
pub trait Domain<T> {
    /// The parameter of this name, meaning and value; the parameters of it, where it is a group.
    fn describe(&self, name: &str, meaning: &'static str, value: &T) -> Vec<Parameter>;
}

/// A parameter that is no group.
fn one<T: Serialize>(
    name: &str,
    meaning: &'static str,
    value: &T,
    expected: String,
    fault: Option<String>,
) -> Vec<Parameter> {
    vec![Parameter {
        name: name.into(),
        value: Some(json!(value)),
        expected,
        meaning,
        range: None,
        fault,
    }]
}

/// `0..=10`, `1..`, `above(0.0)` and other ranges.
impl<T: Numbers, R: Clone + Into<Range>> Domain<T> for R {
    fn describe(&self, name: &str, meaning: &'static str, value: &T) -> Vec<Parameter> {
        let range = self.clone().into();
        let mut described = one(name, meaning, value, T::expected(&range), value.fault(&range));
        described.iter_mut().for_each(|parameter| parameter.range = Some(range));
        described
    }
}

/// The names of an enum without fields, or true and false.
pub struct Choices;

impl<T: Serialize + DeserializeOwned> Domain<T> for Choices {
    fn describe(&self, name: &str, meaning: &'static str, value: &T) -> Vec<Parameter> {
        one(name, meaning, value, choices::<T>(), None)
    }
}

/// A group of parameters inside another.
pub struct Group;

impl<T: Parameters> Domain<T> for Group {
    fn describe(&self, name: &str, _: &'static str, value: &T) -> Vec<Parameter> {
        let inner = value.list().into_iter();
        inner
            .map(|parameter| Parameter { name: format!("{name}.{}", parameter.name), ..parameter })
            .collect()
    }
}

/// The values that these words describe and the function accepts.
pub struct Such<T>(pub &'static str, pub fn(&T) -> bool);

impl<T: Serialize> Domain<T> for Such<T> {
    fn describe(&self, name: &str, meaning: &'static str, value: &T) -> Vec<Parameter> {
        let fault = (!(self.1)(value)).then(|| json!(value).to_string());
        one(name, meaning, value, self.0.into(), fault)
    }
}

/// All values of the type, which these words describe; further rules are checked by hand.
pub struct Words(pub &'static str);

impl<T: Serialize> Domain<T> for Words {
    fn describe(&self, name: &str, meaning: &'static str, value: &T) -> Vec<Parameter> {
        one(name, meaning, value, self.0.into(), None)
    }
}

/// The values that serde reads as a `T`: the names of an enum, or true and false.
fn choices<T: DeserializeOwned>() -> String {
    let found = Cell::new(&[][..]);
    // It fails once the names are known: no value is needed.
    let _ = T::deserialize(Names(&found));
    match found.get() {
        [] => "true or false".into(),
        [one] => format!("\"{one}\""),
        [rest @ .., last] => format!("\"{}\" or \"{last}\"", rest.join("\", \"")),
    }
}

/// Records the names that an enum passes to it.
struct Names<'a>(&'a Cell<&'static [&'static str]>);

impl<'de> Deserializer<'de> for Names<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("no enum"))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        self.0.set(names);
        Err(Error::custom("no value"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
