//! Say what came out of all papers together.

use uqbench_judge::judgement::sentences::Conclusions;

/// The question of a report in which no benchmark is about a paper.
pub const QUESTION: &str = "How do the methods compare?";

/// What the words of a summary mean.
pub const MEANINGS: &str = "Mostly: more than two thirds; mostly not: less than one third. Differ: \
    numbers that are implausible are counted, too. Unclear: compatible or inconclusive. By chance: \
    how many would agree if the printed numbers of each row were shuffled among the columns that \
    print one.";

/// A sentence around the number that answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What stands before the number.
    pub before: String,
    /// The number.
    pub number: String,
    /// What stands behind it.
    pub after: String,
}

/// How many printed numbers agree, of all that are judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreeing {
    /// Reproduced or close.
    pub passed: usize,
    /// Judged.
    pub judged: usize,
    /// How many would be reproduced or close by chance; `None` where this run does not know it.
    pub by_chance: Option<f64>,
}

/// What came out for the printed numbers. `is_full` says that the runs are those of the full
/// profile.
pub fn numbers(Agreeing { passed, judged, by_chance }: Agreeing, is_full: bool) -> Answer {
    let run = if is_full {
        "We ran the papers' experiments again at full length. Of "
    } else {
        "The papers' experiments were run again at full length; this program carries the results. \
         Of "
    };
    let by_chance = by_chance.map_or_else(String::new, |count| {
        format!("; {count:.0} would by chance, if the numbers of each row were shuffled")
    });
    Answer {
        before: format!("{run}{judged} printed numbers that can be judged "),
        number: passed.to_string(),
        after: format!(" agree with ours (reproduced or close){by_chance}."),
    }
}

/// What came out for the claims.
pub fn claims(claims: Conclusions) -> Answer {
    let Conclusions { hold, fail, depend, open } = claims;
    Answer {
        before: format!(" Of {} claims, which are sentences of the papers, ", claims.all()),
        number: hold.to_string(),
        after: format!(
            " hold, {fail} fail, {depend} depend on how their words are read, and {open} cannot be \
             decided."
        ),
    }
}

/// What leads from the judged numbers of these tables to those of all tables; empty where they are
/// all.
pub fn left_out(here: usize, all: usize) -> String {
    match all.saturating_sub(here) {
        0 => String::new(),
        others => format!(
            " The other {others} of all {all} judged numbers are of tables that this report leaves \
             out."
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(Answer { before, number, after }: Answer) -> String {
        format!("{before}{number}{after}").trim_start().to_owned()
    }

    #[test]
    fn answers_are_sentences_around_a_number() {
        let agreeing = Agreeing { passed: 4, judged: 10, by_chance: Some(2.4) };
        assert_eq!(numbers(agreeing, true).number, "4");
        insta::assert_snapshot!(text(numbers(agreeing, true)), @"We ran the papers' experiments again at full length. Of 10 printed numbers that can be judged 4 agree with ours (reproduced or close); 2 would by chance, if the numbers of each row were shuffled.");
        let unknown = Agreeing { by_chance: None, ..agreeing };
        insta::assert_snapshot!(text(numbers(unknown, false)), @"The papers' experiments were run again at full length; this program carries the results. Of 10 printed numbers that can be judged 4 agree with ours (reproduced or close).");
        let conclusions = Conclusions { hold: 1, fail: 2, depend: 3, open: 4 };
        assert_eq!(claims(conclusions).number, "1");
        insta::assert_snapshot!(text(claims(conclusions)), @"Of 10 claims, which are sentences of the papers, 1 hold, 2 fail, 3 depend on how their words are read, and 4 cannot be decided.");
    }

    #[test]
    fn numbers_of_tables_that_are_left_out_are_counted() {
        assert_eq!(left_out(350, 350), "");
        assert!(left_out(24, 350).contains("326"));
        insta::assert_snapshot!(left_out(24, 350).trim_start(), @"The other 326 of all 350 judged numbers are of tables that this report leaves out.");
    }

    #[test]
    fn the_page_asks_and_explains() {
        insta::assert_snapshot!(QUESTION, @"How do the methods compare?");
        insta::assert_snapshot!(MEANINGS, @"Mostly: more than two thirds; mostly not: less than one third. Differ: numbers that are implausible are counted, too. Unclear: compatible or inconclusive. By chance: how many would agree if the printed numbers of each row were shuffled among the columns that print one.");
    }
}
