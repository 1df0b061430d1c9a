//! Judge that a score is large enough.
//!
//! Where the words of the paper allow variants of the protocol as well, each of these is judged,
//! too. The claim is undecided where they do not judge alike.

use super::kind::{Finding, JudgeClaim};
use super::outcome::Judged;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uq_core::metrics::MetricId;
use uq_core::stats::Summary;
use uq_core::stats::paired::ALPHA;
use uqbench_run::benchmark::claims::AtLeast;

/// The column of a variant that the claim's words allow.
fn variant_column<'a>(claim: &AtLeast, results: &'a Results, variant: &str) -> Option<Series<'a>> {
    let is_dataset =
        |series: &Series| claim.dataset.as_ref().is_none_or(|key| series.dataset.key == *key);
    let is_it =
        |s: &Series| s.variant() == Some(variant) && s.has_labels(&claim.labels) && is_dataset(s);
    results.series().into_iter().find(is_it)
}

/// The judgement on the mean of `what` in one column, with the words on it.
fn judge(what: &MetricId, summary: Option<Summary>, bound: f64) -> Finding {
    let Some(summary) = summary else { return (Judged::Undecided, "no number".into(), 0) };
    let mean = summary.mean;
    let Some(h) = summary.half_width(ALPHA) else {
        return (
            Judged::Undecided,
            format!("{what} {mean:.3}, expected at least {bound}"),
            summary.n,
        );
    };
    let judged = match mean {
        m if m - h >= bound => Judged::Holds,
        m if m + h < bound => Judged::Fails,
        _ => Judged::Undecided,
    };
    let note = format!("{what} {mean:.3} ± {h:.3} (95 % interval), expected at least {bound}");
    (judged, note, summary.n)
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
        let main =
            judge(&self.metric, columns.first().and_then(|s| s.summary(&self.metric)), self.bound);
        let mut others = Vec::new();
        for variant in &self.variants {
            let summary = variant_column(self, results, variant)
                .and_then(|series| series.summary(&self.metric));
            others.push((variant.as_str(), judge(&self.metric, summary, self.bound)));
        }
        Ok(agree(main, &others))
    }
}

/// The judgement on the main reading where those on the variants are the same; else undecided.
/// Names each variant with its words.
fn agree((judged, mut note, n): Finding, variants: &[(&str, Finding)]) -> Finding {
    let mut together = judged;
    for (variant, (other, words, _)) in variants {
        note += &format!("; {variant}, which the words allow as well: {words}");
        if *other != judged {
            together = Judged::Undecided;
        }
    }
    (together, note, variants.iter().map(|(_, (.., n))| *n).fold(n, usize::min))
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::metrics::MetricId;

    fn judged(values: &[f64], bound: f64) -> Finding {
        let metric: MetricId = "rmse".parse().unwrap();
        let claim = AtLeast {
            metric,
            labels: Default::default(),
            dataset: None,
            variants: Vec::new(),
            bound,
        };
        judge(&claim.metric, Summary::from_values(values), claim.bound)
    }

    #[test]
    fn a_bound_is_decided_by_an_interval_and_not_by_one_repetition() {
        let near: Vec<f64> = (0..10).map(|i| 1.0 + 0.01 * f64::from(i)).collect();
        assert_eq!(
            [0.5, 1.045, 2.0].map(|bound| judged(&near, bound).0),
            [Judged::Holds, Judged::Undecided, Judged::Fails]
        );
        let once = judged(&[1.0], 0.5);
        assert_eq!((once.0, once.2), (Judged::Undecided, 1));
        assert_eq!((judged(&[], 0.5).0, judged(&[], 0.5).2), (Judged::Undecided, 0));
    }

    #[test]
    fn variants_that_judge_otherwise_leave_the_claim_undecided() {
        let near = |mean: f64| {
            judged(&(0..10).map(|i| mean + 0.01 * f64::from(i)).collect::<Vec<_>>(), 1.5)
        };
        let of = |other: f64| agree(near(1.0), &[("rough", near(other))]);
        assert_eq!((of(1.1).0, of(2.0).0, of(2.0).2), (Judged::Fails, Judged::Undecided, 10));
        assert!(of(2.0).1.contains("rough"), "{}", of(2.0).1);
        assert_eq!(
            agree(near(1.0), &[("rough", judged(&[], 1.5))]).2,
            0,
            "a variant that has not run decides nothing"
        );
    }
}
