//! Find datasets that are one table under several names.

use super::note::FieldNote;
use super::{Block, Field};
use uqbench_data::own::{TableNumbers, first_same, same_tables};

impl Field {
    /// Marks the datasets that have the numbers of an earlier one, and warns of them. A dataset
    /// that is run under several protocols is one.
    pub(super) fn mark_same_tables(&mut self) {
        let mut datasets: Vec<&Block> = Vec::new();
        for block in &self.blocks {
            if block.numbers.is_some() && !datasets.iter().any(|known| known.key == block.key) {
                datasets.push(block);
            }
        }
        let tables: Vec<Option<&TableNumbers>> =
            datasets.iter().map(|block| block.numbers.as_ref()).collect();
        let firsts = first_same(&tables);
        let named: Vec<(&str, &TableNumbers)> = datasets
            .iter()
            .filter_map(|block| Some((block.key.as_str(), block.numbers.as_ref()?)))
            .collect();
        self.findings = same_tables(&named);
        let same: Vec<(String, String)> = datasets
            .iter()
            .zip(firsts)
            .filter_map(|(block, first)| {
                Some((block.key.clone(), datasets.get(first?)?.heading.clone()))
            })
            .collect();
        for block in &mut self.blocks {
            block.same_as =
                same.iter().find(|(key, _)| *key == block.key).map(|(_, heading)| heading.clone());
        }
        self.notes.extend(self.findings.iter().cloned().map(FieldNote::SameTables));
    }
}
