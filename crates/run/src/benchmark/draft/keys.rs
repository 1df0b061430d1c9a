//! Read the keys of a file one by one, and in each of them every mistake: the reader itself stops
//! at the first one.

use std::collections::HashSet;
use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue, Error, ValueDeserializer};

use super::file::Value;
use super::narrow::narrowed;
use super::parts::{at, at_mut, path_to};
use super::words::{MISSING, is_of_empty_choice, meant_choice, meant_key, missing_key, worded};
use crate::benchmark::mistakes::{Mistakes, Names, Part, Step};
use uq_core::metrics::{MetricId, ParseMetricError};
use uq_core::names::{did_you_mean, nearest_name};

/// The keys of a file, of which some have been read.
pub struct Keys<'a, 'm> {
    root: &'m DeTable<'a>,
    known: Vec<&'static str>,
    to: &'m mut Mistakes,
}

impl<'a, 'm> Keys<'a, 'm> {
    /// None has been read yet.
    pub fn new(root: &'m DeTable<'a>, to: &'m mut Mistakes) -> Self {
        Self { root, known: Vec::new(), to }
    }

    /// The value of a key; `None` where it is absent, or wrong.
    pub fn optional<T: DeserializeOwned>(&mut self, key: &'static str) -> Option<T> {
        self.known.push(key);
        let value = self.root.get(key)?;
        let (read, is_clean) = read(value, &Part::key(key), &[], self.to);
        read.filter(|_| is_clean)
    }

    /// The value of a key that every file needs.
    pub fn required<T: DeserializeOwned>(&mut self, key: &'static str) -> Option<T> {
        if !self.root.contains_key(key) {
            self.to.note(Part::key(key), MISSING);
        }
        self.optional(key)
    }

    /// The entries of a list that are right; each of them needs the keys `needed`.
    pub fn list<T: DeserializeOwned>(&mut self, key: &'static str, needed: &[&str]) -> Vec<T> {
        self.entries(key, needed, |is_clean| is_clean)
    }

    /// The entries of a list that can be read without their wrong parts, so that the others are
    /// checked.
    pub fn list_in_part<T: DeserializeOwned>(&mut self, key: &'static str) -> Vec<T> {
        self.entries(key, &[], |_| true)
    }

    fn entries<T: DeserializeOwned>(
        &mut self,
        key: &'static str,
        needed: &[&str],
        is_kept: impl Fn(bool) -> bool,
    ) -> Vec<T> {
        self.known.push(key);
        let Some(value) = self.root.get(key) else { return Vec::new() };
        let Some(all) = value.get_ref().as_array() else {
            let found = value.get_ref().type_str();
            self.to.note(
                Part::key(key),
                format!("found a value of type {found}, expected a list of tables, as `[[{key}]]`"),
            );
            return Vec::new();
        };
        let (mut entries, mut places) = (Vec::new(), Vec::new());
        for (place, value) in all.iter().enumerate() {
            if self.to.is_full() {
                break;
            }
            let (read, is_clean) = read(value, &Part::key(key).entry(place), needed, self.to);
            if let Some(one) = read.filter(|_| is_kept(is_clean)) {
                entries.push(one);
                places.push(place);
            }
        }
        self.to.place(key, places);
        entries
    }

    /// Notes every key that has not been read.
    pub fn refuse_others(self) {
        for (key, _) in self.root {
            let name = &**key.get_ref();
            if !self.known.contains(&name) {
                let nearest = did_you_mean(&nearest_name(name, self.known.iter().copied()));
                let all =
                    self.known.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
                self.to.note(
                    Part::key(name),
                    format!("there is no key `{name}`{nearest}; expected one of {all}"),
                );
            }
        }
    }
}

/// Reads a value that needs these keys, and notes all of its mistakes: what can be read without its
/// wrong parts, and whether nothing is wrong but unknown keys.
fn read<T: DeserializeOwned>(
    whole: &Value,
    at: &Part,
    needed: &[&str],
    to: &mut Mistakes,
) -> (Option<T>, bool) {
    let mut search = Search { whole, at, gone: HashSet::new(), is_clean: true };
    search.note_missing(needed, to);
    let mut rest = whole.clone();
    loop {
        match T::deserialize(ValueDeserializer::from(rest.clone())) {
            Ok(read) => return (Some(read), search.is_clean),
            Err(error) => {
                let piece = narrowed::<T>(&rest, &error, &error.span().unwrap_or(whole.span()));
                if !search.note_and_remove(&error, &piece, &mut rest, to) {
                    return (None, false);
                }
            }
        }
    }
}

/// The search for mistakes in a value, from which each wrong part is removed. What stands at an
/// unknown key is read at the key that it most resembles, and an unknown choice as the most similar
/// one, so that what depends on them is checked, too.
struct Search<'v, 'a> {
    whole: &'v Value<'a>,
    at: &'v Part,
    /// Tables, by their first byte, and keys of them that are missing or removed, which is no
    /// mistake of its own.
    gone: HashSet<(usize, String)>,
    /// Whether nothing is wrong but unknown keys, without which the value can be read.
    is_clean: bool,
}

impl Search<'_, '_> {
    /// Notes the keys that are not there.
    fn note_missing(&mut self, needed: &[&str], to: &mut Mistakes) {
        let Some(table) = self.whole.get_ref().as_table() else { return };
        for key in needed.iter().filter(|key| !table.contains_key(**key)) {
            to.note_at(self.at.clone().then(key), Some(self.whole.span().start), MISSING);
            self.gone.insert((self.whole.span().start, (*key).to_owned()));
            self.is_clean = false;
        }
    }

    /// Notes an error unless another mistake is its cause, and removes the piece that it is about.
    /// `false` where nothing is left to search.
    fn note_and_remove(
        &mut self,
        error: &Error,
        span: &Range<usize>,
        rest: &mut Value,
        to: &mut Mistakes,
    ) -> bool {
        let meant = meant_key(error.message());
        self.is_clean &= meant.is_some();
        let missing = missing_key(error.message()).map(str::to_owned);
        let is_left_empty = is_of_empty_choice(error.message())
            && self.gone.iter().any(|(start, _)| *start == span.start);
        let is_gone = missing.clone().is_some_and(|key| self.gone.contains(&(span.start, key)));
        if !is_gone && !is_left_empty {
            let mut part = self.at.clone();
            part.0.extend(path_to(self.whole, span).unwrap_or_default());
            match missing {
                Some(key) => to.note_at(part.then(&key), Some(span.start), MISSING),
                None => {
                    let unknown =
                        is_unknown_metric(rest, span, error.message()).then_some(Names::Metrics);
                    to.note_unknown(part, Some(span.start), unknown, worded(error.message()));
                }
            }
        }
        let choice = meant_choice(error.message());
        !to.is_full()
            && (choice.is_some_and(|choice| choose(rest, span, choice))
                || remove(rest, span, meant.flatten(), &mut self.gone))
    }
}

/// Whether a message is the one on a text at this piece of a value that no metric has as its name.
fn is_unknown_metric(value: &Value, piece: &Range<usize>, message: &str) -> bool {
    let found = path_to(value, piece)
        .and_then(|path| at(value, &path))
        .and_then(|found| found.get_ref().as_str());
    let parsed = found.map(str::parse::<MetricId>);
    matches!(parsed, Some(Err(error @ ParseMetricError::UnknownName { .. })) if error.to_string() == message)
}

/// Puts a choice in place of the text at this piece of a value. `false` where something else stands
/// there, or the choice itself.
fn choose(value: &mut Value, piece: &Range<usize>, choice: String) -> bool {
    let place = path_to(value, piece).and_then(|path| at_mut(value, &path));
    match place.map(Spanned::get_mut) {
        Some(DeValue::String(found)) if **found != choice => {
            *found = choice.into();
            true
        }
        _ => false,
    }
}

/// Removes the smallest part of a value that contains this piece of the text and that a table or a
/// list of tables has, and puts it where the key `meant` is absent. `false` where there is no such
/// part.
fn remove(
    value: &mut Value,
    piece: &Range<usize>,
    meant: Option<String>,
    gone: &mut HashSet<(usize, String)>,
) -> bool {
    let Some(path) = path_to(value, piece) else { return false };
    // An entry that is no table belongs to its list, which may need a certain number of them.
    let is_part = |end: &usize| match &path[*end - 1] {
        Step::Key(_) => true,
        Step::Entry(_) => at(value, &path[..*end]).is_some_and(|entry| entry.get_ref().is_table()),
    };
    let Some(end) = (1..=path.len()).rev().find(is_part) else { return false };
    let Some(parent) = at_mut(value, &path[..end - 1]) else { return false };
    let start = parent.span().start;
    match (&path[end - 1], parent.get_mut()) {
        (Step::Key(key), DeValue::Table(table)) => {
            gone.insert((start, key.clone()));
            let Some((key, part)) = table.remove_entry(key.as_str()) else { return false };
            if let Some(meant) = meant.filter(|meant| !table.contains_key(meant.as_str())) {
                table.insert(Spanned::new(key.span(), meant.into()), part);
            }
            true
        }
        (Step::Entry(index), DeValue::Array(array)) => {
            let all = std::mem::replace(array, DeArray::new()).into_iter().enumerate();
            *array = all.filter(|(i, _)| i != index).map(|(_, entry)| entry).collect();
            true
        }
        _ => false,
    }
}
