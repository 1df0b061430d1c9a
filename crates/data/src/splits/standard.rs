//! Draw the standard random 90/10 splits of the Bayesian-network literature again, instead of
//! storing them.
//!
//! Split k is the k-th permutation that MT19937 with seed 1 gives (numpy's
//! `RandomState(1).permutation(n)`); its first round(0.9 n) entries are the training rows.
//!
//! References: J. M. Hernández-Lobato and R. P. Adams, "Probabilistic backpropagation for scalable
//! learning of Bayesian neural networks", ICML 2015; Y. Gal and Z. Ghahramani, "Dropout as a
//! Bayesian approximation", ICML 2016.

use super::{Split, SplitError};
use uq_math::mersenne_twister::MersenneTwister;

/// Largest number of standard splits of a dataset.
pub const STANDARD_SPLITS: u64 = 20;

/// The standard splits of one table of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandardSet {
    /// The datasets with these rows in this order.
    pub datasets: &'static [&'static str],
    /// Number of rows, n.
    pub rows: u32,
    /// Number of splits.
    pub splits: u64,
    /// SHA-256 of the published indices as text: the line `split,role,indices`, then for each split
    /// a line of role `train` and a line of role `test` whose indices are separated by blanks, each
    /// line with its line end.
    pub sha256: &'static str,
}

/// Every set of standard splits.
pub const STANDARD: &[StandardSet] = &[
    StandardSet {
        datasets: &["boston"],
        rows: 506,
        splits: 20,
        sha256: "86d77e2065edee1da5b13cbdbf321a26c401016d57b02c7dfd5d1a7fd9958f3f",
    },
    StandardSet {
        datasets: &["concrete"],
        rows: 1_030,
        splits: 20,
        sha256: "c8a0c610def3f8b43d2b34d30068dabb0e2b7924a7af281e2577bd34bfa13b91",
    },
    StandardSet {
        datasets: &["energy", "energy:cooling"],
        rows: 768,
        splits: 20,
        sha256: "4ff6ecdbb750569eafb83aae8a02773fe287dd5db9adac8cc66d9256882484b2",
    },
    StandardSet {
        datasets: &["kin8nm"],
        rows: 8_192,
        splits: 20,
        sha256: "187169ba0b250c79132f14ba2f6f64d7c2298f012b966d50ed7ab5874a64678f",
    },
    StandardSet {
        datasets: &["naval"],
        rows: 11_934,
        splits: 20,
        sha256: "86e4e71937b8bc7b10dde65dbb42ae3b63ab8e81ad9bf053d37d29052a3ac309",
    },
    StandardSet {
        datasets: &["power:sheet5"],
        rows: 9_568,
        splits: 20,
        sha256: "428fd0693cfbba567f6913f630782f9d92772522d1bc2da6e8842ab0956af695",
    },
    StandardSet {
        datasets: &["protein"],
        rows: 45_730,
        splits: 5,
        sha256: "eb79237dafffc25280ad6035dbad984c87aacda7d75fe910ca44d7def6bbad07",
    },
    StandardSet {
        datasets: &["wine-red"],
        rows: 1_599,
        splits: 20,
        sha256: "d66b73f7c7273a2fa1ebfcd31a95caf61114dc5524327a89f1ff1e343c60d8ce",
    },
    StandardSet {
        datasets: &["yacht"],
        rows: 308,
        splits: 20,
        sha256: "8d29a61ee8d20b82a068e9d039a99b444209433e7fb91facafc05934d8cd563f",
    },
];

/// The standard splits of a dataset.
///
/// # Errors
/// [`SplitError::NotStandard`] with the datasets that have some.
pub fn standard_set(dataset: &str) -> Result<&'static StandardSet, SplitError> {
    let set = STANDARD.iter().find(|set| set.datasets.contains(&dataset));
    set.ok_or_else(|| SplitError::NotStandard { dataset: dataset.to_owned() })
}

/// The splits in order, for any number of rows.
pub fn standard_splits(n: u32) -> impl Iterator<Item = Split> {
    let mut generator = MersenneTwister::new(1);
    std::iter::repeat_with(move || {
        let mut train = generator.permutation(n);
        let test = train.split_off((0.9 * f64::from(n)).round() as usize);
        Split { train, test }
    })
}

/// Standard split `split` of a dataset whose table has `rows` rows.
///
/// # Errors
/// [`SplitError::NotStandard`] for another dataset, [`SplitError::OtherRows`] for another number of
/// rows, [`SplitError::NoSuchSplit`] for an index beyond the published ones.
pub fn standard(dataset: &str, rows: usize, split: u64) -> Result<Split, SplitError> {
    let set = standard_set(dataset)?;
    let expected = set.rows as usize;
    if rows != expected {
        return Err(SplitError::OtherRows { dataset: dataset.to_owned(), found: rows, expected });
    }
    let published = usize::try_from(split).ok().filter(|_| split < set.splits);
    let found = published.and_then(|index| standard_splits(set.rows).nth(index));
    found.ok_or_else(|| SplitError::NoSuchSplit {
        what: format!("standard splits of `{dataset}`"),
        split,
        count: set.splits,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_whole;
    use super::*;
    use crate::Manifest;
    use std::fmt::Write;
    use uqbench_system::hash::sha256;

    /// The published indices as text.
    fn text(set: &StandardSet) -> String {
        let mut text = String::from("split,role,indices\n");
        for (index, split) in standard_splits(set.rows).take(set.splits as usize).enumerate() {
            for (role, rows) in [("train", split.train), ("test", split.test)] {
                let rows: Vec<String> = rows.iter().map(usize::to_string).collect();
                writeln!(text, "{index},{role},{}", rows.join(" ")).unwrap();
            }
        }
        text
    }

    #[test]
    fn all_splits_are_the_published_ones() {
        let mirror = std::env::var_os("UQBENCH_MIRROR")
            .map(|dir| std::path::PathBuf::from(dir).join("splits"));
        for set in STANDARD {
            let text = text(set);
            assert_eq!(sha256(text.as_bytes()), set.sha256, "{:?}", set.datasets);
            if let Some(dir) = mirror.as_ref().filter(|dir| dir.is_dir()) {
                let name = set.datasets[0].split(':').next().unwrap();
                let published = std::fs::read_to_string(dir.join(format!("{name}.csv"))).unwrap();
                assert!(published == text, "{name}: the indices differ from the published ones");
            }
        }
    }

    #[test]
    fn datasets_have_the_rows_that_are_indexed() {
        let manifest = Manifest::shipped().unwrap();
        for set in STANDARD {
            assert!(set.splits <= STANDARD_SPLITS);
            for key in set.datasets {
                assert_eq!(manifest.get(key).unwrap().rows, set.rows as usize, "{key}");
            }
        }
    }

    #[test]
    fn one_split_is_that_of_its_index() {
        let split = standard("boston", 506, 7).unwrap();
        assert_whole(&split, 506);
        assert_eq!((split.train.len(), split.test.len()), (455, 51));
        assert_eq!(Some(split), standard_splits(506).nth(7));
        let first = standard("boston", 506, 0).unwrap();
        assert_eq!(first.train[..5], [307, 343, 47, 67, 362]);
    }

    #[test]
    fn what_is_not_published_is_refused() {
        let message =
            |dataset, rows, split| standard(dataset, rows, split).unwrap_err().to_string();
        assert_eq!(
            message("protein", 45_730, 5),
            "standard splits of `protein`: 5 in all, numbered from 0, but split 5 was asked for"
        );
        assert!(message("yacht", 308, 20).contains("20 in all"));
        assert!(message("yacht", 300, 0).contains("index all of its 308 rows, found 300"));
        assert!(message("power", 9_568, 0).ends_with("the fifth sheet, `power:sheet5`"));
        let other = message("bike", 17_379, 0);
        assert!(
            other.starts_with("`bike` has no standard splits; they are those of `boston`, "),
            "{other}"
        );
        assert!(other.ends_with("`yacht`"), "{other}");
    }
}
