//! The coverage of rows that come in clusters, such as patients or shops, with an interval that
//! counts clusters and not rows.
//!
//! Reference: Korn & Graubard (1998), Survey Methodology 24(2): the Clopper-Pearson interval of as
//! many independent rows as have the variance of the clusters, corrected for their number. Korn and
//! Graubard let that number of rows exceed the true one; here it never does.

use super::coverage::clopper_pearson;
use super::paired::ALPHA;
use super::summary::t_quantile;

/// Fewest clusters whose variance says anything.
pub const FEWEST: usize = 30;

/// The rows of one cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cluster {
    /// Rows in their intervals; a row that was tested several times counts the share of the times
    /// that it was.
    pub covered: f64,
    /// Its rows.
    pub rows: f64,
}

/// The 95 % interval of the probability that a row of a new cluster is covered. `None` for fewer
/// than [`FEWEST`] clusters.
///
/// With c the covered share of all n rows and G clusters of n_g rows, k_g of them covered, the
/// variance of c is G / (G − 1) · Σ (k_g − c n_g)² / n², and the effective number of rows is c (1 −
/// c) divided by it.
pub fn interval(clusters: &[Cluster]) -> Option<(f64, f64)> {
    if clusters.len() < FEWEST {
        return None;
    }
    let count = clusters.len() as f64;
    let rows: f64 = clusters.iter().map(|cluster| cluster.rows).sum();
    let covered: f64 = clusters.iter().map(|cluster| cluster.covered).sum();
    let share = covered / rows;
    let squares: f64 =
        clusters.iter().map(|cluster| (cluster.covered - share * cluster.rows).powi(2)).sum();
    let variance = count / (count - 1.0) * squares / rows.powi(2);
    // Where every row is covered or none is, nothing tells a variance: only as many rows as
    // clusters are sure to be independent.
    let independent =
        if variance > 0.0 { (share * (1.0 - share) / variance).min(rows) } else { count };
    let of_rows = t_quantile(1.0 - ALPHA / 2.0, rows as usize - 1)?;
    let of_clusters = t_quantile(1.0 - ALPHA / 2.0, clusters.len() - 1)?;
    let effective = independent * (of_rows / of_clusters).powi(2);
    clopper_pearson(share * effective, effective, ALPHA)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::coverage::Coverage;

    fn clusters(each: impl Iterator<Item = (f64, f64)>) -> Vec<Cluster> {
        each.map(|(covered, rows)| Cluster { covered, rows }).collect()
    }

    #[test]
    fn clusters_of_one_row_have_the_interval_of_rows() {
        let single = clusters((0..200).map(|row| (f64::from(u8::from(row % 10 > 0)), 1.0)));
        let (low, high) = interval(&single).unwrap();
        let (exact_low, exact_high) = Coverage { covered: 180, rows: 200 }.interval().unwrap();
        // The variance has the divisor 199 in place of 200.
        assert!((low - exact_low).abs() < 5e-4 && (high - exact_high).abs() < 5e-4, "{low} {high}");
    }

    #[test]
    fn clusters_that_are_covered_or_missed_as_a_whole_count_as_one_row_each() {
        let whole =
            clusters((0..40).map(|cluster| (if cluster % 10 > 0 { 25.0 } else { 0.0 }, 25.0)));
        let (low, high) = interval(&whole).unwrap();
        let (of_rows, of_clusters) =
            (Coverage { covered: 900, rows: 1000 }, Coverage { covered: 36, rows: 40 });
        let width = |coverage: Coverage| coverage.interval().map(|(low, high)| high - low).unwrap();
        assert!(
            high - low >= width(of_clusters) && high - low > 4.0 * width(of_rows),
            "{low} {high}"
        );
    }

    #[test]
    fn few_clusters_tell_nothing_and_a_covered_share_of_one_has_an_interval() {
        assert_eq!(interval(&clusters((0..29).map(|_| (9.0, 10.0)))), None);
        let (low, high) = interval(&clusters((0..30).map(|_| (10.0, 10.0)))).unwrap();
        // 0.025^(1/30) = 0.884; of 300 rows it would be 0.988.
        assert!(low < 0.89 && high == 1.0, "{low} {high}");
    }
}
