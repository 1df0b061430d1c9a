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

/// The same dataset as a table with text.
fn small_table() -> String {
    SMALL
        .replace("kind = \"delimited\", separator = \",\", header = true", "kind = \"table\"")
        .replace(", per = \"c\", divide = 2.0", "")
        .replace("from = \"a\"", "from = \"c\"")
        .replace("skip = []", "skip = [\"a\"]")
}

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
    let discrete = |is_table: bool| -> Vec<&str> {
        let of_kind = manifest
            .datasets()
            .iter()
            .filter(|dataset| matches!(dataset.layout.format, Format::Table(_)) == is_table);
        of_kind
            .map(|dataset| dataset.key.as_str())
            .filter(|key| Manifest::is_discrete(key))
            .collect()
    };
    assert_eq!(
        discrete(false),
        ["wine-red", "naval", "bike", "wine-white"],
        "grades, 51 steps of decay, and counts"
    );
    assert_eq!(
        discrete(true),
        [
            "food-delivery",
            "student-por",
            "crime",
            "co2-canada",
            "abalone",
            "check-times",
            "loans",
            "nmes1988",
            "beijing-pm25",
            "ldaps-bias",
            "storms",
            "exam",
            "avocado",
        ],
        "at most a twentieth as many values as rows"
    );
    assert!(!Manifest::is_discrete("diamonds"), "whole dollars have a density");
    assert!(Manifest::is_discrete("crime:by-state"), "as the dataset");
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

#[test]
fn a_variant_has_the_features_that_it_neither_skips_nor_depends_by() {
    let text = small_table().replace(
        "skip = [\"c\"]\nfeatures = [{ name = \"a\" }]",
        "features \
        = [{ name = \"a\" }, { name = \"c\" }]",
    );
    let variant = |keys: &str| {
        let start = text.find("[[dataset.variant]]").unwrap();
        let text =
            format!("{}[[dataset.variant]]\nname = \"v\"\ntitle = \"V\"\n{keys}", &text[..start]);
        Manifest::parse(&text).map(|manifest| manifest.get("small:v").unwrap().clone())
    };
    let names = |keys: &str| -> Vec<String> {
        variant(keys).unwrap().features.into_iter().map(|column| column.name).collect()
    };
    assert_eq!(names("group = [\"c\"]"), ["a"]);
    assert_eq!(names("skip = [\"a\"]"), ["c"]);
    assert_eq!(
        names("time = [\"a\"]\nfeatures = [{ name = \"a\" }, { name = \"c\" }]"),
        ["a", "c"]
    );
    assert_eq!(names("group_size = 2"), ["a", "c"]);
    let error = |keys: &str| variant(keys).unwrap_err().to_string();
    for (keys, expected) in [
        ("group = [\"c\"]\nskip = [\"c\"]", "\"c\" is both read and skipped"),
        ("group = [\"c\"]\ntime = [\"a\"]", "exclude each other"),
        ("group = [\"d\"]", "rows depend by \"d\", which `columns` does not list"),
        ("time = [\"b\"]", "rows cannot depend by the target"),
        ("group = []", "one column or more"),
        ("group_size = 1", "at least 2"),
        ("time = [\"a\", \"c\"]", "there is no feature"),
        ("group = [\"c\"]\ndetrended = true", "`detrended` needs `time`"),
    ] {
        assert!(error(keys).contains(expected), "{keys}: {}", error(keys));
    }
    // What is not stated is no part of the definition, which the keys of old trials hold.
    let definition = |keys: &str| variant(keys).unwrap().definition();
    let plain = definition("");
    for key in ["group", "group_size", "time", "detrended", "parsed_sha256"] {
        assert_eq!(plain.get(key), None, "{key}");
    }
    assert_eq!(definition("group_size = 2")["group_size"], 2);
    assert_eq!(definition("time = [\"a\"]")["time"][0], "a");
    assert_eq!(definition("time = [\"a\"]\ndetrended = true")["detrended"], true);
    // How text becomes numbers may change with the program.
    let pinned = format!("parsed_sha256 = \"{}\"", "1".repeat(64));
    assert_eq!(definition(&pinned)["parsed_sha256"], "1".repeat(64));
}

#[test]
fn what_a_table_with_text_means_is_checked() {
    let text = small_table();
    assert!(Manifest::parse(&text).is_ok());
    for (old, new, expected) in [
        ("kind = \"table\"", "kind = \"table\", comma = \",\"", "unknown field `comma`"),
        (
            "kind = \"table\"",
            "kind = \"table\", header = false, encoding = \"latin1\"",
            "without a header is read in UTF-8",
        ),
        (
            "kind = \"table\"",
            "kind = \"table\", stacked = { column = \"d\", cells = [\"1\", \"2\"] }",
            "`stacked` has 2 cells, expected one for each of 1 files",
        ),
        (
            "kind = \"table\"",
            "kind = \"table\", stacked = { column = \"a\", cells = [\"1\"] }",
            "\"a\" is listed twice",
        ),
        ("{ name = \"a\" }", "{ name = \"a\", divide = 2.0 }", "divides no column"),
        ("rows = 2", "rows = 2\nnot_numeric = [\"d\"]", "which `columns` does not list"),
        ("rows = 2", "rows = 2\nsignificant_digits = 3", "`significant_digits` is not for"),
        (
            "skip = [\"c\"]\nfeatures = [",
            "features = [{ name = \"c\" }, ",
            "the feature \"a\" is not in the file's order",
        ),
    ] {
        assert!(text.contains(old), "{old}");
        let changed = text.replacen(old, new, 1);
        assert!(message(&changed).contains(expected), "{new}: {}", message(&changed));
    }
    let grouped = SMALL.replace("skip = [\"c\"]", "group = [\"c\"]");
    assert!(
        message(&grouped).contains("`group` needs the format \"table\""),
        "{}",
        message(&grouped)
    );
    let texts = SMALL.replace("skip = [\"c\"]", "skip = [\"c\"]\nnot_numeric = [\"a\"]");
    assert!(message(&texts).contains("`not_numeric` needs the format"), "{}", message(&texts));
    // It names no number, and is no part of the definition.
    let texts = text.replacen("rows = 2", "rows = 2\nnot_numeric = [\"a\"]", 1);
    let [plain, texts] = [&text, &texts].map(|text| Manifest::parse(text).unwrap());
    let [plain, texts] = [&plain, &texts].map(|manifest| &manifest.datasets()[0]);
    assert_eq!(plain.definition(), texts.definition());
    assert!(plain.numeric_features().any(|name| name == "a"));
    assert!(texts.numeric_features().all(|name| name != "a"));
}
