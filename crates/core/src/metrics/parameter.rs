//! Read and set the parameters of a metric by their names.

use std::fmt::Display;

/// One parameter of a metric, borrowed to be read or set.
pub struct Parameter<'a> {
    /// Its name, as a benchmark file has it.
    pub name: &'static str,
    /// Its value, as text that reads back as the same value.
    pub text: String,
    expected: &'static str,
    /// Sets it to the value that a text names, and says whether the text names one.
    set: Box<dyn FnOnce(&str) -> bool + 'a>,
}

impl<'a> Parameter<'a> {
    /// A parameter whose values `read` parses from text; `expected` describes the valid values.
    pub fn new<T: Display>(
        name: &'static str,
        value: &'a mut T,
        expected: &'static str,
        read: impl FnOnce(&str) -> Option<T> + 'a,
    ) -> Self {
        let text = value.to_string();
        let set = move |text: &str| read(text).map(|new| *value = new).is_some();
        Self { name, text, expected, set: Box::new(set) }
    }

    /// A number that passes `allows`.
    pub fn number(
        name: &'static str,
        value: &'a mut f64,
        expected: &'static str,
        allows: fn(f64) -> bool,
    ) -> Self {
        Self::new(name, value, expected, move |text| {
            text.parse().ok().filter(|number| allows(*number))
        })
    }

    /// `level`, a probability in (0, 1).
    pub fn level(value: &'a mut f64) -> Self {
        Self::number("level", value, "a number between 0 and 1", |level| level > 0.0 && level < 1.0)
    }

    /// Any finite number.
    pub fn finite(name: &'static str, value: &'a mut f64) -> Self {
        Self::number(name, value, "a finite number", f64::is_finite)
    }

    /// A number of groups of test rows, from 1 to 100 000: with more, most groups would be empty.
    pub fn count(name: &'static str, value: &'a mut usize) -> Self {
        let read = |text: &str| text.parse().ok().filter(|count| (1..=100_000).contains(count));
        Self::new(name, value, "a whole number from 1 to 100000", read)
    }

    /// One of `choices`.
    pub fn choice<T: Copy + Display>(
        name: &'static str,
        value: &'a mut T,
        choices: &'static [T],
        expected: &'static str,
    ) -> Self {
        Self::new(name, value, expected, |text| {
            choices.iter().copied().find(|choice| choice.to_string() == text)
        })
    }

    /// Sets it to the value that `text` names.
    ///
    /// # Errors
    /// A description of the valid values, where `text` is none of them.
    pub fn set(self, text: &str) -> Result<(), &'static str> {
        if (self.set)(text) { Ok(()) } else { Err(self.expected) }
    }
}
