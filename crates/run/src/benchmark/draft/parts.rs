//! Find the parts of a value: by their steps, and by their place in the text.

use std::ops::Range;

use toml::de::DeValue;

use super::file::Value;
use crate::benchmark::mistakes::Step;

/// The steps to the smallest part of a value that contains this piece of the text. A part may stand
/// outside of the text of the table that it belongs to.
pub(super) fn path_to(value: &Value, piece: &Range<usize>) -> Option<Vec<Step>> {
    let contains =
        |span: Range<usize>| (span.start <= piece.start && piece.end <= span.end).then(Vec::new);
    let below = match value.get_ref() {
        DeValue::Table(table) => table.iter().find_map(|(key, child)| {
            let path = path_to(child, piece).or_else(|| contains(key.span()))?;
            Some((Step::Key(key.get_ref().to_string()), path))
        }),
        DeValue::Array(array) => {
            let entries = array.iter().enumerate();
            entries
                .into_iter()
                .find_map(|(i, child)| Some((Step::Entry(i), path_to(child, piece)?)))
        }
        _ => None,
    };
    below.map(|(step, path)| [vec![step], path].concat()).or_else(|| contains(value.span()))
}

/// The part of a value at the end of these steps.
pub(super) fn at<'v, 'a>(value: &'v Value<'a>, path: &[Step]) -> Option<&'v Value<'a>> {
    path.iter().try_fold(value, |value, step| match (step, value.get_ref()) {
        (Step::Key(key), DeValue::Table(table)) => table.get(key.as_str()),
        (Step::Entry(index), DeValue::Array(array)) => array.get(*index),
        _ => None,
    })
}

/// The part of a value at the end of these steps, to change it.
pub(super) fn at_mut<'v, 'a>(value: &'v mut Value<'a>, path: &[Step]) -> Option<&'v mut Value<'a>> {
    path.iter().try_fold(value, |value, step| match (step, value.get_mut()) {
        (Step::Key(key), DeValue::Table(table)) => table.get_mut(key.as_str()),
        (Step::Entry(index), DeValue::Array(array)) => array.get_mut(*index),
        _ => None,
    })
}
