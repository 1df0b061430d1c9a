//! Represent a tabular regression problem: n rows, d features, one target.

use ndarray::{Array1, Array2, Axis};

use crate::Dependence;

/// A tabular regression problem: n rows, d features.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Features, n × d.
    pub features: Array2<f64>,
    /// Target, n.
    pub target: Array1<f64>,
    /// Names of the d features.
    pub feature_names: Vec<String>,
    /// Units of the d features; empty where a feature has none.
    pub feature_units: Vec<String>,
    /// Name of the target.
    pub target_name: String,
    /// Unit of the target; empty where it has none.
    pub target_unit: String,
    /// Distance between neighbouring values of a discrete or rounded target, in the target's unit.
    pub target_resolution: Option<f64>,
    /// Which rows depend on each other.
    pub dependence: Dependence,
}

impl Table {
    /// A table without names or units, for simulated data and tests.
    ///
    /// # Panics
    /// If `features` and `target` differ in their number of rows.
    pub fn unnamed(features: Array2<f64>, target: Array1<f64>) -> Self {
        assert_eq!(
            features.nrows(),
            target.len(),
            "features and target must have the same number of rows"
        );
        let d = features.ncols();
        Self {
            features,
            target,
            feature_names: (1..=d).map(|j| format!("x{j}")).collect(),
            feature_units: vec![String::new(); d],
            target_name: "y".into(),
            target_unit: String::new(),
            target_resolution: None,
            dependence: Dependence::Unknown,
        }
    }

    /// Number of rows, n.
    pub fn rows(&self) -> usize {
        self.target.len()
    }

    /// Number of features, d.
    pub fn columns(&self) -> usize {
        self.features.ncols()
    }

    /// The table of the given rows, in the given order.
    ///
    /// # Panics
    /// If an index is not below [`Table::rows`].
    pub fn select(&self, rows: &[usize]) -> Self {
        Self {
            features: self.features.select(Axis(0), rows),
            target: self.target.select(Axis(0), rows),
            dependence: self.dependence.select(rows),
            ..self.clone_names()
        }
    }

    /// Names, units and resolution, without rows.
    fn clone_names(&self) -> Self {
        Self {
            features: Array2::zeros((0, self.columns())),
            target: Array1::zeros(0),
            feature_names: self.feature_names.clone(),
            feature_units: self.feature_units.clone(),
            target_name: self.target_name.clone(),
            target_unit: self.target_unit.clone(),
            target_resolution: self.target_resolution,
            dependence: self.dependence.select(&[]),
        }
    }

    /// Smallest and largest target; `None` for a table without rows.
    pub fn target_range(&self) -> Option<(f64, f64)> {
        let mut range: Option<(f64, f64)> = None;
        for &y in &self.target {
            let (low, high) = range.unwrap_or((y, y));
            range = Some((low.min(y), high.max(y)));
        }
        range
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn select_keeps_order_names_and_units() {
        let mut table =
            Table::unnamed(array![[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]], array![0.1, 0.2, 0.3]);
        table.target_unit = "m".into();
        let picked = table.select(&[2, 0]);
        assert_eq!(picked.features, array![[3.0, 30.0], [1.0, 10.0]]);
        assert_eq!(picked.target, array![0.3, 0.1]);
        assert_eq!(picked.feature_names, ["x1", "x2"]);
        assert_eq!(picked.target_unit, "m");
        assert_eq!(picked.target_range(), Some((0.1, 0.3)));
        assert_eq!(table.select(&[]).target_range(), None);
    }
}
