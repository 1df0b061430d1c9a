//! Give each row of a benchmark whose methods acquire one column for each acquisition and step.

use super::{Benchmark, Column, MethodRow};
use crate::data::scaling::Scaling;
use crate::protocols::{Acquisition, Protocol, ScoreUnits};

/// The label of a column that names its acquisition.
pub const ACQUISITION: &str = "acquisition";

impl Benchmark {
    /// Replaces the column of each row that acquires by one for each of its acquisitions and steps. The number of
    /// additions is the column's `x`, and the label `acquisition` has the acquisition's name.
    pub(super) fn expand_acquiring_rows(&mut self) {
        let Some(additions) = self.protocol.additions() else { return };
        for row in &mut self.methods {
            let (Some(acquire), [column]) = (&row.acquire, row.columns.as_slice()) else { continue };
            let steps = |by: &Acquisition| (0..=additions).map(|step| at_step(column, *by, step)).collect::<Vec<_>>();
            row.columns = acquire.iter().flat_map(steps).collect();
        }
    }

    /// Finds the first contradiction between protocol and rows of a benchmark whose methods acquire.
    ///
    /// # Errors
    /// A message that states what is wrong.
    pub(super) fn check_acquire(&self) -> Result<(), String> {
        let Some(additions) = self.protocol.additions() else {
            return match self.methods.iter().find(|row| row.acquire.is_some()) {
                Some(row) => Err(format!(
                    "method `{}`: only the protocols `pool-learning` and `bayesian-optimisation` take `acquire`",
                    row.id
                )),
                None => Ok(()),
            };
        };
        let name =
            if matches!(self.protocol, Protocol::PoolLearning(_)) { "pool-learning" } else { "bayesian-optimisation" };
        if self.anchors {
            return Err(format!("the protocol `{name}` has no anchors: list the reference methods with `acquire`"));
        }
        if self.score_units == ScoreUnits::Scaled {
            return Err(format!(
                "the protocol `{name}` scores in the target's units, because each step is scaled anew"
            ));
        }
        if let Some(row) = self.datasets.iter().find(|row| row.scaling == Scaling::AllRows) {
            return Err(format!(
                "dataset `{}`: the protocol `{name}` cannot scale by all rows, because the targets that are chosen later are unknown",
                row.key
            ));
        }
        self.methods.iter().try_for_each(|row| check_row(row, (&self.protocol, name), additions))
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

fn check_row(row: &MethodRow, (protocol, name): (&Protocol, &str), additions: usize) -> Result<(), String> {
    let Some(acquire) = row.acquire.as_ref().filter(|acquire| !acquire.is_empty()) else {
        return Err(format!("method `{}` needs `acquire`, the acquisitions that add to what it knows", row.id));
    };
    if let Some(other) = acquire.iter().find(|one| !protocol.takes(**one)) {
        return Err(format!("method `{}`: the protocol `{name}` has no acquisition `{other}`", row.id));
    }
    if let Some(twice) = acquire.iter().enumerate().find_map(|(i, one)| acquire[..i].contains(one).then_some(one)) {
        return Err(format!("method `{}` names the acquisition `{twice}` twice", row.id));
    }
    if row.columns.len() != acquire.len() * (additions + 1) {
        return Err(format!("method `{}` acquires, so it needs one column, which stands for all its steps", row.id));
    }
    Ok(())
}
