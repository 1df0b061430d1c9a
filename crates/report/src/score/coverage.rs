//! Judge the coverage of the central intervals: over all rows, and in each group of rows.

use crate::grid::Grid;
use crate::section::Section;
use crate::words::score::{self as words, ShownGroups, WorstGroup};
use uq_core::metrics::percent;
use uq_core::stats::coverage::{Coverage, Judged, judge};
use uq_core::stats::digits::{NONE, mean_and_spread};
use uqbench_judge::evidence::own_predictions::{Evaluation, OwnPredictions};

/// Largest number of groups of a method on the page; the CSV file has all.
const MOST: usize = 20;

/// What these tables call metrics, and their names.
pub const METRICS: [(&str, &str); 2] = [("Coverage", "picp"), ("Mean width", "mpiw")];

/// Coverage, the interval by which it is judged, and what it is judged to be; `–` where it is
/// undefined.
fn cells(coverage: Option<Coverage>, judged: Option<Judged>) -> [String; 3] {
    let none = || NONE.to_owned();
    let interval = judged
        .and_then(|judged| judged.interval)
        .map(|(low, high)| format!("{low:.3} to {high:.3}"));
    let words = coverage.zip(judged).map(|(coverage, judged)| judged.kept.words(coverage.rows));
    [
        coverage.map_or_else(none, |coverage| format!("{:.3}", coverage.share())),
        interval.unwrap_or_else(none),
        words.unwrap_or_else(none),
    ]
}

/// The judgement of each coverage that is defined; all are judged together.
fn judged(coverages: &[Option<Coverage>], level: f64) -> Vec<Option<Judged>> {
    let known: Vec<Coverage> = coverages.iter().copied().flatten().collect();
    let mut judged = judge(&known, level).into_iter();
    coverages.iter().map(|coverage| coverage.and_then(|_| judged.next())).collect()
}

/// The coverage of each method over all rows.
pub fn section(predictions: &OwnPredictions, evaluation: &Evaluation) -> Section {
    let level = percent(evaluation.level);
    let rows = predictions.y.len();
    let every: Vec<usize> = (0..rows).collect();
    let coverages: Vec<Option<Coverage>> =
        evaluation.methods.iter().map(|method| method.coverage(predictions, &every)).collect();
    let mut grid =
        Grid::new(&["Method", "#Rows", "#Coverage", "95 % interval", "Judged", "#Mean width"]);
    let width = evaluation.position("mpiw");
    for (place, judged) in judged(&coverages, evaluation.level).into_iter().enumerate() {
        let method = &evaluation.methods[place];
        let mut row = vec![predictions.methods[place].method.clone(), rows.to_string()];
        row.extend(cells(coverages[place], judged));
        row.push(mean_and_spread(width.and_then(|width| method.scores[width].score), None));
        grid.push(row);
    }
    let note = words::coverage(&level, rows, predictions.distinct);
    Section { title: words::coverage_title(&level), grid, note }
}

/// The coverage of each method in each group, the worst group first; `None` without groups.
pub fn by_group(predictions: &OwnPredictions, evaluation: &Evaluation) -> Option<Section> {
    let level = percent(evaluation.level);
    let mut head = vec!["Method", "Group", "#Rows", "#Coverage", "95 % interval", "Judged"];
    let [crps, pit] = ["crps", "pit-calibration"].map(|name| evaluation.position(name));
    head.extend(crps.map(|_| "#CRPS"));
    head.extend(pit.map(|_| "#PIT calibration error"));
    let mut grid = Grid::new(&head);
    let each = || {
        let methods = 0..predictions.methods.len();
        methods.flat_map(|method| (0..predictions.groups.len()).map(move |group| (method, group)))
    };
    let coverage = |(method, group): (usize, usize)| {
        evaluation.methods[method].coverage(predictions, &predictions.groups[group].rows)
    };
    let coverages: Vec<Option<Coverage>> = each().map(coverage).collect();
    let judged = judged(&coverages, evaluation.level);
    let (mut worst, mut hidden) = (Vec::new(), 0);
    for (place, predictor) in predictions.methods.iter().enumerate() {
        let mut own: Vec<usize> =
            each().enumerate().filter(|(_, one)| one.0 == place).map(|(i, _)| i).collect();
        let error = |i: &usize| {
            coverages[*i].map_or(-1.0, |coverage| (coverage.share() - evaluation.level).abs())
        };
        own.sort_by(|a, b| error(b).total_cmp(&error(a)));
        let first = predictions.groups.len() * place;
        if let Some((&i, coverage)) = own.first().and_then(|i| Some((i, coverages[*i]?))) {
            worst.push(WorstGroup {
                method: predictor.method.clone(),
                group: predictions.groups[i - first].name.clone(),
                share: coverage.share(),
                rows: coverage.rows,
            });
        }
        hidden += own.len().saturating_sub(MOST);
        for i in own.into_iter().take(MOST) {
            let group = &predictions.groups[i - first];
            let score = |metric: usize| {
                mean_and_spread(evaluation.methods[place].by_group[i - first][metric], None)
            };
            let mut row =
                vec![predictor.method.clone(), group.name.clone(), group.rows.len().to_string()];
            row.extend(cells(coverages[i], judged[i]));
            row.extend(crps.into_iter().chain(pit).map(score));
            grid.push(row);
        }
    }
    let shown = ShownGroups { most: MOST, hidden, has_pit: pit.is_some() };
    let note = words::by_group(&level, &worst, shown);
    (!predictions.groups.is_empty()).then(|| Section {
        title: "Calibration by group".into(),
        grid,
        note,
    })
}
