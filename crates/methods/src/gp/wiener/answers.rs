//! Predict a new y and its split, and lay out the side tables for figures and pages.

use ndarray::{Array1, ArrayView2};

use super::fitted::{FittedRegression, Row};
use super::{ID, figures, side_tables};
use crate::engine::shared::SharedModel;
use crate::{Context, FitError, Reading, Request, SideTable};
use uq_core::predictive::{Predictive, Split};

impl SharedModel for FittedRegression {
    const ID: &'static str = ID;

    fn check(&self) -> Result<(), String> {
        self.check_parts()
    }
    type Found = Vec<Row>;

    fn readings(&self) -> Vec<Reading> {
        super::readings().to_vec()
    }

    fn find(&self, features: ArrayView2<f64>, context: &Context) -> Result<Vec<Row>, FitError> {
        self.rows(features, context)
    }

    fn read(
        &self,
        reading: &Reading,
        rows: &Vec<Row>,
        request: &Request,
    ) -> Result<Predictive, FitError> {
        let variance = self.chosen.noise.variance();
        let split = request.split.then(|| Split {
            aleatoric: Some(Array1::from_elem(rows.len(), variance)),
            epistemic: Some(rows.iter().map(|row| row.epistemic).collect()),
        });
        let form = self.answer(rows, *reading != Reading::MAIN);
        self.scales.in_target_units(ID, &Predictive { form, split })
    }

    fn side_tables(&self) -> Vec<SideTable> {
        side_tables::of_fit(self)
    }

    fn side_tables_at(
        &self,
        features: ArrayView2<f64>,
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
