//! Draw from the gamma and beta distributions.
//!
//! # References
//! G. Marsaglia, W. W. Tsang: *A simple method for generating gamma variables*, ACM Trans. Math.
//! Software 26, 2000.

use rand::RngExt;

use super::normal_draws::fill_standard_normal;
use uq_core::math::random::Rng;

/// A draw from Gamma(`shape`, 1), `shape` > 0.
pub fn gamma(shape: f64, rng: &mut Rng) -> f64 {
    if shape < 1.0 {
        // Gamma(a) = Gamma(a + 1) · U^(1/a); 1 − U is above zero.
        let power = (1.0 - rng.random::<f64>()).powf(1.0 / shape);
        return gamma(shape + 1.0, rng) * power;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let mut normal = [0.0; 2];
        fill_standard_normal(&mut normal, rng);
        for x in normal {
            let v = (1.0 + c * x).powi(3);
            let u = 1.0 - rng.random::<f64>();
            if v > 0.0 && u.ln() < 0.5 * x * x + d - d * v + d * v.ln() {
                return d * v;
            }
        }
    }
}

/// A draw from Beta(`a`, `b`), both above 0.
pub fn beta(a: f64, b: f64, rng: &mut Rng) -> f64 {
    let (x, y) = (gamma(a, rng), gamma(b, rng));
    // Both may underflow where the shapes are tiny. The mass is then at the ends.
    if x + y > 0.0 { x / (x + y) } else { f64::from(u8::from(rng.random::<f64>() * (a + b) < a)) }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use statrs::function::beta::beta_reg;
    use statrs::function::gamma::gamma_lr;

    use super::*;

    /// Kolmogorov's distance times √n; 1.95 is exceeded once in a thousand seeds.
    fn distance(mut draws: Vec<f64>, cdf: impl Fn(f64) -> f64) -> f64 {
        draws.sort_unstable_by(f64::total_cmp);
        let n = draws.len() as f64;
        let far = draws
            .iter()
            .enumerate()
            .map(|(i, x)| ((i as f64 + 0.5) / n - cdf(*x)).abs())
            .fold(0.0, f64::max);
        far * n.sqrt()
    }

    #[test]
    fn draws_follow_their_distribution_functions() {
        for shape in [0.25, 0.9, 1.0, 7.5] {
            let mut rng = Rng::seed_from_u64(11);
            let draws = (0..40_000).map(|_| gamma(shape, &mut rng)).collect();
            let far = distance(draws, |x| gamma_lr(shape, x));
            assert!(far < 1.95, "Gamma({shape}): {far}");
        }
        for (a, b) in [(0.5, 2.5), (3.0, 1.2)] {
            let mut rng = Rng::seed_from_u64(12);
            let draws = (0..40_000).map(|_| beta(a, b, &mut rng)).collect();
            let far = distance(draws, |x| beta_reg(a, b, x));
            assert!(far < 1.95, "Beta({a}, {b}): {far}");
        }
    }
}
