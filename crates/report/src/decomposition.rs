//! Write every score of the parts of the variance, and the truth beside what is stated in every
//! region, as CSV.

use super::document::Document;
use super::grid::Grid;
use uqbench_judge::report::{PartEstimate, Region, Report};
use uqbench_run::benchmark::report_files::Beside;

/// The files `ID-scores.csv` and `ID-regions.csv`; none where no column is compared with the truth.
pub fn documents(report: &Report) -> Vec<Document> {
    if report.regions.is_empty() {
        return Vec::new();
    }
    let id = &report.plan.benchmark.id;
    vec![
        Document::new(format!("{}.csv", Beside::Scores.name(id)), score_rows(&report.parts).csv()),
        Document::new(
            format!("{}.csv", Beside::Regions.name(id)),
            region_rows(&report.regions).csv(),
        ),
    ]
}

fn score_rows(all: &[PartEstimate]) -> Grid {
    let mut grid =
        Grid::new(&["dataset", "method", "part", "replicates", "score", "value", "standard_error"]);
    grid.extend(all.iter().map(
        |PartEstimate { dataset, method, part, replicates, score, value, standard_error }| {
            let error = standard_error.map(|error| error.to_string()).unwrap_or_default();
            [
                dataset.clone(),
                method.clone(),
                part.as_str().into(),
                replicates.to_string(),
                (*score).into(),
                value.to_string(),
                error,
            ]
        },
    ));
    grid
}

fn region_rows(all: &[Region]) -> Grid {
    let mut grid = Grid::new(&[
        "dataset",
        "method",
        "region",
        "noise_variance",
        "mean_squared_error",
        "aleatoric",
        "epistemic",
        "predictive_variance",
    ]);
    grid.extend(all.iter().map(
        |Region { dataset, method, region, noise, squared_error, stated }| {
            let place = [
                dataset.clone(),
                method.clone(),
                region.to_string(),
                noise.to_string(),
                squared_error.to_string(),
            ];
            place
                .into_iter()
                .chain(stated.map(|part| part.map(|part| part.to_string()).unwrap_or_default()))
        },
    ));
    grid
}
