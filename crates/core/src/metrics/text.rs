//! Write metrics with their parameters as text that a benchmark file or a command line holds:
//! `picp(level=0.95)`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::MetricId;
use crate::names::{did_you_mean, nearest_name};

/// Why a text names no metric.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ParseMetricError {
    /// No metric has this name.
    #[error("there is no metric `{found}`{}", did_you_mean(nearest))]
    UnknownName {
        /// The name.
        found: String,
        /// The most similar name.
        nearest: Option<String>,
    },
    /// The metric has no such parameter, or the text is not of the form `name(parameter=value)`.
    #[error("metric '{found}': expected the form '{expected}'")]
    Form {
        /// The text.
        found: String,
        /// The metric with its default parameters.
        expected: MetricId,
    },
    /// The parameter's value is no number or out of range.
    #[error("metric '{metric}': {parameter} is '{found}', expected {expected}")]
    Value {
        /// The metric's name.
        metric: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The value.
        found: String,
        /// The range.
        expected: &'static str,
    },
}

impl fmt::Display for MetricId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A copy, because parameters are borrowed mutably.
        let mut copy = *self;
        let parameters = copy.parameters();
        let parameters: Vec<String> =
            parameters.iter().map(|one| format!("{}={}", one.name, one.text)).collect();
        match parameters.as_slice() {
            [] => f.write_str(self.name()),
            some => write!(f, "{}({})", self.name(), some.join(",")),
        }
    }
}

impl FromStr for MetricId {
    type Err = ParseMetricError;

    /// Reads `name` or `name(parameter=value,…)`, the defaults for parameters left out; blanks do
    /// not matter.
    fn from_str(text: &str) -> Result<Self, ParseMetricError> {
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let (name, arguments) = match compact.split_once('(') {
            None => (compact.as_str(), None),
            Some((name, arguments)) => (name, Some(arguments)),
        };
        let Some(default) = Self::all().into_iter().find(|metric| metric.name() == name) else {
            let nearest = nearest_name(name, Self::all().iter().map(|metric| metric.name()));
            return Err(ParseMetricError::UnknownName { found: name.into(), nearest });
        };
        let Some(arguments) = arguments else { return Ok(default) };
        let wrong = || ParseMetricError::Form { found: text.into(), expected: default };
        let mut metric = default;
        let mut unset = metric.parameters();
        for argument in arguments.strip_suffix(')').ok_or_else(wrong)?.split(',') {
            let (parameter, found) = argument.split_once('=').ok_or_else(wrong)?;
            let position = unset.iter().position(|one| one.name == parameter).ok_or_else(wrong)?;
            // Removed, because a parameter may be given only once.
            let parameter = unset.remove(position);
            let (metric, name) = (default.name(), parameter.name);
            let reject = |expected| ParseMetricError::Value {
                metric,
                parameter: name,
                found: found.into(),
                expected,
            };
            parameter.set(found).map_err(reject)?;
        }
        drop(unset);
        Ok(metric)
    }
}

impl From<MetricId> for String {
    fn from(metric: MetricId) -> Self {
        metric.to_string()
    }
}

impl TryFrom<String> for MetricId {
    type Error = ParseMetricError;

    fn try_from(text: String) -> Result<Self, ParseMetricError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use crate::metrics::*;

    #[test]
    fn text_reads_back_as_the_same_metric() {
        for metric in MetricId::all() {
            assert_eq!(metric.to_string().parse(), Ok(metric));
            assert_eq!(
                metric.name().parse(),
                Ok(metric),
                "the bare name has the default parameter"
            );
            let json = serde_json::to_string(&metric).unwrap();
            assert_eq!(json, format!("\"{metric}\""));
            assert_eq!(serde_json::from_str::<MetricId>(&json).unwrap(), metric);
        }
        assert_eq!("picp( level = 0.9 )".parse(), Ok(MetricId::Picp(Picp { level: 0.9 })));
        assert_eq!(
            MetricId::SigmaCoverage(SigmaCoverage { k: 1.0 }).to_string(),
            "sigma-coverage(k=1)"
        );
        assert_eq!(MaxFoldMse { folds: 100 }.label(), "Maximum fold loss (100 folds)");
        assert_eq!(Mpiw { level: 0.07 }.label(), "MPIW (7 %)");
        assert_eq!(MetricId::Crps(Crps).versioned(), "crps@1");
        let by_width = MetricId::CoverageByWidth(CoverageByWidth { level: 0.9, groups: 5 });
        assert_eq!(by_width.to_string(), "coverage-by-width(level=0.9,groups=5)");
        assert_eq!(
            "coverage-by-width( groups=5, level=0.9 )".parse(),
            Ok(by_width),
            "in any order"
        );
        let by_noise = MetricId::CoverageByNoise(CoverageByNoise { level: 0.9, groups: 5 });
        assert_eq!("coverage-by-noise(level=0.9,groups=5)".parse(), Ok(by_noise));
        let ratio = MetricId::VarianceRatio(VarianceRatio {
            part: VariancePart::Epistemic,
            low: -2.0,
            high: 2.5,
        });
        assert_eq!(ratio.to_string(), "variance-ratio(part=epistemic,low=-2,high=2.5)");
        assert_eq!("variance-ratio(high=2.5,low=-2,part=epistemic)".parse(), Ok(ratio));
        let default = MetricId::CoverageByWidth(CoverageByWidth { level: 0.95, groups: 5 });
        assert_eq!(
            "coverage-by-width(groups=5)".parse(),
            Ok(default),
            "the default for what is left out"
        );
    }

    #[test]
    fn an_invalid_text_gives_an_error_with_the_expected_form() {
        let message = |text: &str| text.parse::<MetricId>().unwrap_err().to_string();
        let unknown = message("rsme");
        assert_eq!(unknown, "there is no metric `rsme`, did you mean `rmse`?");
        assert!(message("MPIW-rage(level=0.9)").contains("did you mean `mpiw-range`?"));
        assert_eq!(
            message("picp(lvl=0.9)"),
            "metric 'picp(lvl=0.9)': expected the form 'picp(level=0.95)'"
        );
        assert_eq!(
            message("crps(level=0.9)"),
            "metric 'crps(level=0.9)': expected the form 'crps'"
        );
        assert!(message("picp(level=0.9").contains("expected the form"));
        assert_eq!(
            message("picp(level=95)"),
            "metric 'picp': level is '95', expected a number between 0 and 1"
        );
        for text in [
            "picp()",
            "picp(level=0.9,)",
            "picp(level=0.9,level=0.8)",
            "coverage-by-width(level=0.9;groups=2)x",
        ] {
            assert!(message(text).contains("expected the form"), "{text}");
        }
        assert!(message("coverage-by-width(level=0.9,groups=0)").contains("groups is '0'"));
        assert!(message("coverage-by-noise(groups=1.5)").contains("groups is '1.5'"));
        assert!(message("coverage-by-region(level=1)").contains("level is '1'"));
        for folds in ["0", "100001", "4294967296", "9223372036854775807", "18446744073709551616"] {
            assert!(
                message(&format!("max-fold-mse(folds={folds})"))
                    .contains("a whole number from 1 to 100000")
            );
        }
        assert!(message("noise-accuracy(factor=1)").contains("a number above 1"));
        assert!(
            message("variance-ratio(part=noise)")
                .contains("part is 'noise', expected total, aleatoric or epistemic")
        );
        assert!(
            message("variance-ratio(low=inf)").contains("low is 'inf', expected a finite number")
        );
        assert!(message("sigma-coverage(k=nan)").contains("a number above 0"));
    }
}
