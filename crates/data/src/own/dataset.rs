//! A user's table as a dataset of a benchmark. Its trials are named by its numbers, so that an
//! edited file has trials of its own.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::bytes::is_standard_input;
use super::cells::Cells;
use super::error::OwnError;
use super::file_format::FileFormat;
use super::rules::CellRules;
use super::same::TableNumbers;
use super::table::OwnTable;
use super::words::Setting;
use crate::parsed_sha256;
use uq_core::Table;

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
    /// How the file is read, where its bytes do not say it.
    #[serde(flatten)]
    pub format: FileFormat,
    /// How its cells are read.
    #[serde(default, skip_serializing_if = "CellRules::is_default")]
    pub rules: CellRules,
    /// Number of rows.
    pub rows: usize,
    /// Number of features.
    pub features: usize,
    /// SHA-256 of features and target as numbers.
    pub sha256: String,
    /// Whether a feature is missing in some row.
    #[serde(default)]
    pub has_missing: bool,
    /// What its numbers are in any order, to find one table under several names.
    #[serde(default)]
    pub numbers: TableNumbers,
}

impl OwnDataset {
    /// Reads a file, to find what is wrong with it and to name its numbers; with the table that it
    /// has.
    ///
    /// # Errors
    /// One or more: every column that is not there, or else the [`OwnError`] of [`OwnTable::new`];
    /// standard input is refused, because each process reads the file.
    pub fn read(
        path: &Path,
        target: &str,
        drop: &[String],
        format: &FileFormat,
    ) -> Result<(Self, Table), Vec<OwnError>> {
        Self::read_with(path, target, drop, format, &CellRules::default())
    }

    /// The dataset of cells that are read by rules.
    ///
    /// # Errors
    /// As [`OwnDataset::read`].
    pub fn read_with(
        path: &Path,
        target: &str,
        drop: &[String],
        format: &FileFormat,
        rules: &CellRules,
    ) -> Result<(Self, Table), Vec<OwnError>> {
        if is_standard_input(path) {
            let expected = "the path of a file, which several processes read";
            return Err(vec![super::error::shape("standard input", "no file", expected)]);
        }
        let cells = Cells::read_as(path, format).map_err(|error| vec![error])?;
        let table = OwnTable::with_rules(&cells, target, drop, None, rules);
        let table = table.map_err(|first| all_wrong(&cells, target, drop, first))?;
        let table = table.table;
        let own = Self {
            path: path.to_owned(),
            target: target.to_owned(),
            drop: drop.to_vec(),
            format: format.clone(),
            rules: rules.clone(),
            rows: table.rows(),
            features: table.columns(),
            sha256: parsed_sha256(&table),
            has_missing: table.features.iter().any(|value| value.is_nan()),
            numbers: TableNumbers::of(&table),
        };
        Ok((own, table))
    }

    /// What identifies the data in a trial's key. Trials on tables with missing values ran with
    /// medians in their place before methods could take them, and have other keys.
    pub fn definition(&self) -> Value {
        match self.has_missing {
            false => json!({ NUMBERS: self.sha256 }),
            true => {
                json!({ NUMBERS: self.sha256, "missing": "taken as it is by methods that can" })
            }
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
        let table = self.read_again()?;
        if parsed_sha256(&table) != self.sha256 {
            let file = self.path.display().to_string();
            let expected =
                "the numbers that it had when the run began; start the run again for the new ones";
            return Err(super::error::shape(&file, "other numbers", expected));
        }
        Ok(table)
    }

    fn read_again(&self) -> Result<Table, OwnError> {
        let cells = Cells::read_as(&self.path, &self.format)?;
        Ok(OwnTable::with_rules(&cells, &self.target, &self.drop, None, &self.rules)?.table)
    }
}

/// Every column that is not there, or what else was found first. A wrong column to drop hides
/// nothing that is wrong with the table.
fn all_wrong(cells: &Cells, target: &str, drop: &[String], first: OwnError) -> Vec<OwnError> {
    let named = [(Setting::Target, target)]
        .into_iter()
        .chain(drop.iter().map(|name| (Setting::Drop, name.as_str())));
    let mut all = match first {
        OwnError::UnknownColumn { .. } => {
            named.filter_map(|(setting, name)| cells.place(setting, name).err()).collect()
        }
        first => vec![first],
    };
    let is_of_drop = |error: &OwnError| {
        matches!(
            error,
            OwnError::UnknownColumn { setting: Some(Setting::Drop), .. }
                | OwnError::DropsTarget { .. }
        )
    };
    if all.iter().all(is_of_drop) {
        let is_right = |name: &&String| {
            cells
                .place(Setting::Drop, name)
                .is_ok_and(|place| cells.place(Setting::Target, target) != Ok(place))
        };
        let drop: Vec<String> = drop.iter().filter(is_right).cloned().collect();
        all.extend(OwnTable::new(cells, target, &drop).err());
    }
    all
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
        let read = |drop: &[String]| {
            OwnDataset::read(&path, "y", drop, &FileFormat::default()).map(|(own, _)| own)
        };
        let own = read(&[]).unwrap();
        assert_eq!((own.rows, own.features), (30, 2));
        assert_eq!(own.load().unwrap().target[5], 25.0);
        assert!(
            OwnDataset::is_definition(&own.definition())
                && !OwnDataset::is_definition(&json!({ "rows": 3 }))
        );
        assert_ne!(read(&["b".into()]).unwrap().definition(), own.definition());
        // The same numbers in other words are the same data.
        fs::write(&path, format!("a;b;y\n{}", lines.replace(',', ";"))).unwrap();
        assert_eq!(read(&[]).unwrap(), own);
        fs::write(&path, format!("a,b,y\n{}", lines.replacen("0,100,0", "0,100,1", 1))).unwrap();
        assert!(own.load().unwrap_err().to_string().contains("start the run again"));
        // A table with a missing value has a key of its own kind, because methods may take it.
        fs::write(&path, format!("a,b,y\n{}", lines.replacen("7,93,49", "7,,49", 1))).unwrap();
        let missing = read(&[]).unwrap();
        assert!(
            missing.has_missing
                && !own.has_missing
                && missing.definition().get("missing").is_some()
        );
        assert_eq!(OwnDataset::numbers_of(&missing.definition()), Some(missing.sha256.as_str()));
        let stdin = OwnDataset::read(Path::new("-"), "y", &[], &FileFormat::default()).unwrap_err();
        assert!(stdin[0].to_string().contains("the path of a file"), "{stdin:?}");
    }
}
