//! Divide the rows of a board as its trials do.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::LeagueError;
use crate::benchmark::{Benchmark, Profile};
use crate::protocols::{Repetition, Rows, ScoreUnits, Source};
use crate::runner::key::TrialSpec;
use crate::runner::plan::{Experiment, Filter, PlanAdvice, PlanError, plan};
use uq_core::Table;
use uq_core::names::nearest_name;
use uq_methods::anchors::ANCHORS;
use uqbench_data::objectives::Objective;
use uqbench_data::own::OwnDataset;
use uqbench_data::simulated::Simulated;
use uqbench_data::{DataError, Library, Manifest};

/// The predictor that ignores the features, to which skill refers where a board names no other.
pub const REFERENCE: &str = "unconditional-quantiles";

/// The datasets of a board, with all splits of its full profile.
#[derive(Clone)]
pub struct Board {
    /// Its name.
    pub id: String,
    /// One line on what it shows.
    pub title: String,
    /// How its rows are divided, as a benchmark file states it.
    pub protocol: serde_json::Value,
    /// Its datasets, in the order of the table.
    pub datasets: Vec<BoardDataset>,
    /// Whether datasets or splits of it were left out.
    pub is_part: bool,
}

/// One dataset of a board.
#[derive(Clone)]
pub struct BoardDataset {
    /// Its key.
    pub key: String,
    /// Its name in tables.
    pub heading: String,
    /// Number of its splits. They count from 0.
    pub splits: u64,
    /// A trial of the predictor that ignores the features: it names the rows.
    template: TrialSpec,
    /// The user's file, of a dataset that is one.
    own: Option<OwnDataset>,
}

impl Board {
    /// The board that a benchmark describes.
    ///
    /// # Errors
    /// [`LeagueError::Plan`]; [`LeagueError::Unfit`] for a benchmark whose rows nobody else could
    /// fit: of simulated problems, or with scores in scaled units.
    pub fn new(benchmark: &Benchmark) -> Result<Self, LeagueError> {
        let unfit = |why: &str| {
            Err(LeagueError::Unfit { board: benchmark.id.clone(), why: why.to_owned() })
        };
        if !benchmark.protocol.kind().compares_methods() {
            return unfit(
                "its protocol compares no methods on unseen rows, which a board has to do",
            );
        }
        if benchmark.score_units != ScoreUnits::Target {
            return unfit("its scores are in scaled units; a board has those of the target");
        }
        // No other method says anything of the rows, and some need a description.
        let rows_alone = Benchmark {
            methods: Vec::new(),
            printed_columns: Vec::new(),
            anchors: true,
            ..benchmark.clone()
        };
        let reference = benchmark.league.as_ref().map_or(REFERENCE, |league| &league.reference);
        if ANCHORS.iter().all(|(id, _)| *id != reference) {
            return unfit(
                "its reference needs training; a board refers to one that ignores features",
            );
        }
        let filter = Filter { methods: vec![reference.to_owned()], ..Filter::default() };
        let planned = plan(&[rows_alone], Profile::Full, &filter)?;
        let experiments = planned.iter().flat_map(|plan| &plan.experiments);
        let mut datasets: Vec<BoardDataset> = Vec::new();
        for Experiment { dataset, template, splits, .. } in experiments {
            let row = &benchmark.datasets[*dataset];
            if Simulated::get(&row.key).is_some() || Objective::get(&row.key).is_some() {
                return unfit(&format!(
                    "{} is drawn anew by this program; a board has datasets alone",
                    row.key
                ));
            }
            if datasets.iter().all(|known| known.key != row.key) {
                datasets.push(BoardDataset {
                    key: row.key.clone(),
                    heading: row.heading.clone(),
                    splits: *splits,
                    template: template.clone(),
                    own: row.own.clone(),
                });
            }
        }
        let protocol = serde_json::to_value(&benchmark.protocol).unwrap_or_default();
        let (id, title) = (benchmark.id.clone(), benchmark.title.clone());
        Ok(Self { id, title, protocol, datasets, is_part: false })
    }

    /// The chosen datasets alone, by their keys or by these without a variant, all of them where
    /// `keys` is empty; and of each at most the first `splits` splits.
    ///
    /// # Errors
    /// [`PlanError::Unknown`] for a dataset that the board does not have.
    pub fn only(mut self, keys: &[String], splits: Option<u64>) -> Result<Self, LeagueError> {
        let known = || self.datasets.iter().map(|dataset| dataset.key.as_str());
        let is_chosen =
            |key: &str| keys.iter().any(|name| name == key || key.split(':').next() == Some(name));
        let is_known = |name: &&String| {
            known().any(|key| key == **name || key.split(':').next() == Some(name.as_str()))
        };
        if let Some(name) = keys.iter().find(|name| !is_known(name)) {
            let advice = PlanAdvice::Nearest(nearest_name(name, known()));
            return Err(PlanError::Unknown { kind: "dataset", name: name.clone(), advice }.into());
        }
        let all = self.splits();
        self.datasets.retain(|dataset| keys.is_empty() || is_chosen(&dataset.key));
        for dataset in &mut self.datasets {
            dataset.splits = dataset.splits.min(splits.unwrap_or(u64::MAX));
        }
        self.is_part |= self.splits() < all;
        Ok(self)
    }

    /// The datasets of these keys alone.
    #[must_use]
    pub fn keep(mut self, keys: &[String]) -> Self {
        self.datasets.retain(|dataset| keys.contains(&dataset.key));
        self
    }

    /// The datasets that are at hand, and why each of the others is not, by its key.
    pub fn find_at_hand(mut self, library: &Library) -> (Self, BTreeMap<String, LeagueError>) {
        let mut missing = BTreeMap::new();
        self.datasets.retain(|dataset| match dataset.load(library) {
            Ok(_) => true,
            Err(error) => {
                missing.insert(dataset.key.clone(), error);
                false
            }
        });
        (self, missing)
    }

    /// A number of rows that the test rows of all splits do not exceed. It needs no data.
    pub fn most_rows(&self) -> usize {
        let of_dataset = |dataset: &BoardDataset| {
            let splits = usize::try_from(dataset.splits).unwrap_or(usize::MAX);
            dataset.rows().saturating_mul(splits)
        };
        self.datasets.iter().map(of_dataset).fold(0, usize::saturating_add)
    }

    /// Number of splits of all datasets.
    pub fn splits(&self) -> u64 {
        self.datasets.iter().map(|dataset| dataset.splits).sum()
    }

    /// The dataset of this key.
    pub fn dataset(&self, key: &str) -> Option<(usize, &BoardDataset)> {
        self.datasets.iter().enumerate().find(|(_, dataset)| dataset.key == key)
    }

    /// The tables of all datasets, in their order.
    ///
    /// # Errors
    /// [`LeagueError::Data`] with all that are not at hand.
    pub fn load(&self, library: &Library) -> Result<Vec<Arc<Table>>, LeagueError> {
        let (mut tables, mut missing) = (Vec::new(), Vec::new());
        for dataset in &self.datasets {
            match dataset.load(library) {
                Ok(table) => tables.push(table),
                Err(LeagueError::Data(errors)) => missing.extend(errors),
                Err(error) => return Err(error),
            }
        }
        if missing.is_empty() { Ok(tables) } else { Err(LeagueError::Data(missing)) }
    }

    /// What `work` makes of the rows of each split of each dataset, given their tables.
    ///
    /// # Errors
    /// The error of `work`, and [`LeagueError::Unfit`] where rows cannot be divided.
    pub fn of_each_split<T: Send>(
        &self,
        tables: &[Arc<Table>],
        work: impl Fn(&BoardDataset, u64, Rows) -> Result<T, LeagueError> + Sync,
    ) -> Result<Vec<Vec<T>>, LeagueError> {
        let of_dataset = |(dataset, table): (&BoardDataset, &Arc<Table>)| {
            let of_split = |split: u64| work(dataset, split, self.rows(dataset, table, split)?);
            (0..dataset.splits).into_par_iter().map(of_split).collect()
        };
        self.datasets.iter().zip(tables).map(of_dataset).collect()
    }

    /// The rows of one split.
    fn rows(&self, dataset: &BoardDataset, table: &Table, split: u64) -> Result<Rows, LeagueError> {
        let TrialSpec { protocol, dataset: key, rows, .. } = &dataset.template;
        let streams = dataset.template.data_streams();
        let repetition = Repetition { dataset: key, rows: *rows, split, streams };
        let divided = protocol.kind().rows(&repetition, Source::Table(table));
        divided.map_err(|error| LeagueError::Unfit {
            board: self.id.clone(),
            why: format!("{key}, split {split}: {error}"),
        })
    }
}

impl BoardDataset {
    /// The trial of the predictor that ignores the features, on one split.
    pub fn reference(&self, split: u64) -> TrialSpec {
        self.template.of_split(split)
    }

    fn load(&self, library: &Library) -> Result<Arc<Table>, LeagueError> {
        match &self.own {
            Some(own) => Ok(library.own_table(own)?),
            None => loaded(&self.key, library).map_err(|error| LeagueError::Data(vec![error])),
        }
    }

    /// Number of its rows, as far as it is known without the data.
    fn rows(&self) -> usize {
        let stated = || Some(Manifest::shipped().ok()?.get(&self.key).ok()?.rows);
        self.own.as_ref().map(|own| own.rows).or_else(stated).unwrap_or(0)
    }

    /// The name of its folder: its key, with a hyphen for each character that some file system does
    /// not take, such as the colon of a variant.
    pub fn folder(&self) -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        self.key.chars().map(|c| if is_plain(c) { c } else { '-' }).collect()
    }
}

fn loaded(key: &str, library: &Library) -> Result<Arc<Table>, DataError> {
    library.load(Manifest::shipped()?.get(key)?)
}
