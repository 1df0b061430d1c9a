//! Read benchmark files on disk: single ones, and those of a paper's folder.

use std::path::Path;

use super::draft::{Draft, Home};
use super::folder::{Folder, PAPER};
use super::papers::{self, Paper};
use super::{Benchmark, BenchmarkError, CARRIED, Origin};
use uqbench_system::named_file::read_regular_text;

/// Largest benchmark file, in bytes.
const LARGEST: u64 = 16 << 20;

/// The text of a benchmark file.
fn read(path: &str) -> std::io::Result<String> {
    read_regular_text(Path::new(path), LARGEST)
}

/// The benchmarks of a paper's folder on disk, in the order in which they run.
pub(super) fn read_folder(folder: &Path) -> Result<Vec<Benchmark>, BenchmarkError> {
    let wrong = |message| BenchmarkError::Paper { file: folder.display().to_string(), message };
    let beside = Beside::read(folder)?;
    let read = |(name, text): &(String, String)| {
        let path = folder.join(name).with_extension("toml");
        let path = path.to_str().ok_or_else(|| wrong("its path is no Unicode text".into()))?;
        beside.parse(path, text, folder)
    };
    let mut all: Vec<Benchmark> = beside.files.iter().map(read).collect::<Result<_, _>>()?;
    if all.is_empty() {
        let message = "found no benchmark: expected a file in .toml for each table".to_owned();
        return Err(wrong(message));
    }
    if let Some(paper) = &beside.paper {
        let ids: Vec<&str> = all.iter().map(|benchmark| benchmark.id.as_str()).collect();
        paper.check_ids(&ids).map_err(|message| BenchmarkError::Paper {
            file: folder.join(PAPER).display().to_string(),
            message,
        })?;
    }
    all.sort_by(|a, b| (a.order, &a.id).cmp(&(b.order, &b.id)));
    Ok(all)
}

/// The benchmark of a file on disk, which may lie in the folder of a paper.
pub(super) fn read_file(name: &str) -> Result<Benchmark, BenchmarkError> {
    let meaning = |message: String| BenchmarkError::Meaning { name: name.into(), message };
    let text = read(name).map_err(|error| meaning(format!("cannot be read: {error}")))?;
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    let beside = match folder.join(PAPER).exists() {
        true => Beside::read(folder)?,
        false => Beside { paper: None, files: Vec::new() },
    };
    beside.parse(name, &text, folder)
}

/// What is beside a benchmark file on disk.
struct Beside {
    /// The paper whose folder that is.
    paper: Option<Paper>,
    /// The benchmark files of the paper, by name without ending, which `like` may name.
    files: Vec<(String, String)>,
}

impl Beside {
    /// The paper and the benchmark files of its folder.
    fn read(folder: &Path) -> Result<Self, BenchmarkError> {
        let wrong = |message| BenchmarkError::Paper { file: folder.display().to_string(), message };
        let place = Folder::OnDisk(folder.to_owned());
        let paper = papers::open(&place)?;
        let (mut files, mut left) = (Vec::new(), LARGEST_FOLDER);
        for name in place.benchmark_files().map_err(wrong)? {
            let text = place.text(&name, LARGEST.min(left));
            let text = text.map_err(|message| wrong(format!("{name}: {message}")))?.into_owned();
            left -= text.len() as u64;
            files.push((name.strip_suffix(".toml").unwrap_or(&name).to_owned(), text));
        }
        Ok(Self { paper: Some(paper), files })
    }

    /// The benchmark of the text of a file.
    fn parse(&self, name: &str, text: &str, folder: &Path) -> Result<Benchmark, BenchmarkError> {
        let meaning = |message: String| BenchmarkError::Meaning { name: name.into(), message };
        let folder = std::path::absolute(folder.join("x.toml"))
            .map_err(|error| meaning(format!("its path: {error}")))?;
        let folder = folder.parent().map(Path::to_owned);
        let files = self.files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        let likes: Vec<(&str, &str)> = files.chain(CARRIED.iter().copied()).collect();
        let paper = self.paper.as_ref().map(|paper| paper.key.clone());
        let home = Home { folder, paper, likes: &likes };
        let mut draft = Draft::read(text, &home);
        if let Some(benchmark) = &mut draft.benchmark {
            benchmark.origin = Origin { file: Some(name.into()), ..Origin::default() };
            benchmark.read_own_tables(self.paper.is_some(), &mut draft.mistakes);
        }
        draft.finished(name)
    }
}

/// Most bytes of the benchmark files of a folder together.
const LARGEST_FOLDER: u64 = 64 << 20;
