//! Read a file of predictions as one predictive distribution at each row of a board.

use ndarray::Array1;

use super::ordered::Ordered;
use super::places::{Places, find_datasets, find_rows};
use super::refusal::{Refusal, Refusals};
use crate::evidence::own_predictions::{
    Approximation, Columns, FORMS, Found, Given, OwnForm, central, points,
};
use uq_core::metrics::{Crps, Metric};
use uq_core::names::counted;
use uq_core::predictive::{Form, Predictive, Split};
use uq_core::printable::printable;
use uqbench_data::number_file::{Limits, NumberFile};
use uqbench_data::own::OwnError;
use uqbench_run::league::{Board, Card, Part, Predictions, Truth};

/// Largest file, in bytes.
const LARGEST: u64 = 2 << 30;

/// Most bytes to which it may unpack.
const UNPACKED: u64 = 8 << 30;

/// Most columns: 2000 draws and what belongs to them, or 700 components of a mixture.
const COLUMNS: usize = 2100;

/// The variances that may stand beside a form.
const SPLIT: [&str; 2] = ["aleatoric", "epistemic"];

/// Predictions that somebody brought, n rows in the order of the board.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Their columns.
    pub predictions: Predictions,
    /// Their form.
    pub form: OwnForm,
    /// What is to be known of them.
    pub notes: Vec<String>,
    pub(super) predictive: Predictive,
    /// The column `mean` beside another form, as points of no variance.
    pub(super) point: Option<Predictive>,
}

/// What a file of predictions of a board may have at most, as far as it is known without the data.
pub fn limits(board: &Board) -> Limits {
    limits_of(board.most_rows())
}

/// What a file of predictions of these test rows may have at most.
fn limits_of(rows: usize) -> Limits {
    // A file with rows twice is read, so that they can be named.
    let rows = rows.saturating_mul(2);
    Limits { bytes: LARGEST, unpacked: UNPACKED, rows, columns: COLUMNS }
}

/// The datasets that an entry needs, by key: those that it names where it is of a part of the
/// board, else all.
///
/// # Errors
/// [`Refusals`]: a card of another board or with failures that cannot be; a file beyond [`limits`]
/// or without a column `dataset`; datasets that the board does not have.
pub fn find_needed(
    name: &str,
    bytes: &[u8],
    card: &Card,
    board: &Board,
) -> Result<Vec<String>, Refusals> {
    let of_card = wrong_card(card, board);
    if !of_card.is_empty() {
        return Err(Refusals(of_card));
    }
    let keys = board.datasets.iter().map(|dataset| dataset.key.clone());
    if !card.part {
        return Ok(keys.collect());
    }
    let file = NumberFile::new(name, bytes, &["dataset"], &limits(board))?;
    let named = find_datasets(&file, board)?;
    let has_failed = |key: &String| card.failed.iter().any(|failed| failed.dataset == *key);
    Ok(keys.filter(|key| named.contains(key) || has_failed(key)).collect())
}

/// Reads predictions of a board from the bytes of a file, which is called `name` in messages.
///
/// # Errors
/// [`Refusals`]: a card of another board or with failures that cannot be; a file beyond
/// limits; rows that are missing, unknown or there twice; columns of no form or of several;
/// numbers that are no predictions of their form.
pub fn read_submission(
    name: &str,
    bytes: &[u8],
    card: &Card,
    board: &Board,
    truths: &[Vec<Truth>],
) -> Result<Submission, Refusals> {
    let of_card = wrong_card(card, board);
    if !of_card.is_empty() {
        return Err(Refusals(of_card));
    }
    let rows = truths.iter().flatten().map(Truth::rows).sum();
    let file = NumberFile::new(name, bytes, &["dataset"], &limits_of(rows))?;
    let Places { parts, order, used } = find_rows(&file, board, card, truths)?;
    if parts.is_empty() {
        return Err(OwnError::Shape {
            file: name.into(),
            found: "no prediction".into(),
            expected: "those of at least one split".into(),
        }
        .into());
    }
    let columns = Ordered { file: &file, parts: &parts, order: &order };
    Ok(read(&columns, &used, card)?)
}

/// What is wrong with a card beside this board.
fn wrong_card(card: &Card, board: &Board) -> Vec<Refusal> {
    let mut found = Vec::new();
    if card.board != board.id {
        found.push(Refusal::OtherBoard {
            card: printable(&card.board, 60),
            board: board.id.clone(),
        });
    }
    for (place, failed) in card.failed.iter().enumerate() {
        let known = board.dataset(&failed.dataset);
        let is_twice = card.failed[..place]
            .iter()
            .any(|other| (&other.dataset, other.split) == (&failed.dataset, failed.split));
        let why = match known {
            None => "the board has no such dataset".to_owned(),
            Some((_, dataset)) if failed.split >= dataset.splits => {
                format!("expected one of 0 to {}", dataset.splits.saturating_sub(1))
            }
            Some(_) if is_twice => "it is there twice".to_owned(),
            Some(_) => continue,
        };
        let (dataset, split) = (printable(&failed.dataset, 60), failed.split);
        found.push(Refusal::WrongFailure { dataset, split, why });
    }
    found
}

fn read(columns: &Ordered, identity: &[usize], card: &Card) -> Result<Submission, OwnError> {
    let found = Found::of(columns, None);
    let form = only_form(columns, &found)?;
    let mut places = found.places(form);
    let given = match found.read(columns, form)? {
        Given::Form(form) => form,
        Given::Ends(ends) => ends.predictive(levels(columns, card)?, &[]).form,
    };
    let mean = found.mean.filter(|mean| !places.contains(mean));
    let point = mean.map(|mean| columns.finite(&[mean])).transpose()?;
    let mut names = names_of(columns, &given, &places, form == OwnForm::Interval);
    for name in SPLIT {
        if let Some(place) = columns.find(name) {
            places.push(place);
            names.push(name.into());
        }
    }
    if let Some(mean) = mean {
        places.push(mean);
        names.push("mean".into());
    }
    let variance = |name: &str| {
        let place = columns.find(name);
        place.map(|place| variances(columns, place)).transpose()
    };
    let [aleatoric, epistemic] = SPLIT.map(variance);
    let split = Split { aleatoric: aleatoric?, epistemic: epistemic? };
    let has_split = split.aleatoric.is_some() || split.epistemic.is_some();
    let notes = unused(columns, identity, &places).into_iter();
    let notes = notes.chain(note_of_levels(form, &given)).collect();
    let predictive = Predictive { form: given, split: has_split.then_some(split) };
    let invalid = |error| OwnError::Shape {
        file: columns.file().into(),
        found: format!("numbers that are no predictions ({error})"),
        expected: "others".into(),
    };
    predictive.validate().map_err(invalid)?;
    let values = places.iter().map(|place| columns.numbers(*place));
    let values: Vec<Vec<f64>> = values.collect::<Result<_, _>>()?;
    let predictions = Predictions {
        parts: columns.parts.to_vec(),
        columns: names.into_iter().zip(values).collect(),
    };
    let point = point.map(|mut mean| points(mean.remove(0)));
    Ok(Submission { predictions, form, notes, predictive, point })
}

/// The form whose columns a file has. Intervals beside another form are not read.
fn only_form(columns: &Ordered, found: &Found) -> Result<OwnForm, OwnError> {
    let present = found.present();
    let others: Vec<OwnForm> =
        present.iter().copied().filter(|form| *form != OwnForm::Interval).collect();
    let shape = |found: String, expected: String| OwnError::Shape {
        file: columns.file().into(),
        found: printable(&found, 300),
        expected: expected.into(),
    };
    match (&others[..], present.is_empty()) {
        ([form], _) => Ok(*form),
        ([], false) => Ok(OwnForm::Interval),
        ([], true) => {
            let all: Vec<String> = columns.names().iter().map(|name| format!("`{name}`")).collect();
            Err(shape(
                format!("the columns {}", all.join(", ")),
                format!("predictions beside `dataset`, `split` and `row`: {FORMS}"),
            ))
        }
        (several, _) => {
            let names: Vec<String> = several.iter().map(OwnForm::to_string).collect();
            Err(shape(
                format!("the columns of several forms: {}", names.join(", ")),
                "one form: an entry is scored as one prediction a row".into(),
            ))
        }
    }
}

/// The levels of both ends of intervals, whose probability the card states.
fn levels(columns: &Ordered, card: &Card) -> Result<[f64; 2], OwnError> {
    let missing = || OwnError::Shape {
        file: columns.file().into(),
        found: "intervals, `lower` and `upper`".into(),
        expected: "their probability in the card, such as `level = 0.9`; a distribution, such as \
                   quantiles, has more scores"
            .into(),
    };
    card.level.map(|level| central(level).into()).ok_or_else(missing)
}

/// The names of the columns of a form: a level is written in one way.
fn names_of(columns: &Ordered, form: &Form, places: &[usize], is_interval: bool) -> Vec<String> {
    match form {
        Form::Quantiles(form) if !is_interval => {
            form.levels.iter().map(|level| format!("q{level}")).collect()
        }
        _ => places.iter().map(|place| columns.names()[*place].clone()).collect(),
    }
}

fn variances(columns: &Ordered, place: usize) -> Result<Array1<f64>, OwnError> {
    let numbers = columns.finite(&[place])?.remove(0);
    match numbers.iter().position(|number| *number < 0.0) {
        None => Ok(numbers.into()),
        Some(row) => {
            Err(columns.wrong(row, place, numbers[row].to_string(), "a variance of 0 or more"))
        }
    }
}

/// A note on the columns that were not read.
fn unused(columns: &Ordered, identity: &[usize], places: &[usize]) -> Option<String> {
    let is_read = |place: &usize| identity.contains(place) || places.contains(place);
    let names: Vec<String> = (0..columns.names().len())
        .filter(|place| !is_read(place))
        .map(|place| format!("\"{}\"", columns.names()[place]))
        .collect();
    (!names.is_empty())
        .then(|| format!("columns that are not used: {}", printable(&names.join(", "), 300)))
}

/// A note on quantiles of few levels.
fn note_of_levels(form: OwnForm, given: &Form) -> Option<String> {
    let Form::Quantiles(quantiles) = given else { return None };
    if form == OwnForm::Interval {
        return Some(
            "an interval says nothing of the rest of a distribution: it has no CRPS and no log \
             score"
                .into(),
        );
    }
    Approximation::of(given, Crps.properties().exactness(given)).map(|_| {
        format!(
            "{} a row: scores that need more of a distribution take it as linear between them and \
             as flat beyond them",
            counted(quantiles.levels.len(), "quantile")
        )
    })
}

impl Submission {
    /// The splits that have predictions, each with the place of its first row.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&Part, usize)> {
        let mut start = 0;
        self.predictions.parts.iter().map(move |part| {
            let first = start;
            start += part.rows;
            (part, first)
        })
    }
}

impl Submission {
    /// What the outcomes say against the predictions: they are the outcomes, or they are in other
    /// units.
    pub fn check(&self, board: &Board, truths: &[Vec<Truth>]) -> Vec<Refusal> {
        let leaks = self.find_leaks(board, truths);
        // Of outcomes the units are right.
        if leaks.is_empty() { self.find_other_units(board, truths) } else { leaks }
    }
}
