//! Snapshots of one page in every format: shapes and escapes, no measured number.

use super::*;
use crate::grid::{Cell, Lead};
use crate::section::{Block, Claimed, Section};
use uqbench_judge::judgement::leaders::AgainstBest;

/// Compares a text with the snapshot of this name, where all others are.
fn snapshot(name: &str, text: &str) {
    insta::with_settings!({
        snapshot_path => "../../../../tests/snapshots",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, { insta::assert_snapshot!(name, text) });
}

fn grid() -> Grid {
    let mut grid = Grid::new(&["name", "#value", "note"]);
    grid.push(["a|b\u{7}_%", "1.50", "=1+1"]);
    grid.push(["x, \"y\" ± δ", "-2", "-"]);
    grid.push(["<none>", "", "c:\\d"]);
    grid.push(["end", "inf", ""]);
    grid
}

fn sample() -> Page {
    let mut page = Page::new("Losses & gains");
    page.text("Plain words, 5 % of them.");
    page.blocks.push(Block::Markdown("Prose with **markup**.\n".into()));
    page.blocks.push(Block::Figure {
        file: "losses".into(),
        title: "Losses".into(),
        folded: false,
    });
    page.blocks.push(Block::shown(Section {
        title: "Table".into(),
        grid: grid(),
        note: "† some dropped.".into(),
    }));
    let folded =
        Section { title: "δ, in [x](y)".into(), grid: grid(), note: "Few need it.".into() };
    page.blocks.push(Block::folded(folded));
    page.blocks.push(Block::shown(Section {
        title: "Bare".into(),
        grid: Grid::new(&["one"]),
        note: String::new(),
    }));
    page
}

fn text(ending: &str) -> String {
    let all = documents("sample", &sample(), &grid());
    let found = all.iter().find(|document| document.name == format!("sample.{ending}")).unwrap();
    String::from_utf8(found.bytes.clone()).unwrap()
}

#[test]
fn markdown_is_aligned_and_escaped() {
    snapshot("export-markdown", &text("md"));
}

#[test]
fn folded_tables_are_files_to_which_the_markdown_leads() {
    let all = documents("sample", &sample(), &grid());
    let table = all.iter().find(|document| document.name == "tables/sample-01-in-x-y.csv").unwrap();
    assert_eq!(table.bytes, grid().csv());
    assert!(text("md").contains("(tables/sample-01-in-x-y.csv), 4 rows"));
    assert!(page_in_markdown(&sample()).contains("Few need it."));
}

/// A page of a picture, notes, `tables` tables of this many rows, and a claim, with this many words
/// in each text.
fn long_page(tables: usize, rows: usize, words: usize) -> Page {
    let text = "word ".repeat(words);
    let mut page = Page::new("Long");
    page.blocks.push(Block::Figure { file: "long".into(), title: "Picture".into(), folded: false });
    for table in 1..=tables {
        let mut grid = Grid::new(&["name", "#value"]);
        grid.extend((0..rows).map(|row| [format!("row {row}"), "1.50 ± 0.25".into()]));
        page.section(Section { title: format!("Table {table}"), grid, note: text.clone() });
    }
    page.blocks.push(Block::Notes(text.clone()));
    let judged = uqbench_judge::judgement::claims::Judged::Holds;
    let id = "claim".to_owned();
    let (own, printed, first_trial) = (judged, judged, None);
    let claim = Claimed {
        id,
        text: text.clone(),
        other_reading: None,
        reading: text.clone(),
        own,
        printed,
        note: text,
        first_trial,
    };
    page.blocks.push(Block::Claims(vec![claim]));
    page
}

#[test]
fn what_does_not_fit_becomes_files_the_last_table_first() {
    let of = |page: &Page| {
        let all = documents("long", page, &grid());
        let of_name = |name: &str| all.iter().find(|document| document.name == name);
        let text = String::from_utf8(of_name("long.md").unwrap().bytes.clone()).unwrap();
        assert!(
            text.len() <= short::LARGEST && text.contains("![Picture](long.svg)"),
            "{} bytes",
            text.len()
        );
        let files: Vec<String> = all
            .iter()
            .filter(|document| !document.name.ends_with(".tex"))
            .filter_map(|document| Some(document.name.strip_prefix("tables/")?.to_owned()))
            .collect();
        for file in &files {
            assert!(text.contains(&format!("(tables/{file})")), "{file} is not linked: {text}");
        }
        let notes = of_name("tables/long-notes.md")
            .map(|notes| String::from_utf8(notes.bytes.clone()).unwrap());
        (text, files, notes)
    };
    let (text, files, _) = of(&long_page(4, 100, 5));
    assert!(
        files.is_empty()
            && text.contains("\n## Table 4\n")
            && text.contains(&format!("\n## {}\n", crate::words::page::NOTES))
    );
    let (text, files, notes) = of(&long_page(4, 250, 5));
    assert_eq!(files, ["long-01-table-3.csv", "long-02-table-4.csv"]);
    assert!(text.contains("\n## Table 2\n") && text.contains("- **claim**") && notes.is_none());
    // Notes leave before the claims, and the first table last.
    let (text, files, notes) = of(&long_page(4, 250, 1000));
    assert_eq!(
        files,
        [
            "long-01-table-2.csv",
            "long-02-table-3.csv",
            "long-03-table-4.csv",
            "long-04-claims.csv",
            "long-notes.md"
        ]
    );
    assert!(text.contains("\n## Table 1\n") && notes.unwrap().matches("\n## Table").count() == 3);
    let (text, files, _) = of(&long_page(2, 2500, 1000));
    assert_eq!(
        files,
        ["long-01-table-1.csv", "long-02-table-2.csv", "long-03-claims.csv", "long-notes.md"]
    );
    assert!(!text.contains("\n## Table"), "{text}");
}

#[test]
fn latex_is_a_whole_document_of_booktabs() {
    snapshot("export-latex", &text("tex"));
}

#[test]
fn a_table_in_latex_marks_the_best_and_what_is_not_behind_it() {
    let mut grid = Grid::new(&["Dataset", "#A", "#B", "#C"]);
    let marks = [AgainstBest::NotBehind, AgainstBest::Best, AgainstBest::Behind];
    let scores = ["-1.2 ± 0.1 (-1.3)", "1.1 ± 0.1", "A-3"].into_iter().zip(marks);
    let scores = scores.map(|(text, mark)| Cell { against_best: Some(mark), ..Cell::from(text) });
    grid.push(std::iter::once("Boston".into()).chain(scores));
    let mut page = Page::new("Marks");
    for _ in 0..2 {
        page.section(Section { title: "RMSE".into(), grid: grid.clone(), note: String::new() });
    }
    page.references = "@misc{uqbench}\n".into();
    let all = documents("marks", &page, &grid);
    let file = |name: &str| {
        let found = all.iter().find(|document| document.name == name);
        String::from_utf8(found.unwrap_or_else(|| panic!("{name}")).bytes.clone()).unwrap()
    };
    snapshot("export-latex-table", &file("tables/marks-01-rmse.tex"));
    let second = file("tables/marks-02-rmse.tex");
    assert!(second.contains("\\label{tab:marks-02-rmse}"), "{second}");
    let whole = file("marks.tex");
    for part in
        ["\\input{tables/marks-01-rmse}", "\\input{tables/marks-02-rmse}", "\\bibliography{marks}"]
    {
        assert!(whole.contains(part), "{part}: {whole}");
    }
    assert_eq!(file("marks.bib"), "@misc{uqbench}\n");
    assert!(documents("none", &sample(), &grid).iter().all(|one| one.name != "none.bib"));
}

#[test]
fn csv_disarms_formulas_but_not_numbers() {
    snapshot("export-csv", &text("csv"));
}

#[test]
fn json_holds_numbers_as_numbers() {
    let text = text("json");
    snapshot("export-json", &text);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&value[0]["value"], &value[1]["value"]), (&1.5.into(), &(-2).into()));
    assert!(value[2]["value"].is_null());
}

#[test]
fn every_format_is_one_short_file() {
    for (name, source) in [
        ("csv", include_str!("csv.rs")),
        ("json", include_str!("json.rs")),
        ("latex", include_str!("latex.rs")),
        ("markdown", include_str!("markdown.rs")),
    ] {
        assert!(source.lines().count() <= 130, "{name}.rs has {} lines", source.lines().count());
    }
}

#[test]
fn links_in_text_are_escaped_and_brackets_stay() {
    assert_eq!(
        escape("[look](https://example.org) in [0, 1]"),
        r"\[look\](https://example.org) in [0, 1]"
    );
    assert_eq!(escape("![x][y] a|b"), r"!\[x\][y] a\|b");
    assert_eq!(escape("[a [b](c) d], e](f"), r"[a \[b\](c) d], e\](f");
    let mut grid = Grid::new(&["Page"]);
    grid.push([Cell::leading("a]( b", Some(Lead::Page("a.md".into())))]);
    grid.push(["plain"]);
    assert!(grid.markdown().contains(r"[a\]( b](a.md)"), "{}", grid.markdown());
}

#[test]
fn every_mark_has_a_command_of_latex() {
    let mut page = Page::new("Marks");
    for sign in crate::words::signs::ALL {
        page.section(Section { title: sign.sign.into(), grid: grid(), note: sign.sign.into() });
    }
    let all = documents("marks", &page, &grid());
    let tex = all.iter().find(|document| document.name == "marks.tex").unwrap();
    assert!(!String::from_utf8_lossy(&tex.bytes).contains("(U+"));
}

#[test]
fn a_cell_of_any_length_is_written() {
    let long = "x".repeat(70_000);
    let mut grid = Grid::new(&["What", "#Value"]);
    grid.extend([[long.as_str(), "1"], ["short", &long]]);
    let text = grid.markdown();
    assert_eq!(text.lines().count(), 4);
    assert_eq!(text.matches(&long).count(), 2);
    assert!(text.len() < 150_000, "{} bytes: the others are not padded to its length", text.len());
    let mut wide = Grid::new(&["What"]);
    wide.head = vec![long];
    wide.rows = vec![vec!["a".into()]];
    assert_eq!(wide.markdown().lines().count(), 3);
}
