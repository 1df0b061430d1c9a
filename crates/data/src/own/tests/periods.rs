//! Weeks, quarters, months and short years as dates; clock times in words; codes, classes and
//! remarks of a whole table.

use super::ordinary::column;
use super::*;
use crate::own::finding::Topic;

/// 60 rows of the columns `c`, `x` and `y`, the first with these cells.
fn rows(cell: impl Fn(usize) -> String) -> String {
    let line = |i: usize| format!("{},{}.5,{}.25\n", cell(i), i * 7 % 31, i * 37 % 59);
    "c,x,y\n".to_owned() + &(0..60).map(line).collect::<String>()
}

/// The grave findings about the column `c`, by topic.
fn warned(found: &OwnTable) -> Vec<Topic> {
    let is_warning = |finding: &&Finding| {
        finding.severity == Severity::Warning && finding.columns.contains(&"c".to_owned())
    };
    found.findings.iter().filter(is_warning).map(|finding| finding.topic).collect()
}

/// Year, month and day of row i of a table of two years, in no order.
fn day(i: usize) -> (usize, usize, usize) {
    (2021 + i % 2, 1 + i * 5 % 12, 1 + i * 11 % 28)
}

#[test]
fn weeks_quarters_and_months_are_days() {
    let days = |cell: fn(usize) -> String| {
        let found = own(&rows(cell)).unwrap();
        assert_eq!(warned(&found), [], "{}", cell(3));
        assert!(
            !found.table.feature_names.iter().any(|name| name.contains("weekday")),
            "{}",
            cell(3)
        );
        column(&found, "c (days since 1970-01-01)")
    };
    let months = days(|i| format!("{}-{:02}", day(i).0, day(i).1));
    const NAMES: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    for cell in [
        (|i| format!("{} {}", NAMES[day(i).1 - 1], day(i).0)) as fn(usize) -> String,
        |i| format!("{}-{}", NAMES[day(i).1 - 1], day(i).0 % 100),
        |i| format!("{} '{}", NAMES[day(i).1 - 1], day(i).0 % 100),
        |i| format!("{}-{}", day(i).0 % 100, NAMES[day(i).1 - 1]),
        |i| format!("{}{}", NAMES[day(i).1 - 1], day(i).0),
        |i| format!("{:02}/{}", day(i).1, day(i).0),
        |i| format!("{:02}-{}", day(i).1, day(i).0),
        |i| format!("{:02}.{}", day(i).1, day(i).0),
    ] {
        assert_eq!(days(cell), months, "{}", cell(3));
    }
    let weeks = days(|i| format!("{}-W{:02}", day(i).0, 1 + i % 52));
    assert_eq!((weeks[0], weeks[1]), (18_631.0, 19_002.0));
    for cell in [
        (|i| format!("{}W{:02}", day(i).0, 1 + i % 52)) as fn(usize) -> String,
        |i| format!("KW {:02}/{}", 1 + i % 52, day(i).0),
        |i| format!("W{:02} {}", 1 + i % 52, day(i).0),
    ] {
        assert_eq!(days(cell), weeks, "{}", cell(3));
    }
    let quarters = days(|i| format!("{}-Q{}", day(i).0, 1 + i % 4));
    assert_eq!(quarters[..2], [18_628.0, 19_083.0]);
    for cell in [(|i| format!("Q{} {}", 1 + i % 4, day(i).0)) as fn(usize) -> String, |i| {
        format!("{}Q{}", 1 + i % 4, day(i).0 % 100)
    }] {
        assert_eq!(days(cell), quarters, "{}", cell(3));
    }
    // With its day, a week has a weekday.
    let found = own(&rows(|i| format!("{}-W{:02}-{}", day(i).0, 1 + i % 52, 1 + i % 7))).unwrap();
    assert_eq!(column(&found, "c (weekday from Monday)")[..3], [1.0, 2.0, 3.0]);
}

#[test]
fn months_with_days_and_no_year_are_told() {
    let found = own(&rows(|i| format!("May-{:02}", 1 + i % 30))).unwrap();
    assert_eq!(warned(&found), [Topic::Stopped]);
    let open =
        own(&rows(|i| format!("{}-{:02}", ["May", "Jun", "Jan"][i % 3], 2 + i * 5 % 17))).unwrap();
    assert_eq!(warned(&open), [Topic::DateOrder]);
    let words = own(&rows(|i| ["may", "june", "soon"][i % 3].to_owned())).unwrap();
    assert_eq!(warned(&words), []);
}

#[test]
fn short_years_are_found_over_the_whole_column() {
    let read = |cell: &dyn Fn((usize, usize, usize)) -> String| {
        let found = own(&rows(|i| cell(day(i)))).unwrap();
        (column(&found, "c (days since 1970-01-01)"), warned(&found))
    };
    let (iso, _) = read(&|(y, m, d)| format!("{y}-{m:02}-{d:02}"));
    for mark in ["-", "/", "."] {
        let year_first = read(&|(y, m, d)| format!("{:02}{mark}{m:02}{mark}{d:02}", y % 100));
        assert_eq!(year_first, (iso.clone(), Vec::new()), "year first, {mark}");
        let day_first = read(&|(y, m, d)| format!("{d:02}{mark}{m:02}{mark}{:02}", y % 100));
        assert_eq!(day_first, (iso.clone(), Vec::new()), "day first, {mark}");
        let month_first = read(&|(y, m, d)| format!("{m:02}{mark}{d:02}{mark}{:02}", y % 100));
        assert_eq!(month_first, (iso.clone(), Vec::new()), "month first, {mark}");
    }
    let new = own(&rows(|i| format!("{:02}-{:02}-{}", day(i).2, day(i).1, day(i).0 % 100)))
        .unwrap()
        .encoding;
    let found =
        new.new_features(&parse("c,x\n28-02-22,1\n2022-02-28,1\n28.02.2022,1\n").unwrap()).unwrap();
    assert_eq!(found.features.column(0).to_vec(), [19_051.0; 3]);
}

#[test]
fn clock_times_in_words_are_hours() {
    let hours = |cell: fn(usize) -> String| {
        let found = own(&rows(cell)).unwrap();
        assert_eq!(warned(&found), [], "{}", cell(3));
        column(&found, "c")
    };
    let plain = hours(|i| format!("{:02}:{:02}", i % 24, i * 7 % 60));
    for cell in [
        (|i| format!("{:02}.{:02} Uhr", i % 24, i * 7 % 60)) as fn(usize) -> String,
        |i| format!("{}:{:02} Uhr", i % 24, i * 7 % 60),
        |i| format!("{}h{:02}", i % 24, i * 7 % 60),
        |i| format!("{:02}.{:02} h", i % 24, i * 7 % 60),
        |i| format!("{} h {} min", i % 24, i * 7 % 60),
        |i| {
            format!(
                "{}.{:02} {}",
                1 + (i % 24 + 11) % 12,
                i * 7 % 60,
                if i % 24 < 12 { "a.m." } else { "p.m." }
            )
        },
    ] {
        assert!(hours(cell).iter().zip(&plain).all(|(a, b)| (a - b).abs() < 1e-12), "{}", cell(3));
    }
    let decimals = own(&rows(|i| format!("{}.{:02} h", 3 + i % 9, i * 17 % 100))).unwrap();
    assert_eq!((column(&decimals, "c")[1], warned(&decimals)), (4.17, Vec::new()));
    let open = own(&rows(|i| format!("{}.{:02} h", 3 + i % 9, i * 17 % 60))).unwrap();
    assert_eq!(warned(&open), [Topic::Hours]);
    let text = "x,y\n".to_owned()
        + &(0..30).map(|i| format!("{},{}.30 Uhr\n", i * 7 % 11, i % 24)).collect::<String>();
    assert_eq!(own(&text).unwrap().table.target[14], 14.5);
}

#[test]
fn na_beside_empty_cells_of_a_category_is_told() {
    let na = |word: &'static str| own(&rows(|i| [word, "EU", "", "AS"][i % 4].to_owned())).unwrap();
    for word in ["NA", "n/a", "N/A"] {
        assert_eq!(warned(&na(word)), [Topic::Missing], "{word}");
    }
    assert_eq!(warned(&na("nan")), []);
    assert_eq!(warned(&own(&rows(|i| ["NA", "EU", "AS"][i % 3].to_owned())).unwrap()), []);
    assert_eq!(warned(&own(&rows(|i| ["", "EU", "AS"][i % 3].to_owned())).unwrap()), []);
    assert_eq!(
        warned(
            &own(&rows(|i| ["NA".into(), String::new(), i.to_string()][i % 3].clone())).unwrap()
        ),
        [],
        "numbers"
    );
    let text = rows(|i| ["NA", "EU", ""][i % 3].to_owned());
    let stated = CellRules { level_na: vec!["c".into()], ..CellRules::default() };
    let found = OwnTable::with_rules(&parse(&text).unwrap(), "y", &[], None, &stated).unwrap();
    assert_eq!(warned(&found), []);
    let new = found.encoding.new_features(&parse("c,x\nNA,1\nna,1\nNa,1\n,1\n").unwrap()).unwrap();
    assert!(
        (1..3).all(|row| new.features.row(row) == new.features.row(0))
            && new.features.row(3) != new.features.row(0)
    );
}

#[test]
fn codes_with_zeros_before_them_stay_text_or_are_told() {
    let names = |cell: fn(usize) -> String| {
        let found = own(&rows(cell)).unwrap();
        (
            found.table.feature_names.iter().filter(|name| name.starts_with("c=")).count(),
            warned(&found),
        )
    };
    assert_eq!(
        names(|i| ["00501", "10001", "02134", "90210"][i % 4].into()),
        (3, vec![]),
        "postal codes are levels"
    );
    assert_eq!(names(|i| format!("{:02}", [1, 13, 75, 93][i % 4])), (3, vec![]), "departments");
    assert_eq!(names(|i| format!("{:05}", 501 + 1013 * i)), (0, vec![Topic::Codes]), "many");
    assert_eq!(names(|i| ["01", "1", "7", "07"][i % 4].into()), (3, vec![]));
    assert_eq!(names(|i| ["1E2", "2E3", "12", "17"][i % 4].into()), (0, vec![Topic::Codes]));
    // Honest numbers.
    assert_eq!(names(|i| if i == 7 { "007".into() } else { (3 * i).to_string() }), (0, vec![]));
    assert_eq!(names(|i| format!("{:02}", i % 24)), (0, vec![]), "hours");
    assert_eq!(names(|i| format!("0.{}", i % 7)), (0, vec![]));
    assert_eq!(names(|i| format!("{:06.2}", 0.25 * i as f64)), (0, vec![]));
}

#[test]
fn a_target_of_words_is_said_to_be_of_classes() {
    let classes = |words: &[&str]| {
        let line = |i: usize| format!("{},{}\n", i * 7 % 31, words[i % words.len()]);
        match own(&format!("x,y\n{}", (0..60).map(line).collect::<String>())) {
            Err(OwnError::Classes { column, classes, .. }) => Some((column, classes)),
            _ => None,
        }
    };
    for words in [
        ["yes", "no"],
        ["true", "false"],
        ["M", "F"],
        ["TRUE", "FALSE"],
        ["ja", "nein"],
        ["male", "female"],
    ] {
        assert_eq!(classes(&words), Some(("y".to_owned(), 2)), "{words:?}");
    }
    assert_eq!(classes(&["low", "high", "mid", "high", "low"]), Some(("y".to_owned(), 3)));
    assert_eq!(classes(&["yes", "no", "", "no"]), Some(("y".to_owned(), 2)), "some missing");
    for words in [
        &["1", "0"][..],
        &["1.5", "2,5"],
        &["7:30", "8:15"],
        &["1 kg", "2 kg"],
        &["5 %", "6 %"],
        &["14 Uhr", "15 Uhr"],
    ] {
        assert_eq!(classes(words), None, "{words:?}");
    }
}

#[test]
fn lines_around_a_table_are_no_rows() {
    let plain = own(&small(|_, cells| cells)).unwrap().table;
    let text = small(|_, cells| cells);
    let (header, body) = text.split_once('\n').unwrap();
    for (text, topic) in [
        (format!("Report 2024,,\nCreated,12.3.2024,\n,,\n{text}"), Topic::Sheet),
        (format!("Station,Bern,2024\n,,\n{text}"), Topic::Sheet),
        (format!("Station,Bern,2024\n\n{text}"), Topic::Sheet),
        (format!("{text}Total\n"), Topic::Footer),
        (format!("{text}Source: office of statistics\n"), Topic::Footer),
        (format!("{text}(20 rows affected)\n"), Topic::Footer),
        (format!("{text}-- end\n"), Topic::Footer),
        (format!("{text}\nQuelle: Amt,Stand Mai,\n"), Topic::Footer),
        (format!("{text},,\nLegend,,\nred = hot,,\n"), Topic::BlankRows),
        (format!("{header}\nint,str,float\n{body}"), Topic::Types),
        (format!("{header}\n<dbl>,<chr>,<dbl>\n{body}"), Topic::Types),
        (format!("{header}\n---,---,---\n{body}"), Topic::Types),
        (format!("{text}X,Colour,Y\n"), Topic::RepeatedHeader),
    ] {
        let cells = parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(
            cells.findings().iter().any(|finding| finding.topic == topic),
            "{text} {:?}",
            cells.findings()
        );
        assert_eq!(OwnTable::new(&cells, "y", &[]).unwrap().table, plain, "{text}");
    }
    // A line that was cut is an error.
    for cut in ["7,red", "7"] {
        assert!(matches!(parse(&format!("{text}{cut}\n")), Err(OwnError::Ragged { .. })), "{cut}");
    }
}

#[test]
fn utf_16_without_a_mark_is_read() {
    let text = small(|_, cells| cells).replace("red", "größer").replace("x,", "Тверь,");
    let expected = own(&text).unwrap().table;
    for swap in [false, true] {
        let bytes: Vec<u8> = text
            .encode_utf16()
            .flat_map(|unit| if swap { unit.to_be_bytes() } else { unit.to_le_bytes() })
            .collect();
        let cells = Cells::parse("my.csv", &bytes).unwrap();
        assert!(cells.findings().iter().any(|finding| finding.topic == Topic::Encoding));
        assert_eq!(OwnTable::new(&cells, "y", &[]).unwrap().table, expected);
    }
    assert!(Cells::parse("my.csv", b"x,y\n1,\0\n").is_err());
}

#[test]
fn indian_groups_are_thousands() {
    let found =
        own(&rows(|i| format!("\"{},{:02},{:03}\"", 1 + i % 30, i * 7 % 100, i * 37 % 1000)))
            .unwrap();
    assert_eq!(column(&found, "c")[1], 207_037.0);
}
