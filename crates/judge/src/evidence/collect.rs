//! Collect all evidence on a benchmark once, before it is judged.

use rayon::ThreadPool;

use super::diagnostics::{self, FitDiagnostics};
use super::reach::{self, Reach};
use super::results::{End, Results};
use super::searches::{self, Choice, SEARCHES};
use super::trials::EvidenceError;
use super::unconverged::Unconverged;
use uq_methods::side_tables::{Converged, Crossings, LearnedNoise};
use uqbench_run::benchmark::Published;
use uqbench_run::runner::plan::Plan;
use uqbench_run::runner::record::Beside;
use uqbench_run::runner::store::Store;

/// All evidence on one benchmark.
pub struct Evidence<'a> {
    /// The store of predictions and side tables.
    pub store: &'a Store,
    /// Scores of every trial of the plan.
    pub results: Results<'a>,
    /// The paper's numbers.
    pub published: &'a Published,
    /// Side tables of fits.
    pub diagnostics: Vec<FitDiagnostics>,
    /// The settings that searches inside the training rows chose.
    pub choices: Vec<Choice>,
    /// Number of fits that had not converged.
    pub unconverged: Unconverged,
    /// The coverage of constant intervals, one entry for each excluded number of the benchmark.
    pub reaches: Vec<Option<Reach>>,
    /// What ran beside each finished trial, for a benchmark that scores time or memory; `None`
    /// where a trial has no record of it.
    pub beside: Vec<Option<Beside>>,
}

impl<'a> Evidence<'a> {
    /// Reads the evidence on a plan from the store.
    ///
    /// # Errors
    /// [`EvidenceError`] where the store or the file of printed numbers cannot be read.
    pub fn collect(
        plan: &'a Plan,
        store: &'a Store,
        pool: &ThreadPool,
    ) -> Result<Self, EvidenceError> {
        let benchmark = &plan.benchmark;
        let metrics: Vec<_> =
            benchmark.all_metrics().into_iter().chain(reach::metrics(benchmark)).collect();
        let results = Results::collect(plan, &metrics, store, pool)?;
        let names = [
            SEARCHES.as_slice(),
            &Converged::TABLES,
            &LearnedNoise::TABLES,
            &[Crossings::PREDICTED],
        ]
        .concat();
        let diagnostics = pool.install(|| diagnostics::collect(&results, &names, store))?;
        let reaches = reach::reaches(&results, &benchmark.printed, store)?;
        Ok(Self {
            choices: searches::choices(&diagnostics),
            unconverged: Unconverged::of(&diagnostics),
            beside: beside(&results, store)?,
            store,
            results,
            published: &benchmark.printed,
            diagnostics,
            reaches,
        })
    }
}

/// What ran beside each finished trial, for a benchmark that scores time or memory.
fn beside(results: &Results, store: &Store) -> Result<Vec<Option<Beside>>, EvidenceError> {
    let ends = results.experiments.iter().flat_map(|repetitions| &repetitions.ends);
    let mut noted = Vec::new();
    for end in ends.filter(|_| results.plan.scores_costs()) {
        if let End::Finished { result, .. } = end {
            let provenance =
                store.readable(&result.key, store.provenance(&result.key))?.ok().flatten();
            noted.push(provenance.and_then(|provenance| provenance.beside));
        }
    }
    Ok(noted)
}
