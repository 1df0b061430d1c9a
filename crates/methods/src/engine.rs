//! Do once what every method needs around its own work: check rows and requests, standardise,
//! restart, search for settings.

pub mod own_units;
pub mod question;
pub mod rescaled;
pub mod restarts;
pub mod rows;
pub mod scales;
pub mod search;
pub mod shared;
pub mod standardised;

/// Why a question or a table is refused.
#[cfg(test)]
fn words(found: Result<(), super::FitError>) -> String {
    match found {
        Err(super::FitError::Unsupported(why)) => why,
        other => panic!("{other:?}"),
    }
}
