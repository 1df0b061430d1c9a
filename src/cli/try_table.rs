//! `uqbench try`: compare methods on the user's table, recommend one, predict new rows with it.

mod apart;
mod choice;
mod fits;
mod next;
mod plan_text;
mod planned;
mod used;
mod written;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{ArgGroup, Args};

use super::choices::side;
use super::new_rows::{Expected, New, PredictionOptions, refuse_overwriting};
use super::options::{Running, level};
use super::own_file::{Examined, OwnFile, tell, tell_briefly};
use super::room::{prepare, prepare_folder};
use super::with::external;
use super::wording::Worded;
use super::{CliError, Ending};
use uq_core::predictive::{Bounds, Side};
use uqbench_data::own::{
    DependenceColumn, FileFormat, Ranges, Severity, Topic, is_standard_input, zero_groups,
};
use uqbench_report::try_table::{is_heading, recommend, warning_of_noiseless};
use uqbench_run::candidates::Candidate;
use uqbench_run::runner::try_table::{Evaluation, Folding, Plan, Problem, Stop, worst_slab};
use uqbench_system::notice::say;
use uqbench_system::signals::stop_on_interrupt;

use apart::Apart;
use fits::{compared, cut_by_budget, describe_fits, ending, expected_time, whole_fit};
use plan_text::{describe_plan, summarize_plan};
use planned::Planned;
use written::Comparison;

/// Times the budget after which fits end: what they are expected to take is known to within some
/// tenths.
const OVER: f64 = 1.4;

/// Compare methods on a CSV file of your own, recommend one, and predict new rows with it.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("uses").args(["predict", "save"]).multiple(true)))]
#[command(after_help = "Example: uqbench try my.csv --target y --predict new.csv --out pred.csv")]
pub struct Try {
    #[command(flatten)]
    own: OwnFile,
    /// Only these methods, by their names in `uqbench list methods`, and those that ignore the
    /// features. `calibrated-NAME` is the method calibrated by its errors at out-of-fold rows,
    /// `adaptive-NAME` the method at levels that follow its misses in the last rows; `all` stands
    /// for every method of the list, and for those that are tried by default on every table.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    methods: Vec<String>,
    /// Processor time to plan for. Before the first fit, methods, folds and repeated divisions are
    /// left out until the estimate for this table fits. More processors shorten the wait and change
    /// nothing [default: 45s where no method is named].
    #[arg(long, value_name = "TIME", value_parser = time)]
    budget: Option<f64>,
    /// Time after which fits end, as by Ctrl-C: the methods that have finished by then are
    /// compared, and the others are named.
    #[arg(long, value_name = "TIME", value_parser = time)]
    deadline: Option<f64>,
    /// The plan of an earlier comparison, which has written it beside its page: the same methods,
    /// level, side and seed, and the same column of --group or --time.
    #[arg(
        long,
        value_name = "PLAN",
        conflicts_with_all = [
            "methods", "budget", "calibrate_by", "level", "side", "seed", "group", "time",
        ],
    )]
    plan: Option<PathBuf>,
    /// An external method as one more row, by its command: --with "python3 mine.py". It may be
    /// repeated.
    #[arg(long, value_name = "COMMAND")]
    with: Vec<String>,
    /// Probability of the prediction intervals.
    #[arg(long, value_name = "P", default_value_t = 0.9, value_parser = level)]
    level: f64,
    /// Column in each value of which, such as each level of a category, calibrated methods compare
    /// errors apart where 20 training rows or more have it: for groups that intervals of all rows
    /// cover too rarely.
    #[arg(long, value_name = "COLUMN")]
    calibrate_by: Option<String>,
    /// Which end of the interval counts: upper, lower or both. A bound of probability P is its
    /// quantile P, or 1 - P of a lower one.
    #[arg(
        long,
        value_parser = side(),
        value_name = "SIDE",
        default_value_t,
        hide_possible_values = true,
    )]
    side: Side,
    /// Seed of all random numbers, of folds and methods.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Fits at a time [default: all processors].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// New rows with the same features by name: CSV, Parquet or a workbook.
    #[arg(long, value_name = "FILE", requires = "out")]
    predict: Option<PathBuf>,
    /// The sheet of the new rows, where they are in a workbook [default: its first one].
    #[arg(long, value_name = "NAME", requires = "predict")]
    predict_sheet: Option<String>,
    /// File for the predictions of the new rows: Parquet or Arrow by its ending, else CSV. An
    /// existing file is replaced.
    #[arg(long, value_name = "FILE", requires = "predict")]
    out: Option<PathBuf>,
    #[command(flatten)]
    asked: PredictionOptions,
    /// Print the whole page and how long each method is expected to take, and not the answer alone.
    #[arg(long)]
    verbose: bool,
    /// Folder for the page site/FILE.html; the figures (.svg, .png) FILE-held-out, FILE-calibration
    /// and FILE-reliability; the interval of each row by a fit that has not seen it, FILE-rows.csv;
    /// all numbers FILE-comparison (.csv, .json), FILE-settings (.csv, .json) and FILE-plan.json.
    #[arg(long, value_name = "DIR", default_value = "uqbench-report/try")]
    figures: PathBuf,
    /// Keep the fitted method in a file, for `uqbench predict FILE new.csv`. It holds what the
    /// method consists of, and the names of columns, categories and groups; of an external method
    /// it holds the rows of the table. An existing file is replaced.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// The method that predicts the new rows and is saved [default: the recommended one].
    #[arg(long, value_name = "NAME", requires = "uses")]
    predict_with: Option<String>,
}

impl Try {
    /// Reads the table, runs the methods, prints the comparison, draws the figure, predicts.
    pub fn run(&self) -> Result<Ending, CliError> {
        // A wrong plan, bound and names are refused before the table is read.
        self.bounds()?;
        let planned = self.plan.as_deref().map(Planned::read).transpose()?;
        let named = self.named(planned.as_ref())?;
        let stated = planned
            .as_ref()
            .map_or_else(|| self.own.dependence(), |planned| Ok(planned.dependence.clone()))?;
        let (Examined { own, division, id, findings }, new) = self.read(stated.as_ref())?;
        self.prepare()?;
        let has_leak = findings.iter().any(|finding| finding.topic == Topic::Leak);
        let of = |severity: Severity| {
            let found = findings.iter().filter(move |finding| finding.severity == severity);
            found.map(|finding| finding.text.worded()).collect::<Vec<String>>()
        };
        let (mut warnings, notes) = (of(Severity::Warning), of(Severity::Note));
        let planned = planned.as_ref().zip(self.plan.as_deref());
        if let Some((planned, path)) = planned {
            planned.check(path, &own.table, &self.own.name())?;
        }
        let planned_bounds = planned.map(|(planned, _)| planned.bounds());
        let mut problem = Problem {
            table: &own.table,
            division,
            folding: Folding::of(&own.table),
            discrete: own.discrete,
            bounds: planned_bounds.map_or_else(|| self.bounds(), Ok)?,
            seed: planned.map_or(self.seed, |(planned, _)| planned.seed),
            categories: &[
                zero_groups(&own.table),
                own.encoding.categories(own.table.features.view()),
            ]
            .concat(),
            stated: own.dependent.as_ref().map(|dependent| &dependent.labels),
        };
        let pool = Running { jobs: self.jobs, ..Running::default() }.pool()?;
        let threads = pool.current_num_threads();
        let budget = self.budget(planned.map(|(planned, _)| planned));
        let apart = planned.map_or(&self.calibrate_by, |(planned, _)| &planned.calibrate_by);
        let apart = apart.clone().map(|column| Apart::by(column, &own)).transpose()?;
        let Plan { mut candidates, folding, left_out, inside } =
            self.plan(&problem, (planned, named), budget, apart.as_ref())?;
        problem.folding = folding;
        // They come last, because nothing is known of their simplicity.
        candidates.extend(external(&self.with, threads)?);
        let calibrated_by = apart.map(|apart| apart.column);
        let mut kept = Planned::new(&problem, (&candidates, &left_out), budget, stated);
        kept.calibrate_by.clone_from(&calibrated_by);
        kept.inside = inside;
        let document = kept.document(&self.own.stem())?;
        if let Some(note) = kept.replacing(&self.figures.join(&document.name)) {
            say(note);
        }
        self.keep(&[document])?;
        if self.verbose {
            say(describe_plan(&problem, &candidates, inside, &left_out, budget));
            say(describe_fits(&problem, &candidates, inside, threads));
        } else {
            let time = expected_time(&problem, &candidates, inside, threads);
            say(summarize_plan(&problem, &candidates, &left_out, &time));
        }
        let budget = budget.filter(|_| planned.is_none());
        let stop = self.stop(budget)?;
        let compared = compared(problem, &candidates, inside, &pool, &stop);
        let mut evaluation = Evaluation { left_out, calibrated_by, ..compared };
        self.cut(kept, &mut evaluation, &problem, &candidates)?;
        if evaluation.methods.is_empty() {
            say("no method had finished: nothing is compared");
            return Ok(ending(&evaluation));
        }
        // A formula or a copy that was found says more.
        if let Some(warning) = warning_of_noiseless(&evaluation).filter(|_| !has_leak) {
            if self.verbose {
                say(format!("warning: {warning}"));
            }
            warnings.push(warning);
        }
        let recommended = recommend(&evaluation).method;
        let used =
            evaluation.methods.iter().find(|tried| recommended.as_deref() == Some(&*tried.id));
        evaluation.slab = used.and_then(|tried| worst_slab(&problem, tried));
        let comparison = Comparison {
            own: &own,
            id: id.as_ref(),
            title: self.own.title(),
            warnings,
            notes,
            evaluation: &evaluation,
        };
        let written = self.write(&comparison, None)?;
        let printed = self.print(&comparison);
        let mut ended = ending(&evaluation);
        if ended == Ending::Done {
            ended = written;
        }
        let is_fitted = new.is_some() || self.save.is_some();
        if is_fitted && evaluation.aborted.is_some() {
            say(
                "note: nothing was predicted or saved; --methods NAME compares one method and fits \
                 it on all rows",
            );
        } else if is_fitted {
            let chosen = self.chosen(recommend(&evaluation).method.as_deref(), &candidates)?;
            match pool.install(|| whole_fit(problem, chosen, &stop.without_deadline()))? {
                None => ended = Ending::Interrupted,
                Some(fit) => {
                    self.tell_chosen(&comparison, (chosen, &fit))?;
                    if let Some(path) = &self.save {
                        self.save(path, &comparison, (chosen, &fit), problem.seed)?;
                    }
                    if let Some(new) = &new {
                        pool.install(|| self.answer(problem, (chosen, &fit), new))?;
                    }
                }
            }
        }
        // After a closed pipe the predictions are still written.
        printed?;
        if evaluation.methods.iter().all(|method| method.folds.is_err()) {
            return Err(CliError::Other("every method failed on this table".into()));
        }
        Ok(ended)
    }

    /// The intervals of the command line.
    fn bounds(&self) -> Result<Bounds, CliError> {
        let bounds = Bounds { level: self.level, side: self.side };
        bounds
            .check()
            .map(|()| bounds)
            .map_err(|why| CliError::Usage(format!("--side {}: {why}", self.side)))
    }

    /// Says what a spent budget has cut, and writes the plan of what was done in place of that of
    /// what was meant.
    fn cut(
        &self,
        kept: Planned,
        evaluation: &mut Evaluation,
        problem: &Problem,
        candidates: &[Candidate],
    ) -> Result<(), CliError> {
        let cut = cut_by_budget(evaluation, problem, candidates);
        let lacks_inside =
            kept.inside && evaluation.inside.is_empty() && evaluation.aborted.is_none();
        if cut.is_empty() && !lacks_inside {
            return Ok(());
        }
        let names = if cut.is_empty() {
            "the comparisons on training rows alone".into()
        } else {
            cut.join(", ")
        };
        say(format!(
            "warning: the budget was spent before the end; left out: {names}. The plan beside the \
             page leaves them out, too, and repeats this comparison to the byte"
        ));
        self.keep(&[kept.cut(evaluation).document(&self.own.stem())?])
    }

    /// When fits end early: at the first Ctrl-C, at the deadline, and where they have taken much
    /// more than the budget.
    fn stop(&self, budget: Option<f64>) -> Result<Stop, CliError> {
        let interrupt = |error| CliError::Other(format!("Ctrl-C cannot be handled: {error}"));
        let cancel = stop_on_interrupt().map_err(interrupt)?;
        let time = self.deadline.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let stop = Stop::new(cancel, time.and_then(|time| Instant::now().checked_add(time)));
        Ok(budget.map_or_else(
            || stop.clone(),
            |seconds| stop.clone().after_processor_time(OVER * seconds),
        ))
    }

    /// Reads the table and the new rows, and writes notes and warnings on them to standard error.
    fn read(&self, by: Option<&DependenceColumn>) -> Result<(Examined, Option<New>), CliError> {
        self.check_paths()?;
        let examined = self.own.examined(by)?;
        match self.verbose {
            true => tell(&examined.findings),
            false => tell_briefly(&examined.findings),
        }
        let Examined { own, id, .. } = &examined;
        let id = id.as_ref().map(|id| id.name.as_str());
        let answers = self.predict.is_some() || self.save.is_some();
        if let Some(id) = id.filter(|id| answers && is_heading(id)) {
            return Err(CliError::Usage(format!(
                "--id: predictions have a column \"{id}\" of their own; give the column of both \
                 files another name"
            )));
        }
        let Some(predict) = &self.predict else { return Ok((examined, None)) };
        let id = ("--id", id);
        let ranges = &Ranges::of(own.table.features.view());
        let expected = Expected {
            id,
            encoding: &own.encoding,
            dependent: own.dependent.as_ref(),
            ranges,
            fitted_rows: own.table.rows(),
            never_negative: own.table.target.iter().all(|y| *y >= 0.0),
        };
        // A sheet is one of the table's workbook.
        let format = FileFormat { sheet: self.predict_sheet.clone(), ..self.own.format.format() };
        let new = New::read(predict, &format, expected)?;
        Ok((examined, Some(new)))
    }

    /// Makes room for all outputs before the first fit.
    fn prepare(&self) -> Result<(), CliError> {
        self.out.iter().chain(&self.save).try_for_each(|out| prepare(out))?;
        prepare_folder(&self.figures)
    }

    /// Refuses paths that exclude each other, before anything is read.
    fn check_paths(&self) -> Result<(), CliError> {
        self.check_stem()?;
        if self.asked.is_given() && self.predict.is_none() {
            return Err(CliError::Usage(
                "--quantiles: they are of predictions, which --predict FILE asks for".into(),
            ));
        }
        let inputs: Vec<&Path> = [Some(&self.own.table), self.predict.as_ref()]
            .into_iter()
            .flatten()
            .map(PathBuf::as_path)
            .collect();
        if inputs.len() == 2 && inputs.iter().all(|input| is_standard_input(input)) {
            return Err(CliError::Usage(
                "--predict: only one of the two files can be standard input".into(),
            ));
        }
        let outputs =
            [("--out", &self.out, "its predictions"), ("--save", &self.save, "the model")];
        for (option, out, by) in outputs {
            out.as_ref().map_or(Ok(()), |out| refuse_overwriting(option, out, &inputs, by))?;
        }
        match (&self.out, &self.save) {
            (Some(out), Some(save)) if out == save => Err(CliError::Usage(format!(
                "--save: {} is the file of --out, too",
                save.display()
            ))),
            _ => Ok(()),
        }
    }
}

/// Seconds from a time such as "90", "90s", "2min" or "1h".
fn time(text: &str) -> Result<f64, String> {
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
