//! Store the scores of a blessed run in a file, and report what a later run changed, for continuous
//! integration.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::change::{Change, Judged, Pair, judge};
use crate::evidence::Results;
use crate::evidence::field::{Score, scores};
use uq_core::metrics::MetricId;
use uqbench_data::check_nesting;
use uqbench_run::benchmark::Profile;
use uqbench_run::runner::plan::Plan;
use uqbench_system::files::write_output;
use uqbench_system::named_file::read_named_text;

/// The scores of a blessed run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The profile that was run.
    pub profile: Profile,
    /// Its renewals with their reasons, oldest first.
    pub blessed: Vec<Blessing>,
    /// One entry for each column and metric.
    pub cells: Vec<Cell>,
}

/// One renewal of the baseline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blessing {
    /// The version of the program that computed the scores.
    pub program: String,
    /// Why the numbers changed.
    pub reason: String,
    /// Number of columns by kind of change.
    pub changed: String,
}

/// The scores of one column under one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// The benchmark.
    pub benchmark: String,
    /// The dataset's heading.
    pub dataset: String,
    /// The column's heading.
    pub column: String,
    /// The metric.
    pub metric: MetricId,
    /// One score for each repetition; NaN where there is none.
    pub scores: Vec<f64>,
}

/// Why a baseline cannot be used.
#[derive(Debug, Error)]
pub enum BaselineError {
    /// The file cannot be read.
    #[error("{path}: {source}")]
    Unread {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("{path}: {source}")]
    Unwritten {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The file is not a baseline.
    #[error("{path} is no baseline: {message}")]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        message: String,
    },
}

/// The changes of a run.
pub struct Verdicts {
    /// The cells of the baseline and of the run, judged.
    pub rows: Vec<(Cell, Pair, Judged)>,
    /// Number of repetitions of the baseline that are not in the run yet.
    pub missing: usize,
}

/// Most bytes of a baseline.
const LARGEST: u64 = 1 << 30;

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    /// [`BaselineError`] where the file cannot be read, is no TOML, or has a column twice.
    pub fn read(path: &Path) -> Result<Self, BaselineError> {
        let text = read_named_text(path, LARGEST)
            .map_err(|source| BaselineError::Unread { path: path.into(), source })?;
        Self::parse(&text).map_err(|message| BaselineError::Content { path: path.into(), message })
    }

    /// Reads the text of a baseline.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn parse(text: &str) -> Result<Self, String> {
        check_nesting(text).map_err(|error| error.to_string())?;
        let baseline: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut seen = HashSet::new();
        match baseline.cells.iter().find(|cell| !seen.insert(cell.name())) {
            Some(twice) => Err(format!("the column {} is there twice", twice.name().join(", "))),
            None => Ok(baseline),
        }
    }

    /// Writes it, completely or not at all.
    ///
    /// # Errors
    /// [`BaselineError`] naming the file.
    pub fn write(&self, path: &Path) -> Result<(), BaselineError> {
        let text = toml::to_string(self).map_err(|error| BaselineError::Content {
            path: path.into(),
            message: error.to_string(),
        })?;
        let head = "# Scores of a blessed run; `uqbench check --against` compares with them. \
                    Renewed by `--bless --reason`.\n";
        write_output(path, format!("{head}{text}").as_bytes())
            .map_err(|source| BaselineError::Unwritten { path: path.into(), source })
    }

    /// The metrics of a plan's benchmark that do not depend on the machine: neither times nor
    /// memory; where some are `chosen`, these of them.
    pub fn metrics(plan: &Plan, chosen: Option<&[MetricId]>) -> Vec<MetricId> {
        let mut all = plan.first_metrics();
        all.retain(|metric| !metric.is_cost());
        all.retain(|metric| chosen.is_none_or(|chosen| chosen.contains(metric)));
        all
    }

    /// The changes of a run in the requested benchmarks.
    pub fn against(&self, run: &Run) -> Verdicts {
        let optional =
            |scores: &[f64]| scores.iter().map(|s| (!s.is_nan()).then_some(*s)).collect::<Vec<_>>();
        let now: HashMap<_, _> =
            run.cells.iter().map(|(cell, absent)| (cell.name(), (cell, absent))).collect();
        let before: HashSet<_> = self.cells.iter().map(Cell::name).collect();
        let mut missing = 0;
        let mut rows: Vec<(Cell, Pair)> = Vec::new();
        let is_chosen = |cell: &&Cell| run.extent.all_columns || now.contains_key(&cell.name());
        for cell in self.cells.iter().filter(|cell| run.holds(&cell.benchmark)).filter(is_chosen) {
            let mut old = optional(&cell.scores);
            let found = now.get(&cell.name());
            if let Some((cell, _)) = found.filter(|_| !run.extent.all_splits) {
                old.truncate(cell.scores.len());
            }
            // A repetition that was not run does not count as lost.
            for (score, absent) in
                old.iter_mut().zip(found.map(|(_, absent)| absent.as_slice()).unwrap_or_default())
            {
                missing += usize::from(*absent && score.take_if(|_| *absent).is_some());
            }
            let new = found.map(|(cell, _)| optional(&cell.scores)).unwrap_or_default();
            rows.push((cell.clone(), Pair { metric: cell.metric, old, new }));
        }
        for (cell, _) in run.cells.iter().filter(|(cell, _)| !before.contains(&cell.name())) {
            let pair = Pair { metric: cell.metric, old: Vec::new(), new: optional(&cell.scores) };
            rows.push((cell.clone(), pair));
        }
        let judged = judge(&rows.iter().map(|(_, pair)| pair.clone()).collect::<Vec<_>>());
        let rows = rows
            .into_iter()
            .zip(judged)
            .map(|((cell, pair), judged)| (cell, pair, judged))
            .collect();
        Verdicts { rows, missing }
    }

    /// The baseline with the scores of the run's benchmarks replaced by the run's; of a part of
    /// their columns or splits, that part.
    #[must_use]
    pub fn renewed(self, run: Run, blessing: Blessing) -> Self {
        let mut new: Vec<Cell> = run.cells.iter().map(|(cell, _)| cell.clone()).collect();
        let mut others = Vec::new();
        for cell in self.cells {
            match new.iter_mut().find(|new| new.name() == cell.name()) {
                Some(new) if !run.extent.all_splits => {
                    new.scores.extend(cell.scores.iter().skip(new.scores.len()))
                }
                Some(_) => {}
                None if run.holds(&cell.benchmark) && run.extent.all_columns => {}
                None => others.push(cell),
            }
        }
        let cells = others.into_iter().chain(new).collect();
        Self { blessed: self.blessed.into_iter().chain([blessing]).collect(), cells, ..self }
    }
}

/// How much of a baseline a run was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Whether no benchmark was left out on purpose. A benchmark that the run does not have is then
    /// lost.
    pub all_benchmarks: bool,
    /// Whether no method and no dataset of its benchmarks was left out on purpose.
    pub all_columns: bool,
    /// Whether the number of splits is the profile's.
    pub all_splits: bool,
}

/// The scores of a later run.
pub struct Run {
    /// The requested benchmarks; `None` where all were requested.
    benchmarks: Option<HashSet<String>>,
    /// How much of these was requested.
    extent: Extent,
    /// Each column under each metric, and whether each of its repetitions is missing.
    cells: Vec<(Cell, Vec<bool>)>,
}

impl Run {
    /// The scores of these results by all metrics, or by those that are `chosen`.
    pub fn of(results: &[Results], extent: Extent, chosen: Option<&[MetricId]>) -> Self {
        let mut cells = Vec::new();
        for one in results {
            for series in one.series() {
                for metric in Baseline::metrics(one.plan, chosen) {
                    let all = scores(&series, &metric);
                    let value = |score: &Score| {
                        if let Score::Given(value) = score { *value } else { f64::NAN }
                    };
                    let cell = Cell {
                        benchmark: one.plan.benchmark.id.clone(),
                        dataset: series.dataset.heading.clone(),
                        column: series.name(),
                        metric,
                        scores: all.iter().map(value).collect(),
                    };
                    cells.push((cell, all.iter().map(|score| *score == Score::Absent).collect()));
                }
            }
        }
        let asked = || results.iter().map(|one| one.plan.benchmark.id.clone()).collect();
        Self { benchmarks: (!extent.all_benchmarks).then(asked), extent, cells }
    }

    /// Whether a benchmark was requested.
    fn holds(&self, benchmark: &str) -> bool {
        self.benchmarks.as_ref().is_none_or(|asked| asked.contains(benchmark))
    }

    /// Number of repetitions that were run here and not in another run of the same plans: their
    /// trials have other keys there.
    pub fn not_in(&self, other: &Self) -> usize {
        let known: HashMap<_, _> =
            other.cells.iter().map(|(cell, absent)| (cell.name(), absent)).collect();
        let has = |cell: &Cell, at: usize| {
            known.get(&cell.name()).and_then(|absent| absent.get(at)) == Some(&false)
        };
        let all = self
            .cells
            .iter()
            .flat_map(|(cell, absent)| (0..absent.len()).map(move |at| (cell, at, absent[at])));
        all.filter(|&(cell, at, absent)| !absent && !has(cell, at)).count()
    }

    /// Number of columns in which no repetition has a score.
    pub fn without_scores(&self) -> usize {
        self.cells.iter().filter(|(cell, _)| cell.scores.iter().all(|score| score.is_nan())).count()
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.cells.len()
    }

    /// Whether every repetition was run.
    pub fn is_whole(&self) -> bool {
        self.cells.iter().all(|(_, absent)| !absent.contains(&true))
    }
}

impl Cell {
    fn name(&self) -> [String; 4] {
        [self.benchmark.clone(), self.dataset.clone(), self.column.clone(), self.metric.to_string()]
    }
}

impl Verdicts {
    /// Whether no column of the baseline was compared.
    pub fn nothing_in_common(&self) -> bool {
        self.rows.iter().all(|(_, pair, _)| pair.old.is_empty())
    }

    /// Whether a column got worse.
    pub fn is_worse(&self) -> bool {
        self.rows.iter().any(|(_, _, judged)| judged.change.is_worse())
    }

    /// Number of columns by kind of change: `3 numerically different, 120 the same`.
    pub fn counts(&self) -> String {
        let count = |change: &Change| {
            self.rows.iter().filter(|(_, _, judged)| judged.change == *change).count()
        };
        let counts = Change::ALL
            .iter()
            .map(|change| (count(change), change.word()))
            .filter(|(count, _)| *count > 0);
        let words: Vec<String> = counts.map(|(count, word)| format!("{count} {word}")).collect();
        if words.is_empty() { "no columns".into() } else { words.join(", ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, prop_assert_eq, proptest};
    use uq_core::metrics::Rmse;

    fn baseline(scores: &[f64]) -> Baseline {
        let cell = Cell {
            benchmark: "b".into(),
            dataset: "d".into(),
            column: "c".into(),
            metric: MetricId::Rmse(Rmse),
            scores: scores.to_vec(),
        };
        Baseline { profile: Profile::Smoke, blessed: Vec::new(), cells: vec![cell] }
    }

    fn run(scores: &Baseline, absent: &[usize]) -> Run {
        let absences = |cell: &Cell| (0..cell.scores.len()).map(|i| absent.contains(&i)).collect();
        let cells = scores.cells.iter().map(|cell| (cell.clone(), absences(cell))).collect();
        Run { benchmarks: Some(HashSet::from(["b".into()])), extent: WHOLE, cells }
    }

    /// All columns and splits of the benchmarks that were asked for.
    const WHOLE: Extent = Extent { all_benchmarks: false, all_columns: true, all_splits: true };

    #[test]
    fn a_run_is_told_from_its_baseline() {
        let old = baseline(&[1.0, 1.1, 0.9]);
        let counts = |new: &Baseline| old.against(&run(new, &[])).counts();
        assert_eq!(counts(&old), "1 the same");
        assert_eq!(counts(&baseline(&[1.0 + 1e-12, 1.1, 0.9])), "1 numerically different");
        assert_eq!(counts(&baseline(&[1.5, 1.6, 1.4])), "1 statistically worse");
        assert_eq!(counts(&baseline(&[1.0, f64::NAN, 0.9])), "1 lost");
        let gone = Baseline { cells: Vec::new(), ..old.clone() };
        assert_eq!(counts(&gone), "1 lost");
        assert_eq!(gone.against(&run(&old, &[])).counts(), "1 new");
        let worse = old.against(&run(&baseline(&[1.5, 1.6, 1.4]), &[]));
        assert!(worse.is_worse());
    }

    #[test]
    fn what_was_not_run_is_missing_not_lost() {
        let old = baseline(&[1.0, 1.1, 0.9]);
        let verdicts = old.against(&run(&baseline(&[1.0, f64::NAN, 0.9]), &[1]));
        assert_eq!((verdicts.counts().as_str(), verdicts.missing), ("1 the same", 1));
        let other = Run {
            benchmarks: Some(HashSet::from(["another".into()])),
            extent: WHOLE,
            cells: Vec::new(),
        };
        assert_eq!(
            old.against(&other).counts(),
            "no columns",
            "a benchmark that was not asked for"
        );
        let everything = Run { benchmarks: None, extent: WHOLE, cells: Vec::new() };
        assert_eq!(
            old.against(&everything).counts(),
            "1 lost",
            "all were asked for, and it is gone"
        );
    }

    #[test]
    fn renewal_keeps_the_other_benchmarks_and_the_history() {
        let mut old = baseline(&[1.0]);
        old.cells.push(Cell { benchmark: "another".into(), ..old.cells[0].clone() });
        let blessing = Blessing { program: "p".into(), reason: "r".into(), changed: "c".into() };
        let new = old.renewed(run(&baseline(&[2.0]), &[]), blessing.clone());
        assert_eq!(new.blessed, [blessing]);
        let kept: Vec<_> =
            new.cells.iter().map(|cell| (cell.benchmark.as_str(), cell.scores[0])).collect();
        assert_eq!(kept, [("another", 1.0), ("b", 2.0)]);
    }

    #[test]
    fn a_part_of_the_columns_or_splits_is_compared_and_renewed_alone() {
        let mut old = baseline(&[1.0, 1.1, 0.9]);
        old.cells.push(Cell { column: "another".into(), ..old.cells[0].clone() });
        let part = |scores: &[f64], extent| Run { extent, ..run(&baseline(scores), &[]) };
        let columns = Extent { all_columns: false, ..WHOLE };
        assert_eq!(old.against(&part(&[1.0, 1.1, 0.9], columns)).counts(), "1 the same");
        assert_eq!(old.against(&part(&[1.0, 1.1, 0.9], WHOLE)).counts(), "1 lost, 1 the same");
        let splits = Extent { all_columns: false, all_splits: false, ..WHOLE };
        assert_eq!(old.against(&part(&[1.0, 1.1], splits)).counts(), "1 the same");
        let blessing = Blessing { program: "p".into(), reason: "r".into(), changed: "c".into() };
        let new = old.renewed(part(&[2.0, 2.1], splits), blessing);
        let kept: Vec<_> =
            new.cells.iter().map(|cell| (cell.column.as_str(), cell.scores.clone())).collect();
        assert_eq!(kept, [("another", vec![1.0, 1.1, 0.9]), ("c", vec![2.0, 2.1, 0.9])]);
    }

    #[test]
    fn damaged_files_are_told() {
        let text = toml::to_string(&baseline(&[1.0])).unwrap();
        assert!(Baseline::parse(&text.replace("rmse", "rmsee")).unwrap_err().contains("rmsee"));
        assert!(
            Baseline::parse(&text.replace("profile", "profil")).unwrap_err().contains("line 1")
        );
        let mut twice = baseline(&[1.0]);
        twice.cells.push(twice.cells[0].clone());
        assert!(Baseline::parse(&toml::to_string(&twice).unwrap()).unwrap_err().contains("twice"));
    }

    proptest! {
        #[test]
        fn scores_read_back_bit_equal(bits in proptest::collection::vec(any::<u64>(), 0..10)) {
            let written = baseline(&bits.iter().map(|&b| f64::from_bits(b)).collect::<Vec<_>>());
            let read = Baseline::parse(&toml::to_string(&written).unwrap()).unwrap();
            for (a, b) in written.cells[0].scores.iter().zip(&read.cells[0].scores) {
                prop_assert_eq!(a.is_nan(), b.is_nan());
                prop_assert_eq!(a.is_nan() || a.to_bits() == b.to_bits(), true);
            }
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in ".{0,200}") {
            let _ = Baseline::parse(&text);
        }
    }
}
