//! Give each row of a benchmark whose methods acquire one column for each acquisition and step.

use super::mistakes::{Mistakes, Part};
use super::{Benchmark, Column, MethodRow};
use crate::protocols::{Acquisition, Protocol, ScoreUnits};
use uq_core::scaling::Scaling;

/// The label of a column that names its acquisition.
pub const ACQUISITION: &str = "acquisition";

impl Benchmark {
    /// Replaces the column of each row that acquires by one for each of its acquisitions and steps.
    /// The number of additions is the column's `x`, and the label `acquisition` has the
    /// acquisition's name.
    pub(super) fn expand_acquiring_rows(&mut self) {
        let Some(additions) = self.protocol.additions() else { return };
        for row in &mut self.methods {
            let (Some(acquire), [column]) = (&row.acquire, row.columns.as_slice()) else {
                continue;
            };
            let steps = |by: &Acquisition| {
                (0..=additions).map(|step| at_step(column, *by, step)).collect::<Vec<_>>()
            };
            row.columns = acquire.iter().flat_map(steps).collect();
        }
    }

    /// Notes contradictions between protocol and rows of a benchmark whose methods acquire.
    pub(super) fn check_acquire(&self, to: &mut Mistakes) {
        let rows = self.methods.iter().enumerate();
        let Some(additions) = self.protocol.additions() else {
            for (i, row) in rows.filter(|(_, row)| row.acquire.is_some() || row.refit) {
                let message = format!(
                    "method `{}`: only the protocols `pool-learning` and `bayesian-optimisation` \
                     take `acquire`, and only the latter takes `refit`",
                    row.id
                );
                to.note(to.entry("methods", i), message);
            }
            return;
        };
        let name = if matches!(self.protocol, Protocol::PoolLearning(_)) {
            "pool-learning"
        } else {
            "bayesian-optimisation"
        };
        if self.anchors {
            let message = format!(
                "the protocol `{name}` has no anchors: list the reference methods with `acquire`"
            );
            to.note(Part::key("anchors"), message);
        }
        if self.score_units == ScoreUnits::Scaled {
            let message = format!(
                "the protocol `{name}` scores in the target's units, because each step is scaled \
                 anew"
            );
            to.note(Part::key("score_units"), message);
        }
        for (i, row) in
            self.datasets.iter().enumerate().filter(|(_, row)| row.scaling == Scaling::AllRows)
        {
            let message = format!(
                "dataset `{}`: the protocol `{name}` cannot scale by all rows, because the targets \
                 that are chosen later are unknown",
                row.key
            );
            to.note(to.entry("datasets", i).then("scaling"), message);
        }
        for (i, row) in rows {
            to.note_failure(
                to.entry("methods", i),
                check_row(row, &self.protocol, name, additions),
            );
        }
    }
}

/// The heading of the row, from that of one of its columns of this acquisition.
pub fn heading_of(column: &str, by: Acquisition) -> &str {
    column.split(&format!(", {by}, ")).next().unwrap_or(column)
}

fn at_step(column: &Column, by: Acquisition, step: usize) -> Column {
    let mut labels = column.labels.clone();
    labels.insert(ACQUISITION.into(), by.to_string());
    let heading = format!("{}, {by}, {step} added", column.heading);
    Column { reading: by.reading(step), heading, labels, x: Some(step as f64) }
}

fn check_row(
    row: &MethodRow,
    protocol: &Protocol,
    name: &str,
    additions: usize,
) -> Result<(), String> {
    let Some(acquire) = row.acquire.as_ref().filter(|acquire| !acquire.is_empty()) else {
        return Err(format!(
            "method `{}` needs `acquire`, the acquisitions that add to what it knows",
            row.id
        ));
    };
    if row.refit && !matches!(protocol, Protocol::BayesianOptimisation(_)) {
        return Err(format!(
            "method `{}`: only the protocol `bayesian-optimisation` takes `refit`",
            row.id
        ));
    }
    if let Some(other) = acquire.iter().find(|one| !protocol.takes(**one)) {
        return Err(format!(
            "method `{}`: the protocol `{name}` has no acquisition `{other}`",
            row.id
        ));
    }
    if let Some(twice) =
        acquire.iter().enumerate().find_map(|(i, one)| acquire[..i].contains(one).then_some(one))
    {
        return Err(format!("method `{}` names the acquisition `{twice}` twice", row.id));
    }
    if row.columns.len() != acquire.len() * (additions + 1) {
        return Err(format!(
            "method `{}` acquires, so it needs one column, which stands for all its steps",
            row.id
        ));
    }
    Ok(())
}
