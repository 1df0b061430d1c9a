//! State a table once: a struct whose fields are the columns of their names.

/// The value of a field, from the column of its name.
pub trait Cells: Sized {
    /// The column; `None` where the table has no such column.
    fn to_cells(&self) -> Option<Vec<f64>>;

    /// The value from the column; `None` where the column is required and missing.
    fn from_cells(column: Option<&[f64]>) -> Option<Self>;
}

/// All rows.
impl Cells for Vec<f64> {
    fn to_cells(&self) -> Option<Vec<f64>> {
        Some(self.clone())
    }

    fn from_cells(column: Option<&[f64]>) -> Option<Self> {
        column.map(<[f64]>::to_vec)
    }
}

/// The first row.
impl Cells for f64 {
    fn to_cells(&self) -> Option<Vec<f64>> {
        Some(vec![*self])
    }

    fn from_cells(column: Option<&[f64]>) -> Option<Self> {
        column?.first().copied()
    }
}

/// The first row: 1 for true, 0 for false.
impl Cells for bool {
    fn to_cells(&self) -> Option<Vec<f64>> {
        Some(vec![f64::from(*self)])
    }

    fn from_cells(column: Option<&[f64]>) -> Option<Self> {
        f64::from_cells(column).map(|flag| flag == 1.0)
    }
}

/// The first row of an optional column.
impl Cells for Option<f64> {
    fn to_cells(&self) -> Option<Vec<f64>> {
        self.map(|value| vec![value])
    }

    fn from_cells(column: Option<&[f64]>) -> Option<Self> {
        Some(f64::from_cells(column))
    }
}

/// States a table: a struct of public fields, each of which is the column of its name, in the order
/// of the columns.
///
/// A field's type is one of [`Cells`]. `struct Name: "table"` is a table of that name; without it,
/// `to_table` is given the name, and `from_table` does not check it.
macro_rules! table {
    ($(#[$doc:meta])* pub struct $Table:ident: $name:literal { $($fields:tt)+ }) => {
        $crate::side_tables::table::table! { @columns $(#[$doc])* pub struct $Table { $($fields)+ } }

        impl $Table {
            /// The table's name.
            pub const NAME: &str = $name;

            /// The table.
            pub fn to_table(&self) -> $crate::side_tables::SideTable {
                $crate::side_tables::SideTable { name: Self::NAME.into(), columns: self.to_columns() }
            }

            /// Reads the table. `None` where it has another name, or lacks a column.
            pub fn from_table(table: &$crate::side_tables::SideTable) -> Option<Self> {
                if table.name == Self::NAME { Self::from_columns(table) } else { None }
            }
        }
    };
    ($(#[$doc:meta])* pub struct $Table:ident { $($fields:tt)+ }) => {
        $crate::side_tables::table::table! { @columns $(#[$doc])* pub struct $Table { $($fields)+ } }

        impl $Table {
            /// The table with this name.
            pub fn to_table(&self, name: impl Into<String>) -> $crate::side_tables::SideTable {
                $crate::side_tables::SideTable { name: name.into(), columns: self.to_columns() }
            }

            /// Reads the table, whatever its name. `None` where it lacks a column.
            pub fn from_table(table: &$crate::side_tables::SideTable) -> Option<Self> {
                Self::from_columns(table)
            }
        }
    };
    (@columns $(#[$doc:meta])* pub struct $Table:ident { $($(#[$about:meta])+ $column:ident: $cells:ty,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        pub struct $Table {
            $($(#[$about])+ pub $column: $cells,)+
        }

        impl $Table {
            /// The columns in their order.
            pub fn to_columns(&self) -> Vec<(String, Vec<f64>)> {
                let columns = [$((stringify!($column), $crate::side_tables::table::Cells::to_cells(&self.$column))),+];
                columns.into_iter().filter_map(|(name, cells)| Some((name.to_owned(), cells?))).collect()
            }

            fn from_columns(table: &$crate::side_tables::SideTable) -> Option<Self> {
                Some(Self {
                    $($column: $crate::side_tables::table::Cells::from_cells(table.column(stringify!($column)))?,)+
                })
            }
        }
    };
}
pub(super) use table;
