use super::*;
use crate::trees::{Cart, CartParameters};
use crate::{Method, Reading};
use ndarray::{Array1, Array2, array, aview2};
use proptest::prelude::{prop_assert, proptest};
use rand::{RngExt, SeedableRng};
use sha2::{Digest, Sha256};
use uq_core::math::random::{Rng, Streams};
use uq_core::predictive::Atoms;

mod package;

fn context() -> Context {
    Context::new(Streams::new(1, "forest"))
}

/// A smooth target with noise that grows along the first feature.
fn table(rows: usize, columns: usize) -> Table {
    let mut rng = context().stream("data", 0);
    let features = Array2::from_shape_simple_fn((rows, columns), || rng.random::<f64>());
    let target = features
        .rows()
        .into_iter()
        .map(|x| (5.0 * x[0]).sin() + x[columns - 1] + x[0] * rng.random::<f64>());
    let target: Array1<f64> = target.collect();
    Table::unnamed(features, target)
}

/// The same with a target of few whole numbers.
fn rounded(rows: usize) -> Table {
    let table = table(rows, 3);
    Table::unnamed(table.features, table.target.mapv(|y| (2.0 * y).round()))
}

fn parameters(trees: usize, min_leaf: usize) -> QuantileForestParameters {
    QuantileForestParameters { trees, min_leaf, ..QuantileForestParameters::default() }
}

fn fit(parameters: QuantileForestParameters, train: &Table) -> Box<dyn Fitted> {
    QuantileForest::new(parameters).unwrap().fit(train, &context()).unwrap()
}

fn predict(fitted: &dyn Fitted, features: ArrayView2<f64>) -> Predictive {
    let predictive =
        fitted.predict(&Reading::MAIN, features, &Request::default(), &context()).unwrap();
    assert_eq!(predictive.validate(), Ok(()));
    predictive
}

fn atoms(predictive: &Predictive) -> &Atoms {
    match &predictive.form {
        Form::Atoms(atoms) => atoms,
        other => panic!("expected atoms, found {}", other.kind()),
    }
}

#[test]
fn one_tree_without_bootstrap_is_the_leafs_empirical_distribution() {
    let train = rounded(120);
    let given = QuantileForestParameters {
        trees: 1,
        min_leaf: 7,
        features: ForestFeatures::All,
        bootstrap: false,
        ..QuantileForestParameters::default()
    };
    let predictive = predict(&*fit(given, &train), train.features.view());
    let cart = Cart::new(CartParameters { min_leaf: 7, ..CartParameters::default() }).unwrap();
    let columns = crate::trees::Presort::new(train.features.view()).unwrap();
    let tree =
        cart.grow(columns, &train.target.to_vec(), None, &mut Rng::seed_from_u64(0)).unwrap();
    assert!(tree.node_count() > 6);
    for (i, leaf) in tree.apply(train.features.view()).into_iter().enumerate() {
        let members: Vec<f64> = tree.members(leaf).map(|row| train.target[row]).collect();
        for y in [-1.0, 0.0, 1.0, 2.0, 3.0] {
            let share =
                members.iter().filter(|&&member| member <= y).count() as f64 / members.len() as f64;
            assert!(
                (predictive.distribution().cdf(i, y).unwrap() - share).abs() < 1e-12,
                "row {i} at {y}"
            );
        }
        assert!((predictive.distribution().mean(i).unwrap() - tree.value(leaf)).abs() < 1e-12);
    }
}

#[test]
fn leaves_of_all_rows_give_the_bootstrap_distribution_everywhere() {
    let train = rounded(40);
    let predictive = predict(&*fit(parameters(30, 40), &train), train.features.view());
    // How often each target was drawn in the 30 bags, from the documented streams of the forest.
    let mut drawn = [0_u32; 40];
    for t in 0..30 {
        let mut rng = context().stream("bootstrap", t);
        for _ in 0..40 {
            drawn[rng.random_range(0..40_u64) as usize] += 1;
        }
    }
    for y in [-1.0, 0.0, 1.0, 2.0, 3.0, 4.0] {
        let below: u32 = (0..40).filter(|&i| train.target[i] <= y).map(|i| drawn[i]).sum();
        for i in [0, 7, 39] {
            let found = predictive.distribution().cdf(i, y).unwrap();
            assert!((found - f64::from(below) / 1200.0).abs() < 1e-12, "F({y}) is {found}");
        }
    }
}

#[test]
fn ends_of_an_interval_belong_to_it() {
    // Four targets of equal weight: 50 % of the probability lies strictly between the quartiles'
    // neighbours.
    let train = Table::unnamed(Array2::zeros((4, 1)), array![1.0, 2.0, 3.0, 4.0]);
    let given = QuantileForestParameters {
        trees: 1,
        bootstrap: false,
        ..QuantileForestParameters::default()
    };
    let predictive = predict(&*fit(given, &train), aview2(&[[0.0]]));
    let (lower, upper) = predictive.interval(0, 0.5).unwrap();
    assert_eq!((lower, upper), (1.0, 3.0));
    let distribution = predictive.distribution();
    let covered = distribution.cdf(0, upper).unwrap() - distribution.cdf_below(0, lower).unwrap();
    assert!((covered - 0.75).abs() < 1e-12, "a closed interval covers {covered}");
    assert_eq!(distribution.log_density(0, 2.0), None);
    // ∫ (F(x) − 1{1 ≤ x})² dx = (9 + 4 + 1)/16.
    assert!((distribution.crps(0, 1.0).unwrap() - 0.875).abs() < 1e-12);
}

proptest! {
    #[test]
    fn predictions_are_distributions_within_the_targets(
        rows in 1_usize..60,
        trees in 1_usize..12,
        min_leaf in 1_usize..20,
        weighted_leaves: bool,
        discrete: bool,
    ) {
        let train = if discrete { rounded(rows) } else { table(rows, 3) };
        let fitted = fit(
            QuantileForestParameters { weighted_leaves, ..parameters(trees, min_leaf) },
            &train,
        );
        let predictive = predict(&*fitted, (table(7, 3).features + 0.01).view());
        let (low, high) = train.target_range().unwrap();
        for i in 0..7 {
            let sum: f64 = atoms(&predictive).weights.row(i).sum();
            prop_assert!((sum - 1.0).abs() < 1e-12, "weights sum to {sum}");
            let mean = predictive.distribution().mean(i).unwrap();
            prop_assert!(mean >= low - 1e-12 && mean <= high + 1e-12);
            let quantiles: Vec<f64> = (1..40)
                .map(|k| predictive.distribution().quantile(i, f64::from(k) / 40.0).unwrap())
                .collect();
            prop_assert!(quantiles.is_sorted());
            prop_assert!(quantiles.iter().all(|q| train.target.iter().any(|y| y == q)));
        }
    }
}

#[test]
fn a_smaller_forest_is_a_prefix_of_a_larger_one() {
    let train = table(80, 4);
    let grow = |trees| parameters(trees, 5).grow(&train, &context()).unwrap();
    let (small, mut large) = (grow(6), grow(11));
    assert_ne!(small, large);
    large.truncate(6);
    assert_eq!(small, large);
}

#[test]
fn predictions_do_not_depend_on_the_thread_or_the_block() {
    let train = table(150, 4);
    let fitted = fit(parameters(20, 5), &train);
    let all = predict(&*fitted, train.features.view());
    let alone = predict(&*fitted, train.features.slice_axis(ndarray::Axis(0), (131..132).into()));
    assert_eq!(all.distribution().mean(131), alone.distribution().mean(0));
    let threads: Vec<Predictive> = std::thread::scope(|scope| {
        let run = || predict(&*fit(parameters(20, 5), &train), train.features.view());
        let handles: Vec<_> = (0..3).map(|_| scope.spawn(run)).collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    assert!(threads.iter().all(|found| *found == all));
}

#[test]
fn where_atoms_take_too_much_room_the_quantiles_are_still_exact() {
    let train = table(90, 3);
    let forest = parameters(10, 5).grow(&train, &context()).unwrap();
    let method = PhantomData::<QuantileForestParameters>;
    let fitted = FittedForest { forest, side_tables: Vec::new(), method };
    let answer =
        |limit| fitted.form(train.features.view(), &Request::default(), &context(), limit).unwrap();
    let (atoms, grid) = (Predictive::new(answer(ATOM_CELLS)), Predictive::new(answer(100)));
    assert!(matches!((&atoms.form, &grid.form), (Form::Atoms(_), Form::Quantiles(_))));
    assert_eq!(grid.validate(), Ok(()));
    for level in [0.025, 0.1, 0.5, 0.9, 0.975] {
        for i in 0..90 {
            assert_eq!(
                atoms.distribution().quantile(i, level),
                grid.distribution().quantile(i, level)
            );
        }
    }
}

#[test]
fn out_of_bag_intervals_have_their_coverage_and_are_stored_on_request() {
    let train = table(400, 3);
    let given = QuantileForestParameters { out_of_bag: true, ..parameters(60, 5) };
    let side_tables = fit(given, &train).side_tables();
    let table = side_tables.iter().find(|side_table| side_table.name == "out-of-bag").unwrap();
    let column = |name| table.column(name).unwrap();
    assert_eq!(column("row").len(), 400);
    // A row is out of the bag with probability (1 − 1/400)⁴⁰⁰ = 0.3674: 22.04 of 60 trees, sd of
    // the mean over rows < 0.2.
    let mean = column("trees").iter().sum::<f64>() / 400.0;
    assert!((mean - 22.04).abs() < 1.0, "{mean} trees a row");
    let covered = (0..400).filter(|&i| {
        let y = train.target[column("row")[i] as usize];
        column("q0.1")[i] <= y && y <= column("q0.9")[i]
    });
    // With a row's own trees all 400 would be covered; binomial noise about 80 % is ± 8 at one sd.
    let covered = covered.count();
    assert!((272..=384).contains(&covered), "{covered} of 400 in their 80 % interval");
    assert!(fit(parameters(5, 5), &train).side_tables().is_empty());
}

#[test]
fn the_search_takes_the_lowest_out_of_bag_crps_and_its_forest_is_that_of_the_settings() {
    let train = table(120, 3);
    let given = QuantileForestValidatedParameters {
        search_trees: 20,
        min_leaf: vec![2, 60],
        trees: vec![40, 10],
        ..QuantileForestValidatedParameters::default()
    };
    let fitted = QuantileForestValidated::new(given).unwrap().fit(&train, &context()).unwrap();
    let side_tables = fitted.side_tables();
    let column = |name| side_tables[0].column(name).unwrap();
    // Two numbers of features, two leaves, two lengths.
    assert_eq!((side_tables[0].name.as_str(), column("crps").len()), ("search", 6));
    let chosen = column("chosen").iter().position(|&c| c == 1.0).unwrap();
    assert_eq!(column("chosen").iter().sum::<f64>(), 1.0);
    assert_eq!(column("min_leaf")[chosen], 2.0, "half of the rows in a leaf hide the signal");
    let lowest = column("crps")[4..].iter().copied().fold(f64::INFINITY, f64::min);
    assert_eq!(column("crps")[chosen], lowest);
    let features = ForestFeatures::Count(column("features")[chosen] as usize);
    let features =
        if features == ForestFeatures::Count(3) { ForestFeatures::All } else { features };
    let alone =
        QuantileForestParameters { features, ..parameters(column("trees")[chosen] as usize, 2) };
    assert_eq!(
        predict(&*fitted, train.features.view()),
        predict(&*fit(alone, &train), train.features.view())
    );
}

#[test]
fn faults_are_named() {
    let error =
        |given: QuantileForestParameters| QuantileForest::new(given).unwrap_err().to_string();
    assert_eq!(
        error(parameters(0, 1)),
        "parameter `trees` is 0, expected a whole number of at least 1"
    );
    assert_eq!(
        error(parameters(1, 0)),
        "parameter `min_leaf` is 0, expected a whole number of at least 1"
    );
    let none = QuantileForestParameters { features: ForestFeatures::Count(0), ..parameters(1, 1) };
    assert!(error(none).contains("\"third\", \"all\" or"));
    let impossible =
        QuantileForestParameters { bootstrap: false, out_of_bag: true, ..parameters(1, 1) };
    assert!(
        error(impossible)
            .contains("`out_of_bag` is true, expected false where `bootstrap` is false")
    );
    let empty = QuantileForestValidatedParameters {
        trees: vec![],
        ..QuantileForestValidatedParameters::default()
    };
    assert!(QuantileForestValidated::new(empty).unwrap_err().to_string().contains("`trees` is []"));
    let read = |text: &str| serde_json::from_str::<QuantileForestParameters>(text);
    assert_eq!(read(r#"{"features": 2}"#).unwrap().features, ForestFeatures::Count(2));
    assert!(
        read(r#"{"features": "half"}"#)
            .unwrap_err()
            .to_string()
            .contains("\"third\", \"all\" or a whole number")
    );

    let fault = |train: Table| {
        let method = QuantileForest::new(parameters(3, 1)).unwrap();
        method.fit(&train, &context()).err().unwrap().to_string()
    };
    assert!(
        fault(Table::unnamed(Array2::zeros((0, 2)), Array1::zeros(0)))
            .contains("at least 1 training row, found 0")
    );
    assert!(
        fault(Table::unnamed(array![[1.0], [f64::NAN]], array![1.0, 2.0]))
            .contains("NaN in training row 1, feature 0")
    );
    assert!(
        fault(Table::unnamed(array![[1.0], [2.0]], array![1.0, f64::INFINITY]))
            .contains("found inf in training row 1")
    );
    let one = Table::unnamed(array![[1.0]], array![2.0]);
    let alone = QuantileForestValidated::new(QuantileForestValidatedParameters::default()).unwrap();
    assert!(
        alone
            .fit(&one, &context())
            .err()
            .unwrap()
            .to_string()
            .contains("none of 1 training rows is out of the bag")
    );
    let fitted = fit(parameters(3, 1), &table(9, 2));
    let ask = |features: Array2<f64>| {
        fitted
            .predict(&Reading::MAIN, features.view(), &Request::default(), &context())
            .unwrap_err()
            .to_string()
    };
    assert!(ask(Array2::zeros((1, 3))).contains("fitted on 2 features, asked to predict from 3"));
    assert!(ask(array![[0.0, 1.0], [f64::NAN, 1.0]]).contains("NaN in row 1, feature 0"));
    assert_eq!(predict_none(&*fitted), 0);
}

/// Rows of a prediction of no row.
fn predict_none(fitted: &dyn Fitted) -> usize {
    fitted
        .predict(&Reading::MAIN, Array2::zeros((0, 2)).view(), &Request::default(), &context())
        .unwrap()
        .len()
}

/// A fit whose bytes change must raise [`Method::version`].
#[test]
fn the_version_stands_for_these_bytes() {
    let train = rounded(50);
    let digest = |method: &dyn Method| {
        let fitted = method.fit(&train, &context()).unwrap();
        let mut hash = Sha256::new();
        for value in predict(&*fitted, train.features.view()).means().unwrap() {
            hash.update(value.to_le_bytes());
        }
        hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let plain = QuantileForest::new(parameters(12, 3)).unwrap();
    let validated = QuantileForestValidated::new(QuantileForestValidatedParameters {
        search_trees: 10,
        trees: vec![10, 20],
        ..QuantileForestValidatedParameters::default()
    });
    let validated = validated.unwrap();
    assert_eq!([plain.version(), validated.version()], [2, 2]);
    assert_eq!([digest(&plain), digest(&validated)], ["b0a6d8296389b8d8", "45b6b41c2d24e6be"]);
}
