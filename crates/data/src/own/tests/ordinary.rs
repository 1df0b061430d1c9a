//! Ordinary files: missing values, numbers as people write them, dates, names, repeated headers.

use super::*;

/// Whether a sentence on the table has this part.
pub(super) fn says(found: &OwnTable, part: &str) -> bool {
    found.findings.iter().any(|finding| finding.text.to_string().contains(part))
}

pub(super) fn column(found: &OwnTable, name: &str) -> Vec<f64> {
    let place = found.table.feature_names.iter().position(|known| known == name);
    found
        .table
        .features
        .column(place.unwrap_or_else(|| panic!("{:?}", found.table.feature_names)))
        .to_vec()
}

#[test]
fn missing_numbers_are_nan_and_a_feature_says_where() {
    let usual = [
        "", "NA", "NaN", "null", "?", "n/a", "-", ".", "None", "#N/A", "n.a.", "\\N", "(null)",
        "#DIV/0!", "\u{2014}",
    ];
    for word in usual {
        let found =
            own(&small(|i, [x, c, y]| [if i == 4 { word.into() } else { x }, c, y])).unwrap();
        assert_eq!(
            found.table.feature_names,
            ["x", "x is missing", "colour=green", "colour=red"],
            "{word}"
        );
        let (x, missing) = (column(&found, "x"), column(&found, "x is missing"));
        assert!(
            x.iter().enumerate().all(|(i, x)| if i == 4 {
                x.is_nan()
            } else {
                *x == (i * i) as f64
            }),
            "{word}"
        );
        assert!(
            missing.iter().enumerate().all(|(i, is_missing)| *is_missing == f64::from(i == 4)),
            "{word}"
        );
        assert!(says(&found, "\"x\" is missing in 1 row"), "{:?}", found.findings);
    }
}

#[test]
fn a_missing_category_is_a_level_of_its_own() {
    let found = own(&small(|i, [x, c, y]| [x, if i == 1 { String::new() } else { c }, y])).unwrap();
    assert_eq!(found.table.feature_names, ["x", "colour=green", "colour=red", "colour is missing"]);
    assert_eq!(found.table.features.row(1).to_vec(), [1.0, 0.0, 0.0, 1.0]);
    // A word that is a category by the number of its rows stays one.
    let found =
        own(&small(|i, [x, c, y]| [x, if i % 3 == 0 { "None".into() } else { c }, y])).unwrap();
    assert_eq!(found.table.feature_names, ["x", "colour=blue", "colour=green"]);
}

#[test]
fn rows_without_a_target_are_left_out_aloud() {
    let found = own(&(small(|_, cells| cells) + "5,red,NA\n6,pink,\n")).unwrap();
    assert_eq!(found.table.rows(), 20);
    assert_eq!(
        found.table.feature_names,
        ["x", "colour=green", "colour=red"],
        "their levels are not known"
    );
    assert!(says(&found, "2 rows have no target"), "{:?}", found.findings);
}

#[test]
fn an_empty_column_and_a_column_of_names_are_left_out_aloud() {
    let found = own(&small(|i, [_, _, y]| [String::new(), format!("mile {i}"), y])).unwrap_err();
    assert!(
        found
            .to_string()
            .contains("found no usable feature: every column is empty, constant, or text"),
        "{found}"
    );
    let found = own(&small(|i, [x, _, y]| [x, format!("name {i}"), y])).unwrap();
    assert_eq!(found.table.feature_names, ["x"]);
    assert!(says(&found, "\"colour\" is text with 20 different values in 20 rows: it is left out"));
}

#[test]
fn rare_levels_of_a_category_are_one() {
    // 51 levels; w50 is the rarest, w0 to w48 the most frequent, in the order of their names.
    let level = |i: usize| if i < 3 { i + 48 } else { i % 48 };
    let text: String = (0..1000).map(|i| format!("w{:02},{i}\n", level(i))).collect();
    let found = own(&format!("a,y\n{text}")).unwrap();
    assert_eq!(found.table.columns(), 49);
    assert_eq!(column(&found, "a=w48")[..3], [1.0, 0.0, 0.0]);
    assert_eq!(column(&found, "a=any other")[..4], [0.0, 1.0, 1.0, 0.0]);
    let new = found.encoding.features(&parse("a\nw50\nunseen\nw00\n").unwrap()).unwrap();
    assert_eq!(new.column(48).to_vec(), [1.0, 1.0, 0.0], "an unseen level is one of the others");
}

#[test]
fn dates_become_numbers() {
    let day = |i: usize| format!("2024-{:02}-{:02}", 1 + i / 15, 1 + i % 15);
    let found = own(&small(|i, [x, _, y]| [x, day(i), y])).unwrap();
    assert_eq!(
        found.table.feature_names[1..],
        ["days since 1970-01-01", "day of the year", "weekday from Monday"]
            .map(|part| format!("colour ({part})"))
    );
    assert_eq!(
        found.table.features.row(0).to_vec(),
        [0.0, 19_723.0, 1.0, 1.0],
        "2024-01-01 is a Monday"
    );
    assert!(says(&found, "read as dates (year, month, day)"), "{:?}", found.findings);
    // Only month first is sorted; day first would be as well a calendar's.
    let slashes = |i: usize| format!("{:02}/{:02}/2024", 1 + i / 4, 1 + i % 4);
    let found = own(&small(|i, [x, _, y]| [x, slashes(i), y])).unwrap();
    assert!(says(&found, "read as dates (month, day, year)"), "{:?}", found.findings);
    assert!(says(&found, "may also be read as day, month, year"), "{:?}", found.findings);
}

#[test]
fn a_repeated_name_is_told_and_can_be_left_out() {
    let text = small(|_, cells| cells).replace("x,colour,y", "x,x,y");
    let found = own(&text).unwrap();
    assert_eq!(found.table.feature_names, ["x", "x (2)=green", "x (2)=red"]);
    assert!(says(&found, "column 2 is called \"x (2)\""), "{:?}", found.findings);
    for name in ["x (2)", "column 2"] {
        let kept = OwnTable::new(&parse(&text).unwrap(), "y", &[name.into()]).unwrap();
        assert_eq!(kept.table.feature_names, ["x"]);
    }
    let names = parse("x,x (2),x,x\n1,2,3,4\n").unwrap().names().to_vec();
    assert_eq!(names, ["x", "x (2)", "x (3)", "x (4)"]);
    let error = parse(&text).unwrap().refuse_repeated_names().unwrap_err().to_string();
    assert!(
        error.contains("column \"x\": found this name as column 1 and as column 2 of the header"),
        "{error}"
    );
}

#[test]
fn comment_lines_are_left_out_and_counted() {
    let found =
        own(&("# by hand\n#\n".to_owned() + &small(|_, cells| cells) + "# the end\n")).unwrap();
    assert_eq!(found.table, own(&small(|_, cells| cells)).unwrap().table);
    assert!(
        says(&found, "3 comment lines that begin with # or % left out"),
        "{:?}",
        found.findings
    );
    let message = error_message(
        &("# by hand\n".to_owned()
            + &small(|i, [x, c, y]| [x, c, if i == 0 { "a".into() } else { y }])),
    );
    assert!(message.starts_with("my.csv, line 3, column \"y\""), "{message}");
}

#[test]
fn new_rows_that_cannot_be_answered_stop_no_other() {
    let encoding =
        own(&small(|i, [x, c, y]| [if i == 0 { "NA".into() } else { x }, c, y])).unwrap().encoding;
    let text = b"x,colour\n1,red\n2,pink\nNA,green\nmany,red\n3,\n4\n";
    let new = Cells::parse_new("my.csv", text, &FileFormat::default()).unwrap();
    let found = encoding.new_features(&new).unwrap();
    assert_eq!(found.features.row(0).to_vec(), [1.0, 0.0, 0.0, 1.0]);
    // Green and red have seven rows each, and green is the first by name.
    assert_eq!(found.features.row(1).to_vec(), [2.0, 0.0, 1.0, 0.0]);
    assert!(found.features[(2, 0)].is_nan());
    assert_eq!(found.features.row(2).to_vec()[1..], [1.0, 1.0, 0.0]);
    assert_eq!(found.features.row(3).to_vec(), [3.0, 0.0, 1.0, 0.0]);
    let told: Vec<String> = found.reasons.iter().flatten().map(ToString::to_string).collect();
    let blank: Vec<bool> = found.reasons.iter().map(Option::is_some).collect();
    assert_eq!(blank, [false, false, false, true, false, true]);
    assert!(
        told[0].contains("line 5, column \"x\": found \"many\", expected a number"),
        "{told:?}"
    );
    assert!(told[1].contains("line 7: found 1 cell, expected 2 as in the header"), "{told:?}");
    let notes: Vec<&str> = found.notes.iter().flatten().map(String::as_str).collect();
    assert!(
        notes[0].contains(
            "\"colour\" has the unseen level \"pink\": the most frequent level, \"green\","
        ),
        "{notes:?}"
    );
    assert!(
        notes.len() == 2 && notes[1].contains("\"colour\" is missing: the most frequent level"),
        "{notes:?}"
    );
    assert_eq!(found.findings.len(), 2);
}

#[test]
fn a_number_that_only_new_rows_miss_is_left_to_the_fit() {
    let encoding = own(&small(|_, cells| cells)).unwrap().encoding;
    let found = encoding.new_features(&parse("x,colour\n-,red\n1,red\n").unwrap()).unwrap();
    assert!(found.features[(0, 0)].is_nan() && found.features[(1, 0)] == 1.0);
    assert_eq!(found.reasons, [None, None]);
    assert!(
        found.notes[0].as_ref().unwrap().contains("\"x\" is missing: the median is filled in"),
        "{:?}",
        found.notes
    );
    assert!(
        found.findings[0]
            .text
            .to_string()
            .contains("\"x\" is missing in 1 new row, and in none of the rows")
    );
}

#[test]
fn words_for_missing_values_are_one_level_of_a_category() {
    let words = ["-", ".", "#N/A", "n.a.", "", "NA", "NaN", "null", "#DIV/0!", "\u{2014}"];
    let found =
        own(&small(|i, [x, c, y]| [x, if i < 10 { words[i].into() } else { c }, y])).unwrap();
    assert_eq!(found.table.feature_names, ["x", "colour=green", "colour=red", "colour is missing"]);
    assert_eq!(column(&found, "colour is missing"), [[1.0; 10], [0.0; 10]].concat());
    assert!(says(
        &found,
        "\"colour\" has \"#DIV/0!\" in 1 row, \"\u{2014}\" in 1 row: taken as missing"
    ));
    // A sign is a level, and so is one level beside missing cells.
    let found = own(&small(|i, [x, _, y]| [x, ["+", "-"][i % 2].into(), y])).unwrap();
    assert_eq!(found.table.feature_names, ["x", "colour=-"]);
    let found = own(&small(|i, [x, _, y]| [x, ["yes", ""][i % 2].into(), y])).unwrap();
    assert_eq!(found.table.feature_names, ["x", "colour is missing"]);
    assert!(says(&found, "is \"yes\" in every row that does not miss it"), "{:?}", found.findings);
}

#[test]
fn failed_formulas_and_dashes_are_missing_aloud() {
    let found = own(&small(|i, [x, c, y]| {
        [if i == 3 { "#VALUE!".into() } else { x }, c, if i == 5 { "#REF!".into() } else { y }]
    }));
    let found = found.map_err(|error| error.to_string());
    assert!(found.unwrap_err().contains("found 19 rows with a target (1 row has none)"));
    let text = small(|i, [x, c, y]| [if i == 3 { "#VALUE!".into() } else { x }, c, y]);
    let found = own(&(text + "#NULL!,red,#REF!\n")).unwrap();
    assert_eq!((found.table.rows(), column(&found, "x")[3].is_nan()), (20, true));
    assert!(says(
        &found,
        "the column \"x\" has \"#NULL!\" in 1 row, \"#VALUE!\" in 1 row: taken as missing"
    ));
    assert!(
        says(&found, "the column \"y\" has \"#REF!\" in 1 row: taken as missing"),
        "{:?}",
        found.findings
    );
}

#[test]
fn dates_of_other_forms_are_read() {
    let features = |day: &dyn Fn(usize) -> String| {
        let found = own(&small(|i, [x, _, y]| [x, format!("\"{}\"", day(i)), y])).unwrap();
        (
            found.table.feature_names[1..].to_vec(),
            column(&found, "colour (days since 1970-01-01)"),
            found,
        )
    };
    let (_, plain, _) = features(&|i| format!("2020-01-{:02}", i + 1));
    for form in [
        (|i| format!("01/{:02}/20", i + 1)) as fn(usize) -> String,
        |i| format!("{} January 2020", i + 1),
        |i| format!("Jan {:02}, 2020", i + 1),
        |i| format!("{:02}-JAN-20", i + 1),
        |i| format!("01/{:02}/2020 12:00 AM", i + 1),
    ] {
        let (_, days, found) = features(&form);
        assert_eq!(days, plain, "{:?}", found.findings);
    }
    let (names, days, _) = features(&|i| format!("{}-{:02}", 2000 + i / 12, 1 + i % 12));
    assert_eq!(
        names,
        ["colour (days since 1970-01-01)", "colour (day of the year)"],
        "no weekday of a month"
    );
    assert_eq!(days[..2], [10_957.0, 10_988.0], "January 2000 has 31 days");
    let found =
        own(&small(|i, [x, _, y]| [x, format!("{}-{:02}", 2000 + i % 8, 1 + i % 8), y])).unwrap();
    assert_eq!(found.table.feature_names[1], "colour=2001-02", "years from one to the next");
    let found = own(&small(|i, [x, _, y]| [x, format!("20-01-{:02}", i + 1), y])).unwrap();
    assert_eq!(
        column(&found, "colour (days since 1970-01-01)"),
        plain,
        "the year first, as the whole column shows"
    );
}

#[test]
fn files_of_other_programs_are_read() {
    let plain = own(&small(|_, cells| cells)).unwrap().table;
    let text = small(|_, cells| cells);
    let each =
        |of: &dyn Fn((usize, &str)) -> String| text.lines().enumerate().map(of).collect::<String>();
    for (name, text, part) in [
        (
            "Excel",
            format!("sep=;\n{}", text.replace(',', ";")),
            "the first line names the separator",
        ),
        (
            "a title",
            format!("Export of May 3\n\nby hand\n{text}"),
            "2 lines of one cell above the header left out",
        ),
        (
            "a comment",
            format!("% by hand\n{text}"),
            "1 comment line that begins with # or % left out",
        ),
        ("blanks", text.replace(',', "   "), "cells are separated by blanks"),
        (
            "R",
            each(&|(i, line)| {
                if i == 0 { format!("{line}\n") } else { format!("\"r{i}\",{line}\n") }
            }),
            "the header has no name for the first cell of each row: it is called \"row\"",
        ),
        (
            "trailing",
            each(&|(i, line)| format!("{line}{}\n", if i == 0 { "" } else { "," })),
            "\"colour\"",
        ),
    ] {
        let found = own(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(found.table, plain, "{name}");
        assert!(says(&found, part), "{name}: {:?}", found.findings);
    }
    assert_eq!(parse("\"a\" \"b c\"\n\"1\" 2 \"x y\"\n").unwrap().names(), ["row", "a", "b c"]);
    assert_eq!(parse("row;y\nu;1;2\nv;3;4\n").unwrap().names(), ["row (2)", "row", "y"]);
}

#[test]
fn a_typing_error_among_written_numbers_is_told_with_its_cell() {
    let wrong = |cell: fn(usize) -> String, wrong: &str| {
        let quoted = |i: usize| format!("\"{}\"", if i == 7 { wrong.to_owned() } else { cell(i) });
        error_message(&small(|i, [_, c, y]| [quoted(i), c, y]))
    };
    for cell in [
        |i| format!("{i},5"),
        |i| format!("1,{i:03}.5"),
        |i| format!("${i}"),
        |i| format!("{},5", i % 3),
    ] as [fn(usize) -> String; 4]
    {
        let message = wrong(cell, "abc");
        assert!(
            message.starts_with("my.csv, line 9, column \"x\": found \"abc\", expected a number"),
            "{message}"
        );
        assert!(
            message.contains("(the only cell of the column that is not a number): correct it"),
            "{message}"
        );
    }
    let message = wrong(|i| format!("{i},5"), "1e999");
    assert!(message.contains("found \"1e999\", expected a finite number"), "{message}");
    let message = error_message(&small(|i, [x, c, _]| {
        [x, c, if i == 7 { "abc".into() } else { format!("\"{i},5\"") }]
    }));
    assert!(
        message.contains("line 9, column \"y\": found \"abc\", expected a number such as 1.234,5"),
        "{message}"
    );
    // A few texts with per cent signs are a category, whatever the others are.
    let found = own(&small(|i, [x, _, y]| {
        [x, if i == 7 { "abc".into() } else { format!("{} %", i % 2) }, y]
    }));
    assert_eq!(found.unwrap().table.feature_names[1..], ["colour=1 %", "colour=abc"]);
}

#[test]
fn words_for_missing_numbers_are_no_levels_of_numbers() {
    for word in ["-", "None", "missing"] {
        let found = own(&small(|i, [_, c, y]| {
            [if i % 4 == 0 { word.into() } else { format!("{}", i % 3) }, c, y]
        }));
        let found = found.unwrap();
        assert_eq!(found.table.feature_names[..2], ["x", "x is missing"], "{word}");
        assert!(column(&found, "x")[0].is_nan() && column(&found, "x is missing")[0] == 1.0);
    }
    let found = own(&small(|i, [x, _, y]| [x, if i == 3 { "-".into() } else { String::new() }, y]))
        .unwrap();
    assert_eq!(found.table.feature_names, ["x"]);
    assert!(says(&found, "\"colour\" is empty: it is left out"), "{:?}", found.findings);
}

#[test]
fn a_few_days_are_dates_unless_all_are_the_same() {
    let found = own(&small(|i, [x, _, y]| [x, format!("2024-01-0{}", 1 + i % 3), y])).unwrap();
    assert_eq!(found.table.feature_names[1], "colour (days since 1970-01-01)");
    let found = own(&small(|_, [x, _, y]| [x, "2024-01-01".into(), y])).unwrap();
    assert_eq!(found.table.feature_names, ["x"]);
    let found = own(&small(|i, [x, _, y]| [x, ["2024-01-01", "later"][i % 2].into(), y])).unwrap();
    assert_eq!(found.table.feature_names[1..], ["colour=later"]);
}

#[test]
fn columns_that_miss_the_same_rows_share_one_feature() {
    let text = |misses: fn(usize) -> [bool; 2]| {
        small(|i, [x, _, y]| {
            let [first, second] = misses(i);
            let shown = |is_missing, text: String| if is_missing { String::new() } else { text };
            [shown(first, x), shown(second, format!("{}", i * 3 % 11)), y]
        })
    };
    let found = own(&text(|i| [i < 3, i < 3])).unwrap();
    assert_eq!(found.table.feature_names, ["x", "x is missing", "colour"]);
    assert!(
        says(&found, "\"colour\" is missing in 3 rows")
            && says(&found, "the feature \"x is missing\" says where")
    );
    assert!(column(&found, "colour")[2].is_nan());
    let new = found.encoding.features(&parse("x,colour\n1,\n,2\n").unwrap()).unwrap();
    assert!(new.row(0)[2].is_nan() && new.row(0)[1] == 0.0 && new.row(1)[1] == 1.0);
    let found = own(&text(|i| [i < 3, i < 4])).unwrap();
    assert_eq!(found.table.feature_names, ["x", "x is missing", "colour", "colour is missing"]);
}
