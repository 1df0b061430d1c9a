//! Read the errata: what is wrong, unclear or missing in the papers. People write them in a Markdown file for each paper,
//! and pages show them sorted.

use std::fmt::Write;
use std::sync::LazyLock;

use super::document::Document;
use crate::benchmark::Benchmark;
use crate::benchmark::papers::{Topic, topics};

/// The errata of papers and other topics by key, written by hand. Every report has a copy, because pages refer to it.
const FILES: [(&str, &str); 6] = [
    ("dtb", include_str!("../../reports/errata/dtb.md")),
    ("jcm", include_str!("../../reports/errata/jcm.md")),
    ("nsgp", include_str!("../../reports/errata/nsgp.md")),
    ("wiener", include_str!("../../reports/errata/wiener.md")),
    ("gplvm", include_str!("../../reports/errata/gplvm.md")),
    ("baselines", include_str!("../../reports/errata/baselines.md")),
];

/// What the page of errata says first.
const INTRODUCTION: &str = "Errors, ambiguities and gaps in the papers that this benchmark reproduces, the reasons, and what we \
    do instead. *Error*: contradicts itself or its own numbers. *Claim*: a sentence that its own tables do not support, or \
    support only in part. *Ambiguous*: several readings, and they give other numbers. *Missing*: a number that a \
    reproduction needs. Pages call an item by its paper and number, such as JCM 26; it keeps them when others are added. In each \
    paper the items that matter most come first.";

/// The kinds of errata, the most important first. Items that start with another word come last.
const KINDS: [&str; 8] =
    ["Error", "Contradiction", "Unsound", "Implausible", "Claim", "Ambiguous", "Missing", "Unclear"];

/// How much an item matters, the most important first.
pub const SEVERITIES: [(&str, &str); 3] = [
    ("high", "a printed number or a conclusion of the paper is wrong or not supported, or a whole column hangs on it"),
    ("medium", "a reproduction has to choose or correct something, and its numbers depend on that"),
    ("low", "no number of a reproduction depends on it"),
];

/// What an item rests on.
pub const EVIDENCE: [(&str, &str); 4] = [
    ("paper", "the paper's own words, formulas and printed numbers"),
    ("computation", "a proof, a counterexample or a formula that was evaluated"),
    ("run", "our runs"),
    ("source", "another publication, a published program, or the data"),
];

/// One item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erratum {
    /// Key of the paper or other topic.
    pub paper: &'static str,
    /// Its number among the paper's items, as printed: with the paper it is the item's name for good.
    pub number: usize,
    /// Its heading among the paper's items.
    pub group: String,
    /// Place among [`SEVERITIES`].
    pub severity: usize,
    /// Places among [`EVIDENCE`], one or more.
    pub evidence: Vec<usize>,
    /// Place among the kinds: 0 is the most important.
    pub rank: usize,
    /// Its words, in Markdown.
    pub source: String,
    /// The same in one line, with single blanks.
    pub line: String,
}

/// The page that lists every item, those that matter most first, and the files of all papers.
pub fn documents() -> Vec<Document> {
    let all = errata();
    let words = |all: &[(&str, &str)]| {
        all.iter().map(|(word, meaning)| format!("*{word}*: {meaning}")).collect::<Vec<_>>().join("; ")
    };
    let (severities, evidence) = (words(&SEVERITIES), words(&EVIDENCE));
    let mut page = format!("# Errata\n\n{INTRODUCTION}\n\nHow much it matters: {severities}. Evidence: {evidence}.\n");
    for topic in topics() {
        let own: Vec<&Erratum> = all.iter().filter(|one| one.paper == topic.key).collect();
        if !own.is_empty() {
            page.push_str(&listed(&topic, &own));
        }
    }
    let copies = FILES.iter().map(|(key, text)| Document::new(format!("errata/{key}.md"), with_list(key, text, all)));
    std::iter::once(Document::new("errata.md", page)).chain(copies).collect()
}

/// Where the list in a paper's file starts and ends. The items keep the order of the paper.
const LIST: [&str; 2] = ["<!-- by importance -->\n", "<!-- end -->\n"];

/// The file of a paper with the list of its items by how much they matter, in place of the list that it has.
fn with_list(key: &str, text: &str, all: &[Erratum]) -> String {
    let own: Vec<&Erratum> = all.iter().filter(|one| one.paper == key).collect();
    match text.split_once(LIST[0]).and_then(|(before, rest)| Some((before, rest.split_once(LIST[1])?.1))) {
        Some((before, after)) => format!("{before}{}{}{}{after}", LIST[0], by_severity(&own, ""), LIST[1]),
        None => text.to_owned(),
    }
}

/// The items of a paper on the page of all errata.
fn listed(topic: &Topic, own: &[&Erratum]) -> String {
    let file = format!("errata/{}.md", topic.key);
    let head = format!("\n## {}\n\n{}: [{} items]({file}).\n\n", topic.name, topic.title, own.len());
    head + &by_severity(own, &file)
}

/// A line for each severity of a paper's items, in it the kinds in their order, with links to the items in this file.
fn by_severity(own: &[&Erratum], file: &str) -> String {
    let mut text = String::new();
    for (severity, (word, _)) in SEVERITIES.iter().enumerate() {
        let mut items: Vec<&Erratum> = own.iter().copied().filter(|one| one.severity == severity).collect();
        items.sort_by_key(|one| (one.rank, one.number));
        let of_kind = |items: &[&Erratum]| {
            let links = items.iter().map(|one| format!("[{}]({file}#{}) {}", one.number, one.anchor(), one.subject()));
            let links = links.collect::<Vec<_>>().join("; ");
            items.first().map(|first| format!("*{}* {links}", first.kind()))
        };
        let kinds: Vec<String> = items.chunk_by(|a, b| a.rank == b.rank).filter_map(of_kind).collect();
        if !kinds.is_empty() {
            let _ = writeln!(text, "- **{word}**: {}", kinds.join(". ")); // writing to a string cannot fail
        }
    }
    text
}

impl Erratum {
    /// The kind in one word.
    pub fn kind(&self) -> &'static str {
        KINDS.get(self.rank).copied().unwrap_or("Note")
    }

    /// Words of its evidence.
    pub fn evidence(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.evidence.iter().filter_map(|&at| Some(EVIDENCE.get(at)?.0))
    }

    /// What it is about, from its first words in bold, in one line: of `**Error, (3.2).**` it is `(3.2)`. Where they name
    /// nothing it is the heading above.
    pub fn subject(&self) -> String {
        let bold = self.line.strip_prefix("**").and_then(|rest| rest.split_once("**")).map_or("", |(bold, _)| bold);
        let named = bold.strip_prefix(self.kind()).unwrap_or(bold);
        let named = named.trim_start_matches([',', ':', ' ']).trim_end_matches(['.', ':', ',']);
        if named.is_empty() { &self.group } else { named }.to_owned()
    }

    /// Its paper and number, which are its name.
    pub fn name(&self) -> (&'static str, usize) {
        (self.paper, self.number)
    }

    /// The item's anchor on its paper's page, which does not change when items are sorted: `jcm-26`.
    pub fn anchor(&self) -> String {
        format!("{}-{}", self.paper, self.number)
    }

    /// Whether it is about this table or figure of its paper, such as `Table 4`, or names its benchmark, by itself or in the heading
    /// above it.
    fn is_about(&self, artefact: &str, benchmark: &str) -> bool {
        self.has_name(benchmark)
            || names_word(&self.group, benchmark)
            || artefact.split_once(' ').is_some_and(|(kind, number)| match number.parse() {
                Ok(number) => names(&self.group, kind, number) || names(&self.line, kind, number),
                Err(_) => false,
            })
    }

    /// Whether it is about a benchmark of its own paper.
    pub fn is_of(&self, benchmark: &Benchmark) -> bool {
        self.paper == benchmark.paper && self.is_about(&benchmark.artefact, &benchmark.id)
    }

    /// Where it is, from a Markdown page of the report.
    pub fn address(&self) -> String {
        format!("errata/{}.md#{}", self.paper, self.anchor())
    }

    /// Whether its words have this name.
    pub fn has_name(&self, name: &str) -> bool {
        names_word(&self.line, name)
    }

    /// Whether one of its sentences has both names. A colon and a semicolon end a sentence, too.
    pub fn has_both(&self, one: &str, other: &str) -> bool {
        let mut sentences = self.line.split(". ").flat_map(|part| part.split(": ")).flat_map(|part| part.split("; "));
        sentences.any(|sentence| names_word(sentence, one) && names_word(sentence, other))
    }
}

/// Whether a text has this word, and not as a part of a longer one.
fn names_word(text: &str, word: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '-';
    let is_whole = |at: usize| !text[..at].ends_with(joins) && !text[at + word.len()..].starts_with(joins);
    !word.is_empty() && text.match_indices(word).any(|(at, _)| is_whole(at))
}

/// Whether a text names a table or figure by its number: `Table 4`, `Tables 4 and 5`, `Tables 2 to 5`.
fn names(text: &str, kind: &str, number: usize) -> bool {
    text.split(kind).skip(1).any(|rest| {
        let mut words = rest.trim_start_matches('s').split_whitespace();
        let mut next = || {
            let word = words.next()?;
            let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
            Some((word, digits.parse::<usize>().ok()))
        };
        let Some((word, Some(first))) = next() else { return false };
        let goes_on = word.chars().all(|c| c.is_ascii_digit());
        match (goes_on.then(&mut next).flatten(), next()) {
            (Some(("to", _)), Some((_, Some(last)))) => (first..=last).contains(&number),
            (Some(("and", _)), Some((_, Some(second)))) => [first, second].contains(&number),
            _ => first == number,
        }
    })
}

/// Items, those first that matter most.
pub fn by_importance<'a>(items: impl Iterator<Item = &'a Erratum>) -> Vec<&'a Erratum> {
    let mut items: Vec<&Erratum> = items.collect();
    items.sort_by_key(|one| (one.severity, one.rank, one.number));
    items
}

/// The items about a benchmark, those first that matter most.
pub fn about<'a>(benchmark: &Benchmark, all: &'a [Erratum]) -> Vec<&'a Erratum> {
    by_importance(all.iter().filter(|one| one.is_of(benchmark)))
}

/// Every item, by paper and number.
pub fn errata() -> &'static [Erratum] {
    static ALL: LazyLock<Vec<Erratum>> =
        LazyLock::new(|| FILES.iter().flat_map(|(paper, text)| of_file(paper, text)).collect());
    &ALL
}

fn of_file(paper: &'static str, text: &str) -> Vec<Erratum> {
    let mut all: Vec<Erratum> = Vec::new();
    let (mut group, mut is_open) = (String::new(), false);
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            group = heading.into();
            is_open = false;
        } else if let Some((number, (severity, evidence), first)) =
            numbered(paper, line).and_then(|(number, rest)| labelled(rest).map(|(label, first)| (number, label, first)))
        {
            let word: String = first.trim_start_matches('*').chars().take_while(|c| c.is_alphabetic()).collect();
            let rank = KINDS.iter().position(|kind| *kind == word).unwrap_or(KINDS.len());
            let (group, source) = (group.clone(), first.into());
            all.push(Erratum { paper, number, group, severity, evidence, rank, source, line: String::new() });
            is_open = true;
        } else if let Some(last) = all.last_mut().filter(|_| is_open) {
            last.source.push('\n');
            last.source.push_str(line.strip_prefix("   ").unwrap_or(line));
        }
    }
    // Blank lines between its paragraphs and after its tables belong to an item, those after it do not.
    for one in &mut all {
        one.source.truncate(one.source.trim_end().len());
        one.line = one.source.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    all
}

/// `12. <a id="PAPER-12"></a>words` as its number and words.
fn numbered<'l>(paper: &str, line: &'l str) -> Option<(usize, &'l str)> {
    let (number, rest) = line.split_once(". ")?;
    let number = number.parse().ok()?;
    Some((number, rest.strip_prefix(&format!("<a id=\"{paper}-{number}\"></a>"))?))
}

/// `(high; paper, run) words` as places among [`SEVERITIES`] and [`EVIDENCE`], and words; `None` where a word is another.
fn labelled(text: &str) -> Option<((usize, Vec<usize>), &str)> {
    let place = |all: &[(&str, &str)], word: &str| all.iter().position(|(known, _)| *known == word);
    let (label, rest) = text.strip_prefix('(')?.split_once(") ")?;
    let (severity, evidence) = label.split_once("; ")?;
    let evidence = evidence.split(", ").map(|word| place(&EVIDENCE, word)).collect::<Option<Vec<_>>>()?;
    Some(((place(&SEVERITIES, severity)?, evidence), rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::find;
    use crate::benchmark::papers::OWN;

    #[test]
    fn every_item_is_read_and_has_one_name_severity_and_evidence() {
        let all = errata();
        let is_item = |line: &&str| line.split_once(". ").is_some_and(|(number, _)| number.parse::<usize>().is_ok());
        let lines: usize = FILES.iter().map(|(_, text)| text.lines().filter(is_item).count()).sum();
        assert!(all.len() == lines && lines > 100, "{} of {lines}", all.len());
        let mut anchors: Vec<String> = all.iter().map(Erratum::anchor).collect();
        anchors.sort_unstable();
        anchors.dedup();
        assert_eq!(anchors.len(), all.len(), "two items share a name");
        assert!(
            topics().all(|topic| ["uqbench", OWN].contains(&topic.key) || all.iter().any(|one| one.paper == topic.key))
        );
        let first = &all[0];
        assert_eq!((first.anchor().as_str(), first.kind()), ("dtb-1", "Error"));
        assert!(first.source.starts_with("**Error, (3.2).**") && first.source.ends_with("We draw ρ ± σ."));
        assert_eq!(first.subject(), "(3.2)");
        let second = &all[10];
        assert_eq!((SEVERITIES[second.severity].0, second.evidence().collect()), ("high", vec!["paper", "run"]));
        assert!(labelled("(grave; paper) x").is_none() && labelled("(high; rumour) x").is_none());
        assert!(labelled("**Error** (high; paper) x").is_none());
    }

    #[test]
    fn the_words_after_a_table_are_none_of_its_rows() {
        let text = "1. <a id=\"dtb-1\"></a>(low; run) **Error.** A table:\n\n   | a | b |\n   | --- | --- |\n   | 1 | 2 |\n\n   Words.\n\n## Next\n";
        let all = of_file("dtb", text);
        assert!(all[0].source.ends_with("| 1 | 2 |\n\nWords."), "{:?}", all[0].source);
        for one in errata() {
            let lines: Vec<&str> = one.source.lines().map(str::trim).collect();
            let joined = lines.windows(2).find(|pair| {
                pair[0].starts_with('|') && pair[0].ends_with('|') && !pair[1].is_empty() && !pair[1].starts_with('|')
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
            assert!(list.contains(&format!("(errata/{}.md#{})", one.paper, one.anchor())), "{}", one.anchor());
        }
        let of_dtb = list.split("\n## ").nth(1).unwrap();
        let at = |text: &str| of_dtb.find(text).unwrap_or_else(|| panic!("{text}: {of_dtb}"));
        assert!(at("- **high**: *Error* [11](") < at("- **medium**: *Error* [1]("));
        assert!(at("- **medium**") < at("- **low**") && list.contains("*run*: our runs"));
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
            assert!(*text == made, "the list of errata/{key}.md is not of its items; it should be:\n{made}");
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
        assert!(names_word("(dtb-figure-4): x", "dtb-figure-4") && !names_word("dtb-figure-40", "dtb-figure-4"));
    }

    #[test]
    fn names_are_found_across_lines_and_together_in_one_sentence_alone() {
        let text = "1. <a id=\"jcm-1\"></a>(low; run) **Error.** Energy has 1.2 in the column JCM\n   validated: on Boston the\n   row differs.\n";
        let one = &of_file("jcm", text)[0];
        assert!(one.has_name("JCM validated") && one.has_name("Boston") && !one.has_name("JCM valid"));
        assert!(one.has_both("Energy", "JCM validated"), "a point in a number ends no sentence");
        assert!(!one.has_both("Boston", "JCM validated") && !one.has_both("Energy", "DGP"));
    }
}
