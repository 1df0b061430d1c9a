//! Bounds between RMSE, log-likelihood, width and coverage.
//!
//! A normal density of variance s² at all m rows of a split has the mean log
//! −½ log(2π s²) − MSE / (2 s²), which is largest at s² = MSE: −½ log(2πe) − log RMSE. Over K splits
//! the mean of log RMSE is needed, of which Jensen gives an upper bound alone; its least value, for
//! given mean and standard deviation of the RMSE, is that of one small and K − 1 equal values
//! (Cîrtoaje's equal variable theorem, because the third derivative of the logarithm is positive).
//!
//! An interval of constant width w about the predictions misses a row where its error exceeds w / 2,
//! so that at most 4 MSE / w² of the rows are missed (Chebyshev).

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
    let (_, sd) = rmse.sd_range()?;
    let step = sd / splits.sqrt();
    let (small, others) = (least - (splits - 1.0) * step, least + step);
    // K means of errors of one mean and sd; a mean of log RMSE has no lower bound once one of them
    // can be 0.
    (small > 0.0).then(|| constant - (small.ln() + (splits - 1.0) * others.ln()) / splits)
}

/// Log-likelihoods above the bound of their RMSE.
pub fn log_likelihoods(table: &Table, checked: &mut Checked) {
    let of = |quantity, sign: f64| table.of(quantity).map(move |number| (number, sign));
    let all = of(Quantity::LogLikelihood, 1.0).chain(of(Quantity::NegativeLogLikelihood, -1.0));
    for (number, sign) in all {
        let Some(rmse) = table.beside(number, Quantity::Rmse) else { continue };
        if rmse.count != number.count {
            continue;
        }
        let Some((printed, bound)) = of_splits(number, rmse, sign).or_else(|| {
            let digits = number.digits;
            let least = if sign > 0.0 { digits.least() } else { -digits.largest() };
            Some((least, most_log_likelihood(rmse)?))
        }) else {
            continue;
        };
        checked.applied += 1;
        if printed > bound {
            let verdict = match number.premises.one_variance {
                true => Verdict::Excluded,
                false => Verdict::ExcludedIf,
            };
            let evidence = Evidence::AboveBound { printed, bound, rmse: rmse.digits.value };
            checked.findings.push(number.finding(checked.rule, verdict, evidence));
        }
    }
}

/// The split that exceeds its bound by most, or comes nearest to it: its log-likelihood and its
/// bound. Scores of splits have all their digits.
fn of_splits(number: &Number, rmse: &Number, sign: f64) -> Option<(f64, f64)> {
    if number.splits.is_empty() || number.splits.len() != rmse.splits.len() {
        return None;
    }
    let pairs = number.splits.iter().zip(&rmse.splits).filter(|(_, rmse)| **rmse > 0.0);
    let bounds =
        pairs.map(|(score, rmse)| (sign * score - 1e-6, -0.5 * (2.0 * PI * E).ln() - rmse.ln()));
    bounds.max_by(|a, b| (a.0 - a.1).total_cmp(&(b.0 - b.1)))
}

/// Coverages below the bound of their width and RMSE.
pub fn coverages(table: &Table, checked: &mut Checked) {
    for number in table.of(Quantity::Coverage) {
        let Some(width) = table.beside(number, Quantity::Width) else { continue };
        let Some(rmse) = table.beside(number, Quantity::Rmse) else { continue };
        let (Some(splits), least) = (rmse.count, width.digits.least()) else { continue };
        let sd = if splits < 2 { Some(0.0) } else { rmse.sd_range().map(|(_, most)| most) };
        let Some(sd) = sd.filter(|_| least > 0.0 && rmse.digits.value > 0.0) else { continue };
        checked.applied += 1;
        let splits = splits as f64;
        let mse = rmse.digits.largest().powi(2) + sd.powi(2) * (splits - 1.0) / splits;
        let bound = 1.0 - 4.0 * mse / least.powi(2);
        let printed = number.digits.largest();
        if printed < bound {
            let verdict = match number.premises.constant_width {
                true => Verdict::Excluded,
                false => Verdict::ExcludedIf,
            };
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
        let sd = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (k - 1.0)).sqrt();
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
