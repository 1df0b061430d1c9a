//! Hold a fitted stack, and predict with the pool of its members.

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::ID;
use super::errors::Errors;
use super::pool::Members;
use crate::engine::own_units::OwnUnitsModel;
use crate::side_tables::Pool;
use crate::state::{self, StateError, require};
use crate::{Context, FitError, Fitted, Method, Reading, Request, SideTable, levels};
use uq_core::predictive::{Form, Predictive, Quantiles};

/// A member's fits and how they are read.
#[derive(Serialize)]
pub(super) struct Model {
    #[serde(skip)]
    pub id: &'static str,
    /// Its place among the given methods, from 0.
    pub place: usize,
    pub reading: Reading,
    #[serde(serialize_with = "state::of_fits")]
    pub fits: Vec<Box<dyn Fitted>>,
}

/// A model as it is written, with the members' states.
#[derive(Deserialize)]
struct WrittenModel {
    place: usize,
    reading: Reading,
    fits: Vec<Vec<u8>>,
}

impl Model {
    /// The means over the fits of the quantiles at these levels, n × levels.
    ///
    /// # Errors
    /// As [`Self::quantiles_of`].
    fn quantiles(
        &self,
        levels: &[f64],
        features: ArrayView2<f64>,
        context: &Context,
    ) -> Result<Array2<f64>, FitError> {
        let mut mean = Array2::zeros((features.nrows(), levels.len()));
        for (i, fitted) in self.fits.iter().enumerate() {
            mean +=
                &self.quantiles_of(&**fitted, levels, features, &context.child("fit", i as u64))?;
        }
        Ok(mean / self.fits.len() as f64)
    }

    /// A fit's quantiles at these levels, n × levels.
    ///
    /// # Errors
    /// Errors of the member, and [`FitError::Diverged`] where a quantile is undefined or not
    /// finite.
    pub fn quantiles_of(
        &self,
        fitted: &dyn Fitted,
        levels: &[f64],
        features: ArrayView2<f64>,
        context: &Context,
    ) -> Result<Array2<f64>, FitError> {
        let request =
            Request { quantile_levels: levels.to_vec(), split: false, ..Request::default() };
        let answer = fitted.predict(&self.reading, features, &request, context)?;
        levels::finite_quantiles(ID, self.id, &answer, levels)
    }
}

/// The members' fits, the pool's weights and what calibrates it.
#[derive(Serialize)]
pub(super) struct FittedStack {
    pub models: Vec<Model>,
    pub weights: Vec<f64>,
    pub errors: Errors,
    pub pool: Pool,
}

/// A fit as it is written.
#[derive(Deserialize)]
pub(super) struct Written {
    models: Vec<WrittenModel>,
    weights: Vec<f64>,
    errors: Errors,
    pool: Pool,
}

impl FittedStack {
    /// The fit that was written, of these members.
    ///
    /// # Errors
    /// [`StateError`] from a member, or for one that is not there.
    pub fn restored(written: Written, members: &[Box<dyn Method>]) -> Result<Self, StateError> {
        let Written { models, weights, errors, pool } = written;
        let model = |WrittenModel { place, reading, fits }: WrittenModel| {
            let of = members
                .get(place)
                .ok_or_else(|| StateError::damaged(ID, "a model of no member"))?;
            let fits = fits.iter().map(|state| of.restore(state)).collect::<Result<_, _>>()?;
            Ok::<_, StateError>(Model { id: of.id(), place, reading, fits })
        };
        let models = models.into_iter().map(model).collect::<Result<_, _>>()?;
        Ok(Self { models, weights, errors, pool })
    }
}

impl OwnUnitsModel for FittedStack {
    const ID: &'static str = ID;

    fn check(&self, columns: usize) -> Result<(), String> {
        let fitted =
            !self.models.is_empty() && self.models.iter().all(|model| !model.fits.is_empty());
        require(fitted && self.weights.len() == self.models.len(), "weights of other members")?;
        self.errors.check(columns)
    }

    fn answer(
        &self,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let asked = &request.quantile_levels;
        let wanted = levels::with_grid(ID, asked)?;
        // Calibration compares quantiles at the levels of the grid.
        let levels =
            if self.errors.calibrate() { levels::with_grid(ID, &[])? } else { wanted.clone() };
        let of_members = self
            .models
            .iter()
            .enumerate()
            .map(|(k, model)| {
                model.quantiles(&levels, features, &context.child("member", k as u64))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let of_members: Vec<&Array2<f64>> = of_members.iter().collect();
        let mut pooled = Array2::zeros((features.nrows(), levels.len()));
        for row in 0..features.nrows() {
            context.checkpoint()?;
            Members::at(&levels, &of_members, row, None)
                .pooled(&self.weights, |level, value| pooled[(row, level)] = value);
        }
        let raw = Quantiles { levels, values: pooled };
        let found = self.errors.apply(raw, features, wanted, asked)?;
        Ok(Predictive::new(Form::Quantiles(found)))
    }

    /// The members in the order of the pool; of several fits of a member the first.
    fn parts(&self) -> Vec<(&'static str, &dyn Fitted)> {
        self.models.iter().filter_map(|model| Some((model.id, &**model.fits.first()?))).collect()
    }

    fn side_tables(&self) -> Vec<SideTable> {
        vec![self.pool.to_table()]
    }
}
