//! Datasets of a benchmark that are files of the user: `file`, `target`, `drop`, `encoding`,
//! `separator`, `sheet`, `na`, `level_na`, `censored` and `keep_index` of a dataset.

use super::folder::path_inside;
use super::mistakes::{Mistakes, Names, Part};
use super::{Benchmark, DatasetRow};
use crate::protocols::{Repetition, Source};
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_core::names::counted;
use uq_methods::FitError;
use uqbench_data::objectives::Objective;
use uqbench_data::own::{FileFormat, OwnDataset, OwnError, Setting, stem};
use uqbench_data::simulated::Simulated;
use uqbench_data::{DataError, Manifest};

impl DatasetRow {
    /// Takes key and heading from the name of its file where they are left out.
    pub(super) fn take_names_of_file(&mut self) {
        let Some(file) = &self.file else { return };
        if self.key.is_empty() {
            self.key = stem(file);
        }
        if self.heading.is_empty() {
            self.heading.clone_from(&self.key);
        }
    }

    /// Finds the dataset of uqbench of this key.
    ///
    /// # Errors
    /// [`DataError`] with the most similar key where there is none.
    fn known(&self) -> Result<(), DataError> {
        if Simulated::get(&self.key).is_some() || Objective::get(&self.key).is_some() {
            return Ok(());
        }
        Manifest::shipped()?.get(&self.key).map(|_| ())
    }

    /// Notes what is wrong with its keys; it is in this part of the file.
    fn check(&self, part: &Part, to: &mut Mistakes) {
        let key = &self.key;
        for (name, _) in
            [("key", key), ("heading", &self.heading)].iter().filter(|(_, value)| value.is_empty())
        {
            to.note(
                part.clone().then(name),
                "missing or empty; only a dataset with a `file` is named by it",
            );
        }
        let is_read = self.format() != FileFormat::default() || !self.rules().is_default();
        let others = self.target.is_some() || !self.drop.is_empty() || is_read;
        match (&self.file, self.known()) {
            (None, _) if others => {
                let message = "`target`, `drop`, `encoding`, `separator`, `sheet`, `na`, \
                               `level_na`, `censored` and `keep_index` belong to a `file`, and it \
                               has none";
                to.note(part.clone(), format!("dataset `{key}`: {message}"));
            }
            (None, Err(error)) if !key.is_empty() => {
                let is_all = matches!(error, DataError::Unknown { nearest: None, .. });
                to.note_unknown(
                    part.clone().then("key"),
                    None,
                    is_all.then_some(Names::Datasets),
                    error.to_string(),
                );
            }
            (Some(_), Ok(())) => {
                let message = "uqbench has another dataset of this key; choose another one";
                to.note(part.clone().then("key"), format!("dataset `{key}`: {message}"));
            }
            _ => {}
        }
        if self.file.is_some() && self.target.is_none() {
            let message =
                format!("dataset `{key}`: a `file` needs a `target`, the column to predict");
            to.note(part.clone().then("target"), message);
        }
    }
}

impl Benchmark {
    /// Notes datasets that do not exist or whose keys do not fit together.
    pub(super) fn check_datasets(&self, to: &mut Mistakes) {
        for (i, row) in self.datasets.iter().enumerate() {
            // Of a row that was read without some of its keys others would seem to be missing.
            let part = to.entry("datasets", i);
            if to.has(&part) {
                continue;
            }
            row.check(&part, to);
            let is_same = |other: &&DatasetRow| {
                other.key == row.key && other.file.is_some() && other.variant.is_none()
            };
            let own = row.file.is_some() && row.variant.is_none();
            if let Some(other) = self.datasets[..i].iter().find(is_same).filter(|_| own) {
                let message = format!(
                    "another file has the key `{}`: give one of them a `key` of its own",
                    other.key
                );
                to.note(to.entry("datasets", i).then("key"), message);
            }
        }
    }

    /// Reads the files of the datasets that have one, so that their trials can be planned, and
    /// notes every mistake in them, and rows that the protocol cannot divide. A path is relative to
    /// the folder of the benchmark file. Where that is the folder of a paper, which may be a
    /// stranger's, the path has to stay inside.
    pub(super) fn read_own_tables(&mut self, is_of_paper: bool, to: &mut Mistakes) {
        let folder = self.folder.clone().unwrap_or_default();
        let mut tables = Vec::new();
        for (i, row) in self.datasets.iter_mut().enumerate() {
            let Some((file, target)) = row.file.as_ref().zip(row.target.as_ref()) else { continue };
            if let (true, Err(message)) = (is_of_paper, path_inside(&folder, file)) {
                to.note(to.entry("datasets", i).then("file"), message);
                continue;
            }
            match OwnDataset::read_with(
                &folder.join(file),
                target,
                &row.drop,
                &row.format(),
                &row.rules(),
            ) {
                Ok((own, table)) => {
                    row.own = Some(own);
                    tables.push((i, table));
                }
                Err(errors) => {
                    for error in errors {
                        let message = format!("dataset `{}`: {}", row.key, error);
                        to.note(to.entry("datasets", i).then(key_of(&error)), message);
                    }
                }
            }
        }
        if !to.has(&Part::key("protocol")) {
            tables.iter().for_each(|(i, table)| self.check_division(*i, table, to));
        }
    }

    /// Notes a table of which the protocol cannot divide the rows.
    fn check_division(&self, i: usize, table: &Table, to: &mut Mistakes) {
        let key = &self.datasets[i].key;
        let streams = Streams::new(self.root_seed, key);
        let repetition = Repetition { dataset: key, rows: self.rows, split: 0, streams };
        let why = match self.protocol.kind().rows(&repetition, Source::Table(table)) {
            Ok(_) => return,
            Err(FitError::Unsupported(why)) => why,
            Err(error) => error.to_string(),
        };
        let rows = counted(table.rows(), "row");
        let message = format!("dataset `{key}`, {rows}: the protocol cannot divide them: {why}");
        to.note(to.entry("datasets", i).then("file"), message);
    }
}

/// The key of a dataset that an error is about.
fn key_of(error: &OwnError) -> &'static str {
    match error {
        OwnError::UnknownColumn { setting: Some(Setting::Target), .. } => "target",
        OwnError::UnknownColumn { setting: Some(Setting::Na), .. } => "na",
        OwnError::UnknownColumn { setting: Some(Setting::LevelNa), .. } => "level_na",
        OwnError::UnknownColumn { .. } | OwnError::DropsTarget { .. } => "drop",
        _ => "file",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// A benchmark of these datasets.
    fn parsed(datasets: &str) -> Result<Benchmark, String> {
        let text = format!(
            "id = \"a\"\ntitle = \"A\"\nprotocol = {{ k-fold = {{ folds = 5 }} }}\n{datasets}\n\
             [[methods]]\nid = \"tree\"\ncolumns = [{{ heading = \"Tree\" }}]\n[[metrics]]\nid = \
             \"rmse\"\nheading = \"RMSE\"\n"
        );
        Benchmark::parse("test", &text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_names_its_dataset_and_a_dataset_of_uqbench_has_a_name() {
        let row = |datasets: &str| parsed(datasets).unwrap().datasets.remove(0);
        let named = row("[[datasets]]\nfile = \"of/My houses.csv.gz\"\ntarget = \"y\"");
        assert_eq!((named.key.as_str(), named.heading.as_str()), ("My houses", "My houses"));
        let stated = row("[[datasets]]\nfile = \"a.csv\"\ntarget = \"y\"\nkey = \"mine\"");
        assert_eq!((stated.key.as_str(), stated.heading.as_str()), ("mine", "mine"));
        let message = parsed("[[datasets]]\nscaling = \"none\"").unwrap_err();
        for key in ["`key`", "`heading`"] {
            assert!(
                message.contains(&format!("line 4, `datasets`, entry 1, {key}: missing or empty")),
                "{message}"
            );
        }
    }

    #[test]
    fn profiles_without_a_split_are_refused() {
        let of = |splits: u64| {
            parsed(&format!(
                "[[datasets]]\nkey = \"yacht\"\nheading = \"Yacht\"\n[profiles.full]\nsplits = \
                 {splits}"
            ))
        };
        assert_eq!(of(1).err(), None);
        let message = of(0).unwrap_err();
        assert!(
            message.contains("no profile runs a split, expected `splits` of 1 or more"),
            "{message}"
        );
    }

    #[test]
    fn unknown_datasets_and_files_of_one_name_are_told() {
        let message = parsed("datasets = [{ key = \"yatch\", heading = \"A\" }]").unwrap_err();
        assert!(
            message.contains(
                "line 4, `datasets`, entry 1 (`yatch`), `key`: no dataset is called \"yatch\""
            ),
            "{message}"
        );
        let file = |key: &str, name: &str| {
            format!("[[datasets]]\n{key}file = \"{name}\"\ntarget = \"y\"\n")
        };
        let message = parsed(&(file("", "a/t.csv") + &file("", "b/t.csv"))).unwrap_err();
        assert!(
            message.contains(
                "line 7, `datasets`, entry 2 (`b/t.csv`), `key`: another file has the key `t`"
            ),
            "{message}"
        );
        parsed(&(file("", "a/t.csv") + &file("key = \"u\"\n", "b/t.csv"))).unwrap();
        let message = parsed(&file("", "yacht.csv")).unwrap_err();
        assert!(
            message.contains("dataset `yacht`: uqbench has another dataset of this key"),
            "{message}"
        );
    }

    #[test]
    fn an_unknown_key_hides_no_wrong_column() {
        let folder = tempfile::tempdir().unwrap();
        let rows: String = (0..30).map(|i| format!("{i},{}\n", i * i)).collect();
        std::fs::write(folder.path().join("my.csv"), format!("a,price\n{rows}")).unwrap();
        let file = folder.path().join("mine.toml");
        let found = |keys: &str| {
            let text = format!(
                "id = \"a\"\ntitle = \"A\"\nprotocol = {{ k-fold = {{ folds = 1, repeats = 0 }} \
                 }}\n\
                 [[datasets]]\nfile = \"my.csv\"\n{keys}\n\
                 [[methods]]\nid = \"tree\"\ncolumns = [{{ heading = \"Tree\" }}]\n\
                 [[metrics]]\nid = \"rmse\"\nheading = \"RMSE\"\n"
            );
            std::fs::write(&file, text).unwrap();
            crate::benchmark::find(file.to_str().unwrap()).unwrap_err().to_string()
        };
        let message = found("target = \"price\"\ndrop = [\"b\"]\nscaling = \"non\"");
        assert!(
            message.contains("3 mistakes") && message.contains("has no column \"b\""),
            "{message}"
        );
        for keys in ["colour = 1\ntarget = \"prise\"", "targte = \"prise\""] {
            let message = found(keys);
            let expected = [
                "there is no key `",
                "did you mean `price`?",
                "1 folds, expected 2 or more; and 0 repeats",
            ];
            assert!(expected.iter().all(|part| message.contains(part)), "{message}");
            assert!(
                message.contains("3 mistakes") && !message.contains("needs a `target`"),
                "{message}"
            );
        }
    }

    #[test]
    fn rows_that_the_protocol_cannot_divide_are_told_before_a_trial() {
        let folder = tempfile::tempdir().unwrap();
        let rows: String = (0..30).map(|i| format!("{i},{}\n", i * i)).collect();
        std::fs::write(folder.path().join("my.csv"), format!("a,price\n{rows}")).unwrap();
        let file = folder.path().join("mine.toml");
        let found = |protocol: &str| {
            let text = format!(
                "id = \"a\"\ntitle = \"A\"\nprotocol = {protocol}\n\
                 [[datasets]]\nfile = \"my.csv\"\ntarget = \"price\"\n\
                 [[methods]]\nid = \"tree\"\ncolumns = [{{ heading = \"Tree\" }}]\n\
                 [[metrics]]\nid = \"rmse\"\nheading = \"RMSE\"\n"
            );
            std::fs::write(&file, text).unwrap();
            crate::benchmark::find(file.to_str().unwrap())
                .map(|_| ())
                .map_err(|error| error.to_string())
        };
        assert_eq!(found("{ k-fold = { folds = 30 } }"), Ok(()));
        for protocol in [
            "{ k-fold = { folds = 31 } }",
            "{ holdout = { test = { rows = 30 } } }",
            "{ gap = { feature = \"b\", share = 0.2 } }",
        ] {
            let message = found(protocol).unwrap_err();
            let place = "line 5, `datasets`, entry 1 (`my.csv`), `file`: dataset `my`, 30 rows: \
                         the protocol cannot divide them: ";
            assert!(message.contains(place), "{protocol}: {message}");
        }
    }

    #[test]
    fn errors_of_files_speak_of_keys() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my.csv");
        let rows: String = (0..30).map(|i| format!("{i},{}\n", i * i)).collect();
        std::fs::write(&path, format!("a,price\n{rows}")).unwrap();
        let error = |path: &Path, target: &str, drop: &[&str]| {
            let drop: Vec<String> = drop.iter().map(|name| (*name).to_owned()).collect();
            OwnDataset::read(path, target, &drop, &FileFormat::default()).unwrap_err()
        };
        let told = |errors: &[OwnError]| (key_of(&errors[0]), errors[0].to_string());
        let (key, text) = told(&error(&path, "prise", &[]));
        assert!(
            key == "target"
                && text.starts_with("`target`: ")
                && text.contains("did you mean `price`?"),
            "{text}"
        );
        let (key, text) = told(&error(&path, "price", &["b"]));
        assert!(key == "drop" && text.starts_with("`drop`: "), "{text}");
        let (key, text) = told(&error(&path, "price", &["price"]));
        assert!(key == "drop" && text.starts_with("`drop`: \"price\" is the target"), "{text}");
        assert_eq!(told(&error(Path::new("nowhere.csv"), "price", &[])).0, "file");
        // Each column that is not there is told, and a wrong one to drop hides nothing else.
        let all = error(&path, "prise", &["b", "a"]);
        assert_eq!(all.iter().map(key_of).collect::<Vec<_>>(), ["target", "drop"], "{all:?}");
        std::fs::write(&path, format!("a,price\n{}", rows.replacen("\n", "x\n", 1))).unwrap();
        let all = error(&path, "price", &["b"]);
        assert_eq!(all.iter().map(key_of).collect::<Vec<_>>(), ["drop", "file"], "{all:?}");
        assert!(all[1].to_string().contains("line 2"), "{all:?}");
    }
}
