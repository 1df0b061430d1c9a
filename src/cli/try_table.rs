//! `uqbench try`: compare methods on the user's table, recommend one, predict new rows with it.

mod planned;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use ndarray::Array2;

use super::describe::{ask, given};
use super::options::{Running, level};
use super::own_file::{Examined, OwnFile, tell};
use super::{CliError, Ending, print};
use crate::data::Table;
use crate::data::own::{Cells, NewFeatures, OwnTable, Severity, beyond, is_standard_input};
use crate::methods::candidates::{Candidate, candidates};
use crate::methods::external::{Host, Servers};
use crate::methods::registry;
use crate::plot::Render;
use crate::report::document::Document;
use crate::report::export::page_in_markdown;
use crate::report::section::{Block, Page};
use crate::report::site::single::single;
use crate::report::try_table::{NewRows, figure, is_heading, numbers, page, predictions, recommend};
use crate::report::write::{Output, WriteError};
use crate::runner::progress::Progress;
use crate::runner::try_table::{Evaluation, FOLDS, Problem, evaluate, expected_seconds, plan, predict, repeats};
use crate::system::files::write_output;
use crate::system::machine::free_memory;
use crate::system::notice::say;
use crate::system::supervise::own_program;

use planned::Planned;

/// Compare methods on a CSV file of your own, recommend one, and predict new rows with it.
#[derive(Debug, Args)]
#[command(after_help = "Example: uqbench try my.csv --target y --predict new.csv --out pred.csv")]
pub struct Try {
    #[command(flatten)]
    own: OwnFile,
    /// Only these methods, by their names in `uqbench list methods`, and those that ignore the features. `calibrated-NAME` is
    /// the method calibrated by its errors at out-of-fold rows; `all` stands for every method.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    methods: Vec<String>,
    /// Processor time for which methods are chosen, where none is named: as many as are expected to end in it. They are chosen
    /// by the size of the table, before the first fit; other processors shorten the wait and change nothing.
    #[arg(long, value_name = "TIME", default_value = "4min", value_parser = budget, conflicts_with = "methods")]
    budget: f64,
    /// The plan of an earlier comparison, which has written it beside its page: the same methods, level and seed.
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["methods", "budget", "level", "seed"])]
    plan: Option<PathBuf>,
    /// An external method as one more row, by its command: --with "python3 mine.py". It may be repeated.
    #[arg(long, value_name = "COMMAND")]
    with: Vec<String>,
    /// Probability of the prediction intervals.
    #[arg(long, value_name = "P", default_value_t = 0.9, value_parser = level)]
    level: f64,
    /// Seed of all random numbers, of folds and methods.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Fits at a time [default: all processors].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// A CSV file of new rows, with the same features by name.
    #[arg(long, value_name = "FILE", requires = "out")]
    predict: Option<PathBuf>,
    /// CSV file for the predictions of the new rows. An existing file is replaced.
    #[arg(long, value_name = "FILE", requires = "predict")]
    out: Option<PathBuf>,
    /// Folder for the calibration figure FILE-reliability (.svg, .png), all numbers FILE-comparison (.csv, .json), FILE-plan.json
    /// and the page site/FILE.html.
    #[arg(long, value_name = "DIR", default_value = "uqbench-report/try")]
    figures: PathBuf,
    /// The method that predicts the new rows [default: the recommended one].
    #[arg(long, value_name = "NAME", requires = "predict")]
    predict_with: Option<String>,
}

/// Longest time of one fit and prediction of an external method, in seconds.
const LONGEST_FIT: u64 = 3600;

/// The features of the new rows that can be answered (m × d), what is known of all of them, and the file for their
/// predictions.
struct New {
    features: Array2<f64>,
    rows: NewRows,
    out: PathBuf,
}

impl Try {
    /// Reads the table, runs the methods, prints the comparison, draws the figure, predicts.
    pub fn run(&self) -> Result<Ending, CliError> {
        // A wrong plan and wrong names are refused before the table is read.
        let planned = self.plan.as_deref().map(Planned::read).transpose()?;
        let named = self.named(planned.as_ref())?;
        let (own, warnings, new) = self.read()?;
        if let Some((planned, path)) = planned.as_ref().zip(self.plan.as_deref()) {
            planned.check(path, &own.table)?;
        }
        let problem = Problem {
            table: &own.table,
            discrete: own.discrete,
            level: planned.as_ref().map_or(self.level, |planned| planned.level),
            seed: planned.as_ref().map_or(self.seed, |planned| planned.seed),
            categories: &own.encoding.categories(own.table.features.view()),
        };
        let pool = Running { jobs: self.jobs, ..Running::default() }.pool()?;
        let threads = pool.current_num_threads();
        let mut candidates = self.candidates(named, &own.table)?;
        candidates.extend(self.external()?);
        self.keep(&[Planned::new(&problem, &candidates).document(&self.own.stem())?])?;
        let seconds = expected_seconds(&own.table, &candidates, threads);
        let fits = candidates.len() as u64 * FOLDS * repeats(own.table.rows());
        say(format!(
            "try: {fits} fits of {:.0} rows and {} features, expected to take about {} on {threads} threads",
            own.table.rows() as f64 * (1.0 - 1.0 / FOLDS as f64),
            own.table.columns(),
            duration(seconds)
        ));
        let progress = Progress::new("try", fits, "fits");
        let evaluation = evaluate(problem, &candidates, &pool, &progress);
        progress.finish();
        let title = self.own.title();
        let page = page(&title, own.table.rows(), own.table.columns(), &warnings, &evaluation);
        self.write(&title, page.clone(), &evaluation)?;
        let printed = print(&page_in_markdown(&page));
        if let Some(new) = new {
            let chosen = self.chosen(recommend(&evaluation).method.as_deref(), &candidates)?;
            pool.install(|| Self::answer(problem, chosen, &new))?;
        }
        // After a closed pipe the predictions are still written.
        printed?;
        if evaluation.methods.iter().all(|method| method.folds.is_err()) {
            return Err(CliError::Other("every method failed on this table".into()));
        }
        Ok(Ending::Done)
    }

    /// The name of the method that predicts, where it is not an external one.
    fn predicts(&self) -> Result<Option<String>, CliError> {
        let mut external = Vec::new();
        for command in &self.with {
            external.push(given(command)?.0.name);
        }
        Ok(self.predict_with.clone().filter(|name| !external.contains(name)))
    }

    /// The methods that are named, by their names or by a plan, and among them the one that predicts; `None` where the budget
    /// chooses.
    fn named(&self, planned: Option<&Planned>) -> Result<Option<Vec<Candidate>>, CliError> {
        let names = planned.map_or(&self.methods, |planned| &planned.methods);
        let with: Vec<String> = names.iter().cloned().chain(self.predicts()?).collect();
        let named = candidates(&with)?;
        Ok((!names.is_empty()).then_some(named))
    }

    /// The methods to run: the named ones, or those that the budget allows and the one that predicts.
    fn candidates(&self, named: Option<Vec<Candidate>>, table: &Table) -> Result<Vec<Candidate>, CliError> {
        if let Some(named) = named {
            return Ok(named);
        }
        let plan = plan(table, self.budget)?;
        if !plan.left_out.is_empty() {
            let each = plan.left_out.iter().map(|(name, seconds)| format!("{name} ({})", duration(*seconds)));
            say(format!(
                "note: not tried, because with it more than --budget {} of processor time is expected: {}",
                duration(self.budget),
                each.collect::<Vec<_>>().join(", ")
            ));
        }
        match self.predicts()? {
            Some(name) if plan.candidates.iter().all(|candidate| candidate.id != name) => {
                let names = plan.candidates.iter().map(|candidate| candidate.id.to_string()).chain([name]);
                Ok(candidates(&names.collect::<Vec<_>>())?)
            }
            _ => Ok(plan.candidates),
        }
    }

    /// The external methods. They come last, because nothing is known of their simplicity.
    fn external(&self) -> Result<Vec<Candidate>, CliError> {
        let threads = Running { jobs: self.jobs, ..Running::default() }.pool()?.current_num_threads();
        let memory = free_memory().map(|free| free / threads as u64);
        let servers = Arc::new(Servers::new(threads));
        let mut names = HashSet::new();
        let one = |command: &String| {
            let (given, place) = given(command)?;
            if registry::entry(&given.name).is_ok() || !names.insert(given.name.clone()) {
                let name = &given.name;
                return Err(CliError::Usage(format!("--with: another method is called `{name}`; rename the file")));
            }
            let description = ask(&given, &place).map_err(CliError::Other)?;
            let parameters = given.resolve(&place, description).map_err(CliError::Other)?;
            let host = Host::new(own_program(), place, (Some(LONGEST_FIT), memory), servers.clone());
            Ok(Candidate::external(parameters, host))
        };
        self.with.iter().map(one).collect()
    }

    /// Reads the table and the new rows, writes notes and warnings on them to standard error, and returns the warnings on the table.
    fn read(&self) -> Result<(OwnTable, Vec<String>, Option<New>), CliError> {
        let files = self.predict.as_ref().zip(self.out.as_ref());
        if let Some((predict, out)) = files {
            self.check_paths(predict, out)?;
        }
        let Examined { own, id, findings } = self.own.read()?;
        let grave = findings.into_iter().filter(|finding| finding.severity == Severity::Warning);
        let warnings = grave.map(|finding| finding.text).collect();
        let Some((predict, out)) = files else { return Ok((own, warnings, None)) };
        if let Some(id) = id.as_deref().filter(|id| is_heading(id)) {
            return Err(CliError::Usage(format!(
                "--id: predictions have a column \"{id}\" of their own; give the column of both files another name"
            )));
        }
        let cells = Cells::read_as(predict, self.own.encoding)?;
        tell(cells.findings());
        let of_id = |name: String| {
            let place = cells.named("--id", &name)?;
            Ok::<_, CliError>((name, cells.texts(place).map(str::to_owned).collect()))
        };
        let id = id.map(of_id).transpose()?;
        let NewFeatures { features, mut reasons } = own.encoding.new_features(&cells)?;
        let unanswered = reasons.iter().flatten().count();
        if features.nrows() == 0 {
            return Err(reasons.swap_remove(0).map_or_else(|| CliError::Other("no new rows".into()), CliError::Own));
        }
        own.encoding.unused(&cells).iter().for_each(|note| say(format!("note: {note}")));
        if let Some(first) = reasons.iter().flatten().next() {
            let rows = if unanswered == 1 { "1 new row has" } else { &format!("{unanswered} new rows have") };
            say(format!("warning: {rows} no prediction, and the column `reason` says why; the first: {first}"));
        }
        if let Some(warning) = beyond(&own.table, &features) {
            say(format!("warning: {warning}"));
        }
        let reasons = reasons.into_iter().map(|reason| reason.map(|reason| reason.to_string())).collect();
        Ok((own, warnings, Some(New { features, rows: NewRows { id, reasons }, out: out.clone() })))
    }

    /// Refuses paths that exclude each other, before anything is read.
    fn check_paths(&self, predict: &Path, out: &Path) -> Result<(), CliError> {
        let inputs = [self.own.table.as_path(), predict];
        if inputs.into_iter().all(is_standard_input) {
            return Err(CliError::Usage("--predict: only one of the two files can be standard input".into()));
        }
        match inputs.into_iter().find(|input| is_same_file(input, out)) {
            None => Ok(()),
            Some(input) => {
                Err(CliError::Usage(format!("--out: {} would be overwritten by its predictions", input.display())))
            }
        }
    }

    /// Writes the figure, the numbers and the page of the site, and prints their paths.
    fn write(&self, title: &str, mut page: Page, evaluation: &Evaluation) -> Result<(), CliError> {
        let stem = self.own.stem();
        let mut documents = Vec::new();
        if let Some(drawing) = figure(title, evaluation) {
            let file = format!("{stem}-reliability");
            let drawn = Document::figure(&file, &drawing).map_err(|error| CliError::Other(error.to_string()))?;
            documents.push(drawn);
            page.blocks.push(Block::Figure { file, title: drawing.title().to_owned() });
        }
        let drawn = !documents.is_empty();
        let of_site = single(&stem, &page, &documents);
        let link = self.figures.join(&of_site.name);
        documents.push(of_site);
        let numbers = numbers(evaluation);
        documents.push(Document::new(format!("{stem}-comparison.json"), numbers.json()));
        documents.push(Document::new(format!("{stem}-comparison.csv"), numbers.csv()));
        self.keep(&documents)?;
        if drawn {
            let path = self.figures.join(format!("{stem}-reliability.png"));
            say(format!("wrote {} and .svg: how calibrated each method is", path.display()));
        }
        say(format!(
            "wrote {}: table, recommendation and figure on one page; {stem}-plan.json repeats it",
            link.display()
        ));
        Ok(())
    }

    /// Writes files into the folder of figures.
    fn keep(&self, documents: &[Document]) -> Result<(), CliError> {
        let output = Output { folder: self.figures.clone(), png: true };
        output.write(documents).map_err(|WriteError { path, source }| {
            let file = path.display();
            CliError::Other(format!("{file} cannot be written: {source}; --figures DIR chooses another folder"))
        })?;
        Ok(())
    }

    /// The method that predicts.
    fn chosen<'a>(&self, recommended: Option<&str>, all: &'a [Candidate]) -> Result<&'a Candidate, CliError> {
        let name = self.predict_with.as_deref().or(recommended);
        let found = name.and_then(|name| all.iter().find(|candidate| candidate.id == name));
        found.ok_or_else(|| {
            let message = "no method is recommended, so nothing was predicted; `--predict-with NAME` chooses a method";
            CliError::Other(message.into())
        })
    }

    fn answer(problem: Problem, chosen: &Candidate, new: &New) -> Result<(), CliError> {
        let predictive = predict(problem, chosen, &new.features)
            .map_err(|why| CliError::Other(format!("`{}` cannot predict the new rows: {why}", chosen.id)))?;
        let written = predictions(&predictive, problem.level, &new.rows);
        for column in &written.empty {
            say(format!("note: `{}` defines no {column}: the column is empty", chosen.id));
        }
        write_output(&new.out, &written.csv)
            .map_err(|error| CliError::Other(format!("{} cannot be written: {error}", new.out.display())))?;
        let (rows, out) = (new.features.nrows(), new.out.display());
        say(format!(
            "wrote {out}: {rows} rows predicted by `{}`, fitted on all {} rows",
            chosen.id,
            problem.table.rows()
        ));
        Ok(())
    }
}

/// Seconds from a time such as "90", "90s", "2min" or "1h".
fn budget(text: &str) -> Result<f64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "s" => Some(1.0),
        "min" | "m" => Some(60.0),
        "h" => Some(3600.0),
        _ => None,
    };
    let seconds = unit.zip(digits.trim_end().parse::<f64>().ok()).map(|(unit, count)| unit * count);
    let found = seconds.filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
    found.ok_or_else(|| format!("found \"{text}\", expected a time such as 60s, 2min or 1h"))
}

/// A time with one significant digit, because the estimate is rough.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "a second or less".into(),
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.0} h", s / 3600.0),
    }
}

/// Whether both paths lead to one file that is there.
fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
