//! Say which method may be meant by an unknown name.

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

/// Up to so many letters a name is too short for a guess by its letters alone.
const SHORT: usize = 4;

/// Most methods that are named.
const MOST: usize = 5;

/// What to write in place of a name that no method has; begins with a comma, and is empty where nothing is similar.
pub(super) fn advice<'a>(name: &str, methods: impl Iterator<Item = &'a str> + Clone) -> String {
    let plain = name.to_lowercase().replace(['_', ' '], "-");
    if let Some((_, ours)) = KNOWN.iter().find(|(known, _)| *known == plain) {
        return format!(", but `{ours}` is of its kind, and --with runs methods of other packages (docs/wrappers.md)");
    }
    match names_with_words(&plain, methods.clone()).as_slice() {
        [] => {
            // One letter too many, too few, wrong or swapped may be a typing error of a short name, too.
            let is_near = |one: &&str| plain.chars().count() > SHORT || osa_distance(&plain, one) <= 1;
            did_you_mean(&nearest_name(&plain, methods.filter(|one| is_near(one))))
        }
        [only] => did_you_mean(&Some(only.clone())),
        several => {
            let shown: Vec<String> = several.iter().take(MOST).map(|name| format!("`{name}`")).collect();
            format!(", did you mean one of {}?", shown.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::METHODS;

    fn of(name: &str) -> String {
        advice(name, METHODS.iter().map(|entry| entry.id))
    }

    #[test]
    fn parts_of_names_packages_and_typing_errors_lead_to_methods() {
        let forests = of("forest");
        assert!(forests.starts_with(", did you mean one of `") && forests.contains("`quantile-forest`"), "{forests}");
        assert_eq!(of("Dropout"), ", did you mean `mc-dropout`?");
        assert_eq!(of("linear-gausian"), ", did you mean `linear-gaussian`?");
        for package in ["lightgbm", "XGBoost", "catboost"] {
            assert!(of(package).starts_with(", but `boosting-quantiles` is of its kind"), "{package}");
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
            assert!(names().any(|id| id == ours) && names().all(|id| id != known), "{known}: {ours}");
        }
    }
}
