use super::*;
use crate::boosting::fixtures::context;
use crate::boosting::gradients::Gradients;
use crate::boosting::tree::Tree;
use ndarray::Array2;
use proptest::prelude::{prop, prop_assert, prop_assert_eq, proptest};

/// Whole numbers, some of them missing.
fn features(cells: &[u8], columns: usize) -> Array2<f64> {
    let value = |(i, j): (usize, usize)| match cells[i * columns + j] {
        0 => f64::NAN,
        value => f64::from(value),
    };
    Array2::from_shape_fn((cells.len() / columns, columns), value)
}

fn squares(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

/// The largest decrease of squares by any threshold of any feature, missing values on either side.
fn best_by_hand(x: &Array2<f64>, y: &[f64], min_leaf: usize) -> f64 {
    let mut best = 0.0_f64;
    for column in x.columns() {
        for threshold in 1..9 {
            for missing_left in [false, true] {
                let goes = |i: usize| {
                    if column[i].is_nan() {
                        missing_left
                    } else {
                        column[i] <= f64::from(threshold)
                    }
                };
                let (left, right): (Vec<usize>, Vec<usize>) = (0..y.len()).partition(|&i| goes(i));
                if left.len() >= min_leaf && right.len() >= min_leaf {
                    let part =
                        |rows: &[usize]| squares(&rows.iter().map(|&i| y[i]).collect::<Vec<_>>());
                    best = best.max(squares(y) - part(&left) - part(&right));
                }
            }
        }
    }
    best
}

proptest! {
    #[test]
    fn the_first_split_is_the_best_one(
        cells in prop::collection::vec(0_u8..8, 24..60),
        y in prop::collection::vec(-5_i32..5, 30),
        min_leaf in 1_usize..4,
    ) {
        let x = features(&cells, 2);
        let y: Vec<f64> = y[..x.nrows()].iter().map(|&y| f64::from(y)).collect();
        let bins = Bins::new(x.view());
        let limits = Limits { leaves: 2, depth: None, min_leaf };
        let rows = (0..y.len() as u32).collect();
        let grown =
            grow(&bins, &Gradients(y.clone()), rows, Vec::new(), &[0, 1], limits, &context(1))
                .unwrap();
        let of = |(inside, _): &(Range<usize>, Range<usize>)| -> Vec<f64> {
            grown.inside[inside.clone()].iter().map(|&row| y[row as usize]).collect()
        };
        let found = squares(&y) - grown.leaves.iter().map(|leaf| squares(&of(leaf))).sum::<f64>();
        let expected = best_by_hand(&x, &y, min_leaf);
        prop_assert!((found - expected).abs() < 1e-9, "{} {}", found, expected);
    }

    #[test]
    fn rows_reach_the_leaf_that_the_tree_predicts(
        cells in prop::collection::vec(0_u8..8, 30..180),
        y in prop::collection::vec(-5_i32..5, 60),
        leaves in 2_usize..12,
        depth in 1_usize..5,
        min_leaf in 1_usize..6,
    ) {
        let x = features(&cells, 3);
        let y: Vec<f64> = y[..x.nrows()].iter().map(|&y| f64::from(y)).collect();
        let bins = Bins::new(x.view());
        let limits = Limits { leaves, depth: Some(depth), min_leaf };
        let (inside, outside): (Vec<u32>, Vec<u32>) =
            (0..y.len() as u32).partition(|row| row % 3 != 0);
        let grown = grow(
            &bins,
            &Gradients(y.clone()),
            inside.clone(),
            outside,
            &[0, 2],
            limits,
            &context(1),
        )
        .unwrap();
        prop_assert!(grown.leaves.len() <= leaves.min(1 << depth));
        prop_assert_eq!(grown.nodes.len(), 2 * grown.leaves.len() - 1);
        let enough = grown.leaves.iter().all(|(rows, _)| rows.len() >= min_leaf.min(inside.len()));
        prop_assert!(enough);
        let numbers = (0..grown.leaves.len()).map(|leaf| leaf as f64).collect();
        let mut seen = vec![0; y.len()];
        let tree = Tree::new(grown.nodes.clone(), numbers, 1);
        grown.each_row(|leaf, row| {
            seen[row] += 1;
            assert_eq!(tree.at(x.row(row)), [leaf as f64]);
        });
        prop_assert!(seen.iter().all(|&times| times == 1));
    }
}

/// Three leaves of a step function: the leaf of the larger gain is split first.
#[test]
fn the_leaf_of_the_largest_gain_is_split_first() {
    let x = Array2::from_shape_fn((8, 1), |(i, _)| i as f64);
    let y = vec![0.0, 0.0, 1.0, 1.0, 20.0, 20.0, 30.0, 30.0];
    let limits = Limits { leaves: 3, depth: None, min_leaf: 1 };
    let grown = grow(
        &Bins::new(x.view()),
        &Gradients(y),
        (0..8).collect(),
        vec![],
        &[0],
        limits,
        &context(1),
    )
    .unwrap();
    let mut sizes: Vec<usize> = grown.leaves.iter().map(|(rows, _)| rows.len()).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [2, 2, 4]);
    assert!(matches!(grown.nodes[0], Node::Split { threshold: 3.5, missing_left: true, .. }));
}
