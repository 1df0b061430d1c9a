use super::*;

/// A number of no dataset in particular.
pub fn number(quantity: Quantity, value: f64, unit: f64) -> Number {
    Number {
        line: 1,
        dataset: "d".into(),
        labels: BTreeMap::from([("method".into(), "m".into())]),
        level: String::new(),
        quantity,
        digits: Digits { value, unit },
        spread: None,
        kind: SpreadKind::None,
        count: None,
        test_rows: None,
        splits: Vec::new(),
        premises: Premises::default(),
    }
}

/// All rules on the text of a file.
pub fn audit(text: &str) -> Audit {
    Audit::new(&Table::parse(text).unwrap(), &References::carried())
}

#[test]
fn each_rule_of_a_theorem_excludes_under_its_premise_alone() {
    let head = "# count = 20\n# test_rows = 51\n# spread_kind = sd\n# method = m\n";
    let excluded = |lines: &str| {
        let audit = audit(&format!("{head}{lines}"));
        let of = |verdict| audit.findings().filter(|found| found.verdict == verdict).count();
        (of(Verdict::Excluded), of(Verdict::ExcludedIf))
    };
    let columns = "dataset,metric,value,spread,one_variance,constant_width\n";
    // 20 × 51 = 1020 rows: 0.96078 is 980 of them, 0.96032 lies between 979 and 980.
    assert_eq!(excluded(&format!("{columns}a,coverage,0.96078,0.02,,\n")), (0, 0));
    assert_eq!(excluded(&format!("{columns}a,coverage,0.96032,0.02,,\n")), (1, 0));
    // Twenty coverages of mean 0.96 have a standard deviation of at most 0.201.
    assert_eq!(excluded(&format!("{columns}a,coverage,0.96,0.20,,\n")), (0, 0));
    assert_eq!(excluded(&format!("{columns}a,coverage,0.96,0.23,,\n")), (1, 0));
    // RMSE 1 ± 0.1 allows at most −1.41 or so.
    let scores = |ll: &str, premise: &str| {
        excluded(&format!("{columns}a,rmse,1.00,0.10,,\na,ll,{ll},0.1,{premise},\n"))
    };
    assert_eq!(scores("-1.42", "yes"), (0, 0));
    assert_eq!(scores("-1.20", "yes"), (1, 0));
    assert_eq!(scores("-1.20", ""), (0, 1));
    // A width of 8 about errors of 1 covers at least 1 − 4 × 1.01 / 64 = 0.937.
    let widths = |coverage: &str, premise: &str| {
        excluded(&format!(
            "{columns}a,rmse,1.00,0.10,,\na,width,8.00,,,\na,coverage,{coverage},,,{premise}\n"
        ))
    };
    assert_eq!(widths("0.95", "yes"), (0, 0));
    assert_eq!(widths("0.90", "yes"), (1, 0));
    assert_eq!(widths("0.90", ""), (0, 1));
    assert_eq!(widths("0.90", "no"), (0, 0));
    // No coverage is above 1, and one in a table in per cent is read so.
    assert_eq!(excluded(&format!("{columns}a,coverage,1.03,,,\n")), (1, 0));
    assert_eq!(excluded(&format!("{columns}a,coverage,94.1,,,\nb,coverage,0.9,,,\n")), (0, 0));
    assert_eq!(excluded(&format!("{columns}a,coverage,9.4e1,,,\n")), (0, 0));
}
