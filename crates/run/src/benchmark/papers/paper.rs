//! Read `paper.toml`: what a paper is, where its tables are, and what it says of its protocol.

use serde::Deserialize;

use super::errata::Erratum;
use super::{OWN, is_stated};
use crate::benchmark::BenchmarkError;
use crate::benchmark::draft::file::File;
use crate::benchmark::draft::keys::Keys;
use crate::benchmark::folder::{Folder, PAPER};
use crate::benchmark::mistakes::{Mistakes, Part};
use uq_core::names::{did_you_mean, nearest_name};
use uq_core::printable::printable;

/// Largest `paper.toml` and `errata.md`, in bytes.
const LARGEST: u64 = 1 << 20;

/// The file of errata.
const ERRATA: &str = "errata.md";

/// Longest text of a key, in characters.
const LONGEST: usize = 500;

/// A paper, or a question that is no paper's and has a folder, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paper {
    /// Its key in benchmark files.
    pub key: String,
    /// Its short name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The name spelled out; empty where there is nothing to spell out.
    pub spelled: String,
    /// Its authors, each as `Family, Given`; none for a question that is no paper's.
    pub authors: Vec<String>,
    /// The year of the version that is judged; `None` where the copy at hand prints none.
    pub year: Option<u16>,
    /// Where it was published.
    pub venue: Option<String>,
    /// Its DOI.
    pub doi: Option<String>,
    /// Names of the methods that are its own.
    pub methods: Vec<String>,
    /// Its place on pages and in lists, which have papers in ascending order.
    pub order: u32,
    /// Where its tables and figures are.
    pub places: Vec<Place>,
    /// What it says of its protocol.
    pub facts: Vec<Fact>,
    /// What is wrong, unclear or missing in it.
    pub errata: Vec<Erratum>,
    /// The text of the file of errata; empty where there is none.
    pub errata_text: String,
}

/// Where a table or figure is.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The id of its benchmark.
    pub benchmark: String,
    /// The page or section, or the file and line.
    pub place: String,
}

/// A fact about how a paper's numbers were made.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// What is so.
    pub what: String,
    /// The page that prints it, or the file and line of the authors' program.
    pub place: String,
    /// The ids of the benchmarks that it is about; all of the paper where none is named.
    #[serde(default)]
    pub benchmarks: Vec<String>,
}

impl Fact {
    /// Whether it is about this benchmark.
    pub fn is_about(&self, id: &str) -> bool {
        self.benchmarks.is_empty() || self.benchmarks.iter().any(|own| own == id)
    }
}

impl Paper {
    /// Whether it is a publication, not a question of uqbench or of the user.
    pub fn is_published(&self) -> bool {
        !self.authors.is_empty()
    }

    /// Where the table or figure of a benchmark is.
    pub fn place_of(&self, id: &str) -> Option<&str> {
        self.places.iter().find(|place| place.benchmark == id).map(|place| place.place.as_str())
    }

    /// Finds a place or a fact of a benchmark that the folder does not have.
    pub(in crate::benchmark) fn check_ids(&self, ids: &[&str]) -> Result<(), String> {
        let of_places = self.places.iter().map(|place| ("places", &place.benchmark));
        let of_facts = self.facts.iter().flat_map(|fact| &fact.benchmarks);
        for (key, id) in of_places.chain(of_facts.map(|id| ("facts", id))) {
            if !ids.contains(&id.as_str()) {
                let near = did_you_mean(&nearest_name(id, ids.iter().copied()));
                let id = printable(id, 60);
                return Err(format!("`{key}`: no benchmark of the folder has the id `{id}`{near}"));
            }
        }
        Ok(())
    }

    /// Reads `paper.toml` and, where it exists, `errata.md` of a folder.
    ///
    /// # Errors
    /// [`BenchmarkError`] with every mistake and its line.
    pub fn read(folder: &Folder) -> Result<Self, BenchmarkError> {
        let name = |file: &str| match folder {
            Folder::Carried(key) => format!("{key}/{file}"),
            Folder::OnDisk(root) => root.join(file).display().to_string(),
        };
        let wrong = |file: &str, message| BenchmarkError::Paper { file: name(file), message };
        let text = folder.text(PAPER, LARGEST).map_err(|message| wrong(PAPER, message))?;
        let mut mistakes = Mistakes::default();
        let file = File::parse(&text, &[], &mut mistakes);
        let mut paper = if mistakes.is_empty() { read(&file, &mut mistakes) } else { None };
        let mistakes = file.placed(mistakes);
        if !mistakes.is_empty() {
            return Err(BenchmarkError::PaperMistakes { file: name(PAPER), mistakes });
        }
        if let (Some(paper), true) = (&mut paper, has_errata(folder)) {
            let text = folder.text(ERRATA, LARGEST).map_err(|message| wrong(ERRATA, message))?;
            paper.errata =
                Erratum::parse_all(&paper.key, &text).map_err(|message| wrong(ERRATA, message))?;
            paper.errata_text = text.into_owned();
        }
        paper.ok_or_else(|| wrong(PAPER, "it cannot be read".into()))
    }
}

fn has_errata(folder: &Folder) -> bool {
    match folder {
        Folder::Carried(_) => folder.text(ERRATA, LARGEST).is_ok(),
        Folder::OnDisk(root) => root.join(ERRATA).exists(),
    }
}

/// The keys of the file; `None` where one that is needed is absent or wrong.
fn read(file: &File, to: &mut Mistakes) -> Option<Paper> {
    let mut keys = Keys::new(&file.root, to);
    let (key, name, title) =
        (keys.required::<String>("key"), keys.required("name"), keys.required("title"));
    let paper = Paper {
        key: key.clone().unwrap_or_default(),
        name: name.clone().unwrap_or_default(),
        title: title.clone().unwrap_or_default(),
        spelled: keys.optional("spelled").unwrap_or_default(),
        authors: keys.optional("authors").unwrap_or_default(),
        year: keys.optional("year"),
        venue: keys.optional("venue"),
        doi: keys.optional("doi"),
        methods: keys.optional("methods").unwrap_or_default(),
        order: keys.optional("order").unwrap_or(u32::MAX),
        places: keys.list("places", &["benchmark", "place"]),
        facts: keys.list("facts", &["what", "place"]),
        errata: Vec::new(),
        errata_text: String::new(),
    };
    keys.refuse_others();
    key.zip(name).zip(title)?;
    paper.check(to);
    Some(paper)
}

impl Paper {
    /// Notes a key that cannot be the name of a page, and texts that no page can show.
    fn check(&self, to: &mut Mistakes) {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if self.key.is_empty() || self.key.len() > 40 || !self.key.chars().all(is_plain) {
            let message = "expected 1 to 40 lower-case letters, digits and hyphens";
            to.note(Part::key("key"), message);
        }
        if !is_stated(&self.key) {
            let message = format!("`{OWN}` and `none` stand for no paper: choose another key");
            to.note(Part::key("key"), message);
        }
        let texts = [
            ("name", Some(&self.name)),
            ("title", Some(&self.title)),
            ("spelled", Some(&self.spelled)),
            ("venue", self.venue.as_ref()),
            ("doi", self.doi.as_ref()),
        ];
        for (key, text) in texts.into_iter().filter_map(|(key, text)| Some((key, text?))) {
            to.note_failure(Part::key(key), check_line(text, key != "spelled"));
        }
        for author in &self.authors {
            let checked = check_line(author, true).and_then(|()| {
                let is_list = author.contains(" and ");
                let message = "expected one author an entry, as \"Family, Given\"";
                if is_list { Err(message.into()) } else { Ok(()) }
            });
            to.note_failure(Part::key("authors"), checked);
        }
        for (i, place) in self.places.iter().enumerate() {
            to.note_failure(to.entry("places", i).then("place"), check_line(&place.place, true));
        }
        for (i, fact) in self.facts.iter().enumerate() {
            to.note_failure(to.entry("facts", i).then("what"), check_line(&fact.what, true));
            to.note_failure(to.entry("facts", i).then("place"), check_line(&fact.place, true));
        }
    }
}

/// Finds a text of several lines, with control characters, too long, or empty.
fn check_line(text: &str, is_needed: bool) -> Result<(), String> {
    if is_needed && text.trim().is_empty() {
        return Err("it is empty".into());
    }
    if text.chars().count() > LONGEST || text.chars().any(char::is_control) {
        let shown = printable(text, 60);
        return Err(format!(
            "found \"{shown}\", expected one line of at most {LONGEST} characters"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn read(paper: &str, errata: Option<&str>) -> Result<Paper, String> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("paper.toml"), paper).unwrap();
        errata.iter().for_each(|text| fs::write(folder.path().join("errata.md"), text).unwrap());
        let read = Paper::read(&Folder::OnDisk(folder.path().to_owned()));
        read.map_err(|error| error.to_string())
    }

    const SMALL: &str = "key = \"mine\"\nname = \"Mine\"\ntitle = \"A title\"\n";

    #[test]
    fn a_paper_has_places_facts_and_errata() {
        let text = "authors = [\"Müller, A.\", \"Li, B.\"]\nyear = 2024\n[[places]]\nbenchmark = \
                    \"t\"\nplace = \"page 3\"\n[[facts]]\nwhat = \"Ten splits.\"\nplace = \
                    \"run.py:12\"\nbenchmarks = [\"t\"]\n";
        let errata = "1. <a id=\"mine-1\"></a>(high; paper) **Error, Table 1.** Wrong.\n";
        let paper = read(&format!("{SMALL}{text}"), Some(errata)).unwrap();
        assert!(paper.is_published() && paper.place_of("t") == Some("page 3"));
        assert!(paper.facts[0].is_about("t") && !paper.facts[0].is_about("u"));
        assert_eq!(paper.errata[0].anchor(), "mine-1");
        assert!(!read(SMALL, None).unwrap().is_published());
    }

    #[test]
    fn a_mistake_is_named_with_its_file_and_line() {
        for (text, words) in [
            ("", ["paper.toml: ", "`key`: missing; add this key"]),
            ("key = \"Mine\"\nname = \"a\"\ntitle = \"b\"", ["line 1, `key`", "lower-case"]),
            ("key = \"own\"\nname = \"a\"\ntitle = \"b\"", ["line 1, `key`", "stand for no paper"]),
            ("key = \"a\"\nname = \"a\\nb\"\ntitle = \"b\"", ["line 2, `name`", "one line"]),
            ("key = \"a\"\nname = 3\ntitle = \"b\"", ["line 2, `name`", "text"]),
            ("key = [", ["line 1", "paper.toml"]),
        ] {
            let message = read(text, None).unwrap_err();
            assert!(words.iter().all(|word| message.contains(word)), "{text}: {message}");
        }
        let other = format!("{SMALL}author = \"x\"\n");
        assert!(read(&other, None).unwrap_err().contains("did you mean `authors`?"));
        let two = format!("{SMALL}authors = [\"A, B and C, D\"]\n");
        assert!(read(&two, None).unwrap_err().contains("one author an entry"));
        let errata = "## A\n\n1. <a id=\"mine-1\"></a>(grave; paper) **Error.** Wrong.\n";
        let message = read(SMALL, Some(errata)).unwrap_err();
        assert!(message.contains("errata.md: line 3: ") && message.contains("high"), "{message}");
    }
}
