//! Say how much skill entrants lose from a random division of the datasets to that of a board: by
//! whole groups, or in time.

use super::{Board, Counted, Standing, position};
use uq_core::math::median::median;
use uq_core::stats::median::median_interval;
use uq_core::stats::paired::ALPHA;

/// The predictors that ignore the features: they have no skill to lose.
const IGNORE_FEATURES: [&str; 2] = ["unconditional-quantiles", "unconditional-gaussian"];

/// What a random division hides.
#[derive(Clone, Debug, PartialEq)]
pub struct Division {
    /// Every ranked entrant with skill on both boards but the predictors that ignore the features,
    /// in the order of the board.
    pub entrants: Vec<EntrantLoss>,
    /// The same over entrants: of each dataset the median loss of all entrants but the controls.
    pub all: SkillLoss,
    /// Each dataset that counts on both boards.
    pub datasets: Vec<DatasetLoss>,
}

/// What an entrant loses.
#[derive(Clone, Debug, PartialEq)]
pub struct EntrantLoss {
    /// Its index.
    pub entrant: usize,
    /// Its heading.
    pub heading: String,
    /// Whether the board calls it a control.
    pub is_control: bool,
    /// Its skill on both boards.
    pub skills: Skills,
    /// The same on each dataset that counts on both.
    pub by_dataset: Vec<Skills>,
    /// Its loss over these.
    pub loss: SkillLoss,
}

/// Skill under two divisions of the same rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skills {
    /// Where the rows are divided at random.
    pub random: f64,
    /// Where they are divided by groups or in time.
    pub honest: f64,
}

impl Skills {
    /// What is lost from the one to the other.
    pub fn loss(&self) -> f64 {
        self.random - self.honest
    }
}

/// A loss of skill over datasets: skill where they are divided at random less skill on the board.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillLoss {
    /// The median over sources of datasets; datasets of one source have their mean.
    pub median: f64,
    /// Its 95 % interval; `None` for fewer than six sources.
    pub interval: Option<(f64, f64)>,
    /// Number of datasets with less skill than at random.
    pub lost: usize,
    /// Number of datasets.
    pub datasets: usize,
}

/// What is lost on a dataset.
#[derive(Clone, Debug, PartialEq)]
pub struct DatasetLoss {
    /// Its heading.
    pub heading: String,
    /// The median skills, over all entrants but the controls.
    pub skills: Skills,
    /// The median loss over them.
    pub loss: f64,
}

/// What a random division hides: `honest` beside `random`, which has its datasets and methods.
/// `None` where no entrant but the controls has skill on both.
pub fn lost_skill(honest: &Board, random: &Board) -> Option<Division> {
    let places: Vec<(usize, usize)> = honest
        .datasets
        .iter()
        .enumerate()
        .filter_map(|(at, dataset)| {
            let same = |other: &Counted| other.block.key == dataset.block.key;
            Some((at, random.datasets.iter().position(same)?))
        })
        .collect();
    let sources: Vec<&str> = places.iter().map(|(at, _)| honest.datasets[*at].source).collect();
    let find = |name: &str| position(honest.field, honest.benchmark, name);
    let controls: Vec<usize> =
        honest.league.controls.iter().filter_map(|name| find(name)).collect();
    let ignoring = IGNORE_FEATURES.map(find);
    let ignores_features = |at: usize| at == honest.reference || ignoring.contains(&Some(at));
    let mut entrants = Vec::new();
    for standing in honest.tables.iter().flat_map(|table| &table.ranked) {
        let Some(other) = find_standing(random, &standing.heading) else { continue };
        if ignores_features(standing.entrant) {
            continue;
        }
        let of_place = |(at, at_random): &(usize, usize)| Skills {
            random: other.by_dataset[*at_random],
            honest: standing.by_dataset[*at],
        };
        let by_dataset: Vec<Skills> = places.iter().map(of_place).collect();
        let losses: Vec<f64> = by_dataset.iter().map(Skills::loss).collect();
        let Some(loss) = SkillLoss::summarise(&losses, &sources) else { continue };
        entrants.push(EntrantLoss {
            entrant: standing.entrant,
            heading: standing.heading.clone(),
            is_control: controls.contains(&standing.entrant),
            skills: Skills { random: other.skill, honest: standing.skill },
            by_dataset,
            loss,
        });
    }
    let middle = |at: usize, of: fn(&Skills) -> f64| {
        let compared = entrants.iter().filter(|entrant| !entrant.is_control);
        median(compared.map(|entrant| of(&entrant.by_dataset[at])).collect())
    };
    let of_dataset = |(at, (of_honest, _)): (usize, &(usize, usize))| {
        let skills = Skills {
            random: middle(at, |skills| skills.random)?,
            honest: middle(at, |skills| skills.honest)?,
        };
        let heading = honest.datasets[*of_honest].block.heading.clone();
        Some(DatasetLoss { heading, skills, loss: middle(at, Skills::loss)? })
    };
    let datasets: Vec<DatasetLoss> = places.iter().enumerate().filter_map(of_dataset).collect();
    let losses: Vec<f64> = datasets.iter().map(|dataset| dataset.loss).collect();
    Some(Division { entrants, all: SkillLoss::summarise(&losses, &sources)?, datasets })
}

impl SkillLoss {
    /// Summarises the loss on each dataset; `None` without one.
    fn summarise(losses: &[f64], sources: &[&str]) -> Option<Self> {
        let mut by_source: Vec<(&str, Vec<f64>)> = Vec::new();
        for (source, loss) in sources.iter().zip(losses) {
            match by_source.iter_mut().find(|(known, _)| known == source) {
                Some((_, all)) => all.push(*loss),
                None => by_source.push((source, vec![*loss])),
            }
        }
        let mean = |(_, all): &(&str, Vec<f64>)| all.iter().sum::<f64>() / all.len() as f64;
        let means: Vec<f64> = by_source.iter().map(mean).collect();
        Some(Self {
            interval: median_interval(&means, ALPHA),
            median: median(means)?,
            lost: losses.iter().filter(|loss| **loss > 0.0).count(),
            datasets: losses.len(),
        })
    }
}

/// Finds the entrant of this heading among those with a rank.
fn find_standing<'b>(board: &'b Board, heading: &str) -> Option<&'b Standing> {
    let all = board.tables.iter().flat_map(|table| &table.ranked);
    all.into_iter().find(|standing| standing.heading == heading)
}
