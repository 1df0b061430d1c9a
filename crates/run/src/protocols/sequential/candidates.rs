//! Propose points at which an acquisition is compared: the same for all acquisitions and methods of
//! a step, as far as they agree on the best point.
//!
//! Half of them are points of a scrambled Sobol sequence. The others are the best point with some
//! coordinates moved: each coordinate with probability min(1, 20/d), at least one, by a normal step
//! of standard deviation 0.2 or 0.05 in turn, cut at the sides of the cube. The share of moved
//! coordinates is that of TuRBO; the sizes are ours.
//!
//! Reference: D. Eriksson, M. Pearce, J. Gardner, R. Turner, M. Poloczek: *Scalable global
//! optimization via local Bayesian optimization*, NeurIPS 2019.

use ndarray::{Array2, ArrayView1, Axis};
use rand::RngExt;

use uq_core::math::random::Streams;
use uq_math::normal_draws::fill_standard_normal;
use uq_math::sobol::Sobol;

/// Number of points of each half.
pub const HALF: usize = 512;

/// Mean number of coordinates that are moved.
const MOVED: f64 = 20.0;

/// Standard deviations of a step, in turn.
const STEPS: [f64; 2] = [0.2, 0.05];

/// The candidates (2 · `HALF` × d) about the best point (d).
pub fn candidates(best: ArrayView1<f64>, streams: &Streams) -> Array2<f64> {
    let d = best.len();
    let spread = Sobol::new(&mut streams.stream("scrambling", 0)).points(0, HALF, d);
    let mut rng = streams.stream("moves", 0);
    let mut moved = Array2::zeros((HALF, d));
    let mut steps = vec![0.0; d];
    for (i, mut point) in moved.rows_mut().into_iter().enumerate() {
        fill_standard_normal(&mut steps, &mut rng);
        let always = rng.random_range(0..d as u64) as usize;
        for (j, step) in steps.iter().enumerate() {
            let is_moved = rng.random::<f64>() < MOVED / d as f64 || j == always;
            point[j] =
                if is_moved { (best[j] + STEPS[i % 2] * step).clamp(0.0, 1.0) } else { best[j] };
        }
    }
    let mut all = Array2::zeros((2 * HALF, d));
    let (mut first, mut second) = all.view_mut().split_at(Axis(0), HALF);
    first.assign(&spread);
    second.assign(&moved);
    all
}

#[cfg(test)]
mod tests {
    use ndarray::Array1;

    use super::*;

    #[test]
    fn half_is_spread_and_half_moves_some_coordinates_of_the_best() {
        let best = Array1::from_elem(60, 0.25);
        let streams = Streams::new(1, "candidates");
        let points = candidates(best.view(), &streams);
        assert_eq!(points.dim(), (2 * HALF, 60));
        assert_eq!(points, candidates(best.view(), &streams));
        assert_ne!(points, candidates(best.view(), &Streams::new(2, "candidates")));
        assert!(points.iter().all(|x| (0.0..=1.0).contains(x)));
        let moved = |i: usize| points.row(i).iter().filter(|x| **x != 0.25).count();
        let counts: Vec<usize> = (HALF..2 * HALF).map(moved).collect();
        assert!((0..HALF).all(|i| moved(i) == 60) && counts.iter().all(|count| *count > 0));
        // 1 + 59/3 = 20.7 on average; five standard errors of 3.6/√512.
        let mean = counts.iter().sum::<usize>() as f64 / HALF as f64;
        assert!((mean - 20.67).abs() < 0.8, "{mean}");
        // In one dimension the only coordinate is moved.
        assert!(
            candidates(Array1::from_elem(1, 0.5).view(), &streams)
                .iter()
                .skip(HALF)
                .all(|x| *x != 0.5)
        );
    }

    #[test]
    fn no_candidate_lies_at_the_centre_of_the_cube() {
        for seed in 0..20 {
            let best = Array1::from_elem(60, 0.3);
            let points = candidates(best.view(), &Streams::new(seed, "candidates"));
            let distance =
                |row: ArrayView1<f64>| row.iter().map(|x| (x - 0.5).powi(2)).sum::<f64>().sqrt();
            assert!(points.rows().into_iter().all(|row| distance(row) > 1e-3), "seed {seed}");
        }
    }
}
