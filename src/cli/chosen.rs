//! Read and write files of a selection: which part of which benchmarks, with which methods of one's
//! own. The name of such a file stands for the words of the command line that it keeps.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::Command;
use serde::{Deserialize, Serialize};

use super::CliError;
use super::options::Selection;
use uqbench_data::check_nesting;
use uqbench_system::disk::read_regular;

/// Most bytes of a file of a selection.
const LARGEST: u64 = 1 << 20;

/// What such a file begins with.
const HEAD: &str = "\
# A selection: wherever a command takes benchmarks, the name of this file stands for these words.
# What the command line states replaces what is here. Commands of `with` run where uqbench runs.
";

/// The content of a file of a selection.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Chosen {
    /// Benchmarks, by name or as a TOML file.
    pub select: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    profile: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    methods: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    datasets: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    splits: Option<u64>,
    /// Commands of methods of one's own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    with: Vec<String>,
}

impl Chosen {
    /// The selection of a command line.
    pub fn new(benchmarks: &[String], selection: &Selection) -> Self {
        let Selection { profile, methods, datasets, splits, with, .. } = selection;
        Self {
            select: benchmarks.to_vec(),
            profile: Some(profile.as_str().into()),
            methods: methods.clone(),
            datasets: datasets.clone(),
            splits: *splits,
            with: with.clone(),
        }
    }

    /// The text of a file.
    ///
    /// # Errors
    /// [`CliError`] where TOML cannot write it.
    pub fn text(&self) -> Result<String, CliError> {
        let keys = toml::to_string(self).map_err(|error| CliError::Other(error.to_string()))?;
        Ok(format!("{HEAD}{keys}"))
    }

    /// Reads a file; `None` where it is none of a selection.
    fn read(path: &Path) -> Result<Option<Self>, CliError> {
        // What cannot be read is told by what reads it as a benchmark.
        let bytes = read_regular(path, LARGEST).ok();
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        let table = check_nesting(&text).and_then(|()| text.parse::<toml::Table>()).ok();
        if !table.is_some_and(|table| table.contains_key("select")) {
            return Ok(None);
        }
        let shown = path.display();
        let chosen: Self = toml::from_str(&text).map_err(|error| {
            let error = error.to_string();
            CliError::Usage(format!("selection {shown}: {}", error.trim_end()))
        })?;
        if chosen.select.is_empty() {
            let expected = "expected one benchmark or more, such as \"baselines-standard\"";
            return Err(CliError::Usage(format!(
                "selection {shown}: `select` is empty; {expected}"
            )));
        }
        Ok(Some(chosen))
    }

    /// Each option of the file with its value, as one word.
    fn options(&self) -> Vec<(&'static str, String)> {
        let list = |values: &[String]| (!values.is_empty()).then(|| values.join(","));
        let single = [
            ("profile", self.profile.clone()),
            ("methods", list(&self.methods)),
            ("datasets", list(&self.datasets)),
            ("splits", self.splits.map(|splits| splits.to_string())),
        ];
        let single = single.into_iter().filter_map(|(name, value)| Some((name, value?)));
        single.chain(self.with.iter().map(|command| ("with", command.clone()))).collect()
    }
}

/// The words of a command line, with those of a selection in place of the name of its file.
///
/// # Errors
/// [`CliError::Usage`] for a file of a selection with a mistake, and for two of them.
pub fn with_chosen(root: &Command, words: Vec<OsString>) -> Result<Vec<OsString>, CliError> {
    if !words.iter().any(|word| is_toml(word)) {
        return Ok(words);
    }
    let mut root = root.clone();
    root.build();
    let Some((command, first)) = subcommand(&root, &words) else { return Ok(words) };
    let takes = |long: &str| command.get_arguments().any(|arg| arg.get_long() == Some(long));
    // A new file is written, not read, and other commands choose nothing.
    if !takes("profile") || takes("like") {
        return Ok(words);
    }
    let takes_value = |word: &OsStr| {
        let long = word.to_str().and_then(|word| word.strip_prefix("--"));
        let mut all = command.get_arguments();
        let arg = all.find(|arg| long.is_some() && arg.get_long() == long);
        arg.is_some_and(|arg| arg.get_num_args().is_some_and(|range| range.takes_values()))
    };
    let mut found: Option<Chosen> = None;
    let mut all = words[..first].to_vec();
    for (at, word) in words.iter().enumerate().skip(first) {
        let before = &words[at - 1];
        let is_listed = before == "--benchmarks";
        let is_candidate = is_toml(word) && (is_listed || !takes_value(before));
        let Some(chosen) =
            is_candidate.then(|| Chosen::read(Path::new(word))).transpose()?.flatten()
        else {
            all.push(word.clone());
            continue;
        };
        if found.is_some() {
            let message = "one selection at a time: write a file that selects both";
            return Err(CliError::Usage(format!("{}: {message}", Path::new(word).display())));
        }
        // What stands alone names benchmarks for most commands, and methods for `compare`.
        if is_listed {
            all.push(chosen.select.join(",").into());
        } else if takes("benchmarks") {
            all.extend(["--benchmarks".into(), chosen.select.join(",").into()]);
        } else {
            all.extend(chosen.select.iter().map(OsString::from));
        }
        found = Some(chosen);
    }
    for (name, value) in found.iter().flat_map(Chosen::options) {
        let option = format!("--{name}");
        let is_stated = words.iter().filter_map(|word| word.to_str()).any(|word| {
            word == option || word.strip_prefix(&option).is_some_and(|rest| rest.starts_with('='))
        });
        if !is_stated {
            all.push(format!("{option}={value}").into());
        }
    }
    Ok(all)
}

fn is_toml(word: &OsStr) -> bool {
    Path::new(word).extension().is_some_and(|ending| ending == "toml")
}

/// The command that the words name, and the place of the first word behind its name.
fn subcommand<'c>(root: &'c Command, words: &[OsString]) -> Option<(&'c Command, usize)> {
    let mut found = root.find_subcommand(words.get(1)?)?;
    let mut behind = 2;
    while let Some(deeper) = words.get(behind).and_then(|word| found.find_subcommand(word)) {
        found = deeper;
        behind += 1;
    }
    Some((found, behind))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Arguments;

    /// The words of a command line in a folder with a file of a selection, `FILE`.
    fn expanded(text: &str, line: &str) -> Result<String, CliError> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mine.toml");
        std::fs::write(&file, text).unwrap();
        let words = line.split(' ').map(|word| match word {
            "FILE" => file.clone().into_os_string(),
            word => word.into(),
        });
        let words = with_chosen(&Arguments::command(), words.collect())?;
        let words = words.iter().map(|word| word.to_str().unwrap().to_owned());
        let shown: Vec<String> =
            words.map(|word| word.replace(file.to_str().unwrap(), "FILE")).collect();
        Ok(shown.join(" "))
    }

    const TWO: &str = "select = [\"a\", \"b\"]\nprofile = \"full\"\nsplits = 3\n\
                       datasets = [\"x\", \"y\"]\nwith = [\"python3 m.py\"]";

    #[test]
    fn a_file_stands_for_its_words() {
        let options = "--profile=full --datasets=x,y --splits=3 --with=python3 m.py";
        for (line, words) in [
            ("u run FILE", "u run a b"),
            ("u store pack s p FILE", "u store pack s p a b"),
            ("u export store out.csv FILE", "u export store out.csv a b"),
            ("u compare m --benchmarks FILE", "u compare m --benchmarks a,b"),
            ("u compare FILE m", "u compare --benchmarks a,b m"),
        ] {
            assert_eq!(expanded(TWO, line).unwrap(), format!("{words} {options}"));
        }
    }

    #[test]
    fn the_command_line_outweighs_the_file() {
        let words = expanded(TWO, "u run FILE --splits 2 --profile=quick --with z").unwrap();
        assert_eq!(words, "u run a b --splits 2 --profile=quick --with z --datasets=x,y");
    }

    #[test]
    fn other_files_and_other_commands_stay() {
        for line in ["u new FILE", "u try FILE", "u run --store FILE", "u", "u nothing FILE"] {
            assert_eq!(expanded(TWO, line).unwrap(), line);
        }
        assert_eq!(expanded("id = \"b\"", "u run FILE").unwrap(), "u run FILE");
        assert_eq!(expanded("select = [", "u run FILE").unwrap(), "u run FILE");
    }

    #[test]
    fn mistakes_are_told() {
        let mistake = |text: &str, line: &str| expanded(text, line).unwrap_err().to_string();
        assert!(mistake("select = []", "u run FILE").contains("`select` is empty"));
        assert!(
            mistake("select = [\"a\"]\nsplit = 3", "u run FILE").contains("unknown field `split`")
        );
        assert!(mistake(TWO, "u run FILE FILE").contains("one selection at a time"));
    }

    #[test]
    fn a_written_file_is_read_again() {
        let selection =
            Selection { splits: Some(5), with: vec!["r".into()], ..Selection::default() };
        let text = Chosen::new(&["a".into()], &selection).text().unwrap();
        let words = expanded(&text, "u run FILE").unwrap();
        assert_eq!(words, "u run a --profile=quick --splits=5 --with=r");
    }
}
