//! Choose JCM's settings by validation inside the training rows.
//!
//! A random tenth of the training rows is held out. From the printed settings on, one setting after the other (p, K, λ₁, α,
//! covariance floor, in this order) is tried at the values of its grid with all others as chosen so far; a value is taken when the
//! fit on the other rows gives the held-out rows a higher mean log density, or, where the target's resolution is known, a higher
//! mean log probability of the cell of width resolution about the outcome (a density on a discrete target grows without bound as
//! the floor falls). The best settings are then fitted on all training rows. With the default grids that is a budget of at
//! most 11 fits in the search and 1 after it, the same for every dataset; test rows have no part in it.
//!
//! All fits draw from the same streams, those that [`super::Jcm`] would use: of one p they start from the same W, so that a
//! start that served the search serves the last fit.

use super::{Jcm, JcmFit, JcmParameters, LINE_SEARCH, readings};
use crate::data::Table;
use crate::math::random::permutation;
use crate::methods::entry::{DEFAULTS, Entry, Tried, boxed, read};
use crate::methods::parameter::{Group, Parameters, above, defaults, parameters};
use crate::methods::{Context, FitError, Fitted, Method, ParameterError, Reading, Request, SideTable};
use crate::predictive::Predictive;

parameters! {
    /// Parameters of JCM-validated: where the search starts, and the values tried.
    #[derive(Clone, Debug, PartialEq)]
    pub struct JcmValidatedParameters {
        /// Settings at first, and of what is not searched.
        start: JcmParameters = JcmParameters::default(), in Group;
        /// Share of the training rows held out: max(1, round(share × rows)).
        fraction: f64 = 0.1, in above(0.0).below(1.0);
        /// Values of p; those above d are left out.
        dimension: Vec<usize> = vec![2, 5, 10], in 1..;
        /// Values of K.
        components: Vec<usize> = vec![4, 8, 18], in 1..;
        /// Values of λ₁.
        reconstruction: Vec<f64> = vec![0.0, 0.05, 0.5], in 0.0..;
        /// Values of α.
        learning_rate: Vec<f64> = vec![0.005, 0.02, 0.1], in above(0.0);
        /// Values of the covariance floor.
        covariance_floor: Vec<f64> = vec![1e-6, 1e-4, 1e-2], in 0.0..;
    }
}

impl JcmValidatedParameters {
    /// For each setting in the order of the search, what its values make of `from`.
    fn variants(&self, from: &JcmParameters) -> [Vec<JcmParameters>; 5] {
        [
            self.dimension.iter().map(|&p| JcmParameters { dimension: Some(p), ..*from }).collect(),
            self.components.iter().map(|&k| JcmParameters { components: Some(k), ..*from }).collect(),
            self.reconstruction.iter().map(|&reconstruction| JcmParameters { reconstruction, ..*from }).collect(),
            self.learning_rate.iter().map(|&learning_rate| JcmParameters { learning_rate, ..*from }).collect(),
            self.covariance_floor.iter().map(|&covariance_floor| JcmParameters { covariance_floor, ..*from }).collect(),
        ]
    }
}

/// JCM with settings chosen by validation.
#[derive(Clone, Debug, PartialEq)]
pub struct JcmValidated(JcmValidatedParameters);

impl JcmValidated {
    /// Its entry in the registry.
    pub const ENTRY: Entry = Entry {
        id: "jcm-validated",
        title: "joint and conditional modelling, settings validated inside the training rows",
        tried: Some(Tried {
            settings: "the same, settings chosen on a tenth of the training rows in 12 fits at most",
            unasked: false,
            cost: |n, d| 3.5e-5 * n * d,
            parameters: DEFAULTS,
        }),
        parameters: defaults::<JcmValidatedParameters>,
        build: |given, _| boxed(Self::new(read(given)?)),
    };

    /// The method with these grids.
    ///
    /// # Errors
    /// [`ParameterError`] for a parameter out of its range.
    pub fn new(parameters: JcmValidatedParameters) -> Result<Self, ParameterError> {
        parameters.check()?;
        Ok(Self(parameters))
    }
}

/// One fit of the search.
struct Trial {
    settings: JcmParameters,
    /// Mean log density (or log probability) of the held-out rows; `None` where the fit failed or gave none.
    score: Option<f64>,
}

impl Method for JcmValidated {
    fn id(&self) -> &'static str {
        "jcm-validated"
    }

    fn version(&self) -> u32 {
        1
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!(self.0)
    }

    fn readings(&self) -> Vec<Reading> {
        readings()
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        let n = train.rows();
        if n < 2 {
            return Err(FitError::Unsupported(format!("jcm-validated needs at least 2 training rows, found {n}")));
        }
        super::refuse_holes(train)?;
        let (p, k) = self.0.start.sizes(n, train.columns())?;
        let mut best = JcmParameters { dimension: Some(p), components: Some(k), ..self.0.start };
        let count = ((self.0.fraction * n as f64).round() as usize).clamp(1, n - 1);
        let order = permutation(n, &mut context.stream("validation-rows", 0));
        let (held_out, rest) = (train.select(&order[..count]), train.select(&order[count..]));
        let mut trials: Vec<Trial> = Vec::new();
        let mut highest = f64::NEG_INFINITY;
        for setting in 0..self.0.variants(&best).len() {
            // The settings chosen so far are among the variants of each setting; they are fitted once.
            let mut candidates = vec![best];
            candidates.extend(self.0.variants(&best)[setting].iter().filter(|v| v.dimension <= Some(train.columns())));
            for settings in candidates {
                if trials.iter().any(|trial| trial.settings == settings) {
                    continue;
                }
                let score = score(&settings, &rest, &held_out, context)?;
                trials.push(Trial { settings, score });
                if let Some(score) = score.filter(|&score| score > highest) {
                    (highest, best) = (score, settings);
                }
            }
        }
        let fit = JcmFit::new(&best, train, context)?;
        Ok(Box::new(ValidatedFit { fit, trials, best }))
    }
}

/// How well the fit on `rest` foretells `held_out`; `None` where the settings give no fit or no score.
fn score(settings: &JcmParameters, rest: &Table, held_out: &Table, context: &Context) -> Result<Option<f64>, FitError> {
    let predicted = Jcm(*settings).fit(rest, context).and_then(|fit| {
        let request = Request { split: false, ..Request::default() };
        fit.predict(&Reading::new(LINE_SEARCH), held_out.features.view(), &request, context)
    });
    let predictive = match predicted {
        Ok(predictive) => predictive,
        Err(stop @ (FitError::Cancelled | FitError::TimedOut)) => return Err(stop),
        Err(_) => return Ok(None),
    };
    let distribution = predictive.distribution();
    let of_row = |(i, &y): (usize, &f64)| match held_out.target_resolution {
        Some(step) => distribution.ln_probability(i, y - 0.5 * step, y + 0.5 * step),
        None => distribution.log_density(i, y),
    };
    let total: Option<f64> = held_out.target.iter().enumerate().map(of_row).sum();
    Ok(total.map(|total| total / held_out.rows() as f64))
}

/// The fit with the chosen settings, and what was tried.
struct ValidatedFit {
    fit: JcmFit,
    trials: Vec<Trial>,
    best: JcmParameters,
}

impl Fitted for ValidatedFit {
    fn predict(
        &self,
        reading: &Reading,
        features: ndarray::ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        self.fit.predict(reading, features, request, context)
    }

    /// Those of the fit, and `search`: a row a trial, `chosen` 1 for the best; a trial without a score is left out.
    fn side_tables(&self) -> Vec<SideTable> {
        let scored: Vec<(&JcmParameters, f64)> =
            self.trials.iter().filter_map(|trial| Some((&trial.settings, trial.score?))).collect();
        let column = |name: &str, value: &dyn Fn(&JcmParameters) -> f64| {
            (name.to_string(), scored.iter().map(|(settings, _)| value(settings)).collect())
        };
        let mut side_tables = self.fit.side_tables();
        side_tables.push(SideTable {
            name: "search".into(),
            columns: vec![
                column("dimension", &|s| s.dimension.unwrap_or_default() as f64),
                column("components", &|s| s.components.unwrap_or_default() as f64),
                column("reconstruction", &|s| s.reconstruction),
                column("learning_rate", &|s| s.learning_rate),
                column("covariance_floor", &|s| s.covariance_floor),
                ("score".into(), scored.iter().map(|(_, score)| *score).collect()),
                column("chosen", &|s| f64::from(u8::from(*s == self.best))),
            ],
        });
        side_tables
    }
}
