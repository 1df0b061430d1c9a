//! Change a file of cells: add a column or rows of another file, leave rows out, rename columns.

use super::Cells;

impl Cells {
    /// The same rows with one column more, the last one, whose cell in each row is the text of its
    /// place, from 0.
    #[must_use]
    pub fn with_column(mut self, name: &str, text: impl Fn(usize) -> String) -> Self {
        self.names.push(name.to_owned());
        for (row, cells) in self.rows.iter_mut().map(|row| &mut row.cells).enumerate() {
            cells.push_field(&text(row));
        }
        self
    }

    /// The same cells under other names of the columns, as many as there are.
    #[must_use]
    pub fn renamed(mut self, names: Vec<String>) -> Self {
        self.names = names;
        self
    }

    /// The first rows alone, of so many.
    #[must_use]
    pub fn first(mut self, rows: usize) -> Self {
        self.rows.truncate(rows);
        self
    }

    /// These rows and those of another file, which has the same columns, below them.
    #[must_use]
    pub fn above(mut self, below: Self) -> Self {
        self.rows.extend(below.rows);
        self
    }
}
