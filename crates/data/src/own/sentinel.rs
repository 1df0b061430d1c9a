//! Tell of numbers that probably stand for a missing value: in which columns and rows, and what
//! makes them missing.

use super::error::SHOWN;
use super::finding::{Finding, Topic};
use super::table::OwnTable;
use super::words::{Setting, Words};
use crate::sentinel::{Suspect, Tally};
use uq_core::printable::printable;

/// Largest number of columns that are named in a sentence.
const NAMED: usize = 6;
/// From this size on a number is written with an exponent.
const LONG: f64 = 1e15;

/// A column of numbers.
struct Numbers<'a> {
    column: &'a str,
    tally: Tally,
    /// Numbers of the column that probably stand for missing values.
    suspects: Vec<Suspect>,
}

impl<'a> Numbers<'a> {
    /// The numbers that a column has, but for those that stand in it for a limit.
    fn new(column: &'a str, values: impl Iterator<Item = f64>, own: &OwnTable) -> Self {
        let tally = Tally::of(values.filter(|value| !own.is_substitute(column, *value)));
        Self { column, suspects: tally.suspects(), tally }
    }

    /// A number that is suspected here, or in other columns and here as well.
    fn suspect(&self, number: f64) -> Option<Suspect> {
        let known = self.suspects.iter().find(|suspect| suspect.number == number);
        known.copied().or_else(|| self.tally.shared(number))
    }
}

/// A warning on each number that probably stands for missing values, in features and in the target.
pub(super) fn sentinels(own: &OwnTable) -> Vec<Finding> {
    let table = &own.table;
    let features = own.encoding.sources().zip(table.features.columns());
    let features = features.filter(|(source, _)| source.is_number());
    let mut columns: Vec<Numbers> = features
        .map(|(source, values)| Numbers::new(&source.name, values.iter().copied(), own))
        .collect();
    columns.push(Numbers::new(&table.target_name, table.target.iter().copied(), own));
    suspected(&columns).into_iter().map(|number| warning(number, &columns)).collect()
}

/// The numbers that are suspected in some column, or that several have far from their others;
/// ascending.
fn suspected(columns: &[Numbers]) -> Vec<f64> {
    let mut sure: Vec<f64> =
        columns.iter().flat_map(|column| &column.suspects).map(|suspect| suspect.number).collect();
    let mut ends: Vec<f64> = columns.iter().flat_map(|column| column.tally.shareable()).collect();
    ends.sort_unstable_by(f64::total_cmp);
    sure.extend(
        ends.chunk_by(|a, b| a == b)
            .filter(|equal| equal.len() > 1)
            .filter_map(|equal| equal.first()),
    );
    sure.sort_unstable_by(f64::total_cmp);
    sure.dedup();
    sure
}

/// The warning on a number, with the columns in which it is suspected.
fn warning(number: f64, columns: &[Numbers]) -> Finding {
    let found = columns.iter().filter_map(|column| Some((column.column, column.suspect(number)?)));
    // A column has several features where a second one says what it misses.
    let mut found: Vec<(&str, Suspect)> = found.collect();
    found.dedup_by_key(|(column, _)| *column);
    let mut each: Vec<String> =
        found.iter().take(NAMED).map(|(column, suspect)| in_column(column, suspect)).collect();
    if found.len() > NAMED {
        each.push(format!("{} more columns", found.len() - NAMED));
    }
    let shown = shown(number);
    let value = match &found[..] {
        [(column, _)] => format!("\"{}={shown}\"", printable(column, SHOWN)),
        _ => shown.clone(),
    };
    let apart = format!("it lies apart from all other values of {}", each.join("; "));
    let text =
        Words::from(format!("{shown} probably stands for a missing value: {apart}. If it does, "))
            + Setting::Na
            + format!(" {value} makes it missing; so do empty cells");
    Finding::warning(text).about(Topic::Sentinel, found.iter().map(|(column, _)| *column))
}

/// A column with the rows of a number and the range of the others.
fn in_column(column: &str, Suspect { rows, others: (low, high), .. }: &Suspect) -> String {
    let rows = if *rows == 1 { "1 row has it".to_owned() } else { format!("{rows} rows have it") };
    format!(
        "\"{}\" ({rows}, the others are {} to {})",
        printable(column, SHOWN),
        shown(*low),
        shown(*high)
    )
}

/// A number in words, without a row of zeros.
fn shown(number: f64) -> String {
    if number.abs() < LONG { number.to_string() } else { format!("{number:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own::Cells;

    /// The warnings on 200 rows with these columns.
    fn found(header: &str, line: impl Fn(usize) -> String) -> Vec<(String, Vec<String>)> {
        let text: String = (0..200).map(|i| line(i) + "\n").collect();
        let cells = Cells::parse("my.csv", format!("{header}\n{text}").as_bytes()).unwrap();
        let told = sentinels(&OwnTable::new(&cells, "y", &[]).unwrap());
        assert!(told.iter().all(|finding| finding.topic == Topic::Sentinel), "{told:?}");
        told.into_iter().map(|finding| (finding.text.to_string(), finding.columns)).collect()
    }

    #[test]
    fn a_number_of_several_columns_is_one_warning_that_names_them() {
        let told = found("co,nox,t,y", |i| {
            let or = |every: usize, value: f64| if i % every == 3 { -200.0 } else { value };
            let j = (i * 77 % 199) as f64;
            format!("{},{},{},{j}", or(9, 0.2 + j / 20.0), or(11, 60.0 + 5.0 * j), or(150, j / 5.0))
        });
        let [(text, columns)] = &told[..] else { panic!("{told:?}") };
        assert_eq!(columns, &["co", "nox", "t"]);
        assert!(
            text.contains("-200") && text.contains("22 rows") && text.contains("`na` -200"),
            "{text}"
        );
    }

    #[test]
    fn a_number_of_the_target_is_told_as_well_and_honest_columns_are_quiet() {
        let told = found("x,y", |i| {
            format!("{},{}", i % 30, if i % 9 == 0 { 1e20 } else { i as f64 / 2.0 })
        });
        let [(text, columns)] = &told[..] else { panic!("{told:?}") };
        assert_eq!(columns, &["y"]);
        assert!(text.contains("`na` \"y=1e20\""), "{text}");
        let quiet = found("rain,day,grade,y", |i| {
            let rain = if i % 3 == 0 { 0 } else { i * 77 % 199 };
            format!(
                "{rain},2024-{:02}-{:02},{},{}",
                1 + i / 28,
                1 + i % 28,
                i % 6,
                (i * 11 % 199).min(150)
            )
        });
        assert_eq!(quiet, []);
    }
}
