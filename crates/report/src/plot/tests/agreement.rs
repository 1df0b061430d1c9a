//! Distances between our numbers and the printed ones.

use super::super::FigureError;
use super::{svg, texts};
use crate::words::figures::farther;
use uqbench_judge::figures::{Agreement, AgreementKind, AgreementPanel, AgreementPoint};

pub fn agreement() -> Agreement {
    let point = |lane, distance, kind| AgreementPoint {
        lane,
        distance,
        kind,
        words: format!("{distance} & more"),
    };
    let points = vec![
        point(0, 0.1, AgreementKind::Agree),
        point(0, -0.8, AgreementKind::Agree),
        point(1, 2.0, AgreementKind::Undecided),
        point(1, -40.0, AgreementKind::Differ),
    ];
    let panels = vec![
        AgreementPanel { label: "RMSE".into(), points: points.clone() },
        AgreementPanel { label: "Log-likelihood".into(), points: points[..1].to_vec() },
    ];
    Agreement {
        title: "Our numbers beside the printed ones".into(),
        lanes: vec!["JCM".into(), "SGP".into()],
        panels,
        without_tolerance: 0,
    }
}

#[test]
fn every_lane_and_panel_is_named_and_numbers_are_counted_by_what_came_out() {
    let svg = svg(&agreement());
    for words in ["JCM", "SGP", "RMSE", "Log-likelihood", "reproduced or close: 3", "differs: 1"] {
        assert_eq!(texts(&svg, words), 1, "{words}");
    }
    assert_eq!(texts(&svg, "(ours − printed) / tolerance δ"), 2);
    assert_eq!(texts(&svg, &farther(1, 6.0).unwrap()), 1);
}

#[test]
fn a_panel_without_a_finite_number_is_an_error() {
    let mut figure = agreement();
    figure.panels[1].points[0].distance = f64::NAN;
    assert!(matches!(super::super::Render::render(&figure), Err(FigureError::Empty { .. })));
}

#[test]
fn every_point_has_its_words_which_the_file_does_not_show() {
    let rendered = super::super::Render::render(&agreement()).unwrap();
    let words: Vec<&str> = rendered.tips.iter().map(|tip| tip.words.as_str()).collect();
    assert_eq!(words, ["0.1 & more", "-0.8 & more", "2 & more", "-40 & more", "0.1 & more"]);
    assert!(!rendered.svg.contains("more") && !rendered.svg.contains("<title"));
}
