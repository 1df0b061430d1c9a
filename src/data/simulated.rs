//! Draw problems from formulas whose truth is known.

mod friedman;

use std::f64::consts::PI;

use ndarray::{Array1, Array2};
use rand::RngExt;
use serde_json::json;

use super::Table;
use crate::math::random::Rng;
use crate::math::special::normal_quantile;

/// A simulated problem, drawn anew for each repetition.
#[derive(Clone, Copy, Debug)]
pub struct Simulated {
    /// Key, without the prefix `simulated:`.
    pub key: &'static str,
    /// What it is and which paper uses it.
    pub title: &'static str,
    version: u32,
    draw: fn(&mut Rng) -> Drawn,
}

/// One draw of a simulated problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Training rows.
    pub train: Table,
    /// A grid with the noise-free truth as target, or fresh noisy rows.
    pub test: Table,
    /// True standard deviation of the noise at each test row, in the target's units; `None` where they have no noise.
    pub noise: Option<Array1<f64>>,
}

/// The prefix that tells simulated problems from pinned datasets.
pub const PREFIX: &str = "simulated:";

/// Every simulated problem.
pub const ALL: &[Simulated] = &[
    Simulated {
        key: "x-sin-x",
        title: "y = x sin x at 35 points drawn uniformly from [0, 10]; truth on a grid of 401 (DTB, Example 2)",
        version: 1,
        draw: x_sin_x,
    },
    Simulated {
        key: "heteroscedastic-sine",
        title: "y = 2 sin 2πx with normal noise of sd 0.5 + x, x uniform on [0, 1]; 200 training and 1000 noisy test rows \
                (Goldberg, Williams & Bishop 1998)",
        version: 1,
        draw: heteroscedastic_sine,
    },
    sized("friedman@1000", friedman::draw::<1000>),
    sized("friedman@3000", friedman::draw::<3000>),
    sized("friedman@10000", friedman::draw::<10_000>),
    sized("friedman@30000", friedman::draw::<30_000>),
    sized("friedman@100000", friedman::draw::<100_000>),
    sized("friedman@300000", friedman::draw::<300_000>),
    sized("friedman@1000000", friedman::draw::<1_000_000>),
];

/// Friedman's first problem at one number of training rows, which stands in the key.
const fn sized(key: &'static str, draw: fn(&mut Rng) -> Drawn) -> Simulated {
    let title = "y = 10 sin πx₁x₂ + 20 (x₃ − ½)² + 10 x₄ + 5 x₅ with normal noise of sd 1, 8 features uniform on [0, 1]; as \
                 many training rows as the key says, 1000 noisy test rows (Friedman 1991)";
    Simulated { key, title, version: 1, draw }
}

impl Simulated {
    /// The problem with this full key, such as `simulated:x-sin-x`.
    pub fn get(key: &str) -> Option<&'static Self> {
        let name = key.strip_prefix(PREFIX)?;
        ALL.iter().find(|problem| problem.key == name)
    }

    /// What enters a trial's key.
    pub fn definition(&self) -> serde_json::Value {
        json!({ "simulated": self.key, "version": self.version })
    }

    /// Draws training and test rows.
    pub fn draw(&self, rng: &mut Rng) -> Drawn {
        (self.draw)(rng)
    }
}

/// DTB, Example 2: "35 pointwise evaluations" of y = x sin x on [0, 10], "a sparse set of non-uniform samples".
fn x_sin_x(rng: &mut Rng) -> Drawn {
    let truth = |x: f64| x * x.sin();
    let table = |x: Vec<f64>| {
        let target: Array1<f64> = x.iter().map(|&x| truth(x)).collect();
        Table::unnamed(Array2::from_shape_fn((x.len(), 1), |(i, _)| x[i]), target)
    };
    let mut x: Vec<f64> = (0..35).map(|_| 10.0 * rng.random::<f64>()).collect();
    x.sort_by(f64::total_cmp);
    let grid = (0..=400).map(|i| f64::from(i) / 40.0).collect();
    Drawn { train: table(x), test: table(grid), noise: None }
}

/// Goldberg, Williams & Bishop (1998), *Regression with input-dependent noise: a Gaussian process treatment*, NIPS 10,
/// 493-499: y = 2 sin(2πx) with normal noise whose standard deviation grows linearly from 0.5 at x = 0 to 1.5 at x = 1.
/// The numbers of rows are ours: a thousand test rows, so that coverage can be told in each tenth of them.
fn heteroscedastic_sine(rng: &mut Rng) -> Drawn {
    let mut table = |rows: usize| {
        let mut features = Array2::zeros((rows, 1));
        let mut target = Array1::zeros(rows);
        for (x, y) in features.iter_mut().zip(&mut target) {
            *x = rng.random::<f64>();
            *y = 2.0 * (2.0 * PI * *x).sin() + noise_sd(*x) * standard_normal(rng);
        }
        Table::unnamed(features, target)
    };
    let (train, test) = (table(200), table(1000));
    let noise = test.features.column(0).mapv(noise_sd);
    Drawn { train, test, noise: Some(noise) }
}

/// The noise of [`heteroscedastic_sine`].
fn noise_sd(x: f64) -> f64 {
    0.5 + x
}

/// One draw from the standard normal distribution, by inversion.
fn standard_normal(rng: &mut Rng) -> f64 {
    // In the middle of one of 2⁵³ cells, because the quantiles at 0 and 1 are infinite.
    let cell = (rng.random::<u64>() >> 11) as f64;
    normal_quantile((cell + 0.5) / (1_u64 << 53) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn x_sin_x_is_noise_free_and_reproducible() {
        let problem = Simulated::get("simulated:x-sin-x").unwrap();
        let drawn = problem.draw(&mut Rng::seed_from_u64(3));
        assert_eq!(drawn, problem.draw(&mut Rng::seed_from_u64(3)));
        assert_eq!((drawn.train.rows(), drawn.test.rows(), &drawn.noise), (35, 401, &None));
        for (x, y) in drawn.train.features.iter().zip(&drawn.train.target) {
            assert!((0.0..10.0).contains(x));
            assert_eq!(*y, x * x.sin());
        }
        assert!(Simulated::get("x-sin-x").is_none(), "the prefix is required");
    }

    #[test]
    fn heteroscedastic_noise_has_the_moments_that_its_formula_says() {
        let problem = Simulated::get("simulated:heteroscedastic-sine").unwrap();
        let drawn = problem.draw(&mut Rng::seed_from_u64(3));
        assert_eq!(drawn, problem.draw(&mut Rng::seed_from_u64(3)));
        assert_eq!((drawn.train.rows(), drawn.test.rows()), (200, 1000));
        // Residuals of 40 draws by fifth of [0, 1]: about 9600 in each.
        let mut fifths = vec![Vec::new(); 5];
        for seed in 0..40 {
            let Drawn { train, test, noise } = problem.draw(&mut Rng::seed_from_u64(seed));
            assert_eq!(noise.unwrap(), test.features.column(0).mapv(|x| 0.5 + x));
            for table in [train, test] {
                for (&x, &y) in table.features.iter().zip(&table.target) {
                    assert!((0.0..1.0).contains(&x));
                    fifths[(5.0 * x) as usize].push(y - 2.0 * (2.0 * PI * x).sin());
                }
            }
        }
        for (k, residuals) in fifths.iter().enumerate() {
            let n = residuals.len() as f64;
            // E[(½ + x)²] for x uniform on [a, b] is [(½ + b)³ − (½ + a)³] / 3(b − a).
            let (a, b) = (0.5 + k as f64 / 5.0, 0.5 + (k + 1) as f64 / 5.0);
            let variance = (b.powi(3) - a.powi(3)) / (3.0 * (b - a));
            let found = residuals.iter().map(|r| r * r).sum::<f64>() / n;
            // Five standard errors; the kurtosis of the mixture is hardly above 3.
            assert!((found / variance - 1.0).abs() < 5.0 * (2.2 / n).sqrt(), "fifth {k}: {found} against {variance}");
            let mean = residuals.iter().sum::<f64>() / n;
            assert!(mean.abs() < 5.0 * (variance / n).sqrt(), "fifth {k}: {mean}");
        }
        assert!((9_000..10_200).contains(&fifths[2].len()), "x is uniform: {}", fifths[2].len());
    }
}
