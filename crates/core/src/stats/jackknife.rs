//! Estimate the standard error of any smooth score of independent rows, by leaving out groups of
//! them.
//!
//! For a score θ of all rows and the scores θ₍ⱼ₎ without group j of g random groups of equal size,
//! the pseudo-values
//!
//! ```text
//! θⱼ = g θ − (g − 1) θ₍ⱼ₎                                                (1)
//! ```
//!
//! count as g independent values, whose mean estimates what θ estimates. Where θ is a mean over
//! rows, a pseudo-value is the mean of its group. Where it is a smooth function of such means, such
//! as the root of one, that holds for many rows. Of a maximum over groups of rows it does not hold.
//!
//! *Reference:* (1): Tukey (1958); Miller (1974), *The jackknife: a review*, Biometrika 61, 1-15.

use crate::math::bins::near_equal_bins;
use crate::math::random::{Streams, permutation};

/// Largest number of groups.
pub const GROUPS: usize = 20;

/// All rows but those of each group, ascending: of at most [`GROUPS`] random groups of near-equal
/// size, the same at every call. Groups are random because the order of rows may mean something.
pub fn without_groups(rows: usize) -> Vec<Vec<usize>> {
    let order = permutation(rows, &mut Streams::new(0, "jackknife").stream("groups", rows as u64));
    let mut of_row = vec![0; rows];
    let groups = near_equal_bins(rows, GROUPS.min(rows));
    for (group, places) in groups.iter().enumerate() {
        order[places.clone()].iter().for_each(|&row| of_row[row] = group);
    }
    (0..groups.len()).map(|group| (0..rows).filter(|&row| of_row[row] != group).collect()).collect()
}

/// The pseudo-values, equation 1, of a score of all rows and of the scores without each group.
pub fn pseudo_values(whole: f64, without: &[f64]) -> Vec<f64> {
    let groups = without.len() as f64;
    without.iter().map(|without| groups * whole - (groups - 1.0) * without).collect()
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::math::special::normal_quantile;
    use crate::stats::Summary;

    fn mean(values: &[f64], rows: &[usize]) -> f64 {
        rows.iter().map(|&row| values[row]).sum::<f64>() / rows.len() as f64
    }

    #[test]
    fn each_row_is_left_out_once() {
        for rows in [0, 1, 2, 19, 20, 21, 103] {
            let kept = without_groups(rows);
            assert_eq!(kept.len(), rows.min(GROUPS));
            let mut times = vec![0; rows];
            kept.iter().flatten().for_each(|&row| times[row] += 1);
            assert!(times.iter().all(|&times| times + 1 == kept.len()), "{rows}: {times:?}");
        }
        assert_eq!(without_groups(2), without_groups(2));
    }

    #[test]
    fn leaving_out_single_rows_of_a_mean_gives_the_rows() {
        let values = [0.5, -1.0, 4.0, 2.5];
        let whole = mean(&values, &[0, 1, 2, 3]);
        let without: Vec<f64> = without_groups(4).iter().map(|rows| mean(&values, rows)).collect();
        let mut found = pseudo_values(whole, &without);
        found.sort_by(f64::total_cmp);
        let expected = [-1.0, 0.5, 2.5, 4.0];
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14), "{found:?}");
    }

    #[test]
    fn the_standard_error_of_a_root_mean_square_is_that_of_the_delta_method() {
        // Of n standard normal errors the mean square has variance 2/n, and its root half the
        // standard deviation of that.
        let rows = 20_000;
        let mut stream = Streams::new(1, "jackknife test").stream("errors", 0);
        let squares: Vec<f64> =
            (0..rows).map(|_| normal_quantile(stream.random::<f64>()).powi(2)).collect();
        let score = |rows: &[usize]| mean(&squares, rows).sqrt();
        let all: Vec<usize> = (0..rows).collect();
        let without: Vec<f64> = without_groups(rows).iter().map(|rows| score(rows)).collect();
        let error = Summary::from_values(&pseudo_values(score(&all), &without))
            .unwrap()
            .standard_error()
            .unwrap();
        let expected = (0.5 / rows as f64).sqrt();
        // A standard deviation of 20 values is known to 16 %.
        assert!((error / expected - 1.0).abs() < 0.5, "{error} against {expected}");
    }
}
