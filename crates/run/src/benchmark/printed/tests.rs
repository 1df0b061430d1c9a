use proptest::prelude::{prop_assert, proptest};

use super::*;

fn message(text: &str) -> String {
    Published::parse(text).unwrap_err().to_string()
}

#[test]
fn a_line_is_a_number_with_its_labels() {
    let text = "# Table 2, page 7\n# count = 20\n\ndataset,method,metric,value,spread,spread_kind,\
                splits,hint\nyacht,GP,rmse,0.61,0.12,sd,,\nyacht,\"GP, sparse\",rmse,−0.70,,,0.5 \
                0.9,\nboston,GP,rmse,3.0,0.1,se,,yes\n";
    let text = text.replacen("# count", "# hint_source = a reprint\n# count", 1);
    let found = Published::parse(&text.replace("0.5 0.9", "")).unwrap();
    let labels = |name: &str| BTreeMap::from([("method".to_owned(), name.to_owned())]);
    let first = &found.cells[0];
    assert_eq!((first.dataset.as_str(), first.metric.as_str()), ("yacht", "rmse"));
    assert_eq!((first.value.as_str(), first.spread.as_deref()), ("0.61", Some("0.12")));
    assert_eq!((first.spread_kind, first.count), (SpreadKind::Sd, Some(20)));
    assert_eq!(first.labels, labels("GP"));
    let second = &found.cells[1];
    assert_eq!((second.value.as_str(), second.spread_kind), ("-0.70", SpreadKind::None));
    assert_eq!(second.labels, labels("GP, sparse"));
    assert_eq!((found.hints.len(), found.hint_source.as_deref()), (1, Some("a reprint")));
}

#[test]
fn a_table_as_printed_is_read() {
    let text = "# rows = dataset\n# columns = method\n# metric = rmse\n# spread_kind = \
                sd\nset,GP,Forest\nyacht,**0.61 ± 0.12**,0.84 +- 0.20\nboston,2.97 (0.85),–\nwine,\
                $0.6 \\pm 0.1$,none\n";
    let found = Published::parse(text).unwrap();
    let shown = |cell: &Cell| {
        (
            cell.dataset.clone(),
            cell.labels["method"].clone(),
            cell.value.clone(),
            cell.spread.clone(),
        )
    };
    let expected = [
        ("yacht", "GP", "0.61", Some("0.12")),
        ("yacht", "Forest", "0.84", Some("0.20")),
        ("boston", "GP", "2.97", Some("0.85")),
        ("wine", "GP", "0.6", Some("0.1")),
        ("wine", "Forest", "none", None),
    ];
    let expected = expected.map(|(set, method, value, spread)| {
        (set.to_owned(), method.to_owned(), value.to_owned(), spread.map(str::to_owned))
    });
    assert_eq!(found.cells.iter().map(shown).collect::<Vec<_>>(), expected);
    assert_eq!(found.cells[4].spread_kind, SpreadKind::None);
    // Metrics may stand beside each other, and methods below each other.
    let turned = "# rows = method\n# columns = metric\n# dataset = yacht\n,rmse,nll\nGP,0.6,1.2\n";
    let cell = &Published::parse(turned).unwrap().cells[1];
    assert_eq!((cell.metric.as_str(), cell.labels["method"].as_str()), ("nll", "GP"));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let head = "dataset,method,metric,value,spread,spread_kind,count\n";
    for (line, expected) in [
        ("yacht,GP,rmse,many,,,", "line 2: `many` is not a number"),
        ("yacht,GP,rmse,NaN,,,", "line 2: `NaN` is not a number"),
        ("yacht,GP,rmse,1,0.1,stdev,", "line 2: spread_kind: found \"stdev\", expected one of sd"),
        ("yacht,GP,rmse,1,,,0", "line 2: count: found \"0\", expected a whole number above 0"),
        ("yacht,GP,rmse,1", "line 2: found 4 cells, expected 7 as in the header"),
        (",GP,rmse,1,,,", "line 2: found no `dataset`"),
        ("a,GP,rmse,1,,,\na,GP,rmse,2,,,", "line 3: line 2 has a number for this cell already"),
    ] {
        let found = message(&format!("{head}{line}\n"));
        assert!(found.contains(expected), "{line}: {found}");
    }
    for (text, expected) in [
        ("", "expected a header"),
        ("# Table 1\n", "expected a header"),
        (head, "found no number below the header"),
        ("dataset,dataset\na,b\n", "two columns are called \"dataset\""),
        ("Data set,value\na,1\n", "the column \"Data set\": expected a name"),
        ("# rows = dataset\na,b\n", "needs both"),
        ("# count = 1\n# count = 2\na,b\n", "`count` is stated twice"),
        ("dataset,metric,value,hint\na,m,1,yes\n", "a hint needs a line `# hint_source = …`"),
    ] {
        let found = message(text);
        assert!(found.contains(expected), "{text}: {found}");
    }
    let wide =
        "# rows = dataset\n# columns = method\n# metric = rmse\nset,GP\nyacht,0.6 oder 0.7\n";
    assert!(message(wide).contains("line 5: found \"0.6 oder 0.7\", expected a number"));
}

proptest! {
    #[test]
    fn arbitrary_text_is_read_or_refused(text in "(# [a-z]{1,7} = [a-z]{1,7}\n){0,3}[ -~\n,±]{0,200}") {
        if let Ok(found) = Published::parse(&text) {
            prop_assert!(!found.cells.is_empty() || !found.hints.is_empty());
        }
    }
}
