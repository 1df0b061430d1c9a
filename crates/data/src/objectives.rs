//! Functions to be maximised, whose values an experiment asks for point by point.
//!
//! Every function is defined on the unit cube; each coordinate stands for an input between its
//! bounds. What is printed as a problem of minimisation has its sign turned. [`Objective`] says
//! what is known of one, [`Problem`] is one with its data, and [`Instance`] the function of one
//! repetition.

mod formulas;
mod mopta;
mod rover;

use std::sync::Arc;

use rand::RngExt;
use serde_json::json;

use super::{Attempt, DataError, Library};
use mopta::Mopta;
use uq_core::math::random::Rng;

/// The prefix of objectives, which distinguishes them from tables.
pub const PREFIX: &str = "objective:";

/// A function to be maximised.
#[derive(Debug)]
pub struct Objective {
    /// Key, without the prefix `objective:`.
    pub key: &'static str,
    /// Formula, domain, optimum and source in words.
    pub title: &'static str,
    /// Number of inputs, d.
    pub inputs: usize,
    /// Its largest value, or an upper bound where the maximum is unknown, or the best value that is
    /// known.
    pub best: f64,
    version: u32,
    body: Body,
}

/// How a value is computed from a point of the unit cube.
#[derive(Debug)]
enum Body {
    /// By a formula, with the coordinate that each input has at the optimum, where they are all
    /// equal.
    Formula(fn(&[f64]) -> f64, Option<f64>),
    /// By a formula with its optimum at the centre, which each repetition moves.
    Moved(fn(&[f64]) -> f64),
    /// By the numbers of a file.
    Mopta,
    /// Not at all, because this file has no source.
    Absent(&'static str),
}

/// A value, and whether it may be used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// The value; NaN where the function is undefined.
    pub value: f64,
    /// The largest constraint, which is at most 0 at a feasible point; NaN where there are no
    /// constraints.
    pub constraint: f64,
}

/// Every objective.
pub const ALL: &[Objective] = &[
    Objective {
        key: "ackley-60",
        title: "−(20 + e − 20 exp(−0.2 √(Σx²/d)) − exp(Σ cos 2πx / d)) on [−5, 5]^60, maximum 0 at \
                0 (Surjanovic & Bingham; the domain is JCM's)",
        inputs: 60,
        best: 0.0,
        version: 1,
        body: Body::Formula(formulas::ackley, Some(0.5)),
    },
    Objective {
        key: "ackley-60-moved",
        title: "the same function about an optimum that each repetition draws uniformly from the \
                inner 80 % of each side",
        inputs: 60,
        best: 0.0,
        version: 1,
        body: Body::Moved(formulas::ackley),
    },
    Objective {
        key: "stybtang-50",
        title: "−½ Σ (x⁴ − 16x² + 5x) on [−5, 5]^50, maximum 39.16617 d = 1958.308 at −2.903534 \
                (Surjanovic & Bingham)",
        inputs: 50,
        best: 50.0 * formulas::STYBTANG_BEST,
        version: 1,
        body: Body::Formula(formulas::styblinski_tang, Some(formulas::STYBTANG_AT)),
    },
    Objective {
        key: "rover-60",
        title: "5 less the cost of a path along a cubic through 30 points of [−0.1, 1.1]² in the \
                mean, past 113 boxes; at most 5, the maximum is unknown (Wang, Gehring, Kohli & \
                Jegelka 2018, rover_function.py)",
        inputs: 2 * rover::POINTS,
        best: 5.0,
        version: 1,
        body: Body::Formula(rover::reward, None),
    },
    Objective {
        key: "mopta-124",
        title: "−(mass + 10 Σ max(0, g)) of a vehicle with 124 design variables and 68 constraints \
                g ≤ 0; the best known value is −222.2324 (Jones 2008; penalty of SAASBO and \
                BAxUS); needs the file mopta08/mopta08.npz",
        inputs: mopta::INPUTS,
        best: mopta::BEST,
        version: 1,
        body: Body::Mopta,
    },
    Objective {
        key: "svm-388",
        title: "a support vector machine's error on CT slices by 3 regularisation and 385 \
                length-scale parameters (Eriksson 2021); not run, because its table has no source \
                here",
        inputs: 388,
        best: 0.0,
        version: 1,
        body: Body::Absent("slice_localization_data.csv"),
    },
    Objective {
        key: "branin",
        title: "minus Branin's function on [−5, 10] × [0, 15], maximum −0.397887 at three points \
                (Surjanovic & Bingham)",
        inputs: 2,
        best: -0.397_887_357_729_738_1,
        version: 1,
        body: Body::Formula(formulas::branin, None),
    },
    Objective {
        key: "hartmann-6",
        title: "minus Hartmann's function on [0, 1]^6, maximum 3.322368 (Surjanovic & Bingham)",
        inputs: 6,
        best: 3.322_368_011_415_515,
        version: 1,
        body: Body::Formula(formulas::hartmann_6, None),
    },
];

/// Share of each side that an optimum is drawn from.
const INNER: f64 = 0.8;

impl Objective {
    /// A formula on the unit cube of `inputs` inputs, of which `best` is the largest value.
    pub const fn formula(
        key: &'static str,
        inputs: usize,
        best: f64,
        value: fn(&[f64]) -> f64,
    ) -> Self {
        Self { key, title: key, inputs, best, version: 1, body: Body::Formula(value, None) }
    }

    /// The objective with this full key, such as `objective:ackley-60`.
    pub fn get(key: &str) -> Option<&'static Self> {
        let name = key.strip_prefix(PREFIX)?;
        ALL.iter().find(|objective| objective.key == name)
    }

    /// The part of it that enters a trial's key.
    pub fn definition(&self) -> serde_json::Value {
        let file = if matches!(self.body, Body::Mopta) { mopta::SHA256 } else { "" };
        json!({ "objective": self.key, "version": self.version, "file": file })
    }

    /// The objective with its data.
    ///
    /// # Errors
    /// [`DataError`] where its file is not available, is another one, or cannot be read.
    pub fn load(&self, library: &Library) -> Result<Problem<'_>, DataError> {
        let mopta = match self.body {
            Body::Mopta => Some(Arc::new(Mopta::read(&library.bytes(&mopta::dataset())?)?)),
            Body::Absent(file) => return Err(self.absent(file)),
            Body::Formula(..) | Body::Moved(_) => None,
        };
        Ok(Problem { objective: self, mopta })
    }

    fn absent(&self, file: &str) -> DataError {
        let reason = "the table of CT slices (UCI 206) is in no mirror of this project, and \
                      nothing here computes this objective";
        let tried = vec![Attempt { source: "data-manifest.toml".into(), reason: reason.into() }];
        DataError::Unavailable { key: format!("{PREFIX}{}", self.key), file: file.into(), tried }
    }
}

/// An objective with its data.
#[derive(Clone, Debug)]
pub struct Problem<'a> {
    /// What is known of it.
    pub objective: &'a Objective,
    mopta: Option<Arc<Mopta>>,
}

impl Problem<'_> {
    /// The function of one repetition. What it draws comes from `rng`.
    pub fn instance(&self, rng: &mut Rng) -> Instance<'_> {
        let mut drawn = || {
            (0..self.objective.inputs).map(|_| 0.5 + INNER * (rng.random::<f64>() - 0.5)).collect()
        };
        let optimum = match self.objective.body {
            Body::Moved(_) => Some(drawn()),
            Body::Formula(_, at) => at.map(|at| vec![at; self.objective.inputs]),
            Body::Mopta | Body::Absent(_) => None,
        };
        Instance { problem: self, optimum }
    }
}

/// The function of one repetition.
#[derive(Clone, Debug)]
pub struct Instance<'a> {
    problem: &'a Problem<'a>,
    /// The point of the largest value, d; `None` where it is unknown or not the only one.
    pub optimum: Option<Vec<f64>>,
}

impl Instance<'_> {
    /// What is known of the objective.
    pub fn objective(&self) -> &Objective {
        self.problem.objective
    }

    /// The value at a point of the unit cube, d.
    ///
    /// # Panics
    /// If the point has another number of coordinates.
    pub fn evaluate(&self, point: &[f64]) -> Evaluation {
        assert_eq!(point.len(), self.problem.objective.inputs, "one coordinate for each input");
        let free = |value: f64| Evaluation { value, constraint: f64::NAN };
        match (&self.problem.objective.body, &self.optimum, &self.problem.mopta) {
            (Body::Formula(value, _), ..) => free(value(point)),
            (Body::Moved(value), Some(optimum), _) => free(value(
                &point.iter().zip(optimum).map(|(x, at)| x - at + 0.5).collect::<Vec<_>>(),
            )),
            (Body::Mopta, _, Some(mopta)) => mopta.evaluate(point),
            _ => free(f64::NAN),
        }
    }
}

/// A coordinate of the unit cube as an input between these bounds.
fn between(low: f64, high: f64, z: f64) -> f64 {
    low + (high - low) * z
}

#[cfg(test)]
mod tests;
