//! Read the errata of a paper: what is wrong, unclear or missing in it. People write them in a
//! Markdown file, in which each item has its number, its anchor, and how much it matters:
//!
//! ```text
//! ## Table 2
//!
//! 3. <a id="mine-3"></a>(high; paper, run) **Error, Table 2.** The width is in other units.
//! ```

use uq_core::printable::printable;

use crate::benchmark::Benchmark;

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
    pub paper: String,
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
    pub fn name(&self) -> (&str, usize) {
        (&self.paper, self.number)
    }

    /// The item's anchor on its paper's page, which does not change when items are sorted:
    /// `jcm-26`.
    pub fn anchor(&self) -> String {
        format!("{}-{}", self.paper, self.number)
    }

    /// Whether it is about this table or figure of its paper, or names its benchmark, by itself or
    /// in the heading above it. A table with a number, such as `Table 4`, may be named anywhere in
    /// it; one with another name, such as `Wine rows`, in its first words or in the heading.
    fn is_about(&self, artefact: &str, benchmark: &str) -> bool {
        let numbered = artefact.split_once(' ');
        let numbered = numbered.and_then(|(kind, number)| Some((kind, number.parse().ok()?)));
        let names_artefact = match numbered {
            Some((kind, number)) => {
                names(&self.group, kind, number) || names(&self.line, kind, number)
            }
            None => names_word(&self.group, artefact) || names_word(&self.subject(), artefact),
        };
        names_artefact || self.has_name(benchmark) || names_word(&self.group, benchmark)
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

impl Erratum {
    /// Every item of a paper's file.
    ///
    /// # Errors
    /// The line of the first item that is none, and what was expected.
    pub(super) fn parse_all(paper: &str, text: &str) -> Result<Vec<Self>, String> {
        let mut all: Vec<Self> = Vec::new();
        let (mut group, mut is_open) = (String::new(), false);
        for (at, line) in text.lines().enumerate() {
            if let Some(heading) = line.strip_prefix("## ") {
                group = heading.into();
                is_open = false;
            } else if line.split_once(". ").is_some_and(|(number, _)| is_number(number)) {
                let item = Self::parse(paper, &group, line);
                let item = item.map_err(|message| format!("line {}: {message}", at + 1))?;
                if all.iter().any(|other| other.number == item.number) {
                    let number = item.number;
                    return Err(format!("line {}: a second item has the number {number}", at + 1));
                }
                all.push(item);
                is_open = true;
            } else if let Some(last) = all.last_mut().filter(|_| is_open) {
                last.source.push('\n');
                last.source.push_str(line.strip_prefix("   ").unwrap_or(line));
            }
        }
        // Blank lines between its paragraphs and after its tables belong to an item, those after it
        // do not.
        for one in &mut all {
            one.source.truncate(one.source.trim_end().len());
            one.line = one.source.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        Ok(all)
    }

    /// An item of which this is the first line.
    fn parse(paper: &str, group: &str, line: &str) -> Result<Self, String> {
        let expected = |number: &str| {
            format!(
                "found \"{}\", expected an item as `{number}. <a id=\"{paper}-{number}\"></a>(high; \
                 paper) **Error, Table 1.** …`; the severity is one of {}, the evidence one or more \
                 of {}",
                printable(line, 80),
                SEVERITIES.join(", "),
                EVIDENCE.join(", ")
            )
        };
        let (number, rest) =
            numbered(paper, line).ok_or_else(|| expected(line.split('.').next().unwrap_or("1")))?;
        let ((severity, evidence), first) =
            labelled(rest).ok_or_else(|| expected(&number.to_string()))?;
        let word: String =
            first.trim_start_matches('*').chars().take_while(|c| c.is_alphabetic()).collect();
        let rank = KINDS.iter().position(|kind| *kind == word).unwrap_or(KINDS.len());
        Ok(Self {
            paper: paper.into(),
            number,
            group: group.into(),
            severity,
            evidence,
            rank,
            source: first.into(),
            line: String::new(),
        })
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::find;
    use crate::benchmark::papers::errata;

    #[test]
    fn the_words_after_a_table_are_none_of_its_rows() {
        let text = "1. <a id=\"dtb-1\"></a>(low; run) **Error.** A table:\n\n   | a | b |\n   | --- | \
                    --- |\n   | 1 | 2 |\n\n   Words.\n\n## Next\n";
        let all = Erratum::parse_all("dtb", text).unwrap();
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
    fn the_errata_about_a_benchmark_are_sorted_by_how_much_they_matter() {
        let found = about(&find("jcm-table-2").unwrap(), errata());
        assert!(found.len() > 5 && found.is_sorted_by_key(|one| one.severity), "{found:?}");
        assert!(!found.is_sorted_by_key(|one| one.number), "their numbers follow the paper");
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
    fn a_table_without_a_number_is_found_by_its_name() {
        let text = "1. <a id=\"m-1\"></a>(low; run) **Error, Wine rows.** x\n\n\
                    2. <a id=\"m-2\"></a>(low; run) **Error.** Of Wine rows and others.\n\n\
                    ## Wine rows\n\n3. <a id=\"m-3\"></a>(low; run) **Error.** y\n";
        let all = Erratum::parse_all("m", text).unwrap();
        let found: Vec<bool> = all.iter().map(|one| one.is_about("Wine rows", "m-wine")).collect();
        assert_eq!(found, [true, false, true]);
    }

    #[test]
    fn names_are_found_across_lines_and_together_in_one_sentence_alone() {
        let text = "1. <a id=\"jcm-1\"></a>(low; run) **Error.** Energy has 1.2 in the column JCM\n   \
                    validated: on Boston the\n   row differs.\n";
        let one = &Erratum::parse_all("jcm", text).unwrap()[0];
        assert!(
            one.has_name("JCM validated") && one.has_name("Boston") && !one.has_name("JCM valid")
        );
        assert!(one.has_both("Energy", "JCM validated"), "a point in a number ends no sentence");
        assert!(!one.has_both("Boston", "JCM validated") && !one.has_both("Energy", "DGP"));
    }

    #[test]
    fn a_line_that_looks_like_an_item_and_is_none_is_named() {
        let wrong = |text: &str| Erratum::parse_all("a", text).unwrap_err();
        for item in ["(grave; paper) x", "(high; rumour) x", "**Error** (high; paper) x"] {
            let message = wrong(&format!("# A\n\n1. <a id=\"a-1\"></a>{item}\n"));
            assert!(message.starts_with("line 3: found \"1. <a"), "{message}");
        }
        assert!(wrong("4. Words.").contains("`4. <a id=\"a-4\"></a>(high; paper)"));
        let item = "1. <a id=\"a-1\"></a>(low; run) **Missing.** x\n";
        assert!(wrong(&item.repeat(2)).contains("line 2: a second item has the number 1"));
    }
}
