use super::super::fixtures::{Fixture, assert_keeps_what_a_file_leaves_out, with_outlier};
use super::super::variance::variance_of;
use super::*;
use crate::Method;
use ndarray::{Array1, Axis, array};
use rand::RngExt;
use uq_core::math::random::Streams;

const FIXTURE: Fixture = Fixture("mc-dropout");

/// One rate, τ chosen, a larger step and small batches, so that few epochs suffice.
fn settings(rate: f64, epochs: usize) -> McDropoutParameters {
    let default = McDropoutParameters::default();
    let adam = AdamSettings { learning_rate: 0.01, ..AdamSettings::default() };
    let training = TrainingSettings { epochs, batch: 32, adam, ..default.training };
    McDropoutParameters { rates: vec![rate], passes: 20, training, ..default }
}

fn parts(predictive: &Predictive) -> (Array1<f64>, Array1<f64>) {
    let split = predictive.split.clone().unwrap();
    (split.aleatoric.unwrap(), split.epistemic.unwrap())
}

/// y = 20 + 3 x + N(0, 0.5²) for x from −2 to 2.
fn noisy_line(n: usize) -> Table {
    FIXTURE.rows(n, 0, |x| 20.0 + 3.0 * x, |_| 0.5)
}

#[test]
fn without_dropout_the_epistemic_variance_is_zero_and_the_noise_is_recovered() {
    let table = noisy_line(1000);
    let found = FIXTURE.answer(McDropout::new(settings(0.0, 60)), &table, table.features.view());
    let (aleatoric, epistemic) = parts(&found);
    assert_eq!(epistemic, Array1::<f64>::zeros(1000));
    // 200 rows are held out: the variance's standard error is √(2 / 200) = 10 %.
    assert!((aleatoric[0] / 0.25 - 1.0).abs() < 0.3, "{}", aleatoric[0]);
    for (mean, x) in found.means().unwrap().iter().zip(table.features.column(0)) {
        assert!((mean - 20.0 - 3.0 * x).abs() < 0.35, "{x}: {mean}");
    }
}

/// Mean and variance of ŷ over all masks, for a network of identity activations, at one
/// standardised row.
///
/// With r = p/(1 − p), units a_j = Σ_i z_i x_i W_ij + b_j and their means ā_j: given z₁ the output
/// has the mean Σ_j a_j w_j + c and the variance r Σ_j a_j² w_j²; the variance of the first over z₁
/// is r Σ_i x_i² (Σ_j W_ij w_j)², and the mean of a_j² is ā_j² + r Σ_i x_i² W_ij².
fn linear_moments(net: &Mlp, parameters: &[f64], rate: f64, x: &[f64]) -> (f64, f64) {
    let layers: Vec<_> = net.layers().collect();
    let (d, h) = (layers[0].inputs, layers[0].units);
    let weight = |i: usize, j: usize| parameters[layers[0].weights + i * h + j];
    let (bias, second) = (&parameters[layers[0].bias..], &parameters[layers[1].weights..]);
    let r = rate / (1.0 - rate);
    let mut mean = parameters[layers[1].bias];
    let mut variance = 0.0;
    for j in 0..h {
        let centre = bias[j] + (0..d).map(|i| x[i] * weight(i, j)).sum::<f64>();
        let square =
            centre * centre + r * (0..d).map(|i| (x[i] * weight(i, j)).powi(2)).sum::<f64>();
        mean += second[j] * centre;
        variance += r * second[j] * second[j] * square;
    }
    for (i, x) in x.iter().enumerate() {
        variance += r * (x * (0..h).map(|j| weight(i, j) * second[j]).sum::<f64>()).powi(2);
    }
    (mean, variance)
}

#[test]
fn passes_of_a_linear_network_have_the_mean_and_variance_of_the_closed_form() {
    let (rate, passes) = (0.2, 40_000);
    let net = Mlp::new(&[3, 4, 1], Activation::Identity);
    let mut rng = FIXTURE.context().stream("weights", 0);
    let parameters: Vec<f64> = (0..net.end()).map(|_| rng.random_range(-1.0..1.0)).collect();
    let features = array![[1.0, -0.5, 2.0], [0.0, 0.0, 0.0], [-3.0, 1.0, 0.5]];
    let drawn = Passes::draw(&net, rate, true, passes, &FIXTURE.context());
    let found = drawn.predict(&net, &parameters, features.view(), &FIXTURE.context()).unwrap();
    for (found, x) in found.rows().into_iter().zip(features.rows()) {
        let (mean, variance) = linear_moments(&net, &parameters, rate, &x.to_vec());
        let error = (variance / passes as f64).sqrt();
        assert!(
            (found.mean().unwrap() - mean).abs() < 4.0 * error,
            "{:?} against {mean}",
            found.mean()
        );
        // A kurtosis of 9 would give a standard error of 1.4 %.
        assert!(
            (variance_of(found) / variance - 1.0).abs() < 0.05,
            "{} against {variance}",
            variance_of(found)
        );
    }
}

#[test]
fn where_inputs_are_kept_only_hidden_units_vary() {
    let (rate, passes) = (0.5, 40_000);
    let net = Mlp::new(&[2, 3, 1], Activation::Relu);
    let mut rng = FIXTURE.context().stream("weights", 0);
    let parameters: Vec<f64> = (0..net.end()).map(|_| rng.random_range(-1.0..1.0)).collect();
    let (features, context) = (array![[1.0, -0.5], [-2.0, 3.0]], FIXTURE.context());
    let drawn = Passes::draw(&net, rate, false, passes, &context);
    let found = drawn.predict(&net, &parameters, features.view(), &context).unwrap();
    let (w, b) = (|i: usize, j: usize| parameters[i * 3 + j], &parameters[6..9]);
    let (out, shift) = (&parameters[9..12], parameters[12]);
    for (found, x) in found.rows().into_iter().zip(features.rows()) {
        // Σ z_j a_j w_j + c with independent z_j of mean 1 and variance p/(1 − p) = 1.
        let terms: Vec<f64> =
            (0..3).map(|j| (x[0] * w(0, j) + x[1] * w(1, j) + b[j]).max(0.0) * out[j]).collect();
        let (mean, variance) =
            (terms.iter().sum::<f64>() + shift, terms.iter().map(|t| t * t).sum::<f64>());
        assert!((found.mean().unwrap() - mean).abs() < 4.0 * (variance / passes as f64).sqrt());
        assert!(
            (variance_of(found) / variance - 1.0).abs() < 0.05,
            "{} against {variance}",
            variance_of(found)
        );
    }
}

#[test]
fn without_noise_the_prediction_is_the_passes_alone() {
    let (table, at) = (noisy_line(60), array![[0.3], [1.5]]);
    // The decay is zero, so that τ has no part in the training.
    let noisy =
        McDropoutParameters { precisions: vec![3.0], length_scale: 0.0, ..settings(0.1, 5) };
    let silent = McDropoutParameters { noise: false, precisions: vec![], ..noisy.clone() };
    let noisy = FIXTURE.answer(McDropout::new(noisy), &table, at.view());
    let silent = FIXTURE.answer(McDropout::new(silent), &table, at.view());
    let (_, epistemic) = parts(&noisy);
    assert_eq!(silent.split, Some(Split { aleatoric: None, epistemic: Some(epistemic.clone()) }));
    let (Form::Mixture(mixture), Form::Samples(samples)) = (&noisy.form, &silent.form) else {
        panic!("other forms")
    };
    assert!(
        samples.values.iter().zip(&mixture.means).all(|(pass, mean)| (pass - mean).abs() < 1e-12)
    );
    for i in 0..2 {
        assert!((silent.distribution().variance(i).unwrap() / epistemic[i] - 1.0).abs() < 1e-9);
        let (low, high) = silent.interval(i, 0.9).unwrap();
        let inside =
            samples.values.row(i).iter().filter(|pass| low <= **pass && **pass <= high).count();
        assert!((18..=19).contains(&inside), "{inside} of 20 passes");
    }
}

#[test]
fn a_rows_prediction_depends_on_neither_other_rows_nor_the_prediction_stream() {
    let table = noisy_line(60);
    let fitted = FIXTURE.fit(McDropout::new(settings(0.1, 5)), &table).unwrap();
    let all = FIXTURE.predict(&*fitted, table.features.view());
    let other = Context::new(Streams::new(9, "another"));
    let some = table.features.select(Axis(0), &[7, 3]);
    let some = fitted.predict(&Reading::MAIN, some.view(), &Request::default(), &other).unwrap();
    let (Form::Mixture(all), Form::Mixture(some)) = (all.form, some.form) else {
        panic!("no mixture")
    };
    for (few, many) in [(0, 7), (1, 3)] {
        for (a, b) in some.means.row(few).iter().zip(all.means.row(many)) {
            assert!((a / b - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn the_variance_is_the_sum_of_its_parts_and_grows_away_from_the_data() {
    let table = noisy_line(200);
    let fitted = FIXTURE.fit(McDropout::new(settings(0.1, 60)), &table).unwrap();
    let at = array![[0.0], [1.0], [4.0], [8.0]];
    let found = FIXTURE.predict(&*fitted, at.view());
    let (aleatoric, epistemic) = parts(&found);
    for (i, variance) in found.variances().unwrap().iter().enumerate() {
        assert!(((aleatoric[i] + epistemic[i]) / variance - 1.0).abs() < 1e-9);
        assert_eq!(aleatoric[i], aleatoric[0], "one precision for all");
    }
    assert!(epistemic[2] > 2.0 * epistemic[1] && epistemic[3] > 2.0 * epistemic[2], "{epistemic}");
}

#[test]
fn a_long_length_scale_leaves_the_mean_only() {
    // The weights' decay outweighs the rows; biases are not decayed.
    let table = noisy_line(100);
    let found = FIXTURE.answer(
        McDropout::new(McDropoutParameters { length_scale: 1e3, ..settings(0.0, 100) }),
        &table,
        table.features.view(),
    );
    let mean = table.target.mean().unwrap();
    assert!(
        found.means().unwrap().iter().all(|m| (m - mean).abs() < 0.3),
        "{mean}: {:?}",
        found.means()
    );
}

#[test]
fn the_choice_is_the_best_candidate_and_is_in_the_side_tables() {
    let table = noisy_line(200);
    let parameters = McDropoutParameters { rates: vec![0.9, 0.01], ..settings(0.0, 20) };
    let fitted = FIXTURE.fit(McDropout::new(parameters.clone()), &table).unwrap();
    let side_tables = fitted.side_tables();
    let choice = side_tables.iter().find(|side_table| side_table.name == "choice").unwrap();
    assert_eq!(choice.column("rate").unwrap(), [0.9, 0.01]);
    assert_eq!(choice.column("chosen").unwrap(), [0.0, 1.0], "the rate 0.9 is worse");
    let losses = choice.column("validation_loss").unwrap();
    assert!(losses[1] < losses[0]);
    let precision = choice.column("precision").unwrap()[1];
    let (aleatoric, _) = parts(&FIXTURE.predict(&*fitted, array![[0.0]].view()));
    let sd = (table.target.mapv(|y| y * y).mean().unwrap() - table.target.mean().unwrap().powi(2))
        .sqrt();
    assert!(
        (aleatoric[0] * precision / (sd * sd) - 1.0).abs() < 1e-9,
        "τ is that of the standardised target"
    );
    let kept = FIXTURE
        .fit(McDropout::new(McDropoutParameters { refit: false, ..parameters }), &table)
        .unwrap();
    let (again, _) = parts(&FIXTURE.predict(&*kept, array![[0.0]].view()));
    assert_eq!(again, aleatoric, "training again keeps the choice");
    let given = McDropoutParameters { precisions: vec![4.0], ..settings(0.1, 5) };
    let fitted = FIXTURE.fit(McDropout::new(given), &table).unwrap();
    assert!(
        fitted.side_tables().iter().all(|side_table| side_table.name != "choice"),
        "nothing to choose"
    );
    let (aleatoric, _) = parts(&FIXTURE.predict(&*fitted, array![[0.0]].view()));
    assert!((aleatoric[0] / (sd * sd / 4.0) - 1.0).abs() < 1e-9);
    let own_units = PrecisionUnits::Target;
    let given = McDropoutParameters {
        precisions: vec![4.0],
        precision_units: own_units,
        ..settings(0.1, 5)
    };
    let (aleatoric, _) =
        parts(&FIXTURE.answer(McDropout::new(given), &table, array![[0.0]].view()));
    assert!(
        (aleatoric[0] / (1.0 / 4.0) - 1.0).abs() < 1e-9,
        "τ is one over the variance in the target's own units"
    );
    let several = McDropoutParameters { precisions: vec![0.5, 4.0], ..settings(0.1, 5) };
    let fitted = FIXTURE.fit(McDropout::new(several), &table).unwrap();
    let side_tables = fitted.side_tables();
    let choice = side_tables.iter().find(|side_table| side_table.name == "choice").unwrap();
    assert!([0.5, 4.0].contains(&choice.column("precision").unwrap()[0]), "one of those given");
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let table = noisy_line(40);
    let first = FIXTURE.answer(McDropout::new(settings(0.05, 3)), &table, table.features.view());
    assert_eq!(
        FIXTURE.answer(McDropout::new(settings(0.05, 3)), &table, table.features.view()),
        first
    );
}

#[test]
fn difficult_tables_train_or_give_a_reason() {
    let at = array![[0.5]];
    for rows in [2, 10] {
        let few = FIXTURE.answer(McDropout::new(settings(0.05, 20)), &noisy_line(rows), at.view());
        assert!(few.means().unwrap()[0].is_finite());
    }
    let outlier = with_outlier(noisy_line(50));
    assert!(
        FIXTURE
            .answer(McDropout::new(settings(0.05, 20)), &outlier, at.view())
            .variances()
            .unwrap()[0]
            > 0.0
    );
    FIXTURE.assert_needs_no_varying_feature(McDropout::new(settings(0.05, 20)));
    FIXTURE.assert_needs_a_varying_target(McDropout::new(settings(0.05, 1)));
    let mut missing = noisy_line(10);
    missing.target[3] = f64::NAN;
    FIXTURE.assert_refuses(McDropout::new(settings(0.05, 1)), &missing, "training row 3");
}

#[test]
fn a_file_names_only_the_settings_that_it_changes() {
    assert_keeps_what_a_file_leaves_out(|parameters: &mut McDropoutParameters| {
        &mut parameters.training
    });
}

#[test]
fn faults_are_named() {
    let fault = |change: &dyn Fn(&mut McDropoutParameters)| {
        let mut parameters = settings(0.05, 1);
        change(&mut parameters);
        McDropout::new(parameters).unwrap_err().to_string()
    };
    let expected = "expected one or more numbers from 0 to 0.95";
    assert_eq!(
        fault(&|p| p.rates = vec![0.1, 1.0]),
        format!("parameter `rates` is [0.1, 1.0], {expected}")
    );
    assert_eq!(fault(&|p| p.rates.clear()), format!("parameter `rates` is [], {expected}"));
    assert_eq!(
        fault(&|p| p.passes = 0),
        "parameter `passes` is 0, expected a whole number from 1 to 100000"
    );
    assert!(fault(&|p| p.precisions = vec![4.0, 0.0]).starts_with("parameter `precisions` is"));
    assert!(fault(&|p| p.held_out = 0.0).starts_with("parameter `held_out` is 0"));
    assert!(fault(&|p| p.length_scale = f64::NAN).starts_with("parameter `length_scale` is NaN"));
    assert!(fault(&|p| p.hidden = 0).starts_with("parameter `hidden` is 0"));
    let silent = fault(&|p| (p.noise, p.rates) = (false, vec![0.1, 0.2]));
    assert!(
        silent.starts_with("parameter `noise` is false, expected true where several `rates`"),
        "{silent}"
    );
    let fitted = FIXTURE.fit(McDropout::new(settings(0.05, 1)), &noisy_line(10)).unwrap();
    FIXTURE.assert_refuses_other_questions(&*fitted, 1);
}

#[test]
fn golden_fit_guards_the_version() {
    let parameters = McDropoutParameters { rates: vec![0.05, 0.2], ..settings(0.0, 4) };
    let golden = [
        1.881_898_214_775_016_3,
        2.892_336_029_009_705_5,
        0.771_577_409_838_981_3,
        0.433_293_648_238_746_6,
    ];
    FIXTURE.assert_golden(McDropout::new(parameters), golden, 1e-6);
}

#[test]
fn one_fit_is_read_with_noise_and_without() {
    let table = noisy_line(60);
    let method = McDropout::new(McDropoutParameters { alone: true, ..settings(0.1, 4) }).unwrap();
    let fitted = method.fit(&table, &FIXTURE.context()).unwrap();
    let at = table.features.view();
    let all = fitted
        .predict_all(&method.readings(), at, &Request::default(), &FIXTURE.context())
        .unwrap();
    let plain = FIXTURE.answer(McDropout::new(settings(0.1, 4)), &table, at);
    assert_eq!(all[0], plain, "the first reading is the prediction without `alone`");
    let (Form::Mixture(mixture), Form::Samples(samples)) = (&all[0].form, &all[1].form) else {
        panic!("a mixture and draws are expected")
    };
    assert_eq!(mixture.means, samples.values);
    assert!(matches!(all[2].form, Form::Quantiles(_)));
    let error =
        McDropout::new(McDropoutParameters { alone: true, noise: false, ..settings(0.1, 4) });
    assert!(error.unwrap_err().to_string().starts_with("parameter `alone` is true"));
}
