//! Mend files in which every row has one cell more than the header has names.

use std::collections::HashSet;

use csv::StringRecord;

/// The cell that every row has beside those of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Surplus {
    /// The first one: names of rows, as R writes them.
    RowNames,
    /// The last one, which is empty: a separator ends each row.
    Trailing,
}

/// The cell that all rows have beside `names` ones; `None` where some row has another number, and
/// where nothing says which cell it is.
///
/// Names of rows differ, and are text, count from 1, or are whole numbers in quotation marks, as R
/// writes those of shuffled rows. Between commas they are in quotation marks, too: a decimal comma
/// would make as many cells.
pub(super) fn surplus<'a>(
    names: usize,
    separator: char,
    rows: impl Iterator<Item = (&'a StringRecord, &'a str)> + Clone,
) -> Option<Surplus> {
    let cells = |(record, _): (&'a StringRecord, &str)| record;
    let has_rows = rows.clone().next().is_some();
    if !has_rows || rows.clone().map(cells).any(|record| record.len() != names + 1) {
        return None;
    }
    if rows.clone().map(cells).all(|record| record.get(names) == Some("")) {
        return Some(Surplus::Trailing);
    }
    let firsts = || rows.clone().map(cells).map(|record| record.get(0).unwrap_or_default());
    let mut seen = HashSet::new();
    let differ = firsts().all(|name| seen.insert(name));
    let count = || firsts().zip(1_u64..).all(|(name, row)| name.parse() == Ok(row));
    let is_text = || firsts().all(|name| !name.is_empty() && name.parse::<f64>().is_err());
    let is_quoted = rows.clone().all(|(_, line)| line.starts_with('"'));
    let are_quoted_numbers = || is_quoted && firsts().all(|name| name.parse::<u64>().is_ok());
    let is_certain = separator != ',' || is_quoted;
    (differ && is_certain && (count() || is_text() || are_quoted_numbers()))
        .then_some(Surplus::RowNames)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of lines below a header of two names.
    fn of(separator: char, lines: &[&str]) -> Option<Surplus> {
        let record =
            |line: &&str| line.split(separator).map(|cell| cell.trim_matches('"')).collect();
        let records: Vec<StringRecord> = lines.iter().map(record).collect();
        surplus(2, separator, records.iter().zip(lines.iter().copied()))
    }

    #[test]
    fn names_of_rows_and_trailing_separators_are_told_apart() {
        assert_eq!(of(';', &["1;2;", "3;4;"]), Some(Surplus::Trailing));
        assert_eq!(of(';', &["a;1;2", "b;3;4"]), Some(Surplus::RowNames));
        assert_eq!(of(';', &["1;1;2", "2;3;4"]), Some(Surplus::RowNames));
        assert_eq!(of(',', &["\"a\",1,2", "\"b\",3,4"]), Some(Surplus::RowNames));
        assert_eq!(
            of(' ', &["\"17\" 1 2", "\"3\" 3 4"]),
            Some(Surplus::RowNames),
            "shuffled rows of R"
        );
        assert_eq!(of(',', &["a,1,5", "b,2,5"]), None, "may be a decimal comma");
        assert_eq!(of(';', &["a;1;2", "a;3;4"]), None, "names differ");
        assert_eq!(
            of(';', &["5;1;2", "7;3;4"]),
            None,
            "numbers that do not count may be any column"
        );
        assert_eq!(of(';', &["1;2;", "3;4"]), None, "only some rows");
        assert_eq!(of(';', &[]), None);
    }
}
