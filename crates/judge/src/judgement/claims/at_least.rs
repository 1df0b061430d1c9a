//! Judge that a score is large enough.
//!
//! Where the words of the paper allow variants of the protocol as well, each of these is judged,
//! too. The claim is undecided where they do not judge alike.

use super::kind::{Finding, JudgeClaim};
use super::note::{Estimate, Note};
use super::outcome::Judged;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uq_core::stats::Summary;
use uqbench_run::benchmark::claims::AtLeast;

/// The column of a variant that the claim's words allow.
fn variant_column<'a>(claim: &AtLeast, results: &'a Results, variant: &str) -> Option<Series<'a>> {
    let is_dataset =
        |series: &Series| claim.dataset.as_ref().is_none_or(|key| series.dataset.key == *key);
    let is_it =
        |s: &Series| s.variant() == Some(variant) && s.has_labels(&claim.labels) && is_dataset(s);
    results.series().into_iter().find(is_it)
}

/// What one column shows.
#[derive(Clone, Copy)]
struct Reading {
    judged: Judged,
    /// Its mean; `None` where it has no number.
    mean: Option<Estimate>,
    /// Number of repetitions.
    n: usize,
}

/// The judgement on the mean of one column.
fn judge(summary: Option<Summary>, bound: f64) -> Reading {
    let Some(summary) = summary else {
        return Reading { judged: Judged::Undecided, mean: None, n: 0 };
    };
    let estimate = Estimate::from(summary);
    let judged = match (estimate.mean, estimate.half_width) {
        (mean, Some(h)) if mean - h >= bound => Judged::Holds,
        (mean, Some(h)) if mean + h < bound => Judged::Fails,
        _ => Judged::Undecided,
    };
    Reading { judged, mean: Some(estimate), n: summary.n }
}

impl JudgeClaim for AtLeast {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        results
            .series()
            .into_iter()
            .filter(|s| s.is_column(&self.labels, self.dataset.as_deref()))
            .collect()
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let results = &evidence.results;
        let columns = self.columns(results);
        let main = judge(columns.first().and_then(|s| s.summary(&self.metric)), self.bound);
        let mut others = Vec::new();
        for variant in &self.variants {
            let summary = variant_column(self, results, variant)
                .and_then(|series| series.summary(&self.metric));
            others.push((variant.clone(), judge(summary, self.bound)));
        }
        Ok(agree(self, main, &others))
    }
}

/// The judgement on the main reading where those on the variants are the same; else undecided.
/// Names each variant with its mean.
fn agree(claim: &AtLeast, main: Reading, variants: &[(String, Reading)]) -> Finding {
    let do_agree = variants.iter().all(|(_, other)| other.judged == main.judged);
    let means = variants.iter().map(|(variant, other)| (variant.clone(), other.mean));
    Finding {
        judged: if do_agree { main.judged } else { Judged::Undecided },
        note: Note::AtLeast {
            metric: claim.metric,
            bound: claim.bound,
            main: main.mean,
            variants: means.collect(),
        },
        n: variants.iter().map(|(_, other)| other.n).fold(main.n, usize::min),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(values: &[f64], bound: f64) -> Reading {
        judge(Summary::from_values(values), bound)
    }

    fn claim(bound: f64) -> AtLeast {
        AtLeast {
            metric: "rmse".parse().unwrap(),
            labels: Default::default(),
            dataset: None,
            variants: Vec::new(),
            bound,
        }
    }

    #[test]
    fn a_bound_is_decided_by_an_interval_and_not_by_one_repetition() {
        let near: Vec<f64> = (0..10).map(|i| 1.0 + 0.01 * f64::from(i)).collect();
        assert_eq!(
            [0.5, 1.045, 2.0].map(|bound| judged(&near, bound).judged),
            [Judged::Holds, Judged::Undecided, Judged::Fails]
        );
        let once = judged(&[1.0], 0.5);
        assert_eq!((once.judged, once.n), (Judged::Undecided, 1));
        assert_eq!(once.mean, Some(Estimate { mean: 1.0, half_width: None }));
        let none = judged(&[], 0.5);
        assert_eq!((none.judged, none.mean, none.n), (Judged::Undecided, None, 0));
    }

    #[test]
    fn variants_that_judge_otherwise_leave_the_claim_undecided() {
        let near = |mean: f64| {
            judged(&(0..10).map(|i| mean + 0.01 * f64::from(i)).collect::<Vec<_>>(), 1.5)
        };
        let beside = |other: Reading| agree(&claim(1.5), near(1.0), &[("rough".into(), other)]);
        let [like, unlike] = [near(1.1), near(2.0)].map(beside);
        assert_eq!((like.judged, unlike.judged, unlike.n), (Judged::Fails, Judged::Undecided, 10));
        let Note::AtLeast { main, variants, bound, .. } = &unlike.note else {
            panic!("{:?}", unlike.note)
        };
        assert_eq!((*main, *bound), (near(1.0).mean, 1.5));
        assert_eq!(*variants, [("rough".to_owned(), near(2.0).mean)]);
        assert_eq!(beside(judged(&[], 1.5)).n, 0, "a variant that has not run decides nothing");
    }
}
