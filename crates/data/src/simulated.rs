//! Draw problems from formulas whose truth is known.

mod cross;
mod decomposition;
mod friedman;
mod latent;
mod nonstationary;
mod wiener;

use std::f64::consts::PI;

use ndarray::{Array1, Array2, ArrayView1};
use rand::RngExt;
use serde_json::json;

pub use decomposition::{Design, REGIONS};
pub use nonstationary::HyperFunctions;

use uq_core::Table;
use uq_core::math::random::{Rng, standard_normal};

/// A simulated problem, drawn anew for each repetition.
#[derive(Clone, Copy, Debug)]
pub struct Simulated {
    /// Key, without the prefix `simulated:`.
    pub key: &'static str,
    /// Description, and the paper that uses it.
    pub title: &'static str,
    version: u32,
    draw: fn(&mut Rng) -> Drawn,
    hyper_functions: Option<fn(f64) -> HyperFunctions>,
}

/// One draw of a simulated problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Training rows.
    pub train: Table,
    /// A grid with the noise-free truth as target, or fresh noisy rows.
    pub test: Table,
    /// True standard deviation of the noise at each test row, in the target's units; `None` where
    /// they have no noise.
    pub noise: Option<Array1<f64>>,
    /// Noise-free truth at each test row, in the target's units; `None` where the target is the
    /// truth itself.
    pub truth: Option<Array1<f64>>,
}

/// The prefix of simulated problems, which distinguishes them from pinned datasets.
pub const PREFIX: &str = "simulated:";

/// Every simulated problem.
pub const ALL: &[Simulated] = &[
    Simulated {
        key: "x-sin-x",
        title: "y = x sin x at 35 points drawn uniformly from [0, 10]; truth on a grid of 401 \
                (DTB, Example 2)",
        version: 1,
        draw: x_sin_x,
        hyper_functions: None,
    },
    Simulated {
        key: "heteroscedastic-sine",
        title: "y = 2 sin 2πx with normal noise of sd 0.5 + x, x uniform on [0, 1]; 200 training \
                and 1000 noisy test rows (Goldberg, Williams & Bishop 1998)",
        version: 1,
        draw: heteroscedastic_sine,
        hyper_functions: None,
    },
    Simulated {
        key: "jcm-heteroscedastic",
        title: "y = −(1 + x) sin 1.2x with normal noise of sd 0.3 left of 0 and 1.5 right of it; \
                360 training rows, x uniform on [−6, 6]; noisy test rows on a grid of 401 (JCM, \
                Example 1)",
        version: 1,
        draw: jcm_heteroscedastic,
        hyper_functions: None,
    },
    Simulated {
        key: "jcm-sparse",
        title: "y = −(1 + x) sin 1.2x with normal noise of sd 0.3; 240 training rows on [−6, −2] \
                and [2, 6], 12 on [−2, 2]; noisy test rows on a grid of 401 (JCM, Example 1)",
        version: 1,
        draw: jcm_sparse,
        hyper_functions: None,
    },
    Simulated {
        key: "jcm-even",
        title: "the same with 360 training rows, x uniform on [−6, 6]: what the sparse case is \
                compared with",
        version: 1,
        draw: jcm_even,
        hyper_functions: None,
    },
    cross::PROBLEM,
    Simulated {
        key: "synth-1d",
        title: "a Gaussian process with the kernel of Gibbs whose length scale, signal and noise \
                depend on x, at 200 equally spaced points of [−30, 30]; noisy test rows at them \
                and between them (NSGP, Section 3; ω the noise's standard deviation)",
        version: 1,
        draw: nonstationary::synth_1d,
        hyper_functions: Some(nonstationary::deviation),
    },
    Simulated {
        key: "synth-1d-variance",
        title: "the same with ω the variance of the noise, as in the authors' program",
        version: 1,
        draw: nonstationary::synth_1d_variance,
        hyper_functions: Some(nonstationary::variance),
    },
    Simulated {
        key: "step",
        title: "y = 0 at 25 points of [−1, 0.05] and 1 at 25 points of [−0.05, 1], without noise; \
                tested where it is trained (NSGP, Figure 3)",
        version: 1,
        draw: nonstationary::step,
        hyper_functions: None,
    },
    of_output("gplvm-linear", latent::draw::<0>),
    of_output("gplvm-square", latent::draw::<1>),
    of_output("gplvm-periodic", latent::draw::<2>),
    of_output("gplvm-step", latent::draw::<3>),
    wiener_step("wiener-gaussian@2x1", wiener::gaussian::<2, 1>),
    wiener_step("wiener-gaussian@2x5", wiener::gaussian::<2, 5>),
    wiener_step("wiener-gaussian@2x25", wiener::gaussian::<2, 25>),
    wiener_step("wiener-gaussian@3x1", wiener::gaussian::<3, 1>),
    wiener_step("wiener-gaussian@3x5", wiener::gaussian::<3, 5>),
    wiener_step("wiener-gaussian@3x25", wiener::gaussian::<3, 25>),
    wiener_step("wiener-gaussian@5x1", wiener::gaussian::<5, 1>),
    wiener_step("wiener-gaussian@5x5", wiener::gaussian::<5, 5>),
    wiener_step("wiener-gaussian@5x25", wiener::gaussian::<5, 25>),
    wiener_step("wiener-gamma@5x1", wiener::skewed::<5, 1>),
    wiener_step("wiener-gamma@5x5", wiener::skewed::<5, 5>),
    wiener_step("wiener-gamma@5x25", wiener::skewed::<5, 25>),
    wiener_step("wiener-gamma@5x125", wiener::skewed::<5, 125>),
    sized("friedman@1000", friedman::draw::<1000>),
    sized("friedman@3000", friedman::draw::<3000>),
    sized("friedman@10000", friedman::draw::<10_000>),
    sized("friedman@30000", friedman::draw::<30_000>),
    sized("friedman@100000", friedman::draw::<100_000>),
    sized("friedman@300000", friedman::draw::<300_000>),
    sized("friedman@1000000", friedman::draw::<1_000_000>),
    decomposition::problem!(heteroscedastic @ 1),
    decomposition::problem!(heteroscedastic @ 2),
    decomposition::problem!(heteroscedastic @ 4),
    decomposition::problem!(heteroscedastic @ 8),
    decomposition::problem!(gap @ 1),
    decomposition::problem!(gap @ 2),
    decomposition::problem!(gap @ 4),
    decomposition::problem!(gap @ 8),
    decomposition::problem!(step @ 1),
    decomposition::problem!(step @ 2),
    decomposition::problem!(step @ 4),
    decomposition::problem!(step @ 8),
    decomposition::problem!(skewed @ 1),
    decomposition::problem!(skewed @ 2),
    decomposition::problem!(skewed @ 4),
    decomposition::problem!(skewed @ 8),
];

/// Friedman's first problem with the number of training rows in the key.
const fn sized(key: &'static str, draw: fn(&mut Rng) -> Drawn) -> Simulated {
    let title = "y = 10 sin πx₁x₂ + 20 (x₃ − ½)² + 10 x₄ + 5 x₅ with normal noise of sd 1, 8 \
                 features uniform on [0, 1]; as many training rows as the key says, 1000 noisy \
                 test rows (Friedman 1991)";
    Simulated { key, title, version: 1, draw, hyper_functions: None }
}

/// One of the four outputs that share two latent inputs; the other three are its features.
const fn of_output(key: &'static str, draw: fn(&mut Rng) -> Drawn) -> Simulated {
    let title = "one of four functions of two latent normal inputs, with normal noise of sd 1, the \
                 other three its features: w₁ᵀx, (w₂ᵀx)², sin w₃ᵀx, the sign of w₄ᵀx, each w drawn \
                 from N(0, I); 800 training and 200 noisy test rows (RFF-GPLVM, Section 6)";
    Simulated { key, title, version: 1, draw, hyper_functions: None }
}

/// One step of a polynomial system with noise. The key contains the number of places and of
/// measurements at each.
const fn wiener_step(key: &'static str, draw: fn(&mut Rng) -> Drawn) -> Simulated {
    let title = "y = 0.01x³ − 0.2x² + 0.2x with standard normal or Gamma(0.25, 2) noise; places × \
                 measurements on [−5, 5] as the key says, noisy test rows on a grid of 201 (Wiener \
                 kernel regression, Eq. 10)";
    Simulated { key, title, version: 1, draw, hyper_functions: None }
}

impl Simulated {
    /// The problem with this full key, such as `simulated:x-sin-x`.
    pub fn get(key: &str) -> Option<&'static Self> {
        let name = key.strip_prefix(PREFIX)?;
        ALL.iter().find(|problem| problem.key == name)
    }

    /// The part of the problem that enters a trial's key.
    pub fn definition(&self) -> serde_json::Value {
        json!({ "simulated": self.key, "version": self.version })
    }

    /// The true hyper-functions at an input, where the problem is a draw from a Gaussian process of
    /// one feature.
    pub fn hyper_functions(&self, x: f64) -> Option<HyperFunctions> {
        self.hyper_functions.map(|of| of(x))
    }

    /// The density of the training inputs at an input, up to a factor, where the problem states it.
    pub fn density(&self, x: ArrayView1<f64>) -> Option<f64> {
        (self.key == cross::PROBLEM.key).then(|| cross::rows(x[0]) as f64)
    }

    /// The test inputs, where they are the same in every draw.
    pub fn design(&self) -> Option<Design> {
        decomposition::design_of(self.key)
    }

    /// Mean and standard deviation of y at an input, where the test inputs are the same in every
    /// draw.
    pub fn law(&self, x: ArrayView1<f64>) -> Option<(f64, f64)> {
        decomposition::law(self.key, x)
    }

    /// Draws training and test rows.
    pub fn draw(&self, rng: &mut Rng) -> Drawn {
        (self.draw)(rng)
    }
}

/// DTB, Example 2: "35 pointwise evaluations" of y = x sin x on [0, 10], "a sparse set of
/// non-uniform samples".
fn x_sin_x(rng: &mut Rng) -> Drawn {
    let truth = |x: f64| x * x.sin();
    let table = |x: Vec<f64>| {
        let target: Array1<f64> = x.iter().map(|&x| truth(x)).collect();
        Table::unnamed(Array2::from_shape_fn((x.len(), 1), |(i, _)| x[i]), target)
    };
    let mut x: Vec<f64> = (0..35).map(|_| 10.0 * rng.random::<f64>()).collect();
    x.sort_by(f64::total_cmp);
    let grid = (0..=400).map(|i| f64::from(i) / 40.0).collect();
    Drawn { train: table(x), test: table(grid), noise: None, truth: None }
}

/// Goldberg, Williams & Bishop (1998), *Regression with input-dependent noise: a Gaussian process
/// treatment*, NIPS 10, 493-499: y = 2 sin(2πx) with normal noise whose standard deviation grows
/// linearly from 0.5 at x = 0 to 1.5 at x = 1. The numbers of rows are ours: a thousand test rows,
/// so that coverage can be estimated in each tenth of them.
fn heteroscedastic_sine(rng: &mut Rng) -> Drawn {
    let mut table = |rows: usize| {
        let mut features = Array2::zeros((rows, 1));
        let mut target = Array1::zeros(rows);
        for (x, y) in features.iter_mut().zip(&mut target) {
            *x = rng.random::<f64>();
            *y = sine(*x) + noise_sd(*x) * standard_normal(rng);
        }
        Table::unnamed(features, target)
    };
    let (train, test) = (table(200), table(1000));
    let known = |f: fn(f64) -> f64| Some(test.features.column(0).mapv(f));
    let (noise, truth) = (known(noise_sd), known(sine));
    Drawn { train, test, noise, truth }
}

/// The truth of [`heteroscedastic_sine`].
fn sine(x: f64) -> f64 {
    2.0 * (2.0 * PI * x).sin()
}

/// The noise of [`heteroscedastic_sine`].
fn noise_sd(x: f64) -> f64 {
    0.5 + x
}

/// JCM, Example 1, first case: y = −(1 + x) sin(1.2x) + ε on [−6, 6], whose noise on [0, 6] is
/// "significantly higher" than on [−6, 0]. The paper prints no numbers: 30 rows a unit of x and
/// standard deviations of 0.3 and 1.5 are ours.
fn jcm_heteroscedastic(rng: &mut Rng) -> Drawn {
    jcm_example(evenly(rng), |x| if x < 0.0 { 0.3 } else { 1.5 }, rng)
}

/// JCM, Example 1, second case: the same function, and on [−2, 2] fewer rows than elsewhere. The
/// paper prints no numbers: the standard deviation of 0.3 everywhere, 30 rows a unit of x outside
/// and 3 inside are ours.
fn jcm_sparse(rng: &mut Rng) -> Drawn {
    let mut outside = || 8.0 * rng.random::<f64>() - 6.0;
    let mut x: Vec<f64> =
        (0..240).map(|_| outside()).map(|x| if x < -2.0 { x } else { x + 4.0 }).collect();
    x.extend((0..12).map(|_| -2.0 + 4.0 * rng.random::<f64>()));
    jcm_example(x, |_| 0.3, rng)
}

/// The control of [`jcm_sparse`]: as many rows on [−2, 2] as elsewhere. Not in the paper.
fn jcm_even(rng: &mut Rng) -> Drawn {
    jcm_example(evenly(rng), |_| 0.3, rng)
}

/// 360 draws from the uniform distribution on [−6, 6].
fn evenly(rng: &mut Rng) -> Vec<f64> {
    (0..360).map(|_| -6.0 + 12.0 * rng.random::<f64>()).collect()
}

/// Noisy training rows at `x`, and noisy test rows on a grid of 401 over [−6, 6].
fn jcm_example(x: Vec<f64>, noise_sd: fn(f64) -> f64, rng: &mut Rng) -> Drawn {
    let truth = |x: f64| -(1.0 + x) * (1.2 * x).sin();
    let mut table = |x: &[f64]| {
        let target = x.iter().map(|&x| truth(x) + noise_sd(x) * standard_normal(rng)).collect();
        Table::unnamed(Array2::from_shape_fn((x.len(), 1), |(i, _)| x[i]), target)
    };
    let grid: Vec<f64> = (-200..=200).map(|i| f64::from(i) * 6.0 / 200.0).collect();
    let known = |f: &dyn Fn(f64) -> f64| Some(grid.iter().map(|&x| f(x)).collect());
    Drawn { train: table(&x), test: table(&grid), noise: known(&noise_sd), truth: known(&truth) }
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
        assert_eq!((drawn.train.rows(), drawn.test.rows()), (35, 401));
        assert_eq!((&drawn.noise, &drawn.truth), (&None, &None));
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
            let Drawn { train, test, noise, truth } = problem.draw(&mut Rng::seed_from_u64(seed));
            assert_eq!(noise.unwrap(), test.features.column(0).mapv(|x| 0.5 + x));
            assert_eq!(
                truth.unwrap(),
                test.features.column(0).mapv(|x| 2.0 * (2.0 * PI * x).sin())
            );
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
            assert!(
                (found / variance - 1.0).abs() < 5.0 * (2.2 / n).sqrt(),
                "fifth {k}: {found} against {variance}"
            );
            let mean = residuals.iter().sum::<f64>() / n;
            assert!(mean.abs() < 5.0 * (variance / n).sqrt(), "fifth {k}: {mean}");
        }
        assert!((9_000..10_200).contains(&fifths[2].len()), "x is uniform: {}", fifths[2].len());
    }

    /// Mean square of the training and test residuals where `chosen`, over 40 draws, and their
    /// number.
    fn noise_variance(key: &str, chosen: impl Fn(f64) -> bool) -> (f64, f64) {
        let mut squares = Vec::new();
        for seed in 0..40 {
            let Drawn { train, test, .. } =
                Simulated::get(key).unwrap().draw(&mut Rng::seed_from_u64(seed));
            for table in [train, test] {
                let rows = table.features.iter().zip(&table.target).filter(|(x, _)| chosen(**x));
                squares.extend(rows.map(|(x, y)| (y + (1.0 + x) * (1.2 * x).sin()).powi(2)));
            }
        }
        let n = squares.len() as f64;
        (squares.iter().sum::<f64>() / n, n)
    }

    #[test]
    fn the_cases_of_example_1_differ_in_noise_and_in_density_alone() {
        let left = |x: f64| x < 0.0;
        let cases = [("heteroscedastic", 0.3, 1.5), ("sparse", 0.3, 0.3), ("even", 0.3, 0.3)];
        for (case, low, high) in cases {
            let key = &format!("simulated:jcm-{case}");
            let drawn = Simulated::get(key).unwrap().draw(&mut Rng::seed_from_u64(3));
            assert_eq!(drawn, Simulated::get(key).unwrap().draw(&mut Rng::seed_from_u64(3)));
            let (x, noise, truth) =
                (drawn.test.features.column(0), drawn.noise.unwrap(), drawn.truth.unwrap());
            assert_eq!((x.len(), x[0], x[200], x[400]), (401, -6.0, 0.0, 6.0));
            assert!(x.iter().zip(&noise).all(|(&x, &sd)| sd == if left(x) { low } else { high }));
            // −(1 + x) sin 1.2x at 3 and −6 (Python 3, math.sin).
            let at = |i: usize, expected: f64| {
                assert!((truth[i] - expected).abs() < 1e-12, "{key}: {}", truth[i])
            };
            at(200, 0.0);
            at(300, 1.7700817731794083);
            at(0, -3.9683393192457634);
            // Five standard errors of a normal variance.
            for (side, sd) in [(true, low), (false, high)] {
                let (found, n) = noise_variance(key, |x| left(x) == side);
                assert!(
                    (found / (sd * sd) - 1.0).abs() < 5.0 * (2.0 / n).sqrt(),
                    "{key}: {found} against {sd}²"
                );
            }
            let inside = drawn.train.features.iter().filter(|x| (-2.0..2.0).contains(*x)).count();
            let all = drawn.train.rows();
            assert!(drawn.train.features.iter().all(|x| (-6.0..6.0).contains(x)));
            match case {
                "sparse" => assert_eq!((inside, all), (12, 252)),
                // A third of 360, within five standard deviations of √80.
                _ => assert!((75..=165).contains(&inside) && all == 360, "{inside}"),
            }
        }
    }
}
