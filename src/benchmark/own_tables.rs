//! Datasets of a benchmark that are files of the user: `file`, `target`, `drop` and `encoding` of a dataset.

use super::{Benchmark, BenchmarkError, DatasetRow};
use crate::data::Manifest;
use crate::data::objectives::Objective;
use crate::data::own::{Charset, OwnDataset};
use crate::data::simulated::Simulated;

impl DatasetRow {
    /// Whether another dataset has this key.
    fn is_known(&self) -> bool {
        let pinned = Manifest::shipped().is_ok_and(|manifest| manifest.get(&self.key).is_ok());
        pinned || Simulated::get(&self.key).is_some() || Objective::get(&self.key).is_some()
    }
}

impl Benchmark {
    /// Finds the first dataset whose keys do not fit together.
    ///
    /// # Errors
    /// A message that states what is wrong.
    pub(super) fn check_own_tables(&self) -> Result<(), String> {
        for row in &self.datasets {
            let key = &row.key;
            let others = row.target.is_some() || !row.drop.is_empty() || row.encoding != Charset::default();
            match (&row.file, &row.target) {
                (None, _) if others => {
                    return Err(format!(
                        "dataset `{key}`: `target`, `drop` and `encoding` belong to a `file`, and it has none"
                    ));
                }
                (Some(_), None) => {
                    return Err(format!("dataset `{key}`: a `file` needs a `target`, the column to predict"));
                }
                (Some(_), _) if row.is_known() => {
                    return Err(format!(
                        "dataset `{key}`: uqbench has another dataset of this key; choose another one"
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the files of the datasets that have one, so that their trials can be planned. A path is relative to the folder of the
    /// benchmark file.
    ///
    /// # Errors
    /// [`BenchmarkError::Meaning`] that names every file with a mistake.
    pub(super) fn read_own_tables(&mut self, name: &str) -> Result<(), BenchmarkError> {
        let folder = self.folder.clone().unwrap_or_default();
        let mut wrong = Vec::new();
        for row in &mut self.datasets {
            let Some((file, target)) = row.file.as_ref().zip(row.target.as_ref()) else { continue };
            match OwnDataset::read(&folder.join(file), target, &row.drop, row.encoding) {
                Ok(own) => row.own = Some(own),
                Err(error) => wrong.push(format!("dataset `{}`: {error}", row.key)),
            }
        }
        if wrong.is_empty() {
            return Ok(());
        }
        Err(BenchmarkError::Meaning { name: name.into(), message: wrong.join("\n") })
    }
}
