//! End the fits of methods that cannot be chosen any more, fold by fold.
//!
//! After each fold of a comparison the *leader* is the method with the lowest product of CRPS and
//! interval score among those whose intervals do not cover too few rows. A method is out where it
//! uses the features, its CRPS and its interval score are both higher than the leader's, their
//! product by 5 % or more, and the interval scores of the tested rows are higher by a paired t-test
//! at 0.5 %. The choice takes a simpler method in the leader's place only where both scores are at
//! most 2 % higher.

use super::FoldScores;
use super::evaluate::Scored;
use crate::candidates::Candidate;
use uq_core::predictive::Bounds;
use uq_core::stats::coverage::{Coverage, Kept, judge};
use uq_core::stats::t_quantile;

/// Smallest ratio of a method's product of scores to the leader's at which the method is out.
const PRODUCT: f64 = 1.05;

/// The probability that a method of the leader's interval score is out.
const LEVEL: f64 = 0.005;

/// What is known of a method after some folds.
struct Standing<'a> {
    folds: Vec<&'a FoldScores>,
    crps: f64,
    interval_score: f64,
}

impl<'a> Standing<'a> {
    /// `None` where a fold has failed or has no such scores: nothing is known of it.
    fn of(folds: &'a [Scored]) -> Option<Self> {
        let folds: Vec<&FoldScores> =
            folds.iter().map(|fold| fold.as_ref().ok()).collect::<Option<_>>()?;
        let mean = |score: fn(&FoldScores) -> Option<f64>| {
            let all: Option<Vec<f64>> = folds.iter().map(|fold| score(fold)).collect();
            all.map(|all| all.iter().sum::<f64>() / all.len() as f64)
        };
        let (crps, interval_score) = (mean(|fold| fold.crps)?, mean(|fold| fold.interval_score)?);
        Some(Self { folds, crps, interval_score })
    }

    fn product(&self) -> f64 {
        self.crps * self.interval_score
    }

    /// Whether its intervals do not cover too few rows.
    fn is_honest(&self, bounds: Bounds) -> bool {
        let covered = self.folds.iter().map(|fold| fold.covered).sum::<Option<usize>>();
        let rows = self.folds.iter().map(|fold| fold.test_rows).sum();
        let judged = covered.map(|covered| judge(&[Coverage { covered, rows }], bounds.level));
        judged.is_some_and(|judged| judged.iter().all(|found| found.kept != Kept::TooLow))
    }

    /// Whether its interval scores are higher than another one's at the same rows, by a paired
    /// t-test.
    fn is_higher_than(&self, other: &Self, bounds: Bounds) -> bool {
        let rows = |standing: &Self| -> Vec<f64> {
            let rows = standing.folds.iter().flat_map(|fold| &fold.rows);
            rows.map(|row| row.interval_outcome().loss(bounds)).collect()
        };
        let (own, others) = (rows(self), rows(other));
        let differences: Vec<f64> = own.iter().zip(&others).map(|(a, b)| a - b).collect();
        if own.len() != others.len() || own.len() < 3 {
            return false;
        }
        let n = differences.len() as f64;
        let mean = differences.iter().sum::<f64>() / n;
        let variance = differences.iter().map(|of| (of - mean).powi(2)).sum::<f64>() / (n - 1.0);
        t_quantile(1.0 - LEVEL, own.len() - 1).is_some_and(|t| mean > t * (variance / n).sqrt())
    }
}

/// Which candidates stay, after these folds of those that are `in_it`.
pub(super) fn staying(
    candidates: &[Candidate],
    in_it: &[bool],
    folds: &[Vec<Scored>],
    bounds: Bounds,
) -> Vec<bool> {
    let standings: Vec<Option<Standing>> = folds
        .iter()
        .zip(in_it)
        .map(|(folds, in_it)| in_it.then(|| Standing::of(folds)).flatten())
        .collect();
    let honest = standings.iter().flatten().filter(|standing| standing.is_honest(bounds));
    let Some(leader) = honest.min_by(|a, b| a.product().total_cmp(&b.product())) else {
        return in_it.to_vec();
    };
    let is_out = |standing: &Standing| {
        standing.crps > leader.crps
            && standing.interval_score > leader.interval_score
            && standing.product() >= PRODUCT * leader.product()
            && standing.is_higher_than(leader, bounds)
    };
    let stays = |place: usize| {
        let uses_features = !Candidate::is_unconditional(&candidates[place].id);
        in_it[place] && !(uses_features && standings[place].as_ref().is_some_and(&is_out))
    };
    (0..candidates.len()).map(stays).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::try_table::TestedRow;
    use uq_core::predictive::Side;

    const BOUNDS: Bounds = Bounds { level: 0.9, side: Side::Both };

    /// A fold of 40 rows whose intervals reach `half` to both sides of 0 and whose outcomes reach
    /// from −1 to 1.
    fn fold(half: f64, crps: f64) -> Scored {
        let row = |row: usize| {
            let outcome = (row as f64 - 19.5) / 20.0;
            TestedRow {
                row,
                outcome,
                mean: Some(0.0),
                lower: -half,
                upper: half,
                width: Some(2.0 * half),
                error: Some(outcome),
                covered: outcome.abs() <= half,
            }
        };
        let rows: Vec<TestedRow> = (0..40).map(row).collect();
        let loss = rows.iter().map(|row| row.interval_outcome().loss(BOUNDS)).sum::<f64>() / 40.0;
        Ok(FoldScores {
            train_rows: 80,
            test_rows: 40,
            covered: Some(rows.iter().filter(|row| row.covered).count()),
            width: Some(2.0 * half),
            interval_score: Some(loss),
            crps: Some(crps),
            mse: None,
            log_score: None,
            impossible: 0,
            pit: None,
            rows,
            settings: Vec::new(),
            seconds: 0.0,
        })
    }

    fn named<const N: usize>(names: [&str; N]) -> [Candidate; N] {
        names.map(|name| Candidate::named(name).unwrap())
    }

    fn stay(folds: [Scored; 4]) -> Vec<bool> {
        let all = named(["unconditional-gaussian", "linear-gaussian", "ridge", "tree"]);
        staying(&all, &[true; 4], &folds.map(|fold| vec![fold]), BOUNDS)
    }

    #[test]
    fn what_is_clearly_worse_in_both_scores_is_out_and_all_else_stays() {
        // Wider intervals than needed lose; what ignores the features costs nothing and stays.
        let found = stay([fold(3.0, 0.9), fold(1.0, 0.3), fold(1.01, 0.301), fold(2.0, 0.6)]);
        assert_eq!(found, [true, true, true, false]);
        // A lower CRPS may still win, whatever its intervals are.
        let found = stay([fold(3.0, 0.9), fold(1.0, 0.3), fold(2.0, 0.29), fold(2.0, 0.31)]);
        assert_eq!(found, [true, true, true, false]);
        // What has failed is not judged, and what covers too few rows leads nobody.
        let failed = || Err(super::super::Failure::Failed("singular".into()));
        let found = stay([fold(3.0, 0.9), fold(0.3, 0.1), failed(), fold(1.0, 0.3)]);
        assert_eq!(found, [true, true, true, true]);
    }

    #[test]
    fn nobody_is_out_where_nobody_leads_or_who_is_out_already_would() {
        let found = stay([fold(0.2, 0.9), fold(0.3, 0.1), fold(0.1, 0.8), fold(0.2, 0.7)]);
        assert_eq!(found, [true; 4]);
        let all = named(["linear-gaussian", "ridge"]);
        let folds = [vec![fold(1.0, 0.3)], vec![fold(2.0, 0.6)]];
        assert_eq!(staying(&all, &[false, true], &folds, BOUNDS), [false, true]);
    }
}
