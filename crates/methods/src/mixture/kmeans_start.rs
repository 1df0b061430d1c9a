//! Choose the start of expectation maximisation: k-means from a k-means++ seeding.
//!
//! The steps are not those of [`uq_math::k_means`], in which a mean may have no rows. This is own
//! code, because `linfa-clustering` uses ndarray 0.16 and rand 0.8, its random numbers are not
//! those of a trial's stream, and it would lengthen every build for one page of code.
//!
//! # References
//! D. Arthur, S. Vassilvitskii: *k-means++: the advantages of careful seeding*, SODA 2007
//! (Algorithm 2.2). S. P. Lloyd: *Least squares quantization in PCM*, IEEE Trans. Inf. Theory 28,
//! 1982.

use ndarray::{Array2, ArrayView2};
use rand::RngExt;

use super::MixtureError;
use uq_core::math::random::Rng;
use uq_math::k_means::draw_in_proportion;
use uq_math::neighbours::squared_distance;

/// Largest number of Lloyd steps; the start need not be the optimum.
const MAX_STEPS: usize = 50;

/// Lloyd steps end when the sum of squared distances falls by less than this share of itself.
const TOLERANCE: f64 = 1e-4;

/// The cluster of each of n rows, each of `clusters` ≥ 1 clusters with at least one row.
///
/// A cluster that loses all its rows takes the row that lies farthest from its own centre.
///
/// # Errors
/// [`MixtureError::TooFewRows`] for fewer distinct rows than clusters, [`MixtureError::NotFinite`]
/// for a number that is not finite or rows too far apart for squared distances.
pub(super) fn cluster(
    rows: ArrayView2<f64>,
    clusters: usize,
    rng: &mut Rng,
) -> Result<Vec<usize>, MixtureError> {
    let rows = rows.as_standard_layout();
    let (n, m) = rows.dim();
    let point = |i: usize| rows.row(i).to_slice().unwrap_or(&[]);
    let (mut centres, mut distances) = (Array2::zeros((clusters, m)), vec![f64::INFINITY; n]);
    let mut chosen = rng.random_range(0..n as u64) as usize;
    for c in 0..clusters {
        if c > 0 {
            chosen = draw_in_proportion(&distances, rng)
                .ok_or(MixtureError::TooFewRows { components: clusters, distinct: c })?;
        }
        centres.row_mut(c).assign(&rows.row(chosen));
        for (i, nearest) in distances.iter_mut().enumerate() {
            *nearest = nearest.min(squared_distance(point(i), point(chosen)));
        }
        let total: f64 = distances.iter().sum();
        if !total.is_finite() {
            let row = distances.iter().position(|d| !d.is_finite()).unwrap_or(chosen);
            return Err(MixtureError::NotFinite { row });
        }
    }
    let mut labels = vec![0; n];
    let mut previous = f64::INFINITY;
    for _ in 0..MAX_STEPS {
        let centre = |c: usize| centres.row(c).to_slice().unwrap_or(&[]);
        for (i, (label, distance)) in labels.iter_mut().zip(&mut distances).enumerate() {
            (*label, *distance) = nearest(point(i), clusters, centre);
        }
        fill_empty(&mut labels, &mut distances, clusters);
        centres = means(rows.view(), &labels, clusters);
        let total: f64 = distances.iter().sum();
        if total >= previous * (1.0 - TOLERANCE) {
            break;
        }
        previous = total;
    }
    Ok(labels)
}

/// The nearest centre, the first of equals, and its squared distance.
fn nearest<'a>(
    point: &[f64],
    clusters: usize,
    centre: impl Fn(usize) -> &'a [f64],
) -> (usize, f64) {
    let mut best = (0, f64::INFINITY);
    for c in 0..clusters {
        let distance = squared_distance(point, centre(c));
        if distance < best.1 {
            best = (c, distance);
        }
    }
    best
}

/// Gives every empty cluster the farthest row of the clusters with several rows.
fn fill_empty(labels: &mut [usize], distances: &mut [f64], clusters: usize) {
    let mut counts = vec![0_usize; clusters];
    labels.iter().for_each(|&label| counts[label] += 1);
    for empty in 0..clusters {
        if counts[empty] > 0 {
            continue;
        }
        let mut farthest = None;
        for (i, &distance) in distances.iter().enumerate() {
            if counts[labels[i]] > 1 && farthest.is_none_or(|(_, d)| distance > d) {
                farthest = Some((i, distance));
            }
        }
        if let Some((i, _)) = farthest {
            counts[labels[i]] -= 1;
            counts[empty] = 1;
            labels[i] = empty;
            distances[i] = 0.0;
        }
    }
}

/// The mean of each cluster's rows, clusters × m.
fn means(rows: ArrayView2<f64>, labels: &[usize], clusters: usize) -> Array2<f64> {
    let mut sums = Array2::zeros((clusters, rows.ncols()));
    let mut counts = vec![0.0; clusters];
    for (row, &label) in rows.rows().into_iter().zip(labels) {
        let mut sum = sums.row_mut(label);
        sum += &row;
        counts[label] += 1.0;
    }
    for (mut sum, count) in sums.rows_mut().into_iter().zip(counts) {
        sum /= count;
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;
    use uq_core::math::random::Streams;

    fn rng() -> Rng {
        Streams::new(1, "k-means").stream("start", 0)
    }

    #[test]
    fn three_far_groups_are_found() {
        let rows = Array2::from_shape_fn((60, 2), |(i, j)| {
            [0.0, 10.0, 25.0][i % 3] * (1.0 + j as f64) + ((i * 7 + j * 3) % 11) as f64 / 10.0
        });
        let labels = cluster(rows.view(), 3, &mut rng()).unwrap();
        assert!((3..60).all(|i| labels[i] == labels[i % 3]), "{labels:?}");
        assert!(labels[0] != labels[1] && labels[1] != labels[2] && labels[0] != labels[2]);
    }

    #[test]
    fn as_many_clusters_as_distinct_rows_and_no_more() {
        let rows = array![[0.0], [1.0], [1.0], [5.0], [0.0]];
        let labels = cluster(rows.view(), 3, &mut rng()).unwrap();
        assert!(labels[0] == labels[4] && labels[1] == labels[2] && labels[3] != labels[1]);
        let error = cluster(rows.view(), 4, &mut rng()).unwrap_err();
        assert_eq!(error, MixtureError::TooFewRows { components: 4, distinct: 3 });
    }

    #[test]
    fn an_empty_cluster_takes_the_farthest_row() {
        let (mut labels, mut distances) = (vec![0, 0, 0, 2], vec![0.1, 4.0, 0.2, 9.0]);
        fill_empty(&mut labels, &mut distances, 3);
        assert_eq!((labels, distances), (vec![0, 1, 0, 2], vec![0.1, 0.0, 0.2, 9.0]));
    }

    #[test]
    fn rows_without_finite_distances_are_named() {
        let error = cluster(array![[0.0], [f64::NAN], [1.0]].view(), 1, &mut rng()).unwrap_err();
        assert!(matches!(error, MixtureError::NotFinite { .. }), "{error}");
        let error = cluster(array![[0.0], [1e200]].view(), 2, &mut rng()).unwrap_err();
        assert!(matches!(error, MixtureError::NotFinite { .. }), "{error}");
    }
}
