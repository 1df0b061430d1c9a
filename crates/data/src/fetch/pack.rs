//! Pack the files of datasets into one zip file, which is a mirror.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{self, Cursor, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::Library;
use crate::error::DataError;
use crate::manifest::Dataset;
use uqbench_system::files::write_whole;

/// Slowest and smallest: a pack is made once.
const LEVEL: i64 = 9;

/// Writes the files of datasets as members `<key>/<file>` of a zip file; fetches them if necessary.
/// Datasets that are bundled are left out, because whoever reads the pack has them. The members
/// have a fixed order and time, so that the same files give the same bytes. The names of the
/// members. Whether the licences allow the pack to be shared is for the caller to know.
///
/// # Errors
/// As [`Library::prepare`]; [`DataError::Output`] if the file cannot be written.
pub fn write_data_pack(
    library: &Library,
    datasets: &[&Dataset],
    path: &Path,
) -> Result<Vec<String>, DataError> {
    let mut members = BTreeMap::new();
    for dataset in datasets.iter().filter(|dataset| dataset.bundled.is_none()) {
        for file in &dataset.files {
            let name = format!("{}/{}", dataset.folder(), file.name);
            // Variants share the files of their dataset.
            if let Entry::Vacant(member) = members.entry(name) {
                member.insert(library.sources.file(&library.cache, dataset, file, true)?.bytes);
            }
        }
    }
    let failed =
        |error: io::Error| DataError::Output { message: format!("{}: {error}", path.display()) };
    let bytes = packed(&members).map_err(failed)?;
    write_whole(library.cache.disk(), path, &bytes).map_err(failed)?;
    Ok(members.into_keys().collect())
}

/// The bytes of a zip file with these members.
fn packed(members: &BTreeMap<String, Vec<u8>>) -> io::Result<Vec<u8>> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(LEVEL))
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        zip.start_file(name.as_str(), options)?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}
