//! Read a file of new rows as a fit needs them, and write their predictions.

use std::path::Path;

use clap::Args;
use ndarray::{Array1, Array2, ArrayView2};

use super::CliError;
use super::options::level;
use super::own_file::tell;
use super::wording::Worded;
use uq_core::names::{counted, nearest_name};
use uq_core::predictive::{Bounds, Form, Gaussian, Predictive, Recalibration, Side};
use uq_core::printable::printable;
use uqbench_data::own::{Cells, Dependent, Encoding, FileFormat, NewFeatures, Ranges};
use uqbench_report::long_table::{LongTable, TableFormat};
use uqbench_report::try_table::{Asked, NewRows, Predictions, predictions};
use uqbench_run::candidates::Candidate;
use uqbench_run::protocols::WholeFit;
use uqbench_run::runner::try_table::{Question, predict};
use uqbench_system::files::write_output;
use uqbench_system::notice::say;

/// What new rows have to be like.
#[derive(Clone, Copy)]
pub struct Expected<'a> {
    /// The option that names the column that identifies rows, and the column, if there is one.
    pub id: (&'static str, Option<&'a str>),
    /// How columns become features.
    pub encoding: &'a Encoding,
    /// The column that says which rows depend on each other, if it is stated.
    pub dependent: Option<&'a Dependent>,
    /// The ranges of the features of the rows that methods are fitted on.
    pub ranges: &'a Ranges,
    /// Number of these rows.
    pub fitted_rows: usize,
    /// Whether none of their targets is negative.
    pub never_negative: bool,
}

/// The features of the new rows that can be answered (m × d), and what is known of all of them.
pub struct New {
    features: Array2<f64>,
    rows: NewRows,
    fitted_rows: usize,
    never_negative: bool,
}

impl New {
    /// Reads the new rows, and writes notes and warnings on them to standard error.
    ///
    /// # Errors
    /// [`CliError`] for a file that cannot be read, and for an absent feature.
    pub fn read(file: &Path, format: &FileFormat, expected: Expected) -> Result<Self, CliError> {
        let Expected { id: (option, id), encoding, dependent, ranges, fitted_rows, never_negative } =
            expected;
        let others =
            id.iter().copied().chain(dependent.map(|dependent| dependent.labels.name.as_str()));
        let names: Vec<&str> =
            encoding.column_names().chain(others).chain([encoding.target()]).collect();
        let (cells, renamed) = Cells::read_new(file, format)?.named_as(&names);
        tell(cells.findings());
        tell(renamed.as_slice());
        tell(cells.empty_lines().as_slice());
        let id = match id.map(|name| (name, cells.find(name))) {
            None => None,
            Some((name, Some(place))) => {
                cells.refuse_foreign(&[place])?;
                Some((name.to_owned(), cells.texts(place).map(str::to_owned).collect()))
            }
            Some((name, None)) => {
                say(format!("warning: {}", without_id(option, name, &cells)));
                None
            }
        };
        let NewFeatures { features, reasons, notes, findings } = encoding.new_features(&cells)?;
        let unanswered = reasons.iter().flatten().count();
        encoding.unused(&cells).iter().for_each(|note| say(format!("note: {note}")));
        if let Some(first) = reasons.iter().flatten().next() {
            let rows = if unanswered == 1 {
                "1 new row has"
            } else {
                &format!("{unanswered} new rows have")
            };
            say(format!(
                "warning: {rows} no prediction, and the column `reason` says why; the first: {}",
                first.worded()
            ));
        }
        tell(&findings);
        if let Some(warning) = ranges.beyond(&encoding.feature_names(), &features) {
            say(format!("warning: {warning}"));
        }
        let dependent = dependent.iter().flat_map(|dependent| dependent.of_new(&cells));
        tell(&dependent.filter(|finding| !findings.contains(finding)).collect::<Vec<_>>());
        let reasons =
            reasons.into_iter().map(|reason| reason.map(|reason| reason.worded())).collect();
        Ok(Self { features, rows: NewRows { id, reasons, notes }, fitted_rows, never_negative })
    }

    /// The features of the rows that can be answered, m × d.
    pub fn features(&self) -> ArrayView2<'_, f64> {
        self.features.view()
    }

    /// Number of rows that can be answered.
    pub fn answered(&self) -> usize {
        self.features.nrows()
    }

    /// Number of rows that cannot be answered.
    pub fn blank(&self) -> usize {
        self.rows.reasons.iter().flatten().count()
    }

    /// The predictions by a candidate's fit of all rows, moved where outcomes have recalibrated it;
    /// columns that stay empty are told, and ends of intervals that no target can have.
    ///
    /// # Errors
    /// [`CliError`] where the method fails.
    pub fn answer(
        &self,
        fit: &WholeFit,
        asked: &Asked,
        seed: u64,
        candidate: &Candidate,
        recalibration: Option<Recalibration>,
    ) -> Result<LongTable, CliError> {
        let question = Question { bounds: asked.bounds, rows: self.fitted_rows, seed };
        let failed = |why: String| {
            CliError::Other(format!("`{}` cannot predict the new rows: {why}", candidate.id))
        };
        let predictive = predict(fit, question, candidate, &self.features).map_err(failed)?;
        let predictive = match recalibration {
            None => predictive,
            Some(by) => by.apply(&predictive, asked.bounds).ok_or_else(|| {
                failed("it has no interval that outcomes could have moved".into())
            })?,
        };
        let Predictions { table, empty } = predictions(&predictive, asked, &self.rows);
        for column in &empty {
            say(format!("note: `{}` defines no {column}: the column is empty", candidate.id));
        }
        if let Some(warning) = impossible(&predictive, asked.bounds).filter(|_| self.never_negative)
        {
            say(format!("warning: {warning}"));
        }
        Ok(table)
    }

    /// The reasons alone, of rows of which none can be answered.
    pub fn unanswered(&self, asked: &Asked) -> LongTable {
        let none = Gaussian { mean: Array1::zeros(0), variance: Array1::zeros(0) };
        predictions(&Predictive::new(Form::Gaussian(none)), asked, &self.rows).table
    }

    /// Refuses rows of which none can be answered, after their reasons are written.
    ///
    /// # Errors
    /// [`CliError`] with the number of rows.
    pub fn refuse_unanswered(&self) -> Result<(), CliError> {
        match self.answered() {
            0 => Err(CliError::Other(format!(
                "none of {} can be answered; the column `reason` of the predictions says why",
                counted(self.rows.reasons.len(), "new row")
            ))),
            _ => Ok(()),
        }
    }
}

/// That new rows have no column that identifies them, which no feature needs.
fn without_id(option: &str, name: &str, cells: &Cells) -> String {
    let nearest = nearest_name(name, cells.names().iter().map(String::as_str));
    let nearest = nearest.map(|name| format!(" (is it \"{}\"?)", printable(&name, 60)));
    format!(
        "{option}: {} has no column \"{}\"{}, so that the predictions have none either; their \
         column `row` counts the new rows",
        cells.file(),
        printable(name, 60),
        nearest.unwrap_or_default()
    )
}

/// How many predictions have an end of their interval below zero; `None` where none has.
fn impossible(predictive: &Predictive, bounds: Bounds) -> Option<String> {
    let end = |i: usize| {
        let (lower, upper) = bounds.interval(predictive, i)?;
        Some(if bounds.side == Side::Upper { upper } else { lower })
    };
    let rows = predictive.len();
    let below = (0..rows).filter_map(end).filter(|end| *end < 0.0).count();
    let which = match bounds.side {
        Side::Upper => "upper bound",
        Side::Lower => "lower bound",
        Side::Both => "lower end",
    };
    (below > 0).then(|| {
        format!(
            "{below} of {rows} predictions have {} {which} below zero, but no target of the table \
             is negative; if none can be, read it as zero",
            if bounds.side == Side::Upper { "an" } else { "a" }
        )
    })
}

/// The error of a method that cannot be fitted on all rows.
pub fn unfitted(candidate: &Candidate, why: &str) -> CliError {
    CliError::Other(format!("`{}` cannot be fitted on all rows: {why}", candidate.id))
}

/// Writes predictions, as Parquet or Arrow where the file's ending says so, else as CSV. An
/// existing file is replaced.
///
/// # Errors
/// [`CliError`] that names the file.
pub fn write_predictions(out: &Path, table: &LongTable) -> Result<(), CliError> {
    let failed =
        |why: String| CliError::Other(format!("{} cannot be written: {why}", out.display()));
    write(out, &table.bytes(TableFormat::of(out).unwrap_or(TableFormat::Csv)).map_err(failed)?)
}

/// Writes an output file; an existing one is replaced.
///
/// # Errors
/// [`CliError`] that names the file.
pub fn write(out: &Path, bytes: &[u8]) -> Result<(), CliError> {
    write_output(out, bytes)
        .map_err(|error| CliError::Other(format!("{} cannot be written: {error}", out.display())))
}

/// Options about the predictions of new rows.
#[derive(Debug, Args)]
pub struct PredictionOptions {
    /// Further quantiles of each prediction: the columns q0.05, q0.5, … Many of them give a CRPS.
    #[arg(long, value_name = "P,…", value_delimiter = ',', value_parser = level)]
    quantiles: Vec<f64>,
}

impl PredictionOptions {
    /// The interval and the quantiles, each of these once and in order.
    pub fn asked(&self, bounds: Bounds) -> Asked {
        let mut quantiles = self.quantiles.clone();
        quantiles.sort_by(f64::total_cmp);
        quantiles.dedup();
        Asked { bounds, quantiles, recalibration: None }
    }

    /// Whether quantiles are asked for.
    pub fn is_given(&self) -> bool {
        !self.quantiles.is_empty()
    }
}

/// Refuses an output file that is one of the files that are read.
///
/// # Errors
/// [`CliError::Usage`] that names it.
pub fn refuse_overwriting(
    option: &str,
    out: &Path,
    inputs: &[&Path],
    by: &str,
) -> Result<(), CliError> {
    match inputs.iter().find(|input| is_same_file(input, out)) {
        None => Ok(()),
        Some(input) => Err(CliError::Usage(format!(
            "{option}: {} would be overwritten by {by}",
            input.display()
        ))),
    }
}

/// Whether both paths lead to one file that is there.
fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;
    use uq_core::predictive::{Form, Gaussian};

    /// The central half ends 0.674 standard deviations from the mean.
    #[test]
    fn ends_below_zero_are_counted_on_the_side_that_is_asked_for() {
        let gaussian =
            Gaussian { mean: array![1.0, 0.5, 3.0, -2.0], variance: array![1.0, 1.0, 1.0, 1.0] };
        let predictive = Predictive::new(Form::Gaussian(gaussian));
        let of = |side| {
            impossible(
                &predictive,
                Bounds { level: if side == Side::Both { 0.5 } else { 0.75 }, side },
            )
        };
        assert!(
            of(Side::Both).unwrap().starts_with("2 of 4 predictions have a lower end below zero")
        );
        assert!(
            of(Side::Lower)
                .unwrap()
                .starts_with("2 of 4 predictions have a lower bound below zero")
        );
        assert!(
            of(Side::Upper)
                .unwrap()
                .starts_with("1 of 4 predictions have an upper bound below zero")
        );
        let positive = Gaussian { mean: array![9.0], variance: array![1.0] };
        assert_eq!(
            impossible(
                &Predictive::new(Form::Gaussian(positive)),
                Bounds { level: 0.5, side: Side::Both }
            ),
            None
        );
    }
}
