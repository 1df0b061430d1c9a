//! Rank the entrants of one kind.

use super::FEWEST_SOURCES;
use super::against::{Against, against, detectable_shares};
use super::besides::{Besides, besides};
use super::ratios::{Ratios, Rule, mean};
use super::stability::{Stability, stability};
use crate::evidence::brought::{Brought, EntrantKind};
use crate::evidence::efforts::Effort;
use crate::evidence::field::{Block, Field};
use uq_core::math::random::Streams;
use uq_core::stats::clustered::{ClusterDraws, Clustered};
use uq_core::stats::paired::ALPHA;
use uq_core::stats::rank_sets::{RankSet, RankSets, Splits, ranks_of};

/// Number of samples of sources, of their signs, and of draws over splits.
const DRAWS: usize = 10_000;

/// The entrants of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// What they are.
    pub kind: EntrantKind,
    /// Those with a rank, by rank.
    pub ranked: Vec<Standing>,
    /// Entries that somebody brought, by skill. They have no rank.
    pub claimed: Vec<Standing>,
    /// Those that are left out.
    pub unranked: Vec<Unranked>,
    /// Datasets on which all ranked entrants have splits in common.
    pub common_datasets: usize,
}

/// An entrant that is left out of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unranked {
    /// Its index.
    pub entrant: usize,
    /// Its heading.
    pub heading: String,
    /// Why.
    pub why: WhyUnranked,
}

/// Why an entrant is left out of a table: headings of datasets on which it has no skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WhyUnranked {
    /// It has no trial there.
    pub no_trial: Vec<String>,
    /// What it predicts has no such loss there, as intervals alone have no CRPS.
    pub no_loss: Vec<String>,
}

/// How an entrant stands in its table.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Its index.
    pub entrant: usize,
    /// Its heading.
    pub heading: String,
    /// Its rank; `None` for an entry that somebody brought.
    pub rank: Option<Rank>,
    /// 1 less the geometric mean of its loss ratios.
    pub skill: f64,
    /// 95 % interval of the skill; `None` for datasets of fewer than [`FEWEST_SOURCES`] sources.
    pub interval: Option<(f64, f64)>,
    /// Its skill on each dataset.
    pub by_dataset: Vec<f64>,
    /// Against the leader of its table, unless it is the leader.
    pub against_leader: Option<Against>,
    /// What stands beside its skill.
    pub besides: Besides,
    /// Number of failed splits on each dataset.
    pub failed_on: Vec<usize>,
    /// Number of splits on which it failed, and of those on which it has a trial.
    pub failed: (usize, usize),
    /// Whether its losses are approximated on some dataset, and those of others are not.
    pub is_approximated: bool,
}

/// The rank of an entrant in its table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rank {
    /// The rank by skill.
    pub rank: usize,
    /// How sure it is on these datasets, whatever their splits; `None` where a dataset has fewer
    /// than two splits, or splits that are not random.
    pub these: Option<Sure>,
    /// How sure it is on other datasets of this kind.
    pub others: Sure,
    /// The rank where a failed split has the worst loss that anybody has there.
    pub with_worst: usize,
    /// The rank on the splits that all ranked entrants have in common; `None` where there are none.
    pub on_common: Option<usize>,
    /// What changes it.
    pub stability: Stability,
}

/// How sure a rank is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sure {
    /// The ranks that the entrant may have: these sets of a table together contain all true ranks
    /// at 95 %.
    pub set: RankSet,
    /// Whether the leader is shown to be better; not so for the leader.
    pub is_behind_leader: bool,
}

impl Sure {
    fn of(sets: &RankSets, at: usize, leader: usize) -> Self {
        Self { set: sets.sets[at], is_behind_leader: sets.separates(leader, at) }
    }
}

impl Rank {
    /// Whether another rule for failed splits gives another rank.
    pub fn hangs_on_failures(&self) -> bool {
        self.with_worst != self.rank || self.on_common.is_some_and(|rank| rank != self.rank)
    }
}

/// What a table is judged by.
pub(super) struct Judge<'a> {
    pub ratios: &'a Ratios,
    /// The scores on the datasets that count.
    pub counted: Field,
    /// Index of the loss.
    pub metric: usize,
    /// Index of the reference.
    pub reference: usize,
    /// Index of the reference of log scores.
    pub log_reference: Option<usize>,
    pub brought: &'a [Brought],
    pub efforts: &'a [Effort],
}

impl Judge<'_> {
    /// The table of these entrants, and for each dataset the median difference that its splits
    /// could find.
    pub fn table(&self, kind: EntrantKind, entrants: &[usize]) -> (Table, Vec<Option<f64>>) {
        let (whole, partial): (Vec<usize>, Vec<usize>) =
            entrants.iter().partition(|&&entrant| self.why_unranked(entrant).is_none());
        let is_own = |entrant: &usize| self.counted.entrants[*entrant].brought.is_none();
        let (own, brought): (Vec<usize>, Vec<usize>) = whole.into_iter().partition(is_own);
        let unranked = |entrant: usize| {
            let heading = self.counted.entrants[entrant].heading.clone();
            self.why_unranked(entrant).map(|why| Unranked { entrant, heading, why })
        };
        let unranked = partial.into_iter().filter_map(unranked).collect();
        let (ranked, common_datasets) = self.ranked(&own);
        let claimed = self.claimed(&brought, ranked.first());
        let detectable = match own.len() {
            0 | 1 => vec![None; self.ratios.len()],
            _ => detectable_shares(
                &self.counted,
                &own,
                self.metric,
                self.reference,
                &self.reference_losses(),
            ),
        };
        (Table { kind, ranked, claimed, unranked, common_datasets }, detectable)
    }

    /// Why an entrant has no skill; `None` where it has one.
    fn why_unranked(&self, entrant: usize) -> Option<WhyUnranked> {
        let headings = |is: &dyn Fn(usize) -> bool| -> Vec<String> {
            let datasets = (0..self.ratios.len()).filter(|&at| is(at));
            datasets.map(|at| self.counted.blocks[at].heading.clone()).collect()
        };
        let why = WhyUnranked {
            no_trial: headings(&|at| !self.ratios.covers(entrant, at)),
            no_loss: headings(&|at| self.ratios.is_undefined(entrant, at)),
        };
        (why != WhyUnranked::default()).then_some(why)
    }

    /// The entrants that this program ran, by rank, and the number of datasets on which they have
    /// splits in common.
    fn ranked(&self, own: &[usize]) -> (Vec<Standing>, usize) {
        let logs: Vec<Vec<f64>> =
            own.iter().map(|&entrant| self.logs(entrant, Rule::Reference)).collect();
        let draws = self.draws();
        let mut stream = Streams::new(0, "league").stream("signs", own.len() as u64);
        let sets = RankSets::over_datasets(&logs, &self.ratios.sources, DRAWS, &mut stream, ALPHA);
        let these = self.over_splits(own);
        let with_worst = self.ranks(own, Rule::Worst(&self.run()));
        let (on_common, common_datasets) = self.ranks_on_common(own);
        let stability = stability(self.ratios, own, &logs);
        let mut order: Vec<usize> = (0..own.len()).collect();
        order.sort_by(|&a, &b| sets.means[a].total_cmp(&sets.means[b]).then(a.cmp(&b)));
        let Some(&leader) = order.first() else { return (Vec::new(), common_datasets) };
        let in_order: Vec<usize> = order.iter().map(|&at| own[at]).collect();
        let mut against =
            std::iter::once(None).chain(self.against(&in_order).into_iter().map(Some));
        let standing = |at: usize| {
            let rank = Rank {
                rank: sets.ranks[at],
                these: these.as_ref().map(|sets| Sure::of(sets, at, leader)),
                others: Sure::of(&sets, at, leader),
                with_worst: with_worst[at],
                on_common: on_common.as_ref().map(|ranks| ranks[at]),
                stability: stability[at],
            };
            self.standing(own[at], &logs[at], Some(rank), against.next().flatten(), &draws)
        };
        (order.iter().copied().map(standing).collect(), common_datasets)
    }

    /// How sure the ranks of these entrants are on these datasets.
    fn over_splits(&self, own: &[usize]) -> Option<RankSets> {
        let of_dataset = |(at, block): (usize, &Block)| {
            let test_to_train = block.test_to_train;
            block
                .random_splits
                .then(|| Splits { losses: self.ratios.losses(own, at), test_to_train })
        };
        let datasets: Vec<Splits> =
            self.counted.blocks.iter().enumerate().map(of_dataset).collect::<Option<_>>()?;
        let mut stream = Streams::new(0, "league").stream("splits", own.len() as u64);
        RankSets::over_splits(&datasets, DRAWS, &mut stream, ALPHA)
    }

    /// Entries that somebody brought, by skill, against the leader.
    fn claimed(&self, brought: &[usize], leader: Option<&Standing>) -> Vec<Standing> {
        let against = leader.map(|leader| {
            let with_leader: Vec<usize> =
                std::iter::once(leader.entrant).chain(brought.iter().copied()).collect();
            self.against(&with_leader)
        });
        let draws = self.draws();
        let standing = |(at, &entrant): (usize, &usize)| {
            let logs = self.logs(entrant, Rule::Reference);
            let against = against.as_ref().and_then(|all| all.get(at).cloned());
            self.standing(entrant, &logs, None, against, &draws)
        };
        let mut found: Vec<Standing> = brought.iter().enumerate().map(standing).collect();
        found.sort_by(|a, b| b.skill.total_cmp(&a.skill));
        found
    }

    fn standing(
        &self,
        entrant: usize,
        logs: &[f64],
        rank: Option<Rank>,
        against_leader: Option<Against>,
        draws: &ClusterDraws,
    ) -> Standing {
        let clusters = Clustered::new(&self.ratios.sources);
        let sums = clusters.sums(logs, &self.ratios.sources);
        let has_interval = clusters.clusters() >= FEWEST_SOURCES;
        let interval = has_interval.then(|| clusters.interval(&sums, draws, ALPHA)).flatten();
        let skill = |log: f64| 1.0 - log.exp();
        let field = &self.counted;
        let of_brought = self.brought.iter().find(|one| one.key == field.entrants[entrant].id);
        let references = (self.reference, self.log_reference);
        let besides = besides(field, entrant, references, self.efforts);
        let is_approximated = field.blocks.iter().any(|block| {
            let others = 0..field.entrants.len();
            block.is_approximated(self.metric, entrant)
                && others.clone().any(|other| !block.is_alike(self.metric, entrant, other))
        });
        Standing {
            entrant,
            heading: field.entrants[entrant].heading.clone(),
            rank,
            skill: skill(clusters.mean(&sums)),
            interval: interval.map(|(low, high)| (skill(high), skill(low))),
            by_dataset: logs.iter().map(|&log| skill(log)).collect(),
            against_leader,
            besides: Besides {
                stated_seconds: of_brought.and_then(|one| one.stated_seconds),
                ..besides
            },
            failed_on: (0..self.ratios.len())
                .map(|dataset| self.ratios.failed_on(entrant, dataset))
                .collect(),
            failed: self.ratios.failed(entrant),
            is_approximated,
        }
    }

    /// The first of these entrants against each of the others.
    fn against(&self, entrants: &[usize]) -> Vec<Against> {
        against(&self.counted, entrants, self.metric, self.reference, &self.reference_losses())
    }

    fn reference_losses(&self) -> Vec<f64> {
        (0..self.ratios.len()).map(|dataset| self.ratios.reference_loss(dataset)).collect()
    }

    /// The entrants that this program runs.
    fn run(&self) -> Vec<usize> {
        let entrants = &self.counted.entrants;
        (0..entrants.len()).filter(|&at| entrants[at].brought.is_none()).collect()
    }

    /// The log ratios of an entrant on every dataset; one without a split in common with the
    /// reference is 0, as if it had failed.
    fn logs(&self, entrant: usize, rule: Rule) -> Vec<f64> {
        let of_dataset = |dataset| self.ratios.log_ratio(entrant, dataset, rule).unwrap_or(0.0);
        (0..self.ratios.len()).map(of_dataset).collect()
    }

    fn ranks(&self, own: &[usize], rule: Rule) -> Vec<usize> {
        let mean_of = |&entrant: &usize| mean(self.logs(entrant, rule)).unwrap_or(f64::NAN);
        ranks_of(&own.iter().map(mean_of).collect::<Vec<_>>())
    }

    /// The ranks on the splits that all of these entrants have, over the datasets with any; `None`
    /// for no dataset.
    fn ranks_on_common(&self, own: &[usize]) -> (Option<Vec<usize>>, usize) {
        let rule = Rule::Common(own);
        let of_dataset = |dataset: usize| -> Option<Vec<f64>> {
            own.iter().map(|&entrant| self.ratios.log_ratio(entrant, dataset, rule)).collect()
        };
        let datasets: Vec<Vec<f64>> = (0..self.ratios.len()).filter_map(of_dataset).collect();
        let mean_of = |at: usize| mean(datasets.iter().map(|all| all[at])).unwrap_or(f64::NAN);
        let means: Vec<f64> = (0..own.len()).map(mean_of).collect();
        ((!datasets.is_empty()).then(|| ranks_of(&means)), datasets.len())
    }

    /// Samples of sources, the same for every table and every run.
    fn draws(&self) -> ClusterDraws {
        let sources = self.ratios.sources.iter().max().map_or(0, |largest| largest + 1);
        let mut stream = Streams::new(0, "league").stream("sources", sources as u64);
        ClusterDraws::new(sources, DRAWS, &mut stream)
    }
}
