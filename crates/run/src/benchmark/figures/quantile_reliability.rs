//! Draw the reliability of quantiles level by level.

use serde::Deserialize;

use super::super::Benchmark;
use super::checks::check_columns;
use super::kind::{FigureKind, by_fields};
use super::panel::Panel;

/// Reliability of quantiles over all finished repetitions: the share of outcomes y ≤ q(τ), less the
/// level τ, and the band in which calibrated quantiles stay at all levels together.
///
/// Given their fit, the test rows of one repetition are independent; a row that recurs in test sets
/// of several repetitions is not new. The band is for the number of independent outcomes that the
/// pooled ones are worth, as if the share of a row were the same in all its repetitions, which is
/// cautious.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuantileReliability {
    /// File name, without its ending.
    pub file: String,
    /// Caption.
    pub title: String,
    /// Levels τ, ascending, between 0 and 1; 0.05, 0.10, … 0.95 where absent.
    #[serde(default = "default_levels")]
    pub levels: Vec<f64>,
    /// Which columns, by their labels, one panel each; anchors carry their id as label `method`.
    pub panels: Vec<Panel>,
}

fn default_levels() -> Vec<f64> {
    (1..20).map(|step| f64::from(step) / 20.0).collect()
}

impl FigureKind for QuantileReliability {
    by_fields!(file, title, panels);

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        check_columns(&self.file, &self.panels, benchmark)?;
        let inside = self.levels.iter().all(|level| 0.0 < *level && *level < 1.0);
        match inside && !self.levels.is_empty() && self.levels.is_sorted_by(|a, b| a < b) {
            true => Ok(()),
            false => {
                let (file, levels) = (&self.file, &self.levels);
                Err(format!(
                    "figure `{file}`: the levels are {levels:?}, expected numbers between 0 and 1 \
                     that ascend"
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::benchmark::{Benchmark, Figure};

    fn parsed(levels: &str) -> Result<Benchmark, String> {
        let kind = "kind = \"quantile-reliability\"\nfile = \"q\"\ntitle = \"Q\"";
        let figure = format!("[[figures]]\n{kind}\n{levels}\npanels = [{{ title = \"a\" }}]\n");
        let text = include_str!("../../../../../benchmarks/papers/dtb/dtb-table-1.toml").replacen(
            "[[figures]]",
            &(figure + "[[figures]]"),
            1,
        );
        Benchmark::parse("test", &text).map_err(|error| error.to_string())
    }

    #[test]
    fn levels_ascend_between_0_and_1() {
        let Figure::QuantileReliability(figure) = &parsed("").unwrap().figures[0] else {
            panic!("another kind")
        };
        assert_eq!((figure.levels.len(), figure.levels[0], figure.levels[18]), (19, 0.05, 0.95));
        assert!(parsed("levels = [0.025, 0.975]").is_ok());
        for levels in ["[]", "[0.0, 0.5]", "[0.5, 1.0]", "[0.5, 0.5]", "[0.9, 0.1]", "[nan]"] {
            let message = parsed(&format!("levels = {levels}")).unwrap_err();
            assert!(
                message.contains("expected numbers between 0 and 1 that ascend"),
                "{levels}: {message}"
            );
        }
    }
}
