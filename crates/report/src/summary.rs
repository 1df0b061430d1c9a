//! Count, for each paper, what came out: printed numbers by verdict, claims by judgement.

use crate::brief::Brief;
use crate::committed::{Committed, has_too_few};
use crate::scorecard::Row;
use crate::words::summary::{self as words, Agreeing};
pub use crate::words::summary::{Answer, MEANINGS, QUESTION};
use uqbench_judge::judgement::Verdict;
use uqbench_judge::judgement::claims::Judged;
use uqbench_judge::judgement::sentences::{Conclusions, Sentences};
use uqbench_run::benchmark::papers::{is_stated, papers, short_name, topic};
use uqbench_run::runner::plan::Plan;

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
        let mut all: Vec<Self> =
            plans.iter().zip(briefs).map(|(plan, brief)| Self { plan, brief }).collect();
        all.sort_by_key(|part| part.plan.benchmark.place());
        all
    }

    /// Whether some benchmark is about a paper: pages about others alone speak of no printed
    /// number.
    pub fn are_of_papers(parts: &[Self]) -> bool {
        parts.iter().any(|part| {
            is_stated(&part.plan.benchmark.paper) || part.main_numbers().next().is_some()
        })
    }

    /// Printed numbers of the main reading, with their places on the page.
    pub fn main_numbers(&self) -> impl Iterator<Item = (usize, &Row)> {
        self.brief
            .rows
            .iter()
            .enumerate()
            .filter(|(_, row)| row.claim.is_empty() && row.variant.is_empty())
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
    /// Differ from the printed ones, or show that no predictor comes near them. The rest is
    /// unclear.
    pub differing: usize,
    /// Where most numbers differ; the first of equals.
    pub worst: Option<Differing>,
}

impl Tally {
    /// Judged, and neither reproduced or close nor different.
    pub fn unclear(&self) -> usize {
        self.judged.saturating_sub(self.passed + self.differing)
    }

    /// The share of the numbers that are reproduced or close, in words; `None` where none is
    /// judged.
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
    fn add_differing<'v>(&mut self, artefact: &str, verdicts: impl Iterator<Item = &'v Verdict>) {
        let judged: Vec<&Verdict> = verdicts.filter(|verdict| verdict.is_judged()).collect();
        let differing = judged.iter().filter(|verdict| verdict.differs()).count();
        self.differing += differing;
        // Of tables with as many the one with fewer judged numbers, of which they are a larger share.
        let order = |differing: usize, judged: usize| (differing, std::cmp::Reverse(judged));
        let worst = self.worst.as_ref().map_or(order(0, 0), |one| order(one.differing, one.judged));
        if differing > 0 && order(differing, judged.len()) > worst {
            self.worst =
                Some(Differing { artefact: artefact.to_owned(), differing, judged: judged.len() });
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
    /// The same numbers in the shipped run.
    pub full: Tally,
    /// Means of too few repetitions that agree with the shipped run, and those that can be compared
    /// with it.
    pub means: (usize, usize),
    /// Its sentences, by their readings, on our runs.
    pub claims: Sentences,
    /// The same in the shipped run.
    pub claims_full: Sentences,
    /// The same on the numbers that the paper prints.
    pub claims_printed: Sentences,
    /// Finished and expected trials.
    pub trials: (usize, usize),
}

/// The printed numbers of one table, by this run, or by the shipped run where this one is of a
/// smaller profile.
pub fn tally_of(part: &Part, committed: &Committed, is_full: bool) -> Tally {
    let mut summary = Summary::default();
    summary.add(part, committed);
    summary.of_full(is_full).0.clone()
}

/// One summary for each paper, in the order of the parts.
pub fn summaries(parts: &[Part], committed: &Committed) -> Vec<Summary> {
    let mut all: Vec<Summary> = Vec::new();
    for part in parts {
        let key = &part.plan.benchmark.paper;
        if all.last().is_none_or(|last| last.paper != *key) {
            let title = topic(key).map_or("", |topic| topic.title).to_owned();
            all.push(Summary {
                paper: key.clone(),
                name: short_name(key).to_owned(),
                title,
                ..Summary::default()
            });
        }
        if let Some(summary) = all.last_mut() {
            summary.add(part, committed);
        }
    }
    all
}

impl Summary {
    /// Printed numbers and claims by this run, or by the shipped run where this one is of a smaller
    /// profile.
    pub fn of_full(&self, is_full: bool) -> (&Tally, Conclusions) {
        if is_full {
            (&self.own, self.claims.concluded())
        } else {
            (&self.full, self.claims_full.concluded())
        }
    }

    /// Whether it has a row in the table of papers: its paper prints numbers or claims that this
    /// report judges, or its methods ran.
    pub fn is_listed(&self) -> bool {
        let judged = self.own.judged + self.full.judged + self.means.1;
        let ran = self.trials.0 > 0 && papers().any(|paper| paper.key == self.paper);
        ran || judged + self.claims.concluded().all() > 0
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
        let full = committed.tally(&brief.rows);
        self.full.passed += full.passed;
        self.full.judged += full.judged;
        self.own.add_differing(
            artefact,
            part.main_numbers().filter_map(|(_, row)| row.verdict.number()),
        );
        let of_full = part.main_numbers().filter_map(|(_, row)| committed.of(row));
        self.full.add_differing(artefact, of_full.filter_map(|full| full.verdict.number()));
        for (_, row) in part.main_numbers() {
            let Some(full) = committed.of(row) else { continue };
            if let Some(agrees) = full.agrees_with(row).filter(|_| has_too_few(row)) {
                self.means.0 += usize::from(agrees);
                self.means.1 += 1;
            }
        }
        for (claim, (result, row)) in
            part.plan.benchmark.claims.iter().zip(brief.claims.iter().zip(brief.claim_rows()))
        {
            self.claims.add(claim, result.own);
            self.claims_printed.add(claim, result.printed);
            self.claims_full.add(claim, committed.judged(row).unwrap_or(Judged::Undecided));
        }
    }
}

/// What came out for the printed numbers, and for the claims where there are some: all papers
/// together; nothing where no number is judged.
pub fn answers(summaries: &[Summary], committed: &Committed, is_full: bool) -> Vec<Answer> {
    let (numbers, claims) = totals(summaries, is_full);
    if numbers.judged == 0 {
        return Vec::new();
    }
    let mut all = vec![words::numbers(numbers, is_full)];
    if claims.all() > 0 {
        all.push(words::claims(claims));
    }
    if let Some(last) = all.last_mut().filter(|_| !is_full) {
        last.after += &words::left_out(numbers.judged, committed.judged_numbers());
    }
    all
}

/// The printed numbers and the claims of all papers together.
fn totals(summaries: &[Summary], is_full: bool) -> (Agreeing, Conclusions) {
    let mut numbers = Agreeing { passed: 0, judged: 0, by_chance: is_full.then_some(0.0) };
    let mut claims = Conclusions::default();
    for (tally, of) in summaries.iter().map(|one| one.of_full(is_full)) {
        numbers.passed += tally.passed;
        numbers.judged += tally.judged;
        numbers.by_chance = numbers.by_chance.map(|sum| sum + tally.by_chance);
        claims = claims + of;
    }
    (numbers, claims)
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_run::benchmark::shipped;

    #[test]
    fn words_state_the_share() {
        let word = |passed, judged| Tally { passed, judged, ..Tally::default() }.share();
        let words = [word(0, 0), word(45, 48), word(2, 3), word(1, 3), word(30, 158)];
        assert_eq!(
            words,
            [None, Some("mostly"), Some("partly"), Some("partly"), Some("mostly not")]
        );
    }

    #[test]
    fn the_answers_add_all_papers_and_are_none_without_a_judged_number() {
        let summary = |passed, judged| Summary {
            own: Tally { passed, judged, ..Tally::default() },
            ..Summary::default()
        };
        let (mut both, committed) = ([summary(3, 4), summary(1, 6)], Committed::read());
        let agreeing = Agreeing { passed: 4, judged: 10, by_chance: Some(0.0) };
        assert_eq!(totals(&both, true), (agreeing, Conclusions::default()));
        assert_eq!(answers(&both, &committed, true), [words::numbers(agreeing, true)]);
        for claim in &shipped().unwrap().iter().find(|one| one.id == "dtb-table-1").unwrap().claims
        {
            both[1].claims.add(claim, Judged::Holds);
        }
        let conclusions = Conclusions { hold: 1, ..Conclusions::default() };
        assert_eq!(totals(&both, true), (agreeing, conclusions));
        let [_, claims] = answers(&both, &committed, true).try_into().unwrap();
        assert_eq!(claims, words::claims(conclusions));
        assert_eq!(answers(&[summary(0, 0)], &committed, true), []);
    }

    #[test]
    fn a_part_of_the_tables_says_how_many_numbers_are_left_out() {
        let committed = Committed::read();
        let all = committed.judged_numbers();
        let full = Tally { passed: 1, judged: all - 3, ..Tally::default() };
        let part = [Summary { full, ..Summary::default() }];
        let after = |is_full| answers(&part, &committed, is_full).pop().map(|last| last.after);
        assert!(after(false).unwrap().ends_with(&words::left_out(all - 3, all)));
        assert_eq!(after(true), None, "no number of its own run is judged");
    }
}
