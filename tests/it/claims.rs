//! Check what is said of claims: that what ran is not called not run, and that sentences are
//! counted, not readings.

use scraper::Html;

use super::command::Dir;
use super::findings::alter;
use super::mocks;
use super::pages::{pages, select, words};

/// Rows of y = x with a little of another column, whose order depends on `shift`.
fn table(shift: usize) -> String {
    let line = |i: usize| {
        format!("{},{},{}\n", i * 37 % 80, (i * 13 + shift) % 17, i * 37 % 80 + (i * 7 + shift) % 5)
    };
    format!("x,z,y\n{}", (0..80).map(line).collect::<String>())
}

/// A benchmark of two tables and two methods with a claim of every kind that compares pairs, of one
/// repetition.
fn compared() -> String {
    let pair = "test = { method = \"Lin\" }, references = [{ method = \"Unc\" }]";
    let claims = [
        ("better", format!("kind = \"better\", metric = \"rmse\", {pair}, quantifier = \"all\"")),
        (
            "ranked",
            format!(
                "kind = \"ranked\", metrics = [\"rmse\"], {pair}, rank = 1, unit = 0.01, \
                 quantifier = \"all\""
            ),
        ),
        (
            "non-inferior",
            format!("kind = \"non-inferior\", metric = \"rmse\", {pair}, margin = 0.1"),
        ),
        (
            "lower",
            "kind = \"lower\", terms = [{ metric = \"rmse\" }], quantifier = \"all\"".to_owned(),
        ),
    ];
    let claim = |(id, statement): &(&str, String)| {
        format!(
            "[[claims]]\nid = \"{id}\"\ntext = \"Lin is {id}\"\nstatement = {{ {statement} }}\n"
        )
    };
    let dataset = |key: &str| {
        format!(
            "[[datasets]]\nkey = \"{key}\"\nheading = \"{key}\"\nfile = \"{key}.csv\"\ntarget = \
             \"y\"\n"
        )
    };
    let method = |id: &str, name: &str| {
        format!(
            "[[methods]]\nid = \"{id}\"\ncolumns = [{{ heading = \"{name}\", labels = {{ method = \
             \"{name}\" }} }}]\n"
        )
    };
    let profiles =
        ["smoke", "quick", "full"].map(|name| format!("[profiles.{name}]\nsplits = 1\n"));
    ["id = \"own\"\ntitle = \"Own\"\nprotocol = { k-fold = { folds = 4 } }\n\
      contrast = { label = \"method\", test = \"Lin\", reference = \"Unc\" }\n"
        .to_owned()]
    .into_iter()
    .chain(["d0", "d1"].map(dataset))
    .chain([method("linear-gaussian", "Lin"), method("unconditional-gaussian", "Unc")])
    .chain(["[[metrics]]\nid = \"rmse\"\nheading = \"RMSE\"\n".to_owned()])
    .chain(profiles)
    .chain(claims.iter().map(claim))
    .collect()
}

/// The notes of the claims of a page, by the claims' names.
fn notes(page: &str) -> Vec<(String, String)> {
    let page = Html::parse_document(page);
    let rows = select(&page, "#claims tbody tr[id^='claim-']");
    let of = |row: &scraper::ElementRef| {
        let id = row.attr("id").unwrap().trim_start_matches("claim-").to_owned();
        (id, row.text().collect::<Vec<_>>().join(" "))
    };
    rows.iter().map(of).collect()
}

#[test]
fn what_ran_once_is_too_few_and_not_not_run() {
    let dir = Dir::new();
    dir.write("d0.csv", &table(0));
    dir.write("d1.csv", &table(3));
    dir.write("own.toml", &compared());
    for profile in ["quick", "full"] {
        dir.run(&format!("run own.toml --profile {profile}")).code(0);
        let site = pages(&dir.path("out"));
        let found = notes(&site["own.html"]);
        assert_eq!(found.len(), 4, "{found:?}");
        for (id, note) in &found {
            assert!(!note.contains("not run"), "{profile}, {id}: {note}");
            assert!(note.contains("1 repetition, and ten are needed"), "{profile}, {id}: {note}");
            assert!(note.contains("undecided"), "{profile}, {id}: {note}");
            assert!(
                note.contains("2 of 2"),
                "{profile}, {id}: the means of both tables are told: {note}"
            );
        }
    }
}

#[test]
fn what_did_not_run_is_not_run() {
    let dir = Dir::new();
    dir.write("d0.csv", &table(0));
    dir.write("d1.csv", &table(3));
    dir.write("own.toml", &compared());
    dir.run("run own.toml --profile quick --methods linear-gaussian").code(0);
    dir.run("report own.toml --profile quick").code(3);
    for (id, note) in notes(&pages(&dir.path("out"))["own.html"]) {
        let is_ranked = id == "ranked";
        assert!(note.contains("not run") || is_ranked, "{id}: {note}");
        assert!(!note.contains("ten are needed"), "{id}: {note}");
    }
}

/// Claims on two mocks: two readings of one sentence that disagree, and one that no paper states.
fn read() -> String {
    let claim = |id: &str, sentence: &str, text: &str, bound: f64| {
        format!(
            "[[claims]]\nid = \"{id}\"\ntext = \"{text}\"\n{sentence}statement = {{ kind = \
             \"at-least\", metric = \"rmse\", labels = {{ mock = \"answer 0\" }}, bound = \
             {bound:?} }}\n"
        )
    };
    let twin = "sentence = \"twin\"\n";
    mocks::benchmark(&mocks::answering(2, 0), 12).replace("paper = \"none\"", "paper = \"dtb\"")
        + &claim("charitable", twin, "The error is large.", 0.5)
        + &claim(
            "uncharitable",
            &format!("{twin}other_reading = \"large\"\nreading = \"at least 5\"\n"),
            "The error is large.",
            5.0,
        )
        + &claim("ours", "stated_by_paper = false\n", "not in the paper: the error is above 0", 0.1)
}

#[test]
fn a_sentence_depends_on_the_reading_where_two_disagree_and_what_no_paper_states_counts_for_none() {
    let dir = Dir::new();
    dir.write("mocks.toml", &read());
    dir.run("run mocks.toml --profile full").code(0);
    alter(&dir, |stored| 1.0 + 0.001 * (stored.split % 3) as f64);
    dir.run("report mocks.toml --profile full").code(0);
    let site = pages(&dir.path("out"));
    let index = words(&site["index.html"]);
    assert!(
        index.contains("✓ 0 hold ✕ 0 fail ? 0 are undecided ( 1 depends on the reading )"),
        "{index}"
    );
    assert!(index.contains("other reading, large: at least 5)"), "{index}");
    assert!(index.contains("The claim depends on the reading."), "{index}");
    let page = Html::parse_document(&site["index.html"]);
    let shown = |page: &Html| select(page, "section.findings a[href*='#claim-']").len();
    assert_eq!(shown(&page), 0, "an uncharitable twin is no news");
    // Now both readings fail.
    dir.write("mocks.toml", &read().replace("bound = 0.5", "bound = 2.0"));
    dir.run("report mocks.toml --profile full").code(0);
    let site = pages(&dir.path("out"));
    let index = words(&site["index.html"]);
    assert!(index.contains("✓ 0 hold ✕ 1 fails ? 0 are undecided"), "{index}");
    assert!(shown(&Html::parse_document(&site["index.html"])) > 0, "{index}");
    // Readings of one sentence need one name.
    dir.write("mocks.toml", &read().replacen("sentence = \"twin\"\n", "", 1));
    dir.run("report mocks.toml --profile full").code(1).says("charitable");
}
