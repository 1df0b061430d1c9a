//! Hold what pages about several benchmarks show of one of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::drawn::Drawn;
use super::scorecard::{self, Row};
use super::section::{Block, Page, Section};
use super::site::anchors::{row_anchor, section_anchor};
use super::words::level_title;
use uq_core::metrics::{MetricId, Picp};
use uqbench_judge::judgement::claims::ClaimResult;
use uqbench_judge::judgement::findings::Finding;
use uqbench_judge::report::{NotRun, Report};
use uqbench_run::benchmark::Benchmark;

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
    pub findings: Vec<Evident>,
    /// What has not run, and why.
    pub not_run: Vec<NotRun>,
    /// Its first small figure.
    pub picture: Option<Picture>,
    /// Anchors of the first row of each variant in the tables of its page.
    pub variants: BTreeMap<String, String>,
}

/// A finding, and where its evidence is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evident {
    /// The finding.
    pub finding: Finding,
    /// Anchor on the page of its benchmark: of a claim, of a table's row, or of a table; `None`
    /// where there is no table.
    pub anchor: Option<String>,
}

/// A figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Picture {
    /// Its file name, without ending.
    pub file: String,
    /// Its title.
    pub title: String,
    /// Its SVG, with words at the places of its points.
    pub svg: String,
}

impl Brief {
    /// Of the report on a benchmark, its page and its figures.
    pub fn of(report: &Report, page: &Page, figures: &[Drawn]) -> Self {
        let card = &report.card;
        let small = figures.iter().find(|figure| figure.document.bytes.len() <= LARGEST_PICTURE);
        let picture = |figure: &Drawn| Picture {
            file: figure.file.clone(),
            title: figure.title.clone(),
            svg: figure.document.svg_of_page(),
        };
        let tables: Vec<&Section> = page.blocks.iter().filter_map(Block::section).collect();
        let evident = |finding: &Finding| Evident {
            anchor: anchor(&report.plan.benchmark, &tables, finding),
            finding: finding.clone(),
        };
        Self {
            rows: scorecard::rows(card),
            claims: card.claims.iter().map(|line| line.result.clone()).collect(),
            passed: card.passed,
            judged: card.judged,
            by_chance: card.by_chance,
            coverage: (report.coverage.finished, report.coverage.expected),
            findings: report.findings.iter().map(evident).collect(),
            not_run: report.not_run.clone(),
            picture: small.map(picture),
            variants: variants(&tables),
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

/// Where the evidence of a finding is.
fn anchor(benchmark: &Benchmark, tables: &[&Section], finding: &Finding) -> Option<String> {
    let heading = |metric: &MetricId| {
        let known = benchmark.metrics.iter().find(|one| one.id == *metric);
        known.map_or_else(|| metric.label(), |one| one.heading.clone())
    };
    let (title, dataset) = match finding {
        Finding::Claimed(found) => return Some(format!("claim-{}", found.id)),
        Finding::Contrasted(found) => (found.metric.clone(), Some(&found.dataset)),
        Finding::Beaten(found) => (heading(&found.metric), Some(&found.dataset)),
        Finding::Covered(found) => {
            (heading(&MetricId::Picp(Picp { level: found.level })), Some(&found.dataset))
        }
        Finding::Ranked(found) => (heading(&found.metric), None),
        Finding::Decomposed(found) => (level_title(found.part), Some(&found.dataset)),
        Finding::Unfaithful(found) => (heading(&found.metric), Some(&found.dataset)),
    };
    place(tables, &title, dataset)
}

/// The row of a dataset in the table with this title, or the table; of curves there is a table for
/// each dataset. Otherwise the first table of the page.
fn place(tables: &[&Section], title: &str, dataset: Option<&String>) -> Option<String> {
    let titled = |title: &str| tables.iter().find(|table| table.title == title);
    let row = titled(title).zip(dataset).and_then(|(table, dataset)| {
        let is_there =
            table.grid.rows.iter().any(|row| row.first().is_some_and(|cell| cell.text == *dataset));
        is_there.then(|| row_anchor(title, dataset))?
    });
    let of_curve = || titled(&format!("{title}, {}", dataset?));
    let found = || titled(title).or_else(of_curve).or_else(|| tables.first());
    row.or_else(|| section_anchor(&found()?.title))
}

/// The anchors of the first rows of variants.
fn variants(tables: &[&Section]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for Section { title, grid, .. } in tables {
        for row in 0..grid.rows.len() {
            let anchor = || row_anchor(title, &grid.name_of(row));
            if let Some((variant, anchor)) =
                grid.variant_of(row).and_then(|variant| Some((variant, anchor()?)))
            {
                found.entry(variant.to_owned()).or_insert(anchor);
            }
        }
    }
    found
}
