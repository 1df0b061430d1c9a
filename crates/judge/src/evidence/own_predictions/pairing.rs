//! Put the predictions of several methods side by side: the same test rows, in the same order.

use std::collections::{HashMap, HashSet};

use ndarray::Array1;

use super::ends::Infinite;
use super::form::OwnForm;
use super::forms::OwnFile;
use super::identities::{Identities, Tested, numbers_lines};
use super::labels::{describe_spelling, listed};
use super::part::{Part, is_equal_outcome, is_same_outcome, parts};
use uq_core::names::counted;
use uq_core::predictive::{Form, Predictive};
use uq_core::printable::printable;
use uq_core::stats::jackknife::without_groups;
use uqbench_data::own::{Finding, OwnError, Topic};

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
    /// Which ends of its intervals are infinite; `None` where none is.
    pub infinite: Option<Infinite>,
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
    /// The number of each row of the data among the distinct ones, n: by the labels of rows, by
    /// recurring outcomes, or by rows that the file has several times; the row's own number where
    /// nothing tells.
    pub identities: Vec<usize>,
    /// Number of distinct rows.
    pub distinct: usize,
    /// Number of training rows of the first test set, where the file states it.
    pub train_rows: Option<f64>,
    /// What was found in the rows: some that are left out, or are there several times.
    pub findings: Vec<Finding>,
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
    /// The methods of these files. The first method's rows give the order. Another method's row is
    /// found by its split and its label `row`; without labels it is the one at the same position
    /// within the split.
    ///
    /// # Errors
    /// [`OwnError::Shape`] for two methods of one name, rows with equal labels, and methods whose
    /// rows, outcomes or groups differ.
    pub fn new(files: &[OwnFile]) -> Result<Self, OwnError> {
        let all: Vec<Rows> = files.iter().flat_map(rows_by_method).collect();
        let mut names = HashSet::new();
        if let Some(twice) = all.iter().find(|rows| !names.insert(&rows.method)) {
            let found = format!("a second method called {}", shown(&twice.method));
            return Err(shape(
                twice.file,
                found,
                "one name for each; a column `method` names them",
            ));
        }
        let Some(first) = all.first() else {
            let (file, found) = ("predictions".into(), "no file".into());
            return Err(OwnError::Shape { file, found, expected: "a file of predictions".into() });
        };
        let (mut paired, mut findings) = (Vec::new(), Vec::new());
        for rows in &all {
            let places = beside(first, rows)?;
            refuse_other_facts(first, rows, &places)?;
            findings.extend(find_rounding(first, rows, &places));
            paired.push(places);
        }
        let is_known = |row: &usize| {
            all.iter().zip(&paired).all(|(rows, places)| rows.file.is_known(places[*row]))
        };
        let kept: Vec<usize> = (0..first.places.len()).filter(is_known).collect();
        findings.extend(left_out(first.file, first.places.len() - kept.len()));
        if kept.is_empty() {
            return Err(shape(
                first.file,
                "no row with both ends of every interval".into(),
                "intervals in some rows",
            ));
        }
        let methods: Vec<Predictor> =
            all.iter().zip(&paired).map(|(rows, places)| predictor(rows, places, &kept)).collect();
        let place = |&row: &usize| first.places[row];
        let y: Vec<f64> = kept.iter().map(|row| first.file.y[place(row)]).collect();
        let splits = parts(kept.iter().map(|&row| first.keys[row].0.to_owned()));
        let groups = parts(
            kept.iter().filter_map(|row| first.file.labels.of_group(place(row)).map(str::to_owned)),
        );
        let labels = first.file.labels.row.as_ref();
        let labels =
            labels.map(|labels| kept.iter().map(|row| labels[place(row)].as_str()).collect());
        let has_train_rows = first.file.train_rows.is_some();
        let tested =
            Tested { file: &first.file.file, splits: &splits, y: &y, labels, has_train_rows };
        let identities = Identities::new(&tested, &numbers(&y, &methods));
        findings.extend(identities.findings);
        let train_rows = first.file.train_rows.as_ref();
        Ok(Self {
            train_rows: train_rows.and_then(|rows| Some(rows[place(kept.first()?)])),
            y: y.into(),
            splits,
            groups,
            distinct: identities.distinct,
            identities: identities.of_rows,
            methods,
            findings,
        })
    }
}

impl OwnPredictions {
    /// Number of distinct rows among these.
    pub fn distinct_of(&self, rows: &[usize]) -> usize {
        rows.iter().map(|&row| self.identities[row]).collect::<HashSet<usize>>().len()
    }

    /// The outcomes of the distinct rows.
    pub(super) fn distinct_outcomes(&self) -> Vec<f64> {
        let mut known = vec![false; self.distinct];
        let is_first =
            |(row, _): &(usize, &f64)| !std::mem::replace(&mut known[self.identities[*row]], true);
        self.y.iter().enumerate().filter(is_first).map(|(_, y)| *y).collect()
    }

    /// All rows but those of each of the jackknife's groups; all copies of a row are in one group.
    pub(super) fn without_groups(&self) -> Vec<Vec<usize>> {
        let without = |kept: Vec<usize>| {
            let mut is_kept = vec![false; self.distinct];
            kept.iter().for_each(|&row| is_kept[row] = true);
            (0..self.y.len()).filter(|&row| is_kept[self.identities[row]]).collect()
        };
        without_groups(self.distinct).into_iter().map(without).collect()
    }
}

/// Refuses rows whose outcomes or groups are not those of the first method.
fn refuse_other_facts(first: &Rows, rows: &Rows, places: &[usize]) -> Result<(), OwnError> {
    let named = |found: String| {
        format!("{found} of {} where {} has", shown(&rows.method), shown(&first.method))
    };
    for (&own, &place) in first.places.iter().zip(places) {
        let [a, b] = [first.file.y[own], rows.file.y[place]];
        if !is_same_outcome(a, b) {
            return Err(shape(
                rows.file,
                format!("{} {a}", named(format!("the outcome {b}"))),
                PAIRED,
            ));
        }
        let [a, b] = [first.file.labels.of_group(own), rows.file.labels.of_group(place)];
        if b.is_some() && a != b {
            let [a, b] = [a, b].map(|label| shown(label.unwrap_or_default()));
            return Err(shape(
                rows.file,
                format!("{} {a}", named(format!("the group {b}"))),
                PAIRED,
            ));
        }
    }
    Ok(())
}

/// The predictions of a method at the rows that are kept, given its places of all rows.
fn predictor(rows: &Rows, places: &[usize], kept: &[usize]) -> Predictor {
    let places: Vec<usize> = kept.iter().map(|&row| places[row]).collect();
    Predictor {
        method: rows.method.clone(),
        form: rows.file.form,
        predictive: rows.file.predictive.select(&places),
        point: rows.file.point.as_ref().map(|point| point.select(&places)),
        infinite: rows.file.infinite().map(|infinite| infinite.select(&places)),
    }
}

/// All that is stated of each row, as bits: the outcome first.
fn numbers(y: &[f64], methods: &[Predictor]) -> Vec<Vec<u64>> {
    let of_row = |row: usize| {
        let mut all = vec![y[row].to_bits()];
        for predictive in methods
            .iter()
            .flat_map(|method| std::iter::once(&method.predictive).chain(&method.point))
        {
            match &predictive.form {
                Form::Gaussian(form) => {
                    all.extend([form.mean[row], form.variance[row]].map(f64::to_bits))
                }
                Form::Quantiles(form) => {
                    all.extend(form.values.row(row).iter().map(|value| value.to_bits()))
                }
                Form::Samples(form) => {
                    all.extend(form.values.row(row).iter().map(|value| value.to_bits()))
                }
                Form::StudentT(form) => {
                    all.extend(
                        [&form.location, &form.scale, &form.degrees_of_freedom]
                            .map(|column| column[row].to_bits()),
                    );
                }
                Form::Mixture(form) => {
                    let columns = [&form.weights, &form.means, &form.variances];
                    all.extend(
                        columns
                            .iter()
                            .flat_map(|column| column.row(row))
                            .map(|value| value.to_bits()),
                    );
                }
                // No file states another form.
                _ => {}
            }
        }
        all
    };
    (0..y.len()).map(of_row).collect()
}

/// A warning that rows are left out.
fn left_out(file: &OwnFile, rows: usize) -> Option<Finding> {
    let finding = || {
        Finding::warning(format!(
            "{}: {} without one end of an interval {} left out, of every method. Such rows may be \
             harder than others: where an interval has no end, write inf or -inf, which is scored",
            file.file,
            counted(rows, "row"),
            if rows == 1 { "is" } else { "are" }
        ))
        .about(Topic::LeftOut, ["lower", "upper"])
    };
    (rows > 0).then(finding)
}

/// A note on outcomes that are equal in 32 bits alone, of a method whose rows stand at these
/// places.
fn find_rounding(first: &Rows, rows: &Rows, places: &[usize]) -> Option<Finding> {
    let pairs = first
        .places
        .iter()
        .zip(places)
        .map(|(&own, &place)| (first.file.y[own], rows.file.y[place]));
    let differ = pairs.filter(|(a, b)| !is_equal_outcome(*a, *b)).count();
    let text = format!(
        "{}: the outcomes of {} of {} differ from those of {} by the rounding of 32 bits: they are \
         taken as equal, and those of {} are scored",
        rows.file.file,
        counted(differ, "row"),
        shown(&rows.method),
        shown(&first.method),
        first.file.file
    );
    (differ > 0).then(|| Finding::note(text).about(Topic::Rounding, [] as [&str; 0]))
}

const PAIRED: &str =
    "the same test rows of every method, in the same order within a split, or with a column `row`";

fn shown(label: &str) -> String {
    format!("\"{}\"", printable(label, 60))
}

fn shape(file: &OwnFile, found: String, expected: &str) -> OwnError {
    OwnError::Shape { file: file.file.clone(), found, expected: expected.into() }
}

/// The rows of each method of a file.
fn rows_by_method(file: &OwnFile) -> Vec<Rows<'_>> {
    let methods = match &file.labels.method {
        Some(labels) => parts(labels.iter().cloned()),
        None => vec![Part { name: file.stem.clone(), rows: (0..file.y.len()).collect() }],
    };
    // Numbers of lines pair no row of one method with that of another one.
    let is_of_lines = |labels: &&Vec<String>| {
        methods.len() > 1 && numbers_lines(&labels.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let row_labels = file.labels.row.as_ref().filter(|labels| !is_of_lines(labels));
    let split =
        |place: usize| file.labels.split.as_ref().map_or("", |splits| splits[place].as_str());
    let of_method = |Part { name: method, rows: places }: Part| {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        let key = |&place: &usize| {
            let count = counts.entry(split(place)).or_default();
            *count += 1;
            let row = row_labels.map_or_else(|| count.to_string(), |rows| rows[place].clone());
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
    let in_split = |split: &str| {
        if split.is_empty() { String::new() } else { format!(" in split {}", shown(split)) }
    };
    for (key, &place) in rows.keys.iter().zip(&rows.places) {
        if by_key.insert(key, place).is_some() {
            let found = format!(
                "row {} of {} twice{}",
                shown(&key.1),
                shown(&rows.method),
                in_split(key.0)
            );
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
    let place =
        |key: &(&str, String)| by_key.get(key).copied().ok_or_else(|| unpaired(first, rows, key));
    first.keys.iter().map(place).collect()
}

/// The error on a row of the first method that another one lacks, with the cause: the labels of
/// splits, or those of rows.
fn unpaired(first: &Rows, rows: &Rows, (split, row): &(&str, String)) -> OwnError {
    let (a, b) = (shown(&first.method), shown(&rows.method));
    let splits = || rows.keys.iter().map(|(split, _)| *split);
    if splits().any(|known| known == *split) {
        let in_split =
            || rows.keys.iter().filter(|(known, _)| known == split).map(|(_, row)| row.as_str());
        let cause =
            describe_spelling(row, in_split()).map(|told| format!(" ({told})")).unwrap_or_default();
        let of_split =
            if split.is_empty() { String::new() } else { format!(" in split {}", shown(split)) };
        return shape(rows.file, format!("no row {} of {b}{of_split}{cause}", shown(row)), PAIRED);
    }
    let found = match describe_spelling(split, splits()) {
        Some(told) => format!("other labels of splits of {b} than of {a}: {told}"),
        None if splits().all(str::is_empty) => {
            format!(
                "no row {} of {b} in split {}, because {b} has no column `split`",
                shown(row),
                shown(split)
            )
        }
        None => format!(
            "no split {} of {b}, which {a} has; its splits are {}",
            shown(split),
            listed(splits())
        ),
    };
    shape(rows.file, found, PAIRED)
}
