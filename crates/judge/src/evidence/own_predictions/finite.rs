//! Read numbers that may not be infinite.

use uq_core::printable::printable;
use uqbench_data::own::{Cells, OwnError, Setting, Words, parse_infinite};

/// What is expected where a prediction is infinite. A row with one is often among the hardest: it
/// has to be scored.
fn prediction() -> Words {
    let told = "a finite number. Keep the line, because scores without it would be too good: mend \
                the prediction, or score its interval in the columns `lower` and `upper`, which \
                may be infinite, with ";
    Words::from(told) + Setting::Level
}

/// What is expected where an outcome is infinite.
const OUTCOME: &str =
    "a finite number; where an outcome is not known, leave its row out of every method";

/// The numbers of columns of predictions, none of them infinite.
pub(super) fn finite(cells: &Cells, places: &[usize]) -> Result<Vec<Vec<f64>>, OwnError> {
    read(cells, places, prediction)
}

/// The outcomes, none of them infinite.
pub(super) fn finite_outcomes(cells: &Cells, place: usize) -> Result<Vec<f64>, OwnError> {
    Ok(read(cells, &[place], || OUTCOME.into())?.remove(0))
}

fn read(
    cells: &Cells,
    places: &[usize],
    expected: impl Fn() -> Words,
) -> Result<Vec<Vec<f64>>, OwnError> {
    for &place in places {
        if let Some((row, text)) =
            cells.texts(place).enumerate().find(|(_, text)| parse_infinite(text).is_some())
        {
            return Err(cells.wrong(
                row,
                place,
                format!("\"{}\"", printable(text, 60)),
                expected(),
            ));
        }
    }
    cells.numbers(places)
}
