//! Judge that the contrast's test column has the lower sum of terms.

use std::collections::BTreeMap;

use super::comparisons::{Family, count_lower, count_printed};
use super::kind::{Finding, JudgeClaim, Printed};
use super::note::Order;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uq_core::stats::paired::paired;
use uqbench_run::benchmark::claims::{Lower, Term};
use uqbench_run::benchmark::{Benchmark, Published};

/// The comparisons of a claim, (lower, higher), for main readings of the paper only.
fn compared<'a>(claim: &Lower, results: &'a Results) -> Vec<(Series<'a>, Series<'a>)> {
    let Some(contrast) = &results.plan.benchmark.contrast else { return Vec::new() };
    let pairs = results.pairs(contrast).into_iter();
    let selected = pairs.filter(|(test, _)| test.variant().is_none() && claim.selects(test.column));
    selected
        .map(|(test, reference)| if claim.reversed { (reference, test) } else { (test, reference) })
        .collect()
}

impl JudgeClaim for Lower {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        compared(self, results).into_iter().flat_map(|(low, high)| [low, high]).collect()
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let mut family = Family::default();
        for (low, high) in compared(self, &evidence.results) {
            let differences = paired(&summed(&self.terms, &low), &summed(&self.terms, &high));
            family.push_runs([Some(&low), Some(&high)], differences, false);
        }
        Ok(count_lower(&family, self.quantifier, Order::Lower).into())
    }

    /// Compares every pair of printed cells of the contrast.
    fn printed(&self, benchmark: &Benchmark) -> Option<Printed> {
        let Self { terms, labels, reversed, quantifier, .. } = self;
        let contrast = benchmark.contrast.as_ref()?;
        let tables = printed_tables(terms, benchmark)?;
        let (first, name) = tables.first()?;
        let tests = first.cells.iter().filter(|cell| {
            cell.metric == *name
                && cell.labels.get(&contrast.label) == Some(&contrast.test)
                && labels
                    .iter()
                    .all(|(k, allowed)| cell.labels.get(k).is_some_and(|v| allowed.contains(v)))
        });
        let differences: Vec<f64> = tests
            .filter_map(|cell| {
                let mut reference = cell.labels.clone();
                reference.insert(contrast.label.clone(), contrast.reference.clone());
                let sum = |labels: &BTreeMap<String, String>| -> Option<f64> {
                    let printed = |((table, name), term): (&(Published, String), &Term)| {
                        let v = table.cell(&cell.dataset, name, labels)?.number()?;
                        Some(if term.log { v.ln() } else { v })
                    };
                    tables.iter().zip(terms).map(printed).sum()
                };
                let difference = sum(&cell.labels)? - sum(&reference)?;
                Some(if *reversed { -difference } else { difference })
            })
            .collect();
        (!differences.is_empty())
            .then(|| count_printed(&differences.into(), *quantifier, Order::Lower))
    }
}

/// The summed terms of a column, per repetition.
fn summed(terms: &[Term], series: &Series) -> Vec<Option<f64>> {
    let mut total = vec![Some(0.0); series.expected()];
    for term in terms {
        for (sum, value) in total.iter_mut().zip(series.values(&term.metric)) {
            let value = value.map(|v| if term.log { v.ln() } else { v });
            *sum = sum.zip(value).map(|(a, b)| a + b);
        }
    }
    total
}

/// For each term, the printed table that holds its metric, and the metric's name there.
fn printed_tables(terms: &[Term], benchmark: &Benchmark) -> Option<Vec<(Published, String)>> {
    let of_term = |term: &Term| {
        let elsewhere = match &term.published_in {
            Some(id) => Some(benchmark.find_beside(id).ok()?),
            None => None,
        };
        let source = elsewhere.as_ref().unwrap_or(benchmark);
        let name = source.metrics.iter().find(|row| row.id == term.metric)?.published.clone()?;
        Some((source.printed.clone(), name))
    };
    terms.iter().map(of_term).collect()
}
