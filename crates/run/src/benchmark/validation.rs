//! Define how a method's coverage is checked inside its training rows, before a table uses its
//! intervals.

use serde::{Deserialize, Serialize};

use crate::protocols::{self, Protocol};
use uq_core::metrics::{MetricId, Picp};

/// Slack of a comparison of decimal fractions, which are not exact in binary.
const ROUNDING: f64 = 1e-9;

/// How a method's coverage is checked inside its training rows.
///
/// Each repetition has a second fit, on its training rows without a share of them, and predicts
/// that share. A method whose mean coverage of these rows is too high or too low is flagged `none`:
/// its numbers are shown, but its widths are not those of intervals of the level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Validation {
    /// The share of the training rows that is held out, in (0, 1).
    pub fraction: f64,
    /// Probability of the central interval, in (0, 1).
    pub level: f64,
    /// Largest distance between mean coverage and level that is not flagged.
    pub tolerance: f64,
}

impl Validation {
    /// The coverage metric.
    pub fn metric(&self) -> MetricId {
        MetricId::Picp(Picp { level: self.level })
    }

    /// The protocol of the second fit.
    pub fn protocol(&self, of: &Protocol) -> Protocol {
        Protocol::Validation(protocols::Validation {
            of: Box::new(of.clone()),
            fraction: self.fraction,
        })
    }

    /// Whether a mean coverage is near enough to the level.
    pub fn allows(&self, coverage: f64) -> bool {
        (coverage - self.level).abs() <= self.tolerance + ROUNDING
    }

    /// Finds the first invalid value.
    ///
    /// # Errors
    /// A message that states what is wrong.
    pub(super) fn check(&self, of: &Protocol) -> Result<(), String> {
        for (name, value) in [("fraction", self.fraction), ("level", self.level)] {
            if !(value > 0.0 && value < 1.0) {
                return Err(format!(
                    "the {name} of `[validation]` is {value}, expected a number between 0 and 1"
                ));
            }
        }
        if !(self.tolerance >= 0.0 && self.tolerance.is_finite()) {
            return Err(format!(
                "the tolerance of `[validation]` is {}, expected 0 or more",
                self.tolerance
            ));
        }
        if !of.kind().compares_methods() {
            return Err(
                "`[validation]` holds out rows of a dataset, but a demonstration draws its own"
                    .into(),
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::Benchmark;
    use uq_core::metrics::Rmse;

    /// A benchmark with this protocol and this `[validation]`.
    fn parsed(protocol: &str, validation: &str) -> Result<Benchmark, String> {
        let mut text = format!(
            "id = \"a\"\npaper = \"none\"\nartefact = \"Table 0\"\ntitle = \"A\"\nprotocol_source \
             = \"printed\"\n\
             protocol = {protocol}\nvalidation = {validation}\n\
             datasets = [{{ key = \"yacht\", heading = \"Data\" }}]\nmetrics = [{{ id = \"rmse\", \
             heading = \"RMSE\" }}]\n\
             [[methods]]\nid = \"tree\"\ncolumns = [{{ heading = \"Tree\" }}]\n"
        );
        for profile in ["smoke", "quick", "full"] {
            text += &format!("[profiles.{profile}]\nsplits = 1\n");
        }
        Benchmark::parse("test", &text).map_err(|error| error.to_string())
    }

    const HOLDOUT: &str = "{ holdout = { test = { fraction = 0.1 } } }";

    #[test]
    fn it_is_read_and_its_coverage_is_scored() {
        let benchmark =
            parsed(HOLDOUT, "{ fraction = 0.1, level = 0.95, tolerance = 0.025 }").unwrap();
        let validation = benchmark.validation.unwrap();
        assert_eq!(
            benchmark.all_metrics(),
            [MetricId::Rmse(Rmse), MetricId::Picp(Picp { level: 0.95 })]
        );
        assert_eq!(validation.protocol(&benchmark.protocol).outer(), &benchmark.protocol);
        // Both ends are allowed, although 0.975 − 0.95 is not exact in binary.
        for (coverage, allowed) in
            [(0.95, true), (0.925, true), (0.975, true), (0.9249, false), (0.9751, false)]
        {
            assert_eq!(validation.allows(coverage), allowed, "{coverage}");
        }
    }

    #[test]
    fn what_cannot_be_is_told() {
        let good = "{ fraction = 0.1, level = 0.95, tolerance = 0.025 }";
        let nested = format!("{{ validation = {{ of = {HOLDOUT}, fraction = 0.1 }} }}");
        for (protocol, validation, expected) in [
            (HOLDOUT, good.replace("0.1", "1.0"), "the fraction of `[validation]` is 1"),
            (HOLDOUT, good.replace("0.95", "95.0"), "the level of `[validation]` is 95"),
            (HOLDOUT, good.replace("0.025", "-0.1"), "the tolerance of `[validation]` is -0.1"),
            (HOLDOUT, good.replace("level", "levels"), "levels"),
            ("\"demonstration\"", good.into(), "a demonstration draws its own"),
            (&nested, good.into(), "`validation` has no test rows"),
        ] {
            let message = parsed(protocol, &validation).unwrap_err();
            assert!(message.contains(expected), "{validation}: {message}");
        }
    }
}
