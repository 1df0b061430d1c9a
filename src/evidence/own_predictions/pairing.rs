//! Put the predictions of several methods side by side: the same test rows, in the same order.

use std::collections::{HashMap, HashSet};

use ndarray::Array1;

use super::forms::{OwnFile, OwnForm};
use crate::data::own::OwnError;
use crate::data::printable;
use crate::predictive::Predictive;

/// Outcomes of one row that differ by no more than this share are equal: files may be rounded differently.
const SAME_OUTCOME: f64 = 1e-9;

/// The predictions of one method.
#[derive(Clone, Debug)]
pub struct Predictor {
    /// Its name.
    pub method: String,
    /// The form of its predictions.
    pub form: OwnForm,
    /// Its predictions at n points.
    pub predictive: Predictive,
    /// Its column `mean`, where the form has none of its own, as points of no variance.
    pub point: Option<Predictive>,
}

/// Rows that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The label; empty for all rows of a file without such labels.
    pub name: String,
    /// Its rows, ascending.
    pub rows: Vec<usize>,
}

/// n outcomes, and each method's predictions of them.
#[derive(Clone, Debug)]
pub struct OwnPredictions {
    /// Outcomes, n.
    pub y: Array1<f64>,
    /// Test sets, in the order of their first rows: one where the file names none.
    pub splits: Vec<Part>,
    /// Groups, in the order of their first rows; none where the file names none.
    pub groups: Vec<Part>,
    /// Number of distinct labels of rows; n where the file has none.
    pub distinct: usize,
    /// The methods, in the order of the files and of their first rows.
    pub methods: Vec<Predictor>,
}

/// The rows of one method in its file, with what identifies each: split and row.
struct Rows<'a> {
    file: &'a OwnFile,
    method: String,
    places: Vec<usize>,
    keys: Vec<(&'a str, String)>,
}

impl OwnPredictions {
    /// The methods of these files. The first method's rows give the order. Another method's row is found by its split and
    /// its label `row`; without labels it is the one at the same position within the split.
    ///
    /// # Errors
    /// [`OwnError::Shape`] for two methods of one name, rows with equal labels, and methods whose rows, outcomes or
    /// groups differ.
    pub fn new(files: &[OwnFile]) -> Result<Self, OwnError> {
        let all: Vec<Rows> = files.iter().flat_map(rows_by_method).collect();
        let mut names = HashSet::new();
        if let Some(twice) = all.iter().find(|rows| !names.insert(&rows.method)) {
            let found = format!("a second method called {}", shown(&twice.method));
            return Err(shape(twice.file, found, "one name for each; a column `method` names them"));
        }
        let Some(first) = all.first() else {
            let (file, found) = ("predictions".into(), "no file".into());
            return Err(OwnError::Shape { file, found, expected: "a file of predictions".into() });
        };
        let label = |labels: &Option<Vec<String>>, place: usize| labels.as_ref().map(|labels| labels[place].clone());
        let mut methods = Vec::new();
        for rows in &all {
            let places = beside(first, rows)?;
            for (&own, &place) in first.places.iter().zip(&places) {
                let [a, b] = [first.file.y[own], rows.file.y[place]];
                if (a - b).abs() > SAME_OUTCOME * a.abs().max(b.abs()) {
                    let found =
                        format!("the outcome {b} of {} where {} has {a}", shown(&rows.method), shown(&first.method));
                    return Err(shape(rows.file, found, PAIRED));
                }
                let [a, b] = [label(&first.file.labels.group, own), label(&rows.file.labels.group, place)];
                if b.is_some() && a != b {
                    let [a, b] = [a, b].map(|label| shown(&label.unwrap_or_default()));
                    let found =
                        format!("the group {b} of {} where {} has {a}", shown(&rows.method), shown(&first.method));
                    return Err(shape(rows.file, found, PAIRED));
                }
            }
            methods.push(Predictor {
                method: rows.method.clone(),
                form: rows.file.form,
                predictive: rows.file.predictive.select(&places),
                point: rows.file.point.as_ref().map(|point| point.select(&places)),
            });
        }
        let labels = &first.file.labels;
        let groups = first.places.iter().filter_map(|&place| label(&labels.group, place));
        let rows: HashSet<&String> = first.keys.iter().map(|(_, row)| row).collect();
        Ok(Self {
            y: first.places.iter().map(|&place| first.file.y[place]).collect(),
            splits: parts(first.keys.iter().map(|(split, _)| (*split).to_owned())),
            groups: parts(groups),
            distinct: if labels.row.is_some() { rows.len() } else { first.keys.len() },
            methods,
        })
    }
}

const PAIRED: &str = "the same test rows of every method, in the same order within a split, or with a column `row`";

fn shown(label: &str) -> String {
    format!("\"{}\"", printable(label, 60))
}

fn shape(file: &OwnFile, found: String, expected: &str) -> OwnError {
    OwnError::Shape { file: file.file.clone(), found, expected: expected.into() }
}

/// Rows by label, in the order of the labels' first rows.
fn parts(labels: impl Iterator<Item = String>) -> Vec<Part> {
    let (mut parts, mut known): (Vec<Part>, HashMap<String, usize>) = (Vec::new(), HashMap::new());
    for (row, name) in labels.enumerate() {
        let next = parts.len();
        let part = *known.entry(name.clone()).or_insert(next);
        if part == next {
            parts.push(Part { name, rows: Vec::new() });
        }
        parts[part].rows.push(row);
    }
    parts
}

/// The rows of each method of a file.
fn rows_by_method(file: &OwnFile) -> Vec<Rows<'_>> {
    let methods = match &file.labels.method {
        Some(labels) => parts(labels.iter().cloned()),
        None => vec![Part { name: file.stem.clone(), rows: (0..file.y.len()).collect() }],
    };
    let split = |place: usize| file.labels.split.as_ref().map_or("", |splits| splits[place].as_str());
    let of_method = |Part { name: method, rows: places }: Part| {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        let key = |&place: &usize| {
            let count = counts.entry(split(place)).or_default();
            *count += 1;
            let row = file.labels.row.as_ref().map_or_else(|| count.to_string(), |rows| rows[place].clone());
            (split(place), row)
        };
        let keys = places.iter().map(key).collect();
        Rows { file, method, places, keys }
    };
    methods.into_iter().map(of_method).collect()
}

/// The rows of a method in the order of the first method's.
fn beside(first: &Rows, rows: &Rows) -> Result<Vec<usize>, OwnError> {
    let mut by_key: HashMap<&(&str, String), usize> = HashMap::with_capacity(rows.keys.len());
    let in_split = |split: &str| if split.is_empty() { String::new() } else { format!(" in split {}", shown(split)) };
    for (key, &place) in rows.keys.iter().zip(&rows.places) {
        if by_key.insert(key, place).is_some() {
            let found = format!("row {} of {} twice{}", shown(&key.1), shown(&rows.method), in_split(key.0));
            return Err(shape(rows.file, found, "each row of a method once in a split"));
        }
    }
    if first.keys.len() != rows.keys.len() {
        let count = |rows: &Rows| format!("{} of {}", rows.keys.len(), shown(&rows.method));
        return Err(shape(
            rows.file,
            format!("different numbers of rows, {} and {}", count(first), count(rows)),
            PAIRED,
        ));
    }
    let place = |key: &(&str, String)| {
        by_key.get(key).copied().ok_or_else(|| {
            let found = format!("no row {} of {}{}", shown(&key.1), shown(&rows.method), in_split(key.0));
            shape(rows.file, found, PAIRED)
        })
    };
    first.keys.iter().map(place).collect()
}
