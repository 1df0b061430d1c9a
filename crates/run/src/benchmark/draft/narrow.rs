//! Find the key that an error is about where the reader names a whole table: of a table with a
//! `kind` it keeps the keys until it has read all of them, and by then has lost their places.
//!
//! A key, or an entry of a list, is wrong where the same error comes of it alone, and not without
//! it. A key is missing in the table that has another error with it.

use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue, Error, ValueDeserializer};

use super::file::Value;
use super::parts::{at, at_mut, path_to};
use super::words::{is_of_unknown_key, missing_key};
use crate::benchmark::mistakes::Step;

/// The key without which a reader of kinds reads no other one.
const KIND: &str = "kind";

/// The smallest piece of the text that causes an error of `value`, or the table where a key is
/// missing; the reader says that it is in `piece`.
pub fn narrowed<T: DeserializeOwned>(
    value: &Value,
    error: &Error,
    piece: &Range<usize>,
) -> Range<usize> {
    let read = |value: &Value| T::deserialize(ValueDeserializer::from(value.clone())).err();
    let search = Search { error, read: &read };
    let path = path_to(value, piece).unwrap_or_default();
    let found = match missing_key(error.message()) {
        Some(key) => search.table_without(key, &mut value.clone(), &path),
        None => search.smallest(&mut value.clone(), &path),
    };
    found.unwrap_or_else(|| piece.clone())
}

/// What is searched in a value, of which parts are taken out.
struct Search<'s> {
    error: &'s Error,
    read: &'s dyn Fn(&Value) -> Option<Error>,
}

impl Search<'_> {
    /// Whether the value with another part at this path, which is left there, has the same error.
    fn stays<'a>(&self, value: &mut Value<'a>, path: &[Step], part: DeValue<'a>) -> bool {
        let Some(place) = at_mut(value, path) else { return false };
        *place.get_mut() = part;
        let found = (self.read)(value);
        found.is_some_and(|found| {
            (found.message(), found.span()) == (self.error.message(), self.error.span())
        })
    }

    /// The smallest piece within the part at this path that causes the error; `None` where it is
    /// the whole part.
    fn smallest(&self, value: &mut Value, path: &[Step]) -> Option<Range<usize>> {
        match at(value, path)?.get_ref().clone() {
            DeValue::Table(all) if !self.stays(value, path, DeValue::Table(DeTable::new())) => {
                let is_wrong = |key: &&Spanned<_>| {
                    let part = all
                        .clone()
                        .into_iter()
                        .filter(|(other, _)| other == *key || other.get_ref() == KIND);
                    self.stays(value, path, DeValue::Table(part.collect()))
                };
                // Beside a wrong kind every other key has its error.
                let kind = all.keys().filter(|key| key.get_ref() == KIND);
                let key = kind.chain(all.keys()).find(is_wrong)?;
                self.smallest(value, &below(path, Step::Key(key.get_ref().to_string())))
                    .or(Some(key.span()))
            }
            DeValue::Array(all) if !self.stays(value, path, DeValue::Array(DeArray::new())) => {
                let entry = all.iter().find(|entry| self.stays(value, path, alone(entry)))?;
                self.smallest(value, &below(path, Step::Entry(0))).or(Some(entry.span()))
            }
            _ => None,
        }
    }

    /// The table without this key, at this path or below it, that causes the error.
    fn table_without(&self, key: &str, value: &mut Value, path: &[Step]) -> Option<Range<usize>> {
        let part = at(value, path)?.clone();
        match part.get_ref() {
            DeValue::Table(all) => {
                let mut with = all.clone();
                with.insert(
                    Spanned::new(0..0, key.to_owned().into()),
                    Spanned::new(0..0, DeValue::Boolean(true)),
                );
                let is_here = !self.stays(value, path, DeValue::Table(with))
                    && !(self.read)(value)
                        .is_some_and(|error| is_of_unknown_key(error.message(), key));
                if is_here && !all.contains_key(key) {
                    return Some(part.span());
                }
                self.stays(value, path, part.get_ref().clone());
                let mut below =
                    all.keys().map(|key| below(path, Step::Key(key.get_ref().to_string())));
                below.find_map(|path| self.table_without(key, value, &path))
            }
            DeValue::Array(all) => {
                let found = all.iter().find_map(|entry| {
                    let is_wrong = self.stays(value, path, alone(entry));
                    is_wrong
                        .then(|| self.table_without(key, value, &below(path, Step::Entry(0))))
                        .flatten()
                });
                self.stays(value, path, part.get_ref().clone());
                found
            }
            _ => None,
        }
    }
}

/// A list of this entry.
fn alone<'a>(entry: &Value<'a>) -> DeValue<'a> {
    DeValue::Array(std::iter::once(entry.clone()).collect())
}

fn below(path: &[Step], step: Step) -> Vec<Step> {
    [path, &[step]].concat()
}
