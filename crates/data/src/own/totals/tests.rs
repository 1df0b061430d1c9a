//! Rows of totals are found wherever they stand, and rows that only look like them are not.

use super::*;
use crate::own::OwnTable;
use crate::own::cells::Cells;
use rand::RngExt;
use uq_core::math::random::Streams;

/// A row: region, staff, visits, sales.
type Row = (String, [f64; 3]);

/// Rows of shops in groups of five, with noise.
fn shops(count: usize) -> Vec<Row> {
    let mut stream = Streams::new(3, "shops").stream("x", 0);
    let row = |i: usize| {
        let staff = 1.0 + (12.0 * stream.random::<f64>()).floor();
        let visits = (20.0 + 60.0 * stream.random::<f64>()).floor();
        let sales = ((3.0 * visits + 40.0 * stream.random::<f64>()) * 100.0).round() / 100.0;
        (["North", "South", "East", "West"][i / 5 % 4].to_owned(), [staff, visits, sales])
    };
    (0..count).map(row).collect()
}

fn summed(rows: &[Row], label: &str) -> Row {
    let mut sums = [0.0; 3];
    rows.iter().for_each(|(_, row)| sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x));
    (label.into(), sums.map(|sum| (sum * 100.0).round() / 100.0))
}

/// The lines that the warning names, and its columns.
fn named(rows: &[Row]) -> (Vec<usize>, Vec<String>) {
    let line =
        |(region, [staff, visits, sales]): &Row| format!("{region},{staff},{visits},{sales}\n");
    let text = format!("region,staff,visits,sales\n{}", rows.iter().map(line).collect::<String>());
    let own =
        OwnTable::new(&Cells::parse("my.csv", text.as_bytes()).unwrap(), "sales", &[]).unwrap();
    let found: Vec<&Finding> =
        own.findings.iter().filter(|finding| finding.topic == Topic::Total).collect();
    assert!(found.len() < 2);
    let Some(found) = found.first() else { return (Vec::new(), Vec::new()) };
    let text = found.text.to_string();
    let lines = text.split("line ").skip(1).filter_map(|rest| rest.split(' ').next()?.parse().ok());
    (lines.collect(), found.columns.clone())
}

fn with(mut rows: Vec<Row>, place: usize, row: Row) -> Vec<Row> {
    rows.insert(place, row);
    rows
}

#[test]
fn a_total_is_found_at_either_end_and_between_with_any_label() {
    let rows = shops(60);
    for label in ["Grand Total", "Summe", "Итого", "", "North", "Zzz"] {
        for place in [0, 23, 60] {
            let (lines, columns) = named(&with(rows.clone(), place, summed(&rows, label)));
            assert_eq!(lines, [place + 2], "{label}, {place}");
            assert_eq!(columns, ["staff", "visits", "sales"]);
        }
    }
}

#[test]
fn subtotals_are_found_after_and_before_their_groups_with_the_total() {
    let rows = shops(60);
    let (mut after, mut before) = (Vec::new(), vec![summed(&rows, "Total")]);
    for group in rows.chunks(5) {
        after.extend(group.to_vec());
        after.push(summed(group, &format!("Subtotal {}", group[0].0)));
        before.push(summed(group, ""));
        before.extend(group.to_vec());
    }
    after.push(summed(&rows, "Total"));
    assert_eq!(named(&after).0.len(), 8, "as many as are named");
    let own: Vec<usize> = (0..8).map(|i| 7 + 6 * i).collect();
    assert_eq!(named(&after).0, own);
    let own: Vec<usize> = [2].into_iter().chain((0..7).map(|i| 3 + 6 * i)).collect();
    assert_eq!(named(&before).0, own);
}

#[test]
fn a_total_and_a_mean_below_it_are_found() {
    let rows = shops(60);
    let total = summed(&rows, "Total");
    let mean = ("Mean".to_owned(), total.1.map(|sum| sum / 60.0));
    let both: Vec<Row> = rows.iter().cloned().chain([total, mean.clone()]).collect();
    assert_eq!(named(&both).0, [62, 63]);
    assert_eq!(named(&with(rows, 60, mean)).0, [62]);
}

#[test]
fn rows_that_are_no_sums_are_not_named() {
    let rows = shops(60);
    assert_eq!(named(&rows).0, [0; 0]);
    let wine = ("Total Wine".to_owned(), [7.0, 41.0, 151.2]);
    assert_eq!(named(&with(rows.clone(), 30, wine)).0, [0; 0]);
    let (_, sums) = summed(&rows, "");
    let large = ("North".to_owned(), [sums[0] + 31.0, sums[1] - 87.0, sums[2] * 1.1]);
    assert_eq!(named(&with(rows.clone(), 60, large)).0, [0; 0]);
    // The sum of one column alone, as chance may give it.
    let one = ("North".to_owned(), [5.0, sums[1], 140.0]);
    assert_eq!(named(&with(rows, 60, one)).0, [0; 0]);
}

/// Small counts are the sums of others everywhere.
#[test]
fn small_counts_and_grids_are_no_totals() {
    let mut stream = Streams::new(5, "counts").stream("x", 0);
    let mut count = |most: f64| (most * stream.random::<f64>()).floor();
    for most in [2.0, 4.0, 8.0] {
        let rows: Vec<Row> = (0..400)
            .map(|i| (format!("r{}", i % 3), [count(most), count(most), count(most)]))
            .collect();
        assert_eq!(named(&rows).0, [0; 0], "below {most}");
    }
    let grid: Vec<Row> = (0..81)
        .map(|i| {
            (
                "a".to_owned() + if i % 2 == 0 { "b" } else { "" },
                [f64::from(i), 2.0 * f64::from(i) - 80.0, f64::from(i * i % 17)],
            )
        })
        .collect();
    assert_eq!(named(&grid).0, [0; 0]);
    let design: Vec<Row> = (0..27)
        .map(|i| {
            (
                String::from(["p", "q"][i % 2]),
                [(i % 3) as f64 - 1.0, (i / 3 % 3) as f64 - 1.0, (i * 7 % 27) as f64],
            )
        })
        .collect();
    assert_eq!(named(&design).0, [0; 0]);
}
