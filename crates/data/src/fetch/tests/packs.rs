use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;
use crate::archive::tests::{zip_of, zip_of_all};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// What a library with an empty cache has from a mirror.
fn from(mirror: &Path, dataset: &Dataset) -> Result<Loaded, DataError> {
    let cache = tempfile::tempdir().unwrap();
    let mirror = Some(mirror.display().to_string());
    let library = Library::new(SourceOptions { offline: true, mirror, ..options(cache.path()) });
    library.fetch(dataset)
}

fn why(error: DataError, source: &str) -> String {
    let DataError::Unavailable { tried, .. } = &error else { panic!("{error}") };
    let of = tried.iter().filter(|attempt| attempt.source.contains(source));
    of.map(|attempt| attempt.reason.to_string()).collect::<Vec<_>>().join("; ")
}

#[test]
fn a_mirror_may_have_files_that_gzip_compressed() {
    let dataset = dataset("");
    let mirror = mirror_of(TEXT);
    let plain = mirror.path().join("small/small.csv");
    let packed = mirror.path().join("small/small.csv.gz");
    fs::write(&packed, gzip(b"a,b\n1,2\n3,5\n")).unwrap();
    let loaded = from(mirror.path(), &dataset).unwrap();
    assert_eq!(
        loaded.origin,
        Origin::Mirror(plain.display().to_string()),
        "the plain one is right"
    );

    fs::write(&packed, gzip(TEXT)).unwrap();
    fs::write(&plain, b"a,b\n1,2\n3,5\n").unwrap();
    let loaded = from(mirror.path(), &dataset).unwrap();
    assert_eq!(loaded.origin, Origin::Mirror(packed.display().to_string()), "the plain one is not");

    fs::remove_file(&plain).unwrap();
    assert_eq!(from(mirror.path(), &dataset).unwrap().table.rows(), 2);
    fs::write(&packed, gzip(b"a,b\n1,2\n3,5\n")).unwrap();
    assert!(matches!(from(mirror.path(), &dataset), Err(DataError::HashMismatch { .. })));
    fs::write(&packed, b"no gzip").unwrap();
    assert!(from(mirror.path(), &dataset).unwrap_err().is_unavailable());
    fs::write(&packed, gzip(&vec![0; 4 << 20])).unwrap();
    assert!(why(from(mirror.path(), &dataset).unwrap_err(), ".gz").contains("refused"));
    // The limit is the pinned size, where there is one.
    let pinned = Dataset {
        files: vec![DataFile { bytes: Some(11), ..dataset.files[0].clone() }],
        ..dataset.clone()
    };
    fs::write(&packed, gzip(TEXT)).unwrap();
    let reason = why(from(mirror.path(), &pinned).unwrap_err(), ".gz");
    assert!(reason.contains("more than its pinned 11 bytes"), "{reason}");
}

#[test]
fn a_mirror_may_be_one_zip_file() {
    let dataset = dataset("");
    let folder = tempfile::tempdir().unwrap();
    let pack = folder.path().join("pack.zip");
    let of = |bytes: &[u8]| {
        fs::write(&pack, bytes).unwrap();
        from(&pack, &dataset)
    };
    let loaded = of(&zip_of_all(&[("other/x", b"1"), ("small/small.csv", TEXT)])).unwrap();
    let shown = pack.join("small/small.csv").display().to_string();
    assert_eq!((loaded.origin, loaded.table.rows()), (Origin::Mirror(shown), 2));
    let wrong = of(&zip_of("small/small.csv", b"a,b\n1,2\n3,5\n")).unwrap_err();
    assert!(matches!(&wrong, DataError::HashMismatch { .. }), "{wrong}");
    for (bytes, expected) in [
        (zip_of("small.csv", TEXT), "cannot read the member \"small/small.csv\""),
        (zip_of("small/small.csv", &vec![0; 4 << 20]), "refused"),
        (b"no zip".to_vec(), "pack.zip"),
    ] {
        let reason = why(of(&bytes).unwrap_err(), "pack.zip");
        assert!(reason.contains(expected), "{expected} in {reason}");
    }
}

#[test]
fn a_data_pack_has_the_same_bytes_every_time_and_is_a_mirror() {
    let dataset = dataset("");
    let variant = Dataset { key: "small:other".into(), ..dataset.clone() };
    let manifest = Manifest::shipped().unwrap();
    let bundled = manifest.get("yacht").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mirror = mirror_of(TEXT);
    let write = |name: &str, datasets: &[&Dataset]| {
        let path = folder.path().join(name);
        let cache = tempfile::tempdir().unwrap();
        let mirror = Some(mirror.path().display().to_string());
        let library =
            Library::new(SourceOptions { offline: true, mirror, ..options(cache.path()) });
        let members = write_data_pack(&library, datasets, &path)?;
        Ok::<_, DataError>((members, fs::read(&path).unwrap()))
    };
    let (members, bytes) = write("a.zip", &[&dataset, &variant, bundled]).unwrap();
    assert_eq!(members, ["small/small.csv"], "once, and without what is bundled");
    assert_eq!(write("b.zip", &[&variant, &dataset]).unwrap(), (members, bytes));
    assert_eq!(from(&folder.path().join("a.zip"), &dataset).unwrap().table.rows(), 2);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left");
    let kin40k = manifest.get("kin40k").unwrap();
    assert!(write("c.zip", &[&dataset, kin40k]).unwrap_err().is_unavailable());
    assert!(!folder.path().join("c.zip").exists());
    let output = write("no/such/folder.zip", &[&dataset]).unwrap_err();
    assert!(matches!(output, DataError::Output { .. }), "{output}");
}
