//! Read a file of predictions and outcomes: a predictive distribution at each row, and what the
//! row belongs to.

use ndarray::Array1;

use super::ends::{Ends, Infinite};
use super::finite::{finite, finite_outcomes};
use super::form::{Found, Given, OwnForm};
use super::levels::central;
use uq_core::predictive::{Form, Gaussian, Predictive};
use uq_core::printable::printable;
use uqbench_data::own::{Cells, Finding, OwnError, Setting, Topic, Words};

/// The predictions of a file, n rows.
#[derive(Clone, Debug)]
pub struct OwnFile {
    /// Its name in messages.
    pub file: String,
    /// The name of its method where it has no column `method`.
    pub stem: String,
    /// The form of the predictions.
    pub form: OwnForm,
    /// Outcomes, n.
    pub y: Vec<f64>,
    /// Predictions at n points. Of intervals: the quantiles at both ends.
    pub predictive: Predictive,
    /// The column `mean`, where the form has none of its own, as points of no variance.
    pub point: Option<Predictive>,
    /// The labels of the columns `method`, `split`, `group` and `row`, each n; `None` for a column
    /// that is not there.
    pub labels: Labels,
    /// The ends of intervals, where they are the form.
    ends: Option<Ends>,
    /// Numbers of training rows, n, where the file states them.
    pub train_rows: Option<Vec<f64>>,
    /// Which columns were taken where there was a choice, and which are not used.
    pub findings: Vec<Finding>,
}

/// Labels of rows by column.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// The method that made the prediction.
    pub method: Option<Vec<String>>,
    /// The test set that the row belongs to.
    pub split: Option<Vec<String>>,
    /// A group of rows that is to be judged by itself.
    pub group: Option<Vec<String>>,
    /// What identifies the row of the data within a test set.
    pub row: Option<Vec<String>>,
}

impl Labels {
    /// The group of a row; `None` where the file names none.
    pub fn of_group(&self, row: usize) -> Option<&str> {
        self.group.as_ref().map(|labels| labels[row].as_str())
    }
}

impl OwnFile {
    /// Reads the predictions of a file: its outcomes from the column `y`. Where it has the columns
    /// of several forms, the intervals `lower` and `upper` are taken, which somebody has promised,
    /// or else `form` is needed. `level`, the probability of the intervals, is needed where the
    /// form is [`OwnForm::Interval`].
    ///
    /// # Errors
    /// [`OwnError`]: a name twice in the header; no column `y`; no form, or several; an interval
    /// without level; a cell that is no number, or, but for the ends of intervals, not finite; a
    /// standard deviation that is not positive; quantiles or ends of an interval in the wrong
    /// order.
    pub fn new(
        cells: &Cells,
        stem: &str,
        y: &str,
        form: Option<OwnForm>,
        level: Option<f64>,
    ) -> Result<Self, OwnError> {
        cells.refuse_repeated_names()?;
        let outcome = cells.place(Setting::Outcome, y)?;
        let found = Found::of(cells, Some(outcome));
        let asked = form;
        let form = found.form(cells, asked)?;
        let mut used = vec![outcome];
        let outcomes = finite_outcomes(cells, outcome)?;
        used.extend(one_dataset(cells)?);
        let choice = found.find_choice(cells, form).filter(|_| asked.is_none());
        let mut ends = None;
        let is_interval = form == OwnForm::Interval;
        let level = is_interval.then(|| stated_level(cells, level)).transpose()?;
        used.extend(found.places(form));
        let predictive = match found.read(cells, form)? {
            Given::Form(form) => Predictive::new(form),
            Given::Ends(found) => {
                let levels = central(level.unwrap_or_default()).into();
                ends.insert(found).predictive(levels, &outcomes)
            }
        };
        let mean = found.mean.filter(|mean| !used.contains(mean));
        let point = mean.map(|mean| finite(cells, &[mean])).transpose()?;
        used.extend(mean);
        let mut label = |name: &str| {
            let place = cells.find(name).filter(|place| !used.contains(place));
            used.extend(place);
            place.map(|place| cells.labels(place)).transpose()
        };
        let labels = Labels {
            method: label("method")?,
            split: label("split")?,
            group: label("group")?,
            row: label("row")?,
        };
        let train_rows = cells.find("train_rows").filter(|place| !used.contains(place));
        used.extend(train_rows);
        let train_rows = train_rows.map(|place| counts(cells, place)).transpose()?;
        Ok(Self {
            file: cells.file().into(),
            stem: stem.into(),
            form,
            y: outcomes,
            predictive,
            point: point.map(|mut mean| points(mean.remove(0))),
            labels,
            ends,
            train_rows,
            findings: choice.into_iter().chain(find_unused(cells, &used)).collect(),
        })
    }

    /// Whether everything that the form states of a row is there: both ends of an interval.
    pub(super) fn is_known(&self, row: usize) -> bool {
        self.ends.as_ref().is_none_or(|ends| ends.is_known[row])
    }

    /// Which ends of intervals are infinite; `None` where none is.
    pub(super) fn infinite(&self) -> Option<Infinite> {
        self.ends.as_ref().and_then(Ends::infinite)
    }
}

/// Numbers of training rows, above 0.
fn counts(cells: &Cells, place: usize) -> Result<Vec<f64>, OwnError> {
    let counts = cells.numbers(&[place])?.remove(0);
    match counts.iter().position(|count| *count < 1.0) {
        Some(row) => Err(cells.wrong(
            row,
            place,
            counts[row].to_string(),
            "a number of training rows, 1 or more",
        )),
        None => Ok(counts),
    }
}

/// A note on the columns that are not used.
fn find_unused(cells: &Cells, used: &[usize]) -> Option<Finding> {
    let all = cells.names().iter().enumerate().filter(|(place, _)| !used.contains(place));
    let names: Vec<String> = all.map(|(_, name)| name.clone()).collect();
    let quoted = names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    let note = format!("{}: columns that are not used: {}", cells.file(), printable(&quoted, 300));
    (!names.is_empty()).then(|| Finding::note(note).about(Topic::Unused, names))
}

/// The position of a column `dataset`, which exported predictions have: it has to name one dataset
/// only.
fn one_dataset(cells: &Cells) -> Result<Option<usize>, OwnError> {
    let Some(place) = cells.find("dataset") else { return Ok(None) };
    let labels = cells.labels(place)?;
    let Some(row) = labels.iter().position(|label| *label != labels[0]) else {
        return Ok(Some(place));
    };
    let found = format!("a second dataset, \"{}\"", printable(&labels[row], 60));
    Err(cells.wrong(
        row,
        place,
        found,
        "one dataset: scores of different targets have no common unit",
    ))
}

/// Points of no variance.
pub(in crate::evidence) fn points(mean: Vec<f64>) -> Predictive {
    let variance = Array1::zeros(mean.len());
    Predictive::new(Form::Gaussian(Gaussian { mean: mean.into(), variance }))
}

/// The probability of intervals, which no column states.
fn stated_level(cells: &Cells, level: Option<f64>) -> Result<f64, OwnError> {
    level.ok_or_else(|| OwnError::Shape {
        file: cells.file().into(),
        found: "intervals, `lower` and `upper`".into(),
        expected: Words::from("their probability, which no column states: ")
            + Setting::Level
            + " 0.9 for 90 %",
    })
}
