//! Check that a benchmark does not contradict itself: every name that it uses must mean something.

mod boxes;
mod decomposition;
mod protocol;
mod ranges;

use std::collections::BTreeMap;

use super::{Benchmark, DatasetRow, Figure, PUBLISHED, Panel, PrintedColumn, Profile, Seeds};
use crate::data::scaling::Scaling;
use crate::metrics::Direction;
use crate::protocols::RowSubset;

impl Benchmark {
    /// Finds the first contradiction.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.datasets.is_empty() || self.methods.is_empty() || self.metrics.is_empty() {
            return Err("needs at least one dataset, one method and one metric".into());
        }
        for name in std::iter::once(self.id.as_str()).chain(self.figures.iter().map(|figure| figure.file())) {
            let fine = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            if name.is_empty() || !name.chars().all(fine) {
                return Err(format!("`{name}` becomes a file name, expected lower-case letters, digits and hyphens"));
            }
        }
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
        Ok(())
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
                    return Err(format!("profile `{}` names `{key}`, which is not a dataset of it", profile.as_str()));
                }
            }
            if profile == Profile::Full && !spec.budgets.is_empty() {
                return Err("profile `full` has budgets, but it is the paper's own run".into());
            }
            if let Some(id) = spec.budgets.keys().find(|id| !self.methods.iter().any(|row| row.id == **id)) {
                return Err(format!(
                    "profile `{}` has a budget for `{id}`, which is not a method of it",
                    profile.as_str()
                ));
            }
            if let Some(seeds) = spec.seeds {
                check_seeds(seeds, spec.splits).map_err(|wrong| format!("profile `{}`: {wrong}", profile.as_str()))?;
            }
        }
        Ok(())
    }

    /// Labels that select no column would leave a claim undecided or a figure empty, without a word.
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
                return Err(format!("method `{}` is run on `{key}`, which is not a dataset of it", row.id));
            }
        }
        for excluded in &self.excluded {
            self.has_column_or_printed(&excluded.labels).map_err(|wrong| format!("excluded: {wrong}"))?;
        }
        self.check_figures()?;
        for claim in &self.claims {
            claim.statement.kind().check(self).map_err(|wrong| format!("claim `{}`: {wrong}", claim.id))?;
        }
        Ok(())
    }

    fn check_figures(&self) -> Result<(), String> {
        for figure in &self.figures {
            if let Figure::Contrast { panels, .. } = figure
                && let Some(panel) = panels.iter().find(|panel| panel.metric.direction() != Direction::Lower)
            {
                let (file, metric) = (figure.file(), panel.metric);
                return Err(format!("figure `{file}`: its left is better, but of `{metric}` lower is not"));
            }
            if !matches!(figure, Figure::Contrast { .. }) && figure.columns().is_empty() {
                return Err(format!("figure `{}` shows no column", figure.file()));
            }
            if let Some(panels) = figure.unscaled_columns() {
                self.check_mixture(figure.file(), panels, &BTreeMap::new())?;
            }
            if let Figure::Mixture { panels, marked, .. } = figure {
                self.check_mixture(figure.file(), panels, marked)?;
            }
            for panel in figure.columns() {
                self.has_column(&panel.labels).map_err(|wrong| format!("figure `{}`: {wrong}", figure.file()))?;
                if let Some(key) = panel.dataset.as_ref().filter(|key| !self.datasets.iter().any(|d| d.key == **key)) {
                    return Err(format!("figure `{}`: `{key}` is not a dataset of it", figure.file()));
                }
            }
        }
        boxes::check(self)?;
        decomposition::check(self)
    }
}

impl Benchmark {
    /// Components and hyper-functions are in the units of the fit, predictions in those of the data: they must be the same.
    fn check_mixture(&self, file: &str, panels: &[Panel], marked: &BTreeMap<String, (f64, f64)>) -> Result<(), String> {
        let shown = |row: &&DatasetRow| panels.iter().any(|panel| panel.dataset.as_ref().is_none_or(|k| *k == row.key));
        if let Some(row) = self.datasets.iter().filter(shown).find(|row| row.scaling != Scaling::None) {
            return Err(format!("figure `{file}`: `{}` is scaled, expected scaling = \"none\"", row.key));
        }
        for (key, (low, high)) in marked {
            if !self.datasets.iter().any(|row| row.key == *key) {
                return Err(format!("figure `{file}`: `{key}` is marked, but is not a dataset of it"));
            }
            if !(low.is_finite() && high.is_finite() && low < high) {
                return Err(format!("figure `{file}`: `{key}` is marked from {low} to {high}, expected an interval"));
            }
        }
        Ok(())
    }
}

/// A variance needs two of its kind, and only repetitions that are run can be run again.
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
    fn a_calibration_figure_shows_columns_and_anchors() {
        let figure = |panels: &str| {
            let figure =
                format!("[[figures]]\nkind = \"calibration\"\nfile = \"c\"\ntitle = \"C\"\npanels = [{panels}]\n");
            let text =
                include_str!("../../benchmarks/dtb-table-1.toml").replacen("[[figures]]", &(figure + "[[figures]]"), 1);
            Benchmark::parse("test", &text).map_err(|error| error.to_string())
        };
        let parsed = figure(
            "{ title = \"a\", dataset = \"bike\", labels = { method = \"dt\", trees = \"weak\" } },
             { title = \"b\", labels = { method = \"linear-gaussian\" } }",
        );
        let parsed = parsed.unwrap();
        assert_eq!((parsed.figures[0].file(), parsed.figures[0].columns().len()), ("c", 2));
        assert!(parsed.figures[0].metrics().is_empty());
        for (panels, expected) in [
            ("", "figure `c` shows no column"),
            ("{ title = \"a\", labels = { method = \"linear\" } }", "no column has the labels"),
            ("{ title = \"a\", dataset = \"yacht\" }", "`yacht` is not a dataset of it"),
            ("{ name = \"a\" }", "name"),
        ] {
            let message = figure(panels).unwrap_err();
            assert!(message.contains(expected), "{panels}: {message}");
        }
        // A benchmark without anchors has no such column.
        let message = changed("labels = { method = \"dt\" } },\n", "labels = { method = \"linear-gaussian\" } },\n");
        assert!(message.contains("no column has the labels"), "{message}");
    }

    #[test]
    fn a_mixture_is_drawn_in_the_units_of_the_data() {
        let text = include_str!("../../benchmarks/jcm-figure-1.toml");
        let changed = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            Benchmark::parse("test", &text.replacen(from, to, 1)).unwrap_err().to_string()
        };
        let scaled = changed("scaling = \"none\"", "scaling = \"train-rows\"");
        assert!(scaled.contains("is scaled, expected scaling = \"none\""), "{scaled}");
        let marked = changed("marked = { \"simulated:jcm-heteroscedastic\"", "marked = { \"yacht\"");
        assert!(marked.contains("`yacht` is marked, but is not a dataset of it"), "{marked}");
        let swapped = changed("= [-2, 2] }\npanels", "= [2, -2] }\npanels");
        assert!(swapped.contains("is marked from 2 to -2, expected an interval"), "{swapped}");
        let judged = changed("dataset = \"simulated:jcm-sparse\", bound", "dataset = \"yacht\", bound");
        assert!(judged.contains("`yacht` is not a main dataset of it"), "{judged}");
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
            (column("other"), claim("dt", other, "yacht"), "`yacht` is not a main dataset of it"),
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
            ("[profiles.quick]", "[profiles.quick]\ndatasets = [\"bike\"]", "not a dataset of it"),
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
