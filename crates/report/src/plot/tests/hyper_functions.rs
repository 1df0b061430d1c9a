//! Test figures of Gaussian processes with their hyper-functions, and of errors step by step.

use super::super::{FigureError, Render};
use super::{count, is_noted, svg, texts};
use crate::words::figures;
use uqbench_judge::evidence::hyper_functions::HyperCurve;
use uqbench_judge::figures::{HyperFunctions, HyperPanel, Learning, LearningCurve};

pub(super) fn hyper_functions() -> HyperFunctions {
    let x: Vec<f64> = (0..50).map(|i| f64::from(i) / 10.0).collect();
    let curve = |name: &str, level: f64, known: bool| HyperCurve {
        name: name.into(),
        x: x.clone(),
        value: x.iter().map(|x| level * (2.0 + x.sin())).collect(),
        truth: known.then(|| vec![level; 50]),
    };
    let panel = HyperPanel {
        title: "Known".into(),
        mean: x.iter().map(|x| x.sin()).collect(),
        epistemic: vec![0.2; 50],
        total: vec![0.5; 50],
        truth: Some(x.iter().map(|x| 1.1 * x.sin()).collect()),
        training: (vec![1.0, 2.0, 3.0], vec![0.8, 0.9, 0.1]),
        added: None,
        functions: vec![curve("length scale", 1.0, true), curve("noise", 0.1, true)],
        functions_label: "Hyper-functions".into(),
        x: x.clone(),
    };
    let functions = vec![curve("length scale", 3.0, false)];
    let unknown = HyperPanel { title: "Unknown".into(), truth: None, functions, ..panel.clone() };
    HyperFunctions { title: "Fits".into(), panels: vec![panel, unknown] }
}

pub(super) fn learning() -> Learning {
    let x: Vec<f64> = (30..=80).map(f64::from).collect();
    let curve = |name: &str, slope: f64| LearningCurve {
        name: name.into(),
        mean: x.iter().map(|x| 3.0 - slope * (x - 30.0)).collect(),
        half_width: Some(vec![0.3; 51]),
        repetitions: 20,
        x: x.clone(),
    };
    Learning {
        title: "Errors".into(),
        x_label: "Known rows".into(),
        y_label: "RMSE".into(),
        curves: vec![curve("var y", 0.01), curve("var f", 0.02)],
        difference: Some(curve("var f less var y", 0.01)),
    }
}

#[test]
fn every_function_is_named_once_and_the_truth_is_explained() {
    let figure = svg(&hyper_functions());
    for text in ["Fits", "Known", "Unknown", "length scale", "noise", "true f", "training row"] {
        assert_eq!(texts(&figure, text), 1, "{text}");
    }
    assert_eq!(texts(&figure, figures::TRUE_FUNCTIONS), 1, "the truth is explained");
    // Three rows a panel and one in the legend; two bands a panel and their boxes in the legend.
    assert_eq!((count(&figure, "<circle"), count(&figure, "<polygon")), (2 * 3 + 1, 2 * 2 + 2));
    let mut plain = hyper_functions();
    plain.panels.remove(0);
    plain.panels[0].functions.clear();
    plain.panels[0].added = Some((vec![4.0], vec![0.0]));
    let figure = svg(&plain);
    assert_eq!(texts(&figure, figures::TRUE_FUNCTIONS), 0);
    assert!(!figure.contains("Hyper-functions"));
    assert_eq!((texts(&figure, "row added"), texts(&figure, "row known at the start")), (1, 1));
}

#[test]
fn curves_of_errors_have_bands_and_a_difference_below() {
    let figure = svg(&learning());
    for text in ["Errors", "Known rows", "RMSE", "var y", "var f", "var f less var y", "Difference"]
    {
        assert_eq!(texts(&figure, text), 1, "{text}");
    }
    assert!(is_noted(&figure, &figures::learning_curves(20, true)));
    // Where bands overlap both are visible.
    assert_eq!(count(&figure, "opacity=\"0.22\""), 3);
    assert_eq!(count(&figure, "<polygon"), 3 + 3, "three bands, and their boxes in the legend");
    let single = Learning { difference: None, ..learning() };
    assert_eq!(texts(&svg(&single), "Difference"), 0);
    assert!(is_noted(&svg(&single), &figures::learning_curves(20, false)));
}

#[test]
fn faulty_figures_are_refused() {
    let refused = |change: fn(&mut HyperPanel)| {
        let mut figure = hyper_functions();
        change(&mut figure.panels[1]);
        figure.render().unwrap_err()
    };
    assert!(matches!(refused(|panel| panel.mean.clear()), FigureError::Length { .. }));
    assert!(matches!(refused(|panel| panel.total[3] = -1.0), FigureError::Value { .. }));
    assert!(matches!(
        refused(|panel| panel.functions[0].value[0] = 0.0),
        FigureError::Value { .. }
    ));
    let mut figure = learning();
    figure.curves[1].mean[2] = f64::NAN;
    assert!(matches!(figure.render().unwrap_err(), FigureError::Value { .. }));
    assert!(matches!(
        Learning { curves: vec![], ..learning() }.render().unwrap_err(),
        FigureError::Empty { .. }
    ));
}
