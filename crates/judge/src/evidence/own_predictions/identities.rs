//! Tell which tested rows are one row of the data: by their labels, by rows that the file has
//! several times, or by outcomes that recur.
//!
//! A label is a row's own where it does not depend on where the row stands in the file. Labels that
//! number the lines, or that contain the label of the test set, differ in every test set and would
//! say that no row is ever tested twice.

use std::collections::HashSet;

use super::copies::{Copies, copies};
use super::overlap::{Recurrence, by_labels, by_outcomes};
use super::part::Part;
use uqbench_data::own::{Finding, Topic};

/// The test rows of the first method.
pub(super) struct Tested<'a> {
    /// The name of their file.
    pub file: &'a str,
    /// The test sets.
    pub splits: &'a [Part],
    /// Outcomes, n.
    pub y: &'a [f64],
    /// The labels of rows, n, where the file has them.
    pub labels: Option<Vec<&'a str>>,
    /// Whether the file states how many training rows there are.
    pub has_train_rows: bool,
}

/// Which rows are one row of the data.
pub(super) struct Identities {
    /// The number of each row among the distinct ones, n.
    pub of_rows: Vec<usize>,
    /// Number of distinct rows.
    pub distinct: usize,
    /// What is said of labels and of rows that are there several times.
    pub findings: Vec<Finding>,
}

impl Identities {
    /// Of these rows, given all that is stated of each, as bits: the outcome first.
    pub fn new(tested: &Tested, stated: &[Vec<u64>]) -> Self {
        let copies = copies(stated);
        let labels = tested.labels.as_deref().map(|labels| own_labels(labels, tested.splits));
        let is_of_lines = labels == Some(OwnLabels::OfLines);
        let by_labels = match labels {
            Some(OwnLabels::Rows(labels)) => by_labels(&labels, tested.y),
            _ => None,
        };
        // Labels that no row shares with another one say less than rows that are equal in
        // everything else.
        let by_labels = by_labels.filter(|rows| copies.is_none() || count(rows) < rows.len());
        let recurrence = match (&by_labels, &copies) {
            (None, None) => by_outcomes(tested.splits, tested.y),
            _ => Recurrence::Never,
        };
        let mut findings: Vec<Finding> = is_of_lines
            .then(|| find_numbered_lines(tested, &recurrence))
            .flatten()
            .into_iter()
            .collect();
        let by_copies = || copies.as_ref().map(|copies| copies.identities.clone());
        let of_rows = by_labels.or_else(by_copies).or(match recurrence {
            Recurrence::Known(rows) => Some(rows),
            Recurrence::Never | Recurrence::Unknown => None,
        });
        let of_rows = of_rows.unwrap_or_else(|| (0..tested.y.len()).collect());
        let distinct = count(&of_rows);
        // What labels tell apart is counted apart.
        let counted = copies.filter(|copies| copies.distinct == distinct);
        findings.extend(counted.map(|copies| warn_of_copies(tested.file, &copies)));
        Self { of_rows, distinct, findings }
    }
}

/// Number of distinct rows among those with these numbers.
fn count(rows: &[usize]) -> usize {
    rows.iter().max().map_or(0, |most| most + 1)
}

/// What the labels of rows are.
#[derive(Debug, PartialEq)]
enum OwnLabels<'a> {
    /// They number the lines of the file.
    OfLines,
    /// They are those of the rows, without that of the test set.
    Rows(Vec<&'a str>),
}

fn own_labels<'a>(labels: &[&'a str], splits: &[Part]) -> OwnLabels<'a> {
    let rows = within_splits(labels, splits).unwrap_or_else(|| labels.to_vec());
    if numbers_lines(&rows) { OwnLabels::OfLines } else { OwnLabels::Rows(rows) }
}

/// Whether labels rise or fall from each line to the next one, as numbers of lines do. So do the
/// rows of a table in its own order, of which no test set repeats one.
pub(super) fn numbers_lines(labels: &[&str]) -> bool {
    let numbered: Option<Vec<(&str, u64)>> = labels.iter().map(|label| numbered(label)).collect();
    let Some(numbered) = numbered.filter(|numbered| numbered.len() > 1) else { return false };
    let is_one_name = numbered.windows(2).all(|pair| pair[0].0 == pair[1].0);
    let rises = || numbered.windows(2).all(|pair| pair[0].1 < pair[1].1);
    let falls = || numbered.windows(2).all(|pair| pair[0].1 > pair[1].1);
    is_one_name && (rises() || falls())
}

/// The number at the end of a label, and what stands before it: `row 12`, `r0012`, `12` and `12.0`.
fn numbered(label: &str) -> Option<(&str, u64)> {
    let label = label.trim();
    let whole = label
        .rsplit_once('.')
        .filter(|(_, zeros)| !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0'));
    let label = whole.map_or(label, |(whole, _)| whole);
    let name = label.trim_end_matches(|c: char| c.is_ascii_digit());
    Some((name, label.get(name.len()..)?.parse().ok()?))
}

/// Takes the name of a test set from a label.
type Way = for<'a> fn(&'a str, &str) -> Option<&'a str>;

/// Labels without that of their test set, where every one has it at its start or at its end:
/// `0_144`, `(0, 144)`, `144@0`. They stay different within a test set.
fn within_splits<'a>(labels: &[&'a str], splits: &[Part]) -> Option<Vec<&'a str>> {
    if splits.len() < 2 {
        return None;
    }
    let names: [fn(&str) -> &str; 2] = [|name| name, last_number];
    let ways: [Way; 2] = [after, before];
    let all = names.iter().flat_map(|name| ways.iter().map(move |way| (name, way)));
    all.filter_map(|(name, way)| {
        let mut rows = vec![""; labels.len()];
        for split in splits {
            let split_name = name(split.name.trim());
            let mut known = HashSet::new();
            for &row in &split.rows {
                rows[row] = way(labels[row], split_name).filter(|label| known.insert(*label))?;
            }
        }
        Some(rows)
    })
    .next()
}

/// The digits of the number at the end of a name.
fn last_number(name: &str) -> &str {
    let whole = name.rsplit_once('.').filter(|(_, zeros)| zeros.bytes().all(|byte| byte == b'0'));
    let name = whole.map_or(name, |(whole, _)| whole);
    name.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or(name)
}

fn is_mark(c: char) -> bool {
    !c.is_alphanumeric() && c != '.'
}

/// What follows the name of a test set in a label.
fn after<'a>(label: &'a str, split: &str) -> Option<&'a str> {
    let rest = label.trim_start_matches(is_mark).strip_prefix(split)?;
    let row = rest.strip_prefix(".0").unwrap_or(rest).strip_prefix(is_mark)?.trim_matches(is_mark);
    (!row.is_empty()).then_some(row)
}

/// What stands before the name of a test set in a label.
fn before<'a>(label: &'a str, split: &str) -> Option<&'a str> {
    let rest = label.trim_end_matches(is_mark).strip_suffix(split)?;
    let row = rest.strip_suffix(is_mark)?.trim_matches(is_mark);
    (!row.is_empty()).then_some(row)
}

/// A note that the labels number the lines, where rows may be tested in several test sets.
fn find_numbered_lines(tested: &Tested, recurrence: &Recurrence) -> Option<Finding> {
    let known = match recurrence {
        Recurrence::Never => return None,
        Recurrence::Unknown if tested.has_train_rows => return None,
        Recurrence::Known(rows) => {
            format!(
                "Rows are known by their outcomes instead: {} rows are tested {} times in all",
                count(rows),
                rows.len()
            )
        }
        Recurrence::Unknown => {
            "Too many outcomes are equal to know rows by them, so that the test \
                                sets are taken as the folds of one cross-validation. Write the \
                                label that a row has in the table, or state the mean number of \
                                training rows by --train-rows N"
                .to_owned()
        }
    };
    Some(
        Finding::note(format!(
            "{}: the column \"row\" numbers the lines of the file, so that it does not tell which \
             rows are tested in several test sets. {known}",
            tested.file
        ))
        .about(Topic::RowNumber, ["row"]),
    )
}

/// A warning that a file has rows several times.
fn warn_of_copies(file: &str, copies: &Copies) -> Finding {
    let Copies { times, distinct, repeated, .. } = copies;
    let all = if repeated == distinct { "each row is" } else { "most rows are" };
    Finding::warning(format!(
        "{file}: {all} there {times} times with the same outcome and the same predictions \
         ({distinct} are distinct), as in a file to which a script has appended its predictions \
         again. Intervals count a row once"
    ))
    .about(Topic::Copies, Vec::<String>::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_lines_rise_or_fall_all_through_the_file() {
        let is = |labels: &[&str]| numbers_lines(labels);
        assert!(
            is(&["0", "1", "2"])
                && is(&["1", "2", "3"])
                && is(&["0.0", "1.0", "2.0"])
                && is(&["3", "2", "1"])
        );
        assert!(
            is(&["row 8", "row 9", "row 10"]) && is(&["r001", "r002"]) && is(&["0", "2", "5"]),
            "some lines were dropped"
        );
        assert!(
            !is(&["0", "1", "0", "1"])
                && !is(&["144", "57", "123"])
                && !is(&["a", "b"])
                && !is(&["7"])
        );
        assert!(!is(&["a1", "b2"]) && !is(&["0.5", "1.7"]));
    }

    #[test]
    fn the_name_of_the_test_set_is_no_part_of_a_row() {
        let parts = |names: [&str; 2]| {
            [(names[0], 0), (names[1], 2)]
                .map(|(name, at)| Part { name: name.into(), rows: vec![at, at + 1] })
        };
        for labels in [
            ["0_7", "0_8", "1_8", "1_9"],
            ["(0, 7)", "(0, 8)", "(1, 8)", "(1, 9)"],
            ["7@0", "8@0", "8@1", "9@1"],
            ["0-7", "0-8", "1-8", "1-9"],
        ] {
            for names in [["0", "1"], ["fold 0", "fold 1"]] {
                assert_eq!(
                    within_splits(&labels, &parts(names)).unwrap(),
                    ["7", "8", "8", "9"],
                    "{labels:?}"
                );
            }
        }
        assert_eq!(within_splits(&["7", "8", "8", "9"], &parts(["0", "1"])), None);
        assert_eq!(
            within_splits(&["0_7", "0_8", "2_8", "1_9"], &parts(["0", "1"])),
            None,
            "one label has another name"
        );
        assert_eq!(
            within_splits(&["0-a", "0-a", "1-b", "1-c"], &parts(["0", "1"])),
            None,
            "two rows would be one"
        );
    }
}
