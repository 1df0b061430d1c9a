//! Gather the skill of every method on every dataset.

use serde::{Deserialize, Serialize};

use super::Figure;
use super::gather::Gather;
use super::in_json;
use super::variances::find;
use crate::evidence::EvidenceError;
use crate::evidence::decomposition::{Column, Estimate, PARTS, collect};
use crate::evidence::results::Results;
use uq_core::metrics::VariancePart;
use uqbench_run::benchmark::figures as keys;
use uqbench_run::runner::store::Store;

/// Panels side by side that share their rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkillDots {
    /// Title of the figure.
    pub title: String,
    /// Titles of the panels.
    pub panels: Vec<String>,
    /// Names of the rows, top to bottom.
    pub rows: Vec<String>,
    /// Names of the looks, in the legend.
    pub groups: Vec<String>,
    /// Names of the lanes of every row, top to bottom.
    pub lanes: Vec<String>,
    /// The dots, in any order.
    pub dots: Vec<Dot>,
}

/// One skill; the first four numbers are places in the lists of [`SkillDots`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dot {
    /// Panel.
    pub panel: usize,
    /// Row.
    pub row: usize,
    /// Look.
    pub group: usize,
    /// Lane.
    pub lane: usize,
    /// The skill: at most 1; it may be −∞.
    #[serde(with = "in_json::one")]
    pub value: f64,
    /// Its standard error, where it is known.
    pub error: Option<f64>,
    /// Whether the split is nominal: such dots are hollow.
    pub nominal: bool,
}

impl Gather for keys::Skill {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Figure>, EvidenceError> {
        let columns = collect(results, store)?;
        let mut dots = Vec::new();
        let mut names = Vec::new();
        for row in &self.rows {
            let of_row = dots.len();
            for (group, lane, dataset) in self.groups.iter().enumerate().flat_map(|(g, group)| {
                group.datasets.iter().enumerate().map(move |(l, d)| (g, l, d))
            }) {
                let Some(column) = find(&columns, row, dataset) else { continue };
                let nominal = is_nominal(column);
                for (panel, part) in PARTS.into_iter().enumerate() {
                    let skill = column.replicates.scores(part).and_then(|scores| scores.skill);
                    let Some(Estimate { value, standard_error }) = skill else { continue };
                    let nominal = nominal && part != VariancePart::Total;
                    dots.push(Dot {
                        panel,
                        row: names.len(),
                        group,
                        lane,
                        value,
                        error: standard_error,
                        nominal,
                    });
                }
            }
            if dots.len() > of_row {
                names.push(row.title.clone());
            }
        }
        let panels = ["Aleatoric variance", "Epistemic variance", "Predictive variance"]
            .map(str::to_owned)
            .into();
        let groups = self.groups.iter().map(|group| group.title.clone()).collect();
        let Self { title, lanes, .. } = self.clone();
        Ok((!dots.is_empty()).then_some(Figure::SkillDots(SkillDots {
            title,
            panels,
            rows: names,
            groups,
            lanes,
            dots,
        })))
    }
}

/// A method's own name for a split that its paper does not define.
fn is_nominal(column: &Column) -> bool {
    column.series.column.labels.get("split").is_some_and(|split| split == "nominal")
}
