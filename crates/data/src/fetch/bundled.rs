//! Read the compressed files of the folder `data` that this program carries.

use crate::archive::gunzip;
use crate::error::DataError;
use crate::manifest::{Bundled, Dataset, Order};
use uqbench_system::carried;
use uqbench_system::hash::sha256;

/// The uncompressed, verified bytes of a dataset's bundled copy.
///
/// # Errors
/// [`DataError::Manifest`] if the manifest names a file that is not bundled, [`DataError::Archive`]
/// or [`DataError::HashMismatch`] if the file was changed.
pub(super) fn bytes(dataset: &Dataset, bundled: &Bundled) -> Result<Vec<u8>, DataError> {
    file(dataset, &bundled.file, &bundled.sha256)
}

/// The order of a variant's rows: row i of the variant is row `order[i]` of the copy.
///
/// # Errors
/// As [`bytes`]; [`DataError::Manifest`] if the numbers are no permutation of the rows.
pub(super) fn order(dataset: &Dataset, order: &Order) -> Result<Vec<usize>, DataError> {
    let bytes = file(dataset, &order.file, &order.sha256)?;
    let text = String::from_utf8_lossy(&bytes);
    let rows: Vec<usize> = text.lines().filter_map(|line| line.parse().ok()).collect();
    let mut sorted = rows.clone();
    sorted.sort_unstable();
    if sorted.iter().copied().eq(0..dataset.rows) {
        return Ok(rows);
    }
    let message = format!(
        "dataset \"{}\": \"{}\" is no order of {} rows",
        dataset.key, order.file, dataset.rows
    );
    Err(DataError::Manifest { message })
}

fn file(dataset: &Dataset, name: &str, pinned: &str) -> Result<Vec<u8>, DataError> {
    let Some(packed) = carried::bytes(&format!("data/{name}")) else {
        let message = format!(
            "dataset \"{}\": the bundled file \"{name}\" is not in this program",
            dataset.key
        );
        return Err(DataError::Manifest { message });
    };
    let bytes = gunzip(packed, None, name)?;
    let found = sha256(&bytes);
    if found == pinned {
        return Ok(bytes);
    }
    Err(DataError::HashMismatch {
        key: dataset.key.clone(),
        what: name.into(),
        origin: "the bundled files".into(),
        expected: pinned.into(),
        found,
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::Manifest;

    #[test]
    fn every_bundled_file_is_in_the_manifest_and_the_other_way_round() {
        let manifest = Manifest::shipped().unwrap();
        let all = manifest.datasets().iter().chain(manifest.variants());
        let bundled: Vec<&Bundled> = all.filter_map(|dataset| dataset.bundled.as_ref()).collect();
        let orders = bundled.iter().filter_map(|bundled| Some(&bundled.order.as_ref()?.file));
        let mut named: Vec<&str> =
            bundled.iter().map(|bundled| &bundled.file).chain(orders).map(String::as_str).collect();
        named.sort_unstable();
        named.dedup();
        let all = carried::of_checkout(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
        let data =
            all.iter().filter_map(|(path, bytes)| Some((path.strip_prefix("data/")?, bytes.len())));
        let (names, sizes): (Vec<&str>, Vec<usize>) = data.unzip();
        assert_eq!(named, names);
        assert!(sizes.iter().sum::<usize>() < 5 << 20);
    }
}
