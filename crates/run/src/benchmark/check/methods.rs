//! Check that the methods of a benchmark exist, with these parameters and readings.

use std::path::Path;

use super::Benchmark;
use crate::benchmark::mistakes::{Mistakes, Names, Part};
use crate::benchmark::{MethodRow, ProfileSpec};
use crate::external::ID as EXTERNAL;
use crate::external::given::Given;
use crate::registry::build;
use uq_methods::Advice;
use uq_methods::registry::RegistryError;

impl Benchmark {
    /// Notes unknown methods, and parameters with which a method cannot be built, those of a
    /// profile's budgets among them.
    pub(super) fn check_methods(&self, to: &mut Mistakes) {
        for (i, row) in self.methods.iter().enumerate() {
            if to.is_full() {
                return;
            }
            match check_own(row) {
                Ok(()) => self.check_budgets(row, to),
                Err((key, unknown, message)) => {
                    to.note_unknown(to.entry("methods", i).then(key), None, unknown, message);
                }
            }
        }
    }

    /// Notes the budgets with which a row cannot be built that can be built without them.
    fn check_budgets(&self, row: &MethodRow, to: &mut Mistakes) {
        let runs =
            |spec: &ProfileSpec| spec.runs(&row.id) && (spec.variants || row.variant.is_none());
        let with_budget = |spec: &ProfileSpec| spec.budgets.contains_key(&row.id) && runs(spec);
        for (profile, spec) in self.profiles.iter().filter(|(_, spec)| with_budget(spec)) {
            if let Err(error) = build(&row.id, &spec.parameters(&row.id, &row.parameters)) {
                let part =
                    Part::key("profiles").then(profile.as_str()).then("budgets").then(&row.id);
                to.note(part, error.to_string());
            }
        }
    }

    /// Notes columns of readings that their method does not offer.
    pub(super) fn check_readings(&self, to: &mut Mistakes) {
        for (i, row) in self.methods.iter().enumerate() {
            let Ok(method) = build(&row.id, &row.parameters) else { continue };
            let offered = row.protocol(&self.protocol).kind().readings(method.readings());
            for column in row.columns.iter().filter(|column| !offered.contains(&column.reading)) {
                let known = offered
                    .iter()
                    .map(|reading| format!("`{reading}`"))
                    .collect::<Vec<_>>()
                    .join(", ");
                let message = format!(
                    "method `{}` has no reading `{}`; it has {known}",
                    row.id, column.reading
                );
                to.note(to.entry("methods", i).then("columns"), message);
            }
        }
    }
}

/// Builds a method as its row states it. An external one is built when it has described itself.
fn check_own(row: &MethodRow) -> Result<(), (&'static str, Option<Names>, String)> {
    if row.id == EXTERNAL {
        let given = Given::from_parameters(&row.parameters, Path::new("")).map(|_| ());
        return given.map_err(|why| ("parameters", None, format!("method `{EXTERNAL}`: {why}")));
    }
    match build(&row.id, &row.parameters) {
        Ok(_) => Ok(()),
        Err(RegistryError::Unknown { name, advice }) => {
            let names = if matches!(advice, Advice::OfKind(_)) {
                Names::MethodsOfKind
            } else {
                Names::Methods
            };
            Err(("id", Some(names), RegistryError::Unknown { name, advice }.to_string()))
        }
        Err(error) => Err(("parameters", None, error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "id = \"a\"\ntitle = \"A\"\nprotocol = { k-fold = { folds = 5 } }\n\
        datasets = [{ key = \"yacht\", heading = \"Data\" }]\nmetrics = [{ id = \"rmse\", heading \
        = \"RMSE\" }]\n\
        [[methods]]\nid = \"tree\"\nparameters = { max_depth = 3 }\ncolumns = [{ heading = \
        \"Tree\" }]\n";

    fn message(text: &str) -> String {
        Benchmark::parse("test", text).unwrap_err().to_string()
    }

    #[test]
    fn methods_and_their_parameters_are_checked_with_the_file() {
        Benchmark::parse("test", TEXT).unwrap();
        let external = "id = \"external\"\nparameters = { name = \"a\" }";
        for (from, to, expected) in [
            (
                "\"tree\"",
                "\"tre\"",
                "line 7, `methods`, entry 1 (`tre`), `id`: there is no method `tre`, did you mean",
            ),
            (
                "max_depth",
                "depth",
                "line 8, `methods`, entry 1 (`tree`), `parameters`: method `tree`: unknown field \
                 `depth`",
            ),
            (
                "id = \"tree\"\nparameters = { max_depth = 3 }",
                external,
                "method `external`: missing field `command`",
            ),
            (
                "{ heading = \"Tree\" }",
                "{ heading = \"T\", reading = \"game\" }",
                "`columns`: method `tree` has no reading `game`",
            ),
        ] {
            assert!(TEXT.contains(from), "{from}");
            let message = message(&TEXT.replacen(from, to, 1));
            assert!(message.contains(expected), "{to}: {message}");
        }
    }

    #[test]
    fn each_value_of_a_varied_parameter_is_checked_and_a_mistake_of_all_is_told_once() {
        let varied = TEXT.replace(
            "parameters = { max_depth = 3 }",
            "vary = { parameter = \"depth\", values = [1, 2] }",
        );
        let told = message(&varied);
        assert_eq!(told.matches("unknown field `depth`").count(), 1, "{told}");
        let varied = varied.replace("\"depth\"", "\"max_depth\"");
        Benchmark::parse("test", &varied).unwrap();
        assert!(
            message(&varied.replace("[1, 2]", "[1, 2.5]"))
                .contains("line 6, `methods`, entry 1 (`tree`), `parameters`")
        );
    }

    #[test]
    fn a_budget_is_told_where_its_profile_runs_the_row() {
        let with = |profile: &str| {
            format!(
                "{TEXT}[profiles.smoke]\nsplits = 1\nbudgets = {{ tree = {{ depth = 1 }} \
                 }}\n{profile}"
            )
        };
        let told = message(&with(""));
        assert!(
            told.contains(
                "line 12, `profiles`, `smoke`, `budgets`, `tree`: method `tree`: unknown \
                           field `depth`"
            ),
            "{told}"
        );
        Benchmark::parse("test", &with("methods = []\n")).unwrap();
    }
}
