//! Read the errata: what is wrong, unclear or missing in the papers. People write them in a
//! Markdown file for each paper, and pages show them sorted.

#[cfg(test)]
mod quoted;
#[cfg(test)]
mod tests;

use std::fmt::Write;
use std::sync::LazyLock;

use super::document::Document;
use crate::words::errata as words;
use uqbench_run::benchmark::Benchmark;
use uqbench_run::benchmark::papers::{Topic, topics};
use uqbench_system::carried::text;

/// Papers and other topics with errata.
const KEYS: [&str; 6] = ["dtb", "jcm", "nsgp", "wiener", "gplvm", "baselines"];

/// Their errata by key, written by hand. Every report has a copy, because pages refer to it.
static FILES: LazyLock<[(&str, &str); 6]> = LazyLock::new(|| {
    KEYS.map(|key| (key, text(&format!("reports/errata/{key}.md")).unwrap_or_default()))
});

/// The kinds of errata, the most important first. Items that start with another word come last.
const KINDS: [&str; 10] = [
    "Error",
    "Contradiction",
    "Unsound",
    "Implausible",
    "Claim",
    "Ambiguous",
    "Missing",
    "Unclear",
    SUPPORTED,
    OURS,
];

/// The kind of a sentence of the paper that holds: it is told, and is no fault.
const SUPPORTED: &str = "Supported";

/// The kind of a slip of ours that is mended: it is none of the paper's.
const OURS: &str = "Ours";

/// How much an item matters, the most important first.
pub const SEVERITIES: [&str; 3] = ["high", "medium", "low"];

/// What an item rests on.
pub const EVIDENCE: [&str; 4] = ["paper", "computation", "run", "source"];

/// One item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erratum {
    /// Key of the paper or other topic.
    pub paper: &'static str,
    /// Its number among the paper's items, as printed: with the paper it is the item's name for
    /// good.
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
    let meanings = |known: &[&'static str], meanings: &[&'static str]| {
        let each = known.iter().copied().zip(meanings.iter().copied());
        each.map(words::meaning).collect::<Vec<_>>().join("; ")
    };
    let severities = meanings(&SEVERITIES, &words::SEVERITIES);
    let mut page = words::page(&severities, &meanings(&EVIDENCE, &words::EVIDENCE));
    for topic in topics() {
        let own: Vec<&Erratum> = all.iter().filter(|one| one.paper == topic.key).collect();
        if !own.is_empty() {
            page.push_str(&listed(&topic, &own));
        }
    }
    let copies = FILES
        .iter()
        .map(|(key, text)| Document::new(format!("errata/{key}.md"), with_list(key, text, all)));
    std::iter::once(Document::new("errata.md", page)).chain(copies).collect()
}

/// Where the list in a paper's file starts and ends. The items keep the order of the paper.
const LIST: [&str; 2] = ["<!-- by importance -->\n", "<!-- end -->\n"];

/// The file of a paper with the list of its items by how much they matter, in place of the list
/// that it has.
fn with_list(key: &str, text: &str, all: &[Erratum]) -> String {
    let own: Vec<&Erratum> = all.iter().filter(|one| one.paper == key).collect();
    match text
        .split_once(LIST[0])
        .and_then(|(before, rest)| Some((before, rest.split_once(LIST[1])?.1)))
    {
        Some((before, after)) => {
            format!("{before}{}{}{}{after}", LIST[0], by_severity(&own, ""), LIST[1])
        }
        None => text.to_owned(),
    }
}

/// The items of a paper on the page of all errata.
fn listed(topic: &Topic, own: &[&Erratum]) -> String {
    let file = format!("errata/{}.md", topic.key);
    let faults = own.iter().filter(|one| one.is_fault()).count();
    let items = words::items(topic.title, &file, own.len(), own.len() - faults);
    format!("\n## {}\n\n{items}\n\n{}", topic.name, by_severity(own, &file))
}

/// A line for each severity of a paper's items, in it the kinds in their order, with links to the
/// items in this file.
fn by_severity(own: &[&Erratum], file: &str) -> String {
    let mut text = String::new();
    let of_severity =
        |severity: usize| own.iter().filter(move |one| one.is_fault() && one.severity == severity);
    let lines =
        SEVERITIES.iter().enumerate().map(|(at, word)| (*word, of_severity(at).copied().collect()));
    let others = own.iter().copied().filter(|one| !one.is_fault()).collect();
    for (word, items) in lines.chain(std::iter::once((words::NO_FAULT, others))) {
        let kinds = by_kind(items, file);
        if !kinds.is_empty() {
            // writing to a string cannot fail
            let _ = writeln!(text, "- **{word}**: {}", kinds.join(". "));
        }
    }
    text
}

/// The kinds of these items in their order, each with links to its items.
fn by_kind(mut items: Vec<&Erratum>, file: &str) -> Vec<String> {
    items.sort_by_key(|one| (one.rank, one.number));
    let of_kind = |items: &[&Erratum]| {
        let links = items
            .iter()
            .map(|one| format!("[{}]({file}#{}) {}", one.number, one.anchor(), one.subject()));
        let links = links.collect::<Vec<_>>().join("; ");
        items.first().map(|first| format!("*{}* {links}", first.kind()))
    };
    items.chunk_by(|a, b| a.rank == b.rank).filter_map(of_kind).collect()
}

/// How many of the errata about a benchmark are named by their subject.
pub const GRAVEST: usize = 3;

impl Erratum {
    /// The kind in one word.
    pub fn kind(&self) -> &'static str {
        KINDS.get(self.rank).copied().unwrap_or("Note")
    }

    /// Whether it is a fault of its paper: a sentence that holds is none, nor is a slip of ours.
    pub fn is_fault(&self) -> bool {
        ![SUPPORTED, OURS].contains(&self.kind())
    }

    /// Words of its evidence.
    pub fn evidence(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.evidence.iter().filter_map(|&at| EVIDENCE.get(at).copied())
    }

    /// What it is about, from its first words in bold, in one line: of `**Error, (3.2).**` it is
    /// `(3.2)`. Where they name nothing it is the heading above.
    pub fn subject(&self) -> String {
        let bold = self
            .line
            .strip_prefix("**")
            .and_then(|rest| rest.split_once("**"))
            .map_or("", |(bold, _)| bold);
        let named = bold.strip_prefix(self.kind()).unwrap_or(bold);
        let named = named.trim_start_matches([',', ':', ' ']).trim_end_matches(['.', ':', ',']);
        if named.is_empty() { &self.group } else { named }.to_owned()
    }

    /// Its paper and number, which are its name.
    pub fn name(&self) -> (&'static str, usize) {
        (self.paper, self.number)
    }

    /// The item's anchor on its paper's page, which does not change when items are sorted:
    /// `jcm-26`.
    pub fn anchor(&self) -> String {
        format!("{}-{}", self.paper, self.number)
    }

    /// Whether it is about this table or figure of its paper, such as `Table 4`, or names its
    /// benchmark, by itself or in the heading above it.
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
        let mut sentences = self
            .line
            .split(". ")
            .flat_map(|part| part.split(": "))
            .flat_map(|part| part.split("; "));
        sentences.any(|sentence| names_word(sentence, one) && names_word(sentence, other))
    }
}

/// Whether a text has this word, and not as a part of a longer one.
fn names_word(text: &str, word: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '-';
    let is_whole =
        |at: usize| !text[..at].ends_with(joins) && !text[at + word.len()..].starts_with(joins);
    !word.is_empty() && text.match_indices(word).any(|(at, _)| is_whole(at))
}

/// Whether a text names a table or figure by its number: `Table 4`, `Tables 4 and 5`,
/// `Tables 2 to 5`.
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
        } else if let Some((number, (severity, evidence), first)) = numbered(paper, line)
            .and_then(|(number, rest)| labelled(rest).map(|(label, first)| (number, label, first)))
        {
            let word: String =
                first.trim_start_matches('*').chars().take_while(|c| c.is_alphabetic()).collect();
            let rank = KINDS.iter().position(|kind| *kind == word).unwrap_or(KINDS.len());
            let (group, source) = (group.clone(), first.into());
            all.push(Erratum {
                paper,
                number,
                group,
                severity,
                evidence,
                rank,
                source,
                line: String::new(),
            });
            is_open = true;
        } else if let Some(last) = all.last_mut().filter(|_| is_open) {
            last.source.push('\n');
            last.source.push_str(line.strip_prefix("   ").unwrap_or(line));
        }
    }
    // Blank lines between its paragraphs and after its tables belong to an item, those after it do
    // not.
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

/// `(high; paper, run) words` as places among [`SEVERITIES`] and [`EVIDENCE`], and words; `None`
/// where a word is another.
fn labelled(text: &str) -> Option<((usize, Vec<usize>), &str)> {
    let place = |all: &[&str], word: &str| all.iter().position(|known| *known == word);
    let (label, rest) = text.strip_prefix('(')?.split_once(") ")?;
    let (severity, evidence) = label.split_once("; ")?;
    let evidence =
        evidence.split(", ").map(|word| place(&EVIDENCE, word)).collect::<Option<Vec<_>>>()?;
    Some(((place(&SEVERITIES, severity)?, evidence), rest))
}
