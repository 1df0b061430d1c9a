//! Find what makes scores on a table wrong or meaningless: a feature that reproduces the target, numbers of rows, words
//! for missing values that are numbers, a table pasted several times.

use ndarray::ArrayView1;

use super::error::SHOWN;
use super::finding::Finding;
use super::table::OwnTable;
use crate::data::printable;
use crate::data::splits::copies;
use crate::math::correlation::pearson;
use crate::math::ranks::average_ranks;

/// Fewest rows that have a feature, for a sentence on it.
const FEWEST: usize = 20;
/// A feature reproduces the target where their ranks share at least this part of their variance.
const SHARED: f64 = 0.9999;
/// Sizes of numbers that often stand for a missing value.
const SENTINELS: [f64; 4] = [99.0, 999.0, 9999.0, 99_999.0];

/// All suspicions about a table.
pub fn suspicions(own: &OwnTable) -> Vec<Finding> {
    let table = &own.table;
    let mut findings = Vec::new();
    if let Some(times) = Some(copies(table)).filter(|times| *times > 1) {
        let sides = match &own.dependent {
            None => "copies stay on one side of every split".into(),
            Some(dependent) => format!("leave copies out, because {} may part them", dependent.by.option()),
        };
        findings.push(Finding::warning(format!("the table has every row {times} times, target included: {sides}")));
    }
    let features = table.feature_names.iter().zip(table.features.columns());
    for ((name, values), source) in features.zip(own.encoding.sources()) {
        let (name, column) = (printable(name, SHOWN), printable(&source.name, SHOWN));
        let correlation = rank_correlation(values, table.target.view());
        if let Some(correlation) = correlation.filter(|correlation| correlation.powi(2) >= SHARED) {
            findings.push(Finding::warning(format!(
                "the feature \"{name}\" alone reproduces the target (rank correlation {correlation:.4}): if it is not \
                 known before the target is, leave its column out with --drop \"{column}\", or every score is too good"
            )));
        }
        // A row for each day is no number of the row.
        let orders_rows = own.dependent.as_ref().is_some_and(|dependent| dependent.labels.name == source.name);
        if !source.is_date() && !orders_rows && numbers_rows(values) {
            findings.push(Finding::warning(format!(
                "the feature \"{name}\" has each whole number of a range once: if it numbers the rows, leave its \
                 column out with --drop \"{column}\""
            )));
        }
        findings.extend(sentinel(&format!("the feature \"{name}\""), values));
    }
    findings.extend(sentinel("the target", table.target.view()));
    findings
}

/// Spearman's rank correlation over the rows that have the feature; `None` for few such rows and for a constant.
fn rank_correlation(feature: ArrayView1<f64>, target: ArrayView1<f64>) -> Option<f64> {
    let present = feature.iter().zip(target).filter(|(x, _)| !x.is_nan());
    let (x, y): (Vec<f64>, Vec<f64>) = present.map(|(x, y)| (*x, *y)).unzip();
    let ranks = |values: &[f64]| average_ranks(values, |_| 0.0);
    if x.len() < FEWEST { None } else { pearson(&ranks(&x), &ranks(&y), 0.0) }
}

/// Whether the values are consecutive whole numbers in any order.
fn numbers_rows(values: ArrayView1<f64>) -> bool {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.len() >= FEWEST && sorted[0].fract() == 0.0 && sorted.windows(2).all(|pair| pair[1] - pair[0] == 1.0)
}

/// A sentence on an end of the values that several rows have, that often stands for a missing value, and that is
/// farther from all other values than these are from each other.
fn sentinel(what: &str, values: ArrayView1<f64>) -> Option<Finding> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let ends = [sorted.first().copied()?, sorted.last().copied()?];
    ends.into_iter().find_map(|end| {
        let others: Vec<f64> = sorted.iter().copied().filter(|value| *value != end).collect();
        let (low, high) = (others.first()?, others.last()?);
        let count = sorted.len() - others.len();
        let gap = (end - low).abs().min((end - high).abs());
        let is_sentinel = SENTINELS.contains(&end.abs()) && count > 1 && gap > high - low;
        is_sentinel.then(|| {
            Finding::warning(format!(
                "{what} is {end} in {count} rows, far from all other values ({low} to {high}): if it stands for a \
                 missing value, leave the cell empty"
            ))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::own::Cells;
    use ndarray::Array1;
    use proptest::prelude::{prop_assert, proptest};

    /// What is told of a file with these rows of the columns `x1` and `y`.
    fn told_of(rows: impl Iterator<Item = (String, f64)>) -> String {
        let text: String = rows.map(|(x, y)| format!("{x},{y}\n")).collect();
        let cells = Cells::parse("my.csv", format!("x1,y\n{text}").as_bytes()).unwrap();
        let findings = suspicions(&OwnTable::new(&cells, "y", &[]).unwrap());
        findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    /// The same for 40 rows with this feature and a target that is neither sorted nor a count.
    fn told(feature: impl Fn(usize, f64) -> f64) -> String {
        let target = |i: usize| ((i * 17) % 40) as f64 * 1.5 + 2.0;
        let shown = |x: f64| if x.is_nan() { String::new() } else { x.to_string() };
        told_of((0..40).map(|i| (shown(feature(i, target(i))), target(i))))
    }

    #[test]
    fn a_feature_that_reproduces_the_target_is_told() {
        for (name, feature) in [("copy", (|y| y) as fn(f64) -> f64), ("share", |y| 0.92 * y), ("log", |y| -y.ln())] {
            assert!(told(|_, y| feature(y)).contains("\"x1\" alone reproduces the target"), "{name}");
        }
        let holes = told(|i, y| if i % 3 == 0 { f64::NAN } else { 2.0 * y });
        assert!(holes.contains("(rank correlation 1.0000)"), "{holes}");
        assert_eq!(told(|i, y| y + 9.0 * (i % 3) as f64), "", "a strong feature is none");
        assert_eq!(told(|_, _| 3.0), "");
    }

    #[test]
    fn a_suspicious_feature_is_dropped_by_the_name_of_its_column() {
        let leak = told_of((0..40).map(|i| (["low", "high"][i % 2].into(), (i % 2) as f64)));
        assert!(leak.contains("the feature \"x1=low\" alone reproduces the target"), "{leak}");
        assert!(leak.contains("leave its column out with --drop \"x1\","), "{leak}");
    }

    #[test]
    fn numbers_of_rows_are_told_in_any_order_and_days_are_not() {
        for feature in [|i, _| ((i * 7) % 40 + 100) as f64, |i, _| i as f64] as [fn(usize, f64) -> f64; 2] {
            let text = told(feature);
            assert!(text.contains("warning: the feature \"x1\" has each whole number of a range once"), "{text}");
            assert!(text.contains("--drop \"x1\""), "{text}");
        }
        assert_eq!(told(|i, _| ((i * 7) % 40) as f64 * 2.0), "");
        let day = |i: usize| format!("2024-{:02}-{:02}", 1 + i / 31, 1 + i % 31);
        assert_eq!(told_of((0..40).map(|i| (day(i), ((i * 17) % 40) as f64 * 1.5))), "");
    }

    #[test]
    fn numbers_that_stand_for_missing_values_are_told() {
        let text = told(|i, _| if i % 9 == 0 { -999.0 } else { ((i * 11) % 40) as f64 + 0.5 });
        assert!(text.contains("\"x1\" is -999 in 5 rows, far from all other values (1.5 to 39.5)"), "{text}");
        assert_eq!(told(|i, _| if i % 9 == 0 { 99.0 } else { ((i * 11) % 40) as f64 * 2.5 }), "", "99 lies near 97.5");
        assert_eq!(
            told(|i, _| if i == 9 { -999.0 } else { ((i * 11) % 40) as f64 + 0.5 }),
            "",
            "one row is an outlier"
        );
    }

    #[test]
    fn a_table_pasted_several_times_is_told() {
        let row = |i: usize| (((i * i) % 7 + i).to_string(), ((i * 13) % 20) as f64 + 0.5);
        let found = told_of((0..60).map(|i| row(i % 20)));
        assert!(found.starts_with("warning: the table has every row 3 times"), "{found}");
    }

    proptest! {
        #[test]
        fn an_increasing_map_changes_no_rank_correlation(values in proptest::collection::vec(-5.0..5.0f64, 20..60)) {
            let y = Array1::from_iter((0..values.len()).map(|i| ((i * 7) % 11) as f64));
            let x = Array1::from(values);
            let of = |x: &Array1<f64>| rank_correlation(x.view(), y.view());
            let (plain, mapped) = (of(&x), of(&x.mapv(f64::exp)));
            prop_assert!(plain.zip(mapped).is_none_or(|(a, b)| (a - b).abs() < 1e-12 && a.abs() <= 1.0 + 1e-12));
        }
    }
}
