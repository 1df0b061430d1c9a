//! Summarise rows by means: k-means from a k-means++ seeding.
//!
//! # References
//! D. Arthur, S. Vassilvitskii: *k-means++: the advantages of careful seeding*, SODA 2007
//! (Algorithm 2.2). S. P. Lloyd: *Least squares quantization in PCM*, IEEE Trans. Inf. Theory 28,
//! 1982.

use ndarray::{Array2, ArrayView2, Axis};
use rand::RngExt;

use super::neighbours::{Neighbours, squared_distance};
use uq_core::math::random::{Rng, draw_without_replacement};

/// Largest number of rows that are used; of more rows, a sample is drawn.
pub const ROWS: usize = 10_000;

/// Largest number of Lloyd steps.
const STEPS: usize = 50;

/// Lloyd steps end when the sum of squared distances falls by less than this fraction of itself.
const TOLERANCE: f64 = 1e-4;

/// At most `count` means of the rows of `points` (n × d, n ≥ 1, finite); fewer where there are
/// fewer distinct rows. Of more than [`ROWS`] rows, [`ROWS`] are first drawn without replacement.
pub fn k_means(points: ArrayView2<f64>, count: usize, rng: &mut Rng) -> Array2<f64> {
    let mut rows = draw_without_replacement(points.nrows(), ROWS, rng);
    rows.sort_unstable();
    let points = points.select(Axis(0), &rows);
    let mut centres = seed(points.view(), count, rng);
    let mut previous = f64::INFINITY;
    let mut found = Vec::new();
    for _ in 0..STEPS {
        let tree = Neighbours::new(centres.view());
        let (mut sums, mut counts) =
            (Array2::<f64>::zeros(centres.dim()), vec![0.0; centres.nrows()]);
        let mut total = 0.0;
        for row in points.rows() {
            let (distance, nearest) = tree.first(&row.to_vec(), &mut found);
            total += distance;
            counts[nearest] += 1.0;
            let mut sum = sums.row_mut(nearest);
            sum += &row;
        }
        if total >= previous * (1.0 - TOLERANCE) {
            break;
        }
        previous = total;
        for ((mut centre, sum), count) in
            centres.rows_mut().into_iter().zip(sums.rows()).zip(counts)
        {
            // A centre without rows stays where it is.
            if count > 0.0 {
                centre.assign(&(&sum / count));
            }
        }
    }
    centres
}

/// Rows, each drawn with probability proportional to its squared distance from those before.
fn seed(points: ArrayView2<f64>, count: usize, rng: &mut Rng) -> Array2<f64> {
    let n = points.nrows();
    let points = points.as_standard_layout();
    let point = |row: usize| points.row(row).to_slice().unwrap_or(&[]);
    let mut chosen = vec![rng.random_range(0..n as u64) as usize];
    let mut distances = vec![f64::INFINITY; n];
    loop {
        let last = chosen[chosen.len() - 1];
        for (row, distance) in distances.iter_mut().enumerate() {
            *distance = distance.min(squared_distance(point(row), point(last)));
        }
        let total: f64 = distances.iter().sum();
        if chosen.len() >= count.min(n) || total == 0.0 {
            return points.select(Axis(0), &chosen);
        }
        chosen.push(draw_in_proportion(&distances, rng).unwrap_or(last));
    }
}

/// The place of a weight, drawn with probability proportional to it; `None` where none of the
/// weights, which are not negative, is above zero.
pub fn draw_in_proportion(weights: &[f64], rng: &mut Rng) -> Option<usize> {
    let mut left = rng.random::<f64>() * weights.iter().sum::<f64>();
    // Rounding may leave a remainder after the last place. Then the last one with a positive weight
    // is taken.
    let mut drawn = None;
    for (place, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        drawn = Some(place);
        left -= weight;
        if left < 0.0 {
            break;
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;
    use rand::SeedableRng;

    #[test]
    fn far_groups_have_their_means() {
        let offsets = [-0.5, 0.0, 0.5];
        let points = Array2::from_shape_fn((9, 2), |(i, j)| {
            [0.0, 10.0, 30.0][i / 3] * (1.0 + j as f64) + offsets[i % 3]
        });
        let means = k_means(points.view(), 3, &mut Rng::seed_from_u64(2));
        let mut means: Vec<Vec<f64>> = means.rows().into_iter().map(|row| row.to_vec()).collect();
        means.sort_by(|a, b| a[0].total_cmp(&b[0]));
        for (found, expected) in means.iter().flatten().zip([0.0, 0.0, 10.0, 20.0, 30.0, 60.0]) {
            assert!((found - expected).abs() < 1e-12, "{found} against {expected}");
        }
    }

    #[test]
    fn there_are_at_most_as_many_means_as_distinct_rows() {
        let points = array![[1.0], [1.0], [2.0], [1.0]];
        let mut means =
            k_means(points.view(), 500, &mut Rng::seed_from_u64(2)).into_raw_vec_and_offset().0;
        means.sort_by(f64::total_cmp);
        assert_eq!(means, [1.0, 2.0]);
        assert_eq!(
            k_means(Array2::zeros((7, 0)).view(), 4, &mut Rng::seed_from_u64(2)).dim(),
            (1, 0)
        );
    }
}
