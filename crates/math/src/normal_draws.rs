//! Draw standard normal numbers, many at a time.
//!
//! # References
//! G. Marsaglia, T. A. Bray: *A convenient method for generating normal variables*, SIAM Review 6,
//! 1964 (the polar method).

use rand::RngExt;

use uq_core::math::random::Rng;
use uq_core::math::vectorised::ln;

/// Fills `out` with independent draws from N(0, 1).
pub fn fill_standard_normal(out: &mut [f64], rng: &mut Rng) {
    for pair in out.chunks_mut(2) {
        let (u, v, s) = loop {
            let (u, v) = (2.0 * rng.random::<f64>() - 1.0, 2.0 * rng.random::<f64>() - 1.0);
            let s = u * u + v * v;
            if s > 0.0 && s < 1.0 {
                break (u, v, s);
            }
        };
        let factor = (-2.0 * ln(s) / s).sqrt();
        pair.iter_mut().zip([u * factor, v * factor]).for_each(|(to, from)| *to = from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use uq_core::math::special::normal_cdf;

    #[test]
    fn draws_are_standard_normal() {
        let mut draws = vec![0.0; 100_001];
        fill_standard_normal(&mut draws, &mut Rng::seed_from_u64(5));
        draws.sort_unstable_by(f64::total_cmp);
        let n = draws.len() as f64;
        let far = draws
            .iter()
            .enumerate()
            .map(|(i, z)| ((i as f64 + 0.5) / n - normal_cdf(*z)).abs())
            .fold(0.0, f64::max);
        // Kolmogorov: 1.95 / √n is exceeded once in a thousand seeds.
        assert!(far < 1.95 / n.sqrt(), "{far}");
    }
}
