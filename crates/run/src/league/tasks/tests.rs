//! Write the splits of boards, and read them as their users do.

use std::fs;

use super::*;
use crate::benchmark::find;
use uqbench_data::SourceOptions;
use uqbench_data::number_file::{Limits, NumberFile};

fn written(splits: u64, formats: &[ArrayFormat]) -> (tempfile::TempDir, Task) {
    let place = tempfile::tempdir().unwrap();
    let library = Library::new(SourceOptions { offline: true, ..SourceOptions::default() });
    let board = Board::new(&find("league-standard").unwrap()).unwrap();
    let board = board.only(&["yacht".into()], Some(splits)).unwrap();
    let folder = place.path().join("tasks");
    write_tasks(&board, &library, &folder, formats).unwrap();
    let task = serde_json::from_slice(&fs::read(folder.join(TASK_FILE)).unwrap()).unwrap();
    let again = write_tasks(&board, &library, &folder, formats);
    assert!(matches!(again, Err(LeagueError::Write(_))), "a folder with files is refused");
    (place, task)
}

#[test]
fn every_file_is_listed_and_none_has_the_outcomes_of_test_rows() {
    let (place, task) = written(2, &[ArrayFormat::Npy, ArrayFormat::Parquet]);
    let [dataset] = &task.datasets[..] else { panic!("{task:?}") };
    assert_eq!((dataset.rows, dataset.columns.len(), dataset.splits.len()), (308, 6, 2));
    for TaskSplit { folder, files, train_rows, test_rows, split } in &dataset.splits {
        assert_eq!(
            (folder.as_str(), train_rows + test_rows),
            (&*format!("yacht/split-{split}"), 308)
        );
        let names: Vec<&str> = files.keys().map(String::as_str).collect();
        let arrays = ["X_test", "X_train", "y_train"];
        let all: Vec<String> = arrays
            .iter()
            .flat_map(|name| ["npy", "parquet"].map(|end| format!("{name}.{end}")))
            .collect();
        assert_eq!(names, all);
        let folder = place.path().join("tasks").join(folder);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 6);
        for (name, stated) in files {
            assert_eq!(sha256(&fs::read(folder.join(name)).unwrap()), *stated);
        }
    }
    let text = fs::read_to_string(place.path().join("tasks").join("card.toml")).unwrap();
    assert!(text.contains("\npart = true\n") && text.contains("board = \"league-standard\""));
}

#[test]
fn the_formats_are_chosen() {
    let (_place, task) = written(1, &[ArrayFormat::Npy]);
    assert_eq!(task.datasets[0].splits[0].files.len(), 3);
}

#[test]
fn an_unknown_dataset_is_told_with_the_nearest_one() {
    let board = Board::new(&find("league-standard").unwrap()).unwrap();
    assert_eq!((board.datasets.len(), board.splits()), (9, 165));
    let error = board.only(&["yatch".into()], None).err().unwrap().to_string();
    assert!(error.contains("did you mean `yacht`?"), "{error}");
}

/// The splits of a board below `place`, of datasets in the repository's file of them.
fn written_of(
    board: &str,
    key: &str,
    place: &Path,
    formats: &[ArrayFormat],
) -> (Vec<Rows>, TaskDataset) {
    let mirror = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/league-data.zip");
    let library = Library::new(SourceOptions {
        cache: Some(place.join("cache")),
        mirror: Some(mirror.to_str().unwrap().into()),
        offline: true,
        ..SourceOptions::default()
    });
    let board = Board::new(&find(board).unwrap()).unwrap().only(&[key.into()], None).unwrap();
    let folder = place.join(board.id.as_str());
    write_tasks(&board, &library, &folder, formats).unwrap();
    let rows = board.of_each_split(&board.load(&library).unwrap(), |_, _, rows| Ok(rows));
    let text = fs::read(folder.join(TASK_FILE)).unwrap();
    let mut task: Task = serde_json::from_slice(&text).unwrap();
    (rows.unwrap().remove(0), task.datasets.remove(0))
}

#[test]
fn groups_and_times_of_training_rows_are_those_that_methods_get() {
    let place = tempfile::tempdir().unwrap();
    let both = [ArrayFormat::Npy, ArrayFormat::Parquet];
    for (board, key, stem, column, of) in [
        ("league-beyond-groups", "exam:by-school", GROUPS, "group", "school"),
        ("league-beyond-time", "garments:in-time", TIMES, "period", "date"),
    ] {
        let (all, dataset) = written_of(board, key, place.path(), &both);
        let dependent = dataset.dependent.unwrap();
        assert_eq!((dependent.file.as_str(), &dependent.of[..]), (stem, &[of.to_owned()][..]));
        for (rows, split) in all.iter().zip(&dataset.splits) {
            let names: Vec<&str> = split.files.keys().map(String::as_str).collect();
            let is_of_rows = |name: &&&str| !name.starts_with(['X', 'y']);
            let extra: Vec<&str> = names.iter().filter(is_of_rows).copied().collect();
            assert_eq!(extra, [format!("{stem}.npy"), format!("{stem}.parquet")]);
            let folder = place.path().join(board).join(&split.folder);
            let read: Array1<i64> = ndarray_npy::read_npy(folder.join(extra[0])).unwrap();
            let (_, name, expected) = codes(&rows.train.dependence).unwrap();
            assert_eq!((name, read.to_vec()), (column, expected.clone()));
            let bytes = fs::read(folder.join(extra[1])).unwrap();
            let limits = Limits { bytes: 1 << 20, unpacked: 1 << 20, rows: 9999, columns: 1 };
            let file = NumberFile::new("p", &bytes, &[], &limits).unwrap();
            assert_eq!(file.names(), [column]);
            let numbers: Vec<f64> = expected.iter().map(|code| *code as f64).collect();
            assert_eq!(file.numbers(0).unwrap(), numbers);
            // Test rows are of other groups, or of later periods.
            let (_, _, tested) = codes(&rows.test.dependence).unwrap();
            let last = expected.iter().max().unwrap();
            let is_new = |code: &i64| match stem {
                TIMES => code > last,
                _ => !expected.contains(code),
            };
            assert!(tested.iter().all(is_new));
        }
    }
}

#[test]
fn a_random_division_withholds_groups_from_everybody() {
    let place = tempfile::tempdir().unwrap();
    let (_, dataset) = written_of(
        "league-beyond-groups-random",
        "exam:by-school",
        place.path(),
        &[ArrayFormat::Npy],
    );
    assert!(dataset.dependent.is_none());
    assert!(dataset.splits.iter().all(|split| split.files.len() == 3));
}
