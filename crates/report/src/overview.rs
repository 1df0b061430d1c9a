//! Begin the index in Markdown: the answer, a row for each paper, the findings, a picture, and what
//! has not run.

use std::fmt::Write;

use super::committed::Committed;
use super::export::escape;
use super::grid::Grid;
use super::selection::{rule, selected};
use super::summary::{Answer, MEANINGS, Part, Summary, answers, summaries};
use crate::words::findings::sentence;
use crate::words::first_screen::HINTS;
use crate::words::looks::{NEWS, look_of_news};
use crate::words::missing;
use uq_core::stats::digits::NONE;
use uqbench_judge::judgement::sentences::Conclusions;
use uqbench_run::benchmark::papers::short_name;

/// What a reader of the index sees first. `is_full` says that the runs are those of the full
/// profile.
pub fn overview(parts: &[Part], is_full: bool) -> String {
    let committed = Committed::read();
    let summaries = summaries(parts, &committed);
    let mut page = String::new();
    // Writing to a string cannot fail.
    let answers = answers(&summaries, &committed, is_full);
    for Answer { before, number, after } in &answers {
        let _ = write!(page, "{before}**{number}**{after}");
    }
    page += if answers.is_empty() { "" } else { "\n\n" };
    let papers = papers(&summaries, is_full);
    if !papers.rows.is_empty() {
        let _ = write!(page, "{}\n{MEANINGS}\n\n", papers.markdown());
    }
    page += &findings(parts, is_full);
    let picture = parts.iter().find_map(|part| Some((part, part.brief.picture.as_ref()?)));
    if let Some((part, picture)) = picture {
        let benchmark = &part.plan.benchmark;
        let name = escape(&format!("{}, {}", short_name(&benchmark.paper), benchmark.artefact));
        let title = escape(&picture.title);
        let _ = write!(page, "![{title}]({}.svg)\n\n*{name}: {title}.*\n\n", picture.file);
    }
    for (question, answers) in missing::missing(parts).questions() {
        let _ = write!(page, "**{question}** {}\n\n", answers.join(" "));
    }
    page
}

/// A row for each paper.
fn papers(summaries: &[Summary], is_full: bool) -> Grid {
    let mut grid = Grid::new(&[
        "Paper",
        "Printed numbers",
        "#Reproduced or close",
        "#Differ",
        "#Unclear",
        "#By chance",
        "Most that differ",
        "#Claims that hold",
        "#Fail",
        "#By reading",
        "#Open",
    ]);
    for one in summaries.iter().filter(|one| one.is_listed()) {
        let (tally, Conclusions { hold, fail, depend, open }) = one.of_full(is_full);
        let of_judged = |text: String| if tally.judged > 0 { text } else { NONE.into() };
        let worst = tally
            .worst
            .as_ref()
            .map(|worst| format!("{}: {} of {}", worst.artefact, worst.differing, worst.judged));
        grid.push(vec![
            one.name.clone(),
            tally
                .share()
                .unwrap_or(if one.printed > 0 { "none is judged" } else { "no number to compare" })
                .into(),
            of_judged(format!("{} of {}", tally.passed, tally.judged)),
            of_judged(tally.differing.to_string()),
            of_judged(tally.unclear().to_string()),
            if tally.by_chance > 0.0 { format!("{:.1}", tally.by_chance) } else { NONE.into() },
            worst.unwrap_or_else(|| NONE.into()),
            hold.to_string(),
            fail.to_string(),
            depend.to_string(),
            open.to_string(),
        ]);
    }
    grid
}

/// The chosen findings, each with a link to the page of its benchmark; empty where there is none.
fn findings(parts: &[Part], is_full: bool) -> String {
    let shown = selected(parts);
    if shown.is_empty() {
        return String::new();
    }
    let hint = if is_full { String::new() } else { format!(" {HINTS}") };
    let is_of_papers = Part::are_of_papers(parts);
    let look = |news| look_of_news(news, is_of_papers);
    let signs = NEWS.map(look).map(|(_, symbol, words)| format!("{symbol} {words}")).join(", ");
    let mut text = format!("## Findings\n\n{signs}. {}{hint}\n\n", rule(is_of_papers));
    for one in shown {
        let (benchmark, said) = (&one.part.plan.benchmark, sentence(one.finding));
        let (_, symbol, _) = look(one.finding.news());
        let name = format!("{}, {}", short_name(&benchmark.paper), benchmark.artefact);
        let (what, evidence) = (escape(&said.what), escape(&said.evidence));
        let _ = writeln!(
            text,
            "- {symbol} [{}]({}.md): **{what}** {evidence}",
            escape(&name),
            benchmark.id
        );
    }
    text + "\n"
}
