//! Fetch a dataset's bytes from the first source that has them with the pinned hash: cache,
//! bundled, mirror, home.

mod bundled;
mod cache;
mod network;
mod pack;
mod sources;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

pub use network::NetworkOptions;
pub use pack::write_data_pack;

use self::cache::Cache;
use self::sources::Sources;
use super::error::DataError;
use super::formats::{FileBytes, parse, parsed_sha256};
use super::manifest::{Dataset, Layout};
use super::own::{OwnDataset, OwnError};
use uq_core::Table;
use uq_core::printable::printable;
use uqbench_system::hash::sha256;
use uqbench_system::{Disk, Patient, RealDisk};

/// The sources of data.
#[derive(Clone, Debug, Default)]
pub struct SourceOptions {
    /// The cache folder; by default the platform's own.
    pub cache: Option<PathBuf>,
    /// A folder or an http(s) address laid out as `<key>/<file>`, where a folder may have
    /// `<key>/<file>.gz` in its place; or a zip file of such members ([`write_data_pack`]).
    pub mirror: Option<String>,
    /// Never open a socket.
    pub offline: bool,
    /// Show a progress bar on standard error, if that is a terminal.
    pub progress: bool,
    /// How long to wait for hosts.
    pub network: NetworkOptions,
}

/// The source of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The cache, with the original source where it was recorded.
    Cache(Option<String>),
    /// The copy in this program.
    Bundled,
    /// A mirror's file.
    Mirror(String),
    /// The dataset's home.
    Home(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cache(None) => out.write_str("cache"),
            Self::Cache(Some(from)) => write!(out, "cache, from {}", printable(from, 160)),
            Self::Bundled => out.write_str("bundled"),
            Self::Mirror(from) => write!(out, "mirror {}", printable(from, 160)),
            Self::Home(from) => write!(out, "home {}", printable(from, 160)),
        }
    }
}

/// The state of a dataset without access to a mirror or a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// All files are in the cache and have the pinned hashes.
    Cached(Origin),
    /// A copy is bundled in this program.
    Bundled,
    /// A file in the cache has another hash than the pinned one, and there is no bundled copy.
    Damaged(PathBuf),
    /// It is neither cached nor bundled.
    Absent,
}

/// A table and its source.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The table.
    pub table: Arc<Table>,
    /// The source of its bytes (of the first file, for a set of several).
    pub origin: Origin,
    /// SHA-256 of the parsed matrix: equal to the pin, if there is one.
    pub parsed_sha256: String,
    /// Why the files could not be cached; `None` if they are cached, or need not be.
    pub not_cached: Option<DataError>,
}

/// The bytes that a table is parsed from.
struct Material<'a> {
    layout: &'a Layout,
    files: Vec<(Cow<'a, str>, Vec<u8>)>,
    /// The order of the table's rows among those of the files; `None` for the files' own.
    order: Option<Vec<usize>>,
    origin: Origin,
    not_cached: Option<DataError>,
}

impl<'a> Material<'a> {
    fn new(layout: &'a Layout, origin: Origin) -> Self {
        Self { layout, files: Vec::new(), order: None, origin, not_cached: None }
    }
}

/// All datasets. Each is fetched when it is first requested. Can be shared between threads.
pub struct Library {
    cache: Cache,
    sources: Sources,
    tables: Mutex<HashMap<String, Loaded>>,
    own: Mutex<HashMap<String, Arc<Table>>>,
}

impl Library {
    /// A library with these sources. Nothing is read or fetched yet.
    pub fn new(options: SourceOptions) -> Self {
        Self::on(Arc::new(RealDisk), options)
    }

    /// A library whose cache is on the given disk.
    pub fn on(disk: Arc<dyn Disk>, options: SourceOptions) -> Self {
        let root = options.cache.clone().unwrap_or_else(default_cache);
        Self {
            cache: Cache::new(Patient::with(disk), root),
            sources: Sources::new(&options),
            tables: Mutex::default(),
            own: Mutex::default(),
        }
    }

    /// The bytes at an http(s) address, which nothing verifies.
    ///
    /// # Errors
    /// Why they could not be fetched.
    pub fn download(&self, address: &str) -> Result<Vec<u8>, String> {
        self.sources.get(address)
    }

    /// The table of a dataset: fetched if necessary, verified, parsed, its matrix verified, and
    /// kept for the next call. A cache that cannot be written is no error.
    ///
    /// # Errors
    /// [`DataError::Unavailable`] if no source could be reached, [`DataError::HashMismatch`] if a
    /// source had other bytes and no source the right ones, and the errors of parsing.
    pub fn load(&self, dataset: &Dataset) -> Result<Arc<Table>, DataError> {
        self.loaded(dataset).map(|loaded| loaded.table)
    }

    /// As [`Library::load`], but also returns the source and the parsed matrix's hash.
    ///
    /// # Errors
    /// As [`Library::load`].
    pub fn loaded(&self, dataset: &Dataset) -> Result<Loaded, DataError> {
        // Two manifests may use the same key, so the definition is part of the map's key.
        let name = format!("{} {}", dataset.key, dataset.definition());
        if let Some(loaded) = self.tables.lock().unwrap_or_else(PoisonError::into_inner).get(&name)
        {
            return Ok(loaded.clone());
        }
        let loaded = read(dataset, self.material(dataset, true)?)?;
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).insert(name, loaded.clone());
        Ok(loaded)
    }

    /// The table of a user's file, kept for the next call.
    ///
    /// # Errors
    /// As [`OwnDataset::load`].
    pub fn own_table(&self, dataset: &OwnDataset) -> Result<Arc<Table>, OwnError> {
        let name = format!("{} {}", dataset.sha256, dataset.path.display());
        if let Some(table) = self.own.lock().unwrap_or_else(PoisonError::into_inner).get(&name) {
            return Ok(table.clone());
        }
        let table = Arc::new(dataset.load()?);
        self.own.lock().unwrap_or_else(PoisonError::into_inner).insert(name, table.clone());
        Ok(table)
    }

    /// Fetches a dataset's bytes if necessary and verifies their hashes, without parsing them.
    ///
    /// # Errors
    /// As [`Library::load`], except the errors of parsing.
    pub fn prepare(&self, dataset: &Dataset) -> Result<(), DataError> {
        self.material(dataset, true).map(|_| ())
    }

    /// The verified bytes of a dataset's first file, for one that is no table; fetched if
    /// necessary.
    ///
    /// # Errors
    /// As [`Library::prepare`].
    pub fn bytes(&self, dataset: &Dataset) -> Result<Vec<u8>, DataError> {
        let material = self.material(dataset, true)?;
        Ok(material.files.into_iter().next().map(|(_, bytes)| bytes).unwrap_or_default())
    }

    /// Fetches a dataset into the cache, unless it is cached or bundled, and parses it.
    ///
    /// # Errors
    /// As [`Library::load`], and [`DataError::Cache`] if the files cannot be cached.
    pub fn fetch(&self, dataset: &Dataset) -> Result<Loaded, DataError> {
        let loaded = self.loaded(dataset)?;
        match loaded.not_cached {
            Some(error) => Err(error),
            None => Ok(loaded),
        }
    }

    /// Reads, hashes and parses the cached or bundled files again, without access to a mirror or a
    /// host.
    ///
    /// # Errors
    /// [`DataError::Unavailable`] if the dataset is neither cached nor bundled,
    /// [`DataError::HashMismatch`] if it is damaged.
    pub fn verify(&self, dataset: &Dataset) -> Result<Loaded, DataError> {
        read(dataset, self.material(dataset, false)?)
    }

    /// The state of a dataset, with its hashes verified.
    ///
    /// # Errors
    /// [`DataError::Cache`] if the cache cannot be read.
    pub fn status(&self, dataset: &Dataset) -> Result<Status, DataError> {
        let mut missing = false;
        let mut damaged = None;
        for file in &dataset.files {
            match self.cache.read(dataset.folder(), &file.name)? {
                None => missing = true,
                Some(bytes) if sha256(&bytes) != file.sha256 => {
                    damaged = Some(self.cache.path(dataset.folder(), &file.name));
                }
                Some(_) => {}
            }
        }
        Ok(match damaged {
            None if !missing => {
                let from = dataset
                    .files
                    .first()
                    .and_then(|file| self.cache.origin(dataset.folder(), &file.name));
                Status::Cached(Origin::Cache(from))
            }
            _ if dataset.bundled.is_some() => Status::Bundled,
            Some(path) => Status::Damaged(path),
            None => Status::Absent,
        })
    }

    fn material<'a>(
        &self,
        dataset: &'a Dataset,
        ask_others: bool,
    ) -> Result<Material<'a>, DataError> {
        if let Some(bundled) = &dataset.bundled
            && !matches!(self.status(dataset), Ok(Status::Cached(_)))
        {
            let bytes = bundled::bytes(dataset, bundled)?;
            let files = vec![(Cow::Borrowed(bundled.file.trim_end_matches(".gz")), bytes)];
            let order =
                bundled.order.as_ref().map(|order| bundled::order(dataset, order)).transpose()?;
            return Ok(Material {
                files,
                order,
                ..Material::new(&bundled.layout, Origin::Bundled)
            });
        }
        let mut material = Material::new(&dataset.layout, Origin::Cache(None));
        for (index, file) in dataset.files.iter().enumerate() {
            let found = self.sources.file(&self.cache, dataset, file, ask_others)?;
            if index == 0 {
                material.origin = found.origin;
            }
            material.not_cached = material.not_cached.or(found.not_cached);
            material.files.push((Cow::Borrowed(file.name.as_str()), found.bytes));
        }
        Ok(material)
    }
}

fn read(dataset: &Dataset, material: Material<'_>) -> Result<Loaded, DataError> {
    let files: Vec<FileBytes<'_>> = material
        .files
        .iter()
        .map(|(name, bytes)| FileBytes { name: name.as_ref(), bytes })
        .collect();
    let mut table = parse(dataset, material.layout, &files)?;
    if let Some(order) = &material.order {
        table = table.select(order);
    }
    let found = parsed_sha256(&table);
    if let Some(expected) = &dataset.parsed_sha256
        && *expected != found
    {
        return Err(DataError::HashMismatch {
            key: dataset.key.clone(),
            what: "parsed matrix".into(),
            origin: material.origin.to_string(),
            expected: expected.clone(),
            found,
        });
    }
    Ok(Loaded {
        table: Arc::new(table),
        origin: material.origin,
        parsed_sha256: found,
        not_cached: material.not_cached,
    })
}

/// The platform's cache folder for this program; a temporary folder for a user without a home.
fn default_cache() -> PathBuf {
    match directories::ProjectDirs::from("", "", "uqbench") {
        Some(folders) => folders.cache_dir().join("data"),
        None => std::env::temp_dir().join("uqbench").join("data"),
    }
}

#[cfg(test)]
mod server;
#[cfg(test)]
mod tests;
