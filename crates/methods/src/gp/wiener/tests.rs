use ndarray::{Array1, Array2, ArrayView2};
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use super::expansion::Expansion;
use super::regression::{Prediction, Regression, condition};
use super::*;
use crate::gp::kernels::{Composition, Points, Shape};
use crate::{Request, SideTable, registry};
use uq_core::math::random::{Rng, Streams};
use uq_core::predictive::{Form, Predictive};
use uq_math::orthogonal::Orthogonal;

const PLACES: [f64; 6] = [-5.0, -2.5, -2.5, 0.0, 2.5, 5.0];
const TARGETS: [f64; 6] = [-6.1, -1.4, -2.3, 0.9, 0.2, -2.7];
const ASKED: [f64; 4] = [-4.0, 0.0, 1.3, 7.0];

fn context() -> Context {
    Context::new(Streams::new(7, "wiener"))
}

fn column(values: &[f64]) -> Array2<f64> {
    Array2::from_shape_fn((values.len(), 1), |(i, _)| values[i])
}

fn train() -> Table {
    Table::unnamed(column(&PLACES), Array1::from(TARGETS.to_vec()))
}

fn given(noise: Value) -> Value {
    json!({ "noise": { "known": noise }, "fixed": { "variance": 4.21 * 4.21, "length_scales": [3.59], "ridge": 1.0 } })
}

fn fit(parameters: &Value, table: &Table) -> Result<Box<dyn Fitted>, FitError> {
    registry::build(ID, parameters).unwrap().fit(table, &context())
}

fn ask(fitted: &dyn Fitted, reading: &str, features: ArrayView2<f64>) -> Predictive {
    fitted
        .predict(&Reading::new(reading.to_owned()), features, &Request::default(), &context())
        .unwrap()
}

fn side_table(fitted: &dyn Fitted, name: &str, features: ArrayView2<f64>) -> SideTable {
    let mut all = fitted.side_tables();
    all.extend(fitted.side_tables_at(features, &Request::default(), &context()).unwrap());
    all.into_iter().find(|side_table| side_table.name == name).unwrap()
}

/// The predictions of a given kernel at the requested places.
fn predictions(noise: &Expansion, ridge: f64, targets: &[f64]) -> Vec<Prediction> {
    let mut kernel = Composition::Shape(Shape::Rbf).kernel(1);
    kernel.set_log_parameters(&[(4.21_f64 * 4.21).ln(), 3.59_f64.ln()]);
    let posterior =
        condition(kernel, ridge, noise, Points::new(&PLACES, 6, 1), targets, faer::Par::Seq)
            .unwrap();
    let mut all = Vec::new();
    let regression = Regression { posterior: &posterior, noise };
    regression
        .predict(Points::new(&ASKED, 4, 1), || Ok::<_, FitError>(()), |p| all.push(p))
        .unwrap();
    all
}

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance * (1.0 + expected.abs()),
        "{found} against {expected}"
    );
}

#[test]
fn means_variances_and_coefficients_are_those_of_scikit_learn() {
    // scikit-learn 1.7.2: KernelRidge(alpha=1, kernel="precomputed") on y − 0.5 and on the unit
    // vectors (Lemma 1, ii), and GaussianProcessRegressor(4.21² RBF(3.59), alpha=1) for the
    // variance without noise.
    let mean = [-4.8838946505, 0.400282801032, 0.366642171906, -3.3841974446];
    let epistemic = [0.509914424881, 0.585799268017, 0.641025303367, 4.13443450691];
    let noise_in_mean = [0.443715666162, 0.481630678671, 0.555711923257, 1.4731333321];
    let weights = [
        -0.106313069358,
        0.153264386528,
        0.153264386528,
        0.585799268017,
        0.27071265149,
        -0.0830791400609,
    ];
    let all = predictions(&Expansion::gamma(0.25, 2.0), 1.0, &TARGETS);
    for (i, prediction) in all.iter().enumerate() {
        near(prediction.mean, mean[i], 1e-8);
        near(prediction.epistemic, epistemic[i], 1e-8);
        near(prediction.noise_in_mean, noise_in_mean[i], 1e-8);
    }
    for (found, expected) in all[1].weights.iter().zip(weights) {
        near(*found, expected, 1e-8);
    }
    // −4 Σ a³/(Σ a²)^1.5, NumPy: the sign of the noise's skewness is reversed.
    let noise = Expansion::gamma(0.25, 2.0);
    near(all[1].variable(&noise).skewness(), -2.70800942, 1e-8);
}

#[test]
fn the_gap_and_the_noise_in_the_mean_make_up_the_epistemic_variance() {
    for noise in
        [Expansion::gaussian(0.0, 1.0), Expansion::uniform(-3.0, 0.0), Expansion::gamma(0.25, 3.0)]
    {
        let variance = noise.variance();
        for Prediction { epistemic, gap, noise_in_mean, weights, .. } in
            predictions(&noise, variance, &TARGETS)
        {
            near(gap + noise_in_mean, epistemic, 1e-12);
            near(noise_in_mean, variance * weights.iter().map(|a| a * a).sum::<f64>(), 1e-13);
        }
        // The same with κ − 2aᵀk + aᵀKa computed from K.
        let fitted = fit(
            &given(json!({ "expansion": { "germ": "hermite", "coefficients": [0.3, 1.0] } })),
            &train(),
        )
        .unwrap();
        let asked = column(&ASKED);
        let comparison = side_table(fitted.as_ref(), "comparison", asked.view());
        assert!(comparison.column("identity_apart").unwrap()[0] < 1e-11);
    }
}

#[test]
fn only_the_mean_of_a_prediction_depends_on_the_targets() {
    let noise = Expansion::gamma(0.25, 2.0);
    let others: Vec<f64> = TARGETS.iter().rev().map(|y| 3.0 * y - 1.0).collect();
    for (a, b) in predictions(&noise, 1.0, &TARGETS).iter().zip(&predictions(&noise, 1.0, &others))
    {
        assert_eq!(
            (a.noise_in_mean, a.epistemic, &a.weights),
            (b.noise_in_mean, b.epistemic, &b.weights)
        );
        assert!((a.mean - b.mean).abs() > 1e-3);
    }
}

#[test]
fn expansions_of_any_length_solve_the_regression_for_each_realisation() {
    // For each realisation of the germs (8) must be the ridge regression on y − M: Lemma 1 without
    // its assumption L = 2.
    let noise =
        Expansion::new(Orthogonal::Jacobi { alpha: 0.5, beta: 2.0 }, vec![-1.0, 0.7, 0.4, -0.2]);
    let all = predictions(&noise, noise.variance(), &TARGETS);
    let zero = Expansion::gaussian(0.0, 1.0);
    let mut rng = Rng::seed_from_u64(5);
    let n = 60_000;
    let mut draws = Vec::with_capacity(n);
    for turn in 0..n {
        let germs: Vec<f64> = PLACES.iter().map(|_| noise.draw(&mut rng)).collect();
        let of = |p: &Prediction| {
            p.mean - p.weights.iter().zip(&germs).map(|(a, m)| a * (m - noise.mean())).sum::<f64>()
        };
        if turn < 20 {
            let moved: Vec<f64> = TARGETS.iter().zip(&germs).map(|(y, m)| y - m).collect();
            for (p, direct) in all.iter().zip(predictions(&zero, noise.variance(), &moved)) {
                near(of(p), direct.mean, 1e-9);
            }
        }
        draws.push(of(&all[2]));
    }
    // Cumulants from the coefficients against the draws', within five standard errors.
    let [mean, variance, third, fourth] = all[2].variable(&noise).cumulants();
    let moment = |r: i32| draws.iter().map(|x| (x - mean).powi(r)).sum::<f64>() / n as f64;
    let expected = [0.0, variance, third, fourth + 3.0 * variance * variance];
    for (r, expected) in (1..=4).zip(expected) {
        let error = 5.0 * ((moment(2 * r) - moment(r).powi(2)) / n as f64).sqrt();
        assert!((moment(r) - expected).abs() < error, "{r}: {} {expected}", moment(r));
    }
}

#[test]
fn a_new_outcome_adds_the_noise_and_has_its_own_split() {
    let asked = column(&ASKED);
    let noise = Expansion::gamma(0.25, 2.0);
    let exact = predictions(&noise, 1.0, &TARGETS);
    let fitted =
        fit(&given(json!({ "gamma": { "shape": 0.25, "scale": 2.0 } })), &train()).unwrap();
    for (reading, gap) in [("main", 0.0), (WITH_GAP, 1.0)] {
        let predictive = ask(fitted.as_ref(), reading, asked.view());
        let split = predictive.split.as_ref().unwrap();
        let (mean, variance) = (predictive.means().unwrap(), predictive.variances().unwrap());
        for (i, prediction) in exact.iter().enumerate() {
            near(mean[i], prediction.mean + 0.5, 1e-9);
            near(variance[i], prediction.noise_in_mean + 1.0 + gap * prediction.gap, 1e-9);
            near(split.aleatoric.as_ref().unwrap()[i], 1.0, 1e-12);
            near(split.epistemic.as_ref().unwrap()[i], prediction.epistemic, 1e-12);
        }
    }
    let Form::Mixture(mixture) = ask(fitted.as_ref(), "main", asked.view()).form else {
        panic!("a mixture")
    };
    // 60 numbers a row are stored exactly.
    assert_eq!(mixture.means.dim(), (4, 20));
    // The whole distribution, against the inverted characteristic function of Ŷ(x) + M: one row has
    // most of the weight, and two normal components approximate its gamma noise, which has an edge
    // where most of its mass is: the worst case, with an error of 0.07.
    let inversion = exact[1].outcome(&noise).inversion().unwrap();
    let predictive = ask(fitted.as_ref(), "main", asked.view());
    for y in [-2.0, -0.5, 0.0, 0.5, 1.0, 2.0, 5.0] {
        let (found, truth) = (predictive.distribution().cdf(1, y).unwrap(), inversion.cdf(y));
        assert!((found - truth).abs() < 0.08, "{y}: {found} {truth}");
    }
}

#[test]
fn normal_noise_is_predicted_exactly_and_with_the_gap_it_is_the_process() {
    let asked = column(&ASKED);
    let fitted =
        fit(&given(json!({ "gaussian": { "mean": 0.0, "deviation": 1.0 } })), &train()).unwrap();
    let exact = predictions(&Expansion::gaussian(0.0, 1.0), 1.0, &TARGETS);
    let (Form::Gaussian(own), Form::Gaussian(process)) = (
        ask(fitted.as_ref(), "main", asked.view()).form,
        ask(fitted.as_ref(), WITH_GAP, asked.view()).form,
    ) else {
        panic!("normal answers")
    };
    for (i, prediction) in exact.iter().enumerate() {
        near(own.variance[i], 1.0 + prediction.noise_in_mean, 1e-12);
        near(process.variance[i], 1.0 + prediction.epistemic, 1e-12);
        near(own.mean[i], prediction.mean, 1e-12);
    }
    let comparison = side_table(fitted.as_ref(), "comparison", asked.view());
    assert!(comparison.column("mean_apart").unwrap()[0] < 1e-10);
}

/// Rows of a smooth function of two features with noise of one kind; a third feature is irrelevant.
fn rows(n: usize, noise: &Expansion, seed: u64) -> Table {
    let mut rng = Rng::seed_from_u64(seed);
    let features = Array2::from_shape_simple_fn((n, 3), || rng.random_range(-1.7..1.7));
    let target = Array1::from_shape_fn(n, |i| {
        let x = features.row(i);
        10.0 + 5.0 * (f64::sin(2.0 * x[0]) + 0.5 * x[1] + noise.draw(&mut rng) - noise.mean())
    });
    Table::unnamed(features, target)
}

#[test]
fn tables_get_the_process_of_exact_gp_and_the_family_of_their_noise() {
    let quick = json!({ "process": { "restarts": 0 } });
    for (noise, germ) in [
        (Expansion::gaussian(0.0, 0.4), 0.0),
        (Expansion::gamma(0.5, 0.6), 1.0),
        (Expansion::uniform(-1.0, 1.0), 2.0),
    ] {
        let (table, test) = (rows(300, &noise, 2), rows(400, &noise, 3));
        let fitted = fit(&quick, &table).unwrap();
        let predictive = ask(fitted.as_ref(), WITH_GAP, test.features.view());
        let found = side_table(fitted.as_ref(), "noise", test.features.view());
        assert_eq!(
            found.column("germ").unwrap()[0],
            germ,
            "{found:?} {:?}",
            side_table(fitted.as_ref(), "families", test.features.view())
        );
        let process = registry::build("exact-gp", &json!({ "restarts": 0 }))
            .unwrap()
            .fit(&table, &context())
            .unwrap();
        let plain = ask(process.as_ref(), "main", test.features.view());
        let parts = |p: &Predictive| p.split.clone().unwrap();
        let (ours, theirs) = (parts(&predictive), parts(&plain));
        let score = |p: &Predictive| -> f64 {
            (0..400).map(|i| p.distribution().log_density(i, test.target[i]).unwrap()).sum::<f64>()
                / 400.0
        };
        for i in (0..400).step_by(37) {
            near(predictive.means().unwrap()[i], plain.means().unwrap()[i], 1e-9);
            near(predictive.variances().unwrap()[i], plain.variances().unwrap()[i], 1e-9);
            near(ours.epistemic.as_ref().unwrap()[i], theirs.epistemic.as_ref().unwrap()[i], 1e-9);
            near(ours.aleatoric.as_ref().unwrap()[i], theirs.aleatoric.as_ref().unwrap()[i], 1e-9);
        }
        // Where the noise is not normal, its distribution scores better than a normal one.
        assert!(germ == 0.0 || score(&predictive) > score(&plain) + 0.05, "{noise:?}");
        let means = side_table(fitted.as_ref(), "uncertainty", test.features.view());
        let of = |name: &str| means.column(name).unwrap()[0];
        near(of("noise_in_mean") + of("gap"), of("epistemic"), 1e-6);
    }
}

#[test]
fn equal_rows_and_zero_noise_are_predicted() {
    // Every row twice; a target without noise; fewer rows than features.
    let features =
        Array2::from_shape_fn((40, 2), |(i, j)| ((i / 2 * (7 + 4 * j)) % 19) as f64 / 5.0);
    let smooth =
        features.rows().into_iter().map(|x| f64::sin(x[0]) + x[1]).collect::<Array1<f64>>();
    let wide = Table::unnamed(
        Array2::from_shape_fn((6, 12), |(i, j)| ((i * 31 + j * 17) % 23) as f64),
        Array1::from_shape_fn(6, |i| (i * i) as f64),
    );
    for table in
        [Table::unnamed(features.clone(), smooth), rows(2, &Expansion::gaussian(0.0, 1.0), 1), wide]
    {
        let fitted = fit(&json!({ "process": { "restarts": 1 } }), &table).unwrap();
        for reading in ["main", WITH_GAP] {
            let predictive = ask(fitted.as_ref(), reading, table.features.view());
            predictive.validate().unwrap();
        }
    }
    let same = Table::unnamed(Array2::zeros((5, 1)), Array1::from(vec![1.0, 2.0, 0.5, 1.5, 1.0]));
    let fitted = fit(&given(json!({ "uniform": { "low": -1.0, "high": 1.0 } })), &same).unwrap();
    // Five rows at one place: the ridge mean κ Σ y/(5κ + ρ²).
    let kappa = 4.21 * 4.21;
    near(
        ask(fitted.as_ref(), "main", same.features.view()).means().unwrap()[0],
        kappa * 6.0 / (5.0 * kappa + 1.0),
        1e-12,
    );
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let refused = |found: Result<Box<dyn Fitted>, FitError>, word: &str| match found {
        Err(FitError::Unsupported(text)) => assert!(text.contains(word), "{text}"),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("{word}"),
    };
    let gaussian = given(json!({ "gaussian": { "mean": 0.0, "deviation": 1.0 } }));
    let mut holes = train();
    holes.target[2] = f64::NAN;
    refused(fit(&gaussian, &holes), "a finite target");
    refused(fit(&json!({}), &holes), "a finite target");
    refused(fit(&json!({}), &train().select(&[0])), "at least 2 training rows");
    refused(
        fit(&gaussian, &rows(10, &Expansion::gaussian(0.0, 1.0), 1)),
        "1 length scales, the table 3 features",
    );
    let many = Table::unnamed(Array2::zeros((5001, 1)), Array1::from_shape_fn(5001, |i| i as f64));
    refused(fit(&json!({}), &many), "at most 5000 training rows");
    refused(fit(&gaussian, &many), "at most 5000 training rows");
    let fitted = fit(&gaussian, &train()).unwrap();
    let answer = |reading: &str, features: &Array2<f64>| {
        fitted
            .predict(
                &Reading::new(reading.to_owned()),
                features.view(),
                &Request::default(),
                &context(),
            )
            .unwrap_err()
            .to_string()
    };
    assert!(answer("best", &column(&ASKED)).contains("'with-gap'"));
    assert!(answer("main", &column(&[f64::NAN])).contains("row 0, feature 0"));
    assert!(answer("main", &Array2::zeros((2, 3))).contains("fitted on 1 features"));
}

#[test]
fn invalid_parameters_are_refused() {
    let mut alone = given(json!({ "gaussian": { "mean": 0.0, "deviation": 1.0 } }));
    alone.as_object_mut().unwrap().remove("fixed");
    let mut negative = given(json!({ "gaussian": { "mean": 0.0, "deviation": 1.0 } }));
    negative["fixed"]["ridge"] = json!(0.0);
    for (wrong, word) in [
        (json!({ "noise": "laplace" }), "laplace"),
        (given(json!({ "cauchy": { "scale": 1.0 } })), "cauchy"),
        (given(json!({ "gaussian": { "mean": 0.0, "deviation": 0.0 } })), "positive variance"),
        (given(json!({ "gamma": { "shape": 0.0, "scale": 1.0 } })), "shapes above 0"),
        (
            given(json!({ "beta": { "alpha": 1.0, "beta": -2.0, "low": 0.0, "high": 1.0 } })),
            "shapes above 0",
        ),
        (
            given(json!({ "expansion": { "germ": "hermite", "coefficients": [1.0] } })),
            "2 to 20 coefficients",
        ),
        (alone, "`fixed` kernel and a `known` noise"),
        (
            json!({ "fixed": { "variance": 1.0, "length_scales": [1.0], "ridge": 1.0 } }),
            "`known` noise",
        ),
        (negative, "fixed.ridge"),
        (json!({ "realisations": { "draws": 0, "at": 0.0 } }), "realisations.draws"),
        (json!({ "process": { "restarts": 101 } }), "restarts"),
    ] {
        let error = registry::build(ID, &wrong).err().map(|error| error.to_string()).unwrap();
        assert!(error.contains(word), "{wrong}: {error}");
    }
    // Three terms are as good as two.
    let three = given(
        json!({ "expansion": { "germ": { "laguerre": { "exponent": 1.5 } }, "coefficients": [0.3, -0.8, 0.15] } }),
    );
    fit(&three, &train()).unwrap();
}

#[test]
fn realisations_follow_the_distribution_of_the_prediction() {
    let mut parameters = given(json!({ "gamma": { "shape": 0.25, "scale": 2.0 } }));
    parameters["realisations"] = json!({ "draws": 2000, "at": 0.0 });
    let fitted = fit(&parameters, &train()).unwrap();
    let asked = column(&[-5.0, 0.0, 5.0]);
    let law = side_table(fitted.as_ref(), "law", asked.view());
    let of = |name: &str| law.column(name).unwrap()[0];
    near(of("skewness"), -2.70800942, 1e-8);
    assert!(of("drawn_skewness") < -1.0 && (of("noise_skewness") - 4.0).abs() < 1e-12);
    assert!(of("cdf_apart") < 1.95 / 2000.0_f64.sqrt() && of("cdf_truncation") < 1e-3, "{law:?}");
    let curves = side_table(fitted.as_ref(), "realisations", asked.view());
    assert_eq!((curves.columns.len(), curves.columns[3].1.len()), (41, 3));
    let projection = side_table(fitted.as_ref(), "projection", asked.view());
    let y = projection.column("y").unwrap();
    let total = |name: &str| projection.column(name).unwrap().iter().sum::<f64>() * (y[1] - y[0]);
    assert!((total("density") - 1.0).abs() < 0.02 && (total("inverted") - 1.0).abs() < 0.02);
}

#[test]
fn golden_fit_guards_the_version() {
    let method = registry::build(ID, &json!({})).unwrap();
    let table = rows(60, &Expansion::gamma(0.5, 0.6), 9);
    let fitted = method.fit(&table, &context()).unwrap();
    let predictive = ask(fitted.as_ref(), "main", table.features.view());
    let found = [
        predictive.means().unwrap()[3],
        predictive.variances().unwrap()[3],
        predictive.distribution().log_density(3, table.target[3]).unwrap(),
    ];
    let near = found.iter().zip(GOLDEN).all(|(found, golden)| (found / golden - 1.0).abs() < 3e-3);
    assert!(near && method.version() == 3, "{found:?} against {GOLDEN:?}: raise the version");
}

/// Mean and variance of the fourth row, and its ln p(y); a search ends anywhere within its
/// tolerance.
const GOLDEN: [f64; 3] = [7.35741532516322, 4.503166364243642, -1.5211405145020365];
