//! Read a benchmark file so that all of its mistakes are found at once: what is right is checked
//! although other parts are wrong.

pub(super) mod file;
pub(super) mod keys;
mod narrow;
mod parts;
mod words;

use std::path::PathBuf;

use self::file::File;
use self::keys::Keys;
use super::folder::Folder;
use super::mistakes::{Mistake, Mistakes, Part, SHOWN};
use super::stated_numbers::Source;
use super::{Benchmark, BenchmarkError, Origin, Published, given_splits, papers, profile};
use crate::protocols::Protocol;
use uq_core::printable::printable;

/// Where a benchmark file is, and what is beside it.
pub(super) struct Home<'a> {
    /// Its folder on disk; `None` for a file of the program.
    pub folder: Option<PathBuf>,
    /// The key of the paper whose folder that is.
    pub paper: Option<String>,
    /// Benchmark files that `like` may name, with their texts.
    pub likes: &'a [(&'a str, &'a str)],
}

impl Home<'_> {
    /// The folder of a paper's files.
    fn folder_of(&self, paper: &str) -> Folder {
        match &self.folder {
            Some(root) => Folder::OnDisk(root.clone()),
            None => Folder::Carried(paper.into()),
        }
    }
}

/// A file that is being read.
pub(super) struct Draft<'a> {
    file: File<'a>,
    /// What the file describes, without its wrong parts; `None` where it is no TOML.
    pub benchmark: Option<Benchmark>,
    /// What is wrong so far.
    pub mistakes: Mistakes,
}

impl<'a> Draft<'a> {
    /// Reads and checks a text.
    pub fn read(text: &'a str, home: &Home<'a>) -> Self {
        let mut mistakes = Mistakes::default();
        let file = File::parse(text, home.likes, &mut mistakes);
        let benchmark = mistakes.is_empty().then(|| checked(&file, home, &mut mistakes));
        Self { file, benchmark, mistakes }
    }

    /// The benchmark if there is no mistake; `name` is used in messages.
    ///
    /// # Errors
    /// [`BenchmarkError::Mistakes`] with all of them.
    pub fn finished(self, name: &str) -> Result<Benchmark, BenchmarkError> {
        let mistakes: Vec<Mistake> = self.file.placed(self.mistakes);
        match self.benchmark.filter(|_| mistakes.is_empty()) {
            Some(benchmark) => Ok(benchmark),
            None => Err(BenchmarkError::Mistakes { name: name.into(), mistakes }),
        }
    }
}

/// The benchmark with all of its rows.
fn checked(file: &File, home: &Home, to: &mut Mistakes) -> Benchmark {
    let mut benchmark = read(file, home, to);
    let wrong = to.keys();
    benchmark.datasets.iter_mut().for_each(|row| row.take_names_of_file());
    benchmark.profiles = profile::completed(benchmark.profiles, &benchmark.protocol);
    to.renumber("methods", &benchmark.expand_varied_rows());
    benchmark.expand_acquiring_rows();
    benchmark.check(&wrong, to);
    benchmark
}

/// The keys of a file. In place of a key that is absent or wrong stands its default, or something
/// that no check looks at.
fn read(file: &File, home: &Home, to: &mut Mistakes) -> Benchmark {
    let mut keys = Keys::new(&file.root, to);
    let own = home.paper.as_deref().unwrap_or(papers::OWN);
    let mut benchmark = Benchmark {
        id: keys.required("id").unwrap_or_default(),
        order: keys.optional("order").unwrap_or(u32::MAX),
        paper: keys
            .optional("paper")
            .filter(|_| home.paper.is_none() || !file.is_inherited("paper"))
            .unwrap_or_else(|| own.into()),
        artefact: keys.optional("artefact").unwrap_or_else(|| "Comparison".into()),
        title: keys.required("title").unwrap_or_default(),
        notes: keys.optional("notes").unwrap_or_default(),
        terms: keys.list("terms", &["word", "meaning"]),
        protocol_source: keys.optional("protocol_source").unwrap_or_default(),
        provenance: keys.optional("provenance").unwrap_or_default(),
        protocol: keys.required("protocol").unwrap_or(Protocol::WholeData),
        validation: keys.optional("validation"),
        rows: keys.optional("rows").unwrap_or_default(),
        score_units: keys.optional("score_units").unwrap_or_default(),
        ask: keys.optional("ask").unwrap_or_default(),
        root_seed: keys.optional("root_seed").unwrap_or(1),
        datasets: keys.list_in_part("datasets"),
        methods: keys.list("methods", &["id", "columns"]),
        anchors: keys.optional("anchors").unwrap_or_default(),
        same_splits: keys.optional("same_splits").unwrap_or_default(),
        decomposition: keys.optional("decomposition").unwrap_or_default(),
        printed_columns: keys.list("printed_columns", &["heading", "labels"]),
        metrics: keys.list("metrics", &["id", "heading"]),
        printed: Published::default(),
        own: keys.optional("own").unwrap_or_default(),
        own_papers: keys.optional("own_papers"),
        contrast: keys.optional("contrast"),
        ranks: keys.optional("ranks"),
        league: keys.optional("league"),
        excluded: keys.list("excluded", &["dataset", "metric", "labels", "verdict", "reason"]),
        inconsistent: keys.list("inconsistent", &["dataset", "metric", "labels", "reason"]),
        unjudged: keys.list("unjudged", &["reason"]),
        figures: keys.list("figures", &["kind", "file", "title"]),
        claims: keys.list("claims", &["id", "text", "statement"]),
        limits: keys.optional("limits").unwrap_or_default(),
        profiles: keys.optional("profiles").unwrap_or_default(),
        folder: home.folder.clone(),
        origin: Origin::default(),
    };
    let source = Source::read(file.root.get("published"), &mut keys);
    keys.refuse_others();
    if home.paper.as_ref().is_some_and(|paper| *paper != benchmark.paper) {
        let found = printable(&benchmark.paper, SHOWN);
        let message = format!(
            "found \"{found}\", expected \"{own}\", the key in the paper.toml beside it; change \
             `paper`, or leave it out"
        );
        to.note(Part::key("paper"), message);
    }
    let folder = home.folder_of(&benchmark.paper);
    benchmark.printed = source.numbers(&folder, to);
    benchmark.turn_negatives();
    given_splits::read_given(&mut benchmark.protocol, &folder, to);
    benchmark
}

#[cfg(test)]
mod tests;
