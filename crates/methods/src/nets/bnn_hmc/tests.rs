use ndarray::array;
use rand::{RngExt, SeedableRng};

use super::super::fixtures::{Fixture, with_outlier};
use super::super::{BnnVi, BnnViParameters, Pbp, PbpParameters, TrainingSettings};
use super::*;
use crate::Method;
use crate::side_tables::Sampled;
use uq_core::math::random::Rng;
use uq_math::autodiff::Tape;

const FIXTURE: Fixture = Fixture("bnn-hmc");

/// Small networks and short chains.
fn settings(chains: usize, warm_up: usize, draws: usize) -> BnnHmcParameters {
    BnnHmcParameters { hidden: 5, chains, warm_up, draws, ..BnnHmcParameters::default() }
}

/// y = 20 + 3 x + N(0, 0.5²) for x from −2 to 2, and an irrelevant column.
fn noisy_line(n: usize) -> Table {
    FIXTURE.noisy_line(n, |_| 0.5)
}

#[test]
fn the_gradient_is_that_of_finite_differences_and_the_density_that_of_its_formula() {
    let posterior = Posterior::new(&[2, 3, 1], 0.8, (0.3, 0.5));
    let (x, y) = (array![[0.5, -1.0], [1.5, 0.2], [-0.7, 0.4]], array![[0.3], [-0.2], [1.1]]);
    let rows = Rows { x: x.view(), y: y.view() };
    let mut rng = Rng::seed_from_u64(1);
    let theta: Vec<f64> =
        (0..posterior.parameters()).map(|_| rng.random_range(-1.5..1.5)).collect();
    let (mut tape, mut gradient) = (Tape::new(), vec![0.0; theta.len()]);
    let mut at = |theta: &[f64], gradient: &mut [f64]| {
        posterior.ln_density(&mut tape, rows, theta, gradient)
    };
    let found = at(&theta, &mut gradient);
    let mut unused = vec![0.0; theta.len()];
    for (i, slope) in gradient.iter().enumerate() {
        let mut moved = |by: f64| {
            let mut theta = theta.clone();
            theta[i] += by;
            at(&theta, &mut unused)
        };
        let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        assert!(
            (difference - slope).abs() < 1e-7 * (1.0 + slope.abs()),
            "{i}: {slope} against {difference}"
        );
    }
    // By hand: weights θ σ_w/√d, the noise 0.3 exp(0.5 θ_last).
    let hidden = |row: usize, unit: usize| {
        let sum: f64 =
            (0..2).map(|j| x[(row, j)] * theta[3 * j + unit] * 0.8 / 2.0_f64.sqrt()).sum();
        (sum + 0.8 * theta[6 + unit]).tanh()
    };
    let output = |row: usize| {
        (0..3).map(|unit| hidden(row, unit) * theta[9 + unit] * 0.8 / 3.0_f64.sqrt()).sum::<f64>()
            + 0.8 * theta[12]
    };
    let sd = ((0.3 * (0.5 * theta[13]).exp()).powi(2) + 1e-8).sqrt();
    let misfit = |row: usize| {
        let z = (y[(row, 0)] - output(row)) / sd;
        0.5 * z * z + sd.ln() + 0.5 * (2.0 * std::f64::consts::PI).ln()
    };
    let expected =
        -(0..3).map(misfit).sum::<f64>() - 0.5 * theta.iter().map(|t| t * t).sum::<f64>();
    assert!((found - expected).abs() < 1e-9, "{found} against {expected}");
}

/// The posterior of a line with a known prior on its noise: the moments of slope, intercept and ln
/// σ_y by quadrature over the noise, given which slope and intercept are normal.
fn exact_line(x: &[f64], y: &[f64], prior_sd: f64, noise: (f64, f64)) -> [(f64, f64); 3] {
    let sum = |f: &dyn Fn(f64, f64) -> f64| x.iter().zip(y).map(|(x, y)| f(*x, *y)).sum::<f64>();
    let (xx, x1, n) = (sum(&|x, _| x * x), sum(&|x, _| x), x.len() as f64);
    let (xy, y1, yy) = (sum(&|x, y| x * y), sum(&|_, y| y), sum(&|_, y| y * y));
    let mut moments = [[0.0; 2]; 3];
    let mut total = 0.0;
    for i in -4000..=4000 {
        let theta = f64::from(i) * 1e-3;
        let ln_sd = noise.0.ln() + noise.1 * theta;
        let precision = (-2.0 * ln_sd).exp();
        let ridge = prior_sd.powi(-2);
        let (a, b, c) = (precision * xx + ridge, precision * x1, precision * n + ridge);
        let determinant = a * c - b * b;
        let (u, v) = (precision * xy, precision * y1);
        let (slope, intercept) = ((c * u - b * v) / determinant, (a * v - b * u) / determinant);
        // ln p(y | σ) but for constants: −n ln σ − ½ ln |Λ| − ½ (y'y/σ² − m'Λm).
        let quadratic = precision * yy - (slope * u + intercept * v);
        let weight =
            (-n * ln_sd - 0.5 * determinant.ln() - 0.5 * quadratic - 0.5 * theta * theta).exp();
        total += weight;
        for (place, (mean, variance)) in
            [(slope, c / determinant), (intercept, a / determinant), (ln_sd, 0.0)]
                .into_iter()
                .enumerate()
        {
            moments[place][0] += weight * mean;
            moments[place][1] += weight * (variance + mean * mean);
        }
    }
    moments.map(|[first, second]| {
        let mean = first / total;
        (mean, (second / total - mean * mean).sqrt())
    })
}

#[test]
fn a_linear_model_has_its_exact_posterior() {
    // A network without hidden layers is a line.
    let (prior_sd, noise) = (0.9, (0.3, 0.7));
    let posterior = Posterior::new(&[1, 1], prior_sd, noise);
    let mut rng = Rng::seed_from_u64(4);
    let x: Vec<f64> = (0..12).map(|_| rng.random_range(-1.5..1.5)).collect();
    let y: Vec<f64> = x.iter().map(|x| 0.7 * x - 0.2 + rng.random_range(-0.6..0.6)).collect();
    let columns = |values: &[f64]| Array2::from_shape_fn((values.len(), 1), |(i, _)| values[i]);
    let (columns_x, columns_y) = (columns(&x), columns(&y));
    let rows = Rows { x: columns_x.view(), y: columns_y.view() };
    let budget = Budget { chains: 4, warm_up: 200, draws: 700, depth: 7, kept: 2800 };
    let drawn = sample(&posterior, rows, &budget, &[], &FIXTURE.context()).unwrap();
    assert!(drawn.sampled.converged && drawn.sampled.largest_r_hat < 1.02, "{:?}", drawn.sampled);
    assert!(drawn.sampled.smallest_effective > 400.0, "{:?}", drawn.sampled);
    let exact = exact_line(&x, &y, prior_sd, noise);
    let scale = |place: usize| if place < 2 { prior_sd } else { noise.1 };
    for (place, (mean, sd)) in exact.into_iter().enumerate() {
        let shift = if place == 2 { noise.0.ln() } else { 0.0 };
        let values: Vec<f64> =
            drawn.thetas.iter().map(|theta| shift + scale(place) * theta[place]).collect();
        let n = values.len() as f64;
        let found = values.iter().sum::<f64>() / n;
        let spread = (values.iter().map(|v| (v - found).powi(2)).sum::<f64>() / n).sqrt();
        // Some 1000 independent draws: the mean has a standard error of 0.032 sd, and the sd one of
        // 2.2 %.
        assert!((found - mean).abs() < 0.13 * sd, "{place}: mean {found} against {mean} ± {sd}");
        assert!((spread / sd - 1.0).abs() < 0.09, "{place}: sd {spread} against {sd}");
    }
}

#[test]
fn noise_is_recovered_and_epistemic_variance_grows_away_from_the_rows() {
    let fitted = FIXTURE.fit(BnnHmc::new(settings(2, 150, 150)), &noisy_line(60)).unwrap();
    let predictive = FIXTURE.predict(&*fitted, array![[0.0, 5.0], [1.0, 5.0], [8.0, 5.0]].view());
    let split = predictive.split.clone().unwrap();
    let (noise, doubt) = (split.aleatoric.unwrap(), split.epistemic.unwrap());
    // 60 rows: a standard error of 9 %.
    assert!((noise[0].sqrt() / 0.5 - 1.0).abs() < 0.3, "{noise}");
    assert!(doubt[2] > 4.0 * doubt[1], "{doubt}");
    let means = predictive.means().unwrap();
    assert!((means[0] - 20.0).abs() < 0.35 && (means[1] - 23.0).abs() < 0.4, "{means}");
    let variances = predictive.variances().unwrap();
    for i in 0..3 {
        assert!(
            ((noise[i] + doubt[i]) / variances[i] - 1.0).abs() < 1e-9,
            "the split adds up to the variance"
        );
    }
    let sampled = Sampled::from_table(&fitted.side_tables()[0]).unwrap();
    assert!(
        sampled.largest_r_hat >= 0.99
            && sampled.smallest_effective > 5.0
            && sampled.gradients > 600.0
    );
}

#[test]
fn it_is_the_reference_of_the_approximations_on_a_small_line() {
    let table = noisy_line(40);
    let at = array![[-1.0, 5.0], [0.0, 5.0], [1.0, 5.0], [5.0, 5.0]];
    let exact = FIXTURE.answer(BnnHmc::new(settings(2, 150, 150)), &table, at.view());
    // Forty rows are one batch, so that the usual 400 epochs are 400 steps: too few for the
    // variances to settle.
    let training = TrainingSettings {
        epochs: 2000,
        patience: 2000,
        validation: 0.0,
        ..BnnViParameters::default().training
    };
    let variational = BnnVi::new(BnnViParameters { training, ..BnnViParameters::default() });
    let variational = FIXTURE.answer(variational, &table, at.view());
    let propagated = FIXTURE.answer(Pbp::new(PbpParameters::default()), &table, at.view());
    let moments =
        |found: &Predictive| (found.means().unwrap(), found.variances().unwrap().mapv(f64::sqrt));
    let [(means, sds), (variational, wide), (propagated, near)] =
        [&exact, &variational, &propagated].map(moments);
    for i in 0..3 {
        let apart = (propagated[i] - means[i]).abs();
        assert!(
            apart < 0.8 * sds[i] && (near[i] / sds[i]).ln().abs() < 0.6,
            "{i}: {propagated} ± {near}, {means} ± {sds}"
        );
        // Independent weights of a wide network stay at their prior if the rows are few, and the
        // noise explains the rows (Coker, Bruinsma, Burt, Pan and Doshi-Velez, AISTATS 2022).
        let apart = (variational[i] - means[i]).abs();
        assert!(
            apart < 0.5 * wide[i] && wide[i] > sds[i],
            "{i}: {variational} ± {wide}, {means} ± {sds}"
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_a_refit_goes_on_from_the_chains() {
    let table = noisy_line(30);
    let fitted = FIXTURE.fit(BnnHmc::new(settings(2, 60, 40)), &table).unwrap();
    let first = FIXTURE.predict(&*fitted, table.features.view());
    assert_eq!(
        FIXTURE.answer(BnnHmc::new(settings(2, 60, 40)), &table, table.features.view()),
        first
    );
    let more = noisy_line(45);
    let fitted = FIXTURE.fit(BnnHmc::new(settings(2, 150, 80)), &table).unwrap();
    let refitted = fitted.refit(&more, &FIXTURE.context()).unwrap();
    let before = Sampled::from_table(&fitted.side_tables()[0]).unwrap();
    let after = Sampled::from_table(&refitted.side_tables()[0]).unwrap();
    assert!(after.gradients > 0.0 && after.gradients != before.gradients);
    let means = FIXTURE.predict(&*refitted, array![[0.0, 5.0], [1.0, 5.0]].view()).means().unwrap();
    assert!((means[0] - 20.0).abs() < 0.5 && (means[1] - 23.0).abs() < 0.7, "{means}");
}

#[test]
fn difficult_tables_are_sampled_or_give_a_reason() {
    let at = array![[0.5, 5.0]];
    let few = || BnnHmc::new(settings(2, 40, 20));
    assert!(FIXTURE.answer(few(), &noisy_line(3), at.view()).means().unwrap()[0].is_finite());
    let outlier = with_outlier(noisy_line(50));
    assert!(FIXTURE.answer(few(), &outlier, at.view()).variances().unwrap()[0] > 0.0);
    FIXTURE.assert_needs_no_varying_feature(few());
    FIXTURE.assert_needs_a_varying_target(few());
}

#[test]
fn faults_are_named() {
    let text = |parameters| BnnHmc::new(parameters).unwrap_err().to_string();
    assert!(
        text(BnnHmcParameters { prior_sd: 0.0, ..settings(1, 10, 8) })
            .starts_with("parameter `prior_sd` is 0")
    );
    assert!(
        text(BnnHmcParameters { draws: 7, ..settings(1, 10, 8) })
            .starts_with("parameter `draws` is 7")
    );
    let fitted = FIXTURE.fit(BnnHmc::new(settings(1, 10, 8)), &noisy_line(10)).unwrap();
    FIXTURE.assert_refuses_other_questions(&*fitted, 2);
}

#[test]
fn a_request_to_stop_ends_a_chain() {
    let cancel = uq_core::CancelToken::default();
    cancel.cancel();
    let context = FIXTURE.context().stopping(cancel, None);
    let stopped =
        BnnHmc::new(settings(1, 10, 8)).unwrap().fit(&noisy_line(10), &context).err().unwrap();
    assert_eq!(stopped, FitError::Cancelled);
}

#[test]
fn golden_fit_guards_the_version() {
    // Short trajectories: rounding, which differs between processors, grows along them.
    let short = BnnHmcParameters { depth: 3, ..settings(1, 10, 8) };
    let golden = [
        2.066_538_832_286_773_3,
        2.881_704_327_327_051,
        0.058_300_699_801_459_285,
        0.062_217_748_189_542_54,
    ];
    FIXTURE.assert_golden(BnnHmc::new(short), golden, 1e-4);
}
