//! Read what stores have of a board.

use rayon::ThreadPool;

use crate::cli::CliError;
use uqbench_judge::evidence::efforts::{Effort, efforts};
use uqbench_judge::evidence::field::Field;
use uqbench_judge::evidence::results::Results;
use uqbench_run::runner::plan::Plan;
use uqbench_run::runner::store::Store;

/// What a store has of a board.
pub struct Stored {
    /// All scores.
    pub field: Field,
    /// What the trials of each entrant took.
    pub efforts: Vec<Effort>,
}

impl Stored {
    /// Reads a plan from one store, and what that does not have from the next.
    ///
    /// # Errors
    /// [`CliError`] for a store that cannot be read.
    pub fn read(plan: &Plan, stores: &[Store], pool: &ThreadPool) -> Result<Self, CliError> {
        let metrics: Vec<_> = plan.benchmark.metrics.iter().map(|row| row.id).collect();
        let mut found: Option<(Results, Vec<Effort>)> = None;
        for store in stores {
            let results = Results::collect(plan, &metrics, store, pool)?;
            let efforts = efforts(&results, store, pool)?;
            match &mut found {
                None => found = Some((results, efforts)),
                Some((all, all_efforts)) => {
                    all.fill(results);
                    let unrun = all_efforts.iter_mut().zip(efforts);
                    unrun.filter(|(of, _)| of.ended() == 0).for_each(|(of, other)| *of = other);
                }
            }
        }
        let (results, efforts) = found.unzip();
        let field = results.map(|results| Field::gather(std::slice::from_ref(&results), &metrics));
        Ok(Self { field: field.unwrap_or_default(), efforts: efforts.unwrap_or_default() })
    }
}
