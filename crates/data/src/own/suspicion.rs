//! Find what makes scores on a table wrong or meaningless: a column that reproduces the target,
//! numbers of rows, numbers that stand for missing values, a table pasted several times.

use std::collections::{HashMap, HashSet};

use ndarray::{ArrayView1, Axis};

use super::date::is_compact_date;
use super::error::SHOWN;
use super::finding::{Finding, Topic};
use super::formula::formulas;
use super::group::RowLabels;
use super::leak::{FEWEST, leaks};
use super::sentinel::sentinels;
use super::table::OwnTable;
use super::words::{Setting, Words};
use crate::splits::copies;
use uq_core::Table;
use uq_core::math::ordered_bits::ordered_bits;
use uq_core::printable::printable;

/// Share of the rows that have a whole number of their own, from which on these look like
/// identifiers.
const OWN: f64 = 0.98;

/// All suspicions about a table.
pub fn suspicions(own: &OwnTable) -> Vec<Finding> {
    let table = &own.table;
    let mut findings = Vec::from_iter(pasted(own));
    let formulas = formulas(own);
    // A formula says more of its columns than that one of them is nearly the target.
    let has_formula = |name: &String| formulas.iter().any(|formula| formula.columns.contains(name));
    findings.extend(leaks(own).into_iter().filter(|leak| !leak.columns.iter().any(has_formula)));
    findings.extend(formulas);
    let features = table.feature_names.iter().zip(table.features.columns());
    for ((name, values), source) in features.zip(own.encoding.sources()) {
        let name = printable(name, SHOWN);
        // A row for each day is no number of the row.
        let orders_rows =
            own.dependent.as_ref().is_some_and(|dependent| dependent.labels.name == source.name);
        if !source.is_date() && !orders_rows {
            findings.extend(identifier(&name, &source.name, values));
        }
    }
    findings.extend(sentinels(own));
    findings
}

/// The warning on a table that has every row several times. Where columns number the rows it may be
/// so but for these, and the rows have to repeat in their order, because few different values
/// repeat by chance.
fn pasted(own: &OwnTable) -> Option<Finding> {
    let table = &own.table;
    let columns = own.encoding.sources().zip(table.features.columns());
    let numbers: Vec<bool> =
        columns.map(|(source, values)| !source.is_date() && numbers_rows(values)).collect();
    let times = if numbers.contains(&true) {
        let kept: Vec<usize> = (0..numbers.len()).filter(|j| !numbers[*j]).collect();
        let without = Table::unnamed(table.features.select(Axis(1), &kept), table.target.clone());
        let (all, period) = (copies(&without), |times: u64| table.rows() / times as usize);
        (2..=all)
            .rev()
            .find(|times| all.is_multiple_of(*times) && repeats(&without, period(*times)))
    } else {
        Some(copies(table)).filter(|times| *times > 1)
    };
    let times = times?;
    let of_numbers = own.encoding.sources().zip(&numbers).find(|(_, numbers)| **numbers);
    let of_numbers = of_numbers.map(|(source, _)| printable(&source.name, SHOWN));
    let but = of_numbers
        .as_ref()
        .map(|name| format!(", but for \"{name}\", which numbers the rows"))
        .unwrap_or_default();
    let sides = match (&own.dependent, of_numbers) {
        (Some(dependent), _) if stand_together(table, &dependent.labels) => {
            let label = printable(&dependent.labels.name, SHOWN);
            format!("copies stay on one side of every split, because they are alike in \"{label}\"")
                .into()
        }
        (Some(dependent), _) => {
            Words::from("leave copies out, because ") + dependent.by.setting() + " may part them"
        }
        (None, Some(name)) => {
            let both = "or copies stand on both sides of every split";
            Words::from("leave copies out, or ") + Setting::Drop + format!(" \"{name}\", {both}")
        }
        (None, None) => "copies stay on one side of every split".into(),
    };
    let told =
        Words::from(format!("the table has every row {times} times, target included{but}: "))
            + sides
            + ". Intervals about coverage count copies as rows of their own, and are too short";
    Some(Finding::warning(told).about(Topic::Copies, std::iter::empty::<String>()))
}

/// Whether rows that are equal, target included, have one label.
fn stand_together(table: &Table, labels: &RowLabels) -> bool {
    let row = |row: usize| -> Vec<u64> {
        table
            .features
            .row(row)
            .iter()
            .chain([&table.target[row]])
            .map(|value| ordered_bits(*value))
            .collect()
    };
    let mut known: HashMap<Vec<u64>, &str> = HashMap::new();
    let cells = labels.cells.iter().map(String::as_str);
    cells.enumerate().all(|(at, label)| *known.entry(row(at)).or_insert(label) == label)
}

/// Whether each row equals the row `period` rows before it.
fn repeats(table: &Table, period: usize) -> bool {
    let row = |row: usize| {
        table
            .features
            .row(row)
            .into_iter()
            .chain([&table.target[row]])
            .map(|value| ordered_bits(*value))
    };
    (period..table.rows()).all(|later| row(later).eq(row(later - period)))
}

/// What a feature looks like whose values are whole numbers, each in one row: days as 20200131,
/// numbers of rows, or identifiers, which prices and populations may look like, too.
fn identifier(name: &str, column: &str, values: ArrayView1<f64>) -> Option<Finding> {
    let shown = printable(column, SHOWN);
    let present: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    if present.len() < FEWEST || present.iter().any(|value| value.fract() != 0.0) {
        return None;
    }
    let different =
        present.iter().map(|value| ordered_bits(*value)).collect::<HashSet<u64>>().len();
    if different > 1 && present.iter().all(|value| is_compact_date(*value)) {
        return Some(Finding::warning(format!(
            "the feature \"{name}\" looks like dates written as {}, which are unequally far apart \
             as numbers: write them as 2024-12-31",
            present[0]
        ))
        .about(Topic::DateOrder, [column]));
    }
    if let Some(step) = step_of_rows(values) {
        let each = if step == 1.0 {
            "each whole number of a range".into()
        } else {
            format!("each number of a range in steps of {step}")
        };
        let text = format!(
            "the feature \"{name}\" has {each} once: if it numbers the rows, leave its column out \
             with "
        );
        let text = Words::from(text) + Setting::Drop + format!(" \"{shown}\"");
        return Some(Finding::warning(text).about(Topic::RowNumber, [column]));
    }
    (different as f64 >= OWN * values.len() as f64).then(|| {
        let told = format!(
            "the feature \"{name}\" has another whole number in nearly every row: if it identifies \
             the rows, leave its column out with "
        );
        Finding::note(Words::from(told) + Setting::Drop + format!(" \"{shown}\""))
            .about(Topic::RowNumber, [column])
    })
}

/// Whether the values number the rows.
fn numbers_rows(values: ArrayView1<f64>) -> bool {
    step_of_rows(values).is_some()
}

/// The step of values that are whole numbers at equal steps in any order, such as 0, 1, 2 or 0, 2,
/// 4.
fn step_of_rows(values: ArrayView1<f64>) -> Option<f64> {
    if values.len() < FEWEST || values.iter().any(|value| value.fract() != 0.0) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let step = sorted[1] - sorted[0];
    (step > 0.0 && sorted.windows(2).all(|pair| pair[1] - pair[0] == step)).then_some(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own::Cells;

    /// The warnings about a file with these rows of the columns `x1` and `y`.
    fn file_warnings(rows: impl Iterator<Item = (String, f64)>) -> String {
        let text: String = rows.map(|(x, y)| format!("{x},{y}\n")).collect();
        let cells = Cells::parse("my.csv", format!("x1,y\n{text}").as_bytes()).unwrap();
        let findings = suspicions(&OwnTable::new(&cells, "y", &[]).unwrap());
        findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    /// The same for 40 rows with this feature and a target that is neither sorted nor a count.
    fn warnings(feature: impl Fn(usize, f64) -> f64) -> String {
        let target = |i: usize| ((i * 17) % 40) as f64 * 1.5 + 2.0;
        let shown = |x: f64| if x.is_nan() { String::new() } else { x.to_string() };
        file_warnings((0..40).map(|i| (shown(feature(i, target(i))), target(i))))
    }

    #[test]
    fn numbers_of_rows_are_told_in_any_order_and_days_are_not() {
        for feature in
            [|i, _| ((i * 7) % 40 + 100) as f64, |i, _| i as f64] as [fn(usize, f64) -> f64; 2]
        {
            let text = warnings(feature);
            assert!(
                text.contains("warning: the feature \"x1\" has each whole number of a range once"),
                "{text}"
            );
            assert!(text.contains("`drop` \"x1\""), "{text}");
        }
        let steps = |step: f64| {
            let text: String = (0..40)
                .map(|i| format!("{},{}\n", 3.0 + step * ((i * 7) % 40) as f64, (i * 17) % 40))
                .collect();
            let cells = Cells::parse("my.csv", format!("x1,y\n{text}").as_bytes()).unwrap();
            let found = suspicions(&OwnTable::new(&cells, "y", &[]).unwrap());
            let told = found.into_iter().filter(|finding| finding.topic == Topic::RowNumber);
            told.map(|finding| finding.severity).collect::<Vec<_>>()
        };
        assert_eq!(
            [1.0, 2.0, 5.0].map(steps),
            [const { [super::super::finding::Severity::Warning] }; 3].map(Vec::from)
        );
        let ids = warnings(|i, _| 100_000.0 + ((i * 7) % 40) as f64 * 37.0 + (i % 3) as f64);
        assert!(
            ids.starts_with(
                "note: the feature \"x1\" has another whole number in nearly every row"
            ),
            "{ids}"
        );
        assert_eq!(warnings(|i, _| ((i * 7) % 39) as f64 * 2.0), "", "two rows have one number");
        assert_eq!(warnings(|i, _| ((i * 7) % 40) as f64 * 2.5), "", "not whole");
        let compact = warnings(|i, _| (20_240_101 + (i * 7) % 28 + 100 * (i % 2)) as f64);
        assert!(
            compact.starts_with("warning: the feature \"x1\" looks like dates written as 20240101"),
            "{compact}"
        );
        let day = |i: usize| format!("2024-{:02}-{:02}", 1 + i / 31, 1 + i % 31);
        assert_eq!(file_warnings((0..40).map(|i| (day(i), ((i * 17) % 40) as f64 * 1.5))), "");
    }

    #[test]
    fn a_table_pasted_several_times_is_warnings() {
        let row = |i: usize| (((i * i) % 7 + i).to_string(), ((i * 13) % 20) as f64 + 0.5);
        let found = file_warnings((0..60).map(|i| row(i % 20)));
        assert!(
            found.starts_with(
                "warning: the table has every row 3 times, target included: copies stay on"
            ),
            "{found}"
        );
        assert!(found.contains("count copies as rows of their own, and are too short"), "{found}");
    }

    #[test]
    fn a_table_that_was_pasted_and_then_numbered_is_warnings() {
        let row = |i: usize| {
            format!("{i},{},{}\n", (i % 20 * (i % 20)) % 7, ((i % 20 * 13) % 20) as f64 + 0.5)
        };
        let text: String = (0..40).map(row).collect();
        let cells = Cells::parse("my.csv", format!("n,x,y\n{text}").as_bytes()).unwrap();
        let found = suspicions(&OwnTable::new(&cells, "y", &[]).unwrap());
        let told = found[0].text.to_string();
        assert!(
            told.starts_with(
                "the table has every row 2 times, target included, but for \"n\", which numbers"
            ),
            "{told}"
        );
        assert!(told.contains("`drop` \"n\", or copies stand on both sides"), "{told}");
    }
}
