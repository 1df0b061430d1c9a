//! Test bars: names, cut bars, gaps, and what is refused.

use super::super::{FigureError, Render};
use super::{svg, texts};
use crate::words::figures;
use uqbench_judge::figures::{Bar, Bars, BarsPanel};

fn bar(mean: f64) -> Option<Bar> {
    Some(Bar { mean, standard_error: Some(0.1), repetitions: 5 })
}

pub(super) fn bars() -> Bars {
    let panel = |y_label: &str, low| BarsPanel {
        y_label: y_label.into(),
        low,
        high: None,
        aim: None,
        bars: vec![vec![bar(0.9), bar(-1.2)], vec![None, bar(0.5)]],
    };
    Bars {
        title: "Surrogates".into(),
        groups: vec!["ac60".into(), "sty50".into()],
        series: vec!["JCM".into(), "GP".into()],
        panels: vec![panel("RMSE", None), panel("Log-likelihood", Some(-3.0))],
    }
}

#[test]
fn groups_are_named_under_every_panel_and_series_in_the_legend() {
    let svg = svg(&bars());
    for (text, times) in
        [("Surrogates", 1), ("JCM", 1), ("GP", 1), ("ac60", 2), ("sty50", 2), ("RMSE", 1)]
    {
        assert_eq!(texts(&svg, text), times, "{text}");
    }
    assert_eq!((texts(&svg, &figures::bars("5")), texts(&svg, figures::CUT_BAR)), (1, 0));
}

#[test]
fn a_bar_beyond_the_axis_is_cut_and_its_number_is_written() {
    let mut figure = bars();
    figure.panels[1].bars[0][1] = bar(-123_456.0);
    figure.panels[1].bars[1][1] = bar(-77.0);
    let svg = svg(&figure);
    assert_eq!((texts(&svg, "-1e5"), texts(&svg, "-77")), (1, 1));
    assert_eq!(texts(&svg, figures::CUT_BAR), 1);
}

#[test]
fn the_number_that_bars_should_reach_is_told() {
    let mut figure = bars();
    figure.panels[0].aim = Some(0.95);
    let svg = svg(&figure);
    assert_eq!(texts(&svg, &figures::aim(&["0.95".into()])), 1);
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let refused = |change: &dyn Fn(&mut Bars)| {
        let mut figure = bars();
        change(&mut figure);
        figure.render().map(|_| ()).unwrap_err()
    };
    assert!(matches!(refused(&|figure| figure.panels.clear()), FigureError::Empty { .. }));
    assert!(matches!(refused(&|figure| figure.groups.clear()), FigureError::Empty { .. }));
    assert!(matches!(
        refused(&|figure| figure.groups.push("x".into())),
        FigureError::Length { .. }
    ));
    assert!(matches!(
        refused(&|figure| figure.series.push("x".into())),
        FigureError::Length { .. }
    ));
    assert!(matches!(
        refused(&|figure| figure.panels[0].bars[0][0] = bar(f64::NAN)),
        FigureError::Value { .. }
    ));
}

#[test]
fn one_repetition_has_no_standard_error() {
    let mut figure = bars();
    figure
        .panels
        .iter_mut()
        .flat_map(|panel| panel.bars.iter_mut().flatten().flatten())
        .for_each(|bar| bar.repetitions = 1);
    assert_eq!(texts(&svg(&figure), &figures::bars("1")), 1);
}
