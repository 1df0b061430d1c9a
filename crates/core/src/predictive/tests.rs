//! Properties of every form: its quantities agree with each other, with numerical integrals, and
//! after a change of units.

mod forms;
mod known_values;

use ndarray::array;
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};

use super::*;
use crate::math::special::normal_quantile;
use forms::{KINDS, any_form, form, has_corners};

/// Simpson's rule on `pieces` pieces.
fn integral(low: f64, high: f64, pieces: usize, f: impl Fn(f64) -> f64) -> f64 {
    let width = (high - low) / pieces as f64;
    let piece = |k: usize| {
        let a = low + width * k as f64;
        width / 6.0 * (f(a) + 4.0 * f(a + 0.5 * width) + f(a + width))
    };
    (0..pieces).map(piece).sum()
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

/// Every quantity of a distribution at a point, outcome and level, `None` included.
fn answers(d: &dyn Distribution, i: usize, y: f64, level: f64) -> [Option<f64>; 7] {
    [
        d.mean(i),
        d.variance(i),
        d.log_density(i, y),
        d.cdf(i, y),
        d.cdf_below(i, y),
        d.quantile(i, level),
        d.crps(i, y),
    ]
}

/// The share of F(1 − F) that the fair CRPS of draws subtracts.
fn fair_share(form: &Form) -> f64 {
    match form {
        Form::Samples(samples) => 1.0 / (samples.values.ncols() - 1) as f64,
        _ => 0.0,
    }
}

#[test]
fn selected_points_are_those_of_the_whole() {
    let (numbers, positives) = ([0.3, -1.2, 2.5, 0.9, -0.4, 1.1, -2.0, 0.0, 0.7, 1.9], [0.6; 10]);
    for kind in KINDS {
        let y = array![0.2, 0.9];
        let split = Split { aleatoric: Some(array![1.0, 2.0]), epistemic: None };
        let whole = Predictive::new(form(kind, &numbers, &positives)).with_split(split);
        for whole in [whole.summarised(y.view(), None), whole] {
            let found = whole.select(&[1, 0, 1]);
            assert_eq!(found.validate(), Ok(()));
            assert_eq!(found.split.as_ref().unwrap().aleatoric, Some(array![2.0, 1.0, 2.0]));
            for (point, from) in [1, 0, 1].into_iter().enumerate() {
                let [a, b] = [(&found, point), (&whole, from)]
                    .map(|(p, i)| answers(p.distribution(), i, y[from], 0.5));
                assert_eq!(a, b, "{kind}");
            }
        }
    }
}

#[test]
fn moved_points_answer_as_before_of_outcomes_moved_back() {
    let (numbers, positives) = ([0.3, -1.2, 2.5, 0.9, -0.4, 1.1, -2.0, 0.0, 0.7, 1.9], [0.6; 10]);
    let by = array![1.5, -2.25];
    let y = array![0.2, 0.9];
    for kind in KINDS {
        let whole = Predictive::new(form(kind, &numbers, &positives));
        for whole in [whole.summarised(y.view(), None), whole] {
            let found = whole.clone().moved(&by);
            assert_eq!(found.validate(), Ok(()));
            for i in 0..2 {
                let before = answers(whole.distribution(), i, y[i], 0.5);
                let after = answers(found.distribution(), i, y[i] + by[i], 0.5);
                for (place, (before, after)) in before.into_iter().zip(after).enumerate() {
                    // The mean and the quantile move; all else stays.
                    let expected = match place {
                        0 | 5 => before.map(|before| before + by[i]),
                        _ => before,
                    };
                    let agrees = match (expected, after) {
                        (Some(expected), Some(after)) => close(expected, after, 1e-9),
                        (expected, after) => expected == after,
                    };
                    assert!(agrees, "{kind}, {place}: {expected:?}, {after:?}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn quantile_is_the_generalised_inverse_of_the_distribution_function(
        form in any_form(),
        level in 0.06..0.94_f64,
    ) {
        let d = form.distribution();
        prop_assert_eq!(d.validate(), Ok(()));
        let q = d.quantile(1, level).unwrap();
        prop_assert!(d.cdf(1, q).unwrap() >= level - 1e-9);
        prop_assert!(d.cdf_below(1, q).unwrap() <= level + 1e-9);
    }

    #[test]
    fn distribution_function_rises_from_zero_to_one(
        form in any_form(),
        a in -6.0..6.0_f64,
        b in -6.0..6.0_f64,
    ) {
        let d = form.distribution();
        let (low, high) = (a.min(b), a.max(b));
        let values = [d.cdf_below(0, low), d.cdf(0, low), d.cdf_below(0, high), d.cdf(0, high)]
            .map(Option::unwrap);
        prop_assert!(values[0] <= values[1] && values[2] <= values[3] && values[1] <= values[3]);
        prop_assert!(low == high || values[1] <= values[2]);
        prop_assert!(values[0] >= 0.0 && values[3] <= 1.0);
        prop_assert!(d.cdf(0, -1e9).unwrap() < 1e-6 && d.cdf(0, 1e9).unwrap() > 1.0 - 1e-6);
    }

    #[test]
    fn the_probability_of_neighbouring_intervals_is_that_of_the_distribution_function(
        form in any_form(),
        edges in proptest::collection::vec(-4.0..4.0_f64, 5),
    ) {
        let d = form.distribution();
        // An edge on a value that an atom or draw may have; the outermost intervals have no end.
        let mut edges =
            [edges, vec![d.quantile(0, 0.5).unwrap(), f64::NEG_INFINITY, f64::INFINITY]].concat();
        edges.sort_by(f64::total_cmp);
        let mut total = 0.0;
        for pair in edges.windows(2) {
            let Some(ln) = d.ln_probability(0, pair[0], pair[1]) else {
                prop_assert_eq!(form.kind(), Kind::Quantiles);
                return Ok(());
            };
            let difference = d.cdf_below(0, pair[1]).unwrap() - d.cdf_below(0, pair[0]).unwrap();
            prop_assert!(
                ln <= 0.0 && close(ln.exp(), difference, 1e-13),
                "{} against {}",
                ln.exp(),
                difference
            );
            total += ln.exp();
        }
        prop_assert!(close(total, 1.0, 1e-13), "a partition of the line has probability {}", total);
        prop_assert_eq!(d.ln_probability(0, f64::NAN, 0.0), None);
    }

    #[test]
    fn crps_is_its_defining_integral(form in any_form(), y in -4.0..4.0_f64) {
        let d = form.distribution();
        let crps = d.crps(0, y).unwrap();
        let fair = fair_share(&form);
        prop_assert!(crps >= 0.0 || fair > 0.0);
        // Beyond ±reach the integrand is that of the tails: negligible, but for Student's t with
        // few degrees of freedom.
        let reach = 400.0;
        let square = |x: f64| (d.cdf(0, x).unwrap() - f64::from(y <= x)).powi(2);
        let correction = |x: f64| fair * d.cdf(0, x).unwrap() * (1.0 - d.cdf(0, x).unwrap());
        let near = integral(-8.0, y, 20_000, |x| d.cdf(0, x).unwrap().powi(2) - correction(x))
            + integral(y, 8.0, 20_000, |x| (1.0 - d.cdf(0, x).unwrap()).powi(2) - correction(x));
        let far = integral(-reach, -8.0, 2_000, square) + integral(8.0, reach, 2_000, square);
        // Each step of the distribution function costs Simpson's rule an error of up to the width
        // of a piece.
        let tolerance = if has_corners(form.kind()) { 5e-3 } else { 1e-5 };
        prop_assert!((crps - near - far).abs() < tolerance, "{} against {}", crps, near + far);
    }

    #[test]
    fn moments_are_integrals_of_the_density(form in any_form()) {
        let d = form.distribution();
        // A density that jumps has its own test.
        if d.exactness(Quantity::LogDensity) == Exactness::Undefined
            || form.kind() == Kind::Piecewise
        {
            return Ok(());
        }
        let density = |x: f64| d.log_density(0, x).map_or(0.0, f64::exp);
        // x = sinh(t) reaches far into the tails of Student's t.
        let expectation = |g: &dyn Fn(f64) -> f64| {
            integral(-30.0, 30.0, 6_000, |t| {
                let x = t.sinh();
                density(x) * t.cosh() * g(x)
            })
        };
        prop_assert!(close(expectation(&|_| 1.0), 1.0, 1e-8));
        prop_assert!(close(expectation(&|x| x), d.mean(0).unwrap(), 1e-6));
        let mean = d.mean(0).unwrap();
        if form.kind() != Kind::StudentT {
            prop_assert!(close(expectation(&|x| (x - mean).powi(2)), d.variance(0).unwrap(), 1e-6));
        }
    }

    #[test]
    fn a_change_of_units_transforms_every_quantity(
        form in any_form(),
        y in -4.0..4.0_f64,
        shift in -100.0..100.0_f64,
        scale in 0.01..100.0_f64,
    ) {
        let level = 0.62;
        let before = Predictive::new(form)
            .with_split(Split { aleatoric: Some(array![1.0, 2.0]), epistemic: None });
        let after = before.affine(shift, scale).unwrap();
        prop_assert_eq!(after.validate(), Ok(()));
        prop_assert_eq!(
            after.split.as_ref().unwrap().aleatoric.clone().unwrap()[1],
            2.0 * scale.powi(2)
        );
        let summary = before.summarised(array![y, y].view(), None).affine(shift, scale).unwrap();
        prop_assert_eq!(summary.validate(), Ok(()));
        let new_y = shift + scale * y;
        for i in 0..2 {
            let [mean, variance, log_density, cdf, below, quantile, crps] =
                answers(before.distribution(), i, y, level);
            let expected = [
                mean.map(|x| shift + scale * x),
                variance.map(|x| x * scale.powi(2)),
                log_density.map(|x| x - scale.ln()),
                cdf,
                below,
                quantile.map(|x| shift + scale * x),
                crps.map(|x| x * scale),
            ];
            let found = answers(after.distribution(), i, new_y, level);
            for (k, (found, expected)) in found.into_iter().zip(expected).enumerate() {
                prop_assert_eq!(found.is_some(), expected.is_some());
                if let (Some(found), Some(expected)) = (found, expected) {
                    prop_assert!(
                        (found - expected).abs()
                            < 1e-8
                                * (1.0
                                    + expected.abs()
                                    + shift.abs() * (1.0 + shift.abs()) * f64::from(k == 1)),
                        "answer {}: {} against {}",
                        k,
                        found,
                        expected
                    );
                }
            }
            // The summary keeps all but quantiles between its levels.
            let kept = answers(summary.distribution(), i, new_y, level);
            for k in [0, 1, 2, 3, 4, 6] {
                prop_assert_eq!(kept[k].is_some(), expected[k].is_some());
                prop_assert!(kept[k].zip(expected[k]).is_none_or(|(a, b)| close(a, b, 1e-12)));
            }
        }
    }

    #[test]
    fn parts_of_the_crps_are_their_integrals_and_sum_to_it(
        form in any_form(),
        y in -4.0..4.0_f64,
        a in -3.0..3.0_f64,
        b in -3.0..3.0_f64,
    ) {
        let d = form.distribution();
        let (low, high) = (a.min(b), a.max(b));
        let parts = [(f64::NEG_INFINITY, low), (low, high), (high, f64::INFINITY)];
        let parts = parts.map(|(from, to)| d.crps_within(0, y, from, to).unwrap());
        let fair = fair_share(&form);
        prop_assert!(fair > 0.0 || parts.iter().all(|part| *part >= 0.0), "{:?}", parts);
        let crps = d.crps(0, y).unwrap();
        prop_assert!(close(parts.iter().sum(), crps, 1e-12), "{:?} against {}", parts, crps);
        let at = y.clamp(low, high);
        let correction = |x: f64| fair * d.cdf(0, x).unwrap() * (1.0 - d.cdf(0, x).unwrap());
        let expected = integral(low, at, 20_000, |x| d.cdf(0, x).unwrap().powi(2) - correction(x))
            + integral(at, high, 20_000, |x| (1.0 - d.cdf(0, x).unwrap()).powi(2) - correction(x));
        let tolerance = if has_corners(form.kind()) { 5e-3 } else { 1e-9 };
        prop_assert!((parts[1] - expected).abs() < tolerance, "{} against {}", parts[1], expected);
        prop_assert_eq!(d.crps_within(0, f64::NAN, low, high), None);
    }

    #[test]
    fn an_undefined_quantity_is_declared_undefined(
        form in any_form(),
        y in -4.0..4.0_f64,
        level in 0.001..0.999_f64,
    ) {
        let summary = Predictive::new(form.clone()).summarised(array![y, y].view(), None).form;
        for form in [form, summary] {
            let d = form.distribution();
            let asked = [
                (Quantity::Mean, d.mean(0)),
                (Quantity::Variance, d.variance(0)),
                (Quantity::LogDensity, d.log_density(0, y)),
                (Quantity::Cdf, d.cdf(0, y)),
                (Quantity::Quantile(level), d.quantile(0, level)),
                (Quantity::Crps, d.crps(0, y)),
                (Quantity::CrpsWithin, d.crps_within(0, y, -0.5, 0.5)),
                (Quantity::Probability, d.ln_probability(0, y - 0.5, y + 0.5)),
            ];
            for (quantity, answer) in asked {
                prop_assert_eq!(
                    d.exactness(quantity) == Exactness::Undefined,
                    answer.is_none(),
                    "{:?}",
                    quantity
                );
            }
        }
    }
}
