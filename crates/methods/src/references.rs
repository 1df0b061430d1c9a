//! List the publications behind each method, for `uqbench cite`: a table beside each family, and
//! one here for the others.

#[cfg(feature = "adapters")]
use super::adapters;
use super::{anchors, boosting, conformal, gp, mixture, nets, trees};
use uq_core::metrics::Publication;

/// Publications behind methods that belong to no family.
const OTHERS: &[Publication] = &[
    Publication {
        key: "higham2002accuracy",
        authors: "Higham, N. J.",
        title: "Accuracy and Stability of Numerical Algorithms",
        venue: "SIAM, 2nd edition",
        year: 2002,
        of: &["polynomial"],
    },
    Publication {
        key: "hoerl1970ridge",
        authors: "Hoerl, A. E. and Kennard, R. W.",
        title: "Ridge regression: biased estimation for nonorthogonal problems",
        venue: "Technometrics 12",
        year: 1970,
        of: &["ridge"],
    },
    Publication {
        key: "allen1974relationship",
        authors: "Allen, D. M.",
        title: "The relationship between variable selection and data augmentation and a method for \
                prediction",
        venue: "Technometrics 16",
        year: 1974,
        of: &["ridge"],
    },
    Publication {
        key: "wolpert1992stacked",
        authors: "Wolpert, D. H.",
        title: "Stacked generalization",
        venue: "Neural Networks 5",
        year: 1992,
        of: &["stack"],
    },
    Publication {
        key: "yao2018using",
        authors: "Yao, Y. and Vehtari, A. and Simpson, D. and Gelman, A.",
        title: "Using stacking to average Bayesian predictive distributions",
        venue: "Bayesian Analysis 13",
        year: 2018,
        of: &["stack"],
    },
    Publication {
        key: "gneiting2013combining",
        authors: "Gneiting, T. and Ranjan, R.",
        title: "Combining predictive distributions",
        venue: "Electronic Journal of Statistics 7",
        year: 2013,
        of: &["stack"],
    },
    Publication {
        key: "stone1974cross",
        authors: "Stone, M.",
        title: "Cross-validatory choice and assessment of statistical predictions",
        venue: "JRSS B 36",
        year: 1974,
        of: &["validated"],
    },
];

/// The table of each family.
const FAMILIES: &[&[Publication]] = &[
    anchors::PUBLICATIONS,
    #[cfg(feature = "adapters")]
    adapters::PUBLICATIONS,
    boosting::PUBLICATIONS,
    conformal::PUBLICATIONS,
    gp::PUBLICATIONS,
    mixture::PUBLICATIONS,
    nets::PUBLICATIONS,
    trees::PUBLICATIONS,
    OTHERS,
];

/// The publications behind a method, by its name; the papers that are reproduced are listed with
/// the benchmarks.
pub fn publications(method: &str) -> impl Iterator<Item = &'static Publication> + '_ {
    FAMILIES.iter().copied().flatten().filter(move |publication| publication.of.contains(&method))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::registry::METHODS;

    /// The text of every source file of the methods, in lower case without marks, but for the
    /// tables of publications.
    fn documented() -> Vec<String> {
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        let mut texts = Vec::new();
        while let Some(folder) = folders.pop() {
            for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else if is_source(&path) {
                    texts.push(plain(&std::fs::read_to_string(path).unwrap()));
                }
            }
        }
        texts
    }

    fn is_source(path: &Path) -> bool {
        path.extension().is_some_and(|ending| ending == "rs")
            && path.file_name().unwrap() != "references.rs"
    }

    fn plain(text: &str) -> String {
        let words = text.replace("//!", " ").replace('*', "").to_lowercase();
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_publication_is_in_the_documentation_of_the_methods() {
        let documented = documented();
        for one in FAMILIES.iter().copied().flatten() {
            let surname = plain(one.authors.split(',').next().unwrap());
            let parts = [plain(one.title), surname, one.year.to_string()];
            let is_there =
                documented.iter().any(|text| parts.iter().all(|part| text.contains(part.as_str())));
            assert!(is_there, "no module names {one:?}");
        }
    }

    #[test]
    fn every_method_has_a_publication_and_no_key_is_used_twice() {
        let names: Vec<&str> = METHODS.iter().map(|entry| entry.id).collect();
        for name in names.iter().filter(|name| **name != "mock") {
            assert!(publications(name).next().is_some(), "{name}");
        }
        let all: Vec<&Publication> = FAMILIES.iter().copied().flatten().collect();
        for (place, one) in all.iter().enumerate() {
            assert!(all[..place].iter().all(|other| other.key != one.key), "{}", one.key);
            assert!(
                one.of.iter().all(|name| names.contains(name)),
                "{one:?} is behind a method that is not there"
            );
        }
    }
}
