//! State the noise that Gaussian processes learned.

use super::SideTable;
use super::table::table;

table! {
    /// The columns of a table `fit` on noise whose range is bounded, in units of the training
    /// target's variance.
    pub struct FitNoise: "fit" {
        /// Variance of the noise.
        noise_variance: f64,
        /// The lower end of its range, where the method has set one.
        noise_floor: Option<f64>,
        /// Whether the variance is at an end of its range, so that the range determined it and not
        /// the data.
        noise_at_bound: bool,
    }
}

table! {
    /// The noise of a process that learns it by minibatches, whose floor is added to it and so
    /// never reached. The tables `noise` of other methods have more columns, and a first row that
    /// is the target's.
    pub struct ProcessNoise: "noise" {
        /// Variance of the noise, in units of the training target's variance.
        variance: f64,
    }
}

table! {
    /// The noise of each output of a latent variable model: the target first, then the features.
    pub struct OutputNoise: "noise" {
        /// The feature's column, from 0; −1 for the target.
        feature: Vec<f64>,
        /// Variance of the noise, in the output's squared units.
        variance: Vec<f64>,
        /// Variance of the noise by the prior variance of the output's weights, λ_d.
        ratio: Vec<f64>,
    }
}

/// The noise of one fit, of any of these tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearnedNoise {
    /// Its variance, in the unit of its table.
    pub variance: f64,
    /// Whether it is at an end of its range; `None` where no end could be reached.
    pub at_bound: Option<bool>,
}

impl LearnedNoise {
    /// Names of the tables that [`Self::of`] reads.
    pub const TABLES: [&str; 2] = [FitNoise::NAME, ProcessNoise::NAME];

    /// The noise in this table. `None` where the table has none.
    pub fn of(table: &SideTable) -> Option<Self> {
        if let Some(fit) = FitNoise::from_table(table) {
            return Some(Self { variance: fit.noise_variance, at_bound: Some(fit.noise_at_bound) });
        }
        ProcessNoise::from_table(table)
            .map(|noise| Self { variance: noise.variance, at_bound: None })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_stored;
    use super::*;

    #[test]
    fn each_table_is_stored_as_it_always_was() {
        let fit = FitNoise { noise_variance: 1e-6, noise_floor: Some(1e-6), noise_at_bound: true };
        let text = concat!(
            r#"{"name":"fit","columns":[["noise_variance",[1e-6]],"#,
            r#"["noise_floor",[1e-6]],["noise_at_bound",[1.0]]]}"#
        );
        assert_stored(&fit, &fit.to_table(), FitNoise::from_table, text, &["noise_floor"]);
        let process = ProcessNoise { variance: 0.25 };
        let text = r#"{"name":"noise","columns":[["variance",[0.25]]]}"#;
        assert_stored(&process, &process.to_table(), ProcessNoise::from_table, text, &[]);
        let outputs = OutputNoise {
            feature: vec![-1.0, 0.0],
            variance: vec![0.5, 2.0],
            ratio: vec![3.0, 4.0],
        };
        let text = concat!(
            r#"{"name":"noise","columns":[["feature",[-1.0,0.0]],"#,
            r#"["variance",[0.5,2.0]],["ratio",[3.0,4.0]]]}"#
        );
        assert_stored(&outputs, &outputs.to_table(), OutputNoise::from_table, text, &[]);
    }

    #[test]
    fn noise_is_read_from_each_stored_form() {
        let of = |text: &str| LearnedNoise::of(&serde_json::from_str(text).unwrap());
        let noise = |variance, at_bound| Some(LearnedNoise { variance, at_bound });
        let exact = r#"{"name":"fit","columns":[["rows",[9]],["noise_variance",[0.5]],["noise_at_bound",[0]]]}"#;
        assert_eq!(of(exact), noise(0.5, Some(false)));
        assert_eq!(of(r#"{"name":"fit","columns":[["noise_variance",[0.5]]]}"#), None);
        let outputs = r#"{"name":"noise","columns":[["feature",[-1,0]],["variance",[0.75,2]],["ratio",[3,4]]]}"#;
        assert_eq!(of(outputs), noise(0.75, None));
        assert_eq!(
            of(r#"{"name":"noise","columns":[["mean",[0.0]],["variance",[2.5]]]}"#),
            noise(2.5, None)
        );
        assert_eq!(of(r#"{"name":"kernels","columns":[["variance",[2.5]]]}"#), None);
    }
}
