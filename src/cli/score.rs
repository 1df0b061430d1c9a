//! `uqbench score`: score predictions that the user already has.

use std::path::{Path, PathBuf};

use clap::Args;

use super::choices::form;
use super::format_args::FormatArgs;
use super::lacks::with_lacks;
use super::link::close;
use super::options::{FigureForms, level, share};
use super::own_file::tell;
use super::room::prepare_folder;
use super::{CliError, Ending, print_markdown};
use uq_core::printable::printable;
use uqbench_data::own::{Cells, FileFormat, Truth, stem};
use uqbench_judge::evidence::own_predictions::{
    Evaluation, OwnFile, OwnForm, OwnPredictions, decompose, default_level, unite_labels,
};
use uqbench_report::score::{Subject, render};
use uqbench_report::write::Output;

/// Score predictions that you have, compare methods, draw their calibration; runs nothing.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  uqbench score predictions.csv --y price\n  \
    uqbench score ngboost.csv forest.parquet --y price --level 0.95\n  \
    uqbench score pred.csv --truth sold.xlsx --id house --y price\n\ndocs/do/score.md describes \
    the columns.")]
pub struct Score {
    /// CSV, Parquet or workbook files with a row for each outcome: `mean` and `sd`, quantiles such
    /// as `q0.05`, draws `s1`, `s2`, …, or `lower` and `upper`; also `method`, `split`, `group`,
    /// `row`. A file without `method` is one method.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Column of the outcomes.
    #[arg(long, value_name = "COLUMN", default_value = "y")]
    y: String,
    /// File with the outcomes, such as what came true since: CSV, Parquet or a workbook. The
    /// column of --id joins it with the predictions, and --y is a column of it.
    #[arg(long, value_name = "FILE", requires = "id")]
    truth: Option<PathBuf>,
    /// Column of both files that identifies the rows.
    #[arg(long, value_name = "COLUMN", requires = "truth")]
    id: Option<String>,
    /// The sheet of the outcomes, where they are in a workbook [default: its first one].
    #[arg(long, value_name = "NAME", requires = "truth")]
    truth_sheet: Option<String>,
    #[command(flatten)]
    format: FormatArgs,
    /// Probability of the central intervals. `lower` and `upper` need it [default: the widest that
    /// quantiles give, or 0.9].
    #[arg(long, value_name = "P", value_parser = level)]
    level: Option<f64>,
    /// The form to score, where a file has the columns of several [default: the intervals, where it
    /// has any].
    #[arg(long, value_parser = form())]
    form: Option<OwnForm>,
    /// Mean number of training rows of the splits, whose overlap widens intervals [default: the
    /// column `train_rows`, or the tested rows outside a split's test set].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    train_rows: Option<u64>,
    /// Half width of the region of practical equivalence, as a share of the first method's mean
    /// loss; for log scores in nat.
    #[arg(long, value_name = "SHARE", default_value = "0.01", value_parser = share)]
    rope: f64,
    /// Say what the CRPS of each method is made of: miscalibration, discrimination and uncertainty,
    /// beside the miscalibration that calibrated forecasts would have.
    #[arg(long)]
    decompose: bool,
    /// Folder for the page, its numbers and its figures.
    #[arg(
        long,
        visible_alias = "figures",
        value_name = "DIR",
        default_value = "uqbench-report/score"
    )]
    out: PathBuf,
    #[command(flatten)]
    forms: FigureForms,
    /// Open the page in the browser at the end.
    #[arg(long)]
    open: bool,
}

impl Score {
    /// Reads the files, scores their methods, writes the page in every format, and prints it.
    pub fn run(&self) -> Result<Ending, CliError> {
        let outcomes = self.outcomes()?;
        let truth = outcomes.as_ref().zip(self.id.as_deref());
        let truth = truth.map(|(cells, id)| Truth { cells, id, outcome: &self.y, further: None });
        let read = |path: &PathBuf| self.read(path, truth.as_ref());
        let mut files = self.files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        unite_labels(&mut files);
        let predictions = OwnPredictions::new(&files)?;
        prepare_folder(&self.out)?;
        let level = self.level.unwrap_or_else(|| default_level(&predictions));
        let evaluation = Evaluation::of(&predictions, level, self.train_rows);
        let overlap = evaluation.overlap.finding(files.first().map_or("", |file| &file.file));
        let found = [&predictions.findings[..], overlap.as_slice()].concat();
        tell(&found);
        let names =
            self.files.iter().map(|path| path.file_name().unwrap_or_default().to_string_lossy());
        let subject = Subject {
            files: printable(&names.collect::<Vec<_>>().join(", "), 200),
            target: printable(&self.y, 60),
            rope: self.rope,
            findings: found,
        };
        let decomposed = if self.decompose { decompose(&predictions) } else { Vec::new() };
        let written = render(&subject, &predictions, &evaluation, &decomposed);
        let output =
            Output { folder: self.out.clone(), beside: self.forms.beside(), ..Output::default() };
        output.write(&written)?;
        for page in written.iter().filter(|document| document.name.ends_with(".md")) {
            print_markdown(&String::from_utf8_lossy(&page.bytes))?;
        }
        close(&output, &written, self.open)?;
        Ok(with_lacks(Ending::Done, &written))
    }

    /// The file of outcomes, if there is one. Findings on it go to standard error.
    fn outcomes(&self) -> Result<Option<Cells>, CliError> {
        let Some(path) = &self.truth else { return Ok(None) };
        let format = FileFormat { sheet: self.truth_sheet.clone(), ..FileFormat::default() };
        let cells = Cells::read_as(path, &format)?;
        tell(cells.findings());
        Ok(Some(cells))
    }

    /// The predictions of one file, with the outcomes of another one where that is given. Findings
    /// on it, and columns that are not used, go to standard error.
    fn read(&self, path: &Path, truth: Option<&Truth>) -> Result<OwnFile, CliError> {
        let mut cells = Cells::read_as(path, &self.format.format())?;
        if let Some(truth) = truth {
            let joined = cells.joined(truth)?;
            tell(joined.left_out.as_slice());
            tell(joined.unused.as_slice());
            cells = joined.cells;
        }
        let file =
            OwnFile::new(&cells, &printable(&stem(path), 60), &self.y, self.form, self.level)?;
        tell(cells.findings());
        tell(&file.findings);
        Ok(file)
    }
}
