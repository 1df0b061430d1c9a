//! Write the scorecard: every printed number and every claim in one row with its verdict.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::grid::Grid;
use crate::words::explain::explain;
use crate::words::remarks;
use uq_core::stats::digits::compared;
use uqbench_judge::judgement::claims::Judged;
use uqbench_judge::judgement::shipped::Share;
use uqbench_judge::judgement::{ClaimLine, NumberLine, Scorecard, Verdict};
use uqbench_run::benchmark::{ProtocolSource, label_text};
use uqbench_run::runner::plan::Plan;

/// One row of the scorecard: a printed number, or a claim.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Key of the paper.
    pub paper: String,
    /// What the paper calls the table or figure.
    pub artefact: String,
    /// Name of the claim; empty for a number.
    pub claim: String,
    /// The dataset.
    pub dataset: String,
    /// The column.
    pub method: String,
    /// Why this is not the main reading of the paper, if it is not.
    pub variant: String,
    /// The metric.
    pub metric: String,
    /// The printed number, or the judgement of the claim on the paper's own printed numbers.
    pub published: String,
    /// The printed spread.
    pub published_spread: String,
    /// What the printed spread is.
    pub spread_kind: String,
    /// The paper's number of repetitions.
    pub n_published: Option<u64>,
    /// Our mean.
    pub ours_mean: Option<f64>,
    /// Our standard deviation over repetitions.
    pub ours_sd: Option<f64>,
    /// Our number of repetitions.
    pub n: usize,
    /// Half width of the interval of the difference.
    pub half_width: Option<f64>,
    /// Tolerance.
    pub tolerance: Option<f64>,
    /// The verdict.
    pub verdict: Ruling,
    /// Whether the protocol is printed or inferred.
    pub protocol: String,
    /// How many other readings of the protocol were tried.
    pub alternatives: usize,
    /// Whether test results were seen in choosing the protocol.
    pub test_results_seen: bool,
    /// The profile.
    pub profile: String,
    /// Why it has the verdict, in a sentence or two; empty for a claim. Files do not have it.
    pub why: String,
    /// All remarks.
    pub note: String,
    /// Key of the first finished trial behind it; empty where none is finished.
    pub first_trial: String,
    /// How much of the shipped run behind a number this run has, too. Files do not have it.
    pub share: Share,
}

/// What a row decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ruling {
    /// On a printed number.
    Number(Verdict),
    /// On a claim.
    Claim(Judged),
}

impl Default for Ruling {
    fn default() -> Self {
        Self::Claim(Judged::Undecided)
    }
}

impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(verdict) => verdict.fmt(f),
            Self::Claim(judged) => f.write_str(judged.as_str()),
        }
    }
}

impl Ruling {
    /// The verdict on a printed number.
    pub fn number(&self) -> Option<&Verdict> {
        match self {
            Self::Number(verdict) => Some(verdict),
            Self::Claim(_) => None,
        }
    }

    /// The judgement on a claim.
    pub fn claim(&self) -> Option<Judged> {
        match self {
            Self::Number(_) => None,
            Self::Claim(judged) => Some(*judged),
        }
    }

    /// Whether this is the verdict on the printed number.
    pub fn is(&self, verdict: &Verdict) -> bool {
        self.number() == Some(verdict)
    }
}

/// The rows of a benchmark's scorecard: printed numbers, then claims.
pub fn rows(card: &Scorecard) -> Vec<Row> {
    let numbers = card.numbers.iter().map(|line| number(card.plan, line));
    numbers
        .map(|row| with_share(card, row))
        .chain(card.claims.iter().map(|line| claim(card.plan, line)))
        .collect()
}

/// A row with how much of the shipped run behind it this run has, too.
fn with_share(card: &Scorecard, row: Row) -> Row {
    Row { share: card.shares.of(&row.dataset, &row.method, &row.variant), ..row }
}

/// A row with what all rows of a benchmark share.
fn frame(plan: &Plan) -> Row {
    let benchmark = &plan.benchmark;
    let protocol = match benchmark.protocol_source {
        ProtocolSource::Printed => "printed",
        ProtocolSource::Program => "program",
        ProtocolSource::Inferred => "inferred",
        ProtocolSource::Own => "own",
    };
    Row {
        paper: benchmark.paper.clone(),
        artefact: benchmark.artefact.clone(),
        protocol: protocol.into(),
        alternatives: benchmark.provenance.alternatives.len(),
        test_results_seen: benchmark.provenance.test_results_seen,
        profile: plan.profile.as_str().into(),
        ..Row::default()
    }
}

fn number(plan: &Plan, line: &NumberLine) -> Row {
    let cell = &line.printed;
    let (dataset, labels) = match line.column.map(|id| plan.column(id)) {
        Some((dataset, _, column)) => (dataset.key.as_str(), &column.labels),
        // What this profile does not run has the names that a profile gives it which does.
        None => (key_of(plan, &cell.dataset), &cell.labels),
    };
    Row {
        dataset: dataset.into(),
        method: label_text(labels),
        variant: line.variant(plan).unwrap_or_default().into(),
        metric: line.metric.id.to_string(),
        published: cell.value.clone(),
        published_spread: cell.spread.clone().unwrap_or_default(),
        spread_kind: cell.spread_kind.as_str().into(),
        n_published: cell.count,
        ours_mean: line.own.map(|own| own.mean),
        ours_sd: line.own.and_then(|own| own.sd),
        n: line.own.map_or(0, |own| own.n),
        half_width: line.judgement.and_then(|judgement| judgement.half_width),
        tolerance: line.judgement.map(|judgement| judgement.tolerance),
        verdict: Ruling::Number(line.verdict.clone()),
        why: explain(line),
        note: remarks::text(&line.remarks),
        first_trial: line.first_trial.as_ref().map(ToString::to_string).unwrap_or_default(),
        ..frame(plan)
    }
}

/// The key of the main dataset that is printed by this name; the name, where there is none.
fn key_of<'a>(plan: &'a Plan, printed: &'a str) -> &'a str {
    let mut main = plan.benchmark.datasets.iter().filter(|row| row.variant.is_none());
    main.find(|row| row.printed_name() == printed).map_or(printed, |row| row.key.as_str())
}

fn claim(plan: &Plan, line: &ClaimLine) -> Row {
    let metrics = line.claim.statement.kind().metrics();
    Row {
        claim: line.claim.id.clone(),
        metric: metrics.iter().map(ToString::to_string).collect::<Vec<_>>().join(" + "),
        published: line.result.printed.as_str().into(),
        spread_kind: "none".into(),
        n: line.result.n,
        verdict: Ruling::Claim(line.result.own),
        note: remarks::of_claim(line),
        first_trial: line.first_trial.as_ref().map(ToString::to_string).unwrap_or_default(),
        ..frame(plan)
    }
}

/// A flag in words.
pub fn yes_or_no(flag: bool) -> &'static str {
    if flag { "yes" } else { "no" }
}

/// The scorecard of all benchmarks as one table.
pub fn grid(rows: &[Row]) -> Grid {
    let digits = |value: Option<f64>| value.map(compared).unwrap_or_default();
    let mut grid = Grid::new(&[
        "paper",
        "artefact",
        "claim",
        "dataset",
        "method",
        "variant",
        "metric",
        "published",
        "published_spread",
        "spread_kind",
        "#n_published",
        "#ours_mean",
        "#ours_sd",
        "#n",
        "#half_width",
        "#tolerance",
        "verdict",
        "protocol",
        "#alternatives",
        "test_results_seen",
        "profile",
        "note",
    ]);
    grid.extend(rows.iter().map(|r| {
        vec![
            r.paper.clone(),
            r.artefact.clone(),
            r.claim.clone(),
            r.dataset.clone(),
            r.method.clone(),
            r.variant.clone(),
            r.metric.clone(),
            r.published.clone(),
            r.published_spread.clone(),
            r.spread_kind.clone(),
            r.n_published.map(|n| n.to_string()).unwrap_or_default(),
            digits(r.ours_mean),
            digits(r.ours_sd),
            r.n.to_string(),
            digits(r.half_width),
            digits(r.tolerance),
            r.verdict.to_string(),
            r.protocol.clone(),
            r.alternatives.to_string(),
            yes_or_no(r.test_results_seen).into(),
            r.profile.clone(),
            r.note.clone(),
        ]
    }));
    grid
}
