//! Hold noise as a polynomial chaos expansion: M = Σ_{j<L} m_j φ_j(ξ), a finite sum of orthogonal
//! polynomials of a germ ξ.
//!
//! Mean m_0, variance Σ_{j≥1} m_j² ‖φ_j‖² (Eq. 4), and the third and fourth cumulants, exact from
//! the coefficients: products of polynomials are computed in the basis itself. With two terms,
//! exact (Definition 1): normal in Hermite, gamma in Laguerre, uniform in Legendre, beta in Jacobi
//! polynomials.

use rand::RngExt;
use serde::{Deserialize, Serialize};
use statrs::function::beta::beta_reg;
use statrs::function::gamma::{gamma_lr, gamma_ur};

use crate::state::require;
use uq_core::math::random::Rng;
use uq_core::math::root::increasing_root;
use uq_core::math::special::{normal_cdf, normal_density};
use uq_math::gamma_draws;
use uq_math::normal_draws::fill_standard_normal;
use uq_math::orthogonal::Orthogonal;

/// Reach of a grid over the germ, in normal scores.
const REACH: f64 = 7.5;

/// A random variable as coefficients of the orthogonal polynomials of its germ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expansion {
    germ: Orthogonal,
    /// m_0 … m_{L−1}, at least one.
    coefficients: Vec<f64>,
}

/// Most terms of an expansion that is read; a method's parameters state fewer.
const MOST_TERMS: usize = 100;

impl Expansion {
    /// Σ_j `coefficients`_j φ_j(ξ).
    ///
    /// # Panics
    /// If there is no coefficient.
    pub fn new(germ: Orthogonal, coefficients: Vec<f64>) -> Self {
        assert!(!coefficients.is_empty(), "an expansion has a mean");
        Self { germ, coefficients }
    }

    /// Checks an expansion that was read: it has a mean, no more terms than any fit, and a germ.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self) -> Result<(), String> {
        let terms = self.coefficients.len();
        require(
            (1..=MOST_TERMS).contains(&terms) && self.germ.is_defined(),
            "a noise that is no expansion",
        )
    }

    /// N(`mean`, `deviation`²).
    pub fn gaussian(mean: f64, deviation: f64) -> Self {
        Self::new(Orthogonal::Hermite, vec![mean, deviation])
    }

    /// Gamma(`shape`, `scale`), mean shape · scale; reflected at 0 for a negative scale. L_1 =
    /// shape − ξ.
    pub fn gamma(shape: f64, scale: f64) -> Self {
        Self::new(Orthogonal::Laguerre { exponent: shape - 1.0 }, vec![shape * scale, -scale])
    }

    /// Uniform from `low` to `high`.
    pub fn uniform(low: f64, high: f64) -> Self {
        Self::new(Orthogonal::Legendre, vec![0.5 * (low + high), 0.5 * (high - low)])
    }

    /// `low` + (`high` − `low`) B with B ~ Beta(`a`, `b`).
    pub fn beta(a: f64, b: f64, low: f64, high: f64) -> Self {
        let width = high - low;
        let germ = Orthogonal::Jacobi { alpha: b - 1.0, beta: a - 1.0 };
        Self::new(germ, vec![low + width * a / (a + b), width / (a + b)])
    }

    /// Whether it is normal: two terms of a normal germ.
    pub fn is_normal(&self) -> bool {
        self.germ == Orthogonal::Hermite && self.coefficients.iter().skip(2).all(|m| *m == 0.0)
    }

    /// The germ's polynomials.
    pub fn germ(&self) -> Orthogonal {
        self.germ
    }

    /// m_0 … m_{L−1}.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// E M = m_0.
    pub fn mean(&self) -> f64 {
        self.coefficients[0]
    }

    /// σ_M² (Eq. 4).
    pub fn variance(&self) -> f64 {
        let centred = self.centred();
        self.germ.inner(&centred, &centred)
    }

    /// The variable of mean 0 and variance 1 with the same form; itself, centred, where it does not
    /// vary.
    #[must_use]
    pub fn standardised(&self) -> Self {
        let deviation = self.variance().sqrt();
        let factor = if deviation > 0.0 { deviation.recip() } else { 1.0 };
        Self::new(self.germ, self.centred().into_iter().map(|m| factor * m).collect())
    }

    /// `factor` · M.
    #[must_use]
    pub fn times(&self, factor: f64) -> Self {
        Self::new(self.germ, self.coefficients.iter().map(|m| factor * m).collect())
    }

    fn centred(&self) -> Vec<f64> {
        let mut centred = self.coefficients.clone();
        centred[0] = 0.0;
        centred
    }

    /// The cumulants κ_1 to κ_4: mean, variance, E (M − m_0)³, E (M − m_0)⁴ − 3 σ_M⁴.
    pub fn cumulants(&self) -> [f64; 4] {
        let centred = self.centred();
        let square = self.germ.product(&centred, &centred);
        let variance = square[0];
        let third = self.germ.inner(&square, &centred);
        let fourth = self.germ.inner(&square, &square);
        [self.mean(), variance, third, fourth - 3.0 * variance * variance]
    }

    /// M at a value of the germ.
    pub fn at(&self, germ: f64) -> f64 {
        match self.coefficients[..] {
            [mean] => mean,
            _ => self.germ.evaluate(&self.coefficients, germ),
        }
    }

    /// A draw of M.
    pub fn draw(&self, rng: &mut Rng) -> f64 {
        let germ = match self.germ {
            Orthogonal::Hermite => {
                let mut normal = [0.0];
                fill_standard_normal(&mut normal, rng);
                normal[0]
            }
            Orthogonal::Laguerre { exponent } => gamma_draws::gamma(exponent + 1.0, rng),
            Orthogonal::Legendre => 2.0 * rng.random::<f64>() - 1.0,
            Orthogonal::Jacobi { alpha, beta } => {
                2.0 * gamma_draws::beta(beta + 1.0, alpha + 1.0, rng) - 1.0
            }
        };
        self.at(germ)
    }

    /// M − m_0 at this number of equally spaced normal scores with their weights, which sum to one:
    /// integrals over the germ as sums. A smooth function of the score is integrated to rounding.
    pub fn grid(&self, points: usize) -> Quadrature {
        let step = 2.0 * REACH / points.saturating_sub(1).max(1) as f64;
        let scores: Vec<f64> = (0..points).map(|i| -REACH + step * i as f64).collect();
        let total: f64 = scores.iter().map(|s| normal_density(*s)).sum();
        let weights = scores.iter().map(|s| normal_density(*s) / total).collect();
        Quadrature {
            values: scores.iter().map(|s| self.at(germ_at(self.germ, *s)) - self.mean()).collect(),
            weights,
        }
    }

    /// Logarithm of the modulus, and the phase, of E exp(i t (M − m_0)): closed forms for two terms
    /// of normal, gamma and uniform germs; else the sum over `grid`, valid while the phase turns by
    /// less than π from one of its points to the next.
    pub fn characteristic(&self, t: f64, grid: &Quadrature) -> (f64, f64) {
        let sum = || {
            let (mut re, mut im) = (0.0, 0.0);
            for (value, weight) in grid.values.iter().zip(&grid.weights) {
                let (sin, cos) = (t * value).sin_cos();
                re += weight * cos;
                im += weight * sin;
            }
            (re.hypot(im).ln(), im.atan2(re))
        };
        match (self.germ, &self.coefficients[..]) {
            (_, [_]) => (0.0, 0.0),
            (Orthogonal::Hermite, [_, m]) => (-0.5 * (t * m).powi(2), 0.0),
            // M − m_0 = m (shape − ξ), and ξ has (1 − i t)^(−shape).
            (Orthogonal::Laguerre { exponent }, [_, m]) => {
                let (shape, u) = (exponent + 1.0, t * m);
                (-0.5 * shape * (u * u).ln_1p(), shape * (u - u.atan()))
            }
            (Orthogonal::Legendre, [_, m]) => {
                let u = t * m;
                // sin u / u to rounding.
                let value = if u.abs() < 1e-4 { 1.0 - u * u / 6.0 } else { u.sin() / u };
                (value.abs().ln(), if value < 0.0 { std::f64::consts::PI } else { 0.0 })
            }
            _ => sum(),
        }
    }
}

/// A random variable at points of equally spaced normal scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Quadrature {
    /// Its values.
    pub values: Vec<f64>,
    /// Their probabilities, which sum to one.
    pub weights: Vec<f64>,
}

/// The germ's quantile at the probability Φ(`score`).
fn germ_at(germ: Orthogonal, score: f64) -> f64 {
    let (below, above) = (normal_cdf(score), normal_cdf(-score));
    match germ {
        Orthogonal::Hermite => score,
        Orthogonal::Legendre => below - above,
        Orthogonal::Laguerre { exponent } => {
            let shape = exponent + 1.0;
            // In the logarithm of ξ, from the smaller tail.
            let rest = |z: f64| {
                let x = z.exp();
                let value = if score <= 0.0 {
                    gamma_lr(shape, x) - below
                } else {
                    above - gamma_ur(shape, x)
                };
                (value, 0.0)
            };
            increasing_root(-700.0, (10.0 * shape + 100.0).ln(), shape.ln(), rest).exp()
        }
        Orthogonal::Jacobi { alpha, beta } => {
            let (a, b) = (beta + 1.0, alpha + 1.0);
            // In the log odds of v = (1 + ξ)/2.
            let rest = |z: f64| {
                let value = if score <= 0.0 {
                    beta_reg(a, b, logistic(z)) - below
                } else {
                    above - beta_reg(b, a, logistic(-z))
                };
                (value, 0.0)
            };
            let z = increasing_root(-700.0, 700.0, (a / b).ln(), rest);
            logistic(z) - logistic(-z)
        }
    }
}

fn logistic(z: f64) -> f64 {
    (1.0 + (-z).exp()).recip()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn near(found: f64, expected: f64, tolerance: f64) {
        assert!(
            (found - expected).abs() <= tolerance * (1.0 + expected.abs()),
            "{found} against {expected}"
        );
    }

    /// Three terms in a gamma germ and four in a beta one.
    fn longer() -> [Expansion; 2] {
        [
            Expansion::new(Orthogonal::Laguerre { exponent: 1.5 }, vec![0.3, -0.8, 0.15]),
            Expansion::new(
                Orthogonal::Jacobi { alpha: 0.5, beta: 2.0 },
                vec![-1.0, 0.7, 0.4, -0.2],
            ),
        ]
    }

    #[test]
    fn named_noise_has_the_cumulants_of_its_distribution() {
        // Gamma(k, θ): kθ, kθ², 2kθ³, 6kθ⁴.
        let gamma = Expansion::gamma(0.25, 2.0).cumulants();
        for (found, expected) in gamma.into_iter().zip([0.5, 1.0, 4.0, 24.0]) {
            near(found, expected, 1e-13);
        }
        near(Expansion::gamma(0.25, -2.0).cumulants()[2], -4.0, 1e-13);
        // Width w: w²/12 and −w⁴/120.
        let uniform = Expansion::uniform(-1.0, 3.0).cumulants();
        for (found, expected) in uniform.into_iter().zip([1.0, 16.0 / 12.0, 0.0, -256.0 / 120.0]) {
            near(found, expected, 1e-13);
        }
        for (found, expected) in
            Expansion::gaussian(2.0, 3.0).cumulants().into_iter().zip([2.0, 9.0, 0.0, 0.0])
        {
            near(found, expected, 1e-13);
        }
        // Beta(2, 5) on [0, 1]: mean 2/7, variance 10/392, skewness 2·3·√8/(9·√10), excess 6(9·8 −
        // 10·9)/(10·9·10) = −0.12.
        let [mean, variance, third, fourth] = Expansion::beta(2.0, 5.0, 0.0, 1.0).cumulants();
        near(mean, 2.0 / 7.0, 1e-13);
        near(variance, 10.0 / 392.0, 1e-13);
        near(third / variance.powf(1.5), 6.0 * 8.0_f64.sqrt() / (9.0 * 10.0_f64.sqrt()), 1e-12);
        near(fourth / variance.powi(2), -0.12, 1e-12);
    }

    #[test]
    fn the_papers_own_gamma_basis_is_the_same_variable() {
        // φ¹ = (ξ − 0.5)/1 of a germ ξ ~ Gamma(0.25, 2), m = (0.5, 1): the germ of unit scale is
        // ξ/2.
        let ours = Expansion::gamma(0.25, 2.0);
        for germ in [0.0, 0.01, 0.7, 3.0] {
            near(ours.at(germ / 2.0), 0.5 + (germ - 0.5), 1e-14);
        }
    }

    #[test]
    fn cumulants_of_more_terms_agree_with_draws_and_with_the_grid() {
        for noise in longer() {
            let exact = noise.cumulants();
            let mut rng = Rng::seed_from_u64(3);
            let n = 400_000;
            let draws: Vec<f64> = (0..n).map(|_| noise.draw(&mut rng) - exact[0]).collect();
            let moment =
                |power: i32| draws.iter().map(|x| x.powi(power)).sum::<f64>() / f64::from(n);
            let grid = noise.grid(401);
            let sum = |power: i32| {
                grid.values.iter().zip(&grid.weights).map(|(x, w)| w * x.powi(power)).sum::<f64>()
            };
            let moments = [0.0, exact[1], exact[2], exact[3] + 3.0 * exact[1] * exact[1]];
            for (power, moment_of) in
                [(1, moments[0]), (2, moments[1]), (3, moments[2]), (4, moments[3])]
            {
                // Five standard errors of the mean of these draws.
                let error =
                    5.0 * ((moment(2 * power) - moment(power).powi(2)) / f64::from(n)).sqrt();
                assert!(
                    (moment(power) - moment_of).abs() < error,
                    "draws, power {power}: {} {moment_of}",
                    moment(power)
                );
                near(sum(power), moment_of, 1e-6);
            }
        }
    }

    #[test]
    fn characteristic_functions_in_closed_form_agree_with_the_grid() {
        for noise in [
            Expansion::gaussian(1.0, 0.8),
            Expansion::gamma(2.5, 0.6),
            Expansion::gamma(0.25, -2.0),
            Expansion::uniform(-1.0, 2.0),
        ] {
            let grid = noise.grid(401);
            for t in [-3.0, 0.01, 0.5, 2.0] {
                let (ln_modulus, phase) = noise.characteristic(t, &grid);
                let by_grid = |f: fn(f64) -> f64| -> f64 {
                    grid.values.iter().zip(&grid.weights).map(|(x, w)| w * f(t * x)).sum()
                };
                near(ln_modulus.exp() * phase.cos(), by_grid(f64::cos), 1e-7);
                near(ln_modulus.exp() * phase.sin(), by_grid(f64::sin), 1e-7);
            }
        }
    }

    #[test]
    fn germs_have_their_quantiles() {
        near(germ_at(Orthogonal::Laguerre { exponent: 0.0 }, 0.7), -normal_cdf(-0.7).ln(), 1e-12);
        near(germ_at(Orthogonal::Legendre, -1.0), 2.0 * normal_cdf(-1.0) - 1.0, 1e-14);
        // Beta(1, 3): 1 − (1 − u)^(1/3), at both tails.
        for score in [-5.0, 2.0, 6.0] {
            let v = 1.0 - normal_cdf(-score).cbrt();
            near(
                germ_at(Orthogonal::Jacobi { alpha: 2.0, beta: 0.0 }, score),
                2.0 * v - 1.0,
                1e-10,
            );
        }
    }

    #[test]
    fn standardised_noise_keeps_its_form() {
        let noise = Expansion::gamma(4.0, 3.0).standardised();
        let [mean, variance, third, _] = noise.cumulants();
        assert_eq!(mean, 0.0);
        near(variance, 1.0, 1e-14);
        near(third, 1.0, 1e-13);
        assert_eq!(Expansion::gaussian(2.0, 0.0).standardised().coefficients(), [0.0, 0.0]);
        near(noise.times(-2.0).variance(), 4.0, 1e-13);
    }
}
