use ndarray::array;
use rand::{RngExt, SeedableRng};

use super::super::fixtures::{Fixture, with_outlier};
use super::super::{AdamSettings, Schedule};
use super::*;
use uq_core::math::random::Rng;
use uq_math::autodiff::Tape;

const FIXTURE: Fixture = Fixture("bnn-vi");

fn settings(epochs: usize) -> BnnViParameters {
    let training = TrainingSettings { epochs, patience: epochs, ..TrainingSettings::default() };
    BnnViParameters { training, ..BnnViParameters::default() }
}

/// y = 20 + 3 x + N(0, 0.5²) for x from −2 to 2, and an irrelevant column.
fn noisy_line(n: usize) -> Table {
    FIXTURE.noisy_line(n, |_| 0.5)
}

#[test]
fn the_divergence_is_the_integral_that_defines_it() {
    // One weight and one bias: KL = ∫ q ln(q / p) for both, by the trapezium rule over ± 12 σ.
    let posterior = Posterior::new(&[1, 1], 0.7, 1e-6);
    let parameters = [0.4, -1.1, -2.0, 0.3, 0.0];
    let integral = |mean: f64, raw: f64| {
        let (sd, prior): (f64, f64) = (raw.exp().ln_1p(), 0.7);
        let step = 24.0 / 20_000.0;
        let term = |i: i32| {
            let z = -12.0 + step * f64::from(i);
            let q = (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt();
            let w = mean + sd * z;
            q * (-0.5 * z * z - sd.ln() + 0.5 * (w / prior).powi(2) + prior.ln())
        };
        (0..=20_000).map(term).sum::<f64>() * step
    };
    let mut tape = Tape::new();
    let divergence = posterior.divergence(&mut tape, &parameters);
    let truth = integral(0.4, -2.0) + integral(-1.1, 0.3);
    assert!(
        (tape.scalar(divergence) - truth).abs() < 1e-10,
        "{} against {truth}",
        tape.scalar(divergence)
    );
}

#[test]
fn drawn_activations_have_the_moments_of_drawn_weights() {
    let posterior = Posterior::new(&[2, 1], 1.0, 1e-6);
    let parameters = [0.5, -0.2, 0.1, -1.0, 0.2, -0.5, 0.0];
    let sd = |raw: f64| raw.exp().ln_1p();
    let (mean, variance) = (
        0.5 * 1.5 + 0.2 * 0.8 + 0.1,
        (1.5 * sd(-1.0)).powi(2) + (0.8 * sd(0.2)).powi(2) + sd(-0.5).powi(2),
    );
    let rows = 40_000;
    let mut tape = Tape::new();
    let input = tape.constant(rows, 2, &[1.5, -0.8].repeat(rows));
    let output = posterior.forward(&mut tape, &parameters, input, &mut Rng::seed_from_u64(2));
    let rng = &mut Rng::seed_from_u64(3);
    let at = array![[1.5, -0.8]];
    let weights: Vec<f64> =
        (0..rows).map(|_| posterior.drawn_function(&parameters, at.view(), rng)[0]).collect();
    for found in [tape.value(output), &weights] {
        let n = rows as f64;
        let m = found.iter().sum::<f64>() / n;
        let v = found.iter().map(|f| (f - m).powi(2)).sum::<f64>() / n;
        // Four standard errors.
        assert!((m - mean).abs() < 4.0 * (variance / n).sqrt(), "{m} against {mean}");
        assert!((v / variance - 1.0).abs() < 4.0 * (2.0 / n).sqrt(), "{v} against {variance}");
    }
}

#[test]
fn a_linear_network_finds_the_known_mean_field_posterior() {
    // Of a normal posterior N(m, Λ⁻¹) the best independent normals have the same means and
    // variances 1 / Λ_ii (Bishop 2006, 10.1.2).
    let (n, prior) = (30, 0.8_f64);
    let mut rng = FIXTURE.context().stream("rows", 1);
    let x = Array2::from_shape_simple_fn((n, 1), || rng.random_range(-1.0..2.0));
    let y = x.mapv(|x| 0.4 * x - 0.3 + rng.random_range(-0.6..0.6));
    let posterior = Posterior::new(&[1, 1], prior, 1e-6);
    let start = posterior.start(0.1, &mut FIXTURE.context().stream("start", 0));
    let adam = AdamSettings { learning_rate: 0.01, ..AdamSettings::default() };
    let schedule = Schedule::Cosine;
    let settings = TrainingSettings {
        epochs: 12_000,
        batch: n,
        validation: 0.0,
        schedule,
        adam,
        ..TrainingSettings::default()
    };
    let parts = Parts::draw(n, 0.0, &FIXTURE.context());
    let trained = train(&settings, &parts, &start, &FIXTURE.context(), |tape, theta, batch| {
        let (input, target) =
            (tape.constant_rows(x.view(), batch.rows), tape.constant_rows(y.view(), batch.rows));
        let misfit = posterior.misfit(tape, theta, input, target, batch.rng);
        let divergence = posterior.divergence(tape, theta);
        let share = tape.scale(divergence, 1.0 / batch.training_rows as f64);
        tape.add(misfit, share)
    })
    .unwrap();
    let found = &trained.parameters;
    let precision = 1.0 / posterior.noise(found);
    let sum = |f: &dyn Fn(f64, f64) -> f64| {
        x.iter().zip(&y).map(|(x, y)| f(*x, *y)).sum::<f64>() * precision
    };
    let (xx, x1, n1) =
        (sum(&|x, _| x * x) + prior.powi(-2), sum(&|x, _| x), sum(&|_, _| 1.0) + prior.powi(-2));
    let (xy, y1) = (sum(&|x, y| x * y), sum(&|_, y| y));
    let determinant = xx * n1 - x1 * x1;
    let means = [(n1 * xy - x1 * y1) / determinant, (xx * y1 - x1 * xy) / determinant];
    for (i, (mean, lambda)) in means.into_iter().zip([xx, n1]).enumerate() {
        let sd = found[2 + i].exp().ln_1p();
        assert!((found[i] - mean).abs() < 0.02, "mean {i}: {} against {mean}", found[i]);
        assert!(
            (sd * lambda.sqrt() - 1.0).abs() < 0.05,
            "sd {i}: {sd} against {}",
            lambda.sqrt().recip()
        );
    }
}

#[test]
fn noise_is_recovered_and_epistemic_variance_grows_away_from_the_rows() {
    let fitted = FIXTURE.fit(BnnVi::new(settings(100)), &noisy_line(1000)).unwrap();
    let predictive = FIXTURE.predict(&*fitted, array![[0.0, 5.0], [1.0, 5.0], [8.0, 5.0]].view());
    let split = predictive.split.clone().unwrap();
    let (noise, doubt) = (split.aleatoric.unwrap(), split.epistemic.unwrap());
    assert!((noise[0].sqrt() / 0.5 - 1.0).abs() < 0.15, "{noise}");
    assert!(doubt[2] > 4.0 * doubt[1], "{doubt}");
    let means = predictive.means().unwrap();
    assert!((means[0] - 20.0).abs() < 0.2 && (means[1] - 23.0).abs() < 0.2, "{means}");
    let variances = predictive.variances().unwrap();
    for i in 0..3 {
        assert!(
            ((noise[i] + doubt[i]) / variances[i] - 1.0).abs() < 1e-9,
            "the split adds up to the variance"
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_rows_are_predicted_independently() {
    let table = noisy_line(40);
    let fitted = FIXTURE.fit(BnnVi::new(settings(5)), &table).unwrap();
    let first = FIXTURE.predict(&*fitted, table.features.view());
    assert_eq!(FIXTURE.answer(BnnVi::new(settings(5)), &table, table.features.view()), first);
    let alone = FIXTURE.predict(&*fitted, table.features.slice_axis(Axis(0), (7..8).into()));
    let (alone, among) = (alone.means().unwrap()[0], first.means().unwrap()[7]);
    assert!((alone / among - 1.0).abs() < 1e-12, "{alone} against {among}");
}

#[test]
fn difficult_tables_train_or_give_a_reason() {
    let at = array![[0.5, 5.0]];
    let ten = noisy_line(10);
    assert!(
        FIXTURE.answer(BnnVi::new(settings(20)), &ten, at.view()).means().unwrap()[0].is_finite()
    );
    let outlier = with_outlier(noisy_line(50));
    assert!(
        FIXTURE.answer(BnnVi::new(settings(20)), &outlier, at.view()).variances().unwrap()[0] > 0.0
    );
    FIXTURE.assert_needs_no_varying_feature(BnnVi::new(settings(20)));
    FIXTURE.assert_needs_a_varying_target(BnnVi::new(settings(1)));
}

#[test]
fn faults_are_named() {
    let text = |parameters| BnnVi::new(parameters).unwrap_err().to_string();
    assert!(
        text(BnnViParameters { prior_sd: 0.0, ..settings(1) })
            .starts_with("parameter `prior_sd` is 0")
    );
    assert!(
        text(BnnViParameters { start_sd: f64::NAN, ..settings(1) })
            .starts_with("parameter `start_sd` is NaN")
    );
    assert!(
        text(BnnViParameters { samples: 0, ..settings(1) }).starts_with("parameter `samples` is 0")
    );
    let fitted = FIXTURE.fit(BnnVi::new(settings(1)), &noisy_line(10)).unwrap();
    FIXTURE.assert_refuses_other_questions(&*fitted, 2);
}

#[test]
fn golden_fit_guards_the_version() {
    let golden = [
        3.969_331_587_011_733,
        0.943_879_217_794_564_5,
        7.014_421_668_983_953,
        4.981_225_492_359_281,
    ];
    FIXTURE.assert_golden(BnnVi::new(settings(4)), golden, 1e-8);
}

#[test]
fn settings_that_are_left_out_keep_the_methods_own_defaults() {
    let given = serde_json::json!({ "training": { "epochs": 140 } });
    let found: BnnViParameters = serde_json::from_value(given).unwrap();
    let defaults = BnnViParameters::default();
    let training = TrainingSettings { epochs: 140, ..defaults.training };
    assert_eq!(found, BnnViParameters { training, ..defaults });
    assert_eq!(found.training.schedule, Schedule::Cosine);
}
