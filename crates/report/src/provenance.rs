//! Show where each protocol comes from, what else was tried, and the first trial behind each row of
//! the scorecard.

use super::document::Document;
use super::grid::{Cell, Grid, Lead};
use super::scorecard::{Row, yes_or_no};
use super::section::Section;
use super::words::provenance::{self as words, Files, source};
use uq_core::stats::digits::NONE;
use uqbench_run::benchmark::{Benchmark, ProtocolSource};
use uqbench_run::runner::plan::Plan;

/// Digits of a key that are shown: enough to be the only trial of any store.
const DIGITS: usize = 16;

/// The files of the tables beside the page.
const FILES: Files = Files {
    protocols: "provenance-protocols.csv",
    alternatives: "provenance-alternatives.csv",
    numbers: "provenance.csv",
};

/// The page over all rendered benchmarks, and its tables. `rows` are those of the scorecard.
pub fn documents(plans: &[&Plan], rows: &[Row]) -> Vec<Document> {
    let page = words::introduction(FILES, DIGITS) + &overview(plans).markdown();
    let tables = [
        (FILES.protocols, protocols(plans)),
        (FILES.alternatives, alternatives(plans)),
        (FILES.numbers, numbers(rows)),
    ];
    let tables = tables.map(|(file, grid)| Document::new(file, grid.csv()));
    std::iter::once(Document::new("provenance.md", page)).chain(tables).collect()
}

/// A row for each benchmark: where its protocol comes from, how many others were tried, whether
/// test results were seen.
fn overview(plans: &[&Plan]) -> Grid {
    let mut grid =
        Grid::new(&["Paper", "Artefact", "Protocol", "#Alternatives", "Test results seen"]);
    for Plan { benchmark, .. } in plans {
        let page = Lead::Page(format!("{}.md", benchmark.id));
        grid.push([
            benchmark.paper.as_str().into(),
            Cell::leading(&benchmark.artefact, Some(page)),
            source(benchmark.protocol_source).into(),
            stated(benchmark, || benchmark.provenance.alternatives.len().to_string()).into(),
            stated(benchmark, || yes_or_no(benchmark.provenance.test_results_seen).into()).into(),
        ]);
    }
    grid
}

/// What is known of the way to a protocol; nothing where a file of one's own does not say it. Of a
/// protocol that a paper prints nothing was chosen.
fn stated(benchmark: &Benchmark, known: impl Fn() -> String) -> String {
    if is_unsaid(benchmark) { NONE.into() } else { known() }
}

/// Whether the file of a protocol does not say how it was chosen: those of the program do, or their
/// protocol is printed.
fn is_unsaid(benchmark: &Benchmark) -> bool {
    let is_own = benchmark.protocol_source == ProtocolSource::Own || benchmark.folder.is_some();
    is_own && !benchmark.provenance.is_stated()
}

/// A row for each benchmark, in words.
fn protocols(plans: &[&Plan]) -> Grid {
    let mut grid = Grid::new(&[
        "Paper",
        "Artefact",
        "Protocol",
        "What it rests on",
        "Test results seen",
        "Why",
        "No alternatives",
    ]);
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    grid.extend(plans.iter().map(|Plan { benchmark, .. }| {
        let provenance = &benchmark.provenance;
        vec![
            benchmark.paper.clone(),
            benchmark.artefact.clone(),
            source(benchmark.protocol_source).into(),
            one_line(&provenance.protocol),
            stated(benchmark, || yes_or_no(provenance.test_results_seen).into()),
            one_line(&provenance.seen),
            one_line(&provenance.no_alternatives),
        ]
    }));
    grid
}

/// A row for each other reading that was tried.
fn alternatives(plans: &[&Plan]) -> Grid {
    let mut grid =
        Grid::new(&["Paper", "Artefact", "Alternative", "Variant that runs it", "Outcome"]);
    for Plan { benchmark, .. } in plans {
        let tried = protocol(benchmark).into_iter().flat_map(|section| section.grid.rows);
        grid.extend(tried.map(|row| {
            [vec![benchmark.paper.as_str().into(), benchmark.artefact.as_str().into()], row]
                .concat()
        }));
    }
    grid
}

/// How the protocol of one benchmark came about, and a row for each alternative that was tried;
/// `None` where its file does not say.
pub fn protocol(benchmark: &Benchmark) -> Option<Section> {
    if is_unsaid(benchmark) {
        return None;
    }
    let provenance = &benchmark.provenance;
    let mut grid = Grid::new(&["Alternative", "Variant that runs it", "Outcome"]);
    for alternative in &provenance.alternatives {
        let row = alternative.row.clone().unwrap_or_else(|| NONE.into());
        grid.push(vec![alternative.what.clone(), row, alternative.outcome.clone()]);
    }
    let note = words::protocol(benchmark);
    Some(Section { title: format!("{}, {}", benchmark.paper, benchmark.artefact), grid, note })
}

/// A row for each row of the scorecard, down to the first trial that it rests on.
fn numbers(rows: &[Row]) -> Grid {
    let mut grid = Grid::new(&[
        "Paper",
        "Artefact",
        "Dataset",
        "Column or claim",
        "Metric",
        "Variant",
        "Protocol",
        "#Alternatives",
        "Test results seen",
        "First trial",
    ]);
    let or_dash = |text: &str| if text.is_empty() { NONE.to_owned() } else { text.to_owned() };
    grid.extend(rows.iter().map(|row| {
        vec![
            row.paper.clone(),
            row.artefact.clone(),
            or_dash(&row.dataset),
            if row.claim.is_empty() { row.method.clone() } else { format!("claim {}", row.claim) },
            row.metric.clone(),
            row.variant.clone(),
            row.protocol.clone(),
            row.alternatives.to_string(),
            yes_or_no(row.test_results_seen).into(),
            or_dash(row.first_trial.get(..DIGITS).unwrap_or(&row.first_trial)),
        ]
    }));
    grid
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_run::benchmark::shipped;

    #[test]
    fn a_protocol_says_what_was_tried_or_why_nothing_was() {
        let of = |id: &str| {
            let benchmark = shipped().unwrap().iter().find(|b| b.id == id).unwrap();
            (protocol(benchmark).unwrap(), benchmark)
        };
        let (table, benchmark) = of("dtb-table-1");
        assert_eq!(table.title, "dtb, Table 1");
        assert_eq!(benchmark.protocol_source, ProtocolSource::Inferred);
        for known in [source(ProtocolSource::Inferred), yes_or_no(true)] {
            assert!(table.note.contains(&format!(" {known}. ")), "{}", table.note);
        }
        assert_eq!(table.grid.rows.len(), 3);
        assert_eq!(table.grid.rows[0][1], "T/U 67/33 (Example 1)");
        let (figure, benchmark) = of("dtb-figure-2");
        let reason = benchmark.provenance.no_alternatives.trim();
        assert!(!reason.is_empty() && figure.note.ends_with(reason), "{}", figure.note);
        assert!(figure.grid.rows.is_empty());
        assert_eq!(
            of("dtb-figure-4").0.grid.rows[0][1],
            "–",
            "an alternative need not be a variant's row"
        );
    }

    #[test]
    fn a_printed_protocol_has_no_alternatives() {
        let mut benchmark = shipped().unwrap()[0].clone();
        benchmark.protocol_source = ProtocolSource::Printed;
        benchmark.provenance = Default::default();
        let Section { grid, note, .. } = protocol(&benchmark).unwrap();
        assert!(grid.rows.is_empty());
        for known in [source(ProtocolSource::Printed), yes_or_no(false)] {
            assert!(note.contains(&format!(" {known}. ")), "{note}");
        }
    }

    #[test]
    fn what_a_file_of_ones_own_does_not_say_is_left_out() {
        let mut benchmark = shipped().unwrap()[0].clone();
        benchmark.protocol_source = ProtocolSource::Own;
        benchmark.provenance = Default::default();
        assert!(protocol(&benchmark).is_none());
        assert_eq!(stated(&benchmark, || "no".into()), NONE);
        benchmark.provenance.seen = "Nothing was chosen by results.".into();
        let note = protocol(&benchmark).unwrap().note;
        for known in [source(ProtocolSource::Own), yes_or_no(false)] {
            assert!(note.contains(&format!(" {known}. ")), "{note}");
        }
        assert!(note.contains(&benchmark.provenance.seen), "{note}");
        assert_eq!(stated(&benchmark, || "no".into()), "no");
    }

    #[test]
    fn each_row_leads_to_its_first_trial() {
        let number = Row {
            dataset: "yacht".into(),
            method: "dt".into(),
            alternatives: 3,
            test_results_seen: true,
            first_trial: "0123456789abcdef".repeat(4),
            ..Row::default()
        };
        let claim = Row { claim: "holds-always".into(), ..Row::default() };
        let grid = numbers(&[number, claim]);
        assert_eq!(grid.rows[0][2..4], ["yacht", "dt"]);
        assert_eq!(grid.rows[0][7..], ["3", "yes", "0123456789abcdef"]);
        assert_eq!(grid.rows[1][2..4], ["–", "claim holds-always"]);
        assert_eq!(grid.rows[1][7..], ["0", "no", "–"]);
    }
}
