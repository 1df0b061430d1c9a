//! Write entries, and tell the damaged ones.

use std::fs;

use super::super::facts::{DataSeen, Kind as EntrantKind};
use super::*;
use uqbench_system::RealDisk;

fn card() -> Card {
    Card {
        board: "b".into(),
        name: "mine".into(),
        version: "1/ 2".into(),
        authors: vec!["A".into()],
        address: None,
        licence: "CC0-1.0".into(),
        kind: EntrantKind::Model,
        searched: "nothing".into(),
        budget: "nothing".into(),
        hardware: "a processor".into(),
        seconds: None,
        data_seen: DataSeen::Unknown,
        used_test_features: false,
        description: "d".into(),
        level: None,
        part: false,
        failed: Vec::new(),
    }
}

fn written(into: &Path) -> io::Result<PathBuf> {
    let card = card();
    let predictions = "f".repeat(64);
    let record = Record {
        format: 0,
        key: key(&card, &predictions),
        predictions,
        board: "b".into(),
        program: "p".into(),
        form: "gaussian".into(),
        rows: 1,
        splits: 1,
        failed: 0,
        part: false,
        findings: Vec::new(),
        files: BTreeMap::new(),
    };
    let (predictions, scores) = (b"PAR1".to_vec(), String::new());
    write_entry(&RealDisk, into, NewEntry { card: &card, predictions, scores, record })
}

#[test]
fn an_entry_is_found_as_it_was_written_and_is_never_changed() {
    let place = tempfile::tempdir().unwrap();
    let into = place.path().join("league/b");
    assert_eq!(folders(&RealDisk, &into, Tier::Claimed).unwrap(), Vec::<PathBuf>::new());
    let folder = written(&into).unwrap();
    let name = folder.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("mine-1__2-") && name.len() == "mine-1__2-".len() + DIGITS, "{name}");
    assert_eq!(written(&into).unwrap_err().kind(), ErrorKind::AlreadyExists);
    fs::create_dir(into.join(".mine.part")).unwrap();
    fs::write(into.join("README.md"), "").unwrap();
    assert_eq!(folders(&RealDisk, &into, Tier::Claimed).unwrap(), std::slice::from_ref(&folder));
    assert_eq!(folders(&RealDisk, &into, Tier::Rerun).unwrap(), Vec::<PathBuf>::new());
    let stored = Stored::open(&RealDisk, &folder).unwrap();
    assert_eq!((stored.card.clone(), stored.record.format), (card(), FORMAT));
    assert!(stored.check_predictions(b"PAR1").is_ok());
    assert!(stored.check_predictions(b"PAR2").unwrap_err().contains("changed or damaged"));
}

#[test]
fn a_changed_entry_is_told() {
    let place = tempfile::tempdir().unwrap();
    let folder = written(place.path()).unwrap();
    let change = |name: &str, from: &str, to: &str| {
        let path = folder.join(name);
        let before = fs::read_to_string(&path).unwrap();
        fs::write(&path, before.replace(from, to)).unwrap();
        let error = Stored::open(&RealDisk, &folder).unwrap_err();
        fs::write(path, before).unwrap();
        error
    };
    let error = change(CARD, "CC0-1.0", "CC0-2.0");
    assert!(error.starts_with("card.toml: SHA-256 "), "{error}");
    let error = change(RECORD, &"f".repeat(64), &"e".repeat(64));
    assert!(error.contains("the key ") && error.contains(", expected "), "{error}");
    let error = change(RECORD, "\"format\": 1", "\"format\": 2");
    assert!(error.contains("format 2, expected 1"), "{error}");
    let error = change(RECORD, "\"rows\"", "\"lines\"");
    assert!(error.contains("unexpected content"), "{error}");
    let moved = place.path().join("other");
    fs::rename(&folder, &moved).unwrap();
    let error = Stored::open(&RealDisk, &moved).unwrap_err();
    assert!(error.contains("its folder has another name"), "{error}");
    assert!(Stored::open(&RealDisk, place.path()).unwrap_err().starts_with("entry.json: "));
}
