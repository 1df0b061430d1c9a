//! Read a benchmark file as TOML, and find the line and the name of each of its parts.

use std::collections::BTreeSet;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::benchmark::mistakes::{Mistake, Mistakes, Names, Part, SHOWN, Step};
use uq_core::names::{did_you_mean, nearest_name};
use uq_core::printable::printable;
use uqbench_data::check_nesting;

/// A value with its place in the text.
pub type Value<'a> = Spanned<DeValue<'a>>;

/// The key that names another benchmark.
const LIKE: &str = "like";

/// Keys that belong to one table or figure alone, so that `like` does not take them from another.
const OF_ONE_TABLE: [&str; 8] =
    ["order", "metrics", "published", "own_papers", "figures", "claims", "notes", "league"];

/// Keys of an entry that name it in messages.
const NAMES: [&str; 5] = ["key", "id", "file", "heading", "word"];

/// A benchmark file.
pub struct File<'a> {
    text: &'a str,
    /// Its keys, and those of the benchmark that it is like.
    pub root: DeTable<'a>,
    /// The keys that it does not state itself.
    inherited: BTreeSet<String>,
}

impl<'a> File<'a> {
    /// Reads a text. `shipped` are the benchmarks that `like` may name, with their texts.
    pub fn parse(text: &'a str, shipped: &[(&'a str, &'a str)], to: &mut Mistakes) -> Self {
        let mut file = Self { text, root: DeTable::new(), inherited: BTreeSet::new() };
        if let Err(error) = check_nesting(text) {
            to.note(Part::default(), error.message());
            return file;
        }
        let (root, errors) = DeTable::parse_recoverable(text);
        file.root = root.into_inner();
        let mut lines = BTreeSet::new();
        for error in errors {
            let byte = error.span().map(|span| span.start);
            // What follows in a line is mostly a consequence.
            if lines.insert(byte.map(|byte| file.line(byte))) {
                to.note_at(Part::default(), byte, file.syntax(&error));
            }
        }
        if to.is_empty() {
            file.inherit(shipped, to);
        }
        file
    }

    /// What is wrong with the syntax, with the text of the line.
    fn syntax(&self, error: &toml::de::Error) -> String {
        let line = error
            .span()
            .and_then(|span| self.text.lines().nth(self.line(span.start) - 1))
            .unwrap_or_default();
        let shown = printable(line.trim(), SHOWN);
        if shown.is_empty() {
            error.message().to_owned()
        } else {
            format!("{}: `{shown}`", error.message())
        }
    }

    /// Adds the keys of the benchmark that `like` names.
    fn inherit(&mut self, shipped: &[(&'a str, &'a str)], to: &mut Mistakes) {
        let Some(like) = self.root.get(LIKE) else { return };
        let name = like.get_ref().as_str().unwrap_or_default();
        let Some((_, base)) = shipped.iter().find(|(file, _)| *file == name) else {
            let nearest = nearest_name(name, shipped.iter().map(|(file, _)| *file));
            let message = format!("there is no benchmark `{name}`{}", did_you_mean(&nearest));
            to.note_unknown(Part::key(LIKE), None, Names::Benchmarks, message);
            return;
        };
        self.root.remove(LIKE);
        let (base, _) = DeTable::parse_recoverable(base);
        for (key, value) in base.into_inner() {
            if !self.root.contains_key(&**key.get_ref())
                && !OF_ONE_TABLE.contains(&&**key.get_ref())
            {
                self.inherited.insert(key.get_ref().to_string());
                self.root.insert(key, value);
            }
        }
    }

    /// Whether a key is that of the benchmark that `like` names.
    pub fn is_inherited(&self, key: &str) -> bool {
        self.inherited.contains(key)
    }

    /// The line of a byte, from 1.
    fn line(&self, byte: usize) -> usize {
        let before = self.text.as_bytes().iter().take(byte);
        before.filter(|byte| **byte == b'\n').count() + 1
    }

    /// The mistakes with their lines and places, in the order of the lines.
    pub fn placed(&self, mistakes: Mistakes) -> Vec<Mistake> {
        let placed = mistakes.found.into_iter().map(|found| {
            let (place, byte) = self.place(&found.part);
            let line_of = |part: &Part, byte: Option<usize>| {
                let is_own = part.root().is_none_or(|key| !self.inherited.contains(key));
                byte.filter(|_| is_own).map(|byte| self.line(byte))
            };
            let line = line_of(&found.part, found.byte.or(byte));
            let other_line = found.other.and_then(|other| line_of(&other, self.place(&other).1));
            let other_line = other_line.filter(|other| Some(*other) != line);
            Mistake { line, place, message: found.message, unknown: found.unknown, other_line }
        });
        let mut placed: Vec<Mistake> = placed.collect();
        placed.sort_by_key(|mistake| mistake.line.unwrap_or(usize::MAX));
        placed
    }

    /// A part in words, and where the text of the smallest part begins that is in the file.
    fn place(&self, part: &Part) -> (String, Option<usize>) {
        let (mut words, mut byte) = (Vec::new(), None);
        let (mut table, mut value): (Option<&DeTable>, Option<&Value>) = (Some(&self.root), None);
        for step in &part.0 {
            let found = match step {
                Step::Key(key) => table
                    .and_then(|table| table.get_key_value(key.as_str()))
                    .map(|(key, v)| (key.span(), v)),
                Step::Entry(index) => entry(value, *index).map(|v| (v.span(), v)),
            };
            words.push(match step {
                Step::Key(key) => format!("`{}`", printable(key, SHOWN)),
                Step::Entry(index) => named(*index, found.as_ref().map(|(_, value)| *value)),
            });
            byte = found.as_ref().map(|(span, _)| span.start).or(byte);
            value = found.map(|(_, value)| value);
            table = value.and_then(|value| value.get_ref().as_table());
        }
        (words.join(", "), byte)
    }
}

/// An entry of a list.
fn entry<'v, 'a>(list: Option<&'v Value<'a>>, index: usize) -> Option<&'v Value<'a>> {
    list?.get_ref().as_array()?.get(index)
}

/// An entry by its number, from 1, and by its name if it has one.
fn named(index: usize, entry: Option<&Value>) -> String {
    let table = entry.and_then(|entry| entry.get_ref().as_table());
    let name = NAMES.iter().find_map(|key| table?.get(*key)?.get_ref().as_str());
    let name = name.map_or_else(String::new, |name| format!(" (`{}`)", printable(name, SHOWN)));
    format!("entry {}{name}", index + 1)
}
