//! `uqbench league add`: check predictions that were made elsewhere, score them, and keep them as
//! an entry of a board.

use std::path::{Path, PathBuf};

use clap::Args;

use super::entries::list;
use super::{find_board, is_called};
use crate::cli::room::prepare_folder;
use crate::cli::sources::SourceArgs;
use crate::cli::{CliError, Ending, print, print_markdown};
use uq_core::metrics::{Crps, MetricId};
use uqbench_data::number_file::{read_bytes, shown};
use uqbench_judge::evidence::brought::{
    Refusal, Refusals, SplitScores, Submission, find_needed, limits, read_submission,
};
use uqbench_judge::evidence::field::Score;
use uqbench_report::grid::listed;
use uqbench_run::benchmark::Benchmark;
use uqbench_run::league::entry::{NewEntry, Record, Stored, Tier, key, write_entry};
use uqbench_run::league::{Board, Card, LARGEST_CARD};
use uqbench_system::named_file::read_named_text;
use uqbench_system::notice::say;
use uqbench_system::program::Program;
use uqbench_system::{Disk, Patient, carried};

/// Check predictions of a board and their card, score them, and keep them as an entry.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  uqbench league add predictions.parquet card.toml\n  \
    uqbench league add predictions.csv card.toml --into entries --mirror /srv/uq-data\n\n\
    docs/do/league.md describes the file and the card.")]
pub struct Add {
    /// Parquet or CSV: a row for each test row of each split, with `dataset`, `split`, `row` and
    /// the columns of one form.
    #[arg(value_name = "PREDICTIONS")]
    predictions: PathBuf,
    /// The filled card, as `league init` writes it.
    #[arg(value_name = "CARD")]
    card: PathBuf,
    /// Folder of entries: each gets a folder of its own in that of its board, and none is ever
    /// changed.
    #[arg(long, value_name = "DIR", default_value = "uqbench-league")]
    into: PathBuf,
    /// The board, where it is that of a benchmark file [default: the board that the card names].
    #[arg(long, value_name = "BOARD")]
    board: Option<String>,
    #[command(flatten)]
    sources: SourceArgs,
}

impl Add {
    /// Checks, scores and writes the entry, and prints its skill.
    pub fn run(&self) -> Result<Ending, CliError> {
        let mut card = self.read_card()?;
        let benchmark = find_board(self.board.as_ref().unwrap_or(&card.board))?;
        let board = Board::new(&benchmark)?;
        if is_called(&benchmark, &card.board) {
            card.board = board.id.clone();
        }
        let bytes = read_bytes(&self.predictions, &limits(&board))?;
        let name = shown(&self.predictions);
        let needed = find_needed(&name, &bytes, &card, &board);
        let board = board.keep(&needed.map_err(|refusals| self.refused(&refusals))?);
        let library = self.sources.open_library();
        let truths = board.truths(&library)?;
        let submission = read_submission(&name, &bytes, &card, &board, &truths);
        let submission = submission.map_err(|refusals| self.refused(&refusals))?;
        drop(bytes);
        let hash = submission.predictions.sha256();
        let key = key(&card, &hash);
        let disk = Patient::machine();
        let into = self.into.join(&board.id);
        if let Some(folder) = self.compare(&disk, &into, &card, &key, &hash)? {
            print(&format!("{} is there already\n", folder.display()))?;
            return Ok(Ending::Done);
        }
        let refusals = submission.check(&board, &truths);
        if !refusals.is_empty() {
            return Err(self.refused(&Refusals(refusals)));
        }
        let metrics: Vec<MetricId> = benchmark.metrics.iter().map(|row| row.id).collect();
        let scores = submission.scores(&card, &board, &truths, &metrics);
        let table = skill_table(&benchmark, &board, &scores, &metrics, |loss| {
            Ok(board.reference_scores(&library, loss)?)
        })?;
        prepare_folder(&into)?;
        let folder =
            self.write(&disk, &into, &card, &submission, &scores, (&key, &hash, &metrics))?;
        for note in &submission.notes {
            say(format!("note: {name}: {note}"));
        }
        print_markdown(&table.text)?;
        if !table.worse.is_empty() {
            say(format!(
                "note: {name}: on {} the predictions are worse than those of the predictor that \
                 ignores the features: check their unit, the order of the rows and the levels of \
                 quantiles",
                listed(&table.worse.iter().map(String::as_str).collect::<Vec<_>>())
            ));
        }
        print(&format!("\n{}\n", self.advice(&card, &folder)))?;
        Ok(Ending::Done)
    }

    /// Where the entry is, and the command that shows it among the others.
    fn advice(&self, card: &Card, folder: &Path) -> String {
        let stands = match card.part {
            true => "It has a part of the board alone, and is listed there as unranked.",
            false => "It is claimed: the board shows it by its skill, without a rank.",
        };
        let board = self.board.as_ref().unwrap_or(&card.board);
        let (from, meaning) = match carried::bytes(&format!("reports/packs/{}.pack", card.board)) {
            Some(_) => ("", ""),
            None => (" --from TRIALS", "; TRIALS is a store or a pack with the board's trials"),
        };
        format!(
            "wrote {}; {} has every score. {stands} `uqbench league {board} --entries {}{from}` \
             shows the board{meaning}",
            folder.display(),
            folder.join("scores.csv").display(),
            self.into.display()
        )
    }

    fn read_card(&self) -> Result<Card, CliError> {
        let wrong = |why: String| CliError::Other(format!("{}: {why}", shown(&self.card)));
        let text = read_named_text(&self.card, LARGEST_CARD)
            .map_err(|error| wrong(format!("it cannot be read: {error}")))?;
        Card::parse(&text).map_err(|error| wrong(error.to_string()))
    }

    fn refused(&self, refusals: &Refusals) -> CliError {
        CliError::Other(format!("{} is refused: {refusals}", shown(&self.predictions)))
    }

    /// Compares a new entry with those that are there: the folder of the same one, if it is among
    /// them.
    fn compare(
        &self,
        disk: &dyn Disk,
        into: &Path,
        card: &Card,
        key: &str,
        predictions: &str,
    ) -> Result<Option<PathBuf>, CliError> {
        let found = list(disk, into, Tier::Claimed)?;
        let mut refusals = Vec::new();
        for folder in found {
            let stored = match Stored::open(disk, &folder) {
                Ok(stored) => stored,
                Err(why) => {
                    say(format!("warning: {} is left out: {why}", folder.display()));
                    continue;
                }
            };
            if stored.record.key == key {
                return Ok(Some(folder));
            }
            let heading = stored.card.heading();
            if stored.record.predictions == predictions {
                refusals.push(Refusal::SameAs { heading });
            } else if heading == card.heading() {
                refusals.push(Refusal::Taken { heading });
            }
        }
        if refusals.is_empty() { Ok(None) } else { Err(self.refused(&Refusals(refusals))) }
    }

    fn write(
        &self,
        disk: &dyn Disk,
        into: &Path,
        card: &Card,
        submission: &Submission,
        scores: &[SplitScores],
        (key, predictions_sha256, metrics): (&str, &str, &[MetricId]),
    ) -> Result<PathBuf, CliError> {
        let predictions = &submission.predictions;
        let record = Record {
            format: 0,
            key: key.into(),
            predictions: predictions_sha256.into(),
            board: card.board.clone(),
            program: Program::this().to_string(),
            form: submission.form.to_string(),
            rows: predictions.parts.iter().map(|part| part.rows).sum(),
            splits: predictions.parts.len(),
            failed: card.failed.len(),
            part: card.part,
            findings: submission.notes.clone(),
            files: Default::default(),
        };
        let failed = |why: String| {
            CliError::Other(format!("no entry can be written into {}: {why}", into.display()))
        };
        let entry = NewEntry {
            card,
            predictions: predictions.to_parquet().map_err(failed)?,
            scores: csv(scores, metrics),
            record,
        };
        write_entry(disk, into, entry).map_err(|error| failed(error.to_string()))
    }
}

/// Every score as text between commas.
fn csv(all: &[SplitScores], metrics: &[MetricId]) -> String {
    let mut text = String::from("dataset,split,metric,score\n");
    for SplitScores { dataset, split, scores } in all {
        for (metric, score) in metrics.iter().zip(scores) {
            let score = match score {
                Score::Given(score) => score.to_string(),
                Score::Undefined => String::new(),
                Score::Failed => "failed".into(),
                Score::Absent => "absent".into(),
            };
            text += &format!("{dataset},{split},{metric},{score}\n");
        }
    }
    text
}

/// The skill by dataset.
struct Skills {
    /// The table.
    text: String,
    /// Headings of the datasets on which it is below 0.
    worse: Vec<String>,
}

/// The skill by dataset: one minus the mean loss, divided by that of the predictor that ignores the
/// features, which stands in where a split has failed.
fn skill_table(
    benchmark: &Benchmark,
    board: &Board,
    scores: &[SplitScores],
    metrics: &[MetricId],
    reference: impl Fn(&MetricId) -> Result<Vec<Vec<Option<f64>>>, CliError>,
) -> Result<Skills, CliError> {
    let loss = benchmark.league.as_ref().map_or(MetricId::Crps(Crps), |league| league.loss);
    let place = metrics.iter().position(|metric| *metric == loss);
    let references = reference(&loss)?;
    let mut worse = Vec::new();
    let mut text = format!(
        "| Dataset | Splits | {label} | {label} of the reference | Skill |\n| --- | --: | --: | --: \
         | --: |\n",
        label = loss.label()
    );
    for (dataset, references) in board.datasets.iter().zip(references) {
        let of_dataset: Vec<&SplitScores> =
            scores.iter().filter(|one| one.dataset == dataset.key).collect();
        if of_dataset.is_empty() {
            continue;
        }
        let reference = |one: &SplitScores| references.get(one.split as usize).copied().flatten();
        let own = |one: &&&SplitScores| match place.and_then(|place| one.scores.get(place)) {
            Some(Score::Given(score)) => Some(*score),
            Some(Score::Failed) => reference(one),
            _ => None,
        };
        let mean = |all: Option<Vec<f64>>| {
            all.map(|all| all.iter().sum::<f64>() / all.len().max(1) as f64)
        };
        let own = mean(of_dataset.iter().map(|one| own(&one)).collect());
        let reference = mean(of_dataset.iter().map(|one| reference(one)).collect());
        let skill = own.zip(reference).map(|(own, reference)| 1.0 - own / reference);
        worse.extend(skill.filter(|skill| *skill < 0.0).map(|_| dataset.heading.clone()));
        let [own, reference] = [own, reference].map(|number| shown_number(number, 4));
        text += &format!(
            "| {} | {} | {own} | {reference} | {} |\n",
            dataset.heading,
            of_dataset.len(),
            shown_number(skill, 3)
        );
    }
    Ok(Skills { text, worse })
}

/// A number with some decimals, or a dash.
fn shown_number(number: Option<f64>, decimals: usize) -> String {
    number.map_or_else(|| "–".into(), |number| format!("{number:.decimals$}"))
}
