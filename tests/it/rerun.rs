//! Trials of packs run again: what is drawn, what differs, and how the command ends.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use uqbench_system::hash::sha256;

use super::command::Dir;
use super::wording::{counts, line};

/// A small pack: ten trials with side tables, of which three have reductions of their predictions.
const BENCHMARK: &str = "jcm-theorem-1";

fn pack() -> String {
    pack_of(BENCHMARK)
}

fn pack_of(benchmark: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("reports/packs/{benchmark}.pack"))
        .display()
        .to_string()
}

/// The grade of each drawn trial.
fn grades(dir: &Dir) -> BTreeMap<String, String> {
    let mut reader = csv::Reader::from_path(dir.path("uqbench-report/rerun/rerun.csv")).unwrap();
    let rows = reader.deserialize::<BTreeMap<String, String>>().map(Result::unwrap);
    rows.map(|row| (row["trial"].clone(), row["grade"].clone())).collect()
}

fn with_grade(dir: &Dir, wanted: &str) -> Vec<String> {
    grades(dir).into_iter().filter(|(_, grade)| grade == wanted).map(|(trial, _)| trial).collect()
}

#[test]
fn every_trial_of_a_committed_pack_gives_the_same_bytes_again() {
    let dir = Dir::new();
    let words = format!("rerun {BENCHMARK} --all --offline --pack {}", pack());
    let ended = dir.run(&words).code(0);
    // Trials that ran, and how many of them have each grade.
    let graded = line(&ended.out, &["- 10 trial"]);
    assert_eq!(counts(graded), [10, 10, 0, 0, 0]);
    insta::assert_snapshot!(graded, @"- 10 trials ran again: 10 with equal bytes, 0 with equal numbers in other bytes, 0 within their tolerance, 0 different.");
    assert_eq!(with_grade(&dir, "equal bytes").len(), 10);
}

#[test]
fn the_draw_is_written_before_anything_runs_and_depends_on_the_word() {
    let dir = Dir::new();
    let drawn = |word: &str| {
        // So little time that nothing finishes, or little.
        dir.run(&format!(
            "rerun decomposition --time 1s --jobs 1 --offline --word {word} --pack {}",
            pack().replace(BENCHMARK, "decomposition")
        ));
        grades(&dir).into_keys().collect::<Vec<_>>()
    };
    let (first, again, other) = (drawn("one"), drawn("one"), drawn("two"));
    assert!(!first.is_empty());
    assert_eq!(first, again);
    assert_ne!(first, other);
}

#[test]
fn keys_papers_and_what_cannot_run_are_told() {
    let dir = Dir::new();
    let pack = pack();
    let key = "10c5428f";
    dir.run(&format!("rerun {key} --offline --pack {pack}")).code(0);
    assert_eq!(grades(&dir).keys().filter(|trial| trial.starts_with(key)).count(), 1);
    dir.run(&format!("rerun nsgp --all --offline --pack {pack}"))
        .code(1)
        .says("no trial was drawn");
    dir.run(&format!("rerun {BENCHMARK} --pack {pack} --sha256 {}", "0".repeat(64)))
        .code(1)
        .says("expected 0000");
    dir.run(&format!("rerun {BENCHMARK} --pack {pack} --sha256 1234")).code(2);
    dir.run(&format!("rerun {BENCHMARK}")).code(2).says("--pack");
    dir.run(&format!("rerun {BENCHMARK} --pack http://localhost/x.pack")).code(2).says("https");
    dir.run(&format!("rerun {BENCHMARK} --offline --pack https://localhost/x.pack"))
        .code(1)
        .says("--offline");
    dir.write("no.pack", "no pack");
    dir.run(&format!("rerun {BENCHMARK} --pack no.pack")).code(1).says("no.pack");
    // A store that has the trials from a pack would be compared with itself.
    dir.run(&format!("store merge {pack} --into merged")).code(0);
    dir.run(&format!("rerun {BENCHMARK} --all --offline --store merged --pack {pack}"))
        .code(2)
        .says("merged");
}

/// The address of a server on this machine that answers each request with these bytes, and claims
/// this length for them.
fn serve(bytes: Vec<u8>, length: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/x.pack", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 4096]);
            let head =
                format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&bytes));
        }
    });
    address
}

#[test]
fn a_pack_from_an_address_has_the_hash_that_is_named() {
    let dir = Dir::new();
    let bytes = fs::read(pack()).unwrap();
    let hash = sha256(&bytes);
    let address = serve(bytes.clone(), bytes.len());
    let rerun = |address: &str, hash: &str| {
        dir.run(&format!("rerun 10c5428f --jobs 1 --pack {address} --sha256 {hash}"))
    };
    rerun(&address, &hash).code(0).prints(&hash);
    assert_eq!(with_grade(&dir, "equal bytes").len(), 1);
    rerun(&address, &sha256(b"another")).code(1).says(&hash);
    rerun(&serve(Vec::new(), 257 << 20), &hash).code(1).says("larger than 268435456 bytes");
    dir.run(&format!("rerun 10c5428f --pack {address}")).code(2).says("--sha256");
}

/// A copy of a benchmark's pack in which one sealed file of one trial has another text, under a
/// right checksum.
fn damaged(
    dir: &Dir,
    (benchmark, name): (&str, &str),
    file: impl Fn(&Path) -> Option<PathBuf>,
    edit: impl Fn(&str) -> Option<String>,
) -> String {
    dir.run(&format!("store merge {} --into {name}", pack_of(benchmark))).code(0);
    let mut files: Vec<PathBuf> = Vec::new();
    for part in ["trials", "scores"] {
        for folder in fs::read_dir(dir.path(name).join(part)).unwrap() {
            files.extend(
                fs::read_dir(folder.unwrap().path()).unwrap().map(|entry| entry.unwrap().path()),
            );
        }
    }
    files.sort();
    let (key, path, text) = files
        .iter()
        .find_map(|path| {
            let key = path.file_stem()?.to_str()?.to_owned();
            let path = file(path)?;
            let body = fs::read_to_string(&path).ok()?;
            let body = body.split_once(",\"body\":")?.1.strip_suffix("}\n")?.to_owned();
            Some((key, path, edit(&body).filter(|new| *new != body)?))
        })
        .unwrap();
    fs::write(path, format!("{{\"checksum\":\"{}\",\"body\":{text}}}\n", sha256(text.as_bytes())))
        .unwrap();
    dir.run(&format!("store pack {name} {name}.pack")).code(0);
    key
}

/// The text with the first digit behind these words raised by one.
fn digit_after(text: &str, words: &str) -> Option<String> {
    let start = text.find(words)? + words.len();
    let at = start + text[start..].find(|c: char| c.is_ascii_digit())?;
    let digit = (text.as_bytes()[at] - b'0' + 1) % 10;
    Some(format!("{}{digit}{}", &text[..at], &text[at + 1..]))
}

#[test]
fn one_digit_that_is_changed_in_a_pack_with_right_checksums_is_found() {
    let dir = Dir::new();
    let inside =
        |name: &'static str| move |path: &Path| Some(path.join(name)).filter(|file| file.is_file());
    let cache = |path: &Path| {
        Some(path.to_owned()).filter(|path| path.extension().is_some_and(|end| end == "json"))
    };
    let last_digit = |text: &str| {
        let at = text.find("sharpness@1\": ")? + 14;
        let end = at + text[at..].find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let digit = (text.as_bytes()[end - 1] - b'0' + 1) % 10;
        Some(format!("{}{digit}{}", &text[..end - 1], &text[end..]))
    };
    let cases = [
        ("score", damaged(&dir, (BENCHMARK, "score"), cache, last_digit), "sharpness of main"),
        (
            "reduced",
            damaged(&dir, (BENCHMARK, "reduced"), cache, |text| digit_after(text, "\"bins\"")),
            "portrait@1",
        ),
        (
            "tables",
            damaged(&dir, (BENCHMARK, "tables"), inside("tables.json"), |text| {
                digit_after(text, "\"columns\"")
            }),
            "side table",
        ),
        (
            "hash",
            damaged(&dir, (BENCHMARK, "hash"), inside("result.json"), |text| {
                digit_after(text, "\"sha256\"")
            }),
            "numbers of",
        ),
        (
            "rows",
            damaged(&dir, (BENCHMARK, "rows"), inside("result.json"), |text| {
                digit_after(text, "\"train_rows\"")
            }),
            "training rows",
        ),
    ];
    for (name, key, what) in cases {
        let ended = dir.run(&format!("rerun {BENCHMARK} --all --offline --pack {name}.pack"));
        let ended = ended.code(3).prints(what);
        assert_eq!(counts(line(&ended.out, &["- 10 trial"])), [10, 9, 0, 0, 1], "{name}");
        assert_eq!(with_grade(&dir, "different"), [key], "{name}");
        assert_eq!(with_grade(&dir, "equal bytes").len(), 9, "{name}");
    }
}

#[test]
fn grades_are_told_though_the_page_of_another_benchmark_with_the_trial_cannot_be_rendered() {
    let dir = Dir::new();
    let key = "9c0878ffa141695573d362ee7593daeadf5b4e10b7c26a23660d6ae496f672e3";
    let result = |path: &Path| {
        Some(path.join("result.json")).filter(|file| path.ends_with(key) && file.is_file())
    };
    damaged(&dir, ("dtb-table-2", "shared"), result, |text| digit_after(text, "\"train_rows\""));
    let ended = dir.run("rerun 9c0878ff --offline --pack shared.pack");
    let ended = ended.code(3);
    let unknown = line(&ended.out, &["erdict", "dtb-table-1 "]);
    insta::assert_snapshot!(unknown.split(": ").next().unwrap(), @"Whether verdicts of dtb-table-1 change is not known");
    assert_eq!(with_grade(&dir, "different"), [key]);
}
