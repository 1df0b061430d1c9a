//! List methods that are tried with other parameters than their own: cheaper ones, one for targets
//! above zero, and a stack without calibration.

use serde_json::{Map, Value, json};

use uq_core::scaling::Scaling;
use uq_methods::stack::Stack;

/// A method with other parameters, under a name of its own.
pub struct Variant {
    /// Its name.
    pub name: &'static str,
    /// The method's name in the registry.
    pub of: &'static str,
    /// Its parameters in words.
    pub settings: &'static str,
    /// The parameters that differ from those with which the method is tried.
    differs: fn() -> Map<String, Value>,
    /// Its cost as a share of the method's.
    pub share: f64,
    /// What is done to features and target before the fit.
    pub scaling: Scaling,
}

/// The stack for too few rows to calibrate it.
pub const UNCALIBRATED_STACK: &str = "uncalibrated-stack";

/// Boosting of a log-normal distribution, for targets above zero.
pub const LOG_NORMAL: &str = "log-normal-ngboost";

/// All of them. The shares are rounded up from fits of 404 to 1279 rows of 8 to 13 features:
/// boosting with a rate r times as large takes about 1/r of the rounds.
pub const VARIANTS: [Variant; 5] = [
    Variant {
        name: "quick-boosting-quantiles",
        of: "boosting-quantiles",
        settings: "boosted trees with quantiles at 25 levels, in steps three times as large and so \
                   in fewer rounds, stopped by 15 % of the training rows",
        differs: || only(json!({ "rate": 0.15, "rounds": { "most": 700, "patience": 20 } })),
        share: 0.4,
        scaling: Scaling::TrainRows,
    },
    Variant {
        name: "quick-ngboost",
        of: "ngboost",
        settings: "boosted trees of depth 3 for mean and variance, in steps five times as large \
                   and so in fewer rounds, stopped by a fifth of the training rows",
        differs: || only(json!({ "rate": 0.05, "rounds": { "most": 400, "patience": 25 } })),
        share: 0.25,
        scaling: Scaling::TrainRows,
    },
    Variant {
        name: "quick-deep-ensemble",
        of: "deep-ensemble",
        settings: "five networks of 50 hidden units with a mean and a variance, 10 epochs each in \
                   place of 40",
        differs: || only(json!({ "training": { "epochs": 10 } })),
        share: 0.3,
        scaling: Scaling::TrainRows,
    },
    Variant {
        name: LOG_NORMAL,
        of: "ngboost",
        settings: "boosted trees of depth 3 for mean and variance of the target's logarithm, \
                   stopped by a fifth of the training rows",
        differs: || only(json!({ "distribution": "log-normal" })),
        share: 1.0,
        // Standardised targets have no logarithm.
        scaling: Scaling::None,
    },
    Variant {
        name: UNCALIBRATED_STACK,
        of: Stack::ENTRY.id,
        settings: "quantile-forest, ngboost, boosting-quantiles and deep-ensemble, pooled with \
                   equal weights up to 300 training rows, above with weights by out-of-fold CRPS \
                   in five folds, moved towards equal ones",
        differs: || only(json!({ "calibrated": false })),
        share: 1.0,
        scaling: Scaling::TrainRows,
    },
];

/// The entries of an object.
fn only(object: Value) -> Map<String, Value> {
    object.as_object().cloned().unwrap_or_default()
}

impl Variant {
    /// The variant of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        VARIANTS.iter().find(|variant| variant.name == name)
    }

    /// Its parameters, given those with which the method is tried.
    pub(super) fn parameters(&self, tried: &Value) -> Value {
        let mut all = tried.as_object().cloned().unwrap_or_default();
        all.extend((self.differs)());
        all.into()
    }
}
