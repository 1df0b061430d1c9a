//! Recognise columns that number the rows as programs write them: the index of pandas, the names of
//! rows of R.
//!
//! Such a column has a name that only programs give, or none at the beginning of the header, and
//! whole numbers or names that differ from row to row, in any order, or that count from the start
//! again where tables were put below each other. Under a name that people give, too (`index`,
//! `level_0`), and under none further right, the numbers also have to be those of a table's rows:
//! they begin near zero, or most of their range occurs. Dates, and numbers with a fraction, are
//! measurements.

use std::collections::HashSet;

use super::cells::Cells;
use super::date::is_date_like;
use super::error::SHOWN;
use super::finding::{Finding, Topic};
use super::missing::is_missing_number;
use super::number::is_nearly_all;
use super::words::{Setting, Words};
use uq_core::printable::printable;

/// Names that programs alone give to the numbers or names of rows, in small letters.
const NAMES: [&str; 6] = ["rownames", "row.names", "row_names", "rowname", "...1", "__index__"];
/// Names that people give, too.
const WORDS: [&str; 1] = ["index"];
/// Largest range of the numbers of rows, as a multiple of the rows, where it does not begin near
/// zero.
const RANGE: f64 = 4.0;
/// Largest first number as a multiple of the mean distance between two.
const START: f64 = 10.0;
/// Fewest rows of a table that was put below another one.
const ROWS_OF_PART: usize = 5;
/// Share of different numbers from which on numbers that repeat look like those of rows.
const DIFFERENT: f64 = 0.5;

/// How certainly a column is an index by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Certainly,
    Perhaps,
    No,
}

/// What the values of a column are, if it may be an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Values {
    /// Different numbers of rows.
    Rows,
    /// Different whole numbers, or other ones that count from the start again.
    Different,
    /// Whole numbers of which many differ.
    Many,
    /// Names that differ.
    Names,
    Other,
}

/// The columns at these positions that are features, and those that number the rows and are left
/// out. They are features where the user keeps them, and where there are no others.
pub(super) fn without_index(
    cells: &Cells,
    places: Vec<usize>,
    keep: bool,
    findings: &mut Vec<Finding>,
) -> [Vec<usize>; 2] {
    if keep {
        return [places, Vec::new()];
    }
    let (index, features): (Vec<usize>, Vec<usize>) =
        places.iter().partition(|place| is_index(cells, **place));
    if features.is_empty() {
        return [places, Vec::new()];
    }
    findings.extend(index.iter().map(|place| left_out(cells, *place)));
    findings.extend(
        features
            .iter()
            .filter(|place| is_suspicious(cells, **place))
            .map(|place| suspicious(cells, *place)),
    );
    [features, index]
}

/// The column of the file's index, if there is one and no other.
pub(super) fn only_index(cells: &Cells) -> Option<usize> {
    let mut named = (0..cells.names.len()).filter(|place| named(cells, *place) != Named::No);
    named.next().filter(|_| named.next().is_none())
}

/// Whether a column of this name may have been the index of another file.
pub(super) fn is_name_of_index(name: &str) -> bool {
    by_name(name) != Named::No || ["column 1", "row"].contains(&name)
}

/// Whether a column is left out because it numbers the rows.
pub(super) fn is_index(cells: &Cells, place: usize) -> bool {
    match named(cells, place) {
        Named::No => false,
        Named::Certainly => {
            matches!(values(cells, place), Values::Rows | Values::Different | Values::Names)
        }
        Named::Perhaps => values(cells, place) == Values::Rows,
    }
}

/// Whether a column has the name of an index, and numbers that repeat.
fn is_suspicious(cells: &Cells, place: usize) -> bool {
    named(cells, place) == Named::Certainly && values(cells, place) == Values::Many
}

fn left_out(cells: &Cells, place: usize) -> Finding {
    let (name, shown) = shown(cells, place);
    let told = format!(
        "{shown} is an index, as pandas and R write it: it numbers or names the rows and says \
         nothing of them, so that it is left out; "
    );
    Finding::warning(Words::from(told) + Setting::KeepIndex + " makes it a feature")
        .about(Topic::RowNumber, [name])
}

fn suspicious(cells: &Cells, place: usize) -> Finding {
    let (name, shown) = shown(cells, place);
    let told = format!(
        "{shown} looks like an index, as pandas and R write it, but some numbers occur more than \
         once, so that it is a feature: if it numbers the rows, leave it out with "
    );
    let named = format!(" \"{}\"", printable(name, SHOWN));
    Finding::warning(Words::from(told) + Setting::Drop + named).about(Topic::RowNumber, [name])
}

/// A column's name, and the column in words.
fn shown(cells: &Cells, place: usize) -> (&str, String) {
    let name = cells.names[place].as_str();
    let without = if cells.is_nameless(place) { " without a name" } else { "" };
    (name, format!("the column{without} \"{}\"", printable(name, SHOWN)))
}

fn named(cells: &Cells, place: usize) -> Named {
    match cells.is_nameless(place) {
        true if (0..place).all(|before| cells.is_nameless(before)) => Named::Certainly,
        true => Named::Perhaps,
        false => by_name(&cells.names[place]),
    }
}

fn by_name(name: &str) -> Named {
    let name = name.to_lowercase();
    let counted =
        |rest: &str| !rest.is_empty() && rest.split('.').all(|part| part.parse::<u32>().is_ok());
    let is_counted = |begin: &str, end: &str| {
        name.strip_prefix(begin).and_then(|rest| rest.strip_suffix(end)).is_some_and(counted)
    };
    if NAMES.contains(&name.as_str())
        || is_counted("__index_level_", "__")
        || is_counted("unnamed: ", "")
    {
        Named::Certainly
    } else if WORDS.contains(&name.as_str()) || is_counted("level_", "") {
        Named::Perhaps
    } else {
        Named::No
    }
}

fn values(cells: &Cells, place: usize) -> Values {
    let texts: Vec<&str> = cells.texts(place).filter(|text| !is_missing_number(text)).collect();
    if cells.refuse_foreign(&[place]).is_err()
        || texts.len() < 2
        || !is_nearly_all(texts.len(), cells.rows())
    {
        return Values::Other;
    }
    let different = texts.iter().collect::<HashSet<_>>().len();
    let numbers: Option<Vec<f64>> = texts.iter().map(|text| number_of_row(text)).collect();
    let are_names = || texts.iter().all(|text| text.parse::<f64>().is_err() && !is_date_like(text));
    match numbers {
        Some(numbers) if different == texts.len() => {
            if are_of_rows(&numbers) {
                Values::Rows
            } else {
                Values::Different
            }
        }
        Some(numbers) if count_again(&numbers) => Values::Different,
        Some(_) if different as f64 >= DIFFERENT * texts.len() as f64 => Values::Many,
        None if different == texts.len() && are_names() => Values::Names,
        _ => Values::Other,
    }
}

/// The whole number of a row from 0, also where it is written as 3.0.
fn number_of_row(text: &str) -> Option<f64> {
    text.parse::<f64>()
        .ok()
        .filter(|number| *number >= 0.0 && number.fract() == 0.0 && *number < 1e15)
}

/// Whether different numbers are some of those that number the rows of a table.
fn are_of_rows(numbers: &[f64]) -> bool {
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let most = numbers.iter().copied().fold(0.0, f64::max);
    let rows = numbers.len() as f64;
    most - least < RANGE * rows || least <= START * most / rows
}

/// Whether the numbers count rows from 0 or 1, and again from there.
fn count_again(numbers: &[f64]) -> bool {
    let Some(first) = numbers.first().filter(|first| **first <= 1.0) else { return false };
    let counts = numbers.windows(2).all(|pair| pair[1] == pair[0] + 1.0 || pair[1] == *first);
    let parts = numbers.iter().filter(|number| *number == first).count();
    counts && parts * ROWS_OF_PART <= numbers.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own::{CellRules, OwnTable, Severity};

    /// The features of a table of 40 rows whose first column has this heading and these cells, and
    /// the columns that warnings of row numbers name.
    fn read(heading: &str, cell: impl Fn(usize) -> String) -> (Vec<String>, Vec<String>) {
        let line = |i: usize| format!("{},{},{}\n", cell(i), (i * 7) % 11, (i * 17) % 40);
        let text = format!("{heading},x,y\n{}", (0..40).map(line).collect::<String>());
        let own =
            OwnTable::new(&Cells::parse("my.csv", text.as_bytes()).unwrap(), "y", &[]).unwrap();
        let told = own
            .findings
            .iter()
            .filter(|f| f.topic == Topic::RowNumber && f.severity == Severity::Warning);
        (own.table.feature_names, told.flat_map(|f| f.columns.clone()).collect())
    }

    fn shuffled(i: usize) -> String {
        // A half of the rows 0 to 80, in no order.
        ((i * 46 + 5) % 81).to_string()
    }

    #[test]
    fn an_index_is_left_out_in_order_and_shuffled() {
        let names = [
            "",
            "Unnamed: 0",
            "Unnamed: 0.1",
            "index",
            "Index",
            "level_0",
            "__index_level_0__",
            "rownames",
        ];
        for name in names {
            let column = if name.is_empty() { "column 1" } else { name };
            for cell in
                [|i: usize| i.to_string(), shuffled, |i: usize| format!("{}.0", 5000 + 3 * i)]
                    as [fn(usize) -> String; 3]
            {
                assert_eq!(
                    read(name, cell),
                    (vec!["x".into()], vec![column.into()]),
                    "{name}, {}",
                    cell(7)
                );
            }
        }
        for name in ["", "__index_level_0__"] {
            let (features, told) = read(name, |i| format!("\"Mazda, number {i}\""));
            assert_eq!((features, told.len()), (vec!["x".into()], 1), "names of rows");
            let (features, told) = read(name, |i| (i % 20).to_string());
            assert_eq!(
                (features, told.len()),
                (vec!["x".into()], 1),
                "two tables, one below the other"
            );
        }
    }

    #[test]
    fn what_measures_something_is_a_feature() {
        for (name, cell) in [
            ("population", |i: usize| (100_000 + 7919 * i * i % 900_001).to_string()),
            ("n", |i| i.to_string()),
            ("year", |i| (1980 + i).to_string()),
            // An index of shares, and one of prices.
            ("index", |i| (9000 + 97 * ((i * 29) % 41)).to_string()),
            ("index", |i| format!("{}.5", 100 + i)),
            ("", |i| format!("{}.5", 100 + i)),
            ("", |i| (i % 4).to_string()),
            ("level_0", |i| (i % 3).to_string()),
        ] as [(&str, fn(usize) -> String); 8]
        {
            let (features, told) = read(name, cell);
            assert_eq!((features.len(), told), (2, Vec::new()), "{name}, {}", cell(3));
        }
        let (features, told) = read("", |i| format!("2024-{:02}-{:02}", 1 + i / 28, 1 + i % 28));
        assert!(features.len() > 1 && told.is_empty(), "{features:?}");
    }

    #[test]
    fn numbers_that_repeat_are_a_feature_with_a_warning() {
        let (features, told) = read("Unnamed: 0", |i| ((i * 7) % 27).to_string());
        assert_eq!((features.len(), told), (2, vec!["Unnamed: 0".to_owned()]));
    }

    #[test]
    fn an_index_is_a_feature_where_it_is_asked_for_or_the_only_one() {
        let text = format!(
            ",x,y\n{}",
            (0..40)
                .map(|i| format!("{i},{},{}\n", (i * 7) % 11, (i * 17) % 40))
                .collect::<String>()
        );
        let cells = Cells::parse("my.csv", text.as_bytes()).unwrap();
        assert_eq!(
            OwnTable::new(&cells.clone(), "y", &[]).unwrap().encoding.feature_names(),
            ["x"]
        );
        let kept = OwnTable::with_rules(
            &cells,
            "y",
            &[],
            None,
            &CellRules { keep_index: true, ..CellRules::default() },
        )
        .unwrap();
        assert_eq!(kept.encoding.feature_names(), ["column 1", "x"]);
        assert_eq!(
            OwnTable::new(&cells, "y", &["x".into()]).unwrap().encoding.feature_names(),
            ["column 1"]
        );
        // The same index under the name that Parquet has.
        let new = Cells::parse("new.csv", b"__index_level_0__,x\n3,5\n").unwrap();
        assert_eq!(kept.encoding.features(&new).unwrap().row(0).to_vec(), [3.0, 5.0]);
        let without = Cells::parse("new.csv", b"x\n5\n").unwrap();
        assert!(kept.encoding.features(&without).is_err());
    }
}
