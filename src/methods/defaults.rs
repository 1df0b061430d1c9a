//! State with which parameters a method is tried on a table of one's own, from the simplest method on.

use serde_json::{Value, json};

use super::Method;
use super::registry::{self, RegistryError};

/// A method with the parameters that it is tried with where nobody gives any.
pub struct DefaultMethod {
    /// Its name in the registry.
    pub id: &'static str,
    /// The parameters in words.
    pub settings: &'static str,
    /// Whether it is tried unasked: it answers with a distribution.
    pub unasked: bool,
    /// Seconds of one fit of n rows with d features, roughly: measured on one core of 2026 at 400 and 3200 rows of 10 features, and
    /// carried on by the count of operations.
    cost: fn(f64, f64) -> f64,
    parameters: fn() -> Value,
}

/// Operations of normal equations, or of a covariance and its factor.
fn squares(n: f64, d: f64) -> f64 {
    d * d * (n + d)
}

/// Operations of trees that sort rows by each feature.
fn sorted(n: f64, d: f64) -> f64 {
    n * (n / 10.0).log2().max(1.0) * d
}

/// Rows by inputs and hidden units of a network of 50.
fn layer(n: f64, d: f64) -> f64 {
    n * (1.0 + d / 50.0)
}

/// Every method that can be tried, in the order of simplicity: of two that are equally good, the earlier one is to be
/// preferred. The first ones, named `unconditional-…`, do not look at the features.
pub fn default_methods() -> &'static [DefaultMethod] {
    const NONE: fn() -> Value = || Value::Null;
    &[
        DefaultMethod {
            id: "unconditional-gaussian",
            settings: "ignores the features: mean and variance of the target",
            unasked: true,
            cost: |n, _| 1e-7 * n,
            parameters: NONE,
        },
        DefaultMethod {
            id: "unconditional-quantiles",
            settings: "ignores the features: quantiles of the target",
            unasked: true,
            cost: |n, _| 1e-7 * n,
            parameters: NONE,
        },
        DefaultMethod {
            id: "linear-gaussian",
            settings: "least squares with normal errors of constant variance",
            unasked: true,
            cost: |n, d| 1e-9 * squares(n, d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "linfa-elastic-net",
            settings: "linfa's elastic net, penalty 0.01, half of it L1",
            unasked: false,
            cost: |n, d| 1e-9 * squares(n, d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "polynomial",
            settings: "degree 4 in each feature",
            unasked: false,
            cost: |n, d| 1e-9 * squares(n, 4.0 * d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "tree",
            settings: "one regression tree, not pruned",
            unasked: false,
            cost: |n, d| 2e-7 * sorted(n, d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "smartcore-tree",
            settings: "smartcore's regression tree",
            unasked: false,
            cost: |n, d| 4e-7 * sorted(n, d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "smartcore-forest",
            settings: "smartcore's random forest of 100 trees",
            unasked: false,
            cost: |n, d| 1e-6 * sorted(n, d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "smartcore-extra-trees",
            settings: "smartcore's 100 extremely randomised trees",
            unasked: false,
            cost: |n, d| 1.5e-6 * sorted(n, d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "linfa-tree",
            settings: "decision trees for a target of few values, 10 rows a leaf",
            unasked: false,
            cost: |n, d| 4e-7 * sorted(n, d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "linfa-forest",
            settings: "votes of 100 decision trees for a target of few values",
            unasked: false,
            cost: |n, d| 1e-5 * sorted(n, d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "quantile-forest",
            settings: "1000 trees, a third of the features at each split, 10 rows a leaf",
            unasked: true,
            cost: |n, d| 4e-6 * sorted(n, d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "quantile-forest-validated",
            settings: "the same, leaves, features and trees chosen out of bag",
            unasked: false,
            cost: |n, d| 1.6e-5 * sorted(n, d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "split-conformal",
            settings: "split conformal prediction about the mean of a quantile forest, on half of the rows",
            unasked: false,
            cost: |n, d| 4e-6 * sorted(n, d),
            parameters: || json!({ "method": { "id": "quantile-forest" } }),
        },
        DefaultMethod {
            id: "conformalised-quantiles",
            settings: "quantiles of a forest on half of the rows, moved until the other half is covered",
            unasked: false,
            cost: |n, d| 4e-6 * sorted(n, d),
            parameters: || json!({ "method": { "id": "quantile-forest" } }),
        },
        DefaultMethod {
            id: "gmm-regression",
            settings: "normal mixture of target and features with 8 components below 5000 rows, else 18",
            unasked: true,
            cost: |n, d| 2e-7 * squares(n, d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "jcm",
            settings: "normal mixture of target and at most 5 projected features, with the paper's settings",
            unasked: true,
            cost: |n, d| 3.5e-6 * n * d,
            parameters: NONE,
        },
        DefaultMethod {
            id: "jcm-validated",
            settings: "the same, settings chosen on a tenth of the training rows in 12 fits at most",
            unasked: false,
            cost: |n, d| 3.5e-5 * n * d,
            parameters: NONE,
        },
        DefaultMethod {
            id: "mean-variance-network",
            settings: "network of 50 hidden units with a mean and a variance, stopped by a tenth of the training rows",
            unasked: false,
            cost: |n, d| 1e-5 * layer(n, d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "deep-ensemble",
            settings: "five networks of 50 hidden units with a mean and a variance, 40 epochs each",
            unasked: false,
            cost: |n, d| 3e-5 * layer(n, d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "mc-dropout",
            settings: "network of 50 hidden units in 100 passes, rate and noise chosen on a fifth of the training rows",
            unasked: false,
            cost: |n, d| 5e-4 * layer(n, d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "sqr",
            settings: "network of 50 hidden units with the quantile's level as an input, stopped by a tenth of the training rows",
            unasked: false,
            cost: |n, d| 1.3e-5 * layer(n, d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "bnn-vi",
            settings: "Bayesian network of 50 hidden units with independent normal weights",
            unasked: false,
            cost: |n, d| 6e-4 * layer(n, d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "pbp",
            settings: "Bayesian network of 50 hidden units, 40 passes of probabilistic backpropagation",
            unasked: false,
            cost: |n, d| 8e-5 * layer(n, d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "exact-gp",
            settings: "Gaussian process with an RBF kernel and a length scale for each feature, six starts, at most 5000 rows",
            unasked: false,
            cost: |n, d| 1.5e-7 * n.min(5000.0).powi(2) * d,
            parameters: NONE,
        },
        DefaultMethod {
            id: "sparse-gp",
            settings: "Gaussian process with an RBF kernel and 500 inducing points at most, 150 steps of L-BFGS",
            unasked: false,
            cost: |n, _| 3e-3 * n,
            parameters: NONE,
        },
        DefaultMethod {
            id: "validated",
            settings: "mean-variance network, step size and hidden units chosen on a tenth of the training rows in 4 fits",
            unasked: false,
            cost: |n, d| 1e-4 * layer(n, d),
            parameters: || {
                json!({
                    "method": { "id": "mean-variance-network" },
                    "grid": { "training.adam.learning_rate": [0.01, 0.001], "hidden": [50, 100] },
                })
            },
        },
        DefaultMethod {
            id: "combined",
            settings: "networks of 50 hidden units for mean and variance, trained in turn on neighbouring rows",
            unasked: false,
            cost: |n, d| 0.4 + 1e-4 * layer(n, d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "mixture-density-network",
            settings: "network of 50 hidden units with a mixture of 3, stopped by a tenth of the training rows",
            unasked: false,
            cost: |n, d| 2e-5 * layer(n, d),
            parameters: NONE,
        },
        DefaultMethod {
            id: "stochastic-sparse-gp",
            settings: "Gaussian process with 500 inducing points, fitted to minibatches in 20000 steps at most",
            unasked: false,
            cost: |_, _| 60.0,
            parameters: NONE,
        },
        DefaultMethod {
            id: "deep-gp",
            settings: "five layers of Gaussian processes with 100 inducing points each, 20000 steps at most",
            unasked: false,
            cost: |_, _| 100.0,
            parameters: NONE,
        },
        DefaultMethod {
            id: "nonstationary-gp",
            settings: "Gaussian process whose length scale, signal and noise depend on the input, 10 starts, at most 2000 rows",
            unasked: false,
            cost: |n, _| 1e-7 * n.min(2000.0).powi(3),
            parameters: NONE,
        },
        DefaultMethod {
            id: "rff-gplvm",
            settings: "target and features as outputs of two latent inputs, 100 random frequencies",
            unasked: false,
            cost: |n, d| 1e-3 * n * d,
            parameters: NONE,
        },
        DefaultMethod {
            id: "wiener-kernel-regression",
            settings: "Gaussian process's kernel, with normal, gamma, uniform or beta noise chosen on the training rows, at most 5000 rows",
            unasked: false,
            cost: |n, d| 2e-7 * n.min(5000.0).powi(2) * d,
            parameters: NONE,
        },
        DefaultMethod {
            id: "dtb",
            settings: "ten trees of depth at most 10, each on half of the rows, weighed by the game; \
                       the spread of the trees, without noise",
            unasked: true,
            // The strong trees of the paper's Table 1.
            cost: |n, d| 5e-7 * sorted(n, d),
            parameters: || json!({ "learners": [{ "id": "tree", "count": 10, "parameters": { "max_depth": 10 } }] }),
        },
    ]
}

/// A method that is to be tried.
pub struct Candidate {
    /// Its name in the registry.
    pub id: &'static str,
    /// Its parameters in words.
    pub settings: &'static str,
    /// The method.
    pub method: Box<dyn Method>,
    /// Seconds of one fit of so many rows and features, roughly; `None` where nothing is known of it.
    pub cost: Option<fn(f64, f64) -> f64>,
}

impl Candidate {
    /// Whether the method ignores the features.
    pub fn is_unconditional(id: &str) -> bool {
        id.starts_with("unconditional-")
    }
}

/// The methods of these names, or those that are tried unasked where none is named, in the order of simplicity. Methods
/// that ignore the features are always among them: without those no score says what the features tell.
///
/// # Errors
/// [`RegistryError::Unknown`] for a name that the registry does not have; [`RegistryError::Parameters`] where a method
/// cannot be built without parameters.
pub fn candidates(names: &[String]) -> Result<Vec<Candidate>, RegistryError> {
    let mut chosen = Vec::new();
    for known in default_methods() {
        let named = if names.is_empty() { known.unasked } else { names.iter().any(|name| name == known.id) };
        if named || Candidate::is_unconditional(known.id) {
            let method = registry::build(known.id, &(known.parameters)())?;
            chosen.push(Candidate { id: known.id, settings: known.settings, method, cost: Some(known.cost) });
        }
    }
    for (place, name) in names.iter().enumerate() {
        if chosen.iter().any(|candidate| candidate.id == name) || names[..place].contains(name) {
            continue;
        }
        let method = registry::build(name, &Value::Null)?;
        chosen.push(Candidate { id: method.id(), settings: "default parameters", method, cost: None });
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(names: &[&str]) -> Vec<&'static str> {
        let names: Vec<String> = names.iter().map(|name| (*name).into()).collect();
        candidates(&names).unwrap().iter().map(|candidate| candidate.id).collect()
    }

    #[test]
    fn every_stated_method_can_be_built_and_is_in_the_registry() {
        for known in default_methods() {
            assert_eq!(registry::build(known.id, &(known.parameters)()).unwrap().id(), known.id);
        }
        let stated: Vec<&str> = default_methods().iter().map(|known| known.id).collect();
        let missing: Vec<&str> = registry::entries()
            .iter()
            .map(|entry| entry.id)
            .filter(|id| *id != "mock" && !stated.contains(id))
            .collect();
        assert_eq!(missing, [""; 0], "say with which parameters it is tried");
    }

    #[test]
    fn anchors_always_take_part_and_the_order_is_that_of_simplicity() {
        let anchors = ["unconditional-gaussian", "unconditional-quantiles"];
        assert_eq!(
            ids(&[]),
            [&anchors[..], &["linear-gaussian", "quantile-forest", "gmm-regression", "jcm", "dtb"]].concat()
        );
        assert_eq!(ids(&["dtb", "tree", "dtb"]), [&anchors[..], &["tree", "dtb"]].concat());
        let unknown = candidates(&["linear-gausian".into()]).err().map(|error| error.to_string()).unwrap();
        assert!(unknown.contains("did you mean `linear-gaussian`?"), "{unknown}");
    }
}
