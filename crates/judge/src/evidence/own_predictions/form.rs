//! Recognise the columns of a form of predictions, and read them as a predictive distribution at
//! each row.

use std::fmt;

use ndarray::Array2;

use super::columns::Columns;
use super::ends::Ends;
use super::parametric::{Parameters, mixture, student_t};
use uq_core::predictive::{Form, Gaussian, Quantiles, Samples};
use uq_core::printable::printable;
use uqbench_data::own::{Finding, OwnError, Setting, Topic, Words};

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
pub(in crate::evidence) const FORMS: &str = "`mean` and `sd`, quantiles such as `q0.05` and `q0.95`, draws `s1`, `s2`, …, \
                     `lower` and `upper`, `location`, `scale` and `df`, or `weight1`, `mean1`, \
                     `sd1`, `weight2`, …";

/// What the columns of a form state.
#[derive(Clone, Debug)]
pub(in crate::evidence) enum Given {
    /// Predictive distributions.
    Form(Form),
    /// The ends of intervals, of whose probability no column tells.
    Ends(Ends),
}

/// Positions of the columns that state predictions.
#[derive(Clone, Debug)]
pub(in crate::evidence) struct Found {
    /// `mean`, which is also a point prediction beside other forms.
    pub mean: Option<usize>,
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
    /// Those among all columns but the one of the outcomes, if there is one.
    pub fn of(columns: &dyn Columns, outcome: Option<usize>) -> Self {
        let find = |name: &str| columns.find(name).filter(|place| Some(*place) != outcome);
        let others =
            || columns.names().iter().enumerate().filter(|(place, _)| Some(*place) != outcome);
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

    /// Whether the columns of a form are there.
    pub fn has(&self, form: OwnForm) -> bool {
        match form {
            OwnForm::Gaussian => self.mean.is_some() && self.sd.is_some(),
            OwnForm::StudentT => self.parameters.student_t.is_some(),
            OwnForm::Mixture => !self.parameters.mixture.is_empty(),
            OwnForm::Quantiles => !self.quantiles.is_empty(),
            OwnForm::Samples => !self.samples.is_empty(),
            OwnForm::Interval => self.lower.is_some() && self.upper.is_some(),
        }
    }

    /// The forms whose columns are there.
    pub fn present(&self) -> Vec<OwnForm> {
        OwnForm::ALL.iter().copied().filter(|form| self.has(*form)).collect()
    }

    /// The positions of the columns of a form.
    pub fn places(&self, form: OwnForm) -> Vec<usize> {
        let of = |places: &[Option<usize>]| places.iter().copied().flatten().collect();
        match form {
            OwnForm::Gaussian => of(&[self.mean, self.sd]),
            OwnForm::StudentT => self.parameters.student_t.into_iter().flatten().collect(),
            OwnForm::Mixture => self.parameters.mixture.iter().flatten().copied().collect(),
            OwnForm::Quantiles => self.quantiles.iter().map(|(_, place)| *place).collect(),
            OwnForm::Samples => self.samples.iter().map(|(_, place)| *place).collect(),
            OwnForm::Interval => of(&[self.lower, self.upper]),
        }
    }

    /// What the columns of a form state.
    ///
    /// # Errors
    /// [`OwnError`]: two columns of one level; draws with a gap; a cell that is no number, or, but
    /// for the ends of intervals, not finite; a standard deviation that is not positive; quantiles
    /// or ends of an interval in the wrong order.
    pub fn read(&self, columns: &dyn Columns, form: OwnForm) -> Result<Given, OwnError> {
        Ok(Given::Form(match form {
            OwnForm::Gaussian => gaussian(columns, &self.places(form))?,
            OwnForm::StudentT => student_t(columns, self.parameters.student_t.unwrap_or_default())?,
            OwnForm::Mixture => mixture(columns, &self.parameters.mixture)?,
            OwnForm::Quantiles => quantiles(columns, &self.quantiles)?,
            OwnForm::Samples => samples(columns, &self.samples)?,
            OwnForm::Interval => {
                let places = [self.lower, self.upper].map(Option::unwrap_or_default);
                return Ends::read(columns, places).map(Given::Ends);
            }
        }))
    }

    /// A note on what was taken and what was not, where intervals stand beside the columns of
    /// another form.
    pub fn find_choice(&self, columns: &dyn Columns, form: OwnForm) -> Option<Finding> {
        let mut others = OwnForm::ALL.iter().filter(|other| **other != form && self.has(**other));
        let other = others.next().filter(|_| form == OwnForm::Interval)?;
        let note = format!(
            "{}: the intervals `lower` and `upper` are scored, because they are what was promised; \
             --form {other} scores the predictions of the form {other} instead",
            columns.file()
        );
        Some(Finding::note(note).about(Topic::Form, ["lower", "upper"]))
    }

    /// The form to read: the one that is asked for, intervals, or the only one.
    ///
    /// # Errors
    /// [`OwnError::Shape`] where there is none of these.
    pub fn form(&self, columns: &dyn Columns, asked: Option<OwnForm>) -> Result<OwnForm, OwnError> {
        let present = self.present();
        let wrong = |found: String, expected: Words| {
            Err(OwnError::Shape {
                file: columns.file().into(),
                found: printable(&found, 300),
                expected,
            })
        };
        let names = || {
            columns.names().iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        };
        match (asked, &present[..]) {
            (Some(form), _) if self.has(form) => Ok(form),
            (None, &[form]) => Ok(form),
            (None, [.., OwnForm::Interval]) => Ok(OwnForm::Interval),
            (Some(form), _) => wrong(
                format!("the columns {}", names()),
                Words::from(format!("those of the form {form}, because of "))
                    + Setting::Form
                    + format!("; the columns of the forms are {FORMS}"),
            ),
            (None, []) => wrong(
                format!("the columns {}", names()),
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

fn gaussian(columns: &dyn Columns, places: &[usize]) -> Result<Form, OwnError> {
    let [mean, sd] = two(columns.finite(places)?);
    if let Some(row) = sd.iter().position(|sd| *sd <= 0.0) {
        return Err(columns.wrong(
            row,
            places[1],
            sd[row].to_string(),
            "a standard deviation above 0",
        ));
    }
    Ok(Form::Gaussian(Gaussian {
        mean: mean.into(),
        variance: sd.into_iter().map(|sd| sd * sd).collect(),
    }))
}

fn quantiles(columns: &dyn Columns, found: &[(f64, usize)]) -> Result<Form, OwnError> {
    if let Some(pair) = found.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let [first, second] = [pair[0].1, pair[1].1].map(|place| &columns.names()[place]);
        return Err(OwnError::Column {
            file: columns.file().into(),
            column: printable(second, 60),
            found: format!("the level of the column \"{}\"", printable(first, 60)),
            expected: "one column for each level".into(),
        });
    }
    let (levels, places): (Vec<f64>, Vec<usize>) = found.iter().copied().unzip();
    let values = columns.finite(&places)?;
    for (pair, places) in values.windows(2).zip(places.windows(2)) {
        if let Some(row) = (0..columns.rows()).find(|&row| pair[1][row] < pair[0][row]) {
            let below = &columns.names()[places[0]];
            let found = format!(
                "{}, below {} in the column \"{}\"",
                pair[1][row],
                pair[0][row],
                printable(below, 60)
            );
            return Err(columns.wrong(
                row,
                places[1],
                found,
                "quantiles that do not fall as their level rises; sort each row",
            ));
        }
    }
    Ok(Form::Quantiles(Quantiles { levels, values: matrix(&values) }))
}

fn samples(columns: &dyn Columns, found: &[(usize, usize)]) -> Result<Form, OwnError> {
    let (numbers, places): (Vec<usize>, Vec<usize>) = found.iter().copied().unzip();
    if numbers.len() < 2 || numbers.iter().zip(1..).any(|(found, expected)| *found != expected) {
        let gap = numbers
            .iter()
            .zip(1..)
            .find(|(found, expected)| *found != expected)
            .map(|(_, expected)| expected);
        return Err(OwnError::Shape {
            file: columns.file().into(),
            found: format!("columns of draws without `s{}`", gap.unwrap_or(numbers.len() + 1)),
            expected: "at least two draws, in the columns `s1`, `s2`, … without a gap".into(),
        });
    }
    Ok(Form::Samples(Samples { values: matrix(&columns.finite(&places)?) }))
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
