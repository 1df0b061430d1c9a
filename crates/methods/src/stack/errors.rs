//! Move the pool's quantiles by the errors of rows that it has not seen: of all rows, or apart in
//! each group of them.

use std::collections::BTreeMap;

use ndarray::{ArrayView1, ArrayView2, Axis};
use serde::{Deserialize, Serialize};

use super::ID;
use crate::FitError;
use crate::calibration::Calibration;
use crate::conformal::outward;
use crate::state::require;
use uq_core::predictive::Quantiles;

/// Fewest rows of a group that has errors of its own.
pub(super) const FEWEST: usize = 20;

/// What moves the pool's quantiles. A state has the number of its variant: that of a fit without
/// groups stays as it was before there were any.
#[derive(Serialize, Deserialize)]
pub(super) enum Errors {
    /// Nothing.
    None,
    /// The errors of all rows.
    All(Calibration),
    /// The errors of a row's group.
    Grouped(Grouped),
}

/// The errors of all rows, and which of them are a group's.
#[derive(Serialize, Deserialize)]
pub(super) struct Grouped {
    all: Calibration,
    /// The features whose values together name a group.
    places: Vec<usize>,
    /// The rows of each group with [`FEWEST`] rows or more, by the bits of these values.
    groups: BTreeMap<Vec<u64>, Vec<usize>>,
}

impl Errors {
    /// The errors of all rows, or of groups of equal values of the features (n × d) at these
    /// places, if there are any.
    pub fn new(all: Calibration, features: ArrayView2<f64>, places: &[usize]) -> Self {
        if places.is_empty() {
            return Self::All(all);
        }
        let mut groups = rows_by_group(features, places);
        groups.retain(|_, rows| rows.len() >= FEWEST);
        Self::Grouped(Grouped { all, places: places.to_vec(), groups })
    }

    /// Whether they move anything.
    pub fn calibrate(&self) -> bool {
        !matches!(self, Self::None)
    }

    /// Checks what was read, for rows of `columns` features.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, columns: usize) -> Result<(), String> {
        match self {
            Self::None => Ok(()),
            Self::All(all) => all.check(),
            Self::Grouped(Grouped { all, places, groups }) => {
                let are_rows = groups.values().flatten().all(|row| *row < all.rows());
                require(
                    are_rows
                        && places.iter().all(|place| *place < columns)
                        && groups.values().all(|rows| !rows.is_empty()),
                    "groups of other rows or features",
                )?;
                all.check()
            }
        }
    }

    /// The quantiles of rows with these features (n × d) that `raw` ones become; of the `wanted`
    /// levels those whose shift is finite.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] where the shift of an `asked` level is infinite.
    pub fn apply(
        &self,
        raw: Quantiles,
        features: ArrayView2<f64>,
        wanted: Vec<f64>,
        asked: &[f64],
    ) -> Result<Quantiles, FitError> {
        match self {
            Self::None => Ok(raw),
            Self::All(all) => all.apply(ID, &raw, wanted, asked, shift),
            Self::Grouped(grouped) => grouped.apply(&raw, features, wanted, asked),
        }
    }
}

impl Grouped {
    fn apply(
        &self,
        raw: &Quantiles,
        features: ArrayView2<f64>,
        wanted: Vec<f64>,
        asked: &[f64],
    ) -> Result<Quantiles, FitError> {
        let mut found = self.all.apply(ID, raw, wanted, asked, shift)?;
        for (group, rows) in rows_by_group(features, &self.places) {
            let Some(of_group) = self.groups.get(&group) else { continue };
            let errors = self.all.of_rows(of_group);
            // A group has errors of its own as far as they reach: of a level beyond them, all rows'
            // errors.
            let own = |level, errors| {
                shift(level, errors).or_else(|| shift(level, self.all.errors(level)))
            };
            let of_rows =
                Quantiles { levels: raw.levels.clone(), values: raw.values.select(Axis(0), &rows) };
            let values = errors.apply(ID, &of_rows, found.levels.clone(), &[], own)?.values;
            rows.iter()
                .zip(values.rows())
                .for_each(|(&row, of_row)| found.values.row_mut(row).assign(&of_row));
        }
        Ok(found)
    }
}

/// The shift of a level, of which these are the errors.
fn shift(level: f64, mut errors: Vec<f64>) -> Option<f64> {
    errors.sort_unstable_by(f64::total_cmp);
    outward(&errors, level)
}

/// The rows of each group of equal values of the features at these places.
fn rows_by_group(features: ArrayView2<f64>, places: &[usize]) -> BTreeMap<Vec<u64>, Vec<usize>> {
    // Both zeros are one value.
    let group =
        |x: ArrayView1<f64>| places.iter().map(|place| (x[*place] + 0.0).to_bits()).collect();
    let mut groups: BTreeMap<Vec<u64>, Vec<usize>> = BTreeMap::new();
    for (row, x) in features.rows().into_iter().enumerate() {
        groups.entry(group(x)).or_default().push(row);
    }
    groups
}
