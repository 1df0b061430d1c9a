//! `uqbench predict`: predict new rows by a model that `try` has saved, without its table.

use std::path::PathBuf;

use clap::Args;

use super::format_args::FormatArgs;
use super::new_rows::{
    Expected, New, PredictionOptions, refuse_overwriting, unfitted, write_predictions,
};
use super::options::Running;
use super::room::prepare;
use super::saved_model::read_model;
use super::with::external;
use super::wording::Worded;
use super::{CliError, Ending, print_bytes};
use uq_core::names::counted;
use uq_core::printable::printable;
use uqbench_report::long_table::LongTable;
use uqbench_report::try_table::Asked;
use uqbench_run::candidates::Candidate;
use uqbench_run::registry::own_build;
use uqbench_run::runner::model::{Content, Model, Recalibrated, SavedMethod};
use uqbench_run::runner::try_table::{Stop, fit, restore};
use uqbench_system::notice::say;

/// Predict new rows by a model that `uqbench try --save` has written: the fit is in it, and the
/// table is not needed. An external method is fitted anew.
#[derive(Debug, Args)]
#[command(after_help = "Example: uqbench predict my.model new.csv --out pred.csv")]
pub struct Predict {
    /// The file that `uqbench try --save FILE` has written.
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// New rows with the same features by name: CSV, Parquet or a workbook, also compressed by
    /// gzip; - is standard input.
    #[arg(value_name = "FILE")]
    rows: PathBuf,
    /// File for the predictions: Parquet or Arrow by its ending, else CSV. An existing file is
    /// replaced [default: CSV on standard output].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArgs,
    /// The command of the model's method, where that is an external one: a model does not contain
    /// its program.
    #[arg(long, value_name = "COMMAND")]
    with: Option<String>,
    #[command(flatten)]
    asked: PredictionOptions,
}

impl Predict {
    /// Reads model and new rows, tells what the model promises, and writes the predictions.
    pub fn run(&self) -> Result<Ending, CliError> {
        if let Some(out) = &self.out {
            refuse_overwriting("--out", out, &[&self.model, &self.rows], "the predictions")?;
        }
        let model = read_model(&self.model)?;
        let wrong = |why: String| CliError::Other(format!("{}: {why}", self.model.display()));
        let pool = Running::default().pool()?;
        let candidate = self.candidate(&model, pool.current_num_threads())?;
        let Model { about, content } = &model;
        let new = New::read(
            &self.rows,
            &self.format.format(),
            Expected {
                id: ("the --id of `try`", about.id.as_deref()),
                encoding: &about.encoding,
                dependent: about.dependent.as_ref(),
                ranges: &content.ranges(),
                fitted_rows: content.rows(),
                never_negative: about.never_negative,
            },
        )?;
        self.out.as_deref().map_or(Ok(()), prepare)?;
        let (name, title) = (printable(&about.method.id, 60), printable(&about.title, 200));
        say(format!("`{name}` for {title}, saved by {}", printable(&about.program, 60)));
        let SavedMethod { method, parameters, .. } = &about.method;
        if about.build.is_some() && about.build != own_build(method, parameters) {
            say(format!(
                "warning: the model was saved by another build of this program: if `{name}` has \
                 changed since, its predictions are others"
            ));
        }
        about.promises.iter().for_each(|promise| say(format!("- {}", printable(promise, 600))));
        let of = format!(
            "on {} and {}",
            counted(content.rows(), "row"),
            counted(content.columns(), "feature")
        );
        let recalibration = about.recalibrated.as_ref().map(Recalibrated::name);
        let asked = Asked { recalibration, ..self.asked.asked(about.bounds) };
        if new.answered() == 0 {
            self.write(&new.unanswered(&asked), "no row predicted".into())?;
            return new.refuse_unanswered().map(|()| Ending::Done);
        }
        let fit = match content {
            Content::Fit(model) => {
                say(format!("it was fitted {of}"));
                restore(&model.fit, &candidate).map_err(&wrong)?
            }
            Content::Rows(table) => {
                say(format!("it is fitted anew {of}, of unknown duration"));
                let fitted = pool.install(|| fit(table, about.seed, &candidate, &Stop::never()));
                fitted.map_err(|failure| unfitted(&candidate, &failure.to_string()))?
            }
        };
        let by = about.recalibrated.as_ref().map(|moved| moved.by);
        let answers = pool.install(|| new.answer(&fit, &asked, about.seed, &candidate, by))?;
        let blank = match new.blank() {
            0 => String::new(),
            1 => ", 1 is blank".into(),
            more => format!(", {more} are blank"),
        };
        self.write(
            &answers,
            format!("{} predicted by `{name}`{blank}", counted(new.answered(), "row")),
        )?;
        Ok(Ending::Done)
    }

    /// Writes predictions to the file or to standard output, and what they are.
    fn write(&self, answers: &LongTable, summary: String) -> Result<(), CliError> {
        match &self.out {
            Some(out) => {
                write_predictions(out, answers)?;
                say(format!("wrote {}: {summary}", out.display()));
            }
            None => {
                let csv = answers.csv().map_err(CliError::Other)?;
                print_bytes(&csv)?;
                say(summary);
            }
        }
        Ok(())
    }

    /// The method of the model.
    fn candidate(&self, model: &Model, threads: usize) -> Result<Candidate, CliError> {
        let saved = &model.about.method;
        let wrong = |why: String| CliError::Other(format!("{}: {why}", self.model.display()));
        let name = printable(&saved.id, 60);
        match (saved.command(), &self.with) {
            (None, None) => model.candidate().map_err(|error| wrong(error.worded())),
            (None, Some(_)) => Err(CliError::Usage(format!(
                "--with: `{name}` is a method of this program and needs no command"
            ))),
            (Some(command), None) => Err(CliError::Usage(format!(
                "{}: `{name}` is an external method, and a model does not contain its program: \
                 --with \"{}\" runs it with your rights",
                self.model.display(),
                printable(&command, 300)
            ))),
            (Some(_), Some(command)) => {
                let mut found = external(std::slice::from_ref(command), threads)?;
                let candidate = found.swap_remove(0);
                if candidate.id != saved.id {
                    return Err(CliError::Usage(format!(
                        "--with: found `{}`, expected `{name}`",
                        candidate.id
                    )));
                }
                model.check_version(&candidate).map_err(|error| wrong(error.worded()))?;
                if candidate.method.parameters() != saved.parameters {
                    say(format!(
                        "warning: the files or the description of `{name}` have changed since the \
                         comparison, so that its predictions may be others"
                    ));
                }
                Ok(candidate)
            }
        }
    }
}
