use super::*;
use serde_json::json;

#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Colour {
    Red,
    DarkBlue,
}

parameters! {
    /// An inner group.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Inner {
        /// How many.
        count: usize = 3, in 1..=10;
    }
}

parameters! {
    /// A group of every kind.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Outer {
        /// A number,
        /// in two lines.
        share: f64 = 0.5, in above(0.0).to(1.0);
        /// A number or null.
        limit: Option<u16> = None, in 2..;
        /// A list.
        rates: Vec<f64> = vec![0.1, 0.2], in one_or_more(0.0..=0.95);
        /// A name.
        colour: Colour = Colour::Red, in Choices;
        /// A flag.
        on: bool = true, in Choices;
        /// An even number.
        even: u64 = 2, in Such("an even number", |x| x % 2 == 0);
        /// A group.
        inner: Inner = Inner { count: 4 }, in Group;
        /// Anything.
        words: Option<String> = None, in Words("a word, or null");
        /// A later one.
        later: bool = true, in Choices, added "is_true";
        /// One more.
        more: usize = 1, in 1.., added "is_one";
        /// A later list.
        list: Vec<f64> = Vec::new(), in 0.0.., added "is_default";
    }
}

fn fault(change: impl Fn(&mut Outer)) -> String {
    let mut outer = Outer::default();
    change(&mut outer);
    outer.check().unwrap_err().to_string()
}

#[test]
fn a_group_is_listed_with_defaults_ranges_and_meanings() {
    let listed = defaults::<Outer>();
    let row =
        |p: &Parameter| (p.name.clone(), p.value.clone().unwrap(), p.expected.clone(), p.meaning);
    let rows: Vec<_> = listed.iter().map(row).collect();
    let row = |name: &str, value, expected: &str, meaning| {
        (name.to_owned(), value, expected.to_owned(), meaning)
    };
    assert_eq!(
        rows,
        [
            row("share", json!(0.5), "a number above 0, at most 1", "A number, in two lines."),
            row("limit", json!(null), "a whole number of at least 2, or null", "A number or null."),
            row("rates", json!([0.1, 0.2]), "one or more numbers from 0 to 0.95", "A list."),
            row("colour", json!("red"), "\"red\" or \"dark-blue\"", "A name."),
            row("on", json!(true), "true or false", "A flag."),
            row("even", json!(2), "an even number", "An even number."),
            row("inner.count", json!(4), "a whole number from 1 to 10", "How many."),
            row("words", json!(null), "a word, or null", "Anything."),
            row("later", json!(true), "true or false", "A later one."),
            row("more", json!(1), "a whole number of at least 1", "One more."),
            row("list", json!([]), "numbers of at least 0", "A later list."),
        ]
    );
}

#[test]
fn values_out_of_range_are_named_with_what_is_expected() {
    Outer::default().check().unwrap();
    assert_eq!(
        fault(|o| o.share = 0.0),
        "parameter `share` is 0, expected a number above 0, at most 1"
    );
    assert_eq!(
        fault(|o| o.share = f64::NAN),
        "parameter `share` is NaN, expected a number above 0, at most 1"
    );
    assert_eq!(
        fault(|o| o.limit = Some(1)),
        "parameter `limit` is 1, expected a whole number of at least 2, or null"
    );
    let expected = "expected one or more numbers from 0 to 0.95";
    assert_eq!(
        fault(|o| o.rates = vec![0.1, 1.0]),
        format!("parameter `rates` is [0.1, 1.0], {expected}")
    );
    assert_eq!(fault(|o| o.rates.clear()), format!("parameter `rates` is [], {expected}"));
    assert_eq!(fault(|o| o.even = 3), "parameter `even` is 3, expected an even number");
    assert_eq!(
        fault(|o| o.inner.count = 0),
        "parameter `inner.count` is 0, expected a whole number from 1 to 10"
    );
}

#[test]
fn a_file_gives_some_parameters_and_no_others() {
    let read = |value| serde_json::from_value::<Outer>(value);
    let found = read(json!({ "share": 1.0, "inner": { "count": 5 } })).unwrap();
    assert_eq!(found, Outer { share: 1.0, inner: Inner { count: 5 }, ..Outer::default() });
    assert!(
        read(json!({ "shares": 1.0 }))
            .unwrap_err()
            .to_string()
            .starts_with("unknown field `shares`")
    );
}

#[test]
fn a_parameter_that_was_added_later_is_left_out_at_its_default() {
    let outer = Outer::default();
    let written = json!(outer);
    let mut names: Vec<&str> = written.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["colour", "even", "inner", "limit", "on", "rates", "share", "words"]);
    assert_eq!(serde_json::from_value::<Outer>(written).unwrap(), outer);
    let changed = Outer { later: false, more: 2, list: vec![0.5], ..outer };
    let written = json!(changed);
    assert_eq!(
        (&written["later"], &written["more"], &written["list"]),
        (&json!(false), &json!(2), &json!([0.5]))
    );
    assert_eq!(serde_json::from_value::<Outer>(written).unwrap(), changed);
}

#[test]
fn ranges_are_described_in_words() {
    let said = |range: Range| range.to_string();
    assert_eq!(said((1..=1_000_000).into()), "a whole number from 1 to 1000000");
    assert_eq!(said((1e-300..=1.0).into()), "a number from 1e-300 to 1");
    assert_eq!(said((1e-14..=0.01).into()), "a number from 1e-14 to 0.01");
    assert_eq!(said((0.0..1.0).into()), "a number from 0 to below 1");
    assert_eq!(said((0.0..).into()), "a number of at least 0");
    assert_eq!(said(above(0.0)), "a number above 0");
    assert_eq!(said(above(0.0).to(1e12)), "a number above 0, at most 1e12");
    assert_eq!(said(above(0.0).below(1.0)), "a number between 0 and 1, both excluded");
    assert_eq!(said((..).into()), "a number");
    assert!(!above(0.0).contains(f64::INFINITY) && !Range::from(..).contains(f64::NAN));
}
