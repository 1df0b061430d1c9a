//! List which fits a comparison makes: none twice.
//!
//! A stack is weighed and calibrated by fits of its members without each part of its training rows.
//! In a comparison these parts are the other folds, so that a member's fit without the folds i and j
//! tells fold i what it predicts in fold j, and fold j what it predicts in fold i, and every stack
//! that has this member. Of five folds a member has five fits without one of them and ten without
//! two, and, where methods are compared on the training rows of each fold alone, too, ten without
//! three; a stack that is fitted by itself has six in each fold.

use super::folding::Folding;
use super::held_out::HeldOut;
use super::{Division, Problem, training_rows};
use crate::candidates::{Candidate, Cost};
use uq_core::scaling::Scaling;
use uq_methods::Method;
use uq_methods::stack::Stack;

/// Bytes that the predictions of members may take. Stacks whose members take more are fitted by
/// themselves, so that only those of one fold are in memory.
const MOST_BYTES: usize = 1 << 30;

/// What is fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Learner {
    /// A candidate, by its place.
    Candidate(usize),
    /// A member of stacks, by its place.
    Member(usize),
}

/// A member of one stack or several.
pub(super) struct Member<'a> {
    pub method: &'a dyn Method,
    /// Its name and all its parameters.
    pub name: String,
    pub scaling: Scaling,
    /// Whether missing features are filled in although it takes them, because its stack has members
    /// that do not.
    pub is_filled: bool,
    cost: Option<Cost>,
}

/// The candidates of a comparison, and the members of those whose fits are shared.
pub(super) struct Learners<'a> {
    problem: Problem<'a>,
    pub candidates: &'a [Candidate],
    pub members: Vec<Member<'a>>,
    /// For each candidate that is a stack of members the places of these.
    stacks: Vec<Option<(&'a Stack, Vec<usize>)>>,
}

/// A fit.
pub(super) struct PlannedFit {
    pub learner: Learner,
    /// The folds that it has not seen.
    pub held_out: HeldOut,
    /// Processor time that it is expected to take; `None` where unknown.
    pub seconds: Option<f64>,
}

impl<'a> Learners<'a> {
    /// What is fitted to compare these candidates.
    pub fn new(problem: Problem<'a>, candidates: &'a [Candidate]) -> Self {
        let shared = Self::sharing(problem, candidates);
        if shared.bytes(false) <= MOST_BYTES {
            return shared;
        }
        let stacks = candidates.iter().map(|_| None).collect();
        Self { problem, candidates, members: Vec::new(), stacks }
    }

    fn sharing(problem: Problem<'a>, candidates: &'a [Candidate]) -> Self {
        let has_missing = problem.table.features.iter().any(|value| value.is_nan());
        // The training rows of a later block are not what those of an earlier one are.
        let is_in_time = matches!(problem.division, Division::Blocks { .. });
        let (mut members, mut stacks) = (Vec::<Member>::new(), Vec::new());
        for candidate in candidates {
            let stack = candidate.method.stack().filter(|stack| stack.is_pooled_from_unseen());
            let Some(stack) = stack.filter(|_| !is_in_time) else {
                stacks.push(None);
                continue;
            };
            let fills = has_missing && !candidate.method.facts().takes_missing;
            let place = |(k, method): (usize, &'a dyn Method)| {
                let member = Member {
                    method,
                    name: format!("{} {}", method.id(), method.parameters()),
                    scaling: candidate.scaling,
                    is_filled: fills && method.facts().takes_missing,
                    cost: candidate.members.get(k).cloned(),
                };
                let known = members.iter().position(|known| known.is_same(&member));
                known.unwrap_or_else(|| {
                    members.push(member);
                    members.len() - 1
                })
            };
            let places =
                stack.members().iter().map(|member| &**member).enumerate().map(place).collect();
            stacks.push(Some((stack, places)));
        }
        Self { problem, candidates, members, stacks }
    }

    /// The stack of a candidate whose members' fits are shared, with the places of these.
    pub fn stack(&self, candidate: usize) -> Option<(&'a Stack, &[usize])> {
        self.stacks[candidate].as_ref().map(|(stack, members)| (*stack, &**members))
    }

    /// Bytes of the predictions of all members.
    fn bytes(&self, inside: bool) -> usize {
        let Folding { folds, repeats } = self.problem.folding;
        let (folds, repeats) = (folds as usize, repeats as usize);
        // How often a row is held out.
        let times = repeats * folds + if inside { (folds - 1) * (folds - 2) / 2 } else { 0 };
        let row = Stack::levels().len() * size_of::<f64>();
        self.members.len() * self.problem.table.rows() * times * row
    }

    /// Whether the predictions of members without three folds can be kept, too.
    pub fn fits_into_memory_inside(&self) -> bool {
        self.bytes(true) <= MOST_BYTES
    }

    /// The fits that the scores of all folds need.
    pub fn fits(&self) -> Vec<PlannedFit> {
        let Folding { repeats, .. } = self.problem.folding;
        (0..repeats as usize).flat_map(|division| self.of_sizes(division, 1, &[1, 2])).collect()
    }

    /// The further fits that comparisons on the training rows of each fold of the first division
    /// need.
    pub fn fits_inside(&self) -> Vec<PlannedFit> {
        self.of_sizes(0, 2, &[3])
    }

    /// The fits of a division: of candidates that are fitted as they are without each set of `alone`
    /// folds, and of members without each set of as many folds as one of `members` says.
    fn of_sizes(&self, division: usize, alone: u32, members: &[u32]) -> Vec<PlannedFit> {
        let folds = self.problem.folding.folds as usize;
        let of = |learner: Learner, size: u32| {
            HeldOut::sets(division, folds, size).map(move |held_out| PlannedFit {
                learner,
                held_out,
                seconds: self.seconds(learner, held_out),
            })
        };
        let candidates = (0..self.candidates.len()).filter(|place| self.stacks[*place].is_none());
        let candidates = candidates.flat_map(|place| of(Learner::Candidate(place), alone));
        let of_members = (0..self.members.len()).flat_map(|place| {
            members.iter().flat_map(move |size| of(Learner::Member(place), *size))
        });
        candidates.chain(of_members).collect()
    }

    fn cost(&self, learner: Learner) -> Option<&Cost> {
        match learner {
            Learner::Candidate(place) => self.candidates[place].cost.as_ref(),
            Learner::Member(place) => self.members[place].cost.as_ref(),
        }
    }

    fn seconds(&self, learner: Learner, held_out: HeldOut) -> Option<f64> {
        let Problem { table, folding, .. } = self.problem;
        let rows = match held_out.size() {
            1 => training_rows(table, folding),
            more => (table.rows() as f64 * (1.0 - more as f64 / folding.folds as f64)).round(),
        };
        self.cost(learner).map(|cost| cost(rows, table.columns() as f64))
    }
}

impl Member<'_> {
    /// Whether its fits are those of another one.
    fn is_same(&self, other: &Self) -> bool {
        self.name == other.name
            && self.scaling == other.scaling
            && self.is_filled == other.is_filled
    }
}
