//! Write JSON: an array with one object for each row, keyed by the headings.

use serde_json::{Map, Value};

use crate::grid::{Cell, Grid};

impl Grid {
    /// The table in JSON; cells of number columns are numbers where they can be, and `null` where
    /// they are empty.
    pub fn json(&self) -> String {
        let object = |row: &Vec<Cell>| {
            let keyed = self.head.iter().zip(&self.numeric).zip(row);
            Value::Object(
                keyed
                    .map(|((key, &numeric), cell)| (key.clone(), value(&cell.text, numeric)))
                    .collect::<Map<_, _>>(),
            )
        };
        let lines: Vec<String> = self.rows.iter().map(|row| object(row).to_string()).collect();
        format!("[\n{}\n]\n", lines.join(",\n"))
    }
}

/// JSON has no infinity: an infinite number stays text.
fn value(cell: &str, numeric: bool) -> Value {
    match cell.parse::<f64>() {
        _ if !numeric => cell.into(),
        _ if cell.is_empty() => Value::Null,
        Ok(number) if number.is_finite() => {
            cell.parse::<i64>().map_or_else(|_| number.into(), Value::from)
        }
        _ => cell.into(),
    }
}
