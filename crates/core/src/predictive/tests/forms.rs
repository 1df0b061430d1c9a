//! Forms of every kind over two points.

use ndarray::{Array1, Array2, Axis, Slice};
use proptest::prelude::Strategy;

use crate::predictive::{
    Atoms, Form, Gaussian, Kernel, Kind, Mixture, Piecewise, Quantiles, Samples, Smoothed, StudentT,
};

/// Whether the distribution function has steps or corners, at which Simpson's rule is less exact.
pub fn has_corners(kind: Kind) -> bool {
    matches!(kind, Kind::Atoms | Kind::Samples | Kind::Quantiles | Kind::Piecewise)
}

/// All kinds of forms.
pub const KINDS: [Kind; 8] = [
    Kind::Gaussian,
    Kind::StudentT,
    Kind::Mixture,
    Kind::Atoms,
    Kind::Quantiles,
    Kind::Samples,
    Kind::Piecewise,
    Kind::Smoothed,
];

/// A form over two points, from numbers that proptest chooses.
pub fn any_form() -> impl Strategy<Value = Form> {
    let numbers = proptest::collection::vec(-3.0..3.0_f64, 10);
    let positives = proptest::collection::vec(0.05..2.0_f64, 10);
    let kind = proptest::sample::select(KINDS.to_vec());
    (kind, numbers, positives)
        .prop_map(|(kind, numbers, positives)| form(kind, &numbers, &positives))
}

/// A form over two points from ten numbers and ten positive numbers.
pub fn form(kind: Kind, numbers: &[f64], positives: &[f64]) -> Form {
    let values = Array2::from_shape_vec((2, 5), numbers.to_vec()).unwrap();
    let shares = Array2::from_shape_vec((2, 5), positives.to_vec()).unwrap();
    let weights = &shares / &shares.sum_axis(Axis(1)).insert_axis(Axis(1));
    let two = |v: &[f64], from: usize| Array1::from(vec![v[from], v[from + 1]]);
    match kind {
        Kind::Gaussian => {
            Form::Gaussian(Gaussian { mean: two(numbers, 0), variance: two(positives, 0) })
        }
        Kind::StudentT => Form::StudentT(StudentT {
            location: two(numbers, 0),
            scale: two(positives, 0),
            degrees_of_freedom: 2.1 + 10.0 * two(positives, 2),
        }),
        Kind::Mixture => Form::Mixture(Mixture { weights, means: values, variances: shares }),
        Kind::Atoms => Form::Atoms(Atoms { values, weights: weights.select(Axis(0), &[0]) }),
        Kind::Samples => Form::Samples(Samples { values }),
        Kind::Quantiles => Form::Quantiles(Quantiles {
            levels: vec![0.05, 0.2, 0.5, 0.7, 0.95],
            values: sorted(values),
        }),
        Kind::Piecewise => {
            // Edges are at least 0.01 apart. The weights are those of four pieces and of the lower
            // tail, less a share.
            let edges = sorted(values) + 0.01 * Array1::from_iter((0..5).map(f64::from));
            let tail =
                |row: usize| [0.9 * weights[[row, 4]], shares[[row, 0]], 0.1, shares[[row, 1]]];
            let tails = Array2::from_shape_fn((2, 4), |(row, at)| tail(row)[at]);
            let rest = (&tails.column(0) + &tails.column(2)).insert_axis(Axis(1));
            let pieces = weights.slice_axis(Axis(1), Slice::from(..4)).to_owned();
            let masses = &pieces * ((1.0 - rest) / pieces.sum_axis(Axis(1)).insert_axis(Axis(1)));
            Form::Piecewise(Piecewise { edges, masses, tails })
        }
        Kind::Smoothed => Form::Smoothed(Smoothed {
            values,
            weights,
            bandwidth: two(positives, 0),
            kernel: Kernel::StudentT { degrees_of_freedom: 2.1 + 10.0 * positives[2] },
        }),
    }
}

/// The values in order along each row.
fn sorted(mut values: Array2<f64>) -> Array2<f64> {
    for mut row in values.rows_mut() {
        let mut sorted = row.to_vec();
        sorted.sort_by(f64::total_cmp);
        row.assign(&Array1::from(sorted));
    }
    values
}
