//! Predict a new y and its split, and lay out the side tables for figures and pages.

use ndarray::{Array1, ArrayView2};

use super::fitted::FittedRegression;
use super::{ID, figures, side_tables};
use crate::methods::engine::question;
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
        readings.iter().try_for_each(|reading| question::one_of(ID, &super::readings(), reading))?;
        let rows = self.rows(features, context)?;
        let variance = self.chosen.noise.variance();
        let one = |reading: &Reading| {
            let split = request.split.then(|| Split {
                aleatoric: Some(Array1::from_elem(rows.len(), variance)),
                epistemic: Some(rows.iter().map(|row| row.epistemic).collect()),
            });
            let form = self.answer(&rows, *reading != Reading::MAIN);
            self.scales.in_target_units(ID, &Predictive { form, split })
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
