//! Choose which methods of a benchmark are ranked, and what becomes of their failed repetitions.

use super::Results;
use super::field::Field;
use super::imputation::Imputation;
use uq_core::metrics::MetricId;
use uqbench_run::benchmark::Failures;

/// The methods that are ranked over the datasets of one benchmark.
#[derive(Clone, Debug)]
pub struct RankedField {
    /// All methods; they replace failed repetitions.
    pub all: Field,
    /// The ranked methods.
    pub field: Field,
    /// Headings of the methods whose runs have only begun, so that they are not ranked.
    pub begun: Vec<String>,
    /// What becomes of failed repetitions.
    pub rule: Imputation,
}

impl RankedField {
    /// By the benchmark's own rule; `None` where it states none. Methods whose runs have only begun
    /// are not ranked.
    pub fn by_rule(results: &Results) -> Option<Self> {
        let ranks = results.plan.benchmark.ranks.as_ref()?;
        let all = Field::gather(std::slice::from_ref(results), &ranks.metrics);
        let (ranked, begun) = all.by_runs();
        let field = all.only(&ranked);
        let begun = begun.into_iter().map(|at| all.entrants[at].heading.clone()).collect();
        let rule = match ranks.failures {
            Failures::Drop => Imputation::Drop,
            Failures::Worst => Imputation::Worst,
        };
        Some(Self { all, field, begun, rule })
    }

    /// Without a rule of the benchmark: the methods that ran on every dataset, by the given
    /// metrics; failed repetitions are dropped.
    pub fn on_all_datasets(results: &Results, metrics: &[MetricId]) -> Self {
        let all = Field::gather(std::slice::from_ref(results), metrics);
        // Without datasets that nobody ran on.
        let run = all.only(&(0..all.entrants.len()).collect::<Vec<_>>());
        // A method that ran on some of the datasets only would leave few datasets on which all
        // methods have a score.
        let on_all = |&entrant: &usize| {
            let own = run.only(&[entrant]);
            run.blocks.iter().all(|block| own.blocks.iter().any(|other| other.is_run_as(block)))
        };
        let field = run.only(&(0..run.entrants.len()).filter(on_all).collect::<Vec<_>>());
        Self { all, field, begun: Vec::new(), rule: Imputation::Drop }
    }
}
