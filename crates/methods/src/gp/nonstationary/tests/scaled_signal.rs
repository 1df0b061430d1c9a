//! The signal at inputs that are divided by the length scale.

use super::*;

const SCALED: fn() -> NonstationaryGpParameters = || NonstationaryGpParameters {
    signal_at: SignalAt::ScaledInputs,
    inducing: 6,
    ..Default::default()
};

/// Parameters of `layout` between −1 and 1.
fn theta(layout: &Layout) -> Vec<f64> {
    uniform(layout.len, 1, "theta").into_raw_vec_and_offset().0
}

fn latent_kernel(function: Function) -> (usize, usize) {
    match function {
        Function::Latent { kernel: Some(kernel), .. } => kernel,
        _ => panic!("the function varies"),
    }
}

#[test]
fn a_constant_length_scale_gives_the_signal_with_inducing_inputs_in_its_units() {
    // σ(x/ℓ) with X̄ and ℓ_h is σ(x) with ℓ X̄ and ℓ ℓ_h: in one dimension, but for the prior of
    // ℓ_h.
    let (x, y) = (uniform(21, 1, "x"), uniform(21, 1, "y"));
    let scaled = NonstationaryGpParameters {
        length_scale: false,
        noise: false,
        prior_on_length_scales: false,
        ..SCALED()
    };
    let plain = NonstationaryGpParameters { signal_at: SignalAt::Inputs, ..scaled };
    let layout = Layout::new(&scaled, 21, 1);
    let mut theta = theta(&layout);
    let Function::Constant(ln_length_scale) = layout.functions[0] else {
        panic!("ℓ is constant")
    };
    theta[ln_length_scale] = f64::ln(0.6);
    let mut twin = theta.clone();
    let at = layout.inputs.unwrap();
    twin[at..at + 6].iter_mut().for_each(|x| *x *= 0.6);
    twin[latent_kernel(layout.functions[1]).0] += f64::ln(0.6);
    let value = |parameters: &NonstationaryGpParameters, theta: &[f64]| {
        Objective::new(parameters, &layout, x.view(), y.as_slice().unwrap())
            .evaluate(theta)
            .unwrap()
    };
    let (found, expected) = (value(&scaled, &theta), value(&plain, &twin));
    assert!((found - expected).abs() < 1e-9 * expected.abs(), "{found} against {expected}");
    assert!((value(&plain, &theta) - expected).abs() > 1e-3, "the inputs' scale matters");
}

#[test]
fn a_constant_signal_is_the_same_at_any_inputs() {
    let (x, y) = (uniform(13, 2, "x"), uniform(13, 1, "y"));
    let scaled = NonstationaryGpParameters { signal: false, ..SCALED() };
    let layout = Layout::new(&scaled, 13, 2);
    let theta = theta(&layout);
    let values = [SignalAt::Inputs, SignalAt::ScaledInputs].map(|signal_at| {
        let parameters = NonstationaryGpParameters { signal_at, ..scaled };
        let mut objective = Objective::new(&parameters, &layout, x.view(), y.as_slice().unwrap());
        (objective.evaluate(&theta).unwrap(), objective.gradient)
    });
    assert!((values[0].0 - values[1].0).abs() < 1e-10);
    assert!(
        values[0].1.iter().zip(&values[1].1).all(|(a, b)| (a - b).abs() < 1e-9 * (1.0 + a.abs()))
    );
}

#[test]
fn an_indefinite_matrix_is_refused_by_name() {
    // One inducing input at 1. ℓ(1) = 1 and ℓ(1.5) = 1.5, so that both rows are 1 at their own
    // scale, where σ = e⁻³; at the pair's scale they are 0.78 and 1.18, where σ = 1. K has the
    // diagonal e⁻⁶ and the other entry √(3 / 3.25) e^(−0.25 / 3.25) = 0.89.
    let parameters = NonstationaryGpParameters { jitter: 1e-6, inducing: 1, ..SCALED() };
    let (x, y) = (array![[1.0], [1.5]], array![0.3, -0.2]);
    let layout = Layout::new(&parameters, 2, 1);
    let mut theta = vec![0.0; layout.len];
    theta[layout.inputs.unwrap()] = 1.0;
    let settings = [(f64::ln(1.5), 0.1, -f64::ln(1.5)), (0.0, 0.05, -3.0), (-9.0, 1.0, 0.0)];
    for ((level, length_scale, value), function) in settings.into_iter().zip(&layout.functions) {
        let Function::Latent { mean, white, .. } = *function else {
            panic!("every function varies")
        };
        (theta[mean], theta[white], theta[latent_kernel(*function).0]) =
            (level, value, f64::ln(length_scale));
    }
    assert_eq!(
        Objective::new(&parameters, &layout, x.view(), y.as_slice().unwrap()).evaluate(&theta),
        None
    );
    let model = Model { parameters, layout, theta, inducing: array![[1.0]] };
    let signal = model.hyper_functions(x.view()).signal;
    assert!(signal.iter().all(|signal| (signal.ln() + 3.0).abs() < 0.01), "{signal}");
    let text = Posterior::new(model, x.view(), y.view()).unwrap_err().to_string();
    assert!(
        text.contains("no Cholesky factor") && text.contains("need not be a covariance"),
        "{text}"
    );
}

#[test]
fn it_fits_and_predicts_and_says_what_it_does_not_take() {
    let table = noisy_wave(40);
    let parameters =
        NonstationaryGpParameters { signal_at: SignalAt::ScaledInputs, ..short(60, 2) };
    let fitted =
        fit(NonstationaryGpParameters { length_scale: false, ..parameters }, &table).unwrap();
    let answer = predict(&*fitted, table.features.view());
    answer.validate().unwrap();
    let error =
        table.target.iter().zip(&answer.means().unwrap()).map(|(y, m)| (y - m).abs()).sum::<f64>()
            / 40.0;
    assert!(error < 1.0, "{error}");
    let many = Table::unnamed(uniform(501, 1, "x"), uniform(501, 1, "y").column(0).to_owned());
    let error = fit(parameters, &many).err().unwrap().to_string();
    assert!(
        error.contains("at most 500 training rows, found 501; `signal_at` = \"x\" takes more"),
        "{error}"
    );
    let every = NonstationaryGpParameters { latent_values: LatentValues::EveryRow, ..parameters };
    let error = NonstationaryGp::new(every).unwrap_err().to_string();
    let expected = "parameter `signal_at` is \"x/length-scale\", expected \"x\" where \
                    `latent_values` is \"every-row\"";
    assert_eq!(error, expected);
}
