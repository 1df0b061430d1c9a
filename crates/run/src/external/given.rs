//! Read what a benchmark file or a command line states of an external method, and find its files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::contract::Description;
use super::file::hash_file;
use super::host::Place;
use super::method::{ExternalParameters, Identities};

/// An external method as it is stated, before it has described itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// Its name in tables.
    pub name: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// Names of all files that it consists of: relative paths without `..`.
    #[serde(default)]
    pub files: Vec<String>,
    /// What every request contains as its settings.
    #[serde(default)]
    pub settings: Map<String, Value>,
}

impl Given {
    /// A method of a benchmark file in `folder`, with the place of its files.
    ///
    /// # Errors
    /// The parameter that is wrong.
    pub fn from_parameters(parameters: &Value, folder: &Path) -> Result<(Self, Place), String> {
        let given = Self::deserialize(parameters).map_err(|error| error.to_string())?;
        if given.name.trim().is_empty() || given.name.chars().any(char::is_control) {
            return Err("`name` is empty or has control characters, expected a name".into());
        }
        if given.command.first().is_none_or(String::is_empty) {
            return Err(
                "`command` is empty, expected a program and its arguments, as [\"python3\", \
                 \"mine.py\"]"
                    .into(),
            );
        }
        if let Some(name) = given.files.iter().find(|name| !is_inside(name)) {
            return Err(format!(
                "`files` names {name:?}, expected paths below the folder of the benchmark file"
            ));
        }
        let files = given.files.iter().map(|name| (name.clone(), folder.join(name))).collect();
        Ok((given, Place { folder: folder.into(), files }))
    }

    /// A method of a command line such as `python3 mine.py`. Words that name files of `folder` are
    /// the files of which it consists; the name is that of the first one.
    ///
    /// # Errors
    /// The word that is wrong.
    pub fn from_words(words: &[String], folder: &Path) -> Result<(Self, Place), String> {
        let mut files = BTreeMap::new();
        let mut command = Vec::new();
        let mut first = None;
        for (position, word) in words.iter().enumerate() {
            let path = folder.join(word);
            // A program is found in `PATH` unless it has a slash. One that is no script stays where
            // its libraries are.
            let is_file = match position {
                0 => word.contains('/') && is_script(&path),
                _ => !word.is_empty() && path.is_file(),
            };
            if !is_file {
                command.push(word.clone());
                continue;
            }
            let last = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            let name = if is_inside(word) && !word.starts_with("./") { word.clone() } else { last };
            if files.insert(name.clone(), path).is_some() {
                return Err(format!(
                    "two files of the command have the name `{name}`, expected different names"
                ));
            }
            first.get_or_insert_with(|| name.clone());
            command.push(name);
        }
        let named = first.as_ref().or(command.first()).filter(|name| !name.is_empty());
        let named = named.ok_or(
            "the command is empty, expected a program and its arguments, as `python3 mine.py`",
        )?;
        let name = Path::new(named).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let given =
            Self { name, command, files: files.keys().cloned().collect(), settings: Map::new() };
        Ok((given, Place { folder: folder.into(), files }))
    }

    /// The SHA-256 of each file, by name.
    ///
    /// # Errors
    /// The file that cannot be read.
    pub fn hashes(&self, place: &Place) -> Result<BTreeMap<String, String>, String> {
        let hash = |(name, path): (&String, &PathBuf)| match hash_file(path) {
            Ok(hash) => Ok((name.clone(), hash)),
            Err(error) => Err(format!(
                "external method `{}`: {} cannot be read: {error}",
                self.name,
                path.display()
            )),
        };
        place.files.iter().map(hash).collect()
    }

    /// Whether a method has this name and this command. Its files and settings may be others.
    pub fn is_like(&self, other: &ExternalParameters) -> bool {
        (&self.name, &self.command) == (&other.name, &other.command)
    }

    /// The names under which a store keeps the description of this method, whose files have these
    /// hashes.
    pub fn identities(&self, files: &BTreeMap<String, String>) -> Identities {
        Identities::of(&self.name, &self.command, files, &self.settings)
    }

    /// The parameters of the method that has described itself so.
    ///
    /// # Errors
    /// As [`Given::hashes`].
    pub fn resolve(
        self,
        place: &Place,
        description: Description,
    ) -> Result<ExternalParameters, String> {
        let files = self.hashes(place)?;
        Ok(self.with(files, description))
    }

    /// The parameters of the method whose files have these hashes, and that has described itself
    /// so.
    pub fn with(
        self,
        files: BTreeMap<String, String>,
        description: Description,
    ) -> ExternalParameters {
        let Self { name, command, settings, .. } = self;
        ExternalParameters { name, command, files, settings, description }
    }
}

impl Given {
    /// The parameters of the method where nothing is known of its files and of what it says of
    /// itself. No trial has them.
    pub fn without_description(self) -> ExternalParameters {
        let files = self.files.iter().map(|name| (name.clone(), String::new())).collect();
        let description = Description::unknown(&self.name);
        self.with(files, description)
    }
}

/// Whether a path leads to a file below the folder where it starts.
fn is_inside(name: &str) -> bool {
    let mut parts =
        Path::new(name).components().filter(|part| !matches!(part, Component::CurDir)).peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Whether a file begins as a script does.
fn is_script(path: &Path) -> bool {
    let mut start = [0; 2];
    path.is_file()
        && File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start == *b"#!"
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use serde_json::json;
    use uqbench_system::Scratch;
    use uqbench_system::hash::sha256;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn words_that_are_files_are_named_and_a_program_is_not_copied() {
        let folder = Scratch::new().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        fs::write(at("mine.py"), "print()").unwrap();
        fs::write(at("sub/net.py"), "").unwrap();
        fs::write(at("run.sh"), "#!/bin/sh\n").unwrap();
        fs::write(at("binary"), "\u{7f}ELF").unwrap();
        let read = |text: &str| Given::from_words(&words(text), folder.path()).unwrap();
        let (given, place) = read("python3 -u mine.py sub/net.py --fast");
        assert_eq!(given.name, "mine");
        assert_eq!(given.command, words("python3 -u mine.py sub/net.py --fast"));
        assert_eq!(
            (given.files.clone(), &place.files["sub/net.py"]),
            (words("mine.py sub/net.py"), &at("sub/net.py"))
        );
        assert_eq!(given.hashes(&place).unwrap()["mine.py"], sha256(b"print()"));
        let (given, _) = read(&format!("python3 {}", at("mine.py").display()));
        assert_eq!(
            (given.command, given.files),
            (words("python3 mine.py"), words("mine.py")),
            "an absolute path"
        );
        let (given, _) = read("./run.sh");
        assert_eq!(
            (given.name.as_str(), given.command, given.files),
            ("run", words("run.sh"), words("run.sh"))
        );
        let (given, _) = read("./binary mine.py");
        assert_eq!((given.command, given.files), (words("./binary mine.py"), words("mine.py")));
        let twice = Given::from_words(
            &words(&format!("sh mine.py {}", at("mine.py").display())),
            folder.path(),
        );
        assert!(twice.unwrap_err().contains("two files of the command have the name `mine.py`"));
        assert!(
            Given::from_words(&[], folder.path()).unwrap_err().contains("the command is empty")
        );
    }

    #[test]
    fn what_a_benchmark_file_cannot_state_is_told() {
        let read = |parameters: Value| {
            Given::from_parameters(&parameters, Path::new("/a")).map(|(_, place)| place)
        };
        let good = json!({ "name": "m", "command": ["python3", "m.py"], "files": ["m.py"] });
        assert_eq!(read(good).unwrap().files["m.py"], Path::new("/a/m.py"));
        for (parameters, expected) in [
            (json!({ "name": "m" }), "missing field `command`"),
            (json!({ "name": "m", "command": [] }), "`command` is empty"),
            (json!({ "name": " ", "command": ["a"] }), "`name` is empty"),
            (json!({ "name": "m", "command": ["a"], "file": ["b"] }), "unknown field `file`"),
            (json!({ "name": "m", "command": ["a"], "files": ["../b"] }), "`files` names \"../b\""),
            (json!({ "name": "m", "command": ["a"], "files": ["/b"] }), "`files` names \"/b\""),
        ] {
            let message = read(parameters).unwrap_err();
            assert!(message.contains(expected), "{message}");
        }
        let (given, place) = Given::from_parameters(
            &json!({ "name": "m", "command": ["a"], "files": ["b"] }),
            Path::new("/nowhere"),
        )
        .unwrap();
        assert!(given.hashes(&place).unwrap_err().contains("/nowhere/b cannot be read"));
    }
}
