//! Ask a method questions whose answers have known properties.

use std::cell::Cell;
use std::time::{Duration, Instant};

use ndarray::Axis;
use serde_json::{Value, json};

use super::facts::{
    FACTOR, OFFSET, finding_of_offset, finding_of_order, finding_of_parts, finding_of_unit,
};
use super::finding::Finding;
use super::problem::Problem;
use super::spent::Spent;
use crate::external::host::Host;
use crate::external::method::{Asked, ExternalParameters, ask};
use uq_core::CancelToken;
use uq_core::math::random::Streams;
use uq_core::predictive::Predictive;
use uq_methods::{Context, FitError, Request};

/// Number of training rows.
const TRAIN: usize = 60;
/// Number of test rows.
const TEST: usize = 12;
/// Seed of the questions.
const SEED: u32 = 20_110_823;
/// Relative difference of two numbers that count as the same although sums may be rounded
/// otherwise.
const ROUNDING: f64 = 1e-9;
/// Longest time from a limit to the end of all processes.
const ENDED: Duration = Duration::from_secs(10);

type Answered = Result<Predictive, FitError>;

/// The questions to one method.
pub struct Questions<'a> {
    parameters: &'a ExternalParameters,
    host: &'a Host,
    context: &'a dyn Fn() -> Context,
    /// Time of all answers so far; `None` where the operating system does not tell.
    spent: Cell<Option<Spent>>,
}

impl<'a> Questions<'a> {
    /// Questions to the method with these parameters; `context` begins the time of one question.
    pub fn new(
        parameters: &'a ExternalParameters,
        host: &'a Host,
        context: &'a dyn Fn() -> Context,
    ) -> Self {
        Self { parameters, host, context, spent: Cell::new(Some(Spent::default())) }
    }

    /// Asks all questions, and adds what was found.
    pub fn ask_all(&self, findings: &mut Vec<Finding>) {
        let problem = Problem::new(TRAIN, TEST);
        let what = "a prediction of each row, finite, quantiles in order";
        let start = Instant::now();
        let first = match self.once(&problem, SEED) {
            Ok(first) => first,
            Err(error) => return findings.push(Finding::failed(what, error.to_string())),
        };
        let time = start.elapsed();
        findings.push(Finding::passed(what, format!("{}, {TEST} rows", first.form.kind())));
        let repeats = self.repeats(&problem, &first, findings);
        if self.parameters.description.server {
            findings.push(self.serves(&problem, &first, repeats));
        }
        if repeats {
            findings.push(self.rows_are_independent(&problem, &first));
            findings.push(self.follows_the_unit(&problem, &first));
            findings.push(self.follows_the_zero(&problem, &first));
            findings.push(self.keeps_the_order(&problem, &first));
        }
        findings.extend(finding_of_parts(&first));
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
        findings.push(Spent::finding(self.spent.get()));
        findings.push(self.obeys_limits(&problem, time / 2));
    }

    /// Whether the same seed gives the same numbers; what is found is compared with the
    /// description.
    fn repeats(&self, problem: &Problem, first: &Predictive, findings: &mut Vec<Finding>) -> bool {
        let is_first = |seed| self.once(problem, seed).map(|again| again == *first);
        let (same, what) = (is_first(SEED), "the same seed gives the same numbers");
        match &same {
            Ok(true) => findings.push(Finding::passed(what, "")),
            Ok(false) => findings
                .push(Finding::noted(what, "no: its trials cannot be repeated on one thread")),
            Err(error) => findings.push(Finding::failed(what, error.to_string())),
        }
        let what = "it says whether it is deterministic";
        findings.push(match (is_first(SEED + 1), self.parameters.description.deterministic) {
            (Err(error), _) => Finding::failed(what, error.to_string()),
            (Ok(true), true) => Finding::passed(
                what,
                "yes, and another seed gives the same \
                                                       numbers",
            ),
            (Ok(false), true) => Finding::failed(what, "yes, but another seed gives other numbers"),
            (Ok(false), false) => Finding::passed(what, "no, and another seed gives other numbers"),
            (Ok(true), false) => Finding::noted(
                what,
                "no, but another seed gives the same numbers: with `deterministic` in its \
                 description no trial with another seed is run",
            ),
        });
        matches!(same, Ok(true))
    }

    /// Whether a process that serves gives the numbers of a process of its own, also after other
    /// requests.
    fn serves(&self, problem: &Problem, first: &Predictive, repeats: bool) -> Finding {
        let what = "a server gives the numbers of a single run, also after other requests";
        let other = Problem::new(TRAIN / 2, 3);
        let served = |problem: &Problem| {
            self.question(self.parameters, problem, &forward(problem), SEED, 1, &[])
        };
        let all = [served(problem), served(&other), served(problem)];
        match all.into_iter().collect::<Result<Vec<_>, _>>() {
            Err(error) => Finding::failed(what, error.to_string()),
            Ok(_) if !repeats => Finding::noted(
                what,
                "not compared, because a single run does not repeat its numbers",
            ),
            Ok(all) if all[0] != *first => {
                Finding::failed(what, "its first answer has other numbers")
            }
            Ok(all) if all[2] != *first => {
                Finding::failed(what, "its answer after another request has other numbers")
            }
            Ok(_) => Finding::passed(what, ""),
        }
    }

    /// Whether a row's prediction is the same among fewer test rows and in another order.
    fn rows_are_independent(&self, problem: &Problem, first: &Predictive) -> Finding {
        let what = "a row's prediction does not depend on the other test rows";
        let backward: Vec<usize> = (0..TEST / 2).rev().collect();
        let half = Problem {
            test: problem.test.select(Axis(0), &forward(problem)[..TEST / 2]),
            ..problem.clone()
        };
        match self.question(&self.alone(), &half, &backward, SEED, 1, &[]) {
            Err(error) => Finding::failed(what, error.to_string()),
            Ok(found) if (0..TEST / 2).all(|row| is_close(&found, first, row)) => {
                Finding::passed(what, "")
            }
            Ok(_) => Finding::noted(
                what,
                "it does: scores then depend on which rows are tested together",
            ),
        }
    }

    /// Whether intervals follow the unit of the target.
    fn follows_the_unit(&self, problem: &Problem, first: &Predictive) -> Finding {
        match self.once(&problem.clone().with_target_times(FACTOR), SEED) {
            Err(error) => Finding::noted("a target in another unit", error.to_string()),
            Ok(scaled) => finding_of_unit(first, &scaled),
        }
    }

    /// Whether predictions follow the unit and the zero of the target.
    fn follows_the_zero(&self, problem: &Problem, first: &Predictive) -> Finding {
        match self.once(&problem.clone().with_target_times(FACTOR).with_target_plus(OFFSET), SEED) {
            Err(error) => {
                Finding::noted("a target in another unit, from another zero", error.to_string())
            }
            Ok(moved) => finding_of_offset(first, &moved, problem.train.target.std(0.0)),
        }
    }

    /// Whether the order of the training rows changes the numbers.
    fn keeps_the_order(&self, problem: &Problem, first: &Predictive) -> Finding {
        match self.once(&problem.clone().with_rows_backward(), SEED) {
            Err(error) => Finding::noted("training rows in another order", error.to_string()),
            Ok(backward) => finding_of_order(first, &backward),
        }
    }

    fn ignores_what_it_does_not_know(
        &self,
        problem: &Problem,
        first: &Predictive,
        repeats: bool,
    ) -> Finding {
        let what = "an unknown field of a request is ignored";
        let further = [("a_field_of_a_later_version", json!({ "x": [1, 2] }))];
        match self.question(&self.alone(), problem, &forward(problem), SEED, 1, &further) {
            Err(error) => Finding::failed(what, error.to_string()),
            Ok(found) if repeats && found != *first => {
                Finding::failed(what, "it changes the numbers")
            }
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

    /// Whether it ends where its time is over: `limit` is shorter than its first answer took.
    fn obeys_limits(&self, problem: &Problem, limit: Duration) -> Finding {
        let what = "its limits are obeyed";
        let (order, request, end) = (forward(problem), Request::default(), Instant::now() + limit);
        let context =
            Context::new(Streams::new(0, "check")).stopping(CancelToken::default(), Some(end));
        let asked = Asked::new(&order, SEED, &request);
        let found =
            ask(&self.alone(), self.host, &problem.train, problem.test.view(), &asked, &context);
        let limit = limit.as_secs_f64();
        match (found, end.elapsed()) {
            (Err(FitError::TimedOut), late) if late > ENDED => Finding::failed(
                what,
                format!("it ran for {:.0} s after its {limit:.2} s", late.as_secs_f64()),
            ),
            (Err(FitError::TimedOut), _) => {
                Finding::passed(what, format!("it was ended after {limit:.2} s"))
            }
            (Ok(_), _) => Finding::passed(what, format!("it answered within {limit:.2} s")),
            (Err(error), _) => Finding::failed(what, error.to_string()),
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
        let start = Instant::now();
        let ((found, _), processor) = ask(
            parameters,
            self.host,
            &problem.train,
            problem.test.view(),
            &asked,
            &(self.context)(),
        )?;
        let spent = processor.map(|processor| Spent { wall: start.elapsed(), processor });
        self.spent.set(self.spent.get().zip(spent).map(|(all, spent)| all + spent));
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
        Err(error @ (FitError::Unsupported(_) | FitError::Diverged(_))) => {
            Finding::passed(what, error.to_string())
        }
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
