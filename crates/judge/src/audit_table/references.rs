//! What numbers of regression methods look like on the standard splits: those of our own run.
//!
//! `benchmarks/audit-references.csv` has them, a line for each dataset and column of the benchmark
//! `baselines-standard`; a test holds it to the committed report.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Quantity;
use uq_core::math::special::student_t_log_density;
use uqbench_system::carried;

/// The file.
const FILE: &str = "benchmarks/audit-references.csv";

/// Column of the predictor that ignores the features.
const UNCONDITIONAL: &str = "unconditional-gaussian";

/// Degrees of freedom of the distribution of a method's score around those of the others: heavy
/// tails, because methods fail in many ways.
const DEGREES: f64 = 3.0;

/// Least scale of such a distribution.
const LEAST_SCALE: f64 = 0.05;

/// One method on one dataset.
#[derive(Clone, Debug, Deserialize)]
struct Row {
    dataset: String,
    column: String,
    splits: u64,
    rmse: f64,
    rmse_sd: f64,
    log_likelihood: Option<f64>,
    log_likelihood_sd: Option<f64>,
    crps: Option<f64>,
    crps_sd: Option<f64>,
}

/// A distribution by location and scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likely {
    /// Its median.
    pub location: f64,
    /// Its scale.
    pub scale: f64,
}

impl Likely {
    /// The distribution of values by their median and their median distance from it.
    fn estimate(mut values: Vec<f64>) -> Option<Self> {
        values.retain(|value| value.is_finite());
        let location = median(&mut values)?;
        let mut distances: Vec<f64> = values.iter().map(|value| (value - location).abs()).collect();
        let scale = (1.4826 * median(&mut distances)?).max(LEAST_SCALE);
        Some(Self { location, scale })
    }

    /// Its log density.
    pub fn log_density(self, value: f64) -> f64 {
        student_t_log_density((value - self.location) / self.scale, DEGREES) - self.scale.ln()
    }
}

fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    (n >= 5).then(|| (values[(n - 1) / 2] + values[n / 2]) / 2.0)
}

/// A dataset of the standard splits.
#[derive(Clone, Debug)]
pub struct Known {
    /// Number of its splits.
    pub splits: u64,
    /// Test rows of each.
    pub test_rows: usize,
    /// The RMSE of the predictor that ignores the features, which is about the standard deviation of
    /// the target, and its standard deviation over splits.
    pub unconditional: [f64; 2],
    /// Logarithms of RMSEs.
    pub log_rmse: Likely,
    /// Log-likelihoods.
    pub log_likelihood: Likely,
    /// Logarithms of the standard deviations over splits, by quantity.
    rmse_spread: Likely,
    log_likelihood_spread: Likely,
    crps_spread: Likely,
    /// Logarithms of CRPSs.
    log_crps: Likely,
}

impl Known {
    /// The logarithms of standard deviations over splits.
    pub fn log_spread(&self, quantity: Quantity) -> Option<Likely> {
        match quantity {
            Quantity::Rmse => Some(self.rmse_spread),
            Quantity::LogLikelihood | Quantity::NegativeLogLikelihood => {
                Some(self.log_likelihood_spread)
            }
            Quantity::Crps => Some(self.crps_spread),
            Quantity::Coverage | Quantity::Width => None,
        }
    }

    /// The log density of a printed value, in the units of the value.
    pub fn log_density(&self, quantity: Quantity, value: f64) -> Option<f64> {
        match quantity {
            Quantity::Rmse => {
                (value > 0.0).then(|| self.log_rmse.log_density(value.ln()) - value.ln())
            }
            Quantity::Crps => {
                (value > 0.0).then(|| self.log_crps.log_density(value.ln()) - value.ln())
            }
            Quantity::LogLikelihood => Some(self.log_likelihood.log_density(value)),
            Quantity::NegativeLogLikelihood => Some(self.log_likelihood.log_density(-value)),
            Quantity::Coverage | Quantity::Width => None,
        }
    }
}

/// What is known of datasets, by key.
#[derive(Clone, Debug, Default)]
pub struct References(BTreeMap<String, Known>);

/// Rows of the standard datasets, of which a tenth is tested.
const ROWS: [(&str, usize); 9] = [
    ("boston", 506),
    ("concrete", 1030),
    ("energy", 768),
    ("kin8nm", 8192),
    ("naval", 11934),
    ("power", 9568),
    ("protein", 45730),
    ("wine-red", 1599),
    ("yacht", 308),
];

/// Test rows of a standard split: what is left of nine tenths of the rows, rounded.
pub fn standard_test_rows(dataset: &str) -> Option<usize> {
    let (_, rows) = ROWS.iter().find(|(key, _)| *key == dataset)?;
    Some(rows - (0.9 * *rows as f64).round() as usize)
}

impl References {
    /// Those that the program carries.
    pub fn carried() -> Self {
        let text = carried::text(FILE).unwrap_or_default();
        let rows: Vec<Row> = csv::Reader::from_reader(text.as_bytes())
            .deserialize()
            .filter_map(Result::ok)
            .collect();
        let known = ROWS.iter().filter_map(|(key, _)| {
            let own: Vec<&Row> = rows.iter().filter(|row| row.dataset == *key).collect();
            Some(((*key).to_owned(), known(key, &own)?))
        });
        Self(known.collect())
    }

    /// What is known of a dataset.
    pub fn get(&self, dataset: &str) -> Option<&Known> {
        self.0.get(dataset)
    }
}

fn known(key: &str, rows: &[&Row]) -> Option<Known> {
    let unconditional = rows.iter().find(|row| row.column == UNCONDITIONAL)?;
    let estimate = |value: &dyn Fn(&Row) -> Option<f64>| {
        Likely::estimate(rows.iter().filter_map(|row| value(row)).collect())
    };
    Some(Known {
        splits: unconditional.splits.max(rows.iter().map(|row| row.splits).max()?),
        test_rows: standard_test_rows(key)?,
        unconditional: [unconditional.rmse, unconditional.rmse_sd],
        log_rmse: estimate(&|row| Some(row.rmse.ln()))?,
        log_likelihood: estimate(&|row| row.log_likelihood)?,
        log_crps: estimate(&|row| row.crps.map(f64::ln))?,
        rmse_spread: estimate(&|row| Some(row.rmse_sd.ln()))?,
        log_likelihood_spread: estimate(&|row| row.log_likelihood_sd.map(f64::ln))?,
        crps_spread: estimate(&|row| row.crps_sd.map(f64::ln))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_references_are_those_of_the_committed_report() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reports/baselines-standard.csv");
        let mut reader = csv::Reader::from_path(root).unwrap();
        let report: Vec<BTreeMap<String, String>> =
            reader.deserialize().map(Result::unwrap).collect();
        let mut file = csv::Reader::from_reader(carried::text(FILE).unwrap().as_bytes());
        let mut compared = 0;
        for row in file.deserialize::<Row>().map(Result::unwrap) {
            let is_of = |line: &&BTreeMap<String, String>| {
                line["dataset"].split(':').next() == Some(row.dataset.as_str())
                    && line["column"] == row.column
                    && line["variant"].is_empty()
            };
            let of = |metric: &str, statistic: &str| {
                let line = report.iter().filter(is_of).find(|line| line["metric"] == metric);
                line.and_then(|line| line[statistic].parse::<f64>().ok())
            };
            for (own, metric, statistic) in [
                (Some(row.rmse), "rmse", "mean"),
                (Some(row.rmse_sd), "rmse", "sd"),
                (row.log_likelihood, "log-likelihood", "mean"),
                (row.log_likelihood_sd, "log-likelihood", "sd"),
                (row.crps, "crps", "mean"),
                (row.crps_sd, "crps", "sd"),
            ] {
                let Some(own) = own else { continue };
                let value = of(metric, statistic).unwrap();
                assert!((own - value).abs() <= 1e-5 * value.abs() + 1e-12, "{row:?} {metric}");
                compared += 1;
            }
        }
        assert!(compared > 1600, "{compared}");
        assert_eq!(References::carried().0.len(), ROWS.len());
    }

    #[test]
    fn test_rows_are_those_of_the_published_splits() {
        for (key, rows) in [("boston", 51), ("concrete", 103), ("energy", 77), ("yacht", 31)] {
            assert_eq!(standard_test_rows(key), Some(rows), "{key}");
        }
        assert_eq!(standard_test_rows("unheard"), None);
    }
}
