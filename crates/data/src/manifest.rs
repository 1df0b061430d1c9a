//! Read the manifest: every dataset by its key, with its meaning checked.

mod check;
mod check_table;
mod dataset;
mod schema;
mod table;

use std::sync::OnceLock;

pub use dataset::{
    Archive, Bundled, Column, DataFile, Dataset, Format, HomeSource, Layout, Order, Part, Sheet,
};
pub use table::{DependentRows, Stacked, TableOptions};

use super::error::DataError;
use super::nesting::check_nesting;
use uq_core::names::nearest_name;
use uq_core::printable::printable;
use uqbench_system::carried::text;

/// All datasets by their keys.
#[derive(Clone, Debug)]
pub struct Manifest {
    datasets: Vec<Dataset>,
    variants: Vec<Dataset>,
}

impl Manifest {
    /// The manifest that this program carries; parsed once.
    ///
    /// # Errors
    /// [`DataError::Manifest`] if it carries none, or an invalid one; a test checks that it is
    /// valid.
    pub fn shipped() -> Result<&'static Self, DataError> {
        static MANIFEST: OnceLock<Result<Manifest, DataError>> = OnceLock::new();
        let none = || DataError::Manifest {
            message: "this program does not carry data-manifest.toml".into(),
        };
        MANIFEST
            .get_or_init(|| Self::parse(text("data-manifest.toml").ok_or_else(none)?))
            .as_ref()
            .map_err(Clone::clone)
    }

    /// The manifest of a TOML text.
    ///
    /// # Errors
    /// [`DataError::Manifest`] for a text that is not TOML, an unknown or absent field, and
    /// everything that `check.rs` finds.
    pub fn parse(text: &str) -> Result<Self, DataError> {
        let wrong = |error: toml::de::Error| DataError::Manifest { message: error.to_string() };
        check_nesting(text).map_err(wrong)?;
        let file: schema::File = toml::from_str(text).map_err(wrong)?;
        let mut manifest = Self { datasets: Vec::new(), variants: Vec::new() };
        for entry in file.dataset {
            let (dataset, variants) = check::entry(entry)?;
            manifest.datasets.push(dataset);
            manifest.variants.extend(variants);
        }
        let keys: Vec<&str> = manifest.all().map(|dataset| dataset.key.as_str()).collect();
        if let Some(key) = check::first_duplicate(&keys) {
            return Err(DataError::Manifest {
                message: format!("two datasets have the key \"{key}\""),
            });
        }
        Ok(manifest)
    }

    /// The dataset `key`, or its variant for `key:variant`.
    ///
    /// # Errors
    /// [`DataError::Unknown`] with the nearest key.
    pub fn get(&self, key: &str) -> Result<&Dataset, DataError> {
        self.all().find(|dataset| dataset.key == key).ok_or_else(|| {
            let nearest = nearest_name(key, self.all().map(|dataset| dataset.key.as_str()));
            DataError::Unknown { key: printable(key, 60), nearest }
        })
    }

    /// Whether the target of this shipped dataset is discrete ([`Dataset::is_discrete`]). `false`
    /// for a key that is not in the manifest, as those of simulated problems.
    pub fn is_discrete(key: &str) -> bool {
        let dataset = Self::shipped().ok().and_then(|manifest| manifest.get(key).ok());
        dataset.is_some_and(Dataset::is_discrete)
    }

    /// The datasets in the manifest's order, without their variants.
    pub fn datasets(&self) -> &[Dataset] {
        &self.datasets
    }

    /// The variants in the manifest's order.
    pub fn variants(&self) -> &[Dataset] {
        &self.variants
    }

    fn all(&self) -> impl Iterator<Item = &Dataset> {
        self.datasets.iter().chain(&self.variants)
    }
}

#[cfg(test)]
mod tests;
