//! `uqbench watch`: judge the predictions of a model by what came true since.

use std::path::PathBuf;

use clap::Args;
use ndarray::{ArrayView2, Axis, concatenate};

use super::link::close;
use super::new_rows::{Expected, New};
use super::options::{FigureForms, level, share};
use super::quoted::quoted;
use super::room::prepare_folder;
use super::saved_model::{Outcomes, read_model};
use super::{CliError, Ending, print_markdown};
use uq_core::names::counted;
use uqbench_data::own::CalendarPeriod;
use uqbench_judge::watch::{
    Advice, Every, FeatureDrift, Terms, Watch as Found, compare_features, watch,
};
use uqbench_report::export::page_in_markdown;
use uqbench_report::watch::{Subject, brief, render};
use uqbench_report::write::Output;
use uqbench_run::runner::model::Model;
use uqbench_system::notice::say;

/// Fewest rows of which features are compared.
const FEWEST_ROWS: usize = 20;

/// Rows of a period where neither --every nor dates say otherwise.
const ROWS: usize = 50;

/// Judge the predictions of a model by what came true since, for a nightly job: coverage by week,
/// alarms with stated guarantees, and whether to keep the model, recalibrate it or fit it anew.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 no alarm, 3 an alarm.\n\nExamples:\n  \
    uqbench watch my.model pred.csv --truth sold.xlsx --id house --time sold\n  \
    uqbench watch my.model mon.csv tue.csv --truth sold.csv --id house --rows new.csv\n\n\
    docs/do/watch.md says what the alarms guarantee.")]
pub struct Watch {
    #[command(flatten)]
    outcomes: Outcomes,
    /// New rows that were predicted: the distribution of each feature is compared with that of the
    /// rows that the model is fitted on. It may be repeated.
    #[arg(long, value_name = "FILE")]
    rows: Vec<PathBuf>,
    /// Period of a row of the table: day, week or month of --time, or a number of rows [default:
    /// week where times are dates, else 50].
    #[arg(long, value_name = "PERIOD", value_parser = every)]
    every: Option<Every>,
    /// Rows of one period depend on each other, such as those of one day: evidence is gathered by
    /// period and not by row.
    #[arg(long)]
    dependent: bool,
    /// By how much the probability of being covered may be less than the level.
    #[arg(long, value_name = "SHARE", default_value = "0.05", value_parser = share)]
    tolerance: f64,
    /// The probability of ever raising an alarm without a reason, for each of both.
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = level)]
    alpha: f64,
    /// Folder for the page, its numbers and its figure.
    #[arg(long, value_name = "DIR", default_value = "uqbench-report/watch")]
    out: PathBuf,
    #[command(flatten)]
    forms: FigureForms,
    /// Open the page in the browser at the end.
    #[arg(long)]
    open: bool,
}

impl Watch {
    /// Reads model, predictions and outcomes, judges them, writes the page, and prints the answer.
    pub fn run(&self) -> Result<Ending, CliError> {
        let model = read_model(&self.outcomes.model)?;
        let terms = Terms {
            bounds: model.about.bounds,
            tolerance: self.tolerance,
            alpha: self.alpha,
            dependent: self.dependent,
        };
        terms.check().map_err(|why| CliError::Usage(format!("--tolerance: {why}")))?;
        let observed = self.outcomes.read(&model)?;
        let every = self.every.unwrap_or(match observed.has_dates() {
            true => Every::Calendar(CalendarPeriod::Week),
            false => Every::Rows(ROWS),
        });
        let rows = self.outcomes.rows(&model, observed, every)?;
        let drifts = self.drifts(&model)?;
        prepare_folder(&self.out)?;
        let about = &model.about;
        let scores = about.reference.as_ref().map_or(&[][..], |reference| &reference.scores);
        let found = watch(&rows, terms, scores, drifts, about.seed);
        let remarks = self.remarks(&model);
        let next = self.next(&model, &found, rows.len());
        let subject = Subject {
            method: &about.method.id,
            title: &about.title,
            target: about.encoding.target(),
            every,
            is_recalibrated: about.recalibrated.is_some(),
            remarks: &remarks,
            next: &next,
        };
        let written = render(&subject, &found)
            .map_err(|error| CliError::Other(format!("the numbers cannot be written: {error}")))?;
        let output =
            Output { folder: self.out.clone(), beside: self.forms.beside(), ..Output::default() };
        output.write(&written)?;
        print_markdown(&page_in_markdown(&brief(&subject, &found)))?;
        close(&output, &written, self.open)?;
        Ok(if found.is_alarmed() { Ending::Suspicious } else { Ending::Done })
    }

    /// The features of the new rows that have changed; `None` where they are not compared.
    fn drifts(&self, model: &Model) -> Result<Option<Vec<FeatureDrift>>, CliError> {
        let about = &model.about;
        let reference = about.reference.as_ref().map_or(&[][..], |reference| &reference.features);
        if !self.rows.is_empty() && reference.is_empty() {
            say(
                "note: --rows: the model was saved by an older program and keeps no distribution of \
                 its features, so that they are not compared",
            );
            return Ok(None);
        }
        let mut all: Vec<New> = Vec::new();
        for path in &self.rows {
            let expected = Expected {
                id: ("the --id of `try`", about.id.as_deref()),
                encoding: &about.encoding,
                dependent: None,
                ranges: &model.content.ranges(),
                fitted_rows: model.content.rows(),
                never_negative: about.never_negative,
            };
            all.push(New::read(path, &self.outcomes.format.format(), expected)?);
        }
        let count: usize = all.iter().map(New::answered).sum();
        if !all.is_empty() && count < FEWEST_ROWS {
            say(format!(
                "note: --rows: {} are too few to compare features; {FEWEST_ROWS} are needed",
                counted(count, "row")
            ));
        }
        if count < FEWEST_ROWS {
            return Ok(None);
        }
        let features: Vec<ArrayView2<f64>> = all.iter().map(New::features).collect();
        let features = concatenate(Axis(0), &features)
            .map_err(|error| CliError::Other(format!("--rows: {error}")))?;
        let names = about.encoding.feature_names();
        Ok(Some(compare_features(reference, &names, features.view(), self.alpha)))
    }

    /// What else is to be known.
    fn remarks(&self, model: &Model) -> Vec<String> {
        let moved = model.about.recalibrated.as_ref().map(|moved| {
            format!(
                "The outcomes of {} rows have moved the intervals of this model after its fit; they \
                 are not among these rows.",
                moved.seen.len()
            )
        });
        let order = (self.outcomes.time.is_none()).then(|| {
            "The rows are taken in the order of the predictions; `--time` names a column that orders \
             them."
                .to_owned()
        });
        let about = &model.about;
        let dependent = (about.dependent.is_some() && !self.dependent).then(|| {
            "The table's rows depend on each other: where these do, `--dependent` gathers evidence by \
             period."
                .to_owned()
        });
        let rows = (self.rows.is_empty())
            .then(|| "`--rows FILE`, the new rows, compares features, too.".to_owned());
        moved.into_iter().chain(order).chain(dependent).chain(rows).collect()
    }

    /// What to run next.
    fn next(&self, model: &Model, found: &Found, rows: usize) -> Vec<String> {
        let target = quoted(model.about.encoding.target());
        let target = format!("uqbench try TABLE.csv --target {target} --save NEW.model");
        let recalibrate = |newest: Option<usize>| {
            let last = newest.filter(|newest| *newest < rows);
            let last = last.map_or_else(String::new, |newest| format!(" --last {newest}"));
            format!("`{}{last} --out NEW.model`", self.again("recalibrate"))
        };
        match found.advice {
            Advice::Keep => vec!["run the same command when more outcomes are known".into()],
            Advice::Narrow => vec![recalibrate(None)],
            Advice::Recalibrate { newest, .. } => vec![recalibrate(Some(newest))],
            Advice::FitAnew { .. } => {
                vec![format!("`{target}` with a table that has the newest rows, too")]
            }
            Advice::NoGain { .. } | Advice::Wait { .. } => vec![
                "run the same command when more outcomes are known".into(),
                format!("or `{target}` with a table that has the newest rows, too"),
            ],
        }
    }

    /// Another command on the same files.
    fn again(&self, command: &str) -> String {
        let Outcomes { model, predictions, truth, id, y, time, truth_sheet, format } =
            &self.outcomes;
        let file = |path: &PathBuf| quoted(&path.to_string_lossy());
        let option = |name: &str, value: &Option<String>| {
            value.as_ref().map(|value| format!("--{name} {}", quoted(value)))
        };
        let mut words = vec![format!("uqbench {command}"), file(model)];
        words.extend(predictions.iter().map(file));
        words.extend(truth.iter().map(|truth| format!("--truth {}", file(truth))));
        words.push(format!("--id {}", id.as_deref().map_or("COLUMN".into(), quoted)));
        words.extend(option("y", y));
        words.extend(option("time", time));
        words.extend(option("truth-sheet", truth_sheet));
        words.extend(option("sheet", &format.sheet));
        words.join(" ")
    }
}

/// A period of the table.
fn every(text: &str) -> Result<Every, String> {
    match text {
        "day" => Ok(Every::Calendar(CalendarPeriod::Day)),
        "week" => Ok(Every::Calendar(CalendarPeriod::Week)),
        "month" => Ok(Every::Calendar(CalendarPeriod::Month)),
        _ => match text.parse() {
            Ok(rows) if rows > 0 => Ok(Every::Rows(rows)),
            _ => Err("expected day, week, month, or a number of rows".into()),
        },
    }
}
