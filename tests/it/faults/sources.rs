//! Data that come late, wrong, incomplete or not at all cost only their own trials.

use std::fs;
use std::io::{Cursor, Read, Write};
use std::net::TcpListener;

use uqbench_data::{Library, Manifest, SourceOptions, Status};
use uqbench_system::hash::sha256;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::disk::{Call, EIO, ENOSPC, Fault, Faulty};
use crate::command::{Dir, files};
use crate::mocks;

/// One dataset whose file lies in a zip archive on this machine, and the file.
fn zipped() -> (Manifest, Vec<u8>) {
    let text: Vec<u8> =
        (0..20_000).flat_map(|i| format!("{i},{}\n", i * i % 97).into_bytes()).collect();
    let text = [b"a,b\n".to_vec(), text].concat();
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("deep/small.csv", SimpleFileOptions::default()).unwrap();
    writer.write_all(&text).unwrap();
    let archive = writer.finish().unwrap().into_inner();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 4096]);
            let head = format!(
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
                archive.len()
            );
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&archive));
        }
    });
    let manifest = format!(
        "[[dataset]]\nkey = \"small\"\ntitle = \"t\"\ncitation = \"c\"\nlicence = \"l\"\nhome = \
         \"h\"\nrows = 20000\n\
         format = {{ kind = \"delimited\", separator = \",\", header = true }}\ncolumns = [\"a\", \
         \"b\"]\n\
         features = [{{ name = \"a\" }}]\ntarget = {{ name = \"b\" }}\n\
         files = [{{ name = \"small.csv\", sha256 = \"{}\", sources = [{{ url = \
         \"http://{address}/a.zip\", archive = \"zip\", member = \"deep/small.csv\" }}] }}]\n",
        sha256(&text)
    );
    (Manifest::parse(&manifest).unwrap(), text)
}

#[test]
fn a_process_killed_while_it_unpacks_leaves_no_file_with_the_final_name() {
    let (manifest, text) = zipped();
    let dataset = manifest.get("small").unwrap();
    let dir = Dir::new();
    let options = || SourceOptions { cache: Some(dir.path("cache")), ..SourceOptions::default() };
    let disk = Faulty::new();
    disk.set(Call::Write, "small.csv", Fault::Torn, 1);
    let library = Library::on(disk, options());
    assert_eq!(
        library
            .loaded(dataset)
            .unwrap()
            .not_cached
            .unwrap()
            .to_string()
            .matches("cannot write")
            .count(),
        1
    );
    let left = files(&dir.path("cache"));
    assert!(
        left.keys().any(|name| name.ends_with(".part")),
        "half of it is there: {:?}",
        left.keys()
    );
    assert!(!left.contains_key("small/small.csv"));

    let library = Library::new(options());
    assert_eq!(library.status(dataset).unwrap(), Status::Absent);
    library.fetch(dataset).unwrap();
    let cache = files(&dir.path("cache"));
    assert_eq!(cache["small/small.csv"], text);
    assert!(
        cache.keys().all(|name| !name.ends_with(".part")),
        "what was left is swept: {:?}",
        cache.keys()
    );
}

#[test]
fn a_full_cache_fails_a_fetch_with_a_reason_and_keeps_its_files() {
    let (manifest, text) = zipped();
    let dataset = manifest.get("small").unwrap();
    let dir = Dir::new();
    let options = || SourceOptions { cache: Some(dir.path("cache")), ..SourceOptions::default() };
    fs::create_dir_all(dir.path("cache/small")).unwrap();
    fs::write(dir.path("cache/small/small.csv"), "an older file").unwrap();
    let disk = Faulty::new();
    disk.set(Call::Write, "small.csv", Fault::Error(ENOSPC), usize::MAX);
    let library = Library::on(disk.clone(), options());
    let error = library.fetch(dataset).unwrap_err().to_string();
    assert!(
        error.contains("cannot write")
            && error.contains("make room there, or choose a writable folder"),
        "{error}"
    );
    assert_eq!(fs::read(dir.path("cache/small/small.csv")).unwrap(), b"an older file");
    assert!(files(&dir.path("cache")).keys().all(|name| !name.ends_with(".part")));
    assert_eq!(library.load(dataset).unwrap().rows(), 20_000, "a trial needs no cache");
    disk.heal();
    Library::on(disk, options()).fetch(dataset).unwrap();
    assert_eq!(fs::read(dir.path("cache/small/small.csv")).unwrap(), text);
}

#[test]
fn an_unreadable_cache_is_not_reported_as_damaged() {
    let (manifest, _) = zipped();
    let dataset = manifest.get("small").unwrap();
    let dir = Dir::new();
    let options = |offline| SourceOptions {
        cache: Some(dir.path("cache")),
        offline,
        ..SourceOptions::default()
    };
    Library::new(options(false)).fetch(dataset).unwrap();
    let disk = Faulty::new();
    disk.set(Call::Read, "small.csv", Fault::Error(EIO), usize::MAX);
    let error = Library::on(disk.clone(), options(true)).load(dataset).unwrap_err();
    assert!(error.is_unavailable() && error.to_string().contains("cannot read"), "{error}");
    assert_eq!(disk.moved(), 0);
    disk.heal();
    disk.set(Call::Read, "small.csv", Fault::Short(10), 2);
    assert_eq!(
        Library::on(disk, options(true)).load(dataset).unwrap().rows(),
        20_000,
        "a short read is made again"
    );
}

#[test]
fn an_unwritable_cache_is_not_reported_as_wrong_data() {
    let dir = Dir::new();
    let Ok(mirror) = std::env::var("UQBENCH_MIRROR") else {
        println!("not tested: UQBENCH_MIRROR names no mirror");
        return;
    };
    dir.write("file", "where the folder should be");
    let ended = dir.run(&format!("data fetch motorcycle --mirror {mirror} --cache file")).code(1);
    assert!(
        ended.out.contains("not kept     motorcycle: cannot ") && !ended.out.contains("WRONG"),
        "{}",
        ended.out
    );
    assert_eq!(ended.last(), "0 of 1 datasets ok, 0 unavailable, 1 not kept, 0 wrong");
}

#[test]
fn a_bad_dataset_is_found_before_the_first_trial_and_fails_its_own_trials() {
    let dir = Dir::new();
    let file = &Manifest::shipped().unwrap().get("motorcycle").unwrap().files[0];
    fs::create_dir_all(dir.path("cache/motorcycle")).unwrap();
    fs::write(dir.path("cache/motorcycle").join(&file.name), "damaged").unwrap();
    let text = mocks::benchmark(&mocks::answering(2, 0), 2);
    let two = "[{ key = \"motorcycle-94\", heading = \"Data\" }, { key = \"motorcycle\", heading = \
               \"Bad\" }]";
    dir.write(
        "mocks.toml",
        &text.replace("[{ key = \"motorcycle-94\", heading = \"Data\" }]", two),
    );
    for isolation in ["thread", "process"] {
        let _ = fs::remove_dir_all(dir.path("store"));
        let ended = dir.run(&format!("run mocks.toml --isolation {isolation}")).code(3);
        assert_eq!(ended.last(), "4 of 8 expected trials finished (0 reused, 4 run), 4 bad data");
        let ended = ended
            .says("note: `mock` on motorcycle, split ")
            .says(&file.sha256)
            .says("(and 3 more trials)");
        assert!(ended.out.contains("| 4 bad data |"), "{}", ended.out);
    }
    assert_eq!(
        fs::read(dir.path("cache/motorcycle").join(&file.name)).unwrap(),
        b"damaged",
        "a wrong hash is left for a person"
    );
}
