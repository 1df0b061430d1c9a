//! Dates in another order, spellings of levels, codes, points of thousands and the hour 24, in
//! tables and in new rows.

use super::ordinary::column;
use super::*;

/// The topic of each warning of these findings that names the column.
fn warned(findings: &[Finding], name: &str) -> Vec<Topic> {
    let is_of = |finding: &&Finding| {
        finding.severity == Severity::Warning && finding.columns.iter().any(|column| column == name)
    };
    findings.iter().filter(is_of).map(|finding| finding.topic).collect()
}

fn noted(findings: &[Finding], topic: Topic) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Note && finding.topic == topic)
}

/// The table of 60 rows with the column `v` and a target, which is separated by this character.
fn table(separator: char, cell: impl Fn(usize) -> String) -> OwnTable {
    let row = |i: usize| format!("{}{separator}{}\n", cell(i), (i * 17) % 41);
    let text = format!("v{separator}y\n{}", (0..60).map(row).collect::<String>());
    OwnTable::new(&parse(&text).unwrap(), "y", &[]).unwrap()
}

/// The features of new rows of the column `v` alone.
fn new(own: &OwnTable, cells: &[&str]) -> NewFeatures {
    let text = format!("v\n{}\n", cells.join("\n"));
    own.encoding
        .new_features(
            &Cells::parse_new("new.csv", text.as_bytes(), &FileFormat::default()).unwrap(),
        )
        .unwrap()
}

fn days(found: &NewFeatures) -> Vec<f64> {
    found.features.column(0).to_vec()
}

/// 60 days from 1 January 2022 in a form of year, month and day.
fn dated(form: fn(i32, usize, usize) -> String) -> OwnTable {
    table(',', |i| form(2022, 1 + i / 28, 1 + i % 28))
}

#[test]
fn new_dates_of_another_order_are_read_in_their_own_with_a_warning() {
    let iso = new(
        &dated(|y, m, d| format!("{y}-{m:02}-{d:02}")),
        &["2022-03-01", "2022-03-04", "2022-03-13"],
    );
    for (name, form) in [
        ("slashes", (|y, m, d| format!("{m:02}/{d:02}/{y}")) as fn(i32, usize, usize) -> String),
        ("dots", |y, m, d| format!("{m:02}.{d:02}.{y}")),
        ("dashes", |y, m, d| format!("{m:02}-{d:02}-{y}")),
        ("short", |y, m, d| format!("{m:02}/{d:02}/{}", y % 100)),
    ] {
        let own = dated(form);
        let swapped = new(&own, &["01/03/2022", "04/03/2022", "13/03/2022"]);
        assert_eq!(
            (days(&swapped), warned(&swapped.findings, "v")),
            (days(&iso), vec![Topic::DateOrder]),
            "{name}"
        );
        let same = new(&own, &["03/01/2022", "03/04/2022", "03/13/2022"]);
        assert_eq!((days(&same), warned(&same.findings, "v")), (days(&iso), vec![]), "{name}");
        let plain = new(&own, &["2022-03-01", "2022-03-04", "2022-03-13 00:00:00"]);
        assert_eq!(
            (days(&plain), warned(&plain.findings, "v")),
            (days(&iso), vec![]),
            "{name}: ISO"
        );
        let open = new(&own, &["03/01/2022", "03/04/2022"]);
        assert_eq!(
            (days(&open), warned(&open.findings, "v")),
            (
                days(&iso)[..2].to_vec(),
                if ["dots", "dashes"].contains(&name) { vec![Topic::DateOrder] } else { vec![] }
            ),
            "{name}: as the table, with a warning where another mark stands between"
        );
        let both = new(&own, &["01/03/2022", "13/03/2022", "03/13/2022", "2022-03-01"]);
        assert_eq!(
            both.reasons.iter().map(Option::is_some).collect::<Vec<_>>(),
            [true, true, true, false],
            "{name}"
        );
        assert_eq!(warned(&both.findings, "v"), [Topic::DateOrder], "{name}");
    }
}

#[test]
fn a_table_of_iso_dates_takes_new_dates_of_every_form() {
    let own = dated(|y, m, d| format!("{y}-{m:02}-{d:02}"));
    let expected = days(&new(&own, &["2022-03-01", "2022-03-13"]));
    for cells in [
        ["01.03.2022", "13.03.2022"],
        ["03/01/2022", "03/13/2022"],
        ["1 March 2022", "Mar 13 2022"],
        ["01/03/22", "13/03/22"],
        ["2022-03-01T00:00:00", "2022-03-13 00:00:00.000000000"],
    ] {
        let found = new(&own, &cells);
        assert_eq!(
            (days(&found), warned(&found.findings, "v")),
            (expected.clone(), vec![]),
            "{cells:?}"
        );
    }
    let open = new(&own, &["01/03/2022", "04/03/2022"]);
    assert_eq!(warned(&open.findings, "v"), [Topic::DateOrder], "nothing tells the order");
}

#[test]
fn columns_of_dates_share_the_order_of_their_file() {
    let row = |i: usize| {
        format!(
            "{:02}/{:02}/2022,0{}/0{}/2022,{}\n",
            1 + i % 28,
            1 + i / 28,
            1 + i % 9,
            1 + i % 7,
            i * 17 % 41
        )
    };
    let own = own(&format!("a,b,y\n{}", (0..60).map(row).collect::<String>())).unwrap();
    assert!(
        own.findings.iter().all(|finding| finding.topic != Topic::DateOrder),
        "{:?}",
        own.findings
    );
    let b = column(&own, "b (days since 1970-01-01)");
    assert_eq!(b[1], 19_025.0, "2 February 2022");
    // Of the new rows only the column a tells that the month is first.
    let found = own
        .encoding
        .new_features(&parse("a,b\n03/13/2022,03/01/2022\n03/14/2022,03/02/2022\n").unwrap())
        .unwrap();
    let place = own
        .table
        .feature_names
        .iter()
        .position(|name| name == "b (days since 1970-01-01)")
        .unwrap();
    assert_eq!(found.features.column(place).to_vec(), [19_052.0, 19_053.0], "1 and 2 March");
    assert_eq!(
        (warned(&found.findings, "a"), warned(&found.findings, "b")),
        (vec![Topic::DateOrder], vec![Topic::DateOrder])
    );
}

#[test]
fn iso_dates_may_stand_among_dates_of_another_form() {
    let own = table(',', |i| {
        if i % 5 == 0 {
            format!("2022-01-{:02}", 1 + i % 28)
        } else {
            format!("{:02}.01.2022", 1 + i % 28)
        }
    });
    let days = column(&own, "v (days since 1970-01-01)");
    assert!((0..60).all(|i| days[i] == 18_993.0 + (i % 28) as f64), "{days:?}");
    assert_eq!(warned(&own.findings, "v"), []);
}

#[test]
fn the_hour_24_is_the_start_of_the_next_day() {
    // Without a day beyond 12 the third form would have the day first.
    for (form, start) in [
        ((|d, h| format!("{d:02}.01.2024 {h:02}:00")) as fn(usize, usize) -> String, 19_723.0),
        (|d, h| format!("2024-01-{d:02}T{h:02}:00:00Z"), 19_723.0),
        (|d, h| format!("01/{:02}/2024 {h:02}:00:00", d + 12), 19_735.0),
        (|d, h| format!("{d} Jan 2024 {h:02}:00"), 19_723.0),
    ] {
        let own = table(',', |i| form(1 + i / 24, 1 + i % 24));
        let days = column(&own, "v (days since 1970-01-01)");
        assert!(
            (0..60).all(|i| (days[i] - start - (i + 1) as f64 / 24.0).abs() < 1e-9),
            "{days:?}"
        );
        assert_eq!(column(&own, "v (hour)")[22..25], [23.0, 0.0, 1.0]);
        assert!(!warned(&own.findings, "v").contains(&Topic::Stopped));
    }
    let row =
        |i: usize| format!("{:02}.01.2024 {:02}:00,{i},{}\n", 1 + i / 24, 1 + i % 24, i * 17 % 41);
    let cells = parse(&format!("t,x,y\n{}", (0..60).map(row).collect::<String>())).unwrap();
    let time = DependenceColumn { by: By::Time, column: "t".into(), keep: false };
    let own = OwnTable::dependent(&cells, "y", &[], Some(&time)).unwrap();
    assert_eq!(
        column(&own, "x"),
        (0..60).map(f64::from).collect::<Vec<_>>(),
        "in the order of time"
    );
    let hours = table(',', |i| (1 + i % 24).to_string());
    assert_eq!(column(&hours, "v")[23], 24.0);
}

#[test]
fn times_of_day_and_durations_are_hours() {
    for (cell, expected) in [
        ((|i| format!("{}:30", i % 24)) as fn(usize) -> String, 5.5),
        (|i| format!("{:02}:30:00", i), 5.5),
        (|i| format!("PT{i}H30M"), 5.5),
        (|i| if i % 2 == 0 { format!("{i}h") } else { format!("{i}h 30min") }, 5.5),
    ] {
        let own = table(',', cell);
        assert_eq!(
            (column(&own, "v")[5], warned(&own.findings, "v")),
            (expected, vec![]),
            "{}",
            cell(5)
        );
        assert_eq!(days(&new(&own, &["36:15", "PT1H", "1h 30min"])), [36.25, 1.0, 1.5]);
    }
    let target = own(&small(|i, [x, c, _]| [x, c, format!("0:{:02}:30", i)])).unwrap();
    assert!((target.table.target[6] - 6.5 / 60.0).abs() < 1e-12);
    let few = table(',', |i| ["08:00", "16:00"][i % 2].into());
    assert_eq!(few.table.feature_names, ["v"]);
}

#[test]
fn the_cell_that_stops_a_reading_is_named() {
    let stopped = |cell: &dyn Fn(usize) -> String| {
        let row = |i: usize| format!("{},{i},{}\n", cell(i), (i * 17) % 41);
        let own = own(&format!("v,x,y\n{}", (0..60).map(row).collect::<String>())).unwrap();
        let found =
            own.findings.into_iter().find(|finding| finding.topic == Topic::Stopped).unwrap();
        assert_eq!(
            (found.severity, &found.columns[..]),
            (Severity::Warning, &["v".to_owned()][..])
        );
        found.text.to_string()
    };
    for (cell, wrong) in [
        (
            (|i| format!("{:02}.{:02}.2024", 1 + i % 28, 1 + i / 28)) as fn(usize) -> String,
            "31.02.2024",
        ),
        (|i| format!("{:02}.01.2024 {:02}:00", 1 + i / 24, 1 + i % 24), "03.01.2024 24:30"),
        (|i| format!("{i}:30"), "7:75"),
    ] {
        let text = stopped(&|i| if i == 7 { wrong.into() } else { cell(i) });
        assert!(text.contains(wrong) && text.contains("line 9"), "{text}");
    }
    let text = stopped(&|i| {
        if i % 2 == 0 {
            format!("{}/03/2022", 13 + i % 9)
        } else {
            format!("03/{}/2022", 13 + i % 9)
        }
    });
    assert!(text.contains("13/03/2022") && text.contains("03/14/2022"), "{text}");
}

#[test]
fn spellings_of_true_and_false_are_one_level_in_new_rows() {
    for (words, others) in [
        (
            ["True", "False"],
            [
                ["TRUE", "FALSE"],
                ["true", "false"],
                ["T", "F"],
                ["1", "0"],
                ["yes", "no"],
                ["WAHR", "FALSCH"],
            ],
        ),
        (
            ["Y", "N"],
            [
                ["y", "n"],
                ["YES", "NO"],
                ["Yes", "No"],
                ["J", "N"],
                ["true", "false"],
                ["1.0", "0.0"],
            ],
        ),
        (
            ["ja", "nein"],
            [["JA", "NEIN"], ["Ja", "Nein"], ["J", "N"], ["true", "false"], ["1", "0"], ["y", "n"]],
        ),
        (
            ["1", "0"],
            [
                ["TRUE", "FALSE"],
                ["true", "false"],
                ["T", "F"],
                ["1.0", "0.0"],
                ["yes", "no"],
                ["1", "0"],
            ],
        ),
    ] {
        let own = table(',', |i| words[i % 3 % 2].into());
        let expected = new(&own, &words);
        assert_ne!(expected.features[(0, 0)], expected.features[(1, 0)]);
        for other in others {
            let found = new(&own, &other);
            assert_eq!(
                (&found.features, &found.notes),
                (&expected.features, &expected.notes),
                "{words:?} {other:?}"
            );
            assert_eq!(warned(&found.findings, "v"), []);
        }
        let unknown = new(&own, &[words[0], "perhaps"]);
        assert_eq!(
            unknown.reasons.iter().map(Option::is_some).collect::<Vec<_>>(),
            [false, true],
            "{words:?}"
        );
    }
}

#[test]
fn spellings_of_true_and_false_are_one_level_in_a_table() {
    let plain = table(',', |i| ["True", "False"][i % 3 % 2].into());
    let mixed =
        table(',', |i| [["True", "TRUE", "true", "True", "yes"][i % 5], "False"][i % 3 % 2].into());
    assert_eq!(
        (&mixed.table.features, &mixed.table.feature_names),
        (&plain.table.features, &plain.table.feature_names)
    );
    assert!(noted(&mixed.findings, Topic::Levels) && !noted(&plain.findings, Topic::Levels));
    let letters = table(',', |i| ["T", "F", "N", "Y"][i % 4].into());
    assert_eq!(letters.table.columns(), 3, "four letters may be anything");
    let regions = table(',', |i| ["North", "South", "East"][i % 3].into());
    let found = new(&regions, &["north", "SOUTH", "West"]);
    assert_eq!(found.notes.iter().map(Option::is_some).collect::<Vec<_>>(), [false, false, true]);
    assert_eq!(found.features.row(0), regions.table.features.row(0));
    assert!(noted(&found.findings, Topic::Levels));
}

#[test]
fn codes_that_would_be_equal_numbers_are_levels_or_a_warning() {
    for codes in [
        ["01", "1", "07", "7"],
        ["010", "10", "1E2", "100"],
        ["5E1", "50", "5", "05"],
        ["00", "0", "1", "2"],
    ] {
        let own = table(',', |i| codes[i % 4].into());
        assert_eq!(
            (own.table.columns(), noted(&own.findings, Topic::Codes)),
            (3, true),
            "{codes:?}"
        );
    }
    let many = table(',', |i| if i == 59 { "07".into() } else { i.to_string() });
    assert_eq!((many.table.columns(), warned(&many.findings, "v")), (1, vec![Topic::Codes]));
    let postal = table(',', |i| format!("{:05}", 501 + i * 997));
    assert_eq!((postal.table.columns(), warned(&postal.findings, "v")), (1, vec![Topic::Codes]));
    for (name, cell) in [
        (
            "decimals",
            (|i| if i % 2 == 0 { format!("{}.50", i % 5) } else { format!("{}.5", i % 5) })
                as fn(usize) -> String,
        ),
        ("months", |i| format!("{:02}", 1 + i % 12)),
        ("whole", |i| if i % 2 == 0 { format!("{}.0", i % 9) } else { (i % 9).to_string() }),
        ("powers", |i| if i % 2 == 0 { "1e+05".into() } else { ["100000", "1"][i % 3 % 2].into() }),
    ] {
        let own = table(',', cell);
        assert!(
            own.table.columns() == 1
                && own.findings.iter().all(|finding| finding.topic != Topic::Codes),
            "{name}"
        );
    }
}

#[test]
fn points_of_thousands_are_suspected_whatever_separates_cells() {
    let incomes = |i: usize| {
        if i.is_multiple_of(9) {
            format!("{}", 700 + i)
        } else {
            format!("{}.{:03}", 1 + i % 8, i * 373 % 1000)
        }
    };
    for separator in [',', ';', '\t', '|'] {
        let own = table(separator, incomes);
        assert_eq!(warned(&own.findings, "v"), [Topic::Thousands], "{separator:?}");
        let row = |i: usize| format!("{i}{separator}{}\n", incomes(i));
        let text = format!("x{separator}y\n{}", (0..60).map(row).collect::<String>());
        let target = OwnTable::new(&parse(&text).unwrap(), "y", &[]).unwrap();
        assert_eq!(warned(&target.findings, "y"), [Topic::Thousands], "{separator:?}");
        for (name, cell) in [
            ("below 1", (|i| format!("{}.{:03}", i % 8, i * 373 % 1000)) as fn(usize) -> String),
            ("other lengths", |i| format!("{}", 1.0 + (i * 37 % 800) as f64 / 100.0)),
            ("thirds", |i| ["1", "1.333", "1.667", "2"][i % 4].into()),
        ] {
            // Between semicolons a decimal comma is expected.
            if (separator, name) == (';', "thirds") {
                continue;
            }
            let own = table(separator, cell);
            assert!(
                warned(&own.findings, "v").is_empty(),
                "{separator:?}, {name}: {:?}",
                own.findings
            );
        }
    }
    for separator in [',', '\t', '|'] {
        let own = table(separator, |i| format!("{}.{:03}", 12 + i % 8, 1 + i * 373 % 1000));
        assert!(
            warned(&own.findings, "v").is_empty(),
            "three decimals in every cell: {:?}",
            own.findings
        );
    }
    for (cell, expected) in [
        ((|i| format!("1.{:03}.567", i)) as fn(usize) -> String, 1_003_567.0),
        (|i| format!("1'{:03}", i), 1003.0),
        (|i| ["1'234", "850", "2'000"][i % 3].into(), 1234.0),
    ] {
        let own = table(',', cell);
        assert_eq!((own.table.columns(), column(&own, "v")[3]), (1, expected), "{}", cell(3));
    }
}

#[test]
fn points_of_thousands_in_new_rows_are_suspected() {
    let own = table(',', |i| (500 + i * 143).to_string());
    assert_eq!(warned(&new(&own, &["1.234", "850", "4.321"]).findings, "v"), [Topic::Thousands]);
    for cells in [["1234", "850"], ["1234.5", "850.25"], ["0.234", "1.234"]] {
        assert_eq!(warned(&new(&own, &cells).findings, "v"), [], "{cells:?}");
    }
    assert_eq!(days(&new(&own, &["1.234.567", "1.234"])), [1_234_567.0, 1234.0]);
    assert_eq!(days(&new(&own, &["1'234", "850"])), [1234.0, 850.0]);
    let decimals = table(',', |i| format!("{}", 1.0 + (i * 37 % 800) as f64 / 100.0));
    assert_eq!(warned(&new(&decimals, &["1.234", "7"]).findings, "v"), []);
}
