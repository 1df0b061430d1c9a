//! Say where a protocol comes from, what else was tried, and how to find the trials of a number.

use crate::scorecard::yes_or_no;
use uqbench_run::benchmark::{Benchmark, ProtocolSource};

/// What the page is about, in plain words.
const INTRODUCTION: &str = "A protocol can be chosen so that it agrees with a printed number. \
    These tables say for each benchmark what of its protocol the paper prints, what was inferred \
    and how, which other readings were tried, and whether test results, printed or our own, were \
    seen in choosing: where they were, agreement is partly by choice. The site has the same on \
    each table's and figure's own page.";

/// The files of the tables beside the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Files {
    /// Protocols.
    pub protocols: &'static str,
    /// Other readings that were tried.
    pub alternatives: &'static str,
    /// The way from each number to its trials.
    pub numbers: &'static str,
}

/// What the page says before its table, in Markdown. Keys of trials have this many digits in the
/// table of numbers.
pub fn introduction(files: Files, digits: usize) -> String {
    let Files { protocols, alternatives, numbers } = files;
    format!(
        "# Provenance\n\n{INTRODUCTION}\n\n- What each protocol rests on, in words: \
         [{protocols}]({protocols}).\n- The readings that were tried beside it: \
         [{alternatives}]({alternatives}).\n- From each number to its trials: \
         [{numbers}]({numbers}). {}\n\n",
        note_on_numbers(alternatives, digits)
    )
}

/// What the columns of the table of numbers mean.
fn note_on_numbers(alternatives: &str, digits: usize) -> String {
    format!(
        "Alternatives: how many other readings of the protocol were tried, each described in \
         {alternatives}. First trial: the first {digits} digits of the key of the first finished \
         repetition, of a claim that of its columns. In the store it is the folder trials/AB/KEY, \
         AB being the key's first two digits; result.json there names data, rows, parameters and \
         seeds, and the other repetitions differ from it only in the split. A dash there: no \
         repetition is finished."
    )
}

/// Where the protocol of a benchmark comes from.
pub fn source(source: ProtocolSource) -> &'static str {
    match source {
        ProtocolSource::Printed => "printed in the paper",
        ProtocolSource::Program => "of the authors' program",
        ProtocolSource::Inferred => "inferred",
        ProtocolSource::Own => "of the benchmark file",
    }
}

/// How the protocol of a benchmark came about.
pub fn protocol(benchmark: &Benchmark) -> String {
    let provenance = &benchmark.provenance;
    let seen = yes_or_no(provenance.test_results_seen);
    let parts = [
        format!("Protocol {}. {}", source(benchmark.protocol_source), provenance.protocol.trim()),
        format!("Test results seen in choosing it: {seen}. {}", provenance.seen.trim()),
        match (provenance.alternatives.len(), provenance.no_alternatives.trim()) {
            (0, "") => "No alternatives were tried.".into(),
            (0, reason) => format!("No alternatives were tried: {reason}"),
            _ => String::new(),
        },
    ];
    parts
        .iter()
        .map(|part| part.trim())
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_run::benchmark::{Alternative, ProtocolProvenance, shipped};

    /// What is said of a benchmark with this provenance.
    fn said(source: ProtocolSource, provenance: ProtocolProvenance) -> String {
        let mut benchmark = shipped().unwrap()[0].clone();
        (benchmark.protocol_source, benchmark.provenance) = (source, provenance);
        protocol(&benchmark)
    }

    #[test]
    fn each_part_of_a_protocol_is_said_where_it_is_known() {
        insta::assert_snapshot!(said(ProtocolSource::Printed, Default::default()), @"Protocol printed in the paper. Test results seen in choosing it: no. No alternatives were tried.");
        let stated = ProtocolProvenance {
            protocol: "The paper prints the folds.\n".into(),
            no_alternatives: "The figure is a sketch.".into(),
            test_results_seen: true,
            seen: "The number of folds was chosen by them.".into(),
            ..Default::default()
        };
        insta::assert_snapshot!(said(ProtocolSource::Inferred, stated.clone()), @"Protocol inferred. The paper prints the folds. Test results seen in choosing it: yes. The number of folds was chosen by them. No alternatives were tried: The figure is a sketch.");
        let other = Alternative { what: "ten folds".into(), row: None, outcome: "worse".into() };
        let tried = ProtocolProvenance { alternatives: vec![other], ..stated };
        insta::assert_snapshot!(said(ProtocolSource::Own, tried), @"Protocol of the benchmark file. The paper prints the folds. Test results seen in choosing it: yes. The number of folds was chosen by them.");
    }

    #[test]
    fn the_page_leads_to_its_tables() {
        let files = Files { protocols: "p.csv", alternatives: "a.csv", numbers: "n.csv" };
        let text = introduction(files, 16);
        for file in ["p.csv", "a.csv", "n.csv"] {
            assert!(text.contains(&format!("[{file}]({file})")), "{text}");
        }
        insta::assert_snapshot!(text.trim_end(), @"
        # Provenance

        A protocol can be chosen so that it agrees with a printed number. These tables say for each benchmark what of its protocol the paper prints, what was inferred and how, which other readings were tried, and whether test results, printed or our own, were seen in choosing: where they were, agreement is partly by choice. The site has the same on each table's and figure's own page.

        - What each protocol rests on, in words: [p.csv](p.csv).
        - The readings that were tried beside it: [a.csv](a.csv).
        - From each number to its trials: [n.csv](n.csv). Alternatives: how many other readings of the protocol were tried, each described in a.csv. First trial: the first 16 digits of the key of the first finished repetition, of a claim that of its columns. In the store it is the folder trials/AB/KEY, AB being the key's first two digits; result.json there names data, rows, parameters and seeds, and the other repetitions differ from it only in the split. A dash there: no repetition is finished.
        ");
    }
}
