//! Render one benchmark's page: the table in the paper's shape, then every number, then claims,
//! figures and notes.

use super::cite::bibtex;
use super::committed::{Agreed, Committed};
use super::drawn::Drawn;
use super::export::Format;
use super::grid::{Cell, Grid, Lead};
use super::section::{Block, Claimed, Named, Page, Place, Section};
use super::words::excluded;
use super::words::page::{self as said, Counts, Noted};
use super::{own_papers, ranks, scorecard, settings, words};
use crate::words::remarks;
use uq_core::stats::digits::{NONE, mean_and_spread, number};
use uqbench_judge::judgement::sentences::Sentences;
use uqbench_judge::judgement::shipped::{Origin, Share};
use uqbench_judge::judgement::{ClaimLine, Remark, Scorecard};
use uqbench_judge::report::Report;
use uqbench_run::benchmark::papers::{
    Erratum, OWN, SEVERITIES, about, errata, short_name, with_folder,
};
use uqbench_run::benchmark::{Benchmark, Profile};
use uqbench_run::protocols::TestRows;

/// The page of one benchmark, with its tables and its figures.
pub fn page(report: &Report, figures: &[Drawn]) -> Page {
    let Report { plan, card, tables, .. } = report;
    let benchmark = &plan.benchmark;
    let mut page = heading(report);
    let drawn = figures.iter().map(|f| Block::Figure {
        file: f.file.clone(),
        title: f.title.clone(),
        folded: false,
    });
    page.blocks.extend(errata_about(benchmark));
    page.blocks.extend(drawn);
    // Notes are long: they come after the first table by metric, which they are about.
    let after = tables.iter().take_while(|table| words::is_overview(table)).count();
    let after = after + usize::from(tables.get(after).is_some_and(words::is_by_metric));
    let place = page.blocks.len() + after;
    page.blocks.extend(words::blocks(tables, card));
    let notes = notes(benchmark);
    if !notes.is_empty() {
        page.blocks.insert(place, Block::Notes(notes));
    }
    page.blocks.extend(claims(card));
    page.blocks.extend(verdicts(card));
    page.blocks.extend(excluded::block(&report.excluded).map(Block::Markdown));
    page.blocks.extend(excluded::unjudged(&card.plan.benchmark).map(Block::Markdown));
    page.blocks.extend(settings::block(benchmark));
    let own_papers =
        card.originals.iter().flat_map(|originals| own_papers::blocks(card.plan, originals));
    page.blocks.extend(own_papers);
    let source = report.hint_source.as_deref();
    let hints = card
        .originals
        .iter()
        .filter_map(|originals| own_papers::hints(card.plan, originals, source));
    page.blocks.extend(hints.map(|hints| Block::Table(Place::Diagnosis, hints)));
    page.blocks.extend(ranks::link(report).map(Block::Markdown));
    page.blocks.push(Block::Markdown(every_number(&benchmark.id)));
    page.references = bibtex(std::slice::from_ref(card.plan));
    page
}

/// Where its table or figure is in the paper, what the paper says of the protocol, and the notes of
/// the benchmark file.
fn notes(benchmark: &Benchmark) -> String {
    let paper = with_folder().iter().find(|paper| paper.key == benchmark.paper);
    let of_paper = paper.and_then(|paper| {
        let facts = paper.facts.iter().filter(|fact| fact.is_about(&benchmark.id));
        said::in_paper(benchmark.protocol_source, paper.place_of(&benchmark.id), facts)
    });
    of_paper.into_iter().chain([benchmark.notes.clone()]).collect::<Vec<_>>().join("\n\n")
}

/// Where the numbers of a benchmark are, in which formats.
fn every_number(id: &str) -> String {
    let is_other = |format: &&Format| !["md", "csv"].contains(&format.ending);
    let others: Vec<String> = Format::of_pages()
        .filter(is_other)
        .map(|format| format!("`{id}.{}`", format.ending))
        .collect();
    said::every_number(id, &others)
}

/// The errata about a benchmark.
fn errata_about(benchmark: &Benchmark) -> Option<Block> {
    let about = about(benchmark, errata());
    let named = |one: &&Erratum| Named {
        kind: one.kind(),
        number: one.number,
        severity: SEVERITIES[one.severity],
        subject: one.subject(),
        address: one.address(),
    };
    (!about.is_empty()).then(|| Block::Errata(about.iter().map(named).collect()))
}

fn heading(report: &Report) -> Page {
    let Report { plan, card, coverage, .. } = report;
    let benchmark = &plan.benchmark;
    let mut page = Page::new(match benchmark.paper.as_str() {
        OWN => benchmark.title.clone(),
        paper => format!("{} · {}: {}", short_name(paper), benchmark.artefact, benchmark.title),
    });
    page.text(said::run(plan.profile, *coverage, benchmark.protocol_source));
    if benchmark.protocol.kind().repeats_the_same_rows() {
        page.text(said::SAME_ROWS);
    }
    numbers(card).into_iter().chain(sentences(card)).for_each(|words| page.text(words));
    let are_chosen = benchmark.protocol.kind().test_rows() == TestRows::Chosen;
    if are_chosen && card.judged > 0 {
        page.text(said::CHOSEN_SPLITS);
    }
    page
}

/// How many judged numbers are reproduced or close; `None` where none is judged. A smaller profile
/// judges none, so that it tells those of the shipped run.
fn numbers(card: &Scorecard) -> Option<String> {
    if card.plan.profile == Profile::Full {
        let Scorecard { passed, judged, by_chance, .. } = card;
        let main = card.numbers.iter().filter(|line| line.variant(card.plan).is_none());
        let differing = main.filter(|line| line.verdict.differs()).count();
        let counts = Counts { passed: *passed, judged: *judged, differing };
        let agreeing = (*judged > 0).then(|| said::agreeing(counts, *by_chance))?;
        let pairs = card.plan.benchmark.same_splits;
        return Some(if pairs { format!("{agreeing} {}", said::PAIRED) } else { agreeing });
    }
    let (committed, rows) = (Committed::read(), scorecard::rows(card));
    let Agreed { passed, judged } = committed.tally(&rows);
    (judged > 0).then(|| said::agreeing_in_shipped_run(passed, judged))
}

/// How many claims hold, each a sentence of the paper; `None` where there is none.
fn sentences(card: &Scorecard) -> Option<String> {
    let all: Sentences = card.claims.iter().map(|line| (line.claim, line.result.own)).collect();
    let found = all.concluded();
    let parts = card.claims.iter().filter(|line| line.claim.sentence().is_some()).count();
    (found.all() > 0).then(|| said::claims(found.all(), parts, &words::claims::conclusions(&found)))
}

fn claims(card: &Scorecard) -> Option<Block> {
    let one = |line: &ClaimLine| Claimed {
        id: line.claim.id.clone(),
        text: line.claim.text.clone(),
        reading: line.claim.reading.clone(),
        other_reading: line.claim.other_reading.clone(),
        own: line.result.own,
        printed: line.result.printed,
        note: remarks::of_claim(line),
        first_trial: line.first_trial.clone(),
    };
    (!card.claims.is_empty()).then(|| Block::Claims(card.claims.iter().map(one).collect()))
}

/// How much of the shipped run behind a number this run has, too.
fn run_here(share: Share) -> String {
    let differ =
        if share.differing > 0 { format!(", {} differ", share.differing) } else { String::new() };
    match share.origin() {
        None => NONE.into(),
        Some(Origin::Shipped) => format!("shipped{differ}"),
        Some(Origin::Here | Origin::Partly) => format!("{} of {}{differ}", share.equal, share.of),
    }
}

fn verdicts(card: &Scorecard) -> Vec<Block> {
    let parts = [(said::VERDICTS, true), (said::VERDICTS_ON_VARIANTS, false)];
    let (rows, committed) = (scorecard::rows(card), Committed::read());
    let mut sections = Vec::new();
    for (title, main) in parts {
        let all = card.numbers.iter().enumerate();
        let lines: Vec<_> =
            all.filter(|(_, line)| line.variant(card.plan).is_none() == main).collect();
        if lines.is_empty() {
            continue;
        }
        let mut head =
            vec!["Dataset", "Column", "Metric", "#Printed", "#Ours", "#n", "#h", "#δ", "Verdict"];
        if !main {
            head.insert(2, "Variant");
        }
        let shares = card.shares.are_known();
        // The verdict stays the last column, by which the site knows such a table.
        if shares {
            head.splice(head.len() - 1..head.len() - 1, ["Shipped run", "Run here"]);
        }
        let mut grid = Grid::new(&head);
        let (mut weak, mut unranked) = (Vec::new(), Vec::new());
        for (at, line) in lines {
            let [dataset, column] = line.headings(card.plan);
            let (own, judgement) = (line.own, line.judgement);
            // Three digits, so that a verdict can be followed where two widths are nearly equal.
            let width = |width: Option<f64>| {
                width.map_or(NONE.into(), |width| number(width, Some(width / 10.0)))
            };
            let mut cells = vec![
                dataset,
                column,
                line.metric.heading.clone(),
                said::printed(&line.printed, line.metric.negative),
                mean_and_spread(own.map(|own| own.mean), own.and_then(|own| own.sd)),
                own.map_or(0, |own| own.n).to_string(),
                width(judgement.and_then(|judgement| judgement.half_width)),
                width(judgement.map(|judgement| judgement.tolerance)),
                line.verdict.to_string(),
            ];
            let place = cells[..3].join(", ");
            for remark in &line.remarks {
                match remark {
                    Remark::Weak { .. } => weak.push(place.clone()),
                    Remark::Unranked(why) => {
                        unranked.push(format!("{place} ({})", remarks::unranked(*why)))
                    }
                    _ => {}
                }
            }
            if !main {
                cells.insert(2, line.variant(card.plan).unwrap_or_default().into());
            }
            if shares {
                let row = &rows[at];
                let shipped =
                    committed.of(row).map_or(NONE.into(), |shipped| shipped.verdict.to_string());
                cells.splice(cells.len() - 1..cells.len() - 1, [shipped, run_here(row.share)]);
            }
            let last = Cell::leading(cells.pop().unwrap_or_default(), Some(Lead::Verdict(at)));
            grid.push(cells.into_iter().map(Cell::from).chain([last]));
        }
        let note = said::verdicts(Noted { unranked: &unranked, shipped: shares, weak: &weak });
        let section = Section { title: title.into(), grid, note };
        sections.push(Block::Table(if main { Place::Long } else { Place::Variants }, section));
    }
    sections
}
