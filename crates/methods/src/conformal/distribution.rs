//! Predict a whole distribution by any method's errors on rows that it has not seen: a conformal
//! predictive distribution.
//!
//! Each of n calibration rows has a signed error E_i = (Y_i − μ(X_i))/σ(X_i) by a fit that has not
//! seen it. At a new row x the targets of equal errors are C_i = μ(x) + σ(x) E_i, with the fit of
//! row i, and
//!
//! ```text
//! F(y) = (#{i: C_i ≤ y} + τ)/(n + 1),   0 ≤ τ ≤ 1
//! ```
//!
//! is the predictive distribution. The prediction is its quantiles, rounded outwards: at a level p
//! below 1/2 the ⌊p (n + 1)⌋-th smallest C_i, above it the ⌈p (n + 1)⌉-th, at 1/2 their mean.
//! Intervals, CRPS and stored quantiles are read from these numbers. A level that would need C_0 or
//! C_{n+1} is infinite: an error where it is requested, else left out.
//!
//! **Guarantee.** With one fit (`folds` 1: `calibration` of the rows calibrate) and exchangeable
//! rows, the interval from level α/2 to 1 − α/2 covers a new row with probability 1 − α at least,
//! and each end is exceeded with α/2 at most. With several folds every row calibrates. A single
//! bound of level p then covers 2p − 1 at least, less the small term of CV+, whose proof holds for
//! signed errors, too. The interval misses by either end, so that 1 − 2α less twice that term is
//! guaranteed: CV+ compares absolute errors, once for both ends, and has the term once.
//!
//! *Groups* (Mondrian conformal prediction): errors are compared within a group only, so that the
//! guarantee holds in each group. Groups are the values of a feature, or bins of the predicted
//! standard deviation, whose edges are quantiles of that of the fitted rows: they do not depend on
//! calibration rows. Both need one fit.
//!
//! *Covariate shift* (`tilt` t): where new rows have other features than the training rows, with
//! the known density ratio w(x) ∝ exp(t·x), and the same targets given the features, calibration
//! row i has the weight w(X_i) and the new row w(x):
//!
//! ```text
//! p_i = w(X_i)/(Σ_j w(X_j) + w(x)),   F(y) = Σ_{C_i ≤ y} p_i + τ p_{n+1}(x)
//! ```
//!
//! of which the above is the case t = 0. At a level below 1/2 the prediction is the largest C_k
//! whose predecessors and the new row itself have the weight p at most, above it the smallest C_k
//! that has, with its predecessors, p at least. The guarantees of one fit then hold for rows that
//! are shifted so (Tibshirani et al., Corollary 1), and for no others: none is stated. It needs one
//! fit.
//!
//! *References:* V. Vovk, I. Nouretdinov, V. Manokhin, A. Gammerman: *Cross-conformal predictive
//! distributions*, COPA 2018; V. Vovk, J. Shen, V. Manokhin, M. Xie: *Nonparametric predictive
//! distributions based on conformal prediction*, Machine Learning 108, 2019; H. Boström, U.
//! Johansson: *Mondrian conformal regressors*, COPA 2020; R. J. Tibshirani, R. F. Barber, E. J.
//! Candès, A. Ramdas: *Conformal prediction under covariate shift*, NeurIPS 32, 2019.

use std::collections::BTreeMap;

use ndarray::{Array2, ArrayView1, ArrayView2};
use serde::{Deserialize, Serialize};

use super::folds::{Calibration, Centre, Folds, Score, Scored, WrittenCalibration};
use super::shift::Shift;
use super::{Base, ConformalModel, beyond, calibrating, calibration_rows};
use crate::engine::own_units::OwnUnitsModel;
use crate::engine::rows;
use crate::entry::Tried;
use crate::parameter::{Choices, Such, above, is_default, parameters};
use crate::state::require;
use crate::{
    Context, Facts, FitError, Fitted, Guarantee, Method, ParameterError, Request, StateError,
    boosting, levels,
};
use uq_core::Table;
use uq_core::predictive::{Bounds, Form, Predictive, Quantiles, Side};

const ID: &str = "conformal-distribution";

/// Which calibration rows a row is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Groups {
    /// All.
    One,
    /// Rows whose predicted standard deviation lies in the same of this many bins.
    Spread(usize),
    /// Rows with the same value of the feature at this place, from 0.
    Feature(usize),
}

impl Groups {
    /// The choices.
    pub const ALLOWED: Such<Self> = Such(
        "\"one\", { spread = BINS } with at least 2 bins, or { feature = PLACE } with the place of \
         a feature, from 0",
        |groups| !matches!(groups, Self::Spread(0 | 1)),
    );
}

parameters! {
    /// Parameters of a conformal predictive distribution besides its base method, `method`, written
    /// as `{ id, parameters }`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ConformalDistributionParameters {
        /// Number of folds, each calibrated by the fit without it; 1: one fit, calibrated by
        /// `calibration`.
        folds: usize = 1, in 1..;
        /// With one fit the share of the training rows that calibrate: round(share × rows), leaving
        /// a row to fit.
        calibration: f64 = 0.25, in above(0.0).below(1.0);
        /// What errors are measured by: the target's units, or the base method's standard
        /// deviation.
        score: Score = Score::Normalised, in Choices;
        /// Within which groups errors are compared.
        groups: Groups = Groups::One, in Groups::ALLOWED;
        /// Covariate shift: t of the density ratio exp(t·x) of new to training rows, a number for
        /// each feature; empty: none. The features are those that the method gets, after the
        /// benchmark's scaling.
        tilt: Vec<f64> = Vec::new(), in TILTS, added "is_default";
    }
}

const TILTS: Such<Vec<f64>> = Such("finite numbers, one for each feature, or none", |tilt| {
    tilt.iter().all(|number| number.is_finite())
});

impl ConformalModel for FittedDistribution {
    const TITLE: &'static str = "conformal predictive distribution: any method's mean and spread \
                                 with the errors of unseen rows";
    const TRIED: Tried = Tried {
        settings: "mean and spread of boosted quantiles with the errors of a quarter of the rows, \
                   which calibrate",
        cost: boosting::seconds_of_quantiles,
        parameters: || serde_json::json!({ "method": { "id": "boosting-quantiles" } }),
    };
    const VERSION: u32 = 1;
    type Parameters = ConformalDistributionParameters;
    type Written = Written;

    fn check_coupled(parameters: &ConformalDistributionParameters) -> Result<(), ParameterError> {
        let possible =
            parameters.groups == Groups::One && parameters.tilt.is_empty() || parameters.folds == 1;
        ParameterError::check(
            possible,
            "folds",
            parameters.folds,
            "1 where `groups` is not \"one\" or `tilt` is given",
        )
    }

    /// Neither a density ratio nor a group is known of a row that misses the feature.
    fn facts(parameters: &ConformalDistributionParameters, base: &dyn Method) -> Facts {
        let asks_features =
            !parameters.tilt.is_empty() || matches!(parameters.groups, Groups::Feature(_));
        Facts { takes_missing: !asks_features && base.facts().takes_missing, ..Facts::default() }
    }

    /// Each end is an order statistic of signed errors, so that it keeps its own level with one
    /// fit. With several folds one end is missed with twice its probability at most, and a little
    /// more, as the interval of CV+ is.
    fn guarantee(
        parameters: &ConformalDistributionParameters,
        Bounds { level, side }: Bounds,
        rows: usize,
    ) -> Option<Guarantee> {
        if !parameters.tilt.is_empty() {
            return None;
        }
        if parameters.folds == 1 {
            let theorem = "Vovk et al. 2018, validity of split conformal distributions".into();
            return Some(Guarantee { least: level, theorem });
        }
        let end = |level: f64| Folds::Count(parameters.folds).guaranteed_coverage(level, rows);
        let theorem = "Barber et al. 2021, proof of Theorem 4";
        Some(match side {
            // Each end is missed with 1 − (its guarantee) at most, and the interval with their sum.
            Side::Both => Guarantee {
                least: (2.0 * end(0.5 * (1.0 + level)) - 1.0).max(0.0),
                theorem: format!("{theorem}, for either end"),
            },
            Side::Lower | Side::Upper => Guarantee { least: end(level), theorem: theorem.into() },
        })
    }

    fn calibrating_rows(parameters: &ConformalDistributionParameters, rows: usize) -> usize {
        match parameters.folds {
            1 => calibrating(parameters.calibration, rows),
            _ => rows / 2,
        }
    }

    fn fit(
        parameters: &ConformalDistributionParameters,
        base: &Base,
        train: &Table,
        context: &Context,
    ) -> Result<Self, FitError> {
        let ConformalDistributionParameters { folds, calibration, score, groups, ref tilt } =
            *parameters;
        rows::finite_target(ID, "training row", train.target.view())?;
        if let Groups::Feature(place) = groups
            && place >= train.columns()
        {
            return Err(FitError::Unsupported(format!(
                "{ID}: asked to group by feature {place} (from 0), found {} features",
                train.columns()
            )));
        }
        if !tilt.is_empty() && tilt.len() != train.columns() {
            let (given, found) = (tilt.len(), train.columns());
            return Err(FitError::Unsupported(format!(
                "{ID}: `tilt` has {given} numbers, found {found} features"
            )));
        }
        let sets = match folds {
            1 => vec![calibration_rows(calibration, train, context)],
            count => Folds::Count(count).divide(train, context),
        };
        let calibration = base.calibrate(ID, score, &sets, train, context)?;
        let mut grouping = Grouping { groups, edges: Vec::new() };
        if let Groups::Spread(bins) = groups {
            let fitted: Vec<usize> =
                (0..train.rows()).filter(|row| !sets[0].contains(row)).collect();
            let centres = calibration.centres(
                0,
                train.select(&fitted).features.view(),
                &context.child("groups", 0),
            )?;
            grouping.edges = edges(centres.iter().map(|centre| centre.scale).collect(), bins);
        }
        let mut errors: BTreeMap<u64, Vec<Scored>> = BTreeMap::new();
        for &row in &calibration.rows {
            let group = grouping.of(train.features.row(row.row), row.scale);
            errors.entry(group).or_default().push(row);
        }
        let shift = (!tilt.is_empty()).then(|| {
            let rows_of =
                |rows: &Vec<Scored>| rows.iter().map(|row| train.features.row(row.row)).collect();
            Shift::new(tilt, errors.iter().map(|(group, rows)| (*group, rows_of(rows))))
        });
        Ok(Self { calibration, grouping, errors, shift })
    }

    fn restored(written: Written, base: &dyn Method) -> Result<Self, StateError> {
        let Written { calibration, grouping, errors, shift } = written;
        Ok(Self { calibration: calibration.restored(ID, base)?, grouping, errors, shift })
    }
}

/// Edges of bins of near-equal size.
fn edges(mut scales: Vec<f64>, bins: usize) -> Vec<f64> {
    scales.sort_unstable_by(f64::total_cmp);
    (1..bins).map(|bin| scales[(bin * scales.len() / bins).min(scales.len() - 1)]).collect()
}

/// Which group a row belongs to.
#[derive(Serialize, Deserialize)]
struct Grouping {
    groups: Groups,
    /// Upper ends of the bins of the predicted standard deviation but the last.
    edges: Vec<f64>,
}

impl Grouping {
    fn of(&self, x: ArrayView1<f64>, scale: f64) -> u64 {
        match self.groups {
            Groups::One => 0,
            Groups::Spread(_) => self.edges.partition_point(|edge| *edge < scale) as u64,
            // Both zeros are one value.
            Groups::Feature(place) => (x[place] + 0.0).to_bits(),
        }
    }
}

/// The fits, and the errors of the rows that they have not seen, by group.
#[derive(Serialize)]
pub struct FittedDistribution {
    calibration: Calibration,
    grouping: Grouping,
    errors: BTreeMap<u64, Vec<Scored>>,
    /// Weights of the rows in the order of `errors`.
    shift: Option<Shift>,
}

/// A fit as it is written.
#[derive(Deserialize)]
pub struct Written {
    calibration: WrittenCalibration,
    grouping: Grouping,
    errors: BTreeMap<u64, Vec<Scored>>,
    shift: Option<Shift>,
}

impl FittedDistribution {
    /// The targets C_i of a group at one row, in the order of its errors; `at` has the prediction
    /// of each fit.
    fn targets(&self, group: u64, at: &[Centre]) -> Vec<f64> {
        let rows = self.errors.get(&group).map_or(&[][..], Vec::as_slice);
        rows.iter().map(|row| at[row.fit].mean + at[row.fit].scale * row.error).collect()
    }

    /// The smallest level from which on, up to one minus it, all quantiles are finite at these
    /// rows.
    fn least_level(&self, features: ArrayView2<f64>, groups: &[u64]) -> f64 {
        match &self.shift {
            Some(shift) => {
                let of = |(x, group): (ArrayView1<f64>, &u64)| shift.share_of_new(*group, x);
                features.rows().into_iter().zip(groups).map(of).fold(0.0, f64::max)
            }
            None => 1.0 / (self.errors.values().map(Vec::len).min().unwrap_or(0) + 1) as f64,
        }
    }
}

/// The quantile of n ascending targets at a level, rounded outwards; `None` where it is infinite.
pub(crate) fn outward(targets: &[f64], level: f64) -> Option<f64> {
    // Rounding must not move a whole number to its neighbour.
    let place = level * (targets.len() + 1) as f64;
    let (below, above) = ((place + 1e-9).floor() as usize, (place - 1e-9).ceil() as usize);
    let at = |rank: usize| rank.checked_sub(1).and_then(|i| targets.get(i).copied());
    if level < 0.5 {
        at(below)
    } else if level > 0.5 {
        at(above)
    } else {
        Some(0.5 * (at(below)? + at(above)?))
    }
}

impl OwnUnitsModel for FittedDistribution {
    const ID: &'static str = ID;

    fn check(&self, columns: usize) -> Result<(), String> {
        self.calibration.check()?;
        let fits = self.calibration.fits();
        let scored = self.errors.values().flatten().all(|row| row.fit < fits);
        let place = !matches!(self.grouping.groups, Groups::Feature(place) if place >= columns);
        require(
            scored && place,
            "errors of rows that no fit has scored, or groups by a feature that is not there",
        )?;
        let counts = self.errors.iter().map(|(group, rows)| (*group, rows.len()));
        self.shift.as_ref().map_or(Ok(()), |shift| shift.check(columns, counts))
    }

    fn parts(&self) -> Vec<(&'static str, &dyn Fitted)> {
        self.calibration.parts()
    }

    fn answer(
        &self,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let centres = self.calibration.all_centres(features, context)?;
        let group = |(i, x): (usize, ArrayView1<f64>)| self.grouping.of(x, centres[0][i].scale);
        let groups: Vec<u64> = features.rows().into_iter().enumerate().map(group).collect();
        let least = self.least_level(features, &groups) - 1e-9;
        let mut levels = levels::with_grid(ID, &request.quantile_levels)?;
        levels.retain(|level| {
            request.quantile_levels.contains(level) || (least..=1.0 - least).contains(level)
        });
        let mut values = Array2::zeros((features.nrows(), levels.len()));
        for (i, mut into) in values.rows_mut().into_iter().enumerate() {
            context.checkpoint()?;
            let at: Vec<Centre> = centres.iter().map(|of_fit| of_fit[i]).collect();
            let mut targets = self.targets(groups[i], &at);
            let weighted =
                self.shift.as_ref().map(|shift| shift.weigh(groups[i], features.row(i), &targets));
            targets.sort_unstable_by(f64::total_cmp);
            for (value, &level) in into.iter_mut().zip(&levels) {
                let probability = 0.5 * (1.0 + (2.0 * level - 1.0).abs());
                *value = match &weighted {
                    Some(weighted) => weighted
                        .outward(level)
                        .ok_or_else(|| weighted.beyond(ID, probability, i))?,
                    None => outward(&targets, level)
                        .ok_or_else(|| beyond(ID, probability, targets.len()))?,
                };
            }
        }
        Ok(Predictive::new(Form::Quantiles(Quantiles { levels, values })))
    }
}

#[cfg(test)]
mod tests;
