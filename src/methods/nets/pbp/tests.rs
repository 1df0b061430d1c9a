use ndarray::{Array2, array};
use rand::RngExt;

use super::*;
use crate::math::random::Streams;
use crate::math::special::normal_quantile;

fn context() -> Context {
    Context::new(Streams::new(1, "pbp"))
}

fn settings(epochs: usize) -> PbpParameters {
    PbpParameters { epochs, ..PbpParameters::default() }
}

fn fit(parameters: PbpParameters, train: &Table) -> Result<Box<dyn Fitted>, FitError> {
    Pbp::new(parameters).unwrap().fit(train, &context())
}

fn predict(fitted: &dyn Fitted, at: ArrayView2<f64>) -> Predictive {
    fitted.predict(&Reading::MAIN, at, &Ask::default(), &context()).unwrap()
}

/// y = 20 + 3 |x| + N(0, 0.5²) for x from −2 to 2, and a column that says nothing.
fn noisy_bend(n: usize) -> Table {
    let mut rng = context().stream("rows", 0);
    let features = Array2::from_shape_fn((n, 2), |(_, j)| if j == 0 { rng.random_range(-2.0..2.0) } else { 5.0 });
    let mut normal = || normal_quantile(rng.random_range(1e-9..1.0));
    let target = features.column(0).mapv(|x: f64| 20.0 + 3.0 * x.abs() + 0.5 * normal());
    Table::unnamed(features, target)
}

#[test]
fn a_bend_and_its_noise_are_learned() {
    let fitted = fit(settings(40), &noisy_bend(1000)).unwrap();
    let predictive = predict(&*fitted, array![[-1.5, 5.0], [1.0, 5.0], [9.0, 5.0]].view());
    let (means, variances) = (predictive.means().unwrap(), predictive.variances().unwrap());
    let split = predictive.split.unwrap();
    let (noise, doubt) = (split.aleatoric.unwrap(), split.epistemic.unwrap());
    assert!((means[0] - 24.5).abs() < 0.25 && (means[1] - 23.0).abs() < 0.25, "{means}");
    assert!((noise[0].sqrt() / 0.5 - 1.0).abs() < 0.1, "{noise}");
    assert!(doubt[2] > 4.0 * doubt[1], "{doubt}");
    assert!((&noise + &doubt - &variances).iter().all(|d| d.abs() < 1e-9), "the split adds up to the variance");
    let trace = &fitted.artefacts()[0];
    assert_eq!((trace.name.as_str(), trace.column("noise_variance").unwrap().len()), ("trace", 40));
}

#[test]
fn the_same_seed_gives_the_same_bytes_in_any_block() {
    let table = noisy_bend(300);
    let fitted = fit(settings(3), &table).unwrap();
    let first = predict(&*fitted, table.features.view());
    assert_eq!(predict(&*fit(settings(3), &table).unwrap(), table.features.view()), first);
    let last = predict(&*fitted, table.features.slice_axis(ndarray::Axis(0), (299..300).into()));
    assert_eq!(last.means().unwrap()[0], first.means().unwrap()[299]);
}

#[test]
fn hard_tables_train_or_say_why_not() {
    let at = array![[0.5, 5.0]];
    let ten = noisy_bend(10);
    assert!(predict(&*fit(settings(20), &ten).unwrap(), at.view()).means().unwrap()[0].is_finite());
    let mut outlier = noisy_bend(5000);
    outlier.target[7] = 1e6;
    outlier.features[(7, 0)] = -1e6;
    let predictive = predict(&*fit(settings(5), &outlier).unwrap(), at.view());
    // The target's sd is 14000: the noise is that of the other rows in these units, or a little of the outlier's, not 1e12.
    assert!(predictive.variances().unwrap()[0].sqrt() < 3e4, "{:?}", predictive.variances());
    let nothing = Table::unnamed(Array2::zeros((20, 1)), Array1::range(0.0, 20.0, 1.0));
    let mean = predict(&*fit(settings(20), &nothing).unwrap(), array![[0.0]].view()).means().unwrap()[0];
    assert!((mean - 9.5).abs() < 4.0, "without features that vary: {mean}");
    let constant = Table::unnamed(array![[1.0], [2.0], [3.0]], array![4.0, 4.0, 4.0]);
    let Err(FitError::Unsupported(message)) = fit(settings(1), &constant) else { panic!("a constant target") };
    assert!(message.contains("a target that varies"), "{message}");
    let mut hole = noisy_bend(10);
    hole.features[(3, 0)] = f64::NAN;
    assert!(matches!(fit(settings(1), &hole), Err(FitError::Unsupported(m)) if m.contains("training row 3")));
}

#[test]
fn faults_are_named() {
    let text = |parameters| Pbp::new(parameters).unwrap_err().to_string();
    assert_eq!(
        text(PbpParameters { hidden: 0, ..settings(1) }),
        "parameter `hidden` is 0, expected a whole number from 1 to 10000"
    );
    assert!(text(settings(0)).starts_with("parameter `epochs` is 0"));
    let fitted = fit(settings(1), &noisy_bend(10)).unwrap();
    let ask = |reading: Reading, at: ArrayView2<f64>| fitted.predict(&reading, at, &Ask::default(), &context());
    let text = |result: Result<Predictive, FitError>| result.unwrap_err().to_string();
    assert!(text(ask(Reading::new("game"), array![[1.0, 2.0]].view())).contains("'main' only"));
    assert!(text(ask(Reading::MAIN, array![[1.0]].view())).contains("2 features, asked to predict from 1"));
}

#[test]
fn golden_fit_guards_the_version() {
    let table = super::super::golden_table();
    let predictive = predict(&*fit(settings(4), &table).unwrap(), table.features.view());
    let (means, variances) = (predictive.means().unwrap(), predictive.variances().unwrap());
    let found = [means[0], means[49], variances[0], variances[49]];
    let golden = [-0.640_222_316_539_310_8, 1.191_118_946_589_383_7, 19.452_198_211_227_21, 10.693_268_358_800_596];
    for (place, (value, golden)) in found.into_iter().zip(golden).enumerate() {
        assert!((value / golden - 1.0).abs() < 1e-8, "{found:?}, number {place}: raise the version");
    }
}
