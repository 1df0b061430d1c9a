//! Hold a fitted stack, and predict with the pool of its members.

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::ID;
use super::pooling::Pooling;
use crate::engine::own_units::OwnUnitsModel;
use crate::state::{self, StateError, require};
use crate::{Context, FitError, Fitted, Method, Reading, Request, SideTable, levels};
use uq_core::predictive::Predictive;

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

/// The members' fits, and how they are pooled.
#[derive(Serialize)]
pub(super) struct FittedStack {
    pub models: Vec<Model>,
    pub pooling: Pooling,
}

/// A fit as it is written.
#[derive(Deserialize)]
pub(super) struct Written {
    models: Vec<WrittenModel>,
    pooling: Pooling,
}

impl FittedStack {
    /// The fit that was written, of these members.
    ///
    /// # Errors
    /// [`StateError`] from a member, or for one that is not there.
    pub fn restored(written: Written, members: &[Box<dyn Method>]) -> Result<Self, StateError> {
        let Written { models, pooling } = written;
        let model = |WrittenModel { place, reading, fits }: WrittenModel| {
            let of = members
                .get(place)
                .ok_or_else(|| StateError::damaged(ID, "a model of no member"))?;
            let fits = fits.iter().map(|state| of.restore(state)).collect::<Result<_, _>>()?;
            Ok::<_, StateError>(Model { id: of.id(), place, reading, fits })
        };
        let models = models.into_iter().map(model).collect::<Result<_, _>>()?;
        Ok(Self { models, pooling })
    }
}

impl OwnUnitsModel for FittedStack {
    const ID: &'static str = ID;

    fn check(&self, columns: usize) -> Result<(), String> {
        let fitted =
            !self.models.is_empty() && self.models.iter().all(|model| !model.fits.is_empty());
        require(fitted, "a member without a fit")?;
        self.pooling.check(self.models.len(), columns)
    }

    fn answer(
        &self,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let levels = self.pooling.levels(&request.quantile_levels)?;
        let of_members = self
            .models
            .iter()
            .enumerate()
            .map(|(k, model)| {
                model.quantiles(&levels, features, &context.child("member", k as u64))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let of_members: Vec<&Array2<f64>> = of_members.iter().collect();
        self.pooling.predict(&of_members, features, &request.quantile_levels, context)
    }

    /// The members in the order of the pool; of several fits of a member the first.
    fn parts(&self) -> Vec<(&'static str, &dyn Fitted)> {
        self.models.iter().filter_map(|model| Some((model.id, &**model.fits.first()?))).collect()
    }

    fn side_tables(&self) -> Vec<SideTable> {
        vec![self.pooling.table().to_table()]
    }
}
