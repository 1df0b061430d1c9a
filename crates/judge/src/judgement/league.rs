//! Judge a board of the league: rank its entrants by their skill over its datasets, and say how
//! sure each rank is.
//!
//! A loss is divided by that of a reference which ignores the features, dataset by dataset, because
//! losses have no common unit (`ratios`). Skill is 1 less the geometric mean of these ratios.
//! Models and systems are tables of their own. Entries that somebody brought stand beside the
//! others without a rank. What ran again on splits of its own ([`judge_rerun`]) is on no common
//! scale with them, and is shown by itself. Start with [`judge`] and [`Standing`]; [`lost_skill`]
//! compares two boards that differ in how their rows are divided.

mod against;
mod besides;
mod division;
mod kinds;
mod ratios;
mod rerun;
mod stability;
mod table;
#[cfg(test)]
mod tests;

pub use against::Against;
pub use besides::{Besides, Coverage, WorstCoverage};
pub use division::{DatasetLoss, Division, EntrantLoss, SkillLoss, Skills, lost_skill};
pub use kinds::{Kind, MANY_ROWS, OfKind, PREDICTABLE, kinds};
pub use rerun::{OnDataset, Rerun, judge_rerun};
pub use stability::Stability;
pub use table::{Rank, Standing, Sure, Table, Unranked, WhyUnranked};

use thiserror::Error;

use self::ratios::Ratios;
use self::table::Judge;
use crate::evidence::brought::{Brought, EntrantKind};
use crate::evidence::efforts::Effort;
use crate::evidence::field::{Block, Field, Score};
use uq_methods::anchors::ANCHORS;
use uqbench_run::benchmark::{Benchmark, League};

/// Fewest sources of datasets of which an interval of the skill is stated: those of fewer say too
/// little of any other dataset.
pub const FEWEST_SOURCES: usize = 10;

/// A judged board.
pub struct Board<'a> {
    /// All scores of its entrants.
    pub field: &'a Field,
    /// Its benchmark file.
    pub benchmark: &'a Benchmark,
    /// What that says of the board.
    pub league: &'a League,
    /// Index of the reference.
    pub reference: usize,
    /// The datasets that count.
    pub datasets: Vec<Counted<'a>>,
    /// Those that do not yet.
    pub uncounted: Vec<Uncounted<'a>>,
    /// The models, then the systems.
    pub tables: Vec<Table>,
    /// What the trials of each entrant took on each dataset.
    pub efforts: &'a [Effort],
}

/// A dataset that counts.
pub struct Counted<'a> {
    /// Its scores.
    pub block: &'a Block,
    /// Its source.
    pub source: &'a str,
    /// Number of splits that the reference has.
    pub splits: usize,
    /// Mean loss of the reference.
    pub reference_loss: f64,
    /// The median over all pairs of a table's entrants of the smallest difference that its splits
    /// could find, as a share of the reference's loss: models, then systems.
    pub detectable: Vec<Option<f64>>,
}

/// A dataset that does not count.
pub struct Uncounted<'a> {
    /// Its heading.
    pub heading: &'a str,
    /// Why.
    pub why: WhyUncounted,
}

/// Why a dataset does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyUncounted {
    /// The reference has no finished trial.
    NoReference,
    /// The reference's loss is zero.
    PerfectReference,
    /// Fewer than half of the entrants have a trial: it has only begun.
    Begun,
    /// It has the numbers of another dataset.
    Same,
}

/// Why there is nothing to judge.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoBoard {
    /// A benchmark is no board.
    #[error("`{0}` is no board of the league: its file has no key `league`")]
    NotABoard(String),
    /// There is no trial of the reference.
    #[error("{board} has no finished trial of its reference")]
    NoTrial {
        /// The board's benchmark.
        board: String,
    },
}

impl Board<'_> {
    /// Number of sources of the datasets that count.
    pub fn sources(&self) -> usize {
        let mut all: Vec<&str> = self.datasets.iter().map(|dataset| dataset.source).collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    }

    /// Number of trials of its plan that have ended, and of all of them.
    pub fn trials(&self) -> (usize, usize) {
        let sum = |of: fn(&Effort) -> usize| self.efforts.iter().map(of).sum();
        (sum(Effort::ended), sum(|effort| effort.planned))
    }

    /// The table of this kind.
    pub fn table(&self, kind: EntrantKind) -> Option<&Table> {
        self.tables.iter().find(|table| table.kind == kind)
    }
}

/// Judges a board. `field` has the scores by the metrics of the benchmark, in its order, of its own
/// methods and then of the `brought` entries.
///
/// # Errors
/// [`NoBoard`] for a benchmark that is no board, and where no dataset has a trial of the reference.
pub fn judge<'a>(
    field: &'a Field,
    benchmark: &'a Benchmark,
    brought: &'a [Brought],
    efforts: &'a [Effort],
) -> Result<Board<'a>, NoBoard> {
    let not_a_board = || NoBoard::NotABoard(benchmark.id.clone());
    let no_trial = || NoBoard::NoTrial { board: benchmark.id.clone() };
    let league = benchmark.league.as_ref().ok_or_else(not_a_board)?;
    let metric = field.metrics.iter().position(|metric| *metric == league.loss);
    let metric = metric.ok_or_else(not_a_board)?;
    let reference = position(field, benchmark, &league.reference).ok_or_else(no_trial)?;
    let (counted, uncounted) = divide(field, metric, reference);
    if counted.is_empty() {
        return Err(no_trial());
    }
    let ratios = Ratios::new(&counted, metric, reference, league);
    let datasets = counted.iter().enumerate().map(|(at, block)| Counted {
        block,
        source: league.source(&block.key),
        splits: ratios.reference(at).iter().flatten().count(),
        reference_loss: ratios.reference_loss(at),
        detectable: Vec::new(),
    });
    let mut board = Board {
        field,
        benchmark,
        league,
        reference,
        datasets: datasets.collect(),
        uncounted,
        tables: Vec::new(),
        efforts,
    };
    let log_reference = league.log_reference.as_ref();
    let judge = Judge {
        ratios: &ratios,
        counted: Field {
            blocks: counted.into_iter().cloned().collect(),
            notes: Vec::new(),
            ..field.clone()
        },
        metric,
        reference,
        log_reference: log_reference.and_then(|name| position(field, benchmark, name)),
        brought,
        efforts,
    };
    for kind in [EntrantKind::Model, EntrantKind::System] {
        let of_kind = |at: &usize| kind_of(field, benchmark, *at) == kind;
        let entrants: Vec<usize> = (0..field.entrants.len()).filter(of_kind).collect();
        let (table, detectable) = judge.table(kind, &entrants);
        board.tables.push(table);
        for (dataset, found) in board.datasets.iter_mut().zip(detectable) {
            dataset.detectable.push(found);
        }
    }
    Ok(board)
}

/// Index of the entrant whose column has this label `method`.
fn position(field: &Field, benchmark: &Benchmark, name: &str) -> Option<usize> {
    let named = |labels: &std::collections::BTreeMap<String, String>| {
        labels.get("method").is_some_and(|method| method == name)
    };
    let own = benchmark.columns().find(|column| named(&column.labels));
    let anchor = || ANCHORS.iter().find(|(id, _)| *id == name).map(|(_, heading)| *heading);
    let heading = own.map(|column| column.heading.as_str()).or_else(anchor)?;
    field
        .entrants
        .iter()
        .position(|entrant| entrant.brought.is_none() && entrant.heading == heading)
}

/// What an entrant is: what its card or its column says. Anchors are models.
fn kind_of(field: &Field, benchmark: &Benchmark, entrant: usize) -> EntrantKind {
    let entrant = &field.entrants[entrant];
    let column = || benchmark.columns().find(|column| column.heading == entrant.heading);
    entrant.brought.unwrap_or_else(|| match column().is_some_and(|column| column.is_system()) {
        true => EntrantKind::System,
        false => EntrantKind::Model,
    })
}

/// The datasets that count, and the others: where the reference has a loss above zero, and at least
/// half of the entrants that this program runs have a trial.
fn divide<'a>(
    field: &'a Field,
    metric: usize,
    reference: usize,
) -> (Vec<&'a Block>, Vec<Uncounted<'a>>) {
    let own: Vec<usize> =
        (0..field.entrants.len()).filter(|&at| field.entrants[at].brought.is_none()).collect();
    let (mut counted, mut uncounted) = (Vec::new(), Vec::new());
    for block in &field.blocks {
        let scores = block.scores(metric);
        let of = |at: usize| scores.get(at).map_or(&[][..], Vec::as_slice);
        let has_trial = |at: &&usize| of(**at).iter().any(|score| *score != Score::Absent);
        let losses: Vec<f64> = of(reference)
            .iter()
            .filter_map(|score| match score {
                Score::Given(loss) if loss.is_finite() => Some(*loss),
                _ => None,
            })
            .collect();
        let why = if block.same_as.is_some() {
            Some(WhyUncounted::Same)
        } else if losses.is_empty() {
            Some(WhyUncounted::NoReference)
        } else if losses.iter().sum::<f64>() <= 0.0 {
            Some(WhyUncounted::PerfectReference)
        } else if 2 * own.iter().filter(has_trial).count() < own.len() {
            Some(WhyUncounted::Begun)
        } else {
            None
        };
        match why {
            None => counted.push(block),
            Some(why) => uncounted.push(Uncounted { heading: &block.heading, why }),
        }
    }
    (counted, uncounted)
}
