//! Compare what fits take with what `try` expects them to take, which its budget rests on.

use std::time::Instant;

use ndarray::{Array1, Array2, Axis, Slice};
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_core::predictive::{Bounds, Side};
use uq_math::normal_draws::fill_standard_normal;
use uqbench_run::candidates::{ALL, candidates};
use uqbench_run::runner::try_table::{Question, Stop, fit, predict};

/// Training rows and features.
const SIZES: [(usize, usize); 6] =
    [(100, 5), (400, 5), (400, 20), (2000, 10), (8000, 10), (20_000, 30)];
/// A fit that is expected to take longer, in seconds, is left out.
const LONGEST: f64 = 60.0;

/// A smooth target of the first three features with noise that grows, rounded as measurements are.
fn table(rows: usize, columns: usize) -> Table {
    let streams = Streams::new(1, "costs of try");
    let mut draws = vec![0.0; rows * (columns + 1)];
    fill_standard_normal(&mut draws, &mut streams.stream("draws", 0));
    let all = Array2::from_shape_vec((rows, columns + 1), draws).unwrap();
    let features =
        all.slice_axis(Axis(1), Slice::from(..columns)).mapv(|x| (x * 100.0).round() / 100.0);
    let target = Array1::from_shape_fn(rows, |i| {
        let x = features.row(i);
        (x[0] * 2.0).sin() + x[1] * x[2] + (0.3 + 0.2 * x[0].abs()) * all[(i, columns)]
    });
    Table::unnamed(features, target)
}

/// `just costs-of-try` prints for each method and size the seconds of one fit, with predictions of
/// a quarter as many rows, and how many times as long that is as expected.
#[test]
#[ignore = "takes a quarter of an hour, alone on the machine"]
fn seconds_of_fits_beside_what_is_expected() {
    println!("| Method | Rows | Features | Seconds | Expected | Ratio |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    let bounds = Bounds { level: 0.9, side: Side::Both };
    for candidate in candidates(&[ALL.to_owned()]).unwrap() {
        for (rows, columns) in SIZES {
            let Some(expected) =
                candidate.cost.as_ref().map(|cost| cost(rows as f64, columns as f64))
            else {
                continue;
            };
            if expected > LONGEST {
                continue;
            }
            let table = table(rows, columns);
            let new = table.features.slice_axis(Axis(0), Slice::from(..rows / 4)).to_owned();
            let once = || {
                let start = Instant::now();
                let fit = fit(&table, 1, &candidate, &Stop::never()).ok()?;
                predict(&fit, Question { bounds, rows, seed: 1 }, &candidate, &new).ok()?;
                Some(start.elapsed().as_secs_f64())
            };
            // The first one pays for what is made once.
            let Some(first) = once() else { continue };
            let seconds = if first < 0.5 {
                (0..3).filter_map(|_| once()).fold(first, f64::min)
            } else {
                first
            };
            println!(
                "| `{}` | {rows} | {columns} | {seconds:.5} | {expected:.5} | {:.2} |",
                candidate.id,
                seconds / expected
            );
        }
    }
}
