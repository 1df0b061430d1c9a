//! Refuse a target of words: to tell classes apart is classification.

use std::collections::BTreeSet;

use super::cells::Cells;
use super::error::OwnError;
use super::hours::Hours;
use super::limits::Limit;
use super::missing::is_missing_number;
use super::number::{Cell, is_written};
use uq_core::printable::printable;

/// Most words that are taken for classes.
const MOST: usize = 20;
/// Most words that are named.
const NAMED: usize = 5;

/// Refuses a target none of whose cells is a number, a limit or a time, and that has few different
/// ones.
///
/// # Errors
/// [`OwnError::Classes`].
pub(super) fn refuse_classes(cells: &Cells, place: usize) -> Result<(), OwnError> {
    let given: Vec<&str> = cells.texts(place).filter(|text| !is_missing_number(text)).collect();
    let words: BTreeSet<&str> = given.iter().copied().collect();
    let is_word = |text: &&str| {
        // Without a number beside them, words for limits are classes, such as low and high.
        let has_limit = Limit::of(text).is_some_and(|limit| limit.number.is_some());
        let is_number = Cell::of(text) != Cell::Text || is_written(text);
        !is_number && !text.starts_with(|c: char| c.is_ascii_digit()) && !has_limit
    };
    let are_few = (1..=MOST).contains(&words.len()) && words.len() * 2 <= given.len();
    if !are_few || !words.iter().all(is_word) || Hours::of(&given).is_some() {
        return Ok(());
    }
    let named = words
        .iter()
        .take(NAMED)
        .map(|word| format!("\"{}\"", printable(word, 30)))
        .collect::<Vec<_>>()
        .join(", ");
    let more = if words.len() > NAMED { ", …" } else { "" };
    Err(OwnError::Classes {
        file: cells.file.clone(),
        column: printable(&cells.names[place], super::error::SHOWN),
        classes: words.len(),
        named: named + more,
    })
}
