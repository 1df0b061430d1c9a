//! Hold the stationary kernels: a variance times a correlation that depends on s = Σ_d (x_d −
//! x'_d)² / ℓ_d² alone.
//!
//! Rasmussen and Williams (2006), Eqs. (4.9), (4.14), (4.17) and (4.19), with r = √s;
//! [`Profile::slope`] is ∂ln k/∂s.

use serde::{Deserialize, Serialize};

use super::panels::{Pairs, Sums, fill, pull, turn};
use super::profile::Profile;
use super::{Points, Workspace};
use uq_core::math::vectorised::{exp, ln_1p_of_positive};

/// k = exp(−s/2).
#[derive(Clone, Copy)]
struct Rbf;

impl Profile for Rbf {
    #[inline(always)]
    fn correlation(self, s: f64) -> f64 {
        exp(-0.5 * s)
    }

    #[inline(always)]
    fn slope(self, _: f64) -> f64 {
        -0.5
    }
}

/// k = exp(−r).
#[derive(Clone, Copy)]
struct Matern12;

impl Profile for Matern12 {
    #[inline(always)]
    fn correlation(self, s: f64) -> f64 {
        exp(-s.sqrt())
    }

    #[inline(always)]
    fn slope(self, s: f64) -> f64 {
        if s == 0.0 { 0.0 } else { -0.5 / s.sqrt() }
    }
}

/// k = (1 + a) exp(−a), a = √3 r.
#[derive(Clone, Copy)]
struct Matern32;

impl Profile for Matern32 {
    #[inline(always)]
    fn correlation(self, s: f64) -> f64 {
        let a = (3.0 * s).sqrt();
        (1.0 + a) * exp(-a)
    }

    #[inline(always)]
    fn slope(self, s: f64) -> f64 {
        -1.5 / (1.0 + (3.0 * s).sqrt())
    }
}

/// k = (1 + a + a²/3) exp(−a), a = √5 r.
#[derive(Clone, Copy)]
struct Matern52;

impl Profile for Matern52 {
    #[inline(always)]
    fn correlation(self, s: f64) -> f64 {
        let a = (5.0 * s).sqrt();
        (1.0 + a + a * a / 3.0) * exp(-a)
    }

    #[inline(always)]
    fn slope(self, s: f64) -> f64 {
        let a = (5.0 * s).sqrt();
        -(5.0 / 6.0) * (1.0 + a) / (1.0 + a + a * a / 3.0)
    }
}

/// k = (1 + s/(2α))^(−α).
#[derive(Clone, Copy)]
struct RationalQuadratic {
    alpha: f64,
}

impl Profile for RationalQuadratic {
    #[inline(always)]
    fn correlation(self, s: f64) -> f64 {
        exp(-self.alpha * ln_1p_of_positive(0.5 * s / self.alpha))
    }

    #[inline(always)]
    fn slope(self, s: f64) -> f64 {
        -0.5 / (1.0 + 0.5 * s / self.alpha)
    }

    #[inline(always)]
    fn by_alpha(self, s: f64) -> f64 {
        let t = 0.5 * s / self.alpha;
        self.alpha * (t / (1.0 + t) - ln_1p_of_positive(t))
    }
}

/// The form of a stationary kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// exp(−r²/2): infinitely smooth.
    Rbf,
    /// exp(−r): continuous.
    #[serde(rename = "matern-12")]
    Matern12,
    /// (1 + √3 r) exp(−√3 r): once differentiable.
    #[serde(rename = "matern-32")]
    Matern32,
    /// (1 + √5 r + 5r²/3) exp(−√5 r): twice differentiable.
    #[serde(rename = "matern-52")]
    Matern52,
    /// (1 + r²/(2α))^(−α): a mixture of [`Shape::Rbf`] over length scales, which it becomes for α →
    /// ∞.
    RationalQuadratic,
}

/// A stationary kernel with a length scale for each feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stationary {
    /// Its form.
    pub shape: Shape,
    /// k(x, x).
    pub variance: f64,
    /// ℓ_d, one for each feature.
    pub length_scales: Vec<f64>,
    /// α of [`Shape::RationalQuadratic`]; other shapes do not use it.
    pub alpha: f64,
}

impl Stationary {
    /// Unit variance, length scales and α, for `inputs` features.
    pub fn unit(shape: Shape, inputs: usize) -> Self {
        Self { shape, variance: 1.0, length_scales: vec![1.0; inputs], alpha: 1.0 }
    }

    /// Number of parameters: the variance, d length scales, and α where the shape has one.
    pub fn parameters(&self) -> usize {
        1 + self.length_scales.len() + usize::from(self.shape == Shape::RationalQuadratic)
    }

    /// Adds ln variance, ln ℓ_1 …, and ln α where the shape has one.
    pub fn push_log_parameters(&self, to: &mut Vec<f64>) {
        to.push(self.variance.ln());
        to.extend(self.length_scales.iter().map(|l| l.ln()));
        if self.shape == Shape::RationalQuadratic {
            to.push(self.alpha.ln());
        }
    }

    /// Sets the parameters from their logarithms, in the order of
    /// [`Stationary::push_log_parameters`].
    pub fn set_log_parameters(&mut self, from: &[f64]) {
        let d = self.length_scales.len();
        assert_eq!(from.len(), self.parameters(), "one number for each parameter");
        self.variance = from[0].exp();
        for (scale, ln) in self.length_scales.iter_mut().zip(&from[1..=d]) {
            *scale = ln.exp();
        }
        if self.shape == Shape::RationalQuadratic {
            self.alpha = from[d + 1].exp();
        }
    }

    /// K(a, b), or the upper triangle of K(a, a) where `b` is `None`.
    pub(super) fn matrix(
        &self,
        a: Points,
        b: Option<Points>,
        to: &mut [f64],
        workspace: &mut Workspace,
    ) {
        let Workspace { scaled, panels, .. } = workspace;
        let pairs = self.pairs(a, b, scaled, panels);
        assert_eq!(to.len(), pairs.rows * pairs.columns, "a matrix has a number for each pair");
        match self.shape {
            Shape::Rbf => fill(Rbf, pairs, self.variance, to),
            Shape::Matern12 => fill(Matern12, pairs, self.variance, to),
            Shape::Matern32 => fill(Matern32, pairs, self.variance, to),
            Shape::Matern52 => fill(Matern52, pairs, self.variance, to),
            Shape::RationalQuadratic => {
                fill(RationalQuadratic { alpha: self.alpha }, pairs, self.variance, to)
            }
        }
    }

    /// Adds the derivatives of L with ∂L/∂K = `dk` to `gradient` (by the logarithms) and to `d_b`
    /// (m × d). Only the products k · dk are used.
    pub(super) fn pull_back(
        &self,
        (a, b): (Points, Option<Points>),
        (k, dk): (&[f64], &[f64]),
        gradient: &mut [f64],
        d_b: Option<&mut [f64]>,
        workspace: &mut Workspace,
    ) {
        let d = self.length_scales.len();
        let Workspace { scaled, panels, squares, moves, .. } = workspace;
        squares.clear();
        squares.resize(d, [0.0; super::panels::LANES]);
        moves.clear();
        let pairs = self.pairs(a, b, scaled, panels);
        if d_b.is_some() {
            moves.resize(pairs.panels.len(), [0.0; super::panels::LANES]);
        }
        let Sums { total, by_alpha } = match self.shape {
            Shape::Rbf => pull(Rbf, pairs, k, dk, squares, moves),
            Shape::Matern12 => pull(Matern12, pairs, k, dk, squares, moves),
            Shape::Matern32 => pull(Matern32, pairs, k, dk, squares, moves),
            Shape::Matern52 => pull(Matern52, pairs, k, dk, squares, moves),
            Shape::RationalQuadratic => {
                pull(RationalQuadratic { alpha: self.alpha }, pairs, k, dk, squares, moves)
            }
        };
        gradient[0] += total;
        // ∂s/∂ln ℓ = −2 (x − x')²/ℓ².
        for (slope, lane) in gradient[1..=d].iter_mut().zip(squares.iter()) {
            *slope -= 2.0 * lane.iter().sum::<f64>();
        }
        if self.shape == Shape::RationalQuadratic {
            gradient[d + 1] += by_alpha;
        }
        if let Some(d_b) = d_b {
            // ∂s/∂x' = −2 (x − x')/ℓ².
            for (j, row) in d_b.chunks_exact_mut(d.max(1)).enumerate() {
                let lanes = &moves[j / super::panels::LANES * d..][..d];
                for ((slope, lane), scale) in row.iter_mut().zip(lanes).zip(&self.length_scales) {
                    *slope -= 2.0 / scale * lane[j % super::panels::LANES];
                }
            }
        }
    }

    /// The points divided by the length scales.
    fn pairs<'w>(
        &self,
        a: Points,
        b: Option<Points>,
        scaled: &'w mut Vec<f64>,
        panels: &'w mut Vec<super::panels::Lane>,
    ) -> Pairs<'w> {
        let inputs = self.length_scales.len();
        let second = b.unwrap_or(a);
        assert_eq!(
            (a.columns, second.columns),
            (inputs, inputs),
            "points have a feature for each length scale"
        );
        scaled.clear();
        for row in 0..a.rows {
            scaled.extend(
                a.row(row).iter().zip(&self.length_scales).map(|(x, scale)| x * (1.0 / scale)),
            );
        }
        turn(second.values, second.rows, |f| 1.0 / self.length_scales[f], inputs, panels);
        Pairs { scaled, rows: a.rows, panels, columns: second.rows, inputs, upper: b.is_none() }
    }
}
