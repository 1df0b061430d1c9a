//! Choose the settings of any method by validation inside the training rows.
//!
//! A random part of the training rows is held out. The method is fitted on the rest with each setting of the grid, and
//! the setting with the best score on the held-out rows is chosen. The method with this setting is then fitted on all
//! training rows. Test rows are not used. The score, of which higher is better, is the mean over the held-out rows of
//!
//! - `log-density`: ln p(y); where the target's resolution is known the log probability of the cell of that width about y, because a
//!   density on a discrete target grows without bound as it gets narrower;
//! - `crps`: minus the continuous ranked probability score;
//! - `pinball`: minus the pinball loss, averaged over `levels`, for methods that predict quantiles and have no density.
//!
//! Each is proper: wider intervals alone do not improve it. A setting whose fit fails, or whose score is undefined in
//! any held-out row, is not chosen; of equally good ones the one tried first is. The held-out rows come from the stream
//! `("validation-rows", 0)`. All
//! fits draw from the same streams as the method alone: a start of the search is also the start of the last fit, and
//! the last fit is that of the method with the chosen settings, bit for bit.
//!
//! # Budget
//! With v₁, …, v_s values of s settings `all` tries the whole grid, v₁ · … · v_s fits; `turns` starts from the first value of each
//! setting and takes one setting after the other, all others as chosen so far, 1 + Σ (v_i − 1) fits. One more fit follows on
//! all rows. The budget is the same for every dataset.
//!
//! # References
//! M. Stone: *Cross-validatory choice and assessment of statistical predictions*, JRSS B 36, 1974.
//! T. Gneiting, A. E. Raftery: *Strictly proper scoring rules, prediction, and estimation*, JASA 102, 2007: the scores.

mod grid;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::engine::rows;
use super::engine::search::{Search, Searched, side_table};
use super::{Context, FitError, Fitted, Method, ParameterError, Reading, Request, SideTable};
use crate::data::Table;
use crate::math::random::permutation;
use crate::methods::entry::{Build, Entry, Tried, boxed, layer, read};
use crate::methods::parameter::{Choices, Parameter, Parameters, Words, above, defaults, one_or_more, parameters};
use crate::methods::part::{NAMED, describe_part, take, take_method};
use crate::predictive::Distribution;
use crate::side_tables::{Candidates, Outcome};
use grid::{Point, SettingsGrid};

/// The score of a fit on the held-out rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValidationScore {
    /// Mean log density, or mean log probability of the outcome's cell.
    #[default]
    LogDensity,
    /// Minus the mean continuous ranked probability score.
    Crps,
    /// Minus the mean pinball loss over the levels.
    Pinball,
}

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
    /// `grid` is `{ "name": [values], … }`, in the order of the names, or `[{ "parameter": "name", "values": [values] }, …]`,
    /// in its own order, of at most 1000 points. A dotted name such as `training.adam.learning_rate` leads into a group of
    /// parameters.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ValidatedParameters {
        /// Share of the training rows held out: round(share × rows), leaving a row on each side.
        fraction: f64 = 0.1, in above(0.0).below(1.0);
        /// The score of a fit on the held-out rows.
        score: ValidationScore = ValidationScore::LogDensity, in Choices;
        /// Whether the whole grid is tried, or one setting after the other.
        by: SearchOrder = SearchOrder::All, in Choices;
        /// Which reading is scored; null: the first.
        reading: Option<Reading> = None, in Words("a reading of the method, or null");
        /// Increasing levels of the quantiles that a fit predicts for the pinball loss.
        levels: Vec<f64> = Request::default().quantile_levels, in one_or_more(above(0.0).below(1.0));
    }
}

/// A method with settings chosen by validation.
pub struct Validated {
    build: Build,
    parameters: ValidatedParameters,
    grid: SettingsGrid,
    /// The method at the grid's first point.
    method: Box<dyn Method>,
    /// The reading that is scored.
    reading: Reading,
}

impl Validated {
    /// Its entry in the registry.
    pub const ENTRY: Entry = Entry {
        id: ID,
        title: "any method, settings validated inside the training rows",
        tried: Some(Tried {
            settings: "mean-variance network, step size and hidden units chosen on a tenth of the training rows in 4 fits",
            unasked: false,
            cost: |n, d| 1e-4 * layer(n, d),
            parameters: || {
                json!({
                    "method": { "id": "mean-variance-network" },
                    "grid": { "training.adam.learning_rate": [0.01, 0.001], "hidden": [50, 100] },
                })
            },
        }),
        parameters: || {
            let method = Parameter::required("method", NAMED, "Method whose settings are searched.");
            let grid =
                Parameter::required("grid", "{ name = [values], .. } of its parameters", "Values that are tried.");
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
    /// In words: a parameter out of its range, a grid without points, or a value that the method refuses, with its grid point.
    pub fn new(
        mut parameters: ValidatedParameters,
        grid: &Value,
        method: Box<dyn Method>,
        build: Build,
    ) -> Result<Self, String> {
        let text = |error: ParameterError| error.to_string();
        parameters.check().map_err(text)?;
        let levels = &parameters.levels;
        let increasing = levels.is_sorted_by(|a, b| a < b);
        ParameterError::check(increasing, "levels", format!("{levels:?}"), "increasing numbers").map_err(text)?;
        let grid = SettingsGrid::read(grid)?;
        let first = at(&grid, &grid.first(), &*method, build)?;
        let readings = first.readings();
        let names = || readings.iter().map(Reading::to_string).collect::<Vec<_>>().join(", ");
        let asked = parameters.reading.take().or_else(|| readings.first().cloned());
        let reading = asked.ok_or_else(|| format!("`{}` has no reading", method.id()))?;
        ParameterError::check(readings.contains(&reading), "reading", &reading, &format!("one of {}", names()))
            .map_err(text)?;
        parameters.reading = Some(reading.clone());
        let checked = match parameters.by {
            SearchOrder::All => grid.points(),
            SearchOrder::Turns => (0..grid.0.len()).flat_map(|setting| grid.turn(setting, &grid.first())).collect(),
        };
        for point in checked {
            if at(&grid, &point, &*method, build)?.readings() != readings {
                let what = grid.describe(&point);
                return Err(format!("grid point {what}: its readings are not {}, those of the first", names()));
            }
        }
        Ok(Self { build, parameters, grid, method: first, reading })
    }

    /// Number of fits in the search.
    pub fn budget(&self) -> usize {
        let sizes = self.grid.0.iter().map(|setting| setting.values.len());
        match self.parameters.by {
            SearchOrder::All => sizes.product(),
            SearchOrder::Turns => 1 + sizes.map(|size| size - 1).sum::<usize>(),
        }
    }

    /// Tries the grid; every point once.
    fn search(&self, rest: &Table, held_out: &Table, context: &Context) -> Result<Search<Point>, FitError> {
        let mut search: Search<Point> = Search::new();
        let turns = match self.parameters.by {
            SearchOrder::All => 1,
            SearchOrder::Turns => self.grid.0.len(),
        };
        for turn in 0..turns {
            let points = match self.parameters.by {
                SearchOrder::All => self.grid.points(),
                SearchOrder::Turns => {
                    let chosen = search.best().map_or(self.grid.first(), |(point, _)| point.clone());
                    self.grid.turn(turn, &chosen)
                }
            };
            for point in points {
                if !search.has_tried(&point) {
                    let score = self.score(&point, rest, held_out, context);
                    search.add(point, score)?;
                }
            }
        }
        Ok(search)
    }

    /// The score on `held_out` of the fit on `rest` with the settings of a point.
    fn score(&self, point: &Point, rest: &Table, held_out: &Table, context: &Context) -> Result<f64, FitError> {
        let method = at(&self.grid, point, &*self.method, self.build).map_err(FitError::Unsupported)?;
        let request = Request { quantile_levels: self.parameters.levels.clone(), split: false, ..Request::default() };
        let fitted = method.fit(rest, context)?;
        let predictive = fitted.predict(&self.reading, held_out.features.view(), &request, context)?;
        let distribution = predictive.distribution();
        let of_row = |(i, &y): (usize, &f64)| match (self.parameters.score, held_out.target_resolution) {
            (ValidationScore::LogDensity, Some(step)) => distribution.ln_probability(i, y - 0.5 * step, y + 0.5 * step),
            (ValidationScore::LogDensity, None) => distribution.log_density(i, y),
            (ValidationScore::Crps, _) => distribution.crps(i, y).map(|loss| -loss),
            (ValidationScore::Pinball, _) => pinball(distribution, i, y, &self.parameters.levels).map(|loss| -loss),
        };
        let total: Option<f64> = held_out.target.iter().enumerate().map(of_row).sum();
        let undefined = || {
            FitError::Unsupported(format!(
                "`{}` has no finite {} score of the held-out rows (\"crps\" and \"pinball\" need no density)",
                method.id(),
                serde_json::json!(self.parameters.score)
            ))
        };
        total.map(|total| total / held_out.rows() as f64).filter(|score| !score.is_nan()).ok_or_else(undefined)
    }
}

const ID: &str = "validated";

/// The method with the settings of a grid point.
fn at(grid: &SettingsGrid, point: &Point, method: &dyn Method, build: Build) -> Result<Box<dyn Method>, String> {
    let built = grid.put(point, &method.parameters()).and_then(|parameters| build(method.id(), &parameters));
    built.map_err(|error| format!("grid point {}: {error}", grid.describe(point)))
}

/// Mean pinball loss of the quantiles at the levels; `None` where one of them is undefined.
fn pinball(distribution: &dyn Distribution, i: usize, y: f64, levels: &[f64]) -> Option<f64> {
    let loss = |&level: &f64| {
        let error = y - distribution.quantile(i, level)?;
        Some(if error >= 0.0 { level * error } else { (level - 1.0) * error })
    };
    let total: Option<f64> = levels.iter().map(loss).sum();
    total.map(|total| total / levels.len() as f64)
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

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        let n = train.rows();
        rows::at_least(ID, 2, n)?;
        rows::finite_target(ID, "training row", train.target.view())?;
        let count = ((self.parameters.fraction * n as f64).round() as usize).clamp(1, n - 1);
        let order = permutation(n, &mut context.stream("validation-rows", 0));
        let (held_out, rest) = (train.select(&order[..count]), train.select(&order[count..]));
        let search = self.search(&rest, &held_out, context)?;
        let chosen = search.chosen(ID, |point| self.grid.describe(point))?;
        let method = at(&self.grid, chosen, &*self.method, self.build).map_err(FitError::Unsupported)?;
        Ok(Box::new(Searched { fitted: method.fit(train, context)?, search: self.side_table(&search, chosen) }))
    }
}

impl Validated {
    /// The side table `search`: one row for each trial with a finite score, in the order tried; a column for each
    /// setting (its value, or its place in
    /// the grid, from 0, where not all values are numbers), `score`, and `chosen`: 1 for the best.
    fn side_table(&self, search: &Search<Point>, chosen: &Point) -> SideTable {
        let settings: Vec<&str> = self.grid.0.iter().map(|setting| setting.parameter.as_str()).collect();
        let numbers = |point: &Point| (0..settings.len()).map(|i| self.grid.number(i, point)).collect();
        let finite = search.scored().filter(|(_, score)| score.is_finite());
        side_table(Candidates::SEARCH, (&settings, numbers), Outcome::Score, finite, chosen)
    }
}
