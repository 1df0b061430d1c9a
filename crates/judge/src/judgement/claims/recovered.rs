//! Judge that a Gaussian process recovered the hyper-functions from which its data were drawn.
//!
//! In each repetition the logarithm of a learned function is correlated (Pearson) with that of the
//! true one over the points in the fit's side table. Student's interval of the mean over
//! repetitions is compared with a bound, for each of the three functions. The correlation of a
//! learned function that is constant counts as 0.

use super::kind::{Finding, JudgeClaim};
use super::note::{Estimate, Note};
use super::outcome::Judged;
use crate::evidence::hyper_functions::hyper_curves;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uq_core::stats::Summary;
use uq_core::stats::correlation::correlation;
use uqbench_data::simulated::Simulated;
use uqbench_run::benchmark::claims::Recovered;

impl JudgeClaim for Recovered {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        results
            .series()
            .into_iter()
            .filter(|s| s.is_column(&self.labels, Some(&self.dataset)))
            .collect()
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let columns = self.columns(&evidence.results);
        let (Some(series), Some(problem)) = (columns.first(), Simulated::get(&self.dataset)) else {
            return Ok(Finding::undecided(Note::NoColumn, 0));
        };
        let mut found: Vec<(String, Vec<f64>)> = Vec::new();
        for result in series.finished() {
            for curve in hyper_curves(result, Some(problem), evidence.store)? {
                let Some(truth) = &curve.truth else { continue };
                let value = correlation(&logarithms(&curve.value), &logarithms(truth));
                match found.iter_mut().find(|(name, _)| *name == curve.name) {
                    Some((_, values)) => values.push(value),
                    None => found.push((curve.name, vec![value])),
                }
            }
        }
        Ok(judged(&found, self.bound))
    }
}

fn judged(found: &[(String, Vec<f64>)], bound: f64) -> Finding {
    let n = found.iter().map(|(_, values)| values.len()).min().unwrap_or(0);
    let summaries: Option<Vec<(String, f64, f64)>> = found
        .iter()
        .map(|(name, values)| {
            let Estimate { mean, half_width } = Summary::from_values(values)?.into();
            Some((name.clone(), mean, half_width?))
        })
        .collect();
    let Some(correlations) = summaries.filter(|all| !all.is_empty()) else {
        return Finding::undecided(Note::NoHyperFunctions, n);
    };
    let judged = match &correlations {
        all if all.iter().all(|(_, mean, h)| mean - h >= bound) => Judged::Holds,
        all if all.iter().any(|(_, mean, h)| mean + h < bound) => Judged::Fails,
        _ => Judged::Undecided,
    };
    Finding { judged, note: Note::Recovered { correlations, bound }, n }
}

fn logarithms(values: &[f64]) -> Vec<f64> {
    values.iter().map(|value| value.ln()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_must_be_recovered() {
        let near =
            |mean: f64| (0..10).map(|i| mean + 0.01 * (f64::from(i) - 4.5)).collect::<Vec<_>>();
        let of = |means: [f64; 2]| judged(&means.map(|mean| ("f".to_owned(), near(mean))), 0.7);
        assert_eq!(
            (of([0.9, 0.8]).judged, of([0.9, 0.5]).judged, of([0.9, 0.7]).judged),
            (Judged::Holds, Judged::Fails, Judged::Undecided)
        );
        assert_eq!(of([0.9, 0.8]).n, 10);
        assert_eq!(judged(&[], 0.7), Finding::undecided(Note::NoHyperFunctions, 0));
    }
}
