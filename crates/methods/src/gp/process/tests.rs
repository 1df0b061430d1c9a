use std::convert::Infallible;

use super::super::kernels::{Composition, Shape, Stationary};
use super::*;
use uq_core::math::special::LN_SQRT_2PI;

const X: [f64; 12] = [0.0, 0.3, 1.0, -0.5, -0.7, 0.9, 0.4, 0.4, 2.0, -1.2, -1.5, 0.1];
const Y: [f64; 6] = [0.2, -1.1, 0.6, 0.9, -0.4, 0.3];
const AT: [f64; 4] = [0.2, 0.1, 3.0, 3.0];
const NOISE: f64 = 0.05;

fn stationary(shape: Shape, variance: f64, length_scales: [f64; 2]) -> Kernel {
    Kernel::Stationary(Stationary {
        shape,
        variance,
        length_scales: length_scales.into(),
        alpha: 1.3,
    })
}

/// ln p(y); mean and standard deviation of f at two points; gradient of ln p(y) by the kernel and
/// the noise.
type Answer = (f64, [f64; 2], [f64; 2], Vec<f64>);

/// scikit-learn 1.7.2: `GaussianProcessRegressor(kernel, alpha=0.05, optimizer=None)`, and for the
/// gradient `kernel + WhiteKernel(0.05)`. Its rational quadratic has one length scale, its product
/// one variance: their gradients are left out.
fn references() -> Vec<(Kernel, Answer)> {
    let scales = [0.8, 2.5];
    let sum = Kernel::Sum(vec![
        stationary(Shape::Rbf, 1.7, scales),
        stationary(Shape::Matern32, 0.4, [2.0, 1.0]),
    ]);
    let product = Kernel::Product(vec![
        stationary(Shape::Rbf, 1.7, scales),
        stationary(Shape::Matern32, 1.0, [2.0, 1.0]),
    ]);
    vec![
        (
            stationary(Shape::Rbf, 1.7, scales),
            (
                -9.979536317839091,
                [0.3794712944048995, 0.06877047400825904],
                [0.2039842887001918, 1.2947660712218405],
                vec![
                    -0.06062039252101037,
                    -3.2864783540501916,
                    -2.2861832826091546,
                    1.7292757690188714,
                ],
            ),
        ),
        (
            stationary(Shape::Matern12, 1.7, scales),
            (
                -7.823961852655612,
                [0.4580368305629547, -0.058575835327656756],
                [0.6971123352088997, 1.293752121331539],
                vec![
                    -1.8183892842333362,
                    0.2703244453277747,
                    -0.0596090532694359,
                    -0.05602808641219233,
                ],
            ),
        ),
        (
            stationary(Shape::Matern32, 1.7, scales),
            (
                -8.037798927783003,
                [0.5096380424183944, -0.03449339415384163],
                [0.3350296730406931, 1.2941898614097076],
                vec![
                    -1.223291661315871,
                    -0.42313836935755056,
                    -0.3001328852997093,
                    0.05854833771873506,
                ],
            ),
        ),
        (
            stationary(Shape::Matern52, 1.7, scales),
            (
                -8.378935926858873,
                [0.48902275566722775, -0.01539556559583951],
                [0.26011876635080433, 1.2945414863611782],
                vec![
                    -0.8216181578529921,
                    -1.4682150414150896,
                    -0.6112024004252413,
                    0.25068306133890034,
                ],
            ),
        ),
        (
            stationary(Shape::RationalQuadratic, 1.7, [0.8, 0.8]),
            (
                -7.644142495164363,
                [0.17123212199059912, 0.0403560492581605],
                [0.36753294690092775, 1.3008330499251917],
                vec![],
            ),
        ),
        (
            sum,
            (
                -8.991919861664865,
                [0.21147245838084605, 0.08058237956173189],
                [0.277377323779683, 1.4420649625772466],
                vec![
                    -1.0594367075641364,
                    -0.5738725041284256,
                    -0.7800520966505379,
                    0.4393126033396997,
                    -0.05361580250720249,
                    -0.7235536280826366,
                    0.5811710115365295,
                ],
            ),
        ),
        (
            product,
            (
                -7.8058999379860055,
                [0.16942657922591392, -5.362324209243987e-05],
                [0.4638569938054299, 1.3038402263574949],
                vec![],
            ),
        ),
    ]
}

#[test]
fn posterior_likelihood_and_gradient_are_those_of_scikit_learn() {
    let points = Points::new(&X, 6, 2);
    for (kernel, (log_marginal, mean, deviation, slopes)) in references() {
        let posterior = Posterior::new(kernel.clone(), NOISE, points, &Y, Par::Seq).unwrap();
        assert!(
            (posterior.conditioning().log_marginal() - log_marginal).abs() < 1e-10,
            "{kernel:?}"
        );
        let (found, variance) =
            posterior.function(Points::new(&AT, 2, 2), || Ok::<_, Infallible>(())).unwrap();
        for i in 0..2 {
            assert!((found[i] - mean[i]).abs() < 1e-11, "{kernel:?}: mean {}", found[i]);
            assert!(
                (variance[i].sqrt() - deviation[i]).abs() < 1e-11,
                "{kernel:?}: {}",
                variance[i].sqrt()
            );
        }
        let mut gradient = vec![7.0; kernel.parameters() + 1];
        let value =
            Likelihood::new(points, &Y, Par::Seq).negative(&kernel, NOISE, &mut gradient).unwrap();
        assert!((value + log_marginal).abs() < 1e-10);
        for (found, expected) in gradient.iter().zip(&slopes) {
            assert!((found + expected).abs() < 1e-10, "{kernel:?}: {found} {expected}");
        }
    }
}

#[test]
fn the_gradient_is_that_of_finite_differences() {
    let points = Points::new(&X, 6, 2);
    let mut likelihood = Likelihood::new(points, &Y, Par::Seq);
    for (kernel, _) in references() {
        let mut start = kernel.log_parameters();
        start.push(NOISE.ln());
        let (mut gradient, mut unused) = (vec![0.0; start.len()], vec![0.0; start.len()]);
        likelihood.negative(&kernel, NOISE, &mut gradient).unwrap();
        for p in 0..start.len() {
            let mut at = |step: f64| {
                let (mut moved, mut logs) = (kernel.clone(), start.clone());
                logs[p] += step;
                moved.set_log_parameters(&logs[..kernel.parameters()]);
                likelihood.negative(&moved, logs[kernel.parameters()].exp(), &mut unused).unwrap()
            };
            let expected = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!(
                (gradient[p] - expected).abs() < 1e-8,
                "{kernel:?} {p}: {} {expected}",
                gradient[p]
            );
        }
    }
}

#[test]
fn one_observation_is_shrunk_by_signal_over_signal_and_noise() {
    // C = v + s: ln p = −½ y²/(v + s) − ½ ln 2π(v + s); at the point itself f has mean v y/(v + s),
    // variance v s/(v + s).
    let (v, s, y) = (1.7, 0.3, 0.9);
    let kernel = stationary(Shape::Matern52, v, [0.5, 0.5]);
    let point = [0.4, -0.2];
    let points = Points::new(&point, 1, 2);
    let posterior = Posterior::new(kernel.clone(), s, points, &[y], Par::Seq).unwrap();
    let (mean, variance) = posterior.function(points, || Ok::<_, Infallible>(())).unwrap();
    assert!(
        (mean[0] - v * y / (v + s)).abs() < 1e-15 && (variance[0] - v * s / (v + s)).abs() < 1e-15
    );
    let expected = -0.5 * y * y / (v + s) - 0.5 * (v + s).ln() - LN_SQRT_2PI;
    assert!((posterior.conditioning().log_marginal() - expected).abs() < 1e-15);
    let mut gradient = [0.0; 4];
    Likelihood::new(points, &[y], Par::Seq).negative(&kernel, s, &mut gradient).unwrap();
    // ∂(−ln p)/∂C = ½ (1/C − y²/C²).
    let slope = 0.5 * (1.0 / (v + s) - (y / (v + s)).powi(2));
    assert_eq!((gradient[1], gradient[2]), (0.0, 0.0));
    assert!((gradient[0] - slope * v).abs() < 1e-15 && (gradient[3] - slope * s).abs() < 1e-15);
}

#[test]
fn predictions_do_not_depend_on_blocks_of_points() {
    let points: Vec<f64> = (0..700).map(|i| f64::from(i) * 0.01 - 3.0).collect();
    let kernel = Composition::Shape(Shape::Rbf).kernel(2);
    let posterior = Posterior::new(kernel, NOISE, Points::new(&X, 6, 2), &Y, Par::Seq).unwrap();
    let all = posterior.function(Points::new(&points, 350, 2), || Ok::<_, Infallible>(())).unwrap();
    for i in [0, 255, 256, 349] {
        let one = posterior
            .function(Points::new(&points[2 * i..2 * i + 2], 1, 2), || Ok::<_, Infallible>(()))
            .unwrap();
        assert!((one.0[0] - all.0[i]).abs() < 1e-14 && (one.1[0] - all.1[i]).abs() < 1e-14);
    }
    let stopped = posterior.function(Points::new(&points, 350, 2), || Err("stop"));
    assert_eq!(stopped.unwrap_err(), "stop");
}

#[test]
fn equal_rows_without_noise_are_solved_with_jitter_and_noiseless_points_are_interpolated() {
    let x = [0.0, 1.0, 1.0, 2.0];
    let kernel = Composition::Shape(Shape::Rbf).kernel(1);
    let points = Points::new(&x, 4, 1);
    let posterior = Posterior::new(kernel, 0.0, points, &[0.3, -0.4, -0.4, 0.1], Par::Seq).unwrap();
    assert!(posterior.conditioning().factored().jitter > 0.0);
    let (mean, variance) = posterior.function(points, || Ok::<_, Infallible>(())).unwrap();
    for (mean, y) in mean.iter().zip([0.3, -0.4, -0.4, 0.1]) {
        assert!((mean - y).abs() < 1e-6, "{mean} {y}");
    }
    assert!(variance.iter().all(|v| (0.0..1e-6).contains(v)), "{variance:?}");
}
