//! Render one benchmark's page: the table in the paper's shape, then every number, then claims, figures and notes.

use std::fmt::Write;

use super::committed::{Agreed, Committed};
use super::curves::{Curves, curves};
use super::drawings::Drawn;
use super::dropped::{incomplete, part_of};
use super::errata::{Erratum, about, errata};
use super::grid::{Cell, Grid, Lead, counted};
use super::looks::look_of;
use super::marks::Marks;
use super::remarks::{self, WEAK};
use super::section::{Block, Claimed, Named, Page, Section};
use super::signs::SIGNIFICANT;
use super::trial::first_of;
use super::{common_splits, excluded, own_papers, ranks, scorecard, validation, variance, variants};
use uq_core::stats::digits::{NONE, mean_and_spread, number};
use uq_core::stats::summary::median_beside_lone;
use uqbench_judge::evidence::differences::differences;
use uqbench_judge::evidence::results::repetitions;
use uqbench_judge::evidence::{Evidence, Results, Series};
use uqbench_judge::judgement::claims::counted_judgements;
use uqbench_judge::judgement::numbers::{cell_of, printed_cell};
use uqbench_judge::judgement::sentences::Sentences;
use uqbench_judge::judgement::shipped::{Origin, Share};
use uqbench_judge::judgement::{ClaimLine, NumberLine, Remark, Scorecard, Verdict};
use uqbench_run::benchmark::papers::{OWN, short_name};
use uqbench_run::benchmark::{Benchmark, MetricRow, PrintedColumn, Profile, ProtocolSource};

/// Most tables of curves that a Markdown page shows, by whole metrics; those of further metrics are files beside it.
const MOST_CURVES: usize = 8;

/// The page of one benchmark. `first` are tables that come before those of metrics, `of_fits` those of what fits report and of the
/// parts of the variance.
pub fn page(
    evidence: &Evidence,
    card: &Scorecard,
    (first, of_fits): (Vec<Block>, Vec<Block>),
    figures: &[Drawn],
) -> Page {
    let results = &evidence.results;
    let benchmark = &results.plan.benchmark;
    let mut page = heading(results, card);
    let drawn = figures.iter().map(|f| Block::Figure { file: f.file.clone(), title: f.title.clone() });
    page.blocks.extend(errata_about(benchmark));
    page.blocks.extend(drawn);
    page.blocks.extend(first);
    let series = results.series();
    let has_curves = series.iter().any(|s| s.column.x.is_some());
    let has_columns = series.iter().any(is_main_column);
    let (mut shown, first) = (0, page.blocks.len());
    for metric in &benchmark.metrics {
        if has_curves {
            let curves = curves(evidence, metric);
            shown += curves.len();
            let shown_as = if shown > MOST_CURVES { Block::Long } else { Block::Section };
            for Curves { main, variants } in curves {
                page.blocks.push(shown_as(main));
                page.blocks.extend(variants.map(Block::Variants));
            }
        }
        if has_columns || !has_curves {
            page.section(paper_shape(evidence, card, metric));
            page.blocks.extend(common_splits::section(results, &metric.id).map(Block::Details));
        }
    }
    // Notes are long: they come after the table that they are about.
    if !benchmark.notes.is_empty() {
        page.blocks.insert(page.blocks.len().min(first + 1), Block::Notes(benchmark.notes.clone()));
    }
    page.blocks.extend(variants::sections(evidence).into_iter().map(Block::Variants));
    page.blocks.extend(validation::section(results).map(Block::Details));
    page.blocks.extend(of_fits);
    page.blocks.extend(variance::section(results).map(Block::Details));
    page.blocks.extend(incomplete(results).map(Block::Section));
    page.blocks.extend(claims(card));
    page.blocks.extend(verdicts(card));
    page.blocks.extend(excluded::block(evidence).map(Block::Markdown));
    let own_papers = card.originals.iter().flat_map(|originals| own_papers::sections(card.plan, originals));
    page.blocks.extend(own_papers.map(Block::Section));
    let source = evidence.published.hint_source.as_deref();
    let hints = card.originals.iter().filter_map(|originals| own_papers::hints(card.plan, originals, source));
    page.blocks.extend(hints.map(Block::Section));
    page.blocks.extend(ranks::link(evidence).map(Block::Markdown));
    page.blocks.push(Block::Markdown(format!(
        "## Every number\n\nAll columns, metrics and repetitions: [{0}.csv]({0}.csv). Every trial with its key and outcome: \
         [{0}-trials.csv]({0}-trials.csv). A run writes the same numbers as JSON, `{0}.json`, and the tables in LaTeX, `{0}.tex`.",
        benchmark.id
    )));
    page
}

/// The errata about a benchmark.
fn errata_about(benchmark: &Benchmark) -> Option<Block> {
    let about = about(benchmark, errata());
    let named = |one: &&Erratum| Named { kind: one.kind(), number: one.number, address: one.address() };
    (!about.is_empty()).then(|| Block::Errata(about.iter().map(named).collect()))
}

fn heading(results: &Results, card: &Scorecard) -> Page {
    let benchmark = &results.plan.benchmark;
    let (finished, expected) = results.coverage();
    let protocol = match benchmark.protocol_source {
        ProtocolSource::Printed => "printed in the paper",
        ProtocolSource::Inferred => "inferred (see the notes)",
        ProtocolSource::Own => "of the benchmark file",
    };
    let mut page = Page::new(match benchmark.paper.as_str() {
        OWN => benchmark.title.clone(),
        paper => format!("{} · {}: {}", short_name(paper), benchmark.artefact, benchmark.title),
    });
    let profile = results.plan.profile.as_str();
    page.text(format!("Profile {profile}; {finished} of {expected} trials; protocol {protocol}."));
    if benchmark.protocol.kind().repeats_the_same_rows() {
        page.text(
            "A repetition is another seed of the fit on the same rows. All spreads, intervals and significances here are over seeds: they \
             tell nothing of other rows.",
        );
    }
    numbers(card).into_iter().chain(sentences(card)).for_each(|words| page.text(words));
    page
}

/// How many judged numbers are reproduced or close; `None` where none is judged. A smaller profile judges none, so that it tells those of the
/// shipped run.
fn numbers(card: &Scorecard) -> Option<String> {
    if card.plan.profile == Profile::Full {
        let Scorecard { passed, judged, by_chance, .. } = card;
        return (*judged > 0).then(|| {
            format!(
                "{passed} of {judged} judged numbers are reproduced or close; {by_chance:.1} would be by chance, if the printed numbers of \
                 each row were shuffled among the columns that print one."
            )
        });
    }
    let (committed, rows) = (Committed::read(), scorecard::rows(card));
    let Agreed { passed, judged } = committed.tally(&rows);
    (judged > 0).then(|| {
        format!("In the shipped run {passed} of {judged} judged numbers are reproduced or close; this run has too few repetitions to judge any.")
    })
}

/// How many claims hold, each a sentence, and beside them their readings where these are more; `None` where there is none.
fn sentences(card: &Scorecard) -> Option<String> {
    let all: Sentences = card.claims.iter().map(|line| (line.claim.sentence(), line.result.own)).collect();
    let (count, readings) = (all.judged().count(), all.readings().count());
    let mut words = format!("Claims on our runs, of {count}: {}.", counted_judgements(all.judged()));
    if readings > count {
        words += &format!(" Their readings, of {readings}: {}.", counted_judgements(all.readings()));
    }
    (count > 0).then_some(words)
}

/// Whether a column belongs into the paper's table: it is no variant and no point of a curve.
fn is_main_column(series: &Series) -> bool {
    series.method.variant.is_none() && series.column.x.is_none()
}

/// Rows are datasets, columns are methods, as in the paper: our mean, the printed number in brackets, a star where the
/// contrast's difference is significant.
fn paper_shape(evidence: &Evidence, card: &Scorecard, metric: &MetricRow) -> Section {
    let Evidence { results, published, .. } = evidence;
    let series = results.series();
    let differences = differences(results, &metric.id);
    let mut columns: Vec<&Series> = Vec::new();
    for one in series.iter().filter(|s| is_main_column(s)) {
        if !columns.iter().any(|c| c.column == one.column) {
            columns.push(one);
        }
    }
    // Without a printed number of this metric such a column would be empty.
    let has_numbers = |column: &&PrintedColumn| {
        published.cells.iter().any(|c| c.labels == column.labels && metric.published.as_ref() == Some(&c.metric))
    };
    let unbuilt: Vec<&PrintedColumn> = results.plan.benchmark.printed_columns.iter().filter(has_numbers).collect();
    let mut head = vec!["Dataset"];
    head.extend(unbuilt.iter().map(|c| c.heading.as_str()));
    head.extend(columns.iter().map(|c| c.column.heading.as_str()));
    let mut grid = Grid::new(&head);
    grid.numeric[1..].fill(true);
    let mut marks = Marks::new(&evidence.unconverged);
    let mut has_medians = false;
    for dataset in &results.plan.benchmark.datasets {
        let of_dataset: Vec<&Series> = series.iter().filter(|s| s.dataset.key == dataset.key).collect();
        if of_dataset.is_empty() {
            continue;
        }
        let mut row: Vec<Cell> = vec![dataset.heading.as_str().into()];
        let all = most_repetitions(&of_dataset);
        for column in &unbuilt {
            let cell = printed_cell(published, dataset, &column.labels, metric);
            let line = cell.and_then(|cell| place(card, |line| line.column.is_none() && line.printed == *cell));
            let text = cell.map_or(NONE.into(), |cell| format!("{NONE} ({})", cell.value));
            row.push(Cell::leading(text, line.map(|line| Lead::Printed { line, look: None })));
        }
        for column in &columns {
            let found = of_dataset.iter().find(|s| s.column == column.column && is_main_column(s));
            let cell = found.map_or(NONE.to_owned(), |s| {
                let summary = s.summary(&metric.id);
                let mut text = summary.map_or(NONE.into(), |m| mean_and_spread(Some(m.mean), m.sd));
                text.push_str(&part_of(summary.map_or(0, |m| m.n), all));
                let values: Vec<f64> = s.values(&metric.id).into_iter().flatten().collect();
                if let Some(median) = median_beside_lone(&values) {
                    has_medians = true;
                    let _ = write!(text, ", median {}", number(median, summary.and_then(|m| m.sd)));
                }
                if differences
                    .iter()
                    .any(|d| d.comparison.significant && d.test.column == s.column && d.test.dataset == s.dataset)
                {
                    text.push_str(SIGNIFICANT.sign);
                }
                text.push_str(&marks.mark(s, &metric.id));
                text.push_str(validation::mark(results, s));
                if let Some(cell) = cell_of(published, s, metric) {
                    let _ = write!(text, " ({})", cell.value);
                }
                text
            });
            let line = found.and_then(|s| place(card, |line| line.column == Some(s.id) && line.metric.id == metric.id));
            // A printed number's row of verdicts leads to its trial.
            let lead = match line {
                Some(line) => {
                    let verdict = &card.numbers[line].verdict;
                    // Too few repetitions decide nothing.
                    let is_decided = !matches!(verdict, Verdict::TooFew | Verdict::NotRun(_));
                    Some(Lead::Printed { line, look: is_decided.then(|| look_of(verdict)) })
                }
                None => found.and_then(|s| first_of(s)).map(Lead::Trial),
            };
            row.push(Cell::leading(cell, lead));
        }
        grid.push(row);
    }
    let printed = match (published.cells.is_empty(), unbuilt.is_empty()) {
        (true, _) => "",
        (false, true) => "; printed number in brackets",
        (false, false) => "; printed number in brackets, alone where the method does not exist here yet",
    };
    let starred = if differences.is_empty() {
        String::new()
    } else {
        let marked = differences.iter().filter(|d| d.comparison.significant).count();
        format!(
            "; {} significantly different from its reference column (paired, Holm-corrected at 5 % over {}, of which {marked} \
             {} significant; about random splits of these data, not about new data)",
            SIGNIFICANT.sign,
            counted(differences.len(), "comparison"),
            if marked == 1 { "is" } else { "are" }
        )
    };
    let n = repetitions(&series, &metric.id);
    let medians = if has_medians { "; with the median where one repetition alone decides the spread" } else { "" };
    let note = format!(
        "Mean ± standard deviation over {n}{medians}{printed}{starred}{}{}.",
        marks.note(),
        validation::note(results)
    );
    Section { title: metric.heading.clone(), grid, note }
}

/// The largest number of repetitions that a main column of one dataset is to have.
fn most_repetitions(of_dataset: &[&Series]) -> usize {
    of_dataset.iter().filter(|s| is_main_column(s)).map(|s| s.expected()).max().unwrap_or(0)
}

/// The place in the scorecard of the printed number that fits.
fn place(card: &Scorecard, fits: impl Fn(&NumberLine) -> bool) -> Option<usize> {
    card.numbers.iter().position(fits)
}

fn claims(card: &Scorecard) -> Option<Block> {
    let one = |line: &ClaimLine| Claimed {
        id: line.claim.id.clone(),
        text: line.claim.text.clone(),
        reading: line.claim.reading.clone(),
        own: line.result.own,
        printed: line.result.printed,
        note: remarks::of_claim(line),
        first_trial: line.first_trial.clone(),
    };
    (!card.claims.is_empty()).then(|| Block::Claims(card.claims.iter().map(one).collect()))
}

/// How much of the shipped run behind a number this run has, too.
fn run_here(share: Share) -> String {
    let differ = if share.differing > 0 { format!(", {} differ", share.differing) } else { String::new() };
    match share.origin() {
        None => NONE.into(),
        Some(Origin::Shipped) => format!("shipped{differ}"),
        Some(Origin::Here | Origin::Partly) => format!("{} of {}{differ}", share.equal, share.of),
    }
}

fn verdicts(card: &Scorecard) -> Vec<Block> {
    let parts = [("Verdicts", true), ("Verdicts on variants of the protocol", false)];
    let (rows, committed) = (scorecard::rows(card), Committed::read());
    let mut sections = Vec::new();
    for (title, main) in parts {
        let all = card.numbers.iter().enumerate();
        let lines: Vec<_> = all.filter(|(_, line)| line.variant(card.plan).is_none() == main).collect();
        if lines.is_empty() {
            continue;
        }
        let mut head = vec!["Dataset", "Column", "Metric", "#Printed", "#Ours", "#n", "#h", "#δ", "Verdict"];
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
            let width = |width: Option<f64>| width.map_or(NONE.into(), |width| number(width, Some(width)));
            let mut cells = vec![
                dataset,
                column,
                line.metric.heading.clone(),
                line.printed.value.clone(),
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
                    Remark::Unranked(why) => unranked.push(format!("{place} ({})", remarks::unranked(*why))),
                    _ => {}
                }
            }
            if !main {
                cells.insert(2, line.variant(card.plan).unwrap_or_default().into());
            }
            if shares {
                let row = &rows[at];
                let shipped = committed.of(row).map_or(NONE.into(), |shipped| shipped.verdict.to_string());
                cells.splice(cells.len() - 1..cells.len() - 1, [shipped, run_here(row.share)]);
            }
            let last = Cell::leading(cells.pop().unwrap_or_default(), Some(Lead::Verdict(at)));
            grid.push(cells.into_iter().map(Cell::from).chain([last]));
        }
        let mut note =
            "h: half width of the 95 % interval of the difference, with half a printed digit; δ: tolerance. \
             docs/verdicts.md of uqbench says how to read a verdict."
                .to_owned();
        if !unranked.is_empty() {
            note = format!("{note} Neither number is better where the verdict is “differs”: {}.", unranked.join("; "));
        }
        if shares {
            note = format!(
                "{note} Shipped run: its verdict. Run here: how many of the shipped trials behind the number ran here, too, with the same \
                 record; “shipped” says that none did."
            );
        }
        if !weak.is_empty() {
            let why = "the verdict is “differs (better)”, and our loss is lower by more than δ + u/2";
            note = format!("{note} A {WEAK} where {why}: {}.", weak.join("; "));
        }
        let section = Section { title: title.into(), grid, note };
        sections.push(if main { Block::Long(section) } else { Block::Variants(section) });
    }
    sections
}
