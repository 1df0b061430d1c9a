//! Gather the mistakes of a benchmark file, each with the part of the file that has it.

use std::collections::BTreeMap;
use std::fmt;

use uq_core::printable::printable;

/// Most mistakes that are gathered. Who mends these sees the others.
pub(super) const MOST: usize = 30;

/// Most characters of a text of the file that a message shows.
pub(super) const SHOWN: usize = 60;

/// Longest message, in characters.
const LONGEST: usize = 1500;

/// The names of which one is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// Those of benchmarks.
    Benchmarks,
    /// Those of datasets.
    Datasets,
    /// Those of methods.
    Methods,
    /// Those of methods, and the name is that of another package.
    MethodsOfKind,
    /// Those of metrics.
    Metrics,
}

/// One mistake of a benchmark file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Its line, from 1; `None` where it is at no line, such as a missing key of the file.
    pub line: Option<usize>,
    /// The key, or the entry of a list and its key; empty where the file as a whole is wrong.
    pub place: String,
    /// What was found, what was expected, and what to do.
    pub message: String,
    /// The names among which one was looked for and not found.
    pub unknown: Option<Names>,
    /// The line of the part that it contradicts, where that is another one.
    pub other_line: Option<usize>,
}

impl Mistake {
    /// Its place and its message, which `more` ends where a name is unknown.
    fn describe(&self, more: &impl Fn(Names) -> String) -> String {
        let line = self.line.map(|line| format!("line {line}"));
        let place = Some(&self.place).filter(|place| !place.is_empty()).cloned();
        let parts: Vec<String> = line.into_iter().chain(place).collect();
        let place =
            if parts.is_empty() { String::new() } else { format!("{}: ", parts.join(", ")) };
        let other = self.other_line.map_or_else(String::new, |line| format!(" (line {line})"));
        format!("{place}{}{}{other}", self.message, self.unknown.map_or_else(String::new, more))
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe(&|_| String::new()))
    }
}

/// All mistakes: a single one in the same line, several one a line with their number. `more` ends
/// the message on an unknown name.
pub(super) fn listed(mistakes: &[Mistake], more: impl Fn(Names) -> String) -> String {
    if let [only] = mistakes {
        return only.describe(&more);
    }
    let or_more = if mistakes.len() >= MOST { " or more" } else { "" };
    let lines: String =
        mistakes.iter().map(|mistake| format!("\n  {}", mistake.describe(&more))).collect();
    format!("{} mistakes{or_more}{lines}", mistakes.len())
}

/// A step into a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// To the value of a key.
    Key(String),
    /// To an entry of a list, from 0.
    Entry(usize),
}

/// A part of a file: a key, an entry of a list, a key of such an entry, and so on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Part(pub Vec<Step>);

impl Part {
    /// The value of a key.
    pub fn key(name: &str) -> Self {
        Self::default().then(name)
    }

    /// The value of a key in this part.
    pub fn then(mut self, name: &str) -> Self {
        self.0.push(Step::Key(name.into()));
        self
    }

    /// An entry of the list that this part is.
    pub fn entry(mut self, index: usize) -> Self {
        self.0.push(Step::Entry(index));
        self
    }

    /// The key of the file that the part belongs to.
    pub fn root(&self) -> Option<&str> {
        match self.0.first() {
            Some(Step::Key(name)) => Some(name),
            _ => None,
        }
    }
}

/// A mistake before its line and its place are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub part: Part,
    /// Where its text begins, if that is known.
    pub byte: Option<usize>,
    pub message: String,
    /// The names among which one was looked for and not found.
    pub unknown: Option<Names>,
    /// The part that it contradicts.
    pub other: Option<Part>,
}

/// The mistakes so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Mistakes {
    pub found: Vec<Found>,
    /// Of each list that was read, the places in the file of the entries that are left.
    places: BTreeMap<&'static str, Vec<usize>>,
}

impl Mistakes {
    /// Adds one, unless the same one is there or there are enough.
    pub fn note(&mut self, part: Part, message: impl Into<String>) {
        self.note_at(part, None, message);
    }

    /// Adds one whose text begins at this byte.
    pub fn note_at(&mut self, part: Part, byte: Option<usize>, message: impl Into<String>) {
        self.add(Found {
            part,
            byte,
            message: printable(&message.into(), LONGEST),
            unknown: None,
            other: None,
        });
    }

    /// Adds one of a name that is unknown among these, whose text begins at this byte.
    pub fn note_unknown(
        &mut self,
        part: Part,
        byte: Option<usize>,
        names: impl Into<Option<Names>>,
        message: impl Into<String>,
    ) {
        let message = printable(&message.into(), LONGEST);
        self.add(Found { part, byte, message, unknown: names.into(), other: None });
    }

    /// Adds one of a part that contradicts another part, which the end of the message is about.
    pub fn note_contradiction(&mut self, part: Part, other: Part, message: impl Into<String>) {
        self.add(Found {
            part,
            byte: None,
            message: printable(&message.into(), LONGEST),
            unknown: None,
            other: Some(other),
        });
    }

    fn add(&mut self, found: Found) {
        if !self.is_full() && !self.found.contains(&found) {
            self.found.push(found);
        }
    }

    /// Adds the message of a check that has failed.
    pub fn note_failure(&mut self, part: Part, checked: Result<(), String>) {
        if let Err(message) = checked {
            self.note(part, message);
        }
    }

    /// Whether something in this part is wrong.
    pub fn has(&self, part: &Part) -> bool {
        self.found.iter().any(|found| found.part.0.starts_with(&part.0))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether no more are gathered.
    pub fn is_full(&self) -> bool {
        self.found.len() >= MOST
    }

    /// The keys of the file that have a mistake.
    pub fn keys(&self) -> Vec<String> {
        self.found.iter().filter_map(|found| found.part.root().map(str::to_owned)).collect()
    }

    /// States where the entries of a list stand in the file: the first one that was read at
    /// `places[0]`, and so on.
    pub fn place(&mut self, list: &'static str, places: Vec<usize>) {
        self.places.insert(list, places);
    }

    /// States of which entries the entries of a list were made: the first one of the entry
    /// `origins[0]`, and so on.
    pub fn renumber(&mut self, list: &'static str, origins: &[usize]) {
        let places = origins.iter().map(|origin| self.place_of(list, *origin)).collect();
        self.place(list, places);
    }

    /// The part of the file that an entry was read from.
    pub fn entry(&self, list: &'static str, index: usize) -> Part {
        Part::key(list).entry(self.place_of(list, index))
    }

    fn place_of(&self, list: &'static str, index: usize) -> usize {
        self.places.get(list).and_then(|places| places.get(index)).copied().unwrap_or(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_noted_once_and_there_are_not_too_many() {
        let mut mistakes = Mistakes::default();
        (0..2).for_each(|_| mistakes.note(Part::key("id"), "wrong"));
        assert_eq!((mistakes.found.len(), mistakes.keys()), (1, vec!["id".to_owned()]));
        (0..100).for_each(|i| mistakes.note(Part::key("datasets").entry(i), "wrong"));
        assert!(mistakes.is_full() && mistakes.found.len() == MOST);
    }

    #[test]
    fn entries_that_were_left_out_or_repeated_keep_their_places() {
        let mut mistakes = Mistakes::default();
        mistakes.place("methods", vec![0, 2]);
        assert_eq!(mistakes.entry("methods", 1), Part::key("methods").entry(2));
        // The second of the two became three.
        mistakes.renumber("methods", &[0, 1, 1, 1]);
        assert_eq!(mistakes.entry("methods", 3), Part::key("methods").entry(2));
        assert_eq!(mistakes.entry("metrics", 3), Part::key("metrics").entry(3));
    }

    #[test]
    fn several_are_a_list_with_their_number() {
        let mistake = |line, place: &str| Mistake {
            line,
            place: place.into(),
            message: "M".into(),
            unknown: Some(Names::Methods),
            other_line: None,
        };
        let listed = |mistakes: &[Mistake]| super::listed(mistakes, |_| ".".into());
        assert_eq!(listed(&[mistake(Some(3), "`id`")]), "line 3, `id`: M.");
        assert_eq!(
            listed(&[mistake(None, "`id`"), mistake(None, "")]),
            "2 mistakes\n  `id`: M.\n  M."
        );
        assert!(listed(&vec![mistake(None, ""); MOST]).starts_with("30 mistakes or more\n"));
    }
}
