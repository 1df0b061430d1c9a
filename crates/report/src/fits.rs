//! Tabulate what fits report: settings chosen, quantiles in the wrong order, learned noise, training, and what else ran
//! on the machine.

mod crossings;
mod noise;
mod quiet;
mod training;

use super::searches;
use super::section::Section;
use uqbench_judge::evidence::Evidence;

/// The tables of a benchmark's fits, in the order of its page.
pub fn sections(evidence: &Evidence) -> Vec<Section> {
    let tables = [
        searches::section(evidence),
        crossings::section(evidence),
        noise::section(evidence),
        training::section(evidence),
        quiet::section(evidence),
    ];
    tables.into_iter().flatten().collect()
}
