//! Numbers of which a limit alone is known.

use super::ordinary::column;
use super::*;
use crate::own::finding::Topic;

/// 60 rows of the columns `lead`, `ph` and `y`, of which every third has a limit in the column that
/// is named.
fn rows(of: &str, limit: &str) -> String {
    let line = |i: usize| {
        let cell = |name: &str, value: f64| {
            if of == name && i % 3 == 1 { limit.to_owned() } else { value.to_string() }
        };
        format!(
            "{}|{}|{}\n",
            cell("lead", 0.5 + (i * 7 % 23) as f64 / 8.0),
            5 + i % 4,
            cell("y", 2.5 + (i * 11 % 59) as f64)
        )
    };
    "lead|ph|y\n".to_owned() + &(0..60).map(line).collect::<String>()
}

fn read(text: &str, censored: Censored) -> Result<OwnTable, OwnError> {
    let rules = CellRules { censored, ..CellRules::default() };
    OwnTable::with_rules(&parse(text)?, "y", &[], None, &rules)
}

/// The columns that warnings on limits name.
fn limited(found: &OwnTable) -> Vec<String> {
    let told = found.findings.iter().filter(|finding| finding.topic == Topic::Limit);
    told.clone().for_each(|finding| assert_eq!(finding.severity, Severity::Warning));
    told.flat_map(|finding| finding.columns.clone()).collect()
}

#[test]
fn half_of_a_limit_is_taken_in_any_notation_and_told() {
    for (limit, number) in [
        ("<0.5", 0.25),
        ("< 0.5", 0.25),
        ("<.5", 0.25),
        ("<=0.5", 0.25),
        ("\u{2264} 0.5", 0.25),
        ("&lt;0.5", 0.25),
        ("less than 0.5", 0.25),
        ("Below 0.5", 0.25),
        (">100", 100.0),
        ("\u{2265}100", 100.0),
        (">= 100", 100.0),
        ("over 100", 100.0),
        ("more than 100", 100.0),
        ("Greater than 100", 100.0),
        // Half of the smallest number of the column.
        ("n.d.", 0.25),
        ("ND", 0.25),
        ("N.D", 0.25),
        ("nd", 0.25),
        ("BDL", 0.25),
        ("<LOD", 0.25),
        ("< LOQ", 0.25),
        ("not detected", 0.25),
        ("Non-detect", 0.25),
        ("below detection limit", 0.25),
        ("<MDL", 0.25),
        // Its largest number.
        (">ULOQ", 3.25),
        ("HI", 3.25),
        ("over range", 3.25),
        // With flags, units, remarks and brackets.
        ("0.5 U", 0.25),
        ("0.5U", 0.25),
        ("0.5 UJ", 0.25),
        ("<0.5 U", 0.25),
        ("U 0.5", 0.25),
        ("< 0.50 mg/L", 0.25),
        ("<0.5*", 0.25),
        ("<0.5 (LOD)", 0.25),
        ("<0.5 (below LOD)", 0.25),
        ("ND (0.5)", 0.25),
        ("ND(0.5)", 0.25),
        ("ND<0.5", 0.25),
        ("not detected at 0.5", 0.25),
        ("<LOD (0.5)", 0.25),
        ("LOD 0.5", 0.25),
        ("nd [.5]", 0.25),
        ("0.5<", 0.25),
        ("<<0.5", 0.25),
        ("<0,5", 0.25),
        ("90+", 90.0),
        ("100>", 100.0),
        ("LO", 0.25),
        ("Tr.", 0.25),
        // In other languages.
        ("u.d.L.", 0.25),
        ("unter NWG", 0.25),
        ("unter 0,5", 0.25),
        ("no detectado", 0.25),
        ("não detectado", 0.25),
        ("inf. LD", 0.25),
        ("未检出", 0.25),
        ("ниже ПО", 0.25),
        ("н.о.", 0.25),
        ("не обнаружено", 0.25),
    ] {
        let found = read(&rows("lead", limit), Censored::Half).unwrap();
        assert_eq!(found.table.feature_names, ["lead", "ph"], "{limit}");
        assert_eq!(column(&found, "lead")[1], number, "{limit}");
        assert_eq!(column(&found, "lead")[0], 0.5, "{limit}");
        assert_eq!(limited(&found), ["lead"], "{limit}");
    }
}

#[test]
fn limits_are_read_with_decimal_commas_and_units_as_the_numbers_are() {
    let comma = |text: &str| text.replace('.', ",").replace('|', ";");
    let found = read(&comma(&rows("lead", "< 0.5")), Censored::Half).unwrap();
    assert_eq!((column(&found, "lead")[1], column(&found, "lead")[3]), (0.25, 3.125));
    let with_unit = |i: usize| {
        if i.is_multiple_of(3) {
            "<0.5 mg/L".to_owned()
        } else {
            format!("{} mg/L", i as f64 + 0.25)
        }
    };
    let text: String = (0..60).map(|i| format!("{},{}\n", with_unit(i), i * i)).collect();
    let found = read(&format!("lead,y\n{text}"), Censored::Half).unwrap();
    assert_eq!(column(&found, "lead")[..2], [0.25, 1.25]);
}

#[test]
fn the_other_readings_are_the_limit_nothing_and_a_level() {
    let text = rows("lead", "<0.5");
    let found = read(&text, Censored::Limit).unwrap();
    assert_eq!((column(&found, "lead")[1], limited(&found).len()), (0.5, 1));
    let found = read(&text, Censored::Missing).unwrap();
    assert!(column(&found, "lead")[1].is_nan() && column(&found, "lead is missing")[1] == 1.0);
    assert_eq!(limited(&found), ["lead"]);
    let found = read(&text, Censored::Level).unwrap();
    assert!(
        found.table.feature_names.iter().any(|name| name == "lead=<0.5"),
        "{:?}",
        found.table.feature_names
    );
    assert_eq!(limited(&found), [""; 0]);
}

#[test]
fn few_limits_most_limits_and_different_ones_are_read() {
    let of = |cell: &dyn Fn(usize) -> String| {
        let text: String = (0..200).map(|i| format!("{},{}\n", cell(i), i * 37 % 101)).collect();
        let found = read(&format!("lead,y\n{text}"), Censored::Half).unwrap();
        assert_eq!(limited(&found), ["lead"]);
        column(&found, "lead")
    };
    assert_eq!(of(&|i| if i == 7 { "<0.5".into() } else { format!("{}.125", i) })[7], 0.25);
    assert_eq!(of(&|i| if i % 20 > 0 { "<0.5".into() } else { format!("{}.125", i + 1) })[7], 0.25);
    let two = of(&|i| {
        ["<0.5", "<2", "n.d.", ">90"]
            .get(i % 8)
            .map_or(format!("{}.5", i % 40), |text| (*text).into())
    });
    assert_eq!(two[..5], [0.25, 1.0, 0.25, 90.0, 4.5]);
    // Half of a limit says nothing of logarithms.
    let logs =
        of(&|i| if i % 4 == 0 { "<-1.5".into() } else { format!("{}", i as f64 / 50.0 - 1.0) });
    assert_eq!(logs[0], -1.5);
}

#[test]
fn limits_of_the_target_are_told_and_may_be_left_out() {
    let text = rows("y", "<0.5");
    let found = read(&text, Censored::Half).unwrap();
    assert_eq!((found.table.target[1], found.table.rows()), (0.25, 60));
    assert_eq!(limited(&found), ["y"]);
    assert_eq!(read(&text, Censored::Limit).unwrap().table.target[1], 0.5);
    let found = read(&text, Censored::Missing).unwrap();
    assert_eq!((found.table.rows(), limited(&found)), (40, vec!["y".to_owned()]));
    let cells = parse(&text).unwrap();
    assert_eq!(found.describe_columns(&cells).unwrap().len(), 2);
    assert!(
        matches!(read(&text, Censored::Level), Err(OwnError::Cell { column, .. }) if column == "y")
    );
    let words = read(&rows("y", "ND"), Censored::Half).unwrap();
    assert_eq!(
        (words.table.target[1], limited(&words)),
        (1.25, vec!["y".to_owned()]),
        "half of 2.5"
    );
}

#[test]
fn what_is_no_limit_stays_as_it_was() {
    let of = |levels: &[&str]| {
        let text: String = (0..120)
            .map(|i| format!("{},{},{}\n", levels[i % levels.len()], i % 7, i * 37 % 101))
            .collect();
        let found = read(&format!("x,z,y\n{text}"), Censored::Half).unwrap();
        assert_eq!(limited(&found), [""; 0], "{levels:?}");
        found.table.feature_names.len()
    };
    assert_eq!(of(&["ND", "SD", "TX"]), 3, "North Dakota");
    assert_eq!(of(&["<18", "18-25", "26-65", ">65"]), 4, "classes of age");
    assert_eq!(of(&["<=50K", ">50K"]), 2);
    assert_eq!(of(&["<5", "5", ">5"]), 3);
    assert_eq!(of(&["<1H OCEAN", "INLAND", "ISLAND"]), 3);
    assert_eq!(of(&["trace", "little", "much"]), 3);
    assert_eq!(of(&["low", "middle", "high"]), 3);
    assert_eq!(of(&["0", "1", "2", "3", "4", "5+"]), 6, "bedrooms");
    assert_eq!(of(&["U", "J", "A"]), 3);
    assert_eq!(of(&["A+", "B+", "C+"]), 3);
    // A typing error is still one.
    let wrong = rows("lead", "0.7").replacen("0.7", "l.7", 1);
    assert!(
        matches!(read(&wrong, Censored::Half), Err(OwnError::Cell { column, .. }) if column == "lead")
    );
    let low = rows("lead", "0.7").replacen("0.7", "low", 1);
    assert!(
        matches!(read(&low, Censored::Half), Err(OwnError::Cell { column, .. }) if column == "lead")
    );
    let world = rows("lead", "0.7").replacen("0.7", "under world", 1);
    assert!(read(&world, Censored::Half).is_err());
    let review = rows("lead", "0.7").replacen("0.7", "under review", 1);
    assert!(read(&review, Censored::Half).is_err());
}

#[test]
fn new_rows_are_read_by_the_same_limits() {
    let new = parse("lead|ph\n<0.5|5\n<2|5\nND|5\n7|5\n<x1|5\n").unwrap();
    let of = |censored| {
        let encoding = read(&rows("lead", "<0.5"), censored).unwrap().encoding;
        let json = serde_json::to_string(&encoding).unwrap();
        assert_eq!(serde_json::from_str::<Encoding>(&json).unwrap(), encoding);
        encoding.new_features(&new).unwrap()
    };
    let half = of(Censored::Half);
    assert_eq!(half.features.column(0).to_vec(), [0.25, 1.0, 0.25, 7.0]);
    assert_eq!(
        half.reasons.iter().map(Option::is_some).collect::<Vec<_>>(),
        [false, false, false, false, true]
    );
    assert_eq!(of(Censored::Limit).features.column(0).to_vec(), [0.5, 2.0, 0.5, 7.0]);
    let missing = of(Censored::Missing);
    assert_eq!(
        missing.features.column(0).iter().map(|x| x.is_nan()).collect::<Vec<_>>(),
        [true, true, true, false]
    );
    // A model of a table without limits has no reading of them, and one of an older program has
    // none either.
    let encoding = read(&rows("", ""), Censored::Half).unwrap().encoding;
    assert!(!serde_json::to_string(&encoding).unwrap().contains("limits"));
    assert!(encoding.new_features(&new).unwrap().reasons[0].is_some());
}

#[test]
fn numbers_with_remarks_are_told_and_codes_are_not() {
    let stopped = |cell: &dyn Fn(usize) -> String| {
        let text: String =
            (0..120).map(|i| format!("{},{},{}\n", cell(i), i % 7, i * 37 % 101)).collect();
        let found = read(&format!("x,z,y\n{text}"), Censored::Half).unwrap();
        found
            .findings
            .iter()
            .any(|finding| finding.topic == Topic::Stopped && finding.columns == ["x"])
    };
    assert!(stopped(&|i| format!("{}.{}{}", i % 7, i % 5, if i % 3 == 0 { " J" } else { "" })));
    assert!(stopped(&|i| format!("{}.{} {}", i % 7, i % 5, ["mg", "ug"][i % 2])));
    assert!(!stopped(&|i| ["12", "12a", "14", "14b"][i % 4].into()), "numbers of houses");
    assert!(!stopped(&|i| ["250", "V45", "401"][i % 3].into()));
}

#[test]
fn limits_of_the_target_have_flags_words_and_signs_too() {
    for (limit, number) in [("1 U", 0.5), ("90+", 90.0), ("HI", 59.5), ("ND (1)", 0.5)] {
        let found = read(&rows("y", limit), Censored::Half).unwrap();
        assert_eq!(
            (found.table.target[1], limited(&found)),
            (number, vec!["y".to_owned()]),
            "{limit}"
        );
    }
}

#[test]
fn numbers_in_place_of_limits_are_no_sentinels() {
    let text: String = (0..200)
        .map(|i| {
            format!(
                "{},{}\n",
                if i % 4 == 0 { "<1000".into() } else { (1000 + i % 30).to_string() },
                i * 37 % 101
            )
        })
        .collect();
    let found = read(&format!("x,y\n{text}"), Censored::Half).unwrap();
    assert_eq!(column(&found, "x")[0], 500.0);
    assert!(suspicions(&found).iter().all(|finding| finding.topic != Topic::Sentinel));
}
