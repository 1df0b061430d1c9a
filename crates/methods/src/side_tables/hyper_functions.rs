//! State the hyper-functions of a non-stationary Gaussian process.

use super::SideTable;

/// Hyper-functions at points, one row for each, in the data's units.
#[derive(Clone, Debug, PartialEq)]
pub struct HyperFunctions {
    /// The features that vary.
    pub features: Vec<Feature>,
    /// Standard deviation σ of the signal.
    pub signal: Vec<f64>,
    /// Standard deviation ω of the noise.
    pub noise: Vec<f64>,
}

/// A feature at the points, and its length scale there.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// The feature's number among the columns of the data, from 1.
    pub number: usize,
    /// The feature.
    pub x: Vec<f64>,
    /// Its length scale ℓ.
    pub length_scale: Vec<f64>,
}

impl HyperFunctions {
    /// The table of evenly spaced points over the range of a single feature.
    pub const ON_GRID: &str = "hyper-functions";

    /// The table of the training rows.
    pub const AT_ROWS: &str = "hyper-functions-at-rows";

    const SIGNAL: &str = "signal";

    const NOISE: &str = "noise";

    /// The column of a feature, by its number from 1.
    pub fn input(number: usize) -> String {
        format!("x{number}")
    }

    fn length_scale(number: usize) -> String {
        format!("length_scale_{number}")
    }

    /// The table with this name.
    pub fn to_table(&self, name: &str) -> SideTable {
        let inputs =
            self.features.iter().map(|feature| (Self::input(feature.number), feature.x.clone()));
        let scales =
            |feature: &Feature| (Self::length_scale(feature.number), feature.length_scale.clone());
        let rest = [(Self::SIGNAL, &self.signal), (Self::NOISE, &self.noise)];
        let rest = rest.map(|(name, values)| (name.to_owned(), values.clone()));
        let columns = inputs.chain(self.features.iter().map(scales)).chain(rest).collect();
        SideTable { name: name.into(), columns }
    }

    /// Reads the table, whatever its name. `None` where it lacks signal, noise, or a feature's
    /// length scale.
    pub fn from_table(table: &SideTable) -> Option<Self> {
        let column = |name: &str| table.column(name).map(<[f64]>::to_vec);
        let numbers =
            table.columns.iter().filter_map(|(name, _)| name.strip_prefix('x')?.parse().ok());
        let feature = |number| {
            let (x, length_scale) =
                (column(&Self::input(number))?, column(&Self::length_scale(number))?);
            Some(Feature { number, x, length_scale })
        };
        let features = numbers.map(feature).collect::<Option<_>>()?;
        Some(Self { features, signal: column(Self::SIGNAL)?, noise: column(Self::NOISE)? })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_stored;
    use super::*;

    #[test]
    fn hyper_functions_are_stored_as_they_always_were() {
        let feature = |number, x: f64| Feature { number, x: vec![x], length_scale: vec![2.0 * x] };
        let (signal, noise) = (vec![4.0], vec![5.0]);
        let found =
            HyperFunctions { features: vec![feature(1, 0.5), feature(3, 1.5)], signal, noise };
        let text = concat!(
            r#"{"name":"hyper-functions-at-rows","columns":[["x1",[0.5]],["x3",[1.5]],["length_scale_1",[1.0]],"#,
            r#"["length_scale_3",[3.0]],["signal",[4.0]],["noise",[5.0]]]}"#
        );
        // Without its column a feature is none, whatever length scales there are.
        let (table, optional) = (found.to_table(HyperFunctions::AT_ROWS), ["x1", "x3"]);
        assert_stored(&found, &table, HyperFunctions::from_table, text, &optional);
    }
}
