//! State the components of a Gaussian mixture of the target and its inputs.

use super::SideTable;

/// Components of a mixture of y, z1, z2, …: column 0 is the target y, the others are the inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Components {
    /// Weight of each component.
    pub weights: Vec<f64>,
    /// For each of y, z1, z2, …, the mean of each component.
    pub means: Vec<Vec<f64>>,
    /// For each entry of the lower triangle of the covariance, row by row, its value in each
    /// component.
    pub covariances: Vec<Vec<f64>>,
}

impl Components {
    /// The table's name.
    pub const NAME: &str = "components";

    const WEIGHT: &str = "weight";

    /// The table.
    pub fn to_table(&self) -> SideTable {
        let names = std::iter::once(Self::WEIGHT.to_owned());
        let names = names.chain((0..self.means.len()).map(mean)).chain(entries(self.means.len()));
        let values = std::iter::once(&self.weights).chain(&self.means).chain(&self.covariances);
        SideTable { name: Self::NAME.into(), columns: names.zip(values.cloned()).collect() }
    }

    /// Reads the table. `None` where it has another name, or lacks the weights, y, or an entry of
    /// the covariance.
    pub fn from_table(table: &SideTable) -> Option<Self> {
        let column = |name: &str| table.column(name).map(<[f64]>::to_vec);
        let weights = column(Self::WEIGHT).filter(|_| table.name == Self::NAME)?;
        let means: Vec<Vec<f64>> = (0..).map_while(|axis| column(&mean(axis))).collect();
        let covariances = entries(means.len()).map(|name| column(&name)).collect::<Option<_>>()?;
        (!means.is_empty()).then_some(Self { weights, means, covariances })
    }
}

fn axis(place: usize) -> String {
    if place == 0 { "y".into() } else { format!("z{place}") }
}

/// The column of the means of an axis.
fn mean(place: usize) -> String {
    format!("mean_{}", axis(place))
}

/// The columns of the lower triangle of the covariance of this many axes, row by row.
fn entries(axes: usize) -> impl Iterator<Item = String> {
    let row = |i| (0..=i).map(move |j| format!("covariance_{}_{}", axis(i), axis(j)));
    (0..axes).flat_map(row)
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_stored;
    use super::*;

    #[test]
    fn components_are_stored_as_they_always_were() {
        let components = Components {
            weights: vec![0.25, 0.75],
            means: vec![vec![1.0, 2.0], vec![3.0, 4.0]],
            covariances: vec![vec![1.5, 2.5], vec![0.5, 0.25], vec![3.5, 4.5]],
        };
        let text = concat!(
            r#"{"name":"components","columns":[["weight",[0.25,0.75]],["mean_y",[1.0,2.0]],["mean_z1",[3.0,4.0]],"#,
            r#"["covariance_y_y",[1.5,2.5]],["covariance_z1_y",[0.5,0.25]],["covariance_z1_z1",[3.5,4.5]]]}"#
        );
        // Without the means of z1 the table is that of y alone.
        assert_stored(
            &components,
            &components.to_table(),
            Components::from_table,
            text,
            &["mean_z1"],
        );
    }
}
