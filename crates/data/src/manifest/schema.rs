//! Read the manifest's TOML as it is, before its meaning is checked.

use serde::Deserialize;

use super::dataset::{Archive, Format, Order};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub dataset: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub key: String,
    pub title: String,
    pub citation: String,
    pub doi: Option<String>,
    pub licence: String,
    pub home: String,
    pub rows: usize,
    pub parsed_sha256: Option<String>,
    pub format: Format,
    pub columns: Vec<String>,
    pub header_names: Option<Vec<String>>,
    #[serde(default)]
    pub skip: Vec<String>,
    pub significant_digits: Option<u8>,
    pub features: Vec<Column>,
    #[serde(default)]
    pub not_numeric: Vec<String>,
    pub target: Target,
    pub group: Option<Vec<String>>,
    pub group_size: Option<usize>,
    pub time: Option<Vec<String>>,
    #[serde(default)]
    pub quirks: Vec<String>,
    pub files: Vec<DataFile>,
    pub bundled: Option<Bundled>,
    #[serde(default, rename = "variant")]
    pub variants: Vec<Variant>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Column {
    pub name: String,
    #[serde(default)]
    pub unit: String,
    pub from: Option<String>,
    pub per: Option<String>,
    pub divide: Option<f64>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Target {
    pub name: String,
    #[serde(default)]
    pub unit: String,
    pub from: Option<String>,
    pub per: Option<String>,
    pub divide: Option<f64>,
    pub resolution: Option<f64>,
    pub values: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DataFile {
    pub name: String,
    pub bytes: Option<u64>,
    pub sha256: String,
    pub sources: Vec<Source>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Source {
    pub url: String,
    pub archive: Option<Archive>,
    pub member: Option<String>,
}

/// Absent fields are as in the original.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bundled {
    pub file: String,
    pub sha256: String,
    pub origin: String,
    pub format: Option<Format>,
    pub columns: Option<Vec<String>>,
    pub header_names: Option<Vec<String>>,
    pub skip: Option<Vec<String>>,
}

/// Absent fields are as in the dataset, but that features are none that the variant skips, or that
/// say which rows depend on each other.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Variant {
    pub name: String,
    pub title: String,
    pub format: Option<Format>,
    pub bundled_order: Option<Order>,
    pub skip: Option<Vec<String>>,
    pub features: Option<Vec<Column>>,
    pub target: Option<Target>,
    pub group: Option<Vec<String>>,
    pub group_size: Option<usize>,
    pub time: Option<Vec<String>>,
    #[serde(default)]
    pub detrended: bool,
    pub parsed_sha256: Option<String>,
    #[serde(default)]
    pub quirks: Vec<String>,
}
