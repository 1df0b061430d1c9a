//! Comments that look like rows, times with an offset from UTC, numbers with a unit.

use super::ordinary::{column, says};
use super::*;

#[test]
fn a_comment_with_as_many_cells_as_the_header_has_text_where_rows_have_numbers() {
    let plain = small(|_, cells| cells);
    let with = |line: &str| own(&(plain.clone() + line + "\n"));
    for line in ["# a,b,c", "#1,red,2", "# checked, by hand, in May", "%,,"] {
        let found = with(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(found.table, own(&plain).unwrap().table, "{line}");
        assert!(
            says(&found, "1 comment line that begins with # or % left out"),
            "{line}: {:?}",
            found.findings
        );
        let warning = "1 of the lines that begin with # or % have all cells of a row, the first in \
                       line 22: they are left out";
        assert!(says(&found, warning), "{line}: {:?}", found.findings);
    }
    let short = own(&(plain.clone() + "# checked\n")).unwrap();
    assert!(!says(&short, "have all cells of a row"), "{:?}", short.findings);
    let named = |name: fn(usize) -> String| small(|i, [x, _, y]| [name(i), x, y]);
    // A name may begin with a mark where no row has a number.
    let found = own(&named(|i| ["#red", "blue"][i % 2].into())).unwrap();
    assert_eq!((found.table.rows(), column(&found, "x=blue")[1]), (20, 1.0));
    let found =
        own(&(named(|i| ["red", "blue"][i % 2].into()) + "#red,1,2\n#red,one,two\n")).unwrap();
    assert_eq!(found.table.rows(), 21, "the second one has text in place of numbers");
    let error = error_message(&(plain + "a,b,c\n"));
    assert!(error.contains("line 22, column \"y\": found \"c\", expected a number"), "{error}");
}

#[test]
fn times_with_an_offset_are_read() {
    let at = |offset: fn(usize) -> &'static str| {
        own(&small(|i, [x, _, y]| {
            [x, format!("2024-03-{:02}T{:02}:00:00{}", 20 + i / 2, i, offset(i)), y]
        }))
        .unwrap()
    };
    let plain = at(|_| "");
    let same = at(|_| "+02:00");
    assert_eq!(same.table, plain.table, "all by one clock");
    assert!(
        says(&same, "is read as dates (year, month, day; all by the clock of +02:00)"),
        "{:?}",
        same.findings
    );
    let differ = at(|i| if i < 10 { "+01:00" } else { "+02:00" });
    let hours = |found: &OwnTable| column(found, "colour (hour)");
    let shift = |i: usize| if i < 10 { 1.0 } else { 2.0 };
    assert!(
        (1..20).all(|i| hours(&differ)[i] == hours(&plain)[i] - shift(i)),
        "{:?}",
        hours(&differ)
    );
    assert!(
        says(&differ, "different offsets from UTC (+01:00, +02:00): they are converted to UTC"),
        "{:?}",
        differ.findings
    );
}

#[test]
fn a_category_of_which_nearly_all_cells_are_dates_is_a_warning() {
    let dates = |last: &'static str| {
        let day = move |i: usize| {
            if i == 19 { last.to_owned() } else { format!("2024-03-{:02}", 1 + i % 5) }
        };
        own(&small(|i, [x, _, y]| [x, day(i), y])).unwrap()
    };
    let stopped = |found: &OwnTable| {
        found.findings.iter().find(|finding| finding.topic == Topic::Stopped).cloned()
    };
    assert_eq!(stopped(&dates("2024-03-09")), None);
    for wrong in ["0000-00-00", "soon"] {
        let found = stopped(&dates(wrong)).unwrap();
        assert_eq!(
            (found.severity, &found.columns[..]),
            (Severity::Warning, &["colour".to_owned()][..])
        );
        assert!(
            found.text.to_string().contains(wrong) && found.text.to_string().contains("line 21"),
            "{found}"
        );
    }
}

#[test]
fn few_numbers_with_a_currency_or_a_per_cent_sign_are_numbers() {
    for (text, expected) in [("$400", 400.0), ("5 %", 5.0), ("R$ 2", 2.0)] {
        let found = own(&small(|i, [x, _, y]| {
            [x, if i % 2 == 0 { text.into() } else { text.replace(char::is_numeric, "1") }, y]
        }));
        let found = found.unwrap();
        assert_eq!(
            (found.table.feature_names.len(), column(&found, "colour")[0]),
            (2, expected),
            "{text}"
        );
    }
}

#[test]
fn numbers_with_one_unit_are_read() {
    let found = own(&small(|i, [_, _, y]| {
        [format!("Rs. {}", 100 + i), format!("{i} kg"), format!("{y} km")]
    }))
    .unwrap();
    assert_eq!(found.table.feature_names, ["x", "colour"]);
    assert_eq!(
        (column(&found, "x")[3], column(&found, "colour")[3], found.table.target[3]),
        (103.0, 3.0, 1.5)
    );
    assert!(says(&found, "\"Rs. 100\" is read as 100"), "{:?}", found.findings);
    assert!(says(
        &found,
        "the column \"colour\" is numbers with the unit \"kg\": \"0 kg\" is read as 0"
    ));
    assert!(says(
        &found,
        "the target \"y\" is numbers with the unit \"km\": \"0 km\" is read as 0"
    ));
    let new = found
        .encoding
        .new_features(&parse("x,colour\nRs. 5,2 kg\nRs. 5,2 lb\nRs. 5,\n").unwrap())
        .unwrap();
    assert_eq!(new.features.row(0).to_vec(), [5.0, 2.0]);
    assert!(new.features[(1, 1)].is_nan() && new.reasons[1].is_some());
    // Units that differ are text.
    let found = own(&small(|i, [x, _, y]| [x, format!("{i} {}", ["kg", "lb"][i % 2]), y])).unwrap();
    assert_eq!(found.table.feature_names, ["x"]);
}
