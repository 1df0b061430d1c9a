//! Recognise the columns of a file of predictions, and read them as a predictive distribution at
//! each row.

use std::fmt;

use ndarray::{Array1, Array2};

use super::ends::{Ends, Infinite};
use super::finite::{finite, finite_outcomes};
use super::levels::central;
use super::parametric::{Parameters, mixture, student_t};
use uq_core::predictive::{Form, Gaussian, Predictive, Quantiles, Samples};
use uq_core::printable::printable;
use uqbench_data::own::{Cells, Finding, OwnError, Setting, Topic, Words};

/// What a file states of each prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnForm {
    /// Normal distributions: the columns `mean` and `sd`.
    Gaussian,
    /// Student-t distributions: the columns `location`, `scale` and `df`.
    StudentT,
    /// Mixtures of normal distributions: the columns `weight1`, `mean1`, `sd1`, `weight2`, and so
    /// on.
    Mixture,
    /// Quantiles: columns such as `q0.05` and `q0.95`.
    Quantiles,
    /// Draws: the columns `s1`, `s2`, and so on.
    Samples,
    /// Central intervals: the columns `lower` and `upper`.
    Interval,
}

impl OwnForm {
    /// All of them.
    const ALL: [Self; 6] = [
        Self::Gaussian,
        Self::StudentT,
        Self::Mixture,
        Self::Quantiles,
        Self::Samples,
        Self::Interval,
    ];
}

impl fmt::Display for OwnForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gaussian => "gaussian",
            Self::StudentT => "student-t",
            Self::Mixture => "mixture",
            Self::Quantiles => "quantiles",
            Self::Samples => "samples",
            Self::Interval => "interval",
        })
    }
}

/// The columns of every form, for messages.
const FORMS: &str = "`mean` and `sd`, quantiles such as `q0.05` and `q0.95`, draws `s1`, `s2`, …, \
                     `lower` and `upper`, `location`, `scale` and `df`, or `weight1`, `mean1`, \
                     `sd1`, `weight2`, …";

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
        let found = Found::of(cells, outcome);
        let asked = form;
        let form = found.form(cells, asked)?;
        let mut used = vec![outcome];
        let outcomes = finite_outcomes(cells, outcome)?;
        used.extend(one_dataset(cells)?);
        let choice = found.find_choice(cells, form).filter(|_| asked.is_none());
        let mut ends = None;
        let predictive = match form {
            OwnForm::Gaussian => Predictive::new(gaussian(cells, &found, &mut used)?),
            OwnForm::StudentT => {
                let places = found.parameters.student_t.unwrap_or_default();
                used.extend(places);
                Predictive::new(student_t(cells, places)?)
            }
            OwnForm::Mixture => {
                used.extend(found.parameters.mixture.iter().flatten());
                Predictive::new(mixture(cells, &found.parameters.mixture)?)
            }
            OwnForm::Quantiles => Predictive::new(quantiles(cells, found.quantiles, &mut used)?),
            OwnForm::Samples => Predictive::new(samples(cells, found.samples, &mut used)?),
            OwnForm::Interval => {
                let (lower, upper) = central(stated_level(cells, level)?);
                ends.insert(interval(cells, &found, &mut used)?)
                    .predictive([lower, upper], &outcomes)
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
fn points(mean: Vec<f64>) -> Predictive {
    let variance = Array1::zeros(mean.len());
    Predictive::new(Form::Gaussian(Gaussian { mean: mean.into(), variance }))
}

/// Positions of the columns that state predictions.
struct Found {
    mean: Option<usize>,
    sd: Option<usize>,
    lower: Option<usize>,
    upper: Option<usize>,
    /// Levels and positions, by level.
    quantiles: Vec<(f64, usize)>,
    /// Numbers and positions, by number.
    samples: Vec<(usize, usize)>,
    /// Those of families with other parameters.
    parameters: Parameters,
}

impl Found {
    fn of(cells: &Cells, outcome: usize) -> Self {
        let find = |name: &str| cells.find(name).filter(|place| *place != outcome);
        let others = || cells.names().iter().enumerate().filter(|(place, _)| *place != outcome);
        // The level has a decimal comma where the numbers have one.
        let level = |name: &str| {
            let level = name.strip_prefix('q')?.replace(',', ".").parse::<f64>();
            level.ok().filter(|level| (0.0..=1.0).contains(level))
        };
        let number = |name: &str| name.strip_prefix('s')?.parse::<usize>().ok();
        let mut quantiles: Vec<_> =
            others().filter_map(|(place, name)| Some((level(name)?, place))).collect();
        quantiles.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Alone `q0` and `q1` are more likely other things, such as the first of three quartiles,
        // than the ends of distributions.
        if quantiles.iter().all(|(level, _)| [0.0, 1.0].contains(level)) {
            quantiles.clear();
        }
        let mut samples: Vec<_> =
            others().filter_map(|(place, name)| Some((number(name)?, place))).collect();
        samples.sort_unstable();
        let [mean, sd, lower, upper] = ["mean", "sd", "lower", "upper"].map(find);
        Self { mean, sd, lower, upper, quantiles, samples, parameters: Parameters::find(find) }
    }

    fn has(&self, form: OwnForm) -> bool {
        match form {
            OwnForm::Gaussian => self.mean.is_some() && self.sd.is_some(),
            OwnForm::StudentT => self.parameters.student_t.is_some(),
            OwnForm::Mixture => !self.parameters.mixture.is_empty(),
            OwnForm::Quantiles => !self.quantiles.is_empty(),
            OwnForm::Samples => !self.samples.is_empty(),
            OwnForm::Interval => self.lower.is_some() && self.upper.is_some(),
        }
    }

    /// A note on what was taken and what was not, where intervals stand beside the columns of
    /// another form.
    fn find_choice(&self, cells: &Cells, form: OwnForm) -> Option<Finding> {
        let mut others = OwnForm::ALL.iter().filter(|other| **other != form && self.has(**other));
        let other = others.next().filter(|_| form == OwnForm::Interval)?;
        let note = format!(
            "{}: the intervals `lower` and `upper` are scored, because they are what was promised; \
             --form {other} scores the predictions of the form {other} instead",
            cells.file()
        );
        Some(Finding::note(note).about(Topic::Form, ["lower", "upper"]))
    }

    /// The form to read: the one that is asked for, intervals, or the only one.
    fn form(&self, cells: &Cells, asked: Option<OwnForm>) -> Result<OwnForm, OwnError> {
        let present: Vec<OwnForm> =
            OwnForm::ALL.iter().copied().filter(|form| self.has(*form)).collect();
        let wrong = |found: String, expected: Words| {
            Err(OwnError::Shape {
                file: cells.file().into(),
                found: printable(&found, 300),
                expected,
            })
        };
        let columns =
            || cells.names().iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        match (asked, &present[..]) {
            (Some(form), _) if self.has(form) => Ok(form),
            (None, &[form]) => Ok(form),
            (None, [.., OwnForm::Interval]) => Ok(OwnForm::Interval),
            (Some(form), _) => wrong(
                format!("the columns {}", columns()),
                Words::from(format!("those of the form {form}, because of "))
                    + Setting::Form
                    + format!("; the columns of the forms are {FORMS}"),
            ),
            (None, []) => wrong(
                format!("the columns {}", columns()),
                format!("predictions beside the outcomes: {FORMS}").into(),
            ),
            (None, several) => {
                let names: Vec<String> = several.iter().map(OwnForm::to_string).collect();
                let expected =
                    Words::from("one form; ") + Setting::Form + format!(" {} chooses it", names[0]);
                wrong(format!("the columns of several forms: {}", names.join(", ")), expected)
            }
        }
    }
}

fn gaussian(cells: &Cells, found: &Found, used: &mut Vec<usize>) -> Result<Form, OwnError> {
    let places: Vec<usize> = [found.mean, found.sd].into_iter().flatten().collect();
    let [mean, sd] = two(finite(cells, &places)?);
    if let Some(row) = sd.iter().position(|sd| *sd <= 0.0) {
        return Err(cells.wrong(
            row,
            places[1],
            sd[row].to_string(),
            "a standard deviation above 0",
        ));
    }
    used.extend(places);
    Ok(Form::Gaussian(Gaussian {
        mean: mean.into(),
        variance: sd.into_iter().map(|sd| sd * sd).collect(),
    }))
}

fn quantiles(
    cells: &Cells,
    found: Vec<(f64, usize)>,
    used: &mut Vec<usize>,
) -> Result<Form, OwnError> {
    if let Some(pair) = found.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let [first, second] = [pair[0].1, pair[1].1].map(|place| &cells.names()[place]);
        return Err(OwnError::Column {
            file: cells.file().into(),
            column: printable(second, 60),
            found: format!("the level of the column \"{}\"", printable(first, 60)),
            expected: "one column for each level".into(),
        });
    }
    let (levels, places): (Vec<f64>, Vec<usize>) = found.into_iter().unzip();
    let columns = finite(cells, &places)?;
    for (pair, places) in columns.windows(2).zip(places.windows(2)) {
        if let Some(row) = (0..cells.rows()).find(|&row| pair[1][row] < pair[0][row]) {
            let below = &cells.names()[places[0]];
            let found = format!(
                "{}, below {} in the column \"{}\"",
                pair[1][row],
                pair[0][row],
                printable(below, 60)
            );
            return Err(cells.wrong(
                row,
                places[1],
                found,
                "quantiles that do not fall as their level rises; sort each row",
            ));
        }
    }
    used.extend(&places);
    Ok(Form::Quantiles(Quantiles { levels, values: matrix(&columns) }))
}

fn samples(
    cells: &Cells,
    found: Vec<(usize, usize)>,
    used: &mut Vec<usize>,
) -> Result<Form, OwnError> {
    let (numbers, places): (Vec<usize>, Vec<usize>) = found.into_iter().unzip();
    if numbers.len() < 2 || numbers.iter().zip(1..).any(|(found, expected)| *found != expected) {
        let gap = numbers
            .iter()
            .zip(1..)
            .find(|(found, expected)| *found != expected)
            .map(|(_, expected)| expected);
        return Err(OwnError::Shape {
            file: cells.file().into(),
            found: format!("columns of draws without `s{}`", gap.unwrap_or(numbers.len() + 1)),
            expected: "at least two draws, in the columns `s1`, `s2`, … without a gap".into(),
        });
    }
    let columns = finite(cells, &places)?;
    used.extend(places);
    Ok(Form::Samples(Samples { values: matrix(&columns) }))
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

fn interval(cells: &Cells, found: &Found, used: &mut Vec<usize>) -> Result<Ends, OwnError> {
    let places = [found.lower, found.upper].map(Option::unwrap_or_default);
    let ends = Ends::read(cells, places)?;
    used.extend(places);
    Ok(ends)
}

fn two(mut columns: Vec<Vec<f64>>) -> [Vec<f64>; 2] {
    let second = columns.pop().unwrap_or_default();
    [columns.pop().unwrap_or_default(), second]
}

/// Columns as an n × k array.
fn matrix(columns: &[Vec<f64>]) -> Array2<f64> {
    let rows = columns.first().map_or(0, Vec::len);
    Array2::from_shape_fn((rows, columns.len()), |(row, column)| columns[column][row])
}
