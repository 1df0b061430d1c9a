//! Say into how many folds the rows of a table are divided, and how often.
//!
//! Five folds, divided anew as often as their number of rows needs, where time is no matter, and less
//! often where that lets the budget suffice for more methods.

use uq_core::{Dependence, Table};

/// Number of folds.
pub const FOLDS: u64 = 5;

/// How many folds a division of the rows has, and how many divisions there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Folding {
    /// Number of folds.
    pub folds: u64,
    /// How often the rows are divided into folds.
    pub repeats: u64,
}

impl Folding {
    /// The folding of this table where time is no matter: divided twice, four times below 300 rows,
    /// and once from 3000 rows on, where the time of further divisions is better spent on further
    /// methods; once into blocks in time, of which there is only one division.
    pub fn of(table: &Table) -> Self {
        let repeats = match (&table.dependence, table.rows()) {
            (Dependence::Periods(_), _) => 1,
            (Dependence::Unknown | Dependence::Groups(_), 0..300) => 4,
            (Dependence::Unknown | Dependence::Groups(_), 300..3000) => 2,
            (Dependence::Unknown | Dependence::Groups(_), _) => 1,
        };
        Self { folds: FOLDS, repeats }
    }

    /// As many folds, divided as often as this table needs at least: twice below 1000 rows, where
    /// one division tells too little.
    pub(super) fn with_fewest_repeats(self, table: &Table) -> Self {
        let repeats = if table.rows() < 1000 { self.repeats.min(2) } else { 1 };
        Self { repeats, ..self }
    }

    /// Refuses what no plan of this table has.
    ///
    /// # Errors
    /// What was found and what was expected.
    pub fn check(self, table: &Table) -> Result<(), String> {
        if self.folds != FOLDS {
            return Err(format!("found {} folds, expected {FOLDS}", self.folds));
        }
        let most = Self::of(table);
        let (fewest, most) = (most.with_fewest_repeats(table).repeats, most.repeats);
        if !(fewest..=most).contains(&self.repeats) {
            return Err(format!(
                "found {} divisions into folds, expected {fewest} to {most}",
                self.repeats
            ));
        }
        Ok(())
    }

    /// Number of fits of a method.
    pub fn fits(self) -> u64 {
        self.folds * self.repeats
    }

    /// The division and the fold of a fit, both from 1; `index` counts from 0, one division after
    /// the other.
    pub fn place(self, index: usize) -> [usize; 2] {
        let folds = self.folds as usize;
        [index / folds + 1, index % folds + 1]
    }

    /// How often rows are divided, in words.
    pub fn times(self) -> String {
        match self.repeats {
            1 => "once".into(),
            2 => "twice".into(),
            more => format!("{more} times"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, Array2};

    #[test]
    fn a_plan_has_five_folds_and_as_many_divisions_as_the_table_needs() {
        let table = Table::unnamed(Array2::zeros((200, 1)), Array1::zeros(200));
        let check = |folds, repeats| Folding { folds, repeats }.check(&table);
        assert_eq!((check(5, 4), check(5, 2)), (Ok(()), Ok(())));
        assert_eq!(check(3, 2), Err("found 3 folds, expected 5".into()));
        assert_eq!(check(5, 1), Err("found 1 divisions into folds, expected 2 to 4".into()));
    }

    #[test]
    fn fits_are_counted_one_division_after_the_other() {
        let three = Folding { folds: 3, repeats: 2 };
        assert_eq!(
            (three.fits(), three.place(0), three.place(2), three.place(3)),
            (6, [1, 1], [1, 3], [2, 1])
        );
        assert_eq!(three.times(), "twice");
    }
}
