//! List every score of the parts of the variance, and the truth beside what is stated in every
//! region.

use serde::Serialize;

use super::real;
use crate::evidence::decomposition::{Column, Estimate, PARTS};
use uq_core::metrics::VariancePart;

/// A score of a part of the variance of one column on one dataset.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartEstimate {
    /// Key of the dataset.
    pub dataset: String,
    /// The column with its variant.
    pub method: String,
    /// The part.
    pub part: VariancePart,
    /// Number of replicates.
    pub replicates: usize,
    /// Name of the score.
    pub score: &'static str,
    /// The score.
    #[serde(serialize_with = "real::serialize")]
    pub value: f64,
    /// Its standard error over replicates.
    #[serde(serialize_with = "real::option::serialize")]
    pub standard_error: Option<f64>,
}

/// The truth in one region, and what a column states there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Region {
    /// Key of the dataset.
    pub dataset: String,
    /// The column with its variant.
    pub method: String,
    /// Number of the region, from 0.
    pub region: usize,
    /// Variance of the noise.
    #[serde(serialize_with = "real::serialize")]
    pub noise: f64,
    /// Mean squared error of the mean.
    #[serde(serialize_with = "real::serialize")]
    pub squared_error: f64,
    /// The stated aleatoric, epistemic and predictive variance.
    #[serde(serialize_with = "real::options::serialize")]
    pub stated: [Option<f64>; 3],
}

/// Every score of every column.
pub(super) fn estimates(columns: &[Column]) -> Vec<PartEstimate> {
    let mut all = Vec::new();
    for column in columns {
        for part in PARTS {
            let Some(scores) = column.replicates.scores(part) else { continue };
            let named = [
                ("level", scores.level),
                ("unevenness", scores.unevenness),
                ("rank", scores.rank),
                ("loss", scores.loss),
                ("loss-of-constant", scores.constant),
                ("skill", scores.skill),
            ];
            all.extend(named.into_iter().filter_map(|(score, estimate)| {
                let (dataset, method) = (column.series.dataset.key.clone(), column.series.name());
                let replicates = column.replicates.each.len();
                let Estimate { value, standard_error } = estimate?;
                Some(PartEstimate {
                    dataset,
                    method,
                    part,
                    replicates,
                    score,
                    value,
                    standard_error,
                })
            }));
        }
    }
    all
}

/// Every region of every column.
pub(super) fn regions(columns: &[Column]) -> Vec<Region> {
    let mut rows = Vec::new();
    for column in columns {
        let all = &column.replicates;
        let stated = PARTS.map(|part| all.stated(part));
        let (noise, error) = (all.noise_by_region(), all.squared_error_by_region());
        for (region, (noise, squared_error)) in noise.iter().copied().zip(error).enumerate() {
            let (dataset, method) = (column.series.dataset.key.clone(), column.series.name());
            let stated = stated.each_ref().map(|part| part.as_ref().map(|part| part[region]));
            rows.push(Region { dataset, method, region, noise, squared_error, stated });
        }
    }
    rows
}
