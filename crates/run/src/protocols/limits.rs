//! Check the numbers and names of protocols before any data is read.

use super::kind::Usage;
use uqbench_data::splits::{TestSize, known_feature};
use uqbench_data::{Dataset, Manifest};

/// Most splits of a profile, most folds of a protocol, most rows of active learning: more than any
/// benchmark uses, and few enough to be planned.
pub const MOST_SPLITS: u64 = 100_000;

/// Refuses an empty test set, and one of all rows.
pub(super) fn check_test_size(test: TestSize) -> Result<(), String> {
    match test {
        TestSize::Fraction(share) if !(share > 0.0 && share < 1.0) => {
            Err(format!("the test fraction is {share}, expected a number between 0 and 1"))
        }
        TestSize::Rows(0) => Err("the test set has 0 rows, expected 1 or more".into()),
        _ => Ok(()),
    }
}

/// Refuses less than two folds, no repeat, and too many of both.
pub(super) fn check_folds(folds: u64, repeats: u64) -> Result<(), String> {
    let few_folds = (folds < 2).then(|| format!("{folds} folds, expected 2 or more"));
    let no_repeat = (repeats == 0).then(|| "0 repeats, expected 1 or more".to_owned());
    let wrong: Vec<String> = few_folds.into_iter().chain(no_repeat).collect();
    if !wrong.is_empty() {
        return Err(format!("k-fold has {}", wrong.join("; and ")));
    }
    if folds > MOST_SPLITS || repeats > MOST_SPLITS {
        return Err(format!(
            "k-fold has {folds} folds and {repeats} repeats, expected at most {MOST_SPLITS} of both"
        ));
    }
    Ok(())
}

/// Refuses a share of rows outside (0, 1), and a feature that a dataset lacks or that is a column of
/// text or of dates: a table has none of its name, and rows have no order by it.
pub(super) fn check_feature(
    what: &str,
    feature: &str,
    share: f64,
    usage: &Usage,
) -> Result<(), String> {
    if !(share > 0.0 && share < 1.0) {
        return Err(format!(
            "the {what}'s share of rows is {share}, expected a number between 0 and 1"
        ));
    }
    // A dataset that is not in the manifest is reported when the trials are planned.
    let known = |key: &str| -> Option<&Dataset> { Manifest::shipped().ok()?.get(key).ok() };
    for dataset in usage.datasets.iter().filter_map(|key| known(key)) {
        let mut numeric = dataset.numeric_features();
        let is_listed = dataset.features.iter().any(|column| column.name == feature);
        if is_listed && numeric.all(|name| name != feature) {
            let names = dataset.numeric_features().map(|name| format!("`{name}`"));
            let names = names.collect::<Vec<_>>().join(", ");
            return Err(format!(
                "dataset `{}`: the feature `{feature}` is a column of text or of dates, expected \
                 one of numbers: {names}",
                dataset.key
            ));
        }
        known_feature(feature, dataset.numeric_features())
            .map_err(|error| format!("dataset `{}`: {error}", dataset.key))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocols::RowSubset;

    #[test]
    fn a_column_of_text_or_of_dates_is_no_feature_to_divide_rows_by() {
        let check = |feature: &str| {
            let datasets = vec!["garments", "yacht"];
            let usage = Usage { datasets, rows: RowSubset::default(), profiles: Vec::new() };
            check_feature("gap", feature, 0.2, &usage).unwrap_err()
        };
        for feature in ["department", "date"] {
            let expected =
                format!("dataset `garments`: the feature `{feature}` is a column of text");
            let message = check(feature);
            assert!(message.starts_with(&expected), "{message}");
            assert!(message.contains("`smv`") && !message.contains("`quarter`"), "{message}");
        }
        assert!(check("smv").starts_with("dataset `yacht`: there is no feature `smv`"));
        assert!(check("smw").contains("did you mean `smv`?"), "{}", check("smw"));
    }
}
