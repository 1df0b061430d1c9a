//! Judge that a quantity of each trial lies within bounds.
//!
//! A mean over repetitions holds where its Student interval lies within the bounds, and fails where
//! the interval lies outside; all datasets must hold. A ratio is taken repetition by repetition. A
//! spread is the largest less the smallest number. It has no interval, because nothing is
//! estimated.

use super::kind::{Finding, JudgeClaim};
use super::note::{Measurement, Note, Place};
use super::outcome::Judged;
use crate::evidence::trials::side_table;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uq_core::stats::Summary;
use uq_core::stats::paired::ALPHA;
use uqbench_run::benchmark::claims::{Measured, Quantity, Statistic};
use uqbench_run::runner::store::Store;

impl JudgeClaim for Measured {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        let on = |s: &Series| self.datasets.contains(&s.dataset.key);
        results.series().into_iter().filter(|s| s.is_column(&self.labels, None) && on(s)).collect()
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let columns = self.columns(&evidence.results);
        let mut numbers = Vec::with_capacity(self.datasets.len());
        for key in &self.datasets {
            let series = columns.iter().find(|series| series.dataset.key == *key);
            let values =
                series.map(|series| values(series, &self.quantity, evidence.store)).transpose()?;
            let name = series.map_or(key, |series| &series.dataset.heading);
            numbers.push((name.clone(), values.unwrap_or_default()));
        }
        Ok(judged(&numbers, self))
    }
}

/// The number of each repetition that is finished.
fn values(
    series: &Series,
    quantity: &Quantity,
    store: &Store,
) -> Result<Vec<Option<f64>>, EvidenceError> {
    match quantity {
        Quantity::Metric(metric) => Ok(series.values(metric)),
        Quantity::SideTable(name, column) => series
            .finished()
            .map(|result| {
                let table = side_table(result, name, store)?;
                let value = table.and_then(|table| table.column(column)?.first().copied());
                Ok(value.filter(|value| value.is_finite()))
            })
            .collect(),
    }
}

/// A half width below this share of its mean is rounding: all repetitions have the same number.
const ROUNDING: f64 = 1e-9;

/// Compares the numbers of each dataset's repetitions with the bounds. A column is the heading of a
/// dataset and its numbers.
fn judged(columns: &[(String, Vec<Option<f64>>)], measured: &Measured) -> Finding {
    let complete =
        |values: &[Option<f64>]| -> Vec<f64> { values.iter().flatten().copied().collect() };
    let place = |dataset: &String, before: Option<&String>| Place {
        dataset: dataset.clone(),
        before: before.cloned(),
    };
    let judged_values: Vec<(Place, Vec<f64>)> = match measured.statistic {
        Statistic::Mean | Statistic::Spread => {
            columns.iter().map(|(name, values)| (place(name, None), complete(values))).collect()
        }
        Statistic::Ratio => columns
            .windows(2)
            .map(|pair| {
                let ratios = pair[1].1.iter().zip(&pair[0].1);
                let ratios =
                    ratios.filter_map(|(after, before)| Some((*after)? / (*before)?)).collect();
                (place(&pair[1].0, Some(&pair[0].0)), ratios)
            })
            .collect(),
    };
    let n = judged_values.iter().map(|(_, values)| values.len()).min().unwrap_or(0);
    let mut verdict = Judged::Holds;
    let mut numbers = Vec::new();
    for (place, values) in judged_values {
        let found = match measured.statistic {
            Statistic::Spread if values.len() > 1 => {
                let (low, high) = values
                    .iter()
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(*v), h.max(*v)));
                Some((high - low, 0.0))
            }
            Statistic::Spread => None,
            _ => Summary::from_values(&values)
                .and_then(|summary| Some((summary.mean, summary.half_width(ALPHA)?))),
        };
        let Some((centre, half)) = found else {
            return Finding::undecided(Note::NoInterval(place), n);
        };
        let half_width = (half > ROUNDING * centre.abs()).then_some(half);
        numbers.push(Measurement { place, centre, half_width });
        let (low, high) = (centre - half, centre + half);
        let inside = measured.at_least.is_none_or(|bound| low >= bound)
            && measured.at_most.is_none_or(|bound| high <= bound);
        let outside = measured.at_least.is_some_and(|bound| high < bound)
            || measured.at_most.is_some_and(|bound| low > bound);
        verdict = match verdict {
            Judged::Fails => Judged::Fails,
            _ if outside => Judged::Fails,
            _ if !inside => Judged::Undecided,
            kept => kept,
        };
    }
    let Measured { statistic, at_least, at_most, .. } = *measured;
    Finding { judged: verdict, note: Note::Measured { statistic, numbers, at_least, at_most }, n }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(statistic: Statistic, at_least: Option<f64>, at_most: Option<f64>) -> Measured {
        let quantity = Quantity::SideTable("comparison".into(), "wiener".into());
        let datasets = vec!["simulated:a".into(), "simulated:b".into()];
        Measured { labels: Default::default(), datasets, quantity, statistic, at_least, at_most }
    }

    /// Ten values about two levels.
    fn columns(a: f64, b: f64) -> Vec<(String, Vec<Option<f64>>)> {
        let near = |level: f64| {
            (0..10).map(|i| Some(level * (1.0 + 0.01 * (f64::from(i) - 4.5)))).collect()
        };
        vec![("a".into(), near(a)), ("b".into(), near(b))]
    }

    /// The numbers that are held against bounds.
    fn numbers(found: Finding) -> Vec<Measurement> {
        let Note::Measured { numbers, .. } = found.note else { panic!("it is another note") };
        numbers
    }

    /// The bounds that a note states.
    fn bounds(found: &Finding) -> (Option<f64>, Option<f64>) {
        let Note::Measured { at_least, at_most, .. } = found.note else { panic!("{found:?}") };
        (at_least, at_most)
    }

    #[test]
    fn every_dataset_must_be_within_the_bounds() {
        let mean =
            |columns: &[_], low, high| judged(columns, &claim(Statistic::Mean, low, high)).judged;
        let both = columns(1.0, 2.0);
        assert_eq!(mean(&both, Some(0.5), Some(2.5)), Judged::Holds);
        assert_eq!(mean(&both, Some(1.5), None), Judged::Fails);
        assert_eq!(mean(&both, None, Some(2.0)), Judged::Undecided);
        let found = judged(&both, &claim(Statistic::Mean, None, Some(3.0)));
        assert_eq!((found.n, bounds(&found)), (10, (None, Some(3.0))));
        for (one, (dataset, centre, half_width)) in
            numbers(found).iter().zip([("a", 1.0, 0.0217), ("b", 2.0, 0.0433)])
        {
            assert_eq!(one.place, Place { dataset: dataset.into(), before: None });
            assert!((one.centre - centre).abs() < 1e-12, "{one:?}");
            assert!((one.half_width.unwrap() - half_width).abs() < 1e-4, "{one:?}");
        }
    }

    #[test]
    fn the_spread_of_rounding_is_none() {
        let same = vec![("a".to_owned(), vec![Some(0.5), Some(0.5 + 1e-16), Some(0.5), Some(0.5)])];
        let found = judged(&same, &claim(Statistic::Mean, None, Some(1e-8)));
        assert_eq!((found.judged, bounds(&found)), (Judged::Fails, (None, Some(1e-8))));
        let all = numbers(found);
        let [number] = &all[..] else { panic!("{all:?}") };
        assert!((number.centre - 0.5).abs() < 1e-12 && number.half_width.is_none(), "{number:?}");
    }

    #[test]
    fn ratios_are_paired_and_spreads_are_of_all_repetitions() {
        let found = judged(&columns(2.0, 1.0), &claim(Statistic::Ratio, Some(0.499), Some(0.501)));
        assert_eq!((found.judged, bounds(&found)), (Judged::Holds, (Some(0.499), Some(0.501))));
        let all = numbers(found);
        let [ratio] = &all[..] else { panic!("{all:?}") };
        assert_eq!(ratio.place, Place { dataset: "b".into(), before: Some("a".into()) });
        assert!((ratio.centre - 0.5).abs() < 1e-12 && ratio.half_width.is_none(), "{ratio:?}");
        let spread = |second| {
            judged(&columns(1.0, second), &claim(Statistic::Spread, None, Some(0.1))).judged
        };
        assert_eq!([1.0, 2.0].map(spread), [Judged::Holds, Judged::Fails]);
        let none = vec![("a".to_owned(), vec![None, Some(1.0)]), ("b".to_owned(), vec![])];
        let first = Place { dataset: "a".into(), before: None };
        assert_eq!(
            judged(&none, &claim(Statistic::Mean, None, Some(0.1))),
            Finding::undecided(Note::NoInterval(first), 0)
        );
    }
}
