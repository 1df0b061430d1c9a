//! Benchmark files: TOML that describes one published table or figure, its trials, printed numbers,
//! figures and claims.
//!
//! [`Benchmark`] is the file as typed values; its parts come from the rooms above: protocols,
//! scaling, the request to a fit, metrics. [`Benchmark::parse`] reads a file and refuses one with
//! mistakes (`benchmark/check.rs`), all of which it names. The runner plans trials from it, and the
//! report renders it. Start with [`Benchmark`]; `docs/look-up/benchmark-files.md` describes every
//! key.

mod acquire;
mod check;
pub mod claims;
mod columns;
mod draft;
mod error;
mod external;
pub mod figures;
pub mod folder;
mod given_splits;
mod league;
mod limits;
mod mistakes;
mod on_disk;
mod origin;
mod own;
mod own_papers;
mod own_tables;
pub mod papers;
mod printed;
mod profile;
mod provenance;
mod published;
mod ranks;
pub mod report_files;
mod rows;
mod stated;
mod stated_numbers;
mod term;
mod validation;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

pub use acquire::{ACQUISITION, heading_of};
pub use claims::{Claim, Quantifier, Statement};
pub use error::BenchmarkError;
pub use external::Stated;
pub use figures::{Figure, Panel};
pub use league::League;
pub use limits::{LEAST_MEMORY, LONGEST, MOST_MEMORY, Memory, TrialLimits, Wall};
pub use mistakes::{Mistake, Names};
pub use origin::Origin;
pub use own::OwnColumns;
pub use own_papers::{CauseExperiment, OwnPapers, Pairing};
pub use printed::{PrintedError, PrintedErrors};
pub use profile::{Profile, ProfileSpec, Seeds};
pub use provenance::{Alternative, ProtocolProvenance};
pub use published::{
    Cell, Excluded, Exclusion, Inconsistent, NEGATIVE_LOG_LIKELIHOODS, PrintedColumn, Published,
    SpreadKind, Unjudged, plain_name, unit_of_last_digit,
};
pub use ranks::{Failures, Ranks};
pub use rows::{Column, Contrast, DatasetRow, MethodRow, MetricRow, Vary, label_text};
pub use term::Term;
pub use validation::Validation;

use self::draft::{Draft, Home};
use self::folder::{Folder, PAPER, carried_benchmarks};
use self::on_disk::{read_file, read_folder};
use self::papers::Paper;
use crate::protocols::{Protocol, RowSubset, ScoreUnits};
use uq_core::metrics::{MetricId, Picp};
use uq_core::names::nearest_name;
use uq_methods::Request;
use uqbench_system::carried::texts;

/// A published table or figure, and the trials that it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Benchmark {
    /// Its name on the command line.
    pub id: String,
    /// Its place among the shipped benchmarks, which run in ascending order.
    pub order: u32,
    /// Key of the paper, such as `dtb`; [`papers::OWN`] where it is about no paper.
    pub paper: String,
    /// Its name in the paper, such as `Table 1`.
    pub artefact: String,
    /// One line on what it shows.
    pub title: String,
    /// Further notes for the reader, in Markdown.
    pub notes: String,
    /// Words of headings that a reader may not know.
    pub terms: Vec<Term>,
    /// Whether the paper prints the protocol, or it was inferred by matching the printed numbers,
    /// or it is no paper's.
    pub protocol_source: ProtocolSource,
    /// How the protocol was found; may be left out where the paper prints it.
    pub provenance: ProtocolProvenance,
    /// How a repetition goes.
    pub protocol: Protocol,
    /// How a method's coverage is checked inside its training rows, if it is.
    pub validation: Option<Validation>,
    /// Which rows take part.
    pub rows: RowSubset,
    /// The units of the scores.
    pub score_units: ScoreUnits,
    /// The request to each fit.
    pub ask: Request,
    /// Root of all random streams.
    pub root_seed: u64,
    /// Datasets, in the order of the table.
    pub datasets: Vec<DatasetRow>,
    /// Methods, in the order of the table.
    pub methods: Vec<MethodRow>,
    /// Whether the three anchor methods run too.
    pub anchors: bool,
    /// Whether the authors' scores of splits, where they are printed, are of the same test rows as
    /// ours, in the same order.
    pub same_splits: bool,
    /// Whether aleatoric, epistemic and predictive variances are compared with the truth, on
    /// simulated problems whose test inputs are the same in every draw.
    pub decomposition: bool,
    /// Printed columns without a method; they come before our own.
    pub printed_columns: Vec<PrintedColumn>,
    /// Metrics, in the order of the table.
    pub metrics: Vec<MetricRow>,
    /// The numbers that the paper prints; empty where none are stated.
    pub printed: Published,
    /// Which columns are the paper's own method.
    pub own: OwnColumns,
    /// How baselines are judged by the numbers of their own papers, where these are the printed
    /// ones.
    pub own_papers: Option<OwnPapers>,
    /// Two columns that are compared wherever all other labels agree.
    pub contrast: Option<Contrast>,
    /// What the page of ranks over datasets compares, if there is one.
    pub ranks: Option<Ranks>,
    /// Which board of the league it is, if it is one.
    pub league: Option<League>,
    /// Printed numbers that cannot be right.
    pub excluded: Vec<Excluded>,
    /// Printed numbers that are judged, but call no baseline weak.
    pub inconsistent: Vec<Inconsistent>,
    /// Printed numbers with which agreement would say nothing of a method.
    pub unjudged: Vec<Unjudged>,
    /// The figures.
    pub figures: Vec<Figure>,
    /// The paper's sentences, as statements that can be judged.
    pub claims: Vec<Claim>,
    /// Limits of each of its trials, where they differ from the run's limits.
    pub limits: TrialLimits,
    /// What each profile runs; profiles that the file leaves out are those of
    /// `profile::completed`.
    pub profiles: BTreeMap<Profile, ProfileSpec>,
    /// The folder of its file, unless it belongs to the program.
    pub folder: Option<PathBuf>,
    /// How a command line names it.
    pub origin: Origin,
}

/// Whether a protocol is printed in the paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProtocolSource {
    /// It is the author's of the benchmark file, and no paper's.
    #[default]
    Own,
    /// The paper prints it.
    Printed,
    /// The program of the paper's authors states it.
    Program,
    /// It was inferred by matching the printed numbers; alternatives that were tried are rows too.
    Inferred,
}

/// The benchmark files of the papers of this program, by name.
static FILES: LazyLock<Vec<(&str, &str)>> = LazyLock::new(carried_benchmarks);

/// The files of the league's boards that it carries, by name.
static BOARDS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| texts("benchmarks/league", ".toml"));

/// All benchmark files that it carries, which `like` may name.
static CARRIED: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| FILES.iter().chain(&*BOARDS).copied().collect());

/// Every benchmark of the repository, in the order in which they run: by their key `order`, then by
/// name.
///
/// # Errors
/// [`BenchmarkError`]; a test reads them all.
pub fn shipped() -> Result<&'static [Benchmark], BenchmarkError> {
    static ALL: LazyLock<Result<Vec<Benchmark>, BenchmarkError>> = LazyLock::new(|| {
        Folder::carried().iter().try_for_each(|folder| Paper::read(folder).map(|_| ()))?;
        parsed(&FILES)
    });
    all_of(&ALL, "shipped")
}

/// The boards of the league, which run when they are named and belong to no report of all
/// benchmarks.
///
/// # Errors
/// [`BenchmarkError`]; a test reads them all.
pub fn boards() -> Result<&'static [Benchmark], BenchmarkError> {
    static ALL: LazyLock<Result<Vec<Benchmark>, BenchmarkError>> =
        LazyLock::new(|| parsed(&BOARDS));
    all_of(&ALL, "boards")
}

/// These files in the order in which they run.
fn parsed(files: &[(&str, &str)]) -> Result<Vec<Benchmark>, BenchmarkError> {
    let parse = |(name, text): &(&str, &str)| Benchmark::parse(name, text);
    let mut all: Vec<Benchmark> = files.iter().map(parse).collect::<Result<_, _>>()?;
    all.sort_by(|a, b| (a.order, &a.id).cmp(&(b.order, &b.id)));
    Ok(all)
}

/// Benchmarks that were read once; `name` is used in messages.
fn all_of<'a>(
    read: &'a Result<Vec<Benchmark>, BenchmarkError>,
    name: &str,
) -> Result<&'a [Benchmark], BenchmarkError> {
    match read {
        Ok(all) => Ok(all),
        Err(error) => {
            Err(BenchmarkError::Meaning { name: name.into(), message: error.to_string() })
        }
    }
}

/// The shipped benchmark or the board of this name, or the one in the file of this name.
///
/// # Errors
/// [`BenchmarkError`] for an unknown name or an unusable file.
pub fn find(name: &str) -> Result<Benchmark, BenchmarkError> {
    let all = shipped()?;
    if let Some(found) = all.iter().find(|benchmark| benchmark.id == name) {
        return Ok(found.clone());
    }
    if let Some((_, text)) = BOARDS.iter().find(|(board, _)| *board == name) {
        return Benchmark::parse(name, text);
    }
    if name.ends_with(".toml") {
        return read_file(name);
    }
    Err(BenchmarkError::Unknown {
        name: name.into(),
        nearest: nearest_name(name, CARRIED.iter().map(|(known, _)| *known)),
    })
}

/// The benchmarks that a name stands for: those of a paper, by its folder or by its key, or the
/// one that [`find`] finds.
///
/// # Errors
/// [`BenchmarkError`] for an unknown name, an unusable file, and a folder of no paper.
pub fn find_all(name: &str) -> Result<Vec<Benchmark>, BenchmarkError> {
    let folder = Path::new(name);
    if folder.join(PAPER).exists() {
        return read_folder(folder);
    }
    let of_paper: Vec<Benchmark> =
        shipped()?.iter().filter(|one| one.paper == name).cloned().collect();
    if !of_paper.is_empty() {
        return Ok(of_paper);
    }
    if folder.is_dir() && shipped()?.iter().all(|one| one.id != name) {
        return Err(BenchmarkError::NoPaper { folder: name.into() });
    }
    Ok(vec![find(name)?])
}

impl Benchmark {
    /// Whether its file lies in the folder of a paper on disk.
    pub fn is_of_paper_folder(&self) -> bool {
        self.folder.as_ref().is_some_and(|folder| folder.join(PAPER).exists())
    }

    /// Another benchmark of this id: of the same paper's folder, or of the program.
    ///
    /// # Errors
    /// [`BenchmarkError`] for an unknown id or an unusable file.
    pub fn find_beside(&self, id: &str) -> Result<Self, BenchmarkError> {
        let folder = self.origin.file.as_ref().and_then(|file| Path::new(file).parent());
        match folder.filter(|folder| folder.join(PAPER).exists()) {
            Some(folder) => match read_folder(folder)?.into_iter().find(|one| one.id == id) {
                Some(beside) => Ok(beside),
                None => find(id),
            },
            None => find(id),
        }
    }

    /// The other benchmarks whose printed numbers its claims read.
    pub fn other_tables(&self) -> impl Iterator<Item = &str> {
        self.claims.iter().flat_map(|claim| match &claim.statement {
            Statement::Lower(lower) => {
                lower.terms.iter().filter_map(|term| term.published_in.as_deref()).collect()
            }
            _ => Vec::new(),
        })
    }

    /// Its place among the pages: by paper, tables before figures, then by name.
    pub fn place(&self) -> (usize, String, usize, String) {
        let topic =
            papers::topics().position(|topic| topic.key == self.paper).unwrap_or(usize::MAX);
        let kind = ["Table", "Figure"]
            .iter()
            .position(|kind| self.artefact.starts_with(kind))
            .unwrap_or(2);
        (topic, self.paper.clone(), kind, self.artefact.clone())
    }

    /// Reads and checks a benchmark; `name` is used in messages.
    ///
    /// A file with `like = "other"` takes every key that it does not state itself from that shipped
    /// benchmark, except order, metrics, printed numbers, own papers, figures, claims and notes,
    /// which belong to one table or figure.
    ///
    /// # Errors
    /// [`BenchmarkError::Mistakes`] with every mistake and its place.
    pub fn parse(name: &str, text: &str) -> Result<Self, BenchmarkError> {
        Draft::read(text, &Home { folder: None, paper: None, likes: &CARRIED }).finished(name)
    }

    /// Replaces each row that varies a parameter by one row for each value. Returns the old place
    /// of each row.
    fn expand_varied_rows(&mut self) -> Vec<usize> {
        let rows = std::mem::take(&mut self.methods).into_iter().enumerate();
        let varied =
            rows.flat_map(|(place, row)| row.varied().into_iter().map(move |row| (place, row)));
        let (places, rows) = varied.unzip();
        self.methods = rows;
        places
    }

    /// Every metric that tables, figures and claims need. A width that is printed or claimed is
    /// judged together with the coverage at its level.
    pub fn all_metrics(&self) -> Vec<MetricId> {
        let mut all: Vec<MetricId> = self.metrics.iter().map(|row| row.id).collect();
        let claimed: Vec<MetricId> =
            self.claims.iter().flat_map(|claim| claim.statement.kind().metrics()).collect();
        let printed = self.metrics.iter().filter(|row| row.published.is_some()).map(|row| row.id);
        let widths = printed.chain(claimed.iter().copied()).filter_map(|metric| metric.width_of());
        all.extend(widths.map(|level| MetricId::Picp(Picp { level })));
        all.extend(self.figures.iter().flat_map(|figure| figure.kind().metrics()));
        all.extend(claimed);
        all.extend(self.validation.map(|validation| validation.metric()));
        all.extend(self.ranks.iter().flat_map(|ranks| &ranks.metrics));
        let mut distinct = Vec::new();
        for metric in all {
            if !distinct.contains(&metric) {
                distinct.push(metric);
            }
        }
        distinct
    }

    /// What a profile runs.
    pub fn profile(&self, profile: Profile) -> Option<&ProfileSpec> {
        self.profiles.get(&profile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_benchmark_parses_and_is_named_after_its_file() {
        let all = shipped().unwrap();
        let mut named: Vec<&str> = all.iter().map(|benchmark| benchmark.id.as_str()).collect();
        named.sort_unstable();
        assert_eq!(named, FILES.iter().map(|(file, _)| *file).collect::<Vec<_>>());
        assert!(all.is_sorted_by_key(|benchmark| benchmark.order));
        for benchmark in all {
            let splits = |profile| benchmark.profile(profile).unwrap().splits;
            assert!(
                splits(Profile::Smoke) <= splits(Profile::Quick)
                    && splits(Profile::Quick) <= splits(Profile::Full)
            );
        }
    }

    #[test]
    fn every_board_parses_and_is_no_shipped_benchmark() {
        let all = boards().unwrap();
        for (board, (name, _)) in all.iter().zip(&*BOARDS) {
            assert_eq!((board.id.as_str(), find(name).unwrap()), (*name, board.clone()));
            let league = board.league.as_ref().unwrap();
            assert_eq!(board.id, format!("league-{}", league.board));
            assert!(shipped().unwrap().iter().all(|other| other.id != board.id));
        }
        assert!(all.len() > 1);
    }

    #[test]
    fn a_printed_width_brings_its_coverage() {
        let mut benchmark = find("jcm-table-4").unwrap();
        benchmark.metrics.retain(|row| row.id.width_of().is_some());
        (benchmark.figures, benchmark.claims, benchmark.validation) =
            (Vec::new(), Vec::new(), None);
        let names = |benchmark: &Benchmark| {
            benchmark.all_metrics().iter().map(MetricId::to_string).collect::<Vec<_>>()
        };
        assert_eq!(names(&benchmark), ["mpiw-range(level=0.95)", "picp(level=0.95)"]);
        benchmark.metrics[0].published = None;
        assert_eq!(names(&benchmark), ["mpiw-range(level=0.95)"]);
    }

    #[test]
    fn unknown_names_suggest_the_nearest() {
        let message = find("dtb-tabel-1").unwrap_err().to_string();
        assert!(message.contains("did you mean `dtb-table-1`?"), "{message}");
    }
}
