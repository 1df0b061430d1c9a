//! Compare answers to the same problem in another unit, or with its training rows in another order,
//! and the parts of a variance with the variance: facts that the author should know, none of which
//! the contract forbids.

use super::finding::Finding;
use uq_core::math::median::median;
use uq_core::predictive::Predictive;

/// By how much the target of the second question is larger.
pub const FACTOR: f64 = 1000.0;
/// What is added to the target of a third question: some 25 of its standard deviations.
pub const OFFSET: f64 = 20_000.0;
/// Distance of a mean from the expected one, in standard deviations of the target, that iterations
/// which stop elsewhere explain.
const NEAR_ENOUGH: f64 = 0.1;
/// Relative difference of a scale from the expected one that still counts as it: iterations may
/// stop elsewhere.
const NEAR: f64 = 0.02;
/// Relative difference of sums that rounding explains.
const ROUNDED: f64 = 1e-6;

/// Whether intervals follow the unit of the target: `scaled` answers the problem whose targets are
/// [`FACTOR`] times as large.
pub fn finding_of_unit(plain: &Predictive, scaled: &Predictive) -> Finding {
    let what = "with a target in a unit 1000 times smaller, intervals are 1000 times as wide";
    let ratios = |of: fn(&Predictive, usize) -> Option<f64>| {
        let each = (0..plain.len()).filter_map(|row| Some(of(scaled, row)? / of(plain, row)?));
        median(each.filter(|ratio| ratio.is_finite()).collect())
    };
    let Some(ratio) = ratios(spread) else {
        return Finding::noted(what, "not compared, because its answers have no width");
    };
    let is_near = |expected: f64| (ratio / expected - 1.0).abs() < NEAR;
    if is_near(FACTOR) {
        return Finding::passed(what, "");
    }
    let found = format!("they are {ratio:.4} times as wide");
    Finding::noted(
        what,
        if is_near(FACTOR.sqrt()) {
            format!(
                "{found}, the root of 1000: a standard deviation may stand in place of the variance"
            )
        } else if is_near(1.0) {
            format!("{found}: they do not depend on the unit of the target")
        } else {
            format!(
                "{found}: they depend on the unit of the target, as a fixed prior or a fixed \
                 number of steps makes them"
            )
        },
    )
}

/// Whether predictions follow the unit and the zero of the target, whose standard deviation is
/// `sd`: `moved` answers the problem whose targets are [`FACTOR`] times as large, plus [`OFFSET`].
pub fn finding_of_offset(plain: &Predictive, moved: &Predictive, sd: f64) -> Finding {
    let what = "with a target 1000 times as large plus 20000, predicted means are so, too";
    // Median over the rows of the distance from what is expected, in standard deviations of the
    // larger target.
    let distance = |expected: fn(f64) -> f64| {
        let each = (0..plain.len()).filter_map(|row| {
            Some((centre(moved, row)? - expected(centre(plain, row)?)).abs() / (FACTOR * sd))
        });
        median(each.filter(|distance| distance.is_finite()).collect())
    };
    let Some(off) = distance(|mean| FACTOR * mean + OFFSET) else {
        return Finding::noted(
            what,
            "not compared, because its answers have neither means nor medians",
        );
    };
    let is_so =
        |expected: fn(f64) -> f64| distance(expected).is_some_and(|distance| distance < NEAR);
    if off < NEAR_ENOUGH {
        return Finding::passed(what, "");
    }
    let found = format!("they are {off:.3} standard deviations of the target away from that");
    Finding::noted(
        what,
        if is_so(|mean| mean) {
            format!(
                "{found}, the same numbers as before: a target that was standardised may not have \
                 been turned back"
            )
        } else if is_so(|mean| FACTOR * mean) {
            format!("{found}: they follow the unit of the target, but not its zero")
        } else if is_so(|mean| mean + OFFSET) {
            format!("{found}: they follow the zero of the target, but not its unit")
        } else {
            format!(
                "{found}: they depend on where the target lies, as a prior mean of 0 or a fixed \
                 number of steps makes them"
            )
        },
    )
}

/// Whether the order of the training rows changes the answer.
pub fn finding_of_order(plain: &Predictive, backward: &Predictive) -> Finding {
    let what = "the order of the training rows does not change its numbers";
    let changes = |of: fn(&Predictive, usize) -> Option<f64>| {
        let each = (0..plain.len()).filter_map(|row| {
            Some((of(backward, row)? - of(plain, row)?).abs() / spread(plain, row)?)
        });
        each.filter(|change| change.is_finite()).fold(0.0, f64::max)
    };
    let change =
        changes(|predictive, row| predictive.distribution().mean(row)).max(changes(spread));
    match change > ROUNDED {
        false => Finding::passed(what, ""),
        true => Finding::noted(
            what,
            format!("it does, by up to {change:.2e} of the width of a row's interval"),
        ),
    }
}

/// Whether the parts of the variance add up to it; `None` where the answer has not both.
pub fn finding_of_parts(plain: &Predictive) -> Option<Finding> {
    let split = plain.split.as_ref()?;
    let (aleatoric, epistemic) = (split.aleatoric.as_ref()?, split.epistemic.as_ref()?);
    let what = "aleatoric and epistemic variance add up to the variance";
    let excess = |row: usize| {
        let variance = plain.distribution().variance(row)?;
        Some(((aleatoric[row] + epistemic[row]) / variance - 1.0).abs())
    };
    let most =
        (0..plain.len()).filter_map(excess).filter(|excess| excess.is_finite()).fold(0.0, f64::max);
    Some(match most > ROUNDED {
        false => Finding::passed(what, ""),
        true => Finding::noted(
            what,
            format!("their sum differs from it by up to {:.1} %", 100.0 * most),
        ),
    })
}

/// A row's mean, or where there is none its median.
fn centre(predictive: &Predictive, row: usize) -> Option<f64> {
    let distribution = predictive.distribution();
    distribution.mean(row).or_else(|| distribution.quantile(row, 0.5))
}

/// A row's standard deviation, or where there is none the width of its central 80 % interval.
fn spread(predictive: &Predictive, row: usize) -> Option<f64> {
    let distribution = predictive.distribution();
    let width = || Some(distribution.quantile(row, 0.9)? - distribution.quantile(row, 0.1)?);
    distribution.variance(row).map(f64::sqrt).or_else(width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::external::check::Verdict;
    use ndarray::Array1;
    use uq_core::predictive::{Form, Gaussian, Split};

    fn normal(mean: f64, variance: f64) -> Predictive {
        Predictive::new(Form::Gaussian(Gaussian {
            mean: Array1::from_elem(4, mean),
            variance: Array1::from_elem(4, variance),
        }))
    }

    #[test]
    fn a_standard_deviation_and_a_constant_in_place_of_the_variance_are_noted() {
        let verdict = |variance: f64, scaled: f64| {
            finding_of_unit(&normal(1.0, variance), &normal(1e3, scaled)).verdict
        };
        assert_eq!(verdict(0.25, 0.25e6), Verdict::Passed);
        assert_eq!(verdict(0.25, 0.252e6), Verdict::Passed, "an iteration that stops elsewhere");
        for (variance, scaled) in [(0.5, 500.0), (1.0, 1.0), (0.25, 1e5), (0.0, 0.0)] {
            assert_eq!(verdict(variance, scaled), Verdict::Noted, "{variance} {scaled}");
        }
    }

    #[test]
    fn a_mean_that_ignores_the_unit_or_the_zero_of_the_target_is_noted() {
        let of = |means: [f64; 4]| {
            Predictive::new(Form::Gaussian(Gaussian {
                mean: means.to_vec().into(),
                variance: Array1::ones(4),
            }))
        };
        let plain = [0.1, 0.9, 1.4, 2.0];
        let verdict = |moved: fn(f64) -> f64| {
            finding_of_offset(&of(plain), &of(plain.map(moved)), 0.8).verdict
        };
        assert_eq!(verdict(|mean| FACTOR * mean + OFFSET), Verdict::Passed);
        assert_eq!(
            verdict(|mean| FACTOR * (mean + 0.01) + OFFSET),
            Verdict::Passed,
            "an iteration that stops elsewhere"
        );
        for moved in [
            (|mean| mean) as fn(f64) -> f64,
            |mean| FACTOR * mean,
            |mean| mean + OFFSET,
            |_| 0.0,
            |mean| 0.9 * (FACTOR * mean + OFFSET),
        ] {
            assert_eq!(verdict(moved), Verdict::Noted, "{}", moved(1.0));
        }
        let standardised =
            finding_of_offset(&of([-1.0, 0.0, 0.5, 1.0]), &of([-1.0, 0.0, 0.5, 1.0]), 0.8);
        assert_eq!(standardised.verdict, Verdict::Noted);
    }

    #[test]
    fn the_order_of_training_rows_and_parts_that_do_not_add_up_are_noted() {
        let order = |mean: f64, variance: f64| {
            finding_of_order(&normal(1.0, 4.0), &normal(mean, variance)).verdict
        };
        assert_eq!(
            (order(1.0 + 1e-12, 4.0), order(1.01, 4.0), order(1.0, 4.1)),
            (Verdict::Passed, Verdict::Noted, Verdict::Noted)
        );
        let parts = |aleatoric: f64| {
            let part = |value: f64| Some(Array1::from_elem(4, value));
            let split = Split { aleatoric: part(aleatoric), epistemic: part(1.0) };
            finding_of_parts(&normal(1.0, 4.0).with_split(split)).map(|found| found.verdict)
        };
        assert_eq!((parts(3.0), parts(2.0)), (Some(Verdict::Passed), Some(Verdict::Noted)));
        assert_eq!(finding_of_parts(&normal(1.0, 4.0)), None);
    }
}
