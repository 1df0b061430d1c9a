//! Draw problems whose noise variance and sampling density are known everywhere, with the same test
//! inputs in every draw.
//!
//! On [−1, 1]^d, d of 1, 2, 4 or 8, with 200, 300, 400 or 500 training rows, y = m(x) + σ(x) ε with
//!
//! ```text
//! m(x) = f(x₁) + (d − 1)^(−1/2) Σ_{k ≥ 2} sin(π x_k / 2),   f(x₁) = sin π x₁                   (1)
//! ```
//!
//! whose second part has variance 1/2 for all d > 1. Each problem changes one part of a uniform
//! density, this mean and normal noise of standard deviation 0.3:
//!
//! - heteroscedastic: σ(x) = 10^((x₁ − 1)/2), from 0.1 to 1;
//! - gap: two of a hundred rows have |x₁| < 1/4, a quarter of the volume; the density is uniform on
//!   either side of that border;
//! - step: f(x₁) = −1 left of 0 and 1 from 0 on;
//! - skewed: ε + 1 is exponential (skewness 2, excess kurtosis 6) and σ(x) = 0.2 · 4^|x₁|, from 0.2
//!   to 0.8.
//!
//! Test inputs are a design of 256 points, the same in every draw: x₁ at the middles of 256 cells,
//! the other features by the additive recurrence of Roberts, u_jk = {1/2 + (j + 1) φ^(−k)} with φ^d
//! = φ + 1. They fall into sixteen regions of sixteen points each: slices of x₁ (16 for d = 1, else
//! 8), of which each is halved by the distance from the first axis. The gap is whole slices.
//!
//! All numbers are ours. *References:* the recurrence: M. Roberts: *The unreasonable effectiveness
//! of quasirandom sequences*, 2018,
//! <https://extremelearning.com.au/unreasonable-effectiveness-of-quasirandom-sequences/>.

use std::f64::consts::PI;

use ndarray::{Array1, Array2, ArrayView1};
use rand::RngExt;

use super::{Drawn, standard_normal};
use uq_core::Table;
use uq_core::math::random::Rng;

/// Number of points of the design.
const POINTS: usize = 256;
/// Number of regions that they fall into.
pub const REGIONS: usize = 16;
/// Half the width of the gap in x₁.
const GAP: f64 = 0.25;
/// One of this number of training rows lies in the gap.
const RARE: usize = 50;

/// Test inputs that are the same in every draw, and the regions that they fall into.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    /// Inputs, n × d.
    pub inputs: Array2<f64>,
    /// Index of each input's region, n, from 0 to below [`REGIONS`]; all regions have the same
    /// number of inputs.
    pub region: Vec<usize>,
}

/// The part that differs from a uniform density, a smooth mean and normal noise of constant
/// variance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Heteroscedastic,
    Gap,
    Step,
    Skewed,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Heteroscedastic, Self::Gap, Self::Step, Self::Skewed];

    /// Its name in keys.
    const fn name(self) -> &'static str {
        match self {
            Self::Heteroscedastic => "heteroscedastic",
            Self::Gap => "gap",
            Self::Step => "step",
            Self::Skewed => "skewed",
        }
    }

    /// The kind and the number of features that this key of a problem says, without prefix.
    fn of_key(key: &str) -> Option<(Self, usize)> {
        let (name, features) = key.strip_prefix("decomposition-")?.split_once('@')?;
        Some((Self::ALL.into_iter().find(|kind| kind.name() == name)?, features.parse().ok()?))
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Heteroscedastic => {
                "smooth mean, normal noise whose sd grows from 0.1 to 1 along the first of as many \
                 features as the key says; noisy test rows at 256 inputs that never change \
                 (benchmark `decomposition`)"
            }
            Self::Gap => {
                "the same with noise of sd 0.3 everywhere, and two of a hundred training rows on \
                 the middle quarter of the first feature"
            }
            Self::Step => "the same with even density and a step of the mean in the first feature",
            Self::Skewed => {
                "the same with smooth mean and exponential noise whose sd grows from 0.2 in the \
                 middle to 0.8"
            }
        }
    }

    /// Eq. (1).
    fn mean(self, x: ArrayView1<f64>) -> f64 {
        let first = match self {
            Self::Step => 1f64.copysign(x[0]),
            _ => (PI * x[0]).sin(),
        };
        let others = x.len() - 1;
        if others == 0 {
            return first;
        }
        first + x.iter().skip(1).map(|x| (PI * x / 2.0).sin()).sum::<f64>() / (others as f64).sqrt()
    }

    /// σ(x), which depends on the first feature alone.
    fn noise(self, first: f64) -> f64 {
        match self {
            Self::Heteroscedastic => 10f64.powf((first - 1.0) / 2.0),
            Self::Gap | Self::Step => 0.3,
            Self::Skewed => 0.2 * 4f64.powf(first.abs()),
        }
    }

    /// ε, of mean 0 and variance 1.
    fn innovation(self, rng: &mut Rng) -> f64 {
        match self {
            Self::Skewed => -(1.0 - rng.random::<f64>()).ln() - 1.0,
            _ => standard_normal(rng),
        }
    }

    /// The first feature of training row `row`.
    fn first(self, row: usize, rng: &mut Rng) -> f64 {
        let u: f64 = rng.random();
        match self {
            Self::Gap if row.is_multiple_of(RARE) => GAP * (2.0 * u - 1.0),
            // The two sides together have the length 2 (1 − GAP).
            Self::Gap => {
                let along = (1.0 - GAP) * (2.0 * u - 1.0);
                along + GAP.copysign(along)
            }
            _ => 2.0 * u - 1.0,
        }
    }

    fn targets(self, inputs: &Array2<f64>, rng: &mut Rng) -> Array1<f64> {
        inputs
            .rows()
            .into_iter()
            .map(|x| self.mean(x) + self.noise(x[0]) * self.innovation(rng))
            .collect()
    }

    pub(super) fn draw(self, features: usize, rng: &mut Rng) -> Drawn {
        let rows = match features {
            1 => 200,
            2 => 300,
            4 => 400,
            _ => 500,
        };
        let mut train = Array2::zeros((rows, features));
        for (row, mut x) in train.rows_mut().into_iter().enumerate() {
            x.iter_mut().skip(1).for_each(|x| *x = 2.0 * rng.random::<f64>() - 1.0);
            x[0] = self.first(row, rng);
        }
        let target = self.targets(&train, rng);
        let inputs = design(features).inputs;
        let (truth, noise) =
            inputs.rows().into_iter().map(|x| (self.mean(x), self.noise(x[0]))).unzip();
        let (truth, noise): (Vec<f64>, Vec<f64>) = (truth, noise);
        let test = Table::unnamed(inputs.clone(), self.targets(&inputs, rng));
        Drawn {
            train: Table::unnamed(train, target),
            test,
            noise: Some(Array1::from(noise)),
            truth: Some(Array1::from(truth)),
        }
    }
}

/// The design of the problem of this key, without prefix; `None` where its test inputs are drawn
/// anew.
pub(super) fn design_of(key: &str) -> Option<Design> {
    Kind::of_key(key).map(|(_, features)| design(features))
}

/// m(x) and σ(x) of the problem of this key, without prefix.
pub(super) fn law(key: &str, x: ArrayView1<f64>) -> Option<(f64, f64)> {
    let (kind, _) = Kind::of_key(key).filter(|(_, features)| *features == x.len())?;
    Some((kind.mean(x), kind.noise(x[0])))
}

fn design(features: usize) -> Design {
    let others = features - 1;
    let ratio = plastic(others);
    let inputs = Array2::from_shape_fn((POINTS, features), |(j, k)| {
        let u = match k {
            0 => (j as f64 + 0.5) / POINTS as f64,
            k => (0.5 + (j + 1) as f64 * ratio.powi(-(k as i32))).fract(),
        };
        2.0 * u - 1.0
    });
    let mut region = vec![0; POINTS];
    if others == 0 {
        region.iter_mut().enumerate().for_each(|(j, region)| *region = j / (POINTS / REGIONS));
        return Design { inputs, region };
    }
    let distance = |j: usize| inputs.row(j).iter().skip(1).map(|x| x * x).sum::<f64>();
    let slice = 2 * POINTS / REGIONS;
    for first in (0..POINTS).step_by(slice) {
        let mut order: Vec<usize> = (first..first + slice).collect();
        order.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        for (place, j) in order.into_iter().enumerate() {
            region[j] = 2 * (first / slice) + usize::from(2 * place >= slice);
        }
    }
    Design { inputs, region }
}

/// The root φ > 1 of φ^(k + 1) = φ + 1: the golden ratio for k = 1, the plastic number for k = 2.
fn plastic(k: usize) -> f64 {
    // x ← (1 + x)^(1/(k + 1)) contracts by at least a factor of 2; 64 steps converge to full
    // precision.
    (0..64).fold(1.5, |x: f64, _| (1.0 + x).powf(1.0 / (k + 1) as f64))
}

/// A problem of this kind; its key and its draws come from the same number of features.
macro_rules! problem {
    (heteroscedastic @ $features:literal) => {
        decomposition::problem!(Heteroscedastic, "heteroscedastic", $features)
    };
    (gap @ $features:literal) => {
        decomposition::problem!(Gap, "gap", $features)
    };
    (step @ $features:literal) => {
        decomposition::problem!(Step, "step", $features)
    };
    (skewed @ $features:literal) => {
        decomposition::problem!(Skewed, "skewed", $features)
    };
    ($kind:ident, $name:literal, $features:literal) => {
        Simulated {
            key: concat!("decomposition-", $name, "@", $features),
            title: decomposition::Kind::$kind.title(),
            version: 1,
            draw: |rng| decomposition::Kind::$kind.draw($features, rng),
            hyper_functions: None,
        }
    };
}
pub(super) use problem;

#[cfg(test)]
mod tests;
