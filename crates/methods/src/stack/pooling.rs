//! Weigh and calibrate a pool by what its members predict at rows that their fits have not seen,
//! whoever has made these fits.

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::errors::Errors;
use super::pool::Members;
use super::{ID, Stack, weights};
use crate::calibration::Calibration;
use crate::side_tables::Pool;
use crate::state::require;
use crate::{Context, FitError, Method, levels};
use uq_core::Table;
use uq_core::predictive::{Form, Predictive, Quantiles};

/// What the members of a stack predict at n rows that their fits have not seen.
pub struct Unseen<'a> {
    /// The place of each member among those of the stack, and its quantiles at the levels of
    /// [`Stack::levels`], n × levels. A member that could not be fitted is left out.
    pub members: Vec<(usize, &'a Array2<f64>)>,
    /// The rows of each fold, which no fit that predicts them has seen: each of the n rows once.
    pub sets: &'a [Vec<usize>],
}

/// The weights of a pool, and what calibrates it.
#[derive(Serialize, Deserialize)]
pub struct Pooling {
    weights: Vec<f64>,
    errors: Errors,
    pool: Pool,
}

impl Stack {
    /// The levels at which members predict rows that their fits have not seen.
    pub fn levels() -> Vec<f64> {
        levels::only_grid()
    }

    /// The quantiles at [`Self::levels`] that a member predicts, n × levels.
    ///
    /// # Errors
    /// [`FitError::Diverged`] where one is undefined or not finite.
    pub fn quantiles(
        member: &dyn Method,
        predictive: &Predictive,
    ) -> Result<Array2<f64>, FitError> {
        levels::finite_quantiles(ID, member.id(), predictive, &Self::levels())
    }

    /// The weights and the calibration that these predictions give; `train` has the n rows.
    ///
    /// # Errors
    /// [`FitError`] where the run is stopped.
    pub fn pool(
        &self,
        unseen: &Unseen,
        train: &Table,
        context: &Context,
    ) -> Result<Pooling, FitError> {
        let (levels, n) = (Self::levels(), train.rows());
        let quantiles: Vec<&Array2<f64>> = unseen.members.iter().map(|(_, of)| *of).collect();
        let forms = forms(&levels, &quantiles, unseen.sets, train, context)?;
        let every = sum(forms.iter());
        let choose = |form: &Array2<f64>, rows: usize| {
            weights::shrunk(&weights::lowest(form), rows, self.parameters.equal_below)
        };
        let weights = choose(&every, n);
        let mut pooled = Array2::zeros((n, levels.len()));
        if self.parameters.calibrated {
            for (i, set) in unseen.sets.iter().enumerate() {
                let others =
                    sum(forms.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, form)| form));
                let weights = choose(&others, n - set.len());
                for &row in set {
                    Members::at(&levels, &quantiles, row, None)
                        .pooled(&weights, |level, value| pooled[(row, level)] = value);
                }
            }
        }
        let errors = match self.parameters.calibrated {
            true => {
                let all = Calibration::new(levels, pooled, train.target.view());
                Errors::new(all, train.features.view(), &self.parameters.groups)
            }
            false => Errors::None,
        };
        let crps = (0..quantiles.len()).map(|k| every[(k, k)] / n as f64).collect();
        let pool = Pool {
            member: unseen.members.iter().map(|(place, _)| *place as f64).collect(),
            weight: weights.clone(),
            crps,
        };
        Ok(Pooling { weights, errors, pool })
    }
}

impl Pooling {
    /// Checks what was read, of this number of members and for rows of `columns` features.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub(super) fn check(&self, members: usize, columns: usize) -> Result<(), String> {
        require(self.weights.len() == members, "weights of other members")?;
        self.errors.check(columns)
    }

    /// The levels at which members predict new rows, of which quantiles at the levels `asked` are
    /// wanted.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] for a level outside (0, 1).
    pub fn levels(&self, asked: &[f64]) -> Result<Vec<f64>, FitError> {
        // Calibration compares quantiles at the levels of the grid.
        if self.errors.calibrate() { Ok(Stack::levels()) } else { levels::with_grid(ID, asked) }
    }

    /// The pool's prediction at rows with these features (m × d), by the quantiles of each member at
    /// [`Self::levels`], m × levels.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] where the errors cannot tell an asked level; and where the run is
    /// stopped.
    pub fn predict(
        &self,
        members: &[&Array2<f64>],
        features: ArrayView2<f64>,
        asked: &[f64],
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let (levels, wanted) = (self.levels(asked)?, levels::with_grid(ID, asked)?);
        let mut pooled = Array2::zeros((features.nrows(), levels.len()));
        for row in 0..features.nrows() {
            context.checkpoint()?;
            Members::at(&levels, members, row, None)
                .pooled(&self.weights, |level, value| pooled[(row, level)] = value);
        }
        let raw = Quantiles { levels, values: pooled };
        let found = self.errors.apply(raw, features, wanted, asked)?;
        Ok(Predictive::new(Form::Quantiles(found)))
    }

    /// The members that take part, their weights and scores.
    pub fn table(&self) -> &Pool {
        &self.pool
    }
}

/// The sums of the quadratic forms over the rows of each set.
fn forms(
    levels: &[f64],
    unseen: &[&Array2<f64>],
    sets: &[Vec<usize>],
    train: &Table,
    context: &Context,
) -> Result<Vec<Array2<f64>>, FitError> {
    let of_set = |set: &Vec<usize>| {
        context.checkpoint()?;
        let mut form = Array2::zeros((unseen.len(), unseen.len()));
        for &row in set {
            let y = train.target[row];
            Members::at(levels, unseen, row, Some(y)).add_crps(y, &mut form);
        }
        Ok(form)
    };
    sets.iter().map(of_set).collect()
}

/// The sum of matrices of one shape.
fn sum<'a>(matrices: impl Iterator<Item = &'a Array2<f64>>) -> Array2<f64> {
    let mut matrices = matrices.cloned();
    let first = matrices.next().unwrap_or_default();
    matrices.fold(first, |sum, next| sum + next)
}
