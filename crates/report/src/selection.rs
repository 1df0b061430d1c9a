//! Choose the findings that a reader sees first, and say where the evidence of each is.

use std::collections::BTreeMap;

use super::brief::Evident;
use super::summary::Part;
pub use super::words::selection::rule;
use uqbench_judge::judgement::findings::{Finding, News};
use uqbench_judge::judgement::sentences::{Conclusion, Sentences};

/// Most findings that are chosen.
const MOST: usize = 13;

/// A finding, and the benchmark in which it was found.
pub struct Shown<'p, 'a> {
    /// The benchmark.
    pub part: &'p Part<'a>,
    /// The finding.
    pub finding: &'p Finding,
    /// Anchor of its evidence on the page of the benchmark.
    pub anchor: Option<&'p str>,
}

type Kind = fn(&Finding) -> bool;

const DECOMPOSED: Kind = |found| matches!(found, Finding::Decomposed(_));
const UNFAITHFUL: Kind =
    |found| matches!(found, Finding::Unfaithful(_)) && found.news() == News::Bad;
/// By a metric that ranks nothing.
const DIFFERENT: Kind = |found| matches!(found, Finding::Unfaithful(_));
const LOSS: Kind = |found| {
    matches!(found, Finding::Beaten(_) | Finding::Contrasted(_)) && found.news() == News::Bad
};
const LOW_COVERAGE: Kind = |found| matches!(found, Finding::Covered(found) if found.is_low());
const FAILING: Kind = |found| matches!(found, Finding::Claimed(claim) if !claim.holds);
const RANKING: Kind = |found| matches!(found, Finding::Ranked(_));
const GAIN: Kind = |found| matches!(found, Finding::Contrasted(_)) && found.news() == News::Good;
const HOLDING: Kind = |found| matches!(found, Finding::Claimed(claim) if claim.holds);
const COVERAGE: Kind = |found| matches!(found, Finding::Covered(_));

/// In each round every paper, in the order of papers, shows the largest finding of the first kind
/// of which it has one that is not shown yet.
const ROUNDS: [&[Kind]; 5] = [
    &[DECOMPOSED, UNFAITHFUL, LOSS, LOW_COVERAGE, FAILING, DIFFERENT, RANKING],
    &[RANKING],
    &[GAIN, HOLDING],
    &[FAILING],
    &[COVERAGE],
];

/// What the runs show so far of the sentences of each paper.
fn sentences<'p>(parts: &'p [Part]) -> BTreeMap<&'p str, Sentences> {
    let mut all: BTreeMap<&str, Sentences> = BTreeMap::new();
    for part in parts {
        let of_paper = all.entry(part.plan.benchmark.paper.as_str()).or_default();
        for (claim, result) in part.plan.benchmark.claims.iter().zip(&part.brief.claims) {
            of_paper.add(claim, result.so_far);
        }
    }
    all
}

/// The chosen findings, at most [`MOST`], in the order of the parts' papers. A claim is one only
/// where the whole sentence is judged as it is.
pub fn selected<'p, 'a>(parts: &'p [Part<'a>]) -> Vec<Shown<'p, 'a>> {
    let mut papers: Vec<&str> =
        parts.iter().map(|part| part.plan.benchmark.paper.as_str()).collect();
    papers.dedup();
    let of_part = |part: &'p Part<'a>| {
        let shown = move |Evident { finding, anchor }: &'p Evident| Shown {
            part,
            finding,
            anchor: anchor.as_deref(),
        };
        part.brief.findings.iter().map(shown)
    };
    let sentences = sentences(parts);
    let is_of_sentence = |one: &Shown| match one.finding {
        Finding::Claimed(found) => {
            let paper = one.part.plan.benchmark.paper.as_str();
            let whole = sentences.get(paper).and_then(|all| all.conclusion(&found.sentence));
            whole == Some(if found.holds { Conclusion::Holds } else { Conclusion::Fails })
        }
        _ => true,
    };
    let all = parts.iter().flat_map(of_part).filter(is_of_sentence);
    let mut left: Vec<(usize, Shown)> = all
        .filter_map(|one| {
            Some((papers.iter().position(|paper| *paper == one.part.plan.benchmark.paper)?, one))
        })
        .collect();
    let mut chosen: Vec<(usize, Shown)> = Vec::new();
    for (kinds, paper) in
        ROUNDS.iter().flat_map(|kinds| (0..papers.len()).map(move |paper| (kinds, paper)))
    {
        // A paper shows one ranking: those by its other metrics say nearly the same.
        let is_ranked = chosen.iter().any(|(of, one)| *of == paper && RANKING(one.finding));
        let is_open =
            |one: &Shown, kind: &Kind| kind(one.finding) && !(is_ranked && RANKING(one.finding));
        let largest = |kind: &Kind| {
            let of_kind =
                left.iter().enumerate().filter(|(_, (of, one))| *of == paper && is_open(one, kind));
            // Of findings of the same size the first one is kept.
            let larger = |a: usize, b: usize| left[b].1.finding.size() > left[a].1.finding.size();
            of_kind.map(|(at, _)| at).reduce(|a, b| if larger(a, b) { b } else { a })
        };
        let found = kinds.iter().find_map(largest);
        if let Some(at) = found.filter(|_| chosen.len() < MOST) {
            chosen.push(left.remove(at));
        }
    }
    // The sort is stable, so that the findings of a paper keep the order of the rounds.
    chosen.sort_by_key(|(paper, _)| *paper);
    chosen.into_iter().map(|(_, shown)| shown).collect()
}
