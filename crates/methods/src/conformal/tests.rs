use super::*;
use crate::anchors::UnconditionalQuantiles;
use crate::trees::{Cart, CartParameters};
use crate::{Request, registry};
use ndarray::{Array1, Array2, array};
use rand::RngExt;
use serde_json::json;
use uq_core::math::random::Streams;
use uq_core::predictive::Side;

fn context(index: u64) -> Context {
    Context::new(Streams::new(index, "conformal"))
}

/// Uniform noise about a line, wider to the right.
fn table(rows: usize, index: u64) -> Table {
    let mut rng = context(index).stream("data", 0);
    let features = Array2::from_shape_simple_fn((rows, 1), || rng.random::<f64>());
    let target: Array1<f64> =
        features.column(0).iter().map(|x| 2.0 * x + (0.1 + x) * rng.random::<f64>()).collect();
    Table::unnamed(features, target)
}

fn tree() -> Box<dyn Method> {
    Box::new(Cart::new(CartParameters { min_leaf: 3, ..CartParameters::default() }).unwrap())
}

fn split() -> SplitConformal {
    SplitConformal::new(ConformalParameters::default(), tree()).unwrap()
}

fn conformalised() -> ConformalisedQuantiles {
    ConformalisedQuantiles::new(
        ConformalParameters::default(),
        Box::new(UnconditionalQuantiles::default()),
    )
    .unwrap()
}

fn levels(levels: &[f64]) -> Request {
    Request { quantile_levels: levels.to_vec(), ..Request::default() }
}

fn predict(
    method: &dyn Method,
    train: &Table,
    at: &Table,
    request: &Request,
    index: u64,
) -> Result<Predictive, FitError> {
    let fitted = method.fit(train, &context(index))?;
    let predictive =
        fitted.predict(&Reading::MAIN, at.features.view(), request, &context(index))?;
    assert_eq!(predictive.validate(), Ok(()));
    Ok(predictive)
}

/// One calibration set and one new row in each repetition, both drawn anew: the number covered is
/// binomial with probability k/(n + 1) exactly, here 18/20 for n = 19 and 1 − α = 0.9. Bounds hold
/// with probability 1 − 1e-6, from sums of the binomial in 30 digits.
#[test]
fn a_new_row_is_covered_with_the_guaranteed_probability() {
    let base: Box<dyn Method> = Box::new(UnconditionalQuantiles::default());
    let methods: [(&str, Box<dyn Method>); 3] = [
        ("split over a tree", Box::new(split())),
        ("quantiles", Box::new(conformalised())),
        (
            "split over quantiles",
            Box::new(SplitConformal::new(ConformalParameters::default(), base).unwrap()),
        ),
    ];
    for (name, method) in methods {
        let mut covered = [0, 0];
        for index in 0..2000 {
            // 38 rows: 19 fit, 19 calibrate.
            let (train, new) = (table(38, 2 * index), table(1, 2 * index + 1));
            let predictive =
                predict(&*method, &train, &new, &levels(&[0.05, 0.95, 0.1, 0.9]), index).unwrap();
            for (count, level) in covered.iter_mut().zip([0.9, 0.8]) {
                let (lower, upper) = predictive.interval(0, level).unwrap();
                *count += u32::from(lower <= new.target[0] && new.target[0] <= upper);
            }
        }
        assert!((1731..=1862).contains(&covered[0]), "{name}: {} of 2000 at 90 %", covered[0]);
        assert!((1510..=1685).contains(&covered[1]), "{name}: {} of 2000 at 80 %", covered[1]);
    }
}

#[test]
fn the_score_is_counted_as_by_hand() {
    let scores = Scores::new(vec![5.0, 1.0, 4.0, 2.0, 3.0, 9.0, 7.0, 6.0, 8.0]);
    // n + 1 = 10: ⌈0.8 × 10⌉ = 8, ⌈0.81 × 10⌉ = 9, and 0.9 is the largest probability with a finite
    // interval.
    for (coverage, expected) in
        [(0.8, 8.0), (0.81, 9.0), (0.9, 9.0), (0.95 - 0.05, 9.0), (0.01, 1.0)]
    {
        assert_eq!(scores.at("it", coverage).unwrap(), expected, "{coverage}");
    }
    let error = scores.at("it", 0.95).unwrap_err().to_string();
    assert!(
        error.contains("infinite with 9 calibration rows; expected at least 19 of them"),
        "{error}"
    );
}

#[test]
fn a_constant_base_gives_its_worst_residuals() {
    // A tree of one leaf predicts the mean of the proper training rows, 0; calibration rows are the
    // others.
    let train = Table::unnamed(
        Array2::zeros((40, 1)),
        Array1::from_shape_fn(40, |i| (i as f64 - 19.5) / 10.0),
    );
    let predictive = predict(&split(), &train, &train, &levels(&[0.25, 0.5, 0.75]), 3).unwrap();
    let point = predictive.distribution().quantile(0, 0.5).unwrap();
    let drawn = draw_without_replacement(40, 20, &mut context(3).stream("calibration-rows", 0));
    let mean = (0..40).filter(|i| !drawn.contains(i)).map(|i| train.target[i]).sum::<f64>() / 20.0;
    assert!((point - mean).abs() < 1e-12);
    let mut residuals: Vec<f64> = drawn.iter().map(|&i| (train.target[i] - mean).abs()).collect();
    residuals.sort_by(f64::total_cmp);
    // ⌈0.5 × 21⌉ = 11.
    let (lower, upper) = predictive.interval(0, 0.5).unwrap();
    assert!(
        (upper - mean - residuals[10]).abs() < 1e-12
            && (mean - lower - residuals[10]).abs() < 1e-12
    );
}

#[test]
fn crossing_and_empty_intervals_are_nested() {
    let pairs = Pairs::of("it", &[0.1, 0.9, 0.25, 0.75, 0.5]).unwrap();
    assert_eq!(pairs.levels(), [0.1, 0.25, 0.5, 0.75, 0.9]);
    let values = |predictive: Predictive| match predictive.form {
        Form::Quantiles(quantiles) => quantiles.values.row(0).to_vec(),
        other => panic!("{}", other.kind()),
    };
    // The outer interval [2, 3] lies inside the inner one, and the point outside both.
    let crossed = nested(&pairs, &[7.0], array![[2.0, 1.0]], array![[3.0, 4.0]]);
    assert_eq!(crossed.validate(), Ok(()));
    assert_eq!(values(crossed), [1.0, 1.0, 7.0, 7.0, 7.0]);
    // The inner set is empty.
    let pairs = Pairs::of("it", &[0.1, 0.9, 0.25, 0.75]).unwrap();
    assert_eq!(
        values(nested(&pairs, &[0.0], array![[0.0, 4.0]], array![[9.0, 2.0]])),
        [0.0, 3.0, 3.0, 9.0]
    );
}

#[test]
fn levels_come_in_pairs() {
    let error = |asked: &[f64]| Pairs::of("it", asked).unwrap_err().to_string();
    assert!(error(&[0.1, 0.5, 0.8]).contains("the quantile at 0.1 without that at 0.9"));
    assert!(error(&[0.0, 1.0]).contains("at 0, expected levels in (0, 1)"));
    assert!(error(&[]).contains("no quantile level"));
    assert_eq!(
        Pairs::of("it", &Request::default().quantile_levels).unwrap().levels(),
        Request::default().quantile_levels
    );
}

#[test]
fn faults_are_named() {
    let given = ConformalParameters { calibration: 1.0 };
    let error = SplitConformal::new(given, tree()).err().unwrap().to_string();
    assert_eq!(
        error,
        "parameter `calibration` is 1, expected a number between 0 and 1, both excluded"
    );
    let few = table(10, 1);
    let error = predict(&split(), &few, &few, &Request::default(), 1).unwrap_err().to_string();
    assert!(error.contains("with 5 calibration rows; expected at least 19"), "{error}");
    let error = predict(&conformalised(), &table(1, 1), &few, &Request::default(), 1)
        .unwrap_err()
        .to_string();
    assert!(error.contains("at least 2 training rows, found 1"), "{error}");
    let holes = Table::unnamed(Array2::zeros((4, 1)), Array1::from_elem(4, f64::NAN));
    assert!(
        predict(&split(), &holes, &few, &Request::default(), 1)
            .unwrap_err()
            .to_string()
            .contains("found NaN in")
    );
}

#[test]
fn a_base_method_is_named_in_the_parameters() {
    let given =
        json!({ "method": { "id": "tree", "parameters": { "min_leaf": 4 } }, "calibration": 0.3 });
    let method = registry::build("split-conformal", &given).unwrap();
    assert_eq!(method.parameters()["method"]["parameters"]["min_leaf"], 4);
    assert_eq!(
        registry::build("split-conformal", &method.parameters()).unwrap().parameters(),
        method.parameters()
    );
    let error = |id: &str, given| registry::build(id, &given).err().unwrap().to_string();
    assert!(error("split-conformal", json!({})).contains("method: missing field `id`"));
    let unknown = error("conformalised-quantiles", json!({ "method": { "id": "treee" } }));
    assert!(unknown.contains("did you mean `tree`?"), "{unknown}");
    let old =
        error("conformalised-quantiles", json!({ "method": { "id": "tree", "version": 99 } }));
    assert!(old.contains("`tree` has version 1, expected 99"), "{old}");
}

/// A fit whose numbers change must raise [`Method::version`].
#[test]
fn the_version_stands_for_these_numbers() {
    let train = table(60, 5);
    let ends = |method: &dyn Method| {
        let predictive = predict(method, &train, &train, &Request::default(), 5).unwrap();
        [predictive.interval(7, 0.9).unwrap(), predictive.interval(7, 0.5).unwrap()]
    };
    for (method, version, golden) in [
        (
            &split() as &dyn Method,
            1,
            [(0.9382319258492531, 1.742900141131807), (1.170070395163485, 1.5110616718175751)],
        ),
        (
            &conformalised() as &dyn Method,
            2,
            [(0.07002262109714796, 2.607405799879412), (0.5673383832967118, 2.2657201033934395)],
        ),
    ] {
        for ((low, high), expected) in ends(method).into_iter().zip(golden) {
            let near = (low - expected.0).abs() < 1e-9 && (high - expected.1).abs() < 1e-9;
            assert!(
                near && method.version() == version,
                "{}: {:?}: raise the version",
                method.id(),
                ends(method)
            );
        }
    }
}

fn central(level: f64) -> Bounds {
    Bounds { level, side: Side::Both }
}

fn upper(level: f64) -> Bounds {
    Bounds { level, side: Side::Upper }
}

/// Theorem 4 of Barber et al. by hand, n = 100 rows at 0.9: ten folds lose min{1.8/11, 0.9/11}, one
/// fold of each row nothing.
#[test]
fn guarantees_are_those_of_the_theorems() {
    assert!((Folds::Count(10).guaranteed_coverage(0.9, 100) - (0.8 - 0.9 / 11.0)).abs() < 1e-12);
    assert!(
        (Folds::Count(2).guaranteed_coverage(0.9, 10_000) - (0.8 - 1.0 / 5001.0)).abs() < 1e-12
    );
    assert!((Folds::Rows.guaranteed_coverage(0.9, 100) - 0.8).abs() < 1e-12);
    assert_eq!(Folds::Count(10).guaranteed_coverage(0.5, 100), 0.0);
    assert_eq!(split().guarantee(central(0.9), 100).unwrap().least, 0.9);
    assert_eq!(tree().guarantee(central(0.9), 100), None);
}

/// An end of the central interval of 2p − 1 covers as much as the interval; an order statistic of
/// signed errors covers p.
#[test]
fn the_guarantee_of_one_bound_is_that_of_its_end() {
    assert!((split().guarantee(upper(0.95), 100).unwrap().least - 0.9).abs() < 1e-12);
    assert_eq!(tree().guarantee(upper(0.9), 100), None);
    let distribution = |folds: usize| {
        let given = serde_json::json!({ "method": { "id": "tree" }, "folds": folds });
        crate::registry::build("conformal-distribution", &given).unwrap()
    };
    assert_eq!(distribution(1).guarantee(upper(0.95), 100).unwrap().least, 0.95);
    assert_eq!(
        distribution(10).guarantee(upper(0.9), 100).unwrap().least,
        Folds::Count(10).guaranteed_coverage(0.9, 100)
    );
}

#[test]
fn the_methods_with_a_guarantee_name_its_theorem() {
    let of = |id: &str| {
        let tried = registry::Registry::default().entry(id).unwrap().tried.as_ref().unwrap();
        registry::build(id, &(tried.parameters)()).unwrap()
    };
    let mut guaranteeing = Vec::new();
    for id in registry::METHODS.iter().filter(|entry| entry.tried.is_some()).map(|entry| entry.id) {
        let method = of(id);
        let found = [central(0.9), upper(0.9)].map(|bounds| method.guarantee(bounds, 1000));
        assert_eq!(found[0].is_some(), found[1].is_some(), "{id}");
        guaranteeing
            .extend(found.into_iter().next().flatten().map(|guarantee| (id, guarantee.theorem)));
    }
    assert_eq!(
        guaranteeing,
        [
            ("split-conformal", "Lei et al. 2018, Theorem 2.2".into()),
            ("conformalised-quantiles", "Romano et al. 2019, Theorem 1".into()),
            ("cv-plus", "Barber et al. 2021, Theorem 4".to_owned()),
            (
                "conformal-distribution",
                "Vovk et al. 2018, validity of split conformal distributions".into()
            ),
        ]
    );
    // The bound of split conformal prediction is an end of the interval of another level; that of a
    // distribution has its own.
    assert_eq!(
        of("split-conformal").guarantee(upper(0.9), 1000).unwrap().theorem,
        "Lei et al. 2018, Theorem 2.2, about the central interval of which the bound is an end"
    );
    let theorem = |bounds| of("conformal-distribution").guarantee(bounds, 1000).unwrap().theorem;
    assert_eq!(theorem(upper(0.9)), theorem(central(0.9)));
    let jackknife = json!({ "method": { "id": "tree" }, "folds": "rows" });
    let jackknife = registry::build("cv-plus", &jackknife).unwrap();
    assert_eq!(
        jackknife.guarantee(central(0.9), 1000).unwrap().theorem,
        "Barber et al. 2021, Theorem 1"
    );
}

#[test]
fn a_distribution_tells_quantiles_by_the_share_that_calibrates() {
    let of = |folds: usize, share: f64| {
        let given = json!({ "method": { "id": "tree" }, "folds": folds, "calibration": share });
        registry::build("conformal-distribution", &given).unwrap().calibrating_rows(160)
    };
    assert_eq!((of(1, 0.25), of(1, 0.1), of(5, 0.25)), (40, 16, 80));
    assert_eq!(split().calibrating_rows(160), 80);
}
