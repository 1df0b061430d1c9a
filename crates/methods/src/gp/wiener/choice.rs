//! Choose the family of the noise inside the training rows.
//!
//! Each training row's residual against the process conditioned on all other rows is r_i = M_i +
//! e_i, with e_i the error of the mean, of variance s_i² − ρ². The form of M is matched to the
//! residuals' cumulants: κ_3(r) = κ_3(M) and κ_4(r) = κ_4(M) for normal e; its mean is 0 and its
//! variance ρ². Families are compared by Σ ln p(r_i), p the density of the noise with N(0, s_i² −
//! ρ²) added: on each half of the rows, with the form from the other half. The largest sum decides,
//! the earlier of equals; then the form is matched to all rows. With fewer than [`ENOUGH`] rows the
//! family is normal.

use super::expansion::Expansion;
use super::mixture::NormalMixture;

/// Rows from which a family other than the normal one is tried.
const ENOUGH: usize = 30;

/// Shapes of a gamma or beta distribution lie between these.
const SHAPES: (f64, f64) = (0.05, 1e4);

/// A family of two-term expansions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Gaussian,
    Gamma,
    Uniform,
    Beta,
}

impl Family {
    /// In the order of preference among equals.
    pub const ALL: [Self; 4] = [Self::Gaussian, Self::Gamma, Self::Uniform, Self::Beta];

    /// The member with mean 0 and variance 1 that has this skewness and excess kurtosis, or as many
    /// of them as the family has shapes; `None` where it has no such member.
    pub fn member(self, skewness: f64, excess: f64) -> Option<Expansion> {
        let square = skewness * skewness;
        let inside = |shape: f64| (SHAPES.0..=SHAPES.1).contains(&shape);
        let found = match self {
            Self::Gaussian => Expansion::gaussian(0.0, 1.0),
            Self::Uniform => Expansion::uniform(-1.0, 1.0),
            // Skewness 2/√shape; the tail is on the same side as the residuals'.
            Self::Gamma => {
                let shape = 4.0 / square;
                Expansion::gamma(Some(shape).filter(|shape| inside(*shape))?, skewness.signum())
            }
            // Pearson's type I, by a + b = 3 (κ − γ² + 2)/(1.5 γ² − κ).
            Self::Beta => {
                if !(excess > square - 2.0 && excess < 1.5 * square) {
                    return None;
                }
                let sum = 3.0 * (excess - square + 2.0) / (1.5 * square - excess);
                let apart =
                    (1.0 + 16.0 * (sum + 1.0) / ((sum + 2.0).powi(2) * square)).sqrt().recip();
                let (small, large) = (0.5 * sum * (1.0 - apart), 0.5 * sum * (1.0 + apart));
                let (a, b) = if skewness > 0.0 { (small, large) } else { (large, small) };
                if !(inside(a) && inside(b)) {
                    return None;
                }
                Expansion::beta(a, b, 0.0, 1.0)
            }
        };
        Some(found.standardised())
    }
}

/// Residuals of rows that were left out one by one, and the variance of each, noise included.
pub(super) struct LeftOut {
    pub residuals: Vec<f64>,
    pub variances: Vec<f64>,
    /// ρ².
    pub noise: f64,
}

/// The chosen noise, and the scores.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// Mean 0, variance ρ².
    pub noise: Expansion,
    /// Mean of ln p(r_i) over all rows for each of [`Family::ALL`]; NaN where a family was no
    /// candidate.
    pub scores: [f64; 4],
}

impl LeftOut {
    /// Skewness and excess kurtosis of the noise, by the cumulants of some of the residuals.
    fn form(&self, rows: impl Fn(usize) -> bool) -> (f64, f64) {
        let chosen =
            || self.residuals.iter().enumerate().filter(|(i, _)| rows(*i)).map(|(_, r)| *r);
        let n = chosen().count() as f64;
        let mean = chosen().sum::<f64>() / n;
        let moment = |power: i32| chosen().map(|r| (r - mean).powi(power)).sum::<f64>() / n;
        let second = moment(2);
        (
            moment(3) / self.noise.powf(1.5),
            (moment(4) - 3.0 * second * second) / (self.noise * self.noise),
        )
    }

    /// Σ ln p(r_i) over some of the rows.
    fn score(&self, member: &Expansion, rows: impl Fn(usize) -> bool) -> f64 {
        let mixture = NormalMixture::of_noise(&member.times(self.noise.sqrt()));
        let each = self.residuals.iter().zip(&self.variances).enumerate().filter(|(i, _)| rows(*i));
        each.map(|(_, (r, v))| mixture.log_density(*r, (v - self.noise).max(0.0))).sum()
    }

    /// The member of a family, or of that which scores best where none is given; normal where a
    /// given family has no member of the residuals' form.
    pub fn choose(&self, given: Option<Family>) -> Choice {
        let n = self.residuals.len();
        let mut scores = [f64::NAN; 4];
        let mut best: Option<(f64, Family)> = None;
        for (place, family) in Family::ALL.into_iter().enumerate() {
            if given.is_some_and(|given| given != family)
                || (n < ENOUGH && family != Family::Gaussian && given.is_none())
            {
                continue;
            }
            let mut sum = 0.0;
            for half in 0..2 {
                let (skewness, excess) = self.form(|i| i % 2 != half);
                sum += family
                    .member(skewness, excess)
                    .map_or(f64::NAN, |m| self.score(&m, |i| i % 2 == half));
            }
            scores[place] = sum / n as f64;
            if best.is_none_or(|(score, _)| sum > score) && (sum.is_finite() || given.is_some()) {
                best = Some((sum, family));
            }
        }
        let (skewness, excess) = self.form(|_| true);
        let family = best.map_or(Family::Gaussian, |(_, family)| family);
        let member =
            family.member(skewness, excess).unwrap_or_else(|| Expansion::gaussian(0.0, 1.0));
        Choice { noise: member.times(self.noise.sqrt()), scores }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use uq_core::math::random::Rng;
    use uq_math::normal_draws::fill_standard_normal;
    use uq_math::orthogonal::Orthogonal;

    #[test]
    fn members_have_the_requested_form() {
        let near = |found: f64, expected: f64| {
            assert!((found - expected).abs() < 1e-9, "{found} {expected}")
        };
        let of = |family: Family, skewness, excess| {
            family.member(skewness, excess).map(|m| m.cumulants())
        };
        for skewness in [1.2, -0.7] {
            let [mean, variance, third, _] = of(Family::Gamma, skewness, 0.0).unwrap();
            near(mean, 0.0);
            near(variance, 1.0);
            near(third, skewness);
        }
        for (skewness, excess) in [(0.5, -0.4), (-0.5, 0.1), (0.3, -1.0)] {
            let [_, variance, third, fourth] = of(Family::Beta, skewness, excess).unwrap();
            near(variance, 1.0);
            near(third, skewness);
            near(fourth, excess);
        }
        assert!(of(Family::Beta, 0.5, 1.0).is_none() && of(Family::Gamma, 0.0, 0.0).is_none());
        near(of(Family::Uniform, 3.0, 3.0).unwrap()[3], -1.2);
    }

    #[test]
    fn the_family_of_the_residuals_is_found() {
        let cases = [
            (Expansion::gaussian(0.0, 0.7), "Hermite"),
            (Expansion::gamma(1.0, 0.7), "Laguerre"),
            (Expansion::gamma(0.5, -1.0), "Laguerre"),
            (Expansion::uniform(-1.0, 1.0), "Legendre"),
            (Expansion::beta(0.5, 1.5, -1.0, 1.0), "Jacobi"),
        ];
        for (seed, (truth, expected)) in cases.into_iter().enumerate() {
            let mut rng = Rng::seed_from_u64(40 + seed as u64);
            let n = 2000;
            let mut errors = vec![0.0; n];
            fill_standard_normal(&mut errors, &mut rng);
            let noise = truth.variance();
            let draw = |e: &f64| truth.draw(&mut rng) - truth.mean() + 0.1 * e;
            let residuals: Vec<f64> = errors.iter().map(draw).collect();
            let rows = LeftOut { residuals, variances: vec![noise + 0.01; n], noise };
            let choice = rows.choose(None);
            assert!(
                format!("{:?}", choice.noise.germ()).starts_with(expected),
                "{truth:?}: {choice:?}"
            );
            assert!((choice.noise.variance() / noise - 1.0).abs() < 1e-12);
            let forced = rows.choose(Some(Family::Uniform));
            assert_eq!(forced.noise.germ(), Orthogonal::Legendre);
            assert_eq!(forced.scores.iter().filter(|score| score.is_nan()).count(), 3);
        }
        let few = LeftOut { residuals: vec![0.1, -0.2, 3.0], variances: vec![1.1; 3], noise: 1.0 };
        assert_eq!(few.choose(None).noise.germ(), Orthogonal::Hermite);
    }
}
