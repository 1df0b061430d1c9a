//! Write the index: what was asked, what came out, how sure that is, and what has not run.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use super::anchors::GLOSSARY;
use super::best::best;
use super::blocks::Parts;
use super::comparisons::links;
use super::errata_pages::page_name;
use super::in_short::{in_full, in_short};
use super::layout::{CHOSEN, Framed, INDEX};
use super::looks::judged;
use super::map::{legend, map_of};
use super::news::findings;
use super::{Coverage, Frame, legend, missing};
use crate::brief::Picture;
use crate::committed::Committed;
use crate::document::Document;
use crate::grid::separator;
use crate::scorecard::Row;
use crate::summary::{Answer, Part, QUESTION, Summary, answers, summaries};
use crate::words::first_screen::{self as words, About, Asked, Open};
use crate::words::map::{OUTLINED, Origins, SQUARES, origins};
use uq_core::stats::digits::NONE;
use uqbench_judge::judgement::Verdict;
use uqbench_judge::judgement::claims::Judged;
use uqbench_judge::judgement::sentences::{Conclusion, Sentences};
use uqbench_judge::judgement::shipped::Origin;
use uqbench_run::benchmark::papers::{Paper, papers, short_name, topics};
use uqbench_run::benchmark::{Claim, Profile};

/// Most pictures below the map: the findings beside it are as long.
const BESIDE: usize = 3;

/// The index over these benchmarks.
pub fn index(parts: &[Part], with_errata: &[&Paper], frame: &Frame) -> Document {
    let committed = Committed::read();
    let summaries = summaries(parts, &committed);
    let profile = parts.first().map_or(Profile::Quick, |part| part.plan.profile);
    let is_full = profile == Profile::Full;
    let pictures = pictures(parts);
    let (beside, others) = pictures.split_at(pictures.len().min(BESIDE));
    let is_of_papers = Part::are_of_papers(parts);
    let body = html! {
        h1 {
            @if is_of_papers {
                (words::QUESTION)
            } @else {
                (QUESTION)
            }
        }
        p.asked { (asked(parts, profile)) }
        (answered(&summaries, &committed, is_full))
        div.first {
            div {
                @if is_of_papers { (in_short(&summaries, is_full)) }
                @if is_of_papers {
                    (sure(parts, &summaries, (is_full, frame.shipped)))
                } @else {
                    (sure_of_methods(is_full))
                }
                (missing::not_run(parts, &committed))
                (best(parts))
                (missing::without_result(parts))
                (findings(parts, is_full))
                @if is_of_papers { (in_full(&summaries, is_full)) }
            }
            div {
                @if is_of_papers { (map(parts, &summaries, &committed, is_full)) }
                (gallery("pictures", "Pictures", beside))
            }
        }
        (claims(parts, &committed, is_full))
        (missing::reasons(parts))
        (gallery("more-pictures", "More pictures", others))
        @if is_of_papers { (artefacts(parts)) } @else { (benchmarks(parts)) }
        p {
            @if is_of_papers { (wrong_in_papers(with_errata)) }
            a href={ (GLOSSARY) ".html" } { "Glossary" }
            (words::glossary(is_of_papers))
        }
        (links(frame.comparisons))
        p.note { (frame.machine) }
    };
    match frame.coverage {
        Coverage::Whole => Framed { name: INDEX, title: "Report", above: &[], body }.whole(),
        Coverage::Chosen => Framed { name: INDEX, title: "Report", above: &[], body }.document(),
        Coverage::ChosenBesideWhole => {
            Framed { name: CHOSEN, title: "Chosen benchmarks", above: &[(INDEX, "Report")], body }
                .document()
        }
    }
}

/// Links to the errata of papers; nothing where none has any.
fn wrong_in_papers(with_errata: &[&Paper]) -> Markup {
    html! { @if !with_errata.is_empty() {
        (words::ERRATA)
        @for (at, paper) in with_errata.iter().enumerate() {
            @if at > 0 { ", " }
            a href={ (page_name(&paper.key)) ".html" } { "errata of " (paper.name) }
        }
        ". "
    } }
}

/// A square for each printed number, by papers.
fn map(parts: &[Part], summaries: &[Summary], committed: &Committed, is_full: bool) -> Markup {
    html! {
        section.map aria-labelledby="map" {
            h2 #map { "Every printed number" }
            (legend(parts, committed))
            p.note {
                (SQUARES) @if !is_full { " " (OUTLINED) " " (origins(count_origins(parts))) }
            }
            @for summary in summaries {
                @let of: Vec<&Part> = parts.iter().filter(|part| part.plan.benchmark.paper == summary.paper).collect();
                @if of.iter().any(|part| part.main_numbers().next().is_some()) {
                    h3 { (summary.name) }
                    (map_of(&of, committed))
                }
            }
        }
    }
}

/// What was asked. On a phone the names of the papers are not spelled out.
fn asked(parts: &[Part], profile: Profile) -> Markup {
    let is_planned = |key: &str| parts.iter().any(|part| part.plan.benchmark.paper == key);
    let papers: Vec<&Paper> = papers().filter(|paper| is_planned(&paper.key)).collect();
    let Asked { before, after } = words::asked(About {
        has_papers: !papers.is_empty(),
        has_baselines: is_planned("baselines"),
        has_printed: Part::are_of_papers(parts),
    });
    html! {
        (before)
        @for (at, paper) in papers.iter().enumerate() {
            (separator(at, papers.len())) (paper.name)
            @if !paper.spelled.is_empty() { span.wide { " (" (paper.spelled) ")" } }
        }
        (after)
        @if profile != Profile::Full { " Profile " strong { (profile.as_str()) } "." }
    }
}

/// What came out for the numbers and the claims of all papers together.
fn answered(summaries: &[Summary], committed: &Committed, is_full: bool) -> Markup {
    let answers = answers(summaries, committed, is_full);
    html! { @if !answers.is_empty() {
        p.answer {
            @for Answer { before, number, after } in &answers {
                (before) strong { (number) } (after)
            }
        }
    } }
}

/// How many numbers ran here, in part, and not at all.
fn count_origins(parts: &[Part]) -> Origins {
    let all =
        || parts.iter().flat_map(Part::main_numbers).filter_map(|(_, row)| row.share.origin());
    let count = |origin: Origin| all().filter(|one| *one == origin).count();
    let [here, partly, shipped] = [Origin::Here, Origin::Partly, Origin::Shipped].map(count);
    Origins { here, partly, shipped }
}

/// How sure the results are.
fn sure(parts: &[Part], summaries: &[Summary], (is_full, shipped): (bool, &str)) -> Markup {
    let (agree, means) =
        summaries.iter().fold((0, 0), |sum, one| (sum.0 + one.means.0, sum.1 + one.means.1));
    let with = |verdict: Verdict| {
        parts
            .iter()
            .flat_map(Part::main_numbers)
            .filter(|(_, row)| row.verdict.is(&verdict))
            .count()
    };
    let open = || Open {
        inconclusive: with(Verdict::Inconclusive),
        compatible: with(Verdict::Compatible),
        claims: summaries.iter().map(|one| one.of_full(is_full).1.open).sum(),
    };
    html! { p.sure {
        strong { (words::SURE) }
        @if is_full { (words::sure(open())) }
        @else { (words::sure_of_few(shipped, (agree, means))) }
    } }
}

/// How sure the results are where no number is printed.
fn sure_of_methods(is_full: bool) -> Markup {
    html! { p.sure {
        strong { (words::SURE) }
        @if !is_full { (words::FEW) }
        code { "uqbench compare" } (words::DECIDES)
    } }
}

/// Every claim with both judgements.
fn claims(parts: &[Part], committed: &Committed, is_full: bool) -> Markup {
    let lines = parts.iter().flat_map(|part| {
        let judged = part.brief.claims.iter().zip(part.brief.claim_rows());
        part.plan
            .benchmark
            .claims
            .iter()
            .zip(judged)
            .map(move |(claim, (result, row))| (part, claim, result, row))
    });
    let lines: Vec<_> = lines.collect();
    // Of a smaller profile the claims are filtered by the shipped run, as the numbers of the map
    // are.
    let shown = |own: Judged, row: &Row| committed.judged(row).filter(|_| !is_full).unwrap_or(own);
    let sentence = |part: &Part, claim: &Claim| {
        Some((part.plan.benchmark.paper.clone(), claim.sentence()?.to_owned()))
    };
    let sentences: BTreeSet<_> =
        lines.iter().filter_map(|(part, claim, ..)| sentence(part, claim)).collect();
    let ours = lines.iter().filter(|(_, claim, ..)| !claim.stated_by_paper).count();
    let mut papers: BTreeMap<&str, Sentences> = BTreeMap::new();
    for (part, claim, result, row) in &lines {
        let paper = papers.entry(part.plan.benchmark.paper.as_str()).or_default();
        paper.add(claim, shown(result.own, row));
    }
    let depends = |part: &Part, claim: &Claim| {
        let paper = papers.get(part.plan.benchmark.paper.as_str());
        let found = paper.zip(claim.sentence()).and_then(|(all, name)| all.conclusion(name));
        found == Some(Conclusion::DependsOnReading)
    };
    html! { @if !lines.is_empty() {
        section #claims {
            h2 { "Claims" }
            @if Part::are_of_papers(parts) {
                p.note { (words::claims(lines.len() - ours, sentences.len(), ours)) }
            }
            (legend::of_claims(&lines.iter().map(|(.., result, row)| shown(result.own, row)).collect::<Vec<_>>()))
            div.scroll tabindex="0" role="group" aria-label="Claims" {
                table.sortable {
                    thead { tr {
                        th scope="col" { "Claim" }
                        th scope="col" { "Where" }
                        th scope="col" { "Our runs" }
                        @if !is_full { th scope="col" { "Full run" } }
                        th scope="col" { "Printed numbers" }
                        th scope="col" { "What they show" }
                    } }
                    tbody { @for (part, claim, result, row) in lines {
                        @let id = &part.plan.benchmark.id;
                        tr data-claim=(shown(result.own, row).as_str()) {
                            th.words scope="row" {
                                @if claim.stated_by_paper {
                                    "“" (claim.text) "”"
                                } @else {
                                    (claim.text)
                                }
                                @if !claim.reading.is_empty() {
                                    span.note {
                                        " ("
                                        @if let Some(name) = &claim.other_reading {
                                            "other reading, " (name) ": "
                                        }
                                        (claim.reading) ")"
                                    }
                                }
                                @if depends(part, claim) {
                                    " " strong { (words::DEPENDS) }
                                }
                            }
                            td { a href={ (id) ".html#claim-" (claim.id) } {
                                (short_name(&part.plan.benchmark.paper)) ", "
                                (part.plan.benchmark.artefact)
                            } }
                            td { (judged(result.own)) }
                            @if !is_full {
                                td { (committed_claim(committed, row)) }
                            }
                            td { (judged(result.printed)) }
                            td.words { (row.note) }
                        }
                    } }
                }
            }
        }
    } }
}

/// The judgement of a claim by the shipped run, as a cell shows it.
fn committed_claim(committed: &Committed, row: &Row) -> Markup {
    html! {
        @if let Some(known) = committed.judged(row) { (judged(known)) }
        @else { (committed.of(row).map_or(NONE.into(), |full| full.verdict.to_string())) }
    }
}

/// One picture for each paper: the first small one, of a table where there is one.
fn pictures<'p>(parts: &'p [Part]) -> Vec<(&'p Part<'p>, &'p Picture)> {
    let mut seen: Vec<&str> = Vec::new();
    let mut chosen = Vec::new();
    for part in parts {
        let paper = part.plan.benchmark.paper.as_str();
        if let Some(picture) = part.brief.picture.as_ref().filter(|_| !seen.contains(&paper)) {
            seen.push(paper);
            chosen.push((part, picture));
        }
    }
    chosen
}

/// Pictures with links to their pages; nothing where there is none.
fn gallery(id: &str, heading: &str, pictures: &[(&Part, &Picture)]) -> Markup {
    html! { @if !pictures.is_empty() {
        section id=(id) {
            h2 { (heading) }
            div.gallery { @for (part, Picture { file, title, svg }) in pictures { div {
                p { a href={ (part.plan.benchmark.id) ".html" } {
                    (short_name(&part.plan.benchmark.paper)) ", " (part.plan.benchmark.artefact)
                } }
                (Parts::new([&Document::new(format!("{file}.svg"), svg.as_str())], None).figure(file, title))
            } } }
        }
    } }
}

/// Every page of a benchmark that is about no paper.
fn benchmarks(parts: &[Part]) -> Markup {
    html! {
        section #artefacts {
            h2 { "Every benchmark" }
            div.scroll tabindex="0" role="group" aria-label="Every benchmark" {
                table.sortable {
                    thead {
                        tr {
                            @for head in ["Benchmark", "What it shows", "Trials"] {
                                th scope="col" { (head) }
                            }
                        }
                    }
                    tbody { @for Part { plan, brief } in parts {
                        @let benchmark = &plan.benchmark;
                        tr {
                            th scope="row" { a href={ (benchmark.id) ".html" } { (benchmark.id) } }
                            td.words { (benchmark.title) }
                            td.n { (brief.coverage.0) " of " (brief.coverage.1) }
                        }
                    } }
                }
            }
        }
    }
}

/// Every page of a table or figure.
fn artefacts(parts: &[Part]) -> Markup {
    html! {
        section #artefacts {
            h2 { "Every table and figure" }
            p.note { @for topic in topics().filter(|topic| parts.iter().any(|part| part.plan.benchmark.paper == topic.key)) {
                strong { (topic.name) } ": " (topic.title) ". "
            } }
            div.scroll tabindex="0" role="group" aria-label="Every table and figure" {
                table.sortable {
                    thead {
                        tr {
                            @for head in ["Paper", "Artefact", "What it shows", "Trials"] {
                                th scope="col" { (head) }
                            }
                        }
                    }
                    tbody { @for Part { plan, brief } in parts {
                        @let benchmark = &plan.benchmark;
                        tr {
                            th scope="row" { (short_name(&benchmark.paper)) }
                            td { a href={ (benchmark.id) ".html" } { (benchmark.artefact) } }
                            td.words { (benchmark.title) }
                            td.n { (brief.coverage.0) " of " (brief.coverage.1) }
                        }
                    } }
                }
            }
        }
    }
}
