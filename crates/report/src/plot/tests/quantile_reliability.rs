//! Test figures of the reliability of quantiles.

use super::super::{FigureError, Render};
use super::{count, is_noted, svg, texts};
use crate::words::figures::TIED_QUANTILES;
use uq_core::stats::{Counts, Reliability};
use uqbench_judge::figures::{QuantileReliability, ReliabilityPanel};

/// Four methods of 100 outcomes, of which 80 are effective, at three levels.
pub(super) fn figure(below: [usize; 3], at_most: [usize; 3]) -> QuantileReliability {
    let counts = Counts { below: below.to_vec(), at_most: at_most.to_vec(), outcomes: 100 };
    let reliability = Reliability::new(&[0.25, 0.5, 0.75], &[counts], 80).unwrap();
    let panel =
        |title: &str| ReliabilityPanel { title: title.into(), reliability: reliability.clone() };
    let panels = ["a", "b", "c", "d"].map(panel).to_vec();
    QuantileReliability { title: "Quantiles".into(), notes: vec!["Left out: one.".into()], panels }
}

#[test]
fn every_method_has_its_points_and_its_band() {
    let figure = svg(&figure([20, 55, 70], [20, 55, 70]));
    for text in [
        "Quantiles",
        "a",
        "d",
        "perfect calibration",
        "its 95 % band, all levels together",
        "Left out: one.",
    ] {
        assert_eq!(texts(&figure, text), 1, "{text}");
    }
    assert_eq!((texts(&figure, "n = 100, n* = 80"), texts(&figure, "Level τ")), (4, 4));
    assert_eq!(texts(&figure, "Share of y ≤ q(τ), less τ"), 1, "beside the first plot only");
    // Three points a panel and one in the legend; a band a panel and its box in the legend.
    assert_eq!((count(&figure, "<circle"), count(&figure, "<polygon")), (4 * 3 + 1, 4 + 1));
    assert!(!is_noted(&figure, TIED_QUANTILES), "no outcome equals its quantile");
}

#[test]
fn outcomes_that_equal_their_quantile_are_reported() {
    let figure = svg(&figure([20, 40, 70], [20, 60, 70]));
    assert_eq!(texts(&figure, "down to the share of y &lt; q(τ)"), 1);
    assert!(is_noted(&figure, TIED_QUANTILES));
}

#[test]
fn faulty_figures_are_refused() {
    let whole = figure([20, 55, 70], [20, 55, 70]);
    let empty = QuantileReliability { panels: Vec::new(), ..whole.clone() };
    assert!(matches!(empty.render(), Err(FigureError::Empty { .. })));
    let mut broken = whole.clone();
    broken.panels[1].reliability.below.pop();
    assert!(matches!(broken.render(), Err(FigureError::Length { .. })));
    let mut undefined = whole;
    undefined.panels[0].reliability.at_most[2] = f64::NAN;
    assert!(matches!(undefined.render(), Err(FigureError::Value { .. })));
}
