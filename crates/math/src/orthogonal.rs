//! Evaluate the orthogonal polynomials of the distributions that polynomial chaos expansions use.
//!
//! φ₀ = 1, φ_{n+1}(x) = (A_n x + B_n) φ_n(x) − C_n φ_{n−1}(x), orthogonal under a probability
//! density: normal (Hermite), gamma (Laguerre), uniform (Legendre), beta on [−1, 1] (Jacobi).
//! Polynomials are kept as coefficients in their own basis, where products and means are exact to
//! rounding.
//!
//! # References
//! *NIST Digital Library of Mathematical Functions*, Table 18.9.1 and Eq. 18.9.2 (recurrences),
//! Table 18.3.1 (norms). D. Xiu, G. E. Karniadakis: *The Wiener-Askey polynomial chaos for
//! stochastic differential equations*, SIAM J. Sci. Comput. 24, 2002.

use serde::{Deserialize, Serialize};

/// A family of orthogonal polynomials and the distribution that they are orthogonal under.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Orthogonal {
    /// Probabilists' Hermite polynomials under N(0, 1).
    Hermite,
    /// Generalised Laguerre polynomials under Gamma(exponent + 1, 1).
    Laguerre {
        /// Exponent of x in the density, above −1.
        exponent: f64,
    },
    /// Legendre polynomials under the uniform distribution on [−1, 1].
    Legendre,
    /// Jacobi polynomials under the density proportional to (1 − x)^α (1 + x)^β on [−1, 1].
    Jacobi {
        /// Exponent α of 1 − x, above −1.
        alpha: f64,
        /// Exponent β of 1 + x, above −1.
        beta: f64,
    },
}

impl Orthogonal {
    /// Whether the exponents are finite and above −1, so that there is a density.
    pub fn is_defined(self) -> bool {
        let fine = |x: f64| x.is_finite() && x > -1.0;
        match self {
            Self::Hermite | Self::Legendre => true,
            Self::Laguerre { exponent } => fine(exponent),
            Self::Jacobi { alpha, beta } => fine(alpha) && fine(beta),
        }
    }

    /// (A_n, B_n, C_n); C_0 is unused.
    pub fn recurrence(self, n: usize) -> (f64, f64, f64) {
        let k = n as f64;
        match self {
            Self::Hermite => (1.0, 0.0, k),
            Self::Laguerre { exponent: a } => {
                (-1.0 / (k + 1.0), (2.0 * k + 1.0 + a) / (k + 1.0), (k + a) / (k + 1.0))
            }
            Self::Legendre => ((2.0 * k + 1.0) / (k + 1.0), 0.0, k / (k + 1.0)),
            // The general terms are 0/0 at n = 0 for α + β = 0 or −1.
            Self::Jacobi { alpha, beta } if n == 0 => {
                (0.5 * (alpha + beta) + 1.0, 0.5 * (alpha - beta), 0.0)
            }
            Self::Jacobi { alpha, beta } => {
                let (sum, double) = (alpha + beta, 2.0 * k + alpha + beta);
                let divisor = 2.0 * (k + 1.0) * (k + sum + 1.0);
                (
                    (double + 1.0) * (double + 2.0) / divisor,
                    (alpha - beta) * sum * (double + 1.0) / (divisor * double),
                    2.0 * (k + alpha) * (k + beta) * (double + 2.0) / (divisor * double),
                )
            }
        }
    }

    /// E φ_n², for n from 0 to `count` − 1: from ⟨x φ_n, φ_{n+1}⟩ = ⟨φ_n, x φ_{n+1}⟩.
    pub fn squared_norms(self, count: usize) -> Vec<f64> {
        let mut norms = Vec::with_capacity(count);
        let mut norm = 1.0;
        for n in 0..count {
            norms.push(norm);
            let (a, _, _) = self.recurrence(n);
            let (next_a, _, next_c) = self.recurrence(n + 1);
            norm *= next_c * a / next_a;
        }
        norms
    }

    /// Σ_n c_n φ_n(x), by Clenshaw's recurrence.
    pub fn evaluate(self, coefficients: &[f64], x: f64) -> f64 {
        let (mut above, mut two_above) = (0.0, 0.0);
        for (n, coefficient) in coefficients.iter().enumerate().rev() {
            let (a, b, _) = self.recurrence(n);
            let (_, _, next_c) = self.recurrence(n + 1);
            let here = coefficient + (a * x + b) * above - next_c * two_above;
            (above, two_above) = (here, above);
        }
        above
    }

    /// The coefficients of x · Σ_n c_n φ_n(x), one more than `coefficients`.
    fn times_x(self, coefficients: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; coefficients.len() + 1];
        for (n, coefficient) in coefficients.iter().enumerate() {
            let (a, b, c) = self.recurrence(n);
            product[n + 1] += coefficient / a;
            product[n] -= coefficient * b / a;
            if n > 0 {
                product[n - 1] += coefficient * c / a;
            }
        }
        product
    }

    /// The coefficients of the product of two polynomials, exact but for rounding.
    pub fn product(self, p: &[f64], q: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; (p.len() + q.len()).saturating_sub(1)];
        // φ_n(X) q, where X multiplies by x.
        let (mut before, mut here) = (Vec::new(), q.to_vec());
        for (n, coefficient) in p.iter().enumerate() {
            sum.iter_mut().zip(&here).for_each(|(sum, term)| *sum += coefficient * term);
            let (a, b, c) = self.recurrence(n);
            let mut next = self.times_x(&here);
            next.iter_mut().for_each(|term| *term *= a);
            next.iter_mut().zip(&here).for_each(|(term, here)| *term += b * here);
            next.iter_mut().zip(&before).for_each(|(term, before)| *term -= c * before);
            (before, here) = (here, next);
        }
        sum
    }

    /// E (p q), from the coefficients of both.
    pub fn inner(self, p: &[f64], q: &[f64]) -> f64 {
        let norms = self.squared_norms(p.len().min(q.len()));
        norms.iter().zip(p.iter().zip(q)).map(|(norm, (p, q))| norm * p * q).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Orthogonal; 7] = [
        Orthogonal::Hermite,
        Orthogonal::Laguerre { exponent: 0.0 },
        Orthogonal::Laguerre { exponent: -0.75 },
        Orthogonal::Legendre,
        Orthogonal::Jacobi { alpha: 0.0, beta: 0.0 },
        Orthogonal::Jacobi { alpha: 1.5, beta: -0.5 },
        Orthogonal::Jacobi { alpha: -0.5, beta: -0.5 },
    ];

    fn unit(n: usize) -> Vec<f64> {
        (0..=n).map(|i| f64::from(u8::from(i == n))).collect()
    }

    #[test]
    fn values_are_those_of_the_textbook() {
        let near = |found: f64, expected: f64| {
            assert!((found - expected).abs() < 1e-13, "{found} {expected}")
        };
        let x: f64 = 0.3;
        near(Orthogonal::Hermite.evaluate(&unit(4), x), x.powi(4) - 6.0 * x * x + 3.0);
        near(Orthogonal::Legendre.evaluate(&unit(3), x), 0.5 * (5.0 * x.powi(3) - 3.0 * x));
        let laguerre = Orthogonal::Laguerre { exponent: 0.5 };
        // L₂^(a) = x²/2 − (a + 2) x + (a + 1)(a + 2)/2.
        near(laguerre.evaluate(&unit(2), x), 0.5 * x * x - 2.5 * x + 0.5 * 1.5 * 2.5);
        // mpmath 1.3: jacobi(3, 1.5, -0.5, 0.3), jacobi(5, -0.5, -0.5, 0.3).
        near(Orthogonal::Jacobi { alpha: 1.5, beta: -0.5 }.evaluate(&unit(3), x), -0.450625);
        near(Orthogonal::Jacobi { alpha: -0.5, beta: -0.5 }.evaluate(&unit(5), x), 0.245818125);
        near(Orthogonal::Jacobi { alpha: 0.0, beta: 0.0 }.evaluate(&unit(3), x), -0.3825);
    }

    #[test]
    fn squared_norms_have_their_closed_forms() {
        let near = |found: f64, expected: f64| {
            assert!((found / expected - 1.0).abs() < 1e-13, "{found} {expected}")
        };
        let mut factorial = 1.0;
        for n in 0..8 {
            if n > 0 {
                factorial *= n as f64;
            }
            near(Orthogonal::Hermite.squared_norms(8)[n], factorial);
            near(Orthogonal::Legendre.squared_norms(8)[n], 1.0 / (2.0 * n as f64 + 1.0));
            near(Orthogonal::Laguerre { exponent: 0.0 }.squared_norms(8)[n], 1.0);
        }
        // L₁ = α − ξ with ξ ~ Gamma(α, 1) has variance α; so has P₁ that of a beta variable.
        near(Orthogonal::Laguerre { exponent: -0.75 }.squared_norms(2)[1], 0.25);
        // (2 + α + β)²/4 · 4 ab/((a + b)²(a + b + 1)) with a = 0.5, b = 2.5.
        near(
            Orthogonal::Jacobi { alpha: 1.5, beta: -0.5 }.squared_norms(2)[1],
            9.0 / 4.0 * 5.0 / 36.0,
        );
    }

    #[test]
    fn products_are_pointwise_and_their_means_are_inner_products() {
        let (p, q) = ([0.4, -1.2, 0.3, 0.9], [1.1, 0.2, -0.7]);
        for family in ALL {
            let product = family.product(&p, &q);
            assert_eq!(product.len(), 6);
            for x in [-0.9, -0.2, 0.5, 0.8] {
                let (found, expected) =
                    (family.evaluate(&product, x), family.evaluate(&p, x) * family.evaluate(&q, x));
                assert!(
                    (found - expected).abs() < 1e-12 * (1.0 + expected.abs()),
                    "{family:?} at {x}"
                );
            }
            assert!((product[0] - family.inner(&p, &q)).abs() < 1e-12, "{family:?}");
        }
    }

    #[test]
    fn exponents_of_minus_one_have_no_density() {
        assert!(ALL.iter().all(|family| family.is_defined()));
        for family in [
            Orthogonal::Laguerre { exponent: -1.0 },
            Orthogonal::Jacobi { alpha: f64::NAN, beta: 0.0 },
            Orthogonal::Jacobi { alpha: 0.0, beta: -1.5 },
        ] {
            assert!(!family.is_defined());
        }
    }
}
