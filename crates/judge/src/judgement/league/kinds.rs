//! Tell the datasets of a board apart by their rows, their columns and their noise.

use super::{Board, Counted, Standing};
use crate::evidence::brought::EntrantKind;
use uq_core::math::median::median;
use uqbench_data::Manifest;

/// Number of rows from which on a dataset has many.
pub const MANY_ROWS: usize = 2500;

/// The median skill of models from which on a dataset is predictable.
pub const PREDICTABLE: f64 = 0.5;

/// A kind of dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Fewer than [`MANY_ROWS`] rows.
    FewRows,
    /// At least as many.
    ManyRows,
    /// Features of numbers alone.
    Numbers,
    /// A feature of text or of dates, too.
    Text,
    /// At least half of the models have a skill of [`PREDICTABLE`] or more.
    Predictable,
    /// At least half of them have less.
    Noisy,
}

/// The datasets of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfKind {
    /// The kind.
    pub kind: Kind,
    /// Their places among those that count.
    pub datasets: Vec<usize>,
}

/// The kinds of the datasets that count, in pairs of opposites; without a pair of which one has no
/// dataset. A dataset of which the rows or the columns are not known is in neither.
pub fn kinds(board: &Board) -> Vec<OfKind> {
    let all = board.datasets.iter().enumerate();
    let divide = |[no, yes]: [Kind; 2], is: &dyn Fn(usize, &Counted) -> Option<bool>| {
        let select = |kind, side| OfKind {
            kind,
            datasets: all
                .clone()
                .filter(|(at, dataset)| is(*at, dataset) == Some(side))
                .map(|(at, _)| at)
                .collect(),
        };
        let pair = [select(no, false), select(yes, true)];
        let has_both = pair.iter().all(|side| !side.datasets.is_empty());
        has_both.then_some(pair).into_iter().flatten()
    };
    let manifest = Manifest::shipped().ok();
    let shipped = |dataset: &Counted| manifest.and_then(|all| all.get(&dataset.block.key).ok());
    let many = divide([Kind::FewRows, Kind::ManyRows], &|_, dataset| {
        Some(shipped(dataset)?.rows >= MANY_ROWS)
    });
    let text = divide([Kind::Numbers, Kind::Text], &|_, dataset| {
        let dataset = shipped(dataset)?;
        Some(dataset.features.iter().any(|column| dataset.not_numeric.contains(&column.from)))
    });
    let noisy = divide([Kind::Predictable, Kind::Noisy], &|at, _| {
        let models = board.table(EntrantKind::Model)?;
        let skills = models.ranked.iter().map(|one| one.by_dataset[at]);
        Some(median(skills.collect())? < PREDICTABLE)
    });
    many.chain(text).chain(noisy).collect()
}

impl Standing {
    /// Its skill on some of the datasets: 1 less the geometric mean of its loss ratios there.
    pub fn skill_on(&self, datasets: &[usize]) -> f64 {
        let logs = datasets.iter().map(|&at| (1.0 - self.by_dataset[at]).ln());
        1.0 - (logs.sum::<f64>() / datasets.len() as f64).exp()
    }
}
