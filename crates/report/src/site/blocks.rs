//! Turn the parts of a page into HTML.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, PreEscaped, html};

use super::anchors::{row_anchor, section_anchor};
use super::legend;
use super::looks::{chip, judged};
use super::prose::prose;
use super::terms::Terms;
use super::ties::Ties;
use crate::document::Document;
use crate::grid::{Cell, Grid, Lead};
use crate::section::{Block, Claimed, Place, Section};
use crate::trials::file;
use crate::words::explain::explain;
use crate::words::looks::look_of;
use crate::words::site::{FROM_TRIALS, first_trial, show, shows};
use uqbench_judge::judgement::{NumberLine, Scorecard};
use uqbench_run::benchmark::Benchmark;
use uqbench_run::runner::key::TrialKey;

/// What the names of trials' pages start with, below the folder of the report.
const TRIAL: &str = "site/trial-";

/// Heading of a column of metrics.
const METRIC: &str = "Metric";

/// Heading of a first column of datasets.
const DATASET: &str = "Dataset";

/// Whether a table has numbers of which none leads to a trial or to a printed number.
fn is_derived(grid: &Grid, judged: bool) -> bool {
    let leads = |cell: &Cell| matches!(cell.lead, Some(Lead::Trial(_) | Lead::Printed { .. }));
    !judged && !grid.cells().any(leads) && grid.numeric.contains(&true)
}

/// What a page's parts refer to.
pub struct Parts<'a> {
    /// SVG of each figure, by its file.
    pub figures: BTreeMap<String, String>,
    /// The scorecard whose printed numbers cells show.
    pub card: Option<&'a Scorecard<'a>>,
    /// What words mean.
    pub terms: Terms<'a>,
    /// Errata to which numbers and words lead.
    ties: Option<Ties<'a>>,
    /// Whether figures lie as files beside the site.
    has_files: bool,
    /// Keys of the trials that have a page.
    trials: BTreeSet<String>,
    /// The file that lists all trials.
    list_of_trials: Option<String>,
    /// Headings of the datasets that are variants of others.
    variants: BTreeSet<&'a str>,
    /// Anchors that the page has already.
    given: RefCell<BTreeSet<String>>,
}

impl<'a> Parts<'a> {
    /// The figures among these documents, and the scorecard.
    pub fn new(
        documents: impl IntoIterator<Item = &'a Document>,
        card: Option<&'a Scorecard<'a>>,
    ) -> Self {
        let svg = |document: &Document| {
            let file = document.name.strip_suffix(".svg")?.to_owned();
            Some((file, document.svg_of_page()))
        };
        let figures = documents.into_iter().filter_map(svg).collect();
        let benchmark = card.map(|card| &card.plan.benchmark);
        Self {
            figures,
            card,
            terms: Terms::default(),
            ties: None,
            has_files: true,
            trials: BTreeSet::new(),
            list_of_trials: benchmark.map(file),
            variants: benchmark.map(variants).unwrap_or_default(),
            given: RefCell::default(),
        }
    }

    /// The same with links to what words mean.
    pub fn with_terms(self, terms: Terms<'a>) -> Self {
        Self { terms, ..self }
    }

    /// The same with links to these errata.
    pub fn with_ties(self, ties: Ties<'a>) -> Self {
        Self { ties: Some(ties), ..self }
    }

    /// The same with links to these pages of trials.
    pub fn with_trials<'d>(self, pages: impl IntoIterator<Item = &'d Document>) -> Self {
        let key = |page: &Document| {
            Some(page.name.strip_prefix(TRIAL)?.strip_suffix(".html")?.to_owned())
        };
        Self { trials: pages.into_iter().filter_map(key).collect(), ..self }
    }

    /// The same with links to the list of a benchmark's trials.
    pub fn with_list(self, benchmark: &Benchmark) -> Self {
        Self { list_of_trials: Some(file(benchmark)), ..self }
    }

    /// The same without links to the figures' files, which are not written.
    pub fn without_files(self) -> Self {
        Self { has_files: false, ..self }
    }

    /// One part of a page.
    pub fn block(&self, block: &Block) -> Markup {
        match block {
            Block::Text(words) => html! { p.said { (self.terms.note(words)) } },
            Block::Markdown(source) => titled_prose(source),
            Block::Notes(source) => {
                let source =
                    self.ties.as_ref().map_or_else(|| source.clone(), |ties| ties.in_prose(source));
                html! { div.prose { (prose(&source)) } }
            }
            // The page has its own list, to which numbers lead.
            Block::Errata(_) => html! {},
            Block::Figure { file, title, folded: false } => self.figure(file, title),
            Block::Figure { file, title, folded: true } => html! {
                details { summary { h2 { (title) } } (self.figure(file, title)) }
            },
            Block::Table(Place::Untitled, section) => self.table(section),
            Block::Table(Place::Shown | Place::Long, section) => {
                html! {
                    section id=[self.once(section_anchor(&section.title))] {
                        h2 { (section.title) (self.terms.definition(&section.title, false)) } (self.table(section))
                    }
                }
            }
            Block::Table(place, section) => html! {
                details id=[self.once(section_anchor(&section.title))] data-variants=[(*place == Place::Variants).then_some("")] {
                    summary { h2 { (section.title) } }
                    @if self.terms.has(&section.title) {
                        p.note { (self.terms.definition(&section.title, false)) }
                    }
                    (self.table(section))
                }
            },
            Block::Claims(all) => self.claims(all),
        }
    }

    /// An anchor that the page does not have yet: links lead to the first part of its name.
    fn once(&self, anchor: Option<String>) -> Option<String> {
        anchor.filter(|anchor| self.given.borrow_mut().insert(anchor.clone()))
    }

    /// A figure with selectable text.
    pub fn figure(&self, file: &str, title: &str) -> Markup {
        let Some(svg) = self.figures.get(file) else { return html! {} };
        html! {
            figure id={ "figure-" (file) } {
                div.picture tabindex="0" role="group" aria-label=(title) { (PreEscaped(svg)) }
                figcaption {
                    (title) @if self.has_files { " · " a href={ "../" (file) ".svg" } { "SVG" } }
                }
            }
        }
    }

    /// A table with its note.
    fn table(&self, Section { title, grid, note }: &Section) -> Markup {
        let judged = grid.has_verdicts();
        if grid.rows.is_empty() {
            return html! { p.note { (self.note(note)) } };
        }
        html! {
            div.scroll tabindex="0" role="group" aria-label=(title) {
                table.sortable data-trials=[self.list_of_trials.as_ref().filter(|_| grid.leads_to_trials())] {
                    thead { tr {
                        @for (at, (head, &numeric)) in grid.head.iter().zip(&grid.numeric).enumerate() {
                            th scope="col" class=[numeric.then_some("n")]
                                data-place=[grid.places.get(at).copied().flatten()] {
                                (head) (self.terms.definition(head, judged))
                            }
                        }
                        @if judged { th scope="col" { "Why" } }
                    } }
                    tbody {
                        @for row in 0..grid.rows.len() { (self.row(title, grid, row, judged)) }
                    }
                }
            }
            @if !note.is_empty() { p.note { (self.note(note)) } }
            // Where no cell leads to its trials, the table as a whole does.
            @if let Some(list) = self.list_of_trials.as_ref().filter(|_| is_derived(grid, judged)) {
                @let [before, link, after] = FROM_TRIALS;
                p.note { (before) a href={ "../" (list) } { (link) } (after) }
            }
        }
    }

    fn row(&self, title: &str, grid: &Grid, row: usize, judged: bool) -> Markup {
        let last = grid.rows[row].len().saturating_sub(1);
        let of_row = grid.rows[row].last().and_then(|cell| match cell.lead {
            Some(Lead::Verdict(line)) => Some(line),
            _ => None,
        });
        let line = of_row.and_then(|at| self.line(at));
        let id = of_row
            .map(|at| format!("n{at}"))
            .or_else(|| self.once(row_anchor(title, &grid.name_of(row))));
        let class = line.map(|line| look_of(&line.verdict).class);
        html! {
            tr id=[id] data-verdict=[class] data-variant=[self.is_of_variant(grid, row).then_some("")] {
                @for (column, cell) in grid.rows[row].iter().enumerate() {
                    @let text = cell.text.as_str();
                    @if column == 0 {
                        th scope="row" { (self.linked(&grid.head[column], cell)) }
                    } @else if judged && column == last {
                        td { @if let Some(line) = line { (chip(&line.verdict)) } @else { (text) } }
                    } @else if !judged && grid.head[column] == Grid::VARIANT {
                        td { (text) @if let Some(ties) = &self.ties { (ties.of_variant(text)) } }
                    } @else {
                        (self.cell(grid.numeric[column], &grid.head[column], cell))
                    }
                }
                @if judged { td.why { @if let Some(line) = line { (self.why(line)) } } }
            }
        }
    }

    /// Whether a row is about a variant: the script can hide it.
    fn is_of_variant(&self, grid: &Grid, row: usize) -> bool {
        let of_dataset = || {
            grid.rows[row].first().filter(|_| grid.head.first().is_some_and(|head| head == DATASET))
        };
        grid.variant_of(row).is_some_and(|variant| !variant.is_empty())
            || of_dataset().is_some_and(|name| self.variants.contains(name.text.as_str()))
    }

    /// Why a printed number has its verdict, the first trial behind it, and the errata.
    fn why(&self, line: &NumberLine) -> Markup {
        html! {
            (explain(line)) (self.trial(line.first_trial.as_ref()))
            @if let Some(ties) = &self.ties { (ties.of_number(line)) }
        }
    }

    /// A cell that shows a printed number leads to the row that explains its verdict. Another one
    /// leads to its first trial, where that has a page, and else names the command that shows it;
    /// the script makes these words reachable and adds where all trials are.
    fn cell(&self, is_number: bool, heading: &str, cell: &Cell) -> Markup {
        let (text, numeric) = (cell.text.as_str(), is_number.then_some("n"));
        if is_number {
            self.terms.see(text);
        }
        let printed = match cell.lead {
            Some(Lead::Printed { line, .. }) => self.line(line).map(|found| (line, found)),
            _ => None,
        };
        match printed {
            Some((at, line)) => {
                let verdict = &line.verdict;
                let look = look_of(verdict);
                html! {
                    td class={ "n cell v-" (look.class) } data-verdict=(look.class) {
                        a href={ "#n" (at) } title=(verdict) {
                            span.sym aria-hidden="true" { (look.symbol) } " " (text)
                            span.sr { " " (verdict) }
                        }
                    }
                }
            }
            None => match &cell.lead {
                Some(Lead::Trial(first)) if self.trials.contains(&first.key) => html! {
                    td class=[numeric] {
                        a href={ "trial-" (first.key) ".html" } title=(first_trial(first.of)) {
                            (text)
                        }
                    }
                },
                Some(Lead::Trial(first)) => html! {
                    td class=[numeric] title=(shows(&first.key, first.of, self.file())) { (text) }
                },
                _ => html! { td class=[numeric] { (self.linked(heading, cell)) } },
            },
        }
    }

    /// The file of the benchmark, where it is none of the program.
    fn file(&self) -> Option<&str> {
        self.ties.as_ref().and_then(|ties| ties.file())
    }

    /// The first trial behind a number or a claim: its page, or the command that shows it.
    fn trial(&self, key: Option<&TrialKey>) -> Markup {
        html! { @if let Some(key) = key.map(TrialKey::short) {
            " First trial: "
            @if self.trials.contains(key) { a href={ "trial-" (key) ".html" } { (key) } }
            @else { code { (show(key, self.file())) } }
            "."
        } }
    }

    fn claims(&self, all: &[Claimed]) -> Markup {
        html! {
            section #claims {
                h2 { "Claims" }
                (legend::of_claims(&all.iter().map(|claim| claim.own).collect::<Vec<_>>()))
                div.scroll tabindex="0" role="group" aria-label="Claims" {
                    table.sortable {
                        thead { tr { @for head in ["Claim", "Our runs", "Printed numbers", "What they show"] {
                            th scope="col" { (head) }
                        } } }
                        tbody { @for claim in all { tr id={ "claim-" (claim.id) } data-claim=(claim.own.as_str()) {
                            th scope="row" .words { "“" (claim.text) "”"
                                @if !claim.reading.is_empty() { span.note { " (" (claim.read_as()) ": " (self.cited(&claim.reading)) ")" } } }
                            td { (judged(claim.own)) }
                            td { (judged(claim.printed)) }
                            td.words {
                                (claim.note) @if claim.first_trial.is_some() { "." }
                                (self.trial(claim.first_trial.as_ref()))
                            }
                        } } }
                    }
                }
            }
        }
    }

    /// A cell's words, as a link where the table has one or they are a metric, and else with links
    /// to the errata that they cite. Tables link to Markdown pages; each has a page of the site.
    fn linked(&self, heading: &str, Cell { text, lead, .. }: &Cell) -> Markup {
        let link = match lead {
            Some(Lead::Page(page)) => Some(page.as_str()),
            _ => None,
        };
        let of_site = link.and_then(|link| link.strip_prefix("site/")).map(str::to_owned);
        let page = || Some(format!("{}.html", link?.strip_suffix(".md")?));
        match of_site.or_else(page) {
            Some(page) => html! { a href=(page) { (text) } },
            None if heading == METRIC => self.terms.metric(text),
            None => self.cited(text),
        }
    }

    /// Words in which each erratum that is cited is a link.
    fn cited(&self, text: &str) -> Markup {
        match &self.ties {
            Some(ties) => ties.linked(text, |part| html! { (part) }),
            None => html! { (text) },
        }
    }

    /// A note, in which the words that the glossary has and the errata that it cites are links.
    fn note(&self, text: &str) -> Markup {
        match &self.ties {
            Some(ties) => ties.linked(text, |part| self.terms.note(part)),
            None => self.terms.note(text),
        }
    }

    fn line(&self, at: usize) -> Option<&'a NumberLine<'a>> {
        self.card?.numbers.get(at)
    }
}

/// Headings of the datasets that are variants, and of no other dataset.
fn variants(benchmark: &Benchmark) -> BTreeSet<&str> {
    let headings = |variant: bool| {
        let of_kind = benchmark.datasets.iter().filter(move |row| row.variant.is_some() == variant);
        of_kind.map(|row| row.heading.as_str()).collect::<BTreeSet<_>>()
    };
    &headings(true) - &headings(false)
}

/// Prose, with its heading where it starts with one.
fn titled_prose(source: &str) -> Markup {
    match source.trim().strip_prefix("## ").and_then(|rest| rest.split_once('\n')) {
        Some((title, rest)) => {
            html! { section { h2 { (title) } div.prose { (prose(rest)) } } }
        }
        None => html! { div.prose { (prose(source)) } },
    }
}
