//! `uqbench recalibrate`: move the intervals of a model by what came true, without a fit.

use std::path::PathBuf;

use clap::Args;

use super::new_rows::{refuse_overwriting, write};
use super::quoted::quoted;
use super::room::prepare;
use super::saved_model::{Outcomes, read_model};
use super::{CliError, Ending};
use uq_core::metrics::percent;
use uq_core::names::counted;
use uq_core::predictive::{Bounds, IntervalOutcome, Recalibration, Side, Unmoved};
use uq_core::stats::digits::number;
use uqbench_judge::watch::{Every, ObservedRow, fingerprint};
use uqbench_run::runner::model::{About, Model, Recalibrated, Reference};
use uqbench_system::notice::say;

/// What says in a promise that outcomes have moved the intervals.
const MOVED: &str = " were moved by the outcomes of ";

/// Before what a model promised before it was recalibrated.
const EARLIER: &str = "before that: ";

/// Move the intervals of a model by the outcomes of rows that it has predicted, without a fit, and
/// write it as another model. These rows say nothing of the moved intervals: later ones do.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: uqbench recalibrate my.model pred.csv --truth sold.csv --id house \
    --out new.model"
)]
pub struct Recalibrate {
    #[command(flatten)]
    outcomes: Outcomes,
    /// File for the recalibrated model. An existing file is replaced.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The newest N rows alone [default: all].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    last: Option<u64>,
    /// Follow changes in time: the weight of a row halves with each N rows that come after it
    /// [default: all rows weigh the same].
    #[arg(long, value_name = "N", value_parser = half_life)]
    half_life: Option<f64>,
}

impl Recalibrate {
    /// Reads model, predictions and outcomes, and writes the model with moved intervals.
    pub fn run(&self) -> Result<Ending, CliError> {
        let Outcomes { model: path, predictions, truth, id, .. } = &self.outcomes;
        if id.is_none() {
            return Err(CliError::Usage(
                "--id: a column that identifies the rows is needed, so that `watch` knows which of \
                 them have recalibrated the model"
                    .into(),
            ));
        }
        let inputs = std::iter::once(path).chain(predictions).chain(truth);
        let inputs: Vec<_> = inputs.map(PathBuf::as_path).collect();
        refuse_overwriting("--out", &self.out, &inputs, "the recalibrated model")?;
        let model = read_model(path)?;
        let observed = self.outcomes.read(&model)?;
        let mut rows = self.outcomes.rows(&model, observed, Every::Rows(1))?;
        let most = self.last.and_then(|last| usize::try_from(last).ok()).unwrap_or(usize::MAX);
        rows.drain(..rows.len().saturating_sub(most));
        prepare(&self.out)?;
        let bounds = model.about.bounds;
        let all: Vec<IntervalOutcome> = rows.iter().map(|row| row.interval).collect();
        let by = Recalibration::from_outcomes(&all, bounds, self.half_life)
            .map_err(|why| self.refuse(why, rows.len()))?;
        let about = recalibrated(&model.about, &rows, by, self.half_life);
        let written = Model { about, content: model.content };
        let bytes = written.to_bytes().map_err(|error| CliError::Other(error.to_string()))?;
        write(&self.out, &bytes)?;
        say(format!(
            "{}: {}; mean and quantiles move with them",
            counted(rows.len(), "row"),
            moved(by, bounds, &all)
        ));
        let model = quoted(&self.out.to_string_lossy());
        say(format!(
            "wrote {}; these rows say nothing of its intervals, and later ones do: `uqbench predict \
             {model} new.csv --out predictions.csv`, and `uqbench watch {model} predictions.csv` when \
             their outcomes are known",
            self.out.display()
        ));
        Ok(Ending::Done)
    }

    fn refuse(&self, why: Unmoved, rows: usize) -> CliError {
        CliError::Other(match why {
            Unmoved::Few { found, expected } => {
                let weight = match self.half_life {
                    Some(_) => format!(", which weigh {}", number(found, None)),
                    None => String::new(),
                };
                let longer =
                    if self.half_life.is_some() { ", or a longer --half-life" } else { "" };
                format!(
                    "{} have outcomes{weight}; expected {expected} or more, without which no \
                     recalibrated interval of this level is finite: wait for more outcomes{longer}",
                    counted(rows, "row")
                )
            }
            Unmoved::Degenerate => format!(
                "the intervals of {} have no width, or their outcomes all lie at one place of them, \
                 so that moved intervals would have none: `uqbench audit` looks for what is wrong \
                 with the table",
                counted(rows, "row")
            ),
            other => other.to_string(),
        })
    }
}

/// What a model says of itself after this move.
fn recalibrated(
    about: &About,
    rows: &[ObservedRow],
    by: Recalibration,
    half_life: Option<f64>,
) -> About {
    let side = about.bounds.side;
    let before = about.recalibrated.clone().unwrap_or_default();
    let fingerprints = rows.iter().map(|row| fingerprint(&row.id, row.interval.outcome));
    let mut seen: Vec<u64> = before.seen.iter().copied().chain(fingerprints).collect();
    seen.sort_unstable();
    seen.dedup();
    let moved: Vec<IntervalOutcome> = rows
        .iter()
        .map(|row| {
            let ends = by.interval((row.interval.lower, row.interval.upper), side);
            IntervalOutcome { lower: ends.0, upper: ends.1, outcome: row.interval.outcome }
        })
        .collect();
    let reference =
        about.reference.clone().unwrap_or(Reference { scores: Vec::new(), features: Vec::new() });
    let promise = format!(
        "Its {} {}{MOVED}{}: later rows that are like these are covered with this probability at \
         least, and these rows do not prove it.",
        percent(about.bounds.level),
        if side == Side::Both { "intervals" } else { "bounds" },
        counted(rows.len(), "row")
    );
    let earlier = about.promises.iter().map(|promise| match promise.starts_with(EARLIER) {
        true => promise.clone(),
        false => format!("{EARLIER}{promise}"),
    });
    // A promise of an earlier recalibration is none any more.
    let earlier = earlier.filter(|promise| !promise.contains(MOVED));
    About {
        promises: std::iter::once(promise).chain(earlier).collect(),
        reference: Some(reference.of_outcomes(&moved, side, half_life, about.seed)),
        recalibrated: Some(Recalibrated { by: before.by.then(by, side), seen }),
        ..about.clone()
    }
}

/// How the intervals of these rows are moved.
fn moved(by: Recalibration, bounds: Bounds, rows: &[IntervalOutcome]) -> String {
    let to = |distance: f64, [positive, negative]: [&str; 2], unit: &str| {
        let word = if distance < 0.0 { negative } else { positive };
        format!("{word} by {}{unit}", number(distance.abs(), None))
    };
    let (down, up) = (["down", "up"], ["up", "down"]);
    match bounds.side {
        Side::Lower => format!("lower bounds move {}", to(by.lower, down, "")),
        Side::Upper => format!("upper bounds move {}", to(by.upper, up, "")),
        Side::Both => {
            let up_by =
                |row: &IntervalOutcome| 0.5 * (by.upper - by.lower) * (row.upper - row.lower);
            let all: Vec<f64> = rows.iter().map(up_by).filter(|by| by.is_finite()).collect();
            let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
            format!(
                "lower ends move {} and upper ends {}, so that intervals are {} times as wide and \
                 their middles move {} on average",
                to(by.lower, down, " of the width"),
                to(by.upper, up, " of the width"),
                number(by.stretch(Side::Both), None),
                to(mean, up, "")
            )
        }
    }
}

/// A number of rows above 0.
fn half_life(text: &str) -> Result<f64, String> {
    let rows = text.parse::<f64>().ok().filter(|rows| rows.is_finite() && *rows > 0.0);
    rows.ok_or_else(|| format!("found \"{text}\", expected a number of rows above 0"))
}
