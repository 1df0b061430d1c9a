//! Distributions whose values are known in closed form, and numbers that are refused.

use ndarray::{Array2, array};

use super::*;

#[test]
fn equal_weights_make_atoms_and_samples_the_same() {
    let values = array![[3.0, -1.0, 2.0, 2.0]];
    let atoms = Atoms { values: values.clone(), weights: Array2::from_elem((1, 4), 0.25) };
    let samples = Samples { values };
    for y in [-2.0, -1.0, 1.3, 2.0, 3.5] {
        for level in [0.0, 0.1, 0.25, 0.5, 0.75, 0.76, 1.0] {
            let (mut a, b) = (answers(&atoms, 0, y, level), answers(&samples, 0, y, level));
            // Only the CRPS differs: that of few draws is fair, so that E|X − X'| is over pairs of
            // different draws.
            a[6] = a[6].map(|crps| crps - 0.75 / 3.0);
            assert!(a.iter().zip(&b).all(|(a, b)| a.is_some() == b.is_some()));
            assert!(
                a.iter().zip(&b).all(|(a, b)| a.zip(*b).is_none_or(|(a, b)| close(a, b, 1e-14))),
                "{a:?} {b:?}"
            );
        }
    }
    assert_eq!((atoms.cdf_below(0, 2.0), atoms.cdf(0, 2.0)), (Some(0.25), Some(0.75)));
    // E|X − y| − ½ E|X − X'| at y = 1.3: (1.7 + 2.3 + 0.7 + 0.7)/4 − ½ · 2 (4+1+1+3+3+0)/16.
    assert!(close(atoms.crps(0, 1.3).unwrap(), 1.35 - 0.75, 1e-14));
    assert_eq!(atoms.quantile(0, 1.1), None);
}

#[test]
fn one_component_equals_the_gaussian_and_distant_components_do_not_interact() {
    let gaussian = Gaussian { mean: array![0.5], variance: array![4.0] };
    let one = Mixture { weights: array![[1.0]], means: array![[0.5]], variances: array![[4.0]] };
    for y in [-40.0, 0.0, 3.0] {
        let (a, b) = (answers(&gaussian, 0, y, 0.9), answers(&one, 0, y, 0.9));
        assert!(a.iter().zip(&b).all(|(a, b)| close(a.unwrap(), b.unwrap(), 1e-9)), "{a:?} {b:?}");
    }
    let two = Mixture {
        weights: array![[0.3, 0.7]],
        means: array![[-1e6, 1e6]],
        variances: array![[1.0, 1e-6]],
    };
    // The 0.15 quantile is the left component's median, the 0.65 quantile the right one's.
    assert!(close(two.quantile(0, 0.15).unwrap(), -1e6, 1e-14));
    assert!(close(two.quantile(0, 0.65).unwrap(), 1e6, 1e-14));
    assert!(close(
        two.log_density(0, -1e6).unwrap(),
        0.3_f64.ln() - 0.5 * (2.0 * std::f64::consts::PI).ln(),
        1e-14
    ));
    assert!(two.log_density(0, 0.0).is_some(), "far from both components nothing underflows");
}

#[test]
fn student_t_tends_to_the_gaussian_and_loses_its_moments() {
    let t = |nu: f64| StudentT {
        location: array![1.0],
        scale: array![2.0],
        degrees_of_freedom: array![nu],
    };
    let gaussian = Gaussian { mean: array![1.0], variance: array![4.0] };
    let (a, b) = (answers(&t(1e9), 0, 2.5, 0.975), answers(&gaussian, 0, 2.5, 0.975));
    assert!(a.iter().zip(&b).all(|(a, b)| close(a.unwrap(), b.unwrap(), 1e-6)), "{a:?} {b:?}");
    assert_eq!((t(2.0).variance(0), t(1.0).mean(0), t(1.0).crps(0, 0.0)), (None, None, None));
    assert!(
        t(1.0).quantile(0, 0.75).is_some_and(|q| close(q, 3.0, 1e-12)),
        "Cauchy: location + scale"
    );
}

#[test]
fn gaussian_has_tabulated_values() {
    let gaussian = Gaussian { mean: array![0.0], variance: array![1.0] };
    // 2 φ(0) − 1/√π, and E|X − y| − ½ E|X − X'| far away.
    assert!(close(gaussian.crps(0, 0.0).unwrap(), 0.233_694_977_255_109_14, 1e-15));
    assert!(close(gaussian.crps(0, 50.0).unwrap(), 50.0 - 0.564_189_583_547_756_3, 1e-15));
    let predictive = Predictive::new(Form::Gaussian(gaussian));
    let (lower, upper) = predictive.interval(0, 0.95).unwrap();
    assert!(
        close(lower, -normal_quantile(0.975), 1e-14) && close(upper, 1.959_963_984_540_054, 1e-14)
    );
    assert_eq!(predictive.sigma_interval(0, 2.0), Some((-2.0, 2.0)));
    assert_eq!(predictive.distribution().quantile(0, 0.0), None);
}

#[test]
fn quantiles_are_defined_between_their_levels_only() {
    let quantiles = Quantiles { levels: vec![0.1, 0.5, 0.9], values: array![[0.0, 1.0, 5.0]] };
    assert_eq!(quantiles.quantile(0, 0.5), Some(1.0));
    assert!(close(quantiles.quantile(0, 0.7).unwrap(), 3.0, 1e-14));
    assert_eq!(quantiles.quantile(0, 0.95), None);
    assert!(close(quantiles.mean(0).unwrap(), 0.4 * 0.5 + 0.4 * 3.0 + 0.1 * 5.0, 1e-14));
    assert_eq!(quantiles.exactness(Quantity::Quantile(0.5)), Exactness::Exact);
    assert_eq!((quantiles.cdf_below(0, 0.0), quantiles.cdf(0, 0.0)), (Some(0.0), Some(0.1)));
}

#[test]
fn a_summary_is_defined_at_its_own_outcome_only() {
    let y = array![0.25, 0.5];
    let form = form(Kind::Mixture, &[0.1; 10], &[0.4; 10]);
    let summary = Predictive::new(form).summarised(y.view(), None);
    assert!(summary.form.is_lossy());
    assert!(summary.distribution().crps(0, 0.25).is_some());
    assert_eq!(summary.distribution().crps(0, 0.5), None);
    assert_eq!(summary.distribution().log_density(1, 0.25), None);
    assert_eq!(summary.distribution().exactness(Quantity::Quantile(0.975)), Exactness::Exact);
    assert_eq!(summary.summarised(y.view(), None), summary, "a summary of a summary is the same");
}

#[test]
fn invalid_numbers_are_refused_with_their_row() {
    let message = |form: Form| Predictive::new(form).validate().unwrap_err().to_string();
    let gaussian =
        |mean: Array1<f64>, variance: Array1<f64>| Form::Gaussian(Gaussian { mean, variance });
    assert!(message(gaussian(array![], array![])).contains("mean is empty"));
    assert!(
        message(gaussian(array![0.0, f64::NAN], array![1.0, 1.0]))
            .contains("mean in row 1, column 0 is NaN")
    );
    assert!(
        message(gaussian(array![0.0, 1.0], array![1.0, -2.0])).contains("variance in row 1 is -2")
    );
    assert!(
        message(gaussian(array![0.0, 1.0], array![1.0]))
            .contains("variance has 1 entries, expected 2")
    );
    let atoms = |weights| Form::Atoms(Atoms { values: array![[1.0, 2.0], [3.0, 4.0]], weights });
    assert!(message(atoms(array![[0.5, 0.5], [0.5, 0.6]])).contains("weights in row 1 sum to 1.1"));
    assert!(message(atoms(array![[1.5, -0.5]])).contains("weights in row 0 is -0.5"));
    assert!(message(atoms(array![[1.0]])).contains("a row of weights has 1 entries, expected 2"));
    let quantiles = |levels, values| Form::Quantiles(Quantiles { levels, values });
    let crossing = message(quantiles(vec![0.1, 0.9], array![[1.0, 2.0], [3.0, 2.0]]));
    assert!(crossing.contains("cross in row 1: 3 at level 0.1, 2 at level 0.9"), "{crossing}");
    assert!(
        message(quantiles(vec![0.9, 0.1], array![[1.0, 2.0]]))
            .contains("quantile level 0.1 at position 1")
    );
    let scale =
        StudentT { location: array![0.0], scale: array![0.0], degrees_of_freedom: array![3.0] };
    assert!(
        message(Form::StudentT(scale)).contains("scale in row 0 is 0, expected more than zero")
    );
    let split = Split { aleatoric: None, epistemic: Some(array![1.0]) };
    let split = Predictive::new(gaussian(array![0.0, 1.0], array![1.0, 1.0])).with_split(split);
    assert!(
        split
            .validate()
            .unwrap_err()
            .to_string()
            .contains("epistemic variance has 1 entries, expected 2")
    );
    let unchanged = Predictive::new(gaussian(array![0.0], array![1.0]));
    for (shift, scale) in [(0.0, 0.0), (0.0, -1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
        assert!(matches!(unchanged.affine(shift, scale), Err(InvalidPredictive::Affine { .. })));
    }
}

#[test]
fn every_form_is_undefined_at_nan() {
    for kind in KINDS {
        let form = form(kind, &[0.5; 10], &[0.5; 10]);
        let d = form.distribution();
        let found = [
            d.cdf(0, f64::NAN),
            d.cdf_below(0, f64::NAN),
            d.crps(0, f64::NAN),
            d.log_density(0, f64::NAN),
        ];
        assert_eq!(found, [None; 4], "{kind}");
        assert_eq!(d.quantile(0, f64::NAN), None, "{kind}");
    }
}

#[test]
fn a_point_mass_at_the_lower_end_of_an_interval_lies_in_it() {
    let point = Gaussian { mean: array![1.0], variance: array![0.0] };
    let mixture = Mixture {
        weights: array![[0.25, 0.75]],
        means: array![[1.0, 9.0]],
        variances: array![[0.0, 0.0]],
    };
    assert_eq!(point.ln_probability(0, 1.0, 2.0), Some(0.0));
    assert_eq!(point.ln_probability(0, 0.0, 1.0), Some(f64::NEG_INFINITY));
    assert_eq!(mixture.ln_probability(0, 1.0, 2.0), Some(0.25_f64.ln()));
    assert_eq!(mixture.ln_probability(0, 0.0, 1.0), Some(f64::NEG_INFINITY));
    // Far from every component the mixture's logarithm does not underflow: ln ½ less than the
    // nearer component's.
    let far = Mixture {
        weights: array![[0.5, 0.5]],
        means: array![[0.0, -90.0]],
        variances: array![[1.0, 1.0]],
    };
    let alone = Gaussian { mean: array![0.0], variance: array![1.0] };
    let expected = alone.ln_probability(0, 60.0, 61.0).unwrap() - std::f64::consts::LN_2;
    assert!((far.ln_probability(0, 60.0, 61.0).unwrap() - expected).abs() < 1e-9);
}

#[test]
fn a_point_mass_gives_the_density_zero_to_all_outcomes_beside_it() {
    let of = |form: Form, y: f64| Predictive::new(form).distribution().log_density(0, y);
    let normal =
        |variance: f64| Form::Gaussian(Gaussian { mean: array![1.0], variance: array![variance] });
    assert_eq!([of(normal(0.0), 2.0), of(normal(0.0), 1.0)], [Some(f64::NEG_INFINITY), None]);
    assert_eq!(of(normal(0.0), f64::NAN), None);
    assert_eq!(
        of(normal(f64::MIN_POSITIVE), 1e9),
        Some(f64::NEG_INFINITY),
        "too small for a number"
    );
    assert!(of(normal(1e-300), 1.0 + 1e-100).unwrap().is_finite());
    let mixture = |variances: [f64; 2]| {
        let (weights, means) = (array![[0.5, 0.5]], array![[1.0, 5.0]]);
        Form::Mixture(Mixture { weights, means, variances: array![variances] })
    };
    let half = |y: f64| {
        0.5_f64.ln() - 0.5 * (2.0 * std::f64::consts::PI).ln() - 0.5 * (y - 5.0) * (y - 5.0)
    };
    assert!(
        (of(mixture([0.0, 1.0]), 2.0).unwrap() - half(2.0)).abs() < 1e-12,
        "the other component has a density"
    );
    assert_eq!(of(mixture([0.0, 0.0]), 2.0), Some(f64::NEG_INFINITY));
    assert_eq!(of(mixture([0.0, 1.0]), 1.0), None, "no bound");
}
