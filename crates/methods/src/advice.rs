//! Say which method may be meant by an unknown name.

use std::fmt;

use strsim::osa_distance;

use uq_core::names::{did_you_mean, names_with_words, nearest_name};

/// Well-known names of packages and of methods, and our method of the same kind.
const KNOWN: [(&str, &str); 20] = [
    ("lightgbm", "boosting-quantiles"),
    ("lgbm", "boosting-quantiles"),
    ("xgboost", "boosting-quantiles"),
    ("catboost", "boosting-quantiles"),
    ("gradient-boosting", "boosting-quantiles"),
    ("mapie", "cv-plus"),
    ("random-forest", "quantile-forest"),
    ("ranger", "quantile-forest"),
    ("gpytorch", "exact-gp"),
    ("gaussian-process", "exact-gp"),
    ("xgb", "boosting-quantiles"),
    ("gbm", "boosting-quantiles"),
    ("rf", "quantile-forest"),
    ("qrf", "quantile-forest"),
    ("randomforest", "quantile-forest"),
    ("ols", "linear-gaussian"),
    ("lasso", "ridge"),
    ("mlp", "mean-variance-network"),
    ("nn", "mean-variance-network"),
    ("cqr", "conformalised-quantiles"),
];

/// Longest name, in letters, that is too short for a guess by its letters alone.
const SHORT: usize = 4;

/// Most methods that are named.
const MOST: usize = 5;

/// What to write in place of a name that no method has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    /// It is the name of another package, or a well-known one, and this method is of its kind.
    OfKind(&'static str),
    /// Methods of similar names; there may be none.
    Similar(Vec<String>),
}

impl fmt::Display for Advice {
    /// The end of a clause, which begins with a comma; empty where nothing is similar.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OfKind(ours) => write!(f, ", but `{ours}` is of its kind"),
            Self::Similar(names) if names.len() < 2 => {
                f.write_str(&did_you_mean(&names.first().cloned()))
            }
            Self::Similar(names) => {
                let shown: Vec<String> =
                    names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
                write!(f, ", did you mean one of {}?", shown.join(", "))
            }
        }
    }
}

/// What to write in place of a name that no method has.
pub(super) fn advice<'a>(name: &str, methods: impl Iterator<Item = &'a str> + Clone) -> Advice {
    let plain = name.to_lowercase().replace(['_', ' '], "-");
    if let Some((_, ours)) = KNOWN.iter().find(|(known, _)| *known == plain) {
        return Advice::OfKind(ours);
    }
    let mut similar = names_with_words(&plain, methods.clone());
    if similar.is_empty() {
        // One letter too many, too few, wrong or swapped may be a typing error of a short name,
        // too.
        let is_near = |one: &&str| plain.chars().count() > SHORT || osa_distance(&plain, one) <= 1;
        similar.extend(nearest_name(&plain, methods.filter(|one| is_near(one))));
    }
    Advice::Similar(similar)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::METHODS;

    fn of(name: &str) -> String {
        advice(name, METHODS.iter().map(|entry| entry.id)).to_string()
    }

    #[test]
    fn parts_of_names_packages_and_typing_errors_lead_to_methods() {
        let forests = of("forest");
        assert!(
            forests.starts_with(", did you mean one of `") && forests.contains("`quantile-forest`"),
            "{forests}"
        );
        assert_eq!(of("Dropout"), ", did you mean `mc-dropout`?");
        assert_eq!(of("linear-gausian"), ", did you mean `linear-gaussian`?");
        for package in ["lightgbm", "XGBoost", "catboost"] {
            assert!(
                of(package).starts_with(", but `boosting-quantiles` is of its kind"),
                "{package}"
            );
        }
        assert!(of("random_forest").contains("`quantile-forest`"));
        assert_eq!(of("cqr"), of("CQR"));
        assert!(of("cqr").contains("`conformalised-quantiles`"));
        for nothing in ["zzzz", "foo", "knn"] {
            assert_eq!(of(nothing), "");
        }
        assert_eq!(of("tre"), ", did you mean `tree`?");
    }

    #[test]
    fn every_method_of_the_list_exists_and_no_name_of_it_is_a_method() {
        for (known, ours) in KNOWN {
            let names = || METHODS.iter().map(|entry| entry.id);
            assert!(
                names().any(|id| id == ours) && names().all(|id| id != known),
                "{known}: {ours}"
            );
        }
    }
}
