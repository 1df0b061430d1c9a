//! Check claims about the level of a metric on datasets, and about its growth along x.

use std::collections::BTreeMap;

use super::super::{Benchmark, Statement};
use super::boxes;

/// Finds what contradicts itself in a claim of the kinds `within`, `flat` and `extreme`.
pub(super) fn check(benchmark: &Benchmark, statement: &Statement) -> Result<(), String> {
    let (labels, dataset) = match statement {
        Statement::Within { labels, dataset, low, high, .. } => {
            let (low, high) = (low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY));
            if low.is_nan() || high.is_nan() || low >= high || (low.is_infinite() && high.is_infinite()) {
                return Err(format!("from {low} to {high} is no interval that a mean can miss"));
            }
            (labels, dataset)
        }
        Statement::Flat { labels, dataset, factor, .. } => {
            if !(factor.is_finite() && *factor > 1.0) {
                return Err(format!("the factor is {factor}, expected a number above 1"));
            }
            (labels, dataset)
        }
        Statement::Extreme { labels, dataset, .. } => (labels, dataset),
        _ => return Ok(()),
    };
    let main = |key: &String| benchmark.datasets.iter().any(|d| d.key == *key && d.variant.is_none());
    if !main(dataset) {
        return Err(format!("`{dataset}` is not a main dataset of it"));
    }
    if !boxes::columns(benchmark, dataset, labels).any(|column| column.x.is_some()) {
        return Err(format!("no column with an x has the labels {labels:?}"));
    }
    Ok(())
}

/// An exponent needs points at both ends of its range.
pub(super) fn exponent(
    benchmark: &Benchmark,
    what: &str,
    labels: &BTreeMap<String, String>,
    (low, high): (f64, f64),
) -> Result<(), String> {
    let columns = benchmark.methods.iter().flat_map(|method| &method.columns);
    let columns = columns.filter(|c| labels.iter().all(|(label, value)| c.labels.get(label) == Some(value)));
    let at = columns.flat_map(|c| benchmark.datasets.iter().filter_map(move |d| c.x.or(d.x)));
    let points: Vec<f64> = at.filter(|x| *x > 0.0).collect();
    match low < high && points.contains(&low) && points.contains(&high) {
        true => Ok(()),
        false => Err(format!("{what}: no column with the labels {labels:?} runs from x = {low} to x = {high}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::Extreme;
    use crate::metrics::MetricId;

    #[test]
    fn a_claim_that_cannot_be_judged_is_refused() {
        let benchmark = crate::benchmark::find("gplvm-figure-1").unwrap();
        let labels = || BTreeMap::from([("reading".to_owned(), "corrected".to_owned())]);
        let (metric, key) = (MetricId::Mse, || "simulated:gplvm-step".to_owned());
        let flat = |factor| Statement::Flat { metric, labels: labels(), dataset: key(), factor };
        let within = |low, high| Statement::Within { metric, labels: labels(), dataset: key(), low: Some(low), high };
        let extreme = |dataset: &str| Statement::Extreme {
            metric,
            labels: labels(),
            dataset: dataset.into(),
            end: Extreme::Highest,
        };
        let why = |statement: &Statement| check(&benchmark, statement).err().unwrap_or_default();
        assert_eq!(why(&flat(1.2)) + &why(&within(0.9, Some(1.1))) + &why(&within(1.0, None)), "");
        assert_eq!(why(&extreme("simulated:gplvm-step")), "");
        assert!(why(&flat(1.0)).contains("above 1") && why(&within(2.0, Some(1.0))).contains("no interval"));
        assert!(why(&extreme("simulated:step")).contains("not a main dataset"));
        let none = Statement::Flat { metric, labels: [("a".into(), "b".into())].into(), dataset: key(), factor: 2.0 };
        assert!(why(&none).contains("no column with an x"));
    }
}
