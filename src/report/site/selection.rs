//! Choose the findings of the first screen: of each paper the best and the worst news, the lowest coverage, and the
//! ranking over most datasets.

use std::cmp::Ordering;

use super::summary::Part;
use crate::judgement::findings::{Finding, News};

/// A finding, and the benchmark in which it was found.
pub struct Shown<'p, 'a> {
    /// The benchmark.
    pub part: &'p Part<'a>,
    /// The finding.
    pub finding: &'p Finding,
}

/// The kinds of findings, of each of which a paper shows the largest.
const KINDS: [fn(&Finding) -> bool; 5] = [
    |found| matches!(found, Finding::Ranked(_)),
    |found| matches!(found, Finding::Contrasted(_)) && found.news() == News::Good,
    |found| matches!(found, Finding::Contrasted(_)) && found.news() == News::Bad,
    |found| matches!(found, Finding::Beaten(_)),
    |found| matches!(found, Finding::Covered(_)),
];

/// The chosen findings, in the order of the parts' papers.
pub fn selected<'p, 'a>(parts: &'p [Part<'a>]) -> Vec<Shown<'p, 'a>> {
    let mut papers: Vec<&str> = parts.iter().map(|part| part.plan.benchmark.paper.as_str()).collect();
    papers.dedup();
    let of_paper = |paper: &str| {
        let own = parts.iter().filter(|part| part.plan.benchmark.paper == paper);
        let all: Vec<(&Part, &Finding)> =
            own.flat_map(|part| part.brief.findings.iter().map(move |finding| (part, finding))).collect();
        // Of findings of the same size the first one is kept.
        let larger = |a: &(&Part, &Finding), b: &(&Part, &Finding)| match b.1.size() > a.1.size() {
            true => Ordering::Less,
            false => Ordering::Greater,
        };
        let largest = |kind: fn(&Finding) -> bool| {
            let of_kind = all.iter().filter(|(_, finding)| kind(finding)).copied();
            of_kind.max_by(|a, b| larger(a, b))
        };
        KINDS.iter().filter_map(|&kind| largest(kind)).collect::<Vec<_>>()
    };
    let shown = papers.iter().flat_map(|paper| of_paper(paper));
    shown.map(|(part, finding)| Shown { part, finding }).collect()
}
