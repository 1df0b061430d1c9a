//! Check how errata are read and listed.

use super::*;
use uqbench_run::benchmark::find;
use uqbench_run::benchmark::papers::OWN;

#[test]
fn every_item_is_read_and_has_one_name_severity_and_evidence() {
    let all = errata();
    let is_item = |line: &&str| {
        line.split_once(". ").is_some_and(|(number, _)| number.parse::<usize>().is_ok())
    };
    let lines: usize = FILES.iter().map(|(_, text)| text.lines().filter(is_item).count()).sum();
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
    assert!(labelled("(grave; paper) x").is_none() && labelled("(high; rumour) x").is_none());
    assert!(labelled("**Error** (high; paper) x").is_none());
}

#[test]
fn sentences_that_hold_and_slips_of_ours_are_no_faults_of_the_paper() {
    let others: Vec<String> =
        errata().iter().filter(|one| !one.is_fault()).map(Erratum::anchor).collect();
    assert_eq!(others, ["dtb-17", "dtb-25", "jcm-41", "jcm-50", "nsgp-13", "nsgp-16"]);
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
fn the_words_after_a_table_are_none_of_its_rows() {
    let text = "1. <a id=\"dtb-1\"></a>(low; run) **Error.** A table:\n\n   | a | b |\n   | --- | \
                --- |\n   | 1 | 2 |\n\n   Words.\n\n## Next\n";
    let all = of_file("dtb", text);
    assert!(all[0].source.ends_with("| 1 | 2 |\n\nWords."), "{:?}", all[0].source);
    for one in errata() {
        let lines: Vec<&str> = one.source.lines().map(str::trim).collect();
        let joined = lines.windows(2).find(|pair| {
            pair[0].starts_with('|')
                && pair[0].ends_with('|')
                && !pair[1].is_empty()
                && !pair[1].starts_with('|')
        });
        assert_eq!(joined, None, "{} {}", one.paper, one.number);
    }
}

#[test]
fn the_list_leads_to_every_item_and_is_short() {
    let documents = documents();
    assert_eq!(documents.len(), FILES.len() + 1);
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
fn the_errata_about_a_benchmark_are_sorted_by_how_much_they_matter() {
    let found = about(&find("jcm-table-2").unwrap(), errata());
    assert!(found.len() > 5 && found.is_sorted_by_key(|one| one.severity), "{found:?}");
    assert!(!found.is_sorted_by_key(|one| one.number), "their numbers follow the paper");
}

#[test]
fn the_file_of_each_paper_begins_with_its_items_by_importance() {
    for ((key, text), document) in FILES.iter().zip(&documents()[1..]) {
        let made = std::str::from_utf8(&document.bytes).unwrap();
        assert!(
            *text == made,
            "the list of errata/{key}.md is not of its items; it should be:\n{made}"
        );
        assert!(text.contains(LIST[0]) && text.contains(&format!("](#{key}-1)")), "{key}");
    }
}

#[test]
fn tables_are_found_by_number_alone_in_pairs_and_in_ranges() {
    for (text, found) in [
        ("in Table 4: x", true),
        ("Tables 4 and 5", true),
        ("Tables 2 to 5", true),
        ("Tables 3 and 4", true),
        ("Table 40", false),
        ("Tables 2 and 3", false),
        ("Table 5 and Figure 4", false),
        ("a table of 4", false),
    ] {
        assert_eq!(names(text, "Table", 4), found, "{text}");
    }
    assert!(
        names_word("(dtb-figure-4): x", "dtb-figure-4")
            && !names_word("dtb-figure-40", "dtb-figure-4")
    );
}

#[test]
fn names_are_found_across_lines_and_together_in_one_sentence_alone() {
    let text = "1. <a id=\"jcm-1\"></a>(low; run) **Error.** Energy has 1.2 in the column JCM\n   \
                validated: on Boston the\n   row differs.\n";
    let one = &of_file("jcm", text)[0];
    assert!(one.has_name("JCM validated") && one.has_name("Boston") && !one.has_name("JCM valid"));
    assert!(one.has_both("Energy", "JCM validated"), "a point in a number ends no sentence");
    assert!(!one.has_both("Boston", "JCM validated") && !one.has_both("Energy", "DGP"));
}
