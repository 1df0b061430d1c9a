//! Check how errata are read and listed.

use super::*;
use uqbench_run::benchmark::papers::{OWN, errata, topics};

#[test]
fn every_item_is_read_and_has_one_name_severity_and_evidence() {
    let all = errata();
    let is_item = |line: &&str| {
        line.split_once(". ").is_some_and(|(number, _)| number.parse::<usize>().is_ok())
    };
    let lines: usize =
        with_errata().map(|paper| paper.errata_text.lines().filter(is_item).count()).sum();
    assert!(all.len() == lines && lines > 100, "{} of {lines}", all.len());
    let mut anchors: Vec<String> = all.iter().map(Erratum::anchor).collect();
    anchors.sort_unstable();
    anchors.dedup();
    assert_eq!(anchors.len(), all.len(), "two items share a name");
    assert!(topics().all(|topic| ["uqbench", OWN].contains(&topic.key)
        || all.iter().any(|one| one.paper == topic.key)));
    let first = &all[0];
    assert_eq!((first.anchor().as_str(), first.kind()), ("dtb-1", "Unclear"));
    assert!(
        first.source.starts_with("**Unclear, (3.2).**") && first.source.ends_with("We draw ρ ± σ.")
    );
    assert_eq!(first.subject(), "(3.2)");
    let second = &all[10];
    assert_eq!(
        (SEVERITIES[second.severity], second.evidence().collect()),
        ("high", vec!["paper", "run"])
    );
}

#[test]
fn sentences_that_hold_and_slips_of_ours_are_no_faults_of_the_paper() {
    let others: Vec<String> =
        errata().iter().filter(|one| !one.is_fault()).map(Erratum::anchor).collect();
    assert_eq!(
        others,
        ["dtb-17", "dtb-25", "jcm-41", "jcm-50", "nsgp-13", "nsgp-16", "kompa-14", "easyuq-15"]
    );
    let dtb: Vec<&Erratum> = errata().iter().filter(|one| one.paper == "dtb").collect();
    let listed = by_severity(&dtb, "");
    let others = format!("- **{}**", words::NO_FAULT);
    let faults = listed.lines().filter(|line| !line.starts_with(&others)).collect::<String>();
    assert!(
        !faults.contains("#dtb-17") && faults.contains("#dtb-18") && listed.contains("#dtb-17"),
        "{listed}"
    );
}

#[test]
fn the_list_leads_to_every_item_and_is_short() {
    let documents = documents(&with_errata().collect::<Vec<_>>());
    assert_eq!(documents.len(), with_errata().count() + 1);
    let list = std::str::from_utf8(&documents[0].bytes).unwrap();
    assert!(list.len() < 20_000, "{} bytes", list.len());
    for one in errata() {
        assert!(
            list.contains(&format!("(errata/{}.md#{})", one.paper, one.anchor())),
            "{}",
            one.anchor()
        );
    }
    let of_dtb = list.split("\n## ").nth(1).unwrap();
    let at = |text: &str| of_dtb.find(text).unwrap_or_else(|| panic!("{text}: {of_dtb}"));
    assert!(at("- **high**: *Error* [11](") < at("- **medium**: *Error* [2]("));
    assert!(at("- **medium**") < at("- **low**"));
    for (word, meaning) in EVIDENCE.into_iter().zip(words::EVIDENCE) {
        assert!(list.contains(&words::meaning((word, meaning))), "{word}");
    }
}

#[test]
fn the_file_of_each_paper_begins_with_its_items_by_importance() {
    for (paper, document) in with_errata().zip(&documents(&with_errata().collect::<Vec<_>>())[1..])
    {
        let (key, made) = (&paper.key, std::str::from_utf8(&document.bytes).unwrap());
        let list = made.split_once(LIST[0]).unwrap().1.split_once(LIST[1]).unwrap().0;
        assert!(list.contains(&format!("](#{key}-1)")), "{key}: {list}");
        let empty = made.replace(list, "");
        assert_eq!(empty, paper.errata_text, "the folder of {key} has the list, which pages write");
    }
}
