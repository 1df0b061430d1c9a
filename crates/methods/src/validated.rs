//! Choose the settings of any method by validation inside the training rows.
//!
//! A random part of the training rows is held out. The method is fitted on the rest with each
//! setting of the grid, and the setting with the best score on the held-out rows is chosen. The
//! method with this setting is then fitted on all training rows. Test rows are not used. With
//! `folds` every row of few is held out once: the score of a setting is then that of a
//! cross-validation, the mean over all rows. The score, of which higher is better, is the mean over
//! the held-out rows of
//!
//! - `log-density`: ln p(y); where the target's resolution is known the log probability of the cell
//!   of that width about y, because a density on a discrete target grows without bound as it gets
//!   narrower;
//! - `crps`: minus the continuous ranked probability score;
//! - `pinball`: minus the pinball loss, averaged over `levels`, for methods that predict quantiles
//!   and have no density.
//!
//! Each is proper: wider intervals alone do not improve it. A rule of a paper is not:
//!
//! - `narrowest-covering`: minus the mean width of the central intervals of `level`, for settings
//!   whose intervals hold a share of the held-out outcomes that differs from the level by less than
//!   `tolerance`; an outcome at an end is not held. Other settings have no score. Where no setting
//!   has one, the fit ends with [`FitError::NoneCovers`], a paper's `none`.
//!
//! A setting whose fit fails, or whose score is undefined in
//! any held-out row, is not chosen; of equally good ones the one tried first is. The held-out rows,
//! and the folds, come from the stream `("validation-rows", 0)`. All fits draw from the same streams as the method
//! alone: a start of the search is also the start of the last fit, and the last fit is that of the
//! method with the chosen settings, bit for bit. Without `refit` there is no last fit: the chosen
//! one, without the held-out rows, is the result. Where the score needs less than the result,
//! `in_search` gives parameters of the method other values in the search; the chosen settings are
//! then fitted with the method's own ones, without `refit` on the same rows as in the search.
//!
//! # Budget
//! With v₁, …, v_s values of s settings `all` tries the whole grid, v₁ · … · v_s fits; `turns`
//! starts from the first value of each setting and takes one setting after the other, all others as
//! chosen so far, 1 + Σ (v_i − 1) fits. With k folds there are k times as many. One more fit
//! follows on all rows. The budget is the same for every dataset, but that only one with fewer than
//! [`FOLDS_BELOW`] training rows has folds.
//!
//! # References
//! M. Stone: *Cross-validatory choice and assessment of statistical predictions*, JRSS B 36, 1974.
//! T. Gneiting, A. E. Raftery: *Strictly proper scoring rules, prediction, and estimation*, JASA
//! 102, 2007: the scores. N. Tagasovska, D. Lopez-Paz: *Single-model uncertainties for deep
//! learning*, NeurIPS 2019; the rule `narrowest-covering` is that of their code,
//! github.com/facebookresearch/SingleModelUncertainty at 4acae57,
//! `regression_experiment_parse_table.py`, lines 75 to 88.

mod grid;
mod parts;
mod score;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::engine::rows;
use super::engine::search::{Search, Searched, side_table};
use super::{
    Context, Facts, FitError, FitResult, Fitted, Method, ParameterError, Reading, Request,
    Restored, SideTable, StateError,
};
use crate::entry::{Build, Entry, Tried, boxed, layer, read};
use crate::parameter::{
    Choices, Parameter, Parameters, Words, above, defaults, is_default, is_one, is_true,
    one_or_more, parameters,
};
use crate::part::{NAMED, describe_part, take, take_method};
use crate::side_tables::{Candidates, Outcome};
use grid::{Point, SettingsGrid};
pub use parts::FOLDS_BELOW;
use parts::Part;
pub use score::ValidationScore;
use uq_core::Table;

/// The order in which the grid is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchOrder {
    /// The whole grid.
    #[default]
    All,
    /// One setting after the other.
    Turns,
}

parameters! {
    /// Parameters of the search besides `method`, written as `{ id, parameters }`, and `grid`.
    ///
    /// `grid` is `{ "name": [values], … }`, in the order of the names, or
    /// `[{ "parameter": "name", "values": [values] }, …]`, in its own order, of at most 1000
    /// points. A dotted name such as `training.adam.learning_rate` leads into a group of
    /// parameters.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ValidatedParameters {
        /// Share of the training rows held out: round(share × rows), leaving a row on each side.
        fraction: f64 = 0.1, in above(0.0).below(1.0);
        /// Number of folds that hold out each row once, where there are fewer than 2500 training rows;
        /// 1: a part of them is held out once.
        folds: usize = 1, in 1.., added "is_one";
        /// The score of a fit on the held-out rows.
        score: ValidationScore = ValidationScore::LogDensity, in ValidationScore::ALLOWED;
        /// Whether the whole grid is tried, or one setting after the other.
        by: SearchOrder = SearchOrder::All, in Choices;
        /// Which reading is scored; null: the first.
        reading: Option<Reading> = None, in Words("a reading of the method, or null");
        /// Increasing levels of the quantiles that a fit predicts for the pinball loss.
        levels: Vec<f64> = Request::default().quantile_levels, in one_or_more(above(0.0).below(1.0));
        /// Whether the chosen settings are fitted again on all training rows.
        refit: bool = true, in Choices, added "is_true";
        /// Parameters of the method that have other values while its settings are searched, where
        /// the score needs less than the result.
        in_search: Map<String, Value> = Map::new(), in Words("{ name = value, .. } of its \
                                                              parameters"), added "is_default";
    }
}

/// A method with settings chosen by validation.
pub struct Validated {
    build: Build,
    parameters: ValidatedParameters,
    grid: SettingsGrid,
    /// The method at the grid's first point.
    method: Box<dyn Method>,
    /// The method at the grid's first point, with the parameters of the search.
    searched: Box<dyn Method>,
    /// The reading that is scored.
    reading: Reading,
}

impl Validated {
    /// Its entry in the registry.
    pub const ENTRY: Entry = Entry {
        id: ID,
        title: "any method, settings validated inside the training rows",
        tried: Some(Tried {
            settings: "mean-variance network, step size and hidden units chosen on a tenth of the \
                       training rows in 4 fits",
            cost: |n, d| 1e-4 * layer(n, d),
            parameters: || {
                json!({
                    "method": { "id": "mean-variance-network" },
                    "grid": { "training.adam.learning_rate": [0.01, 0.001], "hidden": [50, 100] },
                })
            },
        }),
        parameters: || {
            let method =
                Parameter::required("method", NAMED, "Method whose settings are searched.");
            let grid = Parameter::required(
                "grid",
                "{ name = [values], .. } of its parameters",
                "Values that are tried.",
            );
            [vec![method, grid], defaults::<ValidatedParameters>()].concat()
        },
        build: |given, build| {
            let mut own = given.clone();
            let method = take_method("method", &mut own, build)?;
            let grid = take(&mut own, "grid");
            boxed(Self::new(read(&own)?, &grid, method, build))
        },
    };

    /// The search for settings of `method` over a grid.
    ///
    /// # Errors
    /// In words: a parameter out of its range, a grid without points, or a value that the method
    /// refuses, with its grid point.
    pub fn new(
        mut parameters: ValidatedParameters,
        grid: &Value,
        method: Box<dyn Method>,
        build: &Build,
    ) -> Result<Self, String> {
        let text = |error: ParameterError| error.to_string();
        parameters.check().map_err(text)?;
        let levels = &parameters.levels;
        let increasing = levels.is_sorted_by(|a, b| a < b);
        ParameterError::check(increasing, "levels", format!("{levels:?}"), "increasing numbers")
            .map_err(text)?;
        let folds = parameters.folds;
        let is_mean = !matches!(parameters.score, ValidationScore::NarrowestCovering { .. });
        ParameterError::check(
            folds == 1 || (is_mean && parameters.refit),
            "folds",
            folds,
            "1 where the score is `narrowest-covering`, or without `refit`",
        )
        .map_err(text)?;
        let grid = SettingsGrid::read(grid)?;
        let first = at(&grid, &grid.first(), &*method, build)?;
        let searched = with(&parameters.in_search, &*first, build)?;
        let readings = first.readings();
        let names = || readings.iter().map(Reading::to_string).collect::<Vec<_>>().join(", ");
        let asked = parameters.reading.take().or_else(|| readings.first().cloned());
        let reading = asked.ok_or_else(|| format!("`{}` has no reading", method.id()))?;
        ParameterError::check(
            readings.contains(&reading),
            "reading",
            &reading,
            &format!("one of {}", names()),
        )
        .map_err(text)?;
        parameters.reading = Some(reading.clone());
        let checked = match parameters.by {
            SearchOrder::All => grid.points(),
            SearchOrder::Turns => {
                (0..grid.0.len()).flat_map(|setting| grid.turn(setting, &grid.first())).collect()
            }
        };
        for point in checked {
            if at(&grid, &point, &*method, build)?.readings() != readings {
                let what = grid.describe(&point);
                return Err(format!(
                    "grid point {what}: its readings are not {}, those of the first",
                    names()
                ));
            }
        }
        Ok(Self { build: build.clone(), parameters, grid, method: first, searched, reading })
    }

    /// Number of fits in the search.
    pub fn budget(&self) -> usize {
        let sizes = self.grid.0.iter().map(|setting| setting.values.len());
        match self.parameters.by {
            SearchOrder::All => sizes.product(),
            SearchOrder::Turns => 1 + sizes.map(|size| size - 1).sum::<usize>(),
        }
    }

    /// Tries the grid, every point once. Returns also the best fit, where it is not fitted again.
    fn search(
        &self,
        parts: &[Part],
        context: &Context,
    ) -> Result<(Search<Point>, Option<Kept>), FitError> {
        let (mut search, mut kept): (Search<Point>, Option<Kept>) = (Search::default(), None);
        let turns = match self.parameters.by {
            SearchOrder::All => 1,
            SearchOrder::Turns => self.grid.0.len(),
        };
        for turn in 0..turns {
            let points = match self.parameters.by {
                SearchOrder::All => self.grid.points(),
                SearchOrder::Turns => {
                    let chosen =
                        search.best().map_or(self.grid.first(), |(point, _)| point.clone());
                    self.grid.turn(turn, &chosen)
                }
            };
            let points: Vec<Point> =
                points.into_iter().filter(|point| !search.has_tried(point)).collect();
            let scores = self.scores(&points, parts, &mut kept, context)?;
            for (point, score) in points.into_iter().zip(scores) {
                search.add(point, score)?;
            }
        }
        Ok((search, kept))
    }

    /// The score of each point, the mean over the rows of all parts that are held out. Keeps the
    /// best fit so far, where it is not fitted again.
    ///
    /// # Errors
    /// [`FitError::Cancelled`] and [`FitError::TimedOut`]: they end the search.
    fn scores(
        &self,
        points: &[Point],
        parts: &[Part],
        kept: &mut Option<Kept>,
        context: &Context,
    ) -> Result<Vec<Result<f64, FitError>>, FitError> {
        let keeps = !self.parameters.refit && self.parameters.in_search.is_empty();
        let rows: usize = parts.iter().map(|part| part.held_out.rows()).sum();
        let mut scores: Vec<Option<Result<f64, FitError>>> = points.iter().map(|_| None).collect();
        for part in parts {
            let share = part.held_out.rows() as f64 / rows as f64;
            let mut together = self.fit_together(points, &part.rest, context).into_iter().flatten();
            for (point, total) in points.iter().zip(&mut scores) {
                let shared = together.next();
                if matches!(total, Some(Err(_))) {
                    continue;
                }
                let fitted = shared
                    .unwrap_or_else(|| self.fit_at(&*self.searched, point, &part.rest, context));
                let found = fitted.as_deref().map_err(FitError::clone);
                let score = found.and_then(|fitted| self.score(fitted, &part.held_out, context));
                if let Err(stop @ (FitError::Cancelled | FitError::TimedOut)) = score {
                    return Err(stop);
                }
                if let (true, Ok(score), Ok(fitted)) = (keeps, &score, fitted)
                    && !score.is_nan()
                    && kept.as_ref().is_none_or(|best| *score > best.score)
                {
                    *kept = Some(Kept { score: *score, fitted });
                }
                let score = score.map(|score| share * score);
                *total = Some(match total.take() {
                    Some(before) => before.and_then(|before| Ok(before + score?)),
                    None => score,
                });
            }
        }
        Ok(scores.into_iter().flatten().collect())
    }

    /// The search's fits of these points, where the method shares work among them.
    fn fit_together(
        &self,
        points: &[Point],
        rest: &Table,
        context: &Context,
    ) -> Option<Vec<FitResult>> {
        let parameters = self.searched.parameters();
        let settings = points
            .iter()
            .map(|point| self.grid.put(point, &parameters).ok())
            .collect::<Option<Vec<_>>>()?;
        self.searched.fit_settings(&settings, rest, context)
    }

    /// The fit of `method` on `train` with the settings of a point.
    fn fit_at(
        &self,
        method: &dyn Method,
        point: &Point,
        train: &Table,
        context: &Context,
    ) -> FitResult {
        at(&self.grid, point, method, &self.build)
            .map_err(FitError::Unsupported)?
            .fit(train, context)
    }

    /// The score of a fit on `held_out`.
    fn score(
        &self,
        fitted: &dyn Fitted,
        held_out: &Table,
        context: &Context,
    ) -> Result<f64, FitError> {
        let ValidatedParameters { score, levels, .. } = &self.parameters;
        let request =
            Request { quantile_levels: score.levels(levels), split: false, ..Request::default() };
        let predictive =
            fitted.predict(&self.reading, held_out.features.view(), &request, context)?;
        score.of(&predictive, held_out, levels)?.ok_or_else(|| {
            FitError::Unsupported(format!(
                "`{}` has no finite {} score of the held-out rows (\"crps\" and \"pinball\" need \
                 no density)",
                self.method.id(),
                json!(score)
            ))
        })
    }
}

const ID: &str = "validated";

/// The best fit of a search that is not fitted again.
struct Kept {
    score: f64,
    fitted: Box<dyn Fitted>,
}

/// The method with the settings of a grid point.
fn at(
    grid: &SettingsGrid,
    point: &Point,
    method: &dyn Method,
    build: &Build,
) -> Result<Box<dyn Method>, String> {
    let built = grid
        .put(point, &method.parameters())
        .and_then(|parameters| build(method.id(), &parameters));
    built.map_err(|error| format!("grid point {}: {error}", grid.describe(point)))
}

/// The method with other values of some parameters.
fn with(
    parameters: &Map<String, Value>,
    method: &dyn Method,
    build: &Build,
) -> Result<Box<dyn Method>, String> {
    let mut all = method.parameters().as_object().cloned().unwrap_or_default();
    all.extend(parameters.clone());
    build(method.id(), &all.into()).map_err(|error| format!("in_search: {error}"))
}

impl Method for Validated {
    fn id(&self) -> &'static str {
        ID
    }

    fn version(&self) -> u32 {
        1
    }

    fn parameters(&self) -> Value {
        let mut parameters = serde_json::json!(self.parameters);
        parameters["method"] = describe_part(&*self.method);
        parameters["grid"] = serde_json::json!(self.grid);
        parameters
    }

    fn readings(&self) -> Vec<Reading> {
        self.method.readings()
    }

    fn facts(&self) -> Facts {
        let Facts { predicts_targets, takes_missing, .. } = self.method.facts();
        let chooses_by_coverage =
            matches!(self.parameters.score, ValidationScore::NarrowestCovering { .. });
        Facts { chooses_by_coverage, predicts_targets, takes_missing, ..Facts::default() }
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        let n = train.rows();
        rows::at_least(ID, 2, n)?;
        rows::finite_target(ID, "training row", train.target.view())?;
        let parts = parts::divide(train, &self.parameters, context);
        let (search, kept) = self.search(&parts, context)?;
        let chosen = search.chosen(ID, |point| self.grid.describe(point))?;
        let fitted = match (kept, &parts[..]) {
            (Some(best), _) => best.fitted,
            (None, [part]) if !self.parameters.refit => {
                self.fit_at(&*self.method, chosen, &part.rest, context)?
            }
            _ => self.fit_at(&*self.method, chosen, train, context)?,
        };
        let search = self.side_table(&search, chosen);
        Ok(Box::new(Searched { id: ID, chosen: chosen.clone(), fitted, search }))
    }

    fn restore(&self, state: &[u8]) -> Restored {
        Searched::restored(ID, state, |chosen: &Point, inner| {
            let damaged = |why: String| StateError::damaged(ID, why);
            self.grid.check(chosen).map_err(damaged)?;
            at(&self.grid, chosen, &*self.method, &self.build).map_err(damaged)?.restore(inner)
        })
    }
}

impl Validated {
    /// The side table `search`: one row for each trial with a finite score, in the order tried; a
    /// column for each setting (its value, or its place in the grid, from 0, where not all values
    /// are numbers), `score`, and `chosen`: 1 for the best.
    fn side_table(&self, search: &Search<Point>, chosen: &Point) -> SideTable {
        let settings: Vec<&str> =
            self.grid.0.iter().map(|setting| setting.parameter.as_str()).collect();
        let numbers =
            |point: &Point| (0..settings.len()).map(|i| self.grid.number(i, point)).collect();
        let finite = search.scored().filter(|(_, score)| score.is_finite());
        side_table(Candidates::SEARCH, &settings, numbers, Outcome::Score, finite, chosen)
    }
}
