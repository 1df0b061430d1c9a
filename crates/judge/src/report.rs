//! State as data what a benchmark's pages show: tables of typed cells, judged numbers and claims,
//! findings.
//!
//! Start with [`Report::collect`]: it is the only reader of a store after a run. `uqbench-report`
//! puts a [`Report`] into words and formats; another program reads it as JSON, which
//! `docs/look-up/report-format.md` describes.

mod cell;
mod checks;
mod common_splits;
mod curves;
mod decomposed;
mod degenerate;
mod excluded;
mod fits;
mod judged;
mod lacks;
mod learned;
mod not_run;
mod notable;
mod numbers;
mod optimised;
mod ranks;
mod real;
mod regions;
mod scores;
mod table;
mod tables;
mod trial;
mod trials;

pub use cell::{Cell, FirstTrial, Form, Gain, Imputed, Number, Score};
pub use degenerate::{DegenerateRows, Density};
pub use excluded::ExcludedNumber;
pub use lacks::{Lack, Lacks};
pub use not_run::NotRun;
pub use notable::{Notable, NotableTrial, Why};
pub use numbers::ColumnScore;
pub use regions::{PartEstimate, Region};
pub use table::{About, Heading, PartScore, Table};
pub use trial::{FinishedTrial, TrialEnd, TrialReport, TrialScore};
pub use trials::TrialLine;

use rayon::ThreadPool;
use serde::{Serialize, Serializer};

use crate::evidence::decomposition;
use crate::evidence::overflow::{Overflow, overflows};
use crate::evidence::ranked::RankedField;
use crate::evidence::{Evidence, EvidenceError};
use crate::figures::{NamedFigure, agreement, figures};
use crate::judgement::claims::Wording;
use crate::judgement::findings::{Finding, findings};
use crate::judgement::{Scorecard, judge};
use uqbench_run::runner::plan::Plan;
use uqbench_run::runner::store::Store;

/// The version of this form: it rises where a field is renamed, loses its meaning or goes.
pub const FORMAT: u32 = 1;

/// All that the pages of one benchmark show.
#[derive(Clone, Serialize)]
pub struct Report<'a> {
    /// The version of the form, [`FORMAT`].
    pub format: u32,
    /// The plan; JSON has its names alone.
    #[serde(rename = "benchmark", serialize_with = "names")]
    pub plan: &'a Plan,
    /// How much of it has run.
    pub coverage: Coverage,
    /// Tables in the order of the page.
    pub tables: Vec<Table>,
    /// What each figure draws.
    pub figures: Vec<NamedFigure>,
    /// Printed numbers and claims, judged.
    #[serde(serialize_with = "judged::serialize")]
    pub card: Scorecard<'a>,
    /// What a reader should know first.
    pub findings: Vec<Finding>,
    /// Printed numbers that cannot be right, or hardly can.
    pub excluded: Vec<ExcludedNumber>,
    /// Rows whose outcome leaves a log-likelihood without a finite value.
    pub degenerate: Vec<DegenerateRows>,
    /// Columns whose predictions are so large that scores overflow.
    pub overflows: Vec<Overflow>,
    /// What has not run, and why.
    pub not_run: Vec<NotRun>,
    /// Trials that a reader should look at.
    pub notable: Notable,
    /// The score of every column on every dataset by every metric.
    pub scores: Vec<ColumnScore>,
    /// Every planned trial.
    pub trials: Vec<TrialLine>,
    /// Every score of the parts of the variance.
    pub parts: Vec<PartEstimate>,
    /// The truth in every region, and what is stated there.
    pub regions: Vec<Region>,
    /// The scores by which methods are ranked over datasets; JSON has the ranks and the tests of
    /// each metric.
    #[serde(rename = "ranks", serialize_with = "ranks::serialize")]
    pub ranked: Option<RankedField>,
    /// Where numbers come from that judge nothing.
    pub hint_source: Option<String>,
    /// What could not be read, and why.
    pub lacking: Vec<Lack>,
}

/// Numbers of trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// Those that are finished.
    pub finished: usize,
    /// Those that are planned.
    pub expected: usize,
}

impl<'a> Report<'a> {
    /// Reads what the store has on a plan, judges it, and gathers what its pages show. A part whose
    /// own content cannot be read is left out and named. `wording` writes what decides a claim.
    ///
    /// # Errors
    /// [`EvidenceError`] where the store or the file of printed numbers cannot be read.
    pub fn collect(
        plan: &'a Plan,
        store: &'a Store,
        pool: &ThreadPool,
        wording: Wording,
    ) -> Result<Self, EvidenceError> {
        let evidence = Evidence::collect(plan, store, pool)?;
        let card = judge(&evidence, wording)?;
        let (results, benchmark) = (&evidence.results, &plan.benchmark);
        let mut lacks = Lacks::default();
        let columns = match benchmark.decomposition {
            true => lacks.or_none(pool.install(|| decomposition::collect(results, store)))?,
            false => Vec::new(),
        };
        let tables = tables::tables(&evidence, &card, &columns, &mut lacks)?;
        let mut drawn = Vec::new();
        for figure in pool.install(|| figures(results, store)) {
            drawn.extend(lacks.or_none(figure.map(Some))?);
        }
        // A table that has no figure of its own shows how far our numbers lie from the printed
        // ones.
        if drawn.is_empty() && lacks.is_empty() {
            drawn.extend(agreement(&card));
        }
        let notable = pool.install(|| notable::notable(results, store, &mut lacks))?;
        let degenerate = lacks.or_none(degenerate::degenerate(&evidence))?;
        let overflows = lacks.or_none(overflows(results, &benchmark.all_metrics(), store))?;
        let (finished, expected) = results.coverage();
        Ok(Self {
            format: FORMAT,
            plan,
            coverage: Coverage { finished, expected },
            tables,
            figures: drawn,
            findings: findings(&evidence, &card, &columns),
            excluded: excluded::excluded(&evidence),
            degenerate,
            overflows,
            not_run: not_run::not_run(results, &card),
            notable,
            scores: numbers::numbers(&evidence),
            trials: trials::trials(results),
            parts: regions::estimates(&columns),
            regions: regions::regions(&columns),
            ranked: RankedField::by_rule(results).filter(|ranked| ranked.field.entrants.len() >= 2),
            hint_source: evidence.published.hint_source.clone(),
            lacking: lacks.into_all(),
            card,
        })
    }
}

/// Writes the names of a plan.
fn names<S: Serializer>(plan: &&Plan, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Names<'a> {
        id: &'a str,
        paper: &'a str,
        artefact: &'a str,
        title: &'a str,
        profile: &'a str,
    }
    let benchmark = &plan.benchmark;
    Names {
        id: &benchmark.id,
        paper: &benchmark.paper,
        artefact: &benchmark.artefact,
        title: &benchmark.title,
        profile: plan.profile.as_str(),
    }
    .serialize(serializer)
}

#[cfg(test)]
mod tests;
