use super::*;
use crate::Reading;
use crate::adapters::smartcore::{SmartcoreTree, SmartcoreTreeParameters};
use ndarray::{Array1, Array2, array, concatenate};
use proptest::prelude::{any, prop, prop_assert, proptest};
use rand::{RngExt, SeedableRng};
use sha2::{Digest, Sha256};
use uq_core::math::random::Streams;

const ALL: CartParameters =
    CartParameters { max_depth: None, min_leaf: 1, features: SplitFeatures::All };

fn context() -> Context {
    Context::new(Streams::new(1, "cart"))
}

/// A smooth target plus noise over continuous features.
fn continuous(rows: usize, columns: usize) -> Table {
    let mut rng = context().stream("data", 0);
    let features = Array2::from_shape_simple_fn((rows, columns), || rng.random::<f64>());
    let target = features
        .rows()
        .into_iter()
        .map(|x| (7.0 * x[0]).sin() + x[1] * x[columns - 1] + 0.3 * rng.random::<f64>());
    let target: Array1<f64> = target.collect();
    Table::unnamed(features, target)
}

/// Few distinct values, so that many rows tie.
fn tied(rows: usize) -> Table {
    let mut rng = context().stream("tied", 0);
    let features = Array2::from_shape_simple_fn((rows, 3), || rng.random_range(0_u32..6).into());
    let target: Array1<f64> =
        features.rows().into_iter().map(|x| x[0] * x[1] - x[2] + rng.random::<f64>()).collect();
    Table::unnamed(features, target)
}

fn grow(table: &Table, parameters: CartParameters, weights: Option<&[u32]>) -> Tree {
    let columns = Presort::new(table.features.view()).unwrap();
    let cart = Cart::new(parameters).unwrap();
    cart.grow(columns, &table.target.to_vec(), weights, &mut Rng::seed_from_u64(3)).unwrap()
}

fn predict(fitted: &dyn Fitted, features: ArrayView2<f64>) -> Array1<f64> {
    fitted
        .predict(&Reading::MAIN, features, &Request::default(), &context())
        .unwrap()
        .means()
        .unwrap()
}

#[test]
fn a_tree_has_its_hand_computed_splits() {
    // Best first split: {1, 2} against {5, 6} on the second feature; the first one is noise.
    let table = Table::unnamed(
        array![[0.0, 10.0], [1.0, 30.0], [0.0, 40.0], [1.0, 20.0]],
        array![1.0, 5.0, 6.0, 2.0],
    );
    let tree = grow(&table, CartParameters { max_depth: Some(1), ..ALL }, None);
    assert_eq!(tree.node_count(), 3);
    assert_eq!(tree.predict(array![[9.0, 25.0], [9.0, 25.1]].view()), array![1.5, 5.5]);
    assert_eq!((tree.value(0), tree.is_leaf(0), tree.is_leaf(2)), (3.5, false, true));
    assert_eq!(tree.members(2).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn trees_equal_smartcore_on_continuous_data() {
    let (train, test) = (continuous(600, 5), continuous(300, 5).features + 0.001);
    for (depth, min_leaf) in [(2, 5), (6, 5), (12, 7)] {
        let cart = Cart::new(CartParameters { max_depth: Some(depth), min_leaf, ..ALL }).unwrap();
        let reference =
            SmartcoreTree::new(SmartcoreTreeParameters { max_depth: Some(depth as u16), min_leaf })
                .unwrap();
        let own = predict(&*cart.fit(&train, &context()).unwrap(), test.view());
        let expected = predict(&*reference.fit(&train, &context()).unwrap(), test.view());
        let worst = (own - expected).mapv(f64::abs).into_iter().fold(0.0, f64::max);
        assert!(worst < 1e-12, "depth {depth}: predictions differ by {worst}");
    }
}

#[test]
fn limits_bound_the_tree() {
    let table = continuous(200, 3);
    let stump = grow(&table, CartParameters { max_depth: Some(0), ..ALL }, None);
    assert_eq!(stump.node_count(), 1);
    assert!((stump.value(0) - table.target.mean().unwrap()).abs() < 1e-14);
    let full = grow(&table, ALL, None);
    assert_eq!(full.predict(table.features.view()), table.target, "an unlimited tree interpolates");
    let coarse = grow(&table, CartParameters { min_leaf: 30, ..ALL }, None);
    assert!((0..coarse.node_count()).all(|node| coarse.members(node).count() >= 30));
    assert!(coarse.node_count() > 1);
    let constant = Table::unnamed(table.features.clone(), Array1::from_elem(200, 0.1));
    let tree = grow(&constant, ALL, None);
    assert_eq!((tree.node_count(), tree.value(0)), (1, 0.1));
}

#[test]
fn a_split_without_gain_is_made_for_those_below_it() {
    let xor = Table::unnamed(
        array![[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]],
        array![0.0, 1.0, 1.0, 0.0],
    );
    assert_eq!(grow(&xor, ALL, None).predict(xor.features.view()), xor.target);
}

#[test]
fn a_threshold_separates_neighbouring_numbers() {
    let low = 1.0_f64;
    let extremes = [
        (low, low.next_up()),
        (-low.next_up(), -low),
        (0.0, f64::from_bits(1)),
        (f64::MIN, f64::MAX),
    ];
    for (low, high) in extremes {
        let table = Table::unnamed(array![[low], [high]], array![1.0, 2.0]);
        assert_eq!(
            grow(&table, ALL, None).predict(table.features.view()),
            table.target,
            "{low} and {high}"
        );
    }
}

#[test]
fn huge_targets_do_not_overflow() {
    let table = continuous(100, 3);
    let parameters = CartParameters { max_depth: Some(4), ..ALL };
    // A power of two changes no digit.
    let factor = 2.0_f64.powi(900);
    let huge = Table::unnamed(table.features.clone(), &table.target * factor);
    let (tree, scaled) = (grow(&table, parameters, None), grow(&huge, parameters, None));
    assert_eq!(tree.predict(table.features.view()) * factor, scaled.predict(table.features.view()));
}

#[test]
fn leaves_hold_the_rows_that_reach_them() {
    let table = tied(150);
    let tree = grow(&table, CartParameters { max_depth: Some(5), min_leaf: 3, ..ALL }, None);
    let leaves = tree.apply(table.features.view());
    let mut seen = vec![0; 150];
    for leaf in (0..tree.node_count()).filter(|&node| tree.is_leaf(node)) {
        let members: Vec<usize> = tree.members(leaf).collect();
        let average = members.iter().map(|&i| table.target[i]).sum::<f64>() / members.len() as f64;
        assert!((tree.value(leaf) - average).abs() < 1e-12);
        for i in members {
            assert_eq!(leaves[i], leaf);
            seen[i] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count == 1));
}

#[test]
fn a_weight_is_that_many_copies() {
    let table = continuous(120, 4);
    let mut rng = Rng::seed_from_u64(5);
    let weights: Vec<u32> = (0..120).map(|_| rng.random_range(0..4)).collect();
    let copies: Vec<usize> =
        (0..120).flat_map(|i| std::iter::repeat_n(i, weights[i] as usize)).collect();
    let parameters = CartParameters { max_depth: Some(6), min_leaf: 4, ..ALL };
    let weighted = grow(&table, parameters, Some(&weights));
    let copied = grow(&table.select(&copies), parameters, None);
    assert_eq!(weighted.node_count(), copied.node_count());
    let difference =
        weighted.predict(table.features.view()) - copied.predict(table.features.view());
    assert!(difference.iter().all(|d| d.abs() < 1e-12), "{difference}");
    assert!(weighted.members(0).all(|i| weights[i] > 0));
    let zero = Cart::new(ALL).unwrap().grow(
        Presort::new(table.features.view()).unwrap(),
        &table.target.to_vec(),
        Some(&[0; 120]),
        &mut rng,
    );
    assert!(matches!(zero, Err(FitError::Unsupported(m)) if m.contains("positive weight")));
}

#[test]
fn shared_sorting_changes_no_bit() {
    for table in [continuous(300, 4), tied(300)] {
        for (size, features) in [
            (150, SplitFeatures::All),
            (150, SplitFeatures::Count(2)),
            (8, SplitFeatures::Count(1)),
        ] {
            let draw = |i| {
                uq_core::math::random::draw_without_replacement(
                    300,
                    size,
                    &mut context().stream("rows", i),
                )
            };
            let mut subsets: Vec<Vec<usize>> = (0..4).map(draw).collect();
            subsets.push(vec![7, 3, 7, 7, 12, 3]);
            let cart = Cart::new(CartParameters { max_depth: Some(8), features, ..ALL }).unwrap();
            let shared = cart.fit_subsets(&table, &subsets, &context()).unwrap();
            for (i, rows) in subsets.iter().enumerate() {
                let alone =
                    cart.fit(&table.select(rows), &context().child("subset", i as u64)).unwrap();
                let bits =
                    |fit: &dyn Fitted| predict(fit, table.features.view()).mapv(f64::to_bits);
                assert_eq!(bits(&*shared[i]), bits(&*alone), "subset {i} of size {size}");
            }
        }
    }
}

#[test]
fn further_features_are_drawn_while_all_are_constant() {
    let table = continuous(80, 2);
    let constant = Array2::from_elem((80, 6), 4.0);
    let wide = Table::unnamed(
        concatenate![Axis(1), constant, table.features.select(Axis(1), &[0])],
        table.target,
    );
    let one = grow(&wide, CartParameters { features: SplitFeatures::Count(1), ..ALL }, None);
    let all = grow(&wide, ALL, None);
    assert_eq!(one.predict(wide.features.view()), all.predict(wide.features.view()));
    let more_than_there_are =
        grow(&wide, CartParameters { features: SplitFeatures::Count(99), ..ALL }, None);
    assert_eq!(more_than_there_are, all);
}

proptest! {
    #[test]
    fn the_first_split_has_the_largest_gain(
        rows in prop::collection::vec((0_i32..8, 0_i32..8, -20_i32..20), 2..30),
        min_leaf in 1_usize..4,
        seed: u64,
    ) {
        let x = Array2::from_shape_fn((rows.len(), 2), |(i, j)| {
            f64::from(if j == 0 { rows[i].0 } else { rows[i].1 })
        });
        // A little noise keeps targets distinct.
        let mut rng = Rng::seed_from_u64(seed);
        let y: Array1<f64> = rows.iter().map(|r| f64::from(r.2) + rng.random::<f64>()).collect();
        let table = Table::unnamed(x, y);
        let error = |rows: &[usize]| {
            let mean = rows.iter().map(|&i| table.target[i]).sum::<f64>() / rows.len() as f64;
            rows.iter().map(|&i| (table.target[i] - mean).powi(2)).sum::<f64>()
        };
        let mut least = f64::INFINITY;
        for j in 0..2 {
            for cut in 0..8 {
                let (left, right): (Vec<_>, Vec<_>) = (0..table.rows())
                    .partition(|&i| table.features[(i, j)] <= f64::from(cut) + 0.5);
                if left.len() >= min_leaf && right.len() >= min_leaf {
                    least = least.min(error(&left) + error(&right));
                }
            }
        }
        let tree = grow(&table, CartParameters { max_depth: Some(1), min_leaf, ..ALL }, None);
        if tree.node_count() == 1 {
            prop_assert!(least.is_infinite());
        } else {
            let found = error(&tree.members(1).collect::<Vec<_>>())
                + error(&tree.members(2).collect::<Vec<_>>());
            prop_assert!(
                (found - least).abs() < 1e-9 * (1.0 + least),
                "found {found}, least {least}"
            );
        }
    }

    #[test]
    fn predictions_lie_within_the_targets(
        depth in 0_usize..9,
        min_leaf in 1_usize..20,
        at in any::<[f64; 3]>(),
    ) {
        let table = tied(60);
        let tree = grow(&table, CartParameters { max_depth: Some(depth), min_leaf, ..ALL }, None);
        let (low, high) = table.target_range().unwrap();
        let value = tree.predict(ArrayView2::from(&[at]))[0];
        prop_assert!((low..=high).contains(&value));
    }
}

#[test]
fn faults_are_named() {
    let parameters = |text: &str| serde_json::from_str::<CartParameters>(text);
    assert_eq!(
        parameters(r#"{"features": 3, "max_depth": 2}"#).unwrap().features,
        SplitFeatures::Count(3)
    );
    assert_eq!(parameters(r#"{"features": "all"}"#).unwrap(), CartParameters::default());
    assert!(
        parameters(r#"{"features": "some"}"#)
            .unwrap_err()
            .to_string()
            .contains("either \"all\" or a whole number")
    );
    assert!(
        parameters(r#"{"depth": 2}"#).unwrap_err().to_string().contains("unknown field `depth`")
    );
    let error = Cart::new(CartParameters { min_leaf: 0, ..ALL }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "parameter `min_leaf` is 0, expected a whole number of at least 1"
    );
    let error = Cart::new(CartParameters { features: SplitFeatures::Count(0), ..ALL }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "parameter `features` is 0, expected \"all\" or a whole number of at least 1"
    );
    let fit =
        |table: Table| Cart::new(ALL).unwrap().fit(&table, &context()).err().unwrap().to_string();
    assert!(
        fit(Table::unnamed(Array2::zeros((0, 1)), Array1::zeros(0))).contains("at least one row")
    );
    assert!(
        fit(Table::unnamed(array![[1.0], [2.0]], array![1.0, f64::NAN]))
            .contains("found NaN in training row 1")
    );
    let fitted = Cart::new(ALL).unwrap().fit(&continuous(9, 2), &context()).unwrap();
    let ask = |reading: Reading, columns| {
        let features = Array2::zeros((1, columns));
        fitted
            .predict(&reading, features.view(), &Request::default(), &context())
            .unwrap_err()
            .to_string()
    };
    assert!(ask(Reading::new("game"), 2).contains("'main' only, asked for 'game'"));
    assert!(ask(Reading::MAIN, 3).contains("fitted on 2 features, asked to predict from 3"));
}

/// A fit whose bytes change must raise [`Method::version`]; features drawn, ties and a depth limit
/// are all in it.
#[test]
fn the_version_stands_for_these_bytes() {
    let table = tied(50);
    let cart = Cart::new(CartParameters {
        max_depth: Some(6),
        min_leaf: 2,
        features: SplitFeatures::Count(2),
    })
    .unwrap();
    let mut hash = Sha256::new();
    for value in predict(&*cart.fit(&table, &context()).unwrap(), table.features.view()) {
        hash.update(value.to_le_bytes());
    }
    let digest: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(
        (cart.version(), digest.as_str()),
        (1, "ff11a7fa9d551444f343cdf1de79404cb0691809a52a42e33fd45a6f51f64620")
    );
}
