//! State how the error falls while active learning adds rows.

use super::SideTable;

/// One row for each step, the fit before the first addition included.
#[derive(Clone, Debug, PartialEq)]
pub struct Learning {
    /// Number of known rows.
    pub rows: Vec<f64>,
    /// For each reading, its name and the root mean squared error against the truth, in the
    /// target's units.
    pub errors: Vec<(String, Vec<f64>)>,
}

impl Learning {
    /// The table's name.
    pub const NAME: &str = "learning";

    /// The column of the numbers of known rows; every other column has the name of its reading.
    const ROWS: &str = "rows";

    /// The table.
    pub fn to_table(&self) -> SideTable {
        let rows = std::iter::once((Self::ROWS.to_owned(), self.rows.clone()));
        SideTable {
            name: Self::NAME.into(),
            columns: rows.chain(self.errors.iter().cloned()).collect(),
        }
    }

    /// Reads the table. `None` where it has another name, or no numbers of rows.
    pub fn from_table(table: &SideTable) -> Option<Self> {
        let rows = table.column(Self::ROWS).filter(|_| table.name == Self::NAME)?.to_vec();
        let errors = table.columns.iter().filter(|(name, _)| name != Self::ROWS).cloned().collect();
        Some(Self { rows, errors })
    }

    /// The errors of a reading.
    pub fn errors_of(&self, reading: &str) -> Option<&[f64]> {
        self.errors.iter().find(|(name, _)| name == reading).map(|(_, errors)| errors.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_stored;
    use super::*;

    #[test]
    fn learning_is_stored_as_it_always_was() {
        let errors =
            vec![("total".to_owned(), vec![3.0, 2.0]), ("epistemic".to_owned(), vec![3.0, 1.0])];
        let learning = Learning { rows: vec![30.0, 31.0], errors };
        let text = concat!(
            r#"{"name":"learning","columns":[["rows",[30.0,31.0]],"#,
            r#"["total",[3.0,2.0]],["epistemic",[3.0,1.0]]]}"#
        );
        assert_stored(
            &learning,
            &learning.to_table(),
            Learning::from_table,
            text,
            &["total", "epistemic"],
        );
        assert_eq!(
            (learning.errors_of("epistemic"), learning.errors_of("main")),
            (Some(&[3.0, 1.0][..]), None)
        );
    }
}
