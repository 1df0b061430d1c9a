//! Write what a fit may see of a board: for each split the training rows and the features of the
//! test rows, as files that every language reads.

use std::collections::BTreeMap;
use std::path::Path;

use ndarray::{Array1, Array2};
use ndarray_npy::WriteNpyExt;
use polars_arrow::array::PrimitiveArray;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Board, LeagueError, blank_card};
use crate::external::contract::{ColumnFacts, ColumnKind};
use crate::protocols::Rows;
use uq_core::{Dependence, Table};
use uqbench_data::columns::Columns;
use uqbench_data::{Format, Library, Manifest};
use uqbench_system::Patient;
use uqbench_system::disk::{Disk, Durability};
use uqbench_system::hash::sha256;
use uqbench_system::program::Program;
use uqbench_system::whole_folder::write_folder;

/// The file that describes the others.
pub const TASK_FILE: &str = "task.json";

/// The arrays of a split.
const X_TRAIN: &str = "X_train";
const Y_TRAIN: &str = "y_train";
const X_TEST: &str = "X_test";

/// The group of each training row, where rows of a group depend on each other.
const GROUPS: &str = "groups_train";
/// The period of each training row, where rows that are near in time depend on each other.
const TIMES: &str = "times_train";

/// The format of arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayFormat {
    /// NumPy's: little-endian doubles without names.
    Npy,
    /// Parquet, with the names of the columns.
    Parquet,
}

impl ArrayFormat {
    fn ending(self) -> &'static str {
        match self {
            Self::Npy => "npy",
            Self::Parquet => "parquet",
        }
    }
}

/// All that is written.
#[derive(Debug, Serialize, Deserialize)]
struct Task {
    /// Version of this layout.
    format: u32,
    board: String,
    title: String,
    program: String,
    protocol: Value,
    datasets: Vec<TaskDataset>,
}

#[derive(Debug, Serialize, Deserialize)]
struct TaskDataset {
    key: String,
    heading: String,
    rows: usize,
    columns: Vec<TaskColumn>,
    target: TaskTarget,
    /// Which training rows depend on each other, where the methods of this program are told.
    #[serde(skip_serializing_if = "Option::is_none")]
    dependent: Option<TaskDependence>,
    splits: Vec<TaskSplit>,
}

#[derive(Debug, Serialize, Deserialize)]
struct TaskColumn {
    name: String,
    unit: String,
    kind: String,
    /// The column of the source that has this level, or that is missing where this is 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct TaskTarget {
    name: String,
    unit: String,
    /// Distance between neighbouring values of a rounded or discrete target.
    resolution: Option<f64>,
}

/// The file that has a whole number for each training row: rows of equal numbers belong together.
#[derive(Debug, Serialize, Deserialize)]
struct TaskDependence {
    /// Its name, without an ending.
    file: String,
    /// The columns of the source that it stands for, which are no features. There are none where
    /// neighbouring rows of the source are a group.
    of: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct TaskSplit {
    split: u64,
    folder: String,
    train_rows: usize,
    test_rows: usize,
    /// SHA-256 of each file, by its name.
    files: BTreeMap<String, String>,
}

/// Writes the splits of a board into a new folder, whole or not at all: arrays, [`TASK_FILE`], a
/// card to fill in, and a page that says what to do.
///
/// # Errors
/// [`LeagueError::Data`] where datasets are not at hand; [`LeagueError::Write`], also for a folder
/// that has files.
pub fn write_tasks(
    board: &Board,
    library: &Library,
    folder: &Path,
    formats: &[ArrayFormat],
) -> Result<(), LeagueError> {
    let tables = board.load(library)?;
    let mut folders: Vec<String> = board.datasets.iter().map(|one| one.folder()).collect();
    folders.sort_unstable();
    if let Some(pair) = folders.windows(2).find(|pair| pair[0] == pair[1]) {
        let why = format!("two datasets would have the folder {}", pair[0]);
        return Err(LeagueError::Unfit { board: board.id.clone(), why });
    }
    let disk = Patient::machine();
    write_folder(&disk, folder, |folder| {
        let splits = board.of_each_split(&tables, |dataset, split, rows| {
            let name = format!("{}/split-{split}", dataset.folder());
            write_split(&disk, folder, name, split, &rows, formats)
        })?;
        let datasets = board.datasets.iter().zip(&tables).zip(splits);
        let datasets = datasets.map(|((dataset, table), splits)| TaskDataset {
            key: dataset.key.clone(),
            heading: dataset.heading.clone(),
            rows: table.rows(),
            columns: columns(&dataset.key, table),
            target: TaskTarget {
                name: table.target_name.clone(),
                unit: table.target_unit.clone(),
                resolution: table.target_resolution,
            },
            dependent: splits.iter().find_map(|split| dependent(&dataset.key, split)),
            splits,
        });
        let task = Task {
            format: 1,
            board: board.id.clone(),
            title: board.title.clone(),
            program: Program::this().to_string(),
            protocol: board.protocol.clone(),
            datasets: datasets.collect(),
        };
        let text = serde_json::to_string_pretty(&task).map_err(std::io::Error::other)? + "\n";
        let is_part = board.is_part;
        for (name, text) in [
            (TASK_FILE, text),
            ("card.toml", blank_card(&board.id, is_part)),
            ("README.md", README.replace("BOARD", &board.id)),
        ] {
            disk.write_new(&folder.join(name), text.as_bytes(), Durability::Cached)?;
        }
        Ok(())
    })
}

/// What is said of the folder, in it.
const README: &str = include_str!("tasks/README.md");

fn write_split(
    disk: &dyn Disk,
    above: &Path,
    name: String,
    split: u64,
    rows: &Rows,
    formats: &[ArrayFormat],
) -> Result<TaskSplit, LeagueError> {
    let folder = above.join(&name);
    disk.create_folders(&folder)?;
    let Rows { train, test, .. } = rows;
    let mut files = BTreeMap::new();
    for format in formats {
        for (array, bytes) in arrays(train, test, *format)? {
            let file = format!("{array}.{}", format.ending());
            disk.write_new(&folder.join(&file), &bytes, Durability::Cached)?;
            files.insert(file, sha256(&bytes));
        }
    }
    let (train_rows, test_rows) = (train.rows(), test.rows());
    Ok(TaskSplit { split, folder: name, train_rows, test_rows, files })
}

/// The arrays of a split by name: what the methods of this program get. They are never told which
/// test rows depend on which rows.
fn arrays(
    train: &Table,
    test: &Table,
    format: ArrayFormat,
) -> Result<Vec<(&'static str, Vec<u8>)>, LeagueError> {
    let target = train.target.clone().insert_axis(ndarray::Axis(1));
    let target_name = [train.target_name.clone()];
    let doubles = [
        (X_TRAIN, &train.features, &train.feature_names[..]),
        (Y_TRAIN, &target, &target_name[..]),
        (X_TEST, &test.features, &test.feature_names[..]),
    ];
    let of_array = |(array, values, names)| {
        let bytes = match format {
            ArrayFormat::Npy if array == Y_TRAIN => npy(&train.target)?,
            ArrayFormat::Npy => npy(values)?,
            ArrayFormat::Parquet => parquet(names, values)?,
        };
        Ok((array, bytes))
    };
    let mut all: Vec<_> = doubles.into_iter().map(of_array).collect::<Result<_, LeagueError>>()?;
    if let Some((array, name, codes)) = codes(&train.dependence) {
        let bytes = match format {
            ArrayFormat::Npy => npy(&Array1::from(codes))?,
            ArrayFormat::Parquet => {
                let mut columns = Columns::default();
                columns.add(name, PrimitiveArray::from_vec(codes).boxed());
                written(&columns)?
            }
        };
        all.push((array, bytes));
    }
    Ok(all)
}

/// The file of groups or of periods, the name of its column, and the number of each row.
fn codes(dependence: &Dependence) -> Option<(&'static str, &'static str, Vec<i64>)> {
    let numbers = |all: &[usize]| all.iter().map(|code| *code as i64).collect();
    match dependence {
        Dependence::Unknown => None,
        Dependence::Groups(groups) => Some((GROUPS, "group", numbers(groups))),
        Dependence::Periods(periods) => Some((TIMES, "period", numbers(periods))),
    }
}

/// What a split says of rows that depend on each other.
fn dependent(key: &str, split: &TaskSplit) -> Option<TaskDependence> {
    let stem = |file: &String| file.split_once('.').map(|(stem, _)| stem.to_owned());
    let file =
        split.files.keys().filter_map(stem).find(|stem| [GROUPS, TIMES].contains(&&**stem))?;
    let dataset = Manifest::shipped().and_then(|manifest| manifest.get(key)).ok();
    let rows = dataset.and_then(|dataset| dataset.dependent.as_ref());
    Some(TaskDependence { file, of: rows.map_or(Vec::new(), |rows| rows.columns().to_vec()) })
}

fn npy(values: &impl WriteNpyExt) -> Result<Vec<u8>, LeagueError> {
    let mut bytes = Vec::new();
    values.write_npy(&mut bytes).map_err(std::io::Error::other)?;
    Ok(bytes)
}

fn parquet(names: &[String], values: &Array2<f64>) -> Result<Vec<u8>, LeagueError> {
    let mut columns = Columns::default();
    for (name, column) in names.iter().zip(values.columns()) {
        let column: Array1<f64> = column.to_owned();
        columns.add(name, PrimitiveArray::from_vec(column.to_vec()).boxed());
    }
    written(&columns)
}

fn written(columns: &Columns) -> Result<Vec<u8>, LeagueError> {
    Ok(columns.to_parquet().map_err(|error| std::io::Error::other(error.to_string()))?)
}

/// What is known of each feature, over all rows.
fn columns(key: &str, table: &Table) -> Vec<TaskColumn> {
    // Features of a table with text are named after its columns.
    let dataset = Manifest::shipped().and_then(|manifest| manifest.get(key)).ok();
    let of_table = dataset.filter(|one| matches!(one.layout.format, Format::Table(_)));
    let sources: Vec<&str> = match of_table {
        Some(dataset) => dataset.features.iter().map(|column| column.name.as_str()).collect(),
        None => Vec::new(),
    };
    let facts = ColumnFacts::of(table).into_iter().zip(&table.feature_units);
    facts
        .map(|(ColumnFacts { name, kind }, unit)| {
            let level = |source: &&&str| {
                name.strip_prefix(**source).is_some_and(|rest| rest.starts_with('='))
            };
            let missing = |source: &&&str| name.strip_prefix(**source) == Some(" is missing");
            let (kind, of) = match (sources.iter().find(level), sources.iter().find(missing)) {
                (Some(of), _) => ("level", Some((*of).to_owned())),
                (_, Some(of)) => ("missing", Some((*of).to_owned())),
                (None, None) => (of_kind(kind), None),
            };
            TaskColumn { name, unit: unit.clone(), kind: kind.into(), of }
        })
        .collect()
}

fn of_kind(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Constant => "constant",
        ColumnKind::Binary => "binary",
        ColumnKind::Numeric => "numeric",
    }
}

#[cfg(test)]
mod tests;
