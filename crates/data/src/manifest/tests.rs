use proptest::prelude::{any, prop_assert, proptest};

use super::*;

const SMALL: &str = r#"
[[dataset]]
key = "small"
title = "Small"
citation = "Nobody (2000)."
licence = "CC0"
home = "https://example.org"
rows = 2
format = { kind = "delimited", separator = ",", header = true }
columns = ["a", "b", "c"]
skip = ["c"]
features = [{ name = "a" }]
target = { name = "b", resolution = 0.5 }
files = [{ name = "small.csv", sha256 = "0000000000000000000000000000000000000000000000000000000000000000", sources = [] }]
[[dataset.variant]]
name = "ratio"
title = "Small, divided"
skip = []
features = [{ name = "a per c", from = "a", per = "c", divide = 2.0 }]
"#;

fn message(text: &str) -> String {
    Manifest::parse(text).unwrap_err().to_string()
}

#[test]
fn every_shipped_dataset_is_pinned_but_the_one_whose_file_nobody_has() {
    let manifest = Manifest::shipped().unwrap();
    let unpinned: Vec<&str> =
        manifest.all().filter(|d| d.parsed_sha256.is_none()).map(|d| d.key.as_str()).collect();
    assert_eq!(unpinned, ["superconductivity"]);
    assert_eq!(manifest.get("superconductivity").unwrap().columns(), 81);
    assert_eq!(manifest.get("california:raw").unwrap().folder(), "california");
}

#[test]
fn discrete_targets_are_known() {
    let manifest = Manifest::shipped().unwrap();
    let discrete: Vec<&str> =
        manifest.all().map(|d| d.key.as_str()).filter(|key| Manifest::is_discrete(key)).collect();
    assert_eq!(discrete, ["wine-red", "naval", "bike"], "grades, 51 steps of decay, and counts");
    assert!(!Manifest::is_discrete("simulated:jcm-even"));
}

#[test]
fn the_nearest_key_is_suggested() {
    let manifest = Manifest::shipped().unwrap();
    for (typed, nearest) in
        [("yatch", "yacht"), ("Boston", "boston"), ("california:row", "california:raw")]
    {
        let error = manifest.get(typed).unwrap_err();
        assert_eq!(error, DataError::Unknown { key: typed.into(), nearest: Some(nearest.into()) });
    }
    assert_eq!(
        manifest.get("%%%").unwrap_err(),
        DataError::Unknown { key: "%%%".into(), nearest: None }
    );
}

#[test]
fn a_definition_depends_on_pins_and_derivation_but_not_on_prose() {
    let definition =
        |text: &str, key: &str| Manifest::parse(text).unwrap().get(key).unwrap().definition();
    let before = definition(SMALL, "small");
    for (old, new) in [
        ("Nobody (2000).", "Somebody"),
        ("https://example.org", "https://example.com"),
        (
            "rows = 2",
            "rows = 2\nparsed_sha256 = \
             \"1111111111111111111111111111111111111111111111111111111111111111\"",
        ),
        ("sources = []", "sources = [{ url = \"https://example.org/small.csv\" }]"),
    ] {
        assert_eq!(definition(&SMALL.replace(old, new), "small"), before, "{new}");
    }
    for (old, new) in
        [("\"0000", "\"0001"), ("rows = 2", "rows = 3"), ("\",\"", "\";\""), ("0.5", "0.25")]
    {
        assert_ne!(definition(&SMALL.replace(old, new), "small"), before, "{new}");
    }
    assert_ne!(definition(SMALL, "small:ratio"), before);
}

#[test]
fn what_a_manifest_means_is_checked() {
    for (old, new, expected) in [
        ("rows = 2", "rows = 0", "`rows` must be at least 1"),
        ("rows = 2", "row = 2", "unknown field `row`"),
        ("skip = [\"c\"]", "skip = []", "\"c\" is neither read nor in `skip`"),
        ("skip = [\"c\"]", "skip = [\"b\", \"c\"]", "\"b\" is both read and skipped"),
        ("skip = [\"c\"]", "skip = [\"c\", \"d\"]", "`skip` names \"d\""),
        ("\"b\", \"c\"]", "\"b\", \"b\"]", "\"b\" is listed twice"),
        ("features = [{ name = \"a\" }]", "features = [{ name = \"z\" }]", "read from \"z\""),
        ("features = [{ name = \"a\" }]", "features = []", "there is no feature"),
        ("resolution = 0.5", "resolution = -1.0", "must be positive"),
        ("\"0000", "\"000", "is no SHA-256"),
        ("small.csv", "../small.csv", "is no plain file name"),
        ("sources = []", "sources = [{ url = \"ftp://a\" }]", "no http or https address"),
        (
            "sources = []",
            "sources = [{ url = \"http://a\", member = \"b\" }]",
            "needs both of `archive` and `member`",
        ),
        ("key = \"small\"", "key = \"Small\"", "lower-case letters"),
        ("name = \"ratio\"", "name = \"a:b\"", "no variant's name"),
        ("divide = 2.0", "divide = 0.0", "cannot be divided by 0"),
        ("separator = \",\"", "separator = \"é\"", "is no separator"),
        (
            "{ kind = \"delimited\", separator = \",\", header = true }",
            "{ kind = \"excel\", sheet = 0 }",
            "counted from 1",
        ),
        ("citation = \"Nobody (2000).\"", "citation = \" \"", "`citation` is empty"),
        (
            "home = \"https://example.org\"",
            "header_names = [\"A\"]\nhome = \"h\"",
            "`header_names` has 1 names",
        ),
    ] {
        assert!(SMALL.contains(old), "{old}");
        let text = SMALL.replacen(old, new, 1);
        assert!(message(&text).contains(expected), "{new}: {}", message(&text));
    }
    assert!(message(&format!("{SMALL}{SMALL}")).contains("two datasets have the key \"small\""));
}

#[test]
fn a_multi_file_set_must_add_up() {
    let text = SMALL.replace(
        "format = { kind = \"delimited\", separator = \",\", header = true }",
        "format = { kind = \"multi-file\", widths = [2, 1], parts = [{ files = [\"small.csv\", \
         \"small.csv\"], rows = 2 }] }",
    );
    assert!(Manifest::parse(&text).is_ok());
    assert!(message(&text.replace("[2, 1]", "[2, 2]")).contains("`widths` add to 4"));
    assert!(message(&text.replace("[2, 1]", "[3]")).contains("a part has 2 files, `widths` has 1"));
    // Found by fuzzing: TOML's largest whole number, twice and thrice.
    let largest = i64::MAX;
    assert!(
        message(&text.replace("[2, 1]", &format!("[{largest}, {largest}, {largest}]")))
            .contains("`widths`")
    );
    assert!(
        message(&text.replace("rows = 2 }", "rows = 1 }")).contains("the parts have 1 rows in all")
    );
    assert!(
        message(&text.replacen("files = [\"small.csv\"", "files = [\"x.csv\"", 1))
            .contains("unknown file \"x.csv\"")
    );
}

proptest! {
    #[test]
    fn a_changed_byte_of_a_manifest_is_a_manifest_or_a_clear_error(
        at in 0..SMALL.len(),
        byte in any::<u8>(),
    ) {
        let mut bytes = SMALL.as_bytes().to_vec();
        bytes[at] = byte;
        if let Err(error) = Manifest::parse(&String::from_utf8_lossy(&bytes)) {
            prop_assert!(error.to_string().starts_with("data manifest: "), "{}", error);
        }
    }
}
