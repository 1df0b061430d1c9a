//! Choose the methods of a comparison: as they are named, by a plan, or by a budget.

use std::path::Path;

use super::Try;
use super::apart::Apart;
use super::planned::Planned;
use crate::cli::CliError;
use crate::cli::describe::given;
use uqbench_run::candidates::{Candidate, candidates};
use uqbench_run::runner::try_table::{Plan, Problem, is_affordable_inside, plan};

/// Processor time for which methods are chosen where none is named, in seconds.
const BUDGET: f64 = 45.0;

impl Try {
    /// The name of the method that predicts, where it is not an external one.
    fn predicts(&self) -> Result<Option<String>, CliError> {
        let mut external = Vec::new();
        for command in &self.with {
            external.push(given(command)?.0.name);
        }
        Ok(self.predict_with.clone().filter(|name| !external.contains(name)))
    }

    /// The methods that are named, by their names or by a plan, and among them the one that
    /// predicts; `None` where the budget chooses.
    pub(super) fn named(
        &self,
        planned: Option<&Planned>,
    ) -> Result<Option<Vec<Candidate>>, CliError> {
        let names = planned.map_or(&self.methods, |planned| &planned.methods);
        let with: Vec<String> = names.iter().cloned().chain(self.predicts()?).collect();
        let named = candidates(&with)?;
        Ok((!names.is_empty()).then_some(named))
    }

    /// The processor time for which methods are chosen; `None` where all that are named are tried.
    pub(super) fn budget(&self, planned: Option<&Planned>) -> Option<f64> {
        match planned {
            Some(planned) => planned.budget,
            None if self.methods.is_empty() => Some(self.budget.unwrap_or(BUDGET)),
            None => self.budget,
        }
    }

    /// The methods to run, calibrated apart where that is asked for, and into how many folds and
    /// how often rows are divided: by a plan, as named, or as far as the budget allows.
    pub(super) fn plan(
        &self,
        problem: &Problem,
        (planned, named): (Option<(&Planned, &Path)>, Option<Vec<Candidate>>),
        budget: Option<f64>,
        apart: Option<&Apart>,
    ) -> Result<Plan, CliError> {
        let apart = |all| match apart {
            Some(apart) => apart.applied(all),
            None => Ok(all),
        };
        match (planned, named, budget) {
            (Some((planned, path)), Some(named), _) => {
                let candidates = planned.described(path, apart(named)?)?;
                let (left_out, folding) = (planned.left_out(&candidates), planned.folding());
                Ok(Plan { left_out, candidates, folding, inside: planned.inside })
            }
            (None, Some(named), None) => {
                let candidates = apart(named)?;
                let inside =
                    self.with.is_empty() && is_affordable_inside(problem, &candidates, BUDGET);
                Ok(Plan { candidates, folding: problem.folding, left_out: Vec::new(), inside })
            }
            (_, _, budget) => {
                let plan =
                    self.with_predicting(plan(problem, &self.methods, budget.unwrap_or(BUDGET))?)?;
                Ok(Plan {
                    candidates: apart(plan.candidates)?,
                    inside: plan.inside && self.with.is_empty(),
                    ..plan
                })
            }
        }
    }

    /// The plan with the method that predicts, whatever it costs.
    fn with_predicting(&self, mut plan: Plan) -> Result<Plan, CliError> {
        let is_planned =
            |name: &String| plan.candidates.iter().any(|candidate| candidate.id == *name);
        let Some(name) = self.predicts()?.filter(|name| !is_planned(name)) else { return Ok(plan) };
        plan.left_out.retain(|left_out| left_out.method != name);
        let names = plan.candidates.iter().map(|candidate| candidate.id.to_string()).chain([name]);
        let mut all = candidates(&names.collect::<Vec<_>>())?;
        for candidate in &mut all {
            if let Some(planned) = plan.candidates.iter().find(|planned| planned.id == candidate.id)
            {
                candidate.settings = planned.settings.clone();
            }
        }
        Ok(Plan { candidates: all, ..plan })
    }
}
