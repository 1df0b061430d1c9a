//! Read a model that `try --save` or `recalibrate` has written, and the predictions that it has made
//! with what came true since.

use std::path::{Path, PathBuf};

use clap::Args;

use super::CliError;
use super::format_args::FormatArgs;
use super::own_file::tell;
use super::wording::Worded;
use uqbench_data::own::{Cells, FileFormat, OwnError, Truth};
use uqbench_judge::watch::{Columns, Every, Observed, ObservedRow, fingerprint};
use uqbench_run::runner::model::{Model, Recalibrated};
use uqbench_system::Patient;
use uqbench_system::disk::{LARGEST, read_whole};
use uqbench_system::machine::affordable;
use uqbench_system::notice::say;

/// The model of a file.
///
/// # Errors
/// [`CliError::Other`] for a file that cannot be read or is no model.
pub fn read_model(path: &Path) -> Result<Model, CliError> {
    let wrong = |why: String| CliError::Other(format!("{}: {why}", path.display()));
    let bytes = read_whole(&Patient::machine(), path, affordable(LARGEST))
        .map_err(|error| wrong(format!("cannot be read: {error}")))?;
    Model::parse(&bytes).map_err(|error| wrong(error.worded()))
}

/// A model, and the predictions that it has made with their outcomes.
#[derive(Debug, Args)]
pub struct Outcomes {
    /// The model that has made the predictions.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// Files of `uqbench predict` or `try --predict`, in the order of time.
    #[arg(value_name = "PREDICTIONS", required = true)]
    pub predictions: Vec<PathBuf>,
    /// File with the outcomes: CSV, Parquet or a workbook. The column of --id joins it with the
    /// predictions [default: the predictions have them].
    #[arg(long, value_name = "FILE", requires = "id")]
    pub truth: Option<PathBuf>,
    /// Column that identifies the rows; `row` is the number of the new row.
    #[arg(long, value_name = "COLUMN")]
    pub id: Option<String>,
    /// Column of the outcomes [default: the target of the model].
    #[arg(long, value_name = "COLUMN")]
    pub y: Option<String>,
    /// Column of dates or numbers that orders the rows, in the predictions or beside the outcomes
    /// [default: the order of the predictions].
    #[arg(long, value_name = "COLUMN")]
    pub time: Option<String>,
    /// The sheet of the outcomes, where they are in a workbook [default: its first one].
    #[arg(long, value_name = "NAME", requires = "truth")]
    pub truth_sheet: Option<String>,
    #[command(flatten)]
    pub format: FormatArgs,
}

impl Outcomes {
    /// The column of the outcomes.
    fn outcome<'a>(&'a self, model: &'a Model) -> &'a str {
        self.y.as_deref().unwrap_or_else(|| model.about.encoding.target())
    }

    /// The predictions with their outcomes. What was found on the way goes to standard error.
    ///
    /// # Errors
    /// [`CliError`] for files that cannot be read or joined.
    pub fn read(&self, model: &Model) -> Result<Observed, CliError> {
        let outcome = self.outcome(model);
        if self.time.as_deref() == Some(ROW) {
            return Err(CliError::Usage(
                "--time: `row` numbers the predictions; leave --time out for their order".into(),
            ));
        }
        let format = FileFormat { sheet: self.truth_sheet.clone(), ..FileFormat::default() };
        let read_truth = |path: &PathBuf| Cells::read_as(path, &format);
        let truth = self.truth.as_ref().map(read_truth).transpose()?;
        if let Some(truth) = &truth {
            tell(truth.findings());
        }
        let recalibration = model.about.recalibrated.as_ref().map(Recalibrated::name);
        let mut observed = Observed::default();
        let mut without = None;
        for path in &self.predictions {
            let mut cells = Cells::read_as(path, &self.format.format())?;
            tell(cells.findings());
            let mut columns = Columns {
                outcome,
                id: self.id.as_deref(),
                time: self.time.as_deref(),
                recalibration: recalibration.as_deref(),
            };
            if truth.is_none() && cells.find(outcome).is_none() {
                return Err(CliError::Usage(format!(
                    "--truth: {} has no column \"{outcome}\"; give the file that has the outcomes, or \
                     --y COLUMN where they have another name",
                    path.display()
                )));
            }
            if let (Some(truth), Some(id)) = (&truth, self.id.as_deref()) {
                // The predictions' own time comes first.
                let further = columns.time.filter(|time| cells.find(time).is_none());
                let joined = match cells.joined(&Truth { cells: truth, id, outcome, further }) {
                    Ok(joined) => joined,
                    // The newest predictions may have no outcome yet.
                    Err(error @ OwnError::Shape { .. }) if self.predictions.len() > 1 => {
                        say(format!(
                            "note: {}: no prediction has an outcome in {}",
                            path.display(),
                            truth.file()
                        ));
                        without = Some(error);
                        continue;
                    }
                    Err(error) => return Err(error.into()),
                };
                tell(joined.left_out.as_slice());
                if self.predictions.len() == 1 {
                    tell(joined.unused.as_slice());
                }
                cells = joined.cells;
                columns.time = columns.time.map(|time| if time == id { ROW } else { time });
                columns.id = Some(ROW);
                let read = observed.read(&cells, columns, model.about.bounds);
                read.map_err(|error| in_truth(truth, outcome, further).unwrap_or(error))?;
            } else {
                observed.read(&cells, columns, model.about.bounds)?;
            }
        }
        tell(&observed.findings);
        if let Some(error) = without.filter(|_| observed.is_empty()) {
            return Err(error.into());
        }
        if observed.mixes_times() {
            return Err(CliError::Usage(
                "--time: some files have dates there, and others numbers, which have no common order"
                    .into(),
            ));
        }
        if let (Some([first, last]), Some(time)) = (observed.days(), &self.time) {
            say(format!("note: the days of \"{time}\" are {first} to {last}"));
        }
        Ok(observed)
    }

    /// The rows in the order of time, but those that have recalibrated the model: these say nothing
    /// of it.
    ///
    /// # Errors
    /// [`CliError`] where none is left, where such rows could not be recognised, and where periods of
    /// the calendar are asked for, but there are no dates.
    pub fn rows(
        &self,
        model: &Model,
        observed: Observed,
        every: Every,
    ) -> Result<Vec<ObservedRow>, CliError> {
        let seen = model.about.recalibrated.as_ref().map_or(&[][..], |moved| &moved.seen);
        if !seen.is_empty() && self.id.is_none() {
            return Err(CliError::Usage(format!(
                "--id: {} was recalibrated, and only a column that identifies the rows tells which \
                 of them have done that; give it",
                self.model.display()
            )));
        }
        let count = observed.len();
        let is_seen =
            |id: &str, outcome: f64| seen.binary_search(&fingerprint(id, outcome)).is_ok();
        let rows = observed.rows(every, is_seen).ok_or_else(|| {
            CliError::Usage(
                "--every: days, weeks and months need --time with a column of dates; --every N \
                 takes N rows at a time"
                    .into(),
            )
        })?;
        match count - rows.len() {
            0 => {}
            left_out => say(format!(
                "note: {left_out} of {count} rows have recalibrated the model and are left out: \
                 they say nothing of its intervals"
            )),
        }
        let negative = rows.iter().filter(|row| row.interval.outcome < 0.0).count();
        if negative > 0 && model.about.never_negative {
            say(format!(
                "warning: {negative} of {count} outcomes are below zero, where no target of the table \
                 is: are they outcomes?"
            ));
        }
        match rows.is_empty() {
            false => Ok(rows),
            true => Err(CliError::Other(
                "no row has a prediction with an outcome that is known, so there is nothing to judge"
                    .into(),
            )),
        }
    }
}

/// The error of a file of outcomes in which a cell is wrong: the joined file knows its own lines
/// alone.
fn in_truth(truth: &Cells, outcome: &str, time: Option<&str>) -> Option<OwnError> {
    let place = truth.find(outcome)?;
    let outcomes = truth.numbers_or_infinite(place).err();
    outcomes.or_else(|| truth.times(time?).err())
}

/// What a joined file calls the column that identifies the rows.
const ROW: &str = "row";
