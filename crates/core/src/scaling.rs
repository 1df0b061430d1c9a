//! Standardise a problem before the fit, and convert predictions back to the target's units.

use ndarray::{Array1, Axis};
use serde::{Deserialize, Serialize};

use super::Table;

/// What the protocol does to features and target before the fit. Part of the trial's key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scaling {
    /// Features and target are not changed.
    None,
    /// Mean 0 and standard deviation 1 of features and target, measured on the training rows.
    #[default]
    TrainRows,
    /// Mean and deviation of all rows: a leak from test to training rows that occurs in some
    /// papers. Reports mark it.
    AllRows,
    /// Mean 0 and standard deviation 1 of the target alone, measured on the training rows; features
    /// are not changed.
    Target,
    /// The target times a constant factor, as a paper prints it; features are not changed.
    Fixed(f64),
}

/// An affine map of features and target: `scaled = (x − shift) / scale`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scaler {
    feature_shift: Array1<f64>,
    feature_scale: Array1<f64>,
    target_shift: f64,
    target_scale: f64,
}

impl Scaler {
    /// The map that `scaling` prescribes, measured on `train` or `all`.
    ///
    /// A constant column keeps scale 1. Standard deviations have divisor n.
    pub fn new(scaling: Scaling, train: &Table, all: &Table) -> Self {
        let d = train.columns();
        let identity = Self {
            feature_shift: Array1::zeros(d),
            feature_scale: Array1::ones(d),
            target_shift: 0.0,
            target_scale: 1.0,
        };
        match scaling {
            Scaling::None => identity,
            Scaling::Fixed(factor) => Self { target_scale: 1.0 / factor, ..identity },
            Scaling::TrainRows => Self::standardising(train),
            Scaling::Target => {
                let (target_shift, target_scale) = mean_and_scale(train.target.iter().copied());
                Self { target_shift, target_scale, ..identity }
            }
            Scaling::AllRows => Self::standardising(all),
        }
    }

    fn standardising(table: &Table) -> Self {
        let moments: Vec<(f64, f64)> = table
            .features
            .axis_iter(Axis(1))
            .map(|column| mean_and_scale(column.iter().copied()))
            .collect();
        let (target_shift, target_scale) = mean_and_scale(table.target.iter().copied());
        Self {
            feature_shift: moments.iter().map(|m| m.0).collect(),
            feature_scale: moments.iter().map(|m| m.1).collect(),
            target_shift,
            target_scale,
        }
    }

    /// Number of features of the table that it was measured on.
    pub fn columns(&self) -> usize {
        self.feature_shift.len()
    }

    /// Checks a map that was read: it has a shift and a scale for each feature.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self) -> Result<(), String> {
        let (shifts, scales) = (self.feature_shift.len(), self.feature_scale.len());
        if shifts == scales {
            Ok(())
        } else {
            Err(format!("{shifts} shifts of features, but {scales} scales"))
        }
    }

    /// The scaled table. Its resolution is scaled too; its units are no longer valid and are
    /// dropped where scaled.
    pub fn apply(&self, table: &Table) -> Table {
        let mut scaled = table.clone();
        scaled.features -= &self.feature_shift;
        scaled.features /= &self.feature_scale;
        scaled.target = (&table.target - self.target_shift) / self.target_scale;
        scaled.target_resolution = table.target_resolution.map(|step| step / self.target_scale);
        scaled
    }

    /// Shift and scale that convert a scaled target back: `y = shift + scale · scaled`.
    pub fn target_back(&self) -> (f64, f64) {
        (self.target_shift, self.target_scale)
    }
}

/// Mean and standard deviation (divisor n) of the values that are not missing (NaN); scale 1 where
/// they do not vary.
fn mean_and_scale(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let values = values.filter(|value| !value.is_nan());
    let n = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / n;
    let sd = (values.map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt();
    (mean, if sd > 0.0 { sd } else { 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn training_rows_get_mean_zero_and_unit_deviation() {
        let all =
            Table::unnamed(array![[1.0, 7.0], [3.0, 7.0], [100.0, 7.0]], array![2.0, 6.0, 50.0]);
        let train = all.select(&[0, 1]);
        let scaler = Scaler::new(Scaling::TrainRows, &train, &all);
        let scaled = scaler.apply(&train);
        assert_eq!(
            scaled.features,
            array![[-1.0, 0.0], [1.0, 0.0]],
            "a constant column becomes zero"
        );
        assert_eq!(scaled.target, array![-1.0, 1.0]);
        assert_eq!(scaler.target_back(), (4.0, 2.0));
        assert_ne!(Scaler::new(Scaling::AllRows, &train, &all), scaler, "all rows leak");
    }

    #[test]
    fn missing_values_have_no_part_in_the_scale_and_stay_missing() {
        let table = Table::unnamed(
            array![[1.0, f64::NAN], [f64::NAN, f64::NAN], [3.0, f64::NAN]],
            array![2.0, 6.0, 4.0],
        );
        let scaled = Scaler::new(Scaling::TrainRows, &table, &table).apply(&table);
        assert_eq!(scaled.features.column(0).to_vec()[..1], [-1.0]);
        assert_eq!(scaled.features[(2, 0)], 1.0);
        assert!(
            scaled.features[(1, 0)].is_nan()
                && scaled.features.column(1).iter().all(|value| value.is_nan())
        );
    }

    #[test]
    fn the_target_alone_may_be_standardised() {
        let all = Table::unnamed(array![[1.0], [3.0], [9.0]], array![2.0, 6.0, 50.0]);
        let train = all.select(&[0, 1]);
        let scaled = Scaler::new(Scaling::Target, &train, &all).apply(&train);
        assert_eq!(scaled.features, train.features);
        assert_eq!(scaled.target, array![-1.0, 1.0]);
    }

    #[test]
    fn fixed_multiplies_the_target_alone() {
        let all = Table::unnamed(array![[1.0], [3.0]], array![2.0, 6.0]);
        let scaled = Scaler::new(Scaling::Fixed(0.5), &all, &all).apply(&all);
        assert_eq!(scaled.features, all.features);
        assert_eq!(scaled.target, array![1.0, 3.0]);
    }
}
