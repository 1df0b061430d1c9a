//! Judge that one column scores better than others, dataset by dataset, by the metric's own
//! direction.
//!
//! Of two widths the narrower one is better only where it covers; otherwise the comparison counts
//! for neither side ([`crate::judgement::unranked`]). Our runs are compared by the loss of each
//! repetition's score ([`uq_core::metrics::Direction::loss`]). For a coverage it is the distance
//! from the level in that repetition. Printed tables have only means, so that for them it is the
//! distance of the mean.

use super::comparisons::{Family, count_lower, count_printed};
use super::kind::{Finding, JudgeClaim, Printed};
use super::sides::Sides;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uq_core::stats::paired::paired;
use uqbench_run::benchmark::claims::Better;
use uqbench_run::benchmark::{Benchmark, Published};

/// The two sides of the claim.
fn sides(claim: &Better) -> Sides<'_> {
    Sides { test: &claim.test, references: &claim.references, datasets: &claim.datasets }
}

impl JudgeClaim for Better {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        sides(self).columns(results)
    }

    /// Compares paired over repetitions. A comparison that was not run counts for neither side.
    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let loss = |values: &[Option<f64>]| -> Vec<Option<f64>> {
            values.iter().map(|value| value.map(|v| self.metric.direction().loss(v))).collect()
        };
        let compare =
            |test: &[Option<f64>], reference: &[Option<f64>]| paired(&loss(test), &loss(reference));
        let family = sides(self).family(&evidence.results, &self.metric, compare);
        Ok(count_lower(&family, self.quantifier, ["better", "worse"]))
    }

    fn printed(&self, benchmark: &Benchmark) -> Option<Printed> {
        let family = compared(self, benchmark, &benchmark.published_numbers().ok()?);
        (family.total() > 0).then(|| count_printed(&family, self.quantifier, "better"))
    }
}

/// The differences test − reference of the printed scores' losses, where both are numbers.
fn compared(claim: &Better, benchmark: &Benchmark, published: &Published) -> Family<f64> {
    let loss = |value: f64| claim.metric.direction().loss(value);
    sides(claim).printed(benchmark, published, &claim.metric, |test, reference| {
        loss(test) - loss(reference)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::judgement::claims::Judged;
    use uqbench_run::benchmark::{MetricRow, Quantifier, Statement};

    fn method(name: &str) -> BTreeMap<String, String> {
        BTreeMap::from([("method".to_owned(), name.to_owned())])
    }

    /// Printed scores of methods a, b, c on two datasets, of which the claim is about the first
    /// `count`; a is under test.
    fn compared_of(metrics: &[(&str, [[&str; 3]; 2])], count: usize) -> Family<f64> {
        let mut benchmark = uqbench_run::benchmark::find("jcm-table-4").unwrap();
        benchmark.datasets.truncate(2);
        let (mut text, row) = (String::new(), benchmark.metrics[0].clone());
        benchmark.metrics.clear();
        for (metric, values) in metrics {
            benchmark.metrics.push(MetricRow {
                id: metric.parse().unwrap(),
                published: Some((*metric).into()),
                ..row.clone()
            });
            for (dataset, scores) in benchmark.datasets.iter().zip(values) {
                for (method, value) in ["a", "b", "c"].into_iter().zip(scores) {
                    text += &format!(
                        "[[published]]\ndataset = \"{}\"\nmethod = \"{method}\"\nmetric = \
                         \"{metric}\"\nvalue = \"{value}\"\n\
                         spread_kind = \"none\"\n",
                        dataset.printed_name()
                    );
                }
            }
        }
        let claim = Better {
            metric: metrics[0].0.parse().unwrap(),
            test: method("a"),
            references: vec![method("b"), method("c")],
            datasets: benchmark.datasets[..count].iter().map(|row| row.key.clone()).collect(),
            quantifier: Quantifier::Most,
        };
        compared(&claim, &benchmark, &Published::parse(&text).unwrap())
    }

    fn judged(metric: &str, quantifier: Quantifier) -> (Judged, String) {
        let values = [["0.94", "0.97", "0.95"], ["0.95", "none", "0.96"]];
        count_printed(&compared_of(&[(metric, values)], 2), quantifier, "better")
    }

    #[test]
    fn the_metric_says_what_is_better_and_words_are_not_compared() {
        // As a coverage of 95 %: 0.01 against 0.02 and 0, then 0 against 0.01.
        let (found, note) = judged("picp(level=0.95)", Quantifier::Most);
        assert_eq!(
            (found, note.as_str()),
            (
                Judged::Holds,
                "by the printed numbers better in 2 of 3 comparisons; the claim needs 2"
            )
        );
        assert_eq!(judged("picp(level=0.95)", Quantifier::All).0, Judged::Fails);
        // As an error a is lowest everywhere, as a log-likelihood nowhere.
        assert_eq!(judged("rmse", Quantifier::All).0, Judged::Holds);
        assert_eq!(
            judged("log-likelihood", Quantifier::Most).1,
            "by the printed numbers better in 0 of 3 comparisons; the claim needs 2"
        );
    }

    #[test]
    fn ties_are_no_improvement_and_datasets_are_chosen() {
        let values = [["0.1", "0.1", "0.2"], ["0.3", "0.2", "0.1"]];
        assert_eq!(compared_of(&[("rmse", values)], 1).total(), 2);
        let family = compared_of(&[("rmse", values)], 2);
        assert_eq!(
            count_printed(&family, Quantifier::Most, "better").1,
            "by the printed numbers better in 1 of 4 comparisons, equal in 1; the claim needs 3"
        );
    }

    #[test]
    fn a_narrower_interval_is_better_only_where_it_covers() {
        // a is narrower than b, which covers, and wider than c: where c covers 0.92 neither is
        // better.
        let widths = ("mpiw-range(level=0.95)", [["0.3", "0.4", "0.2"]; 2]);
        let of = |coverage| {
            let family = compared_of(&[widths, ("picp(level=0.95)", [coverage; 2])], 1);
            (
                family.differences.iter().map(|d| (10.0 * d).round() as i32).collect::<Vec<_>>(),
                family.short,
            )
        };
        assert_eq!(of(["0.95", "0.95", "0.95"]), (vec![-1, 1], 0));
        assert_eq!(
            of(["0.95", "0.80", "0.93"]),
            (vec![-1, 1], 0),
            "a wider interval need not cover"
        );
        assert_eq!(of(["0.95", "0.95", "0.92"]), (vec![-1], 1));
        assert_eq!(of(["0.92", "0.95", "0.95"]), (vec![1], 1));
        assert_eq!(compared_of(&[widths], 1).short, 2, "no coverage is printed");
    }

    /// Counted by a separate script over the printed cells; six of 28 comparisons in Tables 4 and 5
    /// meet a `none`.
    #[test]
    fn jcms_claims_are_judged_on_its_own_tables() {
        use Judged::{Fails, Holds};
        let mut found = Vec::new();
        for benchmark in uqbench_run::benchmark::shipped()
            .unwrap()
            .iter()
            .filter(|b| b.paper == "jcm" && b.published.is_some())
        {
            for claim in &benchmark.claims {
                let Statement::Better(statement) = &claim.statement else { continue };
                // The paper prints no discretised log score, by which the claims on Red wine are
                // judged.
                let Some((judged, note)) = statement.printed(benchmark) else {
                    assert_eq!(statement.metric.name(), "discretised-log-score", "{}", claim.id);
                    continue;
                };
                let counts = note
                    .trim_start_matches("by the printed numbers ")
                    .split(';')
                    .next()
                    .unwrap()
                    .to_owned();
                found.push((benchmark.artefact.as_str(), claim.id.as_str(), judged, counts));
            }
        }
        let expected = [
            ("Table 4", "ls-nearest", Fails, "better in 10 of 22 comparisons, equal in 8"),
            ("Table 4", "ls-nearest-mostly", Fails, "better in 10 of 22 comparisons, equal in 8"),
            ("Table 4", "ls-narrower", Fails, "better in 20 of 22 comparisons"),
            ("Table 4", "ls-narrower-mostly", Holds, "better in 20 of 22 comparisons"),
            ("Table 4", "mc-inaccurate", Holds, "better in 4 of 7 comparisons, equal in 3"),
            ("Table 4", "mc-nearest-mostly", Fails, "better in 4 of 22 comparisons, equal in 6"),
            ("Table 4", "mc-narrower-mostly", Holds, "better in 20 of 22 comparisons"),
            ("Table 5", "ls-nearest", Fails, "better in 11 of 22 comparisons, equal in 4"),
            ("Table 5", "ls-nearer-than-sqr", Fails, "better in 2 of 7 comparisons, equal in 2"),
            (
                "Table 5",
                "ls-narrower",
                Holds,
                "better in 16 of 22 comparisons, equal in 1, in 5 the narrower intervals cover too little",
            ),
            ("Table 5", "mc-inaccurate", Holds, "better in 4 of 7 comparisons, equal in 1"),
            ("Table 5", "mc-nearest-mostly", Fails, "better in 9 of 22 comparisons, equal in 5"),
            (
                "Table 5",
                "mc-narrower-mostly",
                Holds,
                "better in 20 of 22 comparisons, equal in 1, in 1 the narrower intervals cover too little",
            ),
            ("Table 2", "jcm-protein", Holds, "better in 6 of 6 comparisons"),
            ("Table 2", "jcm-kin8nm", Fails, "better in 2 of 6 comparisons"),
            ("Table 2", "sgp-boston-energy", Holds, "better in 12 of 12 comparisons"),
            ("Table 2", "dgp-energy-concrete", Fails, "better in 8 of 12 comparisons"),
            ("Table 2", "mixture-beats-normal", Fails, "better in 4 of 6 comparisons"),
            ("Table 2", "dgp-beats-sgp", Fails, "better in 0 of 2 comparisons"),
            ("Table 3", "jcm-rmse-protein", Fails, "better in 2 of 6 comparisons"),
            ("Table 3", "jcm-rmse-kin8nm", Fails, "better in 2 of 6 comparisons"),
            ("Table 3", "jcm-rmse-wine-red", Fails, "better in 3 of 6 comparisons, equal in 1"),
        ];
        let expected = expected
            .map(|(artefact, id, judged, counts)| (artefact, id, judged, counts.to_owned()));
        assert_eq!(found, expected);
    }
}
