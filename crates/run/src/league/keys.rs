//! Read the keys of a table one by one, and note all that is wrong with them.

use std::collections::BTreeSet;

use toml::{Table, Value};

use uq_core::names::{counted, did_you_mean, nearest_name};
use uq_core::printable::{printable, turns};

/// Longest text of a card in a message, in characters.
const SHOWN: usize = 60;

/// Most mistakes that are gathered. Who mends these sees the others.
const MOST: usize = 30;

/// The keys of a table, of which some have been read.
pub(super) struct Keys<'a> {
    table: &'a Table,
    /// What stands before a key in messages.
    within: String,
    known: Vec<&'static str>,
    mistakes: Vec<String>,
}

impl<'a> Keys<'a> {
    /// None has been read yet. `within` names the table in messages.
    pub fn new(table: &'a Table, within: &str) -> Self {
        Self { table, within: within.into(), known: Vec::new(), mistakes: Vec::new() }
    }

    /// All mistakes, those on keys among them that nobody has read.
    pub fn finish(mut self) -> Vec<String> {
        for name in self.table.keys().filter(|name| !self.known.contains(&name.as_str())) {
            let nearest = did_you_mean(&nearest_name(name, self.known.iter().copied()));
            let all: Vec<String> = self.known.iter().map(|key| format!("`{key}`")).collect();
            self.mistakes.push(format!(
                "{}there is no key `{}`{nearest}; expected one of {}",
                self.within,
                printable(name, SHOWN),
                all.join(", ")
            ));
        }
        self.mistakes.truncate(MOST);
        self.mistakes
    }

    fn value(&mut self, key: &'static str, is_needed: bool) -> Option<&'a Value> {
        self.known.push(key);
        let value = self.table.get(key);
        if value.is_none() && is_needed {
            self.note(key, "missing; add this key");
        }
        value
    }

    fn note(&mut self, key: &str, what: impl AsRef<str>) {
        self.mistakes.push(format!("{}`{key}`: {}", self.within, what.as_ref()));
    }

    fn note_found(&mut self, key: &str, value: &Value, expected: &str) {
        self.note(key, format!("found {}, expected {expected}", shown(value)));
    }

    /// A text that is not empty, of at most `longest` characters. Ends of lines become blanks.
    pub fn text(&mut self, key: &'static str, longest: usize) -> String {
        let Some(value) = self.value(key, true) else { return String::new() };
        let read = value.as_str().ok_or_else(|| expected_text(value));
        match read.and_then(|text| plain(text, longest)) {
            Ok(text) => text,
            Err(why) => {
                self.note(key, why);
                String::new()
            }
        }
    }

    /// A text that a rule allows.
    pub fn checked(
        &mut self,
        key: &'static str,
        expected: &str,
        is_allowed: fn(&str) -> bool,
    ) -> String {
        let value = self.value(key, true);
        self.allowed(key, value, expected, is_allowed).unwrap_or_default()
    }

    /// The same of a key that may be left out.
    pub fn optional_text(
        &mut self,
        key: &'static str,
        expected: &str,
        is_allowed: fn(&str) -> bool,
    ) -> Option<String> {
        let value = self.value(key, false);
        self.allowed(key, value, expected, is_allowed)
    }

    fn allowed(
        &mut self,
        key: &str,
        value: Option<&Value>,
        expected: &str,
        is_allowed: fn(&str) -> bool,
    ) -> Option<String> {
        let value = value?;
        match value.as_str().filter(|text| is_allowed(text)) {
            Some(text) => Some(text.to_owned()),
            None => {
                self.note_found(key, value, expected);
                None
            }
        }
    }

    /// A list of texts, at least one and at most `most`.
    pub fn texts(&mut self, key: &'static str, most: usize, longest: usize) -> Vec<String> {
        let all = self.list(key, most);
        let read = |value: &Value| {
            value.as_str().ok_or_else(|| expected_text(value)).and_then(|text| plain(text, longest))
        };
        let (good, wrong): (Vec<_>, Vec<_>) = all.iter().map(read).partition(Result::is_ok);
        let wrong: BTreeSet<String> = wrong.into_iter().filter_map(Result::err).collect();
        wrong.into_iter().for_each(|why| self.note(key, why));
        good.into_iter().filter_map(Result::ok).collect()
    }

    /// A list of texts that a rule allows, each once, at least one and at most `most`.
    pub fn checked_texts(
        &mut self,
        key: &'static str,
        most: usize,
        expected: &str,
        is_allowed: fn(&str) -> bool,
    ) -> Vec<String> {
        let mut all = Vec::new();
        for value in self.list(key, most) {
            let text = self.allowed(key, Some(value), expected, is_allowed);
            match text.filter(|text| !all.contains(text)) {
                Some(text) => all.push(text),
                None if value.as_str().is_some_and(is_allowed) => {
                    self.note(key, format!("{} is there twice", shown(value)));
                }
                None => {}
            }
        }
        all
    }

    /// The values of a list, at least one and at most `most`; none where it is another one.
    fn list(&mut self, key: &'static str, most: usize) -> &'a [Value] {
        let Some(value) = self.value(key, true) else { return &[] };
        match value.as_array().filter(|all| (1..=most).contains(&all.len())) {
            Some(all) => all,
            None => {
                self.note_found(key, value, &format!("a list of 1 to {most} texts"));
                &[]
            }
        }
    }

    /// The place of a text among the allowed ones.
    pub fn choice(&mut self, key: &'static str, all: &[&str]) -> usize {
        let Some(value) = self.value(key, true) else { return 0 };
        let place = value.as_str().and_then(|text| all.iter().position(|known| *known == text));
        place.unwrap_or_else(|| {
            let nearest = value.as_str().and_then(|text| nearest_name(text, all.iter().copied()));
            let names: Vec<String> = all.iter().map(|name| format!("\"{name}\"")).collect();
            let expected = format!("one of {}{}", names.join(", "), did_you_mean(&nearest));
            self.note_found(key, value, &expected);
            0
        })
    }

    /// A number that a rule allows, of a key that may be left out.
    pub fn number(
        &mut self,
        key: &'static str,
        expected: &str,
        is_allowed: fn(f64) -> bool,
    ) -> Option<f64> {
        let value = self.value(key, false)?;
        let whole = value.as_integer().map(|number| number as f64);
        let number = value.as_float().or(whole).filter(|number| is_allowed(*number));
        if number.is_none() {
            self.note_found(key, value, expected);
        }
        number
    }

    /// A whole number of 0 or more.
    pub fn count(&mut self, key: &'static str) -> u64 {
        let Some(value) = self.value(key, true) else { return 0 };
        value.as_integer().and_then(|number| u64::try_from(number).ok()).unwrap_or_else(|| {
            self.note_found(key, value, "a whole number of 0 or more");
            0
        })
    }

    /// True or false; `default` where the key may be left out.
    pub fn flag(&mut self, key: &'static str, default: Option<bool>) -> bool {
        let Some(value) = self.value(key, default.is_none()) else {
            return default.unwrap_or_default();
        };
        value.as_bool().unwrap_or_else(|| {
            self.note_found(key, value, "true or false");
            false
        })
    }

    /// A list of tables, which may be left out, at most `most` of them.
    pub fn tables<T>(
        &mut self,
        key: &'static str,
        most: usize,
        read: fn(&mut Keys) -> T,
    ) -> Vec<T> {
        let Some(value) = self.value(key, false) else { return Vec::new() };
        let all = value.as_array().map(|all| all.iter().map(Value::as_table).collect());
        let Some(tables) = all.and_then(|all: Vec<Option<&Table>>| all.into_iter().collect())
        else {
            self.note_found(key, value, &format!("tables, each below a line `[[{key}]]`"));
            return Vec::new();
        };
        let tables: Vec<&Table> = tables;
        if tables.len() > most {
            self.note(key, format!("found {}, expected at most {most}", tables.len()));
            return Vec::new();
        }
        let mut entries = Vec::new();
        for (number, table) in tables.into_iter().enumerate() {
            let mut keys = Keys::new(table, &format!("`{key}`, entry {}: ", number + 1));
            entries.push(read(&mut keys));
            self.mistakes.extend(keys.finish());
        }
        entries
    }
}

/// A text without ends of lines.
///
/// # Errors
/// Why it is none that a card may have.
fn plain(text: &str, longest: usize) -> Result<String, String> {
    let is_end = |c: char| "\r\n\t".contains(c);
    if let Some(c) = text.chars().find(|c| (c.is_control() && !is_end(*c)) || turns(*c)) {
        return Err(format!(
            "found the control character U+{:04X}, expected text without such",
            u32::from(c)
        ));
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.chars().count() {
        0 => Err("found an empty text, expected words, such as \"nothing\" or \"unknown\"".into()),
        length if length > longest => {
            Err(format!("found {}, expected at most {longest}", counted(length, "character")))
        }
        _ => Ok(text),
    }
}

fn expected_text(value: &Value) -> String {
    format!("found {}, expected a text between quotation marks", shown(value))
}

/// A value of a card in a message.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("\"{}\"", printable(text, SHOWN)),
        Value::Array(all) => format!("a list of {}", counted(all.len(), "item")),
        Value::Table(_) => "a table".into(),
        other => printable(&other.to_string(), SHOWN),
    }
}
