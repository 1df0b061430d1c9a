//! Check that a protocol can divide the rows of a benchmark's datasets, as far as that is known without the data.

use super::Benchmark;
use super::ranges::MOST_SPLITS;
use crate::benchmark::Profile;
use crate::data::splits::{TestSize, known_feature, standard_set};
use crate::data::{Dataset, Manifest};
use crate::protocols::{Protocol, RowSubset};

impl Benchmark {
    /// Finds the first contradiction.
    ///
    /// # Errors
    /// A message that states what is wrong.
    pub(super) fn check_protocol(&self) -> Result<(), String> {
        match &self.protocol {
            Protocol::Demonstration | Protocol::WholeData => {}
            Protocol::ActiveLearning { start, added } => {
                let range = 1..=MOST_SPLITS as usize;
                if !range.contains(start) || !range.contains(added) {
                    return Err(format!(
                        "active learning starts with {start} rows and adds {added}, expected 1 to {MOST_SPLITS} of both"
                    ));
                }
            }
            Protocol::Holdout { test } | Protocol::Grouped { test } => check_test_size(*test)?,
            Protocol::Standard => self.check_standard()?,
            Protocol::KFold { folds, repeats } | Protocol::GroupedKFold { folds, repeats } => {
                check_folds(*folds, *repeats)?
            }
            Protocol::NumpyKFold { folds, .. } => {
                check_folds(*folds, 1)?;
                self.check_whole_repetitions(*folds)?;
            }
            Protocol::Gap { feature, share } => self.check_feature("gap", feature, *share)?,
            Protocol::Tail { feature, share, .. } => self.check_feature("tail", feature, *share)?,
            Protocol::Validation { .. } => {
                return Err(
                    "the protocol `validation` has no test rows; `[validation]` plans it beside another one".into()
                );
            }
        }
        if let Some(validation) = &self.validation {
            validation.check(&self.protocol)?;
        }
        let Some(most) = self.protocol.repetitions() else { return Ok(()) };
        let profiles = [Profile::Smoke, Profile::Quick, Profile::Full];
        let specs = profiles.into_iter().filter_map(|profile| self.profile(profile).map(|spec| (profile, spec.splits)));
        match specs.into_iter().find(|(_, splits)| *splits > most) {
            Some((profile, splits)) => Err(format!(
                "profile `{}` runs {splits} splits, but the protocol has only {most} that differ",
                profile.as_str()
            )),
            None => Ok(()),
        }
    }

    /// Checks that a profile runs all folds, because a score that is an average over folds needs all of them.
    fn check_whole_repetitions(&self, folds: u64) -> Result<(), String> {
        for profile in [Profile::Smoke, Profile::Quick, Profile::Full] {
            let Some(spec) = self.profile(profile) else { continue };
            let name = profile.as_str();
            if spec.splits % folds != 0 {
                return Err(format!(
                    "profile `{name}` runs {} splits, expected a multiple of the {folds} folds",
                    spec.splits
                ));
            }
            if spec.seeds.is_some() {
                return Err(format!(
                    "profile `{name}` has seeds, but repetitions of these folds differ in their seed already"
                ));
            }
        }
        Ok(())
    }

    fn check_standard(&self) -> Result<(), String> {
        if self.rows != RowSubset::All {
            return Err("the standard splits index all rows of a dataset, but only a subset takes part".into());
        }
        self.datasets.iter().try_for_each(|row| standard_set(&row.key).map(|_| ()).map_err(|error| error.to_string()))
    }

    fn check_feature(&self, what: &str, feature: &str, share: f64) -> Result<(), String> {
        if !(share > 0.0 && share < 1.0) {
            return Err(format!("the {what}'s share of rows is {share}, expected a number between 0 and 1"));
        }
        // A dataset that is not in the manifest is reported when the trials are planned.
        let known = |key: &str| -> Option<&Dataset> { Manifest::shipped().ok()?.get(key).ok() };
        for dataset in self.datasets.iter().filter_map(|row| known(&row.key)) {
            known_feature(feature, dataset.features.iter().map(|column| column.name.as_str()))
                .map_err(|error| format!("dataset `{}`: {error}", dataset.key))?;
        }
        Ok(())
    }
}

fn check_test_size(test: TestSize) -> Result<(), String> {
    match test {
        TestSize::Fraction(share) if !(share > 0.0 && share < 1.0) => {
            Err(format!("the test fraction is {share}, expected a number between 0 and 1"))
        }
        TestSize::Rows(0) => Err("the test set has 0 rows, expected 1 or more".into()),
        _ => Ok(()),
    }
}

fn check_folds(folds: u64, repeats: u64) -> Result<(), String> {
    if folds < 2 {
        return Err(format!("k-fold has {folds} folds, expected 2 or more"));
    }
    if repeats == 0 {
        return Err("k-fold has 0 repeats, expected 1 or more".into());
    }
    if folds > MOST_SPLITS || repeats > MOST_SPLITS {
        return Err(format!("k-fold has {folds} folds and {repeats} repeats, expected at most {MOST_SPLITS} of both"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A benchmark of one dataset with this protocol, in TOML, and so many splits.
    fn parsed(dataset: &str, protocol: &str, splits: u64) -> Result<Benchmark, String> {
        let mut text = format!(
            "id = \"a\"\npaper = \"none\"\nartefact = \"Table 0\"\ntitle = \"A\"\nprotocol_source = \"printed\"\n\
             protocol = {protocol}\ndatasets = [{{ key = \"{dataset}\", heading = \"Data\" }}]\n\
             metrics = [{{ id = \"rmse\", heading = \"RMSE\" }}]\n\
             [[methods]]\nid = \"tree\"\ncolumns = [{{ heading = \"Tree\" }}]\n"
        );
        for profile in ["smoke", "quick", "full"] {
            text += &format!("[profiles.{profile}]\nsplits = {splits}\n");
        }
        Benchmark::parse("test", &text).map_err(|error| error.to_string())
    }

    #[test]
    fn every_protocol_is_read_from_a_benchmark() {
        for (dataset, protocol, splits) in [
            ("yacht", "\"standard\"", 20),
            ("yacht", "{ k-fold = { folds = 10 } }", 10),
            ("yacht", "{ k-fold = { folds = 5, repeats = 3 } }", 15),
            ("yacht", "{ grouped = { test = { fraction = 0.1 } } }", 100),
            ("wine-red", "{ grouped-k-fold = { folds = 5, repeats = 2 } }", 10),
            ("wine-red", "{ gap = { feature = \"alcohol\", share = 0.2 } }", 7),
            ("wine-red", "{ tail = { feature = \"alcohol\", share = 0.1, end = \"high\" } }", 1),
        ] {
            parsed(dataset, protocol, splits).unwrap();
        }
    }

    #[test]
    fn what_cannot_be_is_told() {
        for (dataset, protocol, splits, expected) in [
            ("bike", "\"standard\"", 1, "`bike` has no standard splits; they are those of `boston`"),
            ("power", "\"standard\"", 1, "`power:sheet5`"),
            ("yacht", "\"standard\"", 21, "profile `smoke` runs 21 splits, but the protocol has only 20 that differ"),
            ("yacht", "\"standard\"\nrows = { random = 50 }", 1, "only a subset takes part"),
            ("yacht", "{ k-fold = { folds = 1 } }", 1, "k-fold has 1 folds, expected 2 or more"),
            ("yacht", "{ k-fold = { folds = 5, repeats = 0 } }", 1, "0 repeats, expected 1 or more"),
            ("yacht", "{ grouped-k-fold = { folds = 1 } }", 1, "k-fold has 1 folds, expected 2 or more"),
            ("yacht", "{ k-fold = { folds = 5 } }", 6, "runs 6 splits, but the protocol has only 5"),
            ("yacht", "{ k-fold = { folds = 5, fold = 1 } }", 1, "fold"),
            ("yacht", "{ grouped = { test = { fraction = 1.0 } } }", 1, "the test fraction is 1"),
            ("yacht", "{ grouped = { test = { rows = 0 } } }", 1, "the test set has 0 rows"),
            ("wine-red", "{ gap = { feature = \"alcohol\", share = 1.5 } }", 1, "the gap's share of rows is 1.5"),
            ("wine-red", "{ gap = { feature = \"alcohl\", share = 0.5 } }", 1, "did you mean `alcohol`?"),
            (
                "wine-red",
                "{ tail = { feature = \"x\", share = 0.5, end = \"low\" } }",
                1,
                "dataset `wine-red`: there is no",
            ),
            (
                "wine-red",
                "{ tail = { feature = \"alcohol\", share = nan, end = \"low\" } }",
                1,
                "tail's share of rows is NaN",
            ),
            (
                "wine-red",
                "{ tail = { feature = \"alcohol\", share = 0.5, end = \"low\" } }",
                2,
                "has only 1 that differ",
            ),
            ("wine-red", "{ tail = { feature = \"alcohol\", share = 0.5, end = \"left\" } }", 1, "left"),
        ] {
            let message = parsed(dataset, protocol, splits).unwrap_err();
            assert!(message.contains(expected), "{protocol}: {message}");
        }
    }

    #[test]
    fn a_cross_validation_is_run_as_a_whole_and_active_learning_has_rows() {
        let folds = "{ numpy-k-fold = { folds = 5, seed = 0 } }";
        assert!(parsed("yacht", folds, 10).is_ok());
        let message = |protocol, splits| parsed("yacht", protocol, splits).unwrap_err();
        assert!(message(folds, 7).contains("runs 7 splits, expected a multiple of the 5 folds"));
        assert!(message("{ numpy-k-fold = { folds = 1, seed = 0 } }", 5).contains("k-fold has 1 folds"));
        let none = "{ active-learning = { start = 30, added = 0 } }";
        assert!(message(none, 1).contains("starts with 30 rows and adds 0"));
    }
}
