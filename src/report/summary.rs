//! Count, for each paper, what came out: printed numbers by verdict, claims by judgement.

use crate::benchmark::papers::{is_stated, short_name, topic};
use crate::judgement::claims::Judged;
use crate::report::brief::Brief;
use crate::report::committed::{Committed, is_preview};
use crate::report::scorecard::Row;
use crate::runner::plan::Plan;

/// A benchmark of a report.
pub struct Part<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// What was found in it.
    pub brief: &'a Brief,
}

impl<'a> Part<'a> {
    /// The benchmarks in the order of the papers, and of the tables and figures in them.
    pub fn all(plans: &'a [Plan], briefs: &[&'a Brief]) -> Vec<Self> {
        let mut all: Vec<Self> = plans.iter().zip(briefs).map(|(plan, brief)| Self { plan, brief }).collect();
        all.sort_by_key(|part| part.plan.benchmark.place());
        all
    }

    /// Whether some benchmark is about a paper: pages about others alone speak of no printed number.
    pub fn are_of_papers(parts: &[Self]) -> bool {
        parts.iter().any(|part| is_stated(&part.plan.benchmark.paper) || part.main_numbers().next().is_some())
    }

    /// Printed numbers of the main reading, with their places on the page.
    pub fn main_numbers(&self) -> impl Iterator<Item = (usize, &Row)> {
        self.brief.rows.iter().enumerate().filter(|(_, row)| row.claim.is_empty() && row.variant.is_empty())
    }
}

/// Printed numbers that are reproduced or close, among those that are judged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Reproduced or close.
    pub passed: usize,
    /// Judged.
    pub judged: usize,
    /// How many would be reproduced or close by chance; 0 where that is not known.
    pub by_chance: f64,
    /// Differ from the printed ones, or show that no predictor comes near them. The rest is unclear.
    pub differing: usize,
    /// Where most numbers differ; the first of equals.
    pub worst: Option<Differing>,
}

impl Tally {
    /// Judged, and neither reproduced or close nor different.
    pub fn unclear(&self) -> usize {
        self.judged.saturating_sub(self.passed + self.differing)
    }

    /// The share of the numbers that are reproduced or close, in words; `None` where none is judged.
    pub fn share(&self) -> Option<&'static str> {
        match (3 * self.passed, self.judged) {
            (_, 0) => None,
            (thrice, judged) if thrice > 2 * judged => Some("mostly"),
            (thrice, judged) if thrice < judged => Some("mostly not"),
            _ => Some("partly"),
        }
    }
}

/// The numbers of a table or figure that differ from the printed ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    /// The table or figure.
    pub artefact: String,
    /// How many differ.
    pub differing: usize,
    /// How many are judged.
    pub judged: usize,
}

impl Tally {
    /// Counts the numbers with these verdicts among those that differ.
    fn add_differing<'v>(&mut self, artefact: &str, verdicts: impl Iterator<Item = &'v str>) {
        let judged: Vec<&str> = verdicts.filter(|verdict| is_judged(verdict)).collect();
        let differing = judged.iter().filter(|verdict| differs(verdict)).count();
        self.differing += differing;
        if differing > self.worst.as_ref().map_or(0, |worst| worst.differing) {
            self.worst = Some(Differing { artefact: artefact.to_owned(), differing, judged: judged.len() });
        }
    }
}

/// Claims by judgement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// Claims that hold.
    pub hold: usize,
    /// Claims that fail.
    pub fail: usize,
    /// Claims that are not decided.
    pub open: usize,
}

impl Claims {
    fn add(&mut self, judged: &str) {
        match judged {
            "holds" => self.hold += 1,
            "fails" => self.fail += 1,
            _ => self.open += 1,
        }
    }
}

/// What came out for one paper.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Key of the paper.
    pub paper: String,
    /// Its short name.
    pub name: String,
    /// Its title; empty where it is no topic of the list.
    pub title: String,
    /// How many numbers of the main reading it prints, judged or not.
    pub printed: usize,
    /// Numbers of this run.
    pub own: Tally,
    /// The same numbers in the committed full run.
    pub full: Tally,
    /// Previews that agree with the full run, and previews that can be compared with it.
    pub previews: (usize, usize),
    /// Claims on our runs.
    pub claims: Claims,
    /// Claims on our runs so far, also where they are too few to decide.
    pub so_far: Claims,
    /// The same claims in the committed full run.
    pub claims_full: Claims,
    /// The same claims on the numbers that the paper prints.
    pub claims_printed: Claims,
    /// Finished and expected trials.
    pub trials: (usize, usize),
}

/// One summary for each paper, in the order of the parts.
pub fn summaries(parts: &[Part], committed: &Committed) -> Vec<Summary> {
    let mut all: Vec<Summary> = Vec::new();
    for part in parts {
        let key = &part.plan.benchmark.paper;
        if all.last().is_none_or(|last| last.paper != *key) {
            let title = topic(key).map_or("", |topic| topic.title).to_owned();
            all.push(Summary { paper: key.clone(), name: short_name(key).to_owned(), title, ..Summary::default() });
        }
        if let Some(summary) = all.last_mut() {
            summary.add(part, committed);
        }
    }
    all
}

impl Summary {
    /// Printed numbers and claims by this run, or by the committed full run where this one is a preview.
    pub fn of_full(&self, is_full: bool) -> (&Tally, &Claims) {
        if is_full { (&self.own, &self.claims) } else { (&self.full, &self.claims_full) }
    }

    /// Whether its paper prints numbers or claims that this report judges.
    pub fn has_printed(&self) -> bool {
        let Claims { hold, fail, open } = self.claims;
        self.own.judged + self.full.judged + self.previews.1 + hold + fail + open > 0
    }

    fn add(&mut self, part: &Part, committed: &Committed) {
        let brief = part.brief;
        self.printed += part.main_numbers().count();
        self.own.passed += brief.passed;
        self.own.judged += brief.judged;
        self.own.by_chance += brief.by_chance;
        self.trials.0 += brief.coverage.0;
        self.trials.1 += brief.coverage.1;
        let artefact = &part.plan.benchmark.artefact;
        self.own.add_differing(artefact, part.main_numbers().map(|(_, row)| row.verdict.as_str()));
        let of_full = part.main_numbers().filter_map(|(_, row)| committed.of(row));
        self.full.add_differing(artefact, of_full.map(|full| full.verdict.as_str()));
        for (_, row) in part.main_numbers() {
            let Some(full) = committed.of(row) else { continue };
            self.full.judged += usize::from(is_judged(&full.verdict));
            self.full.passed += usize::from(passes(&full.verdict));
            if let Some(agrees) = full.agrees_with(row).filter(|_| is_preview(row)) {
                self.previews.0 += usize::from(agrees);
                self.previews.1 += 1;
            }
        }
        for (result, row) in brief.claims.iter().zip(brief.claim_rows()) {
            self.claims.add(result.own.as_str());
            self.so_far.add(result.so_far.as_str());
            self.claims_printed.add(result.printed.as_str());
            let full = committed.of(row).map_or(Judged::Undecided.as_str(), |full| full.verdict.as_str());
            self.claims_full.add(full);
        }
    }
}

/// The answer in a sentence, in the parts before, in and behind its numbers: printed numbers and claims of all papers together; `None`
/// where no number is judged.
pub fn answer(summaries: &[Summary], is_full: bool) -> Option<[String; 5]> {
    let (mut numbers, mut claims) = (Tally::default(), Claims::default());
    for (tally, of) in summaries.iter().map(|one| one.of_full(is_full)) {
        numbers.passed += tally.passed;
        numbers.judged += tally.judged;
        claims = Claims { hold: claims.hold + of.hold, fail: claims.fail + of.fail, open: claims.open + of.open };
    }
    let Claims { hold, fail, open } = claims;
    let run = if is_full { "In this run (profile full) " } else { "In the committed full run " };
    (numbers.judged > 0).then(|| {
        [
            run.into(),
            format!("{} of {}", numbers.passed, numbers.judged),
            format!(" judged numbers are reproduced or close; of {} claims ", hold + fail + open),
            hold.to_string(),
            format!(" hold, {fail} fail and {open} are open."),
        ]
    })
}

/// The question of a report in which no benchmark is about a paper.
pub const QUESTION: &str = "How do the methods compare?";

/// What the words of a summary mean.
pub const MEANINGS: &str = "Mostly: more than two thirds; mostly not: less than one third. Differ: numbers that are implausible \
    are counted, too. Unclear: compatible or inconclusive. By chance: how many would agree if the printed numbers of each row \
    were shuffled among the columns that print one.";

/// Whether these words are the verdict on a number that was compared with a printed one.
fn is_judged(verdict: &str) -> bool {
    let others = ["preview", "not run", "printed as", "none here", "a number here"];
    !others.iter().any(|other| verdict.starts_with(other))
}

fn passes(verdict: &str) -> bool {
    ["reproduced", "close"].contains(&verdict)
}

fn differs(verdict: &str) -> bool {
    ["differs", "implausible", "impossible"].iter().any(|start| verdict.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_state_the_share() {
        let word = |passed, judged| Tally { passed, judged, ..Tally::default() }.share();
        let words = [word(0, 0), word(45, 48), word(2, 3), word(1, 3), word(30, 158)];
        assert_eq!(words, [None, Some("mostly"), Some("partly"), Some("partly"), Some("mostly not")]);
    }

    #[test]
    fn the_answer_adds_all_papers_and_is_none_without_a_judged_number() {
        let one = |passed, judged, hold| Summary {
            own: Tally { passed, judged, ..Tally::default() },
            claims: Claims { hold, fail: 1, open: 2 },
            ..Summary::default()
        };
        let said = |all: &[Summary]| answer(all, true).map(|parts| parts.concat());
        assert_eq!(
            said(&[one(3, 4, 0), one(1, 6, 5)]).as_deref(),
            Some(
                "In this run (profile full) 4 of 10 judged numbers are reproduced or close; of 11 claims 5 hold, 2 fail and 4 are open."
            )
        );
        assert_eq!(said(&[one(0, 0, 1)]), None);
    }

    #[test]
    fn a_verdict_without_two_numbers_is_not_judged() {
        let others = ["none here", "none here too", "a number here", "not run (crashed)", "printed as “x”", "preview"];
        assert!(others.iter().all(|verdict| !is_judged(verdict)));
        assert!(
            ["reproduced", "inconclusive", "differs (worse)", "impossible"].iter().all(|verdict| is_judged(verdict))
        );
    }
}
