//! Check that a benchmark has no contradictions and that every name in it exists.

mod decomposition;
mod protocol;
mod ranges;

use std::collections::BTreeMap;

use super::{Benchmark, PUBLISHED, PrintedColumn, Profile, Seeds};
use crate::data::scaling::Scaling;
use crate::protocols::RowSubset;

impl Benchmark {
    /// Finds the first contradiction.
    ///
    /// # Errors
    /// A message that states what is wrong.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.datasets.is_empty() || self.methods.is_empty() || self.metrics.is_empty() {
            return Err("needs at least one dataset, one method and one metric".into());
        }
        for name in std::iter::once(self.id.as_str()).chain(self.figures.iter().map(|figure| figure.kind().file())) {
            let fine = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            if name.is_empty() || !name.chars().all(fine) {
                return Err(format!("`{name}` becomes a file name, expected lower-case letters, digits and hyphens"));
            }
        }
        self.check_own_tables()?;
        self.check_protocol()?;
        self.check_numbers()?;
        self.check_profiles()?;
        self.check_provenance()?;
        self.check_labels()?;
        self.check_own()?;
        if let Some(file) = &self.published
            && !PUBLISHED.iter().any(|(name, _)| name == file)
        {
            return Err(format!("there is no file of printed numbers `{file}`"));
        }
        self.check_own_papers()?;
        self.check_ranks()
    }

    fn check_numbers(&self) -> Result<(), String> {
        if self.rows == RowSubset::Random(0) {
            return Err("the row subset has 0 rows, expected 1 or more".into());
        }
        self.check_ask()?;
        for row in &self.datasets {
            if let Scaling::Fixed(factor) = row.scaling
                && !(factor.is_finite() && factor > 0.0)
            {
                return Err(format!(
                    "dataset `{}`: the target's factor is {factor}, expected a positive number",
                    row.key
                ));
            }
        }
        Ok(())
    }

    fn check_profiles(&self) -> Result<(), String> {
        for profile in [Profile::Smoke, Profile::Quick, Profile::Full] {
            let spec = self.profile(profile).ok_or_else(|| format!("profile `{}` is missing", profile.as_str()))?;
            self.check_trials(profile, spec)?;
            for key in spec.datasets.iter().flatten() {
                if !self.datasets.iter().any(|row| row.key == *key) {
                    return Err(format!(
                        "profile `{}` names `{key}`, which is not a dataset of this benchmark",
                        profile.as_str()
                    ));
                }
            }
            if let Some(id) = spec.methods.iter().flatten().find(|id| !self.methods.iter().any(|row| row.id == **id)) {
                return Err(format!(
                    "profile `{}` names `{id}`, which is not a method of this benchmark",
                    profile.as_str()
                ));
            }
            if profile == Profile::Full && !spec.budgets.is_empty() {
                return Err("profile `full` has budgets, but it is the paper's own run".into());
            }
            if let Some(id) = spec.budgets.keys().find(|id| !self.methods.iter().any(|row| row.id == **id)) {
                return Err(format!(
                    "profile `{}` has a budget for `{id}`, which is not a method of this benchmark",
                    profile.as_str()
                ));
            }
            if let Some(seeds) = spec.seeds {
                check_seeds(seeds, spec.splits).map_err(|wrong| format!("profile `{}`: {wrong}", profile.as_str()))?;
            }
        }
        Ok(())
    }

    /// Checks labels, because labels that select no column would leave a claim undecided or a figure empty without a
    /// message.
    fn check_labels(&self) -> Result<(), String> {
        for (i, PrintedColumn { heading, labels }) in self.printed_columns.iter().enumerate() {
            if self.columns().any(|column| column.labels == *labels) {
                return Err(format!(
                    "printed column `{heading}`: a method has these labels, so it is not only printed"
                ));
            }
            if self.printed_columns[..i].iter().any(|other| other.labels == *labels) {
                return Err(format!("printed column `{heading}`: another one has the same labels"));
            }
        }
        if let Some(contrast) = &self.contrast {
            for value in [&contrast.test, &contrast.reference] {
                let labels = BTreeMap::from([(contrast.label.clone(), value.clone())]);
                self.has_column(&labels).map_err(|wrong| format!("contrast: {wrong}"))?;
            }
        }
        for row in &self.methods {
            let keys = row.datasets.iter().flatten();
            if let Some(key) = keys.into_iter().find(|key| !self.datasets.iter().any(|d| d.key == **key)) {
                return Err(format!("method `{}` is run on `{key}`, which is not a dataset of this benchmark", row.id));
            }
        }
        for excluded in &self.excluded {
            self.has_column_or_printed(&excluded.labels).map_err(|wrong| format!("excluded: {wrong}"))?;
        }
        decomposition::check(self)?;
        self.figures.iter().try_for_each(|figure| figure.kind().check(self))?;
        for claim in &self.claims {
            claim.statement.kind().check(self).map_err(|wrong| format!("claim `{}`: {wrong}", claim.id))?;
        }
        Ok(())
    }
}

/// Checks that there are at least two seeds and two splits, and no more splits than the profile runs.
fn check_seeds(seeds: Seeds, splits: u64) -> Result<(), String> {
    if seeds.count < 2 {
        return Err(format!("seeds have the count {}, expected 2 or more, the ordinary one among them", seeds.count));
    }
    if seeds.splits < 2 || seeds.splits > splits {
        return Err(format!("seeds have {} splits, expected 2 to the profile's {splits}", seeds.splits));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shipped benchmark with one piece of its text replaced.
    fn changed(from: &str, to: &str) -> String {
        let text = include_str!("../../benchmarks/dtb-figure-5.toml");
        assert!(text.contains(from), "{from}");
        Benchmark::parse("test", &text.replacen(from, to, 1)).unwrap_err().to_string()
    }

    #[test]
    fn a_printed_column_has_no_method_and_may_be_excluded_and_compared() {
        let with = |columns: &str, rest: &str| {
            let text = include_str!("../../benchmarks/dtb-figure-5.toml");
            let text = text.replacen("protocol_source", &format!("printed_columns = [{columns}]\nprotocol_source"), 1);
            Benchmark::parse("test", &format!("{text}\n{rest}")).map_err(|error| error.to_string())
        };
        let column = |value: &str| format!("{{ heading = \"Other\", labels = {{ method = \"{value}\" }} }},");
        let excluded = "[[excluded]]\ndataset = \"california\"\nmetric = \"mse\"\nlabels = { method = \"other\" }\n\
                        verdict = \"impossible\"\nreason = \"R.\"\n";
        let claim = |test: &str, references: &str, dataset: &str| {
            format!(
                "[[claims]]\nid = \"c\"\ntext = \"C.\"\nstatement = {{ kind = \"better\", metric = \"mse\", test = {{ method = \
                 \"{test}\" }}, references = [{references}], datasets = [\"{dataset}\"], quantifier = \"all\" }}\n"
            )
        };
        let other = "{ method = \"other\" }";
        let parsed = with(&column("other"), &format!("{excluded}{}", claim("dt", other, "california"))).unwrap();
        assert_eq!((parsed.printed_columns.len(), parsed.excluded.len()), (1, 1));
        for (columns, rest, expected) in [
            (column("other").repeat(2), String::new(), "another one has the same labels"),
            (column("dt"), String::new(), "a method has these labels"),
            (column("another"), excluded.into(), "excluded: no column has the labels"),
            (column("other"), claim("td", other, "california"), "no column has the labels"),
            (column("other"), claim("dt", "{ method = \"others\" }", "california"), "no column has the labels"),
            (column("other"), claim("dt", "", "california"), "compares a column with no other"),
            (column("other"), claim("dt", other, "yacht"), "`yacht` is not a main dataset of this benchmark"),
        ] {
            let message = with(&columns, &rest).unwrap_err();
            assert!(message.contains(expected), "{rest}: {message}");
        }
    }

    #[test]
    fn contradictions_are_told() {
        let cases = [
            ("fraction = 0.2", "fraction = 1.5", "the test fraction is 1.5"),
            ("id = \"dtb-figure-5\"", "id = \"../../evil\"", "becomes a file name"),
            ("file = \"dtb-figure-5\"", "file = \"a/b\"", "becomes a file name"),
            ("scaling = \"none\"", "scaling = { fixed = 0.0 }", "factor is 0"),
            ("x = [0.0, 0.05]", "x = [2.0, 3.0]", "no column has the labels"),
            ("test = \"dt\", reference", "test = \"gt\", reference", "contrast: no column"),
            (
                "labels = { method = \"dt\" } },\n  { title",
                "labels = { method = \"x\" } },\n  { title",
                "no column has the labels",
            ),
            ("[profiles.quick]", "[profiles.quick]\ndatasets = [\"bike\"]", "not a dataset of this benchmark"),
            ("[profiles.quick]", "[profiles.quick]\nmethods = [\"pbp\"]", "not a method of this benchmark"),
            ("[profiles.quick]", "[profiles.quick]\nseeds = { count = 1, splits = 2 }", "have the count 1"),
            (
                "[profiles.quick]",
                "[profiles.quick]\nseeds = { count = 3, splits = 1 }",
                "expected 2 to the profile's 10",
            ),
            ("[profiles.quick]", "[profiles.quick]\nseeds = { count = 3, splits = 11 }", "seeds have 11 splits"),
            (
                "contrast = { label = \"method\", test = \"dt\", reference = \"uniform\", names = [\"DT\", \"uniform\"] }",
                "",
                "there is no contrast",
            ),
        ];
        for (from, to, expected) in cases {
            let message = changed(from, to);
            assert!(message.contains(expected), "{from}: {message}");
        }
    }
}
