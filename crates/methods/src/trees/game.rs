//! Solve the zero-sum game min_p max_q pᵀ L q (1.2, 2.3): Player I mixes the m rows of L, Player II
//! its n columns.
//!
//! With C = 2 − (L − min L)/(max L − min L), whose entries lie in [1, 2], Player II's linear
//! programme is
//!
//! ```text
//! max Σ_j y_j  subject to  C y ≤ 1, y ≥ 0,
//! ```
//!
//! q = y / Σ y, and its dual solution x gives p = x / Σ x. Every solve reports its duality gap
//! max_j (pᵀL)_j − min_i (L q)_i, computed from L itself: it bounds how far both strategies are
//! from optimal.
//!
//! # Which equilibrium
//! The value of a game is unique, its strategies need not be. Of all optimal p this is the one that
//! is lexicographically smallest read from the last row to the first: among interchangeable models
//! those of lower index get the weight, and a game with all losses equal puts it on row 0. The
//! choice depends on neither the order nor the repetition of columns nor on a shift or a positive
//! factor of the losses; reordering tied rows changes it.
//!
//! # References
//! P. Tavallali, H. Hamze Bajgiran, D. J. Esaid, H. Owhadi: Decision theoretic bootstrapping, 2021.
//! G. B. Dantzig, A. Orden, P. Wolfe: The generalized simplex method, *Pacific J. Math.* 5, 1955
//! (lexicographic rule).

use ndarray::ArrayView2;
use qd::Quad;
use thiserror::Error;

use super::simplex::{Number, Tableau};

/// Largest duality gap of a solved game, relative to the spread of its losses.
pub const GAP_TOLERANCE: f64 = 1e-9;

/// A pair of optimal mixed strategies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Equilibrium {
    /// Player I's probabilities p of the m rows.
    pub row_strategy: Vec<f64>,
    /// Player II's probabilities q of the n columns.
    pub column_strategy: Vec<f64>,
    /// The loss that p guarantees: max_j (pᵀL)_j, in units of the losses.
    pub value: f64,
    /// What p guarantees minus what q guarantees, in units of the losses.
    pub gap: f64,
}

/// Why a game could not be solved.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum GameError {
    /// A player has nothing to choose from.
    #[error("the game has {rows} rows and {columns} columns, expected at least one of each")]
    Empty {
        /// Rows found.
        rows: usize,
        /// Columns found.
        columns: usize,
    },
    /// A loss is not a finite number.
    #[error(
        "the loss in row {row}, column {column} (both from 0) is {loss}, expected a finite number"
    )]
    NotFinite {
        /// Row of the loss.
        row: usize,
        /// Column of the loss.
        column: usize,
        /// The loss.
        loss: f64,
    },
    /// Largest and smallest loss differ by more than the largest finite number.
    #[error(
        "the losses range from {low} to {high}, further apart than the largest finite number: \
         rescale them"
    )]
    TooWide {
        /// Smallest loss.
        low: f64,
        /// Largest loss.
        high: f64,
    },
    /// Rounding kept the strategies from being optimal.
    #[error(
        "the duality gap is {gap} of the spread of the losses, expected at most {GAP_TOLERANCE}"
    )]
    Inexact {
        /// Gap, relative to the spread of the losses.
        gap: f64,
    },
}

/// Solves games one after another in the same memory.
#[derive(Clone, Debug, Default)]
pub struct GameSolver {
    tableau: Tableau<f64>,
    precise: Tableau<Quad>,
    equilibrium: Equilibrium,
}

impl GameSolver {
    /// Solves the game of `losses` (m × n); the equilibrium stays until the next call.
    ///
    /// Where losses differ so little that doubles take rounding for a pivot, which the duality gap
    /// shows, the game is solved again in double-doubles.
    ///
    /// # Errors
    /// [`GameError`] for an empty game, a loss that is not finite, or a duality gap above
    /// [`GAP_TOLERANCE`].
    pub fn solve(&mut self, losses: ArrayView2<f64>) -> Result<&Equilibrium, GameError> {
        let scale = Scale::new(losses)?;
        let (m, n) = losses.dim();
        let equilibrium = &mut self.equilibrium;
        self.tableau.load(m, n, losses.iter().map(|&loss| 2.0 - scale.share(loss)));
        let mut gap = equilibrium.read(&mut self.tableau, losses, &scale);
        // A strategy of NaN must fail too.
        if gap.is_nan() || gap > GAP_TOLERANCE {
            let shares = losses.iter().map(|&loss| {
                let share = (Quad::from(loss) - Quad::from(scale.low)) / Quad::from(scale.unit);
                Quad::from(2.0) - share
            });
            self.precise.load(m, n, shares);
            gap = equilibrium.read(&mut self.precise, losses, &scale);
        }
        if gap.is_nan() || gap > GAP_TOLERANCE {
            return Err(GameError::Inexact { gap });
        }
        Ok(&self.equilibrium)
    }
}

/// Smallest loss and spread of the losses: their distance from the smallest is measured in units of
/// the spread, because the gap's tolerance is stated in them and rounding is smallest.
struct Scale {
    low: f64,
    unit: f64,
}

impl Scale {
    fn new(losses: ArrayView2<f64>) -> Result<Self, GameError> {
        let (low, high) = range(losses)?;
        let spread = high - low;
        if !spread.is_finite() {
            return Err(GameError::TooWide { low, high });
        }
        // Constant losses have spread 0: every share is then 0.
        Ok(Self { low, unit: if spread > 0.0 { spread } else { 1.0 } })
    }

    fn share(&self, loss: f64) -> f64 {
        (loss - self.low) / self.unit
    }
}

impl Equilibrium {
    /// Solves the loaded programme, reads both strategies, and returns their gap relative to the
    /// spread of the losses.
    fn read<T: Number>(
        &mut self,
        tableau: &mut Tableau<T>,
        losses: ArrayView2<f64>,
        scale: &Scale,
    ) -> f64 {
        let (m, n) = losses.dim();
        let optimal = tableau.solve(100 * (m + n));
        let Self { row_strategy: p, column_strategy: q, value, gap } = self;
        tableau.dual(p);
        tableau.primal(q);
        normalise(p);
        normalise(q);
        let mut highest = f64::NEG_INFINITY;
        for column in losses.columns() {
            highest = highest.max(
                column.iter().zip(&*p).map(|(&loss, weight)| weight * scale.share(loss)).sum(),
            );
        }
        let mut lowest = f64::INFINITY;
        for row in losses.rows() {
            lowest = lowest
                .min(row.iter().zip(&*q).map(|(&loss, weight)| weight * scale.share(loss)).sum());
        }
        *value = scale.low + scale.unit * highest;
        *gap = scale.unit * (highest - lowest);
        if optimal { highest - lowest } else { f64::NAN }
    }
}

/// Solves the game of `losses` (m × n): Player I picks a row to lose least, Player II a column to
/// make Player I lose most.
///
/// # Errors
/// As [`GameSolver::solve`].
pub fn solve(losses: ArrayView2<f64>) -> Result<Equilibrium, GameError> {
    GameSolver::default().solve(losses).cloned()
}

/// Smallest and largest loss.
fn range(losses: ArrayView2<f64>) -> Result<(f64, f64), GameError> {
    let (rows, columns) = losses.dim();
    if losses.is_empty() {
        return Err(GameError::Empty { rows, columns });
    }
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for ((row, column), &loss) in losses.indexed_iter() {
        if !loss.is_finite() {
            return Err(GameError::NotFinite { row, column, loss });
        }
        (low, high) = (low.min(loss), high.max(loss));
    }
    Ok((low, high))
}

/// Scales weights to sum to one.
fn normalise(weights: &mut [f64]) {
    let total: f64 = weights.iter().sum();
    for weight in weights {
        *weight /= total;
    }
}

#[cfg(test)]
mod tests;
