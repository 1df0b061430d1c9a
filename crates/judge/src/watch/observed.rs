//! Read predictions with their outcomes, in the order of time.

use std::collections::{HashMap, HashSet};

use uq_core::names::counted;
use uq_core::predictive::{Bounds, IntervalOutcome, Side};
use uq_core::printable::printable;
use uqbench_data::own::{CalendarPeriod, Cells, Finding, OwnError, Setting, Times};

/// The column that names the recalibration of the model that has made a prediction.
pub const RECALIBRATION: &str = "recalibration";

/// Longest text of a cell in a message.
const SHOWN: usize = 60;

/// How rows are put into periods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Every {
    /// By the calendar.
    Calendar(CalendarPeriod),
    /// As many rows each.
    Rows(usize),
}

/// The columns of predictions with outcomes, but for `lower` and `upper`.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    /// The outcomes.
    pub outcome: &'a str,
    /// What identifies a row, if it is stated.
    pub id: Option<&'a str>,
    /// What orders the rows, if it is stated; else their order in the files does.
    pub time: Option<&'a str>,
    /// The name of the recalibration of the model, if it is recalibrated.
    pub recalibration: Option<&'a str>,
}

/// A prediction with its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservedRow {
    /// Its identifier; empty where none is stated.
    pub id: String,
    /// The period in which it lies.
    pub period: String,
    /// Its day, where times are dates.
    pub day: Option<String>,
    /// Its interval and outcome.
    pub interval: IntervalOutcome,
}

/// Predictions of files.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    rows: Vec<ReadRow>,
    /// What was found on the way.
    pub findings: Vec<Finding>,
    /// Where each identifier was first.
    places: HashMap<String, String>,
}

#[derive(Clone, Debug)]
struct ReadRow {
    id: String,
    time: f64,
    /// First days of its day, week and month, where times are dates.
    calendar: Option<[String; 3]>,
    interval: IntervalOutcome,
}

const CALENDAR: [CalendarPeriod; 3] =
    [CalendarPeriod::Day, CalendarPeriod::Week, CalendarPeriod::Month];

impl Observed {
    /// Reads the rows of one more file. Rows without an interval or an outcome are left out, and so
    /// are predictions that the model made before it was recalibrated, or after; each with a note.
    ///
    /// # Errors
    /// [`OwnError`]: a column that is not there, a cell that is no number, an interval whose ends are
    /// in the wrong order, a second prediction of one row, a time that is none.
    pub fn read(
        &mut self,
        cells: &Cells,
        columns: Columns,
        bounds: Bounds,
    ) -> Result<(), OwnError> {
        cells.refuse_repeated_names()?;
        let outcome = cells.place(Setting::Outcome, columns.outcome)?;
        let outcomes = cells.numbers_or_infinite(outcome)?;
        let ids = columns.id.map(|id| cells.place(Setting::Id, id)).transpose()?;
        let ids = ids.map(|place| cells.labels(place).map(|ids| (place, ids))).transpose()?;
        let lower = end(cells, "lower", bounds, Side::Upper)?;
        let upper = end(cells, "upper", bounds, Side::Lower)?;
        let recalibrations = cells.find(RECALIBRATION);
        let recalibrations: Option<Vec<&str>> =
            recalibrations.map(|place| cells.texts(place).collect());
        let made_by = |row: usize| {
            let name = recalibrations.as_ref().map(|names| names[row]);
            name.filter(|name| !name.is_empty())
        };
        let (mut unanswered, mut unknown, mut others) = (0, 0, 0);
        let (mut kept, mut taken) = (Vec::new(), HashSet::new());
        for row in 0..cells.rows() {
            if made_by(row) != columns.recalibration {
                others += 1;
                continue;
            }
            let ends = [&lower, &upper].map(|end| end.numbers[row]);
            let [Some(lower), Some(upper_end)] = ends else {
                unanswered += 1;
                continue;
            };
            let Some(known) = outcomes[row] else {
                unknown += 1;
                continue;
            };
            if known.is_infinite() {
                let found = known.to_string();
                return Err(cells.wrong(row, outcome, found, "a finite number, or nothing"));
            }
            if lower > upper_end {
                let found = format!("{upper_end} below `lower`, which is {lower}");
                return Err(cells.wrong(
                    row,
                    upper.place,
                    found,
                    "an upper end above the lower one",
                ));
            }
            let id = ids.as_ref().map_or("", |(_, ids)| ids[row].trim()).to_owned();
            if let Some((place, _)) = &ids {
                let here = cells.located(row);
                if let Some(first) = self.places.insert(id.clone(), here) {
                    let found = format!(
                        "a second prediction of \"{}\", after {first}",
                        printable(&id, SHOWN)
                    );
                    return Err(cells.wrong(row, *place, found, "one prediction of each row"));
                }
            }
            let interval = IntervalOutcome { lower, upper: upper_end, outcome: known };
            kept.push(ReadRow { id, time: 0.0, calendar: None, interval });
            taken.insert(row);
        }
        self.add(kept, columns.time, &cells.retain(|row| taken.contains(&row)))?;
        self.findings.extend(left_out(cells, unanswered, "interval"));
        self.findings.extend(left_out(cells, unknown, "outcome yet"));
        self.findings.extend(made_by_others(cells, others, columns.recalibration));
        Ok(())
    }

    /// Adds rows with their times, which `cells` has in the same order.
    fn add(
        &mut self,
        rows: Vec<ReadRow>,
        time: Option<&str>,
        cells: &Cells,
    ) -> Result<(), OwnError> {
        let time = time.filter(|_| !rows.is_empty());
        let times = time.map(|time| cells.times(time)).transpose()?;
        for (place, row) in rows.into_iter().enumerate() {
            let calendar = times.as_ref().and_then(|times| calendar(times, place));
            let time = times.as_ref().map_or(self.rows.len() as f64, |times| times.numbers[place]);
            self.rows.push(ReadRow { time, calendar, ..row });
        }
        Ok(())
    }

    /// Number of rows with an interval and an outcome.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether the times of some files are dates, and those of others are numbers.
    pub fn mixes_times(&self) -> bool {
        let dates = self.rows.iter().filter(|row| row.calendar.is_some()).count();
        dates != 0 && dates != self.rows.len()
    }

    /// The first and the last day, where all times are dates.
    pub fn days(&self) -> Option<[String; 2]> {
        let days = || self.rows.iter().map(|row| row.calendar.as_ref().map(|[day, ..]| day));
        let first = days().min()??.clone();
        Some([first, days().max()??.clone()])
    }

    /// Whether all times are dates.
    pub fn has_dates(&self) -> bool {
        !self.rows.is_empty() && self.rows.iter().all(|row| row.calendar.is_some())
    }

    /// The rows in the order of time, each with its period, but those of which `is_left_out` is true
    /// of identifier and outcome. `None` where times are no dates, and the calendar is asked for.
    pub fn rows(
        self,
        every: Every,
        is_left_out: impl Fn(&str, f64) -> bool,
    ) -> Option<Vec<ObservedRow>> {
        let mut rows = self.rows;
        rows.retain(|row| !is_left_out(&row.id, row.interval.outcome));
        rows.sort_by(|a, b| a.time.total_cmp(&b.time));
        let all = rows.len();
        let named = |(place, row): (usize, ReadRow)| {
            let period = match every {
                Every::Rows(size) => {
                    let first = place / size * size;
                    format!("rows {} to {}", first + 1, (first + size).min(all))
                }
                Every::Calendar(period) => {
                    let place = CALENDAR.iter().position(|known| *known == period)?;
                    row.calendar.as_ref()?[place].clone()
                }
            };
            let day = row.calendar.map(|[day, ..]| day);
            Some(ObservedRow { id: row.id, period, day, interval: row.interval })
        };
        rows.into_iter().enumerate().map(named).collect()
    }
}

/// How many rows are left out, because they have none of `what`.
fn left_out(cells: &Cells, count: usize, what: &str) -> Option<Finding> {
    let [have, are] = if count == 1 { ["has", "is"] } else { ["have", "are"] };
    let rows = counted(count, "row");
    let note = format!("{}: {rows} {have} no {what} and {are} left out", cells.file());
    (count > 0).then(|| Finding::note(note))
}

/// How many predictions are of another state of the model.
fn made_by_others(cells: &Cells, count: usize, recalibration: Option<&str>) -> Option<Finding> {
    let rows = counted(count, "prediction");
    let are = if count == 1 { "is" } else { "are" };
    let made = match recalibration {
        Some(_) => "the model made before this recalibration, or after a later one,",
        None => "a recalibrated model made",
    };
    let note = format!("{}: {rows} that {made} {are} left out", cells.file());
    (count > 0).then(|| Finding::warning(note))
}

fn calendar(times: &Times, row: usize) -> Option<[String; 3]> {
    let [day, week, month] = CALENDAR.map(|period| times.period(row, period));
    Some([day?, week?, month?])
}

/// The ends of intervals on one side.
struct End {
    place: usize,
    /// `None` where a row has none.
    numbers: Vec<Option<f64>>,
}

/// The ends in the column of this name, which is not needed where the intervals have the other end
/// alone.
fn end(cells: &Cells, name: &str, bounds: Bounds, other: Side) -> Result<End, OwnError> {
    let is_open = bounds.side == other;
    if is_open {
        let infinite = if name == "lower" { f64::NEG_INFINITY } else { f64::INFINITY };
        return Ok(End { place: 0, numbers: vec![Some(infinite); cells.rows()] });
    }
    let Some(place) = cells.find(name) else {
        return Err(OwnError::Column {
            file: cells.file().into(),
            column: name.into(),
            found: "no such column".into(),
            expected: "predictions of the model, as its intervals have this end".into(),
        });
    };
    Ok(End { place, numbers: cells.numbers_or_infinite(place)? })
}
