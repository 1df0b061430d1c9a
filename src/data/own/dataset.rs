//! A user's table as a dataset of a benchmark. Its trials are named by its numbers, so that an edited file has trials of its own.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::bytes::{Charset, is_standard_input};
use super::cells::Cells;
use super::error::OwnError;
use super::table::OwnTable;
use crate::data::{Table, parsed_sha256};

/// Under this key a definition has the hash of the numbers.
const NUMBERS: &str = "own_table";

/// A table in a file, as it was when it was first read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnDataset {
    /// The file; absolute, because trials run in other processes.
    pub path: PathBuf,
    /// The column to predict.
    pub target: String,
    /// Columns that are no features.
    pub drop: Vec<String>,
    /// Characters of a text file.
    pub encoding: Charset,
    /// Number of rows.
    pub rows: usize,
    /// Number of features.
    pub features: usize,
    /// SHA-256 of features and target as numbers.
    pub sha256: String,
    /// Whether a feature is missing in some row.
    #[serde(default)]
    pub has_missing: bool,
}

impl OwnDataset {
    /// Reads a file, to find what is wrong with it and to name its numbers.
    ///
    /// # Errors
    /// [`OwnError`] as [`OwnTable::new`]; standard input is refused, because each process reads the file.
    pub fn read(path: &Path, target: &str, drop: &[String], encoding: Charset) -> Result<Self, OwnError> {
        if is_standard_input(path) {
            return Err(super::error::shape(
                "standard input",
                "no file",
                "the path of a file, which several processes read",
            ));
        }
        let table = table(path, target, drop, encoding)?;
        Ok(Self {
            path: path.to_owned(),
            target: target.to_owned(),
            drop: drop.to_vec(),
            encoding,
            rows: table.rows(),
            features: table.columns(),
            sha256: parsed_sha256(&table),
            has_missing: table.features.iter().any(|value| value.is_nan()),
        })
    }

    /// What identifies the data in a trial's key. Trials on tables with missing values ran with medians in their place before methods
    /// could take them, and have other keys.
    pub fn definition(&self) -> Value {
        match self.has_missing {
            false => json!({ NUMBERS: self.sha256 }),
            true => json!({ NUMBERS: self.sha256, "missing": "taken as it is by methods that can" }),
        }
    }

    /// Whether a trial's key names data of this kind.
    pub fn is_definition(definition: &Value) -> bool {
        Self::numbers_of(definition).is_some()
    }

    /// SHA-256 of the numbers that a trial's key names; `None` for data of another kind.
    pub fn numbers_of(definition: &Value) -> Option<&str> {
        definition.get(NUMBERS)?.as_str()
    }

    /// The table.
    ///
    /// # Errors
    /// [`OwnError`] as [`OwnDataset::read`], and where the file has other numbers than then.
    pub fn load(&self) -> Result<Table, OwnError> {
        let table = table(&self.path, &self.target, &self.drop, self.encoding)?;
        if parsed_sha256(&table) != self.sha256 {
            let file = self.path.display().to_string();
            let expected = "the numbers that it had when the run began; start the run again for the new ones";
            return Err(super::error::shape(&file, "other numbers", expected));
        }
        Ok(table)
    }
}

fn table(path: &Path, target: &str, drop: &[String], encoding: Charset) -> Result<Table, OwnError> {
    let cells = Cells::read_as(path, encoding)?;
    Ok(OwnTable::new(&cells, target, drop)?.table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_dataset_is_named_by_its_numbers_and_a_changed_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my.csv");
        let lines: String = (0..30).map(|i| format!("{i},{},{}\n", 100 - i, i * i)).collect();
        fs::write(&path, format!("a,b,y\n{lines}")).unwrap();
        let read = |drop: &[String]| OwnDataset::read(&path, "y", drop, Charset::Utf8);
        let own = read(&[]).unwrap();
        assert_eq!((own.rows, own.features), (30, 2));
        assert_eq!(own.load().unwrap().target[5], 25.0);
        assert!(OwnDataset::is_definition(&own.definition()) && !OwnDataset::is_definition(&json!({ "rows": 3 })));
        assert_ne!(read(&["b".into()]).unwrap().definition(), own.definition());
        // The same numbers in other words are the same data.
        fs::write(&path, format!("a;b;y\n{}", lines.replace(',', ";"))).unwrap();
        assert_eq!(read(&[]).unwrap(), own);
        fs::write(&path, format!("a,b,y\n{}", lines.replacen("0,100,0", "0,100,1", 1))).unwrap();
        assert!(own.load().unwrap_err().to_string().contains("start the run again"));
        // A table with a missing value has a key of its own kind, because methods may take it.
        fs::write(&path, format!("a,b,y\n{}", lines.replacen("7,93,49", "7,,49", 1))).unwrap();
        let missing = read(&[]).unwrap();
        assert!(missing.has_missing && !own.has_missing && missing.definition().get("missing").is_some());
        assert_eq!(OwnDataset::numbers_of(&missing.definition()), Some(missing.sha256.as_str()));
        let stdin = OwnDataset::read(Path::new("-"), "y", &[], Charset::Utf8).unwrap_err();
        assert!(stdin.to_string().contains("the path of a file"), "{stdin}");
    }
}
