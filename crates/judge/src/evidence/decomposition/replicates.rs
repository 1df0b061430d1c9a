//! Hold what replicates state together with the truth, as far as tables and figures need it.

use serde::{Deserialize, Serialize};

use uq_core::metrics::VariancePart;
use uqbench_data::simulated::REGIONS;

use super::scores::{Scores, scores};

/// Significant digits that are kept of a mean over a region, and of a variance that a figure draws.
const DIGITS: usize = 7;
const DRAWN_DIGITS: usize = 3;
/// Parts of its root mean square in which an error is kept.
const PARTS: f64 = 100.0;

/// One number for each part of the variance, where the method defines it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stated {
    /// Aleatoric variance, n.
    pub aleatoric: Option<Vec<f64>>,
    /// Epistemic variance, n.
    pub epistemic: Option<Vec<f64>>,
    /// Predictive variance, n; absent where it is undefined, and where the method defines only one
    /// of its two parts.
    pub total: Option<Vec<f64>>,
}

impl Stated {
    /// The variances of a part.
    pub fn part(&self, part: VariancePart) -> Option<&Vec<f64>> {
        match part {
            VariancePart::Total => self.total.as_ref(),
            VariancePart::Aleatoric => self.aleatoric.as_ref(),
            VariancePart::Epistemic => self.epistemic.as_ref(),
        }
    }

    fn map(&self, of: impl Fn(&Vec<f64>) -> Vec<f64>) -> Self {
        Self {
            aleatoric: self.aleatoric.as_ref().map(&of),
            epistemic: self.epistemic.as_ref().map(&of),
            total: self.total.as_ref().map(&of),
        }
    }
}

/// What is kept of one replicate: means over the regions, the error at the n test inputs to a
/// hundredth of its root mean square, and for one feature the stated variances to three digits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replicate {
    /// Root mean square of the error, divided by [`PARTS`].
    unit: f64,
    /// Predictive mean less the noise-free truth, in units, n.
    error: Vec<i64>,
    /// Mean squared error by region.
    squared_error: Vec<f64>,
    /// Means of the stated variances by region.
    by_region: Stated,
    /// The stated variances at the test inputs, for figures of one feature.
    drawn: Option<Stated>,
}

impl Replicate {
    /// What is kept of the error and the stated variances at the n test inputs, which fall into
    /// these regions.
    pub fn new(error: &[f64], stated: &Stated, region: &[usize], drawn: bool) -> Self {
        let squares: Vec<f64> = error.iter().map(|e| e * e).collect();
        let unit =
            rounded((squares.iter().sum::<f64>() / squares.len() as f64).sqrt() / PARTS, DIGITS);
        let steps = |e: &f64| if unit > 0.0 { (e / unit).round() as i64 } else { 0 };
        let mean = |values: &Vec<f64>| {
            means(values, region).into_iter().map(|mean| rounded(mean, DIGITS)).collect()
        };
        let few =
            |values: &Vec<f64>| values.iter().map(|value| rounded(*value, DRAWN_DIGITS)).collect();
        Self {
            unit,
            error: error.iter().map(steps).collect(),
            squared_error: mean(&squares),
            by_region: stated.map(mean),
            drawn: drawn.then(|| stated.map(few)),
        }
    }

    /// Whether it describes n test inputs in all regions: a cache with a correct checksum may still
    /// have other content.
    pub fn describes(&self, n: usize) -> bool {
        let lengths = |stated: &Stated, length: usize| {
            [&stated.aleatoric, &stated.epistemic, &stated.total]
                .into_iter()
                .flatten()
                .all(|part| part.len() == length)
        };
        (self.error.len(), self.squared_error.len()) == (n, REGIONS)
            && lengths(&self.by_region, REGIONS)
            && self.drawn.as_ref().is_none_or(|drawn| lengths(drawn, n))
    }

    /// Predictive mean less the noise-free truth, n.
    pub fn error(&self) -> impl Iterator<Item = f64> {
        self.error.iter().map(|steps| *steps as f64 * self.unit)
    }
}

/// A number with `digits` significant digits.
fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits - 1).parse().unwrap_or(value)
}

/// Means over the inputs of each region.
fn means(values: &[f64], region: &[usize]) -> Vec<f64> {
    let mut sums = [(0.0, 0.0); REGIONS];
    for (value, &region) in values.iter().zip(region) {
        sums[region].0 += value;
        sums[region].1 += 1.0;
    }
    sums.map(|(sum, count)| sum / count).into()
}

/// Mean of the rows at each place.
fn mean_row(rows: &[&Vec<f64>]) -> Vec<f64> {
    let mean = |i: usize| rows.iter().map(|row| row[i]).sum::<f64>() / rows.len() as f64;
    (0..rows.first().map_or(0, |row| row.len())).map(mean).collect()
}

/// The replicates of one column at the n test inputs, which are the same in all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Replicates {
    /// True variance of the noise, n.
    pub noise: Vec<f64>,
    /// Region of each input, n, each from 0 to below [`REGIONS`].
    pub region: Vec<usize>,
    /// The finished replicates, one or more.
    pub each: Vec<Replicate>,
}

/// Mean squared error over replicates and inputs, in its two parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorParts {
    /// (1/R) Σ_r e_r², averaged over the inputs.
    pub mean_square: f64,
    /// The part of the squared bias, ē² − s²/R with s² as below: an unbiased estimate, which may be
    /// negative. `None` for one replicate.
    pub squared_bias: Option<f64>,
    /// Variance over replicates, s² = Σ_r (e_r − ē)² / (R − 1), the rest. `None` for one replicate.
    pub variance: Option<f64>,
}

impl Replicates {
    /// The stated variances of a part by region, averaged over the replicates; `None` where one of
    /// them states none.
    pub fn stated(&self, part: VariancePart) -> Option<Vec<f64>> {
        let rows: Option<Vec<&Vec<f64>>> =
            self.each.iter().map(|r| r.by_region.part(part)).collect();
        Some(mean_row(&rows?))
    }

    /// The same at every input, for one feature.
    pub fn drawn(&self, part: VariancePart) -> Option<Vec<f64>> {
        let rows: Option<Vec<&Vec<f64>>> =
            self.each.iter().map(|r| r.drawn.as_ref()?.part(part)).collect();
        Some(mean_row(&rows?))
    }

    /// Mean squared error over the replicates at every input.
    pub fn squared_error(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.noise.len()];
        for one in &self.each {
            sums.iter_mut().zip(one.error()).for_each(|(sum, e)| *sum += e * e);
        }
        sums.into_iter().map(|sum| sum / self.each.len() as f64).collect()
    }

    /// Mean squared error over the replicates by region.
    pub fn squared_error_by_region(&self) -> Vec<f64> {
        mean_row(&self.each.iter().map(|one| &one.squared_error).collect::<Vec<_>>())
    }

    /// True variance of the noise by region.
    pub fn noise_by_region(&self) -> Vec<f64> {
        means(&self.noise, &self.region)
    }

    /// The scores of a part; `None` where a replicate states none.
    pub fn scores(&self, part: VariancePart) -> Option<Scores> {
        let stated: Option<Vec<Vec<f64>>> =
            self.each.iter().map(|r| r.by_region.part(part).cloned()).collect();
        let noise = self.noise_by_region();
        let truth: Vec<Vec<f64>> =
            self.each.iter().map(|r| truth(part, &noise, &r.squared_error)).collect();
        scores(&truth, &stated?)
    }

    /// Squared error over all inputs, in its parts.
    pub fn error_parts(&self) -> ErrorParts {
        let (n, r) = (self.noise.len() as f64, self.each.len() as f64);
        // Regions have the same number of inputs.
        let by_region = self.squared_error_by_region();
        let mean_square = by_region.iter().sum::<f64>() / by_region.len() as f64;
        let (mut sums, mut squares) = (vec![0.0; self.noise.len()], 0.0);
        for one in &self.each {
            sums.iter_mut().zip(one.error()).for_each(|(sum, e)| *sum += e);
            squares += one.error().map(|e| e * e).sum::<f64>();
        }
        let variance = (self.each.len() > 1).then(|| {
            (squares - sums.iter().map(|sum| sum * sum / r).sum::<f64>()).max(0.0) / ((r - 1.0) * n)
        });
        // (1/R) Σ e² = ē² + (R − 1)/R s² = (ē² − s²/R) + s².
        ErrorParts {
            mean_square,
            squared_bias: variance.map(|variance| mean_square - variance),
            variance,
        }
    }
}

/// The true variance of a part in one replicate by region: of the noise, the squared error, or both
/// together.
fn truth(part: VariancePart, noise: &[f64], squared_error: &[f64]) -> Vec<f64> {
    let both = noise.iter().zip(squared_error);
    both.map(|(noise, square)| match part {
        VariancePart::Aleatoric => *noise,
        VariancePart::Epistemic => *square,
        VariancePart::Total => noise + square,
    })
    .collect()
}
