//! Ask a method questions whose answers have known properties.

use ndarray::Axis;
use serde_json::{Value, json};

use super::finding::Finding;
use super::problem::Problem;
use crate::methods::external::host::Host;
use crate::methods::external::method::{Asked, ExternalParameters, ask};
use crate::methods::{Context, FitError, Request};
use crate::predictive::Predictive;

/// Number of training rows.
const TRAIN: usize = 60;
/// Number of test rows.
const TEST: usize = 12;
/// Seed of the questions.
const SEED: u32 = 20_110_823;
/// Relative difference of two numbers that count as the same although sums may be rounded otherwise.
const ROUNDING: f64 = 1e-9;

type Answered = Result<Predictive, FitError>;

/// The questions to one method.
pub struct Questions<'a> {
    parameters: &'a ExternalParameters,
    host: &'a Host,
    context: &'a dyn Fn() -> Context,
}

impl<'a> Questions<'a> {
    /// Questions to the method with these parameters; `context` begins the time of one question.
    pub fn new(parameters: &'a ExternalParameters, host: &'a Host, context: &'a dyn Fn() -> Context) -> Self {
        Self { parameters, host, context }
    }

    /// Asks all questions, and adds what was found.
    pub fn ask_all(&self, findings: &mut Vec<Finding>) {
        let problem = Problem::new(TRAIN, TEST);
        let what = "a prediction of each row, finite, quantiles in order";
        let first = match self.once(&problem, SEED) {
            Ok(first) => first,
            Err(error) => return findings.push(Finding::failed(what, error.to_string())),
        };
        findings.push(Finding::passed(what, format!("{}, {TEST} rows", first.form.kind())));
        let repeats = self.repeats(&problem, &first, findings);
        if self.parameters.description.server {
            findings.push(self.serves(&problem, &first, repeats));
        }
        if repeats {
            findings.push(self.rows_are_independent(&problem, &first));
        }
        findings.push(plain("one test row", &self.once(&Problem::new(TRAIN, 1), SEED)));
        for (what, problem) in [
            ("one training row", Problem::new(1, TEST)),
            ("a constant column", problem.clone().with_constant_column()),
            ("a constant target", problem.clone().with_constant_target()),
        ] {
            findings.push(answered_or_refused(what, &self.once(&problem, SEED)));
        }
        findings.push(self.ignores_what_it_does_not_know(&problem, &first, repeats));
        findings.push(self.refuses_another_contract(&problem));
    }

    /// Whether the same seed gives the same numbers; what is found is compared with the description.
    fn repeats(&self, problem: &Problem, first: &Predictive, findings: &mut Vec<Finding>) -> bool {
        let is_first = |seed| self.once(problem, seed).map(|again| again == *first);
        let (same, what) = (is_first(SEED), "the same seed gives the same numbers");
        match &same {
            Ok(true) => findings.push(Finding::passed(what, "")),
            Ok(false) => findings.push(Finding::noted(what, "no: its trials cannot be repeated on one thread")),
            Err(error) => findings.push(Finding::failed(what, error.to_string())),
        }
        let what = "it says whether it is deterministic";
        findings.push(match (is_first(SEED + 1), self.parameters.description.deterministic) {
            (Err(error), _) => Finding::failed(what, error.to_string()),
            (Ok(true), true) => Finding::passed(what, "yes, and another seed gives the same numbers"),
            (Ok(false), true) => Finding::failed(what, "yes, but another seed gives other numbers"),
            (Ok(false), false) => Finding::passed(what, "no, and another seed gives other numbers"),
            (Ok(true), false) => Finding::noted(
                what,
                "no, but another seed gives the same numbers: trials with other seeds are run in vain",
            ),
        });
        matches!(same, Ok(true))
    }

    /// Whether a process that serves gives the numbers of a process of its own, also after other requests.
    fn serves(&self, problem: &Problem, first: &Predictive, repeats: bool) -> Finding {
        let what = "a server gives the numbers of a single run, also after other requests";
        let other = Problem::new(TRAIN / 2, 3);
        let served = |problem: &Problem| self.question(self.parameters, problem, &forward(problem), SEED, 1, &[]);
        let all = [served(problem), served(&other), served(problem)];
        match all.into_iter().collect::<Result<Vec<_>, _>>() {
            Err(error) => Finding::failed(what, error.to_string()),
            Ok(_) if !repeats => Finding::noted(what, "not compared, because a single run does not repeat its numbers"),
            Ok(all) if all[0] != *first => Finding::failed(what, "its first answer has other numbers"),
            Ok(all) if all[2] != *first => Finding::failed(what, "its answer after another request has other numbers"),
            Ok(_) => Finding::passed(what, ""),
        }
    }

    /// Whether a row's prediction is the same among fewer test rows and in another order.
    fn rows_are_independent(&self, problem: &Problem, first: &Predictive) -> Finding {
        let what = "a row's prediction does not depend on the other test rows";
        let backward: Vec<usize> = (0..TEST / 2).rev().collect();
        let half = Problem { test: problem.test.select(Axis(0), &forward(problem)[..TEST / 2]), ..problem.clone() };
        match self.question(&self.alone(), &half, &backward, SEED, 1, &[]) {
            Err(error) => Finding::failed(what, error.to_string()),
            Ok(found) if (0..TEST / 2).all(|row| is_close(&found, first, row)) => Finding::passed(what, ""),
            Ok(_) => Finding::noted(what, "it does: scores then depend on which rows are tested together"),
        }
    }

    fn ignores_what_it_does_not_know(&self, problem: &Problem, first: &Predictive, repeats: bool) -> Finding {
        let what = "an unknown field of a request is ignored";
        let further = [("a_field_of_a_later_version", json!({ "x": [1, 2] }))];
        match self.question(&self.alone(), problem, &forward(problem), SEED, 1, &further) {
            Err(error) => Finding::failed(what, error.to_string()),
            Ok(found) if repeats && found != *first => Finding::failed(what, "it changes the numbers"),
            Ok(_) => Finding::passed(what, ""),
        }
    }

    fn refuses_another_contract(&self, problem: &Problem) -> Finding {
        let what = "a request of another contract is refused";
        match self.question(&self.alone(), problem, &forward(problem), SEED, 999, &[]) {
            Ok(_) => Finding::failed(what, "it answered a request with \"contract\": 999"),
            Err(FitError::TimedOut) => Finding::failed(what, FitError::TimedOut.to_string()),
            Err(_) => Finding::passed(what, ""),
        }
    }

    /// The method as it runs without serving.
    fn alone(&self) -> ExternalParameters {
        let mut alone = self.parameters.clone();
        alone.description.server = false;
        alone
    }

    fn once(&self, problem: &Problem, seed: u32) -> Answered {
        self.question(&self.alone(), problem, &forward(problem), seed, 1, &[])
    }

    fn question(
        &self,
        parameters: &ExternalParameters,
        problem: &Problem,
        order: &[usize],
        seed: u32,
        contract: u32,
        further: &[(&str, Value)],
    ) -> Answered {
        let request = Request::default();
        let asked = Asked { contract, further, ..Asked::new(order, seed, &request) };
        let ((found, _), _) =
            ask(parameters, self.host, &problem.train, problem.test.view(), &asked, &(self.context)())?;
        found.validate().map_err(|error| FitError::Diverged(error.to_string()))?;
        Ok(found)
    }
}

fn forward(problem: &Problem) -> Vec<usize> {
    (0..problem.test.nrows()).collect()
}

/// What is found where an answer is expected.
fn plain(what: &'static str, answered: &Answered) -> Finding {
    match answered {
        Ok(_) => Finding::passed(what, ""),
        Err(error) => Finding::failed(what, error.to_string()),
    }
}

/// What is found where an answer or a stated error is expected.
fn answered_or_refused(what: &'static str, answered: &Answered) -> Finding {
    match answered {
        Err(error @ (FitError::Unsupported(_) | FitError::Diverged(_))) => Finding::passed(what, error.to_string()),
        answered => plain(what, answered),
    }
}

/// Whether both distributions at a row agree up to rounding.
fn is_close(a: &Predictive, b: &Predictive, row: usize) -> bool {
    let numbers = |predictive: &Predictive| {
        let d = predictive.distribution();
        [
            d.mean(row),
            d.variance(row),
            d.quantile(row, 0.1),
            d.quantile(row, 0.5),
            d.quantile(row, 0.9),
            d.crps(row, 0.0),
        ]
    };
    numbers(a).into_iter().zip(numbers(b)).all(|pair| match pair {
        (Some(a), Some(b)) => (a - b).abs() <= ROUNDING * (1.0 + a.abs()),
        (a, b) => a.is_none() && b.is_none(),
    })
}
