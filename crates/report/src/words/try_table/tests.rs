mod answer;
mod notes;
mod reasons;
mod slab;
mod warnings;

use uq_core::predictive::{Bounds, Side};
use uq_core::stats::coverage::Coverage;
use uqbench_data::own::RowLabels;
use uqbench_run::runner::try_table::{Division, Evaluation, Folding};

const INTERVALS: Bounds = Bounds { level: 0.9, side: Side::Both };
const UPPER: Bounds = Bounds { level: 0.9, side: Side::Upper };
const LOWER: Bounds = Bounds { level: 0.9, side: Side::Lower };

/// Covered rows of 100.
fn of_100(covered: usize) -> Coverage {
    Coverage { covered, rows: 100 }
}

/// A comparison of no methods, which has divided its rows so.
fn divided(division: Division) -> Evaluation {
    Evaluation {
        bounds: INTERVALS,
        division,
        folding: Folding { folds: 5, repeats: 2 },
        log_score: None,
        smallest: 0.0,
        order: None,
        kinds: Vec::new(),
        stated: Some(RowLabels { name: "day|hour".into(), cells: Vec::new() }),
        clusters: Vec::new(),
        inside: Vec::new(),
        left_out: Vec::new(),
        calibrated_by: None,
        slab: None,
        aborted: None,
        methods: Vec::new(),
    }
}
