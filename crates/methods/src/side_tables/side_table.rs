//! Keep a small table of a fit.

use serde::{Deserialize, Serialize};

/// A small named table of a fit.
///
/// JSON has no number for NaN and infinity: they are stored as `null`, and read again as NaN.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct SideTable {
    /// What it is, such as `weights`.
    pub name: String,
    /// Named columns of equal length.
    pub columns: Vec<(String, Vec<f64>)>,
}

impl SideTable {
    /// The column of this name.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        self.columns.iter().find(|(n, _)| n == name).map(|(_, values)| values.as_slice())
    }
}

/// A table as it is stored, in any format.
#[derive(Serialize, Deserialize)]
struct Stored {
    name: String,
    columns: Vec<(String, Vec<Option<f64>>)>,
}

impl From<Stored> for SideTable {
    fn from(stored: Stored) -> Self {
        let numbers = |values: Vec<Option<f64>>| {
            values.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect()
        };
        let columns =
            stored.columns.into_iter().map(|(name, values)| (name, numbers(values))).collect();
        Self { name: stored.name, columns }
    }
}

impl From<SideTable> for Stored {
    fn from(table: SideTable) -> Self {
        let stored = |values: Vec<f64>| {
            values.into_iter().map(|value| value.is_finite().then_some(value)).collect()
        };
        let columns =
            table.columns.into_iter().map(|(name, values)| (name, stored(values))).collect();
        Self { name: table.name, columns }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_not_finite_are_read_as_nan_and_all_others_unchanged() {
        let values = vec![0.1, f64::NAN, -3e300, f64::INFINITY];
        let starts = SideTable { name: "starts".into(), columns: vec![("ln p".into(), values)] };
        let text = serde_json::to_string(&starts).unwrap();
        assert_eq!(text, r#"{"name":"starts","columns":[["ln p",[0.1,null,-3e+300,null]]]}"#);
        let again: SideTable = serde_json::from_str(&text).unwrap();
        let column = again.column("ln p").unwrap();
        assert_eq!((again.name.as_str(), column[0], column[2]), ("starts", 0.1, -3e300));
        assert!(column[1].is_nan() && column[3].is_nan());
    }
}
