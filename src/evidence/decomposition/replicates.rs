//! Hold what replicates state at the test inputs together with the truth there.

use crate::data::simulated::REGIONS;
use crate::metrics::VariancePart;

use super::scores::{Scores, scores};

/// What one replicate states at the n test inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replicate {
    /// Predictive mean less the noise-free truth, n.
    pub error: Vec<f64>,
    /// Aleatoric variance, n, where the method defines one.
    pub aleatoric: Option<Vec<f64>>,
    /// Epistemic variance, n, likewise.
    pub epistemic: Option<Vec<f64>>,
    /// Predictive variance, n; absent where it is undefined, and where the method defines only one of its two parts.
    pub total: Option<Vec<f64>>,
}

impl Replicate {
    /// The stated variances of a part.
    pub fn stated(&self, part: VariancePart) -> Option<&Vec<f64>> {
        match part {
            VariancePart::Total => self.total.as_ref(),
            VariancePart::Aleatoric => self.aleatoric.as_ref(),
            VariancePart::Epistemic => self.epistemic.as_ref(),
        }
    }
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
    /// The part of the squared bias, ē² − s²/R with s² as below: an unbiased estimate, which may be negative. `None`
    /// for one replicate.
    pub squared_bias: Option<f64>,
    /// Variance over replicates, s² = Σ_r (e_r − ē)² / (R − 1), the rest. `None` for one replicate.
    pub variance: Option<f64>,
}

impl Replicates {
    /// The stated variances of a part at every input, averaged over the replicates; `None` where one of them states none.
    pub fn stated(&self, part: VariancePart) -> Option<Vec<f64>> {
        let rows: Vec<&Vec<f64>> = self.each.iter().map(|r| r.stated(part)).collect::<Option<_>>()?;
        let mean = |i: usize| rows.iter().map(|row| row[i]).sum::<f64>() / rows.len() as f64;
        Some((0..self.noise.len()).map(mean).collect())
    }

    /// Mean squared error over the replicates at every input.
    pub fn squared_error(&self) -> Vec<f64> {
        let r = self.each.len() as f64;
        let mean = |i: usize| self.each.iter().map(|one| one.error[i].powi(2)).sum::<f64>() / r;
        (0..self.noise.len()).map(mean).collect()
    }

    /// The scores of a part; `None` where a replicate states none.
    pub fn scores(&self, part: VariancePart) -> Option<Scores> {
        let stated: Option<Vec<Vec<f64>>> =
            self.each.iter().map(|r| r.stated(part).map(|stated| self.by_region(stated))).collect();
        let truth: Vec<Vec<f64>> = self.each.iter().map(|r| self.by_region(&self.truth(part, r))).collect();
        scores(&truth, &stated?)
    }

    /// The true variance of a part in one replicate: of the noise, the squared error, or both together.
    fn truth(&self, part: VariancePart, replicate: &Replicate) -> Vec<f64> {
        let both = self.noise.iter().zip(&replicate.error);
        both.map(|(noise, error)| match part {
            VariancePart::Aleatoric => *noise,
            VariancePart::Epistemic => error * error,
            VariancePart::Total => noise + error * error,
        })
        .collect()
    }

    /// Means over the inputs of each region.
    pub fn by_region(&self, values: &[f64]) -> Vec<f64> {
        let mut sums = [(0.0, 0.0); REGIONS];
        for (value, &region) in values.iter().zip(&self.region) {
            sums[region].0 += value;
            sums[region].1 += 1.0;
        }
        sums.map(|(sum, count)| sum / count).into()
    }

    /// Squared error over all inputs, in its parts.
    pub fn error_parts(&self) -> ErrorParts {
        let (n, r) = (self.noise.len() as f64, self.each.len() as f64);
        let mean_square = self.squared_error().iter().sum::<f64>() / n;
        let variance = |i: usize| {
            let mean = self.each.iter().map(|one| one.error[i]).sum::<f64>() / r;
            self.each.iter().map(|one| (one.error[i] - mean).powi(2)).sum::<f64>() / (r - 1.0)
        };
        let variance = (self.each.len() > 1).then(|| (0..self.noise.len()).map(variance).sum::<f64>() / n);
        // (1/R) Σ e² = ē² + (R − 1)/R s² = (ē² − s²/R) + s².
        ErrorParts { mean_square, squared_bias: variance.map(|variance| mean_square - variance), variance }
    }
}
