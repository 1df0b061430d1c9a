//! Bundle the compressed files of the folder `data` in this program.

use crate::data::archive::gunzip;
use crate::data::error::DataError;
use crate::data::hash::sha256;
use crate::data::manifest::{Bundled, Dataset};

const FILES: &[(&str, &[u8])] = &[
    ("boston.csv.gz", include_bytes!("../../../data/boston.csv.gz")),
    ("california.data.gz", include_bytes!("../../../data/california.data.gz")),
    ("jump1d.csv.gz", include_bytes!("../../../data/jump1d.csv.gz")),
    ("motorcycle-94.csv.gz", include_bytes!("../../../data/motorcycle-94.csv.gz")),
    ("nonstat2d.csv.gz", include_bytes!("../../../data/nonstat2d.csv.gz")),
    ("olympic-marathon.csv.gz", include_bytes!("../../../data/olympic-marathon.csv.gz")),
    ("wine-red.csv.gz", include_bytes!("../../../data/wine-red.csv.gz")),
    ("yacht.data.gz", include_bytes!("../../../data/yacht.data.gz")),
];

/// The uncompressed, verified bytes of a dataset's bundled copy.
///
/// # Errors
/// [`DataError::Manifest`] if the manifest names a file that is not bundled, [`DataError::Archive`] or
/// [`DataError::HashMismatch`] if the file was changed.
pub(super) fn bytes(dataset: &Dataset, bundled: &Bundled) -> Result<Vec<u8>, DataError> {
    let Some((_, packed)) = FILES.iter().find(|(name, _)| *name == bundled.file) else {
        let message =
            format!("dataset \"{}\": the bundled file \"{}\" is not in this program", dataset.key, bundled.file);
        return Err(DataError::Manifest { message });
    };
    let bytes = gunzip(packed, &bundled.file)?;
    let found = sha256(&bytes);
    if found == bundled.sha256 {
        return Ok(bytes);
    }
    Err(DataError::HashMismatch {
        key: dataset.key.clone(),
        what: bundled.file.clone(),
        origin: "the bundled files".into(),
        expected: bundled.sha256.clone(),
        found,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Manifest;

    #[test]
    fn every_bundled_file_is_in_the_manifest_and_the_other_way_round() {
        let manifest = Manifest::shipped().unwrap();
        let mut named: Vec<&str> =
            manifest.datasets().iter().filter_map(|d| d.bundled.as_ref()).map(|b| b.file.as_str()).collect();
        named.sort_unstable();
        assert_eq!(named, FILES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        assert!(FILES.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() < 1 << 20);
    }
}
