//! Gather the skill of every method on every dataset.

use super::gather::{DrawingError, Gather};
use super::variances::find;
use crate::plot::{Dot, Drawing, SkillDots};
use uq_core::metrics::VariancePart;
use uqbench_judge::evidence::decomposition::{Column, Estimate, PARTS, collect};
use uqbench_judge::evidence::results::Results;
use uqbench_run::benchmark::figures::Skill;
use uqbench_run::runner::store::Store;

impl Gather for Skill {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Drawing>, DrawingError> {
        let columns = collect(results, store)?;
        let mut dots = Vec::new();
        let mut names = Vec::new();
        for row in &self.rows {
            let of_row = dots.len();
            for (group, lane, dataset) in self
                .groups
                .iter()
                .enumerate()
                .flat_map(|(g, group)| group.datasets.iter().enumerate().map(move |(l, d)| (g, l, d)))
            {
                let Some(column) = find(&columns, row, dataset) else { continue };
                let nominal = is_nominal(column);
                for (panel, part) in PARTS.into_iter().enumerate() {
                    let skill = column.replicates.scores(part).and_then(|scores| scores.skill);
                    let Some(Estimate { value, standard_error }) = skill else { continue };
                    let nominal = nominal && part != VariancePart::Total;
                    dots.push(Dot { panel, row: names.len(), group, lane, value, error: standard_error, nominal });
                }
            }
            if dots.len() > of_row {
                names.push(row.title.clone());
            }
        }
        let panels = ["Aleatoric variance", "Epistemic variance", "Predictive variance"].map(str::to_owned).into();
        let groups = self.groups.iter().map(|group| group.title.clone()).collect();
        let Self { title, lanes, .. } = self.clone();
        Ok((!dots.is_empty())
            .then(|| Box::new(SkillDots { title, panels, rows: names, groups, lanes, dots }) as Drawing))
    }
}

/// A method's own name for a split that its paper does not define.
fn is_nominal(column: &Column) -> bool {
    column.series.column.labels.get("split").is_some_and(|split| split == "nominal")
}
