//! State the side tables that a Wiener kernel regression of one feature stores for its figures.
//!
//! All is in the units of the rows that the regression was given, except for [`NoiseLaw`]. A number
//! that is not finite has no column in [`NoiseLaw`] and [`Law`].

use super::SideTable;
use super::table::table;

table! {
    /// The law of the noise, in the units of the process: standardised, unless the process is
    /// given.
    pub struct NoiseLaw: "noise" {
        /// Polynomials of the germ: 0 Hermite, 1 Laguerre, 2 Legendre, 3 Jacobi.
        germ: Option<f64>,
        /// Their first exponent, where they have one.
        first_exponent: Option<f64>,
        /// Their second exponent, where they have two.
        second_exponent: Option<f64>,
        /// The mean.
        mean: Option<f64>,
        /// The variance.
        variance: Option<f64>,
        /// The skewness.
        skewness: Option<f64>,
        /// The excess kurtosis.
        excess_kurtosis: Option<f64>,
    }
}

table! {
    /// Tubes around the mean, a row for each predicted row. A tube is one standard deviation to
    /// either side.
    pub struct Tubes: "tubes" {
        /// The feature.
        x: Vec<f64>,
        /// The mean (9a).
        mean: Vec<f64>,
        /// The mean of the Gaussian process (2a).
        process_mean: Vec<f64>,
        /// Standard deviation of the noise in the mean (9b).
        wiener: Vec<f64>,
        /// Standard deviation of the process without noise, κ − kᵀa.
        latent: Vec<f64>,
        /// Standard deviation of the process with noise (2b).
        predictive: Vec<f64>,
        /// Standard deviation with ρ² added to (2b) again.
        twice: Vec<f64>,
    }
}

table! {
    /// The law of Ŷ at the requested place: moments, exact and drawn, and the distances between
    /// them.
    pub struct Law: "law" {
        /// The mean (9a).
        mean: Option<f64>,
        /// Standard deviation of the noise in the mean (9b).
        wiener: Option<f64>,
        /// Standard deviation of the process without noise, κ − kᵀa.
        latent: Option<f64>,
        /// Standard deviation of the process with noise (2b).
        predictive: Option<f64>,
        /// Standard deviation with ρ² added to (2b) again.
        twice: Option<f64>,
        /// The skewness.
        skewness: Option<f64>,
        /// The skewness of the draws.
        drawn_skewness: Option<f64>,
        /// Distance between the two.
        skewness_apart: Option<f64>,
        /// The skewness of the noise.
        noise_skewness: Option<f64>,
        /// The excess kurtosis.
        excess_kurtosis: Option<f64>,
        /// Distance between the mean and that of the draws.
        drawn_mean_apart: Option<f64>,
        /// Largest distance between the distribution function of the draws and that by the
        /// characteristic function.
        cdf_apart: Option<f64>,
        /// Bound on the error of the distribution function by frequencies that were left out.
        cdf_truncation: Option<f64>,
    }
}

table! {
    /// Densities of Ŷ at places of the training rows, one place after the other.
    pub struct Densities: "densities" {
        /// The place.
        x: Vec<f64>,
        /// The target.
        y: Vec<f64>,
        /// The density, fitted to draws.
        density: Vec<f64>,
    }
}

table! {
    /// The density of Ŷ at the requested place.
    pub struct Projection: "projection" {
        /// The density fitted to the draws.
        density: Vec<f64>,
        /// The density by the characteristic function.
        inverted: Vec<f64>,
        /// The target.
        y: Vec<f64>,
    }
}

table! {
    /// A histogram of the draws at the requested place.
    pub struct Histogram: "histogram" {
        /// The left end of each bin.
        left: Vec<f64>,
        /// The share of the draws in it, divided by its width.
        height: Vec<f64>,
    }
}

/// Realisations of Ŷ, a row for each predicted row.
#[derive(Clone, Debug, PartialEq)]
pub struct Realisations {
    /// The feature.
    pub x: Vec<f64>,
    /// The realisations.
    pub curves: Vec<Vec<f64>>,
}

impl Realisations {
    /// The table's name.
    pub const NAME: &str = "realisations";

    const X: &str = "x";

    fn curve(place: usize) -> String {
        format!("curve{place}")
    }

    /// The table.
    pub fn to_table(&self) -> SideTable {
        let curves = self
            .curves
            .iter()
            .enumerate()
            .map(|(place, curve)| (Self::curve(place), curve.clone()));
        let columns = std::iter::once((Self::X.to_owned(), self.x.clone())).chain(curves).collect();
        SideTable { name: Self::NAME.into(), columns }
    }

    /// Reads the table. `None` where it has another name, or no feature.
    pub fn from_table(table: &SideTable) -> Option<Self> {
        let column = |name: &str| table.column(name).map(<[f64]>::to_vec);
        let x = column(Self::X).filter(|_| table.name == Self::NAME)?;
        Some(Self { x, curves: (0..).map_while(|place| column(&Self::curve(place))).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::LearnedNoise;
    use super::super::tests::assert_stored;
    use super::*;

    #[test]
    fn curves_are_stored_as_they_always_were() {
        let [x, mean, process_mean, wiener] = [0.5, 1.0, 2.0, 3.0].map(|value| vec![value]);
        let [latent, predictive, twice] = [4.0, 5.0, 6.0].map(|value| vec![value]);
        let tubes = Tubes { x, mean, process_mean, wiener, latent, predictive, twice };
        let text = concat!(
            r#"{"name":"tubes","columns":[["x",[0.5]],["mean",[1.0]],["process_mean",[2.0]],["wiener",[3.0]],"#,
            r#"["latent",[4.0]],["predictive",[5.0]],["twice",[6.0]]]}"#
        );
        assert_stored(&tubes, &tubes.to_table(), Tubes::from_table, text, &[]);
        let realisations = Realisations { x: vec![0.5], curves: vec![vec![1.0], vec![2.0]] };
        let text =
            r#"{"name":"realisations","columns":[["x",[0.5]],["curve0",[1.0]],["curve1",[2.0]]]}"#;
        let optional = ["curve0", "curve1"];
        assert_stored(
            &realisations,
            &realisations.to_table(),
            Realisations::from_table,
            text,
            &optional,
        );
    }

    #[test]
    fn densities_are_stored_as_they_always_were() {
        let densities = Densities { x: vec![0.5], y: vec![1.0], density: vec![2.0] };
        let text = r#"{"name":"densities","columns":[["x",[0.5]],["y",[1.0]],["density",[2.0]]]}"#;
        assert_stored(&densities, &densities.to_table(), Densities::from_table, text, &[]);
        let projection = Projection { density: vec![0.5], inverted: vec![0.25], y: vec![1.0] };
        let text = r#"{"name":"projection","columns":[["density",[0.5]],["inverted",[0.25]],["y",[1.0]]]}"#;
        assert_stored(&projection, &projection.to_table(), Projection::from_table, text, &[]);
        let histogram = Histogram { left: vec![-1.0, 0.0], height: vec![0.25, 0.75] };
        let text = r#"{"name":"histogram","columns":[["left",[-1.0,0.0]],["height",[0.25,0.75]]]}"#;
        assert_stored(&histogram, &histogram.to_table(), Histogram::from_table, text, &[]);
    }

    #[test]
    fn laws_are_stored_as_they_always_were_without_undefined_numbers() {
        let law = Law {
            mean: Some(1.0),
            wiener: Some(2.0),
            drawn_skewness: Some(-0.5),
            ..Law::default()
        };
        let text = r#"{"name":"law","columns":[["mean",[1.0]],["wiener",[2.0]],["drawn_skewness",[-0.5]]]}"#;
        let optional = ["mean", "wiener", "drawn_skewness"];
        assert_stored(&law, &law.to_table(), Law::from_table, text, &optional);
        let noise = NoiseLaw {
            germ: Some(0.0),
            mean: Some(0.25),
            variance: Some(1.5),
            ..NoiseLaw::default()
        };
        let text =
            r#"{"name":"noise","columns":[["germ",[0.0]],["mean",[0.25]],["variance",[1.5]]]}"#;
        assert_stored(
            &noise,
            &noise.to_table(),
            NoiseLaw::from_table,
            text,
            &["germ", "mean", "variance"],
        );
        assert_eq!(
            LearnedNoise::of(&noise.to_table()).map(|learned| learned.variance),
            noise.variance
        );
    }

    #[test]
    fn every_column_of_a_law_has_its_place() {
        let names = |table: SideTable| {
            table.columns.into_iter().map(|(name, _)| name).collect::<Vec<_>>().join(" ")
        };
        let all = Some(1.0);
        let noise = NoiseLaw {
            germ: all,
            first_exponent: all,
            second_exponent: all,
            mean: all,
            variance: all,
            skewness: all,
            excess_kurtosis: all,
        };
        let expected = "germ first_exponent second_exponent mean variance skewness excess_kurtosis";
        assert_eq!(names(noise.to_table()), expected);
        let law = Law {
            mean: all,
            wiener: all,
            latent: all,
            predictive: all,
            twice: all,
            skewness: all,
            drawn_skewness: all,
            skewness_apart: all,
            noise_skewness: all,
            excess_kurtosis: all,
            drawn_mean_apart: all,
            cdf_apart: all,
            cdf_truncation: all,
        };
        let expected = "mean wiener latent predictive twice skewness drawn_skewness skewness_apart \
                        noise_skewness excess_kurtosis drawn_mean_apart cdf_apart cdf_truncation";
        assert_eq!(names(law.to_table()), expected);
    }
}
