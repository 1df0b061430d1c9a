//! Put stated variances beside the true ones, and gather the skill of every method on every dataset.

use super::DrawingError;
use crate::benchmark::{DatasetGroup, DatasetPanel, Panel};
use crate::evidence::results::Results;
use crate::metrics::VariancePart;
use crate::plot::{Dot, SkillDots, VariancePanel, Variances};
use crate::report::decomposition::{Column, Estimate, PARTS, collect};
use crate::runner::store::Store;

/// The main column with the labels of a row, on a dataset.
fn find<'c, 'a>(columns: &'c [Column<'a>], row: &Panel, dataset: &str) -> Option<&'c Column<'a>> {
    columns.iter().find(|column| column.series.is_column(&row.labels, Some(dataset)))
}

/// A method's own name for a split that its paper does not define.
fn is_nominal(column: &Column) -> bool {
    column.series.column.labels.get("split").is_some_and(|split| split == "nominal")
}

/// Rows of panels; `None` where no column is finished.
pub(super) fn variances(
    title: &str,
    rows: &[Panel],
    datasets: &[DatasetPanel],
    results: &Results,
    store: &Store,
) -> Result<Option<Variances>, DrawingError> {
    let columns = collect(results, store)?;
    let roots = |values: Vec<f64>| values.into_iter().map(f64::sqrt).collect::<Vec<f64>>();
    let panel = |row: &Panel, dataset: &DatasetPanel| {
        let Column { x, replicates, .. } = find(&columns, row, &dataset.dataset)?;
        Some(VariancePanel {
            x: x.clone()?,
            noise: roots(replicates.noise.clone()),
            error: roots(replicates.squared_error()),
            aleatoric: replicates.stated(VariancePart::Aleatoric).map(roots),
            epistemic: replicates.stated(VariancePart::Epistemic).map(roots),
        })
    };
    // A smaller profile runs fewer datasets.
    let run = |dataset: &&DatasetPanel| columns.iter().any(|column| column.series.dataset.key == dataset.dataset);
    let datasets: Vec<&DatasetPanel> = datasets.iter().filter(run).collect();
    let drawn = rows.iter().map(|row| {
        let panels: Vec<_> = datasets.iter().map(|dataset| panel(row, dataset)).collect();
        (row.title.clone(), panels)
    });
    let rows: Vec<_> = drawn.filter(|(_, panels)| panels.iter().any(Option::is_some)).collect();
    let columns = datasets.iter().map(|dataset| dataset.title.clone()).collect();
    Ok((!rows.is_empty()).then(|| Variances { title: title.into(), columns, rows }))
}

/// The dots of every part; `None` where no skill is defined.
pub(super) fn skill(
    title: &str,
    rows: &[Panel],
    (groups, lanes): (&[DatasetGroup], &[String]),
    results: &Results,
    store: &Store,
) -> Result<Option<SkillDots>, DrawingError> {
    let columns = collect(results, store)?;
    let mut dots = Vec::new();
    let mut names = Vec::new();
    for row in rows {
        let of_row = dots.len();
        for (group, lane, dataset) in groups
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
    let groups = groups.iter().map(|group| group.title.clone()).collect();
    let drawing = SkillDots { title: title.into(), panels, rows: names, groups, lanes: lanes.to_vec(), dots };
    Ok((!drawing.dots.is_empty()).then_some(drawing))
}
