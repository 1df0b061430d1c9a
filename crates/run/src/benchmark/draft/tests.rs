//! Files with mistakes: each is told once, with its line and its place.

use super::*;

const GOOD: &str = "\
id = \"good\"
title = \"Good\"
protocol = { k-fold = { folds = 5 } }

[[datasets]]
key = \"yacht\"
heading = \"Yacht\"

[[datasets]]
key = \"boston\"
heading = \"Boston\"

[[methods]]
id = \"tree\"
parameters = { max_depth = 3 }
columns = [{ heading = \"Tree\", labels = { method = \"tree\" } }]

[[metrics]]
id = \"rmse\"
heading = \"RMSE\"

[profiles.full]
splits = 5
";

/// The good file with some pieces replaced.
fn changed(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(GOOD.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    })
}

/// Line and place of each mistake, and all of them in words.
fn mistakes(text: &str) -> (Vec<(Option<usize>, String)>, String) {
    let error = Benchmark::parse("test", text).unwrap_err();
    let words = error.to_string();
    let BenchmarkError::Mistakes { mistakes, .. } = error else { panic!("{words}") };
    (mistakes.into_iter().map(|mistake| (mistake.line, mistake.place)).collect(), words)
}

fn at(line: usize, place: &str) -> (Option<usize>, String) {
    (Some(line), place.to_owned())
}

#[test]
fn mistakes_of_every_kind_are_told_together_with_their_lines() {
    Benchmark::parse("test", GOOD).unwrap();
    let text = changed(&[
        ("id = \"good\"", "id = \"Good one\""),
        ("folds = 5", "folds = 1"),
        ("heading = \"Boston\"", "heading = \"Boston\"\ncolour = \"red\""),
        ("id = \"tree\"", "id = \"tre\""),
        ("id = \"rmse\"", "id = \"rsme\""),
    ]);
    let (places, words) = mistakes(&text);
    let expected = [
        at(1, "`id`"),
        at(3, "`protocol`"),
        at(12, "`datasets`, entry 2 (`boston`), `colour`"),
        at(15, "`methods`, entry 1 (`tre`), `id`"),
        at(20, "`metrics`, entry 1 (`rsme`), `id`"),
    ];
    assert_eq!(places, expected, "{words}");
    assert!(
        words.starts_with(
            "benchmark test: 5 mistakes\n  line 1, `id`: `Good one` becomes a file name, "
        ),
        "{words}"
    );
    assert_eq!(words.lines().count(), 6, "{words}");
    for part in [
        "there is no key `colour`",
        "did you mean `tree`?",
        "did you mean `rmse`?",
        "k-fold has 1 folds",
    ] {
        assert!(words.contains(part), "{part} in {words}");
    }
}

#[test]
fn several_mistakes_of_one_entry_are_told() {
    let text = changed(&[(
        "key = \"yacht\"\nheading = \"Yacht\"",
        "key = 3\nheding = \"Yacht\"\nscaling = \"non\"\ndrop = [1, 2]",
    )]);
    let (places, words) = mistakes(&text);
    let of = |key: &str| format!("`datasets`, entry 1, `{key}`");
    // The list of names is wrong once, and its absence is no mistake of its own.
    assert_eq!(
        places,
        [
            at(6, &of("key")),
            at(7, &of("heding")),
            at(8, &of("scaling")),
            at(9, &format!("{}, entry 1", of("drop")))
        ],
        "{words}"
    );
    for part in [
        "found integer `3`, expected a text between quotation marks",
        "did you mean `heading`?",
        "did you mean `none`?",
    ] {
        assert!(words.contains(part), "{part} in {words}");
    }
}

#[test]
fn all_missing_keys_are_told_and_no_consequences() {
    let (places, words) = mistakes("");
    let missing = |key: &str| (None, format!("`{key}`"));
    assert_eq!(
        places,
        ["id", "title", "protocol", "datasets", "methods", "metrics"].map(missing),
        "{words}"
    );
    let text = changed(&[
        ("id = \"tree\"\n", ""),
        ("columns = [{ heading = \"Tree\",", "columns = [{"),
        ("id = \"rmse\"\nheading = \"RMSE\"", ""),
    ]);
    let (places, words) = mistakes(&text);
    let expected = [
        at(13, "`methods`, entry 1, `id`"),
        at(15, "`methods`, entry 1, `columns`, entry 1, `heading`"),
        at(17, "`metrics`, entry 1, `id`"),
        at(17, "`metrics`, entry 1, `heading`"),
    ];
    assert_eq!(places, expected, "{words}");
    // A profile that names a dataset with a mistake is none.
    let text = changed(&[
        ("heading = \"Boston\"", "heading = 1"),
        ("splits = 5", "splits = 5\ndatasets = [\"boston\"]"),
    ]);
    assert_eq!(mistakes(&text).0, [at(11, "`datasets`, entry 2 (`boston`), `heading`")]);
}

#[test]
fn mistakes_of_profiles_figures_and_claims_have_their_lines() {
    let figure = "[[figures]]\nkind = \"calibration\"\nfile = \"A b\"\ntitle = \"A\"\npanels = [{ \
                  title = \"A\", labels = { method = \"x\" } }]\n";
    let claim = "[[claims]]\nid = \"c\"\ntext = \"C.\"\nstatement = { kind = \"lowest\" }\n";
    let text = changed(&[(
        "[profiles.full]\nsplits = 5",
        "[profiles.full]\nsplits = -1\n[profiles.fast]\nsplits = 1",
    )]);
    let (places, words) = mistakes(&format!("{text}{figure}{claim}"));
    let expected = [
        at(23, "`profiles`, `full`, `splits`"),
        at(24, "`profiles`, `fast`"),
        at(26, "`figures`, entry 1 (`A b`)"),
        at(28, "`figures`, entry 1 (`A b`), `file`"),
    ];
    assert_eq!(places[..2], expected[..2], "{words}");
    assert!(expected[2..].iter().all(|place| places.contains(place)), "{words}");
    assert!(places.contains(&at(34, "`claims`, entry 1 (`c`), `statement`, `kind`")), "{words}");
}

/// The reader of a table with a `kind` names the table alone.
#[test]
fn all_wrong_keys_of_figures_and_statements_are_told_with_their_lines() {
    let figure = r#"[[figures]]
kind = "sweep"
fil = "a"
file = "a"
title = 3
colour = 1
x_label = "x"
series = [{ title = "A" }]
[[figures.panels]]
metric = "rmse"
lable = "A"
colour = 1
[[figures.panels]]
metric = "rsme"
label = "B"
lables = 1
"#;
    let claim = r#"[[claims]]
id = "c"
text = "C."
reding = "x"
[claims.statement]
kind = "lower"
terms = [{ metric = "rmse", lg = true }, { lg = true, metric = "rmse" }]
bond = 2
"#;
    let (places, words) = mistakes(&format!("{GOOD}{figure}{claim}"));
    let of_figure = |key: &str| format!("`figures`, entry 1 (`a`), {key}");
    let of_claim = |key: &str| format!("`claims`, entry 1 (`c`), {key}");
    // What stands at `lable` is read as the label, so that this is not missing.
    let expected = [
        at(26, &of_figure("`fil`")),
        at(28, &of_figure("`title`")),
        at(29, &of_figure("`colour`")),
        at(34, &of_figure("`panels`, entry 1, `lable`")),
        at(35, &of_figure("`panels`, entry 1, `colour`")),
        at(37, &of_figure("`panels`, entry 2, `metric`")),
        at(39, &of_figure("`panels`, entry 2, `lables`")),
        at(43, &of_claim("`reding`")),
        at(44, &of_claim("`statement`, `quantifier`")),
        at(46, &of_claim("`statement`, `terms`, entry 1, `lg`")),
        at(46, &of_claim("`statement`, `terms`, entry 2, `lg`")),
        at(47, &of_claim("`statement`, `bond`")),
    ];
    let mut found = places.clone();
    found.sort();
    assert_eq!(found, expected, "{words}");
    let title = "found integer `3`, expected a text between quotation marks";
    for part in ["there is no key `fil`, did you mean `file`?", title, "did you mean `rmse`?"] {
        assert!(words.contains(part), "{part} in {words}");
    }
}

/// It is read as the most similar kind.
#[test]
fn a_wrong_kind_hides_neither_other_keys_nor_other_figures() {
    let figure = |kind: &str, rest: &str| {
        let panels = "panels = [{ title = \"A\", labels = { method = \"x\" } }]";
        format!("[[figures]]\nfile = \"a\"\nkind = \"{kind}\"\ntitle = \"A\"\n{panels}\n{rest}")
    };
    let text = figure("calibraton", "colour = 1\n")
        + &figure("calibration", "lables = 1\n")
        + &figure("pie", "");
    let (places, words) = mistakes(&format!("{GOOD}{text}"));
    let of = |entry: usize, key: &str| format!("`figures`, entry {entry} (`a`), `{key}`");
    let expected = [
        at(26, &of(1, "kind")),
        at(29, &of(1, "colour")),
        at(35, &of(2, "lables")),
        at(38, &of(3, "kind")),
    ];
    assert!(expected.iter().all(|place| places.contains(place)), "{words}");
    // The second figure can be read, and its labels are looked up.
    let wrong = at(30, "`figures`, entry 2 (`a`)");
    assert!(places.contains(&wrong) && words.contains("no column has the labels"), "{words}");
    assert_eq!(places.len(), 5, "{words}");
}

#[test]
fn text_that_is_no_toml_is_told_with_its_line_alone() {
    let (places, words) =
        mistakes(&changed(&[("title = \"Good\"", "title = "), ("id = \"tree\"", "id = tree")]));
    assert_eq!(places, [(Some(2), String::new()), (Some(14), String::new())], "{words}");
    assert!(words.contains("expected") && words.contains("`title =`"), "{words}");
}

#[test]
fn another_benchmark_is_named_by_like_and_its_keys_have_no_lines() {
    let text = "id = \"a\"\ntitle = \"A\"\nlike = \"dtb-tabel-1\"\n";
    let (places, words) = mistakes(text);
    assert_eq!(places, [at(3, "`like`")], "{words}");
    assert!(words.contains("did you mean `dtb-table-1`?"), "{words}");
    let metrics = "metrics = [{ id = \"rmse\", heading = \"RMSE\" }]\n";
    let text = text.replace("tabel", "table") + metrics + "artefact = \"Table 0\"\n";
    Benchmark::parse("test", &text).unwrap();
    let (places, words) =
        mistakes(&(text + "[[datasets]]\nkey = \"yacht\"\nheading = \"Yacht\"\n"));
    assert!(
        places.iter().all(|(line, place)| line.is_none() != (place.starts_with("`datasets`"))),
        "{words}"
    );
}

#[test]
fn a_file_of_mistakes_alone_has_an_end() {
    let many = "[[metrics]]\nid = \"rsme\"\nheading = 3\n".repeat(500);
    let (places, words) = mistakes(&GOOD.replace("[[metrics]]", &format!("{many}[[metrics]]")));
    assert_eq!(places.len(), crate::benchmark::mistakes::MOST, "{words}");
    assert!(words.contains("30 mistakes or more"), "{words}");
}

/// A mistake elsewhere hides neither what the protocol nor what a dataset has wrong.
#[test]
fn mistakes_hide_no_others() {
    let text = changed(&[
        ("k-fold = { folds = 5 }", "k-fold = { folds = 1, repeats = 0 }"),
        ("heading = \"Boston\"", "heading = \"Boston\"\nscaling = \"non\""),
        ("splits = 5", "splitz = 5"),
    ]);
    let (places, words) = mistakes(&text);
    let scaling = at(12, "`datasets`, entry 2 (`boston`), `scaling`");
    assert_eq!(
        places,
        [at(3, "`protocol`"), scaling, at(24, "`profiles`, `full`, `splitz`")],
        "{words}"
    );
    // Without its unknown name the table of the protocol would be empty.
    let (places, words) = mistakes(&changed(&[("k-fold =", "kfold =")]));
    assert!(places.len() == 1 && words.contains("did you mean `k-fold`?"), "{words}");
    let (_, words) = mistakes(&changed(&[("splits = 5", "splits = 5\ndatasets = [\"bostn\"]")]));
    assert!(
        words.contains(
            "names `bostn`, which is not a dataset of this benchmark, did you mean `boston`?"
        ),
        "{words}"
    );
}
