//! Predict the same quantiles everywhere: those of the training target.
//!
//! With y₍₁₎ ≤ … ≤ y₍ₙ₎ and h = (n − 1) p + 1: q(p) = y₍⌊h⌋₎ + (h − ⌊h⌋)(y₍⌊h⌋₊₁₎ − y₍⌊h⌋₎),
//! definition 7 of Hyndman & Fan, numpy's and R's default.
//!
//! *Departures:* none. The levels are the requested ones and a fixed grid, so that the form stays
//! within the 64 numbers a row that a store keeps exactly. Quantiles at requested levels are exact;
//! mean, variance, distribution function and CRPS are those of the linear interpolation between the
//! levels.
//!
//! *References:* Hyndman & Fan (1996), *Sample quantiles in statistical packages*, The American
//! Statistician 50(4).

use ndarray::{Array1, ArrayView2};
use serde::{Deserialize, Serialize};

use crate::engine::own_units::{OwnUnits, OwnUnitsModel};
use crate::engine::rows;
use crate::entry::{DEFAULTS, Tried};
use crate::parameter::parameters;
use crate::state::require;
use crate::{
    Configured, Context, Facts, FitError, Fitted, MethodParameters, Request, Restored, levels,
};
use uq_core::Table;
use uq_core::math::quantile::interpolated_quantile;
use uq_core::predictive::{Form, Predictive, Quantiles};

const ID: &str = "unconditional-quantiles";

parameters! {
    /// Parameters of the method: it has none.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct UnconditionalQuantilesParameters {}
}

/// The anchor as a method.
pub type UnconditionalQuantiles = Configured<UnconditionalQuantilesParameters>;

/// The training target in increasing order.
#[derive(Serialize, Deserialize)]
struct SortedTarget(Vec<f64>);

impl MethodParameters for UnconditionalQuantilesParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str = "anchor: the training target's quantiles";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "ignores the features: quantiles of the target",
        cost: |n, d| (3e-7 + 3.6e-8 * d) * n,
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 2;

    fn facts(&self) -> Facts {
        Facts { deterministic: true, predicts_targets: true, ..Facts::default() }
    }

    /// Needs at least 1 row.
    fn fit(&self, train: &Table, _: &Context) -> Result<Box<dyn Fitted>, FitError> {
        rows::at_least(ID, 1, train.rows())?;
        rows::finite_target(ID, "training row", train.target.view())?;
        let mut sorted = train.target.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        Ok(Box::new(OwnUnits { columns: train.columns(), model: SortedTarget(sorted) }))
    }

    fn restore(&self, state: &[u8]) -> Restored {
        OwnUnits::<SortedTarget>::restored(state)
    }
}

impl OwnUnitsModel for SortedTarget {
    const ID: &'static str = ID;

    fn check(&self, _: usize) -> Result<(), String> {
        require(!self.0.is_empty(), "no target")
    }

    fn answer(
        &self,
        features: ArrayView2<f64>,
        request: &Request,
        _: &Context,
    ) -> Result<Predictive, FitError> {
        let levels = levels::with_grid(ID, &request.quantile_levels)?;
        let row: Array1<f64> = levels
            .iter()
            .map(|&level| interpolated_quantile(&self.0, level).unwrap_or(f64::NAN))
            .collect();
        let shape = (features.nrows(), row.len());
        let values = ndarray::Array2::from_shape_fn(shape, |(_, l)| row[l]);
        Ok(Predictive::new(Form::Quantiles(Quantiles { levels, values })))
    }
}

#[cfg(test)]
mod tests {
    use super::super::golden_table;
    use super::*;
    use crate::golden::assert_golden;
    use crate::{Method, Reading};
    use ndarray::{Array2, array};
    use uq_core::math::random::Streams;
    use uq_core::predictive::{Exactness, Quantity};

    fn predict(table: &Table, request: &Request) -> Result<Predictive, FitError> {
        let context = Context::new(Streams::new(1, "t"));
        let fitted = UnconditionalQuantiles::default().fit(table, &context)?;
        fitted.predict(
            &Reading::MAIN,
            Array2::zeros((2, table.columns())).view(),
            request,
            &context,
        )
    }

    #[test]
    fn quantiles_are_numpys() {
        let table = Table::unnamed(Array2::zeros((4, 1)), array![4.0, 1.0, 3.0, 2.0]);
        let request = Request { quantile_levels: vec![0.9, 0.1, 0.3], ..Request::default() };
        let predictive = predict(&table, &request).unwrap();
        assert_eq!(predictive.validate(), Ok(()));
        for (level, expected) in [(0.1, 1.3), (0.3, 1.9), (0.5, 2.5), (0.9, 3.7)] {
            let found = predictive.distribution().quantile(1, level).unwrap();
            assert!((found - expected).abs() < 1e-12, "{level}: {found}");
            assert_eq!(
                predictive.distribution().exactness(Quantity::Quantile(level)),
                Exactness::Exact
            );
        }
    }

    #[test]
    fn a_store_keeps_the_form_exactly() {
        assert!(levels::with_grid(ID, &Request::default().quantile_levels).unwrap().len() <= 64);
    }

    #[test]
    fn one_row_is_a_point_mass_and_none_unsupported() {
        let one = predict(&Table::unnamed(Array2::zeros((1, 1)), array![5.0]), &Request::default())
            .unwrap();
        assert_eq!(one.validate(), Ok(()));
        assert_eq!(one.interval(0, 0.95), Some((5.0, 5.0)));
        let none = Table::unnamed(Array2::zeros((0, 1)), array![]);
        assert!(matches!(predict(&none, &Request::default()), Err(FitError::Unsupported(_))));
        let outside = Request { quantile_levels: vec![1.0], ..Request::default() };
        let table = golden_table();
        assert!(
            matches!(predict(&table, &outside), Err(FitError::Unsupported(m)) if m.contains("at 1"))
        );
    }

    #[test]
    fn golden_fit_guards_the_version() {
        let predictive = predict(&golden_table(), &Request::default()).unwrap();
        let (lower, upper) = predictive.interval(0, 0.95).unwrap();
        let found = [lower, upper, predictive.means().unwrap()[0]];
        assert_golden(found, GOLDEN, 1e-9);
    }

    /// In exact rational arithmetic, outside this crate.
    const GOLDEN: [f64; 3] = [-0.346875, 7.2984375, 3.609353125];
}
