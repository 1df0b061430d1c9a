//! Decide how the columns of a file write their numbers: with a decimal point or a decimal comma.

use super::cells::Cells;
use super::number::{Cell, Mark, is_missing_number, written};

/// What the columns of a file show together, for those of which both readings are possible, such as `1,234`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Notation {
    /// Whether some column is all numbers with a decimal comma only.
    comma: bool,
    /// Whether some column is all numbers with a decimal point only.
    point: bool,
    /// Whether semicolons separate the cells, as they do where a comma marks decimals.
    semicolons: bool,
}

impl Notation {
    /// The notation of these columns.
    pub fn of(cells: &Cells, places: &[usize]) -> Self {
        let mut notation = Self { comma: false, point: false, semicolons: cells.separator() == ';' };
        let is_open = |place: &&usize| cells.texts(**place).any(is_text) && fits(cells, **place, Mark::Comma);
        let open: Vec<usize> = places.iter().filter(is_open).copied().collect();
        if !open.is_empty() {
            notation.comma = open.iter().any(|place| !fits(cells, *place, Mark::Point));
            let is_point = |place: &usize| fits(cells, *place, Mark::Point) && !fits(cells, *place, Mark::Comma);
            notation.point = places.iter().any(is_point);
        }
        notation
    }

    /// The mark of a column; `None` where not all of its cells are numbers or missing, and where nothing but plain
    /// numbers is found in a file without decimal commas.
    pub fn column(self, cells: &Cells, place: usize) -> Option<Mark> {
        if !self.comma && !cells.texts(place).any(is_text) {
            return None;
        }
        match (fits(cells, place, Mark::Point), fits(cells, place, Mark::Comma)) {
            (true, false) => Some(Mark::Point),
            (false, true) => Some(Mark::Comma),
            (false, false) => None,
            (true, true) => {
                let is_likely = self.semicolons && cells.texts(place).any(|text| text.contains(','));
                Some(if !self.point && (self.comma || is_likely) { Mark::Comma } else { Mark::Point })
            }
        }
    }
}

/// Whether a cell is neither a plain number nor missing.
pub(super) fn is_text(text: &str) -> bool {
    Cell::of(text) == Cell::Text && !is_missing_number(text)
}

/// Whether every cell of a column is a number in this notation or missing.
fn fits(cells: &Cells, place: usize, mark: Mark) -> bool {
    cells.texts(place).all(|text| is_missing_number(text) || written(text, mark).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(text: &str) -> Vec<Option<Mark>> {
        let cells = Cells::parse("f", text.as_bytes()).unwrap();
        let places: Vec<usize> = (0..cells.names().len()).collect();
        let notation = Notation::of(&cells, &places);
        places.iter().map(|place| notation.column(&cells, *place)).collect()
    }

    #[test]
    fn an_ambiguous_column_follows_the_others() {
        let (point, comma) = (Some(Mark::Point), Some(Mark::Comma));
        assert_eq!(marks("a;b\n1.234;0,5\n2.000;1,5\n"), [comma, comma]);
        assert_eq!(marks("a;b\n1,234;0.5\n2,000;1.5\n"), [point, None], "plain numbers need no notation");
        assert_eq!(marks("a;b\n1,234;x\n2,000;y\n"), [comma, None], "semicolons speak for a decimal comma");
        assert_eq!(marks("a,b\n\"1,234\",x\n\"2,000\",y\n"), [point, None]);
        assert_eq!(marks("a;b\n1.234;x\n2.000;y\n"), [None, None], "plain numbers are read as they are");
        assert_eq!(marks("a;b;c\n0,5;0.5;1,234\n1,5;7;2,000\n"), [comma, point, point], "columns may differ");
    }
}
