//! Draw paired differences of the contrast's columns.

use serde::Deserialize;

use super::super::Benchmark;
use super::kind::FigureKind;
use super::panel::{MetricPanel, Panel};
use crate::metrics::{Direction, MetricId};

/// Paired differences of the contrast's columns in per cent of the reference, with their intervals, one row a cell.
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

    fn check(&self, _: &Benchmark) -> Result<(), String> {
        match self.panels.iter().find(|panel| panel.metric.direction() != Direction::Lower) {
            Some(panel) => {
                let (file, metric) = (&self.file, panel.metric);
                Err(format!("figure `{file}`: its left is better, but of `{metric}` lower is not"))
            }
            None => Ok(()),
        }
    }
}
