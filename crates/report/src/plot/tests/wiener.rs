//! Test figures of kernel regressions in tubes, and of random functions with their law.

use super::super::{FigureError, Render};
use super::{count, svg, texts};
use uqbench_judge::figures::{RealisationRow, Realisations, TubePanel, Tubes};

pub(super) fn tubes() -> Tubes {
    let x: Vec<f64> = (0..40).map(|i| f64::from(i) / 4.0 - 5.0).collect();
    let panel = |title: &str| TubePanel {
        title: title.into(),
        mean: x.iter().map(|x| x.sin()).collect(),
        tubes: [vec![1.4; 40], vec![1.0; 40], vec![0.5; 40]],
        truth: Some(x.iter().map(|x| 1.1 * x.sin()).collect()),
        training: (vec![-5.0, 0.0, 4.5], vec![1.0, 0.2, -1.0]),
        x: x.clone(),
    };
    let names = ["wide", "middle", "narrow"].map(str::to_owned);
    Tubes { title: "Regressions".into(), names, panels: ["A", "B", "C", "D"].map(panel).into() }
}

pub(super) fn realisations() -> Realisations {
    let x: Vec<f64> = (0..30).map(f64::from).collect();
    let density = |y: f64| (-0.5 * y * y).exp() / 2.5066;
    let grid: Vec<f64> = (0..50).map(|i| f64::from(i) / 8.0 - 3.0).collect();
    let heights: Vec<f64> = grid.iter().map(|y| density(*y)).collect();
    let twice = |values: &[f64]| [values, values].concat();
    let row = RealisationRow {
        title: "Draws".into(),
        mean: vec![0.0; 30],
        truth: Some(vec![0.1; 30]),
        curves: (0..5)
            .map(|c| x.iter().map(|x| 0.2 * (x + f64::from(c)).sin()).collect())
            .collect(),
        densities: ([vec![5.0; 50], vec![20.0; 50]].concat(), twice(&grid), twice(&heights)),
        training: (vec![5.0, 20.0], vec![0.3, -0.4]),
        at: 0.0,
        histogram: (vec![-2.0, -1.0, 0.0, 1.0], vec![0.1, 0.35, 0.33, 0.12]),
        projection: (grid, heights.clone(), heights),
        normals: vec![("inner".into(), 0.0, 0.8), ("outer".into(), 0.0, 1.5)],
        x,
    };
    Realisations { title: "A random function".into(), rows: vec![row] }
}

#[test]
fn tubes_are_named_and_every_row_is_a_cross() {
    let figure = svg(&tubes());
    for text in ["Regressions", "A", "D", "wide", "middle", "narrow", "true function", "mean"] {
        assert_eq!(texts(&figure, text), 1, "{text}");
    }
    // Three tubes a panel and their boxes in the legend.
    assert_eq!(count(&figure, "<polygon"), 3 * 4 + 3);
    let mut narrow = tubes();
    narrow.panels[2].tubes[1].pop();
    assert!(matches!(narrow.render(), Err(FigureError::Length { .. })));
    let mut negative = tubes();
    negative.panels[0].tubes[2][3] = -0.1;
    assert!(matches!(negative.render(), Err(FigureError::Value { .. })));
    assert!(matches!(Tubes { panels: vec![], ..tubes() }.render(), Err(FigureError::Empty { .. })));
}

#[test]
fn realisations_are_drawn_beside_their_distribution() {
    let figure = svg(&realisations());
    for text in [
        "A random function",
        "Draws",
        "Projection at x = 0",
        "inner",
        "outer",
        "realisations",
        "Ŷ(0)",
    ] {
        assert_eq!(texts(&figure, text), 1, "{text}");
    }
    // Four bars and the legend's box.
    assert_eq!(count(&figure, "<polygon"), 5);
    let mut broken = realisations();
    broken.rows[0].normals[1].2 = 0.0;
    assert!(matches!(broken.render(), Err(FigureError::Value { .. })));
    let mut short = realisations();
    short.rows[0].projection.2.pop();
    assert!(matches!(short.render(), Err(FigureError::Length { .. })));
}
