//! Bounds between RMSE, log-likelihood, width and coverage.
//!
//! A normal density of variance s² at all m rows of a split has the mean log
//! −½ log(2π s²) − MSE / (2 s²), which is largest at s² = MSE: −½ log(2πe) − log RMSE. Over K splits
//! the mean of log RMSE is needed, of which Jensen gives an upper bound alone; its least value, for
//! given mean and standard deviation of the RMSE, is that of one small and K − 1 equal values
//! (Cîrtoaje's equal variable theorem, because the third derivative of the logarithm is positive).
//!
//! An interval of width w that is centred on a prediction misses where the error exceeds w / 2, so
//! that at most 4 MSE / w² of the rows are missed (Chebyshev). The width has to be one over all
//! splits: the mean of 1 / w² is not that of the mean width.
//!
//! A printed standard deviation may have the divisor K or K − 1: the larger reading is taken.

use std::f64::consts::{E, PI};

use super::{Checked, Evidence, Number, Quantity, Table, Verdict};

/// Largest mean log-likelihood of normal predictions with one variance a split, for the printed RMSE
/// of K splits; `None` where there is no bound.
fn most_log_likelihood(rmse: &Number) -> Option<f64> {
    let least = rmse.digits.least();
    let constant = -0.5 * (2.0 * PI * E).ln();
    let splits = rmse.count? as f64;
    if splits < 2.0 {
        return (least > 0.0).then(|| constant - least.ln());
    }
    let step = most_sd(rmse, splits)? / splits.sqrt();
    let (small, others) = (least - (splits - 1.0) * step, least + step);
    // Where the small RMSE could be 0, the mean of log RMSE has no lower bound.
    (small > 0.0).then(|| constant - (small.ln() + (splits - 1.0) * others.ln()) / splits)
}

/// The largest standard deviation of K values, with divisor K − 1, that a printed spread stands for.
/// It may have been computed with divisor K.
fn most_sd(number: &Number, splits: f64) -> Option<f64> {
    number.sd_range().map(|(_, most)| most * (splits / (splits - 1.0)).sqrt())
}

/// Log-likelihoods above the bound of their RMSE.
pub fn log_likelihoods(table: &Table, checked: &mut Checked) {
    let signed = |quantity, sign: f64| table.numbers_of(quantity).map(move |one| (one, sign));
    let all =
        signed(Quantity::LogLikelihood, 1.0).chain(signed(Quantity::NegativeLogLikelihood, -1.0));
    for (number, sign) in all {
        let Some(rmse) = table.beside(number, Quantity::Rmse) else { continue };
        let Some(verdict) = on_premise(number.premises.one_variance) else { continue };
        let Some(compared) = clearest_split(number, rmse, sign).or_else(|| {
            let digits = number.digits;
            Some(Compared {
                printed: if sign > 0.0 { digits.least() } else { -digits.largest() },
                bound: most_log_likelihood(rmse)?,
                rmse: rmse.digits.value,
            })
        }) else {
            continue;
        };
        checked.applied += 1;
        let Compared { printed, bound, rmse } = compared;
        if printed > bound {
            let evidence = Evidence::AboveBound { printed, bound, rmse };
            checked.findings.push(number.finding(checked.rule, verdict, evidence));
        }
    }
}

/// A log-likelihood, at least, beside its bound and the RMSE behind that.
struct Compared {
    printed: f64,
    bound: f64,
    rmse: f64,
}

/// The split that exceeds its bound by most, or comes nearest to it; `None` where the scores of the
/// splits are not printed.
fn clearest_split(number: &Number, rmse: &Number, sign: f64) -> Option<Compared> {
    if number.splits.is_empty() || number.splits.len() != rmse.splits.len() {
        return None;
    }
    let pairs = number.splits.iter().zip(&rmse.splits).filter(|(_, rmse)| rmse.least() > 0.0);
    let compared = pairs.map(|(score, rmse)| Compared {
        printed: if sign > 0.0 { score.least() } else { -score.largest() },
        bound: -0.5 * (2.0 * PI * E).ln() - rmse.least().ln(),
        rmse: rmse.value,
    });
    compared.max_by(|a, b| (a.printed - a.bound).total_cmp(&(b.printed - b.bound)))
}

/// The verdict of a theorem with a premise that is stated, or not; `None` where the table denies it.
fn on_premise(stated: Option<bool>) -> Option<Verdict> {
    match stated {
        Some(true) => Some(Verdict::Excluded),
        Some(false) => None,
        None => Some(Verdict::ExcludedIf),
    }
}

/// Coverages below the bound of their width and RMSE.
pub fn coverages(table: &Table, checked: &mut Checked) {
    for number in table.numbers_of(Quantity::Coverage) {
        let Some(width) = table.beside(number, Quantity::Width) else { continue };
        let Some(rmse) = table.beside(number, Quantity::Rmse) else { continue };
        let (Some(splits), least) = (rmse.count, width.digits.least()) else { continue };
        let Some(verdict) = on_premise(number.premises.constant_width) else { continue };
        let sd = if splits < 2 { Some(0.0) } else { most_sd(rmse, splits as f64) };
        let Some(sd) = sd.filter(|_| least > 0.0 && rmse.digits.value > 0.0) else { continue };
        checked.applied += 1;
        let splits = splits as f64;
        let mse = rmse.digits.largest().powi(2) + sd.powi(2) * (splits - 1.0) / splits;
        let bound = 1.0 - 4.0 * mse / least.powi(2);
        let printed = number.digits.largest();
        if printed < bound {
            let (width, rmse) = (width.digits.value, rmse.digits.value);
            let evidence = Evidence::BelowBound { printed, bound, width, rmse };
            checked.findings.push(number.finding(checked.rule, verdict, evidence));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, prop_assume, proptest};

    use super::super::tests::number;
    use super::super::{Digits, Quantity};
    use super::*;
    use uqbench_run::benchmark::SpreadKind;

    fn rmse_of(values: &[f64]) -> Number {
        let k = values.len() as f64;
        let mean = values.iter().sum::<f64>() / k;
        // As NumPy does by default, with divisor K.
        let sd = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / k).sqrt();
        let mut rmse = number(Quantity::Rmse, mean, 1e-12);
        rmse.spread = Some(Digits { value: sd, unit: 1e-12 });
        (rmse.kind, rmse.count) = (SpreadKind::Sd, Some(values.len() as u64));
        rmse
    }

    proptest! {
        #[test]
        fn no_normal_of_one_variance_a_split_exceeds_the_bound(
            errors in proptest::collection::vec(proptest::collection::vec(-2.0..2.0_f64, 5), 2..8),
            scales in proptest::collection::vec(0.2..3.0_f64, 8),
        ) {
            let rmses: Vec<f64> = errors.iter()
                .map(|split| (split.iter().map(|e| e * e).sum::<f64>() / 5.0).sqrt()).collect();
            let scores = errors.iter().zip(&scales).map(|(split, s)| {
                split.iter().map(|e| -0.5 * (2.0 * PI * s * s).ln() - e * e / (2.0 * s * s)).sum::<f64>() / 5.0
            });
            let mean = scores.sum::<f64>() / errors.len() as f64;
            let bound = most_log_likelihood(&rmse_of(&rmses));
            prop_assume!(bound.is_some());
            prop_assert!(mean <= bound.unwrap() + 1e-9, "{mean} > {bound:?}");
        }

        #[test]
        fn the_mean_of_logarithms_is_least_for_one_small_value(
            values in proptest::collection::vec(0.5..2.0_f64, 2..9),
        ) {
            let bound = most_log_likelihood(&rmse_of(&values));
            prop_assume!(bound.is_some());
            let mean = values.iter().map(|v| v.ln()).sum::<f64>() / values.len() as f64;
            prop_assert!(bound.unwrap() >= -0.5 * (2.0 * PI * E).ln() - mean - 1e-9);
        }
    }

    #[test]
    fn the_bound_is_met_by_one_small_and_equal_values() {
        let values = [0.4, 1.0, 1.0, 1.0, 1.0];
        let mean = values.iter().map(|v: &f64| v.ln()).sum::<f64>() / 5.0;
        let bound = most_log_likelihood(&rmse_of(&values)).unwrap();
        assert!((bound - (-0.5 * (2.0 * PI * E).ln() - mean)).abs() < 1e-6, "{bound}");
    }
}
