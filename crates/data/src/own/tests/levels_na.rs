//! `NA` as a level, and values that the user takes as missing.

use super::ordinary::column;
use super::*;
use crate::own::finding::Topic;

/// 60 rows of the columns `region`, `x` and `y`.
fn rows(region: impl Fn(usize) -> &'static str) -> String {
    let line = |i: usize| format!("{},{},{}\n", region(i), i * 7 % 31, i * 37 % 59);
    "region,x,y\n".to_owned() + &(0..60).map(line).collect::<String>()
}

fn read(text: &str, rules: &CellRules) -> Result<OwnTable, OwnError> {
    OwnTable::with_rules(&parse(text)?, "y", &[], None, rules)
}

#[test]
fn a_word_is_a_level_where_no_cell_is_empty_and_an_empty_new_cell_is_told() {
    for word in ["NA", "None", "null", "nan", "N/A", "NULL"] {
        let found = own(&rows(|i| [word, "EU", "AS"][i % 3])).unwrap();
        let place =
            found.table.feature_names.iter().position(|name| *name == format!("region={word}"));
        assert_eq!(found.table.features.column(place.unwrap())[0], 1.0, "{word}");
        let new = parse(&format!("region,x\n{word},2\nEU,2\n,2\n")).unwrap();
        let new = found.encoding.new_features(&new).unwrap();
        assert_eq!(
            new.notes.iter().map(Option::is_some).collect::<Vec<_>>(),
            [false, false, true],
            "{word}"
        );
        assert!(new.findings.iter().any(|finding| finding.severity == Severity::Warning
            && finding.text.to_string().contains("region")));
    }
}

#[test]
fn beside_empty_cells_it_is_missing_unless_the_user_says_that_it_is_a_level() {
    let text = rows(|i| ["NA", "EU", ""][i % 3]);
    let found = own(&text).unwrap();
    assert_eq!(column(&found, "region is missing")[..3], [1.0, 0.0, 1.0]);
    let stated = CellRules { level_na: vec!["region".into()], ..CellRules::default() };
    let found = read(&text, &stated).unwrap();
    assert_eq!(column(&found, "region=NA")[..3], [1.0, 0.0, 0.0]);
    assert_eq!(column(&found, "region is missing")[..3], [0.0, 0.0, 1.0]);
    let new = found.encoding.new_features(&parse("region,x\nNA,2\n,2\n").unwrap()).unwrap();
    assert!(new.notes.iter().all(Option::is_none) && new.features.row(0) != new.features.row(1));
    let unknown = CellRules { level_na: vec!["regoin".into()], ..CellRules::default() };
    assert!(read(&text, &unknown).unwrap_err().is_usage());
    // A column of codes is a category by the same word.
    let codes = rows(|i| ["NA", "1", "2", ""][i % 4]);
    assert_eq!(read(&codes, &stated).unwrap().table.feature_names[..2], ["region=2", "region=NA"]);
    assert_eq!(
        own(&codes).unwrap().table.feature_names[..2],
        ["region", "region is missing"],
        "numbers"
    );
}

/// As R writes the houses without a basement.
#[test]
fn words_in_the_same_rows_of_several_columns_are_missing() {
    let line = |i: usize| {
        let [a, b, c] = if i.is_multiple_of(5) {
            ["NA"; 3]
        } else {
            [["good", "fair"][i % 2], ["brick", "stone"][i % 3 % 2], "7"]
        };
        format!("{a},{b},{c},{}\n", i * 37 % 59)
    };
    let found =
        own(&format!("quality,wall,area,y\n{}", (0..60).map(line).collect::<String>())).unwrap();
    let names = ["quality=good", "quality is missing", "wall=stone", "area"];
    assert_eq!(found.table.feature_names, names, "one feature says where");
}

#[test]
fn a_word_is_a_group() {
    let by = DependenceColumn { by: By::Group, column: "region".into(), keep: false };
    let grouped = |text: &str| OwnTable::dependent(&parse(text).unwrap(), "y", &[], Some(&by));
    let found = grouped(&rows(|i| ["NA", "EU", "AS"][i % 3])).unwrap();
    assert!(found.dependent.unwrap().labels.cells.contains(&"NA".to_owned()));
    let empty = grouped(&rows(|i| ["NA", "EU", ""][i % 3])).unwrap_err();
    assert!(matches!(empty, OwnError::Missing { place: Place::Line(4), .. }), "{empty}");
}

#[test]
fn stated_values_are_missing_in_features_and_target_and_in_new_rows() {
    let line = |i: usize| {
        let or = |every: usize, value: usize| {
            if i % every == 3 { "-200".into() } else { value.to_string() }
        };
        format!("{},{},{}\n", or(9, i % 31), or(11, i * 5 % 47), or(7, i * 37 % 59))
    };
    let text = "co,nox,y\n".to_owned() + &(0..60).map(line).collect::<String>();
    let sentinels = |found: &OwnTable| {
        let told = suspicions(found).into_iter().filter(|finding| finding.topic == Topic::Sentinel);
        told.flat_map(|finding| finding.columns).collect::<Vec<_>>()
    };
    assert_eq!(sentinels(&own(&text).unwrap()), ["co", "nox", "y"]);
    let na = |values: &[&str]| {
        let na = values.iter().map(|value| (*value).to_owned()).collect();
        read(&text, &CellRules { na, ..CellRules::default() }).unwrap()
    };
    let found = na(&["-200"]);
    assert_eq!((sentinels(&found).len(), found.table.rows()), (0, 51));
    let told = found.findings.iter().find(|finding| finding.topic == Topic::Missing).unwrap();
    assert_eq!(
        (told.severity, &told.columns[..]),
        (Severity::Note, &["co".to_owned(), "nox".into(), "y".into()][..])
    );
    let new = found.encoding.new_features(&parse("co,nox\n-200,1\n5,-200.0\n").unwrap()).unwrap();
    assert!(new.features[(0, 0)].is_nan() && new.notes.iter().all(Option::is_none), "{new:?}");
    let json = serde_json::to_string(&found.encoding).unwrap();
    assert_eq!(serde_json::from_str::<Encoding>(&json).unwrap(), found.encoding);
    let described = found.describe_columns(&parse(&text).unwrap()).unwrap();
    assert_eq!(described.iter().map(|column| column.missing > 0).collect::<Vec<_>>(), [true, true]);
    let one = na(&["co=-200"]);
    assert_eq!((one.table.rows(), one.table.feature_names.len()), (60, 3));
    assert_eq!(sentinels(&one), ["nox", "y"]);
    let idle = na(&["-777"]);
    assert!(
        idle.findings.iter().any(|finding| finding.topic == Topic::Missing && finding.severity == Severity::Warning)
    );
}
