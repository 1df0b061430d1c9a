//! Draw problems from formulas whose truth is known.

use ndarray::{Array1, Array2};
use rand::RngExt;
use serde_json::json;

use super::Table;
use crate::math::random::Rng;

/// A simulated problem: training rows are drawn anew for each repetition, the test grid holds the noise-free truth.
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
    /// A grid with the noise-free truth as target.
    pub test: Table,
}

/// The prefix that tells simulated problems from pinned datasets.
pub const PREFIX: &str = "simulated:";

/// Every simulated problem.
pub const ALL: &[Simulated] = &[Simulated {
    key: "x-sin-x",
    title: "y = x sin x at 35 points drawn uniformly from [0, 10]; truth on a grid of 401 (DTB, Example 2)",
    version: 1,
    draw: x_sin_x,
}];

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

    /// Draws training rows and the test grid.
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
    Drawn { train: table(x), test: table((0..=400).map(|i| f64::from(i) / 40.0).collect()) }
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
        for (x, y) in drawn.train.features.iter().zip(&drawn.train.target) {
            assert!((0.0..10.0).contains(x));
            assert_eq!(*y, x * x.sin());
        }
        assert!(Simulated::get("x-sin-x").is_none(), "the prefix is required");
    }
}
