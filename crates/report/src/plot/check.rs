//! Refuse numbers that cannot be drawn, with the place of the fault.

use super::FigureError;

/// At least one element.
pub(super) fn not_empty(what: &str, length: usize) -> Result<(), FigureError> {
    if length == 0 { Err(FigureError::Empty { what: what.into() }) } else { Ok(()) }
}

/// As many elements as `like`.
pub(super) fn same_length(what: &str, values: &[f64], like: &[f64]) -> Result<(), FigureError> {
    count(what, values.len(), like.len())
}

/// As many things as expected.
pub(super) fn count(what: &str, found: usize, expected: usize) -> Result<(), FigureError> {
    if found == expected {
        Ok(())
    } else {
        Err(FigureError::Length { what: what.into(), found, expected })
    }
}

/// At least one number, all of them finite.
pub(super) fn places(what: &str, x: &[f64]) -> Result<(), FigureError> {
    not_empty(what, x.len())?;
    finite(what, x)
}

/// As many numbers as `like`, all of them finite.
pub(super) fn column(what: &str, values: &[f64], like: &[f64]) -> Result<(), FigureError> {
    same_length(what, values, like)?;
    finite(what, values)
}

/// No NaN, no infinity.
pub(super) fn finite(what: &str, values: &[f64]) -> Result<(), FigureError> {
    each(what, values, "a finite number", |v| v.is_finite())
}

/// No negative number.
pub(super) fn not_negative(what: &str, values: &[f64]) -> Result<(), FigureError> {
    each(what, values, "a number of zero or more", |v| v >= 0.0)
}

/// Only positive numbers, as a logarithmic axis needs.
pub(super) fn positive(what: &str, values: &[f64]) -> Result<(), FigureError> {
    each(what, values, "a positive number (the axis is logarithmic)", |v| v > 0.0)
}

fn each(
    what: &str,
    values: &[f64],
    expected: &'static str,
    good: impl Fn(f64) -> bool,
) -> Result<(), FigureError> {
    match values.iter().position(|&v| !good(v)) {
        Some(at) => Err(FigureError::Value {
            what: what.into(),
            place: at + 1,
            found: values[at],
            expected,
        }),
        None => Ok(()),
    }
}
