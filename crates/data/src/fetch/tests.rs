use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::server::{Reply, Server};
use super::*;
use crate::archive::tests::zip_of;
use crate::own::Grain;
use crate::{DataFile, Format, Manifest, NoFile};

mod packs;

const TEXT: &[u8] = b"a,b\n1,2\n3,4\n";

/// A dataset whose file `small.csv` is [`TEXT`], with the given addresses.
fn dataset(sources: &str) -> Dataset {
    let text = format!(
        "[[dataset]]\nkey = \"small\"\ntitle = \"t\"\ncitation = \"c\"\nlicence = \"l\"\nhome = \
         \"h\"\nrows = 2\n\
         format = {{ kind = \"delimited\", separator = \",\", header = true }}\ncolumns = [\"a\", \
         \"b\"]\n\
         features = [{{ name = \"a\" }}]\ntarget = {{ name = \"b\" }}\n\
         files = [{{ name = \"small.csv\", sha256 = \"{}\", sources = [{sources}] }}]\n",
        sha256(TEXT)
    );
    Manifest::parse(&text).unwrap().get("small").unwrap().clone()
}

fn options(cache: &Path) -> SourceOptions {
    let network =
        NetworkOptions { pauses: vec![Duration::from_millis(5)], ..NetworkOptions::default() };
    SourceOptions { cache: Some(cache.to_owned()), network, ..SourceOptions::default() }
}

fn source(server: &Server, path: &str) -> String {
    format!("{{ url = \"{}{path}\" }}", server.address)
}

fn mirror_of(bytes: &[u8]) -> tempfile::TempDir {
    let mirror = tempfile::tempdir().unwrap();
    fs::create_dir(mirror.path().join("small")).unwrap();
    fs::write(mirror.path().join("small/small.csv"), bytes).unwrap();
    mirror
}

#[test]
fn a_fetched_file_is_cached_and_then_no_host_is_asked() {
    let cache = tempfile::tempdir().unwrap();
    let server = Server::start(|_| Reply::ok(TEXT));
    let dataset = dataset(&source(&server, "/small.csv"));
    let library = Library::new(options(cache.path()));
    assert_eq!(library.status(&dataset).unwrap(), Status::Absent);
    let url = format!("{}/small.csv", server.address);
    assert_eq!(library.fetch(&dataset).unwrap().origin, Origin::Home(url.clone()));
    let table = library.load(&dataset).unwrap();
    assert_eq!(table.target.as_slice().unwrap(), [2.0, 4.0]);
    assert!(Arc::ptr_eq(&table, &library.load(&dataset).unwrap()));

    let offline = Library::new(SourceOptions { offline: true, ..options(cache.path()) });
    let cached = Origin::Cache(Some(format!("home {url}")));
    assert_eq!(offline.loaded(&dataset).unwrap().origin, cached);
    assert_eq!(offline.status(&dataset).unwrap(), Status::Cached(cached));
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn offline_asks_nobody() {
    let cache = tempfile::tempdir().unwrap();
    let server = Server::start(|_| Reply::ok(TEXT));
    let mirror = Some(server.address.clone());
    let library = Library::new(SourceOptions { offline: true, mirror, ..options(cache.path()) });
    let error = library.load(&dataset(&source(&server, "/small.csv"))).unwrap_err();
    assert!(error.is_unavailable());
    let DataError::Unavailable { tried, .. } = &error else { panic!("{error}") };
    assert_eq!(tried.iter().filter(|attempt| attempt.reason == NoFile::Offline).count(), 2);
    assert!(server.requests().is_empty());
}

#[test]
fn a_mirror_comes_before_the_home_as_folder_or_address() {
    let home = Server::start(|_| Reply::ok(TEXT));
    let dataset = dataset(&source(&home, "/small.csv"));
    let folder = mirror_of(TEXT);
    let served = Server::start(|request| match request.path.as_str() {
        "/base/small/small.csv" => Reply::ok(TEXT),
        _ => Reply::new("404 Not Found", b""),
    });
    for mirror in [folder.path().display().to_string(), format!("{}/base/", served.address)] {
        let cache = tempfile::tempdir().unwrap();
        let library = Library::new(SourceOptions { mirror: Some(mirror), ..options(cache.path()) });
        assert!(matches!(library.fetch(&dataset).unwrap().origin, Origin::Mirror(_)));
        assert_eq!(fs::read(cache.path().join("small/small.csv")).unwrap(), TEXT);
    }
    assert!(home.requests().is_empty());
}

#[test]
fn wrong_bytes_of_one_source_do_not_matter_if_another_has_the_right_ones() {
    let cache = tempfile::tempdir().unwrap();
    let mirror = mirror_of(b"a,b\n1,2\n3,5\n");
    let server = Server::start(|request| match request.path.as_str() {
        "/page" => Reply::ok(b"<!DOCTYPE html><p>busy").header("Content-Type: text/html"),
        "/wrong" => Reply::ok(b"a,b\n1,2\n"),
        _ => Reply::ok(TEXT),
    });
    let sources = ["/page", "/wrong", "/right"].map(|path| source(&server, path)).join(", ");
    let mirror = Some(mirror.path().display().to_string());
    let library = Library::new(SourceOptions { mirror, ..options(cache.path()) });
    let loaded = library.fetch(&dataset(&sources)).unwrap();
    assert_eq!(loaded.origin, Origin::Home(format!("{}/right", server.address)));
}

#[test]
fn wrong_bytes_everywhere_are_a_hard_error_with_both_hashes() {
    let cache = tempfile::tempdir().unwrap();
    let server = Server::start(|_| Reply::ok(b"a,b\n1,2\n3,5\n"));
    let error =
        Library::new(options(cache.path())).load(&dataset(&source(&server, "/a"))).unwrap_err();
    assert!(!error.is_unavailable());
    let text = error.to_string();
    assert!(text.contains(&sha256(TEXT)) && text.contains(&sha256(b"a,b\n1,2\n3,5\n")), "{text}");
    assert!(!cache.path().join("small/small.csv").exists());
}

#[test]
fn a_web_page_is_told_from_data() {
    let cache = tempfile::tempdir().unwrap();
    let server = Server::start(|_| {
        Reply::ok(b"\n<html>\x1b[1mlogin").header("Content-Type: text/html; charset=x")
    });
    let zipped =
        format!("{{ url = \"{}/b\", archive = \"zip\", member = \"small.csv\" }}", server.address);
    let sources = format!("{}, {zipped}", source(&server, "/a"));
    let error = Library::new(options(cache.path())).load(&dataset(&sources)).unwrap_err();
    assert!(error.is_unavailable(), "{error}");
    let expected = "a web page instead of data (content type \"text/html; charset=x\", it starts \
                    \" <html> [1mlogin\")";
    assert_eq!(error.to_string().matches(expected).count(), 2, "{error}");
}

#[test]
fn a_member_is_read_from_an_archive_and_a_broken_archive_is_passed_over() {
    let cache = tempfile::tempdir().unwrap();
    let server = Server::start(|request| match request.path.as_str() {
        "/broken.zip" => Reply::ok(b"PK\x03\x04broken"),
        "/other.zip" => Reply::ok(&zip_of("other.csv", TEXT)),
        _ => Reply::ok(&zip_of("deep/small.csv", TEXT)),
    });
    let zipped = |path: &str| {
        format!(
            "{{ url = \"{}{path}\", archive = \"zip\", member = \"deep/small.csv\" }}",
            server.address
        )
    };
    let all = ["/broken.zip", "/other.zip", "/good.zip"].map(zipped).join(", ");
    let loaded = Library::new(options(cache.path())).fetch(&dataset(&all)).unwrap();
    assert_eq!(loaded.origin, Origin::Home(format!("{}/good.zip", server.address)));
    assert_eq!(fs::read(cache.path().join("small/small.csv")).unwrap(), TEXT);

    let empty = tempfile::tempdir().unwrap();
    let bad = ["/broken.zip", "/other.zip"].map(zipped).join(", ");
    let DataError::Unavailable { tried, .. } =
        Library::new(options(empty.path())).load(&dataset(&bad)).unwrap_err()
    else {
        panic!("archives without the member are no wrong bytes")
    };
    // After the cache.
    let [_, broken, other] = &tried[..] else { panic!("{tried:?}") };
    assert!(
        broken.source.ends_with("/broken.zip")
            && broken.reason.to_string().starts_with("the archive: "),
        "{broken}"
    );
    assert!(
        other.source.ends_with("/other.zip") && other.reason.to_string().contains("other.csv"),
        "{other}"
    );
    assert!(!empty.path().join("small/small.csv").exists());
}

#[test]
fn a_member_with_other_bytes_is_a_hard_error_wherever_archives_fail_beside_it() {
    let cache = tempfile::tempdir().unwrap();
    let server = Server::start(|request| match request.path.as_str() {
        "/broken.zip" => Reply::ok(b"PK\x03\x04broken"),
        _ => Reply::ok(&zip_of("small.csv", b"a,b\n1,2\n3,5\n")),
    });
    let zipped = |path: &str| {
        format!(
            "{{ url = \"{}{path}\", archive = \"zip\", member = \"small.csv\" }}",
            server.address
        )
    };
    let sources = ["/broken.zip", "/wrong.zip", "/broken.zip"].map(zipped).join(", ");
    let error = Library::new(options(cache.path())).load(&dataset(&sources)).unwrap_err();
    assert!(
        matches!(&error, DataError::HashMismatch { origin, .. } if origin.ends_with("/wrong.zip")),
        "{error}"
    );
}

#[test]
fn a_damaged_cached_file_is_replaced_or_reported() {
    let cache = tempfile::tempdir().unwrap();
    fs::create_dir(cache.path().join("small")).unwrap();
    let path = cache.path().join("small/small.csv");
    fs::write(&path, b"a,b\n1,2\n3,9\n").unwrap();
    let server = Server::start(|_| Reply::ok(TEXT));
    let dataset = dataset(&source(&server, "/a"));

    let offline = Library::new(SourceOptions { offline: true, ..options(cache.path()) });
    assert_eq!(offline.status(&dataset).unwrap(), Status::Damaged(path.clone()));
    for error in [offline.load(&dataset).unwrap_err(), offline.verify(&dataset).unwrap_err()] {
        assert!(matches!(error, DataError::HashMismatch { .. }), "{error}");
        assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    }
    Library::new(options(cache.path())).fetch(&dataset).unwrap();
    assert_eq!(fs::read(&path).unwrap(), TEXT);
    assert!(offline.verify(&dataset).is_ok());
}

#[test]
fn a_cache_that_cannot_be_written_fails_a_fetch_but_not_a_load() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    fs::write(&cache, b"a file where the folder should be").unwrap();
    let mirror = mirror_of(TEXT);
    let mirror = Some(mirror.path().display().to_string());
    let library = Library::new(SourceOptions { offline: true, mirror, ..options(&cache) });
    let dataset = dataset("");
    assert_eq!(library.load(&dataset).unwrap().rows(), 2);
    let error = library.fetch(&dataset).unwrap_err();
    assert!(matches!(error, DataError::Cache { .. }), "{error}");
}

#[test]
fn a_parsed_matrix_with_another_hash_is_an_error() {
    let cache = tempfile::tempdir().unwrap();
    let mirror = mirror_of(TEXT);
    let mirror = Some(mirror.path().display().to_string());
    let library = Library::new(SourceOptions { offline: true, mirror, ..options(cache.path()) });
    let mut dataset = dataset("");
    let right = library.loaded(&dataset).unwrap().parsed_sha256;
    dataset.parsed_sha256 = Some(right);
    assert!(library.verify(&dataset).is_ok());
    dataset.parsed_sha256 = Some("0".repeat(64));
    let error = library.verify(&dataset).unwrap_err();
    assert!(error.to_string().contains("parsed matrix from cache"), "{error}");
}

#[test]
fn threads_and_libraries_may_fetch_at_once() {
    let cache = tempfile::tempdir().unwrap();
    let server = Server::start(|_| Reply::ok(TEXT));
    let dataset = dataset(&source(&server, "/a"));
    let shared = Library::new(options(cache.path()));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| shared.fetch(&dataset).unwrap());
            scope.spawn(|| Library::new(options(cache.path())).fetch(&dataset).unwrap());
        }
    });
    // The lock lets one of them ask the host; the others find its file.
    assert_eq!(server.requests().len(), 1);
    assert_eq!(fs::read(cache.path().join("small/small.csv")).unwrap(), TEXT);
}

/// Every target is a multiple of the resolution, and they are not all multiples of ten times it.
fn assert_resolution(table: &Table, key: &str) {
    let Some(resolution) = table.target_resolution else { return };
    let is_multiple = |y: f64, of: f64| ((y / of).round() * of - y).abs() < 1e-9 * (1.0 + y.abs());
    assert!(table.target.iter().all(|y| is_multiple(*y, resolution)), "{key}");
    assert!(!table.target.iter().all(|y| is_multiple(*y, 10.0 * resolution)), "{key}");
}

#[test]
fn bundled_datasets_need_nothing_and_have_the_pinned_matrix() {
    let cache = tempfile::tempdir().unwrap();
    let library = Library::new(SourceOptions { offline: true, ..options(cache.path()) });
    let manifest = Manifest::shipped().unwrap();
    let all = || {
        manifest
            .datasets()
            .iter()
            .chain(manifest.variants())
            .filter(|dataset| dataset.bundled.is_some())
    };
    assert!(all().count() >= 20, "every set whose licence allows it");
    for dataset in all() {
        let key = &dataset.key;
        assert_eq!(library.status(dataset).unwrap(), Status::Bundled, "{key}");
        let loaded = library.loaded(dataset).unwrap();
        assert_eq!(loaded.origin, Origin::Bundled);
        assert_eq!(Some(&loaded.parsed_sha256), dataset.parsed_sha256.as_ref(), "{key}");
        assert_eq!(loaded.table.target_name, dataset.target.name);
        assert_resolution(&loaded.table, key);
    }
    // Known means, from the sources' own documentation.
    let mean = |key: &str| library.load(manifest.get(key).unwrap()).unwrap().target.mean().unwrap();
    assert!((mean("boston") - 22.5328).abs() < 1e-4);
    assert!((mean("california") - 2.06856).abs() < 1e-5);
    assert!((mean("california:raw") - 206_856.0).abs() < 1.0);
    assert!((mean("yacht") - 10.4954).abs() < 1e-4);
    assert!((mean("wine-red") - 5.63602).abs() < 1e-5);
    assert!(
        (mean("energy") - 22.3072).abs() < 1e-4 && (mean("energy:cooling") - 24.5878).abs() < 1e-4
    );
    assert!(
        (mean("power:sheet5") - 454.365).abs() < 1e-3 && (mean("protein") - 7.74853).abs() < 1e-5
    );
}

#[test]
fn every_dataset_on_the_mirror_gives_the_pinned_matrix() {
    let Some(mirror) = std::env::var_os("UQBENCH_MIRROR") else {
        println!("skipped: set UQBENCH_MIRROR to check the original files");
        return;
    };
    let cache = tempfile::tempdir().unwrap();
    let mirror = mirror.into_string().unwrap();
    let folder = PathBuf::from(&mirror);
    let has = |dataset: &Dataset, file: &DataFile| {
        let path = folder.join(dataset.folder()).join(&file.name);
        path.exists() || path.with_added_extension("gz").exists()
    };
    // A folder may have some of the datasets; whether a pack or a host has one is not known.
    let is_there = |dataset: &&Dataset| {
        !folder.is_dir() || dataset.files.iter().all(|file| has(dataset, file))
    };
    let mirror = Some(mirror);
    let library = Library::new(SourceOptions { offline: true, mirror, ..options(cache.path()) });
    let manifest = Manifest::shipped().unwrap();
    let all: Vec<&Dataset> =
        manifest.datasets().iter().chain(manifest.variants()).filter(is_there).collect();
    let (next, read) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let check_next = || -> Option<()> {
        // The originals, not the bundled copies.
        let dataset = all.get(next.fetch_add(1, Ordering::Relaxed))?;
        let dataset = Dataset { bundled: None, ..(*dataset).clone() };
        match library.loaded(&dataset) {
            Err(error) if !folder.is_dir() || dataset.parsed_sha256.is_none() => {
                assert!(error.is_unavailable(), "{error}")
            }
            loaded => {
                let loaded = loaded.unwrap();
                assert_resolution(&loaded.table, &dataset.key);
                assert_values(&loaded.table, &dataset);
                assert_not_numeric(&loaded.table, &dataset);
                assert_eq!(Some(loaded.parsed_sha256), dataset.parsed_sha256, "{}", dataset.key);
                read.fetch_add(1, Ordering::Relaxed);
            }
        }
        Some(())
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, NonZeroUsize::get) {
            scope.spawn(|| while check_next().is_some() {});
        }
    });
    assert!(read.into_inner() > 0, "the mirror has no dataset");
}

/// A table has no feature of the name of a column of text or of dates, and one of any other.
fn assert_not_numeric(table: &Table, dataset: &Dataset) {
    for column in &dataset.features {
        let is_numeric = dataset.numeric_features().any(|name| name == column.name);
        let has_feature = table.feature_names.contains(&column.name);
        assert_eq!(is_numeric, has_feature, "{}, column {}", dataset.key, column.name);
    }
}

/// A table with text states its values where they are too few for a density.
fn assert_values(table: &Table, dataset: &Dataset) {
    if matches!(dataset.layout.format, Format::Table(_)) {
        let grain = Grain::of(&table.target.to_vec());
        let stated = dataset.values.map(|values| values as usize);
        assert_eq!(stated, grain.discrete.then_some(grain.distinct), "{}", dataset.key);
    }
}
