//! Hold a weighted sum of independent noise draws, c + Σ_i w_i (M_i − m_0): the noise in a linear
//! predictor.
//!
//! Cumulants add: κ_r = κ_r(M) Σ_i w_i^r for r ≥ 2, exact from the expansion's coefficients. The
//! distribution function is computed twice, from sorted draws of the germs and by inverting the
//! characteristic function Π_i φ_M(w_i t) (Gil-Pelaez): F(y) = ½ − (1/π) ∫_0^∞ Im[exp(−i t y)
//! φ(t)]/t dt, summed at half-integer multiples of a step as Davies does.
//!
//! # References
//! J. Gil-Pelaez: *Note on the inversion theorem*, Biometrika 38, 1951. R. B. Davies: *Numerical
//! inversion of a characteristic function*, Biometrika 60, 1973.

use std::f64::consts::PI;

use super::expansion::Expansion;
use uq_core::math::random::Rng;
use uq_core::math::root::increasing_root;
use uq_math::orthogonal::Orthogonal;

/// Reach of the inversion in standard deviations: the formula attributes probability beyond it to
/// the other side.
const REACH: f64 = 60.0;

/// Points of the germ's grid where there is no closed form.
const POINTS: usize = 2001;

/// Largest number of frequencies, for closed forms and for sums over a grid.
const FREQUENCIES: [usize; 2] = [1 << 17, 1 << 11];

/// The sum ends where ln |φ| is below this.
const NEGLIGIBLE: f64 = -30.0;

/// c + Σ_i w_i (M_i − m_0), with independent M_i.
#[derive(Clone, Debug)]
pub struct Weighted<'a> {
    /// Its mean, c.
    pub centre: f64,
    /// w, one for each draw.
    pub weights: Vec<f64>,
    /// The distribution of each M_i.
    pub noise: &'a Expansion,
}

impl Weighted<'_> {
    /// The cumulants κ_1 to κ_4.
    pub fn cumulants(&self) -> [f64; 4] {
        let [_, second, third, fourth] = self.noise.cumulants();
        let power = |r: i32| self.weights.iter().map(|w| w.powi(r)).sum::<f64>();
        [self.centre, second * power(2), third * power(3), fourth * power(4)]
    }

    /// κ_3/κ_2^(3/2); NaN where it does not vary.
    pub fn skewness(&self) -> f64 {
        let [_, second, third, _] = self.cumulants();
        third / second.powf(1.5)
    }

    /// κ_4/κ_2²; NaN where it does not vary.
    pub fn excess_kurtosis(&self) -> f64 {
        let [_, second, _, fourth] = self.cumulants();
        fourth / (second * second)
    }

    /// `count` draws, in increasing order: each draws all germs.
    pub fn sorted_draws(&self, count: usize, rng: &mut Rng) -> Vec<f64> {
        let mean = self.noise.mean();
        let draw = |_| {
            self.centre
                + self.weights.iter().map(|w| w * (self.noise.draw(rng) - mean)).sum::<f64>()
        };
        let mut draws: Vec<f64> = (0..count).map(draw).collect();
        draws.sort_unstable_by(f64::total_cmp);
        draws
    }

    /// The characteristic function at the frequencies of the inversion; `None` where it does not
    /// vary.
    pub fn inversion(&self) -> Option<Inversion> {
        let deviation = self.cumulants()[1].sqrt();
        if !(deviation > 0.0 && deviation.is_finite()) {
            return None;
        }
        let two_terms = self.noise.coefficients().len() == 2;
        let closed = two_terms && !matches!(self.noise.germ(), Orthogonal::Jacobi { .. });
        let grid = self.noise.grid(if closed { 0 } else { POINTS });
        let step = 2.0 * PI / (REACH * deviation);
        let mut terms = Vec::new();
        for j in 0..FREQUENCIES[usize::from(!closed)] {
            let t = (j as f64 + 0.5) * step;
            let (mut ln_modulus, mut phase) = (0.0, 0.0);
            for weight in &self.weights {
                let (ln, turn) = self.noise.characteristic(weight * t, &grid);
                ln_modulus += ln;
                phase += turn;
            }
            terms.push((ln_modulus, phase));
            // The modulus of a uniform variable has zeros: one of them does not end the sum.
            if terms.iter().rev().take(8).all(|(ln, _)| *ln < NEGLIGIBLE) && terms.len() > 8 {
                break;
            }
        }
        Some(Inversion { centre: self.centre, step, terms })
    }
}

/// A characteristic function at half-integer multiples of a step.
#[derive(Clone, Debug)]
pub struct Inversion {
    centre: f64,
    step: f64,
    /// ln |φ| and the phase of φ, of the centred variable.
    terms: Vec<(f64, f64)>,
}

impl Inversion {
    /// F(y) = ½ − (1/π) Σ_j Im[exp(−i t_j y) φ(t_j)]/(j + ½).
    pub fn cdf(&self, y: f64) -> f64 {
        let y = y - self.centre;
        let term = |(j, (ln_modulus, phase)): (usize, &(f64, f64))| {
            let place = j as f64 + 0.5;
            ln_modulus.exp() * (phase - place * self.step * y).sin() / place
        };
        (0.5 - self.terms.iter().enumerate().map(term).sum::<f64>() / PI).clamp(0.0, 1.0)
    }

    /// A bound on the sum over the frequencies left out, (1/π) ∫_T^∞ |φ|/t dt for a modulus that
    /// continues to fall as it does over the last half of them; infinite where it does not fall.
    pub fn truncation(&self) -> f64 {
        let n = self.terms.len();
        // Averages over windows, because of zeros.
        let level = |from: usize, to: usize| {
            self.terms[from..to].iter().map(|(ln, _)| ln.exp()).sum::<f64>()
                / (to - from).max(1) as f64
        };
        let (half, end) = (level(n * 3 / 8, n / 2 + 1), level(n * 3 / 4, n));
        if end < NEGLIGIBLE.exp() {
            return end;
        }
        let power = (half / end).log2();
        if power > 0.0 { end / (PI * power) } else { f64::INFINITY }
    }

    /// The smallest value v with F(v) ≥ `level`, between the ends of `within`.
    pub fn quantile(&self, level: f64, within: (f64, f64)) -> f64 {
        let middle = 0.5 * (within.0 + within.1);
        increasing_root(within.0, within.1, middle, |y| (self.cdf(y) - level, 0.0))
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use statrs::function::gamma::gamma_lr;

    use super::*;
    use uq_core::math::special::normal_cdf;

    #[test]
    fn inversion_has_the_closed_form_of_normal_gamma_and_triangular_sums() {
        let normal = Expansion::gaussian(3.0, 2.0);
        let sum = Weighted { centre: 1.0, weights: vec![0.6, -0.8], noise: &normal };
        let inversion = sum.inversion().unwrap();
        for y in [-4.0, 0.0, 1.0, 2.7] {
            assert!((inversion.cdf(y) - normal_cdf((y - 1.0) / 2.0)).abs() < 1e-12);
        }
        assert!(
            (inversion.quantile(0.975, (-20.0, 20.0)) - 1.0 - 2.0 * 1.959_963_984_540_054).abs()
                < 1e-9
        );
        // Twelve Gamma(0.25, 2) make a Gamma(3, 2).
        let gamma = Expansion::gamma(0.25, 2.0);
        let sum = Weighted { centre: 6.0, weights: vec![1.0; 12], noise: &gamma };
        let inversion = sum.inversion().unwrap();
        for y in [0.5, 4.0, 9.0, 20.0] {
            assert!((inversion.cdf(y) - gamma_lr(3.0, y / 2.0)).abs() < 1e-7, "{y}");
        }
        // U − U' on [−1, 1] is triangular.
        let uniform = Expansion::uniform(0.0, 1.0);
        let inversion = Weighted { centre: 0.0, weights: vec![1.0, -1.0], noise: &uniform }
            .inversion()
            .unwrap();
        for y in [-0.9, -0.3, 0.0, 0.5] {
            let exact = if y < 0.0 {
                0.5 * (1.0_f64 + y).powi(2)
            } else {
                1.0 - 0.5 * (1.0_f64 - y).powi(2)
            };
            assert!((inversion.cdf(y) - exact).abs() < 1e-7, "{y}: {} {exact}", inversion.cdf(y));
        }
    }

    #[test]
    fn draws_and_inversion_agree_for_every_germ_and_for_more_than_two_terms() {
        let noises = [
            Expansion::gaussian(0.0, 1.0),
            Expansion::gamma(0.25, 2.0),
            Expansion::uniform(-1.0, 1.0),
            Expansion::beta(2.0, 5.0, -1.0, 2.0),
            Expansion::new(Orthogonal::Hermite, vec![0.4, 1.0, 0.3]),
            Expansion::new(
                Orthogonal::Jacobi { alpha: 0.5, beta: 2.0 },
                vec![-1.0, 0.7, 0.4, -0.2],
            ),
        ];
        for noise in &noises {
            let weights = vec![-0.08, 0.26, 0.62, 0.26, -0.08];
            let sum = Weighted { centre: 0.7, weights, noise };
            let n = 40_000;
            let draws = sum.sorted_draws(n, &mut Rng::seed_from_u64(17));
            let inversion = sum.inversion().unwrap();
            assert!(inversion.truncation() < 1e-3, "{noise:?}: {}", inversion.truncation());
            let steps = (0..400).map(|k| k * n / 400);
            let far = steps
                .map(|i| ((i as f64 + 0.5) / n as f64 - inversion.cdf(draws[i])).abs())
                .fold(0.0, f64::max);
            assert!(far < 1.95 / (n as f64).sqrt() + 1e-3, "{noise:?}: {far}");
        }
    }

    #[test]
    fn cumulants_add() {
        // Gamma(0.25, 2) times −½ and 2: κ_3 = 4 (8 − 1/8), κ_4 = 24 (16 + 1/16).
        let noise = Expansion::gamma(0.25, 2.0);
        let sum = Weighted { centre: -1.0, weights: vec![-0.5, 2.0], noise: &noise };
        let expected = [-1.0, 4.25, 31.5, 385.5];
        assert!(sum.cumulants().iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-11));
        assert!((sum.skewness() - 31.5 / 4.25_f64.powf(1.5)).abs() < 1e-12);
        assert!((sum.excess_kurtosis() - 385.5 / 4.25_f64.powi(2)).abs() < 1e-12);
        assert!(Weighted { centre: 0.0, weights: vec![0.0], noise: &noise }.inversion().is_none());
    }
}
