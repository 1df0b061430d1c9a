//! Ask how a ranking changes without one of its datasets, and from split to split.

use super::ratios::Ratios;
use uq_core::stats::rank_sets::ranks_of;

/// How stable an entrant's rank is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stability {
    /// Its best and its worst rank where one dataset is left out.
    pub without_one: (usize, usize),
    /// The share of single splits, each over all datasets that have it, in which it leads its
    /// table; entrants that lead together share a split. `None` where no split is complete.
    pub leads: Option<f64>,
}

/// The stability of the ranks of these entrants, whose log ratios are by entrant and dataset.
pub(super) fn stability(ratios: &Ratios, entrants: &[usize], logs: &[Vec<f64>]) -> Vec<Stability> {
    let datasets = ratios.len();
    let mut found = vec![Stability::default(); entrants.len()];
    // The only dataset cannot be left out.
    for left_out in if datasets > 1 { 0..datasets } else { 0..0 } {
        let means: Vec<f64> = logs
            .iter()
            .map(|of| of.iter().sum::<f64>() - of[left_out])
            .map(|sum| sum / (datasets - 1) as f64)
            .collect();
        for (one, rank) in found.iter_mut().zip(ranks_of(&means)) {
            let (best, worst) = one.without_one;
            one.without_one = (if best == 0 { rank } else { best.min(rank) }, worst.max(rank));
        }
    }
    let complete: Vec<Vec<f64>> =
        (0..ratios.splits()).filter_map(|split| means_on(ratios, entrants, split)).collect();
    for means in &complete {
        let ranks = ranks_of(means);
        let leaders = ranks.iter().filter(|rank| **rank == 1).count();
        for (one, _) in found.iter_mut().zip(ranks).filter(|(_, rank)| *rank == 1) {
            let share = 1.0 / (leaders * complete.len()) as f64;
            one.leads = Some(one.leads.unwrap_or(0.0) + share);
        }
    }
    if !complete.is_empty() {
        found.iter_mut().for_each(|one| one.leads = one.leads.or(Some(0.0)));
    }
    found
}

/// The mean log ratio of each entrant on one split, over the datasets that have it; `None` where
/// one of them lacks a trial.
fn means_on(ratios: &Ratios, entrants: &[usize], split: usize) -> Option<Vec<f64>> {
    let datasets: Vec<usize> =
        (0..ratios.len()).filter(|&dataset| ratios.has_split(dataset, split)).collect();
    let mean = |&entrant: &usize| {
        let all: Vec<f64> = datasets
            .iter()
            .map(|&dataset| ratios.log_ratio_on(entrant, dataset, split))
            .collect::<Option<_>>()?;
        Some(all.iter().sum::<f64>() / all.len() as f64)
    };
    entrants.iter().map(mean).collect()
}
