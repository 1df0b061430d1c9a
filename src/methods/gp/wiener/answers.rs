//! Answer for a new y and its split, and leave behind what figures and tables need.

use ndarray::{Array1, ArrayView2};

use super::fitted::FittedRegression;
use super::{ID, WITH_GAP, figures, side_tables};
use crate::methods::scales::Scale;
use crate::methods::{Context, FitError, Fitted, Reading, Request, SideTable};
use crate::predictive::{Predictive, Split};

impl Fitted for FittedRegression {
    fn predict(
        &self,
        reading: &Reading,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let answers = self.predict_all(std::slice::from_ref(reading), features, request, context)?;
        answers.into_iter().next().ok_or_else(|| FitError::Unsupported(format!("{ID}: no reading was asked for")))
    }

    fn predict_all(
        &self,
        readings: &[Reading],
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Vec<Predictive>, FitError> {
        context.checkpoint()?;
        if let Some(unknown) = readings.iter().find(|r| **r != Reading::MAIN && r.as_str() != WITH_GAP) {
            let main = Reading::MAIN;
            return Err(FitError::Unsupported(format!(
                "{ID} has the readings '{main}' and '{WITH_GAP}', asked for '{unknown}'"
            )));
        }
        let rows = self.rows(features, context)?;
        let variance = self.chosen.noise.variance();
        let Scale { shift, scale } = self.target();
        let one = |reading: &Reading| {
            let split = request.split.then(|| Split {
                aleatoric: Some(Array1::from_elem(rows.len(), variance)),
                epistemic: Some(rows.iter().map(|row| row.epistemic).collect()),
            });
            let form = self.answer(&rows, *reading != Reading::MAIN);
            let predictive = Predictive { form, split }
                .affine(shift, scale)
                .map_err(|error| FitError::Diverged(format!("{ID}: {error}")))?;
            predictive.validate().map_err(|error| FitError::Diverged(format!("{ID}: {error}")))?;
            Ok(predictive)
        };
        readings.iter().map(one).collect()
    }

    fn readings_share_work(&self) -> bool {
        true
    }

    fn side_tables(&self) -> Vec<SideTable> {
        side_tables::of_fit(self)
    }

    fn side_tables_at(
        &self,
        features: ArrayView2<f64>,
        _: &Request,
        context: &Context,
    ) -> Result<Vec<SideTable>, FitError> {
        let mut all = side_tables::at(self, features, context)?;
        if let Some(realisations) = self.realisations
            && features.ncols() == 1
        {
            all.extend(figures::realisations(self, realisations, features, context)?);
        }
        Ok(all)
    }
}
