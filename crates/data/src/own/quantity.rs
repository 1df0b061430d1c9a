//! Divide a text into a number and the unit behind it.

use super::number::is_written;

/// Longest unit, in characters: longer words are text.
pub(super) const LONGEST: usize = 12;

/// Whether a text is a number with a unit, by either decimal mark.
pub(super) fn is_measure(text: &str) -> bool {
    number_part(text).is_some()
}

/// The number of a text that is a number with a unit, by either decimal mark.
pub(super) fn number_part(text: &str) -> Option<&str> {
    split(text).map(|(number, _)| number).filter(|number| is_written(number))
}

/// A text divided into what stands before its first letter, and a unit from there on: letters,
/// perhaps with `°`, `/`, one blank or points, and a square or a cube at the end. What follows the
/// `e` of an exponent is no unit.
pub(super) fn split(text: &str) -> Option<(&str, &str)> {
    let is_letter = |c: char| c.is_alphabetic() || c == '°';
    let (number, unit) = text.split_at(text.find(is_letter)?);
    let is_exponent = unit
        .strip_prefix(['e', 'E'])
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let name = unit.strip_suffix(['2', '3', '²', '³']).unwrap_or(unit);
    let is_unit = name.chars().all(|c| is_letter(c) || matches!(c, '/' | ' ' | '.'))
        && name.matches(' ').count() < 2
        && unit.chars().count() <= LONGEST;
    (is_unit && !is_exponent && number.contains(|c: char| c.is_ascii_digit()))
        .then(|| (number.trim_end(), unit))
}
