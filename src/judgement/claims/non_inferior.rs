//! Judge that one column is not worse than others by more than a margin, dataset by dataset.
//!
//! For each repetition d = L_test − (1 + margin) · L_reference, the losses of the metric. A comparison is non-inferior
//! where Student's 95 % interval of the mean of d lies below zero. The claim holds where every comparison is
//! non-inferior: an intersection-union test, which needs no correction (Berger, *Multiparameter hypothesis testing and
//! acceptance sampling*, Technometrics 24, 1982). It fails where one comparison is worse by more than the margin: its
//! interval lies above zero, with Holm's correction over all comparisons. As in all claims, the interval is one over
//! random splits of these data.

use std::collections::BTreeMap;

use super::kind::{Finding, JudgeClaim, Printed};
use super::outcome::Judged;
use super::sides::Sides;
use crate::benchmark::claims::NonInferior;
use crate::benchmark::{Benchmark, DatasetRow};
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use crate::metrics::percent;
use crate::stats::paired::{ALPHA, Comparison, compare};

/// The two sides of the claim.
fn sides(claim: &NonInferior) -> Sides<'_> {
    Sides { test: &claim.test, references: &claim.references, datasets: &claim.datasets }
}

impl JudgeClaim for NonInferior {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        sides(self).columns(results)
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let columns = self.columns(&evidence.results);
        let values = |dataset: &DatasetRow, labels: &BTreeMap<String, String>| -> Vec<Option<f64>> {
            let column = columns.iter().find(|s| s.dataset.key == dataset.key && s.has_labels(labels));
            column.map(|series| series.values(&self.metric)).unwrap_or_default()
        };
        let mut family = Vec::new();
        for dataset in sides(self).datasets(&evidence.results.plan.benchmark) {
            let test = values(dataset, &self.test);
            family.extend(self.references.iter().map(|labels| excess(&test, &values(dataset, labels), self.margin)));
        }
        Ok(judged(&family, self.margin))
    }

    fn printed(&self, benchmark: &Benchmark) -> Option<Printed> {
        let name = benchmark.metrics.iter().find(|row| row.id == self.metric)?.published.as_ref()?;
        let published = benchmark.published_numbers().ok()?;
        let number = |dataset: &DatasetRow, labels| published.cell(dataset.printed_name(), name, labels)?.number();
        let mut excesses = Vec::new();
        for dataset in sides(self).datasets(benchmark) {
            let test = number(dataset, &self.test);
            let references = self.references.iter().map(|labels| number(dataset, labels));
            excesses.extend(references.filter_map(|reference| Some(test? - (1.0 + self.margin) * reference?)));
        }
        let within = excesses.iter().filter(|excess| **excess <= 0.0).count();
        let judged = if within == excesses.len() { Judged::Holds } else { Judged::Fails };
        let note = format!("printed: {within} of {} not worse by more than {}", excesses.len(), percent(self.margin));
        (!excesses.is_empty()).then_some((judged, note))
    }
}

/// The test's loss beyond the margin, for the repetitions that both have.
fn excess(test: &[Option<f64>], reference: &[Option<f64>], margin: f64) -> Vec<f64> {
    test.iter().zip(reference).filter_map(|(test, reference)| Some((*test)? - (1.0 + margin) * (*reference)?)).collect()
}

/// The finding for the excesses of every comparison.
fn judged(family: &[Vec<f64>], margin: f64) -> Finding {
    let compared = compare(family);
    let found: Vec<_> = compared.into_iter().flatten().collect();
    let n = found.iter().map(|c| c.summary.n).min().unwrap_or(0);
    let below = |c: &&Comparison| c.summary.half_width(ALPHA).is_some_and(|h| c.summary.mean + h < 0.0);
    let within = found.iter().filter(below).count();
    let worse = found.iter().filter(|c| c.significant && c.summary.mean > 0.0).count();
    let total = family.len();
    let judged = match total {
        0 => Judged::Undecided,
        _ if worse > 0 => Judged::Fails,
        _ if within == total => Judged::Holds,
        _ => Judged::Undecided,
    };
    let unrun = if found.len() < total { format!(", {} not run", total - found.len()) } else { String::new() };
    let note = format!(
        "of {total} comparisons {within} are not worse by more than {} (95 % each), {worse} significantly are (paired, Holm 5 %){unrun}",
        percent(margin)
    );
    (judged, note, n)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten repetitions whose test scores are `factor` times those of the reference, give or take 1 %.
    fn family(factors: &[f64], margin: f64) -> Vec<Vec<f64>> {
        let reference: Vec<Option<f64>> = (0..10).map(|i| Some(1.0 + 0.1 * f64::from(i))).collect();
        let test = |factor: f64| -> Vec<Option<f64>> {
            let noisy = |(i, r): (usize, &Option<f64>)| r.map(|r| r * (factor + if i % 2 == 0 { 0.01 } else { -0.01 }));
            reference.iter().enumerate().map(noisy).collect()
        };
        factors.iter().map(|factor| excess(&test(*factor), &reference, margin)).collect()
    }

    #[test]
    fn every_comparison_must_stay_within_the_margin() {
        let of = |factors: &[f64]| judged(&family(factors, 0.1), 0.1);
        assert_eq!(
            of(&[0.9, 1.0, 1.05]).0,
            Judged::Holds,
            "significantly worse than the reference, but within the margin"
        );
        assert_eq!(of(&[0.9, 1.2]).0, Judged::Fails);
        assert_eq!(of(&[0.9, 1.1]).0, Judged::Undecided, "at the margin");
        assert_eq!(of(&[]).0, Judged::Undecided);
        let mut unrun = family(&[0.9], 0.1);
        unrun.push(Vec::new());
        let (verdict, note, n) = judged(&unrun, 0.1);
        assert_eq!((verdict, n), (Judged::Undecided, 10));
        let expected = "of 2 comparisons 1 are not worse by more than 10 % (95 % each), 0 significantly are (paired, Holm 5 %), 1 not run";
        assert_eq!(note, expected);
    }

    /// Counted by a separate script over the printed cells; six of 28 comparisons meet a `none`.
    #[test]
    fn printed_widths_are_held_against_the_margin() {
        let benchmark = crate::benchmark::find("jcm-table-5").unwrap();
        for method in ["jcm-ls", "jcm-mc"] {
            let of = |margin: f64| {
                let labels = |method: &str| BTreeMap::from([("method".to_owned(), method.to_owned())]);
                let others = ["conditional-gaussian", "mc-dropout", "quantile-forest", "sqr"];
                let (test, references) = (labels(method), others.map(labels).to_vec());
                let metric = "mpiw-range(level=0.8)".parse().unwrap();
                NonInferior { metric, test, references, datasets: Vec::new(), margin }.printed(&benchmark).unwrap()
            };
            assert_eq!(of(0.1), (Judged::Fails, "printed: 21 of 22 not worse by more than 10 %".into()));
            assert_eq!(of(0.2).0, Judged::Holds);
        }
    }
}
