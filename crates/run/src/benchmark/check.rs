//! Check that a benchmark has no contradictions and that every name in it exists.

mod decomposition;
mod headings;
mod lengths;
mod methods;
mod protocol;
mod ranges;
mod sentences;

use std::collections::BTreeMap;

use super::mistakes::{Mistakes, Part};
use super::report_files::{LONGEST_ID, is_page};
use super::{Benchmark, PrintedColumn, Profile, ProfileSpec, Seeds};
use crate::protocols::RowSubset;
use uq_core::scaling::Scaling;

/// A check, and the keys of a file on which it depends. It looks at the entries of other lists one
/// by one.
type Check = (&'static [&'static str], fn(&Benchmark, &mut Mistakes));

/// All checks, each of which notes what is wrong.
const CHECKS: [Check; 21] = [
    (&["datasets"], |of, to| check_some("datasets", of.datasets.len(), to)),
    (&["methods"], |of, to| check_some("methods", of.methods.len(), to)),
    (&["metrics"], |of, to| check_some("metrics", of.metrics.len(), to)),
    (&["id"], |of, to| to.note_failure(Part::key("id"), check_id(&of.id))),
    (&[], Benchmark::check_files),
    (&[], Benchmark::check_lengths),
    (&[], Benchmark::check_datasets),
    (&[], Benchmark::check_methods),
    (&[], Benchmark::check_headings),
    (&["protocol"], Benchmark::check_readings),
    (&["protocol", "rows"], Benchmark::check_protocol),
    (&["protocol", "anchors", "score_units"], Benchmark::check_acquire),
    (&[], Benchmark::check_numbers),
    (&["datasets", "methods", "profiles"], Benchmark::check_profiles),
    (&["protocol_source", "provenance", "datasets", "methods"], Benchmark::check_provenance),
    (
        &["datasets", "methods", "metrics", "printed_columns", "anchors", "protocol"],
        Benchmark::check_labels,
    ),
    (&["own", "methods", "printed_columns"], Benchmark::check_own),
    (
        &[
            "datasets",
            "methods",
            "metrics",
            "anchors",
            "printed_columns",
            "own_papers",
            "published",
        ],
        Benchmark::check_printed,
    ),
    (&["ranks", "protocol"], Benchmark::check_ranks),
    (&["league", "datasets", "methods", "metrics", "anchors", "protocol"], Benchmark::check_league),
    (&["claims"], Benchmark::check_sentences),
];

/// Whether pages can have this name: that of another page would be replaced.
fn check_id(id: &str) -> Result<(), String> {
    if is_page(id) {
        return Err(format!(
            "the id `{id}` is the name of another page of a report; choose another one"
        ));
    }
    check_file_name(id)
}

impl Benchmark {
    /// Notes every contradiction. A check that depends on one of the keys `wrong`, which have
    /// mistakes already, is left out: what is read without them would have others.
    pub(super) fn check(&self, wrong: &[String], to: &mut Mistakes) {
        let is_right = |key: &&str| !wrong.iter().any(|wrong| wrong == key);
        let checks = CHECKS.iter().filter(|(needed, _)| needed.iter().all(is_right));
        checks.for_each(|(_, check)| check(self, to));
    }

    fn check_files(&self, to: &mut Mistakes) {
        for (i, figure) in self.figures.iter().enumerate() {
            let file = figure.kind().file();
            to.note_failure(to.entry("figures", i).then("file"), check_file_name(file));
            if let Some(before) =
                self.figures[..i].iter().position(|other| other.kind().file() == file)
            {
                let (part, other) =
                    (to.entry("figures", i).then("file"), to.entry("figures", before).then("file"));
                to.note_contradiction(
                    part,
                    other,
                    format!("two figures have the name `{file}`; give this one another"),
                );
            }
        }
    }

    fn check_numbers(&self, to: &mut Mistakes) {
        if self.rows == RowSubset::Random(0) {
            to.note(Part::key("rows"), "the row subset has 0 rows, expected 1 or more");
        }
        to.note_failure(Part::key("ask"), self.check_ask());
        for (i, row) in self.datasets.iter().enumerate() {
            if let Scaling::Fixed(factor) = row.scaling
                && !(factor.is_finite() && factor > 0.0)
            {
                let message =
                    format!("the target's factor is {factor}, expected a positive number");
                to.note(to.entry("datasets", i).then("scaling"), message);
            }
        }
    }

    fn check_profiles(&self, to: &mut Mistakes) {
        for (profile, spec) in &self.profiles {
            self.check_profile(*profile, spec, to);
        }
        if !self.profiles.is_empty() && self.profiles.values().all(|spec| spec.splits == 0) {
            to.note(
                Part::key("profiles"),
                "no profile runs a split, expected `splits` of 1 or more",
            );
        }
    }

    fn check_profile(&self, profile: Profile, spec: &ProfileSpec, to: &mut Mistakes) {
        let name = profile.as_str();
        let part = |key: &str| Part::key("profiles").then(name).then(key);
        to.note_failure(part("splits"), self.check_trials(profile, spec));
        let has_dataset = |key: &&String| self.datasets.iter().any(|row| row.key == **key);
        for key in spec.datasets.iter().flatten().filter(|key| !has_dataset(key)) {
            to.note(
                part("datasets"),
                format!(
                    "profile `{name}` names `{key}`, which is not a dataset of this benchmark{}",
                    self.like(key)
                ),
            );
        }
        let has_method = |id: &&String| self.methods.iter().any(|row| row.id == **id);
        for id in spec.methods.iter().flatten().filter(|id| !has_method(id)) {
            to.note(
                part("methods"),
                format!("profile `{name}` names `{id}`, which is not a method of this benchmark"),
            );
        }
        if profile == Profile::Full && !spec.budgets.is_empty() {
            to.note(part("budgets"), "profile `full` has budgets, but it is the paper's own run");
        }
        for id in spec.budgets.keys().filter(|id| !has_method(id)) {
            let message = format!(
                "profile `{name}` has a budget for `{id}`, which is not a method of this benchmark"
            );
            to.note(part("budgets"), message);
        }
        if let Some(seeds) = spec.seeds {
            to.note_failure(part("seeds"), check_seeds(seeds, spec.splits));
        }
    }

    /// Checks labels, because labels that select no column would leave a claim undecided or a
    /// figure empty without a message.
    fn check_labels(&self, to: &mut Mistakes) {
        for (i, PrintedColumn { heading, labels }) in self.printed_columns.iter().enumerate() {
            let part = to.entry("printed_columns", i);
            if self.columns().any(|column| column.labels == *labels) {
                let message = format!(
                    "printed column `{heading}`: a method has these labels, so it is not only \
                     printed"
                );
                to.note(part, message);
            } else if self.printed_columns[..i].iter().any(|other| other.labels == *labels) {
                to.note(
                    part,
                    format!("printed column `{heading}`: another one has the same labels"),
                );
            }
        }
        if let Some(contrast) = &self.contrast {
            for value in [&contrast.test, &contrast.reference] {
                let labels = BTreeMap::from([(contrast.label.clone(), value.clone())]);
                let checked =
                    self.has_column(&labels).map_err(|wrong| format!("contrast: {wrong}"));
                to.note_failure(Part::key("contrast"), checked);
            }
        }
        for (i, row) in self.methods.iter().enumerate() {
            if row.columns.is_empty() {
                let message = format!(
                    "method `{}` has no column, so that nothing of it would be shown",
                    row.id
                );
                to.note(to.entry("methods", i).then("columns"), message);
            }
            let is_unknown =
                |key: &&String| !self.datasets.iter().any(|dataset| dataset.key == **key);
            for key in row.datasets.iter().flatten().filter(is_unknown) {
                let message = format!(
                    "method `{}` is run on `{key}`, which is not a dataset of this benchmark{}",
                    row.id,
                    self.like(key)
                );
                to.note(to.entry("methods", i).then("datasets"), message);
            }
        }
        for (i, excluded) in self.excluded.iter().enumerate() {
            let checked = self
                .has_column_or_printed(&excluded.labels)
                .map_err(|wrong| format!("excluded: {wrong}"));
            to.note_failure(to.entry("excluded", i), checked);
        }
        for (i, inconsistent) in self.inconsistent.iter().enumerate() {
            let checked = self.has_column_or_printed(&inconsistent.labels);
            to.note_failure(
                to.entry("inconsistent", i),
                checked.map_err(|wrong| format!("inconsistent: {wrong}")),
            );
        }
        for (i, unjudged) in self.unjudged.iter().enumerate() {
            if !self.printed.cells.iter().any(|cell| unjudged.has(cell)) {
                let message = "unjudged: no printed number has this dataset, metric and labels";
                to.note(to.entry("unjudged", i), message);
            }
        }
        to.note_failure(Part::key("decomposition"), decomposition::check(self));
        for (i, figure) in self.figures.iter().enumerate() {
            to.note_failure(to.entry("figures", i), figure.kind().check(self));
        }
        for (i, claim) in self.claims.iter().enumerate() {
            let checked = claim
                .statement
                .kind()
                .check(self)
                .map_err(|wrong| format!("claim `{}`: {wrong}", claim.id));
            to.note_failure(to.entry("claims", i), checked);
        }
    }

    /// Checks the printed numbers, and what is said of their papers.
    fn check_printed(&self, to: &mut Mistakes) {
        self.check_printed_cells(to);
        to.note_failure(Part::key("own_papers"), self.check_own_papers());
    }
}

/// Checks that a list has an entry.
fn check_some(list: &'static str, entries: usize, to: &mut Mistakes) {
    if entries == 0 {
        to.note(Part::key(list), format!("found no entry, expected at least one `[[{list}]]`"));
    }
}

/// Checks that a name can be that of a file.
pub(super) fn check_file_name(name: &str) -> Result<(), String> {
    let is_fine = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(is_fine) {
        return Err(format!(
            "`{name}` becomes a file name, expected lower-case letters, digits and hyphens"
        ));
    }
    if name.len() > LONGEST_ID {
        return Err(format!(
            "it becomes a file name and has {} bytes, expected at most {LONGEST_ID}",
            name.len()
        ));
    }
    Ok(())
}

/// Checks that there are at least two seeds and two splits, and no more splits than the profile
/// runs.
fn check_seeds(seeds: Seeds, splits: u64) -> Result<(), String> {
    if seeds.count < 2 {
        return Err(format!(
            "seeds have the count {}, expected 2 or more, the ordinary one among them",
            seeds.count
        ));
    }
    if seeds.splits < 2 || seeds.splits > splits {
        return Err(format!(
            "seeds have {} splits, expected 2 to the profile's {splits}",
            seeds.splits
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shipped benchmark with one piece of its text replaced.
    fn changed(from: &str, to: &str) -> String {
        let text = include_str!("../../../../benchmarks/papers/dtb/dtb-figure-5.toml");
        assert!(text.contains(from), "{from}");
        Benchmark::parse("test", &text.replacen(from, to, 1)).unwrap_err().to_string()
    }

    #[test]
    fn a_printed_column_has_no_method_and_may_be_excluded_and_compared() {
        let with = |columns: &str, rest: &str| {
            let text = include_str!("../../../../benchmarks/papers/dtb/dtb-figure-5.toml");
            let text = text.replacen(
                "protocol_source",
                &format!("printed_columns = [{columns}]\nprotocol_source"),
                1,
            );
            Benchmark::parse("test", &format!("{text}\n{rest}")).map_err(|error| error.to_string())
        };
        let column = |value: &str| {
            format!("{{ heading = \"Other\", labels = {{ method = \"{value}\" }} }},")
        };
        let excluded = "[[excluded]]\ndataset = \"california\"\nmetric = \"mse\"\nlabels = { \
                        method = \"other\" }\n\
                        verdict = \"impossible\"\nreason = \"R.\"\n";
        let inconsistent = "[[inconsistent]]\ndataset = \"california\"\nmetric = \"mse\"\nlabels = \
                            { method = \"other\" }\n\
                            reason = \"R.\"\n";
        let claim = |test: &str, references: &str, dataset: &str| {
            format!(
                "[[claims]]\nid = \"c\"\ntext = \"C.\"\nstatement = {{ kind = \"better\", metric = \
                 \"mse\", test = {{ method = \"{test}\" }}, references = [{references}], datasets \
                 = [\"{dataset}\"], quantifier = \"all\" }}\n"
            )
        };
        let other = "{ method = \"other\" }";
        let parsed = with(
            &column("other"),
            &format!("{excluded}{inconsistent}{}", claim("dt", other, "california")),
        )
        .unwrap();
        assert_eq!(
            (parsed.printed_columns.len(), parsed.excluded.len(), parsed.inconsistent.len()),
            (1, 1, 1)
        );
        for (columns, rest, expected) in [
            (column("other").repeat(2), String::new(), "another one has the same labels"),
            (column("dt"), String::new(), "a method has these labels"),
            (column("another"), excluded.into(), "excluded: no column has the labels"),
            (column("another"), inconsistent.into(), "inconsistent: no column has the labels"),
            (column("other"), claim("td", other, "california"), "no column has the labels"),
            (
                column("other"),
                "[[methods]]\nid = \"tree\"\ncolumns = []\n".into(),
                "method `tree` has no column",
            ),
            (
                column("other"),
                claim("dt", "{ method = \"others\" }", "california"),
                "no column has the labels",
            ),
            (column("other"), claim("dt", "", "california"), "compares a column with no other"),
            (
                column("other"),
                claim("dt", other, "yacht"),
                "`yacht` is not a main dataset of this benchmark",
            ),
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
            (
                "[profiles.quick]",
                "[profiles.quick]\ndatasets = [\"bike\"]",
                "not a dataset of this benchmark",
            ),
            (
                "[profiles.quick]",
                "[profiles.quick]\nmethods = [\"pbp\"]",
                "not a method of this benchmark",
            ),
            (
                "[profiles.quick]",
                "[profiles.quick]\nseeds = { count = 1, splits = 2 }",
                "have the count 1",
            ),
            (
                "[profiles.quick]",
                "[profiles.quick]\nseeds = { count = 3, splits = 1 }",
                "expected 2 to the profile's 10",
            ),
            (
                "[profiles.quick]",
                "[profiles.quick]\nseeds = { count = 3, splits = 11 }",
                "seeds have 11 splits",
            ),
            (
                "contrast = { label = \"method\", test = \"dt\", reference = \"uniform\", names = \
                 [\"DT\", \"uniform\"] }",
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
