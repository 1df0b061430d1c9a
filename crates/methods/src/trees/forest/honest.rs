//! Give the leaves of a tree rows that did not choose its splits, and remove the splits that
//! separate none of them.

use ndarray::{ArrayView2, Axis};

use crate::trees::Tree;
use crate::trees::tree::Node;

/// The same tree with `rows` (at least one) as members: each is in the leaf that it falls into.
/// `features` and `target` are those of the table. A node one of whose children gets no row is
/// replaced by the other child.
pub(super) fn repopulated(
    mut tree: Tree,
    rows: &[u32],
    features: ArrayView2<f64>,
    target: &[f64],
) -> Tree {
    let places: Vec<usize> = rows.iter().map(|&row| row as usize).collect();
    let found = tree.apply(features.select(Axis(0), &places).view());
    // In the order of the leaves from left to right, so that the members of every node stay
    // together.
    let mut order: Vec<(usize, usize, u32)> =
        found.iter().zip(rows).map(|(&leaf, &row)| (tree.spans[leaf].start, leaf, row)).collect();
    order.sort_unstable();
    tree.members = order.iter().map(|&(_, _, row)| row).collect();
    tree.spans.iter_mut().for_each(|span| *span = 0..0);
    for (i, &(_, leaf, _)) in order.iter().enumerate() {
        let span = &mut tree.spans[leaf];
        *span = if span.start == span.end { i..i + 1 } else { span.start..i + 1 };
    }
    // Children come after their parent.
    for node in (0..tree.nodes.len()).rev() {
        let (left, right) = (tree.nodes[node].left(), tree.nodes[node].left() + 1);
        if !tree.is_leaf(node) {
            let sides = [left, right].map(|child| !tree.spans[child].is_empty());
            match sides {
                [true, true] => tree.spans[node] = tree.spans[left].start..tree.spans[right].end,
                [false, false] => {}
                [is_left, _] => {
                    let child = if is_left { left } else { right };
                    tree.spans[node] = tree.spans[child].clone();
                    tree.nodes[node] =
                        if tree.is_leaf(child) { Node::leaf(node) } else { tree.nodes[child] };
                }
            }
        }
        let members = &tree.members[tree.spans[node].clone()];
        let sum: f64 = members.iter().map(|&row| target[row as usize]).sum();
        tree.values[node] = sum / members.len() as f64;
    }
    tree
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trees::{Cart, CartParameters, Presort};
    use ndarray::Array2;
    use proptest::prelude::{any, prop, prop_assert, prop_assert_eq, proptest};
    use rand::SeedableRng;
    use uq_core::math::random::Rng;

    proptest! {
        #[test]
        fn the_leaf_of_a_row_has_all_new_rows_that_fall_into_it(
            values in prop::collection::vec((0_u8..20, 0_u8..20, -5_i8..6), 4..60),
            picks in prop::collection::vec(any::<bool>(), 60),
        ) {
            let features = Array2::from_shape_fn((values.len(), 2), |(i, j)| {
                f64::from([values[i].0, values[i].1][j])
            });
            let target: Vec<f64> = values.iter().map(|value| f64::from(value.2)).collect();
            let weights: Vec<u32> =
                (0..values.len()).map(|i| u32::from(i == 0 || picks[i])).collect();
            let rows: Vec<u32> =
                (0..values.len() as u32).filter(|&i| i == 1 || weights[i as usize] == 0).collect();
            let cart = Cart::new(CartParameters::default()).unwrap();
            let columns = Presort::new(features.view()).unwrap();
            let grown =
                cart.grow(columns, &target, Some(&weights), &mut Rng::seed_from_u64(0)).unwrap();
            let before = grown.apply(features.view());
            let tree = repopulated(grown, &rows, features.view(), &target);
            for (i, leaf) in tree.apply(features.view()).into_iter().enumerate() {
                let mut found: Vec<usize> = tree.members(leaf).collect();
                found.sort_unstable();
                let expected: Vec<usize> = rows
                    .iter()
                    .map(|&row| row as usize)
                    .filter(|&row| before[row] == before[i])
                    .collect();
                // A leaf without new rows is gone: the row falls into what stands beside it.
                prop_assert!(!found.is_empty());
                if !expected.is_empty() {
                    prop_assert_eq!(&found, &expected);
                    let mean =
                        found.iter().map(|&row| target[row]).sum::<f64>() / found.len() as f64;
                    prop_assert!((tree.value(leaf) - mean).abs() < 1e-12);
                }
            }
            let mut all: Vec<usize> = tree.members(0).collect();
            all.sort_unstable();
            prop_assert_eq!(all, rows.iter().map(|&row| row as usize).collect::<Vec<_>>());
        }
    }
}
