//! Numbers of new rows in another notation than the table's, per cent signs and currencies,
//! thousands of numbers with a unit.

use polars_arrow::array::{Array, PrimitiveArray, Utf8ViewArray};

use super::*;
use crate::columns::Columns;
use crate::own::finding::Topic;

/// The encoding of 60 rows of the column `v` and a target.
fn encoding(cell: impl Fn(usize) -> String) -> Encoding {
    let text: String = (0..60).map(|i| format!("{};{}\n", cell(i), i * 37 % 59)).collect();
    OwnTable::new(&parse(&format!("v;y\n{text}")).unwrap(), "y", &[]).unwrap().encoding
}

/// What new cells of the column `v` are read as; `None` for a row without a prediction. The
/// encoding is read back from its text first.
fn new(encoding: &Encoding, cells: &[&str]) -> Vec<Option<f64>> {
    let saved = serde_json::to_string(encoding).unwrap();
    let encoding: Encoding = serde_json::from_str(&saved).unwrap();
    let text = format!("v;z\n{}\n", cells.join(";0\n") + ";0");
    let cells = Cells::parse_new("new.csv", text.as_bytes(), &FileFormat::default()).unwrap();
    let found = encoding.new_features(&cells).unwrap();
    let mut answered = found.features.column(0).to_vec().into_iter();
    found
        .reasons
        .iter()
        .map(|reason| if reason.is_some() { None } else { answered.next() })
        .collect()
}

/// Whether a warning on thousands names the column `v` of 60 rows.
fn suspects_thousands(separator: char, cell: impl Fn(usize) -> String) -> bool {
    let text: String =
        (0..60).map(|i| format!("{}{separator}{}\n", cell(i), i * 37 % 59)).collect();
    let own = OwnTable::new(&parse(&format!("v{separator}y\n{text}")).unwrap(), "y", &[]).unwrap();
    own.findings.iter().any(|finding| {
        finding.topic == Topic::Thousands
            && finding.severity == Severity::Warning
            && finding.columns == ["v"]
    })
}

#[test]
fn a_per_cent_sign_is_a_hundredth_in_the_table_and_in_new_rows() {
    let signed = encoding(|i| format!("{}%", 3 * i + 1));
    assert_eq!(
        new(&signed, &["57%", "57 %", "5.5%", "0", "0.57", "57", ""])[..4],
        [Some(57.0), Some(57.0), Some(5.5), Some(0.0)]
    );
    assert_eq!(new(&signed, &["57%", "0.57", "57", "$57"])[1..], [None, None, None]);
    let plain = encoding(|i| format!("0.{}", 10 + i));
    assert_eq!(new(&plain, &["0.57", "57%", "57 %"]), [Some(0.57), None, None]);
    let comma = encoding(|i| format!("0,{}", 10 + i));
    assert_eq!(new(&comma, &["0,57", "57%"]), [Some(0.57), None]);
}

#[test]
fn a_currency_may_be_left_away_but_is_no_other_one() {
    let euros = encoding(|i| format!("{}.5 €", i + 1));
    assert_eq!(
        new(&euros, &["7.5 €", "7.5", "€7.5", "$7.5", "7.5%"]),
        [Some(7.5), Some(7.5), Some(7.5), None, None]
    );
    let bare = encoding(|i| format!("{},5", i + 1));
    assert_eq!(new(&bare, &["7,5", "7,5 €"]), [Some(7.5), None]);
}

#[test]
fn a_cell_that_is_no_number_costs_its_own_row_alone() {
    let point = encoding(|i| format!("{}.25", i + 1));
    let comma = encoding(|i| format!("{},25", i + 1));
    for odd in ["soon", "<5", "v", "n.d.", "12:30", "$3"] {
        let [of_point, of_comma] = [(&point, ["1,5", odd, "2,5"]), (&comma, ["1.5", odd, "2.5"])]
            .map(|(encoding, cells)| new(encoding, &cells));
        assert_eq!(of_point, [Some(1.5), None, Some(2.5)], "{odd}");
        assert_eq!(of_comma, [Some(1.5), None, Some(2.5)], "{odd}");
    }
    let limits = encoding(|i| if i % 4 == 0 { "<0.5".into() } else { format!("{}.25", i + 1) });
    assert_eq!(
        new(&limits, &["<0,5", "1,5", "2,25", "soon"]),
        [Some(0.25), Some(1.5), Some(2.25), None]
    );
    let unit = encoding(|i| format!("{}.25 kg", i + 1));
    assert_eq!(
        new(&unit, &["1,5 kg", "soon", "2,5 kg", "3 lb"]),
        [Some(1.5), None, Some(2.5), None]
    );
}

#[test]
fn points_of_thousands_are_suspected_beside_a_unit_as_in_plain_numbers() {
    let grouped = |i: usize| {
        if i.is_multiple_of(3) {
            (200 + i).to_string()
        } else {
            format!("{}.{}", i % 8 + 1, 107 + 13 * i)
        }
    };
    for (before, after) in [("", " €"), ("$", ""), ("", " kg"), ("", "")] {
        for separator in [',', ';', '\t'] {
            assert!(
                suspects_thousands(separator, |i| format!("{before}{}{after}", grouped(i))),
                "{before} {after}"
            );
            let decimals = |i: usize| format!("{before}{}.{}{after}", i % 8 + 1, i % 10);
            assert!(!suspects_thousands(separator, decimals), "{before} {after}");
        }
    }
    assert!(suspects_thousands(';', |i| if i % 2 == 0 {
        format!("{},109", i % 9 + 1)
    } else {
        format!("{}.107", i % 9 + 1)
    }));
}

#[test]
fn numbers_as_text_in_a_parquet_file_are_suspected_and_numbers_are_not() {
    let texts: Vec<String> = (0..60)
        .map(|i: usize| {
            if i.is_multiple_of(3) {
                (200 + i).to_string()
            } else {
                format!("{}.{}", i % 8 + 1, 107 + 13 * i)
            }
        })
        .collect();
    let numbers: Vec<f64> = texts.iter().map(|text| text.parse().unwrap()).collect();
    let is_told = |column: Box<dyn Array>| {
        let target: Vec<f64> = (0..60).map(|i| f64::from(i * 37 % 59)).collect();
        let mut columns = Columns::default();
        columns.add("v", column);
        columns.add("y", PrimitiveArray::from_vec(target).boxed());
        let bytes = columns.to_parquet().unwrap();
        let own =
            OwnTable::new(&Cells::of_parquet("p.parquet", &bytes).unwrap(), "y", &[]).unwrap();
        own.findings.iter().any(|finding| finding.topic == Topic::Thousands)
    };
    assert!(is_told(Utf8ViewArray::from_slice_values(texts).boxed()));
    assert!(!is_told(PrimitiveArray::from_vec(numbers).boxed()));
}

#[test]
fn a_number_that_is_too_large_may_be_made_missing() {
    let text: String = (0..60)
        .map(|i| {
            format!(
                "{},{}\n",
                if i == 7 { "-1.7976931348623157e308".into() } else { i.to_string() },
                i * 37 % 59
            )
        })
        .collect();
    let OwnError::Cell { expected, .. } =
        OwnTable::new(&parse(&format!("v,y\n{text}")).unwrap(), "y", &[]).unwrap_err()
    else {
        panic!("another error")
    };
    assert!(expected.to_string().contains("`na` \"v=-1.7976931348623157e308\""), "{expected}");
}
