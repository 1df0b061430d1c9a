//! Test learning curves in panels: names, notes, the line at zero, and what is refused.

use super::super::{FigureError, Render};
use super::{count, svg, texts};
use crate::words::figures;
use uqbench_judge::figures::{LearningCurve, LearningPanel, LearningPanels};

fn curve(name: &str, height: f64) -> LearningCurve {
    let x: Vec<f64> = (0..=10).map(f64::from).collect();
    let mean = x.iter().map(|x| height + x.sqrt()).collect();
    LearningCurve { name: name.into(), half_width: Some(vec![0.2; 11]), x, mean, repetitions: 10 }
}

pub(super) fn learning_panels() -> LearningPanels {
    let panel = |title: &str| LearningPanel {
        title: title.into(),
        curves: vec![curve("JCM", 0.0), curve("BNN", -1.0)],
        left_out: 0,
    };
    let panels = ["Boston", "Energy", "Power", "Protein", "Kin8nm"].map(panel).to_vec();
    let (x_label, y_label) = ("Additions".into(), "Log-likelihood".into());
    LearningPanels {
        title: "Learning".into(),
        x_label,
        y_label,
        differences: false,
        across: 3,
        panels,
    }
}

#[test]
fn every_panel_has_its_title_and_only_the_first_of_a_row_names_the_values() {
    let svg = svg(&learning_panels());
    for text in ["Learning", "Boston", "Kin8nm", "JCM", "BNN"] {
        assert_eq!(texts(&svg, text), 1, "{text}");
    }
    assert_eq!((texts(&svg, "Additions"), texts(&svg, "Log-likelihood")), (5, 2));
    assert_eq!(texts(&svg, &figures::curves("10", false)), 1);
    // A band a curve, and its box in the legend.
    assert_eq!(count(&svg, "<polygon"), 5 * 2 + 2);
}

#[test]
fn differences_have_a_line_at_zero_and_points_that_are_left_out_are_counted() {
    let figure = learning_panels();
    let with_zero = LearningPanels { differences: true, ..figure.clone() };
    assert_eq!(texts(&svg(&with_zero), &figures::curves("10", true)), 1);
    let mut cut = figure;
    cut.panels[1].left_out = 2;
    assert_eq!(texts(&svg(&cut), &figures::not_finite("Energy", 2)), 1);
}

#[test]
fn a_panel_without_curves_and_numbers_that_are_not_finite_are_refused() {
    let refused = |change: &dyn Fn(&mut LearningPanels)| {
        let mut figure = learning_panels();
        change(&mut figure);
        figure.render().err()
    };
    assert!(matches!(refused(&|f| f.panels.clear()), Some(FigureError::Empty { .. })));
    assert!(matches!(refused(&|f| f.panels[2].curves.clear()), Some(FigureError::Empty { .. })));
    assert!(matches!(
        refused(&|f| f.panels[0].curves[1].mean[3] = f64::NAN),
        Some(FigureError::Value { .. })
    ));
}
