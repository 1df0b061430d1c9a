//! Read the errata: what is wrong, unclear or missing in the papers. People write them in one Markdown file, and pages of
//! the site show them sorted.

use crate::benchmark::papers::topics;

/// The errata, written by hand. Every report has a copy, because pages refer to it.
pub const ERRATA: &str = include_str!("../../reports/errata.md");

/// The kinds of errata, the most important first. Items that start with another word come last.
const KINDS: [&str; 8] =
    ["Error", "Contradiction", "Unsound", "Implausible", "Claim", "Ambiguous", "Missing", "Unclear"];

/// One item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erratum {
    /// Key of the paper or other topic.
    pub paper: &'static str,
    /// Its number among the paper's items, as printed: with the paper it is the item's name for good.
    pub number: usize,
    /// Its heading among the paper's items.
    pub group: String,
    /// Place among the kinds: 0 is the most important.
    pub rank: usize,
    /// Its words, in Markdown.
    pub source: String,
}

impl Erratum {
    /// The kind in one word.
    pub fn kind(&self) -> &'static str {
        KINDS.get(self.rank).copied().unwrap_or("Note")
    }

    /// The item's anchor on its paper's page, which does not change when items are sorted: `jcm-26`.
    pub fn anchor(&self) -> String {
        format!("{}-{}", self.paper, self.number)
    }

    /// Whether it is about this table or figure of its paper, such as `Table 4`, or names its benchmark.
    pub fn is_about(&self, artefact: &str, benchmark: &str) -> bool {
        names_word(&self.source, benchmark)
            || artefact.split_once(' ').is_some_and(|(kind, number)| match number.parse() {
                Ok(number) => names(&self.group, kind, number) || names(&self.source, kind, number),
                Err(_) => false,
            })
    }
}

/// Whether a text has this word, and not as a part of a longer one.
pub fn names_word(text: &str, word: &str) -> bool {
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

/// Every item of the text, by paper and number.
pub fn errata(text: &str) -> Vec<Erratum> {
    let mut all: Vec<Erratum> = Vec::new();
    let (mut paper, mut group, mut is_open) = (None, String::new(), false);
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            let is_of = |title: &str, name: &str| heading.starts_with(title) || heading.contains(name);
            paper = topics().find(|topic| is_of(topic.title, topic.name)).map(|topic| topic.key);
            is_open = false;
        } else if let Some(heading) = line.strip_prefix("### ") {
            group = heading.into();
            is_open = false;
        } else if let (Some(paper), Some((number, first))) = (paper, numbered(line)) {
            let word: String = first.trim_start_matches('*').chars().take_while(|c| c.is_alphabetic()).collect();
            let rank = KINDS.iter().position(|kind| *kind == word).unwrap_or(KINDS.len());
            all.push(Erratum { paper, number, group: group.clone(), rank, source: first.into() });
            is_open = true;
        } else if let Some(last) = all.last_mut().filter(|_| is_open) {
            last.source = format!("{}\n{}", last.source, line.strip_prefix("   ").unwrap_or(line)).trim_end().into();
        }
    }
    all
}

/// `12. words` as its number and words.
fn numbered(line: &str) -> Option<(usize, &str)> {
    let (number, rest) = line.split_once(". ")?;
    Some((number.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_read_and_has_one_name() {
        let all = errata(ERRATA);
        let lines = ERRATA.lines().filter(|line| numbered(line).is_some()).count();
        assert!(all.len() == lines && lines > 100, "{} of {lines}", all.len());
        let mut anchors: Vec<String> = all.iter().map(Erratum::anchor).collect();
        anchors.sort_unstable();
        anchors.dedup();
        assert_eq!(anchors.len(), all.len(), "two items share a name");
        assert!(topics().all(|topic| topic.key == "uqbench" || all.iter().any(|one| one.paper == topic.key)));
        let first = &all[0];
        assert_eq!((first.anchor().as_str(), first.kind()), ("dtb-1", "Error"));
        assert!(first.source.starts_with("**Error, (3.2).**") && first.source.ends_with("We draw ρ ± σ."));
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
}
