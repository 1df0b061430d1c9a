//! Fit a base method on some training rows, and score it on others that it has not seen.

use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};

use crate::engine::rows;
use crate::parameter::{Parameter, Such};
use crate::part::NAMED;
use crate::state::{self, StateError, require};
use crate::{Context, FitError, Fitted, Method, ParameterError, Reading, Request};
use uq_core::{Dependence, Table};

/// Share of the deviation of the fitted targets that a predicted scale has at least.
const FLOOR: f64 = 0.01;

/// Into how many folds the training rows are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "folds is \"rows\" or a whole number")]
pub enum Folds {
    /// Each row is a fold of its own: the jackknife.
    #[serde(rename = "rows")]
    Rows,
    /// This many, drawn at random, of near-equal size; as many as rows where there are fewer rows.
    #[serde(untagged)]
    Count(usize),
}

impl Folds {
    /// The choices.
    pub const ALLOWED: Such<Self> = Such("\"rows\" or a whole number of at least 2", |folds| {
        !matches!(folds, Self::Count(0 | 1))
    });

    /// What CV+ guarantees at level 1 − α with n rows and K folds of equal size: 1 − 2α − min{2 (1
    /// − 1/K)/(n/K + 1), (1 − K/n)/(K + 1)}; zero where that is negative. (Barber, Candès, Ramdas &
    /// Tibshirani 2021, Annals of Statistics 49, theorem 4.)
    pub(super) fn guaranteed_coverage(self, level: f64, rows: usize) -> f64 {
        let n = rows.max(1) as f64;
        let k = match self {
            Self::Count(count) => (count as f64).min(n),
            Self::Rows => n,
        };
        let loss = (2.0 * (1.0 - 1.0 / k) / (n / k + 1.0)).min((1.0 - k / n) / (k + 1.0));
        (2.0 * level - 1.0 - loss).max(0.0)
    }

    /// The training rows of each fold, drawn from the stream `("folds", 0)`: whole groups or blocks
    /// in time where the table states them.
    pub(crate) fn divide(self, train: &Table, context: &Context) -> Vec<Vec<usize>> {
        let n = train.rows();
        let count = match self {
            Self::Count(count) => count.min(n),
            Self::Rows => n,
        };
        if count == n && train.dependence == Dependence::Unknown {
            return (0..n).map(|row| vec![row]).collect();
        }
        train.dependence.folds(n, count, &mut context.stream("folds", 0))
    }
}

/// What an error is measured by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Score {
    /// The target's units.
    #[default]
    Residual,
    /// The base method's standard deviation at the row.
    Normalised,
}

/// A base method, and the reading of it that is used.
pub struct Base {
    pub(super) method: Box<dyn Method>,
    pub(super) reading: Reading,
}

impl Base {
    /// The parameter that names it.
    pub(super) fn parameter() -> Parameter {
        Parameter::required("method", NAMED, "Base method.")
    }

    /// Its first reading is used.
    ///
    /// # Errors
    /// [`ParameterError`] for a method without a reading.
    pub(super) fn new(method: Box<dyn Method>) -> Result<Self, ParameterError> {
        let reading = method.readings().into_iter().next();
        let reading = reading.ok_or_else(|| {
            ParameterError::new("method.id", method.id(), "a method with a reading")
        })?;
        Ok(Self { method, reading })
    }

    /// Fits the rows that lie outside of each set, by `context.child("base", 0)`, and scores the
    /// rows of the set.
    ///
    /// # Errors
    /// Errors of the base method, and [`FitError::Diverged`], in the name of the method `id`, where
    /// it predicts no finite mean or spread.
    pub(super) fn calibrate(
        &self,
        id: &'static str,
        score: Score,
        sets: &[Vec<usize>],
        train: &Table,
        context: &Context,
    ) -> Result<Calibration, FitError> {
        let complements: Vec<Vec<usize>> =
            sets.iter().map(|set| rows::complement(set, train.rows())).collect();
        let fits = self.method.fit_subsets(train, &complements, &context.child("base", 0))?;
        let floors = complements.iter().map(|rows| floor(&train.select(rows))).collect();
        let (base, reading) = (self.method.id(), self.reading.clone());
        let mut found = Calibration { id, base, score, reading, fits, floors, rows: Vec::new() };
        for (fit, set) in sets.iter().enumerate() {
            let held_out = train.select(set);
            let context = context.child("calibration", fit as u64);
            let centres = found.centres(fit, held_out.features.view(), &context)?;
            for ((&row, centre), &y) in set.iter().zip(centres).zip(&held_out.target) {
                found.rows.push(Scored {
                    row,
                    fit,
                    error: (y - centre.mean) / centre.scale,
                    scale: centre.scale,
                });
            }
        }
        Ok(found)
    }
}

/// The smallest scale about these targets; one where they do not vary.
fn floor(fitted: &Table) -> f64 {
    let deviation = fitted.target.std(0.0);
    if deviation > 0.0 { FLOOR * deviation } else { 1.0 }
}

/// A base method's prediction of one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Centre {
    pub(super) mean: f64,
    /// What errors are measured by; above zero.
    pub(super) scale: f64,
}

/// A training row, scored by the fit that has not seen it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Scored {
    pub(super) row: usize,
    pub(super) fit: usize,
    /// (y − mean)/scale.
    pub(super) error: f64,
    pub(super) scale: f64,
}

/// Fits, and the scores of the rows that they have not seen.
#[derive(Serialize)]
pub(super) struct Calibration {
    #[serde(skip)]
    id: &'static str,
    /// The base method's name.
    #[serde(skip)]
    base: &'static str,
    score: Score,
    reading: Reading,
    #[serde(serialize_with = "state::of_fits")]
    fits: Vec<Box<dyn Fitted>>,
    floors: Vec<f64>,
    pub(super) rows: Vec<Scored>,
}

/// Fits and scores as they are written, with the states of the base method.
#[derive(Deserialize)]
pub struct WrittenCalibration {
    score: Score,
    reading: Reading,
    fits: Vec<Vec<u8>>,
    floors: Vec<f64>,
    rows: Vec<Scored>,
}

impl WrittenCalibration {
    /// The fits and scores that were written for the method `id` over this base method.
    ///
    /// # Errors
    /// Errors of the base method.
    pub(super) fn restored(
        self,
        id: &'static str,
        base: &dyn Method,
    ) -> Result<Calibration, StateError> {
        let Self { score, reading, fits, floors, rows } = self;
        let fits = fits.iter().map(|state| base.restore(state)).collect::<Result<_, _>>()?;
        Ok(Calibration { id, base: base.id(), score, reading, fits, floors, rows })
    }
}

impl Calibration {
    /// Checks fits and scores that were read: there is a fit, with a floor for each, and every row
    /// is scored by one of them.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub(super) fn check(&self) -> Result<(), String> {
        let fits = self.fits.len();
        let scored = self.rows.iter().all(|row| row.fit < fits);
        require(fits > 0 && self.floors.len() == fits && scored, "rows that no fit has scored")
    }

    /// As [`Fitted::parts`]; of several fits the first.
    pub(super) fn parts(&self) -> Vec<(&'static str, &dyn Fitted)> {
        self.fits.first().map(|fitted| (self.base, &**fitted)).into_iter().collect()
    }

    /// Number of fits.
    pub(super) fn fits(&self) -> usize {
        self.fits.len()
    }

    /// The predictions of one fit at the rows of `features` (n × d).
    ///
    /// # Errors
    /// As [`Base::calibrate`].
    pub(super) fn centres(
        &self,
        fit: usize,
        features: ArrayView2<f64>,
        context: &Context,
    ) -> Result<Vec<Centre>, FitError> {
        let request = Request { split: false, ..Request::default() };
        let answer = self.fits[fit].predict(&self.reading, features, &request, context)?;
        let none = |what: &str| {
            FitError::Diverged(format!("{}: the base method predicts no finite {what}", self.id))
        };
        let means = answer.means().ok_or_else(|| none("mean"))?;
        if self.score == Score::Residual {
            return Ok(means.into_iter().map(|mean| Centre { mean, scale: 1.0 }).collect());
        }
        let variances = answer.variances().ok_or_else(|| none("variance"))?;
        let scale = |variance: f64| variance.sqrt().max(self.floors[fit]);
        Ok(means
            .into_iter()
            .zip(variances)
            .map(|(mean, variance)| Centre { mean, scale: scale(variance) })
            .collect())
    }

    /// The predictions of all fits, fits × n.
    ///
    /// # Errors
    /// As [`Base::calibrate`].
    pub(super) fn all_centres(
        &self,
        features: ArrayView2<f64>,
        context: &Context,
    ) -> Result<Vec<Vec<Centre>>, FitError> {
        (0..self.fits())
            .map(|fit| self.centres(fit, features, &context.child("base", fit as u64)))
            .collect()
    }
}
