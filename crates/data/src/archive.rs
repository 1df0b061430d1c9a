//! Unpack one member of an archive, by its exact name and with a size limit.

use std::io::{Cursor, Read, Seek};

use flate2::read::GzDecoder;
use zip::ZipArchive;

use super::error::DataError;
use super::manifest::Archive;
use uq_core::printable::printable;

/// The largest file that is ever unpacked or downloaded, in bytes.
pub(super) const LARGEST: u64 = 256 << 20;
/// Largest ratio of unpacked to packed size. Text of numbers has a ratio of about 10, an archive
/// bomb of 1000.
const LARGEST_RATIO: u64 = 200;

/// The bytes of the member `name`. At most `size` bytes are unpacked where the size is pinned, and
/// never more than [`LARGEST`] or than 200 times the packed bytes. `label` names the archive in
/// errors.
///
/// # Errors
/// [`DataError::Archive`] for an invalid archive, an absent member, and a member that unpacks to
/// more than its limit.
pub fn member(
    kind: Archive,
    bytes: &[u8],
    name: &str,
    size: Option<u64>,
    label: &str,
) -> Result<Vec<u8>, DataError> {
    let wrong = |message: String| wrong(label, &message);
    match kind {
        Archive::Zip => zip_member(Cursor::new(bytes), bytes.len() as u64, name, size, label),
        Archive::TarGz => {
            let unpacked =
                unpack(GzDecoder::new(bytes), bytes.len() as u64, None).map_err(wrong)?;
            let mut archive = tar::Archive::new(Cursor::new(unpacked));
            let mut names = Vec::new();
            for entry in archive.entries().map_err(|error| wrong(error.to_string()))? {
                let entry = entry.map_err(|error| wrong(error.to_string()))?;
                if *entry.path_bytes() == *name.as_bytes() && entry.header().entry_type().is_file()
                {
                    let packed = entry.size();
                    return unpack(entry, packed, size)
                        .map_err(|error| wrong(format!("member \"{name}\": {error}")));
                }
                names.push(String::from_utf8_lossy(&entry.path_bytes()).into_owned());
            }
            Err(wrong(format!("there is no member \"{name}\"; it has {}", names.join(", "))))
        }
    }
}

/// The bytes of the member `name` of a zip file of `length` bytes, with the limits of [`member`].
///
/// # Errors
/// As [`member`].
pub fn zip_member(
    zip: impl Read + Seek,
    length: u64,
    name: &str,
    size: Option<u64>,
    label: &str,
) -> Result<Vec<u8>, DataError> {
    let wrong = |message: String| wrong(label, &message);
    let mut archive = ZipArchive::new(zip).map_err(|error| wrong(error.to_string()))?;
    let mut names: Vec<String> = archive
        .file_names()
        .map_while(|name| name.ok())
        .map(|name| name.into_owned())
        .take(20)
        .collect();
    names.sort_unstable();
    let file = archive.by_name(name).map_err(|error| {
        let all = names.join(", ");
        wrong(format!("cannot read the member \"{name}\": {error}; it has {all}"))
    })?;
    let packed = file.compressed_size().min(length);
    unpack(file, packed, size).map_err(|error| wrong(format!("member \"{name}\": {error}")))
}

/// The uncompressed bytes of a gzip file, at most `size` where the size is pinned, and with the
/// other limits of [`member`].
///
/// # Errors
/// [`DataError::Archive`] for an invalid gzip file, and for one that unpacks to more than its
/// limit.
pub fn gunzip(bytes: &[u8], size: Option<u64>, label: &str) -> Result<Vec<u8>, DataError> {
    unpack(GzDecoder::new(bytes), bytes.len() as u64, size)
        .map_err(|message| wrong(label, &message))
}

fn wrong(label: &str, message: &str) -> DataError {
    DataError::Archive { archive: label.into(), message: printable(message, 300) }
}

fn unpack(reader: impl Read, packed: u64, size: Option<u64>) -> Result<Vec<u8>, String> {
    let by_ratio = packed.saturating_mul(LARGEST_RATIO).min(LARGEST);
    let cap = size.map_or(by_ratio, |size| size.min(by_ratio));
    let mut bytes = Vec::new();
    reader.take(cap + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 <= cap {
        return Ok(bytes);
    }
    Err(match size {
        Some(size) if cap == size => format!("unpacks to more than its pinned {size} bytes"),
        _ => format!(
            "unpacks to more than {cap} bytes ({LARGEST_RATIO} times its packed size or \
             {LARGEST}): refused"
        ),
    })
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use proptest::prelude::*;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    /// A zip file with these members.
    pub(crate) fn zip_of_all(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in members {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    /// A zip file with one member.
    pub(crate) fn zip_of(name: &str, bytes: &[u8]) -> Vec<u8> {
        zip_of_all(&[(name, bytes)])
    }

    fn tar_gz_of(name: &str, bytes: &[u8]) -> Vec<u8> {
        let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        builder.append_data(&mut header, name, bytes).unwrap();
        builder.into_inner().unwrap().finish().unwrap()
    }

    #[test]
    fn members_are_found_by_their_exact_name() {
        for (kind, bytes) in [
            (Archive::Zip, zip_of("a b/data.txt", b"1 2\n")),
            (Archive::TarGz, tar_gz_of("a b/data.txt", b"1 2\n")),
        ] {
            assert_eq!(member(kind, &bytes, "a b/data.txt", Some(4), "x").unwrap(), b"1 2\n");
            let error = member(kind, &bytes, "data.txt", None, "x").unwrap_err().to_string();
            assert!(error.starts_with("x: ") && error.contains("a b/data.txt"), "{error}");
            let error = member(kind, &bytes, "a b/data.txt", Some(3), "x").unwrap_err().to_string();
            assert!(error.contains("more than its pinned 3 bytes"), "{error}");
        }
    }

    #[test]
    fn a_bomb_is_refused() {
        let zeros = vec![0; 4 << 20];
        for (kind, bytes) in
            [(Archive::Zip, zip_of("bomb", &zeros)), (Archive::TarGz, tar_gz_of("bomb", &zeros))]
        {
            assert!(bytes.len() < 20_000);
            let error = member(kind, &bytes, "bomb", None, "x").unwrap_err().to_string();
            assert!(error.contains("refused"), "{error}");
        }
    }

    #[test]
    fn a_cut_archive_is_an_error() {
        let text: Vec<u8> = (0..5000_u32).flat_map(|i| i.to_string().into_bytes()).collect();
        for (kind, bytes) in
            [(Archive::Zip, zip_of("a", &text)), (Archive::TarGz, tar_gz_of("a", &text))]
        {
            for length in [0, 1, 10, bytes.len() / 2, bytes.len() - 9] {
                assert!(member(kind, &bytes[..length], "a", None, "x").is_err(), "{length}");
            }
        }
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(
            mut bytes in proptest::collection::vec(any::<u8>(), 0..300),
            at in 0..100_usize,
        ) {
            for kind in [Archive::Zip, Archive::TarGz] {
                prop_assert!(member(kind, &bytes, "a", None, "x").is_err());
            }
            // One flipped byte of a true archive: the right bytes, others (hashed later), or an
            // error.
            let mut zip = zip_of("a", b"some text, some text, some text");
            let at = at % zip.len();
            zip[at] ^= 1 + bytes.pop().unwrap_or(0) % 255;
            if let Ok(found) = member(Archive::Zip, &zip, "a", None, "x") {
                prop_assert!(found.len() <= zip.len() * 200);
            }
        }
    }
}
