//! Draw paired differences of the contrast's columns.

use serde::Deserialize;

use super::super::Benchmark;
use super::kind::FigureKind;
use super::panel::{MetricPanel, Panel};
use uq_core::metrics::{Direction, MetricId};

/// Paired differences of the contrast's columns in per cent of the reference, with their intervals,
/// one row a cell.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contrast {
    /// File name, without its ending.
    pub file: String,
    /// Caption.
    pub title: String,
    /// One panel a metric.
    pub panels: Vec<MetricPanel>,
}

impl FigureKind for Contrast {
    fn file(&self) -> &str {
        &self.file
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn columns(&self) -> &[Panel] {
        &[]
    }

    fn metrics(&self) -> Vec<MetricId> {
        self.panels.iter().map(|panel| panel.metric).collect()
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        if benchmark.contrast.is_none() {
            return Err(format!(
                "figure `{}` compares columns, but there is no contrast",
                self.file
            ));
        }
        match self.panels.iter().find(|panel| panel.metric.direction() != Direction::Lower) {
            Some(panel) => {
                let (file, metric) = (&self.file, panel.metric);
                Err(format!("figure `{file}`: its left is better, but of `{metric}` lower is not"))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Benchmark;

    #[test]
    fn a_figure_of_differences_needs_a_contrast() {
        let text = include_str!("../../../../../benchmarks/papers/dtb/dtb-table-1.toml");
        let start = text.find("contrast = {").unwrap();
        let end = start + text[start..].find('\n').unwrap();
        let without = text[..start].to_owned() + &text[end..];
        let message = Benchmark::parse("test", &without).unwrap_err().to_string();
        assert!(message.contains("compares columns, but there is no contrast"), "{message}");
    }
}
