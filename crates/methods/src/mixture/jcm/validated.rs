//! Choose JCM's settings by validation inside the training rows.
//!
//! A random tenth of the training rows is held out. From the printed settings on, one setting after
//! the other (p, K, λ₁, α, covariance floor, number of random starts, in this order) is tried at
//! the values of its grid with all others as chosen so far; α = 0 keeps W at its random start. A
//! value is taken when the fit on the other rows gives the held-out rows a higher mean log density,
//! or, where the target's resolution is known, a higher mean log probability of the cell of width
//! resolution about the outcome (a density on a discrete target grows without bound as the floor
//! falls). The printed settings are tried first, so that the chosen ones never score less on the
//! held-out rows. The best settings are then fitted on all training rows. With the default grids
//! that is a budget of at most 13 fits in the search, the last one from 5 starts, and 1 after it,
//! the same for every dataset; test rows are not used.
//!
//! All fits draw from the same streams, those that [`super::Jcm`] would use: of one p they start
//! from the same W, so that a start that served the search serves the last fit.

use super::{JcmParameters, LINE_SEARCH, readings};
use crate::engine::rows;
use crate::engine::search::{Search, Searched, side_table};
use crate::entry::{DEFAULTS, Tried};
use crate::parameter::{Group, above, parameters};
use crate::side_tables::{Candidates, Outcome};
use crate::{
    Configured, Context, FitError, Fitted, MethodParameters, Reading, Request, Restored, SideTable,
};
use uq_core::Table;

const ID: &str = "jcm-validated";

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
        learning_rate: Vec<f64> = vec![0.0, 0.005, 0.02, 0.1], in 0.0..;
        /// Values of the covariance floor.
        covariance_floor: Vec<f64> = vec![1e-6, 1e-4, 1e-2], in 0.0..;
        /// Numbers of random starts.
        starts: Vec<usize> = vec![1, 5], in 1..;
    }
}

impl JcmValidatedParameters {
    /// For each setting in the order of the search, the variants of `from` with its values.
    fn variants(&self, from: &JcmParameters) -> [Vec<JcmParameters>; 6] {
        [
            self.dimension.iter().map(|&p| JcmParameters { dimension: Some(p), ..*from }).collect(),
            self.components
                .iter()
                .map(|&k| JcmParameters { components: Some(k), ..*from })
                .collect(),
            self.reconstruction
                .iter()
                .map(|&reconstruction| JcmParameters { reconstruction, ..*from })
                .collect(),
            self.learning_rate
                .iter()
                .map(|&learning_rate| JcmParameters { learning_rate, ..*from })
                .collect(),
            self.covariance_floor
                .iter()
                .map(|&covariance_floor| JcmParameters { covariance_floor, ..*from })
                .collect(),
            self.starts.iter().map(|&starts| JcmParameters { starts, ..*from }).collect(),
        ]
    }
}

/// JCM with settings chosen by validation.
pub type JcmValidated = Configured<JcmValidatedParameters>;

impl MethodParameters for JcmValidatedParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str =
        "joint and conditional modelling, settings validated inside the training rows";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "the joint mixture, settings chosen on a tenth of the training rows in 14 fits \
                   at most",
        cost: |n, d| 5e-5 * n * d,
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 1;

    fn readings(&self) -> Vec<Reading> {
        readings()
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        let n = train.rows();
        rows::at_least(ID, 2, n)?;
        rows::finite(ID, train)?;
        let (p, k) = self.start.sizes(n, train.columns())?;
        let start = JcmParameters { dimension: Some(p), components: Some(k), ..self.start };
        let count = ((self.fraction * n as f64).round() as usize).clamp(1, n - 1);
        let (held_out, rest) = rows::hold_out(train, count, "validation-rows", context);
        let mut search = Search::default();
        // A density of zero is no score.
        let best = |search: &Search<JcmParameters>| {
            search
                .best()
                .filter(|(_, score)| *score > f64::NEG_INFINITY)
                .map_or(start, |(settings, _)| *settings)
        };
        for setting in 0..self.variants(&start).len() {
            // The settings chosen so far are among the variants of each setting; they are fitted
            // once.
            let mut candidates = vec![best(&search)];
            let variants = &self.variants(&candidates[0])[setting];
            candidates.extend(
                variants.iter().filter(|variant| variant.dimension <= Some(train.columns())),
            );
            for settings in candidates {
                if !search.has_tried(&settings) {
                    search.add(settings, score(&settings, &rest, &held_out, context))?;
                }
            }
        }
        let best = best(&search);
        let (fitted, search) = (best.fit(train, context)?, side_table_of(&search, &best));
        Ok(Box::new(Searched { id: ID, chosen: (), fitted, search }))
    }

    /// No setting of the search changes what a fit consists of.
    fn restore(&self, state: &[u8]) -> Restored {
        Searched::restored(ID, state, |(): &(), inner| self.start.restore(inner))
    }
}

/// The score on `held_out` of the fit on `rest`: the mean log density (or log probability) of the
/// held-out rows.
fn score(
    settings: &JcmParameters,
    rest: &Table,
    held_out: &Table,
    context: &Context,
) -> Result<f64, FitError> {
    let fit = settings.fit(rest, context)?;
    let request = Request { split: false, ..Request::default() };
    let predictive =
        fit.predict(&Reading::new(LINE_SEARCH), held_out.features.view(), &request, context)?;
    let distribution = predictive.distribution();
    let of_row = |(i, &y): (usize, &f64)| match held_out.target_resolution {
        Some(step) => distribution.ln_probability(i, y - 0.5 * step, y + 0.5 * step),
        None => distribution.log_density(i, y),
    };
    let total: Option<f64> = held_out.target.iter().enumerate().map(of_row).sum();
    let undefined = || FitError::Unsupported(format!("{ID}: a held-out row has no log density"));
    total.map(|total| total / held_out.rows() as f64).ok_or_else(undefined)
}

/// The side table `search`: one row for each trial, `chosen` 1 for the best; a trial without a
/// score is left out.
fn side_table_of(search: &Search<JcmParameters>, best: &JcmParameters) -> SideTable {
    let settings = [
        "dimension",
        "components",
        "reconstruction",
        "learning_rate",
        "covariance_floor",
        "starts",
    ];
    let numbers = |s: &JcmParameters| {
        let sizes = [s.dimension, s.components].map(|size| size.unwrap_or_default() as f64);
        [&sizes[..], &[s.reconstruction, s.learning_rate, s.covariance_floor, s.starts as f64]]
            .concat()
    };
    side_table(Candidates::SEARCH, &settings, numbers, Outcome::Score, search.scored(), best)
}
