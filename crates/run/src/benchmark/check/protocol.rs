//! Check that a protocol can divide the rows of a benchmark's datasets, as far as that is known
//! without the data.

use super::Benchmark;
use crate::benchmark::Profile;
use crate::benchmark::mistakes::{Mistakes, Part};
use crate::protocols::{ProfileUsage, Usage};

impl Benchmark {
    /// Notes numbers and names with which no rows could be divided, and numbers of splits that the
    /// protocol does not have.
    pub(super) fn check_protocol(&self, to: &mut Mistakes) {
        // Profiles with a mistake say nothing on the protocol.
        let are_read = !to.has(&Part::key("profiles"));
        let all = [Profile::Smoke, Profile::Quick, Profile::Full].into_iter().filter(|_| are_read);
        let profiles = all.filter_map(|profile| {
            let spec = self.profile(profile)?;
            Some(ProfileUsage {
                name: profile.as_str(),
                splits: spec.splits,
                has_seeds: spec.seeds.is_some(),
            })
        });
        let datasets = self.datasets.iter().map(|row| row.key.as_str()).collect();
        let usage = Usage { datasets, rows: self.rows, profiles: profiles.collect() };
        let protocol = self.protocol.kind();
        if let Err(message) = protocol.check(&usage) {
            // A protocol that cannot be has no number of splits to compare with.
            return to.note(Part::key("protocol"), message);
        }
        if let Some(validation) = &self.validation {
            to.note_failure(Part::key("validation"), validation.check(&self.protocol));
        }
        let folds = protocol.splits_a_repetition();
        for (i, row) in self.methods.iter().enumerate() {
            if let Some(splits) = row.splits.filter(|splits| splits.get() % folds != 0) {
                let message = format!(
                    "method `{}` runs {splits} splits, expected a multiple of the {folds} folds",
                    row.id
                );
                to.note(to.entry("methods", i).then("splits"), message);
            }
        }
        let Some(most) = protocol.repetitions() else { return };
        for ProfileUsage { name, splits, .. } in
            usage.profiles.iter().filter(|profile| profile.splits > most)
        {
            let message = format!(
                "profile `{name}` runs {splits} splits, but the protocol has only {most} that \
                 differ"
            );
            to.note(Part::key("profiles").then(name).then("splits"), message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A benchmark of one dataset with this protocol, in TOML, and this number of splits.
    fn parsed(dataset: &str, protocol: &str, splits: u64) -> Result<Benchmark, String> {
        let mut text = format!(
            "id = \"a\"\npaper = \"none\"\nartefact = \"Table 0\"\ntitle = \"A\"\nprotocol_source \
             = \"printed\"\n\
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
            ("yacht", "{ rolling-origin = { start = 0.5, folds = 5 } }", 5),
            ("wine-red", "{ gap = { feature = \"alcohol\", share = 0.2 } }", 7),
            ("wine-red", "{ tail = { feature = \"alcohol\", share = 0.1, end = \"high\" } }", 1),
        ] {
            parsed(dataset, protocol, splits).unwrap();
        }
    }

    #[test]
    fn what_cannot_be_is_told() {
        for (dataset, protocol, splits, expected) in [
            (
                "bike",
                "\"standard\"",
                1,
                "`bike` has no standard splits; they are those of `boston`",
            ),
            ("power", "\"standard\"", 1, "`power:sheet5`"),
            (
                "yacht",
                "\"standard\"",
                21,
                "profile `smoke` runs 21 splits, but the protocol has only 20 that differ",
            ),
            ("yacht", "\"standard\"\nrows = { random = 50 }", 1, "only a subset takes part"),
            ("yacht", "{ k-fold = { folds = 1 } }", 1, "k-fold has 1 folds, expected 2 or more"),
            (
                "yacht",
                "{ k-fold = { folds = 5, repeats = 0 } }",
                1,
                "0 repeats, expected 1 or more",
            ),
            (
                "yacht",
                "{ grouped-k-fold = { folds = 1 } }",
                1,
                "k-fold has 1 folds, expected 2 or more",
            ),
            (
                "yacht",
                "{ rolling-origin = { start = 1.0, folds = 5 } }",
                1,
                "starts with 1 of the rows",
            ),
            (
                "yacht",
                "{ rolling-origin = { start = 0.5, folds = 0 } }",
                1,
                "rolling-origin has 0 folds",
            ),
            (
                "yacht",
                "{ k-fold = { folds = 5 } }",
                6,
                "runs 6 splits, but the protocol has only 5",
            ),
            ("yacht", "{ k-fold = { folds = 5, fold = 1 } }", 1, "fold"),
            ("yacht", "{ grouped = { test = { fraction = 1.0 } } }", 1, "the test fraction is 1"),
            ("yacht", "{ grouped = { test = { rows = 0 } } }", 1, "the test set has 0 rows"),
            (
                "wine-red",
                "{ gap = { feature = \"alcohol\", share = 1.5 } }",
                1,
                "the gap's share of rows is 1.5",
            ),
            (
                "wine-red",
                "{ gap = { feature = \"alcohl\", share = 0.5 } }",
                1,
                "did you mean `alcohol`?",
            ),
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
            (
                "wine-red",
                "{ tail = { feature = \"alcohol\", share = 0.5, end = \"left\" } }",
                1,
                "left",
            ),
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
        assert!(
            message("{ numpy-k-fold = { folds = 1, seed = 0 } }", 5).contains("k-fold has 1 folds")
        );
        let row = |splits: u64| {
            let text = include_str!("../../../../../benchmarks/papers/nsgp/nsgp-table-1.toml");
            let text = text.replacen("[[methods]]", &format!("[[methods]]\nsplits = {splits}"), 1);
            Benchmark::parse("test", &text).map_err(|error| error.to_string())
        };
        assert!(row(15).is_ok());
        let message_of = row(12).unwrap_err();
        assert!(
            message_of.contains("`nonstationary-gp` runs 12 splits, expected a multiple"),
            "{message_of}"
        );
        let none = "{ active-learning = { start = 30, added = 0 } }";
        assert!(message(none, 1).contains("starts with 30 rows and adds 0"));
    }
}
