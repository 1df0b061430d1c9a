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
use super::note::Order;
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
        Ok(count_lower(&family, self.quantifier, Order::Better).into())
    }

    fn printed(&self, benchmark: &Benchmark) -> Option<Printed> {
        let family = compared(self, benchmark, &benchmark.printed);
        (family.total() > 0).then(|| count_printed(&family, self.quantifier, Order::Better))
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
    use crate::judgement::claims::note::{PrintedCounts, PrintedNote};
    use uqbench_run::benchmark::{MetricRow, Quantifier, Statement};

    fn method(name: &str) -> BTreeMap<String, String> {
        BTreeMap::from([("method".to_owned(), name.to_owned())])
    }

    /// Printed scores of methods a, b, c on two datasets, of which the claim is about the first
    /// `count`; a is under test.
    fn compared_of(metrics: &[(&str, [[&str; 3]; 2])], count: usize) -> Family<f64> {
        let mut benchmark = uqbench_run::benchmark::find("jcm-table-4").unwrap();
        benchmark.datasets.truncate(2);
        let row = benchmark.metrics[0].clone();
        let mut text = String::from("dataset,method,metric,value\n");
        benchmark.metrics.clear();
        for (metric, values) in metrics {
            benchmark.metrics.push(MetricRow {
                id: metric.parse().unwrap(),
                published: Some((*metric).into()),
                ..row.clone()
            });
            for (dataset, scores) in benchmark.datasets.iter().zip(values) {
                for (method, value) in ["a", "b", "c"].into_iter().zip(scores) {
                    text += &format!("{},{method},{metric},{value}\n", dataset.printed_name());
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

    fn judged(metric: &str, quantifier: Quantifier) -> Printed {
        let values = [["0.94", "0.97", "0.95"], ["0.95", "none", "0.96"]];
        count_printed(&compared_of(&[(metric, values)], 2), quantifier, Order::Better)
    }

    /// In how many comparisons the side under test is better, the sides are equal, and the narrower
    /// intervals cover too little; how many there are, and how many the claim needs.
    fn counts(printed: &Printed) -> [usize; 5] {
        let PrintedNote::Counted(counts) = &printed.note else { panic!("{printed:?}") };
        let PrintedCounts { below, ties, short, total, needed, .. } = *counts;
        [below, ties, short, total, needed]
    }

    #[test]
    fn the_metric_says_what_is_better_and_words_are_not_compared() {
        // As a coverage of 95 %: 0.01 against 0.02 and 0, then 0 against 0.01.
        let most = judged("picp(level=0.95)", Quantifier::Most);
        assert_eq!((most.judged, counts(&most)), (Judged::Holds, [2, 0, 0, 3, 2]));
        assert_eq!(judged("picp(level=0.95)", Quantifier::All).judged, Judged::Fails);
        // As an error a is lowest everywhere, as a log-likelihood nowhere.
        assert_eq!(judged("rmse", Quantifier::All).judged, Judged::Holds);
        assert_eq!(counts(&judged("log-likelihood", Quantifier::Most)), [0, 0, 0, 3, 2]);
    }

    #[test]
    fn ties_are_no_improvement_and_datasets_are_chosen() {
        let values = [["0.1", "0.1", "0.2"], ["0.3", "0.2", "0.1"]];
        assert_eq!(compared_of(&[("rmse", values)], 1).total(), 2);
        let family = compared_of(&[("rmse", values)], 2);
        let most = count_printed(&family, Quantifier::Most, Order::Better);
        assert_eq!(counts(&most), [1, 1, 0, 4, 3]);
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
            .filter(|b| b.paper == "jcm" && !b.printed.cells.is_empty())
        {
            for claim in &benchmark.claims {
                let Statement::Better(statement) = &claim.statement else { continue };
                // The paper prints no discretised log score, by which the claims on Red wine are
                // judged.
                let Some(printed) = statement.printed(benchmark) else {
                    assert_eq!(statement.metric.name(), "discretised-log-score", "{}", claim.id);
                    continue;
                };
                let [below, ties, short, total, _] = counts(&printed);
                let (artefact, id) = (benchmark.artefact.as_str(), claim.id.as_str());
                found.push((artefact, id, printed.judged, [below, total, ties, short]));
            }
        }
        // Comparisons in which the side under test is better, all of them, those of equal numbers,
        // and those in which the narrower intervals cover too little.
        let expected = [
            ("Table 4", "ls-nearest", Fails, [10, 22, 8, 0]),
            ("Table 4", "ls-nearest-mostly", Fails, [10, 22, 8, 0]),
            ("Table 4", "ls-narrower", Fails, [20, 22, 0, 0]),
            ("Table 4", "ls-narrower-mostly", Holds, [20, 22, 0, 0]),
            ("Table 4", "mc-inaccurate", Holds, [4, 7, 3, 0]),
            ("Table 4", "mc-nearest-mostly", Fails, [4, 22, 6, 0]),
            ("Table 4", "mc-narrower-mostly", Holds, [20, 22, 0, 0]),
            ("Table 5", "ls-nearest", Fails, [11, 22, 4, 0]),
            ("Table 5", "ls-nearer-than-sqr", Fails, [2, 7, 2, 0]),
            ("Table 5", "ls-narrower", Holds, [16, 22, 1, 5]),
            ("Table 5", "mc-inaccurate", Holds, [4, 7, 1, 0]),
            ("Table 5", "mc-nearest-mostly", Fails, [9, 22, 5, 0]),
            ("Table 5", "mc-narrower-mostly", Holds, [20, 22, 1, 1]),
            ("Table 2", "jcm-protein", Holds, [6, 6, 0, 0]),
            ("Table 2", "jcm-kin8nm", Fails, [2, 6, 0, 0]),
            ("Table 2", "sgp-boston-energy", Holds, [12, 12, 0, 0]),
            ("Table 2", "dgp-energy-concrete", Fails, [8, 12, 0, 0]),
            ("Table 2", "mixture-beats-normal", Fails, [4, 6, 0, 0]),
            ("Table 2", "dgp-beats-sgp", Fails, [0, 2, 0, 0]),
            ("Table 3", "jcm-rmse-protein", Fails, [2, 6, 0, 0]),
            ("Table 3", "jcm-rmse-kin8nm", Fails, [2, 6, 0, 0]),
            ("Table 3", "jcm-rmse-wine-red", Fails, [3, 6, 1, 0]),
        ];
        assert_eq!(found, expected);
    }
}
