//! Fit a polynomial of each feature by least squares, without products of features.
//!
//! ```text
//! f(x) = β₀ + Σ_j Σ_{k=1..degree} β_jk T_k(x̂_j),   x̂_j = (x_j − centre_j) / half-width_j,
//! ```
//!
//! where centre and half-width map the training rows' range of x_j to [−1, 1] and T_k is the k-th
//! Chebyshev polynomial: the functions are those of the powers x_j, …, x_j^degree, and the
//! least-squares problem stays well conditioned. A feature that is constant in the training rows is
//! left out. Where rows do not determine β (fewer rows than coefficients, repeated values), it is
//! the solution of least norm, as numpy's `lstsq` takes.
//!
//! # References
//! N. J. Higham: *Accuracy and Stability of Numerical Algorithms*, SIAM, 2002, chapter 20.

use ndarray::{Array1, Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::engine::own_units::{OwnUnits, OwnUnitsModel};
use super::engine::rows;
use super::point::one_atom;
use super::state::require;
use super::{Configured, Context, Facts, FitError, Fitted, MethodParameters, Request, Restored};
use crate::entry::{DEFAULTS, Tried, squares};
use crate::parameter::parameters;
use uq_core::Table;
use uq_core::predictive::Predictive;
use uq_math::least_squares::minimum_norm;

const ID: &str = "polynomial";

parameters! {
    /// Parameters of the polynomial.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct PolynomialParameters {
        /// Highest power of each feature.
        degree: usize = 4, in 0..=50;
    }
}

/// Polynomial least squares as a method; a prediction is one atom.
pub type Polynomial = Configured<PolynomialParameters>;

impl MethodParameters for PolynomialParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str = "polynomial by least squares";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "degree 4 in each feature",
        // 0.16 ms with 100 rows of 4 features, 0.26 ms with 400 of 4.
        cost: |n, d| 1e-4 + 1e-9 * squares(n, 4.0 * d),
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 1;

    fn facts(&self) -> Facts {
        Facts { deterministic: true, ..Facts::default() }
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        rows::at_least(ID, 1, train.rows())?;
        rows::finite(ID, train)?;
        let basis = Basis::new(train.features.view(), self.degree);
        let design = basis.evaluate(train.features.view());
        let coefficients = minimum_norm(design.view(), train.target.view(), context.par())?;
        if !coefficients.iter().all(|c| c.is_finite()) {
            return Err(FitError::Diverged("a coefficient of the polynomial is not finite".into()));
        }
        Ok(Box::new(OwnUnits {
            columns: train.columns(),
            model: FittedPolynomial { basis, coefficients },
        }))
    }

    fn restore(&self, state: &[u8]) -> Restored {
        OwnUnits::<FittedPolynomial>::restored(state)
    }
}

/// A constant and the Chebyshev polynomials of each feature that varies.
#[derive(Serialize, Deserialize)]
struct Basis {
    degree: usize,
    /// Column, centre and half-width of each feature that varies.
    varying: Vec<(usize, f64, f64)>,
}

impl Basis {
    fn new(features: ArrayView2<f64>, degree: usize) -> Self {
        let range = |(j, column): (usize, ndarray::ArrayView1<f64>)| {
            let (low, high) =
                column.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| {
                    (x.min(low), x.max(high))
                });
            let half_width = high / 2.0 - low / 2.0;
            (half_width > 0.0).then_some((j, high / 2.0 + low / 2.0, half_width))
        };
        let varying = features.columns().into_iter().enumerate().filter_map(range).collect();
        Self { degree, varying }
    }

    /// The value of each basis function at each row, n × (1 + degree × features that vary).
    fn evaluate(&self, features: ArrayView2<f64>) -> Array2<f64> {
        let mut design = Array2::zeros((features.nrows(), 1 + self.degree * self.varying.len()));
        for (i, x) in features.rows().into_iter().enumerate() {
            design[(i, 0)] = 1.0;
            for (v, &(j, centre, half_width)) in self.varying.iter().enumerate() {
                let scaled = (x[j] - centre) / half_width;
                let (mut previous, mut current) = (1.0, scaled);
                for k in 0..self.degree {
                    design[(i, 1 + v * self.degree + k)] = current;
                    (previous, current) = (current, 2.0 * scaled * current - previous);
                }
            }
        }
        design
    }
}

/// A fitted polynomial.
#[derive(Serialize, Deserialize)]
struct FittedPolynomial {
    basis: Basis,
    coefficients: Array1<f64>,
}

impl OwnUnitsModel for FittedPolynomial {
    const ID: &'static str = ID;

    fn check(&self, columns: usize) -> Result<(), String> {
        let Basis { degree, varying } = &self.basis;
        let functions = degree.checked_mul(varying.len()).and_then(|count| count.checked_add(1));
        require(
            functions == Some(self.coefficients.len())
                && varying.iter().all(|(column, ..)| *column < columns),
            "coefficients that do not belong to its functions",
        )
    }

    fn answer(
        &self,
        features: ArrayView2<f64>,
        _: &Request,
        _: &Context,
    ) -> Result<Predictive, FitError> {
        let design = self.basis.evaluate(features);
        let value = |i| self.coefficients.iter().enumerate().map(|(k, c)| design[(i, k)] * c).sum();
        Ok(one_atom(Array1::from_iter((0..features.nrows()).map(value))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Method, Reading};
    use ndarray::array;
    use rand::RngExt;
    use sha2::{Digest, Sha256};
    use uq_core::math::random::Streams;

    fn context() -> Context {
        Context::new(Streams::new(1, "polynomial"))
    }

    fn predict(degree: usize, train: &Table, at: ArrayView2<f64>) -> Array1<f64> {
        let fitted = Polynomial::new(PolynomialParameters { degree })
            .unwrap()
            .fit(train, &context())
            .unwrap();
        fitted
            .predict(&Reading::MAIN, at, &Request::default(), &context())
            .unwrap()
            .means()
            .unwrap()
    }

    #[test]
    fn a_polynomial_of_its_own_degree_is_recovered_and_extrapolated() {
        // Far from zero, where plain powers lose all digits.
        let truth = |x: f64| 3.0 - 0.5 * (x - 1e4) + 2.0 * (x - 1e4).powi(4);
        let x = Array2::from_shape_fn((12, 1), |(i, _)| 1e4 + 0.3 * i as f64);
        let train = Table::unnamed(x.clone(), x.column(0).mapv(truth));
        let at = array![[1e4 + 0.1], [1e4 + 5.0]];
        for (found, x) in predict(4, &train, at.view()).iter().zip(at.column(0)) {
            assert!(
                (found - truth(*x)).abs() < 1e-8 * truth(*x).abs(),
                "{found} at {x}, expected {}",
                truth(*x)
            );
        }
    }

    #[test]
    fn features_add_up_and_constant_ones_are_left_out() {
        let features = Array2::from_shape_fn((30, 3), |(i, j)| {
            if j == 2 { 7.0 } else { ((i * (5 + 3 * j)) % 17) as f64 }
        });
        let truth = |x: ndarray::ArrayView1<f64>| 1.0 + x[0].powi(2) - 0.1 * x[1].powi(3);
        let target = Array1::from_iter(features.rows().into_iter().map(truth));
        let train = Table::unnamed(features.clone(), target.clone());
        let error = predict(3, &train, features.view()) - target;
        assert!(error.iter().all(|e| e.abs() < 1e-9), "{error}");
    }

    #[test]
    fn degree_zero_is_the_mean_and_too_few_rows_interpolate() {
        let train = Table::unnamed(array![[0.0], [1.0], [3.0]], array![1.0, 2.0, 6.0]);
        assert!((predict(0, &train, array![[9.0]].view())[0] - 3.0).abs() < 1e-14);
        let error = predict(8, &train, train.features.view()) - &train.target;
        assert!(error.iter().all(|e| e.abs() < 1e-12), "{error}");
        let one = Table::unnamed(array![[2.0]], array![5.0]);
        assert!((predict(4, &one, array![[-1.0]].view())[0] - 5.0).abs() < 1e-14);
    }

    #[test]
    fn faults_are_named() {
        let error = Polynomial::new(PolynomialParameters { degree: 51 }).unwrap_err();
        assert_eq!(
            error.to_string(),
            "parameter `degree` is 51, expected a whole number from 0 to 50"
        );
        let bad = Table::unnamed(array![[0.0], [f64::INFINITY]], array![1.0, 2.0]);
        let polynomial = Polynomial::new(PolynomialParameters::default()).unwrap();
        let message = polynomial.fit(&bad, &context()).err().map(|e| e.to_string()).unwrap();
        assert!(message.contains("inf in training row 1, feature 0"), "{message}");
    }
    /// A fit whose numbers change must raise [`Method::version`].
    #[test]
    fn the_version_stands_for_these_numbers() {
        let mut rng = context().stream("data", 0);
        let features = Array2::from_shape_simple_fn((50, 2), || rng.random::<f64>());
        let target = features
            .rows()
            .into_iter()
            .map(|x| 4.0 * x[0] * (1.0 - x[0]) + x[1] + 0.1 * rng.random::<f64>());
        let train = Table::unnamed(features.clone(), target.collect());
        let mut hash = Sha256::new();
        for value in predict(4, &train, features.view()) {
            // Sums of a decomposition: bytes may differ between processors beyond these digits.
            hash.update(format!("{value:.9e}"));
        }
        let digest: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            (Polynomial::new(PolynomialParameters::default()).unwrap().version(), digest.as_str()),
            (1, "4e34cba75ef790dbcec37a43a80a1fffd56041ff016c8d909b3cf046c3024321")
        );
    }
}
