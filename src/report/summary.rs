//! Count, for each paper, what came out: printed numbers by verdict, claims by judgement.

use crate::benchmark::papers::{short_name, topic};
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
    /// Differ from the printed ones, or show that no predictor comes near them. The rest is undecided.
    pub differing: usize,
    /// Where most numbers differ; the first of equals.
    pub worst: Option<Differing>,
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
    fn add(&mut self, part: &Part, committed: &Committed) {
        let brief = part.brief;
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
            let full = committed.of(row).map_or(Judged::Undecided.as_str(), |full| full.verdict.as_str());
            self.claims_full.add(full);
        }
    }
}

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
    fn a_verdict_without_two_numbers_is_not_judged() {
        let others = ["none here", "none here too", "a number here", "not run (crashed)", "printed as “x”", "preview"];
        assert!(others.iter().all(|verdict| !is_judged(verdict)));
        assert!(
            ["reproduced", "inconclusive", "differs (worse)", "impossible"].iter().all(|verdict| is_judged(verdict))
        );
    }
}
