//! Read the name of one of several values, which a library knows without its option.

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Reads one of these names as its value.
pub fn choices<T: Copy + Send + Sync + 'static>(all: &'static [(&'static str, T)]) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(|(name, _)| *name)).try_map(|given| {
        let found = all.iter().find(|(name, _)| *name == given);
        found.map(|(_, value)| *value).ok_or("no such value")
    })
}
