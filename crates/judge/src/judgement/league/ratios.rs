//! Divide each entrant's mean loss on a dataset by that of the reference on the same splits.
//!
//! A split on which an entrant failed gets a loss by one of three rules ([`Rule`]); what hangs on
//! the rule is shown beside the ranks. A loss that is not finite is a failure. So is an undefined
//! one, unless all of a dataset are: such an entrant has no skill ([`Ratios::is_undefined`]).

use crate::evidence::field::{Block, Score};
use uq_core::stats::rounding::TIED;
use uqbench_run::benchmark::League;

/// The loss of an entrant on a split.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Loss {
    Given(f64),
    Failed,
    Absent,
}

impl Loss {
    fn given(self) -> Option<f64> {
        match self {
            Self::Given(loss) => Some(loss),
            Self::Failed | Self::Absent => None,
        }
    }
}

impl From<Score> for Loss {
    fn from(score: Score) -> Self {
        match score {
            Score::Given(loss) if loss.is_finite() => Self::Given(loss),
            Score::Absent => Self::Absent,
            Score::Given(_) | Score::Undefined | Score::Failed => Self::Failed,
        }
    }
}

/// What becomes of a split on which an entrant failed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule<'a> {
    /// It has the reference's loss. The rule of the ranks.
    Reference,
    /// It has the largest loss that any of these entrants has there.
    Worst(&'a [usize]),
    /// It is left out, for everybody: splits count on which all of these entrants have a loss.
    Common(&'a [usize]),
}

/// The losses of one dataset.
struct OfDataset {
    /// By entrant and split.
    losses: Vec<Vec<Loss>>,
    /// By entrant: whether it has trials here, and a loss in none of them.
    undefined: Vec<bool>,
    /// Of the reference by split.
    reference: Vec<Option<f64>>,
}

/// The losses of all entrants on the datasets that count.
pub(super) struct Ratios {
    datasets: Vec<OfDataset>,
    /// The source of each dataset, from 0.
    pub sources: Vec<usize>,
}

impl Ratios {
    pub fn new(blocks: &[&Block], metric: usize, reference: usize, league: &League) -> Self {
        let of_block = |block: &&Block| {
            let scores = block.scores(metric);
            let undefined = scores.iter().map(|of| is_undefined(of)).collect();
            let of_entrant = |scores: Vec<Score>| scores.into_iter().map(Loss::from).collect();
            let losses: Vec<Vec<Loss>> = scores.into_iter().map(of_entrant).collect();
            let of_reference = losses.get(reference).into_iter().flatten();
            let reference = of_reference.map(|loss| loss.given()).collect();
            OfDataset { losses, undefined, reference }
        };
        let mut names: Vec<&str> = Vec::new();
        let mut sources = Vec::new();
        for block in blocks {
            let name = league.source(&block.key);
            sources.push(names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            }));
        }
        Self { datasets: blocks.iter().map(of_block).collect(), sources }
    }

    /// Number of datasets.
    pub fn len(&self) -> usize {
        self.datasets.len()
    }

    /// The reference's loss on each split of a dataset.
    pub fn reference(&self, dataset: usize) -> &[Option<f64>] {
        &self.datasets[dataset].reference
    }

    /// The reference's mean loss on a dataset.
    pub fn reference_loss(&self, dataset: usize) -> f64 {
        mean(self.datasets[dataset].reference.iter().flatten().copied()).unwrap_or(f64::NAN)
    }

    /// Whether an entrant has a trial on a dataset, failed or not.
    pub fn covers(&self, entrant: usize, dataset: usize) -> bool {
        self.of(entrant, dataset).iter().any(|loss| *loss != Loss::Absent)
    }

    /// Whether what an entrant predicts of a dataset has no such loss, as intervals alone have no
    /// CRPS.
    pub fn is_undefined(&self, entrant: usize, dataset: usize) -> bool {
        self.datasets[dataset].undefined.get(entrant).copied().unwrap_or(false)
    }

    /// Number of splits on which an entrant failed, and of those on which it has a trial.
    pub fn failed(&self, entrant: usize) -> (usize, usize) {
        let all = || (0..self.len()).flat_map(|dataset| self.of(entrant, dataset));
        (
            all().filter(|loss| **loss == Loss::Failed).count(),
            all().filter(|loss| **loss != Loss::Absent).count(),
        )
    }

    /// Number of splits of a dataset on which an entrant failed.
    pub fn failed_on(&self, entrant: usize, dataset: usize) -> usize {
        self.of(entrant, dataset).iter().filter(|loss| **loss == Loss::Failed).count()
    }

    /// The losses of these entrants on the splits of a dataset that all of them have; a failed split
    /// has the reference's.
    pub fn losses(&self, entrants: &[usize], dataset: usize) -> Vec<Vec<f64>> {
        let mut all = vec![Vec::new(); entrants.len()];
        for split in 0..self.datasets[dataset].reference.len() {
            let own = |&entrant: &usize| self.pair(entrant, dataset, split, Rule::Reference);
            let Some(on_split) = entrants.iter().map(own).collect::<Option<Vec<_>>>() else {
                continue;
            };
            all.iter_mut().zip(on_split).for_each(|(all, (own, _))| all.push(own));
        }
        all
    }

    /// The logarithm of an entrant's mean loss over the reference's, on the splits that both have.
    /// `None` where there is no such split.
    pub fn log_ratio(&self, entrant: usize, dataset: usize, rule: Rule) -> Option<f64> {
        let splits = 0..self.datasets[dataset].reference.len();
        let pairs: Vec<(f64, f64)> =
            splits.filter_map(|split| self.pair(entrant, dataset, split, rule)).collect();
        let own = mean(pairs.iter().map(|(own, _)| *own))?;
        let reference = mean(pairs.iter().map(|(_, reference)| *reference))?;
        Some(log_share(own, reference))
    }

    /// The same on one split.
    pub fn log_ratio_on(&self, entrant: usize, dataset: usize, split: usize) -> Option<f64> {
        let (own, reference) = self.pair(entrant, dataset, split, Rule::Reference)?;
        (reference > 0.0).then(|| log_share(own, reference))
    }

    /// Most splits of a dataset.
    pub fn splits(&self) -> usize {
        self.datasets.iter().map(|dataset| dataset.reference.len()).max().unwrap_or(0)
    }

    /// Whether a dataset has this split.
    pub fn has_split(&self, dataset: usize, split: usize) -> bool {
        split < self.datasets[dataset].reference.len()
    }

    fn of(&self, entrant: usize, dataset: usize) -> &[Loss] {
        self.datasets[dataset].losses.get(entrant).map_or(&[], Vec::as_slice)
    }

    /// The losses of an entrant and of the reference on a split.
    fn pair(&self, entrant: usize, dataset: usize, split: usize, rule: Rule) -> Option<(f64, f64)> {
        let reference = self.datasets[dataset].reference.get(split).copied().flatten()?;
        let on_split =
            |entrant: usize| self.of(entrant, dataset).get(split).copied().unwrap_or(Loss::Absent);
        let own = match (on_split(entrant), rule) {
            (_, Rule::Common(all)) if all.iter().any(|&at| on_split(at).given().is_none()) => None,
            (Loss::Given(loss), _) => Some(loss),
            (Loss::Absent, _) | (Loss::Failed, Rule::Common(_)) => None,
            (Loss::Failed, Rule::Reference) => Some(reference),
            (Loss::Failed, Rule::Worst(pool)) => {
                pool.iter().filter_map(|&at| on_split(at).given()).reduce(f64::max)
            }
        };
        Some((own?, reference))
    }
}

/// Whether these scores of a dataset are undefined wherever there are predictions.
fn is_undefined(scores: &[Score]) -> bool {
    scores.contains(&Score::Undefined)
        && scores.iter().all(|score| !matches!(score, Score::Given(_)))
}

/// ln(own/reference). A share below rounding is that of rounding, so that no loss of zero decides
/// a mean over datasets alone.
fn log_share(own: f64, reference: f64) -> f64 {
    (own / reference).max(TIED).ln()
}

/// The mean of some numbers; `None` for none.
pub(super) fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0_usize);
    for value in values {
        sum += value;
        count += 1;
    }
    (count > 0).then(|| sum / count as f64)
}
