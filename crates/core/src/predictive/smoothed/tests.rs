use ndarray::array;
use proptest::prelude::*;

use super::*;
use crate::predictive::{Form, Mixture, Predictive, StudentT};

const T: fn(f64) -> Kernel = |degrees_of_freedom| Kernel::StudentT { degrees_of_freedom };

fn single(value: f64, bandwidth: f64, kernel: Kernel) -> Smoothed {
    Smoothed {
        values: array![[value]],
        weights: array![[1.0]],
        bandwidth: array![bandwidth],
        kernel,
    }
}

#[test]
fn one_value_is_a_student_t_distribution() {
    for nu in [2.0, 3.0, 4.0, 5.0, 10.0, 20.0, 2.5] {
        let smoothed = single(1.5, 0.4, T(nu));
        let t =
            StudentT { location: array![1.5], scale: array![0.4], degrees_of_freedom: array![nu] };
        assert_eq!(smoothed.mean(0), t.mean(0));
        for y in [-30.0, 0.2, 1.5, 1.7, 9.0, 400.0] {
            let close = |a: Option<f64>, b: Option<f64>| {
                let (a, b) = (a.unwrap(), b.unwrap());
                assert!((a - b).abs() <= 1e-10 * b.abs().max(1e-3), "ν {nu}, y {y}: {a} {b}");
            };
            close(smoothed.log_density(0, y), t.log_density(0, y));
            close(smoothed.cdf(0, y), t.cdf(0, y));
            close(smoothed.crps(0, y), t.crps(0, y));
            close(smoothed.crps_within(0, y, -1.0, 2.0), t.crps_within(0, y, -1.0, 2.0));
            close(smoothed.ln_probability(0, y, y + 0.5), t.ln_probability(0, y, y + 0.5));
        }
        for level in [0.01, 0.5, 0.93] {
            let (a, b) = (smoothed.quantile(0, level), t.quantile(0, level));
            assert!((a.unwrap() - b.unwrap()).abs() < 1e-12);
        }
    }
    assert_eq!(single(1.5, 0.4, T(2.0)).variance(0), None);
    assert_eq!(single(1.5, 0.4, T(4.0)).variance(0), Some(0.4_f64.powi(2) * 2.0));
    assert_eq!(single(1.5, 0.4, T(1.0)).crps(0, 1.0), None);
}

proptest! {
    #[test]
    fn a_normal_kernel_makes_a_mixture_of_normal_distributions(
        values in prop::collection::vec(-50.0..50.0_f64, 3),
        cut in 0.05..0.9_f64,
        bandwidth in 0.01..20.0_f64,
        y in -80.0..80.0_f64,
        level in 0.01..0.99_f64,
    ) {
        let weights = array![[cut, 0.0, 1.0 - cut]];
        let values = array![[values[0], values[1], values[2]]];
        let smoothed = Smoothed {
            values: values.clone(),
            weights: weights.clone(),
            bandwidth: array![bandwidth],
            kernel: Kernel::Normal,
        };
        let variances = Array2::from_elem((1, 3), bandwidth * bandwidth);
        let mixture = Mixture { weights, means: values, variances };
        let close = |a: Option<f64>, b: Option<f64>, scale: f64| {
            let (a, b) = (a.unwrap(), b.unwrap());
            (a - b).abs() <= 1e-9 * (scale + b.abs())
        };
        prop_assert!(close(smoothed.mean(0), mixture.mean(0), 1.0));
        prop_assert!(close(smoothed.variance(0), mixture.variance(0), 1.0));
        prop_assert!(close(smoothed.cdf(0, y), mixture.cdf(0, y), 1.0));
        prop_assert!(close(smoothed.log_density(0, y), mixture.log_density(0, y), 1.0));
        prop_assert!(close(smoothed.crps(0, y), mixture.crps(0, y), bandwidth));
        prop_assert!(close(smoothed.quantile(0, level), mixture.quantile(0, level), 1.0));
    }

    #[test]
    fn the_crps_of_student_t_mixtures_is_the_mean_distance_less_half_of_that_of_two_draws(
        apart in 0.0..30.0_f64,
        y in -20.0..50.0_f64,
    ) {
        // With ν = 3 two values: E|Y − Y'| by one integral over the first draw's location.
        let smoothed = Smoothed {
            values: array![[0.0, apart]],
            weights: array![[0.25, 0.75]],
            bandwidth: array![1.0],
            kernel: T(3.0),
        };
        // The same CRPS from a fine sum over x, with the tails beyond ±3000 left out: below 1e-9.
        let step = |x: f64, width: f64| {
            let f = smoothed.cdf(0, x).unwrap() - f64::from(u8::from(y <= x));
            f * f * width
        };
        let (mut sum, mut x) = (0.0, -3000.0_f64);
        while x < 3000.0 {
            let width = (0.002 * (1.0 + x.abs().min((x - apart).abs()))).min(3000.0 - x);
            let end = if x < y && x + width > y { y } else { x + width };
            sum += step(0.5 * (x + end), end - x);
            x = end.max(x + 1e-9);
        }
        let found = smoothed.crps(0, y).unwrap();
        prop_assert!((found - sum).abs() < 2e-5 * (1.0 + sum), "{found} {sum}");
    }
}

#[test]
fn units_change_and_faults_are_named() {
    let predictive = Predictive::new(Form::Smoothed(Smoothed {
        values: array![[1.0, 2.0], [3.0, 3.5]],
        weights: array![[0.5, 0.5]],
        bandwidth: array![0.5, 0.25],
        kernel: T(5.0),
    }));
    assert_eq!(predictive.validate(), Ok(()));
    let moved = predictive.affine(10.0, 2.0).unwrap();
    let crps = |predictive: &Predictive, i: usize, y: f64| predictive.distribution().crps(i, y);
    let (before, after) = (crps(&predictive, 1, 3.1).unwrap(), crps(&moved, 1, 16.2).unwrap());
    assert!((after - 2.0 * before).abs() < 1e-12);
    let picked = predictive.select(&[1]);
    assert_eq!(crps(&picked, 0, 3.1), crps(&predictive, 1, 3.1));
    let Form::Smoothed(form) = &predictive.form else { panic!("it is smoothed") };
    let narrow = Smoothed { bandwidth: array![0.5, 0.0], ..form.clone() };
    let message = narrow.validate().unwrap_err().to_string();
    assert!(message.contains("bandwidth in row 1 is 0, expected more than zero"), "{message}");
    assert!(Smoothed { kernel: T(0.0), ..form.clone() }.validate().is_err());
    assert!(Smoothed { weights: array![[0.5, 0.4]], ..form.clone() }.validate().is_err());
}

/// CRPS of the points of another program's isotonic regression with kernels, by adaptive quadrature
/// in 12 digits.
#[test]
fn scores_are_those_of_another_program() {
    let weights = array![
        [0.5, 0.5, 0.0, 0.0, 0.0, 0.0],
        [0.5, 0.25, 0.25, 0.0, 0.0, 0.0],
        [0.375, 0.375, 0.25, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.5, 1.0 / 6.0, 1.0 / 3.0, 0.0],
        [0.0, 0.0, 0.0, 1.0 / 6.0, 1.0 / 12.0, 0.75],
        [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    ];
    let values = Array2::from_shape_fn((6, 6), |(_, k)| [1.0, 2.0, 3.0, 4.0, 5.5, 7.0][k]);
    let outcomes = [1.0, 3.0, 2.6, 6.0, 4.0, 10.0];
    for (kernel, bandwidth, densities, crps) in [
        (
            Kernel::Normal,
            0.5,
            [
                0.4529332469146208,
                0.22660045368307527,
                0.2922733837692497,
                0.16135843249723342,
                0.13371941064962484,
                1.2151765699646572e-08,
            ],
            [
                0.30010546020718915,
                0.7990312920679561,
                0.4454445125393151,
                1.3300572641812216,
                1.7828065042192347,
                2.7179052083824784,
            ],
        ),
        (
            T(2.0),
            0.4,
            [
                0.49469254307665217,
                0.2562559979147092,
                0.23955847652221285,
                0.12971444238332905,
                0.15476766250612084,
                0.005623362936312601,
            ],
            [
                0.3051541861539134,
                0.782860645701473,
                0.4535513503045956,
                1.30716915592772,
                1.731820726086446,
                2.6085792106789127,
            ],
        ),
        (
            T(10.0),
            0.4,
            [
                0.5200588894928445,
                0.260524446067002,
                0.2653598322039613,
                0.14609642031201298,
                0.16279852469769332,
                2.9613397950638513e-05,
            ],
            [
                0.2941605064130697,
                0.8013965436431867,
                0.44729027105363867,
                1.3370682806851224,
                1.794568357798945,
                2.7520296398327058,
            ],
        ),
    ] {
        let smoothed = Smoothed {
            values: values.clone(),
            weights: weights.clone(),
            bandwidth: Array1::from_elem(6, bandwidth),
            kernel,
        };
        for i in 0..6 {
            let density = smoothed.log_density(i, outcomes[i]).unwrap().exp();
            assert!((density - densities[i]).abs() < 1e-12, "{i}: {density} {}", densities[i]);
            let found = smoothed.crps(i, outcomes[i]).unwrap();
            assert!((found - crps[i]).abs() < 1e-8, "{i}: {found} {}", crps[i]);
        }
    }
}
