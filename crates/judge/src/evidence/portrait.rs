//! Reduce one trial's predictions to what its page draws: PIT counts and residuals of each reading.

use ndarray::Array1;
use serde::{Deserialize, Serialize};

use super::trials::EvidenceError;
use uq_core::predictive::Predictive;
use uq_core::stats::PitCounts;
use uqbench_run::runner::derived::reduced;
use uqbench_run::runner::layout::Decoded;
use uqbench_run::runner::outcome::Outcome;
use uqbench_run::runner::record::TrialResult;
use uqbench_run::runner::store::Store;

/// Most readings that are drawn: a fit may have one for each point of a curve.
const MOST_READINGS: usize = 4;

/// Most test rows whose residuals are drawn.
const MOST_ROWS: usize = 200;

/// Name of the reduction, with its version.
const NAME: &str = "portrait@1";

/// One reading of a trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Portrait {
    /// The reading.
    pub reading: String,
    /// Number of test rows.
    pub rows: usize,
    /// Where outcomes lie in their predictive distributions; `None` where it has no distribution
    /// function.
    pub pit: Option<PitCounts>,
    /// Residuals; `None` where it has no mean or no variance.
    pub residuals: Option<Residuals>,
}

/// Residuals of every `every`-th test row, those with finite numbers, in the target's unit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Residuals {
    /// Distance between the rows that are drawn: 1 for all of them.
    pub every: usize,
    /// Predicted means.
    pub mean: Vec<f32>,
    /// Predicted standard deviations.
    pub sd: Vec<f32>,
    /// Outcomes less predicted means.
    pub residual: Vec<f32>,
}

/// The readings of a trial, the first `MOST_READINGS`; none where it has no predictions.
///
/// # Errors
/// [`EvidenceError`] where its predictions cannot be read.
pub fn portraits(store: &Store, result: &TrialResult) -> Result<Vec<Portrait>, EvidenceError> {
    if result.outcome != Outcome::Ok {
        return Ok(Vec::new());
    }
    let all = |decoded: &Decoded, _| -> Result<Vec<Portrait>, EvidenceError> {
        let readings = decoded.readings.iter().take(MOST_READINGS);
        Ok(readings
            .map(|(reading, predictive)| portrait(reading.to_string(), predictive, &decoded.y))
            .collect())
    };
    let found = reduced(store, result, &[NAME.to_owned()], all)?;
    Ok(found.into_iter().flatten().collect())
}

fn portrait(reading: String, predictive: &Predictive, y: &Array1<f64>) -> Portrait {
    let pit = predictive.transforms(y.view()).and_then(|pairs| PitCounts::new(&pairs));
    let moments = predictive.means().zip(predictive.variances());
    Portrait {
        reading,
        rows: y.len(),
        pit,
        residuals: moments.map(|(mean, variance)| residuals(y, &mean, &variance)),
    }
}

fn residuals(y: &Array1<f64>, mean: &Array1<f64>, variance: &Array1<f64>) -> Residuals {
    let every = y.len().div_ceil(MOST_ROWS).max(1);
    let mut drawn = Residuals { every, ..Residuals::default() };
    for row in (0..y.len()).step_by(every) {
        let [mean, sd, residual] =
            [mean[row], variance[row].sqrt(), y[row] - mean[row]].map(|value| value as f32);
        if [mean, sd, residual].iter().all(|value| value.is_finite()) {
            drawn.mean.push(mean);
            drawn.sd.push(sd);
            drawn.residual.push(residual);
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_thinned_and_what_is_not_finite_is_left_out() {
        let y = Array1::from_iter((0..801).map(f64::from));
        let mut mean = &y - 1.0;
        mean[5] = f64::INFINITY;
        let drawn = residuals(&y, &mean, &Array1::from_elem(801, 4.0));
        assert_eq!(
            (drawn.every, drawn.mean.len()),
            (5, 160),
            "161 rows, one of them without a mean"
        );
        assert!(
            drawn.residual.iter().all(|&one| one == 1.0) && drawn.sd.iter().all(|&one| one == 2.0)
        );
        let few = Array1::from_elem(200, 1.0);
        assert_eq!(residuals(&few, &few, &few).mean.len(), 200);
    }
}
