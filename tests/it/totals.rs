//! The total of judged numbers is one wherever a site tells it.

use std::collections::{BTreeMap, HashMap};
use std::fs;

use scraper::Html;

use super::pages::{select, words};
use super::wording::counts;

/// The headline, the rows of papers, the legend of the map and the pages of tables tell the same
/// judged numbers: those of the committed full run.
pub fn judged_numbers_have_one_total(pages: &BTreeMap<String, String>) {
    let card =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/reports/scorecard.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(card.as_bytes());
    let rows: Vec<HashMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    let others = ["too few repetitions", "not judged", "not run", "printed as", "none "];
    let is_judged = |row: &&HashMap<String, String>| {
        let is_main = row["claim"].is_empty() && row["variant"].is_empty();
        is_main && !others.iter().any(|other| row["verdict"].starts_with(other))
    };
    let judged: Vec<_> = rows.iter().filter(is_judged).collect();
    let passed = judged
        .iter()
        .filter(|row| ["reproduced", "close"].contains(&row["verdict"].as_str()))
        .count();
    let index = Html::parse_document(&pages["index.html"]);
    let answer = select(&index, "p.answer strong")[0].text().collect::<String>();
    assert_eq!(answer, passed.to_string(), "the headline");
    let answer = select(&index, "p.answer")[0].text().collect::<String>();
    assert!(counts(&answer).contains(&(judged.len() as u64)), "{answer}");
    let number = |text: String| {
        text.chars().filter(char::is_ascii_digit).collect::<String>().parse::<usize>().unwrap()
    };
    let not_judged =
        ["few", "not-judged", "missing", "word", "none-here", "same-none", "other-none"];
    let of_legend = select(&index, "section.map ul.legend li").into_iter();
    let of_legend =
        of_legend.filter(|item| !not_judged.contains(&item.attr("data-verdict").unwrap()));
    let of_legend: usize = of_legend.map(|item| number(item.text().collect())).sum();
    assert_eq!(of_legend, judged.len(), "the legend of the map");
    let pair = |text: &str| {
        text.split_once(" of ")
            .map(|(a, b)| (a.parse::<usize>().unwrap(), b.parse::<usize>().unwrap()))
    };
    let counts = select(&index, "table.short td:nth-child(2) span.count:first-of-type");
    let counts = counts
        .iter()
        .filter_map(|one| pair(one.text().collect::<String>().trim_end_matches(';').trim()));
    let sums = counts.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert_eq!(sums, (passed, judged.len()), "the rows of papers");
    let is_of_table =
        |row: &&&HashMap<String, String>| row["paper"] == "dtb" && row["artefact"] == "Table 1";
    let of_table = judged.iter().filter(is_of_table).count();
    let table = words(&pages["dtb-table-1.html"]);
    assert!(of_table > 0 && table.contains(&format!(" of {of_table} ")), "{table}");
}
