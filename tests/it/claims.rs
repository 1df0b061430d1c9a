//! Check what is said of claims: that what ran is not called not run, and that sentences are
//! counted, not readings.

use std::fs;

use scraper::Html;
use serde_json::Value;

use super::command::Dir;
use super::findings::alter;
use super::mocks;
use super::pages::{pages, select};
use super::wording::{counts, element, elements, shape};

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

/// A claim of a report, and what its row on the page says.
struct Shown {
    id: String,
    judged: String,
    repetitions: u64,
    note: String,
}

/// The claims of the benchmark `own`, in the order of its page.
fn shown(dir: &Dir) -> Vec<Shown> {
    let report = fs::read_to_string(dir.path("out/own-report.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let site = pages(&dir.path("out"));
    let page = &site["own.html"];
    let of = |claim: &Value| {
        let id = claim["id"].as_str().unwrap().to_owned();
        let judged = claim["ours"].as_str().unwrap().to_owned();
        let row = format!("#claims tr#claim-{id}[data-claim='{judged}'] td.words");
        let note = element(page, &row, &[]);
        // Behind it the page leads to a trial.
        let note = note.split(". First trial: ").next().unwrap().to_owned();
        Shown { id, judged, repetitions: claim["repetitions"].as_u64().unwrap(), note }
    };
    report["card"]["claims"].as_array().unwrap().iter().map(of).collect()
}

/// The notes of claims, a line for each.
fn notes(all: &[Shown]) -> String {
    let line = |Shown { id, note, .. }: &Shown| format!("{id}: {}", shape(note));
    all.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_ran_once_is_too_few_and_not_not_run() {
    let dir = Dir::new();
    dir.write("d0.csv", &table(0));
    dir.write("d1.csv", &table(3));
    dir.write("own.toml", &compared());
    let notes = ["quick", "full"].map(|profile| {
        dir.run(&format!("run own.toml --profile {profile}")).code(0);
        let found = shown(&dir);
        assert_eq!(found.len(), 4);
        for Shown { id, judged, repetitions, note } in &found {
            assert_eq!(
                (judged.as_str(), *repetitions),
                ("undecided", 1),
                "{profile}, {id}: {note}"
            );
            assert!(
                note.contains("2 of 2"),
                "{profile}, {id}: the means of both tables are told: {note}"
            );
        }
        notes(&found)
    });
    insta::assert_snapshot!(notes[0], @"
    better: # repetition, and ten are needed: better in the mean on # of #; the claim needs #; the paper prints no numbers for it
    ranked: # repetition, and ten are needed: rank at most # in # of # cells, the claim needs # (d# rmse #, d# rmse #); the paper prints no numbers for it
    non-inferior: # repetition, and ten are needed: at most # % worse in the mean in # of #; the paper prints no numbers for it
    lower: # repetition, and ten are needed: lower in the mean on # of #; the claim needs #; the paper prints no numbers for it
    ");
    assert_eq!(notes[0], notes[1], "the full profile, too");
}

#[test]
fn what_did_not_run_is_not_run() {
    let dir = Dir::new();
    dir.write("d0.csv", &table(0));
    dir.write("d1.csv", &table(3));
    dir.write("own.toml", &compared());
    dir.run("run own.toml --profile quick --methods linear-gaussian").code(0);
    dir.run("report own.toml --profile quick").code(3);
    let found = shown(&dir);
    assert_eq!(found.len(), 4);
    for Shown { id, judged, repetitions, note } in &found {
        assert_eq!((judged.as_str(), *repetitions), ("undecided", 0), "{id}: {note}");
    }
    insta::assert_snapshot!(notes(&found), @"
    better: no repetition has every number that it needs: none of # comparisons has a number, # not run; the claim needs #; the paper prints no numbers for it
    ranked: no repetition has every number that it needs: # of # scores without a number; the paper prints no numbers for it
    non-inferior: no repetition has every number that it needs: none of # comparisons has a number, # not run; the paper prints no numbers for it
    lower: no repetition has every number that it needs: none of # comparisons has a number, # not run; the claim needs #; the paper prints no numbers for it
    ");
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
    let index = &site["index.html"];
    // Claims that hold, that fail and that are open; and those that depend on the reading.
    let sentences = |index: &str| {
        let all =
            elements(index, "table.short td:nth-child(3) .count, table.short td a[href='#claims']");
        all.iter().map(|shown| counts(shown)[0]).collect::<Vec<_>>()
    };
    assert_eq!(sentences(index), [0, 0, 0, 1]);
    insta::assert_snapshot!(element(index, "table.short td:nth-child(3)", &[]), @"✓ 0 hold ✕ 0 fail ? 0 are undecided ( 1 depends on the reading )");
    let depends = elements(index, "#claims th.words:has(strong)");
    assert_eq!(depends.len(), 2, "both readings say so, and no other claim: {depends:?}");
    insta::assert_snapshot!(depends.join("\n"), @"
    “The error is large.” The claim depends on the reading.
    “The error is large.” (other reading, large: at least 5) The claim depends on the reading.
    ");
    let page = Html::parse_document(index);
    let shown = |page: &Html| select(page, "section.findings a[href*='#claim-']").len();
    assert_eq!(shown(&page), 0, "an uncharitable twin is no news");
    // Now both readings fail.
    dir.write("mocks.toml", &read().replace("bound = 0.5", "bound = 2.0"));
    dir.run("report mocks.toml --profile full").code(0);
    let site = pages(&dir.path("out"));
    assert_eq!(sentences(&site["index.html"]), [0, 1, 0]);
    assert!(shown(&Html::parse_document(&site["index.html"])) > 0);
    // Readings of one sentence need one name.
    dir.write("mocks.toml", &read().replacen("sentence = \"twin\"\n", "", 1));
    dir.run("report mocks.toml --profile full").code(1).says("charitable");
}
