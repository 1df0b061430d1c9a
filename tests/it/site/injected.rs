//! Markup in names and notes stays text.

use super::*;

/// Markup and links where people write names.
const INJECTED: &str =
    "<script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=alert(1)> & \\\"'";

#[test]
fn injected_markup_stays_text() {
    let dir = Dir::new();
    let mut text = mocks::benchmark(&mocks::answering(2, 0), 2);
    text = text
        .replace("title = \"Mocks\"", &format!("title = \"{INJECTED}\"\nnotes = \"{INJECTED}\""));
    text = text.replace("heading = \"Data\"", &format!("heading = \"{INJECTED}\""));
    text = text.replace("heading = \"answer 1\"", &format!("heading = \"{INJECTED}\""));
    text = text.replace("heading = \"CRPS\"", &format!("heading = \"{INJECTED}\""));
    text += &format!(
        "[[figures]]\nkind = \"calibration\"\nfile = \"drawn\"\ntitle = \"{INJECTED}\"\n\
         panels = [{{ title = \"{INJECTED}\", labels = {{ mock = \"answer 0\" }} }}]\n\
         [[claims]]\nid = \"claim\"\ntext = \"{INJECTED}\"\nreading = \"{INJECTED}\"\n\
         statement = {{ kind = \"lower\", terms = [{{ metric = \"crps\" }}], quantifier = \"all\" \
         }}\n\
         [contrast]\nlabel = \"mock\"\ntest = \"answer 0\"\nreference = \"answer 1\"\n"
    );
    dir.write("mocks.toml", &text);
    dir.run("run mocks.toml").code(0);
    check_all(&dir.path("out"));
    for (name, text) in pages(&dir.path("out"))
        .iter()
        .filter(|(name, _)| ["index.html", "mocks.html"].contains(&name.as_str()))
    {
        let page = Html::parse_document(text);
        let count = |selector: &str| select(&page, selector).len();
        assert_eq!([count("img"), count("[onerror]"), count("script")], [0, 0, 1], "{name}");
        assert!(words(text).contains("<script>alert(1)</script>"), "{name}: the words are shown");
    }
}

/// Markup without blanks, as the name of a column.
const NAME: &str = "<script>alert(1)</script><img/src=x/onerror=alert(1)>";

#[test]
fn injected_names_of_columns_stay_text() {
    let dir = Dir::new();
    let line = |i: usize| {
        format!("{},{},{}\n", i * 37 % 80, ["<b>a</b>", "b"][i % 2], i * 37 % 80 + i % 7)
    };
    dir.write(
        "my.csv",
        &format!("<i>x</i>,{NAME}2,{NAME}\n{}", (0..80).map(line).collect::<String>()),
    );
    dir.run(&format!(
        "try --verbose my.csv --target {NAME} --methods linear-gaussian --figures tried"
    ))
    .code(0);
    let line = |i: usize| format!("{i},{i}.5,1,{NAME},<b>{}</b>,1\n", i % 2);
    let rows: String = (0..40).map(line).collect();
    dir.write("predictions.csv", &format!("{NAME},mean,sd,method,group,<i>x</i>\n{rows}"));
    dir.run(&format!("score predictions.csv --y {NAME} --out scored")).code(0);
    for folder in ["tried", "scored"] {
        check_all(&dir.path(folder));
        for (name, text) in pages(&dir.path(folder)) {
            let page = Html::parse_document(&text);
            let count = |selector: &str| select(&page, selector).len();
            let found = ["img", "[onerror]", "main b", "main i", "script"].map(count);
            assert_eq!(found, [0, 0, 0, 0, 1], "{folder}/{name}");
            // The list of tables names files, and no columns.
            let is_list =
                folder == "tried" && ["own-tables.html", "index.html"].contains(&name.as_str());
            assert!(words(&text).contains(NAME) || is_list, "{folder}/{name}: the words are shown");
        }
    }
}
