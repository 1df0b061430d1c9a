//! Recognise the columns of a file of predictions, and read them as a predictive distribution at each row.

use std::fmt;

use ndarray::{Array1, Array2};

use crate::data::own::{Cells, OwnError};
use crate::data::printable;
use crate::predictive::{Form, Gaussian, Predictive, Quantiles, Samples, central_levels};

/// What a file states of each prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum OwnForm {
    /// Normal distributions: the columns `mean` and `sd`.
    Gaussian,
    /// Quantiles: columns such as `q0.05` and `q0.95`.
    Quantiles,
    /// Draws: the columns `s1`, `s2`, and so on.
    Samples,
    /// Central intervals: the columns `lower` and `upper`.
    Interval,
}

impl fmt::Display for OwnForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gaussian => "gaussian",
            Self::Quantiles => "quantiles",
            Self::Samples => "samples",
            Self::Interval => "interval",
        })
    }
}

/// The columns of every form, for messages.
const FORMS: &str =
    "`mean` and `sd`, quantiles such as `q0.05` and `q0.95`, draws `s1`, `s2`, …, or `lower` and `upper`";

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
    /// The labels of the columns `method`, `split`, `group` and `row`, each n; `None` for a column that is not there.
    pub labels: Labels,
    /// Names of columns that are not used.
    pub unused: Vec<String>,
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

impl OwnFile {
    /// Reads the predictions of a file: its outcomes from the column `y`. `form` is needed where it has the columns of
    /// several forms, and `level`, the probability of the intervals, where the form is [`OwnForm::Interval`].
    ///
    /// # Errors
    /// [`OwnError`]: a name twice in the header; no column `y`; no form, or several; an interval without level; a cell
    /// that is no finite number; a standard deviation that is not positive; quantiles or ends of an interval in the
    /// wrong order.
    pub fn new(
        cells: &Cells,
        stem: &str,
        y: &str,
        form: Option<OwnForm>,
        level: Option<f64>,
    ) -> Result<Self, OwnError> {
        cells.refuse_repeated_names()?;
        let outcome = cells.place("--y", y)?;
        let found = Found::of(cells, outcome);
        let form = found.form(cells, form)?;
        let mut used = vec![outcome];
        let outcomes = cells.numbers(&[outcome])?.remove(0);
        used.extend(one_dataset(cells)?);
        let predictive = Predictive::new(match form {
            OwnForm::Gaussian => gaussian(cells, &found, &mut used)?,
            OwnForm::Quantiles => quantiles(cells, found.quantiles, &mut used)?,
            OwnForm::Samples => samples(cells, found.samples, &mut used)?,
            OwnForm::Interval => interval(cells, &found, level, &mut used)?,
        });
        let mean = found.mean.filter(|mean| !used.contains(mean));
        let point = mean.map(|mean| cells.numbers(&[mean])).transpose()?;
        used.extend(mean);
        let mut label = |name: &str| {
            let place = cells.find(name).filter(|place| !used.contains(place));
            used.extend(place);
            place.map(|place| cells.labels(place)).transpose()
        };
        let labels =
            Labels { method: label("method")?, split: label("split")?, group: label("group")?, row: label("row")? };
        let is_unused = |(place, _): &(usize, &String)| !used.contains(place);
        Ok(Self {
            file: cells.file().into(),
            stem: stem.into(),
            form,
            y: outcomes,
            predictive,
            point: point.map(|mut mean| points(mean.remove(0))),
            labels,
            unused: cells.names().iter().enumerate().filter(is_unused).map(|(_, name)| name.clone()).collect(),
        })
    }
}

/// The position of a column `dataset`, which exported predictions have: it has to name one dataset only.
fn one_dataset(cells: &Cells) -> Result<Option<usize>, OwnError> {
    let Some(place) = cells.find("dataset") else { return Ok(None) };
    let labels = cells.labels(place)?;
    let Some(row) = labels.iter().position(|label| *label != labels[0]) else { return Ok(Some(place)) };
    let found = format!("a second dataset, \"{}\"", printable(&labels[row], 60));
    Err(cells.wrong(row, place, found, "one dataset: scores of different targets have no common unit"))
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
}

impl Found {
    fn of(cells: &Cells, outcome: usize) -> Self {
        let find = |name: &str| cells.find(name).filter(|place| *place != outcome);
        let others = || cells.names().iter().enumerate().filter(|(place, _)| *place != outcome);
        let level =
            |name: &str| name.strip_prefix('q')?.parse::<f64>().ok().filter(|level| *level > 0.0 && *level < 1.0);
        let number = |name: &str| name.strip_prefix('s')?.parse::<usize>().ok();
        let mut quantiles: Vec<_> = others().filter_map(|(place, name)| Some((level(name)?, place))).collect();
        quantiles.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut samples: Vec<_> = others().filter_map(|(place, name)| Some((number(name)?, place))).collect();
        samples.sort_unstable();
        Self { mean: find("mean"), sd: find("sd"), lower: find("lower"), upper: find("upper"), quantiles, samples }
    }

    fn has(&self, form: OwnForm) -> bool {
        match form {
            OwnForm::Gaussian => self.mean.is_some() && self.sd.is_some(),
            OwnForm::Quantiles => !self.quantiles.is_empty(),
            OwnForm::Samples => !self.samples.is_empty(),
            OwnForm::Interval => self.lower.is_some() && self.upper.is_some(),
        }
    }

    /// The form to read: the one that is asked for, or the only one.
    fn form(&self, cells: &Cells, asked: Option<OwnForm>) -> Result<OwnForm, OwnError> {
        let all = [OwnForm::Gaussian, OwnForm::Quantiles, OwnForm::Samples, OwnForm::Interval];
        let present: Vec<OwnForm> = all.into_iter().filter(|form| self.has(*form)).collect();
        let wrong = |found: String, expected: String| {
            Err(OwnError::Shape { file: cells.file().into(), found: printable(&found, 300), expected })
        };
        let columns = || cells.names().iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        match (asked, &present[..]) {
            (Some(form), _) if self.has(form) => Ok(form),
            (None, &[form]) => Ok(form),
            (Some(form), _) => wrong(
                format!("the columns {}", columns()),
                format!("those of the form {form}, because of --form; the columns of the forms are {FORMS}"),
            ),
            (None, []) => {
                wrong(format!("the columns {}", columns()), format!("predictions beside the outcomes: {FORMS}"))
            }
            (None, several) => {
                let names: Vec<String> = several.iter().map(OwnForm::to_string).collect();
                let expected = format!("one form; --form {} chooses it", names[0]);
                wrong(format!("the columns of several forms: {}", names.join(", ")), expected)
            }
        }
    }
}

fn gaussian(cells: &Cells, found: &Found, used: &mut Vec<usize>) -> Result<Form, OwnError> {
    let places: Vec<usize> = [found.mean, found.sd].into_iter().flatten().collect();
    let [mean, sd] = two(cells.numbers(&places)?);
    if let Some(row) = sd.iter().position(|sd| *sd <= 0.0) {
        return Err(cells.wrong(row, places[1], sd[row].to_string(), "a standard deviation above 0"));
    }
    used.extend(places);
    Ok(Form::Gaussian(Gaussian { mean: mean.into(), variance: sd.into_iter().map(|sd| sd * sd).collect() }))
}

fn quantiles(cells: &Cells, found: Vec<(f64, usize)>, used: &mut Vec<usize>) -> Result<Form, OwnError> {
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
    let columns = cells.numbers(&places)?;
    for (pair, places) in columns.windows(2).zip(places.windows(2)) {
        if let Some(row) = (0..cells.rows()).find(|&row| pair[1][row] < pair[0][row]) {
            let below = &cells.names()[places[0]];
            let found = format!("{}, below {} in the column \"{}\"", pair[1][row], pair[0][row], printable(below, 60));
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

fn samples(cells: &Cells, found: Vec<(usize, usize)>, used: &mut Vec<usize>) -> Result<Form, OwnError> {
    let (numbers, places): (Vec<usize>, Vec<usize>) = found.into_iter().unzip();
    if numbers.len() < 2 || numbers.iter().zip(1..).any(|(found, expected)| *found != expected) {
        let gap = numbers.iter().zip(1..).find(|(found, expected)| *found != expected).map(|(_, expected)| expected);
        return Err(OwnError::Shape {
            file: cells.file().into(),
            found: format!("columns of draws without `s{}`", gap.unwrap_or(numbers.len() + 1)),
            expected: "at least two draws, in the columns `s1`, `s2`, … without a gap".into(),
        });
    }
    let columns = cells.numbers(&places)?;
    used.extend(places);
    Ok(Form::Samples(Samples { values: matrix(&columns) }))
}

fn interval(cells: &Cells, found: &Found, level: Option<f64>, used: &mut Vec<usize>) -> Result<Form, OwnError> {
    let Some(level) = level else {
        return Err(OwnError::Shape {
            file: cells.file().into(),
            found: "intervals, `lower` and `upper`".into(),
            expected: "their probability, which no column states: --level 0.9 for 90 %".into(),
        });
    };
    let places: Vec<usize> = [found.lower, found.upper].into_iter().flatten().collect();
    let columns = cells.numbers(&places)?;
    if let Some(row) = (0..cells.rows()).find(|&row| columns[1][row] < columns[0][row]) {
        let found = format!("{}, below {} in the column \"lower\"", columns[1][row], columns[0][row]);
        return Err(cells.wrong(row, places[1], found, "an upper end at or above the lower one"));
    }
    used.extend(places);
    let (lower, upper) = central_levels(level);
    Ok(Form::Quantiles(Quantiles { levels: vec![lower, upper], values: matrix(&columns) }))
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
