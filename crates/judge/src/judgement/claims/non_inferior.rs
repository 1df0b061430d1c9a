//! Judge that one column is not worse than others by more than a margin, dataset by dataset.
//!
//! For each repetition d = L_test − (1 + margin) · L_reference, the losses of the metric. A
//! comparison is non-inferior where Student's 95 % interval of the mean of d lies below zero. The
//! claim holds where every comparison is non-inferior: an intersection-union test, which needs no
//! correction (Berger, *Multiparameter hypothesis testing and acceptance sampling*, Technometrics
//! 24, 1982). It fails where one comparison is worse by more than the margin: its interval lies
//! above zero, with Holm's correction over all comparisons. As in all claims, the interval is one
//! over random splits of these data. A width counts for neither side where the preferred intervals
//! cover too little ([`crate::judgement::unranked`]).

use super::comparisons::Family;
use super::kind::{Finding, JudgeClaim, Printed};
use super::note::{Note, PrintedNote};
use super::outcome::Judged;
use super::sides::Sides;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uq_core::stats::paired::{ALPHA, Comparison, compare};
use uqbench_run::benchmark::Benchmark;
use uqbench_run::benchmark::claims::NonInferior;

/// The two sides of the claim.
fn sides(claim: &NonInferior) -> Sides<'_> {
    Sides { test: &claim.test, references: &claim.references, datasets: &claim.datasets }
}

impl JudgeClaim for NonInferior {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        sides(self).columns(results)
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let compare =
            |test: &[Option<f64>], reference: &[Option<f64>]| excess(test, reference, self.margin);
        Ok(judged(&sides(self).family(&evidence.results, &self.metric, compare), self.margin))
    }

    fn printed(&self, benchmark: &Benchmark) -> Option<Printed> {
        let published = &benchmark.printed;
        let compare = |test: f64, reference: f64| test - (1.0 + self.margin) * reference;
        let family = sides(self).printed(benchmark, published, &self.metric, compare);
        let (total, within) =
            (family.total(), family.differences.iter().filter(|excess| **excess <= 0.0).count());
        let judged = match within {
            _ if within == total => Judged::Holds,
            _ if within < family.differences.len() => Judged::Fails,
            _ => Judged::Undecided,
        };
        let (margin, short) = (self.margin, family.short);
        let note = PrintedNote::NonInferior { margin, within, total, short };
        (total > 0).then_some(Printed { judged, note })
    }
}

/// The test's loss beyond the margin, for the repetitions that both have.
fn excess(test: &[Option<f64>], reference: &[Option<f64>], margin: f64) -> Vec<f64> {
    test.iter()
        .zip(reference)
        .filter_map(|(test, reference)| Some((*test)? - (1.0 + margin) * (*reference)?))
        .collect()
}

/// The finding for the excesses of every comparison.
fn judged(family: &Family<Vec<f64>>, margin: f64) -> Finding {
    let compared = compare(&family.differences);
    let found: Vec<_> = compared.into_iter().flatten().collect();
    let below =
        |c: &&Comparison| c.summary.half_width(ALPHA).is_some_and(|h| c.summary.mean + h < 0.0);
    let within = found.iter().filter(below).count();
    let worse = found.iter().filter(|c| c.significant && c.summary.mean > 0.0).count();
    let total = family.total();
    let judged = match total {
        0 => Judged::Undecided,
        _ if worse > 0 => Judged::Fails,
        _ if within == total => Judged::Holds,
        _ => Judged::Undecided,
    };
    let note = Note::NonInferior {
        margin,
        total,
        ran: family.differences.len(),
        within_in_the_mean: family.lower_in_the_mean(),
        significant: (!found.is_empty()).then_some((within, worse)),
        uncounted: family.uncounted(),
    };
    Finding { judged, note, n: family.fewest() }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::judgement::claims::note::Uncounted;

    /// Ten repetitions whose test scores are `factor` times those of the reference, give or take 1
    /// %.
    fn family(factors: &[f64], margin: f64) -> Vec<Vec<f64>> {
        let reference: Vec<Option<f64>> = (0..10).map(|i| Some(1.0 + 0.1 * f64::from(i))).collect();
        let test = |factor: f64| -> Vec<Option<f64>> {
            let noisy = |(i, r): (usize, &Option<f64>)| {
                r.map(|r| r * (factor + if i % 2 == 0 { 0.01 } else { -0.01 }))
            };
            reference.iter().enumerate().map(noisy).collect()
        };
        factors.iter().map(|factor| excess(&test(*factor), &reference, margin)).collect()
    }

    #[test]
    fn every_comparison_must_stay_within_the_margin() {
        let of = |factors: &[f64]| judged(&family(factors, 0.1).into(), 0.1);
        assert_eq!(
            of(&[0.9, 1.0, 1.05]).judged,
            Judged::Holds,
            "significantly worse than the reference, but within the margin"
        );
        assert_eq!(of(&[0.9, 1.2]).judged, Judged::Fails);
        assert_eq!(of(&[0.9, 1.1]).judged, Judged::Undecided, "at the margin");
        assert_eq!(of(&[]).judged, Judged::Undecided);
        // The note on these comparisons, of which those with numbers stay within in one mean.
        let note = |total, ran, significant, uncounted| Note::NonInferior {
            margin: 0.1,
            total,
            ran,
            within_in_the_mean: 1,
            significant,
            uncounted,
        };
        let none = Uncounted::default();
        let short = Family { short: 1, ..Family::from(family(&[0.9], 0.1)) };
        let expected = note(2, 1, Some((1, 0)), Uncounted { short: 1, ..none });
        assert_eq!(
            judged(&short, 0.1),
            Finding::undecided(expected, 10),
            "one comparison counts for neither side"
        );
        let unrun = Family { unrun: 1, ..Family::from(family(&[0.9], 0.1)) };
        let expected = note(2, 1, Some((1, 0)), Uncounted { unrun: 1, ..none });
        assert_eq!(judged(&unrun, 0.1), Finding::undecided(expected, 10));
        let once = Family::from(vec![vec![-0.1], vec![0.1]]);
        assert_eq!(judged(&once, 0.1), Finding::undecided(note(2, 2, None, none), 1));
    }

    /// Counted by a separate script over the printed cells; six of 28 comparisons meet a `none`.
    #[test]
    fn printed_widths_are_held_against_the_margin() {
        let benchmark = uqbench_run::benchmark::find("jcm-table-5").unwrap();
        // Energy's intervals of JCM-LS cover 0.76, so that they are better than none of four, and
        // Yacht's of MC-Dropout 0.72.
        for (method, within, short, at_20) in
            [("jcm-ls", 17, 5, Judged::Undecided), ("jcm-mc", 21, 1, Judged::Holds)]
        {
            let of = |margin: f64| {
                let labels =
                    |method: &str| BTreeMap::from([("method".to_owned(), method.to_owned())]);
                let others = ["conditional-gaussian", "mc-dropout", "quantile-forest", "sqr"];
                let (test, references) = (labels(method), others.map(labels).to_vec());
                let metric = "mpiw-range(level=0.8)".parse().unwrap();
                NonInferior { metric, test, references, datasets: Vec::new(), margin }
                    .printed(&benchmark)
                    .unwrap()
            };
            let note = PrintedNote::NonInferior { margin: 0.1, within, total: 22, short };
            assert_eq!(of(0.1), Printed { judged: Judged::Undecided, note });
            assert_eq!(of(0.2).judged, at_20);
        }
    }
}
