//! Hold what pages about several benchmarks show of one of them.

use serde::{Deserialize, Serialize};

use super::drawings::Drawn;
use super::not_run::{NotRun, not_run};
use super::scorecard::{self, Row};
use crate::evidence::Evidence;
use crate::judgement::Scorecard;
use crate::judgement::claims::ClaimResult;
use crate::judgement::findings::{Finding, findings};

/// Largest picture of a page about several benchmarks, in bytes: such a page stays small.
const LARGEST_PICTURE: usize = 200_000;

/// What the index, the scorecard and the first page of the site show of one benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Brief {
    /// Its rows of the scorecard: printed numbers in the order of the card, then claims.
    pub rows: Vec<Row>,
    /// Its claims, judged, in the order of the benchmark.
    pub claims: Vec<ClaimResult>,
    /// Number of printed numbers of the main reading that are reproduced or close.
    pub passed: usize,
    /// Number of printed numbers that were judged.
    pub judged: usize,
    /// Expected number that would pass by chance.
    pub by_chance: f64,
    /// Finished and expected trials.
    pub coverage: (usize, usize),
    /// What a reader should know first.
    pub findings: Vec<Finding>,
    /// What has not run, and why.
    pub not_run: Vec<NotRun>,
    /// Its first small figure.
    pub picture: Option<Picture>,
}

/// A figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Picture {
    /// Its file name, without ending.
    pub file: String,
    /// Its title.
    pub title: String,
    /// Its SVG.
    pub svg: String,
}

impl Brief {
    /// Of a benchmark that was judged and drawn.
    pub fn of(evidence: &Evidence, card: &Scorecard, figures: &[Drawn]) -> Self {
        let small = figures.iter().find(|figure| figure.document.bytes.len() <= LARGEST_PICTURE);
        let picture = |figure: &Drawn| Picture {
            file: figure.file.clone(),
            title: figure.title.clone(),
            svg: String::from_utf8_lossy(&figure.document.bytes).into_owned(),
        };
        Self {
            rows: scorecard::rows(card),
            claims: card.claims.iter().map(|line| line.result.clone()).collect(),
            passed: card.passed,
            judged: card.judged,
            by_chance: card.by_chance,
            coverage: evidence.results.coverage(),
            findings: findings(evidence),
            not_run: not_run(&evidence.results, card),
            picture: small.map(picture),
        }
    }

    /// The rows of the printed numbers.
    pub fn numbers(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.claim.is_empty())
    }

    /// The rows of the claims.
    pub fn claim_rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| !row.claim.is_empty())
    }
}
