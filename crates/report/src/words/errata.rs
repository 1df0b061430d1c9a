//! Introduce errata: what their kinds, severities and kinds of evidence mean, and how pages lead to
//! them.

use crate::grid::counted;

/// What the page of all errata says first.
pub const INTRODUCTION: &str = "Errors, ambiguities and gaps in the papers that this benchmark \
    reproduces, the reasons, and what we do instead. *Error*: contradicts itself or its own \
    numbers. *Contradiction*: two of its statements exclude each other, or its program and its \
    numbers do. *Unsound*: a procedure that does not do what it is for. *Implausible*: a number \
    that hardly anything gives. *Claim*: a sentence that its own tables do not support, or support \
    only in part. *Ambiguous*: several readings, and they give other numbers. *Missing*: a number \
    that a reproduction needs. *Unclear*: words or numbers whose meaning had to be found out. \
    *Note*: what a reader of the numbers should know. *Supported* and *Ours* are no faults of the \
    paper: a sentence that holds, and a slip of ours that is mended. Pages call an item by its paper and number, such as JCM 26; \
    it keeps them when others are added. In each paper the items that matter most come first.";

/// What each severity means, in their order.
pub const SEVERITIES: [&str; 3] = [
    "a printed number or a conclusion of the paper is wrong or not supported, or a whole column \
     hangs on it",
    "a reproduction has to choose or correct something, and its numbers depend on that",
    "no number of a reproduction depends on it",
];

/// What each kind of evidence is, in their order.
pub const EVIDENCE: [&str; 4] = [
    "the paper's own words, formulas and printed numbers",
    "a proof, a counterexample or a formula that was evaluated",
    "our runs",
    "another publication, a published program, or the data",
];

/// What the kinds mean, on the page of a paper's errata.
pub const KINDS: &str = "Error: contradicts itself or its own numbers. Contradiction: two \
    statements exclude each other, or program and numbers do. Unsound: a procedure that does not \
    do what it is for. Implausible: a number that hardly anything gives. Claim: a sentence that \
    the paper's own tables do not support, or support only in part. Ambiguous: several readings, \
    and they give other numbers. Missing: a number that a reproduction needs. Unclear: words or \
    numbers whose meaning had to be found out. Note: what a reader of the numbers should know.";

/// What a list calls items that are no fault.
pub const NO_FAULT: &str = "no fault of the paper";

/// What leads to the errata of a table or figure.
pub const ABOUT: &str = "Errata about it, the gravest first: ";

/// What leads to the errata that name a number.
pub const NAMING: &str = "Errata that name it: ";

/// The page that lists every item in Markdown, without the items: `severities` and `evidence` are
/// their words with their meanings.
pub fn page(severities: &str, evidence: &str) -> String {
    format!(
        "# Errata\n\n{INTRODUCTION}\n\nHow much it matters: {severities}. Evidence: {evidence}.\n"
    )
}

/// A word with its meaning, in Markdown.
pub fn meaning((word, meaning): (&str, &str)) -> String {
    format!("*{word}*: {meaning}")
}

/// How many items a paper's `file` has, and how many of them are no faults, in Markdown.
pub fn items(title: &str, file: &str, count: usize, others: usize) -> String {
    let others = match others {
        0 => String::new(),
        1 => ", one of which is no fault of the paper".into(),
        others => format!(", {others} of which are no faults of the paper"),
    };
    format!("{title}: [{count} items]({file}){others}.")
}

/// How the page of a paper's errata begins.
pub fn sorted(title: &str, count: usize) -> String {
    format!(
        "{title}. {}, those first that matter most, and among them errors. Each keeps its number \
         when others are added.",
        counted(count, "item")
    )
}

/// What stands before errata that are not named by their subject.
pub fn more(count: usize) -> String {
    format!("and {count} more")
}

/// What leads to the errata of a table or figure where none names the number.
pub fn those_about(artefact: &str) -> String {
    format!("those about {artefact}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_counted_and_led_to() {
        insta::assert_snapshot!(INTRODUCTION, @"Errors, ambiguities and gaps in the papers that this benchmark reproduces, the reasons, and what we do instead. *Error*: contradicts itself or its own numbers. *Contradiction*: two of its statements exclude each other, or its program and its numbers do. *Unsound*: a procedure that does not do what it is for. *Implausible*: a number that hardly anything gives. *Claim*: a sentence that its own tables do not support, or support only in part. *Ambiguous*: several readings, and they give other numbers. *Missing*: a number that a reproduction needs. *Unclear*: words or numbers whose meaning had to be found out. *Note*: what a reader of the numbers should know. *Supported* and *Ours* are no faults of the paper: a sentence that holds, and a slip of ours that is mended. Pages call an item by its paper and number, such as JCM 26; it keeps them when others are added. In each paper the items that matter most come first.");
        insta::assert_snapshot!(KINDS, @"Error: contradicts itself or its own numbers. Contradiction: two statements exclude each other, or program and numbers do. Unsound: a procedure that does not do what it is for. Implausible: a number that hardly anything gives. Claim: a sentence that the paper's own tables do not support, or support only in part. Ambiguous: several readings, and they give other numbers. Missing: a number that a reproduction needs. Unclear: words or numbers whose meaning had to be found out. Note: what a reader of the numbers should know.");
        insta::assert_snapshot!(items("A title", "errata/a.md", 12, 0), @"A title: [12 items](errata/a.md).");
        insta::assert_snapshot!(items("A title", "errata/a.md", 12, 1), @"A title: [12 items](errata/a.md), one of which is no fault of the paper.");
        insta::assert_snapshot!(items("A title", "errata/a.md", 12, 2), @"A title: [12 items](errata/a.md), 2 of which are no faults of the paper.");
        insta::assert_snapshot!(sorted("A title", 12), @"A title. 12 items, those first that matter most, and among them errors. Each keeps its number when others are added.");
        insta::assert_snapshot!(meaning(("run", EVIDENCE[2])), @"*run*: our runs");
        insta::assert_snapshot!(more(3), @"and 3 more");
        insta::assert_snapshot!(those_about("Table 4"), @"those about Table 4");
    }
}
