//! Weigh an ensemble's models by the mixed strategy of a player who minimises the worst loss over
//! parts of a UQ set.
//!
//! Decision theoretic bootstrapping (DTB), Algorithm 1, over any methods. The training rows are
//! separated into T and U (or T = U). Model F_i is fitted on a random subset of T. U is sorted by
//! the target and cut into n subsets U_j. For k = 1, …, K a random part of each U_j makes an
//! empirical distribution μ_j^(k), and the game
//!
//! ```text
//! L_ij = E_{(X,Y) ~ μ_j} (Y − F_i(X))²                                  (1.1, 2.2)
//! v^(k) = min_p max_q Σ_ij p_i L_ij q_j                                 (1.2, 2.3)
//! p̄ = 1/K Σ_k p^(k)                                                     (2.4)
//! ρ(X) = Σ_i F_i(X) p̄_i                                                 (3.1)
//! σ²(X) = Σ_i (F_i(X) − ρ(X))² p̄_i                                      (3.2)
//! ```
//!
//! gives the weights of the models. A prediction is the atoms F_i(X) with weights p̄_i; its spread
//! is the models' disagreement, so it is epistemic only: there is no noise part and no density.
//!
//! # Readings
//! `game` weighs by p̄, `uniform` by 1/m. Each point of `sweep` adds a reading
//! `game@<ratio>x<games>` of the same models.
//!
//! # Departures from the paper
//! (3.2) is a variance; the text calls it the standard deviation. (2.1) divides by |U_j| while it
//! sums over a random part of U_j: here the mean is over the part drawn. The paper does not say how
//! U is cut where n does not divide |U| (here: longer bins first), how many rows are drawn of a bin
//! (here: max(1, round(ratio × size))), whether with replacement (here: without), nor which p is
//! taken where several are optimal (see [`super::game`]). Where U has fewer rows than bins, each
//! row is a bin. `reports/errata/dtb.md` has the reasons.
//!
//! # References
//! P. Tavallali, H. Hamze Bajgiran, D. J. Esaid, H. Owhadi: Decision theoretic bootstrapping, 2021.

mod parameters;

use ndarray::{Array1, Array2, ArrayView2, Axis};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use parameters::{DtbParameters, SweepPoint, UqSet};

use super::bootstrap_game::{Purified, UqLosses};
use crate::engine::shared::{Shared, SharedModel};
use crate::engine::{question, rows};
use crate::entry::{Build, Entry, Tried, boxed, read, sorted};
use crate::parameter::{Parameter, defaults};
use crate::part::{build_part, describe_part};
use crate::state::{self, require};
use crate::{
    Context, FitError, Fitted, Method, ParameterError, Reading, Request, Restored, SideTable,
    StateError,
};
use uq_core::Table;
use uq_core::math::random::draw_without_replacement;
use uq_core::predictive::{Atoms, Form, Predictive, Split};

const ID: &str = "dtb";

/// `count` models of one method, each fitted on a subset of its own.
pub struct LearnerGroup {
    /// The method.
    pub method: Box<dyn Method>,
    /// Number of models.
    pub count: usize,
}

/// Decision theoretic bootstrapping as a method.
pub struct Dtb {
    parameters: DtbParameters,
    learners: Vec<LearnerGroup>,
}

impl Dtb {
    /// Its entry in the registry.
    pub const ENTRY: Entry = Entry {
        id: "dtb",
        title: "decision-theoretic bootstrapping over any methods",
        tried: Some(Tried {
            settings: "ten trees of depth at most 10, each on half of the rows, weighed by the \
                       game; the spread of the trees, without noise",
            cost: |n, d| 5e-7 * sorted(n, d),
            // The strong trees of the paper's Table 1.
            parameters: || json!({ "learners": [{ "id": "tree", "count": 10, "parameters": { "max_depth": 10 } }] }),
        }),
        parameters: || {
            let expected = "a list of { id, count, parameters }";
            let learners = Parameter::required(
                "learners",
                expected,
                "Methods that are fitted, each `count` times.",
            );
            [vec![learners], defaults::<DtbParameters>()].concat()
        },
        build: |given, build| {
            let mut own = given.clone();
            let learners = learners(&mut own, build)?;
            boxed(Self::new(read(&own)?, learners))
        },
    };

    /// The method over these learners; a model's prediction is the mean of its method's first
    /// reading.
    ///
    /// # Errors
    /// [`ParameterError`] for a parameter out of its range, or without learners.
    pub fn new(
        parameters: DtbParameters,
        learners: Vec<LearnerGroup>,
    ) -> Result<Self, ParameterError> {
        parameters.check_all()?;
        ParameterError::check(
            !learners.is_empty(),
            "learners",
            "[]",
            "at least one group of learners",
        )?;
        for (i, group) in learners.iter().enumerate() {
            let name = format!("learners[{i}].count");
            ParameterError::check(
                group.count >= 1,
                &name,
                group.count,
                "a whole number of at least 1",
            )?;
            let name = format!("learners[{i}].id");
            ParameterError::check(
                !group.method.readings().is_empty(),
                &name,
                group.method.id(),
                "a method with a reading",
            )?;
        }
        Ok(Self { parameters, learners })
    }

    /// Step 1: the rows of T and of U, both ascending. U is whole groups, or the last rows, where
    /// the table states groups or periods.
    fn separate(
        &self,
        train: &Table,
        context: &Context,
    ) -> Result<(Vec<usize>, Vec<usize>), FitError> {
        let rows = train.rows();
        rows::at_least(ID, 2, rows)?;
        if self.parameters.uq_set == UqSet::Shared {
            return Ok(((0..rows).collect(), (0..rows).collect()));
        }
        let count = match self.parameters.uq_rows {
            Some(count) if count >= rows => {
                return Err(FitError::Unsupported(format!(
                    "DTB holds out {count} rows (`uq_rows`), more than {rows} training rows allow: \
                     at most {}",
                    rows - 1
                )));
            }
            Some(count) => count,
            None => {
                ((self.parameters.uq_fraction * rows as f64).round() as usize).clamp(1, rows - 1)
            }
        };
        let mut held_out = vec![false; rows];
        let stream = &mut context.stream("uq-split", 0);
        let dependent = train.dependence.held_out(count, stream);
        for i in dependent.unwrap_or_else(|| draw_without_replacement(rows, count, stream)) {
            held_out[i] = true;
        }
        Ok((0..rows).partition(|&i| !held_out[i]))
    }

    /// Step 2: the models, each on a random subset of T. The i-th of all subsets comes from the
    /// stream `("subset-rows", i)`, the learners of group g fit in the child context
    /// `("learner", g)`.
    fn fit_models(&self, t: &Table, context: &Context) -> Result<Models, FitError> {
        let size = ((self.parameters.subset_fraction * t.rows() as f64).round() as usize).max(1);
        let mut members = Vec::new();
        for (g, group) in self.learners.iter().enumerate() {
            let drawn = (members.len()..members.len() + group.count).map(|i| {
                let mut rows = draw_without_replacement(
                    t.rows(),
                    size,
                    &mut context.stream("subset-rows", i as u64),
                );
                // A set of rows has no order; ascending rows are read faster.
                rows.sort_unstable();
                rows
            });
            let subsets: Vec<Vec<usize>> = drawn.collect();
            let reading = group.method.readings().swap_remove(0);
            let fitted =
                group.method.fit_subsets(t, &subsets, &context.child("learner", g as u64))?;
            members.extend(fitted.into_iter().map(|model| Member {
                group: g,
                reading: reading.clone(),
                model,
            }));
        }
        Ok(Models(members))
    }
}

/// Takes the learners out of the parameters, and builds each of them.
fn learners(own: &mut Value, build: &Build) -> Result<Vec<LearnerGroup>, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Learner {
        id: String,
        count: usize,
        #[serde(default)]
        parameters: Value,
        /// Part of a resolved description; checked, so that an old trial is not run with a newer
        /// learner.
        version: Option<u32>,
    }
    let given = own.as_object_mut().and_then(|map| map.remove("learners")).unwrap_or(Value::Null);
    let learners: Vec<Learner> =
        serde_json::from_value(given).map_err(|error| format!("learners: {error}"))?;
    let built = learners.into_iter().map(|Learner { id, count, parameters, version }| {
        let method = build_part("learner", &id, &parameters, version, build)?;
        Ok(LearnerGroup { method, count })
    });
    built.collect()
}

impl Method for Dtb {
    fn id(&self) -> &'static str {
        ID
    }

    fn version(&self) -> u32 {
        1
    }

    fn parameters(&self) -> serde_json::Value {
        let learner = |group: &LearnerGroup| {
            let mut described = describe_part(&*group.method);
            described["count"] = group.count.into();
            described
        };
        let mut parameters = serde_json::json!(self.parameters);
        parameters["learners"] = self.learners.iter().map(learner).collect();
        parameters
    }

    fn readings(&self) -> Vec<Reading> {
        let sweep = self.parameters.sweep.iter().map(SweepPoint::reading);
        [GAME, UNIFORM].map(Reading::new).into_iter().chain(sweep).collect()
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        let (t_rows, u_rows) = self.separate(train, context)?;
        let models = match self.parameters.uq_set {
            UqSet::Shared => self.fit_models(train, context)?,
            UqSet::Separate => self.fit_models(&train.select(&t_rows), context)?,
        };
        let features = train.features.select(Axis(0), &u_rows);
        let predictions = models.predict(features.view(), &context.child("uq-set", 0))?;
        let target = train.target.select(Axis(0), &u_rows);
        let losses = UqLosses::new(target.view(), predictions.view(), self.parameters.bins);
        let main = (
            Reading::new(GAME),
            SweepPoint { ratio: self.parameters.ratio, games: self.parameters.games },
        );
        let sweep = self.parameters.sweep.iter().map(|&point| (point.reading(), point));
        let play = |(reading, point): (Reading, SweepPoint)| {
            Ok::<_, FitError>((reading, losses.play(point.ratio, point.games, context)?))
        };
        let games: Vec<(Reading, Purified)> =
            std::iter::once(main).chain(sweep).map(play).collect::<Result<_, _>>()?;
        let readings = self.readings();
        Ok(Box::new(Shared(FittedDtb { columns: train.columns(), models, games, readings })))
    }

    fn restore(&self, state: &[u8]) -> Restored {
        Shared::restored_by(state, |content: Written| {
            let member = |(group, reading, state): (usize, Reading, Vec<u8>)| {
                let of = self
                    .learners
                    .get(group)
                    .ok_or_else(|| StateError::damaged(ID, "a model of no learner"))?;
                Ok(Member { group, reading, model: of.method.restore(&state)? })
            };
            let models = Models(content.models.into_iter().map(member).collect::<Result<_, _>>()?);
            Ok(FittedDtb {
                columns: content.columns,
                models,
                games: content.games,
                readings: content.readings,
            })
        })
    }
}

const GAME: &str = "game";
const UNIFORM: &str = "uniform";

/// One model of the ensemble.
#[derive(Serialize)]
struct Member {
    group: usize,
    reading: Reading,
    #[serde(serialize_with = "state::of_fit")]
    model: Box<dyn Fitted>,
}

/// The models F_1, …, F_m.
#[derive(Serialize)]
struct Models(Vec<Member>);

impl Models {
    /// F_i at each of n points, n × m; model i predicts in the child context `("model", i)`.
    fn predict(
        &self,
        features: ArrayView2<f64>,
        context: &Context,
    ) -> Result<Array2<f64>, FitError> {
        let request = Request { split: false, ..Request::default() };
        let mut predictions = Array2::zeros((features.nrows(), self.0.len()));
        for (i, (member, mut column)) in self.0.iter().zip(predictions.columns_mut()).enumerate() {
            let context = context.child("model", i as u64);
            let answer = member.model.predict(&member.reading, features, &request, &context)?;
            let means = answer.means().ok_or_else(|| {
                FitError::Diverged(format!(
                    "model {i} (from 0) of the ensemble predicts no finite mean"
                ))
            })?;
            column.assign(&means);
        }
        Ok(predictions)
    }
}

/// A fitted ensemble and the games played on it.
#[derive(Serialize)]
struct FittedDtb {
    columns: usize,
    models: Models,
    games: Vec<(Reading, Purified)>,
    readings: Vec<Reading>,
}

/// A fit as it is written: of each model its group, its reading and its state.
#[derive(Deserialize)]
struct Written {
    columns: usize,
    models: Vec<(usize, Reading, Vec<u8>)>,
    games: Vec<(Reading, Purified)>,
    readings: Vec<Reading>,
}

impl SharedModel for FittedDtb {
    const ID: &'static str = ID;
    /// The models' predictions, n × m.
    type Found = Array2<f64>;

    fn check(&self) -> Result<(), String> {
        let models = self.models.0.len();
        let weighed = self.games.iter().all(|(_, purified)| purified.weights.len() == models);
        require(models > 0 && weighed, "weights of other models")
    }

    fn readings(&self) -> Vec<Reading> {
        self.readings.clone()
    }

    fn find(&self, features: ArrayView2<f64>, context: &Context) -> Result<Array2<f64>, FitError> {
        question::columns(ID, self.columns, features)?;
        self.models.predict(features, context)
    }

    /// The weights are those of the reading's game, or equal.
    fn read(
        &self,
        reading: &Reading,
        values: &Array2<f64>,
        request: &Request,
    ) -> Result<Predictive, FitError> {
        let m = self.models.0.len();
        let weights = match self.games.iter().find(|(name, _)| name == reading) {
            Some((_, purified)) => Array1::from_vec(purified.weights.clone()),
            None => Array1::from_elem(m, 1.0 / m as f64),
        };
        let split = request.split.then(|| {
            let rho = values.dot(&weights); // (3.1)
            let variance = (values - &rho.insert_axis(Axis(1)))
                .mapv_into(|deviation| deviation * deviation)
                .dot(&weights); // (3.2)
            Split { aleatoric: None, epistemic: Some(variance) }
        });
        let form =
            Form::Atoms(Atoms { values: values.clone(), weights: weights.insert_axis(Axis(0)) });
        Ok(Predictive { form, split })
    }

    /// For every reading `r` with a game: `weights@r` (`model`, `learner`: numbers from 0;
    /// `weight`: p̄) and `values@r` (`game` from 0; `value`: v^(k); `gap`: its duality gap).
    fn side_tables(&self) -> Vec<SideTable> {
        let numbers = |count: usize| (0..count).map(|i| i as f64).collect::<Vec<f64>>();
        let tables = |(reading, purified): &(Reading, Purified)| {
            let learner = self.models.0.iter().map(|member| member.group as f64).collect();
            let weights = [
                ("model", numbers(purified.weights.len())),
                ("learner", learner),
                ("weight", purified.weights.clone()),
            ];
            let values = [
                ("game", numbers(purified.values.len())),
                ("value", purified.values.clone()),
                ("gap", purified.gaps.clone()),
            ];
            [("weights", weights), ("values", values)].map(|(name, columns)| SideTable {
                name: format!("{name}@{reading}"),
                columns: columns.map(|(column, numbers)| (column.to_string(), numbers)).into(),
            })
        };
        self.games.iter().flat_map(tables).collect()
    }
}

#[cfg(test)]
mod tests;
