//! Tabulate the scores of the parts of the variance, methods by datasets, and write every number as CSV.

use super::document::Document;
use super::grid::Grid;
use uqbench_judge::evidence::decomposition::{Column, Estimate, PARTS, Scores};
use uqbench_run::benchmark::report_files::Beside;

/// A column with the scores of its three parts.
type Scored<'c, 'a> = (&'c Column<'a>, [Option<Scores>; 3]);

fn scored<'c, 'a>(columns: &'c [Column<'a>]) -> Vec<Scored<'c, 'a>> {
    columns.iter().map(|column| (column, PARTS.map(|part| column.replicates.scores(part)))).collect()
}

/// Every score, and the truth beside what is stated in every region, as `ID-scores.csv` and `ID-regions.csv`; none without a column.
pub fn documents(id: &str, columns: &[Column]) -> Vec<Document> {
    if columns.is_empty() {
        return Vec::new();
    }
    let scored = scored(columns);
    vec![
        Document::new(format!("{}.csv", Beside::Scores.name(id)), score_rows(&scored).csv()),
        Document::new(format!("{}.csv", Beside::Regions.name(id)), region_rows(columns).csv()),
    ]
}

fn score_rows(scored: &[Scored]) -> Grid {
    let mut grid = Grid::new(&["dataset", "method", "part", "replicates", "score", "value", "standard_error"]);
    for (column, parts) in scored {
        for (part, scores) in PARTS.into_iter().zip(parts) {
            let Some(scores) = scores else { continue };
            let named = [
                ("level", scores.level),
                ("unevenness", scores.unevenness),
                ("rank", scores.rank),
                ("loss", scores.loss),
                ("loss-of-constant", scores.constant),
                ("skill", scores.skill),
            ];
            for (score, estimate) in named {
                let Some(Estimate { value, standard_error }) = estimate else { continue };
                let [place, count] = [column.series.name(), column.replicates.each.len().to_string()];
                let error = standard_error.map(|error| error.to_string()).unwrap_or_default();
                let row =
                    [&column.series.dataset.key, &place, part.as_str(), &count, score, &value.to_string(), &error];
                grid.push(row);
            }
        }
    }
    grid
}

fn region_rows(columns: &[Column]) -> Grid {
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
    for column in columns {
        let all = &column.replicates;
        let stated = PARTS.map(|part| all.stated(part));
        let (noise, error) = (all.noise_by_region(), all.squared_error_by_region());
        for (region, (noise, error)) in noise.iter().zip(&error).enumerate() {
            let stated =
                stated.iter().map(|part| part.as_ref().map(|part| part[region].to_string()).unwrap_or_default());
            let place = [column.series.dataset.key.clone(), column.series.name(), region.to_string()];
            grid.push(place.into_iter().chain([noise.to_string(), error.to_string()]).chain(stated));
        }
    }
    grid
}
