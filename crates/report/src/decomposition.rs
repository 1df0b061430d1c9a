//! Tabulate the scores of the parts of the variance, methods by datasets, and write every number as CSV.

use super::document::Document;
use super::grid::{Cell, Grid, Lead};
use super::section::Section;
use super::trial::first_of;
use uq_core::metrics::VariancePart;
use uq_core::stats::digits::{NONE, mean_and_spread, number};
use uqbench_judge::evidence::decomposition::{Column, Estimate, PARTS, Scores};
use uqbench_judge::evidence::results::Results;
use uqbench_run::benchmark::report_files::Beside;

/// A score as a table of its own.
struct Shown {
    title: &'static str,
    of: fn(&Scores) -> Option<Estimate>,
    note: &'static str,
}

const SHOWN: [Shown; 4] = [
    Shown {
        title: "skill against the best constant",
        of: |scores| scores.skill,
        note: "1 − loss / loss of the best constant, which knows the true mean: 1 is perfect, 0 no better than that constant, below 0 \
               worse. The loss is t/e − ln(t/e) − 1, t the true and e the stated variance of a region, averaged over regions and \
               replicates. – where the constant loses less than 0.01 nat: the true variance hardly varies.",
    },
    Shown {
        title: LEVEL,
        of: |scores| scores.level,
        note: "ln of the mean stated by the mean true variance: 0 is right, 0.69 states twice the variance, −0.69 half of it.",
    },
    Shown {
        title: "unevenness",
        of: |scores| scores.unevenness,
        note: "Mean over regions of |ln(stated / true)|, variances averaged over replicates: 0 is right in every region.",
    },
    Shown {
        title: "rank over regions",
        of: |scores| scores.rank,
        note: "Spearman's correlation of stated and true variance over sixteen regions, variances averaged over replicates. – where one of \
               them is the same in all regions: a constant has no order.",
    },
];

/// What the tables call the mean stated by the mean true variance.
const LEVEL: &str = "level";

/// Below it a score is zero up to rounding.
const ROUNDING: f64 = 1e-12;
/// From here on a score is written with a power of ten.
const HUGE: f64 = 1e5;

/// The end of every table's note.
const ERRORS: &str =
    "± 1 standard error by the jackknife over replicates. – also where a method does not define the part.";

fn name(part: VariancePart) -> &'static str {
    match part {
        VariancePart::Aleatoric => "Aleatoric variance",
        VariancePart::Epistemic => "Epistemic variance",
        VariancePart::Total => "Predictive variance",
    }
}

fn titled(part: VariancePart, score: &str) -> String {
    format!("{}: {score}", name(part))
}

/// The title of the table of a part's levels.
pub fn level_title(part: VariancePart) -> String {
    titled(part, LEVEL)
}

/// A column with the scores of its three parts.
type Scored<'c, 'a> = (&'c Column<'a>, [Option<Scores>; 3]);

fn scored<'c, 'a>(columns: &'c [Column<'a>]) -> Vec<Scored<'c, 'a>> {
    columns.iter().map(|column| (column, PARTS.map(|part| column.replicates.scores(part)))).collect()
}

/// The tables of a benchmark's columns; none where there is no column.
pub fn sections(results: &Results, columns: &[Column]) -> Vec<Section> {
    if columns.is_empty() {
        return Vec::new();
    }
    let scored = scored(columns);
    let mut all = vec![overview(&scored)];
    for (place, part) in PARTS.into_iter().enumerate() {
        all.extend(SHOWN.iter().filter_map(|shown| {
            let cell = |(_, scores): &Scored| scores[place].as_ref().and_then(shown.of).map(written);
            let grid = by_dataset(results, &scored, cell)?;
            let (title, note) = (titled(part, shown.title), format!("{} {ERRORS}", shown.note));
            Some(Section { title, grid, note })
        }));
    }
    all.extend(errors(results, &scored));
    all
}

/// Headings of all columns in the order of their first appearance.
fn headings(scored: &[Scored]) -> Vec<String> {
    let mut headings: Vec<String> = Vec::new();
    for (column, _) in scored {
        let name = column.series.name();
        if !headings.contains(&name) {
            headings.push(name);
        }
    }
    headings
}

/// One row for each dataset, one column for each method; methods without any cell are left out. `None` where no method
/// is left.
fn by_dataset(results: &Results, scored: &[Scored], cell: impl Fn(&Scored) -> Option<String>) -> Option<Grid> {
    let cells: Vec<(&Column, String, String)> =
        scored.iter().filter_map(|one| Some((one.0, one.0.series.name(), cell(one)?))).collect();
    let headings: Vec<String> =
        headings(scored).into_iter().filter(|heading| cells.iter().any(|(_, name, _)| name == heading)).collect();
    let mut grid = Grid::new(&["Dataset"]);
    grid.head.extend(headings.iter().cloned());
    grid.numeric.resize(grid.head.len(), true);
    for dataset in &results.plan.benchmark.datasets {
        let of_dataset = |(column, ..): &&(&Column, _, _)| column.series.dataset.key == dataset.key;
        let own: Vec<_> = headings
            .iter()
            .map(|heading| cells.iter().filter(of_dataset).find(|(_, name, _)| name == heading))
            .collect();
        if own.iter().all(Option::is_none) {
            continue;
        }
        let row = own.iter().map(|own| match own {
            Some((column, _, text)) => Cell::leading(text, first_of(&column.series).map(Lead::Trial)),
            None => NONE.into(),
        });
        grid.push(std::iter::once(dataset.heading.as_str().into()).chain(row));
    }
    (!grid.rows.is_empty()).then_some(grid)
}

/// A score with its standard error.
fn written(estimate: Estimate) -> String {
    // A zero up to rounding is written without digits.
    let rounded = |v: f64| if v.abs() < ROUNDING { 0.0 } else { v };
    let (value, error) = (rounded(estimate.value), estimate.standard_error.map(rounded));
    if value.is_infinite() {
        return if value > 0.0 { "∞".into() } else { "−∞".into() };
    }
    if value.abs() >= HUGE {
        return format!("{value:.0e}") + &error.map(|error| format!(" ± {error:.0e}")).unwrap_or_default();
    }
    mean_and_spread(Some(value), error)
}

/// One row for each method: on how many datasets it beats the best constant, and by what factor its level is wrong.
fn overview(scored: &[Scored]) -> Section {
    let mut grid = Grid::new(&["Method"]);
    for part in PARTS {
        let part = part.as_str();
        grid.head.extend([format!("{part}: beats the constant on"), format!("{part}: level off by a factor")]);
    }
    grid.numeric.resize(grid.head.len(), true);
    for heading in headings(scored) {
        let own = || scored.iter().filter(|(column, _)| column.series.name() == heading);
        let cells = (0..PARTS.len()).flat_map(|place| {
            let skills: Vec<Estimate> = own().filter_map(|(_, scores)| scores[place]?.skill).collect();
            let better =
                |skill: &&Estimate| skill.standard_error.is_some_and(|error| skill.value > (2.0 * error).max(ROUNDING));
            let won = match skills.len() {
                0 => NONE.into(),
                count => format!("{} of {count}", skills.iter().filter(better).count()),
            };
            let levels = own().filter_map(|(_, scores)| Some(scores[place]?.level?.value.abs()));
            let factor = median(levels.collect()).map(f64::exp);
            [
                won,
                factor.map_or(
                    NONE.into(),
                    |factor| if factor.is_finite() { number(factor, Some(0.1)) } else { "∞".into() },
                ),
            ]
        });
        grid.push(std::iter::once(heading.clone()).chain(cells));
    }
    let note = "Aleatoric: against the variance of the noise. Epistemic: against the squared error of the mean, averaged over \
                replicate training sets. Total: predictive variance against both together. Beats the constant: datasets on which the \
                skill is above 0 by more than two standard errors, of those on which it is defined; the constant knows the true mean \
                variance, which no method knows. Factor: median over datasets, up or down.";
    Section { title: "Are the parts of the variance true?".into(), grid, note: note.into() }
}

/// The larger middle one.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Root mean squared errors and the share of the bias.
fn errors(results: &Results, scored: &[Scored]) -> Option<Section> {
    let cell = |(column, _): &Scored| {
        let parts = column.replicates.error_parts();
        let share = parts.squared_bias.map(|bias| format!(" ({:.0} %)", (100.0 * bias / parts.mean_square).max(0.0)));
        Some(number(parts.mean_square.sqrt(), None) + &share.unwrap_or_default())
    };
    let note = "Root of the mean squared error of the predictive mean over inputs and replicates; in brackets the share of it that is \
                squared bias (estimated without bias, 0 where that is negative). The rest is variance over training sets and over what \
                the method draws: the part that a posterior variance can describe.";
    let grid = by_dataset(results, scored, cell)?;
    Some(Section { title: "Error of the mean, and the share of the bias".into(), grid, note: note.into() })
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
